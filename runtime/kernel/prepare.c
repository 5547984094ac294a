/* prepare.c: compiles the kernels of a piece of work ahead, many per translation unit.
 *
 * A compiler's start and the common text cost more than one kernel, so units of up to CUNA_UNIT_KERNELS kernels take a
 * fraction of the time that single ones take; units are compiled by as many threads as there are processors, or as the
 * compiler serves at once. Which kernels a piece of work needs is found by rehearsing it: between begin and end a
 * context notes its launches instead of doing them. */
#include "kernel/prepare.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/background.h"
#include "kernel/codegen.h"
#include "kernel/codegen_loops.h"
#include "kernel/launch.h"

#define MAX_THREADS 16

struct cuna_rehearsal {
    cuna_kernel_request *requests;
    int count, capacity;
    bool is_part; /* other processes compile the rest */
};

/* A device's kernels, handed out to threads in units. */
typedef struct work {
    const cuna_kernel_request *requests;
    int count;
    int most; /* kernels of a unit */
    int next; /* first request of the next unit */
    pthread_mutex_t lock;
    cuna_status status;
    char message[1024];
} work;

cuna_status cuna__rehearsal_open(cuna_context *context)
{
    if (context->rehearsal != NULL)
        return cuna_fail(CUNA_VALUE, "prepare: one rehearsal is already open");
    CUNA_TRY(cuna__context_flush(context));
    context->rehearsal = calloc(1, sizeof *context->rehearsal);
    return context->rehearsal ? CUNA_OK : cuna_fail(CUNA_MEMORY, "the host has no memory left for a rehearsal");
}

cuna_status cuna_prepare_begin(cuna_context *context)
{
    CUNA_TRY(cuna__rehearsal_open(context));
    context->clears = true;
    return CUNA_OK;
}

bool cuna_prepare_is_open(const cuna_context *context)
{
    return context->rehearsal != NULL;
}

static bool is_noted(const cuna_rehearsal *rehearsal, const cuna_device *device, const cuna_program *program,
                     const cuna_variant *variant)
{
    uint64_t key = cuna__variant_key(variant, program->noperands);
    for (int i = 0; i < rehearsal->count; i++) {
        const cuna_kernel_request *at = &rehearsal->requests[i];
        if (at->device == device && at->program == program &&
            cuna__variant_key(&at->variant, program->noperands) == key)
            return true;
    }
    return false;
}

cuna_status cuna__rehearsal_note(cuna_rehearsal *rehearsal, cuna_device *device, const cuna_program *program,
                                 const cuna_variant *variant)
{
    if (is_noted(rehearsal, device, program, variant))
        return CUNA_OK;
    if (rehearsal->count == rehearsal->capacity) {
        int capacity = rehearsal->capacity ? 2 * rehearsal->capacity : 64;
        cuna_kernel_request *grown = realloc(rehearsal->requests, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return cuna_fail(CUNA_MEMORY, "the host has no memory left for a rehearsal");
        rehearsal->requests = grown;
        rehearsal->capacity = capacity;
    }
    cuna_program_retain(program);
    rehearsal->requests[rehearsal->count++] = (cuna_kernel_request){device, program, *variant};
    return CUNA_OK;
}

static void drop(cuna_rehearsal *rehearsal, int at)
{
    cuna_program_release(rehearsal->requests[at].program);
    rehearsal->requests[at] = rehearsal->requests[--rehearsal->count];
}

cuna_status cuna__rehearsal_keep_missing(int *nleft, cuna_rehearsal *rehearsal)
{
    for (int i = rehearsal->count - 1; i >= 0; i--) {
        bool found;
        CUNA_TRY(cuna__kernel_find(&found, &rehearsal->requests[i]));
        if (found)
            drop(rehearsal, i);
    }
    *nleft = rehearsal->count;
    return CUNA_OK;
}

bool cuna__rehearsal_request(const cuna_rehearsal *rehearsal)
{
    bool takes_all = true;
    for (int i = 0; i < rehearsal->count && takes_all; i++)
        takes_all = cuna__background_request(&rehearsal->requests[i], NULL);
    return takes_all;
}

static int count_threads(const cuna_device *device)
{
    int processors = (int)cuna__min(sysconf(_SC_NPROCESSORS_ONLN), MAX_THREADS);
    int most = device->driver->facts.compile_threads;
    return most > 0 && most < processors ? most : processors;
}

int cuna__rehearsal_rounds(const cuna_device *device, int nkernels)
{
    return (int)cuna__ceil_div(nkernels, count_threads(device));
}

/* Takes the next requests; returns how many, 0 at the end or after a failure. */
static int take_unit(work *w, const cuna_kernel_request **unit)
{
    pthread_mutex_lock(&w->lock);
    int left = w->status == CUNA_OK ? w->count - w->next : 0;
    int count = (int)cuna__min(left, w->most);
    *unit = w->requests + w->next;
    w->next += count;
    pthread_mutex_unlock(&w->lock);
    return count;
}

/* Keeps the first failure, whose message lives in this thread only. */
static void keep_failure(work *w, cuna_status status)
{
    pthread_mutex_lock(&w->lock);
    if (w->status == CUNA_OK) {
        w->status = status;
        strncpy(w->message, cuna_message(), sizeof w->message - 1);
    }
    pthread_mutex_unlock(&w->lock);
}

static void *compile_units(void *data)
{
    work *w = data;
    const cuna_kernel_request *unit;
    for (int count = take_unit(w, &unit); count > 0; count = take_unit(w, &unit)) {
        cuna_status status = cuna__kernel_prepare(count, unit);
        if (status != CUNA_OK)
            keep_failure(w, status);
    }
    return NULL;
}

static int compare_devices(const void *a, const void *b)
{
    return ((const cuna_kernel_request *)a)->device->number - ((const cuna_kernel_request *)b)->device->number;
}

static cuna_status compile_for_device(int count, const cuna_kernel_request *requests, int most_threads)
{
    work w = {.requests = requests, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[MAX_THREADS];
    w.most = (int)cuna__min(cuna__ceil_div(count, most_threads), CUNA_UNIT_KERNELS);
    int wanted = (int)cuna__min(most_threads, cuna__ceil_div(count, w.most)) - 1, started = 0;
    /* The caller compiles too: a thread that cannot be started only costs time. */
    while (started < wanted && pthread_create(&threads[started], NULL, compile_units, &w) == 0)
        started++;
    compile_units(&w);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return w.status == CUNA_OK ? CUNA_OK : cuna_fail(w.status, "%s", w.message);
}

static cuna_status compile_all(const cuna_rehearsal *rehearsal)
{
    const cuna_kernel_request *requests = rehearsal->requests;
    qsort(rehearsal->requests, (size_t)rehearsal->count, sizeof *rehearsal->requests, compare_devices);
    for (int first = 0, end = 0; first < rehearsal->count; first = end) {
        const cuna_device *device = requests[first].device;
        while (end < rehearsal->count && requests[end].device == device)
            end++;
        int threads = rehearsal->is_part ? 1 : count_threads(device);
        CUNA_TRY(compile_for_device(end - first, requests + first, threads));
    }
    return CUNA_OK;
}

static void print_kernel(cuna_strbuf *out, const cuna_kernel_request *request, int number)
{
    cuna_codegen_item item = {.program = request->program, .variant = &request->variant};
    cuna__codegen_name(&item, number);
    cuna__codegen_kernel(out, number, &item, request->device->driver->facts.lanes > 1);
}

/* The part of a kernel depends on its text alone: processes may have found kernels in different orders. */
static int part_of(const cuna_kernel_request *request, int parts)
{
    cuna_strbuf text = {0};
    uint64_t hash = 0xcbf29ce484222325u;
    print_kernel(&text, request, 0);
    for (const char *at = text.text; at != NULL && *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    cuna__strbuf_free(&text);
    return (int)((hash >> 32) % (uint64_t)parts);
}

cuna_status cuna_prepare_part(cuna_context *context, int part, int parts)
{
    cuna_rehearsal *rehearsal = context->rehearsal;
    int kept = 0;
    if (rehearsal == NULL || part < 0 || part >= parts)
        return cuna_fail(CUNA_VALUE, "prepare: no rehearsal is open, or it has no part %d of %d", part, parts);
    for (int i = 0; i < rehearsal->count; i++) {
        if (part_of(&rehearsal->requests[i], parts) == part)
            rehearsal->requests[kept++] = rehearsal->requests[i];
        else
            cuna_program_release(rehearsal->requests[i].program);
    }
    rehearsal->count = kept;
    rehearsal->is_part = true;
    return CUNA_OK;
}

cuna_status cuna_prepare_show(cuna_context *context, void (*emit)(void *data, const char *text), void *data)
{
    const cuna_rehearsal *rehearsal = context->rehearsal;
    cuna_strbuf text = {0};
    if (rehearsal == NULL)
        return cuna_fail(CUNA_VALUE, "prepare: no rehearsal is open");
    for (int i = 0; i < rehearsal->count; i++)
        print_kernel(&text, &rehearsal->requests[i], i);
    cuna_status status = cuna__strbuf_status(&text);
    if (status == CUNA_OK)
        emit(data, text.text != NULL ? text.text : "");
    cuna__strbuf_free(&text);
    return status;
}

cuna_status cuna_prepare_show_loops(cuna_context *context, void (*emit)(void *data, const char *name), void *data)
{
    const cuna_rehearsal *rehearsal = context->rehearsal;
    if (rehearsal == NULL)
        return cuna_fail(CUNA_VALUE, "prepare: no rehearsal is open");
    for (int i = 0; i < rehearsal->count; i++) {
        cuna_loop_image *image;
        CUNA_TRY(cuna__codegen_loops(&image, rehearsal->requests[i].program, &rehearsal->requests[i].variant));
        for (int k = 0; image != NULL && k < image->nlines; k++)
            emit(data, (const char *)image + image->line[k].name);
        if (image != NULL && image->fold != 0) {
            emit(data, (const char *)image + image->fold);
            emit(data, (const char *)image + image->finish);
            if (image->pairs != 0)
                emit(data, (const char *)image + image->pairs);
        }
        free(image);
    }
    return CUNA_OK;
}

cuna_status cuna_prepare_show_texts(void (*emit)(void *data, const char *text), void *data)
{
    cuna_strbuf texts = {0};
    for (const char *const *prelude = cuna__driver_cpu()->facts.preludes; *prelude != NULL; prelude++)
        cuna__strbuf_add(&texts, *prelude);
    cuna__codegen_texts(&texts, ~0u, false);
    cuna_status status = cuna__strbuf_status(&texts);
    if (status == CUNA_OK)
        emit(data, texts.text);
    cuna__strbuf_free(&texts);
    return status;
}

cuna_status cuna_prepare_end(int *nkernels, cuna_context *context, bool compile)
{
    cuna_rehearsal *rehearsal = context->rehearsal;
    if (rehearsal == NULL)
        return cuna_fail(CUNA_VALUE, "prepare: no rehearsal is open");
    cuna_status status = cuna__context_flush(context);
    context->rehearsal = NULL;
    context->clears = false;
    *nkernels = rehearsal->count;
    if (status == CUNA_OK && compile && rehearsal->count > 0)
        status = compile_all(rehearsal);
    for (int i = 0; i < rehearsal->count; i++)
        cuna_program_release(rehearsal->requests[i].program);
    free(rehearsal->requests);
    free(rehearsal);
    return status;
}
