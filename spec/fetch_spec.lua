--- x[key] and x[key] = value for arrays of positions, of which the host moves few elements itself. With an axis of 65
--- elements behind the others they are not few, and programs move them: both have to agree.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

--- Arrays of shape (6, 5, 4): as made, backwards, and with other axes first in memory.
local function layouts()
  local function counting(...) return cn.arange(480):astype "float32"["1:120"]:reshape(...) end
  return {counting(6, 5, 4), counting(6, 5, 4)["::-1, :, ::-1"], counting(4, 6, 5):transpose(2, 3, 1)}
end

local function positions(list) return cn.array(list, "int64") end

--- Keys whose positions are `p`(list).
local function keys(p)
  return {
    p {2, -1, 3, 3}, {p {2, -1, 3, 3}}, {{}, p {5, 1}}, {cn.ellipsis, p {{4, -3}, {1, 3}}}, {p {1, 6}, p {5, 1}},
    {p {1, 6}, {}, p {4, 1}}, {p {{1}, {6}}, p {5, 1}, p {2, 2}}, {2, p {1, 5}, {2, 3}}, {p {1, 6}, {2, 4}, 3},
    {cn.newaxis, p {1, 6}, 2}, {{1, 2}, cn.newaxis, p {3}, p {-1}}, {p(4)}, {p {}, p {}},
    {p {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5}, 1, {}}, -- more than the host moves
  }
end

local OTHERS = {"int32", "float64", "int8", "float16"}

--- The k-th key with positions of another dtype.
local function other(k)
  return keys(function(list) return cn.array(list, OTHERS[k % #OTHERS + 1]) end)[k]
end

--- x with another axis, behind the others, along which it is constant; and a key with that axis.
local function widened(x) return x[{cn.ellipsis, cn.newaxis}] * cn.ones(65, x.dtype) end

local function widened_key(key)
  if cn.is_array(key) then return key end
  local wide = {}
  for i = 1, #key do wide[i] = key[i] end
  if key[1] == cn.ellipsis then wide[#wide + 1] = {} end
  return wide
end

--- Positions that are every other element of an array.
local function strided(list)
  local p = cn.array(list, "int64")
  if p.ndim == 0 then return p end
  local lengths = p.shape
  lengths[#lengths] = 2 * lengths[#lengths]
  local room = cn.ones(lengths, "int64")["..., ::2"]
  room["..."] = p
  return room
end

--- A key is an error where x is read by it, and where it is written.
local function refused(x, key)
  raises("index", function()
    local _ = x[key]
    cn.synchronize()
  end)
  raises("assignment", function()
    x[key] = 5
    cn.synchronize()
  end)
end

devices.each_device(function(device)
  describe("arrays of positions", function()
    it("read the same elements, few or many", function()
      for _, x in ipairs(layouts()) do
        local wide = widened(x)
        for k, key in ipairs(keys(positions)) do
          local read = wide[widened_key(key)]["..., 65"]
          for _, each in ipairs {key, keys(strided)[k], other(k)} do
            assert.is_true(x[each] == read, "key " .. k)
          end
        end
      end
    end)

    it("store the same elements", function()
      local function stored(x, key, value)
        local y = x:copy()
        y[key] = value
        return y
      end
      for _, x in ipairs(layouts()) do
        local wide = widened(x)
        local all = keys(positions)
        for k, key in ipairs(all) do
          local repeats = k < 3 or k == #all
          local shape = x[key].shape
          local value = cn.arange(480):astype "float32"[{{1, cn.empty(shape).size}}]:reshape(shape)
          for _, each in ipairs {-7, value * 0 - 3.5, cn.full(1, 9, "float32"), not repeats and value or nil} do
            local is_number = type(each) == "number"
            local wanted = stored(wide, widened_key(key), is_number and each or each[{cn.ellipsis, cn.newaxis}])
            for _, form in ipairs {key, keys(strided)[k], other(k)} do
              assert.is_true(stored(x, form, each) == wanted["..., 65"], "key " .. k)
            end
          end
        end
      end
    end)

    it("take what a list of keys holds while they are read", function()
      local x, key = cn.arange(12):reshape(3, 4), {positions {1, 3}, positions {2, 4}}
      assert.same({1, 11}, x[key]:totable())
      key[2] = nil
      assert.same({{0, 1, 2, 3}, {8, 9, 10, 11}}, x[key]:totable())
    end)

    it("are read into out, which is checked", function()
      local x, p = cn.arange(12):astype "float32":reshape(3, 4), positions {4, 1}
      for _, out in ipairs {cn.zeros({3, 2}, "float32"), cn.zeros({3, 4}, "float32")[":, ::2"],
        cn.zeros({3, 2}, "float64"), x[":, 3:"]} do
        local wanted = cn.array {{3, 0}, {7, 4}, {11, 8}}
        if out.dtype == "float32" and cn.shares_memory(out, x) then x = x:copy() end
        assert.is_true(cn.take(x, p, 2, out) == out)
        assert.is_true(out == wanted)
      end
      local line, taken = cn.arange(3) * 1.5, cn.zeros(2)
      assert.is_true(line:take(positions {3, -3}, nil, taken) == cn.array {3, 0})
      assert.is_true(line:take(positions {1, 2}, -1, taken) == cn.array {0, 1.5})
      for _, case in ipairs {
        {"take: out has shape", line, positions {1}, nil, taken}, {"take: out", line, positions {1, 2}, nil, 5},
        {"take: ", line, positions {1, 2}, 1.5}, {"take: ", line, positions {1, 2}, "1"},
        {"take: a float64 result cannot be written", line, positions {1, 2}, nil, cn.zeros(2, "int8")},
      } do
        raises(case[1], function() cn.take(case[2], case[3], case[4], case[5]) end)
      end
      if device == "cpu" then
        taken = cn.full(2, 7)
        raises("take", function() line:take(positions {1, 9}, nil, taken) end)
        assert.same({7, 7}, taken:totable())
      end
    end)

    it("leave what is out of range to those who report it", function()
      local x = cn.arange(12):reshape(3, 4)
      for _, key in ipairs {{positions {1, 4}, positions {2, 4}}, {positions {1, 2}, positions {0, 4}}} do
        refused(x, key)
      end
      if device == "cpu" then assert.is_true(x == cn.arange(12):reshape(3, 4)) end
    end)

    it("are whole numbers", function()
      local x = cn.arange(5)
      assert.same({4, 0, 4}, x[cn.array {-1, 1, 5}]:totable())
      assert.same({0, 4}, x[cn.array({1, 5}, "uint64")]:totable())
      for _, position in ipairs {1.5, cn.nan, -cn.inf, 2 ^ 63, 0, 6} do
        for _, dtype in ipairs {"float64", "float32"} do
          for _, count in ipairs {1, 100} do
            local p = cn.ones(count, dtype)
            p[-1] = position
            refused(x, p)
          end
        end
      end
      if device == "cpu" then assert.same({0, 1, 2, 3, 4}, x:totable()) end
    end)

    it("are masks where a number is stored", function()
      local g = cn.random.default_rng(7)
      for k, dtype in ipairs {"float64", "int8", "complex64", "bool", "float16", "uint64"} do
        for _, part in ipairs {"..., :", "::-1, ::2", "2, :", "..., 3", "5:4, :"} do
          local whole = (g:random({4, 6}) * 100):astype(dtype)
          local x, mask = whole[part], g:random({6, 4}):gt(0.4).T[part]
          local value = k == 4 or k % 2 == 1 and 3 or 0
          local wanted = whole:copy()
          wanted[part] = cn.where(mask, cn.full(x.shape, value, dtype), x)
          x[mask] = value
          assert.is_true(whole == wanted, dtype .. " " .. part)
        end
      end
      local own, small = cn.arange(3):gt(0), cn.arange(3):astype "int8"
      own[own] = false
      assert.same({false, false, false}, own:totable())
      raises("assignment: 300 does not fit int8", function() small[small:gt(1)] = 300 end)
      raises("assignment: ", function() small[small:gt(1)] = "1" end)
      raises("assignment: the array", function() cn.broadcast_to(small, {2, 3})[cn.ones({2, 3}, "bool")] = 1 end)
      assert.same({0, 1, 2}, small:totable())
      local point = cn.zeros {}
      point[cn.array(true)] = 4
      assert.equal(4, point:item())
    end)

    it("do not wait", function()
      local x, key = cn.arange(12):reshape(3, 4), {positions {1, 3}, positions {2, 4}}
      cn.no_sync(function()
        x[key] = 7
        x = x[key]
      end)
      assert.same({7, 7}, x:totable())
    end)
  end)
end)
