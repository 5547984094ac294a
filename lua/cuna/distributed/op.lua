--- op.lua: the operations of reductions over ranks: their names, those of the engine, dtypes of results.
local cdata = require "cuna.base.cdata"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local later = require "cuna.base.later"

local info = later.functions "base.dtype_info"

local M = {}

local kind_of = {}
for _, dtype in ipairs(core.dtypes) do kind_of[dtype.name] = dtype.kind end

--- A function that returns the greatest value of a dtype, or the least one.
local function extreme(sign)
  return function(dtype)
    local kind = kind_of[dtype]
    if kind == "f" then return sign * math.huge end
    if kind == "c" then return cdata.complex(sign * math.huge, sign * math.huge) end
    if kind == "b" then return sign > 0 end
    return info.iinfo(dtype)[sign > 0 and "max" or "min"]
  end
end

local function inexact(dtype)
  local kind = kind_of[dtype]
  return (kind == "f" or kind == "c") and dtype or dtype_rules.default_dtype()
end

-- `does`: the engine's; `dtype`: that of the result, else the array's; `start`: what changes nothing.
local OPS = {
  sum = {does = "sum", start = function() return 0 end},
  prod = {does = "prod", start = function() return 1 end},
  max = {does = "max", start = extreme(-1)},
  min = {does = "min", start = extreme(1)},
  any = {does = "max", dtype = function() return "bool" end, start = function() return false end},
  all = {does = "min", dtype = function() return "bool" end, start = function() return true end},
  mean = {does = "sum", dtype = inexact, divides = true},
}

local HINTS = {add = "sum", avg = "mean", average = "mean", product = "prod", maximum = "max", minimum = "min",
  ["or"] = "any", ["and"] = "all"}

--- The operation of a name, and its name; nil is "sum".
function M.find(op, name, is_scan)
  local found = OPS[op == nil and "sum" or op]
  if found and not (is_scan and found.divides) then return found, op or "sum" end
  local hint = HINTS[op]
  check.fail("%s: the operation is sum, prod, max, min, any, all%s, got %s%s", name, is_scan and "" or " or mean",
    check.show(op), hint and ("; write %q"):format(hint) or "")
end

--- x in the dtype in which the operation is computed.
function M.converted(x, op, name)
  local dtype = op.dtype and op.dtype(x.dtype) or x.dtype
  return dtype == x.dtype and x or core.cast(x, dtype, name)
end

--- Rejects results that an array cannot hold.
function M.check_in_place(x, op, title, name)
  local dtype = op.dtype and op.dtype(x.dtype)
  if dtype and dtype ~= x.dtype then
    check.fail("%s: %s of %s is %s, which the array cannot hold; write comm:%s(x, %q)", name, title, x.dtype, dtype,
      name:gsub("_$", ""), title)
  end
end

return M
