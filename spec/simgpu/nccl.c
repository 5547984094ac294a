/* nccl.c: NCCL simulated: members of a communicator, in one process or in several, meet in a file that all of them map.
 *
 * A call is two operations of its stream: one gives what the member sends, the other takes what it gets when the others
 * have given theirs; neither runs before its turn. A thread lets work go on that others wait for, as a GPU's does. As the
 * real library it is hostile: max and min drop NaN, a member that never comes is waited for, silently, for ever, and
 * ncclCommAbort does not return. SIMGPU_NCCL_VERSION is its version. SIMGPU_NCCL_ASYNC=n: the n-th collective call of a
 * communicator is never done, and ncclCommGetAsyncError says why. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "nccl_meet.h"
#include "stream.h"

enum { UNHANDLED_CUDA = 1, SYSTEM = 2, INTERNAL = 3, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, REMOTE = 6 };

#define MOST_CALLS 512 /* of a group */
#define VERSION    22809

static _Thread_local char last_error[200];

static int fail(int code, const char *words)
{
    snprintf(last_error, sizeof last_error, "%s", words);
    return code;
}

SIMGPU_PUBLIC const char *ncclGetLastError(void *comm)
{
    (void)comm;
    return last_error;
}

SIMGPU_PUBLIC int ncclCommAbort(void *comm)
{
    (void)comm;
    for (;;)
        pause();
}

/* ---- groups ---- */

/* A call that begins at the end of its group. */
struct call {
    struct collective call; /* of a message: its count, and the peer as the root */
    struct simgpu_stream *stream;
    bool is_given;
};

static _Thread_local int depth, ncalls;
static _Thread_local struct call *calls;

static int queue(struct simgpu_stream *stream, cuna_cpu_work work, bool (*ready)(const void *), const void *arguments,
                 size_t nbytes)
{
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_WORK, nbytes);
    if (op == NULL)
        return fail(SYSTEM, "no memory");
    op->work = work;
    op->ready = ready;
    op->nbytes = nbytes;
    op->opens = 1u << stream->handle.context->ordinal;
    memcpy(op->arguments, arguments, nbytes);
    return simgpu__queue_add(stream, op) == CU_SUCCESS ? 0 : fail(UNHANDLED_CUDA, "the stream refuses the work");
}

/* The messages of one communicator and stream, in one direction, become one operation. */
static int queue_messages(const struct call *from, enum kind kind)
{
    struct messages *m = malloc(sizeof *m + (size_t)ncalls * sizeof *m->list);
    if (m == NULL)
        return fail(SYSTEM, "no memory");
    *m = (struct messages){.comm = from->call.comm};
    for (int i = 0; i < ncalls; i++) {
        const struct collective *c = &calls[i].call;
        if (c->comm == m->comm && calls[i].stream == from->stream && c->what.kind == kind)
            m->list[m->count++] = (struct message){kind == SEND ? (void *)(uintptr_t)c->in : c->out,
                                                   c->what.count * simgpu__nccl_sizes[c->what.type], c->what.root};
    }
    int code = m->count == 0 ? 0
                             : queue(from->stream, kind == SEND ? simgpu__nccl_send : simgpu__nccl_receive,
                                     kind == SEND ? simgpu__nccl_may_send : simgpu__nccl_may_receive, m,
                                     sizeof *m + m->count * sizeof *m->list);
    free(m);
    return code;
}

static bool is_message(const struct call *call)
{
    return call->call.what.kind == SEND || call->call.what.kind == RECV;
}

static int give_messages(struct call *from)
{
    int code = from->is_given ? 0 : queue_messages(from, SEND);
    if (!from->is_given && code == 0)
        code = queue_messages(from, RECV);
    for (int i = 0; i < ncalls; i++)
        if (is_message(&calls[i]) && calls[i].call.comm == from->call.comm && calls[i].stream == from->stream)
            calls[i].is_given = true;
    return code;
}

static int give_calls(void)
{
    int code = 0;
    for (int i = 0; i < ncalls && code == 0; i++) {
        const struct collective *c = &calls[i].call;
        if (is_message(&calls[i])) {
            code = give_messages(&calls[i]);
        } else {
            code = queue(calls[i].stream, simgpu__nccl_post, simgpu__nccl_may_post, c, sizeof *c);
            code = code != 0 ? code : queue(calls[i].stream, simgpu__nccl_take, simgpu__nccl_may_take, c, sizeof *c);
        }
    }
    ncalls = 0;
    return code;
}

/* Bytes of a call's two buffers. */
static bool holds(const struct collective *c)
{
    const struct simgpu_call here = {.context = c->comm->handle.context};
    size_t nbytes = c->what.count * simgpu__nccl_sizes[c->what.type], size = (size_t)c->comm->size;
    bool is_root = c->comm->rank == (int)c->what.root, writes = c->what.kind != SEND;
    if (c->what.kind == REDUCE)
        writes = is_root;
    size_t in = c->what.kind == RECV ? 0 : simgpu__nccl_given(c) * simgpu__nccl_sizes[c->what.type];
    size_t out = !writes ? 0 : c->what.kind == ALL_GATHER ? nbytes * size : nbytes;
    return simgpu__library_holds(&here, c->in, in) && simgpu__library_holds(&here, c->out, out);
}

static int add(void *handle, cu_stream stream, struct collective c)
{
    struct comm *comm = simgpu__handle_find(SIMGPU_COMMS, handle);
    bool is_collective = c.what.kind != SEND && c.what.kind != RECV;
    if (comm == NULL || c.what.type >= SIMGPU_NCCL_TYPES || c.what.op > CUNA_NCCL_MIN ||
        c.what.root >= (uint64_t)comm->size)
        return fail(INVALID_ARGUMENT, "the communicator, a type, an operation or a rank is not valid");
    c.comm = comm;
    struct simgpu_stream *found = simgpu__stream_find(comm->handle.context, stream);
    if (found == NULL || !holds(&c))
        return fail(INVALID_ARGUMENT, "the stream or a buffer is not of the communicator's device");
    size_t most = is_collective ? PART_NBYTES : MESSAGE_NBYTES;
    if (calls == NULL)
        calls = malloc(MOST_CALLS * sizeof *calls);
    if (calls == NULL || ncalls == MOST_CALLS ||
        c.what.count * simgpu__nccl_sizes[c.what.type] * (size_t)comm->size > most)
        return fail(INTERNAL, "more than the simulation has room for");
    calls[ncalls++] = (struct call){c, found, false};
    return depth > 0 ? 0 : give_calls();
}

int simgpu__row_nccl_group_start(void)
{
    SIMGPU_ENTER_LIBRARY(nccl_group_start, UNHANDLED_CUDA);
    depth++;
    return 0;
}

int simgpu__row_nccl_group_end(void)
{
    SIMGPU_ENTER_LIBRARY(nccl_group_end, UNHANDLED_CUDA);
    if (depth == 0)
        return fail(INVALID_USAGE, "there is no group");
    return --depth > 0 ? 0 : give_calls();
}

#define CALL(field, kind_, ...)                  \
    SIMGPU_ENTER_LIBRARY(field, UNHANDLED_CUDA); \
    return add(comm, stream, (struct collective){.what = {.kind = (kind_), __VA_ARGS__}, .in = in, .out = out})
#define WHAT .count = count, .type = (uint64_t)type

int simgpu__row_nccl_all_reduce(const void *in, void *out, size_t count, int type, int op, void *comm, cu_stream stream)
{
    CALL(nccl_all_reduce, ALL_REDUCE, WHAT, .op = (uint64_t)op);
}

int simgpu__row_nccl_reduce(const void *in, void *out, size_t count, int type, int op, int root, void *comm,
                            cu_stream stream)
{
    CALL(nccl_reduce, REDUCE, WHAT, .op = (uint64_t)op, .root = (uint64_t)root);
}

int simgpu__row_nccl_reduce_scatter(const void *in, void *out, size_t count, int type, int op, void *comm,
                                    cu_stream stream)
{
    CALL(nccl_reduce_scatter, REDUCE_SCATTER, WHAT, .op = (uint64_t)op);
}

int simgpu__row_nccl_broadcast(const void *in, void *out, size_t count, int type, int root, void *comm,
                               cu_stream stream)
{
    CALL(nccl_broadcast, BROADCAST, WHAT, .root = (uint64_t)root);
}

int simgpu__row_nccl_all_gather(const void *in, void *out, size_t count, int type, void *comm, cu_stream stream)
{
    CALL(nccl_all_gather, ALL_GATHER, WHAT);
}

int simgpu__row_nccl_send(const void *in, size_t count, int type, int peer, void *comm, cu_stream stream)
{
    void *out = NULL;
    CALL(nccl_send, SEND, WHAT, .root = (uint64_t)peer);
}

int simgpu__row_nccl_recv(void *out, size_t count, int type, int peer, void *comm, cu_stream stream)
{
    const void *in = NULL;
    CALL(nccl_recv, RECV, WHAT, .root = (uint64_t)peer);
}

/* ---- communicators ---- */

static void *pump(void *unused)
{
    for (;; usleep(300))
        simgpu__queue_pump();
    return unused;
}

static void start_pump(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, pump, NULL) == 0)
        pthread_detach(thread);
}

static void write_path(char *path, size_t nbytes, const cuna_nccl_id *id)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, nbytes, "%s/simgpu-nccl-%.32s", folder != NULL ? folder : "/tmp", id->bytes);
}

static struct meeting *map(const cuna_nccl_id *id)
{
    char path[512];
    write_path(path, sizeof path, id);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct meeting)) != 0)
        return NULL;
    void *memory = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return memory != MAP_FAILED ? memory : NULL;
}

static struct comm *join(struct simgpu_context *context, struct meeting *meeting, int size, int rank)
{
    static pthread_once_t pumped = PTHREAD_ONCE_INIT;
    struct comm *made = simgpu__handle_create(SIMGPU_COMMS, context, sizeof *made);
    if (made == NULL)
        return NULL;
    made->meeting = meeting;
    made->rank = rank;
    made->size = size;
    pthread_once(&pumped, start_pump);
    return made;
}

/* Members that have one GPU in common hang, as everything that waits for one that never comes. */
static void meet(struct meeting *meeting, int size, int rank, int ordinal)
{
    meeting->ordinals[rank] = ordinal;
    __atomic_add_fetch(&meeting->joined, 1, __ATOMIC_ACQ_REL);
    simgpu__call_pause();
    while (__atomic_load_n(&meeting->joined, __ATOMIC_ACQUIRE) < (uint32_t)size)
        usleep(100);
    for (int r = 0; r < size; r++)
        while (r != rank && meeting->ordinals[r] == ordinal)
            usleep(1000);
    simgpu__call_resume();
}

int simgpu__row_nccl_get_version(int *version)
{
    *version = (int)simgpu__setting("SIMGPU_NCCL_VERSION", VERSION);
    return 0;
}

int simgpu__row_nccl_get_unique_id(cuna_nccl_id *id)
{
    SIMGPU_ENTER(nccl_get_unique_id, SIMGPU_NEED_NOTHING);
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail(SYSTEM, "no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(id->bytes + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

int simgpu__row_nccl_comm_init_rank(void **comm, int size, cuna_nccl_id id, int rank)
{
    SIMGPU_ENTER_LIBRARY(nccl_comm_init_rank, UNHANDLED_CUDA);
    char path[512];
    if (size < 1 || size > MOST_MEMBERS || rank < 0 || rank >= size)
        return fail(INVALID_ARGUMENT, "a rank is from 0 to the number of ranks");
    struct meeting *meeting = map(&id);
    struct comm *made = meeting != NULL ? join(call.context, meeting, size, rank) : NULL;
    if (made == NULL)
        return fail(SYSTEM, "no memory");
    meet(meeting, size, rank, call.context->ordinal);
    write_path(path, sizeof path, &id);
    unlink(path);
    *comm = made;
    return 0;
}

int simgpu__row_nccl_comm_init_all(void **comm, int count, const int *devices)
{
    SIMGPU_ENTER_LIBRARY(nccl_comm_init_all, UNHANDLED_CUDA);
    void *memory =
        mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (devices[i] == devices[k])
                return fail(INVALID_USAGE, "one device is given twice");
    if (memory == MAP_FAILED || count < 1 || count > MOST_MEMBERS)
        return fail(INVALID_ARGUMENT, "the number of devices");
    for (int i = 0; i < count; i++)
        if (devices[i] < 0 || devices[i] >= simgpu__device_count() ||
            (comm[i] = join(&simgpu__contexts[devices[i]], memory, count, i)) == NULL)
            return fail(INVALID_ARGUMENT, "there is no such device");
    return 0;
}

int simgpu__row_nccl_comm_destroy(void *comm)
{
    SIMGPU_ENTER_LIBRARY(nccl_comm_destroy, UNHANDLED_CUDA);
    if (simgpu__handle_find(SIMGPU_COMMS, comm) == NULL)
        return fail(INVALID_ARGUMENT, "no communicator");
    simgpu__handle_destroy(comm);
    return 0;
}

int simgpu__row_nccl_comm_get_async_error(void *comm, int *error)
{
    SIMGPU_ENTER(nccl_comm_get_async_error, SIMGPU_NEED_NOTHING);
    const struct comm *found = simgpu__handle_find(SIMGPU_COMMS, comm);
    if (found == NULL)
        return fail(INVALID_ARGUMENT, "no communicator");
    *error = found->posted + 1 == simgpu__setting("SIMGPU_NCCL_ASYNC", 0) ? REMOTE : 0;
    return 0;
}
