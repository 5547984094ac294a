--- The prompt at a pseudo-terminal, with each library that edits lines and without one.
local devices = require "spec.support.devices"
local ffi = require "ffi"
local process = require "spec.support.process"
local terminal = require "spec.support.terminal"

local EDITORS = {["libreadline.so.8"] = '{"libreadline.so.8"}', ["libedit.so.2"] = '{"libedit.so.2"}', none = "{}"}

local folder, opened

local function start(libraries, device)
  local code = 'require("cuna.prompt.loop").start {libraries = ' .. libraries .. "}"
  local command = "env TERM=xterm XDG_STATE_HOME=%s CUNA_CACHE_DIR=%s/cache CUNA_DEVICE=%s %s -e %s"
  opened = terminal.open(command:format(folder, folder, device or "cpu", process.launcher, process.quote(code)))
  opened:expect "ends[^>]*> "
  return opened
end

before_each(function() folder = process.folder() end)

after_each(function()
  if opened then opened:close() end
  opened = nil
  process.remove(folder)
end)

for name, libraries in pairs(EDITORS) do
  describe("the prompt with " .. name, function()
    local there = name == "none" or pcall(ffi.load, name)

    local function test(title, run)
      it(title, function()
        if not there then return pending(name .. " is not installed") end
        run()
      end)
    end

    test("prints values and errors, and ends by exit with the terminal as it was", function()
      local prompt = start(libraries)
      assert.equal("[1 2 3]", prompt:type("cn.arange(3) + 1\r", "\n(%[[^\n]*)\n.*> "))
      assert.equal("stdin:1: boom", prompt:type("error 'boom'\r", "(stdin:1: boom).*> "))
      prompt:type("for i = 1, 2 do\r", "(>> )")
      assert.equal("12", prompt:type("io.write(i) end\r", "\n(12).*> "))
      prompt:type("exit\r", "(\n)")
      assert.is_true(prompt:has_ended())
      assert.equal(prompt.modes, prompt:stty())
    end)

    test("ends with the input", function()
      local prompt = start(libraries)
      prompt:type("\4", "(\n)")
      assert.is_true(prompt:has_ended())
      assert.equal(prompt.modes, prompt:stty())
    end)

    test("ends at once when the terminal goes away", function()
      local prompt = start(libraries)
      prompt:hang_up()
      assert.is_true(prompt:has_ended())
    end)

    test("survives Ctrl-C, at the prompt and in code, also twice", function()
      local prompt = start(libraries)
      prompt:type("abc\3", "(\n[^\n]*> )")
      assert.equal("2", prompt:type("1 + 1\r", "\n(2)\n.*> "))
      prompt:type("f = function(\r", "(>> )")
      prompt:type("\3", "(\n[^\n]*> )")
      prompt:type("io.write('go', 'ing\\n') while true do end\r", "(going\r?\n)")
      assert.equal("interrupted!", prompt:type("\3", "stdin:1: (%S+).*> "))
      prompt:type("io.write('again', ' going\\n') while true do cn.arange(3) end\r", "(again going\r?\n)")
      assert.truthy(prompt:type("\3\3", "(> )"))
      assert.equal("6", prompt:type("\r3 + 3\r", "(6)\n.*> "))
    end)
  end)
end

describe("the prompt", function()
  local function has(name) return pcall(ffi.load, name) end

  for _, device in ipairs(devices.names()) do
    it("survives Ctrl-C in compilers and kernels on " .. device, function()
      local prompt = start("{}", device)
      prompt:type("k = cn.ElementwiseKernel('T x', 'T y', 'y = x; for (int i = 0; i < 10000000; i++) y = y * x + 1', "
        .. "'long_one')\r", "\n.*(> )")
      for _ = 1, 2 do -- a compilation, or a kernel
        prompt:type("y = k(cn.ones(4)):sum():item()\r", "(\n)")
        process.shell "sleep 0.3"
        prompt:type("\3", "(> )")
      end
      assert.equal("42", prompt:type("\r6 * 7\r", "(42)\n"))
    end)
  end

  it("keeps its history", function()
    if not has "libreadline.so.8" then return pending "libreadline.so.8 is not installed" end
    local prompt = start '{"libreadline.so.8"}'
    prompt:type("kept = 20 + 1\r", "\n.*(> )")
    prompt:close()
    assert.equal("kept = 20 + 1\n", process.read(folder .. "/cuna/history"))
    prompt = start '{"libreadline.so.8"}'
    prompt:type("\27[A\r", "(kept = 20 %+ 1)\n.*> ")
    assert.equal("21", prompt:type("kept\r", "\n(21)\n.*> "))
  end)

  it("completes words, and takes a paste as one input", function()
    if not has "libreadline.so.8" then return pending "libreadline.so.8 is not installed" end
    local prompt = start '{"libreadline.so.8"}'
    prompt:type("x = cn.linalg.slogd\t\r", "(cn%.linalg%.slogdet).*> ")
    assert.equal("ab", prompt:type("\27[200~for i = 1, 1 do\n\tio.write 'a'\nend\nio.write 'b'\27[201~\r", "\n(ab)"))
  end)
end)
