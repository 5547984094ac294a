--- Reductions against NumPy's golden results, the rules that these cannot tell, and errors.
local cn = require "cuna"
local core = require "cuna.core"
local ffi = require "ffi"
local devices = require "spec.support.devices"
local golden = dofile("spec/golden/reduce.lua")
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"

ffi.cdef [[
long long strtoll(const char *text, char **rest, int base);
unsigned long long strtoull(const char *text, char **rest, int base);
]]

local inf, nan = math.huge, 0 / 0

-- ---- golden cases ----

--- A number as it is spelled in a golden file.
local function number_of(token, dtype)
  if dtype:find "64$" and #token > 15 and not token:find "x" then
    return dtype == "int64" and ffi.C.strtoll(token, nil, 10) or ffi.C.strtoull(token, nil, 10)
  end
  return token == "nan" and nan or tonumber(token)
end

--- The elements that a golden text spells.
local function elements_of(text, dtype)
  local values = {}
  for token in text:gmatch "%S+" do values[#values + 1] = number_of(token, dtype) end
  if not dtype:find "^complex" then return values end
  local numbers = {}
  for i = 1, #values, 2 do numbers[#numbers + 1] = ffi.new("complex", values[i], values[i + 1]) end
  return numbers
end

local function size_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

--- An array of a case: its values, repeated.
local function input(case)
  local values, cycled, size = elements_of(golden.values[case.values], case.dtype), {}, size_of(case.shape)
  if size == 0 then return cn.zeros(case.shape, case.dtype) end
  for i = 1, size do cycled[i] = values[(i - 1) % #values + 1] end
  return cn.array(cycled, case.dtype):reshape(case.shape)
end

local function run(case)
  local options = {axis = case.axis, keepdims = case.keepdims, dtype = case.asked, ddof = case.ddof}
  return cn[case.op](input(case), options)
end

-- Relative error allowed where NumPy's own result depends on the order of its sums.
local ROUNDING = {float16 = 1e-3, bfloat16 = 8e-3, float32 = 2e-6, float64 = 1e-14, complex64 = 1e-6,
  complex128 = 1e-15}
local INEXACT = {var = true, std = true, nanvar = true, nanstd = true}

--- Means of complex numbers divide each part alone here, more exactly than NumPy, where NaN also spreads to both parts.
local function rounding(case)
  local rounds = INEXACT[case.op] or (case.op:find "mean$" and case.gives:find "^complex")
  return rounds and ROUNDING[case.gives] or 0
end

local function same_real(a, b, rtol)
  if b ~= b then return a ~= a end
  return a == b and (type(a) ~= "number" or 1 / a == 1 / b) or (rtol > 0 and math.abs(a - b) <= rtol * math.abs(b))
end

local function same(a, b, rtol)
  if type(a) == "boolean" then return a == (b ~= 0) end
  if ffi.istype("complex", b) then -- the sign of a part that is 0 depends on the order of products
    if rtol > 0 and (b.re ~= b.re or b.im ~= b.im) then return a.re ~= a.re or a.im ~= a.im end
    return same_real(a.re + 0, b.re + 0, rtol) and same_real(a.im + 0, b.im + 0, rtol)
  end
  return same_real(a, b, rtol)
end

local function flat(x)
  return cn.is_array(x) and x:reshape(x.size):totable() or {x}
end

local function label(case)
  local axis = type(case.axis) == "table" and "{" .. table.concat(case.axis, ",") .. "}" or tostring(case.axis)
  local shape = table.concat(case.shape, ",")
  return ("%s %s(%s) values %d, axis %s"):format(case.op, case.dtype, shape, case.values, axis)
end

--- What is wrong with the answer to a case, or nil.
local function fault(case)
  local ok, result = pcall(run, case)
  if case.error and ok then return "no error, but " .. tostring(result) end
  if not ok then return not case.error and result or nil end
  local decides = (case.op == "any" or case.op == "all") and case.axis == nil and case.keepdims == nil
  if decides ~= (type(result) == "boolean") then return "a Lua boolean or none" end
  if not decides and result.dtype ~= case.gives then return ("dtype %s, not %s"):format(result.dtype, case.gives) end
  local shape = cn.empty(case.result_shape).shape
  if not decides and result.shape ~= shape then return ("shape %s, not %s"):format(result.shape, shape) end
  local actual, expected, rtol = flat(result), elements_of(case.result, case.gives), rounding(case)
  for i = 1, #expected do
    if not same(actual[i], expected[i], rtol) then
      return ("element %d is %s, not %s"):format(i, tostring(actual[i]), tostring(expected[i]))
    end
  end
end

--- The cases of each operation.
local function cases_by_operation()
  local lists, names = {}, {}
  for _, case in ipairs(golden.cases) do
    if not lists[case.op] then names[#names + 1], lists[case.op] = case.op, {} end
    table.insert(lists[case.op], case)
  end
  return lists, names
end

devices.each_device(function()
  local lists, names = cases_by_operation()

  setup(function()
    devices.prepare(function()
      for _, case in ipairs(golden.cases) do pcall(run, case) end
    end)
  end)

  describe("golden results of", function()
    for _, name in ipairs(names) do
      it(name, function()
        local faults = {}
        for _, case in ipairs(lists[name]) do
          local found = fault(case)
          if found then faults[#faults + 1] = label(case) .. ": " .. found end
        end
        assert(#faults == 0, "\n  " .. table.concat(faults, "\n  "))
      end)
    end
  end)

  describe("rules", function()
    it("keep -0 in sums as NumPy 2 does, and make +0 of nothing", function()
      assert.are_equal(-inf, 1 / cn.array({-0.0}):sum():item())
      assert.are_equal(-inf, 1 / cn.full({3, 5}, -0.0, "float32"):sum(1):totable()[1])
      assert.are_equal(inf, 1 / cn.array({-0.0, 0}):sum():item())
      assert.are_equal(inf, 1 / cn.zeros(0):sum():item())
    end)

    it("take the first of equals and the first NaN, far into an array", function()
      local x = cn.zeros(5000)
      x[1200], x[4000] = 1, 1
      assert.are_equal(1200, x:argmax():item())
      assert.are_equal(1, x:argmin():item())
      x[3000], x[3500] = nan, nan
      assert.are_equal(3000, x:argmax():item())
      assert.are_equal(3000, x:argmin():item())
      assert.are_equal(1200, cn.nanargmax(x):item())
    end)

    it("take the first of equals in runs of any length, of every kind of number", function()
      local function first_of(values, better)
        local best
        for i, v in ipairs(values) do
          if not best or (v ~= v and values[best] == values[best]) or better(v, values[best]) then best = i end
        end
        return best
      end
      local function greater(a, b) return a > b end
      local function less(a, b) return a < b end
      for _, dtype in ipairs {"float64", "float32", "float16", "int64", "uint8"} do
        for _, n in ipairs {1, 7, 15, 16, 33, 65, 255, 257, 300, 700} do
          local x = ((cn.arange(3 * n):reshape(3, n) * 7919) % 1009 % 50):astype(dtype)
          if dtype:find "float" and n > 20 then x[{2, n - 3}], x[{2, n - 1}] = nan, nan end
          local greatest, least = x:argmax(2):totable(), x:argmin(2):totable()
          for k, values in ipairs(x:totable()) do
            assert.are_equal(first_of(values, greater), greatest[k], dtype .. n)
            assert.are_equal(first_of(values, less), least[k], dtype .. n)
          end
        end
      end
    end)

    it("count runs of any length, more than a byte holds", function()
      for _, dtype in ipairs {"bool", "int8", "float64"} do
        local ones = cn.ones(64 * 512 + 70, dtype)
        local mixed = (cn.arange(ones.size) % 3):astype(dtype)
        for _, n in ipairs {1, 63, 64, 65, 64 * 255 - 1, 64 * 255, 64 * 255 + 1, 64 * 510, 64 * 512 + 69} do
          for first = 1, 2 do
            local ends = ("%d:%d"):format(first, first + n - 1)
            assert.equal(n, ones[ends]:count_nonzero():item())
            local multiples = math.floor((first + n - 2) / 3) + (first == 1 and 1 or 0)
            assert.equal(n - multiples, mixed[ends]:count_nonzero():item())
          end
        end
        assert.equal(10000, ones["1:30000:3"]:count_nonzero():item())
        assert.equal(300 * 100, ones["1:30000"]:reshape(300, 100).T:count_nonzero():item())
      end
    end)

    it("decide over all axes only", function()
      local m = cn.array({{true, false}, {true, true}})
      assert.is_true(m:any())
      assert.is_false(m:all())
      assert.is_false(cn.zeros({0, 3}):any())
      assert.is_true(cn.zeros({0, 3}):all({}))
      assert.array_equal(m:all(1), {true, false})
      assert.has_shape(m:any({keepdims = true}), 1, 1)
      assert.are_equal("bool", m:any({out = cn.zeros({}, "bool")}).dtype)
    end)

    it("give 0-d arrays, on the device of the input", function()
      local x = cn.arange(6)
      for _, op in ipairs {"sum", "mean", "max", "argmax", "std", "ptp", "count_nonzero"} do
        local result = x[op](x)
        assert.are_equal(0, result.ndim)
        assert.are_equal(x.device, result.device)
      end
    end)

    it("have means of integers in the default float dtype", function()
      local before = cn.set_default_dtype("float32")
      local mean, var = cn.arange(4):mean(), cn.array({1, 2}, "int8"):var()
      cn.set_default_dtype(before)
      assert.are_equal("float32", mean.dtype)
      assert.are_equal("float32", var.dtype)
      assert.are_equal("float64", cn.arange(4):mean().dtype)
    end)

    it("keep infinities in nanvar, which only NaN leave", function()
      assert.is_true(cn.isnan(cn.nanvar({1, inf})):item())
      assert.are_equal(1, cn.nanvar({1, nan, 3}):item())
      assert.are_equal(2, cn.nanvar({1, nan, 3}, {ddof = 1LL}):item())
      assert.is_true(cn.isnan(cn.nanstd({nan, 2}, {ddof = 1})):item())
    end)
  end)

  describe("out", function()
    it("is written and returned, whatever its layout", function()
      local x = cn.arange(12):reshape(3, 4):astype("float32")
      local wide = cn.zeros({8}, "float64")
      local out = wide["::2"]
      assert.is_true(rawequal(out, x:sum(1, {out = out})))
      assert.array_equal(wide, {12, 0, 15, 0, 18, 0, 21, 0})
      assert.array_equal(x:max({axis = 2, keepdims = true, out = cn.zeros({3, 1}, "float32")}), {{3}, {7}, {11}})
      assert.array_equal(cn.nanargmax(x, 1, {out = cn.zeros(4, "int32")}), {3, 3, 3, 3})
      assert.array_equal(x:sum({axis = {}, out = x}), cn.arange(12):reshape(3, 4))
      assert.are_equal("int8", x:astype("int8"):sum({out = cn.zeros({}, "int8")}).dtype)
    end)

    it("may overlap the input", function()
      local x = cn.arange(12):reshape(3, 4)
      x:sum(1, {out = x[2]})
      assert.array_equal(x, {{0, 1, 2, 3}, {12, 15, 18, 21}, {8, 9, 10, 11}})
      local y = cn.arange(4):astype("float64")
      y:var({axis = 1, keepdims = true, out = y["2:2"]})
      assert.array_equal(y, {0, 1.25, 2, 3})
    end)

    it("stays as it was when nanargmax fails", function()
      local out = cn.full({2}, 7, "int64")
      assert.has_error(function() cn.nanargmax({{nan, nan}, {1, 2}}, 2, {out = out}) end)
      assert.array_equal(out, {7, 7})
    end)
  end)

  describe("rounding", function()
    local function relative_error(actual, exact)
      return (actual:astype("float64") - exact):abs():max():item() / exact:abs():max():item()
    end

    it("of float32 sums stays within 1e-6", function()
      local n = cn.device().kind == "cpu" and 1000 or 500
      local x = (cn.arange(n * n):mul(48271):mod(65537):astype("float32") / 65537):reshape(n, n)
      local exact = x:astype("float64")
      assert.is_true(relative_error(x:reshape(n * n):sum(), exact:sum()) < 1e-6)
      assert.is_true(relative_error(x:sum(1), exact:sum(1)) < 1e-6)
      assert.is_true(relative_error(x:sum(2), exact:sum(2)) < 1e-6)
      assert.is_true(relative_error(x:transpose():sum(), exact:sum()) < 1e-6)
    end)

    it("of float32 variances does not suffer from a large mean", function()
      local x = cn.arange(100000):mul(48271):mod(65537):astype("float32") / 65537 + 10000
      assert.is_true(relative_error(x:var(), x:astype("float64"):var()) < 1e-3)
      assert.is_true(relative_error(x:reshape(100, 1000):var(1), x:astype("float64"):reshape(100, 1000):var(1)) < 1e-3)
    end)

    it("of variances grows neither with a first element far away nor with a trend", function()
      local x = cn.arange(100000):mul(48271):mod(65537):astype("float64") / 65537
      for _, change in ipairs {function(y) y[1] = 1e4 end, function(y) y:add_(cn.arange(100000)) end} do
        local y = x:copy()
        change(y)
        local exact, z = cn.square(y - y:mean()):mean(), y:astype "float32"
        assert.is_true(relative_error(z:var(), exact) < 1e-5)
        assert.is_true(relative_error(cn.nanvar(cn.concatenate {z, cn.array({cn.nan}, "float32")}), exact) < 1e-5)
        assert.is_true(relative_error(y:var(), exact) < 1e-12)
      end
    end)

    it("of variances beyond the range is infinite, and NaN with an infinite element", function()
      local huge = {float32 = 1e30, float64 = 1e200}
      for dtype, far in pairs(huge) do
        for _, place in ipairs {1, 2, 700, 5000} do
          local x = cn.ones({5000, 3}, dtype)
          x[{place, 2}] = far
          assert.are_same({0, inf, 0}, x:var(1):totable(), dtype .. " " .. place)
          assert.are_same({0, inf, 0}, cn.nanstd(x, 1):totable())
          assert.are_equal(inf, x:std():item())
          assert.are_equal(inf, x.T:copy():var(2)[2])
          x[{3, 2}] = -far
          assert.are_equal(inf, x:var():item())
          x[{5001 - place, 2}] = inf
          assert.is_true(cn.isnan(x:var(1)):eq({false, true, false}):all())
          assert.is_true(cn.isnan(cn.nanvar(x)):item())
        end
      end
      assert.are_equal(inf, cn.array({3e38, -3e38}, "float32"):var():item())
      assert.are_equal(inf, cn.fuse(function(x) return x:var() end)(cn.array({2e19, -2e19}, "float32")):item())
    end)
  end)
end)

-- ---- every row ----

-- Dtypes that every row has cases of; NaN is of floats and complex numbers alone.
local IGNORING_NAN = {"int16", "float16", "bfloat16", "float32", "float64", "complex64"}
local ALL_DTYPES = {}
for i, dtype in ipairs(core.dtypes) do ALL_DTYPES[i] = dtype.name end

--- What cases of a row are missing, by its dtypes and by what else decides how it folds.
local function missing_cases(row, cases)
  local has, missing = {}, {}
  for _, case in ipairs(cases or {}) do
    has[case.dtype] = true
    if case.axis then has["an axis"] = true end
    if size_of(case.shape) == 0 then has["no elements"] = true end
    if golden.values[case.values]:find "nan" then has["NaN"] = true end
  end
  for _, list in ipairs {row.plain and IGNORING_NAN or ALL_DTYPES, {"an axis", "no elements", "NaN"}} do
    for _, what in ipairs(list) do
      if not has[what] then missing[#missing + 1] = what end
    end
  end
  return missing
end

describe("every row of reductions.lua", function()
  local lists = cases_by_operation()

  it("has golden values", function()
    local findings = {}
    for _, row in ipairs(reducers.rows) do
      local missing = reduce.families[row.family] and missing_cases(row, lists[row.name]) or {}
      if #missing > 0 then
        findings[#findings + 1] = ("no oracle for %s of %s: add it to spec/golden/reduce.py"):format(row.name,
          table.concat(missing, ", "))
      end
    end
    assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
  end)

  it("is a function and, unless it ignores NaN or says so, a method", function()
    for _, row in ipairs(reducers.rows) do
      for _, name in ipairs {row.name, unpack(row.alias)} do
        assert(type(rawget(cn, name)) == "function", name .. " is of the family " .. row.family)
      end
      assert.equal(row.method, core.methods()[row.name] ~= nil, row.name)
    end
  end)
end)

-- ---- misuse ----

describe("errors", function()
  local x = cn.arange(6):reshape(2, 3)

  --- The call, on one line, and its message.
  local MISUSE = {
    {function() x:sum(0) end, "sum: axis 0: axes count from 1 in Lua"},
    {function() x:sum(3) end, "sum: axis 3 is out of range for an array of 2 axes (axes run from 1 to 2, or -2 to -1)"},
    {function() x:max(-3) end,
      "max: axis -3 is out of range for an array of 2 axes (axes run from 1 to 2, or -2 to -1)"},
    {function() x:var({axis = {1, -2}}) end, "var: axis 1 is named twice"},
    {function() x:sum(1.5) end, "sum: an axis must be an integer, got 1.5"},
    {function() x:sum("rows") end, "sum: an axis must be an integer, got string"},
    {function() x:sum({axis = {[2] = 1}}) end,
      "sum: the list of axes has no entry 1 (nil), and has an entry 2"},
    {function() x:sum({axis = {[0] = 1, 2}}) end, "sum: the list of axes has a key 0; positions count from 1"},
    {function() x:sum({axis = {a = 1}}) end,
      "sum: the list of axes has the key 'a'; write the list of axes and options apart, as in sum({3, 4}, {a = ...})"},
    {function() x:argmax({axis = {1, 2}}) end, "argmax: axis is one number, got a table"},
    {function() x:sum({axes = 1}) end, "sum: unknown option 'axes'; known are axis, dtype, out, keepdims"},
    {function() x:sum(1, {axis = 2}) end, "sum: axis is given by position and by option"},
    {function() x:min(1, nil, true, 4) end, "min: takes at most 4 arguments (x, axis, out, keepdims), got 5"},
    {function() x:min(1, nil, true, 4, {}) end, "min: takes at most 4 arguments (x, axis, out, keepdims), got 6"},
    {function() x:sum({1, keepdims = true}) end,
      "sum: a table with the option 'keepdims' and list elements; write data and options apart, as in " ..
      "sum({1, 2}, {keepdims = ...})"},
    {function() x:sum({keepdims = 1}) end, "sum: keepdims is true or false, got 1"},
    {function() x:var({ddof = "1"}) end, "var: ddof is a number, got \"1\"; write it without quotes"},
    {function() x:std({dtype = "int32"}) end, "std: dtype is a float or complex dtype, not int32"},
    {function() x:argmin({dtype = "int32"}) end, "argmin: positions are int64, not int32"},
    {function() x:sum({dtype = "float33"}) end, "sum: unknown dtype 'float33'; did you mean 'float32'?"},
    {function() x:sum({out = 1}) end, "sum: out: expected an array, got 1"},
    {function() x:sum(1, {out = cn.zeros(2)}) end, "sum: out has shape (2,), but the result has shape (3,)"},
    {function() x:mean(1, {out = cn.zeros(3, "int64")}) end,
      "mean: a float64 result cannot be written to int64; cast it with astype"},
    {function() x:astype("complex64"):mean({dtype = "float32"}) end,
      "mean: complex64 does not cast to float32; use x.real"},
    {function() x:sum(1, {out = cn.broadcast_to(cn.zeros(1, "int64"), {3})}) end,
      "sum: the array of shape (3,) is a broadcast view, whose elements share memory; write to a copy (x:copy())"},
    {function() cn.sum() end, "sum: no array given; write x:sum() with a colon, or cn.sum(x)"},
    {function() cn.any(x == x) end, "any: got a Lua boolean; write x:eq(y) or x:logical_not() for an array of bools"},
    {function() cn.sum("text") end, "sum: expected an array, a number or a nested table, got string"},
    {function() x:gt(1):ptp() end, "ptp: not defined for bool; use astype(\"int8\")"},
    {function() cn.zeros({0, 3}):max(1) end,
      "max: zero elements to reduce, and max has no identity; the array has shape (0, 3)"},
    {function() cn.zeros(0):argmin() end,
      "argmin: zero elements to reduce, and argmin has no identity; the array has shape (0,)"},
    {function() cn.nanargmin({{1, 2}, {nan, nan}}, 2) end, "nanargmin: a slice holds only NaN"},
  }

  for _, row in ipairs(MISUSE) do
    it("say: " .. row[2], function()
      local line = debug.getinfo(row[1], "S").linedefined
      local ok, message = pcall(row[1])
      assert.is_false(ok)
      assert.are_equal(("spec/reduce_spec.lua:%d: cuna: %s"):format(line, row[2]), message)
    end)
  end
end)
