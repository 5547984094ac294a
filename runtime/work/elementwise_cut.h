/* elementwise_cut.h: divides an elementwise walk into blocks. */
#ifndef CUNA_WORK_ELEMENTWISE_CUT_H
#define CUNA_WORK_ELEMENTWISE_CUT_H

#include "kernel/launch.h"

/* A walk whose layout and stride classes are decided. */
typedef struct cuna_walk {
    const cuna_driver_facts *facts;
    const cuna_program *program;
    const cuna_array *const *operands; /* outputs, then array inputs */
    int noperands;
    int64_t size;
    cuna_variant variant;
    cuna_layout layout; /* without axes when the walk is flat */
    int64_t slots;      /* of tallies: the length of the table */
} cuna_walk;

/* Decides how wide accesses are. */
void cuna__walk_choose_vector(cuna_walk *walk);

/* Decides whether the rows of a walk are short. */
void cuna__walk_choose_rows(cuna_walk *walk);

/* Decides whether the blocks of a tally have shares of the table. */
void cuna__walk_choose_shares(cuna_walk *walk);

/* Takes operands back from tiles until the squares of the others have room. */
void cuna__walk_limit_tiles(cuna_walk *walk);

/* Adds the words after the layout's; returns the blocks of the grid. */
int64_t cuna__walk_cut(cuna_words *words, const cuna_walk *walk);

#endif
