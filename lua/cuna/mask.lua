--- mask.lua: reading and writing the elements that a mask selects.
--
-- A mask is an array of any dtype. It is true where it is not 0.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local gather = require "cuna.gather"
local nonzero = require "cuna.nonzero"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local take = require "cuna.take"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail

-- ---- reading ----

--- The elements of x, or its slices along an axis, where a vector is true.
local function compress(name, condition, x, axis, out)
  if condition == nil then fail("%s: the condition is missing", name) end
  x = check.beside(x, name, condition)
  condition = check.array(condition, name, x.device)
  check.same_device(x, condition, name)
  if condition.ndim ~= 1 then fail("%s: the condition has one axis, got shape %s", name, tostring(condition.shape)) end
  if axis == nil and out == nil and condition.size == x.size then
    return nonzero.compact(condition, core.reshape(x, -1, name), name)
  end
  return take.at_positions(name, x, nonzero.compact(condition, nil, name), axis, out)
end

local read_compress = args.reader("compress", {"condition", "x", "axis", "out"}, 2)

--- The slices of x along an axis, or its elements in row-major order, where a vector is true; none beyond the vector's
--- end. Waits for their count. Follows numpy.compress.
---@param condition cuna.Operand 1-d
---@param x cuna.Operand
---@param axis integer|nil
---@param out cuna.Array|nil of the result's shape
---@return cuna.Array
---@usage cn.compress({true, false, true}, {10, 20, 30}) --> [10. 30.]
---@usage cn.compress({false, true}, {{1, 2}, {3, 4}}, 2) --> [[2.] [4.]]
function F.compress(...) return compress("compress", read_compress(...)) end

local read_method = args.reader("compress", {"condition", "axis", "out"}, 1)

--- The slices of x along an axis, or its elements in row-major order, where a vector is true. Waits for their count.
--- Follows numpy.ndarray.compress.
---@param condition cuna.Operand 1-d
---@param axis integer|nil
---@param out cuna.Array|nil of the result's shape
---@return cuna.Array
---@usage cn.array({10, 20, 30}):compress {true, false, true} --> [10. 30.]
function methods.compress(x, ...)
  local condition, axis, out = read_method(...)
  return compress("compress", condition, check.self(x, "compress"), axis, out)
end

--- The elements of x, in row-major order, where a mask of as many elements is true. Waits for their count. Follows
--- numpy.extract.
---@param condition cuna.Operand as many elements as x
---@param x cuna.Operand
---@return cuna.Array 1-d
---@usage (function(x) return cn.extract(x:gt(2), x) end)(cn.arange(5)) --> [3 4]
function F.extract(condition, x)
  if condition == nil then fail "extract: the condition is missing" end
  x = check.beside(x, "extract", condition)
  condition = check.array(condition, "extract", x.device)
  check.same_device(x, condition, "extract")
  if core.same_shape(condition, x) then return nonzero.compact(condition, x, "extract") end
  return compress("extract", core.reshape(condition, -1, "extract"), x)
end

-- ---- writing ----

-- The number of a value from that of an element, modulo the number of values. A 32-bit division, where it suffices,
-- takes a third of the time.
local ONCE, AGAIN, AGAIN_WIDE = "%s", "int64(uint32(%s) %% uint32(d))", "%s %% d"

local function draw_counts(draft)
  draft:step("holds", "a ? 1 : 0", "int64", {draft:input "bool"}, "bool")
  draft.scan, draft.reducer, draft.accumulator = "inclusive", reducers.row("sum", "int64"), "int64"
  draft.output = "int64"
end

--- For each element, the number of nonzero elements up to it in row-major order, as an array of the mask's shape.
local function counts_of(mask, name)
  return core.reshape((core.scan(program.get("", draw_counts), name, 0, {false}, mask)), mask.shape, name)
end

local function draw_writer(draft, dtype, value, counted, turn)
  local values, held, old = draft:input(value, "address"), draft:input "bool", draft:input(dtype)
  local size, stride = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local number = counted and draft:input("int64") or draft:position()
  local at = draft:step("turn", turn, "int64", {held, values, number, size, stride},
    {"bool", "int64", "int64", "int64", "int64"})
  local fetched = draft:step("fetched", "fetched<D>(a)", value, {at}, "int64")
  draft:step("written", "choose(a, b, c)", dtype, {held, fetched, old}, {"bool", dtype, dtype})
  draft.gathers, draft.output = true, dtype
end

--- A program that returns values in turn where a mask is true, else the old elements. The number of an element's value
--- is its number in x or, with `counted`, among the true elements; `again` is the text that repeats the values.
local function writer(dtype, value, counted, again)
  local turn = ("a ? b + %s * e : int64(0)"):format(again:format(counted and "(c - 1)" or "c"))
  local key = table.concat({dtype, value, turn}, " ")
  return program.get(key, draw_writer, dtype, value, counted, turn)
end

--- Raises an error if a mask is true anywhere, for a call without values.
local function refuse_none(mask, name)
  if mask.size == 0 or core.is_preparing() then return end
  core.check_waiting(name)
  if reduce.functions.any(mask) then fail("%s: there are no values", name) end
end

--- Writes values in turn where a mask over all of x is true. The result is the number of true elements up to each one,
--- if values of several elements were written to those.
local function write(name, x, mask, values, counted)
  gather.check_writable(check.self(x, name), name)
  if mask == nil then fail("%s: the mask is missing", name) end
  mask = check.array(mask, name, x.device)
  check.same_device(x, mask, name)
  if mask.size ~= x.size then
    fail("%s: a mask of shape %s does not fit an array of shape %s", name, tostring(mask.shape), tostring(x.shape))
  end
  values = core.reshape(gather.value_for(x, values, name), -1, name)
  if values.size == 0 and counted then refuse_none(mask, name) end
  if values.size == 0 or x.size == 0 then return end
  local size, stride = values.size, values.strides[1]
  if size == 1 then counted, stride = false, 0 end
  if mask.dtype ~= "bool" then mask = core.cast(mask, "bool", name) end
  mask = core.reshape(mask, x.shape, name)
  local again = (size == 1 or size >= x.size) and ONCE or x.size < 2 ^ 32 and AGAIN or AGAIN_WIDE
  local made = writer(x.dtype, values.dtype, counted, again)
  local base = core.view(values, x.shape, gather.zeros(x.ndim), 0)
  local counts = counted and counts_of(mask, name) or nil
  core.map(made, name, x.shape, {x}, base, mask, x, size, stride, counts)
  return counts
end

--- Writes values where a mask is true: value n to element n, in row-major order. If there are fewer values than
--- elements, they repeat. Follows numpy.putmask.
---@param x cuna.Array
---@param mask cuna.Operand as many elements as x
---@param values cuna.Operand converted as by assignment; without values, x is unchanged
---@return cuna.Array x
---@usage cn.arange(6):putmask({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -2 -3 3 -2 -3]
function F.putmask(x, mask, values)
  write("putmask", x, mask, values, false)
  return x
end

local function draw_tester(draft)
  draft.outputs, draft.gathers = {}, true
  draft:step("demanded", "demanded(a == b, double(a), c)", "bool",
    {draft:input "int64", draft:input("int64", "scalar"), draft:input("int64", "scalar")}, "int64")
end

--- x[mask] = values without waiting for the mask's count: the next wait raises an error if there are more or fewer
--- values, which are written in turn.
---@param x cuna.Array with elements
---@param mask cuna.Array of x's shape
---@param values cuna.Array 1-d, at least two, of memory apart from x's
function M.assign(x, mask, values, name)
  local words = ("%s: a mask is true as often as there are values, %d times"):format(name, values.size)
  local total = core.view(write(name, x, mask, values, true), {}, {}, x.size - 1)
  core.map(program.get("", draw_tester), name, {}, {}, total, values.size, core.report_mark(x, words))
end

--- Writes values one after the other to the elements where a mask is true. If there are fewer values than such
--- elements, they repeat. Follows numpy.place.
---@param x cuna.Array
---@param mask cuna.Operand as many elements as x
---@param values cuna.Operand at least one; converted as by assignment
---@return cuna.Array x
---@usage cn.arange(6):place({false, true, true, false, true, true}, {-1, -2, -3}) --> [ 0 -1 -2 3 -3 -1]
function F.place(x, mask, values)
  write("place", x, mask, values, true)
  return x
end

-- ---- copying ----

--- Rejects a source of copyto whose dtype cannot be cast to the target's; numbers are checked when they are stored.
function M.check_casting(from, to, casting)
  local rule = casting == nil and "same_kind" or casting
  if core.can_cast(from, to, rule, "copyto") then return end
  fail("copyto: %s does not cast to %s by the rule %q; cast it with astype, or give casting = \"unsafe\"", from, to,
    rule)
end

local function draw_copy(draft, mask, src, dst)
  draft:step("copied", "choose(a, b, c)", dst, {draft:input(mask), draft:input(src), draft:input(dst)},
    {"bool", dst, dst})
  draft.output = dst
end

--- A program that returns the source's elements where a mask is true, else the target's.
local function copier(mask, src, dst)
  return program.get(mask .. " " .. src .. " " .. dst, draw_copy, mask, src, dst)
end

local read_copyto = args.reader("copyto", {"dst", "src", "casting", "where"}, 2)

--- Copies src into dst, to which it broadcasts: all of it, or where a mask is true. Follows numpy.copyto.
---@param dst cuna.Array
---@param src cuna.Operand may be on another device if there is no mask
---@param casting string|nil allowed conversions: "no", "equiv", "safe", "same_kind" (default) or "unsafe"
---@param where cuna.Operand|nil a mask that broadcasts to dst
---@return cuna.Array dst
---@usage cn.copyto(cn.zeros(3), {1, 2, 3}, {where = {true, false, true}}) --> [1. 0. 3.]
function F.copyto(...)
  local dst, src, casting, where = read_copyto(...)
  gather.check_writable(check.self(dst, "copyto"), "copyto")
  if src == nil then fail "copyto: the source is missing" end
  M.check_casting(core.is_array(src) and core.check_alive(src, "copyto").dtype or dst.dtype, dst.dtype, casting)
  if not core.is_array(src) or where ~= nil then src = gather.value_for(dst, src, "copyto") end
  src = gather.fitting(src, dst, "copyto")
  if where == nil then
    core.copy(dst, src, "copyto")
    return dst
  end
  local mask = check.array(where, "copyto", dst.device)
  check.same_device(dst, mask, "copyto")
  mask = core.broadcast_to(mask, dst.shape, "copyto")
  return core.map(copier(mask.dtype, src.dtype, dst.dtype), "copyto", dst.shape, dst, mask, src, dst)
end

args.bound(F, {extract = "condition x", putmask = "x mask values", place = "x mask values"})

return M
