--- wavelets.lua: wavelets, and the continuous wavelet transform.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.signal.given"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

--- Distances of m places from their middle.
local function distances(m, name)
  m = check.count(m, name, "the number of points")
  return args.namespace.arange(0, m, 1, "float64") - (m - 1) / 2
end

local function positive(value, name, what)
  value = check.real(value, name, what)
  if value ~= value or value <= 0 then fail("%s: %s is above 0, got %g", name, what, value) end
  return value
end

--- Ricker's wavelet ("Mexican hat"), a second derivative of a Gaussian. Follows scipy.signal.ricker.
---@param points integer
---@param a number its width
---@return cuna.Array
---@usage cn.signal.ricker(3, 1):round(4) --> [0. 0.8673 0. ]
function F.ricker(points, a)
  local name = "signal.ricker"
  local x = distances(points, name)
  a = positive(a, name, "a")
  local square = x * x
  return (1 - square / (a * a)) * args.namespace.exp(square * (-1 / (2 * a * a)))
    * (2 / (math.sqrt(3 * a) * math.pi ^ 0.25))
end

args.bound(F, {ricker = "points a"})

--- exp(i w x) exp(-x ^ 2 / 2) over the fourth root of pi.
local function wave(x, w)
  local cn = args.namespace
  return cn.exp(x * cn.complex(0, w)) * (cn.exp(x * x * -0.5) * math.pi ^ -0.25)
end

local read_morlet2 = args.reader("signal.morlet2", {"M", "s", "w"}, 2)

--- Morlet's wavelet for cn.signal.cwt. Follows scipy.signal.morlet2.
---@param M integer how many points
---@param s number width
---@param w number|nil its frequency, default 5
---@return cuna.Array complex
---@usage cn.signal.morlet2(3, 1):abs():round(4) --> [0.4556 0.7511 0.4556]
function F.morlet2(...)
  local m, s, w = read_morlet2(...)
  local name = "signal.morlet2"
  s, w = positive(s, name, "s"), check.real(w == nil and 5 or w, name, "w")
  return wave(distances(m, name) / s, w) * math.sqrt(1 / s)
end

local read_morlet = args.reader("signal.morlet", {"M", "w", "s", "complete"})

--- Morlet's wavelet from -2 pi s to 2 pi s. Follows scipy.signal.morlet.
---@param M integer how many points
---@param w number|nil its frequency, default 5
---@param s number|nil default 1
---@param complete boolean|nil whether its mean is 0, default true
---@return cuna.Array complex
---@usage cn.signal.morlet(3):abs():round(4) --> [0. 0.7511 0. ]
function F.morlet(...)
  local m, w, s, complete = read_morlet(...)
  local name, cn = "signal.morlet", args.namespace
  w, s = check.real(w == nil and 5 or w, name, "w"), check.real(s == nil and 1 or s, name, "s")
  local last = s * 2 * math.pi
  local x = cn.linspace(-last, last, check.count(m, name, "M"), {dtype = "float64"})
  local made = cn.exp(x * cn.complex(0, w))
  if check.boolean(complete, true, name, "complete") then made = made - math.exp(-0.5 * w * w) end
  return made * (cn.exp(x * x * -0.5) * math.pi ^ -0.25)
end

local read_cwt = args.reader("signal.cwt", {"data", "wavelet", "widths", "dtype"}, 3)

--- The continuous wavelet transform: convolutions with wavelets of several widths. Follows scipy.signal.cwt.
---@param data cuna.Operand vector
---@param wavelet fun(points: integer, width: number): cuna.Array such as cn.signal.ricker or cn.signal.morlet2
---@param widths number[]|cuna.Array from 1 on; an array is fetched
---@param dtype string|nil default float64, or complex128 for complex wavelets
---@return cuna.Array shape (widths, elements)
---@usage cn.signal.cwt(cn.ones(8), cn.signal.ricker, {1, 2}).shape --> (2, 8)
function F.cwt(...)
  local data, wavelet, widths, dtype = read_cwt(...)
  local name, cn = "signal.cwt", args.namespace
  data = given.vector(data, name, "data")
  if data.size == 0 then fail("%s: data has no elements", name) end
  check.callable(wavelet, name)
  dtype = check.dtype(dtype, name)
  local rows = {}
  for k, width in ipairs(given.reals(widths, name, "a width")) do
    local points = math.floor(math.min(10 * positive(width, name, "a width"), data.size))
    if points < 1 then fail("%s: widths are at least 0.1, got %g", name, width) end
    local w = check.array(wavelet(points, width), name, data.device)
    if dtype_facts.kind_of[w.dtype] == "c" then w = w:conj() end
    dtype = dtype or (dtype_facts.kind_of[w.dtype] == "c" and "complex128" or "float64")
    rows[k] = core.cast(cn.signal.convolve(data, cn.flip(w), "same"), dtype, name)
  end
  if #rows == 0 then fail("%s: there are no widths", name) end
  return cn.stack(rows)
end

return M
