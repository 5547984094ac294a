--- cn.fft: NumPy's results, laws over lengths, layouts and dtypes, graphs, errors, also without a library.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/fft.lua"
local process = require "spec.support.process"
local support = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local prepared, same, array, laid_out = support.prepared, support.same, support.array, support.laid_out

local SINGLE = {float16 = true, bfloat16 = true, float32 = true, complex64 = true}
local MANY_DTYPES = {"complex128", "complex64", "float64", "float32", "int32", "bfloat16", "float16", "bool"}

local function tolerance(dtype) return SINGLE[dtype] and 2e-5 or 1e-12 end

--- Numbers that look random, the same each time.
local function noise(shape, dtype)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  local k = cn.arange(size)
  local x = (k * 12.9898):sin() * 43.5
  if dtype:find "^complex" then x = x + cn.scalar(2i) * (k * 78.233):cos() end
  return x:reshape(shape):astype(dtype)
end

local function close(a, b, dtype, note)
  if support.rehearsing then return end
  local why = cn.testing.why_not_allclose(a, b, {rtol = tolerance(dtype),
    atol = tolerance(dtype) * math.max(1, cn.abs(b):max():item())})
  if why then error((note or "") .. ": " .. why, 2) end
end

--- The transform by its definition.
local function slow(x, sign)
  local n = x.shape[x.ndim]
  local k = cn.arange(n)
  local turns = (k:reshape(n, 1) * k % n) * (sign * 2 * math.pi / n)
  local matrix = turns:cos() + cn.scalar(1i) * turns:sin()
  return (x:astype("complex128"):reshape(-1, 1, n) * matrix):sum(3):reshape(x.shape)
end

devices.each_device(function(device)
  describe("fft agrees with NumPy:", function()
    local function run(cases)
      return prepared(function()
        for number, case in ipairs(cases) do
          local x = laid_out(array(case.x), number)
          same(case.result, cn.fft[case.name](x, case.options), case.name .. " case " .. number,
            tolerance(case.x.dtype))
        end
      end)
    end

    it("along one axis", run(golden.ones))
    it("along several axes", run(golden.many))

    it("shifts", prepared(function()
      for number, case in ipairs(golden.shifts) do
        local x = laid_out(array(case.x), number)
        same(case.result, cn.fft[case.name](x, case.axes), case.name .. " case " .. number)
      end
    end))

    it("frequencies", prepared(function()
      for number, case in ipairs(golden.frequencies) do
        same(case.result, cn.fft[case.name](case.n, case.d), case.name .. " case " .. number)
      end
    end))
  end)

  describe("fft's laws:", function()
    it("every length, by the definition and back", prepared(function()
      for n = 1, 64 do
        local dtype = n % 2 == 0 and "complex128" or "float64"
        local x = noise({3, n}, dtype)
        local y = cn.fft.fft(x)
        close(y, slow(x, -1), dtype, "fft of " .. n)
        close(cn.fft.ifft(y), x:astype "complex128", dtype, "back from " .. n)
        local half = cn.fft.rfft(x.real)
        close(half, cn.fft.fft(x.real)[{cn.ellipsis, {1, math.floor(n / 2) + 1}}], dtype, "rfft of " .. n)
        close(cn.fft.irfft(half, n), x.real, dtype, "irfft to " .. n)
      end
    end))

    it("long lines and primes", prepared(function()
      for _, n in ipairs {97, 127, 243, 289, 1000, 1009, 2048, 4096, 8192, 10007, 16384, 20014, 2 ^ 17, 99999} do
        local both = {"complex64", "complex128"}
        for _, dtype in ipairs(n < 20000 and both or {both[1 + n % 2]}) do
          local x = noise({n}, dtype)
          local before = x:copy()
          local y = cn.fft.fft(x)
          assert.is_true(support.rehearsing or x == before)
          close(cn.fft.ifft(y), x, dtype, "back from " .. n)
          local energy = (cn.abs(x) ^ 2):sum() * n
          close((cn.abs(y) ^ 2):sum(), energy, dtype, "energy of " .. n)
          local half = cn.fft.rfft(x.real)
          before = half:copy()
          close(cn.fft.irfft(half, n), x.real, dtype, "irfft to " .. n)
          assert.is_true(support.rehearsing or half == before)
          close(half, y[{{1, math.floor(n / 2) + 1}}] - cn.fft.rfft(x.imag) * cn.scalar(1i), dtype, "linear, " .. n)
        end
      end
    end))

    it("every axis of every layout", prepared(function()
      local number = 0
      for _, dtype in ipairs(MANY_DTYPES) do
        for axis = 1, 3 do
          number = number + 1
          local x = laid_out(noise({5, 6, 7}, dtype), number)
          local moved = x:astype(SINGLE[dtype] and "complex64" or "complex128"):moveaxis(axis, -1):copy()
          close(cn.fft.fft(x, nil, axis), cn.fft.fft(moved):moveaxis(-1, axis), dtype, dtype .. " axis " .. axis)
          close(cn.fft.ifft(x, nil, axis), cn.fft.ifft(moved):moveaxis(-1, axis), dtype, dtype .. " back " .. axis)
        end
      end
      local x = noise({40, 30}, "complex128")
      local views = {transposed = x.T, backward = x["::-1, ::-1"], cut = x["3:31, 5:9"], steps = x["::3, ::2"],
        broadcast = cn.broadcast_to(x[{{1, 1}, {}}], {4, 30}), one = x["1:1, :"]}
      for name, view in pairs(views) do
        for axis = 1, 2 do
          close(cn.fft.fft(view, nil, axis), cn.fft.fft(view:copy(), nil, axis), "float64", name .. axis)
          close(cn.fft.fft2(view), cn.fft.fft2(view:copy()), "float64", name)
          close(cn.fft.rfft(view.real, nil, axis), cn.fft.rfft(view.real:copy(), nil, axis), "float64", name)
          close(cn.fft.irfft(view, 6, axis), cn.fft.irfft(view:copy(), 6, axis), "float64", name)
        end
      end
    end))

    it("long lines whose numbers lie apart", prepared(function()
      local x = noise({5000, core.is_host(device) and 420 or 42}, "complex64")
      close(cn.fft.fft(x, {axis = 1}), cn.fft.fft(x.T:copy()).T, "complex64")
    end))

    it("many axes, in any order, and one twice", prepared(function()
      local x = noise({3, 4, 5, 2, 3}, "complex128")
      local y = x
      for axis = 1, 5 do y = cn.fft.fft(y, nil, axis) end
      close(cn.fft.fftn(x), y, "complex128")
      close(cn.fft.ifftn(y), x, "complex128")
      close(cn.fft.fftn(x, nil, {2, 5, 3}), cn.fft.fft(cn.fft.fft(cn.fft.fft(x, nil, 2), nil, 3), nil, 5), "complex128")
      close(cn.fft.fftn(x, nil, {2, 2}), cn.fft.fft(cn.fft.fft(x, nil, 2), nil, 2), "complex128")
      close(cn.fft.irfftn(cn.fft.rfftn(x.real), {3, 4, 5, 2, 3}), x.real, "complex128")
      close(cn.fft.rfftn(x.real, nil, {1, 3, 2}), cn.fft.fftn(x.real, nil, {1, 3, 2})[{{}, {1, 3}, cn.ellipsis}],
        "complex128")
      close(cn.fft.rfftn(noise({2, 70, 3}, "float32")), cn.fft.fftn(noise({2, 70, 3}, "float32"))[{{}, {}, {1, 2}}],
        "float32")
    end))

    it("columns of wide arrays, and rows of a real view at any place", prepared(function()
      local x = noise({300, 4, 70}, "complex64")
      close(cn.fft.fft(x, nil, 1), cn.fft.fft(x:moveaxis(1, -1):copy()):moveaxis(-1, 1), "complex64")
      close(cn.fft.fft(x, nil, 2), cn.fft.fft(x:moveaxis(2, -1):copy()):moveaxis(-1, 2), "complex64")
      local row = noise({1025}, "float32")
      close(cn.fft.rfft(row["2:"]), cn.fft.rfft(row["2:"]:copy()), "float32")
      local odd = noise({121}, "complex64")["2:"]
      close(cn.fft.fft(odd), cn.fft.fft(odd:copy()), "complex64")
      close(cn.fft.fft2(odd:reshape(2, 10, 6)), cn.fft.fft2(odd:copy():reshape(2, 10, 6)), "complex64")
      local rows = noise({9, 33}, "float32")
      close(cn.fft.rfft(rows, 32), cn.fft.rfft(rows[":, :32"]:copy()), "float32")
    end))
  end)

  describe("fft", function()
    it("keeps precision as CuPy does, and is the default float's elsewhere", function()
      for dtype, result in pairs {float16 = "complex64", bfloat16 = "complex64", float32 = "complex64",
        complex64 = "complex64", float64 = "complex128", int8 = "complex128", bool = "complex128"} do
        local x = cn.ones({4}, dtype)
        assert.equal(result, cn.fft.fft(x).dtype)
        assert.equal(result, cn.fft.fft2(x:reshape(2, 2)).dtype)
        assert.equal(result == "complex64" and "float32" or "float64", cn.fft.irfft(x).dtype)
      end
      cn.set_default_dtype "float32"
      local dtype = cn.fft.rfft(cn.arange(4, nil, nil, "int32")).dtype
      cn.set_default_dtype "float64"
      assert.equal("complex64", dtype)
      assert.equal("(0, 3)", tostring(cn.fft.rfft(cn.zeros({0, 4})).shape))
      assert.equal("(0, 6)", tostring(cn.fft.irfft(cn.zeros({0, 4})).shape))
      assert.equal("(2, 0, 3)", tostring(cn.fft.fft(cn.zeros({2, 0, 3})).shape))
      assert.equal(cn.array({3, -1}, "complex128"), cn.fft.fft {1, 2})
      assert.equal(cn.array(5, "complex128"), cn.fft.fftn(5))
    end)

    it("lets NaN and infinity through", function()
      assert.is_true(cn.isnan(cn.fft.fft {1, cn.nan, 2}):all())
      assert.is_false(cn.isfinite(cn.fft.rfft({1, cn.inf, 2, 4})):any())
    end)

    it("works for arrays on either of two devices, and for no_sync", function()
      local x = cn.no_sync(function() return cn.fft.irfft2(cn.fft.rfft2(cn.ones({4, 6}, "float32"))) end)
      assert.equal(device, x.device)
      assert.is_true(cn.allclose(x, 1))
    end)

    it("is recorded by graphs, which keep plans that are long gone", function()
      local x = noise({6, 50}, "complex128")
      local run = cn.graph(function(z) return cn.fft.ifft(cn.fft.fft(z) * 2) + cn.fft.fft(z.real) * 0 end, x)
      close(run(x), x * 2, "complex128")
      cn.fft.clear_plan_cache()
      for n = 2, 40 do cn.fft.fft(cn.ones(n)) end
      close(run(x * 3), x * 6, "complex128")
      close(run(x), x * 2, "complex128")
    end)

    it("is recorded by captures where its plan is there", function()
      local stream, x, y = cn.cuda.Stream(), noise({7, 30}, "complex64"), nil
      cn.fft.clear_plan_cache()
      if device.name ~= "cpu" then
        stream:with(function()
          stream:begin_capture()
          raises("fft.fft: the first call for these lengths makes a plan, which a capture cannot record",
            function() local _ = cn.fft.fft(x) end)
          stream:end_capture()
        end)
      end
      stream:with(function()
        y = cn.fft.fft(x)
        stream:begin_capture()
        y:add_(cn.fft.fft(x))
        local graph = stream:end_capture()
        graph:launch()
        graph:launch()
      end)
      stream:synchronize()
      close(y, cn.fft.fft(x) * 3, "complex64")
    end)

    it("keeps the last plans", function()
      cn.fft.clear_plan_cache()
      assert.equal(0, cn.fft.plan_cache_size())
      for n = 2, 40 do assert.equal(n == 2 and 1 or math.min(n - 1, 16), (function()
        cn.fft.fft(cn.ones(n))
        return cn.fft.plan_cache_size()
      end)()) end
      cn.fft.fft(cn.ones(40))
      assert.equal(16, cn.fft.plan_cache_size())
    end)

    it("runs on other streams", function()
      local x = noise({64, 100}, "complex64")
      local stream = cn.cuda.Stream()
      local y = stream:with(function() return cn.fft.ifft(cn.fft.fft(x, nil, 1), nil, 1) end)
      stream:synchronize()
      close(y, x, "complex64")
    end)
  end)
end)

describe("FFTW", function()
  --- What two transforms say on the cpu device in a process with this environment.
  local function said(fftw)
    return process.must_run([[
      local cn = require "cuna"
      for _, name in ipairs {"fft", "rfft2"} do
        local ok, said = pcall(function() local y = cn.fft[name](cn.ones({4, 6}, "float32")); return y.dtype end)
        print(ok, (tostring(said):gsub("^[^\n]-: cuna: ", "")))
      end
      print(cn.ones(3):sum():item())]], {CUNA_FFTW = fftw, CUNA_DEVICE = "cpu"})
  end

  it("that is not there is reported with what to install", function()
    local line = "false\tDeviceError: no FFTW: looked for $CUNA_FFTW (off) and nothing else; install it "
      .. "(apt-get install libfftw3-double3 libfftw3-single3), or name the folder of its libraries in CUNA_FFTW\n"
    assert.equal(line .. line .. "3\n", said "off")
  end)

  it("that lacks a precision or a function is reported with the library", function()
    local folder = process.folder()
    process.write(folder .. "/empty.c", "")
    process.shell(("cd %s && cc -shared -o libfftw3.so.3 empty.c"):format(folder))
    local text = said(folder)
    assert.has.match("^false\tDeviceError: no FFTW: [^\n]*/libfftw3.so.3 has no fftw_plan_dft_1d; install it ", text)
    process.write(folder .. "/whole.c", [[
      void fftw_plan_dft_1d(void) {} void fftw_plan_dft_r2c_1d(void) {} void fftw_plan_dft_c2r_1d(void) {}
      void fftw_execute_dft(void) {} void fftw_execute_dft_r2c(void) {} void fftw_execute_dft_c2r(void) {}
      void fftw_destroy_plan(void) {}]])
    process.shell(("cd %s && cc -shared -fPIC -o libfftw3.so.3 whole.c"):format(folder))
    text = said(folder)
    process.remove(folder)
    assert.has.match("^false\tDeviceError: no FFTW: looked for [^\n]*/libfftw3f.so.3 %(dlopen says: [^\n]*install it ",
      text)
  end)
end)

describe("cuFFT", function()
  if not cn.cuda.is_available() or not (os.getenv "LD_LIBRARY_PATH" or ""):find "simgpu" then return end

  --- What a transform on cuda:0 says in a process with this environment.
  local function said(environment)
    environment.CUNA_DEVICE = "cuda:0"
    return (process.must_run([[
      local cn = require "cuna"
      local x = cn.ones({4, 6})
      local ok, said = pcall(function() local y = cn.fft.fft2(x); return y:sum():item() end)
      print(ok, (tostring(said):gsub("^[^\n]-: cuna: ", "")))
      print((pcall(cn.fft.ifft, cn.ones(3))))]], environment):gsub("simulated GPU[^\n]*\n", ""))
  end

  it("that fails is reported in one line, and may be called again", function()
    assert.equal("false\tDeviceError: fft.fft2: cufftXtExec on cuda:0 returned CUFFT_EXEC_FAILED (6)\ntrue\n",
      said {SIMGPU_FAIL = "cufftXtExec:1=6"})
    assert.has.match("^false\tOutOfMemoryError: fft.fft2: no memory for a plan on cuda:0 "
      .. "%(cufftXtMakePlanMany returned CUFFT_ALLOC_FAILED%)\n",
      said {SIMGPU_FAIL = "cufftXtMakePlanMany:1=2!"})
    assert.has.match("^true", said {SIMGPU_FAIL = "cufftXtMakePlanMany:1=2"}) -- asks again
  end)

  it("that lacks a function, or is missing, is reported with the remedy", function()
    local folder = process.folder()
    process.write(folder .. "/empty.c", "")
    process.shell(("cd %s && cc -shared -o libcufft.so.12 empty.c && cp libcufft.so.12 libcufft.so.11"):format(folder))
    local text = said {LD_LIBRARY_PATH = folder .. ":" .. os.getenv "LD_LIBRARY_PATH"}
    process.remove(folder)
    assert.has.match("^false\tDeviceError: no cuFFT: libcufft.so.1[12] has no cufftGetVersion; install cuFFT", text)
  end)
end)

describe("fft's errors:", function()
  local x = cn.zeros({2, 3})
  local z = cn.zeros({2, 3}, "complex64")

  it("are one line with the facts", function()
    raises("fft.fft: n is a number of points from 1 on, got 0", function() local _ = cn.fft.fft(x, 0) end)
    raises("fft.fft: n is a number of points from 1 on, got 2.5", function() local _ = cn.fft.fft(x, 2.5) end)
    raises("fft.ifft: axis 2 has no elements, and a transform at least one point",
      function() local _ = cn.fft.ifft(cn.zeros({2, 0})) end)
    raises("fft.irfft: axis 2 of length 1 is the spectrum of no point; say how many points the result has",
      function() local _ = cn.fft.irfft(cn.zeros({2, 1})) end)
    raises("fft.rfft: takes real numbers, got an array of complex64; use cn.fft.fft, or x.real",
      function() local _ = cn.fft.rfft(z) end)
    raises("fft.rfftn: takes real numbers", function() local _ = cn.fft.rfftn(z) end)
    raises("fft.ihfft: takes real numbers", function() local _ = cn.fft.ihfft(z) end)
    raises("fft.fft: norm is \"backward\", \"ortho\" or \"forward\", got \"both\"",
      function() local _ = cn.fft.fft(x, {norm = "both"}) end)
    raises("fft.fftn: 1 lengths for 2 axes", function() local _ = cn.fft.fftn(x, {4}, {1, 2}) end)
    raises("fft.fftn: 3 lengths for an array of shape (2, 3)", function() local _ = cn.fft.fftn(x, {4, 4, 4}) end)
    raises("fft.fftn: a length is a number of points from 1 on, got 0", function() local _ = cn.fft.fftn(x, {0, 2}) end)
    raises("fft.fft: unknown option 'dtype'", function() local _ = cn.fft.fft(x, {dtype = "float32"}) end)
    raises("fft.fft: a function of cn.fft is called with a dot: cn.fft.fft(...)",
      function() local _ = cn.fft:fft(x) end)
    raises("fft.fftfreq: n is a number of points", function() local _ = cn.fft.fftfreq() end)
    raises("fft.fftfreq: frequencies are floats, got dtype \"int32\"",
      function() local _ = cn.fft.fftfreq(4, 1, "int32") end)
    raises("fft.fftfreq: d is a distance, got 0", function() local _ = cn.fft.fftfreq(4, 0) end)
    raises("fft.fft: expected an array, got nil", function() local _ = cn.fft.fft() end)
    local fused = cn.fuse(function(a) return cn.fft.fft(a * 2) end)
    for _ = 1, 2 do assert.is_true(cn.array_equal(cn.fft.fft(x * 2), fused(x))) end
    raises("fft.rfftn: takes at least one axis", function() local _ = cn.fft.rfftn(1) end)
    raises("fft has no function 'fftm'", function() local _ = cn.fft.fftm end)
  end)

  it("speak of axes that count from 1", function()
    raises("fft.fft: axis 0", function() local _ = cn.fft.fft(x, nil, 0) end)
    raises("fft.fft: axis 3", function() local _ = cn.fft.fft(x, nil, 3) end)
    raises("fft.fft2: axis -2", function() local _ = cn.fft.fft2(cn.zeros(3)) end)
    raises("fft.fftshift: axis 3", function() local _ = cn.fft.fftshift(x, 3) end)
  end)
end)
