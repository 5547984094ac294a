--- series.lua: what is drawn in an axes: curves, points, bars, images, contours, surfaces.
--
-- A maker reads the arguments of a method of figures, after the axes' cycle of colours, and returns a series:
--   bytes      the contents of the file that gnuplot reads
--   words      gnuplot's style, from "with" on
--   draw       a function (file) that returns a clause of gnuplot's `plot`, given the name of the file
--   before     a function (file) that returns lines of script in front of `plot`, or nil
--   is_empty   whether there is nothing to draw
--   settings   of the axes: ranges, ticks, palette, a surface's three axes
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local data = require "cuna.plot.data"
local later = require "cuna.base.later"
local style = require "cuna.plot.style"

local M = {}

local fail = check.fail
local cm, samples = later.functions "picture.cm", later.functions "picture.samples"

local HOST = core.device "cpu"

-- ---- arguments ----

local function known(words)
  local set = {label = true, color = true, alpha = true}
  for word in words:gmatch "%S+" do set[word] = true end
  return set
end

local CURVE, POINTS = known "style linewidth marker markersize", known "c cmap vmin vmax marker markersize"
local HIST, BAR = known "bins range density weights", known "width"
local IMAGE, CONTOUR = known "cmap vmin vmax extent origin", known "cmap levels linewidth"
local SURFACE = known "cmap vmin vmax"

--- Up to `most` operands, and options.
local function read(name, options, most, ...)
  local values, count, given = args.split(name, options, ...)
  if count > most then fail("%s: takes at most %d arguments and a table of options, got %d", name, most, count) end
  if given.label ~= nil and type(given.label) ~= "string" then
    fail("%s: label is a string, got %s", name, check.show(given.label))
  end
  return values, given
end

--- The palette of numbers: a map, and its limits.
local function palette_of(x, options, name)
  local low, high = data.extremes(x)
  local vmin = options.vmin == nil and low or check.real(options.vmin, name, "vmin")
  local vmax = options.vmax == nil and high or check.real(options.vmax, name, "vmax")
  if not (vmin <= vmax and vmin > -math.huge and vmax < math.huge) then
    fail("%s: vmin and vmax are finite, and vmin is not greater, got %g and %g", name, vmin, vmax)
  end
  local map = options.cmap == nil and "viridis" or options.cmap
  cm.colors(map, name)
  return {map = map, low = vmin, high = vmax > vmin and vmax or vmin + 1}
end

local function columns_clause(count, format)
  return function(file, words) return ("'%s' binary format='%s' using %s %s"):format(file, format, count, words) end
end

local of_two = columns_clause("1:2", "%float64%float64")
local of_three = columns_clause("1:2:3", "%float64%float64%float64")

-- ---- kinds ----

--- Takes matplotlib's format from the end of a curve's operands; returns the options with it as the style.
local function take_format(values, options, name)
  local place = type(values[3]) == "string" and 3 or type(values[2]) == "string" and 2 or nil
  if values[3] ~= nil and place ~= 3 then
    fail("%s: takes x, y, a style such as \"--o\" and a table of options; argument 3 is %s", name,
      check.show(values[3]))
  elseif place and options.style ~= nil then
    fail("%s: style is given by position and by option", name)
  end
  local styled = {}
  for option, value in pairs(options) do styled[option] = value end
  if place then styled.style, values[place] = values[place], nil end
  return styled
end

function M.plot(cycle, ...)
  local name = "figure:plot"
  local values, options = read(name, CURVE, 3, ...)
  options = take_format(values, options, name)
  local x, y = data.pair(values[1], values[2], name)
  local words = style.curve(options, cycle, name)
  return {label = options.label, is_empty = not data.has_points {x, y}, bytes = data.bytes {x, y}, words = words,
    draw = function(file) return of_two(file, words) end}
end

function M.scatter(cycle, ...)
  local name = "figure:scatter"
  local values, options = read(name, POINTS, 2, ...)
  local x, y = data.pair(values[1], values[2], name)
  local c = options.c ~= nil and data.vector(options.c, name, "c") or nil
  if c and c.size ~= x.size then fail("%s: x has %d elements, and c has %d", name, x.size, c.size) end
  local words = style.points(options, cycle, c ~= nil, name)
  return {label = options.label, is_empty = not data.has_points {x, y}, bytes = data.bytes {x, y, c}, words = words,
    settings = {palette = c and palette_of(c, options, name)},
    draw = function(file) return (c and of_three or of_two)(file, words) end}
end

--- Bars at x, of some heights and widths.
local function bars(cycle, x, height, width, options, settings, name)
  local words = "with boxes fs solid noborder " .. style.line_color(options, cycle, name)
  settings.has_bars, settings.from_zero = true, data.extremes(height) >= 0
  return {label = options.label, is_empty = not data.has_points {x, height}, bytes = data.bytes {x, height, width},
    words = words, settings = settings, draw = function(file) return of_three(file, words) end}
end

function M.hist(cycle, ...)
  local name = "figure:hist"
  local values, options = read(name, HIST, 2, ...)
  local cn = args.namespace
  local x = data.numbers(values[1], name, "x"):reshape(-1)
  local weights = options.weights ~= nil and data.vector(options.weights, name, "weights") or nil
  if weights and weights.size ~= x.size then
    fail("%s: x has %d elements, and weights %d", name, x.size, weights.size)
  end
  local bins = options.bins == nil and values[2] or options.bins
  return HOST:with(function()
    local is_number = x:eq(x)
    local counts, edges = cn.histogram(x[is_number], bins == nil and 10 or bins, {range = options.range,
      density = options.density, weights = weights and weights[is_number] or nil})
    edges, counts = edges:astype "float64", counts:astype "float64"
    local low, high = edges["1:-2"], edges["2:"]
    return bars(cycle, (low + high) / 2, counts, high - low, options, {}, name)
  end)
end

--- Positions of bars; those of names count from 1, and are the second result.
local function places_of(x)
  if type(x) ~= "table" or type(x[1]) ~= "string" then return x end
  local places = {}
  for k in ipairs(x) do places[k] = k end
  return places, x
end

function M.bar(cycle, ...)
  local name = "figure:bar"
  local values, options = read(name, BAR, 2, ...)
  local places, ticks = places_of(values[1])
  local x, height = data.pair(places, values[2], name)
  local width = check.real(options.width == nil and 0.8 or options.width, name, "width")
  return HOST:with(function()
    return bars(cycle, x, height, args.namespace.full_like(x, width), options, {ticks = ticks}, name)
  end)
end

-- ---- images ----

--- Where an image lies: gnuplot's words, ranges of both axes, and whether its rows are turned round.
local function place_image(height, width, options, name)
  local extent, origin = options.extent, options.origin == nil and "upper" or options.origin
  if origin ~= "upper" and origin ~= "lower" then
    fail("%s: origin is \"upper\" or \"lower\", got %s", name, check.show(origin))
  end
  if extent == nil then
    local rows = origin == "upper" and {height + 0.5, 0.5} or {0.5, height + 0.5}
    return "origin=(1,1)", {xlim = {0.5, width + 0.5}, ylim = rows, is_square = true}, false
  end
  local e = {}
  for k = 1, 4 do e[k] = check.real(type(extent) == "table" and extent[k] or nil, name, "extent[" .. k .. "]") end
  local dx, dy = (e[2] - e[1]) / width, (e[4] - e[3]) / height
  if not (dx > 0 and dy > 0) then fail("%s: extent is {left, right, bottom, top}, which rise", name) end
  return ("origin=(%.17g,%.17g) dx=%.17g dy=%.17g"):format(e[1] + dx / 2, e[3] + dy / 2, dx, dy),
    {xlim = {e[1], e[2]}, ylim = {e[3], e[4]}}, origin == "upper"
end

--- The bytes of an image of colours, their format and gnuplot's style.
local function color_image(x, name)
  samples.check(x, name)
  local cn = args.namespace
  local colors = samples.given(x, name)
  if colors.dtype == "uint16" then colors = cn.right_shift(colors, 8):astype "uint8" end
  local channels = x.shape[3]
  if channels < 3 then
    fail("%s: an image has shape (height, width), or 3 or 4 channels, got %s", name, tostring(x.shape))
  end
  local words = channels == 3 and "using 1:2:3 with rgbimage" or "using 1:2:3:4 with rgbalpha"
  return colors, ("%uchar"):rep(channels), words
end

function M.imshow(_, ...)
  local name = "figure:imshow"
  local values, options = read(name, IMAGE, 1, ...)
  local x = check.array(values[1], name)
  local format, words, palette = "%float64", "using 1 with image", nil
  if x.ndim == 3 then
    core.check_waiting(name)
    x, format, words = color_image(args.namespace.asnumpy(x), name)
  else
    x = data.numbers(x, name, "the image")
    if x.ndim ~= 2 or x.size == 0 then
      fail("%s: an image has shape (height, width), or 3 or 4 channels, got %s", name, tostring(x.shape))
    end
    palette = palette_of(x, options, name)
  end
  local height, width = x.shape[1], x.shape[2]
  local place, settings, is_turned = place_image(height, width, options, name)
  settings.palette = palette
  local bytes = HOST:with(function() return (is_turned and args.namespace.flipud(x) or x):tobytes() end)
  return {bytes = bytes, settings = settings, is_empty = false, words = words, draw = function(file)
    return ("'%s' binary array=(%d,%d) %s format='%s' %s"):format(file, width, height, place, format, words)
  end}
end

-- ---- grids ----

--- A grid as a clause of gnuplot's `splot`.
local function grid_clause(file, shape, words)
  return ("'%s' binary record=(%d,%d) format='%%float64%%float64%%float64' using 1:2:3 %s"):format(file, shape[2],
    shape[1], words)
end

local function levels_of(levels, name)
  if levels == nil or type(levels) == "number" then
    return "auto " .. check.few(levels == nil and 8 or levels, 1000, name, "levels")
  end
  local numbers = {}
  for k, level in ipairs(data.vector(levels, name, "levels"):totable()) do numbers[k] = ("%.17g"):format(level) end
  if not numbers[1] then fail("%s: there are no levels", name) end
  return "discrete " .. table.concat(numbers, ",")
end

--- gnuplot finds the curves of a grid, and writes them into a block of data, which then is plotted.
function M.contour(_, ...)
  local name = "figure:contour"
  local values, options = read(name, CONTOUR, 3, ...)
  local x, y, z = data.grid(values[1], values[2], values[3], name)
  local levels, shape = levels_of(options.levels, name), z.shape
  local has_color = options.color ~= nil
  local color = has_color and style.line_color(options, nil, name) or "lc palette"
  local words = ("with lines %s lw %g"):format(color, check.real(options.linewidth == nil and 1.5 or options.linewidth,
    name, "linewidth"))
  local settings = {xlim = {data.extremes(x)}, ylim = {data.extremes(y)},
    palette = not has_color and palette_of(z, options, name) or nil}
  return {label = options.label, bytes = data.bytes {x, y, z}, is_empty = not data.has_points {x, y, z},
    settings = settings, words = words, before = function(file)
      local grid = grid_clause(file, shape, "with lines notitle")
      return ("unset surface\nset contour base\nset cntrparam levels %s\nset table $%s\nsplot %s\n"):format(levels,
        file, grid) .. "unset table\nunset contour\nset surface\n"
    end, draw = function(file) return ("$%s using 1:2:3 %s"):format(file, words) end}
end

function M.surface(_, ...)
  local name = "figure:surface"
  local values, options = read(name, SURFACE, 3, ...)
  local x, y, z = data.grid(values[1], values[2], values[3], name)
  local shape = z.shape
  return {label = options.label, bytes = data.bytes {x, y, z}, is_empty = not data.has_points {x, y, z},
    settings = {palette = palette_of(z, options, name), is_surface = true}, words = "with pm3d",
    draw = function(file) return grid_clause(file, shape, "with pm3d") end}
end

return M
