--- umfpack.lua: UMFPACK of SuiteSparse: factors of sparse matrices in the host's memory. Opened when first needed.
--
-- UMFPACK computes in float64 and complex128, with 64-bit positions from 0, of columns that are in order. Its functions
-- have the prefix dl or zl by the dtype, and the same arguments, but a second array for the imaginary parts of complex
-- numbers; it is null where both parts lie in one array.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"
local host = require "cuna.sparse.linalg.host"
local refine = require "cuna.sparse.linalg.refine"

local M = {}

local fail = check.fail

ffi.cdef [[
int64_t umfpack_dl_symbolic(int64_t rows, int64_t columns, const int64_t *starts, const int64_t *at, const double *a,
                            void **symbolic, const double *control, double *info);
int64_t umfpack_zl_symbolic(int64_t rows, int64_t columns, const int64_t *starts, const int64_t *at, const double *a,
                            const double *a_imaginary, void **symbolic, const double *control, double *info);
int64_t umfpack_dl_numeric(const int64_t *starts, const int64_t *at, const double *a, void *symbolic, void **numeric,
                           const double *control, double *info);
int64_t umfpack_zl_numeric(const int64_t *starts, const int64_t *at, const double *a, const double *a_imaginary,
                           void *symbolic, void **numeric, const double *control, double *info);
int64_t umfpack_dl_solve(int64_t system, const int64_t *starts, const int64_t *at, const double *a, double *x,
                         const double *b, void *numeric, const double *control, double *info);
int64_t umfpack_zl_solve(int64_t system, const int64_t *starts, const int64_t *at, const double *a,
                         const double *a_imaginary, double *x, double *x_imaginary, const double *b,
                         const double *b_imaginary, void *numeric, const double *control, double *info);
int64_t umfpack_dl_get_numeric(int64_t *l_starts, int64_t *l_at, double *l, int64_t *u_starts, int64_t *u_at, double *u,
                               int64_t *p, int64_t *q, double *d, int64_t *reciprocal, double *scales, void *numeric);
int64_t umfpack_zl_get_numeric(int64_t *l_starts, int64_t *l_at, double *l, double *l_imaginary, int64_t *u_starts,
                               int64_t *u_at, double *u, double *u_imaginary, int64_t *p, int64_t *q, double *d,
                               double *d_imaginary, int64_t *reciprocal, double *scales, void *numeric);
int64_t umfpack_dl_get_lunz(int64_t *l, int64_t *u, int64_t *rows, int64_t *columns, int64_t *diagonal, void *numeric);
int64_t umfpack_zl_get_lunz(int64_t *l, int64_t *u, int64_t *rows, int64_t *columns, int64_t *diagonal, void *numeric);
void umfpack_dl_defaults(double *control);
void umfpack_dl_free_symbolic(void **symbolic);
void umfpack_dl_free_numeric(void **numeric);
void umfpack_zl_free_symbolic(void **symbolic);
void umfpack_zl_free_numeric(void **numeric);
]]

M.libraries = {"libumfpack.so.5", "libumfpack.so.6", "libumfpack.so"}

local CONTROL, INFO = 20, 90  -- lengths of UMFPACK's arrays
local STEPS = 7               -- of UMFPACK's own refinement, which always takes some
local SCALE, NO_SCALE = 16, 0 -- of rows, before they are factored
local SINGULAR, OUT_OF_MEMORY = 1, -1
local HOST = core.device "cpu"

--- UMFPACK's numbers of the systems with the matrix, its conjugate transpose, and its transpose.
local SYSTEMS = {N = 0, H = 1, T = 2}

local library

local function open(name)
  for _, file in ipairs(library and {} or M.libraries) do
    local loaded, found = pcall(ffi.load, file)
    if loaded then
      library = found
      break
    end
  end
  return library or fail("%s: needs UMFPACK of SuiteSparse, whose library is not found (%s); Debian's package is "
    .. "libumfpack5 or libumfpack6", name, table.concat(M.libraries, ", "))
end

-- ---- calls, by dtype ----

local REAL, COMPLEX = {}, {}
local KINDS = {float64 = REAL, complex128 = COMPLEX}

function REAL.symbolic(f, out)
  return library.umfpack_dl_symbolic(f.size, f.size, f.starts, f.at, f.elements, out, f.control, f.info)
end

function COMPLEX.symbolic(f, out)
  return library.umfpack_zl_symbolic(f.size, f.size, f.starts, f.at, f.elements, nil, out, f.control, f.info)
end

function REAL.numeric(f, symbolic, out)
  return library.umfpack_dl_numeric(f.starts, f.at, f.elements, symbolic[0], out, f.control, f.info)
end

function COMPLEX.numeric(f, symbolic, out)
  return library.umfpack_zl_numeric(f.starts, f.at, f.elements, nil, symbolic[0], out, f.control, f.info)
end

function REAL.solve(f, system, x, b)
  return library.umfpack_dl_solve(system, f.starts, f.at, f.elements, x, b, f.numeric[0], f.control, f.info)
end

function COMPLEX.solve(f, system, x, b)
  return library.umfpack_zl_solve(system, f.starts, f.at, f.elements, nil, x, nil, b, nil,
    f.numeric[0], f.control, f.info)
end

function REAL.parts(f, l, u, p, q, reciprocal)
  return library.umfpack_dl_get_numeric(l.starts, l.at, l.a, u.starts, u.at, u.a, p, q, nil, reciprocal, nil,
    f.numeric[0])
end

function COMPLEX.parts(f, l, u, p, q, reciprocal)
  return library.umfpack_zl_get_numeric(l.starts, l.at, l.a, nil, u.starts, u.at, u.a, nil, p, q, nil, nil, reciprocal,
    nil, f.numeric[0])
end

function REAL.counts(f, out)
  return library.umfpack_dl_get_lunz(out, out + 1, out + 2, out + 3, out + 4, f.numeric[0])
end

function COMPLEX.counts(f, out)
  return library.umfpack_zl_get_lunz(out, out + 1, out + 2, out + 3, out + 4, f.numeric[0])
end

function REAL.handles()
  return ffi.gc(ffi.new "void *[1]", library.umfpack_dl_free_symbolic),
    ffi.gc(ffi.new "void *[1]", library.umfpack_dl_free_numeric)
end

function COMPLEX.handles()
  return ffi.gc(ffi.new "void *[1]", library.umfpack_zl_free_symbolic),
    ffi.gc(ffi.new "void *[1]", library.umfpack_zl_free_numeric)
end

--- Calls one of them, and raises what it reports.
local function call(f, what, name, ...)
  local status = tonumber(KINDS[f.dtype][what](f, ...))
  if status == 0 then return end
  if status == SINGULAR then fail("LinAlgError: %s: the matrix is singular", name) end
  if status == OUT_OF_MEMORY then fail("OutOfMemoryError: %s: UMFPACK has no memory left", name) end
  fail("%s: UMFPACK's %s failed with status %d", name, what, status)
end

-- ---- factors ----

local function elements(array) return ffi.cast("double *", array:pointer()) end

--- A square matrix that has rows, and its factors, once they are made.
---@class cuna.Factors: cuna.HostMatrix
---@field numeric ffi.cdata* UMFPACK's memory, which the collector frees

--- The matrix in the host's memory, still without factors.
---@param A cuna.SparseMatrix
---@return cuna.Factors
function M.read(A, name)
  open(name)
  local f = host.read(A, "csc", "int64", "int64", name)
  f.control, f.info = ffi.new("double[?]", CONTROL), ffi.new("double[?]", INFO)
  return f
end

--- Makes the factors.
---@param f cuna.Factors
---@param is_scaled boolean whether rows are divided by their sums before, which is more exact
function M.factor(f, is_scaled, name)
  library.umfpack_dl_defaults(f.control)
  f.control[STEPS] = 0
  if not is_scaled then f.control[SCALE] = NO_SCALE end
  local symbolic, numeric = KINDS[f.dtype].handles()
  call(f, "symbolic", name, symbolic)
  call(f, "numeric", name, symbolic, numeric)
  f.numeric = numeric
end

--- Solves for each row of b, in the host's memory and of the factors' dtype: rows x.
---@param system string "N", "T" or "H"
function M.solve(f, system, b, name)
  local x = core.empty(b.shape, f.dtype, HOST, name)
  local width = f.size * (f.dtype == "float64" and 1 or 2)
  local to, from = elements(x), elements(b)
  local function solve_row(to_row, from_row) call(f, "solve", name, SYSTEMS[system], to_row, from_row) end
  for row = 0, b.shape[1] - 1 do
    solve_row(to + row * width, from + row * width)
    refine.solution(f, system, to + row * width, from + row * width, solve_row)
  end
  return x
end

--- A triangle's arrays with room for `count` elements, and their pointers.
local function triangle(f, count, format, name)
  local starts, at = core.empty({f.size + 1}, "int64", HOST, name), core.empty({count}, "int64", HOST, name)
  local a = core.empty({count}, f.dtype, HOST, name)
  return {starts, at, a, format = format}, {starts = starts:pointer(), at = at:pointer(), a = elements(a)}
end

--- The factors as arrays in the host's memory with positions from 0: {starts, positions, elements, format = ...} of L
--- and of U; row p[k] and column q[k] of the matrix are in place k.
function M.parts(f, name)
  local counts, reciprocal = ffi.new "int64_t[5]", ffi.new "int64_t[1]"
  call(f, "counts", name, counts)
  local L, l = triangle(f, tonumber(counts[0]), "csr", name)
  local U, u = triangle(f, tonumber(counts[1]), "csc", name)
  local p, q = core.empty({f.size}, "int64", HOST, name), core.empty({f.size}, "int64", HOST, name)
  call(f, "parts", name, l, u, p:pointer(), q:pointer(), reciprocal)
  return L, U, p, q
end

return M
