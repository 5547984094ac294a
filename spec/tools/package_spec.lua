--- What packages are made from: versions that agree, and a rock that installs, runs and goes away.
local cn = require "cuna"
local process = require "spec.support.process"

local function has(command) return select(2, process.shell("command -v " .. command)) == 0 end

--- What a rockspec says.
local function rock(path)
  local row = {}
  setfenv(assert(loadfile(path)), row)()
  return row
end

describe("the version", function()
  local version = cn._VERSION

  it("is semantic, and the changelog's newest", function()
    assert.has.match("^%d+%.%d+%.%d+$", version)
    assert.equal(version, process.read("CHANGELOG.md"):match "\n## %[(.-)%]")
  end)

  it("is the Debian package's", function()
    assert.equal(version, process.read("debian/changelog"):match "^cuna %((.-)%)")
  end)

  it("has a rockspec, which is that of the development version but for its source", function()
    local released, current = rock("package/cuna-" .. version .. "-1.rockspec"), rock "cuna-scm-1.rockspec"
    assert.same({version .. "-1", "v" .. version}, {released.version, released.source.tag})
    released.version, released.source.tag = current.version, nil
    assert.same(current, released)
  end)
end)

describe("luarocks make", function()
  it("installs the module and the command, which run; remove takes both away", function()
    if not has "luarocks" then return pending "luarocks is not installed" end
    if process.is_sanitized then return pending "the rock is built without sanitizers" end
    local folder = process.folder()
    finally(function() process.remove(folder) end)
    local luarocks = "luarocks --lua-version 5.1 --tree " .. folder
    -- CC as in the Makefile: what is built already stays.
    local text, status = process.shell(luarocks .. " make cuna-scm-1.rockspec CC=cc")
    assert(status == 0, text)
    local run = "cd / && export CUNA_DEVICE=cpu CUNA_CACHE_DIR=off; "
    assert.equal("[0 1 2]\n", (process.capture(run .. folder .. "/bin/cuna -e 'print(cn.arange(3))'")))
    local paths = "LUA_PATH='ROOT/share/lua/5.1/?.lua;ROOT/share/lua/5.1/?/init.lua' LUA_CPATH='ROOT/lib/lua/5.1/?.so' "
    local plain = [[luajit -e 'print(require("cuna").arange(3))']]
    assert.equal("[0 1 2]\n", (process.capture(run .. paths:gsub("ROOT", folder) .. plain)))
    text, status = process.shell(luarocks .. " remove cuna")
    assert(status == 0, text)
    assert.equal("", (process.shell("find " .. folder .. " -type f ! -name manifest*")))
  end)
end)

describe("make tar", function()
  it("makes an archive that runs where it is unpacked", function()
    if process.is_sanitized then return pending "the archive is made without sanitizers" end
    local folder = process.folder()
    -- With the parts that are built: nothing is compiled for other processors.
    local sets = process.shell "ls build/lib/cuna":match "libcuna_loops_(%w+)"
    local text, status = process.shell("make -s -o deps tar LANES=" .. sets)
    assert(status == 0, text)
    local path = text:match "([^\n]+%.tar%.gz)\n$"
    finally(function() process.shell("rm -rf build/tar " .. path .. "; rm -rf " .. folder) end)
    assert.has.match("/cuna%-%d+%.%d+%.%d+%-linux%-[%w_]+%-glibc%d%.%d+%.tar%.gz$", path)
    process.shell(("tar -C %s -xzf %s"):format(folder, path))
    local run = "cd / && CUNA_DEVICE=cpu CUNA_CACHE_DIR=off %s/cuna-*/bin/cuna -e 'print(cn.arange(3))'"
    assert.equal("[0 1 2]\n", (process.capture(run:format(folder))))
    local found = process.shell("cat " .. folder .. "/cuna-*/lib/pkgconfig/cuna.pc")
    assert.equal("${pcfiledir}/../..", found:match "^prefix=([^\n]*)")
  end)
end)
