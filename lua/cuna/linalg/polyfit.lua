--- polyfit.lua: polynomials through points, by least squares.
--
-- The columns of the matrix of powers are divided by their norms, so that the singular values measure how independent
-- the powers are; the coefficients are divided by the norms, too.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local linalg = require "cuna.linalg.lstsq"
local matrices = require "cuna.linalg.matrices"
local polynomial = require "cuna.polynomial"
local reduce = require "cuna.reduce"
local reducers = require "cuna.reducers"
local solve = require "cuna.linalg.solve"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local E, R = elementwise.functions, reduce.functions

local function column(v) return core.reshape(v, {v.size, 1}, "polyfit") end

--- Points, values and weights that fit each other; x and y are floats.
local function open(x, y, w, name)
  if w ~= nil then
    x, y, w = matrices.arrays(name, x, y, w)
  else
    x, y = matrices.arrays(name, x, y)
  end
  if x.ndim ~= 1 or x.size == 0 then
    fail("%s: x is a vector with at least one point, got shape %s", name, tostring(x.shape))
  elseif y.ndim < 1 or y.ndim > 2 or y.shape[1] ~= x.size then
    fail("%s: y has a value, or a row of them, for each of %d points, got shape %s", name, x.size, tostring(y.shape))
  elseif w and (w.ndim ~= 1 or w.size ~= x.size) then
    fail("%s: weights of shape %s for %d points", name, tostring(w.shape), x.size)
  end
  local dtype = reducers.is_inexact(x.dtype) and x.dtype or dtype_rules.default_dtype()
  return core.cast(x, dtype, name), y, w
end

--- The matrix of powers and the values, with each row times its weight.
local function system(x, y, deg, w)
  local powers = polynomial.functions.vander(x, deg + 1)
  if not w then return powers, y end
  return E.multiply(powers, column(w)), E.multiply(y, y.ndim == 2 and column(w) or w)
end

--- The covariances of the coefficients; several fits are stacked along a last axis.
local function covariance(name, powers, lengths, residuals, cov, count, is_vector)
  local order = powers.shape[2]
  local multiply = require("cuna.linalg.products").functions.matmul
  local adjoint = E.conj(powers).T
  local base = solve.inverse(name, multiply(adjoint, powers), true)
  base = E.divide(base, E.multiply(column(lengths), lengths))
  if cov ~= "unscaled" then
    residuals = E.divide(residuals, count - order)
    base = E.multiply(core.reshape(base, {order, order, 1}, name), residuals)
    if is_vector then base = core.reshape(base, {order, order}, name) end
  elseif not is_vector then
    base = core.reshape(base, {order, order, 1}, name)
  end
  return base
end

local read_polyfit = args.reader("polyfit", {"x", "y", "deg", "rcond", "full", "w", "cov"}, 2)

--- The polynomial of a degree that is nearest to points, by least squares. Follows numpy.polyfit, but that nothing
--- warns if the points do not determine a coefficient: `full` returns the rank.
---@param x cuna.Operand points, 1-d
---@param y cuna.Operand values: as many, or a row for each point, which are several fits
---@param deg integer
---@param rcond number|nil singular values up to this share of the greatest count as 0; default: the count of points *
--- epsilon of x's dtype
---@param full boolean|nil true: also returns residuals, rank, singular values and rcond
---@param w cuna.Operand|nil weights of the points
---@param cov boolean|string|nil true: also returns the covariances of the coefficients, scaled by the residuals;
--- "unscaled": as if the weights were right
---@return cuna.Array coefficients from the highest power down, (deg + 1,) or (deg + 1, k)
---@return cuna.Array|nil residuals with `full`; with `cov` the covariances
---@return cuna.Array|nil rank
---@return cuna.Array|nil s
---@return number|nil rcond
---@usage cn.round(cn.polyfit({0, 1, 2, 3}, {1, 3, 7, 13}, 2), 6) --> [1. 1. 1.]
function F.polyfit(...)
  local name, x, y, deg, rcond, full, w, cov = "polyfit", read_polyfit(...)
  x, y, w = open(x, y, w, name)
  deg, full = check.count(deg, name, "deg"), check.boolean(full, false, name, "full")
  if cov ~= nil and cov ~= "unscaled" then check.boolean(cov, false, name, "cov") end
  if cov == true and x.size <= deg + 1 then
    fail("%s: %d points for %d coefficients have no covariance; give more points, or cov = \"unscaled\"", name, x.size,
      deg + 1)
  end
  rcond = rcond == nil and x.size * matrices.epsilon(matrices.dtype(name, x.dtype))
    or check.number(rcond, name, "rcond")
  local powers, values = system(x, y, deg, w)
  local lengths = E.sqrt(R.sum(E.square(E.abs(powers)), 1))
  powers = E.divide(powers, lengths)
  local c, residuals, rank, s = linalg.least_squares(name, powers, values, rcond)
  c = E.divide(c, y.ndim == 2 and column(lengths) or lengths)
  if full then return c, residuals, rank, s, rcond end
  if not cov then return c end
  return c, covariance(name, powers, lengths, residuals, cov, x.size, y.ndim == 1)
end

return M
