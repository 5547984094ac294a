--- group.lua: several devices of one process: calls with a list of arrays, one on each device.
--
-- NCCL moves and reduces them where it can. Where it cannot, and without it, arrays are copied to one device, folded
-- there in the order of the devices, and copied back.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local forms = require "cuna.distributed.form"
local later = require "cuna.base.later"
local operands = require "cuna.base.operands"
local ops = require "cuna.distributed.op"
local slices = require "cuna.base.slices"
local suggest = require "cuna.base.suggest"
local transfer = require "cuna.distributed.transfer"

local elementwise, join = later.functions "elementwise", later.functions "join"

local M = {}

local fail = check.fail
local FOLDS = {sum = "add", prod = "multiply", max = "maximum", min = "minimum"}

--- Several devices of this process, with the collective calls of a communicator for lists of arrays, one on each
--- device. cn.distributed.group makes it.
---@class cuna.DeviceGroup
---@field size integer how many devices there are
---@field devices cuna.Device[]
---@field backend string "nccl", or "copies" between devices
local methods = {}
local meta = {__metatable = "cuna DeviceGroup"}

local function self_of(group, name)
  if type(group) == "table" and rawequal(debug.getmetatable(group), meta) then return group end
  fail("%s: a group's function is called with a colon: group:%s(...)", name, name)
end

function meta.__index(_, name)
  local near = not methods[name] and suggest.find(tostring(name), methods)
  return methods[name] or fail("a group has no field '%s'%s", tostring(name),
    suggest.phrase(near))
end

function meta.__newindex(_, name) fail("a group's field '%s' cannot be assigned", tostring(name)) end

function meta.__tostring(group) return ("<group of %d devices: %s>"):format(group.size, group.backend) end

--- The group of a list of devices, or names.
function M.new(list, name)
  local devices, seen, has_host = {}, {}, false
  for i, value in ipairs(check.list(list, name, "devices")) do
    local device = core.device(value, name)
    if seen[device.name] then fail("%s: %s is in the list twice", name, device.name) end
    devices[i], seen[device.name] = device, true
    has_host = has_host or core.is_host(device)
  end
  local raw = not has_host and core.comm_nccl() > 0 and core.group_create(devices) or nil
  return setmetatable({raw = raw or false, size = #devices, devices = devices, backend = raw and "nccl" or "copies"},
    meta)
end

-- ---- lists ----

--- Checks that a list has an array of one dtype on each device; their shapes are alike, but for the first length where
--- `uneven`.
local function check_list(group, list, name, uneven)
  if type(list) ~= "table" or core.is_array(list) or #list ~= group.size then
    fail("%s: expected a list of %d arrays, one on each device, got %s", name, group.size,
      type(list) == "table" and not core.is_array(list) and "a list of " .. #list or check.show(list))
  end
  local function shape_of(x) return x.dtype .. tostring(x.shape):gsub(uneven and "^%(%d+" or "^$", "(...") end
  for i, x in ipairs(list) do
    check.self(x, name)
    if x.device ~= group.devices[i] then
      fail("%s: array %d of the list is on %s, and device %d of the group is %s", name, i, x.device.name, i,
        group.devices[i].name)
    end
    if shape_of(x) ~= shape_of(list[1]) then
      fail("%s: arrays 1 and %d of the list differ: %s %s and %s %s", name, i, list[1].dtype, tostring(list[1].shape),
        x.dtype, tostring(x.shape))
    end
  end
  return list
end

local function each(list, fn)
  local out = {}
  for i, x in ipairs(list) do out[i] = fn(x, i) end
  return out
end

local function moved(x, device, name) return x.device == device and x or core.as_array(x, nil, device, name) end

--- The form in which NCCL reduces a list; nil where it does not.
local function form_of(group, kind, op, dtype)
  return group.raw and forms.find(dtype, op, function(form) return core.group_carries(kind, op, form) end)
end

-- ---- reductions ----

--- The fold of a list on one of its devices, by copies.
local function fold_copies(list, op, device, name)
  local fold = elementwise[FOLDS[op.does]]
  local out = core.cast(moved(list[1], device, name), nil, name)
  for i = 2, #list do out = fold(out, moved(list[i], device, name)) end
  return out
end

--- What `kind` makes of a list in NCCL's form: results on the devices that `gets` says.
local function fold_nccl(group, kind, list, form, op, root, counts, name)
  local ins = each(list, function(x) return operands.row_major(form.to(x, name), name) end)
  local outs = each(ins, function(x, i)
    if root and i ~= root + 1 then return false end
    local shape = x.shape
    if counts then shape[1] = counts.lengths[i] end
    return core.empty(shape, x.dtype, x.device, name)
  end)
  core.group_run(group.raw, kind, op.does, ins, outs, root, counts)
  return each(outs, function(x) return x and form.back(x, name) end)
end

local function divided(x, op, group) return x and op.divides and x:divide_(group.size) or x end

--- all_reduce, or reduce where there is a root.
local function reduce(group, kind, list, title, root, name)
  local op = ops.find(title, name)
  list = each(check_list(group, list, name), function(x) return ops.converted(x, op, name) end)
  local form = form_of(group, kind, op.does, list[1].dtype)
  local outs
  if form then
    outs = fold_nccl(group, kind, list, form, op, root, nil, name)
  else
    local whole = fold_copies(list, op, group.devices[(root or 0) + 1], name)
    outs = each(list, function(x, i) return (not root or i == root + 1) and moved(whole, x.device, name) end)
  end
  return each(outs, function(x) return divided(x, op, group) end)
end

local read_all_reduce = args.reader("all_reduce", {"group", "list", "op"}, 2)

--- The reduction of the arrays over all devices, element by element, on each of them. Follows
--- cn.distributed's Communicator:all_reduce.
---@param list cuna.Array[] one on each device, of one shape and dtype
---@param op string|nil "sum" (default), "prod", "max", "min", "mean", "any", "all"
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):all_reduce({cn.array({1, 2}, nil, "cpu")})[1] --> [1. 2.]
function methods.all_reduce(...)
  local group, list, op = read_all_reduce(...)
  return reduce(self_of(group, "all_reduce"), "all_reduce", list, op, nil, "all_reduce")
end

local read_all_reduce_in = args.reader("all_reduce_", {"group", "list", "op"}, 2)

--- Replaces the arrays by their reduction.
---@param list cuna.Array[]
---@param op string|nil as of all_reduce; the result must have the arrays' dtype
---@return cuna.Array[] list
---@usage cn.distributed.group({"cpu"}):all_reduce_({cn.ones(2, "float64", "cpu")}, "max")[1] --> [1. 1.]
function methods.all_reduce_(...)
  local name = "all_reduce_"
  local group, list, title = read_all_reduce_in(...)
  self_of(group, name)
  local op = ops.find(title, name)
  for _, x in ipairs(check_list(group, list, name)) do
    ops.check_in_place(transfer.target(x, name), op, title or "sum", name)
  end
  for i, x in ipairs(reduce(group, "all_reduce", list, title, nil, name)) do core.copy(list[i], x, name) end
  return list
end

--- A member's number, from 0.
local function root_of(group, root, name) return transfer.rank(root, 0, group, name, "root") end

local read_reduce = args.reader("reduce", {"group", "list", "op", "root"}, 2)

--- The reduction of the arrays over all devices, on one of them.
---@param list cuna.Array[]
---@param op string|nil as of all_reduce
---@param root integer|nil the device's number, from 0; default 0
---@return cuna.Array
---@usage cn.distributed.group({"cpu"}):reduce({cn.ones(2, "float64", "cpu")}, "sum", 0) --> [1. 1.]
function methods.reduce(...)
  local group, list, op, root = read_reduce(...)
  root = root_of(self_of(group, "reduce"), root, "reduce")
  return reduce(group, "reduce", list, op, root, "reduce")[root + 1]
end

--- The lengths of parts of a first axis, and their elements.
local function parts_of(shape, count)
  local lengths = transfer.lengths(shape[1], count)
  local counts = transfer.times(lengths, transfer.row_size(shape))
  counts.lengths = lengths
  return counts
end

local function cut(x, lengths)
  local at = 1
  return each(lengths, function(length)
    at = at + length
    return slices.part(x, 1, at - length, length)
  end)
end

local read_reduce_scatter = args.reader("reduce_scatter", {"group", "list", "op"}, 2)

--- The parts of the reduction of the arrays, one on each device: those of cn.array_split along the first axis.
---@param list cuna.Array[]
---@param op string|nil as of all_reduce
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):reduce_scatter({cn.ones(2, "float64", "cpu")})[1] --> [1. 1.]
function methods.reduce_scatter(...)
  local name = "reduce_scatter"
  local group, list, title = read_reduce_scatter(...)
  self_of(group, name)
  local op = ops.find(title, name)
  list = each(check_list(group, list, name), function(x) return ops.converted(x, op, name) end)
  if list[1].ndim == 0 then fail("%s: expected arrays with at least one axis, got 0-d arrays", name) end
  local counts, form = parts_of(list[1].shape, group.size), form_of(group, name, op.does, list[1].dtype)
  local outs
  if form then
    outs = fold_nccl(group, name, list, form, op, nil, counts, name)
  else
    local whole = cut(fold_copies(list, op, group.devices[1], name), counts.lengths)
    outs = each(list, function(x, i) return core.cast(moved(whole[i], x.device, name), nil, name) end)
  end
  return each(outs, function(x) return divided(x, op, group) end)
end

-- ---- moves ----

local read_broadcast = args.reader("broadcast", {"group", "x"}, 2)

--- A copy of x on each device; on its own x itself.
---@param x cuna.Operand
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):broadcast({1, 2})[1] --> [1. 2.]
function methods.broadcast(...)
  local group, x = read_broadcast(...)
  x = transfer.operand(x, self_of(group, "broadcast") and "broadcast")
  return each(group.devices, function(device) return moved(x, device, "broadcast") end)
end

local read_scatter = args.reader("scatter", {"group", "x"}, 2)

--- The parts of x, one on each device: those of cn.array_split along the first axis.
---@param x cuna.Operand
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):scatter({1, 2})[1] --> [1. 2.]
function methods.scatter(...)
  local group, x = read_scatter(...)
  x = transfer.operand(x, self_of(group, "scatter") and "scatter")
  if x.ndim == 0 then fail "scatter: expected an array with at least one axis, got a 0-d array" end
  return each(cut(x, transfer.lengths(x.shape[1], group.size)), function(part, i)
    return core.cast(moved(part, group.devices[i], "scatter"), nil, "scatter")
  end)
end

--- The arrays joined along the first axis, on one device.
local function joined(list, device, name)
  return join.concatenate(each(list, function(x) return moved(x, device, name) end))
end

local read_gather = args.reader("gather", {"group", "list", "root"}, 2)

--- The arrays joined along the first axis, whose lengths may differ, on one device.
---@param list cuna.Array[]
---@param root integer|nil the device's number, from 0; default 0
---@return cuna.Array
---@usage cn.distributed.group({"cpu"}):gather({cn.ones(2, "float64", "cpu")}) --> [1. 1.]
function methods.gather(...)
  local group, list, root = read_gather(...)
  root = root_of(self_of(group, "gather"), root, "gather")
  return joined(check_list(group, list, "gather", true), group.devices[root + 1], "gather")
end

local read_all_gather = args.reader("all_gather", {"group", "list"}, 2)

--- The arrays joined along the first axis, whose lengths may differ, on each device.
---@param list cuna.Array[]
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):all_gather({cn.ones(2, "float64", "cpu")})[1] --> [1. 1.]
function methods.all_gather(...)
  local name = "all_gather"
  local group, list = read_all_gather(...)
  check_list(self_of(group, name), list, name, true)
  if not group.raw or list[1].ndim == 0 then
    return each(group.devices, function(device) return joined(list, device, name) end)
  end
  local shape, counts, row = list[1].shape, {}, transfer.row_size(list[1].shape)
  shape[1] = 0
  for i, x in ipairs(list) do
    shape[1] = shape[1] + x.shape[1]
    counts[i] = x.shape[1] * row
  end
  local ins = each(list, function(x) return operands.row_major(x, name) end)
  local outs = each(list, function(x) return core.empty(shape, x.dtype, x.device, name) end)
  core.group_run(group.raw, name, nil, ins, outs, nil, counts)
  return outs
end

local read_exchange = args.reader("all_to_all", {"group", "list"}, 2)

--- Position k along the first axis of each array goes to device k; a result has at position k what was the k-th
--- array's.
---@param list cuna.Array[] the first axes are as long as there are devices
---@return cuna.Array[]
---@usage cn.distributed.group({"cpu"}):all_to_all({cn.ones({1, 2}, "float64", "cpu")})[1] --> [[1. 1.]]
function methods.all_to_all(...)
  local name = "all_to_all"
  local group, list = read_exchange(...)
  local first = check_list(self_of(group, name), list, name)[1]
  if first.ndim == 0 or first.shape[1] ~= group.size then
    fail("%s: expected a position of the first axis for each of %d devices, got shape %s", name, group.size,
      tostring(first.shape))
  end
  if not group.raw then
    return each(group.devices, function(device, k)
      return joined(each(list, function(x) return slices.part(x, 1, k, 1) end), device, name)
    end)
  end
  local ins = each(list, function(x) return operands.row_major(x, name) end)
  local outs = each(list, function(x) return core.empty_like(x, nil, name) end)
  core.group_run(group.raw, name, nil, ins, outs, nil, each(list, function(x) return x.size / group.size end))
  return outs
end

return M
