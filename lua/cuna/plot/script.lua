--- script.lua: a figure as a script of gnuplot and the files that it reads.
--
-- Everything that a user wrote is a number printed by %.17g, one of style.lua's words, or a quoted text.
local cm = require("cuna.base.later").functions "picture.cm"
local gnuplot = require "cuna.plot.gnuplot"

local M = {}

local quote = gnuplot.quote

local POSITIONS = {["best"] = "top right", ["upper right"] = "top right", ["upper left"] = "top left",
  ["lower left"] = "bottom left", ["lower right"] = "bottom right", ["upper center"] = "top center",
  ["lower center"] = "bottom center", ["center left"] = "center left", ["center right"] = "center right",
  ["center"] = "center center", ["outside"] = "outside"}
M.POSITIONS = POSITIONS

local function limit(value) return value and ("%.17g"):format(value) or "*" end

--- Lines of script about an axis, x, y or z.
local function axis_lines(axes, letter, add)
  local label, limits, default = axes[letter .. "label"], axes[letter .. "lim"], axes.default[letter .. "lim"]
  if label then add("set %slabel %s noenhanced", letter, quote(label)) end
  if axes[letter .. "scale"] == "log" then
    add("set logscale %s", letter)
    add("set format %s '10^{%%L}'", letter)
  end
  limits = limits or default
  if limits then add("set %srange [%s:%s]", letter, limit(limits[1]), limit(limits[2])) end
end

--- A palette in gnuplot's words: all colours of a map.
local function palette_lines(palette, add)
  local colors, points = cm.colors(palette.map, "plot"), {}
  for k, color in ipairs(colors) do points[k] = ("%d '#%02x%02x%02x'"):format(k, color[1], color[2], color[3]) end
  add("set palette maxcolors %d defined (%s)", #colors < 256 and #colors or 0, table.concat(points, ","))
  add("set cbrange [%.17g:%.17g]", palette.low, palette.high)
end

local function tick_lines(ticks, add)
  local words = {}
  for k, text in ipairs(ticks) do words[k] = ("%s %d"):format(quote(text), k) end
  add("set xtics noenhanced (%s)", table.concat(words, ","))
end

--- Room around what is drawn, where limits are automatic: markers and bars at them would be cut.
local function offset_lines(axes, add)
  local has_markers = axes.has_bars
  for _, series in ipairs(axes.series) do
    has_markers = has_markers or series.words:find "^with %a*points" ~= nil and not series.is_empty
  end
  if not has_markers or axes.is_surface then return end
  local x, y = axes.xscale == "log" and "0" or "graph 0.02", axes.yscale == "log" and "0" or "graph 0.05"
  add("set offsets %s, %s, %s, %s", x, x, y, axes.has_bars and "0" or y)
end

--- Lines about an axes without its curves.
local function axes_lines(axes, add)
  add "reset"
  if axes.title then add("set title %s noenhanced", quote(axes.title)) end
  for _, letter in ipairs {"x", "y", "z"} do axis_lines(axes, letter, add) end
  if axes.grid then add "set grid lt 1 lc rgb '#d8d8d8' lw 0.5" end
  add(axes.legend and "set key opaque fc rgb '#40ffffff' %s" or "unset key", axes.legend and POSITIONS[axes.legend])
  if axes.palette then palette_lines(axes.palette, add) end
  if axes.ticks then tick_lines(axes.ticks, add) end
  offset_lines(axes, add)
  if not axes.colorbar then add "unset colorbox" end
  if axes.colorbar_label then add("set cblabel %s noenhanced", quote(axes.colorbar_label)) end
  if axes.is_square then add "set size ratio -1" end
  if axes.is_surface then add "set xyplane relative 0\nset pm3d depthorder" end
end

--- The clauses of an axes, and whether it has anything that is drawn.
local function clauses_of(axes, files, add)
  local clauses, has_points = {}, false
  for _, series in ipairs(axes.series) do
    local file = "data" .. files.count + 1
    local title = series.label and ("title %s noenhanced"):format(quote(series.label)) or "notitle"
    if series.is_empty then
      clauses[#clauses + 1] = axes.is_surface and "NaN notitle" or ("NaN with %s %s"):format(
        series.words:match "^with (%a+)" == "lines" and "lines" or "points", title)
    else
      files.count, files[file], has_points = files.count + 1, series.bytes, true
      if series.before then add("%s", series.before(file)) end
      clauses[#clauses + 1] = series.draw(file) .. " " .. title
    end
  end
  return clauses, has_points
end

local function draw_axes(axes, files, add)
  axes_lines(axes, add)
  if axes.place then
    local rows, columns, k = unpack(axes.place)
    local row, column = math.floor((k - 1) / columns), (k - 1) % columns
    add("set origin %.17g,%.17g", column / columns, 1 - (row + 1) / rows)
    add("set size %.17g,%.17g", 1 / columns, 1 / rows)
  end
  local clauses, has_points = clauses_of(axes, files, add)
  if not has_points then -- gnuplot refuses to choose limits from nothing
    for _, letter in ipairs {"x", "y", "z"} do
      local low = axes[letter .. "scale"] == "log" and 0.1 or 0
      if not axes[letter .. "lim"] then add("set %srange [%g:1]", letter, low) end
    end
  end
  if #clauses == 0 then clauses[1] = "NaN notitle" end
  add("%s %s", axes.is_surface and "splot" or "plot", table.concat(clauses, ", \\\n  "))
end

--- The script of a figure, for a terminal in gnuplot's words, and the files that it reads.
---@param figure table
---@param terminal string
---@return string script
---@return table<string, string> files
function M.of(figure, terminal)
  local lines, files = {}, {count = 0}
  local function add(format, ...) lines[#lines + 1] = format:format(...) end
  add "set encoding utf8"
  add("set terminal %s", terminal)
  local is_divided = #figure.axes > 1 or figure.axes[1].place ~= nil
  if is_divided then add "set multiplot" end
  for _, axes in ipairs(figure.axes) do draw_axes(axes, files, add) end
  if is_divided then add "unset multiplot" end
  files.count = nil
  return table.concat(lines, "\n") .. "\n", files
end

return M
