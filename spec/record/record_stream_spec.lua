--- Recorded operations and streams: what a program orders by the places where it wrote operations is in order wherever
--- they are computed.
local cn = require "cuna"
local core = require "cuna.core"
local recorder = require "spec.support.recorder"
local simgpu = require "spec.simgpu.driver"

local same = recorder.same
local N = 4096
local NAMES = {"tan", "sinh", "cosh", "arctan", "arcsinh", "exp2", "expm1", "log1p"}

-- Where a passed value was asked for once, it is stored the next time: each test comes there by others.
local ways = {"negative", "abs", "ceil", "floor", "sign", "rint"}
local function take_way()
  return assert(table.remove(ways), "there are more tests than ways")
end

--- Two streams that know of the work of a third one up to an operation, whose value was used and not stored; and that
--- value, what it was computed from, and what it should be.
local function pass(name, way)
  local x = cn.full(N, 0.5)
  local expected = cn[name](cn.full(N, 0.5))
  cn.synchronize()
  local first, second, third = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true},
    cn.cuda.Stream {non_blocking = true}
  cn.set_eager(false)
  local passed, stored
  first:with(function()
    stored = cn[way](x)
    passed = cn[name](x)
    stored = passed + 1
  end)
  local event = first:record()
  second:wait_event(event)
  third:wait_event(event)
  cn.set_eager(true)
  assert(stored.size == N)
  return second, third, passed, x, expected
end

recorder.each_device(function()
  describe("a value that is computed late, on a stream,", function()
    it("is there for another stream that knows of the operation", function()
      local way = take_way()
      for _, name in ipairs(NAMES) do
        local second, third, passed, _, expected = pass(name, way)
        second:with(cn.evaluate, passed)
        local copy
        third:with(function() copy = cn.copy(passed) end)
        third:synchronize()
        same(expected, third:with(copy.get, copy))
      end
    end)

    it("is read before another stream that knows of the operation writes there", function()
      local way = take_way()
      for _, name in ipairs(NAMES) do
        local second, third, passed, x, expected = pass(name, way)
        second:with(cn.evaluate, passed)
        third:with(x.fill, x, 7)
        second:synchronize()
        same(expected, second:with(passed.get, passed))
        assert.equal(7, third:with(x.get, x)[N])
      end
    end)

    it("is computed after what another stream gave it, before that writes again", function()
      local way = take_way()
      for _, name in ipairs(NAMES) do
        local second, third, passed, x, expected = pass(name, way)
        third:with(x.fill, x, 7) -- evaluates
        local copy
        second:with(function() copy = cn.copy(passed) end)
        second:synchronize()
        same(expected, second:with(copy.get, copy))
      end
    end)
  end)

  it("halves of an array that streams beside each other write are both there", function()
    local first, second = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
    for k = 1, 20 do
      local x = cn.empty(N)
      cn.synchronize()
      cn.set_eager(false)
      first:with(function() x[{{1, N / 2}}]:fill(k) end)
      second:with(function() x[{{N / 2 + 1, N}}]:fill(-k) end)
      first:with(function() x[{{1, N / 2}}]:add_(1) end)
      cn.set_eager(true)
      cn.synchronize()
      same(cn.concatenate {cn.full(N / 2, k + 1), cn.full(N / 2, -k)}, x)
    end
  end)

  it("a part too small to be recorded is there beside a large one that another stream writes", function()
    local first, second = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
    local arrays, n = {}, 128
    for k = 1, 20 do arrays[k] = cn.empty(n) end -- memory that changes hands has an order of its own
    cn.synchronize()
    for k, x in ipairs(arrays) do
      cn.set_eager(false)
      first:with(function() x[{{1, 8}}]:fill(k) end)
      second:with(function() x[{{9, n}}]:fill(-k) end)
      cn.set_eager(true)
      cn.synchronize()
      same(cn.concatenate {cn.full(8, k), cn.full(n - 8, -k)}, x)
    end
  end)
end)

describe("a value that is computed late, after operations on another device,", function()
  if cn.cuda.device_count() < 2 then return end
  local first, second = cn.device "cuda:0", cn.device "cuda:1"
  local limits, was_eager

  before_each(function()
    limits, was_eager = {core.set_record_limit(first, 0), core.set_record_limit(second, 0)}, cn.set_eager(false)
  end)
  after_each(function()
    cn.set_eager(was_eager)
    core.set_record_limit(first, limits[1])
    core.set_record_limit(second, limits[2])
  end)

  it("is computed on its own device, before what it reads is written to", function()
    local x, passed
    first:with(function()
      x = cn.evaluate(cn.arange(12):reshape(3, 4):copy())
      passed = (x - x:sum(1, {keepdims = true})) * 2
      cn.evaluate(passed + 1)
    end)
    local other = second:with(function() return cn.ones(5) + 1 end)
    first:with(function() x[2] = 0 end)
    assert.same({2, 2, 2, 2, 2}, other:totable())
    assert.same({{-24, -28, -32, -36}, {-16, -20, -24, -28}, {-8, -12, -16, -20}}, passed:totable())
    assert.same({0, 0, 0, 0}, x[2]:totable())
  end)

  it("has what it is made of on its own device, too", function()
    local n = 20000 -- of values as large as this the memory goes when they were read
    local pool, view, updated, expected = cn.get_default_memory_pool(), nil, nil, nil
    first:with(function()
      local function work()
        local x = cn.evaluate(cn.linspace(0, 1, n))
        local stored = cn.tan(x) + cn.random.default_rng(1):random(n)
        local seen = stored["2:"] * 2
        local u = x + 0
        u["2:-2"] = u["3:"] + u[":-3"]
        local moved = u["2:"] + 1
        u:mul_(2)
        cn.evaluate(seen + 1, moved * 2, u)
        return seen, moved
      end
      expected = {work()}
      cn.evaluate(expected[1], expected[2])
      view, updated = work()
    end)
    second:with(function()
      local other = cn.evaluate(cn.ones(5) + 1)
      local before = pool:used_bytes(second)
      cn.evaluate(view, updated)
      assert.equal(before, pool:used_bytes(second))
      assert.same({first, first, 2}, {view.device, updated.device, other[1]})
    end)
    same(expected[1], view)
    same(expected[2], updated)
  end)
end)

if not simgpu.here then return end

local LAUNCH_OUT_OF_RESOURCES = 701

describe("operations whose flush failed when another stream became current", function()
  it("run on the stream that was current when they were recorded", function()
    local device = cn.device "cuda:0"
    local was_eager, limit = cn.is_eager(), core.set_record_limit(device, 0)
    local composing = core.set_composing(true) -- else what was alone several times runs at once
    device:with(function()
      for i = 1, 8 do
        local x = cn.full(N, i)
        local stream, other = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
        cn.synchronize()
        cn.get_default_memory_pool():free_all_blocks() -- memory that changes hands has an order of its own
        cn.set_eager(false)
        local y
        stream:with(function()
          y = x * 3
          simgpu.cuda.simgpu_reset()
          simgpu.cuda.simgpu_fail("cuLaunchKernel", 1, LAUNCH_OUT_OF_RESOURCES, 1)
        end)
        assert(simgpu.cuda.simgpu_calls "cuLaunchKernel" > 0)
        simgpu.cuda.simgpu_reset()
        other:wait_event(stream:record())
        cn.set_eager(true)
        local copy
        other:with(function() copy = cn.copy(y) end)
        other:synchronize()
        same(cn.full(N, 3 * i), other:with(copy.get, copy))
      end
    end)
    cn.set_eager(was_eager)
    core.set_composing(composing)
    core.set_record_limit(device, limit)
  end)
end)
