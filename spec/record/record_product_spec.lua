--- Products of few tiles that are recorded: what shares a kernel with them, and that no bit depends on it.
local cn = require "cuna"
local core = require "cuna.core"
local index_bits = require "spec.support.index_bits"
local process = require "spec.support.process"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded products", function()
  recorder.each_device(function(device)
    local fuses = core.lanes(device) > 1 -- else they run at once

    local function ramp(shape, dtype, seed)
      return cn.random.default_rng(seed or 1):uniform(-1, 1, shape):astype(dtype or "float32")
    end

    --- Compares what work() gives at once and recorded; where products are recorded, as `kernels` kernels.
    local function compare(kernels, work)
      local expected = {work()}
      local results, count = recorded(work)
      for i, result in ipairs(expected) do
        assert.same({result.dtype, tostring(result.shape)}, {results[i].dtype, tostring(results[i].shape)})
        same(result, results[i])
      end
      if fuses and kernels then assert.equal(kernels, count) end
    end

    it("compute what follows them, several in one kernel", function()
      for _, dtype in ipairs {"float32", "float64"} do
        local h, w, x, u, b = ramp({16, 20}, dtype), ramp({20, 30}, dtype, 2), ramp({16, 40}, dtype, 3),
          ramp({40, 30}, dtype, 4), ramp({30}, dtype, 5)
        compare(1, function() return cn.tanh(cn.matmul(h, w) + cn.matmul(x, u) + b) end)
        compare(1, function() return cn.where(cn.matmul(h, w):gt(0), cn.matmul(x, u) * 2, -1) end)
        compare(1, function()
          local p = cn.matmul(h, w)
          return p:astype "float16", p:gt(0.25), cn.matmul(h, w) - p, p + 1
        end)
      end
    end)

    it("have factors of any layout", function()
      local a, b = ramp {24, 40}, ramp({24, 40}, nil, 2)
      compare(1, function() return cn.matmul(a["1:8"], b["1:8"].T) + 1 end)
      compare(1, function() return cn.exp(cn.matmul(a.T["1:13"], b[":, 1:17"])) end)
      compare(1, function() return cn.matmul(a["9:1:-2, 1:-1:3"], b["14:1:-1, 5:24"]) * 3 end)
      compare(1, function() return cn.matmul(cn.broadcast_to(a[1], {9, 40}), b.T[":, 2:24:2"]) - b["1:9, 1:12"] end)
    end)

    it("have inner axes of any length", function()
      for _, k in ipairs {1, 2, 7, 31, 128, 255, 256, 257, 700, 1024} do
        local a, b = ramp {7, k}, ramp({k, 19}, nil, 2)
        compare(1, function() return cn.matmul(a, b) * 2 end)
        local c, d = a:astype "float64", b:astype "float64"
        compare(k <= 512 and 1 or nil, function() return cn.maximum(cn.matmul(c, d), 0) end)
      end
    end)

    it("may be read again by their own factors' elements", function()
      local s = ramp {20, 20}
      compare(1, function() return cn.matmul(s, s) + s - cn.matmul(s, s.T) end)
      local column, row = ramp {20, 1}, ramp({1, 20}, nil, 3)
      compare(1, function() return cn.matmul(column, row) * column end)
    end)

    it("are stored for other products, folds, scans and views", function()
      local a, b = ramp {16, 20}, ramp({20, 20}, nil, 2)
      compare(2, function() return cn.matmul(cn.tanh(cn.matmul(a, b)), b) end)
      compare(2, function() return (cn.matmul(a, b) + 1):sum(2) end)
      compare(2, function() return cn.cumsum(cn.matmul(a, b), 2) end)
      compare(2, function() return cn.matmul(a, b)["2:9"] * 2 end)
      compare(nil, function()
        local p = cn.matmul(a, b)
        local e = cn.exp(p - p:max({axis = 2, keepdims = true}))
        return e / e:sum({axis = 2, keepdims = true})
      end)
      compare(nil, function()
        local t = a[":, 1:16"] + 1
        return t:sum(1), t + cn.matmul(a, b[":, 1:16"]), t:mean({axis = 2, keepdims = true}) * t
      end)
    end)

    it("are divided among kernels where they are too many", function()
      local x, h, c = ramp {8, 20}, ramp({8, 20}, nil, 2), ramp({8, 20}, nil, 3)
      local w, u, b = {}, {}, {}
      for k = 1, 6 do
        w[k], u[k], b[k] = ramp({20, 20}, nil, 10 + k), ramp({20, 20}, nil, 20 + k), ramp({20}, nil, 30 + k)
      end
      local function gate(k) return 1 / (1 + cn.exp(-(cn.matmul(x, w[k]) + cn.matmul(h, u[k]) + b[k]))) end
      local function cell()
        local i, f, o, q = gate(1), gate(2), gate(3), cn.tanh(gate(4))
        return o * cn.tanh(f * c + i * q)
      end
      compare(1, cell)
      compare(2, function() return cell() * gate(5) - gate(6) end)
      compare(nil, function()
        local sum = cn.matmul(x, w[1])
        for k = 2, 11 do sum = sum * 0.5 + cn.matmul(h * k, u[k % 4 + 1]) end
        return sum
      end)
    end)

    it("keep what they read when that is written", function()
      local a, b = ramp {16, 20}, ramp({20, 24}, nil, 2)
      compare(nil, function()
        local x = a:copy()
        local p = cn.matmul(x, b)
        x:add_(1)
        return p * 2, cn.matmul(x, b), x
      end)
      compare(nil, function()
        local p = cn.zeros({18, 24}, "float32")
        p["2:17"] = cn.matmul(a, b) + 1
        return p, cn.concatenate({cn.tanh(cn.matmul(a, b)), a[":, 1:4"]}, 2)
      end)
    end)

    it("run at once where others are faster, or they do not fit", function()
      local a = ramp {300, 300}
      compare(nil, function() return cn.matmul(a, a) + 1, cn.matmul(a["1:16, 1:16"], a["1:16, 1:16"]) * 2 end)
      local stack, b = ramp {3, 8, 20}, ramp({20, 5}, nil, 2)
      compare(nil, function() return cn.matmul(stack, b) + 1 end)
      compare(nil, function()
        return cn.matmul(cn.ones({4, 0}), cn.ones({0, 20})) + 1, cn.matmul(cn.ones({0, 4}), cn.ones({4, 20}))
      end)
      cn.set_eager(false)
      assert.has.match("record_product_spec.lua:%d+: cuna: matmul: shapes %(4, 30%) and %(20, 4%) do not fit",
        select(2, pcall(function() return cn.matmul(cn.ones({4, 30}), cn.ones({20, 4})) end)))
      local freed = cn.ones({4, 30})
      freed:free()
      assert.has.match("freed", select(2, pcall(cn.matmul, freed, cn.ones({30, 4}))))
    end)

    it("stand in fused functions and graphs", function()
      local w, b = ramp({20, 20}, nil, 2), ramp({20}, nil, 3)
      local function net(x)
        for _ = 1, 3 do x = cn.maximum(cn.matmul(x, w) + b, 0) end
        return x
      end
      local fused, graph = cn.fuse(net), cn.graph(net, ramp {12, 20})
      for seed = 1, 4 do
        local x = ramp({12, 20}, nil, seed)
        local expected = net(x)
        same(expected, fused(x))
        same(expected, graph(x))
      end
    end)

    it("follow set_tf32 in fused functions", function()
      local x, w = ramp {12, 20}, ramp({20, 20}, nil, 2)
      local fused = cn.fuse(function(a) return cn.matmul(a, w) * 2 end)
      for _, on in ipairs {false, true, false, true} do
        cn.set_tf32(on)
        local expected = cn.matmul(x, w) * 2
        for _ = 1, 3 do same(expected, fused(x)) end
      end
      cn.set_tf32(false)
    end)

    it("of loops are stored where the next round will read them", function()
      local x, w = ramp({8, 20}, nil, 4), ramp({20, 20}, nil, 5) * 0.2
      local function rounds()
        local h, c = x, x
        for _ = 1, 60 do
          local gate = cn.matmul(h, w)
          for _ = 1, 3 do gate = cn.tanh(gate + 0.5) end
          c = c * 0.5 + gate
          h = cn.tanh(c)
        end
        return h
      end
      collectgarbage() -- graphs of tests before would end the queue
      collectgarbage()
      compare(60, rounds)
    end)
  end)

  it("have kernels with positions of 64 bits where factors reach far", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local x = cn.arange(1, 401, 1, "float32"):reshape(20, 20)
      require("spec.support.index_bits").print(function()
        local y = cn.matmul(x, x.T[":, 1:9"]) + 1
        print(y:astype("float64"):sum():item(), y["20, 9"])
      end)
    ]], {CUNA_INDEX_LIMIT = "100", CUNA_EAGER = ""})
    assert.equal("65442780\t1332271", index_bits.assert_wide(text, {"add"}))
  end)
end)
