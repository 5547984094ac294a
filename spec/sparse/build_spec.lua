--- Sparse matrices by rule, and out of blocks.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("build", function(device)
  local sp = cn.sparse

  it("draws matrices that a seed repeats", function()
    local A, B = sp.random(30, 40, 0.1, {random_state = 7}), sp.random(30, 40, 0.1, {random_state = 7})
    assert.equal(120, A.nnz)
    assert.equal(120, A:tocsr().nnz)
    assert.equal(device, A.device)
    assert.is_true(A:toarray() == B:toarray())
    assert.is_true(A:toarray() ~= sp.random(30, 40, 0.1, {random_state = 8}):toarray())
    assert.is_true(A.data:min():item() >= 0 and A.data:max():item() < 1)
    local F = sp.random(5, 6, 0.5, "csr", "float32", cn.random.default_rng(1))
    assert.equal("csr float32 15", F.format .. " " .. F.dtype .. " " .. F.nnz)
  end)

  it("has the format and class that blocks have", function()
    local A = sp.csr_array {{1, 2}}
    assert.equal("csr", sp.vstack({A, A}).format)
    assert.equal("coo", sp.hstack({A, A}).format)
    assert.equal("csc", sp.hstack({A:tocsc(), A:tocsc()}).format)
    assert.equal("dia", sp.bmat({{A}}, "dia").format)
    assert.is_true(sp.vstack({A, A}).is_array)
    assert.equal("complex64", sp.vstack({A, A}, {dtype = "complex64"}).dtype)
  end)

  it("rejects what does not fit", function()
    raises("sparse.diags: the diagonal 1 has 2 elements, got 3",
      function() return sp.diags({{1, 2, 3}, {1, 2, 3}}, {0, 1}).nnz end)
    raises("sparse.diags: 2 diagonals have 1 offsets", function() return sp.diags({{1}, {2}}, {0}).nnz end)
    raises("sparse.hstack: row 1 of blocks has blocks of 2 and 3 rows",
      function() return sp.hstack({sp.eye(2), sp.eye(3)}).nnz end)
    raises("sparse.bmat: column 2 of blocks has none", function() return sp.bmat({{sp.eye(1), false}}).nnz end)
    raises("sparse.kronsum: square matrices", function() return sp.kronsum({{1, 2}}, {{1}}).nnz end)
    raises("sparse.random: density is between 0 and 1", function() return sp.random(2, 2, 3).nnz end)
    raises("sparse.eye: format is", function() return sp.eye(2, {format = "bsr"}).nnz end)
  end)
end)
