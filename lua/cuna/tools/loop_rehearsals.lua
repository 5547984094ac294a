--- loop_rehearsals.lua: calls of the library's functions by which loops.lua finds the steps that programs have.
--
-- Each entry is a function that calls some with arrays of a dtype. What matters is which steps a call needs: dtypes
-- and expressions, not lengths or layouts.
local cn = require "cuna"
local ops = require "cuna.ops"
local reductions = require "cuna.reductions"

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
  "bfloat16", "float32", "float64", "complex64", "complex128"}
local LENGTH = 4

local M = {}

local function add(rehearse, ...)
  local arguments = {...}
  M[#M + 1] = function() return rehearse(unpack(arguments)) end
end

--- Every elementwise operation with every dtype, with a bool first, and with whole numbers second.
local function rehearse_row(name, nargs, dtype)
  local x = cn.empty(LENGTH, dtype)
  local arrays = {}
  for i = 1, nargs do arrays[i] = x end
  cn[name](unpack(arrays))
end

local function rehearse_mixed(name, nargs, dtype, place, other)
  local arrays = {}
  for i = 1, nargs do arrays[i] = cn.empty(LENGTH, i == place and other or dtype) end
  cn[name](unpack(arrays))
end

for _, row in ipairs(ops) do
  local nargs = row.nargs or 1
  for _, dtype in ipairs(DTYPES) do
    add(rehearse_row, row.name, nargs, dtype)
    if nargs > 1 then
      add(rehearse_mixed, row.name, nargs, dtype, 1, "bool")
      add(rehearse_mixed, row.name, nargs, dtype, nargs, "int64")
    end
  end
end

-- ---- scans ----

local SUMMED = {"int64", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
local COMPARED = {"int32", "int64", "uint64", "float32", "float64"}

for _, row in ipairs(reductions.rows) do
  if row.family == "running" then
    for _, dtype in ipairs(row.types == reductions.asked_types and COMPARED or SUMMED) do
      add(rehearse_row, row.name, 1, dtype)
    end
  end
end

add(function() cn.place(cn.empty(LENGTH), cn.empty(LENGTH, "bool"), cn.empty(2)) end)
for _, dtype in ipairs {"float32", "float64"} do add(rehearse_row, "unwrap", 1, dtype) end

return M
