--- Products and operators of sparse matrices.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("arithmetic", function()
  local sp = cn.sparse

  it("multiplies long rows and many, with rows of unlike lengths", function()
    local rng = cn.random.default_rng(5)
    local dense = rng:integers(-4, 5, {size = {900, 70}}):astype "float64"
    dense = dense * rng:random({900, 70}):lt(rng:random({900, 1}) ^ 4)
    dense[17] = rng:integers(1, 5, {size = {70}})
    local A = sp.csr_matrix(dense)
    for _, dtype in ipairs {"float64", "int32"} do
      local B, x = A:astype(dtype), rng:integers(-9, 9, {size = {70, 41}}):astype(dtype)
      local expected = dense:astype(dtype):matmul(x)
      assert.is_true(B:dot(x) == expected)
      assert.is_true(B:dot(x[{{}, 3}]) == expected[{{}, 3}])
      assert.is_true(B:dot(x.T:copy().T) == expected)
      local product = dense:astype(dtype).T:matmul(dense:astype(dtype))
      assert.is_true(B.T:dot(dense:astype(dtype)) == product)
      assert.is_true(B.T:tocsr():dot(dense[{{}, 3}]:astype(dtype)) == product[{{}, 3}])
      assert.is_true(B:dot(sp.csr_matrix(x)):toarray() == expected)
    end
  end)

  it("multiplies sparse matrices of many rows, of which few are long", function()
    local rng = cn.random.default_rng(8)
    local n = 3000
    local row = cn.floor(rng:random(9000) ^ 4 * n):astype "int64" + 1
    local of = {data = rng:integers(-3, 4, {size = {9000}}):astype "float64", row = row,
      col = rng:integers(1, 400, {size = {9000}})}
    local A = sp.coo_matrix(of, {n, 400}):tocsr()
    local expected = A:toarray().T:matmul(A:toarray())
    local square = A.T:tocsr():dot(A)
    assert.is_true(square:toarray() == expected)
    assert.is_true(square.has_canonical_format and square.data:ne(0):all())
    local long = A:dot(sp.csr_matrix(cn.ones {400, 70}))
    assert.is_true(long:toarray() == A:toarray():sum(2):reshape(-1, 1) * cn.ones {1, 70})
    local other = sp.coo_matrix({data = {2}, row = {3}, col = {2 ^ 33}}, {400, 2 ^ 33})
    local made = A:dot(other)
    assert.equal("int64", made.indices.dtype)
    local third = A:toarray()[{{}, 3}]
    assert.is_true(made.data == 2 * third[third:ne(0)])
  end)

  it("merges rows, or keeps their columns in tables, with equal results", function()
    local rng = cn.random.default_rng(9)
    for _, length in ipairs {1, 3, 4, 8, 20, 33} do
      local dense = rng:integers(-4, 5, {size = {60, 90}}):astype "float64"
      local places = rng:random({60, 90}):argsort(2)
      dense = dense * places:le(cn.arange(60):reshape(60, 1) % (length + 1))
      local other = rng:integers(-4, 5, {size = {90, 301}}):astype "float64" * rng:random({90, 301}):lt(0.05)
      for _, dtype in ipairs {"float64", "float16", "int8", "complex128"} do
        local A, B = sp.csr_matrix(dense:astype(dtype)), sp.csr_matrix(other:astype(dtype))
        local made = A:dot(B)
        assert.is_true(made:toarray() == dense:astype(dtype):matmul(other:astype(dtype)), length .. " " .. dtype)
        assert.is_true(made.has_canonical_format)
      end
    end
    local twice = sp.csr_matrix({data = {1, 2, 4, 8}, indices = {2, 2, 1, 3}, indptr = {1, 3, 5}}, {2, 3})
    local unordered = sp.csr_matrix({data = {1, 2, 4}, indices = {3, 1, 2}, indptr = {1, 3, 3, 4}}, {3, 3})
    assert.is_true(twice:dot(unordered):toarray() == twice:toarray():matmul(unordered:toarray()))
    assert.is_true(twice:dot(twice.T:tocsr()):toarray() == cn.array {{9, 0}, {0, 80}})
  end)

  it("multiplies sparse matrices whose product has no element", function()
    local A, B = sp.csr_matrix {{1, 0}, {0, 0}}, sp.csr_matrix {{0, 0}, {1, 0}}
    assert.equal(0, A:dot(B).nnz)
    assert.is_true(A:dot(B):toarray() == cn.zeros {2, 2})
  end)

  it("remembers nothing of a rehearsal", function()
    local dense = cn.array {{0, 2, 1}, {3, 0, 0}, {0, 0, 4}}
    for _, format in ipairs {"csr", "csc"} do
      local x = cn.array {1, 2, 3}
      local A = sp.csr_matrix({data = {1, 2, 3, 4}, indices = {3, 2, 1, 3}, indptr = {1, 3, 4, 5}}, {3, 3})
      A = A:asformat(format)
      cn.prepare(function()
        A:dot(x)
        A:dot(A)
        return A.has_sorted_indices, A.has_canonical_format, A:sum(1)
      end)
      assert.is_true(A:dot(x) == dense:matmul(x))
      assert.is_true(A:dot(A):toarray() == dense:matmul(dense))
      assert.equal(format == "csc", A.has_sorted_indices)
    end
  end)

  it("takes elements that changed since the last product", function()
    local A = sp.csc_matrix {{1, 2}, {0, 3}}
    assert.same({3, 3}, A:dot({1, 1}):totable())
    A.data[1] = 5
    assert.same({7, 3}, A:dot({1, 1}):totable())
    assert.same({5, 5}, A.T:dot({1, 1}):totable())
    A:setdiag(1)
    assert.same({3, 1}, A:dot({1, 1}):totable())
  end)

  it("compares with matrices, numbers and dense arrays", function()
    local dense, other = cn.array {{4, 0, -2}, {0, 3, 0}}, cn.array {{4, 1, 0}, {0, 2, 0}}
    for _, format in ipairs {"csr", "csc", "coo"} do
      local A, B = sp.csr_matrix(dense):asformat(format), sp.csr_matrix(other)
      for _, name in ipairs {"eq", "ne", "lt", "le", "gt", "ge"} do
        for _, value in ipairs {-2, 0, 3, 0 / 0, cn.array(3)} do
          local made = A[name](A, value)
          assert.is_true(made.dtype == "bool" and cn.array_equal(made:toarray(), dense[name](dense, value)),
            ("%s %s %s"):format(format, name, tostring(value)))
          assert.equal(made.nnz, made:count_nonzero())
        end
        assert.is_true(cn.array_equal(A[name](A, B):toarray(), dense[name](dense, other)), name)
        assert.is_true(cn.array_equal(A[name](A, other), dense[name](dense, other)), name)
      end
    end
    local twice = sp.coo_matrix({{1, 2}, {{1, 1}, {2, 2}}}, {1, 2})
    assert.is_true(cn.array_equal(twice:gt(2):toarray(), cn.array {{false, true}}))
  end)

  it("gives bools and half floats", function()
    local A = sp.csr_matrix(cn.array {{true, true, false}, {false, false, false}})
    assert.is_true(A:dot(cn.array {true, true, true}) == cn.array {true, false})
    assert.is_true((A + A):toarray() == A:toarray())
    local H = sp.csr_matrix(cn.array({{1, 0, 2}}, "float16"))
    assert.is_true(H:dot(cn.array({1, 1, 1}, "float16")) == cn.array({3}, "float16"))
  end)

  it("keeps the class, of which operators depend", function()
    local A, M = sp.csr_array {{1, 2}, {3, 4}}, sp.csr_matrix {{1, 2}, {3, 4}}
    assert.is_true((A * A):toarray() == cn.array {{1, 4}, {9, 16}})
    assert.is_true((M * M):toarray() == cn.array {{7, 10}, {15, 22}})
    assert.is_true((A + M).is_array)
    assert.is_true(A.T.is_array and A:tocoo().is_array and (A * 2).is_array and A:matmul(M).is_array)
    assert.is_false((M + A).is_array)
  end)

  it("rejects what does not fit", function()
    local A = sp.csr_matrix {{1, 0, 2}, {0, 0, 3}}
    raises("dot: shapes (2, 3) and (2,) do not fit", function() return A:dot({1, 2}).size end)
    raises("matmul: shapes (2, 3) and (2, 3) do not fit", function() return (A * A).nnz end)
    raises("add: the matrices have shapes (2, 3) and (3, 2)", function() return (A + A.T).nnz end)
    raises("add: a number other than 0", function() return (A + 1).nnz end)
    raises("multiply: shapes (2, 3) and (2,) do not broadcast", function() return A:multiply({1, 2}).nnz end)
    raises("matmul: the second operand is a vector or matrix", function() return A:matmul(2).nnz end)
    raises("power: the power 0 makes", function() return A:power(0).nnz end)
    raises("power: a square matrix", function() return (A ^ 2).nnz end)
    raises("divide: a sparse matrix divides by its zeros", function() return (1 / A).nnz end)
    raises("remainder: a sparse matrix has no such operator", function() return (cn.ones {2, 3} % A).nnz end)
  end)
end)
