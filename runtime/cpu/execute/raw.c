/* raw.c: raw kernels on the cpu device: their attributes and launches.
 *
 * A launch's blocks are numbered row by row and distributed to the thread pool; each runs in one thread. The blocks of
 * a cooperative launch have a thread each (grid.c). A kernel that fails stops the blocks that have not begun, and the launch returns the first failure. A kernel that traps leaves the
 * device usable; one that a signal ended (fault.h) may have corrupted memory. */
#define _GNU_SOURCE 1
#include "cpu/execute/raw.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cpu/execute/error.h"
#include "cpu/execute/fault.h"
#include "cpu/execute/fibers.h"
#include "cpu/execute/grid.h"
#include "cpu/execute/module.h"
#include "cpu/execute/threads.h"

#define MAX_GRID_X        0x7fffffffu
#define MAX_GRID_YZ       65535u
#define MAX_BLOCK_Z       64u
#define MAX_SHARED_NBYTES (227 << 10)
#define SHARED_ALIGN      256
#define BLOCKS_PER_LOOK   16 /* between checks whether the launch ended */
#define PIECES_PER_THREAD 4  /* of a launch, so that no thread waits long for the last one */

/* Of kernels/, embedded by the build. */
extern const char cuna__text_prelude_cpu[], cuna__text_block_cpu[], cuna__text_raw_launch_cpu[],
    cuna__text_raw_block_cpu[], cuna__text_raw_cpu[];
extern const char cuna__text_raw_names[], cuna__text_raw_math_cpu[], cuna__text_raw_intrinsic_cpu[];
extern const char cuna__text_raw_simd_cpu[], cuna__text_raw_texel_cpu[], cuna__text_raw_texture_cpu[];
extern const char cuna__text_raw_atomic_cpu[], cuna__text_raw_warp_cpu[], cuna__text_raw_step_cpu[],
    cuna__text_raw_region_cpu[];
extern const char cuna__text_raw_half[], cuna__text_raw_cucomplex[], cuna__text_raw_complex[], cuna__text_scalar[],
    cuna__text_complex[];
extern const char cuna__text_raw_std[], cuna__text_raw_groups[], cuna__text_raw_curand[], cuna__text_raw_curand_more[],
    cuna__text_raw_cub_cpu[], cuna__text_raw_pipeline[], cuna__text_raw_ptx_cpu[], cuna__text_raw_libcu_cpu[],
    cuna__text_raw_stage_cpu[], cuna__text_raw_mma_cpu[], cuna__text_raw_cub_block_cpu[], cuna__text_raw_cub_warp_cpu[],
    cuna__text_raw_thrust_value[], cuna__text_raw_thrust[], cuna__text_raw_thrust_order[], cuna__text_raw_float16[],
    cuna__text_raw_carray[];

const char *const cuna__cpu_text_preludes[] = {
    cuna__text_prelude_cpu,
    cuna__text_block_cpu,
    cuna__text_raw_launch_cpu,
    cuna__text_raw_block_cpu,
    cuna__text_raw_names,
    cuna__text_raw_cpu,
    cuna__text_raw_math_cpu,
    cuna__text_raw_intrinsic_cpu,
    cuna__text_raw_atomic_cpu,
    "#ifdef CUNA_WITH_SIMD\n",
    cuna__text_raw_simd_cpu,
    "#endif\n#ifdef CUNA_WITH_PTX\n",
    cuna__text_raw_ptx_cpu,
    "#endif\n#ifdef CUNA_WITH_TEXTURE\n",
    cuna__text_raw_texel_cpu,
    cuna__text_raw_texture_cpu,
    "#endif\n",
    NULL,
};

/* The last ones are enabled by headers that a source includes (cpu/compile/include.c), textures by their names
 * (cpu/compile/source.c). */
const char *const cuna__cpu_raw_preludes[] = {
    cuna__text_prelude_cpu,
    cuna__text_raw_launch_cpu,
    cuna__text_raw_block_cpu,
    cuna__text_raw_names,
    cuna__text_raw_cpu,
    cuna__text_raw_math_cpu,
    cuna__text_raw_intrinsic_cpu,
    cuna__text_raw_atomic_cpu,
    cuna__text_raw_warp_cpu,
    "#ifdef CUNA_WITH_REGIONS\n",
    cuna__text_raw_region_cpu,
    "#endif\n#ifdef CUNA_WITH_STEPS\n",
    cuna__text_raw_step_cpu,
    "#endif\n#ifdef CUNA_WITH_SIMD\n",
    cuna__text_raw_simd_cpu,
    "#endif\n#ifdef CUNA_WITH_PTX\n",
    cuna__text_raw_ptx_cpu,
    "#endif\n#ifdef CUNA_WITH_TEXTURE\n",
    cuna__text_raw_texel_cpu,
    cuna__text_raw_texture_cpu,
    "#endif\n#ifdef CUNA_WITH_STD\n",
    cuna__text_raw_std,
    "#endif\n#ifdef CUNA_WITH_CARRAY\n#define CUNA_WITH_FLOAT16\n#endif\n"
    "#if defined CUNA_WITH_HALF || defined CUNA_WITH_FLOAT16 || defined CUNA_WITH_MMA\n",
    cuna__text_raw_half,
    "#endif\n#ifdef CUNA_WITH_FLOAT16\n",
    cuna__text_raw_float16,
    "#endif\n#ifdef CUNA_WITH_CARRAY\n",
    cuna__text_raw_carray,
    "#endif\n#ifdef CUNA_WITH_MMA\n",
    cuna__text_raw_mma_cpu,
    "#endif\n#ifdef CUNA_WITH_CUCOMPLEX\n",
    cuna__text_raw_cucomplex,
    "#endif\n#ifdef CUNA_WITH_COMPLEX\n",
    cuna__text_scalar,
    cuna__text_complex,
    cuna__text_raw_complex,
    "#endif\n#ifdef CUNA_WITH_GROUPS\n",
    cuna__text_raw_groups,
    "#endif\n#ifdef CUNA_WITH_CURAND\n",
    cuna__text_raw_curand,
    cuna__text_raw_curand_more,
    "#endif\n#ifdef CUNA_WITH_PIPELINE\n",
    cuna__text_raw_pipeline,
    "#endif\n#ifdef CUNA_WITH_THRUST\n",
    cuna__text_raw_thrust_value,
    cuna__text_raw_thrust,
    cuna__text_raw_thrust_order,
    "#endif\n#ifdef CUNA_WITH_CUB\n",
    cuna__text_raw_cub_cpu,
    cuna__text_raw_cub_block_cpu,
    cuna__text_raw_cub_warp_cpu,
    "#endif\n#ifdef CUNA_WITH_LIBCU\n",
    cuna__text_raw_libcu_cpu,
    cuna__text_raw_stage_cpu,
    "#endif\n",
    NULL,
};

struct launch {
    cuna_raw_launch raw;
    const cuna_raw_export *kernel;
    unsigned shared_nbytes;
    cuna_outcome outcome;
};

static void fail_kernel(const char *words, const cuna_raw_dim *block, const cuna_raw_dim *thread)
{
    char whole[CUNA_FAULT_WORDS];
    snprintf(whole, sizeof whole, "block (%u, %u, %u), thread (%u, %u, %u): %s", block->x, block->y, block->z,
             thread->x, thread->y, thread->z, words);
    cuna__cpu_fault_leave(CUNA_ERROR_KERNEL, whole);
}

const cuna_raw_services cuna__cpu_raw_services = {
    .trap = fail_kernel,
    .sync = cuna__cpu_fibers_sync,
    .gather = cuna__cpu_fibers_gather,
    .active_lanes = cuna__cpu_fibers_active_lanes,
    .step = cuna__cpu_fibers_step,
    .yield = cuna__cpu_fibers_yield,
    .sync_grid = cuna__cpu_fibers_sync_grid,
};

/* ---- running blocks ---- */

/* Some blocks of a launch. `words` is the reason why threads of a block could not continue. */
struct piece {
    struct launch *launch;
    cuna_raw_block block;
    uint64_t first, last;
    bool good;
    char words[CUNA_FAULT_WORDS];
};

static void run_loops(void *data)
{
    struct piece *piece = data;
    struct launch *launch = piece->launch;
    for (uint64_t at = piece->first; at < piece->last && !cuna__outcome_is_decided(&launch->outcome);
         at += BLOCKS_PER_LOOK)
        launch->kernel->blocks(&piece->block, at, cuna__min(at + BLOCKS_PER_LOOK, piece->last));
}

static void run_teams(void *data)
{
    struct piece *piece = data;
    struct launch *launch = piece->launch;
    cuna_raw_dim grid = launch->raw.grid;
    for (uint64_t i = piece->first; i < piece->last && piece->good && !cuna__outcome_is_decided(&launch->outcome);
         i++) {
        uint64_t row = i / grid.x;
        piece->block.idx = (cuna_raw_dim){(unsigned)(i % grid.x), (unsigned)(row % grid.y), (unsigned)(row / grid.y)};
        piece->good = cuna__cpu_fibers_run(&piece->block, launch->kernel->thread, piece->words, sizeof piece->words);
    }
}

/* The position of a kernel that a signal ended. The stack identifies the thread of a block (NULL: none); if threads are
 * iterations of a loop, the compiler may have interleaved several. */
static void describe_fault(const struct piece *piece, const cuna_fault *fault, const cuna_raw_dim *thread)
{
    const cuna_raw_dim *block = &piece->block.idx;
    char at[64] = "", whole[CUNA_FAULT_WORDS + 128];
    if (thread != NULL)
        snprintf(at, sizeof at, ", thread (%u, %u, %u)", thread->x, thread->y, thread->z);
    snprintf(whole, sizeof whole, "block (%u, %u, %u)%s: %s", block->x, block->y, block->z, at, fault->words);
    cuna__cpu_outcome_fail(&piece->launch->outcome, fault->result, whole);
}

static void run_piece(struct piece *piece)
{
    cuna_fault fault;
    cuna_raw_dim thread;
    if (!cuna__cpu_fault_guard(&fault, piece->launch->kernel->thread != NULL ? run_teams : run_loops, piece)) {
        bool found = cuna__cpu_fibers_abandon(&thread, fault.stack_pointer);
        if (fault.number != 0)
            describe_fault(piece, &fault, found ? &thread : NULL);
        else
            cuna__cpu_outcome_fail(&piece->launch->outcome, fault.result, fault.words);
    } else if (!piece->good) {
        cuna__cpu_outcome_fail(&piece->launch->outcome, CUNA_ERROR_KERNEL, piece->words);
    }
}

static void run_blocks(void *data, int64_t first, int64_t last)
{
    struct launch *launch = data;
    struct piece piece = {.launch = launch, .first = (uint64_t)first, .last = (uint64_t)last, .good = true};
    piece.block.launch = &launch->raw;
    if (cuna__outcome_is_decided(&launch->outcome))
        return;
    if (posix_memalign(&piece.block.shared, SHARED_ALIGN, cuna__max(launch->shared_nbytes, 1)) == 0)
        run_piece(&piece);
    else
        cuna__cpu_outcome_fail(&launch->outcome, CUNA_ERROR_KERNEL,
                               "no memory for the dynamic shared memory of a block");
    free(piece.block.shared);
}

static int64_t count(cuna_raw_dim dim)
{
    return (int64_t)dim.x * dim.y * dim.z;
}

static bool is_shape(cuna_raw_dim grid, cuna_raw_dim block)
{
    return grid.x - 1 < MAX_GRID_X && grid.y - 1 < MAX_GRID_YZ && grid.z - 1 < MAX_GRID_YZ &&
           block.x - 1 < CUNA_RAW_MAX_THREADS && block.y - 1 < CUNA_RAW_MAX_THREADS && block.z - 1 < MAX_BLOCK_Z &&
           block.x * block.y * block.z <= CUNA_RAW_MAX_THREADS;
}

cu_result cuna__cpu_raw_check(cu_function function, const cuna_raw_shape *shape, void **params)
{
    bool good = is_shape(shape->grid, shape->block) && (params != NULL || function->raw->nparams == 0) &&
                (int64_t)shape->shared_nbytes <= atomic_load(&function->max_shared_nbytes);
    if (good && shape->cooperative && count(shape->grid) * count(shape->block) > CUNA_GRID_MAX_THREADS)
        return CU_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return good ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result cuna__cpu_raw_launch(cu_function function, const cuna_raw_shape *shape, void **params)
{
    struct launch launch = {.raw = {params, shape->grid, shape->block, NULL, &launch.outcome},
                            .kernel = function->raw,
                            .shared_nbytes = shape->shared_nbytes};
    cu_result result = cuna__cpu_raw_check(function, shape, params);
    if (result != CU_SUCCESS)
        return result;
    int64_t nblocks = count(shape->grid);
    if (shape->cooperative)
        cuna__cpu_grid_run(&launch.raw, &launch.outcome, run_blocks, &launch);
    else
        cuna__cpu_threads_run(run_blocks, &launch, nblocks,
                              cuna__ceil_div(nblocks, cuna__cpu_threads_count() * PIECES_PER_THREAD));
    return cuna__cpu_outcome_result(&launch.outcome);
}

/* ---- what a function is like ---- */

static int find_constant(int attribute)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: /* the others are unknown, or have no meaning here */
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        return 0;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return -1;
    default:
        return INT_MIN;
    }
}

cu_result cuna__cpu_raw_get_attribute(int *value, int attribute, cu_function function)
{
    if (value == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    bool is_raw = function->raw != NULL;
    int constant = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? (is_raw ? CUNA_RAW_MAX_THREADS : 1)
                   : attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                       ? atomic_load(&function->max_shared_nbytes)
                   : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? (int)function->shared_nbytes
                                                                      : find_constant(attribute);
    if (constant == INT_MIN)
        return CU_ERROR_INVALID_VALUE;
    *value = constant;
    return CU_SUCCESS;
}

/* The carveout is a hint. */
cu_result cuna__cpu_raw_set_attribute(cu_function function, int attribute, int value)
{
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT && value >= -1 && value <= 100)
        return CU_SUCCESS;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > MAX_SHARED_NBYTES)
        return CU_ERROR_INVALID_VALUE;
    atomic_store(&function->max_shared_nbytes, value);
    return CU_SUCCESS;
}

/* A built-in kernel has one parameter: its block of arguments. */
static cu_result own_param_info(cu_function function, size_t index, size_t *offset, size_t *nbytes)
{
    if (function->nbytes == 0)
        return CU_ERROR_NOT_SUPPORTED; /* unknown in the image */
    if (offset == NULL || index > 0)
        return CU_ERROR_INVALID_VALUE;
    *offset = 0;
    if (nbytes != NULL)
        *nbytes = function->nbytes;
    return CU_SUCCESS;
}

/* In CUDA's buffer each parameter is at the next multiple of its alignment. */
cu_result cuna__cpu_raw_param_info(cu_function function, size_t index, size_t *offset, size_t *nbytes)
{
    if (function == NULL)
        return CU_ERROR_INVALID_HANDLE;
    const cuna_raw_export *kernel = function->raw;
    if (kernel == NULL)
        return own_param_info(function, index, offset, nbytes);
    if (offset == NULL || index >= kernel->nparams)
        return CU_ERROR_INVALID_VALUE;
    *offset = 0;
    for (size_t i = 0; i <= index; i++) {
        *offset = (*offset + kernel->aligns[i] - 1) / kernel->aligns[i] * kernel->aligns[i];
        *offset += i < index ? kernel->nbytes[i] : 0;
    }
    if (nbytes != NULL)
        *nbytes = kernel->nbytes[index];
    return CU_SUCCESS;
}
