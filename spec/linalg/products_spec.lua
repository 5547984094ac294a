--- Products of vectors and matrices: NumPy's results, in every dtype, layout and stack; outputs, overlap, errors.
local busted = require "busted"
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local golden = require "spec.support.golden"
local process = require "spec.support.process"
local products = require "cuna.linalg.products"
local raises = require("spec.support.raises").raises

local values = dofile "spec/golden/products.lua"

local it = devices.rehearsed_it()
local prepared, laid_out, same = golden.prepared, golden.laid_out, golden.same

local EXACT = { bool = true, int8 = true, int16 = true, int32 = true, int64 = true, uint8 = true, uint16 = true,
  uint32 = true, uint64 = true }

--- A product by its definition, in float64 or int64.
local function reference(a, b)
  local dtype = EXACT[a.dtype] and "int64" or "float64"
  return cn.sum(a:astype(dtype)[{ {}, {}, cn.newaxis }] * b:astype(dtype)[{ cn.newaxis, {}, {} }], 2)
end

local function agree(a, b, note) assert.is_true(golden.rehearsing or cn.array_equal(a, b), note) end

--- Small whole numbers, of which sums of products are exact.
local function filled(shape, dtype, shift)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return ((cn.arange(size) * 7 + (shift or 0)) % 5 - 2):reshape(shape):astype(dtype or "float64")
end

describe("a plain product", function()
  --- How many functions a call runs, its own among them: the least of several, because a collection may be due.
  local function count_calls(fn, ...)
    local least = math.huge
    collectgarbage "stop" -- finalizers are functions too
    jit.off(jit.flush()) -- compiled code calls no hooks
    for _ = 1, 8 do
      local count = 0
      debug.sethook(function() count = count + 1 end, "c")
      fn(...)
      debug.sethook()
      least = math.min(least, count)
    end
    jit.on()
    collectgarbage "restart"
    return least
  end

  busted.it("of matrices takes one way through Lua, with an output too", function()
    local x, out = filled { 3, 3 }, cn.zeros { 3, 3 }
    for _, fn in ipairs { cn.matmul, cn.dot } do
      fn(x, x)
      local plain = count_calls(fn, x, x)
      for _, given in ipairs { { out = out }, out } do
        out:fill(0)
        assert.is_true(count_calls(fn, x, x, given) <= plain)
        assert.equal(out, fn(x, x, given))
        agree(out, reference(x, x))
      end
    end
  end)

  it("reads all other arguments as before", function()
    local x, out = filled { 3, 4 }, cn.zeros { 3, 3 }
    local wide, whole = cn.zeros({ 3, 3 }, "complex128"), cn.zeros({ 3, 3 }, "int32")
    agree(cn.matmul(x, x.T, wide).real, reference(x, x.T))
    agree(cn.matmul(x, x.T, {}), reference(x, x.T))
    agree(cn.matmul(x, x.T, nil), reference(x, x.T))
    for words, given in pairs {
      ["out has shape (4, 3), but the result has shape (3, 3)"] = { { out = cn.zeros { 4, 3 } } },
      ["a float64 result cannot be written to int32; cast it with astype"] = { { out = whole } },
      ["unknown option 'into'; known are out"] = { { into = out } },
      ["unknown option 'axis'; known are out"] = { { out = out, axis = 1 } },
      ["a table with the option 'out' and list elements; write data and options apart"] = { { [1] = out, out = out } },
      ["takes at most 3 arguments (x1, x2, out), got 4"] = { out, out },
      ["out is given by position and by option"] = { out, { out = out } },
      ["out: expected an array, got 3"] = { { out = 3 } },
    } do
      raises("matmul: " .. words, function() cn.matmul(x, x.T, unpack(given)) end)
    end
    local freed = cn.zeros { 3, 3 }
    freed:free()
    assert.has_error(function() cn.matmul(x, x.T, freed) end)
    assert.has_error(function() cn.matmul(x, x.T, cn.broadcast_to(cn.zeros(3), { 3, 3 })) end)
  end)
end)

describe("a small product on the cpu device", function()
  --- Prints the processor time of the thread that worked most beside the main one, as a share of the main one's, in
  --- the best of several periods: OpenBLAS's threads spin for the first 0.1 s of their life.
  local script = [[
    local cn, ffi = require "cuna", require "ffi"
    ffi.cdef "struct cputime { long s, ns; }; int clock_gettime(int, struct cputime *);"
    local time = ffi.new "struct cputime"
    --- Linux has a clock for each thread, whose number is made of the thread's.
    local function seconds_of(id)
      assert(ffi.C.clock_gettime(-8 * id - 2, time) == 0)
      return tonumber(time.s) + 1e-9 * tonumber(time.ns)
    end
    local process = io.open("/proc/self/stat"):read():match "^%d+"
    local function seconds()
      local result = {}
      for id in io.popen("ls /proc/" .. process .. "/task"):lines() do result[id] = seconds_of(id) end
      return result
    end
    local x, y = cn.ones {128, 64}, cn.ones {64, 128}
    local function share()
      local before, most, own = seconds(), 0, nil
      repeat
        for _ = 1, 100 do cn.matmul(x, y):free() end
        own = seconds_of(process) - before[process]
      until own >= 0.1
      for id, now in pairs(seconds()) do
        if id ~= process then most = math.max(most, now - (before[id] or 0)) end
      end
      return most / own
    end
    local least = math.huge
    for _ = 1, 5 do least = math.min(least, share()) end
    print(least)]]

  it("keeps no other thread spinning", function()
    local share = tonumber(process.must_run(script, {CUNA_DEVICE = "cpu", CUNA_NUM_THREADS = "2"}))
    assert.is_true(share <= 0.5, share) -- one that spins has nearly 1
  end)
end)

devices.each_device(function(device)
  describe("products agree with NumPy:", function()
    it("of all shapes, in all layouts", prepared(function()
      for number, case in ipairs(values.shapes) do
        local note = ("%s, case %d"):format(case.name, number)
        local a, b = golden.array(case.a), golden.array(case.b)
        same(case.result, cn[case.name](a, b), note)
        same(case.result, cn[case.name](laid_out(a, 1), laid_out(b, 1)), note .. ", transposed")
        same(case.result, cn[case.name](laid_out(a, 2), laid_out(b, 3)), note .. ", with gaps")
      end
    end))

    it("of two arrays alone is the same as with a nil after them", prepared(function()
      for _, dtype in ipairs { "float16", "float32", "float64", "complex64" } do
        local a, b, v = filled({ 5, 3 }, dtype), filled({ 3, 4 }, dtype, 1), filled({ 3 }, dtype, 2)
        for _, name in ipairs { "matmul", "dot" } do
          for _ = 1, 2 do -- the first call of a dtype makes the program
            agree(cn[name](a, b, nil), cn[name](a, b), name .. dtype)
            agree(cn[name](a, v, nil), cn[name](a, v), name .. dtype)
            agree(cn[name](v, v, nil), cn[name](v, v), name .. dtype)
          end
        end
      end
    end))

    it("not of freed arrays, nor of others that do not fit", function()
      local a, v, freed = cn.ones { 2, 3 }, cn.ones { 3 }, cn.ones { 3 }
      freed:free()
      raises("dot: the array was freed", function() local _ = cn.dot(a, freed) end)
      raises("dot: the array was freed", function() local _ = cn.dot(freed, v) end)
      raises("matmul: shapes (2, 3) and (2,) do not fit", function() local _ = cn.matmul(a, cn.ones { 2 }) end)
    end)

    it("where several threads share one", function()
      for _, dtype in ipairs { "float32", "complex128" } do
        for _, lengths in ipairs { { 70, 450, 300 }, { 450, 70, 300 }, { 257, 257, 130 } } do
          local rows, columns, inner = unpack(lengths)
          local a, b = filled({ rows, inner }, dtype), filled({ inner, columns }, dtype, 3)
          local expected = cn.matmul(a.real:astype "int64", b.real:astype "int64")
          for way, result in ipairs { cn.matmul(a, b), cn.matmul(laid_out(a, 1), b), cn.matmul(a, laid_out(b, 1)),
            cn.matmul(laid_out(a, 1), laid_out(b, 1)), cn.matmul(b.T, a.T).T } do
            agree(expected:astype(dtype), result, ("%s, %d %d, %d"):format(dtype, rows, columns, way))
          end
        end
      end
    end)

    it("of all dtypes", prepared(function()
      for number, case in ipairs(values.dtypes) do
        local a, b = golden.array(case.a), golden.array(case.b)
        same(case.result, cn[case.name](a, b), ("%s, case %d"):format(case.name, number))
      end
    end))

    it("of integers that wrap", prepared(function()
      for number, case in ipairs(values.wraps) do
        same(case.result, cn.matmul(golden.array(case.a), golden.array(case.b)), "case " .. number)
      end
    end))

    it("tensordot, multi_dot, matrix_power", prepared(function()
      for number, case in ipairs(values.tensordots) do
        same(case.result, cn.tensordot(golden.array(case.a), golden.array(case.b), case.axes), "tensordot " .. number)
      end
      for number, case in ipairs(values.chains) do
        local arrays = {}
        for i, x in ipairs(case.arrays) do arrays[i] = golden.array(x) end
        same(case.result, cn.multi_dot(arrays), "multi_dot " .. number)
      end
      for number, case in ipairs(values.powers) do
        same(case.result, cn.matrix_power(golden.array(case.a), case.n), "matrix_power " .. number)
      end
    end))
  end)

  describe("matmul", function()
    it("multiplies bfloat16, and halves in float32", prepared(function()
      for _, dtype in ipairs { "bfloat16", "float16" } do
        local a, b = filled({ 5, 300 }, dtype), filled({ 300, 4 }, dtype, 2)
        local expected = reference(a, b):astype(dtype)
        agree(expected, cn.matmul(a, b), dtype)
        agree(expected.T, cn.matmul(b.T, a.T), dtype .. ", transposed")
        agree(expected[{ {}, 1 }], cn.matmul(a, b[{ {}, 1 }]), dtype .. ", a vector")
      end
      local a = cn.full({ 1, 3000 }, 1, "float16")
      agree(cn.full({ 1, 2 }, 3000, "float16"), cn.matmul(a, cn.ones({ 3000, 2 }, "float16")))
    end))

    it("multiplies one column and one row", prepared(function()
      for _, dtype in ipairs { "bfloat16", "float16", "float32", "float64", "complex64", "complex128" } do
        local a, b = filled({ 4, 1 }, dtype), filled({ 1, 3 }, dtype, 2)
        if dtype:find "complex" then a, b = a * ffi.new("complex", 1, 2), b - ffi.new("complex", 0, 1) end
        a, b = a:astype(dtype), b:astype(dtype)
        agree(a * b, cn.matmul(a, b), dtype)
        agree(a * b, cn.tensordot(a[{ {}, 1 }], b[1], 0), dtype .. ", tensordot")
        local rows = cn.ones({ 6, 3 }, dtype)
        cn.matmul(a, b, { out = rows[{ { 1, 4 }, {} }] })
        agree(a * b, rows[{ { 1, 4 }, {} }], dtype .. ", into a part")
        agree(cn.ones({ 2, 3 }, dtype), rows[{ { 5, 6 }, {} }], dtype .. ", beside the part")
      end
    end))

    it("takes tiles of every size", prepared(function()
      for _, dtype in ipairs { "int32", "int8", "int64", "bool", "float32", "float64" } do
        for _, size in ipairs { { 1, 1, 2 }, { 2, 100, 3 }, { 65, 17, 66 }, { 130, 20, 70 }, { 15, 500, 31 } } do
          local m, k, n = unpack(size)
          if dtype == "int32" or m == 65 or m == 15 then
            local a, b = filled({ m, k }, dtype), filled({ k, n }, dtype, 1) -- of floats with few tiles, too
            local product, note = reference(a, b):astype(dtype), ("%s (%d, %d, %d)"):format(dtype, m, k, n)
            for i = 0, 1 do agree(product, cn.matmul(laid_out(a, i), laid_out(b, 2 * i)), note) end
          end
        end
      end
    end))

    it("adds floats in order where bits are to be the same everywhere", prepared(function()
      for _, dtype in ipairs { "float32", "float64" } do
        local round = ffi.typeof(dtype == "float32" and "float[1]" or "double[1]")
        for _, size in ipairs { { 1, 40, 1 }, { 3, 7, 5 }, { 70, 33, 130 } } do
          local m, k, n = unpack(size)
          local g = cn.random.default_rng(m)
          local a, b = g:normal(0, 1, { m, k }, dtype), g:normal(0, 1, { k, n }, dtype)
          local got, x, y = products.in_order(a, b, "matmul"), a:totable(), b:totable()
          agree(got, products.in_order(laid_out(a, 1), laid_out(b, 2), "matmul"), "in other layouts")
          for i = 1, golden.rehearsing and 0 or m, 4 do
            local sum = round()
            for l = 1, k do sum[0] = sum[0] + round(x[i][l] * y[l][n])[0] end
            assert.equal(sum[0], got[{ i, n }])
          end
        end
      end
    end))

    it("takes stacks of small matrices", prepared(function()
      for _, case in ipairs { { 70, 3, 5, 2 }, { 9, 8, 8, 8 }, { 17, 1, 16, 4 }, { 3, 16, 16, 16 }, { 2, 17, 2, 3 } } do
        local count, m, k, n = unpack(case)
        local a = (cn.arange(count * m * k) * 7919 % 23 - 11):reshape(count, k, m):swapaxes(2, 3)
        local b = (cn.arange(count * k * n) * 31 % 19 - 9):reshape(count, k, n)
        local expected = (a:expand_dims(4) * b:expand_dims(2)):sum(3)
        for _, dtype in ipairs { "float32", "float64", "int8" } do
          local got = cn.matmul(a:astype(dtype), b:astype(dtype))
          assert.is_true(golden.rehearsing or got == expected:astype(dtype))
        end
        local x = b:astype "float64"
        x[{ count, 1, 1 }] = cn.nan
        assert.is_true(golden.rehearsing or cn.isnan(cn.matmul(a:astype "float64", x)):sum():item() == m)
      end
    end))

    it("broadcasts stacks in any layout", prepared(function()
      for _, dtype in ipairs { "float64", "int32" } do
        local a, b = filled({ 3, 1, 4, 5 }, dtype), filled({ 2, 5, 3 }, dtype, 3)
        local got = cn.matmul(a, b)
        for i = 1, 3 do
          for j = 1, 2 do
            agree(reference(a[{ i, 1, {}, {} }], b[j]):astype(dtype), got[{ i, j, {}, {} }], dtype)
          end
        end
        agree(got, cn.matmul(cn.broadcast_to(a, 3, 2, 4, 5), cn.broadcast_to(b, 3, 2, 5, 3)), "strides of 0")
        agree(got, cn.matmul(laid_out(a, 1), laid_out(b, 2)), "in other layouts")
        local moved = a:transpose(3, 1, 2, 4):copy():transpose(2, 3, 1, 4)
        agree(got, cn.matmul(moved, b), "rows outside of the stack")
        local windows = cn.sliding_window_view(filled({ 9 }, dtype), 5) -- rows overlap
        agree(reference(windows, b[1]):astype(dtype), cn.matmul(windows, b[1]), "windows")
        agree(reference(windows, b[1]):astype(dtype), cn.matmul(windows[{ {}, cn.newaxis, {} }], b[1])[{ {}, 1, {} }],
          "a stack of windows")
        local row = cn.broadcast_to(filled({ 5 }, dtype), 4, 5)
        agree(reference(row, b[1]):astype(dtype), cn.matmul(row, b[1]), "equal rows")
      end
    end))

    it("writes out in any layout, over its operands too", prepared(function()
      for _, dtype in ipairs { "float32", "int32" } do
        local a, b = filled({ 4, 4 }, dtype), filled({ 4, 4 }, dtype, 1)
        local expected = reference(a, b):astype(dtype)
        for layout = 0, 3 do
          local out = laid_out(cn.zeros({ 4, 4 }, dtype), layout)
          assert.equal(out, cn.matmul(a, b, { out = out }))
          agree(expected, out, dtype .. ", layout " .. layout)
        end
        local both = cn.zeros({ 4, 4, 2 }, dtype)
        cn.matmul(a, b, both[{ {}, {}, 2 }])
        agree(expected, both[{ {}, {}, 2 }], "a column of an array")
        agree(cn.zeros({ 4, 4 }, dtype), both[{ {}, {}, 1 }], "its neighbours")
        local x, y = a:copy(), a:copy()
        agree(expected, cn.matmul(x, b, { out = x }), "over the first")
        agree(reference(b, a):astype(dtype), cn.matmul(b, y, { out = y.T }).T:copy().T, "over the second, transposed")
        local narrow = cn.zeros({ 4, 4 }, "float16")
        if dtype == "float32" then agree(expected:astype "float16", cn.matmul(a, b, narrow), "in another dtype") end
        local line = cn.zeros({ 4 }, dtype)
        agree(expected[{ {}, 1 }], cn.matmul(a, b[{ {}, 1 }], line), "a vector")
        agree(expected[1], cn.matmul(a[1], b, line), "a row")
      end
      local outer, tall = cn.zeros({ 2, 3 }), cn.zeros({ 3, 2 }).T
      agree(cn.array { { 1, 2, 3 }, { 2, 4, 6 } }, cn.outer({ 1, 2 }, { 1, 2, 3 }, { out = outer }))
      agree(outer, cn.dot(cn.array { { 1 }, { 2 } }, cn.array { { 1, 2, 3 } }, tall))
      local stack = cn.zeros({ 2, 5, 4, 2 })
      agree(cn.full({ 2, 5, 4, 2 }, 3), cn.dot(cn.ones({ 2, 5, 3 }), cn.ones({ 4, 3, 2 }), { out = stack }))
    end))

    it("takes numbers and tables beside arrays", prepared(function()
      local x = cn.ones({ 2, 2 }, "float32")
      for _, got in ipairs { cn.dot(x, 2), cn.dot(2, x), x:inner(2), cn.kron(2, x) } do
        assert.equal("float32", got.dtype)
        agree(cn.full({ 2, 2 }, 2, "float32"), got)
      end
      agree(cn.array { 3, 3 }, cn.matmul(x, { 1, 2 }))
      agree(cn.array(6), cn.dot(2, 3))
    end))

    it("gives NaN and infinity their way", prepared(function()
      local a = cn.array { { cn.inf, 1 }, { cn.nan, 0 } }
      agree(cn.array { true, false }, cn.isinf(cn.matmul(a, { 1, 1 })))
      agree(cn.array { false, true }, cn.isnan(cn.matmul(a, cn.ones({ 2, 3 }))[{ {}, 2 }]))
    end))

    it("is recorded by graphs", function()
      local function both(x, y, n)
        local half = cn.matmul(x:astype "float16", y:astype "float16") -- by copies, on the cpu device
        local wide = cn.matmul(cn.stack({ x, x }, 3)[{ {}, {}, 2 }], y)
        return cn.matmul(x, y), cn.matmul(n, n), x:dot(y[{ {}, 1 }]), half, wide
      end
      local x, y, n = filled({ 3, 4 }), filled({ 4, 2 }), filled({ 3, 3 }, "int32")
      local graph = cn.graph(both, x, y, n)
      for i = 1, 3 do
        local p, q, v, half, wide = graph(x * i, y, n * i)
        assert.is_true(cn.array_equal(half, p:astype "float16"))
        assert.is_true(cn.array_equal(wide, p))
        assert.is_true(cn.array_equal(p, reference(x, y) * i))
        assert.is_true(cn.array_equal(q, (reference(n, n) * i * i):astype "int32"))
        assert.is_true(cn.array_equal(v, reference(x, y)[{ {}, 1 }] * i))
      end
    end)

    it("keeps streams apart", function()
      local streams, results = {}, {}
      local x = filled({ 40, 40 }, "float32")
      cn.synchronize()
      for i = 1, 3 do
        streams[i] = cn.cuda.Stream { non_blocking = true }
        streams[i]:with(function() results[i] = cn.matmul(x * i, x):matmul(x) end)
      end
      cn.synchronize()
      for i = 1, 3 do assert.is_true(cn.array_equal(results[i], x:matmul(x):matmul(x) * i)) end
    end)

    it("refuses what does not fit", function()
      local m, v = cn.ones({ 2, 3 }), cn.ones { 3 }
      raises("matmul: shapes (2, 3) and (2, 3) do not fit: axis 2 of the first has length 3, axis 1 of the second 2",
        function() local _ = cn.matmul(m, m) end)
      raises("matmul: shapes (3,) and (2, 3) do not fit: axis 1 of the first has length 3, axis 1 of the second 2",
        function() local _ = cn.matmul(v, m) end)
      raises("matmul: shapes (2, 3) and (): a 0-d array is not a matrix; write x * y", function()
        local _ = cn.matmul(m, 2)
      end)
      raises("matmul: the stacks of shapes (2, 2, 3) and (3, 3, 4) do not broadcast: (2,) and (3,)", function()
        local _ = cn.matmul(cn.ones({ 2, 2, 3 }), cn.ones({ 3, 3, 4 }))
      end)
      raises("matmul: out has shape (2, 3), but the result has shape (2, 2)", function()
        local _ = cn.matmul(m, m.T, { out = m })
      end)
      raises("matmul: out has shape (2, 3), but the result has shape (2,)", function()
        local _ = cn.matmul(m, v, { out = m })
      end)
      raises("matmul: a float64 result cannot be written to int32", function()
        local _ = cn.matmul(m, m.T, cn.zeros({ 2, 2 }, "int32"))
      end)
      raises("matmul: the array of shape (2, 2) is a broadcast view", function()
        local _ = cn.matmul(m, m.T, cn.broadcast_to(cn.ones { 2 }, 2, 2))
      end)
      raises("matmul: got a Lua boolean", function() local _ = cn.matmul(m, true) end)
      raises("matmul: expected an array, got nil", function() local _ = cn.matmul(m) end)
      raises("matvec: x1 has shape (3,); expected matrices", function()
        local _ = cn.matvec(v, v)
      end)
      raises("vecdot: x2 is 0-d and has no vectors", function() local _ = cn.vecdot(v, 3) end)
      raises("vdot: shapes (2, 3) and (3,) have 6 and 3 elements", function() local _ = cn.vdot(m, v) end)
      raises("dot: shapes (3,) and (2, 3) do not fit", function() local _ = cn.dot(v, m) end)
      raises("tensordot: shapes (2, 3) and (2, 3) do not fit: axis 2 of the first has length 3, axis 1 of the second 2",
        function() local _ = cn.tensordot(m, m, 1) end)
      raises("tensordot: 2 axes of the first array, and 1 of the second", function()
        local _ = cn.tensordot(m, m, { { 1, 2 }, 1 })
      end)
      raises("tensordot: axis 0: axes count from 1 in Lua", function() local _ = cn.tensordot(m, m, { 0, 1 }) end)
      raises("multi_dot: array 2 of shape (2, 3) has 2 rows, and the array before it 3 columns", function()
        local _ = cn.multi_dot { m, m }
      end)
      raises("multi_dot: array 2 has shape (3,); expected a matrix", function()
        local _ = cn.multi_dot { m, v, v }
      end)
      raises("matrix_power: expected square matrices, got shape (2, 3)", function() local _ = cn.matrix_power(m, 2) end)
      raises("set_tf32: the argument is true or false, got nil", function() local _ = cn.set_tf32() end)
      if #devices.names() > 1 then
        local other = device.name == "cpu" and "cuda:0" or "cpu"
        raises("matmul: one array is on", function() local _ = cn.matmul(m, cn.ones({ 3, 2 }, nil, other)) end)
      end
    end)

    it("does not wait", function()
      local x, n = filled({ 20, 20 }), filled({ 20, 20 }, "int32")
      cn.no_sync(function()
        cn.matmul(x, x)
        cn.matmul(n, n)
        cn.dot(x, x[1])
        cn.tensordot(x, x)
        cn.matrix_power(x, 3)
      end)
    end)
  end)
end)

describe("set_tf32", function()
  it("returns the previous setting", function()
    assert.is_false(cn.set_tf32(true))
    local x = filled({ 4, 4 }, "float32")
    assert.is_true(cn.array_equal(cn.matmul(x, x), reference(x, x)))
    assert.is_true(cn.set_tf32(false))
  end)
end)

describe("a library that is not there", function()
  it("is reported in one line, and integers do without", function()
    local said = process.run([[
      local cn = require "cuna"
      print(pcall(cn.matmul, cn.ones({2, 2}), cn.ones({2, 2})))
      print(cn.matmul(cn.ones({2, 2}, "int32"), cn.ones({2, 2}, "int32")))
    ]], { CUNA_OPENBLAS = "off", CUNA_DEVICE = "cpu" })
    assert.truthy(said:find("DeviceError: matmul: no OpenBLAS: looked for $CUNA_OPENBLAS (off) and nothing else; "
      .. "install it (apt-get install libopenblas0), or name the library in CUNA_OPENBLAS", 1, true), said)
    assert.truthy(said:find("[[2 2]\n [2 2]]", 1, true), said)
  end)
end)

if not process.is_sanitized then -- whose shadow is larger than any limit
  describe("OpenBLAS under a limit of addresses", function()
    --- What a script says under `ulimit -v`, in MiB, and how it ended: 124 or 137 when it does not come back.
    local function limited(mib, threads, script)
      local folder = process.folder()
      process.write(folder .. "/child_spec.lua", script)
      local command = process.command(folder .. "/child_spec.lua", { CUNA_DEVICE = "cpu", CUNA_NUM_THREADS = threads,
        OPENBLAS_NUM_THREADS = threads })
      local text, status = process.capture(("ulimit -v %d; exec timeout -k 1 20 %s"):format(mib * 1024, command))
      process.remove(folder)
      return text, status
    end

    it("takes all that it needs at once, or says in one line that it is too much", function()
      for _, call in ipairs { "cn.matmul(a, a)", "cn.linalg.inv(a)" } do
        local text, status = limited(200, "2", "local cn = require 'cuna' local a = cn.zeros({ 200, 200 }) " .. call)
        assert.has.match("child_spec.lua:1: cuna: OutOfMemoryError: [%w.]+: OpenBLAS takes %d+ MiB of addresses for "
          .. "2 threads, which the limit of 200 MiB %(ulimit %-v%) does not leave; raise it, or set CUNA_", text)
        assert.equal(1, status)
      end
    end)

    it("multiplies when the rest is taken since", function()
      local text, status = limited(2000, "2", [[
        local cn, ffi = require "cuna", require "ffi"
        ffi.cdef "void *mmap(void *, size_t, int, int, int, long);"
        local a, out = cn.zeros({ 200, 200 }), cn.ones({ 200, 200 })
        cn.matmul(cn.zeros({ 2, 2 }), cn.zeros({ 2, 2 }))
        local taken = 0
        while ffi.cast("intptr_t", ffi.C.mmap(nil, 2^22, 0, 0x22, -1, 0)) ~= -1 do taken = taken + 1 end
        cn.matmul(a, a, { out = out })
        print(taken > 0, out[{ 200, 200 }])]])
      assert.equal(0, status, text)
      assert.equal("true\t0\n", text)
    end)
  end)
end
