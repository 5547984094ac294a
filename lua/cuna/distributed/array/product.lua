--- product.lua: products of matrices over ranks.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local layouts = require "cuna.distributed.array.layout"
local moves = require "cuna.distributed.array.move"
local object = require "cuna.distributed.array.object"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local M = {}

local fail = check.fail
local methods = object.methods
local is_over = object.is_over

local function multiply(a, b) return a:matmul(b) end

-- ---- operands ----

--- Which axes of an operand are split: "rows", "columns", "both" (over a mesh), or "stack": axes before its matrices. A
--- vector is a row on the left, and a column on the right.
local function kind_of(x, is_left)
  if not is_over(x) then return "plain" end
  local first, kind = math.max(x.ndim - 1, 1), nil
  for _, split in ipairs(x.splits) do
    if split.axis < first then return "stack" end
    local is_column = split.axis > first or x.ndim == 1 and is_left
    kind = kind and "both" or is_column and "columns" or "rows"
  end
  return kind
end

local function refuse_shapes(A, B)
  fail("matmul: expected matrices of shapes (m, k) and (k, n), got %s and %s", tostring(A.shape), tostring(B.shape))
end

--- Rejects operands that do not fit.
local function check_operands(A, B)
  local inner = B.shape[math.max(B.ndim - 1, 1)]
  if A.ndim == 0 or B.ndim == 0 or A.shape[A.ndim] ~= inner then refuse_shapes(A, B) end
  if is_over(B) and B.comm ~= A.comm then fail "matmul: the arrays are over different communicators" end
end

-- ---- ways ----

--- Splits of a product, along its first axis or its last one.
local function split_along(A, block, split, axis)
  return object.over(A, block, {layouts.moved(split, axis)})
end

--- Each rank's rows by the whole second matrix.
local function by_rows(A, B)
  return split_along(A, multiply(A.block, is_over(B) and moves.whole(B) or B), A.splits[1], 1)
end

--- This rank's part of the sum over a split contraction, then the sum over ranks.
local function by_parts(A, B, layout)
  local part, comm = multiply(A.block, B.block), A.splits[1].comm
  if layout == nil then return comm:all_reduce(part) end
  local splits = layouts.read(layout, part.shape, A, "matmul")
  if #splits == 0 then return comm:all_reduce(part) end
  if splits[1].comm ~= comm or splits[1].axis ~= 1 or #splits > 1 then
    fail("matmul: the parts of a sum over ranks are added to rows; write {layout = {axis = 1}}")
  end
  return object.over(A, comm:reduce_scatter(part), splits)
end

--- Rows over one dimension of a mesh by columns over another: blocks alone.
local function by_blocks(A, B)
  return object.over(A, multiply(A.block, B.block), {layouts.moved(A.splits[1], 1),
    layouts.moved(B.splits[1], 2)})
end

-- ---- over a mesh ----

--- The positions at which a panel of the contraction begins: where a block of either matrix does.
local function panels_of(length, across, down)
  local begins, is_begin = {}, {}
  for _, count in ipairs {across, down} do
    for _, begin in ipairs(layouts.begins(length, count)) do is_begin[begin] = true end
  end
  for begin in pairs(is_begin) do begins[#begins + 1] = begin end
  table.sort(begins)
  return begins
end

--- Positions first to last of a split axis, on all ranks along the split: one broadcast.
local function panel(X, split, first, last)
  local begins, root = layouts.begins(split.length, split.comm.size), 0
  while begins[root + 2] <= first do root = root + 1 end
  local mine = root == split.comm.rank
    and slices.part(X.block, split.axis, first - begins[root + 1] + 1, last - first + 1) or nil
  return split.comm:broadcast(mine, root)
end

--- van de Geijn and Watts, SUMMA: scalable universal matrix multiplication algorithm, 1997.
local function summa(A, B)
  local down, across = B.splits[1], A.splits[2]
  local begins, sum = panels_of(A.shape[2], across.comm.size, down.comm.size), nil
  for i = 1, #begins - 1 do
    local part = multiply(panel(A, across, begins[i], begins[i + 1] - 1),
      panel(B, down, begins[i], begins[i + 1] - 1))
    sum = sum and sum:add_(part) or part
  end
  return object.over(A, sum or multiply(A.block, B.block), {A.splits[1], B.splits[2]})
end

-- ---- the product ----

--- The recipe for layouts whose product would move what nobody asked for.
local function refuse_layouts(A, B, right)
  fail("matmul: %s by %s needs another layout; write A:reshard {axis = 1}%s", tostring(A),
    is_over(B) and tostring(B) or "a plain array", right == "columns" and ", B:reshard {axis = 1}"
      or ", or cn.distributed.array(B, {axis = 1})")
end

--- The way for two matrices by what is split; nil where there is none.
local function way_of(A, B, left, right)
  local one, other = A.splits[1], is_over(B) and B.splits[1] or nil
  if left == "rows" and (right == "plain" or right == "rows") then return by_rows end
  if left == "columns" and right == "rows" and one.comm == other.comm then return by_parts end
  if left == "rows" and right == "columns" and one.comm ~= other.comm then return by_blocks end
  if left == "both" and right == "both" and one.comm == other.comm then return summa end
end

local read_matmul = args.reader("matmul", {"A", "B", "layout"}, 2)

--- The product of matrices, of a matrix and a vector, or of vectors. Rows by a plain matrix: blocks alone; rows by
--- rows: one all_gather of B; columns by rows, where the contraction is split: one all_reduce, and a plain array on
--- all ranks, or with {layout = {axis = 1}} one reduce_scatter, and rows. Stacks split along an axis before the
--- matrices: blocks alone. Over a mesh {x = 1} by {y = 2}: blocks alone; {x = 1, y = 2} by the same: two broadcasts for
--- each block of the contraction (SUMMA). For a plain matrix x and columns B write B.T:matmul(x.T).T.
---@param B cuna.DistributedArray|cuna.Array a plain one is the same on all ranks
---@param layout table|nil of the product where the contraction is split; default {}
---@return cuna.DistributedArray|cuna.Array
---@usage cn.distributed.ones({2, 2}, nil, {axis = 1}):matmul(cn.ones {2, 2}):get() --> [[2. 2.] [2. 2.]]
---@usage cn.distributed.ones({3}, nil, {axis = 1}):matmul(cn.distributed.ones({3}, nil, {axis = 1})) --> 3.0
function methods.matmul(...)
  local A, B, layout = read_matmul(...)
  object.self(A, "matmul")
  if not is_over(B) then B = transfer.operand(B, "matmul") end
  check_operands(A, B)
  local left, right = kind_of(A, true), kind_of(B, false)
  if left == "stack" or right == "stack" then
    if left ~= right and right ~= "plain" then refuse_layouts(A, B, right) end
    return object.apply("matmul", multiply, A, B)
  elseif A.ndim > 2 or B.ndim > 2 then
    fail("matmul: stacks are split along an axis before the matrices, got %s and %s", tostring(A), tostring(B))
  end
  local way = way_of(A, B, left, right) or refuse_layouts(A, B, right)
  if layout ~= nil and way ~= by_parts then fail "matmul: a layout is for a contraction that is split" end
  return way(A, B, layout)
end

--- The product of two vectors, or of matrices, as matmul; with a number or a 0-d array, of each element. Follows
--- numpy.dot.
---@param B cuna.DistributedArray|cuna.Operand
---@return cuna.DistributedArray|cuna.Array
---@usage cn.distributed.array({1, 2}, {axis = 1}):dot(cn.distributed.array({3, 4}, {axis = 1})) --> 11.0
function methods.dot(A, B)
  object.self(A, "dot")
  if not is_over(B) then B = transfer.operand(B, "dot") end
  if B.ndim == 0 then return A * B end
  if A.ndim > 2 or B.ndim > 2 then
    fail("dot: takes vectors and matrices, got %s and %s; write A:matmul(B)", tostring(A.shape), tostring(B.shape))
  end
  return methods.matmul(A, B)
end

return M
