--- Values of the rows of kernels/special_order.cuh and special_order_ik.cuh.
require("spec.support.special").check_family "order"

local cn = require "cuna"
local devices = require "spec.support.devices"

-- Values of mpmath.
devices.each_device(function()
  it("Y and K of subnormal arguments, and J and I of arguments near them", function()
    local function is_near(expected, name, v, x)
      local got = cn.special[name](cn.array {v}, cn.array {x}):item()
      assert(got == expected or math.abs(got / expected - 1) < 1e-15, ("%s(%g, %g) = %.17g"):format(name, v, x, got))
    end
    is_near(-7.9788456080286657e154, "yv", 0.5, 1e-310)
    is_near(1.2533141373155022e155, "kv", 0.5, 1e-310)
    is_near(-1.1723523233093113e93, "yv", 0.3, 1e-310)
    is_near(1.8415267231637291e93, "kv", 0.3, 1e-310)
    is_near(-math.huge, "yv", 1, 1e-310)
    is_near(math.huge, "kv", 2.5, 5e-324)
    is_near(5e-301, "jv", 1, 1e-300)
    is_near(-5e-301, "jv", -1, 1e-300)
    is_near(5e-301, "iv", 1, 1e-300)
  end)
end)
