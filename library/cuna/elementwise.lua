---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Elementwise operations.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

---@class cuna.special
local special = {}

--- x kept between two bounds, which broadcast; a bound that is nil is open. Where the bounds cross, max holds. Follows
--- numpy.clip.
---
--- ```lua
--- cn.clip({1, 5, 9}, 2, 6) --> [2. 5. 6.]
--- cn.clip({1, 5, 9}, {max = 6}) --> [1. 5. 6.]
--- ```
---@param x cuna.Operand
---@param min cuna.Operand|nil
---@param max cuna.Operand|nil
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {min?: cuna.Operand, max?: cuna.Operand, out?: cuna.Array}): cuna.Array
function cn.clip(x, min, max, out) end

--- x kept between two bounds, which broadcast; a bound that is nil is open. Where the bounds cross, max holds. Follows
--- numpy.clip.
---
--- ```lua
--- cn.clip({1, 5, 9}, 2, 6) --> [2. 5. 6.]
--- cn.clip({1, 5, 9}, {max = 6}) --> [1. 5. 6.]
--- ```
---@param min cuna.Operand|nil
---@param max cuna.Operand|nil
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {min?: cuna.Operand, max?: cuna.Operand, out?: cuna.Array}): cuna.Array
function Array:clip(min, max, out) end

--- x clipped in place.
---
--- ```lua
--- cn.array({1, 5, 9}):clip_(2, 6) --> [2. 5. 6.]
--- ```
---@param min cuna.Operand|nil
---@param max cuna.Operand|nil
---@return cuna.Array # x
function Array:clip_(min, max) end

--- x rounded to a number of decimals, halves to even; negative decimals count left of the point. Follows numpy.round.
---
--- ```lua
--- cn.round({0.5, 1.5, 2.25}, 1), cn.round(1250, -2) --> [0.5 1.5 2.2], 1200.0
--- ```
---@param x cuna.Operand
---@param decimals integer|nil # default 0
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {decimals?: integer, out?: cuna.Array}): cuna.Array
function cn.round(x, decimals, out) end

cn.around = cn.round

--- x rounded to a number of decimals, halves to even; negative decimals count left of the point. Follows numpy.round.
---
--- ```lua
--- cn.round({0.5, 1.5, 2.25}, 1), cn.round(1250, -2) --> [0.5 1.5 2.2], 1200.0
--- ```
---@param decimals integer|nil # default 0
---@param out cuna.Array|nil
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {decimals?: integer, out?: cuna.Array}): cuna.Array
function Array:round(decimals, out) end

Array.around = Array.round

Array.around = Array.round

Array.round_ = Array.round

Array.around_ = Array.round

--- The angle of z in the complex plane, from -pi to pi, or from -180 to 180 degrees. Follows numpy.angle.
---
--- ```lua
--- cn.angle {cn.complex(0, 1), cn.complex(-1, 0)} --> [1.57079633 3.14159265]
--- cn.angle({cn.complex(0, 1), -1}, {deg = true}) --> [ 90. 180.]
--- ```
---@param z cuna.Operand
---@param deg boolean|nil # whether it is in degrees, default false
---@param out cuna.Array|nil
---@param dtype cuna.Dtype|nil # of the loop, complex or real
---@return cuna.Array # real
---@overload fun(z: cuna.Operand, options: {deg?: boolean, out?: cuna.Array, dtype?: cuna.Dtype}): cuna.Array
function cn.angle(z, deg, out, dtype) end

--- The angle of z in the complex plane, from -pi to pi, or from -180 to 180 degrees. Follows numpy.angle.
---
--- ```lua
--- cn.angle {cn.complex(0, 1), cn.complex(-1, 0)} --> [1.57079633 3.14159265]
--- cn.angle({cn.complex(0, 1), -1}, {deg = true}) --> [ 90. 180.]
--- ```
---@param deg boolean|nil # whether it is in degrees, default false
---@param out cuna.Array|nil
---@param dtype cuna.Dtype|nil # of the loop, complex or real
---@return cuna.Array # real
---@overload fun(self: cuna.Array, options: {deg?: boolean, out?: cuna.Array, dtype?: cuna.Dtype}): cuna.Array
function Array:angle(deg, out, dtype) end

--- x with numbers in place of NaN and infinities; in both parts of complex numbers. Follows numpy.nan_to_num.
---
--- ```lua
--- cn.nan_to_num({1, cn.nan, cn.inf}, {posinf = 9}) --> [1. 0. 9.]
--- ```
---@param x cuna.Operand
---@param copy boolean|nil # false writes to x itself, as x:nan_to_num_() does
---@param nan number|nil # in place of NaN, default 0
---@param posinf number|nil # in place of infinity, default the greatest finite number of x's dtype
---@param neginf number|nil # in place of -infinity, default the least finite number
---@param out cuna.Array|nil
---@return cuna.Array # of x's dtype
---@overload fun(x: cuna.Operand, options: {copy?: boolean, nan?: number, posinf?: number, neginf?: number, out?: cuna.Array}): cuna.Array
function cn.nan_to_num(x, copy, nan, posinf, neginf, out) end

--- x with numbers in place of NaN and infinities; in both parts of complex numbers. Follows numpy.nan_to_num.
---
--- ```lua
--- cn.nan_to_num({1, cn.nan, cn.inf}, {posinf = 9}) --> [1. 0. 9.]
--- ```
---@param copy boolean|nil # false writes to x itself, as x:nan_to_num_() does
---@param nan number|nil # in place of NaN, default 0
---@param posinf number|nil # in place of infinity, default the greatest finite number of x's dtype
---@param neginf number|nil # in place of -infinity, default the least finite number
---@param out cuna.Array|nil
---@return cuna.Array # of x's dtype
---@overload fun(self: cuna.Array, options: {copy?: boolean, nan?: number, posinf?: number, neginf?: number, out?: cuna.Array}): cuna.Array
function Array:nan_to_num(copy, nan, posinf, neginf, out) end

--- x with numbers written in place of its NaN and infinities.
---
--- ```lua
--- cn.array({1, cn.nan, -cn.inf}):nan_to_num_ {nan = 7, neginf = -1} --> [ 1. 7. -1.]
--- ```
---@param nan number|nil # default 0
---@param posinf number|nil # default the greatest finite number of x's dtype
---@param neginf number|nil # default the least finite number
---@return cuna.Array # x
---@overload fun(self: cuna.Array, options: {nan?: number, posinf?: number, neginf?: number}): cuna.Array
function Array:nan_to_num_(nan, posinf, neginf) end

--- The real part of x, a view, when all imaginary parts are below tol; else x. Waits for what they are. Follows
--- numpy.real_if_close.
---
--- ```lua
--- cn.real_if_close(cn.array {cn.complex(2, 1e-15), cn.complex(3, 0)}) --> [2. 3.]
--- ```
---@param x cuna.Operand
---@param tol number|nil # above 1: times the distance of 1 to the next number of x's dtype; default 100
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {tol?: number}): cuna.Array
function cn.real_if_close(x, tol) end

--- The real part of x, a view, when all imaginary parts are below tol; else x. Waits for what they are. Follows
--- numpy.real_if_close.
---
--- ```lua
--- cn.real_if_close(cn.array {cn.complex(2, 1e-15), cn.complex(3, 0)}) --> [2. 3.]
--- ```
---@param tol number|nil # above 1: times the distance of 1 to the next number of x's dtype; default 100
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {tol?: number}): cuna.Array
function Array:real_if_close(tol) end

--- Phases whose jumps by more than half a period along an axis are undone by whole periods. Follows numpy.unwrap.
---
--- ```lua
--- cn.unwrap({0, 1, 5.5, 6}, {period = 6}) --> [ 0. 1. -0.5 0. ]
--- ```
---@param x cuna.Operand # at least 1-d, real
---@param discont number|nil # least jump that is undone, default (and at least) half a period
---@param axis integer|nil # default the last
---@param period number|nil # default 2 pi; of integers an integral one keeps their dtype
---@return cuna.Array
---@overload fun(x: cuna.Operand, options: {discont?: number, axis?: integer, period?: number}): cuna.Array
function cn.unwrap(x, discont, axis, period) end

--- Phases whose jumps by more than half a period along an axis are undone by whole periods. Follows numpy.unwrap.
---
--- ```lua
--- cn.unwrap({0, 1, 5.5, 6}, {period = 6}) --> [ 0. 1. -0.5 0. ]
--- ```
---@param discont number|nil # least jump that is undone, default (and at least) half a period
---@param axis integer|nil # default the last
---@param period number|nil # default 2 pi; of integers an integral one keeps their dtype
---@return cuna.Array
---@overload fun(self: cuna.Array, options: {discont?: number, axis?: integer, period?: number}): cuna.Array
function Array:unwrap(discont, axis, period) end

--- Sum of x1 and x2; of bools, whether either holds.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 + x2, in place x:add_(x2), at positions x:add_at(key, x2), along an axis cn.add_reduce(x, axis), step by step cn.add_accumulate(x, axis), of segments cn.add_reduceat(x, positions), of all pairs cn.add_outer(x1, x2).
--- Follows numpy.add.
---
--- ```lua
--- cn.add({1, 2, 3}, 10) --> [11. 12. 13.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.add(x1, x2, out, options) end

--- Sum of x1 and x2; of bools, whether either holds.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 + x2, in place x:add_(x2), at positions x:add_at(key, x2), along an axis cn.add_reduce(x, axis), step by step cn.add_accumulate(x, axis), of segments cn.add_reduceat(x, positions), of all pairs cn.add_outer(x1, x2).
--- Follows numpy.add.
---
--- ```lua
--- cn.add({1, 2, 3}, 10) --> [11. 12. 13.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:add(x2, out, options) end

--- Sum of x1 and x2; of bools, whether either holds. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:add_(x2) end

--- Difference of x1 and x2.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use bitwise_xor or logical_xor.
--- Also: the operator x1 - x2, in place x:subtract_(x2), at positions x:subtract_at(key, x2), along an axis cn.subtract_reduce(x, axis), step by step cn.subtract_accumulate(x, axis), of segments cn.subtract_reduceat(x, positions), of all pairs cn.subtract_outer(x1, x2).
--- Follows numpy.subtract.
---
--- ```lua
--- cn.subtract({5, 6}, {1, 2}) --> [4. 4.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.subtract(x1, x2, out, options) end

cn.sub = cn.subtract

--- Difference of x1 and x2.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use bitwise_xor or logical_xor.
--- Also: the operator x1 - x2, in place x:subtract_(x2), at positions x:subtract_at(key, x2), along an axis cn.subtract_reduce(x, axis), step by step cn.subtract_accumulate(x, axis), of segments cn.subtract_reduceat(x, positions), of all pairs cn.subtract_outer(x1, x2).
--- Follows numpy.subtract.
---
--- ```lua
--- cn.subtract({5, 6}, {1, 2}) --> [4. 4.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:subtract(x2, out, options) end

--- Difference of x1 and x2. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:subtract_(x2) end

Array.sub = Array.subtract

--- Difference of x1 and x2. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:sub_(x2) end

--- Product of x1 and x2; of bools, whether both hold.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 * x2, in place x:multiply_(x2), at positions x:multiply_at(key, x2), along an axis cn.multiply_reduce(x, axis), step by step cn.multiply_accumulate(x, axis), of segments cn.multiply_reduceat(x, positions), of all pairs cn.multiply_outer(x1, x2).
--- Follows numpy.multiply.
---
--- ```lua
--- cn.multiply({1, 2, 3}, {{1}, {10}}) --> [[ 1. 2. 3.] [10. 20. 30.]]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.multiply(x1, x2, out, options) end

cn.mul = cn.multiply

--- Product of x1 and x2; of bools, whether both hold.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 * x2, in place x:multiply_(x2), at positions x:multiply_at(key, x2), along an axis cn.multiply_reduce(x, axis), step by step cn.multiply_accumulate(x, axis), of segments cn.multiply_reduceat(x, positions), of all pairs cn.multiply_outer(x1, x2).
--- Follows numpy.multiply.
---
--- ```lua
--- cn.multiply({1, 2, 3}, {{1}, {10}}) --> [[ 1. 2. 3.] [10. 20. 30.]]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:multiply(x2, out, options) end

--- Product of x1 and x2; of bools, whether both hold. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:multiply_(x2) end

Array.mul = Array.multiply

--- Product of x1 and x2; of bools, whether both hold. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:mul_(x2) end

--- Quotient of x1 and x2; integers are divided as floats.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: the operator x1 / x2, in place x:divide_(x2), at positions x:divide_at(key, x2), along an axis cn.divide_reduce(x, axis), step by step cn.divide_accumulate(x, axis), of segments cn.divide_reduceat(x, positions), of all pairs cn.divide_outer(x1, x2).
--- Follows numpy.divide.
---
--- ```lua
--- cn.divide({1, 3}, 2) --> [0.5 1.5]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.divide(x1, x2, out, options) end

cn.true_divide = cn.divide

cn.div = cn.divide

--- Quotient of x1 and x2; integers are divided as floats.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: the operator x1 / x2, in place x:divide_(x2), at positions x:divide_at(key, x2), along an axis cn.divide_reduce(x, axis), step by step cn.divide_accumulate(x, axis), of segments cn.divide_reduceat(x, positions), of all pairs cn.divide_outer(x1, x2).
--- Follows numpy.divide.
---
--- ```lua
--- cn.divide({1, 3}, 2) --> [0.5 1.5]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:divide(x2, out, options) end

--- Quotient of x1 and x2; integers are divided as floats. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:divide_(x2) end

Array.true_divide = Array.divide

--- Quotient of x1 and x2; integers are divided as floats. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:true_divide_(x2) end

Array.div = Array.divide

--- Quotient of x1 and x2; integers are divided as floats. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:div_(x2) end

--- Quotient of x1 and x2, rounded down; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: in place x:floor_divide_(x2), at positions x:floor_divide_at(key, x2), along an axis cn.floor_divide_reduce(x, axis), step by step cn.floor_divide_accumulate(x, axis), of segments cn.floor_divide_reduceat(x, positions), of all pairs cn.floor_divide_outer(x1, x2).
--- Follows numpy.floor_divide.
---
--- ```lua
--- cn.floor_divide({7, -7}, 2) --> [ 3. -4.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.floor_divide(x1, x2, out, options) end

--- Quotient of x1 and x2, rounded down; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: in place x:floor_divide_(x2), at positions x:floor_divide_at(key, x2), along an axis cn.floor_divide_reduce(x, axis), step by step cn.floor_divide_accumulate(x, axis), of segments cn.floor_divide_reduceat(x, positions), of all pairs cn.floor_divide_outer(x1, x2).
--- Follows numpy.floor_divide.
---
--- ```lua
--- cn.floor_divide({7, -7}, 2) --> [ 3. -4.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:floor_divide(x2, out, options) end

--- Quotient of x1 and x2, rounded down; of integers by 0 it is 0. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:floor_divide_(x2) end

--- Remainder of floor_divide, with the sign of x2; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: the operator x1 % x2, in place x:remainder_(x2), at positions x:remainder_at(key, x2), along an axis cn.remainder_reduce(x, axis), step by step cn.remainder_accumulate(x, axis), of segments cn.remainder_reduceat(x, positions), of all pairs cn.remainder_outer(x1, x2).
--- Follows numpy.remainder.
---
--- ```lua
--- cn.remainder({7, -7}, 3) --> [1. 2.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.remainder(x1, x2, out, options) end

cn.mod = cn.remainder

--- Remainder of floor_divide, with the sign of x2; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: the operator x1 % x2, in place x:remainder_(x2), at positions x:remainder_at(key, x2), along an axis cn.remainder_reduce(x, axis), step by step cn.remainder_accumulate(x, axis), of segments cn.remainder_reduceat(x, positions), of all pairs cn.remainder_outer(x1, x2).
--- Follows numpy.remainder.
---
--- ```lua
--- cn.remainder({7, -7}, 3) --> [1. 2.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:remainder(x2, out, options) end

--- Remainder of floor_divide, with the sign of x2; of integers by 0 it is 0. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:remainder_(x2) end

Array.mod = Array.remainder

--- Remainder of floor_divide, with the sign of x2; of integers by 0 it is 0. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:mod_(x2) end

--- Remainder of the quotient rounded towards 0, with the sign of x1; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: in place x:fmod_(x2), at positions x:fmod_at(key, x2), along an axis cn.fmod_reduce(x, axis), step by step cn.fmod_accumulate(x, axis), of segments cn.fmod_reduceat(x, positions), of all pairs cn.fmod_outer(x1, x2).
--- Follows numpy.fmod.
---
--- ```lua
--- cn.fmod({7, -7}, 3) --> [ 1. -1.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.fmod(x1, x2, out, options) end

--- Remainder of the quotient rounded towards 0, with the sign of x1; of integers by 0 it is 0.
--- Computes with signed integers, unsigned integers, floats.
--- Also: in place x:fmod_(x2), at positions x:fmod_at(key, x2), along an axis cn.fmod_reduce(x, axis), step by step cn.fmod_accumulate(x, axis), of segments cn.fmod_reduceat(x, positions), of all pairs cn.fmod_outer(x1, x2).
--- Follows numpy.fmod.
---
--- ```lua
--- cn.fmod({7, -7}, 3) --> [ 1. -1.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:fmod(x2, out, options) end

--- Remainder of the quotient rounded towards 0, with the sign of x1; of integers by 0 it is 0. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:fmod_(x2) end

--- floor_divide(x1, x2) and remainder(x1, x2).
--- Computes with signed integers, unsigned integers, floats.
--- Also: of all pairs cn.divmod_outer(x1, x2).
--- Follows numpy.divmod.
---
--- ```lua
--- cn.divmod({7, -7}, 2) --> [ 3. -4.], [1. 1.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function cn.divmod(x1, x2, out, options) end

--- floor_divide(x1, x2) and remainder(x1, x2).
--- Computes with signed integers, unsigned integers, floats.
--- Also: of all pairs cn.divmod_outer(x1, x2).
--- Follows numpy.divmod.
---
--- ```lua
--- cn.divmod({7, -7}, 2) --> [ 3. -4.], [1. 1.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function Array:divmod(x2, out, options) end

--- x1 to the power of x2; an integer to a negative power is 0, unless it is 1 or -1, where NumPy raises: float_power has the fractions.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 ^ x2, in place x:power_(x2), at positions x:power_at(key, x2), along an axis cn.power_reduce(x, axis), step by step cn.power_accumulate(x, axis), of segments cn.power_reduceat(x, positions), of all pairs cn.power_outer(x1, x2).
--- Follows numpy.power.
---
--- ```lua
--- cn.power({1, 2, 3}, 2) --> [1. 4. 9.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.power(x1, x2, out, options) end

cn.pow = cn.power

--- x1 to the power of x2; an integer to a negative power is 0, unless it is 1 or -1, where NumPy raises: float_power has the fractions.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: the operator x1 ^ x2, in place x:power_(x2), at positions x:power_at(key, x2), along an axis cn.power_reduce(x, axis), step by step cn.power_accumulate(x, axis), of segments cn.power_reduceat(x, positions), of all pairs cn.power_outer(x1, x2).
--- Follows numpy.power.
---
--- ```lua
--- cn.power({1, 2, 3}, 2) --> [1. 4. 9.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:power(x2, out, options) end

--- x1 to the power of x2; an integer to a negative power is 0, unless it is 1 or -1, where NumPy raises: float_power has the fractions. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:power_(x2) end

Array.pow = Array.power

--- x1 to the power of x2; an integer to a negative power is 0, unless it is 1 or -1, where NumPy raises: float_power has the fractions. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:pow_(x2) end

--- x1 to the power of x2, computed in float64 or complex128.
--- Computes with floats, complex numbers.
--- Also: in place x:float_power_(x2), at positions x:float_power_at(key, x2), along an axis cn.float_power_reduce(x, axis), step by step cn.float_power_accumulate(x, axis), of segments cn.float_power_reduceat(x, positions), of all pairs cn.float_power_outer(x1, x2).
--- Follows numpy.float_power.
---
--- ```lua
--- cn.float_power(cn.array({1, 2}, "int64"), -1) --> [1. 0.5]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.float_power(x1, x2, out, options) end

--- x1 to the power of x2, computed in float64 or complex128.
--- Computes with floats, complex numbers.
--- Also: in place x:float_power_(x2), at positions x:float_power_at(key, x2), along an axis cn.float_power_reduce(x, axis), step by step cn.float_power_accumulate(x, axis), of segments cn.float_power_reduceat(x, positions), of all pairs cn.float_power_outer(x1, x2).
--- Follows numpy.float_power.
---
--- ```lua
--- cn.float_power(cn.array({1, 2}, "int64"), -1) --> [1. 0.5]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:float_power(x2, out, options) end

--- x1 to the power of x2, computed in float64 or complex128. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:float_power_(x2) end

--- -x.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use logical_not or bitwise_invert.
--- Also: the operator -x, in place x:negative_().
--- Follows numpy.negative.
---
--- ```lua
--- cn.negative {1, -2} --> [-1. 2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.negative(x, out, options) end

cn.neg = cn.negative

--- -x.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use logical_not or bitwise_invert.
--- Also: the operator -x, in place x:negative_().
--- Follows numpy.negative.
---
--- ```lua
--- cn.negative {1, -2} --> [-1. 2.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:negative(out, options) end

--- -x. In place.
---@return cuna.Array
function Array:negative_() end

Array.neg = Array.negative

--- -x. In place.
---@return cuna.Array
function Array:neg_() end

--- x, copied.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use copy.
--- Also: in place x:positive_().
--- Follows numpy.positive.
---
--- ```lua
--- cn.positive {1, -2} --> [ 1. -2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.positive(x, out, options) end

--- x, copied.
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use copy.
--- Also: in place x:positive_().
--- Follows numpy.positive.
---
--- ```lua
--- cn.positive {1, -2} --> [ 1. -2.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:positive(out, options) end

--- x, copied. In place.
---@return cuna.Array
function Array:positive_() end

--- |x|; of complex numbers the length, computed without overflow.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:absolute_().
--- Follows numpy.absolute.
---
--- ```lua
--- cn.absolute {-1.5, 2} --> [1.5 2. ]
--- cn.absolute {cn.complex(3, 4)} --> [5.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # real also for complex operands
function cn.absolute(x, out, options) end

cn.abs = cn.absolute

--- |x|; of complex numbers the length, computed without overflow.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:absolute_().
--- Follows numpy.absolute.
---
--- ```lua
--- cn.absolute {-1.5, 2} --> [1.5 2. ]
--- cn.absolute {cn.complex(3, 4)} --> [5.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # real also for complex operands
function Array:absolute(out, options) end

--- |x|; of complex numbers the length, computed without overflow. In place.
---@return cuna.Array
function Array:absolute_() end

Array.abs = Array.absolute

--- |x|; of complex numbers the length, computed without overflow. In place.
---@return cuna.Array
function Array:abs_() end

--- |x| as a float; not for complex numbers.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:fabs_().
--- Follows numpy.fabs.
---
--- ```lua
--- cn.fabs {-1.5, 2} --> [1.5 2. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.fabs(x, out, options) end

--- |x| as a float; not for complex numbers.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:fabs_().
--- Follows numpy.fabs.
---
--- ```lua
--- cn.fabs {-1.5, 2} --> [1.5 2. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:fabs(out, options) end

--- |x| as a float; not for complex numbers. In place.
---@return cuna.Array
function Array:fabs_() end

--- -1, 0 or 1 as x is negative, 0 or positive; NaN of NaN; x / |x| of complex numbers (as NumPy 2).
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use astype('int8').
--- Also: in place x:sign_().
--- Follows numpy.sign.
---
--- ```lua
--- cn.sign {-3, 0, 5} --> [-1. 0. 1.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.sign(x, out, options) end

--- -1, 0 or 1 as x is negative, 0 or positive; NaN of NaN; x / |x| of complex numbers (as NumPy 2).
--- Computes with signed integers, unsigned integers, floats, complex numbers; not for bool: use astype('int8').
--- Also: in place x:sign_().
--- Follows numpy.sign.
---
--- ```lua
--- cn.sign {-3, 0, 5} --> [-1. 0. 1.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sign(out, options) end

--- -1, 0 or 1 as x is negative, 0 or positive; NaN of NaN; x / |x| of complex numbers (as NumPy 2). In place.
---@return cuna.Array
function Array:sign_() end

--- x times x.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:square_().
--- Follows numpy.square.
---
--- ```lua
--- cn.square {1, 2, 3} --> [1. 4. 9.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.square(x, out, options) end

--- x times x.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:square_().
--- Follows numpy.square.
---
--- ```lua
--- cn.square {1, 2, 3} --> [1. 4. 9.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:square(out, options) end

--- x times x. In place.
---@return cuna.Array
function Array:square_() end

--- Square root of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sqrt_().
--- Follows numpy.sqrt.
---
--- ```lua
--- cn.sqrt {1, 4, 9} --> [1. 2. 3.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.sqrt(x, out, options) end

--- Square root of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sqrt_().
--- Follows numpy.sqrt.
---
--- ```lua
--- cn.sqrt {1, 4, 9} --> [1. 2. 3.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sqrt(out, options) end

--- Square root of x. In place.
---@return cuna.Array
function Array:sqrt_() end

--- Cube root of x.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:cbrt_().
--- Follows numpy.cbrt.
---
--- ```lua
--- cn.cbrt {1, 8, 27} --> [1. 2. 3.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.cbrt(x, out, options) end

special.cbrt = cn.cbrt

--- Cube root of x.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:cbrt_().
--- Follows numpy.cbrt.
---
--- ```lua
--- cn.cbrt {1, 8, 27} --> [1. 2. 3.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cbrt(out, options) end

--- Cube root of x. In place.
---@return cuna.Array
function Array:cbrt_() end

--- 1 / sqrt(x).
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:rsqrt_().
--- Follows cupyx.rsqrt.
---
--- ```lua
--- cn.rsqrt {1, 4, 16} --> [1. 0.5 0.25]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.rsqrt(x, out, options) end

--- 1 / sqrt(x).
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:rsqrt_().
--- Follows cupyx.rsqrt.
---
--- ```lua
--- cn.rsqrt {1, 4, 16} --> [1. 0.5 0.25]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:rsqrt(out, options) end

--- 1 / sqrt(x). In place.
---@return cuna.Array
function Array:rsqrt_() end

--- 1 / x; of integers it is 0, unless x is 1 or -1.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:reciprocal_().
--- Follows numpy.reciprocal.
---
--- ```lua
--- cn.reciprocal {1, 2, 4} --> [1. 0.5 0.25]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.reciprocal(x, out, options) end

--- 1 / x; of integers it is 0, unless x is 1 or -1.
--- Computes with signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:reciprocal_().
--- Follows numpy.reciprocal.
---
--- ```lua
--- cn.reciprocal {1, 2, 4} --> [1. 0.5 0.25]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:reciprocal(out, options) end

--- 1 / x; of integers it is 0, unless x is 1 or -1. In place.
---@return cuna.Array
function Array:reciprocal_() end

--- sqrt(x1^2 + x2^2), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:hypot_(x2), at positions x:hypot_at(key, x2), along an axis cn.hypot_reduce(x, axis), step by step cn.hypot_accumulate(x, axis), of segments cn.hypot_reduceat(x, positions), of all pairs cn.hypot_outer(x1, x2).
--- Follows numpy.hypot.
---
--- ```lua
--- cn.hypot(3, {4}) --> [5.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.hypot(x1, x2, out, options) end

--- sqrt(x1^2 + x2^2), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:hypot_(x2), at positions x:hypot_at(key, x2), along an axis cn.hypot_reduce(x, axis), step by step cn.hypot_accumulate(x, axis), of segments cn.hypot_reduceat(x, positions), of all pairs cn.hypot_outer(x1, x2).
--- Follows numpy.hypot.
---
--- ```lua
--- cn.hypot(3, {4}) --> [5.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:hypot(x2, out, options) end

--- sqrt(x1^2 + x2^2), computed without overflow. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:hypot_(x2) end

--- Greatest common divisor of |x1| and |x2|.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:gcd_(x2), at positions x:gcd_at(key, x2), along an axis cn.gcd_reduce(x, axis), step by step cn.gcd_accumulate(x, axis), of segments cn.gcd_reduceat(x, positions), of all pairs cn.gcd_outer(x1, x2).
--- Follows numpy.gcd.
---
--- ```lua
--- cn.gcd(cn.array({12, 18}, "int64"), 8) --> [4 2]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.gcd(x1, x2, out, options) end

--- Greatest common divisor of |x1| and |x2|.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:gcd_(x2), at positions x:gcd_at(key, x2), along an axis cn.gcd_reduce(x, axis), step by step cn.gcd_accumulate(x, axis), of segments cn.gcd_reduceat(x, positions), of all pairs cn.gcd_outer(x1, x2).
--- Follows numpy.gcd.
---
--- ```lua
--- cn.gcd(cn.array({12, 18}, "int64"), 8) --> [4 2]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:gcd(x2, out, options) end

--- Greatest common divisor of |x1| and |x2|. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:gcd_(x2) end

--- Least common multiple of |x1| and |x2|.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:lcm_(x2), at positions x:lcm_at(key, x2), along an axis cn.lcm_reduce(x, axis), step by step cn.lcm_accumulate(x, axis), of segments cn.lcm_reduceat(x, positions), of all pairs cn.lcm_outer(x1, x2).
--- Follows numpy.lcm.
---
--- ```lua
--- cn.lcm(cn.array({4, 6}, "int64"), 6) --> [12 6]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.lcm(x1, x2, out, options) end

--- Least common multiple of |x1| and |x2|.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:lcm_(x2), at positions x:lcm_at(key, x2), along an axis cn.lcm_reduce(x, axis), step by step cn.lcm_accumulate(x, axis), of segments cn.lcm_reduceat(x, positions), of all pairs cn.lcm_outer(x1, x2).
--- Follows numpy.lcm.
---
--- ```lua
--- cn.lcm(cn.array({4, 6}, "int64"), 6) --> [12 6]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:lcm(x2, out, options) end

--- Least common multiple of |x1| and |x2|. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:lcm_(x2) end

--- e to the power of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:exp_().
--- Follows numpy.exp.
---
--- ```lua
--- cn.exp {0, 1, 2} --> [1. 2.71828183 7.3890561 ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.exp(x, out, options) end

--- e to the power of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:exp_().
--- Follows numpy.exp.
---
--- ```lua
--- cn.exp {0, 1, 2} --> [1. 2.71828183 7.3890561 ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:exp(out, options) end

--- e to the power of x. In place.
---@return cuna.Array
function Array:exp_() end

--- 2 to the power of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:exp2_().
--- Follows numpy.exp2.
---
--- ```lua
--- cn.exp2 {0, 1, 3} --> [1. 2. 8.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.exp2(x, out, options) end

special.exp2 = cn.exp2

--- 2 to the power of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:exp2_().
--- Follows numpy.exp2.
---
--- ```lua
--- cn.exp2 {0, 1, 3} --> [1. 2. 8.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:exp2(out, options) end

--- 2 to the power of x. In place.
---@return cuna.Array
function Array:exp2_() end

--- exp(x) - 1, also exact for small x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:expm1_().
--- Follows numpy.expm1.
---
--- ```lua
--- cn.expm1 {0, 1e-10} --> [0.e+00 1.e-10]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.expm1(x, out, options) end

special.expm1 = cn.expm1

--- exp(x) - 1, also exact for small x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:expm1_().
--- Follows numpy.expm1.
---
--- ```lua
--- cn.expm1 {0, 1e-10} --> [0.e+00 1.e-10]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:expm1(out, options) end

--- exp(x) - 1, also exact for small x. In place.
---@return cuna.Array
function Array:expm1_() end

--- Natural logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log_().
--- Follows numpy.log.
---
--- ```lua
--- cn.log {1, cn.e, 10} --> [0. 1. 2.30258509]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.log(x, out, options) end

--- Natural logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log_().
--- Follows numpy.log.
---
--- ```lua
--- cn.log {1, cn.e, 10} --> [0. 1. 2.30258509]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log(out, options) end

--- Natural logarithm of x. In place.
---@return cuna.Array
function Array:log_() end

--- Base-2 logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log2_().
--- Follows numpy.log2.
---
--- ```lua
--- cn.log2 {1, 2, 8} --> [0. 1. 3.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.log2(x, out, options) end

--- Base-2 logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log2_().
--- Follows numpy.log2.
---
--- ```lua
--- cn.log2 {1, 2, 8} --> [0. 1. 3.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log2(out, options) end

--- Base-2 logarithm of x. In place.
---@return cuna.Array
function Array:log2_() end

--- Base-10 logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log10_().
--- Follows numpy.log10.
---
--- ```lua
--- cn.log10 {1, 10, 1000} --> [0. 1. 3.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.log10(x, out, options) end

--- Base-10 logarithm of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log10_().
--- Follows numpy.log10.
---
--- ```lua
--- cn.log10 {1, 10, 1000} --> [0. 1. 3.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log10(out, options) end

--- Base-10 logarithm of x. In place.
---@return cuna.Array
function Array:log10_() end

--- log(1 + x), also exact for small x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log1p_().
--- Follows numpy.log1p.
---
--- ```lua
--- cn.log1p {0, 1e-10} --> [0.e+00 1.e-10]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.log1p(x, out, options) end

special.log1p = cn.log1p

--- log(1 + x), also exact for small x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:log1p_().
--- Follows numpy.log1p.
---
--- ```lua
--- cn.log1p {0, 1e-10} --> [0.e+00 1.e-10]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:log1p(out, options) end

--- log(1 + x), also exact for small x. In place.
---@return cuna.Array
function Array:log1p_() end

--- log(exp(x1) + exp(x2)), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:logaddexp_(x2), at positions x:logaddexp_at(key, x2), along an axis cn.logaddexp_reduce(x, axis), step by step cn.logaddexp_accumulate(x, axis), of segments cn.logaddexp_reduceat(x, positions), of all pairs cn.logaddexp_outer(x1, x2).
--- Follows numpy.logaddexp.
---
--- ```lua
--- cn.logaddexp({0}, {0}) --> [0.69314718]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.logaddexp(x1, x2, out, options) end

--- log(exp(x1) + exp(x2)), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:logaddexp_(x2), at positions x:logaddexp_at(key, x2), along an axis cn.logaddexp_reduce(x, axis), step by step cn.logaddexp_accumulate(x, axis), of segments cn.logaddexp_reduceat(x, positions), of all pairs cn.logaddexp_outer(x1, x2).
--- Follows numpy.logaddexp.
---
--- ```lua
--- cn.logaddexp({0}, {0}) --> [0.69314718]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:logaddexp(x2, out, options) end

--- log(exp(x1) + exp(x2)), computed without overflow. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:logaddexp_(x2) end

--- log2(2^x1 + 2^x2), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:logaddexp2_(x2), at positions x:logaddexp2_at(key, x2), along an axis cn.logaddexp2_reduce(x, axis), step by step cn.logaddexp2_accumulate(x, axis), of segments cn.logaddexp2_reduceat(x, positions), of all pairs cn.logaddexp2_outer(x1, x2).
--- Follows numpy.logaddexp2.
---
--- ```lua
--- cn.logaddexp2({3}, {3}) --> [4.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.logaddexp2(x1, x2, out, options) end

--- log2(2^x1 + 2^x2), computed without overflow.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:logaddexp2_(x2), at positions x:logaddexp2_at(key, x2), along an axis cn.logaddexp2_reduce(x, axis), step by step cn.logaddexp2_accumulate(x, axis), of segments cn.logaddexp2_reduceat(x, positions), of all pairs cn.logaddexp2_outer(x1, x2).
--- Follows numpy.logaddexp2.
---
--- ```lua
--- cn.logaddexp2({3}, {3}) --> [4.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:logaddexp2(x2, out, options) end

--- log2(2^x1 + 2^x2), computed without overflow. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:logaddexp2_(x2) end

--- Sine of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sin_().
--- Follows numpy.sin.
---
--- ```lua
--- cn.sin {0, cn.pi / 6, cn.pi / 2} --> [0. 0.5 1. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.sin(x, out, options) end

--- Sine of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sin_().
--- Follows numpy.sin.
---
--- ```lua
--- cn.sin {0, cn.pi / 6, cn.pi / 2} --> [0. 0.5 1. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sin(out, options) end

--- Sine of x radians. In place.
---@return cuna.Array
function Array:sin_() end

--- Cosine of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:cos_().
--- Follows numpy.cos.
---
--- ```lua
--- cn.cos {0, cn.pi / 3} --> [1. 0.5]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.cos(x, out, options) end

--- Cosine of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:cos_().
--- Follows numpy.cos.
---
--- ```lua
--- cn.cos {0, cn.pi / 3} --> [1. 0.5]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cos(out, options) end

--- Cosine of x radians. In place.
---@return cuna.Array
function Array:cos_() end

--- Tangent of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:tan_().
--- Follows numpy.tan.
---
--- ```lua
--- cn.tan {0, cn.pi / 4} --> [0. 1.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.tan(x, out, options) end

--- Tangent of x radians.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:tan_().
--- Follows numpy.tan.
---
--- ```lua
--- cn.tan {0, cn.pi / 4} --> [0. 1.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:tan(out, options) end

--- Tangent of x radians. In place.
---@return cuna.Array
function Array:tan_() end

--- Angle in radians whose sine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arcsin_().
--- Follows numpy.arcsin.
---
--- ```lua
--- cn.arcsin {0, 1} --> [0. 1.57079633]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arcsin(x, out, options) end

cn.asin = cn.arcsin

--- Angle in radians whose sine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arcsin_().
--- Follows numpy.arcsin.
---
--- ```lua
--- cn.arcsin {0, 1} --> [0. 1.57079633]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arcsin(out, options) end

--- Angle in radians whose sine is x. In place.
---@return cuna.Array
function Array:arcsin_() end

Array.asin = Array.arcsin

--- Angle in radians whose sine is x. In place.
---@return cuna.Array
function Array:asin_() end

--- Angle in radians whose cosine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arccos_().
--- Follows numpy.arccos.
---
--- ```lua
--- cn.arccos {1, 0} --> [0. 1.57079633]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arccos(x, out, options) end

cn.acos = cn.arccos

--- Angle in radians whose cosine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arccos_().
--- Follows numpy.arccos.
---
--- ```lua
--- cn.arccos {1, 0} --> [0. 1.57079633]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arccos(out, options) end

--- Angle in radians whose cosine is x. In place.
---@return cuna.Array
function Array:arccos_() end

Array.acos = Array.arccos

--- Angle in radians whose cosine is x. In place.
---@return cuna.Array
function Array:acos_() end

--- Angle in radians whose tangent is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arctan_().
--- Follows numpy.arctan.
---
--- ```lua
--- cn.arctan {0, 1} --> [0. 0.78539816]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arctan(x, out, options) end

cn.atan = cn.arctan

--- Angle in radians whose tangent is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arctan_().
--- Follows numpy.arctan.
---
--- ```lua
--- cn.arctan {0, 1} --> [0. 0.78539816]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arctan(out, options) end

--- Angle in radians whose tangent is x. In place.
---@return cuna.Array
function Array:arctan_() end

Array.atan = Array.arctan

--- Angle in radians whose tangent is x. In place.
---@return cuna.Array
function Array:atan_() end

--- Angle in radians of the point (x2, x1), from -pi to pi.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:arctan2_(x2), at positions x:arctan2_at(key, x2), along an axis cn.arctan2_reduce(x, axis), step by step cn.arctan2_accumulate(x, axis), of segments cn.arctan2_reduceat(x, positions), of all pairs cn.arctan2_outer(x1, x2).
--- Follows numpy.arctan2.
---
--- ```lua
--- cn.arctan2({1, -1}, {1, -1}) --> [ 0.78539816 -2.35619449]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arctan2(x1, x2, out, options) end

cn.atan2 = cn.arctan2

--- Angle in radians of the point (x2, x1), from -pi to pi.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:arctan2_(x2), at positions x:arctan2_at(key, x2), along an axis cn.arctan2_reduce(x, axis), step by step cn.arctan2_accumulate(x, axis), of segments cn.arctan2_reduceat(x, positions), of all pairs cn.arctan2_outer(x1, x2).
--- Follows numpy.arctan2.
---
--- ```lua
--- cn.arctan2({1, -1}, {1, -1}) --> [ 0.78539816 -2.35619449]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arctan2(x2, out, options) end

--- Angle in radians of the point (x2, x1), from -pi to pi. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:arctan2_(x2) end

Array.atan2 = Array.arctan2

--- Angle in radians of the point (x2, x1), from -pi to pi. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:atan2_(x2) end

--- Hyperbolic sine of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sinh_().
--- Follows numpy.sinh.
---
--- ```lua
--- cn.sinh {0, 1} --> [0. 1.17520119]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.sinh(x, out, options) end

--- Hyperbolic sine of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:sinh_().
--- Follows numpy.sinh.
---
--- ```lua
--- cn.sinh {0, 1} --> [0. 1.17520119]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sinh(out, options) end

--- Hyperbolic sine of x. In place.
---@return cuna.Array
function Array:sinh_() end

--- Hyperbolic cosine of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:cosh_().
--- Follows numpy.cosh.
---
--- ```lua
--- cn.cosh {0, 1} --> [1. 1.54308063]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.cosh(x, out, options) end

--- Hyperbolic cosine of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:cosh_().
--- Follows numpy.cosh.
---
--- ```lua
--- cn.cosh {0, 1} --> [1. 1.54308063]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:cosh(out, options) end

--- Hyperbolic cosine of x. In place.
---@return cuna.Array
function Array:cosh_() end

--- Hyperbolic tangent of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:tanh_().
--- Follows numpy.tanh.
---
--- ```lua
--- cn.tanh {0, 1, 100} --> [0. 0.76159416 1. ]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.tanh(x, out, options) end

--- Hyperbolic tangent of x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:tanh_().
--- Follows numpy.tanh.
---
--- ```lua
--- cn.tanh {0, 1, 100} --> [0. 0.76159416 1. ]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:tanh(out, options) end

--- Hyperbolic tangent of x. In place.
---@return cuna.Array
function Array:tanh_() end

--- Number whose hyperbolic sine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arcsinh_().
--- Follows numpy.arcsinh.
---
--- ```lua
--- cn.arcsinh {0, 1} --> [0. 0.88137359]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arcsinh(x, out, options) end

cn.asinh = cn.arcsinh

--- Number whose hyperbolic sine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arcsinh_().
--- Follows numpy.arcsinh.
---
--- ```lua
--- cn.arcsinh {0, 1} --> [0. 0.88137359]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arcsinh(out, options) end

--- Number whose hyperbolic sine is x. In place.
---@return cuna.Array
function Array:arcsinh_() end

Array.asinh = Array.arcsinh

--- Number whose hyperbolic sine is x. In place.
---@return cuna.Array
function Array:asinh_() end

--- Number whose hyperbolic cosine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arccosh_().
--- Follows numpy.arccosh.
---
--- ```lua
--- cn.arccosh {1, 2} --> [0. 1.3169579]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arccosh(x, out, options) end

cn.acosh = cn.arccosh

--- Number whose hyperbolic cosine is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arccosh_().
--- Follows numpy.arccosh.
---
--- ```lua
--- cn.arccosh {1, 2} --> [0. 1.3169579]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arccosh(out, options) end

--- Number whose hyperbolic cosine is x. In place.
---@return cuna.Array
function Array:arccosh_() end

Array.acosh = Array.arccosh

--- Number whose hyperbolic cosine is x. In place.
---@return cuna.Array
function Array:acosh_() end

--- Number whose hyperbolic tangent is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arctanh_().
--- Follows numpy.arctanh.
---
--- ```lua
--- cn.arctanh {0, 0.5} --> [0. 0.54930614]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.arctanh(x, out, options) end

cn.atanh = cn.arctanh

--- Number whose hyperbolic tangent is x.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:arctanh_().
--- Follows numpy.arctanh.
---
--- ```lua
--- cn.arctanh {0, 0.5} --> [0. 0.54930614]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:arctanh(out, options) end

--- Number whose hyperbolic tangent is x. In place.
---@return cuna.Array
function Array:arctanh_() end

Array.atanh = Array.arctanh

--- Number whose hyperbolic tangent is x. In place.
---@return cuna.Array
function Array:atanh_() end

--- Degrees as radians.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:deg2rad_().
--- Follows numpy.deg2rad.
---
--- ```lua
--- cn.deg2rad {90, 180} --> [1.57079633 3.14159265]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.deg2rad(x, out, options) end

cn.radians = cn.deg2rad

--- Degrees as radians.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:deg2rad_().
--- Follows numpy.deg2rad.
---
--- ```lua
--- cn.deg2rad {90, 180} --> [1.57079633 3.14159265]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:deg2rad(out, options) end

--- Degrees as radians. In place.
---@return cuna.Array
function Array:deg2rad_() end

Array.radians = Array.deg2rad

--- Degrees as radians. In place.
---@return cuna.Array
function Array:radians_() end

--- Radians as degrees.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:rad2deg_().
--- Follows numpy.rad2deg.
---
--- ```lua
--- cn.rad2deg {cn.pi / 2, cn.pi} --> [ 90. 180.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.rad2deg(x, out, options) end

cn.degrees = cn.rad2deg

--- Radians as degrees.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:rad2deg_().
--- Follows numpy.rad2deg.
---
--- ```lua
--- cn.rad2deg {cn.pi / 2, cn.pi} --> [ 90. 180.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:rad2deg(out, options) end

--- Radians as degrees. In place.
---@return cuna.Array
function Array:rad2deg_() end

Array.degrees = Array.rad2deg

--- Radians as degrees. In place.
---@return cuna.Array
function Array:degrees_() end

--- sin(pi x) / (pi x), and 1 at 0.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:sinc_().
--- Follows numpy.sinc.
---
--- ```lua
--- cn.sinc {0, 0.5} --> [1. 0.63661977]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.sinc(x, out, options) end

special.sinc = cn.sinc

--- sin(pi x) / (pi x), and 1 at 0.
--- Computes with floats, complex numbers. Integers and bools become the default float.
--- Also: in place x:sinc_().
--- Follows numpy.sinc.
---
--- ```lua
--- cn.sinc {0, 0.5} --> [1. 0.63661977]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:sinc(out, options) end

--- sin(pi x) / (pi x), and 1 at 0. In place.
---@return cuna.Array
function Array:sinc_() end

--- Modified Bessel function of the first kind, of order 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i0_().
--- Follows numpy.i0.
---
--- ```lua
--- cn.i0 {0, 1} --> [1. 1.26606588]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.i0(x, out, options) end

special.i0 = cn.i0

--- Modified Bessel function of the first kind, of order 0.
--- Computes with floats. Integers and bools become the default float.
--- Also: in place x:i0_().
--- Follows numpy.i0.
---
--- ```lua
--- cn.i0 {0, 1} --> [1. 1.26606588]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:i0(out, options) end

--- Modified Bessel function of the first kind, of order 0. In place.
---@return cuna.Array
function Array:i0_() end

--- Greatest integer not above x.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:floor_().
--- Follows numpy.floor.
---
--- ```lua
--- cn.floor {-1.5, 1.5} --> [-2. 1.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.floor(x, out, options) end

--- Greatest integer not above x.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:floor_().
--- Follows numpy.floor.
---
--- ```lua
--- cn.floor {-1.5, 1.5} --> [-2. 1.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:floor(out, options) end

--- Greatest integer not above x. In place.
---@return cuna.Array
function Array:floor_() end

--- Least integer not below x.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:ceil_().
--- Follows numpy.ceil.
---
--- ```lua
--- cn.ceil {-1.5, 1.5} --> [-1. 2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.ceil(x, out, options) end

--- Least integer not below x.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:ceil_().
--- Follows numpy.ceil.
---
--- ```lua
--- cn.ceil {-1.5, 1.5} --> [-1. 2.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ceil(out, options) end

--- Least integer not below x. In place.
---@return cuna.Array
function Array:ceil_() end

--- x without its fraction.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:trunc_().
--- Follows numpy.trunc.
---
--- ```lua
--- cn.trunc {-1.5, 1.5} --> [-1. 1.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.trunc(x, out, options) end

cn.fix = cn.trunc

--- x without its fraction.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Also: in place x:trunc_().
--- Follows numpy.trunc.
---
--- ```lua
--- cn.trunc {-1.5, 1.5} --> [-1. 1.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:trunc(out, options) end

--- x without its fraction. In place.
---@return cuna.Array
function Array:trunc_() end

Array.fix = Array.trunc

--- x without its fraction. In place.
---@return cuna.Array
function Array:fix_() end

--- Nearest integer as a float; halves to even.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:rint_().
--- Follows numpy.rint.
---
--- ```lua
--- cn.rint {0.5, 1.5, 2.4} --> [0. 2. 2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.rint(x, out, options) end

--- Nearest integer as a float; halves to even.
--- Computes with floats, complex numbers. Integers and bools become floats.
--- Also: in place x:rint_().
--- Follows numpy.rint.
---
--- ```lua
--- cn.rint {0.5, 1.5, 2.4} --> [0. 2. 2.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:rint(out, options) end

--- Nearest integer as a float; halves to even. In place.
---@return cuna.Array
function Array:rint_() end

--- x rounded to the given number of decimals; negative ones count left of the point.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.round.
---
--- ```lua
--- cn.round_decimals({3.14159, 1234}, cn.array({2, -2}, "int32")) --> [ 3.14 1200. ]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.round_decimals(x1, x2, out, options) end

--- The greater of x1 and x2, or NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:maximum_(x2), at positions x:maximum_at(key, x2), along an axis cn.maximum_reduce(x, axis), step by step cn.maximum_accumulate(x, axis), of segments cn.maximum_reduceat(x, positions), of all pairs cn.maximum_outer(x1, x2).
--- Follows numpy.maximum.
---
--- ```lua
--- cn.maximum({1, 5}, {3, 2}) --> [3. 5.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.maximum(x1, x2, out, options) end

--- The greater of x1 and x2, or NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:maximum_(x2), at positions x:maximum_at(key, x2), along an axis cn.maximum_reduce(x, axis), step by step cn.maximum_accumulate(x, axis), of segments cn.maximum_reduceat(x, positions), of all pairs cn.maximum_outer(x1, x2).
--- Follows numpy.maximum.
---
--- ```lua
--- cn.maximum({1, 5}, {3, 2}) --> [3. 5.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:maximum(x2, out, options) end

--- The greater of x1 and x2, or NaN. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:maximum_(x2) end

--- The lesser of x1 and x2, or NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:minimum_(x2), at positions x:minimum_at(key, x2), along an axis cn.minimum_reduce(x, axis), step by step cn.minimum_accumulate(x, axis), of segments cn.minimum_reduceat(x, positions), of all pairs cn.minimum_outer(x1, x2).
--- Follows numpy.minimum.
---
--- ```lua
--- cn.minimum({1, 5}, {3, 2}) --> [1. 2.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.minimum(x1, x2, out, options) end

--- The lesser of x1 and x2, or NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:minimum_(x2), at positions x:minimum_at(key, x2), along an axis cn.minimum_reduce(x, axis), step by step cn.minimum_accumulate(x, axis), of segments cn.minimum_reduceat(x, positions), of all pairs cn.minimum_outer(x1, x2).
--- Follows numpy.minimum.
---
--- ```lua
--- cn.minimum({1, 5}, {3, 2}) --> [1. 2.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:minimum(x2, out, options) end

--- The lesser of x1 and x2, or NaN. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:minimum_(x2) end

--- The greater of x1 and x2, ignoring NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:fmax_(x2), at positions x:fmax_at(key, x2), along an axis cn.fmax_reduce(x, axis), step by step cn.fmax_accumulate(x, axis), of segments cn.fmax_reduceat(x, positions), of all pairs cn.fmax_outer(x1, x2).
--- Follows numpy.fmax.
---
--- ```lua
--- cn.fmax({1, cn.nan}, {3, 2}) --> [3. 2.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.fmax(x1, x2, out, options) end

--- The greater of x1 and x2, ignoring NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:fmax_(x2), at positions x:fmax_at(key, x2), along an axis cn.fmax_reduce(x, axis), step by step cn.fmax_accumulate(x, axis), of segments cn.fmax_reduceat(x, positions), of all pairs cn.fmax_outer(x1, x2).
--- Follows numpy.fmax.
---
--- ```lua
--- cn.fmax({1, cn.nan}, {3, 2}) --> [3. 2.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:fmax(x2, out, options) end

--- The greater of x1 and x2, ignoring NaN. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:fmax_(x2) end

--- The lesser of x1 and x2, ignoring NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:fmin_(x2), at positions x:fmin_at(key, x2), along an axis cn.fmin_reduce(x, axis), step by step cn.fmin_accumulate(x, axis), of segments cn.fmin_reduceat(x, positions), of all pairs cn.fmin_outer(x1, x2).
--- Follows numpy.fmin.
---
--- ```lua
--- cn.fmin({1, cn.nan}, {3, 2}) --> [1. 2.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.fmin(x1, x2, out, options) end

--- The lesser of x1 and x2, ignoring NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:fmin_(x2), at positions x:fmin_at(key, x2), along an axis cn.fmin_reduce(x, axis), step by step cn.fmin_accumulate(x, axis), of segments cn.fmin_reduceat(x, positions), of all pairs cn.fmin_outer(x1, x2).
--- Follows numpy.fmin.
---
--- ```lua
--- cn.fmin({1, cn.nan}, {3, 2}) --> [1. 2.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:fmin(x2, out, options) end

--- The lesser of x1 and x2, ignoring NaN. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:fmin_(x2) end

--- 0 where x1 is negative, 1 where it is positive, x2 where it is 0.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:heaviside_(x2), at positions x:heaviside_at(key, x2), along an axis cn.heaviside_reduce(x, axis), step by step cn.heaviside_accumulate(x, axis), of segments cn.heaviside_reduceat(x, positions), of all pairs cn.heaviside_outer(x1, x2).
--- Follows numpy.heaviside.
---
--- ```lua
--- cn.heaviside({-2, 0, 3}, 0.5) --> [0. 0.5 1. ]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.heaviside(x1, x2, out, options) end

--- 0 where x1 is negative, 1 where it is positive, x2 where it is 0.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:heaviside_(x2), at positions x:heaviside_at(key, x2), along an axis cn.heaviside_reduce(x, axis), step by step cn.heaviside_accumulate(x, axis), of segments cn.heaviside_reduceat(x, positions), of all pairs cn.heaviside_outer(x1, x2).
--- Follows numpy.heaviside.
---
--- ```lua
--- cn.heaviside({-2, 0, 3}, 0.5) --> [0. 0.5 1. ]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:heaviside(x2, out, options) end

--- 0 where x1 is negative, 1 where it is positive, x2 where it is 0. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:heaviside_(x2) end

--- Whether x1 = x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.equal_reduce(x, axis), step by step cn.equal_accumulate(x, axis), of segments cn.equal_reduceat(x, positions), of all pairs cn.equal_outer(x1, x2).
--- Follows numpy.equal.
---
--- ```lua
--- cn.equal({1, 2, 3}, 2) --> [False True False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.equal(x1, x2, out, options) end

cn.eq = cn.equal

--- Whether x1 = x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.equal_reduce(x, axis), step by step cn.equal_accumulate(x, axis), of segments cn.equal_reduceat(x, positions), of all pairs cn.equal_outer(x1, x2).
--- Follows numpy.equal.
---
--- ```lua
--- cn.equal({1, 2, 3}, 2) --> [False True False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:equal(x2, out, options) end

Array.eq = Array.equal

--- Whether x1 and x2 differ.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.not_equal_reduce(x, axis), step by step cn.not_equal_accumulate(x, axis), of segments cn.not_equal_reduceat(x, positions), of all pairs cn.not_equal_outer(x1, x2).
--- Follows numpy.not_equal.
---
--- ```lua
--- cn.not_equal({1, 2, 3}, 2) --> [ True False True]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.not_equal(x1, x2, out, options) end

cn.ne = cn.not_equal

--- Whether x1 and x2 differ.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.not_equal_reduce(x, axis), step by step cn.not_equal_accumulate(x, axis), of segments cn.not_equal_reduceat(x, positions), of all pairs cn.not_equal_outer(x1, x2).
--- Follows numpy.not_equal.
---
--- ```lua
--- cn.not_equal({1, 2, 3}, 2) --> [ True False True]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:not_equal(x2, out, options) end

Array.ne = Array.not_equal

--- Whether x1 < x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.less_reduce(x, axis), step by step cn.less_accumulate(x, axis), of segments cn.less_reduceat(x, positions), of all pairs cn.less_outer(x1, x2).
--- Follows numpy.less.
---
--- ```lua
--- cn.less({1, 2, 3}, 2) --> [ True False False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.less(x1, x2, out, options) end

cn.lt = cn.less

--- Whether x1 < x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.less_reduce(x, axis), step by step cn.less_accumulate(x, axis), of segments cn.less_reduceat(x, positions), of all pairs cn.less_outer(x1, x2).
--- Follows numpy.less.
---
--- ```lua
--- cn.less({1, 2, 3}, 2) --> [ True False False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:less(x2, out, options) end

Array.lt = Array.less

--- Whether x1 <= x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.less_equal_reduce(x, axis), step by step cn.less_equal_accumulate(x, axis), of segments cn.less_equal_reduceat(x, positions), of all pairs cn.less_equal_outer(x1, x2).
--- Follows numpy.less_equal.
---
--- ```lua
--- cn.less_equal({1, 2, 3}, 2) --> [ True True False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.less_equal(x1, x2, out, options) end

cn.le = cn.less_equal

--- Whether x1 <= x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.less_equal_reduce(x, axis), step by step cn.less_equal_accumulate(x, axis), of segments cn.less_equal_reduceat(x, positions), of all pairs cn.less_equal_outer(x1, x2).
--- Follows numpy.less_equal.
---
--- ```lua
--- cn.less_equal({1, 2, 3}, 2) --> [ True True False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:less_equal(x2, out, options) end

Array.le = Array.less_equal

--- Whether x1 > x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.greater_reduce(x, axis), step by step cn.greater_accumulate(x, axis), of segments cn.greater_reduceat(x, positions), of all pairs cn.greater_outer(x1, x2).
--- Follows numpy.greater.
---
--- ```lua
--- cn.greater({1, 2, 3}, 2) --> [False False True]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.greater(x1, x2, out, options) end

cn.gt = cn.greater

--- Whether x1 > x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.greater_reduce(x, axis), step by step cn.greater_accumulate(x, axis), of segments cn.greater_reduceat(x, positions), of all pairs cn.greater_outer(x1, x2).
--- Follows numpy.greater.
---
--- ```lua
--- cn.greater({1, 2, 3}, 2) --> [False False True]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:greater(x2, out, options) end

Array.gt = Array.greater

--- Whether x1 >= x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.greater_equal_reduce(x, axis), step by step cn.greater_equal_accumulate(x, axis), of segments cn.greater_equal_reduceat(x, positions), of all pairs cn.greater_equal_outer(x1, x2).
--- Follows numpy.greater_equal.
---
--- ```lua
--- cn.greater_equal({1, 2, 3}, 2) --> [False True True]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.greater_equal(x1, x2, out, options) end

cn.ge = cn.greater_equal

--- Whether x1 >= x2.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.greater_equal_reduce(x, axis), step by step cn.greater_equal_accumulate(x, axis), of segments cn.greater_equal_reduceat(x, positions), of all pairs cn.greater_equal_outer(x1, x2).
--- Follows numpy.greater_equal.
---
--- ```lua
--- cn.greater_equal({1, 2, 3}, 2) --> [False True True]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:greater_equal(x2, out, options) end

Array.ge = Array.greater_equal

--- Whether x1 and x2 are both not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_and_reduce(x, axis), step by step cn.logical_and_accumulate(x, axis), of segments cn.logical_and_reduceat(x, positions), of all pairs cn.logical_and_outer(x1, x2).
--- Follows numpy.logical_and.
---
--- ```lua
--- cn.logical_and({1, 1, 0}, {1, 0, 0}) --> [ True False False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.logical_and(x1, x2, out, options) end

--- Whether x1 and x2 are both not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_and_reduce(x, axis), step by step cn.logical_and_accumulate(x, axis), of segments cn.logical_and_reduceat(x, positions), of all pairs cn.logical_and_outer(x1, x2).
--- Follows numpy.logical_and.
---
--- ```lua
--- cn.logical_and({1, 1, 0}, {1, 0, 0}) --> [ True False False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:logical_and(x2, out, options) end

--- Whether x1 or x2 is not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_or_reduce(x, axis), step by step cn.logical_or_accumulate(x, axis), of segments cn.logical_or_reduceat(x, positions), of all pairs cn.logical_or_outer(x1, x2).
--- Follows numpy.logical_or.
---
--- ```lua
--- cn.logical_or({1, 1, 0}, {1, 0, 0}) --> [ True True False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.logical_or(x1, x2, out, options) end

--- Whether x1 or x2 is not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_or_reduce(x, axis), step by step cn.logical_or_accumulate(x, axis), of segments cn.logical_or_reduceat(x, positions), of all pairs cn.logical_or_outer(x1, x2).
--- Follows numpy.logical_or.
---
--- ```lua
--- cn.logical_or({1, 1, 0}, {1, 0, 0}) --> [ True True False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:logical_or(x2, out, options) end

--- Whether exactly one is not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_xor_reduce(x, axis), step by step cn.logical_xor_accumulate(x, axis), of segments cn.logical_xor_reduceat(x, positions), of all pairs cn.logical_xor_outer(x1, x2).
--- Follows numpy.logical_xor.
---
--- ```lua
--- cn.logical_xor({1, 1, 0}, {1, 0, 0}) --> [False True False]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.logical_xor(x1, x2, out, options) end

--- Whether exactly one is not 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: along an axis cn.logical_xor_reduce(x, axis), step by step cn.logical_xor_accumulate(x, axis), of segments cn.logical_xor_reduceat(x, positions), of all pairs cn.logical_xor_outer(x1, x2).
--- Follows numpy.logical_xor.
---
--- ```lua
--- cn.logical_xor({1, 1, 0}, {1, 0, 0}) --> [False True False]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:logical_xor(x2, out, options) end

--- Whether x is 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.logical_not.
---
--- ```lua
--- cn.logical_not {1, 0} --> [False True]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.logical_not(x, out, options) end

--- Whether x is 0.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.logical_not.
---
--- ```lua
--- cn.logical_not {1, 0} --> [False True]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:logical_not(out, options) end

--- Bits set in both.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_and_(x2), at positions x:bitwise_and_at(key, x2), along an axis cn.bitwise_and_reduce(x, axis), step by step cn.bitwise_and_accumulate(x, axis), of segments cn.bitwise_and_reduceat(x, positions), of all pairs cn.bitwise_and_outer(x1, x2).
--- Follows numpy.bitwise_and.
---
--- ```lua
--- cn.bitwise_and(cn.array({12, 10}, "int64"), 6) --> [4 2]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.bitwise_and(x1, x2, out, options) end

cn.band = cn.bitwise_and

--- Bits set in both.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_and_(x2), at positions x:bitwise_and_at(key, x2), along an axis cn.bitwise_and_reduce(x, axis), step by step cn.bitwise_and_accumulate(x, axis), of segments cn.bitwise_and_reduceat(x, positions), of all pairs cn.bitwise_and_outer(x1, x2).
--- Follows numpy.bitwise_and.
---
--- ```lua
--- cn.bitwise_and(cn.array({12, 10}, "int64"), 6) --> [4 2]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:bitwise_and(x2, out, options) end

--- Bits set in both. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bitwise_and_(x2) end

Array.band = Array.bitwise_and

--- Bits set in both. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:band_(x2) end

--- Bits set in either.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_or_(x2), at positions x:bitwise_or_at(key, x2), along an axis cn.bitwise_or_reduce(x, axis), step by step cn.bitwise_or_accumulate(x, axis), of segments cn.bitwise_or_reduceat(x, positions), of all pairs cn.bitwise_or_outer(x1, x2).
--- Follows numpy.bitwise_or.
---
--- ```lua
--- cn.bitwise_or(cn.array({12, 10}, "int64"), 6) --> [14 14]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.bitwise_or(x1, x2, out, options) end

cn.bor = cn.bitwise_or

--- Bits set in either.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_or_(x2), at positions x:bitwise_or_at(key, x2), along an axis cn.bitwise_or_reduce(x, axis), step by step cn.bitwise_or_accumulate(x, axis), of segments cn.bitwise_or_reduceat(x, positions), of all pairs cn.bitwise_or_outer(x1, x2).
--- Follows numpy.bitwise_or.
---
--- ```lua
--- cn.bitwise_or(cn.array({12, 10}, "int64"), 6) --> [14 14]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:bitwise_or(x2, out, options) end

--- Bits set in either. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bitwise_or_(x2) end

Array.bor = Array.bitwise_or

--- Bits set in either. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bor_(x2) end

--- Bits set in one only.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_xor_(x2), at positions x:bitwise_xor_at(key, x2), along an axis cn.bitwise_xor_reduce(x, axis), step by step cn.bitwise_xor_accumulate(x, axis), of segments cn.bitwise_xor_reduceat(x, positions), of all pairs cn.bitwise_xor_outer(x1, x2).
--- Follows numpy.bitwise_xor.
---
--- ```lua
--- cn.bitwise_xor(cn.array({12, 10}, "int64"), 6) --> [10 12]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.bitwise_xor(x1, x2, out, options) end

cn.bxor = cn.bitwise_xor

--- Bits set in one only.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_xor_(x2), at positions x:bitwise_xor_at(key, x2), along an axis cn.bitwise_xor_reduce(x, axis), step by step cn.bitwise_xor_accumulate(x, axis), of segments cn.bitwise_xor_reduceat(x, positions), of all pairs cn.bitwise_xor_outer(x1, x2).
--- Follows numpy.bitwise_xor.
---
--- ```lua
--- cn.bitwise_xor(cn.array({12, 10}, "int64"), 6) --> [10 12]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:bitwise_xor(x2, out, options) end

--- Bits set in one only. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bitwise_xor_(x2) end

Array.bxor = Array.bitwise_xor

--- Bits set in one only. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bxor_(x2) end

--- The number of bits of |x| that are 1.
--- Computes with bool, signed integers, unsigned integers.
--- Follows numpy.bitwise_count.
---
--- ```lua
--- cn.bitwise_count(cn.array({0, 7, -8}, "int16")) --> [0 3 1]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # uint8
function cn.bitwise_count(x, out, options) end

--- The number of bits of |x| that are 1.
--- Computes with bool, signed integers, unsigned integers.
--- Follows numpy.bitwise_count.
---
--- ```lua
--- cn.bitwise_count(cn.array({0, 7, -8}, "int16")) --> [0 3 1]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # uint8
function Array:bitwise_count(out, options) end

--- All bits turned; of bools, logical_not.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_invert_().
--- Follows numpy.invert.
---
--- ```lua
--- cn.bitwise_invert(cn.array({0, 5}, "int8")) --> [-1 -6]
--- cn.bitwise_invert {true, false} --> [False True]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.bitwise_invert(x, out, options) end

cn.invert = cn.bitwise_invert

cn.bitwise_not = cn.bitwise_invert

cn.bnot = cn.bitwise_invert

--- All bits turned; of bools, logical_not.
--- Computes with bool, signed integers, unsigned integers.
--- Also: in place x:bitwise_invert_().
--- Follows numpy.invert.
---
--- ```lua
--- cn.bitwise_invert(cn.array({0, 5}, "int8")) --> [-1 -6]
--- cn.bitwise_invert {true, false} --> [False True]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:bitwise_invert(out, options) end

--- All bits turned; of bools, logical_not. In place.
---@return cuna.Array
function Array:bitwise_invert_() end

Array.invert = Array.bitwise_invert

--- All bits turned; of bools, logical_not. In place.
---@return cuna.Array
function Array:invert_() end

Array.bitwise_not = Array.bitwise_invert

--- All bits turned; of bools, logical_not. In place.
---@return cuna.Array
function Array:bitwise_not_() end

Array.bnot = Array.bitwise_invert

--- All bits turned; of bools, logical_not. In place.
---@return cuna.Array
function Array:bnot_() end

--- x1 times 2^x2; 0 where all bits leave.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:left_shift_(x2), at positions x:left_shift_at(key, x2), along an axis cn.left_shift_reduce(x, axis), step by step cn.left_shift_accumulate(x, axis), of segments cn.left_shift_reduceat(x, positions), of all pairs cn.left_shift_outer(x1, x2).
--- Follows numpy.left_shift.
---
--- ```lua
--- cn.left_shift(cn.array({1, 3}, "int64"), 4) --> [16 48]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.left_shift(x1, x2, out, options) end

cn.bitwise_left_shift = cn.left_shift

cn.lshift = cn.left_shift

--- x1 times 2^x2; 0 where all bits leave.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:left_shift_(x2), at positions x:left_shift_at(key, x2), along an axis cn.left_shift_reduce(x, axis), step by step cn.left_shift_accumulate(x, axis), of segments cn.left_shift_reduceat(x, positions), of all pairs cn.left_shift_outer(x1, x2).
--- Follows numpy.left_shift.
---
--- ```lua
--- cn.left_shift(cn.array({1, 3}, "int64"), 4) --> [16 48]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:left_shift(x2, out, options) end

--- x1 times 2^x2; 0 where all bits leave. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:left_shift_(x2) end

Array.bitwise_left_shift = Array.left_shift

--- x1 times 2^x2; 0 where all bits leave. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bitwise_left_shift_(x2) end

Array.lshift = Array.left_shift

--- x1 times 2^x2; 0 where all bits leave. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:lshift_(x2) end

--- x1 divided by 2^x2, rounded down.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:right_shift_(x2), at positions x:right_shift_at(key, x2), along an axis cn.right_shift_reduce(x, axis), step by step cn.right_shift_accumulate(x, axis), of segments cn.right_shift_reduceat(x, positions), of all pairs cn.right_shift_outer(x1, x2).
--- Follows numpy.right_shift.
---
--- ```lua
--- cn.right_shift(cn.array({16, -5}, "int64"), 1) --> [ 8 -3]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.right_shift(x1, x2, out, options) end

cn.bitwise_right_shift = cn.right_shift

cn.rshift = cn.right_shift

--- x1 divided by 2^x2, rounded down.
--- Computes with signed integers, unsigned integers.
--- Also: in place x:right_shift_(x2), at positions x:right_shift_at(key, x2), along an axis cn.right_shift_reduce(x, axis), step by step cn.right_shift_accumulate(x, axis), of segments cn.right_shift_reduceat(x, positions), of all pairs cn.right_shift_outer(x1, x2).
--- Follows numpy.right_shift.
---
--- ```lua
--- cn.right_shift(cn.array({16, -5}, "int64"), 1) --> [ 8 -3]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:right_shift(x2, out, options) end

--- x1 divided by 2^x2, rounded down. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:right_shift_(x2) end

Array.bitwise_right_shift = Array.right_shift

--- x1 divided by 2^x2, rounded down. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:bitwise_right_shift_(x2) end

Array.rshift = Array.right_shift

--- x1 divided by 2^x2, rounded down. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:rshift_(x2) end

--- Whether x is NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isnan.
---
--- ```lua
--- cn.isnan {1, cn.nan, cn.inf} --> [False True False]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isnan(x, out, options) end

--- Whether x is NaN.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isnan.
---
--- ```lua
--- cn.isnan {1, cn.nan, cn.inf} --> [False True False]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isnan(out, options) end

--- Whether x is an infinity.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isinf.
---
--- ```lua
--- cn.isinf {1, cn.nan, -cn.inf} --> [False False True]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isinf(x, out, options) end

--- Whether x is an infinity.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isinf.
---
--- ```lua
--- cn.isinf {1, cn.nan, -cn.inf} --> [False False True]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isinf(out, options) end

--- Whether x is neither.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isfinite.
---
--- ```lua
--- cn.isfinite {1, cn.nan, cn.inf} --> [ True False False]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isfinite(x, out, options) end

--- Whether x is neither.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isfinite.
---
--- ```lua
--- cn.isfinite {1, cn.nan, cn.inf} --> [ True False False]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isfinite(out, options) end

--- Whether x is infinity.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.isposinf.
---
--- ```lua
--- cn.isposinf {1, cn.inf, -cn.inf} --> [False True False]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isposinf(x, out, options) end

--- Whether x is infinity.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.isposinf.
---
--- ```lua
--- cn.isposinf {1, cn.inf, -cn.inf} --> [False True False]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isposinf(out, options) end

--- Whether x is -infinity.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.isneginf.
---
--- ```lua
--- cn.isneginf {1, cn.inf, -cn.inf} --> [False False True]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isneginf(x, out, options) end

--- Whether x is -infinity.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.isneginf.
---
--- ```lua
--- cn.isneginf {1, cn.inf, -cn.inf} --> [False False True]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isneginf(out, options) end

--- Whether x has no imaginary part.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isreal.
---
--- ```lua
--- cn.isreal {cn.complex(1, 0), cn.complex(1, 2)} --> [ True False]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.isreal(x, out, options) end

--- Whether x has no imaginary part.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.isreal.
---
--- ```lua
--- cn.isreal {cn.complex(1, 0), cn.complex(1, 2)} --> [ True False]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:isreal(out, options) end

--- Whether x has an imaginary part.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.iscomplex.
---
--- ```lua
--- cn.iscomplex {cn.complex(1, 0), cn.complex(1, 2)} --> [False True]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.iscomplex(x, out, options) end

--- Whether x has an imaginary part.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Follows numpy.iscomplex.
---
--- ```lua
--- cn.iscomplex {cn.complex(1, 0), cn.complex(1, 2)} --> [False True]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:iscomplex(out, options) end

--- Whether x has a minus sign.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.signbit.
---
--- ```lua
--- cn.signbit {-1, -0.0, 2} --> [ True True False]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function cn.signbit(x, out, options) end

--- Whether x has a minus sign.
--- Computes with bool, signed integers, unsigned integers, floats.
--- Follows numpy.signbit.
---
--- ```lua
--- cn.signbit {-1, -0.0, 2} --> [ True True False]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array # bool
function Array:signbit(out, options) end

--- |x1| with the sign of x2.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:copysign_(x2), at positions x:copysign_at(key, x2), along an axis cn.copysign_reduce(x, axis), step by step cn.copysign_accumulate(x, axis), of segments cn.copysign_reduceat(x, positions), of all pairs cn.copysign_outer(x1, x2).
--- Follows numpy.copysign.
---
--- ```lua
--- cn.copysign({1, 2}, {-5, 3}) --> [-1. 2.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.copysign(x1, x2, out, options) end

--- |x1| with the sign of x2.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:copysign_(x2), at positions x:copysign_at(key, x2), along an axis cn.copysign_reduce(x, axis), step by step cn.copysign_accumulate(x, axis), of segments cn.copysign_reduceat(x, positions), of all pairs cn.copysign_outer(x1, x2).
--- Follows numpy.copysign.
---
--- ```lua
--- cn.copysign({1, 2}, {-5, 3}) --> [-1. 2.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:copysign(x2, out, options) end

--- |x1| with the sign of x2. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:copysign_(x2) end

--- The distance of x to the next float away from 0, with the sign of x.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:spacing_().
--- Follows numpy.spacing.
---
--- ```lua
--- cn.spacing(cn.array({1, -2}, "float32")) --> [ 1.1920929e-07 -2.3841858e-07]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.spacing(x, out, options) end

--- The distance of x to the next float away from 0, with the sign of x.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:spacing_().
--- Follows numpy.spacing.
---
--- ```lua
--- cn.spacing(cn.array({1, -2}, "float32")) --> [ 1.1920929e-07 -2.3841858e-07]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:spacing(out, options) end

--- The distance of x to the next float away from 0, with the sign of x. In place.
---@return cuna.Array
function Array:spacing_() end

--- The float next to x1 in the direction of x2.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:nextafter_(x2), at positions x:nextafter_at(key, x2), along an axis cn.nextafter_reduce(x, axis), step by step cn.nextafter_accumulate(x, axis), of segments cn.nextafter_reduceat(x, positions), of all pairs cn.nextafter_outer(x1, x2).
--- Follows numpy.nextafter.
---
--- ```lua
--- cn.nextafter({1}, 2):gt(1) --> [ True]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.nextafter(x1, x2, out, options) end

--- The float next to x1 in the direction of x2.
--- Computes with floats. Integers and bools become floats.
--- Also: in place x:nextafter_(x2), at positions x:nextafter_at(key, x2), along an axis cn.nextafter_reduce(x, axis), step by step cn.nextafter_accumulate(x, axis), of segments cn.nextafter_reduceat(x, positions), of all pairs cn.nextafter_outer(x1, x2).
--- Follows numpy.nextafter.
---
--- ```lua
--- cn.nextafter({1}, 2):gt(1) --> [ True]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:nextafter(x2, out, options) end

--- The float next to x1 in the direction of x2. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:nextafter_(x2) end

--- x1 times 2^x2.
--- Computes with floats.
--- Also: in place x:ldexp_(x2), at positions x:ldexp_at(key, x2), along an axis cn.ldexp_reduce(x, axis), step by step cn.ldexp_accumulate(x, axis), of segments cn.ldexp_reduceat(x, positions), of all pairs cn.ldexp_outer(x1, x2).
--- Follows numpy.ldexp.
---
--- ```lua
--- cn.ldexp({0.5, 3}, cn.array({3, 1}, "int32")) --> [4. 6.]
--- ```
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.ldexp(x1, x2, out, options) end

--- x1 times 2^x2.
--- Computes with floats.
--- Also: in place x:ldexp_(x2), at positions x:ldexp_at(key, x2), along an axis cn.ldexp_reduce(x, axis), step by step cn.ldexp_accumulate(x, axis), of segments cn.ldexp_reduceat(x, positions), of all pairs cn.ldexp_outer(x1, x2).
--- Follows numpy.ldexp.
---
--- ```lua
--- cn.ldexp({0.5, 3}, cn.array({3, 1}, "int32")) --> [4. 6.]
--- ```
---@param x2 cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:ldexp(x2, out, options) end

--- x1 times 2^x2. In place.
---@param x2 cuna.Operand
---@return cuna.Array
function Array:ldexp_(x2) end

--- m and e with x = m 2^e and m in [0.5, 1).
--- Computes with floats. Integers and bools become floats.
--- Follows numpy.frexp.
---
--- ```lua
--- cn.frexp {8, 0.75} --> [0.5 0.75], [4 0]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array # int32
function cn.frexp(x, out, options) end

--- m and e with x = m 2^e and m in [0.5, 1).
--- Computes with floats. Integers and bools become floats.
--- Follows numpy.frexp.
---
--- ```lua
--- cn.frexp {8, 0.75} --> [0.5 0.75], [4 0]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array # int32
function Array:frexp(out, options) end

--- Fraction and integer part of x, both with its sign.
--- Computes with floats. Integers and bools become floats.
--- Follows numpy.modf.
---
--- ```lua
--- cn.modf {1.5, -2.25} --> [ 0.5 -0.25], [ 1. -2.]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function cn.modf(x, out, options) end

--- Fraction and integer part of x, both with its sign.
--- Computes with floats. Integers and bools become floats.
--- Follows numpy.modf.
---
--- ```lua
--- cn.modf {1.5, -2.25} --> [ 0.5 -0.25], [ 1. -2.]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
---@return cuna.Array
function Array:modf(out, options) end

--- x with its imaginary part negated.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:conj_().
--- Follows numpy.conjugate.
---
--- ```lua
--- cn.conj {cn.complex(1, 2)} --> [1.-2.j]
--- ```
---@param x cuna.Operand
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function cn.conj(x, out, options) end

cn.conjugate = cn.conj

--- x with its imaginary part negated.
--- Computes with bool, signed integers, unsigned integers, floats, complex numbers.
--- Also: in place x:conj_().
--- Follows numpy.conjugate.
---
--- ```lua
--- cn.conj {cn.complex(1, 2)} --> [1.-2.j]
--- ```
---@param out cuna.Array|nil # where the result goes
---@param options {out?: cuna.Array, dtype?: string}|nil # dtype is the one to compute in
---@return cuna.Array
function Array:conj(out, options) end

--- x with its imaginary part negated. In place.
---@return cuna.Array
function Array:conj_() end

Array.conjugate = Array.conj

--- x with its imaginary part negated. In place.
---@return cuna.Array
function Array:conjugate_() end
