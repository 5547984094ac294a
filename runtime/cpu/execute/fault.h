/* fault.h: kernels of the cpu device that cannot go on, because they faulted or gave up. */
#ifndef CUNA_CPU_EXECUTE_FAULT_H
#define CUNA_CPU_EXECUTE_FAULT_H

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/interrupt.h"
#include "seam/driver.h"

#define CUNA_FAULT_WORDS 640

/* A kernel that runs in a thread, and how it was left. `stack_pointer` and `address` are where a signal found it, 0 where
 * they are not known or the kernel gave up by itself. */
typedef struct cuna_fault {
    jmp_buf place;
    struct cuna_fault *outer;
    int number, code; /* of the signal; number 0: there was none */
    uintptr_t address, instruction, stack_pointer;
    cu_result result;
    char words[CUNA_FAULT_WORDS];
} cuna_fault;

/* Calls body(data). Returns false when it was left: `fault` says why. What it held is lost, so a body holds nothing. */
bool cuna__fault_guard(cuna_fault *fault, void (*body)(void *data), void *data);

/* Leaves the innermost body that runs in this thread. Returns when none runs. */
void cuna__fault_leave(cu_result result, const char *words);

/* What became of a launch whose pieces run in several threads: the first failure counts. Begins with zeroes. */
typedef struct cuna_outcome {
    atomic_bool failed;
    atomic_flag said;
    cu_result result;
    char words[CUNA_FAULT_WORDS];
} cuna_outcome;

void cuna__outcome_fail(cuna_outcome *outcome, cu_result result, const char *words);

/* Whether no more pieces are to begin: one failed, or the user ended what runs. */
static inline bool cuna__outcome_is_decided(cuna_outcome *outcome)
{
    if (cuna_is_interrupted())
        cuna__outcome_fail(outcome, CUNA_ERROR_INTERRUPTED, "the user ended it");
    return atomic_load(&outcome->failed);
}

/* CU_SUCCESS, or the failure, whose words this thread keeps (error.h). */
cu_result cuna__outcome_result(const cuna_outcome *outcome);

/* For other handlers of the same signals. take: leaves the body in which the signal came; returns when it came from
 * elsewhere. pass_on: calls the handler that was there before, or lets the process end as it would have without any. */
void cuna__fault_take(int number, const siginfo_t *info, const void *state);
void cuna__fault_pass_on(const struct sigaction *before, int number, siginfo_t *info, void *state);

#endif
