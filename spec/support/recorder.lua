--- What specs of the recorder share.
local cn = require "cuna"
local core = require "cuna.core"

local M = {}

--- Results of fn(...), recorded, and how many units with kernels this process compiled or loaded for them.
function M.recorded(fn, ...)
  cn.synchronize()
  cn.set_eager(false)
  local compiled, loaded = core.module_stats()
  local results = {cn.evaluate(fn(...))}
  local compiled_then, loaded_then = core.module_stats()
  cn.set_eager(true)
  return results, compiled_then + loaded_then - compiled - loaded
end

--- Raises unless two arrays have the same bytes.
function M.same(expected, x) assert(expected:tobytes() == x:tobytes(), "the arrays differ") end

return M
