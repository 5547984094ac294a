--- Recorded reads at positions, on devices whose kernels report bad positions later.
local cn = require "cuna"
local core = require "cuna.core"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded reads at positions", function()
  recorder.each_device(function(device)
    local function line(n) return cn.evaluate(cn.linspace(-1, 1, n)) end
    local places
    before_each(function() places = cn.evaluate(cn.random.default_rng(1):integers(1, 101, 5000)) end)

    it("share a kernel with what leads to them and what reads them", function()
      local x, table = line(5000), line(100)
      local function work() return table[(cn.absolute(x) * 99):astype "int64" + 1] * x + table[places] end
      local expected, results, kernels = work(), recorded(work)
      same(expected, results[1])
      if core.is_asynchronous(device) then assert.equal(1, kernels) end
    end)

    it("read pending arrays, rows, several axes, along axes, and folds read them", function()
      local m = cn.evaluate(cn.arange(60 * 50, "float32"):reshape(60, 50):copy())
      local i, j = cn.evaluate(cn.arange(1, 60, 2)), cn.evaluate(cn.arange(2, 51, 3))
      local function work()
        local pending = m * 2
        return pending[{i:reshape(#i, 1), j}] + 1, (pending[i] * 2):sum(2), cn.take(pending, j + 0, 2):mean(),
          cn.take_along_axis(pending, cn.argsort(-m, 2), 2) - 1,
          pending:take(cn.array {-1, 70}, 1, {mode = "clip"}) * 3,
          cn.exp(pending[i] * 0.001) / cn.exp(pending[i] * 0.001):sum(2, {keepdims = true})
      end
      local expected = {work()}
      for k, x in ipairs((recorded(work))) do same(expected[k], x) end
    end)

    it("read what there was when they were recorded", function()
      cn.set_eager(false)
      local x, before = line(100), line(100)
      local y = x[places] + 1
      x:add_(5)
      x["2:"] = x["2:"] * 3
      x[1] = 7
      same(before[places] + 1, y)
      local z = x[places] * 2
      local expected = cn.evaluate(x[places] * 2)
      x:free()
      same(expected, z)
    end)

    it("report positions out of range with their line", function()
      cn.set_eager(false)
      local x = line(100)
      local called
      local ok, message = pcall(function()
        called = debug.getinfo(1, "l").currentline + 1
        local y = x[places + 1] * 2
        cn.evaluate(y)
        cn.synchronize()
      end)
      assert.is_false(ok)
      assert.has.match("index: position 101 is out of range for an axis of length 100", message)
      assert.has.match("record_gather_spec.lua:" .. called, message, 1, true)
      cn.synchronize()
    end)
  end)
end)
