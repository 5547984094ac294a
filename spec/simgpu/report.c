/* report.c: names of errors, and counts of live objects. */
#include <stdio.h>
#include <string.h>

#include "simgpu.h"

/* CUresult, name, words; the rest are the cpu device's. */
static const struct error {
    cu_result code;
    const char *name, *words;
} errors[] = {
    {CU_ERROR_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {SIMGPU_ERROR_PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
     "peer access is not supported between these two devices"},
    {CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {CU_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CU_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {CU_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {CU_ERROR_PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {CU_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {CU_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {CU_ERROR_HARDWARE_STACK_ERROR, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
    {CU_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {CU_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CU_ERROR_INVALID_ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
     "operation not supported on global/shared address space"},
    {CU_ERROR_INVALID_PC, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    {SIMGPU_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
};

static const struct error *find_error(cu_result code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return &errors[i];
    return NULL;
}

cu_result simgpu__row_get_error_name(cu_result code, const char **text)
{
    SIMGPU_ENTER(get_error_name, SIMGPU_NEED_NOTHING);
    const struct error *error = find_error(code);
    if (error == NULL || text == NULL)
        return cuna__driver_cpu()->get_error_name(code, text);
    *text = error->name;
    return CU_SUCCESS;
}

cu_result simgpu__row_get_error_string(cu_result code, const char **text)
{
    SIMGPU_ENTER(get_error_string, SIMGPU_NEED_NOTHING);
    const struct error *error = find_error(code);
    if (error == NULL || text == NULL)
        return cuna__driver_cpu()->get_error_string(code, text);
    *text = error->words;
    return CU_SUCCESS;
}

static const char *const kinds[] = {"allocations", "pinned",    "streams", "events",   "modules",
                                    "graphs",      "instances", "arrays",  "textures", "surfaces"};

static int count(enum simgpu_kind kind)
{
    int total = kind == SIMGPU_PINNED ? simgpu__pinned_count() : simgpu__handle_count(kind);
    for (int i = 0; i < simgpu__device_count(); i++) {
        const struct simgpu_context *context = &simgpu__contexts[i];
        if (kind == SIMGPU_ALLOCATIONS)
            total += (int)(context->arena.count + context->managed.count) - simgpu__pool_cached(context);
        if (kind == SIMGPU_STREAMS) /* the context's own */
            total -= (context->null_stream != NULL) + (context->thread_stream != NULL);
    }
    return total;
}

/* How many there are of "allocations", "pinned", "streams", "events", "modules", "graphs", "instances" (of graphs),
 * "arrays" (of texels), "textures" or "surfaces"; -1 for any other word. */
int simgpu_live(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0)
            return count((enum simgpu_kind)i);
    return -1;
}

__attribute__((destructor)) static void report_leaks(void)
{
    if (simgpu__setting("SIMGPU_LEAKS", 0) == 0 || simgpu__call_in_child())
        return;
    fprintf(stderr, "simgpu: live at exit:");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        fprintf(stderr, " %d %s", count((enum simgpu_kind)i), kinds[i]);
    fprintf(stderr, "\n");
    for (int i = 0; i < simgpu__device_count(); i++)
        for (size_t j = 0; j < simgpu__contexts[i].arena.count; j++)
            fprintf(stderr, "simgpu: cuda:%d: %zu bytes at %p\n", i, simgpu__contexts[i].arena.allocations[j].nbytes,
                    (void *)simgpu__contexts[i].arena.allocations[j].at);
}
