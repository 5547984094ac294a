--- Formats of cn.sparse, what they are made of, and what is rejected.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local sparse = require "spec.support.sparse"

sparse.check_group("formats", function(device)
  local sp = cn.sparse

  it("makes matrices of each form", function()
    local x = cn.array {{0, 2, 0}, {1, 0, 3}}
    for _, format in ipairs {"csr", "csc", "coo", "dia"} do
      for _, class in ipairs {"matrix", "array"} do
        local make = sp[format .. "_" .. class]
        local A = make(x)
        assert.equal(format, A.format)
        assert.equal(class == "array", A.is_array)
        assert.equal(device, A.device)
        assert.is_true(A:toarray() == x)
        assert.is_true(make({{2, 1, 3}, {{1, 2, 2}, {2, 1, 3}}}):toarray() == x)
        assert.is_true(make({data = {2, 1, 3}, row = {1, 2, 2}, col = {2, 1, 3}}, {2, 3}):toarray() == x)
        assert.is_true(make(sp.csc_matrix(x)):toarray() == x)
        assert.is_true(make(x, {dtype = "float32"}).dtype == "float32")
        local empty = make({shape = {2, 3}}, {dtype = "complex64"})
        assert.equal(0, empty.nnz)
        assert.is_true(empty:toarray() == cn.zeros({2, 3}, "complex64"))
      end
    end
    local A = sp.csr_matrix(x)
    assert.is_true(sp.csr_matrix({A.data, A.indices, A.indptr}, {2, 3}):toarray() == x)
    assert.is_true(sp.dia_matrix({{{1, 2}}, {0}}, {2, 2}):toarray() == cn.array {{1, 0}, {0, 2}})
    assert.is_true(sp.dia_matrix({data = {1, 2}, offsets = 0}, {2, 2}):toarray() == cn.array {{1, 0}, {0, 2}})
  end)

  it("shares parts where it can, and copies where it is asked to", function()
    local A = sp.csr_matrix {{1, 0, 2}, {0, 0, 3}}
    local T, same, copy = A.T, sp.csr_matrix(A), sp.csr_matrix(A, {copy = true})
    assert.equal(A, same)
    A.data[1] = 9
    assert.equal(9, T.data[1])
    assert.equal(1, copy.data[1])
    assert.equal(9, A:transpose():tocsr():toarray()[{1, 1}])
    local B = A:copy()
    B:setdiag(5)
    assert.equal(9, A:toarray()[{1, 1}])
    B.data = B.data * 2
    assert.equal(10, B:toarray()[{1, 1}])
  end)

  it("takes long ones apart as they are put together", function()
    local rng = cn.random.default_rng(3)
    local row, col = rng:integers(1, 300, {size = 5000}), rng:integers(1, 200, {size = 5000})
    local v = rng:integers(-9, 9, {size = 5000}):astype "float64"
    local x = cn.zeros {300, 200}
    x:add_at({row, col}, v)
    local C = sp.coo_matrix({v, {row, col}}, {300, 200})
    for _, format in ipairs {"csr", "csc", "dia"} do
      local A = C:asformat(format)
      assert.is_true(A:toarray() == x, format)
      assert.is_true(A:tocsr():tocsc():tocoo():todia():tocsr().T:toarray() == x.T, format)
    end
  end)

  it("prints as SciPy does, from 1", function()
    assert.equal("<Compressed Sparse Row sparse matrix of dtype 'float64'\n\twith 2 stored elements and shape (2, 3)>\n"
      .. "  Coords\tValues\n  (1, 1)\t1.5\n  (2, 3)\t-3.0", tostring(sp.csr_matrix {{1.5, 0, 0}, {0, 0, -3}}))
    local text = tostring(sp.eye(60):tocsr())
    assert.truthy(text:find("(25, 25)\t1.0\n  :\t:\n  (36, 36)\t1.0", 1, true))
  end)

  it("rejects parts that do not fit", function()
    raises("sparse.csr_matrix: lists of 4, 4 and 3 numbers cannot be rows; parts have names: {data = ..., indices = ",
      function() return sp.csr_matrix({{1, 2, 3, 4}, {1, 2, 1, 2}, {1, 3, 5}}).nnz end)
    raises("sparse.csr_matrix: row counts from 1, got 0", function() return sp.csr_matrix({{1}, {{0}, {1}}}).nnz end)
    raises("sparse.coo_matrix: col has 5, and the matrix has positions up to 2",
      function() return sp.coo_matrix({{1}, {{1}, {5}}}, {2, 2}).nnz end)
    raises("sparse.coo_matrix: 2 elements have 1 entries in row",
      function() return sp.coo_matrix({{1, 2}, {{1}, {1, 2}}}).nnz end)
    raises("sparse.csr_matrix: indptr begins with 1, got 0",
      function() return sp.csr_matrix({data = {1}, indices = {1}, indptr = {0, 1}}).nnz end)
    raises("sparse.csr_matrix: indptr ends with 2, one more than there are elements, got 3",
      function() return sp.csr_matrix({data = {1}, indices = {1}, indptr = {1, 3}}).nnz end)
    raises("sparse.csc_matrix: indptr falls after entry 2",
      function() return sp.csc_matrix({data = {1, 2}, indices = {1, 1}, indptr = {1, 4, 3}}).nnz end)
    raises("sparse.csr_matrix: indptr has 3 elements, and 3 lines need 4",
      function() return sp.csr_matrix({data = {1}, indices = {1}, indptr = {1, 1, 2}}, {3, 3}).nnz end)
    raises("sparse.csr_matrix: an entry of indices is a whole number, got 1.5",
      function() return sp.csr_matrix({data = {1}, indices = {1.5}, indptr = {1, 2}}).nnz end)
    raises("sparse.csr_matrix: indices has whole numbers, got an array of float64 with fractions",
      function() return sp.csr_matrix({data = {1}, indices = cn.ones(1) / 2, indptr = {1, 2}}).nnz end)
    assert.equal(1, sp.csr_matrix({data = {1}, indices = cn.ones(1), indptr = cn.array {1, 2}}).nnz)
    raises("sparse.dia_matrix: an offset is there twice",
      function() return sp.dia_matrix({{{1}, {2}}, {0, 0}}, {1, 1}).nnz end)
    raises("sparse.dia_matrix: diagonals do not tell the shape",
      function() return sp.dia_matrix({{{1}, {2}}, {0, 1}}).nnz end)
    raises("sparse.csr_matrix: a sparse matrix has two axes",
      function() return sp.csr_matrix(cn.zeros {1, 2, 2}).nnz end)
    raises("sparse.csr_matrix: parts are data with row and col", function() return sp.csr_matrix({size = 3}).nnz end)
    raises("sparse.csr_matrix: expected an array, got nil", function() return sp.csr_matrix(nil).nnz end)
    raises("sparse.csr_matrix: a function of cn.sparse is called with a dot",
      function() return sp:csr_matrix({}).nnz end)
  end)

  it("has clear lines for what it does not have", function()
    local A = sp.csr_matrix {{1, 0}, {0, 2}}
    raises("a csr matrix has no row; write A:tocoo().row", function() return A.row.size end)
    raises("a sparse matrix has no 'tolil': elements of all formats are set, as A[{row, column}] = value, many at once",
      function() return A.tolil() end)
    raises("a sparse matrix has no field or method 'tocsd'; did you mean", function() return A.tocsd() end)
    raises("tocsc: a sparse matrix's function is called with a colon", function() return A.tocsc().nnz end)
    raises("'shape' of a sparse matrix cannot be set", function() A.shape = {1, 4} end)
    raises("A.data is an array of shape (2,)", function() A.data = cn.zeros(3) end)
    raises("asformat: format is", function() return A:asformat("bsr").nnz end)
  end)
end)
