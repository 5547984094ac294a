--- Draws that C makes (bindings/draw.c) against those of Lua: the same numbers, counts and errors.
local cn = require "cuna"
local core = require "cuna.core"
require "cuna.random"
local devices = require "spec.support.devices"
local fronts = require "spec.support.fronts"
local methods = require("cuna.random.generator").methods
local rows = require("cuna.random.draw").rows

local it = devices.rehearsed_it()

local FRONTED = {"random", "standard_normal", "standard_exponential", "uniform", "normal", "exponential"}

local NUMBERS = {1, 0.25, 3, 0, -0.0, -1, 5e-324, 1 + 2 ^ -52, 2 ^ 62, -1e200, cn.nan, cn.inf, "x"}

--- The rows that have a front, and parameters.
local function fronted_rows()
  local list = {}
  for name, row in pairs(rows) do
    if debug.getinfo(methods[name], "S").what == "C" and #row.parameters > 0 then list[#list + 1] = row end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

--- Arguments of a row: numbers that most parameters may be, but for the k-th one, and what follows them.
local function arguments_of(row, k, value, ...)
  local list, count = {}, #row.parameters
  for i = 1, count do
    local own = row.parameters[i]
    list[i] = own.dtype == "int64" and 2 or own.demand and own.demand.least > 1 and 1.5 or 0.5
  end
  if k then list[k] = value end
  for i = 1, select("#", ...) do list[count + i] = (select(i, ...)) end
  return list, count + select("#", ...)
end

--- A generator that stands before draw number `calls`.
local function at_call(seed, calls)
  local state = cn.random.default_rng(seed):get_state()
  state.calls = calls
  return cn.random.default_rng(0):set_state(state)
end

--- What a method answers, and how many draws that took.
local function drawn(method, ...)
  local g = cn.random.default_rng(3)
  local outcome = fronts.outcome(method, g, ...)
  return outcome .. tostring(g:get_state().calls)
end

devices.each_device(function(device)
  describe("the front of draws", function()
    it("draws what its fallback draws", function()
      local forms = {{}, {4}, {{2, 3}}, {{}}, {0}, {-1}, {1.5}, {"x"}, {{2, -3}}, {{dtype = "float32"}}, {2, "float32"},
        {{size = 3}}, {2, nil, cn.zeros(2)}, {0, 1, 3}, {1, {size = 2}}, {2 ^ 60}}
      for _, name in ipairs(FRONTED) do
        for k, form in ipairs(forms) do
          local expected = drawn(fronts.fallback_of(methods[name]), unpack(form, 1, 3))
          assert.equal(expected, drawn(methods[name], unpack(form, 1, 3)), name .. " " .. k)
        end
        fronts.same(name, methods[name], {}, 0)
        fronts.same(name, methods[name], {7}, 1)
        fronts.same(name, methods[name], {{}}, 1)
        fronts.same(name, methods[name], {cn.random}, 1)
      end
    end)

    it("draws with parameters what its fallback draws", function()
      local function check(row, ...)
        local list, count = arguments_of(row, ...)
        local method = methods[row.name]
        local expected = drawn(fronts.fallback_of(method), unpack(list, 1, count))
        local text = {row.name}
        for i = 1, count do text[1 + i] = tostring(list[i]) end
        assert.equal(expected, drawn(method, unpack(list, 1, count)), table.concat(text, " "))
      end
      local list = fronted_rows()
      assert.is_true(#list >= 20)
      for _, row in ipairs(list) do
        for k = 1, #row.parameters do
          for _, value in ipairs(NUMBERS) do check(row, k, value, 3) end
          check(row, k, nil, 3)
        end
        check(row)
        check(row, nil, nil, {2, 3})
        check(row, nil, nil, 2, row.dtype or "float32")
        check(row, nil, nil, {size = 2})
      end
    end)

    it("serves numbers that a parameter may be", function()
      local g = cn.random.default_rng(1)
      for _, row in ipairs(fronted_rows()) do
        local list, count = arguments_of(row, nil, nil, 2)
        assert.equal(0, fronts.passed_on(methods[row.name], function()
          g[row.name](g, unpack(list, 1, count))
        end), row.name)
      end
    end)

    it("serves randint, whose bounds are few", function()
      cn.random.seed(4)
      local a = cn.random.randint(2, 7, 5)
      cn.random.seed(4)
      assert.is_true(a == cn.random.randint(2, 7, {size = 5}))
      assert.equal("int64", a.dtype)
    end)

    it("serves plain calls, in the default dtype of the moment", function()
      local g = cn.random.default_rng(1)
      assert.equal(0, fronts.passed_on(methods.random, function() return g:random(), g:random(3), g:random {2, 2} end))
      assert.equal(0, fronts.passed_on(methods.normal, function() return g:normal() end))
      assert.equal(4ULL, g:get_state().calls)
      cn.set_default_dtype "float32"
      local dtype = g:random(3).dtype
      cn.set_default_dtype "float64"
      assert.equal("float32", dtype)
      assert.equal("float64", g:random(3).dtype)
    end)

    it("counts from any number on, and large keys", function()
      local g = at_call(5, 2ULL ^ 64 - 1ULL)
      assert.is_true(g:random(3) == at_call(5, 2ULL ^ 64 - 1ULL):random(3, "float64"))
      assert.equal(0ULL, g:get_state().calls)
    end)

    it("draws other numbers at each call of a fused function", function()
      local g, reference = cn.random.default_rng(2), cn.random.default_rng(2)
      local draw = g.random
      local fused = cn.fuse(function(x) return x * 2 + draw(g, 3) end)
      local x = cn.ones(3)
      for _ = 1, 4 do assert.is_true(fused(x) == x * 2 + reference:random(3)) end
    end)
  end)

  describe("choices without replacement", function()
    it("are the first ones of an order, whatever part of it is sorted", function()
      for _, count in ipairs(core.is_host(device) and {1, 90, 1000, 4000, 4900, 5000} or {90}) do
        local g, other = at_call(4, count), at_call(4, count)
        assert.is_true(g:choice(5000, count, false) == other:permutation(5000)[{{1, count}}])
        assert.equal(g:get_state().calls, other:get_state().calls)
        local apart = cn.no_sync(function() return at_call(4, count):choice(5000, count, false) end)
        assert.is_true(apart == other:set_state(at_call(4, count):get_state()):choice(5000, count, false))
      end
    end)
  end)

  describe("orders of few elements", function()
    it("are those that a device sorts", function()
      local g, other = cn.random.default_rng(6), cn.random.default_rng(6)
      for n = 1, core.is_host(device) and 70 or 2 do
        local order = cn.no_sync(function() return other:permutation(n) end) -- which the host may not look at
        assert.is_true(g:permutation(n) == order, "of " .. n)
      end
      assert.is_true(g:choice(20, 5, false) == cn.no_sync(function() return other:choice(20, 5, false) end))
      assert.equal(g:get_state().calls, other:get_state().calls)
    end)

    it("are sorted by more bits where some are alike", function()
      local g, other = at_call(1, 1659586), at_call(1, 1659586)
      local order = g:permutation(64)
      assert.is_true(order == cn.no_sync(function() return other:permutation(64) end))
      assert.is_true(cn.sort(order) == cn.range(1, 64))
      assert.equal(1659587ULL, g:get_state().calls)
    end)
  end)
end)
