--- form.lua: in which form arrays of GPUs are reduced where they are.
--
-- NCCL has no integers of 16 bits: they are reduced with 32. Its max and min drop NaN: floats become integers of the
-- same order, with NaN beyond infinity, whose maximum and minimum are the floats'.
local core = require "cuna.core"
local program = require "cuna.base.program"

local M = {}

-- ---- floats as integers ----

local KEYS = {
  float32 = {dtype = "int32", word = "uint32", shift = 31, most = "2147483647"},
  float64 = {dtype = "int64", word = "uint64", shift = 63, most = "9223372036854775807LL"},
}

-- By dtype: what it is computed in.
local FLOATS = {float16 = "float32", bfloat16 = "float32", float32 = "float32", float64 = "float64"}

--- Negative floats have the opposite order of their bits, but for the sign.
local function draw_keys(draft, dtype, op)
  local real = FLOATS[dtype]
  local key = KEYS[real]
  local nan = op == "max" and key.most or ("-%s - 1"):format(key.most)
  local expr = ("a != a ? %s(%s) : %s(bits_of(a)) ^ (%s(bits_of(a)) >> %d & %s)"):format(key.dtype, nan, key.dtype,
    key.dtype, key.shift, key.most)
  draft:step(op .. "_key", expr, key.dtype, {draft:input(dtype)}, real)
  draft.output = key.dtype
end

local function draw_floats(draft, dtype)
  local real = FLOATS[dtype]
  local key = KEYS[real]
  draft:step("from_key", ("from_bits(%s(a ^ (a >> %d & %s)))"):format(key.word, key.shift, key.most), real,
    {draft:input(key.dtype)}, key.dtype)
  draft.output = dtype
end

local function run(x, name, draw, dtype, op)
  return core.map(program.get(dtype .. op, draw, dtype, op), name, nil, nil, x)
end

-- ---- forms ----

-- By operation and dtype: the dtype on the way, and functions to that form and back.
local FORMS = {sum = {}, prod = {}, max = {}, min = {}}

for dtype, wide in pairs {int16 = "int32", uint16 = "uint32"} do
  local form = {
    dtype = wide,
    to = function(x, name) return core.cast(x, wide, name) end,
    back = function(x, name) return core.cast(x, dtype, name) end,
  }
  for _, forms in pairs(FORMS) do forms[dtype] = form end
end

for dtype, real in pairs(FLOATS) do
  for _, op in ipairs {"max", "min"} do
    FORMS[op][dtype] = {
      dtype = KEYS[real].dtype,
      to = function(x, name) return run(x, name, draw_keys, dtype, op) end,
      back = function(x, name) return run(x, name, draw_floats, dtype, "") end,
    }
  end
end

local AS_IT_IS = {to = function(x) return x end, back = function(x) return x end}

--- The form in which a dtype is reduced; nil where there is none.
---@param op string the engine's
---@param carries fun(dtype: string): boolean whether NCCL reduces it
function M.find(dtype, op, carries)
  if carries(dtype) then return AS_IT_IS end
  local form = FORMS[op][dtype]
  return form and carries(form.dtype) and form or nil
end

return M
