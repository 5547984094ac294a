--- quantile.lua: medians, percentiles, quantiles: values between sorted elements.
--
-- A result is computed from one or two elements of a sorted row: a program computes the position from a probability and
-- the number of elements, reads the elements and interpolates. If probabilities are few and known to the host, only
-- these elements are selected (select.lua), at places that another program computes; else rows are sorted. NaN is
-- sorted
-- last, so the last element shows whether a row has any; functions that ignore NaN count the others, in sorted rows by
-- bisection. Positions are computed on the device of the result, so no call waits for a device, even if probabilities
-- are arrays.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local manipulate = require "cuna.manipulate"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local select_rows = require "cuna.select"
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
--- probability (1 or 100); skips, whether NaN is ignored; slots, how many elements of a row were selected, or 0 if rows
--- are sorted. What was selected is followed by NaN if the row has NaN and is not to be ignored.
---@class cuna.Quantile

local SCALAR = {dtype = "int64", scalar = true}
-- A whole number a limited to b positions, from 0; 0 in an empty row.
local IN_ROW = "a > 0 && b > 0 ? a < double(b - 1) ? int64(a) : b - 1 : int64(0)"
-- Interpolates from a to b, whose difference is c, by the share d, from the nearer end. If both are equal, or only one
-- of them has a share, infinity stays infinity.
local MIXED = "a == b || d == 0 ? a : d >= R(0.5) ? b - rounded(c * (R(1) - d)) : a + rounded(c * d)"

--- Whether a result depends on whether its row has NaN.
local function looks_for_nan(what) return is_inexact(what.dtype) and not what.skips end

--- The places of the second element, for a place a.
local function behind_of(method) return method.halves and "ceil(a)" or "floor(a) + 1" end

--- Inputs of the program that computes results: the address of a sorted row, or of what was selected of it, a
--- probability, the row's length, or the number of its elements that are not NaN, and a report mark if the device
--- checks the probability, or how many results a probability has if elements were selected.
local function inputs_of(what)
  local count = what.slots > 0 and what.skips and {dtype = "int64"} or SCALAR
  return {{dtype = what.dtype, address = true}, {dtype = what.q, scalar = what.given == "number"}, count,
    what.given ~= "number" and (what.given == "array" or what.slots > 0) and SCALAR or nil}
end

--- Adds the steps that read an element: at a place of a sorted row, or in a slot: `which` of those of the probability,
--- from 0, or with "last" what follows all.
local function reader(draft, what, count, position)
  local size, each = size_of[what.dtype], METHODS[what.method].share and 2 or 1
  local function fetched(expr, values)
    local types = {}
    for k = 1, #values do types[k] = "int64" end
    local address = draft:step("element", expr, "int64", values, types)
    return draft:step("fetched", "fetched<D>(a)", what.dtype, {address}, {"int64"})
  end
  return function(place, which)
    if what.slots == 0 then
      local at = place and draft:step("in_row", IN_ROW, "int64", {place, count}, {"float64", "int64"})
        or draft:step("last", "a - 1", "int64", {3}, {"int64"})
      return fetched(("a + b * %d"):format(size), {1, at})
    elseif which == "last" then
      return fetched(("a + %d"):format(what.slots * size), {1})
    elseif position then
      return fetched(("a + b / c * %d + %d"):format(each * size, which * size), {1, position, 4})
    end
    return fetched(("a + %d"):format(which * size), {1})
  end
end

--- The probability as a share, and the number of elements.
local function share_of(draft, what)
  local q, count = 2, 3
  if what.given == "array" then
    q = draft:step("probability", ("probability(a, %d, b)"):format(what.most), "float64", {q, 4}, {"float64", "int64"})
  end
  if what.most ~= 1 then q = draft:step("scaled", ("a / %d"):format(what.most), "float64", {q}, {"float64"}) end
  if what.skips and what.slots == 0 then
    count = draft:step("numbers", ("numbers<%s>(a, b)"):format(storage(what.dtype)), "int64", {1, 3},
      {"int64", "int64"})
  end
  return q, count
end

local function draw_quantile(draft, what)
  local method, dtype, loop = METHODS[what.method], what.dtype, what.loop
  draft.inputs, draft.output, draft.gathers = inputs_of(what), what.result, true
  local position = what.slots > 0 and what.given == "table" and draft:position()
  local function add(name, expr, own, values, dtypes) return draft:step(name, expr, own, values, dtypes) end
  local q, count = share_of(draft, what)
  local at = reader(draft, what, count, position)
  local place = add("place", method.place, "float64", {count, q}, {"float64", "float64"})
  local function neighbours()
    local before = at(add("before", "floor(a)", "float64", {place}, {"float64"}), 0)
    return before, at(add("behind", behind_of(method), "float64", {place}, {"float64"}), 1)
  end
  local value
  if method.halves then
    local before, behind = neighbours()
    local half = kind_of[loop] == "c" and "divide_by(wrap_add(a, b), 2)" or "wrap_add(a, b) * R(0.5)"
    value = add("half_way", "c == floor(c) ? a : " .. half, loop, {before, behind, place}, {loop, loop, "float64"})
  elseif method.share then
    local before, behind = neighbours()
    local share = add("share", method.share, "float64", {place}, {"float64"})
    local own = is_inexact(dtype) and dtype or loop
    local way = add("way", "wrap_sub(b, a)", own, {before, behind}, {own, own})
    value = add("mixed", MIXED, loop, {before, behind, way, share}, {loop, loop, loop, loop})
  else
    value = at(place, 0)
  end
  if looks_for_nan(what) then
    add("unless_nan", "isnan(a) ? a : b", loop, {at(nil, "last"), value}, {loop, loop})
  end
end

local function program_for(what)
  local key = table.concat({what.method, what.dtype, what.loop, what.result, what.q, what.given, what.most,
    tostring(what.skips), what.slots}, " ")
  return program.get(key, draw_quantile, what)
end

-- ---- rows of which elements are selected ----

local MOST_SHARES = 8 -- whose places one program computes

reducers.declare("count_numbers", {state = "int64", identity = "0", lift = "int64(!isnan(a))", combine = "a + b",
  finish = "a"})

--- The program that computes the places of a row's slots, for `count` probabilities. Its inputs are how many elements
--- count and the probabilities, as shares.
local function draw_places(draft, what, count)
  local method = METHODS[what.method]
  local each = method.share and 2 or 1
  draft:input("int64", not what.skips and "scalar" or nil)
  local expr, list = "b", {}
  for k = 1, count do
    list[k] = draft:input("float64", "scalar")
    if k > 1 then expr = ("a / %d >= %d ? %s : "):format(each, k - 1, ("abcdefghi"):sub(k + 1, k + 1)) .. expr end
  end
  local slot = draft:step("slot", ("a %% %d"):format(what.slots), "int64", {draft:position()})
  local types = {"int64"}
  for k = 1, count do types[k + 1] = "float64" end
  local share = draft:step("share", expr, "float64", {slot, unpack(list)}, types)
  local place = draft:step("place", method.place, "float64", {1, share}, "float64")
  if each == 2 then
    local behind = draft:step("behind", behind_of(method), "float64", {place})
    local before = draft:step("before", "floor(a)", "float64", {place})
    place = draft:step("either", "a % 2 == 0 ? b : c", "float64", {slot, before, behind},
      {"int64", "float64", "float64"})
  end
  draft:step("in_row", IN_ROW, "int64", {place, 1}, {"float64", "int64"})
  draft.output = "int64"
end

local function places_program(what, count)
  local key = table.concat({what.method, tostring(what.skips), what.slots, count}, " ")
  return program.get(key, draw_places, what, count)
end

--- How many elements of a row the results need, at most.
local function slots_of(what, list) return #list * (METHODS[what.method].share and 2 or 1) end

--- The elements of rows that the results need, and how many elements of each row are not NaN, if NaN is ignored.
local function selected(x, what, list, name)
  local shape, numbers = {what.slots}, x.shape[x.ndim]
  x = operands.row_major(x, name)
  if what.skips then
    local counting = reducers.program("count_numbers", x.dtype, x.dtype, "int64")
    numbers = core.reduce(counting, name, 2 ^ (x.ndim - 1), true, 0, nil, x)
    shape = {unpack(x.shape, 1, x.ndim)}
    shape[x.ndim] = what.slots
  end
  local shares = {}
  for k, q in ipairs(list) do shares[k] = q / what.most end
  local places = core.map(places_program(what, #shares), name, shape, nil, numbers, unpack(shares))
  return select_rows.values(x, places, name, looks_for_nan(what)), numbers
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
--- the strides from one result's row to the next, in rows; probabilities as they broadcast to it; and how many results
--- each has.
local function laid_out(x, folded, keepdims, q)
  local shape, steps, step = {}, {}, 1
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
  if type(q) == "number" then return shape, steps, q, step end
  for k, length in ipairs(q.shape) do
    table.insert(shape, k, length)
    table.insert(steps, k, 0)
    wide[k] = length
  end
  for _ = 1, ndim do wide[#wide + 1] = 1 end
  return shape, steps, core.reshape(q, wide, "quantile"), step
end

local function scaled(steps, length)
  local list = {}
  for k, step in ipairs(steps) do list[k] = step * length end
  return list
end

--- The computation that all functions here share.
---@param what table cuna.Quantile without dtypes
---@param list number[]|nil the probabilities, if the host knows them
local function compute(name, x, q, axis, out, keepdims, what, list)
  keepdims = check.boolean(keepdims, false, name, "keepdims")
  local folded, count = folded_axes(x, axis, name)
  local shape, steps, operand, rest = laid_out(x, folded, keepdims, q)
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
  local last
  local rows = rows_of(x, folded, count, name)
  what.slots = what.given ~= "array" and #list > 0 and #list <= MOST_SHARES and slots_of(what, list) or 0
  if what.slots > 0 and select_rows.is_faster(rows, what.slots) then
    rows, count = selected(rows, what, list, name)
    if what.skips then count = core.view(count, shape, steps, 0) end
    last = what.given == "table" and rest or nil
  else
    what.slots, rows = 0, sort.sorted(rows, -1, false, name)
    last = what.given == "array" and core.report_mark(x, name) or nil
  end
  local base = core.view(rows, shape, scaled(steps, rows.shape[rows.ndim]), 0)
  return (core.map(program_for(what), name, shape, {out or false}, base, operand, count, last))
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
    x = check.beside(x, name, q)
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
