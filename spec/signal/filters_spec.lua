--- Filters of cn.signal.
local cn = require "cuna"
local devices = require "spec.support.devices"
require("spec.support.signal").check_group "filters"

devices.each_device(function(device)
  describe("recursive filters", function()
    it("filter each of many long lines as if it were alone", function()
      local x = cn.random.default_rng(3):random({70, 8200})
      local b, a, sos = {0.1, 0.2, 0.1}, {1, -1.5, 0.7}, cn.signal.butter(4, 0.2, {output = "sos"})
      local filtered, in_sections = cn.signal.lfilter(b, a, x), cn.signal.sosfilt(sos, x)
      for _, line in ipairs {1, 33, 70} do
        assert.allclose(cn.signal.lfilter(b, a, x[line]), filtered[line], {rtol = 1e-11})
        assert.allclose(cn.signal.sosfilt(sos, x[line]), in_sections[line], {rtol = 1e-11})
      end
      assert.equal(device, filtered.device)
    end)

    it("chain groups of groups of parts", function()
      local n, pole = 140000, 0.99999
      local sums = cn.signal.lfilter({1}, {1, -pole}, cn.ones(n))
      local last = sums[{{n - 99, n}}]
      assert.allclose((1 - pole ^ cn.arange(n - 99, n + 1)) / (1 - pole), last, {rtol = 1e-9})
      local _, state = cn.signal.lfilter({1}, {1, -pole}, cn.ones(n), {zi = {3}})
      assert.allclose(last[{{100, 100}}] * pole + 3 * pole ^ n, state, {rtol = 1e-9})
    end)

    it("give one value without states", function()
      assert.equal(1, select("#", cn.signal.lfilter({1}, {1, -0.5}, {1, 1})))
      assert.equal(1, select("#", cn.signal.sosfilt({{1, 0, 0, 1, -0.5, 0}}, {1, 1})))
      assert.equal(2, select("#", cn.signal.lfilter({1}, {1, -0.5}, {1, 1}, {zi = {2}})))
    end)
  end)
end)
