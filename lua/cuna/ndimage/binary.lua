--- binary.lua: morphology of binary images of cn.ndimage.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local iterate = require "cuna.ndimage.iterate"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local STEPS = {"input", "structure", "iterations", "mask", "output", "border_value", "origin"}
local read_erosion, read_dilation = args.reader("ndimage.binary_erosion", STEPS),
  args.reader("ndimage.binary_dilation", STEPS)

local function asked_for(structure, iterations, mask, output, border_value, origin)
  return {structure = structure, iterations = iterations, mask = mask, output = output, border_value = border_value,
    origin = origin}
end

local function dilate(x, asked, name)
  asked.reversed = true
  return iterate.run("greatest", x, asked, name)
end

--- Erosion of a binary image: true where all neighbours in the structure are. Elements other than 0 are true. Follows
--- scipy.ndimage.binary_erosion.
---@param input cuna.Operand
---@param structure cuna.Operand|nil true where a neighbour counts; default: the next neighbours along the axes
---@param iterations integer|nil how often, default 1; below 1 until nothing changes, which waits for the device
---@param mask cuna.Operand|nil elements where it is false stay as they are
---@param output cuna.Array|string|nil an array for the result, or its dtype; default: bool
---@param border_value integer|boolean|nil what is beyond the border, default 0
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.binary_erosion {0, 1, 1, 1, 0} --> [False False True False False]
function F.binary_erosion(...)
  local x, structure, iterations, mask, output, border_value, origin = read_erosion(...)
  return iterate.run("least", x, asked_for(structure, iterations, mask, output, border_value, origin),
    "ndimage.binary_erosion")
end

--- Dilation of a binary image: true where an element or a neighbour in the reversed structure is. Follows
--- scipy.ndimage.binary_dilation.
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil default 1; below 1 until nothing changes
---@param mask cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param border_value integer|boolean|nil default 0
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.binary_dilation {0, 0, 1, 0, 0} --> [False True True True False]
function F.binary_dilation(...)
  local x, structure, iterations, mask, output, border_value, origin = read_dilation(...)
  return dilate(x, asked_for(structure, iterations, mask, output, border_value, origin), "ndimage.binary_dilation")
end

local BOTH = {"input", "structure", "iterations", "output", "origin", "mask", "border_value"}
local read_opening, read_closing = args.reader("ndimage.binary_opening", BOTH), args.reader("ndimage.binary_closing",
  BOTH)

--- Erosions, then as many dilations of a binary image. Follows scipy.ndimage.binary_opening.
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil default 1
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@param mask cuna.Operand|nil
---@param border_value integer|boolean|nil
---@return cuna.Array
---@usage cn.ndimage.binary_opening {0, 1, 0, 1, 1, 1, 0} --> [False False False True True True False]
function F.binary_opening(...)
  local x, structure, iterations, output, origin, mask, outside = read_opening(...)
  local eroded = iterate.run("least", x, asked_for(structure, iterations, mask, nil, outside, origin),
    "ndimage.binary_opening")
  return dilate(eroded, asked_for(structure, iterations, mask, output, outside, origin), "ndimage.binary_opening")
end

--- Dilations, then as many erosions of a binary image. Follows scipy.ndimage.binary_closing.
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param iterations integer|nil default 1
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@param mask cuna.Operand|nil
---@param border_value integer|boolean|nil
---@return cuna.Array
---@usage cn.ndimage.binary_closing {0, 0, 1, 0, 1, 0, 0} --> [False False True True True False False]
function F.binary_closing(...)
  local x, structure, iterations, output, origin, mask, outside = read_closing(...)
  local dilated = dilate(x, asked_for(structure, iterations, mask, nil, outside, origin), "ndimage.binary_closing")
  return iterate.run("least", dilated, asked_for(structure, iterations, mask, output, outside, origin),
    "ndimage.binary_closing")
end

local read_hit_or_miss = args.reader("ndimage.binary_hit_or_miss", {"input", "structure1", "structure2", "output",
  "origin1",
  "origin2"})

--- True where all neighbours in one structure are true and all in another are false. Follows
--- scipy.ndimage.binary_hit_or_miss.
---@param input cuna.Operand
---@param structure1 cuna.Operand|nil default: the next neighbours along the axes
---@param structure2 cuna.Operand|nil default: what structure1 does not have
---@param output cuna.Array|string|nil
---@param origin1 integer|integer[]|nil
---@param origin2 integer|integer[]|nil default: origin1
---@return cuna.Array
---@usage cn.ndimage.binary_hit_or_miss({0, 1, 1, 0, 1}, {0, 1, 1}) --> [False True False False False]
function F.binary_hit_or_miss(...)
  local x, hit, miss, output, origin1, origin2 = read_hit_or_miss(...)
  local name, cn = "ndimage.binary_hit_or_miss", args.namespace
  x = given.image(x, name, true)
  if hit == nil then hit = iterate.cross(x.ndim, 1) end
  if miss == nil then miss = cn.logical_not(check.array(hit, name, cn.device "cpu")) end
  if origin2 == nil then origin2 = origin1 end
  return given.output(output, x, x.shape, "bool", name, function(out)
    local hits = iterate.run("least", x, asked_for(hit, 1, nil, nil, 0, origin1), name)
    local misses = iterate.run("greatest", x, asked_for(miss, 1, nil, nil, 0, origin2), name)
    core.copy(out, cn.logical_and(hits, cn.logical_not(misses)), name)
  end)
end

local read_propagation = args.reader("ndimage.binary_propagation", {"input", "structure", "mask", "output",
  "border_value",
  "origin"})

--- Dilation within a mask, until nothing changes, for which it waits. Follows scipy.ndimage.binary_propagation.
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param mask cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param border_value integer|boolean|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.binary_propagation({0, 1, 0, 0, 0}, {mask = {0, 1, 1, 0, 1}}) --> [False True True False False]
function F.binary_propagation(...)
  local x, structure, mask, output, outside, origin = read_propagation(...)
  return dilate(x, asked_for(structure, -1, mask, output, outside, origin), "ndimage.binary_propagation")
end

local read_fill_holes = args.reader("ndimage.binary_fill_holes", {"input", "structure", "output", "origin"})

--- A binary image in which what is false is true, unless it is connected with the border. Waits for the device. Follows
--- scipy.ndimage.binary_fill_holes.
---@param input cuna.Operand
---@param structure cuna.Operand|nil
---@param output cuna.Array|string|nil
---@param origin integer|integer[]|nil
---@return cuna.Array
---@usage cn.ndimage.binary_fill_holes {0, 1, 0, 1, 0} --> [False True True True False]
function F.binary_fill_holes(...)
  local x, structure, output, origin = read_fill_holes(...)
  local name, cn = "ndimage.binary_fill_holes", args.namespace
  x = given.image(x, name, true)
  local mask = cn.logical_not(core.cast(x, "bool", name))
  return given.output(output, x, x.shape, "bool", name, function(out)
    local outside = dilate(cn.zeros_like(mask), asked_for(structure, -1, mask, nil, 1, origin), name)
    core.copy(out, cn.logical_not(outside), name)
  end)
end

-- ---- structures ----

local read_generate = args.reader("ndimage.generate_binary_structure", {"rank", "connectivity"}, 2)

--- A structure of length 3 along each axis: its middle, and the places that differ from it along at most `connectivity`
--- axes. Follows scipy.ndimage.generate_binary_structure.
---@param rank integer number of axes
---@param connectivity integer
---@return cuna.Array
---@usage cn.ndimage.generate_binary_structure(2, 1):astype "int8" --> [[0 1 0] [1 1 1] [0 1 0]]
function F.generate_binary_structure(...)
  local rank, connectivity = read_generate(...)
  rank = check.few(rank, 16, "ndimage.generate_binary_structure", "rank")
  connectivity = math.max(check.integer(connectivity, "ndimage.generate_binary_structure", "connectivity"), 1)
  if rank == 0 then return args.namespace.array(true) end
  return core.as_array(iterate.cross(rank, connectivity), "bool", nil, "ndimage.generate_binary_structure")
end

local read_iterate = args.reader("ndimage.iterate_structure", {"structure", "iterations", "origin"}, 2)

--- A structure dilated by itself, so that one step with it does what `iterations` steps with the structure do; with an
--- origin also the origin of these steps. Follows scipy.ndimage.iterate_structure.
---@param structure cuna.Operand
---@param iterations integer
---@param origin integer|integer[]|nil
---@return cuna.Array
---@return integer[]|nil origin
---@usage cn.ndimage.iterate_structure({0, 1, 1}, 2):astype "int8" --> [0 0 1 1 1]
function F.iterate_structure(...)
  local structure, iterations, origin = read_iterate(...)
  local name, cn = "ndimage.iterate_structure", args.namespace
  local whole = core.cast(given.image(structure, name, true), "bool", name)
  iterations = check.integer(iterations, name, "iterations")
  local origins
  if origin ~= nil then
    origins = given.each(origin, whole.ndim, name, "origin")
    for k, o in ipairs(origins) do origins[k] = check.integer(o, name, "origin") * math.max(iterations, 1) end
  end
  if iterations < 2 then return whole:copy(), origins end
  local more, shape, key = iterations - 1, whole.shape, {core.ellipsis}
  for axis, length in ipairs(shape) do
    local first = more * math.floor(length / 2) + 1
    key[axis], shape[axis] = {first, first + length - 1}, length + more * (length - 1)
  end
  local large = cn.zeros(shape, "bool")
  large[key] = whole
  return dilate(large, asked_for(whole, more), name), origins
end

return M
