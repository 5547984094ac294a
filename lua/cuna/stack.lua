--- stack.lua: arrays joined as rows, columns, layers or blocks, with the axes that this takes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local join = require "cuna.join"
local manipulate = require "cuna.manipulate"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local MOST_AXES = 32

-- ---- rows, columns, layers ----

--- The arrays of a list, each with at least `ndim` axes.
local function raised(list, ndim, name, raise)
  raise = raise or manipulate.raise
  local arrays = {}
  for i, x in ipairs(join.arrays_of(list, name)) do arrays[i] = x.ndim < ndim and raise(x, ndim, name) or x end
  return arrays
end

local function by_rows(name)
  local read = args.reader(name, {"arrays", "dtype"})
  return function(...)
    local list, dtype = read(...)
    return join.join(raised(list, 2, name), 1, nil, dtype, name)
  end
end

--- Arrays joined along the first axis; vectors become rows before. Follows numpy.vstack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.vstack {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
F.vstack = by_rows "vstack"

--- Another name of cn.vstack. Follows numpy.row_stack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.row_stack {{1, 2}, {3, 4}} --> [[1. 2.] [3. 4.]]
F.row_stack = by_rows "row_stack"

local read_hstack = args.reader("hstack", {"arrays", "dtype"})

--- Arrays joined along the second axis; vectors and numbers along the first. Follows numpy.hstack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array
---@usage cn.hstack {{1, 2}, {3}} --> [1. 2. 3.]
function F.hstack(...)
  local list, dtype = read_hstack(...)
  local arrays = raised(list, 1, "hstack")
  return join.join(arrays, arrays[1].ndim == 1 and 1 or 2, nil, dtype, "hstack")
end

local read_dstack = args.reader("dstack", {"arrays", "dtype"})

--- Arrays joined along the third axis: vectors are taken as matrices of one row, matrices as layers. Follows
--- numpy.dstack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array at least 3-d
---@usage cn.dstack {{1, 2}, {3, 4}} --> [[[1. 3.] [2. 4.]]]
function F.dstack(...)
  local list, dtype = read_dstack(...)
  return join.join(raised(list, 3, "dstack"), 3, nil, dtype, "dstack")
end

local function as_column(x, _, name) return core.reshape(x, {x.size, 1}, name) end

local read_column_stack = args.reader("column_stack", {"arrays", "dtype"})

--- Arrays joined along the second axis; vectors become columns before. Follows numpy.column_stack.
---@param arrays cuna.Operand[]|cuna.Array
---@param dtype string|nil default: the arrays' common one
---@return cuna.Array at least 2-d
---@usage cn.column_stack {{1, 2}, {3, 4}} --> [[1. 3.] [2. 4.]]
function F.column_stack(...)
  local list, dtype = read_column_stack(...)
  return join.join(raised(list, 2, "column_stack", as_column), 2, nil, dtype, "column_stack")
end

-- ---- blocks ----

local function is_nest(value) return type(value) == "table" and not core.is_array(value) end

--- The leaves of nested tables, all at one depth: {value, depth}; and that depth.
local function leaves_of(nest, leaves, depth)
  if not is_nest(nest) then
    if not core.is_array(nest) and not core.number_kind(nest) then
      fail("block: expected arrays and numbers in nested tables, got %s", check.show(nest))
    end
    leaves[#leaves + 1] = {value = nest}
    if leaves.depth and leaves.depth ~= depth then
      fail("block: one array is nested in %d tables and another one in %d; nest all equally deep", leaves.depth, depth)
    end
    leaves.depth = depth
    return leaves
  end
  if depth >= MOST_AXES then fail("block: tables are nested deeper than an array has axes (%d)", MOST_AXES) end
  for _, inner in ipairs(check.list(nest, "block", "arrays")) do leaves_of(inner, leaves, depth + 1) end
  return leaves
end

--- Makes arrays of the leaves; returns the dtype and the number of axes of the result.
local function open(leaves)
  local types, ndim, device = {}, leaves.depth, nil
  for i, leaf in ipairs(leaves) do
    local x = leaf.value
    if core.is_array(x) then
      if device then check.same_device(leaves[device].value, x, "block") end
      device, types[i], ndim = device or i, x.dtype, math.max(ndim, x.ndim)
    else
      types[i] = dtype_rules.weak_type(core.number_kind(x))
    end
  end
  device = device and leaves[device].value.device or core.current_device()
  local dtype = dtype_rules.common(types)
  for _, leaf in ipairs(leaves) do
    local x, shape = leaf.value, {}
    if not core.is_array(x) then x = core.fill(core.empty({}, dtype, device, "block"), x, "block") end
    for axis = 1, ndim do shape[axis], leaf[axis] = axis > ndim - x.ndim and x.shape[axis - ndim + x.ndim] or 1, 1 end
    leaf.value, leaf.shape = core.reshape(x, shape, "block"), shape
  end
  return dtype, ndim, device
end

--- Places the leaves of a nest, starting with number `first`, along axis `axis` and the axes after it: entry k of a
--- leaf becomes the leaf's offset on axis k. Returns the shape of the whole nest and the number of the next leaf.
local function place(nest, leaves, first, axis)
  if not is_nest(nest) then return {unpack(leaves[first].shape)}, first + 1 end
  local shape, next_leaf = nil, first
  for i, inner in ipairs(nest) do
    local begin = next_leaf
    local own, behind = place(inner, leaves, begin, axis + 1)
    next_leaf = behind
    shape = shape or own
    for k = 1, #own do
      if k ~= axis and own[k] ~= shape[k] then
        fail("block: part %d of a table has length %d along axis %d, and the first one %d", i, own[k], k, shape[k])
      end
    end
    if i > 1 then
      for number = begin, next_leaf - 1 do leaves[number][axis] = leaves[number][axis] + shape[axis] end
      shape[axis] = shape[axis] + own[axis]
    end
  end
  return shape, next_leaf
end

--- The axis along which leaf b follows leaf a; nil if they differ in another one.
local function follows(a, b, ndim)
  local along
  for axis = 1, ndim do
    if a[axis] ~= b[axis] or a.shape[axis] ~= b.shape[axis] then
      if along then return nil end
      along = axis
    end
  end
  return along and b[along] == a[along] + a.shape[along] and along or nil
end

--- Copies leaves from number `first` on to out: all that come one after the other along one axis, which are joined
--- there. Returns the number of the next leaf.
local function put_row(out, leaves, first, ndim)
  local leaf, values, last = leaves[first], {leaves[first].value}, first
  local along = leaves[first + 1] and follows(leaf, leaves[first + 1], ndim)
  local length = along and leaf.shape[along]
  while along and leaves[last + 1] and follows(leaves[last], leaves[last + 1], ndim) == along do
    last = last + 1
    values[#values + 1], length = leaves[last].value, length + leaves[last].shape[along]
  end
  local key = {core.ellipsis}
  for axis = 1, ndim do key[axis] = {leaf[axis], leaf[axis] + (axis == along and length or leaf.shape[axis]) - 1} end
  if along then core.join(values, along, false, out[key], nil, "block") else out[key] = leaf.value end
  return last + 1
end

--- An array put together of blocks: the innermost tables are joined along the last axis, those around them along the
--- one before, and so on. Lua numbers take the dtype of the arrays. Follows numpy.block.
---@param arrays cuna.Operand[]|cuna.Operand[][] nested tables of arrays and numbers, all at one depth; or one array
---@return cuna.Array
---@usage cn.block {{cn.ones {2, 2}, cn.zeros {2, 1}}, {cn.ones {1, 2}, 5}} --> [[1. 1. 0.] [1. 1. 0.] [1. 1. 5.]]
function F.block(arrays)
  check.dot(arrays, "block")
  local leaves = leaves_of(arrays, {}, 0)
  local dtype, ndim, device = open(leaves)
  local out = core.empty((place(arrays, leaves, 1, ndim - leaves.depth + 1)), dtype, device, "block")
  local first = 1
  while first <= #leaves do first = put_row(out, leaves, first, ndim) end
  return out
end

args.bound(F, {block = "arrays"})

return M
