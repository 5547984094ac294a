--- slide.lua: sums of the products of weights and the parts of an array that they cover whole (kernels/signal.cuh).
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"

local M = {}

local ABREAST = 8 -- results of a call, as in the kernel

local function address(x) return core.view(x, {}, {}, 0) end

local function draw(draft, dtype)
  local list = {draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input(dtype, "address"),
    draft:input("int64", "address")}
  for k = 5, 6 do list[k] = draft:input("int64", "scalar") end
  list[7] = draft:input("int64", "address")
  for k = 8, 9 do list[k] = draft:input("int64", "scalar") end
  list[10] = draft:position()
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 8
  draft:step("slide", ("signal::slide<%s>(a, b, c, d, e, f, g, h, i, j)"):format(dtype_facts.storage(dtype)), "bool",
    list, "int64")
end

--- Steps of the axes of a row-major array in elements.
local function steps_of(shape)
  local steps, step = {}, 1
  for axis = #shape, 1, -1 do steps[axis], step = step, step * shape[axis] end
  return steps
end

--- Where the rows of weights begin in an array with these steps.
local function offsets_of(lengths, steps)
  local list = {0}
  for axis = 1, #lengths - 1 do
    local longer = {}
    for _, offset in ipairs(list) do
      for k = 0, lengths[axis] - 1 do longer[#longer + 1] = offset + k * steps[axis] end
    end
    list = longer
  end
  return list
end

--- Correlates x with weights of its dtype and number of axes, where they overlap whole.
---@return cuna.Array
function M.valid(x, weights, name)
  x, weights = operands.row_major(x, name), operands.row_major(weights, name)
  local shape, lengths, facts, out_shape, rows = x.shape, weights.shape, {0}, {}, 1
  local steps, axes = steps_of(shape), #shape
  for axis = 1, axes do
    out_shape[axis] = math.max(shape[axis] - lengths[axis] + 1, 0)
    if axis < axes then
      facts[2 * axis - 1], facts[2 * axis] = out_shape[axis], steps[axis]
      rows = rows * out_shape[axis]
    end
  end
  local out = core.empty(out_shape, x.dtype, x.device, name)
  if out.size == 0 then return out end
  local offsets = offsets_of(lengths, steps)
  local function on_device(list) return address(core.as_array(list, "int64", x.device, name)) end
  core.map(program.get(x.dtype, draw, x.dtype), name, {rows * math.ceil(out_shape[axes] / ABREAST)}, {}, address(x),
    address(weights), address(out), on_device(offsets), #offsets, lengths[axes], on_device(facts), axes - 1,
    out_shape[axes])
  return out
end

return M
