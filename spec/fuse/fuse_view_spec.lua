--- Values of fused functions in another shape, whole arrays as indices, and copies.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local it = require("spec.support.devices").rehearsed_it()

each_device(function()
  --- Whether a fused function has the results of the function itself, for each list of arguments.
  local function agrees(fn, ...)
    local fused = cn.fuse(fn)
    for _, arguments in ipairs {...} do
      local wanted, found = {fn(unpack(arguments))}, {fused(unpack(arguments))}
      assert.equal(#wanted, #found)
      for i, value in ipairs(wanted) do
        assert.equal(tostring(value.shape), tostring(found[i].shape))
        assert.equal(value.dtype, found[i].dtype)
        assert.same(value:totable(), found[i]:totable())
      end
    end
    return fused
  end
  local function numbers(n, dtype) return cn.sin(cn.arange(n) + 1):astype(dtype or "float32") end

  describe("a value", function()
    it("is viewed in another shape", function()
      local x = numbers(12)
      agrees(function(v) return (v * 2):reshape(3, 4) + 1 end, {x})
      agrees(function(v) return (v * 2):reshape {3, 4}:ravel() * v end, {x}, {numbers(12, "float64")})
      agrees(function(v) return (v + 1).T - 1, cn.expand_dims(v + 1, 2), cn.flip(v * v) end, {x}, {x:reshape(3, 4)})
      agrees(function(v) return cn.broadcast_to(v * 2, {2, 12}) + 1, cn.moveaxis(v * 2, 1, 1) end, {x})
      agrees(function(v) return (v + 0):view "int32" % 7 end, {x})
    end)

    it("is folded after it was viewed, and viewed after it was folded", function()
      local x = numbers(24)
      agrees(function(v) return (v * 2):reshape(4, 6):sum(1), cn.squeeze(v:sum {keepdims = true}) + 1 end, {x})
      agrees(function(v)
        local rows = cn.exp(v):reshape(4, 6)
        local shares = rows / rows:sum {axis = 2, keepdims = true}
        return shares:ravel() * v, rows:max(2):reshape(2, 2) + 1
      end, {x})
    end)

    it("may be viewed several times, and be needed itself", function()
      agrees(function(v)
        local y = v * 2
        local z = (y:reshape(2, 3).T + 1):ravel()
        return y, z * v, y:reshape(3, 2)
      end, {numbers(6)})
    end)

    it("has the shape of its call", function()
      local f = agrees(function(v) return (v * 2):reshape(-1, 2) + 1 end, {numbers(4)}, {numbers(6)}, {numbers(4)})
      assert.same({traces = 2, traced = 2}, f.cache_info())
    end)

    it("may be of an array that was written", function()
      local function fn(v, w)
        w:add_(v)
        return w.T * 2
      end
      local x, y, z = numbers(6):reshape(2, 3), cn.ones({2, 3}, "float32"), cn.ones({2, 3}, "float32")
      assert.same(fn(x, y):totable(), cn.fuse(fn)(x, z):totable())
      assert.same(y:totable(), z:totable())
    end)
  end)

  it("arrays are written by way of views in another shape, at each call", function()
    local functions = {
      function(v) v:ravel():clip_(1, 3) return v * 1 end,
      function(v) local flat = v:reshape(3, 2) flat:add_(1) return flat end,
      function(v) local own = v:copy() own:reshape(3, 2):add_(1) return own end,
      function(v) local own = cn.zeros_like(v) own:ravel():add_(v:ravel()) return own, own:ravel() end,
      function(v) cn.expand_dims(v, 1):mul_(2) return v:sum() end,
    }
    for k, fn in ipairs(functions) do
      local fused = cn.fuse(fn)
      local x, y = numbers(6):reshape(2, 3), numbers(6):reshape(2, 3)
      for round = 1, 3 do
        local wanted, found = fn(x), fused(y)
        local what = k .. " " .. round
        assert.equal(tostring(wanted.shape), tostring(found.shape), what)
        assert.same(wanted:totable(), found:totable(), what)
        assert.same(x:totable(), y:totable(), what)
        assert.equal(wanted.base == nil, found.base == nil, what)
      end
    end
  end)

  it("the whole array is an index", function()
    local x, y = numbers(4), cn.zeros(4, "float32")
    agrees(function(v) return v[":"] * 2, v[{{}}] + v["..."] end, {x})
    cn.fuse(function(v, w) w[":"] = v * 2 end)(x, y)
    assert.same((x * 2):totable(), y:totable())
    cn.fuse(function(v, w) w[{{}, {}}] = v + 1 end)(x, y:reshape(1, 4))
    assert.same((x + 1):totable(), y:totable())
  end)

  it("copyto writes values, and masked values", function()
    local function fn(v, w, u)
      cn.copyto(w, v * 2)
      cn.copyto(w, 7, {where = v:gt(0)})
      cn.copyto(u, w, "unsafe", v:le(0))
      return w + 1
    end
    local x = numbers(8)
    local y, z, u, w = cn.zeros(8), cn.zeros(8), cn.ones(8, "int32"), cn.ones(8, "int32")
    assert.same(fn(x, y, u):totable(), cn.fuse(fn)(x, z, w):totable())
    assert.same(y:totable(), z:totable())
    assert.same(u:totable(), w:totable())
    local ok, words = pcall(cn.fuse(function(v, i) cn.copyto(i, v) end), x, u)
    assert(not ok and words:find('copyto: float32 does not cast to int32 by the rule "same_kind"', 1, true), words)
  end)
end)
