--- nan_to_num.lua: numbers mended: NaN and infinities replaced, imaginary parts of rounding dropped, jumps of phases
-- undone.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local program = require "cuna.base.program"
local reducers = require "cuna.reducers"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail
local E = elementwise.functions
local plain_nan_to_num = E.nan_to_num

local REAL = dtype_facts.part_of

-- ---- NaN and infinities ----

-- The greatest finite numbers, where they are not those of the dtype that computes.
local MOST = {float16 = 65504, bfloat16 = (2 - 2 ^ -7) * 2 ^ 127, float32 = (2 - 2 ^ -23) * 2 ^ 127,
  float64 = (2 - 2 ^ -52) * 2 ^ 1023}

local function draw_replacer(draft, dtype)
  local real = REAL[dtype] or dtype
  local x, nan = draft:input(dtype), draft:input(real, "scalar")
  draft:step("nan_to_num", "nan_to_num(a, b, c, d)", dtype,
    {x, nan, draft:input(real, "scalar"), draft:input(real, "scalar")}, {dtype, real, real, real})
  draft.output = dtype
end

local function replacer(dtype) return program.get(dtype, draw_replacer, dtype) end

local function given(value, default, name, what)
  if value == nil then return default end
  return check.number(value, name, what)
end

local function replaced(name, x, out, nan, posinf, neginf)
  if nan == nil and posinf == nil and neginf == nil then return plain_nan_to_num(x, {out = out}) end
  x = check.beside(x, name, out)
  local most = MOST[REAL[x.dtype] or x.dtype]
  nan, posinf = given(nan, 0, name, "nan"), given(posinf, most, name, "posinf")
  neginf = given(neginf, most and -most, name, "neginf")
  if not reducers.is_inexact(x.dtype) then return plain_nan_to_num(x, {out = out}) end
  if out ~= nil and not (core.is_array(out) and out.dtype == x.dtype) then
    fail("%s: out: expected an array of %s, got %s", name, x.dtype, core.is_array(out) and out.dtype or check.show(out))
  end
  return core.map(replacer(x.dtype), name, nil, out, x, nan, posinf, neginf)
end

local read_nan_to_num = args.reader("nan_to_num", {"x", "copy", "nan", "posinf", "neginf", "out"})

--- x with numbers in place of NaN and infinities; in both parts of complex numbers. Follows numpy.nan_to_num.
---@param x cuna.Operand
---@param copy boolean|nil false writes to x itself, as x:nan_to_num_() does
---@param nan number|nil in place of NaN, default 0
---@param posinf number|nil in place of infinity, default the greatest finite number of x's dtype
---@param neginf number|nil in place of -infinity, default the least finite number
---@param out cuna.Array|nil
---@return cuna.Array of x's dtype
---@usage cn.nan_to_num({1, cn.nan, cn.inf}, {posinf = 9}) --> [1. 0. 9.]
function F.nan_to_num(...)
  local x, copy, nan, posinf, neginf, out = read_nan_to_num(...)
  if not check.boolean(copy, true, "nan_to_num", "copy") then out = check.self(x, "nan_to_num") end
  return replaced("nan_to_num", x, out, nan, posinf, neginf)
end

local read_in_place = args.reader("nan_to_num_", {"x", "nan", "posinf", "neginf"})

--- x with numbers written in place of its NaN and infinities.
---@param x cuna.Array
---@param nan number|nil default 0
---@param posinf number|nil default the greatest finite number of x's dtype
---@param neginf number|nil default the least finite number
---@return cuna.Array x
---@usage cn.array({1, cn.nan, -cn.inf}):nan_to_num_ {nan = 7, neginf = -1} --> [ 1. 7. -1.]
function methods.nan_to_num_(...)
  local x, nan, posinf, neginf = read_in_place(...)
  return replaced("nan_to_num_", check.self(x, "nan_to_num_"), x, nan, posinf, neginf)
end

-- ---- complex numbers that are real ----

local EPS = {complex64 = 2 ^ -23, complex128 = 2 ^ -52}

local function draw_close(draft, dtype)
  draft:step("is_small", "double(abs(imag(a))) < b", "uint8", {draft:input(dtype), draft:input("float64", "scalar")},
    {dtype, "float64"})
  draft.reducer, draft.accumulator, draft.output = reducers.row("all", "uint8"), "uint8", "bool"
end

local read_real_if_close = args.reader("real_if_close", {"x", "tol"})

--- The real part of x, a view, when all imaginary parts are below tol; else x. Waits for what they are. Follows
--- numpy.real_if_close.
---@param x cuna.Operand
---@param tol number|nil above 1: times the distance of 1 to the next number of x's dtype; default 100
---@return cuna.Array
---@usage cn.real_if_close(cn.array {cn.complex(2, 1e-15), cn.complex(3, 0)}) --> [2. 3.]
function F.real_if_close(...)
  local x, tol = read_real_if_close(...)
  x = check.array(x, "real_if_close")
  tol = check.number(tol == nil and 100 or tol, "real_if_close", "tol")
  if not REAL[x.dtype] then return x end
  if tol > 1 then tol = tol * EPS[x.dtype] end
  core.check_waiting "real_if_close"
  local made = program.get(x.dtype, draw_close, x.dtype)
  local is_real = core.reduce(made, "real_if_close", 2 ^ x.ndim - 1, false, 0, nil, x, tol):item()
  return is_real and x.real or x
end

-- ---- phases ----

-- What is added from one phase b to the next one a, so that they differ by half a period c at most; nothing where they
-- differ by less than d. Of two ways that are as long, the one in the direction of the difference.
local JUMP = "unwrapped_by(wrap_sub(a, b), c, d)"

local function draw_unwrapper(draft, dtype)
  local computed = (dtype == "float16" or dtype == "bfloat16") and "float32" or dtype
  local own, before = draft:input(dtype), draft:input(dtype)
  draft:step("unwrapped_by", JUMP, computed,
    {own, before, draft:input(computed, "scalar"), draft:input("float64", "scalar")},
    {computed, computed, computed, "float64"})
  draft.scan, draft.reducer = "inclusive", reducers.row("sum", computed)
  draft.accumulator, draft.output = computed, computed
end

local function unwrapper(dtype) return program.get(dtype, draw_unwrapper, dtype) end

--- The dtype of phases with a period.
local function phase_dtype(x, period, name)
  if REAL[x.dtype] then fail("%s: phases are real numbers, got an array of %s", name, x.dtype) end
  return dtype_rules.common {x.dtype, dtype_rules.weak_type(core.number_kind(period))}
end

--- x without its first and without its last slice along an axis.
local function neighbours(x, axis)
  local later, earlier = {}, {}
  for k = 1, x.ndim do later[k], earlier[k] = {}, {} end
  later[axis], earlier[axis] = {2, -1}, {1, -2}
  return later, earlier
end

local read_unwrap = args.reader("unwrap", {"x", "discont", "axis", "period"})

--- Phases whose jumps by more than half a period along an axis are undone by whole periods. Follows numpy.unwrap.
---@param x cuna.Operand at least 1-d, real
---@param discont number|nil least jump that is undone, default (and at least) half a period
---@param axis integer|nil default the last
---@param period number|nil default 2 pi; of integers an integral one keeps their dtype
---@return cuna.Array
---@usage cn.unwrap({0, 1, 5.5, 6}, {period = 6}) --> [ 0. 1. -0.5 0. ]
function F.unwrap(...)
  local x, discont, axis, period = read_unwrap(...)
  local name = "unwrap"
  x = check.array(x, name)
  period = check.number(period == nil and 2 * math.pi or period, name, "period")
  discont = check.number(discont == nil and 0 or discont, name, "discont")
  axis = core.axis(axis == nil and -1 or axis, x.ndim, name)
  local result = core.cast(x, phase_dtype(x, period, name), name)
  if x.shape[axis] < 2 then return result end
  local later, earlier = neighbours(result, axis)
  local rest = result[later]
  local moved = core.scan(unwrapper(result.dtype), name, axis, {false}, rest, result[earlier], period,
    math.max(tonumber(discont), tonumber(period) / 2))
  E.add(rest, moved, {out = rest})
  return result
end

return M
