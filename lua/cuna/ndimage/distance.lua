--- distance.lua: distances of elements to the background, along one axis after the other.
--
-- Along an axis, an element is as far as the element of its line that comes nearest, whose own distance is the one
-- along the axes before. On a device whose blocks have one lane, a lane takes a line. Where blocks have many, lines are
-- too few: there each place searches between the elements that coarser places found (kernels/ndimage_label.cuh).
local args = require "cuna.base.args"
local core = require "cuna.core"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local with = require "cuna.base.with"

local M = {}

-- Metrics as in kernels/ndimage_label.cuh, with SciPy's other names.
M.METRICS = {euclidean = "EUCLIDEAN", taxicab = "TAXICAB", cityblock = "TAXICAB", manhattan = "TAXICAB",
  chessboard = "CHESSBOARD"}
local RATIO, PART = 16, 256 -- places for each coarser one; elements that a lane searches for one of the first

-- ---- a lane for a line ----

local function draw_lines(draft, metric)
  local values = {draft:input("float64", "address"), draft:input("float64", "address"),
    draft:input("int32", "address"), draft:input("int64", "address"), draft:input("int64", "scalar"),
    draft:input("int64", "scalar"), draft:input("float64", "scalar")}
  draft.gathers, draft.outputs = true, {}
  draft:step("distances_of", ("ndimage::distances_of<ndimage::%s>(a, b, c, d, e, f, g)"):format(metric), "bool",
    values, {"int64", "int64", "int64", "int64", "int64", "int64", "float64"})
end

local function by_lines(from, to, origin, axis, metric, weight, name)
  local work, lines = core.empty_like(from, "int64", name), {}
  for k, whole in ipairs {from, to, origin, work} do lines[k] = slices.at(whole, axis, 1) end
  core.map(program.get(metric, draw_lines, metric), name, lines[1].shape, {}, lines[1], lines[2], lines[3], lines[4],
    from.strides[axis] / 8, from.shape[axis], weight)
end

-- ---- a lane for a place ----

local KINDS = { -- dtype and kind of an input, and the type that its function takes
  d = {"float64", "address", "int64"}, i = {"int32", "address", "int64"}, j = {"int64", nil, "int64"},
  n = {"int64", "scalar", "int64"}, w = {"float64", "scalar", "float64"},
}

--- A step of a search, with a letter for each input.
local function draw_search(draft, fn, metric, kinds, output)
  local values, types, letters = {}, {}, {}
  for letter in kinds:gmatch "." do
    local kind, k = KINDS[letter], #values + 1
    values[k], types[k], letters[k] = draft:input(kind[1], kind[2]), kind[3], string.char(96 + k)
  end
  draft.gathers, draft.output = true, output
  draft:step(fn, ("ndimage::%s<ndimage::%s>(%s)"):format(fn, metric, table.concat(letters, ", ")),
    output == "float64" and output or "int64", values, types)
end

--- An axis of an array, as a search along it sees it.
---@class cuna.Search

--- Runs a step for positions along the axis; makes the array of its results, unless there is one.
local function search(s, fn, kinds, positions, out, ...)
  local shape = s.from.shape
  shape[s.axis] = positions.size
  out = out or core.empty(shape, "int32", s.from.device, s.name)
  local made = program.get(fn .. " " .. s.metric, draw_search, fn, s.metric, kinds, out.dtype)
  core.map(made, s.name, nil, out, s.line, ...)
  return out
end

local function list_of(s, last, step) return with.on(s.from, args.namespace.arange, 0, last, step, "int64") end

local function along(s, list) return slices.along(list, s.axis, s.from.ndim) end

--- Where an array begins along the axis, and its step.
local function begin(s, x) return slices.part(x, s.axis, 1, 1), x.strides[s.axis] / x.itemsize end

--- The nearest elements of the first places.
local function search_parts(s, step)
  local count, parts = math.ceil(s.n / step), math.ceil(s.n / PART)
  local each, list = list_of(s, count * parts, 1), list_of(s, count, 1)
  local found = search(s, "nearest_in_part", "djnnnnnw", each, nil, along(s, each), s.stride, s.n, step, count, PART,
    s.weight)
  if parts == 1 then return found end
  local first, stride = begin(s, found)
  return search(s, "nearest_of_parts", "dijnnnnnw", list, nil, first, along(s, list), s.stride, stride, step, count,
    parts, s.weight)
end

local function by_places(from, to, origin, axis, metric, weight, name)
  local s = {from = from, axis = axis, metric = metric, weight = weight, name = name, n = from.shape[axis]}
  local step = RATIO
  while step * RATIO < s.n do step = step * RATIO end
  s.line, s.stride = begin(s, from)
  local coarse = search_parts(s, step)
  while step > 1 do
    local first, stride = begin(s, coarse)
    local before, count = step, coarse.shape[axis]
    step = step / RATIO
    local list = list_of(s, s.n, step)
    if step == 1 then
      search(s, "distance_at", "diijnnnnnw", list, to, first, origin, along(s, list), s.stride, s.n, stride, before,
        count, weight)
    else
      coarse = search(s, "nearest_of", "dijnnnnnw", list, nil, first, along(s, list), s.stride, s.n, stride, before,
        count, weight)
    end
  end
end

-- ---- all axes ----

--- Distances of all elements to the next element that is 0, squared if Euclidean, and the positions from 1 of these, an
--- array for each axis; `indices` says whether these are wanted.
---@param metric string a value of M.METRICS
---@param sampling number[] the distance of neighbours along each axis
function M.distances(x, metric, sampling, indices, name)
  local cn, places = args.namespace, {}
  local from = cn.where(cn.equal(x, 0), 0.0, 1e300)
  local transform = core.lanes(x) == 1 and by_lines or by_places
  for axis = 1, x.size > 0 and x.ndim or 0 do
    local to, origin = core.empty_like(x, "float64", name), core.empty_like(x, "int32", name)
    transform(from, to, origin, axis, metric, sampling[axis] ^ 2, name)
    from = to
    if indices then
      local positions = cn.add(origin, 1)
      for k = 1, axis - 1 do places[k] = cn.take_along_axis(places[k], positions, axis) end
      places[axis] = positions
    end
  end
  return from, places
end

return M
