--- Medians, quantiles and percentiles: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/quantile.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared
local TOLERANCE = {float16 = 2e-3, float32 = 1e-6}

local function close(expected, got, x, note) same(expected, got, note, TOLERANCE[x.dtype] or 1e-14) end

devices.each_device(function(device)
  describe("quantile", function()
    it("agrees with NumPy", prepared(function()
      for number, case in ipairs(values.quantiles) do
        local x = laid_out(array(case.x), number)
        local options = {axis = case.axis, method = case.method, keepdims = case.keepdims}
        local note = ("case %d, %s"):format(number, case.method)
        close(case.result, x:quantile(case.q, options), x, note)
        close(case.without, cn.nanquantile(x, case.q, options), x, note .. " of numbers")
      end
    end))

    it("takes percentages, and probabilities on the device", function()
      local x = cn.array {{4, 1, 3, 2}, {8, 5, 7, 6}}
      assert.is_true(x:percentile({25, 50}, 2) == x:quantile({0.25, 0.5}, 2))
      assert.is_true(x:percentile(cn.array {25, 50}, 2) == x:quantile(cn.array {0.25, 0.5}, 2))
      assert.is_true(cn.nanpercentile(x, 10) == cn.nanquantile(x, 0.1))
      local small = x:astype "float32"
      assert.equal("float32", small:quantile(0.3).dtype)
      assert.equal("float64", small:quantile({0.3}).dtype)
      assert.equal("float32", small:quantile(cn.array({0.25}, "float32")).dtype)
      assert.equal("float64", small:quantile(cn.array {0, 1}).dtype)
      assert.equal("bfloat16", small:astype("bfloat16"):quantile(0.5).dtype)
      assert.equal(4.5, small:astype("bfloat16"):quantile(0.5):item())
      assert.equal(0.5, cn.array({true, false}):quantile(0.5):item())
    end)

    it("leaves infinity what it is", function()
      local inf = math.huge
      local x = cn.array {-inf, 1, inf, inf}
      assert.same({-inf, inf, inf}, x:quantile({0, 0.9, 1}):totable())
      assert.equal(-inf, cn.quantile({-inf, -inf}, 0.5):item())
    end)

    it("writes to out, which may be x", function()
      local x = cn.array {{4, 1, 3}, {8, 5, 7}}
      local out = cn.zeros({2}, "float32")
      assert.equal(out, x:quantile(0.5, 2, out))
      assert.is_true(out == cn.array({3, 7}))
      x:quantile({0, 1}, {axis = 2, out = x[{{}, {1, 2}}]})
      assert.is_true(x == cn.array {{1, 5, 3}, {4, 8, 7}})
      local row = cn.zeros {2, 1}
      x:median({axis = 2, out = row, keepdims = true})
      assert.is_true(row == cn.array {{3}, {7}})
    end)

    it("waits for nothing", prepared(function()
      local x, q = cn.array {{4, 1, 3, 2}, {8, 5, cn.nan, 6}}, cn.array {0.5, 1}
      cn.no_sync(function()
        x:median(2)
        x:quantile({0.2, 0.3})
        x:quantile(q)
        cn.nanquantile(x, q, 2)
      end)
    end))

    it("finds elements in long rows", function()
      local x = (cn.arange(100001) * 7919LL % 100001):astype "float32"
      assert.equal(50000, x:median():item())
      assert.same({0, 25000, 100000}, x:percentile({0, 25, 100}):totable())
      x[{77}] = cn.nan
      assert.equal("nan", tostring(x:median():item()):match "nan")
      assert.equal(100000, cn.nanpercentile(x, 100):item())
    end)

    it("gives elements of sorted rows, for any number of quantiles", function()
      for number, dtype in ipairs {"float32", "int16", "float64"} do
        local x = (cn.arange(7 * 5001) * 7919LL % (613 * number)):astype(dtype):reshape(7, 5001)
        local sorted = x:sort()
        for count = 1, 10, 3 do
          local shares, places = {}, {}
          for k = 1, count do
            places[k] = (k * 3571 + number) % 5001 + 1
            shares[k] = (places[k] - 0.5) / 5001
          end
          assert.is_true(x:quantile(shares, 2, {method = "inverted_cdf"}) == sorted:take(cn.array(places), 2).T)
        end
      end
      assert.equal(7, cn.full(1000, 7):median():item())
    end)

    it("is the same of selected elements and of sorted rows, by every method", prepared(function()
      local methods = {"inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
        "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"}
      local shares = {0.5, 0, 1, 0.3}
      for number, shape in ipairs {{90, 50}, {3, 2000}, {2, 3000}, {2, 5001}} do
        local dtype = ({"float32", "int16", "float64"})[number % 3 + 1]
        local x = (cn.arange(shape[1] * shape[2]) * 7919LL % 613):astype(dtype)
        x = x:reshape(shape)
        if x.dtype ~= "int16" then
          x[{2, {1, -1, 3}}] = cn.nan
          x[{1, {}}] = cn.nan
        end
        for _, method in ipairs(methods) do
          local options, note = {axis = 2, method = method}, method .. " " .. shape[2]
          -- The host does not know the shares in an array, so rows are sorted.
          for _, name in ipairs {"quantile", "nanquantile"} do
            local sorted, selected = cn[name](x, cn.array(shares), options), cn[name](x, shares, options)
            local one = cn[name](x, 0.3, options)
            if not golden.rehearsing then
              assert.is_true(cn.array_equal(sorted, selected, true), note)
              assert.is_true(cn.allclose(sorted[4]:astype(one.dtype), one, {equal_nan = true}), note)
            end
          end
        end
        local middle = cn.quantile(x, cn.array {0.5}, {axis = 2})[1]
        local median, nanmedian = x:median(2), cn.nanmedian(x, 2)
        if not golden.rehearsing then
          assert.is_true(cn.allclose(middle, median, {equal_nan = true}))
          assert.is_true(cn.allclose(cn.nanquantile(x, cn.array {0.5}, {axis = 2})[1], nanmedian, {equal_nan = true}))
        end
      end
    end))

    it("refuses what it cannot do", function()
      raises("quantile: q is from 0 to 1, got 1.5", function() cn.quantile({1, 2}, 1.5) end)
      raises("percentile: q is from 0 to 100, got -1", function() cn.percentile({1, 2}, {50, {-1}}) end)
      raises("quantile: q is from 0 to 1, got nan", function() cn.quantile({1, 2}, math.abs(cn.nan)) end)
      raises("percentile: q is from 0 to 100, and there is 101", function()
        cn.percentile({1, 2}, cn.array {50, 101})
        cn.synchronize()
      end)
      raises("quantile: q is missing", function() cn.quantile({1, 2}) end)
      raises("quantile: q is a number, got \"half\"", function() cn.quantile({1, 2}, "half") end)
      raises("quantile: q is a real number, got an array of complex128", function()
        cn.quantile({1, 2}, cn.array {cn.complex(0, 1)})
      end)
      raises("quantile: complex numbers have no quantiles, got an array of complex64", function()
        cn.quantile(cn.zeros(2, "complex64"), 0.5)
      end)
      raises("quantile: method is one of \"averaged_inverted_cdf\", \"closest_observation\"", function()
        cn.quantile({1, 2}, 0.5, {method = "middle"})
      end)
      raises("median: axis 3 is out of range for an array of 2 axes", function() cn.median({{1, 2}}, 3) end)
      raises("median: axis 1 is named twice", function() cn.median({{1, 2}}, {1, -2}) end)
      raises("quantile: out has shape (3,), but the result has shape (2,)", function()
        cn.quantile({1, 2}, {0, 1}, {out = cn.zeros(3)})
      end)
      raises("median: a float64 result cannot be written to int64", function()
        cn.median({1, 2}, {out = cn.zeros({}, "int64")})
      end)
      raises("quantile: the axes have no elements; the array has shape (0,)", function()
        cn.quantile(cn.zeros(0, "int64"), 0.5, {method = "lower"})
      end)
    end)
  end)

  describe("median", function()
    it("agrees with NumPy", prepared(function()
      for number, case in ipairs(values.medians) do
        local x = laid_out(array(case.x), number)
        local options = {axis = case.axis, keepdims = case.keepdims}
        close(case.result, x:median(options), x, "case " .. number)
        close(case.without, cn.nanmedian(x, options), x, "case " .. number .. " of numbers")
      end
    end))

    it("has NaN where a complex number has", function()
      local x = cn.array {cn.complex(1, cn.nan), 3, cn.complex(cn.nan, 0), cn.complex(0, 2), 5}
      assert.is_true(x:median():isnan():item())
      assert.is_true(cn.nanmedian(x) == cn.array(3, "complex128"))
    end)

    it("of no elements is NaN", function()
      assert.is_true(cn.median(cn.zeros(0)):isnan():item())
      assert.is_true(cn.quantile(cn.zeros {0, 2}, {0.5}, 1):has_shape {1, 2})
      assert.is_true(cn.median(cn.zeros {0, 2}, 2):has_shape {0})
    end)
  end)

  it("arrays of two devices are refused", function()
    if device.kind == "cpu" then return end
    raises("quantile: one array is on cuda:0 and another on cpu", function()
      cn.quantile(cn.zeros(2), cn.zeros(2, nil, "cpu"))
    end)
  end)
end)
