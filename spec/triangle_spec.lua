--- Matrices made of diagonals, and triangles of matrices, against comparisons of rows and columns.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()

--- Columns minus rows of an (n, m) matrix.
local function diagonals(n, m) return cn.arange(m) - cn.arange(n):reshape(n, 1) end

devices.each_device(function()
  it("eye and tri have ones where they belong", function()
    for _, case in ipairs {{1, 1, 0}, {3, 5, 1}, {5, 3, -2}, {4, 4, 9}, {4, 4, -9}, {0, 3, 0}, {3, 0, 1}, {1, 300, 299},
      {301, 7, -40}, {97, 1001, 13}} do
      local n, m, k = unpack(case)
      local on = diagonals(n, m)
      assert.is_true(cn.array_equal(on:eq(k):astype "float64", cn.eye(n, m, k)))
      assert.is_true(cn.array_equal(on:le(k), cn.tri(n, m, k, "bool")))
      assert.is_true(cn.array_equal(on:eq(0):astype "int8", cn.eye(n, m, 0, "int8")))
    end
    assert.is_true(cn.array_equal(diagonals(211, 211):eq(0):astype "complex64", cn.identity(211, "complex64")))
  end)

  it("tril and triu keep what is on their side, in any layout", function()
    for _, case in ipairs {{3, 5}, {5, 3}, {1, 1}, {0, 4}, {4, 0}, {2, 3, 4}, {2, 2, 3, 2}, {33, 70}, {5, 1, 9}} do
      local x = (cn.arange(1, cn.zeros(case).size + 1)):reshape(case)
      local on = diagonals(case[#case - 1], case[#case])
      for _, k in ipairs {0, 1, -1, 2, -100, 100} do
        for _, layout in ipairs {x, x.T:copy().T, (-x)[{cn.ellipsis, {-1, 1, -1}}] * -1} do
          assert.is_true(cn.array_equal(layout * on:le(k), cn.tril(layout, k)))
          assert.is_true(cn.array_equal(layout * on:ge(k), cn.triu(layout, k)))
        end
      end
    end
  end)

  it("tril and triu keep every digit and NaN, and replace NaN", function()
    local large = cn.full({2, 2}, 2 ^ 62, "int64") + 1
    assert.same({{2 ^ 62 + 1LL, 0}, {2 ^ 62 + 1LL, 2 ^ 62 + 1LL}},
      cn.tril(large):totable())
    local numbers = cn.full({2, 2}, 0 / 0)
    assert.same({{true, false}, {true, true}}, cn.isnan(cn.tril(numbers)):totable())
    assert.equal("bool float16 complex128", ("%s %s %s"):format(cn.triu(cn.ones({2, 2}, "bool")).dtype,
      cn.triu(cn.ones({2, 2}, "float16")).dtype, cn.triu(cn.ones({2, 2}, "complex128")).dtype))
  end)
end)
