-- Workloads of signals, as subjects.lua describes. Their twins are in signal_peers.py.
local cn = require "cuna"

return function(spread, length)
  local n, lines = length(1e6), length(1000)
  local long, many = 8 * n, 8 * lines * 10000

  local makers = {
    samples = function() return spread { n }:astype "float64" end,
    signals = function() return spread { lines, 10000 }:astype "float64" end,
    filter_taps = function() return cn.signal.firwin(1001, 0.2) end,
    sections = function() return cn.signal.butter(6, 0.2, { output = "sos" }) end,
    samples_1e7 = function() return spread { length(1e7) }:astype "float64" end,
    picture_f64 = function() return spread { length(1024), length(1024) }:astype "float64" end,
    noise_n = function()
      local x = cn.arange(n) * 12.9898
      return cn.sin(x * x)
    end,
  }

  local made
  local function short_time()
    made = made or cn.signal.ShortTimeFFT("hann", 512, 1, { nperseg = 1024 })
    return made
  end

  return makers, {
    { "signal_fftconvolve_1e6_1001", long, long, "samples filter_taps",
      function(x, h) return cn.signal.fftconvolve(x, h, "same") end },
    { "signal_oaconvolve_1e6_1001", long, long, "samples filter_taps",
      function(x, h) return cn.signal.oaconvolve(x, h, "same") end },
    { "signal_convolve2d_1024_7", 8 * length(1024) ^ 2, 8 * length(1024) ^ 2, "picture_f64",
      function(x) return cn.signal.convolve2d(x, cn.ones { 7, 7 }, "same") end },
    { "signal_lfilter_1e6", long, long, "samples",
      function(x) return (cn.signal.lfilter({ 0.1, 0.2, 0.1, 0.05, 0.01 }, { 1, -0.5, 0.2, -0.1, 0.05 }, x)) end },
    { "signal_lfilter_1e7", 8 * length(1e7), 8 * length(1e7), "samples_1e7",
      function(x) return (cn.signal.lfilter({ 0.1, 0.2, 0.1, 0.05, 0.01 }, { 1, -0.5, 0.2, -0.1, 0.05 }, x)) end },
    { "signal_lfilter_1000_1e4", many, many, "signals",
      function(x) return (cn.signal.lfilter({ 0.1, 0.2, 0.1, 0.05, 0.01 }, { 1, -0.5, 0.2, -0.1, 0.05 }, x)) end },
    { "signal_sosfilt_1e6", long, long, "samples sections", function(x, sos) return (cn.signal.sosfilt(sos, x)) end },
    { "signal_sosfilt_1000_1e4", many, many, "signals sections",
      function(x, sos) return (cn.signal.sosfilt(sos, x)) end },
    { "signal_filtfilt_1e6", long, long, "samples",
      function(x) return cn.signal.filtfilt({ 0.1, 0.2, 0.1, 0.05, 0.01 }, { 1, -0.5, 0.2, -0.1, 0.05 }, x) end },
    { "signal_savgol_1e6", long, long, "samples", function(x) return cn.signal.savgol_filter(x, 31, 3) end },
    { "signal_hilbert_1e6", long, 2 * long, "samples", function(x) return cn.signal.hilbert(x) end },
    { "signal_dct_1000_1e4", many, many, "signals", function(x) return cn.fft.dct(x) end },
    { "signal_spline_filter_1024", 8 * length(1024) ^ 2, 8 * length(1024) ^ 2, "picture_f64",
      function(x) return cn.ndimage.spline_filter(x) end },
    { "signal_short_time_1e6", long, 2 * long, "samples",
      function(x) return short_time():stft(x) end },
    { "signal_welch_1e6", long, long / 1e3, "samples", function(x) return (select(2, cn.signal.welch(x))) end },
    { "signal_find_peaks_1e6", long, long / 4, "noise_n",
      function(x) return (cn.signal.find_peaks(x, { height = 0.5, prominence = 0.5 })) end },
    { "signal_resample_poly_1e6", long, long * 3 / 2, "samples",
      function(x) return cn.signal.resample_poly(x, 3, 2) end },
  }
end
