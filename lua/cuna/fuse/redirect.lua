--- redirect.lua: the functions that replace others while a fused function is traced.
--
-- A replacement passes calls without symbols to the original, which computes with arrays that the closure found or
-- created. A call that writes to memory that the trace has read, or reads memory that it has written, becomes part of
-- the trace, because the trace's kernels run later. Functions whose results differ from call to call make the closure
-- run at every call.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"
local elementwise = require "cuna.elementwise"
local functions = require "cuna.fuse.functions"
local method = require "cuna.method"
local symbols = require "cuna.fuse.symbol"

local M = {}

local is_array_like, is_symbol, settle = functions.is_array_like, symbols.is_symbol, symbols.settle
local F, methods = symbols.functions, symbols.methods

-- ---- calls that belong to the trace ----

--- Whether only the trace knows the value: a symbol, or an array that the closure found or created and then wrote to.
local function is_traced(value)
  if is_symbol(value) then return true end
  local trace = symbols.current()
  return trace ~= nil and core.is_array(value) and trace:knows(value, true)
end

local function has_symbol(...)
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if is_traced(value) then return true end
    if type(value) == "table" then
      for _, inner in pairs(value) do
        if is_traced(inner) then return true end
      end
    end
  end
  return false
end

local function is_known(value)
  local trace = symbols.current()
  if type(value) == "table" then return is_known(value[1]) or is_known(value[2]) end -- out = {a, b}
  return trace ~= nil and core.is_array(value) and trace:knows(value)
end

local WRITES_FIRST = {fill = true, free = true, __newindex = true}

local nargs_of = {clip = 3, full_like = 2} -- arguments after these may be out; 1 for others
for _, rows in ipairs {elementwise.rows(), elementwise.special_rows()} do
  for _, row in ipairs(rows) do
    for _, name in ipairs {row.name, unpack(row.alias)} do nargs_of[name] = nargs_of[name] or row.nargs end
  end
end

--- Whether a call writes to memory of an array that the trace knows.
local function writes_known(name, ...)
  if name:find "_$" or WRITES_FIRST[name] then return is_known((...)) end
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if core.is_array(value) and i > (nargs_of[name] or 1) and is_known(value) then return true end
    if type(value) == "table" and is_known(value.out) then return true end
  end
  return false
end

local function redirect(name, original, traced)
  return function(...)
    if has_symbol(...) or writes_known(name, ...) then return traced(...) end
    return original(...)
  end
end

local function refusal(name)
  return function() return symbols.refuse(name) end
end

--- A replacement that makes the closure run at every call, and calls the original.
local function repeated(why, original)
  return function(...)
    local trace = symbols.current()
    if trace then trace:give_up(why) end
    return original(...)
  end
end

local function is_any_known(...)
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if is_known(value) then return true end
    for _, inner in pairs(type(value) == "table" and value or {}) do
      if is_known(inner) then return true end
    end
  end
  return false
end

--- The replacement of a user kernel's __call: raises an error if an argument is part of the trace.
function M.refusing(original)
  return function(kernel, ...)
    if has_symbol(...) or is_any_known(...) then
      symbols.deny("%s: cannot be fused: it is a separate kernel; call it outside of the fused function",
        tostring(kernel))
    end
    return original(kernel, ...)
  end
end

-- ---- the functions ----

local VIEWS = {"transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims", "broadcast_to", "flip", "reshape",
  "ravel", "permute_dims", "matrix_transpose", "rollaxis", "flipud", "fliplr", "rot90", "view"}

-- Functions that neither create arrays nor read elements, and those that take functions.
local UNTOUCHED = {fuse = true, vectorize = true, prepare = true, scope = true, keep = true, set_printoptions = true}

local REPEATED = {clock = true, device = true, gc_stats = true, loadtxt = true, get_printoptions = true}

--- The functions on arrays that replace those of `math`.
local MATH = {abs = "absolute", acos = "arccos", asin = "arcsin", atan = "arctan", atan2 = "arctan2", ceil = "ceil",
  cos = "cos", cosh = "cosh", deg = "rad2deg", exp = "exp", floor = "floor", fmod = "fmod", ldexp = "ldexp",
  log10 = "log10", max = "maximum", min = "minimum", pow = "power", rad = "deg2rad", sin = "sin", sinh = "sinh",
  sqrt = "sqrt", tan = "tan", tanh = "tanh", log = "log"}

local function is_array_given(...)
  for i = 1, select("#", ...) do
    if is_array_like((select(i, ...))) then return true end
  end
  return false
end

local function traced_math(name, row)
  return function(...)
    if not is_array_given(...) then return symbols.compute_math(name, ...) end
    if name == "log" and select("#", ...) > 1 then
      symbols.deny "math.log: of an array only the natural logarithm is fused"
    end
    if name ~= "max" and name ~= "min" then return F[row](...) end
    local result = (...)
    for i = 2, select("#", ...) do result = F[row](result, (select(i, ...))) end
    return result
  end
end

--- Functions of Lua that would distinguish a number's symbol from a number, or a proxy from its environment.
local LANGUAGE = {}

local function table_of(value)
  local trace = symbols.current()
  return trace and trace:unproxied(value) or value
end

function LANGUAGE.type(value)
  if not is_symbol(value) then return type(value) end
  return symbols.cell_of(value) and "userdata" or "number"
end

function LANGUAGE.tonumber(value, ...)
  if is_symbol(value) and symbols.cell_of(value) then return nil end
  return tonumber(settle(value), ...)
end

function LANGUAGE.rawequal(a, b) return rawequal(settle(a), settle(b)) end
function LANGUAGE.rawget(t, key) return rawget(table_of(t), settle(key)) end
function LANGUAGE.rawset(t, key, value) return rawset(table_of(t), settle(key), value) end
function LANGUAGE.next(t, key) return next(table_of(t), settle(key)) end
function LANGUAGE.pairs(t) return pairs(table_of(t)) end

-- ---- the list of redirections ----

local SPACES = {"fft", "linalg"} -- namespaces whose functions are not fused

--- All redirections, as {table, key, original, replacement}. The tables are cuna, its arrays' methods and operators,
--- math, and the global table, whose entries are replaced in environments only.
---@return table[]
function M.list()
  local list, cn = {}, args.namespace
  local function put(owner, key, stand_in)
    local original = rawget(owner, key)
    if original then list[#list + 1] = {owner, key, original, stand_in(original)} end
  end
  local function add(owner, key, traced)
    put(owner, key, function(original) return redirect(key, original, traced) end)
  end
  local function repeat_calls(owner, key, why)
    put(owner, key, function(original) return repeated(why, original) end)
  end
  local function add_functions(owner, traced, untouched)
    for name, original in pairs(owner) do
      local is_function = type(original) == "function" and not name:find "^__"
      if is_function and not untouched[name] then add(owner, name, traced[name] or refusal(name)) end
    end
  end
  M.complete_functions(cn)
  for _, space in ipairs(SPACES) do
    local functions_of = rawget(cn, space) or {} -- not loaded yet: nobody has its functions
    for name, call in pairs(functions_of) do
      local title = space .. "." .. name
      if type(call) == "function" then
        put(functions_of, name, function(original) return redirect(title, original, refusal(title)) end)
      end
    end
  end
  for name in pairs(cn.special) do add(cn.special, name, functions.special[name] or F[name] or refusal(name)) end
  add_functions(cn, F, setmetatable({}, {__index = function(_, name) return UNTOUCHED[name] or REPEATED[name] end}))
  add_functions(method.all(), methods, {})
  for name in pairs(REPEATED) do repeat_calls(cn, name, ("it calls cn.%s"):format(name)) end
  put(cn, "scope", function(original) -- arrays made in the scope are needed when kernels run
    return function(fn, ...) return (type(fn) == "function" and fn or original)(...) end
  end)
  local metatable = core.metatable()
  for event, name in pairs {__add = "add", __sub = "subtract", __mul = "multiply", __div = "divide",
    __mod = "remainder", __pow = "power", __unm = "negative"} do
    add(metatable, event, event == "__unm" and function(x) return F.negative(x) end or F[name])
  end
  add(metatable, "__index", symbols.index)
  add(metatable, "__newindex", symbols.assign)
  add(metatable, "__concat", symbols.concat)
  for name, row in pairs(MATH) do add(math, name, traced_math(name, row)) end
  for name, traced in pairs(LANGUAGE) do put(_G, name, function() return traced end) end
  repeat_calls(math, "random", "it draws random numbers")
  for _, name in ipairs {"pcall", "xpcall"} do repeat_calls(_G, name, "it catches errors") end
  return list
end

--- Adds the functions and methods that functions.lua does not define.
function M.complete_functions(cn)
  F.around, F.is_array = F.round, is_array_like
  for _, name in ipairs(VIEWS) do
    F[name] = functions.view(name, cn[name])
    methods[name] = F[name]
  end
  for name in pairs(method.all()) do
    methods[name] = methods[name] or F[name] or refusal(name)
  end
  for _, name in ipairs {"round", "around", "clip", "astype", "copy"} do methods[name] = F[name] end
  function methods.has_shape(x, ...)
    local wanted = type((...)) == "table" and (...) or {...}
    return dags.same_shape(x.shape, settle(wanted))
  end
end

return M
