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
      assert.has.match("scope_spec.lua:%d+: cuna: add: the array was freed at [^\n]*scope_spec.lua:%d+$", message)
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

    it("refuses what is no function", function()
      assert.has.error(function() cn.scope(3) end)
      local ok, message = pcall(cn.scope, {})
      assert.is_false(ok)
      assert.has.match("cuna: scope: expected a function, got table", message)
    end)
  end)
end)
