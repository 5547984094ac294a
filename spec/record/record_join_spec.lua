--- Joins that are recorded: values that only they read are computed where they lie in the result.
local cn = require "cuna"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded joins", function()
  recorder.each_device(function()
    local function rows(dtype)
      return (cn.arange(300 * 20, "float32") * 0.37):reshape(300, 20):mod(7):astype(dtype or "float32")
    end

    --- Compares what work() gives at once and recorded; returns how many kernels recording needed.
    local function compare(work)
      local expected = {work()}
      local results, kernels = recorded(work)
      for i, result in ipairs(results) do
        assert.same({expected[i].dtype, tostring(expected[i].shape)}, {result.dtype, tostring(result.shape)})
        same(expected[i], result)
      end
      return kernels
    end

    it("need no kernel where all values are computed in the result", function()
      local x = rows()
      for axis = 1, 2 do
        assert.equal(1, compare(function() return cn.concatenate({x * 2, x + 1}, axis) end))
        assert.equal(1, compare(function() return cn.stack({x * 2, x + 1, cn.exp(-x)}, axis) end))
      end
      assert.equal(1, compare(function() return cn.stack({x * 2, x + 1}, 3) end))
      assert.equal(2, compare(function() return cn.concatenate {x * 2, x["1:7"] + 1} end))
      assert.equal(2, compare(function() return cn.vstack {x:sqrt(), cn.zeros({2, 20}, "float32")} end))
    end)

    it("copy what is in memory, and what others read", function()
      local x, y = rows(), rows "float64"
      compare(function() return cn.concatenate {x, x * 2, y, (x + 1).T:copy().T, y * 3} end)
      compare(function()
        local z = x * 2
        return cn.concatenate {z, x + 1, z}, z:sum(), cn.hstack {z, z - 1}
      end)
      compare(function()
        local z = x * 2
        return cn.concatenate {z["1:4"], x - 1}, cn.stack {z:sum(2), x:mean(2), z:cumsum(2)[{{}, 3}]}
      end)
      compare(function() return cn.concatenate {cn.arange(500), cn.arange(500) * 2.5, cn.full({4}, 7)} end)
      compare(function() return cn.concatenate {cn.concatenate {x + 1, x}, cn.concatenate {x * 3, y - 1}} * 2 end)
      compare(function() return cn.stack {x:sum(), x:mean()} end)
      compare(function()
        local many = {}
        for k = 1, 40 do many[k] = x[k] * k end
        return cn.stack(many), cn.concatenate(many)
      end)
    end)

    it("give values that are asked for afterwards", function()
      local x = rows()
      local twice, plus = x * 2, x + 1
      for _ = 1, 3 do
        cn.set_eager(false)
        local y, z = x * 2, x + 1
        local joined = cn.concatenate {y, z}
        same(cn.concatenate {twice, plus}, joined * 1)
        same(twice, y)
        x:add_(0)
        same(plus, z)
        cn.set_eager(true)
      end
    end)

    it("take the memory of the result only", function()
      local x = cn.ones({400, 1000}, "float32")
      recorded(function() return cn.concatenate {cn.sqrt(x), cn.exp(x), -x} end)[1]:free()
      local pool = cn.get_default_memory_pool()
      collectgarbage() -- of earlier tests
      collectgarbage()
      local used = pool:used_bytes()
      local result = recorded(function() return cn.concatenate {cn.sqrt(x), cn.exp(x), -x} end)[1]
      assert.equal(3 * x.nbytes, pool:used_bytes() - used)
      assert.equal(1200, #result)
    end)

    it("are refused at their line, and empty arrays may be among them", function()
      local x = rows()
      cn.set_eager(false)
      local ok, message = pcall(function() return cn.concatenate {x + 1, (x + 1).T} end)
      assert.is_false(ok)
      assert.truthy(message:find "differ in axis 2")
      cn.set_eager(true)
      compare(function() return cn.concatenate {x["1:0"] + 1, x * 2} end)
    end)

    it("may be what a fused function does", function()
      local x, y = rows(), rows "float64"
      local join = cn.fuse(function(a, b) return cn.concatenate({a, b}, 2) end)
      local more = cn.fuse(function(a, b) return cn.stack {a * 2, b["::-1"] - a} * 3 end)
      for _ = 1, 4 do
        same(cn.concatenate({x, y}, 2), join(x, y))
        same(cn.stack {x * 2, y["::-1"] - x} * 3, more(x, y))
      end
    end)
  end)
end)
