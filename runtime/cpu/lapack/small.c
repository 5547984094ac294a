/* small.c: linear systems of small real matrices for the cpu device, without OpenBLAS.
 *
 * A call of OpenBLAS takes buffers under a lock, which costs as much as a hundred multiplications, and more where threads
 * wait for each other. Matrices of up to SMALL rows are done here by LAPACK's unblocked algorithms; pivots, info and what
 * is touched are LAPACK's. */
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
