--- Draws in fused functions: every call draws the numbers of the unfused expression.
local cn = require "cuna"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared

local function rng(seed) return cn.random.default_rng(seed) end

--- Calls a fused function and the plain one, with a generator each, and compares what they answer.
local function compare(make, ...)
  local fused, plain = cn.fuse(make(rng(5))), make(rng(5))
  for _ = 1, 2 do
    local got, expected = {fused(...)}, {plain(...)}
    for i, value in ipairs(expected) do
      if not preparing.rehearsing then
        assert.equal(value.dtype, got[i].dtype)
        assert.is_true(cn.allclose(got[i], value, 1e-6), "result " .. i)
      end
    end
  end
end

devices.each_device(function()
  describe("fused functions draw", function()
    local x = cn.arange(6):reshape(2, 3) + 0.5

    it("beside elements", prepared(function()
      compare(function(g) return function(a) return a + g:normal(0, 2, a.shape), g:random(a.shape) * a end end, x)
      compare(function(g) return function(a) return g:integers(10, {size = {2, 3}, dtype = "int8"}) + a end end, x)
      compare(function(g) return function(a) return g:exponential {size = a.shape, dtype = "float32"} + a end end, x)
    end))

    it("with parameters that are arrays, or are computed", prepared(function()
      compare(function(g)
        return function(a) return g:normal(a, 1) + 1, g:uniform(a * 2, a * 3, {4, 2, 3}) end
      end, x)
      compare(function(g) return function(a, s) return g:normal(s, 1, 4), a * 1 end end, x, 3)
    end))

    it("in another shape than the rest has, and beside folds", prepared(function()
      compare(function(g) return function(a) return a + g:random(3), g:normal() * a end end, x)
      compare(function(g) return function(a) return (a + g:random(a.shape)):sum(2) end end, x)
      compare(function(g)
        return function(a)
          local noisy = a + g:normal(0, 1, a.shape)
          return noisy / noisy:sum(2, {keepdims = true}), g:normal(a:mean(), 1, 5)
        end
      end, x)
    end))

    it("into arrays of the call", prepared(function()
      local a = cn.zeros(5)
      local fused, g = cn.fuse(function(g, y) g:random {out = y} return y:add_(1) * 2 end), rng(5)
      local got = fused(g, a)
      if preparing.rehearsing then return end
      local expected = rng(5):random(5) + 1
      assert.is_true(cn.allclose(a, expected))
      assert.is_true(cn.allclose(got, expected * 2))
    end))

    it("from cn.random's own generator", prepared(function()
      local fused = cn.fuse(function(a) return a + cn.random.rand(2, 3), a * cn.random.normal(0, 1, 3) end)
      cn.random.seed(4)
      local first, second = {fused(x)}, {fused(x)}
      cn.random.seed(4)
      for _, got in ipairs {first, second} do
        local one, other = x + cn.random.rand(2, 3), x * cn.random.normal(0, 1, 3)
        if not preparing.rehearsing then
          assert.is_true(cn.allclose(got[1], one))
          assert.is_true(cn.allclose(got[2], other))
        end
      end
    end))

    it("makes a new order at every call", function()
      local g = rng(5)
      local fused = cn.fuse(function(a) return a + g:permutation(3) end)
      local plain = rng(5)
      for _ = 1, 2 do assert.equal(plain:permutation(3) + x, fused(x)) end
    end)
  end)
end)

describe("draws in fused functions", function()
  it("refuse parameters that are none, and take those that are arrays", function()
    local g, x = rng(1), cn.arange(4) + 1
    raises("normal: scale must not be negative, got -1", function() return (cn.fuse(function(a, s)
      local y = a + g:normal(0, s, 4)
      return y
    end)(x, -1)) end)
    compare(function(own) return function(a) return own:integers(a, 9) end end, x)
    raises("normal: shapes (3,) and (4,) do not broadcast", function() return (cn.fuse(function(a)
      local y = g:normal(a, 1, 3)
      return y
    end)(x)) end)
  end)
end)
