--- random/init.lua: cn.random: generators, and functions that draw from a shared one.
--
-- The shared one is made when it is first asked for: of the seed in CUNA_RANDOM_SEED, else of the system's. Methods of
-- generators are functions here, too, but those that NumPy's legacy functions do not have.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local generators = require "cuna.random.generator"
local integers = require "cuna.random.integers"
local namespace = require "cuna.base.namespace"
local random_state = require "cuna.random.random_state"
local seeds = require "cuna.random.seed"

require "cuna.random.permutation"
require "cuna.random.distribution_counts"
require "cuna.random.distribution_shapes"
require "cuna.random.distribution_vectors"
require "cuna.random.distributions"
require "cuna.random.multivariate_normal"

local M = {}

local F = namespace.make("random", nil, {Generator = "default_rng", RandomState = "default_rng", standard = "random"})
M.namespace = F

local methods = generators.methods
local shared

local function shared_generator()
  shared = shared or generators.new(seeds.first(), "random")
  return shared
end
M.shared = shared_generator

--- The generator of random numbers that an argument (default: random_state) names: itself, of a seed, or that of
--- cn.random.
function M.named(value, name, argument)
  if value == nil then return shared_generator() end
  if generators.is_generator(value) then return value end
  if type(value) == "number" or type(value) == "cdata" then return generators.new(value, name) end
  check.fail("%s: %s is a generator or a seed, got %s", name, argument or "random_state", check.show(value))
end

-- ---- what generators have, too ----

local ONLY_METHODS = {integers = true, jumped = true, permuted = true, spawn = true}

for name, method in pairs(methods) do
  if not ONLY_METHODS[name] then
    local title = "random." .. name
    F[name] = function(...)
      if type((...)) == "table" then args.check_dot(title, (...)) end
      return method(shared or shared_generator(), ...)
    end
  end
end

-- ---- generators ----

local read_default = args.reader("random.default_rng", {"seed"}, 1)

--- A generator of random numbers by Philox4x32-10: a number is a function of the seed, the count of earlier draws and
--- its place in the result. So a seed gives the same numbers, bit for bit, on every device and in any layout. Numbers
--- are drawn on the current device, or that of parameters or `out`. A captured graph repeats the numbers drawn during
--- the capture. Follows numpy.random.default_rng, with different numbers.
---@param seed integer|ffi.cdata*|integer[]|cuna.Generator|nil whole numbers from 0 to 2^64 - 1; a Generator is returned
--- unchanged; default: random numbers of the system
---@return cuna.Generator
---@usage cn.random.default_rng(42) --> Generator(Philox4x32)
---@usage cn.random.default_rng(42):random(2) == cn.random.default_rng(42):random(2) --> true
function F.default_rng(...)
  local seed = read_default(...)
  if generators.is_generator(seed) then return seed end
  return generators.new(seed, "random.default_rng")
end

local read_seed = args.reader("random.seed", {"seed"}, 1)

--- Seeds the shared generator that the functions of `cn.random` use, as `cn.random.default_rng(seed)` would. Without a
--- seed it uses random numbers of the system. Follows numpy.random.seed.
---@param seed integer|ffi.cdata*|integer[]|nil
---@return cuna.Generator the one that these functions share
---@usage cn.random.seed(42) --> Generator(Philox4x32)
---@usage cn.random.seed(42):random(2) == cn.random.default_rng(42):random(2) --> true
function F.seed(...)
  local seed = read_seed(...)
  generators.reseed(shared_generator(), seed, "random.seed")
  return shared
end

-- ---- NumPy's short names ----

local OPTIONS = {dtype = true}

local function are_counts(lengths, count)
  for axis = 1, count do
    local length = lengths[axis]
    if type(length) ~= "number" or length < 0 or length > 2 ^ 53 or length % 1 ~= 0 then return false end
  end
  return true
end

--- A function that takes the lengths of a shape as arguments.
local function of_lengths(name, method)
  return function(...)
    local shape = {...}
    if are_counts(shape, select("#", ...)) then return method(shared_generator(), shape) end
    local lengths, count, options = args.split("random." .. name, OPTIONS, ...)
    if type(lengths[1]) == "table" and count == 1 then
      local numbers = check.one_by_one(lengths[1])
      check.fail("random.%s: a length is a count, got a table%s", name,
        numbers and ("; write cn.random.%s(%s)"):format(name, numbers) or "")
    end
    for axis = 1, count do lengths[axis] = check.count(lengths[axis], "random." .. name, "a length") end
    return method(shared_generator(), {unpack(lengths, 1, count)}, options.dtype)
  end
end

--- Uniform random numbers in [0, 1), as an array of the given shape. Follows numpy.random.rand.
---@param ... integer lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
---@usage cn.random.rand(2, 3).shape, cn.random.rand(2, {dtype = "float32"}).dtype --> (2, 3), float32
F.rand = of_lengths("rand", methods.random)

--- Standard normal random numbers, as an array of the given shape. Follows numpy.random.randn.
---@param ... integer lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
---@usage cn.random.randn(2, 3).shape --> (2, 3)
F.randn = of_lengths("randn", methods.standard_normal)

local read_randint = args.reader("random.randint", {"low", "high", "size", "dtype"})

local randint = integers.fronted("randint", function(own, ...)
  local low, high, size, dtype = read_randint(...)
  return integers.draw(own, "randint", low, high, size, dtype, false)
end)

--- Random integers in [low, high), or in [0, low) without high. Follows numpy.random.randint.
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil default: what low and high broadcast to
---@param dtype string|nil an integer dtype or bool, default int64
---@return cuna.Array
---@usage cn.random.randint(5, {size = 100}):max():item() < 5 --> true
function F.randint(...) return randint(shared_generator(), ...) end

--- Uniform random numbers in [0, 1), like cn.random.random. Follows numpy.random.random_sample.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil a float dtype, default: the default float
---@return cuna.Array
---@usage cn.random.random_sample({2, 3}).shape --> (2, 3)
F.random_sample, F.ranf, F.sample = F.random, F.random, F.random
for name, value in pairs(random_state.functions) do F[name] = value end

return M
