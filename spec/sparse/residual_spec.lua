--- cn.sparse.linalg: what solvers call found has a residual within the tolerance, also where they compute it badly.
local cn = require "cuna"
local devices = require "spec.support.devices"

devices.each_device(function()
  local sl = cn.sparse.linalg

  local function norm(x) return cn.linalg.norm(x):item() end

  --- The residual relative to b.
  local function relative(A, x, b) return norm(b - A:dot(x)) / norm(b) end

  --- A matrix with ones on its diagonal and far from normal: residuals grow by many digits before they fall.
  local function lopsided(size, seed)
    local x = cn.random.default_rng(seed):standard_normal {size, size}
    return cn.sparse.csr_matrix(cn.eye(size) + cn.triu(x, 1))
  end

  it("bicgstab begins again where its residual has drifted away", function()
    local found = 0
    for _, seed in ipairs {3, 6} do
      local A, calls = lopsided(90, seed), 0
      local b = A:dot(cn.cos(cn.arange(90)))
      local x, info = sl.bicgstab(A, b, {rtol = 1e-8, maxiter = 3600})
      assert.is_true(info < 0 or info == 0 and relative(A, x, b) <= 1e-8)
      found = info == 0 and found + 1 or found
      if seed == 6 then
        local same, code = sl.bicgstab(A, b, {rtol = 1e-8, maxiter = 3600, callback = function() calls = calls + 1 end})
        assert.is_true(code == info and cn.allclose(same, x) and calls > 90)
      end
    end
    assert.is_true(found >= 1, tostring(found))
  end)

  it("numbers of the host give the bits of 0-d arrays", function()
    local scalars = require "cuna.sparse.linalg.scalars"
    local of = scalars.of
    finally(function() scalars.of = of end)
    local size = 60
    local A = (cn.sparse.random(size, size, 0.2, {random_state = 3, format = "csr"}) + cn.sparse.eye(size) * 4):tocsr()
    local S = (A + A.T):tocsr()
    local b = cn.sin(cn.arange(size))
    for _, dtype in ipairs {"float32", "float64", "complex64"} do
      for name, matrix in pairs {cg = S, cgs = A, bicgstab = A} do
        local results = {}
        for k, numbers in ipairs {of, function() return scalars.arrays end} do
          scalars.of = numbers
          local steps = 0
          local x, info = sl[name](matrix:astype(dtype), b:astype(dtype), {rtol = 1e-5, atol = 1e-7, maxiter = 30,
            callback = function() steps = steps + 1 end})
          results[k] = {x, info, steps}
        end
        assert.is_true(results[1][1] == results[2][1], name .. dtype)
        assert.same({results[1][2], results[1][3]}, {results[2][2], results[2][3]})
      end
    end
  end)

  it("what the dtype's precision does not allow is not found, and takes few iterations", function()
    local A = lopsided(40, 1):astype "float32"
    local b = A:dot(cn.cos(cn.arange(40, {dtype = "float32"})))
    for _, name in ipairs {"cg", "cgs", "bicgstab"} do
      local B = name == "cg" and A:matmul(A.T) or A
      for _, rtol in ipairs {1e-3, 1e-9} do
        local x, info = sl[name](B, b, {rtol = rtol, maxiter = 200})
        assert.is_true(info ~= 0 or relative(B, x, b) <= 1.001 * rtol, name)
      end
    end
    local D = cn.sparse.diags({-1, 2, -1}, {-1, 0, 1}, {60, 60}):astype "float32"
    local right = cn.cos(cn.arange(60, {dtype = "float32"}))
    local _, info = sl.cg(D, right, {rtol = 1e-12, maxiter = 10000})
    assert.is_true(info > 0 and info < 1000, tostring(info))
  end)

  it("minres finds no x whose residual only seems to be small", function()
    for _, seed in ipairs {4, 7} do
      local rng = cn.random.default_rng(seed)
      local Q = cn.linalg.qr(rng:standard_normal {80, 80})
      local A = (Q * (cn.logspace(0, -8, 80) * cn.where(cn.arange(80):mod(2):eq(0), 1, -1))):matmul(Q.T)
      local b, calls = rng:standard_normal(80), 0
      local x, info = sl.minres((A + A.T) / 2, b, {maxiter = 2000, callback = function() calls = calls + 1 end})
      assert.is_true(info == calls or info == 0 and norm(b - A:dot(x)) <= 8e-5 * norm(A) * norm(x))
    end
  end)
end)
