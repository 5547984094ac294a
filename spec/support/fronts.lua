--- Fronts in C (bindings/front.c) beside the Lua functions that they fall back on.
local core = require "cuna.core"

local M = {}

local FALLBACK = 2 -- the upvalue of a front that is its Lua function

--- The Lua function that a front falls back on.
function M.fallback_of(front)
  local name, fn = debug.getupvalue(front, FALLBACK)
  assert(name == "" and type(fn) == "function", "not a front")
  return fn
end

--- Calls `block` while a front's fallback counts its calls; returns the count.
function M.passed_on(front, block)
  local fn, count = M.fallback_of(front), 0
  debug.setupvalue(front, FALLBACK, function(...)
    count = count + 1
    return fn(...)
  end)
  local ok, message = pcall(block)
  debug.setupvalue(front, FALLBACK, fn)
  assert(ok, message)
  return count
end

local function bits_of(value)
  if not core.is_array(value) then return tostring(value) end
  return ("%s %s %s %s"):format(value.dtype, tostring(value.shape), value.device.name, value:tobytes())
end

--- What a call does, as text: its results bit by bit, or its error.
function M.outcome(call, ...)
  local results = {pcall(function(...)
    local result = call(...)
    return result
  end, ...)}
  for i, value in ipairs(results) do results[i] = bits_of(value) end
  return table.concat(results, "|")
end

--- Asserts that a front does what its fallback does with these arguments.
function M.same(name, front, arguments, count)
  local expected = M.outcome(M.fallback_of(front), unpack(arguments, 1, count))
  local found = M.outcome(front, unpack(arguments, 1, count))
  if expected == found then return end
  local texts = {}
  for i = 1, count do texts[i] = core.is_alive(arguments[i]) and bits_of(arguments[i]) or tostring(arguments[i]) end
  error(("%s(%s): %s\nexpected: %s"):format(name, table.concat(texts, ", "), found, expected))
end

return M
