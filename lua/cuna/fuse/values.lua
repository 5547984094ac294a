--- values.lua: classifies values: those of cuna, and those whose content may change although their identity does not.
local arrays = require "cuna.array"
local core = require "cuna.core"
local home = require "cuna.base.home"

local M = {STATE = {}} -- the key of a fused function's state

--- The state of a fused function; nil for other values.
function M.state_of(value) return type(value) == "table" and rawget(value, M.STATE) or nil end


local SHAPE = getmetatable(arrays.shape {})

local function is_home(fn) return home.file(debug.getinfo(fn, "S").source) ~= nil end

--- Whether a metatable's functions are cuna's.
function M.is_own_metatable(metatable)
  for _, value in pairs(metatable) do
    if type(value) == "function" then return is_home(value) end
  end
  return false
end

--- Whether a table belongs to cuna: a namespace, a kernel, or a table whose metatable has functions of cuna.
function M.is_cunas(value)
  local cn = require("cuna.base.args").namespace
  if rawequal(value, cn) then return true end
  for _, inner in pairs(cn) do
    if rawequal(inner, value) then return true end
  end
  local generators = package.loaded["cuna.random.generator"]
  if generators and generators.is_generator(value) then return true end
  local metatable = debug.getmetatable(value)
  local call = type(metatable) == "table" and rawget(metatable, "__call")
  return type(call) == "function" and is_home(call)
end

--- Whether a table is cuna's namespace, one within it or a kernel, but not a shape, which is a list of numbers.
function M.is_opaque(value) return M.is_cunas(value) and debug.getmetatable(value) ~= SHAPE end

function M.is_users_function(value)
  return debug.getinfo(value, "S").what ~= "C" and not is_home(value)
end

local steady = {} -- libraries, and C functions whose results depend only on their arguments

for _, name in ipairs {"_G", "string", "table", "math", "coroutine", "bit", "table.new", "table.clear"} do
  local library = package.loaded[name]
  for _, value in pairs(type(library) == "table" and library or {library}) do
    if type(value) == "function" then steady[value] = true end
  end
  if library then steady[library] = true end
end
steady[package.loaded.jit] = true
for _, name in ipairs {"collectgarbage", "dofile", "getfenv", "load", "loadfile", "loadstring", "require"} do
  steady[_G[name]] = nil
end

local MAX_ENTRIES = 32 -- of a captured table: every call reads each of them
local PLAIN_KEYS, PLAIN_VALUES = {string = true, number = true, boolean = true}, {string = true, boolean = true}

--- Whether a table and the tables in it hold only constants and arrays; `room.left` is the number of entries allowed.
local function is_plain(value, room, depth)
  if debug.getmetatable(value) or steady[value] or depth > 4 or M.is_cunas(value) then return false end
  for key, inner in next, value do
    room.left = room.left - 1
    local is_good = PLAIN_VALUES[type(inner)] or core.number_kind(inner) or core.is_array(inner)
      or (type(inner) == "table" and room.left >= 0 and is_plain(inner, room, depth + 1))
    if not is_good or not PLAIN_KEYS[type(key)] or room.left < 0 then return false end
  end
  return true
end

--- Whether a captured value is a table whose entries every call reads.
function M.is_plain(value) return type(value) == "table" and is_plain(value, {left = MAX_ENTRIES}, 1) end

--- Why the closure must run at every call because of a captured value; nil if comparing the value itself is enough.
function M.why_unsteady(value)
  local kind = type(value)
  if kind == "table" then
    return not steady[value] and not M.state_of(value) and not M.is_cunas(value) and "it captures a table" or nil
  elseif kind == "function" then
    local is_unknown = debug.getinfo(value, "S").what == "C" and not steady[value]
    return is_unknown and "it captures a function written in C" or nil
  elseif kind == "cdata" then
    return not core.number_kind(value) and "it captures a cdata object" or nil
  elseif kind == "userdata" then
    return not core.is_array(value) and "it captures a userdata" or nil
  end
  return kind == "thread" and "it captures a coroutine" or nil
end

return M
