--- stand_in.lua: functions and methods in place of those whose files are loaded when one is first called.
--
-- A stand-in stays valid after its file is loaded, so references to it keep working. Its only upvalue of its own is its
-- name, which keeps garbage collection fast. A function whose first argument is an object that has functions of its own
-- is the object's: __cuna_function of its metatable gets the name and all arguments.
local core = require "cuna.core"
local lazy = require("cuna.base.later").value "lazy"

local M = {functions = {}, methods = {}}

--- The names in a column of the rows, with the file of each.
local function files_of(column)
  local files = {}
  for _, row in ipairs(lazy().rows) do
    for name in row[column]:gmatch "%S+" do files[name] = row[1] end
  end
  return files
end

--- A table that loads functions from their files, each on first use.
local function loading(files, find)
  return setmetatable({}, {__index = function(functions, name)
    local fn = find(require("cuna." .. files[name]), name)
    functions[name] = fn
    return fn
  end})
end

local function_files = files_of(2)
local functions = loading(function_files, function(module, name) return module.functions[name] end)

-- The function for calls of a table, and `type`, are in the same table as the others: each stand-in has two upvalues
-- less.
functions[2] = type
functions[1] = function(name, ...)
  local meta = debug.getmetatable((...))
  local handler = meta and rawget(meta, "__cuna_function")
  if handler then return handler(name, ...) end
  return functions[name](...)
end

local function make(name)
  return function(...)
    if functions[2]((...)) == "table" then return functions[1](name, ...) end
    return functions[name](...)
  end
end

for name in pairs(function_files) do M.functions[name] = core.front(name, make(name)) end

M.method_files = files_of(3)
M.methods = loading(M.method_files, function(module, name) -- method.lua makes their stand-ins
  return module.methods and module.methods[name] or module.functions[name]
end)

core.hook("fold", function(...) return require("cuna.reduce").plain(...) end)
core.hook("access", function(...) return require("cuna.gather").at_arrays(...) end)
core.hook("assign", function(...) return require("cuna.gather").at_key(...) end)

return M
