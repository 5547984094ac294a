--- covariance.lua: means and covariances on the host, and factors of covariances: f with f f^T = cov.
--
-- They are small beside what is drawn with them, so they are read once and looked at here. The Cholesky factor is made
-- here, too, by one order of operations, each rounded to float64: so it has the same bits whichever device draws.
--
-- Pivots are taken in the order of what is left of each variance, as a share of it: where the greatest is only rounding
-- the covariance is semidefinite, and the rest of it is 0 or shows that it is not a covariance. Pivoting keeps what a
-- small pivot makes of the rounding of others small (Higham, "Accuracy and Stability of Numerical Algorithms", 10.3).
-- Rows keep their places, so the factor is triangular only up to the order of its rows.
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
local DOUBLES = ffi.typeof "double[?]"
local EPSILON = {float32 = 2 ^ -23, float16 = 2 ^ -10, bfloat16 = 2 ^ -7}
local LEAST_TOL, TOL_EPSILONS = 1e-8, 64

--- A matrix or vector as float64 on the host: a copy, and a pointer to it, which lives as long.
local function on_host(x, what, name)
  if x.dtype:find "^complex" then fail("%s: %s is real, got %s", name, what, x.dtype) end
  local host = core.cast(core.as_array(x, nil, HOST, name), "float64", name)
  local high, low = core.address(host)
  return host, ffi.cast("double *", ffi.cast("uintptr_t", high * 2 ^ 32 + low))
end

--- An argument as an array: that it is, which is waited for, or one made of numbers, which nothing waits for.
local function read(x, name)
  if core.is_array(x) then
    core.check_waiting(name)
    return core.check_alive(x, name)
  end
  return check.array(x, name, HOST)
end

local function check_finite(values, count, what, name)
  for i = 0, core.is_preparing() and -1 or count - 1 do -- a rehearsal has no values
    if values[i] - values[i] ~= 0 then fail("%s: %s must be finite, got %.14g in it", name, what, values[i]) end
  end
end

--- A mean and its covariance.
---@return table {n =, mean = float64 on the host, cov = the same, values = a pointer to cov's, tol = the default one}
function M.open(mean, cov, name)
  mean, cov = read(mean, name), read(cov, name)
  if mean.ndim ~= 1 then
    fail("%s: mean has shape %s; expected one vector: add others to what is drawn around 0", name, tostring(mean.shape))
  end
  local n = mean.size
  if not core.has_shape(cov, n, n) then
    fail("%s: cov has shape %s, and mean %s; expected one matrix of shape (%d, %d)", name, tostring(cov.shape),
      tostring(mean.shape), n, n)
  end
  local tol = math.max(LEAST_TOL, TOL_EPSILONS * (EPSILON[cov.dtype] or 0))
  local means, first, values
  means, first = on_host(mean, "mean", name)
  cov, values = on_host(cov, "cov", name)
  check_finite(first, n, "mean", name)
  check_finite(values, n * n, "cov", name)
  local moves = core.is_preparing()
  for i = 0, moves and -1 or n - 1 do moves = moves or first[i] ~= 0 end
  return {n = n, mean = means, moves = moves, cov = cov, values = values, tol = tol}
end

--- Makes the upper triangle the lower one.
function M.symmetrise(of)
  local a, n = of.values, of.n
  for i = 0, core.is_preparing() and -1 or n - 1 do
    for j = 0, i - 1 do a[j * n + i] = a[i * n + j] end
  end
end

--- Raises where elements on both sides of the diagonal differ by more than `tol` of their standard deviations' product.
function M.check_symmetric(of, tol, name)
  local a, n = of.values, of.n
  for i = 0, core.is_preparing() and -1 or n - 1 do
    local own = math.sqrt(math.max(a[i * n + i], 0))
    for j = 0, i - 1 do
      local above, below = a[j * n + i], a[i * n + j]
      if above ~= below and math.abs(above - below) > tol * own * math.sqrt(math.max(a[j * n + j], 0)) then
        fail("%s: cov is not symmetric: cov[{%d, %d}] is %.14g, and cov[{%d, %d}] %.14g", name, j + 1, i + 1, above,
          i + 1, j + 1, below)
      end
    end
  end
end

-- ---- Cholesky ----

--- The sum of `count` products of two rows, in four parts, which need not wait for each other.
local function dot(f, i, j, count)
  local a, b, c, d = 0, 0, 0, 0
  for k = 0, count - 4, 4 do
    a = a + f[i + k] * f[j + k]
    b = b + f[i + k + 1] * f[j + k + 1]
    c = c + f[i + k + 2] * f[j + k + 2]
    d = d + f[i + k + 3] * f[j + k + 3]
  end
  for k = count - count % 4, count - 1 do a = a + f[i + k] * f[j + k] end
  return a + b + (c + d)
end

--- What is left of cov between two variables.
local function left_between(work, i, j)
  local n = work.n
  return work.cov[i * n + j] - dot(work.factor, i * n, j * n, work.rank)
end

--- The place among the open ones of what has the greatest share of its variance left, and that share.
local function greatest(work)
  local best, most = 0, -1
  for place = work.rank, work.n - 1 do
    local i = work.order[place]
    local share = work.left[i] * work.weight[i]
    if share > most then best, most = place, share end
  end
  return best, most
end

--- The factor's next column, by what is left between the pivot and the open ones; false where that is more than pivots
--- as small as this one can have beside them, so that it is rounding.
local function add_column(work, pivot, share)
  local f, n, rank = work.factor, work.n, work.rank
  local root = math.sqrt(work.left[pivot])
  for place = rank + 1, n - 1 do
    local i = work.order[place]
    local between = left_between(work, i, pivot)
    if share <= work.tol and math.abs(between) * work.deviation[i] * work.deviation[pivot] > share * 1.001 then
      for before = rank, place - 1 do f[work.order[before] * n + rank] = 0 end
      return false
    end
    f[i * n + rank] = between / root
  end
  f[pivot * n + rank] = root
  for place = rank + 1, n - 1 do
    local i = work.order[place]
    work.left[i] = work.left[i] - f[i * n + rank] * f[i * n + rank]
  end
  work.rank = rank + 1
  return true
end

--- Raises unless what is left is as good as 0.
local function check_rest(work, tol, name)
  for place = work.rank, work.n - 1 do
    local i = work.order[place]
    if work.left[i] < -tol * math.abs(work.cov[i * work.n + i]) then
      fail("%s: cov is not positive semidefinite: its pivot at position %d is %.6g", name, i + 1, work.left[i])
    end
  end
  for place = work.rank, work.n - 1 do
    local i = work.order[place]
    for other = work.rank, place - 1 do
      local j = work.order[other]
      local between, one, two = left_between(work, i, j), work.cov[i * work.n + i], work.cov[j * work.n + j]
      if math.abs(between) > 4 * tol * math.sqrt(one) * math.sqrt(two) then
        fail("%s: cov is not positive semidefinite: the pivots at positions %d and %d are 0, with %.6g between them",
          name, math.min(i, j) + 1, math.max(i, j) + 1, between)
      end
    end
  end
end

local function begin(of, tol)
  local n = of.n
  local work = {n = n, cov = of.values, factor = DOUBLES(n * n), rank = 0, tol = tol, order = ffi.new("int[?]", n),
    left = DOUBLES(n), weight = DOUBLES(n), deviation = DOUBLES(n)}
  for i = 0, n - 1 do
    local variance = of.values[i * n + i]
    work.order[i], work.left[i] = i, variance
    if variance > 0 then work.weight[i], work.deviation[i] = 1 / variance, 1 / math.sqrt(variance) end
  end
  return work
end

--- The factor by Cholesky's method: rows of f, as doubles on the host. `checks`: raises where cov is not semidefinite
--- by more than `tol` of a variance; else what is negative counts as 0.
function M.cholesky(of, tol, checks, name)
  local work = begin(of, tol)
  local n, order = work.n, work.order
  while work.rank < n do
    local place, share = greatest(work)
    if share <= n * 2 ^ -52 then break end
    order[work.rank], order[place] = order[place], order[work.rank]
    if not add_column(work, order[work.rank], share) then break end
  end
  if checks then check_rest(work, tol, name) end
  return work.factor
end

return M
