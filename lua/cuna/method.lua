--- method.lua: methods of arrays insist on their array: x.sum(1), a dot for the colon, is not cn.sum(1).
--
-- Most methods are functions of cn, which take numbers and tables. So every method is a closure that looks at the type
-- of its first argument, and only at that: a call of C would take longer. The function in the closure refuses other
-- userdata. Methods of operations are C functions, which check the type themselves. The closures find their functions
-- in one table, where those of files that are loaded later come when they are called.
--
-- A method is created on first use and kept; fewer methods make garbage collection faster.
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local stand_in = require "cuna.stand_in"

local M = {}

--- A value as a literal in a call; nil if it has no short text.
local function literal(value)
  if type(value) == "string" then return #value < 40 and ("%q"):format(value):gsub("\\?[\r\n]", "\\n") or nil end
  local is_short = value == nil or type(value) == "boolean" or type(value) == "number"
  return is_short and tostring(value) or nil
end

--- Raises an error about a method that was called with these arguments, of which the first is not an array.
---@param name string
function M.refuse(name, ...)
  local values, texts = {...}, {}
  for i = 1, table.maxn(values) do
    texts[i] = literal(values[i]) or "..."
    if texts[i] == "..." then break end
  end
  check.fail("%s: expected an array, got %s; a method is called with a colon, x:%s(%s)", name, check.show(values[1]),
    name, table.concat(texts, ", "))
end

core.hook("self", M.refuse)

local type, refuse, functions = type, M.refuse, stand_in.methods

local function on_array(name)
  return function(x, ...)
    if type(x) ~= "userdata" then refuse(name, x, ...) end
    return functions[name](x, ...)
  end
end

local methods = core.methods() -- those used so far

--- The method of arrays with this name; nil if there is none.
---@param name any
---@return function|nil
function M.find(name)
  local method = rawget(methods, name)
  if method or type(name) ~= "string" then return method end
  local is_function = rawget(functions, name) or stand_in.method_files[name]
  method = is_function and core.front(name, on_array(name)) or elementwise.method(name)
  rawset(methods, name, method)
  return method
end

--- The table of all methods by name. `find` returns a single one.
---@return table<string, function>
function M.all()
  for _, names in ipairs {functions, stand_in.method_files, unpack(elementwise.method_names())} do
    for name in pairs(names) do M.find(name) end
  end
  return methods
end

--- Replaces the methods that files have added by closures that check their first argument.
function M.insist()
  for name, method in pairs(methods) do
    functions[name], methods[name] = method, nil
  end
  setmetatable(methods, {__index = function(_, name) return M.find(name) end})
end

return M
