--- windows.lua: windows that signals are multiplied with: one formula of the position each.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local formula = require "cuna.base.formula"

local M = {functions = {}}
local F = M.functions

local COSINE = ("cos(%.17g * (2 * a - b) / b)"):format(math.pi)

-- Of the position a from 0, the last one b and a number c.
local TEXTS = {
  bartlett = "1 - fabs(2 * a - b) / b",
  blackman = "0.42 + 0.5 * " .. COSINE .. " + 0.08 * " .. COSINE:gsub("%(", "(2 * ", 1),
  hamming = "0.54 + 0.46 * " .. COSINE,
  hanning = "0.5 + 0.5 * " .. COSINE,
  kaiser = "special::i0(c * sqrt(1 - (2 * a - b) / b * ((2 * a - b) / b))) / special::i0(c)",
}

--- A window of m numbers, computed in float64; a window of one is 1.
local function window(name, m, beta)
  m = check.count(m, name, "m")
  if m == 1 then return core.full({m}, nil, nil, name, 1) end
  return formula.make(name, m, nil, nil, TEXTS[name], "float64", m - 1, beta or 0)
end

--- The Bartlett window, a triangle with zeros at its ends. Follows numpy.bartlett.
---@param m integer how many numbers
---@return cuna.Array 1-d, of the default float dtype
---@usage cn.bartlett(5) --> [0. 0.5 1. 0.5 0. ]
function F.bartlett(m) return window("bartlett", m) end

--- The Blackman window, of three terms of cosines. Follows numpy.blackman.
---@param m integer how many numbers
---@return cuna.Array 1-d, of the default float dtype
---@usage cn.blackman(5):round(4) --> [-0. 0.34 1. 0.34 -0. ]
function F.blackman(m) return window("blackman", m) end

--- The Hamming window, a cosine above 0.08. Follows numpy.hamming.
---@param m integer how many numbers
---@return cuna.Array 1-d, of the default float dtype
---@usage cn.hamming(3):round(4) --> [0.08 1. 0.08]
function F.hamming(m) return window("hamming", m) end

--- The Hann window, a cosine above 0. Follows numpy.hanning.
---@param m integer how many numbers
---@return cuna.Array 1-d, of the default float dtype
---@usage cn.hanning(5):round(4) --> [0. 0.5 1. 0.5 0. ]
function F.hanning(m) return window("hanning", m) end

local read_kaiser = args.reader("kaiser", {"m", "beta"}, 2)

--- The Kaiser window, of Bessel functions. Follows numpy.kaiser.
---@param m integer how many numbers
---@param beta number its shape: 0 is a rectangle, 5 like hamming, 8.6 like blackman
---@return cuna.Array 1-d, of the default float dtype
---@usage cn.kaiser(3, 0) --> [1. 1. 1.]
function F.kaiser(...)
  local m, beta = read_kaiser(...)
  return window("kaiser", m, tonumber(check.number(beta, "kaiser", "beta")))
end

return M
