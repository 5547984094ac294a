--- Kernels written in Lua: what they compute, on every device, against what Lua computes.
-- luacheck: ignore 411 413 421 422 423 431 581 (kernels shadow names and negate comparisons on purpose)
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local jit = cn.jit

devices.each_device(function()
  --- A new array of zeros.
  local function zeros(shape, dtype) return cn.zeros(shape, dtype or "float64") end

  describe("a kernel in Lua", function()
    it("squares elements, one a thread", function()
      local square = jit.rawkernel(function(x, y, n)
        local i = cn.jit.grid(1)
        if i <= n then y[i] = x[i] * x[i] end
      end)
      local x, y = cn.arange(10):astype "float32", zeros(10, "float32")
      square(2, 8, { x, y, 10 })
      assert.same((x * x):totable(), y:totable())
      square(2, 8, { x, y, 3 }, { boundscheck = false })
      assert.equal("<jit.rawkernel square(x, y, n)>", tostring(square))
      assert.equal("square", square.name)
    end)

    it("squares elements with a loop of the grid's stride", function()
      local square = jit.rawkernel(function(x, y)
        for i = jit.grid(1), #x, jit.gridsize(1) do y[i] = x[i] ^ 2 end
      end)
      local x, y = cn.arange(1000), zeros(1000)
      square(3, 32, { x, y })
      assert.same((x * x):totable(), y:totable())
    end)

    it("is launched in Numba's form, too", function()
      local function add(x, y, n)
        local i = cn.jit.grid(1)
        if i <= n then y[i] = x[i] + n end
      end
      local kernel, x, y = cn.jit.rawkernel(add), cn.arange(100), cn.zeros(100)
      kernel[{{4}, 32}](x:astype "float64", y, 100)
      assert.is_true(cn.array_equal(x + 100, y))
      raises("add: a launch is kernel[{grid, block}](x, y), or kernel(grid, block, {x, y})", function()
        kernel[{4}](x, y, 100)
      end)
    end)

    it("takes arrays of any layout, with one or more positions", function()
      local copy = jit.rawkernel(function(x, y)
        local i, j = jit.grid(2)
        if i <= x.shape[1] and j <= x.shape[2] then
          y[i][j] = x[{ i, j }] + 100 * #x + 10 * x.ndim + x.size
        end
      end)
      local base = cn.arange(24):reshape(4, 6)
      for _, x in ipairs { base, base.T, base["::2, ::-1"], base["2, :"]:reshape(2, 3) } do
        local y = zeros(x.shape)
        copy({ 2, 3 }, { 4, 2 }, { x, y })
        assert.same((x + 100 * #x + 20 + x.size):totable(), y:totable())
        local target = zeros { x.shape[2], x.shape[1] }
        copy({ 2, 3 }, { 4, 2 }, { x, target.T })
        assert.same((x + 100 * #x + 20 + x.size):totable(), target.T:totable())
      end
      local reach = jit.rawkernel(function(x, y)
        for d = 1, x.ndim do y[d] = x.shape[d] end
        y[4] = x[{ 2, 1, 3 }]
        y[5] = x[2][2][1]
      end)
      local y = zeros(5)
      reach(1, 1, { cn.arange(12):reshape(2, 2, 3), y })
      assert.same({ 2, 2, 3, 8, 9 }, y:totable())
    end)

    it("reads and writes elements of all real dtypes", function()
      local plus = jit.rawkernel(function(x, y)
        local i = jit.grid(1)
        y[i] = x[i] + 1
      end)
      for _, dtype in ipairs { "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
        "bfloat16", "float32", "float64" } do
        local x, y = cn.arange(5):astype(dtype), zeros(5, dtype)
        plus(1, 5, { x, y })
        assert.same((x + 1):totable(), y:totable(), dtype)
      end
      local invert = jit.rawkernel(function(x, y)
        local i = jit.grid(1)
        y[i] = not x[i]
      end)
      local y = zeros(2, "bool")
      invert(1, 2, { cn.array { true, false }, y })
      assert.same({ false, true }, y:totable())
    end)

    it("wraps small integers and rounds halves as arrays do", function()
      local twice = jit.rawkernel(function(x, y, z)
        local i = jit.grid(1)
        local v = x[i]
        y[i] = v + v
        z[i] = z[i] / 3
      end)
      for _, dtype in ipairs { "int8", "uint8", "int16", "int32", "uint32", "int64" } do
        local x = cn.array({ 100, 127 }, dtype)
        local y, z = zeros(2, dtype), cn.array({ 1, 2 }, "float16")
        twice(1, 2, { x, y, z })
        assert.same((x + x):totable(), y:totable(), dtype)
        assert.same((cn.array({ 1, 2 }, "float16") / 3):totable(), z:totable())
      end
    end)
  end)

  describe("arithmetic", function()
    --- What a function of some numbers gives, in a kernel and in Lua.
    local function both(fn, kernel, a, b, count)
      local out = zeros(count)
      kernel(1, 1, { a, b, out })
      local expected = {}
      fn(a, b, expected)
      local got = out:totable()
      for k = 1, count do
        if expected[k] == expected[k] or got[k] == got[k] then
          assert.equal(expected[k], got[k], ("result %d for %s and %s"):format(k, tostring(a), tostring(b)))
        end
      end
    end

    it("is Lua's for floats", function()
      local function fn(a, b, out)
        out[1] = a / b
        out[2] = a % b
        out[3] = -a - b * 2 + 0.5
        out[4] = (a + b) * (a - b)
        out[5] = a ^ 2 + b ^ 0.5
        out[6] = math.floor(a) + math.ceil(b)
        out[7] = math.abs(a) + math.max(a, b, 1) - math.min(a, 2, b)
        out[8] = math.fmod(a, b)
        out[9] = a < b and 1 or a == b and 2 or 3
        out[10] = (a <= b and not (a >= 3)) and a or b
        out[11] = math.deg(b)
        out[12] = 7 % 3 + -7 % 3 + 2 ^ 3 + 7 / 2
      end
      local kernel = jit.rawkernel(fn)
      for _, pair in ipairs { { 5.5, 2.25 }, { -5.5, 2.25 }, { 5.5, -2.25 }, { -5.5, -2.25 }, { 0.5, 0.5 } } do
        both(fn, kernel, pair[1], pair[2], 12)
      end
    end)

    it("is Lua's for integers", function()
      local function fn(a, b, out)
        out[1] = a / b
        out[2] = a % b
        out[3] = a * b - 7 % b
        out[4] = math.fmod(a, b)
        out[5] = math.abs(a)
        out[6] = a ^ 3 + a ^ -1
        out[7] = bit.band(a, 6) + bit.bor(b, 8) + bit.bxor(a, b) + bit.bnot(a)
        out[8] = bit.lshift(b, 3) + bit.arshift(a, 1)
        out[9] = math.max(a, b, 2) + math.floor(a / b)
        out[10] = a ~= b and a or 17
        out[11] = -a
        out[12] = math.floor((a + b) / 2)
      end
      local kernel = jit.rawkernel(fn)
      for _, pair in ipairs { { 7, 3 }, { -7, 3 }, { 7, -3 }, { -7, -3 }, { 6, 3 }, { 5, 5 } } do
        both(fn, kernel, pair[1], pair[2], 12)
      end
    end)

    it("divides integers by zero as cuna's arrays do, and shifts as LuaJIT", function()
      local kernel = jit.rawkernel(function(a, b, out)
        out[1] = a[1] % b[1]
        out[2] = math.fmod(a[1], b[1])
        out[3] = bit.rshift(a[1], 1)
        out[4] = bit.rol(a[1], 4)
        out[5] = bit.ror(a[1], 36)
        out[6] = bit.bswap(a[1])
        out[7] = bit.tobit(a[1])
        out[8] = bit.lshift(a[1], 33)
      end)
      local a, out = cn.array({ -5 }, "int32"), zeros(8, "int64")
      kernel(1, 1, { a, cn.zeros(1, "int32"), out })
      local expected = { 0, 0, bit.rshift(-5, 1), bit.rol(-5, 4), bit.ror(-5, 36), bit.bswap(-5), -5 }
      expected[8] = bit.lshift(-5, 33)
      assert.same(expected, out:totable())
    end)

    it("has Lua's mathematical functions", function()
      local function fn(a, b, out)
        out[1] = math.sin(a) + math.cos(b)
        out[2] = math.tan(a)
        out[3] = math.asin(a) + math.acos(a)
        out[4] = math.atan(b) + math.atan2(a, b)
        out[5] = math.sinh(a) + math.cosh(a)
        out[6] = math.tanh(a)
        out[7] = math.exp(a) + math.sqrt(b)
        out[8] = math.log(b)
        out[9] = math.log10(b)
        out[10] = math.log(b, 3)
        out[11] = math.pow(b, a)
        out[12] = math.rad(b)
      end
      local kernel, out, expected = jit.rawkernel(fn), zeros(12), {}
      kernel(1, 1, { 0.25, 7.5, out })
      fn(0.25, 7.5, expected)
      cn.testing.assert_allclose(out, expected, { rtol = 1e-14 })
      local single = zeros(12, "float32")
      kernel(1, 1, { cn.scalar(0.25, "float32"), cn.scalar(7.5, "float32"), single })
      cn.testing.assert_allclose(single, expected, { rtol = 1e-6 })
    end)

    it("takes the dtype of the float beside a number", function()
      local kernel = jit.rawkernel(function(x, a, n, y)
        y[1] = x[1] * a + n * 0.1 / 3 + n / 7
      end)
      local x, y = cn.array({ 1.1 }, "float32"), zeros(1)
      kernel(1, 1, { x, 0.7, 3, y })
      local text = kernel:source(x, 0.7, 3, y)
      assert(text:find("(x_.at(1ll) * (float)(a_))", 1, true), text)
      kernel(1, 1, { cn.array { 1.1 }, 0.7, 3, y })
      assert.equal(1.1 * 0.7 + 3 * 0.1 / 3 + 3 / 7, y[1])
    end)
  end)

  describe("statements", function()
    --- Runs a kernel of one thread over a list of results, and the same function in Lua.
    local function same(count, fn, ...)
      local kernel, out, expected, given = jit.rawkernel(fn), zeros(count), {}, { ... }
      for k = 1, count do expected[k] = 0 end
      kernel(1, 1, { out, ... })
      fn(expected, unpack(given))
      assert.same(expected, out:totable())
    end

    it("are Lua's loops", function()
      same(12, function(out, n, step)
        for i = 1, n do out[1] = out[1] + i end
        for i = n, 1, -2 do out[2] = out[2] * 2 + i end
        for i = 1, n, step do out[3] = out[3] * 3 + i end
        for i = n, -n, -step do out[4] = out[4] + i end
        for i = 2, 1 do out[5] = i end
        for t = 0, 1, 0.25 do out[6] = out[6] + t end
        local k = 0
        while k < n do
          k = k + 1
          if k == 3 then break end
        end
        out[7] = k
        repeat
          local done = k >= 8
          k = k + 2
        until done
        out[8] = k
        for i = 1, 3 do
          local i = i * 2
          for j = 1, math.huge do
            if j > i then break end
            out[9] = out[9] + i * j
          end
        end
        for i = 1, 4 do
          i = i * i
          out[10] = out[10] + i
        end
        for i = 1, n / 2 do out[11] = out[11] + i end
        for i = n + 0.5, 1.5, -1 do out[12] = out[12] + i end
      end, 7, 2)
    end)

    it("are Lua's assignments", function()
      same(9, function(out, p)
        local a, b = 1, 2
        a, b = b, a
        out[1], out[2] = a, b
        local i = 3
        i, out[i] = i + 1, 20
        out[i], out[i + 1] = out[i - 1], i
        local c
        if p > 2 then c = 5 elseif p > 1 then c = 6 else c = 7 end
        out[6] = c
        do
          local c = 9
          out[7] = c
        end
        local big, flag = p > 1 and p * 2 or -1, p > 1
        out[8] = big
        if flag and not (big == 3) or false then out[9] = 1 else out[9] = 2 end
      end, 2)
    end)

    it("let a literal begin a sum of floats, and a number of whole ones", function()
      local kernel = jit.rawkernel(function(x, y, z)
        local s, n, m = 0, 0, 0.0
        for i = 1, #x do
          s = s + x[i]
          if x[i] > 1 then n = n + 1 end
          m = math.max(m, x[i])
        end
        y[1], z[1], y[2] = s, n, m
      end)
      local x = cn.array({ 0.5, 1.5, 2.5 }, "float32")
      local y, z = zeros(2, "float32"), zeros(1, "int64")
      kernel(1, 1, { x, y, z })
      assert.same({ 4.5, 2.5 }, y:totable())
      assert.same({ 2 }, z:totable())
      assert(kernel:source(x, y, z):find("float s_ = 0.0f;", 1, true))
      assert(kernel:source(x, y, z):find("long long n_ = 0ll;", 1, true))
    end)

    it("give types to what follows from a variable that widens", function()
      local kernel = jit.rawkernel(function(x, y)
        local best, from = 0, 0
        for i = 1, #x do
          local before = best
          best = best + x[i]
          if best > before then from = before end
          for v = before, best do y[2] = y[2] + v end
        end
        y[1] = from
      end)
      local y = zeros(2)
      kernel(1, 1, { cn.array { 0.5, 1.5, -1 }, y })
      assert.same({ 0.5, 0 + 0.5 + 1.5 }, y:totable())
    end)

    it("compute positions before they store", function()
      same(4, function(out)
        out[1] = 3
        out[1], out[math.floor(out[1])] = 2, 5
        local i = 1
        i, out[i + 1] = 4, 7
        out[i] = 2 ^ 63
      end)
    end)

    it("take booleans, boxed numbers and typed ones", function()
      local kernel = jit.rawkernel(function(flag, big, half, out)
        if flag then out[1] = big % 1000 end
        out[2] = half * 2
      end)
      local out = zeros(2)
      kernel(1, 1, { true, 9007199254740993LL, cn.scalar(0.1, "float16"), out })
      assert.same({ 993, cn.array({ 0.1 }, "float16")[1] * 2 }, out:totable())
      kernel(1, 1, { true, 18446744073709551615ULL, cn.scalar(2, "int8"), out })
      assert.same({ 615, 4 }, out:totable())
      kernel(1, 1, { false, 0, 0, out })
      assert.same({ 615, 0 }, out:totable())
    end)

    it("use whole floats as positions", function()
      same(3, function(out, n)
        local low, high = 1, n
        while low < high do
          local middle = math.floor((low + high) / 2)
          out[middle] = out[middle] + 1
          low = middle + 1
        end
      end, 3)
    end)
  end)

  describe("functions", function()
    local scale = 3
    local config = { offset = 10, deep = { dtype = "float32" } }
    local function twice(v) return v * 2 end
    local function bounds(a, b)
      if a < b then return a, b end
      return b, a
    end
    local function fill(x, first, value)
      for i = first, #x do x[i] = value end
    end
    local function apply(f, v) return f(f(v)) end

    it("are captured, with their constants", function()
      local kernel = jit.rawkernel(function(x, out)
        local low, high = bounds(x[2], x[1])
        out[1] = twice(low) + config.offset
        out[2] = high * scale
        out[3] = apply(twice, 4)
        local function square(v) return v * v end
        local total = 0
        local function add(v) total = total + square(v) end
        add(x[1])
        add(2)
        out[4] = total
        out[5] = (bounds(8, 5))
        fill(out, 6, 1.5)
      end)
      local x, out = cn.array { 4, 3 }, zeros(7)
      kernel(1, 1, { x, out })
      assert.same({ 16, 12, 16, 20, 5, 1.5, 1.5 }, out:totable())
      scale, config.offset = 5, 20
      kernel(1, 1, { x, out })
      assert.same({ 26, 20, 16, 20, 5, 1.5, 1.5 }, out:totable())
      scale, config.offset = 3, 10
      kernel(1, 1, { x, out })
      assert.same({ 16, 12 }, { out[1], out[2] })
    end)

    it("are given to others, also those inside of others", function()
      local kernel = jit.rawkernel(function(x, out)
        local function map(f, first, last)
          for i = first, last do out[i] = f(x[i]) end
        end
        local shift = 0.5
        map(function(v)
          return v + shift
        end, 1, 2)
        local function both(f, g, v) return f(g(v)) end
        local function half(v) return v / 2 end
        local function use(v) return both(half, function(w)
          return w + shift
        end, v) end
        if x[1] > 0 then out[3] = use(x[3]) end
        out[4] = apply(half, both(twice, half, 12))
      end)
      local x, out = cn.array { 1, 2, 3 }, zeros(4)
      kernel(1, 1, { x, out })
      assert.same({ 1.5, 2.5, 1.75, 3 }, out:totable())
    end)

    it("are translated for each kind of argument", function()
      local kernel = jit.rawkernel(function(x, y, out)
        out[1], out[2], out[3] = twice(x[1]), twice(y[1]), twice(3)
      end)
      local x, y, out = cn.array({ 100 }, "int8"), cn.array({ 0.1 }, "float32"), zeros(3)
      kernel(1, 1, { x, y, out })
      assert.same({ -56, (y * 2)[1], 6 }, out:totable())
    end)

    it("know names of cn.jit under other names", function()
      local tid, grid = jit.threadIdx, jit.grid
      local kernel = jit.rawkernel(function(out)
        local bid, floor = cn.jit.blockIdx, math.floor
        local i = grid(1)
        out[i] = tid.x + 10 * bid.x + 100 * cn.jit.blockDim.x + 1000 * floor(cn.jit.gridDim.x + 0.5)
      end)
      local out = zeros(4)
      kernel(2, 2, { out })
      assert.same({ 2200, 2201, 2210, 2211 }, out:totable())
    end)

    it("leave out branches that constants decide", function()
      local is_debug = false
      local kernel = jit.rawkernel(function(out)
        if is_debug then out[1] = out.nothing else out[1] = 1 end
        if out.dtype == "float64" then out[2] = 2 elseif true then out[2] = out.nothing end
      end)
      local out = zeros(2)
      kernel(1, 1, { out })
      assert.same({ 1, 2 }, out:totable())
    end)

    it("convert by dtypes that are constants", function()
      local kernel = jit.rawkernel(function(x, out)
        out[1] = jit.cast(x[1], "int32")
        out[2] = jit.cast(x[1], config.deep.dtype)
        out[3] = jit.cast(x[1], cn.float16)
        out[4] = jit.cast(x[2], "uint8")
        out[5] = jit.cast(x[3], "int64")
        out[6] = jit.cast(x[1] ~= 0, "int8") + jit.cast(3, "int8") * jit.cast(2.7, "int8")
      end)
      local x, out = cn.array { -3.7, 300, 0 / 0 }, zeros(6)
      kernel(1, 1, { x, out })
      local single, half = cn.array({ -3.7 }, "float32")[1], cn.array({ -3.7 }, "float16")[1]
      assert.same({ -3, single, half, 255, 0, 7 }, out:totable())
    end)
  end)
end)
