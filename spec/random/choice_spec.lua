--- Choices and orders at random: values of the population, with the right probabilities, the same on every device.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared

local function rng(seed) return cn.random.default_rng(seed) end

local function agree(a, b, note) assert.is_true(preparing.rehearsing or a == b, note) end

--- The sum over bins of (count - expected)^2 / expected.
local function chi2(counts, expected) return ((counts - expected) ^ 2 / expected):sum():item() end

local DTYPES = {"bool", "int8", "bfloat16", "float64", "complex128"}

devices.each_device(function(device)
  describe("an order at random", function()
    it("has each position once", prepared(function()
      for _, count in ipairs {0, 1, 2, 100, 5000, 200000} do -- of the last some are alike in their first bits
        local order = rng(count):permutation(count)
        assert.equal("int64", order.dtype)
        agree(order:sort(), cn.range(1, count), count)
        cn.device("cpu"):with(function() agree(rng(count):permutation(count), order:get(), count) end)
      end
    end))

    it("is uniform over the orders", prepared(function()
      local rows = 6000
      local lines = rng(3):permuted(cn.range(1, 3):broadcast_to {rows, 3}, 2)
      local kind = lines[{{}, 1}] * 3 + lines[{{}, 2}]
      if preparing.rehearsing then return end
      local counts = {}
      for _, code in ipairs(kind:totable()) do counts[tonumber(code)] = (counts[tonumber(code)] or 0) + 1 end
      local sum, kinds = 0, 0
      for _, count in pairs(counts) do sum, kinds = sum + (count - 1000) ^ 2 / 1000, kinds + 1 end
      assert.equal(6, kinds)
      assert.is_true(sum < 5 + 5 * math.sqrt(10), sum)
    end))

    it("moves slices of any dtype along any axis", prepared(function()
      for _, dtype in ipairs(DTYPES) do
        local x = (cn.arange(12):reshape(4, 3) % 7):astype(dtype)
        for axis = 1, 2 do
          local order = rng(5):permutation(x.shape[axis])
          agree(rng(5):permutation(x, axis), x:take(order, axis), dtype)
          agree(rng(5):permutation(x, axis - 3), x:take(order, axis), dtype)
          local y = x.T:copy().T
          agree(rng(5):shuffle(y, axis), x:take(order, axis), dtype)
          agree(y, x:take(order, axis), dtype)
        end
        local lines = rng(5):permuted(x, 2)
        agree(lines:astype("complex128"):sum(2), x:astype("complex128"):sum(2), dtype)
        local out = cn.zeros({3, 4}, dtype).T
        assert.equal(out, rng(5):permuted(x, 2, out))
        if dtype == "float64" then agree(rng(5):permuted(x:totable(), 2, out:copy()), out) end
        agree(out, lines, dtype)
        local own = x:copy()
        rng(5):permuted(own, {axis = 2, out = own})
        agree(own, lines, dtype)
      end
    end))

    it("of all elements keeps the shape", prepared(function()
      local x = cn.arange(24):reshape(2, 3, 4)
      local moved = rng(2):permuted(x)
      assert.is_true(moved:has_shape(2, 3, 4))
      agree(moved:reshape(-1):sort(), x:reshape(-1))
      assert.is_true(rng(2):permuted(cn.zeros {0, 3}, 2):has_shape(0, 3))
      assert.is_true(rng(2):shuffle(cn.zeros {3, 0}):has_shape(3, 0))
      assert.is_true(rng(2):permutation(cn.zeros {0, 3}):has_shape(0, 3))
    end))
  end)

  describe("a choice", function()
    it("is of positions, or of slices", prepared(function()
      local positions = rng(4):choice(7, {5, 4})
      assert.equal("int64", positions.dtype)
      local x = cn.arange(14):reshape(7, 2)
      agree(rng(4):choice(x, {5, 4}), x:take(positions, 1))
      agree(rng(4):choice(x.T, {5, 4}, {axis = 2}), x.T:take(positions, 2))
      agree(rng(4):choice({10, 20, 30}, {size = 6}), cn.array({10, 20, 30}):take(rng(4):choice(3, 6)))
      assert.is_true(rng(4):choice(7):has_shape {})
      assert.is_true(rng(4):choice(7, 0):has_shape(0))
      assert.is_true(rng(4):choice(cn.zeros {3, 2}):has_shape(2))
      cn.device("cpu"):with(function() agree(rng(4):choice(7, {5, 4}), positions:get()) end)
    end))

    it("with replacement follows the weights", prepared(function()
      for _, dtype in ipairs {"float64", "float32", "int32"} do
        local p = cn.array({1, 0, 3, 4, 2}, dtype)
        local chosen = rng(8):choice(5, 20000, {p = p})
        cn.device("cpu"):with(function() agree(rng(8):choice(5, 20000, {p = p:get()}), chosen:get(), dtype) end)
        local counts = cn.bincount(chosen, {minlength = 5})
        if not preparing.rehearsing then
          assert.equal(0, tonumber(counts[2]))
          local kept = cn.array({1, 3, 4, 5})
          assert.is_true(chi2(counts:take(kept), p:take(kept) * 2000) < 3 + 5 * math.sqrt(6))
        end
      end
      local counts = cn.bincount(rng(8):choice(10, 20000), {minlength = 10})
      assert.is_true(preparing.rehearsing or chi2(counts, 2000) < 9 + 5 * math.sqrt(18))
    end))

    it("without replacement has each thing once, by the weights", prepared(function()
      agree(rng(1):choice(50, 50, {replace = false}):sort(), cn.range(1, 50))
      local chosen = rng(1):choice(50, {3, 10}, false)
      if not preparing.rehearsing then assert.equal(30, cn.unique(chosen).size) end
      local few = rng(1):choice(2 ^ 40, {20, 50}, false) -- without an order of all
      assert.is_true(few:has_shape {20, 50})
      if not preparing.rehearsing then
        assert.equal(1000, cn.unique(few).size)
        assert.is_true(few:min():item() > 0 and few:max():item() <= 2 ^ 40 and cn.any(cn.diff(few:ravel()):lt(0)))
        agree(few, rng(1):choice(2 ^ 40, {20, 50}, false))
      end
      local p, heads = {0.5, 0.25, 0.25, 0}, {}
      local rounds = core.is_host(device) and 400 or 100 -- of the same draws everywhere
      for round = 1, rounds do
        local two = rng(round):choice(4, 2, {replace = false, p = p})
        if preparing.rehearsing then return end
        local first, second = tonumber(two[1]), tonumber(two[2])
        assert.is_true(first ~= second and first < 4 and second < 4)
        heads[first] = (heads[first] or 0) + 1
      end
      assert.near(rounds / 2, heads[1], 2.5 * math.sqrt(rounds)) -- five standard deviations
      assert.near(rounds / 4, heads[2], 2.15 * math.sqrt(rounds))
    end))

    it("takes few of many things uniformly, without an order of all", prepared(function()
      for _, n in ipairs {10001, 16384, 16385, 2 ^ 40 + 1, 2 ^ 53} do
        local few = cn.no_sync(function() return rng(n):choice(n, 180, false) end)
        if not preparing.rehearsing then
          assert.equal(180, cn.unique(few).size, n)
          assert.is_true(few:min():item() > 0 and few:max():item() <= n, n)
          cn.device("cpu"):with(function() agree(rng(n):choice(n, 180, false), few:get(), n) end)
        end
      end
      local g, firsts, n, count = rng(5), {}, 16000, 1600
      for k = 1, count do firsts[k] = g:choice(n, 2, false) end
      local parts = (cn.stack(firsts) - 1):floor_divide(n / 8)
      local counts = cn.bincount(parts[{{}, 1}] * 8 + parts[{{}, 2}] + 1, {minlength = 64})
      assert.is_true(preparing.rehearsing or chi2(counts, count / 64) < 63 + 5 * math.sqrt(126))
    end))

    it("reports weights that are none", function()
      local function message(fn) return (select(2, pcall(fn))) end
      local g = rng(1)
      assert.matches("choice: a weight is not negative and finite, and there is %-1", message(function()
        return g:choice(2, 3, {p = cn.array {2, -1}}):sum():item()
      end))
      assert.matches("choice: a weight is not negative and finite, and there is nan", message(function()
        return g:choice(2, 1, {p = cn.array {2, 0 / 0}, replace = false}):sum():item()
      end))
      assert.matches("choice: the weights' sum is above 0 and finite, and here it is 0", message(function()
        return g:choice(2, 3, {p = cn.zeros(2)}):sum():item()
      end))
      assert.matches("choice: more are requested than have a weight above 0", message(function()
        return g:choice(3, 2, {p = cn.array {0, 1, 0}, replace = false}):sum():item()
      end))
    end)

    it("of bytes is a string", function()
      assert.equal(13, #rng(1):bytes(13))
      assert.equal("", rng(1):bytes(0))
      assert.are_not.equal(rng(1):bytes(13), rng(2):bytes(13))
      cn.device("cpu"):with(function() assert.equal(rng(1):bytes(13), rng(1):bytes(13)) end)
    end)
  end)
end)

describe("choices refuse", function()
  local g = rng(1)
  for text, fn in pairs {
    ["choice: 5 of 3 things without replacement"] = function() return (g:choice(3, 5, false)) end,
    ["choice: there is nothing to choose from"] = function() return (g:choice(0, 2)) end,
    ["choice: a is a count, got -2"] = function() return (g:choice(-2)) end,
    ["choice: p has a weight for each of 3 things, got shape (2,)"] =
      function() return (g:choice(3, 1, {p = {1, 1}})) end,
    ["choice: weights are real, got complex128"] = function() return (g:choice(1, 1, {p = {1i}})) end,
    ["choice: replace is true or false, got 1"] = function() return (g:choice(3, 1, 1)) end,
    ["choice: axis 3 is out of range"] = function() return (g:choice(cn.zeros {2, 2}, 1, {axis = 3})) end,
    ["permutation: x is a count, got 2.5"] = function() return (g:permutation(2.5)) end,
    ["permutation: axis 2 is out of range"] = function() return (g:permutation(3, 2)) end,
    ["shuffle: expected an array, got a table"] = function() return (g:shuffle {1, 2}) end,
    ["shuffle: axis 1 is out of range"] = function() return (g:shuffle(cn.scalar(1))) end,
    ["permuted: out has dtype int64, and x float64"] =
      function() return (g:permuted(cn.zeros(3), {out = cn.arange(3)})) end,
    ["permuted: out: expected an array, got 5"] = function() return (g:permuted(cn.zeros(3), {out = 5})) end,
    ["permuted: out has shape (4,), but the result has shape (3,)"] =
      function() return (g:permuted(cn.zeros(3), {out = cn.zeros(4)})) end,
    ["bytes: length is a count, got -1"] = function() return (g:bytes(-1)) end,
  } do
    it(text, function() raises(text, fn) end)
  end

  it("to wait inside of cn.no_sync", function()
    local _, message = pcall(cn.no_sync, function() return g:bytes(4) end)
    assert.matches("bytes", message)
  end)

  it("arrays on two devices", function()
    if #devices.names() < 2 then return end
    local x, p = cn.zeros(3, nil, "cpu"), cn.ones(3, nil, "cuda:0")
    raises("choice: ", function() return (g:choice(x, 1, {p = p})) end)
  end)
end)
