--- elementwise.lua: functions, methods, operators and in-place forms, made from the rows of ops.lua.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local later = require "cuna.base.later"

--- rows() is ops.lua's list.
local M = {functions = {}, rows = later.value "ops"}

local used = {} -- the rows of operations that were called, by name

local function row_of(name)
  for _, row in ipairs(used[name] and {} or M.rows()) do
    if row.name == name then used[name] = row end
  end
  return used[name]
end

-- C calls this once per operation and combination of dtypes.
core.hook("resolve", function(name, dtype, ...)
  return dtype_rules.resolve(row_of(name), {...}, dtype)
end)

-- where(condition, x, y): booleans are values there, not conditions.
local BOOLEANS = {where = 2 + 4}

--- The forms of an operation: function, operator, method and method in place.
local function forms_of(row)
  return core.operation(row.name, row.nargs, #row.expr, row.rule == "comparison", BOOLEANS[row.name] or 0)
end

local function declare(row)
  local call, operator = forms_of(row)
  for _, name in ipairs {row.name, unpack(row.alias)} do M.functions[name] = call end
  if row.operator then core.metatable()[row.operator] = operator end
end

local names_of = setmetatable({}, {__mode = "k"}) -- the list of rows that somebody uses

--- The rows with methods of arrays by the methods' names.
---@return table<string, table>
function M.method_names()
  local rows = M.rows()
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

--- The method of an operation, as x:add or x:add_; nil for other names.
---@param name string
---@return function|nil
function M.method(name)
  local row = M.method_names()[name]
  return row and (select(M.functions[name] and 3 or 4, forms_of(row)))
end

for _, row in ipairs(M.rows()) do declare(row) end
for _, row in ipairs(M.rows()) do
  for number, other in pairs(row.shortcut or {}) do core.shortcut(row.name, number, other) end
end

return M
