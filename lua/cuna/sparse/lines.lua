--- lines.lua: programs that read and write sparse matrices line by line: their order, other lines, some of them.
--
-- A line is a row of csr or a column of csc; a matrix here is {data, indices, indptr} as csr has them, so that csc
-- stands for its transpose. A lane has a part of the lines, or of the elements (kernels/sparse_lines.cuh,
-- sparse_parts.cuh). Elements that are moved, not read, are unsigned integers of their size.
local args = require "cuna.base.args"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local near = require "cuna.sparse.near"
local object = require "cuna.sparse.object"
local parts_of = require "cuna.sparse.parts"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {}

local address, in_dtype = parts_of.address, parts_of.in_dtype

local PARTS, PART_WORK = 256, 16384 -- parts at most where blocks have one lane; lines and elements of one at least
local MANY_PARTS = 65536            -- parts at most elsewhere
local MOST_BUCKETS, BUCKET = 1024, 24576 -- as in the kernel; elements of a bucket that the second cache has room for
local MOST_READERS = 64 -- parts that bring elements to buckets

local moved, moved_dtype = parts_of.moved, parts_of.moved_dtype

local function run(what, ...) return parts_of.run("lines::" .. what, ...) end

--- How many parts so many lines and elements have.
function M.parts_for(work, device)
  if core.lanes(device) > 1 then return math.max(1, math.min(MANY_PARTS, work)) end
  return math.max(1, math.min(PARTS, math.floor(work / PART_WORK)))
end

--- Whether programs of lines are those for elements: where many lanes work, sorts are faster.
---@param data cuna.Array
function M.serve(data) return data.size > 0 and core.lanes(data) == 1 end

-- ---- order ----

--- Whether no neighbours fall, and whether besides none are equal, by what parts found.
local function order_of(found)
  local most = tonumber(found:bitwise_and(1):max():item())
  local repeats = tonumber(found:max():item()) >= 2
  return most == 0, most == 0 and not repeats
end

--- Whether the indices of each line rise, and whether strictly.
function M.order_in_lines(indptr, indices, name)
  local rows, index = indptr.size - 1, core.promote(indptr.dtype, indices.dtype)
  local parts = M.parts_for(rows + indices.size, indices.device)
  local found = core.empty(parts, "int64", indices.device, name)
  run("order_in_lines", "iinl", nil, index, parts, name, address(in_dtype(indptr, index, name)),
    address(in_dtype(indices, index, name)), rows, address(found), parts)
  return order_of(found)
end

--- The same of elements with their lines: whether these rise, and in each the indices.
function M.order_of_pairs(line, indices, name)
  local index = core.promote(line.dtype, indices.dtype)
  local parts = M.parts_for(indices.size, indices.device)
  local found = core.empty(parts, "int64", indices.device, name)
  run("order_of_pairs", "iinl", nil, index, parts, name, address(in_dtype(line, index, name)),
    address(in_dtype(indices, index, name)), indices.size, address(found), parts)
  return order_of(found)
end

--- Where each of `length` lines begins, from 1, for lines of elements that rise.
function M.begins(line, length, dtype, name)
  local ends = core.empty(length + 1, dtype, line.device, name)
  local parts = M.parts_for(line.size, line.device)
  run("begin_lines", "inni", nil, dtype, parts, name, address(in_dtype(line, dtype, name)), line.size, length,
    address(ends), parts)
  return ends
end

-- ---- other lines ----

--- By how many bits buckets are fewer than lines.
local function shift_for(length, count)
  local most, shift = math.max(1, math.min(MOST_BUCKETS, math.ceil(count / BUCKET))), 0
  while math.ceil(length / 2 ^ shift) > most do shift = shift + 1 end
  return shift
end

--- How elements with keys up to `length` go to buckets: {begins (of each part's elements of each bucket), parts, shift,
--- buckets}.
function M.buckets_for(keys, length, name)
  local cn, count, device = args.namespace, keys.size, keys.device
  local shift, parts = shift_for(length, count), math.min(MOST_READERS, M.parts_for(count, device))
  local buckets = math.max(1, math.ceil(length / 2 ^ shift))
  local counts = core.empty(buckets * parts, "int64", device, name)
  run("count_buckets", "innnl", nil, keys.dtype, parts, name, address(keys), count, shift, buckets, address(counts),
    parts)
  return {begins = cn.cumsum(counts) - counts, parts = parts, shift = shift, buckets = buckets}
end

--- Room for so many entries: two indices and an element, each at a multiple of its size.
local function entries_for(count, index, data, name)
  local size, itemsize = dtype_facts.size_of[index], data.itemsize
  local place, multiple = math.ceil(2 * size / itemsize) * itemsize, math.max(size, itemsize)
  return core.empty(count * math.ceil((place + itemsize) / multiple) * multiple, "uint8", data.device, name)
end

--- The same as M.turned, through buckets.
---@param to table buckets_for's
function M.through_buckets(keys, to, from, data, length, index, name)
  local device, count, element = keys.device, data.size, moved_dtype(data)
  local entries = entries_for(count, index, data, name)
  if from.others then
    run("enter_pairs", "iidnnnlb", element, index, to.parts, name, address(keys),
      address(in_dtype(from.others, index, name)), moved(data), count, to.shift, to.buckets, address(to.begins),
      address(entries), to.parts)
  else
    run("enter_lines", "iindnnnlb", element, index, to.parts, name, address(keys),
      address(in_dtype(from.indptr, index, name)), from.indptr.size - 1, moved(data), count, to.shift, to.buckets,
      address(to.begins), address(entries), to.parts)
  end
  local made = core.empty(data.shape, data.dtype, device, name)
  local indices, indptr = core.empty(count, index, device, name), core.empty(length + 1, index, device, name)
  local positions = core.empty(length, index, device, name)
  run("leave_bucket", "blnnnnidii", element, index, to.buckets, name, address(entries), address(to.begins), to.parts,
    count, to.shift, length, address(indices), moved(made), address(indptr), address(positions), to.buckets)
  return made, indices, indptr, positions
end

--- How elements go to other lines: near.lua's parts, or buckets. Kept in `known`, facts of a matrix, for the next time.
local function way_of(keys, length, known, name)
  local way = known and known.way
  if way and rawequal(way.keys, keys) and way.length == length then return way end
  way = {keys = keys, length = length, near = near.plan(keys, length, name)}
  way.buckets = not way.near and M.buckets_for(keys, length, name) or nil
  return known and object.remember(known, "way", way) or way
end

--- Elements with `keys`, their new lines, in the order of these, and in each in that of `others`, the new indices; of
--- equal ones in the order that they have. `from` has these of elements, or where the lines are that they come from.
---@param from table {others =} or {indptr =}
---@param length integer how many lines the result has
---@param index string a dtype that has room for all positions
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
---@return cuna.Array|nil positions how many each line has, where they were counted
function M.turned(keys, from, data, length, index, name)
  keys = in_dtype(keys, index, name)
  local way = from.others and {} or way_of(keys, length, nil, name)
  if way.near then return near.turned(way.near, keys, from.indptr, data, length, index, name) end
  return M.through_buckets(keys, way.buckets or M.buckets_for(keys, length, name), from, data, length, index, name)
end

--- Lines whose elements are put in order, those of one position as they were.
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array positions how many each line has
function M.sorted(indptr, indices, data, name)
  local device, index = data.device, core.promote(indptr.dtype, indices.dtype)
  local rows, parts = indptr.size - 1, M.parts_for(indptr.size + data.size, data.device)
  local room = entries_for(data.size, index, data, name)
  local positions = core.empty(rows, index, device, name)
  data, indices = core.cast(data, nil, name), core.cast(indices, index, name)
  run("sort_lines", "iidnbi", moved_dtype(data), index, parts, name, address(in_dtype(indptr, index, name)),
    address(indices), moved(data), rows, address(room), address(positions), parts)
  return data, indices, positions
end

--- A new array for so many elements; in a rehearsal their number is below 0.
local function results(size, dtype, device, name) return core.empty(math.max(size, 0), dtype, device, name) end

--- Where lines begin that have so many elements, from 1.
function M.ends_of(counts, dtype)
  local cn = args.namespace
  return cn.concatenate {cn.ones(1, dtype), (cn.cumsum(counts, {dtype = "int64"}) + 1):astype(dtype)}
end

--- Of lines whose elements rise, each position once: the indices, where its first element is, and where lines begin.
---@param positions cuna.Array how many each line has
function M.firsts(indptr, indices, positions, name)
  local device, index, rows = indices.device, indices.dtype, indptr.size - 1
  local ends = M.ends_of(positions, index)
  local count = tonumber(ends[rows + 1]) - 1
  local places, starts = results(count, index, device, name), results(count, "int64", device, name)
  local parts = M.parts_for(rows + indices.size, device)
  run("first_of_positions", "iiniil", nil, index, parts, name, address(in_dtype(indptr, index, name)), address(indices),
    rows, address(ends), address(places), address(starts), parts)
  return places, starts, ends
end

-- ---- sums ----

--- The same as M.summed_across, through buckets.
---@param to table buckets_for's
function M.summed_in_buckets(to, indptr, indices, data, x, length, name)
  local device, count, index, dtype = data.device, data.size, indices.dtype, data.dtype
  local sums = core.empty(length, parts_of.sum_dtype(dtype), device, name)
  local terms = entries_for(count, index, sums, name)
  run("enter_products", "iinddnnnlb", dtype, index, to.parts, name, address(indices),
    address(in_dtype(indptr, index, name)), indptr.size - 1, address(data), address(x), count, to.shift, to.buckets,
    address(to.begins), address(terms), to.parts)
  local seen, floors = parts_of.results_for(sums, name)
  run("sum_bucket", "blnnnnvbl", dtype, index, to.buckets, name, address(terms), address(to.begins), to.parts, count,
    to.shift, length, address(sums), address(seen), address(floors), to.buckets)
  return core.cast(sums, dtype, name)
end

--- The product of the transpose of lines and a vector: each result adds up what the lines have at its position.
---@param x cuna.Array of data's dtype, an element for each line
---@param length integer how many results there are
---@param known table facts of the matrix
---@return cuna.Array
function M.summed_across(indptr, indices, data, x, length, known, name)
  local way = way_of(indices, length, known, name)
  if way.near then return near.summed(way.near, indices, indptr, data, x, length, name) end
  return M.summed_in_buckets(way.buckets, indptr, indices, data, x, length, name)
end

--- Sums of lines.
---@return cuna.Array
function M.sums(indptr, data, name)
  local rows, index = indptr.size - 1, indptr.dtype
  local made, parts = core.empty(rows, data.dtype, data.device, name), M.parts_for(rows + data.size, data.device)
  run("sum_lines", "idnd", data.dtype, index, parts, name, address(indptr), address(data), rows, address(made), parts)
  return made
end

-- ---- some lines, some positions ----

--- Lines side by side.
---@param first integer from 1
---@param count integer
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
function M.between(indptr, indices, data, first, count)
  local ends = slices.part(indptr, 1, first, count + 1)
  local before = tonumber(ends[1]) - 1
  local size = tonumber(ends[count + 1]) - 1 - before
  return slices.part(data, 1, before + 1, size):copy(), slices.part(indices, 1, before + 1, size):copy(), ends - before
end

--- The lines at positions, one after the other.
---@param positions cuna.Array from 1
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
function M.chosen(indptr, indices, data, positions, name)
  local cn, index, device = args.namespace, indices.dtype, data.device
  local length = indptr.size - 1
  local begins = cn.take(slices.part(indptr, 1, 1, length), positions)
  local ends = M.ends_of(cn.take(slices.part(indptr, 1, 2, length), positions) - begins, index)
  local rows = positions.size
  local count = tonumber(ends[rows + 1]) - 1
  local made, places = results(count, data.dtype, device, name), results(count, index, device, name)
  local parts = M.parts_for(rows + count, device)
  run("copy_lines", "liidinid", moved_dtype(data), index, parts, name, address(in_dtype(positions, "int64", name)),
    address(in_dtype(indptr, index, name)), address(indices), moved(data), address(ends), rows, address(places),
    moved(made), parts)
  return made, places, ends
end

--- The elements at positions in lines that stay.
---@param map cuna.Array|integer of the dtype of the indices, the new positions, 0 for none; or the first one of those
--- side by side
---@param length integer how many there are
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
function M.mapped(indptr, indices, data, map, length, name)
  local index, device, rows = indices.dtype, data.device, indptr.size - 1
  local parts = M.parts_for(rows + data.size, device)
  local is_range = type(map) == "number"
  local kind, letter = is_range and " Range" or " Table", is_range and "n" or "i"
  map = is_range and map or address(map)
  indptr = in_dtype(indptr, index, name)
  local counts = core.empty(rows, "int64", device, name)
  run("count_mapped" .. kind, "iin" .. letter .. "nl", nil, index, parts, name, address(indptr), address(indices), rows,
    map, length, address(counts), parts)
  local ends = M.ends_of(counts, index)
  local count = tonumber(ends[rows + 1]) - 1
  local made, places = results(count, data.dtype, device, name), results(count, index, device, name)
  run("write_mapped" .. kind, "iidn" .. letter .. "niid", moved_dtype(data), index, parts, name, address(indptr),
    address(indices), moved(data), rows, map, length, address(ends), address(places), moved(made), parts)
  return made, places, ends
end

--- What parts of two matrices wrote where all their elements would have room, brought together.
---@param ends cuna.Array where lines begin then
---@param size integer how many elements there are
---@return cuna.Array data
---@return cuna.Array indices
function M.packed(a_ends, b_ends, rows, indices, data, ends, size, parts, name)
  local device, index = data.device, indices.dtype
  local made, places = results(size, data.dtype, device, name), results(size, index, device, name)
  run("pack_lines", "iinidiid", moved_dtype(data), index, parts, name, a_ends, b_ends, rows, address(indices),
    moved(data), address(ends), address(places), moved(made), parts)
  return made, places
end

local function draw_places(draft, index)
  local list = {draft:input(index, "address"), draft:input(index, "address"), draft:input "int64", draft:input "int64"}
  draft.gathers, draft.output = true, "int64"
  draft:step("place_in_line", ("lines::place_in_line<%s>(a, b, c, d)"):format(index), "int64", list)
end

--- Where positions are in lines whose elements rise strictly, from 1 among all elements; 0 where they are not.
---@param line cuna.Array from 1
---@param position cuna.Array from 1, of line's shape
---@return cuna.Array
function M.places(indptr, indices, line, position, name)
  local index = core.promote(indptr.dtype, indices.dtype)
  local made = core.empty(line.shape, "int64", indices.device, name)
  core.map(program.get(index, draw_places, index), name, nil, made, address(in_dtype(indptr, index, name)),
    address(in_dtype(indices, index, name)), in_dtype(line, "int64", name), in_dtype(position, "int64", name))
  return made
end

return M
