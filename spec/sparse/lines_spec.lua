--- Sparse matrices line by line: other lines, order, keys, two matrices side by side, beside the dense array.
local cn = require "cuna"
local devices = require "spec.support.devices"
local it = devices.rehearsed_it()

devices.each_device(function(device)
  local sp = cn.sparse
  local SHARE = device.kind == "cuda" and 10 or 1 -- of the elements that need many lines, where lanes run one by one
  local DTYPES = {"bool", "int8", "int32", "float16", "float32", "float64", "complex128"}

  --- Elements at random positions, many twice, and the dense array.
  local function scattered(count, rows, columns)
    local rng = cn.random.default_rng(3)
    local row, col = rng:integers(1, rows, {size = count}), rng:integers(1, columns, {size = count})
    local v = rng:integers(-9, 9, {size = count}):astype "float64"
    local x = cn.zeros {rows, columns}
    x:add_at({row, col}, v)
    return sp.coo_matrix({v, {row, col}}, {rows, columns}), x
  end

  it("finds the lines of elements in any order, and sums those of one position", function()
    for _, count in ipairs {1, 300, 60000 / SHARE} do
      local C, x = scattered(count, 300, 700)
      for _, format in ipairs {"csr", "csc"} do
        local A = C:asformat(format)
        assert.is_true(A.has_canonical_format)
        assert.is_true(A:toarray() == x)
        assert.is_true(A:tocsc():tocsr():toarray() == x)
        assert.is_true(A.T:tocsr():toarray() == x.T)
      end
    end
  end)

  it("keeps what is twice at one position, in its order", function()
    local A = sp.csr_matrix({data = {1, 2, 3, 4}, indices = {3, 1, 3, 3}, indptr = {1, 4, 5}}, {2, 3})
    local B = A:tocsc()
    assert.is_true(B.data == cn.array {2, 1, 3, 4})
    assert.is_true(B.indices == cn.array({1, 1, 1, 2}, "int32"))
    assert.is_false(B.has_canonical_format)
    A:sort_indices()
    assert.is_true(A.data == cn.array {2, 1, 3, 4})
    A:sum_duplicates()
    assert.is_true(A.data == cn.array {2, 4, 4})
    assert.is_true(A.has_canonical_format)
  end)

  it("sorts short and long lines", function()
    for _, columns in ipairs {20, 900} do
      local A = sp.csr_matrix(cn.arange(5 * columns):reshape(5, columns) + 1)
      local order = cn.arange(5 * columns) * 7 % columns + 1
      local B = sp.csr_matrix({data = A.data, indices = order, indptr = A.indptr}, {5, columns})
      local x = B:toarray()
      assert.is_false(B.has_sorted_indices)
      B:sort_indices()
      assert.is_true(B.has_canonical_format)
      assert.is_true(B:toarray() == x)
    end
  end)

  it("moves elements of every size", function()
    for _, dtype in ipairs(DTYPES) do
      local A = sp.random(60, 40, 0.2, {random_state = 3, dtype = dtype, format = "csr"})
      assert.is_true(A:tocsc():tocoo():tocsr():toarray() == A:toarray(), dtype)
      assert.is_true(A[{{}, {5, 20}}]:toarray() == A:toarray()[{{}, {5, 20}}], dtype)
      assert.is_true(A["::-1,::-1"]:toarray() == A:toarray()["::-1,::-1"], dtype)
    end
  end)

  it("joins two matrices of every dtype and format", function()
    for _, dtype in ipairs(DTYPES) do
      local A = sp.random(60, 40, 0.2, {random_state = 3, dtype = dtype, format = "csr"})
      local B = sp.random(60, 40, 0.2, {random_state = 4, dtype = dtype, format = "csc"})
      local a, b = A:toarray(), B:toarray()
      for _, format in ipairs {"csr", "csc", "coo", "dia"} do
        local X, Y = A:asformat(format), B:asformat(format)
        assert.is_true((X + Y):toarray() == a + b, dtype)
        assert.is_true(X:multiply(Y):toarray() == a * b, dtype)
        assert.is_true(X:ne(Y):toarray() == a:ne(b), dtype)
        if dtype ~= "complex128" then assert.is_true(X:maximum(Y):toarray() == cn.maximum(a, b), dtype) end
        assert.equal(0, X:ne(X).nnz)
      end
    end
    local nothing = sp.csr_matrix({shape = {3, 4}})
    assert.equal(0, (nothing + nothing).nnz)
    assert.is_true((nothing + sp.csr_matrix(cn.ones {3, 4})):toarray() == cn.ones {3, 4})
  end)

  it("joins matrices of one pattern as others, without what becomes 0", function()
    for _, dtype in ipairs(DTYPES) do
      local A = sp.random(60, 40, 0.2, {random_state = 3, dtype = dtype, format = "csr"})
      local values = (cn.arange(A.nnz) % 5):astype(dtype)
      local B = sp.csr_matrix({values, A.indices:copy(), A.indptr}, A.shape)
      local a, b = A:toarray(), B:toarray()
      for _, operation in ipairs {"add", "multiply", "maximum", "ne"} do
        if dtype ~= "complex128" or operation ~= "maximum" then
          local x = cn[operation == "ne" and "not_equal" or operation](a, b)
          local C = A[operation](A, B)
          assert.is_true(C:toarray() == x and C.dtype == x.dtype, dtype)
          assert.equal(cn.count_nonzero(x):item(), C.nnz)
          assert.is_true(sp.csr_matrix({C.data, C.indices, C.indptr}, C.shape).has_canonical_format)
        end
      end
      if dtype ~= "bool" then assert.equal(0, (A - A:copy()).nnz) end
    end
  end)

  it("multiplies lists of elements, in rows as they were found or as they are now", function()
    local x = cn.arange(30) + 1.0
    local A = sp.random(20, 30, 0.3, {random_state = 3}):tocsr():tocoo()
    local y = A:dot(x)
    assert.is_true(A:dot(x) == y and y == A:tocsr():dot(x))
    A.data = A.data * 2
    assert.is_true(A:dot(x) == A:tocsr():dot(x) and A:dot(x) ~= y)
    A:setdiag(7)
    assert.is_true(A:dot(x) == A:tocsr():dot(x))
    assert.is_true(A.T:dot(x["1:20"]) == A.T:tocsr():dot(x["1:20"]))
  end)

  it("gives products across lines the bits of those along them", function()
    local v = cn.random.default_rng(5):random(700)
    for _, dtype in ipairs {"int8", "float16", "float32", "float64", "complex128"} do
      local A = sp.random(300 / SHARE, 700, 0.3, {random_state = 3, dtype = dtype, format = "csr"})
      local x = (v * 7):astype(dtype)
      assert.is_true(A:tocsc():dot(x) == A:dot(x), dtype)
    end
  end)

  it("takes long lines to others, whether they lie near each other or far from each other", function()
    -- Lists that are long enough for parts, which only blocks of one lane have (lua/cuna/sparse/near.lua).
    local lines, prime = 40000, 39989
    if device.kind == "cuda" then lines, prime = 5000, 4999 end
    local places = cn.arange(4 * lines)
    local v, x = places % 17 - 8.5, cn.arange(lines) % 5 + 1.0
    local near, far = (places:floor_divide(4) + places % 3) % lines + 1, places * 7919 % prime + 1
    for _, row in ipairs {places:floor_divide(4) + 1, (places:floor_divide(4) % 3000) + 1} do
      for _, col in ipairs {near, far} do
        local A = sp.csr_matrix({v, {row, col}}, {lines, lines})
        local B = A:tocsc()
        local C = sp.coo_matrix({v, {row, col}}, {lines, lines}):tocsc()
        assert.is_true(B.indices == C.indices and B.indptr == C.indptr and B.data == C.data)
        assert.is_true(B.has_canonical_format)
        local back = B:tocsr()
        assert.is_true(back.indices == A.indices and back.indptr == A.indptr and back.data == A.data)
        assert.is_true(B:dot(x) == A:dot(x) and A.T:dot(x) == B.T:dot(x))
        assert.is_true(A:sum(1) == C:sum(1))
      end
    end
  end)

  it("knows the order of lines where they begin and end anywhere", function()
    local function order(indices, indptr)
      local A = sp.csr_matrix({data = cn.ones(#indices), indices = indices, indptr = indptr}, {#indptr - 1, 9})
      return (A.has_sorted_indices and "sorted " or "") .. (A.has_canonical_format and "once" or "")
    end
    assert.equal("sorted once", order({3, 9, 1, 2}, {1, 1, 3, 3, 5, 5}))
    assert.equal("sorted once", order({9, 9, 1}, {1, 2, 3, 4}))
    assert.equal("sorted ", order({9, 9, 1}, {1, 3, 4}))
    assert.equal("", order({9, 9, 1}, {1, 1, 4}))
    assert.equal("", order({2, 1}, {1, 3, 3}))
    assert.equal("", order({5, 4, 3, 3}, {1, 2, 4, 5}))
  end)

  it("picks lines and positions in any order, also twice", function()
    local _, x = scattered(9000, 300, 200)
    local p, q = cn.array({3, 300, 3, 1, 77}, "int64"), cn.array({5, 1, 200, 7}, "int64")
    for _, format in ipairs {"csr", "csc", "coo"} do
      local A = sp.csr_matrix(x):asformat(format)
      assert.equal(device, A.device)
      assert.is_true(A[{p, {}}]:toarray() == x[{p, {}}])
      assert.is_true(A[{{}, q}]:toarray() == x[{{}, q}])
      assert.is_true(A[{{}, cn.array {9, 9, 2}}]:toarray() == x[{{}, cn.array {9, 9, 2}}])
      assert.is_true(A[{{5, 100}, {20, 50}}]:toarray() == x[{{5, 100}, {20, 50}}])
      assert.is_true(A[{p:clip(1, 200), p:clip(1, 200)}] == x[{p:clip(1, 200), p:clip(1, 200)}])
      for i = 1, 300, 97 do assert.equal(x[{-i, i % 200 + 1}], A[{-i, i % 200 + 1}]) end
      assert.has_error(function() return A[{301, 1}] end)
      for _, k in ipairs {0, 5, -7, 199, -299} do assert.is_true(A:diagonal(k) == x:diagonal(k)) end
      assert.is_true(A:sum(2):reshape(-1) == x:sum(2))
      assert.is_true(A:sum(1):reshape(-1) == x:sum(1))
      assert.is_true(A:max() == x:max() and A:min() == x:min())
    end
  end)

  it("adds up products in tables of columns and of places, of few and of many columns", function()
    local rng = cn.random.default_rng(3)
    for _, lengths in ipairs {{30, 50, 20}, {30, 50, 100}, {9, 70, 300}, {9, 70, 3000}} do
      for _, density in ipairs {0.02, 0.3, 1} do
        local A = sp.random(lengths[1], lengths[2], density, {random_state = rng, dtype = "int32"}):tocsr()
        local B = sp.random(lengths[2], lengths[3], density, {random_state = rng, dtype = "int32"}):tocsr()
        A[{3, {}}] = 5
        local C = A:dot(B)
        assert.is_true(C:toarray() == cn.matmul(A:toarray(), B:toarray()))
        assert.is_true(sp.csr_matrix({C.data, C.indices, C.indptr}, C.shape).has_canonical_format)
      end
    end
  end)

  it("multiplies scattered columns, also those that follow the last row of a part", function()
    local A = sp.random(3000 / SHARE, 500, 0.02, {random_state = 3, format = "csr"})
    for _, width in ipairs {1, 32, 40} do
      local x = cn.random.default_rng(5):random {500, width}
      assert.is_true(A:dot(x):isclose(cn.matmul(A:toarray(), x)):all())
    end
  end)

  it("takes parts whose elements are not side by side", function()
    local d, i = cn.arange(6):astype "float64" + 1, cn.array({3, 9, 1, 9, 2}, "int32")
    local A = sp.csr_matrix({data = d["::2"], indices = i["::2"], indptr = {1, 2, 4}}, {2, 3})
    local x = cn.array {{0, 0, 1}, {3, 5, 0}}
    assert.is_true(A:dot({1, 2, 3}) == cn.array {3, 13})
    A.data = d["::2"] * 2
    assert.is_true((A + A):toarray() == 4 * x)
    A.data = d["::-2"]
    assert.is_true(A:tocsc():toarray() == cn.array {{0, 0, 6}, {4, 2, 0}})
  end)
end)
