--- cuna: arrays with a GPU's speed for LuaJIT. This file assembles the namespace and has no logic of its own.
local core = require "cuna.core"

core.set_home((debug.getinfo(1, "S").source:gsub("^@", ""):gsub("[^/]*$", "")))

local cdata = require "cuna.cdata"
local array = require "cuna.array"
local resolve = require "cuna.resolve"
local text = require "cuna.text"

local cn = {
  newaxis = core.newaxis, ellipsis = core.ellipsis, is_array = core.is_array, complex = cdata.complex,
  pi = math.pi, e = math.exp(1), inf = math.huge, nan = 0 / 0,
  loadtxt = text.loadtxt, savetxt = text.savetxt, can_cast = core.can_cast,
  promote_types = core.promote, _VERSION = "0.1.0",
}

for _, dtype in ipairs(core.dtypes) do cn[dtype.name] = dtype.name end

for _, name in ipairs {"elementwise", "reduce", "manipulate", "create", "array", "device", "choose"} do
  for key, value in pairs(require("cuna." .. name).functions) do cn[key] = value end
end

array.concatenate, array.any, array.all = cn.concatenate, cn.any, cn.all

--- Sets the float dtype that stands where no operand forces one: "float64" or "float32". Returns the one before.
function cn.set_default_dtype(dtype)
  if dtype ~= "float32" and dtype ~= "float64" then
    core.fail "set_default_dtype: expected \"float32\" or \"float64\""
  end
  resolve.set_default_dtype(dtype)
  return core.default_dtype(dtype)
end

setmetatable(cn, {__index = function(_, name)
  local near = array.nearest(tostring(name), cn)
  core.fail(("cuna has no function '%s'%s"):format(tostring(name), near and ("; did you mean '%s'?"):format(near) or ""))
end})

return cn
