/* nccl_transfer.c: transfers as calls of NCCL.
 *
 * What is only moved is moved as bytes. Counts that differ among members are messages between pairs, or a reduction to
 * each of them, in one group: they begin together, so that no member waits for another one's turn. */
#include "comm/nccl.h"

/* ---- what NCCL reduces ---- */

typedef struct reduction {
    int type, op;
    int words; /* of the type in an element; 0: there is none */
} reduction;

/* Sums of complex numbers are sums of their parts. Of bools the sum is the maximum of bytes, the product the minimum. Max and
 * min of floats are not NCCL's, which drop NaN. */
static reduction find_reduction(cuna_dtype dtype, cuna_comm_op op)
{
    static const int types[CUNA_DTYPES] = {
        [CUNA_BOOL] = CUNA_NCCL_UINT8,        [CUNA_INT8] = CUNA_NCCL_INT8,       [CUNA_INT32] = CUNA_NCCL_INT32,
        [CUNA_INT64] = CUNA_NCCL_INT64,       [CUNA_UINT8] = CUNA_NCCL_UINT8,     [CUNA_UINT32] = CUNA_NCCL_UINT32,
        [CUNA_UINT64] = CUNA_NCCL_UINT64,     [CUNA_FLOAT16] = CUNA_NCCL_FLOAT16, [CUNA_BFLOAT16] = CUNA_NCCL_BFLOAT16,
        [CUNA_FLOAT32] = CUNA_NCCL_FLOAT32,   [CUNA_FLOAT64] = CUNA_NCCL_FLOAT64, [CUNA_COMPLEX64] = CUNA_NCCL_FLOAT32,
        [CUNA_COMPLEX128] = CUNA_NCCL_FLOAT64};
    static const int ops[] = {CUNA_NCCL_SUM, CUNA_NCCL_PROD, CUNA_NCCL_MAX, CUNA_NCCL_MIN};
    char kind = cuna_dtype_kind(dtype);
    bool orders = op == CUNA_COMM_MAX || op == CUNA_COMM_MIN;
    bool lacks = dtype == CUNA_INT16 || dtype == CUNA_UINT16 || op == CUNA_COMM_NO_OP || (kind == 'f' && orders) ||
                 (kind == 'c' && op != CUNA_COMM_SUM);
    if (lacks)
        return (reduction){.words = 0};
    if (kind == 'b' && !orders)
        op = op == CUNA_COMM_SUM ? CUNA_COMM_MAX : CUNA_COMM_MIN;
    return (reduction){types[dtype], ops[op], kind == 'c' ? 2 : 1};
}

bool cuna__nccl_has(cuna_comm_kind kind, cuna_comm_op op, cuna_dtype dtype)
{
    switch (kind) {
    case CUNA_COMM_ALL_REDUCE:
    case CUNA_COMM_REDUCE:
    case CUNA_COMM_REDUCE_SCATTER:
        return find_reduction(dtype, op).words > 0;
    case CUNA_COMM_BARRIER:
    case CUNA_COMM_SCAN:
    case CUNA_COMM_EXSCAN:
        return false;
    default:
        return true;
    }
}

/* ---- transfers ---- */

typedef struct transfer {
    const cuna_nccl *nccl;
    const cuna_nccl_member *m;
    const cuna_comm_work *work;
    size_t nbytes; /* of an element */
} transfer;

static const char *in_at(const transfer *t, int64_t place)
{
    const void *in = t->work->in != NULL ? t->work->in : t->work->out;
    return (const char *)in + (size_t)place * t->nbytes;
}

static char *out_at(const transfer *t, int64_t place)
{
    return (char *)t->work->out + (size_t)place * t->nbytes;
}

/* The messages of this member in a gather, scatter or exchange: begins and lengths, by members; NULL: to none, from none.
 * An exchange's parts lie one after the other. */
static int64_t sent_to(const transfer *t, int r, int64_t *place)
{
    const cuna_comm_work *work = t->work;
    *place = 0;
    switch (work->kind) {
    case CUNA_COMM_GATHER:
        return r == work->peer ? work->out_counts[t->m->rank] : 0;
    case CUNA_COMM_ALL_GATHER:
        return work->out_counts[t->m->rank];
    case CUNA_COMM_SCATTER:
        if (t->m->rank != work->peer)
            return 0;
        break;
    default:
        break;
    }
    for (int i = 0; i < r; i++)
        *place += work->in_counts[i];
    return work->in_counts[r];
}

static int64_t got_from(const transfer *t, int r, int64_t *place)
{
    const cuna_comm_work *work = t->work;
    *place = 0;
    if (work->kind == CUNA_COMM_SCATTER)
        return r == work->peer ? work->in_counts[t->m->rank] : 0;
    if (work->kind == CUNA_COMM_GATHER && t->m->rank != work->peer)
        return 0;
    for (int i = 0; i < r; i++)
        *place += work->out_counts[i];
    return work->out_counts[r];
}

static int send(const transfer *t, int r, int64_t place, int64_t count)
{
    size_t nbytes = (size_t)count * t->nbytes;
    return nbytes == 0 ? 0 : t->nccl->nccl_send(in_at(t, place), nbytes, CUNA_NCCL_UINT8, r, t->m->comm, t->m->stream);
}

static int receive(const transfer *t, int r, int64_t place, int64_t count)
{
    size_t nbytes = (size_t)count * t->nbytes;
    return nbytes == 0 ? 0 : t->nccl->nccl_recv(out_at(t, place), nbytes, CUNA_NCCL_UINT8, r, t->m->comm, t->m->stream);
}

static int exchange(const transfer *t)
{
    int code = 0;
    int64_t place;
    for (int r = 0; r < t->m->size && code == 0; r++) {
        int64_t count = sent_to(t, r, &place);
        code = send(t, r, place, count);
        count = got_from(t, r, &place);
        code = code != 0 ? code : receive(t, r, place, count);
    }
    return code;
}

/* A part of the result for each member. */
static int reduce_parts(const transfer *t)
{
    const reduction how = find_reduction(t->work->dtype, t->work->op);
    int code = 0;
    for (int64_t r = 0, place = 0; r < t->m->size && code == 0; place += t->work->out_counts[r++]) {
        size_t count = (size_t)(t->work->out_counts[r] * how.words);
        void *out = r == t->m->rank ? t->work->out : NULL;
        if (count > 0)
            code =
                t->nccl->nccl_reduce(in_at(t, place), out, count, how.type, how.op, (int)r, t->m->comm, t->m->stream);
    }
    return code;
}

/* What begins together with others of the same call. */
static int in_group(const transfer *t, int (*transfers)(const transfer *t))
{
    int code = t->nccl->nccl_group_start(), ended;
    if (code != 0)
        return code;
    code = transfers(t);
    ended = t->nccl->nccl_group_end();
    return code != 0 ? code : ended;
}

static bool are_equal(const int64_t *counts, int size)
{
    bool equal = true;
    for (int r = 1; r < size; r++)
        equal &= counts[r] == counts[0];
    return equal;
}

static int reduce(const transfer *t)
{
    const cuna_comm_work *work = t->work;
    const cuna_nccl_member *m = t->m;
    const reduction how = find_reduction(work->dtype, work->op);
    size_t count = (size_t)(work->count * how.words);
    if (count == 0)
        return 0;
    if (work->kind == CUNA_COMM_ALL_REDUCE)
        return t->nccl->nccl_all_reduce(in_at(t, 0), work->out, count, how.type, how.op, m->comm, m->stream);
    if (work->kind == CUNA_COMM_REDUCE)
        return t->nccl->nccl_reduce(in_at(t, 0), work->out, count, how.type, how.op, work->peer, m->comm, m->stream);
    if (!are_equal(work->out_counts, m->size))
        return in_group(t, reduce_parts);
    count = (size_t)(work->out_counts[0] * how.words);
    return t->nccl->nccl_reduce_scatter(in_at(t, 0), work->out, count, how.type, how.op, m->comm, m->stream);
}

static int move(const transfer *t)
{
    const cuna_comm_work *work = t->work;
    const cuna_nccl_member *m = t->m;
    size_t nbytes = (size_t)work->count * t->nbytes;
    switch (work->kind) {
    case CUNA_COMM_BROADCAST:
        return nbytes == 0 ? 0
                           : t->nccl->nccl_broadcast(in_at(t, 0), work->out != NULL ? work->out : (void *)work->in,
                                                     nbytes, CUNA_NCCL_UINT8, work->peer, m->comm, m->stream);
    case CUNA_COMM_SEND:
        return send(t, work->peer, 0, work->count);
    case CUNA_COMM_RECV:
        return receive(t, work->peer, 0, work->count);
    case CUNA_COMM_ALL_GATHER:
        if (!are_equal(work->out_counts, m->size))
            break;
        nbytes = (size_t)work->out_counts[0] * t->nbytes;
        return nbytes == 0
                   ? 0
                   : t->nccl->nccl_all_gather(in_at(t, 0), work->out, nbytes, CUNA_NCCL_UINT8, m->comm, m->stream);
    default:
        break;
    }
    return in_group(t, exchange);
}

int cuna__nccl_transfer(const cuna_nccl *nccl, const cuna_nccl_member *member, const cuna_comm_work *work)
{
    const transfer t = {nccl, member, work, (size_t)cuna_dtype_size(work->dtype)};
    bool reduces =
        work->kind == CUNA_COMM_ALL_REDUCE || work->kind == CUNA_COMM_REDUCE || work->kind == CUNA_COMM_REDUCE_SCATTER;
    return reduces ? reduce(&t) : move(&t);
}
