--- What newer versions of SciPy than that of signals.py give: envelopes, filters of least order and phase, forwards and
--- back by Gustafsson's method, more ways in which signals continue, exact coefficients, ridges.
local cases = require "spec.support.cases"
local cn = require "cuna"
local raises = require("spec.support.raises").raises

local written = cases.read("spec/golden/signals_newer.lua", function() return cn.signal end)
for group in ("envelope design gust mode fitted ridges"):gmatch "%S+" do cases.check_group(written, group) end

it("newer functions of cn.signal reject what does not fit", function()
  local signal = cn.signal
  local function refused(text, name, ...)
    local values, count = {...}, select("#", ...)
    raises(text, function() return signal[name](unpack(values, 1, count)), 1 end)
  end
  local x = cn.ones(8)
  refused("signal.envelope: frequencies of 8 samples are from -4 to 3, got a band from 1 to 4", "envelope", x, {1, 4})
  refused("signal.envelope: bp_in is {first, last}, got 3", "envelope", x, 3)
  refused("signal.envelope: n_out is from 1 on, got 0", "envelope", x, {n_out = 0})
  refused('signal.envelope: residual is "lowpass" or "all", got "none"', "envelope", x, {residual = "none"})
  refused("signal.envelope: axis 1 has no elements", "envelope", cn.ones(0))
  refused('signal.iirdesign: ftype is "butter", "cheby1", "cheby2" or "ellip", got "bessel"', "iirdesign", 0.2, 0.3, 1,
    40, {ftype = "bessel"})
  refused("signal.iirdesign: one of passband and stopband lies within the other", "iirdesign", {0.2, 0.5}, {0.3, 0.6},
    1, 40)
  refused("signal.iirdesign: gpass is above 0 and below gstop, got 40 and 1 dB", "iirdesign", 0.2, 0.3, 40, 1)
  refused("signal.minimum_phase: h has at least 3 taps, got 2", "minimum_phase", {1, 1})
  refused("signal.minimum_phase: h is real, got complex128", "minimum_phase", cn.ones(5, "complex128"))
  refused("signal.minimum_phase: n_fft is at least the number of taps, 8, got 4", "minimum_phase", x, {n_fft = 4})
  refused('signal.minimum_phase: half = false is of method "homomorphic"', "minimum_phase", x, "hilbert",
    {half = false})
  refused('signal.minimum_phase: method "hilbert" is for taps with a gain of about 1 in the passband, got 9',
    "minimum_phase", {1, 2, 3, 2, 1}, "hilbert")
  refused('signal.filtfilt: method is "pad" or "gust", got "both"', "filtfilt", {1, 2}, {1}, x, {method = "both"})
  refused('signal.filtfilt: irlen is of method "gust"', "filtfilt", {1, 2}, {1}, x, {irlen = 3})
  refused('signal.filtfilt: padtype and padlen are of method "pad"', "filtfilt", {1, 2}, {1}, x,
    {method = "gust", padlen = 3})
  refused('signal.filtfilt: method "gust" takes at least as many elements as the filter has states, 9, got an axis',
    "filtfilt", cn.ones(10), {1}, x, {method = "gust"})
  refused("signal.upfirdn: mode is one of antireflect, antisymmetric, constant, edge, line, reflect, smooth, "
    .. 'symmetric, wrap, got "odd"', "upfirdn", {1}, x, {mode = "odd"})
  refused('signal.upfirdn: mode "line" takes at least 2 elements along the axis, got 1', "upfirdn", {1, 1}, {1},
    {mode = "line"})
  refused("signal.find_peaks_cwt: there are 0 widths and 8 elements", "find_peaks_cwt", x, {})
  refused("signal.find_peaks_cwt: max_distances has 1 numbers for 2 widths", "find_peaks_cwt", x, {1, 2},
    {max_distances = {1}})
  refused("signal.find_peaks_cwt: noise_perc is at most 100, got 101", "find_peaks_cwt", x, {1, 2}, {noise_perc = 101})
end)
