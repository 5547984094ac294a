--- later.lua: files that are loaded when one of their functions is called, which most scripts never pay for.
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

return M
