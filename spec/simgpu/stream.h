/* stream.h: from a caller's stream handle to the queue. */
#ifndef SIMGPU_STREAM_H
#define SIMGPU_STREAM_H

#include "simgpu.h"

/* NULL and CU_STREAM_LEGACY mean the context's legacy default stream; answers NULL for what is no live stream. */
struct simgpu_stream *simgpu__stream_find(struct simgpu_context *context, cu_stream handle);

#endif
