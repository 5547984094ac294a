/* block.c: a launch: blocks shared out over the cpu device's threads, each ready to leave a kernel that faults.
 *
 * Blocks whose lanes work together stay in this thread: what lanes share is static there. A kernel that users write
 * whole is run by the cpu device, in one thread too, and left by the way that the cpu device has for its failures. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "driver_cpu_raw.h"
#include "driver_cpu_threads.h"
#include "simgpu.h"

#define PIECES_PER_THREAD 4

struct launch {
    const struct simgpu_op *op;
    bool backwards;
    _Atomic cu_result result;
    char why[256];
};

/* The kernel that runs in this thread. */
static _Thread_local sigjmp_buf *leave __attribute__((tls_model("initial-exec")));
static _Thread_local struct launch *running __attribute__((tls_model("initial-exec")));

void simgpu__block_fault(cu_result code, const char *format, ...)
{
    cu_result none = CU_SUCCESS;
    va_list arguments;
    if (running == NULL)
        return;
    if (atomic_compare_exchange_strong(&running->result, &none, code)) {
        va_start(arguments, format);
        vsnprintf(running->why, sizeof running->why, format, arguments);
        va_end(arguments);
    }
    if (running->op->function->raw != NULL)
        cuna__raw_services.trap(running->why, &(cuna_raw_dim){0, 0, 0}, &(cuna_raw_dim){0, 0, 0});
    simgpu__team_abandon();
    siglongjmp(*leave, 1);
}

static void run_blocks(void *data, int64_t from, int64_t to)
{
    struct launch *launch = data;
    const unsigned first = (unsigned)(launch->backwards ? launch->op->blocks - to : from);
    const unsigned last = first + (unsigned)(to - from);
    void *params[] = {(void *)launch->op->arguments};
    sigjmp_buf here, *outer = leave;
    struct launch *outer_launch = running;
    leave = &here;
    running = launch;
    if (sigsetjmp(here, 0) == 0)
        launch->op->function->entry(params, first, last);
    else
        simgpu__team_reset();
    leave = outer;
    running = outer_launch;
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
    return cuna__driver_cpu()->launch_kernel(function->raw, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                             op->shared_nbytes, NULL, params, NULL);
}

static void describe(struct launch *launch, cu_result result)
{
    const char *words = NULL;
    cuna__driver_cpu()->get_error_string(result, &words);
    snprintf(launch->why, sizeof launch->why, "%s", words != NULL ? words : "failed on the cpu device");
}

/* Runs as the first of two pieces: the thread pool is taken, and so the cpu device works in this thread alone. */
static void run_raw(void *data, int64_t from, int64_t to)
{
    struct launch *launch = data, *outer = running;
    cu_result none = CU_SUCCESS;
    (void)to;
    if (from > 0)
        return;
    running = launch;
    cu_result result = run_whole(launch->op);
    running = outer;
    if (result != CU_SUCCESS && atomic_compare_exchange_strong(&launch->result, &none, CU_ERROR_LAUNCH_FAILED))
        describe(launch, result);
}

cu_result simgpu__block_launch(const struct simgpu_op *op, char *why, size_t nbytes)
{
    struct launch launch = {.op = op, .backwards = simgpu__random() % 2};
    if (op->function->raw != NULL) {
        cuna__threads_run(run_raw, &launch, 2, 1);
        snprintf(why, nbytes, "%s", launch.why);
        return launch.result;
    }
    int64_t pieces = op->function->is_team ? 1 : (int64_t)cuna__threads_count() * PIECES_PER_THREAD;
    cuna__threads_run(run_blocks, &launch, op->blocks, cuna__ceil_div(op->blocks, pieces));
    snprintf(why, nbytes, "%s", launch.why);
    return launch.result;
}
