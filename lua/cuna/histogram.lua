--- histogram.lua: histograms: with bins of equal width or given edges, along several axes; and counts of whole numbers.
--
-- Edges are an array on the elements' device, and so is the range that they follow from: no call waits for it.
-- bin_axes.lua counts.
local args = require "cuna.base.args"
local bin_axes = require "cuna.bin_axes"
local bin_counts = require "cuna.bin_counts"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local search = require "cuna.search"
local weigh = require "cuna.weigh"

local M = {functions = {}}
local F = M.functions

local fail, show = check.fail, check.show
local kind_of, derive = dtype_facts.kind_of, reducers.derive

-- ---- edges ----

-- The least and the greatest element as the parts of a complex number.
reducers.declare("range", derive(reducers.row "ptp", {finish = "complex128(double(a.least), double(a.most))"}))

local function draw_edges(draft, bounds, dtype)
  local kind, bound = nil, bounds
  if bounds == "numbers" then kind, bound = "scalar", "float64" end
  local low = draft:input(bound, kind)
  local high = bound == "complex128" and low or draft:input(bound, kind)
  local count, mark = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local text, as = "edge(a, b, c, d, e)", "float64"
  if bound == "complex128" then text, as = "edge(a.re, b.im, c, d, e)", bound end
  draft.gathers, draft.output = true, dtype
  draft:step("edge", text, "float64", {low, high, draft:position(), count, mark}, {as, as, "int64", "int64", "int64"})
end

--- A program that computes the edges of bins of equal width, of `dtype`, from a minimum and a maximum: "numbers", two
--- arrays of a dtype, or for "complex128" the parts of one.
local function edge_program(bounds, dtype) return program.get(bounds .. " " .. dtype, draw_edges, bounds, dtype) end

--- The dtype of edges that are computed for the elements of x.
local function edge_dtype(x) return kind_of[x.dtype] == "f" and x.dtype or dtype_rules.default_dtype() end

--- A range that the user gave, as two numbers.
function M.check_range(range, name)
  if type(range) ~= "table" or #range ~= 2 then
    fail("%s: range is {least, greatest}, got %s", name, show(range))
  end
  local low = tonumber(check.number(range[1], name, "range[1]"))
  local high = tonumber(check.number(range[2], name, "range[2]"))
  if not (low > -math.huge and high < math.huge and low <= high) then
    fail("%s: range is {least, greatest}, two finite numbers, got {%s, %s}", name, tostring(low), tostring(high))
  end
  return low, high
end

--- The range of bins as edge_program takes it, and its operands. Blocks of one lane have vectors for a minimum, and for
--- a maximum, but not for both.
local function bounds_of(x, range, name)
  if range then return "numbers", M.check_range(range, name) end
  if x.size == 0 then return "numbers", 0, 1 end
  if core.lanes(x) == 1 then return x.dtype, reduce.functions.min(x), reduce.functions.max(x) end
  local made = reducers.program("range", x.dtype, x.dtype, "complex128")
  return "complex128", (core.reduce(made, name, core.axes(nil, x, name), false, 0, nil, x))
end

--- The edges of `count` bins of equal width over the elements of x, or a range.
local function even_edges(x, count, range, name)
  local bounds, low, high = bounds_of(x, range, name)
  local dtype, operands = edge_dtype(x), {low, high}
  local out = core.empty({count + 1}, dtype, x.device, name)
  operands[#operands + 1], operands[#operands + 2] = count, core.report_mark(x, name)
  return core.map(edge_program(bounds, dtype), name, {count + 1}, {out}, unpack(operands))
end

local function given_edges(bins, x, name)
  local edges = check.array(bins, name, x.device)
  check.same_device(x, edges, name)
  if edges.ndim ~= 1 or edges.size == 0 then
    fail("%s: bins is a count, a rule, or a 1-d array of edges, got shape %s", name, tostring(edges.shape))
  elseif kind_of[edges.dtype] == "c" then
    fail("%s: edges are real numbers, got an array of %s", name, edges.dtype)
  end
  search.check_sorted(edges, false, name)
  return edges
end

--- The edges for x that `bins` specifies, and whether they are evenly spaced.
local function edges_for(x, bins, range, weights, name)
  if type(bins) == "string" then
    if weights then fail("%s: the rule %s does not support weights; pass a number of bins", name, show(bins)) end
    bins = require("cuna.bin_rules").count(x, bins, range, name)
  end
  if type(bins) ~= "number" then return given_edges(bins == nil and 10 or bins, x, name), false end
  bins = check.count(bins, name, "bins")
  if bins == 0 then fail("%s: bins is 0; there is at least one", name) end
  return even_edges(x, bins, range, name), true
end

-- ---- functions ----

--- An array of real elements.
local function real_array(x, name, device)
  x = check.array(x, name, device)
  if kind_of[x.dtype] == "c" then fail("%s: complex numbers have no order; give x.real or abs(x)", name) end
  return x
end

local function flat_weights(weights, x, name)
  if weights == nil then return nil end
  weights = check.array(weights, name, x.device)
  check.same_device(x, weights, name)
  if not core.same_shape(weights, x) then
    fail("%s: weights of shape %s for elements of shape %s", name, tostring(weights.shape), tostring(x.shape))
  end
  return core.reshape(weights, -1, name)
end

--- Counts converted to the dtype of the weights.
local function in_dtype(counts, weights, name)
  local dtype = weights and weights.dtype ~= "bool" and weights.dtype or counts.dtype
  return counts.dtype == dtype and counts or core.cast(counts, dtype, name)
end

local function widths(edges) return edges["2:"] - edges["1:-2"] end

local read_histogram = args.reader("histogram", {"x", "bins", "range", "weights", "density"})

--- The number of elements in each bin, and the bins' edges. A bin includes its lower edge, the last one both; elements
--- outside of all bins are not counted. Follows numpy.histogram.
---@param x cuna.Operand real; all elements
---@param bins integer|cuna.Operand|string|nil number of bins of equal width (default 10), 1-d edges in ascending order,
--- or a rule: "auto", "fd", "sqrt", "sturges", "rice", "scott", "stone", "doane", which waits for the device
---@param range number[]|nil {least, greatest} of bins of equal width, default: of the elements, which must be finite
---@param weights cuna.Operand|nil of x's shape: added for each element in place of 1
---@param density boolean|nil true: divides by the sum and by each bin's width, so that the integral is 1
---@return cuna.Array hist int64; with weights their dtype; with density a float
---@return cuna.Array edges one more than bins
---@usage cn.histogram({1, 2, 1, 4}, 3) --> [2 1 1], [1. 2. 3. 4.]
---@usage cn.histogram({1, 2, 1}, {0, 1, 2, 3}, {density = true}) --> [0. 0.66666667 0.33333333], [0. 1. 2. 3.]
function F.histogram(...)
  local x, bins, range, weights, density = read_histogram(...)
  x = real_array(x, "histogram", core.device_of(bins, weights))
  density = check.boolean(density, false, "histogram", "density")
  weights = flat_weights(weights, x, "histogram")
  x = core.reshape(x, -1, "histogram")
  local edges, even = edges_for(x, bins == nil and 10 or bins, range, weights, "histogram")
  local axis = bin_axes.axis(x, edges, even, "histogram")
  local counts = in_dtype(bin_axes.count({axis}, weights, "histogram"), weights, "histogram")
  if not density then return counts, edges end
  return elementwise.functions.divide(counts, widths(edges)) / reduce.functions.sum(counts), edges
end

local read_edges = args.reader("histogram_bin_edges", {"x", "bins", "range", "weights"})

--- The edges of the bins of cn.histogram. Follows numpy.histogram_bin_edges.
---@param x cuna.Operand
---@param bins integer|cuna.Operand|string|nil
---@param range number[]|nil
---@param weights cuna.Operand|nil of x's shape; they have no effect, but rules reject them
---@return cuna.Array
---@usage cn.histogram_bin_edges({0, 1, 2, 4}, 4) --> [0. 1. 2. 3. 4.]
---@usage cn.histogram_bin_edges({0, 1, 2, 4}, "sqrt") --> [0. 2. 4.]
function F.histogram_bin_edges(...)
  local x, bins, range, weights = read_edges(...)
  x = real_array(x, "histogram_bin_edges", core.device_of(bins))
  weights = flat_weights(weights, x, "histogram_bin_edges")
  x = core.reshape(x, -1, "histogram_bin_edges")
  return (edges_for(x, bins == nil and 10 or bins, range, weights, "histogram_bin_edges"))
end

--- Values for some axes: one for all, or a table with one for each.
local function for_axes(value, ndim, is_list, name, what)
  local list = {}
  if not is_list then
    for k = 1, ndim do list[k] = value end
    return list
  end
  if type(value) ~= "table" then
    fail("%s: %s are a table of one for each axis, got %s", name, what, check.show(value))
  end
  if #value ~= ndim then fail("%s: %s for %d axes, but there are %d", name, what, #value, ndim) end
  return value
end

--- Axes with their edges; `bins` and `range` as lists.
local function axes_of(columns, bins, range, weights, name)
  local axes, lengths, edges = {}, {}, {}
  for k, x in ipairs(columns) do
    local own, even = edges_for(x, bins[k], range and range[k] or nil, weights, name)
    axes[k], lengths[k], edges[k] = bin_axes.axis(x, own, even, name), own.size - 1, own
  end
  return axes, lengths, edges
end

--- Counts by bins along several axes, and a list of the edges.
local function histogram_of(columns, bins, range, weights, density, name)
  density = check.boolean(density, false, name, "density")
  weights = flat_weights(weights, columns[1], name)
  local axes, lengths, edges = axes_of(columns, bins, range, weights, name)
  local counts = core.reshape(bin_axes.count(axes, weights, name), lengths, name)
  if not density then return in_dtype(counts, weights, name), edges end
  local result = elementwise.functions.divide(counts, reduce.functions.sum(counts))
  for k, own in ipairs(edges) do
    local shape = {}
    for axis = 1, #edges do shape[axis] = axis == k and lengths[k] or 1 end
    result = elementwise.functions.divide(result, core.reshape(widths(own), shape, name))
  end
  return result, edges
end

--- Whether `bins` is a table with an entry for each axis: a count, edges or a rule. A table of numbers has counts if it
--- has as many as there are axes; otherwise it has edges for all axes.
local function is_bin_list(bins, ndim)
  return type(bins) == "table" and (#bins == ndim or type(bins[1]) ~= "number")
end

local read_histogramdd = args.reader("histogramdd", {"sample", "bins", "range", "weights", "density"})

--- The number of points in each bin of a grid. Follows numpy.histogramdd, except that counts are int64.
---@param sample cuna.Operand|cuna.Array[] shape (n, d), or a table of d arrays of n coordinates each
---@param bins integer|table|nil for all axes, or a table of one for each: a count (default 10), edges or a rule
---@param range table|nil for each axis {least, greatest}, or false for that of the points
---@param weights cuna.Operand|nil shape (n)
---@param density boolean|nil true: divides by the sum and by each bin's volume
---@return cuna.Array hist with d axes: int64; with weights their dtype; with density a float
---@return cuna.Array[] edges
---@usage (cn.histogramdd({{1, 1}, {1, 2}, {2, 2}}, {bins = 2})) --> [[1 1] [0 1]]
---@usage unpack(select(2, cn.histogramdd({{1, 1}, {1, 2}, {2, 3}}, 2))) --> [1. 1.5 2. ], [1. 2. 3.]
function F.histogramdd(...)
  local sample, bins, range, weights, density = read_histogramdd(...)
  local name, columns = "histogramdd", {}
  if type(sample) == "table" and core.is_array(sample[1]) then
    for k, x in ipairs(sample) do columns[k] = core.reshape(real_array(x, name), -1, name) end
  else
    sample = real_array(sample, name, core.device_of(weights))
    if sample.ndim ~= 2 or sample.shape[2] == 0 then
      fail("%s: points have shape (n, d), or are a table of d arrays; got shape %s", name, tostring(sample.shape))
    end
    for k = 1, sample.shape[2] do columns[k] = sample[{{}, k}] end
  end
  for k, x in ipairs(columns) do
    check.same_device(columns[1], x, name)
    if x.size ~= columns[1].size then
      fail("%s: array 1 has %d coordinates and array %d has %d", name, columns[1].size, k, x.size)
    end
  end
  bins = for_axes(bins == nil and 10 or bins, #columns, is_bin_list(bins, #columns), name, "bins")
  range = range and for_axes(range, #columns, true, name, "ranges")
  return histogram_of(columns, bins, range, weights, density, name)
end

local read_histogram2d = args.reader("histogram2d", {"x", "y", "bins", "range", "weights", "density"}, 2)

--- The number of points (x, y) in each bin of a grid. Follows numpy.histogram2d, except that counts are int64.
---@param x cuna.Operand 1-d
---@param y cuna.Operand of x's length
---@param bins integer|cuna.Operand|table|nil for both axes a count (default 10) or edges; a table of two: one for each
---@param range table|nil {{least x, greatest x}, {least y, greatest y}}
---@param weights cuna.Operand|nil of x's length
---@param density boolean|nil true: divides by the sum and by each bin's area
---@return cuna.Array hist shape (bins of x, bins of y): int64; with weights their dtype; with density a float
---@return cuna.Array x_edges
---@return cuna.Array y_edges
---@usage cn.histogram2d({1, 1, 2}, {1, 3, 3}, 2) --> [[1 1] [0 1]], [1. 1.5 2. ], [1. 2. 3.]
function F.histogram2d(...)
  local x, y, bins, range, weights, density = read_histogram2d(...)
  local name = "histogram2d"
  local device = core.device_of(x, y, weights)
  x, y = real_array(x, name, device), real_array(y, name, device)
  check.same_device(x, y, name)
  if x.ndim ~= 1 or not core.same_shape(x, y) then
    fail("%s: x and y have one axis of the same length, got shapes %s and %s", name, tostring(x.shape),
      tostring(y.shape))
  end
  bins = for_axes(bins == nil and 10 or bins, 2, is_bin_list(bins, 2), name, "bins")
  range = range and for_axes(range, 2, true, name, "ranges")
  local counts, edges = histogram_of({x, y}, bins, range, weights, density, name)
  return counts, edges[1], edges[2]
end

-- ---- whole numbers ----

-- A value minus 1 as an unsigned number; above 2^53 unless the value is an integer of at least 1.
local FROM_ZERO = {int64 = "uint64(a) - 1", uint64 = "a - 1",
  float64 = "a >= 1 && a <= 9007199254740992.0 && a == floor(a) ? uint64(a) - 1 : ~uint64(0)"}

local function draw_greatest(draft, dtype)
  local as = kind_of[dtype] == "f" and "float64" or kind_of[dtype] == "u" and "uint64" or "int64"
  draft:step("from_zero", FROM_ZERO[as], "uint64", {draft:input(dtype)}, as)
  draft.reducer, draft.accumulator, draft.output = require("cuna.reducers").row("max", "uint64"), "uint64", "uint64"
end

--- The greatest value. Raises an error unless all values are integers of at least 1.
local function count_values(x, name)
  core.check_waiting(name)
  if x.size == 0 then return 0 end
  local made = program.get(x.dtype, draw_greatest, x.dtype)
  local most = core.reduce(made, name, core.axes(nil, x, name), false, 0, nil, x)
  if core.is_preparing() then return 1 end -- no slots would be no work to rehearse
  most = most:item()
  if most < 2 ^ 53 then return tonumber(most) + 1 end
  local least = reduce.functions.min(x):item()
  if kind_of[x.dtype] == "f" and least >= 1 and least < math.huge then
    fail("%s: values are whole numbers, but one has a fraction or is too large", name)
  end
  fail("%s: slots are numbered by the values, from 1; the least value is %s", name, tostring(least))
end

local function draw_bounded(draft, dtype)
  local as = kind_of[dtype] == "f" and "float64" or kind_of[dtype] == "u" and "uint64" or "int64"
  draft.gathers, draft.output = true, "int64"
  draft:step("bounded", ("demanded((%s) < uint64(b), double(a), c) ? int64(a) : 0"):format(FROM_ZERO[as]), "int64",
    {draft:input(dtype), draft:input("int64", "scalar"), draft:input("int64", "scalar")}, {as, "int64", "int64"})
end

--- The values, with 0 in place of those beyond the slots, about which the next wait raises an error.
local function bound_values(x, slots, name)
  local words = ("%s: without waiting, values are whole numbers from 1 to minlength = %d"):format(name, slots)
  return core.map(program.get(x.dtype, draw_bounded, x.dtype), name, x.shape, nil, x, slots,
    core.report_mark(x, words))
end

local function draw_counter(draft, ending, dtype, weight)
  bin_counts.draw_table(draft, ending)
  local values, counted = draft:input(dtype), ending.value and draft:input(weight)
  bin_counts.draw(draft, ending, function() return values, counted end, 1)
end

-- So many values as make it worthwhile are counted before the greatest one is known: in slots that blocks of many lanes
-- have room for (TALLY_NBYTES of kernels/tally_lanes.cuh), with one at the end for all other values. Blocks have shares
-- of the slots only where these are few beside the values (TALLY_ELEMENTS of runtime/work/elementwise_cut.c).
local WORTHWHILE, MOST_SLOTS, LEAST_SLOTS, VALUES_PER_SLOT = 2 ^ 17, 8192, 1000, 1024

local function draw_guess(draft, dtype)
  local as = kind_of[dtype] == "f" and "float64" or kind_of[dtype] == "u" and "uint64" or "int64"
  draft:input("int64", "head")
  local values, slots = draft:input(dtype), draft:input("int64", "scalar")
  draft.gathers, draft.outputs, draft.tally_nbytes = true, {}, 4
  local from_zero = FROM_ZERO[as]
  local bin = draft:step("bin", ("(%s) < uint64(b) - 1 ? int64(%s) : b - 1"):format(from_zero, from_zero), "int64",
    {values, slots}, {as, "int64"})
  draft:step("tallied", "tallied<int64>(a, b, 1)", "bool", {1, bin}, "int64")
end

local function draw_last(draft)
  draft:step("last", "a == 0 ? uint64(0) : uint64(b) + 1", "uint64",
    {draft:input "int64", draft:position()}, "int64")
  draft.reducer, draft.accumulator, draft.output = require("cuna.reducers").row("max", "uint64"), "uint64", "uint64"
end

--- How many slots values are counted in before the greatest one is known, with the one for others.
local function slots_guessed(size, minlength)
  local slots = math.max(LEAST_SLOTS, math.floor(size / VALUES_PER_SLOT), minlength + 1)
  return math.min(slots, MOST_SLOTS)
end

--- The counts of values as if there were few; nil if one has no slot, after a wait.
local function guess_counts(x, minlength, name)
  local slots = slots_guessed(x.size, minlength)
  if core.lanes(x) == 1 or x.size < WORTHWHILE or minlength >= slots then return nil end
  core.check_waiting(name)
  local counts = core.fill(core.empty({slots}, "int64", x.device, name), 0, name)
  bin_counts.add(program.of(draw_guess, x.dtype), counts, slots, {x}, {}, name)
  local last = core.reduce(program.get("last", draw_last), name, core.axes(nil, counts, name), false, 0, nil, counts)
  if core.is_preparing() then return nil end
  last = last:item()
  return last < slots and core.view(counts, {math.max(tonumber(last), minlength)}, {1}, 0) or nil
end

local read_bincount = args.reader("bincount", {"x", "weights", "minlength"})

--- The number of occurrences of each value: slot k counts the value k, from 1, which is how cn.argmin, the inverse of
--- cn.unique and cn.digitize number their results. Waits for the greatest value. Where that is forbidden (cn.graph,
--- cn.no_sync) and minlength is given, there are minlength slots, and a greater value is an error of the next wait.
--- Follows numpy.bincount, except that the first slot of NumPy's counts the value 0: count labels from 0 as labels + 1.
--- NumPy's bincount(labels, minlength=K + 1)[1:], for labels from 1 to K, is cn.bincount(labels, {minlength = K}).
---@param x cuna.Operand 1-d, whole numbers from 1
---@param weights cuna.Operand|nil of x's length: added for each element in place of 1
---@param minlength integer|nil minimum number of slots, default 0
---@return cuna.Array 1-d: int64; with weights float64, or complex128 of complex ones
---@usage cn.bincount({1, 3, 3, 4}) --> [1 0 2 1]
---@usage cn.bincount({1, 2, 2}, {0.5, 1, 2}, 3) --> [0.5 3. 0. ]
---@usage (function(labels) return cn.bincount(labels + 1, {minlength = 4}) end)(cn.array {0, 2, 2}) --> [1 0 2 0]
---@usage (function(labels) return cn.bincount(labels, {minlength = 4}) end)(cn.array {1, 3, 3}) --> [1 0 2 0]
function F.bincount(...)
  local x, weights, minlength = read_bincount(...)
  x = check.beside(x, "bincount", weights)
  if x.ndim ~= 1 then fail("bincount: expected one axis, got shape %s", tostring(x.shape)) end
  if kind_of[x.dtype] == "c" then fail("bincount: values are whole numbers, got an array of %s", x.dtype) end
  weights = flat_weights(weights, x, "bincount")
  minlength = minlength == nil and 0 or check.count(minlength, "bincount", "minlength")
  local slots = minlength
  if minlength > 0 and not core.may_wait() then
    x = bound_values(x, slots, "bincount")
  else
    local counts = not weights and guess_counts(x, minlength, "bincount")
    if counts then return counts end
    slots = math.max(count_values(x, "bincount"), minlength)
  end
  local dtype = not weights and "int64" or kind_of[weights.dtype] == "c" and "complex128" or "float64"
  local function made(ending, weight)
    return program.of(draw_counter, ending, x.dtype, weight)
  end
  if weigh.needed(dtype, x.device) then return weigh.sum(made, {x}, weights, {}, dtype, slots, "bincount") end
  return bin_counts.tally(made, slots, {x}, weights, dtype, {}, "bincount")
end

return M
