/* nccl.h: the table of NCCL: transfers between GPUs, of several processes or of one.
 *
 * Rows are NCCL's functions and return its status, 0 for success. A transfer is given to a stream, and is done when the
 * other members' transfers are; those between two calls of group_start and group_end begin together. */
#ifndef CUNA_SEAM_NCCL_H
#define CUNA_SEAM_NCCL_H

#include "seam/driver.h"

/* nccl.h's ncclDataType_t and ncclRedOp_t. */
enum {
    CUNA_NCCL_INT8 = 0,
    CUNA_NCCL_UINT8 = 1,
    CUNA_NCCL_INT32 = 2,
    CUNA_NCCL_UINT32 = 3,
    CUNA_NCCL_INT64 = 4,
    CUNA_NCCL_UINT64 = 5,
    CUNA_NCCL_FLOAT16 = 6,
    CUNA_NCCL_FLOAT32 = 7,
    CUNA_NCCL_FLOAT64 = 8,
    CUNA_NCCL_BFLOAT16 = 9,
    CUNA_NCCL_SUM = 0,
    CUNA_NCCL_PROD = 1,
    CUNA_NCCL_MAX = 2,
    CUNA_NCCL_MIN = 3,
    CUNA_NCCL_OLDEST = 21800 /* 2.18, of which all rows are */
};

/* What members of a communicator find each other by. */
typedef struct cuna_nccl_id {
    char bytes[128];
} cuna_nccl_id;

/* X(exported symbol, field, parameters); every row returns int. */
#define CUNA_NCCL_ROWS(X)                                                                                      \
    X("ncclGetVersion", nccl_get_version, (int *version))                                                      \
    X("ncclGetUniqueId", nccl_get_unique_id, (cuna_nccl_id * id))                                              \
    X("ncclCommInitRank", nccl_comm_init_rank, (void **comm, int size, cuna_nccl_id id, int rank))             \
    X("ncclCommInitAll", nccl_comm_init_all, (void **comm, int count, const int *devices))                     \
    X("ncclCommDestroy", nccl_comm_destroy, (void *comm))                                                      \
    X("ncclCommGetAsyncError", nccl_comm_get_async_error, (void *comm, int *error))                            \
    X("ncclGroupStart", nccl_group_start, (void))                                                              \
    X("ncclGroupEnd", nccl_group_end, (void))                                                                  \
    X("ncclAllReduce", nccl_all_reduce,                                                                        \
      (const void *in, void *out, size_t count, int type, int op, void *comm, cu_stream stream))               \
    X("ncclReduce", nccl_reduce,                                                                               \
      (const void *in, void *out, size_t count, int type, int op, int root, void *comm, cu_stream stream))     \
    X("ncclReduceScatter", nccl_reduce_scatter,                                                                \
      (const void *in, void *out, size_t count, int type, int op, void *comm, cu_stream stream))               \
    X("ncclBroadcast", nccl_broadcast,                                                                         \
      (const void *in, void *out, size_t count, int type, int root, void *comm, cu_stream stream))             \
    X("ncclAllGather", nccl_all_gather,                                                                        \
      (const void *in, void *out, size_t count, int type, void *comm, cu_stream stream))                       \
    X("ncclSend", nccl_send, (const void *in, size_t count, int type, int peer, void *comm, cu_stream stream)) \
    X("ncclRecv", nccl_recv, (void *out, size_t count, int type, int peer, void *comm, cu_stream stream))

typedef struct cuna_nccl {
#define ROW(symbol, field, parameters) int(*field) parameters;
    CUNA_NCCL_ROWS(ROW)
#undef ROW
    const char *(*get_last_error)(void *comm); /* in words; NULL where the library lacks it */
    int version;                               /* 22809 of 2.28.9 */
    char file[512];                            /* the library's name */
} cuna_nccl;

/* The table; the first call loads the library. DEVICE with the names that were searched for, or what the library
 * lacks. */
cuna_status cuna__nccl_open(const cuna_nccl **out);

/* The name of a status: "ncclRemoteError". */
const char *cuna__nccl_describe(int status);

#endif
