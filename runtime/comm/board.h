/* board.h: memory that the ranks of a machine share: what each of them does, for messages, and where it may run.
 *
 * Every rank writes its own slot when it enters and leaves a call; others read it when a deadline has passed, also from
 * a process that is stopped or computes and would not answer. */
#ifndef CUNA_COMM_BOARD_H
#define CUNA_COMM_BOARD_H

#include "comm/comm.h"

typedef enum cuna_board_state { CUNA_BOARD_COMPUTES, CUNA_BOARD_CALLS, CUNA_BOARD_ENDED } cuna_board_state;

typedef struct cuna_board_slot {
    uint32_t version;    /* odd while the owner writes */
    int32_t state, rank; /* rank: in the job */
    int32_t peer;        /* of a message: the other rank in the job; -1: no message */
    int64_t since_ns;
    cuna_comm_signature signature; /* of the call, or the last one */
    uint64_t cpus[16];             /* that the rank may run on */
} cuna_board_slot;

/* Until the board is shared, a rank sees itself alone. */
void cuna__board_enter(const cuna_comm_signature *signature, int peer);
void cuna__board_leave(void);
void cuna__board_end(void);

/* Shares the board among the ranks of a machine, by all of them; where no memory can be shared each has its own. */
cuna_status cuna__board_share(void *node, int rank, int node_rank, int node_size);

/* Copies a slot: this rank's own, or that of a rank of this machine by its number here; false when there is none. */
void cuna__board_own(cuna_board_slot *out);
bool cuna__board_read(cuna_board_slot *out, int number);

/* Whether this rank is the first of the machine to ask. */
bool cuna__board_is_first(void);

/* The processors that this rank may run on, and its part of them: those that others may use as well are shared. 0 where
 * the board is not. */
int cuna__board_all_cpus(void);
int cuna__board_cpus(void);

/* The clock of since_ns. */
int64_t cuna__board_now(void);

#endif
