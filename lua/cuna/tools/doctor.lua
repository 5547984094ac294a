--- The report of `build/cuna doctor`: what cuna finds on this machine, what is missing, and the remedy.
--
-- Every line is a separate check that cannot end the report: an error becomes the line's text. Each device computes a
-- small sum, because only that shows that driver, compiler and memory work together.
local ffi = require "ffi"

ffi.cdef "extern char **environ; int unsetenv(const char *name);"

local M = {}

local VARIABLES = {CUDA_VISIBLE_DEVICES = true, CUDA_HOME = true, CUDA_PATH = true, CXX = true, XDG_CACHE_HOME = true}

local function first_line(text)
  return (tostring(text):gsub("^[^\n]-cuna: ", ""):gsub(":\n%s*", ": "):gsub("\n.*", ""))
end

local function gib(bytes) return ("%.1f GiB"):format(bytes / 2 ^ 30) end

local function join(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if part and part ~= "" then parts[#parts + 1] = part end
  end
  return table.concat(parts, ", ")
end

local function require_again()
  package.loaded["cuna"], package.loaded["cuna.core"] = nil, nil -- a failed load leaves entries
  return pcall(require, "cuna")
end

--- Loads cuna; variables whose values prevent loading are reported and unset.
local function load(say)
  local loaded, cn = require_again()
  while not loaded do
    local name = cn:match "cuna: %a*:? ?(CUNA_[%u_]+)"
    if not name or not os.getenv(name) then break end
    say("missing", name, first_line(cn))
    ffi.C.unsetenv(name)
    loaded, cn = require_again()
  end
  if not loaded then say("missing", "cuna", first_line(cn)) end
  return loaded and cn
end

--- Reports a sum that needs a kernel on a device; returns whether it was correct.
local function try(say, cn, device, describe)
  local described, text = pcall(describe)
  local ran, sum = pcall(function() return cn.ones(1000, "float32", device):add(1):sum():item() end)
  local works = ran and sum == 2000
  local problem = not described and first_line(text) or not ran and first_line(sum)
    or not works and ("1000 times 1 + 1 is %s"):format(tostring(sum))
  say(works and "ok" or "missing", device.name, join(described and text or device.model, problem))
  return works
end

--- Reports whether a working device has a library for matrices.
local function try_matrices(say, cn, device)
  local ran, product = pcall(function()
    local ones = cn.ones({8, 8}, "float64", device)
    return cn.matmul(ones, ones)[{1, 1}]
  end)
  say(ran and product == 8 and "ok" or "missing", device.name .. " matrices",
    ran and ("8 times 1 * 1 is %s"):format(tostring(product)) or first_line(product))
end

local function tell_compiler(say, label, found)
  if found.compiler_version then
    say("ok", label, join(found.compiler, found.compiler_version))
  elseif found.remedy then
    say("missing", label, found.remedy)
  end
end

--- The cpu device computes without its compiler: what only the compiler can do is tried apart.
local function check_cpu_compiler(say, cn, found, works)
  local label = "cpu compiler"
  if not works or not found.compiler_version then
    local fails = "; without one, kernels from your own text and operations without loops fail"
    return tell_compiler(say, label, works and found.remedy and {remedy = found.remedy .. fails} or found)
  end
  local ran, sum = pcall(function()
    local add = cn.ElementwiseKernel("T x", "T y", "y = x + 1", "doctor")
    return add(cn.ones(1000, "float32", "cpu")):sum():item()
  end)
  local problem = not ran and first_line(sum) or sum ~= 2000 and ("1000 times 1 + 1 is %s"):format(tostring(sum))
  say(problem and "missing" or "ok", label, join(found.compiler, found.compiler_version, problem))
end

--- The library for a device's linear algebra.
local function tell_library(say, core, device)
  local name, where, problem = core.lapack_library(device)
  say(where and "ok" or "missing", name, where or problem)
end

local function check_cpu(say, cn, core)
  local found = core.describe_driver "cpu"
  local works = try(say, cn, cn.device "cpu", function()
    local device = cn.device "cpu"
    return join(device.model, found.threads .. (found.threads == "1" and " thread" or " threads"),
      found.instructions and found.instructions .. " instructions", gib(device.mem_info.free) .. " free of "
      .. gib(device.mem_info.total))
  end)
  if works then try_matrices(say, cn, cn.device "cpu") end
  if found.missing then say("missing", "cpu vectors", found.missing) end
  say(found.loops and "ok" or "missing", "cpu loops", found.loops or found.loops_missing)
  check_cpu_compiler(say, cn, found, works)
  say(found.place and "ok" or "missing", "cpu temporary",
    found.place or "no place for the compiler's files: " .. found.place_missing)
  say(found.image_place and "ok" or "missing", "cpu images",
    found.image_place or "no place for images: " .. found.image_place_missing)
  tell_library(say, core, cn.device "cpu")
  say(found.fft and "ok" or "missing", "FFTW", found.fft or found.fft_missing)
  return works
end

--- "sm_90" of "--gpu-architecture=sm_90 --fmad=false".
local function architecture(core, device)
  local arch = (core.device_options(device) or ""):match "%-%-gpu%-architecture=(%S+)"
  return arch and "kernels for " .. arch .. (arch:find "^compute_" and " (PTX: NVRTC is older than the GPU)" or "")
end

local function check_cuda_device(say, cn, core, id)
  local name = ("cuda:%d"):format(id)
  local opened, device = pcall(cn.device, name)
  if not opened then
    say("missing", name, first_line(device))
    return false
  end
  local works = try(say, cn, device, function()
    return join(device.model, "compute capability " .. device.compute_capability:gsub("(%d)$", ".%1"),
      gib(device.mem_info.free) .. " free of " .. gib(device.mem_info.total), architecture(core, device))
  end)
  if works then try_matrices(say, cn, device) end
  return works
end

local function check_cuda(say, cn, core)
  local found = core.describe_driver "cuda"
  if found.missing then
    say("missing", "CUDA driver", found.missing)
    return false
  end
  say("ok", "CUDA driver", join(found.library, found.version and "for CUDA " .. found.version))
  tell_compiler(say, "NVRTC", found)
  say(found.fft and "ok" or "missing", "cuFFT", found.fft or found.fft_missing or "its version is unknown")
  local count, works = cn.cuda.device_count(), false
  if count == 0 then say("missing", "CUDA devices", first_line(select(2, core.check_cuda()))) end
  for id = 0, count - 1 do works = check_cuda_device(say, cn, core, id) or works end
  if works then tell_library(say, core, cn.device "cuda:0") end
  return works
end

--- The libraries that cn.distributed would use: NCCL where there are GPUs.
local function check_ranks(say, cn, core)
  local found, problem = core.comm_library()
  say(found and "ok" or "missing", "MPI", found or (problem:gsub("^distributed.init: ", "")))
  if cn.cuda.is_available() then
    local version, words = core.comm_nccl()
    say(version > 0 and "ok" or "missing", "NCCL", (words:gsub("^no NCCL: ", "")))
  end
end

--- Writes an entry and reads it back: a folder that exists may not be usable.
local function check_cache(say, core)
  local problem = core.cache_check()
  say(problem and "missing" or "ok", "kernel cache", problem or core.cache_folder())
  local count, nbytes, limit = core.cache_usage()
  if not problem then
    say("ok", "cached", ("%d entries, %.1f MiB of at most %.0f"):format(count, nbytes / 2 ^ 20, limit / 2 ^ 20))
  end
end

--- Reports what the devices' sums needed of compilers and of the cache.
local function tell_compilations(say, core)
  local stats = core.compile_stats()
  local failed = stats.failed > 0 and ("%d failed"):format(stats.failed)
  say(failed and "missing" or "ok", "compilations", join(("%d by this report in %.2f s"):format(stats.compiled,
    stats.compile_time), failed, ("%d loaded from the cache"):format(stats.loaded)))
end

local function tell_variables(say)
  local entries, i = ffi.C.environ, 0
  local lines = {}
  while entries ~= nil and entries[i] ~= nil do
    local name, value = ffi.string(entries[i]):match "^([^=]*)=(.*)$"
    if name and (name:find "^CUNA_" or VARIABLES[name]) then lines[#lines + 1] = {name, value} end
    i = i + 1
  end
  table.sort(lines, function(a, b) return a[1] < b[1] end)
  for _, line in ipairs(lines) do say("set", line[1], first_line(line[2])) end
end

--- Writes the report, line by line.
---@param write fun(text: string)
---@return boolean works whether some device computes
function M.report(write)
  local function say(state, label, text) write(("%-8s %-13s %s\n"):format(state, label, text)) end
  tell_variables(say)
  local cn = load(say)
  if not cn then return false end
  local core = require "cuna.core"
  local works = false
  local function check(label, fn, ...)
    local ok, result = pcall(fn, say, ...)
    if not ok then say("missing", label, first_line(result)) end
    works = works or (ok and result == true)
  end
  say("ok", "cuna", ("%s on %s, %s"):format(cn._VERSION, jit.version, jit.arch))
  check("cpu", check_cpu, cn, core)
  check("CUDA", check_cuda, cn, core)
  check("MPI", check_ranks, cn, core)
  check("kernel cache", check_cache, core)
  check("compilations", tell_compilations, core)
  check("default", function()
    local device = cn.device() -- this call chooses the device and records the reason
    local usable = core.check_cuda()
    local reason = (usable or os.getenv "CUNA_DEVICE") and core.device_reason() or "CUDA cannot be used"
    say("ok", "default", ("%s: %s"):format(device.name, reason))
  end)
  return works
end

if ... == nil then -- run as a script, not required
  os.exit(M.report(io.write) and 0 or 1, true) -- closes the state, so that no leak is reported
end

return M
