/* value.h: the content of arrays: the memory that elements are in, whose it is, and who uses it. */
#ifndef CUNA_ARRAY_VALUE_H
#define CUNA_ARRAY_VALUE_H

#include "cuna.h"
#include "device/context.h"

/* What computes memory that is not there yet. `evaluate` gives the value its memory, or fails and changes nothing; `drop`
 * is called at the end of the last use. */
typedef struct cuna_recipe {
    cuna_status (*evaluate)(struct cuna_recipe *recipe);
    void (*drop)(struct cuna_recipe *recipe);
} cuna_recipe;

/* It lies in front of its buffer (cuna_value_room), and both are small: garbage is in no cache, and each line of it costs. */
typedef struct cuna_value {
    cu_deviceptr ptr;
    int64_t nbytes;
    struct cuna_outside *outside; /* an owner of the memory, copies beside the host; NULL: neither */
    cuna_recipe *recipe;          /* NULL: the memory is there; ptr is 0 until then */
    cuna_block *block;            /* NULL: foreign memory, or none (size 0) */
    cuna_device *device;          /* whose memory it is: of pinned memory the device that transfers it, not the host */
    int32_t uses;                 /* by buffers and graphs */
    bool is_kept;                 /* by a graph, whose launches use it; once set, never cleared */
    bool is_noted;                /* by the graph whose own memory it is (graph_slot.c) */
} cuna_value;

/* How work uses a value, which matters to graphs. */
typedef enum cuna_use {
    CUNA_USE_READS,   /* by addresses among a launch's arguments (cuna__words_add_address) */
    CUNA_USE_CHANGES, /* the same, and may write there */
    CUNA_USE_HIDES,   /* in another way */
} cuna_use;

/* Writes a value with one use. */
static inline void cuna__value_begin(cuna_value *value, cuna_device *device, cuna_block *block, cu_deviceptr ptr,
                                     int64_t nbytes)
{
    *value = (cuna_value){.uses = 1, .device = device, .block = block, .ptr = ptr, .nbytes = nbytes};
}

/* A block as a value with one use; NULL when the host has no memory left. The end of the last use gives the memory back. */
cuna_value *cuna__value_create(cuna_device *device, cuna_block *block);
void cuna__value_release(cuna_value *value);

/* What gives foreign memory back at the end, called once; NULL: nothing does. MEMORY. */
cuna_status cuna__value_set_owner(cuna_value *value, void (*release)(void *owner), void *owner);

/* Whether the memory is not cuna's, and not given back at the end. */
bool cuna__value_is_borrowed(const cuna_value *value);

static inline void cuna__value_retain(cuna_value *value)
{
    __atomic_add_fetch(&value->uses, 1, __ATOMIC_RELAXED);
}

/* Notes that work on `stream`, which comes next, uses the memory, and lets it wait for what is still at work there
 * (cuna__stream_claim; copies beside the host). The stream's device, which is that of the arrays over the memory, is
 * current. DEVICE. */
cuna_status cuna__value_claim_slowly(const cuna_context *context, cuna_stream *stream, cuna_value *value, cuna_use use);
static inline cuna_status cuna__value_claim(const cuna_context *context, cuna_stream *stream, cuna_value *value)
{
    return __builtin_expect(!cuna__context_claims(context, stream->device), 1)
               ? CUNA_OK
               : cuna__value_claim_slowly(context, stream, value, CUNA_USE_HIDES);
}

/* Waits for a copy beside the host. `device`, that of the arrays over the memory, is current afterwards. VALUE where the
 * context must not wait, DEVICE. */
cuna_status cuna__value_settle(const cuna_context *context, cuna_device *device, cuna_value *value);

/* Between these two, a copy on `stream` from or to memory of the host is given to the stream. The next user of the memory
 * waits for it. */
cuna_status cuna__value_begin_copy(cuna_value *value, cuna_device *host, cuna_stream *stream);
cuna_status cuna__value_end_copy(cuna_value *value, cuna_stream *stream);

#endif
