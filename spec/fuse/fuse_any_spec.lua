--- Fused functions whose closures do anything: they give what these give by themselves.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises_at = require("spec.support.raises").raises_at

local function arange(n) return cn.arange(n):astype "float32" end

local function traced(f) return f.cache_info().traced end

devices.each_device(function()
  describe("a closure", function()
    it("compares as it does by itself", function()
      local x = arange(2)
      for _, compare in ipairs {
        function(v) return v == 0 and v or nil end, function(v) return v == v * 1 and v or nil end,
        function(v) return v ~= v + 1 and v or nil end,
      } do
        local f = cn.fuse(compare)
        for _ = 1, 2 do assert.equal(tostring(compare(x)), tostring(f(x))) end
      end
      raises_at(1, "<: Lua makes one boolean ", cn.fuse(function(v)
        local less = v < v
        return less
      end), x)
    end)

    it("may compare with nil, strings and booleans", function()
      local f = cn.fuse(function(x, y)
        if x == nil or x == "mean" or x == true or y ~= nil then return nil end
        return x + 1
      end)
      assert.equal("[1. 2.]", tostring(f(arange(2))))
    end)

    it("may read values, decide and print", function()
      local f = cn.fuse(function(x)
        local sum = x:sum()
        return sum:item() + 1
      end)
      local text_of = cn.fuse(function(x) return "x " .. x, tostring(x), x[1], (cn.nanargmax(x)) end)
      local halve = cn.fuse(function(x)
        while cn.any(x:gt(1)) do x = x / 2 end
        return x
      end)
      for i = 1, 3 do
        local x = arange(3) * i
        assert.equal(3 * i + 1, f(x))
        local joined, shown, first, place = text_of(x)
        assert.equal("x " .. tostring(x), joined)
        assert.equal(tostring(x), shown)
        assert.equal(x[1], first)
        assert.equal(3, place:item())
        assert.equal(i == 3 and 0.75 or i / 2 > 1 and 0.5 or i == 2 and 1 or 1, halve(x)["-1:"]:item())
      end
      for _, g in ipairs {f, text_of, halve} do assert.equal(0, g.cache_info().traces) end
    end)

    it("may do anything else", function()
      local seed = 0
      local function all(x, m)
        seed = 3
        local y = cn.concatenate {x, x + 1}
        y["2:3"] = y["2:3"] * 10
        y[1] = -1
        return y, x["2:"], x[{1}], (x * 2):cumsum() + 1, cn.sort(-x), cn.take(x, {1, 1}), m:tril() + 1, m.T:dot(m) * 2,
          x[x:gt(1)] + 1, cn.linalg.inv(m + cn.eye(2) * 3), cn.fft.fft(x).real * 2, m:reshape(4) - 1, x.strides[1],
          cn.where(x:gt(1))[1]
      end
      local f, x, m = cn.fuse(all), arange(4), arange(4):reshape(2, 2)
      for _ = 1, 3 do
        local got, expected = {f(x, m)}, {all(x, m)}
        assert.equal(#expected, #got)
        for i, value in ipairs(expected) do assert.equal(tostring(value), tostring(got[i]), "result " .. i) end
      end
      assert.equal(3, seed)
    end)

    it("may look at parts, and at views of what it computed", function()
      local function parts(x, m)
        local y = (x * 2)["2:"]
        return y - x[":-2"], (m + x["1:2"]).T * m, cn.sum((m * m)["1"] + 1), m["::-1, 2:2"]
      end
      local f, x, m = cn.fuse(parts), arange(4), arange(4):reshape(2, 2)
      for _ = 1, 3 do
        local got, expected = {f(x, m)}, {parts(x, m)}
        for i, value in ipairs(expected) do assert.equal(tostring(value), tostring(got[i]), "result " .. i) end
      end
      assert.equal(1, traced(f))
      local back = cn.fuse(function(v) return v.T, v end)
      back(m)
      local t, same = back(m)
      t["1, 2"] = 7
      assert.is_true(rawequal(same, m) and m["2, 1"] == 7)
      m["2, 1"] = 2
    end)

    it("may return, store and keep what it likes", function()
      local kept, box = nil, {print}
      local f = cn.fuse(function(x)
        kept = x + 1
        box.x = x * 2
        return {x, kept}, "abc", print
      end)
      for i = 1, 3 do
        local list, word, fn = f(arange(2) * i)
        assert.equal(("[0. %d.] [1. %d.] [1. %d.] [0. %d.]"):format(i, i + 1, i + 1, 2 * i), table.concat({
          tostring(list[1]), tostring(list[2]), tostring(kept), tostring(box.x)}, " "))
        assert.is_true(word == "abc" and fn == print)
      end
      local plain = {}
      local g = cn.fuse(function(x) plain.x = x end)
      for _ = 1, 3 do
        local x = arange(2)
        g(x)
        assert.is_true(rawequal(x, plain.x))
      end
      local h = cn.fuse(function(v)
        coroutine.yield(v + 1)
        return v
      end)
      local yields = coroutine.wrap(function(x) return h(x) end)
      assert.equal("[1. 2.] [0. 1.]", tostring(yields(arange(2))) .. " " .. tostring(yields()))
    end)

    it("has its errors at its own line", function()
      raises_at(3, "add: shapes (3,) and (2,) do not broadcast", cn.fuse(function(x, y)
        local z = x * 2

        z = z + y
        return z
      end), arange(3), arange(2))
      for _, make in ipairs {cn.fuse, cn.vectorize} do
        local freed = cn.zeros(3)
        freed:free()
        local f = make(function(x)
          local y = x + 1
          return y
        end)
        f(cn.zeros(3))
        raises_at(-4, "add: the array was freed at ", f, freed)
      end
      raises_at(1, "an array has no field or method 'sqrtt'; did you mean 'sqrt'?", cn.fuse(function(x)
        local y = x.sqrtt
        return y
      end), arange(2))
      local ok, message = pcall(cn.fuse(function(x) return x.shape.none.more end), arange(2))
      assert.is_false(ok)
      assert.has.match("fuse_any_spec.lua:%d+: attempt to index", message)
    end)
  end)
end)
