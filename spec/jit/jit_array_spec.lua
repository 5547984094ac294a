--- Arrays in kernels written in Lua: rows and strides, on every device.
local cn = require "cuna"
local devices = require "spec.support.devices"

local jit = cn.jit

devices.each_device(function()
  local function zeros(shape, dtype) return cn.zeros(shape, dtype or "float64") end

  describe("an array in a kernel", function()
    it("has rows, which are arrays", function()
      local function scale(row, by) -- an argument that is written to
        local sum = 0
        for j = 1, #row do
          row[j] = row[j] * by
          sum = sum + row[j]
        end
        return sum
      end
      local kernel = jit.rawkernel(function(x, out)
        for i = jit.grid(1), #x, jit.gridsize(1) do
          local row = x[i]
          out[{ i, 1 }] = scale(row, 2) + 1000 * row.ndim + row.strides[1]
          out[{ i, 2 }] = scale(x[i], 3)
          row[1] = 0.5
        end
      end)
      local base = cn.arange(48):reshape(6, 8)
      for _, x in ipairs { base, base.T, base["::2, ::-3"] } do
        x = x:astype "float64"
        local out, sums = zeros { #x, 2 }, x:sum(2)
        kernel(2, 2, { x.T:copy().T, out })
        kernel(2, 2, { x, out })
        assert.is_true(out[":, 1"] == sums * 2 + 1000 + x.strides[2] and out[":, 2"] == sums * 6)
        assert.is_true(x[":, 1"]:eq(0.5):all())
      end
      local parts = jit.rawkernel(function(c, out)
        local m = c[2]
        local row = m[3]
        out[1], out[2], out[3] = row[4], m[{ 1, 2 }], c[{ 2, 2 }][1]
        out[4], out[5] = #c[{ 1, 1 }], c[1].shape[2]
        local room = jit.shared_memory("int64", { 2, 3 })
        room[2][3] = 6
        local part = room[2]
        out[6] = part[3]
      end)
      local out = zeros(6, "int64")
      parts(1, 1, { cn.arange(24):reshape(2, 3, 4), out })
      assert.same({ 23, 13, 16, 4, 4, 6 }, out:totable())
    end)

    it("knows strides in bytes", function()
      local read = jit.rawkernel(function(x, out)
        local room = jit.shared_memory("int16", { 4, 5 })
        for d = 1, #x.strides do out[d] = x.strides[d] end
        out[4], out[5] = x.strides[2], room.strides[1]
      end)
      local x, out = cn.zeros({ 2, 3, 4 }, "int16"), zeros(5, "int64")
      for _, view in ipairs { x, x.T, x["::-1, :, ::3"], cn.zeros({ 2, 3, 4 }, "bool"), cn.zeros({ 1, 0, 2 }) } do
        read(1, 1, { view, out })
        local strides = view.strides
        assert.same({ strides[1], strides[2], strides[3], strides[2], 10 }, out:totable())
      end
    end)
  end)
end)
