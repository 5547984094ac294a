--- request.lua: calls that were started with blocking = false.
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {}

--- A call of a communicator that was started with blocking = false. It moves on whenever this rank is inside a function
--- of a communicator, `comm:poll()` too. Until it is done, its arrays must not be used. Follows mpi4py.MPI.Request.
---@class cuna.Request
---@field done boolean whether the call is done: wait returns at once
local methods = {}

local STATE = {} -- the key of what a request holds
local meta = {__metatable = "cuna Request"}

local function state_of(request, name)
  local state = type(request) == "table" and rawget(request, STATE)
  return state or check.fail("%s: a request's function is called with a colon: request:%s()", name, name)
end

--- A request of requests of C; `finish` makes its result, once.
function M.new(name, raws, finish)
  return setmetatable({[STATE] = {name = name, raws = raws, finish = finish}}, meta)
end

--- Waits until the call is done. Every call returns the same result; an error is raised each time.
---@return any ... what the call would have returned
---@usage cn.distributed.init():all_reduce(cn.ones(2), {blocking = false}):wait() --> [1. 1.]
function methods.wait(request)
  local state = state_of(request, "wait")
  for _, raw in ipairs(state.raws) do core.comm_wait(raw) end
  if state.finish then state.result, state.finish = state.finish(), nil end
  return state.result
end

function meta.__index(request, name)
  if name ~= "done" then
    return methods[name] or check.fail("a request has no field '%s'; there are done and wait", tostring(name))
  end
  for _, raw in ipairs(state_of(request, "done").raws) do
    if not core.comm_is_done(raw) then return false end
  end
  return true
end

function meta.__newindex(_, name) check.fail("a request's field '%s' cannot be assigned", tostring(name)) end

function meta.__tostring(request)
  return ("<request of %s%s>"):format(state_of(request, "tostring").name, request.done and ", done" or "")
end

return M
