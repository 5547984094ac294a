--- cn.sparse.linalg: factors, eigenvalues, singular values, exponentials.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local written = dofile "spec/golden/sparse_eigen.lua"
local described = {}
for _, list in ipairs {written.matrices, written.vectors} do
  for _, row in ipairs(list) do described[row.name] = row.of end
end

local function dense(name) return golden.array(described[name]) end
local function matrix(name) return cn.sparse.csr_matrix(dense(name)) end

--- The Laplacians of a path, and of `count` rings of `size` points.
local function path(size) return cn.sparse.diags({-1, 2, -1}, {-1, 0, 1}, {size, size}) end
local function rings(count, size)
  local ring, all = cn.sparse.diags({-1, -1, 2, -1, -1}, {1 - size, -1, 0, 1, size - 1}, {size, size}), {}
  for i = 1, count do all[i] = ring end
  return cn.sparse.block_diag(all, {format = "csr"})
end

--- Whether the columns of v are orthonormal in the metric of B.
local function are_orthonormal(v, B)
  return cn.allclose(v.T:conj():matmul(B and B:dot(v) or v), cn.eye(v.shape[2]), {atol = 1e-9})
end

devices.each_device(function(device)
  local sl = cn.sparse.linalg

  describe("factors", function()
    for _, case in ipairs(written.systems) do
      it(("solve %s %s x = %s"):format(case.A, case.trans, case.b), function()
        local A, b = matrix(case.A), dense(case.b)
        golden.same(case.x, sl.splu(A):solve(b, case.trans), "splu", 1e-10)
        if case.trans ~= "N" then return end
        golden.same(case.x, sl.spsolve(A:tocsc(), b), "spsolve", 1e-10)
        golden.same(case.x, sl.factorized(A:tocoo())(b), "factorized", 1e-10)
      end)
    end

    it("are those of the matrix with its rows and columns in other orders", function()
      for _, name in ipairs {"G", "K"} do
        local A = dense(name)
        local lu = sl.splu(matrix(name))
        local L, U = lu.L:toarray(), lu.U:toarray()
        assert.is_true(cn.array_equal(L, cn.tril(L)) and cn.array_equal(U, cn.triu(U)))
        assert.is_true(cn.array_equal(L:diagonal(), cn.ones(24, L.dtype)))
        local rows, columns = cn.argsort(lu.perm_r), cn.argsort(lu.perm_c)
        assert.is_true(cn.allclose(cn.take(cn.take(A, rows, 1), columns, 2), L:matmul(U)))
        assert.equal(lu.L.nnz + lu.U.nnz, lu.nnz)
        assert.equal(A.dtype, lu.U.dtype)
        assert.equal(A.device, lu.perm_r.device)
      end
    end)

    it("serve other dtypes, sparse and empty right sides, matrices without rows", function()
      local A = cn.sparse.csr_matrix {{4, 1}, {1, 3}}
      assert.equal("float32", sl.spsolve(A:astype "float32", cn.array({5, 4}, "float32")).dtype)
      assert.equal("complex64", sl.spsolve(A:astype "float32", cn.array({5, 4}, "complex64")).dtype)
      assert.equal("float64", sl.spsolve(A:astype "int32", cn.array({5, 4}, "int8")).dtype)
      local inverse = sl.spsolve(A, cn.sparse.eye(2))
      assert.equal("csc", inverse.format)
      assert.is_true(cn.allclose(inverse:toarray(), cn.linalg.inv(A:toarray())))
      assert.is_true(sl.spsolve(A, cn.zeros {2, 0}):has_shape {2, 0})
      local none = sl.splu(cn.sparse.csr_matrix {shape = {0, 0}})
      assert.is_true(none:solve(cn.zeros(0)):has_shape {0} and none.L.shape == none.shape and none.perm_r.size == 0)
      assert.is_true(cn.allclose(sl.spsolve({{2, 0}, {0, 4}}, {2, 4}), cn.ones(2)))
      -- positions that are there twice are summed
      local twice = cn.sparse.coo_matrix({{1, 2, 4}, {{1, 1, 2}, {1, 1, 2}}})
      assert.is_true(cn.allclose(sl.spsolve(twice, {3, 4}), cn.ones(2)))
    end)

    it("are rehearsed without elements, and remember nothing of it", function()
      local function dirty() -- memory that the rehearsal gets has nothing that could be a position
        for _, size in ipairs {2, 3, 4, 8} do
          for _ = 1, 4 do cn.full(size, 2 ^ 62, "int64", "cpu"):free() end
        end
      end
      for _, make in ipairs {sl.splu, sl.spilu} do
        local A = cn.sparse.csc_matrix {{4, 1}, {1, 3}}
        local ready = make(A)
        dirty()
        local nkernels = cn.prepare(function()
          dirty()
          local lu = make(A)
          assert.is_true(lu:solve({5, 4}):has_shape {2} and lu:solve(cn.zeros({2, 3}, "complex64")):has_shape {2, 3})
          assert.is_true(lu.L:dot(lu.U):toarray():has_shape {2, 2} and ready:solve({5, 4}, "H"):has_shape {2})
          return ready.L, ready.perm_r, sl.factorized(A) {5, 4}, sl.spsolve(A, {5, 4})
        end)
        assert.equal("number", type(nkernels))
        assert.is_true(cn.allclose(ready:solve {5, 4}, cn.ones(2)) and ready.nnz == 6)
      end
    end)

    it("invert matrices", function()
      for _, dtype in ipairs {"float32", "complex128"} do
        local A = (matrix "G"):astype(dtype)
        local inverse = sl.inv(A)
        assert.equal("csc " .. dtype, inverse.format .. " " .. inverse.dtype)
        local tolerance = dtype == "float32" and 1e-3 or 1e-10
        assert.is_true(cn.allclose(A:dot(inverse):toarray(), cn.eye(24), {atol = tolerance}))
      end
      assert.equal(0, sl.inv(cn.sparse.csr_matrix {shape = {0, 0}}).nnz)
      raises("LinAlgError: sparse.linalg.inv: the matrix is singular", function() return sl.inv {{1, 1}, {1, 1}}, 1 end)
    end)

    it("reject singular matrices and what does not fit", function()
      raises("LinAlgError: sparse.linalg.spsolve: the matrix is singular", function()
        return sl.spsolve({{1, 1}, {1, 1}}, {1, 2}), 1
      end)
      raises("LinAlgError: sparse.linalg.splu: the matrix is singular", function()
        return sl.splu(cn.sparse.csr_matrix {shape = {3, 3}}), 1
      end)
      raises("sparse.linalg.splu: A is square, got shape (2, 3)", function() return sl.splu(cn.ones {2, 3}), 1 end)
      raises("sparse.linalg.spsolve: A is a sparse matrix, got nil", function() return sl.spsolve(nil, {1}), 1 end)
      raises("sparse.linalg.spsolve: the matrix has shape (2, 2), and b has shape (3,)", function()
        return sl.spsolve(cn.sparse.eye(2), {1, 2, 3}), 1
      end)
      local lu = sl.splu(cn.sparse.eye(2))
      raises('solve: trans is "N", "T" or "H", got "X"', function() return lu:solve({1, 2}, "X"), 1 end)
      raises("solve: a method is called with a colon", function() return lu.solve({1, 2}), 1 end)
      raises("factors of a sparse matrix have no field or method 'P'", function() return lu.P, 1 end)
      raises("'L' of factors cannot be set", function() lu.L = 1 end)
    end)
  end)

  describe("eigsh", function()
    for _, case in ipairs(written.eigen) do
      it(("finds %d of %s by %s, sigma %s"):format(case.k, case.A, case.which, tostring(case.sigma)), function()
        local A = matrix(case.A)
        local w, v = sl.eigsh(A, case.k, {which = case.which, sigma = case.sigma})
        golden.same(case.w, w, "w", 1e-9, "float64")
        assert.is_true(v:has_shape {24, case.k} and are_orthonormal(v))
        assert.is_true(cn.allclose(A:dot(v), v * w, {atol = 1e-8}))
        assert.equal(A.dtype, v.dtype)
      end)
    end

    it("takes operators, dense matrices, float32, and a vector to begin with", function()
      local A, expected = dense "I", cn.linalg.eigvalsh(dense "I")["-2:-1"]
      local op = sl.LinearOperator({24, 24}, function(x) return A:matmul(x) end)
      for _, form in ipairs {A, op, matrix "I"} do
        local w = sl.eigsh(form, 2, {which = "LA", v0 = cn.ones(24), return_eigenvectors = false})
        assert.is_true(cn.allclose(w, expected))
      end
      local w, v = sl.eigsh(matrix("I"):astype "float32", 2, {which = "LA"})
      assert.equal("float32 float32", w.dtype .. " " .. v.dtype)
      assert.is_true(cn.allclose(w, expected, {rtol = 1e-5}))
      assert.is_true(sl.eigsh(A, 2) == sl.eigsh(A, 2)) -- the same vector to begin with
    end)

    it("finds values that are there several times, also where the space is soon closed", function()
      local w, v = sl.eigsh(cn.sparse.eye(9), 4)
      assert.is_true(cn.allclose(w, cn.ones(4)) and are_orthonormal(v))
      local twice = cn.sparse.diags {3, 3, 3, 2, 2, 1, 1, 1, 1, 1}
      w = sl.eigsh(twice, 5, {return_eigenvectors = false, v0 = cn.ones(10)})
      assert.is_true(cn.allclose(w, cn.array {2, 2, 3, 3, 3}))
    end)

    it("finds values of A v = w M v, with factors of M or of A - sigma M", function()
      local K, B = path(50):tocsc(), cn.sparse.diags({1 / 6, 4 / 6, 1 / 6}, {-1, 0, 1}, {50, 50})
      local C = cn.linalg.cholesky(B:toarray())
      local all = cn.linalg.eigvalsh(cn.linalg.solve(C, cn.linalg.solve(C, K:toarray()).T))
      for _, case in ipairs {{"1:3", {sigma = 0}}, {"1:3", {sigma = 0, v0 = cn.arange(1, 51)}}, {"-3:", {}},
        {"-3:", {which = "LA"}}, {"1:3", {which = "SA"}}} do
        local part, options = unpack(case)
        for _, metric in ipairs(options.sigma and {B, B:toarray()} or {B}) do
          options.M = metric
          local w, v = sl.eigsh(K, 3, options)
          assert.is_true(cn.allclose(w, all[part], {rtol = 1e-8}), part)
          assert.is_true(cn.allclose(K:dot(v), B:dot(v) * w, {atol = 1e-9}) and are_orthonormal(v, B))
        end
      end
      local w = sl.eigsh(cn.eye(9) * cn.complex(2, 0), 2, {M = cn.diag(cn.arange(1, 10)), which = "LA"})
      assert.is_true(cn.allclose(w, cn.array {1, 2}))
      raises("sparse.linalg.eigsh: A has shape (50, 50), and M has shape (9, 9)", function()
        return sl.eigsh(K, 3, {M = cn.eye(9)}), 1
      end)
      raises("sparse.linalg.eigsh: M is a matrix, whose factors are made, got a function", function()
        return sl.eigsh(K, 3, {M = sl.LinearOperator({50, 50}, function(x) return x end)}), 1
      end)
    end)

    it("finds all copies of values of graphs and grids, and stops where there are no more", function()
      local A = rings(3, 24)
      local expected = cn.linalg.eigvalsh(A:toarray())
      local w, v = sl.eigsh(A, 3, {which = "SA"})
      assert.is_true(cn.allclose(w, expected["1:3"], {atol = 1e-12}))
      assert.is_true(are_orthonormal(v) and cn.allclose(A:dot(v), v * w, {atol = 1e-8}))
      local both = sl.eigsh(A, 4, {which = "BE", return_eigenvectors = false})
      assert.is_true(cn.allclose(both, cn.take(expected, cn.array {1, 2, 71, 72}), {atol = 1e-12}))
      local pairs_of = cn.sparse.diags({1, 1}, {-1, 1}, {24, 24}) -- w and -w are as great
      local greatest = sl.eigsh(pairs_of, 3, {return_eigenvectors = false})
      assert.is_true(cn.allclose(cn.sort(cn.abs(greatest)), cn.take(cn.linalg.eigvalsh(pairs_of:toarray()),
        cn.array {23, 24, 24})))
      local grid = cn.sparse.kronsum(path(5), path(5))
      assert.is_true(cn.allclose(sl.eigsh(grid, 3, {ncv = 6, return_eigenvectors = false}),
        cn.linalg.eigvalsh(grid:toarray())["-3:-1"]))
    end)

    it("says what is missing, and rejects what does not fit", function()
      local A = matrix "I"
      raises("LinAlgError: sparse.linalg.eigsh: no convergence in 1 restarts: 0 of 1 values are found", function()
        return sl.eigsh(A, 1, {ncv = 3, maxiter = 1}), 1
      end)
      raises("sparse.linalg.eigsh: k is from 1 to 23 for 24 rows, got 24", function() return sl.eigsh(A, 24), 1 end)
      raises("sparse.linalg.eigsh: ncv is from k + 1 = 7 to 24, got 6", function() return sl.eigsh(A, {ncv = 6}), 1 end)
      raises('sparse.linalg.eigsh: which is "LM"', function() return sl.eigsh(A, {which = "LR"}), 1 end)
      raises("sparse.linalg.eigsh: A is square, got shape (20, 12)", function() return sl.eigsh(matrix "R"), 1 end)
      raises("sparse.linalg.eigsh: v0 has 3 elements, and the matrix 24 rows", function()
        return sl.eigsh(A, {v0 = {1, 2, 3}}), 1
      end)
      raises("sparse.linalg.eigsh: v0 has the norm 0", function() return sl.eigsh(A, {v0 = cn.zeros(24)}), 1 end)
      raises("sparse.linalg.eigsh: sigma needs a matrix", function()
        return sl.eigsh(sl.LinearOperator({24, 24}, function(x) return x end), {sigma = 1}), 1
      end)
    end)
  end)

  describe("eigs", function()
    --- A matrix of random numbers, a matrix of rotations, and one whose vectors are hardly independent.
    local function matrices()
      local rng = cn.random.default_rng(3)
      local Z = rng:standard_normal({40, 40})
      return {real = Z, complex = Z + 1i * rng:standard_normal({40, 40}), single = Z:astype "float32",
        turn = cn.roll(cn.eye(30), 1, 1), chain = cn.eye(9) + cn.eye(9, {k = 1})}
    end

    --- What values are in order of.
    local weights = {LM = cn.abs, LR = function(w) return w.real end, SR = function(w) return -w.real end,
      LI = function(w) return w.imag:abs() end}

    it("finds values that are wanted, and their vectors", function()
      for name, A in pairs(matrices()) do
        local every = name == "real" or device.kind == "cpu"
        for which, weight in pairs(every and weights or {LM = weights.LM}) do
          local tolerance = name == "single" and 1e-4 or 1e-9
          local w, v = sl.eigs(cn.sparse.csr_matrix(A), 3, {which = which})
          assert.equal(name == "single" and "complex64 complex64" or "complex128 complex128", w.dtype .. " " .. v.dtype)
          assert.is_true(cn.allclose(A:matmul(v), v * w, {atol = tolerance}), name .. " " .. which)
          if name ~= "chain" and not (name == "complex" and which == "LI") then
            local all = cn.sort(weight(cn.linalg.eigvals(A)))["::-1"]["1:3"]
            assert.is_true(cn.allclose(weight(w), all, {rtol = 1e-4, atol = tolerance}), name .. " " .. which)
          end
        end
      end
    end)

    it("finds values next to a number, by factors", function()
      local A, sigma = matrices().real, cn.complex(1, 1)
      local all = cn.linalg.eigvals(A)
      for _, shift in ipairs {0, 0LL, sigma} do
        local w, v = sl.eigs(cn.sparse.csc_matrix(A), {k = 2, sigma = shift})
        assert.is_true(cn.allclose(cn.abs(w - shift), cn.sort(cn.abs(all - shift))["1:2"]))
        assert.is_true(cn.allclose(A:matmul(v), v * w, {atol = 1e-9}))
      end
      local D = cn.sparse.diags {1, 2, 3.5, 7}
      for _, name in ipairs {"eigs", "eigsh"} do -- whole numbers of LuaJIT would round what is added to them
        local w = sl[name](D, 1, {sigma = 3LL, return_eigenvectors = false})
        assert.is_true(cn.allclose(w, 3.5), name)
      end
    end)

    it("takes operators and small matrices, and gives values alone", function()
      local P = cn.array {{0.9, 0.1, 0}, {0.2, 0.7, 0.1}, {0, 0.3, 0.7}} -- of a Markov chain
      local w, v = sl.eigs(sl.LinearOperator({3, 3}, function(x) return P.T:matmul(x) end, {dtype = "float64"}), 1)
      assert.is_true(cn.allclose(w, cn.ones(1)))
      assert.is_true(cn.allclose((v[{{}, 1}] / v[{{}, 1}]:sum()).real, cn.array {0.6, 0.3, 0.1}))
      assert.is_true(cn.allclose(sl.eigs(cn.eye(9), 3, {return_eigenvectors = false}), cn.ones(3)))
      assert.is_true(sl.eigs(P, 1, {return_eigenvectors = false}) == sl.eigs(P, 1, {return_eigenvectors = false}))
    end)

    it("says what is missing, and rejects what does not fit", function()
      local A = cn.sparse.csr_matrix(matrices().real)
      raises("LinAlgError: sparse.linalg.eigs: no convergence in 1 restarts: 0 of 2 values are found, the greatest",
        function() return sl.eigs(A, 2, {maxiter = 1, ncv = 4}), 1 end)
      raises('sparse.linalg.eigs: which is "LM", "SM", "LR", "SR", "LI" or "SI", got "LA"', function()
        return sl.eigs(A, 2, {which = "LA"}), 1
      end)
      raises("sparse.linalg.eigs: k is from 1 to 39 for 40 rows, got 40", function() return sl.eigs(A, 40), 1 end)
      raises("sparse.linalg.eigs: A is square, got shape (2, 3)", function() return sl.eigs(cn.ones {2, 3}, 1), 1 end)
      raises("sparse.linalg.eigs: sigma needs a matrix", function()
        return sl.eigs(sl.LinearOperator({9, 9}, function(x) return x end), 2, {sigma = 0}), 1
      end)
    end)
  end)

  describe("svds", function()
    for _, case in ipairs(written.singular) do
      it(("finds %d of %s by %s"):format(case.k, case.A, case.which), function()
        local A = matrix(case.A)
        local u, s, vh = sl.svds(A, case.k, {which = case.which})
        golden.same(case.s, s, "s", 1e-8, "float64")
        assert.is_true(are_orthonormal(u) and are_orthonormal(vh.T:conj()))
        assert.is_true(cn.allclose(A:dot(vh.T:conj()), u * s, {atol = 1e-7}))
        local only = sl.svds(A, case.k, {which = case.which, return_singular_vectors = false})
        assert.is_true(cn.allclose(only, s))
      end)
    end

    it("finds singular values that are there several times", function()
      local block = cn.sparse.csr_matrix {{3, 0, 1}, {0, 3, 0}}
      local A = cn.sparse.block_diag({block, block, path(30), path(30)}, {format = "csr"})
      local u, s, vh = sl.svds(A, 8)
      assert.is_true(cn.allclose(s, cn.flip(cn.linalg.svd(A:toarray(), {compute_uv = false}))["-8:-1"]))
      assert.is_true(cn.allclose(A:dot(vh.T), u * s, {atol = 1e-8}) and are_orthonormal(vh.T))
    end)

    it("rejects what does not fit", function()
      raises("sparse.linalg.svds: k is from 1 to 11 for 12 rows, got 12; cn.linalg.svd(A:toarray()) has all", function()
        return sl.svds(matrix "R", 12), 1
      end)
      raises('sparse.linalg.svds: which is "LM" or "SM", got "LA"', function()
        return sl.svds(matrix "R", {which = "LA"}), 1
      end)
    end)
  end)

  describe("lobpcg", function()
    for _, case in ipairs(written.pairs) do
      it(("finds pairs of %s and %s, largest %s"):format(case.A, tostring(case.B), tostring(case.largest)), function()
        local A, B = matrix(case.A), case.B and matrix(case.B)
        local X = cn.random.default_rng(3):standard_normal {24, 4}
        local w, v, residual = sl.lobpcg(A, X, {B = B, tol = 1e-8, maxiter = 400, largest = case.largest})
        golden.same(case.w, w, "w", 1e-9, "float64")
        assert.is_true(residual <= 1e-8 and are_orthonormal(v, B))
        assert.is_true(cn.allclose(A:dot(v), (B and B:dot(v) or v) * w, {atol = 1e-6}))
      end)
    end

    it("keeps what it has found of values that are there several times", function()
      local w, _, residual = sl.lobpcg(rings(4, 12), cn.random.default_rng(1):standard_normal {48, 4},
        {tol = 1e-9, maxiter = 100})
      assert.is_true(residual <= 1e-9 and cn.allclose(w, 4 * cn.ones(4), {rtol = 1e-12}))
    end)

    it("takes a preconditioner, columns to stay away from, and few iterations", function()
      local A = cn.sparse.diags({-1, 2, -1}, {-1, 0, 1}, {shape = {90, 90}})
      local lu = sl.splu(A)
      local inverse = sl.LinearOperator({90, 90}, function(x) return lu:solve(x) end)
      local X, expected = cn.random.default_rng(3):standard_normal {90, 3}, cn.linalg.eigvalsh(A:toarray())
      local w, v = sl.lobpcg(A, X, {M = inverse, tol = 1e-9, maxiter = 40, largest = false})
      assert.is_true(cn.allclose(w, expected["1:3"]))
      w = sl.lobpcg(A, X, {M = inverse, tol = 1e-9, maxiter = 40, largest = false, Y = v})
      assert.is_true(cn.allclose(w, expected["4:6"]))
      assert.is_true(select(3, sl.lobpcg(A, X, {tol = 1e-9, maxiter = 1})) > 1e-9)
      local float = sl.lobpcg(A:astype "float32", X:astype "float32", {maxiter = 5})
      assert.equal("float32", float.dtype)
    end)

    it("rejects what does not fit", function()
      local A = cn.sparse.eye(9)
      raises("sparse.linalg.lobpcg: X has 1 to n / 3 columns, got shape (9, 4)", function()
        return sl.lobpcg(A, cn.ones {9, 4}), 1
      end)
      raises("sparse.linalg.lobpcg: the columns of X are not independent", function()
        return sl.lobpcg(A, cn.ones {9, 2}), 1
      end)
      raises("sparse.linalg.lobpcg: X has 9 rows, and B has shape (2, 2)", function()
        return sl.lobpcg(A, cn.eye(9, 2), {B = cn.eye(2)}), 1
      end)
      raises("sparse.linalg.lobpcg: Y is a matrix of 9 rows, got shape (8, 1)", function()
        return sl.lobpcg(A, cn.eye(9, 2), {Y = cn.ones {8, 1}}), 1
      end)
    end)
  end)

  describe("matrix_power", function()
    it("multiplies, from the identity on", function()
      local A = cn.sparse.csc_matrix({{1, 2, 0}, {0, 0, 1}, {1, 0, 3}}, {dtype = "float32"})
      local expected = cn.eye(3, {dtype = "float32"})
      for power = 0, 7 do
        local made = sl.matrix_power(A, power)
        assert.is_true(made:toarray() == expected)
        assert.same({"csc", "float32"}, {made.format, made.dtype})
        expected = expected:matmul(A:toarray())
      end
      local same = sl.matrix_power(A, 1)
      same.data[1] = 9
      assert.equal(1, tonumber(A.data[1]))
      raises("sparse.linalg.matrix_power: A is square, got shape (1, 2)", function()
        return sl.matrix_power(cn.sparse.csr_matrix {{1, 2}}, 2), 1
      end)
      raises("sparse.linalg.matrix_power: power is a count, got -1", function() return sl.matrix_power(A, -1), 1 end)
      raises("sparse.linalg.matrix_power: A is a sparse matrix, got 3", function() return sl.matrix_power(3, 1), 1 end)
    end)
  end)

  describe("expm_multiply", function()
    for _, case in ipairs(written.exponentials) do
      it(("of %s times %g, and %s"):format(case.A, case.factor, case.b), function()
        local A, b = matrix(case.A) * case.factor, dense(case.b)
        golden.same(case.y, sl.expm_multiply(A, b), "y", 1e-10)
      end)
    end

    for _, case in ipairs(written.times) do
      it(("at %d times, %s, of %s"):format(case.num, tostring(case.endpoint), case.b), function()
        local y = sl.expm_multiply(matrix(case.A), dense(case.b), case.start, case.stop, case.num,
          {endpoint = case.endpoint})
        golden.same(case.y, y, "y", 1e-10)
      end)
    end

    it("leaves B as it is, and takes columns in any layout through several steps", function()
      local A = -10 * cn.sparse.diags({-1, 2, -1}, {-1, 0, 1}, {24, 24}) -- 20 in norm: three steps
      local B = (cn.arange(48):reshape(2, 24) / 48).T
      local before, y = B:copy(), sl.expm_multiply(A, B)
      assert.is_true(cn.array_equal(B, before))
      for i = 1, 2 do
        assert.is_true(cn.allclose(sl.expm_multiply(A, B[{{}, i}]), y[{{}, i}], {rtol = 1e-11}))
      end
      assert.is_true(cn.allclose(sl.expm_multiply(A:toarray(), B), y, {rtol = 1e-11}))
      local z = sl.expm_multiply(A, B, 0, 1, 3)
      assert.is_true(cn.allclose(z[1], before) and cn.allclose(z[3], y, {rtol = 1e-10}))
    end)

    it("rejects what does not fit", function()
      for _, number in ipairs {math.huge, 0 / 0} do
        raises("sparse.linalg.expm_multiply: A has elements that are infinite or NaN", function()
          return sl.expm_multiply(cn.sparse.eye(3) * number, {1, 2, 3}), 1
        end)
      end
      raises('sparse.linalg.expm_multiply: traceA is a number, got "x"', function()
        return sl.expm_multiply({{1}}, {1}, {traceA = "x"}), 1
      end)
      raises("sparse.linalg.expm_multiply: A is square, got shape (20, 12)", function()
        return sl.expm_multiply(matrix "R", cn.ones(12)), 1
      end)
      raises("sparse.linalg.expm_multiply: A has shape (24, 24), and B has shape (3,)", function()
        return sl.expm_multiply(matrix "G", cn.ones(3)), 1
      end)
      raises("sparse.linalg.expm_multiply: start and stop are given together", function()
        return sl.expm_multiply(matrix "G", cn.ones(24), {start = 1}), 1
      end)
      raises("sparse.linalg.expm_multiply: A is a matrix, whose norm is needed, got a function", function()
        return sl.expm_multiply(sl.LinearOperator({2, 2}, function(x) return x end), cn.ones(2)), 1
      end)
    end)
  end)
end)

it("eigsh needs no more products than ARPACK, and restarts with complex vectors", function()
  local sp, sl, count = cn.sparse, cn.sparse.linalg, 0
  local line = sp.diags({-1, 2, -1}, {-1, 0, 1}, {60, 60})
  local A = sp.kronsum(line, line):tocsr()
  local op = sl.LinearOperator(A.shape, function(x)
    count = count + 1
    return A:dot(x)
  end, {dtype = "float64"})
  local w, v = sl.eigsh(op, 6)
  assert.is_true(count < 822, count .. " products") -- ARPACK's: 822
  assert.is_true(cn.allclose(A:dot(v), v * w, {atol = 1e-11}))
  local rng = cn.random.default_rng(1)
  local Z = rng:standard_normal({200, 200}) + 1i * rng:standard_normal({200, 200})
  Z = Z + Z:conj().T
  w, v = sl.eigsh(Z, 5, {which = "LA", ncv = 20})
  assert.is_true(cn.allclose(w, cn.linalg.eigvalsh(Z)["-5:"]))
  assert.is_true(cn.allclose(Z:matmul(v), v * w, {atol = 1e-10}))
end)

it("names the package of UMFPACK where its library is missing", function()
  local script = [[
    local cn = require "cuna"
    require("cuna.sparse.linalg.umfpack").libraries = {"libnothing.so.1"}
    print((select(2, pcall(cn.sparse.linalg.splu, cn.sparse.eye(2)))))
  ]]
  local folder = process.folder()
  process.write(folder .. "/script.lua", script)
  local text = process.capture(process.command(folder .. "/script.lua", {CUNA_DEVICE = "cpu"}))
  process.remove(folder)
  assert.has.match("sparse.linalg.splu: needs UMFPACK of SuiteSparse, whose library is not found %(libnothing.so.1%); "
    .. "Debian's package is libumfpack5 or libumfpack6", text)
end)
