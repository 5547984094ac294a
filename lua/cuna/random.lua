--- random.lua: cn.random: generators, and functions of one that all share.
local args = require "cuna.args"
local generators = require "cuna.generator"
local namespace = require "cuna.namespace"
local random_state = require "cuna.random_state"

require "cuna.distributions"
require "cuna.integers"
require "cuna.choice"

local M = {}

local F = namespace.make("random", nil, {Generator = "default_rng"})
M.namespace = F

local read_default = args.reader("random.default_rng", {"seed"}, 1)

--- A generator of random numbers: Philox4x32-10, a function of the seed, how many draws were made before and the place of
--- an element. So a seed gives the same numbers, bit for bit, on every device, in any layout. Numbers are drawn on the
--- current device, or that of parameters or `out`; a captured graph repeats those that were drawn while it was captured.
--- Follows numpy.random.default_rng, whose numbers are others.
---@param seed integer|ffi.cdata*|integer[]|cuna.Generator|nil whole numbers from 0 to 2^64 - 1; a generator is answered as
--- it is; default: what the system gives
---@return cuna.Generator
---@usage cn.random.default_rng(42) --> Generator(Philox4x32)
function F.default_rng(...)
  local seed = read_default(...)
  if generators.is_generator(seed) then return seed end
  return generators.new(seed, "random.default_rng")
end

for name, value in pairs(random_state.functions) do F[name] = value end

return M
