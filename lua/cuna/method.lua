--- method.lua: methods of arrays insist on their array: x.sum(1), a dot for the colon, is not cn.sum(1).
--
-- Most methods are functions of cn, which take numbers and tables. So every method is a closure that looks at the type
-- of its first argument, and only at that: a call of C would take longer. What is a userdata and no array, the function
-- behind the closure refuses. Methods of operations are C functions, which look themselves. The closures find their
-- functions in one table, where those of files that are loaded later come when they are called.
local check = require "cuna.base.check"
local lazy = require "cuna.lazy"
local core = require "cuna.core"

local M = {}

--- A value as it is written in a call; nil for what has no short text.
local function literal(value)
  if type(value) == "string" then return #value < 40 and ("%q"):format(value):gsub("\\?[\r\n]", "\\n") or nil end
  local is_short = value == nil or type(value) == "boolean" or type(value) == "number"
  return is_short and tostring(value) or nil
end

--- Raises that a method was called with these arguments and no array before them.
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

local type, refuse, functions = type, M.refuse, lazy.methods

local function on_array(name)
  return function(x, ...)
    if type(x) ~= "userdata" then refuse(name, x, ...) end
    return functions[name](x, ...)
  end
end

--- Makes all methods of arrays insist on their array; from here on those of later files are among them.
function M.insist()
  local methods = core.methods()
  for name, method in pairs(methods) do
    if debug.getinfo(method, "S").what ~= "C" then
      functions[name] = method
      methods[name] = on_array(name)
    end
  end
  for name in pairs(lazy.method_files) do methods[name] = on_array(name) end
end

return M
