--- forms.lua: transfer functions as coefficients, as zeros and poles, as sections of second order, on the host.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"
local given = require "cuna.signal.given"

local M = {}

local fail = check.fail
local make, abs = complex.new, complex.abs
local EPSILON = 2 ^ -52

-- ---- reading and making arrays ----

--- A list of complex numbers of an operand.
function M.read(x, name)
  return complex.list((given.elements(x, name)))
end

local function is_real(list)
  for _, z in ipairs(list) do
    if z.im ~= 0 then return false end
  end
  return true
end

--- A vector of complex numbers of a list; nothing of a list may be real.
function M.complex_array(list, name) return core.as_array(complex.boxed(list), "complex128", nil, name) end

--- A vector of a list: float64, or complex128 where a number is not real.
function M.array(list, name)
  if not is_real(list) then return M.complex_array(list, name) end
  return core.as_array(complex.map(list, function(z) return z.re end), "float64", nil, name)
end

--- A matrix of rows of real numbers.
function M.matrix(rows, name) return core.as_array(rows, "float64", nil, name) end

-- ---- coefficients, zeros and poles ----

--- Coefficients without leading zeros of a, over a's first one. Leading zeros of b that are small are left out.
function M.normalised(b, a, name)
  local first = 1
  while a[first] and abs(a[first]) == 0 do first = first + 1 end
  if not a[first] then fail("%s: all coefficients of the denominator are 0", name) end
  local lead, poles, zeros = a[first], {}, {}
  for k = first, #a do poles[#poles + 1] = a[k] / lead end
  first = 1
  while first < #b and abs(b[first] / lead) <= 1e-14 do first = first + 1 end
  for k = first, #b do zeros[#zeros + 1] = b[k] / lead end
  return zeros, poles
end

--- The roots of a polynomial, highest power first.
function M.roots(list, name)
  local cn = args.namespace
  if #list < 2 then return {} end
  local roots = cn.device("cpu"):with(function() return cn.roots(M.array(list, name)) end)
  return M.read(roots, name)
end

--- Zeros, poles and gain of coefficients.
function M.to_zpk(b, a, name)
  local zeros, poles = M.normalised(b, a, name)
  local k = zeros[1] or make(0, 0)
  local scaled = complex.map(zeros, function(z) return abs(k) == 0 and z or z / k end)
  return M.roots(scaled, name), M.roots(poles, name), k
end

--- Whether numbers are in conjugate pairs, exactly.
local function is_paired(roots)
  local above, below = {}, {}
  for _, z in ipairs(roots) do
    if z.im > 0 then above[#above + 1] = z elseif z.im < 0 then below[#below + 1] = complex.conj(z) end
  end
  if #above ~= #below then return false end
  local function order(x, y) return x.re < y.re or x.re == y.re and x.im < y.im end
  table.sort(above, order)
  table.sort(below, order)
  for k, z in ipairs(above) do
    if z.re ~= below[k].re or z.im ~= below[k].im then return false end
  end
  return true
end

--- The coefficients of zeros, poles and a gain. They are real where the roots are in conjugate pairs.
function M.to_tf(z, p, k)
  local function coefficients(roots, factor)
    local list, paired = complex.polynomial(roots), is_paired(roots)
    return complex.map(list, function(c)
      c = c * factor
      return paired and complex.of(factor).im == 0 and make(c.re, 0) or c
    end)
  end
  return coefficients(z, k), coefficients(p, 1)
end

-- ---- sections ----

local function key_less(x, y) return x.re < y.re or x.re == y.re and math.abs(x.im) < math.abs(y.im) end

--- Sorts runs of numbers with nearly equal real parts by their imaginary parts.
local function sort_runs(list, run)
  for _, range in ipairs(run) do
    local part = {unpack(list, range[1], range[2])}
    table.sort(part, function(x, y) return math.abs(x.im) < math.abs(y.im) end)
    for k, z in ipairs(part) do list[range[1] + k - 1] = z end
  end
end

--- The numbers above the real line, one of each conjugate pair, and the real ones.
local function split(list, name)
  local tolerance, sorted = 100 * EPSILON, {unpack(list)}
  table.sort(sorted, key_less)
  local real, above, below = {}, {}, {}
  for _, z in ipairs(sorted) do
    if math.abs(z.im) <= tolerance * abs(z) then real[#real + 1] = make(z.re, 0)
    elseif z.im > 0 then above[#above + 1] = z
    else below[#below + 1] = z end
  end
  if #above ~= #below then fail("%s: a complex number is without its conjugate", name) end
  local runs, first = {}, 1
  for k = 1, #above do
    if k == #above or above[k + 1].re - above[k].re > tolerance * abs(above[k]) then
      if k > first then runs[#runs + 1] = {first, k} end
      first = k + 1
    end
  end
  sort_runs(above, runs)
  sort_runs(below, runs)
  for k, z in ipairs(above) do
    if abs(z - complex.conj(below[k])) > tolerance * abs(below[k]) then
      fail("%s: a complex number is without its conjugate", name)
    end
    above[k] = (z + complex.conj(below[k])) / 2
  end
  return above, real
end

local function joined(above, real)
  for _, z in ipairs(real) do above[#above + 1] = z end
  return above
end

local function count_real(list)
  local count = 0
  for _, z in ipairs(list) do count = z.im == 0 and count + 1 or count end
  return count
end

--- The place of the number that is nearest to another, among all, the real ones or the others.
local function nearest(list, to, which)
  local best, place = math.huge, nil
  for k, z in ipairs(list) do
    local fits = which == "any" or (z.im == 0) == (which == "real")
    local away = abs(z - to)
    if fits and away < best then best, place = away, k end
  end
  return place
end

--- Takes the pole that is nearest to where a filter is unstable; `only_real`: among the real ones.
local function take_worst(p, is_analog, only_real)
  local best, place = math.huge, nil
  for k, z in ipairs(p) do
    local away = is_analog and math.abs(z.re) or math.abs(1 - abs(z))
    if (not only_real or z.im == 0) and away < best then best, place = away, k end
  end
  return table.remove(p, place)
end

local function take_nearest(list, to, which)
  local place = nearest(list, to, which)
  return place and table.remove(list, place)
end

local function section(z, p)
  local b, a = M.to_tf(z, p, 1)
  local row = {0, 0, 0, 0, 0, 0}
  for k = 1, #b do row[3 - #b + k] = b[k].re end
  for k = 1, #a do row[6 - #a + k] = a[k].re end
  return row
end

--- The zeros of a section of two poles, the first being p1: the nearest one and its conjugate, or another real one.
local function take_zeros(z, p1)
  if #z == 0 then return {} end
  local z1 = take_nearest(z, p1, "any")
  if z1.im ~= 0 then return {z1, complex.conj(z1)} end
  local z2 = take_nearest(z, p1, "real")
  return {z1, z2}
end

--- The section of the worst pole that is left. Of a pair of conjugates the lists have one.
local function next_section(z, p, pairing)
  local is_analog = pairing == "analog"
  local p1 = take_worst(p, is_analog)
  if p1.im == 0 and count_real(p) == 0 then
    local z1 = take_nearest(z, p1, "real")
    if pairing == "minimal" or is_analog then return section(z1 and {z1} or {}, {p1}) end
    return section({z1, make(0, 0)}, {p1, make(0, 0)})
  end
  if #p + 1 == #z and p1.im ~= 0 and count_real(p) == 1 and count_real(z) == 1 then
    local z1 = take_nearest(z, p1, "complex")
    return section({z1, complex.conj(z1)}, {p1, complex.conj(p1)})
  end
  local p2 = p1.im == 0 and take_worst(p, is_analog, true) or complex.conj(p1)
  return section(take_zeros(z, p1), {p1, p2})
end

--- The rows of sections of zeros, poles and a gain.
---@param pairing "nearest"|"keep_odd"|"minimal"
function M.to_sos(z, p, k, pairing, is_analog, name)
  if #z == 0 and #p == 0 then return {is_analog and {0, 0, k, 0, 0, 1} or {k, 0, 0, 1, 0, 0}} end
  z, p = {unpack(z)}, {unpack(p)}
  if pairing == "minimal" and #p < #z then
    fail("%s: pairing \"minimal\" takes at least as many poles as zeros, got %d and %d", name, #p, #z)
  end
  local count = math.ceil(math.max(#z, #p) / 2)
  if pairing ~= "minimal" then
    while #p < #z do p[#p + 1] = make(0, 0) end
    while #z < #p do z[#z + 1] = make(0, 0) end
    if #p % 2 == 1 and pairing == "nearest" then p[#p + 1], z[#z + 1] = make(0, 0), make(0, 0) end
  end
  z, p = joined(split(z, name)), joined(split(p, name))
  local rows = {}
  for row = count, 1, -1 do rows[row] = next_section(z, p, is_analog and "analog" or pairing) end
  for column = 1, 3 do rows[1][column] = rows[1][column] * k end
  return rows
end

--- The rows of an array of sections.
function M.read_sos(sos, name)
  local list, shape = given.reals(sos, name, "a section's coefficient")
  if #shape ~= 2 or shape[2] ~= 6 or shape[1] == 0 then
    fail("%s: sections have shape (n, 6), n from 1 on, got %s", name, tostring(shape))
  end
  local rows = {}
  for row = 1, shape[1] do rows[row] = {unpack(list, 6 * row - 5, 6 * row)} end
  return rows
end

--- The same of digital sections, whose fourth number is 1.
function M.read_digital_sos(sos, name)
  local rows = M.read_sos(sos, name)
  for k, row in ipairs(rows) do
    if row[4] ~= 1 then fail("%s: section %d has %g in column 4, which is 1", name, k, row[4]) end
  end
  return rows
end

--- The product of two polynomials.
function M.multiply(a, b)
  local made = {}
  for k = 1, #a + #b - 1 do made[k] = 0 end
  for i = 1, #a do
    for j = 1, #b do made[i + j - 1] = made[i + j - 1] + a[i] * b[j] end
  end
  return made
end

return M
