--- build.lua: sparse matrices by rule: identities, diagonals, random ones, Kronecker products, triangles.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local coordinates = require "cuna.sparse.coordinates"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_info = require "cuna.base.dtype_info"
local given = require "cuna.sparse.given"
local object = require "cuna.sparse.object"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local FORMATS = object.PARTS

--- A matrix in the format that a user asked for, or as it is.
local function in_format(A, format, name)
  if format == nil then return A end
  if not FORMATS[format] then
    fail("%s: format is \"csr\", \"csc\", \"coo\" or \"dia\", got %s", name, check.show(format))
  end
  return A:asformat(format)
end

--- The same as eye in a format that lists elements, all of whose parts are known.
local function listed_eye(m, n, k, dtype, format, name)
  local cn, index, shape = args.namespace, object.index_dtype(m, n), {m, n}
  local above, below = math.max(k, 0), math.max(-k, 0)
  local count = math.max(0, math.min(m - below, n - above))
  local function side_by_side(first) return cn.arange(first + 1, first + count + 1, 1, index) end
  local row, col, data = side_by_side(below), side_by_side(above), cn.ones(count, dtype)
  if format == "coo" then
    return coordinates.coo {row = row, col = col, data = data, shape = shape, major = 1, is_unique = true}
  end
  local before = format == "csr" and below or above
  local own = {data = data, indices = format == "csr" and col or row, is_unique = true}
  own.indptr = cn.arange(1 - before, shape[object.MAJOR[format]] + 2 - before, 1, index):clip_(1, count + 1)
  return coordinates.of_parts(own, shape, format, nil, name)
end

local read_eye = args.reader("sparse.eye", {"m", "n", "k", "dtype", "format"})

--- A matrix with ones on a diagonal. Follows scipy.sparse.eye.
---@param m integer rows
---@param n integer|nil columns; default m
---@param k integer|nil the diagonal; default 0
---@param dtype string|nil default: the default float
---@param format string|nil "csr", "csc", "coo" or "dia" (default)
---@return cuna.SparseMatrix
---@usage cn.sparse.eye(2, 3, 1):toarray() --> [[0. 1. 0.] [0. 0. 1.]]
function F.eye(...)
  local cn, name = args.namespace, "sparse.eye"
  local m, n, k, dtype, format = read_eye(...)
  m, n = check.count(m, name, "m"), check.count(n == nil and m or n, name, "n")
  k = check.integer(k or 0, name, "k")
  dtype = check.dtype(dtype, name) or core.default_dtype()
  if format ~= nil and FORMATS[format] and format ~= "dia" then return listed_eye(m, n, k, dtype, format, name) end
  local data = cn.ones({1, math.max(0, math.min(m + k, n))}, dtype)
  return in_format(object.new("dia", {m, n}, {data = data,
    offsets = cn.full({1}, k, object.index_dtype(m, n))}), format, name)
end

local read_identity = args.reader("sparse.identity", {"n", "dtype", "format"})

--- The identity. Follows scipy.sparse.identity.
---@param n integer rows and columns
---@param dtype string|nil
---@param format string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.identity(2):toarray() --> [[1. 0.] [0. 1.]]
function F.identity(...)
  local n, dtype, format = read_identity(...)
  return F.eye(n, n, 0, dtype, format)
end

-- ---- diagonals ----

--- Diagonals as a list, and their offsets as numbers.
local function read_diagonals(diagonals, offsets, name)
  offsets = offsets == nil and 0 or offsets
  if core.is_array(offsets) then offsets = offsets:totable() end
  if type(offsets) ~= "table" then
    local is_list = type(diagonals) == "table" and (type(diagonals[1]) == "table" or core.is_array(diagonals[1]))
    return is_list and diagonals or {diagonals}, {check.integer(offsets, name, "an offset")}
  end
  if type(diagonals) ~= "table" and not core.is_array(diagonals) then
    fail("%s: expected a table of diagonals, got %s", name, check.show(diagonals))
  end
  check.whole(offsets, name, "offsets")
  local list = {}
  for i = 1, #offsets do list[i] = diagonals[i] end
  if #list ~= #diagonals then fail("%s: %d diagonals have %d offsets", name, #diagonals, #offsets) end
  return list, offsets
end

--- Puts a diagonal into its row of data, from column `first` on.
local function put_diagonal(data, i, values, k, length, name)
  if values.ndim > 1 then fail("%s: a diagonal is a vector, got shape %s", name, tostring(values.shape)) end
  if values.size ~= length and values.size ~= 1 then
    fail("%s: the diagonal %d has %d elements, got %d", name, k, length, values.size)
  end
  if length > 0 then
    local first = math.max(k, 0) + 1
    data[{i, {first, first + length - 1}}] = values
  end
end

local read_diags = args.reader("sparse.diags", {"diagonals", "offsets", "shape", "format", "dtype"})

--- A matrix of diagonals. Follows scipy.sparse.diags.
---@param diagonals table|cuna.Operand vectors or numbers, one for each offset; of length 1: repeated
---@param offsets integer|integer[]|nil the diagonals; default 0
---@param shape integer[]|nil default: square, for the first diagonal
---@param format string|nil "csr", "csc", "coo" or "dia" (default)
---@param dtype string|nil
---@return cuna.SparseMatrix
---@usage cn.sparse.diags({{1, 2}, {3}}, {0, 1}):toarray() --> [[1. 3.] [0. 2.]]
---@usage cn.sparse.diags({-1, 2}, {1, 0}, {2, 2}):toarray() --> [[ 2. -1.] [ 0.  2.]]
function F.diags(...)
  local name = "sparse.diags"
  local diagonals, offsets, shape, format, dtype = read_diags(...)
  diagonals, offsets = read_diagonals(diagonals, offsets, name)
  local list, common = {}, dtype and check.dtype(dtype, name)
  for i, values in ipairs(diagonals) do
    list[i] = check.array(values, name)
    if not dtype then common = common and core.promote(common, list[i].dtype) or list[i].dtype end
  end
  if not list[1] then fail("%s: there are no diagonals", name) end
  local side = list[1].size + math.abs(check.integer(offsets[1], name, "an offset"))
  shape = given.shape(shape, name) or {side, side}
  local m, n = shape[1], shape[2]
  local data = args.namespace.zeros({#list, n}, common)
  for i, values in ipairs(list) do
    local k = check.integer(offsets[i], name, "an offset")
    put_diagonal(data, i, values, k, math.max(0, math.min(m + math.min(k, 0), n - math.max(k, 0))), name)
  end
  return in_format(given.matrix({data = data, offsets = offsets}, "dia", shape, nil, name), format, name)
end

local read_spdiags = args.reader("sparse.spdiags", {"data", "diags", "m", "n", "format"}, 2)

--- A matrix of diagonals that are rows of an array, as dia has them. Follows scipy.sparse.spdiags.
---@param data cuna.Operand shape (diagonals, columns)
---@param diags integer|integer[] offsets
---@param m integer|integer[] rows, or the shape
---@param n integer|nil columns
---@param format string|nil default "dia"
---@return cuna.SparseMatrix
---@usage cn.sparse.spdiags({{1, 2}, {3, 4}}, {0, 1}, 2, 2):toarray() --> [[1. 4.] [0. 2.]]
function F.spdiags(...)
  local data, diags, m, n, format = read_spdiags(...)
  local shape = type(m) == "table" and m or {m, n}
  return in_format(given.matrix({data = data, offsets = diags}, "dia", given.shape(shape, "sparse.spdiags"), nil,
    "sparse.spdiags"), format, "sparse.spdiags")
end

-- ---- Kronecker products ----

local function list_of(A, name) return coordinates.of(given.matrix(A, "coo", nil, nil, name)) end

local read_kron = args.reader("sparse.kron", {"A", "B", "format"}, 2)

--- The Kronecker product. Follows scipy.sparse.kron.
---@param A cuna.SparseMatrix|cuna.Operand
---@param B cuna.SparseMatrix|cuna.Operand
---@param format string|nil default "coo"
---@return cuna.SparseMatrix
---@usage cn.sparse.kron({{1, 2}}, {{1}, {3}}):toarray() --> [[1. 2.] [3. 6.]]
function F.kron(...)
  local name = "sparse.kron"
  local A, B, format = read_kron(...)
  local a, b = list_of(A, name), list_of(B, name)
  local m, n = b.shape[1], b.shape[2]
  local shape = {a.shape[1] * m, a.shape[2] * n}
  local dtype = object.index_dtype(shape[1], shape[2])
  local function places(own, other, length)
    return ((own:astype(dtype) - 1) * length):reshape(-1, 1):add(other:astype(dtype)):reshape(-1)
  end
  return in_format(coordinates.coo {row = places(a.row, b.row, m), col = places(a.col, b.col, n), shape = shape,
    data = a.data:reshape(-1, 1):multiply(b.data):reshape(-1)}, format or "coo", name)
end

local read_kronsum = args.reader("sparse.kronsum", {"A", "B", "format"}, 2)

--- The Kronecker sum of square matrices: kron(I, A) + kron(B, I). Follows scipy.sparse.kronsum.
---@param A cuna.SparseMatrix|cuna.Operand
---@param B cuna.SparseMatrix|cuna.Operand
---@param format string|nil default "csr"
---@return cuna.SparseMatrix
---@usage cn.sparse.kronsum({{1}}, {{2}}):toarray() --> [[3.]]
function F.kronsum(...)
  local name = "sparse.kronsum"
  local A, B, format = read_kronsum(...)
  A, B = given.matrix(A, "coo", nil, nil, name), given.matrix(B, "coo", nil, nil, name)
  for _, X in ipairs {A, B} do
    if X.lengths[1] ~= X.lengths[2] then fail("%s: square matrices, got shape %s", name, tostring(X.shape)) end
  end
  local first = F.kron(F.identity(B.lengths[1], A.dtype), A)
  return in_format(first:add(F.kron(B, F.identity(A.lengths[1], B.dtype))), format or "csr", name)
end

-- ---- random matrices ----

--- Uniform elements: floats and the parts of complex numbers in [0, 1), integers from a dtype's least to its greatest
--- but one.
local function uniform(generator, size, dtype)
  local kind, part = dtype_facts.kind_of[dtype], dtype_facts.part_of[dtype]
  if kind == "c" then
    local real = generator:random({size}, {dtype = part})
    return real + generator:random({size}, {dtype = part}) * 1i
  elseif dtype_facts.is_integer(dtype) then
    local info = dtype_info.functions.iinfo(dtype)
    return generator:integers(info.min, info.max, {size = {size}, dtype = dtype})
  elseif kind == "b" then
    return generator:random({size}):astype "bool"
  end
  return generator:random({size}, {dtype = dtype})
end

--- The elements of a random matrix: uniform, or those that a user's function gives.
local function elements_of(sampler, generator, size, dtype, name, word)
  if sampler == nil then return uniform(generator, size, dtype) end
  local data = check.array(check.callable(sampler, name)(size), name)
  if data.ndim ~= 1 or data.size ~= size then
    fail("%s: %s gave shape %s for %d elements", name, word, tostring(data.shape), size)
  end
  return dtype and core.cast(data, dtype, name) or data
end

--- A random matrix; `words` are the names that the caller's arguments `state` and `sampler` have.
local function draw(name, words, lengths, density, format, dtype, state, sampler)
  local m, n = unpack(lengths)
  density = check.real(density == nil and 0.01 or density, name, "density")
  if density < 0 or density > 1 then fail("%s: density is between 0 and 1, got %s", name, tostring(density)) end
  local generator = require("cuna.random").named(state, name, words.state)
  local keys = generator:choice(m * n, math.floor(density * m * n + 0.5), false)
  local row, col = coordinates.places(keys, lengths, 1, object.index_dtype(m, n))
  local data = elements_of(sampler, generator, keys.size, check.dtype(dtype, name), name, words.sampler)
  return in_format(coordinates.coo {row = row, col = col, data = data, shape = lengths, is_unique = true},
    format or "coo", name)
end

local read_random = args.reader("sparse.random",
  {"m", "n", "density", "format", "dtype", "random_state", "data_rvs", "rng"}, 2)

--- A matrix with uniform elements, or others, at random positions: floats and the parts of complex numbers in [0, 1),
--- integers from a dtype's whole range. Follows scipy.sparse.random.
---@param m integer rows
---@param n integer columns
---@param density number|nil the part of the positions that have elements; default 0.01
---@param format string|nil default "coo"
---@param dtype string|nil default: the default float
---@param random_state integer|cuna.Generator|nil a seed, or a generator; default: that of cn.random
---@param data_rvs (fun(size: integer): cuna.Operand)|nil gives the elements
---@param rng integer|cuna.Generator|nil SciPy's newer name of random_state
---@return cuna.SparseMatrix
---@usage cn.sparse.random(10, 20, 0.1, {random_state = 1}).nnz --> 20
---@usage cn.sparse.random(2, 2, 0.5, {data_rvs = cn.ones}).data --> [1. 1.]
---@usage cn.sparse.random(10, 20, 0.1, {dtype = "complex64"}).dtype --> complex64
function F.random(...)
  local name = "sparse.random"
  local m, n, density, format, dtype, state, sampler, rng = read_random(...)
  if state ~= nil and rng ~= nil then fail("%s: random_state and rng are names of one argument", name) end
  return draw(name, {state = rng == nil and "random_state" or "rng", sampler = "data_rvs"},
    {check.count(m, name, "m"), check.count(n, name, "n")}, density, format, dtype, state == nil and rng or state,
    sampler)
end

--- The same as cn.sparse.random. Follows scipy.sparse.rand.
---@param m integer rows
---@param n integer columns
---@param density number|nil default 0.01
---@param format string|nil default "coo"
---@param dtype string|nil
---@param random_state integer|cuna.Generator|nil
---@param rng integer|cuna.Generator|nil SciPy's newer name of random_state
---@return cuna.SparseMatrix
---@usage cn.sparse.rand(10, 20, 0.1).nnz --> 20
function F.rand(...) return F.random(...) end

-- ---- triangles ----

local function triangle(name, holds)
  local read = args.reader(name, {"A", "k", "format"})
  return function(...)
    local A, k, format = read(...)
    k = check.integer(k or 0, name, "k")
    local list = list_of(A, name)
    return in_format(coordinates.coo(coordinates.chosen(list, holds(list.col - list.row, k)),
      object.is(A) and A or nil), format or "coo", name)
  end
end

--- The elements on and below a diagonal. Follows scipy.sparse.tril.
---@param A cuna.SparseMatrix|cuna.Operand
---@param k integer|nil the diagonal; default 0
---@param format string|nil default "coo"
---@return cuna.SparseMatrix
---@usage cn.sparse.tril({{1, 2}, {3, 4}}):toarray() --> [[1. 0.] [3. 4.]]
F.tril = triangle("sparse.tril", function(distance, k) return distance:le(k) end)

--- The elements on and above a diagonal. Follows scipy.sparse.triu.
---@param A cuna.SparseMatrix|cuna.Operand
---@param k integer|nil the diagonal; default 0
---@param format string|nil default "coo"
---@return cuna.SparseMatrix
---@usage cn.sparse.triu({{1, 2}, {3, 4}}, 1):toarray() --> [[0. 2.] [0. 0.]]
F.triu = triangle("sparse.triu", function(distance, k) return distance:ge(k) end)

M.in_format, M.draw = in_format, draw

return M
