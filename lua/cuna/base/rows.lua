--- rows.lua: completes the rows of a table of elementwise operations; the head of ops.lua lists their fields.
local M = {}

-- What rows have in common is one table: collections mark each.
local SAME, NONE, BOOL = {"same"}, {}, {"bool"}
local RESULTS = {comparison = BOOL, logical = BOOL}
local KINDS = {arithmetic = "iufc", integer = "iu", bitwise = "biu", comparison = "biufc", logical = "biufc"}

local function complete(row, library)
  row.nargs = row.nargs or 1
  row.rule = row.rule or "arithmetic"
  row.kinds = row.kinds or KINDS[row.rule]
  if row.bool and not row.kinds:find("b", 1, true) then
    row.kinds = "b" .. row.kinds
  end
  row.expr = type(row.expr) == "table" and row.expr or {row.expr}
  row.results = row.results or RESULTS[row.rule] or (#row.expr == 1 and SAME or {})
  for i = 1, #row.expr do
    row.results[i] = row.results[i] or "same"
  end
  row.alias = row.alias or NONE
  row.method = row.method ~= false
  if row.inplace == nil then
    row.inplace = row.method and #row.expr == 1 and row.results[1] ~= "bool"
  end
  row.domain = row.domain or "any"
  row.usage = row.usage or NONE
  row.source = row.source or library .. row.name
end

--- Writes the values in brackets of ops.lua's list into rows.
---@param rows table[]
---@param library string what the functions follow: "numpy."
---@return table[] rows
function M.complete(rows, library)
  for _, row in ipairs(rows) do complete(row, library) end
  return rows
end

return M
