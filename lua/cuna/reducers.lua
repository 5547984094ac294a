--- reducers.lua: what serves the rows of reductions.lua: functions by their families, and the programs that fold.
local branch = require("cuna.base.program").branch
local core = require "cuna.core"
local reductions = require "cuna.reductions"

local M = {} -- with all that reductions.lua has
for name, value in pairs(reductions) do M[name] = value end

local derive, VALUE, is_inexact = M.derive, M.VALUE, M.is_inexact

local rows = {} -- that fold, by name: those of reductions.lua, and those of M.declare
for _, row in ipairs(M.rows) do
  if not row.of then rows[row.name] = row end
  if row.at_once then
    rows[row.name .. "_at_once"] = derive(row.at_once, {name = row.name .. "_at_once",
      plain = row.plain and row.plain .. "_at_once"})
  end
end

--- The names of a family's parameters: the first words of its `parameters`, after x.
function M.parameters(family)
  local names = {"x"}
  for k, parameter in ipairs(family.parameters) do names[k + 1] = parameter:match "^%S+" end
  return names
end

--- The functions of the rows of some families, by all names of each row.
---@param families table<string, table> {parameters =, make = function(name, row, read)} by name
---@param reader fun(name: string, parameters: string[]): function as args.reader
function M.functions(families, reader)
  local functions = {}
  for _, row in ipairs(M.rows) do
    local family = families[row.family]
    if family then
      local call = family.make(row.name, row, reader(row.name, M.parameters(family)))
      for _, name in ipairs {row.name, unpack(row.alias)} do functions[name] = call end
    end
  end
  return functions
end

-- ---- programs ----

--- The row that folds elements of `dtype` in an accumulator's: where none can be NaN, none is looked for.
local function row_for(name, dtype, accumulator)
  local is_whole = dtype and not (is_inexact(dtype) and is_inexact(accumulator or dtype))
  return is_whole and rows[name].plain or name
end

local programs = {} -- by row, dtype of the elements, accumulator, result

local function known_programs(name, dtype, accumulator)
  return branch(branch(branch(programs, name), dtype), accumulator)
end

--- Adds a row of an operation that combines values: what it leaves out is as a maximum's.
function M.declare(name, fields)
  rows[name] = derive(VALUE, fields)
  rows[name].name = name
end

local function make_program(row, dtype, accumulator, result, kind)
  local spelled = {inputs = {{dtype = dtype}}, steps = {}, reducer = row, accumulator = accumulator, output = result}
  if kind == "masked" then
    spelled.inputs[2] = {dtype = "bool"}
  else
    spelled.scan = kind
  end
  local value = 1
  local function add(step)
    spelled.steps[#spelled.steps + 1], value = step, #spelled.inputs + #spelled.steps + 1
  end
  if row.test then add {name = "test", expr = row.test, dtype = accumulator, args = {1}, arg_dtypes = {dtype}} end
  if kind == "masked" then
    add {name = "masked", expr = ("b ? a : %s"):format(row.nothing or row.identity), dtype = accumulator,
      args = {value, 2}, arg_dtypes = {accumulator, "bool"}}
  end
  return core.program(spelled)
end

--- The program that folds elements of `dtype`.
---@param kind string|nil "inclusive": it scans; "masked": a second input, of bools, says which elements it folds
function M.program(name, dtype, accumulator, result, kind)
  name = row_for(name, dtype, accumulator)
  local known = known_programs(kind and kind .. name or name, dtype, accumulator)
  known[result] = known[result] or make_program(rows[name], dtype, accumulator, result, kind)
  return known[result]
end

--- The row that folds elements of `dtype`; without one, the row of that name.
function M.row(name, dtype) return rows[row_for(name, dtype)] end

--- The step that makes a squared distance of an element of `dtype` and a mean.
function M.deviation_step(name, dtype, mean, accumulator)
  return {name = "square_deviation", dtype = accumulator, args = {1, 2}, arg_dtypes = {mean, mean},
    expr = (M.row(name, dtype).plain and "isnan(a) ? R(-1) : " or "") .. "square_length(wrap_sub(a, b))"}
end

--- The row that folds squared distances without their mean: of real numbers, where blocks have many lanes. Blocks of
--- one lane fold twice, each time in vectors.
function M.at_once(name, device, mean)
  return core.lanes(device) > 1 and not mean:find "^complex" and rows[name .. "_at_once"] or nil
end

--- The program that folds squared distances from a mean: inputs are the array and the mean, which broadcasts.
function M.deviation_program(name, dtype, mean, accumulator, result)
  local known = known_programs(row_for(name, dtype), dtype, mean)
  known[result] = known[result] or core.program {
    inputs = {{dtype = dtype}, {dtype = mean}}, steps = {M.deviation_step(name, dtype, mean, accumulator)},
    reducer = M.row(name, dtype), accumulator = accumulator, output = result,
  }
  return known[result]
end

return M
