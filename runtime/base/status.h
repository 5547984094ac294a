/* status.h: error handling of all runtime functions.
 *
 * A function that can fail returns a status, zero for success, and its results through its first parameters. The
 * function that detects a failure writes one line with cuna_fail; its callers return the status with CUNA_TRY. A status
 * exists only if a caller handles it (MEMORY leads to a collection and a retry, INTERRUPTED has a separate message) or
 * a user matches its word. */
#ifndef CUNA_BASE_STATUS_H
#define CUNA_BASE_STATUS_H

/* name, word that the Lua error carries after "cuna:" */
#define CUNA_STATUS_ROWS(X)       \
    X(OK, "")                     \
    X(VALUE, "")                  \
    X(MEMORY, "OutOfMemoryError") \
    X(COMPILE, "CompileError")    \
    X(DEVICE, "DeviceError")      \
    X(LINALG, "LinAlgError")      \
    X(INTERRUPTED, "")

typedef enum cuna_status {
#define ROW(name, word) CUNA_##name,
    CUNA_STATUS_ROWS(ROW)
#undef ROW
} cuna_status;

#pragma GCC visibility push(default) /* public functions */

/* Writes the thread's message (one line, no trailing newline) and returns `status`. */
cuna_status cuna_fail(cuna_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message of this thread's last failure; valid until the next one. Calling it before any failure allocates the
 * buffer for later messages. */
const char *cuna_message(void);

/* The word that precedes a status's message: "", "OutOfMemoryError" etc. */
const char *cuna_status_word(cuna_status status);

#pragma GCC visibility pop

#define CUNA_TRY(call)                               \
    do {                                             \
        cuna_status status_ = (call);                \
        if (__builtin_expect(status_ != CUNA_OK, 0)) \
            return status_;                          \
    } while (0)

#endif
