/* cuna_streams.h: the door's part for when work is done: streams, events, graphs, and what tells of it; cuna.h includes
 * it. */
#ifndef CUNA_STREAMS_DOOR_H
#define CUNA_STREAMS_DOOR_H

/* ---- stream.c ------------------------------------------------------------------------------------------------- */

/* A new stream. A blocking one and the default stream wait for each other's earlier work. `priority` is taken into the
 * device's range. VALUE when the device has 63 streams that are all owned: release some; MEMORY; DEVICE. */
cuna_status cuna_stream_create(cuna_stream **out, cuna_device *device, bool non_blocking, int priority);

/* A stream that somebody else made and destroys, not before the last release. */
cuna_status cuna_stream_adopt(cuna_stream **out, cuna_device *device, uint64_t handle);

/* The default stream of a device; borrowed, and retaining or releasing it means nothing. */
cuna_stream *cuna_stream_default(cuna_device *device);
void cuna_stream_retain(cuna_stream *stream);
void cuna_stream_release(cuna_stream *stream);

/* Its device, the driver's own handle (0 for the default stream), and how it was made. */
cuna_device *cuna_stream_device(const cuna_stream *stream);
uint64_t cuna_stream_handle(const cuna_stream *stream);
bool cuna_stream_is_non_blocking(const cuna_stream *stream);
int cuna_stream_priority(const cuna_stream *stream);

/* Waits until, or asks whether, all work of a stream is done; one that captures is not. Waiting raises what kernels of the
 * context have reported (cuna_device_report_slot). DEVICE. */
cuna_status cuna_stream_synchronize(cuna_context *context, cuna_stream *stream);
cuna_status cuna_stream_query(bool *done, cuna_stream *stream);

/* Lets what the stream is given from now on wait for an event's last mark, of any device of the same driver; nothing for
 * one that was never recorded. */
cuna_status cuna_stream_wait_event(cuna_stream *stream, const cuna_event *event);

/* Calls fn(data) in some thread when what the stream was given so far is done; fn calls nothing of a device's. */
cuna_status cuna_stream_call(cuna_stream *stream, void (*fn)(void *data), void *data);

/* ---- event.c -------------------------------------------------------------------------------------------------- */

enum {
    CUNA_EVENT_BLOCKING = 1,       /* waiting threads sleep */
    CUNA_EVENT_DISABLE_TIMING = 2, /* no times can be asked for, and recording is cheaper */
    CUNA_EVENT_INTERPROCESS = 4,   /* with DISABLE_TIMING only */
};

/* An event of any device: it belongs to that of the stream it is first recorded in. VALUE for flags. */
cuna_status cuna_event_create(cuna_event **out, unsigned flags);
void cuna_event_destroy(cuna_event *event);

/* Marks where the stream is now; an earlier mark is forgotten. VALUE when the event is another device's. */
cuna_status cuna_event_record(cuna_event *event, cuna_stream *stream);

/* Waits until, or asks whether, the work before the mark is done; an event that was never recorded is done. Waiting raises
 * what kernels of the context have reported. */
cuna_status cuna_event_synchronize(cuna_context *context, cuna_event *event);
cuna_status cuna_event_query(bool *done, cuna_event *event);

/* Milliseconds between two marks of one device, exact to about half a microsecond. VALUE when one was never recorded, is
 * not done, is another device's, or takes no times. */
cuna_status cuna_event_elapsed(double *ms, cuna_event *start, cuna_event *end);

/* The device of an event, NULL before its first record; the driver's own handle. */
cuna_device *cuna_event_device(const cuna_event *event);
uint64_t cuna_event_handle(const cuna_event *event);

/* ---- graph.c -------------------------------------------------------------------------------------------------- */

/* From now on the stream, which must not be a default stream, records what it is given instead of doing it. The device is
 * waited for before. Memory that is recorded is kept as long as the graph lives; of `allocator` (NULL: none), which the
 * graph retains and which nobody else may use after the capture, without a share in each array. A capture that nobody ends
 * is dropped by the last release of its stream, or with the context. VALUE; DEVICE. */
cuna_status cuna_stream_begin_capture(cuna_context *context, cuna_stream *stream, cuna_allocator *allocator);
bool cuna_stream_is_capturing(const cuna_stream *stream);

/* Whether captures are open that this context began. */
bool cuna_context_is_capturing(const cuna_context *context);

/* Ends the capture; `out` has what was recorded. Whatever fails, the capture is over. VALUE when something was done meanwhile
 * that cannot be captured, or another stream joined and did not come back. */
cuna_status cuna_stream_end_capture(cuna_graph **out, cuna_stream *stream);

/* Ends the capture that the stream began, if there is one, and drops what it recorded. */
void cuna_stream_drop_capture(cuna_stream *stream);

/* Makes a graph ready to be launched, which takes memory of the device; otherwise the first launch does it. MEMORY leaves
 * the graph as it was. */
cuna_status cuna_graph_instantiate(cuna_graph *graph);

/* Does the recorded work once more, on a stream of the graph's device that does not capture. VALUE, MEMORY. */
cuna_status cuna_graph_launch(cuna_context *context, cuna_graph *graph, cuna_stream *stream);

/* Its device. Destroying a graph gives it and what it keeps back, after the launches that are under way. */
cuna_device *cuna_graph_device(const cuna_graph *graph);
void cuna_graph_destroy(cuna_graph *graph);

/* ---- device/report.c ------------------------------------------------------------------------------------------ */

/* The address of a slot for what a kernel may report, to be given to one launch of the context (kernels/gather.cuh). A
 * report is raised, as VALUE or LINALG, where the context waits for the device next, and nowhere else; on a device that
 * works while its host does not go on, by the launch itself. `name` is the operation's, `place` where it was called, ""
 * for nowhere. MEMORY, DEVICE. */
cuna_status cuna_device_report_slot(uint64_t *address, cuna_context *context, cuna_device *device, const char *name,
                                    const char *place);

/* ---- trace.c -------------------------------------------------------------------------------------------------- */

typedef enum cuna_trace_kind {
    CUNA_TRACE_LAUNCH,
    CUNA_TRACE_COPY,
    CUNA_TRACE_SET,
    CUNA_TRACE_GRAPH,
    CUNA_TRACE_ALLOC,
    CUNA_TRACE_FREE,
} cuna_trace_kind;

/* One thing that was done. Times are seconds of the host's monotonic clock; those of the device are below 0 when it told
 * none, and 0 for memory, which streams know nothing of. Where work was refused the host's end is 0. */
typedef struct cuna_trace_record {
    cuna_trace_kind kind;
    char name[60];
    cuna_device *device;
    int stream;     /* its number on the device; 0 is the default stream */
    int thread;     /* of the host's that did it, numbered from 1 */
    int index_bits; /* with which a kernel of a program counts positions: 32 or 64; 0 for all other work */
    int64_t nbytes; /* moved, set, handed out or given back */
    uint64_t ptr;   /* of memory */
    double host_begin_s, host_end_s, device_begin_s, device_end_s;
} cuna_trace_record;

/* From now on everything that this process gives to devices is recorded, but what streams capture. VALUE while another
 * trace is taken. */
cuna_status cuna_trace_begin(void);

/* Ends the trace that was begun: what it recorded is waited for, and handed to emit(data, record) one by one, in the order
 * of beginnings. */
void cuna_trace_end(void (*emit)(void *data, const cuna_trace_record *record), void *data);

/* Calls fn(data, kind, device, ptr, nbytes) for all memory that this thread is handed (ALLOC) or gives back (FREE), before
 * it goes on; NULL ends that. Every thread may have one; fn uses no devices. */
typedef void (*cuna_trace_listener)(void *data, cuna_trace_kind kind, cuna_device *device, uint64_t ptr,
                                    int64_t nbytes);
void cuna_trace_listen(cuna_trace_listener fn, void *data);

/* ---- cuda/nvtx.c ---------------------------------------------------------------------------------------------- */

/* Opens and closes a range of this thread's that NVIDIA's profilers show; ranges nest. Nothing without NVTX's library. */
void cuna_nvtx_push(const char *message);
void cuna_nvtx_pop(void);

#endif
