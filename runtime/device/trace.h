/* trace.h: reports of work and of memory while a trace or a hook is active. */
#ifndef CUNA_DEVICE_TRACE_H
#define CUNA_DEVICE_TRACE_H

#include "cuna.h"
#include "seam/driver.h"

struct cuna_block;

/* Whether a trace is being taken, or memory is listened to. Change atomically; a thread that sees it late looks again
 * with the lock. */
extern bool cuna__trace_works, cuna__trace_memory;

/* Around handing work to a stream: `name` of the work, `nbytes` that a copy moves (0 for launches). The device is
 * current. Answers the number that ends it. */
int64_t cuna__trace_begin_work(cuna_trace_kind kind, const char *name, cuna_stream *stream, int64_t nbytes,
                               int index_bits);
void cuna__trace_end_work(int64_t number, cuna_stream *stream);

static inline int64_t cuna__trace_begin(cuna_trace_kind kind, const char *name, cuna_stream *stream, int64_t nbytes)
{
    return __builtin_expect(__atomic_load_n(&cuna__trace_works, __ATOMIC_RELAXED), 0)
               ? cuna__trace_begin_work(kind, name, stream, nbytes, 0)
               : -1;
}

/* Around the launch of a program's kernel. */
static inline int64_t cuna__trace_begin_kernel(const char *name, cuna_stream *stream, int index_bits)
{
    return __builtin_expect(__atomic_load_n(&cuna__trace_works, __ATOMIC_RELAXED), 0)
               ? cuna__trace_begin_work(CUNA_TRACE_LAUNCH, name, stream, 0, index_bits)
               : -1;
}

static inline void cuna__trace_end(int64_t number, cuna_stream *stream)
{
    if (__builtin_expect(number >= 0, 0))
        cuna__trace_end_work(number, stream);
}

/* Reports that memory was handed out or is given back. */
void cuna__trace_tell_memory(cuna_trace_kind kind, cuna_device *device, uint64_t ptr, int64_t nbytes);
static inline void cuna__trace_block(cuna_trace_kind kind, cuna_device *device, uint64_t ptr, int64_t nbytes)
{
    if (__builtin_expect(__atomic_load_n(&cuna__trace_memory, __ATOMIC_RELAXED), 0))
        cuna__trace_tell_memory(kind, device, ptr, nbytes);
}

#endif
