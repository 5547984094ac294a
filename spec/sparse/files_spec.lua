--- SciPy's files of sparse matrices.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function(device)
  local sp = cn.sparse
  local dense = {{1, 0, 2}, {0, 0, 3}}

  it("reads what SciPy writes", function()
    for _, format in ipairs {"csr", "csc", "coo", "dia"} do
      local A = sp.load_npz("spec/golden/files/sparse_" .. format .. ".npz")
      assert.equal(format, A.format)
      assert.equal(device, A.device)
      assert.is_true(A:toarray() == cn.array(dense), format)
    end
  end)

  it("writes what it reads, and as SciPy from 0", function()
    local path = os.tmpname() .. ".npz"
    for _, format in ipairs {"csr", "csc", "coo", "dia"} do
      for _, compressed in ipairs {true, false} do
        local A = sp.csr_matrix(dense, {dtype = "complex64"}):asformat(format)
        sp.save_npz(path, A, {compressed = compressed})
        local B = sp.load_npz(path)
        assert.equal(format, B.format)
        assert.equal("complex64", B.dtype)
        assert.is_true(B:toarray() == A:toarray())
      end
    end
    sp.save_npz(path, sp.csr_matrix(dense))
    local npz = cn.load(path)
    assert.same({"data", "format", "indices", "indptr", "shape"}, npz:names())
    assert.same({0, 2, 2}, npz.indices:totable())
    assert.same({0, 2, 3}, npz.indptr:totable())
    assert.same({2, 3}, npz.shape:totable())
    npz:close()
    local bytes = io.open(path, "rb"):read "*a"
    assert.truthy(bytes:find("format.npy", 1, true))
    os.remove(path)
  end)

  it("rejects other files", function()
    raises("sparse.load_npz: this file has no sparse matrix",
      function() return sp.load_npz("spec/golden/files/two.npz").nnz end)
    raises("sparse.load_npz: the format is 'bsr', and cuna has csr, csc, coo and dia",
      function() return sp.load_npz("spec/golden/files/sparse_bsr.npz").nnz end)
    raises("sparse.save_npz: expected a sparse matrix, got a table",
      function() sp.save_npz("/dev/null", {{1}}) end)
  end)
end)
