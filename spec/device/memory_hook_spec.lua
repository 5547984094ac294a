local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

--- Runs fn under a hook that notes "kind bytes", and returns the notes, then fn's results.
local function noting(fn, ...)
  local notes = {}
  local function hook(event) notes[#notes + 1] = event.kind .. " " .. event.bytes end
  return notes, cn.cuda.memory_hook(hook, fn, ...)
end

each_device(function(device)
  describe("cn.cuda.memory_hook", function()
    it("reports each allocation and release, with all the facts", function()
      local events = {}
      local x = cn.cuda.memory_hook(function(event) events[#events + 1] = event end, function()
        cn.ones(1000):free()
        return cn.ones(100, "float32")
      end)
      assert.equal(100, x:sum():item())
      assert.equal(3, #events)
      assert.same({ "alloc", "free", "alloc" }, { events[1].kind, events[2].kind, events[3].kind })
      assert.same({ 8192, 8192, 512 }, { events[1].bytes, events[2].bytes, events[3].bytes })
      for _, event in ipairs(events) do
        assert.equal(device, event.device)
        assert.is_true(event.ptr > 0 and event.ptr % 256 == 0)
      end
      assert.equal(events[1].ptr, events[2].ptr)
    end)

    it("reports before the call returns, at the user's line", function()
      local place
      cn.cuda.memory_hook(function() place = debug.traceback() end, function()
        local x = cn.zeros(3) + 1
        return x
      end)
      local line = debug.getinfo(1, "l").currentline - 3
      assert.has.match("memory_hook_spec.lua:" .. line .. ": in function", place)
    end)

    it("reports operators, reductions, copies, indexing and scopes", function()
      local x = cn.ones(200)
      for _, fn in ipairs {
        function() return x + x end, function() return x:sum() end, function() return x:copy() end,
        function() return cn.array { 1, 2, 3 } end, function() return cn.concatenate({ x, x }) end,
      } do
        assert.has.match("^alloc", noting(fn)[1])
      end
      local notes = noting(function() cn.scope(function() return nil, cn.ones(64) + 1 end) end)
      assert.same({ "alloc 512", "alloc 512", "free 512" }, notes)
    end)

    it("passes arguments, results, nils and errors on", function()
      local notes, a, none, count = noting(function(...) return ..., nil, select("#", ...) end, 1, nil)
      assert.same({ 0, 1, nil, 2 }, { #notes, a, none, count })
      local _, message = pcall(noting, function() error("mine", 0) end)
      assert.equal("mine", message)
      local calls = 0
      local x = cn.ones(3)
      x:free()
      assert.has.error(function()
        cn.cuda.memory_hook(function() calls = calls + 1 end, function() return x + 1 end)
      end)
      cn.ones(5):free()
      assert.equal(0, calls)
    end)

    it("raises the hook's error in the call that it was called for", function()
      local after = false
      local ok, message = pcall(cn.cuda.memory_hook, function() error("from the hook") end, function()
        local x = cn.ones(4)
        after = true
        return x
      end)
      assert.is_false(ok or after)
      assert.has.match("memory_hook_spec.lua:%d+: from the hook$", message)
      local fact = {}
      local _, object = pcall(cn.cuda.memory_hook, function() error(fact) end, cn.ones, 4)
      assert.equal(fact, object)
      local caught = {}
      cn.cuda.memory_hook(function(event) error(event.kind, 0) end, function()
        for _ = 1, 3 do caught[#caught + 1] = select(2, pcall(cn.ones, 4)) end
      end)
      assert.same({ "alloc", "alloc", "alloc" }, caught)
    end)

    it("reports what a collection frees, and raises there later", function()
      local freed = 0
      local function hook(event) freed = freed + (event.kind == "free" and 1 or 0) end
      cn.cuda.memory_hook(hook, function()
        for _ = 1, 10 do cn.ones(8) end
        collectgarbage()
        collectgarbage()
      end)
      assert.is_true(freed >= 10)
      local ended = false
      local ok, message = pcall(cn.cuda.memory_hook, function(event)
        if event.kind == "free" then error("in a finalizer", 0) end
      end, function()
        cn.ones(8)
        collectgarbage()
        collectgarbage()
        ended = true
      end)
      assert.same({ false, "in a finalizer", true }, { ok, message, ended })
    end)

    it("lets a hook use arrays, and does not tell it of these", function()
      local sums = {}
      local x = cn.cuda.memory_hook(function()
        sums[#sums + 1] = (cn.ones(10) * 2):sum():item()
        collectgarbage()
      end, function() return cn.ones(3) + 1 end)
      assert.same({ 20, 20 }, sums)
      assert.same({ 2, 2, 2 }, x:totable())
    end)

    it("nests, the outer one first, and ends with its function", function()
      local order = {}
      local function hook(name) return function() order[#order + 1] = name end end
      cn.cuda.memory_hook(hook "a", function()
        local x = cn.cuda.memory_hook(hook "b", cn.ones, 2)
        return x + 1
      end)
      assert.same({ "a", "b", "a" }, order)
      cn.ones(2)
      assert.equal(3, #order)
    end)

    it("holds in a function that yields, but not outside of it", function()
      local count = 0
      local co = coroutine.wrap(function()
        cn.cuda.memory_hook(function() count = count + 1 end, function()
          local x = cn.ones(2)
          coroutine.yield()
          return x + 1
        end)
        return "done"
      end)
      co()
      local outside = cn.ones(2)
      assert.equal(1, count)
      assert.equal("done", co())
      assert.equal(2, count)
      assert.equal(2, outside.size)
    end)

    it("holds in coroutines of the function's", function()
      local notes = noting(function()
        local co = coroutine.wrap(function()
          coroutine.yield(cn.ones(2))
          return cn.ones(200)
        end)
        return co(), co()
      end)
      assert.same({ "alloc 512", "alloc 2048" }, notes)
      local _, message = pcall(cn.cuda.memory_hook, function() coroutine.yield() end, cn.ones, 2)
      assert.has.match("yield", message)
    end)

    it("may empty the lists that a call was given", function()
      local list
      local function hook()
        list[1], list[2] = nil, nil
        collectgarbage()
        collectgarbage()
        for _ = 1, 20 do cn.ones(4) end -- in place of what was collected
      end
      for _, join in ipairs { cn.concatenate, cn.stack } do
        list = { cn.ones(4), cn.full(4, 2) }
        assert.equal("[1. 1. 1. 1. 2. 2. 2. 2.]", tostring(cn.cuda.memory_hook(hook, join, list):ravel()))
        list = { cn.ones(4), cn.full(4, 2) }
        local out = cn.zeros(join(list).shape)
        list = { join == cn.stack and out[1] or out[{ { 1, 4 } }], cn.full(4, 2) }
        cn.cuda.memory_hook(hook, join, list, { out = out })
        assert.equal("[0. 0. 0. 0. 2. 2. 2. 2.]", tostring(out:ravel()))
      end
    end)

    it("reports memory that a failing call allocated and freed, and raises that call's error", function()
      local x, kinds = cn.ones { 2, 3 }, {}
      local ok, message = pcall(cn.cuda.memory_hook, function(event) kinds[#kinds + 1] = event.kind end, function()
        return cn.concatenate({ x, cn.ones { 2, 2 } }, 1)
      end)
      assert.is_false(ok)
      assert.has.match("cuna: concatenate", message)
      assert.equal("alloc", kinds[1])
    end)
  end)
end)

it("cn.cuda.memory_hook refuses other values in one line", function()
  local function message(...) return select(2, pcall(cn.cuda.memory_hook, ...)) end
  assert.has.match("cuna: cuda.memory_hook: hook is a function, got nil$", message())
  assert.has.match("cuna: cuda.memory_hook: expected a function, got 3$", message(print, 3))
  assert.has.match("called with a dot", message(cn.cuda, print, print))
end)
