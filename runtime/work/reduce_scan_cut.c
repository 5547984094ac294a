/* reduce_scan_cut.c: divides a scan into blocks.
 *
 * Runs lie along the scanned axis (SCAN_ROWS), or along the innermost kept axis if that is the contiguous one
 * (SCAN_COLUMNS). Rows too long for one block are cut into tiles (SCAN_TILES), and each block passes the state after
 * its tile to the next block. Columns are cut if there are fewer of them than blocks: blocks of one lane pass states
 * on, those of many lanes compute totals first. */
#include "work/reduce_scan_cut.h"

#define SLOT_NBYTES     8 /* of what is handed on at once: 4 bytes of a state and a mark */
#define PARCEL_NBYTES   (CUNA_STATE_NBYTES / 4 * SLOT_NBYTES)
#define MIN_COLUMNS     8    /* worth a run */
#define LONG_RUN_NBYTES 4096 /* runs of outputs whose ends do not matter */
#define LINE_NBYTES     64   /* of a cache line */

static int64_t inner_length(const cuna_fold *f)
{
    return f->kept.shape[f->kept.ndim - 1];
}

/* Runs lie along the kept axis when the output (or, without one, the first input) is walked in smaller steps there. */
static bool prefers_columns(const cuna_fold *f)
{
    if (f->kept.ndim == 0)
        return false;
    if (f->count == 1)
        return true;
    return inner_length(f) >= MIN_COLUMNS &&
           cuna__magnitude(f->kept.strides[0][f->kept.ndim - 1]) < cuna__magnitude(f->reduced.strides[0][0]);
}

static void classify_runs(cuna_fold *f, const cuna_layout *runs)
{
    cuna__fold_classify(f, runs);
    f->variant.reduced_rank = 1;
}

/* ---- blocks of one lane ---- */

#define WIDE_COLUMNS  256 /* pieces of columns are not made narrower than this for the sake of more blocks */
#define WANTED_BLOCKS 32
#define FEW_BLOCKS    8     /* blocks that are too few, when each has at least */
#define LONG_ELEMENTS 65536 /* so many elements */
#define TILE_COLUMNS  128   /* columns of a tile that is handed on */

/* Whether each run of `length` elements of the output is made of whole cache lines. */
static bool has_aligned_runs(const cuna_fold *f, int64_t length, const cuna_layout *runs)
{
    int64_t itemsize = cuna_dtype_size(f->call.arrays[0]->dtype);
    bool aligned = cuna__array_data(f->call.arrays[0]) % LINE_NBYTES == 0 && length * itemsize % LINE_NBYTES == 0;
    for (int axis = 0; axis < f->kept.ndim; axis++)
        if (runs != &f->kept || axis != f->kept.ndim - 1)
            aligned = aligned && f->kept.strides[0][axis] * itemsize % LINE_NBYTES == 0;
    if (runs != &f->reduced)
        aligned = aligned && f->reduced.strides[0][0] * itemsize % LINE_NBYTES == 0;
    return aligned;
}

/* As in elementwise_cut.c: large outputs in long runs, which are not an input as well, are written past the caches. */
static bool streams(const cuna_fold *f, int64_t length, const cuna_layout *runs)
{
    int64_t threshold = f->call.device->driver->facts.streaming_nbytes;
    if (threshold == 0 || f->call.program->text.noutputs != 1 || f->call.program->text.reads_outputs ||
        f->variant.stride_class[0] != CUNA_STRIDE_UNIT)
        return false;
    const cuna_array *out = f->call.arrays[0];
    int64_t itemsize = cuna_dtype_size(out->dtype);
    if (out->size * itemsize < threshold)
        return false;
    for (int k = 1; k < f->kept.noperands; k++)
        if (cuna__array_data(f->call.arrays[k]) == cuna__array_data(out))
            return false;
    return length * itemsize >= LONG_RUN_NBYTES || has_aligned_runs(f, length, runs);
}

/* Whether a row lies directly after the one before it, for every operand. */
static bool is_dense(const cuna_fold *f)
{
    if (f->kept.ndim > 1 || f->call.program->text.uses_index)
        return false;
    for (int k = 0; k < f->kept.noperands; k++)
        if (f->kept.ndim == 1 && f->kept.strides[k][0] != f->reduced.strides[k][0] * f->count)
            return false;
    return true;
}

/* Columns by tiles of some columns and some positions, handed on along the axis. */
static void cut_long_columns(cuna_scan_call *s)
{
    int64_t inner = inner_length(&s->fold);
    s->tile = cuna__min(inner, TILE_COLUMNS);
    s->pieces = cuna__ceil_div(inner, s->tile);
    s->span = CUNA_SCAN_TILE / s->tile;
    s->blocks = s->rows * s->pieces * cuna__ceil_div(s->fold.count, s->span);
    s->zeroed_nbytes = PARCEL_NBYTES * (1 + cuna__ceil_div(s->blocks * SLOT_NBYTES, PARCEL_NBYTES));
    s->workspace_nbytes = s->zeroed_nbytes + s->blocks * s->tile * CUNA_STATE_NBYTES;
}

static void cut_columns(cuna_scan_call *s)
{
    int64_t inner = inner_length(&s->fold);
    s->fold.variant.form = CUNA_FORM_SCAN_COLUMNS;
    classify_runs(&s->fold, &s->fold.kept);
    s->rows = s->fold.outputs / inner;
    int64_t most = cuna__max(inner / WIDE_COLUMNS, 1), least = cuna__ceil_div(inner, CUNA_SCAN_COLUMNS);
    s->pieces = cuna__max(least, cuna__min(cuna__ceil_div(WANTED_BLOCKS, s->rows), most));
    s->tile = cuna__ceil_div(cuna__ceil_div(inner, s->pieces), 16) * 16;
    s->pieces = cuna__ceil_div(inner, s->tile);
    s->blocks = s->rows * s->pieces;
    if (s->blocks < FEW_BLOCKS && s->fold.count * cuna__min(inner, s->tile) >= LONG_ELEMENTS)
        cut_long_columns(s);
    s->streaming = streams(&s->fold, s->tile, &s->fold.kept);
}

static void cut_rows(cuna_scan_call *s)
{
    int64_t count = s->fold.count;
    s->fold.variant.form = CUNA_FORM_SCAN_ROWS;
    classify_runs(&s->fold, &s->fold.reduced);
    s->rows = s->fold.outputs;
    s->tile = CUNA_SCAN_TILE;
    s->pieces = cuna__ceil_div(count, s->tile);
    s->span = cuna__max(1, s->tile / count);
    s->dense = is_dense(&s->fold);
    s->blocks = cuna__ceil_div(s->rows, s->span);
    if (s->pieces > 1) {
        s->fold.variant.form = CUNA_FORM_SCAN_TILES;
        s->blocks = s->rows * s->pieces;
        s->workspace_nbytes = s->zeroed_nbytes = PARCEL_NBYTES * (1 + s->blocks);
    }
    s->streaming = count > CUNA_SCAN_SHORT && streams(&s->fold, count, &s->fold.reduced);
}

/* ---- blocks of many lanes ---- */

#define WARP_LOG2      5
#define GROUP          32                 /* tiles whose totals are added up, as in scan_lanes.cuh */
#define ROWS_BY_WARPS  8192               /* rows that keep the device busy with a warp for each */
#define ROWS_BY_BLOCKS 1024               /* or a block */
#define ROWS_IN_TURNS  32                 /* rows whose tiles need not wait for each other long */
#define AHEAD_NBYTES   ((int64_t)8 << 20) /* of tiles that are folded before they are scanned */
#define WANTED_LANES   131072             /* lanes that scan columns */
#define ENOUGH_LANES   65536              /* so many columns need not be cut */
#define COLUMNS_LOG2   5                  /* lanes side by side at most where columns are cut */

/* Elements of an access (log2) of a scan of stored values, which lie in row-major order, as its output does. */
static int fit_stored(const cuna_fold *f, const cuna_layout *runs)
{
    const cuna_guide *g = f->guide;
    int64_t widest = cuna_dtype_size(f->call.program->text.output_dtype[0]);
    for (int k = g->first; k < runs->noperands; k++)
        widest = cuna__max(widest, g->itemsize[k]);
    int vector_log2 =
        cuna__variant_fit_vector(f->call.program, f->variant.form, widest, f->call.device->driver->facts.vector_nbytes);
    for (int k = 0; k < runs->noperands; k++)
        if (runs->strides[k][runs->ndim - 1] != 1 || !cuna__guide_is_aligned(g, k, vector_log2, runs))
            return 0;
    return vector_log2;
}

/* A program that computes what it scans has the accesses that a scan of the stored value would have. Operands that are
 * not aligned for that are accessed element by element. */
static void choose_stored_vector(cuna_fold *f, const cuna_layout *runs, const cuna_layout *stored)
{
    const cuna_guide *g = f->guide;
    int64_t nbytes = 0;
    for (int k = g->first; k < stored->noperands; k++)
        nbytes += g->itemsize[k];
    f->variant.vector_log2 = (uint8_t)fit_stored(f, stored);
    f->variant.resident = (uint8_t)cuna__variant_fit_items(f->call.program, nbytes, f->variant.vector_log2);
    for (int k = 1; k < runs->noperands; k++)
        if (f->variant.stride_class[k] == CUNA_STRIDE_UNIT &&
            !cuna__guide_is_aligned(&f->own, k, f->variant.vector_log2, runs))
            f->variant.stride_class[k] = CUNA_STRIDE_ANY;
}

/* Decides how wide accesses along the last axis of `runs` are. */
static void choose_vector(cuna_fold *f, const cuna_layout *runs, const cuna_layout *others)
{
    cuna_variant *variant = &f->variant;
    if (f->guide == &f->stored) {
        choose_stored_vector(f, runs, runs == &f->kept ? f->guide->kept : f->guide->reduced);
        return;
    }
    variant->vector_log2 =
        (uint8_t)cuna__variant_vector_log2(f->call.program, variant, f->call.device->driver->facts.vector_nbytes);
    if (!cuna__operands_are_aligned(f->call.arrays, variant, 0, runs->noperands, runs, runs->ndim - 1) ||
        !cuna__operands_are_aligned(f->call.arrays, variant, 0, runs->noperands, others, -1))
        variant->vector_log2 = 0;
}

/* Lanes side by side have columns, those one below the other positions. */
static void cut_segments(cuna_scan_call *s, int64_t wide, int lanes_log2)
{
    int64_t items = cuna__variant_items(s->fold.call.program, &s->fold.variant);
    s->team = cuna__min(cuna__ceil_log2(wide), cuna__min(COLUMNS_LOG2, lanes_log2));
    s->pieces = cuna__ceil_div(wide, (int64_t)1 << s->team);
    int64_t strips = s->rows * s->pieces, down = (int64_t)1 << (lanes_log2 - s->team);
    int64_t wanted = cuna__ceil_div(WANTED_LANES, strips << s->team);
    s->span = cuna__max(cuna__ceil_div(s->fold.count, wanted), 2 * items);
    int64_t segments = cuna__ceil_div(s->fold.count, s->span * down);
    s->twice = true;
    s->workspace_nbytes = (segments * down + segments) * s->fold.outputs * CUNA_STATE_NBYTES;
    s->blocks = strips * segments;
}

static void cut_columns_lanes(cuna_scan_call *s, int lanes_log2)
{
    int64_t inner = inner_length(&s->fold);
    s->fold.variant.form = CUNA_FORM_SCAN_COLUMNS;
    classify_runs(&s->fold, &s->fold.kept);
    choose_vector(&s->fold, &s->fold.kept, &s->fold.reduced);
    s->rows = s->fold.outputs / inner;
    int64_t wide = cuna__ceil_div(inner, (int64_t)1 << s->fold.variant.vector_log2);
    int64_t short_columns = 4 * cuna__variant_items(s->fold.call.program, &s->fold.variant);
    s->pieces = wide;
    s->span = s->fold.count;
    s->blocks = cuna__ceil_div(s->rows * wide, (int64_t)1 << lanes_log2);
    if (s->rows * wide < ENOUGH_LANES && s->fold.count > short_columns)
        cut_segments(s, wide, lanes_log2);
}

/* Bytes that an element of a row takes in all inputs. */
static int64_t element_nbytes(const cuna_fold *f)
{
    int64_t nbytes = 0;
    for (int k = f->call.program->text.noutputs; k < f->kept.noperands; k++)
        if (f->variant.stride_class[k] != CUNA_STRIDE_UNIFORM)
            nbytes += cuna_dtype_size(f->call.arrays[k]->dtype);
    return cuna__max(nbytes, 1);
}

static void cut_rows_lanes(cuna_scan_call *s, int lanes_log2)
{
    int64_t count = s->fold.count;
    s->fold.variant.form = CUNA_FORM_SCAN_ROWS;
    classify_runs(&s->fold, &s->fold.reduced);
    choose_vector(&s->fold, &s->fold.reduced, &s->fold.kept);
    s->rows = s->fold.outputs;
    int64_t stretch = (int64_t)cuna__variant_items(s->fold.call.program, &s->fold.variant)
                      << s->fold.variant.vector_log2;
    /* A warp combines without a barrier. A whole block takes a row only when rows are too few for warps, and long enough
     * that each warp of the block has work. */
    s->team = cuna__ceil_log2(cuna__ceil_div(count, stretch));
    if (s->team > WARP_LOG2)
        s->team = s->rows >= ROWS_BY_WARPS || count <= stretch << (WARP_LOG2 + 1) ? WARP_LOG2 : lanes_log2;
    s->pieces = cuna__ceil_div(count, stretch << s->team);
    s->blocks = cuna__ceil_div(s->rows, (int64_t)1 << (lanes_log2 - s->team));
    if (s->team < lanes_log2 || s->pieces == 1 || s->rows >= ROWS_BY_BLOCKS)
        return;
    /* Few long rows: blocks share a row, and each looks back at the totals of the tiles before its own. The slots must be
     * zero, since a slot says whether its tile is done. */
    s->fold.variant.form = CUNA_FORM_SCAN_TILES;
    s->workspace_nbytes = s->zeroed_nbytes =
        PARCEL_NBYTES * (1 + s->rows * (s->pieces + 2 * cuna__ceil_div(s->pieces, GROUP)));
    s->blocks = s->rows * s->pieces;
    s->span = 0;
    /* With enough rows the tile before is done when its turn comes. Else the totals of `span` tiles are made ahead, by as
     * many blocks more, of what a cache still holds when they are scanned. */
    if (s->rows >= ROWS_IN_TURNS)
        return;
    s->span = cuna__min(s->blocks, AHEAD_NBYTES / (element_nbytes(&s->fold) * stretch << s->team));
    s->blocks *= 2;
}

static void add_unit_axis(cuna_layout *layout)
{
    if (layout->ndim > 0)
        return;
    layout->ndim = 1;
    layout->shape[0] = 1;
    for (int k = 0; k < layout->noperands; k++)
        layout->strides[k][0] = 0;
}

void cuna__scan_cut(cuna_scan_call *s)
{
    int lanes_log2 = cuna__ceil_log2(s->fold.call.device->driver->facts.lanes);
    add_unit_axis(&s->fold.reduced);
    if (s->fold.guide == &s->fold.stored)
        add_unit_axis(&s->fold.guide_reduced);
    s->fold.variant.resident = 0;
    s->tile = s->span = s->pieces = 1;
    s->dense = s->streaming = s->team = s->workspace_nbytes = s->zeroed_nbytes = 0;
    s->twice = false;
    bool columns = prefers_columns(&s->fold);
    if (lanes_log2 > 0)
        (columns ? cut_columns_lanes : cut_rows_lanes)(s, lanes_log2);
    else
        (columns ? cut_columns : cut_rows)(s);
}

void cuna__scan_add_cut(cuna_words *words, const cuna_scan_call *s, bool totals, cu_deviceptr workspace)
{
    const int64_t runs[] = {s->fold.count, s->rows, s->tile, s->span, s->pieces, s->dense, s->streaming};
    const int64_t lanes[] = {s->fold.count, s->rows, s->team, s->pieces, s->span, totals};
    bool many = s->fold.call.device->driver->facts.lanes > 1;
    if (many)
        cuna__words_add_divisors(words, &s->fold.kept);
    for (size_t i = 0; i < (many ? sizeof lanes / sizeof *lanes : sizeof runs / sizeof *runs); i++)
        cuna__words_add(words, many ? lanes[i] : runs[i]);
    cuna__words_add(words, (int64_t)workspace);
}
