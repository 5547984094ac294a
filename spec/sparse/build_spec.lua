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

  it("draws complex numbers, integers and bools as SciPy does", function()
    for dtype, part in pairs {complex64 = "float32", complex128 = "float64"} do
      local A = sp.random(30, 40, 0.5, {dtype = dtype, random_state = 7})
      assert.equal(dtype, A.dtype)
      local B = sp.random(30, 40, 0.5, {dtype = part, random_state = 7})
      assert.is_true(A.data.real == B.data) -- the real parts are drawn first
      for _, values in ipairs {A.data.real, A.data.imag} do
        assert.is_true(values:min():item() >= 0 and values:max():item() < 1 and values:std():item() > 0.2)
      end
      assert.is_true(A.data.imag ~= B.data)
    end
    local bytes = sp.random(40, 50, 1, {dtype = "uint8", random_state = 1}).data
    assert.same({0, 254}, {bytes:min():item(), bytes:max():item()})
    assert.equal("int64", sp.random_array({4, 5}, {density = 0.5, dtype = "int64", rng = 1}).dtype)
    assert.is_true(sp.random(4, 5, 0.5, {dtype = "bool"}).data == cn.ones(10, "bool"))
    raises("sparse.random: unknown dtype", function() return sp.random(2, 2, {dtype = "complex"}).nnz end)
  end)

  it("makes identities in every format, with their parts in order", function()
    for _, lengths in ipairs {{3, 3}, {2, 5}, {5, 2}, {1, 1}, {0, 3}, {3, 0}, {0, 0}} do
      for k = -6, 6 do
        local x = cn.eye(lengths[1], lengths[2], k)
        for _, format in ipairs {"csr", "csc", "coo", "dia"} do
          local A = sp.eye(lengths[1], lengths[2], k, {format = format})
          assert.is_true(A.format == format and A:toarray() == x and A.nnz == x:sum():item())
          assert.is_true(A:tocsr():toarray() == x and A:tocsc():toarray() == x)
          if A.format == "csr" then
            assert.is_true(sp.csr_matrix({A.data, A.indices, A.indptr}, A.shape).has_canonical_format)
          end
        end
      end
    end
  end)

  it("puts the lines of blocks beside each other, as they are", function()
    local A = sp.csr_matrix({data = {1, 2, 3, 4}, indices = {3, 1, 1, 1}, indptr = {1, 3, 3, 5}}, {3, 4})
    local B = sp.csr_matrix({{0, 5, 0, 6}, {0, 0, 0, 0}, {7, 0, 0, 8}}, {dtype = "float32"})
    for _, format in ipairs {"csr", "csc", "coo", "dia"} do
      local a, b, C = A:toarray(), B:toarray(), B:asformat(format)
      for _, wanted in ipairs {"csr", "csc", "coo"} do
        local none, made = cn.zeros {3, 4}, sp.bmat({{A, false}, {C, A}}, wanted)
        assert.is_true(made.format == wanted and made.dtype == "float64")
        assert.is_true(made:toarray() == cn.concatenate({cn.concatenate({a, none}, 2), cn.concatenate({b, a}, 2)}, 1))
        assert.is_true(sp.hstack({C, A, C}, wanted):toarray() == cn.concatenate({b, a, b}, 2))
        assert.is_true(sp.vstack({C, A, C}, wanted):toarray() == cn.concatenate({b, a, b}, 1))
      end
    end
    local made = sp.vstack({A, B})
    assert.equal("csr", made.format)
    assert.is_false(made.has_sorted_indices or made.has_canonical_format)
    assert.equal("int8", sp.vstack({A, B}, "csc", "int8").dtype)
    local nothing = sp.csr_matrix({shape = {0, 4}})
    assert.is_true(sp.vstack({nothing, B, nothing}):toarray() == B:toarray())
    assert.same({0, 4}, {unpack(sp.vstack({nothing, nothing}).lengths)})
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

  it("makes arrays by functions of their own, and says which class a value has", function()
    local A = sp.csr_matrix {{1, 0, 2}, {0, 0, 3}}
    local random = sp.random_array({4, 5}, {density = 0.5, format = "csr", rng = 1, data_sampler = cn.ones})
    for _, made in ipairs {sp.eye_array(2), sp.diags_array {1, 2}, sp.block_array {{A}}, random} do
      assert.is_true(made.is_array and not sp.isspmatrix(made) and sp.issparse(made))
    end
    assert.is_true(sp.eye_array(2, 3, {k = 1}):toarray() == cn.array {{0, 1, 0}, {0, 0, 1}})
    assert.is_true(random.nnz == 10 and random.data == cn.ones(10) and random.format == "csr")
    assert.equal(9, sp.rand(3, 3, 1, {data_rvs = cn.ones}):sum():item())
    assert.is_true(sp.isspmatrix(A) and sp.isspmatrix_csr(A) and not sp.isspmatrix_csc(A))
    assert.is_true(sp.isspmatrix_coo(A:tocoo()) and sp.isspmatrix_dia(sp.eye(2)) and not sp.isspmatrix(3))
    raises("sparse.random_array: a sparse matrix has a shape of two lengths, got 1",
      function() return sp.random_array({4}).nnz end)
    raises("sparse.random: data_rvs gave shape (2,) for 9 elements", function()
      return sp.random(3, 3, 1, {data_rvs = function() return {1, 2} end}).nnz
    end)
    raises("sparse.random_array: data_sampler gave shape (2,) for 9 elements", function()
      return sp.random_array({3, 3}, 1, {data_sampler = function() return {1, 2} end}).nnz
    end)
    raises("sparse.random_array: rng is a generator or a seed, got \"seven\"", function()
      return sp.random_array({3, 3}, {rng = "seven"}).nnz
    end)
    assert.is_true(sp.random(9, 9, 0.5, {rng = 7}):toarray() == sp.random(9, 9, 0.5, {random_state = 7}):toarray())
  end)

  it("has other shapes, traces and positions", function()
    local A = sp.csr_matrix {{1, 0, 2}, {0, 0, 3}}
    for _, form in ipairs {A, A:tocsc(), A:tocoo(), A:todia()} do
      assert.is_true(form:reshape(3, 2):toarray() == A:toarray():reshape(3, 2))
      assert.is_true(form:reshape({-1, 1}):toarray() == A:toarray():reshape(6, 1))
      assert.equal(form.format, form:reshape(1, -1).format)
      assert.equal("1.0 3.0", tostring(form:trace()) .. " " .. tostring(form:trace(1)))
      local at = form:nonzero()
      assert.is_true(at[1] == cn.array({1, 1, 2}, at[1].dtype) and at[2] == cn.array({1, 3, 3}, at[2].dtype))
    end
    raises("reshape: 6 positions do not fit the shape (4, 2)", function() return A:reshape(4, 2).nnz end)
    raises("reshape: a sparse matrix has a shape of two lengths", function() return A:reshape(6).nnz end)
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
    raises("sparse.random: random_state and rng are names of one argument", function()
      return sp.random(2, 2, {random_state = 1, rng = 2}).nnz
    end)
    raises("sparse.random: random_state is a generator or a seed, got", function()
      return sp.random(2, 2, {random_state = cn.random.RandomState(1)}).nnz
    end)
    raises("sparse.eye: format is", function() return sp.eye(2, {format = "bsr"}).nnz end)
  end)
end)
