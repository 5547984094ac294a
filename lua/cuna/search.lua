--- search.lua: where values belong among sorted ones.
--
-- A lane bisects for each value (kernels/search.cuh): the sorted array is read where it lies, and converted on the way.
-- A block of one lane takes a tile of values at once, so that its vectors are full.
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local gather = require "cuna.gather"
local operands = require "cuna.operands"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local kind_of = {}
for _, dtype in ipairs(core.dtypes) do kind_of[dtype.name] = dtype.kind end

--- A dtype's name in kernel text.
function M.storage(dtype) return dtype == "bool" and "bool8" or dtype end

local storage = M.storage

--- An array's elements as one address, for all elements of a walk; row-major, and of an array without any some address.
function M.address_of(x, name)
  if x.size == 0 then return core.view(core.empty({1}, x.dtype, x.device, name), {}, {}, 0) end
  return core.view(operands.row_major(x, name), {}, {}, 0)
end

local programs = {} -- by what they are made of

--- How many neighbouring values an element of the walk finds. A lane has one, a block of one lane as many as its
--- vectors are filled by.
local function tile_on(device) return core.lanes(device) == 1 and 32 or 1 end

--- A program that writes what is asked of values (kernels/search.cuh): of addresses of the sorted elements, the values
--- and the results, and of the counts of sorted elements and of values.
local function searcher(sorted, value, asked, answer, tile)
  local key = table.concat({sorted, value, asked, tile}, " ")
  local types = ("%s, %s, %s"):format(storage(sorted), storage(value), storage(core.promote(sorted, value)))
  programs[key] = programs[key] or core.program {
    inputs = {{dtype = sorted, address = true}, {dtype = value, address = true}, {dtype = answer, address = true},
      {dtype = "int64", scalar = true}, {dtype = "int64", scalar = true}},
    index = true, gathers = true, outputs = {},
    steps = {{name = "left", expr = ("a - b * %d"):format(tile), dtype = "int64", args = {5, 6},
      arg_dtypes = {"int64", "int64"}},
      {name = "searched", dtype = "bool", args = {1, 4, 2, 3, 7},
        expr = ("searched<%s, %s, %d>(a, b, c, d, e)"):format(types, asked, tile),
        arg_dtypes = {"int64", "int64", "int64", "int64", "int64"}}},
  }
  return programs[key]
end

local ANSWERS = {MEMBER = "bool", STRANGER = "bool"} -- others are int64

--- What is asked of each value among sorted elements: a position from 1, a bin from 0, or a bool.
---@param asked string "PLACE_BEFORE", ... of kernels/search.cuh
function M.search(sorted, values, asked, name)
  local answer = ANSWERS[asked] or "int64"
  local out = core.empty(values.shape, answer, values.device, name)
  local tile, size = tile_on(values.device), values.size
  if size == 0 then return out end
  values = values.flags.c_contiguous and values or core.cast(values, nil, name)
  local tiles = math.ceil(size / tile)
  core.run(searcher(sorted.dtype, values.dtype, asked, answer, tile), name, {tiles}, {}, M.address_of(sorted, name),
    core.view(values, {tiles}, {tile}, 0), core.view(out, {tiles}, {tile}, 0), sorted.size, size)
  return out
end

local checkers = {}

--- Reports edges that are not sorted: upwards, or with may_fall either way.
function M.check_sorted(edges, may_fall, name)
  local dtype, key = edges.dtype, edges.dtype .. tostring(may_fall)
  checkers[key] = checkers[key] or core.program {
    inputs = {{dtype = dtype, address = true}, {dtype = "int64", scalar = true}, {dtype = "int64", scalar = true}},
    index = true, gathers = true, outputs = {},
    steps = {{name = "sorted", expr = ("sorted<%s>(a, b, c, d, %s)"):format(storage(dtype), tostring(may_fall)),
      dtype = "bool", args = {1, 2, 4, 3}, arg_dtypes = {"int64", "int64", "int64", "int64"}}},
  }
  if edges.size < 2 then return end
  local slot = core.report_slot(edges.device, name)
  core.run(checkers[key], name, {edges.size - 1}, {}, M.address_of(edges, name), edges.size, slot)
end

--- A number among integers is an integer, where it is one.
local function array_of_number(value, sorted, name)
  local kind, dtype = core.number_kind(value), nil
  if kind == "int" and kind_of[sorted.dtype] == "u" and value >= 0 or kind == "uint" then
    dtype = "uint64"
  elseif kind == "int" and kind_of[sorted.dtype]:find "[biu]" then
    dtype = "int64"
  end
  return core.as_array(value, dtype, sorted.device, name)
end

--- Values to be found, as an array beside the sorted one.
local function values_of(values, sorted, name)
  if not core.is_array(values) and type(values) ~= "boolean" and core.number_kind(values) then
    return array_of_number(values, sorted, name)
  end
  values = check.array(values, name, sorted.device)
  check.same_device(sorted, values, name)
  return values
end

local function check_vector(x, name, what)
  if x.ndim ~= 1 then fail("%s: %s has one axis, got shape %s", name, what, tostring(x.shape)) end
  return x
end

local ASKED = {left = "PLACE_BEFORE", right = "PLACE_BEHIND"}
local read_searchsorted = args.reader("searchsorted", {"a", "v", "side", "sorter"}, 2)

--- For each value the position where it belongs in a sorted array, from 1 to its length + 1: before its equals, or
--- behind them. NaN is sorted last. Whether the array is sorted is not looked at. Follows numpy.searchsorted, with
--- positions from 1.
---@param a cuna.Operand 1-d, sorted upwards, or in the order of `sorter`
---@param v cuna.Operand values
---@param side string|nil "left" (default): before equal elements; "right": behind them
---@param sorter cuna.Operand|nil the positions that sort `a`, as of argsort
---@return cuna.Array int64, of v's shape
---@usage cn.searchsorted({1, 2, 2, 5}, {2, 9}), cn.searchsorted({1, 2, 2, 5}, 2, "right") --> [2 5], 4
---@usage cn.searchsorted({5, 1, 3}, {2}, {sorter = {2, 3, 1}}) --> [2]
function F.searchsorted(...)
  local a, v, side, sorter = read_searchsorted(...)
  local name = "searchsorted"
  if v == nil then fail "searchsorted: the values are missing" end
  a = check_vector(check.array(a, name, check.device_of {v}), name, "the sorted array")
  local asked = ASKED[side == nil and "left" or side]
  if asked == nil then fail("searchsorted: side is \"left\" or \"right\", got %s", check.show(side)) end
  if sorter ~= nil then
    sorter = check_vector(check.array(sorter, name, a.device), name, "sorter")
    if sorter.size ~= a.size then
      fail("searchsorted: sorter has %d positions for %d elements", sorter.size, a.size)
    end
    a = gather.fetch(gather.index(a, {1}, {sorter}, 1, name), name)
  end
  return M.search(a, values_of(v, a, name), asked, name)
end

local read_digitize = args.reader("digitize", {"x", "bins", "right"}, 2)

--- For each value the number of the bin that it falls into: k where bins[k - 1] <= x < bins[k], 1 below the first edge,
--- the count of edges + 1 from the last on. Edges may also fall. Those that do neither raise. Follows numpy.digitize,
--- with numbers from 1.
---@param x cuna.Operand real
---@param bins cuna.Operand 1-d edges, sorted upwards or downwards
---@param right boolean|nil true: bins have their upper edge in place of the lower one
---@return cuna.Array int64, of x's shape
---@usage cn.digitize({0.5, 1, 7}, {0, 1, 2}) --> [2 3 4]
---@usage cn.digitize({0.5, 1, 7}, {2, 1, 0}, {right = true}) --> [3 3 1]
function F.digitize(...)
  local x, bins, right = read_digitize(...)
  if bins == nil then fail "digitize: the bins are missing" end
  bins = check_vector(check.array(bins, "digitize", check.device_of {x}), "digitize", "bins")
  right = check.boolean(right, false, "digitize", "right")
  if x == nil then fail "digitize: expected an array, got nil" end
  x = values_of(x, bins, "digitize")
  for _, array in ipairs {x, bins} do
    if kind_of[array.dtype] == "c" then fail("digitize: bins are of real numbers, got an array of %s", array.dtype) end
  end
  M.check_sorted(bins, true, "digitize")
  return M.search(bins, x, right and "EITHER_BEFORE" or "EITHER_BEHIND", "digitize")
end

return M
