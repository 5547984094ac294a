--- calls.lua: the functions that kernels written in Lua can call: those of cn.jit, math and bit.
--
-- Each is a handler(inst, node, values, word) that returns a value, or a list of values. expr.lua finds it by the
-- function that the called expression denotes. Outside of kernels, the functions of cn.jit only raise an error.
local check = require "cuna.base.check"
local constants = require "cuna.jit.constant"
local core = require "cuna.core"
local e = require "cuna.jit.expr"
local namespace = require "cuna.base.namespace"
local range = require "cuna.jit.range"
local types = require "cuna.jit.types"

local M = {namespace = {}} -- cn.jit

local TYPES, fail, show = types.TYPES, e.fail, e.show

-- ---- arguments ----

function M.check_count(inst, node, word, values, least, most)
  if #values >= least and #values <= most then return end
  local wanted = least == most and tostring(least) or ("%d to %d"):format(least, most)
  fail(inst, node, "%s takes %s argument%s, got %d", word, wanted, most == 1 and "" or "s", #values)
end
local check_count = M.check_count

local function number(inst, node, word, v)
  return e.number(inst, node, v, word .. " takes")
end

local function integer(inst, node, word, v)
  if v.type and types.is_int(v) then return v end
  if v.type and v.whole then return {type = TYPES.int64, text = types.to_index(v)} end
  fail(inst, node, "%s takes an integer, got %s%s", word, show(v), v.type and types.is_float(v)
    and "; write math.floor(...) for one" or "")
end

--- A value as a C++ integer of a type.
function M.index_text(inst, node, word, v, c)
  local text = v.type and types.to_index(v)
  if not text then fail(inst, node, "%s takes an integer, got %s", word, show(v)) end
  return c and ("(%s)(%s)"):format(c, text) or text
end
local index_text = M.index_text

--- A boolean as C++.
function M.boolean_text(inst, node, word, v)
  if not (v.type and types.is_bool(v)) then fail(inst, node, "%s takes a boolean, got %s", word, show(v)) end
  return v.text
end

-- ---- threads ----

local AXES = {"x", "y", "z"}

--- The bounds of a thread's indices: the position in the block, and the block's size.
local function dim_range(name, axis)
  local block = {source = range.BLOCK[axis], offset = 0}
  if name == "blockDim" then return block end
  return nil, name == "threadIdx" and {{source = block.source, offset = -1}} or nil
end

local function dim(name)
  return function(inst, node, key)
    local axis = key.tag == "string" and key.value
    if axis ~= "x" and axis ~= "y" and axis ~= "z" then fail(inst, node, "%s has x, y and z", name) end
    return e.count(("(long long)%s.%s"):format(name, axis), name:find "Dim$" ~= nil, dim_range(name, axis))
  end
end

for _, name in ipairs {"threadIdx", "blockIdx", "blockDim", "gridDim"} do
  local object = setmetatable({}, {
    __index = function(_, key) check.fail("jit.%s.%s is known inside of kernels only", name, tostring(key)) end,
    __newindex = function() check.fail("jit.%s cannot be changed", name) end,
    __tostring = function() return "cn.jit." .. name end,
  })
  M.namespace[name] = object
  constants.dims[object] = dim(name)
end

local calls = {} -- by names in cn.jit

--- The number of axes of an index over all threads: 1, 2 or 3.
local function count_axes(inst, node, word, values)
  check_count(inst, node, word, values, 1, 1)
  local count = values[1].literal
  if count ~= 1 and count ~= 2 and count ~= 3 then
    fail(inst, node, "%s takes 1, 2 or 3 as a constant, got %s", word, show(values[1]))
  end
  return count
end

local function along_axes(format, is_index)
  return function(inst, node, values, word)
    local list = {}
    for k = 1, count_axes(inst, node, word, values) do
      local all = {source = range.THREADS[AXES[k]], offset = 0}
      list[k] = e.count((format:gsub("@", AXES[k])), true, not is_index and all or nil, is_index and {all} or nil)
    end
    return list
  end
end
calls.grid = along_axes("((long long)blockIdx.@ * blockDim.@ + threadIdx.@ + 1)", true)
calls.gridsize = along_axes("((long long)gridDim.@ * blockDim.@)", false)

function calls.laneid(inst, node, values, word)
  check_count(inst, node, word, values, 0, 0)
  return e.count "jit::lane()"
end

function calls.syncthreads(inst, node, values, word)
  check_count(inst, node, word, values, 0, 0)
  return {statement = "__syncthreads()"}
end

function calls.syncwarp(inst, node, values, word)
  check_count(inst, node, word, values, 0, 1)
  local mask = values[1] and index_text(inst, node, word, values[1], "unsigned") or ""
  return {statement = ("__syncwarp(%s)"):format(mask)}
end

--- A value for an exchange between lanes: small integers become int.
function M.shown(inst, node, word, v)
  number(inst, node, word, v)
  if v.type.bits >= 32 then return v end
  return {type = TYPES.int32, text = types.convert(v, TYPES.int32)}
end
local shown = M.shown

local function shuffle(name)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 3, 4)
    local v, list = shown(inst, node, word, values[2]), {index_text(inst, node, word, values[1], "unsigned")}
    list[2] = v.text
    for k = 3, #values do list[k] = index_text(inst, node, word, values[k], "int") end
    return {type = v.type, weak = v.weak, whole = v.whole, text = ("__%s(%s)"):format(name, table.concat(list, ", "))}
  end
end
for _, kind in ipairs {"", "_up", "_down", "_xor"} do
  local name = "shfl" .. kind .. "_sync"
  calls[name] = shuffle(name)
end

local function vote(name, t, format)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 2, 2)
    local text = ("__%s(%s, %s)"):format(name, index_text(inst, node, word, values[1], "unsigned"),
      M.boolean_text(inst, node, word, values[2]))
    return {type = t, text = format:format(text)}
  end
end
calls.all_sync = vote("all_sync", TYPES.bool, "(%s != 0)")
calls.any_sync = vote("any_sync", TYPES.bool, "(%s != 0)")
calls.ballot_sync = vote("ballot_sync", TYPES.int64, "(long long)%s")

-- ---- dtypes and memory ----

function M.check_dtype(inst, node, word, v)
  local dtype = v and v.const
  if type(dtype) ~= "string" then
    fail(inst, node, "%s takes a dtype such as \"float32\", got %s", word, v and show(v) or "nothing")
  end
  local ok, name = pcall(core.check_dtype, dtype, word)
  if not ok then fail(inst, node, "%s: %q is not a dtype", word, dtype) end
  local t, storage = types.of(name)
  if not t then fail(inst, node, "%s: kernels written in Lua have no %s", word, name) end
  return name, t, storage
end
local check_dtype = M.check_dtype

--- A value in another dtype. Floats become integers by truncation, with saturation; NaN becomes 0.
function calls.cast(inst, node, values, word)
  check_count(inst, node, word, values, 2, 2)
  local v = values[1]
  if not v.type then fail(inst, node, "%s takes a number or a boolean, got %s", word, show(v)) end
  local _, t, storage = check_dtype(inst, node, word, values[2])
  if t == TYPES.bool then
    if types.is_bool(v) then return v end
    return {type = t, text = ("(%s != 0)"):format(v.text)}
  end
  local text = v.literal and types.is_float(v) and v.text or types.convert(v, t)
  if storage ~= t.c then
    text = ("jit::element<%s>::load(jit::element<%s>::store(%s))"):format(storage, storage, v.text)
  elseif v.literal and t.kind ~= "f" then
    text = types.is_float(v) and ("jit::to_int<%s>(%s)"):format(t.c, v.text) or ("(%s)(%s)"):format(t.c, v.text)
  elseif v.type == t then
    text = v.text
  end
  return {type = t, text = text, small = v.small, whole = t.kind == "f" and (v.whole or types.is_int(v)) or nil}
end

--- The lengths of a shape whose expression `node` is constant.
local function read_shape(inst, node, word)
  local list, lengths = node.tag == "table" and node.items or {node}, {}
  for k, item in ipairs(list) do
    local v = e.expression(inst, item)
    if not v.literal or v.literal < 1 or v.literal % 1 ~= 0 then
      fail(inst, item, "%s: a length is a constant from 1 on, got %s", word, show(v))
    end
    lengths[k] = v.literal
  end
  if #lengths == 0 then fail(inst, node, "%s: the shape is empty", word) end
  return lengths
end

--- Memory that the threads of a block share. Without a shape it is 1-d, and its size is the launch's shared_mem. The
--- statement that declares its variable allocates it.
function calls.shared_memory(inst, node, _, word)
  local list = node.arguments
  if #list < 1 or #list > 2 then
    fail(inst, node, "%s takes a dtype and a shape, as in %s(\"float32\", {16, 16})", word, word)
  end
  local kind, shape = e.expression(inst, list[1]), list[2] and read_shape(inst, list[2], word)
  if kind.declare then return {shared = {declare = kind.declare(inst, node, word, shape)}} end
  local dtype, _, storage = check_dtype(inst, node, word, kind)
  return {shared = {dtype = dtype, storage = storage, shape = shape}}
end
M.raw_arguments = {[calls.shared_memory] = true} -- handlers that translate their arguments themselves

-- ---- atomics ----

local ATOMIC = {
  add = "int32 uint32 int64 uint64 float16 bfloat16 float32 float64",
  sub = "int32 uint32 int64 uint64 float16 bfloat16 float32 float64",
  exch = "int32 uint32 int64 uint64 float32 float64", min = "int32 uint32 int64 uint64 float32 float64",
  max = "int32 uint32 int64 uint64 float32 float64", ["and"] = "int32 uint32 int64 uint64",
  ["or"] = "int32 uint32 int64 uint64", xor = "int32 uint32 int64 uint64",
  cas = "int16 uint16 int32 uint32 int64 uint64",
  inc = "uint32", dec = "uint32",
}

--- A value as C++ of an element's type, for assignments.
function M.stored(inst, node, v, array, t)
  if not v.type then fail(inst, node, "elements of '%s' are %s, got %s", array.name, array.dtype, show(v)) end
  if v.literal and t.kind ~= "f" and t.kind ~= "b" and v.literal % 1 == 0
    and not types.fits(v.literal, t) then
    fail(inst, node, "'%s' is %s, which cannot represent %.14g; convert it with cn.jit.cast(v, %q)", array.name,
      array.dtype, v.literal, array.dtype)
  end
  if not types.can_store(v, t) then
    local advice = t.kind == "b" and "compare it (v ~= 0)" or v.type.kind == "b" and "choose one (v and 1 or 0)"
      or ("write cn.jit.cast(v, %q)"):format(array.dtype)
    fail(inst, node, "'%s' is %s, and %s is not converted to it implicitly; %s", array.name, array.dtype, show(v),
      advice)
  end
  local is_half = t.kind == "f" and t.name ~= array.dtype
  return is_half and types.is_float(v) and v.text or types.convert(v, t) -- 16-bit floats round once
end

local function atomic(operation)
  local name = "atomic_" .. operation
  return function(inst, node, values, word)
    local list, wanted = node.arguments, operation == "cas" and 4 or 3
    if #list ~= wanted then
      fail(inst, node, "%s takes an array, a position%s, got %d arguments", word,
        wanted == 4 and ", an expected value and a new one" or " and a value", #list)
    end
    local array = e.expression(inst, list[1])
    if not array.array then fail(inst, node, "%s takes an array first, got %s", word, show(array)) end
    local dtype, info = array.array.dtype, array.array
    if not (" " .. ATOMIC[operation] .. " "):find(" " .. dtype .. " ", 1, true) then
      fail(inst, node, "%s is for %s, and '%s' is %s", word, ATOMIC[operation]:gsub(" ", ", "), info.name, dtype)
    end
    M.write(info)
    local t = types.of(dtype)
    local keys = list[2].tag == "table" and list[2].items or {list[2]}
    local place, is_safe = e.place(inst, node, array, keys)
    local texts = {e.access(inst, node, array, is_safe, "find", "place") .. place .. ")"}
    for k = 3, wanted do texts[k - 1] = M.stored(inst, node, e.expression(inst, list[k]), info, t) end
    assert(not values)
    return {type = t, text = ("jit::%s(%s)"):format(name, table.concat(texts, ", "))}
  end
end
for operation in pairs(ATOMIC) do
  local handler = atomic(operation)
  calls["atomic_" .. operation] = handler
  M.raw_arguments[handler] = true
end

--- Records that an array is written to, and so are the arrays of which it is a row.
function M.write(info)
  while info do info.is_written, info = true, info.whole end
end

-- ---- math ----

--- The common float type of numbers; float64 if all are integers.
local function float_of(inst, node, word, values)
  local meet = {type = TYPES.float64, weak = true}
  for _, v in ipairs(values) do
    if types.is_float(number(inst, node, word, v)) then
      local t, weak = types.promote(meet, v)
      meet = {type = t, weak = weak}
    end
  end
  return meet.type, meet.weak
end

--- A function of floats; integers are converted to float64.
local function float_function(name, count)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, count, count)
    local t, weak = float_of(inst, node, word, values)
    local texts = {}
    for k, v in ipairs(values) do texts[k] = types.convert(v, t) end
    return {type = t, weak = weak,
      text = ("%s%s(%s)"):format(name, t == TYPES.float32 and "f" or "", table.concat(texts, ", "))}
  end
end

local maths = {}
for _, name in ipairs {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "sqrt", "log10"} do
  maths[name] = float_function(name, 1)
end
maths.atan2, maths.pow = float_function("atan2", 2), float_function("pow", 2)
local log = float_function("log", 1)

--- log(x), or log(x, base).
function maths.log(inst, node, values, word)
  check_count(inst, node, word, values, 1, 2)
  if not values[2] then return log(inst, node, values, word) end
  local base = values[2].literal
  if base == 2 then return float_function("log2", 1)(inst, node, {values[1]}, word) end
  if base == 10 then return maths.log10(inst, node, {values[1]}, word) end
  local above, below = log(inst, node, {values[1]}, word), log(inst, node, {values[2]}, word)
  local t, weak = e.promote(inst, node, above, below)
  return {type = t, weak = weak, text = ("(%s / %s)"):format(types.convert(above, t), types.convert(below, t))}
end

--- floor and ceil: floats without a fraction, which may be positions. Integers are returned unchanged, and the quotient
--- of integers gives an integer.
local function rounding(name)
  local round = float_function(name, 1)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 1, 1)
    if types.is_int(number(inst, node, word, values[1])) then return values[1] end
    if values[1].quotient then
      local a, b = values[1].quotient[1], values[1].quotient[2]
      local t = e.promote(inst, node, a, b)
      return {type = t, open = types.both_open(a, b), small = a.small,
        text = ("jit::%s_divide<%s>(%s, %s)"):format(name, t.c, types.convert(a, t), types.convert(b, t))}
    end
    local v = round(inst, node, values, word)
    v.whole = true
    return v
  end
end
maths.floor, maths.ceil = rounding "floor", rounding "ceil"

function maths.abs(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  local v = number(inst, node, word, values[1])
  local form = types.is_float(v) and "jit::abs(%s)" or "jit::abs<" .. v.type.c .. ">(%s)"
  return {type = v.type, weak = v.weak, whole = v.whole, open = v.open, text = form:format(v.text)}
end

function maths.fmod(inst, node, values, word)
  check_count(inst, node, word, values, 2, 2)
  local a, b = number(inst, node, word, values[1]), number(inst, node, word, values[2])
  local t, weak = e.promote(inst, node, a, b)
  return {type = t, weak = weak, text = ("jit::fmod%s(%s, %s)"):format(t.kind == "f" and "" or "<" .. t.c .. ">",
    types.convert(a, t), types.convert(b, t))}
end

local is_whole = types.is_whole

--- min and max of one or more numbers.
local function extreme(name)
  return function(inst, node, values, word)
    if #values == 0 then fail(inst, node, "%s takes one or more arguments, got none", word) end
    local result = number(inst, node, word, values[1])
    for k = 2, #values do
      local v = number(inst, node, word, values[k])
      local t, weak = e.promote(inst, node, result, v)
      result = {type = t, weak = weak, whole = t.kind == "f" and is_whole(result) and is_whole(v) or nil,
        open = t.kind ~= "f" and types.both_open(result, v) or nil, small = result.small and v.small,
        text = ("jit::%s<%s>(%s, %s)"):format(name, t.c, types.convert(result, t), types.convert(v, t))}
    end
    return result
  end
end
maths.min, maths.max = extreme "min", extreme "max"

local function scaled(factor)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 1, 1)
    local v = number(inst, node, word, values[1])
    local t = types.is_float(v) and v.type or TYPES.float64
    return {type = t, weak = types.is_int(v) or v.weak,
      text = ("(%s * %s)"):format(types.convert(v, t), types.literal_text(factor, t))}
  end
end
--- A function with two results, of which the second may be an integer.
local function split(name, second)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 1, 1)
    local t, weak = float_of(inst, node, word, values)
    return {many = ("jit::%s(%s)"):format(name, types.convert(values[1], t)), list = {
      {type = t, weak = weak, whole = not second or nil}, {type = second or t, weak = not second and weak or nil}}}
  end
end
maths.modf = split "modf"
maths.frexp = split("frexp", TYPES.int64)

function maths.ldexp(inst, node, values, word)
  check_count(inst, node, word, values, 2, 2)
  local t, weak = float_of(inst, node, word, {values[1]})
  return {type = t, weak = weak, text = ("jit::ldexp(%s, %s)"):format(types.convert(values[1], t),
    index_text(inst, node, word, values[2]))}
end

local function no_random(inst, node, _, word)
  fail(inst, node, "%s: kernels have no random numbers of the host; pass an array of them, or compute them from a seed",
    word)
end
maths.random, maths.randomseed = no_random, no_random

maths.deg, maths.rad = scaled(180 / math.pi), scaled(math.pi / 180)

-- ---- bits: in the width of the operand; literals are 64 bits wide ----

local bits = {}

local function bit_pair(operator)
  return function(inst, node, values, word)
    if #values == 0 then fail(inst, node, "%s takes one or more arguments, got none", word) end
    local result = integer(inst, node, word, values[1])
    for k = 2, #values do
      local v = integer(inst, node, word, values[k])
      local t = e.promote(inst, node, result, v)
      result = {type = t, text = ("(%s)(%s %s %s)"):format(t.c, types.convert(result, t), operator,
        types.convert(v, t))}
    end
    return result
  end
end
bits.band, bits.bor, bits.bxor = bit_pair "&", bit_pair "|", bit_pair "^"

function bits.bnot(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  local v = integer(inst, node, word, values[1])
  return {type = v.type, text = ("(%s)~%s"):format(v.type.c, types.convert(v, v.type))}
end

function bits.bswap(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  local v = integer(inst, node, word, values[1])
  return {type = v.type, text = ("jit::bswap<%s>(%s)"):format(v.type.c, v.text)}
end

function bits.tobit(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  return {type = TYPES.int32, text = ("(int)(%s)"):format(integer(inst, node, word, values[1]).text)}
end

for _, name in ipairs {"lshift", "rshift", "arshift", "rol", "ror"} do
  bits[name] = function(inst, node, values, word)
    check_count(inst, node, word, values, 2, 2)
    local v = integer(inst, node, word, values[1])
    return {type = v.type, text = ("jit::%s<%s>(%s, %s)"):format(name, v.type.c, v.text,
      index_text(inst, node, word, values[2]))}
  end
end

-- ---- handlers by function ----

--- Registers handlers for functions of a table, by their names there.
function M.register(prefix, host, handlers)
  for name, handler in pairs(handlers) do
    if host[name] then e.calls[host[name]] = {word = prefix .. name, run = handler} end
  end
  constants.namespaces[host] = true
end

--- Registers handlers as functions of cn.jit, or of a table in it, which raise an error outside of kernels.
---@param host table
---@param title string "jit" or "jit.cg"
---@param prefix string of names in messages
function M.offer(host, title, prefix, handlers)
  for name in pairs(handlers) do
    host[name] = function()
      check.fail("%s.%s is for kernels: call it in a function given to jit.rawkernel", title, name)
    end
  end
  M.register(prefix, host, handlers)
  namespace.make(title, host)
  return host
end

M.namespace.warpsize = 32
M.offer(M.namespace, "jit", "", calls)
M.register("math.", math, maths)
M.register("bit.", bit, bits)

return M
