--- matrix.lua: matrices made of a pattern, their diagonals and triangles, and grids of coordinates.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local formula = require "cuna.base.formula"
local program = require "cuna.base.program"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

--- An (n, m) array that says whether its elements are on such diagonals: `test`, of a diagonal and b = k.
local function by_diagonal(name, test, n, m, k, dtype)
  n = check.count(check.plain(n, name), name, "n")
  m = m == nil and n or check.count(check.plain(m, name), name, "m")
  k = check.integer(check.plain(k or 0, name), name, "k")
  test = "diagonal_of(a, c, d) " .. test
  return formula.make(name, {n, m}, check.dtype(dtype, name), nil, test, "float64", k, m, 1 / m)
end

local read_eye = args.reader("eye", {"n", "m", "k", "dtype"}, 0)

--- Ones on the k-th diagonal (0 the main one, positive above it), zeros elsewhere. Follows numpy.eye.
---@param n integer rows
---@param m integer|nil columns, default n
---@param k integer|nil default 0
---@param dtype string|nil default: the default float
---@return cuna.Array shape (n, m)
---@usage cn.eye(2, 3, 1) --> [[0. 1. 0.] [0. 0. 1.]]
function F.eye(...)
  local n, m, k, dtype = read_eye(...)
  return by_diagonal("eye", "== b", n, m, k, dtype)
end

local read_identity = args.reader("identity", {"n", "dtype"}, 0)

--- The identity matrix. Follows numpy.identity.
---@param n integer
---@param dtype string|nil default: the default float
---@return cuna.Array shape (n, n)
---@usage cn.identity(2) --> [[1. 0.] [0. 1.]]
function F.identity(...)
  local n, dtype = read_identity(...)
  return by_diagonal("identity", "== b", n, n, 0, dtype)
end

local read_tri = args.reader("tri", {"n", "m", "k", "dtype"}, 0)

--- Ones at and below the k-th diagonal, zeros above. Follows numpy.tri.
---@param n integer rows
---@param m integer|nil columns, default n
---@param k integer|nil default 0
---@param dtype string|nil default: the default float
---@return cuna.Array shape (n, m)
---@usage cn.tri(3) --> [[1. 0. 0.] [1. 1. 0.] [1. 1. 1.]]
function F.tri(...)
  local n, m, k, dtype = read_tri(...)
  return by_diagonal("tri", "<= b", n, m, k, dtype)
end

-- What an element a becomes in column c, where the diagonal crosses its row in column b.
local SIDES = {tril = "choose(c <= b, a, T(0))", triu = "choose(c >= b, a, T(0))"}

local function draw_side(draft, name, dtype, word)
  local given = {draft:input(dtype), draft:input(word), draft:input(word)}
  draft:step(name, SIDES[name], dtype, given, {dtype, word, word})
  draft.output = dtype
end

--- Makes a function that keeps one side of a diagonal.
local function triangle(name)
  local read = args.reader(name, {"x", "k"})
  return function(...)
    local x, k = read(...)
    x, k = check.array(x, name), check.integer(k or 0, name, "k")
    if x.ndim < 2 then fail("%s: expected at least 2 axes, got shape %s", name, tostring(x.shape)) end
    local n, m = core.length(x, -2), core.length(x, -1)
    local word = n + m < 2 ^ 31 and "int32" or "int64"
    k = math.max(-n, math.min(k, m)) -- which a word holds
    return core.map(program.of(draw_side, name, x.dtype, word), name, nil, nil, x,
      formula.make(name, {n, 1}, word, x, "a + b", "int64", k), formula.make(name, m, word, x, "a", "int64"))
  end
end

--- x with zeros above its k-th diagonal. Follows numpy.tril.
---@param x cuna.Operand shape (..., n, m)
---@param k integer|nil default 0
---@return cuna.Array a copy
---@usage cn.tril({{1, 2}, {3, 4}}) --> [[1. 0.] [3. 4.]]
F.tril = triangle "tril"

--- x with zeros below its k-th diagonal. Follows numpy.triu.
---@param x cuna.Operand shape (..., n, m)
---@param k integer|nil default 0
---@return cuna.Array a copy
---@usage cn.triu({{1, 2}, {3, 4}}) --> [[1. 2.] [0. 4.]]
F.triu = triangle "triu"

--- A square matrix with the elements of x on its k-th diagonal.
local function from_diagonal(x, k)
  local length = x.size
  local n = length + math.abs(k)
  local made = core.fill(core.empty({n, n}, x.dtype, x.device, "diag"), 0)
  if length > 0 then core.view(made, {length}, {n + 1}, k >= 0 and k or -k * n)[core.ellipsis] = x end
  return made
end

local read_diag = args.reader("diag", {"x", "k"})

--- The k-th diagonal of a matrix, or the square matrix with a vector on its k-th diagonal. Follows numpy.diag.
---@param x cuna.Operand shape (n, m) or (n,)
---@param k integer|nil default 0
---@return cuna.Array a copy
---@usage cn.diag({{1, 2}, {3, 4}}) --> [1. 4.]
---@usage cn.diag({1, 2}) --> [[1. 0.] [0. 2.]]
function F.diag(...)
  local x, k = read_diag(...)
  x, k = check.array(x, "diag"), check.integer(k or 0, "diag", "k")
  if x.ndim == 1 then return from_diagonal(x, k) end
  if x.ndim ~= 2 then fail("diag: expected 1 or 2 axes, got shape %s", tostring(x.shape)) end
  return core.cast(require("cuna.strides").functions.diagonal(x, k), nil, "diag")
end

local read_diagflat = args.reader("diagflat", {"x", "k"})

--- The square matrix with all elements of x, in row-major order, on its k-th diagonal. Follows numpy.diagflat.
---@param x cuna.Operand
---@param k integer|nil default 0
---@return cuna.Array
---@usage cn.diagflat({{1, 2}}) --> [[1. 0.] [0. 2.]]
function F.diagflat(...)
  local x, k = read_diagflat(...)
  return from_diagonal(core.reshape(check.array(x, "diagflat"), -1, "diagflat"),
    check.integer(k or 0, "diagflat", "k"))
end

local GRID_OPTIONS = {indexing = true, sparse = true}

--- Coordinate arrays of a grid: one result per given vector, with its elements along its own axis. Follows
--- numpy.meshgrid.
---@param ... cuna.Operand vectors; then options: indexing = "xy" (default: the first two axes change places) or "ij",
--- sparse = true for results of length 1 along the other axes
---@return cuna.Array ... copies
---@usage cn.meshgrid({1, 2}, {3, 4}) --> [[1. 2.] [1. 2.]], [[3. 3.] [4. 4.]]
function F.meshgrid(...)
  local vectors, n, options = args.split("meshgrid", GRID_OPTIONS, ...)
  local indexing = options.indexing or "xy"
  local sparse = check.boolean(options.sparse, false, "meshgrid", "sparse")
  if indexing ~= "xy" and indexing ~= "ij" then
    fail("meshgrid: indexing is \"xy\" or \"ij\", got %s", check.show(indexing))
  end
  local function axis_of(i) return (indexing == "xy" and i <= 2 and n >= 2) and 3 - i or i end
  local shape, results, device = {}, {}, check.device_of(vectors)
  for i = 1, n do
    vectors[i] = core.reshape(check.array(vectors[i], "meshgrid", device), -1, "meshgrid")
    check.same_device(vectors[1], vectors[i], "meshgrid")
    shape[axis_of(i)] = vectors[i].size
  end
  for i = 1, n do
    local lengths = {}
    for axis = 1, n do lengths[axis] = axis == axis_of(i) and vectors[i].size or 1 end
    local line = core.reshape(vectors[i], lengths, "meshgrid")
    results[i] = core.cast(sparse and line or core.broadcast_to(line, shape, "meshgrid"), nil, "meshgrid")
  end
  return unpack(results, 1, n)
end

return M
