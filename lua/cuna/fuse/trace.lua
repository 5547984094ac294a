--- trace.lua: one run of a closure with symbols in place of what it reads.
--
-- Every value that reaches the closure has an origin: an argument, an entry of a table argument, an upvalue or a
-- global. An origin records how a later call finds its value and which properties must be equal then. The trace serves
-- every call that matches all origins. While the closure runs, symbols replace values in the upvalues and environments
-- of the closure and of the Lua functions that it captures, and cuna's functions are redirected. All of this is undone
-- afterwards, also after errors.
local bytecode = require "cuna.fuse.bytecode"
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"
local functions = require "cuna.fuse.functions"
local redirect = require "cuna.fuse.redirect"
local symbols = require "cuna.fuse.symbol"
local whose = require "cuna.fuse.values"

local M = {}

local is_symbol, settle, state_of = symbols.is_symbol, symbols.settle, whose.state_of
local RESTART = {} -- raised to trace again with plain numbers

---@class cuna.Trace
local Trace = {}
Trace.__index = Trace

-- ---- redirections ----

local redirections, stand_in, plain_math

local function prepare()
  redirections, stand_in, plain_math = redirect.list(), {}, {}
  for _, entry in ipairs(redirections) do
    local owner, key, original, traced = unpack(entry)
    stand_in[original] = traced
    if owner == math then plain_math[key] = original end
  end
  for i = #redirections, 1, -1 do
    if redirections[i][1] == _G then table.remove(redirections, i) end
  end
end

--- Installs the replacements, or the originals again. An entry that the program has changed is kept. Globals are not
--- replaced, but redirected by environments.
local function set_redirections(on)
  local from, to = on and 3 or 4, on and 4 or 3
  for i = 1, #redirections do
    local entry = redirections[i]
    local owner, key = entry[1], entry[2]
    if rawget(owner, key) == entry[from] then owner[key] = entry[to] end
  end
end

-- ---- values of a trace ----

--- Stores a value in K; returns the Lua text that refers to it.
function Trace:hold(value)
  self.held[#self.held + 1] = value
  return ("K[%d]"):format(#self.held)
end

--- A number as Lua text.
function Trace:literal(value)
  local is_simple = type(value) == "number" and value == value and math.abs(value) < math.huge
    and (value ~= 0 or 1 / value > 0)
  if not is_simple then return self:hold(value) end
  return value < 0 and ("(%.17g)"):format(value) or ("%.17g"):format(value)
end

--- A number that calls compute from other numbers.
function Trace:define(expr, value)
  local number = self.numbers[expr]
  if not number then
    number = {text = "n" .. #self.numbers + 1, value = value, expr = expr, open = true}
    self.numbers[#self.numbers + 1], self.numbers[expr] = number, number
  end
  return number
end

--- Lua text of a condition that is true if `text` is exactly this number.
function Trace:equality(text, value)
  if value ~= value then return ("%s ~= %s"):format(text, text) end
  if value == 0 then return ("%s == 0 and 1 / %s %s 0"):format(text, text, 1 / value > 0 and ">" or "<") end
  return ("%s == %s"):format(text, self:literal(value))
end

function Trace:demand_value(number) self.dag:demand(self:equality(number.text, number.value)) end

-- ---- origins ----

function Trace:origin(statement, value)
  local text = "s" .. #self.origins + 1
  local origin = {text = text, statement = statement:format(text), value = value}
  self.origins[#self.origins + 1] = origin
  return origin
end

local function as_constant(origin)
  origin.kind = "constant"
  return origin.value
end

local function as_array(trace, origin)
  local array = core.check_alive(origin.value, trace.name)
  origin.kind, origin.dtype = "array", array.dtype
  trace.shape_metatable = trace.shape_metatable or getmetatable(array.shape)
  trace.first_array = trace.first_array or origin
  local cell = trace.cells[array]
  if cell then
    trace.twins[#trace.twins + 1] = {origin, cell.leaf.origin}
  else
    local node = trace.dag:array(origin, origin.dtype, array.shape)
    cell = {node = node, leaf = node}
    trace.cells[array] = cell
  end
  return symbols.of_handle(cell)
end

--- A table that is an argument or captured: the closure gets a copy, and every entry has an origin. A table with
--- several origins has one copy.
local function as_table(trace, origin, depth)
  if origin.is_captured and trace.copies[origin.value] then
    as_constant(origin)
    return trace.copies[origin.value]
  end
  if depth > 8 then core.fail(trace.name .. ": tables among the arguments are nested too deep") end
  local copy, given, count = {}, {}, 0
  local metatable = debug.getmetatable(origin.value)
  if metatable and not whose.is_own_metatable(metatable) then trace:give_up "an argument has a metatable" end
  origin.kind = "table"
  trace.copies[origin.value] = copy
  for key, value in pairs(origin.value) do
    local shown = (type(key) == "string" and ("%q"):format(key) or trace:hold(key)):gsub("%%", "%%%%")
    count = count + 1
    local entry = trace:origin(("local %%s = %s[%s]"):format(origin.text, shown), value)
    entry.is_captured = origin.is_captured
    copy[key] = trace:admit(entry, depth + 1)
    given[key] = copy[key]
  end
  origin.count = count
  local place = origin.is_captured and "a captured table" or "a table among the arguments"
  trace.tables[#trace.tables + 1] = {copy = copy, given = given, original = origin.value, place = place}
  debug.setmetatable(copy, metatable)
  return copy
end

--- Makes user kernels with this metatable reject arguments that are part of the trace.
local function guard_kernels(trace, metatable)
  if trace.guarded[metatable] then return end
  trace.guarded[metatable] = metatable.__call
  metatable.__call = redirect.refusing(metatable.__call)
end

--- The value that replaces an argument or captured value in the closure.
function Trace:admit(origin, depth)
  local value = origin.value
  if core.is_array(value) then return as_array(self, origin) end
  if type(value) == "number" and not self.concrete then
    origin.kind = "number"
    self.has_open = true
    return symbols.of_handle {text = origin.text, value = value, open = true}
  elseif state_of(value) then
    self:enter(state_of(value).fn)
  elseif type(value) == "table" and whose.is_opaque(value) then
    local metatable = debug.getmetatable(value)
    if metatable and metatable.__call then guard_kernels(self, metatable) end
  elseif type(value) == "table" and depth then
    return as_table(self, origin, depth)
  elseif stand_in[value] then
    as_constant(origin)
    return stand_in[value]
  elseif type(value) == "function" and whose.is_users_function(value) then
    self:enter(value)
  end
  return as_constant(origin)
end

--- The cell of an array without an origin, which the closure created or found in a table.
function Trace:constant(array)
  local cell = self.cells[array]
  if not cell then
    local origin = {text = self:hold(array), value = core.check_alive(array, self.name)}
    local node = self.dag:array(origin, array.dtype, array.shape)
    self.shape_metatable = self.shape_metatable or getmetatable(array.shape)
    self.has_constants, self.dag.uses_default = true, true -- it may have been made in the default dtype
    cell = {node = node, leaf = node, is_held = true}
    self.cells[array] = cell
  end
  return cell
end

--- Whether the trace holds an array without an origin.
function Trace:holds(array)
  local cell = self.cells[array]
  return cell ~= nil and cell.is_held == true
end

--- Whether an array that the closure has itself, not as a symbol, shares memory that the trace may read; with
--- `written`, memory that it writes.
function Trace:knows(array, written)
  for other, cell in pairs(self.cells) do
    local counts = not written or cell.node ~= cell.leaf
    if counts and (rawequal(other, array) or core.shares_memory(other, array)) then return true end
  end
  return false
end

function Trace:device() return self.first_array and self.first_array.value.device or nil end

function Trace:ask_device()
  if not self.first_array then return core.current_device() end
  self.first_array.asks_device = true
  return self.first_array.value.device
end

--- Records that two arrays must not share memory, because one is read after the other was written.
function Trace:forbid_overlap(written, read)
  self.overlaps[#self.overlaps + 1] = {written.origin, read.origin}
end

--- Adds a draw; returns the names of its generator's key and of its number in the text of calls.
function Trace:draw(generator, name)
  local number = #self.draws + 1
  self.draws[number] = ("local k%d, c%d = next_call(%s, %q)"):format(number, number, self:hold(generator), name)
  return {key = "k" .. number, call = "c" .. number}
end

-- Whether the shape permits these views must be checked for each shape.
local SHAPED = {broadcast_to = true, squeeze = true, reshape = true, ravel = true, view = true}

--- A view of an array of the call.
function Trace:view(cell, name, original, why, arguments, count)
  local base = cell.node.origin
  local function make(x) return original(x, unpack(arguments, 1, count)) end
  base.asks_ndim, base.asks_shape = true, base.asks_shape or SHAPED[name]
  local origin = self:origin(("local %%s = %s(%s)"):format(self:hold(make), base.text), make(base.value))
  origin.kind, cell.fixed = "view", why
  local node = self.dag:array(origin, origin.value.dtype, origin.value.shape)
  return symbols.of_handle {node = node, leaf = node, fixed = name .. " made a view; write to the array itself"}
end

--- A view of a value that the trace computes: of an array that holds it. Its shape is that of a view of any array with
--- the value's dtype and shape.
function Trace:view_of_value(cell, name, original, why, arguments, count)
  local node = cell.node
  local function make(x) return original(x, unpack(arguments, 1, count)) end
  symbols.ask(node, "asks_shape")
  local like = make(core.empty(node.extent.shape, node.dtype, self:device(), name))
  cell.fixed = why
  return symbols.of_handle {node = self.dag:view(node, self:hold(make), like.dtype, like.shape),
    fixed = name .. " made a view; write to the array itself"}
end

-- ---- upvalues and environments ----

function Trace:give_up(why)
  self.volatile = self.volatile or why
  if not self.concrete then error(RESTART) end
end

--- The value that replaces a captured value or a global.
function Trace:see(statement, value)
  local why = not stand_in[value] and whose.why_unsteady(value)
  local is_plain = why and whose.is_plain(value)
  if why and not is_plain then self:give_up(why) end
  local origin = self:origin(statement, value)
  origin.is_captured = true
  return self:admit(origin, is_plain and 1 or nil)
end

local function change_upvalue(trace, fn, i, value)
  local given = trace:see(("local _, %%s = getupvalue(%s, %d)"):format(trace:hold(fn), i), value)
  trace.undo[#trace.undo + 1] = {fn, i, value, given}
  if not rawequal(given, value) then debug.setupvalue(fn, i, given) end
end

--- Replaces the upvalues and the environment of a function.
function Trace:enter(fn)
  if self.entered[fn] then return end
  self.entered[fn] = true
  if not self.concrete and bytecode.indexes_by_variable(fn) then error(RESTART) end
  jit.flush(fn, true) -- compiled code may hold upvalues as constants
  for i = 1, debug.getinfo(fn, "u").nups do
    local name, value = debug.getupvalue(fn, i)
    local id = debug.upvalueid(fn, i)
    if name and not self.upvalues[id] then
      self.upvalues[id] = true
      change_upvalue(self, fn, i, value)
    end
  end
  local env = getfenv(fn)
  if not self.proxies[env] then self.proxies[env] = self:proxy(env) end
  self.environments[#self.environments + 1] = {fn, env}
  setfenv(fn, self.proxies[env])
end

function Trace:read_global(env, key)
  local known = self.globals[env] or {}
  self.globals[env] = known
  if known[key] == nil then
    local value = env[key]
    if type(key) ~= "string" then return value end
    if self.proxies[value] then return self.proxies[value] end -- _G is an environment too
    local shown = ("%q"):format(key):gsub("%%", "%%%%")
    known[key] = {self:see(("local %%s = %s[%s]"):format(self:hold(env), shown), value)}
  end
  return known[key][1]
end

--- The environment that a proxy replaces; other values are returned unchanged.
function Trace:unproxied(value)
  for env, proxy in pairs(self.proxies) do
    if rawequal(proxy, value) then
      self:give_up "it looks into its environment"
      return env
    end
  end
  return value
end

--- A proxy of an environment, which records the globals that are read.
function Trace:proxy(env)
  local proxy = {}
  return setmetatable(proxy, {
    __index = function(_, key)
      if symbols.current() ~= self then return env[key] end
      return self:read_global(env, key)
    end,
    __newindex = function(_, key, value)
      if symbols.current() == self then
        self:give_up "it writes a global"
        if is_symbol(value) and symbols.cell_of(value) then
          core.fail(("%s: an array is stored in the global '%s'; return it instead"):format(self.name, tostring(key)))
        end
        if self.globals[env] then self.globals[env][key] = nil end
        value = settle(value)
      end
      env[key] = value
    end,
  })
end

--- Undoes `enter`, except for values that the closure itself stored in upvalues.
function Trace:leave()
  local stored
  for k = #self.undo, 1, -1 do
    local fn, i, value, given = unpack(self.undo[k], 1, 4)
    local _, now = debug.getupvalue(fn, i)
    if rawequal(now, given) then
      if not rawequal(given, value) then debug.setupvalue(fn, i, value) end
    else
      stored = stored or "it stores an upvalue"
      local number = is_symbol(now) and symbols.number_of(now)
      if is_symbol(now) then debug.setupvalue(fn, i, number and number.value or value) end
      if type(now) == "table" then debug.setupvalue(fn, i, self:original_of(now)) end
      if is_symbol(now) and not number then stored = "it stores an array in an upvalue" end
    end
  end
  for _, entry in ipairs(self.environments) do setfenv(entry[1], entry[2]) end
  for metatable, call in pairs(self.guarded) do metatable.__call = call end
  self.volatile = self.volatile or stored
  return stored == "it stores an array in an upvalue"
end

-- ---- copied tables ----

--- The table whose copy the closure has; other values are returned unchanged.
function Trace:original_of(value)
  for _, entry in ipairs(self.tables) do
    if rawequal(entry.copy, value) then return entry.original end
  end
  return value
end

--- The value outside of the trace of a value that the closure stored in the copy of a table.
function Trace:outside(value, place)
  if not is_symbol(value) then return self:original_of(value) end
  local cell = symbols.cell_of(value)
  if not cell then return settle(value) end
  if not cell.leaf then
    core.fail(("%s: an array is stored in %s; return it instead"):format(self.name, place))
  end
  return cell.leaf.origin.value
end

--- Repeats the closure's changes of its copies in the original tables.
function Trace:store_tables()
  for _, entry in ipairs(self.tables) do
    local keys = {}
    for key in pairs(entry.given) do keys[key] = true end
    for key in next, entry.copy do keys[key] = true end
    for key in pairs(keys) do
      local value = rawget(entry.copy, key)
      if not rawequal(value, entry.given[key]) then
        self:give_up("it writes to " .. entry.place)
        rawset(entry.original, key, self:outside(value, entry.place))
      end
    end
  end
end

-- ---- tracing ----

local function new_trace(state, concrete)
  return setmetatable({
    name = state.name, fn = state.fn, nparams = state.is_vararg and math.huge or state.nparams, concrete = concrete,
    dag = dags.new(), origins = {}, held = {}, numbers = {},
    cells = {}, twins = {}, overlaps = {}, written = {}, undo = {}, environments = {}, entered = {}, upvalues = {},
    proxies = {}, globals = {}, tables = {}, copies = {}, guarded = {}, draws = {}, plain_math = plain_math,
  }, Trace)
end

local function counted(...) return {...}, select("#", ...) end

--- Runs the closure in a coroutine, so that errors are reported at the closure's lines.
local function run(trace, given, count)
  local admitted = {}
  for i = 1, count do admitted[i] = trace:admit(trace:origin("local %s = a" .. i, given[i]), 1) end
  trace:enter(trace.fn)
  local thread, options = coroutine.create(trace.fn), count > trace.nparams and admitted[count]
  local results, nresults = counted(coroutine.resume(thread, unpack(admitted, 1, options and trace.nparams or count)))
  if not results[1] then error(results[2], 0) end
  if coroutine.status(thread) ~= "dead" then core.fail(trace.name .. ": a fused function cannot yield") end
  if trace.denied then core.fail(trace.denied) end -- the closure caught the error
  if options then
    results, nresults = counted(true, functions.deliver(trace.name, options.out, unpack(results, 2, nresults)))
  end
  trace:store_tables()
  trace:note_results(results, nresults - 1)
end

local function attempt(trace, given, count)
  local was_on = jit.status()
  symbols.begin(trace)
  set_redirections(true)
  jit.off()
  local outcome = {pcall(run, trace, given, count)}
  local stores_array = trace:leave()
  if outcome[1] and stores_array then
    outcome = {false, "cuna: " .. trace.name .. ": an array is stored in an upvalue; return it instead"}
  end
  symbols.finish()
  if was_on then jit.on() end
  set_redirections(false)
  return outcome[1], outcome[2]
end

local NO_RESULT = {string = "a string", ["function"] = "a function", thread = "a coroutine",
  table = "a table; return several values"}

--- Records what the closure returned, as {text =} or {cell =}.
function Trace:note_results(results, count)
  self.results = {}
  for i = 1, count do
    local value = results[i + 1]
    local cell = symbols.cell_of_array(value)
    local number = not cell and is_symbol(value) and symbols.number_of(value)
    if cell then
      self.results[i] = {cell = cell}
    elseif number then
      self.results[i] = {text = number.text}
    elseif NO_RESULT[type(value)] and not whose.is_cunas(value) then
      self.refused = NO_RESULT[type(value)]
    else
      self.results[i] = {text = value == nil and "nil" or self:hold(value)}
    end
  end
end

--- Raises the closure's error again, at a line of the closure.
local function raise(trace, message)
  local said = type(message) == "string" and message:match "^cuna: (.*)$"
  if not said then error(message, 0) end
  local info = debug.getinfo(trace.fn, "S")
  error(("%s:%d: cuna: %s"):format(info.short_src, bytecode.line_of(trace.fn), said), 0)
end

--- Traces a state's closure with the arguments of a call.
---@param state table {fn =, name =, concrete =}
---@return cuna.Trace
function M.trace(state, given, count)
  core.watch_interrupts()
  if not redirections then prepare() end
  local concrete = state.concrete or false
  local trace = new_trace(state, concrete)
  local ok, message = attempt(trace, given, count)
  if not ok and not concrete and (message == RESTART or trace.has_open) then
    trace = new_trace(state, true)
    ok, message = attempt(trace, given, count)
    state.concrete = ok
  end
  if not ok then raise(trace, message) end
  if trace.refused then
    raise(trace, ("cuna: %s: a fused function returns arrays and numbers, not %s"):format(trace.name, trace.refused))
  end
  return trace
end

return M
