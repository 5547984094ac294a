--- Selection without sorting: parts of rows, the greatest elements, and elements at places, beside what sorting gives.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/sort.lua"
local preparing = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local select_rows = require "cuna.select"

local prepared = preparing.prepared
local VALUES, KINDS = golden.values[1], golden.kinds[1]

--- The array of a case of golden/sort.lua: values in turn.
local function make(dtype, shape)
  local values, list, size = VALUES[KINDS[dtype]], {}, 1
  for _, length in ipairs(shape) do size = size * length end
  for i = 1, size do
    local value = values[(i - 1) % #values + 1]
    list[i] = type(value) == "table" and cn.complex(value[1], value[2]) or value
  end
  return size > 0 and cn.array(list, dtype):reshape(shape) or cn.zeros(shape, dtype)
end

--- Elements of one dtype and shape; where their bytes are equal, this takes no kernel.
local function same(expected, got, note)
  if preparing.rehearsing then return end
  assert.equal(expected.dtype, got.dtype, note)
  assert.is_true(expected.shape == got.shape, note)
  if expected:tobytes() == got:tobytes() then return end
  local both = expected:isnan():logical_and(got:isnan())
  assert.is_true(expected:eq(got):logical_or(both):all(), note)
end

--- The first k positions along an axis.
local function first(x, axis, k)
  local key = {}
  for i = 1, x.ndim do key[i] = {} end
  key[axis < 0 and x.ndim + 1 + axis or axis] = {1, k}
  return x[key]:copy()
end

-- Elements of a row in which digits tell much, little and nothing, by their number from 0; in this order.
local function scattered(i) return i * 7919 % 65521 end
local function few(i) return i * 31 % 5 + 3000 end
local KINDS_OF_ROWS = {
  {"scattered", scattered},
  {"equal", function() return 77 end},
  {"few", few},
  {"alike above", function(i) return i * 7919 % 251 + 40000 end},
  {"two heaps", function(i) return i % 2 * 60000 + i * 7919 % 8 end},
  {"ascending", function(i) return i end},
}
local DTYPES = {"uint8", "float16", "int32", "float32", "float64", "int64"}

--- Calls fn(number, kind, element, dtype) for a third of the pairs of a kind and a dtype; three rounds have all pairs.
local function each_pair(round, dtypes, fn)
  for at, entry in ipairs(KINDS_OF_ROWS) do
    for turn, dtype in ipairs(dtypes) do
      if (at + turn + round) % 3 == 0 then fn(at * #dtypes + turn + round, entry[1], entry[2], dtype) end
    end
  end
end

--- A row, or several, of elements that the host makes: they take no kernel.
local function row(element, n, dtype, rows)
  local list = {}
  for i = 1, n * (rows or 1) do
    local value = element(i - 1)
    if dtype == "float16" then value = value % 2048 end
    list[i] = dtype == "uint8" and value % 256 or value - 3000
  end
  local x = cn.array(list, dtype)
  return rows and x:reshape(rows, n) or x
end

--- The rows of an array, as the host reads them.
local function rows_of(x)
  local length, rows = x.shape[x.ndim], {}
  for i, value in ipairs(x:reshape(-1):totable()) do
    if type(value) == "boolean" then value = value and 1 or 0 end
    local at = math.floor((i - 1) / length) + 1
    rows[at] = rows[at] or {}
    rows[at][(i - 1) % length + 1] = value
  end
  return rows
end

--- The order of sort: NaN last.
local function is_less(a, b) return a == a and (b ~= b or a < b) end

--- Whether all elements of a row before place k are at most the one there, and those after it at least.
local function is_parted(part, k)
  local pivot = part[k]
  for place, value in ipairs(part) do
    if place < k and is_less(pivot, value) or place > k and is_less(value, pivot) then return false end
  end
  return true
end

--- Whether two rows have the same elements in any order.
local function have_same_elements(list, other)
  local counts = {}
  local function add(value, by)
    local key = type(value) == "cdata" and tostring(value) or value == value and value or "nan"
    counts[key] = (counts[key] or 0) + by
  end
  for _, value in ipairs(list) do add(value, 1) end
  for _, value in ipairs(other) do add(value, -1) end
  for _, count in pairs(counts) do
    if count ~= 0 then return false end
  end
  return true
end

--- Whether p is x, or what its positions lead to, parted at place k. The host looks: it takes no kernel.
local function check_parts(x, p, k, note)
  if preparing.rehearsing then return end
  local rows, parts = rows_of(x), rows_of(p)
  assert.equal(#rows, #parts, note)
  for at, part in ipairs(parts) do assert(is_parted(part, k) and have_same_elements(rows[at], part), note) end
end

--- Whether each row of an array has the positions of all its elements.
local function check_places(places, note)
  if preparing.rehearsing then return end
  for _, list in ipairs(rows_of(places)) do
    table.sort(list)
    for place, value in ipairs(list) do assert(tonumber(value) == place, note) end
  end
end

devices.each_device(function()
  describe("selection", function()
    it("finds the first elements of NumPy's orders, of every dtype along every axis", prepared(function()
      for number, case in ipairs(golden.orders) do
        local x = preparing.laid_out(make(case.dtype, case.shape), number)
        local length = x.shape[case.axis < 0 and x.ndim + 1 + case.axis or case.axis]
        -- Two of four counts in either direction, others with each case.
        local counts = {0, 1, math.floor(length / 2), length}
        for turn = 1, 4 do
          local k, largest = counts[(number + turn) % 4 + 1], turn % 2 == 0
          local list = case[largest and "down" or "up"]
          if list and k <= length then
            local note = ("case %d: %d of %s, axis %d"):format(number, k, case.dtype, case.axis)
            local order = #list > 0 and cn.array(list, "int64"):reshape(case.shape) or cn.zeros(case.shape, "int64")
            order = first(order, case.axis, k)
            local values, places = x:topk(k, case.axis, largest)
            same(order, places, note)
            same(x:take_along_axis(order, case.axis), values, note)
          end
        end
      end
    end))

    it("parts arrays of every dtype along every axis", prepared(function()
      for number, case in ipairs(golden.orders) do
        local x = preparing.laid_out(make(case.dtype, case.shape), number)
        local axis = case.axis < 0 and x.ndim + 1 + case.axis or case.axis
        if x.shape[axis] > 0 then
          local note = ("case %d: %s, axis %d"):format(number, case.dtype, axis)
          local k = math.ceil(x.shape[axis] / 3)
          local flat, parted = x:moveaxis(axis, -1), x:partition(k, axis)
          local places = x:argpartition(k - x.shape[axis] - 1, axis)
          if case.dtype:find "^complex" then
            same(x:sort(axis):moveaxis(axis, -1)[{cn.ellipsis, k}], parted:moveaxis(axis, -1)[{cn.ellipsis, k}], note)
          else
            check_parts(flat, parted:moveaxis(axis, -1), k, note)
            check_parts(flat, x:take_along_axis(places, axis):moveaxis(axis, -1), k, note)
          end
          check_places(places:moveaxis(axis, -1), note)
        end
      end
    end))

    -- The bounds of short rows, of rows that a block has room for, and of narrow digits; several tiles of rows.
    for round, n in ipairs {31, 128, 129, 1000, 1024, 1025, 4096, 4097, 40000} do
      it(("selects in rows of %d elements"):format(n), prepared(function()
        local rows = n < 40000 and math.max(3, math.ceil(5000 / n)) or nil
        each_pair(round, n > 4097 and {"uint8", "float32", "int64"} or DTYPES, function(number, kind, element, dtype)
          local x, note = row(element, n, dtype, rows), ("%s %s %d"):format(kind, dtype, n)
          assert.is_true(n <= 128 or select_rows.is_faster(x, 1))
          local k = ({1, 7, math.floor(n / 2), n - 1, n})[number % 5 + 1]
          check_parts(x, x:partition(k), k, note)
          local order = x:argsort {descending = true}
          local values, places = x:topk(k)
          same(first(order, -1, k), places, note)
          same(x:take_along_axis(places, -1), values, note)
        end)
      end))
    end

    it("selects several places of long rows at once, in ascending order or not", prepared(function()
      for _, entry in ipairs(KINDS_OF_ROWS) do
        for _, dtype in ipairs {"float32", "uint8", "float64"} do
          local kind, x = entry[1], row(entry[2], 5001, dtype, 2)
          local sorted = x:sort()
          for _, places in ipairs {{0}, {5000, 17, 17, 2500}, {1, 2, 3, 5, 8, 13, 21, 34, 55}} do
            local at = cn.array(places, "int64")
            same(sorted:take(at + 1, 2), select_rows.values(x, at, "select"), kind .. dtype)
          end
          local all = cn.arange(32, {dtype = "int64"}) * 161
          same(sorted:take(all + 1, 2), select_rows.values(x, all, "select"), kind .. dtype)
          local own = cn.array({{3, 4000}, {4999, 0}}, "int64")
          same(sorted:take_along_axis(own + 1, 2), select_rows.values(x, own, "select"), kind .. dtype)
        end
      end
    end))

    it("selects in long rows by wide digits, of keys that are kept and that are not", prepared(function()
      for _, place in ipairs {1, 4, 5} do
        local kind, element = unpack(KINDS_OF_ROWS[place])
        local x = row(element, 70000, "float64")
        local sorted = x:sort()
        for _, places in ipairs {{35000}, {0, 35000, 35001, 69999}, {10, 20000, 30000, 40000, 60000, 69998}} do
          local at = cn.array(places, "int64")
          same(sorted:take(at + 1), select_rows.values(x, at, "select"), kind)
        end
      end
    end))

    it("has NaN last in either direction, and equal zeros in their order", prepared(function()
      for _, n in ipairs {5000, 50000} do
        local x = row(few, n, "float32")
        x[{{1, -1, 7}}] = cn.nan
        x[{{2, -1, 5}}] = -0.0
        for _, largest in ipairs {true, false} do
          local order = x:argsort {descending = largest}
          for _, k in ipairs {1, n / 4, n} do
            local values, places = x:topk(k, {largest = largest})
            same(order[{{1, k}}], places)
            same(x:take(places), values)
          end
        end
        check_parts(x, x:partition(n), n)
        local middle = x:median()
        assert.is_true(preparing.rehearsing or middle:item() ~= middle:item())
        same(x[cn.logical_not(x:isnan())]:median(), cn.nanmedian(x))
      end
    end))

    it("may leave the greatest elements in any order, and takes their positions along any axis", prepared(function()
      local x = row(scattered, 5000, "int32", 2)
      local values, places = x:topk(9, {sorted = false})
      same(x:topk(9), values:sort {descending = true})
      same(x:take_along_axis(places, -1), values)
      local down, at = x.T:topk(9, 1)
      same((x:topk(9)), down.T)
      same(x:take_along_axis(at.T, -1), down.T)
    end))

    it("gives the memory back that it takes", function()
      local x = row(scattered, 50000, "float32")
      local pool = cn.get_default_memory_pool()
      x:median():free()
      collectgarbage()
      local before = pool:used_bytes()
      for _ = 1, 3 do x:median():free() end
      collectgarbage()
      assert.equal(before, pool:used_bytes())
    end)

    it("waits for nothing", prepared(function()
      local x = row(scattered, 5000, "float32", 2)
      cn.no_sync(function() return x:partition(7), x:argpartition(7), x:topk(3), x:median(2), cn.nanmedian(x, 2) end)
    end))

    it("refuses what it cannot do", function()
      raises("topk: sorted is true or false", function() local _ = cn.topk({1, 2}, 1, {sorted = 1}) end)
      raises("topk: a 0-d array has no axis", function() local _ = cn.topk(3, 1) end)
      raises("argpartition: kth is 0, and the axis has 2 elements", function() local _ = cn.argpartition({1, 2}, 0) end)
      local x, places = cn.zeros {2, 3}, cn.zeros({3, 1}, "int64")
      raises("select: the places are not int64", function() select_rows.values(x, places, "select") end)
      raises("select: the places are not int64", function() select_rows.values(x, cn.zeros(1), "select") end)
    end)
  end)
end)
