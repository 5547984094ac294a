--- Products with few sums and a long inner axis, of which the cpu device's threads have parts.
local cn = require "cuna"
local devices = require "spec.support.devices"

--- Small whole numbers, of which sums of products are exact.
local function filled(rows, columns, dtype, shift)
  return ((cn.arange(rows * columns) * 7 + shift) % 5 - 2):reshape(rows, columns):astype(dtype)
end

describe("a product with a long inner axis", function()
  devices.each_device(function(device)
    local dtypes = {"float32", "complex128"}
    if device.kind == "cpu" then dtypes = {"float32", "float64", "complex64", "complex128"} end
    for _, lengths in ipairs {{3, 4096, 5}, {32, 6001, 32}, {33, 4100, 32}, {2, 20000, 2}, {7, 4095, 3}} do
      local m, k, n = unpack(lengths)
      it(("adds all of it: %d x %d x %d"):format(m, k, n), function()
        for _, dtype in ipairs(dtypes) do
          local a, b = filled(m, k, dtype, 1), filled(k, n, dtype, 2)
          local expected = cn.matmul(filled(m, k, "int64", 1), filled(k, n, "int64", 2)):astype(dtype)
          local out = cn.zeros({m, n + 2}, dtype)
          cn.matmul(a, b, {out = out[{{}, {2, n + 1}}]})
          assert.is_true(cn.array_equal(expected, cn.matmul(a, b)), dtype)
          assert.is_true(cn.array_equal(expected, cn.matmul(a.T:copy().T, b)), dtype)
          assert.is_true(cn.array_equal(expected, cn.matmul(a, b.T:copy().T)), dtype)
          assert.is_true(cn.array_equal(expected, out[{{}, {2, n + 1}}]), dtype)
          assert.is_false(out[{{}, {1, n + 2, n + 1}}]:any())
        end
      end)
    end

    it("gives the same bits each time", function()
      local a, b = cn.random.default_rng(1):random({20000, 6}), cn.random.default_rng(2):random({20000, 4})
      local first = cn.matmul(a.T, b)
      for _ = 1, 5 do assert.is_true(cn.array_equal(first, cn.matmul(a.T, b))) end
    end)
  end)
end)
