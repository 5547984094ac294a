--- Windows, bits in bytes, and facts about dtypes: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/corners.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared

devices.each_device(function()
  it("windows agree with NumPy", prepared(function()
    for number, case in ipairs(values.windows) do
      same(case.result, cn[case.name](case.m, case.beta), case.name .. " " .. number, 1e-14)
    end
  end))

  it("windows have the default dtype", function()
    cn.set_default_dtype "float32"
    local dtype = cn.hanning(4).dtype
    cn.set_default_dtype "float64"
    assert.equal("float32", dtype)
  end)

  it("packbits and unpackbits agree with NumPy", prepared(function()
    for number, case in ipairs(values.packings) do
      local x = laid_out(array(case.x), number)
      same(case.result, cn.packbits(x, case.axis, case.order), "case " .. number)
    end
    for number, case in ipairs(values.unpackings) do
      local x = laid_out(array(case.x), number)
      same(case.result, cn.unpackbits(x, case.axis, case.count, case.order), "case " .. number)
    end
  end))

  it("bits come back from bytes", function()
    local x = (cn.arange(3 * 1001) * 7919 % 13):lt(5):reshape(3, 1001)
    local whole = x[{{}, {1, 1000}}]
    assert.is_true(cn.array_equal(cn.packbits(whole:copy(), 2), cn.packbits(whole, 2)))
    assert.is_true(cn.array_equal(cn.packbits(whole:astype "uint8" * 64, 2), cn.packbits(whole:astype "float32", 2)))
    local back = cn.unpackbits(cn.packbits(x, 2), {axis = 2, count = 1001})
    assert.is_true(cn.array_equal(x, back))
    assert.is_true(cn.array_equal(x.T, cn.unpackbits(cn.packbits(x.T, 1, "little"), 1, 1001, "little")))
  end)
end)

describe("facts about dtypes", function()
  it("of floats are NumPy's", function()
    for _, case in ipairs(values.floats) do
      local info = cn.finfo(case.dtype)
      for field, expected in pairs(case) do
        -- NumPy rounds the resolution to the dtype.
        local close = type(expected) == "number" and math.abs(info[field] / expected - 1) < 1e-3
        assert(info[field] == expected or field == "resolution" and close,
          ("%s %s: %s, expected %s"):format(case.dtype, field, tostring(info[field]), tostring(expected)))
      end
    end
    assert.equal(2 ^ -7, cn.finfo("bfloat16").eps)
    assert.equal("float32", cn.finfo(cn.zeros(1, "complex64")).dtype)
    assert.equal("float64", cn.finfo(1.5).dtype)
  end)

  it("of integers are NumPy's", function()
    for _, case in ipairs(values.integers) do
      local info = cn.iinfo(case.dtype)
      assert.is_true(info.bits == case.bits and info.min == case.min and info.max == case.max, case.dtype)
    end
  end)

  it("families", function()
    for _, case in ipairs {
      {"int8", "integer", true}, {"int8", "signedinteger", true}, {"uint8", "signedinteger", false},
      {"float16", "floating", true}, {"bfloat16", "inexact", true}, {"complex64", "inexact", true},
      {"bool", "number", false}, {"bool", "generic", true}, {"bool", "bool", true}, {"integer", "number", true},
      {"number", "integer", false}, {"int8", "int16", false}, {"floating", "float32", false},
    } do
      assert.equal(case[3], cn.issubdtype(case[1], case[2]), case[1] .. " " .. case[2])
    end
    for _, case in ipairs {
      {"int8", "integral", true}, {"int8", "numeric", true}, {"bool", "numeric", false}, {"bool", "bool", true},
      {"float32", "real floating", true}, {"complex64", "complex floating", true}, {"uint8", "unsigned integer", true},
      {"uint8", "signed integer", false}, {"float32", "float32", true}, {"float32", "float64", false},
    } do
      assert.equal(case[3], cn.isdtype(case[1], case[2]), case[1] .. " " .. case[2])
    end
    assert.is_true(cn.isdtype("int8", {"bool", "integral"}))
  end)

  it("of operands together", function()
    assert.equal("int16", cn.result_type("int8", "uint8"))
    assert.equal("int8", cn.result_type("int8", 3))
    assert.equal("float64", cn.result_type("int8", 3.5))
    assert.equal("float32", cn.result_type(cn.zeros(1, "float32"), 3.5, true))
    assert.equal("complex64", cn.result_type("float32", cn.complex(1, 2)))
  end)

  it("refuse what does not fit", function()
    raises("finfo: expected a float or complex dtype, got int8; use cn.iinfo", function() cn.finfo "int8" end)
    raises("iinfo: expected an integer dtype, got bool; use cn.finfo", function() cn.iinfo "bool" end)
    raises("result_type: takes arrays, dtypes and numbers, got nothing", function() cn.result_type() end)
    raises("isdtype: the kind is missing", function() cn.isdtype "int8" end)
    raises("hanning: m is a count, got -1", function() cn.hanning(-1) end)
    raises("kaiser: beta is a number, got nil", function() cn.kaiser(3) end)
    raises("packbits: bitorder is \"big\" or \"little\", got \"up\"", function() cn.packbits({1}, 1, "up") end)
    raises("unpackbits: expected an array of uint8, got float64", function() cn.unpackbits {1} end)
    raises("unpackbits: count is -9, but there are 8 bits", function()
      cn.unpackbits(cn.zeros(1, "uint8"), {count = -9})
    end)
  end)
end)
