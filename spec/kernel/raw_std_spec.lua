--- C++'s standard headers in raw kernels and in the preambles of other kernels.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [[
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T> __device__ std::enable_if_t<std::is_floating_point<T>::value, T> halved(T x) { return x / 2; }

struct Pair {
    std::uint16_t low;
    std::int64_t high;
};

__global__ void f(double *out, const std::int32_t *x, std::size_t n)
{
    std::array<int, 4> values = {3, 1, 2, 0};
    std::complex<float> z(0, 1);
    std::tuple<int, float> pair(4, 0.5f);
    std::optional<int> none;
    char bytes[4];
    alignas(Pair) char room[sizeof(Pair)];
    Pair *placed = new (room) Pair{65535, std::numeric_limits<std::int64_t>::max()};
    std::memset(bytes, 1, sizeof bytes);
    std::swap(values[0], values[3]);
    out[0] = *std::max_element(values.begin(), values.end()) + 10 * std::min(values[0], 7);
    out[1] = std::accumulate(x, x + n, std::size_t(0)) + (z * z).real();
    out[2] = std::get<0>(pair) + std::get<1>(pair) + none.value_or(7);
    out[3] = halved(std::numeric_limits<float>::epsilon()) * 16777216;
    out[4] = std::sqrt(2.25) + std::abs(-2) + std::fabs(-1.5f) + std::pow(2.0, 3.0) + std::isnan(NAN);
    out[5] = bytes[3] + placed->low + (placed->high == INT64_MAX);
    out[6] = std::plus<int>()(1, 2) + std::distance(x, x + n) + std::is_same<std::decay_t<const int &>, int>::value;
    out[7] = std::lower_bound(x, x + n, 6) - x + std::move(bytes[0]) + sizeof(std::ptrdiff_t);
}]]

each_device(function()
  --- What fn returns; nil on a GPU without a toolkit.
  local function try(fn)
    local ok, result = pcall(fn)
    if ok then return result end
    assert(result:find("of a toolkit, which was not found", 1, true), result)
    pending "no toolkit for this GPU"
  end

  it("are in raw kernels", function()
    local kernel, out = cn.RawKernel(CODE, "f"), cn.zeros(8)
    try(function() kernel(1, 1, {out, cn.array({5, 6, 7}, "int32"), cn.scalar(3, "uint64")}) return true end)
    assert.same({3, 17, 11.5, 1, 1.5 + 2 + 1.5 + 8 + 1, 1 + 65535 + 1, 3 + 3 + 1, 1 + 1 + 8}, out:totable())
  end)

  it("are in preambles", function()
    local preamble = [[
      #include <algorithm>
      #include <cuda/std/complex>
      #include <cmath>
      #include <limits>
      template <class T> __device__ T square(T x) { return (cuda::std::complex<T>(x, 0) * x).real(); }]]
    local x = cn.array({4, 9}, "float32")
    local text = "std::min(std::sqrt(x), std::numeric_limits<T>::max()) + square(x) + float(std::max(half(1), half(2)))"
    local result = try(function()
      return cn.ElementwiseKernel("T x", "T y", "y = " .. text, {preamble = preamble})(x)
    end)
    assert.same({20, 86}, result:totable())
    local sum = try(function()
      return cn.ReductionKernel("T x", "T y", text, "std::max(a, b)", "y = a", "0", {preamble = preamble})(x)
    end)
    assert.equal(86, sum:item())
  end)

  it("of the kind that kernels cannot have are refused by name", function()
    local function fails(fn)
      local ok, words = pcall(fn)
      assert(not ok and words:find("<vector> is for hosts, and kernels do not have it", 1, true), words)
    end
    fails(function() cn.RawKernel("#include <vector>\n__global__ void f() {}", "f"):compile() end)
    fails(function() cn.ElementwiseKernel("T x", "T y", "y = x", {preamble = "#include <vector>"})({1}) end)
  end)
end)

describe("the cpu device", function()
  it("refuses headers of blocks in kernels that have none", function()
    local ok, words = pcall(cn.ElementwiseKernel("T x", "T y", "y = x", {preamble = "#include <cub/cub.cuh>"}),
      cn.device("cpu"):with(cn.ones, 1))
    local reason = "<cub/cub.cuh> is for threads of a block, which only raw kernels have"
    assert(not ok and words:find(reason, 1, true), words)
  end)
end)
