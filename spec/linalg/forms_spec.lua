--- Matrices with a pattern, roots, logarithms, polar factors, spaces, Schur's and Hessenberg's forms: SciPy's results,
--- what the factors multiply to, errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/linalg_forms.lua"
local raises = require("spec.support.raises").raises
local support = require "spec.support.golden"

local linalg = cn.linalg
local SINGLE = {float32 = true, complex64 = true}
local NEAR = {float32 = 2e-4, complex64 = 2e-4, float64 = 1e-11, complex128 = 1e-11}

local function adjoint(x) return cn.conj(x):matrix_transpose() end

local function assert_close(a, b, note)
  local near = NEAR[a.dtype]
  local why = cn.testing.why_not_allclose(a, b, {rtol = near, atol = near * 10})
  assert(not why, (note or "") .. tostring(why))
end

local function inputs(case, number)
  local list = {}
  for k, described in ipairs(case.arrays) do list[k] = support.laid_out(support.array(described), number + k) end
  for _, value in ipairs(case.rest) do list[#list + 1] = value end
  if next(case.options) then list[#list + 1] = case.options end
  return unpack(list)
end

devices.each_device(function()
  describe("SciPy's results:", function()
    for _, group in ipairs {"patterns", "sizes", "vectors"} do
      it("matrices with a pattern, " .. group, support.prepared(function()
        for number, case in ipairs(golden[group]) do
          support.same(case.result, linalg[case.name](inputs(case, number)), case.name .. " case " .. number,
            (SINGLE[case.result.dtype] and 2e-6 or 1e-13))
        end
      end))
    end

    it("square roots and logarithms", function()
      for number, case in ipairs(golden.functions) do
        local a = support.laid_out(support.array(case.a), number)
        local root, log = linalg.sqrtm(a), linalg.logm(a)
        assert.equal(case.dtype or case.root.dtype, root.dtype, "root " .. number)
        assert.equal(case.dtype or case.log.dtype, log.dtype, "log " .. number)
        if case.dtype then -- the roots of negative eigenvalues have positive imaginary parts
          local negative = linalg.eigvals(root).imag:max()
          assert_close(root:matmul(root), a:astype(case.dtype), "root " .. number)
          assert_close(linalg.expm(log), a:astype(case.dtype), "log " .. number)
          assert.is_true(negative:item() > 0)
        else
          assert_close(root, support.array(case.root), "root " .. number)
          assert_close(log, support.array(case.log), "log " .. number)
        end
      end
    end)

    it("polar factors", function()
      for number, case in ipairs(golden.polars) do
        local a = support.laid_out(support.array(case.a), number)
        local u, p = linalg.polar(a, case.side)
        assert_close(u, support.array(case.u), "u " .. number)
        assert_close(p, support.array(case.p), "p " .. number)
      end
    end)

    it("null spaces and spaces of columns", function()
      for number, case in ipairs(golden.spaces) do
        local a = support.laid_out(support.array(case.a), number)
        local null, orth = linalg.null_space(a), linalg.orth(a)
        assert.equal(a.shape[2] - case.rank, null.shape[2])
        assert.equal(case.rank, orth.shape[2])
        assert_close(null:matmul(adjoint(null)), support.array(case.null), "null " .. number)
        assert_close(orth:matmul(adjoint(orth)), support.array(case.orth), "orth " .. number)
      end
    end)

    it("Schur's and Hessenberg's forms", function()
      for number, case in ipairs(golden.schurs) do
        local a = support.laid_out(support.array(case.a), number)
        for _, output in ipairs {"real", "complex"} do
          local t, z = linalg.schur(a, output)
          assert_close(z:matmul(t):matmul(adjoint(z)), a, "schur " .. number)
          assert_close(z:matmul(adjoint(z)), cn.eye(a.shape[1], nil, nil, z.dtype), "z " .. number)
          assert.is_true(t:tril(output == "real" and -2 or t.dtype == a.dtype and -2 or -1):eq(0):all())
          if output == "complex" then
            assert_close(cn.sort(linalg.diagonal(t):abs()), support.array(case.products), "values " .. number)
          end
        end
        for sort, count in pairs(case.counts) do
          local t, z, found = linalg.schur(a, {sort = sort})
          assert.equal(count, found:item(), sort .. number)
          assert_close(z:matmul(t):matmul(adjoint(z)), a, sort .. number)
        end
        local h, q = linalg.hessenberg(a, true)
        assert_close(q:matmul(h):matmul(adjoint(q)), a, "hessenberg " .. number)
        assert.is_true(h:tril(-2):eq(0):all())
        assert.is_true(linalg.hessenberg(a) == h)
        assert_close(linalg.diagonal(h, -1):abs(), support.array(case.h), "subdiagonal " .. number)
      end
    end)
  end)

  it("stacks of matrices", function()
    local a = cn.random.default_rng(4):standard_normal {2, 3, 4, 4}
    local t, z = linalg.schur(a, "complex")
    assert_close(z:matmul(t):matmul(adjoint(z)), a)
    local h, q = linalg.hessenberg(a, {calc_q = true})
    assert_close(q:matmul(h):matmul(adjoint(q)), a)
    local root, log = linalg.sqrtm(a), linalg.logm(a)
    assert_close(root:matmul(root), a)
    assert_close(linalg.expm(log), a)
    local u, p = linalg.polar(a)
    assert_close(u:matmul(p), a)
    assert_close(u:matmul(adjoint(u)), cn.broadcast_to(cn.eye(4), {2, 3, 4, 4}))
  end)

  it("negative eigenvalues have roots and logarithms with positive imaginary parts", function()
    local a = cn.array {{-4, 1, 0}, {0, -9, 2}, {0, 0, 1}}
    assert_close(linalg.diagonal(linalg.sqrtm(a)), cn.array {2i, 3i, cn.complex(1, 0)})
    assert_close(linalg.diagonal(linalg.logm(a)).imag, cn.array {math.pi, math.pi, 0})
    local turn = cn.array {{0.6, 0.8}, {-0.8, 0.6}}
    local full = turn:matmul {{-4, 1}, {0, -9}}:matmul(turn.T)
    assert_close(cn.sort(linalg.eigvals(linalg.sqrtm(full)).imag), cn.array {2, 3})
  end)

  it("matrices that are long, that are singular, and that are empty", function()
    local n = 90
    local a = cn.random.default_rng(5):standard_normal {n, n}
    local root = linalg.sqrtm(a)
    assert_close(root:matmul(root), a)
    assert_close(linalg.expm(linalg.logm(a)), a)
    assert.is_true(linalg.sqrtm(cn.zeros {3, 3}) == cn.zeros {3, 3})
    assert.is_true(linalg.sqrtm {{0, 0}, {0, 4}} == cn.array {{0, 0}, {0, 2}})
    assert.is_true(linalg.sqrtm(cn.zeros {0, 0}):has_shape(0, 0))
    assert.is_true(linalg.schur(cn.zeros {0, 0}):has_shape(0, 0))
    assert.is_true(linalg.block_diag():has_shape(1, 0))
    assert.is_true(linalg.block_diag(2, {3}) == cn.array {{2, 0}, {0, 3}})
  end)

  it("errors name the argument", function()
    local m = cn.ones {2, 3}
    raises("linalg.schur: expected a square matrix", function() linalg.schur(m) end)
    raises("linalg.schur: output is \"real\" or \"complex\", got \"x\"", function() linalg.schur({{1}}, "x") end)
    raises("linalg.schur: sort is \"lhp\", \"rhp\", \"iuc\" or \"ouc\", got \"up\"", function()
      linalg.schur({{1}}, {sort = "up"})
    end)
    raises("linalg.hessenberg: calc_q is true or false", function() linalg.hessenberg({{1}}, 3) end)
    raises("LinAlgError: linalg.sqrtm: the matrix is singular, and has no square root", function()
      linalg.sqrtm {{0, 1}, {0, 0}}
    end)
    raises("LinAlgError: linalg.logm: the matrix is singular, and has no logarithm", function()
      linalg.logm {{1, 1}, {0, 0}}
    end)
    raises("LinAlgError: linalg.sqrtm:", function() linalg.sqrtm {{1, 0 / 0}, {0, 1}} end)
    raises("linalg.polar: side is \"right\" or \"left\", got 1", function() linalg.polar(m, 1) end)
    raises("linalg.null_space: expected a matrix, got shape (3,)", function() linalg.null_space {1, 2, 3} end)
    raises("linalg.companion: the first coefficient is 0", function() linalg.companion {0, 1} end)
    raises("linalg.fiedler_companion: the first coefficient is 0", function() linalg.fiedler_companion {0, 1} end)
    raises('linalg.convolution_matrix: mode is "full", "same" or "valid", got "all"',
      function() linalg.convolution_matrix({1, 2}, 3, "all") end)
    raises("linalg.convolution_matrix: a is a vector with elements, got shape (0,)",
      function() linalg.convolution_matrix({}, 3) end)
    raises("linalg.convolution_matrix: n is at least 1, got 0", function() linalg.convolution_matrix({1}, 0) end)
    raises('linalg.dft: scale is nil, "sqrtn" or "n", got 2', function() linalg.dft(3, 2) end)
    raises("linalg.helmert: n is at least 1, got 0", function() linalg.helmert(0) end)
    raises("linalg.fiedler: a is a vector, got shape (1, 2)", function() linalg.fiedler {{1, 2}} end)
    raises("linalg.leslie: f has at least 2 elements, and s one less; got 2 and 2", function()
      linalg.leslie({1, 2}, {1, 2})
    end)
    raises("linalg.companion: expected a vector of at least 2", function() linalg.companion {1} end)
    raises("linalg.khatri_rao: expected matrices with as many columns, got shapes (2, 3) and (3, 2)", function()
      linalg.khatri_rao(m, m.T)
    end)
    raises("linalg.block_diag: block 2 has 3 axes", function() linalg.block_diag(1, cn.ones {1, 1, 1}) end)
    raises("linalg.hadamard: n is a power of 2, got 6", function() linalg.hadamard(6) end)
    raises("linalg.pascal: kind is", function() linalg.pascal(3, "both") end)
    raises("linalg.pascal: n is at most 34 with exact elements, got 35", function() linalg.pascal(35) end)
    raises("linalg.invhilbert: n is at most 14", function() linalg.invhilbert(15, true) end)
    raises("linalg.hilbert: n is a count", function() linalg.hilbert(-1) end)
  end)
end)
