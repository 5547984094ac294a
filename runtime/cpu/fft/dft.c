/* dft.c: cuFFT's rows on the cpu device: plans, and passes over the axes of arrays.
 *
 * A plan has a line for each axis and direction, made when it is first needed. Transforms of several axes are passes, one
 * per axis: the innermost first, from input to output, and the others in the output's memory. Several axes, and what lies
 * around them, have no gaps, and do not go to real numbers, where cuFFT would write to its input. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/execute/enqueue.h"
#include "cpu/fft/pass.h"

enum { MOST_AXES = 3, FEW_LINES = 8 };

typedef struct side {
    int64_t stride, dist, repeat;
    int type;
} side;

typedef struct plan {
    cuna_dft_line *lines[2][MOST_AXES]; /* forward and back */
    cuna_dft_type type;
    bool is_double;
    int rank; /* 0: not made yet */
    int64_t n[MOST_AXES], batch, repeats, work_nbytes;
    side in, out;
    double scale;
    char *work;
    cu_stream stream;
} plan;

/* What is given to a stream. */
typedef struct execution {
    plan plan; /* as it is then */
    const char *in;
    char *out;
    int back;
} execution;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static plan **plans; /* by handle; NULL where one was destroyed */
static int nplans;

static plan *find(cufft_handle handle)
{
    pthread_mutex_lock(&lock);
    plan *found = handle >= 0 && handle < nplans ? plans[handle] : NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- handles ---- */

static int get_version(int *version)
{
    *version = 0;
    return CUFFT_SUCCESS;
}

/* A free place in the list, which is made longer where there is none; negative without memory. */
static int find_place(void)
{
    for (int i = 0; i < nplans; i++)
        if (plans[i] == NULL)
            return i;
    plan **longer = realloc(plans, (size_t)(2 * nplans + 16) * sizeof *plans);
    if (longer == NULL)
        return -1;
    plans = longer;
    memset(plans + nplans, 0, (size_t)(nplans + 16) * sizeof *plans);
    nplans = 2 * nplans + 16;
    return nplans / 2 - 8;
}

static int create(cufft_handle *handle)
{
    plan *created = calloc(1, sizeof *created);
    if (created == NULL)
        return CUFFT_ALLOC_FAILED;
    created->scale = 1;
    created->repeats = 1;
    pthread_mutex_lock(&lock);
    int place = find_place();
    if (place >= 0)
        plans[place] = created;
    pthread_mutex_unlock(&lock);
    if (place < 0)
        free(created);
    *handle = place;
    return place < 0 ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

static int destroy(cufft_handle handle)
{
    plan *found = find(handle);
    if (found == NULL)
        return CUFFT_INVALID_PLAN;
    pthread_mutex_lock(&lock);
    plans[handle] = NULL;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2 * MOST_AXES; i++)
        cuna__dft_line_release(found->lines[i / MOST_AXES][i % MOST_AXES]);
    free(found);
    return CUFFT_SUCCESS;
}

/* Work areas are their caller's here. */
static int set_auto_allocation(cufft_handle handle, int automatic)
{
    return find(handle) == NULL ? CUFFT_INVALID_PLAN : automatic ? CUFFT_NOT_SUPPORTED : CUFFT_SUCCESS;
}

static int set_work_area(cufft_handle handle, void *work)
{
    plan *found = find(handle);
    if (found == NULL)
        return CUFFT_INVALID_PLAN;
    found->work = work;
    return CUFFT_SUCCESS;
}

static int set_stream(cufft_handle handle, cu_stream stream)
{
    plan *found = find(handle);
    if (found == NULL)
        return CUFFT_INVALID_PLAN;
    found->stream = stream;
    return CUFFT_SUCCESS;
}

static int set_scale(cufft_handle handle, double scale)
{
    plan *found = find(handle);
    if (found == NULL)
        return CUFFT_INVALID_PLAN;
    found->scale = scale;
    return CUFFT_SUCCESS;
}

static int set_repeats(cufft_handle handle, int64_t repeats, int64_t in_repeat, int64_t out_repeat)
{
    plan *found = find(handle);
    if (found == NULL || found->rank != 0)
        return CUFFT_INVALID_PLAN;
    found->repeats = repeats;
    found->in.repeat = in_repeat;
    found->out.repeat = out_repeat;
    return CUFFT_SUCCESS;
}

/* ---- passes ---- */

static int64_t product(const int64_t *n, int count)
{
    int64_t size = 1;
    for (int i = 0; i < count; i++)
        size *= n[i];
    return size;
}

/* Lengths of the output, along which the other axes' passes go. */
static int64_t out_length(const plan *p, int axis)
{
    return axis == p->rank - 1 && p->type == CUNA_DFT_TO_COMPLEX ? p->n[axis] / 2 + 1 : p->n[axis];
}

/* The pass along an axis but for its memory. */
static cuna_dft_pass pass_of(const plan *p, int axis, int back)
{
    cuna_dft_pass pass = {.line = p->lines[back][axis], .repeats = 1, .work = p->work};
    /* Only the lines of the last axis may have the user's strides. Real lines change their length in this pass. */
    if (axis == p->rank - 1) {
        pass.in_stride = p->in.stride;
        pass.out_stride = p->out.stride;
        pass.in_dist = p->rank == 1 ? p->in.dist : cuna__dft_in_length(&pass.line->want);
        pass.out_dist = p->rank == 1 ? p->out.dist : cuna__dft_out_length(&pass.line->want);
        pass.count = p->batch * product(p->n, axis);
        pass.repeats = p->repeats;
        pass.in_repeat = p->in.repeat;
        pass.out_repeat = p->out.repeat;
        return pass;
    }
    /* Other axes work in the output, which is packed: neighbours along the axes behind are lines side by side. */
    pass.count = 1;
    for (int i = axis + 1; i < p->rank; i++)
        pass.count *= out_length(p, i);
    pass.in_stride = pass.out_stride = pass.count;
    pass.in_dist = pass.out_dist = 1;
    pass.in_repeat = pass.out_repeat = pass.count * p->n[axis];
    pass.repeats = p->batch * product(p->n, axis);
    return pass;
}

static cu_result run(const void *arguments)
{
    const execution *e = arguments;
    for (int axis = e->plan.rank - 1; axis >= 0; axis--) {
        cuna_dft_pass pass = pass_of(&e->plan, axis, e->back);
        pass.in = axis == e->plan.rank - 1 ? e->in : e->out;
        pass.out = e->out;
        pass.scale = axis == 0 ? e->plan.scale : 1;
        cuna__dft_pass_run(&pass);
    }
    return CU_SUCCESS;
}

/* ---- plans ---- */

static bool make_lines(plan *p, int back)
{
    for (int axis = 0; axis < p->rank; axis++) {
        cuna_dft_want want = {CUNA_DFT_COMPLEX, p->is_double, back || p->type == CUNA_DFT_TO_REAL ? 1 : -1, false,
                              p->n[axis]};
        if (axis == p->rank - 1)
            want.type = p->type;
        int64_t lines = p->repeats * p->batch * product(p->n, p->rank) / p->n[axis];
        want.lone = lines < FEW_LINES;
        if (p->lines[back][axis] == NULL)
            p->lines[back][axis] = cuna__dft_line_create(&want);
        if (p->lines[back][axis] == NULL)
            return false;
    }
    return true;
}

static bool is_complex(int type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F;
}

static int read_types(plan *p, int execution_type)
{
    bool in = is_complex(p->in.type), out = is_complex(p->out.type);
    p->is_double = p->in.type == CUDA_R_64F || p->in.type == CUDA_C_64F;
    p->type = in ? out ? CUNA_DFT_COMPLEX : CUNA_DFT_TO_REAL : CUNA_DFT_TO_COMPLEX;
    bool same = p->is_double == (p->out.type == CUDA_R_64F || p->out.type == CUDA_C_64F);
    return same && (in || out) && execution_type == (p->is_double ? CUDA_C_64F : CUDA_C_32F) ? CUFFT_SUCCESS
                                                                                             : CUFFT_INVALID_TYPE;
}

/* Whether several axes on one side, and those of the next transform, have no gaps. */
static bool is_packed(const plan *p, const side *one, const long long *embed)
{
    int64_t size = 1;
    for (int i = 0; i < p->rank; i++) {
        int64_t length = one == &p->out ? out_length(p, i) : p->n[i];
        if (i > 0 && embed[i] != length)
            return false;
        size *= length;
    }
    return one->stride == 1 && (p->batch == 1 || one->dist == size);
}

static int measure(plan *p)
{
    if (!make_lines(p, 0))
        return CUFFT_ALLOC_FAILED;
    for (int axis = 0; axis < p->rank; axis++) {
        cuna_dft_pass pass = pass_of(p, axis, 0);
        p->work_nbytes = cuna__max(p->work_nbytes, cuna__dft_pass_nbytes(&pass));
    }
    return CUFFT_SUCCESS;
}

static int make_plan_many(cufft_handle handle, int rank, long long *n, long long *in_embed, long long in_stride,
                          long long in_dist, int in_type, long long *out_embed, long long out_stride,
                          long long out_dist, int out_type, long long batch, size_t *work_nbytes, int execution_type)
{
    plan *p = find(handle);
    if (p == NULL || p->rank != 0)
        return CUFFT_INVALID_PLAN;
    if (rank < 1 || rank > MOST_AXES || batch < 1)
        return CUFFT_INVALID_SIZE;
    /* cuFFT takes NULL for packed arrays; cuna always says how arrays lie. */
    if (in_embed == NULL || out_embed == NULL)
        return CUFFT_NOT_SUPPORTED;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
        p->n[i] = n[i];
    }
    p->in = (side){in_stride, in_dist, p->in.repeat, in_type};
    p->out = (side){out_stride, out_dist, p->out.repeat, out_type};
    p->batch = batch;
    int result = read_types(p, execution_type);
    if (result != CUFFT_SUCCESS)
        return result;
    p->rank = rank;
    if (rank > 1 &&
        (p->type == CUNA_DFT_TO_REAL || !is_packed(p, &p->in, in_embed) || !is_packed(p, &p->out, out_embed)))
        result = CUFFT_NOT_SUPPORTED;
    if (result == CUFFT_SUCCESS)
        result = measure(p);
    if (result != CUFFT_SUCCESS)
        p->rank = 0;
    *work_nbytes = (size_t)p->work_nbytes;
    return result;
}

static int exec(cufft_handle handle, void *in, void *out, int direction)
{
    plan *p = find(handle);
    if (p == NULL || p->rank == 0)
        return CUFFT_INVALID_PLAN;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    if (((uintptr_t)in | (uintptr_t)out) % 16 != 0)
        return CUFFT_UNALIGNED_DATA;
    int back = p->type == CUNA_DFT_COMPLEX && direction == CUFFT_INVERSE;
    if (!make_lines(p, back))
        return CUFFT_ALLOC_FAILED;
    execution e = {*p, in, out, back};
    return cuna__cpu_enqueue(p->stream, run, &e, sizeof e) == CU_SUCCESS ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cuna_status cuna__dft_cpu(const cuna_dft **out)
{
    static const cuna_dft table = {
        .dft_get_version = get_version,
        .dft_create = create,
        .dft_set_auto_allocation = set_auto_allocation,
        .dft_make_plan_many = make_plan_many,
        .dft_set_work_area = set_work_area,
        .dft_set_stream = set_stream,
        .dft_exec = exec,
        .dft_destroy = destroy,
        .set_scale = set_scale,
        .set_repeats = set_repeats,
    };
    CUNA_TRY(cuna__dft_fftw_open());
    *out = &table;
    return CUNA_OK;
}
