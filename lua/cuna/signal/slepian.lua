--- slepian.lua: eigenvectors of the tridiagonal matrix that has the Slepian sequences as its eigenvectors.
--
-- Its eigenvalues lie apart, so bisection by Sturm's count finds each, and two steps of inverse iteration its vector
-- (Percival and Walden, Spectral Analysis for Physical Applications, 8.3).
local args = require "cuna.base.args"

-- Sequences are tables of numbers on the host, which LuaJIT limits to 2^26.
local M = {MOST = 2 ^ 24}

--- The diagonal, and the squares of the numbers beside it: row k is beside row k + 1 by root(squares[k]).
local function matrix_of(m, NW)
  local diagonal, beside = {}, {}
  for n = 0, m - 1 do
    diagonal[n + 1] = ((m - 1 - 2 * n) / 2) ^ 2 * math.cos(2 * math.pi * NW / m)
    if n > 0 then beside[n] = n * (m - n) / 2 end
  end
  return diagonal, beside
end

--- How many eigenvalues are below x.
local function count_below(diagonal, beside, x)
  local count, d = 0, 1
  for k = 1, #diagonal do
    d = diagonal[k] - x - (k > 1 and beside[k - 1] ^ 2 / d or 0)
    if d == 0 then d = 1e-300 end
    if d < 0 then count = count + 1 end
  end
  return count
end

--- The eigenvalue below which there are `rank` others.
local function eigenvalue(diagonal, beside, rank)
  local low, high = math.huge, -math.huge
  for k = 1, #diagonal do
    local reach = (beside[k - 1] or 0) + (beside[k] or 0)
    low, high = math.min(low, diagonal[k] - reach), math.max(high, diagonal[k] + reach)
  end
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if middle <= low or middle >= high then break end
    if count_below(diagonal, beside, middle) > rank then high = middle else low = middle end
  end
  return (low + high) / 2
end

--- Solves (matrix - x) v = v in place, by elimination with exchanges of neighbouring rows.
local function solve(diagonal, beside, x, v)
  local m = #diagonal
  local a, b, c = {}, {}, {} -- a row after elimination: its diagonal and the two numbers to the right
  local d, e = diagonal[1] - x, beside[1] or 0
  for k = 1, m - 1 do
    local left, middle, right = beside[k], diagonal[k + 1] - x, beside[k + 1] or 0
    if math.abs(left) > math.abs(d) then
      a[k], b[k], c[k], v[k], v[k + 1] = left, middle, right, v[k + 1], v[k]
      local factor = d / left
      d, e = e - factor * middle, -factor * right
      v[k + 1] = v[k + 1] - factor * v[k]
    else
      if d == 0 then d = 1e-300 end
      a[k], b[k], c[k] = d, e, 0
      local factor = left / d
      d, e = middle - factor * e, right
      v[k + 1] = v[k + 1] - factor * v[k]
    end
  end
  a[m], b[m], c[m] = d == 0 and 1e-300 or d, 0, 0
  for k = m, 1, -1 do
    v[k] = (v[k] - b[k] * (v[k + 1] or 0) - c[k] * (v[k + 2] or 0)) / a[k]
  end
end

local function normalise(v)
  local most, sum = 0, 0
  for k = 1, #v do most = math.max(most, math.abs(v[k])) end
  for k = 1, #v do
    v[k] = v[k] / most
    sum = sum + v[k] * v[k]
  end
  for k = 1, #v do v[k] = v[k] / math.sqrt(sum) end
end

--- Turns a sequence so that its sum is positive, or where the sum is 0 its first value that is not small.
local function orient(v, is_even)
  local sum, first, small = 0, nil, math.max(1e-7, 1 / #v)
  for k = 1, #v do
    sum = sum + v[k]
    if not first and v[k] * v[k] > small then first = v[k] end
  end
  if (is_even and sum or first or 1) < 0 then
    for k = 1, #v do v[k] = -v[k] end
  end
end

--- The first `count` Slepian sequences of m numbers, each of norm 1.
---@return number[][]
function M.sequences(m, NW, count)
  local diagonal, beside = matrix_of(m, NW)
  local list = {}
  for rank = 1, count do
    local x, v = eigenvalue(diagonal, beside, m - rank), {}
    for k = 1, m do v[k] = 1 + k % 7 / 7 * (rank % 2 == 0 and k / m or 1) end
    for _ = 1, 3 do
      solve(diagonal, beside, x, v)
      normalise(v)
    end
    orient(v, rank % 2 == 1)
    list[rank] = v
  end
  return list
end

--- The part of the energy of sequences within their band.
---@param w cuna.Array shape (count, m)
---@return cuna.Array
function M.ratios(w, NW)
  local cn, m = args.namespace, w.shape[2]
  local length = 2 * m
  local spectrum = cn.fft.rfft(w, length)
  local products = cn.fft.irfft(spectrum * spectrum:conj(), length)[{{}, {1, m}}]
  local band = 4 * NW / m * cn.sinc(cn.arange(m) * (2 * NW / m))
  band[1] = 2 * NW / m
  return products:matmul(band)
end

return M
