--- Sums, extremes and their positions over axes of sparse matrices; functions that keep zeros.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("folds", function()
  local sp = cn.sparse

  it("folds long ones as dense arrays", function()
    local A = sp.random(80, 60, 0.1, {random_state = 3}):tocsr()
    A.data = A.data - 0.5
    local x = A:toarray()
    for axis = 1, 2 do
      local B = sp.csr_array(A)
      assert.is_true(B:sum(axis):allclose(x:sum(axis), 1e-13))
      assert.is_true(B:max(axis):toarray():reshape(-1) == x:max(axis))
      assert.is_true(B:argmax(axis) == x:argmax(axis))
      assert.is_true(B:argmin(axis) == x:argmin(axis))
    end
    assert.equal(x:argmax():item(), A:argmax())
  end)

  it("finds the extreme of all where it is stored, is not, or is there twice", function()
    for _, list in ipairs {{{0, 3, 0}, {3, 0, -2}}, {{0, 0, -1}, {-5, 0, -5}}, {{-3, -2}, {-2, -3}}, {{0, 0}, {0, 0}},
      {{1, 2}, {2, 1}}, {{0, 0 / 0}, {7, 0}}, {{-1, 0}, {0, 0 / 0}}} do
      local x = cn.array(list)
      for _, format in ipairs {"csr", "csc", "coo", "dia"} do
        local A = sp.csr_matrix(x):asformat(format)
        assert.equal(x:argmax():item(), A:argmax())
        assert.equal(x:argmin():item(), A:argmin())
      end
    end
    local bools = cn.array {{false, true}, {true, true}}
    assert.same({2, 1}, {sp.csc_matrix(bools):argmax(), sp.csc_matrix(bools):argmin()})
    local zeros = sp.csr_matrix({data = {0, -1, 0}, indices = {2, 1, 3}, indptr = {1, 3, 4}}, {2, 3})
    assert.same({2, 1}, {zeros:argmax(), zeros:argmin()})
    local signs = sp.csr_matrix {{1, 0}, {0, -2}}
    cn.prepare(function() return signs:argmax(), signs:argmin() end)
    assert.equal(1, sp.csr_matrix({data = {1, -9}, indices = {1, 1}, indptr = {1, 3}}):argmin())
  end)

  it("rejects what does not fit", function()
    raises("max: complex numbers have no order", function() return sp.eye(2, {dtype = "complex64"}):max():item() end)
    raises("argmax: axis 2 has no elements", function() return sp.csr_matrix({shape = {2, 0}}):argmax(2).size end)
    raises("max: the matrix has no elements", function() return sp.csr_matrix({shape = {0, 3}}):max():item() end)
    assert.is_false(pcall(function() return sp.eye(2):sum(3) end))
  end)
end)
