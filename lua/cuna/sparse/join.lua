--- join.lua: two sparse matrices element by element.
--
-- Lines of both are read side by side (kernels/sparse_parts.cuh): each position that one of them has gets what an
-- operation makes of both elements there, 0 where one has none, and stays if that is not 0. Parts write what stays
-- where it would be if all did, and then bring it together.
local combiner = require "cuna.combiner"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elements = require "cuna.sparse.elements"
local elementwise = require "cuna.elementwise"
local later = require "cuna.base.later"
local lines = require "cuna.sparse.lines"
local object = require "cuna.sparse.object"
local parts_of = require "cuna.sparse.parts"
local program = require "cuna.base.program"

local M = {}

local E = later.functions "elementwise"
local storage, address, in_dtype = dtype_facts.storage, parts_of.address, parts_of.in_dtype

--- A step over parts: the places of both matrices' lines, indices and elements, and where those of the result go.
local function draw(draft, plan, index)
  local left, right, result = plan.args[1], plan.args[2], plan.results[1].dtype
  local list = {}
  local function add(...)
    for _, dtype in ipairs {...} do list[#list + 1] = draft:input(dtype, "address") end
  end
  add(index, index, left, index, index, right)
  list[#list + 1] = draft:input("int64", "scalar")
  add(index, result, "int64")
  local letters = parts_of.end_inputs(draft, list)
  local combine = combiner.text(storage(result), storage(left), storage(right), plan.results[1].expr)
  local types = {storage(result), storage(left), storage(right), index}
  draft:step("join_lines", ("lines::join_lines<%s>(%s, %s)"):format(table.concat(types, ", "), combine,
    letters), "bool", list, "int64")
end

--- What both passes read.
local function inputs_of(A, B, plan, index, name)
  local list = {}
  for k, X in ipairs {A, B} do
    for _, x in ipairs {in_dtype(X.indptr, index, name), in_dtype(X.indices, index, name),
      in_dtype(X.data, plan.args[k], name)} do list[#list + 1] = address(x) end
  end
  list[#list + 1] = A.indptr.size - 1
  return list
end

--- Whether two matrices have elements at the same positions.
local function are_alike(A, B)
  local function alike(x, y) return rawequal(x, y) or x.dtype == y.dtype and x == y end
  return A.data.size == B.data.size and not core.is_preparing() and alike(A.indptr, B.indptr)
    and alike(A.indices, B.indices)
end

--- Joins matrices with elements at the same positions, which need not be read side by side.
local function join_alike(A, B, operation)
  local data = E[operation](A.data, B.data)
  local made = object.new(A.format, A.lengths, {data = data, indices = A.indices, indptr = A.indptr}, A,
    {is_sorted = true, is_canonical = true})
  local mask = data:ne(0)
  return mask:all() and made or elements.kept(made, mask)
end

local function join_lines(A, B, operation, plan, name)
  local device, most, result = A.device, A.data.size + B.data.size, plan.results[1].dtype
  local index = object.index_dtype(A.lengths[1], A.lengths[2], most + 1)
  local rows, list = A.indptr.size - 1, inputs_of(A, B, plan, index, name)
  local parts = lines.parts_for(rows + most, device)
  local key = table.concat({operation, plan.args[1], plan.args[2], result, index}, " ")
  local indices, data = core.empty(most, index, device, name), core.empty(most, result, device, name)
  local counts = core.empty(rows, "int64", device, name)
  for _, x in ipairs {indices, data, counts} do list[#list + 1] = address(x) end
  list[#list + 1] = parts
  core.map(program.get(key, draw, plan, index), name, {parts}, {}, unpack(list))
  local ends = lines.ends_of(counts, index)
  local size = tonumber(ends[rows + 1]) - 1
  if size ~= most then
    data, indices = lines.packed(list[1], list[4], rows, indices, data, ends, size, parts, name)
  end
  local least = object.index_dtype(A.lengths[1], A.lengths[2], size + 1)
  return object.new(A.format, A.lengths, {data = data, indices = in_dtype(indices, least, name),
    indptr = in_dtype(ends, least, name)}, A, {is_sorted = true, is_canonical = true})
end

--- An operation on two canonical matrices of one format, csr or csc, and one shape.
---@param A cuna.SparseMatrix
---@param B cuna.SparseMatrix
---@param operation string of two arrays
---@return cuna.SparseMatrix of this format, canonical, without zeros
function M.join(A, B, operation, name)
  local plan = dtype_rules.resolve(elementwise.row(operation), {A.dtype, B.dtype})
  if not plan then core.fail(name .. ": " .. operation .. " does not take " .. A.dtype .. " and " .. B.dtype) end
  -- Comparisons leave few elements, and are read line by line as well.
  local is_alike = plan.results[1].dtype ~= "bool" and are_alike(A, B)
  return (is_alike and join_alike or join_lines)(A, B, operation, plan, name)
end

return M
