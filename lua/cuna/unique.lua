--- unique.lua: elements without repetition.
--
-- Elements are sorted; an element that differs from the one before begins a group. The positions where groups begin
-- give the counts, the group of each element and, because sorting is stable, the first position of each value.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local manipulate = require "cuna.manipulate"
local nonzero = require "cuna.nonzero"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"
local sort = require "cuna.sort"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local function draw_differ(draft, dtype, equal_nan)
  draft:step("differs", equal_nan and "!equal(a, b) && !(isnan(a) && isnan(b))" or "!equal(a, b)", "bool",
    {draft:input(dtype), draft:input(dtype)}, dtype)
  draft.output = "bool"
end

local function differ_program(dtype, equal_nan)
  return program.of(draw_differ, dtype, equal_nan)
end

--- For each sorted slice along the first axis, whether it begins a group.
function M.beginnings(sorted, equal_nan, name)
  local count = core.length(sorted, 1)
  local first, differs = core.empty(count, "bool", sorted, name), differ_program(sorted.dtype, equal_nan)
  if count == 0 then return first end
  core.fill(slices.part(first, 1, 1, 1), true, name)
  if count == 1 then return first end
  local rest, own = slices.part(first, 1, 2, count - 1), slices.part(sorted, 1, 2, count - 1)
  local before = slices.part(sorted, 1, 1, count - 1)
  if sorted.ndim == 1 then
    core.map(differs, name, nil, rest, own, before)
  else
    differs = core.map(differs, name, nil, nil, own, before)
    core.copy(rest, core.reshape(differs, {count - 1, -1}, name):any(2), name)
  end
  return first
end

--- The number of the group, from 1, of each sorted element.
local function group_numbers(first, name)
  return core.scan(reducers.program("sum", "bool", "int64", "int64", "inclusive"), name, 1, {false}, first)
end

--- x[p] with p in the original order: the group of each element.
local function inverse_of(first, order, shape, name)
  local inverse = core.empty({order.size}, "int64", order.device, name)
  gather.store(gather.index(inverse, {1}, {order}, 1, name), group_numbers(first, name), name)
  return core.reshape(inverse, shape, name)
end

--- The sizes of the groups that begin at `starts`.
local function counts_of(starts, size, name)
  local ends = core.empty_like(starts, "int64", name)
  local count = starts.size
  if count == 0 then return ends end
  if count > 1 then ends[{{1, count - 1}}] = starts[{{2, count}}] end
  ends[{{count}}] = size + 1
  return elementwise.functions.subtract(ends, starts, {out = ends})
end

--- The order of the slices of x along its first axis: by their first elements, then by the second ones, and so on.
local function order_of_slices(x, name)
  local width = x.size / math.max(x.shape[1], 1)
  local columns = core.cast(manipulate.functions.transpose(core.reshape(x, {x.shape[1], width}, name)), nil, name)
  local keys = {}
  for i = width, 1, -1 do keys[#keys + 1] = columns[{i, {}}] end
  if #keys == 0 then fail("%s: slices without elements have no order", name) end
  return sort.functions.lexsort(keys)
end

local take_slices = gather.rows

--- The slices of x sorted along its first axis, and the order if it is needed.
local function sorted_slices(x, wants_order, name)
  if x.ndim > 1 then
    local order = order_of_slices(x, name)
    return take_slices(x, order, name), order
  elseif not wants_order then
    return sort.sorted(x, -1, false, name)
  end
  local order = sort.order(x, -1, false, name)
  return take_slices(x, order, name), order
end

local read_unique = args.reader("unique", {"x", "return_index", "return_inverse", "return_counts", "axis", "equal_nan"})

--- The unique elements of x, sorted; or its unique slices along an axis. Options also return the first position of each
--- value in x (in row-major order), the number of each element's value, and how often each value occurs. Waits for the
--- number of values. Follows numpy.unique; the inverse has x's shape, as in NumPy 2.
---@param x cuna.Operand
---@param return_index boolean|nil
---@param return_inverse boolean|nil
---@param return_counts boolean|nil
---@param axis integer|nil without it, x is taken as a vector
---@param equal_nan boolean|nil whether all NaN count as one value, default true
---@return cuna.Array
---@return cuna.Array|nil ... int64, if requested: positions, numbers of values, counts
---@usage cn.unique({3, 1, 3, 2}) --> [1. 2. 3.]
---@usage cn.unique({3, 1, 3}, {return_index = true, return_counts = true}) --> [1. 3.], [2 1], [1 2]
---@usage cn.unique({{1, 2}, {0, 1}, {1, 2}}, {axis = 1}) --> [[0. 1.] [1. 2.]]
function F.unique(...)
  local x, index, inverse, counts, axis, equal_nan = read_unique(...)
  x, equal_nan = check.array(x, "unique"), check.boolean(equal_nan, true, "unique", "equal_nan")
  core.check_waiting "unique"
  local whole = axis == nil
  axis = not whole and core.axis(axis, x.ndim, "unique") or 1
  local rows = whole and core.reshape(x, -1, "unique") or manipulate.functions.moveaxis(x, axis, 1)
  local sorted, order = sorted_slices(rows, index or inverse, "unique")
  local first = M.beginnings(sorted, equal_nan, "unique")
  local results, starts = {}, nil
  if index or counts or rows.ndim > 1 then starts = nonzero.compact(first, nil, "unique") end
  local values = rows.ndim > 1 and take_slices(sorted, starts, "unique") or nonzero.compact(first, sorted, "unique")
  results[1] = whole and values or core.cast(manipulate.functions.moveaxis(values, 1, axis), nil, "unique")
  if index then results[#results + 1] = take_slices(order, starts, "unique") end
  if inverse then results[#results + 1] = inverse_of(first, order, whole and x.shape or -1, "unique") end
  if counts then results[#results + 1] = counts_of(starts, rows.shape[1], "unique") end
  return unpack(results)
end

--- The unique elements of x, sorted; every NaN counts for itself. Follows numpy.unique_values.
---@param x cuna.Operand
---@return cuna.Array 1-d
---@usage cn.unique_values({3, 1, 3}) --> [1. 3.]
function F.unique_values(x)
  return F.unique(check.array(x, "unique_values"), {equal_nan = false})
end

--- The unique elements of x, and how often each occurs. Follows numpy.unique_counts.
---@param x cuna.Operand
---@return cuna.Array values
---@return cuna.Array counts int64
---@usage cn.unique_counts({3, 1, 3}) --> [1. 3.], [1 2]
function F.unique_counts(x)
  return F.unique(check.array(x, "unique_counts"), {return_counts = true, equal_nan = false})
end

--- The unique elements of x, and the number of each element's value. Follows numpy.unique_inverse.
---@param x cuna.Operand
---@return cuna.Array values
---@return cuna.Array inverse int64, of x's shape: positions in values
---@usage cn.unique_inverse({3, 1, 3}) --> [1. 3.], [2 1 2]
function F.unique_inverse(x)
  return F.unique(check.array(x, "unique_inverse"), {return_inverse = true, equal_nan = false})
end

--- All that unique returns: values, first positions, numbers of values, counts. Follows numpy.unique_all.
---@param x cuna.Operand
---@return cuna.Array values
---@return cuna.Array indices int64: first positions in x, in row-major order
---@return cuna.Array inverse int64, of x's shape
---@return cuna.Array counts int64
---@usage cn.unique_all({3, 1, 3}) --> [1. 3.], [2 1], [2 1 2], [1 2]
function F.unique_all(x)
  return F.unique(check.array(x, "unique_all"), {return_index = true, return_inverse = true, return_counts = true,
    equal_nan = false})
end

args.bound(F, {unique_values = "x", unique_counts = "x", unique_inverse = "x", unique_all = "x"})

return M
