/* loop_code.h: programs of the cpu device as steps over blocks of elements; each step calls a loop that was compiled
 * with cuna. The host writes such code (runtime/cpu/interpret), interpret.cuh runs it; C includes this file too.
 *
 * A block is a part of a run whose values stay in the first cache. Values lie in places: an operand's place is its
 * memory, that of any other value a slot of the block's length. */
#ifndef CUNA_LOOP_CODE_H
#define CUNA_LOOP_CODE_H

enum {
    LOOP_OPERANDS = 24, /* CUNA_MAX_OPERANDS */
    LOOP_ARGUMENTS = 16, /* CUNA_MAX_ARGUMENTS */
    LOOP_PLACES = 128,
    LOOP_ALIGN = 64,
    LOOP_BUFFER_NBYTES = 4096, /* of elements that go past the caches */
    LOOP_SQUARE = 128 * 144,   /* elements of the square of a tiled operand */
    LOOP_PANEL = 1024          /* elements of short rows that are computed together at most */
};

/* What loops read. */
typedef struct cuna_loop_frame {
    char *place[LOOP_PLACES];        /* operands, scalars (two words each), the table, slots */
    long long stride[LOOP_OPERANDS]; /* of operands along the run, in bytes */
    long long position;              /* row-major, of the block's first element */
} cuna_loop_frame;

/* Computes n elements: at[0] is the place of the result, the arguments' follow. */
typedef void (*cuna_loop)(const cuna_loop_frame *frame, const unsigned char *at, long long n);

typedef struct cuna_loop_step {
    cuna_loop run;
    unsigned char at[LOOP_ARGUMENTS + 1];
    unsigned char itemsize; /* of the result */
} cuna_loop_step;

/* When a step runs: once, for values that a launch does not change; for each run; for each block; with what became of
 * a block's values (interpret_scan.hh). */
enum { LOOP_LAUNCH, LOOP_RUN, LOOP_BLOCK, LOOP_AFTER, LOOP_TIMES };

typedef __INT64_TYPE__ cuna_loop_int;

/* Loops of a reducer over an accumulator's dtype. States lie beside each other. A run goes through `lanes`, two cache
 * lines, block by block; what is left of them in the end is added to its state. */
enum { LOOP_RUN_BEGINS = 1, LOOP_RUN_ENDS = 2, LOOP_LANES_NBYTES = 128 };
typedef struct cuna_loop_fold {
    cuna_loop_int state_nbytes;
    void (*begin)(void *states, cuna_loop_int n);
    void (*run)(void *state, void *lanes, const void *values, cuna_loop_int n, cuna_loop_int position,
                cuna_loop_int done, int ends); /* after `done` elements of the run */
    /* Rows of n values, `stride` bytes apart: a state for each row, or one for each column. */
    void (*rows)(void *states, const void *values, cuna_loop_int n, cuna_loop_int position, cuna_loop_int rows,
                 cuna_loop_int stride);
    void (*columns)(void *states, const void *values, cuna_loop_int n, cuna_loop_int position, cuna_loop_int rows,
                    cuna_loop_int stride);
    void (*join)(void *states, const void *others, cuna_loop_int n);
} cuna_loop_fold;

/* The same of a step of two arguments and the reducer at once: run and columns fold what the step makes of pairs. */
typedef struct cuna_loop_pairs {
    void (*run)(void *state, void *lanes, const void *first, const void *second, cuna_loop_int n, cuna_loop_int position,
                cuna_loop_int done, int ends);
    void (*columns)(void *states, const void *first, const void *second, cuna_loop_int n, cuna_loop_int position);
} cuna_loop_pairs;

/* What becomes of states: values of a dtype, `stride` bytes apart. */
typedef struct cuna_loop_finish {
    const char *type;
    void (*run)(void *to, cuna_loop_int stride, const void *states, cuna_loop_int nstates, cuna_loop_int n, double extra);
} cuna_loop_finish;

typedef struct cuna_loop_code {
    int noperands, noutputs, nscalars, table; /* table: its words */
    int rank;                       /* axes of the walk */
    int block;                      /* elements */
    int panel;                      /* elements of a block that short rows share; 0: they may not */
    int nslots, slot_nbytes, room_nbytes; /* room: the buffer, slots, squares */
    int streams;                    /* whether operand 0 may be written past the caches */
    int itemsize[LOOP_OPERANDS];
    int stride[LOOP_OPERANDS];                 /* along the run, in bytes, where the class alone decides it */
    unsigned char stride_class[LOOP_OPERANDS]; /* LOOP_STRIDE_* */
    int end[LOOP_TIMES];            /* of the steps that run then */
    cuna_loop_step *steps;
    /* Of folds: `rank` axes are kept. Results of another dtype than finish gives are converted and stored. */
    int reduced_rank;
    int folded; /* place of what is folded */
    const cuna_loop_fold *fold;
    const cuna_loop_pairs *pairs; /* in place of the last step of blocks, or NULL */
    const cuna_loop_finish *finish;
    cuna_loop convert, store; /* or NULL */
} cuna_loop_code;

/* Walks, by number. */
enum {
    LOOP_FLAT,
    LOOP_ROWS,
    LOOP_TILES,
    LOOP_FOLD_ROWS,
    LOOP_FOLD_COLUMNS,
    LOOP_FOLD_TILES,
    LOOP_SCAN_ROWS,
    LOOP_SCAN_TILES,
    LOOP_SCAN_COLUMNS,
    LOOP_FORMS,
    LOOP_WHOLE = LOOP_FORMS /* no walk: a kernel that was compiled as it is */
};

/* How an operand moves along a run: cuna_stride_class. */
enum { LOOP_STRIDE_UNIT, LOOP_STRIDE_UNIFORM, LOOP_STRIDE_ANY, LOOP_STRIDE_TWO, LOOP_STRIDE_TILED };

/* Runs blocks [first, last) of a launch; params[0] is the argument block, params[1] the code. */
typedef void (*cuna_loop_entry)(void **params, unsigned first, unsigned last);

/* A kernel that was compiled as it is: runs blocks, with the argument block alone, which has so many bytes. */
typedef struct cuna_loop_whole {
    cuna_loop_entry run;
    unsigned nbytes;
} cuna_loop_whole;

/* A loop, or a cuna_loop_whole, by the hash of its name. */
typedef struct cuna_loop_row {
    unsigned long long key;
    void *loop;
} cuna_loop_row;

/* Rows in the order of their keys; those of a part follow those of the parts before it. */
typedef struct cuna_loop_part {
    const cuna_loop_row *rows;
    int nrows;
} cuna_loop_part;

/* What the library of loops exports as `cuna_loops`. */
typedef struct cuna_loop_library {
    const char *version; /* identifies the texts that it was made from */
    int nparts;
    const cuna_loop_part *parts;
    cuna_loop_entry entry[LOOP_FORMS];
    cuna_loop_entry merge; /* of segments that were folded apart */
    unsigned (*measure[LOOP_FORMS])(const cuna_loop_code *code); /* bytes of the argument block, from its counts */
} cuna_loop_library;

#endif
