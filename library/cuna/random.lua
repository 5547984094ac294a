---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Random numbers.

---@class cuna.random
local random = {}

--- A generator of random numbers, from cn.random.default_rng.
---@class cuna.Generator
local Generator = {}

--- A generator of random numbers by Philox4x32-10: a number is a function of the seed, how many draws were made before
--- and its place in the result. So a seed gives the same numbers, bit for bit, on every device and in any layout. They
--- are drawn on the current device, or that of parameters or `out`; a captured graph repeats what was drawn while it
--- was captured. Follows numpy.random.default_rng, but its numbers are others.
---
--- ```lua
--- cn.random.default_rng(42) --> Generator(Philox4x32)
--- cn.random.default_rng(42):random(2) == cn.random.default_rng(42):random(2) --> true
--- ```
---@param seed integer|ffi.cdata*|integer[]|cuna.Generator|nil # whole numbers from 0 to 2^64 - 1; a generator is answered as it is; default: what the system gives
---@return cuna.Generator
function random.default_rng(seed) end

--- Begins the numbers of cn.random's own functions anew, those of cn.random.default_rng(seed). Without a seed they are
--- the system's. Follows numpy.random.seed.
---
--- ```lua
--- cn.random.seed(42) --> Generator(Philox4x32)
--- cn.random.seed(42):random(2) == cn.random.default_rng(42):random(2) --> true
--- ```
---@param seed integer|ffi.cdata*|integer[]|nil
---@return cuna.Generator # the one that these functions share
function random.seed(seed) end

--- Numbers of [0, 1), all as likely, in the shape of these lengths. Follows numpy.random.rand.
---
--- ```lua
--- cn.random.rand(2, 3).shape, cn.random.rand(2, {dtype = "float32"}).dtype --> (2, 3), float32
--- ```
---@param ... integer # lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
function random.rand(...) end

--- Numbers of the standard normal distribution in the shape of these lengths. Follows numpy.random.randn.
---
--- ```lua
--- cn.random.randn(2, 3).shape --> (2, 3)
--- ```
---@param ... integer # lengths of the axes; none makes one number; last may come {dtype = ...}
---@return cuna.Array
function random.randn(...) end

--- Whole numbers from low up to but without high, or from 0 up to but without low. Follows numpy.random.randint.
---
--- ```lua
--- cn.random.randint(5, {size = 100}):max():item() < 5 --> true
--- ```
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype string|nil # an integer dtype or bool, default int64
---@return cuna.Array
---@overload fun(low: integer|ffi.cdata*|cuna.Array, options: {high?: integer|ffi.cdata*|cuna.Array, size?: cuna.Shape, dtype?: string}): cuna.Array
function random.randint(low, high, size, dtype) end

--- Numbers of [0, 1), as cn.random.random. Follows numpy.random.random_sample.
---
--- ```lua
--- cn.random.random_sample({2, 3}).shape --> (2, 3)
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype string|nil # a float dtype, default: the default float
---@return cuna.Array
function random.random_sample(size, dtype) end

random.ranf = random.random_sample

random.sample = random.random_sample

--- New generators whose draws have nothing to do with this one's or with each other's; calls give ever new ones.
--- Follows numpy.random.Generator.spawn.
---
--- ```lua
--- #cn.random.default_rng(1):spawn(3) --> 3
--- ```
---@param count integer
---@return cuna.Generator[]
function Generator:spawn(count) end

--- A new generator as this one would be after 2^48 more draws, `jumps` times. Follows numpy.random.Philox.jumped.
---
--- ```lua
--- cn.random.default_rng(1):jumped():get_state().calls --> 281474976710656ULL
--- ```
---@param jumps integer|nil # default 1
---@return cuna.Generator
function Generator:jumped(jumps) end

--- All that a generator holds, to be kept in a file or given to set_state: {bit_generator = its name, key = what its
--- seed was hashed to, calls = how many draws were made; entropy, path, children: what children are made of}. The
--- integers are uint64_t, in lists.
---
--- ```lua
--- cn.random.default_rng(1):get_state().bit_generator --> Philox4x32
--- ```
---@return table
function Generator:get_state() end

--- Goes on from what get_state answered, by this generator or another.
---
--- ```lua
--- cn.random.default_rng(1):set_state(cn.random.default_rng(2):get_state()) --> Generator(Philox4x32)
--- ```
---@param state table
---@return cuna.Generator # the same
function Generator:set_state(state) end

--- Numbers of [0, 1), evenly spaced and all as likely. Follows numpy.random.Generator.random.
---
--- ```lua
--- cn.random.default_rng(1):random(3) --> [0.7299931 0.08327684 0.63314053]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:random(size, dtype, out) end

--- Numbers of [low, high), all as likely. Follows numpy.random.Generator.uniform.
---
--- ```lua
--- cn.random.default_rng(1):uniform(-1, 1, 3) --> [ 0.4599862 -0.83344632 0.26628105]
--- ```
---@param low number|cuna.Array|nil # default 0
---@param high number|cuna.Array|nil # default 1
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {low?: number|cuna.Array, high?: number|cuna.Array, size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:uniform(low, high, size, dtype, out) end

--- Numbers of the normal distribution around 0 with standard deviation 1, by Box and Muller's method. Follows
--- numpy.random.Generator.standard_normal.
---
--- ```lua
--- cn.random.default_rng(1):standard_normal(3) --> [-0.45650082 -2.15455712 -0.73788876]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:standard_normal(size, dtype, out) end

--- Numbers of the normal distribution. Follows numpy.random.Generator.normal.
---
--- ```lua
--- cn.random.default_rng(1):normal(10, 2, 3) --> [9.08699837 5.69088576 8.52422249]
--- ```
---@param loc number|cuna.Array|nil # the mean, default 0
---@param scale number|cuna.Array|nil # the standard deviation, default 1
---@param size cuna.Shape|nil # default: what loc and scale broadcast to
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {loc?: number|cuna.Array, scale?: number|cuna.Array, size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:normal(loc, scale, size, dtype, out) end

--- Numbers of the exponential distribution with mean 1. Follows numpy.random.Generator.standard_exponential.
---
--- ```lua
--- cn.random.default_rng(1):standard_exponential(3) --> [0.3147202 2.48558477 0.45706288]
--- ```
---@param size cuna.Shape|nil # default: one number
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:standard_exponential(size, dtype, out) end

--- Numbers of the exponential distribution. Follows numpy.random.Generator.exponential.
---
--- ```lua
--- cn.random.default_rng(1):exponential(5, 3) --> [ 1.57360098 12.42792386 2.2853144 ]
--- ```
---@param scale number|cuna.Array|nil # the mean, default 1
---@param size cuna.Shape|nil # default: scale's shape
---@param dtype string|nil # a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {scale?: number|cuna.Array, size?: cuna.Shape, dtype?: string, out?: cuna.Array}): cuna.Array
function Generator:exponential(scale, size, dtype, out) end

--- Whole numbers from low up to but without high, all as likely; of one bound, from 0 up to but without it. Bounds in
--- arrays that have no number of the dtype between them raise: on CUDA at the next synchronisation. Follows
--- numpy.random.Generator.integers.
---
--- ```lua
--- cn.random.default_rng(1):integers(10, {size = 5}) --> [3 5 3 5 4]
--- cn.random.default_rng(1):integers(1, 6, 5, {dtype = "int8", endpoint = true}) --> [3 4 3 4 3]
--- ```
---@param low integer|ffi.cdata*|cuna.Array
---@param high integer|ffi.cdata*|cuna.Array|nil
---@param size cuna.Shape|nil # default: what low and high broadcast to
---@param dtype string|nil # an integer dtype or bool, default int64
---@param endpoint boolean|nil # true takes high in
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Generator, options: {low?: integer|ffi.cdata*|cuna.Array, high?: integer|ffi.cdata*|cuna.Array, size?: cuna.Shape, dtype?: string, endpoint?: boolean, out?: cuna.Array}): cuna.Array
function Generator:integers(low, high, size, dtype, endpoint, out) end

--- The positions 1..x in a random order; of an array a copy whose slices along an axis are in a random order. All
--- orders are as likely. Follows numpy.random.Generator.permutation.
---
--- ```lua
--- cn.random.default_rng(1):permutation(5) --> [2 5 3 1 4]
--- cn.random.default_rng(1):permutation({{1, 2}, {3, 4}, {5, 6}}) --> [[3. 4.] [5. 6.] [1. 2.]]
--- ```
---@param x integer|cuna.Operand
---@param axis integer|nil # default 1
---@return cuna.Array
---@overload fun(self: cuna.Generator, x: integer|cuna.Operand, options: {axis?: integer}): cuna.Array
function Generator:permutation(x, axis) end

--- Puts the slices of x along an axis into a random order, in place. Follows numpy.random.Generator.shuffle.
---
--- ```lua
--- cn.random.default_rng(1):shuffle(cn.range(1, 5)) --> [2 5 3 1 4]
--- ```
---@param x cuna.Array
---@param axis integer|nil # default 1
---@return cuna.Array # x
---@overload fun(self: cuna.Generator, x: cuna.Array, options: {axis?: integer}): cuna.Array
function Generator:shuffle(x, axis) end

--- A copy of x in which each line along an axis is in a random order of its own; without an axis all elements are one
--- line. Follows numpy.random.Generator.permuted.
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

--- Things chosen at random: positions 1..a of a number, slices of an array along an axis. Weights need not have the sum
--- 1; bad ones raise, on CUDA at the next synchronisation. Follows numpy.random.Generator.choice.
---
--- ```lua
--- cn.random.default_rng(1):choice(5, 3) --> [2 3 2]
--- cn.random.default_rng(1):choice({10, 20, 30}, 2, {replace = false}) --> [20. 30.]
--- cn.random.default_rng(1):choice(3, 5, {p = {0.1, 0, 0.9}}) --> [3 1 3 3 3]
--- ```
---@param a integer|cuna.Operand # how many things there are, or they themselves
---@param size cuna.Shape|nil # default: one
---@param replace boolean|nil # false chooses each thing at most once; default true
---@param p cuna.Operand|nil # 1-d weights, default: all alike
---@param axis integer|nil # default 1
---@param shuffle boolean|nil # taken for NumPy's sake: what is chosen is always in a random order
---@return cuna.Array
---@overload fun(self: cuna.Generator, a: integer|cuna.Operand, options: {size?: cuna.Shape, replace?: boolean, p?: cuna.Operand, axis?: integer, shuffle?: boolean}): cuna.Array
function Generator:choice(a, size, replace, p, axis, shuffle) end

--- Random bytes. Synchronises. Follows numpy.random.Generator.bytes.
---
--- ```lua
--- #cn.random.default_rng(1):bytes(10) --> 10
--- ```
---@param length integer
---@return string
function Generator:bytes(length) end
