/* compact.c: the elements of an array where a mask is true, or their positions. kernels/compact.cuh describes the
 * algorithm.
 *
 * The host waits for the count, which a kernel writes to pinned memory, and makes the result in between two launches. */
#include "array/array.h"
#include "device/trace.h"
#include "kernel/launch.h"

#define MOST ((int64_t)1 << 38) /* elements of a mask: as many as the kernels' word counts */

enum { MASK, SOURCE };

/* One call from check to launch. */
typedef struct compaction {
    cuna_context *context;
    cuna_device *device;
    const char *name;
    const cuna_program *program;
    int count;                   /* of arrays */
    const cuna_array *arrays[2]; /* the mask; the elements, if not positions are asked for */
    int64_t tiles, groups;
    cuna_block *counts, *total; /* of the device, and of the host */
} compaction;

static cuna_status check_array(compaction *c, const cuna_array *array, cuna_dtype dtype)
{
    CUNA_TRY(cuna__array_use_device(&c->device, array, c->name));
    if (array->dtype != dtype || !(array->flags & CUNA_ARRAY_CONTIGUOUS) || array->size != c->arrays[MASK]->size)
        return cuna_fail(CUNA_VALUE, "%s: the mask and the elements are not row-major arrays of the program's dtypes",
                         c->name);
    return CUNA_OK;
}

static cuna_status check(compaction *c)
{
    const cuna_program_text *text = &c->program->text;
    if (text->kind != CUNA_PROGRAM_COMPACT || text->ninputs != c->count)
        return cuna_fail(CUNA_VALUE, "%s: the program does not select", c->name);
    for (int k = 0; k < c->count; k++)
        CUNA_TRY(check_array(c, c->arrays[k], text->input_dtype[k]));
    c->tiles = cuna__ceil_div(c->arrays[MASK]->size, CUNA_COMPACT_TILE);
    c->groups = cuna__ceil_div(c->tiles, CUNA_COMPACT_GROUP);
    if (c->arrays[MASK]->size >= MOST)
        return cuna_fail(CUNA_VALUE, "%s: a mask of %lld elements is too long; select in parts", c->name,
                         (long long)c->arrays[MASK]->size);
    return CUNA_OK;
}

/* The sums: a word for all, and one for each group of tiles. */
static int64_t sums_nbytes(const compaction *c)
{
    return 8 * (1 + c->groups);
}

static cuna_status launch(const compaction *c, cuna_form form, cu_deviceptr target)
{
    cuna_words words;
    const cuna_kernel *kernel;
    cuna_variant variant = {.form = (uint8_t)form};
    CUNA_TRY(cuna__kernel_get(&kernel, c->context, c->device, c->program, &variant, c->arrays[MASK]->size));
    if (kernel == NULL)
        return CUNA_OK;
    int64_t source = c->count > SOURCE ? (int64_t)cuna__array_data(c->arrays[SOURCE]) : 0;
    /* The order of the members of struct Compact. */
    int64_t arguments[] = {(int64_t)cuna__array_data(c->arrays[MASK]),
                           source,
                           (int64_t)target,
                           c->arrays[MASK]->size,
                           c->tiles,
                           (int64_t)c->counts->ptr,
                           (int64_t)c->counts->ptr + sums_nbytes(c),
                           (int64_t)c->total->ptr};
    cuna__words_begin(&words);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        cuna__words_add(&words, arguments[i]);
    return cuna__launch(c->context, c->device, c->name, kernel->functions[0], c->tiles, &words);
}

/* The sums are 0 at first. */
static cuna_status take_memory(compaction *c)
{
    cuna_pool *pool;
    cuna_stream *stream = cuna__context_stream(c->context, c->device);
    size_t zeroed_nbytes = (size_t)sums_nbytes(c);
    CUNA_TRY(cuna__device_enter(c->device));
    CUNA_TRY(cuna__allocator_pool(&pool, cuna_allocator_default(CUNA_ALLOCATE_PINNED), c->device));
    CUNA_TRY(cuna__pool_alloc(&c->total, pool, 0, NULL, sizeof(uint64_t)));
    cuna__trace_block(CUNA_TRACE_ALLOC, c->device, c->total->ptr, c->total->nbytes);
    CUNA_TRY(cuna__workspace_take(&c->counts, c->context, c->device, sums_nbytes(c) + 4 * c->tiles));
    return cuna__device_check(
        c->device, c->device->driver->memset_d8_async(c->counts->ptr, 0, zeroed_nbytes, stream->handle), c->name);
}

static void give_memory_back(const compaction *c)
{
    cuna__block_free(c->device, c->total);
    if (c->counts != NULL)
        cuna__workspace_give_back(c->context, c->device, c->counts);
}

/* Waits for the count. Waits tell what kernels reported. */
static cuna_status read_total(int64_t *out, const compaction *c)
{
    CUNA_TRY(cuna__device_wait(c->device, cuna__context_stream(c->context, c->device)->handle, c->name));
    CUNA_TRY(cuna__device_check_reports(c->context, c->device));
    *out = (int64_t)__atomic_load_n((uint64_t *)(uintptr_t)c->total->ptr, __ATOMIC_ACQUIRE);
    return CUNA_OK;
}

static cuna_status place(const compaction *c, cuna_array *out, int64_t total)
{
    CUNA_TRY(cuna_array_create_on(out, c->context, c->device, c->program->text.output_dtype[0], 1, &total));
    const cuna_array *made[] = {out};
    cuna_status status = cuna__arrays_claim(c->context, c->device, 1, made);
    if (status == CUNA_OK && total > 0)
        status = launch(c, CUNA_FORM_COMPACT_PLACE, cuna__array_data(out));
    if (status != CUNA_OK)
        cuna_array_release(out);
    return status;
}

static cuna_status run(compaction *c, cuna_array *out)
{
    int64_t total = 1; /* in a rehearsal, which computes nothing */
    CUNA_TRY(take_memory(c));
    CUNA_TRY(cuna__arrays_claim(c->context, c->device, c->count, c->arrays));
    CUNA_TRY(launch(c, CUNA_FORM_COMPACT_COUNT, 0));
    if (!cuna_prepare_is_open(c->context))
        CUNA_TRY(read_total(&total, c));
    return place(c, out, total);
}

cuna_status cuna_compact(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *mask,
                         const cuna_array *source, cuna_array *out)
{
    compaction c = {.context = context,
                    .name = name,
                    .program = program,
                    .count = source != NULL ? 2 : 1,
                    .arrays = {mask, source}};
    CUNA_TRY(check(&c));
    cuna_status status = run(&c, out);
    if (c.total != NULL)
        give_memory_back(&c);
    return status;
}
