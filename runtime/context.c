/* context.c: the current device of one lua_State or thread of control.
 *
 * The cpu device is there from the beginning, so that choosing the default one cannot fail: what keeps CUDA's from being
 * it becomes the reason. */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>

cuna_status cuna_context_create(cuna_context **out)
{
    const char *name = getenv("CUNA_DEVICE");
    cuna_device *host, *device = NULL;
    cuna_message();
    CUNA_TRY(cuna_device_find(&host, "cpu"));
    if (name != NULL && *name != '\0')
        CUNA_TRY(cuna_device_find(&device, name));
    cuna_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a context");
    context->host = host;
    context->device = context->named = device;
    if (device != NULL)
        snprintf(context->reason, sizeof context->reason, "CUNA_DEVICE names it");
    *out = context;
    return CUNA_OK;
}

void cuna_context_destroy(cuna_context *context)
{
    free(context);
}

cuna_device *cuna__context_choose(cuna_context *context)
{
    cuna_device *device = context->named;
    if (device == NULL) {
        cuna_status status = cuna_device_check_cuda();
        if (status == CUNA_OK)
            status = cuna_device_find(&device, "cuda:0");
        if (status != CUNA_OK)
            device = context->host;
        snprintf(context->reason, sizeof context->reason, "%s",
                 status == CUNA_OK ? "it is the first CUDA device" : cuna_message());
    }
    return context->device = device;
}

cuna_device *cuna_context_device(cuna_context *context)
{
    return cuna__context_device(context);
}

cuna_device *cuna_context_peek_device(const cuna_context *context)
{
    return context->device;
}

void cuna_context_set_device(cuna_context *context, cuna_device *device)
{
    context->device = device;
}

const char *cuna_context_reason(const cuna_context *context)
{
    return context->reason;
}

cuna_status cuna_context_synchronize(cuna_context *context)
{
    return cuna_device_synchronize(cuna__context_device(context));
}
