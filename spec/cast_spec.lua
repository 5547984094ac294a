--- astype between every two dtypes: saturation, wrapping, rounding, and what has no number in the target.
local cn = require "cuna"
local core = require "cuna.core"
local bits = require "spec.support.bits"
local devices = require "spec.support.devices"
local golden = dofile("spec/golden/cast.lua")

local DTYPES = {}
for i, dtype in ipairs(core.dtypes) do DTYPES[i] = dtype.name end

local function source(dtype) return bits.array(bits.from_hex(golden.source[dtype]), dtype) end

devices.each_device(function()
  setup(function()
    cn.prepare(function()
      for _, from in ipairs(DTYPES) do
        for _, to in ipairs(DTYPES) do source(from):astype(to) end
      end
    end)
  end)

  for _, from in ipairs(DTYPES) do
    it("turns " .. from .. " into every dtype", function()
      local x, findings = source(from), {}
      local bytes = bits.from_hex(golden.source[from])
      for _, to in ipairs(DTYPES) do
        local result = x:astype(to)
        assert.equal(to, result.dtype)
        local message = bits.why_different(result:tobytes(), bits.from_hex(golden.cast[from][to]), to, 0, function(i)
          return bits.show(bytes, from, i)
        end)
        findings[#findings + 1] = message and ("%s to %s: %s"):format(from, to, message)
      end
      assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
    end)
  end

  it("copies even to its own dtype", function()
    local x = cn.arange(3)
    local y = x:astype "int64"
    y:add_(1)
    assert.same({0, 1, 2}, x:totable())
  end)
end)
