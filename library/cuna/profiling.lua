---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Profiling.

---@class cuna.profiler
local profiler = {}

--- The result of benchmark. tostring gives the line that CuPy prints.
---@class cuna.Benchmark
---@field name string
---@field cpu_times number[] seconds
---@field gpu_times number[][] seconds, a list for each CUDA device
---@field devices cuna.Device[] the CUDA devices
local Benchmark = {}

--- The times as one line: of the host, and with show_gpu of the CUDA devices.
---
--- ```lua
--- cn.profiler.benchmark(function() end, {}, {n_repeat = 1, name = "f"}):to_str():match "%S+" --> f
--- ```
---@param show_gpu boolean|nil # default false
---@return string
function Benchmark:to_str(show_gpu) end

--- Measures calls of fn: the host's time for each, and, by events, the time that the current streams of CUDA devices
--- are busy. Waits for the device after each call. Follows cupyx.profiler.benchmark.
---
--- ```lua
--- #cn.profiler.benchmark(cn.sin, {cn.ones(4)}, {n_repeat = 5}).cpu_times --> 5
--- tostring(cn.profiler.benchmark(cn.sin, {cn.ones(4)}, {n_repeat = 5})):match "^sin" --> sin
--- ```
---@param fn function
---@param args table|nil # its arguments, as a list
---@param options table|nil # {n_repeat = 10000, n_warmup = 10: calls before the measurement, max_duration = math.huge: seconds after which it ends early, name = the name of fn in the line, devices = a list of devices to measure; default: the current one}
---@return cuna.Benchmark # result print it, or take the seconds from result.cpu_times and result.gpu_times
function profiler.benchmark(fn, args, options) end

--- Runs fn(...) as a named range in the timelines of NVIDIA's profilers (NVTX, if its library is installed) and in
--- cn.profiler.trace. Ranges nest; one ends when fn ends, fails or yields. Follows cupyx.profiler.time_range.
---
--- ```lua
--- cn.profiler.time_range("double", function(x) return x * 2 end, cn.ones(2)) --> [2. 2.]
--- ```
---@param message string
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function profiler.time_range(message, fn, ...) end

--- Runs fn(...) and writes the device work of the process meanwhile as a Chrome trace, for https://ui.perfetto.dev and
--- chrome://tracing. The trace has launches, copies, fills, graphs and transfers between ranks by name, with bytes, in
--- each device's streams and as calls on the host; allocations and frees, memory in use; ranges (time_range). The path
--- is the first argument, like time_range's message, and optional. Waits for the devices at the end. The file is
--- written after an error in fn too.
---
--- ```lua
--- cn.profiler.trace("/dev/null", function(x) return x + 1 end, cn.ones(2)) --> [2. 2.]
--- ```
---@param path string|nil # default: "cuna-trace.json" in the current folder
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function profiler.trace(path, fn, ...) end
