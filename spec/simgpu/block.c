/* block.c: a launch: blocks shared out over the cpu device's threads, each ready to leave a kernel that faults.
 *
 * Blocks whose lanes work together stay in this thread: what lanes share is static there. The cpu device runs raw
 * kernels, also in one thread. */
#include <stdarg.h>
#include <stdio.h>

#include "cpu/execute/error.h"
#include "cpu/execute/fault.h"
#include "cpu/execute/threads.h"
#include "simgpu.h"

#define PIECES_PER_THREAD 4

struct launch {
    const struct simgpu_op *op;
    bool backwards;
    cuna_outcome outcome;
};

struct piece {
    const struct simgpu_op *op;
    unsigned first, last;
};

void simgpu__block_fault(cu_result code, const char *format, ...)
{
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    cuna__cpu_fault_leave(code, why);
}

static void run_piece(void *data)
{
    const struct piece *piece = data;
    void *params[] = {(void *)piece->op->arguments};
    piece->op->function->entry(params, piece->first, piece->last);
}

static void run_blocks(void *data, int64_t from, int64_t to)
{
    struct launch *launch = data;
    const unsigned first = (unsigned)(launch->backwards ? launch->op->blocks - to : from);
    struct piece piece = {launch->op, first, first + (unsigned)(to - from)};
    cuna_fault fault;
    if (cuna__cpu_fault_guard(&fault, run_piece, &piece))
        return;
    simgpu__team_reset();
    cuna__cpu_outcome_fail(&launch->outcome, fault.result, fault.words);
}

static cu_result run_whole(const struct simgpu_op *op)
{
    const struct simgpu_function *function = op->function;
    const unsigned *grid = op->grid, *block = op->block;
    void *params[SIMGPU_MAX_PARAMS + 1];
    const unsigned char *at = op->arguments;
    for (unsigned i = 0; i < function->nparams; i++) {
        params[i] = (void *)at;
        at += (function->sizes[i] + 15u) / 16 * 16;
    }
    const cuna_driver *cpu = cuna__driver_cpu();
    return op->cooperative ? cpu->launch_cooperative_kernel(function->raw, grid[0], grid[1], grid[2], block[0],
                                                            block[1], block[2], op->shared_nbytes, NULL, params)
                           : cpu->launch_kernel(function->raw, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                                op->shared_nbytes, NULL, params, NULL);
}

/* Runs as the first of two pieces: the thread pool is taken, and so the cpu device works in this thread alone. */
static void run_raw(void *data, int64_t from, int64_t to)
{
    struct launch *launch = data;
    const char *words = NULL;
    (void)to;
    if (from > 0)
        return;
    cu_result result = run_whole(launch->op);
    if (result == CU_SUCCESS)
        return;
    cuna__driver_cpu()->get_error_string(result, &words);
    cuna__cpu_outcome_fail(&launch->outcome, result == CUNA_ERROR_KERNEL ? CU_ERROR_LAUNCH_FAILED : result,
                           words != NULL ? words : "failed on the cpu device");
}

cu_result simgpu__block_launch(const struct simgpu_op *op, char *why, size_t nbytes)
{
    struct launch launch = {.op = op, .backwards = simgpu__random() % 2};
    if (op->function->raw != NULL) {
        cuna__cpu_threads_run(run_raw, &launch, 2, 1);
    } else {
        int64_t pieces = op->function->is_team ? 1 : (int64_t)cuna__cpu_threads_count() * PIECES_PER_THREAD;
        cuna__cpu_threads_run(run_blocks, &launch, op->blocks, cuna__ceil_div(op->blocks, pieces));
    }
    snprintf(why, nbytes, "%s", launch.outcome.words);
    return launch.outcome.result;
}
