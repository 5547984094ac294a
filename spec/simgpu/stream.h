/* stream.h: from a caller's stream handle to the queue. */
#ifndef SIMGPU_STREAM_H
#define SIMGPU_STREAM_H

#include "simgpu.h"

/* NULL and CU_STREAM_LEGACY mean the context's legacy default stream, CU_STREAM_PER_THREAD the other one; returns NULL
 * unless it is a live stream of the context. */
struct simgpu_stream *simgpu__stream_find(struct simgpu_context *context, cu_stream handle);

/* Lets the stream, which is not captured, mark an event, or wait for its last mark if that is still to come. */
cu_result simgpu__stream_record(struct simgpu_stream *stream, struct simgpu_event *event);
cu_result simgpu__stream_wait(struct simgpu_stream *stream, struct simgpu_event *event);

#endif
