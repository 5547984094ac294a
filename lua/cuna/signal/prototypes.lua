--- prototypes.lua: analog lowpass filters of cn.signal, whose edge is at the angular frequency 1.
--
-- Each is zeros, poles and a gain, computed on the host in doubles. Elliptic filters after Orfanidis, Lecture Notes on
-- Elliptic Filter Design (2006); Bessel filters: poles are found by Newton's and Aberth's methods.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"

local M = {functions = {}, made = {}}
local F = M.functions -- cn.signal
local P = M.made      -- the same with lists on the host

local fail = check.fail
local make, pi = complex.new, math.pi
local function sinh(x) return (math.exp(x) - math.exp(-x)) / 2 end
local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end
local function asinh(x) return math.log(x + math.sqrt(x * x + 1)) end

local MOST = 500 -- poles

--- The order of a filter.
function M.order(N, name)
  N = check.integer(N, name, "N")
  if N < 0 or N > MOST then fail("%s: an order is from 0 to %d, got %d", name, MOST, N) end
  return N
end

-- ---- Butterworth, Chebyshev ----

function P.butter(N)
  local p = {}
  for k = 1, N do p[k] = -complex.turn(pi * (2 * k - 1 - N) / (2 * N)) end
  return {}, p, 1
end

function P.cheby1(N, rp)
  if N == 0 then return {}, {}, 10 ^ (-rp / 20) end
  local eps, p = math.sqrt(10 ^ (0.1 * rp) - 1), {}
  local mu = asinh(1 / eps) / N
  for k = 1, N do
    local theta = pi * (2 * k - 1 - N) / (2 * N)
    p[k] = -make(sinh(mu) * math.cos(theta), cosh(mu) * math.sin(theta))
  end
  local k = complex.product(p, function(z) return -z end).re
  return {}, p, N % 2 == 0 and k / math.sqrt(1 + eps * eps) or k
end

function P.cheby2(N, rs)
  if N == 0 then return {}, {}, 1 end
  local z, p, mu = {}, {}, asinh(math.sqrt(10 ^ (0.1 * rs) - 1)) / N
  for m = 1 - N, N - 1, 2 do
    if m ~= 0 then z[#z + 1] = -complex.conj(make(0, 1) / math.sin(m * pi / (2 * N))) end
    local unit = -complex.turn(pi * m / (2 * N))
    p[#p + 1] = 1 / make(sinh(mu) * unit.re, cosh(mu) * unit.im)
  end
  local function negative(q) return -q end
  return z, p, (complex.product(p, negative) / complex.product(z, negative)).re
end

-- ---- elliptic ----

--- The complete elliptic integral of a complementary modulus' square m1 = 1 - m, by means.
function M.complete(m1)
  local a, b = 1, math.sqrt(m1)
  for _ = 1, 60 do
    if math.abs(a - b) <= 1e-17 * a then break end
    a, b = (a + b) / 2, math.sqrt(a * b)
  end
  return pi / (2 * a)
end

--- Jacobi's sn, cn and dn of u and the parameter m, of 1 - m exactly m1, by descending Landen transformations.
local function jacobi(u, m, m1)
  if m < 1e-300 then return math.sin(u), math.cos(u), 1 end
  local a, c, b, twice = {1}, {math.sqrt(m)}, math.sqrt(m1), 1
  while math.abs(c[#c]) > 1e-17 * a[#a] and #a < 60 do
    local n = #a
    a[n + 1], c[n + 1], b = (a[n] + b) / 2, (a[n] - b) / 2, math.sqrt(a[n] * b)
    twice = twice * 2
  end
  local phi, before = twice * a[#a] * u, nil
  for n = #a, 2, -1 do
    before = phi
    phi = (phi + math.asin(c[n] / a[n] * math.sin(phi))) / 2
  end
  local s, cosine = math.sin(phi), math.cos(phi)
  local d = before and math.abs(math.cos(before - phi)) > 0.1 and cosine / math.cos(before - phi)
    or math.sqrt(m1 + m * cosine * cosine)
  return s, cosine, d
end

--- The parameter for which K(1 - m) / K(m) is N times that of m1: from nomes, by theta functions.
local function degree(N, m1)
  local q1 = math.exp(-pi * M.complete(m1) / M.complete(1 - m1))
  local q, above, below = q1 ^ (1 / N), 0, 0
  for k = 0, 7 do above = above + q ^ (k * (k + 1)) end
  for k = 1, 8 do below = below + q ^ (k * k) end
  return 16 * q * (above / (1 + 2 * below)) ^ 4
end

--- x for which sc(x) = w, of the parameter 1 - m1: by ascending amplitudes of Landen's transformation.
local function inverse_sc(w, m1)
  local a, b, phi, twice = 1, math.sqrt(m1), math.atan(w), 1
  for _ = 1, 60 do
    if math.abs(a - b) <= 1e-17 * a then break end
    phi = phi + math.atan(b / a * math.tan(phi)) + pi * math.floor(phi / pi + 0.5)
    a, b, twice = (a + b) / 2, math.sqrt(a * b), twice * 2
  end
  return phi / (twice * a)
end

local EPSILON = 2e-16

function P.ellip(N, rp, rs, name)
  if N == 0 then return {}, {}, 10 ^ (-rp / 20) end
  local gain = math.exp(0.1 * math.log(10) * rp) - 1
  if N == 1 then
    local p = -math.sqrt(1 / gain)
    return {}, {make(p, 0)}, -p
  end
  local m1 = gain / (10 ^ (0.1 * rs) - 1)
  if not (m1 > 0 and m1 < 1) then
    fail("%s: rp is above 0 and below rs, got %g and %g dB", name, rp, rs)
  end
  local m = degree(N, m1)
  local K, z, p = M.complete(1 - m), {}, {}
  local K1 = M.complete(1 - m1)
  local r = inverse_sc(1 / math.sqrt(gain), m1)
  local v0 = K * r / (N * K1)
  local sv, cv, dv = jacobi(v0, 1 - m, m)
  for j = 1 - N % 2, N - 1, 2 do
    local s, c, d = jacobi(j * K / N, m, 1 - m)
    if math.abs(s) > EPSILON then z[#z + 1] = make(0, 1 / (math.sqrt(m) * s)) end
    p[#p + 1] = -make(c * d * sv * cv, s * dv) / (1 - (d * sv) ^ 2)
  end
  local zeros, poles = #z, {unpack(p)}
  for k = 1, zeros do z[#z + 1] = complex.conj(z[k]) end
  for _, pole in ipairs(poles) do
    if N % 2 == 0 or math.abs(pole.im) > EPSILON * complex.abs(pole) then p[#p + 1] = complex.conj(pole) end
  end
  local function negative(q) return -q end
  local k = (complex.product(p, negative) / complex.product(z, negative)).re
  return z, p, N % 2 == 0 and k / math.sqrt(1 + gain) or k
end

-- ---- Bessel ----

-- A polynomial near its roots is a small difference of great numbers, so it is computed in twice the digits: a real
-- number is a sum of two doubles (Dekker 1971), a complex one has two such parts.

local function two_sum(a, b)
  local s = a + b
  local other = s - a
  return s, (a - (s - other)) + (b - other)
end

local function two_product(a, b)
  local p = a * b
  local c = 134217729 * a
  local high = c - (c - a)
  local low = a - high
  c = 134217729 * b
  local top = c - (c - b)
  local rest = b - top
  return p, ((high * top - p) + high * rest + low * top) + low * rest
end

--- x + y u as sums of two doubles.
local function add_product(xh, xl, yh, yl, uh, ul)
  local p, e = two_product(yh, uh)
  e = e + (yh * ul + yl * uh)
  local s, f = two_sum(xh, p)
  f = f + (xl + e)
  return two_sum(s, f)
end

--- The value of the reverse Bessel polynomial, and its slope.
local function bessel_value(N, x)
  local rh, rl = two_product(x.re, x.re)
  local sh, sl = add_product(rh, rl, -x.im, 0, x.im, 0) -- the square's real part
  local th, tl = two_product(2 * x.re, x.im)
  local before, value = {1, 0, 0, 0}, {two_sum(x.re, 1)} -- real and imaginary parts
  value[3], value[4] = x.im, 0
  local slope, before_slope, square = make(1, 0), make(0, 0), x * x
  for n = 2, N do
    local f = 2 * n - 1
    local re, rest = add_product(0, 0, value[1], value[2], f, 0)
    re, rest = add_product(re, rest, before[1], before[2], sh, sl)
    re, rest = add_product(re, rest, -before[3], -before[4], th, tl)
    local im, left = add_product(0, 0, value[3], value[4], f, 0)
    im, left = add_product(im, left, before[1], before[2], th, tl)
    im, left = add_product(im, left, before[3], before[4], sh, sl)
    slope, before_slope = slope * f + before_slope * square + make(before[1], before[3]) * x * 2, slope
    before, value = value, {re, rest, im, left}
  end
  return make(value[1], value[3]), slope
end

local function cubic(x, list) return ((list[4] * x + list[3]) * x + list[2]) * x + list[1] end

--- Numbers near the roots of the Bessel polynomial (Campos and Calderon 2011).
local function near_roots(n)
  if n == 1 then return {make(-1, 0)} end
  local s = 2 * n ^ 2 - 3 * n ^ 4 + n ^ 5
  local r = 2 * n ^ 2 + n ^ 3
  local list, y = {}, {(-6 * n + 5 * n ^ 3 - n ^ 4) / s, (8 + 24 * n - 12 * n ^ 2 - 2 * n ^ 3) / s,
    (-24 - 12 * n + 12 * n ^ 2) / s, (16 - 8 * n) / s}
  for k = 1, n do list[k] = make(k * ((-6 - 6 * n) / r + k * 6 / r), cubic(k, y)) end
  return list
end

--- The roots of the reverse Bessel polynomial: all approach at once (Aberth 1967).
local function bessel_roots(N)
  local roots = complex.map(near_roots(N), function(z) return 1 / z end)
  for _ = 1, 60 do
    local most = 0
    for k, x in ipairs(roots) do
      local value, slope = bessel_value(N, x)
      local ratio, others = value / slope, make(0, 0)
      for j, y in ipairs(roots) do
        if j ~= k then others = others + 1 / (x - y) end
      end
      local step = ratio / (1 - ratio * others)
      roots[k] = x - step
      most = math.max(most, complex.abs(step) / complex.abs(roots[k]))
    end
    if most < 1e-15 then break end
  end
  for k = 1, math.ceil(N / 2) do -- in conjugate pairs
    local mean = (roots[k] + complex.conj(roots[N + 1 - k])) / 2
    roots[k], roots[N + 1 - k] = mean, complex.conj(mean)
  end
  return roots
end

--- The frequency at which the gain of poles is 1 / sqrt(2).
local function half_power(p, k)
  local low, high = 1e-9, 1e9
  for _ = 1, 200 do
    local w = math.sqrt(low * high)
    local gain = k / complex.abs(complex.product(p, function(pole) return make(0, w) - pole end))
    if gain > math.sqrt(0.5) then low = w else high = w end
  end
  return math.sqrt(low * high)
end

local NORMS = {phase = true, delay = true, mag = true}

function P.bessel(N, norm, name)
  if not NORMS[norm] then
    fail("%s: norm is \"phase\", \"delay\" or \"mag\", got %s", name, check.show(norm))
  end
  if N > 25 then fail("%s: a Bessel filter has an order up to 25, got %d", name, N) end
  if N == 0 then return {}, {}, 1 end
  local last, p, scale = 1, bessel_roots(N), 1 -- the product of the roots
  for k = N + 1, 2 * N do last = last * k / 2 end
  if norm == "phase" then scale = last ^ (-1 / N) end
  if norm == "mag" then scale = 1 / half_power(p, last) end
  p = complex.map(p, function(z) return z * scale end)
  return {}, p, norm == "phase" and 1 or norm == "delay" and last
    or complex.product(p, function(z) return -z end).re
end

-- ---- arrays ----

--- Zeros and poles as arrays, and the gain as a number.
function M.arrays(z, p, k, name)
  return core.as_array(complex.boxed(z), "complex128", nil, name),
    core.as_array(complex.boxed(p), "complex128", nil, name), k
end

--- A number of decibels, at least 0.
function M.decibels(value, name, what)
  value = check.real(value, name, what)
  if value < 0 then fail("%s: %s is at least 0 dB, got %g", name, what, value) end
  return value
end

--- The analog Butterworth filter. Follows scipy.signal.buttap.
---@param N integer order
---@return cuna.Array z zeros, complex
---@return cuna.Array p poles, complex
---@return number k gain
---@usage (select(2, cn.signal.buttap(2))):round(4) --> [-0.7071+0.7071j -0.7071-0.7071j]
function F.buttap(N) return M.arrays(P.butter(M.order(N, "signal.buttap"))) end

--- The analog Chebyshev filter with ripples in its passband. Follows scipy.signal.cheb1ap.
---@param N integer
---@param rp number ripples in dB
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (select(2, cn.signal.cheb1ap(1, 3))):round(4) --> [-1.0024-0.j]
function F.cheb1ap(N, rp)
  return M.arrays(P.cheby1(M.order(N, "signal.cheb1ap"), M.decibels(rp, "signal.cheb1ap", "rp")))
end

--- The analog Chebyshev filter with ripples in its stopband. Follows scipy.signal.cheb2ap.
---@param N integer
---@param rs number attenuation in dB
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (cn.signal.cheb2ap(2, 40)).imag:round(4) --> [-1.4142 1.4142]
function F.cheb2ap(N, rs)
  return M.arrays(P.cheby2(M.order(N, "signal.cheb2ap"), M.decibels(rs, "signal.cheb2ap", "rs")))
end

--- The analog elliptic filter. Follows scipy.signal.ellipap.
---@param N integer
---@param rp number ripples of the passband in dB
---@param rs number attenuation in dB
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (cn.signal.ellipap(2, 1, 40)).imag:round(4) --> [ 9.9376 -9.9376]
function F.ellipap(N, rp, rs)
  local name = "signal.ellipap"
  return M.arrays(P.ellip(M.order(N, name), M.decibels(rp, name, "rp"), M.decibels(rs, name, "rs"), name))
end

local read_besselap = args.reader("signal.besselap", {"N", "norm"})

--- The analog Bessel filter. Follows scipy.signal.besselap.
---@param N integer up to 25
---@param norm "phase"|"delay"|"mag"|nil what is 1 at the edge: the phase's midpoint (default), the delay, the gain
---@return cuna.Array z
---@return cuna.Array p
---@return number k
---@usage (select(2, cn.signal.besselap(2))):round(4) --> [-0.866+0.5j -0.866-0.5j]
function F.besselap(...)
  local N, norm = read_besselap(...)
  local name = "signal.besselap"
  return M.arrays(P.bessel(M.order(N, name), norm == nil and "phase" or norm, name))
end

args.bound(F, {buttap = "N", cheb1ap = "N rp", cheb2ap = "N rs", ellipap = "N rp rs"})

return M
