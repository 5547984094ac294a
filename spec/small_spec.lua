--- Fronts of functions of short vectors, which the host computes (bindings/small.c), against their Lua functions: the
--- same results bit for bit, and the same errors.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local fronts = require "spec.support.fronts"
local methods = require "cuna.method"

local it = devices.rehearsed_it()
local passed_on, same = fronts.passed_on, fronts.same

local function each_same(name, front, lists)
  for _, list in ipairs(lists) do same(name, front, list, list.count or #list) end
end

--- Whole numbers from -5 to 5, among them zeros, in a dtype; `salt` makes others.
local function whole(count, dtype, salt)
  local list = {}
  for i = 1, count do list[i] = (i * 7 + salt * i * i) % 11 - 5 end
  return cn.array(list):astype(dtype)
end

--- Numbers whose sums depend on their order.
local function uneven(count, dtype, salt) return (whole(count, "float64", salt) / 7 + 1e-3):astype(dtype) end

local function vector(count, dtype, salt)
  return (dtype:find "^float" and uneven or whole)(count, dtype, salt)
end

local function strided(x) return cn.repeat_interleave(x, 3)["2:-1:3"] end

local SLIDING = {"float32", "float64", "int32", "uint32", "int64", "uint64"}
local MODES = {"full", "same", "valid"}

devices.each_device(function(device)
  local is_host = core.is_host(device) -- elsewhere every call is passed on

  describe("short vectors", function()
    it("are convolved and correlated as long ones are", function()
      for _, dtype in ipairs(is_host and SLIDING or {"float64"}) do
        for _, n in ipairs(is_host and {1, 2, 3, 8, 13, 40} or {5}) do
          for _, k in ipairs(is_host and {1, 2, 5, 12, 13, 31} or {3}) do
            local a, v = vector(n, dtype, 1), vector(k, dtype, 2)
            for _, mode in ipairs(MODES) do
              each_same("convolve", cn.convolve, {{a, v, mode}, {strided(a), v, mode}, {a, strided(v), mode}})
              each_same("correlate", cn.correlate, {{a, v, mode}, {strided(a), v, mode}, {a, strided(v), mode}})
            end
            each_same("convolve", cn.convolve, {{a, v}, {a, v, {mode = "same"}}})
            each_same("correlate", cn.correlate, {{a, v}, {a, v, {mode = "same"}}})
          end
        end
      end
    end)

    it("are served where an element is infinite or not a number", function()
      local a, v = cn.array {1, cn.inf, 0, -0.0, 2}, cn.array {-0.0, 0, 1}
      for _, mode in ipairs(MODES) do
        assert.is_true(cn.array_equal(cn.isnan(cn.convolve(a, v, mode)),
          cn.isnan(fronts.fallback_of(cn.convolve)(a, v, mode))))
      end
      each_same("convolve", cn.convolve, {{cn.zeros(9) * -1, cn.ones(2)}, {cn.zeros(12) * -1, cn.ones(2), "valid"}})
    end)

    it("of other kinds are refused, or converted, as ever", function()
      local a, b = cn.array {1, 2, 3}, cn.array({1, 2}, "float32")
      for _, name in ipairs {"convolve", "correlate"} do
        each_same(name, cn[name], {{a, b}, {a, {1, 2}}, {2, a}, {a, a, "half"}, {a, a, 1}, {a, a, "full", 4}, {a},
          {count = 0}, {a, cn.zeros(0)}, {a, cn.zeros {2, 2}}, {a, cn.array {cn.complex(1, 2)}},
          {a:astype "int8", a:astype "int8"}, {a:astype "float16", a:astype "float16"}, {a, a, {modus = "full"}}})
      end
    end)

    it("are counted as long ones are", function()
      local x, weights = cn.array({1, 3, 3, 4, 1}, "int64"), cn.array {0.1, 0.7, 1e-9, -0.3, 0.2}
      local dtypes = {"int8", "uint8", "int32", "uint64", "int64", "float32", "float64"}
      for _, dtype in ipairs(is_host and dtypes or {"int64"}) do
        local values = x:astype(dtype)
        each_same("bincount", cn.bincount, {{values}, {strided(values)}, {values, weights}, {values, strided(weights)},
          {values, weights, 7}, {values, nil, 6, count = 3}, {values, {minlength = 6}},
          {values, weights, {minlength = 2}}, {values, {weights = weights, minlength = 5}}})
      end
      local weighing = {"bool", "int8", "uint64", "int64", "float16", "float32", "complex64"}
      for _, dtype in ipairs(is_host and weighing or {}) do
        each_same("bincount", cn.bincount, {{x, weights:astype(dtype)}})
      end
      each_same("bincount", cn.bincount, {{cn.array {true, true}}, {cn.array {5000, 1}}, {cn.ones(300)}})
    end)

    it("that cannot be counted are refused as ever", function()
      local x = cn.array {1, 2, 3}
      each_same("bincount", cn.bincount, {{x - 1}, {x - 3}, {x + 0.5}, {x * cn.nan}, {x * cn.inf}, {x * 2 ^ 60},
        {cn.array {true, false}}, {x:astype "complex128"}, {cn.zeros(0)}, {cn.ones {2, 2}}, {x, cn.ones(2)},
        {x, cn.ones {3, 1}}, {x, nil, -1, count = 3}, {x, nil, 1.5, count = 3}, {x, {minlength = "2"}},
        {x, {minlength = {2}}}, {x, {least = 2}}, {x, {minlength = 2, least = 1}}, {x, {}}, {x, nil, 2, 3, count = 4},
        {x, {1, 2, 3}}, {{1, 2, 2}}, {count = 0}})
    end)

    it("are sorted as long ones are", function()
      local dtypes = {"bool", "int8", "uint8", "int64", "uint64", "float16", "bfloat16", "float32", "float64"}
      for _, dtype in ipairs(is_host and dtypes or {"float64"}) do
        for _, n in ipairs(is_host and {1, 2, 17, 64, 65} or {17}) do
          local x, y = whole(n, dtype, 3), whole(n, "int32", 5)
          each_same("lexsort", cn.lexsort, {{{x}}, {{x, y}}, {{y, strided(x)}}, {{y, x, y}}, {{x, y}, -1}})
          each_same("argsort", cn.argsort, {{x}, {strided(x)}, {x, 1}, {x, {descending = true}}})
          same("argsort", methods.find "argsort", {x}, 1)
        end
      end
      local odd = cn.array {0, cn.nan, -0.0, -cn.inf, 0, -cn.nan, cn.inf, -0.0, 5e-324, -5e-324, cn.nan}
      each_same("argsort", cn.argsort, {{odd}, {odd:astype "float32"},
        {cn.array({2 ^ 53, -1, 2 ^ 62, -2 ^ 63}, "int64")}, {cn.array({2 ^ 63, 1, 2 ^ 62}, "uint64")}})
      each_same("lexsort", cn.lexsort, {{{odd, odd}}, {{cn.arange(11), odd}}})
    end)

    it("that cannot be keys are refused as ever", function()
      local x = cn.array {2, 1, 2}
      each_same("lexsort", cn.lexsort, {{{}}, {{x, x, axis = 1}}, {{x, cn.ones(2)}}, {{x, "y"}}, {{[2] = x}}, {x}, {7},
        {{x, {1, 2, 3}}}, {{x, cn.ones {3, 1}}}, {{cn.array(1)}}, {{x, x}, 2}, {{x:astype "complex64"}}, {count = 0},
        {{x, x, x, x, x}}, {{cn.zeros(0)}}})
      each_same("argsort", cn.argsort, {{cn.array(1)}, {cn.zeros(0)}, {cn.ones {2, 2}}, {x, "y"}, {count = 0},
        {{2, 1}}})
    end)

    it("are filtered as long ones are", function()
      local front = cn.signal.lfilter
      for _, dtype in ipairs(is_host and {"float32", "float64"} or {"float64"}) do
        cn.set_default_dtype(dtype)
        local x, b, a = uneven(50, dtype, 1), cn.array {0.2, -0.3, 0, -0.0, 0.1}, cn.array {-1.5, -0.5, 0.2, 0.1}
        local lists = {{b, a, x}, {a, b, x}, {b["1:2"], a, strided(x)}, {strided(b), a["1:2"], x}, {b, a["1:1"], x},
          {{0.2, 0.1}, {1, -0.7}, x}, {b, {1.5}, x}, {{1}, {0.3, 2, 7}, x["1:1"]}}
        for _, n in ipairs(is_host and {1000, 1024, 1025} or {}) do
          lists[#lists + 1] = {b["1:3"], a, uneven(n, dtype, 2)}
        end
        for order = 1, 16 do
          lists[#lists + 1] = {uneven(order, dtype, 1) / 9, uneven(order + 1, dtype, 3) / 9, x}
        end
        each_same("lfilter", front, is_host and lists or {lists[1]})
        cn.set_default_dtype "float64"
      end
    end)

    it("that cannot be filtered, or in another way, are passed on", function()
      local front, x, b, a = cn.signal.lfilter, cn.range(1, 9), cn.array {0.5, 0.25}, cn.array {1, -0.5}
      local long = cn.ones(18)
      each_same("lfilter", front, {{b, cn.zeros(2), x}, {b, a * 5e-324, x}, {b * cn.inf, a, x}, {b, a * cn.nan, x}})
      each_same("lfilter", front, {{b, a}, {count = 0}, {b, a, "x"}, {b, {}, x}, {{}, a, x}, {{1, "2"}, a, x},
        {{{1}}, a, x}, {{1, nil, 2}, a, x}, {{1, k = 2}, a, x}, {{b = 1}, a, x}, {cn.signal, a, x}, {2, a, x},
        {b, 1, x}})
      if not is_host then return end
      each_same("lfilter", front, {{b, a, x, 1}, {b, a, x, {axis = 1}}, {b, a, x, {zi = {2}}}, {long, a, x},
        {b, long, x}, {b, a, x:reshape(3, 3)}, {b, a, x:astype "int64"}, {b:astype "float32", a, x},
        {b, a, x:astype "float32"}, {b, a:astype "complex128", x}, {b, a, x:astype "complex64"}, {b, a, cn.zeros(0)}})
    end)

    it("are not passed on", function()
      if not is_host then return end
      local a, x = vector(16, "float64", 1), cn.array({1, 3, 3, 4}, "int64")
      assert.equal(0, passed_on(cn.convolve, function()
        return cn.convolve(a, a), cn.convolve(a, a["1:3"], "same"), cn.convolve(a, a["1:3"], "valid")
      end))
      assert.equal(0, passed_on(cn.correlate, function()
        return cn.correlate(a, a["1:3"]), cn.correlate(a, a, "full")
      end))
      assert.equal(0, passed_on(cn.bincount, function()
        return cn.bincount(x), cn.bincount(x, a["1:4"]), cn.bincount(x, {minlength = 9}), cn.bincount(x, a["1:4"], 9)
      end))
      assert.equal(0, passed_on(cn.lexsort, function() return cn.lexsort {a["1:4"], x} end))
      assert.equal(0, passed_on(cn.argsort, function() return cn.argsort(x) end))
      assert.equal(0, passed_on(cn.signal.lfilter, function()
        return cn.signal.lfilter(a["1:3"], a["1:2"], a), cn.signal.lfilter({1}, {1, 2}, a)
      end))
    end)

    it("are passed on where something notes what the device does", function()
      local x = cn.array({1, 3, 3, 4}, "int64")
      local fused = cn.fuse(function(y) return cn.convolve(y * 2, y) + 1 end)
      for k = 1, 3 do assert.is_true(fused(x * k) == cn.convolve(x * k * 2, x * k) + 1) end
      assert.equal(1, passed_on(cn.bincount, function()
        pcall(cn.no_sync, function() return cn.bincount(x) end)
      end))
    end)
  end)
end)
