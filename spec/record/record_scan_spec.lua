--- Scans that are recorded: what they take along, and the order in which they combine.
local cn = require "cuna"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded scans", function()
  recorder.each_device(function()
    local function ramp(shape, dtype)
      local n = 1
      for _, length in ipairs(shape) do n = n * length end
      return (cn.arange(n, "float32") * 0.37):mod(7):reshape(shape):astype(dtype or "float32") - 3
    end

    --- Compares what work(x) gives at once and recorded; returns how many kernels recording needed.
    local function compare(work, ...)
      local expected = {work(...)}
      local results, kernels = recorded(work, ...)
      for i, result in ipairs(results) do
        assert.same({expected[i].dtype, tostring(expected[i].shape)}, {result.dtype, tostring(result.shape)})
        same(expected[i], result)
      end
      return kernels
    end

    it("take what leads to them along", function()
      local x = ramp {300, 200}
      assert.equal(1, compare(function() return cn.cumsum(x * x + 1.25, 2) end))
      assert.equal(1, compare(function() return cn.cumsum(cn.exp(x) * 0.5, 1) end))
      assert.equal(1, compare(function() return cn.cumsum(x - 0.5) end))
      assert.equal(1, compare(function() return cn.cumprod(1 + x * 1e-3, 2, "float64") end))
      assert.equal(1, compare(function() return cn.cumulative_sum(cn.arange(5000) * 2 + 1) end))
    end)

    it("are stored before others read them, with what else is asked for", function()
      local x = ramp {300, 200}
      assert.equal(2, compare(function() return cn.cumsum(x * x, 2) / 3 + x end))
      assert.equal(2, compare(function() return cn.cumsum(cn.cumsum(x * x, 2) - 1, 1) end))
      assert.equal(2, compare(function()
        local y = x * 2 + 1
        return y, cn.cumsum(y, 2)
      end))
      compare(function()
        local y = x - x:mean {axis = 2, keepdims = true}
        return cn.cumsum(y * y, 2), cn.sqrt((y * y):mean(2)), y
      end)
      compare(function()
        local e = cn.exp(x)
        return cn.cumsum(e, 2), e / e:sum {axis = 2, keepdims = true}, cn.cumsum(e, 1), cn.cumsum(e)
      end)
    end)

    -- Rows of one block and of several; columns that are cut, and that are not.
    local SHAPES = {{100003}, {96, 1000}, {3, 20000}, {2100, 70}, {5, 60, 330}, {0, 4}, {1, 1}}

    --- Arrays that do not lie in memory as values do: across, unaligned, or one for all rows.
    local LAYOUTS = {
      function(x) return x:transpose():copy():transpose() end,
      function(x) return cn.concatenate {x:reshape(x.size)["1:1"], x:reshape(x.size)}["2:"]:reshape(x.shape) end,
      function(x) return x.ndim > 1 and x[1] or x end,
    }

    local function compare_layouts(shape)
      local x = ramp(shape)
      for i, layout in ipairs(x.size > 1 and LAYOUTS or {}) do
        local y, z = layout(x), LAYOUTS[i % #LAYOUTS + 1](x):astype "float64"
        compare(function() return cn.cumsum(y * 1.5 - x) end)
        for axis = 1, x.ndim do compare(function() return cn.cumsum(x * y + 0.25, axis), cn.cumsum(x - z, axis) end) end
      end
      compare(function() return cn.cumsum(x + 1), cn.cumprod(x * 1e-3 + 1, -1) end)
    end

    it("combine as they do at once, in any shape and layout", function()
      for _, shape in ipairs(SHAPES) do compare_layouts(shape) end
    end)

    it("may be what fused functions and graphs do, beside joins", function()
      local function scan(x) return cn.cumsum(x, 1) end
      local function work(x, y)
        local running = cn.cumsum(x * y + 1)
        return running, cn.concatenate {running * 2, x:reshape(x.size) - 1}, cn.stack({y, x * 3}, 2)
      end
      local x, y = ramp {40, 30}, ramp {40, 30} * 0.5
      local fused_scan, fused = cn.fuse(scan), cn.fuse(work)
      local graph = cn.graph(work, x, y)
      for k = 1, 4 do
        x = x + k
        same(scan(x), fused_scan(x))
        local expected, replayed = {work(x, y)}, {graph(x, y)}
        for i, result in ipairs {fused(x, y)} do
          same(expected[i], result)
          same(expected[i], replayed[i])
        end
      end
    end)

    it("of arrays without axes run at once", function()
      local x = ramp {3}:sum()
      compare(function() return cn.cumsum(x * 2) end)
    end)
  end)
end)
