/* run.h: recorded operations that are being computed by a plan. */
#ifndef CUNA_RECORD_RUN_H
#define CUNA_RECORD_RUN_H

#include "record/plan.h"

typedef struct cuna_runner {
    cuna_queue *queue;
    int count;
    cuna_node *const *nodes;
    bool rehearses; /* kernels are noted, nothing is computed */
} cuna_runner;

/* Runs the steps of a plan. After a failure some nodes have results, which cuna__run_unmake takes from them. MEMORY. */
cuna_status cuna__run_steps(const cuna_runner *r, const cuna_plan *plan);
void cuna__run_unmake(const cuna_runner *r);

/* Runs a plan whose kernels may be missing (first.c). */
cuna_status cuna__run_new(cuna_runner *r, cuna_plan *plan, const bool *wanted);

#endif
