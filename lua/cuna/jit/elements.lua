--- elements.lua: functions of numbers that have conditions or loops, applied to every element of arrays.
--
-- Each thread calls the function with the elements at its position. A translation of the call alone (`probe`) shows the
-- types of its results.
local check = require "cuna.base.check"
local core = require "cuna.core"
local functions = require "cuna.jit.function"
local jit_kernels = require "cuna.jit"
local shapes = require "cuna.base.shapes"

local M = {}

local fail = check.fail
local BLOCK, MOST_BLOCKS = 256, 65535

--- Texts of the call of `fn`: with the elements at a position, and with the first ones.
local function call_text(is_array, at)
  local list = {}
  for k, is in ipairs(is_array) do list[k] = ("v%d%s"):format(k, is and at or "") end
  return ("fn(%s)"):format(table.concat(list, ", "))
end

local function names(letter, count)
  local list = {}
  for k = 1, count do list[k] = letter .. k end
  return table.concat(list, ", ")
end

local function probe_text(is_array)
  return ("function(%s) %s end"):format(names("v", #is_array), call_text(is_array, "[1]"))
end

local function kernel_text(is_array, nresults)
  local stores = {}
  for k = 1, nresults do stores[k] = ("r%d[i] = s%d"):format(k, k) end
  return ("function(n, %s, %s) for i = cn.jit.grid(1), n, cn.jit.gridsize(1) do local %s = %s %s end end"):format(
    names("r", nresults), names("v", #is_array), names("s", nresults), call_text(is_array, "[i]"),
    table.concat(stores, " "))
end

--- The dtype of a result. float16 and bfloat16 are computed as float32.
local function dtype_of(result, arrays, name)
  if not result.type then fail("%s: the function returns no numbers", name) end
  local dtype = result.type.name
  if dtype == "float64" and result.weak then return core.default_dtype() end
  if dtype ~= "float32" then return dtype end
  local common = arrays[1].dtype
  for k = 2, #arrays do common = core.promote(common, arrays[k].dtype) end
  return (common == "float16" or common == "bfloat16") and common or dtype
end

--- An argument: an array in place of a table, or a number.
local function read_one(value, k, device, name)
  if type(value) == "table" then value = core.as_array(value, nil, device, name) end
  local is_array, kind = core.is_array(value), type(value) == "boolean" or core.number_kind(value)
  if not is_array and not kind then
    fail("%s: argument %d is an array, a number or a boolean, got %s", name, k, check.show(value))
  elseif kind == "complex" or is_array and core.check_alive(value, name).dtype:find "complex" then
    fail("%s: argument %d is complex, and conditions compare real numbers; use cn.where", name, k)
  end
  return value
end

--- Reads the arguments; returns the shape to which their arrays broadcast, and a list of these arrays.
local function read(values, name)
  local device, shape, arrays = check.device_of(values), nil, {}
  for k = 1, #values do
    local value = read_one(values[k], k, device, name)
    values[k] = value
    if core.is_array(value) then
      arrays[#arrays + 1] = value
      check.same_device(arrays[1], value, name)
      local wider = shape and check.broadcast(shape, value.shape) or not shape and value.shape
      if not wider then
        fail("%s: shapes %s and %s do not broadcast", name, shapes.text(shape), tostring(value.shape))
      end
      shape = wider
    end
  end
  return shape, arrays
end

--- The elements of x in row-major order, repeated to a shape.
local function spread(x, shape, name)
  return core.reshape(core.broadcast_to(x, shape, name), -1, name)
end

local function kernel_for(state, key, make)
  state.kernels = state.kernels or {}
  local kernel = state.kernels[key]
  if not kernel then
    kernel = jit_kernels.kernel_of(make(), state.name:gsub("[^%w_]", "_"), state.fn)
    state.kernels[key] = kernel
  end
  return kernel
end

--- New arrays for the results of calls with these arguments.
local function outputs(state, probe, lines, shape, arrays)
  local found, problem = functions.source_of(state.fn)
  if not found then
    problem = problem:gsub("; pass the text itself.*", "; load it from a file")
    fail("%s: conditions and loops need the function's text: %s", state.name, problem)
  end
  local results, outs = jit_kernels.results_of(probe, lines, state.fn), {}
  if #results == 0 then fail("%s: the function returns nothing", state.name) end
  for k, result in ipairs(results) do
    outs[k] = core.empty(shape, dtype_of(result, arrays, state.name), arrays[1].device, state.name)
  end
  return outs
end

--- The kernel that stores the results of all elements, its arguments, and the results, which it has not stored yet.
local function planned(state, values, shape, arrays)
  local name, is_array, lines, key = state.name, {}, {}, ""
  for k, value in ipairs(values) do
    is_array[k] = core.is_array(value)
    lines[k] = is_array[k] and spread(value, shape, name) or value
    key = key .. (is_array[k] and "a" or "n")
  end
  local probe = kernel_for(state, key, function() return probe_text(is_array) end)
  local outs = outputs(state, probe, lines, shape, arrays)
  local list = {outs[1].size}
  for _, out in ipairs(outs) do list[#list + 1] = core.reshape(out, -1, name) end
  for _, line in ipairs(lines) do list[#list + 1] = line end
  return kernel_for(state, key .. #outs, function() return kernel_text(is_array, #outs) end), list, outs
end

--- Calls the function of a state, {fn, name}, with the elements of values; with numbers alone, it calls it in Lua.
---@return any ... an array for each result
function M.apply(state, values)
  local shape, arrays = read(values, state.name)
  if not shape then return state.fn(unpack(values)) end
  local kernel, list, outs = planned(state, values, shape, arrays)
  local n = list[1]
  if n > 0 then kernel(math.min(math.ceil(n / BLOCK), MOST_BLOCKS), math.min(n, BLOCK), list) end
  return unpack(outs)
end

--- The text of the kernel of such a call; "" for numbers alone.
function M.source(state, values)
  local shape, arrays = read(values, state.name)
  if not shape then return "" end
  local kernel, list = planned(state, values, shape, arrays)
  return kernel:source(unpack(list))
end

return M
