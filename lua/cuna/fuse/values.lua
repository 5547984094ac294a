--- values.lua: kinds of values that a function reads: which are constant, and whose content may change although their
--- identity does not.
local arrays = require "cuna.array"
local core = require "cuna.core"
local home = require "cuna.base.home"

local M = {STATE = {}} -- the key of a fused function's state

--- The state of a fused function; nil for other values.
function M.state_of(value) return type(value) == "table" and rawget(value, M.STATE) or nil end

local SHAPE = getmetatable(arrays.shape {})

local function source_of(fn) return debug.getinfo(fn, "S") end

local function is_home(fn) return home.file(source_of(fn).source) ~= nil end

function M.is_users_function(value)
  return type(value) == "function" and source_of(value).what ~= "C" and not is_home(value)
end

--- Whether a table belongs to cuna: a namespace, a kernel or a generator.
local function is_cunas(value)
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

--- Whether a function written in C is one of cuna's: one that stands in it, or before a Lua function of it.
local function is_front(fn)
  local _, fallback = debug.getupvalue(fn, 2)
  if type(fallback) == "function" and is_home(fallback) then return true end
  for _, value in pairs(require("cuna.base.args").namespace) do
    if rawequal(value, fn) then return true end
  end
  return false
end

-- Libraries, and functions written in C whose results and effects depend on their arguments only.
local steady = {}

local PURE = {"assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "select", "tonumber",
  "tostring", "type", "unpack", "xpcall"}
for _, name in ipairs(PURE) do steady[_G[name]] = true end
for _, library in ipairs {string, table, math, bit} do
  steady[library] = true
  for _, value in pairs(library) do
    if type(value) == "function" then steady[value] = true end
  end
end
steady[math.random], steady[math.randomseed] = nil, nil

-- Words by which functions get at what depends on more than their arrays: functions of cuna, and fields of arrays.
M.UNSTEADY = {}
for name in ("as_strided base clock cuda device distributed flags from_dlpack gc_stats get_default_memory_pool "
  .. "get_default_pinned_memory_pool get_printoptions is_alive is_eager load no_sync pointer poll prepare printoptions "
  .. "random randomseed set_default_dtype set_eager set_printoptions set_tf32 shares_memory testing"):gmatch "%S+" do
  M.UNSTEADY[name] = true
end

local MAX_ENTRIES, MAX_DEPTH = 32, 4 -- of a captured table: every call reads each entry
local PLAIN_KEYS, PLAIN_VALUES = {string = true, number = true, boolean = true}, {string = true, boolean = true}

--- Whether a table and the tables in it hold only constants and arrays; `room.left` is the number of entries allowed.
local function is_plain(value, room, depth)
  local metatable = debug.getmetatable(value)
  if (metatable and metatable ~= SHAPE) or depth > MAX_DEPTH then return false end
  for key, inner in next, value do
    room.left = room.left - 1
    local is_good = PLAIN_VALUES[type(inner)] or core.number_kind(inner) or core.is_array(inner)
      or (type(inner) == "table" and room.left >= 0 and is_plain(inner, room, depth + 1))
    if not is_good or not PLAIN_KEYS[type(key)] or room.left < 0 then return false end
  end
  return true
end

--- What a value is to a function that reads it: "array"; "constant", whose identity or number says everything; "table",
--- whose entries do; nil where nothing does.
---@param value any
---@return string|nil
function M.kind_of(value)
  local kind = type(value)
  if core.is_array(value) then return "array" end
  if kind == "nil" or kind == "boolean" or kind == "string" or core.number_kind(value) then return "constant" end
  if kind == "function" then
    return (steady[value] or source_of(value).what ~= "C" or is_front(value)) and "constant" or nil
  end
  if kind ~= "table" then return nil end
  if steady[value] or M.state_of(value) then return "constant" end
  if is_plain(value, {left = MAX_ENTRIES}, 1) then return "table" end
  return is_cunas(value) and "constant" or nil
end

return M
