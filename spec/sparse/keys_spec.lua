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

  it("writes booleans, as to arrays", function()
    local A = sp.csr_matrix(cn.zeros({2, 3}, "bool"))
    A[{1, 2}], A[{2, {}}] = true, true
    A[{2, 1}] = false
    assert.same({{false, true, false}, {false, true, true}}, A:toarray():totable())
  end)

  it("reads elements of matrices that have none", function()
    local of_zeros = sp.dia_matrix({cn.zeros {2, 3}, {0, 1}}, {3, 4})
    local beside = sp.dia_matrix({cn.ones {1, 2}, {3}}, {3, 5})
    for _, A in ipairs {of_zeros, beside, sp.csr_matrix {shape = {3, 4}}} do
      assert.equal(0, A[{2, 3}])
      assert.same({0, 0}, A[{cn.array({1, 3}, "int64"), cn.array({2, 4}, "int64")}]:totable())
    end
  end)

  it("takes numbers, slices, lists and masks, of both axes", function()
    local A = sp.random(7, 9, 0.4, {random_state = 2}):tocsr()
    local x = A:toarray()
    local rows = {3, -1, {}, {2, 5}, {5, 2}, {6, 1, -2}, {1, 7, 3}, {-3, -1}, "::-1", "2", cn.array({7, 7, 2}, "int64"),
      cn.array({-1, 3}, "int32"), cn.arange(7):gt(2), cn.zeros(7, "bool"), cn.empty(0, "int64")}
    local columns = {9, {}, {4, 9}, {9, 4, -1}, {2, 1}, ":", cn.array({9, 1}, "int64")}
    for _, format in ipairs {"csr", "csc"} do
      local B = A:asformat(format)
      for _, row in ipairs(rows) do
        local down = cn.array(cn.arange(7)[type(row) == "table" and {row} or row]):reshape(-1) + 1
        for _, column in ipairs(columns) do
          if not (cn.is_array(row) and cn.is_array(column) or type(row) == "number" and type(column) == "number") then
            local across = cn.array(cn.arange(9)[type(column) == "table" and {column} or column]):reshape(-1) + 1
            local made = B[{row, column}]
            assert.is_true(made:toarray() == cn.take(cn.take(x, down, 1), across, 2))
            assert.equal(format, made.format)
            assert.is_true(made.has_sorted_indices)
          end
        end
      end
      assert.equal("csr", B:getrow(2).format)
      assert.equal("csr", B:getcol(2).format)
    end
    assert.same({6, 9}, {unpack(A[{{2, 10}, {}}].lengths)})
    raises("index 0 on axis 1: positions count from 1", function() return A[{{0, 3}, {}}].nnz end)
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
