--- class.lua: objects of Lua with methods: errors about unknown ones, and about methods that are called with a dot.
local check = require "cuna.base.check"
local suggest = require "cuna.base.suggest"

local M = {}

--- The metatable of objects, and a function that returns its first argument if it is one, and else raises an error that
--- shows the call of the method that is its second.
---@param title string in the metatable, such as "density"
---@param noun string in messages, such as "a density"
---@param variable string that calls have in messages
---@param methods table<string, function>
---@return table meta
---@return fun(value: any, method: string): table self_of
function M.make(title, noun, variable, methods)
  local meta = {__metatable = "cuna " .. title}

  function meta.__index(_, name)
    local method = methods[name]
    if method then return method end
    check.fail("%s has no method '%s'%s", noun, tostring(name), suggest.hint(name, methods))
  end

  local function self_of(value, method)
    if type(value) == "table" and rawequal(debug.getmetatable(value), meta) then return value end
    check.fail("%s: %s's function is called with a colon: %s:%s(...)", method, noun, variable, method)
  end
  return meta, self_of
end

return M
