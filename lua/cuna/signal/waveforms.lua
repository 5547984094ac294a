--- waveforms.lua: periodic and swept waveforms of cn.signal, impulses, and sequences of shift registers.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local ffi = require "ffi"
local given = require "cuna.signal.given"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail
local pi = math.pi

--- Times as an array of floats; whole numbers become float64.
local function times(t, name)
  t = check.array(t, name)
  if dtype_facts.kind_of[t.dtype] == "c" then fail("%s: times are real, got %s", name, t.dtype) end
  return dtype_facts.is_inexact(t.dtype) and t or core.cast(t, "float64", name)
end

--- Times, the part of a period (an array or a number), whether it is one, and the places in periods.
local function periods(t, part, name)
  local cn = args.namespace
  t = times(t, name)
  if core.is_array(part) or type(part) == "table" then
    part = check.array(part, name, t.device)
    check.same_device(t, part, name)
  else
    part = check.real(part, name, "the part of a period")
  end
  local w = cn.add(t * 0, part)
  return w, cn.remainder(cn.add(t, w * 0), 2 * pi)
end

local read_sawtooth = args.reader("signal.sawtooth", {"t", "width"})

--- A sawtooth of period 2 pi that rises from -1 to 1, then falls. Follows scipy.signal.sawtooth.
---@param t cuna.Operand
---@param width cuna.Operand|nil the part of a period that rises, from 0 to 1, default 1; elsewhere the result is NaN
---@return cuna.Array
---@usage cn.signal.sawtooth({0, cn.pi / 2, cn.pi}) --> [-1. -0.5 0. ]
---@usage cn.signal.sawtooth({0, cn.pi / 2, cn.pi}, 0.5) --> [-1. 0. 1.]
function F.sawtooth(...)
  local t, width = read_sawtooth(...)
  local cn = args.namespace
  local w, at = periods(t, width == nil and 1 or width, "signal.sawtooth")
  local rising, falling = at / (w * pi) - 1, ((w + 1) * pi - at) / ((1 - w) * pi)
  local y = cn.where(cn.less(at, w * (2 * pi)), rising, falling)
  return cn.where(cn.logical_or(cn.greater(w, 1), cn.less(w, 0)), cn.nan, y)
end

local read_square = args.reader("signal.square", {"t", "duty"})

--- A square wave of period 2 pi: 1, then -1. Follows scipy.signal.square.
---@param t cuna.Operand
---@param duty cuna.Operand|nil the part of a period that is 1, from 0 to 1, default 0.5; elsewhere the result is NaN
---@return cuna.Array
---@usage cn.signal.square({0, 1, 4, 6}, 0.5) --> [ 1. 1. -1. -1.]
function F.square(...)
  local t, duty = read_square(...)
  local cn = args.namespace
  local w, at = periods(t, duty == nil and 0.5 or duty, "signal.square")
  local y = cn.where(cn.less(at, w * (2 * pi)), w * 0 + 1, w * 0 - 1)
  return cn.where(cn.logical_or(cn.greater(w, 1), cn.less(w, 0)), cn.nan, y)
end

local read_gausspulse = args.reader("signal.gausspulse", {"t", "fc", "bw", "bwr", "tpr", "retquad", "retenv"})

--- A sinusoid in a Gaussian envelope. Follows scipy.signal.gausspulse.
---@param t cuna.Operand|"cutoff" "cutoff": the time at which the envelope falls to tpr, as a number
---@param fc number|nil center frequency, default 1000
---@param bw number|nil bandwidth as a part of fc, default 0.5
---@param bwr number|nil the level in dB at which bw is measured, default -6
---@param tpr number|nil the level in dB for "cutoff", default -60
---@param retquad boolean|nil whether the quadrature is returned too
---@param retenv boolean|nil whether the envelope is returned too
---@return cuna.Array|number
---@return cuna.Array|nil quadrature or envelope
---@return cuna.Array|nil envelope
---@usage cn.signal.gausspulse({0, 0.001}, {fc = 1000}):round(4) --> [1. 0.4094]
---@usage ("%.6f"):format(cn.signal.gausspulse("cutoff", 100)) --> 0.027813
function F.gausspulse(...)
  local t, fc, bw, bwr, tpr, retquad, retenv = read_gausspulse(...)
  local name, cn = "signal.gausspulse", args.namespace
  fc = check.real(fc == nil and 1000 or fc, name, "fc")
  bw, bwr = check.real(bw == nil and 0.5 or bw, name, "bw"), check.real(bwr == nil and -6 or bwr, name, "bwr")
  tpr = check.real(tpr == nil and -60 or tpr, name, "tpr")
  if fc < 0 then fail("%s: fc is at least 0, got %g", name, fc) end
  if bw <= 0 then fail("%s: bw is above 0, got %g", name, bw) end
  if bwr >= 0 or t == "cutoff" and tpr >= 0 then fail("%s: levels in dB are below 0, got %g and %g", name, bwr, tpr) end
  local a = -(pi * fc * bw) ^ 2 / (4 * math.log(10 ^ (bwr / 20)))
  if t == "cutoff" then return math.sqrt(-math.log(10 ^ (tpr / 20)) / a) end
  t = times(t, name)
  local envelope = cn.exp(t * t * -a)
  local results = {envelope * cn.cos(t * (2 * pi * fc))}
  if check.boolean(retquad, false, name, "retquad") then results[2] = envelope * cn.sin(t * (2 * pi * fc)) end
  if check.boolean(retenv, false, name, "retenv") then results[#results + 1] = envelope end
  return unpack(results)
end

-- ---- sweeps ----

-- The phase at times t, from frequencies f0 and, at t1, f1.
local PHASES = {}

function PHASES.linear(t, f0, t1, f1) return (t * f0 + t * t * (0.5 * (f1 - f0) / t1)) * (2 * pi) end

function PHASES.quadratic(t, f0, t1, f1, vertex_zero)
  local beta = (f1 - f0) / t1 ^ 2
  if vertex_zero then return (t * f0 + t * t * t * (beta / 3)) * (2 * pi) end
  local rest = t1 - t
  return (t * f1 + (rest * rest * rest - t1 ^ 3) * (beta / 3)) * (2 * pi)
end

function PHASES.logarithmic(t, f0, t1, f1, _, name)
  if f0 * f1 <= 0 then
    fail("%s: frequencies of a logarithmic chirp are not 0 and have one sign, got %g and %g", name, f0, f1)
  end
  if f0 == f1 then return t * (2 * pi * f0) end
  local cn = args.namespace
  return (cn.exp(t * (math.log(f1 / f0) / t1)) - 1) * (2 * pi * f0 * t1 / math.log(f1 / f0))
end

function PHASES.hyperbolic(t, f0, t1, f1, _, name)
  if f0 == 0 or f1 == 0 then
    fail("%s: frequencies of a hyperbolic chirp are not 0, got %g and %g", name, f0, f1)
  end
  if f0 == f1 then return t * (2 * pi * f0) end
  local cn, singular = args.namespace, -f1 * t1 / (f0 - f1)
  return cn.log(cn.abs(1 - t / singular)) * (2 * pi * -singular * f0)
end

for word, others in pairs {linear = "lin li", quadratic = "quad q", logarithmic = "log lo", hyperbolic = "hyp"} do
  for other in others:gmatch "%S+" do PHASES[other] = PHASES[word] end
end

local read_chirp = args.reader("signal.chirp", {"t", "f0", "t1", "f1", "method", "phi", "vertex_zero"}, 4)

--- A cosine whose frequency changes. Follows scipy.signal.chirp.
---@param t cuna.Operand times
---@param f0 number frequency at time 0
---@param t1 number
---@param f1 number frequency at time t1
---@param method "linear"|"quadratic"|"logarithmic"|"hyperbolic"|nil default "linear"
---@param phi number|nil phase in degrees, default 0
---@param vertex_zero boolean|nil of a quadratic chirp, whether the parabola's vertex is at time 0 (default) or t1
---@return cuna.Array
---@usage cn.signal.chirp({0, 0.5, 1}, 1, 1, 2):round(4) --> [ 1. -0.7071 -1. ]
function F.chirp(...)
  local t, f0, t1, f1, method, phi, vertex_zero = read_chirp(...)
  local name = "signal.chirp"
  local phase = PHASES[method == nil and "linear" or method]
  if not phase then
    fail("%s: method is \"linear\", \"quadratic\", \"logarithmic\" or \"hyperbolic\", got %s", name, check.show(method))
  end
  f0, t1, f1 = check.real(f0, name, "f0"), check.real(t1, name, "t1"), check.real(f1, name, "f1")
  phi = check.real(phi == nil and 0 or phi, name, "phi")
  local angle = phase(times(t, name), f0, t1, f1, check.boolean(vertex_zero, true, name, "vertex_zero"), name)
  return args.namespace.cos(angle + phi * pi / 180)
end

local read_sweep_poly = args.reader("signal.sweep_poly", {"t", "poly", "phi"}, 2)

--- A cosine whose frequency is a polynomial of the time. Follows scipy.signal.sweep_poly.
---@param t cuna.Operand times
---@param poly cuna.Operand coefficients, highest power first
---@param phi number|nil phase in degrees, default 0
---@return cuna.Array
---@usage cn.signal.sweep_poly({0, 0.5, 1}, {1, 1}):round(4) --> [ 1. -0.7071 -1. ]
function F.sweep_poly(...)
  local t, poly, phi = read_sweep_poly(...)
  local name, cn = "signal.sweep_poly", args.namespace
  t = times(t, name)
  phi = check.real(phi == nil and 0 or phi, name, "phi")
  return cn.cos(cn.polyval(cn.polyint(check.array(poly, name, t.device)), t) * (2 * pi) + phi * pi / 180)
end

local read_unit_impulse = args.reader("signal.unit_impulse", {"shape", "idx", "dtype"})

--- Zeros with a one. Follows scipy.signal.unit_impulse.
---@param shape cuna.Shape
---@param idx integer|integer[]|"mid"|nil the position of the one along all axes, or each; default 1
---@param dtype string|nil default: the default float
---@return cuna.Array
---@usage cn.signal.unit_impulse(4, 2) --> [0. 1. 0. 0.]
---@usage cn.signal.unit_impulse({3, 3}, "mid") --> [[0. 0. 0.] [0. 1. 0.] [0. 0. 0.]]
function F.unit_impulse(...)
  local shape, idx, dtype = read_unit_impulse(...)
  local name, at = "signal.unit_impulse", {}
  shape = check.lengths(shape, name, "shape")
  for axis, length in ipairs(shape) do
    if idx == "mid" then at[axis] = math.floor(length / 2) + 1
    elseif type(idx) == "table" then at[axis] = idx[axis]
    else at[axis] = idx == nil and 1 or idx end
    at[axis] = check.integer(at[axis], name, "idx")
  end
  local out = args.namespace.zeros(shape, check.dtype(dtype, name))
  out[at] = 1
  return out
end

-- ---- shift registers ----

local TAPS = {nil, {1}, {2}, {3}, {3}, {5}, {6}, {7, 6, 1}, {5}, {7}, {9}, {11, 10, 4}, {12, 11, 8}, {13, 12, 2}, {14},
  {15, 13, 4}, {14}, {11}, {18, 17, 14}, {17}, {19}, {21}, {18}, {23, 22, 17}, {22}, {25, 24, 20}, {26, 25, 22}, {25},
  {27}, {29, 28, 7}, {28}, {31, 30, 10}}

--- The taps that are given, without repetitions.
local function read_taps(taps, nbits, name)
  if taps == nil then
    if nbits < 2 or nbits > 32 then fail("%s: nbits without taps is from 2 to 32, got %d", name, nbits) end
    return TAPS[nbits]
  end
  local list, seen = {}, {}
  for _, tap in ipairs(given.reals(taps, name, "a tap")) do
    if tap < 0 or tap > nbits or tap % 1 ~= 0 then
      fail("%s: taps are from 0 to nbits, %d, got %g", name, nbits, tap)
    end
    if not seen[tap] then list[#list + 1], seen[tap] = tap, true end
  end
  if #list == 0 then fail("%s: there are no taps", name) end
  return list
end

--- The register's bits: ones, or those that are given.
local function read_state(state, nbits, name)
  local bits, any = ffi.new("uint8_t[?]", nbits), state == nil
  ffi.fill(bits, nbits, 1)
  if state == nil then return bits end
  local list = given.reals(state, name, "a bit")
  if #list ~= nbits then fail("%s: a state of %d bits for nbits %d", name, #list, nbits) end
  for k, bit in ipairs(list) do
    local set = bit ~= 0
    bits[k - 1], any = set and 1 or 0, any or set
  end
  if not any then fail("%s: all bits of the state are 0", name) end
  return bits
end

local read_max_len_seq = args.reader("signal.max_len_seq", {"nbits", "state", "length", "taps"})

--- A sequence of bits of maximum length, from a shift register. Computed on the host. Follows
--- scipy.signal.max_len_seq.
---@param nbits integer the length of the register
---@param state cuna.Operand|nil the register's bits, default ones
---@param length integer|nil how many bits, default 2 ^ nbits - 1
---@param taps cuna.Operand|nil distances of the bits that are added, from 0 on; default: ones of maximum length
---@return cuna.Array seq int8
---@return cuna.Array state int8, to continue from
---@usage cn.signal.max_len_seq(3) --> [1 1 1 0 1 0 0], [1 1 1]
function F.max_len_seq(...)
  local nbits, state, length, taps = read_max_len_seq(...)
  local name = "signal.max_len_seq"
  nbits = check.few(nbits, 2 ^ 20, name, "nbits")
  taps = read_taps(taps, nbits, name)
  local bits, at = read_state(state, nbits, name), 0
  length = check.few(length == nil and 2 ^ nbits - 1 or length, 2 ^ 30, name, "length")
  local seq = ffi.new("int8_t[?]", math.max(length, 1))
  for k = 0, length - 1 do
    local sum = bits[at]
    seq[k] = sum
    for _, tap in ipairs(taps) do sum = bit.bxor(sum, bits[(tap + at) % nbits]) end
    bits[at], at = sum, (at + 1) % nbits
  end
  local left = ffi.new("int8_t[?]", nbits)
  for k = 0, nbits - 1 do left[k] = bits[(k + at) % nbits] end
  local cn = args.namespace
  return cn.array(cn.frombuffer(ffi.string(seq, length), "int8")), cn.array(cn.frombuffer(ffi.string(left, nbits),
    "int8"))
end

return M
