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
end)

describe("a value that is computed late, after operations on another device,", function()
  it("is computed on its own device, before what it reads is written to", function()
    if cn.cuda.device_count() < 2 then return end
    local devices, limits, was_eager = {cn.device "cuda:0", cn.device "cuda:1"}, {}, cn.is_eager()
    for i, device in ipairs(devices) do limits[i] = core.set_record_limit(device, 0) end
    cn.set_eager(false)
    local x, passed = nil, nil
    devices[1]:with(function()
      x = cn.arange(12):reshape(3, 4)
      passed = (x - x:sum(1, {keepdims = true})) * 2
      cn.evaluate(passed + 1)
    end)
    local other = devices[2]:with(function() return cn.ones(5) + 1 end)
    devices[1]:with(function() x:fill(0) end)
    assert.same({2, 2, 2, 2, 2}, other:totable())
    assert.same({{-24, -28, -32, -36}, {-16, -20, -24, -28}, {-8, -12, -16, -20}}, passed:totable())
    cn.set_eager(was_eager)
    for i, device in ipairs(devices) do core.set_record_limit(device, limits[i]) end
  end)
end)

if not simgpu.here then return end

local LAUNCH_OUT_OF_RESOURCES = 701

describe("operations whose flush failed when another stream became current", function()
  it("run on the stream that was current when they were recorded", function()
    local device = cn.device "cuda:0"
    local was_eager, limit = cn.is_eager(), core.set_record_limit(device, 0)
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
    core.set_record_limit(device, limit)
  end)
end)
