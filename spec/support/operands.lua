--- Operands for rows of the operation table, and the same elements in other layouts.
local cn = require "cuna"
local ffi = require "ffi"

local M = {}

local DRAWS = {
  any = function(u) return (u - 0.5) * 20 end,
  positive = function(u) return 0.01 + u * 50 end,
  unit = function(u) return 2 * u - 1 end,
  above_one = function(u) return 1 + u * 50 end,
  small = function(u) return 8 * u - 4 end,
}
DRAWS.divisor, DRAWS.counts = DRAWS.any, DRAWS.any

--- The dtypes of the operands of one loop of a row: float32 where it has one, else int32.
function M.dtypes(row)
  local loop = row.rule == "double" and "float64" or row.kinds:find "f" and "float32" or "int32"
  if row.rule == "select" then return {"bool", loop, loop} end
  if row.rule == "scale" then return {loop, "int64"} end
  if row.rule == "decimals" then return {loop, "int32"} end
  local dtypes = {}
  for k = 1, row.nargs do dtypes[k] = loop end
  return dtypes
end

local FILLERS = {
  bool = function(u) return u > 0.5 and 1 or 0 end,
  int32 = function(u, row)
    return math.floor(row.domain == "counts" and u * 34 or row.rule == "decimals" and u * 5 or u * 200 - 100)
  end,
  int64 = function(u) return math.floor(u * 40 - 20) end,
}
local CTYPES = {
  bool = "uint8_t[?]", int32 = "int32_t[?]", int64 = "int64_t[?]", float32 = "float[?]", float64 = "double[?]",
}

--- Operand k of a row: n elements in its domain, always the same ones.
function M.draw(row, k, n)
  local dtype = M.dtypes(row)[k]
  local values, state = ffi.new(CTYPES[dtype], n), 12345 + 977 * k
  local fill = FILLERS[dtype] or DRAWS[row.domain]
  for i = 0, n - 1 do
    state = (state * 16807) % 2147483647
    values[i] = fill(state / 2147483647, row)
  end
  return cn.frombuffer(ffi.string(values, ffi.sizeof(values)), {dtype = dtype})
end

--- All operands of a row.
function M.draw_all(row, n)
  local operands = {}
  for k = 1, row.nargs do operands[k] = M.draw(row, k, n) end
  return operands
end

--- The same elements, two places apart.
function M.strided(x)
  local room = cn.zeros(2 * x.size, x.dtype)
  room["::2"] = x
  return room["::2"]
end

--- The same elements, stored backwards.
function M.reversed(x) return x["::-1"]:copy()["::-1"] end

--- The same elements, not at the beginning of a block.
function M.unaligned(x)
  local room = cn.zeros(x.size + 1, x.dtype)
  room["2:"] = x
  return room["2:"]
end

--- The same matrix, stored by columns.
function M.by_columns(x) return cn.ascontiguousarray(x.T).T end

return M
