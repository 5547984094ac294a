--- elementwise.lua: functions, methods, operators and in-place forms, made from the rows of ops.lua.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local rows = require "cuna.ops"

local M = {functions = {}, rows = rows}

local row_of = {}

-- Asked by C once per operation and combination of dtypes.
core.hook("resolve", function(name, dtype, ...)
  return dtype_rules.resolve(row_of[name], {...}, dtype)
end)

-- where(condition, x, y): booleans are values there, not conditions.
local BOOLEANS = {where = 2 + 4}

local function declare(row)
  row_of[row.name] = row
  local methods, metatable, functions = core.methods(), core.metatable(), M.functions
  local compares, booleans = row.rule == "comparison", BOOLEANS[row.name] or 0
  local call, operator, method, in_place = core.operation(row.name, row.nargs, #row.expr, compares, booleans)
  local names = {row.name, unpack(row.alias or {})}
  for _, name in ipairs(names) do
    functions[name] = call
    if row.method ~= false then methods[name] = method end
    if row.inplace then methods[name .. "_"] = in_place end
  end
  if row.operator then metatable[row.operator] = operator end
end

for _, row in ipairs(rows) do declare(row) end
for _, row in ipairs(rows) do
  for number, other in pairs(row.shortcut or {}) do core.shortcut(row.name, number, other) end
end

return M
