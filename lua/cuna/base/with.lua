--- with.lua: settings that hold for a function call: entered before, left after, also through errors and yields.
local core = require "cuna.core"

local M = {}

--- Raises what went wrong in the coroutine. Where fn ended in the call that failed, its frame was gone when the message
--- was written: then the place is that of the call outside.
function M.rethrow(message)
  if message == "interrupted!" then core.interrupted() end
  local placeless = type(message) == "string" and message:match "^cuna: (.*)$"
  if placeless then core.fail(placeless) end
  error(message, 0)
end

--- A function for what is called like one: coroutines run nothing else.
local function as_function(fn)
  if type(fn) == "function" then return fn end
  return function(...) return fn(...) end
end

--- Runs fn(...) in a coroutine of its own; `enter()` before it and after every resume, `leave()` when it ends, fails or
--- yields. What fn yields is yielded on, so that outside a suspended block the outer setting holds.
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

function M.resume(thread, enter, pass, ...)
  enter()
  return pass(coroutine.resume(thread, ...))
end

return M
