--- recording.lua: whether operations run at once, or are recorded and become kernels together.
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {functions = {}}
local F = M.functions

--- Whether operations run at once. Otherwise elementwise operations and folds (sum, max, mean, var and their kind) are
--- recorded, on the cpu device with results of 16 KiB and more: these get memory when it is needed, by kernels that
--- compute several operations, and hold the same bits. At first false, or true with CUNA_EAGER=1.
---@return boolean
---@usage cn.is_eager() --> false
function F.is_eager() return not core.is_recording() end

--- Sets whether operations run at once (true) or are recorded. What was recorded runs before a true.
--- Not recorded are: operations that write to a part of an array, of arrays whose memory others know (pointer, DLPack,
--- raw kernels), of pinned and managed memory and of other allocators, of more than a sixteenth of the memory or of its
--- limit, while a graph is captured, while a trace or a memory hook is active, and with CUNA_SYNC.
---@param eager boolean
---@return boolean before
---@usage cn.set_eager(false) --> false
function F.set_eager(eager)
  if type(eager) ~= "boolean" then check.fail("set_eager: expected true or false, got %s", check.show(eager)) end
  local before = F.is_eager()
  core.set_recording(not eager)
  return before
end

--- Gives arrays their memory where operations were only recorded. Any use of their elements does so by itself.
---@param ... cuna.Array
---@return cuna.Array ... the arrays
---@usage cn.evaluate(cn.ones(2) + 1) --> [2. 2.]
function F.evaluate(...) return core.evaluate(...) end

return M
