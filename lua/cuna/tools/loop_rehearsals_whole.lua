--- loop_rehearsals_whole.lua: calls by which loops.lua finds the kernels that are compiled whole: of sorts,
-- selections, and products of matrices.
--
-- Dtypes that sort alike have one kernel, and so have products, so each call adds few or none.
local cn = require "cuna"
local products = require "cuna.linalg.products"

local WHOLE = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
local FLOATS = {"float16", "bfloat16", "float32", "float64"}
local IN_ORDER = {"float32", "float64"}
local LENGTHS = {8, 8192} -- of rows that a block has room for, and of others
local SHAPES = {{1000, 8}, {1, 8192}} -- the same, of as many elements as are worth selecting from

local M = {}

local function add(rehearse) M[#M + 1] = rehearse end

local function square(dtype) return cn.empty({2, 2}, dtype) end

for _, dtypes in ipairs {WHOLE, FLOATS} do
  for _, dtype in ipairs(dtypes) do
    for _, length in ipairs(LENGTHS) do
      add(function() return cn.sort(cn.empty(length, dtype)) end)
      add(function() return cn.argsort(cn.empty(length, dtype)) end)
    end
    for _, shape in ipairs(SHAPES) do
      add(function() return cn.median(cn.empty(shape, dtype), 2) end)
      add(function() return cn.partition(cn.empty(shape, dtype), 1) end)
      add(function() return cn.argpartition(cn.empty(shape, dtype), 1) end)
    end
  end
end

for _, dtype in ipairs(WHOLE) do
  add(function() return cn.matmul(square(dtype), square(dtype)) end)
end

for _, dtype in ipairs(IN_ORDER) do
  add(function() return products.in_order(square(dtype), square(dtype), "in_order") end)
end

return M
