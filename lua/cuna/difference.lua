--- difference.lua: differences of neighbouring elements.
--
-- A difference of order n is one pass over n + 1 shifted views, for orders up to a limit. `prepend` and
-- `append` are joined only to the few elements beside them, so that the array itself is not copied.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local join = require "cuna.join"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local MOST = 8 -- orders of one pass

-- ---- passes ----

--- Differences of order n between n + 1 inputs.
local function draw(draft, own, dtype, n)
  local row = {}
  for k = 1, n + 1 do row[k] = draft:input(own) end
  for order = n, 1, -1 do
    for k = 1, order do
      row[k] = dtype == "bool" and draft:step("not_equal", "a != b", dtype, {row[k + 1], row[k]})
        or draft:step("subtract", "wrap_sub(a, b)", dtype, {row[k + 1], row[k]})
    end
  end
  draft.output = dtype
end

--- One pass of order n, in `dtype`.
local function pass(x, n, axis, dtype, out, name)
  local views, length = {}, math.max(x.shape[axis] - n, 0)
  for k = 0, n do views[k + 1] = slices.part(x, axis, k + 1, length) end
  local key = table.concat({"diff", x.dtype, dtype, n}, " ")
  return core.map(program.get(key, draw, x.dtype, dtype, n), name, nil, out, unpack(views))
end

--- The difference of order n, in `out` where one is given.
local function differ(x, n, axis, dtype, out, name)
  while n > MOST do
    x = pass(x, MOST, axis, dtype, nil, name)
    n = n - MOST
  end
  return pass(x, n, axis, dtype, out, name)
end

-- ---- what stands beside ----

--- An array before or after x along an axis; a number stands for a slice of that number.
local function beside(x, value, axis, name)
  if value == nil then return nil end
  local kind = not core.is_array(value) and core.number_kind(value)
  if kind then
    local dtype = dtype_rules.common {x.dtype, dtype_rules.weak_type(kind)}
    value = core.fill(core.empty({}, dtype, x.device, name), value, name)
  else
    value = check.array(value, name, x.device)
    check.same_device(x, value, name)
  end
  if value.ndim > 0 then return value end
  local shape = x.shape
  shape[axis] = 1
  return core.broadcast_to(value, shape, name)
end

local function length_of(x, axis) return x and x.ndim >= axis and x.shape[axis] or 0 end

local function joined(list, axis, dtype)
  return join.functions.concatenate(list, axis, {dtype = dtype})
end

--- Raises unless what stands beside x has its shape along the other axes.
local function check_beside(x, other, axis, what, name)
  local own, theirs = x.shape, other and other.shape
  local fits = not other or #own == #theirs
  for k = 1, other and fits and #own or 0 do fits = fits and (k == axis or own[k] == theirs[k]) end
  if not fits then
    fail("%s: %s has shape %s, which does not fit beside shape %s along axis %d", name, what, tostring(theirs),
      tostring(own), axis)
  end
  return other and theirs[axis] or 0
end

--- Writes the differences at one end: of a few elements of x, and what stands beside them.
local function finish(out, first, length, list, n, axis, name)
  if length > 0 then
    local dtype = out.dtype
    differ(joined(list, axis, dtype), n, axis, dtype, slices.part(out, axis, first, length), name)
  end
end

--- The difference of x between two arrays, each of which may be missing.
local function differ_between(x, before, after, n, axis, name)
  local p = check_beside(x, before, axis, "prepend", name)
  local q, shape = check_beside(x, after, axis, "append", name), x.shape
  local dtype, length = x.dtype, shape[axis]
  if before then dtype = core.promote(dtype, before.dtype) end
  if after then dtype = core.promote(dtype, after.dtype) end
  if length < n then
    local list = {}
    for _, k in ipairs {1, 2, 3} do list[#list + 1] = ({before or false, x, after or false})[k] or nil end
    return differ(joined(list, axis, dtype), n, axis, dtype, nil, name)
  end
  shape[axis] = p + length + q - n
  local out = core.empty(shape, dtype, x.device, name)
  finish(out, 1, p, {before, slices.part(x, axis, 1, n)}, n, axis, name)
  differ(x, n, axis, dtype, slices.part(out, axis, p + 1, length - n), name)
  finish(out, p + length - n + 1, q, {slices.part(x, axis, length - n + 1, n), after}, n, axis, name)
  return out
end

-- ---- diff ----

local read_diff = args.reader("diff", {"x", "n", "axis", "prepend", "append"})

--- Differences of neighbours along an axis, n times over: x[2] - x[1], x[3] - x[2], ... Of bools whether neighbours
--- differ. Follows numpy.diff, but that Lua numbers beside x take its dtype.
---@param x cuna.Operand at least 1-d
---@param n integer|nil how many times, default 1
---@param axis integer|nil default -1
---@param prepend cuna.Operand|nil what stands before x along the axis; a number or 0-d array for one slice of it
---@param append cuna.Operand|nil what comes after x
---@return cuna.Array n shorter along the axis than all that is given
---@usage cn.diff {1, 2, 4, 7} --> [1. 2. 3.]
---@usage cn.diff({1, 2, 4, 7}, 2), cn.diff({1, 2, 4}, {prepend = 0}) --> [1. 1.], [1. 1. 2.]
---@usage cn.arange(6):reshape(2, 3):diff {axis = 1} --> [[3 3 3]]
function F.diff(...)
  local x, n, axis, prepend, append = read_diff(...)
  x, n = check.beside(x, "diff", prepend, append), check.count(n == nil and 1 or n, "diff", "n")
  if x.ndim == 0 then fail "diff: a 0-d array has no neighbours; give x:reshape(1)" end
  axis = core.axis(axis == nil and -1 or axis, x.ndim, "diff")
  if n == 0 then return x end
  local before, after = beside(x, prepend, axis, "diff"), beside(x, append, axis, "diff")
  n = math.min(n, length_of(before, axis) + x.shape[axis] + length_of(after, axis)) -- from there on nothing is left
  if before or after then return differ_between(x, before, after, n, axis, "diff") end
  return differ(x, n, axis, x.dtype, nil, "diff")
end

local read_ediff1d = args.reader("ediff1d", {"x", "to_end", "to_begin"})

--- Something that stands at an end of the result, as a vector of its dtype.
local function ending(x, value, what)
  if value == nil then return nil end
  if not core.is_array(value) then
    if core.number_kind(value) then return core.as_array({value}, x.dtype, x.device, "ediff1d") end
    value = core.as_array(value, x.dtype, x.device, "ediff1d")
  end
  check.same_device(x, value, "ediff1d")
  if not core.can_cast(value.dtype, x.dtype, "same_kind") then
    fail("ediff1d: %s is %s, which does not cast to %s; cast it with astype", what, value.dtype, x.dtype)
  end
  return core.reshape(value, -1, "ediff1d")
end

--- Differences of neighbours among all elements in row-major order, in x's dtype, between two arrays that are put at
--- the ends as they are. Not for bool. Follows numpy.ediff1d.
---@param x cuna.Operand
---@param to_end cuna.Operand|nil
---@param to_begin cuna.Operand|nil
---@return cuna.Array 1-d
---@usage cn.ediff1d({1, 2, 4, 7}, {to_begin = -99, to_end = {88, 99}}) --> [-99. 1. 2. 3. 88. 99.]
function F.ediff1d(...)
  local x, to_end, to_begin = read_ediff1d(...)
  x = core.reshape(check.beside(x, "ediff1d", to_end, to_begin), -1, "ediff1d")
  if x.dtype == "bool" then fail "ediff1d: not defined for bool; use diff" end
  local before, after = ending(x, to_begin, "to_begin"), ending(x, to_end, "to_end")
  if not (before or after) then return differ(x, 1, 1, x.dtype, nil, "ediff1d") end
  local p, q, length = before and before.size or 0, after and after.size or 0, math.max(x.size - 1, 0)
  local out = core.empty(p + length + q, x.dtype, x.device, "ediff1d")
  if p > 0 then slices.part(out, 1, 1, p)[core.ellipsis] = before end
  differ(x, 1, 1, x.dtype, slices.part(out, 1, p + 1, length), "ediff1d")
  if q > 0 then slices.part(out, 1, p + length + 1, q)[core.ellipsis] = after end
  return out
end

return M
