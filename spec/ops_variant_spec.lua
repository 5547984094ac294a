--- Values depend neither on how kernels are compiled, nor on the width of their indices, nor on (random) views.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"
local process = require "spec.support.process"
local sample = require "spec.support.sample"
local simgpu = require "spec.simgpu.driver"

local SEED = tonumber(os.getenv "CUNA_SEED") or 1
local CASES = 60

--- What the sample prints in a process with another environment, where operations count with 64 bits.
local function results_under(environment, operations)
  local output = process.must_run(([[
    package.path = %q .. "/?.lua;" .. package.path
    require("cuna").device(%q):use()
    require("spec.support.index_bits").print(require("spec.support.sample").print)
  ]]):format(process.root, cn.device().name), environment)
  local results, text = {}, index_bits.assert_wide(output, operations)
  for name, bytes in text:gmatch "(%S+)\t(%x*)" do results[name] = bytes end
  return results
end

local function check_same(environment, operations)
  devices.prepare(sample.results)
  local here, there = sample.results(), results_under(environment, operations)
  for name, bytes in pairs(here) do
    assert(#bytes > 0 and there[name] == bytes, name .. " has other bits there")
  end
end

-- ---- random views ----

--- A function that returns integers from low to high, the same ones for the same seed.
local function generator(seed)
  local state = (seed * 7919 + 17) % 2147483647
  return function(low, high)
    state = (state * 16807) % 2147483647
    return low + state % (high - low + 1)
  end
end

--- 0-d with p = 1/8, else one to three axes; each is empty with p = 1/8.
local function random_shape(random)
  local shape = {}
  for axis = 1, random(1, 8) == 1 and 0 or random(1, 3) do
    shape[axis] = random(1, 8) == 1 and 0 or random(1, 9)
  end
  return shape
end

--- A view of the given shape into a larger array: sliced with steps, reversed and transposed.
local function random_view(random, shape, dtype)
  local order, room, key = {}, {}, {}
  for axis = 1, #shape do table.insert(order, random(1, axis), axis) end
  for place, axis in ipairs(order) do
    local step, before = random(1, 2), random(0, 2)
    room[place] = before + math.max(0, shape[axis] * step)
    local first, last = before + 1, before + shape[axis] * step
    if shape[axis] == 0 then key[place] = {before + 1, before}
    elseif random(1, 3) == 1 then key[place] = {last, first, -step}
    else key[place] = {first, last, step} end
  end
  local size = 1
  for _, length in ipairs(room) do size = size * length end
  local x = (cn.arange(size) % 101 - 50):astype(dtype):reshape(room)
  if #shape == 0 then return x end
  local axes = {}
  for place, axis in ipairs(order) do axes[axis] = place end
  return x[key]:transpose(axes)
end

--- A shape that broadcasts to the given one.
local function narrowed(random, shape)
  local narrow = {}
  for axis = random(1, 4) == 1 and #shape > 0 and 2 or 1, #shape do
    narrow[#narrow + 1] = random(1, 4) == 1 and 1 or shape[axis]
  end
  return narrow
end

local KINDS = {{"subtract", "float32"}, {"maximum", "int16"}, {"multiply", "complex64"}}

--- Runs case number `number`; returns the result and what contiguous copies give.
local function random_case(number)
  local random = generator(SEED * 1000 + number)
  local name, dtype = unpack(KINDS[number % #KINDS + 1])
  local shape = random_shape(random)
  local a = random_view(random, shape, dtype)
  local b = random_view(random, narrowed(random, shape), dtype)
  local result = cn[name](a, b)
  local expected = cn[name](cn.broadcast_to(a, shape):flatten(), cn.broadcast_to(b, shape):flatten())
  return result, expected, shape
end

devices.each_device(function(device)
  it("spreads few elements over the multiprocessors, and every element is computed", function()
    for size, blocks in pairs {[1] = 1, [1024] = 1, [1025] = 2, [10003] = 10, [131073] = 129, [1000003] = 489} do
      local x = cn.evaluate(cn.arange(size):astype "float32")
      local y = cn.evaluate(-x)
      if device.kind ~= "cpu" and simgpu.here then assert.equal(blocks, simgpu.cuda.simgpu_blocks()) end
      assert.is_true(cn.array_equal(y["::-1"], cn.arange(size - 1, -1, -1) * -1))
    end
  end)

  it("gives the same bits at full optimisation", function() check_same({CUNA_CPU_FLAGS = false}, {}) end)
  it("gives the same bits with 64-bit indices", function() check_same({CUNA_INDEX_LIMIT = "64"}, sample.names) end)

  describe("random views", function()
    setup(function()
      cn.prepare(function()
        for number = 1, CASES do random_case(number) end
      end)
    end)

    it("give what contiguous copies give", function()
      for number = 1, CASES do
        local result, expected, shape = random_case(number)
        local what = ("CUNA_SEED=%d, case %d"):format(SEED, number)
        assert.equal(table.concat(shape, ","), table.concat(result.shape, ","), what)
        assert(result:tobytes() == expected:tobytes(), what)
      end
    end)
  end)
end)
