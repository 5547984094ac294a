-- Figures: the scripts that gnuplot gets, errors, and, where gnuplot is installed, what it draws.
local cn = require "cuna"
local devices = require "spec.support.devices"
local gnuplot = require "cuna.plot.gnuplot"
local raises = require("spec.support.raises").raises

--- Calls fn(), which draws; returns the script and the files that gnuplot gets.
local function scripted(fn)
  local run, script, files = gnuplot.run, nil, nil
  gnuplot.run = function(text, given) script, files = text, given return "drawn" end
  local ok, problem = pcall(fn)
  gnuplot.run = run
  assert(ok, problem)
  return script, files
end

local function script_of(figure)
  return scripted(function() figure:text() end)
end

local function has(script, ...)
  for _, text in ipairs {...} do assert(script:find(text, 1, true), "no " .. text .. " in\n" .. script) end
end

--- The numbers of a file.
local function numbers(bytes) return cn.frombuffer(bytes, "float64"):totable() end

describe("a figure's script", function()
  devices.each_device(function()
    it("has columns of float64, in which infinities are NaN", function()
      local script, files = script_of(cn.plot(cn.array({1, 2, 3}, "int32"), cn.array({4, cn.inf, cn.nan}, "float32")))
      has(script, "plot 'data1' binary format='%float64%float64' using 1:2 with lines lc rgb '#1f77b4' dt 1 lw 1.5 not")
      local got = numbers(files.data1)
      assert.same({1, 4, 2, 3}, {got[1], got[2], got[3], got[5]})
      assert.is_true(got[4] ~= got[4] and got[6] ~= got[6])
    end)

    it("has images, grids and histograms", function()
      local figure = cn.plot.figure():imshow(cn.array {{1, 2, 3}, {4, 5, 6}}, {cmap = "gray"})
      local script, files = script_of(figure)
      has(script, "'data1' binary array=(3,2) origin=(1,1) format='%float64' using 1 with image",
        "set yrange [2.5:0.5]", "set cbrange [1:6]", "set palette maxcolors 0 defined (1 '#000000',2 '#010101',")
      assert.same({1, 2, 3, 4, 5, 6}, numbers(files.data1))

      script, files = script_of(cn.plot.figure():imshow(cn.zeros {1, 2, 3}, {extent = {0, 4, 0, 1}}))
      has(script, "array=(2,1) origin=(1,0.5) dx=2 dy=1 format='%uchar%uchar%uchar' using 1:2:3 with rgbimage")
      assert.equal(("\0"):rep(6), files.data1)

      script, files = script_of(cn.plot.figure():surface({10, 20}, {1, 2}, {{0, 1}, {2, 3}}))
      has(script, "splot 'data1' binary record=(2,2) format='%float64%float64%float64' using 1:2:3 with pm3d")
      assert.same({10, 1, 0, 20, 1, 1, 10, 2, 2, 20, 2, 3}, numbers(files.data1))

      script, files = script_of(cn.plot.figure():hist({1, 1, 2, 3, cn.nan, cn.inf}, 2, {color = "r"}))
      has(script, "with boxes fs solid noborder lc rgb '#ff0000'", "set yrange [0:*]")
      assert.same({1.5, 2, 1, 2.5, 2, 1}, numbers(files.data1))
    end)
  end)

  it("quotes every text of the user", function()
    local evil = "it's `touch x`\n\"$(y)\" @z \\ a_b\0"
    local quoted = [['it'."'".'s `touch x`'."\n".'"$(y)" @z \ a_b ']]
    local figure = cn.plot({1, 2}, {label = evil}):title(evil):xlabel(evil):ylabel(evil):legend()
    local script = script_of(figure:bar({evil, "b"}, {1, 2}))
    has(script, "set title " .. quoted .. " noenhanced\n", "set xlabel " .. quoted .. " noenhanced\n",
      "set ylabel " .. quoted .. " noenhanced\n", "title " .. quoted .. " noenhanced, ", "(" .. quoted .. " 1,'b' 2)")
  end)

  it("has styles, scales, limits and places", function()
    local figure = cn.plot.figure():subplot(2, 2, 3)
    figure:plot({1, 2}, {style = "r--o", linewidth = 3, alpha = 0.5}):plot({1, 2}, {style = "x", color = "#0f8"})
    figure:scatter({1, 2}, {3, 4}, {color = {0, 0.5, 1}, marker = "s"})
    figure:xscale "log":ylim(0, 5):xlim {1}:grid():legend "lower left"
    figure:plot({1, 2}, {3, 4}, "b--", {linewidth = 4}):plot({1, 2}, "g:")
    local script = script_of(figure)
    has(script, "with lines lc rgb '#0000ff' dt 2 lw 4", "with lines lc rgb '#008000' dt 3 lw 1.5",
      "with linespoints lc rgb '#7fff0000' dt 2 lw 3 pt 7 ps 1 ", "with points lc rgb '#00ff88' pt 2 ps 1",
      "with points lc rgb '#0080ff' pt 5 ps 1", "set logscale x", "set yrange [0:5]", "set xrange [1:*]", "set grid ",
      "set key opaque fc rgb '#40ffffff' bottom left", "set multiplot", "set origin 0,0\nset size 0.5,0.5")
  end)

  it("leaves room around markers, where the axis is linear", function()
    has(script_of(cn.plot({1, 2}, "o")), "set offsets graph 0.02, graph 0.02, graph 0.05, graph 0.05\n")
    has(script_of(cn.plot.figure():scatter({1, 2}, {3, 4}):xscale "log"), "set offsets 0, 0, graph 0.05, graph 0.05\n")
    has(script_of(cn.plot.figure():bar({"a", "b"}, {1, 2})), "set offsets graph 0.02, graph 0.02, graph 0.05, 0\n")
    assert.is_nil(script_of(cn.plot {1, 2}):find "offsets")
  end)

  it("gives each curve a colour of its own, and finds a part again", function()
    local figure = cn.plot.figure():subplot(1, 2, 1):plot {1, 2}:subplot(1, 2, 2):plot {1, 2}
    figure:subplot(1, 2, 1):plot {2, 1}
    assert.equal("Figure(2 axes, 3 series)", tostring(figure))
    local _, count = script_of(figure):gsub("#1f77b4", "")
    assert.equal(2, count)
    has(script_of(figure), "#ff7f0e")
  end)

  it("has limits where nothing can be drawn", function()
    has(script_of(cn.plot({cn.nan, cn.inf}, {label = "none"}):legend()), "set xrange [0:1]", "set yrange [0:1]",
      "plot NaN with lines title 'none' noenhanced")
    has(script_of(cn.plot.figure():yscale "log"), "set yrange [0.1:1]", "plot NaN notitle")
  end)

  it("finds contours before it draws them", function()
    local script = script_of(cn.plot.figure():contour({{0, 1}, {2, 3}}, {levels = {0.5, 1}, color = "k"}))
    has(script, "set cntrparam levels discrete 0.5,1\nset table $data1\nsplot 'data1' ",
      "plot $data1 using 1:2:3 with lines lc rgb '#000000' lw 1.5 notitle")
  end)
end)

describe("a figure", function()
  it("raises errors of one line", function()
    local figure = cn.plot.figure()
    for message, fn in pairs {
      ["figure:plot: x has 2 elements, and y has 3"] = function() figure:plot({1, 2}, {1, 2, 3}) end,
      ["figure:plot: the first argument is a vector, got shape (2, 2)"] = function() figure:plot(cn.zeros {2, 2}) end,
      ["figure:plot: takes x, y, a style such as \"--o\" and a table of options; argument 3 is a table"] = function()
        figure:plot({1}, {2}, {3})
      end,
      ["figure:plot: style is given by position and by option"] = function()
        figure:plot({1}, "--", {style = "-"})
      end,
      ["figure:plot: the first argument is missing"] = function() figure:plot() end,
      ["figure:plot: unknown option 'colour'; known are alpha, color, label, "] = function()
        figure:plot({1}, {colour = "red"})
      end,
      ["figure:plot: color is a name such as \"red\" or \"C0\", \"#rrggbb\", or {red, green, blue} of 0 to 1, got "]
        = function() figure:plot({1}, {color = "rad"}) end,
      ["figure:plot: style is solid, dashed, dotted or dashdot, or a line (- -- : -.), a marker "
        .. "(o . x + * s ^ v D) or both, after a letter of color, got "] = function()
        figure:plot({1}, {style = "~"})
      end,
      ["figure:plot: the first argument is complex; take x:abs()"] = function()
        figure:plot(cn.zeros(3, "complex64"))
      end,
      ["figure:scatter: x has 2 elements, and c has 1"] = function() figure:scatter({1, 2}, {1, 2}, {c = {1}}) end,
      ["figure:scatter: cmap is one of "] = function() figure:scatter({1, 2}, {c = {1, 2}, cmap = "x"}) end,
      ["figure:imshow: an image has shape (height, width), or 3 or 4 channels, got (3,)"] = function()
        figure:imshow {1, 2, 3}
      end,
      ["figure:imshow: origin is \"upper\" or \"lower\", got \"top\""] = function()
        figure:imshow({{1}}, {origin = "top"})
      end,
      ["figure:contour: x of shape (3,) does not belong to z of shape (2, 2)"] = function()
        figure:contour({1, 2, 3}, {1, 2}, {{1, 2}, {3, 4}})
      end,
      ["figure:surface: z is a matrix of at least 2 x 2, got shape (2,)"] = function() figure:surface {1, 2} end,
      ["figure:title: expected a string, got 5"] = function() figure:title(5) end,
      ["figure:xlim: the limits are equal, 1"] = function() figure:xlim(1, 1) end,
      ["figure:ylim: limits are finite, got inf"] = function() figure:ylim(0, cn.inf) end,
      ["figure:xscale: a scale is \"linear\" or \"log\", got \"sqrt\""] = function() figure:xscale "sqrt" end,
      ["figure:legend: the place is one of best, center, "] = function() figure:legend "top" end,
      ["figure:subplot: k is of 1 to 4, got 5"] = function() figure:subplot(2, 2, 5) end,
      ["figure:save: the path's suffix names the format, one of pdf, png, svg, txt, got \"x.gif\""] = function()
        figure:save "x.gif"
      end,
      ["a figure has no method 'plotx'; did you mean 'plot'?"] = function() figure:plotx() end,
      ["plot: a figure's function is called with a colon: fig:plot(...)"] = function() figure.plot({1}) end,
      ["plot.figure: a figure has 50 to 20000 dots a side"] = function() cn.plot.figure {figsize = {1e5, 1}} end,
      ["plot has no function 'figur'; did you mean 'figure'?"] = function() cn.plot.figur() end,
    } do
      raises(message, fn)
    end
  end)

  it("has a surface or other things", function()
    local figure = cn.plot {1, 2}
    raises("figure:surface: a surface has three axes, and other things two; use subplot", function()
      figure:surface {{1, 2}, {3, 4}}
    end)
    figure = cn.plot.figure():imshow({{1, 2}}, {cmap = "jet"})
    raises("figure:imshow: an axes has one map of colors, here jet and gray; use subplot", function()
      figure:imshow({{1, 2}}, {cmap = "gray"})
    end)
  end)

  it("needs gnuplot, of which a missing one is an error with the package", function()
    local command = gnuplot.command
    gnuplot.command = "no such gnuplot"
    local ok, message = pcall(function() cn.plot({1, 2}):text() end)
    gnuplot.command = command
    assert.is_false(ok)
    assert.has.match("cuna: figure:text: plots need gnuplot, which is not found; Debian's package is gnuplot%-nox",
      message)
  end)
end)

--- A program in gnuplot's place, which says that it has windows, and leaves a process behind as gnuplot does, or says
--- why it does not open one.
local function with_window(fn, problem_of_window)
  local path, command, getenv = os.tmpname(), gnuplot.command, os.getenv
  local file = io.open(path, "w")
  file:write("#!/bin/sh\ncase \"$*\" in *GPVAL*) echo ' dumb qt svg ' >&2; exit;; esac\ngrep terminal script >" .. path
    .. ".seen\n" .. (problem_of_window and "echo '" .. problem_of_window .. "' >&2\n" or "sleep 20 &\n"))
  file:close()
  os.execute("chmod +x " .. path)
  gnuplot.command = path
  os.getenv = function(name) return name == "DISPLAY" and ":0" or getenv(name) end -- luacheck: ignore
  local ok, problem = pcall(fn)
  gnuplot.command, os.getenv = command, getenv -- luacheck: ignore
  local seen = io.open(path .. ".seen")
  local text = seen and seen:read "*a"
  if seen then seen:close() end
  os.remove(path)
  os.remove(path .. ".seen")
  assert(ok, problem)
  return text
end

it("is shown in a window, and is not waited for", function()
  local started = cn.clock()
  local seen = with_window(function() cn.plot.figure({figsize = {5, 4}}):plot({1, 2}):show() end)
  assert.equal("set terminal qt enhanced size 500,400\n", seen)
  assert.is_true(cn.clock() - started < 10) -- on a busy machine
end)

it("that finds no screen says how to show it", function()
  with_window(function()
    raises("figure:show: gnuplot: unable to open display; there is no window on the screen :0, and without DISPLAY and "
      .. "WAYLAND_DISPLAY show writes characters", function() cn.plot.figure():plot({1, 2}):show() end)
  end, "gnuplot: unable to open display")
end)

-- ---- gnuplot ----

local pipe = io.popen "command -v gnuplot"
local has_gnuplot = pipe:read "*l" ~= nil
pipe:close()

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function lines_of(command)
  local list, output = {}, io.popen(command)
  for line in output:lines() do list[#list + 1] = line end
  output:close()
  return list
end

describe("gnuplot", function()
  local function it_with_gnuplot(title, fn) if has_gnuplot then it(title, fn) else pending(title) end end

  it_with_gnuplot("draws pictures of the size that is asked for", function()
    local path = os.tmpname()
    local figure = cn.plot.figure {figsize = {3, 2}, dpi = 100}
    figure:imshow(cn.full({2, 2, 3}, 1) * cn.array {0, 0, 1}):title "title"
    for suffix, begin in pairs {[".png"] = "\137PNG", [".svg"] = "<?xml", [".pdf"] = "%PDF", [".txt"] = ""} do
      figure:save(path .. suffix)
      assert.equal(begin, bytes_of(path .. suffix):sub(1, #begin))
    end
    local x = cn.imread(path .. ".png")
    assert.same({200, 300, 3}, {unpack(x.shape)})
    local blue = x[{{}, {}, 3}]:eq(255):logical_and(x[{{}, {}, 1}]:eq(0))
    assert.is_true(blue:sum():item() > 5000)
    for _, suffix in ipairs {"", ".png", ".svg", ".pdf", ".txt"} do os.remove(path .. suffix) end
  end)

  it_with_gnuplot("draws all kinds in characters", function()
    local z = cn.arange(12):reshape(3, 4)
    local figure = cn.plot.figure():subplot(3, 2, 1):plot({1, 2, 4}, {label = "curve"}):legend():title "one"
    figure:subplot(3, 2, 2):scatter({1, 2}, {1, 2}, {c = {0, 1}}):colorbar():subplot(3, 2, 3):hist({1, 2, 2}, 3)
    figure:subplot(3, 2, 4):imshow(z):contour(z):subplot(3, 2, 5):surface(z):subplot(3, 2, 6):bar({"a", "b"}, {1, 2})
    local text = figure:text(120, 80)
    assert.has.match("one", text)
    assert.has.match("curve", text)
  end)

  it_with_gnuplot("leaves gaps where there is no number", function()
    local whole = cn.plot({1, 1, 1, 1, 1, 1, 1, 1, 1}):ylim(0, 2):text(60, 9)
    local gap = cn.plot({1, 1, 1, cn.nan, cn.inf, cn.nan, 1, 1, 1}):ylim(0, 2):text(60, 9)
    assert.has.match("%*+", whole)
    assert.has.no.match("%*+ +%*+", (whole))
    assert.has.match("%*+ +%*+", gap)
  end)

  it_with_gnuplot("runs no command of a text, and leaves no file", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local evil = ("'`touch %s/pwned`$(touch %s/pwned)\";system('touch %s/pwned');'"):format(folder, folder, folder)
    local getenv = os.getenv
    os.getenv = function(name) return name == "TMPDIR" and folder .. "/" or getenv(name) end -- luacheck: ignore
    local text = cn.plot({1, 2}, {label = evil}):title(evil):legend():text(300, 20)
    os.getenv = getenv -- luacheck: ignore
    assert(text:find("'`touch", 1, true))
    assert.same({}, lines_of("ls " .. folder))
    os.remove(folder)
  end)

  it_with_gnuplot("says what it does not understand", function()
    raises("figure: gnuplot: undefined function: nonsense", function()
      local _ = gnuplot.run("plot nonsense(5)\n", {}, "figure")
    end)
  end)

  it_with_gnuplot("is not asked to draw over a file that cannot be written", function()
    raises("figure:save: cannot write '/nowhere/x.png'", function() cn.plot({1, 2}):save "/nowhere/x.png" end)
  end)
end)
