local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local function is_freed(x)
  local ok, message = pcall(function() return x.size end)
  if not ok then assert.has.match("the array was freed", message) end
  return not ok
end

--- Makes an array and notes it in `seen`.
local function maker()
  local seen = {}
  return function(n)
    seen[#seen + 1] = cn.ones(n or 4)
    return seen[#seen]
  end, seen
end

each_device(function()
  describe("cn.scope", function()
    it("frees what was made inside, but not what came from outside", function()
      local outer, make, seen = cn.ones(4), maker()
      cn.scope(function()
        make()
        seen[2] = outer + 1
        outer:add_(1)
      end)
      assert.is_true(is_freed(seen[1]) and is_freed(seen[2]))
      assert.equal(8, outer:sum():item())
      local _, message = pcall(function() return seen[1] + 1 end)
      assert.has.match("scope_spec.lua:%d+: cuna: add: the array was freed at [^\n]*scope_spec.lua:%d+, where a "
        .. "cn.scope ended; return it from the scope, or mark it with cn.keep$", message)
    end)

    it("keeps what it returns, also inside tables, and passes arguments, results and nils on", function()
      local make, seen = maker()
      local loop = {}
      local a, none, box, count = cn.scope(function(x, nothing, y)
        assert.same({ 1, nil, 3 }, { x, nothing, y })
        make()
        loop.self, loop.deep = loop, { list = { make() } }
        return make(), nil, loop, select("#", x, nothing, y)
      end, 1, nil, 3)
      assert.is_true(is_freed(seen[1]))
      assert.is_nil(none)
      assert.equal(3, count)
      assert.equal(4, a:sum():item())
      assert.equal(4, box.deep.list[1]:sum():item())
      assert.equal(3, select("#", cn.scope(function() return nil, nil, nil end)))
    end)

    it("keeps cn.keep's arrays", function()
      local make, seen = maker()
      cn.scope(function()
        local a, b = cn.keep(make(), { make() })
        assert.is_true(rawequal(a, seen[1]) and rawequal(b[1], seen[2]))
        make()
      end)
      assert.same({ false, false, true }, { is_freed(seen[1]), is_freed(seen[2]), is_freed(seen[3]) })
      local x = cn.ones(2)
      assert.is_true(rawequal(x, cn.keep(x)))
    end)

    it("leaves a view its memory", function()
      local base, view
      view = cn.scope(function()
        base = cn.arange(12):reshape(3, 4)
        return base[2]
      end)
      assert.is_true(is_freed(base))
      assert.same({ 4, 5, 6, 7 }, view:totable())
    end)

    it("nests: what leaves the inner one belongs to the outer one", function()
      local make, seen = maker()
      local result = cn.scope(function()
        local kept = cn.scope(function()
          make()
          return { make(), make() }
        end)
        assert.is_true(is_freed(seen[1]))
        assert.is_false(is_freed(seen[2]))
        return kept[1]
      end)
      assert.equal(4, result:sum():item())
      assert.is_true(is_freed(seen[3]))
    end)

    it("frees and restores when the function fails, and passes the error on", function()
      local make, seen = maker()
      cn.scope(function()
        local outside = make()
        local ok, message = pcall(cn.scope, function()
          make()
          error({ code = 7 })
        end)
        assert.is_false(ok)
        assert.equal(7, message.code)
        assert.is_true(is_freed(seen[2]))
        assert.is_false(is_freed(outside))
        make()
      end)
      assert.is_true(is_freed(seen[1]) and is_freed(seen[3]))
      local text = select(2, pcall(cn.scope, function() return cn.ones(3) + cn.ones(4) end))
      assert.has.match("scope_spec.lua:%d+: cuna: add: ", text)
    end)

    it("holds only inside while its function yields", function()
      local make, seen = maker()
      local step = coroutine.wrap(function()
        return cn.scope(function()
          make()
          assert.equal("in", coroutine.yield("out"))
          make()
          return "end"
        end)
      end)
      assert.equal("out", step())
      local between = cn.ones(5)
      assert.is_false(is_freed(seen[1]))
      assert.equal("end", step("in"))
      assert.is_true(is_freed(seen[1]) and is_freed(seen[2]))
      assert.is_false(is_freed(between))
    end)

    it("lets two suspended scopes interleave", function()
      local make, seen = maker()
      local function start()
        return coroutine.wrap(function()
          return cn.scope(function()
            local mine = make()
            coroutine.yield()
            local more = make()
            coroutine.yield()
            assert.is_false(is_freed(mine) or is_freed(more))
          end)
        end)
      end
      local one, other = start(), start()
      one() other() one() other() one()
      local freed = {}
      for i = 1, 4 do freed[i] = is_freed(seen[i]) end
      assert.same({ true, false, true, false }, freed)
      other()
      assert.is_true(is_freed(seen[2]) and is_freed(seen[4]))
    end)

    it("is a coroutine's own where one inside its scope resumes the other", function()
      local make, seen = maker()
      local other = coroutine.wrap(function()
        cn.scope(function()
          make()
          coroutine.yield()
          make()
          coroutine.yield()
          assert.is_false(is_freed(seen[2]) or is_freed(seen[4]))
        end)
      end)
      cn.scope(function()
        make()
        other()
        make()
        other()
      end)
      local freed = {}
      for i = 1, 4 do freed[i] = is_freed(seen[i]) end
      assert.same({ true, false, true, false }, freed)
      other()
      assert.is_true(is_freed(seen[2]) and is_freed(seen[4]))
    end)

    it("that is suspended for ever goes with its coroutine", function()
      local pool = cn.get_default_memory_pool()
      collectgarbage()
      collectgarbage()
      local used = pool:used_bytes()
      for _ = 1, 100 do
        coroutine.wrap(function()
          cn.scope(function()
            local x = cn.ones(1000)
            cn.device():with(function() coroutine.yield(x + 1) end)
          end)
        end)()
      end
      collectgarbage()
      collectgarbage()
      assert.is_true(pool:used_bytes() <= used)
      local make, seen = maker()
      cn.scope(function() make() end)
      assert.is_true(is_freed(seen[1]))
    end)

    it("passes what inner scopes keep to the next one outside", function()
      local make, seen = maker()
      cn.scope(function()
        cn.scope(function()
          cn.keep(make())
          cn.scope(function() cn.keep(make()) end)
          assert.is_false(is_freed(seen[2]))
        end)
        assert.same({ false, true }, { is_freed(seen[1]), is_freed(seen[2]) })
        local mine = make()
        cn.scope(function() cn.keep(mine) end)
        cn.keep(make())
      end)
      assert.same({ true, true, false }, { is_freed(seen[1]), is_freed(seen[3]), is_freed(seen[4]) })
    end)

    it("keeps what was marked before an error, for the scope outside", function()
      local make, seen = maker()
      cn.scope(function()
        pcall(cn.scope, function()
          make()
          cn.keep(make())
          error "wrong"
        end)
        assert.same({ true, false }, { is_freed(seen[1]), is_freed(seen[2]) })
      end)
      assert.is_true(is_freed(seen[2]))
    end)

    it("passes every error on as it is, with its place", function()
      local line = debug.getinfo(1, "l").currentline
      local _, placed = pcall(cn.scope, function() error "wrong" end)
      assert.has.match("scope_spec.lua:" .. line + 1 .. ": wrong$", placed)
      local _, plain = pcall(cn.scope, function() cn.scope(function() error("wrong", 0) end) end)
      assert.equal("wrong", plain)
      assert.same({ false, nil }, { pcall(cn.scope, function() error(nil) end) })
      local object = newproxy()
      local _, same = pcall(cn.scope, function() error(object) end)
      assert.is_true(rawequal(object, same))
    end)

    it("finds results in long and in cyclic tables, keys too", function()
      local make, seen = maker()
      local list = cn.scope(function()
        local node = { [make()] = true }
        for _ = 1, 1e5 do node = { next = node } end
        node.loop = { node, { make() } }
        make()
        return { node }
      end)
      assert.is_table(list)
      assert.same({ false, false, true }, { is_freed(seen[1]), is_freed(seen[2]), is_freed(seen[3]) })
    end)

    it("lets arrays be freed and collected inside", function()
      local line
      local freed = cn.scope(function()
        local x = cn.ones(3)
        line = debug.getinfo(1, "l").currentline + 1
        x:free()
        x:free()
        for _ = 1, 100 do cn.ones(3) end
        collectgarbage()
        return x
      end)
      local _, message = pcall(function() return freed + 1 end)
      assert.has.match("add: the array was freed at [^\n]*scope_spec.lua:" .. line .. "$", message)
    end)

    it("holds in a block of a device, and such a block in it", function()
      local make, seen = maker()
      local x = cn.device():with(function()
        return cn.scope(function()
          make()
          return cn.device():with(function()
            make()
            return make()
          end)
        end)
      end)
      assert.same({ true, true, false }, { is_freed(seen[1]), is_freed(seen[2]), is_freed(seen[3]) })
      assert.equal(4, x:sum():item())
    end)

    it("is one for all loads of the module", function()
      local loaded = {}
      for name, value in pairs(package.loaded) do
        if name:find "^cuna" then loaded[name], package.loaded[name] = value, nil end
      end
      local second = require "cuna"
      for name, value in pairs(loaded) do package.loaded[name] = value end
      local make, seen = maker()
      cn.scope(function()
        make()
        second.keep(make())
        second.scope(function() cn.keep(make()) end)
      end)
      assert.same({ true, false, true }, { is_freed(seen[1]), is_freed(seen[2]), is_freed(seen[3]) })
    end)

    it("bounds the memory of a loop without a collection", function()
      local pool = cn.get_default_memory_pool()
      collectgarbage()
      collectgarbage "stop"
      local used, most = pool:used_bytes(), 0
      local x = cn.ones(10000)
      for _ = 1, 50 do
        cn.scope(function()
          local y = x + 1
          local z = y * x
          most = math.max(most, pool:used_bytes() - used)
          return z.size
        end)
      end
      collectgarbage "restart"
      assert.is_true(most < 5 * 80000, most)
    end)

    it("leaves the library whole: what it keeps for itself is not freed", function()
      local function work()
        local x = cn.array { { 1, 2 }, { 3, 4 } }
        local y = cn.concatenate({ x, x }) .. x
        return tostring(y) .. tostring(y:std(1)) .. tostring(cn.eye(3):argmax(1)) .. tostring(cn.tril(x))
      end
      local expected = work()
      for _ = 1, 3 do assert.equal(expected, cn.scope(work)) end
      assert.equal(expected, work())
    end)

    it("takes what is called like a function, as all blocks do", function()
      local twice = cn.ElementwiseKernel("T x", "T y", "y = 2 * x", "twice")
      local x = cn.ones(2)
      for _, block in ipairs {
        cn.scope, cn.no_sync, function(...) return cn.cuda.Stream():with(...) end,
        function(...) return cn.device():with(...) end, function(...) return cn.cuda.MemoryPool():with(...) end,
        function(...) return cn.cuda.memory_hook(function() end, ...) end,
        function(...) return cn.profiler.time_range("twice", ...) end,
        function(...) return cn.graph(...)(select(2, ...)) end,
      } do
        local y = block(twice, x)
        cn.synchronize()
        assert.same({2, 2}, y:totable())
      end
    end)

    it("refuses values that are not functions", function()
      assert.has.error(function() cn.scope(3) end)
      local ok, message = pcall(cn.scope, {})
      assert.is_false(ok)
      assert.has.match("cuna: scope: expected a function, got a table", message)
    end)
  end)
end)
