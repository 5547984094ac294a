-- Functions of the scripts that time cuna: the timing of calls, and inputs.
--
-- Two warm-up calls and a trial; kernels that are compiled in the background are awaited then. After that batches of
-- about 30 ms, each ended by one synchronisation. bench/numpy_twin.py and bench/gpu_peers.py use the same method.
local cn = require "cuna"
local core = require "cuna.core"

local BATCH_S, MAX_CALLS, MAX_BATCHES = 0.03, 20000, 25
local PATIENCE_S = 10

local M = {}

--- Values spread over [0, 1].
function M.spread(shape, dtype)
  local size = 1
  for _, extent in ipairs(type(shape) == "table" and shape or { shape }) do size = size * extent end
  return (cn.sin(cn.arange(0, size, 1, dtype or "float32")) * 0.5 + 0.5):reshape(shape)
end

--- Seconds of one batch of `calls`.
local function batch(calls, fn, ...)
  local start = cn.clock()
  for _ = 1, calls do fn(...) end
  return cn.clock() - start
end

--- A function that makes arrays, where operations are recorded: it computes them, as a program that uses them would.
local function computing(fn, ...)
  if cn.is_eager() or not cn.is_array((fn(...))) then return fn end
  return function(...) return cn.evaluate(fn(...)) end
end

--- Times of one call of fn(...), a sorted list in seconds, measured for about total_s; the number of calls in a batch;
--- the median of the times.
function M.measure(total_s, fn, ...)
  fn = computing(fn, ...)
  batch(1, fn, ...)
  local one, calls = batch(1, fn, ...), 1
  if one < BATCH_S then
    local trial = math.max(1, math.min(50, math.floor(BATCH_S / math.max(one, 1e-7) / 4)))
    batch(trial, fn, ...)
    local started = cn.clock()
    while core.background_count() > 0 and cn.clock() - started < PATIENCE_S do end
    one = batch(trial, fn, ...) / trial
    calls = math.max(1, math.min(MAX_CALLS, math.floor(BATCH_S / math.max(one, 1e-8))))
  end
  local times = {}
  for i = 1, math.max(3, math.min(MAX_BATCHES, math.floor(total_s / (calls * one)))) do
    times[i] = batch(calls, fn, ...) / calls
  end
  table.sort(times)
  local middle = math.floor((#times + 1) / 2)
  return times, calls, (times[middle] + times[#times + 1 - middle]) / 2
end

--- The inputs of a workload, created by `makers`; inputs of the last workload that this one does not use are freed
--- first.
function M.take_inputs(held, names, makers)
  local list = {}
  for name, array in pairs(held) do
    if not (" " .. names .. " "):find(" " .. name .. " ", 1, true) then
      array:free()
      held[name] = nil
    end
  end
  for name in names:gmatch("%S+") do
    held[name] = held[name] or makers[name]()
    list[#list + 1] = held[name]
  end
  return list
end

return M
