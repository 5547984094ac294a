/* cuna_comm.h: the public functions of communicators: transfers between the ranks of a job, which all ranks call;
 * cuna.h includes it.
 *
 * Ranks count from 0. Every call of a communicator is checked before data moves: if ranks do not call the same, all of
 * them fail with the same message. After a failure all later calls of the process fail with its message at once. */
#ifndef CUNA_COMM_DOOR_H
#define CUNA_COMM_DOOR_H

typedef struct cuna_comm cuna_comm;                 /* never destroyed but by cuna_comm_free */
typedef struct cuna_comm_request cuna_comm_request; /* a transfer that was started; of one owner */

/* kind, name of the function */
#define CUNA_COMM_KINDS(X)              \
    X(BARRIER, "barrier")               \
    X(ALL_REDUCE, "all_reduce")         \
    X(REDUCE, "reduce")                 \
    X(REDUCE_SCATTER, "reduce_scatter") \
    X(SCAN, "scan")                     \
    X(EXSCAN, "exscan")                 \
    X(BROADCAST, "broadcast")           \
    X(GATHER, "gather")                 \
    X(ALL_GATHER, "all_gather")         \
    X(SCATTER, "scatter")               \
    X(ALL_TO_ALL, "all_to_all")         \
    X(SEND, "send")                     \
    X(RECV, "recv")

typedef enum cuna_comm_kind {
#define ROW(kind, name) CUNA_COMM_##kind,
    CUNA_COMM_KINDS(ROW)
#undef ROW
} cuna_comm_kind;

/* In max and min NaN wins, and complex numbers are ordered by their parts. Of bools sum and max are or, prod and min
 * and. */
#define CUNA_COMM_OPS(X) X(SUM, "sum") X(PROD, "prod") X(MAX, "max") X(MIN, "min")

typedef enum cuna_comm_op {
#define ROW(op, name) CUNA_COMM_##op,
    CUNA_COMM_OPS(ROW)
#undef ROW
        CUNA_COMM_NO_OP
} cuna_comm_op;

/* What a rank calls. Ranks are compared by everything up to `detail`; `number` and `place` are for messages. Zeroed
 * first: all bytes count. */
typedef struct cuna_comm_signature {
    char name[24];     /* the function, with "_" where it is in place */
    char op[8];        /* "" where there is none */
    int32_t dtype;     /* CUNA_DTYPES: none */
    int32_t ndim;      /* -1: the shape is not compared, or there is none */
    int32_t peer;      /* the root, or whom to send to; -1: none */
    int16_t uneven;    /* whether ranks may differ in the first length, which is 0 here */
    int8_t is_message; /* which is not compared */
    int8_t on_device;  /* whether the array is on a GPU, and not in the host's memory on its way */
    int64_t shape[8];
    uint64_t detail; /* a hash of what else has to be alike */
    int64_t number;  /* of the call */
    char note[48];   /* the beginning of what `detail` is of */
    char place[96];  /* "train.lua:41" */
} cuna_comm_signature;

/* Shape and dtype of an array on the way, and whether it stays on its device. */
typedef struct cuna_comm_header {
    int64_t on_device, dtype, ndim, shape[CUNA_MAX_NDIM];
} cuna_comm_header;

/* A transfer: arrays of the host, or of a device for which cuna_comm_carries; contiguous. `in` is NULL in place and where a rank gives nothing, `out` where it gets
 * nothing. */
typedef struct cuna_comm_call {
    cuna_comm_kind kind;
    cuna_comm_op op;
    bool apart;
    int peer;
    const cuna_array *in, *out;
    const int64_t *in_counts, *out_counts; /* elements by ranks, for kinds whose ranks have different ones */
} cuna_comm_call;

typedef struct cuna_comm_options {
    int64_t timeout_s; /* 0: CUNA_DISTRIBUTED_TIMEOUT, else 300 */
} cuna_comm_options;

/* Facts of a communicator. */
typedef struct cuna_comm_facts {
    int rank, size, local_rank, local_size; /* local: among the ranks on this machine */
    const char *engine;                     /* "mpi", "nccl": MPI and, for arrays of GPUs, NCCL; "alone" */
    bool checks;                            /* whether ranks' calls are compared */
} cuna_comm_facts;

/* Gives the communicator of all ranks, which the first call makes; borrowed. Without a launcher there is one rank. From
 * then on the end of this process with a status other than 0 ends the job. DEVICE: no MPI library, or one that does not
 * fit the launcher. */
cuna_status cuna_comm_init(cuna_comm **out, const cuna_comm_options *options);

void cuna_comm_get_facts(cuna_comm_facts *out, const cuna_comm *comm);

/* The version of the library, as text of a line. */
void cuna_comm_get_version(char *text, size_t nbytes);

/* The same of the library that ranks would use, which is opened, and not initialised. DEVICE: there is none. */
cuna_status cuna_comm_find_library(char *text, size_t nbytes);

/* In a call that has begun: the ranks of the same color as a communicator, ordered by key and then by rank; those of
 * this machine. *out is NULL with a negative color. */
cuna_status cuna_comm_split(cuna_comm **out, cuna_comm *comm, int color, int key);
cuna_status cuna_comm_split_node(cuna_comm **out, cuna_comm *comm);

/* In a call that has begun: frees a communicator other than that of all ranks. */
cuna_status cuna_comm_free(cuna_comm *comm);

/* Begins a call: compares the ranks' signatures (but those of messages), and waits until they are compared. cuna_comm_run
 * ends it. Numbers the signature. VALUE: they differ. */
cuna_status cuna_comm_begin(cuna_comm *comm, cuna_comm_signature *signature);

/* Ends a call that had no transfer. */
void cuna_comm_end(cuna_comm *comm);

/* In a call that has begun: the numbers of all ranks, `count` of each. */
cuna_status cuna_comm_numbers(cuna_comm *comm, int64_t *out, const int64_t *in, int count);

/* In a call that has begun: shape and dtype of the root's array. */
cuna_status cuna_comm_share_header(cuna_comm *comm, cuna_comm_header *header, int root);

/* In a call that has begun: shape and dtype of the message that comes next from a rank. VALUE unless they are those of
 * `expected` (NULL: any). */
cuna_status cuna_comm_receive_header(cuna_comm *comm, cuna_comm_header *out, const cuna_array *expected, int from);

/* Bytes, as a transfer. */
cuna_status cuna_comm_run_bytes(cuna_comm *comm, const cuna_comm_call *call, void *out, const void *in, int64_t count);

/* Whether arrays of a device are moved, or reduced, where they are; others pass through the host. The same on all ranks
 * whose devices are those of the job. */
bool cuna_comm_carries(const cuna_comm *comm, const cuna_device *device, cuna_comm_kind kind, cuna_comm_op op,
                       cuna_dtype dtype);

/* Runs several transfers of arrays of the device, which begin together, and ends the call. */
cuna_status cuna_comm_run_together(cuna_comm *comm, cuna_context *context, const cuna_comm_call *calls, int count);

/* In a call that has begun, with as many bytes on all ranks: the windows of all ranks, memory of their GPUs that the
 * others write to, of at least so many bytes. (*out)[r] is the address of rank r's for this rank's GPU; *out is NULL
 * where some GPU does not reach the memory of all. Who writes and who reads when is the caller's business. When windows
 * grow, all wait for their GPUs, and what the windows held is lost. */
cuna_status cuna_comm_window(const uint64_t **out, cuna_comm *comm, int64_t nbytes);

/* Whether cuna_comm_window may find some. The same on all ranks. */
bool cuna_comm_has_windows(const cuna_comm *comm);

/* Copies an array to one over a window; lines of one dtype without the multiprocessors of the GPU. */
cuna_status cuna_comm_put(cuna_context *context, const cuna_array *dst, const cuna_array *src);

/* Opens NCCL, and writes its version, such as 22809; 0 without one, and the reason to `text`. */
int cuna_comm_find_nccl(char *text, size_t nbytes);

/* From here on arrays of the device, which is the rank's, are moved by NCCL. All ranks call it. */
void cuna_comm_use_nccl(cuna_device *device);

/* ---- group.c: several GPUs of one process ---- */

typedef struct cuna_comm_group cuna_comm_group;

/* Several devices that NCCL serves, each once. The caller destroys the group, which waits for them. DEVICE: no NCCL. */
cuna_status cuna_comm_group_create(cuna_comm_group **out, cuna_device *const *devices, int count);
void cuna_comm_group_destroy(cuna_comm_group *group);

/* Whether NCCL has the transfer. */
bool cuna_comm_group_carries(cuna_comm_kind kind, cuna_comm_op op, cuna_dtype dtype);

/* Runs a transfer of each device, in its order; its arrays are there. */
cuna_status cuna_comm_group_run(cuna_comm_group *group, cuna_context *context, const char *name,
                                const cuna_comm_call *calls);

/* ---- transfers ---- */

/* Runs a transfer, and ends the call. */
cuna_status cuna_comm_run(cuna_comm *comm, cuna_context *context, const cuna_comm_call *call);

/* Begins a call without waiting for other ranks. The request keeps the arrays' memory. */
cuna_status cuna_comm_start(cuna_comm_request **out, cuna_comm *comm, cuna_context *context,
                            const cuna_comm_signature *signature, const cuna_comm_call *call);

/* Moves what was started on, as far as it goes now; a request's failure is its own. */
void cuna_comm_poll(cuna_comm *comm);

/* Whether a request is done, or failed: cuna_comm_wait then returns at once. */
bool cuna_comm_is_done(cuna_comm_request *request);

/* Waits for a request; its failure, each time. */
cuna_status cuna_comm_wait(cuna_comm_request *request);

/* Leaves a request, which is freed when it is done. */
void cuna_comm_leave(cuna_comm_request *request);

#endif
