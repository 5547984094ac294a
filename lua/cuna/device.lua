--- device.lua: devices as objects, what is current, moving arrays, scopes, and the default memory pool.
local check = require "cuna.check"
local core = require "cuna.core"
local nearest = require "cuna.nearest"
local with = require "cuna.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

M.watchers = {} -- functions(device) that look at what went wrong on a device when it was waited for

--- Waits for a device, and tells what went wrong on it.
---@param device cuna.Device|string|nil default: the current one
function M.synchronize(device)
  core.synchronize(device)
  for _, look in ipairs(M.watchers) do look(core.device(device or core.current_device())) end
end

local metatable, methods = core.device_metatable(), {}

--- A device. Fields: name ("cuda:0"), kind ("cuda"), id (0: CUDA's own number), model (the maker's name), memory (of
--- the pool: used_bytes, free_bytes, total_bytes, n_free_blocks, limit, device_free, device_total), total_memory
--- (bytes), mem_info ({free = bytes, total = bytes}, now), attributes (numbers by CUDA's names). Only CUDA devices have
--- compute_capability ("90") and pci_bus_id ("0000:65:00.0"); on another device these two raise. Follows
--- cupy.cuda.Device.
---@alias cuna.Device userdata

local function check_self(device, name)
  if type(device) == "userdata" and getmetatable(device) == metatable then return end
  fail("%s: a device's function is called with a colon: device:%s()", name, name)
end

--- Makes the device current.
---@return cuna.Device device itself
---@usage cn.device("cpu"):use().name --> cpu
function methods.use(device)
  check_self(device, "use")
  core.use_device(device)
  return device
end

--- Runs fn(...) with the device current; the one before is current again afterwards, also after an error or a yield.
---@param fn function
---@return any ... fn's results
---@usage cn.device("cpu"):with(function(n) return cn.zeros(n).device.name end, 3) --> cpu
function methods.with(device, fn, ...)
  check_self(device, "with")
  if type(fn) ~= "function" then fail("with: expected a function, got %s", type(fn)) end
  local before
  local function enter() before = core.use_device(device) end
  local function leave() core.use_device(before) end
  return with.run(enter, leave, fn, ...)
end

--- Waits until the device has done all it was given.
---@usage cn.device("cpu"):synchronize() -->
function methods.synchronize(device)
  check_self(device, "synchronize")
  M.synchronize(device)
end

local fields = {}
for _, name in ipairs(core.device_fields()) do fields[name] = true end

local function fail_unknown(format, name, ...)
  local near = nearest.find(tostring(name), ...)
  fail(format .. "%s", tostring(name), near and ("; did you mean '%s'?"):format(near) or "")
end

local attributes = {}
function attributes.__index(known, name)
  fail_unknown("the device has no attribute '%s'", name, known)
end

function metatable.__index(device, name)
  if methods[name] then return methods[name] end
  local value = core.device_info(device, name)
  if value == nil then
    local names = core.device_fields()
    table.sort(names)
    fail_unknown("a device has no field '%s'; there are " .. table.concat(names, ", ") .. ", use, with, synchronize",
      name, fields, methods)
  end
  return name == "attributes" and setmetatable(value, attributes) or value
end

function metatable.__newindex(_, name) fail("a device's field '%s' cannot be assigned", tostring(name)) end
function metatable.__tostring(device) return ("<device %s: %s>"):format(device.name, device.model) end

--- The device of a name, or the current one: at first the first CUDA device where CUDA can be used, else the cpu
--- device. Devices are interned: == works. A name that this machine has no device for raises.
---@param name string|cuna.Device|nil "cpu", "cuda:0", "cuda:1", ...; "cuda" is "cuda:0"
---@return cuna.Device
---@usage cn.device("cpu") == cn.device("cpu") --> true
function F.device(name)
  if name == nil then return core.current_device() end
  check.dot(name, "device")
  return core.device(name)
end

--- Waits until a device has done all it was given.
---@param device cuna.Device|string|nil default: the current one
---@usage cn.synchronize() -->
function F.synchronize(device)
  check.dot(device, "synchronize")
  M.synchronize(device)
end

--- Wall-clock seconds, after waiting for the current device. Differences of them are times.
---@return number
---@usage cn.clock() <= cn.clock() --> true
function F.clock()
  M.synchronize()
  return core.clock()
end

--- x as a new array on another device; x itself when it is there already. Follows torch.Tensor.to.
---@param x cuna.Operand
---@param device cuna.Device|string
---@return cuna.Array
---@usage cn.zeros(2):to("cpu").device.name --> cpu
function F.to(x, device)
  if device == nil then fail "to: the device is missing; write x:to(\"cuda:0\")" end
  return core.as_array(check.array(x, "to"), nil, core.device(device), "to")
end

--- A copy of x on the cpu device; as a method x:get(). Synchronises. Follows cupy.asnumpy.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.arange(3):get() --> [0 1 2]
function F.asnumpy(x)
  x = check.array(x, "get")
  local moved = core.as_array(x, nil, core.device "cpu", "get")
  return rawequal(moved, x) and core.cast(x, nil, "get") or moved
end

local array_methods = core.methods()
array_methods.to, array_methods.get = F.to, F.asnumpy

-- ---- kernels ahead of time ----

--- Compiles the kernels that fn(...) needs, many in one go, without running them: fn is only rehearsed, so arrays it
--- makes hold unspecified values and what it computes from their elements means nothing. fn may use several devices.
---@param fn function
---@param ... any its arguments
---@return integer kernels how many fn needs
---@usage cn.prepare(function(x) return x + 1 end, cn.zeros(3)) --> 1
function F.prepare(fn, ...)
  local mt = type(fn) == "table" and debug.getmetatable(fn)
  if type(fn) ~= "function" and not (mt and mt.__call) then fail("prepare: expected a function, got %s", type(fn)) end
  core.prepare_begin()
  local ok, message = pcall(fn, ...)
  local kernels = core.prepare_end(ok)
  if not ok then error(message, 0) end
  return kernels
end

-- ---- scopes ----

local open -- the list of the innermost scope

local function keep_in(value, kept, seen)
  if core.is_array(value) then
    kept[value] = true
  elseif type(value) == "table" and not seen[value] then
    seen[value] = true
    for _, inner in pairs(value) do keep_in(inner, kept, seen) end
  end
end

--- Frees the arrays of a scope but those kept; these pass to the scope outside.
local function close(list, outer, ...)
  local kept = list.kept
  for i = 1, select("#", ...) do keep_in(select(i, ...), kept, {}) end
  for i = 1, #list do
    local x = list[i]
    if not kept[x] then
      core.free(x)
    elseif outer then
      outer[#outer + 1] = x
    end
  end
  return ...
end

--- Runs fn(...) and frees every array made inside except those it returns, also inside returned tables, and those
--- marked with cn.keep. A view keeps its memory alive.
---@param fn function
---@param ... any its arguments
---@return any ... its results
---@usage cn.scope(function(x) local y = x + 1 return y * 2 end, cn.zeros(2)) --> [2. 2.]
function F.scope(fn, ...)
  if type(fn) ~= "function" then fail("scope: expected a function, got %s", type(fn)) end
  local list, outer = {kept = {}}, open
  local function enter()
    outer, open = open, list
    core.open_scope(list)
  end
  local function leave()
    open = outer
    core.open_scope(outer)
  end
  local function finish(ok, ...)
    if not ok then
      close(list, nil)
      error((...), 0)
    end
    return close(list, open, ...)
  end
  return finish(pcall(with.run, enter, leave, fn, ...))
end

--- Marks arrays, also those inside tables, so that the open scope does not free them.
---@param ... any
---@return any ... the same
---@usage cn.keep(cn.zeros(2)) --> [0. 0.]
function F.keep(...)
  for i = 1, select("#", ...) do
    if open then keep_in(select(i, ...), open.kept, {}) end
  end
  return ...
end

-- ---- memory ----

local pool = {}
local pool_metatable = {__index = function(_, name)
  if pool[name] then return pool[name] end
  fail_unknown("a memory pool has no function '%s'", name, pool)
end}

function pool:used_bytes() return self.device.memory.used_bytes end
function pool:free_bytes() return self.device.memory.free_bytes end
function pool:total_bytes() return self.device.memory.total_bytes end
function pool:n_free_blocks() return self.device.memory.n_free_blocks end
function pool:get_limit() return self.device.memory.limit end
function pool:free_all_blocks() core.trim(self.device) end

--- Limits the pool: set_limit(bytes), set_limit{size = bytes} or set_limit{fraction = 0.5}; 0 removes the limit.
function pool:set_limit(limit)
  if type(limit) == "table" then
    for name in pairs(limit) do
      if name ~= "size" and name ~= "fraction" then
        fail("set_limit: unknown option '%s'; known are size, fraction", tostring(name))
      end
    end
    if limit.fraction ~= nil then
      if type(limit.fraction) ~= "number" or limit.fraction < 0 or limit.fraction > 1 then
        fail("set_limit: fraction is from 0 to 1, got %s", tostring(limit.fraction))
      end
      limit = math.floor(self.device.memory.device_total * limit.fraction)
    else
      limit = limit.size
    end
  end
  core.set_limit(self.device, limit)
end

for name, method in pairs(pool) do
  pool[name] = function(self, ...)
    if not rawequal(getmetatable(self), pool_metatable) then
      fail("%s: a pool's function is called with a colon: pool:%s()", name, name)
    end
    return method(self, ...)
  end
end

--- The memory pool of the current device, with the methods used_bytes, free_bytes, total_bytes, n_free_blocks,
--- get_limit, set_limit and free_all_blocks. Follows cupy.get_default_memory_pool.
---@return table
---@usage cn.get_default_memory_pool():n_free_blocks() >= 0 --> true
function F.get_default_memory_pool() return setmetatable({device = core.current_device()}, pool_metatable) end

--- How often the collector was run for memory: collections, last_seconds (of the last), used_bytes (now).
---@return table
---@usage cn.gc_stats().collections >= 0 --> true
function F.gc_stats()
  local collections, seconds, bytes = core.gc_stats()
  return {collections = collections, last_seconds = seconds, used_bytes = bytes}
end

return M
