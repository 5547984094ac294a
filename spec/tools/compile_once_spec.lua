--- The compiler of the suite that compiles no text twice (spec/support/compile_once.c), over one that copies its text.
local process = require "spec.support.process"

local COMPILER = [[#!/bin/sh
echo "$*" >>"${0%/*}/calls"
while [ $# -gt 0 ]; do case $1 in -o) shift; to=$1 ;; -*) ;; *) from=$1 ;; esac; shift; done
if grep -qs killed "$from"; then kill -9 $$; fi
if grep -qs wrong "$from"; then echo "an error" >&2; exit 3; fi
if grep -qs doubtful "$from"; then echo "a warning" >&2; fi
[ -z "$to" ] || cat "$from" >"$to"
]]

describe("compile_once", function()
  local folder

  setup(function()
    folder = process.folder()
    local text, status = process.shell(([[
      SOURCES="$(for part in once request split find hash door gcc; do echo spec/support/compile_$part.c; done)"
      mkdir %s/once %s/once/kept %s/below &&
      cc -std=gnu11 -o %s/once/g++ $SOURCES
    ]]):gsub("%%s", process.quote(folder)))
    assert(status == 0, text)
    process.write(folder .. "/below/g++", COMPILER)
    os.execute("chmod +x " .. process.quote(folder .. "/below/g++"))
  end)

  teardown(function() process.remove(folder) end)

  before_each(function()
    process.shell(("cd %s && rm -f once/kept/* below/calls times out log"):format(process.quote(folder)))
    process.write(folder .. "/below/calls", "")
  end)

  --- Compiles a text in the folder, as the cpu device does: its messages go to a file. The status, and what was made.
  local function compile(text, options)
    process.write(folder .. "/text", text)
    local _, status = process.shell(([[
      cd %s && rm -f out && export PATH="$PWD/once:$PWD/below:$PATH" &&
      ONCE_TIMES="$PWD/times" sh -c 'g++ %s text -o out 2>log; exit $?'
    ]]):format(process.quote(folder), options or "-w"))
    local file = io.open(folder .. "/out", "rb")
    local made = file and file:read "*a"
    if file then file:close() end
    return status, made
  end

  local function count_calls() return select(2, process.read(folder .. "/below/calls"):gsub("\n", "")) end

  local function outcomes()
    local words = {}
    for word in process.read(folder .. "/times"):gmatch "%d+ (%l+) %d+\n" do words[#words + 1] = word end
    return table.concat(words, " ")
  end

  --- Compiles a text twice; how often the compiler below ran.
  local function compile_twice(text, options)
    for _ = 1, 2 do
      local status, made = compile(text, options)
      assert.equal(0, status)
      assert.equal(text, made)
    end
    return count_calls()
  end

  it("compiles a text once, and gives the same output again", function()
    assert.equal(1, compile_twice "int x;")
    assert.equal("new kept", outcomes())
  end)

  it("compiles again what has other options or another text", function()
    assert.equal(1, compile_twice "int x;")
    compile "int y;"
    compile("int x;", "-w -O1")
    assert.equal(3, count_calls())
  end)

  it("keeps what includes headers of the system", function()
    assert.equal(1, compile_twice "#include <math.h>\n")
  end)

  it("compiles each time what other files have a part in", function()
    assert.equal(2, compile_twice '# include "mine.h"\n')
    assert.equal("apart apart", outcomes())
    for i, option in ipairs {"-I.", "-include x", "-isystem/x"} do
      assert.equal(2 + 2 * i, compile_twice("int x;", option))
    end
  end)

  it("keeps nothing that the compiler said something about", function()
    assert.equal(2, compile_twice "doubtful")
    assert.equal("a warning\n", process.read(folder .. "/log"))
  end)

  it("ends as the compiler does", function()
    for _ = 1, 2 do assert.same({3}, {compile "wrong"}) end
    assert.equal("an error\n", process.read(folder .. "/log"))
    assert.equal("apart apart", outcomes())
    assert.same({137}, {compile "killed"})
    assert.equal(3, count_calls())
  end)

  it("hands other calls on", function()
    process.shell(("cd %s && PATH=$PWD/once:$PWD/below:$PATH g++ --version"):format(process.quote(folder)))
    assert.equal("--version\n", process.read(folder .. "/below/calls"))
  end)

  it("finds the system's compiler where PATH has none", function()
    local text, status = process.shell(("PATH= %s/once/g++ --version"):format(process.quote(folder)))
    assert.equal(0, status)
    assert.truthy(text:find("Free Software Foundation", 1, true), text)
  end)
end)
