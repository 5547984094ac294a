--- memory_hook.lua: functions called at each allocation and each free.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- of cn.cuda

local fail = check.fail

--- Passes fn's results on, and raises an error of a hook after the last call, in a finalizer for instance.
local function finish(ok, ...)
  local failed, problem = core.memory_error()
  if not ok then error((...), 0) end
  if failed then error(problem, 0) end
  return ...
end

--- Runs fn(...) and calls hook(event) whenever this Lua state allocates or frees device or pinned memory meanwhile,
--- before the call that does so returns: debug.traceback() in the hook shows its line. An event has kind ("alloc" or
--- "free"), device, bytes (the size of the block, a multiple of 512) and ptr (the address). That call raises the errors
--- of the hook; if a garbage collection frees the memory, the next call or the end of memory_hook does. The hook may
--- use arrays, for which it is not called. What was recorded before runs before the hook begins. Hooks nest: the outer
--- one is called first. Follows cupy.cuda.MemoryHook.
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
