--- bin_counts.lua: counts, or sums of weights, of bins that elements fall into, in one pass over the elements.
--
-- If a block is one lane, memory has several copies of the counts. Each copy counts its share of the elements, and the
-- copies are summed at the end. Each block has a copy, so that blocks run in parallel and elements are added in order.
-- The number of copies depends only on the numbers of elements and bins, so sums of floats do not depend on the number
-- of threads. Elsewhere a block has its copy in shared memory, if there is room (kernels/tally_lanes.cuh), and
-- weigh.lua sums floats as integers.
local core = require "cuna.core"
local reduce = require "cuna.reduce"

local M = {}

local LINE = 16   -- counts of 8 bytes that a copy is padded to
local ELEMENTS_PER_BIN = 8 -- and copy, at least
local FEW = 16384 -- elements, below which copies cost more than they save
local COPIES = 16 -- at most

-- ---- programs ----

--- What the last step of a program adds to its table: into (the table's dtype), name and expr (of the address a, the
--- bin b from 0, and a value c), value (the dtype of c; nil: there is none), nbytes (that a block of many lanes needs
--- for a bin), fixed (further inputs: dtype and kind), table (the kind of the table's input).
---@class cuna.Ending

local COUNTED = {into = "int64", name = "tallied", expr = "tallied<int64>(a, b, 1)", nbytes = 4}
local SUMMED = {
  int64 = {into = "int64", name = "tallied", expr = "tallied<int64>(a, b, c)", value = "int64", nbytes = 8},
  float64 = {into = "float64", name = "tallied", expr = "tallied<float64>(a, b, c)", value = "float64"},
  complex128 = {into = "complex128", name = "tallied", value = "complex128",
    expr = "tallied<float64>(a, 2 * b, c.re) & tallied<float64>(a + 8, 2 * b, c.im)"},
}

local SHARED = {} -- by ending: the same for a table of which each place of the walk has a copy

for _, ending in ipairs {COUNTED, SUMMED.int64, SUMMED.float64, SUMMED.complex128} do
  SHARED[ending] = setmetatable({table = "address"}, {__index = ending})
end

--- Adds the first input of a program, the table of an ending.
---@param ending cuna.Ending
function M.draw_table(draft, ending) return draft:input(ending.into, ending.table or "head") end

--- Adds the inputs after those of elements and bins, and the steps. `find` adds the steps that find the bins, and
--- returns the value with the bin and that with the weight; `first`: the number of the first bin.
---@param ending cuna.Ending
function M.draw(draft, ending, find, first)
  local args, dtypes, expr = {}, {"int64", "int64", ending.value}, ending.expr
  local fixed = {}
  for k, input in ipairs(ending.fixed or {}) do fixed[k] = draft:input(input.dtype, input.kind) end
  draft:input("int64", "scalar") -- the number of bins
  args[1], args[2], args[3] = 1, find()
  if not ending.value then args[3] = nil end
  for _, value in ipairs(fixed) do args[#args + 1], dtypes[#dtypes + 1] = value, "int64" end
  if first then expr = expr:gsub("b,", ("b - %d,"):format(first)) end
  draft.gathers, draft.outputs, draft.order, draft.tally_nbytes = true, {}, "row", ending.nbytes
  draft:step(ending.name, expr, "bool", args, dtypes)
end

-- ---- one pass ----

--- The operands of a program: the table, the elements, the fixed ones and the number of slots.
local function operands_of(table, elements, fixed, slots)
  local all = {table, unpack(elements)}
  for _, operand in ipairs(fixed) do all[#all + 1] = operand end
  all[#all + 1] = slots
  return unpack(all)
end

--- Runs a program that adds to a table, over all elements.
---@param table cuna.Array
---@param slots integer of the table
---@param elements cuna.Array[] 1-d, of one length
---@param fixed table operands
function M.add(program, table, slots, elements, fixed, name)
  if elements[1].size == 0 or slots == 0 then return end
  core.map(program, name, elements[1].size, nil, operands_of(table, elements, fixed, slots))
end

--- How many copies there are for `size` elements.
local function copies_for(size, bins)
  if size < FEW then return 1 end
  return math.max(math.min(COPIES, math.floor(size / (ELEMENTS_PER_BIN * bins))), 1)
end

local function viewed(list, shape, steps, first)
  local views = {}
  for k, x in ipairs(list) do
    local stride, strides = x.strides[1] / x.itemsize, {}
    for axis = 1, #shape do strides[axis] = steps[axis] * stride end
    views[k] = core.view(x, shape, strides, first * stride)
  end
  return views
end

--- Tallies by blocks of one lane: each of the copies of the counts, whose rows are `pitch` apart, gets a share of the
--- elements; what is left goes to the first.
local function tally_shares(program, counts, bins, copies, pitch, elements, fixed, name)
  local size, share = elements[1].size, math.floor(elements[1].size / copies)
  local function launch(shape, steps, into, first)
    local walked = viewed(elements, shape, steps, first)
    core.map(program, name, shape, nil, operands_of(core.view(counts, shape, into, 0), walked, fixed, bins))
  end
  launch({copies, share}, {share, 1}, {pitch, 0}, 0)
  if copies * share < size then launch({size - copies * share}, {1}, {0}, copies * share) end
end

--- The same into new copies, which are added up.
local function tally_copies(program, bins, copies, elements, dtype, fixed, name)
  local pitch = math.ceil(bins / LINE) * LINE
  local counts = core.full({copies, pitch}, dtype, elements[1], name, 0)
  tally_shares(program, counts, bins, copies, pitch, elements, fixed, name)
  return reduce.functions.sum(core.view(counts, {copies, bins}, {pitch, 1}, 0), 1)
end

--- Counts elements, or sums weights, by bins.
---@param made fun(ending: cuna.Ending, weight: string|nil): userdata a program
---@param bins integer
---@param elements cuna.Array[] 1-d, of one length
---@param weights cuna.Array|nil of their length
---@param dtype string of the counts or sums: int64, float64 or complex128
---@param fixed table operands
---@return cuna.Array 1-d, the counts
function M.tally(made, bins, elements, weights, dtype, fixed, name)
  local x, ending, all = elements[1], weights and SUMMED[dtype] or COUNTED, {unpack(elements)}
  local copies = core.lanes(x) == 1 and copies_for(x.size, math.max(bins, 1)) or 1
  local program = made(copies > 1 and SHARED[ending] or ending, weights and weights.dtype)
  all[#all + 1] = weights
  if copies > 1 then return tally_copies(program, bins, copies, all, dtype, fixed, name) end
  local counts = core.full(bins, dtype, x, name, 0)
  M.add(program, counts, bins, all, fixed, name)
  return counts
end

return M
