/* capture.h: streams that are captured: the rules of CUDA's stream capture, for the cpu device and for the
 * simulated GPU alike. What work is, is theirs to say. Results are the rows' results. */
#ifndef CUNA_CPU_EXECUTE_CAPTURE_H
#define CUNA_CPU_EXECUTE_CAPTURE_H

#include <stdatomic.h>

#include "cpu/execute/tape.h"
#include "seam/driver.h"

typedef struct cuna_capture cuna_capture;

/* A part of each stream, zeros but for the first two. */
typedef struct cuna_capture_stream {
    struct cuna_capture_stream *legacy; /* of the same context; NULL: this is it */
    bool non_blocking;
    atomic_int held; /* not 0: work must not run, but goes to cuna__capture_add */
    cuna_capture *capture;
    int last;                         /* the step that the next one comes after */
    struct cuna_capture_stream *next; /* of the same capture */
} cuna_capture_stream;

/* A part of each event: where it was last recorded when that was in a capture. */
typedef struct cuna_capture_event {
    uint64_t capture; /* its number; 0: outside */
    int step;
} cuna_capture_event;

/* `drop` frees work. */
cu_result cuna__capture_begin(cuna_capture_stream *stream, int mode, void (*drop)(void *work));
/* The tape is the caller's; NULL with each error. */
cu_result cuna__capture_end(cuna_capture_stream *stream, cuna_tape **tape);
cu_result cuna__capture_status(int *status, cuna_capture_stream *stream);

/* A held stream is given work or a tape, which are taken over with success alone. */
cu_result cuna__capture_add(cuna_capture_stream *stream, void *work);

/* An event is recorded in a held stream. */
cu_result cuna__capture_record(cuna_capture_stream *stream, cuna_capture_event *event);
/* A held stream waits for an event, or any stream for one that was recorded in a capture, which it then joins. */
cu_result cuna__capture_wait(cuna_capture_stream *stream, const cuna_capture_event *event);

/* An event that was recorded in a capture is asked or waited for. Never succeeds. */
cu_result cuna__capture_refuse_event(const cuna_capture_event *event);

/* A held stream is asked for what no capture can have: to be waited for, asked, destroyed. Never succeeds. */
cu_result cuna__capture_refuse(cuna_capture_stream *stream);

/* A context is waited for: legal when none of its streams is captured. */
cu_result cuna__capture_check_context(const cuna_capture_stream *legacy);
/* A context goes: captures that have a stream of it end. */
void cuna__capture_forget(const cuna_capture_stream *legacy);

/* A row is called whose work no capture sees, such as an allocation: legal when all captures of this thread are relaxed,
 * and no other thread's is global. */
cu_result cuna__capture_check_thread(void);

#endif
