--- Elements, rows and columns of sparse matrices, and their assignment.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("keys", function()
  local sp = cn.sparse

  it("reads and writes long ones as dense arrays", function()
    local rng = cn.random.default_rng(4)
    local A = sp.random(60, 50, 0.2, {random_state = 2}):tocsr()
    local x = A:toarray()
    local rows, columns = rng:integers(1, 61, {size = 30}), rng:integers(1, 51, {size = 30})
    for _, format in ipairs {"csr", "csc", "coo", "dia"} do
      local B = A:asformat(format):copy()
      assert.is_true(B[rows]:toarray() == x[rows])
      assert.is_true(B[{rows, columns}] == x[{rows, columns}])
      assert.equal(format, B[rows].format)
      local y = x:copy()
      y[{{7, 20}, {3, 40, 4}}] = -1
      B[{{7, 20}, {3, 40, 4}}] = -1
      y[{5, {}}] = 2
      B[{5, {}}] = 2
      assert.is_true(B:toarray() == y, format)
    end
  end)

  it("takes sparse values, the last of several for an element, and keeps what shares its parts", function()
    local A = sp.csr_matrix {{1, 0}, {2, 3}}
    local B = sp.csr_matrix(A)
    local T = A.T
    A[{1, {}}] = sp.csr_matrix {{0, 7}}
    assert.same({{0, 7}, {2, 3}}, A:toarray():totable())
    assert.is_true(rawequal(A, B))
    assert.same({{1, 2}, {0, 3}}, T:toarray():totable())
    A[{cn.array({2, 2}, "int64"), cn.array({1, 1}, "int64")}] = {5, 6}
    assert.equal(6, A[{2, 1}])
    assert.equal(0, A[{1, 1}])
  end)

  it("rejects keys and values that do not fit", function()
    local A = sp.csr_matrix {{1, 0, 2}, {0, 0, 3}}
    assert.is_false(pcall(function() return A[3] end))
    assert.is_false(pcall(function() return A[{1, 4}] end))
    assert.is_false(pcall(function() return A[0] end))
    raises("a sparse matrix has two axes, and the key 3 parts", function() return A[{1, 1, 1}] + 1 end)
    raises("the key has shape (1, 3), and the value (2,)", function() A[{1, {}}] = {1, 2} end)
    raises("a key has 2 rows and 3 columns",
      function() return A[{cn.array({1, 2}, "int64"), cn.array({1, 2, 3}, "int64")}].size end)
  end)
end)
