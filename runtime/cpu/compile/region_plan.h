/* region_plan.h: a kernel whose threads wait at barriers that stand in it: its points, and its variables. */
#ifndef CUNA_CPU_COMPILE_REGION_PLAN_H
#define CUNA_CPU_COMPILE_REGION_PLAN_H

#include <stdbool.h>

#include "cpu/compile/code.h"
#include "cpu/compile/reach.h"

#define MAX_ITEMS  128
#define MAX_LOOPS  32
#define MAX_POINTS 40
#define MAX_BLOCKS 8

/* What becomes of a declaration: a parameter that the kernel does not change; the same value wherever it is computed; a
 * variable of a thread, kept in its slot between points; a type or a constant; `__shared__` memory. */
typedef enum cuna_item_kind {
    CUNA_ITEM_PARAM,
    CUNA_ITEM_FIXED,
    CUNA_ITEM_VARIABLE,
    CUNA_ITEM_WHOLE,
    CUNA_ITEM_SHARED,
} cuna_item_kind;

/* Tokens: the declaration from `first` to `last`; its words up to specs_end; a declarator [from, to) with its name; the
 * token with which its value begins (0: none), and its end. */
typedef struct cuna_item {
    cuna_item_kind kind;
    int first, last, specs_end;
    int from, name, to, value, value_end;
    int scope_end;
    bool is_param;
    int rank; /* 0: an address of it may be kept; else one more than it has dimensions, all of which its uses name */
    int twin; /* an earlier item whose storage this one uses; -1: none */
} cuna_item;

/* A barrier, in place of tokens; or a join, after them. */
typedef struct cuna_point {
    int first, last;
    bool joins;
} cuna_point;

typedef struct cuna_loop {
    int first, last, body;
} cuna_loop;

/* Tokens of a kernel: `__global__`, its name, the parenthesis and the brace. */
typedef struct cuna_plan {
    const cuna_code *code;
    const cuna_reach *reach;
    bool steps; /* kernels that share volatile memory stay as they are */
    int nlines;
    char *const *lines;
    int begin, name, paren, brace, end;
    int blocks[MAX_BLOCKS], nblocks; /* names of its cooperative_groups::thread_block */
    cuna_item items[MAX_ITEMS];
    cuna_point points[MAX_POINTS];
    cuna_loop loops[MAX_LOOPS];
    int nitems, npoints, nloops;
    bool failed; /* the kernel stays as it is */
} cuna_plan;

/* Begins a plan, which has all before `begin`, for the kernel whose `__global__` and parenthesis are these tokens. */
void cuna__cpu_region_begin(cuna_plan *plan, int begin, int paren);

/* Of a plan that has begun. */
void cuna__cpu_region_plan(cuna_plan *plan);

/* Whether two tokens are the same word; whether token i is a name's use: not a member, nor in a namespace. */
bool cuna__cpu_region_same(const cuna_plan *plan, int a, int b);
bool cuna__cpu_region_is_use(const cuna_plan *plan, int i, int name);

/* Whether token i is a macro of the source. */
bool cuna__cpu_region_is_macro(const cuna_plan *plan, int i);

/* Whether the source declares something of that name outside of functions, which a variable would hide where it is
 * declared too early. */
bool cuna__cpu_region_is_global(const cuna_plan *plan, int name);

/* The first word of the kernel that may wait and does not stand in a barrier, or that the rules do not know; 0: none.
 * Finds the names of its thread blocks. */
int cuna__cpu_region_find_other(cuna_plan *plan);

/* Whether directives between braces choose among lines, which may open a statement twice. */
bool cuna__cpu_region_has_conditions(const cuna_code *code, int brace);

/* Splits a declaration into its declarators; 0: it is none; -1: one that the rules do not understand. */
int cuna__cpu_region_split(const cuna_code *code, int first, int last, cuna_item *out, int max);

/* Sorts items into kinds. */
void cuna__cpu_region_sort(cuna_plan *plan);

/* Whether an item's value is needed after a point. */
bool cuna__cpu_region_lives(const cuna_plan *plan, const cuna_item *item, const cuna_point *point);

#endif
