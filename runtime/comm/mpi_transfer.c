/* mpi_transfer.c: transfers as calls of MPI, in pieces of at most `limit` elements.
 *
 * MPI's counts and places are ints. Reductions and broadcasts go piece after piece; gathers, scatters and exchanges whose
 * elements do not fit go as messages between pairs, in pieces. All ranks decide alike, by what all of them know. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/mpi.h"

enum { TAG_APART = 3 }; /* 1 and 2 are the caller's */

/* A transfer under way; `pending` is NULL for one at once. */
typedef struct transfer {
    cuna_mpi_handle comm;
    const cuna_comm_work *work;
    cuna_comm_pending *pending;
    int rank, size;
    size_t nbytes; /* of an element */
} transfer;

/* ---- what is pending ---- */

/* The place of a new request; NULL without memory. */
static cuna_mpi_handle *add_request(cuna_comm_pending *pending)
{
    if (pending->requests == NULL) {
        pending->requests = pending->few;
        pending->room = sizeof pending->few / sizeof *pending->few;
    }
    if (pending->count == pending->room) {
        size_t nbytes = (size_t)pending->room * sizeof *pending->requests;
        uintptr_t *more = malloc(2 * nbytes);
        if (more == NULL)
            return NULL;
        memcpy(more, pending->requests, nbytes);
        if (pending->requests != pending->few)
            free(pending->requests);
        pending->requests = more;
        pending->room *= 2;
    }
    pending->requests[pending->count] = 0;
    return &pending->requests[pending->count++];
}

static void clear(cuna_comm_pending *pending)
{
    if (pending->requests != pending->few)
        free(pending->requests);
    free(pending->memory);
    memset(pending, 0, sizeof *pending);
}

int cuna__mpi_test(bool *done, cuna_comm_pending *pending)
{
    int code = 0;
    while (pending->count > 0 && code == 0) {
        int flag = 0;
        code = cuna__mpi.Test(&pending->requests[pending->count - 1], &flag, (void *)cuna__mpi.status_ignore);
        if (!flag)
            break;
        pending->count--;
    }
    *done = pending->count == 0 || code != 0;
    if (*done)
        clear(pending);
    return code;
}

int cuna__mpi_complete(cuna_comm_pending *pending)
{
    bool done = false;
    int code = cuna__mpi_test(&done, pending);
    while (!done) {
        sched_yield();
        code = cuna__mpi_test(&done, pending);
    }
    return code;
}

/* Calls a collective function of MPI, or its form that returns at once. */
#define CALL(t, name, started, ...)                                                          \
    __extension__({                                                                          \
        cuna_mpi_handle *request_ = (t)->pending != NULL ? add_request((t)->pending) : NULL; \
        (t)->pending == NULL ? cuna__mpi.name(__VA_ARGS__)                                   \
        : request_ == NULL   ? CUNA_COMM_NO_MEMORY                                           \
                             : cuna__mpi.started(__VA_ARGS__, request_);                       \
    })

/* ---- pieces ---- */

static const char *in_at(const transfer *t, int64_t place)
{
    return (const char *)t->work->in + (size_t)place * t->nbytes;
}

static char *out_at(const transfer *t, int64_t place)
{
    return (char *)t->work->out + (size_t)place * t->nbytes;
}

typedef int do_piece(const transfer *t, int64_t first, int count);

/* Pieces of [0, count); nothing for none. */
static int by_pieces(const transfer *t, int64_t count, do_piece *piece)
{
    int code = 0;
    for (int64_t first = 0; first < count && code == 0; first += cuna__job.limit)
        code = piece(t, first, (int)cuna__min(cuna__job.limit, count - first));
    return code;
}

static int broadcast_piece(const transfer *t, int64_t first, int count)
{
    void *data =
        t->rank == t->work->peer && t->work->in != NULL ? (void *)(uintptr_t)in_at(t, first) : out_at(t, first);
    return CALL(t, Bcast, Ibcast, data, count, cuna__mpi_unit(t->work->dtype), t->work->peer, t->comm);
}

static int send_piece(const transfer *t, int64_t first, int count)
{
    cuna_mpi_handle *request = add_request(t->pending);
    if (request == NULL)
        return CUNA_COMM_NO_MEMORY;
    return cuna__mpi.Isend(in_at(t, first), count, cuna__mpi_unit(t->work->dtype), t->work->peer, t->work->tag, t->comm,
                           request);
}

static int receive_piece(const transfer *t, int64_t first, int count)
{
    cuna_mpi_handle *request = add_request(t->pending);
    if (request == NULL)
        return CUNA_COMM_NO_MEMORY;
    return cuna__mpi.Irecv(out_at(t, first), count, cuna__mpi_unit(t->work->dtype), t->work->peer, t->work->tag,
                           t->comm, request);
}

static int reduce_piece(const transfer *t, int64_t first, int count)
{
    const cuna_comm_work *work = t->work;
    cuna_mpi_handle type, op;
    int code = cuna__mpi_reduction(&type, &op, work->dtype, work->op);
    if (code != 0)
        return code;
    const void *in = work->in != NULL ? in_at(t, first) : (const void *)cuna__mpi.in_place;
    void *out = work->out != NULL ? out_at(t, first) : NULL;
    switch (work->kind) {
    case CUNA_COMM_ALL_REDUCE:
        return CALL(t, Allreduce, Iallreduce, in, out, count, type, op, t->comm);
    case CUNA_COMM_SCAN:
        return CALL(t, Scan, Iscan, in, out, count, type, op, t->comm);
    case CUNA_COMM_EXSCAN:
        return CALL(t, Exscan, Iexscan, in, out, count, type, op, t->comm);
    default:
        if (t->rank != work->peer && work->in == NULL)
            in = out;
        return CALL(t, Reduce, Ireduce, in, out, count, type, op, work->peer, t->comm);
    }
}

/* ---- parts of all ranks ---- */

static int64_t total_of(const int64_t *counts, int size)
{
    int64_t total = 0;
    for (int r = 0; counts != NULL && r < size; r++)
        total += counts[r];
    return total;
}

static int64_t place_of(const int64_t *counts, int rank)
{
    return total_of(counts, rank);
}

/* Writes counts, then places, as ints. */
static void write_ints(int *ints, const int64_t *counts, int size)
{
    for (int r = 0, place = 0; counts != NULL && r < size; r++) {
        ints[r] = (int)counts[r];
        ints[size + r] = place;
        place += (int)counts[r];
    }
}

/* Reductions to one rank after the other. */
static int reduce_parts(const transfer *t)
{
    int code = 0;
    int64_t place = 0;
    for (int r = 0; r < t->size && code == 0; r++) {
        cuna_comm_work work = *t->work;
        work.kind = CUNA_COMM_REDUCE;
        work.in = in_at(t, place);
        work.peer = r;
        work.out = r == t->rank ? t->work->out : NULL;
        transfer part = *t;
        part.work = &work;
        code = by_pieces(&part, t->work->out_counts[r], reduce_piece);
        place += t->work->out_counts[r];
    }
    return code;
}

static int call_with_counts(const transfer *t, const int *in, const int *out)
{
    const cuna_comm_work *work = t->work;
    cuna_mpi_handle type = cuna__mpi_unit(work->dtype), op;
    switch (work->kind) {
    case CUNA_COMM_GATHER:
        return CALL(t, Gatherv, Igatherv, work->in, out[t->rank], type, work->out, out, out + t->size, type, work->peer,
                    t->comm);
    case CUNA_COMM_ALL_GATHER:
        return CALL(t, Allgatherv, Iallgatherv, work->in, out[t->rank], type, work->out, out, out + t->size, type,
                    t->comm);
    case CUNA_COMM_SCATTER:
        return CALL(t, Scatterv, Iscatterv, work->in, in, in + t->size, type, work->out, in[t->rank], type, work->peer,
                    t->comm);
    case CUNA_COMM_ALL_TO_ALL:
        return CALL(t, Alltoallv, Ialltoallv, work->in, in, in + t->size, type, work->out, out, out + t->size, type,
                    t->comm);
    default: {
        int code = cuna__mpi_reduction(&type, &op, work->dtype, work->op);
        return code != 0 ? code : CALL(t, Reduce_scatter, Ireduce_scatter, work->in, work->out, out, type, op, t->comm);
    }
    }
}

/* MPI reads the counts until the transfer is done. */
static int with_counts(const transfer *t)
{
    int *ints = malloc(4 * (size_t)t->size * sizeof *ints);
    if (ints == NULL)
        return CUNA_COMM_NO_MEMORY;
    write_ints(ints, t->work->in_counts, t->size);
    write_ints(ints + 2 * t->size, t->work->out_counts, t->size);
    int code = call_with_counts(t, ints, ints + 2 * t->size);
    if (t->pending != NULL)
        t->pending->memory = ints;
    else
        free(ints);
    return code;
}

/* ---- pairs ---- */

/* What this rank sends to another one, as a work of kind SEND, and gets from it. */
static cuna_comm_work sent_to(const transfer *t, int r)
{
    const cuna_comm_work *work = t->work;
    cuna_comm_work part = {.kind = CUNA_COMM_SEND, .dtype = work->dtype, .peer = r, .tag = TAG_APART};
    bool gathers = work->kind == CUNA_COMM_GATHER || work->kind == CUNA_COMM_ALL_GATHER;
    bool is_root = work->kind != CUNA_COMM_SCATTER || t->rank == work->peer;
    if (gathers && (work->kind == CUNA_COMM_ALL_GATHER || r == work->peer)) {
        part.in = work->in;
        part.count = work->out_counts[t->rank];
    } else if (!gathers && is_root) {
        part.in = in_at(t, place_of(work->in_counts, r));
        part.count = work->in_counts[r];
    }
    return part;
}

static cuna_comm_work got_from(const transfer *t, int r)
{
    const cuna_comm_work *work = t->work;
    cuna_comm_work part = {.kind = CUNA_COMM_RECV, .dtype = work->dtype, .peer = r, .tag = TAG_APART};
    bool is_root = work->kind != CUNA_COMM_GATHER || t->rank == work->peer;
    if (work->kind == CUNA_COMM_SCATTER) {
        part.out = work->out;
        part.count = r == work->peer ? work->in_counts[t->rank] : 0;
    } else if (is_root) {
        part.out = out_at(t, place_of(work->out_counts, r));
        part.count = work->out_counts[r];
    }
    return part;
}

static int message(const transfer *t, const cuna_comm_work *work)
{
    transfer part = *t;
    part.work = work;
    return by_pieces(&part, work->count, work->kind == CUNA_COMM_SEND ? send_piece : receive_piece);
}

static int by_pairs(const transfer *t)
{
    int code = 0;
    for (int r = 0; r < t->size && code == 0; r++) {
        cuna_comm_work sent = sent_to(t, r), got = got_from(t, r);
        if (r != t->rank) {
            code = message(t, &got);
            code = code != 0 ? code : message(t, &sent);
        } else if (got.count > 0) {
            memcpy(got.out, sent.in, (size_t)got.count * t->nbytes);
        }
    }
    return code;
}

/* With requests of its own where the caller has none. */
static int at_pairs(const transfer *t)
{
    cuna_comm_pending own = {.count = 0};
    transfer started = *t;
    if (t->pending != NULL)
        return by_pairs(t);
    started.pending = &own;
    int code = by_pairs(&started);
    return code != 0 ? code : cuna__mpi_complete(&own);
}

static int parts(const transfer *t)
{
    const cuna_comm_work *work = t->work;
    bool by_inputs = work->kind == CUNA_COMM_SCATTER || work->kind == CUNA_COMM_ALL_TO_ALL;
    int64_t total = total_of(by_inputs ? work->in_counts : work->out_counts, t->size);
    if (!work->apart && total <= cuna__job.limit)
        return with_counts(t);
    return work->kind == CUNA_COMM_REDUCE_SCATTER ? reduce_parts(t) : at_pairs(t);
}

int cuna__mpi_transfer(cuna_mpi_handle comm, const cuna_comm_work *work, cuna_comm_pending *pending)
{
    transfer t = {.comm = comm, .work = work, .pending = pending, .nbytes = (size_t)cuna_dtype_size(work->dtype)};
    cuna__mpi.Comm_rank(comm, &t.rank);
    cuna__mpi.Comm_size(comm, &t.size);
    switch (work->kind) {
    case CUNA_COMM_BARRIER:
        return CALL(&t, Barrier, Ibarrier, comm);
    case CUNA_COMM_BROADCAST:
        return by_pieces(&t, work->count, broadcast_piece);
    case CUNA_COMM_ALL_REDUCE:
    case CUNA_COMM_REDUCE:
    case CUNA_COMM_SCAN:
    case CUNA_COMM_EXSCAN:
        return by_pieces(&t, work->count, reduce_piece);
    case CUNA_COMM_SEND:
        return by_pieces(&t, work->count, send_piece);
    case CUNA_COMM_RECV:
        return by_pieces(&t, work->count, receive_piece);
    default:
        return parts(&t);
    }
}
