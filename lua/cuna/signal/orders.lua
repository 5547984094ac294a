--- orders.lua: the least orders of recursive filters that keep to a ripple and an attenuation, and those filters.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"
local iir = require "cuna.signal.iir"
local prototypes = require "cuna.signal.prototypes"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, abs = check.fail, math.abs
local function acosh(x) return math.log(x + math.sqrt(x * x - 1)) end
local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end

-- ---- a minimum within bounds ----

local GOLDEN = (3 - math.sqrt(5)) / 2

--- The place of a parabola's minimum as a step from x, or nil where it lies outside.
local function parabolic(s)
  local r = (s.x - s.w) * (s.fx - s.fv)
  local q = (s.x - s.v) * (s.fx - s.fw)
  local p = (s.x - s.v) * q - (s.x - s.w) * r
  q = 2 * (q - r)
  if q > 0 then p = -p end
  q = abs(q)
  local last = s.before
  s.before = s.step
  if abs(p) >= abs(0.5 * q * last) or p <= q * (s.a - s.x) or p >= q * (s.b - s.x) then return nil end
  return p / q
end

--- Takes a place and its value into a search.
local function note(s, x, fx)
  if fx <= s.fx then
    if x >= s.x then s.a = s.x else s.b = s.x end
    s.v, s.fv, s.w, s.fw, s.x, s.fx = s.w, s.fw, s.x, s.fx, x, fx
    return
  end
  if x < s.x then s.a = x else s.b = x end
  if fx <= s.fw or s.w == s.x then
    s.v, s.fv, s.w, s.fw = s.w, s.fw, x, fx
  elseif fx <= s.fv or s.v == s.x or s.v == s.w then
    s.v, s.fv = x, fx
  end
end

--- Where a function of one number is least between bounds, by Brent's method, as scipy.optimize.fminbound.
local function minimise(fn, a, b)
  local x = a + GOLDEN * (b - a)
  local fx = fn(x)
  local s = {a = a, b = b, x = x, w = x, v = x, fx = fx, fw = fx, fv = fx, step = 0, before = 0}
  for _ = 1, 500 do
    local middle, near = (s.a + s.b) / 2, 1.4901161193847656e-08 * abs(s.x) + 1e-5 / 3
    if abs(s.x - middle) <= 2 * near - (s.b - s.a) / 2 then break end
    local step = abs(s.before) > near and parabolic(s) or nil
    if step then
      local to = s.x + step
      if to - s.a < 2 * near or s.b - to < 2 * near then step = near * (middle >= s.x and 1 or -1) end
    else
      s.before = s.x >= middle and s.a - s.x or s.b - s.x
      step = GOLDEN * s.before
    end
    s.step = step
    local to = s.x + (step >= 0 and 1 or -1) * math.max(abs(step), near)
    note(s, to, fn(to))
  end
  return s.x
end

-- ---- what is asked for ----

--- Edges of a passband or stopband in units of half the sampling frequency.
local function edges_of(w, fs, name, what)
  local list = core.is_array(w) and given.reals(w, name, what) or type(w) == "table" and {unpack(w)} or {w}
  for k = 1, #list do list[k] = check.real(list[k], name, what) / (fs and fs / 2 or 1) end
  return list
end

--- What an order is of: wp and ws (edges, prewarped), the kind of band, ripples as ratios.
local function asked_for(wp, ws, gpass, gstop, analog, fs, name)
  analog = check.boolean(analog, false, name, "analog")
  gpass, gstop = check.real(gpass, name, "gpass"), check.real(gstop, name, "gstop")
  if not (gpass > 0 and gpass < gstop) then
    fail("%s: gpass is above 0 and below gstop, got %g and %g dB", name, gpass, gstop)
  end
  if fs ~= nil then fs = check.real(fs, name, "fs") end
  if fs and analog then fail("%s: an analog filter is without fs", name) end
  local pass, stop = edges_of(wp, fs, name, "wp"), edges_of(ws, fs, name, "ws")
  if #pass ~= #stop or #pass < 1 or #pass > 2 then
    fail("%s: wp and ws are one frequency each or two, got %d and %d", name, #pass, #stop)
  end
  local asked = {analog = analog, fs = fs, gpass = gpass, gstop = gstop, pass = pass, stop = stop,
    high = 10 ^ (0.1 * gstop) - 1, low = 10 ^ (0.1 * gpass) - 1}
  asked.band = #pass == 1 and (pass[1] < stop[1] and "low" or "high") or pass[1] < stop[1] and "stop" or "pass"
  for k = 1, #pass do
    for _, list in ipairs {pass, stop} do
      if (list[k] ~= list[k] or list[k] <= 0) or not analog and list[k] >= 1 then
        fail("%s: a frequency is above 0%s, got %g", name, analog and "" or " and below half the sampling frequency",
          list[k] * (fs and fs / 2 or 1))
      end
      if not analog then list[k] = math.tan(math.pi * list[k] / 2) end
    end
  end
  return asked
end

--- By what ratio the stopband lies apart from the passband of the lowpass prototype.
local function ratio_of(asked, pass)
  local stop, least = asked.stop, math.huge
  for k = 1, #stop do
    local s = stop[k]
    local r
    if asked.band == "low" then r = s / pass[1]
    elseif asked.band == "high" then r = pass[1] / s
    else r = (s * s - pass[1] * pass[2]) / (s * (pass[1] - pass[2])) end
    if asked.band == "stop" then r = 1 / r end
    least = math.min(least, abs(r))
  end
  return least
end

-- Real orders, of a ratio.
local ORDERS = {
  butter = function(asked, ratio) return math.log10(asked.high / asked.low) / (2 * math.log10(ratio)) end,
  cheby = function(asked, ratio) return acosh(math.sqrt(asked.high / asked.low)) / acosh(ratio) end,
  ellip = function(asked, ratio)
    local m0, m1 = (1 / ratio) ^ 2, asked.low / asked.high
    local complete = prototypes.complete
    return complete(1 - m0) * complete(m1) / (complete(m0) * complete(1 - m1))
  end,
}

--- Moves the edges of a bandstop filter's passband to where the order is least.
local function widen(asked, kind)
  if asked.band ~= "stop" then return end
  local pass, stop = asked.pass, asked.stop
  local function order_with(place)
    return function(w)
      local moved = {pass[1], pass[2]}
      moved[place] = w
      return ORDERS[kind](asked, ratio_of(asked, moved))
    end
  end
  pass[1] = minimise(order_with(1), pass[1], stop[1] - 1e-12)
  pass[2] = minimise(order_with(2), stop[2] + 1e-12, pass[2])
end

--- Prewarped frequencies as the caller counts them: a number, or a table of two.
local function put_out(asked, list)
  for k = 1, #list do
    local w = asked.analog and list[k] or 2 / math.pi * math.atan(list[k])
    list[k] = asked.fs and w * asked.fs / 2 or w
  end
  return list[2] and list or list[1]
end

--- The order of a kind.
local function order_of(asked, kind, name)
  widen(asked, kind)
  local order = math.ceil(ORDERS[kind](asked, ratio_of(asked, asked.pass)))
  if not (order >= 0 and order < 1e6) then fail("%s: passband and stopband do not lie apart", name) end
  return order
end

--- The edges of a Butterworth filter at -3 dB, of which it is gpass at the passband's edges.
local function butter_edges(asked, order)
  local pass, w = asked.pass, order == 0 and 1 or asked.low ^ (-1 / (2 * order))
  if asked.band == "low" then return {w * pass[1]} end
  if asked.band == "high" then return {pass[1] / w} end
  local width, product = pass[2] - pass[1], pass[1] * pass[2]
  local list
  if asked.band == "stop" then
    local root = math.sqrt(width ^ 2 + 4 * w ^ 2 * product)
    list = {abs(width + root) / (2 * w), abs(width - root) / (2 * w)}
  else
    local root = math.sqrt(w * w / 4 * width ^ 2 + product)
    list = {abs(w * width / 2 + root), abs(-w * width / 2 + root)}
  end
  table.sort(list)
  return list
end

--- The edges of a Chebyshev filter's stopband of which it is gpass at the passband's edges.
local function cheb2_edges(asked, order)
  local pass, f = asked.pass, 1 / cosh(acosh(math.sqrt(asked.high / asked.low)) / order)
  if asked.band == "low" then return {pass[1] / f} end
  if asked.band == "high" then return {pass[1] * f} end
  local factor = asked.band == "stop" and f or 1 / f
  local half, product = factor / 2 * (pass[1] - pass[2]), pass[1] * pass[2]
  local first = half + math.sqrt(half * half + product)
  return {first, product / first}
end

-- By kind: the least order and its edges.
local LEAST = {
  butter = function(asked, name)
    local order = order_of(asked, "butter", name)
    return order, put_out(asked, butter_edges(asked, order))
  end,
  cheby1 = function(asked, name) return order_of(asked, "cheby", name), put_out(asked, asked.pass) end,
  cheby2 = function(asked, name)
    local order = order_of(asked, "cheby", name)
    return order, put_out(asked, cheb2_edges(asked, order))
  end,
  ellip = function(asked, name) return order_of(asked, "ellip", name), put_out(asked, asked.pass) end,
}

--- A function that finds the least order of a kind.
local function finder(word, kind)
  local name = "signal." .. word
  local read = args.reader(name, {"wp", "ws", "gpass", "gstop", "analog", "fs"}, 4)
  return function(...)
    local wp, ws, gpass, gstop, analog, fs = read(...)
    return LEAST[kind](asked_for(wp, ws, gpass, gstop, analog, fs, name), name)
  end
end

-- ---- orders ----

--- The least order of a Butterworth filter, and its edges. Follows scipy.signal.buttord.
---@param wp number|number[] edges of the passband
---@param ws number|number[] edges of the stopband
---@param gpass number the most loss in the passband in dB
---@param gstop number the least attenuation in the stopband in dB
---@param analog boolean|nil default false
---@param fs number|nil sampling frequency
---@return integer N
---@return number|number[] Wn
---@usage ("%d %.4f"):format(cn.signal.buttord(0.2, 0.3, 3, 40)) --> 11 0.2000
F.buttord = finder("buttord", "butter")

--- The least order of a Chebyshev filter with ripples in its passband, and its edges. Follows scipy.signal.cheb1ord.
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer N
---@return number|number[] Wn
---@usage cn.signal.cheb1ord(0.2, 0.3, 3, 40) --> 6, 0.2
F.cheb1ord = finder("cheb1ord", "cheby1")

--- The least order of a Chebyshev filter with ripples in its stopband, and its edges. Follows scipy.signal.cheb2ord.
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer N
---@return number|number[] Wn
---@usage ("%d %.4f"):format(cn.signal.cheb2ord(0.2, 0.3, 3, 40)) --> 6 0.2746
F.cheb2ord = finder("cheb2ord", "cheby2")

--- The least order of an elliptic filter, and its edges. Follows scipy.signal.ellipord.
---@param wp number|number[]
---@param ws number|number[]
---@param gpass number
---@param gstop number
---@param analog boolean|nil
---@param fs number|nil
---@return integer N
---@return number|number[] Wn
---@usage cn.signal.ellipord(0.2, 0.3, 3, 40) --> 4, 0.2
F.ellipord = finder("ellipord", "ellip")

-- ---- filters of the least order ----

local read_iirdesign = args.reader("signal.iirdesign",
  {"wp", "ws", "gpass", "gstop", "analog", "ftype", "output", "fs"}, 4)

--- Designs a recursive filter of the least order for what it may lose and has to attenuate. Follows
--- scipy.signal.iirdesign.
---@param wp number|number[] edges of the passband
---@param ws number|number[] edges of the stopband
---@param gpass number the most loss in the passband in dB
---@param gstop number the least attenuation in the stopband in dB
---@param analog boolean|nil default false
---@param ftype "butter"|"cheby1"|"cheby2"|"ellip"|nil default "ellip"
---@param output "ba"|"zpk"|"sos"|nil coefficients (default); zeros, poles, gain; sections
---@param fs number|nil sampling frequency
---@return cuna.Array b, or z, or sos
---@return cuna.Array|nil a, or p
---@return number|nil k
---@usage cn.signal.iirdesign(0.2, 0.3, 1, 40, {output = "sos"}).shape --> (2, 6)
function F.iirdesign(...)
  local wp, ws, gpass, gstop, analog, ftype, output, fs = read_iirdesign(...)
  local name = "signal.iirdesign"
  local kind = iir.kind(ftype == nil and "ellip" or ftype)
  if not LEAST[kind] then
    fail('%s: ftype is "butter", "cheby1", "cheby2" or "ellip", got %s', name, check.show(ftype))
  end
  local asked = asked_for(wp, ws, gpass, gstop, analog, fs, name)
  local pass, stop = asked.pass, asked.stop
  if pass[2] and (pass[1] < stop[1]) ~= (stop[2] < pass[2]) then
    fail("%s: one of passband and stopband lies within the other", name)
  end
  local order, edges = LEAST[kind](asked, name)
  return args.namespace.signal.iirfilter(order, edges, {rp = gpass, rs = gstop, btype = asked.band, analog = analog,
    ftype = kind, output = output, fs = fs})
end

return M
