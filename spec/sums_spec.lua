--- Cumulative sums, differences, integrals, convolutions and interpolation: NumPy's results, and errors.
local cn = require "cuna"
local calls = require "spec.support.calls"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/sums.lua"
local raises = require("spec.support.raises").raises
local reducers = require "cuna.reducers"

local it = devices.rehearsed_it()

local function flat(x) return x:reshape(-1):totable() end

it("have golden values of every running result", function()
  local has = {}
  for _, case in ipairs(golden.cumulatives) do has[case.name] = true end
  for _, row in ipairs(reducers.rows) do
    assert(not row.of or has[row.name], ("no oracle for %s: add it to spec/golden/sums.py"):format(row.name))
  end
end)

devices.each_device(function()
  describe("agree with NumPy:", function()
    for name, list in pairs(golden) do
      it(name, function() calls.check_all(list) end)
    end
  end)

  describe("cumulative sums and extremes", function()
    it("take numbers, tables, methods, and sizes that have several tiles", function()
      assert.same({5}, cn.cumsum(5):totable())
      assert.same({1, 3}, cn.cumsum({1, 2}, {axis = -1}):totable())
      assert.same({{1, 2}, {3, 6}}, cn.array({{1, 2}, {3, 3}}):cumprod(1):totable())
      assert.same({{3, 3}, {1, 4}}, cn.array({{3, 1}, {1, 4}}):cummax(2):totable())
      assert.same({3, 1, 1, 1}, cn.array({{3, 1}, {1, 4}}):cummin():totable())
      local x = cn.ones(300001, "int32")
      assert.is_true(x:cumsum() == cn.arange(1, 300002))
      assert.is_true((cn.arange(300001) % 1000):cummax()["1000:"]:eq(999):all())
    end)

    it("keep NaN and -0, and sum halves in float32", function()
      assert.same({2, 2, "nan", "nan"}, (function(x)
        for k, v in ipairs(x) do if v ~= v then x[k] = "nan" end end
        return x
      end)(cn.cummin({2, 3, cn.nan, 1}):totable()))
      assert.equal(-math.huge, 1 / cn.cumsum({-0.0})[1])
      assert.equal(1.5, cn.cumsum(cn.array({1, 0.5}, "bfloat16"))[2])
      local ones = cn.ones(4096, "float16")
      assert.equal(4096, ones:cumsum()[-1])
    end)

    it("write to out, which may overlap x", function()
      local x = cn.arange(6):reshape(2, 3)
      assert.equal(x, x:cumsum {axis = 2, out = x})
      assert.same({0, 1, 3, 3, 7, 12}, flat(x))
      local line = cn.arange(1, 6)
      cn.cumsum(line["1:4"], {out = line["2:5"]})
      assert.same({1, 1, 3, 6, 10}, line:totable())
      cn.cumsum(line, {out = line["::-1"]})
      assert.same({21, 11, 5, 2, 1}, line:totable())
      assert.equal("float32", cn.cumsum(line, {out = cn.zeros(5, "float32")}).dtype)
    end)

    it("begin with the initial value if given", function()
      assert.same({{0, 1, 3}, {0, 3, 7}}, cn.cumulative_sum({{1, 2}, {3, 4}}, 2, {include_initial = true}):totable())
      assert.same({1}, cn.cumulative_prod({}, {include_initial = true}):totable())
      local x = cn.arange(1, 6)
      cn.cumulative_sum(x["1:4"], {out = x, include_initial = true})
      assert.same({0, 1, 3, 6, 10}, x:totable())
      raises("cumulative_sum: the axis is missing; the array has 2", function() cn.cumulative_sum {{1}, {2}} end)
      raises("cumulative_prod: a 0-d array has no axis", function() cn.cumulative_prod(5) end)
      raises("cumulative_sum: out has shape (2,), but the result has shape (3,)", function()
        cn.cumulative_sum({1, 2}, {out = cn.zeros(2), include_initial = true})
      end)
    end)

    it("raise", function()
      local x = cn.ones {2, 3}
      raises("cumsum: axis 0: axes count from 1", function() x:cumsum(0) end)
      raises("cummax: axis 3 is out of range", function() x:cummax(3) end)
      raises("cumsum: out has shape (3,), but the result has shape (6,)", function() x:cumsum {out = cn.ones(3)} end)
      raises("cumsum: a float64 result cannot be written to int8", function() x:cumsum {out = cn.ones(6, "int8")} end)
      raises("cumprod: complex128 does not cast to float64; use x.real", function()
        cn.cumprod({cn.complex(1, 2)}, {dtype = "float64"})
      end)
      raises("cumsum: unknown option 'axes'", function() x:cumsum {axes = 1} end)
      raises("cumsum: got a Lua boolean", function() cn.cumsum(true) end)
    end)
  end)

  describe("differences", function()
    it("join numbers weakly, and arrays of another dtype", function()
      local x = cn.array({1, 2, 4}, "int8")
      assert.equal("int8", x:diff({prepend = 0}).dtype)
      assert.same({1, 1, 2, 6}, x:diff({prepend = 0, append = 10}):totable())
      assert.equal("float64", x:diff({append = {0.5}}).dtype)
      assert.same({-4, 4}, cn.diff({{1, 2}, {5, 6}}, {axis = 1, prepend = cn.scalar(5)})[":, 1"]:totable())
      assert.same({4, 4}, cn.diff({{1, 2}, {5, 6}}, 1, 1)[1]:totable())
      assert.equal(x, x:diff(0))
      assert.is_true(x:diff(5):has_shape(0))
      assert.same({1}, cn.diff({}, {prepend = 1, append = 2}):totable())
      assert.same({7}, cn.ediff1d({}, {to_begin = 7}):totable())
      assert.equal("int8", cn.ediff1d(x, {to_end = {1, 2}}).dtype)
    end)

    it("raise", function()
      local x = cn.ones {2, 3}
      raises("diff: a 0-d array has no neighbours", function() cn.diff(5) end)
      raises("diff: n is a count, got -1", function() x:diff(-1) end)
      raises("diff: append has shape (2,), which does not fit beside shape (2, 3) along axis 2", function()
        x:diff {append = {1, 2}}
      end)
      raises("ediff1d: not defined for bool; use diff", function() cn.ediff1d(x:gt(0)) end)
      raises("ediff1d: to_end is float64, which does not cast to int64", function()
        cn.ediff1d(cn.arange(3), {to_end = cn.array {0.5}})
      end)
      raises("gradient: not defined for bool", function() cn.gradient(x:gt(0)) end)
      raises("gradient: axis 1 has length 2, and edge_order 2 takes at least 3", function()
        cn.gradient(x, {edge_order = 2})
      end)
      raises("gradient: edge_order is 1 or 2, got 3", function() cn.gradient(x, {edge_order = 3}) end)
      raises("gradient: 3 spacings for 2 axes", function() cn.gradient(x, 1, 2, 3) end)
      raises("gradient: one spacing for 2 axes is a number", function() cn.gradient(x, {1, 2, 3}) end)
      raises("gradient: spacing 2 has 2 coordinates for axis 2 of length 3", function() cn.gradient(x, 1, {1, 2}) end)
      raises("cross: vectors have 2 or 3 components; the second array has length 4 along axis 1", function()
        cn.cross({1, 2, 3}, {1, 2, 3, 4})
      end)
      raises("cross: vectors of shapes (2, 3) and (4, 3) do not broadcast", function()
        cn.cross(x, cn.ones {4, 3})
      end)
      raises("cross: not defined for bool", function() cn.cross(x:gt(0), x:gt(0)) end)
    end)
  end)

  describe("integrals", function()
    it("take spacings as numbers, 0-d arrays and coordinates", function()
      local y = cn.array({0, 1, 4, 9, 16}, "float32")
      assert.equal("float32", cn.trapz(y, {dx = 0.5}).dtype)
      assert.equal("float64", cn.trapz(y, {dx = cn.scalar(0.5)}).dtype)
      assert.equal(11, cn.trapz(y, {dx = cn.scalar(0.5)}):item())
      assert.equal(110, cn.trapz(cn.array({100, 120}, "int8")):item())
      assert.equal("bfloat16", cn.simpson(y:astype "bfloat16").dtype)
      assert.equal(0, cn.simpson({}):item())
      assert.equal("complex128", cn.trapz({1, 2}, {dx = cn.complex(0, 1)}).dtype)
      local z = cn.arange(12):reshape(3, 4)
      assert.is_true(cn.trapz2d(z) == cn.trapz(cn.trapz(z)))
      assert.is_true(cn.trapz2d(z, {dy = cn.scalar(2), x = {0, 1, 3, 4}})
        == cn.trapz(cn.trapz(z, {0, 1, 3, 4}), {dx = 2}))
    end)

    it("raise", function()
      raises("trapezoid: a 0-d array has no axis", function() cn.trapezoid(5) end)
      raises("trapezoid: coordinates of shape (2,) do not fit samples of shape (3,) along axis 1", function()
        cn.trapz({1, 2, 3}, {1, 2})
      end)
      raises("simpson: a spacing is a number, got \"x\"", function() cn.simpson({1, 2, 3}, {dx = "x"}) end)
      raises("trapz2d: expected at least 2 axes, got shape (3,)", function() cn.trapz2d {1, 2, 3} end)
    end)
  end)

  describe("convolutions", function()
    --- All results, from the windows of a vector with zeros around.
    local function expected(a, v)
      local around = cn.zeros(v.size - 1, a.dtype)
      return (cn.sliding_window_view(around .. a .. around, v.size) * v["::-1"]):sum(2):astype(a.dtype)
    end

    it("of long vectors are those of short ones", function()
      local a, v = cn.arange(2600) * 7919 % 101 - 50, cn.arange(130) * 31 % 17 - 8
      local full = expected(a, v)
      for _, pair in ipairs {{a, v}, {v, a}} do
        assert.is_true(cn.convolve(pair[1], pair[2]) == full)
        assert.is_true(cn.convolve(pair[1], pair[2], "same") == full["65:2664"])
        assert.is_true(cn.convolve(pair[1], pair[2], "valid") == full["130:2600"])
      end
      assert.is_true(cn.correlate(a, v["::-1"], "full") == full)
      assert.is_true(cn.correlate(v["::-1"], a, "full") == full["::-1"])
      local long = cn.array({1, -1}, "int8"):reshape(2, 1) + cn.zeros(2500, "int8")
      assert.is_true(cn.convolve(long.T:reshape(-1), long[1]) == expected(long.T:reshape(-1), long[1]))
    end)

    it("are whole at the edges of blocks", function()
      for _, lengths in ipairs {{1792, 252}, {1793, 253}, {3600, 511}, {300, 300}, {4000, 8}, {7, 6}} do
        local n, k = unpack(lengths)
        local a, v = cn.arange(n) * 7919 % 101 - 50, cn.arange(k) * 31 % 17 - 8
        local full = expected(a, v)
        assert.is_true(cn.convolve(a, v) == full)
        assert.is_true(cn.convolve(a:astype "float32", v:astype "float32") == full:astype "float32")
        assert.is_true(cn.correlate(a["::-1"], v, "full") == full["::-1"])
        local x = a:astype "float64"
        x[n] = cn.inf
        assert.is_true(cn.isinf(cn.convolve(x, v:astype "float64" + 0.5)):eq(cn.arange(n + k - 1):ge(n - 1)):all())
      end
    end)

    it("leave out what lies beyond, and take bfloat16", function()
      local x = cn.convolve({cn.inf, 1, 1}, {1, 2, 3})
      assert.same({cn.inf, cn.inf, cn.inf, 5, 3}, x:totable())
      assert.same({1, 2.5, 1}, cn.convolve(cn.array({1, 0.5}, "bfloat16"), cn.array({1, 2}, "bfloat16")):totable())
      assert.same({6}, cn.convolve(2, 3):totable())
    end)

    it("raise", function()
      raises("convolve: the first vector is empty", function() cn.convolve({}, {1}) end)
      raises("correlate: the second vector is empty", function() cn.correlate({1}, {}) end)
      raises("convolve: expected vectors, got shape (2, 2)", function() cn.convolve({1}, cn.ones {2, 2}) end)
      raises("convolve: mode is \"full\", \"same\" or \"valid\", got \"half\"", function()
        cn.convolve({1}, {1}, "half")
      end)
    end)
  end)

  describe("interpolation", function()
    it("finds its place wherever x comes from", function()
      local points = cn.cumsum(cn.arange(5000) % 7 + 1)
      local x = points["::-1"] - 0.25
      local got = cn.interp(x, points, cn.arange(5000))
      assert.allclose(got["1:4999"], cn.arange(4999, 0, -1) - 0.25 / (cn.arange(4999, 0, -1) % 7 + 1))
      assert.same({0, 0.5, 1}, cn.interp({{0}, {1.5}, {9}}, cn.array({1, 2}, "uint8"), {0, 1}):reshape(-1):totable())
      assert.equal(2.5, cn.interp(1.5, {1, 2}, {2, 3}):item())
      assert.is_true(cn.interp({}, {1, 2}, {2, 3}):has_shape(0))
    end)

    it("raises", function()
      raises("interp: points and values are vectors of one length, got shapes (2,) and (3,)", function()
        cn.interp(1, {1, 2}, {1, 2, 3})
      end)
      raises("interp: there are no points", function() cn.interp(1, {}, {}) end)
      raises("interp: points are real", function() cn.interp(1, {cn.complex(1, 2)}, {1}) end)
      raises("interp: x is real", function() cn.interp(cn.complex(1, 2), {1}, {1}) end)
      raises("interp: the period is a number that is not 0", function() cn.interp(1, {1}, {1}, {period = 0}) end)
      raises("interp: left is one number, got shape (2,)", function() cn.interp(1, {1}, {1}, {1, 2}, 3) end)
      raises("interp: right is complex, and the values are real", function()
        cn.interp(1, {1}, {1}, {right = cn.complex(0, 1)})
      end)
    end)
  end)

  it("wait for nothing", function()
    cn.no_sync(function()
      local x = cn.arange(5) * 1.5
      cn.cumsum(x)
      cn.gradient(x, x)
      cn.interp(x, x, x, {period = 2})
      cn.convolve(x, x)
      cn.simpson(x["1:4"], x["1:4"])
    end)
  end)
end)
