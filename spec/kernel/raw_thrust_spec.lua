--- Thrust's values and algorithms in raw kernels, and in preambles.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local BEFORE = [==[
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/pair.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/for_each.h>
#include <thrust/transform.h>
struct Weigh {
  template <class T> __device__ void operator()(T t) const
  { thrust::get<2>(t) = thrust::get<0>(t) * 10 + thrust::get<1>(t); }
};
struct Even { __device__ bool operator()(int x) const { return x % 2 == 0; } };
]==]

-- Kernels of one thread over `x`, 3 1 4 1 5 9 2 6, that write to `out`.
local BODIES = {
  values = [[
    thrust::pair<int, float> p = thrust::make_pair(3, 0.5f);
    thrust::tuple<int, float, char> t(1, 2.5f, 'c'), u = thrust::make_tuple(1, 2.5f, 'd');
    int a;
    float b;
    thrust::tie(a, b) = thrust::make_tuple(7, 1.5f);
    thrust::get<0>(t) += 4;
    thrust::complex<float> z = thrust::complex<float>(3, 4) * thrust::conj(thrust::complex<float>(0, 1));
    out[0] = p.first + int(2 * p.second) + (p < thrust::make_pair(3, 0.75f));
    out[1] = thrust::get<0>(t) + (u < t) + thrust::tuple_size<thrust::tuple<int, int>>::value;
    out[2] = a + int(2 * b) + int(z.real()) + int(thrust::abs(z));
    out[3] = thrust::maximum<int>()(2, 5) + thrust::plus<>()(1, 2) * thrust::negate<int>()(3);]],
  sorts = [[
    int keys[8], places[8];
    thrust::copy(thrust::seq, x, x + 8, keys);
    thrust::sequence(thrust::seq, places, places + 8);
    thrust::stable_sort_by_key(thrust::seq, keys, keys + 8, places, thrust::greater<int>());
    for (int i = 0; i < 8; i++) out[i] = 10 * keys[i] + places[i];
    thrust::sort(thrust::device, keys, keys + 8);
    int *at = thrust::lower_bound(thrust::seq, keys, keys + 8, 4);
    out[8] = at - keys + 10 * thrust::binary_search(thrust::seq, keys, keys + 8, 7) +
             100 * thrust::is_sorted(thrust::seq, keys, keys + 8);
    thrust::pair<int *, int *> ones = thrust::equal_range(thrust::seq, keys, keys + 8, 1);
    out[9] = ones.second - ones.first;
    int other[] = {0, 1, 4, 10};
    int *end = thrust::set_intersection(thrust::seq, keys, keys + 8, other, other + 4, out + 10);
    end = thrust::merge(thrust::seq, other, other + 2, other + 2, other + 4, end);
    *end = thrust::unique(thrust::seq, keys, keys + 8) - keys;]],
  folds = [[
    out[0] = thrust::reduce(thrust::seq, x, x + 8);
    out[1] = thrust::reduce(thrust::seq, x, x + 8, 0, thrust::maximum<int>());
    out[2] = thrust::transform_reduce(thrust::seq, x, x + 8, [](int v) { return v * v; }, 0, thrust::plus<int>());
    out[3] = thrust::inner_product(thrust::seq, x, x + 8, thrust::counting_iterator<int>(1), 0);
    out[4] = thrust::count_if(thrust::seq, x, x + 8, Even()) + 10 * thrust::count(thrust::seq, x, x + 8, 1);
    out[5] = thrust::max_element(thrust::seq, x, x + 8) - x;
    out[6] = thrust::find_if(thrust::seq, x, x + 8, Even()) - x + 10 * thrust::any_of(thrust::seq, x, x + 8, Even());
    out[7] = thrust::reduce(thrust::seq, thrust::make_transform_iterator(x, Even()),
                            thrust::make_transform_iterator(x + 8, Even()), 0);
    out[8] = thrust::equal(thrust::seq, x, x + 4, thrust::make_constant_iterator(3))
             + *thrust::make_reverse_iterator(x + 8);
    int keys[] = {1, 1, 2, 2, 2, 1, 1, 1}, kept[8];
    thrust::pair<int *, int *> end = thrust::reduce_by_key(thrust::seq, keys, keys + 8, x, kept, out + 9);
    *end.second = end.first - kept;]],
  zips = [[
    int weights[8], copies[8];
    thrust::sequence(thrust::seq, weights, weights + 8);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(x, weights, out));
    thrust::for_each(thrust::seq, first, first + 8, Weigh());
    thrust::copy(thrust::seq, x, x + 8, copies);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(copies, weights));
    thrust::stable_sort_by_key(thrust::seq, copies, copies + 8, weights);
    thrust::tuple<int, int> third = pairs[2];
    out[8] = thrust::get<0>(third) * 10 + thrust::get<1>(third);]],
  scans = [[
    thrust::inclusive_scan(thrust::seq, x, x + 8, out);
    thrust::exclusive_scan(thrust::seq, x, x + 8, out + 8, 100);
    thrust::inclusive_scan(thrust::seq, x, x + 8, out + 16, thrust::maximum<int>());
    thrust::adjacent_difference(thrust::seq, x, x + 8, out + 24);
    int keys[] = {1, 1, 2, 2, 2, 1, 1, 1};
    thrust::inclusive_scan_by_key(thrust::seq, keys, keys + 8, x, out + 32);
    thrust::exclusive_scan_by_key(thrust::seq, keys, keys + 8, x, out + 40);]],
  parts = [[
    int copies[8], *end = thrust::copy_if(thrust::seq, x, x + 8, out, Even());
    thrust::copy(thrust::seq, x, x + 8, copies);
    end = thrust::copy(thrust::seq, copies, thrust::remove(thrust::seq, copies, copies + 8, 1), end);
    thrust::copy(thrust::seq, x, x + 8, copies);
    thrust::stable_partition(thrust::seq, copies, copies + 8, Even());
    thrust::reverse(thrust::seq, copies, copies + 8);
    thrust::replace(thrust::seq, copies, copies + 8, 9, -9);
    int map[] = {7, 0};
    end = thrust::gather(thrust::seq, map, map + 2, copies, thrust::copy(thrust::seq, copies, copies + 8, end));
    thrust::swap(copies[0], copies[1]);
    *end = copies[0] * 10 + thrust::min(4, 6) + thrust::max(1, 3);]],
}

local EXPECTED = {
  values = {3 + 1 + 1, 5 + 1 + 2, 7 + 3 + 4 + 5, 5 - 9},
  sorts = {95, 67, 54, 42, 30, 26, 11, 13, 100 + 4, 2, 1, 4, 0, 1, 4, 10, 7},
  folds = {31, 9, 173, 1 * 3 + 2 * 1 + 3 * 4 + 4 * 1 + 5 * 5 + 6 * 9 + 7 * 2 + 8 * 6, 23, 5, 12, 3, 6, 4, 10, 17, 3},
  zips = {30, 11, 42, 13, 54, 95, 26, 67, 26},
  scans = {3, 4, 8, 9, 14, 23, 25, 31, 100, 103, 104, 108, 109, 114, 123, 125, 3, 3, 4, 4, 5, 9, 9, 9, 3, -2, 3,
    -3, 4, 4,
    -7, 4, 3, 4, 4, 5, 10, 9, 11, 17, 0, 3, 0, 4, 5, 0, 9, 11},
  parts = {4, 2, 6, 3, 4, 5, 9, 2, 6, -9, 5, 1, 1, 3, 6, 2, 4, 4, -9, 57},
}

each_device(function()
  --- The results of the kernels, of which each is in a module of its own.
  local function run(name)
    local kernel = cn.RawKernel(BEFORE .. "__global__ void f(int *out, const int *x) {" .. BODIES[name] .. "}", "f")
    local out = cn.zeros(64, "int32")
    kernel(1, 1, {out, cn.array({3, 1, 4, 1, 5, 9, 2, 6}, "int32")})
    return {unpack(out:totable(), 1, #EXPECTED[name])}
  end

  for name in pairs(BODIES) do
    it("has " .. name, function() assert.same(EXPECTED[name], run(name)) end)
  end

  it("sorts much in one thread", function()
    local kernel = cn.RawKernel("#include <thrust/sort.h>\n" .. [[
      __global__ void f(float *x, int n)
      { thrust::sort(thrust::seq, x + n * threadIdx.x, x + n * (threadIdx.x + 1)); }]],
      "f")
    local x = cn.sin(cn.arange(3 * 1000)):astype "float32"
    local sorted = cn.sort(x:reshape {3, 1000}, {axis = 2})
    kernel(1, 3, {x, 1000})
    assert.is_true(cn.array_equal(sorted:ravel(), x))
  end)

  it("serves preambles", function()
    local text = "y = median(&x[i * count], count)"
    local k = cn.ElementwiseKernel("raw T x, int32 count", "T y", text, "medians", {preamble = [[
      #include <thrust/sort.h>
      template <class T> __device__ T median(const T *x, int n) {
        T room[5];
        thrust::copy(thrust::seq, x, x + n, room);
        thrust::sort(thrust::seq, room, room + n);
        return room[n / 2];
      }]]})
    assert.same({2, 8}, k(cn.array({3, 1, 2, 9, 8, 7}, "float32"), 3, {size = 2}):totable())
  end)
end)
