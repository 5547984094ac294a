--- Recorded operations that write to arrays: in place, and with out.
local cn = require "cuna"
local process = require "spec.support.process"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded writes", function()
  recorder.each_device(function(device)
    it("share a kernel with what leads to them", function()
      local function work(w, m, v, g)
        m:mul_(0.9):add_(0.1 * g)
        v:mul_(0.99):add_(0.01 * g * g)
        w:sub_(0.25 * m / (cn.sqrt(v) + 1))
        return w, m, v
      end
      local function state() return cn.ones(99), cn.arange(99) / 3, cn.arange(99) / 7, cn.arange(99) - 40 end
      local expected = {work(state())}
      local results, units = recorded(work, state())
      for i, result in ipairs(results) do same(expected[i], result) end
      assert.equal(1, units)
    end)

    it("leave what was recorded before with the old content", function()
      cn.set_eager(false)
      local x, y = cn.ones(4), cn.arange(4)
      local before, view = x * 2, x["2:3"]
      local recipe = cn.tan(y)
      local other = recipe + 1
      cn.evaluate(other)
      x:add_(y):mul_(10)
      y:sub_(100)
      assert.same({2, 2, 2, 2}, before:totable())
      assert.same({10, 20, 30, 40}, x:totable())
      assert.same({20, 30}, view:totable())
      assert.same(cn.tan(cn.arange(4)):totable(), recipe:totable())
      assert.same({-100, -99, -98, -97}, y:totable())
    end)

    it("of few elements, which the host does, come after what was recorded", function()
      cn.set_eager(false)
      local one, two = cn.array({2}, "int64"), cn.array({1, 2}, "int64")
      for _, write in ipairs {
        function(x) x[{2, 3}] = 10 end, function(x) x[2][3] = 10 end, function(x) x[{2, one}] = 10 end,
        function(x) x[one] = cn.arange(4) end, function(x) x[{two, two}] = 7 end,
        function(x) cn.take(cn.arange(9), cn.array({5, 6, 7}, "int64"), {out = x["2, 2:"]}) end,
        function(x) x:put(two, 5) end, function(x) x[x:gt(5)] = 3 end,
      } do
        local x = cn.evaluate(cn.arange(12):reshape(3, 4) * 1)
        local twice = x * 2
        local more = twice + 1
        write(x)
        same(cn.arange(12):reshape(3, 4) * 2, twice)
        same(cn.arange(12):reshape(3, 4) * 2 + 1, more)
        assert.is_false(x == cn.arange(12):reshape(3, 4))
      end
    end)

    it("read all before they write", function()
      cn.set_eager(false)
      local x = cn.arange(6):reshape(2, 3)
      cn.add(x, x["::-1"], {out = x})
      assert.same({{3, 5, 7}, {3, 5, 7}}, x:totable())
      local y = x + 1
      local turned = y.T
      y:add_(y):add_(x)
      assert.same({{11, 17, 23}, {11, 17, 23}}, y:totable())
      assert.same({{11, 11}, {17, 17}, {23, 23}}, turned:totable())
    end)

    it("do not count the memory of a value that is computed once more", function()
      local n = 100000 -- so large that p's memory goes as soon as q was computed
      local expected = cn.sinh(cn.linspace(0, 1, n))["2:"] * 2
      cn.set_eager(false)
      local x = cn.evaluate(cn.linspace(0, 1, n))
      local p = cn.sinh(x)
      local q = p["2:"] * 2
      local r = cn.evaluate(q + 1)
      local other = cn.evaluate(cn.full(n, -7)) -- where p was
      other:free()
      cn.evaluate(p)
      assert.equal(n - 1, r.size)
      same(expected, q)
      cn.set_eager(true)
    end)

    it("of values that are not computed yet compute the last one only", function()
      local x = cn.ones(50, "float32")
      local function work()
        local y = cn.sinh(x)
        for i = 1, 5 do y:add_(i) end
        return y
      end
      local results, units = recorded(work)
      same(work(), results[1])
      assert.equal(1, units)
    end)

    it("write to parts, other dtypes, and memory that others know at once", function()
      cn.set_eager(false)
      local x, whole = cn.zeros(4), cn.zeros({2, 4})
      local known = x:to_dlpack()
      x:add_(1)
      whole[1]:add_(x)
      cn.multiply(x, 5, {out = whole[2]})
      local narrow = cn.zeros(4, "float32")
      cn.add(x, x, {out = narrow})
      cn.synchronize()
      assert.same({{1, 1, 1, 1}, {5, 5, 5, 5}}, whole:totable())
      assert.same({2, 2, 2, 2}, narrow:totable())
      assert.is_true(known ~= nil)
      assert.has.match("broadcast view", select(2, pcall(function() cn.broadcast_to(x, {2, 4}):add_(1) end)))
    end)

    it("do not happen in a rehearsal", function()
      cn.set_eager(false)
      local x = cn.ones(5)
      cn.prepare(function() x:add_(cn.cosh(x)) end)
      assert.same({1, 1, 1, 1, 1}, x:totable())
    end)

    it("end with arrays that are freed", function()
      cn.set_eager(false)
      local x, y = cn.ones(5), cn.ones(5)
      local z = x + y
      x:add_(1)
      x:free()
      y:mul_(3):add_(z)
      y:free()
      assert.same({2, 2, 2, 2, 2}, z:totable())
      assert.has.match("freed", select(2, pcall(cn.add, x, 1)))
    end)

    it("need no second array if one is a large part of the memory", function()
      local text = process.must_run([[
        local cn = require "cuna"
        local x = cn.ones(5 * 2 ^ 21, "uint8")
        for _ = 1, 3 do x:add_(1) end
        print(x[7])
      ]], {CUNA_EAGER = "0", CUNA_DEVICE = device.name, SIMGPU_MEMORY = tostring(2 ^ 24)})
      assert.equal("4\n", text)
    end)
  end)
end)
