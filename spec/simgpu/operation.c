/* operation.c: what an operation does when its turn comes.
 *
 * Device memory is opened for the devices that the operation may touch and for no other, and stays open for the next
 * one of the same drain. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "simgpu.h"

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

static cu_result launch(const struct simgpu_op *op, struct simgpu_context *context)
{
    char why[256] = "", line[512];
    cu_result result = simgpu__block_launch(op, why, sizeof why);
    const struct simgpu_allocation *spoilt =
        simgpu__memory_spoilt(&context->arena, (const uint64_t *)op->arguments, op->nbytes / sizeof(uint64_t));
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

cu_result simgpu__operation_run(struct simgpu_op *op, struct simgpu_context *context)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    if (op->fault != CU_SUCCESS)
        return op->fault;
    if (context->dead != CU_SUCCESS && op->kind != SIMGPU_RECORD)
        return CU_SUCCESS;
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
    case SIMGPU_RECORD:
        op->event->completed = op->sequence;
        op->event->time_ns = now_ns();
        return CU_SUCCESS;
    case SIMGPU_CALL:
    case SIMGPU_WAIT:
        break;
    }
    return CU_SUCCESS;
}
