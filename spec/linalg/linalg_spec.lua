--- Linear algebra: NumPy's and SciPy's results, and factors multiplied out, since their signs and phases are free.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/linalg.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared
local L = cn.linalg
local TOLERANCE = {float32 = 5e-4, complex64 = 5e-4, float64 = 1e-10, complex128 = 1e-10}

local function agrees(expected, result, note) same(expected, result, note, TOLERANCE[expected.dtype]) end

-- ---- plain products, which no library has a part in ----

--- One dtype for all of them: few kernels.
local function wide(x) return x.dtype == "complex128" and x or x:astype "complex128" end

local function product(a, b) return cn.sum(cn.expand_dims(wide(a), -1) * cn.expand_dims(wide(b), -3), -2) end

local function adjoint(x) return cn.conj(wide(x)):swapaxes(-1, -2) end

local function scaled(x, factors) return wide(x) * cn.expand_dims(wide(factors), -2) end

--- Asserts that two arrays are equal but for rounding.
local function near(expected, result, dtype, note)
  assert(expected:has_shape(result.shape), ("%s: shape %s, not %s"):format(note, tostring(result.shape),
    tostring(expected.shape)))
  if result.size == 0 then return end
  local gap = cn.max(cn.abs(wide(expected) - wide(result)))
  gap = golden.rehearsing and 0 or gap:item()
  assert(gap <= TOLERANCE[dtype] * 10, ("%s: off by %g"):format(note, gap))
end

--- Asserts that the columns of q are orthonormal.
local function orthonormal(q, note, dtype)
  local columns = q.shape[q.ndim]
  local unit = cn.eye(columns):broadcast_to(product(adjoint(q), q).shape)
  near(unit, product(adjoint(q), q), dtype or q.dtype, note)
end

local function each(cases, fn)
  return prepared(function()
    for number, case in ipairs(cases) do fn(case, number, "case " .. number) end
  end)
end

devices.each_device(function()
  describe("equations", function()
    it("are solved as NumPy does", each(values.solutions, function(case, number, note)
      agrees(case.x, L.solve(laid_out(array(case.a), number), laid_out(array(case.b), number + 1)), note)
    end))

    it("have inverses and determinants", each(values.inverses, function(case, number, note)
      local a = laid_out(array(case.a), number)
      agrees(case.inverse, L.inv(a), note)
      agrees(case.det, L.det(a), note)
      local sign, log = L.slogdet(a)
      agrees(case.sign, sign, note)
      agrees(case.log, log, note)
    end))

    it("with triangles are solved as SciPy does", each(values.triangles, function(case, number, note)
      local a, b = laid_out(array(case.a), number), laid_out(array(case.b), number + 1)
      agrees(case.x, L.solve_triangular(a, b, case.trans, case.lower, case.unit), note)
      local letter = ("NTC"):sub(case.trans + 1, case.trans + 1)
      agrees(case.x, L.solve_triangular(a, b, {trans = letter, lower = case.lower, unit_diagonal = case.unit}), note)
    end))

    it("have LU factors", each(values.factors, function(case, number, note)
      local x = array(case.a)
      local a = laid_out(x, number)
      local p, l, u = L.lu(a)
      agrees(case.p, p, note)
      agrees(case.l, l, note)
      agrees(case.u, u, note)
      near(product(array(case.p), array(case.l)), (L.lu(a, true)), l.dtype, note)
      local rows = L.lu(a, {p_indices = true})
      if not golden.rehearsing then near(wide(x)[rows], product(l, u), l.dtype, note) end
      if case.lu then
        local lu, pivots = L.lu_factor(a)
        agrees(case.lu, lu, note)
        same(case.pivots, pivots, note)
        for trans, matrix in pairs {N = x, T = x.T, C = adjoint(x)} do
          local b = cn.arange(a.shape[1] * 2):reshape(-1, 2)
          near(b, product(matrix, L.lu_solve({lu, pivots}, b, trans)), l.dtype, note)
        end
      end
    end))

    it("broadcast their stacks", prepared(function()
      local a = cn.arange(16):reshape(2, 2, 2, 2) + 9 * cn.eye(2)
      local b = cn.arange(6):reshape(3, 1, 2, 1):astype "float32"
      near(b:broadcast_to {3, 2, 2, 1}, product(a["1"], L.solve(a["1"], b)), "float64", "stacks")
      local lu, pivots = L.lu_factor(a)
      near(cn.ones {2, 2, 2, 3}, product(a, L.lu_solve({lu, pivots}, cn.ones {2, 3})), "float64", "LU")
      local definite = product(a, adjoint(a)).real
      local factor, lower = L.cho_factor(definite, true)
      near(cn.ones {2, 2, 2, 3}, product(definite, L.cho_solve({factor, lower}, cn.ones {2, 3})), "float64", "Cholesky")
      local x = L.solve(a, cn.ones(2))
      near(cn.ones {2, 2, 2, 1}, product(a, cn.expand_dims(x, -1)), "float64", "a vector")
    end))

    it("of tensors", prepared(function()
      local a = cn.arange(36):reshape(2, 3, 6) + 50 * cn.eye(6):reshape(2, 3, 6)
      local b = cn.arange(6):reshape(2, 3)
      local x = L.tensorsolve(a, b)
      near(b:reshape(6, 1), product(a:reshape(6, 6), x:reshape(6, 1)), "float64", "tensorsolve")
      near(x, L.tensorsolve(a:transpose(1, 3, 2), b, {2}), "float64", "axes")
      local inverse = L.tensorinv(a)
      assert.is_true(inverse:has_shape(6, 2, 3))
      near(cn.eye(6), product(a:reshape(6, 6), inverse:reshape(6, 6)), "float64", "tensorinv")
    end))

    it("have zeros without signs in inverses of diagonals", function()
      assert.equal("[[1. 0.]\n [0. 1.]]", tostring(L.inv(cn.eye(2))))
      assert.equal("[[0.5 0. ]\n [0.  0.5]]", tostring(L.inv(cn.eye(2) * 2)))
    end)

    it("leave what they are given as it is", prepared(function()
      local a, b = cn.array {{4, 1}, {2, 3}}, cn.array {1, 2}
      local before = a:copy()
      L.solve(a, b) L.inv(a) L.det(a) L.lu(a) L.qr(a) L.svd(a) L.eig(a) L.eigh(a) L.solve_triangular(a, b)
      L.cholesky(a) L.lstsq(a, b) L.pinv(a) L.expm(a)
      if not golden.rehearsing then assert.is_true(a == before and b == cn.array {1, 2}) end
    end))
  end)

  describe("factors", function()
    it("of Hermitian matrices", each(values.hermitians, function(case, number, note)
      local x = array(case.a)
      local a, dtype = laid_out(x, number), x.dtype
      agrees(case.factor, L.cholesky(a), note)
      near(adjoint(array(case.factor)), L.cholesky(a, {upper = true}), dtype, note)
      agrees(case.values, L.eigvalsh(a), note)
      for _, uplo in ipairs {"L", "U"} do
        local half = uplo == "L" and cn.tril(x) or cn.triu(x)
        local w, v = L.eigh(half, uplo)
        agrees(case.values, w, note)
        near(product(x, v), scaled(v, w), dtype, note .. uplo)
        orthonormal(v, note)
      end
      local u, s, vh = L.svd(a, {hermitian = true})
      near(x, product(scaled(u, s), vh), dtype, note)
      near(L.svdvals(a), s, dtype, note)
      near(s, L.svd(a, {hermitian = true, compute_uv = false}), dtype, note)
      for _, lower in ipairs {true, false} do
        local b = cn.arange(a.shape[a.ndim] * 2):reshape(-1, 2)
        local solved = L.cho_solve({L.cho_factor(a, lower)}, b)
        near(b:broadcast_to(solved.shape), product(x, solved), dtype, note .. " cho_solve")
      end
    end))

    it("of any matrices: singular values and QR", each(values.singulars, function(case, number, note)
      local x = array(case.a)
      local a = laid_out(x, number)
      local rows, columns = a.shape[a.ndim - 1], a.shape[a.ndim]
      agrees(case.values, L.svdvals(a), note)
      local u, s, vh = L.svd(a, false)
      agrees(case.values, s, note)
      near(x, product(scaled(u, s), vh), u.dtype, note)
      orthonormal(u, note)
      u, s, vh = L.svd(a)
      agrees(case.values, s, note)
      assert(u.shape[u.ndim] == rows and vh.shape[vh.ndim - 1] == columns, note)
      orthonormal(u, note)
      orthonormal(adjoint(vh), note, vh.dtype)
      local q, r = L.qr(a)
      near(x, product(q, r), q.dtype, note)
      orthonormal(q, note)
      agrees(case.r, cn.abs(L.qr(a, "r")), note)
      q, r = L.qr(a, {mode = "complete"})
      near(x, product(q, r), q.dtype, note)
      orthonormal(q, note)
      local raw, scales = L.qr(a, "raw")
      near(r, cn.triu(raw:swapaxes(-1, -2)), q.dtype, note)
      assert(scales.shape[scales.ndim] == math.min(rows, columns), note)
    end))

    it("of square matrices: eigenvalues", each(values.generals, function(case, number, note)
      local x = array(case.a)
      local a = laid_out(x, number)
      agrees(case.values, cn.sort(L.eigvals(a)), note)
      local w, v = L.eig(a)
      agrees(case.values, cn.sort(w), note)
      near(product(x, v), scaled(v, w), a.dtype, note)
      near(cn.ones(w.shape), cn.sum(cn.abs(v) ^ 2, -2), a.dtype, note)
    end))
  end)

  describe("numbers of matrices", function()
    it("norms", each(values.norms, function(case, number, note)
      local x = laid_out(array(case.x), number)
      agrees(case.norm, L.norm(x, case.ord, case.axis, case.keepdims), note)
      agrees(case.norm, L.norm(x, {ord = case.ord, axis = case.axis, keepdims = case.keepdims}), note)
    end))

    it("norms of float16, of any axes, of no elements", function()
      local x = cn.array({{3, 4}, {0, 12}}, "float16")
      assert.same({"float16", 13}, {L.norm(x).dtype, L.norm(x):item()})
      assert.same({"bfloat16", 5}, {L.norm(x:astype "bfloat16", nil, 2).dtype, L.norm(x, nil, 2)[1]})
      assert.same({5, 12}, L.vector_norm(x, -1):totable())
      assert.same({{{13}}, 19, 12, 2}, {L.vector_norm(x[cn.newaxis], {1, 2, 3}, true)[1]:totable(),
        L.vector_norm(x, {ord = 1}):item(), L.vector_norm(x, {1, 2}, {ord = cn.inf}):item(),
        L.vector_norm(cn.ones {4, 2}, 1)[1]} and {{{13}}, 19, 12, 2})
      assert.equal(0, L.norm(cn.zeros(0)):item())
      assert.is_true(L.matrix_norm(cn.ones {2, 3, 4}, true):has_shape(2, 1, 1))
      assert.same({16, 12}, {L.matrix_norm(x:astype "float32", {ord = 1}):item(), L.norm(x, 1):item()} and {16, 12})
    end)

    it("condition numbers", each(values.conditions, function(case, number, note)
      agrees(case.cond, L.cond(laid_out(array(case.a), number), case.p), note)
    end))

    it("ranks", each(values.ranks, function(case, number, note)
      same(case.rank, L.matrix_rank(laid_out(array(case.a), number), case.tol, case.hermitian), note)
    end))

    it("traces and diagonals of the last two axes", function()
      local x = cn.arange(12):reshape(2, 2, 3)
      assert.same({4, 16}, L.trace(x):totable())
      assert.same({{1, 5}, {7, 11}}, L.diagonal(x, 1):totable())
      assert.equal("float32", L.trace(x, 0, "float32").dtype)
    end)

    it("are products that neither overflow nor vanish on the way", function()
      assert.equal(8, L.det(2 * cn.eye(3)):item())
      assert(math.abs(L.det(cn.diag {1e300, 1e300, 1e-300, 1e-300}):item() - 1) < 1e-15) -- 1e300 * 1e-300 is rounded
      assert.equal(cn.inf, L.det(cn.diag {1e300, 1e300}):item())
      local sign, log = L.slogdet(cn.diag {-1e300, 1e300, 1e200})
      assert(sign:item() == -1 and math.abs(log:item() - 800 * math.log(10)) < 1e-9)
      assert.same({0, -cn.inf}, {cn.item(L.slogdet {{1, 2}, {2, 4}})})
      assert.equal(cn.inf, 1 / L.det({{1, 2}, {2, 4}}):item())
      assert.same({0, 2}, L.det(cn.array {{{1, 2}, {2, 4}}, {{2, 0}, {5, 1}}}):totable())
      assert.is_true(cn.isnan(L.det {{cn.nan, 1}, {1, 1}}):item())
    end)
  end)

  describe("what is made of factors", function()
    it("pseudo-inverses", each(values.pseudo_inverses, function(case, number, note)
      agrees(case.inverse, L.pinv(laid_out(array(case.a), number), case.rcond, case.hermitian), note)
    end))

    it("least squares", each(values.least_squares, function(case, number, note)
      local x, residuals, rank, s = L.lstsq(laid_out(array(case.a), number), laid_out(array(case.b), number + 1))
      agrees(case.x, x, note)
      agrees(case.residuals, residuals, note)
      same(case.rank, rank, note)
      agrees(case.s, s, note)
    end))

    it("least squares of stacks", function()
      local a, b = cn.arange(24):reshape(2, 4, 3) ^ 2 % 7, cn.arange(8):reshape(2, 4, 1)
      local x, residuals, rank, s = L.lstsq(a, b)
      for k = 1, 2 do
        local own, rest, count, values_of = L.lstsq(a[k], b[k])
        near(own, x[k], "float64", "x")
        near(rest, residuals[k], "float64", "residuals")
        near(values_of, s[k], "float64", "s")
        assert.equal(count:item(), rank[k])
      end
    end)

    it("exponentials", each(values.exponentials, function(case, number, note)
      agrees(case.exponential, L.expm(laid_out(array(case.a), number)), note)
    end))
  end)

  describe("matrices that have none", function()
    local singular, indefinite = {{1, 2}, {2, 4}}, {{1, 2}, {2, 1}}

    it("raise LinAlgErrors", function()
      for message, fn in pairs {
        ["LinAlgError: linalg.inv: the matrix is singular: pivot 2 is 0"] = function()
          L.inv(singular)
          cn.synchronize()
        end,
        ["LinAlgError: linalg.solve: the matrix is singular: pivot 2 is 0"] = function()
          L.solve(singular, {1, 2})
          cn.synchronize()
        end,
        ["LinAlgError: linalg.inv: matrix 2 of the stack is singular: pivot 2 is 0"] = function()
          L.inv {{{1, 2}, {3, 4}}, singular}
          cn.synchronize()
        end,
        ["LinAlgError: linalg.cholesky: the matrix is not positive definite: its leading minor of order 2 is not"] =
          function()
            L.cholesky(indefinite)
            cn.synchronize()
          end,
        ["LinAlgError: linalg.cho_factor: matrix 2 of the stack is not positive definite"] = function()
          L.cho_factor {{{1, 0}, {0, 1}}, indefinite}
          cn.synchronize()
        end,
        ["LinAlgError: linalg.lu_factor: the matrix is singular: pivot 2 is 0"] = function()
          L.lu_factor(singular)
          cn.synchronize()
        end,
        ["LinAlgError: linalg.solve_triangular: the matrix is singular: pivot 1 is 0"] = function()
          L.solve_triangular({{0, 1}, {0, 1}}, {1, 2})
          cn.synchronize()
        end,
        ["LinAlgError: linalg.tensorinv: the matrix is singular: pivot 2 is 0"] = function()
          L.tensorinv({{1, 2}, {2, 4}}, 1)
          cn.synchronize()
        end,
        ["LinAlgError: linalg.eig: the matrix has an element that is infinite or NaN"] = function()
          L.eig {{1, cn.nan}, {2, 3}}
          cn.synchronize()
        end,
        ["LinAlgError: linalg.svdvals: the iteration for the matrix did not converge"] = function()
          L.svdvals {{1, cn.nan}, {2, 3}}
          cn.synchronize()
        end,
        ["LinAlgError: linalg.eigvalsh: the iteration for matrix 2 of the stack did not converge"] = function()
          L.eigvalsh {{{1, 2}, {2, 3}}, {{1, 2}, {cn.nan, 3}}}
          cn.synchronize()
        end,
        ["LinAlgError: linalg.eigvals: matrix 2 of the stack has an element that is infinite or NaN"] = function()
          L.eigvals {{{1, 2}, {2, 3}}, {{1, 2}, {cn.inf, 3}}}
          cn.synchronize()
        end,
      } do
        raises(message, fn)
      end
    end)

    it("are NaN without checks", function()
      local function all_nan(x) return cn.isnan(x):all() end
      assert.is_true(all_nan(L.inv(singular, false)) and all_nan(L.solve(singular, {1, 2}, false)))
      local both = L.inv({{{1, 2}, {3, 4}}, singular}, {check = false})
      assert.is_true(all_nan(both[2]))
      near(cn.array {{-2, 1}, {1.5, -0.5}}, both[1], "float64", "beside a singular one")
      assert.is_true(cn.isnan(L.cholesky(indefinite, {check = false})):any())
      assert.is_true(all_nan(L.cho_factor(indefinite, {check = false})))
      assert.is_false(cn.isfinite(L.solve_triangular({{0, 1}, {0, 1}}, {1, 2}, {check = false})):all())
      local lu = L.lu_factor(singular, {check = false})
      assert.equal(0, lu[{2, 2}])
      local odd = cn.array {{{1, 2}, {3, 4}}, {{1, cn.nan}, {2, 3}}}
      for _, p in ipairs {2, 1} do
        local conditions = L.cond(odd, p):totable()
        assert(conditions[1] > 1 and conditions[2] ~= conditions[2])
      end
      local symmetric = odd + odd:swapaxes(-1, -2)
      assert.same({false, true}, cn.isnan(L.eigvalsh(symmetric, {check = false})):all(2):totable())
      symmetric[{2, 1, 2}] = 1 -- in the triangle that is not read
      symmetric[{2, 2, 1}] = 1
      symmetric[{2, 1, 2}] = cn.nan
      assert.is_false(cn.isnan(L.eigvalsh(symmetric)):any())
      assert.same({false, true}, cn.isnan(L.svd(odd, {compute_uv = false, check = false})):all(2):totable())
      local numbers, vectors = L.eig(odd, {check = false})
      assert.same({false, true}, cn.isnan(numbers):all(2):totable())
      assert.same({false, true}, cn.isnan(vectors):all({2, 3}):totable())
    end)

    it("are distinguished from those that are only badly conditioned", function()
      local n = 8
      local i = cn.arange(n, nil, nil, "float64")
      local hilbert = 1 / (i:reshape(n, 1) + i + 1)
      local x = L.solve(hilbert, cn.sum(hilbert, 2))
      assert(cn.max(cn.abs(x - 1)):item() < 1e-4)
      assert(L.cond(hilbert):item() > 1e10 and L.matrix_rank(hilbert):item() == n)
      assert.equal(cn.inf, L.cond(singular, 1):item())
    end)
  end)

  it("works in rehearsals, in scopes and without waiting", function()
    local a = cn.array {{4, 1}, {1, 3}}
    cn.prepare(function() L.solve(a, {1, 2}) L.eig(a) L.expm(a) L.lstsq(a, {1, 2}) end)
    local x = cn.scope(function() return (L.eigh(a)) end)
    assert.is_true(x:has_shape(2))
    cn.no_sync(function()
      L.solve(a, {1, 2}) L.inv(a) L.det(a) L.slogdet(a) L.qr(a) L.svd(a) L.eig(a) L.eigh(a) L.cholesky(a) L.lu(a)
      L.lstsq(a, {1, 2}) L.pinv(a) L.matrix_rank(a) L.cond(a) L.norm(a, 2) L.solve_triangular(a, {1, 2})
    end)
    raises("linalg.expm: waits for the device", function()
      cn.no_sync(function()
        local exponential = L.expm(a)
        return exponential
      end)
    end)
  end)

  it("is recorded by graphs, and runs in fused functions", function()
    local a, b = cn.array {{4, 1}, {2, 3}}, cn.array {1, 2}
    local recorded = cn.graph(function(m, v) return L.solve(m, v), L.inv(m), L.cholesky(m), L.det(m) end, a, b)
    local x, inverse, factor, det = recorded(a * 2, b)
    near(L.solve(a * 2, b), x, "float64", "solve")
    near(L.inv(a * 2), inverse, "float64", "inv")
    near(L.cholesky(a * 2), factor, "float64", "cholesky")
    assert.equal(40, math.floor(det:item() + 0.5))
    local fused = cn.fuse(function(m) return L.inv(m) + 1 end)
    for _ = 1, 2 do near(L.inv(a) + 1, fused(a), "float64", "fused") end
  end)

  it("refuses what does not fit", function()
    local half = cn.ones({2, 2}, "float16")
    for message, fn in pairs {
      ["linalg.solve: matrices of shape (2, 2) do not go with right sides of shape (3,); b needs 2 rows"] = function()
        L.solve(cn.eye(2), {1, 2, 3})
      end,
      ["linalg.solve: the stacks of matrices of shapes (2, 2, 2) and (3, 2, 1) do not broadcast"] = function()
        L.solve(cn.ones {2, 2, 2}, cn.ones {3, 2, 1})
      end,
      ["linalg.inv: expected a square matrix or a stack of them, got shape (2, 3)"] = function()
        L.inv(cn.ones {2, 3})
      end,
      ["linalg.det: expected a matrix or a stack of them, got shape (3,)"] = function() L.det {1, 2, 3} end,
      ["linalg.eigh: float16 is not supported; cast to float32"] = function() L.eigh(half) end,
      ["linalg.eigh: uplo is \"L\" or \"U\", got \"x\""] = function() L.eigh(cn.eye(2), "x") end,
      ["linalg.qr: mode is \"reduced\", \"complete\", \"r\" or \"raw\", got \"full\""] = function()
        L.qr(cn.eye(2), "full")
      end,
      ["linalg.norm: the order of a vector's norm is a number, got \"fro\""] = function() L.norm({1, 2}, "fro") end,
      ["linalg.norm: the order of a matrix's norm is \"fro\", \"nuc\", 1, -1, 2, -2, cn.inf or -cn.inf, g"] = function()
        L.norm({{1, 2}}, 3)
      end,
      ["linalg.norm: axis 1 is named twice"] = function() L.norm({{1, 2}}, nil, {1, -2}) end,
      ["linalg.norm: a norm of order 2 is over one axis or two, and there are 3; the array has shape (1"] = function()
        L.norm(cn.ones {1, 1, 1}, 2)
      end,
      ["linalg.solve_triangular: trans is 0 or \"N\", 1 or \"T\", 2 or \"C\", got 3"] = function()
        L.solve_triangular(cn.eye(2), {1, 2}, 3)
      end,
      ["linalg.lu_solve: expected a table {lu, pivots}, got a cuna array"] = function()
        L.lu_solve(cn.eye(2), {1, 2})
      end,
      ["linalg.lu_solve: pivots of shape (3,) do not go with factors of shape (2, 2)"] = function()
        L.lu_solve({cn.eye(2), {1, 2, 3}}, {1, 2})
      end,
      ["linalg.lu_solve: position 3 is out of range for an axis of length 2"] = function()
        L.lu_solve({cn.eye(2), {1, 3}}, {1, 2})
        cn.synchronize()
      end,
      ["linalg.lu_solve: positions count from 1, and there is a 0"] = function()
        L.lu_solve({cn.eye(2), {0, 1}}, {1, 2})
        cn.synchronize()
      end,
      ["linalg.lu_solve: pivots are positions, got an array of bool"] = function()
        L.lu_solve({cn.eye(2), cn.array {true, true}}, {1, 2})
      end,
      ["linalg.tensorinv: the first 1 axes of shape (2, 3) have 2 elements, and the others 3"] = function()
        L.tensorinv(cn.ones {2, 3}, 1)
      end,
      ["linalg.inv: a function of cn.linalg is called with a dot: cn.linalg.inv(...)"] = function()
        L:inv(cn.eye(2))
      end,
      ["linalg has no function 'det_'; did you mean 'det'?"] = function() return L.det_ end,
    } do
      raises(message, fn)
    end
  end)
end)
