--- Kernels written in Lua keep the meaning of Lua: values at the edges, and types that a program in Lua may have.
-- luacheck: ignore 431 (kernels shadow names)
local cn = require "cuna"
local devices = require "spec.support.devices"

local jit = cn.jit

local EDGES = { 0, -0.0, 1, -1, 2, -2, 0.5, -2.5, 7, 1e300, 1 / 0, -1 / 0, 0 / 0, 5.3, 0.1, -7.75, 1e15,
  9007199254740991 }

--- Asserts that two numbers are the same, bit for bit (all NaN are one).
local function assert_same(expected, got, ...)
  local is_same = expected == got and (got ~= 0 or 1 / got == 1 / expected) or expected ~= expected and got ~= got
  if not is_same then error(("%.17g, in Lua %.17g, for "):format(got, expected) .. table.concat({ ... }, " ")) end
end

devices.each_device(function()
  it("% ^ math.max math.min are Lua's for all pairs of numbers", function()
    local function fn(a, b, out)
      out[1] = a % b
      out[2] = math.max(a, b)
      out[3] = math.min(a, b)
      out[4] = math.min(math.max(a, 0), 1)
      out[5] = a ^ 0.5
      out[6] = a % 3 + a % -1
      out[7] = -a ^ 2
      out[8] = a < b and 1 or a == b and 2 or 3
    end
    local kernel = jit.rawkernel [[function(x, out)
      local i, j = cn.jit.grid(2)
      local a, b = x[i], x[j]
      out[{i, j, 1}] = a % b
      out[{i, j, 2}] = math.max(a, b)
      out[{i, j, 3}] = math.min(a, b)
      out[{i, j, 4}] = math.min(math.max(a, 0), 1)
      out[{i, j, 5}] = a ^ 0.5
      out[{i, j, 6}] = a % 3 + a % -1
      out[{i, j, 7}] = -a ^ 2
      out[{i, j, 8}] = a < b and 1 or a == b and 2 or 3
    end]]
    local n = #EDGES
    local out = cn.zeros { n, n, 8 }
    kernel(1, { n, n }, { cn.array(EDGES), out })
    local got, expected = out:totable(), {}
    for i = 1, n do
      for j = 1, n do
        fn(EDGES[i], EDGES[j], expected)
        for k = 1, 8 do assert_same(expected[k], got[i][j][k], k, EDGES[i], EDGES[j]) end
      end
    end
  end)

  it("math.modf, frexp and ldexp are Lua's", function()
    local kernel = jit.rawkernel(function(x, out)
      local i = jit.grid(1)
      out[{ i, 1 }], out[{ i, 2 }] = math.modf(x[i])
      local m, e = math.frexp(x[i])
      out[{ i, 3 }], out[{ i, 4 }], out[{ i, 5 }] = m, e, math.ldexp(m, e + 1)
      out[{ i, 6 }] = math.modf(x[i]) + 1
    end)
    local x = { 0, -0.0, 1, -1.5, 2.75, 1e300, 1e-310, -7.25 }
    local out = cn.zeros { #x, 6 }
    kernel(1, #x, { cn.array(x), out })
    local got = out:totable()
    for i, v in ipairs(x) do
      local whole, rest = math.modf(v)
      local m, e = math.frexp(v)
      for k, expected in ipairs { whole, rest, m, e, math.ldexp(m, e + 1), whole + 1 } do
        assert_same(expected, got[i][k], k, v)
      end
    end
  end)

  it("math.floor of a quotient of integers is an integer, as large and as negative as it may be", function()
    local kernel = jit.rawkernel(function(a, b, out)
      local q = 0
      if b ~= 0 then q = math.floor(a / b) end
      local n = a
      n = math.floor(n / 2)
      out[1], out[2], out[3], out[4] = q, math.ceil(a / b), n, bit.band(math.floor(a / b), 7)
    end)
    for _, pair in ipairs { { 7, 2 }, { -7, 2 }, { 7, -2 }, { -7, -2 }, { 6, 3 }, { 2 ^ 53 - 1, 4 } } do
      local a, b = pair[1], pair[2]
      local out = cn.zeros(4, "int64")
      kernel(1, 1, { a, b, out })
      local quotient = math.floor(a / b)
      assert.same({ quotient, math.ceil(a / b), math.floor(a / 2), quotient % 8 }, out:totable())
    end
    local out = cn.zeros(4, "int64")
    kernel(1, 1, { 5, 0, out })
    assert.same({ 0, 0, 2, 0 }, out:totable())
  end)

  it("a search by halves has integers for positions", function()
    local search = jit.rawkernel(function(xs, wanted, out)
      local t = jit.grid(1)
      if t > #wanted then return end
      local low, high = 1, #xs + 1
      while low < high do
        local middle = math.floor((low + high) / 2)
        if xs[middle] < wanted[t] then low = middle + 1 else high = middle end
      end
      out[t] = low
    end)
    local out = cn.zeros(4, "int32")
    search(1, 8, { cn.arange(50) * 2, cn.array { -1, 10, 11, 200 }, out })
    assert.same({ 1, 6, 7, 51 }, out:totable())
  end)

  it("a loop without an end is left by return", function()
    local next_prime = cn.vectorize(function(n)
      repeat
        n = n + 1
        local d = 2
        while true do
          if d * d > n then return n end
          if n % d == 0 then break end
          d = d + 1
        end
      until false
    end)
    assert.same({2, 3, 5, 5, 7, 7, 11, 11, 11, 11}, next_prime(cn.range(1, 10)):totable())
  end)

  it("a variable that begins with a number of Lua's may become a float", function()
    local kernel = jit.rawkernel(function(x, y, n)
      local i = jit.grid(1)
      local v, w, half = n, i + 1, #x
      v = v * 0.5 + x[i]
      w = w / 4
      half = half / 2
      local function larger(a, b)
        if a > b then return a, b end
        return b, a
      end
      local p, q = larger(x[i], 1)
      y[{ i, 1 }], y[{ i, 2 }], y[{ i, 3 }], y[{ i, 4 }], y[{ i, 5 }] = v, w, half, p, q
    end)
    for _, dtype in ipairs { "float32", "float64" } do
      local y = cn.zeros({ 3, 5 }, dtype)
      kernel(1, 3, { cn.arange(3):astype(dtype), y, 3 })
      assert.same({ { 1.5, 0.5, 1.5, 1, 0 }, { 2.5, 0.75, 1.5, 1, 1 }, { 3.5, 1, 1.5, 2, 1 } }, y:totable())
    end
  end)

  it("values are computed from left to right", function()
    local kernel = jit.rawkernel(function(x)
      local function change()
        x[1] = x[1] + 10
        return x[1], 5
      end
      local a, b, c = x[1], change()
      x[2], x[3], x[4] = a, b, c
    end)
    local x = cn.zeros(4)
    kernel(1, 1, { x })
    assert.same({ 10, 0, 10, 5 }, x:totable())
  end)

  it("floors are stored in integers, saturating", function()
    local kernel = jit.rawkernel(function(x, y)
      local i = jit.grid(1)
      y[i] = math.floor(x[i])
    end)
    local y = cn.zeros(4, "int32")
    kernel(1, 4, { cn.array { 2.7, -2.2, 1e10, 0 / 0 }, y })
    assert.same({ 2, -3, 2147483647, 0 }, y:totable())
  end)

  it("a captured 0 that becomes -0 makes another kernel", function()
    local n = 0
    local kernel = jit.rawkernel(function(x)
      x[1] = n
    end)
    local x = cn.zeros(1)
    kernel(1, 1, { x })
    assert.equal(math.huge, 1 / x[1])
    n = -0.0
    kernel(1, 1, { x })
    assert.equal(-math.huge, 1 / x[1])
  end)
end)
