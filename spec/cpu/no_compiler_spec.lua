--- Without a C++ compiler the library's functions run on loops, and give what their kernels give.
local process = require "spec.support.process"

-- Each line calls functions; x, i, f, m, a and z are arrays.
local CALLS = [[
  -- elementwise
  x + 1, x * x - x / 2, -i, i % 3, x:gt(2), cn.sqrt(x), f ^ 2, cn.maximum(x, 2), cn.clip(x, 2, 4), z * z, cn.abs(z)
  cn.exp(f), cn.sin(x), cn.log(x), cn.tanh(f), cn.hypot(f, f), cn.isnan(f), cn.logical_not(i), i:bitwise_and(1)
  x:round(),   i:astype "float16" + 1, i:astype "uint8" * 2, f:astype "complex64" * f, i:astype "bool"
  cn.where(x:gt(2), x, 0), cn.where(x:gt(2))[1], cn.select({x:gt(4), x:gt(2)}, {x, -x})
  cn.fuse(function(v) return cn.exp(v - v:max()) * 2 end)(x), cn.fuse(function(v) v:fill(3) return v + 1 end)(x:copy())
  -- reductions
  x:sum(), x:mean(), x:std(), x:prod(), x:max(), x:argmin(), x:any(), x:all(), cn.ptp(x), cn.nansum(f)
  m:sum(1), m:sum(2), m:mean(1), m:max(2), m:std(1), m:argmax(2), m.T:sum(2), m:gt(3):any(1)
  x:cumsum(), m:cumsum(1), m:cumsum(2), cn.cumprod(i), cn.diff(x), cn.gradient(x), cn.trapezoid(x)
  long:sum(), long:cumsum()[300000], long:reshape(300, 1000):sum(1)[5], long:reshape(300, 1000):mean(2)[5]
  -- order
  cn.sort(x), cn.sort(m, 1), cn.argsort(x), cn.sort(z), cn.partition(x, 3), cn.sort(-long)[1], cn.argsort(-long)[1]
  cn.unique(i), cn.unique(long % 7), cn.median(x), cn.median(m, 1), cn.quantile(x, {0.1, 0.9}), cn.percentile(x, 30)
  cn.isin(i, {1, 2}), cn.union1d(i, {9}), cn.setdiff1d(i, {1}), cn.intersect1d(x, {1, 5})
  cn.searchsorted({1, 2, 3}, {0.5, 2, 9}), cn.digitize(x, {1, 2, 3}), cn.interp({0.5, 1.5}, {0, 1, 2}, {0, 10, 20})
  cn.histogram(x, 4), cn.histogram2d(x, x, 3), cn.bincount(i), cn.bincount(i, x)
  -- elements
  x[x:gt(2)], long[long:gt(299990)], cn.nonzero(x:gt(2))[1], cn.take(x, {1, 3, 2}), cn.take(m, {1, 3}, 2)
  x[{{2, 4}}] + 0, cn.take_along_axis(x, cn.argsort(x), 1), assigned(x)
  cn.concatenate {x, f}, cn.stack {x, x}, cn.tile(f, 2), cn.tile(a, {2, 2}), cn.pad(f, 2), cn.pad(f, 1, "reflect")
  cn.roll(x, 2), cn.flip(x), cn.rot90(m), m.T:copy(), cn.triu(a), cn.diag(a), cn.eye(3), cn.kron(a, {1, 2})
  cn.arange(5), cn.linspace(0, 1, 5), cn.logspace(0, 2, 3), cn.full({2, 2}, 7), cn.meshgrid({1, 2}, {3, 4})
  cn.allclose(x, x), cn.array_equal(x, x), x:totable()[4]
  -- products
  cn.matmul(i:reshape(2, 3), i:reshape(3, 2)), cn.dot(i, i), cn.outer(i, i), cn.cross({1, 2, 3}, {4, 5, 6})
  cn.einsum("ii->i", a), cn.einsum("ij->j", a), cn.einsum("i,j->ij", i, i), cn.convolve(x, {1, 2})
  cn.polyval({1, 2, 3}, x), cn.cov(m)
  -- random numbers
  seeded():normal(0, 1, 5), seeded():uniform(0, 1, 5), seeded():integers(0, 9, 5), seeded():random(3, "float32")
  seeded():exponential(1, 3), seeded():poisson(3, 3), seeded():permutation(6), seeded():choice(6, 3)
  seeded():choice(20000, 3, false), seeded():choice(6, 3, false)]]

local MATRICES = [[
  cn.matmul(a, a), cn.einsum("ij,jk->ik", a, a), cn.linalg.solve(a, {1, 2, 3}), cn.linalg.inv(a), cn.linalg.det(a)
  cn.linalg.norm(a), cn.linalg.eigvalsh(a), cn.linalg.cholesky(a), cn.linalg.qr(a), cn.linalg.lstsq(a, {1, 2, 3})
  cn.polyfit({0, 1, 2, 3}, {1, 3, 7, 13}, 2), cn.roots({1, -3, 2})]]

local WAVES = [[
  cn.fft.fft(x), cn.fft.ifft(cn.fft.fft(x)), cn.fft.rfft(x), cn.fft.fftfreq(6), cn.fft.fftshift(x), cn.fft.fft2(a)]]

local HEAD = [[
  local cn = require "cuna"
  local x, i = cn.array {3, 1, 2, 5, 4, 1}, cn.array({3, 1, 2, 5, 4, 1}, "int32")
  local f, m = cn.array({0.5, -1.5, 2.25}, "float32"), cn.arange(12):reshape(3, 4)
  local a, z = cn.array({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}, "float64"), cn.array({3, 1, 2}):astype "complex128" * 1
  local long = cn.arange(300000)
  local function seeded() return cn.random.default_rng(5) end
  local function assigned(from)
    local y = from:copy()
    y[from:lt(2)], y[2] = 0, 9
    y:add_(1)
    cn.put(y, {1, 3}, {8, 9})
    return y
  end
]]

-- Kernels that are compiled together take a fraction of the time; what a line does after it has read a value is not
-- known to cn.prepare.
local TAIL = [[
  }
  if os.getenv "CUNA_COMPILE" == "wait" then
    cn.prepare(function() for _, line in ipairs(lines) do pcall(line) end end)
  end
  for _, line in ipairs(lines) do print(line()) end
]]

--- The script that prints what each line gives.
local function script(calls)
  local lines = {HEAD, "local lines = {"}
  for line in calls:gmatch "[^\n]+" do
    lines[#lines + 1] = line:find "^%s*%-%-" and line or "function() return " .. line .. " end,"
  end
  lines[#lines + 1] = TAIL
  return table.concat(lines, "\n")
end

describe("without a compiler", function()
  local folder
  setup(function() folder = process.folder() end)
  teardown(function() process.remove(folder) end)

  local function without(changes)
    local environment = {CUNA_DEVICE = "cpu", CUNA_CXX = "/nonexistent", CUNA_CACHE_DIR = folder .. "/none",
      CUNA_PACK_DIR = "off", CUNA_COMPILE = false}
    for name, value in pairs(changes or {}) do environment[name] = value end
    return environment
  end

  --- Checks that calls print the same with kernels, which the second script waits for.
  local function check(calls)
    local text = script(calls)
    local kernels = {CUNA_CXX = false, CUNA_CACHE_DIR = folder .. "/cache", CUNA_COMPILE = "wait"}
    local on_loops = process.must_run(text, without())
    assert.equal(process.must_run(text, without(kernels)), on_loops)
  end

  it("the library's functions give what their kernels give", function() check(CALLS) end)

  it("so do those that OpenBLAS helps", function()
    local text = process.run([[require "cuna".matmul({{1}}, {{1}})]], without())
    if text:find "no OpenBLAS" then return pending("no OpenBLAS") end
    check(MATRICES)
  end)

  it("so do transforms", function()
    local text = process.run([[require "cuna".fft.fft {1, 2}]], without())
    if text:find "no FFTW" then return pending("no FFTW") end
    check(WAVES)
  end)

  for name, call in pairs {
    ElementwiseKernel = [[cn.ElementwiseKernel("T x", "T y", "y = x + 1", "adds")(x)]],
    ReductionKernel = [[cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sums")(x)]],
    RawKernel = [[cn.RawKernel('extern "C" __global__ void f(double *x) {}', "f")({1}, {1}, {x})]],
    prepare = [[cn.prepare(function() return x + 1 end)]],
  } do
    it("cn." .. name .. " says what to install", function()
      local text, status = process.run([[
        local cn = require "cuna"
        local x = cn.ones(3)
        print(x + 1)
        print(pcall(function() return ]] .. call .. [[ end))]], without())
      assert.equal(0, status, text)
      assert.has.match("^%[2%. 2%. 2%.%]\nfalse\t[^\n]*child_spec.lua:4: cuna: CompileError: no compiler for device "
        .. "cpu: looked for [^\n]*CUNA_CXX[^\n]*apt%-get install g%+%+[^\n]*\n$", text)
    end)
  end
end)
