--- loop_rehearsals.lua: calls of the library's functions by which loops.lua finds the steps that programs have.
--
-- Each entry is a function that calls some with arrays of a dtype. What matters is which steps a call needs: dtypes
-- and expressions, not lengths or layouts.
local cn = require "cuna"
local calls = require "cuna.tools.loop_calls"
local demand = require "cuna.random.demand"
local elementwise = require "cuna.elementwise"
local ops = require "cuna.ops"
local reductions = require "cuna.reductions"
local special = require "cuna.special.ops"
local run_text = require "cuna.tools.call_text"
local ufunc = require "cuna.ufunc"

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
  "bfloat16", "float32", "float64", "complex64", "complex128"}
local LENGTH = 4

local M = {}

local function add(rehearse, ...)
  local arguments = {...}
  M[#M + 1] = function() return rehearse(unpack(arguments)) end
end

--- Every elementwise operation with every dtype, with a bool first, and with whole numbers second.
local function rehearse_row(name, nargs, dtype)
  local x = cn.empty(LENGTH, dtype)
  local arrays = {}
  for i = 1, nargs do arrays[i] = x end
  cn[name](unpack(arrays))
end

local function rehearse_mixed(name, nargs, dtype, place, other)
  local arrays = {}
  for i = 1, nargs do arrays[i] = cn.empty(LENGTH, i == place and other or dtype) end
  cn[name](unpack(arrays))
end

for _, row in ipairs(ops) do
  local nargs = row.nargs or 1
  for _, dtype in ipairs(DTYPES) do
    add(rehearse_row, row.name, nargs, dtype)
    if nargs > 1 then
      add(rehearse_mixed, row.name, nargs, dtype, 1, "bool")
      add(rehearse_mixed, row.name, nargs, dtype, nargs, "int64")
    end
  end
end

-- ---- special functions, which compute in floats ----

local FLOATS = {"float32", "float64", "complex64", "complex128"}

local function rehearse_special(name, nargs, dtype)
  local arrays = {}
  for i = 1, nargs do arrays[i] = cn.empty(LENGTH, dtype) end
  cn.special[name](unpack(arrays))
end

for _, row in ipairs(special) do
  for _, dtype in ipairs(FLOATS) do add(rehearse_special, row.name, row.nargs, dtype) end
end

for _, dtype in ipairs {"complex64", "complex128"} do
  add(function() return cn.special.lambertw(cn.empty(LENGTH, dtype), cn.empty(LENGTH, "int64")) end)
end

-- ---- updates at positions (at.lua) ----

local function rehearse_update(name, dtype, other)
  local x = cn.empty(LENGTH, dtype)
  cn[name .. "_at"](x, cn.empty(LENGTH, "int64"), other and cn.empty(LENGTH, other) or 1)
end

--- Values of every dtype, which may be wider than the elements, and numbers.
for _, row in ipairs(elementwise.rows()) do
  for _, dtype in ipairs(row.nargs == 2 and row.inplace and DTYPES or {}) do
    add(rehearse_update, row.name, dtype)
    for _, other in ipairs(DTYPES) do add(rehearse_update, row.name, dtype, other) end
  end
end

-- ---- positions of several dtypes (gather.lua) ----

local POSITIONS = {"int64", "uint64", "float64"} -- as which those of other dtypes are read

local function rehearse_key(...)
  local key = {...}
  for k, dtype in ipairs(key) do key[k] = cn.empty(LENGTH, dtype) end
  return cn.empty({2, 2, 2, 2})[key]
end

local function rehearse_starts(dtype) return cn.add_reduceat(cn.empty(LENGTH), cn.empty(2, dtype)) end

for _, i in ipairs(POSITIONS) do
  add(rehearse_starts, i)
  for _, j in ipairs(POSITIONS) do
    add(rehearse_key, i, j)
    add(rehearse_key, i, i, i, j)
    for _, k in ipairs(POSITIONS) do add(rehearse_key, i, j, k) end
  end
end

-- ---- integers between bounds in arrays (random/integers.lua) ----

local BOUNDS = {"int64", "float64"}
local WHOLE = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}

local function rehearse_integers(low, high, dtype)
  cn.random.default_rng(1):integers(cn.empty(LENGTH, low), cn.empty(LENGTH, high), nil, dtype)
end

for _, dtype in ipairs(WHOLE) do
  for _, low in ipairs(BOUNDS) do
    for _, high in ipairs(BOUNDS) do add(rehearse_integers, low, high, dtype) end
  end
end

-- ---- demands of parameters (random/demand.lua) ----

for _, what in pairs(demand) do
  if type(what) == "table" then add(demand.check, cn.empty(LENGTH, "float64"), what, "rehearsal", "a parameter") end
end

-- ---- calls ----

--- What stands in the text of calls, by name: without more words arrays of the dtype.
local function operands(dtype)
  return {
    cn = cn, math = math, d = dtype, g = cn.random.default_rng(1), rs = cn.random.RandomState(1),
    x = cn.empty({2, 2}, dtype), v = cn.empty(LENGTH, dtype), v2 = cn.empty(2, dtype), t = cn.empty(3, dtype),
    y = cn.empty({2, 2}), y3 = cn.empty({2, 2, 2}), y4 = cn.empty({2, 2, 2, 2}), s = cn.empty(LENGTH, "float32"),
    m = cn.empty({2, 2}, "bool"), m1 = cn.empty(LENGTH, "bool"), o = cn.empty(LENGTH, "uint8"),
    p = cn.empty(LENGTH, "int64"), p2 = cn.empty(2, "int64"), q = cn.empty({2, 2}, "int64"),
    f = cn.empty(LENGTH, "float64"), z = cn.empty(LENGTH, "complex128"),
    f2 = cn.empty(2, "float64"), u = cn.empty(LENGTH, "uint64"),
    nine = cn.empty(9, "bool"), seven = cn.empty(7, "bool"), long = cn.empty(64, dtype), more = cn.empty(1024, dtype),
    big = cn.empty({2, 5000}, dtype),
    column = cn.empty({LENGTH, 2}, dtype)[{{}, 1}],
  }
end

local function rehearse_call(text, dtype) run_text(text, operands(dtype)) end

for _, group in ipairs(calls) do
  for _, dtype in ipairs(group.of) do
    for _, text in ipairs(group) do add(rehearse_call, text, dtype) end
  end
end

-- ---- folds ----

--- Every reduction of every dtype, and of those asked for.
local function rehearse_fold(name, dtype, asked)
  cn[name](cn.empty(LENGTH, dtype), {axis = 1, dtype = asked})
end

for _, row in ipairs(reductions.rows) do
  for _, dtype in ipairs(row.of and {} or DTYPES) do
    add(rehearse_fold, row.name, dtype)
    if row.family == "fold" or row.family == "spread" then add(rehearse_fold, row.name, dtype, dtype) end
  end
end

-- Operations whose reducing form folds, as their order does not matter (ufunc.lua).
local ORDERLESS = {"add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor",
  "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "hypot", "logaddexp", "logaddexp2"}

--- Their reducing forms; with a mask.
local function rehearse_reduce(name, dtype, where)
  local x = cn.empty(LENGTH, dtype)
  cn[name](x, {where = where and cn.empty(LENGTH, "bool"), initial = where and 0 or nil})
end

for _, name in ipairs(ORDERLESS) do
  for _, dtype in ipairs(DTYPES) do
    add(rehearse_reduce, name .. "_reduce", dtype)
    add(rehearse_reduce, name .. "_reduce", dtype, true)
  end
end

--- Norms, and sums of products.
for _, dtype in ipairs(DTYPES) do
  for _, ord in ipairs {2, 1, 0, 3, math.huge, -math.huge} do
    add(function() cn.linalg.norm(cn.empty(LENGTH, dtype), ord) end)
  end
  add(function() cn.average(cn.empty(LENGTH, dtype), {weights = cn.empty(LENGTH, dtype), axis = 1}) end)
  add(function() cn.average(cn.empty(LENGTH, dtype), {weights = cn.empty(LENGTH, "float64"), axis = 1}) end)
  for _, name in ipairs {"det", "slogdet"} do
    add(function() cn.linalg[name](cn.empty({LENGTH, LENGTH}, dtype)) end)
  end
end

-- ---- scans ----

local SUMMED = {"int32", "int64", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64",
  "complex128"}
local COMPARED = {"int32", "int64", "uint64", "float32", "float64", "complex64", "complex128"}

local function rehearse_scan(name, dtype) cn[name](cn.empty(LENGTH, dtype), 1, dtype) end

for _, row in ipairs(reductions.rows) do
  if row.family == "running" then
    for _, dtype in ipairs(row.types == reductions.asked_types and COMPARED or SUMMED) do
      add(rehearse_scan, row.name, dtype)
    end
  end
end

-- Of operations whose order matters, a program for each dtype (ufunc.lua); of others, one that folds again.
for _, row in ipairs(ops) do
  for _, dtype in ipairs(ufunc.functions[row.name .. "_reduce"] and DTYPES or {}) do
    add(rehearse_row, row.name .. "_reduce", 1, dtype)
    add(rehearse_scan, row.name .. "_accumulate", dtype)
    add(function() cn[row.name .. "_reduceat"](cn.empty(LENGTH, dtype), {1, 2}) end)
  end
end

add(function() cn.place(cn.empty(LENGTH), cn.empty(LENGTH, "bool"), cn.empty(2)) end)
for _, dtype in ipairs {"float32", "float64"} do add(rehearse_row, "unwrap", 1, dtype) end

return M
