/* overlap.c: whether arrays have elements in common. */
#include "array/array.h"
#include "base/shape.h"

/* The first byte that an array reaches, and the byte after the last. */
static void find_bytes(uint64_t *first, uint64_t *end, const cuna_array *array)
{
    int64_t low = 0, high = -1, itemsize = cuna_dtype_size(array->dtype);
    cuna__shape_reach(&low, &high, array->ndim, cuna_array_shape(array), cuna_array_strides(array));
    *first = cuna__array_place(array) + (uint64_t)(low * itemsize);
    *end = cuna__array_place(array) + (uint64_t)((high + 1) * itemsize);
}

bool cuna_array_overlaps(const cuna_array *a, const cuna_array *b)
{
    if (a->buffer != b->buffer && cuna__buffer_has_own_memory(a->buffer) && cuna__buffer_has_own_memory(b->buffer))
        return false;
    uint64_t a_first, a_end, b_first, b_end;
    if (a->size == 0 || b->size == 0 || a->buffer->device != b->buffer->device)
        return false;
    find_bytes(&a_first, &a_end, a);
    find_bytes(&b_first, &b_end, b);
    return a_first < b_end && b_first < a_end;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What divides the way between any two elements of an array, in bytes, and `divisor`. */
static uint64_t step_divisor(uint64_t divisor, const cuna_array *array)
{
    const int64_t *shape = cuna_array_shape(array), *strides = cuna_array_strides(array);
    for (int axis = 0; axis < array->ndim; axis++) {
        int64_t step = strides[axis] * cuna_dtype_size(array->dtype);
        if (shape[axis] > 1)
            divisor = common_divisor(divisor, step < 0 ? -(uint64_t)step : (uint64_t)step);
    }
    return divisor;
}

/* Whether elements of one array lie in the gaps of the other, as x[::2] and x[1::2] do. */
static bool interleave(const cuna_array *a, const cuna_array *b)
{
    uint64_t divisor = step_divisor(step_divisor(0, a), b);
    if (divisor == 0)
        return false;
    uint64_t here = cuna__array_place(a), there = cuna__array_place(b);
    uint64_t way = here > there ? (here - there) % divisor : (divisor - (there - here) % divisor) % divisor;
    return way >= (uint64_t)cuna_dtype_size(b->dtype) && way + (uint64_t)cuna_dtype_size(a->dtype) <= divisor;
}

/* ---- whether elements are in common ---- */

enum { MOST_TRIES = 64 };

/* The steps that two arrays take, in bytes and from the largest on, and how many each of them takes at most. */
typedef struct ladder {
    int count, tries;
    int64_t step[2 * CUNA_MAX_NDIM + 1], most[2][2 * CUNA_MAX_NDIM + 1];
} ladder;

static void add_step(ladder *l, int array, int64_t step, int64_t most)
{
    int at = 0;
    while (at < l->count && l->step[at] > step)
        at++;
    if (at == l->count || l->step[at] != step) {
        for (int k = l->count++; k > at; k--) {
            l->step[k] = l->step[k - 1];
            l->most[0][k] = l->most[0][k - 1];
            l->most[1][k] = l->most[1][k - 1];
        }
        l->step[at] = step;
        l->most[0][at] = l->most[1][at] = 0;
    }
    l->most[array][at] += most;
}

static void add_steps(ladder *l, int which, const cuna_array *array)
{
    int64_t itemsize = cuna_dtype_size(array->dtype);
    for (int axis = 0; axis < array->ndim; axis++) {
        int64_t step = cuna__magnitude(cuna_array_strides(array)[axis]) * itemsize;
        if (step > 0 && cuna_array_shape(array)[axis] > 1)
            add_step(l, which, step, cuna_array_shape(array)[axis] - 1);
    }
    add_step(l, which, 1, itemsize - 1);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Whether steps from `from` on can go `way` bytes, those of the first array forward and those of the second one back;
 * true, too, where that takes too long to find. */
static bool can_go(ladder *l, int from, int64_t way)
{
    if (from == l->count)
        return way == 0;
    int64_t step = l->step[from], forward = 0, back = 0;
    for (int k = from + 1; k < l->count; k++) {
        forward += l->most[0][k] * l->step[k];
        back += l->most[1][k] * l->step[k];
    }
    int64_t least = cuna__max(-floor_div(forward - way, step), -l->most[1][from]);
    int64_t most = cuna__min(floor_div(way + back, step), l->most[0][from]);
    for (int64_t n = least; n <= most; n++)
        if (++l->tries > MOST_TRIES || can_go(l, from + 1, way - n * step))
            return true;
    return false;
}

bool cuna__array_meets(const cuna_array *a, const cuna_array *b)
{
    ladder l; /* 3 KiB, of which what is counted is written */
    uint64_t first[2], end;
    if (!cuna_array_overlaps(a, b) || interleave(a, b))
        return false;
    l.count = l.tries = 0;
    find_bytes(&first[0], &end, a);
    find_bytes(&first[1], &end, b);
    add_steps(&l, 0, a);
    add_steps(&l, 1, b);
    return can_go(&l, 0, (int64_t)(first[1] - first[0]));
}

bool cuna__array_conflicts(const cuna_array *out, const cuna_array *in)
{
    return !cuna__array_same_place(out, in) && cuna__array_meets(out, in);
}
