/* raw_curand.cuh: the names of <curand_kernel.h>, for all devices: XORWOW, Philox and MRG32k3a, with cuRAND's numbers.
 *
 * Follows the device's vocabulary of CUDA C++ (raw_cpu.h and the headers beside it, or NVRTC and raw_cuda.h). XORWOW:
 * Marsaglia, Xorshift RNGs (2003). MRG32k3a: L'Ecuyer, Good parameters and implementations for combined multiple
 * recursive random number generators (1999). Philox4x32-10: Salmon et al., Parallel random numbers: as easy as 1, 2, 3
 * (2011). A state has the size that it has in CUDA.
 *
 * The steps of the first two are linear, so that n steps are a polynomial in one step: x^n modulo its characteristic
 * polynomial, found by repeated squaring. */
#ifndef CUNA_RAW_CURAND
#define CUNA_RAW_CURAND
#define CUNA_CURAND static __device__ __forceinline__

/* Normal values are made in pairs: what is left of a pair, and of which distribution it is. */
#define CUNA_CURAND_SPARE                                                                                              \
    int kind, kind_double;                                                                                             \
    float spare;                                                                                                       \
    double spare_double;

struct curandStateXORWOW {
    unsigned weyl, v[5];
    CUNA_CURAND_SPARE
};
struct curandStateMRG32k3a {
    unsigned first[3], second[3];
    CUNA_CURAND_SPARE
};
struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned place; /* in output */
    CUNA_CURAND_SPARE
};
#undef CUNA_CURAND_SPARE
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cuna_curand {

typedef unsigned long long uint64;

/* P: a polynomial modulo another; times(a, b). */
template <class P> static __device__ P power(P base, uint64 n, P result)
{
    for (; n != 0; n >>= 1, base = n != 0 ? times(base, base) : base)
        if (n & 1)
            result = times(result, base);
    return result;
}

template <class S> CUNA_CURAND void drop_spare(S *state)
{
    state->kind = state->kind_double = 0;
    state->spare = 0;
    state->spare_double = 0;
}

/* ---- XORWOW: 160 bits ---- */

struct Bits {
    uint64 words[3];
};

static __device__ Bits times(Bits a, Bits b)
{
    Bits product = {{0, 0, 0}};
    for (int i = 159; i >= 0; --i) {
        uint64 over = 0 - (product.words[2] >> 31 & 1), taken = 0 - (b.words[i / 64] >> i % 64 & 1);
        uint64 high = product.words[2] << 1 | product.words[1] >> 63, middle = product.words[1] << 1;
        middle |= product.words[0] >> 63;
        product.words[2] = ((high & 0xffffffff) ^ (0xf0e & over)) ^ (a.words[2] & taken);
        product.words[1] = (middle ^ (0xf3c003500062121 & over)) ^ (a.words[1] & taken);
        product.words[0] = (product.words[0] << 1 ^ (0x861003000060001 & over)) ^ (a.words[0] & taken);
    }
    return product;
}

CUNA_CURAND void step(unsigned (&v)[5])
{
    unsigned t = v[0] ^ v[0] >> 2;
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] ^= v[4] << 4 ^ t ^ t << 1;
}

static __device__ void skip(unsigned (&v)[5], Bits base, uint64 n)
{
    unsigned sum[5] = {0, 0, 0, 0, 0};
    if (n == 0)
        return;
    Bits jump = power(base, n, Bits{{1, 0, 0}});
    for (int i = 0; i < 160; ++i, step(v))
        for (int k = 0; k < 5; ++k)
            sum[k] ^= v[k] & (0u - unsigned(jump.words[i / 64] >> i % 64 & 1));
    for (int k = 0; k < 5; ++k)
        v[k] = sum[k];
}

/* ---- MRG32k3a: two recurrences of three numbers each, modulo m ---- */

/* x^3 = c0 + c1 x + c2 x^2. */
template <uint64 M, uint64 C0, uint64 C1, uint64 C2> struct Cubic {
    uint64 words[3];
    CUNA_CURAND uint64 next(const uint64 (&s)[3]) { return (C0 * s[0] % M + C1 * s[1] + C2 * s[2]) % M; }
};
typedef Cubic<4294967087, 4294967087 - 810728, 1403580, 0> First;
typedef Cubic<4294944443, 4294944443 - 1370589, 0, 527612> Second;

template <uint64 M, uint64 C0, uint64 C1, uint64 C2>
static __device__ Cubic<M, C0, C1, C2> times(const Cubic<M, C0, C1, C2> &a, const Cubic<M, C0, C1, C2> &b)
{
    uint64 p[3] = {0, 0, 0};
    for (int i = 2; i >= 0; --i) {
        uint64 over = p[2];
        p[2] = (p[1] + C2 * over + a.words[2] * b.words[i] % M) % M;
        p[1] = (p[0] + C1 * over + a.words[1] * b.words[i] % M) % M;
        p[0] = (C0 * over % M + a.words[0] * b.words[i] % M) % M;
    }
    return {{p[0], p[1], p[2]}};
}

template <class P> CUNA_CURAND unsigned step(P, unsigned (&s)[3])
{
    uint64 wide[3] = {s[0], s[1], s[2]};
    s[0] = s[1], s[1] = s[2];
    return s[2] = (unsigned)P::next(wide);
}

template <uint64 M, uint64 C0, uint64 C1, uint64 C2>
static __device__ void skip(unsigned (&s)[3], Cubic<M, C0, C1, C2> base, uint64 n)
{
    if (n == 0)
        return;
    Cubic<M, C0, C1, C2> jump = power(base, n, Cubic<M, C0, C1, C2>{{1, 0, 0}});
    uint64 sums[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i, step(base, s))
        for (int k = 0; k < 3; ++k)
            sums[k] = (sums[k] + jump.words[i] * s[k] % M) % M;
    for (int k = 0; k < 3; ++k)
        s[k] = (unsigned)sums[k];
}

CUNA_CURAND void skip(curandStateMRG32k3a *state, First first, Second second, uint64 n)
{
    skip(state->first, first, n);
    skip(state->second, second, n);
}

/* From 1 to 4294967087. */
CUNA_CURAND unsigned draw(curandStateMRG32k3a *state)
{
    unsigned first = step(First(), state->first), second = step(Second(), state->second);
    return first > second ? first - second : first - second + 4294967087u;
}

/* ---- Philox4x32-10: a number of 128 bits is scrambled ---- */

CUNA_CURAND void scramble(curandStatePhilox4_32_10 *state)
{
    uint4 c = state->counter;
    uint2 key = state->key;
    for (int i = 0; i < 10; ++i, key.x += 0x9e3779b9, key.y += 0xbb67ae85)
        c = uint4{__umulhi(0xcd9e8d57, c.z) ^ c.y ^ key.x, 0xcd9e8d57 * c.z, __umulhi(0xd2511f53, c.x) ^ c.w ^ key.y,
                  0xd2511f53 * c.x};
    state->output = c;
}

/* Adds to the counter, or to its upper half. */
CUNA_CURAND void advance(curandStatePhilox4_32_10 *state, uint64 low, uint64 high)
{
    uint4 &c = state->counter;
    uint64 lower = c.x | (uint64)c.y << 32, upper = c.z | (uint64)c.w << 32;
    lower += low;
    upper += high + (lower < low);
    c = uint4{(unsigned)lower, (unsigned)(lower >> 32), (unsigned)upper, (unsigned)(upper >> 32)};
    scramble(state);
}

} // namespace cuna_curand

/* ---- states ---- */

CUNA_CURAND void skipahead(unsigned long long n, curandStateXORWOW *state)
{
    cuna_curand::skip(state->v, cuna_curand::Bits{{2, 0, 0}}, n);
    state->weyl += 362437u * (unsigned)n;
}
/* 2^67 numbers each. */
CUNA_CURAND void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
    cuna_curand::skip(state->v, cuna_curand::Bits{{0x77bbc24826294934, 0x930052d41a87dad0, 0x947e6dd2}}, n);
}
CUNA_CURAND void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateXORWOW *state)
{
    unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    state->weyl = 6615241u + low + high;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    cuna_curand::drop_spare(state);
}

CUNA_CURAND void skipahead(unsigned long long n, curandStateMRG32k3a *state)
{
    cuna_curand::skip(state, cuna_curand::First{{0, 1, 0}}, cuna_curand::Second{{0, 1, 0}}, n);
}
/* 2^76 numbers each, and 2^127. */
CUNA_CURAND void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state)
{
    cuna_curand::skip(state, cuna_curand::First{{82758667, 1871391091, 4127413238}},
                      cuna_curand::Second{{1511326704, 3759209742, 1610795712}}, n);
}
CUNA_CURAND void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state)
{
    cuna_curand::skip(state, cuna_curand::First{{2427906178, 3580155704, 949770784}},
                      cuna_curand::Second{{1464411153, 277697599, 1610723613}}, n);
}
CUNA_CURAND void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateMRG32k3a *state)
{
    unsigned long long low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
        state->first[i] = seed == 0 ? 12345 : (unsigned)((i == 1 ? high : low) * 12345 % 4294967087);
        state->second[i] = seed == 0 ? 12345 : (unsigned)((i == 1 ? low : high) * 12345 % 4294944443);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    cuna_curand::drop_spare(state);
}

CUNA_CURAND void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    unsigned place = state->place + (unsigned)(n % 4);
    state->place = place % 4;
    cuna_curand::advance(state, n / 4 + place / 4, 0);
}
/* 2^66 numbers each. */
CUNA_CURAND void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state)
{
    cuna_curand::advance(state, 0, n);
}
CUNA_CURAND void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStatePhilox4_32_10 *state)
{
    state->counter = uint4{0, 0, 0, 0};
    state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
    state->place = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    cuna_curand::drop_spare(state);
}

/* ---- numbers ---- */

CUNA_CURAND unsigned curand(curandStateXORWOW *state)
{
    cuna_curand::step(state->v);
    return state->v[4] + (state->weyl += 362437u);
}
CUNA_CURAND unsigned curand(curandStateMRG32k3a *state)
{
    return (unsigned)(cuna_curand::draw(state) * 1.000000048662);
}
CUNA_CURAND unsigned curand(curandStatePhilox4_32_10 *state)
{
    const uint4 &all = state->output;
    unsigned place = state->place, value = place == 0 ? all.x : place == 1 ? all.y : place == 2 ? all.z : all.w;
    state->place = (place + 1) % 4;
    if (place == 3)
        cuna_curand::advance(state, 1, 0);
    return value;
}
CUNA_CURAND uint4 curand4(curandStatePhilox4_32_10 *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return uint4{x, y, z, w};
}

namespace cuna_curand {

/* In (0, 1]; 2.3e-10 is 2^-32, 1.1e-16 is 2^-53. */
CUNA_CURAND float real(unsigned x) { return fmaf((float)x, 2.3283064365386963e-10f, 1.1641532182693481e-10f); }
CUNA_CURAND double real(unsigned low, unsigned high)
{
    return fma((double)(low ^ (uint64)high << 21), 1.1102230246251565e-16, 5.5511151231257827e-17);
}

/* Two normal values, of Box and Muller; u in (0, 1]. */
CUNA_CURAND float2 spread(float u, float angle)
{
    float radius = sqrtf(-2.0f * logf(u)), s, c;
    __sincosf(angle, &s, &c);
    return float2{s * radius, c * radius};
}
CUNA_CURAND double2 spread(double u, double turns)
{
    double radius = sqrt(-2.0 * log(u)), s, c;
    sincospi(turns, &s, &c);
    return double2{s * radius, c * radius};
}

template <class S> CUNA_CURAND float2 two(S *state)
{
    unsigned x = curand(state), y = curand(state);
    const float turn = 2.3283064e-10f * 6.2831855f;
    return spread(real(x), fmaf((float)y, turn, turn / 2));
}
template <class S> CUNA_CURAND double2 two_double(S *state)
{
    unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return spread(real(x, y), 2 * real(z, w));
}
CUNA_CURAND float2 two(curandStateMRG32k3a *state)
{
    float u = (float)(draw(state) * 2.3283065498378288e-10), v = (float)(draw(state) * 2.3283065498378288e-10);
    return spread(u, v * 6.2831855f);
}
CUNA_CURAND double2 two_double(curandStateMRG32k3a *state)
{
    double u = draw(state) * 2.3283065498378288e-10, v = draw(state) * 2.3283065498378288e-10;
    return spread(u, 2 * v);
}

/* What is left of a pair, when it is of this kind, or the first of two; f makes the pair. */
template <class V, class F> CUNA_CURAND V take(int *kind, V *spare, int wanted, F f)
{
    if (*kind == wanted) {
        *kind = 0;
        return *spare;
    }
    auto pair = f();
    *spare = pair.y;
    *kind = wanted;
    return pair.x;
}

} // namespace cuna_curand

CUNA_CURAND float curand_uniform(curandStateXORWOW *state) { return cuna_curand::real(curand(state)); }
CUNA_CURAND float curand_uniform(curandStatePhilox4_32_10 *state) { return cuna_curand::real(curand(state)); }
CUNA_CURAND float curand_uniform(curandStateMRG32k3a *state)
{
    return (float)(cuna_curand::draw(state) * 2.3283065498378288e-10);
}
CUNA_CURAND double curand_uniform_double(curandStateXORWOW *state)
{
    unsigned x = curand(state), y = curand(state);
    return cuna_curand::real(x, y);
}
CUNA_CURAND double curand_uniform_double(curandStatePhilox4_32_10 *state)
{
    return (curand(state) + 1.0) * 2.3283064365386963e-10;
}
CUNA_CURAND double curand_uniform_double(curandStateMRG32k3a *state)
{
    return cuna_curand::draw(state) * 2.3283065498378288e-10;
}
CUNA_CURAND float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
    uint4 x = curand4(state);
    return float4{cuna_curand::real(x.x), cuna_curand::real(x.y), cuna_curand::real(x.z), cuna_curand::real(x.w)};
}
CUNA_CURAND double2 curand_uniform2_double(curandStatePhilox4_32_10 *state)
{
    uint4 x = curand4(state);
    return double2{cuna_curand::real(x.x, x.y), cuna_curand::real(x.z, x.w)};
}

template <class S> CUNA_CURAND float2 curand_normal2(S *state) { return cuna_curand::two(state); }
template <class S> CUNA_CURAND double2 curand_normal2_double(S *state) { return cuna_curand::two_double(state); }
template <class S> CUNA_CURAND float curand_normal(S *state)
{
    return cuna_curand::take(&state->kind, &state->spare, 1, [=] { return cuna_curand::two(state); });
}
template <class S> CUNA_CURAND double curand_normal_double(S *state)
{
    return cuna_curand::take(&state->kind_double, &state->spare_double, 1,
                             [=] { return cuna_curand::two_double(state); });
}
CUNA_CURAND float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
    float2 a = curand_normal2(state), b = curand_normal2(state);
    return float4{a.x, a.y, b.x, b.y};
}

template <class S> CUNA_CURAND float2 curand_log_normal2(S *state, float mean, float stddev)
{
    float2 v = curand_normal2(state);
    return float2{expf(fmaf(stddev, v.x, mean)), expf(fmaf(stddev, v.y, mean))};
}
template <class S> CUNA_CURAND double2 curand_log_normal2_double(S *state, double mean, double stddev)
{
    double2 v = curand_normal2_double(state);
    return double2{exp(fma(stddev, v.x, mean)), exp(fma(stddev, v.y, mean))};
}
template <class S> CUNA_CURAND float curand_log_normal(S *state, float mean, float stddev)
{
    return cuna_curand::take(&state->kind, &state->spare, 2, [=] { return curand_log_normal2(state, mean, stddev); });
}
template <class S> CUNA_CURAND double curand_log_normal_double(S *state, double mean, double stddev)
{
    return cuna_curand::take(&state->kind_double, &state->spare_double, 2,
                             [=] { return curand_log_normal2_double(state, mean, stddev); });
}
CUNA_CURAND float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean, float stddev)
{
    float2 a = curand_log_normal2(state, mean, stddev), b = curand_log_normal2(state, mean, stddev);
    return float4{a.x, a.y, b.x, b.y};
}

#endif
