--- fourier.lua: filters of cn.ndimage that multiply the Fourier transform of an image.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions -- cn.ndimage

local pi = math.pi
local KEPT = {complex64 = true, complex128 = true, float32 = true}

--- What a filter was asked for: x, a number for each axis, the dtype of the result, and for each axis the frequencies
--- of its elements over the number of points, along that axis.
---@param is_complex boolean whether the result is complex in any case
local function asked_for(x, values, n, axis, what, name, is_complex)
  local cn = args.namespace
  x = given.image(x, name)
  local shape, frequencies = x.shape, {}
  n = check.integer(n == nil and -1 or n, name, "n")
  axis = core.axis(axis == nil and -1 or axis, x.ndim, name)
  for k, length in ipairs(shape) do
    local is_half, line = k == axis and n >= 0, {}
    for j = 1, x.ndim do line[j] = j == k and length or 1 end
    local places = with.on(x, cn.arange, 0, length, 1, "float64")
    if not is_half then places = cn.where(places:lt(math.floor((length + 1) / 2)), places, places - length) end
    frequencies[k] = (places / math.max(is_half and n or length, 1)):reshape(line)
  end
  local dtype = KEPT[x.dtype] and x.dtype or "float64"
  if is_complex then dtype = dtype == "complex64" and dtype or "complex128" end
  return {x = x, values = given.numbers(values, nil, x.ndim, name, what), frequencies = frequencies, dtype = dtype,
    name = name}
end

--- The image times a factor.
local function multiply(asked, factor, output)
  return given.output(output, asked.x, asked.x.shape, asked.dtype, asked.name, function(out)
    args.namespace.copyto(out, args.namespace.multiply(asked.x, factor), {casting = "unsafe"})
  end)
end

--- The product of what fn(x) gives for each axis, x being pi times its number times its frequencies.
local function product(asked, fn)
  local whole
  for k, frequencies in ipairs(asked.frequencies) do
    local one = fn(args.namespace.multiply(frequencies, pi * asked.values[k]))
    whole = whole and args.namespace.multiply(whole, one) or one
  end
  return whole
end

local read_gaussian = args.reader("ndimage.fourier_gaussian", {"input", "sigma", "n", "axis", "output"}, 2)

--- Multiplies a Fourier transform by that of a Gaussian. Follows scipy.ndimage.fourier_gaussian.
---@param input cuna.Operand a transform
---@param sigma number|number[] one for all axes, or one for each
---@param n integer|nil -1 (default): a complex transform; else the length of a real one along `axis`
---@param axis integer|nil default -1
---@param output cuna.Array|string|nil
---@return cuna.Array
---@usage cn.ndimage.fourier_gaussian({1, 1}, 0.5) --> [1. 0.29121293]
function F.fourier_gaussian(...)
  local x, sigma, n, axis, output = read_gaussian(...)
  local asked = asked_for(x, sigma, n, axis, "sigma", "ndimage.fourier_gaussian")
  return multiply(asked, product(asked, function(v) return args.namespace.exp(v * v * -2) end), output)
end

local read_uniform = args.reader("ndimage.fourier_uniform", {"input", "size", "n", "axis", "output"}, 2)

--- Multiplies a Fourier transform by that of a box. Follows scipy.ndimage.fourier_uniform.
---@param input cuna.Operand a transform
---@param size number|number[]
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array
---@usage cn.ndimage.fourier_uniform({1, 1, 1}, 1.5):gt(0.6) --> [ True True True]
function F.fourier_uniform(...)
  local x, size, n, axis, output = read_uniform(...)
  local asked = asked_for(x, size, n, axis, "size", "ndimage.fourier_uniform")
  return multiply(asked, product(asked, function(v) return args.namespace.sinc(v / pi) end), output)
end

local read_shift = args.reader("ndimage.fourier_shift", {"input", "shift", "n", "axis", "output"}, 2)

--- Multiplies a Fourier transform so that its image is shifted. Follows scipy.ndimage.fourier_shift.
---@param input cuna.Operand a transform
---@param shift number|number[] in elements
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array complex
---@usage cn.ndimage.fourier_shift({1, 1, 1}, 3):allclose(1) --> true
function F.fourier_shift(...)
  local x, shift, n, axis, output = read_shift(...)
  local cn, asked, angle = args.namespace, asked_for(x, shift, n, axis, "shift", "ndimage.fourier_shift", true), nil
  for k, frequencies in ipairs(asked.frequencies) do
    local one = cn.multiply(frequencies, -2 * pi * asked.values[k])
    angle = angle and cn.add(angle, one) or one
  end
  return multiply(asked, cn.exp(cn.multiply(angle, cn.complex(0, 1))), output)
end

local read_ellipsoid = args.reader("ndimage.fourier_ellipsoid", {"input", "size", "n", "axis", "output"}, 2)

-- Transforms of balls of one, two and three axes at a radius.
local BALLS = {
  function(r, cn) return cn.sinc(r / pi) end,
  function(r, cn) return cn.special.j1(r) * 2 / r end,
  function(r, cn) return (cn.sin(r) - r * cn.cos(r)) * 3 / (r * r * r) end,
}

--- Multiplies a Fourier transform of one to three axes by that of an ellipsoid. Follows
--- scipy.ndimage.fourier_ellipsoid.
---@param input cuna.Operand a transform
---@param size number|number[] the ellipsoid's diameters
---@param n integer|nil
---@param axis integer|nil
---@param output cuna.Array|string|nil
---@return cuna.Array
---@usage cn.ndimage.fourier_ellipsoid({1, 1}, 1) --> [1. 0.63661977]
function F.fourier_ellipsoid(...)
  local x, size, n, axis, output = read_ellipsoid(...)
  local cn, asked, sum = args.namespace, asked_for(x, size, n, axis, "size", "ndimage.fourier_ellipsoid"), nil
  local ball = BALLS[asked.x.ndim]
  if not ball then
    check.fail("%s: expected 1 to 3 axes, got shape %s", asked.name, tostring(asked.x.shape))
  end
  for k, frequencies in ipairs(asked.frequencies) do
    local one = cn.multiply(frequencies, pi * asked.values[k])
    sum = sum and cn.add(sum, one * one) or one * one
  end
  local r = cn.sqrt(sum)
  return multiply(asked, cn.where(cn.equal(r, 0), 1, ball(cn.where(cn.equal(r, 0), 1, r), cn)), output)
end

return M
