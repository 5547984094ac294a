/* launch.c: launches on the cpu device: of built-in kernels, of raw kernels, of host functions.
 *
 * In built-in kernels a block is one thread, and the kernel handles shared memory itself. For a captured stream the
 * arguments are copied, each to its place in CUDA's parameter buffer. */
#define _GNU_SOURCE 1
#include "cpu/execute/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cpu/execute/error.h"
#include "cpu/execute/fault.h"
#include "cpu/execute/graph.h"
#include "cpu/execute/module.h"
#include "cpu/execute/raw.h"
#include "cpu/execute/stream.h"
#include "cpu/execute/threads.h"

#define PIECES_PER_THREAD 4   /* of a launch, so that no thread waits long for the last one */
#define BUFFER_ALIGN      256 /* at least the alignment of any parameter type */

struct piece {
    cuna__module_entry entry;
    void **params;
    unsigned first, last;
};

static void run_piece(void *data)
{
    const struct piece *piece = data;
    piece->entry(piece->params, piece->first, piece->last);
}

struct launch {
    cuna__module_entry entry;
    void **params;
    cuna_outcome outcome;
};

/* Pieces that have not begun when one fails are skipped. */
static void run_blocks(void *data, int64_t first, int64_t last)
{
    struct launch *launch = data;
    struct piece piece = {launch->entry, launch->params, (unsigned)first, (unsigned)last};
    cuna_fault fault;
    if (!cuna__outcome_is_decided(&launch->outcome) && !cuna__cpu_fault_guard(&fault, run_piece, &piece))
        cuna__cpu_outcome_fail(&launch->outcome, fault.result, fault.words);
}

static __attribute__((noinline)) cu_result run_many(cu_function function, unsigned blocks, void **params)
{
    struct launch launch = {.entry = function->entry, .params = params};
    cuna__cpu_threads_run_again(run_blocks, &launch, blocks,
                                cuna__ceil_div(blocks, cuna__cpu_threads_count() * PIECES_PER_THREAD),
                                &function->block_ns);
    return cuna__cpu_outcome_result(&launch.outcome);
}

/* One block takes a shortcut: a small operation spends most of its time in this function. */
static inline cu_result run_own(cu_function function, unsigned blocks, void **params)
{
    void *both[] = {params[0], function->code};
    params = function->code != NULL ? both : params;
    if (blocks != 1)
        return run_many(function, blocks, params);
    struct piece piece = {function->entry, params, 0, 1};
    cuna_fault fault;
    return __builtin_expect(cuna__cpu_fault_guard(&fault, run_piece, &piece), 1)
               ? CU_SUCCESS
               : cuna__cpu_error_keep(fault.result, fault.words);
}

/* A launch that was recorded. */
struct recorded {
    cuna_work base;
    cu_function function;
    cuna_raw_shape shape;
    void **params; /* of nparams pointers into the preceding buffer */
};

static cu_result run_recorded(const cuna_work *base)
{
    const struct recorded *work = (const struct recorded *)base;
    cu_function function = work->function;
    if (function->raw == NULL)
        return run_own(function, work->shape.grid.x, work->params);
    return cuna__cpu_raw_launch(function, &work->shape, work->params);
}

/* The number of parameters of a function, and the length of their buffer. */
static cu_result measure(size_t *nparams, size_t *buffer_nbytes, cu_function function)
{
    size_t offset, nbytes;
    cu_result result;
    *nparams = *buffer_nbytes = 0;
    while ((result = cuna__cpu_raw_param_info(function, *nparams, &offset, &nbytes)) == CU_SUCCESS) {
        *buffer_nbytes = offset + nbytes;
        ++*nparams;
    }
    return result == CU_ERROR_INVALID_VALUE ? CU_SUCCESS : result; /* no parameter with this number */
}

static struct recorded *copy_arguments(cu_function function, size_t nparams, size_t buffer_nbytes, void **params)
{
    size_t head = (sizeof(struct recorded) + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
    size_t tail = (head + buffer_nbytes + sizeof *params - 1) / sizeof *params * sizeof *params;
    void *room;
    if (posix_memalign(&room, BUFFER_ALIGN, tail + (nparams + 1) * sizeof *params) != 0)
        return NULL;
    struct recorded *work = room;
    work->function = function;
    work->params = (void **)((char *)room + tail);
    for (size_t i = 0; i < nparams; i++) {
        size_t offset = 0, nbytes = 0;
        cuna__cpu_raw_param_info(function, i, &offset, &nbytes);
        work->params[i] = memcpy((char *)room + head + offset, params[i], nbytes);
    }
    return work;
}

/* A launch that was checked; the caller owns it. */
static cu_result make_recorded(cuna_work **out, cu_function function, const cuna_raw_shape *shape, void **params)
{
    size_t nparams, buffer_nbytes;
    *out = NULL;
    cu_result result = measure(&nparams, &buffer_nbytes, function);
    if (result != CU_SUCCESS)
        return result;
    struct recorded *work = copy_arguments(function, nparams, buffer_nbytes, params);
    if (work == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    work->base.run = run_recorded;
    work->shape = *shape;
    *out = &work->base;
    return CU_SUCCESS;
}

static cu_result record(cu_function function, const cuna_raw_shape *shape, cu_stream stream, void **params)
{
    cuna_work *work;
    cu_result result = make_recorded(&work, function, shape, params);
    return result == CU_SUCCESS || result == CU_ERROR_OUT_OF_MEMORY ? cuna__cpu_graph_add(stream, work) : result;
}

static cu_result launch_raw(cu_function function, const cuna_raw_shape *shape, cu_stream stream, void **params)
{
    if (!cuna__stream_is_held(stream))
        return cuna__cpu_raw_launch(function, shape, params);
    cu_result result = cuna__cpu_raw_check(function, shape, params);
    return result == CU_SUCCESS ? record(function, shape, stream, params) : result;
}

/* Whether a block is one thread, and a grid a row. */
static inline bool is_own_shape(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                unsigned block_z)
{
    return !((grid_y ^ 1) | (grid_z ^ 1) | (block_x ^ 1) | (block_y ^ 1) | (block_z ^ 1) | (grid_x == 0));
}

cu_result cuna__cpu_launch_again(cuna_work **out, const cuna_work *recorded, const cu_kernel_node_params *params)
{
    const struct recorded *before = (const struct recorded *)recorded;
    const cuna_raw_shape shape = {{params->grid_x, params->grid_y, params->grid_z},
                                  {params->block_x, params->block_y, params->block_z},
                                  params->shared_nbytes,
                                  .cooperative = false};
    if (recorded->run != run_recorded || before->function != params->function || before->function->raw != NULL ||
        params->params == NULL || params->extra != NULL ||
        !is_own_shape(params->grid_x, params->grid_y, params->grid_z, params->block_x, params->block_y,
                      params->block_z))
        return CU_ERROR_INVALID_VALUE;
    return make_recorded(out, params->function, &shape, params->params);
}

/* For a raw kernel, or a captured stream. Has the row's parameters, so that the row passes them on without moves. */
static __attribute__((noinline)) cu_result launch_otherwise(cu_function function, unsigned grid_x, unsigned grid_y,
                                                            unsigned grid_z, unsigned block_x, unsigned block_y,
                                                            unsigned block_z, unsigned shared_nbytes, cu_stream stream,
                                                            void **params, void **extra)
{
    const cuna_raw_shape shape = {
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_nbytes, .cooperative = false};
    if (extra != NULL)
        return CU_ERROR_INVALID_VALUE;
    if (function->raw != NULL)
        return launch_raw(function, &shape, stream, params);
    return is_own_shape(grid_x, grid_y, grid_z, block_x, block_y, block_z) ? record(function, &shape, stream, params)
                                                                           : CU_ERROR_INVALID_VALUE;
}

cu_result cuna__cpu_launch_kernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                  cu_stream stream, void **params, void **extra)
{
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (__builtin_expect((function->raw != NULL) | cuna__stream_is_held(stream), 0))
        return launch_otherwise(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_nbytes, stream,
                                params, extra);
    if (extra != NULL || !is_own_shape(grid_x, grid_y, grid_z, block_x, block_y, block_z))
        return CU_ERROR_INVALID_VALUE;
    return run_own(function, grid_x, params);
}

cu_result cuna__cpu_launch_cooperative(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_nbytes,
                                       cu_stream stream, void **params)
{
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (function->raw == NULL)
        return CU_ERROR_INVALID_VALUE;
    const cuna_raw_shape shape = {
        {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_nbytes, .cooperative = true};
    return launch_raw(function, &shape, stream, params);
}

struct call {
    cuna_work base;
    cu_host_fn fn;
    void *data;
};

static cu_result run_call(const cuna_work *base)
{
    const struct call *work = (const struct call *)base;
    work->fn(work->data);
    return CU_SUCCESS;
}

cu_result cuna__cpu_launch_host_func(cu_stream stream, cu_host_fn fn, void *data)
{
    if (fn == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (!cuna__stream_is_held(stream)) {
        fn(data);
        return CU_SUCCESS;
    }
    struct call *work = malloc(sizeof *work);
    if (work != NULL)
        *work = (struct call){{run_call}, fn, data};
    return cuna__cpu_graph_add(stream, &work->base);
}
