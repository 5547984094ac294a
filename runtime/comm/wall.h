/* wall.h: where the ranks of a communicator that share a machine write what they are about to call. */
#ifndef CUNA_COMM_WALL_H
#define CUNA_COMM_WALL_H

#include "comm/comm.h"

/* By all ranks; comm->wall stays NULL where they share no memory. */
cuna_status cuna__wall_make(cuna_comm *comm);
void cuna__wall_free(cuna_comm *comm);

/* A comparison with the same one of all other ranks: its number is the next one of this rank. Those of one communicator
 * are done in their order. Codes of the engine's. */
void cuna__wall_start(cuna_comm *comm, cuna_comm_check *check);
int cuna__wall_test(cuna_comm *comm, bool *done, cuna_comm_check *check);

#endif
