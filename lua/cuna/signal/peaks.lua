--- peaks.lua: peaks of vectors, their prominences and widths, extremes along an axis (kernels/signal.cuh).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

local function address(x) return core.view(x, {}, {}, 0) end

-- ---- arguments ----

--- A vector of real numbers as float64.
local function values_of(x, name)
  return core.cast(given.real(given.vector(x, name, "x"), name, "x"), "float64", name)
end

--- Positions of a vector as int64. Those that are out of range are an error.
local function positions_of(peaks, x, name)
  local cn = args.namespace
  peaks = given.vector(peaks, name, "peaks", x.device)
  check.same_device(x, peaks, name)
  local whole = core.cast(peaks, "int64", name)
  local bad = cn.logical_or(cn.less(whole, 1), cn.logical_or(cn.greater(whole, x.size), cn.not_equal(whole, peaks)))
  if peaks.size > 0 and not core.is_preparing() and bad:any() then
    fail("%s: peaks are positions from 1 to %d", name, x.size)
  end
  return whole
end

local function reach_of(wlen, name)
  if wlen == nil then return 0 end
  wlen = check.real(wlen, name, "wlen")
  if wlen ~= wlen or wlen <= 1 then fail("%s: wlen is above 1, got %g", name, wlen) end
  return math.max(math.floor(math.ceil(wlen) / 2), 1)
end

-- ---- extremes of runs ----

local FAN, LEAST = 32, 4096 -- Relief::FAN of kernels/signal.cuh; shorter searches pass each element

--- A vector with the extremes of its runs of FAN elements, of FAN runs, and so on (kernels/signal.cuh): x, extremes,
--- levels.
---@param reach integer how far searches go; 0: to the ends
---@return table
local function relief_of(x, reach, name)
  local made = {x = x, extremes = x, levels = 0}
  if (reach > 0 and reach or x.size) < LEAST then return made end
  local counts, total = {}, 0
  local count = math.floor(x.size / FAN)
  while count > 0 do
    counts[#counts + 1], total = count, total + 2 * count
    count = math.floor(count / FAN)
  end
  made.levels, made.extremes = #counts, core.empty({total}, "float64", x.device, name)
  local cn, high, low, at = args.namespace, x, x, 1
  for _, runs in ipairs(counts) do
    local above, below = slices.part(made.extremes, 1, at, runs), slices.part(made.extremes, 1, at + runs, runs)
    cn.max(core.view(high, {runs, FAN}, {FAN, 1}, 0), {axis = 2, out = above})
    cn.min(core.view(low, {runs, FAN}, {FAN, 1}, 0), {axis = 2, out = below})
    high, low, at = above, below, at + 2 * runs
  end
  return made
end

-- ---- prominences and widths ----

--- The inputs of a search in a relief, its results' arrays among them.
local function draw_search(draft, results, ...)
  local list = {draft:input("float64", "address"), draft:input("float64", "address"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar")}
  for _, input in ipairs {...} do list[#list + 1] = draft:input("int64", input) end
  for _ = 1, 2 do list[#list + 1] = draft:input(results, "address") end
  list[#list + 1] = draft:input "int64"
  draft.gathers, draft.outputs = true, {}
  return list
end

local function draw_prominence(draft)
  local list = draw_search(draft, "int64", "scalar")
  list[#list + 1] = draft:position()
  local text = "signal::prominence<double>(a, b, c, d, e, f, g, h, i)"
  draft:give(draft:step("prominence", text, "float64", list, "int64"), "float64")
end

--- The prominences of peaks, and the positions of their bases.
local function prominences(relief, peaks, reach, name)
  local x, count = relief.x, {peaks.size}
  local made = core.empty(count, "float64", x.device, name)
  local left, right = core.empty(count, "int64", x.device, name), core.empty(count, "int64", x.device, name)
  if peaks.size > 0 then
    core.map(program.get("prominence", draw_prominence), name, nil, made, address(x), address(relief.extremes),
      relief.levels, x.size, reach, address(left), address(right), peaks)
  end
  return made, left, right
end

local function draw_crossings(draft)
  local list = draw_search(draft, "float64")
  for _, input in ipairs {draft:input "int64", draft:input "int64", draft:input "float64", draft:position()} do
    list[#list + 1] = input
  end
  draft:step("crossings", "signal::crossings<double>(a, b, c, d, e, f, g, h, i, j, k)", "bool", list,
    {"int64", "int64", "int64", "int64", "int64", "int64", "int64", "int64", "int64", "float64", "int64"})
end

--- The widths of peaks at a part of their prominences below their tops, the heights there, and both ends.
local function widths(relief, peaks, rel_height, name, prominence, left, right)
  local x, count = relief.x, {peaks.size}
  rel_height = check.real(rel_height == nil and 0.5 or rel_height, name, "rel_height")
  if rel_height < 0 then fail("%s: rel_height is at least 0, got %g", name, rel_height) end
  local heights = x[peaks] - prominence * rel_height
  local first, last = core.empty(count, "float64", x.device, name), core.empty(count, "float64", x.device, name)
  if peaks.size > 0 then
    core.map(program.get("crossings", draw_crossings), name, count, {}, address(x), address(relief.extremes),
      relief.levels, x.size, address(first), address(last), peaks, left, right, heights)
  end
  return last - first, heights, first, last
end

local read_prominences = args.reader("signal.peak_prominences", {"x", "peaks", "wlen"}, 2)

--- How far peaks rise above the higher of their bases: the lowest values between a peak and a higher one, on either
--- side. Follows scipy.signal.peak_prominences.
---@param x cuna.Operand vector
---@param peaks cuna.Operand positions
---@param wlen number|nil elements of a window about a peak that are looked at, default: all
---@return cuna.Array prominences
---@return cuna.Array left_bases positions
---@return cuna.Array right_bases positions
---@usage cn.signal.peak_prominences({0, 3, 1, 5, 2}, {2, 4}) --> [2. 3.], [1 1], [3 5]
function F.peak_prominences(...)
  local x, peaks, wlen = read_prominences(...)
  local name = "signal.peak_prominences"
  x = values_of(x, name)
  local reach = reach_of(wlen, name)
  return prominences(relief_of(x, reach, name), positions_of(peaks, x, name), reach, name)
end

local read_widths = args.reader("signal.peak_widths", {"x", "peaks", "rel_height", "prominence_data", "wlen"}, 2)

--- The widths of peaks at a height. Follows scipy.signal.peak_widths.
---@param x cuna.Operand vector
---@param peaks cuna.Operand positions
---@param rel_height number|nil how far below the top, as a part of the prominence, default 0.5
---@param prominence_data table|nil what cn.signal.peak_prominences returned, in a table
---@param wlen number|nil as of cn.signal.peak_prominences
---@return cuna.Array widths
---@return cuna.Array width_heights
---@return cuna.Array left_ips positions between elements
---@return cuna.Array right_ips
---@usage cn.signal.peak_widths({0, 3, 0, 5, 0}, {2, 4}) --> [1. 1.], [1.5 2.5], [1.5 3.5], [2.5 4.5]
function F.peak_widths(...)
  local x, peaks, rel_height, data, wlen = read_widths(...)
  local name = "signal.peak_widths"
  x = values_of(x, name)
  peaks = positions_of(peaks, x, name)
  local reach = reach_of(wlen, name)
  local relief = relief_of(x, data == nil and reach or 0, name)
  if data == nil then return widths(relief, peaks, rel_height, name, prominences(relief, peaks, reach, name)) end
  if type(data) ~= "table" or #data ~= 3 then
    fail("%s: prominence_data is {prominences, left_bases, right_bases}, got %s", name, check.show(data))
  end
  local given_prominences = core.cast(given.vector(data[1], name, "prominences", x.device), "float64", name)
  local left, right = positions_of(data[2], x, name), positions_of(data[3], x, name)
  if given_prominences.size ~= peaks.size or left.size ~= peaks.size or right.size ~= peaks.size then
    fail("%s: prominence_data for %d peaks, got %d", name, peaks.size, given_prominences.size)
  end
  return widths(relief, peaks, rel_height, name, given_prominences, left, right)
end

-- ---- find_peaks ----

local function draw_plateau(draft)
  draft.gathers = true
  draft:step("plateau_end", "signal::plateau_end<double>(a, b, c)", "int64", {draft:input("float64", "address"),
    draft:input("int64", "scalar"), draft:position()}, "int64")
  draft.output = "int64"
end

--- The middles of plateaus higher than their neighbours, rounded down, and their first and last positions.
local function maxima(x, name)
  local cn = args.namespace
  if x.size < 3 then
    local none = core.empty({0}, "int64", x.device, name)
    return none, none, none
  end
  local ends = core.empty({x.size}, "int64", x.device, name)
  core.map(program.get("plateau", draw_plateau), name, nil, ends, address(x), x.size)
  local left = cn.flatnonzero(ends)
  local right = ends[left]
  return cn.floor_divide(left + right, 2), left, right
end

--- The bounds of a condition: least and greatest, each a number, an array for the peaks, or nil.
local function bounds_of(condition, x, peaks, name, what)
  local low, high = condition, nil
  if type(condition) == "table" and not core.is_array(condition) then low, high = condition[1], condition[2] end
  local function bound(value)
    if value == nil or type(value) == "number" then return value end
    value = given.vector(value, name, what, x.device)
    if value.size ~= x.size then
      fail("%s: %s has %d numbers for a vector of %d", name, what, value.size, x.size)
    end
    return value[peaks]
  end
  return bound(low), bound(high)
end

--- Which values are within bounds; nil for all.
local function within(values, low, high, upper)
  local cn, mask = args.namespace, nil
  if low ~= nil then mask = cn.greater_equal(values, low) end
  if high ~= nil then
    local below = cn.less_equal(upper or values, high)
    mask = mask and cn.logical_and(mask, below) or below
  end
  return mask
end

--- Peaks and their properties, of which conditions leave some.
---@class cuna.Peaks
local function keep(found, mask)
  if mask == nil then return end
  local kept = args.namespace.flatnonzero(mask)
  found.peaks = found.peaks[kept]
  for key, values in pairs(found.properties) do found.properties[key] = values[kept] end
end

--- Which of rising positions are at least a distance apart, the last of an order first. Computed on the host.
---@param order integer[] from the least height; of equal ones the last is the highest
local function spread(positions, order, distance)
  local count, kept = #positions, {}
  for k = 1, count do kept[k] = true end
  for at = count, 1, -1 do
    local k = order[at]
    if kept[k] then
      local j = k - 1
      while j >= 1 and positions[k] - positions[j] < distance do
        kept[j] = false
        j = j - 1
      end
      j = k + 1
      while j <= count and positions[j] - positions[k] < distance do
        kept[j] = false
        j = j + 1
      end
    end
  end
  return kept
end

local function keep_apart(found, x, distance, name)
  distance = check.real(distance, name, "distance")
  if distance < 1 then fail("%s: distance is at least 1, got %g", name, distance) end
  if core.is_preparing() or found.peaks.size == 0 then return end
  local device = x.device
  local order = args.namespace.argsort(x[found.peaks], {kind = "stable"})
  local kept = spread(found.peaks:totable(), order:totable(), math.ceil(distance))
  keep(found, core.as_array(kept, "bool", device, name))
end

-- Conditions in their order, with what they add to the properties.
local CONDITIONS = {
  {"plateau_size", function(found, asked, condition, name)
    local p = found.properties
    p.plateau_sizes, p.left_edges, p.right_edges = found.right - found.left + 1, found.left, found.right
    keep(found, within(p.plateau_sizes, bounds_of(condition, asked.x, found.peaks, name, "plateau_size")))
  end},
  {"height", function(found, asked, condition, name)
    found.properties.peak_heights = asked.x[found.peaks]
    keep(found, within(found.properties.peak_heights, bounds_of(condition, asked.x, found.peaks, name, "height")))
  end},
  {"threshold", function(found, asked, condition, name)
    local cn, x, p = args.namespace, asked.x, found.properties
    local top = x[found.peaks]
    p.left_thresholds, p.right_thresholds = top - x[found.peaks - 1], top - x[found.peaks + 1]
    local low, high = bounds_of(condition, x, found.peaks, name, "threshold")
    keep(found, within(cn.minimum(p.left_thresholds, p.right_thresholds), low, high,
      cn.maximum(p.left_thresholds, p.right_thresholds)))
  end},
  {"distance", function(found, asked, condition, name) keep_apart(found, asked.x, condition, name) end},
  {"prominence", function(found, asked, condition, name)
    keep(found, within(found.properties.prominences, bounds_of(condition, asked.x, found.peaks, name, "prominence")))
  end},
  {"width", function(found, asked, condition, name)
    local p = found.properties
    p.widths, p.width_heights, p.left_ips, p.right_ips = widths(asked.relief, found.peaks, asked.rel_height, name,
      p.prominences, p.left_bases, p.right_bases)
    keep(found, within(p.widths, bounds_of(condition, asked.x, found.peaks, name, "width")))
  end},
}

local PARAMETERS = {"x", "height", "threshold", "distance", "prominence", "width", "wlen", "rel_height", "plateau_size"}
local read_find = args.reader("signal.find_peaks", PARAMETERS)

--- Peaks of a vector: elements higher than their neighbours, or the middles of plateaus. A condition is a least value,
--- a table of least and greatest, or arrays with a value for each element of x. Each condition adds properties. Follows
--- scipy.signal.find_peaks.
---@param x cuna.Operand vector
---@param height number|table|cuna.Array|nil of peaks; adds peak_heights
---@param threshold number|table|cuna.Array|nil above both neighbours; adds left_thresholds, right_thresholds
---@param distance number|nil least distance of two peaks; of near ones the highest stay. Computed on the host
---@param prominence number|table|cuna.Array|nil adds prominences, left_bases, right_bases
---@param width number|table|cuna.Array|nil adds widths, width_heights, left_ips, right_ips
---@param wlen number|nil window of prominences
---@param rel_height number|nil of widths, default 0.5
---@param plateau_size number|table|cuna.Array|nil adds plateau_sizes, left_edges, right_edges
---@return cuna.Array peaks positions
---@return table properties arrays by name
---@usage (cn.signal.find_peaks({0, 3, 1, 5, 5, 2, 2.5, 0}, {height = 2.8})) --> [2 4]
---@usage select(2, cn.signal.find_peaks({0, 3, 1, 5, 2}, {prominence = 1})).prominences --> [2. 3.]
function F.find_peaks(...)
  local name, asked = "signal.find_peaks", {}
  local given_values = {read_find(...)}
  for k, parameter in ipairs(PARAMETERS) do asked[parameter] = given_values[k] end
  asked.x = values_of(asked.x, name)
  local found = {properties = {}}
  found.peaks, found.left, found.right = maxima(asked.x, name)
  local measured = asked.prominence ~= nil or asked.width ~= nil
  for _, condition in ipairs(CONDITIONS) do
    local word, apply = condition[1], condition[2]
    if word == "prominence" and measured then
      local p = found.properties
      local reach = reach_of(asked.wlen, name)
      asked.relief = relief_of(asked.x, reach, name)
      p.prominences, p.left_bases, p.right_bases = prominences(asked.relief, found.peaks, reach, name)
    end
    if asked[word] ~= nil then apply(found, asked, asked[word], name) end
  end
  return found.peaks, found.properties
end

-- ---- extremes along an axis ----

local read_extrema = args.reader("signal.argrelextrema", {"data", "comparator", "axis", "order", "mode"}, 2)

--- The positions, by axis, where a comparison with `order` neighbours on both sides is true.
local function extrema(data, compare, axis, order, mode, name)
  local cn = args.namespace
  data = given.signal(data, name)
  axis = core.axis(axis == nil and 1 or axis, data.ndim, name)
  order = check.count(order == nil and 1 or order, name, "order")
  if order < 1 then fail("%s: order is from 1 on, got %d", name, order) end
  mode = given.word(mode, {"clip", "wrap"}, name, "mode")
  local n, mask = data.shape[axis], nil
  local at = cn.range(1, n)
  for shift = 1, math.min(order, n) do -- farther ones are neighbours already
    for _, moved in ipairs {at + shift, at - shift} do
      local places = mode == "clip" and cn.clip(moved, 1, n) or cn.remainder(moved - 1, n) + 1
      local better = compare(data, cn.take(data, places, axis))
      mask = mask and cn.logical_and(mask, better) or better
    end
  end
  return cn.nonzero(mask or cn.ones_like(data, "bool"))
end

--- Positions where a comparison with neighbours is true. Follows scipy.signal.argrelextrema.
---@param data cuna.Operand
---@param comparator fun(a: cuna.Array, b: cuna.Array): cuna.Array such as cn.greater
---@param axis integer|nil default 1
---@param order integer|nil neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil beyond the ends: the last element (default), or the other end
---@return cuna.Array[] positions along each axis, as cn.nonzero returns them
---@usage cn.signal.argrelextrema({2, 1, 2, 3, 2, 0, 1, 0}, cn.greater)[1] --> [4 7]
function F.argrelextrema(...)
  local data, comparator, axis, order, mode = read_extrema(...)
  check.callable(comparator, "signal.argrelextrema")
  return extrema(data, comparator, axis, order, mode, "signal.argrelextrema")
end

local read_argrelmax = args.reader("signal.argrelmax", {"data", "axis", "order", "mode"})

--- Positions of elements greater than their neighbours. Follows scipy.signal.argrelmax.
---@param data cuna.Operand
---@param axis integer|nil default 1
---@param order integer|nil neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil
---@return cuna.Array[] positions along each axis
---@usage cn.signal.argrelmax({2, 1, 2, 3, 2, 0, 1, 0})[1] --> [4 7]
function F.argrelmax(...)
  local data, axis, order, mode = read_argrelmax(...)
  return extrema(data, args.namespace.greater, axis, order, mode, "signal.argrelmax")
end

local read_argrelmin = args.reader("signal.argrelmin", {"data", "axis", "order", "mode"})

--- Positions of elements less than their neighbours. Follows scipy.signal.argrelmin.
---@param data cuna.Operand
---@param axis integer|nil default 1
---@param order integer|nil neighbours on either side, default 1
---@param mode "clip"|"wrap"|nil
---@return cuna.Array[] positions along each axis
---@usage cn.signal.argrelmin({2, 1, 2, 3, 2, 0, 1, 0})[1] --> [2 6]
function F.argrelmin(...)
  local data, axis, order, mode = read_argrelmin(...)
  return extrema(data, args.namespace.less, axis, order, mode, "signal.argrelmin")
end

return M
