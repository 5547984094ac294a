--- bin_axes.lua: finds the bins of points along one axis or several, and counts, or sums weights, in them.
--
-- For bins of equal width, arithmetic says which bin an element is in, unless it is so close to an edge that rounding
-- matters: then a comparison with the edges decides. Other bins are found by bisection (kernels/search.cuh).
local bin_counts = require "cuna.bin_counts"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local program = require "cuna.base.program"
local search = require "cuna.search"
local weigh = require "cuna.weigh"

local M = {}

local AXES = 3 -- of one program
local KINDS = {b = "int64", i = "int64", u = "int64", f = "float64", c = "complex128"} -- of sums of weights
local WIDE = 2 ^ 15 -- bins
local BITS = {float16 = 11, bfloat16 = 8, float32 = 24, float64 = 53} -- that edges are rounded to

--- An axis of bins: its elements, and edges of the dtype that both are compared in. `even`: edges of equal width. Many
--- bins leave float32 no fraction that is sure; many lanes wait longer for edges than for float64.
function M.axis(x, edges, even, name)
  local own = search.comparable(edges, not even and x.dtype, name)
  local is_wide = edges.size > WIDE and core.lanes(x) > 1
  return {x = x, edges = own, even = even and BITS[edges.dtype], computed = is_wide and "float64" or own.dtype}
end

--- The text that finds an element's bin along an axis.
local function text_of(axis)
  local own = axis.edges.dtype
  if not axis.even then return "binned", ("binned<%s, %s>(a, b, c)"):format(own, own) end
  return "evenly_binned", ("evenly_binned<%s, %s, %d, %s>(a, b, c)"):format(own, own, axis.even, axis.computed)
end

--- Adds the inputs and steps that find the bins of `axes`; returns the value with the bin, and that of the weight.
---@param ending cuna.Ending of which the table is the first input
local function draw_axes(draft, axes, chained, ending, weight)
  bin_counts.draw_table(draft, ending)
  local at, before, points = chained and draft:input "int64" or nil, #draft.inputs, {}
  for k, axis in ipairs(axes) do points[k] = draft:input(axis.x.dtype) end
  local weighing = weight and draft:input(weight)
  for _, axis in ipairs(axes) do draft:input(axis.edges.dtype, "head") end
  local edges = before + #axes + (weighing and 1 or 0)
  for _ = 1, #axes do draft:input("int64", "scalar") end
  return function() -- once all inputs are there
    for k, axis in ipairs(axes) do
      local count, own, name, text = edges + #axes + k, axis.edges.dtype, text_of(axis)
      local bin = draft:step(name, text, "int64", {edges + k, count, points[k]}, {"int64", "int64", own})
      at = at and draft:step("nested", "nested(a, b, c)", "int64", {at, bin, count}) or bin
    end
    return at, weighing
  end
end

local function key_of(axes, chained, last)
  local key = {tostring(chained), last}
  for _, axis in ipairs(axes) do
    key[#key + 1] = table.concat({axis.x.dtype, axis.edges.dtype, tostring(axis.even), axis.computed}, " ")
  end
  return table.concat(key, " ")
end

local function draw_bins(draft, axes, chained)
  draft.gathers, draft.outputs = true, {}
  draft:give(draw_axes(draft, axes, chained, {into = "int64"})(), "int64")
end

local function draw_tally(draft, axes, chained, ending, weight)
  local find = draw_axes(draft, axes, chained, ending, ending.value and weight)
  bin_counts.draw(draft, ending, find)
end

--- A program that adds to the bins of axes as an ending of bin_counts.lua says.
local function tallier(axes, chained, ending, weight)
  local last = ending.expr .. (ending.table or "") .. (ending.value and weight or "")
  return program.get(key_of(axes, chained, last), draw_tally, axes, chained, ending, weight)
end

local function slice(list, first, last) return {unpack(list, first, math.min(last, #list))} end

local function fixed_operands(axes)
  local fixed = {}
  for k, axis in ipairs(axes) do fixed[k], fixed[#axes + k] = axis.edges, axis.edges.size - 1 end
  return fixed
end

--- The bin of each element along some axes, combined with the bins `at` along the axes before them.
local function bins_of(axes, at, name)
  local operands = {core.empty(1, "int64", axes[1].x, name), at}
  for _, axis in ipairs(axes) do operands[#operands + 1] = axis.x end
  for _, operand in ipairs(fixed_operands(axes)) do operands[#operands + 1] = operand end
  local made = program.get(key_of(axes, at ~= nil, "bins"), draw_bins, axes, at ~= nil)
  return core.map(made, name, axes[1].x.shape, {false}, unpack(operands))
end

local function all_even(axes)
  for _, axis in ipairs(axes) do
    if not axis.even then return false end
  end
  return true
end

--- The bins along the first axes if one program cannot process all axes, and the remaining axes. Where elements are
--- gone through twice (`again`), bins that take a search are found once.
local function leading_bins(axes, again, name)
  local at, first = nil, 1
  while #axes - first + 1 > AXES do
    at = bins_of(slice(axes, first, first + AXES - 1), at, name)
    first = first + AXES
  end
  local rest = slice(axes, first, #axes)
  if again and not all_even(rest) then return bins_of(rest, at, name), {} end
  return at, rest
end

--- Counts, or sums of weights, in the bins of axes, of 1-d arrays: flat, in row-major order.
---@param axes table[] of M.axis
---@param weights cuna.Array|nil
---@return cuna.Array 1-d
function M.count(axes, weights, name)
  local bins, device = 1, axes[1].x.device
  local dtype = weights and KINDS[dtype_facts.kind_of[weights.dtype]] or "int64"
  for _, axis in ipairs(axes) do bins = bins * (axis.edges.size - 1) end
  if bins > 2 ^ 40 then check.fail("%s: %g bins are too many", name, bins) end
  local at, last
  local weighs = weigh.needed(dtype, device)
  if #axes == 1 and not axes[1].even and core.lanes(device) == 1 then
    at, last = search.search(axes[1].edges, axes[1].x, "BIN", name), {} -- searches tiles of values, which is faster
  else
    at, last = leading_bins(axes, weighs, name)
  end
  local elements, chained = {at}, at ~= nil
  for _, axis in ipairs(last) do elements[#elements + 1] = axis.x end
  local function made(ending, weight) return tallier(last, chained, ending, weight) end
  local fixed = fixed_operands(last)
  if weighs then return weigh.sum(made, elements, weights, fixed, dtype, bins, name) end
  return bin_counts.tally(made, bins, elements, weights, dtype, fixed, name)
end

return M
