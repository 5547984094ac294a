--- namespace.lua: tables of functions inside of cuna, such as cn.cuda, with errors for unknown names.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local suggest = require "cuna.base.suggest"

local M = {}

--- Makes a table of functions cn.`name`.
---@param name string such as "cuda"
---@param functions table|nil the table itself; default: a new one
---@param hints table<string, string>|nil names in other libraries -> names here
---@param later table<string, string>|nil tables in it that are loaded when they are named -> their files
---@return table functions
function M.make(name, functions, hints, later)
  local F = functions or {}
  args.namespaces[F] = "cn." .. name
  return setmetatable(F, {__index = function(_, key)
    if later and later[key] then
      F[key] = require("cuna." .. later[key]).namespace
      return F[key]
    end
    local near = hints and hints[key] or suggest.find(tostring(key), F)
    check.fail("%s has no function '%s'%s", name, tostring(key), near and ("; did you mean '%s'?"):format(near) or "")
  end})
end

return M
