/* context.h: what is current for one lua_State or thread of control. */
#ifndef CUNA_DEVICE_CONTEXT_H
#define CUNA_DEVICE_CONTEXT_H

#include "cuna.h"
#include "device/device.h"
#include "device/stream.h"

struct cuna_context {
    cuna_device *device;                    /* NULL: the default one, which is chosen at the first question */
    cuna_device *host, *named;              /* the cpu device; the one of CUNA_DEVICE or NULL */
    struct cuna_rehearsal *rehearsal;       /* NULL: launches are done */
    bool clears;                            /* memory that it takes gets zeros, as a script's rehearsal reads it */
    cuna_allocator *allocator;              /* NULL: the devices' own pools */
    cuna_device *only;                      /* NULL: work may be given to any device */
    const char *waits_forbidden;            /* by what; NULL: nothing but captures forbids it; "": nothing does */
    cuna_stream *capturing;                 /* where this context began captures that are open; NULL: nowhere */
    cuna_stream *streams[CUNA_MAX_DEVICES]; /* current ones, by devices' numbers; NULL: the default stream */
    struct cuna_reports *reports[CUNA_MAX_DEVICES]; /* by devices' numbers; NULL: no kernel may report */
    struct cuna_fft_plans *fft_plans;               /* fft.c's; NULL: none yet */
    void (*release_fft_plans)(struct cuna_fft_plans *plans);
    struct cuna_queue *queue;      /* what is recorded; NULL: nothing ever was */
    const cuna_recorder *recorder; /* queue's */
    bool composes;                 /* recorded operations are compiled together the first time already (record/run.c) */
    bool tf32;                     /* BLAS may multiply float32 so */
    bool is_watched;               /* a replay of what it records will be made, unless it does anything else */
    void (*locate)(void *data, char *out, size_t nbytes); /* cuna_locator; NULL: places are not known */
    void *locate_data;
    char reason[768]; /* why the default device is the one it is; "" before it is chosen */
};

/* Runs what the context has recorded. */
static inline cuna_status cuna__context_flush(const cuna_context *context)
{
    return context->queue != NULL ? context->recorder->flush_queue(context->queue) : CUNA_OK;
}

/* Chooses the default device. */
cuna_device *cuna__context_choose(cuna_context *context);

/* The current device. */
static inline cuna_device *cuna__context_device(cuna_context *context)
{
    return __builtin_expect(context->device != NULL, 1) ? context->device : cuna__context_choose(context);
}

/* The stream that work of this context on `device` goes to. */
static inline cuna_stream *cuna__context_stream(const cuna_context *context, cuna_device *device)
{
    cuna_stream *stream = context->streams[device->number];
    return __builtin_expect(stream == NULL, 1) ? &device->streams.base : stream;
}

/* Whether work of this context on `device` has to be noted, or may be refused. */
static inline bool cuna__context_claims(const cuna_context *context, const cuna_device *device)
{
    return device->streams.tracked | (context->only != NULL);
}

/* Memory of the device for this context's work, from its allocator. MEMORY, DEVICE. */
cuna_status cuna__context_alloc(cuna_block **out, cuna_context *context, cuna_device *device, int64_t nbytes);

/* VALUE or LINALG with the oldest of what kernels of this context have reported; the others are forgotten. Called where
 * the context has waited for the device; on a device that its host waits for anyway, after each launch. */
cuna_status cuna__device_read_reports(const cuna_context *context, cuna_device *device);
static inline cuna_status cuna__device_check_reports(const cuna_context *context, cuna_device *device)
{
    return __builtin_expect(context->reports[device->number] == NULL, 1) ? CUNA_OK
                                                                         : cuna__device_read_reports(context, device);
}

/* Leaves the context's blocks of reports to others. */
void cuna__device_leave_reports(cuna_context *context);

static inline cuna_status cuna__context_check_waiting(const cuna_context *context, const char *name)
{
    bool is_free = (context->waits_forbidden == NULL) & (context->capturing == NULL);
    return __builtin_expect(is_free, 1) ? CUNA_OK : cuna_context_check_waiting(context, name);
}

#endif
