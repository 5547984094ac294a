--- Sorting and what is built of it: NumPy's orders, rows of every length, layouts, sets and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local preparing = require "spec.support.golden"
local golden = dofile "spec/golden/sort.lua"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local prepared = preparing.prepared

local VALUES, KINDS = golden.values[1], golden.kinds[1]

local function count_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

local function element(value) return type(value) == "table" and cn.complex(value[1], value[2]) or value end

--- The array of a case: values in turn.
local function make(dtype, shape)
  local values, list = VALUES[KINDS[dtype]], {}
  for i = 1, count_of(shape) do list[i] = element(values[(i - 1) % #values + 1]) end
  if #list == 0 then return cn.zeros(shape, dtype) end
  return cn.array(list, dtype):reshape(shape)
end

--- x in three layouts: row-major, with its axes in memory the other way round, and as every second element backwards.
local function layouts(x)
  local wide = cn.zeros({2 * x.size + 1}, x.dtype)
  local backward = wide[{{-2, 1, -2}}]:reshape(x.shape)
  backward[cn.ellipsis] = x
  return {x, x.T:copy().T, backward}
end

local function same_list(expected, x, note)
  local list = x:astype "int64":reshape(-1)
  if preparing.rehearsing then return end
  assert.equal(table.concat(expected, " "), table.concat(list:totable(), " "), note)
end

local function same_elements(expected, x, note)
  assert.equal(expected.dtype, x.dtype, note)
  assert.is_true(expected.shape == x.shape, note)
  if preparing.equal(expected, x) then return end -- of zeros too, but not of NaN
  local equal = x:ne(expected):logical_and(cn.logical_not(x:isnan():logical_and(expected:isnan()))):any()
  assert.is_false(equal, note)
end

--- Pseudo-random whole numbers in [0, below).
local function numbers(size, below, dtype)
  local i = cn.arange(size, {dtype = "int64"})
  return ((i * 7919 + i * i % 1013 * 31) % 100003 % below):astype(dtype)
end

--- Whether p puts the rows of x in order, and keeps the order of equal elements.
local function is_order(x, p, descending)
  local sorted = x:take_along_axis(p, -1)
  local n = x.shape[x.ndim]
  local a, b = sorted[{cn.ellipsis, {1, n - 1}}], sorted[{cn.ellipsis, {2, n}}]
  local pa, pb = p[{cn.ellipsis, {1, n - 1}}], p[{cn.ellipsis, {2, n}}]
  local ordered = (descending and a:gt(b) or a:lt(b)):logical_or(a:eq(b):logical_and(pa:lt(pb)))
  local places = cn.zeros(x.shape, "int8"):put_along_axis(p, 1, -1)
  if preparing.rehearsing then return ordered:all {keepdims = true} and places:all {keepdims = true} and true end
  return ordered:all() and places:all()
end

devices.each_device(function(device)
  describe("sorting agrees with NumPy:", function()
    it("argsort and sort of every dtype along every axis", prepared(function()
      for number, case in ipairs(golden.orders) do
        local x = layouts(make(case.dtype, case.shape))[number % 3 + 1]
        local note = ("case %d: %s, axis %d"):format(number, case.dtype, case.axis)
        for _, descending in ipairs {false, true} do
          local expected = case[descending and "down" or "up"]
          if expected then
            local order = x:argsort(case.axis, {descending = descending})
            assert.equal("int64", order.dtype)
            assert.is_true(order.shape == x.shape, note)
            same_list(expected, order, note)
            local sorted = x:sort(case.axis, {descending = descending})
            same_elements(x:take_along_axis(order, case.axis), sorted, note)
            assert.is_true(sorted.flags.c_contiguous)
            local own = layouts(x:copy())[(number + 1) % 3 + 1]:sort_(case.axis, nil, descending)
            same_elements(sorted, own, note)
          end
        end
      end
    end))

    it("lexsort", prepared(function()
      for number, case in ipairs(golden.lexsorts) do
        local keys = {}
        for k, dtype in ipairs(case.dtypes) do keys[k] = layouts(make(dtype, case.shape))[k] end
        same_list(case.order, cn.lexsort(keys, case.axis), "case " .. number)
      end
      same_list({2, 3, 1}, cn.lexsort(cn.array {{1, 0, 0}, {2, 1, 1}}))
    end))

    it("unique", prepared(function()
      for number, case in ipairs(golden.uniques) do
        local x = layouts(make(case.dtype, case.shape))[number % 3 + 1]
        local note = ("case %d: %s"):format(number, case.dtype)
        if case.dtype:find "^complex" then x = cn.where(x:isnan(), cn.scalar(0, case.dtype), x) end
        local values, index, inverse, counts = x:unique {return_index = true, return_inverse = true,
          return_counts = true}
        if not preparing.rehearsing then
          assert.equal(#case.values, values.size, note)
          assert.equal(case.dtype, values.dtype, note)
          same_list(case.index, index, note)
          same_list(case.inverse, inverse, note)
          assert.is_true(inverse.shape == x.shape, note)
          same_list(case.counts, counts, note)
          same_elements(x:reshape(-1):take(index), values, note)
          same_elements(values, (cn.unique(x)), note)
          same_list(case.counts, (select(2, cn.unique(x, {return_counts = true}))), note)
        end
      end
    end))

    it("unique slices", prepared(function()
      for number, case in ipairs(golden.unique_slices) do
        local x = layouts(cn.array(case.x, case.dtype):reshape(case.shape))[number % 3 + 1]
        local values, index, inverse, counts = cn.unique(x, true, true, true, case.axis)
        if not preparing.rehearsing then
          assert.is_true(values:has_shape(case.result), "case " .. number)
          assert.same(case.values, values:reshape(-1):totable(), "case " .. number)
          same_list(case.index, index, "case " .. number)
          same_list(case.inverse, inverse, "case " .. number)
          same_list(case.counts, counts, "case " .. number)
        end
      end
    end))
  end)

  describe("sorting", function()
    it("finds stable orders of rows of every length", prepared(function()
      local most = device.kind == "cpu" and 140000 or 9000
      for _, dtype in ipairs {"uint8", "int16", "float32", "int64"} do
        for _, shape in ipairs {{3, 17}, {5, 256}, {2, 257}, {2, 4096}, {2, 4097}, {1, most}} do
          local x = numbers(count_of(shape), shape[2] > 5000 and 100 or 1000, dtype):reshape(shape)
          for _, descending in ipairs {false, true} do
            local p = x:argsort {descending = descending}
            local note = ("%s, rows of %d"):format(dtype, shape[2])
            assert.is_true(is_order(x, p, descending), note)
            same_elements(x:take_along_axis(p, -1), x:sort {descending = descending}, note)
            same_elements(x:sort(), x:copy():sort_(), note)
          end
        end
      end
    end))

    if device.kind == "cpu" then -- whose large rows are written in whole lines of memory
      it("sorts large rows wherever they begin", prepared(function()
        for dtype, length in pairs {uint8 = 1100003, float32 = 270001, int64 = 140001} do
          local base = numbers(2 * length + 3, 100003, dtype)
          local x = base[{{4, -1}}]:reshape(2, length)
          local sorted, p = x:sort(), x:argsort()
          assert.is_true(is_order(x, p), dtype)
          same_elements(x:take_along_axis(p, -1), sorted, dtype)
          same_elements(sorted, x:sort_(), dtype)
        end
      end))
    end

    it("sorts all bits of wide keys", prepared(function()
      for _, size in ipairs {300, 5000} do
        local low = numbers(size, 100003, "int64")
        local x = (low * 1000003 % 65537) * 2 ^ 40 + low * 17 - 2 ^ 55
        assert.is_true(is_order(x, x:argsort()))
        local y = x:astype "float64" * 1e-300
        assert.is_true(is_order(y, y:argsort()))
        same_elements(y:take_along_axis(y:argsort(), -1), y:sort())
      end
    end))

    it("has -0 before 0 in values, and takes them for equal in orders", function()
      local minus = tonumber "-0" -- a literal -0.0 is 0 in LuaJIT on arm64
      local x = cn.array {0, minus, 0, minus}
      assert.same({true, true, false, false}, x:sort():signbit():totable())
      assert.same({1, 2, 3, 4}, x:argsort():totable())
    end)

    it("has NaN last, whatever its sign, in both directions", function()
      local x = cn.array {1, cn.nan, -cn.inf, 2}:copysign {1, -1, -1, 1}
      assert.equal("[-inf   1.   2.  nan]", tostring(x:sort()))
      assert.equal("[  2.   1. -inf  nan]", tostring(x:sort {descending = true}))
      assert.same({1, 2}, {#cn.unique {cn.nan, cn.nan}, #cn.unique({cn.nan, cn.nan}, {equal_nan = false})})
    end)

    it("puts the k-th where sorting does, and finds the k greatest", function()
      local x = numbers(200, 50, "int32"):reshape(4, 50)
      local sorted = x:sort()
      assert.equal(sorted[{{}, 7}], x:partition(7)[{{}, 7}])
      assert.equal(sorted[{{}, -1}], x:take_along_axis(x:argpartition({1, -1}), -1)[{{}, -1}])
      local values, places = x:topk(3)
      assert.equal(x:sort {descending = true}[{{}, {1, 3}}], values)
      assert.equal(values, x:take_along_axis(places, -1))
      assert.equal(sorted[{{}, {1, 3}}], (x:topk(3, {largest = false})))
      assert.is_true((cn.topk(x, 0)):has_shape(4, 0))
    end)

    it("leaves its array alone when the result overlaps it, and frees what it takes", function()
      local base = numbers(6000, 1000, "float32")
      local x, expected = base[{{1, 5000}}], base[{{1, 5000}}]:copy():sort()
      assert.equal(expected, x:sort())
      base[{{1001, 6000}}] = x:sort()
      assert.equal(expected, base[{{1001, 6000}}])
      assert.has_no.errors(function() cn.scope(function() return base:argsort() end):free() end)
    end)
  end)

  describe("sorting refuses", function()
    it("what it cannot sort", function()
      raises("sort: a 0-d array has no axis to sort along", function() local _ = cn.sort(3) end)
      raises("argsort: axis 3", function() local _ = cn.argsort({{1, 2}}, 3) end)
      raises("sort: kind is \"quicksort\"", function() local _ = cn.sort({1, 2}, {kind = "bubble"}) end)
      raises("sort: descending is true or false", function() local _ = cn.sort({1, 2}, {descending = 1}) end)
      raises("sort: unknown option 'order'", function() local _ = cn.sort({1, 2}, {order = "C"}) end)
      raises("sort_: expected an array, got a table", function() local _ = cn.zeros(2).sort_({1, 2}) end)
      raises("sort_: the array of shape (2, 2) is a broadcast view", function()
        local _ = cn.broadcast_to({1, 2}, {2, 2}):sort_()
      end)
      raises("lexsort: key 1 has shape (2,) and key 2 has shape (3,)", function()
        local _ = cn.lexsort {{1, 2}, {1, 2, 3}}
      end)
      raises("lexsort: the table of keys is empty", function() local _ = cn.lexsort {} end)
      raises("partition: kth is 4, and the axis has 3 elements", function() local _ = cn.partition({1, 2, 3}, 4) end)
      raises("argpartition: kth is missing", function() local _ = cn.argpartition {1, 2, 3} end)
      raises("topk: k is 4, and axis 1 has 3 elements", function() local _ = cn.topk({1, 2, 3}, 4) end)
      raises("unique: axis 2", function() local _ = cn.unique({1, 2}, {axis = 2}) end)
      raises("unique: got a Lua boolean", function() local _ = cn.unique(true) end)
    end)

    it("to wait where waiting is forbidden", function()
      local x = cn.array {1, 2}
      raises("unique", function() cn.no_sync(function() local _ = cn.unique(x) end) end)
      cn.no_sync(function() return x:sort(), x:argsort() end)
    end)

    it("freed arrays", function()
      local x = cn.array {1, 2}
      x:free()
      raises("sort: the array was freed", function() local _ = x:sort() end)
    end)
  end)
end)

it("sorting counts positions in 64 bits where rows need them", function()
  local script = [[
    local cn = require "cuna"
    local x = (cn.arange(5000) * 7919 % 5003):astype "float32"
    require("spec.support.index_bits").print(function()
      local p = x:argsort()
      local sorted = x:take(p)
      io.write(tostring(sorted:eq(x:sort()):all() and sorted[{{1, -2}}]:le(sorted[{{2, -1}}]):all()), " ", p[1])
    end)
  ]]
  for _, name in ipairs(devices.names()) do
    local text, wide = index_bits.split(process.must_run(script, {CUNA_INDEX_LIMIT = "10", CUNA_DEVICE = name}))
    assert.equal("true 1", text)
    assert(wide:find " argsort .*sort .*take ", wide) -- kernels that place elements; those that count do it by tiles
  end
end)
