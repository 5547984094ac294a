-- Answers requests "operation elements" on stdin, a line each, with the least microseconds of a call in float32.
--
-- Twin of speed_peers.py: the same operations, inputs and way of measuring. Batches are short, so that some of them
-- escape the other users of the machine. A process answers all requests of one mode, so that the modes can take turns;
-- the first calls, which compile, are not timed.
local cn = require "cuna"
local measure = dofile((arg[0]:match("^.*/") or "") .. "../measure.lua")

local TOTAL_S, BATCH_S, TRIAL, MIN_BATCHES = 0.1, 0.002, 50, 3 -- of a request

local OPERATIONS = {
  add = function(x) return x.a + x.b end,
  exp = function(x) return cn.exp(x.a) end,
  where = function(x) return cn.where(x.mask, x.a, x.b) end,
  sum = function(x) return x.a:sum() end,
  sum_axis0 = function(x) return x.square:sum(1) end,
  sum_axis1 = function(x) return x.square:sum(2) end,
  rows_of_3 = function(x) return x.triples + x.row end,
}

local chain = cn.fuse(function(a, b) return ((a * b + a - b) * 2 + 1) * a end)
function OPERATIONS.chain(x) return chain(x.a, x.b) end

local function make_inputs(elements)
  local side, thirds = math.floor(math.sqrt(elements)), math.floor(elements / 3)
  local a, b = measure.spread(elements), measure.spread(elements)
  return { a = a, b = b, mask = a:gt(0.5), square = a["1:" .. side * side]:reshape(side, side),
    triples = a["1:" .. thirds * 3]:reshape(thirds, 3), row = b["1:3"]:copy() }
end

local function batch(calls, fn, x)
  local start = cn.clock()
  for _ = 1, calls do fn(x) end
  return cn.clock() - start
end

local function least_us(fn, x)
  batch(2, fn, x)
  local one = batch(1, fn, x)
  if one < BATCH_S then one = batch(TRIAL, fn, x) / TRIAL end
  local calls = math.max(1, math.floor(BATCH_S / math.max(one, 1e-8)))
  local least, batches, finish = math.huge, 0, cn.clock() + TOTAL_S
  while batches < MIN_BATCHES or cn.clock() < finish do
    least, batches = math.min(least, batch(calls, fn, x)), batches + 1
  end
  return least / calls * 1e6
end

local held, held_elements
local function answer(operation, elements)
  if elements ~= held_elements then
    held = nil
    collectgarbage()
    held, held_elements = make_inputs(elements), elements
  end
  return least_us(OPERATIONS[operation], held)
end

io.stdout:setvbuf "line"
print "ready"
for line in io.lines() do
  local operation, elements = line:match "^(%S+) (%d+)$"
  local ok, us = pcall(answer, operation, tonumber(elements))
  print(ok and ("%.4f"):format(us) or "error: " .. tostring(us):gsub("\n.*", ""))
end
