// Kernels whose threads share memory and wait for each other, for cuna's and CuPy's RawModule.
#define TILE 16
#define CHUNK 4096

// Adds the sum of x to *sum: each block of 256 threads takes CHUNK neighbours and folds them in shared memory.
extern "C" __global__ void sum_shared(const float *x, float *sum, int n) {
  __shared__ float part[256];
  int first = blockIdx.x * CHUNK, t = threadIdx.x;
  float own = 0;
  for (int i = t; i < CHUNK; i += 256)
    if (first + i < n) own += x[first + i];
  part[t] = own;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, part[0]);
}

// c = a b of square matrices whose side is a multiple of TILE; blocks of TILE x TILE threads.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int side) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int k = 0; k < side; k += TILE) {
    as[ty][tx] = a[row * side + k + tx];
    bs[ty][tx] = b[(k + ty) * side + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[row * side + column] = sum;
}
