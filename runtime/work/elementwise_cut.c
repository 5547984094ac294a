/* elementwise_cut.c: divides an elementwise walk into blocks.
 *
 * A block of one lane computes a tile of elements, row by row. A block of many lanes computes up to `items` accesses
 * per lane: along a row, or of short rows down to further ones. The words of the cut are those of struct Walk in
 * kernels/walk_runs.cuh and kernels/walk_lanes.cuh. */
#include "work/elementwise_cut.h"

#define LINE_NBYTES     64   /* of a cache line */
#define LONG_ROW_NBYTES 4096 /* rows whose ends do not matter */
#define SPREAD_BLOCKS   512  /* some for each multiprocessor of a GPU */
#define MANY_ROWS       64
#define TALLY_BLOCKS    512 /* as many as run at once there */
#define TALLY_FEW       256 /* with fewer, a share of the table costs more than it saves */
#define TALLY_ELEMENTS  2   /* of a block for each slot of its share, at least */

void cuna__walk_choose_vector(cuna_walk *walk)
{
    cuna_variant *variant = &walk->variant;
    const cuna_layout *layout = &walk->layout;
    bool in_steps = walk->program->text.gathers && variant->form != CUNA_FORM_TALLY;
    if (walk->facts->vector_nbytes == 0 || variant->form == CUNA_FORM_TILES || in_steps)
        return;
    variant->vector_log2 = (uint8_t)cuna__variant_vector_log2(walk->program, variant, walk->facts->vector_nbytes);
    if (!cuna__operands_are_aligned(walk->operands, variant, 0, walk->noperands, layout, layout->ndim - 1))
        variant->vector_log2 = 0;
}

/* Short rows are those of which half a block has room for one: else lanes would be idle beside it, or have few accesses. Of
 * more axes, a place in further rows costs divisions, a place in the same row does not. */
void cuna__walk_choose_rows(cuna_walk *walk)
{
    cuna_variant *variant = &walk->variant;
    if (variant->form != CUNA_FORM_ROWS || walk->facts->lanes == 1)
        return;
    int64_t limit = walk->facts->lanes / (variant->rank > 2 ? 4 : 2);
    int64_t inner = walk->layout.shape[walk->layout.ndim - 1],
            rest = inner & (((int64_t)1 << variant->vector_log2) - 1);
    int log2 = rest != 0 ? 0 : variant->vector_log2;
    if (inner >> log2 > limit || inner == walk->size)
        return;
    variant->form = CUNA_FORM_SHORT_ROWS;
    variant->vector_log2 = (uint8_t)log2;
}

/* Whether the squares of the tiled operands up to number `last` have room. */
static bool tiles_fit(const cuna_walk *walk, int last)
{
    int64_t nbytes = 0, side = cuna__variant_side(walk->program, &walk->variant);
    for (int k = 0; k <= last; k++)
        if (walk->variant.stride_class[k] == CUNA_STRIDE_TILED)
            nbytes += side * (side + 4) * cuna_dtype_size(walk->operands[k]->dtype);
    return nbytes <= CUNA_TILES_NBYTES;
}

void cuna__walk_limit_tiles(cuna_walk *walk)
{
    for (int k = walk->noperands - 1; walk->facts->lanes > 1 && !tiles_fit(walk, k); k--)
        if (walk->variant.stride_class[k] == CUNA_STRIDE_TILED)
            walk->variant.stride_class[k] = CUNA_STRIDE_ANY;
}

/* Whether rows of the output begin on cache lines, so that writing them past the caches writes whole lines. */
static bool has_aligned_rows(const cuna_walk *walk)
{
    const cuna_array *out = walk->operands[0];
    int64_t itemsize = cuna_dtype_size(out->dtype);
    bool aligned = cuna__array_data(out) % LINE_NBYTES == 0;
    for (int axis = 0; axis < walk->layout.ndim - 1; axis++)
        aligned = aligned && walk->layout.strides[0][axis] * itemsize % LINE_NBYTES == 0;
    return aligned;
}

/* Outputs written past the caches pay only when they are large and not read in the same breath, and rows when they are
 * whole lines; rows of tiles, which no line of the output follows soon, pay in any case (2 to 3 times). */
static bool streams(const cuna_walk *walk)
{
    if (walk->program->text.noutputs == 0)
        return false;
    const cuna_array *out = walk->operands[0];
    const cuna_layout *layout = &walk->layout;
    int64_t threshold = walk->facts->streaming_nbytes, itemsize = cuna_dtype_size(out->dtype);
    if (threshold == 0 || out->size * itemsize < threshold)
        return false;
    for (int k = 1; k < walk->noperands; k++)
        if (cuna__array_data(walk->operands[k]) == cuna__array_data(out))
            return false;
    return walk->variant.form != CUNA_FORM_ROWS || layout->shape[layout->ndim - 1] * itemsize >= LONG_ROW_NBYTES ||
           has_aligned_rows(walk);
}

/* A tile that keeps the order that a program wants. */
static int64_t ordered_tile(const cuna_walk *walk, int64_t tile)
{
    const cuna_layout *layout = &walk->layout;
    uint8_t order = walk->program->text.in_order;
    if (order == CUNA_ORDER_ANY)
        return cuna__max(tile >> walk->program->text.span_log2, 1);
    return order == CUNA_ORDER_ROW && walk->variant.form == CUNA_FORM_ROWS ? layout->shape[layout->ndim - 1]
                                                                           : cuna__max(walk->size, 1);
}

/* Blocks of one lane: words from `size` to `streaming`. */
static int64_t cut_runs(cuna_words *words, const cuna_walk *walk)
{
    const cuna_layout *layout = &walk->layout;
    int64_t tile = ordered_tile(walk, walk->facts->tile_elements), pieces = 1, rows = 1;
    /* One division less for the walk that fits one tile: most calls are of few elements. */
    int64_t blocks = walk->size <= tile ? 1 : cuna__ceil_div(walk->size, tile);
    if (walk->variant.form == CUNA_FORM_ROWS) {
        /* A block has a piece of one row or several whole rows: pieces or rows is 1. */
        int64_t inner = layout->shape[layout->ndim - 1];
        pieces = cuna__ceil_div(inner, tile);
        rows = cuna__max(1, tile / inner);
        blocks = cuna__ceil_div(walk->size / inner, rows) * pieces;
    } else if (walk->variant.form == CUNA_FORM_TILES) {
        int64_t wide = layout->shape[layout->ndim - 1], high = layout->shape[layout->ndim - 2];
        blocks = cuna__ceil_div(wide, CUNA_TILE_SIDE) * cuna__ceil_div(high, CUNA_TILE_SIDE * CUNA_TILE_STRIP) *
                 (walk->size / (wide * high));
    }
    cuna__words_add(words, walk->size);
    cuna__words_add(words, tile);
    cuna__words_add(words, pieces);
    cuna__words_add(words, rows);
    cuna__words_add(words, streams(walk));
    return blocks;
}

/* Accesses of a lane in a flat walk. Few elements are spread over all multiprocessors: what such a walk takes is the
 * latency of its accesses. */
static int64_t flat_items(const cuna_walk *walk)
{
    int64_t block = (int64_t)walk->facts->lanes << walk->variant.vector_log2;
    int64_t items = cuna__variant_items(walk->program, &walk->variant);
    return cuna__min(items, cuna__ceil_div(walk->size, block * SPREAD_BLOCKS));
}

/* Elements that a block of a tally has under way at once. */
static int64_t tally_round(const cuna_walk *walk)
{
    int64_t items = cuna__variant_items(walk->program, &walk->variant);
    return (walk->facts->lanes * items) << walk->variant.vector_log2;
}

/* A block goes through the elements in rounds, so that it has many for each slot of its share. */
static int64_t tally_blocks(const cuna_walk *walk)
{
    int64_t blocks = cuna__min(cuna__ceil_div(walk->size, tally_round(walk)), TALLY_BLOCKS);
    if (walk->variant.resident)
        blocks = cuna__min(blocks, walk->size / (TALLY_ELEMENTS * walk->slots));
    return cuna__max(blocks, 1);
}

void cuna__walk_choose_shares(cuna_walk *walk)
{
    int64_t wanted = cuna__min(tally_blocks(walk), TALLY_FEW);
    bool has_room = walk->slots > 0 && walk->slots * walk->program->text.tally_nbytes <= CUNA_TALLY_NBYTES;
    walk->variant.resident = has_room && walk->size / (TALLY_ELEMENTS * walk->slots) >= wanted;
}

/* How blocks of many lanes share a walk: the words from `pieces` to `cut`, of which the last divides by a number. */
typedef struct cut {
    int64_t blocks, pieces, rows, across, down, by;
} cut;

/* Accesses of a row. */
static int64_t row_accesses(const cuna_walk *walk)
{
    return cuna__ceil_div(walk->layout.shape[walk->layout.ndim - 1], (int64_t)1 << walk->variant.vector_log2);
}

/* Accesses of a lane: where there are few, lanes of all multiprocessors share them. */
static int64_t row_items(const cuna_walk *walk, int64_t accesses)
{
    int64_t items = cuna__variant_items(walk->program, &walk->variant);
    return cuna__min(items, cuna__ceil_div(accesses, walk->facts->lanes * SPREAD_BLOCKS));
}

/* A row is cut into pieces of so many accesses that 32 lanes have enough; the last one is shorter. Pieces of a block lie one
 * below the other where there are so many rows that few blocks reach beyond the last one. */
static cut cut_rows(const cuna_walk *walk)
{
    int64_t wide = row_accesses(walk), rows = walk->size / walk->layout.shape[walk->layout.ndim - 1];
    int64_t piece = CUNA_WARP * row_items(walk, rows * wide), pieces = cuna__ceil_div(wide, piece);
    int64_t teams = walk->facts->lanes / CUNA_WARP, down = 0;
    while (rows >= MANY_ROWS && (int64_t)1 << down < teams)
        down++;
    return (cut){.blocks = cuna__ceil_div(cuna__ceil_div(rows, (int64_t)1 << down) * pieces, teams >> down),
                 .pieces = pieces,
                 .rows = rows,
                 .across = piece << walk->variant.vector_log2,
                 .down = down,
                 .by = pieces};
}

static cut cut_short_rows(const cuna_walk *walk)
{
    int64_t wide = row_accesses(walk), rows = walk->size / walk->layout.shape[walk->layout.ndim - 1];
    int64_t beside = walk->facts->lanes / wide, down = beside * row_items(walk, rows * wide);
    return (cut){
        .blocks = cuna__ceil_div(rows, down), .pieces = beside, .rows = rows, .across = wide, .down = down, .by = wide};
}

static cut cut_tiles(const cuna_walk *walk)
{
    const cuna_layout *layout = &walk->layout;
    int64_t side = cuna__variant_side(walk->program, &walk->variant);
    int64_t wide = layout->shape[layout->ndim - 1], high = layout->shape[layout->ndim - 2];
    int64_t pieces = cuna__ceil_div(wide, side), rows = cuna__ceil_div(high, side);
    return (cut){.blocks = pieces * rows * (walk->size / (wide * high)), .pieces = pieces, .rows = rows};
}

static cut cut_tally(const cuna_walk *walk)
{
    int64_t blocks = tally_blocks(walk);
    return (cut){.blocks = blocks, .pieces = blocks, .rows = walk->slots, .across = cuna__ceil_div(walk->size, blocks)};
}

static cut cut_flat(const cuna_walk *walk)
{
    int64_t pieces = flat_items(walk);
    int64_t blocks = cuna__ceil_div(walk->size, (walk->facts->lanes * pieces) << walk->variant.vector_log2);
    return (cut){.blocks = blocks, .pieces = pieces, .rows = 1};
}

static cut cut_form(const cuna_walk *walk)
{
    switch (walk->variant.form) {
    case CUNA_FORM_ROWS:
        return cut_rows(walk);
    case CUNA_FORM_SHORT_ROWS:
        return cut_short_rows(walk);
    case CUNA_FORM_TILES:
        return cut_tiles(walk);
    case CUNA_FORM_TALLY:
        return cut_tally(walk);
    default:
        return cut_flat(walk);
    }
}

/* Blocks of many lanes: words from `divisor` to `cut`. */
static int64_t cut_lanes(cuna_words *words, const cuna_walk *walk)
{
    const cut shares = cut_form(walk);
    cuna__words_add_divisors(words, &walk->layout);
    cuna__words_add(words, walk->size);
    cuna__words_add(words, shares.pieces);
    cuna__words_add(words, shares.rows);
    cuna__words_add(words, shares.across);
    cuna__words_add(words, shares.down);
    if (shares.by > 0)
        cuna__words_add_divisor(words, shares.by);
    else
        cuna__words_skip(words, 1);
    return shares.blocks;
}

int64_t cuna__walk_cut(cuna_words *words, const cuna_walk *walk)
{
    return walk->facts->lanes > 1 ? cut_lanes(words, walk) : cut_runs(words, walk);
}
