--- An assertion about the library's errors: one line, at the line of the spec that made it, with certain words.
local assert = require "luassert"
local core = require "cuna.core"

local M = {}

--- Asserts that fn raises "<file of fn>:<a line of fn>: cuna: <text>", where `text` is the message or its beginning.
--- fn must not end in a tail call: that would leave no line to blame.
function M.raises(text, fn)
  local ok, message = pcall(fn)
  if ok and core.is_preparing() then return end -- a rehearsal meets no error of values
  if ok then error("no error; expected: " .. text, 2) end
  local where, line, said = tostring(message):match "^([^\n]-):(%d+): cuna: ([^\n]*)$"
  local info = debug.getinfo(fn, "S")
  if not where then error("not one line of cuna's: " .. tostring(message), 2) end
  if where ~= info.short_src or tonumber(line) < info.linedefined or tonumber(line) > info.lastlinedefined then
    error(("raised at %s:%s, not inside %s:%d: %s"):format(where, line, info.short_src, info.linedefined, said), 2)
  end
  if said:sub(1, #text) ~= text then error(("says: %s\nexpected: %s"):format(said, text), 2) end
end

--- Asserts that fn(...) raises "<file>:<line>: cuna: <text>...", `after` lines after the call of this function.
function M.raises_at(after, text, fn, ...)
  local here = debug.getinfo(2, "Sl")
  local ok, message = pcall(fn, ...)
  assert.is_false(ok)
  local file, line, said = message:match "^([^\n]-):(%d+): cuna: ([^\n]*)$"
  assert.equal(here.short_src, file, message)
  assert.equal(text, said:sub(1, #text))
  assert.equal(here.currentline + after, tonumber(line), said)
end

return M
