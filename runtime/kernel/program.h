/* program.h: what codegen and the engines read of programs: operations, reducers, and the kernels made so far. */
#ifndef CUNA_KERNEL_PROGRAM_H
#define CUNA_KERNEL_PROGRAM_H

#include "cuna.h"
#include "device/loaded.h"
#include "seam/driver.h"

typedef struct cuna_operation {
    char *name, *expression;
    char *on_loops; /* the text of loops that stand for the expression, or NULL: the same */
    int nargs;
} cuna_operation;

/* How a kernel of a program walks: everything but the dtypes that its text depends on. A row: the form's name, its
 * template in kernels/, whether lanes of a block work together, along which axes runs lie (the last one of RANK, of KEPT
 * or of REDUCED axes), and the most elements of a lane's access (log2; folds have a state for each of them). */
#define CUNA_FORM_TABLE(ROW)                                                                                           \
    ROW(FLAT, flat, false, RANK, 4)                  /* one contiguous run */                                          \
    ROW(ROWS, rows, false, RANK, 4)                  /* runs along the innermost axis */                               \
    ROW(SHORT_ROWS, short_rows, false, RANK, 4)      /* the same, several to a block of many lanes */                  \
    ROW(TILES, tiles, true, RANK, 0)                 /* squares of the two innermost axes: operands are transposed */  \
    ROW(TALLY, tally, true, RANK, 4)                 /* one run whose elements add to a table, by many lanes */        \
    ROW(FOLD_ROWS, fold_rows, true, REDUCED, 3)      /* folds whose runs lie along a reduced axis */                   \
    ROW(FOLD_COLUMNS, fold_columns, true, KEPT, 2)   /* folds whose runs lie along a kept axis */                      \
    ROW(FOLD_TILES, fold_tiles, true, KEPT, 3)       /* folds of short rows, many of which are packed into a square */ \
    ROW(STAGES, stages, true, REDUCED, 3)            /* rows that are folded, and folded again with what came out */   \
    ROW(SCAN_ROWS, scan_rows, true, REDUCED, 3)      /* scans whose runs lie along the scanned axis */                 \
    ROW(SCAN_TILES, scan_tiles, true, REDUCED, 3)    /* the same of rows cut into tiles, which blocks hand on */       \
    ROW(SCAN_COLUMNS, scan_columns, true, KEPT, 2)   /* scans whose runs lie along a kept axis */                      \
    ROW(SORT_ROWS, sort_rows, true, RANK, 0)         /* sorts of rows that a block has room for */                     \
    ROW(SORT_SHORT, sort_short, true, RANK, 0)       /* of rows of which a block of many lanes has room for several */ \
    ROW(SORT_COUNT, sort_count, true, RANK, 0)       /* of rows that blocks share: digits are counted, */              \
    ROW(SORT_PLACE, sort_place, true, RANK, 0)       /* and elements put where one of their digits belongs */          \
    ROW(SELECT_ROWS, select_rows, true, RANK, 0)     /* elements at places of rows that a block has room for */        \
    ROW(SELECT_COUNT, select_count, true, RANK, 0)   /* of rows that blocks share: a digit is counted, and picked; */  \
    ROW(SELECT_PART, select_part, true, RANK, 0)     /* the parts before and behind a place */                         \
    ROW(PRODUCT, product, true, RANK, 0)             /* products of matrices */                                        \
    ROW(COMPACT_COUNT, compact_count, true, RANK, 0) /* what masks select: counted in tiles, */                        \
    ROW(COMPACT_PLACE, compact_place, true, RANK, 0) /* and put side by side */                                        \
    ROW(PRODUCT_TEAMS, product_teams, true, RANK, 0) /* products of small matrices, each a team's */                   \
    ROW(PRODUCT_PARTS, product_parts, true, RANK, 0) /* of few tiles, whose warps share the inner axis */              \
    ROW(CONVOLVE, convolve, true, RANK, 0)           /* a short vector that moves along a long one */                  \
    ROW(FACTOR, factor, true, RANK, 0)               /* operations over small matrices, each a team's */

typedef enum cuna_form {
#define ROW(name, template, together, run, vector_log2) CUNA_FORM_##name,
    CUNA_FORM_TABLE(ROW)
#undef ROW
        CUNA_FORMS /* how many there are */
} cuna_form;

/* A program that makes an array in one piece with the values of another one; NULL: there is none. It goes over so many
 * positions for so many elements, and its inputs are the array's address, its size, and the other one's inputs. */
typedef struct cuna_filler {
    const struct cuna_program *program;
    int64_t nelements, npositions;
} cuna_filler;

/* Facts of forms, by form. */
typedef struct cuna_form_facts {
    const char *template;
    bool together;
    enum { CUNA_RUN_RANK, CUNA_RUN_KEPT, CUNA_RUN_REDUCED } run;
    int vector_log2;
} cuna_form_facts;
extern const cuna_form_facts cuna__forms[CUNA_FORMS];

/* How an operand moves along a run. */
typedef enum cuna_stride_class {
    CUNA_STRIDE_UNIT,    /* by one element */
    CUNA_STRIDE_UNIFORM, /* not at all */
    CUNA_STRIDE_ANY,     /* by a stride known at run time */
    CUNA_STRIDE_TWO,     /* by two elements: every second one, or a part of complex numbers */
    CUNA_STRIDE_TILED,   /* unit along the other axis of a tile; read through a transposed copy of the tile */
} cuna_stride_class;

typedef struct cuna_variant {
    uint8_t form, rank; /* axes of the walk (elementwise) or kept axes (reductions), runs included */
    uint8_t reduced_rank;
    uint8_t wide;                            /* positions need 64 bits */
    uint8_t vector_log2;                     /* elements of a lane's access */
    uint8_t resident;                        /* accesses of a row that a lane keeps from stage to stage; 0: none.
                                                Of products: rows, and columns, of a tile that a lane has; of
                                                CUNA_FORM_PRODUCT_PARTS: whose lines are side by side. Of tallies:
                                                whether a block has its own share of the table. Of scans: accesses
                                                under way at once; 0: as many as suit the inputs */
    uint8_t segmented;                       /* of stages: rows have several segments */
    uint8_t stride_class[CUNA_MAX_OPERANDS]; /* outputs first, then array inputs */
} cuna_variant;

#define CUNA_MAX_RESIDENT 15

/* Of first factors of products whose warps share the inner axis rows are side by side in memory; of second ones columns. */
enum { CUNA_PARTS_A = 1, CUNA_PARTS_B = 2 };

/* Numbers that the engines count blocks by and the templates cut work by; codegen prints them into kernel text, with
 * `AND` before all but the first. */
#define CUNA_CUT_TABLE(ROW, AND)                                                                                  \
    ROW(, TILE_SIDE, 128)         /* of the squares that transposed operands are packed into */                   \
    ROW(AND, TILE_STRIP, 4)       /* squares that one block does */                                               \
    ROW(AND, WARP, 32)            /* lanes that share a piece of a row, or that combine without a barrier */      \
    ROW(AND, FOLD_COLUMNS, 1024)  /* outputs folded side by side at most: their states stay in the first cache */ \
    ROW(AND, FOLD_PASS, 64)       /* rows folded before they are added to the total */                            \
    ROW(AND, STAGED_SEGMENTS, 4)  /* segments of a row that programs in stages fold one after another at most */  \
    ROW(AND, STATE_NBYTES, 32)    /* room for one state of any reducer */                                         \
    ROW(AND, SCAN_TILE, 8192)     /* states that a block of one lane keeps while it scans */                      \
    ROW(AND, SCAN_SHORT, 256)     /* elements of rows that are scanned side by side */                            \
    ROW(AND, SCAN_COLUMNS, 2048)  /* columns that are scanned side by side at most */                             \
    ROW(AND, SORT_ROW, 4096)      /* elements of rows that one block sorts at most */                             \
    ROW(AND, SORT_TILE, 6144)     /* elements of a tile of rows that blocks of many lanes share */                \
    ROW(AND, TALLY_NBYTES, 32768) /* of a block's share of a table */                                             \
    ROW(AND, COMPACT_TILE, 8192)  /* elements of a mask that a block selects by */                                \
    ROW(AND, COMPACT_GROUP, 256)  /* tiles of a mask that are counted together */                                 \
    ROW(AND, SELECT_ROW, 1024)    /* elements of rows that 32 lanes select from at most */                        \
    ROW(AND, SELECT_TILE, 4096)   /* elements of a tile that a block of many lanes parts */                       \
    ROW(AND, SELECT_MOST, 32)     /* places that are selected at once at most */                                  \
    ROW(AND, SELECT_WIDTH, 11)    /* bits of a digit at most */                                                   \
    ROW(AND, SELECT_BINS, 8192)   /* counts that a block that selects has room for */                             \
    ROW(AND, SELECT_WORDS, 104)   /* of 8 bytes: room for what is known of a row between passes */                \
    ROW(AND, CONVOLVE_STRIP, 7)   /* neighbouring results of a convolution that a lane has */                     \
    ROW(AND, SPARSE_SEGMENT, 32)  /* products of a sparse row that are added in order */                          \
    ROW(AND, PART_ROWS, 8)        /* of a tile of a product whose warps share the inner axis, and */              \
    ROW(AND, PART_COLUMNS, 16)    /* its columns, */                                                              \
    ROW(AND, PART_NBYTES, 1024)   /* and of a slice of its factors along that axis */

enum {
#define ROW(and, name, value) CUNA_##name = (value),
    CUNA_CUT_TABLE(ROW, )
#undef ROW
};

#define CUNA_TILES_NBYTES 49152 /* of squares that a block of many lanes has room for */

/* Elements of a row that a block of many lanes folds in stages in less time than another launch takes. */
#define CUNA_STAGED_ELEMENTS 4096

#define CUNA_KERNEL_ENTRIES 2 /* a reduction split over blocks has a second kernel, which merges the parts */

/* Code of a kernel, and with how many bits it counts positions. */
typedef struct cuna_kernel_entry {
    cu_function function;
    int index_bits;
} cuna_kernel_entry;

/* What code on loops lost so far, beside a compiled kernel (heat.c). */
typedef struct cuna_heat {
    bool is_code;                  /* false: a compiled kernel, which loses nothing */
    int32_t launch_ps, element_ps; /* the loss of a launch, and for each of its elements */
    int64_t loss_ps, due_ps;       /* due: the loss at which something is done */
} cuna_heat;

typedef struct cuna_kernel {
    uint64_t key;
    int device;
    cuna_loaded *loaded; /* with a reference */
    cuna_kernel_entry functions[CUNA_KERNEL_ENTRIES];
    cuna_heat heat;
    struct cuna_kernel *next;
} cuna_kernel;

/* What programs in stages know of their values. Level: after how many stages a value is known; row: whether it is the
 * same for a whole row; early: whether a fold needs it. */
typedef struct cuna_levels {
    uint8_t level[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS];
    bool row[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS];
    bool early[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS];
} cuna_levels;

struct cuna_program {
    int noperands; /* outputs and array inputs */
    int nscalars;
    cuna_levels levels;
    bool stores;           /* some step's value is an array to a fold that runs by itself */
    bool calls;            /* steps call functions (cuna__codegen_calls) */
    bool is_long;          /* an element's text may be so long that lanes repeat it as little as possible */
    bool is_plain;         /* one value, of elements' values and positions: steps of others, maybe */
    cuna_filler filler[2]; /* for devices whose blocks have one lane, and many */
    cuna_heat lack;        /* of stages: what it costs that they have no kernel */
    uint64_t hash;
    int64_t references;   /* changes atomically; to and from 0 under the registry's lock */
    cuna_kernel *kernels; /* only ever grows at the front; read without a lock */
    struct cuna_program *next;
    cuna_program_text text; /* without room behind its last instruction */
};

/* VALUE unless a text is well-formed (program_check.c); what its values depend on. */
cuna_status cuna__program_check(const cuna_program_text *text);
void cuna__program_find_levels(cuna_levels *out, const cuna_program_text *text);

/* Whether a fold of a program in stages needs an array input, which is an operand behind the outputs. */
bool cuna__program_is_early(const cuna_program *program, int operand);

/* Borrowed; valid for ever. NULL for an unknown id. */
const cuna_operation *cuna__operation_get(uint16_t id);

/* The expression that loops of an operation compute. */
const char *cuna__operation_on_loops(uint16_t id);
const cuna_reducer *cuna__reducer_get(uint16_t id);

/* Borrowed from the owner of a share. NULL for an unknown id. Retaining takes one more share: */
const cuna_statement *cuna__statement_get(uint16_t id);
void cuna__statement_retain(uint16_t id);

/* Whether a program scans; whether states are combined, by its reducer or its statement; whether its kernels have kept and
 * reduced axes. */
static inline bool cuna__program_scans(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_SCAN || text->kind == CUNA_PROGRAM_SCAN_BEFORE;
}

static inline bool cuna__program_combines(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_FOLD || cuna__program_scans(text);
}

static inline bool cuna__program_folds(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_STAGES || cuna__program_combines(text);
}

static inline bool cuna__program_sorts(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_SORT || text->kind == CUNA_PROGRAM_ARGSORT;
}

static inline bool cuna__program_selects(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_SELECT || text->kind == CUNA_PROGRAM_PART || text->kind == CUNA_PROGRAM_ARGPART;
}

/* Whether steps multiply, and no more of them than a kernel has room for, in one dtype; whether an input is an array of
 * which steps that do not multiply, or outputs, read elements. */
#define CUNA_MAX_PRODUCTS 8
bool cuna__program_multiplies(const cuna_program_text *text);
bool cuna__program_reads_elements(const cuna_program_text *text, int input);

/* The kernel of a variant on a device, or NULL when it is not made yet. */
const cuna_kernel *cuna__program_find_kernel(const cuna_program *program, int device, uint64_t key);

/* Adds a kernel (malloc'd, owned by the program from now on). */
void cuna__program_add_kernel(const cuna_program *program, cuna_kernel *kernel);

/* The class of a stride. */
static inline cuna_stride_class cuna__stride_classify(int64_t stride)
{
    return stride == 1   ? CUNA_STRIDE_UNIT
           : stride == 0 ? CUNA_STRIDE_UNIFORM
           : stride == 2 ? CUNA_STRIDE_TWO
                         : CUNA_STRIDE_ANY;
}

/* A variant in 64 bits. */
uint64_t cuna__variant_key(const cuna_variant *variant, int noperands);

/* What blocks of many lanes cut work by. Elements of an access that all operands can make, were they aligned (log2);
 * accesses that a lane has under way at once; how many of a row's `accesses` a lane keeps, all or none; and the side of the squares that transposed operands pass through. */
int cuna__variant_vector_log2(const cuna_program *program, const cuna_variant *variant, int vector_nbytes);
int cuna__variant_items(const cuna_program *program, const cuna_variant *variant);
int cuna__variant_resident(const cuna_program *program, const cuna_variant *variant, int64_t accesses);
int cuna__variant_side(const cuna_program *program, const cuna_variant *variant);

/* The first two for operands that an engine describes: of `widest` bytes at most, of `nbytes` together. */
int cuna__variant_fit_vector(const cuna_program *program, int form, int64_t widest, int vector_nbytes);
int cuna__variant_fit_items(const cuna_program *program, int64_t nbytes, int vector_log2);

#endif
