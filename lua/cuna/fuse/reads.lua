--- reads.lua: what a function reads, as far as it is known before it runs.
--
-- Every value that can reach the function has an origin: an argument, an upvalue, a global, or an entry of a table that
-- is one of these. The function's bytecode names them, and those of the Lua functions that it can call. An origin
-- records how a later call finds its value and what must be equal then. A function that can reach anything else is not
-- steady.
local bytecode = require "cuna.fuse.bytecode"
local mathematics = require "cuna.fuse.mathematics"
local values = require "cuna.fuse.values"

local M = {}

---@class cuna.Reads
---@field origins table[] {text =, statement =, value =, kind =, count = of a table's entries}
---@field held table values that the statements name
---@field is_steady boolean false if there may be more that decides what the function does
---@field upvalues table[]|nil of functions of `math` that take arrays; nil if the function does not name `math`
local Reads = {}
Reads.__index = Reads

--- Stores a value; returns the Lua text that refers to it.
function Reads:hold(value)
  self.held[#self.held + 1] = value
  return ("K[%d]"):format(#self.held)
end

--- Adds the entries of a table.
function Reads:open(origin)
  origin.count = 0
  for key, value in pairs(origin.value) do
    local shown = (type(key) == "string" and ("%q"):format(key) or self:hold(key)):gsub("%%", "%%%%")
    origin.count = origin.count + 1
    self:see(("local %%s = %s[%s]"):format(origin.text, shown), value)
  end
  self.has_tables = true
end

--- Adds an origin, and what can be reached from its value.
function Reads:see(statement, value)
  local text, kind = "s" .. #self.origins + 1, values.kind_of(value)
  local origin = {text = text, statement = statement:format(text), value = value, kind = kind}
  self.origins[#self.origins + 1] = origin
  self.is_steady = self.is_steady and kind ~= nil
  if mathematics.is_known(value) then self.upvalues = self.upvalues or {} end
  local state = values.state_of(value)
  if state then
    self:enter(state.fn)
  elseif kind == "table" then
    self:open(origin)
  elseif values.is_users_function(value) then
    self:enter(value)
  end
end

function Reads:see_upvalues(fn)
  local held = self:hold(fn)
  for i = 1, debug.getinfo(fn, "u").nups do
    local _, value = debug.getupvalue(fn, i)
    local id = debug.upvalueid(fn, i)
    if not self.seen[id] then
      self.seen[id] = true
      self:see(("local _, %%s = getupvalue(%s, %d)"):format(held, i), value)
      if type(value) == "function" and mathematics.is_known(value) then
        self.upvalues[#self.upvalues + 1] = {fn = fn, place = i, value = value}
      end
    end
  end
end

function Reads:see_globals(fn, names)
  local env = getfenv(fn)
  local known = self.seen[env] or {held = self:hold(env)}
  self.seen[env] = known
  for name in pairs(names) do
    if not known[name] then
      known[name] = true
      self:see(("local %%s = %s[%s]"):format(known.held, ("%q"):format(name):gsub("%%", "%%%%")), env[name])
    end
  end
end

--- Adds what a function can read beside its arguments.
function Reads:enter(fn)
  if self.seen[fn] then return end
  self.seen[fn] = true
  local found = bytecode.read(fn)
  if not found then
    self.is_steady = false
    return
  end
  self.is_steady = self.is_steady and not found.stores
  self.sets = self.sets or found.sets
  for word in pairs(found.words) do self.is_steady = self.is_steady and not values.UNSTEADY[word] end
  self:see_upvalues(fn)
  self:see_globals(fn, found.globals)
end

--- What a function reads in a call.
---@param fn function
---@param given table its arguments
---@param count integer
---@return cuna.Reads
function M.find(fn, given, count)
  local reads = setmetatable({origins = {}, held = {}, seen = {}, is_steady = true}, Reads)
  for i = 1, count do reads:see("local %s = a" .. i, given[i]) end
  reads:enter(fn)
  if reads.sets and reads.has_tables then reads.is_steady = false end
  return reads
end

--- The arrays of the origins, each once for each origin.
---@return table arrays
function M.arrays_of(reads)
  local arrays = {}
  for _, origin in ipairs(reads.origins) do
    if origin.kind == "array" then arrays[#arrays + 1] = origin.value end
  end
  return arrays
end

--- Whether two findings are the same, so that what happened between them has changed nothing that the function reads.
function M.same(a, b)
  if #a.origins ~= #b.origins then return false end
  for i, origin in ipairs(a.origins) do
    local x, y = origin.value, b.origins[i].value
    if not rawequal(x, y) and (x == x or y == y) then return false end
    if origin.count ~= b.origins[i].count then return false end
  end
  return true
end

return M
