/* nccl_meet.c: what members of a simulated NCCL communicator do with the file that they share.
 *
 * A collective call has a number. A member posts what it gives when all have taken what it posted before, and takes what it
 * gets when all have posted. Messages have a box for each pair of members. */
#include "nccl_meet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reductions ---- */

static float from_half(uint16_t bits, bool is_brain)
{
    cuna_number number;
    cuna_number_load(&number, is_brain ? CUNA_BFLOAT16 : CUNA_FLOAT16, &bits);
    return (float)number.f;
}

static uint16_t to_half(float value, bool is_brain)
{
    uint16_t element[8];
    cuna_number_store(element, is_brain ? CUNA_BFLOAT16 : CUNA_FLOAT16,
                      &(cuna_number){.kind = CUNA_NUMBER_FLOAT, .f = value});
    return element[0];
}

#define COMBINE(T, MAX, MIN)                                          \
    static T combine_##T(T a, T b, uint64_t op)                       \
    {                                                                 \
        return op == CUNA_NCCL_SUM    ? (T)(a + b)                    \
               : op == CUNA_NCCL_PROD ? (T)(a * b)                    \
               : op == CUNA_NCCL_MAX  ? (T)MAX(a, b)                  \
                                      : (T)MIN(a, b);                  \
    }                                                                 \
    static void fold_##T(T *to, const T *from, size_t n, uint64_t op) \
    {                                                                 \
        for (size_t i = 0; i < n; i++)                                \
            to[i] = combine_##T(to[i], from[i], op);                  \
    }
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b)    ((a) < (b) ? (a) : (b))
COMBINE(int8_t, GREATER, LESS)
COMBINE(uint8_t, GREATER, LESS)
COMBINE(uint32_t, GREATER, LESS)
COMBINE(uint64_t, GREATER, LESS)
COMBINE(float, fmaxf, fminf)
COMBINE(double, fmax, fmin)

/* Sums and products of signed integers are those of unsigned ones. */
#define FOLD_SIGNED(T, U)                                                             \
    static void fold_##T(T *to, const T *from, size_t n, uint64_t op)                 \
    {                                                                                 \
        for (size_t i = 0; i < n; i++)                                                \
            to[i] = op == CUNA_NCCL_MAX   ? GREATER(to[i], from[i])                   \
                    : op == CUNA_NCCL_MIN ? LESS(to[i], from[i])                      \
                                          : (T)combine_##U((U)to[i], (U)from[i], op); \
    }
FOLD_SIGNED(int32_t, uint32_t)
FOLD_SIGNED(int64_t, uint64_t)

static void fold_half(uint16_t *to, const uint16_t *from, size_t n, uint64_t op, bool is_brain)
{
    for (size_t i = 0; i < n; i++)
        to[i] = to_half(combine_float(from_half(to[i], is_brain), from_half(from[i], is_brain), op), is_brain);
}

static void fold(void *to, const void *from, size_t n, uint64_t type, uint64_t op)
{
    switch (type) {
    case CUNA_NCCL_INT8:
        return fold_int8_t(to, from, n, op);
    case CUNA_NCCL_UINT8:
        return fold_uint8_t(to, from, n, op);
    case CUNA_NCCL_INT32:
        return fold_int32_t(to, from, n, op);
    case CUNA_NCCL_UINT32:
        return fold_uint32_t(to, from, n, op);
    case CUNA_NCCL_INT64:
        return fold_int64_t(to, from, n, op);
    case CUNA_NCCL_UINT64:
        return fold_uint64_t(to, from, n, op);
    case CUNA_NCCL_FLOAT32:
        return fold_float(to, from, n, op);
    case CUNA_NCCL_FLOAT64:
        return fold_double(to, from, n, op);
    default:
        return fold_half(to, from, n, op, type == CUNA_NCCL_BFLOAT16);
    }
}

const size_t simgpu__nccl_sizes[SIMGPU_NCCL_TYPES] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};

/* ---- collective calls ---- */

/* Elements that a member gives. */
size_t simgpu__nccl_given(const struct collective *c)
{
    bool gives = c->what.kind != BROADCAST || c->comm->rank == (int)c->what.root;
    return !gives ? 0 : c->what.count * (c->what.kind == REDUCE_SCATTER ? (size_t)c->comm->size : 1);
}

bool simgpu__nccl_may_post(const void *arguments)
{
    const struct collective *c = arguments;
    for (int r = 0; r < c->comm->size; r++)
        if (__atomic_load_n(&c->comm->meeting->parts[r].taken, __ATOMIC_ACQUIRE) < c->comm->posted)
            return false;
    return c->comm->posted + 1 != simgpu__setting("SIMGPU_NCCL_ASYNC", 0);
}

cu_result simgpu__nccl_post(const void *arguments)
{
    const struct collective *c = arguments;
    struct part *own = &c->comm->meeting->parts[c->comm->rank];
    own->what = c->what;
    memcpy(own->data, c->in, simgpu__nccl_given(c) * simgpu__nccl_sizes[c->what.type]);
    __atomic_store_n(&own->posted, ++c->comm->posted, __ATOMIC_RELEASE);
    return CU_SUCCESS;
}

bool simgpu__nccl_may_take(const void *arguments)
{
    const struct collective *c = arguments;
    for (int r = 0; r < c->comm->size; r++)
        if (__atomic_load_n(&c->comm->meeting->parts[r].posted, __ATOMIC_ACQUIRE) <= c->comm->taken)
            return false;
    return true;
}

/* Folds elements [first, first + n) of all parts, in an order that changes with the call and is the same on all members. */
static void fold_parts(const struct collective *c, size_t first, size_t n)
{
    const struct comm *comm = c->comm;
    size_t at = first * simgpu__nccl_sizes[c->what.type];
    int start = (int)(comm->taken % (uint64_t)comm->size);
    memcpy(c->out, comm->meeting->parts[start].data + at, n * simgpu__nccl_sizes[c->what.type]);
    for (int i = 1; i < comm->size; i++)
        fold(c->out, comm->meeting->parts[(start + i) % comm->size].data + at, n, c->what.type, c->what.op);
}

static void get(const struct collective *c)
{
    const struct meeting *meeting = c->comm->meeting;
    size_t nbytes = c->what.count * simgpu__nccl_sizes[c->what.type];
    switch (c->what.kind) {
    case REDUCE:
        if (c->comm->rank == (int)c->what.root)
            fold_parts(c, 0, c->what.count);
        return;
    case REDUCE_SCATTER:
        fold_parts(c, (size_t)c->comm->rank * c->what.count, c->what.count);
        return;
    case BROADCAST:
        memcpy(c->out, meeting->parts[c->what.root].data, nbytes);
        return;
    case ALL_GATHER:
        for (int r = 0; r < c->comm->size; r++)
            memcpy((char *)c->out + (size_t)r * nbytes, meeting->parts[r].data, nbytes);
        return;
    default:
        fold_parts(c, 0, c->what.count);
    }
}

/* What the real library does when calls differ is not to be relied on. */
cu_result simgpu__nccl_take(const void *arguments)
{
    const struct collective *c = arguments;
    struct comm *comm = c->comm;
    for (int r = 0; r < comm->size; r++)
        if (memcmp(&comm->meeting->parts[r].what, &c->what, sizeof c->what) != 0) {
            fprintf(stderr, "simgpu: members %d and %d of an NCCL communicator call different things\n", comm->rank, r);
            return CU_ERROR_LAUNCH_FAILED;
        }
    get(c);
    __atomic_store_n(&comm->meeting->parts[comm->rank].taken, ++comm->taken, __ATOMIC_RELEASE);
    return CU_SUCCESS;
}

/* ---- messages ---- */

static uint64_t count_of(const struct messages *m, int peer)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->count; i++)
        count += m->list[i].peer == (uint64_t)peer;
    return count;
}

static uint64_t waiting(const struct box *box)
{
    return __atomic_load_n(&box->put, __ATOMIC_ACQUIRE) - __atomic_load_n(&box->got, __ATOMIC_ACQUIRE);
}

bool simgpu__nccl_may_send(const void *arguments)
{
    const struct messages *m = arguments;
    for (int r = 0; r < m->comm->size; r++)
        if (waiting(&m->comm->meeting->boxes[m->comm->rank][r]) + count_of(m, r) > MESSAGES)
            return false;
    return true;
}

cu_result simgpu__nccl_send(const void *arguments)
{
    const struct messages *m = arguments;
    for (uint64_t i = 0; i < m->count; i++) {
        struct box *box = &m->comm->meeting->boxes[m->comm->rank][m->list[i].peer];
        size_t place = box->put % MESSAGES;
        box->nbytes[place] = m->list[i].nbytes;
        memcpy(box->data[place], m->list[i].at, m->list[i].nbytes);
        __atomic_store_n(&box->put, box->put + 1, __ATOMIC_RELEASE);
    }
    return CU_SUCCESS;
}

bool simgpu__nccl_may_receive(const void *arguments)
{
    const struct messages *m = arguments;
    for (int r = 0; r < m->comm->size; r++)
        if (waiting(&m->comm->meeting->boxes[r][m->comm->rank]) < count_of(m, r))
            return false;
    return true;
}

cu_result simgpu__nccl_receive(const void *arguments)
{
    const struct messages *m = arguments;
    for (uint64_t i = 0; i < m->count; i++) {
        struct box *box = &m->comm->meeting->boxes[m->list[i].peer][m->comm->rank];
        size_t place = box->got % MESSAGES;
        if (box->nbytes[place] != m->list[i].nbytes) {
            fprintf(stderr, "simgpu: an NCCL message of %llu bytes is received as %llu\n",
                    (unsigned long long)box->nbytes[place], (unsigned long long)m->list[i].nbytes);
            return CU_ERROR_LAUNCH_FAILED;
        }
        memcpy(m->list[i].at, box->data[place], m->list[i].nbytes);
        __atomic_store_n(&box->got, box->got + 1, __ATOMIC_RELEASE);
    }
    return CU_SUCCESS;
}
