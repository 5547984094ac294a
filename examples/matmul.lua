-- Matrix products: checked on small matrices, then timed on large ones.
--
--   make run SCRIPT=examples/matmul.lua
--   build/cuna examples/matmul.lua 2048          -- the largest side
local cn = require "cuna"

local largest = tonumber(arg and arg[1] or (cn.device().kind == "cuda" and 8192 or 2048))
if not largest or largest < 1 or largest % 1 ~= 0 then
  error("usage: build/cuna examples/matmul.lua [largest side]", 0)
end
local rng = cn.random.default_rng(1)

-- ---- the definition ----

local identity = cn.identity(3)
local a = rng:integers(-9, 10, {3, 3})
print("a matrix of whole numbers, times the identity:")
print(a:matmul(identity:astype "int64"))
assert(a:matmul(identity:astype "int64") == a and identity:astype "int64":matmul(a) == a)

local b = rng:integers(-9, 10, {3, 3})
print("\ntimes another; whole numbers are multiplied exactly:")
print(a:matmul(b))
local by_hand = (a[{{}, {}, cn.newaxis}] * b[{cn.newaxis, {}, {}}]):sum(2)
assert(a:matmul(b) == by_hand)

--- The greatest difference between the product of random matrices and sums of products, which take n times the memory.
local function worst_difference(n, dtype)
  local x, y = rng:random({n, n}, dtype), rng:random({n, n}, dtype)
  local sums = (x[{{}, {}, cn.newaxis}] * y[{cn.newaxis, {}, {}}]):sum(2)
  return (x:matmul(y) - sums):abs():max():item()
end
for _, dtype in ipairs {"float32", "float64"} do
  local worst = worst_difference(64, dtype)
  print(("\n64 x 64 random numbers as %s: products and sums differ by %.1e at most"):format(dtype, worst))
  assert(worst < (dtype == "float32" and 1e-4 or 1e-12))
end

-- ---- times ----

--- Seconds of one call of fn, the best of a few.
local function seconds_of(fn)
  local best = math.huge
  fn() -- loads libraries, compiles
  for _ = 1, 5 do
    cn.synchronize()
    local start = cn.clock()
    fn()
    best = math.min(best, cn.clock() - start)
    if best > 1 then break end
  end
  return best
end

print(("\n%-10s%-10s%14s%14s  on %s"):format("side", "dtype", "ms", "GFLOP/s", cn.device().name))
for _, n in ipairs {128, 1024, 8192} do
  n = math.min(n, largest)
  for _, dtype in ipairs {"float32", "float64", "int32"} do
    local x, y = rng:integers(-9, 10, {n, n}):astype(dtype), rng:integers(-9, 10, {n, n}):astype(dtype)
    local out = cn.empty({n, n}, dtype)
    local seconds = seconds_of(function() cn.matmul(x, y, {out = out}) end)
    print(("%-10d%-10s%14.3f%14.1f"):format(n, dtype, seconds * 1e3, 2 * n ^ 3 / seconds * 1e-9))
  end
  if n == largest then break end
end
