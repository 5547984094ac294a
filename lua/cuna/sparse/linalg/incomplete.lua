--- incomplete.lua: incomplete factors of sparse matrices, row by row, in the host's memory: ILUT with pivots.
--
-- The method is ILUTP (Saad, "Iterative Methods for Sparse Linear Systems", 2003, section 10.4), in
-- kernels/sparse_incomplete.cuh. SciPy takes SuperLU's, whose library ends the process where a matrix is singular, and
-- so cannot be used from another program.
--
-- Rows and columns first get an order in which factors have few elements (order.lua), so that the kernel's matrix is
-- P A P'. Its `order` has the column in each place, which pivots change. Elements are doubles, one or two for a number.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"
local host = require "cuna.sparse.linalg.host"
local numbers_of = require "cuna.sparse.linalg.numbers"
local order = require "cuna.sparse.linalg.order"
local parts_of = require "cuna.sparse.parts"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
local max, floor = math.max, math.floor
local ROWS = 1024 -- that are factored without a look at interrupts

ffi.cdef [[
typedef struct {
  double *starts;
  int32_t *places;
  double *elements;
  int64_t room, used;
} cuna_triangle;

/* As struct Incomplete of kernels/sparse_incomplete.cuh. */
typedef struct {
  const double *starts;
  const int32_t *at;
  const double *elements;
  cuna_triangle L, U;
  double *row, *factors;
  int32_t *factor_places;
  double *weights;
  int32_t *marks, *columns, *place, *order, *heap;
  double *greatest, *sizes;
  double drop_tol, fill_factor, threshold;
  int64_t length, current, count, factor_count, waiting, wanted_l, wanted_u;
  double least;
  int64_t state;
} cuna_incomplete;
]]

local IS_EMPTY, IS_INFINITE = 2, 3 -- states
local SHARED = ffi.typeof "cuna_incomplete *"

-- ---- memory ----

--- An array of the host with its pointer.
local function room(count, dtype, name)
  local array = core.empty({max(count, 1)}, dtype, HOST, name)
  return {array = array, at = array:pointer(), count = count}
end

--- Makes room for `count` doubles or positions, and keeps the first `used`.
local function grow(old, used, count, dtype, name)
  if count <= old.count then return old end
  local new = room(max(count, floor(old.count * 1.5)), dtype, name)
  ffi.copy(new.at, old.at, used * (dtype == "int32" and 4 or 8))
  return new
end

--- A triangle by rows: where rows start, as doubles, which are exact beyond int32; places or columns; elements.
local function new_triangle(size, count, numbers, name)
  local t = {starts = room(size + 1, "float64", name), places = room(count, "int32", name),
    elements = room(count * numbers.width, "float64", name), used = 0}
  t.starts.at[0] = 0
  return t
end

--- Adds an element.
local function add(t, place, numbers, re, im)
  t.places.at[t.used] = place
  numbers.set(t.elements.at, t.used, re, im)
  t.used = t.used + 1
end

-- ---- factors ----

--- The rows of a square matrix, and its incomplete factors, once they are made.
---@class cuna.IncompleteFactors: cuna.HostMatrix
---@field numbers table of cuna.sparse.linalg.numbers
---@field rows ffi.cdata* the row in each place
---@field order ffi.cdata* the column in each place

--- The rows of a square matrix that has rows, still without factors.
---@param A cuna.SparseMatrix
---@return cuna.IncompleteFactors
function M.read(A, name)
  local f = host.read(A, "csr", "float64", "int32", name)
  f.numbers = numbers_of[f.dtype]
  return f
end

--- The matrix with rows and columns in the order of `places`, as a triangle is kept.
local function reordered(f, places, name)
  local numbers, size, inverse = f.numbers, f.size, ffi.new("int32_t[?]", f.size)
  local made = new_triangle(size, f.count, numbers, name)
  for k = 0, size - 1 do inverse[places[k]] = k end
  for k = 0, size - 1 do
    for q = f.starts[places[k]], f.starts[places[k] + 1] - 1 do
      add(made, inverse[f.at[q]], numbers, numbers.get(f.elements, q))
    end
    made.starts.at[k + 1] = made.used
  end
  return made
end

--- Writes where a triangle's memory is.
local function share(to, t, numbers)
  to.starts, to.places, to.elements = t.starts.at, t.places.at, ffi.cast("double *", t.elements.at)
  to.room = math.min(t.places.count, floor(t.elements.count / numbers.width))
end

--- Makes room for the next row.
local function widen(t, to, wanted, numbers, name)
  t.used = tonumber(to.used)
  local count = t.used + tonumber(wanted)
  t.places = grow(t.places, t.used, count, "int32", name)
  t.elements = grow(t.elements, t.used * numbers.width, count * numbers.width, "float64", name)
  share(to, t, numbers)
end

local VECTORS = {row = "number", factors = "number", factor_places = "int32", weights = "float64", marks = "int32",
  columns = "int32", place = "int32", order = "int32", heap = "int32", greatest = "float64", sizes = "float64"}

--- What the kernel knows; `memory` keeps the arrays.
local function new_state(f, asked, name)
  local numbers, size = f.numbers, f.size
  local memory = {words = room(ffi.sizeof "cuna_incomplete" / 8, "int64", name)}
  ffi.fill(memory.words.at, ffi.sizeof "cuna_incomplete")
  local s = ffi.cast(SHARED, memory.words.at)
  for part, dtype in pairs(VECTORS) do
    local vector = dtype == "number" and room(size * numbers.width, "float64", name) or room(size, dtype, name)
    memory[part], s[part] = vector, vector.at
  end
  s.length, s.drop_tol, s.fill_factor, s.threshold = size, asked.drop_tol, asked.fill_factor, asked.diag_pivot_thresh
  for j = 0, size - 1 do s.place[j], s.order[j], s.marks[j] = j, j, -1 end
  return s, memory
end

--- Gives the kernel the matrix, in an order.
local function share_matrix(s, memory, f, places, name)
  if not places then
    s.starts, s.at, s.elements = f.starts, f.at, f.elements
    return
  end
  local matrix = reordered(f, places, name)
  s.starts, s.at, s.elements, memory.matrix = matrix.starts.at, matrix.places.at, matrix.elements.at, matrix
end

--- Runs the kernel until all rows have factors.
local function factor_rows(f, s, memory, L, U, name)
  local words, row = parts_of.address(memory.words.array), parts_of.address(memory.row.array, f.dtype)
  while s.current < s.length do
    parts_of.run("sparse::factor_rows", "ldn", f.dtype, "int32", 1, name, words, row, ROWS, 1)
    if s.state >= IS_EMPTY then
      fail("LinAlgError: %s: the factors are singular: row %d is left %s; a smaller drop_tol or a greater fill_factor "
        .. "keeps more of it", name, f.rows[s.current] + 1,
        s.state == IS_INFINITE and "with an infinite element" or "without an element but 0 or NaN")
    end
    widen(L, s.L, s.wanted_l, f.numbers, name)
    widen(U, s.U, s.wanted_u, f.numbers, name)
  end
end

local function identity(size)
  local lines = ffi.new("int32_t[?]", size)
  for k = 0, size - 1 do lines[k] = k end
  return lines
end

--- Makes the factors, and forgets the matrix's elements.
---@param f cuna.IncompleteFactors
---@param asked {drop_tol: number, fill_factor: number, diag_pivot_thresh: number, permc_spec: string|nil}
function M.factor(f, asked, name)
  local size, places = f.size, order.of(f, asked.permc_spec)
  f.rows = places or identity(size)
  local s, memory = new_state(f, asked, name)
  local L, U = new_triangle(size, f.count, f.numbers, name), new_triangle(size, f.count + size, f.numbers, name)
  share_matrix(s, memory, f, places, name)
  share(s.L, L, f.numbers)
  share(s.U, U, f.numbers)
  factor_rows(f, s, memory, L, U, name)
  for q = 0, U.used - 1 do U.places.at[q] = s.place[U.places.at[q]] end
  for k = 0, size - 1 do s.order[k] = f.rows[s.order[k]] end
  f.starts, f.at, f.elements, f.arrays = nil, nil, nil, nil
  f.L, f.U, f.order, f.memory = L, U, s.order, memory.order
end

-- ---- solutions ----

--- Solves L U y = b in place.
local function solve_rows(f, y)
  local L, U, numbers = f.L, f.U, f.numbers
  for i = 1, f.size - 1 do
    numbers.set(y, i, numbers.rest(y, i, L.places.at, L.elements.at, L.starts.at[i], L.starts.at[i + 1] - 1))
  end
  for i = f.size - 1, 0, -1 do
    local first = U.starts.at[i]
    numbers.set(y, i, numbers.rest(y, i, U.places.at, U.elements.at, first + 1, U.starts.at[i + 1] - 1))
    numbers.set(y, i, numbers.quotient(y, i, U.elements.at, first))
  end
end

--- Solves the transposed system in place.
local function solve_columns(f, y)
  local L, U, numbers = f.L, f.U, f.numbers
  for i = 0, f.size - 1 do
    local first = U.starts.at[i]
    local re, im = numbers.quotient(y, i, U.elements.at, first)
    numbers.set(y, i, re, im)
    numbers.subtract(y, U.places.at, U.elements.at, first + 1, U.starts.at[i + 1] - 1, re, im)
  end
  for i = f.size - 1, 1, -1 do
    local re, im = numbers.get(y, i)
    numbers.subtract(y, L.places.at, L.elements.at, L.starts.at[i], L.starts.at[i + 1] - 1, re, im)
  end
end

--- Copies numbers from lines to their places.
local function to_places(f, lines, to, from)
  local numbers = f.numbers
  for k = 0, f.size - 1 do numbers.set(to, k, numbers.get(from, lines[k])) end
end

--- Copies numbers from places to their lines.
local function to_lines(f, lines, to, from)
  local numbers = f.numbers
  for k = 0, f.size - 1 do numbers.set(to, lines[k], numbers.get(from, k)) end
end

--- Solves for each row of b, in the host's memory and of the factors' dtype: rows x.
---@param system string "N", "T" or "H"
function M.solve(f, system, b, name)
  if system == "H" then return core.as_array(M.solve(f, "T", b:conj(), name):conj(), nil, HOST, name) end
  local x, y = core.empty(b.shape, f.dtype, HOST, name), core.empty({f.size}, f.dtype, HOST, name)
  b = b.flags.c_contiguous and b or b:copy()
  local width = f.size * f.numbers.width
  local to, from, step = ffi.cast("double *", x:pointer()), ffi.cast("double *", b:pointer()),
    ffi.cast("double *", y:pointer())
  local first, last, solve = f.rows, f.order, solve_rows
  if system == "T" then first, last, solve = f.order, f.rows, solve_columns end
  for row = 0, b.shape[1] - 1 do
    to_places(f, first, step, from + row * width)
    solve(f, step)
    to_lines(f, last, to + row * width, step)
  end
  return x
end

--- Rows of a triangle as arrays with positions from 0; L gets 1 on its diagonal.
local function rows_of(f, t, is_unit, name)
  local size, numbers = f.size, f.numbers
  local made = new_triangle(size, t.used + (is_unit and size or 0), numbers, name)
  for i = 0, size - 1 do
    for q = t.starts.at[i], t.starts.at[i + 1] - 1 do
      add(made, t.places.at[q], numbers, numbers.get(t.elements.at, q))
    end
    if is_unit then add(made, i, numbers, 1, 0) end
    made.starts.at[i + 1] = made.used
  end
  local elements = made.elements.array
  if numbers.width == 2 then elements = core.view(elements, {made.used}, {1}, 0, "complex128") end
  return {core.cast(made.starts.array, "int64", name), core.cast(made.places.array, "int64", name), elements,
    format = "csr"}
end

--- Lines from 0 as an array.
local function lines_of(f, lines, name)
  local made = room(f.size, "int32", name)
  ffi.copy(made.at, lines, f.size * 4)
  return core.cast(made.array, "int64", name)
end

--- The factors as arrays in the host's memory, as cuna.sparse.linalg.umfpack has them; L and U in rows.
function M.parts(f, name)
  return rows_of(f, f.L, true, name), rows_of(f, f.U, false, name), lines_of(f, f.rows, name),
    lines_of(f, f.order, name)
end

return M
