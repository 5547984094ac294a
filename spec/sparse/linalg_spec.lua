--- cn.sparse.linalg: operators, solvers and norms.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local written = dofile "spec/golden/sparse_linalg.lua"
local TOLERANCES = {float32 = 2e-4, complex64 = 2e-4, float64 = 1e-8, complex128 = 1e-8}
-- After these, by place, what the solver gives: all are estimates but the whole numbers.
local NUMBERS = {"istop", "itn", "1st norm", "2nd norm", "3rd norm", "4th norm", "5th norm", "6th norm"}

--- The matrix of a case, and the words of its options.
local function setting(case)
  local A = cn.sparse.csr_matrix(golden.array(written.matrices[case.A]):astype(case.dtype))
  local words = {J = A.lengths[1] == A.lengths[2] and cn.sparse.diags(1 / A:diagonal())}
  for _, name in ipairs {"x", "x9"} do words[name] = golden.array(written.vectors[name]):astype(case.dtype) end
  local options = setfenv(assert(loadstring("return {" .. case.options .. "}")), words)()
  return A, golden.array(written.vectors[case.b]):astype(case.dtype), options
end

local function check_close(expected, got, tolerance, note)
  local scale = math.max(math.abs(expected), 1)
  assert(expected == got or math.abs(expected - got) <= tolerance * scale,
    ("%s: %s, expected %s"):format(note, tostring(got), tostring(expected)))
end

local function check_square(case)
  local A, b, options = setting(case)
  local calls, last = 0, nil
  function options.callback(x)
    calls, last = calls + 1, type(x) == "number" and x or cn.linalg.norm(x):item()
  end
  local x, info = cn.sparse.linalg[case.solver](A, b, options)
  golden.same(case.x, x, "x", TOLERANCES[case.dtype], case.dtype)
  assert.equal(case.info, info)
  assert.equal(case.calls, calls)
  if case.last then check_close(case.last, last, TOLERANCES[case.dtype], "the last callback") end
  if case.solver == "gmres" then return end -- maxiter counts something else without a callback
  options.callback = nil
  local same, code = cn.sparse.linalg[case.solver](A, b, options)
  golden.same(case.x, same, "x without callback", TOLERANCES[case.dtype], case.dtype)
  assert.equal(info, code)
end

local function check_rectangular(case)
  local A, b, options = setting(case)
  local results = {cn.sparse.linalg[case.solver](A, b, options)}
  local tolerance = TOLERANCES[case.dtype]
  golden.same(case.x, results[1], "x", tolerance, case.dtype)
  for k, expected in ipairs(case.numbers) do
    check_close(expected, results[k + 1], k <= 2 and 0 or math.max(tolerance, 1e-6), NUMBERS[k])
  end
  if case.var then golden.same(case.var, results[10], "var", tolerance, cn.abs(b).dtype) end
end

devices.each_device(function()
  for _, case in ipairs(written.cases) do
    local check = case.numbers and check_rectangular or check_square
    it(("%s of %s, %s in %s with %s"):format(case.solver, case.A, case.b, case.dtype, case.options), function()
      check(case)
    end)
  end

  for _, case in ipairs(written.norms) do
    it(case.text, function()
      local words = {norm = cn.sparse.linalg.norm, cn = cn}
      for _, name in ipairs {"R", "Q", "O", "D"} do
        words[name] = cn.sparse.csr_matrix(golden.array(written.matrices[name]))
      end
      local got = setfenv(assert(loadstring("return " .. case.text)), words)()
      golden.same(case.value, got, case.text, 1e-12, got.dtype)
    end)
  end

  local sl = cn.sparse.linalg
  local A
  local b = {5, 5, 3}
  setup(function() A = cn.sparse.csr_matrix {{4, 1, 0}, {1, 3, 1}, {0, 1, 2}} end)

  local function is_close(x, values) return cn.allclose(x, cn.array(values, x.dtype), {rtol = 1e-4, atol = 1e-4}) end

  describe("solvers", function()
    local SQUARE = {"cg", "cgs", "bicgstab", "gmres", "minres"}

    it("take sparse matrices of each format, dense ones, tables and operators", function()
      local op = sl.LinearOperator({3, 3}, function(x) return A:dot(x) end, {rmatvec = function(x) return A:dot(x) end})
      for _, name in ipairs {"cg", "cgs", "bicgstab", "gmres", "minres", "lsqr", "lsmr"} do
        for _, form in ipairs {A:tocsc(), A:tocoo(), A:todia(), A:toarray(), A:toarray():totable(), op, op.T, op.H} do
          assert.is_true(is_close(sl[name](form, b), {1, 1, 1}), name)
        end
        assert.is_true(is_close(sl[name](A, cn.array(b):reshape(3, 1)), {1, 1, 1}))
      end
    end)

    it("take numbers of other dtypes as float64, and the wider one of two", function()
      assert.equal("float64", sl.cg(A:astype "int32", cn.array(b, "int64")).dtype)
      assert.equal("float32", sl.cg(A:astype "float32", cn.array(b, "float32")).dtype)
      assert.equal("float64", sl.cg(A:astype "float32", cn.array(b, "float64")).dtype)
      assert.equal("complex128", sl.cg(A, cn.array(b, "complex64")).dtype)
      local double = sl.LinearOperator({3, 3}, function(x) return 2 * x end)
      assert.equal("float32", sl.cg(double, cn.array(b, "float32")).dtype)
      assert.equal("float64", sl.cg(double, cn.array(b, "int32")).dtype)
    end)

    it("leave b and x0 as they are", function()
      local right, first = cn.array(b), cn.array {9, 9, 9}
      for _, name in ipairs(SQUARE) do
        assert.is_true(is_close(sl[name](A, right, first), {1, 1, 1}), name)
        assert.is_true(sl[name](A, right, cn.ones(3)) == cn.ones(3))
      end
      assert.is_true(right == cn.array(b) and first == cn.array {9, 9, 9})
    end)

    it("leave what functions give as it is", function()
      local kept = cn.array {3, 2, 1}
      for _, name in ipairs(SQUARE) do
        sl[name](sl.LinearOperator({3, 3}, function() return kept end), b, {maxiter = 2})
        sl[name](sl.LinearOperator({3, 3}, function(x) return x end), b, {maxiter = 2})
      end
      assert.is_true(kept == cn.array {3, 2, 1})
    end)

    it("tell a breakdown and what never ends", function()
      local Z = cn.sparse.csr_matrix({shape = {3, 3}})
      local x, info = sl.cg(Z, b)
      assert.is_true(x == cn.zeros(3) and info == -10)
      x, info = sl.cgs({{0, 1}, {-1, 0}}, {1, 0})
      assert.is_true(x == cn.zeros(2) and info == -11)
      x, info = sl.bicgstab({{0, 1}, {-1, 0}}, {1, 0})
      assert.is_true(x == cn.zeros(2) and info == -11)
      assert.equal(-10, (select(2, sl.cg({{0 / 0}}, {1}))))
      x, info = sl.gmres({{1, 0}, {0, 0}}, {1, 1})
      assert.is_true(info == 20 and is_close(x[{{1, 1}}], {1}))
    end)

    it("pass on what callbacks raise, at the iteration in which they do", function()
      for _, name in ipairs(SQUARE) do
        local calls = 0
        local ok, message = pcall(sl[name], A, b, {callback = function()
          calls = calls + 1
          if calls == 2 then error("enough", 0) end
        end})
        assert.is_true(not ok and message == "enough" and calls == 2, name)
      end
    end)

    it("find x after many iterations, which the host does not follow", function()
      local B = cn.sparse.diags({-1, 2, -1}, {-1, 0, 1}, {150, 150})
      local x, info = sl.cg(B, cn.ones(150), {rtol = 1e-8})
      assert.is_true(info == 0 and cn.linalg.norm(B:dot(x) - 1):item() < 1e-6)
      local calls = 0
      local same = sl.cg(B, cn.ones(150), {rtol = 1e-8, callback = function() calls = calls + 1 end})
      assert.is_true(calls == 75 and cn.allclose(x, same, {rtol = 1e-12}))
      assert.equal(40, (select(2, sl.cg(B, cn.ones(150), {maxiter = 40}))))
    end)

    it("reject what does not fit", function()
      raises("sparse.linalg.cg: A is square, got shape (2, 3)", function() return sl.cg(cn.ones {2, 3}, b), 1 end)
      raises("sparse.linalg.gmres: A has shape (3, 3), and b has shape (2,)", function()
        return sl.gmres(A, {1, 1}), 1
      end)
      raises("sparse.linalg.cg: A has shape (3, 3), and b has shape (3, 2)", function()
        return sl.cg(A, cn.ones {3, 2}), 1
      end)
      raises("sparse.linalg.minres: A has shape (3, 3), and x0 has shape (4,)", function()
        return sl.minres(A, b, cn.ones(4)), 1
      end)
      raises("sparse.linalg.cgs: A has shape (3, 3), and M has shape (2, 2)", function()
        return sl.cgs(A, b, {M = cn.eye(2)}), 1
      end)
      raises("sparse.linalg.cg: A is a matrix, got shape (3,)", function() return sl.cg(b, b), 1 end)
      raises("sparse.linalg.cg: A is a matrix or an operator, got nil", function() return sl.cg(nil, b), 1 end)
      raises("sparse.linalg.lsqr: b is a vector, got nil", function() return sl.lsqr(A), 1 end)
      raises("sparse.linalg.cg: x0 is complex128, and A and b are real", function()
        return sl.cg(A, b, cn.ones(3, "complex128")), 1
      end)
      raises("sparse.linalg.minres: M is not positive definite", function() return sl.minres(A, b, {M = -A}), 1 end)
      raises("sparse.linalg.minres: A is not symmetric", function()
        return sl.minres({{1, 2}, {0, 1}}, {1, 1}, {check = true}), 1
      end)
      raises("sparse.linalg.cg: a function of cn.sparse.linalg is called with a dot", function()
        return sl:cg(A, b), 1
      end)
    end)

    it("reject options", function()
      raises("sparse.linalg.cg: unknown option 'tol'", function() return sl.cg(A, b, {tol = 1}), 1 end)
      raises("sparse.linalg.cg: rtol is a number of at least 0, got -1", function()
        return sl.cg(A, b, {rtol = -1}), 1
      end)
      raises("sparse.linalg.lsmr: damp is a number of at least 0, got nan", function()
        return sl.lsmr(A, b, {damp = 0 / 0}), 1
      end)
      raises("sparse.linalg.cg: maxiter is a count, got 1.5", function() return sl.cg(A, b, {maxiter = 1.5}), 1 end)
      raises("sparse.linalg.gmres: restart is a count from 1, got 0", function()
        return sl.gmres(A, b, {restart = 0}), 1
      end)
      raises("sparse.linalg.gmres: callback_type is", function() return sl.gmres(A, b, {callback_type = "y"}), 1 end)
      raises("sparse.linalg.cg: expected a function, got 3", function() return sl.cg(A, b, {callback = 3}), 1 end)
    end)
  end)

  describe("operators", function()
    local Z, x, y, op, plain
    setup(function()
      Z = cn.array({{1, 2, 0}, {cn.complex(0, 1), 3, 4}}, "complex128")
      x, y = cn.array({1, cn.complex(0, 2), 3}, "complex128"), cn.array({cn.complex(1, 1), 2}, "complex128")
      op = sl.aslinearoperator(cn.sparse.csr_matrix(Z))
      plain = sl.LinearOperator({2, 3}, function(v) return Z:matmul(v) end, function(v)
        return Z.T:conj():matmul(v)
      end)
    end)

    it("multiply as their matrices do", function()
      for _, each in ipairs {op, plain, sl.aslinearoperator(Z)} do
        assert.equal("complex128", each.dtype)
        assert.is_true(each.shape[1] == 2 and each.shape[2] == 3 and each.ndim == 2)
        assert.is_true(cn.allclose(each:matvec(x), Z:matmul(x)))
        assert.is_true(cn.allclose(each:rmatvec(y), Z.T:conj():matmul(y)))
        assert.is_true(cn.allclose(each.T:matvec(y), Z.T:matmul(y)))
        assert.is_true(cn.allclose(each.H:matvec(y), Z.T:conj():matmul(y)))
        assert.is_true(cn.allclose(each.H.T:matvec(x), Z:conj():matmul(x)))
        assert.is_true(cn.allclose(each:matmat(cn.stack({x, 2 * x}, 2)), Z:matmul(cn.stack({x, 2 * x}, 2))))
        assert.is_true(cn.allclose(each:rmatmat(y:reshape(2, 1)), Z.T:conj():matmul(y:reshape(2, 1))))
        assert.is_true(cn.allclose(y * each, y:matmul(Z)))
        assert.is_true(cn.allclose(each(x:reshape(3, 1)), Z:matmul(x:reshape(3, 1))))
        assert.is_true((each:matmat(cn.zeros {3, 0})):has_shape {2, 0})
      end
    end)

    it("add, multiply and have powers", function()
      local square = op.H * plain
      local dense = Z.T:conj():matmul(Z)
      local i = cn.complex(0, 1)
      assert.is_true(cn.allclose(square:matvec(x), dense:matmul(x)))
      assert.is_true(cn.allclose((square ^ 2):matvec(x), dense:matmul(dense:matmul(x))))
      assert.is_true(cn.allclose((square ^ 0):matvec(x), x))
      assert.is_true(cn.allclose((op * i + plain / 2 - op):rmatvec(y), (Z * i - Z / 2).T:conj():matmul(y)))
      assert.is_true(cn.allclose((-op):matvec(x), -Z:matmul(x)))
      assert.is_true(cn.allclose((op + Z):matvec(x), 2 * Z:matmul(x)))
      assert.equal("<3x3 LinearOperator with dtype=complex128>", tostring(square))
      assert.equal("float32", sl.LinearOperator({2, 2}, function(v) return v:astype "float32" end).dtype)
    end)

    it("reject what does not fit", function()
      raises("matvec: an operator of shape (2, 3) multiplies a vector of 3 elements, got shape (2,)", function()
        return op:matvec({1, 2}), 1
      end)
      raises("matmat: an operator of shape (2, 3) multiplies a matrix of 3 rows, got shape (3,)", function()
        return op:matmat({1, 2, 3}), 1
      end)
      raises("multiply: operators of shapes (2, 3) and (2, 3) do not fit", function() return op * op, 1 end)
      raises("add: the operators have shapes (2, 3) and (3, 2)", function() return op + op.T, 1 end)
      raises("power: a square operator, got shape (2, 3)", function() return op ^ 2, 1 end)
      raises("divide: an operator is divided by numbers only", function() return 2 / op, 1 end)
      raises("LinearOperator: the operator has no rmatvec", function()
        return sl.LinearOperator({2, 2}, function(v) return v end):rmatvec({1, 2}), 1
      end)
      raises("LinearOperator: matvec gave shape (3,), expected (2,)", function()
        return sl.LinearOperator({2, 3}, function(v) return v end):matvec({1, 2, 3}), 1
      end)
      raises("LinearOperator: matvec gave nil, not an array of shape (2,)", function()
        return sl.LinearOperator({2, 3}, function() end):matvec({1, 2, 3}), 1
      end)
      raises("sparse.linalg.LinearOperator: expected a function, got nil", function()
        return sl.LinearOperator({2, 3}), 1
      end)
      raises("sparse.linalg.LinearOperator: an operator has a shape of two lengths, got 1", function()
        return sl.LinearOperator({2}, print), 1
      end)
      raises("an operator has no field or method 'rows'", function() return op.rows, 1 end)
      raises("'T' of an operator cannot be set", function() op.T = 1 end)
      raises("sparse.linalg has no function 'bicgstap'; did you mean", function() return sl.bicgstap, 1 end)
    end)
  end)

  it("norm rejects what it does not know", function()
    raises("sparse.linalg.norm: expected a sparse matrix, got a cuna array", function()
      return sl.norm(cn.eye(2)), 1
    end)
    raises("sparse.linalg.norm: of a matrix ord is", function() return sl.norm(A, 2), 1 end)
    raises("sparse.linalg.norm: of rows and columns ord is a number", function() return sl.norm(A, "fro", 1), 1 end)
    raises("sparse.linalg.norm: axis 2 is there twice", function() return sl.norm(A, 1, {2, 2}), 1 end)
    raises("sparse.linalg.norm: a matrix without elements", function()
      return sl.norm(cn.sparse.csr_matrix({shape = {0, 3}}), 1), 1
    end)
  end)
end)
