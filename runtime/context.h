/* context.h: what is current for one lua_State or thread of control. */
#ifndef CUNA_CONTEXT_H
#define CUNA_CONTEXT_H

#include "cuna.h"
#include "device.h"

struct cuna_context {
    cuna_device *device;              /* NULL: the default one, which is chosen at the first question */
    cuna_device *host, *named;        /* the cpu device; the one of CUNA_DEVICE or NULL */
    struct cuna_rehearsal *rehearsal; /* NULL: launches are done */
    char reason[768];                 /* why the default device is the one it is; "" before it is chosen */
};

/* Chooses the default device. */
cuna_device *cuna__context_choose(cuna_context *context);

/* The current device. */
static inline cuna_device *cuna__context_device(cuna_context *context)
{
    return __builtin_expect(context->device != NULL, 1) ? context->device : cuna__context_choose(context);
}

/* The stream that work of this context on `device` goes to. */
static inline cu_stream cuna__context_stream(const cuna_context *context, const cuna_device *device)
{
    (void)context;
    (void)device;
    return NULL;
}

#endif
