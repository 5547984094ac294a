-- Several devices: each computes a part of the work on a separate stream, all at the same time. Copies between the
-- devices collect the results.
--
--   make run SCRIPT=examples/multi_device.lua
--   build/cuna examples/multi_device.lua 100000      -- fewer elements
local cn = require "cuna"

local n = tonumber(arg and arg[1] or 4e6)
if not n or n < 1 or n % 1 ~= 0 then error("usage: build/cuna examples/multi_device.lua [elements]", 0) end

--- All CUDA devices, or the current device where there are none.
local function find_devices()
  local devices = {}
  for id = 0, cn.cuda.is_available() and cn.cuda.device_count() - 1 or -1 do devices[id + 1] = cn.cuda.Device(id) end
  return devices[1] and devices or {cn.device()}
end

local devices = find_devices()
if #devices == 1 then print("one device only, " .. devices[1].name .. ": it does everything") end

-- ---- the work: a part of a damped wave, and its energy ----

local wave = cn.fuse(function(t) return cn.exp(-0.5 * t) * cn.sin(20 * t) end)

--- Elements [first, first + count) of n, on the current device and its current stream.
local function compute(first, count)
  local t = (cn.arange(count) + first) * (10 / n)
  local values = wave(t)
  return values, (values * values):sum()
end

--- Calls compute for each device's part. Nothing here waits: launches return at once, and all devices work in parallel.
local function start_all()
  local parts, first = {}, 0
  for i, device in ipairs(devices) do
    local last = math.floor(n * i / #devices)
    local stream = cn.cuda.Stream{device = device, non_blocking = true}
    device:with(stream.with, stream, function() -- device and stream are current inside
      local values, energy = compute(first, last - first)
      parts[i] = {device = device, stream = stream, count = last - first, values = values, energy = energy,
        done = stream:record()}
    end)
    first = last
  end
  return parts
end

--- The parts' arrays joined in one array on the first device, on its current stream.
local function gather(parts, name)
  local home, moved = devices[1], {}
  for i, part in ipairs(parts) do
    cn.cuda.get_current_stream(home):wait_event(part.done) -- also an event of another device; the script does not wait
    part.stream:with(function() moved[i] = part[name]:reshape(-1):to(home) end)
  end
  return cn.concatenate(moved)
end

devices[1]:with(function()
  local parts = cn.no_sync(start_all)
  local wave_values, energies = gather(parts, "values"), gather(parts, "energy")
  for i, part in ipairs(parts) do
    print(("%-7s %8d elements, energy %.6f"):format(part.device.name, part.count, energies[i]))
  end
  print(("together on %s: %d elements, energy %.6f"):format(wave_values.device.name, #wave_values,
    energies:sum():item()))
  local alone, energy = compute(0, n) -- by the first device
  cn.testing.assert_array_equal(wave_values, alone)
  cn.testing.assert_allclose(energies:sum(), energy, {rtol = 1e-12})
  print "the same as by one device"
end)

-- cuna never moves arrays between devices implicitly.
if #devices > 1 then
  print(select(2, pcall(function()
    return devices[1]:with(cn.ones, 3) + devices[2]:with(cn.ones, 3)
  end)))
end
