--- The C++ library of CUDA, <cuda/std/...>, in raw kernels.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [[
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_floating_point<T>::value, T> halved(T x)
{
    return x / 2;
}

__global__ void f(double *out, const cuda::std::int32_t *x, int n)
{
    cuda::std::array<int, 4> sorted = {3, 1, 2, 0};
    cuda::std::complex<double> z(0, 1);
    cuda::std::tuple<int, float> pair(4, 0.5f);
    cuda::std::optional<int> none;
    cuda::std::bitset<8> bits(5);
    cuda::std::size_t sum = cuda::std::accumulate(x, x + n, cuda::std::size_t(0));
    assert(n == 3);
    cuda::std::swap(sorted[0], sorted[3]);
    out[0] = sorted[0] * 10 + sorted[3];
    out[1] = (z * z).real();
    out[2] = cuda::std::get<0>(pair) + cuda::std::get<1>(pair);
    out[3] = none.value_or(7) + bits.count();
    out[4] = sum;
    out[5] = halved(cuda::std::numeric_limits<float>::max()) > 1e38f;
    out[6] = cuda::std::max(cuda::std::sqrt(2.25), cuda::std::abs(-1.0));
    out[7] = cuda::std::uint8_t(300) + (cuda::std::plus<int>()(1, 2)) + INT_MAX % 10;
}]]

each_device(function()
  it("has the names of C++", function()
    local kernel, out = cn.RawKernel(CODE, "f"), cn.zeros(8)
    local ok, words = pcall(kernel.compile, kernel)
    if not ok and words:find("cannot open source file", 1, true) then return pending "no toolkit for this GPU" end
    kernel(1, 1, {out, cn.array({5, 6, 7}, "int32"), 3})
    assert.same({3, -1, 4.5, 9, 18, 1, 1.5, 54}, out:totable())
  end)
end)
