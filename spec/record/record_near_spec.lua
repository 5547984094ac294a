--- What stands around recorded operations and their kernels: products, values that only a later kernel reads, and
--- positions in short rows.
local cn = require "cuna"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same

describe("recorded operations", function()
  recorder.each_device(function()
    local function ramp(rows, columns)
      return (cn.arange(rows * columns, "float32") * 0.37):reshape(rows, columns):mod(7) - 3
    end

    --- Compares what work() gives at once and recorded; returns how many kernels recording needed.
    local function compare(work)
      local expected = {work()}
      local results, kernels = recorded(work)
      for i, result in ipairs(results) do same(expected[i], result) end
      return kernels
    end

    it("wait where a product has its factors in memory", function()
      local x, w, bias = ramp(60, 40), ramp(40, 60), ramp(60, 60)
      assert.equal(1, compare(function()
        local y = bias * 2 + 1
        local product = cn.matmul(x, w)
        return y + product * 0.5
      end))
      assert.equal(2, compare(function()
        local h = bias * 0.1
        h = cn.tanh(cn.matmul(h, bias) + 1)
        return h
      end))
    end)

    it("run before a product that reads what they write, and keep what it does not see", function()
      local x = ramp(30, 30)
      for _, eager in ipairs {true, false} do
        cn.set_eager(eager)
        local a, b = x:copy(), x:copy()
        a:add_(1)
        local first = cn.matmul(a, b)
        b:multiply_(2)
        local y = b - 1
        local second = cn.matmul(x, x)
        x:add_(0)
        local third = cn.matmul(a, b)
        cn.set_eager(true)
        same(cn.matmul(x + 1, x), first)
        same(cn.matmul(x, x), second)
        same(cn.matmul(x + 1, x * 2), third)
        same(x * 2 - 1, y)
      end
    end)

    it("are computed later where only a later kernel reads their values", function()
      local x, centres = ramp(900, 16), ramp(16, 16)
      local product = cn.matmul(x, centres.T)
      local length = cn.sum(x * x, 2)[{{}, cn.newaxis}]
      assert.equal(2, compare(function()
        return cn.argmin(length - 2 * product + cn.sum(centres * centres, 2)[{cn.newaxis, {}}], 2)
      end))
      compare(function() -- what is wanted, too, is stored
        local half = length - 2 * product
        return cn.argmin(half + cn.sum(centres * centres, 2)[{cn.newaxis, {}}], 2), half
      end)
      compare(function() -- of what several levels read, and of what folds lead to
        local a, b = x * 2, x + 1
        local low = a - b
        local high = low + x:sum(1)[{cn.newaxis, {}}]
        return high * 2, (a + high):sum(2), low - x:mean {axis = 2, keepdims = true}
      end)
      compare(function()
        local e = cn.exp(x)
        return (e / e:sum {axis = 2, keepdims = true}) * (x * 3 - 1) + centres:sum(1)[{cn.newaxis, {}}]
      end)
    end)

    it("are computed again by one later kernel, where another one reads them, too", function()
      local x, weights = ramp(900, 16), ramp(30, 1)
      compare(function()
        local sum = weights:sum()
        local a = x + 1
        local b = a + 1
        return a * sum, b * sum, b + 1
      end)
      compare(function()
        local y, steps = x, {}
        for k = 1, 5 do
          y = y + 1
          steps[k] = weights:sum() * y
        end
        return y * 2, unpack(steps)
      end)
    end)

    it("find positions in short rows as in long ones", function()
      local x = ramp(900, 16)
      x[{5, {}}], x[{6, 3}], x[{6, 9}], x[{7, {}}] = cn.nan, cn.nan, cn.nan, -cn.inf
      x[{8, {}}] = cn.inf
      for _, dtype in ipairs {"float32", "float64", "float16", "int8", "int64", "bool", "complex64"} do
        local y = cn.nan_to_num(x, {nan = 2, posinf = 4, neginf = -4})
        y = dtype:find "float" and x:astype(dtype) or y:astype(dtype)
        for _, name in ipairs {"argmin", "argmax", "nanargmin"} do
          local part = name == "nanargmin" and y["6:"] or y
          local expected, rows = cn[name](part["1:20"], 2):totable(), part["1:20"]
          for i = 1, 20 do assert.equal(expected[i], cn[name](rows[i]):item(), dtype .. " " .. name) end
          assert.is_true(cn[name](part.T:copy(), 1) == cn[name](part, 2), dtype)
          compare(function() return cn[name](part + part[1], 2) end)
        end
      end
    end)
  end)
end)
