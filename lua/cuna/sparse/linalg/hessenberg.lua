--- hessenberg.lua: the small least squares problem of gmres, on the host: a Hessenberg matrix that gains columns.
--
-- Rotations make the matrix triangular as it grows. Numbers are pairs of a real and an imaginary part, which is 0 for
-- real matrices.
local args = require "cuna.base.args"

local M = {}

--- The problem whose right side is (length, 0, 0, ...).
function M.new(length)
  return {columns = {}, cosines = {}, sines = {}, right = {{length, 0}}}
end

local function plus_product(x, c, y, s, sign) -- c * x + s * y; with `sign` -1 s stands for -conj(s)
  local re, im = sign * s[1], s[2]
  return {c * x[1] + re * y[1] - im * y[2], c * x[2] + re * y[2] + im * y[1]}
end

--- The rotation that turns (f, g) into (r, 0), where g is real and not less than 0.
local function rotation_of(f, g)
  local length = math.sqrt(f[1] * f[1] + f[2] * f[2])
  if g == 0 then return 1, {0, 0}, f end
  if length == 0 then return 0, {1, 0}, {g, 0} end
  local whole = math.sqrt(length * length + g * g)
  local re, im = f[1] / length, f[2] / length
  return length / whole, {re * g / whole, im * g / whole}, {re * whole, im * whole}
end

--- Adds a column, given down to the diagonal, and the number below it.
---@return number residual the norm of what the problem leaves
function M.add(problem, column, below)
  local j = #problem.columns + 1
  local next_one
  for k = 1, j - 1 do
    local c, s = problem.cosines[k], problem.sines[k]
    next_one = column[k + 1]
    column[k], column[k + 1] = plus_product(column[k], c, next_one, s, 1),
      plus_product(next_one, c, column[k], s, -1)
  end
  local c, s, r = rotation_of(column[j], below)
  column[j] = r
  problem.columns[j], problem.cosines[j], problem.sines[j] = column, c, s
  local last = problem.right[j]
  problem.right[j] = {c * last[1], c * last[2]}
  problem.right[j + 1] = plus_product({0, 0}, 0, last, s, -1)
  return math.sqrt(problem.right[j + 1][1] ^ 2 + problem.right[j + 1][2] ^ 2)
end

local function divided(a, b)
  local size = b[1] * b[1] + b[2] * b[2]
  return {(a[1] * b[1] + a[2] * b[2]) / size, (a[2] * b[1] - a[1] * b[2]) / size}
end

--- The solution, as an array. A last column that is 0 has the factor 0.
---@param dtype string
---@return cuna.Array
function M.solve(problem, dtype)
  local y, count, columns = {}, #problem.columns, problem.columns
  for k = 1, count do y[k] = problem.right[k] end
  local corner = columns[count][count]
  if corner[1] == 0 and corner[2] == 0 then y[count] = {0, 0} end
  for k = count, 1, -1 do
    if y[k][1] ~= 0 or y[k][2] ~= 0 then y[k] = divided(y[k], columns[k][k]) end
    local re, im = y[k][1], y[k][2]
    for i = 1, k - 1 do
      local h = columns[k][i]
      y[i] = {y[i][1] - (re * h[1] - im * h[2]), y[i][2] - (re * h[2] + im * h[1])}
    end
  end
  local is_complex = dtype:find "^complex"
  for k = 1, count do y[k] = is_complex and args.namespace.complex(y[k][1], y[k][2]) or y[k][1] end
  return args.namespace.array(y, dtype)
end

return M
