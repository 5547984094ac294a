--- weigh.lua: sums of weights by bins where lanes add beside each other, with the same bits in every run.
--
-- Floats added in any order have any rounding errors. Here integers are added (kernels/weigh.cuh): a first pass finds
-- the greatest exponent of each bin, a second one adds the weights in steps of a size that it decides.
local core = require "cuna.core"
local bin_counts = require "cuna.bin_counts"

local M = {}

local ROOM = 62     -- bits of a sum
local MOST_BITS = 50 -- of a value in one word

local programs = {} -- by dtypes

--- A program over bins, which are counted from `first`, and weights; `fixed` inputs come behind.
local function drawn(step, into, bins, first, weight, fixed)
  local key = table.concat({step, bins, first, weight}, " ")
  if programs[key] then return programs[key] end
  local inputs, args, arg_dtypes = {{dtype = into, address = true}, {dtype = bins}, {dtype = weight}}, {1, 2, 3},
    {"int64", "int64", "float64"}
  for _, input in ipairs(fixed) do
    inputs[#inputs + 1] = input
    args[#args + 1], arg_dtypes[#args + 1] = #inputs, "int64"
  end
  local expr = ("%s(a, b - %d, c%s)"):format(step, first, #fixed > 0 and ", d, e" or "")
  programs[key] = core.program {inputs = inputs, gathers = true, outputs = {}, order = "row",
    steps = {{name = step, expr = expr, dtype = "bool", args = args, arg_dtypes = arg_dtypes}}}
  return programs[key]
end

local WEIGHED = {{dtype = "uint32", address = true}, {dtype = "int64", scalar = true}}

local total

local function total_program()
  total = total or core.program {
    inputs = {{dtype = "int64"}, {dtype = "int64"}, {dtype = "uint32"}, {dtype = "int64", scalar = true}},
    gathers = true, output = "float64",
    steps = {{name = "total_weight", expr = "total_weight(a, b, c, d)", dtype = "float64", args = {1, 2, 3, 4},
      arg_dtypes = {"int64", "int64", "uint32", "int64"}}},
  }
  return total
end

--- How many bits of a value a word of a sum of `size` values has.
local function bits_for(size)
  local _, log2 = math.frexp(math.max(size, 1))
  return math.min(ROOM - log2, MOST_BITS)
end

--- Sums of real weights.
local function sums(bins, first, weights, count, name)
  local device, bits = bins.device, bits_for(bins.size)
  local exponents = core.fill(core.empty({math.max(count, 1)}, "uint32", device, name), 0, name)
  local at = core.view(exponents, {}, {}, 0)
  if bins.size > 0 and count > 0 then
    local target = core.view(exponents, {bins.size}, {0}, 0)
    core.map(drawn("raised", "uint32", bins.dtype, first, weights.dtype, {}), name, {bins.size}, {}, target, bins,
      weights)
  end
  local program = drawn("weighed", "int64", bins.dtype, first, weights.dtype, WEIGHED)
  local words = bin_counts.tally(program, 2 * count, "int64", {bins, weights}, {at, bits}, name)
  return core.map(total_program(), name, {count}, nil, core.view(words, {count}, {2}, 0),
    core.view(words, {count}, {2}, count > 0 and 1 or 0), core.view(exponents, {count}, {1}, 0), bits)
end

--- Sums of weights by bins.
---@param bins cuna.Array 1-d: which bin each weight belongs to
---@param first integer the number of the first bin; what is below belongs to none
---@param weights cuna.Array of the length of bins
---@param dtype string float64 or complex128
---@param count integer of bins
---@return cuna.Array 1-d
function M.sum(bins, first, weights, dtype, count, name)
  if dtype == "float64" then return sums(bins, first, weights, count, name) end
  local out = core.empty({count}, dtype, bins.device, name)
  if weights.dtype:sub(1, 7) ~= "complex" then weights = core.cast(weights, dtype, name) end
  core.copy(out.real, sums(bins, first, weights.real, count, name), name)
  core.copy(out.imag, sums(bins, first, weights.imag, count, name), name)
  return out
end

return M
