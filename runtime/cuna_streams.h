/* cuna_streams.h: the public functions for streams, events, graphs, error reports and traces; cuna.h includes it. */
#ifndef CUNA_STREAMS_DOOR_H
#define CUNA_STREAMS_DOOR_H

/* ---- stream.c ------------------------------------------------------------------------------------------------- */

/* Creates a stream. A blocking stream and the default stream wait for each other's earlier work. `priority` is clamped
 * to the device's range. VALUE when the device has 63 streams that are all owned: release some; MEMORY; DEVICE. */
cuna_status cuna_stream_create(cuna_stream **out, cuna_device *device, bool non_blocking, int priority);

/* Adopts a stream created elsewhere; its owner must not destroy it before the last release. */
cuna_status cuna_stream_adopt(cuna_stream **out, cuna_device *device, uint64_t handle);

/* The default stream of a device; borrowed. Retaining or releasing it has no effect. */
cuna_stream *cuna_stream_default(cuna_device *device);
void cuna_stream_retain(cuna_stream *stream);
void cuna_stream_release(cuna_stream *stream);

/* Its device, the driver's handle (0 for the default stream), and its properties. */
cuna_device *cuna_stream_device(const cuna_stream *stream);
uint64_t cuna_stream_handle(const cuna_stream *stream);
bool cuna_stream_is_non_blocking(const cuna_stream *stream);
int cuna_stream_priority(const cuna_stream *stream);

/* Waits until all work of a stream is done; queries whether it is (never while it captures). Waiting raises errors that
 * kernels of the context reported (cuna_device_report_mark). DEVICE. */
cuna_status cuna_stream_synchronize(cuna_context *context, cuna_stream *stream);
cuna_status cuna_stream_query(bool *done, cuna_stream *stream);

/* Whether the current stream of the current device has work that is not done. Recorded operations stay recorded, and
 * errors are left to those who wait; false where captures are open, which asking might end. */
bool cuna_context_is_busy(const cuna_context *context);

/* Makes later work of the stream wait for the last record of an event, on any device of the same driver. An event that
 * was never recorded has no effect. */
cuna_status cuna_stream_wait_event(cuna_stream *stream, const cuna_event *event);

/* Calls fn(data) from an unspecified thread when the work submitted to the stream so far is done; fn must not call
 * device functions. */
cuna_status cuna_stream_call(cuna_stream *stream, void (*fn)(void *data), void *data);

/* ---- event.c -------------------------------------------------------------------------------------------------- */

enum {
    CUNA_EVENT_BLOCKING = 1,       /* waiting threads sleep */
    CUNA_EVENT_DISABLE_TIMING = 2, /* no elapsed times; recording is cheaper */
    CUNA_EVENT_INTERPROCESS = 4,   /* with DISABLE_TIMING only */
};

/* Creates an event; its device is that of the stream in which it is first recorded. VALUE for invalid flags. */
cuna_status cuna_event_create(cuna_event **out, unsigned flags);
void cuna_event_destroy(cuna_event *event);

/* Records the event at the stream's current point, in place of an earlier record. VALUE when the event belongs to
 * another device. */
cuna_status cuna_event_record(cuna_event *event, cuna_stream *stream);

/* Waits until the work before the record is done; queries whether it is. An event that was never recorded is done.
 * Waiting raises errors that kernels of the context reported. */
cuna_status cuna_event_synchronize(cuna_context *context, cuna_event *event);
cuna_status cuna_event_query(bool *done, cuna_event *event);

/* Milliseconds between two records on one device, exact to about half a microsecond. VALUE when an event was never
 * recorded, is not done, belongs to another device, or has timing disabled. */
cuna_status cuna_event_elapsed(double *ms, cuna_event *start, cuna_event *end);

/* The device of an event, NULL before its first record; the driver's handle. */
cuna_device *cuna_event_device(const cuna_event *event);
uint64_t cuna_event_handle(const cuna_event *event);

/* ---- graph.c -------------------------------------------------------------------------------------------------- */

/* Waits for the device, then lets the stream, which must not be a default stream, record work without running it. The
 * graph keeps recorded memory for its lifetime; it does so for memory of `allocator` (NULL: none) without a reference
 * to each array: it retains the allocator, which must not be used otherwise after the capture. A capture that is not
 * ended is dropped with the last release of its stream, or with the context. VALUE; DEVICE. */
cuna_status cuna_stream_begin_capture(cuna_context *context, cuna_stream *stream, cuna_allocator *allocator);
bool cuna_stream_is_capturing(const cuna_stream *stream);

/* Whether a capture that this context began is open. */
bool cuna_context_is_capturing(const cuna_context *context);

/* Ends the capture and returns the recorded graph in `out`. The capture ends also on failure. VALUE when an operation
 * cannot be captured, or when another stream joined the capture and was not joined back. */
cuna_status cuna_stream_end_capture(cuna_graph **out, cuna_stream *stream);

/* Ends the capture that the stream began, if any, and discards what was recorded. */
void cuna_stream_drop_capture(cuna_stream *stream);

/* While a stream captures: every launch of the graph calls fn(data) there, as cuna_stream_call does. release(data) is
 * called once, from an unspecified thread, when no call can come any more: the capture was dropped, or the graph was
 * destroyed and its launches are done. On failure neither is called. VALUE, MEMORY, DEVICE. */
cuna_status cuna_stream_capture_call(cuna_stream *stream, void (*fn)(void *data), void (*release)(void *data),
                                     void *data);

/* Prepares a graph for launching, which takes device memory; otherwise the first launch does so. MEMORY leaves the
 * graph unchanged. */
cuna_status cuna_graph_instantiate(cuna_graph *graph);

/* Brings an instantiated graph to its device, after the stream's work so far; otherwise the first launch does so. VALUE,
 * MEMORY, DEVICE. */
cuna_status cuna_graph_upload(cuna_graph *graph, cuna_stream *stream);

#define CUNA_GRAPH_MAX_SLOTS 64

/* Before the graph is instantiated: lets launches use other arrays in place of one that the recorded work only reads or,
 * with `is_result`, computes. *slot is its number, from 0 on, or -1 where that is not possible: the array has not all
 * of its memory in row-major order, the memory is not of the graph's allocator, or work uses it otherwise than by
 * addresses among the arguments of built-in kernels, or there are CUNA_GRAPH_MAX_SLOTS. A result's memory must be reached through no other array. MEMORY. */
cuna_status cuna_graph_expose(int *slot, cuna_graph *graph, const cuna_array *array, bool is_result);

/* Whether the next launch may use an array of the slot's shape and dtype there, without copying it, and whether that
 * costs less than copying it. MEMORY, DEVICE, COMPILE. */
cuna_status cuna_graph_takes(bool *takes, cuna_graph *graph, int slot, const cuna_array *array);

/* Runs the recorded work on a stream of the graph's device that does not capture. arrays[i] is used for slot i, by this
 * launch only; the graph's own where it is NULL, or i >= count. VALUE, MEMORY. */
cuna_status cuna_graph_launch(cuna_context *context, cuna_graph *graph, cuna_stream *stream, int count,
                              const cuna_array *const *arrays);

/* Its device. Destroying a graph frees it and what it keeps, after launches in progress. */
cuna_device *cuna_graph_device(const cuna_graph *graph);
void cuna_graph_destroy(cuna_graph *graph);

/* ---- device/report.c ------------------------------------------------------------------------------------------ */

/* The address of the mark that lets a kernel report an error, for one launch of the context (kernels/report.h). The
 * report is raised, as VALUE or LINALG, only when the context next waits for the device; on a synchronous device by the
 * launch itself. `name` is the operation's; `place` is where it was called, or "". MEMORY, DEVICE. */
cuna_status cuna_device_report_mark(uint64_t *address, cuna_context *context, cuna_device *device, const char *name,
                                    const char *place);

/* ---- trace.c -------------------------------------------------------------------------------------------------- */

typedef enum cuna_trace_kind {
    CUNA_TRACE_LAUNCH,
    CUNA_TRACE_COPY,
    CUNA_TRACE_SET,
    CUNA_TRACE_GRAPH,
    CUNA_TRACE_TRANSFER, /* between ranks */
    CUNA_TRACE_ALLOC,
    CUNA_TRACE_FREE,
} cuna_trace_kind;

/* One event of a trace. Times are seconds of the host's monotonic clock. Device times are negative when the device did
 * not report them, and 0 for memory, which is not stream work. The host's end is 0 for work that was refused. */
typedef struct cuna_trace_record {
    cuna_trace_kind kind;
    char name[60];
    cuna_device *device;
    int stream;     /* its number on the device; 0 is the default stream */
    int thread;     /* of the host, numbered from 1 */
    int index_bits; /* of a position in a program's kernel: 32 or 64; 0 for other work */
    int64_t nbytes; /* copied, set, allocated or freed */
    uint64_t ptr;   /* of memory */
    double host_begin_s, host_end_s, device_begin_s, device_end_s;
} cuna_trace_record;

/* Begins to record all work that this process submits to devices, except captured work. VALUE while another trace is
 * open. */
cuna_status cuna_trace_begin(void);

/* Ends the trace: waits for the recorded work and passes each record to emit(data, record), ordered by begin time. */
void cuna_trace_end(void (*emit)(void *data, const cuna_trace_record *record), void *data);

/* Calls fn(data, kind, device, ptr, nbytes) whenever this thread allocates (ALLOC) or frees (FREE) memory, before the
 * operation returns; NULL removes the listener. Each thread may have one; fn must not use devices. */
typedef void (*cuna_trace_listener)(void *data, cuna_trace_kind kind, cuna_device *device, uint64_t ptr,
                                    int64_t nbytes);
void cuna_trace_listen(cuna_trace_listener fn, void *data);

/* ---- cuda/nvtx.c ---------------------------------------------------------------------------------------------- */

/* Opens and closes a range of this thread that NVIDIA's profilers show; ranges nest. No effect without the NVTX
 * library. */
void cuna_nvtx_push(const char *message);
void cuna_nvtx_pop(void);

#endif
