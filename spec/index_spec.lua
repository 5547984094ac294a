--- x[key] and x[key] = value: numbers, tables and texts as keys, views, elements, assignment, and what is refused.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local golden = dofile("spec/golden/manipulate.lua").indices
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

--- 0, 1, 2, ... in a shape.
local function counting(...)
  local size = 1
  for _, length in ipairs {...} do size = size * length end
  return cn.arange(size):reshape(...)
end

--- The key of a golden case, whose special entries are words.
local function key_of(table_of_words)
  local key = {}
  for i, entry in ipairs(table_of_words) do
    key[i] = entry == "ellipsis" and cn.ellipsis or entry == "newaxis" and cn.newaxis or entry
  end
  return key
end

--- The positions that a range names on an axis, as contract and `for` have it.
local function positions(entry, length)
  if type(entry) == "number" then return {entry > 0 and entry or entry + length + 1} end
  local first, last, step = entry[1] or 1, entry[2] or length, entry[3] or 1
  if first < 0 then first = first + length + 1 end
  if last < 0 then last = last + length + 1 end
  if step > 0 then first = math.max(first, 1) else first = math.min(first, length) end
  local list = {}
  for k = first, last, step do
    if k >= 1 and k <= length then list[#list + 1] = k end
  end
  return list
end

--- Calls visit(n) for every element of an (a, b) array that two entries name, in row-major order of the view.
local function each_named(shape, rows, columns, visit)
  for _, i in ipairs(positions(rows, shape[1])) do
    for _, j in ipairs(positions(columns, shape[2])) do visit((i - 1) * shape[2] + j) end
  end
end

local function random_entry(length)
  if math.random() < 0.2 then return math.random(length) end
  local function place() return math.random() < 0.5 and math.random(length) or -math.random(length) end
  return {place(), place(), ({1, 2, -1, -2})[math.random(4)]}
end

--- The elements in row-major order as Lua values.
local function flat(x) return x:reshape(-1):totable() end

devices.each_device(function()
  describe("reading", function()
    it("agrees with NumPy, in both notations", function()
      for _, case in ipairs(golden) do
        local x = counting(unpack(case.shape))
        for _, key in ipairs {key_of(case.table), case.text} do
          local y = x[key]
          if case.scalar then
            assert.equal(case.values[1], y, case.text)
          else
            assert.is_true(y:has_shape(case.result), case.text)
            assert.same(case.values, flat(y), case.text)
            assert.is_true(y.size == 0 or y:shares_memory(x))
          end
        end
      end
    end)

    it("takes axes at the end that a table leaves out whole, as a text does", function()
      local x, last, k = counting(2, 3, 4), cn.ellipsis, 2
      for _, row in ipairs {{{2}, "2"}, {{2, 3}, "2, 3"}, {{{1, k}}, "1:2"}, {{{}, {k}}, ":, 2:2"}, {{{}}, ":"},
        {{-1, {-1, 1, -1}}, "-1, ::-1"}, {{cn.newaxis}, "newaxis"}, {{2, cn.newaxis}, "2, newaxis"}, {{}, "..."}} do
        local whole = {unpack(row[1])}
        whole[#whole + 1] = last
        local y = x[row[1]]
        assert.is_true(y.shape == x[whole].shape and y.shape == x[row[2]].shape, row[2])
        assert.same(flat(x[whole]), flat(y))
        assert.same(flat(x[row[2]]), flat(y))
        assert.is_true(y:shares_memory(x))
      end
      local v, m = cn.arange(6), counting(2, 3)
      assert.equal(2, v[{3}])
      assert.same({3, 4, 5}, m[{2}]:totable())
      assert.equal(5, m[{2}][{3}])
    end)

    it("agrees with loops", function()
      for _ = 1, 60 do
        local shape = {math.random(6), math.random(6)}
        local x, rows, columns, expected = counting(unpack(shape)), random_entry(shape[1]), random_entry(shape[2]), {}
        each_named(shape, rows, columns, function(n) expected[#expected + 1] = n - 1 end)
        local y = x[{rows, columns}]
        assert.same(expected, cn.is_array(y) and flat(y) or {y})
      end
    end)

    it("selects along the first axis by a number, a table or a text", function()
      local x = counting(2, 3, 4)
      assert.is_true(x[2] == x["2"] and x[2] == x[{2, {}, {}}] and x[-1] == x[2] and x["-1"] == x[{2, cn.ellipsis}])
      assert.is_true(x[2]:has_shape(3, 4))
      assert.equal(23, x[{2, 3, 4}])
      assert.equal(23, x["2,3,4"])
      assert.equal(23, x[" -1 , -1 ,\t-1 "])
      assert.is_true(x["2:5, :, ::-1"] == x["2:5,:,::-1"] and x["2:5, :, ::-1"] == x[{{2, 5}, {}, {-1, 1, -1}}])
      assert.equal(1, x[2LL - 1LL][{1, 2}])
      assert.equal(23, x[cn.scalar(2):item()][{3, 4LL}])
    end)

    it("gives the elements as plain Lua values", function()
      assert.is_true(cn.array({true, false})[1])
      assert.is_false(cn.array({{true, false}})[{1, 2}])
      assert.equal(2 ^ 53, cn.array({2 ^ 53}, "int64")[1])
      local beyond = cn.array({9007199254740993LL})[1]
      assert.is_true(ffi.istype("int64_t", beyond) and beyond == 9007199254740993LL)
      local greatest = cn.array({18446744073709551615ULL})[1]
      assert.is_true(ffi.istype("uint64_t", greatest) and greatest == 18446744073709551615ULL)
      local complex = cn.array({cn.complex(1, -2)}, "complex64")[1]
      assert.is_true(ffi.istype("complex", complex) and complex.re == 1 and complex.im == -2)
      assert.equal(0.5, cn.array({0.5}, "bfloat16")[1])
      assert.equal(0.25, cn.array({0.25}, "float16")[-1])
    end)

    it("keeps 0-d views apart from values", function()
      local x = counting(2, 3)
      local view = x[{2, cn.ellipsis}][{2, cn.ellipsis}]
      assert.equal(0, view.ndim)
      view[cn.ellipsis] = 70
      assert.equal(70, x[{2, 2}])
      view[{}] = 71
      assert.equal(71, x[{2, 2}])
      assert.equal(71, view["..."]:item())
      assert.is_true(x["2, 2, ..."].ndim == 0 and x["2, 2, newaxis"]:has_shape(1))
      assert.is_true(view[cn.newaxis]:has_shape(1) and view["newaxis"]:has_shape(1))
    end)

    it("makes new axes", function()
      local x = counting(2, 3)
      assert.is_true(x[cn.newaxis]:has_shape(1, 2, 3))
      assert.is_true(x["newaxis, 2"]:has_shape(1, 3))
      assert.is_true(x["..., newaxis"]:has_shape(2, 3, 1))
      assert.is_true(x[{{}, cn.newaxis, cn.newaxis, {2}}]:has_shape(2, 1, 1, 1))
    end)

    it("clamps ranges beyond the length; {k, k - 1} is empty", function()
      local v = cn.arange(5)
      assert.is_true(v["2:100"] == v["2:"] and v["-100:2"] == v["1:2"] and v["100:1:-1"] == v["::-1"])
      assert.equal(0, v["7:9"].size)
      for k = 1, 6 do assert.equal(0, v[{{k, k - 1}}].size) end
      assert.equal(0, v["1:0"].size)
      assert.equal(0, v["1:0:2"].size)
      assert.is_true(v[{{3}}]:has_shape(1) and v[{{3}}][1] == 2)
      assert.equal(0, cn.zeros({0, 3})["1:2, ::-1"].size)
    end)
  end)

  describe("writing", function()
    it("takes axes at the end that a table leaves out whole", function()
      local x = counting(2, 3)
      x[{1}] = {7, 8, 9}
      x[{{2, 2}}] = -1
      assert.same({7, 8, 9, -1, -1, -1}, flat(x))
      x[{}] = 0
      assert.same({0, 0, 0, 0, 0, 0}, flat(x))
    end)

    it("does what loops do", function()
      for case = 1, 60 do
        local shape = {math.random(6), math.random(6)}
        local x, rows, columns = counting(unpack(shape)), random_entry(shape[1]), random_entry(shape[2])
        local expected, count = flat(x), 0
        each_named(shape, rows, columns, function(n)
          count = count + 1
          expected[n] = case % 2 == 0 and -1 or 100 + count
        end)
        if case % 2 == 0 then
          x[{rows, columns}] = -1
        elseif count > 0 then
          local y = x[{rows, columns}]
          x[{rows, columns}] = (cn.is_array(y) and cn.arange(count):reshape(y.shape) or 0) + 101
        end
        assert.same(expected, flat(x))
      end
    end)

    it("stores numbers, bools, tables and arrays, broadcast and converted", function()
      local x = cn.zeros({2, 3}, "int16")
      x[1] = 5
      x["2, 2:"] = {7, 8.9}
      assert.same({{5, 5, 5}, {0, 7, 8}}, x:totable())
      x["..."] = cn.array {1, 2, 3}
      assert.same({{1, 2, 3}, {1, 2, 3}}, x:totable())
      x["..., 1"] = cn.array({{9.5}, {-9.5}})[{{}, 1}]
      assert.same({{9, 2, 3}, {-9, 2, 3}}, x:totable())
      x[{2, {}}] = cn.zeros {1, 1, 3}
      x["1, 1"] = true
      x["1, 2"] = cn.array(6)
      x["1, 3"] = {4}
      assert.same({{1, 6, 4}, {0, 0, 0}}, x:totable())
      local m = cn.zeros(3, "bool")
      m[1], m["2:3"] = true, 7
      assert.same({true, true, true}, m:totable())
      local c = cn.zeros(2, "complex128")
      c[1], c[2] = 2i, 3
      assert.equal("[0.+2.j 3.+0.j]", tostring(c))
      local wide = cn.zeros(2, "int64")
      wide["..."] = {9007199254740993LL, -9007199254740993LL}
      assert.is_true(wide[1] == 9007199254740993LL and wide[2] == -9007199254740993LL)
    end)

    it("survives overlap", function()
      for _, move in ipairs {{"2:", "1:-2"}, {"1:-2", "2:"}, {"::-1", ":"}, {"::2", "5:9"}, {"3:7", "7:3:-1"}} do
        local x = cn.arange(10)
        local expected = x:copy()
        expected[move[1]] = x[move[2]]:copy()
        x[move[1]] = x[move[2]]
        assert.same(flat(expected), flat(x), move[1] .. " = " .. move[2])
      end
      local x = counting(3, 3)
      x["..."] = x.T
      assert.same({{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}, x:totable())
    end)

    it("reaches through views", function()
      local x = counting(4, 4)
      x["2:3"]["..., ::-1"]["1, 1"] = -1
      assert.equal(-1, x[{2, 4}])
      x.T[1] = 0
      assert.same({0, 0, 0, 0}, flat(x["..., 1"]))
    end)
  end)

  describe("bad keys", function()
    local x, v
    setup(function() x, v = counting(2, 3, 4), cn.arange(6) end)

    it("of the wrong kind", function()
      raises("index: nil is not an index; write {} for a whole axis", function() local _ = x[nil] end)
      raises("index: got a Lua boolean; write x:eq(y)", function() local _ = x[true] end)
      raises("index: got a Lua boolean", function() local _ = x[{1, false, 1}] end)
      raises("index: got a Lua boolean", function() x[x == x] = 1 end)
      raises("index: nil is not an index", function() v[nil] = 1 end)
      raises("index: expected a number, a range, an array,", function() local _ = x[print] end)
      raises('index: "', function() local _ = x[{1, "2", 3}] end)
      raises("index: a position must be an integer, got 0+2i", function() local _ = v[2i] end)
      raises("index: a position must be an integer, got 1.5", function() local _ = v[1.5] end)
      raises("index: a position must be an integer, got nan", function() local _ = v[0 / 0] end)
      raises("index: a position must be an integer, got inf", function() v[math.huge] = 1 end)
    end)

    it("out of range, and 0", function()
      raises("index 0 on axis 1: positions count from 1 in Lua", function() local _ = v[0] end)
      raises("index 0 on axis 2: positions count from 1", function() local _ = x[{1, 0, 1}] end)
      raises("index 0 on axis 1: positions count from 1", function() v["0"] = 1 end)
      raises("index 0 on axis 1: positions count from 1", function() local _ = v["0:3"] end)
      raises("index 0 on axis 1: positions count from 1", function() local _ = v["3:0:-1"] end)
      raises("index 7 is out of range for axis 1, which has length 6", function() local _ = v[7] end)
      raises("index -7 is out of range for axis 1", function() v[-7] = 1 end)
      raises("index 5 is out of range for axis 3", function() local _ = x["1, 1, 5"] end)
      raises("index 1152921504606846976 is out of range", function() local _ = v[2 ^ 60] end)
      raises("range on axis 1 has step 0", function() local _ = v["::0"] end)
    end)

    it("with too many entries", function()
      raises("too many indices: 4 for an array of 3 axes", function() local _ = x[{1, 2, 3, 4}] end)
      raises("too many indices: 3 for an array of 1 axis; positions of several elements are an array: cn.array {1, 4}",
        function() local _ = v[{1, 1, 4}] end)
      raises("too many indices: 1 for an array of 0 axes", function() local _ = cn.array(5)[1] end)
      raises("an index has one ellipsis at most, got 2", function() local _ = x["..., 1, ..."] end)
      raises("index: more than 64 entries", function() local _ = x[("newaxis,"):rep(70) .. "1"] end)
      raises("index makes a view of 33 axes: an array has 32 at most", function()
        local _ = v[("newaxis,"):rep(32) .. ":"]
      end)
    end)

    it("that are tables of the wrong form", function()
      raises("index: a range is {first, last, step}, got 4 numbers; for a list of positions write cn.array(list)",
        function() local _ = v[{{1, 2, 3, 4}}] end)
      raises("index: the index table has a nil entry; write {} for a whole axis", function()
        local _ = x[{1, nil, 3}]
      end)
      raises("index: a range is {first, last, step}; this table has a nil", function() local _ = v[{{1, nil, 2}}] end)
      raises("index: a table has the key 0", function() local _ = x[{[0] = 1, 2, 3}] end)
      raises("index: a table has the key 0", function() local _ = v[{{[0] = 1}}] end)
      raises("index: an index table has one entry per axis; it has the key 'axis'", function()
        local _ = x[{axis = 1}]
      end)
      raises("index: an index table has one entry per axis; it has the key 'axis'", function()
        local _ = x[{1, 1, 1, axis = 1}]
      end)
      raises("index: an index table has one entry per axis; it has the key '1'", function()
        local _ = x[{["1"] = 1, 1, 1, 1}]
      end)
      raises("index: a table has the key 0", function() x[{[0] = 1, 1, 1, 1}] = 5 end)
      raises('index: "', function() local _ = x[{1, 1, "1"}] end)
      raises("index: expected a number, a range", function() local _ = x[{1, 1, print}] end)
      raises("index: a range is {first, last, step}; this table has", function() local _ = v[{{first = 1}}] end)
      raises("index: an end of a range must be an integer, got 1.5", function() local _ = v[{{1.5, 2}}] end)
      raises("index: the step of a range must be an integer, got string", function() local _ = v[{{1, 2, "1"}}] end)
    end)

    it("that are texts of the wrong form", function()
      for text, said in pairs {
        [""] = 'index "": an entry is missing at the end', ["1,"] = 'index "1,": an entry is missing at the end',
        ["1,,2"] = "index \"1,,2\": unexpected ',2' in column 3",
        ["1:2:3:4"] = "index \"1:2:3:4\": unexpected ':4' in column 6",
        ["1 2"] = "index \"1 2\": unexpected '2' in column 3", ["1.5"] = "index \"1.5\": unexpected '.5' in column 2",
        ["1, x"] = "index \"1, x\": unexpected 'x' in column 4",
        ["[1]"] = "index \"[1]\": unexpected '[1]' in column 1",
      } do
        raises(said, function() local _ = v[text] end)
        raises(said, function() v[text] = 1 end)
      end
    end)
  end)

  describe("bad values", function()
    it("are refused and change nothing", function()
      local x = cn.arange(6, "int8")
      raises("assignment: a value of shape (2,) does not broadcast to shape (3,)", function() x["2:4"] = {1, 2} end)
      raises("assignment: a value of shape (2,) does not broadcast to shape ()", function() x[1] = {1, 2} end)
      raises("assignment: a value of shape (2, 1, 3) does not broadcast", function() x["2:4"] = cn.zeros {2, 1, 3} end)
      raises("assignment: 300 does not fit int8", function() x[1] = 300 end)
      raises("assignment: 300 does not fit int8", function() x["..."] = 300 end)
      raises("assignment: position {2}: -129 does not fit int8", function() x["1:2"] = {1, -129} end)
      raises("assignment: 0+2i is complex and int8 is not", function() x[1] = 2i end)
      raises("assignment: 1+0i is complex and int8 is not", function() x[":"] = cn.complex(1) end)
      raises("assignment: expected an array, a number or a nested table, got nil", function() x[1] = nil end)
      raises("assignment: expected an array, a number or a nested table, got string", function() x["1:2"] = "a" end)
      raises("assignment: position {2} is nil: the data has a hole", function() x["1:3"] = {1, nil, 3} end)
      assert.same({0, 1, 2, 3, 4, 5}, x:totable())
    end)

    it("are refused by broadcast views", function()
      local x = cn.broadcast_to({1, 2}, {3, 2})
      local said = "assignment: the array of shape (3, 2) is a broadcast view, whose elements share memory"
      raises(said, function() x[{1, 1}] = 5 end)
      raises(said, function() x["..."] = 5 end)
      raises("assignment: the array of shape (2,) is a broadcast view", function() x[1] = {5, 6} end)
      raises("fill: the array of shape (3, 2) is a broadcast view", function() x:fill(5) end)
      raises("assignment: the array of shape (2, 2) is a broadcast view", function() x["1:2"]["..."] = 5 end)
      assert.same({{1, 2}, {1, 2}, {1, 2}}, x:totable())
    end)

    it("are refused for names", function()
      local x = cn.arange(3)
      raises("an array has no field 'foo' that can be assigned", function() x.foo = 1 end)
      raises("an array has no field 'shape' that can be assigned; write x = x:reshape(...)",
        function() x.shape = {3, 1} end)
      raises("an array has no field 'imag' that can be assigned; write x.imag[\"...\"] = value",
        function() x.imag = 0 end)
      raises("an array has no field 'sum' that can be assigned", function() x.sum = print end)
    end)
  end)
end)
