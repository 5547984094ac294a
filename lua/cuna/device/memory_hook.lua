--- memory_hook.lua: functions that are told of each piece of memory as it comes and goes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail

--- Passes fn's results on. What a hook raised behind the last call, in a finalizer for instance, is raised here.
local function finish(ok, ...)
  local failed, problem = core.memory_error()
  if not ok then error((...), 0) end
  if failed then error(problem, 0) end
  return ...
end

--- Runs fn(...) and calls hook(event) for each piece of device or pinned memory that this Lua state is handed or gives
--- back meanwhile, before the call that does so returns: debug.traceback() in the hook shows where. An event has kind
--- ("alloc" or "free"), device, bytes (what the pool handed out, a multiple of 512) and ptr (the address). What the
--- hook raises, that call raises; what it raises where a collection frees memory, the next call or the end of
--- memory_hook. The hook may use arrays, which it is not told of. Hooks nest: the outer one is called first. Follows
--- cupy.cuda.MemoryHook.
---@param hook fun(event: {kind: string, device: cuna.Device, bytes: integer, ptr: number})
---@param fn function
---@param ... any its arguments
---@return any ... fn's results
---@usage cn.cuda.memory_hook(function(event) assert(event.bytes % 512 == 0) end, cn.ones, 3) --> [1. 1. 1.]
---@usage (pcall(cn.cuda.memory_hook, function(e) assert(e.kind ~= "alloc", "no") end, cn.ones, 3)) --> false
function F.memory_hook(hook, fn, ...)
  args.check_dot("cuda.memory_hook", hook)
  if type(hook) ~= "function" then fail("cuda.memory_hook: hook is a function, got %s", check.show(hook)) end
  check.callable(fn, "cuda.memory_hook")
  local outer
  local function tell(event)
    if outer then outer(event) end
    hook(event)
  end
  local function enter() outer = core.memory_listen(tell) end
  local function leave() core.memory_listen(outer) end
  return finish(pcall(with.run, enter, leave, fn, ...))
end

return M
