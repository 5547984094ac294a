--- take.lua: functions that take, put or choose elements by positions or conditions.
--
-- Each is an indexed array (gather.lua) that is fetched or stored, or a separate program that reads by position.
-- Positions count from 1, negative ones from the end. The mode determines what happens to positions out of range:
-- "raise" raises an error, "wrap" counts around the axis, "clip" takes the nearest end (the first element for all
-- positions below 1). Only "clip" accepts position 0.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local gather = require "cuna.gather"
local manipulate = require "cuna.manipulate"
local nonzero = require "cuna.nonzero"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

---@alias cuna.PositionMode "raise"|"wrap"|"clip" treatment of positions out of range: see cn.take

-- ---- arguments ----

local MODES = {raise = true, wrap = true, clip = true}

local function check_mode(mode, name)
  if mode == nil or MODES[mode] then return mode end
  fail("%s: mode is \"raise\", \"wrap\" or \"clip\", got %s", name, check.show(mode))
end

--- Positions as an array on x's device.
local function positions_of(indices, x, name)
  if indices == nil then fail("%s: the positions are missing", name) end
  indices = check.array(indices, name, x.device)
  check.same_device(x, indices, name)
  local dtype = indices.dtype
  if dtype == "bool" then
    fail("%s: positions are whole numbers, got an array of bool; a mask goes into x[mask] or cn.compress", name)
  elseif dtype:find "complex" then
    fail("%s: positions are whole numbers, got an array of %s", name, dtype)
  end
  return indices
end

--- The elements of an indexed array, in `out` if there is one.
local function fetch(indexed, out, name)
  check.output(out, indexed.view.dtype, indexed.shape, indexed.view, name)
  return gather.fetch(indexed, name, out)
end

-- ---- indexed arrays ----

--- x indexed by positions in row-major order over all its elements.
local function at_flat(x, positions, mode, name)
  local ndim = x.ndim
  if ndim == 1 or x.flags.c_contiguous then
    local line = ndim == 1 and x or core.reshape(x, -1, name)
    local indexed = gather.index(line, {1}, {positions}, 1, name)
    indexed.mode = mode
    return indexed
  end
  x = manipulate.functions.squeeze(x) -- position 0 then is position 0 along the last axis
  local axes, places = {}, gather.places(positions, x.size, mode, name)
  for axis = 1, x.ndim do axes[axis] = axis end
  return gather.index(x, axes, nonzero.unravel(places, x.shape, name), 1, name)
end

--- x indexed along an axis, or in row-major order if there is none.
local function at(x, positions, axis, mode, name)
  if axis == nil then return at_flat(x, positions, mode, name) end
  axis = core.axis(axis, x.ndim, name)
  local indexed = gather.index(x, {axis}, {positions}, axis, name)
  indexed.mode = mode
  return indexed
end

--- x indexed by positions that have as many axes as x, along an axis; without an axis, x is taken as a vector.
local function along(x, positions, axis, name)
  if axis == nil then
    if positions.ndim ~= 1 then
      fail("%s: without an axis the positions have one axis, got shape %s", name, tostring(positions.shape))
    end
    return at_flat(x, positions, nil, name)
  end
  axis = core.axis(axis, x.ndim, name)
  local own, theirs, shape = x.shape, positions.shape, {}
  if #own ~= #theirs then
    fail("%s: an array of shape %s takes positions with as many axes, got shape %s", name, tostring(own),
      tostring(theirs))
  end
  for k = 1, #own do
    if k ~= axis and own[k] ~= theirs[k] and own[k] ~= 1 and theirs[k] ~= 1 then
      fail("%s: positions of shape %s do not broadcast with axis %d of shape %s", name, tostring(theirs), axis,
        tostring(own))
    end
    shape[k] = (k == axis or own[k] == 1) and theirs[k] or own[k]
  end
  return gather.along(x, axis, positions, shape, name)
end

--- The elements of x at positions along an axis, or in row-major order, for functions that compute the positions.
function M.at_positions(name, x, positions, axis, out) return fetch(at(x, positions, axis, nil, name), out, name) end

-- ---- take and put ----

local read_take = args.reader("take", {"x", "indices", "axis", "out", "mode"}, 2)

--- The elements of x at positions, along an axis or in row-major order over all of x. Follows numpy.take.
---@param x cuna.Operand
---@param indices cuna.Operand whole numbers from 1, or from the end below 0
---@param axis integer|nil
---@param out cuna.Array|nil of the result's shape; it may overlap x
---@param mode cuna.PositionMode|nil default "raise"; "clip" takes the first element for all positions below 1
---@return cuna.Array x's shape with the axis replaced by the shape of indices
---@usage cn.take({10, 20, 30}, {3, 1, -1}) --> [30. 10. 30.]
---@usage cn.take({{1, 2}, {3, 4}}, {2}, 2) --> [[2.] [4.]]
---@usage cn.take({10, 20, 30}, {4, 5}, {mode = "wrap"}) --> [10. 20.]
function F.take(...)
  local x, indices, axis, out, mode = read_take(...)
  local taken = mode == nil and core.fetch(x, indices, "take", axis, out)
  if taken then return taken end
  x = check.beside(x, "take", indices)
  local positions = positions_of(indices, x, "take")
  return fetch(at(x, positions, axis, check_mode(mode, "take"), "take"), out, "take")
end

--- `count` values, repeated from the first one if there are fewer; a single one broadcasts.
local function repeated(values, count, name)
  local size = values.size
  if size == 1 then return core.reshape(values, {}, name) end
  values = core.reshape(values, -1, name)
  if size < count then
    values = core.reshape(core.broadcast_to(values, {math.ceil(count / size), size}, name), -1, name)
  end
  return values.size == count and values or values[{{1, count}}]
end

local read_put = args.reader("put", {"x", "indices", "values", "mode"}, 3)

--- Writes values to positions in row-major order over all of x. If there are fewer values than positions, they repeat.
--- If a position occurs twice on CUDA, either value may be stored. Follows numpy.put.
---@param x cuna.Array
---@param indices cuna.Operand whole numbers from 1, or from the end below 0
---@param values cuna.Operand converted as by assignment
---@param mode cuna.PositionMode|nil default "raise"
---@return cuna.Array x
---@usage cn.zeros(5):put({1, -1}, {7, 8}) --> [7. 0. 0. 0. 8.]
function F.put(...)
  local x, indices, values, mode = read_put(...)
  gather.check_writable(check.self(x, "put"), "put")
  if mode == nil and x.ndim == 1 and core.store(x, indices, values, "put") then return x end
  local positions = core.reshape(positions_of(indices, x, "put"), -1, "put")
  values, mode = gather.value_for(x, values, "put"), check_mode(mode, "put")
  if values.size == 0 then return x end
  gather.write(x, at_flat(x, positions, mode, "put"), repeated(values, positions.size, "put"), "put")
  return x
end

local read_take_along = args.reader("take_along_axis", {"x", "indices", "axis"}, 2)

--- The elements of x at positions along an axis, which may differ for every element: for example those of argsort.
--- Follows numpy.take_along_axis.
---@param x cuna.Operand
---@param indices cuna.Operand as many axes as x; the other axes broadcast against x's
---@param axis integer|nil without it, x is taken as a vector and indices is 1-d
---@return cuna.Array
---@usage cn.take_along_axis({{10, 20}, {30, 40}}, {{2}, {1}}, 2) --> [[20.] [30.]]
function F.take_along_axis(...)
  local x, indices, axis = read_take_along(...)
  x = check.beside(x, "take_along_axis", indices)
  return fetch(along(x, positions_of(indices, x, "take_along_axis"), axis, "take_along_axis"), nil, "take_along_axis")
end

local read_put_along = args.reader("put_along_axis", {"x", "indices", "values", "axis"}, 3)

--- Writes values to positions along an axis, which may differ for every element. Follows numpy.put_along_axis.
---@param x cuna.Array
---@param indices cuna.Operand as many axes as x; the other axes broadcast against x's
---@param values cuna.Operand broadcasts, and is converted, as by assignment
---@param axis integer|nil without it, x is taken as a vector and indices is 1-d
---@return cuna.Array x
---@usage cn.zeros({2, 2}):put_along_axis({{2}, {1}}, 5, 2) --> [[0. 5.] [5. 0.]]
function F.put_along_axis(...)
  local x, indices, values, axis = read_put_along(...)
  gather.check_writable(check.self(x, "put_along_axis"), "put_along_axis")
  local indexed = along(x, positions_of(indices, x, "put_along_axis"), axis, "put_along_axis")
  gather.write(x, indexed, gather.value_for(x, values, "put_along_axis"), "put_along_axis")
  return x
end

-- ---- one of several arrays ----

local MOST_CHOICES, MOST_CONDITIONS = 12, 7 -- of one program; larger numbers take several passes

local function dtypes_of(arrays, first, last)
  local dtypes = {}
  for i = first, last do dtypes[#dtypes + 1] = arrays[i].dtype end
  return dtypes
end

local function draw_chooser(draft, dtypes, dtype, result)
  local place, first, value = draft:input "int64", draft:input("int64", "scalar"), draft:input(dtype)
  for _, own in ipairs(dtypes) do draft:input(own) end
  for k = 1, #dtypes do
    value = draft:step("choose", ("choose(a - b == %d, c, d)"):format(k - 1), dtype, {place, first, 3 + k, value},
      {"int64", "int64", dtype, dtype})
  end
  draft.output = result
end

--- A program that selects a choice by its position, from inputs: the position, that of the first choice, the value for
--- other positions, and choices of these dtypes.
local function chooser(dtypes, dtype, result)
  return program.get(table.concat({dtype, result, unpack(dtypes)}, " "), draw_chooser, dtypes, dtype, result)
end

--- One of several arrays for each position.
local function choose_among(positions, choices, out, mode)
  local arrays, dtype = operands.common(check.list(choices, "choose", "choices"), positions.device, "choose")
  for _, x in ipairs(arrays) do check.same_device(positions, x, "choose") end
  check.output(out, dtype, nil, positions, "choose")
  local places = gather.places(positions, #arrays, mode, "choose")
  local picked = core.fill(core.empty({}, dtype, positions.device, "choose"), 0, "choose")
  for first = 1, #arrays, MOST_CHOICES do
    local last, final = math.min(first + MOST_CHOICES - 1, #arrays), nil
    if last == #arrays then final = out end
    local made = chooser(dtypes_of(arrays, first, last), dtype, final and final.dtype or dtype)
    picked = core.map(made, "choose", nil, final, places, first, picked, unpack(arrays, first, last))
  end
  return picked
end

--- A shape with leading axes: `first`, then ones, up to `ndim` axes.
local function led(shape, ndim, first)
  local all = {first}
  for _ = 2, ndim - #shape do all[#all + 1] = 1 end
  for _, length in ipairs(shape) do all[#all + 1] = length end
  return all
end

--- One slice of an array along its first axis for each position.
local function choose_slices(positions, choices, out, mode)
  check.same_device(positions, choices, "choose")
  local slice = choices.shape
  local count = table.remove(slice, 1)
  if count == nil then fail "choose: the array of choices has no axes" end
  local own = positions.shape
  local ndim = 1 + math.max(#slice, #own)
  local indexed = along(core.reshape(choices, led(slice, ndim, count), "choose"),
    core.reshape(positions, led(own, ndim, 1), "choose"), 1, "choose")
  indexed.mode = mode
  local shape = {unpack(indexed.shape, 2)}
  check.output(out, choices.dtype, shape, positions, "choose")
  local picked = gather.fetch(indexed, "choose", out and core.reshape(out, indexed.shape, "choose"))
  return out or core.reshape(picked, shape, "choose")
end

local read_choose = args.reader("choose", {"indices", "choices", "out", "mode"}, 2)

--- For each position the element of that choice; positions and choices broadcast. Follows numpy.choose, except that
--- positions may also count from the end.
---@param indices cuna.Operand the numbers of choices: whole numbers from 1, or from the end below 0
---@param choices cuna.Operand[]|cuna.Array a table of arrays, or an array whose slices along the first axis are choices
---@param out cuna.Array|nil
---@param mode cuna.PositionMode|nil default "raise"
---@return cuna.Array
---@usage cn.choose({1, 2, 1}, {{10, 20, 30}, {-1, -2, -3}}) --> [10. -2. 30.]
function F.choose(...)
  local indices, choices, out, mode = read_choose(...)
  if choices == nil then fail "choose: the choices are missing" end
  local listed = type(choices) == "table" and check.device_of(choices) or nil
  indices = check.array(indices, "choose", core.device_of(choices) or listed)
  local positions = positions_of(indices, indices, "choose")
  local pick = core.is_array(choices) and choose_slices or choose_among
  return pick(positions, choices, out, check_mode(mode, "choose"))
end

local function draw_selector(draft, dtypes, dtype)
  local value = draft:input(dtype)
  for _, own in ipairs(dtypes) do
    draft:input "bool"
    draft:input(own)
  end
  for k = #dtypes, 1, -1 do
    value = draft:step("select", "choose(a, b, c)", dtype, {2 * k, 2 * k + 1, value}, {"bool", dtype, dtype})
  end
  draft.output = dtype
end

--- A program that selects the first value whose condition is true, from inputs: the default, then conditions and values
--- of these dtypes alternately.
local function selector(dtypes, dtype)
  return program.get(table.concat({dtype, unpack(dtypes)}, " "), draw_selector, dtypes, dtype)
end

--- Conditions as arrays of bools.
local function conditions_of(list, device, name)
  local conditions = {}
  for i, condition in ipairs(list) do
    conditions[i] = check.array(condition, name, device)
    if conditions[i].dtype ~= "bool" then
      fail("%s: condition %d is an array of %s; compare, as in x:gt(0)", name, i,
        conditions[i].dtype)
    end
  end
  return conditions
end

--- The result of cn.select, for functions with this name.
function M.select(name, condlist, choicelist, default)
  check.list(condlist, name, "conditions")
  check.list(choicelist, name, "choices")
  local count = #condlist
  if count ~= #choicelist then fail("%s: %d conditions, but %d choices", name, count, #choicelist) end
  if default == nil then default = 0 end
  local values = {unpack(choicelist)}
  values[count + 1] = default
  local device = check.device_of(condlist) or check.device_of(values) or core.current_device()
  local conditions, arrays, dtype = conditions_of(condlist, device, name), operands.common(values, device, name)
  local picked = arrays[count + 1]
  if picked.dtype ~= dtype then picked = core.cast(picked, dtype, name) end
  for last = count, 1, -MOST_CONDITIONS do
    local first, given = math.max(last - MOST_CONDITIONS + 1, 1), {}
    for k = first, last do
      given[#given + 1] = conditions[k]
      given[#given + 1] = arrays[k]
    end
    picked = core.map(selector(dtypes_of(arrays, first, last), dtype), name, nil, nil, picked, unpack(given))
  end
  return picked
end

local read_select = args.reader("select", {"condlist", "choicelist", "default"}, 2)

--- For each element the first choice whose condition is true; all broadcast. Follows numpy.select.
---@param condlist cuna.Operand[] arrays of bools
---@param choicelist cuna.Operand[] as many
---@param default cuna.Operand|nil if no condition is true, default 0
---@return cuna.Array
---@usage (function(x) return cn.select({x:lt(2), x:gt(2)}, {x, x * 10}, -1) end)(cn.arange(5)) --> [ 0 1 -1 30 40]
function F.select(...) return M.select("select", read_select(...)) end

return M
