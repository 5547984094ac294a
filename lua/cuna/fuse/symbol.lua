--- symbol.lua: symbols, which replace arrays and numbers while a fused function is traced.
--
-- A symbol is an FFI object with a metatype: for s == 0 and s < 1, LuaJIT calls the metamethods of a cdata but not
-- those of a userdata or table, so every comparison is noticed. A symbol holds two integers only. The trace maps them
-- to a cell, whose node is the array's present value (in-place operations replace the node), or to a number.
--
-- Numbers that are arguments stay open: arithmetic on them is recorded as text and evaluated again in every call. Where
-- Lua itself needs the value (a comparison, a conversion to a string), other calls must have the same outcome to use
-- the trace.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local ffi = require "ffi"
local home = require "cuna.base.home"
local refuse_self = require "cuna.method".refuse
local suggest = require "cuna.base.suggest"

local M = {
  functions = {}, -- functions and methods on symbols, by name; functions.lua sets them
  methods = {},
}

local function fail(format, ...) core.fail(format:format(...)) end

-- The type is created once per process. If the modules are loaded again, the new ones set `shared.answer`.
local registry = debug.getregistry()
local shared = registry["cuna.fuse_symbol"]
if not shared then
  shared = {type = ffi.typeof "struct { const int32_t cuna_trace_, cuna_id_; }", answer = {}}
  registry["cuna.fuse_symbol"] = shared
  local metatable = {}
  for _, event in ipairs {"add", "sub", "mul", "div", "mod", "pow", "unm", "eq", "lt", "le", "len", "concat", "call",
    "tostring", "index", "newindex"} do
    metatable["__" .. event] = function(...) return shared.answer[event](...) end
  end
  ffi.metatype(shared.type, metatable)
end
local answer, Symbol = {}, shared.type

local current -- the trace in progress
local serial = 0

function M.is_symbol(value) return type(value) == "cdata" and ffi.istype(Symbol, value) end
local is_symbol = M.is_symbol

function M.current() return current end

--- Begins a trace: {dag =, name =, ...}. Only one is in progress at a time.
function M.begin(trace)
  serial = serial % 2 ^ 30 + 1
  trace.serial, trace.handles = serial, {}
  shared.answer = answer
  current = trace
end

function M.finish() current = nil end

local function new_symbol(handle)
  local handles = current.handles
  handles[#handles + 1] = handle
  return Symbol(current.serial, #handles)
end

--- The cell or number of a symbol.
local function handle_of(symbol)
  if not current or symbol.cuna_trace_ ~= current.serial then
    fail "a value of a fused function was kept beyond its tracing; return it instead"
  end
  return current.handles[symbol.cuna_id_]
end

--- The cell of an array's symbol; nil for a number's symbol.
function M.cell_of(symbol)
  local handle = handle_of(symbol)
  return handle.node and handle
end

--- The number of a symbol or plain value; nil for arrays and other values.
function M.number_of(value)
  if is_symbol(value) then
    local handle = handle_of(value)
    return not handle.node and handle or nil
  elseif type(value) ~= "boolean" and core.number_kind(value) then
    return {text = current:literal(value), value = value}
  end
end
local number_of, cell_of = M.number_of, M.cell_of

--- Raises an error for a call that is valid outside fused functions. The trace fails even if the closure catches it.
function M.deny(format, ...)
  local message = format:format(...)
  if current then current.denied = current.denied or message end
  core.fail(message)
end
local deny = M.deny

--- A symbol of a new array with this value.
function M.of_node(node) return new_symbol {node = node} end

--- The symbol of a cell or of a number.
function M.of_handle(handle)
  handle.symbol = handle.symbol or new_symbol(handle)
  return handle.symbol
end

-- ---- numbers ----

--- The value of an open number, which must be equal in other calls; tables are copied, other values are unchanged.
function M.settle(value)
  if is_symbol(value) and not cell_of(value) then
    local number = handle_of(value)
    current:demand_value(number)
    return number.value
  elseif type(value) == "table" and not getmetatable(value) then
    local copy = {}
    for key, inner in pairs(value) do copy[key] = M.settle(inner) end
    return copy
  end
  return value
end
local settle = M.settle

local ARITHMETIC = {
  add = {"%s + %s", function(a, b) return a + b end}, sub = {"%s - %s", function(a, b) return a - b end},
  mul = {"%s * %s", function(a, b) return a * b end}, div = {"%s / %s", function(a, b) return a / b end},
  mod = {"%s %% %s", function(a, b) return a % b end}, pow = {"%s ^ %s", function(a, b) return a ^ b end},
}

local function is_plain(number) return type(number.value) == "number" end

--- Arithmetic on numbers, evaluated in every call; with boxed numbers only once, and their values must not change.
local function compute(event, a, b)
  local form = ARITHMETIC[event]
  if not is_plain(a) or not is_plain(b) then
    local function value_of(number)
      if number.open then current:demand_value(number) end
      return number.value
    end
    return form[2](value_of(a), value_of(b))
  end
  return M.of_handle(current:define(form[1]:format(a.text, b.text), form[2](a.value, b.value)))
end

local ROW_OF = {add = "add", sub = "subtract", mul = "multiply", div = "divide", mod = "remainder", pow = "power"}

for event, row in pairs(ROW_OF) do
  answer[event] = function(a, b)
    local m, n = number_of(a), number_of(b)
    if m and n then return compute(event, m, n) end
    return M.functions[row](a, b)
  end
end

function answer.unm(a)
  local number = number_of(a)
  if number then return M.of_handle(current:define("-" .. number.text, -number.value)) end
  return M.functions.negative(a)
end

--- Calls math.<name> with plain numbers, some of which are open.
function M.compute_math(name, ...)
  local texts, values = {}, {}
  for i = 1, select("#", ...) do
    local number = number_of((select(i, ...)))
    if not number or not is_plain(number) then
      return current.plain_math[name](unpack(settle {...}, 1, select("#", ...)))
    end
    texts[i], values[i] = number.text, number.value
  end
  return M.of_handle(current:define(("math.%s(%s)"):format(name, table.concat(texts, ", ")),
    current.plain_math[name](unpack(values))))
end

-- ---- comparison ----

local HINT = "a fused function is traced without values, so Lua cannot compare; write cn.where(condition, a, b) with "
  .. "a condition such as x:%s(y)"

local function refuse_comparison(method) deny("%s: " .. HINT, current and current.name or "fuse", method) end

--- Compares numbers; the comparison must have the same outcome in other calls. Nil if an operand is an array.
local function compare(a, b, operator, outcome)
  local m, n = number_of(a), number_of(b)
  if not m or not n then return nil end
  local held = outcome(m.value, n.value)
  if is_plain(m) and is_plain(n) then
    current.dag:demand(("%s(%s %s %s)"):format(held and "" or "not ", m.text, operator, n.text))
  else
    settle(a)
    settle(b)
  end
  return held
end

local NEVER_EQUAL = {["nil"] = true, boolean = true, string = true, table = true, ["function"] = true, thread = true}

function answer.eq(a, b)
  if NEVER_EQUAL[type(a)] or NEVER_EQUAL[type(b)] then return false end
  if is_symbol(a) and is_symbol(b) and handle_of(a) == handle_of(b) and cell_of(a) then return true end
  local held = compare(a, b, "==", function(m, n) return m == n end)
  if held == nil then refuse_comparison "eq" end
  return held
end

function answer.lt(a, b)
  local held = compare(a, b, "<", function(m, n) return m < n end)
  if held == nil then refuse_comparison "lt" end
  return held
end

function answer.le(a, b)
  local held = compare(a, b, "<=", function(m, n) return m <= n end)
  if held == nil then refuse_comparison "le" end
  return held
end

-- ---- operations that need values ----

local WHY = "a fused function is traced without values; do this outside of it"
M.why_values = WHY

--- Whether the caller of `tostring` is a function of cuna, which shows the symbol in a message.
local function is_asked_by_cuna()
  for level = 3, 12 do
    local info = debug.getinfo(level, "S")
    if not info then return true end
    if info.what ~= "C" and not info.source:find("symbol.lua", 1, true) then
      return home.file(info.source) ~= nil
    end
  end
end

function answer.tostring(s)
  if not current or is_asked_by_cuna() then return "a fused function's array" end
  local number = number_of(s)
  if number then return tostring(settle(s)) end
  deny("tostring: the text of an array needs its values, and " .. WHY)
end

function M.concat(a, b)
  local plain_a, plain_b = settle(a), settle(b)
  if not is_symbol(plain_a) and not is_symbol(plain_b) then return plain_a .. plain_b end
  if type(a) == "string" or type(b) == "string" then
    deny("..: the text of an array needs its values, and " .. WHY)
  end
  return M.refuse "concatenate"
end
answer.concat = M.concat

function answer.call(s)
  if not cell_of(s) then fail "attempt to call a number value" end
  fail "an array is not a function: fields such as T, real and imag are written without brackets"
end

local NEEDS_VALUES = {}
for _, name in ipairs {"item", "totable", "tolist", "tobytes", "get", "asnumpy", "iter", "pointer", "array_equal",
  "array2string", "array_repr", "array_str", "savetxt", "nonzero", "unique", "free"} do
  NEEDS_VALUES[name] = true
end

--- Raises an error that says why an operation cannot be fused.
function M.refuse(name)
  if NEEDS_VALUES[name] then deny("%s: cannot be fused: it needs values, and " .. WHY, name) end
  deny("%s: cannot be fused: only elementwise operations and reductions are; call it outside of the fused function",
    name)
end

-- ---- fields ----

--- Records that the closure read a property (`what`) of the arrays that determine a node's shape.
function M.ask(node, what)
  for _, root in ipairs(node.extent.roots) do
    if root.kind == "array" then
      root.origin[what] = true
    elseif root.x then
      M.ask(root.x, what)
    end
  end
end
local ask = M.ask

local fields = {}

function fields.shape(cell)
  ask(cell.node, "asks_shape")
  local shape = {}
  for axis, length in ipairs(cell.node.extent.shape) do shape[axis] = length end
  return setmetatable(shape, current.shape_metatable)
end

function fields.ndim(cell)
  ask(cell.node, "asks_ndim")
  return #cell.node.extent.shape
end

function fields.size(cell)
  ask(cell.node, cell.node.kind == "array" and "asks_size" or "asks_shape")
  local size = 1
  for _, length in ipairs(cell.node.extent.shape) do size = size * length end
  return size
end

function fields.dtype(cell) return cell.node.dtype end
function fields.itemsize(cell) return dtype_facts.size_of[cell.node.dtype] end
function fields.nbytes(cell) return fields.size(cell) * dtype_facts.size_of[cell.node.dtype] end
function fields.device() return current:ask_device() end
function fields.T(cell) return M.methods.transpose(M.of_handle(cell)) end
function fields.real(cell) return M.functions.real(M.of_handle(cell)) end
function fields.imag(cell) return M.functions.imag(M.of_handle(cell)) end

for _, name in ipairs {"strides", "flags", "base"} do
  fields[name] = function() deny("%s: how an array lies in memory is not known inside a fused function", name) end
end

local function refuse_index()
  deny("x[...]: cannot be fused: elements are not known while the function is traced, and a part of an array is not "
    .. "an argument of the call; index outside of the fused function")
end

--- A method for the traced closure. Like those of method.lua, it rejects an x that is not an array or its symbol.
local function on_array(name, method)
  return function(x, ...)
    if not (is_symbol(x) and cell_of(x) or core.is_array(x)) then refuse_self(name, settle(x), ...) end
    return method(x, ...)
  end
end

--- Whether an index means the whole array.
local function is_whole(key, ndim)
  if rawequal(key, core.ellipsis) then return true end
  if type(key) == "string" then
    local text = key:gsub("%s", "") .. ","
    return text == "...," or text:gsub(":,", "") == "" and #text <= 2 * ndim
  end
  if type(key) ~= "table" or is_symbol(key) then return false end
  if #key == 1 and rawequal(key[1], core.ellipsis) then return true end
  for _, entry in pairs(key) do
    if type(entry) ~= "table" or next(entry) ~= nil then return false end
  end
  return #key <= ndim
end

function answer.index(s, key)
  if not current then handle_of(s) end
  local cell = cell_of(s)
  if not cell then fail("attempt to index a number value (field '%s')", tostring(settle(key))) end
  if type(key) ~= "string" or not key:find "^[%a_]" then
    if is_whole(key, #cell.node.extent.shape) then return M.of_handle(cell) end
    refuse_index()
  end
  if M.methods[key] then return on_array(key, M.methods[key]) end
  if fields[key] then return fields[key](cell) end
  local near = suggest.find(key, M.methods, fields)
  fail("an array has no field or method '%s'%s", key, near and ("; did you mean '%s'?"):format(near) or "")
end

function answer.newindex(s, key, value)
  local cell = cell_of(s)
  if not cell then fail "attempt to index a number value" end
  if not is_whole(key, #cell.node.extent.shape) then
    if type(key) == "string" and key:find "^[%a_]" then fail("an array's field '%s' cannot be assigned", key) end
    deny("x[...] = y: cannot be fused: only whole arrays are written, as in x[cn.ellipsis] = y")
  end
  M.store(cell, value, "assignment")
end

--- Indexing of, and assignment to, symbols and arrays that the trace has written.
function M.index(x, key) return answer.index(is_symbol(x) and x or M.of_handle(M.cell_of_array(x)), key) end
function M.assign(x, key, value)
  answer.newindex(is_symbol(x) and x or M.of_handle(M.cell_of_array(x)), key, value)
end

function answer.len(s)
  local cell = cell_of(s)
  if not cell then fail "attempt to get length of a number value" end
  if #cell.node.extent.shape == 0 then fail "#: a 0-d array has no length" end
  ask(cell.node, "asks_shape")
  return cell.node.extent.shape[1]
end

-- ---- operands ----

--- The cell of a symbol or array.
function M.cell_of_array(value)
  if is_symbol(value) then return cell_of(value) end
  if core.is_array(value) then return current:constant(value) end
end

--- Reads a cell's present value. Arrays that were written before must not share its memory.
local function read(cell)
  if cell.node == cell.leaf then -- else the trace has computed the value
    for _, written in ipairs(current.written) do
      if written ~= cell and written.leaf then current:forbid_overlap(written.leaf, cell.node) end
    end
  end
  return cell.node
end

--- An operand of an operation: {node =} or {number =}.
---@param value any
---@param k integer its number, for messages
---@param takes_booleans boolean
function M.operand(value, name, k, takes_booleans)
  local cell = M.cell_of_array(value)
  if cell then return {node = read(cell)} end
  if type(value) == "boolean" and takes_booleans then
    return {number = {text = tostring(value), value = value}}
  elseif type(value) == "boolean" then
    fail("%s: argument %d is a Lua boolean; write x:eq(y) or x:logical_not() for a mask, or cn.scalar(%s, \"bool\")",
      name, k, tostring(value))
  elseif type(value) == "table" then
    return {node = read(current:constant(core.as_array(settle(value), nil, current:device(), name)))}
  end
  local number = number_of(value)
  if number then return {number = number} end
  fail("%s: argument %d: expected an array or a number, got %s", name, k, value == nil and "nothing" or type(value))
end

--- The node of an operand that must be an array; numbers become 0-d arrays.
function M.array_operand(value, name)
  if value == nil then fail("%s: no array given; write x:%s() with a colon, or cn.%s(x)", name, name, name) end
  local operand = M.operand(value, name, 1)
  if operand.node then return operand.node end
  if type(operand.number.value) ~= "number" then -- a boxed number has a dtype
    return current:constant(core.as_array(operand.number.value, nil, current:device(), name)).node
  end
  current.dag.uses_default = true
  return current.dag:scalar(operand.number, dtype_rules.default_dtype())
end

-- ---- writing ----

local function has_roots(extent, other)
  local known = {}
  for _, root in ipairs(extent.roots) do known[root] = true end
  for _, root in ipairs(other.roots) do
    if not known[root] then return false end
  end
  return true
end

--- A node broadcast to the shape of another.
function M.spread_to(node, like)
  if has_roots(node.extent, like.extent) then return node end
  return current.dag:step("fill", "a", node.dtype, {node, like}, {node.dtype, like.dtype})
end

--- Makes a node the value of a cell, as an operation with `out` does.
function M.write(cell, node, name)
  local old, shape = cell.node, cell.node.extent.shape
  if cell.fixed then deny("%s: cannot be fused: %s", name, cell.fixed) end
  local result = check.broadcast(shape, node.extent.shape) or node.extent.shape
  core.check_result(node.dtype, old.dtype, result, shape, name)
  cell.node = M.spread_to(current.dag:cast(node, old.dtype), old)
  if not cell.is_written then
    cell.is_written = true
    current.written[#current.written + 1] = cell
  end
  return M.of_handle(cell)
end

--- Stores a number or array in all elements of a cell, as x[...] = value does.
function M.store(cell, value, name)
  local operand, dtype = M.operand(value, name, 1, true), cell.node.dtype
  local node = operand.node
  if not node then
    node = current.dag:stored_number(operand.number, dtype, name)
  end
  return M.write(cell, current.dag:cast(node, dtype), name)
end

return M
