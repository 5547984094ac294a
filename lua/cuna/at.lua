--- at.lua: operations at positions: x:add_at(key, v) and similar methods. A position that occurs twice is updated
-- twice.
--
-- Every operation of two operands that has an in-place form has this one, by the same names with _at. The row's
-- expression becomes the update of an element at an address (kernels/gather.cuh).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local combiner = require "cuna.combiner"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"

local M = {functions = {}}
local F, methods = M.functions, core.methods()

local fail = check.fail

local IN_HALVES = {add = true, subtract = true} -- what does each part of complex numbers by itself
local UPDATE = "updated<%s, %s>(b, a, %s)"

local storage = dtype_facts.storage

-- Sums that devices have as one operation.
local SUMS = {add = "added<E>(b, a)", subtract = "added<E>(b, wrap_neg(a))"}
-- Bytes that a block of many lanes needs for an element (kernels/tally_lanes.cuh).
local SUMMED = {int32 = 4, uint32 = 4, int64 = 8, uint64 = 8, float16 = 4, bfloat16 = 4, float32 = 4, float64 = 8}

local function is_sum(row, plan, dtype)
  return SUMS[row.name] and SUMMED[dtype] and plan.results[1].dtype == dtype and plan.args[2] == dtype
end

--- The dtypes of a row for an element of `dtype` and a value of a type, named as M.common of base/dtype_rules.lua does.
local function make_plan(row, dtype, type, name)
  local plan, problem = dtype_rules.resolve(row, {dtype, type})
  if not plan then core.fail((problem:gsub("^" .. row.name, name))) end
  core.check_result(plan.results[1].dtype, dtype, nil, nil, name)
  return plan
end

--- The update of such an element by such a value.
local function make_update(row, dtype, type, name)
  local plan = make_plan(row, dtype, type, name)
  local result = plan.results[1]
  if dtype == "complex128" and not IN_HALVES[row.name] then
    fail("%s: elements of complex128 can be added to and subtracted from only; cast with astype", name)
  end
  if is_sum(row, plan, dtype) then
    return {last = "added", expr = SUMS[row.name], as = dtype, nbytes = SUMMED[dtype]}
  end
  local E = storage(plan.args[1])
  local combine = combiner.text(storage(result.dtype), E, storage(plan.args[2]), result.expr)
  return {last = "updated", expr = UPDATE:format(storage(dtype), E, combine), as = plan.args[2]}
end

--- `make`, which keeps what it made by row and types.
local function kept(make)
  local made = {}
  return function(row, dtype, type, name)
    local key = row.name .. dtype .. type
    made[key] = made[key] or make(row, dtype, type, name)
    return made[key]
  end
end

local plan_for, update_for = kept(make_plan), kept(make_update)

--- Whether a key has arrays; without any it is a view.
local function has_arrays(key)
  if type(key) ~= "table" then return core.is_array(key) end
  for _, entry in ipairs(key) do
    if core.is_array(entry) then return true end
  end
  return false
end

--- x[key] as a view, of a single element too.
local function view_at(x, key)
  if type(key) == "string" then return x[key:find("...", 1, true) and key or key .. ", ..."] end
  local entries = type(key) == "table" and {unpack(key)} or {key}
  local single = #entries == x.ndim
  for _, entry in ipairs(entries) do single = single and core.number_kind(entry) end
  if not single then return x[key] end
  entries[#entries + 1] = core.ellipsis
  return x[entries]
end

--- A number as an array of the dtype that the operation takes, anything else as by assignment; and its type.
local function value_and_update(row, x, value, name)
  local kind = not core.is_array(value) and core.number_kind(value)
  if not kind then
    value = gather.value_for(x, value, name)
    return value, update_for(row, x.dtype, value.dtype, name)
  end
  local update = update_for(row, x.dtype, dtype_rules.weak_type(kind), name)
  return core.fill(core.empty({}, update.as, x.device, name), value, name), update
end

--- A value for the row's form in place, whose messages name that form: checked here, so that a mistake is blamed on
--- this one. A number stays one, because the form in place may be faster then.
local function value_in_place(row, view, value, name)
  local kind = not core.is_array(value) and core.number_kind(value)
  if not kind or kind == "bool" then
    value = gather.fitting(gather.value_for(view, value, name), view, name)
    plan_for(row, view.dtype, value.dtype, name)
  else
    core.check_number(value, plan_for(row, view.dtype, dtype_rules.weak_type(kind), name).args[2], name)
  end
  return value
end

--- Makes the form of a row.
local function form_of(row)
  local name, in_place = row.name .. "_at", methods[row.name .. "_"]
  return function(x, key, value)
    gather.check_writable(check.self(x, name), name)
    if key == nil then fail("%s: the positions are missing", name) end
    if has_arrays(key) then
      local operand, update = value_and_update(row, x, value, name)
      gather.write(x, gather.resolve(x, key, name), operand, name, update)
    else
      local view = view_at(x, key)
      in_place(view, value_in_place(row, view, value, name))
    end
    return x
  end
end

for _, row in ipairs(elementwise.rows()) do
  if row.nargs == 2 and row.inplace then
    local form = form_of(row)
    for _, name in ipairs {row.name, unpack(row.alias)} do F[name .. "_at"] = form end
    args.bound(F, {[row.name .. "_at"] = "x key value"})
  end
end

local add_at = F.add_at

--- Adds values to x[key], in place. Unlike x[key] = x[key] + v it adds to an element as often as the key has it; on
--- CUDA in any order. Every operation of two operands with an in-place form has this one: x:subtract_at,
--- x:multiply_at, x:maximum_at, x:bitwise_or_at, x:bor_at, ...; complex128 has add_at and subtract_at only. Follows
--- numpy.ufunc.at.
---@param x cuna.Array
---@param key any what x[key] takes: arrays of positions, masks, ranges, a table of them
---@param value cuna.Operand broadcasts to x[key]; the result's dtype must cast to x's within its kind
---@return cuna.Array x
---@usage cn.zeros(3):add_at(cn.array {1, 3, 1}, 1) --> [2. 0. 1.]
---@usage cn.zeros(3):maximum_at(cn.array {1, 3, 1}, {5, 7, 4}) --> [5. 0. 7.]
function F.add_at(...) return add_at(...) end

return M
