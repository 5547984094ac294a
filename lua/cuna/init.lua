--- cuna: arrays with a GPU's speed for LuaJIT. This file assembles the namespace and has no logic of its own.
local core = require "cuna.core"

core.set_home((debug.getinfo(1, "S").source:gsub("^@", ""):gsub("[^/]*$", "")))

require "cuna.cdata"
local cn = {}

for _, module in ipairs {"elementwise"} do
  for name, value in pairs(require("cuna." .. module).functions) do cn[name] = value end
end

cn.array = core.as_array
return cn
