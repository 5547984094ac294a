-- Prints the milliseconds of `require "cuna"` and of the first use of a kernel in this process, separated by a tab.
--
--   build/cuna bench/first_use/use.lua [kernel]  -- or fused, fused_rows, elementwise_kernel, ...: see USES
--
-- Another kernel runs before, so that waking the device and its compiler up is not counted; making the object is.
local folder = arg[0]:match("^.*/") or ""
local now_ms = dofile(folder .. "../clock.lua")

local start = now_ms()
local cn = require "cuna"
local loaded = now_ms()

local USES = {}

function USES.kernel(x) return cn.cos(x) end

function USES.fused(x) return cn.fuse(function(a) return (a - 1) * (a - 1) end)(x) end

function USES.fused_rows(x)
  return cn.fuse(function(m)
    local e = cn.exp(m - m:max { axis = 2, keepdims = true })
    return e / e:sum { axis = 2, keepdims = true }
  end)(x:reshape(100, 10))
end

function USES.elementwise_kernel(x) return cn.ElementwiseKernel("T x", "T z", "z = (x - 1) * (x - 1)", "square")(x) end

function USES.reduction_kernel(x)
  return cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0, "l2norm")(x)
end

function USES.scan_kernel(x) return cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0, "cumsum")(x) end

function USES.raw_kernel(x)
  cn.RawModule({ path = folder .. "../saxpy.cu" }):get_function("saxpy")(4, 256, { 2.5, x, x + x, x.size })
end

function USES.jit_kernel(x)
  cn.jit.rawkernel(function(a, v, y, size)
    local i = cn.jit.grid(1)
    if i <= size then y[i] = a * v[i] + y[i] end
  end)(4, 256, { 2.5, x, x + x, x.size })
end

local use = USES[arg[1] or "kernel"] or error("no use has the name " .. arg[1], 0)
local x = cn.ones(1000, "float32")
local y = x + x
cn.synchronize()
local before = now_ms()
use(y)
cn.synchronize()
print(("%.3f\t%.3f"):format(loaded - start, now_ms() - before))
