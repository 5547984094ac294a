--- draw.lua: random numbers in fused functions.
--
-- A draw is a step whose arguments are the position in the loop, the generator's key and the number of the draw. Every
-- call uses a new draw number. An element depends on its position in the draw's own shape, so folds and programs with
-- loops of another shape read the draw from an array (plan.lua). On the cpu device, all programs do so if the
-- parameters are numbers: filling an array block by block and reading it costs less there than generating a block for
-- every element.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"
local draw = require "cuna.random.draw"
local shapes = require "cuna.base.shapes"
local symbols = require "cuna.fuse.symbol"

local M = {}

local fail = check.fail
local is_symbol = symbols.is_symbol
M.is_symbol = is_symbol

--- A parameter's value if it may stay open: the symbol of an array, or that of a number without restrictions
--- (`is_free`). Other symbols of numbers are settled.
function M.parameter(value, is_free)
  if not is_symbol(value) or symbols.cell_of(value) or is_free then return value end
  return symbols.settle(value)
end

--- The dtype of an array's symbol.
function M.dtype_of(value)
  local cell = is_symbol(value) and symbols.cell_of(value)
  return cell and cell.node.dtype
end

function M.settle(value) return symbols.settle(value) end

--- Rejects draws that are not steps.
function M.refuse(name)
  symbols.deny("%s: cannot be fused: it does more than draw elements; call it outside of the fused function", name)
end

--- Makes a fused function with a draw that is not a step run its closure at every call.
function M.repeat_calls() symbols.current():give_up "it draws random numbers" end

local function node_of(value, name, k, dtype)
  local operand = symbols.operand(value, name, k)
  return operand.node or symbols.current().dag:scalar(operand.number, dtype)
end

--- The nodes of a row's parameters, and the shape that they broadcast to.
local function open(row, values, dtype)
  local nodes = {}
  for k, parameter in ipairs(row.parameters) do
    nodes[k] = node_of(values[k], row.name, k, draw.dtype_of(parameter, dtype))
    symbols.ask(nodes[k], "asks_shape")
  end
  return nodes, symbols.current().dag:join(row.name, nodes).shape
end

--- Records the Lua text by which a draw whose parameters are numbers fills an array.
function M.describe_filling(node, row, nodes, shape, number)
  local trace, words = symbols.current(), {}
  local device = trace:ask_device()
  for k, parameter in ipairs(nodes) do
    if parameter.kind ~= "scalar" then return end
    words[k] = ", " .. parameter.number.text
  end
  node.fills_first = core.lanes(device) == 1
  node.filling = ("fill_draw(%s, %s, %s, %s, %q, %s%s)"):format(trace:hold(row), number.key, number.call,
    trace:hold(shape), node.dtype, trace:hold(device), table.concat(words))
end

--- Replaces draw.run while a function is traced.
function M.run(row, generator, values, shape, dtype, out)
  local trace, dag = symbols.current(), symbols.current().dag
  if row.reports then M.refuse(row.name) end
  local nodes, own = open(row, values, dtype)
  shape = shape or own
  local joined = check.broadcast(shape, own)
  if not joined or not dags.same_shape(joined, shape) then
    fail("%s: shapes %s and %s do not broadcast", row.name, shapes.text(shape), shapes.text(own))
  end
  local number = trace:draw(generator, row.name)
  local args = {dag:index(shape), dag:scalar({text = number.key, value = 0ULL}, "uint64"),
    dag:scalar({text = number.call, value = 0ULL}, "uint64"), unpack(nodes)}
  local expr, dtypes = draw.describe(row, dtype)
  local node = dag:step(row.name, expr, dtype, args, dtypes)
  if row.sampler and #own == 0 then M.describe_filling(node, row, nodes, shape, number) end
  if out == nil then return symbols.of_node(node) end
  return symbols.write(symbols.cell_of_array(out), node, row.name)
end

return M
