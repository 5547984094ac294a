--- refine.lua: solutions of systems by factors, made better until each equation is solved as exactly as its numbers are
--- known.
--
-- The error of a solution is the greatest |b - A x| of an equation, relative to |A| |x| + |b| there (W. Oettli, W.
-- Prager, 1964): the least relative change of the numbers of A and b for which x is right. While it is above a few
-- roundings, what the factors make of b - A x is added (M. Arioli, J. W. Demmel, I. S. Duff, 1989). Matrices are in
-- columns, with positions from 0 as int64 and doubles, one or two for a number (host.lua).
local ffi = require "ffi"

local M = {}

local abs = math.abs
local SMALL, STEPS = 2 ^ -50, 2 -- four roundings; steps at most

local REAL, COMPLEX = {}, {}
local KINDS = {float64 = REAL, complex128 = COMPLEX}

-- ---- what is left of b, and what it is small against ----
--
-- `to` and `from` have the positions of each element: its equation, and what it multiplies. So one loop visits all.

function REAL.begin(b, r, w, size)
  for i = 0, size - 1 do r[i], w[i] = b[i], abs(b[i]) end
end

function COMPLEX.begin(b, r, w, size)
  for i = 0, size - 1 do
    r[2 * i], r[2 * i + 1] = b[2 * i], b[2 * i + 1]
    w[i] = abs(b[2 * i]) + abs(b[2 * i + 1])
  end
end

--- Takes A x from r, and adds |A| |x| to w.
function REAL.take(a, count, to, from, x, r, w)
  for q = 0, count - 1 do
    local i, product = to[q], a[q] * x[from[q]]
    r[i], w[i] = r[i] - product, w[i] + abs(product)
  end
end

--- The same of complex numbers, conjugates where `sign` is -1.
function COMPLEX.take(elements, count, to, from, x, r, w, sign)
  for q = 0, count - 1 do
    local i, j = to[q], from[q]
    local a, b, c, d = elements[2 * q], sign * elements[2 * q + 1], x[2 * j], x[2 * j + 1]
    r[2 * i], r[2 * i + 1] = r[2 * i] - (a * c - b * d), r[2 * i + 1] - (a * d + b * c)
    w[i] = w[i] + (abs(a) + abs(b)) * (abs(c) + abs(d))
  end
end

--- The greatest part of r in w; infinite if it is not a number.
function REAL.greatest(r, w, size)
  local most = 0
  for i = 0, size - 1 do
    local own = abs(r[i])
    if own ~= own then return math.huge end
    if own > most * w[i] then most = own / w[i] end
  end
  return most
end

function COMPLEX.greatest(r, w, size)
  local most = 0
  for i = 0, size - 1 do
    local own = abs(r[2 * i]) + abs(r[2 * i + 1])
    if own ~= own then return math.huge end
    if own > most * w[i] then most = own / w[i] end
  end
  return most
end

-- ---- solutions ----

--- The memory that solutions share: vectors, and the positions of elements.
local function room_of(f)
  local width = f.size * (f.dtype == "float64" and 1 or 2)
  local room = {width = width, kind = KINDS[f.dtype], rows = ffi.new("int32_t[?]", f.count),
    columns = ffi.new("int32_t[?]", f.count), w = ffi.new("double[?]", f.size)}
  for _, part in ipairs {"r", "step", "old"} do room[part] = ffi.new("double[?]", width) end
  for j = 0, f.size - 1 do
    for q = tonumber(f.starts[j]), tonumber(f.starts[j + 1]) - 1 do
      room.rows[q], room.columns[q] = tonumber(f.at[q]), j
    end
  end
  return room
end

--- Writes b - A x to `room.r`; the error of x.
local function error_of(f, system, x, b, room)
  local kind, r, w, to, from = room.kind, room.r, room.w, room.rows, room.columns
  if system ~= "N" then to, from = from, to end
  kind.begin(b, r, w, f.size)
  kind.take(f.elements, f.count, to, from, x, r, w, system == "H" and -1 or 1)
  return kind.greatest(r, w, f.size)
end

--- Makes a solution better in place, which `solve` gave.
---@param f cuna.HostMatrix in columns
---@param system string "N", "T" or "H"
---@param x ffi.cdata* doubles
---@param b ffi.cdata*
---@param solve fun(x: ffi.cdata*, b: ffi.cdata*)
function M.solution(f, system, x, b, solve)
  local room = f.room or room_of(f)
  f.room = room
  local error = error_of(f, system, x, b, room)
  for _ = 1, STEPS do
    if error <= SMALL or error == math.huge then return end
    ffi.copy(room.old, x, room.width * 8)
    solve(room.step, room.r)
    for i = 0, room.width - 1 do x[i] = x[i] + room.step[i] end
    local now = error_of(f, system, x, b, room)
    if now >= error then ffi.copy(x, room.old, room.width * 8) end
    if now >= 0.5 * error then return end
    error = now
  end
end

return M
