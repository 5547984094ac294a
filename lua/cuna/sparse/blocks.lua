--- blocks.lua: sparse matrices out of blocks.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local build = require "cuna.sparse.build"
local convert = require "cuna.sparse.convert"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local diagonals = require "cuna.sparse.diagonals"
local given = require "cuna.sparse.given"
local object = require "cuna.sparse.object"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- The length of a row or column of blocks, which all of them have.
local function agree(lengths, at, length, name, what)
  if lengths[at] and lengths[at] ~= length then
    fail("%s: %s %d of blocks has blocks of %d and %d %ss", name, what, at, lengths[at], length, what)
  end
  lengths[at] = length
end

--- Blocks as matrices by row and column of blocks, and the lengths of these.
local function read_blocks(blocks, name)
  local cells, heights, widths = {}, {}, {}
  local count = 0
  for i, line in ipairs(check.list(blocks, name, "rows of blocks")) do
    if type(line) ~= "table" or object.is(line) then fail("%s: blocks are rows of blocks", name) end
    count = math.max(count, table.maxn(line))
    for j = 1, table.maxn(line) do
      if line[j] then
        local A = given.matrix(line[j], "coo", nil, nil, name)
        agree(heights, i, A.lengths[1], name, "row")
        agree(widths, j, A.lengths[2], name, "column")
        cells[#cells + 1] = {i = i, j = j, A = A}
      end
    end
  end
  for i = 1, #blocks do if not heights[i] then fail("%s: row %d of blocks has none", name, i) end end
  for j = 1, count do if not widths[j] then fail("%s: column %d of blocks has none", name, j) end end
  return cells, heights, widths
end

--- Where rows or columns of blocks begin, from 0, and their sum.
local function begins_of(lengths)
  local begins, sum = {}, 0
  for i, length in ipairs(lengths) do begins[i], sum = sum, sum + length end
  return begins, sum
end

--- The dtype that all blocks have in common.
local function common_dtype(cells)
  local dtype
  for _, cell in ipairs(cells) do dtype = dtype and core.promote(dtype, cell.A.dtype) or cell.A.dtype end
  return dtype
end

--- One list of the elements of all blocks.
local function joined(cells, heights, widths, dtype)
  local cn = args.namespace
  local down, rows = begins_of(heights)
  local along, columns = begins_of(widths)
  local index = object.index_dtype(rows, columns)
  local row, col, data = {}, {}, {}
  for k, cell in ipairs(cells) do
    local list = coordinates.of(object.same_device(cells[1].A, cell.A, "sparse.bmat"))
    row[k], col[k] = list.row:astype(index) + down[cell.i], list.col:astype(index) + along[cell.j]
    data[k] = list.data:astype(dtype)
  end
  return {row = cn.concatenate(row), col = cn.concatenate(col), data = cn.concatenate(data), shape = {rows, columns}}
end

--- The format that all blocks have, if it is one.
local function has_only(cells, format)
  for _, cell in ipairs(cells) do
    if cell.A.format ~= format then return false end
  end
  return true
end

--- What the lines of all blocks have in order: whether each block's are known to be.
local function facts_of(list)
  local facts = {is_sorted = true, is_canonical = true}
  for _, own in ipairs(list) do
    for fact in pairs {is_sorted = true, is_canonical = true} do
      if not own.A.facts[fact] then facts[fact] = nil end
    end
  end
  return facts
end

--- The blocks as lines of one dtype, where they go.
local function lines_of(cells, down, along, format, dtype)
  local list, is_csc = {}, format == "csc"
  for k, cell in ipairs(cells) do
    local A = convert.to(object.same_device(cells[1].A, cell.A, "sparse.bmat"), format)
    list[k] = {A = A, data = A.data:astype(dtype), indices = A.indices, indptr = A.indptr,
      first = is_csc and along[cell.j] or down[cell.i], shift = is_csc and down[cell.i] or along[cell.j]}
  end
  return list
end

--- All blocks as one csr or csc matrix: their lines side by side.
local function in_lines(cells, heights, widths, format, dtype, name)
  local cn, down, rows = args.namespace, begins_of(heights)
  local along, columns = begins_of(widths)
  local list = lines_of(cells, down, along, format, dtype)
  local counts, count = cn.zeros(format == "csr" and rows or columns, "int64"), 0
  for _, own in ipairs(list) do
    slices.part(counts, 1, own.first + 1, own.indptr.size - 1):add_(cn.diff(own.indptr))
    count = count + own.data.size
  end
  local data, indices, indptr = diagonals.beside(list, counts, object.index_dtype(rows, columns, count + 1), name)
  return object.new(format, {rows, columns}, {data = data, indices = indices, indptr = indptr}, cells[1].A,
    facts_of(list))
end

--- The format in which blocks in line are put together, if all have it.
local function format_along(cells, heights, widths)
  return #widths == 1 and has_only(cells, "csr") and "csr" or #heights == 1 and has_only(cells, "csc") and "csc"
end

local function assemble(blocks, format, dtype, name)
  local cells, heights, widths = read_blocks(blocks, name)
  if not cells[1] then fail("%s: there are no blocks", name) end
  dtype = dtype and check.dtype(dtype, name) or common_dtype(cells)
  return with.on(cells[1].A.device, function()
    local wanted = format or format_along(cells, heights, widths) or "coo"
    if object.MAJOR[wanted] then return in_lines(cells, heights, widths, wanted, dtype, name) end
    local list = joined(cells, heights, widths, dtype)
    return build.in_format(object.new("coo", list.shape, list, cells[1].A), wanted, name)
  end)
end

local read_bmat = args.reader("sparse.bmat", {"blocks", "format", "dtype"})

--- A matrix out of rows of blocks; false stands for a block of zeros. Follows scipy.sparse.bmat.
---@param blocks table rows of sparse matrices or dense ones
---@param format string|nil default "coo", or that of csr and csc blocks in line
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.bmat({{cn.sparse.eye(1), false}, {false, {{5}}}}):toarray() --> [[1. 0.] [0. 5.]]
function F.bmat(...)
  local blocks, format, dtype = read_bmat(...)
  return assemble(blocks, format, dtype, "sparse.bmat")
end

local read_hstack = args.reader("sparse.hstack", {"blocks", "format", "dtype"})

--- Matrices side by side. Follows scipy.sparse.hstack.
---@param blocks (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.hstack({cn.sparse.eye(2), {{5}, {6}}}):toarray() --> [[1. 0. 5.] [0. 1. 6.]]
function F.hstack(...)
  local blocks, format, dtype = read_hstack(...)
  return assemble({check.list(blocks, "sparse.hstack", "blocks")}, format, dtype, "sparse.hstack")
end

local read_vstack = args.reader("sparse.vstack", {"blocks", "format", "dtype"})

--- Matrices one below the other. Follows scipy.sparse.vstack.
---@param blocks (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.vstack({cn.sparse.eye(2), {{5, 6}}}):toarray() --> [[1. 0.] [0. 1.] [5. 6.]]
function F.vstack(...)
  local blocks, format, dtype = read_vstack(...)
  local lines = {}
  for i, block in ipairs(check.list(blocks, "sparse.vstack", "blocks")) do lines[i] = {block} end
  return assemble(lines, format, dtype, "sparse.vstack")
end

local read_block_diag = args.reader("sparse.block_diag", {"mats", "format", "dtype"})

--- Matrices along the diagonal. Follows scipy.sparse.block_diag.
---@param mats (cuna.SparseMatrix|cuna.Operand)[]
---@param format string|nil
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.block_diag({{{1, 2}}, {{3}}}):toarray() --> [[1. 2. 0.] [0. 0. 3.]]
function F.block_diag(...)
  local mats, format, dtype = read_block_diag(...)
  local lines = {}
  for i, block in ipairs(check.list(mats, "sparse.block_diag", "matrices")) do
    lines[i] = {}
    for j = 1, i - 1 do lines[i][j] = false end
    lines[i][i] = block
  end
  return assemble(lines, format or "coo", dtype, "sparse.block_diag")
end

return M
