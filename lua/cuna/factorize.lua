--- factorize.lua: the entries of a list as codes of categories, for grouping.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local KINDS = {string = true, number = true, boolean = true}

--- Rejects a value that is not a list of strings, numbers or booleans.
local function check_entries(list)
  if core.is_array(list) then
    fail "factorize: takes a list; for arrays write cn.unique(x, {return_inverse = true})"
  end
  check.dot(list, "factorize")
  if type(list) ~= "table" then fail("factorize: expected a list, got %s", check.show(list)) end
  for k = 1, #list do
    local value = list[k]
    if not KINDS[type(value)] or value ~= value then
      fail("factorize: entry %d is %s; entries are strings, numbers or booleans", k, check.show(value))
    end
  end
  if next(list) ~= nil and #list == 0 then fail "factorize: expected a list with keys 1..n" end
end

--- Booleans before numbers before strings.
local function before(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "boolean" then return not a and b end
  return a < b
end

--- The different entries in the order in which they appear, or sorted, and the position of each among them.
local function categories_of(list, sort)
  local categories, place = {}, {}
  for k = 1, #list do
    local value = list[k]
    if not place[value] then categories[#categories + 1], place[value] = value, #categories + 1 end
  end
  if sort then
    table.sort(categories, before)
    for k, value in ipairs(categories) do place[value] = k end
  end
  return categories, place
end

local read_factorize = args.reader("factorize", {"list", "sort"})

--- The positions of a list's entries among its categories, which are its different entries: list[i] is
--- categories[codes[i]]. Codes group rows, by cn.bincount and by masks such as codes:eq(2). Follows pandas.factorize,
--- whose codes count from 0.
---@param list (string|number|boolean)[] such as a column of texts that cn.read_csv returned
---@param sort boolean|nil whether the categories are sorted; default: in the order in which they appear
---@return cuna.Array codes int64, on the current device
---@return (string|number|boolean)[] categories
---@usage (cn.factorize {"b", "a", "b"}) --> [1 2 1]
---@usage select(2, cn.factorize({"b", "a", "b"}, {sort = true}))[1] --> a
function F.factorize(...)
  local list, sort = read_factorize(...)
  check_entries(list)
  local categories, place = categories_of(list, check.boolean(sort, false, "factorize", "sort"))
  local codes = ffi.new("int64_t[?]", math.max(#list, 1))
  for k = 1, #list do codes[k - 1] = place[list[k]] end
  local made = core.empty({#list}, "int64", nil, "factorize")
  if #list > 0 then core.set_bytes(made, tonumber(ffi.cast("uintptr_t", codes)), 0) end
  return made, categories
end

return M
