--- later.lua: loads files on first use, which most scripts never need.
local M = {}

--- A table with the functions of a file, which load the file when they are called.
---@param file string such as "io.text"
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

--- A function that returns a file's value and keeps it only as long as it is referenced: for tables that are rarely
--- read, because garbage collections mark everything that is kept. Such a file must not have state.
---@param file string such as "ops"
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
