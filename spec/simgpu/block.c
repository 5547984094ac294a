/* block.c: a launch: blocks shared out over the cpu device's threads, each ready to leave a kernel that faults.
 *
 * Blocks whose lanes work together stay in this thread: what lanes share is static there. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

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
    if (leave == NULL)
        return;
    if (atomic_compare_exchange_strong(&running->result, &none, code)) {
        va_start(arguments, format);
        vsnprintf(running->why, sizeof running->why, format, arguments);
        va_end(arguments);
    }
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

cu_result simgpu__block_launch(const struct simgpu_op *op, char *why, size_t nbytes)
{
    struct launch launch = {.op = op, .backwards = simgpu__random() % 2};
    int64_t pieces = op->function->is_team ? 1 : (int64_t)cuna__threads_count() * PIECES_PER_THREAD;
    cuna__threads_run(run_blocks, &launch, op->blocks, cuna__ceil_div(op->blocks, pieces));
    snprintf(why, nbytes, "%s", launch.why);
    return launch.result;
}
