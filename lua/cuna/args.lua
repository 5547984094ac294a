--- args.lua: arguments by position or in a table of options that comes last.
local core = require "cuna.core"

local M = {}

--- Merges options into positional arguments.
local function merge(operation, names, count, options, ...)
  local values, place = {...}, {}
  values[count] = nil
  for i, name in ipairs(names) do place[name] = i end
  for name, value in pairs(options) do
    local i = place[name]
    if not i or i == 1 then
      core.fail(("%s: unknown option '%s'; known are %s"):format(operation, name, table.concat(names, ", ", 2)))
    elseif i < count and values[i] ~= nil then
      core.fail(("%s: %s is given by position and by option"):format(operation, name))
    end
    values[i] = value
  end
  return unpack(values, 1, #names)
end

--- Makes a function that answers its arguments in the order of `names`, whether they came by position or by name.
---@param operation string for messages
---@param names string[] the first `required` (default 1) ones come by position only
---@param required integer|nil
function M.reader(operation, names, required)
  required = required or 1
  return function(...)
    local count = select("#", ...)
    if count <= required then return ... end
    local last = select(count, ...)
    if type(last) == "table" and core.is_options(last, operation) then
      return merge(operation, names, count, last, ...)
    elseif count > #names then
      core.fail(("%s: takes at most %d arguments (%s), got %d"):format(operation, #names, table.concat(names, ", "), count))
    elseif type(last) == "table" and next(last) == nil then
      return merge(operation, names, count, last, ...)
    end
    return ...
  end
end

return M
