--- elementwise.lua: functions, methods, operators and in-place forms, made from the rows of ops.lua. Those of
--- special/ops.lua are made when they are asked for: few scripts have any.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local later = require "cuna.base.later"

--- rows() is ops.lua's list, special_rows() that of special/ops.lua.
local M = {functions = {}, rows = later.value "ops", special_rows = later.value "special.ops"}

local used = {} -- the rows of operations that were called, by name

--- The row of a list that has this name.
local function find(name, rows)
  for _, row in ipairs(rows) do
    if row.name == name then return row end
  end
end

--- The row with this name, which is kept.
---@param name string
---@return table
function M.row(name)
  used[name] = used[name] or find(name, M.rows()) or find(name, M.special_rows())
  return used[name]
end

-- C calls this once per operation and combination of dtypes.
core.hook("resolve", function(name, dtype, ...)
  return dtype_rules.resolve(M.row(name), {...}, dtype)
end)

-- where(condition, x, y): booleans are values there, not conditions.
local BOOLEANS = {where = 2 + 4}

--- The forms of an operation: function, operator, method and method in place.
local function forms_of(row)
  return core.operation(row.name, row.nargs, #row.expr, row.rule == "comparison", BOOLEANS[row.name] or 0)
end

--- Adds the functions of a row to a table.
---@param row table
---@param functions table<string, function>
function M.declare(row, functions)
  local call, operator = forms_of(row)
  for _, name in ipairs {row.name, unpack(row.alias)} do functions[name] = call end
  if row.operator then core.metatable()[row.operator] = operator end
end

local names_of = setmetatable({}, {__mode = "k"}) -- the lists of rows that somebody uses

--- The rows of a list with methods of arrays, by the methods' names.
local function names_in(rows)
  local names = names_of[rows] or {}
  for _, row in ipairs(names_of[rows] and {} or rows) do
    for _, name in ipairs {row.name, unpack(row.alias)} do
      if row.method then names[name] = row end
      if row.inplace then names[name .. "_"] = row end
    end
  end
  names_of[rows] = names
  return names
end

--- The rows with methods of arrays by the methods' names, in tables.
---@return table<string, table>[]
function M.method_names() return {names_in(M.rows()), names_in(M.special_rows())} end

--- The method of an operation, as x:add or x:add_; nil for other names.
---@param name string
---@return function|nil
function M.method(name)
  local row = names_in(M.rows())[name] or names_in(M.special_rows())[name]
  return row and (select(name:find "_$" and 4 or 3, forms_of(row)))
end

for _, row in ipairs(M.rows()) do M.declare(row, M.functions) end
for _, row in ipairs(M.rows()) do
  for number, other in pairs(row.shortcut or {}) do core.shortcut(row.name, number, other) end
end

return M
