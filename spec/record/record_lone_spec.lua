--- Operations that are asked for before others follow: they run at once, until others follow again.
local cn = require "cuna"
local core = require "cuna.core"
local recorder = require "spec.support.recorder"

local ROUNDS = 200

--- Recorded operations and kernels of ROUNDS calls.
local function count(fn)
  local operations, kernels = core.record_stats()
  for _ = 1, ROUNDS do fn() end
  local now, by = core.record_stats()
  return now - operations, by - kernels
end

describe("operations that are read at once", function()
  recorder.each_device(function()
    local x, y
    before_each(function()
      x, y = cn.evaluate(cn.arange(0, 99, 1, "float32"), cn.ones(99, "float32"))
      cn.set_eager(false)
    end)

    local function chain(first) return cn.evaluate(first(x, y) * x - y) end

    it("are recorded no more, but now and then", function()
      local operations = count(function() assert.equal(2, cn.evaluate(x + y)[2]) end)
      assert.is_true(operations >= ROUNDS / 40 and operations < ROUNDS / 8, operations)
      operations = count(function() assert.equal(4851, x:sum():item()) end)
      assert.is_true(operations < ROUNDS / 8, operations)
    end)

    it("are recorded where others follow", function()
      local operations, kernels = count(function() chain(cn.subtract) end)
      assert.equal(3 * ROUNDS, operations)
      assert.is_true(kernels <= ROUNDS + 2, kernels) -- the first round may run them one by one
      assert.equal(2 * ROUNDS, (count(function() return (x - y):sum():item() end)))
    end)

    it("are recorded again once others follow", function()
      local function work() chain(cn.add) end
      count(work) -- their kernel is there from now on
      count(function() cn.evaluate(x + y) end)
      local operations, kernels = count(work)
      assert.is_true(operations >= 3 * ROUNDS - 34 and operations < 3 * ROUNDS, operations)
      assert.is_true(kernels <= ROUNDS + 4, kernels)
      assert.equal(3 * ROUNDS, (count(work)))
    end)

    it("are recorded where nobody asks for the result", function()
      count(function() cn.evaluate(x + y) end)
      for _ = 1, 34 do cn.evaluate(x + y, x - y) end
      local operations = count(function()
        local z = x + y
        z:free()
        cn.synchronize()
      end)
      assert.is_true(operations <= 1, operations)
    end)

    it("may be followed by others that have kernels of their own", function()
      local m = cn.evaluate(cn.ones({9, 99}, "float32"))
      local operations, kernels = count(function() return cn.evaluate(cn.sqrt(m:max(2)) * 2) end)
      assert.is_true(operations < 3 * ROUNDS - 100, operations) -- the fold, but not what follows
      assert.is_true(operations >= 2 * ROUNDS and kernels >= ROUNDS, kernels)
    end)

    it("are recorded for a graph, and where large", function()
      count(function() cn.evaluate(x + y) end)
      local operations = core.record_stats()
      local graph = cn.graph(function(a, b) return a + b end, x, y)
      assert.equal(2, graph(x, y)[2])
      assert.is_true(core.record_stats() > operations)
      local large = cn.evaluate(cn.ones(2 ^ 16, "float32"))
      assert.equal(ROUNDS, (count(function() cn.evaluate(large + large) end)))
    end)
  end)
end)
