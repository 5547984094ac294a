-- PyCUDA's style: raw memory, explicit copies, and kernels of a SourceModule. It runs on the cpu device too.
--
--   make run SCRIPT=examples/pycuda_style.lua
local cn = require "cuna"
local cuda = cn.cuda

local module = cuda.SourceModule [==[
__global__ void doublify(float *a) {
  int idx = threadIdx.x + threadIdx.y * 4;
  a[idx] *= 2;
}

__global__ void VecAdd(const float *A, const float *B, float *C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
]==]

--- n random numbers, in host memory.
local function random(n)
  local list = {}
  for k = 1, n do list[k] = math.random() end
  return cn.device("cpu"):with(cn.array, list, "float32")
end

-- doublify: 4 x 4 numbers are copied to the device, doubled, and copied back.
local a = random(16):reshape(4, 4)
local a_gpu = cuda.mem_alloc(a.nbytes)
cuda.memcpy_htod(a_gpu, a)

local doublify = module:get_function "doublify"
doublify(a_gpu, {block = {4, 4, 1}, grid = {1, 1}})

local a_doubled = a * 0
cuda.memcpy_dtoh(a_doubled, a_gpu)
print "original array:"
print(a)
print "doubled with kernel:"
print(a_doubled)
cn.testing.assert_array_equal(a_doubled, a * 2)

-- The same in fewer lines: InOut copies in both directions.
doublify(cuda.InOut(a), {block = {4, 4, 1}})
cn.testing.assert_array_equal(a_doubled, a)

-- VecAdd: three blocks of memory, one of them for the result.
local N = tonumber(arg and arg[1]) or 50000
local h_A, h_B = random(N), random(N)
local d_A, d_B, d_C = cuda.mem_alloc(4 * N), cuda.mem_alloc(4 * N), cuda.mem_alloc(4 * N)
cuda.memcpy_htod(d_A, h_A)
cuda.memcpy_htod(d_B, h_B)
cuda.memset(d_C, 0, 4 * N)

local threadsPerBlock = 256
local blocksPerGrid = math.ceil(N / threadsPerBlock)
local VecAdd = module:get_function "VecAdd"
VecAdd(d_A, d_B, d_C, N, {block = {threadsPerBlock, 1, 1}, grid = {blocksPerGrid, 1}})

local h_C = h_A * 0
cuda.memcpy_dtoh(h_C, d_C)
cn.testing.assert_array_equal(h_C, h_A + h_B)
print(("VecAdd of %d numbers on %s: the largest sum is %.4f"):format(N, d_C.device.model, h_C:max():item()))

-- Prepared once, called often: the letters say pointer, pointer, pointer, int.
VecAdd:prepare "PPPi"
VecAdd:prepared_call({blocksPerGrid, 1}, {threadsPerBlock, 1, 1}, d_C, d_B, d_A, N)
cuda.memcpy_dtoh(h_A, d_A)
cn.testing.assert_array_equal(h_A, h_C + h_B)

for _, memory in ipairs {a_gpu, d_A, d_B, d_C} do memory:free() end
