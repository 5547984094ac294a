--- later.lua: files that are loaded when something of theirs is used, which most scripts never pay for.
local M = {}

--- A table with the functions of a file: each loads it when it is called.
---@param file string as in "io.text"
---@return table<string, function>
function M.functions(file)
  return setmetatable({}, {__index = function(functions, name)
    local function call(...)
      local module = require("cuna." .. file)
      return (module[name] or module.functions[name])(...)
    end
    functions[name] = call
    return call
  end})
end

--- A function that answers what a file returns, which stays only as long as somebody uses it: of tables that are read
--- rarely, since each collection marks all that stays. Such a file has no state.
---@param file string as in "ops"
---@return fun():any
function M.value(file)
  local name, last = "cuna." .. file, setmetatable({}, {__mode = "v"})
  return function()
    local value = last[1] or package.loaded[name]
    if not value then
      value = require(name)
      package.loaded[name] = nil
    end
    last[1] = value
    return value
  end
end

return M
