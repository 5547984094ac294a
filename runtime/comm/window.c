/* window.c: memory of each rank's GPU that the GPUs of the other ranks write to.
 *
 * NCCL moves lines of memory, by kernels. What goes to places of its own at each rank, as the parts of an array whose
 * other axis is split next, would be packed and unpacked for that, and the kernels take multiprocessors from what is
 * computed meanwhile. Here the copy engines write rows where they belong. The driver maps memory of another process by
 * a handle (CUDA IPC), which takes milliseconds: a window is made once, and grows. It lies beside the pool, because a
 * block of the pool may be freed while others still have it mapped. */
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "comm/nccl.h"
#include "comm/shared.h"
#include "device/context.h"
#include "device/trace.h"

#define GRAIN      ((int64_t)2 << 20) /* windows are so many bytes, or a multiple */
#define LINE       1024               /* bytes from which on copy engines move rows as fast as a kernel: an H200 */
#define PITCH_MOST INT32_MAX

struct cuna_window {
    cuna_device *device;
    int64_t nbytes;
    bool refused; /* some GPU does not reach all */
    cu_deviceptr own;
    uint64_t addresses[]; /* by ranks; 0: not open */
};

/* What ranks tell each other of a window: whole numbers of 64 bits. */
typedef struct window_handle {
    int64_t made;
    cu_ipc_handle handle;
} window_handle;

/* ---- all ranks together ---- */

static cuna_status meet(cuna_comm *comm)
{
    const cuna_comm_work work = {.kind = CUNA_COMM_BARRIER, .dtype = CUNA_UINT8};
    return cuna__comm_judge(cuna__job.engine->run(comm->talk, &work), comm->name);
}

/* ---- windows ---- */

static void close_others(cuna_comm *comm)
{
    cuna_window *window = comm->window;
    for (int r = 0; r < comm->size; r++) {
        if (r != comm->rank && window->addresses[r] != 0)
            window->device->driver->ipc_close_mem_handle(window->addresses[r]);
        window->addresses[r] = 0;
    }
}

/* Gives the memory back: nobody writes to it, and nobody has it mapped. */
static cuna_status drop(cuna_comm *comm)
{
    cuna_window *window = comm->window;
    CUNA_TRY(cuna__device_enter(window->device));
    CUNA_TRY(cuna__streams_wait(window->device));
    close_others(comm);
    CUNA_TRY(meet(comm));
    if (window->own != 0)
        window->device->driver->mem_free(window->own);
    window->own = 0;
    window->nbytes = 0;
    return CUNA_OK;
}

static void make_own(window_handle *out, cuna_window *window, int64_t nbytes)
{
    const cuna_driver *driver = window->device->driver;
    memset(out, 0, sizeof *out);
    if (!cuna__shared_is_wanted() ||
        CUNA_DEVICE_CALL(window->device, driver->mem_alloc(&window->own, (size_t)nbytes)) != CU_SUCCESS)
        return;
    out->made = driver->ipc_get_mem_handle(&out->handle, window->own) == CU_SUCCESS;
}

/* Whether all of them are open. */
static bool open_others(cuna_comm *comm, const window_handle *handles)
{
    cuna_window *window = comm->window;
    bool opened = true;
    for (int r = 0; r < comm->size && opened; r++) {
        cu_deviceptr at = window->own;
        opened = handles[r].made != 0;
        if (opened && r != comm->rank)
            opened = window->device->driver->ipc_open_mem_handle(&at, handles[r].handle,
                                                                 CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CU_SUCCESS;
        window->addresses[r] = opened ? at : 0;
    }
    return opened;
}

static cuna_status exchange_handles(cuna_comm *comm, int64_t nbytes)
{
    cuna_window *window = comm->window;
    window_handle own, *all = calloc((size_t)comm->size, sizeof *all);
    if (all == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    make_own(&own, window, nbytes);
    cuna_status status = cuna_comm_numbers(comm, (int64_t *)all, (const int64_t *)&own, sizeof own / sizeof(int64_t));
    bool opened = status == CUNA_OK && open_others(comm, all);
    free(all);
    CUNA_TRY(status);
    CUNA_TRY(cuna__comm_judge(cuna__shared_agree(&opened, comm->talk, opened), comm->name));
    window->nbytes = nbytes;
    window->refused = !opened;
    return opened ? CUNA_OK : drop(comm);
}

static cuna_status create(cuna_comm *comm)
{
    comm->window = calloc(1, sizeof *comm->window + (size_t)comm->size * sizeof comm->window->addresses[0]);
    if (comm->window == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    comm->window->device = cuna__job.device;
    return CUNA_OK;
}

static cuna_status grow(cuna_comm *comm, int64_t nbytes)
{
    if (comm->window == NULL)
        CUNA_TRY(create(comm));
    CUNA_TRY(drop(comm));
    return exchange_handles(comm, (nbytes + GRAIN - 1) / GRAIN * GRAIN);
}

bool cuna_comm_has_windows(const cuna_comm *comm)
{
    return cuna__job.nccl != NULL && comm->size > 1 && comm->local_size == comm->size &&
           (comm->window == NULL || !comm->window->refused);
}

cuna_status cuna_comm_window(const uint64_t **out, cuna_comm *comm, int64_t nbytes)
{
    *out = NULL;
    if (cuna_comm_has_windows(comm) && (comm->window == NULL || comm->window->nbytes < nbytes)) {
        cuna_status status = grow(comm, nbytes);
        if (status != CUNA_OK)
            return cuna__comm_fail(status);
    }
    if (cuna_comm_has_windows(comm))
        *out = comm->window->addresses;
    return CUNA_OK;
}

void cuna__window_release(cuna_comm *comm)
{
    if (comm->window != NULL && !cuna__job.failed)
        drop(comm);
    free(comm->window);
    comm->window = NULL;
}

/* ---- writing ---- */

static bool has_shape_of(const cuna_array *a, const cuna_array *b)
{
    return a->ndim == b->ndim &&
           memcmp(cuna_array_shape(a), cuna_array_shape(b), (size_t)a->ndim * sizeof(int64_t)) == 0;
}

static bool is_pitch(int64_t nbytes)
{
    return nbytes > 0 && nbytes <= PITCH_MOST;
}

/* The copy as rows of bytes; false where there are more axes, or rows that a kernel moves faster. */
static bool plan_rows(cu_copy *out, const cuna_array *dst, const cuna_array *src)
{
    if (dst->dtype != src->dtype || !has_shape_of(dst, src))
        return false;
    cuna_layout walk = {.ndim = dst->ndim, .noperands = 2};
    cuna__copy_lengths(walk.shape, cuna_array_shape(dst), dst->ndim);
    cuna__copy_lengths(walk.strides[0], cuna_array_strides(dst), dst->ndim);
    cuna__copy_lengths(walk.strides[1], cuna_array_strides(src), dst->ndim);
    cuna__layout_collapse(&walk, true);
    int64_t itemsize = cuna_dtype_size((cuna_dtype)dst->dtype);
    if (walk.ndim != 2 || walk.strides[0][1] != 1 || walk.strides[1][1] != 1 || walk.shape[1] * itemsize < LINE)
        return false;
    int64_t to = walk.strides[0][0] * itemsize, from = walk.strides[1][0] * itemsize;
    *out =
        (cu_copy){.dst = {.memory = CU_MEMORYTYPE_DEVICE, .ptr = cuna__array_data(dst), .pitch_nbytes = (size_t)to},
                  .src = {.memory = CU_MEMORYTYPE_DEVICE, .ptr = cuna__array_data(src), .pitch_nbytes = (size_t)from},
                  .width_nbytes = (size_t)(walk.shape[1] * itemsize),
                  .height = (size_t)walk.shape[0],
                  .depth = 1};
    return is_pitch(to) && is_pitch(from);
}

cuna_status cuna_comm_put(cuna_context *context, const cuna_array *dst, const cuna_array *src)
{
    cu_copy copy;
    CUNA_TRY(cuna__array_use(src, "put"));
    if (!plan_rows(&copy, dst, src))
        return cuna_array_copy(context, dst, src);
    cuna_device *device = dst->buffer->device;
    cuna_stream *stream = cuna__context_stream(context, device);
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__array_claim(context, stream, dst));
    CUNA_TRY(cuna__array_claim(context, stream, src));
    int64_t trace = cuna__trace_begin(CUNA_TRACE_TRANSFER, "put", stream,
                                      dst->size * (int64_t)cuna_dtype_size((cuna_dtype)dst->dtype));
    cu_result result = CUNA_DEVICE_CALL(device, device->driver->memcpy_3d_async(&copy, stream->handle));
    cuna__trace_end(trace, stream);
    return cuna__device_check(device, result, "cuMemcpy3DAsync");
}
