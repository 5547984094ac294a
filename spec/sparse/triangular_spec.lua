--- cn.sparse.linalg.spsolve_triangular.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local NAME = "sparse.linalg.spsolve_triangular"

devices.each_device(function()
  local solve = cn.sparse.linalg.spsolve_triangular

  --- A dense matrix with zeros, and a diagonal between 4 and 5.
  local function scattered(n, dtype)
    local rng = cn.random.default_rng(3)
    local values = rng:random({n, n}) - 0.5
    local made = cn.where(values:lt(0), 0, values) + cn.diag(rng:random(n) + 4)
    return dtype:find "complex" and (made * cn.complex(1, 2)):astype(dtype) or made:astype(dtype)
  end

  describe("triangular systems", function()
    it("have the solutions of dense ones, in all formats and dtypes", function()
      for _, case in ipairs {{"float64", "csr"}, {"float32", "csc"}, {"complex128", "coo"}, {"complex64", "csr"}} do
        local dtype, format = unpack(case)
        local dense = scattered(12, dtype)
        local b = (cn.arange(24) % 7):reshape(2, 12).T
        local tolerance = dtype:find "64$" and dtype ~= "complex64" and 1e-13 or 1e-5
        for _, triangle in ipairs {"tril", "triu"} do
          local A, lower = cn[triangle](dense), triangle == "tril"
          local x = solve(cn.sparse.coo_matrix(A):asformat(format), b, lower)
          assert.is_true(x:has_shape {12, 2} and x.dtype == cn.result_type(dtype, b.dtype))
          assert.is_true(cn.allclose(x, cn.linalg.solve(A, b), tolerance, tolerance))
          local unit = A - cn.diag(A:diagonal()) + cn.eye(12)
          x = solve(A, b[{{}, 1}]:astype(dtype), {lower = lower, unit_diagonal = true})
          assert.equal(dtype, x.dtype)
          assert.is_true(cn.allclose(x, cn.linalg.solve(unit, b[{{}, 1}]), 10 * tolerance, 10 * tolerance))
        end
      end
    end)

    it("take complex right sides, whole numbers, no rows, and leave both as they were", function()
      local A, b = cn.sparse.csr_matrix {{2, 0}, {1, 4}}, cn.array {2, cn.complex(1, 8)}
      assert.is_true(cn.allclose(solve(A, b), cn.array {1, cn.complex(0, 2)}))
      assert.is_true(b == cn.array {2, cn.complex(1, 8)} and A:toarray() == cn.array {{2, 0}, {1, 4}})
      local x = solve(A:astype "int32", cn.array({2, 9}, "int8"))
      assert.same({{1, 2}, "float64"}, {x:totable(), x.dtype})
      assert.is_true(solve(cn.sparse.csr_matrix {shape = {0, 0}}, cn.zeros {0, 3}):has_shape {0, 3})
      local twice = cn.sparse.coo_matrix {{1, 1, 2}, {{1, 1, 2}, {1, 1, 2}}}
      assert.is_true(solve(twice, {4, 4}) == cn.array {2, 2})
      assert.is_true(solve({{0, 0}, {3, 0}}, {1, 5}, {unit_diagonal = true}) == cn.array {1, 2})
      cn.prepare(function() return solve(A, b), solve(A, {1, 2}, false) end)
    end)

    it("that are none are refused", function()
      raises(NAME .. ": A has element (1, 2), so it is not lower triangular; give cn.sparse.tril(A)", function()
        return solve({{1, 2}, {3, 4}}, {1, 2}), 1
      end)
      raises(NAME .. ": A has element (2, 1), so it is not upper triangular; give cn.sparse.triu(A)", function()
        return solve({{1, 2}, {3, 4}}, {1, 2}, false), 1
      end)
      raises("LinAlgError: " .. NAME .. ": A is singular: element (2, 2) is 0", function()
        return solve({{1, 0}, {3, 0}}, {1, 2}), 1
      end)
      raises(NAME .. ": lower is true or false, got 1", function() return solve({{1}}, {1}, 1), 1 end)
      raises(NAME .. ": A is square, got shape (1, 2)", function() return solve({{1, 2}}, {1}), 1 end)
      raises(NAME .. ": the matrix has shape (1, 1), and b has shape (2,)", function()
        return solve({{1}}, {1, 2}), 1
      end)
    end)
  end)
end)
