--- Bytes between the host, a device and another device: sizes around every limit, dtypes, layouts, and what may change
--- while a device is still at work.
local bits = require "spec.support.bits"
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local raises = require("spec.support.raises").raises

-- What runtime/device/staging.c decides: memory is asked about above DIRECT bytes; a ring has 16 slots.
local DIRECT, PART, SLOT, RING = 65536, 262144, 2 * 1048576, 32 * 1048576
local SIZES = {0, 1, 63, 64, 65, RING, RING + SLOT + 13}
for _, size in ipairs {DIRECT, PART, SLOT, 2 * SLOT, 7 * SLOT} do
  for delta = -1, 1 do SIZES[#SIZES + 1] = size + delta end
end

local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}

--- The devices that there are to move to; the simulated GPU is two.
local targets = devices.names()
if pcall(cn.device, "cuda:1") then targets[#targets + 1] = "cuda:1" end

-- Host memory in which different offsets differ: a block of prime length, repeated.
local LONGEST = 35 * 1048576
local pattern = ffi.new("uint8_t[?]", LONGEST)
for i = 0, 65520 do pattern[i] = math.random(0, 255) end
for at = 65521, LONGEST - 1, 65521 do ffi.copy(pattern + at, pattern, math.min(65521, LONGEST - at)) end

local function upload(size, skip)
  return cn.frombuffer(ffi.cast("uint8_t *", pattern) + (skip or 0), "uint8", size)
end

local function is_pattern(x, size, skip)
  local bytes = x:tobytes()
  return #bytes == size and bytes == ffi.string(pattern + (skip or 0), size)
end

--- An array of a dtype with all sorts of bits; of bool and of shape (6, 4).
local function sample(dtype)
  local itemsize = cn.zeros(0, dtype).itemsize
  local bytes = ffi.string(pattern, 24 * itemsize)
  if dtype == "bool" then bytes = bytes:gsub(".", function(byte) return string.char(byte:byte() % 2) end) end
  return bits.array(bytes, dtype):reshape(6, 4), bytes
end

--- The rows of bytes that a reversed view of every second column holds.
local function picked(bytes, itemsize)
  local out = {}
  for row = 5, 0, -1 do
    for column = 0, 3, 2 do
      local at = (row * 4 + column) * itemsize
      out[#out + 1] = bytes:sub(at + 1, at + itemsize)
    end
  end
  return table.concat(out)
end

devices.each_device(function(device)
  describe("transfers", function()
    it("write only to arrays of its own while kernels are prepared", function()
      local x, other = cn.full(4, 7), cn.arange(4)
      cn.prepare(function()
        x:fill(1)
        x[2] = 9
        x["..."] = {1, 2, 3, 4}
        x["1:2"] = other["3:4"]
        x:set(cn.zeros(4):get())
        cn.cuda.MemoryPointer(x):copy_from(other)
        local mine = cn.zeros(2)
        mine[1] = 3
        return mine + x["1:2"]
      end)
      assert.same({7, 7, 7, 7}, x:totable())
    end)

    it("bring every byte there and back, at every size", function()
      for _, size in ipairs(SIZES) do
        local skip = size % 7
        assert.is_true(is_pattern(upload(size, skip), size, skip), size .. " bytes")
      end
    end)

    it("keep the bits of every dtype, contiguous or strided", function()
      for _, dtype in ipairs(DTYPES) do
        local x, bytes = sample(dtype)
        assert.equal(bytes, x:tobytes(), dtype)
        assert.equal(bytes, x:get():tobytes(), dtype)
        local view = x["::-1, ::2"]
        assert.equal(picked(bytes, x.itemsize), view:tobytes(), dtype)
        assert.equal(picked(bytes, x.itemsize), view:get():tobytes(), dtype)
      end
    end)

    it("write into views of every itemsize", function()
      for _, dtype in ipairs {"int8", "int16", "int32", "int64", "complex128"} do
        local x = cn.zeros({6, 4}, dtype)
        x["::-1, ::2"] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}}
        local expected = {{11, 0, 12, 0}, {9, 0, 10, 0}, {7, 0, 8, 0}, {5, 0, 6, 0}, {3, 0, 4, 0}, {1, 0, 2, 0}}
        assert.is_true(x == cn.array(expected, dtype), dtype)
      end
    end)

    it("have read the source when they return", function()
      for _, size in ipairs {1, 1000, DIRECT, DIRECT + 1, SLOT, RING + 5} do
        local source = ffi.new("uint8_t[?]", size)
        ffi.copy(source, pattern, size)
        local x = cn.frombuffer(source, "uint8")
        ffi.fill(source, size, 0xee)
        assert.is_true(is_pattern(x, size), size .. " bytes")
      end
    end)

    it("wait for work in flight", function()
      local x = upload(SLOT + 3)
      local y = x + 1
      x:fill(0)
      assert.equal((pattern[SLOT + 2] + 1) % 256, y[-1])
      local bytes = y:tobytes()
      for _, at in ipairs {0, 1, DIRECT, SLOT - 1, SLOT, SLOT + 2} do
        assert.equal((pattern[at] + 1) % 256, bytes:byte(at + 1))
      end
      assert.equal(("\0"):rep(SLOT + 3), x:tobytes())
    end)

    it("keep their order, small ones among large ones", function()
      local large, small, elements = {}, {}, cn.zeros(40000, "int32")
      for k = 1, 6 do
        large[k] = upload(SLOT + k, k)
        for j = 1, 20 do small[#small + 1] = upload(100 * j + k, j) end
        elements[k] = k
      end
      local back = large[6]:get()
      for k = 1, 6 do
        assert.is_true(is_pattern(large[k], SLOT + k, k))
        for j = 1, 20 do assert.is_true(is_pattern(small[(k - 1) * 20 + j], 100 * j + k, j)) end
        assert.equal(k, elements[k])
      end
      assert.is_true(is_pattern(back, SLOT + 6, 6))
    end)

    it("of single elements are more than a slot holds", function()
      local count = SLOT / 64 + 100
      local x = cn.zeros(count, "int32")
      for k = 1, count do x[k] = 3 * k end
      assert.is_true(x == cn.range(1, count) * 3)
    end)

    it("go on after the array was freed", function()
      for k = 1, 3 do
        upload(RING - 1, k):free()
        local x = upload(RING - 1, k + 1)
        assert.is_true(is_pattern(x, RING - 1, k + 1))
        x:free()
      end
    end)

    it("end on the cpu device with get, which always copies", function()
      local x = cn.arange(5)
      local y = x:get()
      x:fill(9)
      assert.equal("cpu", y.device.name)
      assert.is_true(y:totable()[5] == 4)
    end)
  end)

  for _, name in ipairs(targets) do
    describe("to " .. name, function()
      local other = cn.device(name)

      it("moves every size, and the source may change or go at once", function()
        for _, size in ipairs(SIZES) do
          local x = upload(size, 3)
          local y = cn.array(x, {device = other})
          x:fill(0)
          x:free()
          local reused = upload(size, 5)
          assert.equal(other, y.device)
          assert.is_true(is_pattern(y, size, 3), size .. " bytes")
          assert.is_true(is_pattern(reused, size, 5), size .. " bytes")
        end
      end)

      it("moves every dtype and layout", function()
        for _, dtype in ipairs(DTYPES) do
          local x, bytes = sample(dtype)
          local y = x["::-1, ::2"]:to(other)
          assert.is_true(y.device == other and y.dtype == dtype and y:has_shape(6, 2))
          assert.equal(picked(bytes, x.itemsize), y:tobytes(), dtype)
          assert.equal(bytes, x:to(other):to(device):tobytes(), dtype)
          local row = x[{1, {}}]:broadcast_to {3, 4}:to(other)
          assert.equal(bytes:sub(1, 4 * x.itemsize):rep(3), row:tobytes(), dtype)
        end
      end)

      it("moves what is being computed, and is computed on", function()
        local x = cn.arange(300000, "float32")
        local y = (x * 2):to(other) + 1
        local z = y:to(device) * 2
        assert.equal(device, z.device)
        assert.is_true(z == x * 4 + 2)
      end)

      it("goes round by the cpu device", function()
        local x = upload(RING + 77, 11)
        for _ = 1, 2 do x = x:to(other):to("cpu"):to(device) end
        assert.equal(device, x.device)
        assert.is_true(is_pattern(x, RING + 77, 11))
      end)

      it("is what asarray does for the current device", function()
        local x = cn.arange(3)
        local y = other:with(function() return cn.asarray(x) end)
        assert.equal(other, y.device)
        assert.is_true(other ~= device or rawequal(x, y))
      end)

      it("is what array does for the current device, and for one that is named", function()
        local x = cn.arange(3)
        local y = other:with(cn.array, x)
        assert.equal(other, y.device)
        assert.same({0, 1, 2}, y:totable())
        assert.is_false(rawequal(x, cn.array(x)))
        assert.equal(device, other:with(cn.array, x, nil, device).device)
        assert.equal(other, other:with(cn.array, x, "int8").device)
        assert.equal(other, other:with(cn.array, {x, x}).device)
      end)

      it("names itself where the device is none", function()
        raises('to: expected a device or its name, such as "cpu" or "cuda:0", got number', function()
          cn.zeros(3):to(5)
        end)
      end)

      it("never happens by assignment", function()
        if other == device then return end
        local x, y = cn.zeros(3), cn.zeros(3, "float64", other)
        raises(('assignment: the array is on %s and the value on %s; move it with value:to("%s")'):format(device.name,
          other.name, device.name), function() x["1:3"] = y end)
      end)
    end)
  end
end)
