--- border.lua: images that are continued beyond their borders, and the parts of a result that need that.
--
-- A function of neighbours is computed where all neighbours are elements of the image, and apart from that near the
-- borders, from copies of what is there. So no element asks whether its neighbours exist. An image that is copied in
-- less time than the host needs for these parts is computed as a whole, from a copy.
local check = require "cuna.base.check"
local core = require "cuna.core"
local join = require "cuna.join"
local pad = require "cuna.pad"
local slices = require "cuna.base.slices"

local M = {}

-- SciPy's modes, as those of cn.pad.
local PADDING = {reflect = "symmetric", ["grid-mirror"] = "symmetric", constant = "constant",
  ["grid-constant"] = "constant", nearest = "edge", mirror = "reflect", wrap = "wrap", ["grid-wrap"] = "wrap"}
local COPIED, COPIED_LANES = 2 ^ 16, 2 ^ 25 -- bytes of images that are, where blocks have one lane and elsewhere
M.MODES = "reflect, constant, nearest, mirror, wrap, grid-mirror, grid-constant or grid-wrap"

--- The mode of cn.pad for one of SciPy's.
---@param mode any default "reflect"
---@return string
function M.mode(mode, name)
  local found = PADDING[mode == nil and "reflect" or mode]
  if not found then check.fail("%s: mode is %s, got %s", name, M.MODES, check.show(mode)) end
  return found
end

--- x in a dtype that holds the number beyond its borders.
function M.holding(x, modes, cval, name)
  local is_used = false
  for _, mode in ipairs(modes) do is_used = is_used or mode == "constant" end
  if not is_used or x.dtype:find "^[fbc][lfo]" and x.dtype ~= "bool" then return x end
  local low, high = 0, x.dtype == "bool" and 1 or 2 ^ 53
  if x.dtype:find "^u?int" then
    local bits = math.min(tonumber(x.dtype:match "%d+"), 53)
    low, high = x.dtype:find "^u" and 0 or -2 ^ (bits - 1), 2 ^ (x.dtype:find "^u" and bits or bits - 1) - 1
  end
  if cval % 1 == 0 and cval >= low and cval <= high then return x end
  return core.cast(x, "float64", name)
end

local function continued(x, axis, before, after, mode, cval)
  local widths = {}
  for k = 1, x.ndim do widths[k] = k == axis and {before, after} or {0, 0} end
  local options = mode == "constant" and {constant_values = cval} or {}
  return pad.functions.pad(x, widths, mode, options)
end

--- x with `before` and `after` elements more along an axis, which `mode` (of cn.pad) decides.
function M.extended(x, axis, before, after, mode, cval)
  if before + after == 0 then return x end
  return continued(x, axis, before, after, mode, cval)
end

local function glued(a, b, axis) return join.functions.concatenate({a, b}, axis) end

--- The copies near both ends of an axis, from which `before` results at the beginning and `after` at the end are
--- computed. `width` elements of each end are enough to continue the image there.
local function ends(x, axis, before, after, width, mode, cval)
  local n = x.shape[axis]
  local first, last = slices.part(x, axis, 1, width), slices.part(x, axis, n - width + 1, width)
  if mode == "wrap" then
    return glued(slices.part(x, axis, n - before + 1, before), first, axis),
      glued(last, slices.part(x, axis, 1, after), axis)
  end
  return M.extended(first, axis, before, 0, mode, cval), M.extended(last, axis, 0, after, mode, cval)
end

local function is_copied(x) return x.nbytes <= (core.lanes(x) == 1 and COPIED or COPIED_LANES) end

--- Calls run(src, out) for the parts of an axis: each element of `src` has its `before` and `after` neighbours along
--- the axis beside it in memory, and belongs to the element of `out` at its position.
---@param run fun(src: cuna.Array, out: cuna.Array)
function M.along(x, axis, before, after, mode, cval, out, run)
  local n, width = x.shape[axis], before + after + 1
  if width == 1 then return run(x, out) end
  if n < 2 * width or is_copied(x) then
    return run(slices.part(M.extended(x, axis, before, after, mode, cval), axis, before + 1, n), out)
  end
  local first, last = ends(x, axis, before, after, width, mode, cval)
  run(slices.part(x, axis, before + 1, n - width + 1), slices.part(out, axis, before + 1, n - width + 1))
  if before > 0 then run(slices.part(first, axis, before + 1, before), slices.part(out, axis, 1, before)) end
  if after > 0 then
    run(slices.part(last, axis, width - after + 1, after), slices.part(out, axis, n - after + 1, after))
  end
end

--- The elements of x, as a part of an image that continues on all sides by `before` and `after` of each axis.
---@param before integer[]
---@param after integer[]
---@param modes string[]
function M.around(x, before, after, modes, cval)
  local shape, inner = x.shape, x
  for axis = 1, x.ndim do
    inner = M.extended(inner, axis, before[axis], after[axis], modes[axis], cval)
  end
  for axis = 1, x.ndim do inner = slices.part(inner, axis, before[axis] + 1, shape[axis]) end
  return inner
end

return M
