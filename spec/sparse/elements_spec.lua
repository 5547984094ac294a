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
