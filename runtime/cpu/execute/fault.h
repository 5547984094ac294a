/* fault.h: kernels of the cpu device that cannot continue, because they faulted or trapped. */
#ifndef CUNA_CPU_EXECUTE_FAULT_H
#define CUNA_CPU_EXECUTE_FAULT_H

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/interrupt.h"
#include "seam/driver.h"

#define CUNA_FAULT_WORDS 640

/* A kernel that runs in a thread, and how it was left. `stack_pointer` and `address` are those of the signal, 0 if
 * unknown or if the kernel trapped. */
typedef struct cuna_fault {
    jmp_buf place;
    struct cuna_fault *outer;
    int number, code; /* of the signal; number 0: none */
    uintptr_t address, instruction, stack_pointer;
    cu_result result;
    char words[CUNA_FAULT_WORDS];
} cuna_fault;

/* Calls body(data). Returns false when it was left, with the reason in `fault`. Resources that the body holds are then
 * lost, so it must not hold any. */
bool cuna__cpu_fault_guard(cuna_fault *fault, void (*body)(void *data), void *data);

/* Leaves the innermost running body of this thread. Returns if none runs. */
void cuna__cpu_fault_leave(cu_result result, const char *words);

/* The result of a launch whose pieces run in several threads: its first failure. Initialise with zeros. */
typedef struct cuna_outcome {
    atomic_bool failed;
    atomic_flag said;
    cu_result result;
    char words[CUNA_FAULT_WORDS];
} cuna_outcome;

void cuna__cpu_outcome_fail(cuna_outcome *outcome, cu_result result, const char *words);

/* Whether no more pieces may begin: one failed, or the user interrupted. */
static inline bool cuna__outcome_is_decided(cuna_outcome *outcome)
{
    if (cuna_is_interrupted())
        cuna__cpu_outcome_fail(outcome, CUNA_ERROR_INTERRUPTED, "the user ended it");
    return atomic_load(&outcome->failed);
}

/* CU_SUCCESS, or the failure, whose message this thread keeps (error.h). */
cu_result cuna__cpu_outcome_result(const cuna_outcome *outcome);

/* For other handlers of the same signals. take: leaves the body in which the signal occurred; returns if it occurred
 * elsewhere. pass_on: calls the previous handler, or lets the process end as without one. */
void cuna__cpu_fault_take(int number, const siginfo_t *info, const void *state);
void cuna__cpu_fault_pass_on(const struct sigaction *before, int number, siginfo_t *info, void *state);

#endif
