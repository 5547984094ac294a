--- sets.lua: arrays as sets of their elements: membership, what two have in common, what one has alone, both together.
--
-- Members are sorted, and one launch looks up each element among them by bisection (kernels/search.cuh). Sets are
-- sorted arrays: a mask marks the elements that begin a group of equal ones and are, or are not, in the other set, and
-- the marked elements are compacted.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local nonzero = require "cuna.nonzero"
local search = require "cuna.search"
local sort = require "cuna.sort"
local unique = require "cuna.unique"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- what functions are given ----

--- Two operands as arrays on one device.
local function pair_of(a, b, name)
  if b == nil then fail("%s: the second array is missing", name) end
  a = check.beside(a, name, b)
  b = check.array(b, name, a.device)
  check.same_device(a, b, name)
  return a, b
end

local function flat(x, name) return core.reshape(x, -1, name) end

--- Two flat arrays in the dtype that both meet in.
local function met(a, b, name)
  local dtype = core.promote(a.dtype, b.dtype)
  local function in_it(x) return x.dtype == dtype and x or core.cast(x, dtype, name) end
  return in_it(flat(a, name)), in_it(flat(b, name))
end

-- ---- membership ----

--- Whether each element is among sorted members.
local function among(x, members, is_in, name)
  return search.search(members, x, is_in and "MEMBER" or "STRANGER", name)
end

local KINDS = {sort = true, table = true}

local function membership(name)
  local read = args.reader(name, {"element", "test_elements", "assume_unique", "invert", "kind"}, 2)
  return function(...)
    local x, test, assume, invert, kind = read(...)
    x, test = pair_of(x, test, name)
    check.boolean(assume, false, name, "assume_unique")
    if kind ~= nil and not KINDS[kind] then
      fail("%s: kind is \"sort\" or \"table\", got %s", name, check.show(kind))
    end
    local members = sort.sorted(flat(test, name), -1, false, name)
    return among(x, members, not check.boolean(invert, false, name, "invert"), name)
  end
end

--- Whether each element is among some others; NaN never is. Follows numpy.isin.
---@param element cuna.Operand
---@param test_elements cuna.Operand of any shape
---@param assume_unique boolean|nil changes nothing here
---@param invert boolean|nil true: whether it is not among them
---@param kind string|nil "sort" or "table", which are one here
---@return cuna.Array bool, of element's shape
---@usage cn.isin({{1, 2}, {3, 4}}, {4, 1, 9}) --> [[ True False] [False True]]
---@usage cn.isin({1, 2, 3}, 2, {invert = true}) --> [ True False True]
F.isin = membership "isin"

local in1d = membership "in1d"

--- cn.isin of all elements along one axis. Follows numpy.in1d.
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil changes nothing here
---@param invert boolean|nil
---@param kind string|nil "sort" or "table", which are one here
---@return cuna.Array bool, 1-d
---@usage cn.in1d({{1, 2}, {3, 4}}, {4, 1}) --> [ True False False True]
function F.in1d(...) return flat(in1d(...), "in1d") end

-- ---- sets ----

--- Which of some sorted elements begin a group of equals and are, or are not, among sorted others.
local function chosen(sorted, others, is_in, assume_unique, name)
  local mask = among(sorted, others, is_in, name)
  if assume_unique or sorted.size == 0 then return mask end
  return elementwise.functions.logical_and(mask, unique.beginnings(sorted, true, name), {out = mask})
end

local function read_unique_flag(assume_unique, name)
  core.check_waiting(name)
  return check.boolean(assume_unique, false, name, "assume_unique")
end

local function sorted_of(x, name) return sort.sorted(x, -1, false, name) end

local take = gather.rows

local read_intersect = args.reader("intersect1d", {"ar1", "ar2", "assume_unique", "return_indices"}, 2)

--- What two arrays have in common, sorted, each element once; NaN is in none. With return_indices also where each comes
--- first in ar1 and in ar2, in row-major order. Waits for how many there are. Follows numpy.intersect1d.
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil true: each array has each element once, which saves looking
---@param return_indices boolean|nil
---@return cuna.Array 1-d, of the dtype that both meet in
---@return cuna.Array|nil positions in ar1 int64, from 1
---@return cuna.Array|nil positions in ar2
---@usage cn.intersect1d({3, 1, 3, 2}, {5, 3, 2}) --> [2. 3.]
---@usage cn.intersect1d({3, 1, 3, 2}, {5, 3, 2}, {return_indices = true}) --> [2. 3.], [4 1], [3 2]
function F.intersect1d(...)
  local name = "intersect1d"
  local a, b, assume, indices = read_intersect(...)
  a, b = pair_of(a, b, name)
  assume, a, b = read_unique_flag(assume, name), met(a, b, name)
  if not check.boolean(indices, false, name, "return_indices") then
    a, b = sorted_of(a, name), sorted_of(b, name)
    return nonzero.compact(chosen(a, b, true, assume, name), a, name)
  end
  local order, others = sort.order(a, -1, false, name), sort.order(b, -1, false, name)
  a, b = take(a, order, name), take(b, others, name)
  local mask = chosen(a, b, true, assume, name)
  local values = nonzero.compact(mask, a, name)
  return values, nonzero.compact(mask, order, name), take(others, search.search(b, values, "PLACE_BEFORE", name), name)
end

local read_setdiff = args.reader("setdiff1d", {"ar1", "ar2", "assume_unique"}, 2)

--- What ar1 has and ar2 has not, sorted, each element once. NaN in ar1 stays, once. Waits for how many there are.
--- Follows numpy.setdiff1d.
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil true: elements of ar1 stay in their order, and as often as they come
---@return cuna.Array 1-d, of ar1's dtype
---@usage cn.setdiff1d({3, 1, 3, 2, 4}, {2, 9}) --> [1. 3. 4.]
function F.setdiff1d(...)
  local name = "setdiff1d"
  local a, b, assume = read_setdiff(...)
  a, b = pair_of(a, b, name)
  assume, a, b = read_unique_flag(assume, name), flat(a, name), sorted_of(flat(b, name), name)
  if not assume then a = sorted_of(a, name) end
  return nonzero.compact(chosen(a, b, false, assume, name), a, name)
end

local read_setxor = args.reader("setxor1d", {"ar1", "ar2", "assume_unique"}, 2)

--- What one of two arrays has and the other has not, sorted, each element once; NaN once of each array. Waits for how
--- many there are. Follows numpy.setxor1d.
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@param assume_unique boolean|nil true: each array has each element once, which saves looking
---@return cuna.Array 1-d, of the dtype that both meet in
---@usage cn.setxor1d({3, 1, 3, 2}, {5, 3}) --> [1. 2. 5.]
function F.setxor1d(...)
  local name = "setxor1d"
  local a, b, assume = read_setxor(...)
  a, b = pair_of(a, b, name)
  assume, a, b = read_unique_flag(assume, name), met(a, b, name)
  a, b = sorted_of(a, name), sorted_of(b, name)
  local join = require("cuna.join").functions.concatenate
  local mask = join {chosen(a, b, false, assume, name), chosen(b, a, false, assume, name)}
  return sorted_of(nonzero.compact(mask, join {a, b}, name), name)
end

--- What two arrays have together, sorted, each element once. Waits for how many there are. Follows numpy.union1d.
---@param ar1 cuna.Operand
---@param ar2 cuna.Operand
---@return cuna.Array 1-d, of the dtype that both meet in
---@usage cn.union1d({3, 1, 3}, {5, 3}) --> [1. 3. 5.]
function F.union1d(ar1, ar2)
  ar1, ar2 = pair_of(ar1, ar2, "union1d")
  ar1, ar2 = met(ar1, ar2, "union1d")
  core.check_waiting "union1d"
  return (unique.functions.unique(require("cuna.join").functions.concatenate {ar1, ar2}))
end

args.bound(F, {union1d = "ar1 ar2"})

return M
