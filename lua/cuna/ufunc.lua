--- ufunc.lua: the other forms of the operations of two operands: cn.add_reduce(x), cn.add_accumulate(x),
--- cn.add_reduceat(x, positions) and cn.add_outer(a, b), by every name that an operation has.
--
-- If the operation is associative and commutative, it has a row of reductions.lua, and its forms are a reduction and a
-- scan. The others combine from the first element on, as in NumPy: a program reads the address of a row's first
-- element and loops over the row, so all rows are processed in parallel, in one launch.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local combiner = require "cuna.combiner"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local manipulate = require "cuna.manipulate"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local segments = require "cuna.segments"
local shapes = require "cuna.base.shapes"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- operations that may combine in any order ----

-- row: in reducers.lua; operations without one are declared here, with their own expression. types: of the row, if they
-- are not the operation's. scan: the row that accumulates, if it is another one; it combines bools. has: an empty
-- reduction has a result. lcm is not in the list: the order matters if it wraps.
local ORDERLESS = {
  add = {row = "sum", has = true}, multiply = {row = "prod", has = true},
  maximum = {row = "max"}, minimum = {row = "min"}, fmax = {row = "nanmax"}, fmin = {row = "nanmin"},
  logical_and = {row = "all", has = true, types = reducers.bool_types,
    scan = "bitwise_and from the first"},
  logical_or = {row = "any", has = true, types = reducers.bool_types,
    scan = "bitwise_or from the first"},
  logical_xor = {identity = "T(0)", has = true, scan = "bitwise_xor from the first"},
  bitwise_and = {identity = "T(~T(0))", has = true},
  bitwise_or = {identity = "T(0)", has = true}, bitwise_xor = {identity = "T(0)", has = true},
  gcd = {identity = "T(0)", has = true}, hypot = {identity = "T(0)", has = true},
  logaddexp = {identity = "-limits<T>::infinity()", has = true},
  logaddexp2 = {identity = "-limits<T>::infinity()", has = true},
}

-- A reduction begins with the identity (gcd of -4 alone is 4), an accumulation with the first element.
for _, row in ipairs(elementwise.rows()) do
  local own = ORDERLESS[row.name]
  if own and own.identity then
    reducers.declare(row.name, {identity = own.identity, combine = row.expr[1], finish = "combine(identity(), a)"})
    reducers.declare(row.name .. " from the first", {identity = own.identity, combine = row.expr[1]})
  end
end

-- ---- dtypes ----

local SUMS, HALF = {add = true, multiply = true}, {float16 = "float32", bfloat16 = "float32"}

--- The plan (of base/dtype_rules.lua) of an operation between an accumulated value and an element of x.
local function plan_of(row, x, dtype, name)
  dtype = check.dtype(dtype, name)
  if dtype and dtype ~= "bool" and x.dtype:find "^complex" and not dtype:find "^complex" then
    fail("%s: %s does not cast to %s; use x.real", name, x.dtype, dtype)
  elseif dtype == nil and SUMS[row.name] then
    dtype = select(2, reducers.sum_types(x.dtype))
  end
  local own = dtype or x.dtype
  local plan, problem = dtype_rules.resolve(row, {own, own}, dtype)
  if not plan then core.fail((problem:gsub("^" .. row.name, name, 1))) end
  plan.loop, plan.result = plan.args[1], plan.results[1].dtype
  if plan.result ~= plan.loop then
    fail("%s: %s of two %s is %s, which does not combine with the next; give bools, or dtype = \"bool\"", name,
      row.name, plan.loop, plan.result)
  end
  return plan
end

--- The accumulator's dtype for a row of reductions.lua.
local function accumulator_of(own, plan, x)
  if own.types then return (own.types(x.dtype)) end
  return (own.identity or own.has) and HALF[plan.loop] or plan.loop
end

-- ---- in order, from the first element on ----

-- Inputs a to j are those of `walked` (kernels/gather.cuh).
local INITIAL, MASKED = 1, 2
local WALK = "walked<%s, %s>(%s, a, b, c, d, e, f, g, h, i, j)"

local storage = dtype_facts.storage

local function draw_walk(draft, plan)
  local own, dtype, D, S = plan.args[2], plan.loop, storage(plan.loop), storage(plan.args[2])
  local x, distance, count = draft:input(own, "address"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar")
  local out, beside = draft:input(dtype, "address"), draft:input("int64", "scalar")
  local initial, mask = draft:input(dtype, "address"), draft:input("bool", "address")
  local has, apart = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  draft.gathers, draft.outputs = true, {}
  draft:step("walked", WALK:format(D, S, combiner.text(D, D, S, plan.results[1].expr)), "bool",
    {x, distance, count, out, draft:position(), beside, initial, mask, has, apart}, "int64")
end

--- The address of nothing.
local function nowhere(dtype, device, name) return core.view(core.empty({1}, dtype, device, name), {}, {}, 0) end

local function in_dtype(x, dtype, name) return x.dtype == dtype and x or core.cast(x, dtype, name) end

--- Combines the rows of x along an axis, and writes the results.
---@param heads cuna.Array the first results, of the dtype plan.loop
---@param apart integer the distance in bytes between the results of a row, 0 if there is one
---@param initial cuna.Array|nil
---@param mask cuna.Array|nil the first bools of rows
local function walk(row, plan, x, axis, heads, apart, name, initial, mask)
  x = in_dtype(x, plan.args[2], name)
  local rows, device = slices.at(x, axis, 1), x.device
  local last, beside = rows.ndim, 0
  if last > 0 and not mask and rows.strides[last] == x.itemsize and heads.strides[last] == heads.itemsize then
    beside = rows.shape[last]
  end
  local made = program.get(table.concat({row.name, plan.loop, plan.args[2]}, " "), draw_walk, plan)
  core.map(made, name, rows.shape, {}, rows, x.strides[axis], x.shape[axis], heads, beside,
    initial and in_dtype(initial, plan.loop, name) or nowhere(plan.loop, device, name),
    mask or nowhere("bool", device, name), (initial and INITIAL or 0) + (mask and MASKED or 0), apart)
end

--- The address of each row's first byte of a mask, which is contiguous along the axis.
local function mask_rows(where, axis, name)
  local ndim = where.ndim
  where = core.cast(manipulate.functions.moveaxis(where, axis, ndim), nil, name)
  return slices.at(where, ndim, 1)
end

-- ---- reduce ----


--- The axes as a list, the shape of the result, and the number of elements combined for each result.
local function lay_out(x, axes, keepdims)
  local list, shape, count = {}, {}, 1
  for axis, length in ipairs(x.shape) do
    if shapes.is_named(axes, axis) then
      list[#list + 1], count = axis, count * length
      length = keepdims and 1 or nil
    end
    shape[#shape + 1] = length
  end
  return list, shape, count
end

--- A mask broadcast to x.
local function mask_of(where, x, name)
  if where == nil then return nil end
  where = check.array(where, name, x.device)
  check.same_device(x, where, name)
  if where.dtype ~= "bool" then
    fail("%s: where is an array of bools, got %s; compare, as in x:gt(0)", name, where.dtype)
  end
  return core.broadcast_to(where, x.shape, name)
end

--- The initial value as a 0-d array.
local function initial_of(initial, dtype, x, name)
  if initial == nil then return nil end
  if not core.is_array(initial) then initial = core.as_array(initial, dtype, x.device, name) end
  check.same_device(x, initial, name)
  if initial.ndim > 0 then fail("%s: initial is one number, got shape %s", name, tostring(initial.shape)) end
  return initial
end

--- The arguments of one call: x, axes (a bit mask), shape (of the result), out, result (dtype), keepdims, initial,
--- where.
---@class cuna.Combining

local function combine_whole(row, own, plan, c, name)
  local accumulator, operands = accumulator_of(own, plan, c.x), {c.x, c.where}
  local folded_dtype = c.result
  if c.initial then folded_dtype = own.types and plan.result or accumulator end
  local made = reducers.program(own.row or row.name, c.x.dtype, accumulator, folded_dtype, c.where and "masked")
  local folded = core.reduce(made, name, c.axes, c.keepdims, 0, not c.initial and c.out or nil, unpack(operands))
  if not c.initial then return folded end
  local out = c.out or core.empty(c.shape, c.result, c.x.device, name)
  return elementwise.functions[row.name](c.initial, folded, {out = out})
end

--- Calls write(array) with `out`, or with an array that is copied to it if it has another dtype or overlaps x.
local function in_output(out, x, shape, plan, name, write)
  local fits = out and out.dtype == plan.loop and not core.shares_memory(out, x)
  local written = fits and out or core.empty(shape, plan.loop, x.device, name)
  write(written)
  if out and not fits then core.copy(out, written, name) end
  return out or written
end

local function combine_in_order(row, plan, c, list, name)
  local x, where = c.x, c.where
  if #list > 1 then
    fail("%s: the order of combining matters, so it takes one axis, not %d", name, #list)
  elseif #list == 0 then
    list = {x.ndim + 1}
    x = manipulate.functions.expand_dims(x, list[1])
    where = where and manipulate.functions.expand_dims(where, list[1])
  end
  return in_output(c.out, x, c.shape, plan, name, function(out)
    local axis = list[1]
    walk(row, plan, x, axis, out.ndim == x.ndim and slices.at(out, axis, 1) or out, 0, name, c.initial,
      where and mask_rows(where, axis, name))
  end)
end

--- Combines elements, if there are any, in any order or in order.
local function combine(row, own, plan, c, name)
  local list, shape, count = lay_out(c.x, c.axes, c.keepdims)
  local has_start = c.initial or own and own.has
  c.shape = shape
  check.output(c.out, nil, shape, c.x, name)
  if not has_start then reduce.refuse_empty(name, c.x, c.axes) end
  if c.where and not has_start then
    fail("%s: where may exclude all elements, and %s has no identity; give initial", name, row.name)
  elseif count == 0 and c.initial then
    local out = c.out or core.empty(shape, c.result, c.x.device, name)
    out[core.ellipsis] = c.initial
    return out
  elseif own then
    return combine_whole(row, own, plan, c, name)
  elseif c.x.size == 0 then
    return c.out or core.empty(shape, c.result, c.x.device, name)
  end
  return combine_in_order(row, plan, c, list, name)
end

--- The reduction of an operation.
local function reduction(row)
  local name, own = row.name .. "_reduce", ORDERLESS[row.name]
  local read = args.reader(name, {"x", "axis", "dtype", "out", "keepdims", "initial", "where"})
  return function(...)
    local x, axis, dtype, out, keepdims, initial, where = read(...)
    x = check.beside(x, name, out)
    if axis == nil then axis = x.ndim > 0 and 1 or {} end
    local plan = plan_of(row, x, dtype, name)
    return combine(row, own, plan, {
      x = x, axes = core.axes(axis, x, name), keepdims = check.boolean(keepdims, false, name, "keepdims"),
      out = out, result = check.output(out, plan.result, nil, x, name),
      initial = initial_of(initial, plan.loop, x, name), where = mask_of(where, x, name),
    }, name)
  end
end

-- ---- accumulate ----

local function accumulate_in_order(row, plan, x, axis, out, name)
  check.output(out, nil, x.shape, x, name)
  return in_output(out, x, x.shape, plan, name, function(written)
    if x.size == 0 then return end
    walk(row, plan, x, axis, slices.at(written, axis, 1), written.strides[axis], name)
  end)
end

--- The accumulation of an operation.
local function accumulation(row)
  local name, own = row.name .. "_accumulate", ORDERLESS[row.name]
  local read = args.reader(name, {"x", "axis", "dtype", "out"})
  return function(...)
    local x, axis, dtype, out = read(...)
    x = check.beside(x, name, out)
    if x.ndim == 0 then fail("%s: a 0-d array has no axis; give x:reshape(1)", name) end
    axis = core.axis(axis == nil and 1 or axis, x.ndim, name)
    local plan = plan_of(row, x, dtype, name)
    local result = check.output(out, plan.result, nil, x, name)
    if not own then return accumulate_in_order(row, plan, x, axis, out, name) end
    local accumulator = own.scan and "bool" or accumulator_of(own, plan, x)
    local made = reducers.program(own.scan or own.row or row.name .. " from the first", x.dtype, accumulator, result,
      "inclusive")
    return core.scan(made, name, axis, {out or false}, x)
  end
end

-- ---- reduceat ----

--- What segments.combine combines, in parts too if their order does not matter.
local function segments_of(row, own, plan, name)
  local accumulator = own and HALF[plan.loop] or plan.loop
  return {name = row.name, own = plan.args[2], accumulator = accumulator, result = plan.loop,
    expr = plan.results[1].expr, fold = own and function(x, axes)
      local made = reducers.program(own.row or row.name, x.dtype, accumulator_of(own, plan, x), accumulator)
      return core.reduce(made, name, axes, false, 0, nil, x)
    end}
end

--- The segments of an operation.
local function segmentation(row)
  local name, own = row.name .. "_reduceat", ORDERLESS[row.name]
  local read = args.reader(name, {"x", "indices", "axis", "dtype", "out"}, 2)
  return function(...)
    local x, indices, axis, dtype, out = read(...)
    x = check.beside(x, name, out, indices)
    if x.ndim == 0 then fail("%s: a 0-d array has no axis; give x:reshape(1)", name) end
    axis = core.axis(axis == nil and 1 or axis, x.ndim, name)
    local plan, shape = plan_of(row, x, dtype, name), x.shape
    indices = segments.positions(indices, x, name)
    shape[axis] = indices.size
    check.output(out, plan.result, shape, x, name)
    x = in_dtype(x, plan.args[2], name)
    return in_output(out, x, shape, plan, name, function(written)
      segments.combine(segments_of(row, own, plan, name), x, axis, indices, written, name)
    end)
  end
end

-- ---- outer ----

local function is_weak_number(value) return type(value) ~= "boolean" and core.number_kind(value) end

--- The outer form of an operation.
local function outer(row)
  local name, call = row.name .. "_outer", elementwise.functions[row.name]
  local read = args.reader(name, {"a", "b", "out", "dtype"}, 2)
  return function(...)
    local a, b, out, dtype = read(...)
    local device = core.device_of(a, b)
    if a == nil or b == nil then
      fail("%s: takes two arrays; the %s is missing", name, a == nil and "first" or "second")
    end
    local is_weak = is_weak_number(b) -- numbers stay weak and have no axes
    if not is_weak then b = check.array(b, name, device) end
    if not is_weak_number(a) then
      a = check.array(a, name, device)
      if not is_weak then check.same_device(a, b, name) end
      local shape = a.shape
      for _ = 1, is_weak and 0 or b.ndim do shape[#shape + 1] = 1 end
      a = core.reshape(a, shape, name)
    end
    if out == nil and dtype == nil then return call(a, b) end
    return call(a, b, {out = out, dtype = check.dtype(dtype, name)})
  end
end

-- ---- the functions ----

for _, row in ipairs(elementwise.rows()) do
  if row.nargs == 2 and row.method then
    local forms = {_outer = outer(row)}
    if #row.expr == 1 then
      forms._reduce, forms._accumulate, forms._reduceat = reduction(row), accumulation(row), segmentation(row)
    end
    for _, name in ipairs {row.name, unpack(row.alias)} do
      for suffix, form in pairs(forms) do F[name .. suffix] = form end
    end
  end
end

local add_reduce, add_accumulate, add_outer, add_reduceat = F.add_reduce, F.add_accumulate, F.add_outer, F.add_reduceat

--- An operation between all elements along axes. Every operation of two operands has this form, by all its names:
--- cn.subtract_reduce, cn.maximum_reduce, cn.gcd_reduce, cn.bor_reduce, ... If the order of combining matters, as in
--- cn.divide_reduce, it begins with the first element and takes one axis. Sums and products of small integers have 64
--- bits; comparisons combine bools only. Without elements, an operation without identity raises an error. Follows
--- numpy.ufunc.reduce.
---@param x cuna.Operand
---@param axis cuna.Axes|nil default 1, the first
---@param dtype string|nil dtype of the computation and the result
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@param keepdims boolean|nil
---@param initial cuna.Number|cuna.Array|nil the initial value; a number or 0-d array
---@param where cuna.Operand|nil bools that broadcast to x: the elements to include
---@return cuna.Array
---@usage cn.add_reduce({{1, 2}, {3, 4}}), cn.subtract_reduce {10, 2, 3} --> [4. 6.], 5.0
---@usage cn.maximum_reduce({1, 5, 9}, {where = cn.array {true, true, false}, initial = 0}) --> 5.0
function F.add_reduce(...) return add_reduce(...) end

--- An operation between every element and those before it along an axis. Every operation of two operands has this
--- form, by all its names: cn.multiply_accumulate, cn.logaddexp_accumulate, ... The dtypes are those of cn.add_reduce.
--- Follows numpy.ufunc.accumulate.
---@param x cuna.Operand at least 1-d
---@param axis integer|nil default 1, the first
---@param dtype string|nil dtype of the computation and the result
---@param out cuna.Array|nil of x's shape
---@return cuna.Array of x's shape
---@usage cn.add_accumulate {{1, 2}, {3, 4}} --> [[1. 2.] [4. 6.]]
---@usage cn.power_accumulate {2, 3, 2} --> [ 2. 8. 64.]
function F.add_accumulate(...) return add_accumulate(...) end

--- An operation between the elements of each segment along an axis: those from one position up to the next position in
--- `indices`, or up to the end; a position that is not below the next one has a segment of one element. Every operation
--- of two operands has this form, by all its names: cn.maximum_reduceat, cn.logical_or_reduceat, ... The dtypes are
--- those of cn.add_reduce; elements are combined from left to right, or by parts if the order does not matter. Follows
--- numpy.ufunc.reduceat, with positions from 1.
---@param x cuna.Operand at least 1-d
---@param indices cuna.Operand 1-d positions, from 1, or from the end below 0; in any order
---@param axis integer|nil default 1, the first
---@param dtype string|nil dtype of the computation and the result
---@param out cuna.Array|nil its dtype must be one that the result can be cast to
---@return cuna.Array x's shape, with the number of positions in place of the axis' length
---@usage cn.add_reduceat({1, 2, 3, 4, 5}, {1, 3, 4}) --> [3. 3. 9.]
---@usage cn.maximum_reduceat({{1, 9, 3}, {7, 2, 5}}, {1, 3}, {axis = 2}) --> [[9. 3.] [7. 5.]]
function F.add_reduceat(...) return add_reduceat(...) end

--- An operation between every element of a and every element of b. Every operation of two operands has this form, by
--- all its names: cn.multiply_outer, cn.less_outer, ... Follows numpy.ufunc.outer.
---@param a cuna.Operand
---@param b cuna.Operand
---@param ... cuna.Array|table out, options, as for the operation
---@return cuna.Array of a's shape followed by b's
---@usage cn.add_outer({1, 2}, {10, 20, 30}) --> [[11. 21. 31.] [12. 22. 32.]]
function F.add_outer(...) return add_outer(...) end

return M
