--- Folds that are recorded: what they share a kernel with, and the order in which they add.
local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same
local ROW = {axis = 2, keepdims = true}

describe("recorded folds", function()
  recorder.each_device(function(device)
    -- Rows are many and long enough for a kernel that folds them in stages.
    local function rows() return (cn.arange(640 * 96, "float32") * 0.37):reshape(640, 96):mod(7) - 3 end

    --- Compares what work(x) gives at once and recorded; returns how many kernels recording needed.
    local function compare(work, x)
      local expected = {work(x)}
      local results, kernels = recorded(work, x)
      for i, result in ipairs(results) do
        assert.same({expected[i].dtype, tostring(expected[i].shape)}, {result.dtype, tostring(result.shape)})
        same(expected[i], result)
      end
      return kernels
    end

    it("take what leads to them along", function()
      assert.equal(1, compare(function(x) return (x * x + 1.25):sum() end, rows()))
      assert.equal(1, compare(function(x) return (x * x - 1.5):max(1) end, rows()))
      assert.equal(1, compare(function(x) return ((2 - x) / 0.75):mean {axis = 2, dtype = "float64"} end, rows()))
      assert.equal(1, compare(function(x) return (x - 2.25):argmin(2) end, rows()))
    end)

    --- Compares results, and returns as how many kernels the operations run once the device has these; in the meantime
    -- the cpu device folds apart.
    local function compare_prepared(work, x)
      cn.set_eager(false)
      cn.prepare(function() return cn.evaluate(work(x)) end)
      cn.set_eager(true)
      return compare(work, x)
    end

    it("do not store what is computed as cheaply where it is read again", function()
      local COLUMN, many = {axis = 1, keepdims = true}, core.lanes(device) > 1
      local function softmax(options)
        return function(x)
          local e = cn.exp(x - x:max(options))
          return e / e:sum(options)
        end
      end
      local function standard(x)
        local d = x - x:mean(COLUMN)
        return d / cn.sqrt((d * d):mean(COLUMN) + 1e-5) * 2 + 1
      end
      local long = rows():reshape(6, 10240)
      --- As how many kernels a GPU runs what has these results.
      local function counted(kernels, work, x)
        local found = compare(work, x)
        if many then assert.equal(kernels, found) end
      end
      counted(3, softmax(ROW), long) -- so few rows have no kernel in stages; others have, by the same plan
      counted(1, softmax(ROW), rows())
      counted(3, softmax(COLUMN), rows())
      counted(4, standard, rows())
      -- Two large arrays lead to the value, others ask for it, or draw it: it is stored.
      local y = rows() * 2
      compare(function(x)
        local d = x * y
        return d - d:sum(COLUMN)
      end, rows())
      compare(function(x)
        local d = x * 2 + 1
        return d, d - d:sum(COLUMN), cn.matmul(d["1:20"], d.T[":, 1:30"])
      end, rows())
      compare(function(x)
        local d = x - x:sum(COLUMN)
        local e = d:sum(COLUMN) * 0.5
        return (d - e) * d["::-1"], d + (d * e):max(COLUMN)
      end, rows())
      local g = cn.random.default_rng(3)
      local drawn = g:random({640, 96}, {dtype = "float32"})
      local expected = drawn - drawn:sum(COLUMN)
      g = cn.random.default_rng(3)
      same(expected, recorded(function()
        local d = g:random({640, 96}, {dtype = "float32"})
        return d - d:sum(COLUMN)
      end)[1])
    end)

    it("of rows of any dtype divide these", function()
      for _, dtype in ipairs {"float16", "bfloat16", "float64", "complex64", "complex128", "int32", "bool"} do
        compare_prepared(function(x) return cn.negative(x / x:sum(ROW)) * 2 end, (rows() * 1.7):astype(dtype))
      end
    end)

    it("of rows are one kernel with what reads the rows again", function()
      local gain = cn.arange(96, "float32")
      local function layer_norm(x)
        local d = x - cn.mean(x, ROW)
        return d / cn.sqrt(cn.mean(d * d, ROW) + 1e-5) * gain + 1
      end
      local function softmax(x)
        local e = cn.exp(x - x:max(ROW))
        return e / e:sum(ROW)
      end
      assert.equal(1, compare_prepared(layer_norm, rows()))
      assert.equal(1, compare_prepared(softmax, rows()))
      assert.equal(1, compare_prepared(function(x) return x:var {axis = 2, ddof = 1}, x:std(ROW) * 3 end, rows()))
    end)

    it("of few short rows are one kernel, too, where a launch takes as long", function()
      local function norm(v) return v / cn.sqrt(cn.sum(v * v)) end
      local function softmax(x)
        local e = cn.exp(x - cn.max(x, ROW))
        return e / cn.sum(e, ROW)
      end
      local x, many = rows(), core.lanes(device) > 1
      for _, count in ipairs {4096, 5000} do
        local kernels = compare_prepared(norm, x:reshape(-1)[{{1, count}}])
        assert.equal(many and count == 4096 and 1 or 3, kernels)
      end
      local few = compare_prepared(softmax, x[{{1, 3}}])
      if many then assert.equal(1, few) end
    end)

    it("of rows may be combined with arrays that have one element for each row", function()
      local column = cn.arange(640, "float32"):reshape(640, 1) / 3
      compare(function(x)
        local shifted = x:mean(ROW) + column
        return shifted, x - shifted, (x * column):sum(ROW) / shifted
      end, rows())
    end)

    it("add as they do at once if the rows lie otherwise, or are few", function()
      local function standardised(x) return (x - x:mean(ROW)) / (x:std(ROW) + 1) end
      compare(standardised, rows().T)
      compare(standardised, rows()["1:5"])
      compare(standardised, rows()["::-1, ::-3"])
      compare(standardised, rows():reshape(80, 8, 96))
      compare(function(y) return (y.T + y.T):sum(2), (y + y[1]):sum(1), (y:copy() + 0):sum(1) end, rows())
    end)

    it("of products add as they do at once where both operands are one value", function()
      for length = 10, 100, 6 do
        compare(function(x)
          local y = x * 3 - 1
          return cn.vdot(y, y), cn.inner(y, x * 3 - 1)
        end, cn.random.default_rng(7):standard_normal({length}, "float32"))
      end
    end)

    it("of several axes share what leads to them", function()
      compare(function(x)
        local y = x * 2 + 1
        return y:sum(1), y:sum(2), y:max(), y, y:mean(ROW) - y
      end, rows())
    end)

    it("of a long way do not go it for each of several readers", function()
      local function far(x)
        for i = 1, 20 do x = x * 0.5 + i end
        return x:sum(1), x:sum(2), x:max(1)
      end
      compare(far, rows())
      local function farther(x)
        for i = 1, 50 do x = x * 0.75 + i end
        return x:sum(2)
      end
      compare(farther, rows())
    end)

    it("read views of values that are not computed yet", function()
      local function step(x)
        local inner = x["2:-2, 2:-2"]
        return inner + 0.2 * (x[":-3, 2:-2"] + x["3:, 2:-2"] + x["2:-2, :-3"] + x["2:-2, 3:"] - 4 * inner)
      end
      assert.equal(3, compare(function(x) return step(step(step(x))) end, rows()))
      compare(function(x)
        local sums = cn.sum(x * x, 2)
        return sums[{{}, cn.newaxis}] - 2 * x + sums["::-1"][{{}, cn.newaxis}]
      end, rows())
    end)

    it("need no more memory than the steps of a chain at a time", function()
      local pool = cn.get_default_memory_pool()
      local x = cn.ones({512, 1024}, "float32") -- 2 MiB
      local function work()
        local u = x
        for _ = 1, 12 do u = u["::-1"] + u end
        return u
      end
      recorded(work)
      collectgarbage()
      collectgarbage()
      pool:free_all_blocks()
      local before = pool:total_bytes()
      local results = recorded(work)
      assert.equal(4096, results[1][{1, 1}])
      assert.is_true(pool:total_bytes() - before <= 3 * 2 ^ 21)
    end)

    it("and operations that nobody reads are run before they need much of the memory", function()
      local text = process.must_run([[
        local cn, core = require "cuna", require "cuna.core"
        local x, y = cn.ones(2 ^ 21, "uint8"), nil
        cn.synchronize()
        local _, before = core.record_stats()
        for _ = 1, 7 do y = cn.cosh(x) end
        collectgarbage()
        collectgarbage()
        local _, kernels = core.record_stats()
        print(kernels - before)
      ]], {CUNA_EAGER = "0", CUNA_DEVICE = device.name, CUNA_MEMORY_LIMIT = "128000000", CUNA_COMPILE = "wait"})
      assert.equal("3\n", text)
    end)
  end)
end)
