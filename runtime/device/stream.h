/* stream.h: queues of a device's work, and what keeps memory from being used by two of them at once.
 *
 * Every stream has a number on its device, from 0 for the default stream to 63; pools remember users of memory as bits.
 * A stream that its last owner released keeps its number until its work is done. */
#ifndef CUNA_DEVICE_STREAM_H
#define CUNA_DEVICE_STREAM_H

#include "cuna.h"
#include "pool/pool.h"
#include "seam/driver.h"

#define CUNA_MAX_STREAMS 64

struct cuna_stream {
    cuna_device *device;
    cu_stream handle; /* NULL: the legacy default stream */
    int number;
    int32_t references; /* not counted for the default stream */
    int priority;
    bool non_blocking, foreign; /* foreign: made elsewhere, and destroyed there */
    cu_event mark;              /* of a foreign one: after its last work that uses cuna's memory; NULL: not known */
    struct cuna_graph *capture; /* what it records; NULL: nothing */
    struct cuna_stream *next_capturing; /* the next one in which its context began a capture */
};

/* The streams of a device. */
typedef struct cuna_streams {
    uint64_t live;    /* numbers in use, also of streams that were released and still work. Read without a lock */
    bool tracked;     /* there was a second stream, or a copy beside the host: uses of memory are noted. Never unset */
    cuna_stream base; /* the default stream */
    cuna_stream *other[CUNA_MAX_STREAMS];
    cu_event event; /* marks where one waits for another */
} cuna_streams;

/* Notes that work on `stream`, which comes next, uses the block; the stream waits for others that may still be at work on
 * it from an earlier life. The device is current. DEVICE. */
cuna_status cuna__stream_claim(cuna_stream *stream, cuna_block *block);

/* Notes uses of the device's memory from now on. The device is current. */
cuna_status cuna__streams_track(cuna_device *device);

/* Makes the stream of a number wait for others (bits), or another one when it is gone or captures; `out` is its handle.
 * Where all capture a stream is made, which the caller releases when it has given it work; else *made is NULL. */
cuna_status cuna__stream_follow(cu_stream *out, cuna_stream **made, cuna_device *device, int number, uint64_t others);

/* Waits for what a stream was given, and the default stream where that will be held too: once it takes part in a capture
 * neither can be queried whether it is done. The device is current. DEVICE. */
cuna_status cuna__stream_make_ready(cuna_stream *stream);

/* Marks where a foreign stream is, which is there: when a wait for it is needed, it may be gone. Nothing for others. */
void cuna__stream_mark(cuna_stream *stream);

/* Calls visit(data, stream) for all streams of the device that can be queried and waited for, until one fails; no
 * capture begins meanwhile. The device is current. */
typedef cuna_status cuna_stream_visit(void *data, const cuna_stream *stream);
cuna_status cuna__streams_visit(cuna_device *device, cuna_stream_visit *visit, void *data);

/* Waits for all work that the device, which is current, was given; other streams' captures go on. DEVICE. */
cuna_status cuna__streams_wait(cuna_device *device);

/* After a library failed: DEVICE if the device died, in that call or an earlier one. The library only reports that it
 * could not go on. */
cuna_status cuna__stream_check_life(const cuna_stream *stream, const char *name);

/* From now on the stream records. Its device, which is current, is waited for before. DEVICE. */
cuna_status cuna__stream_begin_capture(cuna_stream *stream, struct cuna_graph *capture);

/* A stream that waits for a mark in a capture that is still open takes part in it. */
void cuna__stream_join(cuna_stream *stream, struct cuna_graph *capture);

/* Ends a capture for all streams that take part in it. */
void cuna__streams_leave(cuna_device *device, const struct cuna_graph *capture);

/* stream_parting.c: calls release(owner) when what the device was given so far is done: now, or in this thread where it waits,
 * imports or gives up memory later. The device is current. */
void cuna__stream_part(cuna_device *device, void (*release)(void *owner), void *owner);

/* Calls for what is done by now; with `all` it waits for the others. */
void cuna__stream_settle_partings(bool all);

/* Forgets all streams of a device that is lost. */
void cuna__streams_abandon(cuna_device *device);

#endif
