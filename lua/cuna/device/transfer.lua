--- transfer.lua: synchronous and asynchronous copies of arrays between devices: to, get, set, and pinned arrays.
--
-- A copy between the host and a device is queued on a stream of that device. If the caller does not wait, the host
-- continues meanwhile (core.copy_async); such copies take contiguous arrays of one dtype, whose memory must not be
-- used otherwise until they are complete.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local streams = require "cuna.device.stream"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail
local HOST = core.device "cpu"

--- Calls fn(...), which works on memory of `device` for the function `name`, with the user's stream current, if given.
---@param stream any
---@param device cuna.Device
---@param name string
---@param fn function
---@return any ... fn's results
function M.on_stream(stream, device, name, fn, ...)
  if stream == nil then return fn(...) end
  return streams.run(stream, device, name, fn, ...)
end

--- Copies between a device and the host without waiting. dst is contiguous and has src's dtype.
local function copy_beside(dst, src, name)
  if src.flags.c_contiguous then return core.copy_async(dst, src, name) end
  local block = core.cast(src, nil, name)
  core.copy_async(dst, block, name)
  core.free(block)
end

--- The value on another device, with a dtype.
local function send(x, dtype, device, name)
  if not core.is_array(x) or x.device == device or (x.device ~= HOST and device ~= HOST) then
    return core.as_array(x, dtype, device, name)
  end
  if dtype and dtype ~= x.dtype then x = core.cast(x, dtype, name) end
  local made = device == HOST and core.empty_pinned(x.shape, x.dtype, name)
    or core.empty(x.shape, x.dtype, device, name)
  copy_beside(made, x, name)
  return made
end

--- The value as an array on a device; the value itself if it is an array there with the dtype. With a stream, or if the
--- caller asks for it, the host does not wait.
---@param value cuna.Operand
---@param dtype string|nil
---@param device cuna.Device
---@param stream cuna.Stream|nil
---@param blocking boolean|nil
---@param name string
---@return cuna.Array
function M.bring(value, dtype, device, stream, blocking, name)
  check.boolean(blocking, nil, name, "blocking")
  if stream == nil and blocking ~= false then return core.as_array(value, dtype, device, name) end
  local source = core.is_array(value) and core.check_alive(value, name).device or device
  local worker = device == HOST and source or device
  if blocking then core.check_waiting(name) end
  local made = M.on_stream(stream, worker, name, send, value, dtype, device, name)
  if blocking then stream:synchronize() end
  return made
end

local read_to = args.reader("to", {"x", "device", "stream", "blocking"}, 2)

--- x as a new array on another device; x itself if it is already there. With a stream of the device (of x's device for
--- copies to the cpu device) or with blocking = false the script does not wait. A copy to the cpu device is a pinned
--- array then, and the next access waits for it. Copies from the cpu device are asynchronous only for pinned arrays.
--- Follows torch.Tensor.to.
---@param x cuna.Operand
---@param device cuna.Device|string
---@param stream cuna.Stream|nil default: the current one
---@param blocking boolean|nil default: whether no stream is given
---@return cuna.Array
---@usage cn.zeros(2):to("cpu").device.name --> cpu
---@usage cn.ones(2):to("cpu", {blocking = false}) --> [1. 1.]
function F.to(...)
  local x, device, stream, blocking = read_to(...)
  if device == nil then fail "to: the device is missing; write x:to(\"cuda:0\")" end
  return M.bring(check.array(x, "to"), nil, core.device(device, "to"), stream, blocking, "to")
end

-- ---- to the host ----

--- An array for all elements of x.
local function check_companion(companion, x, name, what, or_table)
  if not core.is_array(companion) or core.check_alive(companion, name).device ~= HOST then
    fail("%s: %s is an array on the cpu device%s, got %s", name, what, or_table or "",
      core.is_array(companion) and "one on " .. companion.device.name or check.show(companion))
  elseif companion.shape ~= x.shape or companion.dtype ~= x.dtype then
    fail("%s: %s has shape %s and dtype %s, and the array %s and %s", name, what, tostring(companion.shape),
      companion.dtype, tostring(x.shape), x.dtype)
  end
end

local function fetch(x, out, blocking, name)
  if blocking and not out then
    local moved = core.as_array(x, nil, HOST, name)
    return rawequal(moved, x) and core.cast(x, nil, name) or moved
  end
  out = out or core.empty_pinned(x.shape, x.dtype, name)
  if blocking or x.device == HOST then
    core.copy(out, x, name)
  else
    copy_beside(out, x, name)
  end
  return out
end

--- Makes cn.asnumpy, or x:get.
local function fetcher(name)
  local read = args.reader(name, {"x", "stream", "blocking", "out"})
  return function(...)
    local x, stream, blocking, out = read(...)
    x, blocking = check.array(x, name), check.boolean(blocking, true, name, "blocking")
    if out ~= nil then
      check_companion(out, x, name, "out")
      check.writable(out, name)
      if not (blocking or out.flags.c_contiguous) then
        fail("%s: out is a strided view; leave out blocking = false", name)
      end
    end
    if blocking then core.check_waiting(name) end
    return M.on_stream(stream, x.device, name, fetch, x, out, blocking, name)
  end
end

--- A copy of x on the cpu device; as a method x:get(). Synchronises, unless blocking = false: then the result is a
--- pinned array, or `out`, and the next access to it waits. Follows cupy.asnumpy.
---@param x cuna.Operand
---@param stream cuna.Stream|nil of x's device; default: the current one
---@param blocking boolean|nil default true
---@param out cuna.Array|nil on the cpu device, of x's shape and dtype; pinned if the script should not wait
---@return cuna.Array
---@usage cn.arange(3):get() --> [0 1 2]
---@usage cn.arange(3):get{blocking = false, out = cn.empty_pinned(3, "int64")} --> [0 1 2]
F.asnumpy, methods.get = fetcher "asnumpy", fetcher "get"

-- ---- from the host ----

local function store(x, host, beside)
  if not beside or x.device == HOST then
    core.copy(x, host, "set")
  elseif x.flags.c_contiguous then
    copy_beside(x, host, "set")
  else
    local block = core.empty_like(x, nil, "set")
    copy_beside(block, host, "set")
    core.copy(x, block, "set")
    core.free(block)
  end
end

local read_set = args.reader("set", {"x", "host", "stream", "blocking"}, 2)

--- Writes an array of the cpu device, or a nested table, to all of x. With a stream or with blocking = false the script
--- does not wait for a pinned array; the next write to that array waits. Follows cupy.ndarray.set.
---@param x cuna.Array
---@param host cuna.Array|table of x's shape; an array of x's dtype too
---@param stream cuna.Stream|nil of x's device; default: the current one
---@param blocking boolean|nil default: whether no stream is given
---@return cuna.Array x
---@usage cn.zeros(3):set {1, 2, 3} --> [1. 2. 3.]
function methods.set(...)
  local x, host, stream, blocking = read_set(...)
  core.check_alive(check.self(x, "set"), "set")
  if host == nil then fail "set: the data is missing; a method is called with a colon, x:set(data)" end
  check.boolean(blocking, nil, "set", "blocking")
  if type(host) == "table" then host = core.as_array(host, x.dtype, HOST, "set") end
  check_companion(host, x, "set", "the data", " or a nested table")
  if blocking then core.check_waiting "set" end
  M.on_stream(stream, x.device, "set", store, x, host, blocking == false or stream ~= nil)
  if blocking and stream then stream:synchronize() end
  return x
end

methods.to = F.to

-- ---- pinned arrays ----

local function pinned(name, value)
  local read = args.reader(name, {"shape", "dtype"})
  return function(...)
    local shape, dtype = read(...)
    local made = core.empty_pinned(shape, check.dtype(dtype, name), name)
    return value and core.fill(made, value) or made
  end
end

--- A new array of unspecified values on the cpu device, in pinned memory, which CUDA devices copy asynchronously (get,
--- set and to with blocking = false). Without a CUDA device it is an ordinary array. Follows cupyx.empty_pinned.
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@return cuna.Array
---@usage cn.empty_pinned({2, 3}, "float32").device.name --> cpu
F.empty_pinned = pinned "empty_pinned"

--- A new pinned array of zeros, like cn.empty_pinned. Follows cupyx.zeros_pinned.
---@param shape cuna.Shape
---@param dtype string|nil default: the default float
---@return cuna.Array
---@usage cn.zeros_pinned(3) --> [0. 0. 0.]
F.zeros_pinned = pinned("zeros_pinned", 0)

local function like(name, value)
  local read = args.reader(name, {"x", "dtype", "shape"})
  return function(...)
    local x, dtype, shape = read(...)
    x = core.check_alive(check.array(x, name), name)
    local made = core.empty_pinned(shape or x.shape, check.dtype(dtype, name) or x.dtype, name)
    return value and core.fill(made, value) or made
  end
end

--- A pinned array of unspecified values with the shape and dtype of x, which may be on any device. Follows
--- cupyx.empty_like_pinned.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array
---@usage cn.empty_like_pinned(cn.zeros({2, 3})).shape --> (2, 3)
F.empty_like_pinned = like "empty_like_pinned"

--- A pinned array of zeros with the shape and dtype of x, which may be on any device. Follows cupyx.zeros_like_pinned.
---@param x cuna.Operand
---@param dtype string|nil default: x's
---@param shape cuna.Shape|nil default: x's
---@return cuna.Array
---@usage cn.zeros_like_pinned(cn.arange(3)) --> [0 0 0]
F.zeros_like_pinned = like("zeros_like_pinned", 0)

return M
