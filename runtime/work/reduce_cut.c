/* reduce_cut.c: divides a fold into blocks.
 *
 * What decides in which order elements are added (form, elements side by side, teams, segments) follows from the guide
 * alone; the operands decide how they are read: with which strides, and how many elements in one access.
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
#define MANY_ROWS         8192  /* rows that keep all lanes busy when a warp folds each */
#define WARP_ELEMENTS     1024  /* of such rows, for which stages have room in the registers of a warp */

/* The operand whose access pattern decides: the first that moves along both innermost axes, with different strides; -1 if
 * none does. One with stride 0 along an axis is read repeatedly, from a cache; windows, with equal strides, suit both
 * orders. */
static int find_decisive(const cuna_guide *g)
{
    int inner = g->kept->ndim - 1, folded = g->reduced->ndim - 1;
    for (int k = g->first; k < g->kept->noperands; k++) {
        int64_t kept = g->kept->strides[k][inner], reduced = g->reduced->strides[k][folded];
        if (kept != 0 && reduced != 0 && cuna__magnitude(kept) != cuna__magnitude(reduced))
            return k;
    }
    return -1;
}

static int decisive_operand(const cuna_guide *g)
{
    int found = find_decisive(g);
    return found < 0 ? g->first : found;
}

/* Rows so short that folding each by itself costs more than packing many into a tile: they would not fill the states
 * that a run has side by side. */
static bool has_short_rows(const cuna_fold *f, const cuna_guide *g)
{
    _Static_assert(SHORT_ROW <= CUNA_TILE_SIDE, "a tile has room for the longest of them");
    int inner = g->kept->ndim - 1;
    if (g->kept->ndim == 0 || g->reduced->ndim != 1 || f->count >= SHORT_ROW ||
        g->kept->shape[inner] < CUNA_TILE_SIDE / 2)
        return false;
    int operand = decisive_operand(g);
    cuna_stride_class along = cuna__stride_classify(g->kept->strides[operand][inner]);
    return g->reduced->strides[operand][0] == 1 && (along == CUNA_STRIDE_ANY || along == CUNA_STRIDE_TWO);
}

/* Runs lie along the kept axis when the decisive operand is walked in smaller steps there. */
static bool prefers_columns(const cuna_guide *g)
{
    if (g->kept->ndim == 0)
        return false;
    int operand = decisive_operand(g), kept = g->kept->ndim - 1, reduced = g->reduced->ndim - 1;
    return g->kept->shape[kept] >= 4 &&
           cuna__magnitude(g->kept->strides[operand][kept]) < cuna__magnitude(g->reduced->strides[operand][reduced]);
}

/* Whether some input would rather be walked along the other axis than the guide. */
static bool lies_across(const cuna_fold *f)
{
    return f->own.kept->ndim > 0 && find_decisive(&f->own) >= 0 &&
           prefers_columns(&f->own) != (f->variant.form == CUNA_FORM_FOLD_COLUMNS);
}

static int64_t last_length(const cuna_layout *layout)
{
    return layout->shape[layout->ndim - 1];
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
}

/* Squares of short rows: one block each. */
static void cut_tiles(cuna_fold *f)
{
    int64_t inner = last_length(&f->kept);
    f->variant.form = CUNA_FORM_FOLD_TILES;
    f->tile = CUNA_TILE_SIDE;
    f->pieces = cuna__ceil_div(inner, CUNA_TILE_SIDE);
    cuna__fold_classify(f, &f->kept);
    for (int k = f->own.first; k < f->kept.noperands; k++)
        if (f->variant.stride_class[k] == CUNA_STRIDE_ANY && f->reduced.strides[k][0] == 1)
            f->variant.stride_class[k] = CUNA_STRIDE_TILED;
    f->blocks = f->outputs / inner * f->pieces;
}

static void cut_columns(cuna_fold *f)
{
    int64_t inner = last_length(f->guide->kept), own = last_length(&f->kept);
    f->variant.form = CUNA_FORM_FOLD_COLUMNS;
    f->tile = CUNA_FOLD_COLUMNS;
    cut_segments(f, f->outputs / inner * cuna__ceil_div(inner, CUNA_FOLD_COLUMNS),
                 cuna__ceil_div(f->count, CUNA_FOLD_PASS), cuna__min(inner, CUNA_FOLD_COLUMNS) * f->count);
    f->runs *= CUNA_FOLD_PASS;
    f->pieces = cuna__ceil_div(own, CUNA_FOLD_COLUMNS);
    f->blocks = f->outputs / own * f->pieces * f->segments;
    cuna__fold_classify(f, &f->kept);
}

static void cut_rows(cuna_fold *f)
{
    int64_t inner = last_length(f->guide->reduced);
    f->variant.form = CUNA_FORM_FOLD_ROWS;
    f->tile = f->call.device->driver->facts.tile_elements;
    f->length = inner;
    f->pieces = cuna__ceil_div(inner, f->tile);
    f->rows = cuna__max(1, cuna__min(f->tile / cuna__max(f->count, 1), 4096));
    int64_t blocks = cuna__ceil_div(f->outputs, f->rows);
    cut_segments(f, blocks, f->count / inner * f->pieces, f->count);
    f->blocks = blocks * f->segments;
    cuna__fold_classify(f, &f->reduced);
}

/* Whether the guide's runs are easily made of the operands': a square has one row for each, and rows that several make up
 * for one of the guide must not be short. */
static bool has_runs_of_guide(const cuna_fold *f)
{
    switch (f->variant.form) {
    case CUNA_FORM_FOLD_TILES:
        return f->reduced.ndim == 1;
    case CUNA_FORM_FOLD_ROWS:
        return last_length(&f->reduced) == f->length || last_length(&f->reduced) >= SHORT_ROW;
    default:
        return true;
    }
}

static bool cut_runs(cuna_fold *f)
{
    f->rows = f->pieces = f->runs = f->segments = 1;
    f->team = f->span = f->length = 0;
    if (f->count > 0 && has_short_rows(f, f->guide))
        cut_tiles(f);
    else if (f->count > 0 && prefers_columns(f->guide))
        cut_columns(f);
    else
        cut_rows(f);
    f->merge_blocks = cuna__ceil_div(f->outputs, f->tile);
    return has_runs_of_guide(f);
}

/* ---- blocks of many lanes ---- */

/* Elements of an access along the last axis of `runs` (log2) that all operands of the guide can make. */
static int widest_access(const cuna_fold *f, const cuna_layout *runs)
{
    int64_t widest = 1;
    for (int k = f->guide->first; k < runs->noperands; k++) {
        cuna_stride_class class = cuna__stride_classify(runs->strides[k][runs->ndim - 1]);
        if (class > CUNA_STRIDE_UNIFORM)
            return 0;
        if (class == CUNA_STRIDE_UNIT)
            widest = cuna__max(widest, f->guide->itemsize[k]);
    }
    return cuna__variant_fit_vector(f->call.program, f->variant.form, widest,
                                    f->call.device->driver->facts.vector_nbytes);
}

bool cuna__guide_is_aligned(const cuna_guide *g, int k, int vector_log2, const cuna_layout *runs)
{
    int64_t bits = 0, nbytes = (int64_t)g->itemsize[k] << vector_log2;
    for (int axis = 0; axis < g->kept->ndim; axis++)
        bits |= runs == g->kept && axis == runs->ndim - 1 ? 0 : g->kept->strides[k][axis];
    for (int axis = 0; axis < g->reduced->ndim; axis++)
        bits |= runs == g->reduced && axis == runs->ndim - 1 ? 0 : g->reduced->strides[k][axis];
    return (int64_t)g->address[k] % nbytes == 0 && (bits & (((int64_t)1 << vector_log2) - 1)) == 0;
}

/* An access may not cross the end of the axis that it lies along, if there are others. */
static bool is_whole(const cuna_layout *reduced, int vector_log2)
{
    return reduced->ndim == 1 || last_length(reduced) % ((int64_t)1 << vector_log2) == 0;
}

/* Decides how many elements a lane has side by side along the last axis of `runs`, a layout of the guide. */
static void choose_vector(cuna_fold *f, const cuna_layout *runs)
{
    const cuna_guide *g = f->guide;
    int vector_log2 = widest_access(f, runs);
    bool fits = runs != g->reduced || is_whole(runs, vector_log2);
    for (int k = g->first; k < runs->noperands; k++)
        fits = fits && (cuna__stride_classify(runs->strides[k][runs->ndim - 1]) != CUNA_STRIDE_UNIT ||
                        cuna__guide_is_aligned(g, k, vector_log2, runs));
    f->variant.vector_log2 = (uint8_t)(fits ? vector_log2 : 0);
}

/* Operands from `first` on that are not aligned are accessed element by element. */
static void classify_lanes(cuna_fold *f, int first, const cuna_layout *runs)
{
    cuna__fold_classify(f, runs);
    for (int k = first; k < runs->noperands; k++)
        if (f->variant.stride_class[k] == CUNA_STRIDE_UNIT &&
            !cuna__guide_is_aligned(&f->own, k, f->variant.vector_log2, runs))
            f->variant.stride_class[k] = CUNA_STRIDE_ANY;
}

/* Accesses that a lane has under way at once, of the widest array that the guide reads. How many arrays it reads does not
 * count: y of vdot(y, y) is read twice, but computed once by a program that has the steps before it, too. */
static int64_t count_items(const cuna_fold *f, const cuna_layout *runs)
{
    int64_t nbytes = 0;
    for (int k = f->guide->first; k < runs->noperands; k++)
        if (runs->strides[k][runs->ndim - 1] != 0)
            nbytes = cuna__max(nbytes, f->guide->itemsize[k]);
    return cuna__variant_fit_items(f->call.program, nbytes, f->variant.vector_log2);
}

/* Cuts the folded space, which `blocks` blocks would fold whole, into segments for about `most` blocks: whole rounds of
 * `round` elements. */
static void cut_spans(cuna_fold *f, int64_t blocks, int64_t most, int64_t round)
{
    int64_t wanted = cuna__min(cuna__ceil_div(most, blocks), f->count / (round * SEGMENT_ROUNDS));
    f->span = cuna__ceil_div(cuna__ceil_div(f->count, cuna__max(wanted, 1)), round) * round;
    f->segments = cuna__max(1, cuna__ceil_div(f->count, cuna__max(f->span, 1)));
}

static void cut_columns_lanes(cuna_fold *f, int lanes_log2)
{
    int64_t inner = last_length(f->guide->kept), own = last_length(&f->kept);
    f->variant.form = CUNA_FORM_FOLD_COLUMNS;
    choose_vector(f, f->guide->kept);
    int64_t access = (int64_t)1 << f->variant.vector_log2, wide = cuna__ceil_div(inner, access);
    f->team = cuna__min(cuna__ceil_log2(wide), cuna__min(COLUMNS_LOG2, lanes_log2));
    int64_t rows_at_once = (int64_t)1 << (lanes_log2 - f->team);
    cut_spans(f, f->outputs / inner * cuna__ceil_div(wide, (int64_t)1 << f->team), COLUMNS_BLOCKS,
              rows_at_once * count_items(f, f->guide->kept));
    f->pieces = cuna__ceil_div(cuna__ceil_div(own, access), (int64_t)1 << f->team);
    f->blocks = f->outputs / own * f->pieces * f->segments;
    classify_lanes(f, f->own.first, &f->kept);
}

/* Lanes that fold one row (log2): so many that each has a few accesses of `round` elements in all. Of rows that keep all
 * lanes busy each has twice as many, and long ones a part of a block, which would not be done before the next begins. */
static int rows_team(const cuna_fold *f, int64_t round, int lanes_log2)
{
    int team = cuna__ceil_log2(cuna__ceil_div(f->count, round));
    if (team <= WARP_LOG2)
        return team;
    if (f->outputs < MANY_ROWS)
        return f->count <= 2 * round << WARP_LOG2 ? WARP_LOG2 : lanes_log2;
    if (f->count <= cuna__max(2 * round << WARP_LOG2, cuna__min(4 * round << WARP_LOG2, WARP_ELEMENTS)))
        return WARP_LOG2;
    return (int)cuna__min(cuna__ceil_log2(cuna__ceil_div(f->count, 2 * round)), lanes_log2);
}

static void cut_rows_lanes(cuna_fold *f, int lanes_log2)
{
    f->variant.form = CUNA_FORM_FOLD_ROWS;
    choose_vector(f, f->guide->reduced);
    int64_t round = count_items(f, f->guide->reduced) << f->variant.vector_log2;
    f->team = rows_team(f, round, lanes_log2);
    f->span = f->count;
    int64_t blocks = cuna__ceil_div(f->outputs, (int64_t)1 << (lanes_log2 - f->team));
    if (f->team == lanes_log2)
        cut_spans(f, blocks, ROWS_BLOCKS, round << lanes_log2);
    f->blocks = blocks * f->segments;
    classify_lanes(f, f->own.first, &f->reduced);
}

static bool cut_lanes(cuna_fold *f)
{
    int lanes_log2 = cuna__ceil_log2(f->call.device->driver->facts.lanes);
    bool columns = f->count > 0 && prefers_columns(f->guide);
    f->pieces = f->segments = 1;
    (columns ? cut_columns_lanes : cut_rows_lanes)(f, lanes_log2);
    f->merge_team = cuna__ceil_log2(f->segments);
    if (f->merge_team > WARP_LOG2)
        f->merge_team = lanes_log2;
    f->merge_blocks = cuna__ceil_div(f->outputs, (int64_t)1 << (lanes_log2 - f->merge_team));
    return columns || is_whole(&f->reduced, f->variant.vector_log2);
}

bool cuna__fold_cut(cuna_fold *f)
{
    add_unit_axis(&f->reduced);
    if (f->guide == &f->stored)
        add_unit_axis(&f->guide_reduced);
    bool follows = f->call.device->driver->facts.lanes > 1 ? cut_lanes(f) : cut_runs(f);
    return f->guide == &f->own || (follows && !lies_across(f));
}

/* ---- programs in stages: a team or a block of one lane for each row, whatever its length ---- */

bool cuna__fold_has_stages(const cuna_fold *f)
{
    bool many = f->call.device->driver->facts.lanes > 1;
    return f->count > 0 &&
           (many ? f->outputs >= STAGED_ROWS_LANES || f->count <= CUNA_STAGED_ELEMENTS : f->outputs >= STAGED_ROWS);
}

bool cuna__fold_is_stage(const cuna_fold *f)
{
    bool many = f->call.device->driver->facts.lanes > 1;
    return f->variant.form == CUNA_FORM_FOLD_ROWS && f->segments <= (many ? CUNA_STAGED_SEGMENTS : 1);
}

void cuna__fold_cut_stages(cuna_fold *f)
{
    f->variant.form = CUNA_FORM_STAGES;
    if (f->call.device->driver->facts.lanes == 1) {
        f->runs = f->count / f->length * f->pieces;
        return;
    }
    int64_t access = (int64_t)1 << f->variant.vector_log2;
    f->blocks /= f->segments;
    f->variant.segmented = f->segments > 1;
    classify_lanes(f, 0, &f->reduced);
    if (f->count % access == 0)
        f->variant.resident =
            (uint8_t)cuna__variant_resident(f->call.program, &f->variant, cuna__ceil_div(f->count, access << f->team));
}

void cuna__fold_add_cut(cuna_words *words, const cuna_fold *f)
{
    const int64_t runs[] = {f->outputs, f->count, f->tile, f->pieces, f->rows, f->segments, f->runs, f->length};
    const int64_t lanes[] = {f->outputs, f->count, f->team, f->pieces, f->segments, f->span, f->merge_team};
    bool many = f->call.device->driver->facts.lanes > 1;
    if (many) {
        cuna__words_add_divisors(words, &f->kept);
        cuna__words_add_divisors(words, &f->reduced);
    }
    for (size_t i = 0; i < (many ? sizeof lanes / sizeof *lanes : sizeof runs / sizeof *runs); i++)
        cuna__words_add(words, many ? lanes[i] : runs[i]);
}
