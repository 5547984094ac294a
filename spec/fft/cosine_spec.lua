--- Cosine and sine transforms, hfftn and fast lengths of cn.fft: SciPy's results, laws, errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/fft_cosine.lua"
local raises = require("spec.support.raises").raises
local support = require "spec.support.golden"

local SINGLE = {float32 = true, complex64 = true}

devices.each_device(function()
  describe("cosine and sine transforms:", function()
    for _, group in ipairs {"ones", "many", "hermitian"} do
      it("SciPy's results, " .. group, support.prepared(function()
        for number, case in ipairs(golden[group]) do
          local x = support.laid_out(support.array(case.x), number)
          support.same(case.result, cn.fft[case.name](x, case.options), case.name .. " case " .. number,
            SINGLE[case.x.dtype] and 2e-5 or 1e-13)
        end
      end))
    end

    it("orthogonal ones keep the length of a line, and their inverse gives it back", support.prepared(function()
      local x = ((cn.arange(60) * 12.9898):sin() * 4):reshape(4, 15)
      for _, word in ipairs {"dct", "dst"} do
        for type = 1, 4 do
          local orthogonal = not (word == "dct" and type == 1) and "ortho" or nil
          for axis = 1, 2 do
            local y = cn.fft[word](x, type, nil, axis, orthogonal)
            local back = cn.fft["i" .. word](y, {type = type, axis = axis, norm = orthogonal})
            if not support.rehearsing then
              assert.is_true(back:allclose(x, 1e-12, 1e-12))
              if orthogonal then assert.is_true((y ^ 2):sum():allclose((x ^ 2):sum(), 1e-12)) end
            end
          end
        end
      end
    end))

    it("dtypes that compute in single or double precision", function()
      assert.equal("float32", cn.fft.dct(cn.ones(4, "float16")).dtype)
      assert.equal("float32", cn.fft.dst(cn.ones(4, "bfloat16"), 4).dtype)
      assert.equal("float64", cn.fft.idct(cn.ones(4, "int8")).dtype)
      assert.equal("complex64", cn.fft.dctn(cn.ones(4, "complex64")).dtype)
    end)

    it("without axes the result is a copy", function()
      local x = cn.ones {2, 2}
      local y = cn.fft.dctn(x, {axes = {}})
      assert.is_true(y == x)
      assert.is_false(cn.shares_memory(x, y))
    end)
  end)

  it("errors name the argument", function()
    local x = cn.ones {2, 3}
    raises("fft.dct: type is 1, 2, 3 or 4, got 5", function() cn.fft.dct(x, 5) end)
    raises("fft.dct: type is 1, 2, 3 or 4, got \"2\"", function() cn.fft.dct(x, "2") end)
    raises("fft.dct: axis 2 of length 1 is too short for type 1", function() cn.fft.dct(x, 1, 1) end)
    raises("fft.idst: n is a number of points from 1 on, got 0", function() cn.fft.idst(x, 2, 0) end)
    raises("fft.dst: norm is", function() cn.fft.dst(x, {norm = "both"}) end)
    raises("fft.dst: orthogonalize is true or false", function() cn.fft.dst(x, {orthogonalize = 1}) end)
    raises("fft.dctn: axis 2 is given twice", function() cn.fft.dctn(x, {axes = {2, -1}}) end)
    raises("fft.dctn: 1 lengths for 2 axes", function() cn.fft.dctn(x, {s = {2}, axes = {1, 2}}) end)
    raises("fft.dctn: axis 1 has no elements", function() cn.fft.dctn(cn.zeros {0, 2}) end)
    raises("fft.hfftn: takes at least one axis", function() cn.fft.hfftn(x, {axes = {}}) end)
    raises("fft.ihfftn: takes real numbers", function() cn.fft.ihfftn(x:astype "complex64") end)
    raises("fft.next_fast_len: target is a number of points", function() cn.fft.next_fast_len(0.5) end)
  end)
end)

it("next_fast_len gives SciPy's lengths", function()
  for _, case in ipairs(golden.lengths) do
    assert.equal(case.complex, cn.fft.next_fast_len(case.n))
    assert.equal(case.real, cn.fft.next_fast_len(case.n, {real = true}))
  end
end)
