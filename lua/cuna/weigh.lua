--- weigh.lua: sums of weights by bins where lanes add beside each other, with the same bits in every run.
--
-- The rounding errors of a float sum depend on its order, so integers are added instead (kernels/weigh.cuh). A first
-- pass finds the greatest exponent of each bin; a second pass adds the weights as multiples of a step that depends on
-- this exponent.
local bin_counts = require "cuna.bin_counts"
local core = require "cuna.core"
local program = require "cuna.base.program"

local M = {}

local ROOM = 62     -- bits of a sum
local MOST_BITS = 50 -- of a value in one word

local function draw_bins(draft, step, into, bins, first, weight, fixed)
  local values, dtypes = {draft:input(into, "address"), draft:input(bins), draft:input(weight)},
    {"int64", "int64", "float64"}
  for k, input in ipairs(fixed) do
    values[3 + k], dtypes[3 + k] = draft:input(input.dtype, input.kind), "int64"
  end
  draft.gathers, draft.outputs, draft.order = true, {}, "row"
  draft:step(step, ("%s(a, b - %d, c%s)"):format(step, first, #fixed > 0 and ", d, e" or ""), "bool", values, dtypes)
end

--- A program over bins, which are counted from `first`, and weights; `fixed` inputs come last.
local function drawn(step, into, bins, first, weight, fixed)
  local key = table.concat({step, bins, first, weight}, " ")
  return program.get(key, draw_bins, step, into, bins, first, weight, fixed)
end

local WEIGHED = {{dtype = "uint32", kind = "address"}, {dtype = "int64", kind = "scalar"}}

local function draw_total(draft)
  local values = {draft:input "int64", draft:input "int64", draft:input "uint32", draft:input("int64", "scalar")}
  draft.gathers, draft.output = true, "float64"
  draft:step("total_weight", "total_weight(a, b, c, d)", "float64", values, {"int64", "int64", "uint32", "int64"})
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
  local made = drawn("weighed", "int64", bins.dtype, first, weights.dtype, WEIGHED)
  local words = bin_counts.tally(made, 2 * count, "int64", {bins, weights}, {at, bits}, name)
  return core.map(program.get("total", draw_total), name, {count}, nil, core.view(words, {count}, {2}, 0),
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
