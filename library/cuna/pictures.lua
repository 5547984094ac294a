---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Pictures, colour maps, plots, progress.

---@class cuna
local cn = {}

---@class cuna.cm
local cm = {}

--- A figure, from cn.plot.figure or cn.plot.plot. Methods that draw or set something return the figure, so that calls
--- can be chained.
---@class cuna.Figure
local Figure = {}

--- The functions of plots; cn.plot(y) and cn.plot(x, y, options) are cn.plot.plot of the same arguments.
---@class cuna.plot
---@overload fun(x: cuna.Operand, y?: cuna.Operand|table, options?: table): cuna.Figure
local plot = {}

--- A loop's progress, from cn.progress.
---@class cuna.Progress
---@field count integer steps that are done
---@overload fun(): any, any, any
local Progress = {}

--- Reads a picture: PNG (1 to 16 bits a sample; gray, colours, palettes, opacity; interlaced or not), JPEG by
--- libjpeg-turbo (Debian's libturbojpeg0), PBM, PGM and PPM. Samples of 1, 2 and 4 bits, and Netpbm's with another
--- greatest value, are scaled to 0..255 (0..65535). The array is on the current device. What a camera says about the
--- orientation, and profiles of colours, are ignored. Damaged files are errors. Follows matplotlib.pyplot.imread, but
--- the samples stay integers.
---
--- ```lua
--- cn.imread {text = "P2 3 1 255 0 128 255"} --> [[  0 128 255]]
--- ```
---@param file string|file*|table # a path, an open file, or {text = the file's bytes}
---@return cuna.Array # uint8 or uint16, (height, width) if gray, or (height, width, channels): gray and opacity, red, green and blue, or these and opacity
function cn.imread(file) end

--- Writes a picture: PNG, JPEG (by libjpeg-turbo), PBM, PGM or PPM. uint8 and uint16 are written unchanged (JPEG and
--- PBM have 8 bits), floats and bools from 0 to 1 as 8 bits; floats beyond are clipped, above 1.5 they are an error,
--- and NaN is black. With vmin or vmax numbers from vmin to vmax are gray from black to white, and with cmap they have
--- a map's colours (cn.cm), NaN transparent; a limit that is not given is the smallest or greatest finite element. An
--- existing file is replaced when the new one is complete. Synchronises. Follows matplotlib.pyplot.imsave, but without
--- limits and map a matrix is gray.
---
--- ```lua
--- cn.imsave("/dev/null", {{0, 0.5, 1}}, {cmap = "magma", format = "png"}) -->
--- ```
---@param file string|file* # a path, or an open file
---@param x cuna.Operand # (height, width), or (height, width, channels): gray, gray and opacity, red, green and blue, or these and opacity
---@param vmin number|nil
---@param vmax number|nil
---@param cmap string|nil # a name of cn.cm, such as "viridis", or "viridis_r" for its reverse
---@param format string|nil # "png", "jpg", "pbm", "pgm", "ppm" or "pnm"; default: the path's suffix
---@param quality integer|nil # of JPEG, 1 to 100; default 75
---@overload fun(file: string|file*, x: cuna.Operand, options: {vmin?: number, vmax?: number, cmap?: string, format?: string, quality?: integer})
function cn.imsave(file, x, vmin, vmax, cmap, format, quality) end

--- The colours of numbers by a map that becomes lighter: viridis, magma, inferno, plasma, cividis, gray, hot. vmin has
--- the first colour and vmax the last, and so have the numbers beyond them; NaN is transparent, and black. A map's name
--- and _r is the map in reverse order, wherever a name is given (cmap = "gray_r"). Each colour is within 2 of 255 of
--- matplotlib's. Follows matplotlib.colormaps, with bytes=True.
---
--- ```lua
--- cn.cm.gray({0, 0.5, 2}, {alpha = false}) --> [[  0   0   0] [128 128 128] [255 255 255]]
--- cn.cm.hot({3, cn.nan, 7}, 3, 7) --> [[ 11   0   0 255] [  0   0   0   0] [255 255 255 255]]
--- ```
---@param x cuna.Operand # any shape
---@param vmin number|nil # default 0, of floats and bools; integers need it
---@param vmax number|nil # default 1, of floats and bools; integers need it
---@param alpha number|boolean|nil # the opacity, 0 to 1 (default); false leaves it out
---@return cuna.Array # uint8, of the shape of x and 4 channels, or 3 without opacity
---@overload fun(x: cuna.Operand, options: {vmin?: number, vmax?: number, alpha?: number|boolean}): cuna.Array
function cm.viridis(x, vmin, vmax, alpha) end

cm.magma = cm.viridis

cm.inferno = cm.viridis

cm.plasma = cm.viridis

cm.cividis = cm.viridis

cm.gray = cm.viridis

cm.hot = cm.viridis

--- The colours of numbers by another map: jet and turbo are rainbows, coolwarm and RdBu have two colours and white
--- between them, twilight ends as it begins, tab10 has ten colours without others between them. Otherwise as
--- cn.cm.viridis. Follows matplotlib.colormaps, with bytes=True.
---
--- ```lua
--- cn.cm.tab10({1, 2, 10}, 1, 10, false) --> [[ 31 119 180] [255 127  14] [ 23 190 207]]
--- ```
---@param x cuna.Operand # any shape
---@param vmin number|nil # default 0, of floats and bools; integers need it
---@param vmax number|nil # default 1, of floats and bools; integers need it
---@param alpha number|boolean|nil # the opacity, 0 to 1 (default); false leaves it out
---@return cuna.Array # uint8, of the shape of x and 4 channels, or 3 without opacity
---@overload fun(x: cuna.Operand, options: {vmin?: number, vmax?: number, alpha?: number|boolean}): cuna.Array
function cm.jet(x, vmin, vmax, alpha) end

cm.turbo = cm.jet

cm.coolwarm = cm.jet

cm.RdBu = cm.jet

cm.twilight = cm.jet

cm.tab10 = cm.jet

--- Draws a curve through points. NaN and infinities leave gaps. Follows matplotlib.axes.Axes.plot.
---
--- ```lua
--- cn.plot.figure():plot({1, 2, 3}, {4, 5, 6}, {label = "a line", color = "red"}) --> Figure(1 axes, 1 series)
--- cn.plot.figure():plot({4, 5, 6}, "--o") --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil # (n,)
---@param style string|nil # a line (- -- : -.), a marker (o . x + * s ^ v D) or both, after a colour's letter: "r--o"
---@param options {label?: string, color?: string|number[], style?: string, linewidth?: number, marker?: string, # markersize?: number, alpha?: number}|nil color: a name, "#rrggbb" or {r, g, b} of 0 to 1
---@return cuna.Figure
function Figure:plot(x, y, style, options) end

--- Draws points. Follows matplotlib.axes.Axes.scatter.
---
--- ```lua
--- cn.plot.figure():scatter({1, 2, 3}, {4, 5, 6}, {c = {0, 1, 2}}) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil # (n,)
---@param options {label?: string, color?: string|number[], marker?: string, markersize?: number, alpha?: number, c?: # cuna.Operand, cmap?: string, vmin?: number, vmax?: number}|nil c: numbers (n,), which cmap turns into colours
---@return cuna.Figure
function Figure:scatter(x, y, options) end

--- Draws how many elements lie in each of some intervals; NaN and infinities are left out. Follows
--- matplotlib.axes.Axes.hist.
---
--- ```lua
--- cn.plot.figure():hist({1, 2, 2, 3}, 3) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # any shape
---@param bins integer|cuna.Operand|nil # how many, or their edges; default 10
---@param options {label?: string, color?: string|number[], alpha?: number, bins?: integer|cuna.Operand, range?: # number[], density?: boolean, weights?: cuna.Operand}|nil as for cn.histogram
---@return cuna.Figure
function Figure:hist(x, bins, options) end

--- Draws bars. Follows matplotlib.axes.Axes.bar.
---
--- ```lua
--- cn.plot.figure():bar({"red", "green"}, {3, 5}) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand|string[] # (n,): the middles of the bars, or their names
---@param height cuna.Operand # (n,)
---@param options {label?: string, color?: string|number[], alpha?: number, width?: number}|nil # width: default 0.8
---@return cuna.Figure
function Figure:bar(x, height, options) end

--- Draws an image, the first row at the top; the pixel of row i and column j is at x = j and y = i, which count from 1.
--- Follows matplotlib.axes.Axes.imshow.
---
--- ```lua
--- cn.plot.figure():imshow(cn.arange(6):reshape(2, 3), {cmap = "gray"}) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (height, width), whose numbers cmap turns into colours, or (height, width, 3 or 4): uint8, uint16 or floats of 0 to 1
---@param options {cmap?: string, vmin?: number, vmax?: number, extent?: number[], origin?: string}|nil # extent: {left, right, bottom, top}; origin: "upper" (default), or "lower" for the first row at the bottom
---@return cuna.Figure
function Figure:imshow(x, options) end

--- Draws curves along which numbers of a grid are equal. Follows matplotlib.axes.Axes.contour.
---
--- ```lua
--- cn.plot.figure():contour(cn.arange(6):reshape(2, 3), {levels = {1, 2}}) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (columns,) or the shape of z; or z alone
---@param y cuna.Operand|nil # (rows,) or the shape of z
---@param z cuna.Operand|nil # (rows, columns)
---@param options {levels?: integer|cuna.Operand, cmap?: string, color?: string|number[], linewidth?: number, alpha?: # number, label?: string}|nil levels: about how many (default 8), or which; color: instead of a map's
---@return cuna.Figure
function Figure:contour(x, y, z, options) end

--- Draws a surface over a grid, in colours by height. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.plot_surface.
---
--- ```lua
--- cn.plot.figure():surface(cn.arange(6):reshape(2, 3)) --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (columns,) or the shape of z; or z alone
---@param y cuna.Operand|nil # (rows,) or the shape of z
---@param z cuna.Operand|nil # (rows, columns)
---@param options {cmap?: string, vmin?: number, vmax?: number, label?: string}|nil
---@return cuna.Figure
function Figure:surface(x, y, z, options) end

--- Sets the title of the current axes. It is shown as it is: without markup. Follows matplotlib.axes.Axes.set_title.
---
--- ```lua
--- cn.plot.figure():title "a_b, not a with an index" --> Figure(1 axes, 0 series)
--- ```
---@param text string
---@return cuna.Figure
function Figure:title(text) end

--- Sets the label of the horizontal axis. Follows matplotlib.axes.Axes.set_xlabel.
---
--- ```lua
--- cn.plot.figure():xlabel "time in s" --> Figure(1 axes, 0 series)
--- ```
---@param text string
---@return cuna.Figure
function Figure:xlabel(text) end

--- Sets the label of the vertical axis, of a surface the second one. Follows matplotlib.axes.Axes.set_ylabel.
---
--- ```lua
--- cn.plot.figure():ylabel "height in m" --> Figure(1 axes, 0 series)
--- ```
---@param text string
---@return cuna.Figure
function Figure:ylabel(text) end

--- Sets the label of a surface's vertical axis. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.set_zlabel.
---
--- ```lua
--- cn.plot.figure():zlabel "height in m" --> Figure(1 axes, 0 series)
--- ```
---@param text string
---@return cuna.Figure
function Figure:zlabel(text) end

--- Sets the ends of the horizontal axis; nil is chosen by the data. Follows matplotlib.axes.Axes.set_xlim.
---
--- ```lua
--- cn.plot.figure():xlim(0, 10) --> Figure(1 axes, 0 series)
--- ```
---@param low number|number[]|nil # or {low, high}
---@param high number|nil # less than low for an axis in the other direction
---@return cuna.Figure
function Figure:xlim(low, high) end

--- Sets the ends of the vertical axis, of a surface the second one. Follows matplotlib.axes.Axes.set_ylim.
---
--- ```lua
--- cn.plot.figure():ylim(0) --> Figure(1 axes, 0 series)
--- ```
---@param low number|number[]|nil # or {low, high}
---@param high number|nil
---@return cuna.Figure
function Figure:ylim(low, high) end

--- Sets the ends of a surface's vertical axis. Follows mpl_toolkits.mplot3d.axes3d.Axes3D.set_zlim.
---
--- ```lua
--- cn.plot.figure():zlim(-1, 1) --> Figure(1 axes, 0 series)
--- ```
---@param low number|number[]|nil # or {low, high}
---@param high number|nil
---@return cuna.Figure
function Figure:zlim(low, high) end

--- Sets the scale of the horizontal axis; on a logarithmic one numbers up to 0 leave gaps. Follows
--- matplotlib.axes.Axes.set_xscale.
---
--- ```lua
--- cn.plot.figure():xscale "log" --> Figure(1 axes, 0 series)
--- ```
---@param scale string # "linear" or "log"
---@return cuna.Figure
function Figure:xscale(scale) end

--- Sets the scale of the vertical axis. Follows matplotlib.axes.Axes.set_yscale.
---
--- ```lua
--- cn.plot.figure():yscale "log" --> Figure(1 axes, 0 series)
--- ```
---@param scale string # "linear" or "log"
---@return cuna.Figure
function Figure:yscale(scale) end

--- Shows the labels of curves. Follows matplotlib.axes.Axes.legend.
---
--- ```lua
--- cn.plot.figure():plot({1, 2}, {label = "a"}):legend "upper left" --> Figure(1 axes, 1 series)
--- ```
---@param place string|nil # "upper right" (default), "upper left", "lower left", "lower right", "upper center", "lower center", "center left", "center right", "center" or "outside"
---@return cuna.Figure
function Figure:legend(place) end

--- Shows lines at the ticks, or hides them. Follows matplotlib.axes.Axes.grid.
---
--- ```lua
--- cn.plot.figure():grid() --> Figure(1 axes, 0 series)
--- ```
---@param visible boolean|nil # default true
---@return cuna.Figure
function Figure:grid(visible) end

--- Shows the colours of numbers beside the axes. Follows matplotlib.figure.Figure.colorbar.
---
--- ```lua
--- cn.plot.figure():imshow({{1, 2}, {3, 4}}):colorbar "height in m" --> Figure(1 axes, 1 series)
--- ```
---@param label string|nil
---@return cuna.Figure
function Figure:colorbar(label) end

--- Makes an axes current: part k of rows x columns equal parts of the figure, which count from 1, row by row. Where
--- there is none yet, it is made. Follows matplotlib.pyplot.subplot.
---
--- ```lua
--- cn.plot.figure():subplot(1, 2, 1):plot({1, 2}):subplot(1, 2, 2):plot({2, 1}) --> Figure(2 axes, 2 series)
--- ```
---@param rows integer
---@param columns integer
---@param k integer
---@return cuna.Figure
function Figure:subplot(rows, columns, k) end

--- Writes the figure to a file, whose suffix names the format: .png, .svg, .pdf, or .txt for characters. An existing
--- file is replaced when the new one is complete. Needs gnuplot (Debian's gnuplot-nox); its message is the error.
--- Follows matplotlib.figure.Figure.savefig.
---
--- ```lua
--- (function(p) cn.plot({3, 1, 2}):save(p) return os.remove(p) end)(os.tmpname() .. ".png") --> true
--- ```
---@param path string
---@return cuna.Figure
function Figure:save(path) end

Figure.savefig = Figure.save

--- The figure in characters. Needs gnuplot.
---
--- ```lua
--- #cn.plot({3, 1, 2}):text(40, 10) > 100 --> true
--- ```
---@param columns integer|nil # default 79
---@param rows integer|nil # default 24
---@return string
function Figure:text(columns, rows) end

--- Shows the figure: in a window, where there are a screen and a gnuplot with windows (Debian's gnuplot-qt), else in
--- characters on the standard output. Needs gnuplot. Follows matplotlib.pyplot.show, but does not wait.
---
--- ```lua
--- cn.plot({3, 1, 2}):show() --> Figure(1 axes, 1 series)
--- ```
---@return cuna.Figure
function Figure:show() end

--- A new figure, with one axes. Follows matplotlib.pyplot.figure.
---
--- ```lua
--- cn.plot.figure {figsize = {8, 3}} --> Figure(1 axes, 0 series)
--- ```
---@param figsize number[]|nil # {width, height} in inches; default {6.4, 4.8}
---@param dpi number|nil # dots per inch of a .png; default 100
---@return cuna.Figure
---@overload fun(options: {figsize?: number[], dpi?: number}): cuna.Figure
function plot.figure(figsize, dpi) end

--- A figure with a curve, cn.plot(y) or cn.plot(x, y) for short; figure:plot explains the options. Follows
--- matplotlib.pyplot.plot.
---
--- ```lua
--- cn.plot({3, 1, 2}):title "three numbers" --> Figure(1 axes, 1 series)
--- ```
---@param x cuna.Operand # (n,), or y alone, whose positions from 1 are x then
---@param y cuna.Operand|nil # (n,)
---@param options table|nil # label, color, style, linewidth, marker, markersize, alpha
---@return cuna.Figure
function plot.plot(x, y, options) end

--- Counts steps, in loops of other kinds than `for`.
---
--- ```lua
--- cn.progress(10):step(3).count --> 3
--- ```
---@param count integer|nil # default 1
---@return cuna.Progress
function Progress:step(count) end

--- Ends the line; a `for` loop that comes to its end does that, and one that is left by break does not.
---
--- ```lua
--- cn.progress(10):close() -->
--- ```
function Progress:close() end

--- Shows on the terminal how far a loop is, with its rate and the time that is left:
--- for i in cn.progress(100) do ... end. Over an array or a table the loop is as with ipairs, over an iterator as
--- without the progress: for k, v in cn.progress(pairs(t)) do. The line is written to the standard error at most ten
--- times a second, and not at all if that is not a terminal. Operations on a GPU are counted when they are submitted.
--- Follows tqdm.tqdm.
---
--- ```lua
--- (function(s) for i in cn.progress(4) do s = s + i end return s end)(0) --> 10
--- (function(s) for _, row in cn.progress(cn.eye(3)) do s = s + row end return s end)(0) --> [1. 1. 1.]
--- ```
---@param n integer|cuna.Array|table|function # how many steps, what has them, or an iterator, its state and control
---@param options {total?: integer, label?: string, leave?: boolean}|nil # total: the steps of an iterator; leave: false erases the line at the end
---@return cuna.Progress
function cn.progress(n, options) end
