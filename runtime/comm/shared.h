/* shared.h: memory that the ranks of a machine share. */
#ifndef CUNA_COMM_SHARED_H
#define CUNA_COMM_SHARED_H

#include "comm/comm.h"

/* By all ranks of a communicator of the engine's: maps zeroed memory; *out is NULL for all where one has none. */
cuna_status cuna__shared_map(void **out, void *node, int rank, size_t nbytes);

/* Whether ranks may share memory: CUNA_DISTRIBUTED_SHARED. */
bool cuna__shared_is_wanted(void);

/* Whether all of the engine's `node` say so. A code of the engine's. */
int cuna__shared_agree(bool *all, void *node, bool own);

#endif
