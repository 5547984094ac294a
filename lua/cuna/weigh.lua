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

-- The endings (bin_counts.lua) of both passes.
local RAISED = {into = "uint32", name = "raised", expr = "raised(a, b, c)", value = "float64", nbytes = 4}
local WEIGHED = {into = "int64", name = "weighed", expr = "weighed(a, b, c, d, e)", value = "float64", nbytes = 16,
  fixed = {{dtype = "uint32", kind = "head"}, {dtype = "int64", kind = "scalar"}}}

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

--- Whether sums are float sums whose order would vary.
function M.needed(dtype, device) return dtype ~= "int64" and core.lanes(device) > 1 end

--- Sums of real weights.
local function sums(made, elements, weights, fixed, count, name)
  local device, bits = weights.device, bits_for(weights.size)
  local exponents = core.fill(core.empty({math.max(count, 1)}, "uint32", device, name), 0, name)
  local words = core.fill(core.empty({2 * count}, "int64", device, name), 0, name)
  local walked, beside = {unpack(elements)}, {unpack(fixed)}
  walked[#walked + 1] = weights
  bin_counts.add(made(RAISED, weights.dtype), exponents, count, walked, fixed, name)
  beside[#beside + 1], beside[#beside + 2] = exponents, bits
  bin_counts.add(made(WEIGHED, weights.dtype), words, count, walked, beside, name)
  return core.map(program.get("total", draw_total), name, {count}, nil, core.view(words, {count}, {2}, 0),
    core.view(words, {count}, {2}, count > 0 and 1 or 0), core.view(exponents, {count}, {1}, 0), bits)
end

--- Sums of weights by bins.
---@param made fun(ending: cuna.Ending, weight: string): userdata a program over elements, weights and fixed operands
---@param elements cuna.Array[] 1-d, of one length
---@param weights cuna.Array of their length
---@param fixed table operands
---@param dtype string float64 or complex128
---@param count integer of bins
---@return cuna.Array 1-d
function M.sum(made, elements, weights, fixed, dtype, count, name)
  if dtype == "float64" then return sums(made, elements, weights, fixed, count, name) end
  local out = core.empty({count}, dtype, weights.device, name)
  core.copy(out.real, sums(made, elements, weights.real, fixed, count, name), name)
  core.copy(out.imag, sums(made, elements, weights.imag, fixed, count, name), name)
  return out
end

return M
