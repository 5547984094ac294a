--- Folds of products: on loops, which multiply and add at once, they give the bits that they give as kernels.
local process = require "spec.support.process"

local SCRIPT = [=[
local cn = require "cuna"
cn.device("cpu"):use()
local function show(name, x)
  print(name, (x:tobytes():gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
end
local dtypes = {"bool", "int8", "int32", "uint64", "float16", "float32", "float64", "complex64", "complex128"}
for _, dtype in ipairs(dtypes) do
  local a = ((cn.arange(3 * 1301) * 7 % 101 - 50) / 9):astype(dtype):reshape(3, 1301) -- several blocks
  local b = cn.flip(a, 2):copy()
  local cut, row, column = a[{{}, {1, 1300, 3}}], b[1], b[{{}, 5}]
  show(dtype .. " rows", cn.matmul(a, row))
  show(dtype .. " columns", cn.matmul(column, a))
  show(dtype .. " tall", cn.matmul(a.T, column))
  show(dtype .. " pairs of rows", cn.einsum("ij,ij->i", a, b))
  show(dtype .. " pairs of columns", cn.einsum("ij,ij->j", a, b))
  show(dtype .. " strided", cn.einsum("ij,ij->i", cut, b[{{}, {2, 1301, 3}}]))
  show(dtype .. " all", cn.vdot(a, b))
  if dtype == "float32" or dtype == "float64" then show(dtype .. " slid", cn.convolve(a[1], row[{{1, 40}}])) end
  show(dtype .. " zeros", cn.vdot(a * 0, -b:astype(dtype == "bool" and "int8" or dtype)))
  show(dtype .. " converted", (a * row):sum(1))
  show(dtype .. " wider", cn.einsum("ij,j->i", a, row:astype "complex128"))
end
]=]

describe("on loops", function()
  it("folds of products give what they give as kernels", function()
    local on_loops = process.must_run(SCRIPT, {CUNA_COMPILE = "never"})
    for line in on_loops:gmatch "[^\n]+" do assert.is_nil(line:find("no kernel is there", 1, true), line) end
    assert.are.equal(process.must_run(SCRIPT, {CUNA_COMPILE = "wait"}), on_loops)
  end)

  it("products that are folded are not stored before", function()
    local names = process.must_run([[
      local cn, core = require "cuna", require "cuna.core"
      cn.device("cpu"):use()
      core.prepare_begin()
      cn.einsum("ij,ij->i", cn.ones {2, 3}, cn.ones {2, 3})
      for name in pairs(core.prepare_loops()) do
        if name:find "^pairs\tfloat64" then print(name) end
      end
      core.prepare_end(false)]])
    assert.are.equal("pairs\tfloat64\twrap_neg(T(0))\twrap_add(a, b)\twrap_mul(x, y)\n", names)
  end)
end)
