/* engine.h: the interface to what moves bytes between ranks: one table, from one list of rows.
 *
 * Memory is the host's and contiguous; counts are elements. The caller has checked shapes, dtypes and that all ranks do
 * the same. `mpi` fills the table from an MPI library, `alone` serves a single rank without one. A row returns 0, or a
 * code for `describe`. */
#ifndef CUNA_COMM_ENGINE_H
#define CUNA_COMM_ENGINE_H

#include "cuna.h"

/* One transfer. Where `in` is NULL, the elements of `out` are what is reduced, or sent. */
typedef struct cuna_comm_work {
    cuna_comm_kind kind;
    cuna_comm_op op;
    cuna_dtype dtype;
    bool apart; /* counts differ, and no rank knows all of them: as messages between pairs */
    int peer;   /* the root, or whom to send to or to receive from */
    int tag;    /* of messages */
    const void *in;
    void *out;
    int64_t count;                         /* of each rank's array where all have the same */
    const int64_t *in_counts, *out_counts; /* by ranks: what goes to each, and comes from each; NULL where not needed */
} cuna_comm_work;

/* Transfers that were started. Zeroed at first; `test` empties it when all are done. */
typedef struct cuna_comm_pending {
    uintptr_t *requests; /* `few`, or allocated */
    int count, room;
    uintptr_t few[2];
    void *memory; /* that the transfers read, freed at their end */
} cuna_comm_pending;

/* Codes of the engines themselves; MPI's are greater. */
enum { CUNA_COMM_OK = 0, CUNA_COMM_NO_MEMORY = -1 };

/* X(field, parameters) */
#define CUNA_COMM_ROWS(X)                                                                                        \
    X(size, (void *comm, int *rank, int *size))                                                                  \
    X(split, (void **out, void *comm, int color, int key)) /* by all ranks; color < 0: *out is NULL */           \
    X(split_node, (void **out, void *comm))                /* the ranks that can share memory */                 \
    X(copy, (void **out, void *comm))                                                                            \
    X(free, (void *comm))                                                                                        \
    X(run, (void *comm, const cuna_comm_work *work))                                                             \
    X(start, (void *comm, const cuna_comm_work *work, cuna_comm_pending *pending)) /* adds to what is pending */ \
    X(test, (bool *done, cuna_comm_pending *pending))                                                            \
    X(progress, (void *comm)) /* moves on what the engine still has to send of completed transfers */            \
    X(finish, (void))         /* by all ranks, at the end of the process */

typedef struct cuna_comm_engine {
    const char *name;                                      /* "mpi" */
    void (*describe)(char *text, size_t nbytes, int code); /* in words */
    void (*version)(char *text, size_t nbytes);            /* of the library, for display */
    void (*abort)(int status);                             /* ends all ranks */
#define ROW(field, parameters) int(*field) parameters;
    CUNA_COMM_ROWS(ROW)
#undef ROW
} cuna_comm_engine;

/* The only rank. */
extern const cuna_comm_engine cuna__comm_alone;

/* Opens the MPI library that fits the launcher, and initialises it: all ranks, as `world`. DEVICE with the names that
 * were searched for, or the function that the library lacks. */
cuna_status cuna__comm_mpi_open(const cuna_comm_engine **out, void **world);

/* Opens the library only, and writes what it is. DEVICE. */
cuna_status cuna__comm_mpi_describe(char *text, size_t nbytes);

/* How many processes a launcher started with this one: 0 when none did, -1 when the launcher does not say. `launcher`
 * names it. */
int cuna__comm_launched(const char **launcher);

#endif
