--- products.lua: products of vectors, matrices and stacks of matrices.
--
-- Matrices are multiplied by core.matmul: float and complex ones by the device's BLAS, integers and bools by a kernel
-- of ours, which also takes floats whose bits are to be the same on every device. Where each element of a matrix is
-- used once (a vector is the other factor) memory is the limit, and a reduction of products does it: in one pass over
-- any layout, in the dtype's own arithmetic, and the same for any number of threads.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"

local M = {functions = {}}
local F = M.functions

local E = elementwise.functions
local fail = check.fail

-- ---- two engines ----

local function draw_multiplying(draft, dtype)
  draft:input(dtype)
  draft:input(dtype)
  draft:give(1, dtype)
  draft.multiplies = true
end

local function multiplying(dtype) return program.get("multiply matrices " .. dtype, draw_multiplying, dtype) end

--- Integers and bools have a program; the others are the library's.
local function exact_program(dtype) return not reducers.is_inexact(dtype) and multiplying(dtype) or nil end

--- The product of float32 or of float64 matrices by a program, too: it adds in order and rounds each product and sum,
--- so that every device has the same bits, which libraries' have not. Slower than these where matrices are large.
function M.in_order(a, b, name, out) return core.matmul(multiplying(a.dtype), name, out, a, b) end

--- The dtypes of two arrays, and the one that they have in common.
local function common(a, b)
  local own, theirs = a.dtype, b.dtype
  return own, theirs, own == theirs and own or core.promote(own, theirs)
end

local function draw_sum(draft, own, theirs, dtype, conjugated, result)
  local a, b = draft:input(own), draft:input(theirs)
  local loop = dtype == "bool" and "uint8" or reducers.is_inexact(dtype) and reducers.sum_types(dtype, dtype) or dtype
  draft:step("multiply", conjugated and "wrap_mul(conj(a), b)" or "wrap_mul(a, b)", loop, {a, b},
    dtype == "bool" and "bool" or loop)
  draft.reducer, draft.accumulator = reducers.row(dtype == "bool" and "any" or "sum", loop), loop
  draft.output = result
end

local function sum_program(own, theirs, dtype, conjugated, result)
  conjugated = conjugated and own:find "^complex" ~= nil
  local key = own .. (conjugated and " conjugated by " or " summed by ") .. theirs .. " " .. result
  return program.get(key, draw_sum, own, theirs, dtype, conjugated, result)
end

--- Sums the products of two arrays, which broadcast, over axes (a bit mask); with `conjugated`, of the first one's
--- conjugates. The result has the common dtype, or out's.
function M.sum(a, b, axes, conjugated, name, out)
  local own, theirs, dtype = common(a, b)
  local made = sum_program(own, theirs, dtype, conjugated, check.output(out, dtype, nil, a, name))
  return core.reduce(made, name, axes, false, 0, out, a, b)
end

local function draw_product(draft, own, theirs, dtype, result)
  local a, b = draft:input(own), draft:input(theirs)
  draft:give(draft:step("multiply", dtype == "bool" and "a && b" or "wrap_mul(a, b)", dtype, {a, b}), result)
end

--- Multiplies two arrays, which broadcast, element by element, in the common dtype.
function M.elementwise(a, b, name, out)
  local own, theirs, dtype = common(a, b)
  local result = check.output(out, dtype, nil, a, name)
  local key = own .. " by " .. theirs .. " " .. result
  return core.map(program.get(key, draw_product, own, theirs, dtype, result), name, nil, out, a, b)
end

local function by_matmul(a, b, name, out)
  local own, theirs, dtype = common(a, b)
  local direct = out ~= nil and out.dtype == dtype
  check.output(out, dtype, nil, a, name)
  if own ~= dtype then a = core.cast(a, dtype, name) end
  if theirs ~= dtype then b = core.cast(b, dtype, name) end
  local result = core.matmul(exact_program(dtype), name, direct and out or nil, a, b)
  if out == nil or direct then return result end
  out[core.ellipsis] = result
  return out
end

--- Products of (..., m, k) and (..., k, n) whose shapes fit.
---@param way string what core.matmul_way says of them
local function multiply(a, b, way, name, out)
  if way == "matrices" then return by_matmul(a, b, name, out) end
  local i, j = a.ndim, b.ndim
  local axes = shapes.bit_of(math.max(i, j))
  return M.sum(core.with_axis(a, i + 1), core.with_axis(b, j - 1), axes, false, name, out)
end

-- ---- what functions are given ----

--- Two operands as arrays, on one device.
local function two(a, b, name)
  if not (core.is_array(a) and core.is_array(b)) then
    check.dot(a, name)
    for _, kind in ipairs {"nil", "string", "boolean"} do
      if type(a) == kind then check.array(a, name) end
      if type(b) == kind then check.array(b, name) end
    end
    a, b = unpack((operands.common({a, b}, core.device_of(a, b), name)))
  end
  check.same_device(a, b, name)
  return a, b
end
M.two = two

local function refuse_inner(a, b, i, j, name)
  fail("%s: shapes %s and %s do not fit: axis %d of the first has length %d, axis %d of the second %d", name,
    tostring(a.shape), tostring(b.shape), i, a.shape[i], j, b.shape[j])
end

--- The leading axes of two arrays of which the last `own` and `theirs` are others', broadcast.
local function stack_of(a, b, own, theirs, name)
  local first, second = a.shape, b.shape
  for _ = 1, own do first[#first] = nil end
  for _ = 1, theirs do second[#second] = nil end
  return check.broadcast(first, second) or fail("%s: the stacks of shapes %s and %s do not broadcast: %s and %s", name,
    tostring(a.shape), tostring(b.shape), shapes.text(first), shapes.text(second))
end

-- ---- matmul ----

--- A product with a vector, whose axis is not in the result.
local function with_vector(a, b, out, name)
  local ndim = b.ndim
  local axis = ndim == 1 and a.ndim or ndim - 1
  if out ~= nil then
    local shape = (ndim == 1 and a or b).shape
    table.remove(shape, axis)
    check.output(out, nil, shape, a, name)
  end
  if ndim > 1 then a = core.with_axis(a, 2) end
  return M.sum(a, b, shapes.bit_of(axis), false, name, out)
end

--- The shape of the product of two stacks of matrices; raises where there is none.
local function shape_of(a, b, name)
  local i, j = a.ndim, math.max(b.ndim - 1, 1)
  if a.ndim == 0 or b.ndim == 0 then
    fail("%s: shapes %s and %s: a 0-d array is not a matrix; write x * y", name, tostring(a.shape), tostring(b.shape))
  end
  local ours, theirs = a.shape, b.shape
  if ours[i] ~= theirs[j] then refuse_inner(a, b, i, j, name) end
  local shape = stack_of(a, b, 2, 2, name)
  shape[#shape + 1], shape[#shape + 2] = i > 1 and ours[i - 1] or nil, theirs[#theirs]
  return shape
end

--- Products of matrices by the rules of matmul: vectors are rows on the left and columns on the right.
local function matmul(a, b, out, name)
  local way = core.matmul_way(a, b)
  if way == "vector" then return with_vector(a, b, out, name) end
  if way == nil or out ~= nil then check.output(out, nil, shape_of(a, b, name), a, name) end
  return multiply(a, b, way, name, out)
end
M.matmul = matmul

local sums = {} -- programs of plain products with a vector, by numbers of dtypes

--- What matmul and dot give for two arrays of up to two axes that have one float or complex dtype, and for matrices
--- `out` of it, too: the arguments take as long to look at as a small product. nil for all others.
function M.plain(name, ...)
  local result, dtype, place = core.product(name, sums, ...)
  if place == nil then return result end
  sums[place] = sum_program(dtype, dtype, dtype, false, dtype)
  return (core.product(name, sums, ...))
end

local read_matmul = args.reader("matmul", {"x1", "x2", "out"}, 2)

--- The product of two matrices, or of stacks of them: the last two axes are rows and columns, the others broadcast. A
--- vector is a row on the left and a column on the right, and its axis is not in the result. In the common dtype:
--- integers are exact and wrap, of bools it is whether any pair is true; float16 and bfloat16 are summed in float32. No
--- array is 0-d. Follows numpy.matmul.
---@param x1 cuna.Operand shape (..., m, k) or (k,)
---@param x2 cuna.Operand shape (..., k, n) or (k,)
---@param out cuna.Array|nil written to; it may overlap the operands
---@return cuna.Array product of shape (..., m, n)
---@usage cn.matmul({{1, 2}, {3, 4}}, {{1, 0}, {0, 2}}) --> [[1. 4.] [3. 8.]]
---@usage cn.matmul({{1, 2}, {3, 4}}, {1, 1}) --> [3. 7.]
---@usage cn.ones({5, 2, 3}):matmul(cn.ones({3, 4})).shape --> (5, 2, 4)
function F.matmul(...)
  local result = M.plain("matmul", ...)
  if result then return result end
  local a, b, out = read_matmul(...)
  a, b = two(a, b, "matmul")
  return matmul(a, b, out, "matmul")
end

-- ---- vectors along an axis ----

--- Sums of products along the last axis of both, after the stacks were broadcast; of the first one's conjugates with
--- `conjugated`.
local function sum_last(a, b, conjugated, name, out)
  local i, j = a.ndim, b.ndim
  if a.shape[i] ~= b.shape[j] then refuse_inner(a, b, i, j, name) end
  local shape = stack_of(a, b, 1, 1, name)
  check.output(out, nil, shape, a, name)
  return M.sum(a, b, 2 ^ #shape, conjugated, name, out)
end
M.sum_last = sum_last

--- An array whose vectors lie along the last axis.
local function vectors(x, axis, name, what)
  if x.ndim == 0 then fail("%s: %s is 0-d and has no vectors", name, what) end
  axis = core.axis(axis, x.ndim, name)
  if axis == x.ndim then return x end
  local order = {}
  for k = 1, x.ndim do
    if k ~= axis then order[#order + 1] = k end
  end
  order[#order + 1] = axis
  return core.transpose(x, order, name)
end

local read_vecdot = args.reader("vecdot", {"x1", "x2", "axis", "out"}, 2)

--- Dot products of the vectors along an axis of two arrays, whose other axes broadcast; of complex ones the first is
--- conjugated. Follows numpy.vecdot.
---@param x1 cuna.Operand
---@param x2 cuna.Operand
---@param axis integer|nil default -1
---@param out cuna.Array|nil
---@return cuna.Array product without the axis
---@usage cn.vecdot({{1, 2}, {3, 4}}, {10, 1}) --> [12. 34.]
function F.vecdot(...)
  local a, b, axis, out = read_vecdot(...)
  a, b = two(a, b, "vecdot")
  axis = axis or -1
  return sum_last(vectors(a, axis, "vecdot", "x1"), vectors(b, axis, "vecdot", "x2"), true, "vecdot", out)
end

local function need_matrix(x, name, what)
  if x.ndim < 2 then fail("%s: %s has shape %s; expected matrices", name, what, tostring(x.shape)) end
  return x
end

local function need_vector(x, name, what)
  if x.ndim == 0 then fail("%s: %s is 0-d and has no vectors", name, what) end
  return x
end

local read_matvec = args.reader("matvec", {"x1", "x2", "out"}, 2)

--- Products of matrices and vectors: the last two axes of the first, the last one of the second; the others broadcast.
--- Follows numpy.matvec.
---@param x1 cuna.Operand shape (..., m, n)
---@param x2 cuna.Operand shape (..., n)
---@param out cuna.Array|nil
---@return cuna.Array product of shape (..., m)
---@usage cn.matvec({{1, 2}, {3, 4}}, {{1, 0}, {0, 1}}) --> [[1. 3.] [2. 4.]]
function F.matvec(...)
  local a, b, out = read_matvec(...)
  a, b = two(a, b, "matvec")
  need_vector(need_matrix(a, "matvec", "x1") and b, "matvec", "x2")
  if a.shape[a.ndim] ~= b.shape[b.ndim] then refuse_inner(a, b, a.ndim, b.ndim, "matvec") end
  local shape = stack_of(a, b, 2, 1, "matvec")
  local stack = #shape
  shape[stack + 1] = a.shape[a.ndim - 1]
  check.output(out, nil, shape, a, "matvec")
  b = core.with_axis(b, b.ndim + 1)
  local result = multiply(a, b, core.matmul_way(a, b), "matvec", out and core.with_axis(out, stack + 2))
  return out or core.without_axis(result, stack + 2)
end

local read_vecmat = args.reader("vecmat", {"x1", "x2", "out"}, 2)

--- Products of vectors, which are conjugated, and matrices: the last axis of the first, the last two of the second; the
--- others broadcast. Follows numpy.vecmat.
---@param x1 cuna.Operand shape (..., n)
---@param x2 cuna.Operand shape (..., n, m)
---@param out cuna.Array|nil
---@return cuna.Array product of shape (..., m)
---@usage cn.vecmat({1, 1}, {{1, 2}, {3, 4}}) --> [4. 6.]
function F.vecmat(...)
  local a, b, out = read_vecmat(...)
  a, b = two(a, b, "vecmat")
  need_matrix(need_vector(a, "vecmat", "x1") and b, "vecmat", "x2")
  if a.shape[a.ndim] ~= b.shape[b.ndim - 1] then refuse_inner(a, b, a.ndim, b.ndim - 1, "vecmat") end
  if a.dtype:find "^complex" then a = E.conj(a) end
  local shape = stack_of(a, b, 1, 2, "vecmat")
  local stack = #shape
  shape[stack + 1] = b.shape[b.ndim]
  check.output(out, nil, shape, a, "vecmat")
  a = core.with_axis(a, a.ndim)
  local result = multiply(a, b, core.matmul_way(a, b), "vecmat", out and core.with_axis(out, stack + 1))
  return out or core.without_axis(result, stack + 1)
end

-- ---- settings ----

--- Lets products of float32 and complex64 matrices use TensorFloat-32 on GPUs that have it: several times as fast, with
--- 10 bits of the fraction instead of 23. It is off at first.
---@param on boolean
---@return boolean before what it was until now
---@usage cn.set_tf32(false) --> false
function F.set_tf32(on)
  if on == nil then fail "set_tf32: the argument is true or false, got nil" end
  return core.set_tf32(check.boolean(on, nil, "set_tf32", "the argument"))
end

args.bound(F, {set_tf32 = "on"})

M.refuse_inner = refuse_inner

return M
