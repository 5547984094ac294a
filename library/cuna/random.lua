---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Random numbers.

---@class cuna.random
local random = {}

--- A generator of random numbers, from cn.random.default_rng.
---@class cuna.Generator
local Generator = {}

--- A sequence of one of cuRAND's methods, from cn.random.RandomState.
---@class cuna.RandomState
local RandomState = {}

--- A generator of random numbers by Philox4x32-10: a number is a function of the seed, the count of earlier draws and
--- its place in the result. So a seed gives the same numbers, bit for bit, on every device and in any layout. Numbers
--- are drawn on the current device, or that of parameters or `out`. A captured graph repeats the numbers drawn during
--- the capture. Follows numpy.random.default_rng, with different numbers.
---
--- ```lua
--- cn.random.default_rng(42) --> Generator(Philox4x32)
--- cn.random.default_rng(42):random(2) == cn.random.default_rng(42):random(2) --> true
--- ```
---@param seed integer|ffi.cdata*|integer[]|cuna.Generator|nil # whole numbers from 0 to 2^64 - 1; a Generator is returned unchanged; default: random numbers of the system
---@return cuna.Generator
function random.default_rng(seed) end

--- Seeds the shared generator that the functions of `cn.random` use, as `cn.random.default_rng(seed)` would. Without a
--- seed it uses random numbers of the system. Follows numpy.random.seed.
---
--- ```lua
--- cn.random.seed(42) --> Generator(Philox4x32)
--- cn.random.seed(42):random(2) == cn.random.default_rng(42):random(2) --> true
--- ```
---@param seed integer|ffi.cdata*|integer[]|nil
---@return cuna.Generator # the one that these functions share
function random.seed(seed) end

--- Uniform random numbers in [0, 1), as an array of the given shape. Follows numpy.random.rand.
---
--- ```lua
--- cn.random.rand(2, 3).shape, cn.random.rand(2, {dtype = "float32"}).dtype --> (2, 3), float32
--- ```
---@param ... integer # lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
function random.rand(...) end

--- Standard normal random numbers, as an array of the given shape. Follows numpy.random.randn.
---
--- ```lua
--- cn.random.randn(2, 3).shape --> (2, 3)
--- ```
---@param ... integer # lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
function random.randn(...) end

--- Random integers in [low, high), or in [0, low) without high. Follows numpy.random.randint.
---
--- ```lua
--- cn.random.randint(5, {size = 100}):max():item() < 5 --> true
--- ```
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype cuna.Dtype|nil # an integer dtype or bool, default int64
---@return cuna.Array
---@overload fun(low: integer|ffi.cdata*|cuna.Array, options: {high?: integer|ffi.cdata*|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function random.randint(low, high, size, dtype) end

--- Uniform random numbers in [0, 1), like cn.random.random. Follows numpy.random.random_sample.
---
--- ```lua
--- cn.random.random_sample({2, 3}).shape --> (2, 3)
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@return cuna.Array
---@overload fun(options: {size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function random.random_sample(size, dtype) end

random.ranf = random.random_sample

random.sample = random.random_sample

--- New generators whose draws are independent of this one's and of each other's. Each call returns different ones.
--- Follows numpy.random.Generator.spawn.
---
--- ```lua
--- #cn.random.default_rng(1):spawn(3) --> 3
--- ```
---@param count integer # at most a million
---@return cuna.Generator[]
function Generator:spawn(count) end

--- A new generator in the state of this one after `jumps` times 2^48 draws. Follows numpy.random.Philox.jumped.
---
--- ```lua
--- cn.random.default_rng(1):jumped():get_state().calls --> 281474976710656ULL
--- ```
---@param jumps integer|nil # default 1
---@return cuna.Generator
function Generator:jumped(jumps) end

--- The state of a generator, for a file or set_state: {bit_generator = its name, key = the hash of its seed, calls =
--- the count of draws; entropy, path, children: the state for spawn}. The integers are uint64_t, in lists.
---
--- ```lua
--- cn.random.default_rng(1):get_state().bit_generator --> Philox4x32
--- ```
---@return table
function Generator:get_state() end

--- The state of a generator, for a file or set_state: {bit_generator = its name, key = the hash of its seed, calls =
--- the count of draws; entropy, path, children: the state for spawn}. The integers are uint64_t, in lists.
---
--- ```lua
--- cn.random.default_rng(1):get_state().bit_generator --> Philox4x32
--- ```
---@return table
function random.get_state() end

--- Restores a state that get_state of this generator or another one returned.
---
--- ```lua
--- cn.random.default_rng(1):set_state(cn.random.default_rng(2):get_state()) --> Generator(Philox4x32)
--- ```
---@param state table
---@return cuna.Generator # the same
function Generator:set_state(state) end

--- Restores a state that get_state of this generator or another one returned.
---
--- ```lua
--- cn.random.default_rng(1):set_state(cn.random.default_rng(2):get_state()) --> Generator(Philox4x32)
--- ```
---@param state table
---@return cuna.Generator # the same
function random.set_state(state) end

--- Uniform random numbers in [0, 1), evenly spaced. Follows numpy.random.Generator.random.
---
--- ```lua
--- cn.random.default_rng(1):random(3) --> [0.7299931 0.08327684 0.63314053]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:random(size, dtype, out) end

--- Uniform random numbers in [0, 1), evenly spaced. Follows numpy.random.Generator.random.
---
--- ```lua
--- cn.random.default_rng(1):random(3) --> [0.7299931 0.08327684 0.63314053]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.random(size, dtype, out) end

--- Uniform random numbers in [low, high). Follows numpy.random.Generator.uniform.
---
--- ```lua
--- cn.random.default_rng(1):uniform(-1, 1, 3) --> [ 0.4599862 -0.83344632 0.26628105]
--- ```
---@param low number|cuna.Array|nil # default 0
---@param high number|cuna.Array|nil # default 1
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {low?: number|cuna.Array, high?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:uniform(low, high, size, dtype, out) end

--- Uniform random numbers in [low, high). Follows numpy.random.Generator.uniform.
---
--- ```lua
--- cn.random.default_rng(1):uniform(-1, 1, 3) --> [ 0.4599862 -0.83344632 0.26628105]
--- ```
---@param low number|cuna.Array|nil # default 0
---@param high number|cuna.Array|nil # default 1
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {low?: number|cuna.Array, high?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.uniform(low, high, size, dtype, out) end

--- Standard normal random numbers, with mean 0 and standard deviation 1, by Box and Muller's method. Follows
--- numpy.random.Generator.standard_normal.
---
--- ```lua
--- cn.random.default_rng(1):standard_normal(3) --> [-0.45650082 -2.15455712 -0.73788876]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:standard_normal(size, dtype, out) end

--- Standard normal random numbers, with mean 0 and standard deviation 1, by Box and Muller's method. Follows
--- numpy.random.Generator.standard_normal.
---
--- ```lua
--- cn.random.default_rng(1):standard_normal(3) --> [-0.45650082 -2.15455712 -0.73788876]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.standard_normal(size, dtype, out) end

--- Numbers of the normal distribution. Follows numpy.random.Generator.normal.
---
--- ```lua
--- cn.random.default_rng(1):normal(10, 2, 3) --> [9.08699837 5.69088576 8.52422249]
--- ```
---@param loc number|cuna.Array|nil # the mean, default 0
---@param scale number|cuna.Array|nil # the standard deviation, default 1
---@param size cuna.Shape|nil # default: what loc and scale broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:normal(loc, scale, size, dtype, out) end

--- Numbers of the normal distribution. Follows numpy.random.Generator.normal.
---
--- ```lua
--- cn.random.default_rng(1):normal(10, 2, 3) --> [9.08699837 5.69088576 8.52422249]
--- ```
---@param loc number|cuna.Array|nil # the mean, default 0
---@param scale number|cuna.Array|nil # the standard deviation, default 1
---@param size cuna.Shape|nil # default: what loc and scale broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.normal(loc, scale, size, dtype, out) end

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.Generator.standard_exponential.
---
--- ```lua
--- cn.random.default_rng(1):standard_exponential(3) --> [0.3147202 2.48558477 0.45706288]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:standard_exponential(size, dtype, out) end

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.Generator.standard_exponential.
---
--- ```lua
--- cn.random.default_rng(1):standard_exponential(3) --> [0.3147202 2.48558477 0.45706288]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.standard_exponential(size, dtype, out) end

--- Numbers of the exponential distribution. Follows numpy.random.Generator.exponential.
---
--- ```lua
--- cn.random.default_rng(1):exponential(5, 3) --> [ 1.57360098 12.42792386 2.2853144 ]
--- ```
---@param scale number|cuna.Array|nil # the mean, default 1
---@param size cuna.Shape|nil # default: scale's shape
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:exponential(scale, size, dtype, out) end

--- Numbers of the exponential distribution. Follows numpy.random.Generator.exponential.
---
--- ```lua
--- cn.random.default_rng(1):exponential(5, 3) --> [ 1.57360098 12.42792386 2.2853144 ]
--- ```
---@param scale number|cuna.Array|nil # the mean, default 1
---@param size cuna.Shape|nil # default: scale's shape
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.exponential(scale, size, dtype, out) end

--- Numbers of the gamma distribution with scale 1. Follows numpy.random.Generator.standard_gamma.
---
--- ```lua
--- cn.random.default_rng(1):standard_gamma(2, 3) --> [2.43916421 3.61714582 1.32466242]
--- ```
---@param shape number|cuna.Array # not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {shape?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:standard_gamma(shape, size, dtype, out) end

--- Numbers of the gamma distribution with scale 1. Follows numpy.random.Generator.standard_gamma.
---
--- ```lua
--- cn.random.default_rng(1):standard_gamma(2, 3) --> [2.43916421 3.61714582 1.32466242]
--- ```
---@param shape number|cuna.Array # not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {shape?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.standard_gamma(shape, size, dtype, out) end

--- Numbers of the gamma distribution, by Marsaglia and Tsang's method. Follows numpy.random.Generator.gamma.
---
--- ```lua
--- cn.random.default_rng(1):gamma(2, 10, 3) --> [24.39164209 36.17145818 13.24662417]
--- ```
---@param shape number|cuna.Array # not negative
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {shape?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:gamma(shape, scale, size, dtype, out) end

--- Numbers of the gamma distribution, by Marsaglia and Tsang's method. Follows numpy.random.Generator.gamma.
---
--- ```lua
--- cn.random.default_rng(1):gamma(2, 10, 3) --> [24.39164209 36.17145818 13.24662417]
--- ```
---@param shape number|cuna.Array # not negative
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {shape?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.gamma(shape, scale, size, dtype, out) end

--- Numbers of the beta distribution: one of two gamma numbers divided by their sum. Follows
--- numpy.random.Generator.beta.
---
--- ```lua
--- cn.random.default_rng(1):beta(2, 3, 3) --> [0.22804187 0.07349179 0.18922391]
--- ```
---@param a number|cuna.Array # above 0
---@param b number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {a?: number|cuna.Array, b?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:beta(a, b, size, dtype, out) end

--- Numbers of the beta distribution: one of two gamma numbers divided by their sum. Follows
--- numpy.random.Generator.beta.
---
--- ```lua
--- cn.random.default_rng(1):beta(2, 3, 3) --> [0.22804187 0.07349179 0.18922391]
--- ```
---@param a number|cuna.Array # above 0
---@param b number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {a?: number|cuna.Array, b?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.beta(a, b, size, dtype, out) end

--- Numbers of the chi-square distribution: sums of `df` squared normal numbers. Follows
--- numpy.random.Generator.chisquare.
---
--- ```lua
--- cn.random.default_rng(1):chisquare(2, 3) --> [2.38565089 4.20068629 0.91942583]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {df?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:chisquare(df, size, dtype, out) end

--- Numbers of the chi-square distribution: sums of `df` squared normal numbers. Follows
--- numpy.random.Generator.chisquare.
---
--- ```lua
--- cn.random.default_rng(1):chisquare(2, 3) --> [2.38565089 4.20068629 0.91942583]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {df?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.chisquare(df, size, dtype, out) end

--- Numbers of the noncentral chi-square distribution. Follows numpy.random.Generator.noncentral_chisquare.
---
--- ```lua
--- cn.random.default_rng(1):noncentral_chisquare(3, 20, 3) --> [18.82376258  5.97001313 16.53759045]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param nonc number|cuna.Array # noncentrality, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {df?: number|cuna.Array, nonc?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:noncentral_chisquare(df, nonc, size, dtype, out) end

--- Numbers of the noncentral chi-square distribution. Follows numpy.random.Generator.noncentral_chisquare.
---
--- ```lua
--- cn.random.default_rng(1):noncentral_chisquare(3, 20, 3) --> [18.82376258  5.97001313 16.53759045]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param nonc number|cuna.Array # noncentrality, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {df?: number|cuna.Array, nonc?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.noncentral_chisquare(df, nonc, size, dtype, out) end

--- Numbers of the F distribution: quotients of two chi-square numbers, each divided by its degrees of freedom. Follows
--- numpy.random.Generator.f.
---
--- ```lua
--- cn.random.default_rng(1):f(5, 10, 3) --> [0.50271192 0.16466463 0.40998222]
--- ```
---@param dfnum number|cuna.Array # above 0
---@param dfden number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {dfnum?: number|cuna.Array, dfden?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:f(dfnum, dfden, size, dtype, out) end

--- Numbers of the F distribution: quotients of two chi-square numbers, each divided by its degrees of freedom. Follows
--- numpy.random.Generator.f.
---
--- ```lua
--- cn.random.default_rng(1):f(5, 10, 3) --> [0.50271192 0.16466463 0.40998222]
--- ```
---@param dfnum number|cuna.Array # above 0
---@param dfden number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {dfnum?: number|cuna.Array, dfden?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.f(dfnum, dfden, size, dtype, out) end

--- Numbers of the noncentral F distribution. Follows numpy.random.Generator.noncentral_f.
---
--- ```lua
--- cn.random.default_rng(1):noncentral_f(5, 10, 2, 3) --> [0.81730782 0.63685447 3.133951  ]
--- ```
---@param dfnum number|cuna.Array # above 0
---@param dfden number|cuna.Array # above 0
---@param nonc number|cuna.Array # not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {dfnum?: number|cuna.Array, dfden?: number|cuna.Array, nonc?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:noncentral_f(dfnum, dfden, nonc, size, dtype, out) end

--- Numbers of the noncentral F distribution. Follows numpy.random.Generator.noncentral_f.
---
--- ```lua
--- cn.random.default_rng(1):noncentral_f(5, 10, 2, 3) --> [0.81730782 0.63685447 3.133951  ]
--- ```
---@param dfnum number|cuna.Array # above 0
---@param dfden number|cuna.Array # above 0
---@param nonc number|cuna.Array # not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {dfnum?: number|cuna.Array, dfden?: number|cuna.Array, nonc?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.noncentral_f(dfnum, dfden, nonc, size, dtype, out) end

--- Numbers of Student's t distribution. Follows numpy.random.Generator.standard_t.
---
--- ```lua
--- cn.random.default_rng(1):standard_t(10, 3) --> [-0.40950607 -2.56279636 -0.66766283]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {df?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:standard_t(df, size, dtype, out) end

--- Numbers of Student's t distribution. Follows numpy.random.Generator.standard_t.
---
--- ```lua
--- cn.random.default_rng(1):standard_t(10, 3) --> [-0.40950607 -2.56279636 -0.66766283]
--- ```
---@param df number|cuna.Array # degrees of freedom, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {df?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.standard_t(df, size, dtype, out) end

--- Numbers whose logarithms have the normal distribution. Follows numpy.random.Generator.lognormal.
---
--- ```lua
--- cn.random.default_rng(1):lognormal(0, 1, 3) --> [0.63349649 0.11595453 0.47812228]
--- ```
---@param mean number|cuna.Array|nil # of the logarithms, default 0
---@param sigma number|cuna.Array|nil # their standard deviation, not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {mean?: number|cuna.Array, sigma?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:lognormal(mean, sigma, size, dtype, out) end

--- Numbers whose logarithms have the normal distribution. Follows numpy.random.Generator.lognormal.
---
--- ```lua
--- cn.random.default_rng(1):lognormal(0, 1, 3) --> [0.63349649 0.11595453 0.47812228]
--- ```
---@param mean number|cuna.Array|nil # of the logarithms, default 0
---@param sigma number|cuna.Array|nil # their standard deviation, not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {mean?: number|cuna.Array, sigma?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.lognormal(mean, sigma, size, dtype, out) end

--- Numbers of the Wald (inverse Gaussian) distribution. Follows numpy.random.Generator.wald.
---
--- ```lua
--- cn.random.default_rng(1):wald(3, 2, 3) --> [1.59539853 0.8146265  2.1186594 ]
--- ```
---@param mean number|cuna.Array # above 0
---@param scale number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {mean?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:wald(mean, scale, size, dtype, out) end

--- Numbers of the Wald (inverse Gaussian) distribution. Follows numpy.random.Generator.wald.
---
--- ```lua
--- cn.random.default_rng(1):wald(3, 2, 3) --> [1.59539853 0.8146265  2.1186594 ]
--- ```
---@param mean number|cuna.Array # above 0
---@param scale number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {mean?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.wald(mean, scale, size, dtype, out) end

--- Numbers of the Laplace (double exponential) distribution. Follows numpy.random.Generator.laplace.
---
--- ```lua
--- cn.random.default_rng(1):laplace(0, 1, 3) --> [ 0.77655879 -1.79243759  1.32320294]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:laplace(loc, scale, size, dtype, out) end

--- Numbers of the Laplace (double exponential) distribution. Follows numpy.random.Generator.laplace.
---
--- ```lua
--- cn.random.default_rng(1):laplace(0, 1, 3) --> [ 0.77655879 -1.79243759  1.32320294]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.laplace(loc, scale, size, dtype, out) end

--- Numbers of the logistic distribution. Follows numpy.random.Generator.logistic.
---
--- ```lua
--- cn.random.default_rng(1):logistic(0, 1, 3) --> [ 1.20835016 -2.39863502  1.87347172]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:logistic(loc, scale, size, dtype, out) end

--- Numbers of the logistic distribution. Follows numpy.random.Generator.logistic.
---
--- ```lua
--- cn.random.default_rng(1):logistic(0, 1, 3) --> [ 1.20835016 -2.39863502  1.87347172]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.logistic(loc, scale, size, dtype, out) end

--- Numbers of the Gumbel distribution of extreme values. Follows numpy.random.Generator.gumbel.
---
--- ```lua
--- cn.random.default_rng(1):gumbel(0, 1, 3) --> [ 1.34187257 -0.91050795  1.94576136]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:gumbel(loc, scale, size, dtype, out) end

--- Numbers of the Gumbel distribution of extreme values. Follows numpy.random.Generator.gumbel.
---
--- ```lua
--- cn.random.default_rng(1):gumbel(0, 1, 3) --> [ 1.34187257 -0.91050795  1.94576136]
--- ```
---@param loc number|cuna.Array|nil # default 0
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.gumbel(loc, scale, size, dtype, out) end

--- Numbers of the Cauchy distribution around 0 with scale 1. Follows numpy.random.Generator.standard_cauchy.
---
--- ```lua
--- cn.random.default_rng(1):standard_cauchy(3) --> [ 1.13432691 -3.7347019   2.24970314]
--- ```
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:standard_cauchy(size, dtype, out) end

--- Numbers of the Cauchy distribution around 0 with scale 1. Follows numpy.random.Generator.standard_cauchy.
---
--- ```lua
--- cn.random.default_rng(1):standard_cauchy(3) --> [ 1.13432691 -3.7347019   2.24970314]
--- ```
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.standard_cauchy(size, dtype, out) end

--- Numbers of the Rayleigh distribution. Follows numpy.random.Generator.rayleigh.
---
--- ```lua
--- cn.random.default_rng(1):rayleigh(2, 3) --> [1.58674559 4.45922394 1.91219848]
--- ```
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:rayleigh(scale, size, dtype, out) end

--- Numbers of the Rayleigh distribution. Follows numpy.random.Generator.rayleigh.
---
--- ```lua
--- cn.random.default_rng(1):rayleigh(2, 3) --> [1.58674559 4.45922394 1.91219848]
--- ```
---@param scale number|cuna.Array|nil # not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.rayleigh(scale, size, dtype, out) end

--- Numbers of the Weibull distribution with scale 1. Follows numpy.random.Generator.weibull.
---
--- ```lua
--- cn.random.default_rng(1):weibull(5, 3) --> [0.79356942 1.19973607 0.85505724]
--- ```
---@param a number|cuna.Array # the shape, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:weibull(a, size, dtype, out) end

--- Numbers of the Weibull distribution with scale 1. Follows numpy.random.Generator.weibull.
---
--- ```lua
--- cn.random.default_rng(1):weibull(5, 3) --> [0.79356942 1.19973607 0.85505724]
--- ```
---@param a number|cuna.Array # the shape, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.weibull(a, size, dtype, out) end

--- Numbers of the Pareto II (Lomax) distribution. Follows numpy.random.Generator.pareto.
---
--- ```lua
--- cn.random.default_rng(1):pareto(3, 3) --> [0.11060702 1.28994605 0.16457276]
--- ```
---@param a number|cuna.Array # the shape, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:pareto(a, size, dtype, out) end

--- Numbers of the Pareto II (Lomax) distribution. Follows numpy.random.Generator.pareto.
---
--- ```lua
--- cn.random.default_rng(1):pareto(3, 3) --> [0.11060702 1.28994605 0.16457276]
--- ```
---@param a number|cuna.Array # the shape, above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.pareto(a, size, dtype, out) end

--- Numbers in [0, 1] with the density a x^(a - 1). Follows numpy.random.Generator.power.
---
--- ```lua
--- cn.random.default_rng(1):power(5, 3) --> [0.93899602 0.60828184 0.9126411 ]
--- ```
---@param a number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:power(a, size, dtype, out) end

--- Numbers in [0, 1] with the density a x^(a - 1). Follows numpy.random.Generator.power.
---
--- ```lua
--- cn.random.default_rng(1):power(5, 3) --> [0.93899602 0.60828184 0.9126411 ]
--- ```
---@param a number|cuna.Array # above 0
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.power(a, size, dtype, out) end

--- Numbers of the triangular distribution. Follows numpy.random.Generator.triangular.
---
--- ```lua
--- cn.random.default_rng(1):triangular(0, 1, 4, 3) --> [2.199977   0.57715455 1.90183087]
--- ```
---@param left number|cuna.Array # the least
---@param mode number|cuna.Array # the likeliest
---@param right number|cuna.Array # the greatest, above left
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {left?: number|cuna.Array, mode?: number|cuna.Array, right?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:triangular(left, mode, right, size, dtype, out) end

--- Numbers of the triangular distribution. Follows numpy.random.Generator.triangular.
---
--- ```lua
--- cn.random.default_rng(1):triangular(0, 1, 4, 3) --> [2.199977   0.57715455 1.90183087]
--- ```
---@param left number|cuna.Array # the least
---@param mode number|cuna.Array # the likeliest
---@param right number|cuna.Array # the greatest, above left
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {left?: number|cuna.Array, mode?: number|cuna.Array, right?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.triangular(left, mode, right, size, dtype, out) end

--- Angles from -pi to pi of the von Mises distribution, by Best and Fisher's method. Follows
--- numpy.random.Generator.vonmises.
---
--- ```lua
--- cn.random.default_rng(1):vonmises(0, 4, 3) --> [-0.55163539  0.13342151 -1.02300767]
--- ```
---@param mu number|cuna.Array # the likeliest angle
---@param kappa number|cuna.Array # how close to it others are, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {mu?: number|cuna.Array, kappa?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:vonmises(mu, kappa, size, dtype, out) end

--- Angles from -pi to pi of the von Mises distribution, by Best and Fisher's method. Follows
--- numpy.random.Generator.vonmises.
---
--- ```lua
--- cn.random.default_rng(1):vonmises(0, 4, 3) --> [-0.55163539  0.13342151 -1.02300767]
--- ```
---@param mu number|cuna.Array # the likeliest angle
---@param kappa number|cuna.Array # how close to it others are, not negative
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {mu?: number|cuna.Array, kappa?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.vonmises(mu, kappa, size, dtype, out) end

--- Numbers of the Poisson distribution, by Hoermann's transformed rejection if lam is at least 10. Follows
--- numpy.random.Generator.poisson.
---
--- ```lua
--- cn.random.default_rng(1):poisson(4, 3) --> [6 4 6]
--- ```
---@param lam number|cuna.Array|nil # the mean, not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {lam?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:poisson(lam, size, dtype, out) end

--- Numbers of the Poisson distribution, by Hoermann's transformed rejection if lam is at least 10. Follows
--- numpy.random.Generator.poisson.
---
--- ```lua
--- cn.random.default_rng(1):poisson(4, 3) --> [6 4 6]
--- ```
---@param lam number|cuna.Array|nil # the mean, not negative, default 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {lam?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.poisson(lam, size, dtype, out) end

--- The number of successes in n trials, by Hoermann's transformed rejection if n p and n (1 - p) are at least 10.
--- Follows numpy.random.Generator.binomial.
---
--- ```lua
--- cn.random.default_rng(1):binomial(100, 0.3, 3) --> [33 22 32]
--- ```
---@param n number|cuna.Array # a whole number, not negative
---@param p number|cuna.Array # of a trial, from 0 to 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {n?: number|cuna.Array, p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:binomial(n, p, size, dtype, out) end

--- The number of successes in n trials, by Hoermann's transformed rejection if n p and n (1 - p) are at least 10.
--- Follows numpy.random.Generator.binomial.
---
--- ```lua
--- cn.random.default_rng(1):binomial(100, 0.3, 3) --> [33 22 32]
--- ```
---@param n number|cuna.Array # a whole number, not negative
---@param p number|cuna.Array # of a trial, from 0 to 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {n?: number|cuna.Array, p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.binomial(n, p, size, dtype, out) end

--- The number of failures before n successes: Poisson numbers of gamma numbers. Follows
--- numpy.random.Generator.negative_binomial.
---
--- ```lua
--- cn.random.default_rng(1):negative_binomial(5, 0.5, 3) --> [1 2 4]
--- ```
---@param n number|cuna.Array # above 0, whole or not
---@param p number|cuna.Array # of a trial, above 0, at most 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {n?: number|cuna.Array, p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:negative_binomial(n, p, size, dtype, out) end

--- The number of failures before n successes: Poisson numbers of gamma numbers. Follows
--- numpy.random.Generator.negative_binomial.
---
--- ```lua
--- cn.random.default_rng(1):negative_binomial(5, 0.5, 3) --> [1 2 4]
--- ```
---@param n number|cuna.Array # above 0, whole or not
---@param p number|cuna.Array # of a trial, above 0, at most 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {n?: number|cuna.Array, p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.negative_binomial(n, p, size, dtype, out) end

--- The number of the first successful trial, from 1. Follows numpy.random.Generator.geometric.
---
--- ```lua
--- cn.random.default_rng(1):geometric(0.25, 3) --> [2 9 2]
--- ```
---@param p number|cuna.Array # of a trial, above 0, at most 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:geometric(p, size, dtype, out) end

--- The number of the first successful trial, from 1. Follows numpy.random.Generator.geometric.
---
--- ```lua
--- cn.random.default_rng(1):geometric(0.25, 3) --> [2 9 2]
--- ```
---@param p number|cuna.Array # of a trial, above 0, at most 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.geometric(p, size, dtype, out) end

--- The number of good elements in a sample of good and bad ones, drawn without replacement. Follows
--- numpy.random.Generator.hypergeometric.
---
--- ```lua
--- cn.random.default_rng(1):hypergeometric(60, 40, 10, 3) --> [8 7 5]
--- ```
---@param ngood number|cuna.Array # whole numbers, not negative
---@param nbad number|cuna.Array
---@param nsample number|cuna.Array # at most ngood + nbad
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {ngood?: number|cuna.Array, nbad?: number|cuna.Array, nsample?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:hypergeometric(ngood, nbad, nsample, size, dtype, out) end

--- The number of good elements in a sample of good and bad ones, drawn without replacement. Follows
--- numpy.random.Generator.hypergeometric.
---
--- ```lua
--- cn.random.default_rng(1):hypergeometric(60, 40, 10, 3) --> [8 7 5]
--- ```
---@param ngood number|cuna.Array # whole numbers, not negative
---@param nbad number|cuna.Array
---@param nsample number|cuna.Array # at most ngood + nbad
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {ngood?: number|cuna.Array, nbad?: number|cuna.Array, nsample?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.hypergeometric(ngood, nbad, nsample, size, dtype, out) end

--- Numbers of the logarithmic series distribution, from 1, by Kemp's method. Follows
--- numpy.random.Generator.logseries.
---
--- ```lua
--- cn.random.default_rng(1):logseries(0.6, 3) --> [1 3 1]
--- ```
---@param p number|cuna.Array # from 0 to below 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:logseries(p, size, dtype, out) end

--- Numbers of the logarithmic series distribution, from 1, by Kemp's method. Follows
--- numpy.random.Generator.logseries.
---
--- ```lua
--- cn.random.default_rng(1):logseries(0.6, 3) --> [1 3 1]
--- ```
---@param p number|cuna.Array # from 0 to below 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {p?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.logseries(p, size, dtype, out) end

--- Numbers of the Zipf (zeta) distribution, from 1, by Devroye's method. Follows numpy.random.Generator.zipf.
---
--- ```lua
--- cn.random.default_rng(1):zipf(4, 3) --> [1 2 1]
--- ```
---@param a number|cuna.Array # above 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:zipf(a, size, dtype, out) end

--- Numbers of the Zipf (zeta) distribution, from 1, by Devroye's method. Follows numpy.random.Generator.zipf.
---
--- ```lua
--- cn.random.default_rng(1):zipf(4, 3) --> [1 2 1]
--- ```
---@param a number|cuna.Array # above 1
---@param size cuna.Shape|nil # default: what the parameters broadcast to
---@param dtype cuna.Dtype|nil # "int64"
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(options: {a?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.zipf(a, size, dtype, out) end

--- Vectors of the Dirichlet distribution, whose elements add up to 1: gamma numbers divided by their sum. The
--- logarithms are drawn, so that elements with small alpha are not 0. Follows numpy.random.Generator.dirichlet.
---
--- ```lua
--- cn.random.default_rng(1):dirichlet({1, 2, 3}) --> [0.16950393 0.51400684 0.31648923]
--- ```
---@param alpha number[]|cuna.Array # a vector, not negative
---@param size cuna.Shape|nil # of the draws, default: one vector
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array # whose last axis is alpha's
---@overload fun(self: cuna.Generator, alpha: number[]|cuna.Array, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:dirichlet(alpha, size, dtype, out) end

--- Vectors of the Dirichlet distribution, whose elements add up to 1: gamma numbers divided by their sum. The
--- logarithms are drawn, so that elements with small alpha are not 0. Follows numpy.random.Generator.dirichlet.
---
--- ```lua
--- cn.random.default_rng(1):dirichlet({1, 2, 3}) --> [0.16950393 0.51400684 0.31648923]
--- ```
---@param alpha number[]|cuna.Array # a vector, not negative
---@param size cuna.Shape|nil # of the draws, default: one vector
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array # whose last axis is alpha's
---@overload fun(alpha: number[]|cuna.Array, options: {size?: cuna.Shape, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.dirichlet(alpha, size, dtype, out) end

--- The counts of several outcomes in n trials: vectors of the multinomial distribution, which add up to n, drawn as
--- binomial numbers of the remaining trials. The last of pvals is 1 minus the others. Follows
--- numpy.random.Generator.multinomial.
---
--- ```lua
--- cn.random.default_rng(1):multinomial(20, {0.2, 0.3, 0.5}, 2) --> [[ 5  2 13] [ 2  3 15]]
--- ```
---@param n integer|cuna.Array # trials, not negative
---@param pvals number[]|cuna.Array # probabilities, along the last axis
---@param size cuna.Shape|nil # of the draws, default: what n and pvals without its last axis broadcast to
---@param out cuna.Array|nil # int64
---@return cuna.Array # int64, with pvals' last axis
---@overload fun(self: cuna.Generator, n: integer|cuna.Array, pvals: number[]|cuna.Array, options: {size?: cuna.Shape, out?: cuna.Array}): cuna.Array
function Generator:multinomial(n, pvals, size, out) end

--- The counts of several outcomes in n trials: vectors of the multinomial distribution, which add up to n, drawn as
--- binomial numbers of the remaining trials. The last of pvals is 1 minus the others. Follows
--- numpy.random.Generator.multinomial.
---
--- ```lua
--- cn.random.default_rng(1):multinomial(20, {0.2, 0.3, 0.5}, 2) --> [[ 5  2 13] [ 2  3 15]]
--- ```
---@param n integer|cuna.Array # trials, not negative
---@param pvals number[]|cuna.Array # probabilities, along the last axis
---@param size cuna.Shape|nil # of the draws, default: what n and pvals without its last axis broadcast to
---@param out cuna.Array|nil # int64
---@return cuna.Array # int64, with pvals' last axis
---@overload fun(n: integer|cuna.Array, pvals: number[]|cuna.Array, options: {size?: cuna.Shape, out?: cuna.Array}): cuna.Array
function random.multinomial(n, pvals, size, out) end

--- The counts of several colors in a sample that is drawn without replacement: vectors that add up to nsample, drawn as
--- hypergeometric numbers of the remaining colors. NumPy's two methods have the same distribution, and are the same
--- here: no draw needs memory for every element. Follows numpy.random.Generator.multivariate_hypergeometric.
---
--- ```lua
--- cn.random.default_rng(1):multivariate_hypergeometric({16, 8, 4}, 6, 2) --> [[5 0 1] [4 0 2]]
--- ```
---@param colors integer[]|cuna.Array # how many there are of each color, a vector, which is fetched
---@param nsample integer|cuna.Array # the size of the sample, at most the sum of colors
---@param size cuna.Shape|nil # of the draws, default: nsample's shape
---@param method "marginals"|"count"|nil
---@param out cuna.Array|nil # int64
---@return cuna.Array # int64, whose last axis is that of colors
---@overload fun(self: cuna.Generator, colors: integer[]|cuna.Array, nsample: integer|cuna.Array, options: {size?: cuna.Shape, method?: "marginals"|"count", out?: cuna.Array}): cuna.Array
function Generator:multivariate_hypergeometric(colors, nsample, size, method, out) end

--- The counts of several colors in a sample that is drawn without replacement: vectors that add up to nsample, drawn as
--- hypergeometric numbers of the remaining colors. NumPy's two methods have the same distribution, and are the same
--- here: no draw needs memory for every element. Follows numpy.random.Generator.multivariate_hypergeometric.
---
--- ```lua
--- cn.random.default_rng(1):multivariate_hypergeometric({16, 8, 4}, 6, 2) --> [[5 0 1] [4 0 2]]
--- ```
---@param colors integer[]|cuna.Array # how many there are of each color, a vector, which is fetched
---@param nsample integer|cuna.Array # the size of the sample, at most the sum of colors
---@param size cuna.Shape|nil # of the draws, default: nsample's shape
---@param method "marginals"|"count"|nil
---@param out cuna.Array|nil # int64
---@return cuna.Array # int64, whose last axis is that of colors
---@overload fun(colors: integer[]|cuna.Array, nsample: integer|cuna.Array, options: {size?: cuna.Shape, method?: "marginals"|"count", out?: cuna.Array}): cuna.Array
function random.multivariate_hypergeometric(colors, nsample, size, method, out) end

--- Normal vectors with a mean and a covariance, along the last axis. The host reads both, which waits for arrays, but
--- not for numbers in tables. With the default method a seed gives the same bits on every device. The other methods,
--- which use cn.linalg, wait, and their numbers are equal up to rounding. Follows
--- numpy.random.Generator.multivariate_normal, whose default method is "svd", and which warns where this function
--- raises an error.
---
--- ```lua
--- cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 0.5}, {0.5, 2}}) --> [-0.45650082 6.92153843]
--- cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 1}, {1, 1}}, {4, 5}).shape --> (4, 5, 2)
--- ```
---@param mean number[]|cuna.Array # shape (n,), finite
---@param cov number[][]|cuna.Array # shape (n, n), finite, symmetric and positive semidefinite
---@param size cuna.Shape|nil # of the draws, default: one vector
---@param check_valid string|nil # "raise" (default): an invalid covariance is an error; "ignore": uses its lower triangle, and negative values in its factor count as 0
---@param tol number|nil # tolerance of the checks of cov: relative to variances, with "eigh" and "svd" to the greatest eigenvalue; default: 1e-8, or 64 times the precision of a narrower cov
---@param method string|nil # the factorisation of cov: "cholesky" (default), "eigh" or "svd"
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float; all except float64 are computed in float32
---@param out cuna.Array|nil
---@return cuna.Array # whose last axis is mean's
---@overload fun(self: cuna.Generator, mean: number[]|cuna.Array, cov: number[][]|cuna.Array, options: {size?: cuna.Shape, check_valid?: string, tol?: number, method?: string, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function Generator:multivariate_normal(mean, cov, size, check_valid, tol, method, dtype, out) end

--- Normal vectors with a mean and a covariance, along the last axis. The host reads both, which waits for arrays, but
--- not for numbers in tables. With the default method a seed gives the same bits on every device. The other methods,
--- which use cn.linalg, wait, and their numbers are equal up to rounding. Follows
--- numpy.random.Generator.multivariate_normal, whose default method is "svd", and which warns where this function
--- raises an error.
---
--- ```lua
--- cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 0.5}, {0.5, 2}}) --> [-0.45650082 6.92153843]
--- cn.random.default_rng(1):multivariate_normal({0, 10}, {{1, 1}, {1, 1}}, {4, 5}).shape --> (4, 5, 2)
--- ```
---@param mean number[]|cuna.Array # shape (n,), finite
---@param cov number[][]|cuna.Array # shape (n, n), finite, symmetric and positive semidefinite
---@param size cuna.Shape|nil # of the draws, default: one vector
---@param check_valid string|nil # "raise" (default): an invalid covariance is an error; "ignore": uses its lower triangle, and negative values in its factor count as 0
---@param tol number|nil # tolerance of the checks of cov: relative to variances, with "eigh" and "svd" to the greatest eigenvalue; default: 1e-8, or 64 times the precision of a narrower cov
---@param method string|nil # the factorisation of cov: "cholesky" (default), "eigh" or "svd"
---@param dtype cuna.Dtype|nil # a float dtype, default: the default float; all except float64 are computed in float32
---@param out cuna.Array|nil
---@return cuna.Array # whose last axis is mean's
---@overload fun(mean: number[]|cuna.Array, cov: number[][]|cuna.Array, options: {size?: cuna.Shape, check_valid?: string, tol?: number, method?: string, dtype?: cuna.Dtype, out?: cuna.Array}): cuna.Array
function random.multivariate_normal(mean, cov, size, check_valid, tol, method, dtype, out) end

--- Uniform random integers in [low, high); with one bound, in [0, low). Bounds in arrays without a number of the dtype
--- between them are an error, on CUDA at the next synchronisation. Follows numpy.random.Generator.integers.
---
--- ```lua
--- cn.random.default_rng(1):integers(10, {size = 5}) --> [3 5 3 5 4]
--- cn.random.default_rng(1):integers(1, 6, 5, {dtype = "int8", endpoint = true}) --> [3 4 3 4 3]
--- ```
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype cuna.Dtype|nil # an integer dtype or bool, default int64
---@param endpoint boolean|nil # true takes high in
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {low?: integer|ffi.cdata*|cuna.Array, high?: integer|ffi.cdata*|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype, endpoint?: boolean, out?: cuna.Array}): cuna.Array
function Generator:integers(low, high, size, dtype, endpoint, out) end

--- The positions 1..x in a random order; for an array, a copy whose slices along an axis are in a random order. All
--- orders have the same probability. Follows numpy.random.Generator.permutation.
---
--- ```lua
--- cn.random.default_rng(1):permutation(5) --> [1 3 5 2 4]
--- cn.random.default_rng(1):permutation({{1, 2}, {3, 4}, {5, 6}}) --> [[1. 2.] [5. 6.] [3. 4.]]
--- ```
---@param x integer|cuna.Operand
---@param axis integer|nil # default 1
---@return cuna.Array
---@overload fun(self: cuna.Generator, x: integer|cuna.Operand, options: {axis?: integer}): cuna.Array
function Generator:permutation(x, axis) end

--- The positions 1..x in a random order; for an array, a copy whose slices along an axis are in a random order. All
--- orders have the same probability. Follows numpy.random.Generator.permutation.
---
--- ```lua
--- cn.random.default_rng(1):permutation(5) --> [1 3 5 2 4]
--- cn.random.default_rng(1):permutation({{1, 2}, {3, 4}, {5, 6}}) --> [[1. 2.] [5. 6.] [3. 4.]]
--- ```
---@param x integer|cuna.Operand
---@param axis integer|nil # default 1
---@return cuna.Array
---@overload fun(x: integer|cuna.Operand, options: {axis?: integer}): cuna.Array
function random.permutation(x, axis) end

--- Puts the slices of x along an axis into a random order, in place. Follows numpy.random.Generator.shuffle.
---
--- ```lua
--- cn.random.default_rng(1):shuffle(cn.range(1, 5)) --> [1 3 5 2 4]
--- ```
---@param x cuna.Array
---@param axis integer|nil # default 1
---@return cuna.Array # x
---@overload fun(self: cuna.Generator, x: cuna.Array, options: {axis?: integer}): cuna.Array
function Generator:shuffle(x, axis) end

--- Puts the slices of x along an axis into a random order, in place. Follows numpy.random.Generator.shuffle.
---
--- ```lua
--- cn.random.default_rng(1):shuffle(cn.range(1, 5)) --> [1 3 5 2 4]
--- ```
---@param x cuna.Array
---@param axis integer|nil # default 1
---@return cuna.Array # x
---@overload fun(x: cuna.Array, options: {axis?: integer}): cuna.Array
function random.shuffle(x, axis) end

--- A copy of x in which each line along an axis has a separate random order; without an axis all elements are one line.
--- Follows numpy.random.Generator.permuted.
---
--- ```lua
--- cn.random.default_rng(1):permuted({{1, 2, 3}, {4, 5, 6}}, 2) --> [[2. 3. 1.] [6. 5. 4.]]
--- ```
---@param x cuna.Operand
---@param axis integer|nil
---@param out cuna.Array|nil # of x's shape and dtype; x itself is shuffled in place
---@return cuna.Array
---@overload fun(self: cuna.Generator, x: cuna.Operand, options: {axis?: integer, out?: cuna.Array}): cuna.Array
function Generator:permuted(x, axis, out) end

--- Random choices: positions 1..a for a number, slices along an axis for an array. Weights need not add up to 1;
--- invalid ones are an error, on CUDA at the next synchronisation. Without replacement and weights, less than 2 % of
--- more than 10000 things take no time and memory for all of them. Follows numpy.random.Generator.choice.
---
--- ```lua
--- cn.random.default_rng(1):choice(5, 3) --> [2 3 2]
--- cn.random.default_rng(1):choice({10, 20, 30}, 2, {replace = false}) --> [10. 30.]
--- cn.random.default_rng(1):choice(3, 5, {p = {0.1, 0, 0.9}}) --> [3 1 3 3 3]
--- ```
---@param a integer|cuna.Operand # how many things there are, or they themselves
---@param size cuna.Shape|nil # default: one
---@param replace boolean|nil # false chooses each thing at most once; default true
---@param p cuna.Operand|nil # 1-d weights, default: all alike
---@param axis integer|nil # default 1
---@param shuffle boolean|nil # accepted for compatibility with NumPy and ignored: the order is always random
---@return cuna.Array
---@overload fun(self: cuna.Generator, a: integer|cuna.Operand, options: {size?: cuna.Shape, replace?: boolean, p?: cuna.Operand, axis?: integer, shuffle?: boolean}): cuna.Array
function Generator:choice(a, size, replace, p, axis, shuffle) end

--- Random choices: positions 1..a for a number, slices along an axis for an array. Weights need not add up to 1;
--- invalid ones are an error, on CUDA at the next synchronisation. Without replacement and weights, less than 2 % of
--- more than 10000 things take no time and memory for all of them. Follows numpy.random.Generator.choice.
---
--- ```lua
--- cn.random.default_rng(1):choice(5, 3) --> [2 3 2]
--- cn.random.default_rng(1):choice({10, 20, 30}, 2, {replace = false}) --> [10. 30.]
--- cn.random.default_rng(1):choice(3, 5, {p = {0.1, 0, 0.9}}) --> [3 1 3 3 3]
--- ```
---@param a integer|cuna.Operand # how many things there are, or they themselves
---@param size cuna.Shape|nil # default: one
---@param replace boolean|nil # false chooses each thing at most once; default true
---@param p cuna.Operand|nil # 1-d weights, default: all alike
---@param axis integer|nil # default 1
---@param shuffle boolean|nil # accepted for compatibility with NumPy and ignored: the order is always random
---@return cuna.Array
---@overload fun(a: integer|cuna.Operand, options: {size?: cuna.Shape, replace?: boolean, p?: cuna.Operand, axis?: integer, shuffle?: boolean}): cuna.Array
function random.choice(a, size, replace, p, axis, shuffle) end

--- Random bytes. Synchronises. Follows numpy.random.Generator.bytes.
---
--- ```lua
--- #cn.random.default_rng(1):bytes(10) --> 10
--- ```
---@param length integer
---@return string
function Generator:bytes(length) end

--- Random bytes. Synchronises. Follows numpy.random.Generator.bytes.
---
--- ```lua
--- #cn.random.default_rng(1):bytes(10) --> 10
--- ```
---@param length integer
---@return string
function random.bytes(length) end

--- A sequence of random numbers of one of cuRAND's methods: "PHILOX" (default; cuna's kernels, with cuRAND's words and
--- numbers in (0, 1] bit for bit, on every device), "XORWOW", "MRG32K3A", "MTGP32", "MT19937", and the quasi-random
--- "SOBOL32", "SCRAMBLED_SOBOL32", "SOBOL64", "SCRAMBLED_SOBOL64", for which cuRAND must be installed; the cpu device
--- uses its host generators. Other functions (gamma, choice, shuffle, ...) are those of a generator with the same seed.
--- Use cn.random.default_rng in new programs. Follows cupy.random.RandomState, whose default is XORWOW.
---
--- ```lua
--- cn.random.RandomState(1) --> RandomState(PHILOX)
--- ```
---@param seed integer|ffi.cdata*|nil # from 0 to 2^64 - 1, default: what the system gives; quasi-random numbers have none
---@param method string|nil
---@param dimensions integer|nil # of a quasi-random sequence's points: coordinates come one behind the other; default 1
---@return cuna.RandomState
---@overload fun(seed: integer|ffi.cdata*|nil, options: {method?: string, dimensions?: integer}): cuna.RandomState
function random.RandomState(seed, method, dimensions) end

--- Restarts with another seed. Follows cupy.random.RandomState.seed.
---
--- ```lua
--- (function(rs) rs:seed(2) return rs:rand():item() end)(cn.random.RandomState(1)) --> 0.49727991789492
--- ```
---@param seed integer|ffi.cdata*|nil
function RandomState:seed(seed) end

--- The state, for set_state. Follows numpy.random.RandomState.get_state.
---
--- ```lua
--- cn.random.RandomState(1):get_state().offset --> 0ULL
--- ```
---@return table # {method =, seed =, offset = how many numbers were made, dimensions =, generator = another state}
function RandomState:get_state() end

--- Restores a state that get_state returned. MTGP32 and MT19937 cannot start in the middle of a sequence. Follows
--- numpy.random.RandomState.set_state.
---
--- ```lua
--- cn.random.RandomState(1):set_state(cn.random.RandomState(2):get_state()) --> RandomState(PHILOX)
--- ```
---@param kept table
---@return cuna.RandomState # the same
function RandomState:set_state(kept) end

--- Uniform random numbers in [0, 1) with a shape. Follows numpy.random.RandomState.rand.
---
--- ```lua
--- cn.random.RandomState(1):rand(2, 3).shape --> (2, 3)
--- ```
---@param ... integer # lengths of the axes; last, options: dtype
---@return cuna.Array
function RandomState:rand(...) end

--- Standard normal numbers with a shape. Follows numpy.random.RandomState.randn.
---
--- ```lua
--- cn.random.RandomState(1):randn(2, 3).shape --> (2, 3)
--- ```
---@param ... integer # lengths of the axes; last, options: dtype
---@return cuna.Array
function RandomState:randn(...) end

--- Uniform random numbers in [0, 1). Follows numpy.random.RandomState.random_sample.
---
--- ```lua
--- cn.random.RandomState(1):random_sample({2, 3}).shape --> (2, 3)
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:random_sample(size, dtype) end

--- Uniform random numbers in [low, high). Follows numpy.random.RandomState.uniform.
---
--- ```lua
--- cn.random.RandomState(1):uniform(-1, 1, 3).shape --> (3,)
--- ```
---@param low number|cuna.Array|nil # default 0
---@param high number|cuna.Array|nil # default 1
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {low?: number|cuna.Array, high?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:uniform(low, high, size, dtype) end

--- Random integers in [low, high), or in [0, low) without high, from 64 random bits each, so that probabilities differ
--- by at most range / 2^64. Follows numpy.random.RandomState.randint.
---
--- ```lua
--- cn.random.RandomState(1):randint(1, 7, 100):max():item() --> 6
--- ```
---@param low integer
---@param high integer|nil
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # default int64
---@return cuna.Array
---@overload fun(self: cuna.RandomState, low: integer, options: {high?: integer, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:randint(low, high, size, dtype) end

--- Random integers from low to high, or from 1 to low without high, both ends included. Follows
--- numpy.random.RandomState.random_integers.
---
--- ```lua
--- cn.random.RandomState(1):random_integers(6, {size = 100}):min():item() --> 1
--- ```
---@param low integer
---@param high integer|nil
---@param size cuna.Shape|nil # default: one number
---@return cuna.Array # int64
---@overload fun(self: cuna.RandomState, low: integer, options: {high?: integer, size?: cuna.Shape}): cuna.Array
function RandomState:random_integers(low, high, size) end

--- Random integers from 0 to 2^63 - 1. Follows numpy.random.RandomState.tomaxint.
---
--- ```lua
--- cn.random.RandomState(1):tomaxint(3):min():item() >= 0 --> true
--- ```
---@param size cuna.Shape|nil # default: one number
---@return cuna.Array # int64
---@overload fun(self: cuna.RandomState, options: {size?: cuna.Shape}): cuna.Array
function RandomState:tomaxint(size) end

--- Normal numbers. Follows numpy.random.RandomState.normal.
---
--- ```lua
--- cn.random.RandomState(1):normal(10, 2, 3).shape --> (3,)
--- ```
---@param loc number|cuna.Array|nil # the mean, default 0
---@param scale number|cuna.Array|nil # the standard deviation, default 1
---@param size cuna.Shape|nil # default: what loc and scale broadcast to
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:normal(loc, scale, size, dtype) end

--- Numbers whose logarithms are normal. Follows numpy.random.RandomState.lognormal.
---
--- ```lua
--- cn.random.RandomState(1):lognormal(0, 1, 3).shape --> (3,)
--- ```
---@param mean number|cuna.Array|nil # of the logarithms, default 0
---@param sigma number|cuna.Array|nil # their standard deviation, default 1
---@param size cuna.Shape|nil # default: what mean and sigma broadcast to
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {mean?: number|cuna.Array, sigma?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:lognormal(mean, sigma, size, dtype) end

--- Normal numbers with mean 0 and standard deviation 1. Follows numpy.random.RandomState.standard_normal.
---
--- ```lua
--- cn.random.RandomState(1):standard_normal(3).shape --> (3,)
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:standard_normal(size, dtype) end

--- Normal vectors, as of a generator's multivariate_normal, from this sequence's numbers. Follows
--- cupy.random.RandomState.multivariate_normal, but an invalid covariance is an error.
---
--- ```lua
--- cn.random.RandomState(1):multivariate_normal({0, 1}, {{1, 0}, {0, 1}}, 3).shape --> (3, 2)
--- ```
---@param mean number[]|cuna.Array # shape (n,)
---@param cov number[][]|cuna.Array # shape (n, n)
---@param size cuna.Shape|nil # of the draws, default: one vector
---@param check_valid string|nil # "raise" (default) or "ignore"
---@param tol number|nil
---@param method string|nil # "cholesky" (default), "eigh" or "svd"
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array # whose last axis is mean's
---@overload fun(self: cuna.RandomState, mean: number[]|cuna.Array, cov: number[][]|cuna.Array, options: {size?: cuna.Shape, check_valid?: string, tol?: number, method?: string, dtype?: cuna.Dtype}): cuna.Array
function RandomState:multivariate_normal(mean, cov, size, check_valid, tol, method, dtype) end

--- Numbers of the exponential distribution: minus the logarithm of cuRAND's numbers. Follows
--- numpy.random.RandomState.exponential.
---
--- ```lua
--- cn.random.RandomState(1):exponential(2, 3).shape --> (3,)
--- ```
---@param scale number|cuna.Array|nil # the mean, default 1
---@param size cuna.Shape|nil # default: scale's shape
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:exponential(scale, size, dtype) end

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.RandomState.standard_exponential.
---
--- ```lua
--- cn.random.RandomState(1):standard_exponential(3).shape --> (3,)
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype cuna.Dtype|nil # float32 or float64, default: the default float
---@return cuna.Array
---@overload fun(self: cuna.RandomState, options: {size?: cuna.Shape, dtype?: cuna.Dtype}): cuna.Array
function RandomState:standard_exponential(size, dtype) end
