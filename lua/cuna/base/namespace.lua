--- namespace.lua: tables of functions inside of cuna, such as cn.cuda, with errors for unknown names.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

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
    check.fail("%s has no function '%s'%s", name, tostring(key), suggest.phrase(near))
  end})
end

--- Calls a function on the device of its first argument, or else its second, where the arrays that it makes belong.
local function on_device(fn, device_of)
  return function(...)
    local a, b = ...
    local device = device_of(a, b)
    if not device then return fn(...) end
    return with.on(device, fn, ...)
  end
end

--- Puts the functions of files of a folder into a table. A front in C has a name such as "signal.lfilter".
---@param F table
---@param folder string such as "signal"
---@param files string[]
---@param device_of (fun(a: any, b: any): cuna.Device|nil)|nil of two arguments; default: of the first array
function M.fill(F, folder, files, device_of)
  for _, file in ipairs(files) do
    for name, fn in pairs(require("cuna." .. folder .. "." .. file).functions) do
      F[name] = core.front(folder .. "." .. name, on_device(fn, device_of or core.device_of))
    end
  end
end

return M
