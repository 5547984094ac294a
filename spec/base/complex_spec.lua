-- Arithmetic of LuaJIT's complex numbers, which elements of complex arrays are. Golden values are CPython's.
require "cuna.luassert"
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

describe("complex numbers", function()
  local z = cn.complex(1, 2)

  local function near(re, im, value)
    assert.is_true(math.abs(value.re - re) < 1e-14 and math.abs(value.im - im) < 1e-14, tostring(value))
  end

  it("have the four operations among themselves and with numbers", function()
    near(4, 6, z + (3 + 4i))
    near(-1, 2, z - 2)
    near(1, -2, 2 - z + (0 * z))
    near(-5, 10, z * (3 + 4i))
    near(0.44, 0.08, z / (3 + 4i))
    near(0.4, -0.8, 2 / z)
    near(6, 2, z + 5LL)
    near(-1, -2, -z)
    assert.equal("inf+infI", tostring(z / 0))
    near(1e300, 0, (1e300 + 1e300i) / (1 + 1i))
  end)

  it("have powers", function()
    near(-3, 4, z ^ 2)
    near(-0.12, -0.16, z ^ -2)
    near(1, 0, z ^ 0)
    near(1.272019649514069, 0.7861513777574233, z ^ 0.5)
    near(-0.22251715680177267, 0.10070913113607541, z ^ z)
    near(0.7692389013639721, 0.6389612763136348, 2 ^ 1i)
    near(0, 0, 0i ^ 2)
  end)

  it("are equal by value", function()
    assert.is_true(z == 1 + 2i and 2 + 0i == cn.complex(2) and z ~= 1 + 3i)
    assert.is_false(z == nil or z == "1+2i" or z == {})
  end)

  it("have parts and a text", function()
    assert.same({1, 2, 1, 2}, {z.re, z.im, z.real, z.imag})
    assert.equal("z = 1+2i", "z = " .. z)
    raises("a complex number has the fields re and im, and no 'conj'; functions such as cn.abs(z) take it",
      function() return z.conj() end)
  end)

  it("reject what has no arithmetic", function()
    raises("add: expected a number or an array beside the complex number 1+2i, got nil", function()
      local sum = z + nil
      return sum
    end)
    raises("multiply: expected a number or an array beside the complex number 1+2i, got string", function()
      local product = "2" * z
      return product
    end)
  end)

  it("stand on the left of polynomials and of fused values", function()
    assert.equal("(0+2i) x + (0+4i)", tostring(2i * cn.poly1d {1, 2}))
    assert.equal("[0.+0.j 0.+2.j]", tostring(cn.fuse(function(a) return 2i * a end)(cn.arange(2))))
  end)
end)

devices.each_device(function(device)
  describe("complex numbers and arrays", function()
    local it = devices.rehearsed_it()

    it("on either side", function()
      device:with(function()
        local x = cn.array {1, 2}
        assert.equal("[0.+2.j 0.+4.j]", tostring(2i * x))
        assert.equal("[-1.+2.j -2.+2.j]", tostring(2i - x))
        assert.equal("[0.+2.j 0.+1.j]", tostring(2i / x))
        assert.equal("[0.+2.j 0.+4.j]", tostring(x * 2i))
      end)
    end)

    it("as elements", function()
      device:with(function()
        local x = cn.array {1 + 2i, 3}
        assert.is_true(x[1] == 1 + 2i)
        assert.is_true(x[1] * x[2] == 3 + 6i)
        assert.is_true(2 * x:sum():item() == 8 + 4i)
      end)
    end)
  end)
end)
