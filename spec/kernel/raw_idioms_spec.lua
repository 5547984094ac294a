--- Idioms of CUDA's samples that need more than a header, in kernels of our own.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

each_device(function()
  it("a body may depend on the architecture", function()
    local kernel = cn.RawKernel([[
      __global__ void f(int *x)
      {
      #if __CUDA_ARCH__ >= 700
          x[threadIdx.x] = threadIdx.x + 1;
      #endif
      #ifdef __CUDA_ARCH__
          x[threadIdx.x] *= 2;
      #endif
      }]], "f")
    local x = cn.zeros(4, "int32")
    kernel(1, 4, {x})
    assert.same({2, 4, 6, 8}, x:totable())
  end)

  it("shared memory may have its alignment first", function()
    local kernel = cn.RawKernel([[
      template <int N> __global__ void f(float *x)
      {
          __shared__ alignas(alignof(float4)) float rows[2][N];
          __shared__ __align__(16) float other[N];
          float4 *row = reinterpret_cast<float4 *>(&rows[1][4 * threadIdx.x]);
          *row = reinterpret_cast<const float4 *>(x)[threadIdx.x];
          other[threadIdx.x] = row->y;
          __syncthreads();
          x[threadIdx.x] = rows[1][N - 1 - threadIdx.x] + other[0] + (size_t)row % 16;
      }]], "f<16>")
    local x = cn.arange(16):astype "float32"
    kernel(1, 4, {x})
    assert.same({16, 15, 14, 13}, x["1:4"]:totable())
  end)

  it("types of textures may stand in what hosts and kernels share", function()
    local T, R = cn.cuda.texture, cn.cuda.runtime
    local texels = T.CUDAarray(T.ChannelFormatDescriptor(32, 0, 0, 0, R.cudaChannelFormatKindFloat), 4, 3)
    texels:copy_from(cn.arange(12):astype "float32":reshape(3, 4))
    local texture = T.TextureObject(T.ResourceDescriptor(R.cudaResourceTypeArray, texels), T.TextureDescriptor())
    local kernel = cn.RawKernel([[
      template <class T> struct Info { static const cudaTextureReadMode mode = cudaReadModeElementType; };
      struct Image {
          void *data;
          cudaExtent size;
          cudaResourceType type;
          cudaArray_t array;
          cudaTextureObject_t texture;
      };
      __global__ void f(float *out, CUtexObject texture)
      {
          Image image = {nullptr, {4, 3, 1}, cudaResourceTypeArray, nullptr, texture};
          if (Info<float>::mode == cudaReadModeElementType && threadIdx.x < image.size.width)
              out[threadIdx.x] = tex2D<float>(image.texture, threadIdx.x + 0.5f, 1.5f);
      }]], "f")
    local out = cn.zeros(4, "float32")
    kernel(1, 32, {out, texture})
    assert.same({4, 5, 6, 7}, out:totable())
  end)

  it("handles and results of hosts may stand in what hosts and kernels share", function()
    local kernel = cn.RawKernel([[
      struct Plan {
          cudaStream_t stream;
          cudaEvent_t done;
          cudaGraphExec_t graph;
          cudaError_t error;
          cudaMemcpyKind kind;
          cudaChannelFormatDesc channels;
          cudaPitchedPtr rows;
          cudaPos corner;
          int n;
      };
      __device__ int count(const Plan &p) { return p.stream == nullptr && p.error == cudaSuccess ? p.n : 0; }
      __global__ void f(int *out)
      {
          Plan plan = {};
          plan.n = plan.channels.x + 3;
          out[0] = count(plan);
          out[1] = plan.kind == cudaMemcpyHostToHost && plan.channels.f == cudaChannelFormatKindSigned;
          out[2] = sizeof(Plan);
      }]], "f")
    local out = cn.zeros(3, "int32")
    kernel(1, 1, {out})
    assert.same({3, 1, 120}, out:totable())
  end)
end)
