/* error.c: names and descriptions of the driver's results, and the messages of failed kernels. */
#include "cpu/execute/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CUresult, name, description */
#define ERROR_ROWS(X)                                                                                               \
    X(CU_SUCCESS, "CUDA_SUCCESS", "no error")                                                                       \
    X(CU_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument")                                       \
    X(CU_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory")                                          \
    X(CU_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error")                               \
    X(CU_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down")                                   \
    X(CU_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no device is detected")                                          \
    X(CU_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal")                               \
    X(CU_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid")                         \
    X(CU_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context")                             \
    X(CU_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",                                                   \
      "no kernel image is available for execution on the device")                                                   \
    X(CU_ERROR_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered")            \
    X(CU_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",                                       \
      "the provided PTX was compiled with an unsupported toolchain.")                                               \
    X(CU_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle")                              \
    X(CU_ERROR_ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state") \
    X(CU_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found")                                         \
    X(CU_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready")                                               \
    X(CU_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered")           \
    X(CU_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",                                       \
      "too many resources requested for launch")                                                                    \
    X(CU_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated")              \
    X(CU_ERROR_PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",                               \
      "peer access is already enabled")                                                                             \
    X(CU_ERROR_CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed")                     \
    X(CU_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered")                                         \
    X(CU_ERROR_HARDWARE_STACK_ERROR, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error")                     \
    X(CU_ERROR_ILLEGAL_INSTRUCTION, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered")     \
    X(CU_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address")                           \
    X(CU_ERROR_INVALID_ADDRESS_SPACE, "CUDA_ERROR_INVALID_ADDRESS_SPACE",                                           \
      "operation not supported on global/shared address space")                                                     \
    X(CU_ERROR_INVALID_PC, "CUDA_ERROR_INVALID_PC", "invalid program counter")                                      \
    X(CU_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure")                             \
    X(CU_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported")                                \
    X(CU_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",                                 \
      "operation not permitted when stream is capturing")                                                           \
    X(CU_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",                                 \
      "operation failed due to a previous error during capture")                                                    \
    X(CU_ERROR_STREAM_CAPTURE_MERGE, "CUDA_ERROR_STREAM_CAPTURE_MERGE",                                             \
      "operation would result in a merge of separate capture sequences")                                            \
    X(CU_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",                                     \
      "capture was not ended in the same stream as it began")                                                       \
    X(CU_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work") \
    X(CU_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",                                     \
      "dependency created on uncaptured work in another stream")                                                    \
    X(CU_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",                                       \
      "operation would make the legacy stream depend on a capturing blocking stream")                               \
    X(CU_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT",                                                         \
      "operation not permitted on an event last recorded in a capturing stream")                                    \
    X(CU_ERROR_STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",                               \
      "attempt to terminate a thread-local capture sequence from another thread")                                   \
    X(CUNA_ERROR_KERNEL, "CUDA_ERROR_LAUNCH_FAILED", NULL)                                                          \
    X(CUNA_ERROR_INTERRUPTED, "CUDA_ERROR_LAUNCH_FAILED", "the user ended it")                                      \
    X(CU_ERROR_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM",                                                     \
      "OS call failed or operation not supported on this OS")                                                       \
    X(CU_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error")

static const struct error {
    cu_result code;
    const char *name, *words;
} errors[] = {
#define ROW(code, name, words) {code, name, words},
    ERROR_ROWS(ROW)
#undef ROW
};

/* Points to this thread's last result with a specific message. */
static pthread_key_t key;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

struct kept {
    cu_result result;
    bool asked; /* the returned text stays valid; the next query concerns another result */
    char words[];
};

static void make_key(void)
{
    pthread_key_create(&key, free);
}

cu_result cuna__cpu_error_keep(cu_result result, const char *words)
{
    size_t nbytes = strlen(words) + 1;
    struct kept *kept = malloc(sizeof *kept + nbytes);
    pthread_once(&key_made, make_key);
    free(pthread_getspecific(key));
    if (kept != NULL) {
        kept->result = result;
        kept->asked = false;
        memcpy(kept->words, words, nbytes);
    }
    if (pthread_setspecific(key, kept) != 0)
        free(kept);
    return result;
}

void cuna__cpu_error_forget(void)
{
    pthread_once(&key_made, make_key);
    struct kept *kept = pthread_getspecific(key);
    if (kept != NULL)
        kept->asked = true;
}

static const char *find_words(const struct error *error)
{
    pthread_once(&key_made, make_key);
    struct kept *kept = pthread_getspecific(key);
    if (kept != NULL && kept->result == error->code && !kept->asked) {
        kept->asked = true;
        return kept->words;
    }
    return error->words != NULL ? error->words : "unspecified launch failure";
}

static const struct error *find_error(cu_result code)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return &errors[i];
    return NULL;
}

cu_result cuna__cpu_error_name(cu_result code, const char **text)
{
    const struct error *error = find_error(code);
    if (text != NULL)
        *text = error != NULL ? error->name : NULL;
    return text != NULL && error != NULL ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

cu_result cuna__cpu_error_string(cu_result code, const char **text)
{
    const struct error *error = find_error(code);
    if (text != NULL)
        *text = error != NULL ? find_words(error) : NULL;
    return text != NULL && error != NULL ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}
