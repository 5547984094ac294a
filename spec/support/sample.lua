--- A sample of operations in every form of walk; processes with other settings must print the same.
local cn = require "cuna"
local bits = require "spec.support.bits"
local make = require "spec.support.operands"
local rows = require "cuna.ops"

local M = {}

M.names = {"add", "floor_divide", "power", "sin", "exp", "log1p", "arctan2", "where", "less", "left_shift", "maximum"}

local row_of = {}
for _, row in ipairs(rows) do row_of[row.name] = row end

local function each(operands, change)
  local changed = {}
  for k, x in ipairs(operands) do changed[k] = change(x, k) end
  return changed
end

local FORMS = {
  flat = function(x) return x end,
  rows = function(x) return make.strided(x):reshape(20, 25)["2:19, 3:20"] end,
  tiles = function(x, k) return k == 1 and make.by_columns(x:reshape(20, 25)) or x:reshape(20, 25) end,
}

--- Bytes of the results by name.
function M.results()
  local results = {}
  for _, name in ipairs(M.names) do
    for form, change in pairs(FORMS) do
      local operands = each(make.draw_all(row_of[name], 500), change)
      local out = cn[name](unpack(operands))
      results[name .. "-" .. form] = bits.to_hex(out:tobytes())
    end
  end
  local z = cn.array({cn.complex(1.5, 2), cn.complex(-3, 0.25), 1i}, "complex64")
  results["multiply-complex"] = bits.to_hex((z * z):tobytes())
  results["tan-complex"] = bits.to_hex(z:tan():tobytes())
  results["cast"] = bits.to_hex(make.draw(row_of.sin, 1, 500):astype("int8"):astype("bfloat16"):tobytes())
  return results
end

--- Prints the results of kernels, for another process to read.
function M.print()
  cn.prepare(M.results)
  for name, bytes in pairs(M.results()) do print(name, bytes) end
end

return M
