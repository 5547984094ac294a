-- Plots of a damped oscillator: its motion, its spectrum, where its energy goes, and its phase portrait, in one figure.
-- gnuplot draws them (Debian's gnuplot-nox); without it the phase portrait alone is written, as a picture.
--
--   build/cuna examples/plot.lua [picture.png]
local cn = require "cuna"

local path = arg[1]

-- ---- the oscillator ----

local DAMPING, FREQUENCY = 0.15, 2 * math.pi
local t = cn.linspace(0, 12, 1201)
local rng = cn.random.default_rng(3)

local function motion(amplitude, phase)
  return cn.exp(t * -DAMPING) * cn.cos(t * FREQUENCY + phase) * amplitude
end

local x = motion(1, 0)
local measured = x + rng:standard_normal(t.size) * 0.05
local v = cn.gradient(x, t[2] - t[1])
local power = cn.abs(cn.fft.rfft(measured)) ^ 2
local frequencies = cn.fft.rfftfreq(t.size, t[2] - t[1])
local peak = frequencies[power:argmax():item()]
print(("%d samples; the spectrum is greatest at %.2f Hz"):format(t.size, peak))

-- Of many oscillators, how often each place and speed is taken.
local places, speeds = {}, {}
for k = 1, 200 do
  local one = motion(0.5 + k / 400, k)
  places[k], speeds[k] = one, cn.gradient(one, t[2] - t[1]) / FREQUENCY
end
local density = cn.histogram2d(cn.concatenate(speeds), cn.concatenate(places), {60, 60}, {{-1, 1}, {-1, 1}})

-- ---- the picture ----

local function draw()
  local figure = cn.plot.figure {figsize = {10, 7}}
  figure:subplot(2, 2, 1):plot(t, measured, {label = "measured", color = "gray", alpha = 0.5})
    :plot(t, x, {label = "x(t)"}):plot(t, cn.exp(t * -DAMPING), {label = "envelope", style = "k--"})
    :title "Motion":xlabel "t in s":legend()
  figure:subplot(2, 2, 2):plot(frequencies, power):yscale "log":xlim(0, 5):grid()
    :title "Spectrum":xlabel "frequency in Hz":ylabel "power"
  figure:subplot(2, 2, 3):hist(measured - x, 30, {color = "orange"}):title "Noise":xlabel "measured - x"
  figure:subplot(2, 2, 4):imshow(density, {cmap = "magma", extent = {-1, 1, -1, 1}, origin = "lower"})
    :colorbar "samples":plot(x, v / FREQUENCY, {color = "cyan"})
    :title "Phase portrait":xlabel "x":ylabel "v / frequency"
  return figure
end

local figure = draw()
local ok, problem = pcall(function() io.write(cn.plot(t, x):title "x(t)":text(72, 16)) end)
if not ok then print(problem) end
if path and ok then
  figure:save(path)
elseif path then
  cn.imsave(path, cn.flipud(density):repeat_interleave(5, 1):repeat_interleave(5, 2), {cmap = "magma"})
end
if path then
  local height, width = unpack(cn.imread(path).shape)
  print(("\n%s: %d x %d"):format(path, width, height))
end
