--- Arrays in files: NumPy's .npy and .npz read and written, mapped, from pipes, and as raw bytes and text.
local bits = require "spec.support.bits"
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/files.lua"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
  "float64", "complex64", "complex128"}

local folder = process.folder()
local path = folder .. "/x.npy"

--- The array of a golden case; a file by columns is one of an array that lies so.
local function array_of(case)
  local x = bits.array(bits.from_hex(case.bytes), case.dtype):reshape(case.shape)
  return case.fortran and x.T:copy().T or x
end

local function check_case(case, x, note)
  assert.equal(case.dtype, x.dtype, note)
  assert.is_true(x:has_shape(case.shape), note)
  assert.equal(case.bytes, bits.to_hex(x:tobytes()), note)
  assert.equal(case.fortran, x.flags.f_contiguous and not x.flags.c_contiguous, note)
end

--- x in three layouts: row-major, with its axes in memory the other way round, and as every second element backwards.
local function layouts(x)
  local wide = cn.zeros({2 * x.size + 1}, x.dtype)
  local backward = wide[{{-2, 1, -2}}]:reshape(x.shape)
  backward[cn.ellipsis] = x
  return {x:copy(), x:transpose(2, 1, 3):copy():transpose(2, 1, 3), backward}
end

local function prepared(fn)
  return function()
    devices.prepare(fn, true)
    fn()
  end
end

teardown(function() process.remove(folder) end)

devices.each_device(function(device)
  describe(".npy files", function()
    it("are read as NumPy wrote them", function()
      for number, case in ipairs(golden.arrays) do
        local x = cn.load {text = bits.from_hex(case.npy)}
        assert.equal(device, x.device)
        check_case(case, x, "case " .. number)
      end
    end)

    it("are written byte for byte as NumPy writes them", function()
      for number, case in ipairs(golden.arrays) do
        if case.own then
          cn.save(path, array_of(case))
          assert.equal(case.npy, bits.to_hex(process.read(path)), "case " .. number)
        end
      end
    end)

    it("hold arrays of any layout", prepared(function(is_rehearsal)
      for _, dtype in ipairs {"int8", "float32", "complex128"} do
        for _, x in ipairs(layouts(cn.arange(24):reshape(2, 3, 4):astype(dtype))) do
          cn.save(path, x)
          assert.is_true(is_rehearsal or cn.load(path) == x)
        end
      end
      cn.save(path, cn.broadcast_to(cn.array {1, 2}, {3, 2}))
    end))

    it("hold large arrays of any layout", function()
      -- More than a file is reserved for on the host, more than a piece on a GPU (runtime/work/file.c, file_part.c).
      local rows, columns = 500, 900
      if cn.device().kind == "cpu" then rows, columns = 1200, 1700 end
      local x = cn.arange(3 * rows * columns):astype("int32"):reshape(3, rows, columns)
      for _, y in ipairs {x, x:transpose(3, 2, 1), x:transpose(2, 3, 1), x["::-1, ::2, 5:"]} do
        cn.save(path, y)
        assert.is_true(cn.load(path) == y)
      end
    end)

    it("are written from numbers and tables", function()
      cn.save(path, 7)
      assert.equal(7, cn.load(path):item())
      cn.save(path, {{1, 2}, {3, 4}})
      assert.same({{1, 2}, {3, 4}}, cn.load(path):totable())
    end)

    it("hold several arrays", function()
      local file = io.open(path, "wb")
      file:write("front")
      for k = 1, 3 do cn.save(file, cn.arange(k)) end
      file:close()
      file = io.open(path, "rb")
      assert.equal("front", file:read(5))
      for k = 1, 3 do assert.is_true(cn.load(file) == cn.arange(k)) end
      assert.is_nil(file:read(1))
      raises("load: 'handle': this is an empty file", function() cn.load(file) end)
      file:close()
    end)

    it("come from pipes", function()
      cn.save(path, cn.arange(3e6))
      local pipe = io.popen("cat " .. process.quote(path))
      assert.is_true(cn.load(pipe) == cn.arange(3e6))
      pipe:close()
      pipe = io.popen("head -c 100000 " .. process.quote(path))
      local said = "load: 'handle': an array of shape (3000000,) and dtype int64 has 24000000 bytes, and the file has "
      raises(said .. "99872 more", function() cn.load(pipe) end)
      pipe:close()
      cn.load "spec/golden/files/c.npy":tofile(path)
      assert.equal(48, #process.read(path))
    end)

    it("are mapped", function()
      local x = cn.arange(6, nil, nil, "float32"):reshape(2, 3)
      for _, y in ipairs {x, x.T, cn.array(3), cn.zeros(0)} do
        cn.save(path, y)
        local read, copy = cn.load(path, {mmap_mode = "r"}), cn.load(path, "c")
        assert.equal("cpu", read.device.kind)
        assert.is_true(read:to(device) == y and copy:to(device) == y)
        assert.is_false(read.flags.writeable)
        assert.is_true(copy.flags.writeable)
      end
    end)

    it("may be larger than memory", function()
      local length, file = 6e9, io.open(path, "wb")
      local lead = ("{'descr': '|i1', 'fortran_order': False, 'shape': (%d,), }"):format(length)
      file:write("\147NUMPY\1\0", string.char(#lead, 0), lead)
      file:seek("cur", length - 3) -- nothing is stored of what was never written
      file:write("\1\2\3")
      file:close()
      local x = cn.load(path, "r")
      assert.equal(length, x.size)
      assert.same({0, 1, 2, 3}, x["-4:"]:totable())
      assert.same({2, 3}, cn.fromfile(path, {dtype = "int8", offset = 10 + #lead + length - 2}):totable())
      file = io.open(path, "rb")
      file:seek("set", 10 + #lead)
      assert.same({0}, cn.fromfile(file, {dtype = "int8", count = 1, offset = 4294967296}):totable())
      assert.equal(10 + #lead + 4294967297, file:seek())
      file:close()
      cn.save("/dev/null", x)
      x:free()
      os.remove(path)
    end)

    it("are written by maps that may", function()
      cn.save(path, {1, 2, 3})
      local read, copy, shared = cn.load(path, "r"), cn.load(path, "c"), cn.load(path, "r+")
      copy:fill(5)
      shared:mul_(10)
      assert.same({10, 20, 30}, read:totable())
      assert.same({10, 20, 30}, cn.load(path):totable())
      assert.same({5, 5, 5}, copy:totable())
      local rest = read["2:"]
      read:free()
      collectgarbage()
      assert.same({20, 30}, rest:totable())
      raises("fill: the array of shape (2,) is read-only memory of another owner; write to a copy",
        function() rest:fill(1) end)
      raises("assignment: the array of shape (2,) is read-only memory", function() rest[1] = 1 end)
      raises("add: ", function() rest:add_(1) end)
      raises("put: ", function() rest:put(1, 5) end)
      raises("sort_: ", function() rest:sort_() end)
      raises("concatenate: the array of shape (2,) is read-only memory of another owner", function()
        cn.concatenate({copy["1:1"], copy["2:2"]}, {out = rest})
      end)
      assert.same({30, 40}, (rest + 10):totable())
    end)
  end)

  describe(".npz files", function()
    it("are read as others wrote them", function()
      for _, case in ipairs(golden.archives) do
        local npz = cn.load {text = bits.from_hex(case.npz)}
        local names = npz:names()
        table.sort(names)
        assert.same({"arr_0", "y"}, names, case.note)
        assert.is_true(npz.arr_0 == cn.arange(12, nil, nil, "int16"):reshape(3, 4) and npz.arr_0.dtype == "int16")
        assert.equal(1, npz.y[300])
        assert.is_true(npz:has "y" and not npz:has "x")
      end
      local npz = cn.load {text = bits.from_hex(golden.zip64)}
      assert.is_true(npz.arr_0 == cn.arange(12):reshape(3, 4))
    end)

    it("are written and read", function()
      for _, save in ipairs {cn.savez, cn.savez_compressed} do
        local x = cn.arange(10000):reshape(100, 100)
        save(folder .. "/y", x, {1, 2}, {x = x.T, ["a/b c"] = x["::2"], names = 5, ["\195\164"] = true})
        local npz = cn.load(folder .. "/y.npz")
        assert.same({"arr_0", "arr_1", "a/b c", "names", "x", "\195\164"}, npz:names())
        assert.is_true(npz.arr_0 == x and npz.x == x.T and npz["a/b c"] == x["::2"])
        assert.same({1, 2}, npz.arr_1:totable())
        assert.equal(5, npz:read("names"):item())
        assert.equal(true, npz["\195\164"]:item())
        local seen = 0
        for name, y in npz:iter() do
          seen = seen + 1
          assert.is_true(y == npz:read(name))
        end
        assert.equal(6, seen)
        assert.equal(("'%s/y.npz' with arr_0, arr_1, a/b c, names, x, \195\164"):format(folder), tostring(npz))
        npz:close()
        npz:close()
        raises(("load: '%s/y.npz': the file is closed"):format(folder), function() local _ = npz.x end)
      end
      cn.savez(folder .. "/y.npz")
      assert.same({}, cn.load(folder .. "/y.npz"):names())
    end)

    it("of one dtype and one shape are equal bytes", function()
      cn.savez(path .. ".npz", {b = cn.ones(3), a = cn.zeros(2)})
      local first = process.read(path .. ".npz")
      cn.savez(path .. ".npz", {a = cn.zeros(2), b = cn.ones(3)})
      assert.equal(first, process.read(path .. ".npz"))
    end)
  end)

  describe("raw bytes", function()
    it("come back", function()
      for _, dtype in ipairs(DTYPES) do
        local x = cn.array({{1, 0, 1}, {0, 1, 1}}, dtype)
        x.T:tofile(path)
        assert.equal(x.T:copy():tobytes(), process.read(path))
        assert.is_true(cn.fromfile(path, dtype) == x.T:reshape(-1))
      end
      cn.arange(10):astype("bfloat16"):tofile(path)
      assert.is_true(cn.fromfile(path, "bfloat16") == cn.arange(10))
    end)

    it("are counted and skipped", function()
      cn.arange(10):astype("int16"):tofile(path)
      assert.same({2, 3}, cn.fromfile(path, "int16", 2, "", 4):totable())
      assert.same({8, 9}, cn.fromfile(path, {dtype = "int16", count = 5, offset = 16}):totable())
      assert.same({}, cn.fromfile(path, {dtype = "int16", offset = 20}):totable())
      assert.same({0}, cn.fromfile(path, {dtype = "uint8", count = 1}):totable())
      local file = io.open(path, "rb")
      assert.same({0, 1}, cn.fromfile(file, "int16", 2):totable())
      assert.same({4, 5, 6, 7, 8, 9}, cn.fromfile(file, {dtype = "int16", offset = 4}):totable())
      file:close()
      local pipe = io.popen("cat " .. process.quote(path))
      assert.same({1, 2, 3}, cn.fromfile(pipe, {dtype = "int16", count = 3, offset = 2}):totable())
      assert.same({4, 5, 6, 7, 8, 9}, cn.fromfile(pipe, {dtype = "int16"}):totable())
      pipe:close()
      assert.equal(5, cn.fromfile("/dev/zero", {dtype = "int32", count = 5}).size)
    end)
  end)

  describe("text", function()
    it("comes back", function()
      for _, dtype in ipairs(DTYPES) do
        local x = cn.array({{1, 0, 1}, {0, 1, 1}}, dtype)
        for _, sep in ipairs {" ", ",", ", ", "\n", ";;", " - "} do
          x.T:tofile(path, sep)
          assert.is_true(cn.fromfile(path, dtype, -1, sep) == x.T:reshape(-1))
        end
      end
    end)

    it("is read as NumPy reads it", function()
      local function numbers(text, sep, dtype) return cn.fromfile({text = text}, dtype, -1, sep):totable() end
      assert.same({1, 2.5, -3}, numbers("1 2.5\n\t-3\n", " "))
      assert.same({1, 2, 3}, numbers(" 1 ,2,\n3 ", ","))
      assert.same({1, 2}, numbers("1,2,", ","))
      assert.same({}, numbers("  \n", ","))
      assert.same({}, numbers("", " "))
      assert.same({1, 2, 3}, numbers("1 a  b 2 ab 3", " a b "))
      assert.same({9007199254740993LL}, numbers("9007199254740993", ",", "int64"))
      assert.same({true, false, true}, numbers("True,0,1", ",", "bool"))
      assert.equal("1-2i", tostring(numbers("1-2j 3", " ", "complex128")[1]))
      assert.same({1, 2}, cn.fromfile({text = "1,2,x"}, {count = 2, sep = ","}):totable())
      assert.equal(math.huge, numbers("inf nan", " ")[1])
    end)

    it("is written as NumPy writes it", function()
      local function text(x, ...)
        x:tofile(path, ...)
        return process.read(path)
      end
      assert.equal("0.1, 2.0, 1e-05", text(cn.array {0.1, 2, 1e-5}, ", "))
      assert.equal("0;1;2", text(cn.arange(3), ";"))
      assert.equal("1.50|2.00", text(cn.array {1.5, 2}, {sep = "|", format = "%.2f"}))
      assert.equal("True False", text(cn.array {true, false}, " "))
      assert.equal("(1+2j),(3+0j)", text(cn.array {cn.complex(1, 2), 3}, ","):gsub("%.0", ""), nil)
      assert.equal("", text(cn.zeros(0), ","))
    end)
  end)

  describe("a file that is written", function()
    it("appears whole or not at all", function()
      process.write(path, "before")
      raises("tofile: ", function() cn.array {1.5}:tofile(path, {sep = ",", format = "%d"}) end)
      assert.equal("before", process.read(path))
      raises("save: cannot write '" .. folder .. "/no/x.npy", function() cn.save(folder .. "/no/x.npy", cn.ones(2)) end)
      os.execute(("ln -sf x.npy %s/link.npy; chmod 600 %s"):format(folder, path))
      cn.save(folder .. "/link.npy", cn.ones(2))
      assert.is_true(cn.load(path) == cn.ones(2))
      assert.equal("600\n", (process.shell("stat -c %a " .. path)))
      assert.equal("", (process.shell("ls " .. folder .. " | grep tmp")))
      raises("save: 'handle': cannot write the file", function()
        local full = io.open("/dev/full", "wb")
        cn.save(full, cn.ones(1e6))
      end)
    end)

    it("stays as it was where the new one finds no room", function()
      for _, call in ipairs {
        "cn.save(path, x)", "cn.savez(path, {x = x})", "cn.savez_compressed(path, {x = x})", "cn.savetxt(path, x)",
        "x:tofile(path)", "x:tofile(path, ' ')",
        "cn.profiler.trace(path, function() for _ = 1, 500 do cn.zeros(3) end end)",
      } do
        process.write(path, "before")
        local script = folder .. "/script.lua"
        process.write(script, ([[
          local ffi = require "ffi"
          ffi.cdef "void *signal(int number, void *handler);"
          ffi.C.signal(25, ffi.cast("void *", 1)) -- SIGXFSZ: writing past the limit fails, and does not end the process
          local cn = require "cuna"
          local path = %q
          local numbers = {}
          for k = 1, 20000 do numbers[k] = math.random() end
          local x = cn.array(numbers)
          local ok, message = pcall(function() return CALL end)
          assert(not ok and message:find "cannot write" and message:find "File too large", message)]])
          :format(path):gsub("CALL", call))
        local command = process.command(script, {CUNA_DEVICE = device.name})
        local text, status = process.capture("ulimit -f 8; " .. command)
        assert.equal(0, status, call .. ": " .. text)
        assert.equal("before", process.read(path), call)
        assert.equal("", (process.shell("ls " .. folder .. " | grep tmp")))
      end
    end)

    it("is none in a rehearsal", function()
      process.write(path, "before")
      cn.prepare(function() cn.save(path, cn.ones({3, 4}).T["::2"]) end)
      assert.equal("before", process.read(path))
    end)

    it("waits for the device", function()
      local x = cn.ones(3)
      for _, name in ipairs {"save", "savez", "savez_compressed", "tofile"} do
        raises(name .. ": waits for the device, and cn.no_sync forbids that", function()
          cn.no_sync(function()
            if name == "tofile" then x:tofile(path) else cn[name](path, x) end
          end)
        end)
      end
      cn.save(path, x)
      assert.is_true(cn.no_sync(cn.load, path) == x)
    end)
  end)
end)

describe("NumPy", function()
  it("reads what is written here, where there is one", function()
    local python = "/usr/bin/env -u LD_PRELOAD /usr/bin/python3"
    if os.execute(python .. " -c 'import numpy' 2>/dev/null") ~= 0 then return end
    local x = cn.arange(1000):reshape(10, 100)
    cn.savez(folder .. "/a", {x = x, y = x.T, ["\195\164"] = cn.ones(2)})
    cn.savez_compressed(folder .. "/b", {x = x, y = x.T, ["\195\164"] = cn.ones(2)})
    process.write(folder .. "/check.py", [[
import sys, zipfile, numpy as np
for path in sys.argv[1:]:
    with np.load(path) as npz:
        x = np.arange(1000).reshape(10, 100)
        assert sorted(npz.files) == ["x", "y", "\u00e4"], npz.files
        assert (npz["x"] == x).all() and (npz["y"] == x.T).all() and (npz["\u00e4"] == 1).all()
    assert zipfile.ZipFile(path).testzip() is None
print("good")]])
    local text = process.shell(("%s %s/check.py %s/a.npz %s/b.npz"):format(python, folder, folder, folder))
    assert.equal("good\n", text)
  end)
end)

describe("zip archives", function()
  local core, zip = require "cuna.core", require "cuna.io.zip"

  it("have fields of 64 bits for large members, and for many", function()
    local file = core.file_create(path, "save")
    local member = zip.write_member(file, "large", 5e9, true, function() file:write(("x"):rep(1000)) end)
    local members = {}
    for k = 1, 66000 do members[k] = member end
    zip.write_directory(file, members)
    file:commit()
    file = core.file_open(path, "load")
    members = zip.read_directory(file)
    assert.equal(66000, #members)
    zip.begin_member(file, members[66000])
    assert.equal(("x"):rep(1000), file:read(1000))
    zip.end_member(file, members[66000])
    file:close()
  end)
end)
