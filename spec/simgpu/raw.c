/* raw.c: rows for raw kernels, which the cpu device compiles and runs.
 *
 * Sizes and attributes are checked as the driver checks them. Arguments are copied by the call, each at a multiple of
 * 16 bytes. Variables of modules lie in host memory: they are known here, so that copies may touch them, and are not
 * closed. */
#include <string.h>

#include "simgpu.h"
#include "stream.h"

#define ARGUMENT_ALIGN 16
#define SHARED_NBYTES  49152
#define SHARED_OPTIN   232448
#define MAX_ARGUMENTS  32764
#define MAX_VARIABLES  256
#define NATTRIBUTES    16   /* CU_FUNC_ATTRIBUTE_MAX */
#define THREADS_PER_SM 2048 /* at once */

static struct variable {
    cu_deviceptr ptr;
    size_t nbytes;
    struct simgpu_module *module;
} variables[MAX_VARIABLES];
static int nvariables;

struct simgpu_context *simgpu__raw_variable(cu_deviceptr ptr, size_t nbytes)
{
    for (int i = 0; i < nvariables; i++)
        if (variables[i].module->handle.live && ptr >= variables[i].ptr && nbytes <= variables[i].nbytes &&
            ptr - variables[i].ptr <= variables[i].nbytes - nbytes)
            return variables[i].module->handle.context;
    return NULL;
}

static bool keep_variable(cu_deviceptr ptr, size_t nbytes, struct simgpu_module *module)
{
    if (simgpu__raw_variable(ptr, nbytes) != NULL)
        return true;
    if (nvariables == MAX_VARIABLES)
        return false;
    variables[nvariables++] = (struct variable){ptr, nbytes, module};
    return true;
}

static size_t place(size_t at)
{
    return (at + ARGUMENT_ALIGN - 1) / ARGUMENT_ALIGN * ARGUMENT_ALIGN;
}

cu_result simgpu__raw_describe(struct simgpu_function *function)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    size_t offset, nbytes = 0, at = 0;
    int own_nbytes = 0;
    while (function->nparams < SIMGPU_MAX_PARAMS &&
           cpu->func_get_param_info(function->raw, function->nparams, &offset, &nbytes) == CU_SUCCESS) {
        function->sizes[function->nparams++] = (unsigned)nbytes;
        at = place(at) + nbytes;
    }
    function->nbytes = (unsigned)place(at);
    cpu->func_get_attribute(&own_nbytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->raw);
    function->dynamic_nbytes = SHARED_NBYTES - own_nbytes;
    /* What a launch may have is decided when it is queued, and not when it runs. */
    return cpu->func_set_attribute(function->raw, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, SHARED_OPTIN);
}

static bool takes_block(const struct simgpu_function *function, const unsigned block[3])
{
    int most = 1024;
    cuna__driver_cpu()->func_get_attribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function->raw);
    return (uint64_t)block[0] * block[1] * block[2] <= (uint64_t)most;
}

cu_result simgpu__raw_launch(const struct simgpu_call *call, struct simgpu_function *function,
                             struct simgpu_stream *stream, const unsigned grid[3], const unsigned block[3],
                             unsigned shared_nbytes, bool cooperative, void **params)
{
    if (!simgpu__launch_is_legal(grid, block) || !takes_block(function, block) ||
        shared_nbytes > (unsigned)function->dynamic_nbytes || (params == NULL && function->nparams > 0) ||
        function->nbytes > MAX_ARGUMENTS * 2)
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_LAUNCH, function->nbytes);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->function = function;
    op->nbytes = function->nbytes;
    op->shared_nbytes = shared_nbytes;
    op->cooperative = cooperative;
    memcpy(op->grid, grid, sizeof op->grid);
    memcpy(op->block, block, sizeof op->block);
    op->fault = call->fault;
    op->opens = 1u << call->context->ordinal | call->context->peers;
    memset(op->arguments, 0, op->nbytes);
    size_t at = 0;
    for (unsigned i = 0; i < function->nparams; i++) {
        memcpy(op->arguments + place(at), params[i], function->sizes[i]);
        at = place(at) + function->sizes[i];
    }
    return simgpu__queue_add(stream, op);
}

cu_result simgpu__row_launch_cooperative_kernel(cu_function handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                                unsigned block_x, unsigned block_y, unsigned block_z,
                                                unsigned shared_nbytes, cu_stream stream_handle, void **params)
{
    SIMGPU_ENTER(launch_cooperative_kernel, SIMGPU_NEED_CONTEXT);
    const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
    struct simgpu_function *function = simgpu__handle_here(SIMGPU_FUNCTIONS, handle, call.context);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, stream_handle);
    if (function == NULL || stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (function->raw == NULL || !simgpu__launch_is_legal(grid, block))
        return CU_ERROR_INVALID_VALUE;
    uint64_t threads = (uint64_t)block_x * block_y * block_z, blocks = (uint64_t)grid_x * grid_y * grid_z;
    if (blocks > simgpu__setting("SIMGPU_MULTIPROCESSORS", 4) * (THREADS_PER_SM / threads))
        return CU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return simgpu__raw_launch(&call, function, stream, grid, block, shared_nbytes, true, params);
}

cu_result simgpu__row_func_get_attribute(int *value, int attribute, cu_function handle)
{
    SIMGPU_ENTER(func_get_attribute, SIMGPU_NEED_CONTEXT);
    struct simgpu_function *function = simgpu__handle_here(SIMGPU_FUNCTIONS, handle, call.context);
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (value == NULL || attribute < 0 || attribute >= NATTRIBUTES)
        return CU_ERROR_INVALID_VALUE;
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        *value = function->raw != NULL ? function->dynamic_nbytes : SHARED_NBYTES;
    else if (function->raw != NULL && cuna__driver_cpu()->func_get_attribute(value, attribute, function->raw))
        *value = 0; /* what the cpu device does not know */
    return CU_SUCCESS;
}

cu_result simgpu__row_func_set_attribute(cu_function handle, int attribute, int value)
{
    SIMGPU_ENTER(func_set_attribute, SIMGPU_NEED_CONTEXT);
    struct simgpu_function *function = simgpu__handle_here(SIMGPU_FUNCTIONS, handle, call.context);
    int own_nbytes = 0;
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        return value >= -1 && value <= 100 ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || function->raw == NULL || value < 0)
        return CU_ERROR_INVALID_VALUE;
    cuna__driver_cpu()->func_get_attribute(&own_nbytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->raw);
    if (value > SHARED_OPTIN - own_nbytes)
        return CU_ERROR_INVALID_VALUE;
    function->dynamic_nbytes = value;
    return CU_SUCCESS;
}

cu_result simgpu__row_func_get_param_info(cu_function handle, size_t index, size_t *offset, size_t *nbytes)
{
    SIMGPU_ENTER(func_get_param_info, SIMGPU_NEED_CONTEXT);
    struct simgpu_function *function = simgpu__handle_here(SIMGPU_FUNCTIONS, handle, call.context);
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (offset == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (function->raw != NULL)
        return cuna__driver_cpu()->func_get_param_info(function->raw, index, offset, nbytes);
    *offset = 0;
    if (nbytes != NULL)
        *nbytes = function->nbytes;
    return index == 0 ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result simgpu__row_module_get_global(cu_deviceptr *ptr, size_t *nbytes, cu_module handle, const char *name)
{
    SIMGPU_ENTER(module_get_global, SIMGPU_NEED_CONTEXT);
    struct simgpu_module *module = simgpu__handle_here(SIMGPU_MODULES, handle, call.context);
    cu_deviceptr at = 0;
    size_t size = 0;
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (name == NULL)
        return CU_ERROR_INVALID_VALUE;
    cu_result result = cuna__driver_cpu()->module_get_global(&at, &size, module->library, name);
    if (result != CU_SUCCESS)
        return result;
    /* Copies may touch the variable from now on: it is in no arena. */
    if (!keep_variable(at, size, module))
        return CU_ERROR_OUT_OF_MEMORY;
    if (ptr != NULL)
        *ptr = at;
    if (nbytes != NULL)
        *nbytes = size;
    return CU_SUCCESS;
}
