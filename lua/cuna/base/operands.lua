--- operands.lua: operands as kernels take them: as arrays of one common dtype, one element behind the other.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"

local M = {}

--- Operands as arrays, and their common dtype, in which Lua numbers are weak.
function M.common(list, device, name)
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

--- An array itself where it is row-major, else a copy that is.
function M.row_major(x, name) return x.flags.c_contiguous and x or core.cast(x, nil, name) end

return M
