--- fuse/init.lua: cn.fuse and cn.vectorize, which compile functions of arrays to kernels.
--
-- A fused function keeps its traces as a chain of Lua functions, the newest first. Each serves the calls that pass its
-- checks and passes others to the next; the last one traces. A repeated call therefore costs its checks and the launch.
local args = require "cuna.base.args"
local bytecode = require "cuna.fuse.bytecode"
local check = require "cuna.base.check"
local codes = require "cuna.fuse.code"
local core = require "cuna.core"
local functions = require "cuna.fuse.functions"
local scopes = require "cuna.base.scope"
local suggest = require "cuna.base.suggest"
local symbols = require "cuna.fuse.symbol"
local traces = require "cuna.fuse.trace"
local whose = require "cuna.fuse.values"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local MAX_TRACES = 64 -- kept of one function

-- ---- calls ----

local function has_array(value, depth)
  if core.is_array(value) then return true end
  if type(value) ~= "table" or depth == 0 then return false end
  for _, inner in pairs(value) do
    if has_array(inner, depth - 1) then return true end
  end
  return false
end

--- Whether a function, or one that it captures, has an array among its upvalues.
local function captures_array(fn, seen)
  seen[fn] = true
  for i = 1, debug.getinfo(fn, "u").nups do
    local _, value = debug.getupvalue(fn, i)
    local state = whose.state_of(value)
    local inner = state and state.fn or type(value) == "function" and value
    if core.is_array(value) or (inner and not seen[inner] and captures_array(inner, seen)) then return true end
  end
  return false
end

--- Puts a trace at the front of the chain and drops the oldest if there are too many.
local function keep(state, fn, held)
  local chain = state.chain
  held.next = state.metatable.__call
  table.insert(chain, 1, held)
  state.metatable.__call = fn
  if #chain > MAX_TRACES then
    chain[#chain] = nil
    chain[#chain].next = state.miss
  end
end

--- Ends the first call of a trace.
local function finish(state, ok, ...)
  state.is_fresh = nil
  if not ok then error((...), 0) end
  return ...
end

--- Whether an array that was made while the function was traced must live as long as the trace.
local function is_kept(trace, array) return not trace.volatile and trace:holds(array) end

--- The number of arguments of which a trace knows: those of the closure and, if given, {out = ...} after them.
local function count_arguments(state, values, given)
  if state.is_vararg then return given end
  local count = state.nparams
  local options = values[count + 1]
  if options == nil then return count end
  if type(options) ~= "table" or core.is_array(options) then
    fail("%s: takes %d argument%s, then a table of options", state.name, count, count == 1 and "" or "s")
  end
  for key in pairs(options) do
    if key ~= "out" then fail("%s: unknown option '%s'; known is out", state.name, tostring(key)) end
  end
  return count + 1
end

--- A call while another function is traced becomes part of that one's trace.
local function call_traced(trace, state, values, count)
  trace:enter(state.fn)
  if state.is_vararg or count <= state.nparams then return state.fn(unpack(values, 1, count)) end
  return functions.deliver(state.name, values[count].out, state.fn(unpack(values, 1, state.nparams)))
end

--- Writes the results of a closure that was not fused to the arrays of `out`.
local function put(name, out, ...)
  local results = {...}
  for i, array in pairs(core.is_array(out) and {out} or out) do
    if results[i] == nil then fail("%s: out has an array %d, and there are %d results", name, i, #results) end
    array[core.ellipsis] = results[i]
    results[i] = array
  end
  return unpack(results, 1, select("#", ...))
end

--- A call whose arrays share memory, of which one is written and another read later: the operations run one by one. A
--- closure that has done more than compute when it was traced would do that twice.
local function plain(state, volatile, ...)
  if volatile then
    fail("%s: two arrays of this call share memory, and the function reads or writes one after it wrote to the other; "
      .. "copy one of them first (the function cannot run twice, because %s)", state.name, volatile)
  end
  local options = not state.is_vararg and select(state.nparams + 1, ...)
  if not options then return state.fn(...) end
  return put(state.name, options.out, state.fn(unpack({...}, 1, state.nparams)))
end

--- Handles calls that no trace serves.
local function miss(state, object, ...)
  local values, trace_now = {...}, symbols.current()
  local count = count_arguments(state, values, select("#", ...))
  if trace_now then
    return call_traced(trace_now, state, values, count)
  elseif state.is_fresh then
    state.is_fresh = nil
    fail("%s: the arguments changed while the function was traced", state.name)
  elseif not has_array(values, 4) and not captures_array(state.fn, {}) then
    return state.fn(...)
  end
  local trace = scopes.apart(is_kept, traces.trace, state, values, count)
  local fn, held = codes.compile(state, trace, count)
  state.ntraced = state.ntraced + 1
  held.next = state.metatable.__call
  local volatile = trace.volatile
  function held.plain(_, ...) return plain(state, volatile, ...) end
  if volatile then return fn(object, ...) end
  keep(state, fn, held)
  state.is_fresh = true
  return finish(state, pcall(fn, object, ...))
end

-- ---- objects ----

--- The text of the kernels that a call would launch.
local function source(object, ...)
  core.prepare_begin()
  local ok, message = pcall(object, ...)
  local text = ok and core.prepare_text()
  core.prepare_end(false)
  if not ok then error(message, 0) end
  return text
end

local function cache_info(state) return {traces = #state.chain, traced = state.ntraced} end

local function refuse_field(_, key) fail("a fused function's fields cannot be changed: '%s'", tostring(key)) end

local function field_of(fields)
  return function(_, key)
    if fields[key] ~= nil then return fields[key] end
    local near = suggest.find(tostring(key), fields)
    fail("a fused function has no field '%s'%s", tostring(key), near and ("; did you mean '%s'?"):format(near) or "")
  end
end

--- A fused function.
---@class cuna.Fused
---@field name string the name in error messages
---@field source fun(...: any): string the text of the kernels that a call with these arguments launches
---@field cache_info fun(): table {traces = number of traces kept, traced = how often the closure was traced}
---@overload fun(...: any): ...

local read_arguments = args.reader("fuse", {"fn", "name"}, 1)

--- A callable object for a closure.
local function make(kind, fn, name)
  if type(fn) ~= "function" then fail("%s: expected a function, got %s", kind, check.show(fn)) end
  local info = debug.getinfo(fn, "Su")
  if info.what == "C" then fail("%s: expected a function written in Lua", kind) end
  if name ~= nil and type(name) ~= "string" then fail("%s: name is a string, got %s", kind, check.show(name)) end
  local state = {fn = fn, name = name or "fused", nparams = info.nparams, is_vararg = info.isvararg, chain = {},
    ntraced = 0, concrete = bytecode.indexes_by_variable(fn)}
  function state.miss(...) return miss(state, ...) end
  local object = {[whose.STATE] = state}
  local fields = {name = state.name, cache_info = function() return cache_info(state) end,
    source = function(...) return source(object, ...) end}
  state.metatable = {
    __call = state.miss, __index = field_of(fields), __newindex = refuse_field, __metatable = "cuna " .. kind,
    __tostring = function() return ("<%s %s>"):format(kind, state.name) end,
  }
  return setmetatable(object, state.metatable), state
end

--- Compiles a function of arrays to as few kernels as possible, usually one. Follows cupy.fuse.
---
--- The first call traces fn: it runs with symbols in place of arrays, and its operations become a program, which this
--- and later calls launch. Every operation of cuna's table fuses, as function, method, operator and in place, with
--- numbers, cn.where, astype, copy, copyto, clip, round, zeros_like, ones_like, full_like, fill and x[":"] = y, and
--- reductions with axis and keepdims. A value in another shape (reshape, T, expand_dims) is first stored. Results have
--- the dtypes, and steps the roundings, of the unfused expression.
--- Arrays are written (x:add_(y), out = x) after all reads; if that would show, because two arrays of a call share
--- memory, the operations of this call run one by one. any and all need axis, out or keepdims here, and return
--- arrays.
---
--- fn is traced again when something that it read has changed: dtypes, the number of arguments, which of them are the
--- same array, shapes and sizes that the closure read, globals, upvalues (also of Lua functions that it captures). A
--- number may change without a new trace, unless the closure tests it: `if k > 2`, `for i = 1, k`. Captured arrays are
--- read at every call, and so are captured tables of constants and arrays, up to 32 entries. A closure is traced at
--- every call if it captures another table, an iterator or a function written in C, catches errors, calls math.random
--- or writes to a table; its kernels are still compiled once. Other effects, such as print, occur only when fn is
--- traced. Numbers that a generator of cn.random draws are part of the expression, with new numbers in every call.
---
--- Lua cannot branch on elements: x < y, x == 0 and x == y raise an error that points to cn.where. `if x`, `not x` and
--- `x and y` cannot be detected: every array is a true value. Sorting, indexing and joining raise an error, and so does
--- everything that needs values: item, tostring, print. With numbers only, the closure runs normally.
---
--- A call may end with a table of options: out is an array for the first result, or a table of arrays for several, and
--- is returned in place of the result. A function that takes `...` gets the table itself.
---
--- The object has the fields `name`, `source` and `cache_info`: source(...) returns the text of the kernels that a call
--- with these arguments launches, cache_info() returns how many traces are kept and how often fn was traced.
---@param fn function of arrays, numbers, booleans, nil and tables of options; returns arrays and numbers
---@param name string|nil for messages, default "fused"; as an option: {name = "loss"}
---@return cuna.Fused
---@usage cn.fuse(function(x, y) return (x - y) * (x - y) end)(cn.array {1, 2}, cn.array {3, 5}) --> [4. 9.]
---@usage cn.fuse(function(x) return x / cn.sum(x, 2, {keepdims = true}) end)(cn.array {{1, 3}}) --> [[0.25 0.75]]
---@usage cn.fuse(function(x) return cn.where(x:gt(0), x, 0), x:max() end)(cn.array {-1, 2}) --> [0. 2.], 2.0
---@usage cn.fuse(function(x) return x + 1 end, {name = "next"}) --> <fuse next>
---@usage cn.fuse(function(x) return x + 1 end)(cn.array {1, 2}, {out = cn.zeros(2, "float32")}).dtype --> float32
---@usage cn.fuse(function(x) return x + 1 end).source(cn.ones(3)):match "struct %w+" --> struct Program
function F.fuse(...)
  local fn, name = read_arguments(...)
  return (make("fuse", fn, name))
end

local read_vectorize = args.reader("vectorize", {"fn", "name"}, 1)
--- Makes arrays of nested tables among the arguments of the closure.
local function convert(name, nparams, ...)
  local values, count = {...}, select("#", ...)
  local device = check.device_of(values)
  for i = 1, math.min(count, nparams) do
    if type(values[i]) == "table" then values[i] = core.as_array(values[i], nil, device, name) end
  end
  return unpack(values, 1, count)
end

--- A function of numbers, applied to every element of arrays, which broadcast. It is fused: its operators and the
--- functions of `math` and cn that it calls become one kernel. Choose between values with cn.where, since a Lua
--- condition cannot differ from element to element. Follows numpy.vectorize.
---@param fn function of numbers, which returns one or several
---@param name string|nil for messages, default "vectorized"; as an option: {name = "loss"}
---@return cuna.Fused
---@usage cn.vectorize(function(a, b) return math.max(a, b) ^ 2 end)({1, 5, 3}, 4) --> [16. 25. 16.]
---@usage cn.vectorize(function(a) return 2 * a + 1 end)(3) --> 7
function F.vectorize(...)
  local fn, name = read_vectorize(...)
  local inner, state = make("vectorize", fn, name == nil and "vectorized" or name)
  local metatable, nparams = {}, state.is_vararg and math.huge or state.nparams
  for key, value in pairs(state.metatable) do metatable[key] = value end
  function metatable.__call(_, ...)
    for i = 1, select("#", ...) do
      if type((select(i, ...))) == "table" then return inner(convert(state.name, nparams, ...)) end
    end
    return inner(...)
  end
  return setmetatable({[whose.STATE] = state}, metatable)
end

return M
