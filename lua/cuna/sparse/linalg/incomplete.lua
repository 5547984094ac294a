--- incomplete.lua: incomplete factors of sparse matrices, row by row, in the host's memory: ILUT with pivots.
--
-- The method is ILUTP (Saad, "Iterative Methods for Sparse Linear Systems", 2003, section 10.4). SciPy takes SuperLU's,
-- whose library ends the process where a matrix is singular, and so cannot be used from another program.
--
-- Row i of the matrix, less multiples of rows of U, becomes row i of U; the multiples are row i of L. An element counts
-- by what it does to the row: of U by its size, of L by its size times the greatest element of the row of U that it
-- multiplies. What counts less than drop_tol times the row's greatest element is dropped, and then the least of what
-- would make L and U together larger than fill_factor times the rows so far. `order` has the column in each place.
-- Elements are doubles, one or two for a number.
local ffi = require "ffi"

local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local host = require "cuna.sparse.linalg.host"
local numbers_of = require "cuna.sparse.linalg.numbers"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
local sqrt, max, floor = math.sqrt, math.max, math.floor

-- ---- memory ----

--- An array of the host with its pointer.
local function room(count, dtype, name)
  local array = core.empty({count}, dtype, HOST, name)
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

--- Room for one more row of `count` elements.
local function prepare(t, count, numbers, name)
  t.places = grow(t.places, t.used, t.used + count, "int32", name)
  t.elements = grow(t.elements, t.used * numbers.width, (t.used + count) * numbers.width, "float64", name)
end

-- ---- the heap of the rows of U that are still to be taken from a row ----

local function push(heap, count, value)
  local i = count
  while i > 0 do
    local parent = floor((i - 1) / 2)
    if heap[parent] <= value then break end
    heap[i] = heap[parent]
    i = parent
  end
  heap[i] = value
  return count + 1
end

--- Takes out the least value; the next count.
local function pop(heap, count)
  local least, value, i = heap[0], heap[count - 1], 0
  count = count - 1
  while 2 * i + 1 < count do
    local child = 2 * i + 1
    if child + 1 < count and heap[child + 1] < heap[child] then child = child + 1 end
    if heap[child] >= value then break end
    heap[i] = heap[child]
    i = child
  end
  heap[i] = value
  return least, count
end

-- ---- one row ----

--- Adds column j to the pattern of row i.
local function enter(s, i, j)
  s.marks[j] = i
  s.columns[s.count] = j
  s.count = s.count + 1
  if s.place[j] < i then s.waiting = push(s.heap, s.waiting, s.place[j]) end
end

--- Begins row i with the matrix's; its greatest size.
local function load(s, i)
  local A, numbers, greatest = s.A, s.numbers, 0
  s.count, s.waiting = 0, 0
  for q = A.starts[i], A.starts[i + 1] - 1 do
    local j = A.at[q]
    numbers.set(s.row, j, numbers.get(A.elements, q))
    enter(s, i, j)
    greatest = max(greatest, numbers.size(A.elements, q))
  end
  return greatest
end

--- Takes row k of U from row i, times what makes the element in place k 0; nothing where that counts too little.
local function eliminate(s, i, k, least)
  local U, numbers = s.U, s.numbers
  local first, last = U.starts.at[k], U.starts.at[k + 1] - 1
  local re, im = numbers.quotient(s.row, s.order[k], U.elements.at, first)
  local weight = sqrt(re * re + im * im) * s.greatest[k]
  if weight < least or weight == 0 then return end
  local n = s.factor_count
  s.factor_places[n], s.factors[2 * n], s.factors[2 * n + 1], s.weights[n] = k, re, im, weight
  s.factor_count = n + 1
  local row, marks, places = s.row, s.marks, U.places.at
  for q = first + 1, last do
    local j = places[q]
    if marks[j] ~= i then
      numbers.set(row, j, 0, 0)
      enter(s, i, j)
    end
  end
  numbers.subtract(row, places, U.elements.at, first + 1, last, re, im)
end

--- Puts the column of the pivot of row i in place i: the one there, unless another has an element so much greater.
local function pivot(s, i, name)
  local best, greatest, diagonal = nil, 0, s.order[i]
  for n = 0, s.count - 1 do
    local j = s.columns[n]
    local size = s.numbers.size(s.row, j)
    if s.place[j] >= i and size > greatest then best, greatest = j, size end
  end
  if not best or greatest == math.huge then
    fail("LinAlgError: %s: the factors are singular: row %d is left %s; a smaller drop_tol or a greater fill_factor "
      .. "keeps more of it", name, i + 1, best and "with an infinite element" or "without an element but 0 or NaN")
  end
  if s.marks[diagonal] == i and s.numbers.size(s.row, diagonal) >= s.threshold * greatest
    and s.numbers.size(s.row, diagonal) > 0 then best = diagonal end
  local from = s.place[best]
  s.order[from], s.place[diagonal] = diagonal, from
  s.order[i], s.place[best] = best, i
  s.greatest[i] = greatest
  return best
end

--- The n-th greatest of x[0] to x[count - 1], which changes their order (C. A. R. Hoare's FIND, 1961).
local function greatest_of(x, count, n)
  local first, last, wanted = 0, count - 1, n - 1
  while first < last do
    local middle, i, j = x[floor((first + last) / 2)], first, last
    while i <= j do
      while x[i] > middle do i = i + 1 end
      while x[j] < middle do j = j - 1 end
      if i <= j then
        x[i], x[j] = x[j], x[i]
        i, j = i + 1, j - 1
      end
    end
    if wanted <= j then last = j elseif wanted >= i then first = i else break end
  end
  return x[wanted]
end

--- The size from which elements are kept, at least `least`, so that no more than `count` are.
local function limit(s, i, least, count)
  local sizes, n = s.sizes, s.factor_count
  ffi.copy(sizes, s.weights, n * 8)
  for k = 0, s.count - 1 do
    local j = s.columns[k]
    local size = s.place[j] > i and s.numbers.size(s.row, j) or 0
    if size >= least and size > 0 then
      sizes[n] = size
      n = n + 1
    end
  end
  if n <= count then return least end
  return max(least, greatest_of(sizes, n, max(count, 1)))
end

--- Stores row i of L, and of U, whose first element is the pivot's.
local function store(s, i, least, name)
  local L, U, numbers = s.L, s.U, s.numbers
  prepare(L, s.factor_count, numbers, name)
  for n = 0, s.factor_count - 1 do
    if s.weights[n] >= least then add(L, s.factor_places[n], numbers, s.factors[2 * n], s.factors[2 * n + 1]) end
  end
  prepare(U, s.count, numbers, name)
  local function keep(j) add(U, j, numbers, numbers.get(s.row, j)) end
  keep(s.order[i])
  for n = 0, s.count - 1 do
    local j = s.columns[n]
    local size = s.place[j] > i and numbers.size(s.row, j) or 0
    if size >= least and size > 0 then keep(j) end
  end
  L.starts.at[i + 1], U.starts.at[i + 1] = L.used, U.used
end

local function factor_row(s, i, asked, name)
  local least = load(s, i) * asked.drop_tol
  s.factor_count = 0
  while s.waiting > 0 do
    local k
    k, s.waiting = pop(s.heap, s.waiting)
    eliminate(s, i, k, least)
  end
  pivot(s, i, name)
  local own = s.A.starts[i + 1] - s.A.starts[i]
  local left = asked.fill_factor * s.A.starts[i + 1] - s.L.used - s.U.used
  store(s, i, limit(s, i, least, max(floor(left), own) - 1), name)
end

-- ---- factors ----

--- The rows of a square matrix, and its incomplete factors, once they are made.
---@class cuna.IncompleteFactors: cuna.HostMatrix
---@field numbers table of cuna.sparse.linalg.numbers

--- The rows of a square matrix that has rows, still without factors.
---@param A cuna.SparseMatrix
---@return cuna.IncompleteFactors
function M.read(A, name)
  local f = host.read(A, "csr", "float64", "int32", name)
  f.numbers = numbers_of[f.dtype]
  return f
end

--- What the rows of a matrix are factored with.
local function new_state(f, asked, name)
  local numbers, size = f.numbers, f.size
  local function vector(dtype, count) return room(max(count or size, 1), dtype, name) end
  local s = {numbers = numbers, threshold = asked.diag_pivot_thresh, memory = {}, A = f,
    L = new_triangle(size, f.count, numbers, name), U = new_triangle(size, f.count + size, numbers, name)}
  for part, memory in pairs {row = vector("float64", size * numbers.width), marks = vector "int32",
    columns = vector "int32", place = vector "int32", order = vector "int32", heap = vector "int32",
    greatest = vector "float64", factor_places = vector "int32", factors = vector("float64", 2 * size),
    weights = vector "float64", sizes = vector "float64"} do
    s[part], s.memory[part] = memory.at, memory
  end
  for j = 0, size - 1 do s.place[j], s.order[j], s.marks[j] = j, j, -1 end
  return s
end

--- Makes the factors, and forgets the matrix's elements.
---@param f cuna.IncompleteFactors
---@param asked {drop_tol: number, fill_factor: number, diag_pivot_thresh: number}
function M.factor(f, asked, name)
  local s = new_state(f, asked, name)
  for i = 0, f.size - 1 do factor_row(s, i, asked, name) end
  local places = s.U.places.at
  for q = 0, s.U.used - 1 do places[q] = s.place[places[q]] end
  f.starts, f.at, f.elements, f.arrays = nil, nil, nil, nil
  f.L, f.U, f.order, f.memory = s.L, s.U, s.order, s.memory.order
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

--- Copies numbers between places and columns.
local function reorder(f, to, from, is_to_columns)
  local width, order = f.numbers.width, f.order
  for k = 0, f.size - 1 do
    for part = 0, width - 1 do
      local column, place = order[k] * width + part, k * width + part
      if is_to_columns then to[column] = from[place] else to[place] = from[column] end
    end
  end
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
  for row = 0, b.shape[1] - 1 do
    if system == "N" then
      ffi.copy(step, from + row * width, width * 8)
      solve_rows(f, step)
      reorder(f, to + row * width, step, true)
    else
      reorder(f, to + row * width, from + row * width, false)
      solve_columns(f, to + row * width)
    end
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

--- The factors as arrays in the host's memory, as cuna.sparse.linalg.umfpack has them; L and U in rows.
function M.parts(f, name)
  local order = core.cast(f.memory.array, "int64", name)
  local rows = args.namespace.arange(0, f.size, 1, "int64", {device = HOST})
  return rows_of(f, f.L, true, name), rows_of(f, f.U, false, name), rows, order
end

return M
