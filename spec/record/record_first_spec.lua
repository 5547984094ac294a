--- The first runs of composed operations on devices whose programs wait for kernels, which come from the background.
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"

-- Rounds of a loop: kernels that ran, and whether the bits are those of operations that run at once.
local SCRIPT = [[
  local cn, core, ffi = require "cuna", require "cuna.core", require "ffi"
  ffi.cdef "int usleep(unsigned int microseconds);"
  local start = cn.clock()
  local function is_idle() return core.background_count() == 0 end
  local function wait() while not is_idle() and cn.clock() - start < 60 do ffi.C.usleep(1000) end end
  local x, y = cn.arange(0, 100, 1, "float32"), cn.ones(100, "float32")
  local function work(a, b) return cn.sqrt((a - b) * (a - 1) + 2) end
  local function round(a, b)
    cn.synchronize()
    local _, before = core.record_stats()
    local z = cn.evaluate(work(a or x, b or y))
    local _, after = core.record_stats()
    return after - before, z
  end
  cn.set_eager(true)
  local expected = work(x, y)
  cn.set_eager(false)
  local function same(z) return z:to(x.device):tobytes() == expected:tobytes() end
]]

local function run(device, script, settings)
  local environment = {CUNA_EAGER = "0", CUNA_RECORD_LIMIT = "0", CUNA_DEVICE = device.name, CUNA_CACHE_DIR = "off",
    CUNA_PACK_DIR = "off"}
  for name, value in pairs(settings or {}) do environment[name] = value end
  return process.run(SCRIPT .. script, environment)
end

devices.each_device(function(device)
  if core.is_host(device) then return end

  describe("composed kernels", function()
    it("are compiled while the script goes on", function()
      local text, status = run(device, [[
        local kernels, z = round()
        assert(kernels == 5 and same(z), kernels)
        assert(not is_idle(), "nothing is compiled in the background")
        wait()
        kernels, z = round()
        assert(kernels == 1 and same(z), kernels)
        print "good"]])
      assert.same({"good\n", 0}, {text, status})
    end)

    it("are compiled at once where CUNA_COMPILE is wait", function()
      local text, status = run(device, "print(round(), core.background_count())", {CUNA_COMPILE = "wait"})
      assert.has.match("^1\t", text)
      assert.equal(0, status)
    end)

    it("are ended with the script", function()
      for _, ms in ipairs {0, 1, 4, 16, 64} do -- the thread may be anywhere
        local text, status = run(device, ([[
          round() round()
          local began = cn.clock()
          while cn.clock() - began < %g do end
          io.write "end"
          io.stdout:flush()
          os.exit(3)]]):format(ms / 1e3), process.leak_settings)
        assert.same({"end", 3}, {text, status})
      end
    end)

    it("of other lengths and layouts are asked for as well", function()
      local text, status = run(device, [[
        round() round() wait() round()
        local m = cn.ones({64, 65}, "float32")
        cn.set_eager(true)
        local wanted = work(m.T, m.T)
        cn.set_eager(false)
        for _ = 1, 4 do
          local _, z = round(m.T, m.T)
          assert(z:tobytes() == wanted:tobytes())
          wait()
        end
        print "good"]])
      assert.same({"good\n", 0}, {text, status})
    end)

    it("are there in another process, from the cache", function()
      local folder = process.folder()
      local settings = {CUNA_CACHE_DIR = folder .. "/cache"}
      run(device, "round() round() wait()", settings)
      local text = run(device, "print((round()))", settings)
      process.remove(folder)
      assert.equal("1\n", text)
    end)

    if device.model ~= "Simulated GPU" then return end

    it("are waited for once, a moment, and until they are there the operations run one by one", function()
      local folder = process.folder()
      process.write(folder .. "/slow", ("#!/bin/sh\n[ ! -e %s/later ] || sleep 8\nexec %s \"$@\"\n"):format(folder,
        os.getenv "SIMGPU_CXX" or "g++"))
      process.shell("chmod +x " .. folder .. "/slow")
      local text, status = run(device, ([[
        io.open("%s/later", "w"):close()
        local slow = 0 -- on a busy machine any round may be
        for i = 1, 20 do
          local began = cn.clock()
          local kernels, z = round()
          local passed = cn.clock() - began
          assert(kernels == 5 and same(z) and (passed > 0.2 or i ~= 2) and passed < 6, i .. ": " .. passed)
          slow = slow + (passed > 0.2 and 1 or 0)
        end
        assert(slow <= 8, slow)
        assert(not is_idle())
        wait()
        local kernels, z = round()
        assert(kernels == 1 and same(z), kernels)
        print "good"]]):format(folder), {SIMGPU_CXX = folder .. "/slow"})
      process.remove(folder)
      assert.same({"good\n", 0}, {text, status})
    end)

    it("that cannot be compiled are an error once the script waits for them", function()
      local text, status = run(device, [[
        local simgpu = require "spec.simgpu.driver"
        simgpu.cuda.simgpu_fail("nvrtcCompileProgram", 1, 6, 1)
        local kernels = round()
        wait()
        print(kernels, pcall(round))
        simgpu.cuda.simgpu_reset()
        print((round()))]])
      assert.equal(0, status, text)
      assert.has.match("^5\tfalse\t[^\n]*cuna: CompileError: [^\n]+\n1\n$", text)
    end)

    it("of two devices are compiled separately", function()
      local text, status = run(device, [[
        local other = cn.device(x.device.name == "cuda:0" and "cuda:1" or "cuda:0")
        local a, b = cn.evaluate(x:to(other), y:to(other))
        for _ = 1, 2 do
          round()
          local _, z = round(a, b)
          assert(same(z))
        end
        wait()
        for _, pair in ipairs {{x, y}, {a, b}} do
          local kernels, z = round(pair[1], pair[2])
          assert(kernels == 1 and same(z), kernels)
        end
        print "good"]])
      assert.same({"good\n", 0}, {text, status})
    end)

    it("need no memory for single values where there is none", function()
      local text, status = run(device, [[
        local v = cn.evaluate(cn.ones(2^17, "float32"))
        local function sum()
          local values = {}
          for i = 1, 24 do values[i] = v * i end
          local total = values[1]
          for i = 2, 24 do total = total + values[i] end
          return total
        end
        local pool, limit = cn.get_default_memory_pool(), cn.get_default_memory_pool():get_limit()
        for i = 1, 4 do
          local total = sum()
          collectgarbage()
          pool:free_all_blocks()
          if i > 1 then pool:set_limit(pool:used_bytes() + 2 * 2^20) end -- 24 values need 12 MiB
          assert(cn.evaluate(total)[i] == 300)
          pool:set_limit(limit)
        end
        print "good"]])
      assert.same({"good\n", 0}, {text, status})
    end)
  end)
end)
