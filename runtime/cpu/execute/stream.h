/* stream.h: streams and events of the cpu device; rows have parameters as in seam/driver.h. */
#ifndef CUNA_CPU_EXECUTE_STREAM_H
#define CUNA_CPU_EXECUTE_STREAM_H

#include "cpu/execute/capture.h"

struct cu_stream_s {
    cuna_capture_stream capture;
    unsigned flags;
    int priority;
};

extern struct cu_stream_s cuna__cpu_stream_legacy, cuna__cpu_stream_per_thread;

/* The stream of a handle: in CUDA, NULL and 1 are the legacy default stream, 2 the per-thread one. All threads share
 * the latter here: its work is done immediately. */
static inline cu_stream cuna__stream_of(cu_stream stream)
{
    if ((uintptr_t)stream > 2)
        return stream;
    return (uintptr_t)stream == 2 ? &cuna__cpu_stream_per_thread : &cuna__cpu_stream_legacy;
}

/* Whether work for a stream must not run now: a capture records or rejects it. */
static inline bool cuna__stream_is_held(cu_stream stream)
{
    return __builtin_expect(atomic_load_explicit(&cuna__stream_of(stream)->capture.held, memory_order_relaxed) != 0, 0);
}

cu_result cuna__cpu_stream_priority_range(int *least, int *greatest);
cu_result cuna__cpu_stream_create(cu_stream *stream, unsigned flags, int priority);
cu_result cuna__cpu_stream_destroy(cu_stream stream);
cu_result cuna__cpu_stream_synchronize(cu_stream stream);
cu_result cuna__cpu_stream_wait_event(cu_stream stream, cu_event event, unsigned flags);
cu_result cuna__cpu_stream_synchronize_all(void);
cu_result cuna__cpu_event_create(cu_event *event, unsigned flags);
cu_result cuna__cpu_event_destroy(cu_event event);
cu_result cuna__cpu_event_record(cu_event event, cu_stream stream);
cu_result cuna__cpu_event_synchronize(cu_event event);
cu_result cuna__cpu_event_elapsed_time(float *ms, cu_event start, cu_event end);

#endif
