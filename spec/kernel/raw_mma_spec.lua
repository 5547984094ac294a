--- Matrices of warps (<mma.h>) in raw kernels: products of all shapes, types and layouts. The numbers are small
--- integers, whose products every device adds exactly.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [==[
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

template <class T> struct ByRows { enum { value = 0 }; };
template <> struct ByRows<wmma::row_major> { enum { value = 1 }; };

template <int M, int N, int K, class T, class V, class C, class A, class B>
__global__ void product(const V *a, const V *b, const C *c, C *d, int inner, int order)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum, first;
    const bool by_rows = order == 0;
    const wmma::layout_t layout = by_rows ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::fill_fragment(sum, C(0.0f));
    for (int k = 0; k < inner; k += K) {
        wmma::load_matrix_sync(fa, ByRows<A>::value ? a + k : a + k * M, ByRows<A>::value ? inner : M);
        wmma::load_matrix_sync(fb, ByRows<B>::value ? b + k * N : b + k, ByRows<B>::value ? N : inner);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::load_matrix_sync(first, c, by_rows ? N : M, layout);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] + first.x[i] * C(2.0f);
    wmma::store_matrix_sync(d, sum, by_rows ? N : M, layout);
}

/* Two warps of a block, each with a tile. */
__global__ void tiles(const half *a, const half *b, float *d)
{
    __shared__ half row[16][32];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) row[i / 32][i % 32] = a[i];
    __syncthreads();
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < 32; k += 16) {
        wmma::load_matrix_sync(fa, &row[0][k], 32);
        wmma::load_matrix_sync(fb, b + k * 32 + 16 * warp, 32);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(d + 16 * warp, sum, 32, wmma::mem_row_major);
}

__global__ void rounded(float *x) { x[threadIdx.x] = wmma::__float_to_tf32(x[threadIdx.x]); }
]==]

-- M, N, K, the type of a fragment, of its elements, of sums; dtypes of both.
local TYPES = {
  {16, 16, 16, "half", "half", "float", "float16", "float32"},
  {32, 8, 16, "half", "half", "half", "float16", "float16"},
  {8, 32, 16, "__nv_bfloat16", "__nv_bfloat16", "float", "bfloat16", "float32"},
  {16, 16, 16, "signed char", "signed char", "int", "int8", "int32"},
  {32, 8, 16, "unsigned char", "unsigned char", "int", "uint8", "int32"},
  {16, 16, 8, "wmma::precision::tf32", "float", "float", "float32", "float32"},
  {8, 8, 4, "double", "double", "double", "float64", "float64"},
}
local LAYOUTS = {{"row_major", "col_major", 0}, {"col_major", "row_major", 1}}

local function expression(row, layouts)
  return ("product<%d, %d, %d, %s, %s, %s, wmma::%s, wmma::%s>"):format(row[1], row[2], row[3], row[4], row[5], row[6],
    layouts[1], layouts[2])
end

each_device(function()
  local module, found

  setup(function()
    local names = {"tiles", "rounded"}
    for _, row in ipairs(TYPES) do
      for _, layouts in ipairs(LAYOUTS) do names[#names + 1] = expression(row, layouts) end
    end
    module = cn.RawModule {code = CODE, name_expressions = names, options = {"-std=c++17"}}
    local ok, words = pcall(function() module:compile() end)
    found = ok or not words:find("could not open source file", 1, true)
    if found then assert(ok, words) end
  end)

  local function check(name, fn)
    it(name, function()
      if not found then return pending "no toolkit for this GPU" end
      fn()
    end)
  end

  --- Integers from -3, or 0, on, in rows.
  local function numbers(dtype, rows, columns, step)
    local x = (cn.arange(rows * columns, "int32") * step % 7):reshape(rows, columns)
    return (dtype == "uint8" and x or x - 3):astype(dtype)
  end

  --- A matrix's elements as a kernel reads them.
  local function laid_out(x, by_rows) return by_rows and x:copy() or x:transpose():copy() end

  for _, row in ipairs(TYPES) do
    check(("products of %s, %d x %d x %d"):format(row[4], row[1], row[2], row[3]), function()
      local m, n, inner = row[1], row[2], 4 * row[3]
      local a, b = numbers(row[7], m, inner, 5), numbers(row[7], inner, n, 3)
      local c = numbers(row[8], m, n, 4)
      local expected = cn.matmul(a:astype "float64", b:astype "float64") + c:astype "float64" * 2
      for _, layouts in ipairs(LAYOUTS) do
        local by_rows = layouts[3] == 0
        local d = cn.zeros(by_rows and {m, n} or {n, m}, row[8])
        module:get_function(expression(row, layouts))(1, 32, {laid_out(a, layouts[1] == "row_major"),
          laid_out(b, layouts[2] == "row_major"), laid_out(c, by_rows), d, inner, layouts[3]})
        assert.same(expected:totable(), (by_rows and d or d:transpose()):astype "float64":totable())
      end
    end)
  end

  check("of tiles in shared memory, by two warps", function()
    local a, b, d = numbers("float16", 16, 32, 5), numbers("float16", 32, 32, 3), cn.zeros({16, 32}, "float32")
    module:get_function "tiles"(1, 64, {a, b, d})
    assert.same(cn.matmul(a:astype "float32", b:astype "float32"):totable(), d:totable())
  end)

  check("of floats with 11 bits", function()
    local x = cn.array({1 + 2 ^ -11, 1 + 2 ^ -12, -3 - 2 ^ -8, 5, math.huge}, "float32")
    module:get_function "rounded"(1, 5, {x})
    assert.same({1 + 2 ^ -10, 1, -3 - 2 ^ -8, 5, math.huge}, x:totable())
  end)
end)
