local devices = require "spec.support.devices"
local process = require "spec.support.process"

local build = os.getenv("CUNA_BUILD") or "build"

describe("make install", function()
  local folder, root, said

  local function make(target)
    local command = "MAKEFLAGS= make --no-print-directory -o all -o deps %s BUILD=%s PREFIX=%s/usr DESTDIR=%s/root"
    local text, status = process.shell(command:format(target, build, folder, folder))
    assert(status == 0, text)
    return text
  end

  --- Runs a command in another folder; it must end well.
  local function run(command)
    local text, status = process.capture("cd / && export CUNA_CACHE_DIR=off; " .. command)
    assert(status == 0, text)
    return text
  end

  lazy_setup(function()
    folder = process.folder()
    said = make "install"
    root = folder .. "/root" .. folder .. "/usr"
  end)

  lazy_teardown(function() process.remove(folder) end)

  it("puts the module where a plain luajit finds it", function()
    process.write(folder .. "/script.lua", [[
      local cn = require "cuna"
      print(cn.sin(cn.zeros(3)) + 1, package.loaded["cuna.array"] ~= nil, (cn.help("x:item", true):match "^[^\n]*"))]])
    local paths = "LUA_PATH='ROOT/share/lua/5.1/?.lua;ROOT/share/lua/5.1/?/init.lua' LUA_CPATH='ROOT/lib/lua/5.1/?.so' "
    assert.equal("[1. 1. 1.]\ttrue\tx:item()\n", run(paths:gsub("ROOT", root) .. "luajit " .. folder .. "/script.lua"))
  end)

  it("says where cuna is, what LuaJIT needs to find it, and what to try", function()
    local place, needed, try, rest = said:match "^([^\n]+)\n([^\n]+)\n([^\n]+)\n(.*)$"
    assert.equal("", rest)
    assert.has.match("^cuna %d+%.%d+%.%d+ is installed in ", place)
    assert.equal(root, place:match "in (.*)$")
    assert.equal(folder .. "/usr/bin/cuna doctor", try:match ": (.*)$")
    local paths = run(needed:match "^scripts need: (.*)$" .. [[; luajit -e 'print(package.path .. package.cpath)']])
    for _, template in ipairs {"share/lua/5.1/?.lua;", "share/lua/5.1/?/init.lua;", "lib/lua/5.1/?.so;"} do
      assert.truthy(paths:find(folder .. "/usr/" .. template, 1, true), template)
    end
    local again = "; luajit package/installed.lua USR '' 1.2.3 USR/share/lua/5.1 USR/lib/lua/5.1 USR/bin"
    local found = process.shell(needed:match ": (.*)$" .. again:gsub("USR", folder .. "/usr"))
    assert.has.match("^cuna 1.2.3 [^\n]+\nnothing more to do: luajit finds it\n", found)
  end)

  it("installs the command", function()
    local cuna = root .. "/bin/cuna "
    assert.equal("[0 1 2]\n3\n", run(cuna .. "-e 'x = cn.arange(3)' -e 'print(x) print(x.size)'"))
    assert.equal("[0 1 2]\n3\n", run("echo 'print(require(\"cuna\").arange(3)) print(3)' | " .. cuna))
    assert.equal("[7. 0.]\n", run(cuna .. [[-e 'k = cn.jit.rawkernel(function(x) x[1] = 7 end)' \
      -e 'v = cn.zeros(2) k(1, 1, {v}) print(v)']]))
    assert.has.match("ends\n> 2\n> \n$", run("echo 'y * 2' | " .. cuna .. "-e 'y = 1' -i"))
    local script = folder .. "/arguments.lua"
    process.write(script, "print(y, arg[0]:match '[^/]+$', arg[1], ...)")
    assert.equal("1\targuments.lua\ta\ta\tb\n", run(cuna .. "-e 'y = 1' " .. script .. " a b"))
    local text, status = process.capture(cuna .. "-e 'error \"boom\"'")
    assert.equal(1, status)
    assert.has.match("^cuna: %(command line%):1: boom\n", text)
    assert.has.match("^cuna %d+%.%d+%.%d+ on LuaJIT ", run(cuna .. "--version"))
    assert.has.match("\nok +cuna ", "\n" .. run("CUNA_DEVICE=cpu " .. cuna .. "doctor"))
    assert.has.match("^%.TH CUNA 1 ", process.read(root .. "/share/man/man1/cuna.1"))
  end)

  it("installs library/ for editors", function()
    assert.equal("", (process.shell("diff -r library " .. root .. "/share/cuna/library")))
  end)

  it("leaves nothing behind when it is taken away", function()
    finally(function() make "install" end)
    make "uninstall"
    assert.equal("", (process.shell("find " .. folder .. "/root ! -type d")))
  end)

  -- ---- the C interface ----

  local function flags()
    local asked = ("PKG_CONFIG_PATH=%s/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=%s/root pkg-config --cflags --libs cuna")
    local text = run(asked:format(root, folder)):gsub("\n", " ")
    return text .. "-Wl,-rpath," .. root .. "/lib" .. (process.is_sanitized and " -Wl,--allow-shlib-undefined" or "")
  end

  it("lets a program in C use cuna.h on each device, and read what went wrong", function()
    local program = folder .. "/c_interface"
    local compile = "cc -std=c11 -Wall -Wextra -Werror -pedantic examples/c_interface.c -o %s %s"
    local text, status = process.shell(compile:format(program, flags()))
    assert(status == 0, text)
    for _, device in ipairs(devices.names()) do
      local expected = "on %s\nx * x + 0.5 = [1.5 4.5; 9.5 16.5]\nx @ x = [7 10; 15 22]\n"
      local command = process.unleaking .. "CUNA_DEVICE=" .. device .. " " .. program
      assert.equal(expected:format(device:match "^%a+"), run(command))
    end
    text, status = process.capture(process.unleaking .. "CUNA_DEVICE=abacus " .. program)
    assert.equal(1, status)
    assert.has.match("^c_interface: +[^\n]*abacus[^\n]*\n$", text)
  end)

  it("exports from core.so what the installed headers declare, and the module", function()
    local headers = process.shell("cat " .. root .. "/include/cuna/*.h " .. root .. "/include/cuna/base/*.h")
    local names = {["export luaopen_cuna_core"] = true}
    for line in headers:gmatch "[^\n]+" do
      local name = not line:find "^typedef" and line:match "^%a[%w_ %*]-[ %*](cuna_%w[%w_]*)%("
      if name then names["export " .. name] = true end
    end
    assert.is_true(names["export cuna_array_create"] and names["export cuna_dtype_find"])
    for name in process.shell("nm -D --defined-only " .. root .. "/lib/libcuna.so"):gmatch " [TWBDR] ([^\n]+)" do
      if names["export " .. name] then names["export " .. name] = nil else names["hide " .. name] = true end
    end
    assert.same({}, names)
  end)
end)

it("make says what is missing before it compiles", function()
  local folder = process.folder()
  finally(function() process.remove(folder) end)
  local text, status = process.shell("make BUILD=" .. folder .. "/build CXX=no-such-compiler")
  assert.equal(2, status)
  assert.has.match("cuna's build needs, under their Debian names: g%+%+%. ", text)
  assert.equal("", (process.shell("find " .. folder .. " -name '*.o'")))
end)
