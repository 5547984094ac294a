--- with.lua: settings for the duration of a function call, restored afterwards, after errors and yields too.
local core = require "cuna.core"

local M = {}

--- Raises an error of the coroutine again. If fn was replaced by a tail call that failed, the message has no position:
--- it then gets the position of the outer call.
function M.rethrow(message)
  if message == "interrupted!" then core.interrupted() end
  local placeless = type(message) == "string" and message:match "^cuna: (.*)$"
  if placeless then core.fail(placeless) end
  error(message, 0)
end

--- A Lua function for any callable value, since coroutines run only functions.
local function as_function(fn)
  if type(fn) == "function" then return fn end
  return function(...) return fn(...) end
end

--- Runs fn(...) in a separate coroutine. Calls `enter()` before it and after every resume, and `leave()` when it ends,
--- fails or yields. Yields are passed on, so that the outer setting applies while the block is suspended.
---@param enter function
---@param leave function
---@return any ... fn's results
function M.run(enter, leave, fn, ...)
  core.watch_interrupts()
  local thread = coroutine.create(as_function(fn))
  local function pass(ok, ...)
    leave()
    if not ok then M.rethrow((...)) end
    if coroutine.status(thread) == "dead" then return ... end
    return M.resume(thread, enter, pass, coroutine.yield(...))
  end
  return M.resume(thread, enter, pass, ...)
end

--- Calls a function of cuna that leaves the current device as it is, with a device, or an array's, current.
---@param place cuna.Device|cuna.Array
function M.on(place, fn, ...)
  if core.is_current(place) then return fn(...) end
  return (core.is_array(place) and place.device or place):with(fn, ...)
end

function M.resume(thread, enter, pass, ...)
  enter()
  return pass(coroutine.resume(thread, ...))
end

return M
