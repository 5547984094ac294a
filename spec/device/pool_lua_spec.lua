--- Memory pools as Lua sees them: statistics, limits, which of them arrays get their memory from.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local cuda = cn.cuda
local UNIT = 512
local MIB = 2 ^ 20

local function settle()
  collectgarbage()
  collectgarbage()
end

--- Kinds of pools that arrays can be in, each with a function that makes one.
local KINDS = {
  device = function() return cuda.MemoryPool(cuda.malloc) end,
  managed = function() return cuda.MemoryPool(cuda.malloc_managed) end,
  async = function() return cuda.MemoryAsyncPool() end,
}

--- Arrays of some kernels' work, and what they must hold.
local function compute()
  local a, b = cn.arange(1000), cn.arange(1000)
  local c = a + b
  local sum, piece = c:sum(), c[{{999, 1000}}]
  assert(sum:item() == 999000)
  assert.same({1996, 1998}, piece:totable())
  for _, x in ipairs {a, b, c, sum, piece} do x:free() end
end

devices.each_device(function(device)
  local default = cn.get_default_memory_pool()

  describe("a memory pool", function()
    it("has separate statistics", function()
      settle()
      local pool, before = cuda.MemoryPool(), default:used_bytes()
      local x = pool:with(cn.empty, 100, "float32")
      assert.same({UNIT, 0, UNIT, 0},
        {pool:used_bytes(), pool:free_bytes(), pool:total_bytes(), pool:n_free_blocks()})
      assert.equal(before, default:used_bytes())
      local other = cn.empty(100, "float32")
      assert.same({UNIT, before + UNIT}, {pool:used_bytes(), default:used_bytes()})
      x:free()
      assert.same({0, UNIT, UNIT, 1}, {pool:used_bytes(), pool:free_bytes(), pool:total_bytes(), pool:n_free_blocks()})
      default:free_all_blocks()
      assert.equal(UNIT, pool:free_bytes())
      pool:free_all_blocks()
      assert.same({0, 0, 0, 0}, {pool:used_bytes(), pool:free_bytes(), pool:total_bytes(), pool:n_free_blocks()})
      other:free()
    end)

    it("keeps no more beside what is in use than was in use, and a little", function()
      for _, kind in ipairs {"device", "managed"} do
        local pool = KINDS[kind]()
        for nmib = 2, 80, 2 do pool:with(cn.empty, nmib * MIB, "int8"):free() end
        assert.is_true(pool:total_bytes() <= (80 + 256 + 80) * MIB) -- of 1640 MiB
        local x = pool:with(cn.full, 60 * MIB / 8, 3, "int64")
        assert.equal(60 * MIB / 8 * 3, x:sum():item())
        x:free()
      end
    end)

    it("has a device for its last argument", function()
      local pool = cuda.MemoryPool()
      local x = pool:with(cn.empty, 100, "float32")
      cn.device("cpu"):with(function()
        for _, name in ipairs {"used_bytes", "total_bytes"} do
          assert.equal(UNIT, pool[name](pool, device))
          assert.equal(UNIT, pool[name](pool, device.name))
        end
        pool:set_limit(5 * MIB, device)
        assert.equal(5 * MIB, pool:get_limit(device))
        x:free()
        pool:free_all_blocks(nil, device)
        assert.equal(0, pool:total_bytes(device))
      end)
    end)

    it("follows CuPy's facts", function()
      local pool = cuda.MemoryPool()
      local whole = pool:malloc(4 * UNIT)
      local at = whole.ptr
      whole:free()
      local low, high = pool:malloc(2 * UNIT), pool:malloc(2 * UNIT)
      assert.same({at, at + 2 * UNIT}, {low.ptr, high.ptr})
      low:free()
      high:free()
      pool:free_all_blocks()

      pool:set_limit(6 * UNIT)
      local five, one = pool:malloc(5 * UNIT), pool:malloc(UNIT)
      raises("OutOfMemoryError: cannot allocate 512 bytes on " .. device.name, function() pool:malloc(1) end)
      five:free()
      one:free()
      pool:malloc(5 * UNIT):free()
      pool:malloc(6 * UNIT):free()
      assert.equal(0, pool:used_bytes())
    end)

    it("gives back what it keeps for one stream, or for all", function()
      local pool = cuda.MemoryPool()
      local one, other = cuda.Stream(), cuda.Stream()
      for _, stream in ipairs {one, other} do
        stream:with(function() pool:with(cn.empty, 3 * MIB, "uint8"):free() end)
      end
      local most = pool:free_bytes()
      pool:free_all_blocks(cuda.Stream.null)
      assert.equal(most, pool:free_bytes())
      pool:free_all_blocks(one)
      assert.is_true(pool:free_bytes() < most)
      pool:free_all_blocks(other)
      assert.equal(0, pool:free_bytes())
      one:free()
      other:free()
    end)

    it("goes when nothing has its memory any more", function()
      local x
      do
        local pool = cuda.MemoryPool()
        x = pool:with(cn.arange, 100000)
      end
      settle()
      local y = x + x
      assert.equal(9999900000, y:sum():item())
      x:free()
      settle()
      for _ = 1, 200 do cuda.MemoryPool():with(cn.zeros, 10):free() end
    end)
  end)

  for name, make in pairs(KINDS) do
    describe("arrays in a pool of kind " .. name, function()
      it("are as all others, and leak nothing", function()
        local pool = make()
        settle()
        local before = default:used_bytes()
        for _ = 1, 20 do pool:with(compute) end
        assert.equal(before, default:used_bytes())
        assert.equal(0, pool:used_bytes())
        device:synchronize() -- the driver's pool gives back what no stream is at work on
        pool:free_all_blocks()
        assert.equal(0, pool:total_bytes())
      end)

      it("are moved, copied and freed anywhere", function()
        local pool = make()
        local x = pool:with(function() return cn.array {{1, 2}, {3, 4}} end)
        local used = pool:used_bytes()
        assert.equal(UNIT, used)
        assert.equal("cpu", x:get().device.name)
        assert.same({{2, 3}, {4, 5}}, (x + 1):totable())
        assert.equal(used, pool:used_bytes())
        x:fill(7)
        assert.equal(28, x:sum():item())
        x:free()
        assert.equal(0, pool:used_bytes())
      end)

      it("are refused beyond a limit", function()
        local pool = make()
        pool:set_limit(MIB)
        raises("OutOfMemoryError: cannot allocate 2097152 bytes on " .. device.name, function()
          pool:with(cn.empty, 2 * MIB, "uint8")
        end)
        local x = pool:with(cn.zeros, 1000)
        assert.equal(0, x:sum():item())
        x:free()
      end)
    end)
  end

  describe("no pool at all", function()
    it("gives arrays memory of the device's own", function()
      settle()
      local before = default:total_bytes()
      cuda.using_allocator(nil, function()
        assert.is_nil(cuda.get_allocator())
        compute()
        local x = cn.ones(3 * MIB, "uint8")
        assert.equal(before, default:total_bytes())
        assert.equal(3 * MIB, x:sum():item())
        x:free()
      end)
      cuda.malloc(100):free()
    end)
  end)

  describe("where arrays get their memory", function()
    after_each(function() cuda.set_allocator(default) end)

    it("is said by a pool, its malloc, a function of cn.cuda or nil", function()
      local pool = cuda.MemoryPool()
      assert.equal(default, cuda.get_allocator())
      cuda.set_allocator(pool)
      assert.equal(pool, cuda.get_allocator())
      cuda.set_allocator()
      assert.is_nil(cuda.get_allocator())
      cuda.set_allocator(pool.malloc)
      assert.equal(pool, cuda.get_allocator())
      local x = cn.zeros(3)
      assert.equal(UNIT, pool:used_bytes())
      cuda.set_allocator(cuda.malloc)
      assert.is_nil(cuda.get_allocator())
      cuda.set_allocator(cuda.malloc_managed)
      assert.equal("<MemoryPool of managed memory>", tostring(cuda.get_allocator()))
      assert.equal(3, (x + 1):sum():item())
      cuda.set_allocator(default)
      assert.equal(default, cuda.get_allocator())
      x:free()
    end)

    it("stays alive while it is in use", function()
      cuda.set_allocator(cuda.MemoryPool())
      settle()
      local x = cn.arange(10)
      assert.equal(45, x:sum():item())
      assert.is_true(cuda.get_allocator():used_bytes() >= UNIT)
    end)

    it("is restored through errors, whatever is nested", function()
      local one, other = cuda.MemoryPool(), cuda.MemoryPool()
      local results = {one:with(function(a, b, c)
        assert.equal(one, cuda.get_allocator())
        local ok, message = pcall(cuda.using_allocator, other.malloc, function()
          assert.equal(other, cuda.get_allocator())
          cuda.using_allocator(nil, function() assert.is_nil(cuda.get_allocator()) end)
          assert.equal(other, cuda.get_allocator())
          error "gone wrong"
        end)
        assert.is_false(ok)
        assert.has.match("gone wrong", message)
        assert.equal(one, cuda.get_allocator())
        return a, b, c, nil
      end, 1, nil, 3)}
      assert.same({1, nil, 3}, results)
      assert.equal(default, cuda.get_allocator())
    end)

    it("belongs to a coroutine that leaves the block", function()
      local pools = {cuda.MemoryPool(), cuda.MemoryPool()}
      local threads = {}
      for i, pool in ipairs(pools) do
        threads[i] = coroutine.wrap(function()
          pool:with(function()
            local list = {}
            for k = 1, 3 do
              list[k] = cn.zeros(UNIT * k, "uint8")
              coroutine.yield()
              assert.equal(pool, cuda.get_allocator())
            end
            for _, x in ipairs(list) do x:free() end
          end)
        end)
      end
      for k = 1, 3 do
        for i, thread in ipairs(threads) do
          thread()
          assert.equal(default, cuda.get_allocator())
          assert.equal(UNIT * k * (k + 1) / 2, pools[i]:used_bytes())
        end
      end
      for i, thread in ipairs(threads) do
        thread()
        assert.equal(0, pools[i]:used_bytes())
      end
    end)
  end)

  describe("a scope", function()
    it("frees memory by bytes, but what it returns", function()
      local pool = cuda.MemoryPool()
      local kept = cn.scope(function()
        pool:malloc(3 * UNIT)
        return {inside = {pool:malloc(UNIT)}}
      end)
      assert.equal(UNIT, pool:used_bytes())
      kept.inside[1]:memset(1)
      kept.inside[1]:free()
      assert.equal(0, pool:used_bytes())
    end)
  end)

  it("the default pools print CuPy's numbers", function()
    local script = [[
      local cn = require "cuna"
      local mempool, pinned = cn.get_default_memory_pool(), cn.get_default_pinned_memory_pool()
      local function show() print(mempool:used_bytes(), mempool:total_bytes(), pinned:n_free_blocks()) end
      show()
      local list = {}
      for i = 1, 100 do list[i] = i end
      local a = cn.array(list, "float32")
      show()
      if arg[1] == "collect" then a = nil collectgarbage() else a:free() end
      show()
      mempool:free_all_blocks()
      pinned:free_all_blocks()
      show()
    ]]
    local blocks = device.kind == "cpu" and 0 or 1
    local expected = ("0\t0\t0\n512\t512\t%d\n0\t512\t%d\n0\t0\t0\n"):format(blocks, blocks)
    for _, way in ipairs {"collect", "free"} do
      local text = script:gsub("arg%[1%]", ("%q"):format(way))
      assert.equal(expected, process.must_run(text, {CUNA_DEVICE = device.name}))
    end
  end)

  it("a process ends silently with pools and their arrays", function()
    for _, ending in ipairs {"", "os.exit(0, true)", "pool = nil collectgarbage()", "x = nil collectgarbage()"} do
      local text, status = process.run([[
        local cn = require "cuna"
        local pool = cn.cuda.MemoryPool()
        cn.cuda.set_allocator(pool)
        local x = cn.ones(1000)
        local y, m = x + 1, cn.cuda.MemoryAsyncPool():malloc(100)
        local managed = cn.cuda.malloc_managed(100)
      ]] .. ending, {CUNA_DEVICE = device.name})
      assert.same({"", 0}, {text, status}, ending)
    end
  end)
end)

-- What must be refused, and in which words.
local function bad_input(pool)
  local again = "a pool's function is called with a colon: pool:"
  return {
    {"used_bytes: " .. again .. "used_bytes()", function() return (pool.used_bytes()) end},
    {"free_bytes: " .. again, function() return (pool.free_bytes(3)) end},
    {"get_limit: " .. again, function() return (pool.get_limit {}) end},
    {"set_limit: " .. again, function() pool.set_limit(100) end},
    {"free_all_blocks: " .. again, function() pool.free_all_blocks() end},
    {"malloc: " .. again, function() pool.malloc(100) end},
    {"with: " .. again, function() pool.with(cn.zeros, 3) end},
    {"malloc: nbytes is a count, got -1", function() pool:malloc(-1) end},
    {"malloc: nbytes is a count, got nil", function() pool:malloc() end},
    {"malloc: nbytes is a count, got 1.5", function() pool:malloc(1.5) end},
    {"malloc: nbytes is a count, got 1e+300", function() pool:malloc(1e300) end},
    {"cuda.PinnedMemoryPool: takes no arguments, got 3", function() return (cuda.PinnedMemoryPool(3)) end},
    {"cuda.MemoryAsyncPool: takes no arguments, got \"current\"", function()
      return (cuda.MemoryAsyncPool "current")
    end},
    {"with: expected a function, got 3", function() pool:with(3) end},
    {"set_limit: the number of bytes must not be negative; 0 removes", function() pool:set_limit(-1) end},
    {"set_limit: the number of bytes must not be negative", function() pool:set_limit {size = -3} end},
    {"set_limit: the number of bytes must be an integer, got 1.5", function() pool:set_limit(1.5) end},
    {"set_limit: the limit is a number of bytes, {size = bytes} or {fraction = 0.5}, got nil", function()
      pool:set_limit()
    end},
    {"set_limit: the limit is a number of bytes, {size = bytes} or {fraction = 0.5}, got nil", function()
      pool:set_limit {}
    end},
    {"set_limit: fraction is from 0 to 1, got 1.1", function() pool:set_limit {fraction = 1.1} end},
    {"set_limit: fraction is from 0 to 1, got -1", function() pool:set_limit {fraction = -1} end},
    {"set_limit: fraction is from 0 to 1, got ", function() pool:set_limit {fraction = 0 / 0} end},
    {"set_limit: fraction is from 0 to 1, got \"50%\"", function() pool:set_limit {fraction = "50%"} end},
    {"set_limit: unknown option 'siz'; known are size, fraction", function() pool:set_limit {siz = 3} end},
    {"set_limit: either size or fraction, not both", function() pool:set_limit {size = 3, fraction = 0.5} end},
    {"used_bytes: expected a device or its name, such as", function() return (pool:used_bytes(3)) end},
    {"there is no device 'gpu'", function() return (pool:used_bytes "gpu") end},
    {"free_all_blocks: expected a stream, such as", function() pool:free_all_blocks(3) end},
    {"a memory pool has no function 'used_byte'; did you mean 'used_bytes'?",
      function() return (pool.used_byte) end},
    {"a memory pool's function 'limit' cannot be assigned", function() pool.limit = 3 end},
    {"cuda.MemoryPool: the allocator is cn.cuda.malloc (or nothing) or cn.cuda.malloc_managed, got a function",
      function() return (cuda.MemoryPool(print)) end},
    {"cuda.MemoryPool: the allocator is cn.cuda.malloc", function() return (cuda.MemoryPool(pool)) end},
    {"cuda.MemoryPool: a function of cn.cuda is called with a dot", function() return (cuda:MemoryPool()) end},
    {"cuda.set_allocator: the allocator is a pool (cn.cuda.MemoryPool(), cn.cuda.MemoryAsyncPool()) or its malloc, "
      .. "cn.cuda.malloc_managed, or nil or cn.cuda.malloc for no pool, got a function",
      function() cuda.set_allocator(function(nbytes) return nbytes end) end},
    {"cuda.set_allocator: the allocator is a pool", function() cuda.set_allocator "managed" end},
    {"cuda.set_allocator: a PinnedMemoryPool has memory of the host, and arrays are on devices",
      function() cuda.set_allocator(cuda.PinnedMemoryPool()) end},
    {"with: a PinnedMemoryPool has memory of the host", function() cuda.PinnedMemoryPool():with(cn.zeros, 2) end},
    {"cuda.using_allocator: the allocator is a pool", function() cuda.using_allocator(cn.zeros, cn.zeros) end},
    {"cuda.using_allocator: expected a function, got nil", function() cuda.using_allocator(pool) end},
    {"cuda.set_allocator: a function of cn.cuda is called with a dot", function() cuda:set_allocator(pool) end},
    {"cuda.alloc: nbytes is a count, got -1", function() return (cuda.alloc(-1)) end},
    {"cuda.malloc: nbytes is a count, got a table", function() return (cuda.malloc {}) end},
    {"cuda.malloc_managed: nbytes is a count, got nil", function() return (cuda.malloc_managed()) end},
  }
end

describe("pools", function()
  it("refuse bad input in one line, and stay as they were", function()
    local pool = cuda.MemoryPool()
    pool:set_limit(777)
    for _, case in ipairs(bad_input(pool)) do raises(case[1], case[2]) end
    assert.equal(777, pool:get_limit())
    assert.equal(cn.get_default_memory_pool(), cuda.get_allocator())
  end)

  it("are one object, and say what they are", function()
    assert.equal(cn.get_default_memory_pool(), cn.get_default_memory_pool())
    assert.equal(cn.get_default_pinned_memory_pool(), cn.get_default_pinned_memory_pool())
    assert.is_false(cuda.MemoryPool() == cuda.MemoryPool())
    local texts = {tostring(cn.get_default_memory_pool()), tostring(cuda.MemoryAsyncPool()),
      tostring(cuda.PinnedMemoryPool()), tostring(cn.get_default_pinned_memory_pool())}
    assert.same({"<MemoryPool>", "<MemoryAsyncPool>", "<PinnedMemoryPool>", "<PinnedMemoryPool>"}, texts)
    assert.equal("cuna memory pool", getmetatable(cuda.MemoryPool()))
  end)

  it("have a limit on each device", function()
    local names = {"cpu"}
    for id = 0, cuda.device_count() - 1 do names[#names + 1] = "cuda:" .. id end
    local pool = cuda.MemoryPool()
    for i, name in ipairs(names) do pool:set_limit(i * MIB, name) end
    for i, name in ipairs(names) do
      assert.equal(i * MIB, pool:get_limit(name))
      cn.device(name):with(function()
        local x = pool:malloc(i * MIB)
        raises("OutOfMemoryError: cannot allocate 512 bytes on " .. name, function() pool:malloc(1) end)
        assert.equal(i * MIB, pool:used_bytes())
        x:free()
      end)
    end
    pool:set_limit({fraction = 0.5}, names[#names])
    local _, total = cuda.memory_info(names[#names])
    assert.equal(math.floor(total / 2), pool:get_limit(names[#names]))
  end)

  it("have the limit of CUNA_MEMORY_LIMIT at first, on every device", function()
    local script = [[
      local cn = require "cuna"
      local names = {"cpu"}
      for id = 0, cn.cuda.device_count() - 1 do names[#names + 1] = "cuda:" .. id end
      for _, name in ipairs(names) do
        local _, total = cn.cuda.memory_info(name)
        for _, pool in ipairs {cn.get_default_memory_pool(), cn.cuda.MemoryPool(), cn.cuda.MemoryAsyncPool()} do
          local limit = pool:get_limit(name)
          local expected = os.getenv "EXPECTED"
          assert(math.abs(limit - (expected == "half" and total / 2 or tonumber(expected))) <= 1, name)
        end
      end]]
    process.must_run(script, {CUNA_MEMORY_LIMIT = "50%", EXPECTED = "half"})
    process.must_run(script, {CUNA_MEMORY_LIMIT = "3000000", EXPECTED = "3000000"})
  end)

  it("tell what a device has", function()
    local free, total = cuda.memory_info()
    assert.is_true(free > 0 and free <= total)
    for id = 0, cuda.device_count() - 1 do
      assert.equal(cuda.Device(id).mem_info.total, select(2, cuda.memory_info(id)))
    end
    raises("cuda.memory_info: device is a count, got -1", function() cuda.memory_info(-1) end)
    raises("cuda.memory_info: a function of cn.cuda is called with a dot", function() cuda:memory_info() end)
  end)
end)
