--- cn.vectorize of functions with conditions and loops: each element takes its own way. Lua is the oracle.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

--- fn of each number of a list.
local function mapped(fn, list)
  local results = {}
  for k, value in ipairs(list) do results[k] = fn(value) end
  return results
end

local function gap(a, b)
  if a > b then return a - b else return b - a end
end

local function steps(n)
  local count = 0
  while n ~= 1 do
    if n % 2 == 0 then n = math.floor(n / 2) else n = 3 * n + 1 end
    count = count + 1
  end
  return count
end

devices.each_device(function(device)
  describe("vectorize of a function that decides", function()
    local function on_device(text, fn)
      it(text, function() device:with(fn) end)
    end

    on_device("takes arrays, tables and numbers, which broadcast", function()
      local f = cn.vectorize(gap)
      local x = cn.arange(6, {dtype = "float64"}):reshape(2, 3)
      assert.same({{2, 1, 0}, {1, 2, 3}}, f(x, 2):totable())
      assert.same({1, 3}, f({1, 5}, 2):totable())
      assert.same({{0, 2}, {3, 1}}, f(x["..., 1"], {{0, 1}, {3, 2}}):totable())
      assert.same({{0, 1}, {3, 2}}, f(x["..., :1"], {0, 1}):totable())
      assert.equal(3, f(2, 5))
      assert.equal("()", tostring(f(cn.scalar(2, "float64"), 1).shape))
      assert.equal(0, f(cn.zeros(0), 1).size)
    end)

    on_device("compares by equality, with and, or and not", function()
      local list = {0, 0.5, 1}
      local function fn(a)
        local b = a ~= 1 and a or 9.5
        return a == 0 and 7.5 or b
      end
      assert.same(mapped(fn, list), cn.vectorize(fn)(list):totable())
      local differs = cn.vectorize(function(a)
        local is_one = a == 1
        return not is_one
      end)
      assert.same({true, true, false}, differs(list):totable())
    end)

    on_device("loops as each element needs", function()
      local list = {1, 2, 3, 4, 5, 6, 7, 27}
      assert.same(mapped(steps, list), cn.vectorize(steps)(cn.array(list, "int64")):totable())
    end)

    on_device("calls Lua functions that decide, and reads captured numbers at each call", function()
      local limit = 2
      local function low(a) return a < limit and limit or a end
      local f = cn.vectorize(function(a) return 2 * low(a) end)
      assert.same({4, 4, 6}, f({1, 2, 3}):totable())
      limit = 3
      assert.same({6, 6, 6}, f({1, 2, 3}):totable())
    end)

    on_device("is made of several closures of one text", function()
      local x = cn.array {1, 2, 3}
      for k = 1, 6 do
        local limit = k % 2 + 1
        local f = cn.vectorize(function(a) return a < limit and 0 or a end)
        assert.same(limit == 1 and {1, 2, 3} or {0, 2, 3}, f(x):totable())
        if k == 4 then collectgarbage() end
      end
    end)

    on_device("keeps nothing of closures that are gone", function()
      local x, gone = cn.array {1, 2, 3}, setmetatable({}, {__mode = "k"})
      for k = 1, 20 do
        local function choose(a) return a < k and 0 or a end
        gone[choose] = true
        cn.vectorize(choose)(x):sum():item()
      end
      collectgarbage()
      collectgarbage()
      local count = 0
      for _ in pairs(gone) do count = count + 1 end
      assert.is_true(count <= 1)
    end)

    on_device("has several results, out, and the dtypes of kernels written in Lua", function()
      local f = cn.vectorize(function(a)
        if a > 1 then return a, 1 end
        return -a, 0
      end)
      local values, counts = f(cn.array({1, 2}, "float32"))
      assert.same({-1, 2, 0, 1}, cn.concatenate {values, counts}:totable())
      assert.same({"float32", "int64", "float16"}, {values.dtype, counts.dtype, (f(cn.ones(0, "float16"))).dtype})
      local out = cn.zeros(2, "float32")
      assert.is_true(rawequal(out, (f({1, 2}, {out = out}))))
      assert.same({-1, 2}, out:totable())
      assert.is_truthy(f.source({1, 2}):find("v1", 1, true))
    end)
  end)
end)

describe("vectorize of a function that decides", function()
  local f = cn.vectorize(gap)

  it("refuses what its kernel cannot take", function()
    raises("vectorized: argument 2 is missing", function() f(cn.ones(2)) end)
    raises("vectorized: takes 2 arguments, then a table of options", function() f(1, cn.ones(2), cn.ones(2)) end)
    raises('vectorized: argument 2 is an array, a number or a boolean, got "a"', function() f(cn.ones(2), "a") end)
    raises("vectorized: argument 1 is complex, and conditions compare real numbers; use cn.where",
      function() f(cn.array {1i}, 1) end)
    raises("vectorized: shapes (2,) and (3,) do not broadcast", function() f(cn.ones(2), cn.ones(3)) end)
    raises("vectorized: 'exp' cannot be called in a kernel: ", function()
      cn.vectorize(function(a) return a > 1 and cn.exp(a) or a end)({1, 2})
    end)
    raises("vectorized: conditions and loops need the function's text: ", function()
      cn.vectorize(loadstring("return function(a) return a > 1 and 1 or 0 end", "=nowhere")())({1, 2})
    end)
  end)
end)
