--- Recorded arrays of positions, numbers and random draws: they are computed where they are used.
local bits = require "spec.support.bits"
local cn = require "cuna"
local core = require "cuna.core"
local recorder = require "spec.support.recorder"

local recorded, same = recorder.recorded, recorder.same
local N = 5000 -- no multiple of what a kernel makes at once

describe("a recorded array that no memory is read for", function()
  recorder.each_device(function(device)
    local pool = cn.get_default_memory_pool()

    --- The bits of what `work` returns, and how many kernels compute them.
    local function check(kernels, work)
      local expected = {work()}
      local results, count = recorded(work)
      for i, x in ipairs(expected) do same(x, results[i]) end
      assert.equal(kernels, count)
    end

    it("is part of the kernel that reads it", function()
      local x = cn.evaluate(cn.full(N, 0.25))
      check(1, function() return cn.arange(N) * x + cn.zeros(N) - cn.full(N, 3, "int8") end)
      check(1, function() return cn.linspace(0, 1, N, {endpoint = false}):exp():sum() end)
      check(1, function() return (cn.eye(50, 100) * 3):argmax() end)
      check(1, function() return cn.arange(N, 0, -1, "float32"):argmin() end)
    end)

    it("is stored before a kernel reads it in two orders", function()
      local function draw() return cn.random.default_rng(3):normal(0, 1, {70, 70}) end
      for _, new in ipairs {draw, function() return cn.ones {70, 70} end} do
        check(2, function()
          local x = new()
          return x + x.T
        end)
        check(2, function()
          local x = new()
          return x.T + x
        end)
        check(2, function()
          local x = new()
          return x * 2 + x["::-1"]
        end)
      end
    end)

    it("needs no memory for draws", function()
      local generator = cn.random.default_rng(3)
      local function work()
        local u, v = generator:random(N), generator:random(N)
        return (u * u + v * v):lt(1):sum()
      end
      local expected = work():item()
      generator = cn.random.default_rng(3)
      collectgarbage()
      collectgarbage()
      finally(function() core.set_composing(false) end)
      core.set_composing(true)
      cn.set_eager(false)
      pool:free_all_blocks()
      local before, sum = pool:total_bytes(device), work()
      assert.equal(expected, sum:item())
      assert.is_true(pool:total_bytes(device) - before < 8 * N)
      cn.set_eager(true)
    end)

    it("draws the same numbers alone, with others, and part by part", function()
      for name, arguments in pairs {normal = {1, 2}, gamma = {0.4, 2}, integers = {-5, 1000}, exponential = {3}} do
        local function draw(size)
          return cn.random.default_rng(7)[name](cn.random.default_rng(7), arguments[1], arguments[2] or size,
            arguments[2] and size or nil)
        end
        check(1, function() return draw(N) end)
        local kernels = name == "integers" and core.is_host(device) and 3 or 1 -- they are stored there
        check(kernels, function() return draw(N) * 2 + draw(N) end)
        check(2, function() -- the draw is kept: it is made in one piece, and read
          local x = draw(N)
          local y = x * 3
          cn.evaluate(x)
          return y
        end)
        same(draw(N)[{{10, 90}}]:copy(), (draw(N) + 0)[{{10, 90}}]:copy())
      end
    end)

    it("takes its number from the generator at the call", function()
      local function work()
        local generator = cn.random.default_rng(5)
        local dropped = generator:random(N)
        local kept = generator:random(N)
        local other = generator:random(100)
        dropped:free()
        return kept + 1, other, generator:random(3)
      end
      local expected = {work()}
      for i, x in ipairs((recorded(work))) do same(expected[i], x) end
    end)

    it("is stored before rows that are folded in stages", function()
      local x = cn.evaluate(cn.linspace(0, 1, 640 * 130, {dtype = "float32"}):reshape(640, 130))
      local function softmax(y) return cn.exp(y) / cn.exp(y):sum(2, {keepdims = true}) end
      local function noisy() return softmax(x + cn.random.default_rng(1):normal(0, 1, {640, 130}, "float32")) end
      local function constant() return softmax(cn.full({640, 130}, 0.5)) end
      same(noisy(), recorded(noisy)[1])
      same(constant(), recorded(constant)[1])
    end)

    it("is made on its device, and has the bits of its dtype", function()
      cn.set_eager(false)
      assert.equal(device, (cn.zeros(N, nil, device) + 1).device)
      assert.equal(bits.to_hex(cn.full(2, -0.0):tobytes()), bits.to_hex((cn.full(2, -0.0) * 1):tobytes()))
      assert.has.match("full: 300 does not fit int8$", select(2, pcall(cn.full, N, 300, "int8")))
      assert.equal(0, cn.zeros(0).size + cn.arange(0).size + cn.random.default_rng(1):random(0).size)
      cn.set_eager(true)
    end)
  end)
end)
