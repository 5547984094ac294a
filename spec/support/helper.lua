-- Runs once before all spec files: what it loads stays loaded, though busted restores package.loaded for each file.
local busted = require "busted"

math.randomseed(tonumber(os.getenv("CUNA_SEED")) or 1)
require "cuna.luassert"

-- The simulated GPU runs queued work in an order of its own: a run that failed says which.
local failed = false
local function note() failed = true end
busted.subscribe({ "failure" }, note)
busted.subscribe({ "error" }, note)
busted.subscribe({ "suite", "end" }, function()
  local path = os.getenv("LD_LIBRARY_PATH") or ""
  if failed and path:find("/simgpu", 1, true) then
    io.stderr:write(("simulated GPU: SIMGPU_SEED=%s\n"):format(os.getenv("SIMGPU_SEED") or 1))
  end
end)
