/* handles.c: all handles that were ever created. A hash table of addresses that only grows: the memory of a destroyed
 * handle is not reused, so a stale handle is always detected. */
#include <stdlib.h>

#include "simgpu.h"

static struct simgpu_handle **slots;
static size_t nslots, nused;
static int counts[SIMGPU_NKINDS];

static size_t find_slot(const void *handle)
{
    size_t i = (size_t)((uintptr_t)handle * 0x9e3779b97f4a7c15u >> 20) & (nslots - 1);
    while (slots[i] != NULL && slots[i] != handle)
        i = (i + 1) & (nslots - 1);
    return i;
}

static bool grow(void)
{
    struct simgpu_handle **old = slots;
    size_t nold = nslots;
    struct simgpu_handle **grown = calloc(nold > 0 ? nold * 2 : 256, sizeof *slots);
    if (grown == NULL)
        return false;
    slots = grown;
    nslots = nold > 0 ? nold * 2 : 256;
    for (size_t i = 0; i < nold; i++)
        if (old[i] != NULL)
            slots[find_slot(old[i])] = old[i];
    free(old);
    return true;
}

void *simgpu__handle_create(enum simgpu_kind kind, struct simgpu_context *context, size_t nbytes)
{
    if (nused * 2 >= nslots && !grow())
        return NULL;
    struct simgpu_handle *handle = calloc(1, nbytes);
    if (handle == NULL)
        return NULL;
    *handle = (struct simgpu_handle){kind, true, context};
    slots[find_slot(handle)] = handle;
    nused++;
    counts[kind]++;
    return handle;
}

void *simgpu__handle_find(enum simgpu_kind kind, const void *handle)
{
    if (handle == NULL || nslots == 0)
        return NULL;
    struct simgpu_handle *found = slots[find_slot(handle)];
    return found != NULL && found->kind == kind && found->live ? found : NULL;
}

/* Stricter than CUDA, which takes many handles of other contexts: who does not make the right one current is wrong with
 * the next call, if not with this one. */
void *simgpu__handle_here(enum simgpu_kind kind, const void *handle, const struct simgpu_context *context)
{
    struct simgpu_handle *found = simgpu__handle_find(kind, handle);
    return found != NULL && found->context == context ? found : NULL;
}

void simgpu__handle_destroy(void *handle)
{
    struct simgpu_handle *base = handle;
    base->live = false;
    counts[base->kind]--;
}

int simgpu__handle_count(enum simgpu_kind kind)
{
    return counts[kind];
}

void simgpu__handle_each(void (*visit)(struct simgpu_handle *handle, void *data), void *data)
{
    for (size_t i = 0; i < nslots; i++)
        if (slots[i] != NULL && slots[i]->live)
            visit(slots[i], data);
}
