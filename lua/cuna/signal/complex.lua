--- complex.lua: complex numbers on the host, for the design of filters: tables {re, im} with operators.
local cdata = require "cuna.base.cdata"
local core = require "cuna.core"

local M = {}
local Z = {}

--- A complex number.
---@class cuna.Z
local function make(re, im) return setmetatable({re = re, im = im or 0}, Z) end
M.new = make

--- A complex number of a Lua number, a boxed complex number, or one itself.
function M.of(value)
  if type(value) == "table" then return value end
  if type(value) == "number" then return make(value, 0) end
  if core.number_kind(value) == "complex" then return make(value.re, value.im) end
  return make(tonumber(value), 0)
end

local of = M.of

function Z.__add(a, b)
  a, b = of(a), of(b)
  return make(a.re + b.re, a.im + b.im)
end

function Z.__sub(a, b)
  a, b = of(a), of(b)
  return make(a.re - b.re, a.im - b.im)
end

function Z.__mul(a, b)
  a, b = of(a), of(b)
  return make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
end

--- Smith's division.
function Z.__div(a, b)
  a, b = of(a), of(b)
  if math.abs(b.re) >= math.abs(b.im) then
    local ratio = b.im / b.re
    local scale = 1 / (b.re + b.im * ratio)
    return make((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
  end
  local ratio = b.re / b.im
  local scale = 1 / (b.re * ratio + b.im)
  return make((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
end

function Z.__unm(a) return make(-a.re, -a.im) end

function M.conj(a) return make(a.re, -a.im) end

--- The absolute value, without overflow.
function M.abs(a)
  local x, y = math.abs(a.re), math.abs(a.im)
  if x < y then x, y = y, x end
  if x == 0 or x == math.huge then return x end
  return x * math.sqrt(1 + (y / x) ^ 2)
end

--- The root with a real part of at least 0.
function M.sqrt(a)
  if a.re == 0 and a.im == 0 then return make(0, a.im) end
  local t = math.sqrt((math.abs(a.re) + M.abs(a)) / 2)
  if a.re >= 0 then return make(t, a.im / (2 * t)) end
  local is_below = a.im < 0 or a.im == 0 and 1 / a.im < 0
  return make(math.abs(a.im) / (2 * t), is_below and -t or t)
end

--- exp(i x)
function M.turn(x) return make(math.cos(x), math.sin(x)) end

-- ---- lists ----

--- A list of complex numbers of a list of any numbers.
function M.list(values)
  local made = {}
  for k, value in ipairs(values) do made[k] = of(value) end
  return made
end

--- A list of fn(z) for each z.
function M.map(list, fn)
  local made = {}
  for k, z in ipairs(list) do made[k] = fn(z) end
  return made
end

--- The product of fn(z) for each z.
function M.product(list, fn)
  local product = make(1, 0)
  for _, z in ipairs(list) do product = product * fn(z) end
  return product
end

--- The coefficients of the polynomial with some roots, highest power first.
function M.polynomial(roots)
  local list = {make(1, 0)}
  for _, root in ipairs(roots) do
    list[#list + 1] = make(0, 0)
    for k = #list, 2, -1 do list[k] = list[k] - root * list[k - 1] end
  end
  return list
end

--- The numbers that arrays are made of.
function M.boxed(list) return M.map(list, function(z) return cdata.complex(z.re, z.im) end) end

return M
