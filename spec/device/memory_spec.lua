local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local MIB = 2 ^ 20
local UNIT = 512 -- bytes that sizes are rounded up to

--- Nothing that earlier specs left is freed while a test counts.
local function settle(pool)
  collectgarbage()
  collectgarbage()
  pool:free_all_blocks()
end

local function bytes(n) return cn.empty(n, "uint8") end

local function address(x)
  local high, low = core.address(x)
  return high * 2 ^ 32 + low
end

each_device(function()
  describe("the memory pool", function()
    local pool, used, total

    before_each(function()
      pool = cn.get_default_memory_pool()
      settle(pool)
      used, total = pool:used_bytes(), pool:total_bytes()
    end)

    local function since() return pool:used_bytes() - used, pool:total_bytes() - total, pool:n_free_blocks() end

    it("counts units of 512 bytes", function()
      assert.equal(used, total)
      local x = cn.empty(100, "float32")
      assert.same({ UNIT, UNIT, 0 }, { since() })
      x:free()
      assert.same({ 0, UNIT, 1 }, { since() })
      assert.equal(UNIT, pool:free_bytes())
      pool:free_all_blocks()
      assert.same({ 0, 0, 0 }, { since() })
      assert.equal(0, pool:free_bytes())
    end)

    it("keeps used + free = total whatever happens", function()
      local held = {}
      for i = 1, 300 do
        local slot = i * 7 % 40
        if held[slot] then held[slot]:free() end
        held[slot] = bytes(1 + i * 7919 % 100000)
        assert.equal(pool:total_bytes(), pool:used_bytes() + pool:free_bytes())
      end
      for _, x in pairs(held) do x:free() end
      assert.equal(used, pool:used_bytes())
    end)

    it("reuses, splits and merges blocks", function()
      local whole = bytes(4 * UNIT)
      local at = address(whole)
      whole:free()
      local low, high = bytes(2 * UNIT), bytes(2 * UNIT)
      assert.equal(at, address(low))
      assert.equal(at + 2 * UNIT, address(high))
      low:free()
      low = bytes(2 * UNIT)
      assert.equal(at, address(low))
      high:free()
      low:free()
      whole = bytes(4 * UNIT)
      assert.equal(at, address(whole))
      assert.same({ 4 * UNIT, 4 * UNIT, 0 }, { since() })
    end)

    it("takes the best fit", function()
      bytes(13 * UNIT):free() -- the only cached block: what follows is cut from it in order
      local large, wall, small = bytes(8 * UNIT), bytes(UNIT), bytes(3 * UNIT)
      local last = bytes(UNIT)
      local at_large, at_small = address(large), address(small)
      large:free()
      small:free()
      small = bytes(3 * UNIT)
      assert.equal(at_small, address(small))
      large = bytes(8 * UNIT)
      assert.equal(at_large, address(large))
      wall:free()
      last:free()
    end)

    it("gives arrays without elements no memory", function()
      local x = cn.empty({ 3, 0 })
      assert.is_true(pool:used_bytes() - used <= UNIT)
      x:free()
      assert.equal(used, pool:used_bytes())
    end)

    describe("under a limit", function()
      local before
      before_each(function() before = pool:get_limit() end)
      after_each(function() pool:set_limit(before) end)

      it("is set by bytes, size and fraction", function()
        pool:set_limit(123456)
        assert.equal(123456, pool:get_limit())
        pool:set_limit { size = 10 * MIB }
        assert.equal(10 * MIB, pool:get_limit())
        pool:set_limit { fraction = 0.25 }
        assert.equal(math.floor(cn.device().memory.device_total / 4), pool:get_limit())
        pool:set_limit(0)
        assert.equal(0, pool:get_limit())
      end)

      it("refuses invalid limits, and keeps the previous one", function()
        pool:set_limit(777)
        for _, case in ipairs {
          { -1, "negative" }, { 1.5, "integer" }, { "1", "number of bytes" }, { {}, "number of bytes" },
          { { fraction = 2 }, "0 to 1" }, { { fraction = "all" }, "0 to 1" }, { { siz = 3 }, "unknown option 'siz'" },
          { { size = -3 }, "negative" },
        } do
          local ok, message = pcall(pool.set_limit, pool, case[1])
          assert.is_false(ok)
          assert.has.match("cuna: set_limit: [^\n]*" .. case[2], message)
          assert.equal(777, pool:get_limit())
        end
      end)

      it("fails with the figures, loses nothing and goes on", function()
        local x = cn.ones(1000)
        pool:set_limit(used + 2 * MIB)
        local ok, message = pcall(cn.empty, 4 * MIB, "uint8")
        assert.is_false(ok)
        assert.has.match("_spec.lua:%d+: cuna: OutOfMemoryError: cannot allocate 4194304 bytes on %w+:?%d*: %d+ in "
          .. "use, %d+ cached %(largest block %d+%), limit " .. ("%d"):format(used + 2 * MIB), message)
        assert.equal(8192, pool:used_bytes() - used)
        ok = pcall(function() return x:reshape(1000, 1) + cn.ones { 1, 1000 } end)
        assert.is_false(ok)
        assert.equal(1000, x:sum():item())
        local smaller = bytes(MIB)
        assert.equal(MIB, smaller.size)
      end)

      it("releases cached blocks and collects before it fails", function()
        pool:set_limit(used + 8 * MIB)
        for _ = 1, 3 do
          bytes(3 * MIB)
          bytes(6 * MIB)
        end
        assert.is_true(pool:used_bytes() - used <= 8 * MIB)
      end)

      it("paces the collector by bytes", function()
        pool:set_limit(used + 256 * MIB)
        local most = 0
        for i = 1, 2000 do
          cn.empty(4 * MIB, "float32")
          if i % 10 == 0 then most = math.max(most, pool:used_bytes() - used) end
        end
        assert.is_true(most <= 256 * MIB)
      end)
    end)
  end)

  describe("x:free()", function()
    it("gives memory back at once, twice is harmless", function()
      local pool = cn.get_default_memory_pool()
      settle(pool)
      local used = pool:used_bytes()
      local x = bytes(3 * UNIT)
      x:free()
      x:free()
      assert.equal(used, pool:used_bytes())
    end)

    it("says at every use what was freed, and where", function()
      local x, y = cn.ones(3), cn.ones(3)
      x:free()
      for name, use in pairs {
        add = function() return x + y end, multiply = function() return cn.multiply(y, x) end,
        sum = function() return x:sum() end, index = function() return x[1] end, field = function() return x.shape end,
        reshape = function() return x:reshape(3, 1) end, array = function() return cn.array { x, y } end,
        totable = function() return x:totable() end, copy = function() return x:copy() end,
        fill = function() return x:fill(1) end,
      } do
        local ok, message = pcall(use)
        assert.is_false(ok, name)
        assert.has.match("memory_spec.lua:%d+: cuna: %w+: the array was freed at [^\n]*memory_spec.lua:%d+$", message)
      end
      assert.has.error(function() x[1] = 3 end)
      assert.is_true(cn.is_array(x))
    end)

    it("leaves views and bases their memory, in any order", function()
      local pool = cn.get_default_memory_pool()
      settle(pool)
      local used = pool:used_bytes()
      local draw = 1
      for round = 1, 60 do
        local family = { cn.arange(60):reshape(3, 4, 5) }
        for _ = 1, 4 do family[#family + 1] = family[#family][{ { -1, 1, -1 }, cn.ellipsis }] end
        while #family > 0 do
          draw = (draw * 16807 + round) % 2147483647
          table.remove(family, draw % #family + 1):free()
          if draw % 5 == 0 then collectgarbage() end
          for _, x in ipairs(family) do assert.equal(1770, x:sum():item()) end
        end
      end
      settle(pool)
      assert.equal(used, pool:used_bytes())
    end)
  end)
end)

describe("the collector", function()
  local slack = process.is_sanitized and 8 or 1 -- freed memory stays in quarantine there, and all is slower

  it("keeps the process small in a loop of small arrays", function()
    process.must_run((([[
      local cn = require "cuna"
      local function resident() return tonumber(io.open("/proc/self/statm"):read():match("%d+ (%d+)")) * 4096 end
      local function loop(n) for _ = 1, n do cn.empty(16, "float32") end end
      loop(2e5)
      local before = resident()
      loop(1e6)
      assert(resident() - before < SLACK * 48 * 2^20, resident() - before)]]):gsub("SLACK", slack)))
  end)
end)

describe("CUNA_MEMORY_LIMIT", function()
  local script = [[print(require("cuna").get_default_memory_pool():get_limit())]]

  it("is bytes or a percentage", function()
    assert.equal("1048576\n", process.must_run(script, { CUNA_MEMORY_LIMIT = "1048576" }))
    assert.equal("0\n", process.must_run(script, { CUNA_MEMORY_LIMIT = "0" }))
    local half = tonumber(process.must_run(script, { CUNA_MEMORY_LIMIT = "50%" }))
    assert.is_true(math.abs(half - cn.device("cpu").memory.device_total / 2) <= 1)
  end)

  it("has a default on the cpu device", function()
    assert.is_true(tonumber(process.must_run(script, { CUNA_MEMORY_LIMIT = "" })) > 0)
  end)

  it("is refused in one line otherwise", function()
    for _, value in ipairs { "abc", "-5", "150%", "10x", "nan", "inf", "%" } do
      local text, status = process.run(script, { CUNA_MEMORY_LIMIT = value })
      assert.equal(1, status)
      local expected = "child_spec.lua:1: cuna: CUNA_MEMORY_LIMIT is '" .. value .. "'; give bytes or"
      assert.is_truthy(text:find(expected, 1, true), text)
    end
  end)
end)

describe("the end of a process", function()
  local live = [[
    local cn = require "cuna"
    local x = cn.ones { 300, 1000 }
    local y, p = x + 1, x:pointer()
    local v = x[1]
  ]]

  it("is silent with live arrays, however it ends", function()
    for _, ending in ipairs {
      "", "os.exit()", "os.exit(0)", "os.exit(0, true)", "os.exit(true, true)",
      "coroutine.wrap(function() local z = x + y os.exit(0, true) end)()",
      "coroutine.wrap(function() local z = x + y coroutine.yield(z) end)()",
      "pcall(error, x)", "cn.scope(function() local z = y + v os.exit(0, true) end)",
      "x = nil p = nil collectgarbage() os.exit(0, true)",
    } do
      -- What a state holds that is not closed counts as lost to the leak checker.
      local closes = not ending:find "os.exit" or ending:find "true%)"
      local text, status = process.run(live .. ending, { ASAN_OPTIONS = not closes and "detect_leaks=0" or nil })
      assert.same({ "", 0 }, { text, status }, ending)
    end
    assert.equal(3, select(2, process.run(live .. "os.exit(3)", { ASAN_OPTIONS = "detect_leaks=0" })))
    assert.equal(3, select(2, process.run(live .. "os.exit(3, true)")))
    assert.equal(1, select(2, process.run(live .. "error(x)")))
  end)

  it("lets finalizers of the user's objects compute", function()
    local text = process.must_run [[
      local object, x, cn = newproxy(true)
      getmetatable(object).__gc = function()
        local ok, message = pcall(function() return x + 1 end)
        assert(ok or message:find("the array was freed"), message)
        print(cn.ones(3):sum():item(), pcall(cn.add, 1, 1))
      end
      cn = require "cuna"
      x = cn.ones(3)
      return x]]
    assert.has.match("^3\ttrue\t", text)
  end)
end)
