/* reduce_cut.c: divides a fold into blocks.
 *
 * Runs lie along a reduced axis (FOLD_ROWS), or along the innermost kept axis if that is the contiguous one
 * (FOLD_COLUMNS). When outputs are few, the folded space is cut into segments whose states a second kernel merges. */
#include "work/reduce_cut.h"

#define SHORT_ROW         64    /* elements from which a row is worth a separate run */
#define SEGMENT_ELEMENTS  65536 /* elements worth a segment of their own, for one lane */
#define SEGMENTED_BLOCKS  256   /* blocks of one lane that segments are cut for */
#define ROWS_BLOCKS       2048  /* blocks of many lanes that segments are cut for, in rows */
#define COLUMNS_BLOCKS    1024  /* and in columns, whose lanes have longer ways between rows */
#define WARP_LOG2         5     /* lanes that combine without a barrier */
#define COLUMNS_LOG2      6     /* lanes side by side at most, so that others of the block have other rows */
#define STAGED_ROWS       16    /* rows that keep all blocks of one lane busy; */
#define STAGED_ROWS_LANES 512   /* those of many lanes */
#define SEGMENT_ROUNDS    2     /* rounds of accesses worth a segment of their own */

/* The first array input's number among the operands. */
static int first_input(const cuna_fold *f)
{
    return f->call.program->text.noutputs;
}

/* The array input whose access pattern decides: the first that moves along both innermost axes, with different strides.
 * One with stride 0 along an axis is read repeatedly, from a cache; windows, with equal strides, suit both orders. */
static int decisive_input(const cuna_fold *f)
{
    int inner = f->kept.ndim - 1, folded = f->reduced.ndim - 1;
    for (int k = first_input(f); k < f->kept.noperands; k++) {
        int64_t kept = f->kept.strides[k][inner], reduced = f->reduced.strides[k][folded];
        if (kept != 0 && reduced != 0 && cuna__magnitude(kept) != cuna__magnitude(reduced))
            return k;
    }
    return first_input(f);
}

/* Rows so short that folding each by itself costs more than packing many into a tile: they would not fill the states
 * that a run has side by side. */
static bool has_short_rows(const cuna_fold *f)
{
    _Static_assert(SHORT_ROW <= CUNA_TILE_SIDE, "a tile has room for the longest of them");
    int inner = f->kept.ndim - 1;
    if (f->kept.ndim == 0 || f->reduced.ndim != 1 || f->count >= SHORT_ROW || f->kept.shape[inner] < CUNA_TILE_SIDE / 2)
        return false;
    int input = decisive_input(f);
    return f->reduced.strides[input][0] == 1 && cuna__stride_classify(f->kept.strides[input][inner]) == CUNA_STRIDE_ANY;
}

/* Runs lie along the kept axis when the decisive input is walked in smaller steps there. */
static bool prefers_columns(const cuna_fold *f)
{
    if (f->kept.ndim == 0)
        return false;
    int input = decisive_input(f), kept = f->kept.ndim - 1, reduced = f->reduced.ndim - 1;
    return f->kept.shape[kept] >= 4 &&
           cuna__magnitude(f->kept.strides[input][kept]) < cuna__magnitude(f->reduced.strides[input][reduced]);
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

void cuna__fold_classify(cuna_fold *f, const cuna_layout *runs)
{
    for (int k = 0; k < runs->noperands; k++)
        f->variant.stride_class[k] = (uint8_t)cuna__stride_classify(runs->strides[k][runs->ndim - 1]);
    f->variant.rank = (uint8_t)f->kept.ndim;
    f->variant.reduced_rank = (uint8_t)f->reduced.ndim;
}

/* ---- blocks of one lane ---- */

/* Cuts the work of `blocks` blocks, each folding `units` units of `elements` elements in all, into segments. */
static void cut_segments(cuna_fold *f, int64_t blocks, int64_t units, int64_t elements)
{
    int64_t wanted = cuna__min(cuna__ceil_div(elements, SEGMENT_ELEMENTS), cuna__ceil_div(SEGMENTED_BLOCKS, blocks));
    f->segments = cuna__max(1, cuna__min(wanted, units));
    f->runs = cuna__max(1, cuna__ceil_div(units, f->segments));
    f->segments = cuna__max(1, cuna__ceil_div(units, f->runs));
    f->blocks = blocks * f->segments;
}

/* Squares of short rows: one block each. */
static void cut_tiles(cuna_fold *f)
{
    int inner = f->kept.ndim - 1;
    f->variant.form = CUNA_FORM_FOLD_TILES;
    f->tile = CUNA_TILE_SIDE;
    f->pieces = cuna__ceil_div(f->kept.shape[inner], CUNA_TILE_SIDE);
    cuna__fold_classify(f, &f->kept);
    for (int k = first_input(f); k < f->kept.noperands; k++)
        if (f->variant.stride_class[k] == CUNA_STRIDE_ANY && f->reduced.strides[k][0] == 1)
            f->variant.stride_class[k] = CUNA_STRIDE_TILED;
    f->blocks = f->outputs / f->kept.shape[inner] * f->pieces;
}

static void cut_columns(cuna_fold *f)
{
    int64_t inner = f->kept.shape[f->kept.ndim - 1];
    f->variant.form = CUNA_FORM_FOLD_COLUMNS;
    f->tile = CUNA_FOLD_COLUMNS;
    f->pieces = cuna__ceil_div(inner, CUNA_FOLD_COLUMNS);
    cut_segments(f, f->outputs / inner * f->pieces, cuna__ceil_div(f->count, CUNA_FOLD_PASS),
                 cuna__min(inner, CUNA_FOLD_COLUMNS) * f->count);
    f->runs *= CUNA_FOLD_PASS;
    cuna__fold_classify(f, &f->kept);
}

static void cut_rows(cuna_fold *f)
{
    int64_t inner = f->reduced.shape[f->reduced.ndim - 1];
    f->variant.form = CUNA_FORM_FOLD_ROWS;
    f->tile = f->call.device->driver->facts.tile_elements;
    f->pieces = cuna__ceil_div(inner, f->tile);
    f->rows = cuna__max(1, cuna__min(f->tile / cuna__max(f->count, 1), 4096));
    cut_segments(f, cuna__ceil_div(f->outputs, f->rows), f->count / inner * f->pieces, f->count);
    cuna__fold_classify(f, &f->reduced);
}

static void cut_runs(cuna_fold *f)
{
    f->rows = f->pieces = f->runs = f->segments = 1;
    if (f->count > 0 && has_short_rows(f))
        cut_tiles(f);
    else if (f->count > 0 && prefers_columns(f))
        cut_columns(f);
    else
        cut_rows(f);
    f->merge_blocks = cuna__ceil_div(f->outputs, f->tile);
}

/* ---- blocks of many lanes ---- */

/* Decides how wide accesses of operands from `first` on along the last axis of `runs` are; `whole` says whether an access may not cross its end. */
static void choose_vector(cuna_fold *f, int first, const cuna_layout *runs, const cuna_layout *others, bool whole)
{
    cuna_variant *variant = &f->variant;
    int run = runs->ndim - 1, count = runs->noperands;
    variant->vector_log2 =
        (uint8_t)cuna__variant_vector_log2(f->call.program, variant, f->call.device->driver->facts.vector_nbytes);
    bool fits = !whole || runs->shape[run] % ((int64_t)1 << variant->vector_log2) == 0;
    if (!fits || !cuna__operands_are_aligned(f->call.arrays, variant, first, count, runs, run) ||
        !cuna__operands_are_aligned(f->call.arrays, variant, first, count, others, -1))
        variant->vector_log2 = 0;
}

/* Cuts the folded space, which `blocks` blocks would fold whole, into segments for about `most` blocks: whole rounds of
 * `round` elements. */
static void cut_spans(cuna_fold *f, int64_t blocks, int64_t most, int64_t round)
{
    int64_t wanted = cuna__min(cuna__ceil_div(most, blocks), f->count / (round * SEGMENT_ROUNDS));
    f->span = cuna__ceil_div(cuna__ceil_div(f->count, cuna__max(wanted, 1)), round) * round;
    f->segments = cuna__max(1, cuna__ceil_div(f->count, cuna__max(f->span, 1)));
    f->blocks = blocks * f->segments;
}

static void cut_columns_lanes(cuna_fold *f, int lanes_log2)
{
    int64_t inner = f->kept.shape[f->kept.ndim - 1];
    f->variant.form = CUNA_FORM_FOLD_COLUMNS;
    cuna__fold_classify(f, &f->kept);
    choose_vector(f, first_input(f), &f->kept, &f->reduced, false);
    int64_t wide = cuna__ceil_div(inner, (int64_t)1 << f->variant.vector_log2);
    f->team = cuna__min(cuna__ceil_log2(wide), cuna__min(COLUMNS_LOG2, lanes_log2));
    f->pieces = cuna__ceil_div(wide, (int64_t)1 << f->team);
    int64_t rows_at_once = (int64_t)1 << (lanes_log2 - f->team);
    cut_spans(f, f->outputs / inner * f->pieces, COLUMNS_BLOCKS,
              rows_at_once * cuna__variant_items(f->call.program, &f->variant));
}

/* Lanes that fold one row (log2): so many that each has a few accesses. */
static int rows_team(const cuna_fold *f, int lanes_log2)
{
    int64_t round = (int64_t)cuna__variant_items(f->call.program, &f->variant) << f->variant.vector_log2;
    int team = cuna__ceil_log2(cuna__ceil_div(f->count, round));
    if (team > WARP_LOG2)
        team = f->count > (round << (WARP_LOG2 + 1)) ? lanes_log2 : WARP_LOG2;
    return team;
}

static void cut_rows_lanes(cuna_fold *f, int lanes_log2)
{
    f->variant.form = CUNA_FORM_FOLD_ROWS;
    cuna__fold_classify(f, &f->reduced);
    choose_vector(f, first_input(f), &f->reduced, &f->kept, f->reduced.ndim > 1);
    int64_t access = (int64_t)1 << f->variant.vector_log2, items = cuna__variant_items(f->call.program, &f->variant);
    f->team = rows_team(f, lanes_log2);
    int64_t blocks = cuna__ceil_div(f->outputs, (int64_t)1 << (lanes_log2 - f->team));
    if (f->team == lanes_log2) {
        cut_spans(f, blocks, ROWS_BLOCKS, access * items << lanes_log2);
    } else {
        f->span = f->count;
        f->blocks = blocks;
    }
}

static void cut_lanes(cuna_fold *f)
{
    int lanes_log2 = cuna__ceil_log2(f->call.device->driver->facts.lanes);
    f->pieces = f->segments = 1;
    if (f->count > 0 && prefers_columns(f))
        cut_columns_lanes(f, lanes_log2);
    else
        cut_rows_lanes(f, lanes_log2);
    f->merge_team = cuna__ceil_log2(f->segments);
    if (f->merge_team > WARP_LOG2)
        f->merge_team = lanes_log2;
    f->merge_blocks = cuna__ceil_div(f->outputs, (int64_t)1 << (lanes_log2 - f->merge_team));
}

void cuna__fold_cut(cuna_fold *fold)
{
    add_unit_axis(&fold->reduced);
    if (fold->call.device->driver->facts.lanes > 1)
        cut_lanes(fold);
    else
        cut_runs(fold);
}

/* ---- programs in stages: a team or a block of one lane for each row, whatever its length ---- */

static void cut_stages_lanes(cuna_fold *f, int lanes_log2)
{
    cuna__fold_classify(f, &f->reduced);
    choose_vector(f, 0, &f->reduced, &f->kept, f->reduced.ndim > 1);
    f->team = rows_team(f, lanes_log2);
    f->span = f->count;
    f->blocks = cuna__ceil_div(f->outputs, (int64_t)1 << (lanes_log2 - f->team));
    if (f->count % ((int64_t)1 << f->variant.vector_log2) == 0)
        f->variant.resident = (uint8_t)cuna__variant_resident(
            f->call.program, &f->variant, cuna__ceil_div(f->count, (int64_t)1 << (f->team + f->variant.vector_log2)));
}

static void cut_stages_runs(cuna_fold *f)
{
    int64_t inner = f->reduced.shape[f->reduced.ndim - 1];
    cuna__fold_classify(f, &f->reduced);
    f->tile = f->call.device->driver->facts.tile_elements;
    f->pieces = cuna__ceil_div(inner, f->tile);
    f->runs = f->count / inner * f->pieces;
    f->rows = cuna__max(1, cuna__min(f->tile / f->count, 4096));
    f->blocks = cuna__ceil_div(f->outputs, f->rows);
}

bool cuna__fold_has_stages(const cuna_fold *f)
{
    return f->count > 0 && f->outputs >= (f->call.device->driver->facts.lanes > 1 ? STAGED_ROWS_LANES : STAGED_ROWS);
}

/* Whether separate folds by blocks of one lane fold a row as a stage does, as a whole and by itself: the bits of a result
 * must not depend on whether the kernel of its stages is there. */
static bool folds_alike(const cuna_fold *f)
{
    cuna_fold apart = *f;
    cut_runs(&apart);
    return apart.variant.form == CUNA_FORM_FOLD_ROWS && apart.segments == 1;
}

bool cuna__fold_cut_stages(cuna_fold *f)
{
    int lanes = f->call.device->driver->facts.lanes;
    add_unit_axis(&f->reduced);
    if (lanes > 1 ? prefers_columns(f) : !folds_alike(f))
        return false;
    f->variant.form = CUNA_FORM_STAGES;
    f->pieces = f->segments = 1;
    f->merge_team = 0;
    if (lanes > 1)
        cut_stages_lanes(f, cuna__ceil_log2(lanes));
    else
        cut_stages_runs(f);
    return true;
}

void cuna__fold_add_cut(cuna_words *words, const cuna_fold *f)
{
    const int64_t runs[] = {f->outputs, f->count, f->tile, f->pieces, f->rows, f->segments, f->runs};
    const int64_t lanes[] = {f->outputs, f->count, f->team, f->pieces, f->segments, f->span, f->merge_team};
    bool many = f->call.device->driver->facts.lanes > 1;
    if (many) {
        cuna__words_add_divisors(words, &f->kept);
        cuna__words_add_divisors(words, &f->reduced);
    }
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        cuna__words_add(words, many ? lanes[i] : runs[i]);
}
