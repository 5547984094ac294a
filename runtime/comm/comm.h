/* comm.h: what the parts of communicators share: the job, communicators, their requests. */
#ifndef CUNA_COMM_COMM_H
#define CUNA_COMM_COMM_H

#include <sys/types.h>

#include "comm/engine.h"
#include "device/device.h"
#include "seam/nccl.h"

typedef enum cuna_job_checks {
    CUNA_CHECKS_OFF,
    CUNA_CHECKS_AUTO, /* of calls with arrays of GPUs the first ones, then ever fewer: a comparison waits for others */
    CUNA_CHECKS_ALL,
} cuna_job_checks;

/* All ranks together, as this process sees them. */
typedef struct cuna_job {
    const cuna_comm_engine *engine;
    cuna_comm *world;      /* NULL: not started */
    cuna_comm *all;        /* communicators that live */
    pid_t pid;             /* a child of a fork has no part in the job */
    const cuna_nccl *nccl; /* NULL: arrays of GPUs pass through the host */
    cuna_device *device;   /* whose arrays NCCL moves */
    cuna_job_checks checks;
    bool failed;     /* a call failed: this process cannot leave with status 0, */
    char dead[2048]; /* and later calls fail with this */
    int64_t timeout_s;
    int64_t limit; /* elements of one transfer of the engine's library; more go in pieces */
} cuna_job;

extern cuna_job cuna__job;

/* One comparison of signatures. */
typedef struct cuna_comm_check {
    bool agrees;       /* when it is done: whether all ranks do the same */
    int64_t words[2];  /* the hash of this rank's signature, and its opposite */
    int64_t found[2];  /* by a reduction: the greatest words of all */
    int64_t number;    /* on the wall, */
    int others, looks; /* where so many ranks were looked at, and so often */
    cuna_comm_pending pending;
} cuna_comm_check;

typedef struct cuna_comm_wall cuna_comm_wall;
typedef struct cuna_window cuna_window;

/* Three of the engine's: what is compared, what is said about it, and data do not mix. */
struct cuna_comm {
    void *data, *control, *talk;
    int rank, size, local_rank, local_size;
    int *ranks;                      /* the members' in the job */
    int64_t calls, device_calls;     /* of these, with arrays of GPUs */
    char name[24];                   /* of the last call */
    cuna_comm_signature signature;   /* the same */
    cuna_comm_wall *wall;            /* NULL: signatures are compared by a reduction */
    void *nccl;                      /* NCCL's; NULL: not made yet */
    cuna_window *window;             /* NULL: not asked for yet */
    cuna_comm_request *first, *last; /* that are not done, in the order of their calls */
    cuna_comm *next;
};

typedef enum cuna_comm_stage {
    CUNA_COMM_COMPARES, /* waits for the comparison of signatures */
    CUNA_COMM_LISTENS,  /* waits for the header of a message */
    CUNA_COMM_MOVES,
    CUNA_COMM_DONE,
} cuna_comm_stage;

struct cuna_comm_request {
    cuna_comm *comm;
    cuna_comm_stage stage;
    bool is_left; /* by its owner */
    cuna_comm_signature signature;
    cuna_comm_check check;
    cuna_comm_header header; /* of the message */
    cuna_comm_pending pending;
    cuna_array in, out; /* shares of the arrays' memory */
    int64_t *counts;    /* the call's */
    cuna_comm_work work;
    cuna_status status;
    char *message;
    cuna_comm_request *next;
};

/* ---- comm.c ---- */

/* A communicator over one of the engine's, which it takes over. */
cuna_status cuna__comm_create(cuna_comm **out, void *raw);

/* A code of the engine's as a status. */
cuna_status cuna__comm_judge(int code, const char *name);

/* Ends all communication of this process with the message of a status, which it returns: memory that a transfer writes
 * to may be gone. */
cuna_status cuna__comm_fail(cuna_status status);

/* VALUE after such an end. */
static inline cuna_status cuna__comm_check_alive(void)
{
    return __builtin_expect(!cuna__job.failed, 1) ? CUNA_OK : cuna_fail(CUNA_VALUE, "%s", cuna__job.dead);
}

/* Waits for what is pending; INTERRUPTED. */
cuna_status cuna__comm_complete(cuna_comm_pending *pending, const char *name);

/* Fills in a transfer for a call; the arrays' memory is the host's. VALUE. */
cuna_status cuna__comm_prepare(cuna_comm_work *out, cuna_context *context, const cuna_comm_call *call);

/* The header of an array, and whether a message of `got` fits a rank's array. VALUE. */
void cuna__comm_describe(cuna_comm_header *out, const cuna_array *array);
cuna_status cuna__comm_check_header(const cuna_comm *comm, const char *name, const cuna_comm_header *got,
                                    const cuna_array *out, int from);

/* Transfers of messages: their headers. */
enum { CUNA_COMM_TAG_HEADER = 1, CUNA_COMM_TAG_DATA = 2 };
cuna_comm_work cuna__comm_header_work(cuna_comm_kind kind, cuna_comm_header *header, int peer);

/* ---- check.c ---- */

/* Whether ranks compare signatures. */
static inline bool cuna__comm_compares(const cuna_comm *comm)
{
    return cuna__job.checks != CUNA_CHECKS_OFF && comm->size > 1;
}

/* Starts the comparison of a signature, and looks whether it is done. Codes of the engine's. */
int cuna__check_start(cuna_comm *comm, const cuna_comm_signature *signature, cuna_comm_check *check);
int cuna__check_test(cuna_comm *comm, bool *done, cuna_comm_check *check);

/* When they do not: gathers what the ranks do, and fails with it. VALUE. */
cuna_status cuna__check_explain(cuna_comm *comm, const cuna_comm_signature *own);

/* A signature in words: "all_reduce sum float32 (1000,) at train.lua:41". */
void cuna__check_describe(char *text, size_t nbytes, const cuna_comm_signature *signature);

/* What an end of a process compares as. */
void cuna__check_end(cuna_comm_signature *out);

/* ---- request.c ---- */

/* Waits until the comparisons of all requests are done, so that their transfers have begun in the order of their calls. */
cuna_status cuna__request_begin_all(cuna_comm *comm);

/* Waits until no request listens for a message of that rank. */
cuna_status cuna__request_hear(cuna_comm *comm, int from);

/* Waits until all are done. */
void cuna__request_finish_all(cuna_comm *comm);

/* ---- watch.c ---- */

/* Starts the thread that holds deadlines. */
cuna_status cuna__watch_start(void);

/* From here on the end of the process is the job's, too. Called after MPI has started: its libraries have handlers of the
 * end as well, which must run after this one. */
cuna_status cuna__watch_end(void);

/* Ends all ranks, and this process. */
void cuna__watch_abort(int status) __attribute__((noreturn));

#endif
