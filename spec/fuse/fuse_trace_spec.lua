--- What a fused function replays, and when its closure runs again.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises_at = require("spec.support.raises").raises_at

local it = devices.rehearsed_it()

local function arange(n) return cn.arange(n):astype "float32" end

local function traced(f) return f.cache_info().traced end

devices.each_device(function()
  describe("a trace", function()
    it("serves calls of the same dtypes, shapes and numbers", function()
      local f = cn.fuse(function(x, k) return x * k end)
      for _ = 1, 2 do
        assert.equal("[0. 2. 4.]", tostring(f(arange(3), 2)))
        assert.equal("[[0. ] [2.5] [5. ]]", (tostring(f(arange(3):reshape(3, 1), 2.5)):gsub("\n", "")))
        assert.equal("[0. 2. 4.]", tostring(f(arange(5)["::2"], 1)))
        assert.equal("float64", f(arange(3):astype "float64", 2).dtype)
        assert.equal("[0. 1. 4.]", tostring(f(arange(3), arange(3))))
      end
      assert.equal(5, traced(f))
      assert.equal(5, f.cache_info().traces)
    end)

    it("depends on numbers where dtypes or operations do", function()
      local x = cn.arange(3):astype "int8"
      local f = cn.fuse(function(v, k) return v + k end)
      assert.equal("int8", f(x, 2).dtype)
      assert.equal("float64", f(x, 2.5).dtype)
      assert.equal("int8", f(x, 100).dtype)
      raises_at(1, "add: 300 does not fit int8; cn.scalar(300, \"int64\")", function()
        local g = cn.fuse(function(v, k) return v + k, 0 end)
        g(x, 3)
        g(x, 300)
      end)
      local less = cn.fuse(function(v, k) return v:lt(k) end)
      assert.equal("[ True  True False]", tostring(less(x, 2)))
      assert.equal("[ True  True  True]", tostring(less(x, 1000)))
      local power = cn.fuse(function(v, k) return v ^ k end)
      for _, k in ipairs {2, 3, 2, 4, 0.5} do
        assert.equal((arange(4) ^ k):tobytes(), power(arange(4), k):tobytes())
      end
    end)

    it("copies, and writes whole arrays", function()
      local f = cn.fuse(function(x, y)
        local before = x:copy()
        x["..."] = y * 2
        y["..."] = before
        return before, x + y
      end)
      for _ = 1, 3 do
        local x, y = arange(3), arange(3) + 1
        local before, sum = f(x, y)
        assert.equal("[0. 1. 2.] [2. 5. 8.] [2. 4. 6.] [0. 1. 2.]",
          table.concat({tostring(before), tostring(sum), tostring(x), tostring(y)}, " "))
        before:fill(7)
        assert.equal("[0. 1. 2.]", tostring(y))
      end
      assert.equal(1, traced(f))
    end)

    it("computes with numbers at every call", function()
      local f = cn.fuse(function(x, n) return x * (1 / (n - 1)) ^ 2 + -n % 3 end)
      for _, n in ipairs {3, 5, 2, 0.5, 1} do
        assert.equal((arange(3) * (1 / (n - 1)) ^ 2 + -n % 3):tobytes(), f(arange(3), n):tobytes())
      end
    end)

    it("depends on the comparisons of numbers in the closure", function()
      local f = cn.fuse(function(x, k)
        if k > 3 then return x * k end
        return x + k
      end)
      assert.equal("[1. 2.]", tostring(f(arange(2), 1)))
      assert.equal("[0. 4.]", tostring(f(arange(2), 4)))
      assert.equal("[0. 5.]", tostring(f(arange(2), 5)))
      local repeated = cn.fuse(function(x, n)
        for _ = 1, n do x = x * 2 end
        return x
      end)
      assert.equal("[0. 8.]", tostring(repeated(arange(2), 3)))
      assert.equal("[0. 2.]", tostring(repeated(arange(2), 1)))
      assert.equal("[0. 8.]", tostring(repeated(arange(2), 3)))
      assert.equal(2, traced(repeated))
      local sum = cn.fuse(function(x, axis) return cn.sum(x, axis) end)
      assert.equal("[3. 5. 7.]", tostring(sum(arange(6):reshape(2, 3), 1)))
      assert.equal("[ 3. 12.]", tostring(sum(arange(6):reshape(2, 3), 2)))
    end)

    it("treats numbers as numbers in the words of Lua", function()
      local f = cn.fuse(function(x, k)
        local scales = {10, 20}
        if type(k) ~= "number" or type(x) ~= "userdata" then return nil end
        if "k" .. k ~= "k2" and tostring(k) ~= "1" then return nil end
        return x * scales[k], tonumber(k)
      end)
      local y, a = f(arange(2), 2)
      assert.equal("[ 0. 20.] 2", table.concat({tostring(y), a}, " "))
      assert.equal("[ 0. 10.]", tostring((f(arange(2), 1))))
    end)

    it("depends on shape, ndim and size where the closure reads them", function()
      local f = cn.fuse(function(x) return x / x.size end)
      f(arange(4))
      assert.equal("[0.  0.5]", tostring(f(arange(2))))
      local g = cn.fuse(function(x) return x + x.shape[1] + #x, x.ndim, x.dtype, x.nbytes end)
      assert.equal("[6. 7. 8.]", tostring((g(arange(3)))))
      assert.equal("[4. 5.]", tostring((g(arange(2)))))
      local h = cn.fuse(function(x, y) return (x + y).ndim == 2 and x + y or x - y end)
      assert.equal("[0. 0.]", tostring(h(arange(2), arange(2))))
      assert.equal("[[0. 2.]]", tostring(h(arange(2), arange(2):reshape(1, 2))))
    end)

    it("depends on axes where it folds", function()
      local f = cn.fuse(function(x) return x:sum() end)
      assert.equal("3 3", tostring(f(arange(3)):item()) .. " " .. tostring(f(arange(3):reshape(3, 1)):item()))
      assert.equal("10", tostring(f(arange(5)):item()))
    end)

    it("depends on which arrays are the same, where it writes", function()
      local f = cn.fuse(function(x, y)
        x:add_(y)
        return x * y
      end)
      local x, y = arange(3), arange(3)
      assert.equal("[0. 2. 8.]", tostring(f(x, y)))
      assert.equal("[0. 2. 4.]", tostring(x))
      assert.equal("[ 0.  4. 16.]", tostring(f(y, y)))
      assert.equal("[0. 2. 4.]", tostring(y))
      assert.equal("[0. 2. 8.]", tostring(f(arange(3), arange(3))))
      assert.equal(2, traced(f))
    end)

    it("runs operations one by one for arrays that share memory, where one is read after the other was written",
      function()
        local x, out = arange(4), cn.zeros(2)
        local f = cn.fuse(function(a, b)
          a:add_(1)
          return a * b
        end, {name = "twist"})
        f(arange(2), arange(2))
        assert.equal("[2. 4.]", tostring(f(x["1:2"], x["2:3"])))
        assert.equal("[1. 2. 2. 3.]", tostring(x))
        assert.equal("[9. 9.]", tostring(f(x["2:3"], x["3:4"], {out = out})))
        assert.equal("[9. 9.] [1. 3. 3. 3.]", tostring(out) .. " " .. tostring(x))
      end)

    it("runs a closure with other effects once", function()
      local x, count = arange(4), 0
      assert.equal("[2. 4.]", tostring(cn.fuse(function(a, b)
        count = count + 1
        a:add_(1)
        return a * b
      end, {name = "twist"})(x["1:2"], x["2:3"])))
      assert.equal(1, count)
      x = arange(4)
      local g = cn.fuse(function(a, b) a:add_(b) end)
      g(x["2:3"], x["1:2"])
      assert.equal("[0. 1. 3. 3.]", tostring(x))
    end)

    it("reads captured arrays and numbers at every call", function()
      local w, k = arange(2), 2
      local f = cn.fuse(function(x) return x + w * k end)
      assert.equal("[1. 3.]", tostring(f(cn.ones(2, "float32"))))
      w:fill(5)
      assert.equal("[11. 11.]", tostring(f(cn.ones(2, "float32"))))
      w, k = arange(2), 3
      assert.equal("[1. 4.]", tostring(f(cn.ones(2, "float32"))))
      w = 10
      assert.equal("[31. 31.]", tostring(f(cn.ones(2, "float32"))))
      w, k = arange(2), 2
      assert.equal("[1. 3.]", tostring(f(cn.ones(2, "float32"))))
      assert.equal(3, traced(f)) -- another array of the same form is none to trace for
    end)

    it("reads globals at every call, also of functions it calls", function()
      local env = setmetatable({gain = 2, weights = arange(2)}, {__index = _G})
      local function helper(v) return v * env.gain end -- luacheck: ignore
      helper = setfenv(loadstring "return function(v) return v * gain + weights end", env)()
      local f = cn.fuse(function(x) return helper(x) end)
      assert.equal("[2. 3.]", tostring(f(cn.ones(2, "float32"))))
      env.gain = 4
      assert.equal("[4. 5.]", tostring(f(cn.ones(2, "float32"))))
      env.weights = arange(2) * 10
      assert.equal("[ 4. 14.]", tostring(f(cn.ones(2, "float32"))))
      assert.equal(2, traced(f))
      env.gain = arange(2)
      assert.equal("[ 0. 11.]", tostring(f(cn.ones(2, "float32"))))
      assert.equal(env, getfenv(helper))
    end)

    it("reads upvalues of functions that it captures", function()
      local k = 1
      local function inner(x) return x * k end
      local function outer(x) return inner(x) + k end
      local f = cn.fuse(function(x) return outer(x) end)
      assert.equal("[1. 2.]", tostring(f(arange(2))))
      k = 3
      assert.equal("[3. 6.]", tostring(f(arange(2))))
      inner = function(x) return x - k end
      assert.equal("[0. 1.]", tostring(f(arange(2))))
      assert.equal("[0. 1.]", tostring(outer(arange(2))))
    end)

    it("depends on what captured tables hold, entry by entry", function()
      local options, nested = {axis = 2, keepdims = true}, {shape = {2, 2}, name = "k", on = true}
      local f = cn.fuse(function(x) return x - cn.sum(x, options) end)
      local g = cn.fuse(function(x) return nested.on and x * nested.shape[2] or x, nested.name == "k" end)
      local x = arange(4):reshape(2, 2)
      for _ = 1, 3 do
        assert.equal("[[-1.  0.] [-3. -2.]]", tostring(f(x)):gsub("\n", ""), nil)
        local doubled, is_k = g(arange(2))
        assert.equal("[0. 2.] true", tostring(doubled) .. " " .. tostring(is_k))
      end
      assert.equal("1 1", traced(f) .. " " .. traced(g))
      options.axis, nested.shape[2] = 1, 3
      assert.equal("[[-2. -3.] [ 0. -1.]]", tostring(f(x)):gsub("\n", ""), nil)
      assert.equal("[0. 3.]", tostring((g(arange(2)))))
      assert.equal("2 2", traced(f) .. " " .. traced(g))
      options.axis, nested.on = 2, false
      assert.equal("[[-1.  0.] [-3. -2.]]", tostring(f(x)):gsub("\n", ""), nil)
      assert.equal("[0. 1.]", tostring((g(arange(2)))))
      options.keepdims, nested.name = nil, "n"
      assert.equal("[[-1. -4.] [ 1. -2.]]", tostring(f(x)):gsub("\n", ""), nil)
      assert.is_false((select(2, g(arange(2)))))
      options.dtype = "float64"
      assert.equal("float64", f(x).dtype)
    end)

    it("reads arrays in captured tables at every call", function()
      local model, seen = {w = arange(2), inner = {b = 1}}, {}
      local same = model
      local function bias(x) return x + same.inner.b end
      local f = cn.fuse(function(x) return bias(x * model.w) end)
      seen[1] = tostring(f(arange(2)))
      model.w, model.inner.b = model.w * 10, 2
      seen[2] = tostring(f(arange(2)))
      model.inner = {b = 3}
      seen[3] = tostring(f(arange(2)))
      assert.equal("[1. 2.] [ 2. 12.] [ 3. 13.]", table.concat(seen, " "))
      model.w = arange(2)
      assert.equal("[3. 4.]", tostring(f(arange(2))))
      assert.equal(3, traced(f))
      model.w = arange(2):astype "float64"
      assert.equal("float64", f(arange(2)).dtype)
    end)

    it("writes to captured tables at every call", function()
      local log, last = {calls = 0}, nil
      local f = cn.fuse(function(x)
        log.calls, log.x, last = log.calls + 1, x, log
        return x + log.calls
      end)
      local x = arange(2)
      assert.equal("[1. 2.] [2. 3.]", tostring(f(x)) .. " " .. tostring(f(x)))
      assert.equal(2, log.calls)
      assert.is_true(rawequal(x, log.x) and rawequal(log, last))
    end)

    it("is not made of a closure that captures a table with more in it", function()
      local model = {w = arange(2), scale = 2, steps = {1, 2}, show = print}
      local f = cn.fuse(function(x)
        for _, s in ipairs(model.steps) do x = x + s end
        return x * model.w * model.scale
      end)
      assert.equal("[0. 8.]", tostring(f(arange(2))))
      model.w, model.scale = model.w * 10, 3
      model.steps[3] = 1
      assert.equal("[  0. 150.]", tostring(f(arange(2))))
      assert.equal(0, f.cache_info().traces)
    end)

    it("writes arrays found in tables", function()
      local model = {w = arange(2)}
      local f = cn.fuse(function(x)
        model.w:add_(x)
        return model.w * 2
      end)
      assert.equal("[0. 4.]", tostring(f(arange(2))))
      assert.equal("[0. 2.]", tostring(model.w))
      local g = cn.fuse(function(x)
        model.w:add_(x)
        return x * model.w[2]
      end)
      for i = 3, 5 do assert.equal(i, g(arange(2))[2]) end
    end)

    it("computes with arrays that the closure makes and writes", function()
      local f = cn.fuse(function(x)
        local sum, copy = cn.zeros(2, "float32"), cn.empty(2, "float32")
        for _ = 1, 3 do sum:add_(x) end
        copy[cn.ellipsis] = sum * 2
        return sum + 1, -copy, sum.size, copy
      end)
      for _ = 1, 2 do
        local a, b, n, c = f(arange(2))
        assert.equal("[1. 4.] [-0. -6.] 2 [0. 6.]", table.concat({tostring(a), tostring(b), n, tostring(c)}, " "))
      end
    end)

    it("keeps what a closure stores in upvalues", function()
      local calls = 0
      local f = cn.fuse(function(x)
        calls = calls + 1
        return x * calls
      end)
      assert.equal("[0. 1.]", tostring(f(arange(2))))
      assert.equal("[0. 2.]", tostring(f(arange(2))))
      assert.equal(2, calls)
    end)

    it("holds arrays that the closure makes, and gives copies of them", function()
      local f = cn.fuse(function(x)
        local steps = cn.arange(2)
        return x + steps, steps, x + {5, 6}
      end)
      local _, steps = f(arange(2))
      steps:fill(7)
      local y, again, z = f(arange(2))
      assert.equal("[0. 2.] [0 1] [5. 7.]", tostring(y) .. " " .. tostring(again) .. " " .. tostring(z))
    end)

    it("keeps them when a scope around its first call ends", function()
      local f = cn.fuse(function(x) return x + cn.arange(2) end)
      for _ = 1, 2 do
        assert.equal("[0. 2.]", tostring(cn.scope(function() return f(arange(2)) end)))
      end
    end)

    it("knows how many arguments a closure with `...` has", function()
      local f = cn.fuse(function(...)
        local sum = 0
        for i = 1, select("#", ...) do sum = sum + (select(i, ...)) end
        return sum
      end)
      assert.equal("[0. 2.]", tostring(f(arange(2), arange(2))))
      assert.equal("[0. 1.]", tostring(f(arange(2))))
      assert.equal("[3. 5.]", tostring(f(arange(2), arange(2), 3)))
      assert.equal(3, traced(f))
    end)

    it("is forgotten when there are too many, and seldom made where none is used", function()
      local f = cn.fuse(function(x, word) return word and x + 1 end)
      for n = 1, 100 do assert.equal(1, f(arange(1), "word" .. n):item()) end
      local made = f.cache_info()
      assert.is_true(made.traced < 12 and made.traces <= 5)
      for n = 1, 100 do
        for _ = 1, n == 1 and 600 or 2 do f(arange(1), "other" .. n) end
      end
      made = f.cache_info()
      assert.equal(64, made.traces)
      assert.is_true(made.traced > 100)
    end)

    it("serves at once again where it was of no use", function()
      local f = cn.fuse(function(x, n) return x * n end)
      for n = 1, 20 do f(arange(2), n) end
      local before = traced(f)
      for _ = 1, 40 do assert.equal("[0. 9.]", tostring(f(arange(2), 9))) end
      assert.is_true(traced(f) <= before + 1)
    end)

    it("is the same in compiled loops, beside the unfused closure", function()
      local k, sin = 0.5, cn.sin
      local function plain(x) return sin(x) * k + 1 end
      local f = cn.fuse(plain)
      local x = arange(4)
      for i = 1, 300 do
        k = i % 7 == 0 and 2 or 0.5
        local a, b = plain(x), f(i % 100 == 0 and x:astype "float64" or x)
        if i % 50 == 0 and i % 100 ~= 0 then assert.is_true(a == b) end
      end
      assert.is_true(traced(f) < 10)
    end)

    it("does not outlive an error", function()
      local k = 2
      local f = cn.fuse(function(x)
        if x.ndim == 2 then error "two axes" end
        return cn.sin(x) * k
      end)
      local ok, message = pcall(f, arange(4):reshape(2, 2))
      assert.is_false(ok)
      assert.has.match("two axes", message)
      assert.equal(2, k)
      assert.equal(cn.sin(arange(4)):tobytes(), (f(arange(4)) / 2):tobytes())
      assert.equal("number", type(math.sin(1)))
    end)
  end)
end)
