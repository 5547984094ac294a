--- kolmogorov.lua: the test of Kolmogorov and Smirnov for two samples.
--
-- The statistic is the greatest distance of the samples' distribution functions. Its probability is exact for samples
-- of up to 10000 elements: the share of lattice paths that leave a strip (Hodges, 1958). Beyond that it is that of one
-- sample of n m / (n + m) elements, by Smirnov's sum in the tail and else by Pelz and Good's expansion (1976). Both are
-- loops over numbers on the host.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.stats.given"

local M = {functions = {}}
local F = M.functions -- cn.stats

local fail = check.fail
local floor, ceil, exp, log, pi = math.floor, math.ceil, math.exp, math.log, math.pi

local MOST_EXACT = 10000

-- ---- exact probabilities ----

local function divisor(a, b)
  while b > 0 do a, b = b, a % b end
  return a
end

--- The share of paths over a square of side n that reach a distance of h from its diagonal.
local function outside_square(n, h)
  local p = 0
  for k = floor(n / h), 0, -1 do
    local part = 1
    for j = 0, h - 1 do part = (n - k * h - j) * part / (n + k * h + j + 1) end
    p = part * (1 - p)
  end
  return 2 * p
end

--- The share of paths over an m by n rectangle that leave a strip about its diagonal; g is the greatest common divisor.
local function outside_strip(m, n, g, h)
  if m < n then m, n = n, m end
  local mg, ng = m / g, n / g
  local first, last = 0, math.min(ceil(h / mg), n + 1)
  local length, a = last, {}
  for k = 0, math.min(2 * last + 2, n + 1) - 1 do a[k] = k < last and 0 or 1 end
  for i = 1, m do
    local before, old = first, length
    first = math.min(math.max(floor((ng * i - h) / mg) + 1, 0), n)
    last = math.min(ceil((ng * i + h) / mg), n + 1)
    if last <= first then return 1 end
    local value = first == 0 and 0 or 1
    for k = 0, last - first - 1 do
      local j = k + first
      value = (a[j - before] * i + value * j) / (i + j)
      a[k] = value
    end
    length = last - first
    for k = length, old - 1 do a[k] = 1 end
  end
  return a[length - 1]
end

--- The logarithm of the gamma function from 1 on.
local function log_gamma(x)
  local shift = 0
  while x < 20 do
    shift, x = shift - log(x), x + 1
  end
  local y = 1 / (x * x)
  return shift + (x - 0.5) * log(x) - x + 0.5 * log(2 * pi)
    + (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x
end

local function log_binomial(n, k) return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1) end

--- The share of paths over a rectangle that get above a line beside its diagonal, by the first point that does.
local function above_line(m, n, g, h)
  local mg, ng = m / g, n / g
  local count = n + floor((mg - h) / mg)
  if count == 0 then return 1 end
  local x, b, whole, share = {}, {}, log_binomial(m + n, n), 0
  for j = 0, count - 1 do x[j] = floor((h + mg * j + ng - 1) / ng) end
  for j = 0, count - 1 do -- b[j]: of the paths to point j, the share that gets there first
    local left = 1
    for i = 0, j - 1 do
      left = left - b[i] * exp(log_binomial(x[i] + i, i) + log_binomial(x[j] - x[i] + j - i, j - i)
        - log_binomial(x[j] + j, j))
    end
    b[j] = left
    share = share + left * exp(log_binomial(x[j] + j, j) + log_binomial(m - x[j] + n - j, n - j) - whole)
  end
  return share
end

--- The probability of a distance h / least common multiple.
local function exact(n, m, h, alternative)
  if h == 0 then return 1 end
  local g, p = divisor(n, m), 1
  if alternative == "two-sided" then return n == m and outside_square(n, h) or outside_strip(n, m, g, h) end
  if n ~= m then return above_line(n, m, g, h) end
  for j = 0, h - 1 do p = p * (n - j) / (n + j + 1) end
  return p
end

-- ---- probabilities of many elements ----

local MOST_TERMS = 4096

--- Half of the tail: of one side, for n elements. The terms are a smooth function that is 0 at both ends, so a sum of
--- every k-th of them, times k, converges faster than any power of their number: with 1024 terms it has the digits that
--- log_gamma leaves.
local function smirnov(n, x)
  local sum, step = 0, ceil(n / MOST_TERMS)
  for v = 0, floor(n * (1 - x)), step do
    local left, right = x + v / n, 1 - x - v / n
    if right > 0 or v == n then
      local term = log_binomial(n, v) + (v - 1) * log(left) + (right > 0 and (n - v) * log(right) or 0)
      sum = sum + exp(term)
    end
  end
  return x * sum * step
end

--- The coefficients of Pelz and Good's first sum, for odd m.
local function expansion_row(z, m)
  local z2, z4, z6, s, p2 = z ^ 2, z ^ 4, z ^ 6, m * m, pi * pi
  return {1, -z2 + p2 / 4 * s,
    6 * z6 + 2 * z4 + (2 * z4 - 5 * z2) * p2 / 4 * s + p2 ^ 2 * (1 - 2 * z2) / 16 * s * s,
    -30 * z6 - 90 * z ^ 8 + p2 * (135 * z4 - 96 * z6) / 4 * s + p2 ^ 2 * (-60 * z2 + 212 * z4) / 16 * s * s
      + p2 ^ 3 * (5 - 30 * z2) / 64 * s ^ 3}
end

--- The probability of a distance up to x of n elements, by the expansion.
local function expansion(n, x)
  local z = math.sqrt(n) * x
  local power = -pi * pi / 8 / z ^ 2
  if power < -708 then return 0 end
  local q, most, sums = exp(power), ceil(16 * z / pi), {0, 0, 0, 0}
  for k = most, 1, -1 do
    local row, factor = expansion_row(z, 2 * k - 1), q ^ (8 * k)
    for i = 1, 4 do sums[i] = sums[i] * factor + row[i] end
  end
  local scale = q * math.sqrt(2 * pi)
  local over = {z, 6 * z ^ 4, 72 * z ^ 7, 6480 * z ^ 10}
  for i = 1, 4 do sums[i] = sums[i] * scale / over[i] end
  for k = most, 1, -1 do
    local term = k * k * exp(-pi * pi / 2 / z ^ 2 * k * k) * pi * pi * math.sqrt(2 * pi)
    sums[3] = sums[3] - term / (36 * z ^ 3)
    sums[4] = sums[4] + term * (3 * z * z - pi * pi * k * k) / (216 * z ^ 6)
  end
  return sums[1] + sums[2] / math.sqrt(n) + sums[3] / n + sums[4] / n ^ 1.5
end

local function clipped(p) return math.min(math.max(p, 0), 1) end

--- The probability of a distance d, from that of one sample.
local function asymptotic(n, m, d, alternative)
  if n < m then n, m = m, n end
  local size = n * m / (n + m)
  if alternative ~= "two-sided" then
    local z = math.sqrt(size) * d
    return clipped(exp(-2 * z * z - 2 * z * (n + 2 * m) / math.sqrt(n * m * (n + m)) / 3))
  end
  size = math.max(floor(size + 0.5), 1)
  if d <= 0 then return 1 end
  if d >= 1 then return 0 end
  if size * d * d >= 2.2 then return clipped(2 * smirnov(size, d)) end
  return clipped(1 - expansion(size, d))
end

-- ---- the statistic ----

--- Distances of the distribution functions at all elements: the greatest one below, above, and where they are.
local function distances(x, y)
  local cn = args.namespace
  x, y = cn.sort(x), cn.sort(y)
  local all = cn.concatenate {x, y}
  local function share(sample) return (cn.searchsorted(sample, all, "right") - 1) / sample.size end
  local difference = share(x) - share(y)
  local low, high = cn.argmin(difference), cn.argmax(difference)
  local least, most, at_low, at_high = cn.item(difference:min(), difference:max(), cn.take(all, low),
    cn.take(all, high))
  return clipped(-least), most, at_low, at_high
end

local METHODS = {auto = true, exact = true, asymp = true}

local function open(x, y, name)
  x, y = given.pair(x, y, name)
  if x.ndim ~= 1 or y.ndim ~= 1 or x.size == 0 or y.size == 0 then
    fail("%s: expected vectors with elements, got shapes %s and %s", name, tostring(x.shape), tostring(y.shape))
  end
  return x, y
end

local read = args.reader("stats.ks_2samp", {"data1", "data2", "alternative", "method"}, 2)

--- The test of Kolmogorov and Smirnov whether two samples have one distribution. Waits; the results are Lua numbers.
--- Follows scipy.stats.ks_2samp.
---@param data1 cuna.Operand a vector
---@param data2 cuna.Operand a vector
---@param alternative cuna.Alternative|nil "less": the distribution function of data1 is below; default "two-sided"
---@param method string|nil "exact", "asymp" or "auto" (default): exact for up to 10000 elements
---@return number statistic the greatest distance of the distribution functions
---@return number p
---@return number location the element where it is
---@return integer sign 1 where the distribution function of data1 is above, else -1
---@usage cn.stats.ks_2samp({1, 2, 3}, {4, 5, 6}) --> 1, 0.1, 3, 1
function F.ks_2samp(...)
  local name, x, y, alternative, method = "stats.ks_2samp", read(...)
  x, y = open(x, y, name)
  alternative, method = given.alternative(alternative, name), method == nil and "auto" or method
  if not METHODS[method] then
    fail("%s: method is \"auto\", \"exact\" or \"asymp\", got %s", name, check.show(method))
  end
  core.check_waiting(name)
  if core.is_preparing() then
    distances(x, y)
    return 0, 1, 0, 1
  end
  local below, above, at_below, at_above = distances(x, y)
  local d, at, sign = above, at_above, 1
  if alternative == "less" or alternative == "two-sided" and below > above then d, at, sign = below, at_below, -1 end
  local n, m = x.size, y.size
  if method == "asymp" or method == "auto" and math.max(n, m) > MOST_EXACT then
    return d, asymptotic(n, m, d, alternative), at, sign
  end
  local common = n / divisor(n, m) * m
  local h = floor(d * common + 0.5)
  return h / common, clipped(exact(n, m, h, alternative)), at, sign
end

return M
