--- figure.lua: figures: axes with curves, points, bars, images, contours and surfaces, which gnuplot draws.
--
-- A figure is a list of axes, of which one is current: methods add to it, or change it. Nothing is drawn before
-- save, text or show; data is copied when it is added.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local gnuplot = require "cuna.plot.gnuplot"
local new_file = require "cuna.io.new_file"
local script = require "cuna.plot.script"
local makers = require "cuna.plot.series"
local terminal = require "cuna.base.terminal"

local M = {functions = {}}
local F = M.functions -- cn.plot

local fail = check.fail

--- A figure, from cn.plot.figure or cn.plot.plot. Methods that draw or set something return the figure, so that calls
--- can be chained.
---@class cuna.Figure
local methods = {}
M.methods = methods

--- The functions of plots; cn.plot(y) and cn.plot(x, y, options) are cn.plot.plot of the same arguments.
---@class cuna.plot
---@overload fun(x: cuna.Operand, y?: cuna.Operand|table, options?: table): cuna.Figure

local meta, self_of = class.make("figure", "a figure", "fig", methods)
local STATE = setmetatable({}, {__mode = "k"}) -- of each figure, which has methods only

function meta.__tostring(figure)
  local count, axes = 0, STATE[figure].axes
  for _, one in ipairs(axes) do count = count + #one.series end
  return ("Figure(%d axes, %d series)"):format(#axes, count)
end

local function state_of(figure, method) return STATE[self_of(figure, method)] end

local function new_axes(place) return {series = {}, place = place, default = {}, cycle = {count = 0}} end

--- The current axes.
local function axes_of(figure, method) return state_of(figure, method).current end

-- ---- drawing ----

local function merge_palette(axes, palette, name)
  local own = axes.palette
  if own and own.map ~= palette.map then
    fail("%s: an axes has one map of colors, here %s and %s; use subplot", name, own.map, palette.map)
  end
  axes.palette = {map = palette.map, low = own and math.min(own.low, palette.low) or palette.low,
    high = own and math.max(own.high, palette.high) or palette.high}
end

local function merge(axes, settings, name)
  local is_surface = settings.is_surface or false
  if axes.series[1] and (axes.is_surface or false) ~= is_surface then
    fail("%s: a surface has three axes, and other things two; use subplot", name)
  end
  if settings.palette then merge_palette(axes, settings.palette, name) end
  for _, limits in ipairs {"xlim", "ylim"} do axes.default[limits] = settings[limits] or axes.default[limits] end
  if settings.from_zero and axes.yscale ~= "log" and not axes.default.ylim then axes.default.ylim = {0} end
  axes.ticks, axes.has_bars = settings.ticks or axes.ticks, settings.has_bars or axes.has_bars
  axes.is_surface, axes.is_square = is_surface, settings.is_square or axes.is_square
end

local function drawer(kind)
  return function(figure, ...)
    local axes = axes_of(figure, kind)
    local series = makers[kind](axes.cycle, ...)
    merge(axes, series.settings or {}, "figure:" .. kind)
    axes.series[#axes.series + 1] = series
    return figure
  end
end

--- Draws a curve through points. NaN and infinities leave gaps. Follows matplotlib.axes.Axes.plot.
---@param x cuna.Operand (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil (n,)
---@param style string|nil a line (- -- : -.), a marker (o . x + * s ^ v D) or both, after a colour's letter: "r--o"
---@param options {label?: string, color?: string|number[], style?: string, linewidth?: number, marker?: string,
--- markersize?: number, alpha?: number}|nil color: a name, "#rrggbb" or {r, g, b} of 0 to 1
---@return cuna.Figure
---@usage cn.plot.figure():plot({1, 2, 3}, {4, 5, 6}, {label = "a line", color = "red"}) --> Figure(1 axes, 1 series)
---@usage cn.plot.figure():plot({4, 5, 6}, "--o") --> Figure(1 axes, 1 series)
methods.plot = drawer "plot"

--- Draws points. Follows matplotlib.axes.Axes.scatter.
---@param x cuna.Operand (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil (n,)
---@param options {label?: string, color?: string|number[], marker?: string, markersize?: number, alpha?: number, c?:
--- cuna.Operand, cmap?: string, vmin?: number, vmax?: number}|nil c: numbers (n,), which cmap turns into colours
---@return cuna.Figure
---@usage cn.plot.figure():scatter({1, 2, 3}, {4, 5, 6}, {c = {0, 1, 2}}) --> Figure(1 axes, 1 series)
methods.scatter = drawer "scatter"

--- Draws how many elements lie in each of some intervals; NaN and infinities are left out. Follows
--- matplotlib.axes.Axes.hist.
---@param x cuna.Operand any shape
---@param bins integer|cuna.Operand|nil how many, or their edges; default 10
---@param options {label?: string, color?: string|number[], alpha?: number, bins?: integer|cuna.Operand, range?:
--- number[], density?: boolean, weights?: cuna.Operand}|nil as for cn.histogram
---@return cuna.Figure
---@usage cn.plot.figure():hist({1, 2, 2, 3}, 3) --> Figure(1 axes, 1 series)
methods.hist = drawer "hist"

--- Draws bars. Follows matplotlib.axes.Axes.bar.
---@param x cuna.Operand|string[] (n,): the middles of the bars, or their names
---@param height cuna.Operand (n,)
---@param options {label?: string, color?: string|number[], alpha?: number, width?: number}|nil width: default 0.8
---@return cuna.Figure
---@usage cn.plot.figure():bar({"red", "green"}, {3, 5}) --> Figure(1 axes, 1 series)
methods.bar = drawer "bar"

--- Draws an image, the first row at the top; the pixel of row i and column j is at x = j and y = i, which count from 1.
--- Follows matplotlib.axes.Axes.imshow.
---@param x cuna.Operand (height, width), whose numbers cmap turns into colours, or (height, width, 3 or 4): uint8,
--- uint16 or floats of 0 to 1
---@param options {cmap?: string, vmin?: number, vmax?: number, extent?: number[], origin?: string}|nil extent: {left,
--- right, bottom, top}; origin: "upper" (default), or "lower" for the first row at the bottom
---@return cuna.Figure
---@usage cn.plot.figure():imshow(cn.arange(6):reshape(2, 3), {cmap = "gray"}) --> Figure(1 axes, 1 series)
methods.imshow = drawer "imshow"

--- Draws curves along which numbers of a grid are equal. Follows matplotlib.axes.Axes.contour.
---@param x cuna.Operand (columns,) or the shape of z; or z alone
---@param y cuna.Operand|nil (rows,) or the shape of z
---@param z cuna.Operand|nil (rows, columns)
---@param options {levels?: integer|cuna.Operand, cmap?: string, color?: string|number[], linewidth?: number, alpha?:
--- number, label?: string}|nil levels: about how many (default 8), or which; color: instead of a map's
---@return cuna.Figure
---@usage cn.plot.figure():contour(cn.arange(6):reshape(2, 3), {levels = {1, 2}}) --> Figure(1 axes, 1 series)
methods.contour = drawer "contour"

--- Draws a surface over a grid, in colours by height. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.plot_surface.
---@param x cuna.Operand (columns,) or the shape of z; or z alone
---@param y cuna.Operand|nil (rows,) or the shape of z
---@param z cuna.Operand|nil (rows, columns)
---@param options {cmap?: string, vmin?: number, vmax?: number, label?: string}|nil
---@return cuna.Figure
---@usage cn.plot.figure():surface(cn.arange(6):reshape(2, 3)) --> Figure(1 axes, 1 series)
methods.surface = drawer "surface"

-- ---- what is around ----

local function text_setter(key, method)
  return function(figure, text)
    local axes = axes_of(figure, method)
    if type(text) ~= "string" then fail("figure:%s: expected a string, got %s", method, check.show(text)) end
    axes[key] = text
    return figure
  end
end

--- Sets the title of the current axes. It is shown as it is: without markup. Follows matplotlib.axes.Axes.set_title.
---@param text string
---@return cuna.Figure
---@usage cn.plot.figure():title "a_b, not a with an index" --> Figure(1 axes, 0 series)
methods.title = text_setter("title", "title")

--- Sets the label of the horizontal axis. Follows matplotlib.axes.Axes.set_xlabel.
---@param text string
---@return cuna.Figure
---@usage cn.plot.figure():xlabel "time in s" --> Figure(1 axes, 0 series)
methods.xlabel = text_setter("xlabel", "xlabel")

--- Sets the label of the vertical axis, of a surface the second one. Follows matplotlib.axes.Axes.set_ylabel.
---@param text string
---@return cuna.Figure
---@usage cn.plot.figure():ylabel "height in m" --> Figure(1 axes, 0 series)
methods.ylabel = text_setter("ylabel", "ylabel")

--- Sets the label of a surface's vertical axis. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.set_zlabel.
---@param text string
---@return cuna.Figure
---@usage cn.plot.figure():zlabel "height in m" --> Figure(1 axes, 0 series)
methods.zlabel = text_setter("zlabel", "zlabel")

local function limits_setter(method)
  return function(figure, low, high)
    local axes, name = axes_of(figure, method), "figure:" .. method
    if type(low) == "table" and high == nil then low, high = low[1], low[2] end
    if low ~= nil then low = check.real(low, name, "the first limit") end
    if high ~= nil then high = check.real(high, name, "the last limit") end
    for _, value in ipairs {low or 0, high or 0} do
      if value ~= value or math.abs(value) == math.huge then fail("%s: limits are finite, got %g", name, value) end
    end
    if low == high and low ~= nil then fail("%s: the limits are equal, %g", name, low) end
    axes[method] = (low or high) and {low, high} or nil
    return figure
  end
end

--- Sets the ends of the horizontal axis; nil is chosen by the data. Follows matplotlib.axes.Axes.set_xlim.
---@param low number|number[]|nil or {low, high}
---@param high number|nil less than low for an axis in the other direction
---@return cuna.Figure
---@usage cn.plot.figure():xlim(0, 10) --> Figure(1 axes, 0 series)
methods.xlim = limits_setter "xlim"

--- Sets the ends of the vertical axis, of a surface the second one. Follows matplotlib.axes.Axes.set_ylim.
---@param low number|number[]|nil or {low, high}
---@param high number|nil
---@return cuna.Figure
---@usage cn.plot.figure():ylim(0) --> Figure(1 axes, 0 series)
methods.ylim = limits_setter "ylim"

--- Sets the ends of a surface's vertical axis. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.set_zlim.
---@param low number|number[]|nil or {low, high}
---@param high number|nil
---@return cuna.Figure
---@usage cn.plot.figure():zlim(-1, 1) --> Figure(1 axes, 0 series)
methods.zlim = limits_setter "zlim"

local function scale_setter(method)
  return function(figure, scale)
    local axes = axes_of(figure, method)
    if scale ~= "log" and scale ~= "linear" then
      fail("figure:%s: a scale is \"linear\" or \"log\", got %s", method, check.show(scale))
    end
    axes[method] = scale
    return figure
  end
end

--- Sets the scale of the horizontal axis; on a logarithmic one numbers up to 0 leave gaps. Follows
--- matplotlib.axes.Axes.set_xscale.
---@param scale string "linear" or "log"
---@return cuna.Figure
---@usage cn.plot.figure():xscale "log" --> Figure(1 axes, 0 series)
methods.xscale = scale_setter "xscale"

--- Sets the scale of the vertical axis. Follows matplotlib.axes.Axes.set_yscale.
---@param scale string "linear" or "log"
---@return cuna.Figure
---@usage cn.plot.figure():yscale "log" --> Figure(1 axes, 0 series)
methods.yscale = scale_setter "yscale"

--- Shows the labels of curves. Follows matplotlib.axes.Axes.legend.
---@param place string|nil "upper right" (default), "upper left", "lower left", "lower right", "upper center", "lower
--- center", "center left", "center right", "center" or "outside"
---@return cuna.Figure
---@usage cn.plot.figure():plot({1, 2}, {label = "a"}):legend "upper left" --> Figure(1 axes, 1 series)
function methods:legend(place)
  local axes = axes_of(self, "legend")
  place = place == nil and "best" or place
  if not script.POSITIONS[place] then
    fail("figure:legend: the place is one of %s, got %s", args.names(script.POSITIONS), check.show(place))
  end
  axes.legend = place
  return self
end

--- Shows lines at the ticks, or hides them. Follows matplotlib.axes.Axes.grid.
---@param visible boolean|nil default true
---@return cuna.Figure
---@usage cn.plot.figure():grid() --> Figure(1 axes, 0 series)
function methods:grid(visible)
  axes_of(self, "grid").grid = check.boolean(visible, true, "figure:grid", "visible")
  return self
end

--- Shows the colours of numbers beside the axes. Follows matplotlib.figure.Figure.colorbar.
---@param label string|nil
---@return cuna.Figure
---@usage cn.plot.figure():imshow({{1, 2}, {3, 4}}):colorbar "height in m" --> Figure(1 axes, 1 series)
function methods:colorbar(label)
  local axes = axes_of(self, "colorbar")
  if label ~= nil then text_setter("colorbar_label", "colorbar")(self, label) end
  axes.colorbar = true
  return self
end

--- Makes an axes current: part k of rows x columns equal parts of the figure, which count from 1, row by row. Where
--- there is none yet, it is made. Follows matplotlib.pyplot.subplot.
---@param rows integer
---@param columns integer
---@param k integer
---@return cuna.Figure
---@usage cn.plot.figure():subplot(1, 2, 1):plot({1, 2}):subplot(1, 2, 2):plot({2, 1}) --> Figure(2 axes, 2 series)
function methods:subplot(rows, columns, k)
  local state, name = state_of(self, "subplot"), "figure:subplot"
  rows, columns = check.few(rows, 100, name, "rows"), check.few(columns, 100, name, "columns")
  k = check.integer(k, name, "k")
  if k < 1 or k > rows * columns then fail("%s: k is of 1 to %d, got %d", name, rows * columns, k) end
  for _, axes in ipairs(state.axes) do
    local place = axes.place
    if place and place[1] == rows and place[2] == columns and place[3] == k then
      state.current = axes
      return self
    end
  end
  local first = state.axes[1]
  if not first.place and not first.series[1] then table.remove(state.axes) end -- the one that a figure begins with
  state.current = new_axes {rows, columns, k}
  state.axes[#state.axes + 1] = state.current
  return self
end

-- ---- output ----

-- gnuplot's terminals by a path's suffix, with width and height in inches and dots per inch.
local TERMINALS = {
  png = function(w, h, dpi)
    return ("pngcairo enhanced font 'Sans,10' fontscale %g linewidth %g pointscale %g size %d,%d"):format(dpi / 96,
      dpi / 96, dpi / 96, w * dpi, h * dpi)
  end,
  svg = function(w, h) return ("svg enhanced font 'Sans,12' size %d,%d"):format(w * 96, h * 96) end,
  pdf = function(w, h) return ("pdfcairo enhanced font 'Sans,10' fontscale 0.8 size %gin,%gin"):format(w, h) end,
}

local function characters(columns, rows) return ("dumb noenhanced size %d,%d"):format(columns, rows) end

--- gnuplot's output for a figure.
local function draw(state, words, name, has_window)
  local text, files = script.of(state, words)
  return gnuplot.run(text, files, name, has_window)
end

--- Writes the figure to a file, whose suffix names the format: .png, .svg, .pdf, or .txt for characters. An existing
--- file is replaced when the new one is complete. Needs gnuplot (Debian's gnuplot-nox); its message is the error.
--- Follows matplotlib.figure.Figure.savefig.
---@param path string
---@return cuna.Figure
---@usage (function(p) cn.plot({3, 1, 2}):save(p) return os.remove(p) end)(os.tmpname() .. ".png") --> true
function methods:save(path)
  local state, name = state_of(self, "save"), "figure:save"
  local suffix = type(path) == "string" and path:match "%.(%w+)$"
  suffix = suffix and suffix:lower()
  if suffix ~= "txt" and not TERMINALS[suffix] then
    fail("%s: the path's suffix names the format, one of pdf, png, svg, txt, got %s", name, check.show(path))
  end
  if path:find("\0", 1, true) then fail("%s: a path cannot contain NUL bytes", name) end
  if core.is_preparing() then return self end
  new_file.check(path, name)
  local words = suffix == "txt" and characters(79, 24) or TERMINALS[suffix](state.width, state.height, state.dpi)
  local picture = draw(state, words, name)
  new_file.write(path, name, function(file) file:write(picture) end)
  return self
end
methods.savefig = methods.save

--- The figure in characters. Needs gnuplot.
---@param columns integer|nil default 79
---@param rows integer|nil default 24
---@return string
---@usage #cn.plot({3, 1, 2}):text(40, 10) > 100 --> true
function methods:text(columns, rows)
  local state, name = state_of(self, "text"), "figure:text"
  columns = check.few(columns == nil and 79 or columns, 1000, name, "columns")
  rows = check.few(rows == nil and 24 or rows, 1000, name, "rows")
  if columns < 10 or rows < 5 then fail("%s: a figure has at least 10 columns and 5 rows", name) end
  if core.is_preparing() then return "" end
  return (draw(state, characters(columns, rows), name):gsub("\f", ""):gsub("^\n", ""))
end

--- Shows the figure: in a window, where there are a screen and a gnuplot with windows (Debian's gnuplot-qt), else in
--- characters on the standard output. Needs gnuplot. Follows matplotlib.pyplot.show, but does not wait.
---@return cuna.Figure
---@usage cn.plot({3, 1, 2}):show() --> Figure(1 axes, 1 series)
function methods:show()
  local state, name = state_of(self, "show"), "figure:show"
  if core.is_preparing() then return self end
  local window = gnuplot.window(name)
  if window then
    draw(state, ("%s enhanced size %d,%d"):format(window, state.width * 100, state.height * 100), name, true)
  else
    local columns, rows = terminal.size(terminal.STDOUT)
    io.stdout:write(self:text(math.max(columns - 1, 40), math.max(rows - 2, 12)))
  end
  return self
end

-- ---- making one ----

local read_figure = args.reader("plot.figure", {"figsize", "dpi"}, 0)

--- A new figure, with one axes. Follows matplotlib.pyplot.figure.
---@param figsize number[]|nil {width, height} in inches; default {6.4, 4.8}
---@param dpi number|nil dots per inch of a .png; default 100
---@return cuna.Figure
---@usage cn.plot.figure {figsize = {8, 3}} --> Figure(1 axes, 0 series)
function F.figure(...)
  local figsize, dpi = read_figure(...)
  local name = "plot.figure"
  dpi = dpi == nil and 100 or check.real(dpi, name, "dpi")
  if figsize == nil then figsize = {6.4, 4.8} end
  if type(figsize) ~= "table" then fail("%s: figsize is {width, height}, got %s", name, check.show(figsize)) end
  local width, height = check.real(figsize[1], name, "figsize[1]"), check.real(figsize[2], name, "figsize[2]")
  for _, value in ipairs {width * dpi, height * dpi, width * 100, height * 100} do
    if not (value >= 50 and value <= 20000) then
      fail("%s: a figure has 50 to 20000 dots a side, got %g x %g inches of %g dots", name, width, height, dpi)
    end
  end
  local figure = setmetatable({}, meta)
  local axes = new_axes()
  STATE[figure] = {axes = {axes}, current = axes, width = width, height = height, dpi = dpi}
  return figure
end

--- A figure with a curve, cn.plot(y) or cn.plot(x, y) for short; figure:plot explains the options. Follows
--- matplotlib.pyplot.plot.
---@param x cuna.Operand (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil (n,)
---@param options table|nil label, color, style, linewidth, marker, markersize, alpha
---@return cuna.Figure
---@usage cn.plot({3, 1, 2}):title "three numbers" --> Figure(1 axes, 1 series)
function F.plot(...)
  args.check_dot("plot", (...))
  return F.figure():plot(...)
end

return M
