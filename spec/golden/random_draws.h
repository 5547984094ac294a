/* random_draws.h: draws of each kind, in kernels and in the program whose numbers are golden. */
enum { NBITS = 22, NEXACT = 8, NREALS = 20 };

/* Bits and uniform numbers are the same everywhere, normal ones within roundings. */
template <class S> __device__ void draw_common(S *s, unsigned *bits, double *exact, double *reals)
{
    for (int i = 0; i < 6; i++)
        bits[i] = curand(s);
    skipahead(1000003ull, s);
    bits[6] = curand(s);
    skipahead_sequence(5ull, s);
    bits[7] = curand(s);
    for (int i = 0; i < 3; i++)
        exact[i] = curand_uniform(s);
    for (int i = 3; i < 6; i++)
        exact[i] = curand_uniform_double(s);
    for (int i = 0; i < 3; i++)
        reals[i] = curand_normal(s);
    for (int i = 3; i < 6; i++)
        reals[i] = curand_normal_double(s);
    for (int i = 6; i < 9; i++)
        reals[i] = curand_log_normal(s, 0.5f, 2.0f);
    reals[9] = curand_log_normal_double(s, 0.5, 2.0);
    reals[10] = curand_normal2(s).y;
    reals[11] = curand_normal2_double(s).y;
    reals[12] = curand_log_normal2(s, 0.5f, 0.5f).x;
    reals[13] = curand_log_normal2_double(s, 0.5, 0.5).x;
    bits[8] = curand(s);
    bits[9] = sizeof *s;
}

__device__ void draw_own(curandStateXORWOW_t *, unsigned *, double *, double *) {}
__device__ void draw_own(curandStateMRG32k3a_t *s, unsigned *bits, double *, double *)
{
    skipahead_subsequence(9ull, s);
    bits[10] = curand(s);
}
__device__ void draw_own(curandStatePhilox4_32_10_t *s, unsigned *bits, double *exact, double *reals)
{
    for (int i = 0; i < 3; i++) {
        uint4 all = curand4(s);
        bits[10 + 4 * i] = all.x, bits[11 + 4 * i] = all.y, bits[12 + 4 * i] = all.z, bits[13 + 4 * i] = all.w;
        curand(s);
    }
    float4 x = curand_uniform4(s), y = curand_normal4(s), z = curand_log_normal4(s, 0.5f, 0.5f);
    exact[6] = x.y + x.w;
    exact[7] = curand_uniform2_double(s).y;
    reals[14] = y.x, reals[15] = y.y, reals[16] = y.z, reals[17] = y.w;
    reals[18] = z.x, reals[19] = z.w;
}

template <class S>
__device__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned *bits,
                     double *exact, double *reals)
{
    S state;
    curand_init(seed, sequence, offset, &state);
    draw_common(&state, bits, exact, reals);
    draw_own(&state, bits, exact, reals);
}
