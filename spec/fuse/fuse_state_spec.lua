--- What a fused function reads and writes beside its arguments: in the closure's order, and never out of date.
local cn = require "cuna"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()

local function arange(n, dtype) return cn.arange(n):astype(dtype or "float64") end

local function text(...)
  local list = {...}
  for i = 1, select("#", ...) do list[i] = tostring(list[i]) end
  return table.concat(list, " ")
end

local function traced(f) return f.cache_info().traced end

--- Asserts that a call raises one line of cuna's that begins with the text.
local function raises(message, f, ...)
  local ok, said = pcall(f, ...)
  assert.is_false(ok)
  local place, rest = said:match "^[^\n]-fuse_state_spec.lua:(%d+): cuna: ([^\n]*)$"
  assert.is_truthy(place, said)
  assert.equal(message, rest:sub(1, #message))
end

--- Asserts that closures of the same kind, one fused, give the same in two calls each. `make` returns a closure and a
--- function that makes the arguments of call i.
local function agrees(make)
  local said = {}
  for way = 1, 2 do
    local fn, arguments = make()
    local f = way == 2 and cn.fuse(fn) or fn
    for i = 1, 2 do said[#said + 1] = text(f(arguments(i))) end
  end
  assert.same({said[1], said[2]}, {said[3], said[4]})
end

devices.each_device(function()
  describe("a fused function", function()
    it("writes arrays that it made or found after it read them", function()
      agrees(function()
        local model = {w = arange(2), v = arange(2)}
        return function(x)
          local t = cn.ones(2)
          local a, b = x + t, x * model.w
          t:add_(1)
          model.w:sub_(0.5)
          local c = x * model.w
          cn.add(model.v, 1, {out = model.w})
          cn.add(model.v, 2, model.v)
          return a, t * 1, b, c, x + model.w, x + model.v
        end, function() return arange(2) end
      end)
    end)

    it("takes back no element of what it read", function()
      agrees(function()
        local model = {w = arange(2)}
        return function(x)
          local y = x * model.w
          model.w[1] = 7
          return y, model.w * 1
        end, function() return arange(2) end
      end)
    end)

    it("knows views of what it reads and then writes, however it got hold of them", function()
      local w = arange(4)
      local model = {w = w["1:2"], v = w["2:3"]}
      assert.equal("[0. 3.]", tostring(cn.fuse(function(x)
        local y = x * model.w
        model.v:add_(1)
        return y + model.w
      end)(arange(2))))
      assert.equal("[0. 2. 3. 3.]", tostring(w))
      w["1:4"] = arange(4)
      local kernel = cn.ElementwiseKernel("float64 x", "float64 y", "y = 2 * x", "twice")
      for _ = 1, 2 do
        w["1:4"] = arange(4)
        assert.equal("[0. 1.] [2.]", text(cn.fuse(function(x)
          local y = x * model.w
          kernel(model.v["1:1"], {out = model.w["1:1"]})
          return y, model.w["1:1"] * 1
        end)(arange(2))))
        assert.equal("[1. 3.]", tostring(cn.fuse(function(x) return kernel(x) + 1 end)(arange(2))))
      end
      assert.equal("[0. 2.]", tostring(kernel(arange(2))))
    end)

    it("writes in order to arrays that share memory", function()
      local x = arange(5)
      local f = cn.fuse(function(a, b)
        a:fill(1)
        b:fill(2)
      end)
      local y, z = arange(3), arange(2)
      f(y, z)
      assert.equal("[1. 1. 1.] [2. 2.]", text(y, z))
      f(x["1:3"], x["3:4"])
      assert.equal("[1. 1. 2. 2. 4.]", tostring(x))
      raises("divmod: two outputs share memory", cn.fuse(function(v, out)
        cn.divmod(v, 3, {out = {out, out}})
        return out
      end), y, y)
    end)

    it("makes new arrays in the default dtype of the call", function()
      local f = cn.fuse(function(x) return x + cn.zeros(2) end)
      assert.equal("float64", f(arange(2, "int8")).dtype)
      cn.set_default_dtype "float32"
      local dtype = f(arange(2, "int8")).dtype
      cn.set_default_dtype "float64"
      assert.equal("float32", dtype)
    end)

    it("has scopes inside and outside", function()
      local f = cn.fuse(function(x)
        local y = cn.scope(function()
          local t = cn.arange(2)
          return x + t
        end)
        return y * 2
      end)
      for _ = 1, 2 do assert.equal("[0. 4.]", tostring(cn.scope(function() return f(arange(2)) end))) end
      assert.equal("[0. 4.]", tostring(f(arange(2))))
    end)

    it("asks a trace's numbers before it looks at arrays in another shape", function()
      local f = cn.fuse(function(x, k)
        if k == 1 then return cn.broadcast_to(x, {2, 3}) * 1 end
        return x * 1
      end)
      assert.equal("(2, 3)", tostring(f(arange(3), 1).shape))
      assert.equal("(5,)", tostring(f(arange(5), 2).shape))
    end)

    it("folds what was folded from nothing", function()
      local f = cn.fuse(function(x) return cn.max(cn.sum(x, 2)) end)
      assert.equal("0 2", text(f(cn.zeros {3, 0}):item(), f(cn.ones {3, 2}):item()))
      raises("max: zero elements to reduce", f, cn.zeros {0, 2})
    end)

    it("serves other calls after one failed", function()
      local f = cn.fuse(function(a, b)
        a:add_(1)
        return a * b
      end)
      raises("multiply: shapes", f, arange(3), arange(2))
      assert.equal("[0. 2.]", tostring(f(arange(2), arange(2, "float32"))))
    end)

    it("leaves functions of the program's own where they are", function()
      local original = cn.sin
      cn.fuse(function(x) return x + 1 end)(arange(2))
      cn.sin = function(x) return x * 2 end
      local own = cn.sin
      local y = cn.fuse(function(x) return cn.sin(x) end)(arange(2))
      local is_own = cn.sin == own
      cn.sin = original
      assert.is_true(is_own)
      assert.equal("[0. 2.]", tostring(y))
    end)

    it("fills arrays that empty_like made", function()
      local y = cn.fuse(function(x)
        local made = cn.empty_like(x, "int8")
        made:fill(3)
        return made
      end)(arange(2))
      assert.equal("[3 3] int8", text(y, y.dtype))
    end)
  end)

  describe("a closure that", function()
    it("catches errors finds the same ones in every call", function()
      config = {k = 2} -- luacheck: ignore
      agrees(function()
        return function(x, y)
          local ok, z = pcall(function() return x + y * config.k end) -- luacheck: ignore
          return ok and z or x * 2
        end, function(i) return arange(3), arange(i + 1) end
      end)
      config = nil -- luacheck: ignore
      agrees(function()
        return function(x, k)
          local _, word = pcall(string.format, "%d", k)
          return x, #word
        end, function(i) return arange(2), i end
      end)
      agrees(function()
        return function(x)
          local ok, greatest = pcall(function() return x:max():item() end)
          return x * (ok and greatest or 100)
        end, function(i) return arange(2) * i end
      end)
    end)

    it("asks what is never the same runs at every call", function()
      agrees(function()
        return function(x) return x * math.random(1, 1000000) end, function(i)
          math.randomseed(i)
          return arange(2)
        end
      end)
      agrees(function()
        local count = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end)
        return function(x) return x * count() end, function() return arange(2) end
      end)
      agrees(function()
        return function(x) return x * package.loaded["fuse.test"].k * require("fuse.test").k end, function(i)
          package.loaded["fuse.test"] = {k = i}
          return arange(2)
        end
      end)
      package.loaded["fuse.test"] = nil
      local f = cn.fuse(function(x) return x + (cn.clock() > 0 and os.time() > 0 and 1 or 0) end)
      for _ = 1, 2 do assert.equal("[1. 2.]", tostring(f(arange(2)))) end
      assert.equal(0, f.cache_info().traces)
    end)

    it("looks into its environment by other words sees it", function()
      local env = setmetatable({gain = 2}, {__index = _G})
      local fn = setfenv(loadstring [[
        local x, k = ...
        local sum = 0
        for _, v in pairs(getfenv(1)) do sum = sum + v end
        return x * rawget(getfenv(1), "gain"), sum, rawget({10, 20}, k), rawequal(k, 2)]], env)
      local f = cn.fuse(fn)
      assert.equal("[0. 2.] 2 20 true", text(f(arange(2), 2)))
      env.gain = 3
      assert.equal("[0. 3.] 3 10 false", text(f(arange(2), 1)))
    end)

    it("takes objects sees their classes change", function()
      agrees(function()
        return function(net, x) return net.w * x + net.b end, function(i)
          return setmetatable({w = arange(2)}, {__index = {b = i}}), 2
        end
      end)
      local f = cn.fuse(function(x, shape) return x * shape[1] end) -- a shape is not an object
      assert.equal("[0. 2.] [0. 3.]", text(f(arange(2), cn.zeros(2).shape), f(arange(2), cn.zeros(3).shape)))
      f(arange(2), cn.zeros(3).shape)
      assert.equal(2, traced(f))
    end)

    it("writes to tables among its arguments does so at every call", function()
      local x, list, options = arange(2), {arange(2), arange(2) * 3}, {}
      local f = cn.fuse(function(v, from, o)
        o.calls = (o.calls or 0) + 1
        o.last = v
        return v + table.remove(from)
      end)
      assert.equal("[0. 4.] [0. 2.]", text(f(x, list, options), f(x, list, options)))
      assert.equal("0 2", text(#list, options.calls))
      assert.is_true(rawequal(options.last, x))
      cn.fuse(function(v, o) o.y = v * 2 end)(x, options)
      assert.equal("[0. 2.]", tostring(options.y))
    end)

    it("calls math with numbers and what Lua takes for numbers", function()
      agrees(function()
        return function(x, k) return x * math.max(k, "7", 1) end, function(i) return arange(2), 4 * i end
      end)
    end)
  end)
end)
