-- Colour maps: matplotlib's colours, positions of numbers in them, and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/color_maps.lua"
local raises = require("spec.support.raises").raises

describe("cn.cm", function()
  devices.each_device(function(device)
    it("has matplotlib's colours, within 2 of 255", function()
      local x = cn.linspace(0, 1, 16)
      for map, colors in pairs(golden) do
        local got = cn.cm[map](x, {alpha = false})
        assert.equal(device, got.device)
        for k, rgb in ipairs(got:totable()) do
          for c, shift in ipairs {16, 8, 0} do
            local wanted = bit.band(bit.rshift(colors[k], shift), 255)
            assert.is_true(math.abs(rgb[c] - wanted) <= 2, ("%s, color %d: %d, %d"):format(map, k, rgb[c], wanted))
          end
        end
      end
    end)

    it("keeps the shape, and adds channels", function()
      assert.same({2, 3, 4}, {unpack(cn.cm.jet(cn.zeros {2, 3}).shape)})
      assert.same({3}, {unpack(cn.cm.jet(0.5, {alpha = false}).shape)})
      assert.same({0, 4}, {unpack(cn.cm.jet(cn.zeros(0)).shape)})
    end)

    it("places numbers between limits, and NaN nowhere", function()
      local x = cn.array({-1, 0, 5, 9.9, 10, 11, cn.inf, -cn.inf, cn.nan}, "float64")
      local got = cn.cm.gray(x, 0, 10, 0.5):totable()
      local values = {0, 0, 128, 253, 255, 255, 255, 0}
      for k, value in ipairs(values) do assert.same({value, value, value, 128}, got[k]) end
      assert.same({0, 0, 0, 0}, got[9])
    end)

    it("takes integers with limits, and bools", function()
      local labels = cn.array({1, 2, 5, 10}, "uint8")
      assert.same(cn.cm.tab10(cn.array {0, 0.1, 0.4, 1}):totable(), cn.cm.tab10(labels, 1, 10):totable())
      assert.same({{0, 0, 0}, {255, 255, 255}}, cn.cm.gray({false, true}, {alpha = false}):totable())
    end)
  end)

  it("raises errors", function()
    raises("cm.jet: int64 elements have no range of their own; give vmin and vmax", function()
      local _ = cn.cm.jet(cn.array({1}, "int64"))
    end)
    raises("cm.jet: complex numbers have no order", function() local _ = cn.cm.jet(cn.zeros(2, "complex64"), 0, 1) end)
    raises("cm.jet: alpha is false, or of 0 to 1, got 2", function() local _ = cn.cm.jet({0}, {alpha = 2}) end)
    raises("cm.jet: vmin and vmax are finite, and vmin is not greater, got 1 and 0", function()
      local _ = cn.cm.jet({0}, 1, 0)
    end)
    raises("cm has no function 'virides'; did you mean 'viridis'?", function() local _ = cn.cm.virides end)
  end)
end)
