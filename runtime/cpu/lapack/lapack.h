/* lapack.h: what the two halves of the cpu device's LAPACK share: one call of LAPACK for one matrix. */
#ifndef CUNA_CPU_LAPACK_LAPACK_H
#define CUNA_CPU_LAPACK_LAPACK_H

#include "seam/lapack.h"

/* One matrix of a stack. */
typedef struct cuna_lapack_job {
    const cuna_lapack_call *call;
    int type;        /* s, d, c, z: 0 to 3 */
    bool asks;       /* how large the workspaces have to be, and nothing else */
    int32_t m, n, k; /* of the call */
    void *at[CUNA_LAPACK_OPERANDS];
    int32_t info;       /* how it ended */
    void *work, *rwork; /* elements of the call's dtype, and of its real one */
    int32_t *iwork;
    int32_t lwork, lrwork, liwork; /* how many; asked for when they are -1 */
} cuna_lapack_job;

/* Opens LAPACK once; DEVICE in words that end a line. */
cuna_status cuna__lapack_cpu_open(void);

/* Sets how many elements of workspaces a job takes. */
void cuna__lapack_cpu_measure(cuna_lapack_job *job);

/* Does a job. */
void cuna__lapack_cpu_do(cuna_lapack_job *job);

/* ---- small.c ---- */

/* Whether a job is one of the small ones that are done without OpenBLAS; does it. */
bool cuna__lapack_small_does(const cuna_lapack_job *job);
void cuna__lapack_small_do(cuna_lapack_job *job);

/* Bytes of one element of the job's dtype, and of its real one. */
static inline size_t cuna__lapack_item(const cuna_lapack_job *job)
{
    static const size_t nbytes[] = {4, 8, 8, 16};
    return nbytes[job->type];
}

static inline size_t cuna__lapack_real(const cuna_lapack_job *job)
{
    return job->type % 2 == 0 ? 4 : 8;
}

#endif
