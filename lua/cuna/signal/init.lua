--- init.lua: cn.signal, functions of signals along an axis. Loaded when it is first named.
local namespace = require "cuna.base.namespace"
local windows = require "cuna.signal.windows"

local M = {namespace = {}}
local F = M.namespace -- cn.signal

namespace.fill(F, "signal", {
  "windows", "waveforms", "convolution", "prototypes", "transforms", "iir", "orders", "fir", "response", "filters",
  "resampling", "smoothing", "spectra", "short_time", "short_time_fft", "zoom", "wavelets", "peaks",
  "envelope", "ridges"
})

F.windows = namespace.make("signal.windows", windows.windows)
namespace.make("signal", F)

return M
