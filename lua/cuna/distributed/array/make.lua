--- make.lua: arrays over ranks that are made: of what all ranks have, of blocks, of one value.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local layouts = require "cuna.distributed.array.layout"
local object = require "cuna.distributed.array.object"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local M = {}

local fail = check.fail

--- This rank's block of x, as a view.
function M.cut(x, splits)
  for _, split in ipairs(splits) do
    local first, length = layouts.place(split)
    x = slices.part(x, split.axis, first, length)
  end
  return x
end

local function words_of(splits)
  local only = splits[1]
  return only.name and "layout " .. layouts.text(splits) or "axis " .. only.axis
end

--- Compares what all ranks make.
function M.compare(comm, name, x, splits)
  transfer.begin(comm, name, nil, x, nil, false, words_of(splits))
  if not core.is_preparing() then core.comm_end(comm.raw) end
end

--- x, which all ranks have, over them.
function M.array(x, layout, comm)
  local name = "distributed.array"
  x = transfer.operand(x, name)
  local splits, over = layouts.of_new(layout, x.shape, comm, name)
  M.compare(over.comm, name, x, splits)
  return object.over(over, core.cast(M.cut(x, splits), nil, name), splits)
end

--- An array of one value.
function M.full(shape, value, dtype, layout, comm, name)
  shape = check.lengths(shape, name, "shape")
  local splits, over = layouts.of_new(layout, shape, comm, name)
  dtype = dtype ~= nil and check.dtype(dtype, name) or dtype_rules.default_dtype()
  local block = core.empty(layouts.own_shape(shape, splits), dtype, core.current_device(), name)
  return object.over(over, core.fill(block, value, name), splits)
end

-- ---- of blocks ----

--- The lengths of all ranks' blocks along a split axis: one small all_gather.
local function gather_lengths(split, block, name)
  transfer.begin(split.comm, name, nil, nil, nil, true, ("%s, %d axes, split %d"):format(block.dtype, block.ndim,
    split.axis))
  return transfer.numbers(split.comm, {block.shape[split.axis]})
end

local function check_lengths(lengths, split, name)
  local wanted = transfer.lengths(split.length, split.comm.size)
  for i, length in ipairs(lengths) do
    if length ~= wanted[i] then
      fail("%s: the blocks have the lengths %s along axis %d; those of cn.array_split are %s", name,
        table.concat(lengths, ", "), split.axis, table.concat(wanted, ", "))
    end
  end
end

--- The array whose block each rank gives.
function M.from_block(block, layout, comm)
  local name = "distributed.from_block"
  block = transfer.operand(block, name)
  local splits, over = layouts.of_new(layout, block.shape, comm, name)
  for _, split in ipairs(splits) do
    local lengths, total = gather_lengths(split, block, name), 0
    for _, length in ipairs(lengths) do total = total + length end
    split.length = total
    check_lengths(lengths, split, name)
  end
  return object.over(over, block, splits)
end

return M
