--- report.lua: positions outside of arrays, which kernels written in Lua record.
--
-- The first one of a launch is in four words of the device's memory (prelude.lua). On the cpu device they are checked
-- after every launch, on others whenever the host synchronises with the device. `made` is a kernel's function on a
-- device: {kernel, variant, device, launches}.
local check = require "cuna.base.check"
local core = require "cuna.core"
local scopes = require "cuna.base.scope"

local M = {}

local fail = check.fail
local LOOKS = 64 -- launches after which the words of an asynchronous device are checked

local pending = {} -- variants on asynchronous devices whose words were not checked since the last launch

local AXIS = {"first", "second", "third"}

--- An integer of any size, which is a number or boxed.
local function integer_text(value)
  return type(value) == "number" and ("%.0f"):format(value) or (tostring(value):gsub("U?LL$", ""))
end

--- The error message for the words: site, axis, position, length.
local function describe_miss(kernel, site, axis, position, length)
  local place = ("%s:%d"):format(site.file, site.line)
  if axis == -1 then
    return ("%s: %d bytes are copied, and '%s' has %d from that position on (%s)"):format(kernel.name,
      tonumber(position), site.name, length, place)
  elseif axis == 0 then
    return ("%s: '%s' has %d axes, and %s[%s] does not exist (%s)"):format(kernel.name, site.name, length, site.list,
      integer_text(position), place)
  end
  return ("%s: position %s is out of bounds for the %s axis of '%s', whose length is %d (%s)"):format(kernel.name,
    integer_text(position), AXIS[axis] or axis .. "th", site.name, length, place)
end

--- Calls fn(...), which may wait even inside of cn.no_sync.
local function wait_anyway(fn, ...)
  local before = core.forbid_waiting ""
  local ok, result = pcall(fn, ...)
  core.forbid_waiting(before)
  if not ok then error(result, 0) end
  return result
end

--- Zeroes words and waits, so that this precedes launches on any stream.
local function clear(words)
  words:fill(0)
  core.stream_synchronize(core.current_stream(words.device))
  return words
end

--- Reads the words of a device; if they record an error, clears them and raises it. If only one stream was
--- synchronised, kernels of others may still be writing them.
local function look(made)
  made.launches = 0
  if made.words:totable()[1] == 0 then return end
  core.synchronize(made.device)
  local words = made.words:totable()
  clear(made.words)
  local site, axis, length = tonumber(words[1]), tonumber(words[2]), tonumber(words[4])
  fail("%s", describe_miss(made.kernel, made.variant.sites[site], axis, words[3], length))
end

--- Checks all kernels that were launched on a device since it was last synchronised; if only a stream was synchronised,
--- those launched since their last check.
function M.look(device, stream)
  local list = {}
  for made in pairs(pending) do
    if made.device == device and (not stream or made.launches > 0) then list[#list + 1] = made end
  end
  for _, made in ipairs(list) do
    if not stream then pending[made] = nil end
    look(made)
  end
end

local always_looks = (os.getenv "CUNA_SYNC" or ""):find "1" ~= nil -- core has checked that it is 0 or 1

--- Checks the words after a launch, or schedules their check.
function M.watch(made)
  if made.pointer then
    if made.pointer[0] ~= 0 then wait_anyway(look, made) end
  elseif not core.is_preparing() then
    pending[made], made.launches = true, made.launches + 1
    if (always_looks or made.launches >= LOOKS) and core.may_wait() then look(made) end
  end
end

local function always() return true end

--- The words in which a device records errors. While kernels are only prepared, any memory will do.
---@return cuna.Array
function M.words(made)
  if made.words then return made.words end
  local words = scopes.apart(always, core.empty, 4, "int64", made.device, made.kernel.name)
  if core.is_preparing() then return words end
  made.words = wait_anyway(clear, words)
  made.pointer = core.is_host(made.device) and wait_anyway(words.pointer, words) or nil
  return words
end

return M
