/* copy_join.c: joins arrays along an axis of one output.
 *
 * Each array is copied to its part of the output, which is described by a struct on the stack: no view is created, so
 * joining many small arrays costs little more than copying them. Where a launch costs more than a small copy,
 * neighbouring arrays are copied by one launch. The output is then a matrix: a row for each position of the axes
 * before the joined one, and in it a part from each array. For each element the kernel looks up its array in a table.
 * The table is part of the launch's arguments, so it needs no upload, and a graph records it. */
#include "array/array.h"
#include "base/shape.h"
#include "kernel/launch.h"

#define SMALL_NBYTES ((int64_t)32 << 20) /* of an array: beyond, the driver's copy of each is as fast */
#define SHORT_NBYTES 1024                /* of parts of rows that would be written as pieces of lines */
#define FEW_ARRAYS   16
#define MANY_ARRAYS  (CUNA_MAX_TABLE / 2)

/* Where the next array goes. */
typedef struct part {
    cuna_array array;
    int64_t dims[2 * CUNA_MAX_NDIM];
} part;

/* An array as rows, whose elements are `step` apart, in elements. */
typedef struct grid {
    int64_t rows, row_step, length, step;
} grid;

/* Arrays that are neighbours in the output and have dtype and step in common. */
typedef struct batch {
    int count;
    int64_t first, length; /* where their part of the axis begins; elements of a row of all */
    cuna_dtype dtype;
    int64_t step;
    uint64_t bits; /* of their addresses, and of the bytes of rows and between them: what divides this divides all */
    const cuna_array *arrays[MANY_ARRAYS];
    grid grids[MANY_ARRAYS];
} batch;

typedef struct joint {
    cuna_context *context;
    const cuna_array *out;
    int axis;
    bool stacked, batches; /* whether arrays may be copied together */
    grid grid;             /* of the output */
    batch next;
} joint;

/* The part of `out` that has x's shape and begins at position `at` of the axis, which stacked arrays do not have. */
static void look_at(part *p, const cuna_array *out, const cuna_array *x, int axis, bool stacked, int64_t at)
{
    const int64_t *strides = cuna_array_strides(out);
    int ndim = x->ndim;
    p->array = *out;
    p->array.dims = p->dims;
    p->array.ndim = x->ndim;
    p->array.size = x->size;
    p->array.offset += at * strides[axis] * cuna_dtype_size(out->dtype);
    for (int i = 0; i < ndim; i++) {
        p->dims[i] = cuna_array_shape(x)[i];
        p->dims[ndim + i] = strides[i + (stacked && i >= axis)];
    }
    p->array.flags = CUNA_ARRAY_VIEW;
    if (cuna__shape_is_contiguous(ndim, p->dims, p->dims + ndim))
        p->array.flags |= CUNA_ARRAY_CONTIGUOUS;
}

static cuna_status copy_alone(const joint *j, const cuna_array *x, int64_t at)
{
    part p;
    look_at(&p, j->out, x, j->axis, j->stacked, at);
    return cuna_array_copy(j->context, &p.array, x);
}

/* ---- several at once ---- */

/* Axes walked as one; the step of a single element is 1. */
static bool merge_axes(int64_t *length, int64_t *step, int count, const int64_t *shape, const int64_t *strides)
{
    *length = *step = 1;
    for (int i = count - 1; i >= 0; i--) {
        if (shape[i] == 1)
            continue;
        if (*length == 1)
            *step = strides[i];
        else if (strides[i] != *length * *step)
            return false;
        *length *= shape[i];
    }
    return true;
}

/* An array, not an empty one, as rows; false where it is none. */
static bool make_grid(grid *g, const cuna_array *x, int axis)
{
    const int64_t *shape = cuna_array_shape(x), *strides = cuna_array_strides(x);
    return cuna__array_data(x) % (uint64_t)cuna_dtype_size(x->dtype) == 0 &&
           merge_axes(&g->rows, &g->row_step, axis, shape, strides) &&
           merge_axes(&g->length, &g->step, x->ndim - axis, shape + axis, strides + axis);
}

static bool is_small(const cuna_array *x, const grid *g)
{
    int64_t itemsize = cuna_dtype_size(x->dtype);
    return x->size * itemsize <= SMALL_NBYTES || (g->rows > 1 && g->length * itemsize <= SHORT_NBYTES);
}

static bool fits_batch(const batch *b, const cuna_array *x, const grid *g)
{
    bool has_step = g->length > 1 && b->length > b->count;
    return b->count < MANY_ARRAYS && b->dtype == x->dtype && (!has_step || g->step == b->step) &&
           b->length + g->length <= INT32_MAX;
}

static void add_to_batch(batch *b, const cuna_array *x, const grid *g, int64_t at)
{
    uint64_t itemsize = (uint64_t)cuna_dtype_size(x->dtype);
    if (b->count == 0) {
        b->first = at;
        b->dtype = x->dtype;
        b->length = 0;
        b->bits = 0;
    }
    if (b->length == b->count) /* rows of one element have no step */
        b->step = g->step;
    b->arrays[b->count] = x;
    b->grids[b->count++] = *g;
    b->length += g->length;
    b->bits |=
        cuna__array_data(x) | (uint64_t)g->length * itemsize | (g->rows > 1 ? (uint64_t)g->row_step * itemsize : 0);
}

/* The dtypes as which elements move, when the dtype stays: integers, as large as addresses and lengths allow. */
static cuna_dtype find_carrier(const joint *j, uint64_t first)
{
    const batch *b = &j->next;
    uint64_t itemsize = (uint64_t)cuna_dtype_size(b->dtype), unit = itemsize;
    uint64_t bits = b->bits | first | (j->grid.rows > 1 ? (uint64_t)j->grid.row_step * itemsize : 0);
    while (unit < 16 && b->step == 1 && j->grid.step == 1 && bits % (2 * unit) == 0)
        unit *= 2;
    return unit == 1   ? CUNA_UINT8
           : unit == 2 ? CUNA_UINT16
           : unit == 4 ? CUNA_UINT32
           : unit == 8 ? CUNA_UINT64
                       : CUNA_COMPLEX128;
}

/* Its inputs are the table, how many arrays it has, and their step. */
static cuna_status join_program(const cuna_program **out, cuna_dtype to, cuna_dtype from, bool many)
{
    static const cuna_program *cached[2][CUNA_DTYPES][CUNA_DTYPES];
    const cuna_program **slot = &cached[many][to][from];
    *out = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    /* It gathers: what it reads has no place in the walk, which must be neither tiled nor vectorised. Two threads may both
     * come here; interning gives them one program. */
    cuna_program_text text = {.ninputs = 3, .noutputs = 1, .ninstructions = 1, .uses_index = 1, .gathers = 1};
    cuna_instruction *step = &text.instruction[0];
    text.table = 2 * (many ? MANY_ARRAYS : FEW_ARRAYS);
    for (int k = 0; k < text.ninputs; k++) {
        text.input_dtype[k] = CUNA_INT64;
        text.input_scalar[k] = k == 0 ? CUNA_SCALAR_TABLE : CUNA_SCALAR_NUMBER;
    }
    CUNA_TRY(cuna_operation_define(&step->operation, "joined", 4, "joined<D>(a, d, b, c)"));
    step->nargs = 4;
    step->dtype = (uint8_t)from;
    for (int k = 0; k < step->nargs; k++) {
        step->arg[k] = (uint8_t)k;
        step->arg_dtype[k] = CUNA_INT64;
    }
    text.output_dtype[0] = (uint8_t)to;
    text.output_value[0] = 4;
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(slot, *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* The batch's part of the output, from its byte `offset` on, in units of `scale` elements. */
static void look_at_batch(part *p, const joint *j, cuna_dtype dtype, int64_t scale, int64_t offset)
{
    int64_t rows = j->grid.rows, length = j->next.length / scale;
    int ndim = rows > 1 ? 2 : 1;
    p->array = *j->out;
    p->array.dims = p->dims;
    p->array.ndim = (uint8_t)ndim;
    p->array.dtype = (uint8_t)dtype;
    p->array.size = rows * length;
    p->array.offset += offset;
    p->dims[0] = rows;
    p->dims[ndim - 1] = length;
    p->dims[ndim] = j->grid.row_step / scale;
    p->dims[2 * ndim - 1] = j->grid.step;
    p->array.flags = CUNA_ARRAY_VIEW;
    if (cuna__shape_is_contiguous(ndim, p->dims, p->dims + ndim))
        p->array.flags |= CUNA_ARRAY_CONTIGUOUS;
}

static void fill_table(int64_t *table, const batch *b, int64_t scale)
{
    int64_t end = 0;
    for (int k = 0; k < b->count; k++) {
        end += b->grids[k].length / scale;
        table[2 * k] = (int64_t)cuna__array_data(b->arrays[k]);
        table[2 * k + 1] = (int64_t)((uint64_t)(b->grids[k].row_step / scale) << 32 | (uint64_t)end);
    }
}

/* The launch that comes next uses the arrays. */
static cuna_status claim_batch(const joint *j)
{
    cuna_device *device = j->out->buffer->device;
    cuna_stream *stream = cuna__context_stream(j->context, device);
    CUNA_TRY(cuna__device_enter(device));
    for (int k = 0; k < j->next.count; k++)
        CUNA_TRY(cuna__array_claim(j->context, stream, j->next.arrays[k]));
    return CUNA_OK;
}

static cuna_status copy_together(const joint *j)
{
    const batch *b = &j->next;
    int64_t itemsize = cuna_dtype_size(j->out->dtype), scale = 1, table[CUNA_MAX_TABLE] = {0};
    int64_t offset = b->first * cuna_array_strides(j->out)[j->axis] * itemsize;
    cuna_dtype to = j->out->dtype, from = b->dtype;
    if (to == from) {
        /* Equal dtypes are copied as bits, in the widest units that fit all addresses and lengths. */
        to = from = find_carrier(j, cuna__array_data(j->out) + (uint64_t)offset);
        scale = cuna_dtype_size(to) / itemsize;
    }
    part p;
    const cuna_program *program;
    CUNA_TRY(join_program(&program, to, from, b->count > FEW_ARRAYS));
    look_at_batch(&p, j, to, scale, offset);
    fill_table(table, b, scale);
    CUNA_TRY(claim_batch(j));
    cuna_operand inputs[] = {{.table = table},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = b->count}},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = b->step}}};
    return cuna_elementwise(j->context, "join", program, inputs, (cuna_array *[]){&p.array}, p.array.ndim, p.dims);
}

/* Copies what was kept for one launch. */
static cuna_status flush(joint *j)
{
    int count = j->next.count;
    if (count == 0)
        return CUNA_OK;
    CUNA_TRY(count == 1 ? copy_alone(j, j->next.arrays[0], j->next.first) : copy_together(j));
    j->next.count = 0;
    return CUNA_OK;
}

/* Copies an array, now or with its neighbours. */
static cuna_status add_array(joint *j, const cuna_array *x, int64_t at)
{
    grid g;
    bool together = j->batches && x->buffer->device == j->out->buffer->device && make_grid(&g, x, j->axis) &&
                    is_small(x, &g) && g.length <= INT32_MAX && g.row_step >= INT32_MIN && g.row_step <= INT32_MAX;
    if (!together || !fits_batch(&j->next, x, &g))
        CUNA_TRY(flush(j));
    if (!together)
        return copy_alone(j, x, at);
    add_to_batch(&j->next, x, &g, at);
    return CUNA_OK;
}

/* Whether an array was computed in its part of the output. */
static bool is_there(const joint *j, const cuna_array *x, int64_t at)
{
    int64_t offset = at * cuna_array_strides(j->out)[j->axis] * cuna_dtype_size(j->out->dtype);
    return x->buffer == j->out->buffer && x->offset == j->out->offset + offset;
}

cuna_status cuna_array_join(cuna_context *context, const cuna_array *out, int axis, bool stacked, int narrays,
                            const cuna_array *const *arrays)
{
    int64_t at = 0;
    joint j;
    j.context = context;
    j.out = out;
    j.axis = axis;
    j.stacked = stacked;
    j.next.count = 0;
    CUNA_TRY(cuna__array_use(out, "join"));
    CUNA_TRY(cuna__array_check_writable(out, "join"));
    j.batches = narrays > 1 && out->size > 0 && cuna_array_device(out)->driver->facts.lanes > 1 &&
                make_grid(&j.grid, out, axis);
    for (int k = 0; k < narrays; k++) {
        CUNA_TRY(cuna__array_use(arrays[k], "join"));
        if (is_there(&j, arrays[k], at))
            CUNA_TRY(flush(&j));
        else if (arrays[k]->size > 0)
            CUNA_TRY(add_array(&j, arrays[k], at));
        at += stacked ? 1 : cuna_array_shape(arrays[k])[axis];
    }
    return flush(&j);
}
