--- Arguments beyond what a call can do: too large to count, nested without end, of another kind. Each is one line.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local raises = require("spec.support.raises").raises

each_device(function()
  describe("counts that would never end", function()
    it("stop where nothing is left", function()
      assert.equal("[]", tostring(cn.diff(cn.ones(3), 1e9)))
      assert.equal("[]", tostring(cn.diff(cn.ones(3), 2 ^ 53, nil, 0, 0)))
      assert.equal("[]", tostring(cn.polyder(cn.ones(3), 1e9)))
      assert.equal("[2. 2.]", tostring(cn.polyder({1, 2, 5}, 1)))
    end)

    it("are refused where each makes something", function()
      raises("polyint: m is at most 1000, got 1000000000", function() cn.polyint(cn.ones(3), 1e9) end)
      raises("polyint: m is at most 1000, got ", function() cn.poly1d({1, 2}):integ(1e9) end)
      raises("diag_indices: ndim is at most 32, got ", function() cn.diag_indices(3, 1e9) end)
      raises("array_split: the number of parts is at most 1000000, got ", function()
        cn.array_split(cn.ones(3), 1e9)
      end)
      raises("spawn: count is at most 1000000, got ", function() cn.random.default_rng(1):spawn(1e9) end)
    end)

    it("of loops in kernels end where 64 bits do", function()
      local kernel = cn.jit.rawkernel(function(x, first, last, step)
        local count = 0
        for i = first, last, step do
          count = count + 1
          if count <= 3 then x[count] = i end
          if count > 9 then break end
        end
        x[4] = count
      end)
      local greatest, least = 9223372036854775807LL, -9223372036854775807LL - 1
      for _, case in ipairs {{greatest - 1, greatest, 1LL, 2}, {greatest - 5, greatest, 3LL, 2},
        {least + 1, least, -1LL, 2}, {least + 4, least, -3LL, 2}, {least, greatest, greatest, 3},
        {greatest, least, least, 2}, {1LL, 0LL, 1LL, 0}, {1LL, 5LL, 0LL, 0}} do
        local x = cn.zeros(4, "int64")
        kernel({1}, {1}, {x, case[1], case[2], case[3]})
        assert.equal(case[4], x[4])
        for k = 1, case[4] do assert.is_true(x[k] == case[1] + (k - 1) * case[3]) end
      end
    end)

    it("of zipf's next number after 1 end", function()
      local drawn = cn.random.default_rng(1):zipf(1 + 2 ^ -52, 200)
      assert.is_true(drawn:ge(1):all())
      local logarithms = drawn:astype("float64"):log()
      assert.is_true(math.abs(logarithms:mean():item() - 21.8) < 4) -- evenly spread to that of 2^63
      local near = cn.random.default_rng(2):zipf(1.005, 2000):astype("float64"):log()
      assert.is_true(math.abs(near:mean():item() - 20.3) < 2, near:mean():item())
    end)
  end)

  describe("sizes beyond 64 bits", function()
    local huge = cn.ones(1, "bool"):broadcast_to(2 ^ 60)
    local vast = cn.ones(1):broadcast_to(2 ^ 62)

    it("are refused by what joins", function()
      raises("concatenate: the arrays together have more elements than 64 bits", function()
        cn.concatenate {vast, vast, vast}
      end)
      raises("concatenate: the arrays together have more elements than 64 bits", function()
        cn.concatenate({vast, vast}, {out = cn.ones(3)})
      end)
    end)

    it("are refused by what makes arrays of tables", function()
      raises("array: 1152921504606846976 elements of bool are more bytes than", function() cn.array {{huge}} end)
      raises("array: 1152921504606846976 elements of complex128 are more bytes than", function()
        cn.array({{huge}}, "complex128")
      end)
    end)

    it("are positions out of range", function()
      raises("index: position -9223372036854775808 is out of range for an axis of length 3", function()
        local _ = cn.ones(3)[cn.array({-9223372036854775807LL - 1}, "int64")]
        cn.synchronize()
      end)
    end)
  end)

  it("tables that hold themselves are refused", function()
    local list = {1}
    list[2] = list
    local own = {}
    own[1] = own
    local generator = cn.random.default_rng(1)
    raises("normal: position ", function() generator:normal(list) end)
    raises("dirichlet: position ", function() generator:dirichlet(list) end)
    raises("block: tables are nested deeper than an array has axes (32)", function() cn.block(own) end)
    raises("percentile: q is nested deeper than an array has axes (32)", function() cn.percentile({1, 2}, list) end)
    raises("assert_array_equal: actual: a table is nested deeper than an array has axes (32)", function()
      cn.testing.assert_array_equal(list, list)
    end)
  end)

  it("values of another kind are refused", function()
    local x, stream = cn.ones(3), io.stdout
    raises("histogram2d: ranges are a table of one for each axis, got 5", function()
      cn.histogram2d(x, x, {range = 5})
    end)
    raises("histogramdd: ranges are a table of one for each axis, got 5", function()
      cn.histogramdd(cn.ones {3, 2}, {range = 5})
    end)
    raises("linalg.tensorsolve: an array of shape () does not go with one of shape (3,)", function()
      cn.linalg.tensorsolve(5, x)
    end)
    raises("fft.ihfft: ", function() cn.fft.ihfft(x, require("ffi").new "int[4]") end)
    raises("assert_allclose: options are a table such as {rtol = 1e-5}, got \"x\"", function()
      cn.testing.assert_allclose(1, 1, "x")
    end)
    raises("assert_allclose: options are a table such as {rtol = 1e-5}, got a cuna array", function()
      cn.testing.assert_allclose(x, x, x)
    end)
    raises("assert_allclose: rtol is a number, got \"1\"", function()
      cn.testing.assert_allclose(1, 1, {rtol = "1"})
    end)
    raises("assert_shape: the shape is a count, got a cuna array", function() cn.testing.assert_shape(x, x) end)
    raises("permuted: out: expected an array, got 5", function() cn.random.default_rng(1):permuted(x, {out = 5}) end)
    raises("to_dlpack: stream is a stream or its number, got a userdata", function() x:to_dlpack(stream) end)
    raises("deriv: a polynomial's function is called with a colon", function() cn.poly1d({1, 2}).deriv(5) end)
    raises("printoptions: options must be a table, got a cuna array", function() cn.printoptions(x, print) end)
    raises("uniform: low is a real number, got 0+2i", function() cn.random.RandomState(1):uniform(2i) end)
  end)
end)

it("control characters of texts do not reach the terminal", function()
  raises("zeros: unknown dtype '\\27[31mfloat'", function() cn.zeros(3, "\27[31mfloat") end)
  raises("index \"\\27[2J\": unexpected '\\27[2J' in column 1", function() return cn.ones(3)["\27[2J"] + 0 end)
  raises("sum: unknown option 'a\\27[31m'", function() cn.sum(cn.ones(3), {["a\27[31m"] = 1}) end)
  raises("an array has no field or method 'a\\127\\7'", function() return cn.ones(3)["a\127\7"] + 0 end)
end)
