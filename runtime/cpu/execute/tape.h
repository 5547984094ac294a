/* tape.h: what a capture has recorded: steps of work, and which come after which. */
#ifndef CUNA_CPU_EXECUTE_TAPE_H
#define CUNA_CPU_EXECUTE_TAPE_H

#include <stdatomic.h>
#include <stdbool.h>

enum { CUNA_TAPE_NONE = -1 }; /* no step */

typedef struct cuna_tape cuna_tape;

/* Work, or none: such a step only joins two others. */
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

cuna_tape *cuna__tape_create(void (*drop)(void *work));
void cuna__tape_retain(cuna_tape *tape);
void cuna__tape_release(cuna_tape *tape);

/* Takes work over; the step's number, or NONE when there is no memory: then nothing was taken. */
int cuna__tape_add(cuna_tape *tape, cuna_tape_step step);

/* Whether every step that does something is `last`, or comes before it. False as well when there is no memory to find out. */
bool cuna__tape_ends_in(const cuna_tape *tape, int last);

#endif
