--- refine.lua: solutions of systems by factors, made better until each equation is solved as exactly as its numbers are
--- known.
--
-- The error of a solution is the greatest |b - A x| of an equation, relative to |A| |x| + |b| there (W. Oettli, W.
-- Prager, 1964): the least relative change of the numbers of A and b for which x is right. While it is above a few
-- roundings, what the factors make of b - A x is added (M. Arioli, J. W. Demmel, I. S. Duff, 1989). Matrices are in
-- columns, with positions from 0 as int64 and doubles, one or two for a number (host.lua).
local ffi = require "ffi"

local M = {}

local abs, max = math.abs, math.max
local SMALL, STEPS = 2 ^ -50, 2 -- four roundings; steps at most

local REAL, COMPLEX = {}, {}
local KINDS = {float64 = REAL, complex128 = COMPLEX}

-- ---- what is left of b, and what it is small against ----

--- Takes A x from r, and adds |A| |x| to w.
function REAL.N(f, x, r, w)
  local starts, at, elements = f.starts, f.at, f.elements
  for j = 0, f.size - 1 do
    local value, size = x[j], abs(x[j])
    for q = tonumber(starts[j]), tonumber(starts[j + 1]) - 1 do
      local i, a = tonumber(at[q]), elements[q]
      r[i], w[i] = r[i] - a * value, w[i] + abs(a) * size
    end
  end
end

--- The same of the transpose.
function REAL.T(f, x, r, w)
  local starts, at, elements = f.starts, f.at, f.elements
  for j = 0, f.size - 1 do
    local rest, size = r[j], w[j]
    for q = tonumber(starts[j]), tonumber(starts[j + 1]) - 1 do
      local product = elements[q] * x[tonumber(at[q])]
      rest, size = rest - product, size + abs(product)
    end
    r[j], w[j] = rest, size
  end
end

REAL.H = REAL.T

--- Takes the product of element q, or its conjugate where `sign` is -1, and x[j] from r[i].
local function take(elements, q, sign, x, j, r, i, w)
  local a, b, c, d = elements[2 * q], sign * elements[2 * q + 1], x[2 * j], x[2 * j + 1]
  r[2 * i], r[2 * i + 1] = r[2 * i] - (a * c - b * d), r[2 * i + 1] - (a * d + b * c)
  w[i] = w[i] + (abs(a) + abs(b)) * (abs(c) + abs(d))
end

local function complex(f, x, r, w, is_across, sign)
  for j = 0, f.size - 1 do
    for q = tonumber(f.starts[j]), tonumber(f.starts[j + 1]) - 1 do
      local i = tonumber(f.at[q])
      if is_across then take(f.elements, q, sign, x, i, r, j, w) else take(f.elements, q, sign, x, j, r, i, w) end
    end
  end
end

function COMPLEX.N(f, x, r, w) complex(f, x, r, w, false, 1) end
function COMPLEX.T(f, x, r, w) complex(f, x, r, w, true, 1) end
function COMPLEX.H(f, x, r, w) complex(f, x, r, w, true, -1) end

-- ---- errors ----

function REAL.size(x, i) return abs(x[i]) end
function COMPLEX.size(x, i) return abs(x[2 * i]) + abs(x[2 * i + 1]) end

--- Writes b - A x to `room.r`; the error of x.
local function error_of(f, system, x, b, room)
  local kind, r, w, most = KINDS[f.dtype], room.r, room.w, 0
  ffi.copy(r, b, room.width * 8)
  for i = 0, f.size - 1 do w[i] = kind.size(b, i) end
  kind[system](f, x, r, w)
  for i = 0, f.size - 1 do
    local size = kind.size(r, i)
    if size ~= size then return math.huge end
    if size > 0 then most = max(most, size / w[i]) end
  end
  return most
end

--- Makes a solution better in place, which `solve` gave.
---@param f cuna.HostMatrix in columns
---@param system string "N", "T" or "H"
---@param x ffi.cdata* doubles
---@param b ffi.cdata*
---@param solve fun(x: ffi.cdata*, b: ffi.cdata*)
function M.solution(f, system, x, b, solve)
  local width = f.size * (f.dtype == "float64" and 1 or 2)
  local room = f.room or {r = ffi.new("double[?]", width), w = ffi.new("double[?]", f.size), width = width,
    step = ffi.new("double[?]", width), old = ffi.new("double[?]", width)}
  f.room = room
  local error = error_of(f, system, x, b, room)
  for _ = 1, STEPS do
    if error <= SMALL or error == math.huge then return end
    ffi.copy(room.old, x, width * 8)
    solve(room.step, room.r)
    for i = 0, width - 1 do x[i] = x[i] + room.step[i] end
    local now = error_of(f, system, x, b, room)
    if now >= error then ffi.copy(x, room.old, width * 8) end
    if now >= 0.5 * error then return end
    error = now
  end
end

return M
