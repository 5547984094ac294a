/* nccl.h: transfers of arrays in the memory of GPUs, by NCCL. */
#ifndef CUNA_COMM_NCCL_H
#define CUNA_COMM_NCCL_H

#include "comm/comm.h"
#include "device/stream.h"
#include "seam/nccl.h"

/* One of the GPUs that a transfer joins. */
typedef struct cuna_nccl_member {
    void *comm; /* NCCL's */
    int rank, size;
    cu_stream stream;
} cuna_nccl_member;

/* ---- nccl_transfer.c ---- */

/* Whether NCCL has this kind of transfer and, where it reduces, the operation for the dtype. */
bool cuna__nccl_has(cuna_comm_kind kind, cuna_comm_op op, cuna_dtype dtype);

/* Gives a transfer to the member's stream. A status of NCCL's. */
int cuna__nccl_transfer(const cuna_nccl *nccl, const cuna_nccl_member *member, const cuna_comm_work *work);

/* ---- nccl.c ---- */

/* Runs transfers whose arrays are on this rank's GPU; they begin together. */
cuna_status cuna__nccl_run(cuna_comm *comm, cuna_context *context, const cuna_comm_call *calls, int count);

/* A transfer of arrays of the stream's device: claims them. */
cuna_status cuna__nccl_prepare(cuna_comm_work *out, cuna_context *context, cuna_stream *stream,
                               const cuna_comm_call *call);

/* A status of NCCL's: DEVICE, also when it is that of a device that died. `comm` may be NULL. */
cuna_status cuna__nccl_judge(int code, const cuna_nccl *nccl, void *comm, cuna_stream *stream, const char *name);

/* Frees what a communicator has of NCCL. */
void cuna__nccl_release(cuna_comm *comm);

/* ---- window.c ---- */

/* Frees a communicator's window: all ranks do, when nothing of it is under way. */
void cuna__window_release(cuna_comm *comm);

/* ---- flight.c: calls that were given to a GPU, and are not known to be done ---- */

/* Notes the call that was given to the stream last. DEVICE. */
cuna_status cuna__flight_add(cuna_stream *stream, const cuna_comm_signature *signature);

/* NCCL's communicators whose errors are asked for. */
void cuna__flight_watch(void *comm);
void cuna__flight_unwatch(void *comm);

typedef struct cuna_flight {
    cuna_comm_signature signature;
    int64_t since_ns; /* it was given to the GPU, or the one before it was done */
} cuna_flight;

/* The oldest call that is not done; false when there is none. Called by one thread, whose current device this changes. */
bool cuna__flight_oldest(cuna_flight *out);

/* The first error of a communicator; 0 when there is none. */
int cuna__flight_error(void);

/* Waits until all are done. */
void cuna__flight_finish(void);

#endif
