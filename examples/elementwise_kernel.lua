-- User kernels: C++ text for one element, which cuna compiles for the device at the first call.
--
--   make run SCRIPT=examples/elementwise_kernel.lua
--   build/cuna examples/elementwise_kernel.lua 1000000      -- fewer elements in the timed part
local cn = require "cuna"

local function show(title, value)
  print(title)
  print(value)
  print()
end

-- Parameters are "type name"; one letter stands for any dtype. In the text, x and y are values and z is a variable.
local squared_diff = cn.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")
show("squared_diff", squared_diff({1, 2, 3}, {3, 5, 7}))
show("with a number, and axes that broadcast", squared_diff(cn.array {{1, 2, 3}, {4, 5, 6}}, 2))

-- Several statements and a user function: the cube of a product over a column of 1024 numbers.
local cube = cn.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = cube(x * y)", "cube_of_product", {
  preamble = "CUNA_DEVICE float cube(float a) { return a * a * a; }",
})
local numbers = {}
for k = 1, 2048 do numbers[k] = math.random() end
local draws = cn.array(numbers, "float32"):reshape(2, 1024, 1)
local x, y = draws[1], draws[2]
local z = cube(x, y)
cn.testing.assert_array_equal(z, (x * y) * (x * y) * (x * y))
print(("cube_of_product over %s: mean %.4f"):format(tostring(z.shape), z:mean():item()))

-- A raw parameter is a whole array, indexed from 0: here each element's two neighbours, with the ends repeated.
local smooth = cn.ElementwiseKernel("raw T x", "T y", [==[
  int64 left = i > 0 ? i - 1 : 0, right = i < n - 1 ? i + 1 : n - 1;
  y = (x[left] + x[i] + x[right]) / 3;
]==], "smooth")
show("smooth", smooth({0, 0, 9, 0, 0, 3}, {size = 6}))

-- Pointers as in PyCUDA: the arrays give the loop its size, and the text indexes all of them.
local combine = cn.ElementwiseKernel("float a, const float *x, float b, const float *y", "float *z",
  "z[i] = a * x[i] + b * y[i]", "linear_combination")
show("linear_combination", combine(5, cn.ones(4, "float32"), 6, cn.arange(4):astype "float32"))

-- The time of a kernel, and of the operation that does the same.
local n = tonumber(arg and arg[1]) or 5e7
local a, b = cn.full(n, 2.5), cn.ones(n)
local add = cn.ElementwiseKernel("double x, double y", "double z", "z = x + y", "vector_add")

local function best_of(fn)
  local best = math.huge
  fn() -- compiles
  for _ = 1, 5 do
    local start = cn.clock()
    fn()
    best = math.min(best, cn.clock() - start)
  end
  return best
end

local out = cn.empty_like(a)
local own, plain = best_of(function() add(a, b, out) end), best_of(function() cn.add(a, b, {out = out}) end)
assert(out[1] == 3.5 and out[-1] == 3.5)
print(("vector add of %d doubles: own kernel %.2f ms, cn.add %.2f ms"):format(n, own * 1e3, plain * 1e3))

-- A number that fits no parameter, an array of another dtype, a wrong name: a one-line error that names the problem.
print(select(2, pcall(function() return add(a:astype "float32", b) end)))
