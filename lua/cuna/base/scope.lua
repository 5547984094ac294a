--- scope.lua: frees memory at the end of a block, and reports what the garbage collector did about memory.
--
-- While a scope is open, core lists the arrays that are created. A scope belongs to the coroutine that runs its
-- function: it is open while that coroutine runs, including functions that it calls and coroutines that it resumes, and
-- not while it is suspended (with.lua). The list does not keep arrays alive, so arrays may be collected before the
-- scope ends. Arrays that cuna keeps for later calls belong to no scope.
local check = require "cuna.base.check"
local core = require "cuna.core"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

--- Adds the arrays in a table, and in tables inside it, as keys to `kept`.
local function keep_in(root, kept)
  local tables, seen = {root}, {[root] = true}
  local function visit(value)
    if core.is_array(value) then
      kept[value] = true
    elseif type(value) == "table" and not seen[value] then
      seen[value], tables[#tables + 1] = true, value
    end
  end
  local place = 1
  while tables[place] do
    for key, value in next, tables[place] do
      visit(key)
      visit(value)
    end
    place = place + 1
  end
end

local function keep_all(kept, ...)
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if core.is_array(value) then
      kept[value] = true
    elseif type(value) == "table" then
      keep_in(value, kept)
    end
  end
end

local WEAK_KEYS, WEAK_VALUES = {__mode = "k"}, {__mode = "v"}

local function make_scope() return setmetatable({[0] = 0}, WEAK_VALUES) end

--- The arrays that the end of a scope does not free, as keys; created for the first one.
local function kept_of(scope)
  local kept = getmetatable(scope).kept
  if not kept then
    kept = setmetatable({}, WEAK_KEYS)
    setmetatable(scope, {__mode = "v", kept = kept})
  end
  return kept
end

local function close(scope, ok, ...)
  local kept = getmetatable(scope).kept or {}
  if ok then keep_all(kept, ...) end
  core.close_scope(scope, kept)
  if not ok then error((...), 0) end
  return ...
end

--- Runs fn(...) and frees every array created inside except those it returns, also inside returned tables, and those
--- marked with cn.keep; these belong to the enclosing scope, if there is one. A view keeps its memory alive. If fn
--- raises an error, the arrays are freed too, and the error propagates. A coroutine that yields inside leaves the scope
--- until it is resumed.
---@param fn function
---@param ... any its arguments
---@return any ... its results
---@usage cn.scope(function(x) local y = x + 1 return y * 2 end, cn.zeros(2)) --> [2. 2.]
function F.scope(fn, ...)
  check.callable(fn, "scope")
  local scope, outer = make_scope(), nil
  local function enter() outer = core.open_scope(scope) end
  local function leave() core.open_scope(outer) end
  return close(scope, pcall(with.run, enter, leave, fn, ...))
end

--- Marks arrays, also those inside tables, so that the end of the open scope does not free them: they then belong to
--- the enclosing scope, if there is one. An array that outlives several scopes must be kept, or returned, in each.
---@param ... any
---@return any ... the same
---@usage cn.keep(cn.zeros(2)) --> [0. 0.]
function F.keep(...)
  local scope = core.scope()
  if scope then keep_all(kept_of(scope), ...) end
  return ...
end

--- Takes arrays, also those inside tables, from the open scope, for a part of cuna that keeps what it has just made.
function M.disown(value)
  local scope, left = core.scope(), {}
  if not scope then return end
  keep_all(left, value)
  for i = scope[0], 1, -1 do
    local array = scope[i]
    if array and left[array] then
      scope[i], left[array] = nil, nil
      if not next(left) then return end
    end
  end
end

local function rejoin(scope, outer, stays, ok, ...)
  core.open_scope(outer)
  local result, kept = ..., getmetatable(scope).kept
  if kept then keep_in(kept, kept_of(outer)) end
  for i = 1, scope[0] do
    local array = scope[i]
    if array and not (ok and stays(result, array)) then core.enlist(array) end
  end
  if not ok then error(result, 0) end
  return ...
end

--- Runs fn(...) for a part of cuna that keeps arrays for later calls. Arrays created meanwhile belong to no scope if
--- stays(fn's first result, array) is true, others to the open scope.
---@param stays fun(result: any, array: cuna.Array): boolean
---@param fn function it does not yield
---@return any ... its results
function M.apart(stays, fn, ...)
  local outer = core.scope()
  if not outer then return fn(...) end
  local scope = make_scope()
  core.open_scope(scope)
  return rejoin(scope, outer, stays, pcall(fn, ...))
end

--- Statistics of the garbage collections that cuna requests, since Lua's collector does not count the memory of arrays:
--- collections (their number), needed (the number of those requested because memory had run out; the others followed a
--- large increase of memory in use), total_seconds and last_seconds (thread time of all, and of the last one),
--- collected_bytes (memory that they freed on all devices), used_bytes (memory in use on the current device now).
--- Collections that are not needed take less time than the garbage costs, or a twentieth of the thread's time, as long
--- as the memory in use on each device is at most twice that of live arrays and 1 GiB, on a GPU up to an eighth of its
--- memory.
---@return table
---@usage cn.gc_stats().collections >= cn.gc_stats().needed --> true
function F.gc_stats()
  local collections, needed, total, last, collected, used = core.gc_stats()
  return {collections = collections, needed = needed, total_seconds = total, last_seconds = last,
    collected_bytes = collected, used_bytes = used}
end

return M
