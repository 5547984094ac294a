--- Rows of any length, however blocks share them, and with positions of 64 bits.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local process = require "spec.support.process"
local row_cases = require "spec.support.row_cases"

devices.each_device(function()
  it("of any length give what contiguous copies give", row_cases.check)

  it("give the same with 64-bit indices", function()
    local output = process.must_run(([[
      package.path = %q .. "/?.lua;" .. package.path
      require("cuna").device(%q):use()
      require("spec.support.index_bits").print(require("spec.support.row_cases").check)
    ]]):format(process.root, cn.device().name), {CUNA_INDEX_LIMIT = "1"})
    index_bits.assert_wide(output, {"subtract", "add"})
  end)

  it("count their elements", function()
    for _, shape in ipairs {{70, 20}, {70, 300}, {3, 70, 300}} do
      local wide = cn.zeros({unpack(shape, 1, #shape - 1)}, "int64"):reshape(-1, 1)
      local out = cn.zeros({wide.size, shape[#shape] + 1}, "int64")[":, 2:"]
      local number = cn.ElementwiseKernel("int64 x", "int64 y", "y = x + i", "number")
      number(cn.broadcast_to(wide, out.shape), out)
      assert.is_true(cn.array_equal(out:flatten(), cn.arange(out.size)))
    end
  end)
end)
