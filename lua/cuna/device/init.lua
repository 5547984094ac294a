--- device/init.lua: devices as objects, the current device, and kernels compiled ahead.
local check = require "cuna.base.check"
local core = require "cuna.core"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

M.watchers = {} -- functions(device) that report errors of kernels after a device was waited for

--- Waits for a device, and raises its errors.
---@param device cuna.Device|string|nil default: the current one
function M.synchronize(device)
  core.synchronize(device)
  for _, look in ipairs(M.watchers) do look(core.device(device or core.current_device())) end
end

local metatable, methods = core.device_metatable(), {}

--- A device. Equal devices are ==. Follows cupy.cuda.Device.
---@class cuna.Device
---@field name string "cuda:0"
---@field kind string "cuda" or "cpu"
---@field id integer 0: CUDA's own number
---@field model string the manufacturer's name
---@field memory table of the pool: used_bytes, free_bytes, total_bytes, n_free_blocks, limit, device_free, device_total
---@field total_memory integer bytes
---@field mem_info table {free = bytes, total = bytes} at present
---@field attributes table<string, integer> by CUDA's names
---@field compute_capability string "90"; an error unless it is a CUDA device
---@field pci_bus_id string "0000:65:00.0"; an error unless it is a CUDA device

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

--- Runs fn(...) with the device current, and restores the previous one afterwards, after an error or a yield too.
---@param fn function
---@return any ... fn's results
---@usage cn.device("cpu"):with(function(n) return cn.zeros(n).device.name end, 3) --> cpu
function methods.with(device, fn, ...)
  check_self(device, "with")
  check.callable(fn, "with")
  local before
  local function enter() before = core.use_device(device) end
  local function leave() core.use_device(before) end
  return with.run(enter, leave, fn, ...)
end

--- Waits until the device has done all of its work.
---@usage cn.device("cpu"):synchronize() -->
function methods.synchronize(device)
  check_self(device, "synchronize")
  M.synchronize(device)
end

local fields = {}
for _, name in ipairs(core.device_fields()) do fields[name] = true end

local function fail_unknown(format, name, ...)
  fail(format .. "%s", tostring(name), suggest.hint(name, ...))
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

--- The device of a name, or the current one: at the start the first CUDA device if CUDA is usable, else the cpu device.
--- Devices are interned: == works. The name of a device that this machine lacks is an error.
---@param name string|cuna.Device|nil "cpu", "cuda:0", "cuda:1", ...; "cuda" is "cuda:0"
---@return cuna.Device
---@usage cn.device("cpu") == cn.device("cpu") --> true
function F.device(name)
  if name == nil then return core.current_device() end
  check.dot(name, "device")
  return core.device(name)
end

--- Waits until a device has done all of its work.
---@param device cuna.Device|string|nil default: the current one
---@usage cn.synchronize() -->
function F.synchronize(device)
  check.dot(device, "synchronize")
  M.synchronize(device)
end

--- Wall-clock seconds, after waiting for the current device. Use differences between two calls.
---@return number
---@usage cn.clock() <= cn.clock() --> true
function F.clock()
  core.check_waiting "clock"
  M.synchronize()
  return core.clock()
end

-- ---- kernels ahead of time ----

--- Compiles the kernels that fn(...) needs, many at a time, without running them. fn runs, but launches nothing, so the
--- arrays that it makes have unspecified values, zeros where they have at most 16 MiB, and results that depend on
--- elements are meaningless. fn may use several devices.
---@param fn function
---@param ... any its arguments
---@return integer kernels the number that fn needs
---@usage cn.prepare(function(x) return x + 1 end, cn.zeros(3)) --> 1
function F.prepare(fn, ...)
  check.callable(fn, "prepare")
  core.prepare_begin()
  local ok, message = pcall(fn, ...)
  local kernels = core.prepare_end(ok)
  if not ok then error(message, 0) end
  return kernels
end

return M
