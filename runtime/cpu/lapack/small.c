/* small.c: linear systems of small real matrices for the cpu device, without OpenBLAS.
 *
 * OpenBLAS has no LAPACK for stacks, and a call of it takes buffers under a lock, so that on small matrices two threads take
 * as long as one. Matrices of up to SMALL rows are done here by LAPACK's unblocked algorithms; pivots, info and what
 * is touched are LAPACK's. Nanoseconds for a matrix of float64 in a stack of 10,000 on an EPYC, here / by OpenBLAS 0.3.21:
 *
 *                      one thread                                  two threads
 *                 2 x 2     4 x 4     8 x 8    14 x 14        2 x 2     4 x 4     8 x 8    14 x 14
 *   lu_factor    64/103   124/170   564/626  2187/2015       28/152    92/171   323/472  1340/1121
 *   solve        83/149   167/237   562/730  1586/1484       46/151   167/236   267/589    831/964
 *   inv          86/196   204/340   854/920  3364/2816       79/195   147/338   711/845  1798/1584
 *   cholesky      54/97    84/134   171/268    442/678        40/76    50/133   139/246    254/409
 *
 * One matrix alone takes 6 microseconds or more either way. */
#include <math.h>

#include "cpu/lapack/lapack.h"

#define SMALL 14

/* op(a) of n rows, for k right sides. */
typedef struct cuna_small_triangle {
    int n, k;
    bool lower, transposed, unit;
} cuna_small_triangle;

static inline float s_root(float x)
{
    return sqrtf(x);
}

static inline double d_root(double x)
{
    return sqrt(x);
}

#define REAL    float
#define NAME(x) s_##x
#include "cpu/lapack/small_text.h"
#undef REAL
#undef NAME

#define REAL    double
#define NAME(x) d_##x
#include "cpu/lapack/small_text.h"
#undef REAL
#undef NAME

bool cuna__lapack_small_does(const cuna_lapack_job *job)
{
    static const uint32_t known = 1u << CUNA_LAPACK_getrf | 1u << CUNA_LAPACK_getrs | 1u << CUNA_LAPACK_getri |
                                  1u << CUNA_LAPACK_potrf | 1u << CUNA_LAPACK_potrs | 1u << CUNA_LAPACK_trsm;
    return job->type < 2 && job->m <= SMALL && job->n <= SMALL && (known >> job->call->op & 1);
}

void cuna__lapack_small_do(cuna_lapack_job *job)
{
    if (job->type == 0)
        s_job(job);
    else
        d_job(job);
}
