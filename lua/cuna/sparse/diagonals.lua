--- diagonals.lua: programs over the lines of sparse matrices that rise strictly: their diagonals, and lines put beside
--- others or apart.
--
-- A matrix here is {data, indices, indptr} as csr has them (lines.lua). A diagonal is {first, count, position}: it is
-- in `count` lines behind the first `first` ones, in the first of these at `position`.
local args = require "cuna.base.args"
local core = require "cuna.core"
local lines = require "cuna.sparse.lines"
local parts_of = require "cuna.sparse.parts"
local slices = require "cuna.base.slices"

local M = {}

local address, in_dtype, moved, moved_dtype = parts_of.address, parts_of.in_dtype, parts_of.moved, parts_of.moved_dtype

local function run(what, ...) return parts_of.run("lines::" .. what, ...) end

--- Its elements, 0 where there is none.
---@return cuna.Array
function M.elements(A, on, name)
  local index, out = A.indices.dtype, core.empty(on.count, A.data.dtype, A.data.device, name)
  local parts = lines.parts_for(on.count, out.device)
  run("copy_diagonal", "iidnnnd", moved_dtype(out), index, parts, name, address(in_dtype(A.indptr, index, name)),
    address(A.indices), moved(A.data), on.first, on.count, on.position, moved(out), parts)
  return out
end

--- Where its elements are, from 1, and less than 0 where they would be.
local function places_of(A, on, name)
  local index, places = A.indices.dtype, core.empty(on.count, "int64", A.data.device, name)
  local parts = lines.parts_for(on.count, places.device)
  run("find_diagonal", "iinnnl", nil, index, parts, name, address(in_dtype(A.indptr, index, name)), address(A.indices),
    on.first, on.count, on.position, address(places), parts)
  return places
end

--- Lines with room for elements that are missing on a diagonal.
---@param index string a dtype that has room for all positions
function M.widened(A, on, places, values, index, name)
  local cn, device, rows = args.namespace, values.device, A.indptr.size - 1
  local counts, missing = cn.diff(A.indptr):astype "int64", places:lt(0):astype "int64"
  slices.part(counts, 1, on.first + 1, on.count):add_(missing)
  local ends = lines.ends_of(counts, index)
  local size = tonumber(ends[rows + 1]) - 1
  local indices = core.empty(math.max(size, 0), index, device, name)
  local data = core.empty(math.max(size, 0), values.dtype, device, name)
  local parts = lines.parts_for(rows + size, device)
  run("write_diagonal", "iidnldnnniid", moved_dtype(data), index, parts, name, address(in_dtype(A.indptr, index, name)),
    address(in_dtype(A.indices, index, name)), moved(A.data), rows, address(places), moved(values), on.first, on.count,
    on.position, address(ends), address(indices), moved(data), parts)
  return {data = data, indices = indices, indptr = ends, is_unique = true}
end

--- The matrix with other elements on a diagonal.
---@param values cuna.Array of data's dtype, `count` elements side by side
---@return table {data, indices, indptr, is_unique}
function M.replaced(A, on, values, index, name)
  local places = places_of(A, on, name)
  if not places:min():gt(0):item() then return M.widened(A, on, places, values, index, name) end
  local data = A.data:copy()
  data[places] = values
  return {data = data, indices = A.indices, indptr = A.indptr, is_unique = true}
end

-- ---- beside others, apart ----

--- Lines of matrices side by side, in order.
---@param list table[] of {data, indices, indptr, shift}: all have one dtype, and new positions by this number
---@param counts cuna.Array int64, how many elements each line has in all
---@param index string
---@return cuna.Array data
---@return cuna.Array indices
---@return cuna.Array indptr
function M.beside(list, counts, index, name)
  local first, rows = list[1].data, counts.size
  local ends = lines.ends_of(counts, index)
  local size = math.max(tonumber(ends[rows + 1]) - 1, 0)
  local cursors = core.cast(slices.part(ends, 1, 1, rows), "int64", name) - 1
  local indices = core.empty(size, index, first.device, name)
  local data = core.empty(size, first.dtype, first.device, name)
  for _, A in ipairs(list) do
    local own, parts = A.indptr.size - 1, lines.parts_for(A.indptr.size + A.data.size, first.device)
    run("append_lines", "iidnnlid", moved_dtype(data), index, parts, name, address(in_dtype(A.indptr, index, name)),
      address(in_dtype(A.indices, index, name)), moved(A.data), own, A.shift,
      address(slices.part(cursors, 1, A.first + 1, own)), address(indices), moved(data), parts)
  end
  return data, indices, ends
end

--- Writes lines to a dense matrix of zeros.
---@param line_step integer elements between neighbouring lines of the matrix
---@param step integer and between neighbours in one
function M.scatter(A, out, line_step, step, name)
  local index, rows = A.indices.dtype, A.indptr.size - 1
  local parts = lines.parts_for(rows + A.data.size, out.device)
  run("scatter_lines", "iidndnn", moved_dtype(out), index, parts, name, address(in_dtype(A.indptr, index, name)),
    address(A.indices), moved(A.data), rows, moved(out), line_step, step, parts)
end

return M
