--- Kernels written in Lua whose threads work together, and positions outside of arrays, on every device.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local jit = cn.jit

devices.each_device(function()
  --- A new array of zeros.
  local function zeros(shape, dtype) return cn.zeros(shape, dtype or "float64") end

  describe("threads", function()
    it("share memory", function()
      local kernel = jit.rawkernel(function(x, y)
        local room = jit.shared_memory("float32", 64)
        local t = jit.threadIdx.x + 1
        room[t] = x[t]
        jit.syncthreads()
        y[t] = room[#room + 1 - t]
      end)
      local x, y = cn.arange(64):astype "float32", zeros(64, "float32")
      kernel(1, 64, { x, y })
      assert.same(x[{ { -1, 1, -1 } }]:totable(), y:totable())
    end)

    it("transpose by tiles", function()
      local SIDE = 8
      local kernel = jit.rawkernel(function(x, y)
        local tile = cn.jit.shared_memory(x.dtype, { SIDE, SIDE + 1 })
        local tx, ty = jit.threadIdx.x + 1, jit.threadIdx.y + 1
        local bx, by = jit.blockIdx.x * SIDE, jit.blockIdx.y * SIDE
        if by + ty <= x.shape[1] and bx + tx <= x.shape[2] then tile[{ ty, tx }] = x[{ by + ty, bx + tx }] end
        jit.syncthreads()
        if bx + ty <= y.shape[1] and by + tx <= y.shape[2] then y[{ bx + ty, by + tx }] = tile[{ tx, ty }] end
      end)
      local x, y = cn.arange(20 * 13):reshape(20, 13), zeros { 13, 20 }
      kernel({ 2, 3 }, { SIDE, SIDE }, { x, y })
      assert.same(x.T:totable(), y:totable())
    end)

    it("share as much memory as a launch says", function()
      local kernel = jit.rawkernel(function(x, y)
        local room = jit.shared_memory "float64"
        local t = jit.threadIdx.x + 1
        room[t] = x[t]
        jit.syncthreads()
        y[t] = room[#room + 1 - t]
      end)
      local x, y = cn.arange(32), zeros(32)
      kernel(1, 32, { x, y }, { shared_mem = 32 * 8 })
      assert.same(x[{ { -1, 1, -1 } }]:totable(), y:totable())
    end)

    it("add up by shuffles", function()
      local kernel = jit.rawkernel(function(x, y, votes)
        local v = x[jit.threadIdx.x + 1]
        local distance = 16
        while distance > 0 do
          v = v + jit.shfl_down_sync(0xffffffff, v, distance)
          distance = bit.rshift(distance, 1)
        end
        local first = jit.shfl_sync(0xffffffff, v, 0)
        local other = jit.shfl_xor_sync(0xffffffff, jit.laneid(), 1)
        local above = jit.shfl_up_sync(0xffffffff, jit.laneid(), 1)
        y[jit.threadIdx.x + 1] = first + other * 1000 + above * 100000
        jit.syncwarp()
        if jit.threadIdx.x == 0 then votes[4] = jit.warpsize end
        votes[1] = jit.ballot_sync(0xffffffff, true)
        if jit.all_sync(0xffffffff, v == v) then votes[2] = 1 end
        if jit.any_sync(0xffffffff, v ~= v) then votes[3] = 1 end
      end)
      local x, y, votes = cn.arange(32), zeros(32), zeros(4, "int64")
      kernel(1, 32, { x, y, votes })
      local expected = {}
      for lane = 0, 31 do expected[lane + 1] = 496 + 1000 * bit.bxor(lane, 1) + 100000 * math.max(lane - 1, 0) end
      assert.same(expected, y:totable())
      assert.same({ 2 ^ 32 - 1, 1, 0, 32 }, votes:totable())
    end)

    it("meet in atomics", function()
      local kernel = jit.rawkernel(function(x, m)
        local i = jit.grid(1)
        jit.atomic_add(x, 1, 1)
        jit.atomic_sub(x, 2, 2)
        jit.atomic_max(x, 3, i)
        jit.atomic_min(x, { 4 }, -i)
        local before = jit.atomic_add(m, { 1, 1 }, 0.5)
        if before < 0 then m[{ 1, 2 }] = 1 end
      end)
      for _, dtype in ipairs { "int32", "int64", "float32", "float64" } do
        local x, m = cn.zeros(4, dtype), cn.zeros({ 1, 2 }, "float32")
        kernel(4, 32, { x, m })
        assert.same({ 128, -256, 128, -128 }, x:totable(), dtype)
        assert.same({ { 64, 0 } }, m:totable())
      end
      local bits = jit.rawkernel(function(x, y)
        local i = jit.grid(1)
        jit.atomic_or(x, 1, bit.lshift(1, i - 1))
        jit.atomic_and(x, 2, bit.bnot(bit.lshift(1, i - 1)))
        jit.atomic_xor(x, 3, bit.lshift(1, i - 1))
        if jit.atomic_cas(x, 4, 0, i) == 0 then x[5] = i end
        jit.atomic_exch(x, 6, 7)
        jit.atomic_inc(y, 1, 5)
        jit.atomic_dec(y, 2, 5)
      end)
      local x, y = cn.array({ 0, 1023, 0, 0, 0, 0 }, "int64"), cn.zeros(2, "uint32")
      bits(1, 8, { x, y })
      local got = x:totable()
      assert.same({ 255, 768, 255, 7 }, { got[1], got[2], got[3], got[6] })
      assert(got[4] == got[5] and got[4] >= 1 and got[4] <= 8)
      assert.same({ 2, 4 }, y:totable())
    end)

    it("meet in atomics of 16-bit floats", function()
      local add = jit.rawkernel(function(x, old)
        local i = jit.grid(1)
        jit.atomic_add(x, 1, 0.5)
        jit.atomic_sub(x, 2, 1)
        jit.atomic_add(x, 3, 2 ^ -20)
        if i == 1 then
          old[1] = jit.atomic_add(x, 4, 0.1) -- is rounded, and so is the sum
          old[2] = jit.atomic_sub(x, 5, -1e30)
        end
      end)
      local sums = {
        float16 = { 64, -128, 2 ^ -13, 2.099609375, cn.inf },
        bfloat16 = { 64, -128, 2 ^ -13, 2.09375, cn.array(1e30, "bfloat16"):item() },
      }
      for dtype, expected in pairs(sums) do
        local x, old = cn.array({ 0, 0, 0, 2, 1 }, dtype), zeros(2)
        add(4, 32, { x, old })
        assert.same(expected, x:totable(), dtype)
        assert.same({ 2, 1 }, old:totable())
      end
    end)

    it("exchange words of 16 bits if they are what is expected", function()
      local take = jit.rawkernel(function(x, wins)
        local i = jit.grid(1)
        if jit.atomic_cas(x, 2, -1, i) == -1 then jit.atomic_add(wins, 1, 1) end
        jit.atomic_cas(x, 3, 5, 6)
        jit.atomic_cas(x, 1, i, 0)
      end)
      local x, wins = cn.array({ 7, -1, 5, -1 }, "int16"), cn.zeros(1, "int32")
      take(4, 32, { x, wins })
      assert.same({ 0, 6, -1 }, { x[1], x[3], x[4] }) -- and none of the neighbours
      assert.equal(1, wins:item())
      assert.is_true(x[2] >= 1 and x[2] <= 128)
    end)
  end)

  describe("a position outside of an array", function()
    local get = jit.rawkernel(function(x, y)
      local i = jit.grid(1)
      y[i] = x[i] + 1
    end)

    it("is reported, and nothing is written there", function()
      local base = cn.zeros(8)
      local y = base[{ { 1, 4 } }]
      raises("get: position ", function()
        get(1, 6, { cn.ones(4), y })
        cn.synchronize() -- a GPU is asked here at the latest
      end)
      assert.same({ 2, 2, 2, 2, 0, 0, 0, 0 }, base:totable())
      get(1, 4, { cn.ones(4), y })
      cn.synchronize()
    end)

    it("is reported with array, axis, length and line", function()
      local kernel = jit.rawkernel(function(x, i, j)
        x[{ i, j }] = 1
      end)
      local x = cn.zeros { 2, 3 }
      local line = debug.getinfo(1, "l").currentline - 3
      local function says(i, j, words)
        raises(("kernel: position %s (spec/jit/jit_thread_spec.lua:%d)"):format(words, line), function()
          kernel(1, 1, { x, i, j })
          cn.synchronize()
        end)
      end
      says(3, 1, "3 is out of bounds for the first axis of 'x', whose length is 2")
      says(0, 1, "0 is out of bounds for the first axis of 'x', whose length is 2")
      says(1, 4, "4 is out of bounds for the second axis of 'x', whose length is 3")
      says(2, -1, "-1 is out of bounds for the second axis of 'x', whose length is 3")
      assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, x:totable())
    end)

    it("is reported for shared memory, in functions and in atomics", function()
      local function store(to, at) to[at] = 1 end
      local shared = jit.rawkernel(function(out, at)
        local room = jit.shared_memory("int32", 4)
        store(room, at)
        out[1] = 1
      end)
      local out = cn.zeros(1)
      raises("shared: position 5 is out of bounds for the first axis of 'to', whose length is 4", function()
        shared(1, 1, { out, 5 })
        cn.synchronize()
      end)
      local atomic = jit.rawkernel(function(x, i) jit.atomic_add(x, i, 1) end)
      raises("atomic: position 9 is out of bounds for the first axis of 'x', whose length is 1", function()
        atomic(1, 1, { out, 9 })
        cn.synchronize()
      end)
      local rows = jit.rawkernel(function(m, i, y)
        local row = m[i]
        y[1] = #row
        row[1] = 7
      end)
      local m, y = cn.ones { 2, 3 }, cn.ones(1)
      raises("rows: position 3 is out of bounds for the first axis of 'm', whose length is 2", function()
        rows(1, 1, { m, 3, y })
        cn.synchronize()
      end)
      assert.is_true(m == cn.ones { 2, 3 } and y[1] == 0)
      rows(1, 1, { m, 2, y })
      assert.same({ { 1, 1, 1 }, { 7, 1, 1 } }, m:totable())
      local shape = jit.rawkernel(function(x, d) x[1] = x.shape[d] end)
      raises("shape: 'x' has 1 axes, and shape[2] does not exist", function()
        shape(1, 1, { out, 2 })
        cn.synchronize()
      end)
      local strides = jit.rawkernel(function(x, d) x[1] = x.strides[d] end)
      raises("strides: 'x' has 1 axes, and strides[0] does not exist", function()
        strides(1, 1, { out, 0 })
        cn.synchronize()
      end)
    end)

    it("is reported in the call with CUNA_SYNC=1, else in a later one or by cn.synchronize", function()
      local script = [[
        local cn = require "cuna"
        cn.device(%q):use()
        local k = cn.jit.rawkernel "function(x, i) x[i] = 1 end"
        local x, calls = cn.zeros(2), 0
        local ok, message = pcall(function()
          for _ = 1, 200 do
            calls = calls + 1
            k(1, 1, {x, 3})
          end
        end)
        print(ok, calls, message:match "position 3 is out of bounds")
        k(1, 1, {x, 2})
        cn.synchronize()
        print(x[2])]]
      script = script:format(cn.device().name)
      local report = "false\t%d\tposition 3 is out of bounds\n1\n"
      assert.equal(report:format(1), process.run(script, { CUNA_SYNC = "1" }))
      assert.equal(report:format(cn.device().kind == "cpu" and 1 or 64), process.run(script, { CUNA_SYNC = "0" }))
    end)
  end)
end)
