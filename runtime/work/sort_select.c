/* sort_select.c: finds elements at places of sorted rows, and parts rows around one. kernels/select.cuh describes the
 * algorithm.
 *
 * Rows lie along the last axis of a row-major array. Short rows take one launch. Longer ones take one for each digit of
 * the keys, and one more that parts them. */
#include "operands/call.h"
#include "work/sort_keys.h"

#define TILE_RUNS     131072 /* elements of a tile of blocks of one lane: they stay in the second cache */
#define ROWS_RUNS     16384  /* elements that a block of one lane selects from, in short rows */
#define STEP_LANES    4096   /* elements that a block of many lanes has under way */
#define BLOCKS_LANES  4      /* blocks that a multiprocessor shall have, of the many lanes that count */
#define LONG_ROW      32768  /* elements of a row that is worth wide digits */
#define COUNTER_WORDS 8      /* of tickets, before the slots */
#define KEPT_PART     4      /* of a row: no more keys are kept */

/* struct Select of kernels/select.cuh. */
typedef struct arguments {
    int64_t source, places, apart, target, count, rows, tile, tiles, many, limit, shift, width, next, flags, greatest,
        states, counts, bins, slots, kept, room;
} arguments;

/* One selection on its way from check to launch. */
typedef struct select_call {
    cuna_call call;
    const cuna_array *places;
    arguments a;
    int64_t tile, part_tile; /* of passes that count, and that part */
    int key_nbytes, digit;   /* bits of a digit */
    bool lanes;
} select_call;

enum { OUT, IN }; /* of the call's arrays */

static cuna_status get_kernel(const cuna_kernel **out, const select_call *s, cuna_form form)
{
    cuna_variant variant = {.form = (uint8_t)form};
    return cuna__kernel_get(out, s->call.context, s->call.device, s->call.program, &variant, s->call.size);
}

static cuna_status launch(const select_call *s, const cuna_kernel *kernel, int64_t blocks)
{
    cuna_words words;
    const int64_t *argument = (const int64_t *)&s->a;
    cuna__words_begin(&words);
    for (size_t i = 0; i < sizeof s->a / sizeof *argument; i++)
        cuna__words_add(&words, argument[i]);
    return cuna__launch(s->call.context, s->call.device, s->call.name, kernel->functions[0], blocks, &words);
}

/* ---- short rows ---- */

/* Blocks of many lanes have a row for each 32 of them, or one. */
static int64_t rows_of_block(const select_call *s)
{
    if (!s->lanes)
        return cuna__max(ROWS_RUNS / s->a.count, 1);
    return s->a.count <= CUNA_SELECT_ROW ? s->call.device->driver->facts.lanes / 32 : 1;
}

static cuna_status select_rows(select_call *s)
{
    const cuna_kernel *kernel;
    CUNA_TRY(get_kernel(&kernel, s, CUNA_FORM_SELECT_ROWS));
    s->a.tile = rows_of_block(s);
    return kernel == NULL ? CUNA_OK : launch(s, kernel, cuna__ceil_div(s->a.rows, s->a.tile));
}

/* ---- rows that blocks share ---- */

static int64_t align(int64_t nbytes)
{
    return cuna__ceil_div(nbytes, 256) * 256;
}

/* Elements of the tiles that are counted: as few of them as keep all multiprocessors busy, since each adds its counts to the
 * row's. */
static cuna_status choose_tiles(select_call *s)
{
    int processors = 1;
    const cuna_driver *driver = s->call.device->driver;
    s->tile = s->part_tile = TILE_RUNS;
    if (!s->lanes)
        return CUNA_OK;
    CUNA_DEVICE_CALL(s->call.device, driver->device_get_attribute(&processors, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                                                  s->call.device->handle));
    int64_t tiles = cuna__max(BLOCKS_LANES * (int64_t)processors / s->a.rows, 1);
    s->tile = cuna__ceil_div(cuna__ceil_div(s->a.count, tiles), STEP_LANES) * STEP_LANES;
    s->part_tile = CUNA_SELECT_TILE;
    return CUNA_OK;
}

/* Wide digits take fewer passes; a block has room for so many counts. */
static void choose_digits(select_call *s)
{
    s->digit = s->a.count < LONG_ROW ? 8 : CUNA_SELECT_WIDTH;
    while (s->a.many << s->digit > CUNA_SELECT_BINS)
        s->digit--;
    s->a.bins = s->a.many << s->digit;
    s->a.room = 8 * s->key_nbytes > 2 * s->digit ? s->a.count / KEPT_PART : 0;
}

/* Takes memory whose first bytes are zeroed: states, counts and slots; then come the keys that are kept. */
static cuna_status make_workspace(cuna_block **out, select_call *s)
{
    int64_t states = 8 * CUNA_SELECT_WORDS * s->a.rows, counts = 8 * s->a.bins * s->a.rows;
    int64_t slots = 8 * (COUNTER_WORDS + 2 * s->a.rows * cuna__ceil_div(s->a.count, s->part_tile));
    int64_t zeroed = align(states + counts + (s->a.flags & CUNA_KEYS_PARTS ? slots : 0));
    const cuna_driver *driver = s->call.device->driver;
    CUNA_TRY(
        cuna__workspace_take(out, s->call.context, s->call.device, zeroed + s->a.rows * s->a.room * s->key_nbytes));
    s->a.states = (int64_t)(*out)->ptr;
    s->a.counts = s->a.states + states;
    s->a.slots = s->a.counts + counts;
    s->a.kept = s->a.states + zeroed;
    CUNA_TRY(cuna__device_enter(s->call.device));
    return cuna__device_check(s->call.device,
                              driver->memset_d8_async((*out)->ptr, 0, (size_t)zeroed,
                                                      cuna__context_stream(s->call.context, s->call.device)->handle),
                              s->call.name);
}

static int64_t cut(select_call *s, int64_t tile)
{
    s->a.tile = tile;
    s->a.tiles = cuna__ceil_div(s->a.count, tile);
    return s->a.rows * s->a.tiles;
}

static cuna_status count_digits(select_call *s, const cuna_kernel *kernel)
{
    int64_t blocks = cut(s, s->tile);
    cuna_status status = CUNA_OK;
    for (s->a.shift = 8 * s->key_nbytes; s->a.shift > 0 && status == CUNA_OK;) {
        s->a.width = cuna__min(s->digit, s->a.shift);
        s->a.shift -= s->a.width;
        s->a.next = cuna__min(s->digit, s->a.shift);
        status = launch(s, kernel, blocks);
    }
    return status;
}

static cuna_status select_tiles(select_call *s)
{
    const cuna_kernel *counting, *parting = NULL;
    cuna_block *workspace = NULL;
    bool parts = s->a.flags & CUNA_KEYS_PARTS;
    CUNA_TRY(get_kernel(&counting, s, CUNA_FORM_SELECT_COUNT));
    if (parts)
        CUNA_TRY(get_kernel(&parting, s, CUNA_FORM_SELECT_PART));
    if (counting == NULL || (parts && parting == NULL))
        return CUNA_OK;
    CUNA_TRY(choose_tiles(s));
    choose_digits(s);
    cuna_status status = make_workspace(&workspace, s);
    if (status == CUNA_OK)
        status = count_digits(s, counting);
    if (status == CUNA_OK && parts)
        status = launch(s, parting, cut(s, s->part_tile));
    if (workspace != NULL)
        cuna__workspace_give_back(s->call.context, s->call.device, workspace);
    return status;
}

/* ---- checks ---- */

static cuna_status execute(select_call *s)
{
    const cuna_array *arrays[] = {s->call.arrays[OUT], s->call.arrays[IN], s->places};
    CUNA_TRY(cuna__arrays_claim(s->call.context, s->call.device, 3, arrays));
    s->a.source = (int64_t)cuna__array_data(arrays[1]);
    s->a.target = (int64_t)cuna__array_data(arrays[0]);
    s->a.places = (int64_t)cuna__array_data(arrays[2]);
    return s->a.count <= CUNA_SORT_ROW ? select_rows(s) : select_tiles(s);
}

static cuna_status check_places(select_call *s, const cuna_array *in)
{
    const cuna_array *places = s->places;
    CUNA_TRY(cuna__array_use_device(&s->call.device, places, s->call.name));
    s->a.many = places->ndim > 0 ? cuna_array_shape(places)[places->ndim - 1] : 0;
    bool shared = places->ndim == 1, parts = s->a.flags & CUNA_KEYS_PARTS;
    bool good = places->dtype == CUNA_INT64 && (places->flags & CUNA_ARRAY_CONTIGUOUS) && s->a.many > 0 &&
                s->a.many <= (parts ? 1 : CUNA_SELECT_MOST) &&
                (shared || (places->ndim == in->ndim &&
                            cuna__same_lengths(cuna_array_shape(places), cuna_array_shape(in), in->ndim - 1)));
    s->a.apart = shared ? 0 : s->a.many;
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "%s: the places are not int64, row-major, of rows", s->call.name);
}

static cuna_status describe(select_call *s, bool descending)
{
    const cuna_program_text *text = &s->call.program->text;
    const cuna_array *in = s->call.arrays[IN];
    if (in->ndim == 0 || !(in->flags & CUNA_ARRAY_CONTIGUOUS) || in->dtype != text->input_dtype[0])
        return cuna_fail(CUNA_VALUE, "%s: the input is not a row-major array of the program's dtype", s->call.name);
    s->a.count = cuna_array_shape(in)[in->ndim - 1];
    s->a.rows = s->a.count > 0 ? in->size / s->a.count : 0;
    s->a.flags = cuna__keys_flags(in->dtype) | (descending ? CUNA_KEYS_DESCENDING : 0) |
                 (text->kind == CUNA_PROGRAM_SELECT ? 0 : CUNA_KEYS_PARTS);
    s->a.greatest = cuna__keys_greatest(in->dtype);
    s->key_nbytes = (int)cuna_dtype_size(in->dtype);
    s->lanes = s->call.device->driver->facts.lanes > 1;
    return check_places(s, in);
}

cuna_status cuna_select(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *in,
                        const cuna_array *places, cuna_array *out, bool descending, int64_t limit)
{
    select_call s = {.places = places};
    const cuna_operand input = {.array = in};
    int64_t shape[CUNA_MAX_NDIM];
    if (!cuna__program_selects(&program->text) || out->buffer != NULL)
        return cuna_fail(CUNA_VALUE, "%s: the program does not select, or out is not empty", name);
    cuna__call_begin(&s.call, context, name, program, &input);
    CUNA_TRY(cuna__call_gather(&s.call));
    CUNA_TRY(describe(&s, descending));
    cuna__copy_lengths(shape, s.call.shape, s.call.ndim);
    s.a.limit = s.a.flags & CUNA_KEYS_PARTS ? limit : s.a.many + (limit > 0);
    s.a.flags |= s.a.limit > s.a.many && !(s.a.flags & CUNA_KEYS_PARTS) ? CUNA_KEYS_NAN : 0;
    shape[s.call.ndim - 1] = s.a.limit;
    cuna_status status = cuna__call_take_output(&s.call, out, 0, s.call.ndim, shape);
    if (status == CUNA_OK && out->size > 0)
        status = execute(&s);
    cuna__call_end(&s.call, &out, status == CUNA_OK);
    return status;
}
