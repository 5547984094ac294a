--- What is stored of sparse matrices: order, duplicates, zeros, diagonals.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("elements", function()
  local sp = cn.sparse

  it("rejects what does not fit", function()
    local A = sp.csr_matrix {{1, 0}, {0, 2}}
    raises("setdiag: the matrix has no diagonal 5", function() A:setdiag(1, 5) end)
    raises("setdiag: values are a number or a vector", function() A:setdiag({{1}}) end)
    raises("eliminate_zeros: a dia matrix has whole diagonals", function() A:todia():eliminate_zeros() end)
    raises("sort_indices: a matrix that is csr or csc", function() A:tocoo():sort_indices() end)
    raises("sparse.eye: m is a count", function() return sp.eye(-1).nnz end)
  end)

  it("sets diagonals as in dense arrays, where they have elements and where not", function()
    for _, shape in ipairs {{40, 40}, {25, 60}, {60, 25}, {1, 1}, {1, 7}} do
      local A = sp.random(shape[1], shape[2], 0.3, {random_state = 5, format = "csr"})
      A[{1, 1}] = 9
      for _, format in ipairs {"csr", "csc", "coo"} do
        for k = -shape[1] + 1, shape[2] - 1, 13 do
          local B, x = A:asformat(format):copy(), A:toarray()
          local values = cn.arange(x:diagonal(k).size) % 4
          local row, col = cn.arange(values.size) + 1 - math.min(k, 0), cn.arange(values.size) + 1 + math.max(k, 0)
          B:setdiag(values, k)
          x[{row, col}] = values
          assert.is_true(B:toarray() == x and B:diagonal(k) == values)
          assert.is_true(B.format == format and B:tocsr():tocsc().has_canonical_format)
          local nnz = B.nnz
          B:setdiag({7}, k)
          assert.equal(nnz, B.nnz)
          assert.equal(7, B:diagonal(k)[1])
          assert.is_true(B:diagonal(k)["2:"] == values["2:"])
        end
      end
    end
    local twice = sp.csr_matrix({data = {1, 2, 3}, indices = {2, 1, 2}, indptr = {1, 4}}, {1, 3})
    assert.is_true(twice:diagonal(1) == cn.array {4})
    twice:setdiag(5, 2)
    assert.is_true(twice:toarray() == cn.array {{2, 4, 5}})
  end)

  it("gives a matrix new parts when it changes", function()
    local A = sp.csr_matrix({data = {1, 0, 3}, indices = {2, 1, 1}, indptr = {1, 3, 4}})
    local T = A.T
    A:sort_indices()
    A:eliminate_zeros()
    assert.same({2, 1}, A.indices:totable())
    assert.same({2, 1, 1}, T.indices:totable())
    assert.equal(3, T.nnz)
  end)
end)
