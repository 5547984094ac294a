--- fold.lua: what communicators compute: reductions over ranks, element by element, and scans.
--
-- An operation has a name of the engine, which reduces elements of one dtype; before it elements may be cast, and after
-- it divided. Lists are one call: small arrays of a dtype are joined, so that they travel together. Arrays of GPUs are
-- reduced there where NCCL can: form.lua.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local forms = require "cuna.distributed.form"
local later = require "cuna.base.later"
local operands = require "cuna.base.operands"
local ops = require "cuna.distributed.op"
local requests = require "cuna.distributed.request"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local join = later.functions "join"

local M = {methods = {}}
local methods = M.methods

local fail = check.fail
local PACKED_NBYTES = 2 ^ 20 -- of arrays that travel with others
local HOST = transfer.HOST

local converted, check_in_place = ops.converted, ops.check_in_place

local function each_target(list, op, title, name)
  for _, x in ipairs(list) do check_in_place(transfer.target(x, name), op, title, name) end
end

-- ---- one array, in the host's memory ----

--- What makes the result of what arrived: the mean's division, the device.
local function finisher(got, x, op, comm, name, form)
  return function()
    if form then got = form.back(got, name) end
    if op.divides then got:divide_(comm.size) end
    return transfer.delivered(got, x.device, name)
  end
end

--- Reduces x; a request of C if it was started, and what makes the result.
local function reduce_new(comm, kind, x, op, title, root, blocking, detail)
  local name = kind
  x = converted(x, op, name)
  local input, is_receiver = transfer.staged(x, HOST, name), root == nil or root == comm.rank
  local host = is_receiver and transfer.room(x.shape, x.dtype, x.device, HOST, name) or nil
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
  local host, is_receiver = transfer.staged(x, HOST, name), root == nil or root == comm.rank
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

-- ---- arrays on their device ----

--- The form in which x is reduced on its device; nil where it passes through the host.
local function form_of(comm, x, kind, op)
  return not core.is_host(x) and forms.find(x.dtype, op.does, function(dtype)
    return core.comm_carries(comm.raw, x.device, kind, op.does, dtype)
  end) or nil
end

--- What is reduced of a list, with the forms in which that stays on its device; nil where one array passes through the
--- host.
local function carried(comm, list, kind, op, name)
  local parts = {}
  for i, x in ipairs(list) do
    if core.is_host(x) then return nil end
    local own = converted(x, op, name)
    local form = form_of(comm, own, kind, op)
    if not form then return nil end
    parts[i] = {own = own, form = form}
  end
  return parts
end

--- What a rank gives of an array in its form, and gets: the same memory, where it may be written to.
local function ends_of(sent, may_write, is_receiver, name)
  if may_write then return not is_receiver and sent, is_receiver and sent end
  return sent, is_receiver and core.empty_like(sent, nil, name)
end

--- Reduces a list at once; a function that makes the results.
local function reduce_there(comm, kind, list, parts, op, title, root, in_place, detail)
  local name = in_place and kind .. "_" or kind
  local is_receiver, ins, outs = root == nil or root == comm.rank, {}, {}
  for i, part in ipairs(parts) do
    local sent = operands.row_major(part.form.to(part.own, name), name)
    ins[i], outs[i] = ends_of(sent, in_place or not rawequal(sent, list[i]), is_receiver, name)
  end
  transfer.begin(comm, name, title, list[1], root, false, detail, list[1].device)
  if not core.is_preparing() then core.comm_run_list(comm.raw, kind, op.does, ins, outs, root) end
  local function finish(i, x)
    local got = parts[i].form.back(outs[i], name)
    if op.divides then got:divide_(comm.size) end
    if in_place and not rawequal(got, x) then core.copy(x, got, name) end
    return in_place and x or got
  end
  return function()
    local results = {}
    for i = 1, is_receiver and #list or 0 do results[i] = finish(i, list[i]) end
    return (in_place and list) or (is_receiver and results) or nil
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

local function flat(x, name) return core.view(transfer.staged(x, HOST, name), {x.size}, {1}, 0) end

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
  local raws, ends, results = {}, {}, {}
  for _, group in ipairs(groups_of(list)) do
    local single = #group == 1 and list[group[1]]
    local raw, finish = reduce(single or packed(list, group, name))
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

--- Reduces a list: where it is, or through the host.
local function reduce_all(comm, kind, list, op, title, root, blocking, in_place)
  local name = in_place and kind .. "_" or kind
  local parts, detail = carried(comm, list, kind, op, name), shapes_of(list)
  if parts then return {}, reduce_there(comm, kind, list, parts, op, title, root, in_place, detail) end
  local engine = in_place and reduce_in_place or reduce_new
  return reduce_list(list, name, in_place, function(part)
    return engine(comm, kind, part, op, title, root, blocking, detail)
  end)
end

--- Reduces an array in the same way.
local function reduce_one(comm, kind, x, op, title, root, blocking, in_place)
  local name = in_place and kind .. "_" or kind
  if in_place then check_in_place(x, op, title, name) end
  local parts = carried(comm, {x}, kind, op, name)
  if parts then
    local finish = reduce_there(comm, kind, {x}, parts, op, title, root, in_place)
    return {}, function() return (finish() or {})[1] end
  end
  local raw, finish = (in_place and reduce_in_place or reduce_new)(comm, kind, x, op, title, root, blocking)
  return {raw}, finish
end

--- Makes the two functions of a kind: for a new array, and in place.
local function reducer(kind, has_root, is_scan)
  local function call(name, in_place, comm, x, op, root, blocking)
    transfer.self(comm, name)
    local row, title = ops.find(op, name, is_scan)
    root = has_root and transfer.rank(root, 0, comm, name, "root") or nil
    blocking = check.boolean(blocking, true, name, "blocking")
    local list = transfer.list(x, name)
    if list and in_place then each_target(list, row, title, name) end
    if not list then x = in_place and transfer.target(x, name) or transfer.operand(x, name) end
    return finished(name, blocking, (list and reduce_all or reduce_one)(comm, kind, list or x, row, title, root,
      blocking, in_place))
  end
  local names = has_root and {"comm", "x", "op", "root", "blocking"} or {"comm", "x", "op", "blocking"}
  local function maker(name, in_place)
    local read = args.reader(name, names, 2)
    if has_root then return function(...) return call(name, in_place, read(...)) end end
    return function(...)
      local comm, x, op, blocking = read(...)
      return call(name, in_place, comm, x, op, nil, blocking)
    end
  end
  return maker(kind, false), maker(kind .. "_", true)
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
  op, title = ops.find(title, name)
  blocking = check.boolean(blocking, true, name, "blocking")
  x = transfer.operand(x, name)
  if x.ndim == 0 then fail("%s: expected an array with at least one axis, got a 0-d array", name) end
  x = converted(x, op, name)
  local form = form_of(comm, x, name, op)
  local sent, place = form and form.to(x, name) or x, form and x.device or HOST
  local input, shape = transfer.staged(sent, place, name), x.shape
  local lengths = transfer.lengths(shape[1], comm.size)
  local counts = transfer.times(lengths, transfer.row_size(shape))
  shape[1] = lengths[comm.rank + 1]
  local got = transfer.room(shape, sent.dtype, x.device, place, name)
  local raw = transfer.send(comm, blocking, {kind = name, op = op.does, input = input, output = got,
    out_counts = counts, name = name, title = title, signed = x, place = place})
  return finished(name, blocking, {raw}, finisher(got, x, op, comm, name, form))
end

return M
