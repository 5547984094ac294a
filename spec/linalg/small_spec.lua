--- Stacks of small real matrices, whose operations GPUs do by kernels of cuna's own: residuals at the edges of their
--- teams, matrices without full rank, of extreme sizes, and with NaN beside others.
local cn = require "cuna"
local devices = require "spec.support.devices"
local it = devices.rehearsed_it()

local EPSILON = { float32 = 2 ^ -23, float64 = 2 ^ -52 }

local function matrices(seed, dtype, ...)
  return cn.random.default_rng(seed):normal(0, 1, { ... }):astype(dtype)
end

local function turned(x) return x:swapaxes(-1, -2) end

--- Asserts that two arrays differ by less than some units in the last place of 1.
local function close(a, b, units, what)
  local far = (a - b):abs():max():item() / EPSILON[a.dtype]
  assert(far <= units, ("%s: %.3g units, at most %g"):format(what, far, units))
end

local function fails(words, call)
  local fine, message = pcall(call)
  assert.is_false(fine)
  assert.is_truthy(message:find(words, 1, true), message)
end

local function identity(n, dtype) return cn.eye(n, nil, nil, dtype) end

devices.each_device(function()
  describe("small matrices", function()
    for _, dtype in ipairs { "float32", "float64" } do
      it("are solved and factored: " .. dtype, function()
        for n, batch in pairs { [1] = 3, [3] = 70, [4] = 1, [9] = 2, [32] = 1 } do
          local a = matrices(n, dtype, batch, n, n)
          local whole = cn.matmul(a, turned(a)) + n * identity(n, dtype)
          local b, what = matrices(1, dtype, batch, n, 5), dtype .. " " .. n
          local one = identity(n, dtype) + cn.zeros_like(whole)
          close(cn.matmul(cn.linalg.inv(whole), whole), one, 50 * n, "inv " .. what)
          close(cn.matmul(whole, cn.linalg.solve(whole, b)), b, 100 * n, "solve " .. what)
          local l, u = cn.linalg.cholesky(whole), cn.linalg.cholesky(whole, { upper = true })
          close(cn.matmul(l, turned(l)), whole, 50 * n, "cholesky " .. what)
          close(cn.matmul(turned(u), u), whole, 50 * n, "upper cholesky " .. what)
          close(cn.linalg.det(l), l:diagonal(0, 2, 3):prod(2), 8 * 2 ^ n * n ^ (n / 2), "det " .. what)
        end
      end)

      it("have eigenvalues: " .. dtype, function()
        for n, batch in pairs { [1] = 3, [3] = 70, [5] = 2, [16] = 1 } do
          local a, what = matrices(n, dtype, batch, n, n), dtype .. " " .. n
          local s = a + turned(a)
          for _, uplo in ipairs { "L", "U" } do
            local w, v = cn.linalg.eigh(uplo == "L" and cn.tril(s) or cn.triu(s), uplo)
            close(cn.matmul(s, v), v * w:expand_dims(2), 20 * n, "eigh " .. what)
            close(cn.matmul(turned(v), v), identity(n, dtype) + cn.zeros_like(s), 20 * n, "vectors " .. what)
            assert.is_true((cn.diff(w):ge(0)):all())
            close(cn.linalg.eigvalsh(s), w, 20 * n, "values " .. what)
          end
        end
      end)

      it("have singular values, also without full rank: " .. dtype, function()
        for _, shape in ipairs { { 1, 1, 3 }, { 3, 2, 70 }, { 2, 4, 5 }, { 8, 8, 1 }, { 16, 5, 1 } } do
          local m, n, batch = unpack(shape)
          local x, least = matrices(m, dtype, batch, m, n), math.min(m, n)
          if least > 1 then x["2:, :, 2"], x["1"] = x["2:, :, 1"], 0 end
          for _, full in ipairs { false, true } do
            local u, s, v = cn.linalg.svd(x, full)
            local what = ("svd %s %d x %d"):format(dtype, m, n)
            local rebuilt = cn.matmul(u[{ {}, {}, { 1, least } }] * s:expand_dims(2), v[{ {}, { 1, least } }])
            close(rebuilt, x, 20 * (m + n), what)
            for _, w in ipairs { turned(u), v } do
              local rows = w.shape[2]
              local one = identity(rows, dtype) + cn.zeros({ batch, rows, rows }, dtype)
              close(cn.matmul(w, turned(w)), one, 20 * (m + n), what)
            end
            assert.is_true((cn.diff(s):le(0)):all())
            close(cn.linalg.svdvals(x), s, 20 * (m + n), what)
          end
        end
      end)

      it("may be tiny or huge: " .. dtype, function()
        for _, scale in ipairs(dtype == "float32" and { 1e-36, 1e36 } or { 1e-300, 1e300 }) do
          local a = matrices(4, "float64", 5, 3, 3)
          local s = a + turned(a)
          local values = cn.linalg.eigvalsh((s * scale):astype(dtype)):astype "float64" / scale
          assert.is_true(cn.allclose(values, cn.linalg.eigvalsh(s), 1e-5, 1e-6))
          values = cn.linalg.svdvals((a * scale):astype(dtype)):astype "float64" / scale
          assert.is_true(cn.allclose(values, cn.linalg.svdvals(a), 1e-5, 1e-6))
        end
      end)

      it("with NaN leave others as they are: " .. dtype, function()
        local a = matrices(7, dtype, 5, 4, 4)
        local s = a + turned(a)
        local good = { cn.linalg.eigvalsh(s), cn.linalg.svd(a, { compute_uv = false }), cn.linalg.inv(a) }
        s[{ 3, 2, 2 }], a[{ 3, 2, 2 }] = cn.nan, cn.nan
        local none = { check = false }
        local found = { cn.linalg.eigvalsh(s, none), cn.linalg.svd(a, { compute_uv = false, check = false }),
          cn.linalg.inv(a, none) }
        for k, values in ipairs(found) do
          assert.is_true(cn.isnan(values["3"]):any())
          assert.is_true(values["1:2"] == good[k]["1:2"] and values["4:5"] == good[k]["4:5"])
        end
        fails("matrix 3 of the stack did not converge", function() cn.linalg.eigvalsh(s):get() end)
      end)

      it("that are singular or not definite are named: " .. dtype, function()
        local a = identity(3, dtype) + cn.zeros({ 4, 3, 3 }, dtype)
        a[{ 2, 3, 3 }] = 0
        fails("matrix 2 of the stack is singular", function() cn.linalg.inv(a):get() end)
        assert.are_same({ 1, 0, 1, 1 }, cn.linalg.det(a):totable())
        a[{ 2, 3, 3 }] = -1
        fails("matrix 2 of the stack is not positive definite", function() cn.linalg.cholesky(a):get() end)
      end)
    end
  end)
end)
