--- fold.lua: what communicators compute: reductions over ranks, element by element, and scans.
--
-- An operation has a name of the engine, which reduces elements of one dtype; before it elements may be cast, and after
-- it divided. Lists are one call: small arrays of a dtype are joined, so that they travel together.
local args = require "cuna.base.args"
local cdata = require "cuna.base.cdata"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local later = require "cuna.base.later"
local requests = require "cuna.distributed.request"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local info, join = later.functions "base.dtype_info", later.functions "join"

local M = {methods = {}}
local methods = M.methods

local fail = check.fail
local PACKED_NBYTES = 2 ^ 20 -- of arrays that travel with others

local kind_of = {}
for _, dtype in ipairs(core.dtypes) do kind_of[dtype.name] = dtype.kind end

-- ---- operations ----

--- A function that returns the greatest value of a dtype, or the least one.
local function extreme(sign)
  return function(dtype)
    local kind = kind_of[dtype]
    if kind == "f" then return sign * math.huge end
    if kind == "c" then return cdata.complex(sign * math.huge, sign * math.huge) end
    if kind == "b" then return sign > 0 end
    return info.iinfo(dtype)[sign > 0 and "max" or "min"]
  end
end

local function inexact(dtype)
  local kind = kind_of[dtype]
  return (kind == "f" or kind == "c") and dtype or dtype_rules.default_dtype()
end

-- `does`: the engine's; `dtype`: that of the result, else the array's; `start`: what changes nothing.
local OPS = {
  sum = {does = "sum", start = function() return 0 end},
  prod = {does = "prod", start = function() return 1 end},
  max = {does = "max", start = extreme(-1)},
  min = {does = "min", start = extreme(1)},
  any = {does = "max", dtype = function() return "bool" end, start = function() return false end},
  all = {does = "min", dtype = function() return "bool" end, start = function() return true end},
  mean = {does = "sum", dtype = inexact, divides = true},
}

local HINTS = {add = "sum", avg = "mean", average = "mean", product = "prod", maximum = "max", minimum = "min",
  ["or"] = "any", ["and"] = "all"}

local function op_of(op, name, is_scan)
  local found = OPS[op == nil and "sum" or op]
  if found and not (is_scan and found.divides) then return found, op or "sum" end
  local hint = HINTS[op]
  fail("%s: the operation is sum, prod, max, min, any, all%s, got %s%s", name, is_scan and "" or " or mean",
    check.show(op), hint and ("; write %q"):format(hint) or "")
end

--- x in the dtype in which the operation is computed.
local function converted(x, op, name)
  local dtype = op.dtype and op.dtype(x.dtype) or x.dtype
  return dtype == x.dtype and x or core.cast(x, dtype, name)
end

local function check_in_place(x, op, title, name)
  local dtype = op.dtype and op.dtype(x.dtype)
  if dtype and dtype ~= x.dtype then
    fail("%s: %s of %s is %s, which the array cannot hold; write comm:%s(x, %q)", name, title, x.dtype, dtype,
      name:gsub("_$", ""), title)
  end
end

local function each_target(list, op, title, name)
  for _, x in ipairs(list) do check_in_place(transfer.target(x, name), op, title, name) end
end

-- ---- one array ----

--- What makes the result of what arrived: the mean's division, the device.
local function finisher(host, x, op, comm, name)
  return function()
    if op.divides then host:divide_(comm.size) end
    return transfer.delivered(host, x.device, name)
  end
end

--- Reduces x; a request of C if it was started, and what makes the result.
local function reduce_new(comm, kind, x, op, title, root, blocking, detail)
  local name = kind
  x = converted(x, op, name)
  local input, is_receiver = transfer.staged(x, name), root == nil or root == comm.rank
  local host = is_receiver and transfer.room(x.shape, x.dtype, x.device, name) or nil
  if kind == "exscan" and comm.rank == 0 then
    core.fill(host, op.start(x.dtype))
  end
  local raw = transfer.send(comm, blocking, {kind = kind, op = op.does, input = input, output = host, peer = root,
    name = name, title = title, signed = x, root = root, detail = detail})
  return raw, host and finisher(host, x, op, comm, name) or function() return nil end
end

--- The same in place.
local function reduce_in_place(comm, kind, x, op, title, root, blocking, detail)
  local name = kind .. "_"
  check_in_place(x, op, title, name)
  local host, is_receiver = transfer.staged(x, name), root == nil or root == comm.rank
  local raw = transfer.send(comm, blocking, {kind = kind, op = op.does, input = not is_receiver and host or nil,
    output = is_receiver and host or nil, peer = root, name = name, title = title, signed = x, root = root,
    detail = detail})
  return raw, function()
    if not is_receiver then return x end
    if op.divides then host:divide_(comm.size) end
    if not rawequal(host, x) then core.copy(x, host, name) end
    return x
  end
end

-- ---- lists ----

--- Groups of a list: arrays that travel together, and single ones.
local function groups_of(list)
  local groups, open = {}, {}
  for place, x in ipairs(list) do
    local key = x.device.name .. x.dtype
    local is_small = x.nbytes < PACKED_NBYTES
    local group = is_small and open[key]
    if not group then
      group = {}
      groups[#groups + 1] = group
      open[key] = is_small and group or open[key]
    end
    group[#group + 1] = place
  end
  return groups
end

local function flat(x, name) return core.view(transfer.staged(x, name), {x.size}, {1}, 0) end

--- The arrays of a group as one.
local function packed(list, group, name)
  local parts = {}
  for i, place in ipairs(group) do parts[i] = flat(list[place], name) end
  return join.concatenate(parts)
end

--- Calls write(place, part) with the parts of what was packed.
local function unpacked(whole, list, group, write)
  local first = 1
  for _, place in ipairs(group) do
    local x = list[place]
    write(place, core.reshape(slices.part(whole, 1, first, x.size), x.shape))
    first = first + x.size
  end
end

--- The shapes of a list, for the comparison of ranks.
local function shapes_of(list)
  local texts = {}
  for i, x in ipairs(list) do texts[i] = x.dtype .. tostring(x.shape) end
  return "of " .. #list .. ": " .. table.concat(texts, " ")
end

--- The result of `reduce` over a list. It packs what is small, and writes results where they belong.
local function reduce_list(list, name, in_place, reduce)
  local raws, ends, results, detail = {}, {}, {}, shapes_of(list)
  for _, group in ipairs(groups_of(list)) do
    local single = #group == 1 and list[group[1]]
    local raw, finish = reduce(single or packed(list, group, name), detail)
    raws[#raws + 1] = raw
    ends[#ends + 1] = function()
      local whole = finish()
      if single then
        results[group[1]] = whole
      elseif whole then
        unpacked(whole, list, group, function(place, part)
          if in_place then core.copy(list[place], part, name) end
          results[place] = in_place and list[place] or transfer.delivered(core.cast(part, nil, name),
            list[place].device, name)
        end)
      end
    end
  end
  return raws, function()
    for _, finish in ipairs(ends) do finish() end
    return (in_place or next(results)) and (in_place and list or results) or nil
  end
end

-- ---- functions ----

local function finished(name, blocking, raws, finish)
  if blocking then return finish() end
  return requests.new(name, raws, finish)
end

--- Makes the two functions of a kind: for a new array, and in place.
local function reducer(kind, has_root, is_scan)
  local function call(name, engine, in_place, comm, x, op, root, blocking)
    transfer.self(comm, name)
    local row, title = op_of(op, name, is_scan)
    root = has_root and transfer.rank(root, 0, comm, name, "root") or nil
    blocking = check.boolean(blocking, true, name, "blocking")
    local list = transfer.list(x, name)
    if list then
      if in_place then each_target(list, row, title, name) end
      local raws, finish = reduce_list(list, name, in_place, function(part, detail)
        return engine(comm, kind, part, row, title, root, blocking, detail)
      end)
      return finished(name, blocking, raws, finish)
    end
    x = in_place and transfer.target(x, name) or transfer.operand(x, name)
    local raw, finish = engine(comm, kind, x, row, title, root, blocking)
    return finished(name, blocking, {raw}, finish)
  end
  local names = has_root and {"comm", "x", "op", "root", "blocking"} or {"comm", "x", "op", "blocking"}
  local function maker(name, engine, in_place)
    local read = args.reader(name, names, 2)
    if has_root then return function(...) return call(name, engine, in_place, read(...)) end end
    return function(...)
      local comm, x, op, blocking = read(...)
      return call(name, engine, in_place, comm, x, op, nil, blocking)
    end
  end
  return maker(kind, reduce_new, false), maker(kind .. "_", reduce_in_place, true)
end

local all_reduce, all_reduce_ = reducer("all_reduce", false, false)
local reduce, reduce_ = reducer("reduce", true, false)
local scan, scan_ = reducer("scan", false, true)
local exscan = reducer("exscan", false, true)

--- The reduction of x over all ranks, element by element, on all ranks. Shape and dtype are the same everywhere.
--- In max and min NaN wins; sum and max of bools are any, prod and min are all; any and all of other dtypes ask for
--- elements that are not 0; the mean of integers is in the default float dtype. All ranks get the same bits; a sum of
--- floats may differ in its last bits for another number of ranks. Follows cupyx.distributed.NCCLBackend.all_reduce.
---@param x cuna.Operand|cuna.Array[] a list is one call; it returns a list
---@param op string|nil "sum" (default), "prod", "max", "min", "mean", "any", "all"
---@param blocking boolean|nil false: returns a cuna.Request at once
---@return cuna.Array|cuna.Array[]|cuna.Request
---@usage cn.distributed.init():all_reduce({1, 2}) --> [1. 2.]
---@usage cn.distributed.init():all_reduce(cn.arange(3), "mean") --> [0. 1. 2.]
methods.all_reduce = all_reduce

--- Replaces x by its reduction over all ranks, as all_reduce.
---@param x cuna.Array|cuna.Array[]
---@param op string|nil as of all_reduce; the result must have x's dtype
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request x
---@usage cn.distributed.init():all_reduce_(cn.ones(2), "max") --> [1. 1.]
function methods.all_reduce_(comm, x, op, ...)
  if select("#", ...) == 0 and core.comm_plain(comm, x, op) then return x end
  return all_reduce_(comm, x, op, ...)
end

--- The reduction of x over all ranks, as all_reduce, on one rank only. Follows
--- cupyx.distributed.NCCLBackend.reduce.
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil as of all_reduce
---@param root integer|nil the rank that gets the result, default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request|nil nil on other ranks
---@usage cn.distributed.init():reduce({1, 2}, "sum", 0) --> [1. 2.]
methods.reduce = reduce

--- Replaces x by its reduction on the rank `root`; on others x remains.
---@param x cuna.Array|cuna.Array[]
---@param op string|nil
---@param root integer|nil default 0
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request x
---@usage cn.distributed.init():reduce_(cn.ones(2)) --> [1. 1.]
methods.reduce_ = reduce_

--- The reduction of x over this rank and those before it. Follows mpi4py.MPI.Intracomm.Scan.
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil "sum" (default), "prod", "max", "min", "any", "all"
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request
---@usage cn.distributed.init():scan({1, 2}) --> [1. 2.]
methods.scan = scan

--- Replaces x by its reduction over this rank and those before it.
---@param x cuna.Array|cuna.Array[]
---@param op string|nil
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request x
---@usage cn.distributed.init():scan_(cn.ones(2)) --> [1. 1.]
methods.scan_ = scan_

--- The reduction of x over the ranks before this one. Rank 0 gets what changes nothing: 0, 1, the least or greatest
--- value of the dtype, false or true. Follows mpi4py.MPI.Intracomm.Exscan.
---@param x cuna.Operand|cuna.Array[]
---@param op string|nil as of scan
---@param blocking boolean|nil
---@return cuna.Array|cuna.Array[]|cuna.Request
---@usage cn.distributed.init():exscan({1, 2}) --> [0. 0.]
methods.exscan = exscan

local read_scatter = args.reader("reduce_scatter", {"comm", "x", "op", "blocking"}, 2)

--- This rank's part of the reduction of x over all ranks. Parts are those of cn.array_split along the first axis.
--- Follows cupyx.distributed.NCCLBackend.reduce_scatter, which joins the parts' axis.
---@param x cuna.Operand of one shape on all ranks
---@param op string|nil as of all_reduce
---@param blocking boolean|nil
---@return cuna.Array|cuna.Request
---@usage cn.distributed.init():reduce_scatter({1, 2, 3}) --> [1. 2. 3.]
function methods.reduce_scatter(...)
  local name = "reduce_scatter"
  local comm, x, title, blocking = read_scatter(...)
  transfer.self(comm, name)
  local op
  op, title = op_of(title, name)
  blocking = check.boolean(blocking, true, name, "blocking")
  x = transfer.operand(x, name)
  if x.ndim == 0 then fail("%s: expected an array with at least one axis, got a 0-d array", name) end
  x = converted(x, op, name)
  local input, shape = transfer.staged(x, name), x.shape
  local lengths = transfer.lengths(shape[1], comm.size)
  local counts = transfer.times(lengths, transfer.row_size(shape))
  shape[1] = lengths[comm.rank + 1]
  local host = transfer.room(shape, x.dtype, x.device, name)
  local raw = transfer.send(comm, blocking, {kind = name, op = op.does, input = input, output = host,
    out_counts = counts, name = name, title = title, signed = x})
  return finished(name, blocking, {raw}, finisher(host, x, op, comm, name))
end

return M
