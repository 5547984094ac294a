/* context.c: the current device of one lua_State or thread of control. */
#include "context.h"

#include <stdlib.h>

cuna_status cuna_context_create(cuna_context **out)
{
    const char *name = getenv("CUNA_DEVICE");
    cuna_device *device;
    CUNA_TRY(cuna_device_find(&device, name && *name ? name : "cpu"));
    cuna_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a context");
    context->device = device;
    *out = context;
    return CUNA_OK;
}

void cuna_context_destroy(cuna_context *context)
{
    free(context);
}

cuna_device *cuna_context_device(const cuna_context *context)
{
    return context->device;
}

void cuna_context_set_device(cuna_context *context, cuna_device *device)
{
    context->device = device;
}

cuna_status cuna_context_synchronize(cuna_context *context)
{
    return cuna_device_synchronize(context->device);
}
