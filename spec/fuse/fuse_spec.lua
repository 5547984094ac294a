--- What fused functions compute: the same as unfused ones, in fewer kernels.
local bits = require "spec.support.bits"
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises
local reducers = require "cuna.reducers"

local it = devices.rehearsed_it()

local function text(x) return cn.is_array(x) and cn.array_repr(x) or tostring(x) end

--- Asserts that f, which is fn fused, gives the same, bit by bit; `make` makes the arguments of each.
local function compare(f, fn, make)
  local fused_values, plain_values = {make()}, {make()}
  local fused, plain = {f(unpack(fused_values))}, {fn(unpack(plain_values))}
  assert.equal(#plain, #fused)
  local function same(expected, got)
    if not cn.is_array(expected) then
      assert.same(expected, got)
      return
    end
    assert.equal(expected.dtype, got.dtype)
    assert.equal(tostring(expected.shape), tostring(got.shape))
    local why = bits.why_different(got:tobytes(), expected:tobytes(), expected.dtype, 0)
    assert.is_nil(why, why)
  end
  for i = 1, #plain do same(plain[i], fused[i]) end
  for i = 1, #plain_values do -- what was written in place
    if cn.is_array(plain_values[i]) then same(plain_values[i], fused_values[i]) end
  end
end

--- Asserts that functions give the same fused and unfused: of pairs {fn, make}.
local function all_agree(cases)
  local fused = {}
  for k, case in ipairs(cases) do fused[k] = cn.fuse(case[1]) end
  devices.prepare(function() -- compiles all together
    for k, case in ipairs(cases) do
      local fn, make = unpack(case)
      fused[k](make())
      fn(make())
    end
  end)
  for k, case in ipairs(cases) do compare(fused[k], unpack(case)) end
end

local function agrees(fn, make) all_agree {{fn, make}} end

local function ramp(shape, dtype)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return (cn.arange(size) - 3):astype(dtype or "float32"):reshape(shape)
end

local function one() return ramp {2, 3} end
local function two() return ramp {2, 3}, ramp({3}) * 2 end

--- How many kernels a call of a fused function needs.
local function kernels_of(f, ...) return cn.prepare(function(...) return f(...) end, ...) end

devices.each_device(function()
  describe("a fused function", function()
    it("is one kernel", function()
      local f = cn.fuse(function(x, y) return cn.sin(x) * 2 + (x - y) ^ 2 / 3 end)
      assert.equal(1, kernels_of(f, two()))
    end)

    it("has operators with numbers on either side", function()
      agrees(function(x, y)
        return x + y, x - 1, 2 * x, 1 / (x + 10), x % 3, 2 ^ y, -x, x ^ 2, x ^ 3, x * 7LL, x * 2.5
      end, two)
    end)

    it("has every road to an operation: function, alias, method, dtype and out", function()
      agrees(function(x, y)
        local z = cn.mul(x, y, {dtype = "float64"})
        return x:maximum(y), cn.neg(x), z, x:sqrt(), cn.divmod(x, 2)
      end, two)
      agrees(function(x, y, out) return cn.add(x, y, out), cn.exp(x, {out = out}) end,
        function() return ramp {2, 3}, ramp {3}, cn.zeros({2, 3}, "float64") end)
    end)

    it("chooses with where, comparisons and logic", function()
      agrees(function(x, y)
        local m = x:gt(0):logical_and(x:lt(y + 2))
        return cn.where(m, x, -x), cn.where(m, true, false), m:logical_not(), cn.where(x:eq(1), 1, 2.5)
      end, two)
    end)

    it("compares integers that do not fit exactly", function()
      agrees(function(x) return x:lt(300), x:gt(-1000), cn.equal(x, 5) end, function() return ramp({5}, "int8") end)
    end)

    it("casts, copies, clips and rounds", function()
      agrees(function(x)
        return x:astype("int8"), x:copy(), cn.clip(x, -1, 2), x:clip({max = 1}), cn.round(x / 3, 1), x:round(),
          x:astype("float16"):astype "float64", cn.real(x), x.imag
      end, function() return ramp {2, 3} * 1.3 end)
    end)

    it("chooses dtypes by itself", function()
      for _, dtype in ipairs {"bool", "int8", "uint32", "float16", "bfloat16", "complex64"} do
        agrees(function(x) return x + x, x * 2, cn.sqrt(x), x / 2 end, function() return ramp({4}, dtype) end)
      end
    end)

    it("has arrays of one number", function()
      agrees(function(x) return cn.zeros_like(x) + x, cn.ones_like(x, "int8"), cn.full_like(x, 1.5) * 2 end, one)
    end)

    it("writes arguments in place, after all was read", function()
      agrees(function(x, y)
        local sum = x + y
        x:add_(y)
        y:mul_(2)
        return sum, x * 1, x, y
      end, two)
      agrees(function(x, y)
        x[cn.ellipsis] = y
        x[{{}}] = x + 1
        x[{}] = x * 2
        x[":"] = x + 3
        x:sqrt_()
        x:fill(7)
        x[":, :"] = x * 2
        y["..."] = 0
      end, two)
    end)

    it("writes computed arrays in place", function()
      agrees(function(x)
        local t = x + 1
        local before = t * 2
        t:mul_(3)
        return before, t
      end, one)
    end)

    it("writes its results to out, which the call returns", function()
      local f = cn.fuse(function(x, k) return x * k, x:sum(), k end)
      local x, y, z = ramp {2, 3}, cn.zeros({2, 3}, "float32"), cn.zeros({3}, "float32")
      for _, k in ipairs {2, 3} do
        local first, second, third = f(x, k, {out = y})
        assert.is_true(rawequal(first, y))
        assert.equal(text(x * k), text(y))
        assert.equal(-3, second:item())
        assert.equal(k, third)
        assert.is_true(rawequal(z, select(2, f(x, k, {out = {nil, z}}))))
        assert.equal("[-3. -3. -3.]", tostring(z))
        f(x, k, {out = {[3] = z}})
        assert.equal(text(cn.full_like(z, k)), text(z))
      end
      assert.equal(1, kernels_of(cn.fuse(function(v) return v + 1 end), x, {out = y}))
      local plain = cn.fuse(function(a) return a + 1 end)
      assert.equal("[4. 4. 4.]", tostring(plain(3, {out = z})))
      assert.equal("[5. 5. 5.]", tostring(plain(z, {out = z})))
      assert.equal("[2. 3.]", tostring(cn.vectorize(function(a) return a + 1 end)({1, 2}, {out = cn.zeros(2)})))
      local outer = cn.fuse(function(a) return plain(a * 2, {out = z}) * 2 end)
      assert.equal("[20. 20. 20.]", tostring(outer(ramp({3}) * 0 + 4.5)))
      assert.equal("[10. 10. 10.]", tostring(z))
      local many = cn.fuse(function(...) return (...) + select(2, ...).out end)
      assert.equal("[11. 11. 11.]", tostring(many(1, {out = z})))
    end)

    it("says what it takes, at the line of the call", function()
      local x, y = ramp {3}, cn.zeros({3}, "float32")
      local f = cn.fuse(function(v) return v + 1 end)
      local function refuses(message, options) raises("fused: " .. message, function() f(x, options) end) end
      for _ = 1, 2 do
        refuses("takes 1 argument, then a table of options", y)
        refuses("takes 1 argument, then a table of options", 0)
        refuses("unknown option 'ouch'; known is out", {ouch = y})
        refuses("out: expected an array, got string", {out = "y"})
        refuses("out: expected an array, got an empty table", {out = {}})
        refuses("out has 2 arrays, and there is 1 result", {out = {y, x}})
        refuses("out has shape (4,), but the result has shape (3,)", {out = cn.zeros(4)})
        refuses("a float32 result cannot be written to int32", {out = cn.zeros(3, "int32")})
        assert.equal("[-2. -1.  0.]", tostring(f(x, nil)))
      end
      local function keeps(v) return v, v, nil end
      raises("fused: two outputs share memory", function() cn.fuse(keeps)(x, {out = {y, y}}) end)
      raises("fused: out: result 3: expected an array or a number, got nil",
        function() cn.fuse(keeps)(x, {out = {[3] = y}}) end)
      assert.equal("[0. 0. 0.]", tostring(y))
    end)

    it("refuses options that an operation does not have", function()
      local x, y = ramp {3}, ramp {3}
      raises("copy: unknown option 'out'", function() cn.fuse(function(v) return v:copy {out = y} end)(x) end)
      raises("real: unknown option 'out'", function() cn.fuse(function(v) return cn.real(v, {out = y}) end)(x) end)
      raises("imag: unknown option 'out'", function() cn.fuse(function(v) return cn.imag(v, {out = y}) end)(x) end)
      raises("fill: unknown option 'out'", function() cn.fuse(function(v) v:fill(1, {out = y}) end)(x) end)
    end)

    it("gives arrays of their own, unless the closure gives one twice", function()
      local x = ramp {3}
      local a, b, c, d = cn.fuse(function(v)
        local t = v + 1
        return t, v + 1, t, v
      end)(x)
      assert.is_true(rawequal(a, c) and not rawequal(a, b) and rawequal(d, x))
    end)

    it("gives numbers, booleans and nil as they are", function()
      local f = cn.fuse(function(x, k) return x * k, k + 1, true, nil, 2LL, nil end)
      local _, number, truth, nothing, long = f(ramp {2}, 2)
      assert.is_true(number == 3 and truth == true and long == 2LL)
      assert.is_nil(nothing)
      assert.equal(6, select("#", f(ramp {2}, 2)))
    end)

    it("takes nil, booleans, tables of options and lists of arrays", function()
      local function fn(x, options, flag, list)
        if options == nil then return x end
        local sum = cn.sum(x * options.scale, {axis = options.axis, keepdims = options.keepdims})
        for _, other in ipairs(list or {}) do sum = sum + other end
        return flag and -sum or sum
      end
      agrees(fn, function() return ramp {2, 3} end)
      agrees(fn, function() return ramp {2, 3}, {scale = 2, axis = 2, keepdims = true}, true end)
      agrees(fn, function() return ramp {2, 3}, {scale = 2, axis = {1}}, false, {ramp {3}, ramp {3}} end)
    end)

    it("computes with numbers only as a plain function", function()
      assert.equal(7, cn.fuse(function(a, b) return a * b + 1 end)(2, 3))
      assert.equal("float64", cn.fuse(function(a) return cn.sin(a) end)(1).dtype)
    end)

    it("makes arrays of numbers that calls bring", function()
      agrees(function(x, k)
        local y = x - x:max{axis = 2, keepdims = true}
        return y * cn.sum(k), x + cn.scalar(k, "float64"), cn.array(x), cn.asarray(x) + cn.sqrt(k)
      end, function() return ramp {600, 2}, 2 end)
    end)

    it("can be collected", function()
      local list, count = setmetatable({}, {__mode = "k"}), 0
      for i = 1, 20 do
        local y = ramp {3}
        local f = cn.fuse(function(x) return x + y * i end)
        f(y)
        list[f] = true
      end
      collectgarbage()
      collectgarbage()
      for _ in pairs(list) do count = count + 1 end
      assert.is_true(count < 3)
    end)

    it("looks at arrays of the call in another shape", function()
      agrees(function(x) return x.T * 2, x:reshape(3, 2) + 1, x:expand_dims(1) - x, x:flip(1) * x end,
        function() return ramp {2, 3} end)
    end)

    it("does what is too large for one kernel in several", function()
      local arrays = {}
      for i = 1, 24 do arrays[i] = ramp {5} + i end
      local function add_all(...)
        local sum = 0
        for i = 1, select("#", ...) do sum = sum + (select(i, ...)) * i end
        return sum, sum * 2
      end
      agrees(add_all, function() return unpack(arrays) end)
      agrees(function(x)
        local s = x
        for i = 1, 150 do s = s * 0.5 + i end
        return s
      end, function() return ramp {5} end)
    end)

    it("has results of several shapes", function()
      agrees(function(x, y) return x * 2, y * 2, x + y, y + 1 end, two)
      agrees(function(x, y)
        x:add_(y)
        y:add_(1)
        return x:sum(1) + y
      end, two)
    end)

    it("may hold a fused function, and Lua functions that the closure calls", function()
      local scale = 3
      local inner = cn.fuse(function(v) return v * scale end)
      local function helper(v) return inner(v) + scale end
      local f = cn.fuse(function(x) return helper(x) * 2 end)
      assert.equal(text((ramp {3} * 3 + 3) * 2), text(f(ramp {3})))
      assert.equal(1, kernels_of(f, ramp {3}))
      scale = 5
      assert.equal(text((ramp {3} * 5 + 5) * 2), text(f(ramp {3})))
    end)

    it("works with functions of math and with captured functions of cuna", function()
      local sin, sum = cn.sin, cn.sum
      agrees(function(x, k) return sin(x) * math.sqrt(k), sum(x, 1) end, function() return ramp {4}, 2 end)
      local x = ramp {4}
      local exp, log = math.exp, math.log
      local f = cn.fuse(function(v, k)
        return math.max(v, -1, k), math.floor(v / 2), math.abs(v), exp(v), log(k)
      end)
      for _ = 1, 3 do
        local greatest, floor, abs, power, logarithm = f(x, 2)
        assert.is_true(greatest == cn.maximum(x, 2) and floor == cn.floor(x / 2) and abs == x:abs())
        assert.is_true(power == cn.exp(x) and logarithm == math.log(2))
      end
      assert.equal(1, f.cache_info().traces)
      assert.is_false((pcall(math.floor, x)))
      assert.is_false((pcall(exp, x)))
    end)

    it("gives the parts of numbers in the order of math", function()
      local parts = cn.vectorize(function(v)
        local whole, fraction = math.modf(v)
        return whole + 10 * fraction, math.frexp(v)
      end)
      local sum, mantissa, exponent = parts {1.5, -2.25}
      assert.same({6, -4.5}, sum:totable())
      assert.same({{0.75, -0.5625}, {1, 2}}, {mantissa:totable(), exponent:totable()})
    end)

    it("works on strided views, empty arrays and arrays without axes", function()
      agrees(function(x, y) return x * 2 + y, x:sum(1) end, function()
        return ramp({4, 6})["::2, ::-2"], ramp({3, 2}).T
      end)
      agrees(function(x) return x + 1, x:sum(), x:sum(1) end, function() return cn.zeros {0, 3} end)
      agrees(function(x, y) return x + y end, function() return cn.scalar(2, "float32"), cn.scalar(3, "int8") end)
    end)

    it("takes the default dtype of the call", function()
      local f = cn.fuse(function(x) return x / 2, x:mean() end)
      assert.equal("float64", f(ramp({3}, "int32")).dtype)
      cn.set_default_dtype "float32"
      local quotient, mean = f(ramp({3}, "int32"))
      cn.set_default_dtype "float64"
      assert.equal("float32 float32", quotient.dtype .. " " .. mean.dtype)
    end)

    it("refuses arrays of two devices, at the line of the call", function()
      if #devices.names() == 1 then return end
      local x, y = cn.zeros(2):to("cpu"), cn.zeros(2):to("cuda:0")
      raises("add: one array is on", function()
        cn.fuse(function(a, b) return a + b end)(x, y)
      end)
    end)
  end)

  describe("reductions in a fused function", function()
    it("have axis, keepdims, dtype and out", function()
      agrees(function(x)
        return x:sum(), cn.sum(x, 1), x:prod{axis = 2, keepdims = true}, x:sum{dtype = "float64"}, x:max(-1),
          cn.min(x, {axis = {1, 2}, keepdims = true}), x:argmax(2), cn.argmin(x), cn.ptp(x, 1), x:count_nonzero(1)
      end, function() return ramp {2, 3} end)
      agrees(function(x, out)
        cn.sum(x, 1, {out = out})
        return out * 2
      end, function() return ramp {2, 3}, cn.zeros(3, "float64") end)
    end)

    it("are all rows of reductions.lua, but for numbers' positions where NaN may be", function()
      local cases = {}
      for _, row in ipairs(reducers.rows) do
        local name, finds_numbers = row.name, row.plain and row.family == "position"
        for _, dtype in ipairs(row.of and {} or {"int32", not finds_numbers and "float32" or nil}) do
          cases[#cases + 1] = {function(x)
            return cn[name](x, {axis = 1, keepdims = true}), cn[name](x + 1, {axis = 2})
          end, function() return ramp({2, 4}, dtype) end}
        end
      end
      all_agree(cases)
    end)

    it("decide", function()
      agrees(function(x)
        if x:gt(2):any() then return x end
        return -x
      end, function() return ramp {6} end)
      local f = cn.fuse(function(x) return not cn.all(x) and x or x + 1 end)
      for _ = 1, 2 do
        assert.equal("[0. 1.]", tostring(f(cn.arange(2):astype "float32")))
        assert.equal("[2. 2.]", tostring(f(cn.ones(2))))
      end
    end)

    it("give arrays where any and all have an axis, out or keepdims", function()
      agrees(function(x, out)
        cn.any(x, {out = out})
        return x:gt(1):any(1), cn.all(x, {axis = {1, 2}}), x:any{keepdims = true}, cn.all(x, {keepdims = false})
      end, function() return ramp {2, 3}, cn.zeros({}, "bool") end)
    end)

    it("have all dtypes", function()
      local cases = {}
      for _, dtype in ipairs {"bool", "int8", "uint16", "float16", "float64", "complex64"} do
        cases[#cases + 1] = {function(x)
          return x:sum(), x:prod(1), x:mean(1), x:argmax(), cn.any(x, {axis = 1}), cn.nansum(x, 2)
        end, function() return ramp({2, 3}, dtype) end}
      end
      all_agree(cases)
    end)

    it("ignore NaN by name", function()
      agrees(function(x) return cn.nansum(x), cn.nanmax(x, 1), cn.nanmean(x, 2) end,
        function() return cn.array {{1, cn.nan, 3}, {cn.nan, 5, 6}} end)
    end)

    it("spread as var and std do", function()
      agrees(function(x) return x:var(), x:std{axis = 2, ddof = 1}, cn.nanvar(x, 1), x:var(1, {keepdims = true}) end,
        function() return ramp {2, 4} end)
    end)

    it("fold what was computed, and go on with what came out", function()
      agrees(function(x, y)
        local dot = cn.sum(x * y, 2, {keepdims = true})
        return dot, x - dot, cn.max((x + 1):abs(), 1) + y, cn.sum(x) * 2
      end, two)
      assert.equal(1, kernels_of(cn.fuse(function(x) return cn.sum(x * x + 1) end), (two())))
    end)

    it("fold what broadcasts in one kernel: rows of the operands are parts of a longer one", function()
      local function fold(x, row) return cn.sum(x * row + 1) end
      local x, row = cn.sin(cn.arange(60 * 204, "float32")):reshape(60, 204), cn.cos(cn.arange(204, "float32"))
      local f = cn.fuse(fold)
      assert.equal(1, kernels_of(f, x, row))
      assert.is_true(f(x, row) == fold(x, row))
    end)

    it("store first what is folded, if its inputs lie across the order of the fold", function()
      local function fold(x) return cn.sum(x.T + 1, 2) end
      local x = cn.sin(cn.arange(96 * 200, "float32")):reshape(96, 200)
      local f = cn.fuse(fold)
      assert.equal(2, kernels_of(f, x))
      assert.is_true(f(x) == fold(x))
    end)

    it("do rows in one kernel, where rows are many", function()
      local function softmax(x)
        local e = cn.exp(x - x:max{axis = 2, keepdims = true})
        return e / e:sum{axis = 2, keepdims = true}
      end
      local x = cn.sin(cn.arange(600 * 90):astype "float64"):reshape(600, 90)
      local f = cn.fuse(softmax)
      assert.equal(1, kernels_of(f, x))
      assert.is_true((f(x) - softmax(x)):abs():max():item() < 1e-15)
      local few = x["1:5"]
      assert.is_true((f(few) - softmax(few)):abs():max():item() < 1e-15)
    end)

    it("are the same by rows, columns and both, together with what is made of them", function()
      local function fn(x)
        local d = x - x:mean{axis = 2, keepdims = true}
        local v = x:var{axis = 2, keepdims = true}
        return d / cn.sqrt(v + 1), v * 2, x:sum(1), d:abs():max(), x:max(2), x - x:min(1)
      end
      local x = cn.cos(cn.arange(520 * 7):astype "float64"):reshape(520, 7)
      local got, expected = {cn.fuse(fn)(x)}, {fn(x)}
      for i = 1, #expected do
        assert.equal(tostring(expected[i].shape), tostring(got[i].shape))
        assert.is_true((got[i] - expected[i]):abs():max():item() < 1e-12, "result " .. i)
      end
    end)

    it("of squares do not take columns for rows", function()
      local x = ramp({520, 520}, "float64")
      local a, b = cn.fuse(function(v) return v - v:max(2), v:max(2) end)(x)
      assert.is_true(a == x - x:max(2) and b == x:max(2))
    end)

    it("refuse to fold nothing where there is no identity, in later calls too", function()
      local f = cn.fuse(function(x)
        local m = cn.max(x, 1)
        return m
      end)
      assert.equal("[3. 4.]", tostring(f(cn.array {{1, 4}, {3, 2}})))
      local ok, message = pcall(f, cn.zeros {0, 2})
      assert.is_false(ok)
      assert.has.match("fuse_spec.lua:%d+: cuna: max: zero elements to reduce", message)
    end)
  end)
end)

describe("fuse", function()
  it("takes a Lua function and a name", function()
    raises("fuse: expected a function, got 3", function() cn.fuse(3) end)
    raises("fuse: expected a function written in Lua", function() cn.fuse(core.is_array) end)
    raises("fuse: name is a string, got 3", function() cn.fuse(function() end, 3) end)
    raises("fuse: unknown option 'nam'", function() cn.fuse(function() end, {nam = "f"}) end)
    assert.equal("<fuse loss>", tostring(cn.fuse(function() end, {name = "loss"})))
    assert.equal("loss", cn.fuse(function() end, "loss").name)
  end)
end)
