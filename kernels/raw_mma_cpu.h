/* raw_mma_cpu.h: <mma.h> on the cpu device: products of small matrices by the lanes of a warp together.
 *
 * CUDA does not define which elements of a fragment a lane has. Here a lane has neighbours of a row. A product shows
 * the lanes' parts to each other; sums of 16-bit floats are float's, in the order of the inner axis, and sums of half
 * floats are rounded once. Tensor cores add in another order. */
#ifndef CUNA_RAW_MMA
#define CUNA_RAW_MMA

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace cuna_mma {

/* What a fragment of T has as its elements, and in which type products are added. */
template <class T> struct Kind { typedef T storage, sum; };
template <> struct Kind<half> { typedef half storage; typedef float sum; };
template <> struct Kind<__nv_bfloat16> { typedef __nv_bfloat16 storage; typedef float sum; };
template <> struct Kind<precision::tf32> { typedef float storage, sum; };
template <> struct Kind<signed char> { typedef signed char storage; typedef int sum; };
template <> struct Kind<unsigned char> { typedef unsigned char storage; typedef int sum; };

/* As tensor cores read it: of a float the first 19 bits. */
template <class T> struct Read {
    template <class V> static CUNA_INLINE typename Kind<T>::sum value(V x) { return typename Kind<T>::sum(x); }
};
template <> struct Read<precision::tf32> {
    static CUNA_INLINE float value(float x) { return __uint_as_float(__float_as_uint(x) & ~0x1fffu); }
};

template <class Layout> struct IsColumns { static constexpr bool value = false; };
template <> struct IsColumns<col_major> { static constexpr bool value = true; };

/* Rows and columns of what a fragment is a part of. */
template <class Use, int M, int N, int K> struct Shape;
template <int M, int N, int K> struct Shape<matrix_a, M, N, K> { enum { rows = M, columns = K }; };
template <int M, int N, int K> struct Shape<matrix_b, M, N, K> { enum { rows = K, columns = N }; };
template <int M, int N, int K> struct Shape<accumulator, M, N, K> { enum { rows = M, columns = N }; };

template <class T, int M, int N, int K> struct IsShape {
    static constexpr bool value = (M == 16 && N == 16 && K == 16) || (M == 32 && N == 8 && K == 16) ||
                                  (M == 8 && N == 32 && K == 16);
};
template <int M, int N, int K> struct IsShape<precision::tf32, M, N, K> {
    static constexpr bool value = M == 16 && N == 16 && K == 8;
};
template <int M, int N, int K> struct IsShape<float, M, N, K> {
    static constexpr bool value = IsShape<half, M, N, K>::value || IsShape<precision::tf32, M, N, K>::value;
};
template <int M, int N, int K> struct IsShape<double, M, N, K> {
    static constexpr bool value = M == 8 && N == 8 && K == 4;
};

/* The place of the lane's element i in memory. */
template <class F> CUNA_INLINE size_t place(int i, unsigned ldm, bool columns)
{
    unsigned at = cuna_raw::lane() * F::num_elements + unsigned(i), row = at / F::columns, column = at % F::columns;
    return columns ? size_t(column) * ldm + row : size_t(row) * ldm + column;
}

} // namespace cuna_mma

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
    static_assert(cuna_mma::IsShape<T, M, N, K>::value, "a fragment has not this shape of this type");

public:
    typedef typename cuna_mma::Kind<T>::storage element_type, storage_element_type;
    static constexpr int rows = cuna_mma::Shape<Use, M, N, K>::rows, columns = cuna_mma::Shape<Use, M, N, K>::columns;
    static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;
    element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class V>
CUNA_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &value)
{
    for (auto &x : f.x)
        x = typename cuna_mma::Kind<T>::storage(value);
}

template <class Use, int M, int N, int K, class T, class Layout, class V>
CUNA_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const V *p, unsigned ldm)
{
    typedef fragment<Use, M, N, K, T, Layout> F;
    __syncwarp();
    for (int i = 0; i < F::num_elements; ++i)
        f.x[i] = p[cuna_mma::place<F>(i, ldm, cuna_mma::IsColumns<Layout>::value)];
}
template <int M, int N, int K, class T, class V>
CUNA_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const V *p, unsigned ldm, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    __syncwarp();
    for (int i = 0; i < F::num_elements; ++i)
        f.x[i] = p[cuna_mma::place<F>(i, ldm, layout == mem_col_major)];
}
template <int M, int N, int K, class T, class V>
CUNA_INLINE void store_matrix_sync(V *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm, layout_t layout)
{
    typedef fragment<accumulator, M, N, K, T> F;
    __syncwarp();
    for (int i = 0; i < F::num_elements; ++i)
        p[cuna_mma::place<F>(i, ldm, layout == mem_col_major)] = f.x[i];
    __syncwarp();
}

/* d = a b + c. */
template <int M, int N, int K, class T, class A, class B, class D, class C>
CUNA_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, A> &a,
                          const fragment<matrix_b, M, N, K, T, B> &b, const fragment<accumulator, M, N, K, C> &c,
                          bool = false)
{
    typedef typename cuna_mma::Kind<C>::sum Sum;
    constexpr int na = M * K / 32, nb = K * N / 32, nd = M * N / 32;
    struct Part {
        typename cuna_mma::Kind<T>::storage a[na], b[nb];
    } part, all[32];
    unsigned lanes;
    for (int i = 0; i < na; ++i)
        part.a[i] = a.x[i];
    for (int i = 0; i < nb; ++i)
        part.b[i] = b.x[i];
    cuna_raw::gather(~0u, part, all, lanes);
    const unsigned row = cuna_raw::lane() * nd / N, column = cuna_raw::lane() * nd % N;
    for (int j = 0; j < nd; ++j) {
        Sum sum = Sum(c.x[j]);
        for (unsigned k = 0; k < K; ++k) {
            const unsigned at = row * K + k, of = k * N + column + unsigned(j);
            sum += Sum(cuna_mma::Read<T>::value(all[at / na].a[at % na])) *
                   Sum(cuna_mma::Read<T>::value(all[of / nb].b[of % nb]));
        }
        d.x[j] = typename cuna_mma::Kind<D>::storage(sum);
    }
}

/* Rounded to nearest, ties away from 0. */
CUNA_INLINE float __float_to_tf32(float x)
{
    const unsigned bits = __float_as_uint(x);
    return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda

#endif
