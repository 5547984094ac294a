--- convolve.lua: convolution and correlation of two vectors.
--
-- Where the vectors overlap completely, a result is a sum over a row of a matrix of windows, which is a view of the
-- longer vector. Neighbouring results are neighbouring rows, so the kernel runs along the results and takes one element
-- of the shorter vector at a time. The few results at the ends are sums over windows of a padded copy; a mask leaves
-- out the padding instead of multiplying it by 0. Where blocks have many lanes, one launch computes all results
-- (kernels/convolve_lanes.cuh).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"
local slices = require "cuna.base.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- windows ----

local PRODUCTS = {none = "wrap_mul(a, b)", short = "wrap_mul(conj(a), b)", long = "wrap_mul(a, conj(b))"}

local function draw(draft, short, long, loop, conjugated, masked, result)
  local a, b, mask = draft:input(short), draft:input(long), masked and draft:input "bool"
  local product = draft:step("multiply", PRODUCTS[conjugated], loop, {a, b})
  if mask then draft:step("masked", "b ? a : T(0)", loop, {product, mask}, {loop, "bool"}) end
  draft.reducer, draft.accumulator, draft.output = reducers.row("sum", loop), loop, result
end

--- What is moved along what: short, long (vectors), dtype (of the result), conjugated ("short", "long" or "none").
---@class cuna.Sliding

--- Writes sums of products of `short` and the windows of a vector to `out`.
local function sum_windows(s, short, long, mask, out, name)
  local loop = reducers.sum_types(s.dtype, s.dtype)
  local made = program.of(draw, short.dtype, long.dtype, loop, s.conjugated, mask ~= nil, out.dtype)
  local row, rows = slices.along(short, 2, 2), core.windows(long, short.size)
  return core.reduce(made, name, 2, false, 0, out, row, rows, mask and core.windows(mask, short.size))
end

local function draw_padded(draft, dtype)
  local x = draft:input(dtype, "head")
  local at, size = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local place = draft:step("place", "a - b", "int64", {draft:position(), at})
  local inside = draft:step("inside", "uint64(a) < uint64(b)", "bool", {place, size}, "int64")
  draft.gathers = true
  draft:give(draft:step("fetched", "fetched<D>(b ? a + c * int64(sizeof(D)) : int64(0))", dtype, {x, inside, place},
    {"int64", "bool", "int64"}), dtype)
  draft:give(inside, "bool")
end

--- A vector of `length` elements of which those from `at` on are x's, and a mask of them.
local function padded(x, length, at, name)
  return core.map(program.of(draw_padded, x.dtype), name, length, {false, false}, core.dense(x, nil, name), at - 1,
    x.size)
end

local function draw_beside(draft, short, long, loop, conjugated, result)
  draft:step("convolve", PRODUCTS[conjugated], loop, {draft:input(short), draft:input(long)})
  draft.convolves, draft.output = true, result
end

--- Writes results from the first on to `out`, in one launch.
local function slide_beside(s, first, out, name)
  local loop = reducers.sum_types(s.dtype, s.dtype)
  local made = program.of(draw_beside, s.short.dtype, s.long.dtype, loop, s.conjugated, out.dtype)
  core.convolve(made, name, out, s.short, s.long, first - s.short.size)
end

--- A part of a vector; the vector where it is all of it.
local function part(x, first, length)
  return length == x.size and x or slices.part(x, 1, first, length)
end

local SMALL = 2048 -- results that are not worth several passes
local BLOCKS = 8 -- of results at an end, each with no more of the short vector than it has use for

--- Writes results first..last of all where the vectors overlap: those of the beginning, the middle and the end.
local function slide(s, first, last, out, name)
  if core.lanes(out) > 1 then return slide_beside(s, first, out, name) end
  local n, k = s.long.size, s.short.size
  --- Writes results from..to: products of the short vector's elements i..j and a vector whose first element stands
  --- where that of the long one with number `origin` does.
  local function write(from, to, i, j, long, mask, origin)
    from, to = math.max(from, first), math.min(to, last)
    if from > to then return end
    local at, length = from - k + i - origin + 1, to - from + j - i + 1
    sum_windows(s, part(s.short, i, j - i + 1), part(long, at, length), mask and part(mask, at, length),
      part(out, from - first + 1, to - from + 1), name)
  end
  if k == 1 or first >= k and last <= n then
    write(k, n, 1, k, s.long, nil, 1)
  elseif last - first < SMALL then
    local whole, mask = padded(s.long, n + 2 * k - 2, k, name)
    write(first, last, 1, k, whole, mask, 2 - k)
  else
    local head, inside = padded(slices.part(s.long, 1, 1, k - 1), 2 * k - 2, k, name)
    local tail, outside = padded(slices.part(s.long, 1, n - k + 2, k - 1), 2 * k - 2, 1, name)
    local step = math.ceil((k - 1) / (k > 64 and BLOCKS or 1))
    write(k, n, 1, k, s.long, nil, 1)
    for from = 1, k - 1, step do
      local to = math.min(from + step, k) - 1
      write(from, to, k - to + 1, k, head, inside, 2 - k)
      write(n + from, n + to, 1, k - from, tail, outside, n - k + 2)
    end
  end
end

-- Of n + k - 1 results: the first one, and how many.
local MODES = {
  full = function(n, k) return 1, n + k - 1 end,
  same = function(n, k) return k - math.floor(k / 2), n end,
  valid = function(n, k) return k, n - k + 1 end,
}

local function range_of(mode, n, k, name)
  if not MODES[mode] then
    fail("%s: mode is \"full\", \"same\" or \"valid\", got %s", name, check.show(mode))
  end
  return MODES[mode](n, k)
end

-- ---- convolve and correlate ----

--- A number or a vector as a vector.
local function vector_of(x, which, name)
  if x.ndim > 1 then fail("%s: expected vectors, got shape %s", name, tostring(x.shape)) end
  if x.size == 0 then fail("%s: the %s vector is empty", name, which) end
  return x.ndim == 1 and x or core.reshape(x, -1, name)
end

--- Two vectors on one device.
local function vectors_of(a, v, name)
  local device = core.device_of(a, v)
  a, v = check.array(a, name, device), check.array(v, name, device)
  check.same_device(a, v, name)
  return vector_of(a, "first", name), vector_of(v, "second", name)
end

local function flip(x) return slices.part(x, 1, x.size, x.size, -1) end

local read_convolve = args.reader("convolve", {"a", "v", "mode"}, 2)

--- Convolution of two vectors: sums of the products whose positions have the same sum. Integers and bools are exact
--- and wrap, in the common dtype; float16 and bfloat16 are summed in float32. Follows numpy.convolve.
---@param a cuna.Operand vector
---@param v cuna.Operand vector
---@param mode string|nil "full" (default): all results; "same": as many as the longer vector has, the middle ones;
--- "valid": those for which the vectors overlap whole
---@return cuna.Array
---@usage cn.convolve({1, 2, 3}, {0, 1, 0.5}) --> [0. 1. 2.5 4. 1.5]
---@usage cn.convolve({1, 2, 3}, {0, 1, 0.5}, "same") --> [1. 2.5 4. ]
---@usage cn.convolve({1, 2, 3}, {0, 1, 0.5}, "valid") --> [2.5]
function F.convolve(...)
  local a, v, mode = read_convolve(...)
  a, v = vectors_of(a, v, "convolve")
  if v.size > a.size then a, v = v, a end
  local first, count = range_of(mode == nil and "full" or mode, a.size, v.size, "convolve")
  local dtype = core.promote(a.dtype, v.dtype)
  local out = core.empty(count, dtype, a, "convolve")
  slide({short = flip(v), long = a, dtype = dtype, conjugated = "none"}, first, first + count - 1, out, "convolve")
  return out
end

local read_correlate = args.reader("correlate", {"a", "v", "mode"}, 2)

--- Cross-correlation of two vectors: sums of the products of a, moved against v, with v conjugated. Integers and bools
--- are exact and wrap, in the common dtype. Follows numpy.correlate.
---@param a cuna.Operand vector
---@param v cuna.Operand vector
---@param mode string|nil "valid" (default), "same" or "full", as cn.convolve's
---@return cuna.Array
---@usage cn.correlate({1, 2, 3}, {0, 1, 0.5}) --> [3.5]
---@usage cn.correlate({1, 2, 3}, {0, 1, 0.5}, "full") --> [0.5 2. 3.5 3. 0. ]
function F.correlate(...)
  local a, v, mode = read_correlate(...)
  a, v = vectors_of(a, v, "correlate")
  local dtype, is_moved = core.promote(a.dtype, v.dtype), v.size > a.size
  local long, short = a, v
  if is_moved then long, short = v, a end
  local first, count = range_of(mode == nil and "valid" or mode, long.size, short.size, "correlate")
  local out = core.empty(count, dtype, a, "correlate")
  local conjugated = not dtype:find "^complex" and "none" or is_moved and "long" or "short"
  slide({short = short, long = long, dtype = dtype, conjugated = conjugated}, first, first + count - 1,
    is_moved and flip(out) or out, "correlate")
  return out
end

return M
