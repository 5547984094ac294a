--- fuse/init.lua: cn.fuse and cn.vectorize: functions of arrays whose operations run as few kernels.
--
-- A call records what the function does (runtime/record). If that is all it does, the record becomes a replay, which
-- runs the same operations for other arrays, as long as nothing else that the function reads has changed. A fused
-- function keeps its replays as a chain of Lua functions, the newest first. Each serves the calls that pass its checks
-- and passes others to the next; after the last one the function itself runs.
local args = require "cuna.base.args"
local bytecode = require "cuna.fuse.bytecode"
local check = require "cuna.base.check"
local codes = require "cuna.fuse.code"
local core = require "cuna.core"
local later = require "cuna.base.later"
local mathematics = require "cuna.fuse.mathematics"
local outs = require "cuna.fuse.out"
local reads = require "cuna.fuse.reads"
local suggest = require "cuna.base.suggest"
local views = require "cuna.views"
local whose = require "cuna.fuse.values"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local elements = later.functions "jit.elements"
local MAX_REPLAYS = 64 -- kept of one function

-- ---- calls of the function itself ----

--- The number of arguments that count: those of the closure and, if given, {out = ...} after them.
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

--- Runs the closure, and writes its results to the arrays of `out`.
local function run(state, values, count)
  if state.is_vararg or count <= state.nparams then return state.fn(unpack(values, 1, count)) end
  return outs.deliver(state.name, values[count].out, state.fn(unpack(values, 1, state.nparams)))
end

--- Ends what run_recorded began. A watched state goes on recording until the replay is made.
local function leave(state, was_recording, is_watched, ok, ...)
  if state.upvalues then mathematics.leave(state.upvalues) end
  if not ok then core.replay_unwatch() end
  if not was_recording and not (ok and is_watched) then core.set_recording(false) end
  if not ok then error((...), 0) end
  return ...
end

--- Runs the closure in a state that records, with functions of `math` for arrays if the closure names them.
local function run_recorded(state, is_watched, values, count)
  local was_recording = core.is_recording()
  if not was_recording then core.set_recording(true) end
  if state.upvalues then mathematics.enter(state.upvalues) end
  return leave(state, was_recording, is_watched, pcall(run, state, values, count))
end

local function run_plainly(state, values, count)
  if core.is_recording() and not state.upvalues then return run(state, values, count) end
  return run_recorded(state, false, values, count)
end

-- ---- replays ----

--- Puts a replay at the front of the chain and drops the oldest if there are too many.
local function keep(state, fn, held)
  local chain = state.chain
  held.next = state.metatable.__call
  table.insert(chain, 1, held)
  state.metatable.__call, state.made = fn, true
  if #chain > MAX_REPLAYS then
    chain[#chain] = nil
    chain[#chain].next = state.miss
  end
end

--- Makes a replay of what the closure did, unless that was more than a replay does, or changed what the closure reads.
local function make_replay(state, found, box, values, count, results, nresults)
  local texts, arrays = codes.describe(found, results, nresults)
  if not texts or not reads.same(found, reads.find(state.fn, values, count)) then return core.replay_unwatch() end
  local list = reads.arrays_of(found)
  for _, array in ipairs(arrays) do list[#list + 1] = array end
  local replay = core.replay_make(box, unpack(list))
  local fn, held
  if replay then fn, held = codes.compile(state, found, count, replay, texts, #arrays) end
  if fn then keep(state, fn, held) end
end

local function counted(...) return {...}, select("#", ...) end

--- Runs the closure, and watches it.
local function run_watched(state, found, box, values, count)
  local was_recording = core.is_recording()
  local results, nresults = counted(run_recorded(state, true, values, count))
  local ok, message = pcall(make_replay, state, found, box, values, count, results, nresults)
  if not was_recording then core.set_recording(false) end
  if not ok then error(message, 0) end
  return unpack(results, 1, nresults)
end

local FREE_TRIES, MAX_DOUBLINGS = 4, 10

--- Drops the newest replay.
local function drop(state)
  local held = table.remove(state.chain, 1)
  state.metatable.__call = held.next
end

--- Whether the last call that was watched made a replay, which has served others since.
local function is_newest_used(state) return state.made and state.chain[1].is_used end

--- Decides how many calls that no replay serves go by before one is watched again: the more in a row were watched for
--- nothing, the more. Of their replays only the first few are kept, since each costs the calls that it does not serve.
local function wait_longer(state)
  if is_newest_used(state) then
    state.tries = 0
  elseif state.made and state.tries > FREE_TRIES then
    drop(state)
  end
  state.made = false
  state.tries = state.tries + 1
  state.waits = state.tries <= FREE_TRIES and 0 or 2 ^ math.min(state.tries - FREE_TRIES, MAX_DOUBLINGS)
end

local function watch(state, values, count)
  if not core.is_preparing() then wait_longer(state) end
  local found = reads.find(state.fn, values, count)
  state.upvalues = found.upvalues
  local arrays = found.is_steady and reads.arrays_of(found) or {}
  local box = #arrays > 0 and core.replay_watch(unpack(arrays))
  if not box then return run_plainly(state, values, count) end
  if not core.is_preparing() then state.nwatched = state.nwatched + 1 end
  return run_watched(state, found, box, values, count)
end

--- Handles calls that no replay serves. Within another fused function that is watched, the operations are that one's.
local function miss(state, _, ...)
  local values = {...}
  local count = count_arguments(state, values, select("#", ...))
  if core.is_watching() then return run(state, values, count) end
  if state.waits == 0 or is_newest_used(state) then return watch(state, values, count) end
  state.waits = state.waits - 1
  return run_plainly(state, values, count)
end

-- ---- objects ----

--- The text of the kernels that a call would launch.
local function source(state, object, ...)
  if state.is_by_element then return elements.source(state, {...}) end
  core.prepare_begin()
  local ok, message = pcall(object, ...)
  local text = ok and core.prepare_text()
  core.prepare_end(false)
  if not ok then error(message, 0) end
  return text
end

local function cache_info(state) return {traces = #state.chain, traced = state.nwatched} end

local function refuse_field(_, key) fail("a fused function's fields cannot be changed: '%s'", tostring(key)) end

local function field_of(fields)
  return function(_, key)
    if fields[key] ~= nil then return fields[key] end
    fail("a fused function has no field '%s'%s", tostring(key), suggest.hint(key, fields))
  end
end

--- A fused function.
---@class cuna.Fused
---@field name string the name in error messages
---@field source fun(...: any): string the text of the kernels that a call with these arguments launches
---@field cache_info fun(): table {traces = number of replays kept, traced = how often one was tried}
---@overload fun(...: any): ...

local read_arguments = args.reader("fuse", {"fn", "name", "kernel_name"}, 1)

--- A callable object for a closure.
local function make(kind, fn, name)
  if type(fn) ~= "function" then fail("%s: expected a function, got %s", kind, check.show(fn)) end
  local info = debug.getinfo(fn, "Su")
  if info.what == "C" then fail("%s: expected a function written in Lua", kind) end
  if name ~= nil and type(name) ~= "string" then fail("%s: name is a string, got %s", kind, check.show(name)) end
  local state = {fn = fn, name = name or "fused", nparams = info.nparams, is_vararg = info.isvararg, chain = {},
    nwatched = 0, tries = 0, waits = 0, made = false}
  function state.miss(...) return miss(state, ...) end
  local object = {[whose.STATE] = state}
  local fields = {name = state.name, cache_info = function() return cache_info(state) end,
    source = function(...) return source(state, object, ...) end}
  state.metatable = {
    __call = state.miss, __index = field_of(fields), __newindex = refuse_field, __metatable = "cuna " .. kind,
    __tostring = function() return ("<%s %s>"):format(kind, state.name) end,
  }
  return setmetatable(object, state.metatable), state
end

--- Makes a function of arrays run as few kernels, usually one. Follows cupy.fuse.
---
--- fn may do anything, and does what it does by itself, with the same values and errors. Its operations are recorded,
--- as those of plain operators are, even in a state that runs all at once (cn.set_eager). If recorded operations are
--- all that it does, later calls replay them without running fn: elementwise operations, folds, views, slices, writes
--- to whole arrays, with out or in place. Otherwise fn runs at every call: it reads values (item, tostring, x[1], if
--- x:any()), prints, draws random numbers, sorts, multiplies matrices.
---
--- A replay serves calls in which nothing that fn reads has changed: dtypes, shapes, strides and device of arrays,
--- which of them share memory, numbers, strings, upvalues and globals, also of Lua functions that it calls, and the
--- entries of captured tables of constants and arrays, up to 32. Arrays are read at every call. A function runs at
--- every call if it captures another table, an object or a function written in C, or writes to upvalues, globals or
--- captured tables. For calls that bring other numbers each time, pass these as arrays without axes: cn.scalar(k,
--- dtype).
---
--- While fn runs, the functions of Lua's `math` take arrays, too. Lua cannot branch on elements: `if x` and `x and y`
--- do not look at them, since every array is a true value, and `x == 0` is false for every array x, without a question
--- to cuna: of values of two types Lua asks neither. So `x == 0 and 1 or x` is x; cn.where(x:eq(0), 1, x) and
--- cn.vectorize look at elements.
---
--- A call may end with a table of options: out is an array for the first result, or a table of arrays for several, and
--- is returned in place of the result. A function that takes `...` gets the table itself.
---
--- The object has the fields `name`, `source` and `cache_info`: source(...) returns the text of the kernels that a
--- call with these arguments launches, cache_info() returns how many replays are kept and how often one was tried.
---@param fn function
---@param name string|nil for messages, default "fused"; as an option: {name = "loss"}
---@param kernel_name string|nil CuPy's word for the name
---@return cuna.Fused
---@usage cn.fuse(function(x, y) return (x - y) * (x - y) end)(cn.array {1, 2}, cn.array {3, 5}) --> [4. 9.]
---@usage cn.fuse(function(x) return x / cn.sum(x, 2, {keepdims = true}) end)(cn.array {{1, 3}}) --> [[0.25 0.75]]
---@usage cn.fuse(function(x) return cn.where(x:gt(0), x, 0), x:max() end)(cn.array {-1, 2}) --> [0. 2.], 2.0
---@usage cn.fuse(function(x) return x + 1 end, {name = "next"}) --> <fuse next>
---@usage cn.fuse(function(x) return x + 1 end, {kernel_name = "next"}).name --> next
---@usage cn.fuse(function(x) return x + 1 end)(cn.array {1, 2}, {out = cn.zeros(2, "float32")}).dtype --> float32
---@usage cn.fuse(function(x) return x + 1 end).source(cn.ones(3)):match "struct %w+" --> struct Program
function F.fuse(...)
  local fn, name, kernel_name = read_arguments(...)
  return (make("fuse", fn, name or kernel_name))
end

local read_vectorize = args.reader("vectorize", {"fn", "name"}, 1)

--- Makes arrays of nested tables among the arguments of the closure.
local function convert(name, nparams, ...)
  local values, count, device = {...}, select("#", ...), nil
  for i = 1, math.min(count, nparams) do
    if type(values[i]) == "table" then
      device = device or check.device_of(values)
      values[i] = core.as_array(values[i], nil, device, name)
    end
  end
  return unpack(values, 1, count)
end

local MOST_DEPTH = 3 -- of tables that functions are called from
local decides

--- Whether a function decides by values, or one in a table, at a key that is a number or one of some words. Random
--- numbers of the host, of which arrays would get one, are refused as conditions are that kernels do not have.
local function leads_to_decisions(value, words, seen, depth)
  if type(value) == "function" then return value == math.random or decides(value, seen) end
  if type(value) ~= "table" or depth == 0 then return false end
  for key, entry in next, value do
    local is_named = type(key) ~= "string" or words[key]
    if is_named and leads_to_decisions(entry, words, seen, depth - 1) then return true end
  end
  return false
end

local function entry_of(values, key) return values[key] end

--- Whether a function of numbers decides by values: whether it, or a function of the user's that it captures or finds
--- in globals and tables, has conditions or loops.
function decides(fn, seen)
  if seen[fn] or not whose.is_users_function(fn) then return false end
  seen[fn] = true
  local found = bytecode.read(fn)
  if not found then return false end
  local is_deciding, environment = found.decides, getfenv(fn)
  for k = 1, debug.getinfo(fn, "u").nups do
    local _, value = debug.getupvalue(fn, k)
    is_deciding = is_deciding or leads_to_decisions(value, found.words, seen, MOST_DEPTH)
  end
  for name in pairs(found.globals) do
    local is_there, value = pcall(entry_of, environment, name) -- an environment may refuse names that it has not yet
    is_deciding = is_deciding or is_there and leads_to_decisions(value, found.words, seen, MOST_DEPTH)
  end
  return is_deciding or false
end

--- A result of a function of numbers, in the shape of all: it may have read some of the arguments, or none.
local function spread(name, shape, device, result)
  if core.number_kind(result) then
    local is_whole = type(result) == "number" and result % 1 == 0
    return core.full(shape, is_whole and "int64" or nil, device, name, result)
  end
  if not core.is_array(result) then fail("%s: the function gave %s, not numbers", name, check.show(result)) end
  return result:has_shape(shape) and result or core.broadcast_to(result, shape, name):copy()
end

--- The results of a function of numbers for arguments of which `count` are not options. Numbers alone give numbers.
local function deliver(name, given, count, ...)
  local results, nresults, shapes, device = {...}, select("#", ...), {}, nil
  if nresults == 0 then fail("%s: the function returns no value", name) end
  for i = 1, count do
    local x = given[i]
    if core.is_array(x) then shapes[#shapes + 1], device = x.shape, x.device end
  end
  if not device then return ... end
  local shape = views.common_shape(shapes, #shapes, name)
  for k = 1, nresults do results[k] = spread(name, shape, device, results[k]) end
  return unpack(results, 1, nresults)
end

--- Calls a function that decides by values.
local function call_by_element(state, ...)
  local values = {...}
  local count = count_arguments(state, values, select("#", ...))
  local options = table.remove(values, state.nparams + 1)
  for k = 1, state.nparams do
    if values[k] == nil then fail("%s: argument %d is missing", state.name, k) end
  end
  return outs.deliver(state.name, count > state.nparams and options.out or nil, elements.apply(state, values))
end

--- A function of numbers, applied to every element of arrays, which broadcast. Without conditions and loops it is
--- fused: its operators and the functions of `math` and cn that it calls become one kernel. With them, it is translated
--- as functions of cn.jit.rawkernel are, and each element takes its own way; so it calls functions of `math`, but none
--- of cn, and its dtypes are those of such kernels. Follows numpy.vectorize.
---@param fn function of numbers, which returns one or several
---@param name string|nil for messages, default "vectorized"; as an option: {name = "loss"}
---@return cuna.Fused
---@usage cn.vectorize(function(a, b) return math.max(a, b) ^ 2 end)({1, 5, 3}, 4) --> [16. 25. 16.]
---@usage cn.vectorize(function(a) return 2 * a + 1 end)(3) --> 7
---@usage cn.vectorize(function(a) if a > 1 then return a else return -a end end)({0.5, 2}) --> [-0.5  2. ]
function F.vectorize(...)
  local fn, name = read_vectorize(...)
  local inner, state = make("vectorize", fn, name == nil and "vectorized" or name)
  if not state.is_vararg and decides(fn, {}) then
    state.is_by_element = true
    function state.metatable.__call(_, ...) return call_by_element(state, ...) end
    return inner
  end
  local metatable, nparams = {}, state.is_vararg and math.huge or state.nparams
  for key, value in pairs(state.metatable) do metatable[key] = value end
  function metatable.__call(_, ...)
    local given, count = {convert(state.name, nparams, ...)}, select("#", ...)
    return deliver(state.name, given, math.min(count, nparams), inner(unpack(given, 1, count)))
  end
  return setmetatable({[whose.STATE] = state}, metatable)
end

return M
