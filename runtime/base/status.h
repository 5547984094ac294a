/* status.h: how every fallible function of the runtime answers.
 *
 * A function returns a status; zero is success; results leave through its first parameters. The level that knows the
 * facts writes one line with cuna_fail; the others pass the status on with CUNA_TRY. A status exists only when a caller
 * acts on it (MEMORY is collected for and retried, INTERRUPTED has words of its own) or a user matches its word. */
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

/* Writes the thread's message (one line, no trailing newline) and returns `status`. */
cuna_status cuna_fail(cuna_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message of this thread's last failure; valid until the next one. Whoever asks before anything failed has made the
 * room for the words of later failures. */
const char *cuna_message(void);

/* The word that a status puts in front of its message: "" or "OutOfMemoryError" and its like. */
const char *cuna_status_word(cuna_status status);

#define CUNA_TRY(call)                               \
    do {                                             \
        cuna_status status_ = (call);                \
        if (__builtin_expect(status_ != CUNA_OK, 0)) \
            return status_;                          \
    } while (0)

#endif
