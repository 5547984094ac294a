--- numbers.lua: arithmetic of doubles in the memory of the host, by dtype: float64, one double for a number, and
--- complex128, two.
--
-- The size of element j, quotients, sums of products, and multiples of rows that are taken from a vector. Complex
-- numbers are two values, not cdata, so that traces make no objects.
local REAL, COMPLEX = {width = 1}, {width = 2}
local sqrt = math.sqrt

function REAL.size(x, j) return math.abs(x[j]) end
function COMPLEX.size(x, j) return sqrt(x[2 * j] ^ 2 + x[2 * j + 1] ^ 2) end

function REAL.quotient(x, j, y, k) return x[j] / y[k], 0 end

function COMPLEX.quotient(x, j, y, k)
  local a, b, c, d = x[2 * j], x[2 * j + 1], y[2 * k], y[2 * k + 1]
  local square = c * c + d * d
  return (a * c + b * d) / square, (b * c - a * d) / square
end

--- The parts of element j.
function REAL.get(x, j) return x[j], 0 end
function COMPLEX.get(x, j) return x[2 * j], x[2 * j + 1] end

--- Sets element j.
function REAL.set(x, j, re) x[j] = re end
function COMPLEX.set(x, j, re, im) x[2 * j], x[2 * j + 1] = re, im end

--- x without a number times elements `first` to `last` of a, which are in places `at`.
function REAL.subtract(x, at, a, first, last, re)
  for q = first, last do x[at[q]] = x[at[q]] - re * a[q] end
end

function COMPLEX.subtract(x, at, a, first, last, re, im)
  for q = first, last do
    local j, c, d = 2 * at[q], a[2 * q], a[2 * q + 1]
    x[j], x[j + 1] = x[j] - (re * c - im * d), x[j + 1] - (re * d + im * c)
  end
end

--- Element j of x less elements `first` to `last` of a times those of x in places `at`.
function REAL.rest(x, j, at, a, first, last)
  local sum = x[j]
  for q = first, last do sum = sum - a[q] * x[at[q]] end
  return sum, 0
end

function COMPLEX.rest(x, j, at, a, first, last)
  local re, im = x[2 * j], x[2 * j + 1]
  for q = first, last do
    local k, c, d = 2 * at[q], a[2 * q], a[2 * q + 1]
    re, im = re - (c * x[k] - d * x[k + 1]), im - (c * x[k + 1] + d * x[k])
  end
  return re, im
end

return {float64 = REAL, complex128 = COMPLEX}
