/* raw_curand_more.cuh: further generators and distributions of <curand_kernel.h>, for all devices; follows
 * raw_curand.cuh.
 *
 * Sobol's sequences: the next number differs from the last by the direction of the lowest bit of the index that is 0.
 * MTGP32 (Saito and Matsumoto, Variants of Mersenne Twister suitable for graphic processors, 2013): the threads of a
 * block make consecutive numbers of one state. Both take normal values from the inverse of the distribution function.
 * Poisson: products of uniform values below a mean of 64 (Knuth), above 4000 rounded normal values, between
 * them a rejection from an approximation of the incomplete gamma function. */
#ifndef CUNA_RAW_CURAND_MORE
#define CUNA_RAW_CURAND_MORE

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

namespace cuna_curand {

template <class W, int BITS> struct Sobol {
    W i, x, c;
    W direction_vectors[BITS];
};

template <class W, int BITS> CUNA_CURAND void skip(Sobol<W, BITS> *state, W n)
{
    state->i += n;
    state->x = state->c;
    W gray = state->i ^ state->i >> 1;
    for (int k = 0; k < BITS; ++k)
        if (gray >> k & 1)
            state->x ^= state->direction_vectors[k];
}
template <class W, int BITS, class V>
CUNA_CURAND void begin(Sobol<W, BITS> *state, const V &directions, W scramble, W offset)
{
    for (int k = 0; k < BITS; ++k)
        state->direction_vectors[k] = directions[k];
    state->i = 0;
    state->c = scramble;
    skip(state, offset);
}
template <class W, int BITS> CUNA_CURAND W draw(Sobol<W, BITS> *state)
{
    W value = state->x;
    int k = __ffsll((long long)~(uint64)state->i) - 1;
    state->x ^= state->direction_vectors[k < BITS ? k : BITS - 1];
    ++state->i;
    return value;
}

} // namespace cuna_curand

struct curandStateSobol32 : cuna_curand::Sobol<unsigned, 32> {};
struct curandStateScrambledSobol32 : cuna_curand::Sobol<unsigned, 32> {};
struct curandStateSobol64 : cuna_curand::Sobol<unsigned long long, 64> {};
struct curandStateScrambledSobol64 : cuna_curand::Sobol<unsigned long long, 64> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

#define CUNA_SOBOL(S, W, BITS)                                                                                         \
    CUNA_CURAND void skipahead(W n, curandState##S *state)                                                             \
    {                                                                                                                  \
        cuna_curand::skip<W, BITS>(state, n);                                                                          \
    }                                                                                                                  \
    template <class P> CUNA_CURAND void skipahead(W n, curandState##S *state)                                          \
    {                                                                                                                  \
        cuna_curand::skip<W, BITS>(state, n);                                                                          \
    }                                                                                                                  \
    CUNA_CURAND W curand(curandState##S *state) { return cuna_curand::draw<W, BITS>(state); }
CUNA_SOBOL(Sobol32, unsigned, 32)
CUNA_SOBOL(ScrambledSobol32, unsigned, 32)
CUNA_SOBOL(Sobol64, unsigned long long, 64)
CUNA_SOBOL(ScrambledSobol64, unsigned long long, 64)
#undef CUNA_SOBOL
CUNA_CURAND void curand_init(curandDirectionVectors32_t directions, unsigned offset, curandStateSobol32 *state)
{
    cuna_curand::begin<unsigned, 32>(state, directions, 0, offset);
}
CUNA_CURAND void curand_init(curandDirectionVectors32_t directions, unsigned scramble, unsigned offset,
                             curandStateScrambledSobol32 *state)
{
    cuna_curand::begin<unsigned, 32>(state, directions, scramble, offset);
}
CUNA_CURAND void curand_init(curandDirectionVectors64_t directions, unsigned long long offset,
                             curandStateSobol64 *state)
{
    cuna_curand::begin<unsigned long long, 64>(state, directions, 0, offset);
}
CUNA_CURAND void curand_init(curandDirectionVectors64_t directions, unsigned long long scramble,
                             unsigned long long offset, curandStateScrambledSobol64 *state)
{
    cuna_curand::begin<unsigned long long, 64>(state, directions, scramble, offset);
}

/* ---- MTGP32 ---- */

struct mtgp32_kernel_params {
    unsigned pos_tbl[200];
    unsigned param_tbl[200][16];
    unsigned temper_tbl[200][16];
    unsigned single_temper_tbl[200][16];
    unsigned sh1_tbl[200];
    unsigned sh2_tbl[200];
    unsigned mask[1];
};
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 {
    unsigned s[1024];
    int offset;
    int pIdx;
    mtgp32_kernel_params_t *k;
};
typedef curandStateMtgp32 curandStateMtgp32_t;

/* The number of `index` after the offset; `count`: how many numbers are made at once. */
CUNA_CURAND unsigned curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned index, unsigned count)
{
    const mtgp32_kernel_params_t *k = state->k;
    int p = state->pIdx, position = (int)k->pos_tbl[p];
    unsigned at = index + (unsigned)state->offset;
    unsigned x = (state->s[at & 1023] & k->mask[0]) ^ state->s[(at + 1) & 1023];
    x ^= x << k->sh1_tbl[p];
    unsigned y = x ^ state->s[(at + position) & 1023] >> k->sh2_tbl[p];
    unsigned value = y ^ k->param_tbl[p][y & 15];
    unsigned t = state->s[(at + position - 1) & 1023];
    state->s[(at + 351) & 1023] = value;
    t ^= t >> 16;
    t ^= t >> 8;
    __syncthreads();
    if (index == 0)
        state->offset = (int)(((unsigned)state->offset + count) & 1023);
    __syncthreads();
    return value ^ k->temper_tbl[p][t & 15];
}
CUNA_CURAND unsigned curand(curandStateMtgp32_t *state)
{
    unsigned place = threadIdx.x + blockDim.x * threadIdx.y + blockDim.z * blockDim.y * threadIdx.z;
    return curand_mtgp32_specific(state, place, blockDim.x * blockDim.y * blockDim.z);
}

/* ---- values of one number ---- */

namespace cuna_curand {

CUNA_CURAND float real(uint64 x) { return real(unsigned(x >> 32)); }
CUNA_CURAND double real_double(unsigned x) { return x * 2.3283064365386963e-10 + 2.3283064365386963e-10; }
CUNA_CURAND double real_double(uint64 x) { return (x >> 11) * 1.1102230246251565e-16 + 5.5511151231257827e-17; }

/* Between 0 and 1, with neither. */
CUNA_CURAND double open(unsigned x) { return x * 2.3283064365386963e-10 + 1.1641532182693481e-10; }
CUNA_CURAND double open(uint64 x) { return (x >> 11) * 1.1102230246251565e-16 + 2.7755575615628914e-17; }

/* The upper half is mirrored, where the distribution function is near 1. */
CUNA_CURAND float normal(unsigned x)
{
    bool upper = x > 0x80000000u;
    float value = 1.4142135f * erfcinvf(2.0f * real(upper ? 0xffffffffu - x : x));
    return upper ? value : -value;
}
CUNA_CURAND float normal(uint64 x) { return normal(unsigned(x >> 32)); }
CUNA_CURAND double normal_double(unsigned x)
{
    bool upper = x > 0x80000000u;
    double value = 1.4142135623730951 * erfcinv(2.0 * open(upper ? 0xffffffffu - x : x));
    return upper ? value : -value;
}
CUNA_CURAND double normal_double(uint64 x)
{
    uint64 bits = x >> 11;
    bool upper = bits > 0x10000000000000ull;
    bits = upper ? 0x1fffffffffffffull - bits : bits;
    double value = 1.4142135623730951 * erfcinv(2.0 * (bits * 1.1102230246251565e-16 + 5.5511151231257827e-17));
    return upper ? value : -value;
}

/* The number of terms whose sum passes u. The series begins for each 500 of the mean, so that no term is 0. */
template <class W> CUNA_CURAND unsigned poisson(W x, double mean)
{
    if (mean >= 1000)
        return (unsigned)(sqrt(mean) * normal_double(x) + mean + 0.5);
    double term = 1, sum = 1, u = open(x);
    unsigned k = 0;
    double done = 0;
    do {
        double factor = mean > done + 500 ? exp(-500.0) : exp(done - mean);
        term *= factor;
        sum *= factor;
        for (; u > sum; sum += term)
            term *= mean / (double)++k;
        done += 500;
    } while (done < mean);
    return k;
}

} // namespace cuna_curand

#define CUNA_DIRECT(S)                                                                                                 \
    CUNA_CURAND float curand_uniform(curandState##S *state) { return cuna_curand::real(curand(state)); }               \
    CUNA_CURAND double curand_uniform_double(curandState##S *state)                                                    \
    {                                                                                                                  \
        return cuna_curand::real_double(curand(state));                                                                \
    }                                                                                                                  \
    CUNA_CURAND float curand_normal(curandState##S *state) { return cuna_curand::normal(curand(state)); }              \
    CUNA_CURAND double curand_normal_double(curandState##S *state)                                                     \
    {                                                                                                                  \
        return cuna_curand::normal_double(curand(state));                                                              \
    }                                                                                                                  \
    CUNA_CURAND float curand_log_normal(curandState##S *state, float mean, float stddev)                               \
    {                                                                                                                  \
        return expf(mean + stddev * curand_normal(state));                                                             \
    }                                                                                                                  \
    CUNA_CURAND double curand_log_normal_double(curandState##S *state, double mean, double stddev)                     \
    {                                                                                                                  \
        return exp(mean + stddev * curand_normal_double(state));                                                       \
    }                                                                                                                  \
    CUNA_CURAND unsigned curand_poisson(curandState##S *state, double mean)                                            \
    {                                                                                                                  \
        return cuna_curand::poisson(curand(state), mean);                                                              \
    }
CUNA_DIRECT(Sobol32)
CUNA_DIRECT(ScrambledSobol32)
CUNA_DIRECT(Sobol64)
CUNA_DIRECT(ScrambledSobol64)
CUNA_DIRECT(Mtgp32)
#undef CUNA_DIRECT

/* ---- Poisson's distribution from several numbers ---- */

#define CUNA_GAMMA __device__ __forceinline__
namespace cuna_curand {

template <class S> CUNA_CURAND unsigned poisson_by_products(S *state, float mean)
{
    unsigned k = 0;
    for (float p = expf(mean) * curand_uniform(state); p > 1.0f; p *= curand_uniform(state))
        ++k;
    return k;
}

/* The incomplete gamma function of `a` is near 1 / (1 + exp(alpha (a - x) - beta))^2. */
struct Gamma {
    float a, alpha, beta;
    CUNA_GAMMA Gamma(float a)
        : a(a), alpha(1.43248035075540910f * (1.0f / sqrtf(a - 0.12400979329415655f)) + 0.00025361074907033f),
          beta(0.21096734870196546f * (1.0f / sqrtf(a - 1.97381164089999420f)) + 0.94201734077887530f)
    {
    }
    CUNA_GAMMA float operator()(float x) const
    {
        float t = 1.0f + expf(alpha * (a - x) - beta);
        return 1.0f / (t * t);
    }
    CUNA_GAMMA float inverse(float y) const
    {
        float t = beta + logf(1.0f / sqrtf(y) - 1.0f);
        return -t * (1.0f / alpha) + a;
    }
};

template <class S> CUNA_CURAND unsigned poisson_by_rejection(S *state, float mean)
{
    Gamma gamma(mean);
    float log_mean = logf(mean), x, z, width, wanted;
    do {
        x = floorf(gamma.inverse(curand_uniform(state)));
        width = (gamma(x + 1.0f) - gamma(x)) * 1.3f;
        z = curand_uniform(state) * width;
        wanted = expf(-mean + x * log_mean - (float)lgamma((double)(int)(1.0f + x)));
    } while (!(z < wanted && width >= 1e-20));
    return (unsigned)x;
}

CUNA_CURAND unsigned rounded(double mean, double normal) { return (unsigned)(sqrt(mean) * normal + mean + 0.5); }

template <class S> CUNA_CURAND unsigned poisson_of(S *state, double mean)
{
    if (mean > 4000)
        return rounded(mean, curand_normal_double(state));
    return mean < 64 ? poisson_by_products(state, (float)mean) : poisson_by_rejection(state, (float)mean);
}

} // namespace cuna_curand
#undef CUNA_GAMMA

CUNA_CURAND unsigned curand_poisson(curandStateXORWOW_t *state, double mean)
{
    return cuna_curand::poisson_of(state, mean);
}
CUNA_CURAND unsigned curand_poisson(curandStateMRG32k3a_t *state, double mean)
{
    return cuna_curand::poisson_of(state, mean);
}
CUNA_CURAND unsigned curand_poisson(curandStatePhilox4_32_10_t *state, double mean)
{
    return cuna_curand::poisson_of(state, mean);
}
CUNA_CURAND uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean)
{
    using namespace cuna_curand;
    if (mean > 4000) {
        double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
        return make_uint4(rounded(mean, a.x), rounded(mean, a.y), rounded(mean, b.x), rounded(mean, b.y));
    }
    uint4 values;
    values.x = poisson_of(state, mean), values.y = poisson_of(state, mean);
    values.z = poisson_of(state, mean), values.w = poisson_of(state, mean);
    return values;
}

/* ---- distributions that the host tabulates ---- */

enum curandMethod {
    CURAND_CHOOSE_BEST,
    CURAND_ITR,
    CURAND_KNUTH,
    CURAND_HITR,
    CURAND_M1,
    CURAND_M2,
    CURAND_BINARY_SEARCH,
    CURAND_DISCRETE_GAUSS,
    CURAND_REJECTION
};
typedef curandMethod curandMethod_t;
struct curandHistogramM2_st {
    double *V, *host_V;
    unsigned *K, *host_K;
    unsigned host_gen;
};
struct curandDistributionM2Shift_st {
    curandHistogramM2_st *histogram, *host_histogram;
    unsigned shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
    curandDiscreteDistribution_st *self_host_ptr;
    curandDistributionM2Shift_st *M2, *host_M2;
    double stddev, mean;
    curandMethod_t method;
    unsigned host_gen;
};
typedef curandDiscreteDistribution_st *curandDiscreteDistribution_t;

/* A cell of the histogram holds its own value and another, which a uniform value chooses between. */
template <class S> CUNA_CURAND unsigned curand_discrete(S *state, curandDiscreteDistribution_t distribution)
{
    if (distribution->method != CURAND_M2)
        return (unsigned)(distribution->stddev * curand_normal_double(state) + distribution->mean + 0.5);
    const curandDistributionM2Shift_st *cells = distribution->M2;
    double u = cuna_curand::real_double(curand(state));
    int cell = (int)floor(cells->length * u);
    return cells->shift + (u < cells->histogram->V[cell] ? (unsigned)cell : cells->histogram->K[cell]);
}
CUNA_CURAND uint4 curand_discrete4(curandStatePhilox4_32_10_t *state, curandDiscreteDistribution_t distribution)
{
    uint4 values;
    values.x = curand_discrete(state, distribution), values.y = curand_discrete(state, distribution);
    values.z = curand_discrete(state, distribution), values.w = curand_discrete(state, distribution);
    return values;
}

#endif
