/* loop_image.h: an image that names loops instead of having code: what a device that interprets loads as a module.
 *
 * An image is its header, lines, and the names of loops as text. Each line computes a value of other values by a loop,
 * in an order in which arguments come first. Values are numbered: operands (their memory), scalars, the table, then what
 * lines compute. A line whose result is an operand stores to it. A fold takes one of the values further: by the loops of
 * its reducer, and by those that its states are finished with. An image of the form
 * LOOP_WHOLE has one line: the name of a kernel. */
#ifndef CUNA_SEAM_LOOP_IMAGE_H
#define CUNA_SEAM_LOOP_IMAGE_H

#include "base/base.h"
#include "kernels/loop_code.h"

_Static_assert((int)LOOP_OPERANDS == CUNA_MAX_OPERANDS, "loops take the operands of every program");

#define CUNA_LOOP_MAGIC "cunaloop"
#define CUNA_LOOP_ENTRY "run"   /* the function of such a module, */
#define CUNA_LOOP_MERGE "merge" /* and that of a fold which merges segments */

typedef struct cuna_loop_line {
    uint32_t name;  /* offset in the image */
    uint16_t value; /* that it computes */
    uint16_t arg[LOOP_ARGUMENTS];
    uint8_t nargs;
    uint8_t when;     /* LOOP_LAUNCH, ... */
    uint8_t itemsize; /* of the value */
} cuna_loop_line;

typedef struct cuna_loop_image {
    char magic[8];
    uint32_t nbytes; /* of the whole image */
    uint16_t nlines, table;
    uint8_t form; /* LOOP_FLAT, ... */
    uint8_t noperands, noutputs, nscalars, rank;
    uint8_t streams, addresses; /* addresses: some value is where an element is */
    uint8_t itemsize[LOOP_OPERANDS], stride_class[LOOP_OPERANDS];
    /* Of folds. Names as offsets in the image; 0: not a fold. That of `convert` lacks the dtype that finish gives. */
    uint8_t reduced_rank;
    uint16_t folded; /* value */
    uint32_t fold, finish, convert, store;
    uint32_t pairs; /* loops that do the last line's step as well, if there are such; else 0 */
    cuna_loop_line line[];
} cuna_loop_image;

#endif
