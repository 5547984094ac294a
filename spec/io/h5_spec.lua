-- HDF5 files: h5py's are read, every kind of element is written and read back, parts are what keys of arrays select.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local EVERY, TREE = "spec/golden/files/every.h5", "spec/golden/files/tree.h5"
local NUMBERS = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"

local folder = process.folder()
local path = folder .. "/x.h5"
teardown(function() process.remove(folder) end)

--- A file in memory.
local function new() return cn.h5.open("memory", "w", "core") end

devices.each_device(function(device)
  describe("h5", function()
    it("reads what h5py wrote", function()
      local f = cn.h5.open(EVERY)
      for dtype in NUMBERS:gmatch "%S+" do
        local x = f:read(dtype)
        assert.equal(dtype, x.dtype)
        assert.equal(device, x.device)
        assert.is_true(cn.array_equal(cn.array({{0, 1}, {2, 3}}, nil, device):astype(dtype), x), dtype)
      end
      assert.equal("int32", f.big_endian.dtype)
      assert.array_equal(f:read "big_endian", {1, 2})
      assert.same({"ab", "c"}, f:read "fixed")
      assert.same({{"a", "b"}, {"c", "d"}}, f:read "grid")
      assert.equal(2.5, f:read("scalar"):item())
      assert.has_shape(f:read "empty", 0, 3)
      assert.array_equal(f:read "kinds", {2, 1})
    end)

    it("reads attributes", function()
      local all = cn.h5.open(EVERY):attributes()
      assert.same({true, 1.5, "é", "abc", {"a", "bc"}}, {all.flag, all.number, all.text, all.bytes, all.list})
      assert.array_equal(all.array, {0, 1, 2})
      assert.equal("1+2i", tostring(all.z))
      local f = cn.h5.open(TREE)
      assert.equal(2, f.attrs.version)
      assert.is_nil(f.attrs.other)
      assert.equal("m", f["runs/x"].attrs.unit)
    end)

    it("walks through groups", function()
      local f = cn.h5.open(TREE)
      assert.same({"names", "runs", "title"}, f:keys())
      assert.is_true(f:has "runs/x" and f:has "/" and not f:has "runs/y" and not f:has "no/x")
      local x = f.runs.x
      assert.same({"/runs/x", "int64", 2, 6}, {x.name, x.dtype, x.ndim, x.size})
      assert.same({{2, 3}, {2, 3}, {2, 3}}, {x.shape, x.chunks, x.maxshape})
      assert.equal("/runs/x", f.runs:get("/runs/x").name)
      local seen = {}
      for name, object in f:iter() do seen[#seen + 1] = name .. object.name end
      assert.same({"names/names", "runs/runs", "title/title"}, seen)
      assert.same({"Bern", "Zürich"}, f:read "names")
      assert.equal("Zürich", f.names[2])
      assert.equal("dataset '/runs/x': shape (2, 3), int64", tostring(x))
      assert.equal("group '/runs' of '" .. TREE .. "': x", tostring(f.runs))
    end)

    it("reads parts as arrays have them", function()
      local expected = cn.arange(60, nil, nil, "int64", device):reshape(3, 4, 5)
      local d = new():write("x", expected, {chunks = {1, 2, 5}})
      for _, key in ipairs {1, -1, "2", "2, 3", "1, 2, 3", "::2", "::-1", "2:3, ::-2, 4", ":, 2", "3:2", "..., 1",
        "1, ..., -1", "newaxis, 2", "2, 2, ...", {2}, {{2, 3}}, {{}, 2, {5, 1, -2}}, {3, 4, 5}, {1, 1, 1},
        {{3, 1, -1}, {4, 1, -3}, {2, 4}}, {cn.ellipsis, 2}, {{2, 2}, cn.newaxis, {1, 4, 3}},
        {{1, 3, 2}, {1, 1}, {5}}} do
        local want, got = expected[key], d:read(key)
        local text = type(key) == "table" and "a table" or tostring(key)
        if cn.is_array(want) then
          assert.is_true(got.shape == want.shape and cn.array_equal(want, got), text)
        else
          assert.equal(want, got, text)
        end
      end
      assert.array_equal(d[{1, {2, 3}, 4}], {8, 13})
    end)

    it("writes every kind of element, and parts", function()
      local f = new()
      for dtype in (NUMBERS .. " bfloat16"):gmatch "%S+" do
        local x = cn.array({{0, 1}, {1, 0}}, nil, device):astype(dtype)
        f[dtype] = x.T
        assert.equal(dtype, f[dtype].dtype)
        assert.is_true(cn.array_equal(x, f:read(dtype)), dtype)
      end
      f.text, f.list, f.number = "é", {"a", "", "ccc"}, 2.5
      assert.same({"é", {"a", "", "ccc"}}, {f:read "text", f:read "list"})
      assert.equal(2.5, f:read("number"):item())
      local d = f:write("part", cn.zeros({3, 4}, "float32", device))
      d[2] = cn.arange(4)
      d["::-2, 4"] = {7, 8}
      d[{1, {1, 2}}] = 5
      d[{3, 1}] = 6
      assert.array_equal(d:read(), {{5, 5, 0, 8}, {0, 1, 2, 3}, {6, 0, 0, 7}})
      f.list[2] = "new"
      f.list["1:2"] = {"x", "y"}
      assert.same({"x", "y", "ccc"}, f:read "list")
      d:write(1)
      assert.array_equal(d[{1}], {1, 1, 1, 1})
      assert.has_shape(f:write("none", cn.zeros({0, 2}, nil, device)):read(), 0, 2)
    end)

    it("sets attributes", function()
      local f = new()
      local values = {n = 3, x = 0.5, t = "text", ok = false, list = {"a", "b"}}
      for name, value in pairs(values) do f.attrs[name] = value end
      assert.same(values, f:attributes())
      f.attrs.n, f.attrs.x = "other", nil
      assert.equal("other", f.attrs.n)
      assert.is_nil(f.attrs.x)
      f:write("d", {1, 2}).attrs.scale = cn.array({1, 2}, "int32", device)
      assert.equal("int32", f.d.attrs.scale.dtype)
      assert.array_equal(f.d.attrs.scale, {1, 2})
    end)
  end)
end)

describe("h5 files", function()
  it("have chunks, compression and lengths that grow", function()
    local f = cn.h5.open(path, "w")
    local x = cn.arange(100000):reshape(100, 1000)
    f:write("packed", x, {compression = 9, shuffle = true})
    f:write("plain", x)
    local d = f:write("grows", cn.ones({2, 3}), {maxshape = {cn.inf, 3}, chunks = {4, 3}})
    assert.same({{math.huge, 3}, {4, 3}}, {d.maxshape, d.chunks})
    d:resize {3, 3}
    d[3] = 5
    assert.array_equal(d:read(), {{1, 1, 1}, {1, 1, 1}, {5, 5, 5}})
    assert.is_nil(f.plain.chunks)
    f:write("long", cn.zeros(1e6), {chunks = true})
    assert.is_true(f.long.chunks[1] * 8 <= 2 ^ 20)
    f:flush()
    f:close()
    assert.is_true(cn.array_equal(x, cn.h5.open(path):read "packed"))
  end)

  it("that a process has locked for a moment are waited for", function()
    local f = cn.h5.open(path, "w")
    f:write("x", cn.ones(2))
    f:close()
    local function lock(seconds)
      local locked = io.popen(("flock -x '%s' sh -c 'echo locked; sleep %s'"):format(path, seconds))
      assert.equal("locked", locked:read "*l")
      return locked
    end
    local locked = lock(0.1)
    f = cn.h5.open(path)
    assert.array_equal(f:read "x", {1, 1})
    f:close()
    locked:close()
    locked = lock(1)
    raises(("h5.open: '%s': unable to open file: unable to lock file"):format(path), function() cn.h5.open(path) end)
    locked:close()
  end)

  it("are unlocked when they are closed, whatever runs that was started meanwhile", function()
    local f = cn.h5.open(path, "w")
    local again = cn.h5.open(path, "r+")
    local child = io.popen("sleep 3; echo done") -- which has the descriptor, and the lock with it
    again:close()
    f.x = 1
    f:close()
    local other = process.run(([[
      local f = require("cuna").h5.open("%s", "w")
      f.x = 2
      f:close()
    ]]):format(path))
    assert.equal("", other)
    assert.equal(2, cn.h5.open(path).x:read():item())
    cn.h5.open(path, "w"):close()
    assert.equal("done", child:read "*l")
    child:close()
  end)

  it("are opened in modes", function()
    os.remove(path)
    local function write() cn.h5.open(path, "a"):write("x", 1) end
    write()
    collectgarbage()
    collectgarbage()
    local f = cn.h5.open(path, "a")
    f.y = 2
    f:create_group "a/b"
    f["a/b/z"] = 3
    f:delete "x"
    assert.same({"a", "y"}, f:keys())
    f:close()
    f = cn.h5.open(path, "r+")
    assert.equal(3, f.a.b.z:read():item())
    f:close()
    raises("h5.open: '" .. path .. "': unable to create file", function() return (cn.h5.open(path, "x")) end)
    local function list() return cn.h5.open(path, "w"):keys() end
    assert.same({}, list())
    assert.same({}, list()) -- the first one is closed: nothing refers to it
    collectgarbage()
    collectgarbage()
  end)

  it("are not written in cn.prepare", function()
    os.remove(path)
    cn.prepare(function()
      local f = cn.h5.open(path, "a")
      f.x = cn.ones(3)
      f:close()
    end)
    assert.is_nil((io.open(path)))
    raises("h5: '" .. TREE .. "': '/runs/x': waits for the device", function()
      cn.no_sync(function() return cn.h5.open(TREE):read "runs/x" end)
    end)
  end)

  it("are read by h5py", function()
    local _, status = process.shell "python3 -c 'import h5py'"
    if status ~= 0 then return pending "python3 has no h5py" end
    local f = cn.h5.open(path, "w")
    f.b, f.z, f.h = cn.array {true, false}, cn.array({1}, "complex64"), cn.array({1.5}, "float16")
    f.s, f.t = "é", {"a", "b"}
    f.attrs.n = 3
    f:close()
    local text = process.shell("python3 spec/golden/h5.py check " .. path)
    for _, line in ipairs {"/ @ n int64 3", "b bool (2,) [True, False]", "h float16 (1,) [1.5]", "s object () é",
      "t object (2,) ['a', 'b']", "z complex64 (1,) [(1+0j)]"} do
      assert.is_truthy(text:find(line, 1, true), text)
    end
  end)
end)

describe("h5 refuses", function()
  local f = cn.h5.open(EVERY)
  local label = "h5: '" .. EVERY .. "': "

  it("elements that cuna lacks, by their kind", function()
    raises(label .. "'/struct': its elements are structures of id, value", function() return (f:read "struct") end)
    raises(label .. "'/lists': its elements are lists of varying lengths", function() return (f:read "lists") end)
    raises(label .. "'/null': it is empty, without a shape", function() return (f:read "null") end)
  end)

  it("names and keys that are none", function()
    raises(label .. "'/' has no object 'flaot16'; did you mean 'float16'?", function() return (f.flaot16) end)
    raises(label .. "'/' has no object 'a/b'", function() return (f:get "a/b") end)
    raises(label .. "'/': the name of an object is a string, got 1", function() return (f[1]) end)
    raises(label .. "'/int8': parts are numbers and ranges", function() return (f.int8[cn.array {1}]) end)
    raises("index 3 is out of range for axis 1, which has length 2", function() return (f.int8[3]) end)
    raises("keys: a function of a group is called with a colon: group:keys()", function() f.keys() end)
    raises("read: a function of a dataset is called with a colon: dataset:read()", function() f.int8.read(f) end)
    raises("h5 has no function 'opne'; did you mean 'open'?", function() return (cn.h5.opne) end)
  end)

  it("writing where it cannot", function()
    raises(label .. "'/': the file is open for reading; open it with mode \"r+\"", function() f.x = 1 end)
    raises(label .. "'/int8': the file is open for reading", function() f.int8[1] = 1 end)
    raises(label .. "'/': the file is open for reading", function() f.attrs.x = 1 end)
    local made = new()
    made.x = cn.zeros(3)
    raises("h5: 'memory': '/' has 'x' already; delete it", function() made.x = 1 end)
    raises("h5: 'memory': '/s': entry 2 is not a string", function() made.s = {"a", 1} end)
    raises("h5: 'memory': '/y': chunks has 1 lengths for 2 axes",
      function() made:write("y", {{1}}, {chunks = {1}}) end)
    raises("h5: 'memory': '/y': compression is \"gzip\" or its level", function()
      made:write("y", {1}, {compression = "lzf"})
    end)
    raises("h5: 'memory': '/y': a scalar has no chunks", function() made:write("y", 1, {compression = "gzip"}) end)
    raises("h5: 'memory': '/y': maxshape: length 1 is a whole number from 2 on", function()
      made:write("y", {1, 2}, {maxshape = 1})
    end)
    raises("h5: 'memory': '/y': maxshape has 1 lengths for 2 axes",
      function() made:write("y", {{1}}, {maxshape = 1}) end)
    raises("h5: write: unknown option 'chunk'", function() made:write("y", 1, {chunk = 1}) end)
    raises("broadcast_to: ", function() made.x[{{1, 2}}] = cn.ones(3) end)
    made:close()
    raises("h5: 'memory': the file is closed", function() return (made:keys()) end)
  end)

  it("files that are none", function()
    raises("h5.open: '" .. folder .. "/no': unable to open file: name = '" .. folder .. "/no', errno = 2",
      function() return (cn.h5.open(folder .. "/no")) end)
    process.write(path, "no HDF5")
    raises("h5.open: '" .. path .. "': unable to open file: file signature not found",
      function() return (cn.h5.open(path)) end)
    raises("h5.open: mode is", function() return (cn.h5.open(path, "rw")) end)
    raises("h5.open: driver is", function() return (cn.h5.open(path, "r", "mpio")) end)
    raises("h5.open: expected a path, got nil", function() return (cn.h5.open()) end)
  end)

  it("to work without its library, which it names", function()
    local script = folder .. "/missing.lua"
    process.write(script, [[
      local cn = require "cuna"
      require("cuna.io.h5.library").libraries = {"libno_such_hdf5.so"}
      print(pcall(cn.h5.open, "x"))
    ]])
    local text = process.capture(process.launcher .. " " .. script)
    assert.is_truthy(text:find("h5: needs HDF5, whose library is not found (libno_such_hdf5.so); Debian's package is "
      .. "libhdf5-103-1", 1, true), text)
  end)
end)
