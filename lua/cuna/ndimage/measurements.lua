--- measurements.lua: cn.ndimage's labels of connected elements, measurements of labeled ones, and distances.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local connect = require "cuna.ndimage.connect"
local core = require "cuna.core"
local distance = require "cuna.ndimage.distance"
local given = require "cuna.ndimage.given"
local new_groups = require("cuna.ndimage.groups").new

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local fail = check.fail

-- ---- labels ----

local read_label = args.reader("ndimage.label", {"input", "structure", "output"})

--- Numbers the connected elements other than 0: those of the first object in row-major order have label 1, and so on.
--- Waits for the count. By union and find. Follows scipy.ndimage.label.
---@param input cuna.Operand
---@param structure cuna.Operand|nil of length 3 along each axis, symmetric: true for the neighbours that are connected;
--- default: the next ones along the axes
---@param output cuna.Array|string|nil an array for the labels, or their dtype; default int32
---@return cuna.Array labels 0 where the input is 0
---@return integer count
---@usage cn.ndimage.label {{1, 1, 0}, {0, 0, 0}, {1, 0, 1}} --> [[1 1 0] [0 0 0] [2 0 3]], 3
function F.label(...)
  local x, structure, output = read_label(...)
  return connect.label(x, structure, output, "ndimage.label")
end

local MOST_OBJECTS = 2 ^ 22 -- each is a table of Lua's

local read_find_objects = args.reader("ndimage.find_objects", {"input", "max_label"})

--- The box about the elements of each label, as a key: x[boxes[k]] is the part of x with label k. Waits for the device.
--- Follows scipy.ndimage.find_objects.
---@param input cuna.Operand labels: whole numbers
---@param max_label integer|nil default: the greatest
---@return table boxes for each label {{first, last}, ...}, or false if it has no elements
---@usage (function(boxes) return #boxes, unpack(boxes[2][1]) end)(cn.ndimage.find_objects {1, 0, 2, 2}) --> 2, 3, 4
function F.find_objects(...)
  local x, most = read_find_objects(...)
  local name, cn = "ndimage.find_objects", args.namespace
  x = core.cast(given.image(x, name, true), "int64", name)
  local count = most ~= nil and check.count(most, name, "max_label") or 0
  if count == 0 then count = x.size > 0 and math.max(tonumber(cn.item(cn.max(x))), 0) or 0 end
  count = check.few(count, MOST_OBJECTS, name, "the greatest label")
  local ids = core.reshape(cn.where(cn.logical_and(cn.greater(x, 0), cn.less_equal(x, count)), x, count + 1), -1, name)
  local boxes, shape = {}, x.shape
  for k = 1, count do boxes[k] = {} end
  for axis = 1, x.ndim do
    local line = {}
    for k = 1, x.ndim do line[k] = k == axis and shape[axis] or 1 end
    local place = core.reshape(core.broadcast_to(cn.range(1, shape[axis]):reshape(line), shape, name), -1, name)
    local first, last = cn.full({count + 1}, shape[axis] + 1, "int64"), cn.full({count + 1}, 0, "int64")
    first:minimum_at(ids, place)
    last:maximum_at(ids, place)
    first, last = first:totable(), last:totable()
    for k = 1, count do
      boxes[k] = boxes[k] and tonumber(last[k]) > 0 and boxes[k]
      if boxes[k] then boxes[k][axis] = {tonumber(first[k]), tonumber(last[k])} end
    end
  end
  return boxes
end

local read_value_indices = args.reader("ndimage.value_indices", {"arr", "ignore_value"})

--- The positions of each value of an array of whole numbers: by value, what cn.nonzero gives. Waits for the device.
--- Follows scipy.ndimage.value_indices.
---@param arr cuna.Operand
---@param ignore_value integer|nil a value that is left out
---@return table<integer, cuna.Array[]>
---@usage cn.ndimage.value_indices(cn.array({{1, 2}, {2, 1}}, "int64"))[2][1] --> [1 2]
function F.value_indices(...)
  local x, ignored = read_value_indices(...)
  local cn, found = args.namespace, {}
  x = given.image(x, "ndimage.value_indices")
  if not x.dtype:find "int" then fail("%s: expected whole numbers, got %s", "ndimage.value_indices", x.dtype) end
  for _, value in ipairs(cn.unique(x):totable()) do
    value = tonumber(value)
    if value ~= ignored then found[value] = cn.nonzero(cn.equal(x, value)) end
  end
  return found
end

-- ---- measurements ----

local MEASURED = {"input", "labels", "index"}
local readers = {}
for _, name in ipairs {"ndimage.sum_labels", "ndimage.mean", "ndimage.variance", "ndimage.standard_deviation",
  "ndimage.minimum", "ndimage.maximum", "ndimage.median",
  "ndimage.minimum_position", "ndimage.maximum_position", "ndimage.extrema", "ndimage.center_of_mass"} do
  readers[name] = args.reader(name, MEASURED)
end

--- The groups that a function measures.
local function groups_of(name, ...)
  local x, labels, index = readers[name](...)
  return new_groups(x, labels, index, name)
end

--- Sums of labeled elements, as float64 or complex128. Follows scipy.ndimage.sum_labels.
---@param input cuna.Operand
---@param labels cuna.Operand|nil broadcasts to the input; default: all elements are one group
---@param index integer|cuna.Operand|nil labels to measure, one or a list; default: all elements with labels above 0
---@return cuna.Array one result for each label in the index; without axes for one label
---@usage cn.ndimage.sum_labels({1, 2, 3, 4}, {1, 1, 2, 0}, {1, 2}) --> [3. 3.]
function F.sum_labels(...)
  local groups = groups_of("ndimage.sum_labels", ...)
  return groups:results(groups:sums())
end

--- Means of labeled elements, NaN without any. Follows scipy.ndimage.mean.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@usage cn.ndimage.mean({1, 2, 3, 4}, {1, 1, 2, 0}, {1, 2}) --> [1.5 3. ]
function F.mean(...)
  local groups = groups_of("ndimage.mean", ...)
  return groups:results(groups:means())
end

--- Variances of labeled elements. Follows scipy.ndimage.variance.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@usage cn.ndimage.variance({1, 2, 3, 4}, {1, 1, 2, 0}, 1) --> 0.25
function F.variance(...)
  local groups = groups_of("ndimage.variance", ...)
  return groups:results(groups:variances())
end

--- Standard deviations of labeled elements. Follows scipy.ndimage.standard_deviation.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@usage cn.ndimage.standard_deviation({1, 2, 3, 4}, {1, 1, 2, 0}, 1) --> 0.5
function F.standard_deviation(...)
  local groups = groups_of("ndimage.standard_deviation", ...)
  return args.namespace.sqrt(groups:results(groups:variances()))
end

--- Least labeled elements, 0 without any. Follows scipy.ndimage.minimum.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array of the input's dtype
---@usage cn.ndimage.minimum({4, 2, 3, 1}, {1, 1, 2, 0}, {1, 2}) --> [2. 3.]
function F.minimum(...)
  local groups = groups_of("ndimage.minimum", ...)
  return groups:results(groups:extremes("minimum"))
end

--- Greatest labeled elements, 0 without any. Follows scipy.ndimage.maximum.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array of the input's dtype
---@usage cn.ndimage.maximum({4, 2, 3, 1}, {1, 1, 2, 0}, {1, 2}) --> [4. 3.]
function F.maximum(...)
  local groups = groups_of("ndimage.maximum", ...)
  return groups:results(groups:extremes("maximum"))
end

--- Medians of labeled elements, NaN without any. Follows scipy.ndimage.median.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array
---@usage cn.ndimage.median({4, 2, 3, 1}, {1, 1, 1, 0}) --> 3.0
function F.median(...)
  local groups = groups_of("ndimage.median", ...)
  return groups:results(groups:medians())
end

--- The first positions of the least labeled elements. Follows scipy.ndimage.minimum_position, where positions count
--- from 0.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array int64: a position along each axis, or a row of these for each label
---@usage cn.ndimage.minimum_position {{4, 2}, {1, 3}} --> [2 1]
function F.minimum_position(...)
  local groups = groups_of("ndimage.minimum_position", ...)
  local _, first = groups:extremes("minimum", true)
  return groups:results(groups:places(first))
end

--- The first positions of the greatest labeled elements. Follows scipy.ndimage.maximum_position, where positions count
--- from 0.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array int64: a position along each axis, or a row of these for each label
---@usage cn.ndimage.maximum_position {{4, 2}, {1, 3}} --> [1 1]
function F.maximum_position(...)
  local groups = groups_of("ndimage.maximum_position", ...)
  local _, first = groups:extremes("maximum", true)
  return groups:results(groups:places(first))
end

--- Least and greatest labeled elements and their positions. Follows scipy.ndimage.extrema.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array minimum
---@return cuna.Array maximum
---@return cuna.Array minimum_position
---@return cuna.Array maximum_position
---@usage cn.ndimage.extrema {{4, 2}, {1, 3}} --> 1.0, 4.0, [2 1], [1 1]
function F.extrema(...)
  local groups = groups_of("ndimage.extrema", ...)
  local least, first = groups:extremes("minimum", true)
  local greatest, second = groups:extremes("maximum", true)
  return groups:results(least), groups:results(greatest), groups:results(groups:places(first)),
    groups:results(groups:places(second))
end

--- Means of the positions of labeled elements, weighted by the elements. Follows scipy.ndimage.center_of_mass, where
--- positions count from 0.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array float64: a position along each axis, or a row of these for each label
---@usage cn.ndimage.center_of_mass {{0, 0, 0}, {0, 1, 1}} --> [2. 2.5]
function F.center_of_mass(...)
  local cn, groups, columns = args.namespace, groups_of("ndimage.center_of_mass", ...), {}
  local whole, ndim, sums = groups.x:reshape(groups.shape), #groups.shape, groups:sums()
  for axis = 1, ndim do
    local line = {}
    for k = 1, ndim do line[k] = k == axis and groups.shape[axis] or 1 end
    local places = cn.range(1, groups.shape[axis]):astype("float64"):reshape(line)
    columns[axis] = cn.divide(groups:sums(cn.multiply(whole, places):reshape(-1)), sums)
  end
  return groups:results(cn.stack(columns, 2))
end

local read_histogram = args.reader("ndimage.histogram", {"input", "min", "max", "bins", "labels", "index"}, 4)

--- Counts of labeled elements in bins of equal width. Waits for the device. Follows scipy.ndimage.histogram.
---@param input cuna.Operand
---@param min number lower end of the first bin
---@param max number upper end of the last bin
---@param bins integer
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@return cuna.Array int64, with a row for each label in the index
---@usage cn.ndimage.histogram({0, 0.4, 0.6, 1}, 0, 1, 2, {1, 1, 2, 2}, {1, 2}) --> [[2 0] [0 2]]
function F.histogram(...)
  local name, x, least, most, bins, labels, index = "ndimage.histogram", read_histogram(...)
  least, most, bins = check.real(least, name, "min"), check.real(most, name, "max"), check.count(bins, name, "bins")
  local cn, groups = args.namespace, new_groups(x, labels, index, name)
  local list, count = groups:each(function(values) return (cn.histogram(values, bins, {least, most})) end)
  for k = 1, count do list[k] = list[k] or cn.zeros({bins}, "int64") end
  return groups.order and cn.stack(list) or list[1]
end

local read_comprehension = args.reader("ndimage.labeled_comprehension", {"input", "labels", "index", "func",
  "out_dtype",
  "default", "pass_positions"}, 6)

--- What a function gives for the elements of each label. Waits for the device. Follows
--- scipy.ndimage.labeled_comprehension.
---@param input cuna.Operand
---@param labels cuna.Operand|nil
---@param index integer|cuna.Operand|nil
---@param func fun(elements: cuna.Array, positions: cuna.Array|nil): cuna.Number|cuna.Array
---@param out_dtype string
---@param default cuna.Number for labels without elements
---@param pass_positions boolean|nil whether the function also gets positions from 1 in row-major order
---@return cuna.Array
---@usage cn.ndimage.labeled_comprehension({1, 2, 3}, {1, 1, 2}, {1, 2, 3}, cn.max, "float64", -1) --> [ 2. 3. -1.]
function F.labeled_comprehension(...)
  local x, labels, index, func, dtype, default, with_positions = read_comprehension(...)
  local name = "ndimage.labeled_comprehension"
  check.callable(func, name)
  local groups = new_groups(x, labels, index, name)
  local list, count = groups:each(function(values, places)
    local made = func(values, with_positions and places or nil)
    return core.is_array(made) and made:item() or made
  end)
  for k = 1, count do
    if list[k] == nil then list[k] = default end
  end
  local made = core.as_array(list, check.dtype(dtype, name), groups.x.device, name)
  return groups.order and made or made[{1, core.ellipsis}]
end

-- ---- distances ----

--- Writes a result to an array that was given for it, or returns it.
local function give(made, out, name)
  if out == nil then return made end
  check.output(out, nil, made.shape, made, name)
  return core.copy(out, made, name)
end

--- The results of a transformation: distances and the positions of the nearest elements, as asked.
local function transform(x, metric, sampling, asked, dtype, name)
  local cn = args.namespace
  x = given.image(x, name)
  local wants_distances = check.boolean(asked.return_distances, true, name, "return_distances")
  local wants_indices = check.boolean(asked.return_indices, false, name, "return_indices")
  if not (wants_distances or wants_indices) then fail("%s: neither distances nor indices are wanted", name) end
  local spacing = given.numbers(sampling, 1, x.ndim, name, "sampling")
  local made, places = distance.distances(x, metric, spacing, wants_indices, name)
  local results = {}
  if wants_distances then
    local none = cn.greater(made, 1e299)
    made = cn.where(none, dtype == "float64" and math.huge or -1, metric == "EUCLIDEAN" and cn.sqrt(made) or made)
    results[1] = give(core.cast(made, dtype, name), asked.distances, name)
  end
  if wants_indices then results[#results + 1] = give(cn.stack(places), asked.indices, name) end
  return unpack(results)
end

local read_edt = args.reader("ndimage.distance_transform_edt", {"input", "sampling", "return_distances",
  "return_indices",
  "distances", "indices"})

--- Euclidean distance of each element to the next one that is 0; infinity if there is none. Exact, by Meijster,
--- Roerdink and Hesselink (2000). Follows scipy.ndimage.distance_transform_edt.
---@param input cuna.Operand
---@param sampling number|number[]|nil the distance of neighbours, for all axes or for each; default 1
---@param return_distances boolean|nil default true
---@param return_indices boolean|nil whether the positions of the nearest elements are wanted, default false
---@param distances cuna.Array|nil an array for the distances
---@param indices cuna.Array|nil an array for the positions
---@return cuna.Array distances float64
---@return cuna.Array|nil indices int32, with a first axis for the axes of the input
---@usage cn.ndimage.distance_transform_edt {{0, 1, 1}, {1, 1, 1}} --> [[0. 1. 2. ] [1. 1.41421356 2.23606798]]
function F.distance_transform_edt(...)
  local x, sampling, wants_distances, wants_indices, distances, indices = read_edt(...)
  return transform(x, "EUCLIDEAN", sampling, {return_distances = wants_distances, return_indices = wants_indices,
    distances = distances, indices = indices}, "float64", "ndimage.distance_transform_edt")
end

local function metric_of(metric, default, name)
  local found = type(metric) == "string" and distance.METRICS[metric] or metric == nil and distance.METRICS[default]
  if not found or found == "EUCLIDEAN" and default ~= "euclidean" then
    fail("%s: metric is %s\"taxicab\" or \"chessboard\", got %s", name,
      default == "euclidean" and "\"euclidean\", " or "", check.show(metric))
  end
  return found
end

local read_cdt = args.reader("ndimage.distance_transform_cdt", {"input", "metric", "return_distances", "return_indices",
  "distances", "indices"})

--- Number of steps from each element to the next one that is 0; -1 if there is none. Follows
--- scipy.ndimage.distance_transform_cdt, without metrics that are structures.
---@param input cuna.Operand
---@param metric string|nil "chessboard" (default) or "taxicab": steps to any next neighbour, or along the axes
---@param return_distances boolean|nil default true
---@param return_indices boolean|nil default false
---@param distances cuna.Array|nil
---@param indices cuna.Array|nil
---@return cuna.Array distances int32
---@return cuna.Array|nil indices
---@usage cn.ndimage.distance_transform_cdt {{0, 1, 1}, {1, 1, 1}} --> [[0 1 2] [1 1 2]]
function F.distance_transform_cdt(...)
  local x, metric, wants_distances, wants_indices, distances, indices = read_cdt(...)
  return transform(x, metric_of(metric, "chessboard", "ndimage.distance_transform_cdt"), nil, {
    return_distances = wants_distances, return_indices = wants_indices, distances = distances, indices = indices},
    "int32", "ndimage.distance_transform_cdt")
end

local read_bf = args.reader("ndimage.distance_transform_bf", {"input", "metric", "sampling", "return_distances",
  "return_indices", "distances", "indices"})

--- Distance of each element to the next one that is 0, in a metric. As the transformations by name, which are as exact
--- as SciPy's brute force. Follows scipy.ndimage.distance_transform_bf.
---@param input cuna.Operand
---@param metric string|nil "euclidean" (default), "taxicab" or "chessboard"
---@param sampling number|number[]|nil for "euclidean"
---@param return_distances boolean|nil default true
---@param return_indices boolean|nil default false
---@param distances cuna.Array|nil
---@param indices cuna.Array|nil
---@return cuna.Array distances float64, or uint32
---@return cuna.Array|nil indices
---@usage cn.ndimage.distance_transform_bf({0, 1, 1}, "taxicab") --> [0 1 2]
function F.distance_transform_bf(...)
  local x, metric, sampling, wants_distances, wants_indices, distances, indices = read_bf(...)
  metric = metric_of(metric, "euclidean", "ndimage.distance_transform_bf")
  if metric ~= "EUCLIDEAN" and sampling ~= nil then
    fail("%s: sampling is for metric \"euclidean\"", "ndimage.distance_transform_bf")
  end
  return transform(x, metric, sampling, {return_distances = wants_distances, return_indices = wants_indices,
    distances = distances, indices = indices}, metric == "EUCLIDEAN" and "float64" or "uint32",
    "ndimage.distance_transform_bf")
end

return M
