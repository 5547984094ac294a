--- functions.lua: cuna's functions and methods on symbols, which replace the originals while a function is traced.
--
-- Each takes the arguments of the unfused function and returns symbols; redirect.lua installs them.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local forms = require "cuna.special.forms"
local mask = require "cuna.mask"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"
local symbols = require "cuna.fuse.symbol"

local M = {}

local fail = check.fail
local is_symbol, settle = symbols.is_symbol, symbols.settle
local F, methods = symbols.functions, symbols.methods

local function dag() return symbols.current().dag end

--- The cell of an array or symbol that is written to.
local function cell_to_write(value, name)
  local cell = symbols.cell_of_array(value)
  if not cell then fail("%s: out: expected an array, got %s", name, is_symbol(value) and "a number" or type(value)) end
  return cell
end

--- Whether a value is an array or an array's symbol.
function M.is_array_like(value)
  return core.is_array(value) or (is_symbol(value) and symbols.cell_of(value) ~= nil)
end

local is_array_like = M.is_array_like

--- The symbol of a result: of a new array, or of `out`, whose cell then has the result as its node.
local function give(node, out, name)
  if out == nil then return symbols.of_node(node) end
  return symbols.write(cell_to_write(out, name), node, name)
end

-- ---- operations of ops.lua and special/ops.lua ----

--- Rejects a table of outputs that is empty, or has keys other than 1..n.
local function check_outs(outs, name)
  for key in pairs(outs) do
    if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then
      fail("%s: out is an array, or a table of them; it has the key '%s'", name, tostring(key))
    end
  end
  if next(outs) == nil then fail("%s: out: expected an array, got an empty table", name) end
end

--- The arrays to write to, by the number of the result.
local function read_outs(name, out, nresults)
  if out == nil then return {} end
  local outs = is_array_like(out) and {out} or out
  if type(outs) ~= "table" then fail("%s: out: expected an array, got %s", name, type(outs)) end
  check_outs(outs, name)
  local count, known = table.maxn(outs), {}
  if count > nresults then
    fail("%s: out has %d array%s, and there %s %d result%s", name, count, count == 1 and "" or "s",
      nresults == 1 and "is" or "are", nresults, nresults == 1 and "" or "s")
  end
  for _, array in pairs(outs) do
    local cell = cell_to_write(array, name)
    if known[cell] then fail("%s: two outputs share memory", name) end
    known[cell] = true
  end
  return outs
end

--- Reads out and dtype from the arguments after the operands.
local function read_rest(name, nargs, nresults, ...)
  local out, options, extra = ...
  local dtype
  if out ~= nil and not is_array_like(out) then
    out, options, extra = nil, out, options
  end
  if extra ~= nil or (options ~= nil and (type(options) ~= "table" or is_symbol(options))) then
    fail("%s: takes %d operand%s, then out and a table of options", name, nargs, nargs == 1 and "" or "s")
  end
  for key, value in pairs(options or {}) do
    if key == "dtype" then
      dtype = check.dtype(value, name)
    elseif key ~= "out" then
      fail("%s: unknown option '%s'; known are out and dtype", name, tostring(key))
    elseif out ~= nil then
      fail("%s: out is given by position and by option", name)
    else
      out = value
    end
  end
  return read_outs(name, out, nresults), dtype
end

local function operands_of(row, ...)
  local operands = {}
  for k = 1, row.nargs do
    operands[k] = symbols.operand((select(k, ...)), row.name, k, row.name == "where" and k > 1)
  end
  return operands
end

local function declare(row, functions_of)
  local nresults = #row.expr
  local function call(...)
    local operands = operands_of(row, ...)
    local outs, dtype = read_rest(row.name, row.nargs, nresults, select(row.nargs + 1, ...))
    local nodes = dag():operation(row.name, operands, dtype)
    local results = {}
    for i, node in ipairs(nodes) do results[i] = give(node, outs[i], row.name) end
    return unpack(results, 1, nresults)
  end
  local function in_place(...)
    if select("#", ...) > row.nargs then
      fail("%s_: takes %d argument%s", row.name, row.nargs - 1, row.nargs == 2 and "" or "s")
    end
    local operands = operands_of(row, ...)
    return symbols.write(cell_to_write((...), row.name), dag():operation(row.name, operands)[1], row.name)
  end
  for _, name in ipairs {row.name, unpack(row.alias)} do
    functions_of[name] = call
    if row.method then methods[name] = call end
    if row.inplace then methods[name .. "_"] = in_place end
  end
end

for _, row in ipairs(elementwise.rows()) do declare(row, F) end

M.special = {} -- functions of cn.special on symbols
for _, row in ipairs(elementwise.special_rows()) do declare(row, M.special) end

-- ---- functions whose row depends on the arguments ----

local row_calls = {}
for name, call in pairs(F) do row_calls[name] = call end

local read_clip = args.reader("clip", {"x", "min", "max", "out"})

function F.clip(...)
  local x, min, max, out = read_clip(...)
  if min == nil and max == nil then fail "clip: give min, max or both" end
  if min == nil then return row_calls.minimum(x, max, {out = out}) end
  if max == nil then return row_calls.maximum(x, min, {out = out}) end
  return row_calls.clip(x, min, max, {out = out})
end

function methods.clip_(x, min, max) return F.clip(x, min, max, x) end

local read_round = args.reader("round", {"x", "decimals", "out"})

function F.round(...)
  local x, decimals, out = read_round(...)
  decimals = settle(decimals)
  if decimals == nil or decimals == 0 then return row_calls.round(x, {out = out}) end
  return row_calls.round_decimals(x, check.integer(decimals, "round", "decimals"), {out = out})
end

-- ---- dtypes and copies ----

local read_astype = args.reader("astype", {"x", "dtype", "copy"})

function F.astype(...)
  local x, dtype, copy = read_astype(...)
  local node = symbols.array_operand(x, "astype")
  dtype = core.check_dtype(dtype, "astype")
  if not check.boolean(copy, true, "astype", "copy") and node.dtype == dtype then return x end
  return symbols.of_node(dag():cast(node, dtype, true))
end

local read_copy = args.reader("copy", {"x", "order"})

--- The order is that of an array in memory, which a value of the trace does not have.
function F.copy(...)
  local node = symbols.array_operand(read_copy(...), "copy")
  return symbols.of_node(dag():cast(node, node.dtype, true))
end

local read_array = args.reader("array", {"value", "dtype", "device"})

function F.array(...)
  local x, dtype, device = read_array(...)
  if device ~= nil then symbols.refuse "array on another device" end
  local node = symbols.array_operand(x, "array")
  return symbols.of_node(dag():cast(node, check.dtype(dtype, "array") or node.dtype, true))
end

local read_asarray = args.reader("asarray", {"value", "dtype"})

function F.asarray(...)
  local x, dtype = read_asarray(...)
  return F.astype(x, dtype or symbols.array_operand(x, "asarray").dtype, false)
end

local read_scalar = args.reader("scalar", {"value", "dtype"})

function F.scalar(...)
  local value, dtype = read_scalar(...)
  local number = symbols.number_of(value)
  if not number then fail("scalar: expected a number or boolean, got %s", check.show(value)) end
  dag().uses_default = dag().uses_default or dtype == nil
  dtype = check.dtype(dtype, "scalar") or dtype_rules.default_dtype()
  return symbols.of_node(dag():stored_number(number, dtype, "scalar"))
end

local function part(name)
  local read = args.reader(name, {"x"})
  return function(...)
    local x = read(...)
    local node = symbols.array_operand(x, name)
    if name == "real" and dtype_facts.kind_of[node.dtype] ~= "c" then return x end
    local symbol = row_calls[name](x)
    symbols.cell_of(symbol).fixed = ("x.%s is a part of another array; write x itself"):format(name)
    return symbol
  end
end
F.real, F.imag = part "real", part "imag"

-- ---- arrays filled with one number ----

local read_full_like = args.reader("full_like", {"x", "value", "dtype"})

local function full_like(name, x, value, dtype)
  local like = symbols.array_operand(x, name)
  dtype = check.dtype(dtype, name) or like.dtype
  local operand = symbols.operand(value, name, 2, true)
  local node = operand.node and dag():cast(operand.node, dtype) or dag():stored_number(operand.number, dtype, name)
  return symbols.of_node(symbols.spread_to(dag():cast(node, dtype, true), like))
end

function F.full_like(...)
  local x, value, dtype = read_full_like(...)
  return full_like("full_like", x, value, dtype)
end

for name, value in pairs {zeros_like = 0, ones_like = 1, empty_like = 0} do
  local read = args.reader(name, {"x", "dtype"})
  F[name] = function(...)
    local x, dtype = read(...)
    return full_like(name, x, value, dtype)
  end
end

function methods.fill(x, value, ...)
  if select("#", ...) > 0 then fail "fill: takes 1 argument" end
  symbols.store(cell_to_write(x, "fill"), value, "fill")
end

-- ---- reductions ----

-- The engine for symbols, with which the families of reduce.lua fold nodes.
local nodes = {}

function nodes.open(name, x, axis)
  local node = symbols.array_operand(x, name)
  symbols.ask(node, "asks_ndim")
  return node, core.axes(axis, #node.extent.shape, name)
end

--- An empty input may raise an error, so another call needs the same emptiness to use the trace.
function nodes.empty_shape(node)
  symbols.ask(node, dags.has_elements(node) and "asks_elements" or "asks_shape")
  for _, length in ipairs(node.extent.shape) do
    if length == 0 then return node.extent.shape, shapes.text(node.extent.shape) end
  end
end

function nodes.output(name, out, result)
  local dtype = cell_to_write(out, name).node.dtype
  core.check_result(result, dtype, nil, nil, name)
  return dtype
end

--- Where integers fold as the default float, the trace serves only calls with the same default.
function nodes.note_dtypes(own, asked, accumulator)
  if not asked and reducers.is_inexact(accumulator) and not reducers.is_inexact(own) then
    dag().uses_default = true
  end
end

function nodes.fold(name, row, node, _, accumulator, result, axes, keepdims, out)
  return give(dag():reduction(row.name, node, accumulator, result, axes, keepdims), out, name)
end

function nodes.spread(name, row, node, _, mean_dtype, accumulator, result, axes, keepdims, ddof, out)
  local at_once = reducers.at_once(row.name, symbols.current():ask_device(), mean_dtype)
  if at_once then
    local folded = reducers.row(at_once.name, node.dtype)
    return give(dag():fold(folded, node, accumulator, result, axes, keepdims, ddof), out, name)
  end
  return give(dag():spread(row.name, row.mean, node, mean_dtype, accumulator, result, axes, keepdims, ddof), out,
    name)
end

function nodes.position_of_number(name)
  symbols.deny("%s: cannot be fused: it must detect slices of only NaN, and %s", name, symbols.why_values)
end

function nodes.decide(name)
  symbols.deny("%s: returns a Lua boolean without axis, out or keepdims, and " .. symbols.why_values
    .. ", or get an array with x:%s{keepdims = true}", name, name)
end

--- Like args.reader. The arguments after x are not operands of the kernel, so the values of their numbers are settled.
local function settled_reader(name, parameters)
  local read = args.reader(name, parameters)
  local function settled(x, ...) return x, unpack(settle {...}, 1, select("#", ...)) end
  return function(...) return settled(read(...)) end
end

for name, call in pairs(reducers.functions(reduce.families, settled_reader, nodes)) do F[name] = call end

-- ---- results of the function ----

--- Writes the results of a fused function to the arrays of its call's `out`, which take their places.
function M.deliver(name, out, ...)
  local results, count = {...}, select("#", ...)
  for i, array in pairs(read_outs(name, out, count)) do
    if not is_array_like(results[i]) and not symbols.number_of(results[i]) then
      fail("%s: out: result %d: expected an array or a number, got %s", name, i, check.show(results[i]))
    end
    local operand, cell = symbols.operand(results[i], name, i), cell_to_write(array, name)
    results[i] = operand.node and symbols.write(cell, operand.node, name) or symbols.store(cell, results[i], name)
  end
  return unpack(results, 1, count)
end

-- ---- copies into arrays ----

local read_copyto = args.reader("copyto", {"dst", "src", "casting", "where"})

function F.copyto(...)
  local dst, src, casting, where = read_copyto(...)
  local cell, source = cell_to_write(dst, "copyto"), symbols.operand(src, "copyto", 2, true)
  if source.node then mask.check_casting(source.node.dtype, cell.node.dtype, casting) end
  if where ~= nil then src = row_calls.where(where, src, dst) end
  local node = symbols.operand(src, "copyto", 2, true).node
  if not node then return symbols.store(cell, src, "copyto") end
  return symbols.write(cell, dag():cast(node, cell.node.dtype), "copyto")
end

-- ---- views ----

local IN_USE = "a view of the array was taken; write it before, or outside of the fused function"

--- A function that returns a view of an array of the call, or of a value that the trace computes into an array. Each
--- call that uses the trace creates its own view.
function M.view(name, original)
  return function(x, ...)
    local trace, cell = symbols.current(), symbols.cell_of_array(x)
    if not cell then symbols.array_operand(x, name) end
    local is_array = cell.node.kind == "array"
    return trace[is_array and "view" or "view_of_value"](trace, cell, name, original, IN_USE, settle({...}),
      select("#", ...))
  end
end

-- ---- functions of cn.special that are made of others ----

local function as_symbol(x) return x end

local special = M.special
special.zeta, special.multigammaln = forms.zeta(special), forms.multigammaln(special, F, as_symbol)
special.softmax, special.log_softmax = forms.softmax(F, as_symbol), forms.log_softmax(F, as_symbol)
special.logsumexp = forms.logsumexp(F, as_symbol)

return M
