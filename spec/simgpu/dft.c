/* dft.c: cuFFT: plans are the cpu device's; executions check their arguments, as cuFFT does, and are queued. */
#include <string.h>

#include "simgpu.h"

enum { MOST_PLANS = 4096, VERSION = 12000 };

/* What is known of a plan beside what the cpu device's has. */
static struct plan {
    bool live, made;
    struct simgpu_context *context;
    cu_stream stream;
    void *work;
    size_t work_nbytes, in_nbytes, out_nbytes; /* bytes from the first to after the last number */
    unsigned alignment;
    bool spoils; /* its input: that of transforms to real numbers may change, as cuFFT has it */
} plans[MOST_PLANS];

struct execution {
    void *in, *out, *work;
    cufft_handle handle;
    int direction;
    bool spoils;
};

/* NULL without FFTW, so that no plan is created. */
static const cuna_dft *table(void)
{
    const cuna_dft *found;
    return cuna__dft_cpu(&found) == CUNA_OK ? found : NULL;
}

static struct plan *find(const struct simgpu_call *call, cufft_handle handle)
{
    struct plan *plan = handle >= 0 && handle < MOST_PLANS && plans[handle].live ? &plans[handle] : NULL;
    return plan != NULL && plan->context == call->context ? plan : NULL;
}

int simgpu__row_dft_get_version(int *version)
{
    SIMGPU_ENTER(dft_get_version, SIMGPU_NEED_NOTHING);
    *version = VERSION;
    return CUFFT_SUCCESS;
}

int simgpu__row_dft_create(cufft_handle *handle)
{
    SIMGPU_ENTER_LIBRARY(dft_create, CUFFT_INTERNAL_ERROR);
    int result = table() == NULL ? CUFFT_SETUP_FAILED : table()->dft_create(handle);
    if (result == CUFFT_SUCCESS && *handle >= MOST_PLANS)
        result = CUFFT_ALLOC_FAILED;
    if (result == CUFFT_SUCCESS)
        plans[*handle] = (struct plan){.live = true, .context = call.context};
    return result;
}

int simgpu__row_dft_set_auto_allocation(cufft_handle handle, int automatic)
{
    SIMGPU_ENTER_LIBRARY(dft_set_auto_allocation, CUFFT_INTERNAL_ERROR);
    const struct plan *plan = find(&call, handle);
    if (plan == NULL || plan->made)
        return CUFFT_INVALID_PLAN;
    return table()->dft_set_auto_allocation(handle, automatic);
}

/* Bytes that one side of all transforms spans. */
static size_t span(int rank, const long long *n, const long long *embed, long long stride, long long dist,
                   long long batch, int type, bool is_half)
{
    static const int nbytes[] = {[CUDA_R_32F] = 4, [CUDA_R_64F] = 8, [CUDA_C_32F] = 8, [CUDA_C_64F] = 16};
    long long last = (batch - 1) * dist, step = stride;
    for (int axis = rank - 1; axis >= 0; axis--) {
        long long length = axis == rank - 1 && is_half ? n[axis] / 2 + 1 : n[axis];
        last += (length - 1) * step;
        step *= embed[axis];
    }
    return (size_t)(last + 1) * (size_t)nbytes[type];
}

static bool is_real(int type)
{
    return type == CUDA_R_32F || type == CUDA_R_64F;
}

int simgpu__row_dft_make_plan_many(cufft_handle handle, int rank, long long *n, long long *in_embed,
                                   long long in_stride, long long in_dist, int in_type, long long *out_embed,
                                   long long out_stride, long long out_dist, int out_type, long long batch,
                                   size_t *work_nbytes, int execution_type)
{
    SIMGPU_ENTER_LIBRARY(dft_make_plan_many, CUFFT_INTERNAL_ERROR);
    struct plan *plan = find(&call, handle);
    if (plan == NULL || plan->made)
        return CUFFT_INVALID_PLAN;
    if (in_stride < 1 || out_stride < 1 || in_dist < 1 || out_dist < 1)
        return CUFFT_INVALID_SIZE;
    int result = table()->dft_make_plan_many(handle, rank, n, in_embed, in_stride, in_dist, in_type, out_embed,
                                             out_stride, out_dist, out_type, batch, work_nbytes, execution_type);
    if (result != CUFFT_SUCCESS)
        return result;
    plan->made = true;
    plan->work_nbytes = *work_nbytes;
    plan->in_nbytes = span(rank, n, in_embed, in_stride, in_dist, batch, in_type, is_real(out_type));
    plan->out_nbytes = span(rank, n, out_embed, out_stride, out_dist, batch, out_type, is_real(in_type));
    plan->spoils = is_real(out_type);
    plan->alignment = execution_type == CUDA_C_64F ? 16 : 8;
    return CUFFT_SUCCESS;
}

int simgpu__row_dft_set_work_area(cufft_handle handle, void *work)
{
    SIMGPU_ENTER_LIBRARY(dft_set_work_area, CUFFT_INTERNAL_ERROR);
    struct plan *plan = find(&call, handle);
    if (plan == NULL || !plan->made)
        return CUFFT_INVALID_PLAN;
    plan->work = work;
    return CUFFT_SUCCESS;
}

int simgpu__row_dft_set_stream(cufft_handle handle, cu_stream stream)
{
    SIMGPU_ENTER_LIBRARY(dft_set_stream, CUFFT_INTERNAL_ERROR);
    struct plan *plan = find(&call, handle);
    if (plan == NULL)
        return CUFFT_INVALID_PLAN;
    plan->stream = stream;
    return CUFFT_SUCCESS;
}

static cu_result run(const void *arguments)
{
    const struct execution *e = arguments;
    if (table()->dft_set_work_area(e->handle, e->work) != CUFFT_SUCCESS)
        return CU_ERROR_ILLEGAL_ADDRESS; /* the plan was destroyed, and its tables with it */
    if (table()->dft_exec(e->handle, e->in, e->out, e->direction) != CUFFT_SUCCESS)
        return CU_ERROR_LAUNCH_FAILED;
    if (e->spoils)
        memset(e->in, 0xff, 8);
    return CU_SUCCESS;
}

int simgpu__row_dft_exec(cufft_handle handle, void *in, void *out, int direction)
{
    SIMGPU_ENTER_LIBRARY(dft_exec, CUFFT_EXEC_FAILED);
    const struct plan *plan = find(&call, handle);
    if (plan == NULL || !plan->made)
        return CUFFT_INVALID_PLAN;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    if (((uintptr_t)in | (uintptr_t)out) % plan->alignment != 0)
        return CUFFT_UNALIGNED_DATA;
    if (plan->work_nbytes > 0 && plan->work == NULL)
        return CUFFT_NO_WORKSPACE;
    if (!simgpu__library_holds(&call, in, plan->in_nbytes) || !simgpu__library_holds(&call, out, plan->out_nbytes) ||
        !simgpu__library_holds(&call, plan->work, plan->work_nbytes))
        return CUFFT_INVALID_VALUE;
    struct execution e = {in, out, plan->work, handle, direction, plan->spoils};
    return simgpu__library_work(&call, plan->stream, run, &e, sizeof e) == CU_SUCCESS ? CUFFT_SUCCESS
                                                                                      : CUFFT_EXEC_FAILED;
}

/* Frees tables that work may still read, for which memory is waited for. */
int simgpu__row_dft_destroy(cufft_handle handle)
{
    SIMGPU_ENTER_LIBRARY(dft_destroy, CUFFT_INTERNAL_ERROR);
    struct plan *plan = find(&call, handle);
    if (plan == NULL)
        return CUFFT_INVALID_PLAN;
    simgpu__queue_force_context(call.context);
    plan->live = false;
    return table()->dft_destroy(handle);
}
