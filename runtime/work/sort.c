/* sort.c: sorts rows, or finds the positions that would sort them. kernels/sort.cuh describes the algorithm.
 *
 * Rows lie along the last axis of a row-major array. Short rows are sorted in one launch. Longer ones take one launch
 * that counts, and one for each digit of the keys, which moves elements between two workspaces. */
#include "operands/call.h"
#include "work/sort_keys.h"

#define TILE_RUNS     131072 /* elements of a tile of blocks of one lane: they stay in the second cache */
#define ROWS_RUNS     16384  /* elements that a block of one lane sorts, in short rows */
#define COUNTED_TILES 4      /* that a block of many lanes counts */
#define DIGITS        256
#define COUNTER_WORDS 8  /* of tickets, before the slots */
#define PLAN_NBYTES   16 /* struct SortPlan */

/* One sort on its way from check to launch. */
typedef struct sort_call {
    cuna_call call;
    int64_t rows, count, flags, greatest;
    int passes, key_nbytes, skipped; /* digits that the keys are sorted by, that they have, that are below those */
    int position_nbytes;             /* 0 where no positions are kept between passes */
    bool wide, lanes;
} sort_call;

/* Memory of a sort of many launches. Buffers hold keys, then positions. */
typedef struct workspace {
    cuna_block *block;
    cu_deviceptr plans, totals, slots, keys[2], positions[2];
    int64_t zeroed_nbytes;
} workspace;

enum { OUT, IN }; /* of the call's arrays */

static int64_t address_of(const sort_call *s, int k)
{
    return (int64_t)cuna__array_data(s->call.arrays[k]);
}

static cuna_status get_kernel(const cuna_kernel **out, const sort_call *s, cuna_form form)
{
    cuna_variant variant = {.form = (uint8_t)form, .wide = s->wide && form == CUNA_FORM_SORT_PLACE};
    return cuna__kernel_get(out, s->call.context, s->call.device, s->call.program, &variant, s->call.size);
}

/* struct Sort of kernels/sort.cuh. */
typedef struct arguments {
    int64_t source, target, count, rows, tile, tiles, pass, skipped, flags, keys[2], positions[2], plans, totals, slots,
        greatest;
} arguments;

static arguments arguments_of(const sort_call *s, int64_t tile, int64_t tiles)
{
    return (arguments){.source = address_of(s, IN),
                       .target = address_of(s, OUT),
                       .count = s->count,
                       .rows = s->rows,
                       .tile = tile,
                       .tiles = tiles,
                       .skipped = s->skipped,
                       .flags = s->flags,
                       .greatest = s->greatest};
}

static cuna_status launch(const sort_call *s, const cuna_kernel *kernel, int64_t blocks, const arguments *a)
{
    cuna_words words;
    const int64_t *argument = (const int64_t *)a;
    cuna__words_begin(&words);
    for (size_t i = 0; i < sizeof *a / sizeof *argument; i++)
        cuna__words_add(&words, argument[i]);
    return cuna__launch(s->call.context, s->call.device, s->call.name, kernel->functions[0], blocks, &words);
}

/* ---- short rows ---- */

static int64_t rows_of_block(const sort_call *s)
{
    return s->lanes ? cuna__min(CUNA_SORT_ROW / s->count, DIGITS) : cuna__max(ROWS_RUNS / s->count, 1);
}

static cuna_status sort_rows(const sort_call *s)
{
    const cuna_kernel *kernel;
    int64_t rows = rows_of_block(s);
    CUNA_TRY(get_kernel(&kernel, s, s->lanes && rows > 1 ? CUNA_FORM_SORT_SHORT : CUNA_FORM_SORT_ROWS));
    if (kernel == NULL)
        return CUNA_OK;
    arguments a = arguments_of(s, rows, 1);
    return launch(s, kernel, cuna__ceil_div(s->rows, rows), &a);
}

/* ---- rows that blocks share ---- */

static int64_t align(int64_t nbytes)
{
    return cuna__ceil_div(nbytes, 256) * 256;
}

static int64_t tiles_of(const sort_call *s, int64_t tile)
{
    return cuna__ceil_div(s->count, tile);
}

static int64_t tile_of(const sort_call *s)
{
    return s->lanes ? CUNA_SORT_TILE : TILE_RUNS;
}

static cuna_status make_workspace(workspace *out, const sort_call *s)
{
    int64_t size = s->rows * s->count, plans = PLAN_NBYTES * s->rows, totals = 8 * DIGITS * s->rows * s->key_nbytes;
    int64_t slots = 8 * (COUNTER_WORDS + DIGITS * s->rows * tiles_of(s, tile_of(s)));
    int64_t keys = align(size * s->key_nbytes), positions = align(size * s->position_nbytes);
    int buffers = s->passes > 2 ? 2 : s->passes - 1;
    out->zeroed_nbytes = align(plans + totals + slots);
    CUNA_TRY(cuna__workspace_take(&out->block, s->call.context, s->call.device,
                                  out->zeroed_nbytes + buffers * (keys + positions)));
    out->plans = out->block->ptr;
    out->totals = out->plans + (cu_deviceptr)plans;
    out->slots = out->totals + (cu_deviceptr)totals;
    for (int i = 0; i < 2; i++) {
        out->keys[i] = out->plans + (cu_deviceptr)(out->zeroed_nbytes + i * (keys + positions));
        out->positions[i] = out->keys[i] + (cu_deviceptr)keys;
    }
    return CUNA_OK;
}

static cuna_status clear(const sort_call *s, const workspace *w)
{
    CUNA_TRY(cuna__device_enter(s->call.device));
    return cuna__device_check(
        s->call.device,
        s->call.device->driver->memset_d8_async(w->plans, 0, (size_t)w->zeroed_nbytes,
                                                cuna__context_stream(s->call.context, s->call.device)->handle),
        s->call.name);
}

/* What all passes of a sort share. */
static arguments shared_arguments(const sort_call *s, const workspace *w, int64_t tile)
{
    arguments a = arguments_of(s, tile, tiles_of(s, tile));
    for (int i = 0; i < 2; i++) {
        a.keys[i] = (int64_t)w->keys[i];
        a.positions[i] = (int64_t)w->positions[i];
    }
    a.plans = (int64_t)w->plans;
    a.totals = (int64_t)w->totals;
    a.slots = (int64_t)w->slots;
    return a;
}

static cuna_status count_digits(const sort_call *s, const workspace *w, const cuna_kernel *kernel)
{
    int64_t tile = s->lanes ? (int64_t)CUNA_SORT_TILE * COUNTED_TILES : TILE_RUNS;
    arguments a = shared_arguments(s, w, tile);
    return launch(s, kernel, s->rows * a.tiles, &a);
}

static cuna_status place(const sort_call *s, const workspace *w, const cuna_kernel *kernel, int pass)
{
    arguments a = shared_arguments(s, w, tile_of(s));
    a.pass = s->skipped + pass;
    return launch(s, kernel, s->rows * a.tiles, &a);
}

static cuna_status sort_tiles(const sort_call *s)
{
    const cuna_kernel *counting, *placing;
    workspace w;
    CUNA_TRY(get_kernel(&counting, s, CUNA_FORM_SORT_COUNT));
    CUNA_TRY(get_kernel(&placing, s, CUNA_FORM_SORT_PLACE));
    if (counting == NULL || placing == NULL)
        return CUNA_OK;
    CUNA_TRY(make_workspace(&w, s));
    cuna_status status = clear(s, &w);
    if (status == CUNA_OK)
        status = count_digits(s, &w, counting);
    for (int pass = 0; pass < s->passes && status == CUNA_OK; pass++)
        status = place(s, &w, placing, pass);
    cuna__workspace_give_back(s->call.context, s->call.device, w.block);
    return status;
}

/* ---- checks ---- */

/* Whether elements are stored as their counts say, and not read again. */
static bool fills(const sort_call *s)
{
    return s->key_nbytes == 1 && s->call.program->text.kind == CUNA_PROGRAM_SORT;
}

static cuna_status execute(sort_call *s)
{
    cuna_call *c = &s->call;
    bool in_block = s->count <= CUNA_SORT_ROW;
    /* A block that has a whole row reads it before it writes it; so do passes between workspaces. A single pass over tiles
     * goes from one to the other, and writes where other tiles were not read yet. */
    bool reads_late = s->passes == 1 && !in_block && !fills(s);
    CUNA_TRY(cuna__call_separate(c, reads_late ? 1u << OUT : 0));
    s->flags |= cuna_array_overlaps(c->arrays[OUT], c->arrays[IN]) ? CUNA_KEYS_ALIASED : 0;
    CUNA_TRY(cuna__arrays_claim(c->context, c->device, c->count, c->arrays));
    return in_block ? sort_rows(s) : sort_tiles(s);
}

static cuna_status describe(sort_call *s)
{
    const cuna_program_text *text = &s->call.program->text;
    const cuna_array *in = s->call.arrays[IN];
    if (in->ndim == 0 || !(in->flags & CUNA_ARRAY_CONTIGUOUS) || in->dtype != text->input_dtype[0])
        return cuna_fail(CUNA_VALUE, "%s: the input is not a row-major array of the program's dtype", s->call.name);
    s->count = cuna_array_shape(in)[in->ndim - 1];
    s->rows = s->count > 0 ? in->size / s->count : 0;
    s->key_nbytes = (int)cuna_dtype_size(in->dtype);
    s->flags = cuna__keys_flags(in->dtype);
    s->greatest = cuna__keys_greatest(in->dtype);
    s->skipped = text->sorts_above;
    s->passes = s->key_nbytes - s->skipped;
    s->lanes = s->call.device->driver->facts.lanes > 1;
    s->wide = s->count >= s->call.device->index_limit;
    s->position_nbytes = text->kind != CUNA_PROGRAM_ARGSORT ? 0 : s->wide ? 8 : 4;
    return CUNA_OK;
}

static cuna_status take_output(cuna_call *c, cuna_array *out)
{
    if (out->dims == NULL)
        return cuna__call_take_output(c, out, 0, c->ndim, c->shape);
    CUNA_TRY(cuna__call_check_output(c, out, 0, c->ndim, c->shape));
    if (!(out->flags & CUNA_ARRAY_CONTIGUOUS))
        return cuna_fail(CUNA_VALUE, "%s: out is not row-major", c->name);
    return cuna__call_take_output(c, out, 0, c->ndim, c->shape);
}

cuna_status cuna_sort(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *in,
                      cuna_array *out, bool descending)
{
    sort_call s;
    const cuna_operand input = {.array = in};
    if (!cuna__program_sorts(&program->text))
        return cuna_fail(CUNA_VALUE, "%s: the program does not sort", name);
    cuna__call_begin(&s.call, context, name, program, &input);
    CUNA_TRY(cuna__call_gather(&s.call));
    CUNA_TRY(describe(&s));
    s.flags |= descending ? CUNA_KEYS_DESCENDING : 0;
    cuna_status status = take_output(&s.call, out);
    if (status == CUNA_OK && in->size > 0)
        status = execute(&s);
    cuna__call_end(&s.call, &out, status == CUNA_OK);
    return status;
}
