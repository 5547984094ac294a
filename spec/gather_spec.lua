--- x[key] and x[key] = value where keys hold arrays: NumPy's results for every layout and dtype. What is refused, and
--- where it is reported, is in gather_error_spec.lua.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local golden = dofile("spec/golden/gather.lua")
local process = require "spec.support.process"

local it = devices.rehearsed_it()

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}

--- 0, 1, 2, ... in a shape.
local function counting(...)
  local shape, size = {...}, 1
  for _, length in ipairs(shape) do size = size * length end
  return cn.arange(size):reshape(shape)
end

local function flat(x) return x:reshape(-1):totable() end

local function as_is(x) return x end

--- The same elements every other place of a larger array, backwards along the first axis.
local function strided(x)
  if x.ndim == 0 then return x end
  local shape = x.shape
  shape[1], shape[#shape + 1] = 2 * shape[1], 2
  local room = cn.zeros(shape, x.dtype)["::-2, ..., 1"]
  room["..."] = x
  return room
end

--- The key of a golden case; `change` makes each of its arrays another one with the same elements.
local function key_of(case, change)
  local key = {}
  for k, entry in ipairs(case.key) do
    if type(entry) == "table" then
      key[k] = entry.range or change(cn.array(entry.values, entry.dtype):reshape(entry.shape))
    else
      key[k] = entry == "ellipsis" and cn.ellipsis or entry == "newaxis" and cn.newaxis or entry
    end
  end
  return key
end

--- Every eighth case runs on arrays that lie strided, the others as they are: each layout is a kernel to compile.
local function layout_of(number) return number % 8 == 0 and strided or as_is end

local function read(number, case)
  local change = layout_of(number)
  local x = change(counting(unpack(case.shape)))
  return x[key_of(case, change)], x
end

local function assigned(number, case)
  local change = layout_of(number)
  local x = change(counting(unpack(case.shape)))
  x[key_of(case, change)] = case.value and change(counting(unpack(case.value)) + 100) or 100
  return x
end

--- Compiles ahead what some cases need. In a rehearsal masks hold anywhere, so some keys do not broadcast.
local function rehearse(cases, call)
  devices.prepare(function()
    for number, case in ipairs(cases) do pcall(call, number, case) end
  end)
end

--- Ten elements of a dtype, no two neighbours alike.
local function ten(dtype)
  local x = cn.arange(10)
  if dtype == "bool" then return x:mod(2):eq(1) end
  if dtype:find "complex" then return (x * cn.scalar(cn.complex(1, -2), dtype)):astype(dtype) end
  return (x * 3):astype(dtype)
end

--- The bytes of some elements (from 1) of a 1-d array, one after the other.
local function bytes_at(x, places)
  local all, size, parts = x:tobytes(), x.itemsize, {}
  for k, place in ipairs(places) do parts[k] = all:sub((place - 1) * size + 1, place * size) end
  return table.concat(parts)
end

devices.each_device(function(device)
  describe("x[key] with arrays", function()
    it("agrees with NumPy", function()
      rehearse(golden.reading, read)
      for number, case in ipairs(golden.reading) do
        local y, x = read(number, case)
        assert.is_true(y:has_shape(case.result), number)
        assert.same(case.values, flat(y), number)
        assert.equal(x.dtype, y.dtype)
        assert.is_false(y:shares_memory(x))
      end
    end)

    it("takes axes at the end that a table leaves out whole, reading and writing", function()
      local i, rows = cn.array {2, 1}, cn.array {false, true}
      local mask = cn.array {{true, false, false}, {false, true, true}}
      for _, key in ipairs {{i}, {rows}, {mask}, {1, cn.array {3, 1}}, {{1, 2}, i}, {cn.newaxis, i}, {i, {2, 3}}} do
        local x, y, whole = counting(2, 3, 4), counting(2, 3, 4), {unpack(key)}
        whole[#whole + 1] = cn.ellipsis
        assert.is_true(x[key].shape == x[whole].shape)
        assert.same(flat(x[whole]), flat(x[key]))
        x[key], y[whole] = -1, -1
        assert.same(flat(y), flat(x))
        x:add_at(key, x[whole] * 0 + 5)
        y:add_at(whole, 5)
        assert.same(flat(y), flat(x))
      end
      local x = counting(2, 3)
      x:add_at({2}, 10):add_at({{1, 2}}, 1)
      assert.same({1, 2, 3, 14, 15, 16}, flat(x))
    end)

    it("has the array's dtype and its bits", function()
      local places, mask = {10, 1, 3, 3, 2, 7}, cn.arange(10):mod(3):eq(0)
      local keys = {cn.array(places, "int64"), mask, cn.arange(10):ge(0), cn.zeros(10, "bool")}
      local named = {places, {1, 4, 7, 10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {}}
      devices.prepare(function()
        for _, dtype in ipairs(DTYPES) do
          for k = 1, 2 do local _ = cn.zeros(10, dtype)[keys[k]] end
        end
      end)
      for _, dtype in ipairs(DTYPES) do
        local x = ten(dtype)
        for k, key in ipairs(keys) do
          local y = x[key]
          assert.equal(dtype, y.dtype)
          assert.equal(bytes_at(x, named[k]), y:tobytes(), dtype)
        end
      end
    end)

    it("takes positions of any real dtype where they are whole", function()
      local x = cn.arange(300)
      for _, dtype in ipairs(DTYPES) do
        if dtype ~= "bool" and not dtype:find "complex" then
          assert.same({0, 126}, x[cn.array({1, 127}, dtype)]:totable(), dtype)
          if not dtype:find "^u" then assert.same({299, 172}, x[cn.array({-1, -128}, dtype)]:totable(), dtype) end
        end
      end
      assert.same({299, 0}, x[cn.array {300, -300}]:totable())
    end)

    it("reads index arrays that are views", function()
      local x, i = cn.arange(10) * 10, cn.array({1, 2, 3, 4, 5, 6}, "int32")
      assert.same({50, 30, 10}, x[i["::-2"]]:totable())
      assert.same({{20, 20}, {20, 20}}, x[cn.broadcast_to(i["3"], {2, 2})]:totable())
      assert.same({{0, 30}, {10, 40}, {20, 50}}, x[i:reshape(2, 3).T]:totable())
      local m = cn.zeros({10, 2}, "bool")
      m["2:4, 1"] = true
      assert.same({10, 20, 30}, x[m["..., 1"]]:totable())
      assert.same({60, 70, 80}, x[m["::-1, 1"]]:totable())
      assert.equal(10, x[cn.broadcast_to(cn.array(true), {10})].size)
      assert.same({{0, 5}, {2, 7}}, counting(2, 5)[{{}, cn.array {1, 3}}].T:totable())
    end)

    it("reads strided, transposed, reversed and broadcast arrays", function()
      local x, i = counting(4, 5), cn.array {2, -1}
      assert.same({{1, 6, 11, 16}, {4, 9, 14, 19}}, x.T[i]:totable())
      assert.same({10, 0}, flat(x["::-1"][{i, 1}]))
      assert.same({13, 3}, flat(x["::-1, ::-1"][{i, i * 0 + 2}]))
      assert.same({2, 4}, cn.broadcast_to(cn.arange(5), {3, 5})[{i, cn.array {3, 5}}]:totable())
      local view = x["::-1, ::-2"]
      assert.same({19, 17, 15, 14, 12}, view[view:gt(11)]:totable())
    end)

    it("takes one position from each pair of arrays, and beside them numbers and ranges", function()
      local x, i = counting(3, 4), cn.array {1, 3}
      assert.same({0, 10}, x[{i, i}]:totable())
      assert.same({{0, 2}, {8, 10}}, x[{i:reshape(2, 1), i}]:totable())
      assert.same({4, 6}, x[{2, i}]:totable())
      assert.same({4, 6}, x[{2LL, i}]:totable())
      assert.same({{2, 0}, {6, 4}, {10, 8}}, x[{{}, i["::-1"]}]:totable())
      assert.same({0, 1, 2, 3}, x[cn.array(1)]:totable())
      assert.equal(0, x[{cn.array(1), cn.array(1)}].ndim)
      local y = cn.zeros({2, 3, 4, 5, 6})
      local j = cn.array {1, 2}
      assert.is_true(y[{j, {}, j, {1, 2}, 3}]:has_shape(2, 3, 2) and y[{1, j, j, cn.ellipsis}]:has_shape(2, 5, 6))
      assert.is_true(y[{1, {}, j, cn.ellipsis}]:has_shape(2, 3, 5, 6) and y[{{}, j, 1, j, {}}]:has_shape(2, 2, 6))
    end)

    it("has masks over some axes, and without axes", function()
      local x = counting(2, 3, 2)
      local m = x["..., 1"]:gt(3)
      assert.same({{4, 5}, {6, 7}, {8, 9}, {10, 11}}, x[m]:totable())
      assert.same({{0, 2}, {6, 8}}, x[{{}, cn.array {true, true, false}, 1}]:totable())
      assert.same({5, 7, 9, 11}, x[{m, 2}]:totable())
      assert.same({5, 7, 9, 11}, x[{m, cn.array {2, 2, -1, 2}}]:totable())
      assert.is_true(x[cn.array(true)]:has_shape(1, 2, 3, 2) and x[cn.array(false)]:has_shape(0, 2, 3, 2))
      assert.same({5}, cn.array(5)[cn.array(true)]:totable())
      assert.same({}, cn.array(5)[cn.array(false)]:totable())
    end)

    it("selects by masks of many tiles, that begin anywhere", function()
      for _, n in ipairs {1, 15, 17, 8191, 8192, 8193, 70001} do
        local order = cn.arange(n)
        for _, step in ipairs {1, 3, 5000} do
          local mask, expected = (order % step):eq(0), cn.arange(0, n, step)
          assert.is_true(cn.flatnonzero(mask) == expected + 1)
          for _, dtype in ipairs {"int8", "float16", "float32", "int64", "complex128"} do
            local found = order:astype(dtype)[mask]
            assert.equal(dtype, found.dtype)
            assert.is_true(found == expected:astype(dtype))
          end
          if n > 16 then -- rows of bytes that are not aligned
            assert.is_true(cn.flatnonzero(mask["2:"]) == expected["2:"])
            assert.is_true(cn.flatnonzero(mask["-1:1:-1"]) == n - expected["-1:1:-1"])
          end
        end
        assert.equal(0, order[order:lt(0)].size)
      end
      local bytes = cn.array({0, 1, 2, 0, 255, 128, 64, 0}, "uint8") -- any of which is a bool, in memory of others
      assert.is_true(cn.flatnonzero(bytes:view "bool") == cn.array {2, 3, 5, 6, 7})
    end)

    it("finds where large masks hold", function()
      for _, size in ipairs {31, 32, 33, 1000, 70001} do
        local x = cn.arange(size)
        local m = x:mod(7):eq(3):logical_or(x:mod(64):eq(0))
        local y = x[m]
        assert.equal(m:sum():item(), y.size)
        assert.equal((x * m):sum():item(), y:sum():item())
        assert.is_true(cn.all(y["2:"]:gt(y[":-2"])) and cn.all(m[m]))
        assert.equal(size, y.size + x[m:logical_not()].size)
      end
    end)

    it("is nothing of nothing", function()
      local x, none = cn.zeros({3, 0, 2}), cn.zeros(0, "int64")
      assert.is_true(x[none]:has_shape(0, 0, 2) and x[cn.array {1, 3}]:has_shape(2, 0, 2))
      assert.is_true(cn.zeros({0, 3})[none]:has_shape(0, 3) and cn.zeros({0, 3})[cn.zeros({0, 3}, "bool")]:has_shape(0))
      assert.is_true(cn.arange(3)[cn.zeros({2, 0})]:has_shape(2, 0))
    end)

    it("indexes more axes than one kernel moves along", function()
      local x, i = counting(2, 1, 2, 3, 2, 2), cn.array {1, 2}
      assert.same({x[{1, 1, 1, 1, 1, 1}], x[{2, 1, 2, 2, 2, 2}]}, x[{i, i * 0 + 1, i, i, i, i}]:totable())
      x[{i, i * 0 + 1, i, i, i, i}] = -1
      assert.same({-1, -1, 2}, {x[{1, 1, 1, 1, 1, 1}], x[{2, 1, 2, 2, 2, 2}], x:lt(0):sum():item()})
    end)
  end)

  describe("x[key] = value with arrays in the key", function()
    it("agrees with NumPy", function()
      rehearse(golden.assignment, assigned)
      for number, case in ipairs(golden.assignment) do
        assert.same(case.values, flat(assigned(number, case)), number)
      end
    end)

    it("writes one of several values for an element: the last, where a device works in an order", function()
      for number, case in ipairs(golden.repeated) do
        local x = assigned(number, case)
        if device.kind == "cpu" then
          assert.same(case.values, flat(x), number)
        else
          assert.is_true(cn.all(x:lt(100):eq(cn.array(case.values):reshape(case.shape):lt(100))), number)
        end
      end
      local x, i = cn.zeros(7, "int64"), cn.arange(100000):mod(7) + 1
      x[i] = cn.arange(100000)
      if device.kind == "cpu" then assert.same({99995, 99996, 99997, 99998, 99999, 99993, 99994}, x:totable()) end
      assert.is_true(cn.all((x:mod(7) + 1):eq(cn.range(1, 7))))
    end)

    it("converts as NumPy's assignment does", function()
      local function stored(dtype, values, from)
        local x = cn.zeros(#values, dtype)
        x[cn.range(1, #values)] = cn.array(values, from)
        return x:totable()
      end
      assert.same({1, -2, 3}, stored("int8", {1.9, -2.9, 3}))
      assert.same({-1, 44}, stored("int8", {255, 300}, "int32"))
      assert.same({true, false, true}, stored("bool", {0.5, 0, -1}))
      assert.same({1 / 0, 0.5}, stored("float16", {1e6, 0.5}))
      assert.same({0.5, 3}, stored("bfloat16", {0.5, 3}, "float32"))
      assert.same({1, 0}, stored("float64", {true, false}))
      assert.equal("2+0i", tostring(stored("complex64", {2})[1]))
      assert.same({3, -1}, stored("int32", {cn.complex(3, 4), cn.complex(-1, 0)}))
    end)

    it("stores numbers as x:fill does, in every dtype, in elements and rows", function()
      local i, number = cn.array({10, 3, -4}, "int64"), {bool = true, complex64 = cn.complex(1.5, -2)}
      devices.prepare(function()
        for _, dtype in ipairs(DTYPES) do cn.zeros(10, dtype)[i] = number[dtype] or 3 end
      end)
      for _, dtype in ipairs(DTYPES) do
        local x, rows, value = cn.zeros(10, dtype), cn.zeros({10, 2}, dtype), number[dtype] or 3
        x[i], rows["::-1"][i] = value, value
        local expected = cn.zeros(10, dtype)
        expected["3"], expected["7"], expected["10"] = value, value, value
        assert.is_true(cn.array_equal(expected, x), dtype)
        assert.is_true(cn.array_equal(cn.stack({expected, expected}, -1)["::-1"], rows), dtype)
      end
      local x = cn.zeros(5, "int8")
      x[cn.array {2, 4}] = -2.9
      assert.same({0, -2, 0, -2, 0}, x:totable())
      x[cn.array {{1}, {5}}] = cn.array {{7}, {8}} -- more axes than x
      assert.same({7, -2, 0, -2, 8}, x:totable())
      x[cn.zeros(0, "int64")] = 1
      x[x:astype "int64"["2:2"] + 5] = x["1:1"] -- the value lies in x
      assert.same({7, -2, 7, -2, 8}, x:totable())
    end)

    it("stores bits of every dtype", function()
      local i, mask = cn.array({10, 3, -4}, "int64"), cn.arange(10):mod(4):eq(1)
      devices.prepare(function()
        for _, dtype in ipairs(DTYPES) do
          cn.zeros(10, dtype)[i] = cn.ones(3, dtype)
        end
      end)
      for _, dtype in ipairs(DTYPES) do
        local x, y, from = cn.zeros(10, dtype), cn.zeros(10, dtype), ten(dtype)
        x[i] = from["5:7"]
        assert.equal(bytes_at(from, {5, 6, 7}), bytes_at(x, {10, 3, 7}), dtype)
        assert.equal(("\0"):rep(7 * x.itemsize), bytes_at(x, {1, 2, 4, 5, 6, 8, 9}), dtype)
        y[mask] = from["8:10"]
        assert.equal(bytes_at(from, {8, 9, 10}), bytes_at(y, {2, 6, 10}), dtype)
      end
      for _, dtype in ipairs {"bool", "float16", "complex64"} do
        local x = cn.zeros(10, dtype)
        x[mask] = 1
        assert.equal(3, x:ne(0):sum():item())
      end
    end)

    it("stores where masks of several axes hold, in any layout", function()
      local mask = cn.array {{true, false, true}, {false, true, true}}
      for _, layout in ipairs {"row-major", "columns"} do
        local x = layout == "columns" and cn.zeros({3, 2}, "int32").T or cn.zeros({2, 3}, "int32")
        x[mask] = {1, 2, 3, 4}
        assert.same({{1, 0, 2}, {0, 3, 4}}, x:totable(), layout)
        x[mask] = x[mask] * 10
        assert.same({{10, 0, 20}, {0, 30, 40}}, x:totable(), layout)
      end
      local corner = cn.array(5)
      corner[cn.array(true)] = cn.array {7}
      assert.equal(7, corner:item())
    end)

    it("stores where masks of several axes hold in as many launches as where those of one do", function()
      local function launches(x, mask, values)
        local path = os.tmpname()
        cn.profiler.trace(path, function() x[mask] = values end)
        local file = io.open(path)
        local _, count = file:read("*a"):gsub('"cat":"launch"', "")
        file:close()
        os.remove(path)
        return count
      end
      local x, values = cn.zeros {4, 5}, cn.arange(7)
      local mask = (cn.arange(20) % 3):eq(0):reshape(4, 5)
      x[mask] = values -- computes what is recorded
      assert.equal(launches(x:ravel(), mask:ravel(), values), launches(x, mask, values))
    end)

    it("stores where a mask of a view holds, and nowhere else", function()
      local whole = cn.arange(48):reshape(6, 8)
      local x, before = whole["::-2, 2:7:2"], whole:copy()
      local mask = (x % 3):eq(0)
      local wanted = cn.where(mask, -x, x)
      local ok = pcall(function() x[mask] = {1, 2} end)
      assert.is_true(not ok and whole == before)
      x[mask] = -x[mask]
      assert.is_true(x == wanted)
      assert.is_true(whole["::2"] == before["::2"] and whole[":, 1"] == before[":, 1"])
      local bools = cn.array {{true, false}, {false, true}}.T
      bools[bools] = {false, true}
      assert.same({{false, false}, {false, true}}, bools:totable())
    end)

    it("broadcasts numbers, tables and arrays", function()
      local x, i = cn.zeros({3, 4}, "int32"), cn.array {1, 3}
      x[i] = 5
      x[{i, i}] = {7, 8}
      x[{{}, cn.array {2}}] = cn.array {{1}, {2}, {3}}
      assert.same({{7, 1, 5, 5}, {0, 2, 0, 0}, {5, 3, 8, 5}}, x:totable())
      x[i] = cn.ones {1, 1, 2, 4}
      x[x:eq(0)] = cn.array {-1}
      x[x:eq(2)] = cn.array(9)
      x[{cn.array {false, true, false}, 1}] = true
      assert.same({{1, 1, 1, 1}, {1, 9, -1, -1}, {1, 1, 1, 1}}, x:totable())
      x[x:gt(0)] = cn.arange(10)
      assert.same({{0, 1, 2, 3}, {4, 5, -1, -1}, {6, 7, 8, 9}}, x:totable())
      x[cn.zeros({3, 4}, "bool")] = 100
      x[cn.zeros(3, "bool")] = 100
      x[cn.zeros(0)] = 100
      x[cn.zeros({3, 4}, "bool")] = {}
      assert.equal(9, x:max():item())
      x[cn.ones({3, 4}, "bool")] = 2.9
      assert.equal(24, x:sum():item())
      local zero = cn.array(1)
      zero[cn.array(true)] = 4
      assert.equal(4, zero:item())
    end)

    it("writes through strided, transposed and reversed arrays", function()
      local x, i = counting(3, 4), cn.array {1, -1}
      x.T[i] = -1
      x["::-1, 2:3"][{i, i}] = cn.array {-2, -3}
      assert.same({{-1, 1, -3, -1}, {-1, 5, 6, -1}, {-1, -2, 10, -1}}, x:totable())
      x["::2, ::-1"][x["::2"]:lt(0)] = 50
      assert.same({{50, 50, -3, 50}, {-1, 5, 6, -1}, {50, -2, 50, 50}}, x:totable())
    end)

    it("survives values and index arrays that lie in the array itself", function()
      local x = cn.arange(8)
      x[cn.array {1, 2, 3, 4, 5, 6, 7}] = x["2:"]
      assert.same({1, 2, 3, 4, 5, 6, 7, 7}, x:totable())
      x[x] = x["::-1"]
      assert.same({7, 7, 6, 5, 4, 3}, x[":6"]:totable())
      local y = cn.array({3, 1, 2}, "int64")
      y[y] = y * 10
      assert.same({10, 20, 30}, y:totable())
      local m = cn.array {true, false, true}
      m[m] = false
      assert.same({false, false, false}, m:totable())
      m[m:logical_not()] = m["::-1"]:logical_not()
      assert.is_true(m:all())
      local z = counting(3, 3)
      z[cn.array {1, 2, 3}] = z.T
      assert.same({{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}, z:totable())
      z[z:gt(2)] = z[z:gt(2)]["::-1"]
      assert.same({{0, 8, 5}, {1, 7, 4}, {2, 6, 3}}, z:totable())
    end)
  end)

  describe("index arrays", function()
    it("are used by cn.prepare, cn.scope and graphs", function()
      local x, i = cn.arange(12, "uint16"):reshape(3, 4), cn.array({1, 3}, "uint8")
      assert.is_true(cn.prepare(function() return x[{i, i}] end) > 0)
      cn.prepare(function() return x[{i, i * 100}] end)
      cn.prepare(function() x[{i, i}] = x[x:gt(3)] end)
      cn.prepare(function() x[x:gt(6)] = cn.ones(5) end) -- nobody knows yet how many there are
      assert.same({0, 10}, x[{i, i}]:totable())
      assert.same({10, 11}, cn.scope(function() return x[x:gt(9)] end):totable())
      local graph = cn.graph(function(a) return a[i] * 2 end, x)
      assert.same({{0, 2, 4, 6}, {16, 18, 20, 22}}, graph(x):totable())
      assert.same({{2, 4, 6, 8}, {18, 20, 22, 24}}, graph(x + 1):totable())
      local masked = cn.graph(function(a)
        local b = a + 0
        b[b:gt(5)] = 5
        return b
      end, x)
      assert.equal(45, masked(x):sum():item())
    end)

    it("do not wait; masks that are read do, for their count", function()
      local x, i = cn.arange(12):reshape(3, 4), cn.array {1, 3}
      cn.no_sync(function()
        x[i] = x[i] + 1
        x[x:gt(100)] = 0
        x[{i, i}] = cn.zeros(2)
      end)
      assert.same({{0, 2, 3, 4}, {4, 5, 6, 7}, {9, 10, 0, 12}}, x:totable())
    end)

    it("write vectors where a mask is true as if they waited", function()
      local function assign(x, mask, values) x[mask] = values end
      for _, dtype in ipairs {"float64", "int16", "complex64"} do
        local whole = cn.arange(48):reshape(6, 8):astype(dtype)
        for _, view in ipairs {"1:6, 1:8", "::-1, 1:4", "2:5, ::3"} do
          local x, y = whole:copy()[view], whole:copy()[view]
          local mask = (cn.real(x) % 3):eq(1)
          local count = mask:sum():item()
          assign(x, mask, cn.arange(count) - 7)
          cn.no_sync(assign, y, mask, cn.arange(count) - 7)
          assert.is_true(cn.array_equal(x, y))
        end
      end
      local x = cn.arange(8)
      cn.no_sync(assign, x, x:gt(3), x["::-1"]["1:4"])
      assert.same({0, 1, 2, 3, 7, 6, 5, 4}, x:totable())
    end)
  end)
end)

it("counts with 64 bits where arrays are large", function()
  local script = [[
    local cn = require "cuna"
    local x, i = cn.arange(60):reshape(6, 10), cn.array {6, -1, 2, 1}
    require("spec.support.index_bits").print(function()
      local y = x[{i, cn.array{{1}, {10}}}]
      x[{i, {}, cn.newaxis}] = x[i][{{}, {}, cn.newaxis}] + 1
      print(y:sum():item(), x[x:mod(2):eq(0)]:sum():item(), x[{{}, i}]:sum():item(), x:sum():item())
    end)
  ]]
  local expected, wide = index_bits.split(process.must_run(script, {}))
  assert.equal("  ", wide)
  local text
  text, wide = index_bits.split(process.must_run(script, {CUNA_INDEX_LIMIT = "16"}))
  assert.equal(expected, text)
  assert(wide:find " assignment .*index ", wide) -- some of them: results of 8 elements need no more than 32 bits
  assert.equal("256", expected:match "^%d+")
end)
