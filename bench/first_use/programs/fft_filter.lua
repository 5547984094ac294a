-- A noisy signal of three tones: its spectrum, its peaks, a low pass and a comparison with the clean signal.
local cn = require "cuna"

local COUNT, RATE = 16384, 1000
local rng = cn.random.default_rng(8)

local time = cn.arange(0, COUNT) / RATE
local clean = cn.sin(2 * math.pi * 13 * time) + 0.5 * cn.sin(2 * math.pi * 31 * time + 1)
local signal = clean + 0.4 * cn.cos(2 * math.pi * 180 * time) + rng:normal(0, 0.8, COUNT)

local window = 0.5 - 0.5 * cn.cos(2 * math.pi * cn.arange(0, COUNT) / COUNT)
local frequencies = cn.fft.rfftfreq(COUNT, 1 / RATE)
local power = cn.abs(cn.fft.rfft(signal * window)) ^ 2
local left, middle, right = power[":-3"], power["2:-2"], power["3:"]
local is_peak = cn.logical_and(cn.logical_and(middle:gt(left), middle:ge(right)), middle:gt(0.02 * power:max():item()))
print("peaks at", cn.round(frequencies["2:-2"][is_peak], 3))

local spectrum = cn.fft.rfft(signal)
local filtered = cn.fft.irfft(cn.where(frequencies:lt(50), spectrum, 0), COUNT)
local function noise(x) return 10 * cn.log10((clean * clean):mean() / ((x - clean) ^ 2):mean()):item() end
print(("signal to noise: %.4f dB, filtered %.4f dB"):format(noise(signal), noise(filtered)))

local smooth = cn.convolve(signal, cn.ones(9) / 9, "same")
print(("moving mean %.4f dB, crossings of zero %d"):format(noise(smooth),
  (filtered[":-2"] * filtered["2:"]):lt(0):sum():item()))
