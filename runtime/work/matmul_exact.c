/* matmul_exact.c: products of integer and bool matrices, and of floats in a fixed order, by kernels/product.cuh.
 *
 * Tiles are as large as the cache or shared memory allows, and smaller if there were fewer tiles than processors. */
#include "kernel/launch.h"
#include "work/matmul.h"

enum { OUT = CUNA_MATMUL_OUT, A = CUNA_MATMUL_A, B = CUNA_MATMUL_B };

/* Of blocks of one lane: 192 rows and 384 columns of sums, and slices of 1024 bytes, stay in the second cache. */
#define TILE_ROWS    192
#define TILE_COLUMNS 384
#define LEAST_ROWS   48
#define LEAST_COLUMN 96
#define SLICE_NBYTES 1024
#define PANEL_ROWS   12  /* a multiple of what kernels have */
#define PANEL_NBYTES 128 /* the same of columns */
#define LITTLE_WORK  65536.0

/* Of blocks of many lanes: words of a lane along each edge of a tile; 16 lanes have one. */
#define SMALL_SIDE 4
#define LARGE_SIDE 8

/* And of teams, which have a small product each. */
#define LEAST_TEAM_LOG2 2

typedef struct exact {
    const cuna_program *program;
    bool lanes;
    int64_t processors;
} exact;

typedef struct cut {
    int64_t tile_rows, tile_columns, down, across, tiles, share, depth, nbytes; /* nbytes: of a block's workspace */
    int side; /* of tiles; or the logarithm of a team's lanes */
    cuna_form form;
} cut;

static int64_t round_up(int64_t value, int64_t multiple)
{
    return cuna__ceil_div(value, multiple) * multiple;
}

static void count_tiles(cut *c, const cuna_product *p, int64_t count)
{
    c->down = cuna__ceil_div(p->m, c->tile_rows);
    c->across = cuna__ceil_div(p->n, c->tile_columns);
    c->tiles = count * c->down * c->across;
}

/* Halves the longer edge of tiles until there are enough. */
static void cut_runs(cut *c, const exact *e, const cuna_product *p, int64_t count)
{
    int64_t word = cuna_dtype_size(p->dtype) == 1 && p->dtype != CUNA_BOOL ? 2 : cuna_dtype_size(p->dtype);
    bool little = (double)p->m * (double)p->n * (double)p->k < LITTLE_WORK;
    c->tile_rows = TILE_ROWS;
    c->tile_columns = TILE_COLUMNS;
    c->depth = SLICE_NBYTES / word;
    count_tiles(c, p, count);
    while (!little && c->tiles < 3 * e->processors && (c->tile_rows > LEAST_ROWS || c->tile_columns > LEAST_COLUMN)) {
        *(c->tile_columns > c->tile_rows ? &c->tile_columns : &c->tile_rows) /= 2;
        count_tiles(c, p, count);
    }
    c->share = cuna__min(c->tiles, 4 * e->processors);
    int64_t rows = round_up(cuna__min(c->tile_rows, p->m), PANEL_ROWS);
    int64_t columns = round_up(cuna__min(c->tile_columns, p->n), PANEL_NBYTES / word);
    c->nbytes = round_up(word * (rows * columns + (rows + columns) * c->depth), PANEL_NBYTES);
}

/* The stack's products count as tiles. */
static void cut_teams(cut *c, const cuna_product *p, int64_t count)
{
    c->form = CUNA_FORM_PRODUCT_TEAMS;
    c->side = LEAST_TEAM_LOG2;
    while ((int64_t)1 << c->side < cuna__max(p->m, cuna__max(p->n, p->k)))
        c->side++;
    c->tiles = count;
    c->share = cuna__ceil_div(count, p->device->driver->facts.lanes >> c->side);
}

static void cut_lanes(cut *c, const exact *e, const cuna_product *p, int64_t count)
{
    c->side = cuna_dtype_size(p->dtype) > 4 ? SMALL_SIDE : LARGE_SIDE;
    c->tile_rows = c->tile_columns = 16 * c->side;
    count_tiles(c, p, count);
    if (c->tiles < 2 * e->processors) {
        c->side = SMALL_SIDE;
        c->tile_rows = c->tile_columns = 16 * c->side;
        count_tiles(c, p, count);
    }
    c->share = c->tiles;
}

static cuna_status launch(const cuna_product *p, const cuna_kernel *kernel, const cut *c, int axis, uint64_t workspace)
{
    /* The members of struct Product (kernels/product.cuh), in their order. */
    const int64_t arguments[] = {(int64_t)p->at[OUT],
                                 (int64_t)p->at[A],
                                 (int64_t)p->at[B],
                                 p->m,
                                 p->n,
                                 p->k,
                                 p->row[OUT],
                                 p->column[OUT],
                                 p->row[A],
                                 p->column[A],
                                 p->row[B],
                                 p->column[B],
                                 cuna__product_step(p, axis, OUT),
                                 cuna__product_step(p, axis, A),
                                 cuna__product_step(p, axis, B),
                                 c->tile_rows,
                                 c->tile_columns,
                                 c->down,
                                 c->across,
                                 c->tiles,
                                 c->share,
                                 c->depth,
                                 (int64_t)workspace,
                                 c->nbytes};
    cuna_words words;
    cuna__words_begin(&words);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        cuna__words_add(&words, arguments[i]);
    return cuna__launch(p->context, p->device, p->name, kernel->functions[0], c->share, &words);
}

static cuna_status multiply(const cuna_product *p, int axis, void *data)
{
    const exact *e = data;
    const cuna_kernel *kernel;
    cuna_block *workspace = NULL;
    cut c = {.form = CUNA_FORM_PRODUCT};
    if (cuna__product_is_small(p))
        cut_teams(&c, p, cuna__product_count(p, axis));
    else
        (e->lanes ? cut_lanes : cut_runs)(&c, e, p, cuna__product_count(p, axis));
    cuna_variant variant = {.form = (uint8_t)c.form, .resident = (uint8_t)c.side};
    CUNA_TRY(cuna__kernel_get(&kernel, p->context, p->device, e->program, &variant, 0));
    if (kernel == NULL)
        return CUNA_OK;
    if (c.nbytes > 0)
        CUNA_TRY(cuna__workspace_take(&workspace, p->context, p->device, c.share * c.nbytes));
    cuna_status status = launch(p, kernel, &c, axis, workspace != NULL ? workspace->ptr : 0);
    if (workspace != NULL)
        cuna__workspace_give_back(p->context, p->device, workspace);
    return status;
}

bool cuna__product_is_small(const cuna_product *p)
{
    return p->device->driver->facts.lanes > 1 && cuna__max(p->m, cuna__max(p->n, p->k)) <= CUNA_SMALL_PRODUCT;
}

cuna_status cuna__matmul_exact(cuna_product *p, const cuna_program *program, const cuna_array *out, const cuna_array *a,
                               const cuna_array *b)
{
    exact e = {.program = program,
               .lanes = p->device->driver->facts.lanes > 1,
               .processors = cuna__product_processors(p->device)};
    const cuna_array *operands[] = {out, a, b};
    CUNA_TRY(cuna__arrays_claim(p->context, p->device, CUNA_MATMUL_OPERANDS, operands));
    cuna__product_lay_out(p, out, a, b);
    return cuna__product_each(p, multiply, &e);
}
