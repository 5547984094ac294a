/* operation.c: what an operation does when its turn comes.
 *
 * Device memory is opened for the devices that the operation may touch and for no other, and stays open for the next
 * one of the same drain. An operation of a graph runs only if all that it touches is still what was there when it was
 * recorded. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "simgpu.h"

#define POISON_NBYTES ((size_t)1 << 20)

static unsigned opened; /* devices, as bits */

static void open_exactly(unsigned devices)
{
    for (int i = 0; i < simgpu__device_count(); i++) {
        unsigned bit = 1u << i;
        if ((devices & bit) && !(opened & bit))
            simgpu__memory_open(&simgpu__contexts[i].arena);
        if (!(devices & bit) && (opened & bit))
            simgpu__memory_close(&simgpu__contexts[i].arena);
    }
    opened = devices;
}

void simgpu__operation_close(void)
{
    if (opened != 0)
        open_exactly(0);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether an address of a device lies in no allocation, or in one that is younger than the graph that has it. */
static bool is_gone(const struct simgpu_op *op, cu_deviceptr ptr)
{
    const struct simgpu_arena *arena = simgpu__arena_of(ptr);
    if (arena == NULL)
        return false;
    const struct simgpu_allocation *found = simgpu__memory_find(arena, ptr);
    return found == NULL || found->number >= op->recorded;
}

/* What a graph's operation lost since it was recorded; NULL: nothing. */
static const char *find_loss(const struct simgpu_op *op)
{
    const uint64_t *words = (const uint64_t *)op->arguments;
    if (op->kind == SIMGPU_LAUNCH && !op->function->handle.live)
        return "its module was unloaded";
    for (size_t i = 0; i < op->arguments_nbytes / sizeof *words; i++)
        if (is_gone(op, words[i]))
            return "memory that it was given was freed";
    if (is_gone(op, (uintptr_t)op->dst) || is_gone(op, (uintptr_t)op->src))
        return "memory that it copies or sets was freed";
    return op->pinned != NULL && !simgpu__pinned_holds(op->pinned, op->nbytes)
               ? "pinned memory that it copies was freed"
               : NULL;
}

static const struct simgpu_allocation *find_spoilt(const struct simgpu_op *op)
{
    const uint64_t *words = (const uint64_t *)op->arguments;
    size_t count = op->nbytes / sizeof *words;
    const struct simgpu_allocation *spoilt = simgpu__memory_spoilt(&op->context->arena, words, count);
    return spoilt != NULL ? spoilt : simgpu__memory_spoilt(&op->context->managed, words, count);
}

static cu_result launch(const struct simgpu_op *op, struct simgpu_context *context)
{
    char why[256] = "", line[512];
    cu_result result = simgpu__block_launch(op, why, sizeof why);
    const struct simgpu_allocation *spoilt = find_spoilt(op);
    if (result == CU_SUCCESS && spoilt != NULL) {
        result = CU_ERROR_ILLEGAL_ADDRESS;
        snprintf(why, sizeof why, "wrote past the end of the %zu bytes at %p", spoilt->nbytes, (void *)spoilt->at);
    }
    if (result != CU_SUCCESS) {
        snprintf(line, sizeof line, "kernel %s: %s", op->function->name, why);
        simgpu__kill(context, result, line);
    }
    return CU_SUCCESS; /* the context knows */
}

/* What the library's function found is in memory; an error of its own means that the cpu device could not do it. */
static cu_result do_work(const struct simgpu_op *op, struct simgpu_context *context)
{
    cu_result result = op->work(op->arguments);
    const struct simgpu_allocation *spoilt = find_spoilt(op);
    if (result != CU_SUCCESS || spoilt != NULL)
        simgpu__kill(context, result != CU_SUCCESS ? result : CU_ERROR_ILLEGAL_ADDRESS,
                     result != CU_SUCCESS ? "a library's work failed"
                                          : "a library wrote past the end of an allocation");
    return CU_SUCCESS; /* the context knows */
}

static void end_graph(const struct simgpu_op *op, const char *loss)
{
    char line[256];
    bool is_launch = op->kind == SIMGPU_LAUNCH;
    snprintf(line, sizeof line, "a graph's %s%s: %s", is_launch ? "kernel " : "copy or set",
             is_launch ? op->function->name : "", loss);
    simgpu__kill(op->context, CU_ERROR_ILLEGAL_ADDRESS, line);
}

/* Of large memory the beginning is enough. */
static void poison(const struct simgpu_op *op)
{
    simgpu__memory_poison(op->dst, op->nbytes < POISON_NBYTES ? op->nbytes : POISON_NBYTES);
    if (op->frees)
        simgpu__pool_freed((uintptr_t)op->dst, op->sequence);
}

cu_result simgpu__operation_run(struct simgpu_op *op)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    struct simgpu_context *context = op->context;
    if (op->fault != CU_SUCCESS)
        return op->fault;
    if (context->dead != CU_SUCCESS && op->kind != SIMGPU_RECORD)
        return CU_SUCCESS;
    const char *loss = op->recorded != 0 ? find_loss(op) : NULL;
    if (loss != NULL) {
        end_graph(op, loss);
        return CU_SUCCESS; /* the context knows */
    }
    if (op->opens != 0 && op->opens != opened)
        open_exactly(op->opens);
    switch (op->kind) {
    case SIMGPU_LAUNCH:
        return launch(op, context);
    case SIMGPU_COPY:
        return cpu->memcpy_dtod_async((cu_deviceptr)(uintptr_t)op->dst, (cu_deviceptr)(uintptr_t)op->src, op->nbytes,
                                      NULL);
    case SIMGPU_SET:
        return cpu->memset_d8_async((cu_deviceptr)(uintptr_t)op->dst, op->value, op->nbytes, NULL);
    case SIMGPU_WORK:
        return do_work(op, context);
    case SIMGPU_POISON:
        poison(op);
        return CU_SUCCESS;
    case SIMGPU_RECORD:
        if (op->event->recorded == op->sequence)
            op->event->time_ns = now_ns();
        return CU_SUCCESS;
    case SIMGPU_CALL:
    case SIMGPU_WAIT:
        break;
    }
    return CU_SUCCESS;
}
