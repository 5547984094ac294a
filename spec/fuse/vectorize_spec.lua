--- cn.vectorize: functions of numbers, applied to elements.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function()
  describe("vectorize", function()
    it("applies a function of numbers to elements, numbers and tables", function()
      local f = cn.vectorize(function(a, b) return math.max(a, b) ^ 2, a + b end)
      local x, y = f({1, 5, 3}, 4)
      assert.equal("[16. 25. 16.] [5. 9. 7.]", tostring(x) .. " " .. tostring(y))
      assert.equal("float32", f(cn.ones(2, "float32"), 2).dtype)
      assert.equal(16, (f(4, 2)))
      assert.equal("<vectorize clamp>", tostring(cn.vectorize(function(a) return a end, {name = "clamp"})))
    end)

    it("gives results of the shape that arguments broadcast to, whatever it reads of them", function()
      local x = cn.array {5, 6}
      assert.equal("[1 1]", tostring(cn.vectorize(function(_) return 1 end)(x)):gsub("%s+", " "))
      assert.equal(1, cn.vectorize(function(_) return 1 end)(3))
      local a, half = cn.vectorize(function(a, _) return a, 0.5 end)({1, 2}, {{1}, {2}})
      assert.are.same({{1, 2}, {1, 2}}, a:totable())
      assert.are.same({{0.5, 0.5}, {0.5, 0.5}}, half:totable())
      assert.is_false(cn.shares_memory(cn.vectorize(function(_, b) return b end)(x, {{1}}), x))
      raises("vectorized: the function returns no value", function() cn.vectorize(function(_) end)(x) end)
      raises("vectorized: the function gave a table, not numbers", function()
        cn.vectorize(function(_) return {} end)(x)
      end)
    end)

    it("finds conditions in what is called from tables, and random numbers", function()
      local function decide(v) return v == 1 and 10 or 0 end
      local calls, list, where = {decide = decide, inner = {decide = decide}}, {decide}, cn.where
      for _, fn in ipairs {
        function(v) return calls.decide(v) end,
        function(v) return calls.inner.decide(v) end,
        function(v) return list[1](v) end,
      } do
        assert.are.same({0, 10, 0}, cn.vectorize(fn)({0, 1, 2}):totable())
      end
      assert.are.same({0, 2}, cn.vectorize(function(v) return where(v:gt(1), v, 0) end)(cn.array {1, 2}):totable())
      raises("vectorized: math.random: kernels have no random numbers of the host", function()
        cn.vectorize(function(v) return math.random() + v end)({1, 2})
      end)
    end)
  end)
end)
