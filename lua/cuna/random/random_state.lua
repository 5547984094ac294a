--- random_state.lua: cn.random.RandomState: cuRAND's sequences by their names, with NumPy's older functions.
--
-- A sequence makes one-dimensional arrays of words, of numbers of (0, 1] and of normal numbers; the functions make what
-- is asked for of these, in one more pass where they need one. PHILOX is cuna's own kernel (kernels/random_legacy.cuh),
-- the others are cuRAND's, on the host for the cpu device. What it lacks comes from a generator of the same seed.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_info = require "cuna.base.dtype_info"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local generators = require "cuna.random.generator"
local program = require "cuna.base.program"
local seeds = require "cuna.random.seed"
local suggest = require "cuna.base.suggest"
local vectors = require "cuna.random.multivariate_normal"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local uint64 = ffi.typeof "uint64_t"

--- A sequence of one of cuRAND's methods, from cn.random.RandomState.
---@class cuna.RandomState
local methods = {}
M.methods = methods
local STATE = {} -- the key of what a state holds

-- Methods: whether the sequence is quasi-random, bits of its words, whether it can begin in the middle.
local METHODS = {
  PHILOX = {bits = 32, skips = true}, XORWOW = {bits = 32, skips = true},
  MRG32K3A = {bits = 32, skips = true}, MTGP32 = {bits = 32}, MT19937 = {bits = 32},
  SOBOL32 = {bits = 32, is_quasi = true, skips = true}, SCRAMBLED_SOBOL32 = {bits = 32, is_quasi = true, skips = true},
  SOBOL64 = {bits = 64, is_quasi = true, skips = true}, SCRAMBLED_SOBOL64 = {bits = 64, is_quasi = true, skips = true},
}

--- Refuses to begin behind numbers that a method cannot leave out.
local function check_skip(method, offset)
  if offset ~= 0ULL and not METHODS[method].skips then
    fail("RandomState: %s cannot begin behind %s numbers", method, (tostring(offset):gsub("ULL", "")))
  end
end

-- ---- sequences: fill(state, kind, out) ----

-- What the program of a kind makes: its expression of place and seed.
local OWN = {
  bits = "random::legacy::bits(a + b, c)", uniform = "random::legacy::uniform(a + b, c, value_of<D>::type())",
  normal = "random::legacy::normal(a + b, c, value_of<D>::type())",
}

local function draw_own(spelled, kind, dtype)
  spelled:input("uint64", "scalar")
  spelled:input("uint64", "scalar")
  spelled:step("RandomState", OWN[kind], dtype, {spelled:position(), 1, 2}, {"uint64", "uint64", "uint64"})
  spelled.output = dtype
end

--- cuna's own numbers of the method PHILOX. Normal ones come in pairs.
local function fill_own(state, kind, out)
  if kind == "normal" then state.offset = state.offset + state.offset % 2ULL end
  local made = program.get(("RandomState %s %s"):format(kind, out.dtype), draw_own, kind, out.dtype)
  return core.map(made, "RandomState", nil, out, state.offset, state.seed)
end

--- cuRAND's. A generator belongs to a device, and is made for the place where the sequence has come to.
local function fill_curand(state, kind, out)
  local device = out.device
  local known = state.generators[device]
  if not known or known.at ~= state.offset then
    check_skip(state.method, state.offset)
    known = {object = core.curand_create(device, state.method, state.dimensions)}
    core.curand_seed(known.object, state.seed, state.offset)
    state.generators[device] = known
  end
  core.curand_fill(known.object, kind, out)
  known.at = state.offset + uint64(out.size / state.dimensions)
  return out
end

-- How methods make numbers.
local FILL = setmetatable({PHILOX = fill_own}, {__index = function() return fill_curand end})

--- `count` new numbers of a kind, 1-d; what they take of the sequence is used up.
local function next_numbers(state, kind, dtype, count)
  local pair = kind == "normal" and not METHODS[state.method].is_quasi
  local whole = pair and count + count % 2 or count
  if whole % state.dimensions ~= 0 then
    fail("RandomState: %d numbers are not whole points of %d dimensions", count, state.dimensions)
  end
  local out = core.empty({whole}, dtype, core.current_device(), "RandomState")
  FILL[state.method](state, kind, out)
  state.offset = state.offset + uint64(whole / state.dimensions)
  return whole == count and out or core.view(out, {count}, {1}, 0)
end

-- ---- objects ----

local meta = {__metatable = "cuna RandomState"}

local function state_of(object, name)
  local state = type(object) == "table" and rawget(object, STATE)
  if state then return state end
  fail("%s: expected a RandomState, got %s; a method is called with a colon, rs:%s()", name, check.show(object), name)
end

--- A function of generators, for the generator of a RandomState.
local function delegated(name)
  local method = generators.methods[name]
  return method and function(object, ...) return method(state_of(object, name).generator, ...) end
end

function meta.__index(_, name)
  local method = methods[name] or delegated(name)
  if method then return method end
  fail("a RandomState has no method '%s'%s", tostring(name), suggest.hint(name, methods, generators.methods))
end

function meta.__newindex(_, name) fail("a RandomState has no field '%s' to set", tostring(name)) end
function meta.__tostring(object) return ("RandomState(%s)"):format(state_of(object, "tostring").method) end

--- Restarts a sequence.
local function begin(state, seed, name)
  state.seed, state.offset = seeds.word(seed, name), uint64(0)
  state.generator = generators.new(state.seed, name)
  state.generators = setmetatable({}, {__mode = "k"}) -- by device
end

local read_state = args.reader("random.RandomState", {"seed", "method", "dimensions"}, 1)

--- A sequence of random numbers of one of cuRAND's methods: "PHILOX" (default; cuna's kernels, with cuRAND's words and
--- numbers in (0, 1] bit for bit, on every device), "XORWOW", "MRG32K3A", "MTGP32", "MT19937", and the quasi-random
--- "SOBOL32", "SCRAMBLED_SOBOL32", "SOBOL64", "SCRAMBLED_SOBOL64", for which cuRAND must be installed; the cpu device
--- uses its host generators. Other functions (gamma, choice, shuffle, ...) are those of a generator with the same seed.
--- Use cn.random.default_rng in new programs. Follows cupy.random.RandomState, whose default is XORWOW.
---@param seed integer|ffi.cdata*|nil from 0 to 2^64 - 1, default: what the system gives; quasi-random numbers have none
---@param method string|nil
---@param dimensions integer|nil of a quasi-random sequence's points: coordinates come one behind the other; default 1
---@return cuna.RandomState
---@usage cn.random.RandomState(1) --> RandomState(PHILOX)
function F.RandomState(...)
  local seed, method, dimensions = read_state(...)
  method = method == nil and "PHILOX" or method
  local row = METHODS[method]
  if not row then
    local near = type(method) == "string" and suggest.find(method:upper(), METHODS)
    fail("random.RandomState: there is no method %s; %s", check.show(method), near and ("did you mean %q?"):format(near)
      or "there are " .. args.names(METHODS))
  end
  dimensions = check.count(dimensions == nil and 1 or dimensions, "random.RandomState", "dimensions")
  if dimensions ~= 1 and not row.is_quasi or dimensions < 1 then
    fail("random.RandomState: dimensions is %d, and the numbers of %s have 1", dimensions, method)
  end
  local state = {method = method, dimensions = dimensions}
  begin(state, seed, "random.RandomState")
  return setmetatable({[STATE] = state}, meta)
end

local read_seed = args.reader("seed", {"state", "seed"}, 2)

--- Restarts with another seed. Follows cupy.random.RandomState.seed.
---@param seed integer|ffi.cdata*|nil
---@usage (function(rs) rs:seed(2) return rs:rand():item() end)(cn.random.RandomState(1)) --> 0.49727991789492
function methods.seed(...)
  local object, seed = read_seed(...)
  begin(state_of(object, "seed"), seed, "seed")
end

--- The state, for set_state. Follows numpy.random.RandomState.get_state.
---@return table {method =, seed =, offset = how many numbers were made, dimensions =, generator = another state}
---@usage cn.random.RandomState(1):get_state().offset --> 0ULL
function methods.get_state(object)
  local state = state_of(object, "get_state")
  return {method = state.method, seed = state.seed, offset = state.offset, dimensions = state.dimensions,
    generator = state.generator:get_state()}
end

local read_set_state = args.reader("set_state", {"state", "kept"}, 2, true)

--- Restores a state that get_state returned. MTGP32 and MT19937 cannot start in the middle of a sequence. Follows
--- numpy.random.RandomState.set_state.
---@param kept table
---@return cuna.RandomState the same
---@usage cn.random.RandomState(1):set_state(cn.random.RandomState(2):get_state()) --> RandomState(PHILOX)
function methods.set_state(...)
  local object, kept = read_set_state(...)
  local state = state_of(object, "set_state")
  if type(kept) ~= "table" or kept.method ~= state.method or kept.dimensions ~= state.dimensions then
    fail("set_state: expected what get_state of a RandomState with method %s answers, got %s", state.method,
      type(kept) == "table" and kept.method and "one of " .. tostring(kept.method) or check.show(kept))
  end
  check_skip(state.method, kept.offset)
  begin(state, kept.seed, "set_state")
  state.offset = kept.offset
  state.generator:set_state(kept.generator)
  return object
end

-- ---- what all functions take ----

local function lengths_of(size, name) return size == nil and {} or check.lengths(size, name, "size") end

local function count_of(shape)
  local count = 1
  for _, length in ipairs(shape) do count = count * length end
  return count
end

local function float_of(dtype, name)
  dtype = check.dtype(dtype, name) or dtype_rules.default_dtype()
  if dtype ~= "float32" and dtype ~= "float64" then fail("%s: dtype is float32 or float64, got %s", name, dtype) end
  return dtype
end

--- Numbers of a kind in a shape.
local function numbers(object, name, kind, shape, dtype)
  local made = next_numbers(state_of(object, name), kind, dtype, count_of(shape))
  return core.reshape(made, shape, name)
end

--- Numbers in [0, 1): cuRAND's numbers are in (0, 1], and 1 becomes 0, as in CuPy.
local function draw_below_one(spelled, dtype)
  spelled:step("below_one", "a == 1 ? T(0) : a", dtype, {spelled:input(dtype)})
  spelled.output = dtype
end
local function below_one(object, name, shape, dtype)
  local made = numbers(object, name, "uniform", shape, dtype)
  return core.map(program.get("below_one " .. dtype, draw_below_one, dtype), name, nil, made, made)
end

--- A parameter: a number or an array.
local function parameter(value, default, name, what)
  value = value == nil and default or value
  if type(value) == "table" or core.is_array(value) then return check.array(value, name) end
  return check.real(value, name, what)
end

--- The shape of a result, from size or what parameters broadcast to.
local function shape_of(size, name, ...)
  if size ~= nil then return lengths_of(size, name) end
  local shape = {}
  for k = 1, select("#", ...) do
    local value = select(k, ...)
    if core.is_array(value) then shape = check.broadcast(shape, value.shape) or shape end
  end
  return shape
end

-- ---- of intervals ----

--- A function of lengths, one by one or in a table, with a dtype.
local function by_lengths(name, fn)
  return function(object, ...)
    local values, count, options = args.split(name, {dtype = true}, ...)
    if count == 1 and type(values[1]) == "table" then values = values[1] end
    state_of(object, name)
    return fn(object, name, check.lengths(values, name, "a length"), float_of(options.dtype, name))
  end
end

--- Uniform random numbers in [0, 1) with a shape. Follows numpy.random.RandomState.rand.
---@param ... integer lengths of the axes; last, options: dtype
---@return cuna.Array
---@usage cn.random.RandomState(1):rand(2, 3).shape --> (2, 3)
methods.rand = by_lengths("rand", below_one)

--- Standard normal numbers with a shape. Follows numpy.random.RandomState.randn.
---@param ... integer lengths of the axes; last, options: dtype
---@return cuna.Array
---@usage cn.random.RandomState(1):randn(2, 3).shape --> (2, 3)
methods.randn = by_lengths("randn", function(object, name, shape, dtype)
  return numbers(object, name, "normal", shape, dtype)
end)

local function sampler(name)
  local read = args.reader(name, {"state", "size", "dtype"}, 1)
  return function(...)
    local object, size, dtype = read(...)
    state_of(object, name)
    return below_one(object, name, lengths_of(size, name), float_of(dtype, name))
  end
end

--- Uniform random numbers in [0, 1). Follows numpy.random.RandomState.random_sample.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):random_sample({2, 3}).shape --> (2, 3)
methods.random_sample = sampler "random_sample"
methods.random = sampler "random"
methods.ranf = sampler "ranf"
methods.sample = sampler "sample"

local read_uniform = args.reader("uniform", {"state", "low", "high", "size", "dtype"}, 1)

--- Uniform random numbers in [low, high). Follows numpy.random.RandomState.uniform.
---@param low number|cuna.Array|nil default 0
---@param high number|cuna.Array|nil default 1
---@param size cuna.Shape|nil default: what low and high broadcast to
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):uniform(-1, 1, 3).shape --> (3,)
function methods.uniform(...)
  local object, low, high, size, dtype = read_uniform(...)
  low, high = parameter(low, 0, "uniform", "low"), parameter(high, 1, "uniform", "high")
  local made = below_one(object, "uniform", shape_of(size, "uniform", low, high), float_of(dtype, "uniform"))
  return elementwise.functions.add(elementwise.functions.multiply(made, high - low), low, {dtype = made.dtype})
end

-- ---- whole numbers ----

--- Whole numbers low + [0, most] of 64 bits each: one word or two. Words of a quasi-random sequence stay alone.
local BITS = {[64] = "a", [32] = "a | b << 32", quasi = "a << 32"}
local function draw_scaled(spelled, dtype, form, words)
  local word, second = spelled:input(words), spelled:input(words)
  local low, most = spelled:input("uint64", "scalar"), spelled:input("uint64", "scalar")
  spelled:step("randint", ("random::legacy::scaled(%s, c, d)"):format(BITS[form]), "uint64", {word, second, low, most})
  spelled.output = dtype
end

--- Whole numbers from low to most (uint64_t, two's complement) of a dtype.
local function whole_numbers(object, name, low, most, shape, dtype)
  local state, count = state_of(object, name), count_of(shape)
  local row = METHODS[state.method]
  local form = row.bits == 32 and row.is_quasi and "quasi" or row.bits
  local words = next_numbers(state, "bits", "uint" .. row.bits, form == 32 and 2 * count or count)
  local first = core.view(words, {count}, {1}, 0)
  local second = form == 32 and core.view(words, {count}, {1}, count) or first
  local made = program.get(("randint %s %s"):format(dtype, form), draw_scaled, dtype, form, words.dtype)
  return core.reshape(core.map(made, name, nil, nil, first, second, low, most), shape, name)
end

local function bounds(low, high, dtype, name)
  local facts = dtype == "bool" and {min = 0, max = 1} or dtype_info.functions.iinfo(dtype)
  if high == nil then low, high = 0, low end
  for _, value in ipairs {low or false, high or false} do check.integer(value, name, "a bound") end
  if low >= high then
    fail("%s: low is %s, and high %s: there is nothing between", name, tostring(low), tostring(high))
  end
  if low < facts.min or high - 1 > facts.max then
    fail("%s: [%s, %s) does not fit in %s", name, tostring(low), tostring(high), dtype)
  end
  return ffi.cast("uint64_t", ffi.cast("int64_t", low)), uint64(high - 1 - low)
end

local read_randint = args.reader("randint", {"state", "low", "high", "size", "dtype"}, 2)

--- Random integers in [low, high), or in [0, low) without high, from 64 random bits each, so that probabilities differ
--- by at most range / 2^64. Follows numpy.random.RandomState.randint.
---@param low integer
---@param high integer|nil
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil default int64
---@return cuna.Array
---@usage cn.random.RandomState(1):randint(1, 7, 100):max():item() --> 6
function methods.randint(...)
  local object, low, high, size, dtype = read_randint(...)
  state_of(object, "randint")
  dtype = check.dtype(dtype, "randint") or "int64"
  if not (dtype == "bool" or dtype:find "int") then fail("randint: dtype is of whole numbers, got %s", dtype) end
  local first, most = bounds(low, high, dtype, "randint")
  return whole_numbers(object, "randint", first, most, lengths_of(size, "randint"), dtype)
end

local read_random_integers = args.reader("random_integers", {"state", "low", "high", "size"}, 2)

--- Random integers from low to high, or from 1 to low without high, both ends included. Follows
--- numpy.random.RandomState.random_integers.
---@param low integer
---@param high integer|nil
---@param size cuna.Shape|nil default: one number
---@return cuna.Array int64
---@usage cn.random.RandomState(1):random_integers(6, {size = 100}):min():item() --> 1
function methods.random_integers(...)
  local object, low, high, size = read_random_integers(...)
  state_of(object, "random_integers")
  if high == nil then low, high = 1, low end
  return methods.randint(object, low, check.integer(high, "random_integers", "high") + 1, size)
end

local read_tomaxint = args.reader("tomaxint", {"state", "size"}, 1)

--- Random integers from 0 to 2^63 - 1. Follows numpy.random.RandomState.tomaxint.
---@param size cuna.Shape|nil default: one number
---@return cuna.Array int64
---@usage cn.random.RandomState(1):tomaxint(3):min():item() >= 0 --> true
function methods.tomaxint(...)
  local object, size = read_tomaxint(...)
  return whole_numbers(object, "tomaxint", 0ULL, 0x7fffffffffffffffULL, lengths_of(size, "tomaxint"), "int64")
end

-- ---- normal distributions ----

--- Numbers made of standard ones by fn(numbers, parameters...).
local function transformed(name, kind, first, second, fn)
  local read = args.reader(name, {"state", first[1], second[1], "size", "dtype"}, 1)
  return function(...)
    local object, a, b, size, dtype = read(...)
    a, b = parameter(a, first[2], name, first[1]), parameter(b, second[2], name, second[1])
    local made = numbers(object, name, kind, shape_of(size, name, a, b), float_of(dtype, name))
    return fn(made, a, b)
  end
end

local function moved(made, loc, scale)
  return elementwise.functions.add(elementwise.functions.multiply(made, scale), loc, {dtype = made.dtype})
end

local LOC, SCALE = {"loc", 0}, {"scale", 1}

--- Normal numbers. Follows numpy.random.RandomState.normal.
---@param loc number|cuna.Array|nil the mean, default 0
---@param scale number|cuna.Array|nil the standard deviation, default 1
---@param size cuna.Shape|nil default: what loc and scale broadcast to
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):normal(10, 2, 3).shape --> (3,)
methods.normal = transformed("normal", "normal", LOC, SCALE, moved)

--- Numbers whose logarithms are normal. Follows numpy.random.RandomState.lognormal.
---@param mean number|cuna.Array|nil of the logarithms, default 0
---@param sigma number|cuna.Array|nil their standard deviation, default 1
---@param size cuna.Shape|nil default: what mean and sigma broadcast to
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):lognormal(0, 1, 3).shape --> (3,)
methods.lognormal = transformed("lognormal", "normal", {"mean", 0}, {"sigma", 1}, function(made, mean, sigma)
  return elementwise.functions.exp(moved(made, mean, sigma))
end)

local read_standard_normal = args.reader("standard_normal", {"state", "size", "dtype"}, 1)

--- Normal numbers with mean 0 and standard deviation 1. Follows numpy.random.RandomState.standard_normal.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):standard_normal(3).shape --> (3,)
function methods.standard_normal(...)
  local object, size, dtype = read_standard_normal(...)
  return numbers(object, "standard_normal", "normal", lengths_of(size, "standard_normal"),
    float_of(dtype, "standard_normal"))
end

local read_vectors = args.reader("multivariate_normal",
  {"state", "mean", "cov", "size", "check_valid", "tol", "method", "dtype"}, 3)

--- Normal vectors, as of a generator's multivariate_normal, from this sequence's numbers. Follows
--- cupy.random.RandomState.multivariate_normal, but an invalid covariance is an error.
---@param mean number[]|cuna.Array shape (n,)
---@param cov number[][]|cuna.Array shape (n, n)
---@param size cuna.Shape|nil of the draws, default: one vector
---@param check_valid string|nil "raise" (default) or "ignore"
---@param tol number|nil
---@param method string|nil "cholesky" (default), "eigh" or "svd"
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array whose last axis is mean's
---@usage cn.random.RandomState(1):multivariate_normal({0, 1}, {{1, 0}, {0, 1}}, 3).shape --> (3, 2)
function methods.multivariate_normal(...)
  local object, mean, cov, size, check_valid, tol, method, dtype = read_vectors(...)
  state_of(object, vectors.NAME)
  local function normal(shape, computed) return numbers(object, vectors.NAME, "normal", shape, computed) end
  return vectors.draw(normal, {mean = mean, cov = cov, check_valid = check_valid, tol = tol, method = method}, size,
    float_of(dtype, vectors.NAME))
end

local read_exponential = args.reader("exponential", {"state", "scale", "size", "dtype"}, 1)

--- Numbers of the exponential distribution: minus the logarithm of cuRAND's numbers. Follows
--- numpy.random.RandomState.exponential.
---@param scale number|cuna.Array|nil the mean, default 1
---@param size cuna.Shape|nil default: scale's shape
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):exponential(2, 3).shape --> (3,)
function methods.exponential(...)
  local object, scale, size, dtype = read_exponential(...)
  scale = parameter(scale, 1, "exponential", "scale")
  local made = numbers(object, "exponential", "uniform", shape_of(size, "exponential", scale),
    float_of(dtype, "exponential"))
  return elementwise.functions.multiply(elementwise.functions.log(made), -scale, {dtype = made.dtype})
end

local read_standard_exponential = args.reader("standard_exponential", {"state", "size", "dtype"}, 1)

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.RandomState.standard_exponential.
---@param size cuna.Shape|nil default: one number
---@param dtype string|nil float32 or float64, default: the default float
---@return cuna.Array
---@usage cn.random.RandomState(1):standard_exponential(3).shape --> (3,)
function methods.standard_exponential(...)
  local object, size, dtype = read_standard_exponential(...)
  state_of(object, "standard_exponential")
  return methods.exponential(object, 1, size, dtype)
end

return M
