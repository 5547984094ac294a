/* tape.h: the recording of a capture: steps of work and their dependencies. */
#ifndef CUNA_CPU_EXECUTE_TAPE_H
#define CUNA_CPU_EXECUTE_TAPE_H

#include <stdatomic.h>
#include <stdbool.h>

enum { CUNA_TAPE_NONE = -1 }; /* no step */

typedef struct cuna_tape cuna_tape;

/* Work, or none: a step that only joins two others. */
typedef struct cuna_tape_step {
    int after[2]; /* earlier steps, or NONE */
    void *work;
} cuna_tape_step;

/* Shared by a graph and its instances; nothing is added once it is shared. */
struct cuna_tape {
    atomic_int references;
    int count, capacity;
    cuna_tape_step *steps;
    void (*drop)(void *work);
};

cuna_tape *cuna__cpu_tape_create(void (*drop)(void *work));
void cuna__cpu_tape_retain(cuna_tape *tape);
void cuna__cpu_tape_release(cuna_tape *tape);

/* Takes ownership of work and returns the step's number; NONE, without ownership, when out of memory. */
int cuna__cpu_tape_add(cuna_tape *tape, cuna_tape_step step);

/* Whether every step with work is `last` or precedes it. Also false when out of memory. */
bool cuna__cpu_tape_ends_in(const cuna_tape *tape, int last);

#endif
