/* capture.h: streams that are captured: the rules of CUDA's stream capture, for the cpu device and for the simulated
 * GPU. They define what work is. Functions return the rows' results. */
#ifndef CUNA_CPU_EXECUTE_CAPTURE_H
#define CUNA_CPU_EXECUTE_CAPTURE_H

#include <stdatomic.h>

#include "cpu/execute/tape.h"
#include "seam/driver.h"

typedef struct cuna_capture cuna_capture;

/* Part of each stream; zeros except for the first two fields. */
typedef struct cuna_capture_stream {
    struct cuna_capture_stream *legacy; /* of the same context; NULL: this is it */
    bool non_blocking;
    atomic_int held; /* not 0: work must not run, but is passed to cuna__cpu_capture_add */
    cuna_capture *capture;
    int last;                         /* the step that precedes the next one */
    struct cuna_capture_stream *next; /* of the same capture */
} cuna_capture_stream;

/* Part of each event: its last record, if that was in a capture. */
typedef struct cuna_capture_event {
    uint64_t capture; /* its number; 0: outside */
    int step;
} cuna_capture_event;

/* `drop` frees work. */
cu_result cuna__cpu_capture_begin(cuna_capture_stream *stream, int mode, void (*drop)(void *work));
/* The caller owns the tape; NULL with each error. */
cu_result cuna__cpu_capture_end(cuna_capture_stream *stream, cuna_tape **tape);
cu_result cuna__cpu_capture_status(int *status, cuna_capture_stream *stream);

/* What a stream that is captured would come after next: *nlast is 1 and *last points to that work, or 0. After a wait that
 * joined two streams NOT_SUPPORTED. Pointers may be NULL, but for status; they hold until the next step. */
cu_result cuna__cpu_capture_info(int *status, uint64_t *id, void *const **last, size_t *nlast,
                                 cuna_capture_stream *stream);

/* Adds work or a tape to a held stream; ownership passes only on success. */
cu_result cuna__cpu_capture_add(cuna_capture_stream *stream, void *work);

/* An event is recorded in a held stream. */
cu_result cuna__cpu_capture_record(cuna_capture_stream *stream, cuna_capture_event *event);
/* A held stream waits for an event, or any stream waits for an event recorded in a capture, which the stream then
 * joins. */
cu_result cuna__cpu_capture_wait(cuna_capture_stream *stream, const cuna_capture_event *event);

/* An event recorded in a capture is queried or waited for. Always fails. */
cu_result cuna__cpu_capture_refuse_event(const cuna_capture_event *event);

/* A held stream is waited for, queried or destroyed, which captures do not allow. Always fails. */
cu_result cuna__cpu_capture_refuse(cuna_capture_stream *stream);

/* A context is synchronised: legal if none of its streams is captured. */
cu_result cuna__cpu_capture_check_context(const cuna_capture_stream *legacy);
/* A context is destroyed: captures with a stream of it end. */
void cuna__cpu_capture_forget(const cuna_capture_stream *legacy);

/* A row is called whose work captures cannot record, such as an allocation: legal if all captures of this thread are
 * relaxed, and no other thread's is global. */
cu_result cuna__cpu_capture_check_thread(void);

#endif
