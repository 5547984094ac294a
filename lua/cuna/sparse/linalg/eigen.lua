--- eigen.lua: some eigenvalues of Hermitian matrices, some singular values: eigsh, svds.
--
-- The Lanczos method with thick restarts (Wu and Simon, 2000). Rows 1 to j + 1 are orthonormal, and A times the
-- first j of them lies in the space of all: its coordinates are the columns of H, in the host's memory, of which the
-- triangle above counts. With `ncv` rows the eigenvectors of H give approximate ones of A; a restart keeps the best of
-- them and the last row, so that the space grows on from there.
--
-- H has only what is not 0 in exact numbers: the diagonal, lengths above it, and how a restart's vectors go on. What
-- products make of the others is rounding, by which vectors that are found would not seem to be.
--
-- In exact numbers the space has one vector of each eigenvalue, however many there are. So values that are found are
-- locked: the space grows on from a random vector that is orthogonal to theirs. It has a part of every vector that is
-- missing. The wanted values are complete when the next ones that come of it are certain to follow.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local direct = require "cuna.sparse.linalg.direct"
local object = require "cuna.sparse.object"
local orthogonal = require "cuna.sparse.linalg.orthogonal"
local projection = require "cuna.sparse.linalg.projection"
local slices = require "cuna.base.slices"
local systems = require "cuna.sparse.linalg.system"

local M = {functions = {}}
local F = M.functions -- of cn.sparse.linalg

local fail = check.fail
local HOST = core.device "cpu"
local SEED = 1 -- of the vectors to begin with: the same call gives the same result
local ROOM = 8 -- the least number of rows beside those that are locked
local PATIENCE = 3 -- restarts, after which a space whose size the user left open has twice as many rows

-- ---- which eigenvalues ----

--- Orders of eigenvalues: the wanted ones first.
local ORDERS = {
  LM = function(a, b) return math.abs(a) > math.abs(b) end, SM = function(a, b) return math.abs(a) < math.abs(b) end,
  LA = function(a, b) return a > b end, SA = function(a, b) return a < b end,
}

--- The places of the ascending `values`, the wanted ones first.
local function places_of(values, which)
  local places = {}
  if which == "BE" then -- from both ends in turn
    for i = 1, #values do places[i] = i % 2 == 1 and #values - (i - 1) / 2 or i / 2 end
    return places
  end
  for i = 1, #values do places[i] = i end
  local comes_before = ORDERS[which]
  table.sort(places, function(i, j) return comes_before(values[i], values[j]) end)
  return places
end

-- ---- the space ----

--- Makes row j + 1 a unit vector that is orthogonal to the first j rows.
function M.refresh(space, j)
  local w, row = core.cast(space.rng:standard_normal(space.size), space.dtype, space.name), space.basis.row[j + 1]
  if j > 0 then orthogonal.append(space.basis, w, j) else row[core.ellipsis] = w end
  row:div_(orthogonal.length(space.basis, row))
end
local refresh = M.refresh

local function real_of(value) return type(value) == "number" and value or value.re end

--- A times row j, less what it has of this row and the one before, and how much it has of this row. What is left has
--- hardly more than rounding along the others, so that one projection takes all of it off.
local function next_vector(space, j)
  local row, w = space.basis.row, space.multiply(space.basis.row[j])
  if space.basis.is_lazy or j == space.joint then return w, 0 end
  local weigh = space.basis.weigh
  local own = real_of(systems.dot(row[j], weigh and weigh(w) or w):item())
  w = w - own * row[j]
  return space.beta > 0 and w - space.beta * row[j - 1] or w, own
end

--- Row j + 1 of what is left of A times row j, and the norm of that; 0 where the space is closed, and another vector
--- goes on.
local function extend(space, j)
  local basis = space.basis
  local w, alpha = next_vector(space, j)
  local coordinates, norm, scale = orthogonal.append(basis, w, j)
  local rest = slices.at(coordinates, 1, j)
  if basis.is_lazy then norm, scale, rest = args.namespace.item(norm, scale, rest) else rest = rest:item() end
  alpha = alpha + real_of(rest)
  projection.set(space.H, j, j, alpha)
  if j == space.size then return 0 end
  local is_closed = norm <= space.eps * math.max(scale, math.abs(alpha), space.beta)
  if is_closed then refresh(space, j) else basis.row[j + 1]:div_(norm) end
  space.beta = is_closed and 0 or norm
  if j < space.count then projection.set(space.H, j, j + 1, space.beta) end
  return space.beta
end

--- The size of a residual, or the distance of two values, that is 0: what is below `least` is rounding.
local function tolerance_of(space, solved, value, least)
  return math.max(space.tol * math.abs(value), least * solved.rounding)
end

--- Eigenvalues and vectors of H's upper triangle, in the host's memory; the places, the wanted ones first, and the
--- residuals in this order; how many of the first k are found, and the greatest of their residuals.
local function solve(space, beta)
  local w, s = args.namespace.linalg.eigh(space.H.array, "U")
  local values, last = w:totable(), s[{-1, {}}]:abs():totable()
  local solved = {values = values, vectors = s, places = places_of(values, space.which), residuals = {}, found = 0,
    beta = beta, rounding = space.eps * math.max(math.abs(values[1]), math.abs(values[#values])), worst = 0}
  for i, place in ipairs(solved.places) do solved.residuals[i] = beta * last[place] end
  for i = 1, space.k do
    local residual = solved.residuals[i]
    solved.worst = math.max(solved.worst, residual)
    if residual <= tolerance_of(space, solved, values[solved.places[i]], 1) then solved.found = solved.found + 1 end
  end
  return solved
end

--- Rows that are eigenvectors at places of a solution, in terms of V.
local function rows_of(space, solved, places)
  local s = args.namespace.take(solved.vectors, core.as_array(places, nil, HOST, space.name), 2)
  s = core.cast(s.T:copy(), space.dtype, space.name)
  return s:to(space.basis.rows.device):matmul(space.basis.rows[{{1, space.count}}])
end

--- Gives the space room for `count` rows, none of which it has yet.
local function resize(space, count)
  if count > space.count then
    space.H = projection.new(count, space.dtype, space.name)
    space.basis = orthogonal.new(count + 1, space.size, space.dtype, space.basis.weigh)
    space.count = count
  end
  projection.clear(space.H)
end

--- Begins a space of `count` rows with the best vectors of the last one; leaves the next row to the caller, and returns
--- the last one.
local function keep_best(space, solved, keep, count)
  local rows, last = rows_of(space, solved, {unpack(solved.places, 1, keep)}), space.basis.row[space.count + 1]
  resize(space, count)
  space.basis.rows[{{1, keep}}] = rows
  for i = 1, keep do projection.set(space.H, i, i, solved.values[solved.places[i]]) end
  return last
end

--- Begins the space with vectors of the last one, from whose last row it grows: the number of this row.
local function restart(space, solved, round)
  local keep = math.min(space.k + math.floor((space.count - space.k) / 2), space.count - 1)
  local last = keep_best(space, solved, keep, round >= PATIENCE and space.most or space.count)
  space.basis.rows[keep + 1], space.joint, space.beta = last, keep + 1, 0
  local parts = solved.vectors[{-1, {}}]:totable() -- A times a vector has so much of the next row
  for i = 1, keep do
    local re, im = parts[solved.places[i]], 0
    if type(re) ~= "number" then re, im = re.re, re.im end
    projection.set(space.H, i, keep + 1, solved.beta * re, -solved.beta * im)
  end
  return keep + 1
end

-- ---- values that are there several times ----

--- The first k values, ascending, and their places.
local function wanted_of(space, solved)
  local places, values = {unpack(solved.places, 1, space.k)}, {}
  table.sort(places)
  for i, place in ipairs(places) do values[i] = solved.values[place] end
  return values, places
end

--- What the order of values goes by, ascending: 2 and -2 are as great.
local function ranks_of(space, values)
  if space.which ~= "LM" and space.which ~= "SM" then return values end
  local ranks = {}
  for i, value in ipairs(values) do ranks[i] = math.abs(value) end
  table.sort(ranks)
  return ranks
end

--- Locks the k vectors that are found: the space grows from a random one, and has room beside them even where a user
--- allowed little.
local function lock(space, solved)
  space.locked = ranks_of(space, (wanted_of(space, solved)))
  space.joint, space.beta = nil, 0
  keep_best(space, solved, space.k, math.max(space.count, math.min(space.size, space.k + ROOM)))
  refresh(space, space.k)
  return space.k + 1
end

--- Whether the wanted values are not those that are locked, or others as great.
local function has_changed(space, solved)
  if not space.locked then return true end
  for i, rank in ipairs(ranks_of(space, (wanted_of(space, solved)))) do
    if math.abs(rank - space.locked[i]) > tolerance_of(space, solved, rank, 100) then return true end
  end
  return false
end

--- Whether the value at a place of the order is certain to be behind the one at another.
local function is_behind(space, solved, i, wanted)
  local a, b = solved.values[solved.places[wanted]], solved.values[solved.places[i]]
  if space.which == "LM" or space.which == "SM" then a, b = math.abs(a), math.abs(b) end
  return solved.residuals[i] <= math.max(0.1 * math.abs(a - b), tolerance_of(space, solved, b, 1))
end

--- Whether no vector outside of the space has one of the wanted values.
local function is_complete(space, solved)
  local k = space.k
  if space.which ~= "BE" then return is_behind(space, solved, k + 1, k) end
  for i = math.max(k + 1, 3), math.min(k + 2, space.count) do
    if not is_behind(space, solved, i, i - 2) then return false end
  end
  return true
end

-- ---- all of it ----

--- The results: the values in ascending order, and rows that are their vectors.
local function results(space, solved)
  local values, places = wanted_of(space, solved)
  return values, rows_of(space, solved, places)
end

--- Restarts until k values are found, and no others like them.
local function iterate(space)
  local from, beta, solved, count = 1, nil, nil, 0
  while count < space.maxiter do
    for j = from, space.count do beta = extend(space, j) end
    count, solved = count + 1, solve(space, beta)
    local is_found = solved.found == space.k
    local is_new = is_found and has_changed(space, solved)
    if is_found and (space.count == space.size or not is_new and is_complete(space, solved)) then
      return results(space, solved)
    end
    from, count = is_new and lock(space, solved) or restart(space, solved, count), is_new and 0 or count
  end
  if solved and solved.found == space.k then return results(space, solved) end
  fail("LinAlgError: %s: no convergence in %d restarts: %d of %d values are found, the greatest residual is %.1e",
    space.name, space.maxiter, solved and solved.found or 0, space.k, solved and solved.worst or math.huge)
end

-- ---- arguments ----

--- The number of values, and of rows of the space.
local function counts_of(given, size, name)
  local k, ncv = check.count(given.k == nil and 6 or given.k, name, "k"), given.ncv
  if k < 1 or k >= size then
    fail("%s: k is from 1 to %d for %d rows, got %d; cn.linalg.%s(A:toarray()) has all", name, size - 1, size, k,
      given.whole or "eigh")
  end
  ncv = ncv == nil and math.min(size, math.max(2 * k + 1, 20)) or check.count(ncv, name, "ncv")
  if ncv <= k or ncv > size then fail("%s: ncv is from k + 1 = %d to %d, got %d", name, k + 1, size, ncv) end
  return k, ncv
end

--- Where the method begins: products, and the numbers that users give.
---@param multiply fun(x: cuna.Array): cuna.Array
function M.new_space(multiply, size, dtype, given, name)
  local cn = args.namespace
  local k, count = counts_of(given, size, name)
  local space = {multiply = multiply, size = size, dtype = dtype, name = name, k = k, count = count,
    most = given.ncv and count or math.min(size, 2 * count), eps = systems.eps(dtype),
    rng = cn.random.default_rng(SEED), which = given.which, beta = 0,
    maxiter = systems.iterations(given.maxiter, 10 * size, name, "maxiter")}
  space.tol = systems.tolerance(given.tol, 0, name, "tol")
  if space.tol == 0 then space.tol = space.eps end
  space.H = projection.new(count, dtype, name)
  space.basis = orthogonal.new(count + 1, size, dtype, given.weigh)
  local first = given.v0
  if first ~= nil then
    first = core.cast(check.array(first, name), dtype, name)
    if first.size ~= size then fail("%s: v0 has %d elements, and the matrix %d rows", name, first.size, size) end
    local norm = orthogonal.length(space.basis, first:reshape(size)):item()
    if not (norm > 0 and norm < math.huge) then fail("%s: v0 has the norm %s", name, tostring(norm)) end
    first = first:reshape(size) / norm
  end
  if first then space.basis.rows[1] = first else refresh(space, 0) end
  return space
end

-- ---- eigenvalues ----

--- Products with the inverse of A - sigma I, or A - sigma B.
function M.inverse_of(op, sigma, name, B)
  if not op.matrix then fail("%s: sigma needs a matrix, whose factors are made; A is a function", name) end
  local A = op.matrix
  if B then
    A = object.is(A) and A or require("cuna.sparse").namespace.csc_matrix(A)
    A = A - sigma * (object.is(B) and B or require("cuna.sparse").namespace.csc_matrix(B))
  elseif object.is(A) then
    A = A - sigma * require("cuna.sparse").namespace.eye(op.lengths[1], {dtype = A.dtype})
  else
    A = A - sigma * args.namespace.eye(op.lengths[1], {dtype = A.dtype})
  end
  return direct.functions.factorized(A)
end

function M.square_operator(A, name, what)
  what = what or "A"
  local op = systems.operator_of(A, what, name)
  if op.lengths[1] ~= op.lengths[2] then fail("%s: %s is square, got shape %s", name, what, tostring(op.shape)) end
  return op
end

local read_eigsh = args.reader("sparse.linalg.eigsh", {"A", "k", "sigma", "which", "v0", "ncv", "maxiter", "tol",
  "return_eigenvectors", "M"}, 1)

--- The operator of a matrix M that is given beside A; nil if there is none.
local function metric_of(value, op, name)
  if value == nil then return nil end
  local B = M.square_operator(value, name, "M")
  if B.lengths[1] ~= op.lengths[1] then
    fail("%s: A has shape %s, and M has shape %s", name, tostring(op.shape), tostring(B.shape))
  end
  if not B.matrix then fail("%s: M is a matrix, whose factors are made, got a function", name) end
  return B
end

--- The products whose eigenvalues are found, and those of the metric in which they are self-adjoint: nil for the usual
--- one.
local function products_of(op, sigma, B, dtype, name)
  local weigh = B and systems.product_with(B, "matvec", dtype, name)
  if sigma ~= nil then
    local inverse = M.inverse_of(op, sigma, name, B and B.matrix)
    return function(x) return core.cast(inverse(weigh and weigh(x) or x), dtype, name) end, weigh
  end
  local multiply = systems.product_with(op, "matvec", dtype, name)
  if not B then return multiply end
  local inverse = direct.functions.factorized(B.matrix)
  return function(x) return core.cast(inverse(multiply(x)), dtype, name) end, weigh
end

--- k eigenvalues of a Hermitian matrix, and their vectors, by the Lanczos method. A value that is there several times
--- is found as often. Only products with A are needed; nothing checks that it is Hermitian. With sigma the values
--- nearest to it are found, by the factors of A - sigma I (see cn.sparse.linalg.splu). The vector to begin with is the
--- same at every call. Waits for the device in each step. Follows scipy.sparse.linalg.eigsh.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (n, n)
---@param k integer|nil 1 to n - 1; default 6
---@param sigma number|nil
---@param which string|nil "LM", "SM": of greatest or least size; "LA", "SA": the greatest, the least; "BE": from both
---  ends; with sigma of the values 1 / (w - sigma); default "LM"
---@param v0 cuna.Operand|nil the vector to begin with, shape (n,)
---@param ncv integer|nil vectors that are kept, k + 1 to n; default max(2 k + 1, 20), and twice as many where three
---  restarts do not find the values; at least k + 8 while copies are looked for
---@param maxiter integer|nil restarts; default 10 n; if they are not enough it is a LinAlgError with what is missing
---@param tol number|nil of the residual, relative to a value; default 0: the dtype's precision
---@param return_eigenvectors boolean|nil default true
---@param M cuna.SparseMatrix|cuna.Operand|nil shape (n, n), positive definite: of A v = w M v; the vectors are
---  orthonormal in its metric. Its factors are made, or with sigma those of A - sigma M
---@return cuna.Array w shape (k,), ascending
---@return cuna.Array|nil v shape (n, k): a column for each value
---@usage cn.sparse.linalg.eigsh(cn.sparse.diags {1, 2, 3, 4}, 2, {return_eigenvectors = false}) --> [3. 4.]
---@usage cn.sparse.linalg.eigsh(cn.sparse.diags {1, 2, 3}, 1, {sigma = 1.9, return_eigenvectors = false}) --> [2.]
function F.eigsh(...)
  local name, given = "sparse.linalg.eigsh", {}
  local A, k, sigma, which, v0, ncv, maxiter, tol, wants_vectors, B = read_eigsh(...)
  local op = M.square_operator(A, name)
  given.k, given.v0, given.ncv, given.maxiter, given.tol, given.which = k, v0, ncv, maxiter, tol, which or "LM"
  if given.which ~= "BE" and not ORDERS[given.which] then
    fail('%s: which is "LM", "SM", "LA", "SA" or "BE", got %s', name, check.show(which))
  end
  B = metric_of(B, op, name)
  local dtype = core.promote(systems.inexact(op.dtype), B and systems.inexact(B.dtype) or systems.inexact(op.dtype))
  if sigma ~= nil then sigma = check.real(sigma, name, "sigma") end
  local multiply, weigh = products_of(op, sigma, B, dtype, name)
  given.weigh = weigh
  local values, rows = iterate(M.new_space(multiply, op.lengths[1], dtype, given, name))
  if sigma ~= nil then
    for i, value in ipairs(values) do values[i] = sigma + 1 / value end
  end
  local w = args.namespace.array(values, {dtype = args.namespace.finfo(dtype).dtype})
  local order = sigma ~= nil and args.namespace.argsort(w)
  if order then w, rows = args.namespace.take(w, order), args.namespace.take(rows, order, 1) end
  if not check.boolean(wants_vectors, true, name, "return_eigenvectors") then return w end
  return w, rows.T
end

-- ---- singular values ----

--- The operator of A^H A, or of A A^H if that is smaller.
local function squared(op, dtype, name)
  local by, by_adjoint = systems.product_with(op, "matvec", dtype, name),
    systems.product_with(op, "rmatvec", dtype, name)
  if op.lengths[1] < op.lengths[2] then by, by_adjoint = by_adjoint, by end
  return function(x) return by_adjoint(by(x)) end, by
end

--- The columns A v for rows v.
local function columns_of(by, rows)
  local columns = {}
  for i = 1, #rows do columns[i] = by(rows[i]) end
  return args.namespace.stack(columns, 2)
end

local read_svds = args.reader("sparse.linalg.svds", {"A", "k", "ncv", "tol", "which", "v0", "maxiter",
  "return_singular_vectors"}, 1)

--- k singular values of a matrix and their vectors, by eigsh of A^H A or of A A^H, whichever is smaller; so the least
--- ones are exact to half of the digits. Follows scipy.sparse.linalg.svds.
---@param A cuna.SparseMatrix|cuna.LinearOperator|cuna.Operand shape (m, n)
---@param k integer|nil less than m and n; default 6
---@param ncv integer|nil as eigsh's, and so are tol, v0, of min(m, n) elements, and maxiter
---@param tol number|nil
---@param which string|nil "LM": the greatest, "SM": the least; default "LM"
---@param v0 cuna.Operand|nil
---@param maxiter integer|nil
---@param return_singular_vectors boolean|nil default true
---@return cuna.Array u shape (m, k); without vectors the values are the only result
---@return cuna.Array|nil s shape (k,), ascending
---@return cuna.Array|nil vh shape (k, n)
---@usage cn.sparse.linalg.svds(cn.sparse.diags {1, 2, 3}, 2, {return_singular_vectors = false}) --> [2. 3.]
function F.svds(...)
  local name, cn = "sparse.linalg.svds", args.namespace
  local A, k, ncv, tol, which, v0, maxiter, wants_vectors = read_svds(...)
  local op = systems.operator_of(A, "A", name)
  local given = {k = k, ncv = ncv, tol = tol, which = which or "LM", v0 = v0, maxiter = maxiter,
    whole = "svd"}
  if given.which ~= "LM" and given.which ~= "SM" then
    fail('%s: which is "LM" or "SM", got %s', name, check.show(which))
  end
  local dtype, is_wide = systems.inexact(op.dtype), op.lengths[1] < op.lengths[2]
  local multiply, by = squared(op, dtype, name)
  local _, rows = iterate(M.new_space(multiply, math.min(op.lengths[1], op.lengths[2]), dtype, given, name))
  local u, s, rotation = cn.linalg.svd(columns_of(by, rows), false) -- sharper than the square's eigenvalues
  s = cn.flip(s)
  if not check.boolean(wants_vectors, true, name, "return_singular_vectors") then return s end
  u = cn.flip(u, 2)
  local right = cn.flip(rotation:conj(), 1):matmul(rows) -- rows v of A v = s u
  if is_wide then return right.T, s, u.T:conj() end
  return u, s, right:conj()
end

return M
