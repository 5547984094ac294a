/* module.c: the rows of modules and launches, which check what the real driver checks. */
#include <stdio.h>
#include <string.h>

#include "simgpu.h"
#include "stream.h"

#define MAX_GRID_YZ   65535
#define MAX_SHARED    49152
#define MAX_ARGUMENTS 4096
#define MAX_BLOCK_Z   64

static unsigned last_blocks; /* of a built-in kernel's launch */

/* Reads no further than the first byte that differs. */
static bool is_image(const struct simgpu_image *image)
{
    for (size_t i = 0; i < sizeof image->magic; i++)
        if (image->magic[i] != SIMGPU_MAGIC[i])
            return false;
    return true;
}

/* Gives the image's code the scheduler of its lanes. */
static cu_result connect(cu_module library)
{
    cu_function function;
    cu_result result = cuna__driver_cpu()->module_get_function(&function, library, "simgpu_connect");
    if (result != CU_SUCCESS)
        return CU_ERROR_INVALID_IMAGE;
    ((void (*)(const struct simgpu_services *))(uintptr_t)function->entry)(&simgpu__services);
    return CU_SUCCESS;
}

cu_result simgpu__row_module_load_data(cu_module *module, const void *data)
{
    SIMGPU_ENTER(module_load_data, SIMGPU_NEED_CONTEXT);
    const struct simgpu_image *image = data;
    const cuna_driver *cpu = cuna__driver_cpu();
    struct simgpu_image head;
    cu_module library;
    int version = (int)simgpu__setting("SIMGPU_DRIVER_VERSION", 13000);
    if (module == NULL || data == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (!is_image(image))
        return CU_ERROR_INVALID_IMAGE;
    /* A copy, because the image may be unaligned. */
    memcpy(&head, image, sizeof head);
    if (head.stamp != simgpu__image_stamp(head.is_fast != 0))
        return CU_ERROR_NO_BINARY_FOR_GPU;
    if (head.is_ptx && version < 13000)
        return CU_ERROR_UNSUPPORTED_PTX_VERSION;
    cu_result result = cpu->module_load_data(&library, image + 1);
    if (result != CU_SUCCESS)
        return result;
    struct simgpu_module *created = NULL;
    /* Raw kernels have the scheduler of the cpu device. */
    result = head.is_raw ? CU_SUCCESS : connect(library);
    if (result == CU_SUCCESS) {
        created = simgpu__handle_create(SIMGPU_MODULES, call.context, sizeof *created);
        result = created != NULL ? CU_SUCCESS : CU_ERROR_OUT_OF_MEMORY;
    }
    if (result != CU_SUCCESS) {
        cpu->module_unload(library);
        return result;
    }
    created->library = library;
    created->is_raw = head.is_raw != 0;
    *module = (cu_module)created;
    return CU_SUCCESS;
}

static void destroy_function(struct simgpu_handle *handle, void *module)
{
    if (handle->kind == SIMGPU_FUNCTIONS && ((struct simgpu_function *)handle)->module == module)
        simgpu__handle_destroy(handle);
}

/* Whether the driver waits for the module's kernels, nobody promises. */
cu_result simgpu__row_module_unload(cu_module module)
{
    SIMGPU_ENTER(module_unload, SIMGPU_NEED_CONTEXT);
    struct simgpu_module *found = simgpu__handle_here(SIMGPU_MODULES, module, call.context);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (simgpu__queue_launches(found))
        simgpu__kill(found->handle.context, CU_ERROR_ILLEGAL_ADDRESS,
                     "a module was unloaded while a kernel of it had still to run");
    simgpu__handle_each(destroy_function, found);
    simgpu__handle_destroy(found);
    return cuna__driver_cpu()->module_unload(found->library);
}

/* A number that CUNA_ENTRY exports beside a kernel. */
static bool read_number(unsigned *value, cu_module library, const char *name, const char *what)
{
    char symbol[256];
    cu_function number;
    snprintf(symbol, sizeof symbol, "%s_%s", name, what);
    if (cuna__driver_cpu()->module_get_function(&number, library, symbol) != CU_SUCCESS)
        return false;
    *value = *(const unsigned *)(uintptr_t)number->entry;
    return true;
}

cu_result simgpu__row_module_get_function(cu_function *function, cu_module module, const char *name)
{
    SIMGPU_ENTER(module_get_function, SIMGPU_NEED_CONTEXT);
    const cuna_driver *cpu = cuna__driver_cpu();
    cu_function entry;
    unsigned nbytes = 0, is_team = 0;
    if (function == NULL || name == NULL)
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_module *found = simgpu__handle_here(SIMGPU_MODULES, module, call.context);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    /* Raw kernels are run by the cpu device, which knows their parameters; ours export two numbers instead. */
    if (cpu->module_get_function(&entry, found->library, name) != CU_SUCCESS ||
        (!found->is_raw && (!read_number(&nbytes, found->library, name, "nbytes") ||
                            !read_number(&is_team, found->library, name, "team"))))
        return CU_ERROR_NOT_FOUND;
    struct simgpu_function *created = simgpu__handle_create(SIMGPU_FUNCTIONS, call.context, sizeof *created);
    if (created == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    created->handle.context = found->handle.context;
    created->module = found;
    created->raw = found->is_raw ? entry : NULL;
    created->entry = found->is_raw ? NULL : entry->entry;
    created->nbytes = nbytes;
    created->is_team = is_team != 0;
    snprintf(created->name, sizeof created->name, "%s", name);
    *function = (cu_function)created;
    return found->is_raw ? simgpu__raw_describe(created) : CU_SUCCESS;
}

bool simgpu__launch_is_legal(const unsigned grid[3], const unsigned block[3])
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    return grid[0] > 0 && grid[0] <= INT32_MAX && grid[1] > 0 && grid[1] <= MAX_GRID_YZ && grid[2] > 0 &&
           grid[2] <= MAX_GRID_YZ && threads > 0 && threads <= 1024 && block[2] <= MAX_BLOCK_Z;
}

/* Legal on a GPU, but not here: said aloud, so that nobody searches for a mistake. */
static bool is_simulated(const unsigned grid[3], const unsigned block[3])
{
    if (grid[1] == 1 && grid[2] == 1 && block[0] == SIMGPU_LANES && block[1] == 1 && block[2] == 1)
        return true;
    fprintf(stderr,
            "simgpu: a launch of (%u, %u, %u) blocks of (%u, %u, %u): the simulated GPU does rows of blocks of "
            "%d lanes only\n",
            grid[0], grid[1], grid[2], block[0], block[1], block[2], SIMGPU_LANES);
    return false;
}

cu_result simgpu__launch_make(struct simgpu_op **out, const struct simgpu_call *call,
                              const cu_kernel_node_params *launch)
{
    const unsigned grid[] = {launch->grid_x, launch->grid_y, launch->grid_z};
    const unsigned block[] = {launch->block_x, launch->block_y, launch->block_z};
    struct simgpu_function *found = simgpu__handle_here(SIMGPU_FUNCTIONS, launch->function, call->context);
    if (found == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (found->raw != NULL || !simgpu__launch_is_legal(grid, block) || launch->shared_nbytes > MAX_SHARED ||
        launch->params == NULL || launch->params[0] == NULL || launch->extra != NULL || found->nbytes > MAX_ARGUMENTS ||
        !is_simulated(grid, block))
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_op *op = *out = simgpu__queue_op(SIMGPU_LAUNCH, found->nbytes);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->function = found;
    op->blocks = grid[0];
    op->nbytes = found->nbytes;
    op->fault = call->fault;
    op->opens = 1u << call->context->ordinal | call->context->peers;
    memcpy(op->arguments, launch->params[0], found->nbytes);
    return CU_SUCCESS;
}

cu_result simgpu__row_launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                    cu_stream handle, void **params, void **extra)
{
    SIMGPU_ENTER(launch_kernel, SIMGPU_NEED_CONTEXT);
    const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
    struct simgpu_function *found = simgpu__handle_here(SIMGPU_FUNCTIONS, function, call.context);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (found == NULL || stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (found->raw != NULL && extra == NULL)
        return simgpu__raw_launch(&call, found, stream, grid, block, shared_nbytes, false, params);
    const cu_kernel_node_params launch = {function, grid_x,  grid_y,        grid_z, block_x,
                                          block_y,  block_z, shared_nbytes, params, extra};
    struct simgpu_op *op;
    cu_result result = simgpu__launch_make(&op, &call, &launch);
    if (result != CU_SUCCESS)
        return result;
    last_blocks = grid_x;
    return simgpu__queue_add(stream, op);
}

unsigned simgpu_blocks(void)
{
    return last_blocks;
}
