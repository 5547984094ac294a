/* tape.c: steps in recorded order: each depends on earlier ones only. */
#include "cpu/execute/tape.h"

#include <stdlib.h>

cuna_tape *cuna__cpu_tape_create(void (*drop)(void *work))
{
    cuna_tape *tape = calloc(1, sizeof *tape);
    if (tape == NULL)
        return NULL;
    atomic_init(&tape->references, 1);
    tape->drop = drop;
    return tape;
}

void cuna__cpu_tape_retain(cuna_tape *tape)
{
    atomic_fetch_add(&tape->references, 1);
}

void cuna__cpu_tape_release(cuna_tape *tape)
{
    if (tape == NULL || atomic_fetch_sub(&tape->references, 1) > 1)
        return;
    for (int i = 0; i < tape->count; i++) {
        if (tape->steps[i].work != NULL)
            tape->drop(tape->steps[i].work);
    }
    free(tape->steps);
    free(tape);
}

static bool grow(cuna_tape *tape)
{
    if (tape->count < tape->capacity)
        return true;
    int capacity = tape->capacity > 0 ? tape->capacity * 2 : 16;
    cuna_tape_step *steps = realloc(tape->steps, (size_t)capacity * sizeof *steps);
    if (steps == NULL)
        return false;
    tape->steps = steps;
    tape->capacity = capacity;
    return true;
}

int cuna__cpu_tape_add(cuna_tape *tape, cuna_tape_step step)
{
    if (!grow(tape))
        return CUNA_TAPE_NONE;
    tape->steps[tape->count] = step;
    return tape->count++;
}

/* Backwards from the last step: the predecessors of a needed step are needed. */
bool cuna__cpu_tape_ends_in(const cuna_tape *tape, int last)
{
    bool *counts = calloc((size_t)tape->count + 1, sizeof *counts), all = counts != NULL;
    if (last != CUNA_TAPE_NONE && all)
        counts[last] = true;
    for (int i = tape->count - 1; i >= 0 && all; i--) {
        const cuna_tape_step *step = &tape->steps[i];
        all = counts[i] || step->work == NULL;
        for (int k = 0; k < 2 && counts[i]; k++)
            if (step->after[k] != CUNA_TAPE_NONE)
                counts[step->after[k]] = true;
    }
    free(counts);
    return all;
}
