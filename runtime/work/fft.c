/* fft.c: Fourier transforms of arrays: describes an array's axes as a plan, and keeps the plans of a context.
 *
 * A plan has up to three axes, and one distance between transforms. It transforms the innermost axes of row-major
 * arrays, or one axis of any stride. For one axis, the other axes are merged; one that remains becomes the plan's
 * distance (and another its repeats, if the device has them), and the host loops over the rest if its calls are few or
 * large. Other layouts are declined, as are long lines of cuFFT whose numbers are not adjacent: the caller copies.
 *
 * Plans own no device memory except their tables: work areas come from the pool for each run. A context keeps the last
 * CUNA_FFT_PLANS plans; one that a graph recorded is never destroyed, because the graph runs it again. */
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "device/trace.h"
#include "kernel/launch.h"
#include "kernel/prepare.h"
#include "seam/dft.h"

#define MOST_CALLS   4       /* that the host starts one by one, */
#define LARGE_CALL   65536   /* unless each has so many numbers; */
#define LARGE_WORK   2097152 /* on devices beside the host, which copy this much in the time of a start */
#define APART_LENGTH 4096    /* of lines whose numbers lie apart, up to which cuFFT takes them as they are, unless */
#define APART_NBYTES 8192    /* a length that is not a power of two has more bytes: figures of an H200 */
#define SHORT_BATCH  16
#define ALIGNMENT    16
#define MOST_AXES    3

/* One side of a transform, strides in elements. */
typedef struct side {
    int64_t stride, dist, repeat;
    int type; /* cudaDataType */
} side;

/* What a plan is found by; zeros where nothing is. */
typedef struct plan_key {
    const cuna_device *device;
    int64_t n[MOST_AXES], in_embed[MOST_AXES], out_embed[MOST_AXES], batch, repeats;
    side in, out;
    int rank, execution_type;
} plan_key;

typedef struct plan {
    plan_key key;
    cufft_handle handle;
    size_t work_nbytes;
    uint64_t used; /* when */
    bool recorded; /* by a graph */
} plan;

struct cuna_fft_plans {
    plan plans[CUNA_FFT_PLANS];
    int count;
    uint64_t clock;
};

/* Loops around transforms along one axis: those that the host goes over. */
typedef struct walk {
    int ndim;
    int64_t shape[CUNA_MAX_NDIM], in_strides[CUNA_MAX_NDIM], out_strides[CUNA_MAX_NDIM];
} walk;

/* One transform on its way from check to execution. */
typedef struct call {
    cuna_context *context;
    cuna_device *device;
    const cuna_dft *dft;
    const cuna_fft_request *request;
    const cuna_array *in, *out;
    plan_key key;
    walk walk;
} call;

/* ---- results ---- */

static cuna_status judge(const call *c, int result, bool is_short, const char *row)
{
    if (result == CUFFT_SUCCESS)
        return CUNA_OK;
    if (is_short)
        return cuna_fail(CUNA_MEMORY, "%s: no memory for a plan on %s (%s returned %s)", c->request->name,
                         c->device->name, row, cuna__dft_describe(result));
    CUNA_TRY(cuna__stream_check_life(cuna__context_stream(c->context, c->device), c->request->name));
    return cuna_fail(CUNA_DEVICE, "%s: %s on %s returned %s (%d)", c->request->name, row, c->device->name,
                     cuna__dft_describe(result), result);
}

/* Of a call that prepares, and is not done again by itself. */
static cuna_status prepared(const call *c, int result, const char *row)
{
    return judge(c, result, cuna__device_is_short(c->device, cuna__dft_is_memory, result), row);
}

/* Of one that may work in place, done once more in room that was made. */
#define check(c, call, row)                                                     \
    __extension__({                                                             \
        int done_ = CUNA_IN_PLACE_CALL((c)->device, cuna__dft_is_memory, call); \
        judge(c, done_, cuna__dft_is_memory(done_), row);                       \
    })

/* ---- plans ---- */

static void destroy(plan *dropped)
{
    const cuna_dft *dft;
    cuna_device *device = (cuna_device *)(uintptr_t)dropped->key.device;
    if (!dropped->recorded && cuna__device_enter(device) == CUNA_OK && device->driver->facts.dft(&dft) == CUNA_OK)
        dft->dft_destroy(dropped->handle);
}

static void release_plans(struct cuna_fft_plans *plans)
{
    for (int i = 0; i < plans->count; i++)
        destroy(&plans->plans[i]);
    free(plans);
}

static cuna_status open_plans(cuna_context *context)
{
    if (context->fft_plans != NULL)
        return CUNA_OK;
    context->fft_plans = calloc(1, sizeof *context->fft_plans);
    context->release_fft_plans = release_plans;
    return context->fft_plans != NULL ? CUNA_OK : cuna_fail(CUNA_MEMORY, "the host has no memory left for plans");
}

/* The room of the plan that was used least lately, or a new one. */
static plan *make_room(struct cuna_fft_plans *plans)
{
    plan *oldest = &plans->plans[0];
    if (plans->count < CUNA_FFT_PLANS)
        return &plans->plans[plans->count++];
    for (int i = 1; i < plans->count; i++)
        if (plans->plans[i].used < oldest->used)
            oldest = &plans->plans[i];
    destroy(oldest);
    return oldest;
}

static cuna_status fill(const call *c, cufft_handle handle, size_t *work_nbytes)
{
    const plan_key *key = &c->key;
    long long n[MOST_AXES], in_embed[MOST_AXES], out_embed[MOST_AXES];
    for (int i = 0; i < key->rank; i++) {
        n[i] = key->n[i];
        in_embed[i] = key->in_embed[i];
        out_embed[i] = key->out_embed[i];
    }
    CUNA_TRY(prepared(c, c->dft->dft_set_auto_allocation(handle, 0), "cufftSetAutoAllocation"));
    if (key->repeats > 0)
        CUNA_TRY(prepared(c, c->dft->set_repeats(handle, key->repeats, key->in.repeat, key->out.repeat), "repeats"));
    return prepared(c,
                    c->dft->dft_make_plan_many(handle, key->rank, n, in_embed, key->in.stride, key->in.dist,
                                               key->in.type, out_embed, key->out.stride, key->out.dist, key->out.type,
                                               key->batch, work_nbytes, key->execution_type),
                    "cufftXtMakePlanMany");
}

/* A handle whose plan failed is good for nothing. */
static cuna_status make_plan(cufft_handle *handle, size_t *work_nbytes, const call *c)
{
    CUNA_TRY(prepared(c, c->dft->dft_create(handle), "cufftCreate"));
    cuna_status status = fill(c, *handle, work_nbytes);
    if (status != CUNA_OK)
        c->dft->dft_destroy(*handle);
    return status;
}

/* Making a plan of cuFFT's takes memory and fills it, outside of the stream's order. */
static cuna_status check_capture(const call *c)
{
    if (c->device->driver->facts.dft_is_own || cuna__context_stream(c->context, c->device)->capture == NULL)
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE,
                     "%s: the first call for these lengths makes a plan, which a capture cannot record: make one such "
                     "call before begin_capture",
                     c->request->name);
}

static cuna_status get_plan(plan **out, const call *c)
{
    CUNA_TRY(open_plans(c->context));
    struct cuna_fft_plans *plans = c->context->fft_plans;
    plans->clock++;
    for (int i = 0; i < plans->count; i++)
        if (memcmp(&plans->plans[i].key, &c->key, sizeof c->key) == 0) {
            plans->plans[i].used = plans->clock;
            *out = &plans->plans[i];
            return CUNA_OK;
        }
    cufft_handle handle;
    size_t work_nbytes = 0;
    CUNA_TRY(check_capture(c)); /* only here: a plan that exists serves captures too */
    CUNA_TRY((cuna_status)CUNA_WITH_ROOM(c->device, status, status == CUNA_MEMORY,
                                         (int)make_plan(&handle, &work_nbytes, c)));
    *out = make_room(plans);
    **out = (plan){.key = c->key, .handle = handle, .work_nbytes = work_nbytes, .used = plans->clock};
    return CUNA_OK;
}

int cuna_fft_plan_count(const cuna_context *context)
{
    return context->fft_plans != NULL ? context->fft_plans->count : 0;
}

void cuna_fft_clear_plans(cuna_context *context)
{
    if (context->fft_plans == NULL)
        return;
    release_plans(context->fft_plans);
    context->fft_plans = NULL;
}

/* ---- from axes to a plan ---- */

static bool is_transformed(const cuna_fft_request *request, int axis)
{
    for (int i = 0; i < request->naxes; i++)
        if (request->axes[i] == axis)
            return true;
    return false;
}

/* The side of a transform with real numbers has the length. */
static const cuna_array *whole_side(const call *c)
{
    return c->request->kind == CUNA_FFT_TO_REAL ? c->out : c->in;
}

/* Several axes, innermost in row-major arrays; false for others. */
static bool describe_innermost(call *c)
{
    const cuna_fft_request *request = c->request;
    plan_key *key = memset(&c->key, 0, sizeof *key); /* gaps too: keys are compared as bytes */
    bool is_real = request->kind == CUNA_FFT_TO_COMPLEX;
    if (request->kind == CUNA_FFT_TO_REAL || request->naxes > MOST_AXES ||
        !(c->in->flags & c->out->flags & CUNA_ARRAY_CONTIGUOUS))
        return false;
    const int64_t *shape = cuna_array_shape(c->in), *out_shape = cuna_array_shape(c->out);
    int64_t in_size = 1, out_size = 1;
    key->rank = request->naxes;
    for (int axis = c->in->ndim - 1, left = request->naxes; left > 0 && axis >= 0; axis--) {
        if (shape[axis] == 1)
            continue;
        if (!is_transformed(request, axis) || (is_real && left == request->naxes && axis != request->axes[left - 1]))
            return false;
        key->n[--left] = shape[axis];
        key->in_embed[left] = shape[axis];
        key->out_embed[left] = out_shape[axis];
        in_size *= shape[axis];
        out_size *= out_shape[axis];
    }
    key->batch = c->in->size / in_size;
    key->in.stride = key->out.stride = 1;
    key->in.dist = in_size;
    key->out.dist = out_size;
    return true;
}

/* Merges axis i of a walk with the next one where both sides go on as if they were one. */
static bool merges(walk *w, int i)
{
    if (w->in_strides[i] != w->in_strides[i + 1] * w->shape[i + 1] ||
        w->out_strides[i] != w->out_strides[i + 1] * w->shape[i + 1])
        return false;
    w->shape[i] *= w->shape[i + 1];
    w->in_strides[i] = w->in_strides[i + 1];
    w->out_strides[i] = w->out_strides[i + 1];
    return true;
}

static void remove_axis(walk *w, int axis)
{
    w->ndim--;
    for (int i = axis; i < w->ndim; i++) {
        w->shape[i] = w->shape[i + 1];
        w->in_strides[i] = w->in_strides[i + 1];
        w->out_strides[i] = w->out_strides[i + 1];
    }
}

/* The axes around one; false where some stand still or go back. */
static bool lay_out(walk *w, const call *c, int axis)
{
    const int64_t *shape = cuna_array_shape(c->in), *in = shape + c->in->ndim;
    const int64_t *out = cuna_array_shape(c->out) + c->out->ndim;
    for (int i = 0; i < c->in->ndim; i++) {
        if (i == axis || shape[i] == 1)
            continue;
        if (in[i] <= 0 || out[i] <= 0)
            return false;
        w->shape[w->ndim] = shape[i];
        w->in_strides[w->ndim] = in[i];
        w->out_strides[w->ndim++] = out[i];
    }
    for (int i = w->ndim - 2; i >= 0; i--)
        if (merges(w, i))
            remove_axis(w, i + 1);
    return in[axis] > 0 && out[axis] > 0;
}

/* The axis that becomes the plan's distance: the innermost, where lines lie side by side, or the longest if that is short. */
static int choose_batch(const walk *w)
{
    int chosen = w->ndim - 1;
    for (int i = 0; i < w->ndim && w->shape[w->ndim - 1] < SHORT_BATCH; i++)
        if (w->shape[i] > w->shape[chosen])
            chosen = i;
    return chosen;
}

static void add_repeats(plan_key *key, walk *w)
{
    int chosen = choose_batch(w);
    key->repeats = w->shape[chosen];
    key->in.repeat = w->in_strides[chosen];
    key->out.repeat = w->out_strides[chosen];
    remove_axis(w, chosen);
}

/* Whether copies that bring the numbers of a line together take less time than cuFFT loses without. */
static bool is_better_moved(const call *c)
{
    const cuna_array *whole = whole_side(c);
    int64_t n = c->key.n[0], stride = cuna__max(c->key.in.stride, c->key.out.stride);
    bool is_slow = n > APART_LENGTH || ((n & (n - 1)) != 0 && n * cuna_dtype_size(whole->dtype) > APART_NBYTES);
    return is_slow && stride > 1 && whole->size >= LARGE_WORK && !c->device->driver->facts.dft_is_own;
}

/* One axis, anywhere. */
static bool describe_single(call *c)
{
    int axis = c->request->axes[0];
    plan_key *key = memset(&c->key, 0, sizeof *key);
    walk *w = &c->walk;
    if (c->request->naxes != 1 || !lay_out(w, c, axis))
        return false;
    key->rank = 1;
    key->n[0] = cuna_array_shape(whole_side(c))[axis];
    key->in_embed[0] = cuna_array_shape(c->in)[axis];
    key->out_embed[0] = cuna_array_shape(c->out)[axis];
    key->batch = 1;
    key->in.stride = cuna_array_strides(c->in)[axis];
    key->out.stride = cuna_array_strides(c->out)[axis];
    if (is_better_moved(c))
        return false;
    /* A library takes lines that are one distance apart: one more axis is the batch, the others are loops over calls. */
    key->in.dist = key->in.stride * key->in_embed[0];
    key->out.dist = key->out.stride * key->out_embed[0];
    if (w->ndim > 0) {
        int chosen = choose_batch(w);
        key->batch = w->shape[chosen];
        key->in.dist = w->in_strides[chosen];
        key->out.dist = w->out_strides[chosen];
        remove_axis(w, chosen);
    }
    if (w->ndim > 0 && c->device->driver->facts.dft_is_own)
        add_repeats(key, w);
    /* Many calls that each do little cost more than moving the array, so that lines lie one distance apart. */
    int64_t calls = 1;
    for (int i = 0; i < w->ndim; i++)
        calls *= w->shape[i];
    int64_t large = c->device->driver->facts.asynchronous ? LARGE_WORK : LARGE_CALL;
    return calls <= MOST_CALLS || cuna__max(key->repeats, 1) * key->batch * key->n[0] >= large;
}

/* Whether an array begins, and each part that the host goes over, where vectors may: cuFFT requires less. */
static bool is_aligned(const cuna_array *array, const walk *w, const int64_t *strides)
{
    uint64_t bits = cuna__array_data(array);
    for (int i = 0; i < w->ndim; i++)
        bits |= (uint64_t)(strides[i] * cuna_dtype_size(array->dtype));
    return bits % ALIGNMENT == 0;
}

static bool describe(call *c)
{
    plan_key *key = &c->key;
    if (!describe_innermost(c) && !describe_single(c))
        return false;
    key->device = c->device;
    key->in.type = cuna__cuda_type(c->in->dtype);
    key->out.type = cuna__cuda_type(c->out->dtype);
    key->execution_type = key->in.type == CUDA_R_32F || key->in.type == CUDA_C_32F ? CUDA_C_32F : CUDA_C_64F;
    return is_aligned(c->in, &c->walk, c->walk.in_strides) && is_aligned(c->out, &c->walk, c->walk.out_strides);
}

/* ---- execution ---- */

static cuna_status run_walk(const call *c, const plan *used)
{
    bool began = false;
    int direction = c->request->inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
    int64_t index[CUNA_MAX_NDIM] = {0};
    int64_t in_nbytes = cuna_dtype_size(c->in->dtype), out_nbytes = cuna_dtype_size(c->out->dtype);
    for (int i = c->walk.ndim; i >= 0;) {
        uint64_t in = cuna__array_data(c->in), out = cuna__array_data(c->out);
        for (i = 0; i < c->walk.ndim; i++) {
            in += (uint64_t)(index[i] * c->walk.in_strides[i] * in_nbytes);
            out += (uint64_t)(index[i] * c->walk.out_strides[i] * out_nbytes);
        }
        int result = c->dft->dft_exec(used->handle, (void *)(uintptr_t)in, (void *)(uintptr_t)out, direction);
        cuna_status status = check(c, result, "cufftXtExec");
        if (status == CUNA_MEMORY && began) /* callers try again at MEMORY, which may be too late in place */
            return cuna_fail(CUNA_DEVICE, "%s: %s had too little memory to finish; what was to be written is spoilt",
                             c->request->name, c->device->name);
        CUNA_TRY(status);
        began = true;
        for (i = c->walk.ndim - 1; i >= 0 && ++index[i] == c->walk.shape[i]; i--)
            index[i] = 0;
    }
    return CUNA_OK;
}

static cuna_status prepare_run(const call *c, const plan *used, const cuna_block *work)
{
    cuna_stream *stream = cuna__context_stream(c->context, c->device);
    CUNA_TRY(cuna__device_enter(c->device));
    CUNA_TRY(cuna__array_claim(c->context, stream, c->in));
    CUNA_TRY(cuna__array_claim(c->context, stream, c->out));
    CUNA_TRY(check(c, c->dft->dft_set_stream(used->handle, stream->handle), "cufftSetStream"));
    if (work != NULL)
        CUNA_TRY(check(c, c->dft->dft_set_work_area(used->handle, (void *)(uintptr_t)work->ptr), "cufftSetWorkArea"));
    return c->dft->set_scale != NULL ? check(c, c->dft->set_scale(used->handle, c->request->scale), "scaling")
                                     : CUNA_OK;
}

static cuna_status execute(call *c)
{
    plan *used;
    cuna_block *work = NULL;
    cuna_stream *stream = cuna__context_stream(c->context, c->device);
    CUNA_TRY(c->device->driver->facts.dft(&c->dft));
    CUNA_TRY(cuna__device_enter(c->device));
    CUNA_TRY(get_plan(&used, c));
    if (used->work_nbytes > 0)
        CUNA_TRY(cuna__workspace_take(&work, c->context, c->device, (int64_t)used->work_nbytes));
    cuna_status status = prepare_run(c, used, work);
    used->recorded |= stream->capture != NULL; /* such a handle is never destroyed: the graph uses it */
    if (status == CUNA_OK) {
        int64_t trace = cuna__trace_begin(CUNA_TRACE_LAUNCH, c->request->name, stream, 0);
        status = run_walk(c, used);
        cuna__trace_end(trace, stream);
    }
    if (work != NULL)
        cuna__workspace_give_back(c->context, c->device, work);
    return status == CUNA_OK ? cuna__device_note_launch(c->context, stream, c->request->name) : status;
}

static cuna_status make_output(const call *c, cuna_array *out)
{
    static const struct {
        cuna_dtype single, wide;
    } results[] = {{CUNA_COMPLEX64, CUNA_COMPLEX128}, {CUNA_COMPLEX64, CUNA_COMPLEX128}, {CUNA_FLOAT32, CUNA_FLOAT64}};
    const cuna_fft_request *request = c->request;
    bool single = c->in->dtype == CUNA_FLOAT32 || c->in->dtype == CUNA_COMPLEX64;
    int64_t shape[CUNA_MAX_NDIM], *last = &shape[request->axes[request->naxes - 1]];
    cuna__copy_lengths(shape, cuna_array_shape(c->in), c->in->ndim);
    if (request->kind != CUNA_FFT_COMPLEX)
        *last = request->kind == CUNA_FFT_TO_REAL ? request->length : *last / 2 + 1;
    return cuna_array_create_on(out, c->context, c->device,
                                single ? results[request->kind].single : results[request->kind].wide, c->in->ndim,
                                shape);
}

static cuna_status run_checked(bool *done, call *c)
{
    bool any = c->in->size > 0 && c->out->size > 0;
    *done = !any || describe(c);
    return any && *done && c->context->rehearsal == NULL ? execute(c) : CUNA_OK;
}

cuna_status cuna_fft(bool *done, bool *scaled, cuna_context *context, const cuna_fft_request *request,
                     const cuna_array *in, cuna_array *out)
{
    call c = {.context = context, .request = request, .in = in, .out = out};
    cuna_array copy = {0};
    bool made = out->buffer == NULL;
    *done = false;
    CUNA_TRY(cuna__array_use_device(&c.device, in, request->name));
    const cuna_driver_facts *facts = &c.device->driver->facts;
    *scaled = facts->dft_is_own;
    if (made)
        CUNA_TRY(make_output(&c, out));
    else
        CUNA_TRY(cuna__array_use_device(&c.device, out, request->name));
    cuna_status status = CUNA_OK;
    /* cuFFT writes over the input of complex to real transforms. */
    if (request->kind == CUNA_FFT_TO_REAL && !request->is_temporary && !facts->dft_is_own) {
        status = cuna_array_cast(&copy, context, in, in->dtype);
        c.in = &copy;
    }
    if (status == CUNA_OK)
        status = run_checked(done, &c);
    if (c.in == &copy)
        cuna_array_release(&copy);
    if (made && (status != CUNA_OK || !*done))
        cuna_array_release(out);
    return status;
}
