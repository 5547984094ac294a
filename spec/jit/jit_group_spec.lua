--- Cooperative groups, and CUB's reductions and scans, in kernels written in Lua, on every device.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local jit = cn.jit
local cg, cub = jit.cg, jit.cub

--- The numbers that f returns for 0 to n - 1.
local function each(n, f)
  local list = {}
  for i = 0, n - 1 do list[i + 1] = f(i) end
  return list
end

devices.each_device(function()
  local function zeros(shape, dtype) return cn.zeros(shape, dtype or "int64") end

  describe("cooperative groups", function()
    it("know blocks and grids", function()
      local kernel = jit.rawkernel(function(x, out)
        local block, grid = cg.this_thread_block(), jit.cg.this_grid()
        local rank = block:thread_rank()
        local at, lengths, place = block:thread_index(), block:group_dim(), grid:block_index()
        x[grid:thread_rank() + 1] = rank + 1000 * at.x + 100000 * at.y
        if rank == 7 and block:group_index().x == 1 then
          out[1], out[2], out[3] = block:size(), block:num_threads(), lengths.x
          out[4], out[5] = block:dim_threads().y, lengths.z
          out[6], out[7], out[8] = place.x, place.y, grid:block_rank()
          out[9], out[10], out[11] = grid:size(), grid:num_blocks(), grid:num_threads()
          out[12], out[13] = grid:group_dim().y, grid:dim_blocks().x
          if grid:is_valid() then out[14] = 1 end
        end
      end)
      local x, out = zeros(2 * 3 * 16), zeros(14)
      kernel({ 2, 3 }, { 4, 4 }, { x, out })
      assert.same(each(96, function(i)
        local rank = i % 16
        return rank + 1000 * (rank % 4) + 100000 * math.floor(rank / 4)
      end), x:totable())
      local got = out:totable()
      assert.is_true(got[8] % 2 == 1 and got[8] == got[6] + 2 * got[7] and got[6] == 1)
      got[7], got[8] = 0, 0
      assert.same({ 16, 16, 4, 4, 1, 1, 0, 0, 96, 6, 96, 3, 2, 0 }, got)
    end)

    it("wait for each other", function()
      local kernel = jit.rawkernel(function(x, y, out)
        local room = jit.shared_memory("int64", 64)
        local block, grid = cg.this_thread_block(), cg.this_grid()
        local n, rank = block:size(), block:thread_rank()
        room[rank + 1] = x[rank + 1]
        block:sync()
        local v = room[n - rank]
        cg.sync(block)
        y[grid:thread_rank() + 1] = v
        grid:sync() -- all blocks
        out[grid:thread_rank() + 1] = y[grid:size() - grid:thread_rank()]
        if grid:is_valid() then out[1] = -1 end
      end)
      local x, y, out = cn.arange(64, { dtype = "int64" }), zeros(256), zeros(256)
      kernel(4, 64, { x, y, out })
      local expected = each(256, function(i) return i % 64 end)
      expected[1] = -1
      assert.same(expected, out:totable())
    end)

    it("are tiles of a warp", function()
      local function total(tile, v) -- groups are arguments
        local distance = tile:size() / 2
        while distance >= 1 do
          v = v + tile:shfl_xor(v, math.floor(distance))
          distance = distance / 2
        end
        return v
      end
      local kernel = jit.rawkernel(function(x, out)
        local block = cg.this_thread_block()
        local tile = cg.tiled_partition(block, 8)
        local pair = cg.tiled_partition(tile, 2)
        local i = block:thread_rank() + 1
        local function of_tile(v) return tile:shfl(v, 1) + 100 * tile:shfl_up(v, 2) + 10000 * tile:shfl_down(v, 3) end
        out[{ 1, i }] = total(tile, x[i])
        out[{ 2, i }] = of_tile(i)
        out[{ 3, i }] = tile:ballot(x[i] % 3 == 0) + 1000 * tile:meta_group_rank() + 100000 * tile:meta_group_size()
        out[{ 4, i }] = total(pair, x[i]) + 1000 * pair:thread_rank() + 100000 * pair:num_threads()
        if tile:any(i == 9) then out[{ 5, i }] = 1 end
        if tile:all(i <= 9) then out[{ 5, i }] = 2 end
        tile:sync()
      end)
      local x, out = cn.arange(64, { dtype = "int64" }), zeros { 5, 64 }
      kernel(1, 64, { x, out })
      local got = out:totable()
      assert.same(each(64, function(i) return 64 * math.floor(i / 8) + 28 end), got[1])
      assert.same(each(64, function(i)
        local first, rank = i - i % 8, i % 8
        local up, down = rank < 2 and rank or rank - 2, rank + 3 > 7 and rank or rank + 3
        return first + 2 + 100 * (first + up + 1) + 10000 * (first + down + 1)
      end), got[2])
      assert.same(each(64, function(i)
        local first, bits = i - i % 8, 0
        for k = 0, 7 do bits = bits + ((first + k) % 3 == 0 and 2 ^ k or 0) end
        return bits + 1000 * first / 8 + 800000
      end), got[3])
      assert.same(each(64, function(i) return 4 * math.floor(i / 2) + 1 + 1000 * (i % 2) + 200000 end), got[4])
      assert.same(each(64, function(i) return i < 8 and 2 or i < 16 and 1 or 0 end), got[5])
    end)

    it("are the threads that are at one place", function()
      local kernel = jit.rawkernel(function(out)
        local i = jit.threadIdx.x
        if i % 3 == 1 then
          local here = cg.coalesced_threads()
          local four = cg.tiled_partition(here, 4)
          out[{ 1, i + 1 }] = here:thread_rank() + 100 * here:size() + 10000 * here:shfl(i, 2)
          out[{ 2, i + 1 }] = four:thread_rank() + 100 * four:size() + 10000 * cg.reduce(four, 1, cg.plus)
        end
      end)
      local out = zeros { 2, 32 }
      kernel(1, 32, { out })
      local got = out:totable()
      assert.same(each(32, function(i) return i % 3 == 1 and (i - 1) / 3 + 1100 + 70000 or 0 end), got[1])
      assert.same(each(32, function(i)
        if i % 3 ~= 1 then return 0 end
        local rank = (i - 1) / 3
        local size = rank < 8 and 4 or 3
        return rank % 4 + 100 * size + 10000 * size
      end), got[2])
    end)

    it("reduce and scan", function()
      local kernel = jit.rawkernel(function(x, out)
        local tile = cg.tiled_partition(cg.this_thread_block(), 16)
        local i = jit.grid(1)
        local v = x[i]
        out[{ 1, i }], out[{ 2, i }] = cg.reduce(tile, v, cg.plus), cg.reduce(tile, v, cg.less)
        out[{ 3, i }] = cg.reduce(tile, v, cg.greater())
        out[{ 4, i }], out[{ 5, i }] = cg.inclusive_scan(tile, v), cg.exclusive_scan(tile, v)
        out[{ 6, i }] = cg.inclusive_scan(tile, v, cg.greater)
      end)
      for _, dtype in ipairs { "int8", "float64" } do
        local x = cn.array({ 3, -1, 4, 1, -5, 9, 2, 6, 5, -3, 5, 8, -9, 7, 9, 3 }, dtype)
        local out = zeros({ 6, 16 }, dtype)
        kernel(1, 16, { x, out })
        local sums, all = x:cumsum { dtype = dtype }, cn.ones(16, dtype)
        assert.same(cn.stack({ all * x:sum():item(), all * -9, all * 9, sums, sums - x, x:cummax() }):totable(),
          out:totable(), dtype)
      end
      local bits = jit.rawkernel(function(x, out)
        local tile = cg.tiled_partition(cg.this_thread_block(), 4)
        local i = jit.grid(1)
        out[{ 1, i }], out[{ 2, i }] = cg.reduce(tile, x[i], cg.bit_and), cg.reduce(tile, x[i], cg.bit_or)
        out[{ 3, i }] = cg.reduce(tile, x[i], cg.bit_xor)
      end)
      local out = zeros({ 3, 4 }, "uint32")
      bits(1, 4, { cn.array({ 7, 13, 5, 0xf0000005 }, "uint32"), out })
      assert.same({ 5, 0xf000000f, 0xf000000a }, out[":, 1"]:totable())
    end)

    it("copy together", function()
      local kernel = jit.rawkernel(function(x, y, from, nbytes)
        local room = jit.shared_memory("float32", 32)
        local block = cg.this_thread_block()
        local i = block:thread_rank() + 1
        room[i] = 0
        block:sync()
        cg.memcpy_async(block, room, 2, x, { 2, from }, nbytes)
        cg.wait(block)
        y[i] = room[i]
        cg.memcpy_async(block, y, 33, room, 1, 8)
        cg.wait_prior(block, 0)
      end)
      local x, y = cn.arange(60):astype("float32"):reshape(2, 30), zeros(34, "float32")
      kernel(1, 32, { x, y, 3, 12 })
      local expected = each(34, function() return 0 end)
      expected[2], expected[3], expected[4], expected[34] = 32, 33, 34, 32
      assert.same(expected, y:totable())
      kernel(1, 32, { x, y, 3, 0 })
      assert.same(each(34, function() return 0 end), y:totable())
      raises("kernel: 124 bytes are copied, and 'x' has 112 from that position on", function()
        kernel(1, 32, { x, y, 3, 124 })
        cn.synchronize()
      end)
      raises("kernel: 128 bytes are copied, and 'room' has 124 from that position on", function()
        kernel(1, 32, { x, y, 1, 128 })
        cn.synchronize()
      end)
      raises("kernel: -4 bytes are copied, and 'room' has 124 from that position on", function()
        kernel(1, 32, { x, y, 1, -4 })
        cn.synchronize()
      end)
      raises("kernel: position 31 is out of bounds for the second axis of 'x'", function()
        kernel(1, 32, { x, y, 31, 4 })
        cn.synchronize()
      end)
      assert.equal(0, y:sum():item())
    end)
  end)

  describe("CUB", function()
    it("reduces blocks", function()
      local kernel = jit.rawkernel(function(x, y)
        local Reduce = cub.BlockReduce(x.dtype, 64)
        local room = jit.shared_memory(Reduce.TempStorage, 1)
        local i, first = jit.blockIdx.x + 1, jit.threadIdx.x == 0
        local v = x[{ i, jit.threadIdx.x + 1 }]
        local together = Reduce(room[1])
        local sum = together:Sum(v)
        jit.syncthreads()
        local most = together:Reduce(v, cub.Max)
        jit.syncthreads()
        local least = Reduce(room[1]):Reduce(v, cub.Min())
        jit.syncthreads()
        local some = together:Sum(v, 5)
        if first then y[{ i, 1 }], y[{ i, 2 }], y[{ i, 3 }], y[{ i, 4 }] = sum, most, least, some end
      end)
      for _, dtype in ipairs { "int16", "float16", "float64" } do
        local x, y = (cn.arange(128) * 37 % 64):astype(dtype):reshape(2, 64), zeros({ 2, 4 }, dtype)
        kernel(2, 64, { x, y })
        assert.is_true(y == cn.stack({ x:sum { axis = 2, dtype = dtype }, x:max(2), x:min(2),
          x[":, 1:5"]:sum { axis = 2, dtype = dtype } }, 2), dtype)
      end
      raises("kernel: cn.jit.cub's classes are for blocks of 64 x 1 x 1 threads, and the launch has 32 x 1 x 1",
        function() kernel(2, 32, { zeros { 2, 64 }, zeros { 2, 4 } }) end)
    end)

    it("scans blocks of several axes", function()
      local kernel = jit.rawkernel(function(x, y)
        local Scan = cub.BlockScan("int32", 8, 4, 2)
        local room = jit.shared_memory(Scan.TempStorage, 1)
        local scan = Scan(room[1])
        local i = cg.this_thread_block():thread_rank() + 1
        local upto, total = scan:InclusiveSum(x[i])
        jit.syncthreads()
        local before = scan:ExclusiveSum(x[i])
        jit.syncthreads()
        local most, greatest = scan:InclusiveScan(x[i], cub.Max)
        jit.syncthreads()
        y[{ 4, i }] = scan:ExclusiveScan(x[i], 10, cub.Max)
        y[{ 1, i }], y[{ 2, i }], y[{ 3, i }] = upto, before, most
        y[{ 5, i }], y[{ 6, i }] = total, greatest
      end)
      local x, y = (cn.arange(64) * 29 % 50):astype "int32", zeros({ 6, 64 }, "int32")
      kernel(1, { 8, 4, 2 }, { x, y })
      local sums, most, all = x:cumsum { dtype = "int32" }, x:cummax(), cn.ones(64, "int32")
      local before = cn.concatenate { cn.array({ 10 }, "int32"), cn.maximum(most["1:63"], 10) }
      assert.is_true(y == cn.stack { sums, sums - x, most, before, all * sums[64], all * most[64] })
    end)

    it("reduces and scans warps", function()
      local kernel = jit.rawkernel(function(x, y)
        local Reduce, Scan = cub.WarpReduce("float32"), cub.WarpScan("float32", 16)
        local rooms, scans = jit.shared_memory(Reduce.TempStorage, 2), jit.shared_memory(Scan.TempStorage, 4)
        local t = jit.threadIdx.x
        local v = x[t + 1]
        local sum = Reduce(rooms[math.floor(t / 32) + 1]):Sum(v)
        local most = Reduce(rooms[math.floor(t / 32) + 1]):Reduce(v, cub.Max, 7)
        if jit.laneid() == 0 then y[{ 1, t + 1 }], y[{ 2, t + 1 }] = sum, most end
        local before, all = Scan(scans[math.floor(t / 16) + 1]):ExclusiveSum(v)
        y[{ 3, t + 1 }], y[{ 4, t + 1 }] = before, all
      end)
      local x, y = (cn.arange(64) * 29 % 50):astype "float32", zeros({ 4, 64 }, "float32")
      kernel(1, 64, { x, y })
      local warps, halves = x:reshape(2, 32), x:reshape(4, 16)
      assert.is_true(y["1, ::32"] == warps:sum(2) and y["2, ::32"] == warps[":, :7"]:max(2))
      assert.is_true(y[3]:reshape(4, 16) == halves:cumsum(2) - halves)
      assert.is_true(y[4]:reshape(4, 16) == halves:sum { axis = 2, keepdims = true } + cn.zeros({ 4, 16 }, "float32"))
    end)

    it("has storage that a position outside of it does not leave", function()
      local kernel = jit.rawkernel(function(out, n)
        local Reduce = cub.WarpReduce "int32"
        local rooms = jit.shared_memory(Reduce.TempStorage, 1)
        out[1] = Reduce(rooms[n]):Sum(1)
      end)
      raises("kernel: position 2 is out of bounds for the first axis of 'temporary storage', whose length is 1",
        function()
          kernel(1, 32, { zeros(1), 2 })
          cn.synchronize()
        end)
    end)
  end)
end)

describe("groups and CUB's classes", function()
  local names = { ["jit.cg"] = cg, ["jit.cub"] = cub }

  it("are known in kernels only", function()
    for title, space in pairs(names) do
      for name in pairs(space) do
        raises(("%s.%s is for kernels: call it in a function given to jit.rawkernel"):format(title, name), function()
          space[name]()
        end)
      end
    end
    raises("jit.cg has no function 'this_block'", function() return cg.this_block end)
    raises("jit.cub has no function 'BlockReduc'; did you mean 'BlockReduce'?", function() return cub.BlockReduc end)
  end)

  --- Asserts the message of a kernel whose block is `text`.
  local function fails(message, text)
    local kernel = jit.rawkernel("function(x, n)\nlocal cg, cub, block = cn.jit.cg, cn.jit.cub, "
      .. "cn.jit.cg.this_thread_block()\n" .. text .. "\nend")
    local ok, said = pcall(kernel, 1, 1, { cn.zeros(4), 1 })
    assert.is_false(ok)
    assert.equal("text:3: cuna: kernel: " .. message, said:sub(1, #message + 22))
  end

  it("say what is wrong", function()
    fails("a block has no method 'thread_ran'; did you mean 'thread_rank'?", "x[1] = block:thread_ran()")
    fails("a group has methods: write group:sync()", "block.sync()")
    fails("thread_rank takes 0 arguments, got 1", "x[1] = block:thread_rank(1)")
    fails("sync has no value", "x[1] = block:sync()")
    fails("it has x, y and z", "x[1] = block:thread_index().w")
    fails("cg.sync takes a group first, got int64", "cg.sync(n)")
    fails("cg.tiled_partition takes a size that is a constant power of two, up to 32, got 12",
      "local t = cg.tiled_partition(block, 12)")
    fails("cg.tiled_partition takes a size that is a constant power of two, up to 8, got 16",
      "local t = cg.tiled_partition(cg.tiled_partition(block, 8), 16)")
    fails("cg.tiled_partition takes a block, a tile or coalesced threads, got a grid",
      "local t = cg.tiled_partition(cg.this_grid(), 16)")
    fails("cg.reduce takes a tile, or coalesced threads, first, got a block", "x[1] = cg.reduce(block, 1, cg.plus)")
    fails("cg.reduce: bit_or is for integers, got float64",
      "x[1] = cg.reduce(cg.tiled_partition(block, 4), x[1], cg.bit_or)")
    fails("cg.reduce takes an operation such as cn.jit.cg.plus, got a function",
      "x[1] = cg.reduce(cg.tiled_partition(block, 4), x[1], math.max)")
    fails("a group of coalesced threads has no method 'shfl_xor'", "x[1] = cg.coalesced_threads():shfl_xor(1, 1)")
    fails("'block' is a grid and cannot be assigned again", "local block = cg.this_grid() block = 3")
    fails("cg.memcpy_async takes a group, an array and a position to copy to", "cg.memcpy_async(block, x, 1, x, 2)")
    fails("cg.memcpy_async: 'x' is float64, and 'y' is float32",
      "local y = cn.jit.shared_memory('float32', 4) cg.memcpy_async(block, x, 1, y, 1, 8)")
    fails("kernels call no methods: ':sum(...)' of an array", "x[1] = x:sum()")
    fails("cub.BlockReduce takes 2 to 4 arguments, got 1", "local C = cub.BlockReduce('float32')")
    fails("cub.BlockReduce takes the constant lengths of blocks, got int64", "local C = cub.BlockReduce('float32', n)")
    fails("cub.BlockScan: the kernel has blocks of 32 x 1 x 1 threads already",
      "local A, B = cub.BlockReduce('float32', 32), cub.BlockScan('float32', 64)")
    fails("cub.WarpReduce: kernels written in Lua have no complex64", "local C = cub.WarpReduce('complex64')")
    fails("cub.WarpReduce takes a dtype of numbers, got bool", "local C = cub.WarpReduce('bool')")
    fails("cub.WarpScan takes a constant power of two up to 32, got 3", "local C = cub.WarpScan('int8', 3)")
    fails("cub.WarpReduce has TempStorage, not 'Storage'", "local C = cub.WarpReduce('int32') local s = C.Storage")
    fails("cub.WarpReduce takes an element of its own temporary storage: cn.jit.shared_memory(C.TempStorage, n)[1], "
      .. "got an array", "local C = cub.WarpReduce('int32') local s = C(x)")
    fails("shared_memory takes a number of temporary storages",
      "local C = cub.WarpReduce('int32') local s = cn.jit.shared_memory(C.TempStorage)")
    local ROOM = "local C = cub.WarpReduce('int32') local r = cn.jit.shared_memory(C.TempStorage, 1) local c = C(r[1]) "
    fails("cannot index shared memory",
      "local C = cub.WarpReduce('int32') local c = C(cn.jit.shared_memory(C.TempStorage, 1)[1])")
    fails("Sum takes int32, got float64", ROOM .. "x[1] = c:Sum(x[1])")
    fails("Reduce takes an operation such as cn.jit.cub.Max, got a function", ROOM .. "x[1] = c:Reduce(n, math.max)")
    fails("cub.WarpReduce has no method 'InclusiveSum'", ROOM .. "x[1] = c:InclusiveSum(n)")
    fails("'f': argument 'r' is temporary storage", ROOM .. "local function f(r) return 1 end x[1] = f(r)")
  end)
end)
