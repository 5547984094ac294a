--- device.lua: devices as objects, what is current, moving arrays, scopes, and the default memory pool.
local core = require "cuna.core"
local with = require "cuna.with"

local M = {functions = {}}
local F = M.functions

local function fail(format, ...) core.fail(format:format(...)) end

local metatable, methods = core.device_metatable(), {}

--- Makes the device current and returns it.
function methods.use(device)
  core.current_device(device)
  return device
end

--- Runs fn(...) with the device current; the one before is current again afterwards, also after an error or a yield.
function methods.with(device, fn, ...)
  if type(fn) ~= "function" then fail("with: expected a function, got %s", type(fn)) end
  local before
  return with.run(function() before = core.current_device(device) end, function() core.current_device(before) end, fn, ...)
end

--- Waits until the device has done all it was given.
function methods.synchronize(device) core.synchronize(device) end

function metatable.__index(device, name)
  if methods[name] then return methods[name] end
  local value = core.device_info(device, name)
  if value == nil then fail("a device has no field '%s'; there are name, kind, id, model, memory, use, with, synchronize", tostring(name)) end
  return value
end

function metatable.__newindex(_, name) fail("a device's field '%s' cannot be assigned", tostring(name)) end
function metatable.__tostring(device) return ("<device %s: %s>"):format(device.name, device.model) end

--- The device of a name ("cpu"), or the current one. Devices are interned: == works.
function F.device(name)
  if name == nil then return core.current_device() end
  return core.device(name)
end

--- Waits until the current device has done all it was given.
function F.synchronize() core.synchronize() end

--- Wall-clock seconds, after waiting for the current device.
function F.clock()
  core.synchronize()
  return core.clock()
end

--- x as a new array on another device; x itself when it is there.
function F.to(x, device) return core.as_array(x, nil, core.device(device), "to") end

--- A copy of x on the cpu device.
function F.asnumpy(x)
  local moved = core.as_array(x, nil, core.device "cpu", "get")
  return rawequal(moved, x) and core.cast(x, nil, "get") or moved
end

local array_methods = core.methods()
array_methods.to, array_methods.get = F.to, F.asnumpy

-- ---- kernels ahead of time ----

--- Compiles the kernels that fn(...) needs, many in one go, without running them: fn is only rehearsed, so arrays it
--- makes hold unspecified values and what it computes from their elements means nothing.
---@return integer kernels how many fn needs
function F.prepare(fn, ...)
  if type(fn) ~= "function" then fail("prepare: expected a function, got %s", type(fn)) end
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

--- Runs fn(...) and frees every array made inside except those it returns, also inside returned tables, and those marked
--- with cn.keep. A view keeps its memory alive.
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

--- Marks arrays so that the open scope does not free them; returns them.
function F.keep(...)
  for i = 1, select("#", ...) do
    if open then keep_in(select(i, ...), open.kept, {}) end
  end
  return ...
end

-- ---- memory ----

local pool = {}
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
      if name ~= "size" and name ~= "fraction" then fail("set_limit: unknown option '%s'; known are size, fraction", tostring(name)) end
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

--- The memory pool of the current device.
function F.get_default_memory_pool() return setmetatable({device = core.current_device()}, {__index = pool}) end

--- How often the collector was run for memory: {collections, last_seconds, survived_bytes}.
function F.gc_stats()
  local collections, seconds, bytes = core.gc_stats()
  return {collections = collections, last_seconds = seconds, survived_bytes = bytes}
end

return M
