/* random_more_draws.h: draws of Sobol's sequences, MTGP32, and Poisson's and tabulated distributions, in kernels and in
 * the program whose numbers are golden. */
enum { NBITS = 24, NREALS = 12 };

/* What all states of one number a value have; W: that number. */
template <class S> __device__ void draw_direct(S *s, unsigned long long *bits, double *reals)
{
    for (int i = 0; i < 5; i++)
        bits[i] = curand(s);
    for (int i = 0; i < 2; i++)
        reals[i] = curand_uniform(s);
    for (int i = 2; i < 4; i++)
        reals[i] = curand_uniform_double(s);
    for (int i = 4; i < 6; i++)
        reals[i] = curand_normal(s);
    for (int i = 6; i < 8; i++)
        reals[i] = curand_normal_double(s);
    reals[8] = curand_log_normal(s, 0.5f, 0.25f);
    reals[9] = curand_log_normal_double(s, 0.5, 0.25);
    for (int i = 6; i < 12; i++)
        bits[i] = curand_poisson(s, i < 8 ? 3.5 : i < 10 ? 700.25 : 5000.0);
    bits[12] = sizeof *s;
}

static __device__ void draw_state(curandStateSobol32_t *s, unsigned long long *bits, double *reals)
{
    curandDirectionVectors32_t directions;
    for (unsigned k = 0; k < 32; k++)
        directions[k] = (2 * k + 1) * 2654435761u;
    curand_init(directions, 77u, s);
    draw_direct(s, bits, reals);
    skipahead(1000003u, s);
    bits[5] = curand(s);
}
static __device__ void draw_state(curandStateScrambledSobol32_t *s, unsigned long long *bits, double *reals)
{
    curandDirectionVectors32_t directions;
    for (unsigned k = 0; k < 32; k++)
        directions[k] = (2 * k + 1) * 2654435761u;
    curand_init(directions, 0x12345678u, 5u, s);
    draw_direct(s, bits, reals);
}
static __device__ void draw_state(curandStateSobol64_t *s, unsigned long long *bits, double *reals)
{
    curandDirectionVectors64_t directions;
    for (unsigned k = 0; k < 64; k++)
        directions[k] = (2 * k + 1) * 0x9e3779b97f4a7c15ull;
    curand_init(directions, 12345678901ull, s);
    draw_direct(s, bits, reals);
    skipahead(1000003ull, s);
    bits[5] = curand(s);
}
static __device__ void draw_state(curandStateScrambledSobol64_t *s, unsigned long long *bits, double *reals)
{
    curandDirectionVectors64_t directions;
    for (unsigned k = 0; k < 64; k++)
        directions[k] = (2 * k + 1) * 0x9e3779b97f4a7c15ull;
    curand_init(directions, 0xfedcba9876543210ull, 9ull, s);
    draw_direct(s, bits, reals);
}

/* A table of three cells, in global memory: cuRAND reads it by __ldg. */
static __device__ double limits[3] = {0.25, 0.5, 0.75};
static __device__ unsigned others[3] = {2, 0, 1};

/* Poisson's distribution from generators of several numbers a value, and that of the table. */
template <class S> __device__ void draw_several(S *s, unsigned long long *bits)
{
    struct curandHistogramM2_st histogram = {};
    struct curandDistributionM2Shift_st cells = {};
    struct curandDiscreteDistribution_st table = {};
    histogram.V = limits, histogram.K = others;
    cells.histogram = &histogram, cells.shift = 10, cells.length = 3;
    table.M2 = &cells, table.method = CURAND_M2, table.mean = 100, table.stddev = 10;
    curand_init(1234ull, 5ull, 7ull, s);
    for (int i = 0; i < 4; i++)
        bits[i] = curand_poisson(s, 3.5);
    for (int i = 10; i < 12; i++)
        bits[i] = curand_poisson(s, 5000.0);
    for (int i = 12; i < 18; i++)
        bits[i] = curand_discrete(s, &table);
    table.method = CURAND_CHOOSE_BEST;
    bits[18] = curand_discrete(s, &table);
    bits[19] = curand(s);
}
/* By rejection, where the fast functions of a GPU may decide otherwise; so they come last. */
template <class S> __device__ void draw_rejected(S *s, unsigned long long *bits)
{
    for (int i = 4; i < 10; i++)
        bits[i] = curand_poisson(s, i < 8 ? 90.5 : 2000.0);
}
static __device__ void draw_state(curandStateXORWOW_t *s, unsigned long long *bits, double *)
{
    draw_several(s, bits);
    draw_rejected(s, bits);
}
static __device__ void draw_state(curandStateMRG32k3a_t *s, unsigned long long *bits, double *)
{
    draw_several(s, bits);
    draw_rejected(s, bits);
}
static __device__ void draw_state(curandStatePhilox4_32_10_t *s, unsigned long long *bits, double *)
{
    draw_several(s, bits);
    uint4 few = curand_poisson4(s, 3.5), many = curand_poisson4(s, 5000.0);
    bits[20] = few.x + 1000 * few.w, bits[21] = many.x, bits[22] = many.y, bits[23] = many.w;
    draw_rejected(s, bits);
}

/* By one thread, over parameters that MTGP32 would not have. */
static __device__ void draw_mtgp(curandStateMtgp32_t *s, mtgp32_kernel_params_t *k, unsigned long long *bits,
                                 double *reals)
{
    s->offset = 0, s->pIdx = 3, s->k = k;
    k->pos_tbl[3] = 88, k->sh1_tbl[3] = 13, k->sh2_tbl[3] = 4, k->mask[0] = 0xfff80000u;
    for (unsigned i = 0; i < 16; i++) {
        k->param_tbl[3][i] = i * 0x9e3779b9u;
        k->temper_tbl[3][i] = i * 0x85ebca6bu;
    }
    for (unsigned i = 0; i < 1024; i++)
        s->s[i] = (i + 1) * 2654435761u;
    draw_direct(s, bits, reals);
    bits[12] = 0;
}
