--- thrust.lua: cn.jit.thrust, Thrust's algorithms in kernels written in Lua: each thread runs them by itself.
--
-- A row of ROWS is a function: its parameters, and what it returns. Parameters: x an array that is read, y one that is
-- written to, z both, with elements of one dtype; k and l keys, read and written to, of a dtype of their own; p
-- positions; v a value of the elements' dtype, which is 0 (v0) or 1 (v1) if it is missing. Results: index (a position,
-- or a number of elements), two of them, a boolean, or a value of the elements' dtype.
local calls = require "cuna.jit.calls"
local e = require "cuna.jit.expr"
local prelude = require "cuna.jit.thrust_prelude"
local types = require "cuna.jit.types"

local M = {namespace = {}} -- cn.jit.thrust

local fail, show, TYPES = e.fail, e.show, types.TYPES

local ROWS = {
  adjacent_difference = {"x y"}, binary_search = {"x v", "boolean"}, copy = {"x y"}, count = {"x v", "index"},
  equal = {"x x", "boolean"}, equal_range = {"x v", "indices"}, exclusive_scan = {"x y v0"},
  exclusive_scan_by_key = {"k x y v0"}, fill = {"y v"}, find = {"x v", "index"}, gather = {"p x y"},
  inclusive_scan = {"x y"}, inclusive_scan_by_key = {"k x y"}, inner_product = {"x x v0", "value"},
  is_sorted = {"x", "boolean"}, is_sorted_until = {"x", "index"}, lower_bound = {"x v", "index"},
  mismatch = {"x x", "index"}, reduce = {"x v0", "value"}, reduce_by_key = {"k x l y", "index"},
  remove = {"z v", "index"}, remove_copy = {"x y v", "index"}, replace = {"z v v"}, replace_copy = {"x y v v"},
  reverse = {"z"}, reverse_copy = {"x y"}, scatter = {"x p y"}, sequence = {"y v0 v1"}, sort = {"z"},
  sort_by_key = {"l z"}, swap_ranges = {"z z"}, unique = {"z", "index"}, unique_copy = {"x y", "index"},
  upper_bound = {"x v", "index"},
}
local KIND = {x = "elements", y = "elements", z = "elements", k = "keys", l = "keys", p = "positions"}
local WRITTEN = {y = true, z = true, l = true}

--- An array of one axis, whose dtype is that of others of its kind.
local function check_array(inst, node, word, v, code, dtypes)
  local kind = KIND[code]
  if not (v and v.array) then fail(inst, node, "%s takes an array, got %s", word, v and show(v) or "nothing") end
  local info = v.array
  if info.ndim ~= 1 then
    fail(inst, node, "%s takes arrays of one axis, and '%s' has %d; pass a row of it, x[i]", word, info.name, info.ndim)
  end
  local known = dtypes[kind]
  if known and known ~= info.dtype then
    fail(inst, node, "%s: '%s' is %s, and the %s are %s", word, info.name, info.dtype, kind, known)
  end
  local t = types.of(info.dtype)
  if t.kind == "b" then fail(inst, node, "%s: '%s' is bool, and numbers are needed", word, info.name) end
  if kind == "positions" and t.kind == "f" then
    fail(inst, node, "%s: positions are integers, and '%s' is %s", word, info.name, info.dtype)
  end
  dtypes[kind] = info.dtype
  if WRITTEN[code] then calls.write(info) end
end

--- C++ of a range.
local function range_text(inst, node, v)
  local checks = inst.ctx.checks
  return ("jit::seq::of(%s, %d)"):format(v.text, checks and e.site(inst, node, v.array.name) or 0)
end

--- C++ of a value of the elements' type; `default` if there is none.
local function value_text(inst, node, word, v, t, default)
  if v == nil and default then return ("(%s)%s"):format(t.c, default) end
  if not (v and v.type and types.is_number(v) and types.can_store(v, t)) then
    fail(inst, node, "%s takes %s, got %s", word, t.name, v and show(v) or "nothing")
  end
  return ("(%s)(%s)"):format(t.c, types.convert(v, t))
end

local RESULT = {}

function RESULT.index(text) return e.count(text) end
function RESULT.boolean(text) return {type = TYPES.bool, text = text} end
function RESULT.value(text, t) return {type = t, text = text} end
function RESULT.indices(text) return {many = text, list = {e.count(""), e.count("")}} end

local function handler(name, codes, result)
  local least, most = 0, 0
  for code in codes:gmatch "%S+" do
    most = most + 1
    if #code == 1 then least = most end
  end
  return function(inst, node, values, word)
    calls.check_count(inst, node, word, values, least, most)
    local texts, dtypes, k = {inst.ctx.checks and "jit_error" or "nullptr"}, {}, 0
    for code in codes:gmatch "%S+" do -- arrays come before values
      k = k + 1
      if KIND[code] then
        check_array(inst, node, word, values[k], code, dtypes)
        texts[k + 1] = range_text(inst, node, values[k])
      else
        texts[k + 1] = value_text(inst, node, word, values[k], types.of(dtypes.elements), code:match "%d")
      end
    end
    inst.ctx.preludes[prelude] = true
    local text = ("jit::seq::%s(%s)"):format(name, table.concat(texts, ", "))
    if not result then return {statement = text} end
    return RESULT[result](text, types.of(dtypes.elements))
  end
end

local handlers = {}
for name, row in pairs(ROWS) do handlers[name] = handler(name, row[1], row[2]) end
calls.offer(M.namespace, "jit.thrust", "thrust.", handlers)

--- cn.jit.thrust: algorithms that each thread of a kernel runs by itself, for kernels only, on every device without
--- Thrust. Follows cupyx.jit.thrust, with arrays of one axis, such as rows x[i], instead of iterators and policies.
--- Positions count from 1; one behind the last is "none". An array that is written to is at least as long as what is
--- written. Sorting and searching need elements in an order, so no NaN; a sort is not stable. Sums are added in order.
---@class cuna.jit.thrust
---@field adjacent_difference fun(x: cuna.Array, y: cuna.Array) the first element, then the differences
---@field binary_search fun(x: cuna.Array, value: number): boolean in a sorted array
---@field copy fun(x: cuna.Array, y: cuna.Array)
---@field count fun(x: cuna.Array, value: number): integer
---@field equal fun(x: cuna.Array, x2: cuna.Array): boolean
---@field equal_range fun(x: cuna.Array, value: number): integer, integer both bounds
---@field exclusive_scan fun(x: cuna.Array, y: cuna.Array, initial: number|nil) default: 0
---@field exclusive_scan_by_key fun(keys: cuna.Array, x: cuna.Array, y: cuna.Array, initial: number|nil)
---@field fill fun(x: cuna.Array, value: number)
---@field find fun(x: cuna.Array, value: number): integer
---@field gather fun(positions: cuna.Array, x: cuna.Array, y: cuna.Array)
---@field inclusive_scan fun(x: cuna.Array, y: cuna.Array)
---@field inclusive_scan_by_key fun(keys: cuna.Array, x: cuna.Array, y: cuna.Array) begins again where the key changes
---@field inner_product fun(x: cuna.Array, x2: cuna.Array, initial: number|nil): number
---@field is_sorted fun(x: cuna.Array): boolean
---@field is_sorted_until fun(x: cuna.Array): integer the first element that is out of order
---@field lower_bound fun(x: cuna.Array, value: number): integer the first element that is not below
---@field mismatch fun(x: cuna.Array, x2: cuna.Array): integer the first elements that differ
---@field reduce fun(x: cuna.Array, initial: number|nil): number the sum, in the dtype of the elements
---@field reduce_by_key fun(keys: cuna.Array, x: cuna.Array, keys_out: cuna.Array, y: cuna.Array): integer how many
---@field remove fun(x: cuna.Array, value: number): integer how many are left, at the front
---@field remove_copy fun(x: cuna.Array, y: cuna.Array, value: number): integer
---@field replace fun(x: cuna.Array, old: number, new: number)
---@field replace_copy fun(x: cuna.Array, y: cuna.Array, old: number, new: number)
---@field reverse fun(x: cuna.Array)
---@field reverse_copy fun(x: cuna.Array, y: cuna.Array)
---@field scatter fun(x: cuna.Array, positions: cuna.Array, y: cuna.Array)
---@field sequence fun(x: cuna.Array, first: number|nil, step: number|nil) default: 0, 1
---@field sort fun(x: cuna.Array)
---@field sort_by_key fun(keys: cuna.Array, x: cuna.Array) moves elements with their keys
---@field swap_ranges fun(x: cuna.Array, y: cuna.Array)
---@field unique fun(x: cuna.Array): integer how many are left without equal neighbours, at the front
---@field unique_copy fun(x: cuna.Array, y: cuna.Array): integer
---@field upper_bound fun(x: cuna.Array, value: number): integer the first element that is above

return M
