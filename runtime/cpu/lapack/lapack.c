/* lapack.c: factorisations of the cpu device, by OpenBLAS.
 *
 * A stack of matrices is cut into pieces, which threads do by themselves: one thread does a small matrix faster than
 * several together. Each piece has a part of the workspace. A stack with fewer matrices than threads, of large ones, goes
 * through one by one, and OpenBLAS' threads share each matrix. */
#include <stddef.h>

#include "cpu/execute/enqueue.h"
#include "cpu/execute/threads.h"
#include "cpu/lapack/lapack.h"
#include "cpu/lapack/openblas.h"

#define SMALL_LENGTH     64    /* of matrices that one thread does best */
#define SHARED_WORK      50000 /* multiplications of a stack that pay for waking threads */
#define PIECES_OF_THREAD 4

enum { PIECES, WORK, RWORK, IWORK };                /* what a call keeps */
enum { ANSWER_TOO_LARGE = 100001, ANSWER_REFUSED }; /* beyond what streams answer */

static cuna_lapack_job job_of(const cuna_lapack_call *call)
{
    cuna_lapack_job job = {.call = call, .type = (int)call->dtype - CUNA_FLOAT32};
    job.m = (int32_t)call->m;
    job.n = (int32_t)call->n;
    job.k = (int32_t)call->k;
    return job;
}

/* More pieces than threads even out what differs, where their workspaces are small. */
static int count_pieces(const cuna_lapack_call *call)
{
    int64_t threads = cuna__cpu_threads_count(), length = cuna__max(call->m, call->n);
    bool small = length <= SMALL_LENGTH;
    bool pays = (double)call->batch * (double)length * (double)call->n * (double)length >= SHARED_WORK;
    if (threads == 1 || call->batch == 1 || !pays || (call->batch < threads && !small))
        return 1;
    return (int)cuna__min(call->batch, small ? threads * PIECES_OF_THREAD : threads);
}

static int64_t align(int64_t nbytes)
{
    return cuna__ceil_div(nbytes, 64) * 64;
}

/* Bytes of one piece's workspaces. */
static int64_t piece_nbytes(const cuna_lapack_job *job)
{
    return align(job->lwork * (int64_t)cuna__lapack_item(job)) + align(job->lrwork * (int64_t)cuna__lapack_real(job)) +
           align(job->liwork * (int64_t)sizeof(int32_t));
}

static int measure(void *handle, cuna_lapack_call *call)
{
    (void)handle;
    if (cuna__max(cuna__max(call->m, call->n), call->k) > INT32_MAX)
        return ANSWER_TOO_LARGE;
    cuna_lapack_job job = job_of(call);
    cuna__lapack_cpu_measure(&job);
    if (job.lwork == INT32_MAX || job.lrwork == INT32_MAX || job.liwork < 0)
        return ANSWER_TOO_LARGE;
    call->kept[PIECES] = count_pieces(call);
    call->kept[WORK] = job.lwork;
    call->kept[RWORK] = job.lrwork;
    call->kept[IWORK] = job.liwork;
    call->workspace_nbytes = call->kept[PIECES] * piece_nbytes(&job);
    call->host_nbytes = 0;
    return 0;
}

/* A run of a call: the first job, with the sizes of its workspaces. */
typedef struct run {
    cuna_lapack_job job;
    int64_t chunk; /* matrices of a piece */
    bool refused;  /* LAPACK found an argument that cannot be */
} run;

static void place_workspaces(cuna_lapack_job *job, int64_t piece)
{
    char *at = (char *)(uintptr_t)job->call->workspace + piece * piece_nbytes(job);
    job->work = at;
    job->rwork = at + align(job->lwork * (int64_t)cuna__lapack_item(job));
    job->iwork = (int32_t *)((char *)job->rwork + align(job->lrwork * (int64_t)cuna__lapack_real(job)));
}

static void do_matrices(void *data, int64_t first, int64_t last)
{
    run *r = data;
    cuna_lapack_job job = r->job;
    const cuna_lapack_call *call = job.call;
    int32_t *info = (int32_t *)(uintptr_t)call->info;
    place_workspaces(&job, first / r->chunk);
    for (int64_t i = first; i < last; i++) {
        for (int k = 0; k < CUNA_LAPACK_OPERANDS; k++)
            job.at[k] = call->at[k] == 0 ? NULL : (char *)(uintptr_t)call->at[k] + i * call->nbytes[k];
        cuna__lapack_cpu_do(&job);
        if (info != NULL)
            info[i] = job.info;
        if (job.info < 0)
            __atomic_store_n(&r->refused, true, __ATOMIC_RELAXED);
    }
}

cu_result cuna__lapack_cpu_work(const void *arguments)
{
    const cuna_lapack_call *call = arguments;
    run r = {.job = job_of(call), .chunk = cuna__ceil_div(call->batch, call->kept[PIECES])};
    r.job.lwork = (int32_t)call->kept[WORK];
    r.job.lrwork = (int32_t)call->kept[RWORK];
    r.job.liwork = (int32_t)call->kept[IWORK];
    if (call->kept[PIECES] > 1) {
        cuna__openblas_begin_alone();
        cuna__cpu_threads_run(do_matrices, &r, call->batch, r.chunk);
        cuna__openblas_end_alone();
    } else {
        do_matrices(&r, 0, call->batch);
    }
    return r.refused ? ANSWER_REFUSED : CU_SUCCESS;
}

static int run_call(void *handle, cu_stream stream, const cuna_lapack_call *call)
{
    (void)handle;
    return cuna__cpu_enqueue(stream, cuna__lapack_cpu_work, call, sizeof *call);
}

static int create(void **handle)
{
    *handle = (void *)&cuna__lapack_cpu; /* any address: there is nothing to keep */
    return CU_SUCCESS;
}

static const char *describe(int answer)
{
    const char *text = NULL;
    if (answer == ANSWER_TOO_LARGE)
        return "it counts with 32 bits, and the matrices or its workspaces are larger";
    if (answer == ANSWER_REFUSED)
        return "it found an argument that cannot be";
    cuna__driver_cpu()->get_error_string(answer, &text);
    return text != NULL ? text : "an error without a name";
}

static bool is_memory(int answer)
{
    return answer == CU_ERROR_OUT_OF_MEMORY;
}

#define ROW(name, operands, options) [CUNA_LAPACK_##name] = INT64_MAX,
const cuna_lapack cuna__lapack_cpu = {.name = "OpenBLAS",
                                      .open = cuna__lapack_cpu_open,
                                      .where = cuna__openblas_where,
                                      .describe = describe,
                                      .is_memory = is_memory,
                                      .create = create,
                                      .measure = measure,
                                      .run = run_call,
                                      .longest = {CUNA_LAPACK_ROWS(ROW)}};
#undef ROW
