--- operands.lua: converts operands for kernels: to arrays of a common dtype, and to row-major order.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"

local M = {}

--- Operands as arrays, and their common dtype; Lua numbers are weak. The list itself where nothing is converted.
function M.common(list, device, name)
  local alike = core.common_dtype(list)
  if alike then return list, alike end
  local types, arrays = {}, {}
  for i, x in ipairs(list) do
    local kind = not core.is_array(x) and core.number_kind(x)
    if not kind then
      arrays[i] = check.array(x, name, device)
      check.same_device(arrays[1] or arrays[i], arrays[i], name)
    end
    types[i] = kind and dtype_rules.weak_type(kind) or arrays[i].dtype
  end
  local dtype = dtype_rules.common(types)
  for i, x in ipairs(list) do arrays[i] = arrays[i] or core.fill(core.empty({}, dtype, device, name), x, name) end
  return arrays, dtype
end

--- The array itself if it is row-major, else a row-major copy.
function M.row_major(x, name) return core.dense(x, nil, name) end

return M
