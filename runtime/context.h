/* context.h: what is current for one lua_State or thread of control. */
#ifndef CUNA_CONTEXT_H
#define CUNA_CONTEXT_H

#include "cuna.h"
#include "device.h"

struct cuna_context {
    cuna_device *device;
    struct cuna_rehearsal *rehearsal; /* NULL: launches are done */
};

/* The stream that work of this context on `device` goes to. */
static inline cu_stream cuna__context_stream(const cuna_context *context, const cuna_device *device)
{
    (void)context;
    (void)device;
    return NULL;
}

#endif
