--- style.lua: colours, lines and markers, from matplotlib's names to gnuplot's words.
local check = require "cuna.base.check"

local M = {}

local fail = check.fail

-- In the order in which curves get them.
local CYCLE = {"1f77b4", "ff7f0e", "2ca02c", "d62728", "9467bd", "8c564b", "e377c2", "7f7f7f", "bcbd22", "17becf"}

local NAMES = {
  b = "0000ff", g = "008000", r = "ff0000", c = "00bfbf", m = "bf00bf", y = "bfbf00", k = "000000", w = "ffffff",
  blue = "0000ff", green = "008000", red = "ff0000", cyan = "00ffff", magenta = "ff00ff", yellow = "ffff00",
  black = "000000", white = "ffffff", gray = "808080", grey = "808080", orange = "ffa500", purple = "800080",
  brown = "a52a2a", pink = "ffc0cb", olive = "808000", navy = "000080", teal = "008080", lime = "00ff00",
  maroon = "800000", gold = "ffd700", silver = "c0c0c0", indigo = "4b0082", violet = "ee82ee", crimson = "dc143c",
}
for k, name in ipairs {"blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan"} do
  NAMES["tab:" .. name], NAMES["C" .. k - 1] = CYCLE[k], CYCLE[k]
end

local LINES = {solid = "-", dashed = "--", dotted = ":", dashdot = "-."}
local DASHES = {["-"] = 1, ["--"] = 2, [":"] = 3, ["-."] = 4}
local MARKERS = {o = 7, ["."] = 7, x = 2, ["+"] = 1, ["*"] = 3, s = 5, ["^"] = 9, v = 11, D = 13, d = 13}
local SIZES = {["."] = 0.5}

--- The next colour of an axes.
---@param cycle {count: integer}
---@return string
local function next_color(cycle)
  cycle.count = cycle.count + 1
  return CYCLE[(cycle.count - 1) % #CYCLE + 1]
end

local function part_of(value, name)
  value = check.real(value, name, "a part of color")
  if not (value >= 0 and value <= 1) then fail("%s: the parts of color are of 0 to 1, got %g", name, value) end
  return math.floor(value * 255 + 0.5)
end

--- A colour as six hexadecimal digits.
---@param color string|number[] a name, "#rrggbb", "#rgb", or {red, green, blue} of 0 to 1
---@param name string the user's function
---@return string
function M.color(color, name)
  if type(color) == "table" and #color == 3 then
    return ("%02x%02x%02x"):format(part_of(color[1], name), part_of(color[2], name), part_of(color[3], name))
  end
  local text = type(color) == "string" and color or ""
  local long, short = text:match "^#(%x%x%x%x%x%x)$", text:match "^#(%x%x%x)$"
  local found = NAMES[text] or long and long:lower() or short and short:lower():gsub("%x", "%0%0")
  if not found then
    fail("%s: color is a name such as \"red\" or \"C0\", \"#rrggbb\", or {red, green, blue} of 0 to 1, got %s", name,
      check.show(color))
  end
  return found
end

--- Colour letter, line and marker of a style such as "r--o".
local function split(style, name)
  local letter, rest = style:match "^([bgrcmykw]?)(.*)$"
  for _, dash in ipairs {"--", "-.", "-", ":", ""} do
    local at, behind = rest:find(dash, 1, true)
    local marker = rest:sub(1, at and at - 1 or 0) .. rest:sub((behind or 0) + 1)
    if at and (marker == "" or MARKERS[marker]) and style ~= "" then
      return letter, DASHES[dash], MARKERS[marker] and marker
    end
  end
  fail("%s: style is solid, dashed, dotted or dashdot, or a line (- -- : -.), a marker (o . x + * s ^ v D) or both, "
    .. "after a letter of color, got %q", name, style)
end

--- A positive number, or a default.
local function positive(value, default, name, what)
  if value == nil then return default end
  value = check.real(value, name, what)
  if not (value > 0 and value < 1e4) then fail("%s: %s is a positive number, got %g", name, what, value) end
  return value
end

local function alpha_of(alpha, name)
  if alpha == nil then return "" end
  alpha = check.real(alpha, name, "alpha")
  if not (alpha >= 0 and alpha <= 1) then fail("%s: alpha is of 0 to 1, got %g", name, alpha) end
  return ("%02x"):format(255 - math.floor(alpha * 255 + 0.5)) -- gnuplot counts transparency
end

--- A colour with its opacity, in gnuplot's words: the option's, or else `own`, or else the next one of the axes.
function M.line_color(options, cycle, name, own)
  local color = options.color ~= nil and M.color(options.color, name) or own or next_color(cycle)
  return ("lc rgb '#%s%s'"):format(alpha_of(options.alpha, name), color)
end

local function marker_words(marker, options, name)
  if not MARKERS[marker] then fail("%s: marker is one of o . x + * s ^ v D, got %s", name, check.show(marker)) end
  return ("pt %d ps %g"):format(MARKERS[marker], positive(options.markersize, 6, name, "markersize") / 6
    * (SIZES[marker] or 1))
end

--- A curve in gnuplot's words, such as "with linespoints ...".
---@param options table style, color, alpha, marker, linewidth, markersize
---@param cycle {count: integer} colours of the axes
function M.curve(options, cycle, name)
  local style = options.style == nil and "-" or options.style
  if type(style) ~= "string" then fail("%s: style is a string such as \"--o\", got %s", name, check.show(style)) end
  local letter, dash, marker = split(LINES[style] or style, name)
  marker = options.marker ~= nil and options.marker or marker
  local color = M.line_color(options, cycle, name, NAMES[letter])
  if not dash and not marker then dash = 1 end
  local words = {dash and (marker and "with linespoints" or "with lines") or "with points", color}
  if dash then words[3] = ("dt %d lw %g"):format(dash, positive(options.linewidth, 1.5, name, "linewidth")) end
  if marker then words[#words + 1] = marker_words(marker, options, name) end
  return table.concat(words, " ")
end

--- Points in gnuplot's words; their colours come from a palette if `has_values`.
function M.points(options, cycle, has_values, name)
  local color = has_values and "lc palette" or M.line_color(options, cycle, name)
  return "with points " .. color .. " " .. marker_words(options.marker == nil and "o" or options.marker, options, name)
end

return M
