local process = require "spec.support.process"

describe("make install", function()
  it("puts the module where a plain luajit finds it, and uninstall takes it away", function()
    local folder = process.folder()
    local function make(target)
      local build = os.getenv("CUNA_BUILD") or "build"
      local command = ("make -o all -o deps %s BUILD=%s PREFIX=%s/usr DESTDIR=%s/root")
      local text, status = process.shell(command:format(target, build, folder, folder))
      assert(status == 0, text)
    end
    make "install"
    process.write(folder .. "/script.lua", [[
      local cn = require "cuna"
      print(cn.sin(cn.zeros(3)) + 1, package.loaded["cuna.array"] ~= nil, (cn.help("x:item", true):match "^[^\n]*"))]])
    local installed = folder .. "/root" .. folder .. "/usr"
    local paths = "LUA_PATH='ROOT/share/lua/5.1/?.lua;ROOT/share/lua/5.1/?/init.lua' LUA_CPATH='ROOT/lib/lua/5.1/?.so' "
    paths = paths:gsub("ROOT", installed)
    local text, status = process.capture("cd / && CUNA_CACHE_DIR=off " .. paths .. "luajit " .. folder .. "/script.lua")
    assert.same({ "[1. 1. 1.]\ttrue\tx:item()\n", 0 }, { text, status })
    make "uninstall"
    assert.equal("", (process.shell("find " .. folder .. "/root -type f")))
    process.remove(folder)
  end)
end)
