--- Fronts of linear algebra of one small matrix (bindings/small_linalg.c) against their Lua functions: the same results
--- bit for bit, and the same errors.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local fronts = require "spec.support.fronts"

local it = devices.rehearsed_it()
local passed_on, same = fronts.passed_on, fronts.same
local solve, inv = cn.linalg.solve, cn.linalg.inv

local DTYPES = {"float32", "float64", "complex64", "complex128"}

local function numbers(seed, dtype, ...)
  local g = cn.random.default_rng(seed)
  local x = g:normal(0, 1, {...})
  if dtype:find "^complex" then x = x + cn.complex(0, 1) * g:normal(0, 1, {...}) end
  return x:astype(dtype)
end

local function all_same(a, b)
  same("solve", solve, {a, b}, 2)
  same("inv", inv, {a}, 1)
end

devices.each_device(function(device)
  local is_host = core.is_host(device) -- elsewhere every call is passed on

  describe("one matrix", function()
    it("is solved and inverted as in a stack", function()
      for _, dtype in ipairs(is_host and DTYPES or {"float64"}) do
        for _, n in ipairs(is_host and {1, 2, 3, 7, 14, 15, 40, 65} or {3}) do
          local a, b = numbers(n, dtype, n, n), numbers(9, dtype, n)
          all_same(a, b)
          if is_host then
            all_same(a.T, b["::-1"])
            all_same(cn.tile(a, {2, 2})["::2, ::2"], cn.repeat_interleave(b, 2)["::2"])
          end
        end
      end
    end)

    it("has an inverse whose zeros have no signs, if it is a diagonal", function()
      for _, dtype in ipairs(is_host and DTYPES or {"float64"}) do
        local a = cn.diag(cn.array {-2, 4, -0.5}):astype(dtype)
        all_same(a, cn.array {0, -0.0, -1}:astype(dtype))
      end
    end)

    it("without an inverse, or with NaN, ends as ever", function()
      local b, whole = cn.ones(2), cn.array {{cn.nan, 1}, {1, 2}}
      all_same(whole, b)
      all_same(cn.array {{cn.inf, 1}, {1, 2}}, b)
      if is_host then all_same(cn.array {{1, 2}, {2, 4}}, b) end -- elsewhere the next wait says so
      if is_host then all_same(cn.zeros {1, 1}, cn.ones(1)) end
    end)

    it("is passed on unless it is square, beside a vector of its dtype", function()
      local a, b = cn.array {{2, 1}, {1, 3}}, cn.array {1, 2}
      for _, list in ipairs {{a, b["1:1"]}, {a, a}, {a, b:astype "float32"}, {a:astype "int64", b}, {a, {1, 2}}, {a},
        {a["1:1"], b}, {b, b}, {cn.zeros {0, 0}, cn.zeros(0)}, {a, cn.ones {2, 2, 1}}, {a:astype "float16", b},
        {a, b, {check = false}}, {a, b, true}, {2, b}, {{{2, 1}, {1, 3}}, b}, {a, b, 1, 2}, {a, cn.array(1)}} do
        same("solve", solve, list, #list)
      end
      for _, list in ipairs {{b}, {a, {check = false}}, {a, true}, {a["1:1"]}, {cn.zeros {0, 0}}, {7}, {a, 1, 2},
        {cn.stack {a, a}}, {}} do
        same("inv", inv, list, #list)
      end
      local freed = a:copy()
      freed:free()
      same("solve", solve, {freed, b}, 2)
      same("inv", inv, {freed}, 1)
    end)

    it("is not passed on", function()
      if not is_host then return end
      local a, b = numbers(1, "float64", 4, 4), numbers(2, "float64", 4)
      assert.equal(0, passed_on(solve, function() return solve(a, b) end))
      assert.equal(0, passed_on(inv, function() return inv(a) end))
      assert.is_true(cn.allclose(a:matmul(solve(a, b)), b))
      assert.is_true(cn.allclose(a:matmul(inv(a)), cn.eye(4)))
    end)

    it("may be freed by a finalizer meanwhile", function()
      if not is_host then return end
      local pause, step = collectgarbage("setpause", 1), collectgarbage("setstepmul", 10000) -- at any allocation
      local freed = 0
      for round = 1, 40 do
        local a, b = numbers(1, "float64", 3, 3), numbers(2, "float64", 3)
        getmetatable(newproxy(true)).__gc = function() (round % 2 == 0 and a or b):free() end
        local fine, message = pcall(function() for _ = 1, 50 do solve(a, b) end end)
        freed = freed + (not fine and message:find("freed", 1, true) and 1 or 0)
      end
      collectgarbage("setpause", pause)
      collectgarbage("setstepmul", step)
      assert.is_true(freed > 0)
    end)

    it("is solved at each call of a fused function", function()
      local a, b = numbers(1, "float64", 3, 3), numbers(2, "float64", 3)
      local fused = cn.fuse(function(x, y) return solve(x * 2, y) + 1 end)
      for k = 1, 3 do assert.is_true(fused(a * k, b) == solve(a * k * 2, b) + 1) end
    end)
  end)
end)
