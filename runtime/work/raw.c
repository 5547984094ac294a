/* raw.c: functions of raw kernels, and their launches.
 *
 * Arguments are packed into one block on the stack, which the driver copies, so only device memory must outlive the
 * call; the pool reuses that in the order of the stream. */
#include "work/raw.h"
#include "array/graph.h"
#include "device/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT_ALIGN 16
#define MAX_GRID_YZ    65535
#define MAX_BLOCK_XY   1024
#define MAX_BLOCK_Z    64
#define SHARED_NBYTES  49152 /* of a block, without asking for more */

/* ---- functions ---- */

/* Whether a device lacks a row: it has a stub, or runs nothing. */
static bool is_unknown(cu_result result)
{
    return result == CU_ERROR_NOT_FOUND || result == CU_ERROR_NOT_SUPPORTED;
}

/* Reads the offsets' end and the size of parameter `index`; NOT_FOUND after the last, NOT_SUPPORTED from a device that
 * cannot tell. */
static cu_result read_param(const cuna_raw_function *f, int index, size_t *end, size_t *nbytes)
{
    size_t offset = *nbytes = 0;
    cu_result result = CUNA_DEVICE_CALL(
        f->device, f->device->driver->func_get_param_info(f->function, (size_t)index, &offset, nbytes));
    *end = offset + *nbytes;
    if (is_unknown(result))
        return CU_ERROR_NOT_SUPPORTED;
    return result == CU_ERROR_INVALID_VALUE ? CU_ERROR_NOT_FOUND : result;
}

/* How many parameters the device reports, or -1 when it cannot. */
static cuna_status count_params(int *count, const cuna_raw_function *f)
{
    size_t end, nbytes;
    cu_result result = CU_SUCCESS;
    for (*count = 0; *count <= CUNA_RAW_MAX_PARAMS; ++*count) {
        result = read_param(f, *count, &end, &nbytes);
        if (result != CU_SUCCESS)
            break;
    }
    if (result == CU_ERROR_NOT_SUPPORTED)
        *count = -1;
    return result == CU_ERROR_NOT_FOUND || result == CU_ERROR_NOT_SUPPORTED || result == CU_SUCCESS
               ? CUNA_OK
               : cuna__device_check(f->device, result, "cuFuncGetParamInfo");
}

/* The attribute's value, or `fallback` where the device does not know it. */
static cuna_status read_fact(int *value, const cuna_raw_function *f, int attribute, int fallback)
{
    cu_result result =
        CUNA_DEVICE_CALL(f->device, f->device->driver->func_get_attribute(value, attribute, f->function));
    if (!is_unknown(result) && result != CU_ERROR_INVALID_VALUE)
        return cuna__device_check(f->device, result, "cuFuncGetAttribute");
    *value = fallback;
    return CUNA_OK;
}

static cuna_status read_facts(cuna_raw_function *f)
{
    CUNA_TRY(read_fact(&f->max_threads, f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, MAX_BLOCK_XY));
    CUNA_TRY(read_fact(&f->static_nbytes, f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0));
    return read_fact(&f->dynamic_nbytes, f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                     SHARED_NBYTES - f->static_nbytes);
}

static cuna_status find_function(cuna_raw_function *f, const cuna_raw_module *module, const char *expression)
{
    CUNA_TRY(cuna__device_enter(f->device));
    cu_result result =
        CUNA_DEVICE_CALL(f->device, f->device->driver->module_get_function(&f->function, module->loaded.module,
                                                                           cuna__raw_symbol(module, expression)));
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_VALUE, "%s: the module has no kernel '%s'", module->name, expression);
    CUNA_TRY(cuna__device_check(f->device, result, "cuModuleGetFunction"));
    return read_facts(f);
}

/* Copies the names of the function and its parameters; those without one are called by their number. */
static cuna_status copy_names(cuna_raw_function *f, const char *name, const cuna_raw_param *params)
{
    size_t nbytes = strlen(name) + 1;
    for (int i = 0; i < f->nparams; i++)
        nbytes += params != NULL ? strlen(params[i].name) + 1 : 12;
    char *at = f->names = malloc(nbytes);
    if (at == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    f->name = at;
    at = stpcpy(at, name) + 1;
    for (int i = 0; i < f->nparams; i++) {
        f->slots[i].name = at;
        at = params != NULL ? stpcpy(at, params[i].name) + 1 : at + sprintf(at, "%d", i + 1) + 1;
    }
    return CUNA_OK;
}

static void fill_slot(cuna_raw_slot *slot, const cuna_raw_param *param)
{
    slot->kind = (uint8_t)param->kind;
    slot->dtype = (uint8_t)param->dtype;
    slot->lanes = (uint8_t)param->lanes;
    slot->axes = (uint8_t)param->axes;
    slot->is_const = param->is_const;
    slot->is_contiguous = param->is_contiguous;
    slot->nbytes = (int)sizeof(cu_deviceptr);
    if (param->kind == CUNA_RAW_NUMBER)
        slot->nbytes = param->lanes * (int)cuna_dtype_size(param->dtype);
    else if (param->kind == CUNA_RAW_CARRAY) /* address, size, lengths, strides */
        slot->nbytes = (2 + 2 * param->axes) * (int)sizeof(int64_t);
}

static cuna_status check_size(cuna_raw_function *f, cuna_raw_slot *slot, size_t nbytes)
{
    char text[64];
    if (slot->kind == CUNA_RAW_OPAQUE)
        slot->nbytes = (int)cuna__min((int64_t)nbytes, INT32_MAX);
    if ((size_t)slot->nbytes == nbytes)
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is taken for %s, which has %d bytes, and has %zu", f->name,
                     slot->name, cuna__raw_slot_text(text, sizeof text, slot), slot->nbytes, nbytes);
}

/* Sizes as the device has them, where it can tell; `total` is what is limited. */
static cuna_status read_sizes(int64_t *total, cuna_raw_function *f, bool known)
{
    *total = 0;
    for (int i = 0; i < f->nparams; i++) {
        cuna_raw_slot *slot = &f->slots[i];
        size_t end = (size_t)(*total + slot->nbytes), nbytes;
        if (known) {
            CUNA_TRY(cuna__device_check(f->device, read_param(f, i, &end, &nbytes), "cuFuncGetParamInfo"));
            CUNA_TRY(check_size(f, slot, nbytes));
        } else if (slot->kind == CUNA_RAW_OPAQUE) {
            return cuna_fail(CUNA_VALUE,
                             "%s: %s cannot tell the size of parameter '%s', whose type is not known; its driver is "
                             "older than CUDA 12.4",
                             f->name, f->device->name, slot->name);
        }
        *total = (int64_t)end;
    }
    return CUNA_OK;
}

/* Lays the block of arguments out; gaps are this block's own. */
static cuna_status place_arguments(cuna_raw_function *f, int64_t total)
{
    if (total > CUNA_RAW_MAX_NBYTES)
        return cuna_fail(CUNA_VALUE, "%s: the parameters have %lld bytes, and %s takes %d; pass structs by pointer",
                         f->name, (long long)total, f->device->name, CUNA_RAW_MAX_NBYTES);
    for (int i = 0, at = 0; i < f->nparams; i++) {
        f->slots[i].at = at;
        at += (f->slots[i].nbytes + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
    }
    return CUNA_OK;
}

static cuna_status fill_function(cuna_raw_function *f, const char *name, int known, const cuna_raw_param *params)
{
    static const cuna_raw_param opaque = {.kind = CUNA_RAW_OPAQUE, .dtype = CUNA_DTYPES, .lanes = 1};
    int64_t total;
    CUNA_TRY(copy_names(f, name, params));
    for (int i = 0; i < f->nparams; i++)
        fill_slot(&f->slots[i], params != NULL ? &params[i] : &opaque);
    if (params != NULL && known >= 0 && known != f->nparams)
        return cuna_fail(CUNA_VALUE, "%s: the kernel is taken for one of %d parameters, and has %d", name, f->nparams,
                         known);
    CUNA_TRY(read_sizes(&total, f, known >= 0));
    return place_arguments(f, total);
}

cuna_status cuna_raw_function_create(cuna_raw_function **out, const cuna_raw_module *module, const char *expression,
                                     const char *name, int nparams, const cuna_raw_param *params)
{
    cuna_raw_function probe = {.device = module->loaded.device, .module = module};
    int known = -1;
    CUNA_TRY(find_function(&probe, module, expression));
    CUNA_TRY(count_params(&known, &probe));
    if (params == NULL && known < 0)
        return cuna_fail(CUNA_VALUE,
                         "%s: %s cannot tell the kernel's parameters, as its driver is older than CUDA 12.4; "
                         "declare them",
                         name, module->loaded.device->name);
    probe.nparams = params != NULL ? nparams : known;
    if (probe.nparams > CUNA_RAW_MAX_PARAMS)
        return cuna_fail(CUNA_VALUE, "%s: a kernel has at most %d parameters here", name, CUNA_RAW_MAX_PARAMS);
    cuna_raw_function *f = calloc(1, sizeof *f + (size_t)probe.nparams * sizeof *f->slots);
    if (f == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    memcpy(f, &probe, sizeof probe);
    cuna_raw_module_retain(module);
    cuna_status status = fill_function(f, name, known, params);
    if (status == CUNA_OK)
        *out = f;
    else
        cuna_raw_function_destroy(f);
    return status;
}

void cuna_raw_function_destroy(cuna_raw_function *function)
{
    if (function == NULL)
        return;
    cuna_raw_module_release(function->module);
    free(function->names);
    free(function);
}

const char *cuna_raw_function_name(const cuna_raw_function *function)
{
    return function->name;
}

const char *cuna_raw_param_name(const cuna_raw_function *function, int index)
{
    return function->slots[index].name;
}

int cuna_raw_nparams(const cuna_raw_function *function)
{
    return function->nparams;
}

/* ---- attributes ---- */

cuna_status cuna_raw_attribute(int *value, const cuna_raw_function *f, int attribute)
{
    CUNA_TRY(cuna__device_enter(f->device));
    cu_result result =
        CUNA_DEVICE_CALL(f->device, f->device->driver->func_get_attribute(value, attribute, f->function));
    if (result == CU_ERROR_INVALID_VALUE || is_unknown(result))
        return cuna_fail(CUNA_VALUE, "%s: %s knows no attribute %d of functions", f->name, f->device->name, attribute);
    return cuna__device_check(f->device, result, "cuFuncGetAttribute");
}

cuna_status cuna_raw_set_attribute(cuna_raw_function *f, int attribute, int value)
{
    CUNA_TRY(cuna__device_enter(f->device));
    cu_result result =
        CUNA_DEVICE_CALL(f->device, f->device->driver->func_set_attribute(f->function, attribute, value));
    if (result == CU_ERROR_INVALID_VALUE || is_unknown(result))
        return cuna_fail(CUNA_VALUE, "%s: %s does not set attribute %d of the function to %d", f->name, f->device->name,
                         attribute, value);
    CUNA_TRY(cuna__device_check(f->device, result, "cuFuncSetAttribute"));
    return read_facts(f);
}

/* ---- launches ---- */

static cuna_status refuse_shape(const cuna_raw_function *f, const cuna_raw_launch_shape *shape)
{
    const int64_t *grid = shape->grid, *block = shape->block;
    for (int i = 0; i < 3; i++)
        if (grid[i] < 1 || grid[i] > (i == 0 ? INT32_MAX : MAX_GRID_YZ))
            return cuna_fail(CUNA_VALUE, "%s: a grid has 1 to %d blocks along %c, got %lld", f->name,
                             i == 0 ? INT32_MAX : MAX_GRID_YZ, "xyz"[i], (long long)grid[i]);
    for (int i = 0; i < 3; i++)
        if (block[i] < 1 || block[i] > (i == 2 ? MAX_BLOCK_Z : MAX_BLOCK_XY))
            return cuna_fail(CUNA_VALUE, "%s: a block has 1 to %d threads along %c, got %lld", f->name,
                             i == 2 ? MAX_BLOCK_Z : MAX_BLOCK_XY, "xyz"[i], (long long)block[i]);
    return cuna_fail(CUNA_VALUE, "%s: a block of %lld x %lld x %lld threads has %lld, and this kernel takes %d on %s",
                     f->name, (long long)block[0], (long long)block[1], (long long)block[2],
                     (long long)(block[0] * block[1] * block[2]), f->max_threads, f->device->name);
}

static bool is_shape(const cuna_raw_function *f, const cuna_raw_launch_shape *shape)
{
    const int64_t *grid = shape->grid, *block = shape->block;
    return grid[0] >= 1 && grid[0] <= INT32_MAX && grid[1] >= 1 && grid[1] <= MAX_GRID_YZ && grid[2] >= 1 &&
           grid[2] <= MAX_GRID_YZ && block[0] >= 1 && block[0] <= MAX_BLOCK_XY && block[1] >= 1 &&
           block[1] <= MAX_BLOCK_XY && block[2] >= 1 && block[2] <= MAX_BLOCK_Z &&
           block[0] * block[1] * block[2] <= f->max_threads;
}

static cuna_status refuse_shared(const cuna_raw_function *f, int64_t shared_nbytes)
{
    int most = 0;
    char number[32] = "";
    if (f->device->driver->device_get_attribute(&most, CU_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                                                f->device->handle) == CU_SUCCESS)
        snprintf(number, sizeof number, "the %d that ", most);
    return cuna_fail(CUNA_VALUE,
                     "%s: %lld bytes of dynamic shared memory and %d of the kernel's own are more than %sa block has "
                     "on %s",
                     f->name, (long long)shared_nbytes, f->static_nbytes, number, f->device->name);
}

/* Memory beyond the default is requested once and stays granted. */
static cuna_status grow_shared(cuna_raw_function *f, int64_t shared_nbytes)
{
    if (shared_nbytes < 0)
        return cuna_fail(CUNA_VALUE, "%s: shared memory has %lld bytes", f->name, (long long)shared_nbytes);
    if (shared_nbytes > INT32_MAX)
        return refuse_shared(f, shared_nbytes);
    cu_result result = CUNA_DEVICE_CALL(
        f->device, f->device->driver->func_set_attribute(f->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                         (int)shared_nbytes));
    if (result == CU_ERROR_INVALID_VALUE)
        return refuse_shared(f, shared_nbytes);
    CUNA_TRY(cuna__device_check(f->device, result, "cuFuncSetAttribute"));
    return read_facts(f);
}

static cuna_status refuse_launch(const cuna_raw_function *f, cu_result result, const cuna_raw_launch_shape *shape)
{
    const int64_t *grid = shape->grid, *block = shape->block;
    long long blocks = (long long)(grid[0] * grid[1] * grid[2]), threads = (long long)(block[0] * block[1] * block[2]);
    if (result == CU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
        return cuna_fail(CUNA_VALUE,
                         "%s: a cooperative launch needs all its blocks on %s at once, and %lld blocks of %lld threads "
                         "are too many",
                         f->name, f->device->name, blocks, threads);
    if (result == CU_ERROR_LAUNCH_OUT_OF_RESOURCES)
        return cuna_fail(CUNA_VALUE,
                         "%s: %s has not enough registers for a block of %lld threads; use smaller blocks, or "
                         "__launch_bounds__(%lld)",
                         f->name, f->device->name, threads, threads);
    return cuna__device_check(f->device, result, f->name);
}

static cuna_status check_cooperative(const cuna_raw_function *f)
{
    int able = 1;
    cu_result result =
        f->device->driver->device_get_attribute(&able, CU_ATTRIBUTE_COOPERATIVE_LAUNCH, f->device->handle);
    if (result == CU_SUCCESS && able == 0)
        return cuna_fail(CUNA_VALUE, "%s: %s has no cooperative launches", f->name, f->device->name);
    return CUNA_OK;
}

static cu_result start(const cuna_raw_function *f, const cuna_raw_launch_shape *shape, cu_stream stream, void **params)
{
    const cuna_driver *driver = f->device->driver;
    unsigned sizes[6];
    for (int i = 0; i < 3; i++) {
        sizes[i] = (unsigned)shape->grid[i];
        sizes[3 + i] = (unsigned)shape->block[i];
    }
    return shape->cooperative
               ? driver->launch_cooperative_kernel(f->function, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                                                   sizes[5], (unsigned)shape->shared_nbytes, stream, params)
               : driver->launch_kernel(f->function, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5],
                                       (unsigned)shape->shared_nbytes, stream, params, NULL);
}

/* Another object of the same kernel may have taken back what was granted of shared memory. */
static cuna_status launch(cuna_context *context, cuna_raw_function *f, const cuna_raw_launch_shape *shape,
                          void **params)
{
    cuna_stream *stream = cuna__context_stream(context, f->device);
    int64_t trace = cuna__trace_begin(CUNA_TRACE_LAUNCH, f->name, stream, 0);
    cu_result result = CUNA_DEVICE_CALL(f->device, start(f, shape, stream->handle, params));
    cuna_status status = CUNA_OK;
    if (__builtin_expect(result == CU_ERROR_INVALID_VALUE && shape->shared_nbytes > 0, 0)) {
        status = grow_shared(f, shape->shared_nbytes);
        if (status == CUNA_OK)
            result = CUNA_DEVICE_CALL(f->device, start(f, shape, stream->handle, params));
    }
    cuna__trace_end(trace, stream);
    CUNA_TRY(status);
    if (__builtin_expect(result != CU_SUCCESS, 0))
        return refuse_launch(f, result, shape);
    return cuna__device_note_launch(context, stream, f->name);
}

static cuna_status check_launch(cuna_raw_function *f, const cuna_raw_launch_shape *shape, int narguments)
{
    if (__builtin_expect(narguments != f->nparams, 0))
        return cuna_fail(CUNA_VALUE, "%s: the kernel has %d parameters, got %d arguments", f->name, f->nparams,
                         narguments);
    if (__builtin_expect(!is_shape(f, shape), 0))
        return refuse_shape(f, shape);
    CUNA_TRY(cuna__device_enter(f->device));
    if (__builtin_expect(shape->cooperative, 0))
        CUNA_TRY(check_cooperative(f));
    if (__builtin_expect(shape->shared_nbytes > f->dynamic_nbytes || shape->shared_nbytes < 0, 0))
        return grow_shared(f, shape->shared_nbytes);
    return CUNA_OK;
}

static cuna_status claim(const cuna_context *context, cuna_raw_function *f, int narguments,
                         const cuna_raw_argument *arguments)
{
    cuna_stream *stream = cuna__context_stream(context, f->device);
    if (__builtin_expect(stream->capture != NULL, 0))
        CUNA_TRY(cuna__graph_keep_module(stream->capture, (cuna_loaded *)&f->module->loaded));
    for (int i = 0; i < narguments; i++) {
        if (arguments[i].kind == CUNA_RAW_ARRAY && arguments[i].array->buffer->device == f->device)
            CUNA_TRY(cuna__array_claim(context, stream, arguments[i].array));
        else if (__builtin_expect(arguments[i].kind == CUNA_RAW_OBJECT, 0))
            CUNA_TRY(cuna__texture_claim(context, stream, arguments[i].object));
    }
    return CUNA_OK;
}

cuna_status cuna_raw_launch(cuna_context *context, cuna_raw_function *function, const cuna_raw_launch_shape *shape,
                            int narguments, const cuna_raw_argument *arguments)
{
    _Alignas(ARGUMENT_ALIGN) unsigned char block[CUNA_RAW_MAX_NBYTES + CUNA_RAW_MAX_PARAMS * ARGUMENT_ALIGN];
    void *params[CUNA_RAW_MAX_PARAMS + 1];
    CUNA_TRY(check_launch(function, shape, narguments));
    for (int i = 0; i < narguments; i++) {
        params[i] = block + function->slots[i].at;
        CUNA_TRY(cuna__raw_argument_put(params[i], context, function, i, &arguments[i]));
    }
    params[narguments] = NULL;
    if (__builtin_expect(context->rehearsal != NULL, 0))
        return CUNA_OK;
    CUNA_TRY(claim(context, function, narguments, arguments));
    return launch(context, function, shape, params);
}
