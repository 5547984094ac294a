-- Kernels of the cpu device, optimised as users have them, where the suite's are not: their bits are those of loops.
local process = require "spec.support.process"

-- Sums, products and roundings of numbers of 32 digits, which any FMA that the text does not have would change.
local SCRIPT = [[
local cn = require "cuna"
local v, x = cn.linspace(0.01, 3, 200), cn.evaluate(cn.linspace(1e-4, 0.9, 200) ^ 2)
local S = cn.special
for _, y in ipairs {S.kv(v, x), S.jv(v, x), S.lambertw(x), S.hyp2f1(v, x, 2.5, x)} do
  print((y:tobytes():gsub(".", function(byte) return ("%02x"):format(byte:byte()) end)))
end
local a = cn.arange(6)
print(a:putmask(a, a * 2), cn.arange(6):place(cn.arange(6), {7, 8})) -- masks of any dtype
]]

describe("optimised kernels", function()
  it("have the bits of loops", function()
    local function run(compile)
      return process.must_run(SCRIPT, {CUNA_DEVICE = "cpu", CUNA_CACHE_DIR = "off", CUNA_PACK_DIR = "off",
        CUNA_CPU_FLAGS = false, CUNA_COMPILE = compile})
    end
    assert.equal(run "never", run "wait")
  end)
end)
