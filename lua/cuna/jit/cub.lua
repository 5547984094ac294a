--- cub.lua: cn.jit.cub, CUB's reductions and scans of warps and blocks in kernels written in Lua.
--
-- A class such as BlockReduce("float32", 256) is an object (expr.lua) that exists during translation. Its temporary
-- storage is shared memory, and what it makes of an element of that is an object of C++.
local calls = require "cuna.jit.calls"
local e = require "cuna.jit.expr"
local emit = require "cuna.jit.emit"
local types = require "cuna.jit.types"

local M = {namespace = {}} -- cn.jit.cub

local fail, show = e.fail, e.show
local check_count, index_text = calls.check_count, calls.index_text
local handlers = {}

local HELPERS = [[
namespace jit {
struct sum_of { template <class T> JIT_INLINE T operator()(T a, T b) const { return a + b; } };
struct max_of { template <class T> JIT_INLINE T operator()(T a, T b) const { return a < b ? b : a; } };
struct min_of { template <class T> JIT_INLINE T operator()(T a, T b) const { return b < a ? b : a; } };

/* Of a position outside the first one is used: threads must stay together. */
template <class S> struct rooms {
    S *data;
    long long count;
    JIT_INLINE S &at(long long *error, int site, long long i) const
    {
        if (uint64(i) - 1 < uint64(count))
            return data[i - 1];
        if (error)
            report(error, site, 1, i, count);
        return data[0];
    }
};

/* The thread's result, and that of all values. */
template <class C, class T> JIT_INLINE parts<T> inclusive_sum(C c, T v)
{
    parts<T> result = {v, v};
    c.InclusiveSum(v, result.v1, result.v2);
    return result;
}
template <class C, class T> JIT_INLINE parts<T> exclusive_sum(C c, T v)
{
    parts<T> result = {v, v};
    c.ExclusiveSum(v, result.v1, result.v2);
    return result;
}
template <class C, class T, class F> JIT_INLINE parts<T> inclusive_scan(C c, T v, F f)
{
    parts<T> result = {v, v};
    c.InclusiveScan(v, result.v1, f, result.v2);
    return result;
}
template <class C, class T, class F> JIT_INLINE parts<T> exclusive_scan(C c, T v, T initial, F f)
{
    parts<T> result = {v, v};
    c.ExclusiveScan(v, result.v1, initial, f, result.v2);
    return result;
}
}
]]

-- ---- operations ----

local OPERATIONS = {} -- C++ by the functions of cn.jit.cub
local NAMES = {Sum = "jit::sum_of()", Max = "jit::max_of()", Min = "jit::min_of()"}

for name, text in pairs(NAMES) do
  handlers[name] = function(inst, node, values, word)
    check_count(inst, node, word, values, 0, 0)
    return {what = "an operation", key = name, operation = text}
  end
end

local function operation_text(inst, node, word, v)
  local text = v.operation or OPERATIONS[v.const]
  return text or fail(inst, node, "%s takes an operation such as cn.jit.cub.Max, got %s", word, show(v))
end

-- ---- methods ----

--- A value in the type of a class.
local function value_text(object, inst, node, word, v)
  if not v.type or not types.can_store(v, object.type_of) then
    fail(inst, node, "%s takes %s, got %s", word, object.type_of.name, show(v))
  end
  return types.convert(v, object.type_of)
end

--- A call of a method of C++ with the value, other texts, and a count of threads if there is one.
local function reduce(object, inst, node, values, word, name, at)
  local texts = {value_text(object, inst, node, word, values[1])}
  if name == "Reduce" then texts[2] = operation_text(inst, node, word, values[2]) end
  if values[at] then texts[#texts + 1] = index_text(inst, node, word, values[at], "int") end
  return {type = object.type_of, text = ("%s.%s(%s)"):format(object.text, name, table.concat(texts, ", "))}
end

local REDUCE = {}

function REDUCE.Sum(object, inst, node, values, word)
  check_count(inst, node, word, values, 1, 2)
  return reduce(object, inst, node, values, word, "Sum", 2)
end

function REDUCE.Reduce(object, inst, node, values, word)
  check_count(inst, node, word, values, 2, 3)
  return reduce(object, inst, node, values, word, "Reduce", 3)
end

--- A scan has two results: the thread's, and what all values make together.
local function scan(name, nvalues, has_operation)
  local nwanted = nvalues + (has_operation and 1 or 0)
  return function(object, inst, node, values, word)
    check_count(inst, node, word, values, nwanted, nwanted)
    local texts = {object.text}
    for k = 1, nvalues do texts[k + 1] = value_text(object, inst, node, word, values[k]) end
    if has_operation then texts[#texts + 1] = operation_text(inst, node, word, values[nwanted]) end
    return {many = ("jit::%s(%s)"):format(name, table.concat(texts, ", ")),
      list = {{type = object.type_of}, {type = object.type_of}}}
  end
end

local SCAN = {
  InclusiveSum = scan("inclusive_sum", 1), ExclusiveSum = scan("exclusive_sum", 1),
  InclusiveScan = scan("inclusive_scan", 1, true), ExclusiveScan = scan("exclusive_scan", 2, true),
}

-- ---- temporary storage ----

--- Shared memory for `count` objects of a class; returns a function that declares it.
local function room_of(class)
  return function(inst, node, word, shape)
    if not shape or #shape > 1 then
      fail(inst, node, "%s takes a number of temporary storages, as in %s(BlockReduce.TempStorage, 1)", word, word)
    end
    return function(name)
      local storage, checks = class.c_class .. "::TempStorage", inst.ctx.checks
      emit.emit(inst, "__shared__ %s %sdata[%d];", storage, name, shape[1])
      emit.emit(inst, "const jit::rooms<%s> %s = {%sdata, %d};", storage, name, name, shape[1])
      return {what = "temporary storage", key = storage, is_local = true, field = function(at_inst, at_node, key)
        local at = index_text(at_inst, at_node, "temporary storage", e.expression(at_inst, key))
        return {what = "an element of temporary storage", key = storage, is_local = true, room_of = class.key,
          text = ("%s.at(%s, %d, %s)"):format(name, checks and "jit_error" or "nullptr",
            checks and e.site(at_inst, at_node, "temporary storage") or 0, at)}
      end}
    end
  end
end

--- BlockReduce(room[1]) in a kernel: the object whose methods the threads call together.
local function construct(class, inst, node, values)
  check_count(inst, node, class.what, values, 1, 1)
  if values[1].room_of ~= class.key then
    fail(inst, node, "%s takes an element of its own temporary storage: cn.jit.shared_memory(C.TempStorage, n)[1], got "
      .. "%s", class.what, show(values[1]))
  end
  return {what = class.what, key = class.key, c = class.c_class, methods = class.methods_of, type_of = class.type_of,
    text = ("%s(%s)"):format(class.c_class, values[1].text)}
end

-- ---- classes ----

--- A class for values of a dtype.
---@param arguments string template arguments after the type
local function make_class(inst, node, word, dtype, arguments, methods)
  local _, t = calls.check_dtype(inst, node, word, dtype)
  if t.kind == "b" then fail(inst, node, "%s takes a dtype of numbers, got bool", word) end
  local name = word:match "[^.]+$"
  local c = ("cub::%s<%s%s>"):format(name, t.c, arguments)
  local scope = name:match "^%u%l+"
  inst.ctx.includes[("#include <cub/%s/%s_%s.cuh>"):format(scope:lower(), scope:lower(),
    name:sub(#scope + 1):lower())] = true
  inst.ctx.preludes[HELPERS] = true
  local class = {what = word, key = c, c_class = c, type_of = t, methods_of = methods}
  class.declared = {what = word .. ".TempStorage", key = c .. " storage", declare = room_of(class)}
  class.field = function(at_inst, at_node, key)
    if key.value ~= "TempStorage" then
      fail(at_inst, at_node, "%s has TempStorage, not '%s'", word, tostring(key.value))
    end
    return class.declared
  end
  class.construct = function(...) return construct(class, ...) end
  return class
end

local function constant_length(inst, node, word, v)
  local length = v and v.literal
  if not length or length < 1 or length > 1024 or length % 1 ~= 0 then
    fail(inst, node, "%s takes the constant lengths of blocks, got %s", word, v and show(v) or "nothing")
  end
  return length
end

--- Classes of blocks know their size; launches with other blocks are refused.
local function of_block(methods, algorithm)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 2, 4)
    local block = {}
    for k = 1, 3 do block[k] = k > 1 and not values[k + 1] and 1 or constant_length(inst, node, word, values[k + 1]) end
    local known = inst.ctx.block
    if known and (known[1] ~= block[1] or known[2] ~= block[2] or known[3] ~= block[3]) then
      fail(inst, node, "%s: the kernel has blocks of %s threads already", word, table.concat(known, " x "))
    end
    inst.ctx.block = block
    local more = #values > 2 and (", cub::%s, %d, %d"):format(algorithm, block[2], block[3]) or ""
    return make_class(inst, node, word, values[1], (", %d%s"):format(block[1], more), methods)
  end
end

local function of_warp(methods)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 1, 2)
    local size = values[2] and values[2].literal or 32
    if values[2] and not (size and (size >= 1 and size <= 32 and math.frexp(size) == 0.5)) then
      fail(inst, node, "%s takes a constant power of two up to 32, got %s", word, show(values[2]))
    end
    return make_class(inst, node, word, values[1], (", %d"):format(size), methods)
  end
end

handlers.WarpReduce, handlers.WarpScan = of_warp(REDUCE), of_warp(SCAN)
handlers.BlockReduce = of_block(REDUCE, "BLOCK_REDUCE_WARP_REDUCTIONS")
handlers.BlockScan = of_block(SCAN, "BLOCK_SCAN_RAKING")

calls.offer(M.namespace, "jit.cub", "cub.", handlers)
for name, text in pairs(NAMES) do OPERATIONS[M.namespace[name]] = text end

--- cn.jit.cub: CUB's reductions and scans of the threads of a warp or block, for kernels only. Follows cupyx.jit.cub,
--- and adds scans. A class is made of constants: `local C = cn.jit.cub.BlockReduce("float32", 256)`; its storage is
--- `local room = cn.jit.shared_memory(C.TempStorage, 1)`; all threads call a method, as in `C(room[1]):Sum(v)`. The
--- first thread gets the result of a reduction. Before the storage is used again come cn.jit.syncthreads() or, for
--- warps, cn.jit.syncwarp(). GPUs need CUB's headers, which CUDA's toolkit has.
---@class cuna.jit.cub
---@field WarpReduce fun(dtype: string, threads: integer|nil): cuna.jit.Reduce of a warp, or of 1, 2, 4, 8 or 16 threads
---@field BlockReduce fun(dtype: string, x: integer, y: integer|nil, z: integer|nil): cuna.jit.Reduce of all its threads
---@field WarpScan fun(dtype: string, threads: integer|nil): cuna.jit.Scan
---@field BlockScan fun(dtype: string, x: integer, y: integer|nil, z: integer|nil): cuna.jit.Scan
---@field Sum function an operation, as the next ones
---@field Max function
---@field Min function

--- A reduction of a warp or block, in kernels: a class, or what it makes of an element of its storage.
---@class cuna.jit.Reduce
---@field TempStorage any for cn.jit.shared_memory
---@field Sum fun(self, value: number, count: integer|nil): number of the first `count` threads, default all
---@field Reduce fun(self, value: number, operation: function, count: integer|nil): number

--- A scan of a warp or block, in kernels. The second result is what all values make together.
---@class cuna.jit.Scan
---@field TempStorage any for cn.jit.shared_memory
---@field InclusiveSum fun(self, value: number): number, number
---@field ExclusiveSum fun(self, value: number): number, number
---@field InclusiveScan fun(self, value: number, operation: function): number, number
---@field ExclusiveScan fun(self, value: number, initial: number, operation: function): number, number

return M
