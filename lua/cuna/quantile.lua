--- quantile.lua: medians, percentiles, quantiles: values between sorted elements.
--
-- Rows are sorted, and one program reads the elements of each result: it computes the position in the sorted row from a
-- probability and the number of elements, reads the two elements there and interpolates. NaN is sorted last, so the
-- last element shows whether a row has any; functions that ignore NaN bisect for the first one. Positions are computed
-- on the device of the result, so no call waits for a device, even if probabilities are arrays. A device with few cores
-- does not sort: a program moves only the requested elements of a row to their sorted positions (kernels/select.cuh).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local manipulate = require "cuna.manipulate"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local sort = require "cuna.sort"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local is_inexact = reducers.is_inexact
local kind_of, size_of, storage = dtype_facts.kind_of, dtype_facts.size_of, dtype_facts.storage

-- ---- methods ----

--- The position, from 0, of probability b in a elements, for the constants alpha and beta of Hyndman and Fan.
local function between(alpha, beta)
  return ("rounded(a * b) + (%.17g + rounded(b * %.17g)) - 1"):format(alpha, 1 - alpha - beta)
end

local FRACTION = "a - floor(a)"

-- For each method the position, from 0, of probability b among a elements. Methods that interpolate between the two
-- elements beside the position also have the share of the second one, from the position a.
local METHODS = {
  inverted_cdf = {place = "ceil(rounded(a * b) - 1)"},
  averaged_inverted_cdf = {place = "rounded(a * b) - 1", share = "a == floor(a) ? 0.5 : 1.0"},
  closest_observation = {place = "rint(rounded(a * b)) - 1"},
  interpolated_inverted_cdf = {place = between(0, 1), share = FRACTION},
  hazen = {place = between(0.5, 0.5), share = FRACTION},
  weibull = {place = between(0, 0), share = FRACTION},
  linear = {place = "(a - 1) * b", share = FRACTION},
  median_unbiased = {place = between(1 / 3, 1 / 3), share = FRACTION},
  normal_unbiased = {place = between(3 / 8, 3 / 8), share = FRACTION},
  lower = {place = "floor((a - 1) * b)"},
  higher = {place = "ceil((a - 1) * b)"},
  midpoint = {place = "0.5 * (floor((a - 1) * b) + ceil((a - 1) * b))", share = "a == floor(a) ? 0.0 : 0.5"},
  nearest = {place = "rint((a - 1) * b)"},
  median = {place = "0.5 * (a - 1)", share = FRACTION, halves = true},
}

local function method_of(method, name)
  method = method == nil and "linear" or method
  if METHODS[method] and method ~= "median" then return method end
  local names = {}
  for known in pairs(METHODS) do
    if known ~= "median" then names[#names + 1] = ("%q"):format(known) end
  end
  table.sort(names)
  fail("%s: method is one of %s, got %s", name, table.concat(names, ", "), check.show(method))
end

-- ---- programs ----

--- The properties of a program: method; dtype, loop, result (of elements, of interpolation, of results); q, the dtype
--- of probabilities, and given, their form: "number", "table", or "array", which the device checks; most, the greatest
--- probability (1 or 100); skips, whether NaN is ignored.
---@class cuna.Quantile

local SCALAR = {dtype = "int64", scalar = true}
-- A whole number a limited to b positions, from 0; 0 in an empty row.
local IN_ROW = "a > 0 && b > 0 ? a < double(b - 1) ? int64(a) : b - 1 : int64(0)"
-- Interpolates from a to b, whose difference is c, by the share d, from the nearer end. If both are equal, or only one
-- of them has a share, infinity stays infinity.
local MIXED = "a == b || d == 0 ? a : d >= R(0.5) ? b - rounded(c * (R(1) - d)) : a + rounded(c * d)"

--- The inputs and steps of a program. The inputs are the address of a sorted row, a probability, the row's length, and
--- a report mark if the device checks the probability.
local function draw_quantile(draft, what)
  local method, dtype, loop = METHODS[what.method], what.dtype, what.loop
  draft.inputs = {{dtype = dtype, address = true}, {dtype = what.q, scalar = what.given == "number"}, SCALAR,
    what.given == "array" and SCALAR or nil}
  draft.output, draft.gathers = what.result, true
  local function add(name, expr, own, values, dtypes) return draft:step(name, expr, own, values, dtypes) end
  local function element(at)
    local address = add("element", ("a + b * %d"):format(size_of[dtype]), "int64", {1, at}, {"int64", "int64"})
    return add("fetched", "fetched<D>(a)", dtype, {address}, {"int64"})
  end
  local q, count = 2, 3
  if what.given == "array" then
    q = add("probability", ("probability(a, %d, b)"):format(what.most), "float64", {q, 4}, {"float64", "int64"})
  end
  if what.most ~= 1 then q = add("scaled", ("a / %d"):format(what.most), "float64", {q}, {"float64"}) end
  if what.skips then
    count = add("numbers", ("numbers<%s>(a, b)"):format(storage(dtype)), "int64", {1, 3}, {"int64", "int64"})
  end
  local function at(place) return element(add("in_row", IN_ROW, "int64", {place, count}, {"float64", "int64"})) end
  local place = add("place", method.place, "float64", {count, q}, {"float64", "float64"})
  local value
  if method.halves then
    local before = at(add("before", "floor(a)", "float64", {place}, {"float64"}))
    local behind = at(add("behind", "ceil(a)", "float64", {place}, {"float64"}))
    local half = kind_of[loop] == "c" and "divide_by(wrap_add(a, b), 2)" or "wrap_add(a, b) * R(0.5)"
    value = add("half_way", "c == floor(c) ? a : " .. half, loop, {before, behind, place}, {loop, loop, "float64"})
  elseif method.share then
    local before = at(add("before", "floor(a)", "float64", {place}, {"float64"}))
    local behind = at(add("behind", "floor(a) + 1", "float64", {place}, {"float64"}))
    local share = add("share", method.share, "float64", {place}, {"float64"})
    local own = is_inexact(dtype) and dtype or loop
    local way = add("way", "wrap_sub(b, a)", own, {before, behind}, {own, own})
    value = add("mixed", MIXED, loop, {before, behind, way, share}, {loop, loop, loop, loop})
  else
    value = at(place)
  end
  if is_inexact(dtype) and not what.skips then
    local last = element(add("last", "a - 1", "int64", {3}, {"int64"}))
    add("unless_nan", "isnan(a) ? a : b", loop, {last, value}, {loop, loop})
  end
end

local function program_for(what)
  local key = table.concat({what.method, what.dtype, what.loop, what.result, what.q, what.given, what.most,
    tostring(what.skips)}, " ")
  return program.get(key, draw_quantile, what)
end

-- ---- rows that are sorted at the requested positions ----

local MOST_PLACES = 8 -- that one program selects
-- The cost of selecting a position relative to its part of a sort, on one core: a sort of a row uses all cores.
local SELECTING = 3

local function draw_selector(draft, what, count)
  local dtype = what.dtype
  draft.inputs, draft.outputs = {{dtype = dtype, address = true}, {dtype = dtype, address = true}, SCALAR}, {}
  draft.gathers = true
  for _ = 1, count do draft:input("float64", "scalar") end
  local function add(name, expr, values, dtypes, own)
    return draft:step(name, (expr:gsub("<S", "<" .. storage(dtype))), own or "int64", values, dtypes)
  end
  local numbers = add("gathered_numbers", "gathered_numbers<S>(a, b, c)", {1, 2, 3})
  local length, last = what.skips and numbers or 3, nil
  for k = 1, count do
    local place = add("place", METHODS[what.method].place, {length, 3 + k}, nil, "float64")
    local at = add("in_row", IN_ROW, {place, length}, {"float64", "int64"})
    last = add("selected", ("selected<S>(a, %s, %s, %s)"):format(last and "d" or "0", "b", "c"), {2, numbers, at, last})
  end
end

--- A program that copies a row, with NaN at the end, and moves the elements at the positions of `count` ascending
--- probabilities where sorting would move them. Its inputs are the addresses of both rows, their length, and the
--- probabilities.
local function selector(what, count)
  local key = table.concat({what.method, what.dtype, tostring(what.skips), count}, " ")
  return program.get(key, draw_selector, what, count)
end

--- Probabilities as ascending shares if selecting them is faster than sorting: if they are few, known to the host, and
--- the device's cores do not all work on one row.
local function shares_to_select(what, list, rows, device)
  if core.lanes(device) > 1 or what.given == "array" or #list == 0 or #list > MOST_PLACES then return end
  if kind_of[what.dtype] == "c" then return end
  local cores = device.attributes.MultiProcessorCount
  if math.ceil(rows / cores) * cores > SELECTING * rows then return end
  local shares = {}
  for k, q in ipairs(list) do shares[k] = q / what.most end
  table.sort(shares)
  return shares
end

--- Rows of an array, sorted; or only at the requested positions, and with NaN at the end.
local function arranged(x, what, list, name)
  local count = x.shape[x.ndim]
  local shares = shares_to_select(what, list, x.size / count, x.device)
  if not shares then return sort.sorted(x, -1, false, name) end
  x = operands.row_major(x, name)
  local out, rows = core.empty(x.shape, x.dtype, x.device, name), {x.size / count}
  core.map(selector(what, #shares), name, rows, {}, core.view(x, rows, {count}, 0), core.view(out, rows, {count}, 0),
    count, unpack(shares))
  return out
end

-- ---- arguments ----

local MOST_AXES = 32

--- Appends the numbers in nested tables to a list; rejects numbers that are not probabilities.
local function append_probabilities(list, q, most, name, depth)
  if type(q) == "table" then
    if depth == MOST_AXES then fail("%s: q is nested deeper than an array has axes (%d)", name, MOST_AXES) end
    for _, part in ipairs(q) do append_probabilities(list, part, most, name, depth + 1) end
    return list
  end
  q = tonumber(check.number(q, name, "q"))
  if not (q and q >= 0 and q <= most) then fail("%s: q is from 0 to %d, got %s", name, most, tostring(q)) end
  list[#list + 1] = q
  return list
end

--- Probabilities: a number or an array on x's device; their form; and a list of them if the host knows them.
local function probabilities_of(q, x, most, name)
  if q == nil then fail("%s: q is missing", name) end
  if not core.is_array(q) then
    check.dot(q, name)
    local list = append_probabilities({}, q, most, name, 0)
    if type(q) ~= "table" then return list[1], "number", list end
    return core.as_array(q, "float64", x.device, name), "table", list
  end
  check.same_device(x, q, name)
  if kind_of[q.dtype] == "b" or kind_of[q.dtype] == "c" then
    fail("%s: q is a real number, got an array of %s", name, q.dtype)
  end
  return q, "array"
end

--- The dtype of interpolation: a float dtype that a Lua number does not change, promoted with that of an array.
local function loop_of(dtype, q, given)
  local default = dtype_rules.default_dtype()
  if given == "number" then return is_inexact(dtype) and dtype or default end
  return core.promote(dtype, given == "array" and is_inexact(q.dtype) and q.dtype or default)
end

--- The axes to fold, as bools, and the number of elements that they have together.
local function folded_axes(x, axis, name)
  local folded, count, shape = {}, 1, x.shape
  if type(axis) ~= "table" then axis = axis ~= nil and {axis} or nil end
  for k = 1, x.ndim do folded[k] = axis == nil end
  for _, given in ipairs(axis or {}) do
    local k = core.axis(given, x.ndim, name)
    if folded[k] then fail("%s: axis %d is named twice", name, k) end
    folded[k] = true
  end
  for k, length in ipairs(shape) do count = folded[k] and count * length or count end
  return folded, count
end

--- The elements over folded axes as rows.
local function rows_of(x, folded, count, name)
  local order, lengths, shape, back = {}, {}, x.shape, {}
  for k = 1, #shape do
    if folded[k] then
      back[#back + 1] = k
    else
      order[#order + 1], lengths[#lengths + 1] = k, shape[k]
    end
  end
  for _, k in ipairs(back) do order[#order + 1] = k end
  lengths[#lengths + 1] = count
  if #shape > 1 then x = manipulate.functions.transpose(x, order) end
  return core.reshape(x, lengths, name)
end

--- The shape of the results: that of probabilities, followed by x's without folded axes, or with length 1 for them; and
--- the strides from one result's row to the next, in elements.
local function laid_out(x, folded, keepdims, count, q)
  local shape, steps, step = {}, {}, count
  for k = x.ndim, 1, -1 do
    local length = x.shape[k]
    if not folded[k] then
      table.insert(shape, 1, length)
      table.insert(steps, 1, step)
      step = step * length
    elseif keepdims then
      table.insert(shape, 1, 1)
      table.insert(steps, 1, 0)
    end
  end
  local ndim, wide = #shape, {}
  if type(q) == "number" then return shape, steps, q end
  for k, length in ipairs(q.shape) do
    table.insert(shape, k, length)
    table.insert(steps, k, 0)
    wide[k] = length
  end
  for _ = 1, ndim do wide[#wide + 1] = 1 end
  return shape, steps, core.reshape(q, wide, "quantile")
end

--- The computation that all functions here share.
---@param what table cuna.Quantile without dtypes
---@param list number[]|nil the probabilities, if the host knows them
local function compute(name, x, q, axis, out, keepdims, what, list)
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  local folded, count = folded_axes(x, axis, name)
  local shape, steps, operand = laid_out(x, folded, keepdims, count, q)
  what.dtype, what.q = x.dtype, core.is_array(q) and q.dtype or "float64"
  local result = METHODS[what.method].share and what.loop or x.dtype
  what.result = check.output(out, result, shape, x, name)
  if count == 0 then
    if not is_inexact(result) then
      fail("%s: the axes have no elements; the array has shape %s", name, tostring(x.shape))
    end
    return core.fill(out or core.empty(shape, what.result, x.device, name), 0 / 0, name)
  end
  what.skips = what.skips and is_inexact(x.dtype)
  if x.size == 0 then return out or core.empty(shape, what.result, x.device, name) end
  local rows = arranged(rows_of(x, folded, count, name), what, list, name)
  local mark = what.given == "array" and core.report_mark(x.device, name) or nil
  local base = core.view(rows, shape, steps, 0)
  return (core.map(program_for(what), name, shape, {out or false}, base, operand, count, mark))
end

-- ---- functions ----

local function median(name, skips)
  local read = args.reader(name, {"x", "axis", "out", "overwrite_input", "keepdims"})
  return function(...)
    local x, axis, out, overwrite, keepdims = read(...)
    x = check.array(x, name)
    check.boolean(overwrite, false, name, "overwrite_input")
    local _, result = reducers.mean_types(x.dtype)
    local loop = is_inexact(x.dtype) and x.dtype or result
    return compute(name, x, 0.5, axis, out, keepdims, {method = "median", loop = loop, given = "number", most = 1,
      skips = skips}, {0.5})
  end
end

local function quantile(name, most, skips)
  local read = args.reader(name, {"x", "q", "axis", "out", "overwrite_input", "method", "keepdims"}, 2)
  return function(...)
    local x, q, axis, out, overwrite, method, keepdims = read(...)
    x = check.array(x, name, check.device_of {q or 0})
    if kind_of[x.dtype] == "c" then fail("%s: complex numbers have no quantiles, got an array of %s", name, x.dtype) end
    check.boolean(overwrite, false, name, "overwrite_input")
    method = method_of(method, name)
    local given, list
    q, given, list = probabilities_of(q, x, most, name)
    return compute(name, x, q, axis, out, keepdims, {method = method, loop = loop_of(x.dtype, q, given), given = given,
      most = most, skips = skips}, list)
  end
end

--- The middle of the sorted elements over axes, or the mean of the two in the middle. NaN makes the result NaN. Complex
--- numbers are ordered by their real parts, then by the imaginary ones. Follows numpy.median.
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param keepdims boolean|nil
---@return cuna.Array a float or complex dtype: x's, or the default one for integers and bools
---@usage cn.median({3, 1, 2, 10}) --> 2.5
---@usage cn.median({{3, 1, 2}, {6, 4, 5}}, {axis = 2, keepdims = true}) --> [[2.] [5.]]
F.median = median("median", false)

--- The median over axes of the elements that are not NaN; NaN if there are none. Follows numpy.nanmedian.
---@param x cuna.Operand
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param keepdims boolean|nil
---@return cuna.Array
---@usage cn.nanmedian({3, cn.nan, 1, 2}) --> 2.0
F.nanmedian = median("nanmedian", true)

--- The value below which a share q of the elements over axes lies: an element, or a value between two. NaN makes the
--- result NaN. No call waits for a device: invalid probabilities in an array are reported as positions out of range
--- are. Methods "inverted_cdf", "closest_observation", "lower", "higher" and "nearest" return an element. "linear"
--- (default), "midpoint", "averaged_inverted_cdf", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased"
--- and "normal_unbiased" interpolate between two; the result is a float, of x's dtype for a number q, else of the
--- promoted dtype. Follows numpy.quantile, except that bools count as 0 and 1, and that infinity does not become NaN
--- between equal infinities.
---@param x cuna.Operand real
---@param q cuna.Operand from 0 to 1
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param method string|nil
---@param keepdims boolean|nil
---@return cuna.Array q's shape, then x's without the axes
---@usage cn.quantile({1, 2, 3, 4}, {0, 0.5}) --> [1. 2.5]
---@usage cn.quantile({{1, 2, 3}, {4, 5, 7}}, 0.75, {axis = 2}) --> [2.5 6. ]
F.quantile = quantile("quantile", 1, false)

--- The value below which q percent of the elements over axes lie: cn.quantile(x, q / 100). Follows numpy.percentile,
--- with the exceptions of cn.quantile.
---@param x cuna.Operand real
---@param q cuna.Operand from 0 to 100
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param method string|nil of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array q's shape, then x's without the axes
---@usage cn.percentile({1, 2, 3, 4, 5}, {25, 50}) --> [2. 3.]
---@usage cn.percentile({1, 2, 3, 4}, 50, {method = "lower"}) --> 2.0
F.percentile = quantile("percentile", 100, false)

--- Like cn.quantile, of the elements that are not NaN; NaN if there are none. Follows numpy.nanquantile.
---@param x cuna.Operand real
---@param q cuna.Operand from 0 to 1
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param method string|nil of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array q's shape, then x's without the axes
---@usage cn.nanquantile({4, cn.nan, 1}, 0.5) --> 2.5
F.nanquantile = quantile("nanquantile", 1, true)

--- Like cn.percentile, of the elements that are not NaN; NaN if there are none. Follows numpy.nanpercentile.
---@param x cuna.Operand real
---@param q cuna.Operand from 0 to 100
---@param axis cuna.Axes|nil
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param overwrite_input boolean|nil accepted for NumPy compatibility and ignored
---@param method string|nil of cn.quantile
---@param keepdims boolean|nil
---@return cuna.Array q's shape, then x's without the axes
---@usage cn.nanpercentile({{4, cn.nan, 1}, {1, 2, 3}}, 50, 2) --> [2.5 2. ]
F.nanpercentile = quantile("nanpercentile", 100, true)

return M
