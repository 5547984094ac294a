/* launch_kernel.c: kernels made on demand, or many ahead.
 *
 * A kernel is looked up on its program without a lock. Where the device interprets, code on loops takes the place of a
 * missing one (launch_loops.c). A compilation holds the lock of its key alone (cache/lock.c); two threads may still add
 * the same kernel, which is harmless: the first in the list wins. On disk a kernel is found by the key of the unit that it
 * would be alone; kernels that were compiled together leave an alias for each, so that it does not matter with which
 * others a kernel was compiled. */
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

/* Fills the functions in from disk, or else by the compiler where it may be used. */
static cuna_status fill_group(bool *filled, group *g, bool compile)
{
    CUNA_TRY(cuna__module_find(filled, &g->unit));
    if (!*filled && compile) {
        CUNA_TRY(cuna__module_make(&g->unit));
        *filled = true;
    }
    return *filled ? add_kernels(g) : CUNA_OK;
}

/* Makes the kernel of an item, which is found on disk or else compiled; `key` is its name there. */
static cuna_status make_kernel(bool *made, char *key, cuna_device *device, cuna_codegen_item *item, bool compile)
{
    group g;
    cuna_status status = open_group(&g, device, 1, item);
    if (status == CUNA_OK) {
        memcpy(key, g.unit.key, sizeof g.unit.key);
        status = fill_group(made, &g, compile);
    }
    close_group(&g);
    return status;
}

/* Makes kernels together; `keys` are those that each would have alone. */
static cuna_status make_kernels(cuna_device *device, int count, cuna_codegen_item *items,
                                char (*keys)[CUNA_KEY_LENGTH + 1])
{
    group g;
    bool made;
    cuna_status status = open_group(&g, device, count, items);
    if (status == CUNA_OK)
        status = fill_group(&made, &g, true);
    for (int i = 0; i < count && count > 1 && status == CUNA_OK; i++)
        cuna__module_alias(keys[i], g.unit.key, g.first[i + 1] - g.first[i], g.entries + g.first[i]);
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
    char name[CUNA_KEY_LENGTH + 1];
    bool made = false;
    if (cuna__loops_are_wanted(device, item->program)) {
        cuna__codegen_name(item, 0);
        CUNA_TRY(cuna__loops_make(&made, device, item));
    }
    return made ? CUNA_OK : make_kernel(&made, name, device, item, true);
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
            cuna__heat_add(device, program, variant, *out, elements);
        return CUNA_OK;
    }
    cuna_codegen_item item = {.program = program, .variant = variant};
    CUNA_TRY(make_missing(device, &item));
    return find_kernel(out, context, device, program, key);
}

cuna_status cuna__kernel_find(bool *found, const cuna_kernel_request *request)
{
    cuna_codegen_item item = {.program = request->program, .variant = &request->variant};
    char key[CUNA_KEY_LENGTH + 1];
    return make_kernel(found, key, request->device, &item, false);
}

cuna_status cuna__kernel_prepare(int nrequests, const cuna_kernel_request *requests)
{
    cuna_device *device = requests[0].device;
    cuna_codegen_item items[CUNA_UNIT_KERNELS];
    char keys[CUNA_UNIT_KERNELS][CUNA_KEY_LENGTH + 1];
    int count = 0;
    for (int i = 0; i < nrequests; i++) {
        const cuna_program *program = requests[i].program;
        uint64_t key = cuna__variant_key(&requests[i].variant, program->noperands);
        bool made;
        const cuna_kernel *kernel = cuna__program_find_kernel(program, device->number, key);
        if (kernel != NULL && !kernel->heat.is_code)
            continue;
        items[count] = (cuna_codegen_item){.program = program, .variant = &requests[i].variant};
        CUNA_TRY(make_kernel(&made, keys[count], device, &items[count], false));
        count += !made;
    }
    return count > 0 ? make_kernels(device, count, items, keys) : CUNA_OK;
}
