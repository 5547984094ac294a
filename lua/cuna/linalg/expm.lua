--- expm.lua: exponentials of matrices.
--
-- A matrix is halved until its norm is small, a Pade approximant gives the exponential, which is squared as often as
-- there were halves: Higham, "The scaling and squaring method for the matrix exponential revisited", 2005.
local args = require "cuna.base.args"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local factor = require "cuna.linalg.factor"
local matrices = require "cuna.linalg.matrices"
local program = require "cuna.base.program"
local reduce = require "cuna.reduce"
local solve = require "cuna.linalg.solve"
local triangle = require "cuna.linalg.triangle"

local M = {functions = {}}
local F = M.functions

local E, R = elementwise.functions, reduce.functions

local function matmul(a, b) return require("cuna.linalg.products").functions.matmul(a, b) end

-- Coefficients of the approximants: by degree, up to which 1-norm each is exact in float64 and float32.
local PADE = {
  {3, 1.495585217958292e-2, 4.258730016922831e-1, {120, 60, 12, 1}},
  {5, 2.539398330063230e-1, 1.880152677804762, {30240, 15120, 3360, 420, 30, 1}},
  {7, 9.504178996162932e-1, 3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
  {9, 2.097847961257068, math.huge, {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960,
    90, 1}},
  {13, math.huge, math.huge, {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
    129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}},
}
local LIMIT = {float64 = 5.371920351148152, float32 = 3.925724783138660} -- what is beyond is scaled down

--- The 1-norms of matrices, and how often each is to be halved.
local function draw_halvings(draft, dtype, limit)
  local norm = draft:input(dtype)
  draft:step("halvings", ("a > T(%.17g) && isfinite(a) ? ceil(log2(a / T(%.17g))) : T(0)"):format(limit, limit), dtype,
    {norm})
  draft.output = dtype
end

local function halvings_of(name, norms)
  local dtype = norms.dtype
  return core.map(program.get("halvings " .. dtype, draw_halvings, dtype, LIMIT[dtype]), name, nil, nil, norms)
end

--- The greatest norm and count of halvings, which are waited for. A rehearsal has none.
local function greatest(name, norms, halvings)
  local norm, most = R.max(norms), R.max(halvings)
  if core.is_preparing() then return 0, 1 end
  core.check_waiting(name)
  return require("cuna.array").functions.item(norm, most)
end

--- The row of PADE for a norm.
local function pade_for(norm, dtype)
  if dtype == "float32" and norm > PADE[2][3] then return PADE[3] end
  for _, row in ipairs(PADE) do
    if norm <= (dtype == "float32" and row[3] or row[2]) then return row end
  end
  return PADE[#PADE]
end

local function draw_sum(draft, count, dtype)
  local given, factors, sum = {}, {}, nil
  for k = 1, count do given[k] = draft:input(dtype) end
  for k = 1, count do factors[k] = draft:input(dtype, "scalar") end
  for k = 1, count do
    sum = draft:step("power", k == 1 and "a * b" or "c + a * b", dtype, {given[k], factors[k], sum})
  end
  draft.output = dtype
end

--- A sum of matrices with coefficients, in one pass: c[first], c[first + 2], ...
local function sum_of_powers(list, c, first)
  local operands, count = {unpack(list)}, #list
  for k = 1, count do operands[count + k] = c[first + 2 * (k - 1)] end
  local made = program.get(list[1].dtype .. count, draw_sum, count, list[1].dtype)
  return core.map(made, "linalg.expm", nil, nil, unpack(operands))
end

--- Even powers of a up to `count`.
local function even_powers(a, count)
  local powers = {matmul(a, a)}
  for k = 2, count do powers[k] = matmul(powers[k - 1], powers[1]) end
  return powers
end

--- The odd and the even part of an approximant's numerator: coefficients c[k] of a^(k - 1). Of the thirteenth degree,
--- powers beyond the sixth are products of it.
local function pade_parts(a, row, unit)
  local degree, c = row[1], row[4]
  local powers = even_powers(a, degree == 13 and 3 or (degree - 1) / 2)
  local function part(first)
    local low = sum_of_powers({unit, unpack(powers)}, c, first)
    if degree < 13 then return low end
    return E.add(matmul(powers[3], sum_of_powers(powers, c, first + 8)), low)
  end
  return matmul(a, part(2)), part(1)
end

--- Squares each matrix as often as it was halved.
local function squared(name, x, halvings, most)
  for k = 1, most do
    local square = matmul(x, x)
    x = halvings.size == 1 and square or E.where(E.greater_equal(halvings, k), square, x)
  end
  return core.cast(x, nil, name)
end

local read_expm = args.reader("linalg.expm", {"a"})

--- Exponentials of square matrices, by Pade approximants of scaled matrices that are squared again. How often is asked
--- of the device, so it waits. Follows scipy.linalg.expm.
---@param a cuna.Operand shape (..., n, n)
---@return cuna.Array
---@usage cn.linalg.expm(cn.zeros {2, 2}) --> [[1. 0.] [0. 1.]]
---@usage cn.linalg.expm {{0, 1}, {0, 0}} --> [[1. 1.] [0. 1.]]
function F.expm(...)
  local name, a = "linalg.expm", read_expm(...)
  local dtype
  a, dtype = factor.open(name, a)
  local rows = matrices.square(a, name)
  a = core.cast(a, dtype, name)
  if a.size == 0 then return a end
  local norms = require("cuna.linalg.norm").functions.matrix_norm(a, true, 1)
  local halvings = halvings_of(name, norms)
  local norm, most = greatest(name, norms, halvings)
  local unit = triangle.identity(name, {}, rows, a)
  local scaled = E.multiply(a, E.exp2(E.negative(halvings)))
  local odd, even = pade_parts(scaled, pade_for(norm, norms.dtype), unit)
  local x = solve.quotient(name, E.subtract(even, odd), E.add(even, odd), false)
  return squared(name, x, halvings, most)
end

return M
