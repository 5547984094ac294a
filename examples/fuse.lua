-- Fused functions: array expressions written in Lua that run as one kernel, with no arrays in between.
--
--   make run SCRIPT=examples/fuse.lua
--   build/cuna examples/fuse.lua 1000000      -- fewer elements in the timed parts
local cn = require "cuna"

local n = tonumber(arg and arg[1]) or 2e7

local function best_of(fn, ...)
  local best = math.huge
  fn(...) -- records and compiles
  for _ = 1, 5 do
    local start = cn.clock()
    fn(...)
    best = math.min(best, cn.clock() - start)
  end
  return best * 1e3
end

local function compare(title, fn, ...)
  local fused = cn.fuse(fn)
  local plain_ms, fused_ms = best_of(fn, ...), best_of(fused, ...)
  print(("%-34s %8.2f ms unfused %8.2f ms fused, %.1f times as fast"):format(title, plain_ms, fused_ms,
    plain_ms / fused_ms))
  return fused
end

-- The squared difference: two operations make three passes over memory; fused, one kernel reads x and y once.
local function squared_diff(x, y) return (x - y) ^ 2 end
print(cn.fuse(squared_diff)(cn.array {1, 2, 3}, cn.array {3, 5, 7}))

local x, y, z = cn.linspace(0, 1, n), cn.linspace(1, 2, n), cn.linspace(1, 3, n)
print(("%d float64 numbers on %s"):format(n, cn.device().name))
local fused = compare("(x - y)^2", squared_diff, x, y)
assert(fused(x, y) == squared_diff(x, y)) -- every step rounds as in the unfused function: the same bits

compare("sin(x) + cos(y) / sqrt(z)", function(a, b, c) return cn.sin(a) + cn.cos(b) / cn.sqrt(c) end, x, y, z)

-- Captured arrays and numbers are read at every call, and a changed number compiles nothing.
local rate = 0.1
local step = cn.fuse(function(w, gradient) w:sub_(rate * gradient) end, {name = "step"})
local weights = cn.ones(4)
step(weights, cn.arange(4))
rate = 0.01
step(weights, cn.arange(4))
print("weights after two steps", weights)
print("replays made", step.cache_info().traces)

-- Reductions fuse too: softmax reads every row once and writes it once.
local function softmax(a)
  local e = cn.exp(a - cn.max(a, {axis = 2, keepdims = true}))
  return e / cn.sum(e, {axis = 2, keepdims = true})
end
local rows = math.max(1, math.floor(n / 1000))
local logits = cn.sin(cn.arange(rows * 1000):astype "float32"):reshape(rows, 1000)
compare(("softmax of %d rows of 1000 float32"):format(rows), softmax, logits)

-- A fused function may read values and decide by them; then it runs at every call.
local positive = cn.fuse(function(a)
  if cn.all(a:gt(0)) then return a end
  return -a
end)
print("positive", positive(weights))
-- Between elements, cn.where chooses.
print("with cn.where", cn.fuse(function(a) return cn.where(a:gt(0.8), a, -a) end)(weights))

-- A function of numbers, applied to every element.
local clamp = cn.vectorize(function(v, low, high) return math.min(math.max(v, low), high) end)
print("clamp", clamp({-2, 0.5, 9}, 0, 1), clamp(7, 0, 1))
