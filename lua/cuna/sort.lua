--- sort.lua: sorted elements, and the positions that sort them.
--
-- runtime/work/sort.c sorts the rows of row-major arrays; other axes are moved to the end and back. The sort is stable
-- for every `kind`. NaN comes last, in descending order too. Complex numbers, and rows with several keys, are sorted by
-- one key after the other, the least significant first.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local manipulate = require "cuna.manipulate"
local operands = require "cuna.base.operands"
local program = require "cuna.base.program"
local select_rows = require "cuna.select"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail, row_major, kind_of = check.fail, operands.row_major, dtype_facts.kind_of

local function draw(draft, what, dtype)
  draft:input(dtype)
  draft.sorts, draft.output = what, what == "elements" and dtype or "int64"
end

local function program_for(what, dtype) return program.of(draw, what, dtype) end

local function is_complex(x) return kind_of[x.dtype] == "c" end

-- ---- rows ----

--- The elements at positions along the last axis, one for each element.
local function at_places(x, places, name)
  if x.ndim == 1 then return gather.rows(x, places, name) end
  return gather.fetch(gather.along(x, x.ndim, places, x.shape, name), name)
end

--- The positions along the last axis that sort row-major arrays: by the last of several keys first.
local function order_of(keys, descending, name)
  local order
  for _, key in ipairs(keys) do
    local moved = order and at_places(key, order, name) or key
    local own = core.sort(program_for("positions", key.dtype), name, descending[key] or false, nil, moved)
    order = order and at_places(order, own, name) or own
  end
  return order
end

--- The keys that order complex numbers as in NumPy: numbers without NaN, then by the part that is NaN.
local function complex_keys(x, name)
  local E = elementwise.functions
  local real, imag = manipulate.functions.real(x), manipulate.functions.imag(x)
  real, imag = core.cast(real, nil, name), core.cast(imag, nil, name)
  return {imag, real, E.isnan(real):astype("uint8") * 2 + E.isnan(imag):astype("uint8")}
end

--- Positions (int64, from 1) along the last axis of a row-major array.
local function positions_of(x, descending, name)
  if not is_complex(x) then return order_of({x}, {[x] = descending}, name) end
  local keys = complex_keys(x, name)
  return order_of(keys, {[keys[1]] = descending, [keys[2]] = descending}, name)
end

--- Sorts a row-major array along its last axis, into `out`, which may be x, or a new array.
local function sort_rows(x, descending, out, name)
  if not is_complex(x) then return core.sort(program_for("elements", x.dtype), name, descending, out, x) end
  local order = positions_of(x, descending, name)
  return gather.fetch(gather.along(x, x.ndim, order, x.shape, name), name, out)
end

-- ---- axes ----

local function as_it_is(y) return y end

--- A view with an axis moved to another place; the last two are exchanged either way.
local function moved(x, axis, to)
  return axis + to == 2 * x.ndim - 1 and core.swap_last(x) or manipulate.functions.moveaxis(x, axis, to)
end

--- x with an axis moved to the end, row-major, and a function that moves it back; x itself if neither is needed.
local function along_rows(x, axis, name)
  if x.ndim == 0 then fail("%s: a 0-d array has no axis to sort along", name) end
  axis = core.axis(axis == nil and -1 or axis, x.ndim, name)
  if axis == x.ndim then return row_major(x, name), as_it_is end
  return row_major(moved(x, axis, x.ndim), name), function(y) return row_major(moved(y, x.ndim, axis), name) end
end

local KINDS = {quicksort = true, mergesort = true, heapsort = true, stable = true}

local function check_kind(kind, name)
  if kind ~= nil and not KINDS[kind] then
    fail("%s: kind is \"quicksort\", \"mergesort\", \"heapsort\" or \"stable\", got %s", name, check.show(kind))
  end
end

--- Whether along_rows created the array, which may then be sorted in place.
local function is_own(rows, x) return not rawequal(rows, x) and not core.shares_memory(rows, x) end

--- M.order(x, axis, descending, name): the result of cn.argsort, for functions that need positions.
function M.order(x, axis, descending, name)
  local rows, back = along_rows(x, axis, name)
  return back(positions_of(rows, descending, name))
end

--- M.sorted(x, axis, descending, name): the result of cn.sort.
function M.sorted(x, axis, descending, name)
  local rows, back = along_rows(x, axis, name)
  return back(sort_rows(rows, descending, is_own(rows, x) and rows or nil, name))
end

-- ---- sort ----

local read_sort = args.reader("sort", {"x", "axis", "kind", "descending", "stable"})

local function read_options(read, name, ...)
  local x, axis, kind, descending, stable = read(...)
  check_kind(kind, name)
  check.boolean(stable, true, name, "stable")
  return x, axis, check.boolean(descending, false, name, "descending")
end

--- A sorted copy of x along an axis. NaN comes last, in descending order too. Complex numbers are ordered by their real
--- parts, then by their imaginary parts. Always stable. Follows numpy.sort.
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param kind string|nil "quicksort", "mergesort", "heapsort" or "stable", which are all the same sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array
---@usage cn.sort({3, 1, 2}) --> [1. 2. 3.]
---@usage cn.sort({{3, 1}, {2, 4}}, 1, {descending = true}) --> [[3. 4.] [2. 1.]]
function F.sort(...)
  local x, axis, descending = read_options(read_sort, "sort", ...)
  return M.sorted(check.array(x, "sort"), axis, descending, "sort")
end

local read_sort_in_place = args.reader("sort_", {"x", "axis", "kind", "descending", "stable"})

--- Sorts x in place, as cn.sort. Follows numpy.ndarray.sort.
---@param axis integer|nil default -1
---@param kind string|nil
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array x
---@usage cn.array({3, 1, 2}):sort_() --> [1. 2. 3.]
function methods.sort_(...)
  local x, axis, descending = read_options(read_sort_in_place, "sort_", ...)
  gather.check_writable(check.self(x, "sort_"), "sort_")
  local rows, back = along_rows(x, axis, "sort_")
  if rawequal(rows, x) then return sort_rows(x, descending, x, "sort_") end
  x[core.ellipsis] = back(sort_rows(rows, descending, rows, "sort_"))
  return x
end

local read_argsort = args.reader("argsort", {"x", "axis", "kind", "descending", "stable"})

--- The positions along an axis that sort x: cn.take_along_axis(x, p, axis) is sorted. Equal elements keep their order,
--- in descending order too. Follows numpy.argsort.
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param kind string|nil as for cn.sort
---@param descending boolean|nil
---@param stable boolean|nil
---@return cuna.Array int64, from 1
---@usage cn.argsort({30, 10, 20}) --> [2 3 1]
---@usage cn.argsort({1, 2, 1}, {descending = true}) --> [2 1 3]
function F.argsort(...)
  local x, axis, descending = read_options(read_argsort, "argsort", ...)
  return M.order(check.array(x, "argsort"), axis, descending, "argsort")
end

--- A sorted copy of x along its first axis. Follows numpy.msort.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.msort({{3, 1}, {2, 4}}) --> [[2. 1.] [3. 4.]]
function F.msort(x) return M.sorted(check.array(x, "msort"), 1, false, "msort") end

--- A sorted copy of x along its last axis, as complex numbers. Follows numpy.sort_complex.
---@param x cuna.Operand
---@return cuna.Array complex64 for float32 and smaller dtypes, else complex128
---@usage cn.sort_complex({2, cn.complex(1, 2), cn.complex(1, 1)}) --> [1.+1.j 1.+2.j 2.+0.j]
function F.sort_complex(x)
  x = check.array(x, "sort_complex")
  return M.sorted(core.cast(x, core.promote(x.dtype, "complex64"), "sort_complex"), -1, false, "sort_complex")
end

-- ---- several keys ----

--- The keys in a list as arrays on one device.
local function as_arrays(keys)
  if core.are_arrays(keys, "lexsort") then return keys end
  local list, device = {}, check.device_of(check.list(keys, "lexsort", "keys"))
  for i, key in ipairs(keys) do
    list[i] = check.array(key, "lexsort", device)
    check.same_device(list[1], list[i], "lexsort")
  end
  return list
end

--- The keys in a list, or the slices of an array along its first axis, as arrays of one shape.
local function keys_of(keys)
  if core.is_array(keys) then
    local list = {}
    if keys.ndim == 0 or #keys == 0 then fail "lexsort: expected at least one key" end
    for i = 1, #keys do list[i] = keys[{i, core.ellipsis}] end
    return list
  end
  local list = as_arrays(keys)
  for i = 2, #list do
    if not core.same_shape(list[1], list[i]) then
      fail("lexsort: key 1 has shape %s and key %d has shape %s", tostring(list[1].shape), i, tostring(list[i].shape))
    end
  end
  return list
end

local read_lexsort = args.reader("lexsort", {"keys", "axis"})

--- The positions along an axis that sort by several keys: by the last one, equal ones by the key before it, and so on.
--- Follows numpy.lexsort.
---@param keys cuna.Operand[]|cuna.Array keys of one shape, or an array whose slices along the first axis are the keys
---@param axis integer|nil of the keys, default -1
---@return cuna.Array int64, from 1
---@usage cn.lexsort {{1, 2, 1, 2}, {20, 10, 10, 10}} --> [3 2 4 1]
function F.lexsort(...)
  local keys, axis = read_lexsort(...)
  local list, back = {}, nil
  for _, key in ipairs(keys_of(keys)) do
    local rows
    rows, back = along_rows(key, axis, "lexsort")
    if is_complex(rows) then
      for _, part in ipairs(complex_keys(rows, "lexsort")) do list[#list + 1] = part end
    else
      list[#list + 1] = rows
    end
  end
  return back(order_of(list, {}, "lexsort"))
end

-- ---- partition ----

--- The position from 0, of an axis with so many elements, that is every one of `kth`; nil if they differ.
local function only_place(kth, length)
  local only
  for _, place in ipairs(type(kth) == "table" and kth or {kth}) do
    place = place < 0 and length + place or place - 1
    if only and only ~= place then return nil end
    only = place
  end
  return only
end

--- Rejects positions out of range.
local function check_kth(kth, length, name)
  if kth == nil then fail("%s: kth is missing", name) end
  for _, place in ipairs(type(kth) == "table" and kth or {kth}) do
    place = check.integer(place, name, "kth")
    if place == 0 or math.abs(place) > length then
      fail("%s: kth is %d, and the axis has %d elements; positions count from 1", name, place, length)
    end
  end
end

--- Elements or positions along an axis, parted at one position, or sorted where there are several.
local function partition(what, sorted, name, read)
  return function(...)
    local x, kth, axis, kind = read(...)
    x = check.array(x, name)
    if kind ~= nil and kind ~= "introselect" then
      fail("%s: kind is \"introselect\", got %s", name, check.show(kind))
    end
    if x.ndim == 0 then return sorted(x, axis, false, name) end
    local length = x.shape[core.axis(axis == nil and -1 or axis, x.ndim, name)]
    check_kth(kth, length, name)
    local place = only_place(kth, length)
    local rows, back = along_rows(x, axis, name)
    if not (place and x.size > 0 and select_rows.is_faster(rows, 1)) then return sorted(x, axis, false, name) end
    return back(select_rows.parted(what, rows, place, false, nil, name))
  end
end

--- A copy of x whose elements at positions kth along an axis are those of the sorted array, with smaller or equal
--- elements before and greater or equal ones after them, in an order that is not specified. Follows numpy.partition.
---@param x cuna.Operand
---@param kth integer|integer[] positions, from 1, or from the end below 0
---@param axis integer|nil default -1
---@param kind string|nil "introselect"
---@return cuna.Array
---@usage cn.partition({3, 1, 2}, 2) --> [1. 2. 3.]
F.partition = partition("elements", M.sorted, "partition", args.reader("partition", {"x", "kth", "axis", "kind"}, 2))

--- The positions along an axis that partition x: see cn.partition. Follows numpy.argpartition.
---@param x cuna.Operand
---@param kth integer|integer[] positions, from 1, or from the end below 0
---@param axis integer|nil default -1
---@param kind string|nil "introselect"
---@return cuna.Array int64, from 1
---@usage cn.argpartition({3, 1, 2}, 2) --> [2 3 1]
F.argpartition = partition("positions", M.order, "argpartition",
  args.reader("argpartition", {"x", "kth", "axis", "kind"}, 2))

-- ---- the greatest elements ----

--- The elements of rows at positions, and the positions.
local function taken(rows, order, name)
  return gather.fetch(gather.along(rows, rows.ndim, order, order.shape, name), name), order
end

--- The first k of the positions that sort rows, and the elements there.
local function first_sorted(rows, k, descending, name)
  return taken(rows, core.cast(positions_of(rows, descending, name)[{core.ellipsis, {1, k}}], nil, name), name)
end

--- The same by selection: the k elements are parted from the others, which keeps equal ones in their order, and sorted
--- if they are to be.
local function first_parted(rows, k, descending, in_order, name)
  local values, order = taken(rows, select_rows.parted("positions", rows, k - 1, descending, k, name), name)
  if not in_order or k == 1 then return values, order end
  local by = positions_of(values, descending, name)
  return taken(values, by, name), taken(order, by, name)
end

local read_topk = args.reader("topk", {"x", "k", "axis", "largest", "sorted"}, 2)

--- The k greatest elements of x along an axis, the greatest first, and their positions. NaN counts as the least, and
--- equal elements keep their order: of equals at the end of the k, the first ones count. Complex numbers are ordered as
--- by cn.sort. Follows torch.topk, in which NaN counts as the greatest and equal elements have no order.
---@param x cuna.Operand
---@param k integer number of elements, at most the axis' length
---@param axis integer|nil default -1
---@param largest boolean|nil false: returns the least elements, the least first; NaN counts as the greatest
---@param sorted boolean|nil false: the k elements may have any order, which takes less time
---@return cuna.Array
---@return cuna.Array positions int64, from 1
---@usage cn.topk({3, 9, 7, 8}, 2) --> [9. 8.], [2 4]
---@usage cn.topk({{3, 1, 2}, {6, 4, 5}}, 1, {largest = false}) --> [[1.] [4.]], [[2] [2]]
function F.topk(...)
  local x, k, axis, largest, in_order = read_topk(...)
  x = check.array(x, "topk")
  if x.ndim == 0 then fail "topk: a 0-d array has no axis" end
  axis = core.axis(axis == nil and -1 or axis, x.ndim, "topk")
  k = check.count(k, "topk", "k")
  largest, in_order = check.boolean(largest, true, "topk", "largest"), check.boolean(in_order, true, "topk", "sorted")
  if k > x.shape[axis] then fail("topk: k is %d, and axis %d has %d elements", k, axis, x.shape[axis]) end
  local rows, back = along_rows(x, axis, "topk")
  local values, order
  if k > 0 and x.size > 0 and select_rows.is_faster(rows, 1) then
    values, order = first_parted(rows, k, largest, in_order, "topk")
  else
    values, order = first_sorted(rows, k, largest, "topk")
  end
  return back(values), back(order)
end

args.bound(F, {msort = "x", sort_complex = "x"})

return M
