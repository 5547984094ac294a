--- ranks.lua: filters of cn.ndimage by order: least, greatest and ranked values of windows.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local given = require "cuna.ndimage.given"
local order = require "cuna.ndimage.order"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local fail = check.fail

-- ---- least and greatest values ----

local ALONG = {"input", "size", "axis", "output", "mode", "cval", "origin"}
local read_minimum_filter1d = args.reader("ndimage.minimum_filter1d", ALONG, 2)
local read_maximum_filter1d = args.reader("ndimage.maximum_filter1d", ALONG, 2)

--- Least values of windows along an axis, or NaN where a window has one. Follows scipy.ndimage.minimum_filter1d.
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil an array for the result, or its dtype; default: the input's
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@usage cn.ndimage.minimum_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3) --> [2. 0. 0. 0. 1. 1. 0. 0.]
function F.minimum_filter1d(...)
  local x, size, axis, output, mode, cval, origin = read_minimum_filter1d(...)
  return order.extreme_along("least", x, size, axis, output, mode, cval, origin, "ndimage.minimum_filter1d")
end

--- Greatest values of windows along an axis, or NaN where a window has one. Follows scipy.ndimage.maximum_filter1d.
---@param input cuna.Operand
---@param size integer
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|nil
---@param cval number|nil
---@param origin integer|nil
---@return cuna.Array
---@usage cn.ndimage.maximum_filter1d({2, 8, 0, 4, 1, 9, 9, 0}, 3) --> [8. 8. 8. 4. 9. 9. 9. 9.]
function F.maximum_filter1d(...)
  local x, size, axis, output, mode, cval, origin = read_maximum_filter1d(...)
  return order.extreme_along("greatest", x, size, axis, output, mode, cval, origin, "ndimage.maximum_filter1d")
end

local OVER = {"input", "size", "footprint", "output", "mode", "cval", "origin", "axes"}
local read_minimum_filter = args.reader("ndimage.minimum_filter", OVER)
local read_maximum_filter = args.reader("ndimage.maximum_filter", OVER)

local function asked_for(size, footprint, output, mode, cval, origin, axes)
  return {size = size, footprint = footprint, output = output, mode = mode, cval = cval, origin = origin, axes = axes}
end

--- Least values of windows, or NaN where a window has one. Follows scipy.ndimage.minimum_filter.
---@param input cuna.Operand
---@param size integer|integer[]|nil one for all axes, or one for each
---@param footprint cuna.Operand|nil true where a neighbour counts, in place of a size
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.minimum_filter({{1, 2, 3}, {4, 0, 6}, {7, 8, 9}}, {1, 3}) --> [[1. 1. 2.] [0. 0. 0.] [7. 7. 8.]]
function F.minimum_filter(...)
  local x = (...)
  return order.extreme("least", x, asked_for(select(2, read_minimum_filter(...))), "ndimage.minimum_filter")
end

--- Greatest values of windows, or NaN where a window has one. Follows scipy.ndimage.maximum_filter.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.maximum_filter({1, 5, 2, 0, 0}, {footprint = {1, 0, 1}}) --> [5. 2. 5. 2. 0.]
function F.maximum_filter(...)
  local x = (...)
  return order.extreme("greatest", x, asked_for(select(2, read_maximum_filter(...))), "ndimage.maximum_filter")
end

-- ---- ranks ----

local read_median_filter = args.reader("ndimage.median_filter", OVER)

--- Medians of windows; of an even number of values the greater one of the middle. Where a window has NaN, the result is
--- one of its values. Follows scipy.ndimage.median_filter.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.median_filter({2, 80, 6, 3}, 3) --> [2. 6. 6. 3.]
function F.median_filter(...)
  local x = (...)
  return order.rank(x, asked_for(select(2, read_median_filter(...))), "ndimage.median_filter", function(count)
    return math.floor(count / 2)
  end)
end

local RANKED = {"input", "rank", "size", "footprint", "output", "mode", "cval", "origin", "axes"}
local read_rank_filter = args.reader("ndimage.rank_filter", RANKED, 2)

--- The values of one rank in each window. Follows scipy.ndimage.rank_filter, where ranks count from 0.
---@param input cuna.Operand
---@param rank integer 1 is the least value, -1 the greatest
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.rank_filter({2, 80, 6, 3}, 2, 3) --> [2. 6. 6. 3.]
function F.rank_filter(...)
  local x, rank = ...
  rank = check.integer(rank, "ndimage.rank_filter", "rank")
  return order.rank(x, asked_for(select(3, read_rank_filter(...))), "ndimage.rank_filter", function(count)
    if rank == 0 or math.abs(rank) > count then
      fail("%s: rank %d of %d neighbours; ranks count from 1, or from the greatest below 0", "ndimage.rank_filter",
        rank,
        count)
    end
    return rank > 0 and rank - 1 or count + rank
  end)
end

local read_percentile_filter = args.reader("ndimage.percentile_filter", RANKED, 2)

--- The values in each window at a percentage of its ranks. Follows scipy.ndimage.percentile_filter.
---@param input cuna.Operand
---@param percentile number from -100 to 100; below 0 from the greatest value
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.percentile_filter({2, 80, 6, 3}, 20, 3) --> [2. 2. 3. 3.]
function F.percentile_filter(...)
  local x, percentile = ...
  local share = check.real(percentile, "ndimage.percentile_filter", "percentile")
  if share < 0 then share = share + 100 end
  if not (share >= 0 and share <= 100) then
    fail("%s: a percentile is from -100 to 100, got %s", "ndimage.percentile_filter", tostring(percentile))
  end
  return order.rank(x, asked_for(select(3, read_percentile_filter(...))), "ndimage.percentile_filter", function(count)
    return share == 100 and count - 1 or math.floor(count * share / 100)
  end)
end

-- ---- morphology of gray images ----

local GRAY = {"input", "size", "footprint", "structure", "output", "mode", "cval", "origin", "axes"}
local readers = {}
for _, name in ipairs {"ndimage.grey_erosion", "ndimage.grey_dilation", "ndimage.grey_opening",
  "ndimage.grey_closing", "ndimage.morphological_gradient",
  "ndimage.morphological_laplace", "ndimage.white_tophat", "ndimage.black_tophat"} do
  readers[name] = args.reader(name, GRAY)
end

--- What a function of gray images was asked for: x and a table for order.extreme.
local function read_gray(name, ...)
  local x, size, footprint, structure, output, mode, cval, origin, axes = readers[name](...)
  local asked = asked_for(size, footprint, output, mode, cval, origin, axes)
  asked.structure = structure
  return given.image(x, name, true), asked, name
end

--- The same with some fields replaced.
local function with(asked, changes)
  local copy = {}
  for key, value in pairs(asked) do copy[key] = value end
  for key, value in pairs(changes) do copy[key] = value end
  return copy
end

local function erode(x, asked, name) return order.extreme("least", x, with(asked, {reversed = false}), name) end
local function dilate(x, asked, name) return order.extreme("greatest", x, with(asked, {reversed = true}), name) end

--- second(first(x)); only the second has the output.
local function follow(first, second, x, asked, name)
  local between = with(asked, {})
  between.output = nil
  return second(first(x, between, name), asked, name)
end

--- Writes what compute(plain) gives to the output; `plain` asks for the same without an output.
local function finish(x, asked, name, compute)
  local plain = with(asked, {})
  plain.output = nil
  local dtype = x.dtype
  return given.output(asked.output, x, x.shape, dtype, name, function(out)
    args.namespace.copyto(out, compute(plain, args.namespace), {casting = "unsafe"})
  end)
end

--- Erosion of a gray image: least values of windows, of x minus the structure where one is given. Follows
--- scipy.ndimage.grey_erosion.
---@param input cuna.Operand
---@param size integer|integer[]|nil of a flat window
---@param footprint cuna.Operand|nil true where a neighbour counts
---@param structure cuna.Operand|nil heights of the neighbours
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.grey_erosion({1, 5, 5, 5, 2}, 3) --> [1. 1. 5. 2. 2.]
function F.grey_erosion(...) return erode(read_gray("ndimage.grey_erosion", ...)) end

--- Dilation of a gray image: greatest values of the reversed windows, of x plus the structure where one is given.
--- Follows scipy.ndimage.grey_dilation.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.grey_dilation({1, 5, 0, 0, 2}, 3) --> [5. 5. 5. 2. 2.]
function F.grey_dilation(...) return dilate(read_gray("ndimage.grey_dilation", ...)) end

--- Erosion, then dilation of a gray image. Follows scipy.ndimage.grey_opening.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.grey_opening({1, 9, 1, 4, 4, 4, 1}, 3) --> [1. 1. 1. 4. 4. 4. 1.]
function F.grey_opening(...)
  local x, asked, name = read_gray("ndimage.grey_opening", ...)
  return follow(erode, dilate, x, asked, name)
end

--- Dilation, then erosion of a gray image. Follows scipy.ndimage.grey_closing.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.grey_closing({5, 0, 5, 1, 1, 1, 5}, 3) --> [5. 5. 5. 1. 1. 1. 5.]
function F.grey_closing(...)
  local x, asked, name = read_gray("ndimage.grey_closing", ...)
  return follow(dilate, erode, x, asked, name)
end

--- Dilation minus erosion of a gray image. Follows scipy.ndimage.morphological_gradient.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.morphological_gradient({0, 0, 1, 1, 1}, 3) --> [0. 1. 1. 0. 0.]
function F.morphological_gradient(...)
  local x, asked, name = read_gray("ndimage.morphological_gradient", ...)
  return finish(x, asked, name, function(plain, cn)
    return cn.subtract(dilate(x, plain, name), erode(x, plain, name))
  end)
end

--- Dilation plus erosion minus twice the gray image. Follows scipy.ndimage.morphological_laplace.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.morphological_laplace({0, 0, 1, 1, 1}, 3) --> [ 0.  1. -1.  0.  0.]
function F.morphological_laplace(...)
  local x, asked, name = read_gray("ndimage.morphological_laplace", ...)
  return finish(x, asked, name, function(plain, cn)
    return cn.subtract(cn.subtract(cn.add(dilate(x, plain, name), erode(x, plain, name)), x), x)
  end)
end

--- What one gray image has beyond another; bools: where they differ.
local function difference(cn, a, b)
  return a.dtype == "bool" and b.dtype == "bool" and cn.bitwise_xor(a, b) or cn.subtract(a, b)
end

--- A gray image minus its opening: bright details. Follows scipy.ndimage.white_tophat.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.white_tophat({1, 9, 1, 4, 4, 4, 1}, 3) --> [0. 8. 0. 0. 0. 0. 0.]
function F.white_tophat(...)
  local x, asked, name = read_gray("ndimage.white_tophat", ...)
  return finish(x, asked, name, function(plain, cn)
    return difference(cn, x, follow(erode, dilate, x, plain, name))
  end)
end

--- The closing of a gray image minus the image: dark details. Follows scipy.ndimage.black_tophat.
---@param input cuna.Operand
---@param size integer|integer[]|nil
---@param footprint cuna.Operand|nil
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param mode cuna.ImageMode|cuna.ImageMode[]|nil
---@param cval number|nil
---@param origin integer|integer[]|nil
---@param axes cuna.Axes|nil default: all
---@return cuna.Array
---@usage cn.ndimage.black_tophat({5, 0, 5, 1, 1, 1, 5}, 3) --> [0. 5. 0. 0. 0. 0. 0.]
function F.black_tophat(...)
  local x, asked, name = read_gray("ndimage.black_tophat", ...)
  return finish(x, asked, name, function(plain, cn)
    return difference(cn, follow(dilate, erode, x, plain, name), x)
  end)
end

return M
