local process = require "spec.support.process"

--- An environment in which every program is compiled before it runs.
local function waiting(environment)
  local variables = { CUNA_COMPILE = "wait" }
  for name, value in pairs(environment) do variables[name] = value end
  return variables
end
local function run(script, environment) return process.run(script, waiting(environment)) end
local function must_run(script, environment) return process.must_run(script, waiting(environment)) end

describe("without a compiler", function()
  local folder
  setup(function()
    folder = process.folder()
    process.shell(("cd '%s' && mkdir bin && for tool in sh luajit dirname readlink env rm; do "):format(folder)
      .. "ln -s \"$(command -v $tool)\" bin/$tool; done")
  end)
  teardown(function() process.remove(folder) end)

  local function fake(name, text)
    process.write(folder .. "/" .. name, "#!/bin/sh\n" .. text)
    os.execute("chmod +x " .. folder .. "/" .. name)
    return { CUNA_CXX = folder .. "/" .. name, CUNA_CACHE_DIR = folder .. "/" .. name .. "-cache" }
  end

  --- What the failing addition says in a script.
  local function message(environment)
    local text, status = run([[
      local cn = require "cuna"
      local x = cn.array { 1, 2, 3 }
      local ok, message = pcall(function()
        return x + 1
      end)
      assert(not ok and x[1] == 1 and #x == 3)
      io.write(message)]], environment)
    assert.equal(0, status, text)
    return text
  end

  it("says in one line what was looked for", function()
    process.write(folder .. "/text", "no program\n")
    os.execute("chmod +x " .. folder .. "/text")
    for _, environment in ipairs {
      { CUNA_CXX = "/nonexistent" }, { CUNA_CXX = "no-such-compiler -O2" }, { CUNA_CXX = folder },
      { CUNA_CXX = folder .. "/text" },
      { CUNA_CXX = false, CXX = false, PATH = folder .. "/bin" },
      { CUNA_CXX = false, CXX = "nothing", PATH = folder .. "/bin" }, fake("mute", "exit 1\n"),
    } do
      local text = message(environment)
      assert.has.match("^[^\n]*child_spec.lua:4: cuna: CompileError: no compiler for device cpu: looked for [^\n]*"
        .. "CUNA_CXX[^\n]*g%+%+[^\n]*apt%-get install g%+%+[^\n]*$", text)
    end
  end)

  it("ends a script with status 1 when that is not caught", function()
    local text, status = run([[local cn = require "cuna"
      print(cn.ones(3) + 1)]], { CUNA_CXX = "/nonexistent" })
    assert.equal(1, status)
    assert.has.match("child_spec.lua:2: cuna: CompileError: ", text)
  end)

  it("still makes, copies, views and prints arrays", function()
    local text = must_run([[
      local cn = require "cuna"
      local x = cn.array({ { 1, 2 }, { 3, 4 } }, "int32")
      local y = x:copy()
      y[{ 1, 2 }] = 7
      print(x:reshape(4), y[1], x.T.shape, cn.zeros(2), y:totable()[1][2], x[{ 2, 2 }], y:tobytes() == x:tobytes())]],
      { CUNA_CXX = "/nonexistent" })
    assert.equal("[1 2 3 4]\t[1 7]\t(2, 2)\t[0. 0.]\t7\t4\tfalse\n", text)
  end)

  it("goes on with the kernels that a process has", function()
    must_run([[
      local cn, ffi = require "cuna", require "ffi"
      ffi.cdef "int setenv(const char *, const char *, int);"
      local x = cn.array { 1, 2, 3 }
      assert((x + 1)[3] == 4)
      ffi.C.setenv("CUNA_CXX", "/nonexistent", 1)
      assert((x + 2)[3] == 5)
      local ok, message = pcall(function() return x * x end)
      assert(not ok and message:find "child_spec.lua:7: cuna: CompileError: .*no C%+%+ compiler found", message)
      ffi.C.setenv("CUNA_CXX", "", 1)
      assert((x * x)[3] == 9)]], { CUNA_CACHE_DIR = folder .. "/going" })
  end)

  it("passes on what a compiler says, and keeps the source", function()
    local text = message(fake("loud", [[
case "$*" in *--version*) echo "loud 1.0"; exit 0 ;; esac
echo "spilled ink" >&2
exit 1
]]))
    assert.has.match("child_spec.lua:4: cuna: CompileError: cuna_add[%w_]*: spilled ink; whole source: %S+$", text)
    local source = text:match("whole source: (%S+)$")
    assert.has.match("cuna_add", process.read(source))
    os.remove(source)
  end)

  it("does not have the script's open files, whose locks it would keep", function()
    local list = ('for file in /proc/$$/fd/*; do readlink "$file"; done >>%s/files\n'):format(folder)
    local environment = fake("open", list .. 'exec g++ "$@"\n')
    must_run(([[
      local file = io.open("%s/locked", "w")
      local cn = require "cuna"
      assert((cn.ones(3) + 1)[1] == 2)
      file:close()]]):format(folder), environment)
    local files = process.read(folder .. "/files")
    assert.has.match("/open\n", files) -- the compiler's own text
    assert.has.no.match("/locked\n", files)
  end)

  it("shows the first error's line with two lines around it, and keeps the log with the source", function()
    local text = message(fake("strict", [[
case "$*" in *--version*) exec g++ --version ;; esac
sed -i "s/ uint16;/ uint16 oops;/" cuna_add*
exec g++ "$@"
]]))
    local line, path, excerpt =
      text:match("CompileError: cuna_add[%w_]*: line (%d+): [^\n]+; whole source: (%S+)\n(.*)$")
    assert(line, text)
    local wanted, number, source = {}, 0, process.read(path)
    for each in source:gmatch("([^\n]*)\n") do
      number = number + 1
      if math.abs(number - line) <= 2 then
        wanted[#wanted + 1] = ("%s%5d | %s"):format(number == tonumber(line) and ">" or " ", number, each:sub(1, 96))
      end
    end
    assert.equal(table.concat(wanted, "\n"), excerpt)
    assert.has.match("> *%d+ | [^\n]*uint16", excerpt)
    assert.has.match("\n// cuna_add[%w_]*:" .. line .. ":%d+: error: ", source)
    os.remove(path)
  end)

  it("reports a compiler that fails silently, ends early or makes nothing", function()
    local version = "case \"$*\" in *--version*) echo fake; exit 0 ;; esac\n"
    for name, text in pairs { silent = "exit 1\n", killed = "kill -9 $$\n", lazy = "exit 0\n" } do
      local said = message(fake(name, version .. text))
      assert.has.match("CompileError: cuna_add[%w_]*: the C%+%+ compiler failed without a message", said)
      os.remove(said:match("whole source: (%S+)$"))
    end
  end)

  it("reports a compiler that makes nonsense, and keeps none of it for others", function()
    local environment = fake("nonsense", [[
      case "$*" in *--version*) echo fake; exit 0 ;; esac
      for word; do [ "$before" = -o ] && echo nonsense > "$word"; before=$word; done
    ]])
    local said = message(environment)
    assert.has.match("CompileError: cuna_add[%w_]*: what the C%+%+ compiler made is not a library", said)
    os.remove(said:match("whole source: (%S+)$"))
    local sum = must_run("print(require('cuna').array {1, 2} + 1)", { CUNA_CACHE_DIR = environment.CUNA_CACHE_DIR })
    assert.equal("[2. 3.]\n", sum)
  end)

  it("finds another place when TMPDIR is none", function()
    for _, place in ipairs { "/nonexistent", "relative", "/proc", "" } do
      local text = must_run([[local cn = require "cuna" print(cn.array { 1, 2 } + 1)]],
        { TMPDIR = place, CUNA_CACHE_DIR = "off" })
      assert.equal("[2. 3.]\n", text)
    end
  end)

  it("reports a limit on file sizes, and survives", function()
    process.write(folder .. "/script.lua", [[
      local cn = require "cuna"
      print(pcall(function() return cn.array { 1, 2 } + 1 end))
      print(cn.array { 1, 2 })]])
    local command = process.command(folder .. "/script.lua", waiting { CUNA_CACHE_DIR = "off" })
    local text, status = process.capture("ulimit -f 4; " .. command)
    assert.equal(0, status, text)
    assert.has.match("CompileError: [^\n]*\n%[1%. 2%.%]\n$", text)
  end)

  it("leaves nothing behind in TMPDIR", function()
    local place = folder .. "/tmp"
    os.execute("mkdir " .. place)
    must_run([[local cn = require "cuna" print(cn.array { 1, 2 } + 1)]],
      { TMPDIR = place, CUNA_CACHE_DIR = "off" })
    assert.equal("", (process.shell("ls -A " .. place)))
  end)
end)

-- clang++ is not a package that the suite installs: where it is missing, only g++ is tried.
describe("each compiler", function()
  for _, name in ipairs { "g++", "clang++" } do
    local found = os.execute(name .. " --version >/dev/null 2>&1") == 0 -- by the suite's, which stands for it
    if found then
      it(name .. " gives the same values", function()
        local text = must_run([[
          local cn = require "cuna"
          local x = cn.linspace(0, 3, 100, { dtype = "float32" })
          print((x:sin() * 2 + x ^ 2):sum(), x:reshape(10, 10):max(2), cn.arange(3, "float16") / 2)]],
          { CUNA_CXX = name, CUNA_CACHE_DIR = "off", CUNA_CPU_FLAGS = "-O1" })
        assert.equal("432.98572\t[0.27272728 0.57575756 0.8787879  1.1818181  1.4848485  1.7878788\n"
          .. " 2.090909   2.3939395  2.6969697  3.        ]\t[0.  0.5 1. ]\n", text)
      end)
    end
  end
end)
