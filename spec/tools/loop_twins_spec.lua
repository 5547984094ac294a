--- Names of loops that compute the same bits.
local twins = require "cuna.tools.loop_twins"

require "cuna.luassert"

local function name(...) return table.concat({...}, "\t") end

describe("loops of one function", function()
  it("wrap and compare whole numbers with a sign or without", function()
    assert.equal(name("step", "uint16", "uint16,uint16", "wrap_add(a, b)"),
      twins.of(name("step", "int16", "int16,int16", "wrap_add(a, b)")))
    assert.equal(name("step", "bool8", "uint64,uint64", "equal(a, b)"),
      twins.of(name("step", "bool8", "int64,int64", "equal(a, b)")))
    assert.equal(name("fold", "uint8", "T", "T(1)", "a", "wrap_mul(a, b)"),
      twins.of(name("fold", "int8", "T", "T(1)", "a", "wrap_mul(a, b)")))
    assert.equal(name("scan", "uint64", "wrap_add(a, b)"), twins.of(name("scan", "int64", "wrap_add(a, b)")))
  end)

  it("choose among values of one size", function()
    assert.equal(name("step", "uint32", "bool8,uint32,uint32", "choose(a, b, c)"),
      twins.of(name("step", "float32", "bool8,float32,float32", "choose(a, b, c)")))
    assert.equal(name("step", "complex128", "int64,int64,complex128,complex128", "a - b == 0 ? c : d"),
      twins.of(name("step", "complex128", "int64,int64,complex128,complex128", "a - b == 0 ? c : d")))
  end)

  it("convert the low bits of whole numbers", function()
    assert.equal(name("convert", "uint16", "uint64"), twins.of(name("convert", "int16", "int64")))
    assert.equal(name("convert", "uint64", "int16"), twins.of(name("convert", "int64", "int16")))
  end)

  it("are others where a sign, a size or NaN matters", function()
    for _, own in ipairs {
      name("step", "bool8", "int64,uint64", "equal(a, b)"), -- of two dtypes
      name("step", "bool8", "int64,int64", "less(a, b)"),
      name("step", "int8", "int8,int8", "shift_right(a, b)"),
      name("step", "float64", "int64,int64,int64", "wrap_add(b, wrap_mul(a, c))"),
      name("step", "bool8", "bool8,bool8,bool8", "choose(a, b, c)"), -- any byte but 0 is true
      name("step", "float16", "bool8,float16,float16", "choose(a, b, c)"), -- whose values are float32
      name("step", "float32", "float32,float32", "fmin(a, b)"),
      name("convert", "int8", "float32"), -- saturates
      name("convert", "float32", "int32"),
      name("fold", "int8", "T", "least<T>()", "a", "maximum(a, b)"),
      name("scan", "int64", "maximum(a, b)"),
      name("load", "uint8", "unit"),
    } do
      assert.equal(own, twins.of(own))
    end
  end)
end)
