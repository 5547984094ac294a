/* launch_kernel.c: kernels made on demand, or many ahead.
 *
 * A kernel is looked up on its program without a lock. Where the device interprets, code on loops takes the place of a
 * missing one (launch_loops.c). Two threads may add the same kernel, which is harmless: the first in the list wins. On
 * disk a kernel is found by the key of the unit that it would be alone; kernels that were compiled together leave an
 * alias for each, so that it does not matter with which others a kernel was compiled.
 *
 * A compilation holds the locks of these keys (cache/lock.c). A thread waits for one only while it holds none: of many
 * kernels it first compiles those that no other thread has taken, and then waits for the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/graph.h"
#include "device/module.h"
#include "kernel/codegen.h"
#include "kernel/heat.h"
#include "kernel/launch.h"
#include "kernel/launch_loops.h"
#include "kernel/prepare.h"

#define ENTRIES (CUNA_KERNEL_ENTRIES * CUNA_UNIT_KERNELS)

/* Kernels of one translation unit. */
typedef struct group {
    cuna_unit unit;
    cuna_strbuf source;
    int count;
    const cuna_codegen_item *items;
    int first[CUNA_UNIT_KERNELS + 1]; /* entries of item i: from first[i] to before first[i + 1] */
    const char *entries[ENTRIES];
    cu_function functions[ENTRIES];
    char merges[CUNA_UNIT_KERNELS][sizeof((cuna_codegen_item *)0)->entry + 8];
} group;

static void list_entries(group *g)
{
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        g->first[i] = count;
        g->entries[count++] = g->items[i].entry;
        if (g->items[i].program->text.kind != CUNA_PROGRAM_FOLD)
            continue;
        snprintf(g->merges[i], sizeof g->merges[i], "%s_merge", g->items[i].entry);
        g->entries[count++] = g->merges[i];
    }
    g->first[g->count] = count;
}

static bool has_users_text(const group *g)
{
    for (int i = 0; i < g->count; i++)
        if (g->items[i].program->text.statement != 0)
            return true;
    return false;
}

/* Names the items again and prints their unit; the caller closes the group in any case. */
static cuna_status open_group(group *g, cuna_device *device, int count, cuna_codegen_item *items)
{
    memset(&g->source, 0, sizeof g->source);
    g->unit.loaded = NULL;
    g->count = count;
    g->items = items;
    for (int i = 0; i < count; i++)
        cuna__codegen_name(&items[i], i);
    list_entries(g);
    CUNA_TRY(cuna__codegen_unit(&g->source, count, items, device->driver->facts.lanes > 1));
    g->unit = (cuna_unit){.device = device,
                          .name = items[0].entry,
                          .source = g->source.text,
                          .nkernels = count,
                          .nentries = g->first[count],
                          .has_users_text = has_users_text(g),
                          .entries = g->entries,
                          .functions = g->functions};
    return cuna__module_identify(&g->unit);
}

static void close_group(group *g)
{
    if (g->unit.loaded != NULL)
        cuna__loaded_release(g->unit.loaded);
    cuna__strbuf_free(&g->source);
}

/* Hangs the kernels on their programs. */
static cuna_status add_kernels(const group *g)
{
    for (int i = 0; i < g->count; i++) {
        const cuna_codegen_item *item = &g->items[i];
        cuna_kernel *kernel = calloc(1, sizeof *kernel);
        if (kernel == NULL)
            return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
        kernel->key = cuna__variant_key(item->variant, item->program->noperands);
        kernel->device = g->unit.device->number;
        kernel->loaded = g->unit.loaded;
        cuna__loaded_retain(kernel->loaded);
        for (int k = g->first[i]; k < g->first[i + 1]; k++)
            kernel->functions[k - g->first[i]] =
                (cuna_kernel_entry){.function = g->functions[k], .index_bits = item->variant->wide ? 64 : 32};
        cuna__program_add_kernel(item->program, kernel);
    }
    return CUNA_OK;
}

/* Makes the kernel of an item, which is found on disk or else, where that is wanted, compiled. */
static cuna_status make_kernel(bool *made, cuna_device *device, cuna_codegen_item *item, bool compile)
{
    group g;
    cuna_status status = open_group(&g, device, 1, item);
    if (status == CUNA_OK)
        status = cuna__module_find(made, &g.unit);
    if (status == CUNA_OK && !*made && compile) {
        status = cuna__module_make_once(&g.unit);
        *made = true;
    }
    if (status == CUNA_OK && *made)
        status = add_kernels(&g);
    close_group(&g);
    return status;
}

/* Kernels that this thread compiles together: it has their locks. `keys` are those that each would have alone. */
typedef struct claims {
    int count;
    cuna_codegen_item items[CUNA_UNIT_KERNELS];
    char keys[CUNA_UNIT_KERNELS][CUNA_KEY_LENGTH + 1];
    cuna_cache_lock locks[CUNA_UNIT_KERNELS];
} claims;

/* Claims the kernel of a group if no thread does, and it was not stored before it could be locked. */
static cuna_status lock_kernel(bool *found, bool *busy, claims *c, group *g)
{
    cuna_cache_lock *lock = &c->locks[c->count];
    *busy = !cuna__cache_try_lock(lock, g->unit.key);
    if (*busy)
        return CUNA_OK;
    cuna_status status = cuna__module_find(found, &g->unit);
    if (status != CUNA_OK || *found) {
        cuna__cache_unlock(lock);
        return status;
    }
    memcpy(c->keys[c->count], g->unit.key, sizeof g->unit.key);
    c->items[c->count++] = *g->items;
    return CUNA_OK;
}

/* Finds a kernel on disk, or claims it; `busy` says that another thread compiles it. */
static cuna_status claim(bool *busy, claims *c, cuna_device *device, cuna_codegen_item *item)
{
    group g;
    bool found = false;
    *busy = false;
    cuna_status status = open_group(&g, device, 1, item);
    if (status == CUNA_OK)
        status = cuna__module_find(&found, &g.unit);
    if (status == CUNA_OK && !found)
        status = lock_kernel(&found, busy, c, &g);
    if (status == CUNA_OK && found)
        status = add_kernels(&g);
    close_group(&g);
    return status;
}

/* Compiles the claimed kernels together. */
static cuna_status make_claimed(cuna_device *device, claims *c)
{
    group g;
    cuna_status status = open_group(&g, device, c->count, c->items);
    if (status == CUNA_OK)
        status = cuna__module_make(&g.unit);
    if (status == CUNA_OK)
        status = add_kernels(&g);
    for (int i = 0; i < c->count && c->count > 1 && status == CUNA_OK; i++)
        cuna__module_alias(c->keys[i], g.unit.key, g.first[i + 1] - g.first[i], g.entries + g.first[i]);
    close_group(&g);
    return status;
}

/* The kernel of a variant that is launched: a stream that captures has its graph keep it. */
static cuna_status find_kernel(const cuna_kernel **out, const cuna_context *context, cuna_device *device,
                               const cuna_program *program, uint64_t key)
{
    *out = cuna__program_find_kernel(program, device->number, key);
    if (__builtin_expect(!device->streams.tracked, 1) || *out == NULL)
        return CUNA_OK;
    const cuna_stream *stream = cuna__context_stream(context, device);
    return stream->capture != NULL ? cuna__graph_keep_module(stream->capture, (*out)->loaded) : CUNA_OK;
}

/* Makes what runs a program: code on loops, or else a kernel. */
static cuna_status make_missing(cuna_device *device, cuna_codegen_item *item)
{
    bool made = false;
    if (cuna__loops_are_wanted(device, item->program)) {
        cuna__codegen_name(item, 0);
        CUNA_TRY(cuna__loops_make(&made, device, item));
    }
    return made ? CUNA_OK : make_kernel(&made, device, item, true);
}

cuna_status cuna__kernel_get(const cuna_kernel **out, const cuna_context *context, cuna_device *device,
                             const cuna_program *program, const cuna_variant *variant, int64_t elements)
{
    if (__builtin_expect(context->rehearsal != NULL, 0)) {
        *out = NULL;
        return cuna__rehearsal_note(context->rehearsal, device, program, variant);
    }
    uint64_t key = cuna__variant_key(variant, program->noperands);
    CUNA_TRY(find_kernel(out, context, device, program, key));
    if (__builtin_expect(*out != NULL, 1)) {
        if ((*out)->heat.is_code)
            cuna__heat_add(device, program, variant, (cuna_heat *)&(*out)->heat, elements);
        return CUNA_OK;
    }
    cuna_codegen_item item = {.program = program, .variant = variant};
    CUNA_TRY(make_missing(device, &item));
    return find_kernel(out, context, device, program, key);
}

static bool has_kernel(const cuna_kernel_request *request)
{
    uint64_t key = cuna__variant_key(&request->variant, request->program->noperands);
    const cuna_kernel *kernel = cuna__program_find_kernel(request->program, request->device->number, key);
    return kernel != NULL && !kernel->heat.is_code;
}

cuna_status cuna__kernel_find(bool *found, const cuna_kernel_request *request)
{
    cuna_codegen_item item = {.program = request->program, .variant = &request->variant};
    *found = has_kernel(request);
    return *found ? CUNA_OK : make_kernel(found, request->device, &item, false);
}

/* Makes the kernels that no other thread compiles; returns the others in `left`. */
static cuna_status make_free(int *nleft, cuna_codegen_item *left, int nrequests, const cuna_kernel_request *requests)
{
    claims c = {.count = 0};
    cuna_status status = CUNA_OK;
    for (int i = 0; i < nrequests && status == CUNA_OK; i++) {
        cuna_codegen_item *item = &left[*nleft];
        bool busy;
        if (has_kernel(&requests[i]))
            continue;
        *item = (cuna_codegen_item){.program = requests[i].program, .variant = &requests[i].variant};
        status = claim(&busy, &c, requests->device, item);
        *nleft += status == CUNA_OK && busy;
    }
    if (status == CUNA_OK && c.count > 0)
        status = make_claimed(requests->device, &c);
    for (int i = 0; i < c.count; i++)
        cuna__cache_unlock(&c.locks[i]);
    return status;
}

cuna_status cuna__kernel_prepare(int nrequests, const cuna_kernel_request *requests)
{
    cuna_codegen_item left[CUNA_UNIT_KERNELS];
    int nleft = 0;
    bool made;
    CUNA_TRY(make_free(&nleft, left, nrequests, requests));
    for (int i = 0; i < nleft; i++)
        CUNA_TRY(make_kernel(&made, requests->device, &left[i], true));
    return CUNA_OK;
}
