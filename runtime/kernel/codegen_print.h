/* codegen_print.h: what the files that print parts of a struct Program share. */
#ifndef CUNA_KERNEL_CODEGEN_PRINT_H
#define CUNA_KERNEL_CODEGEN_PRINT_H

#include "kernel/codegen.h"

/* What the printing functions share while one kernel is printed. */
typedef struct cuna_printer {
    cuna_strbuf *out;
    const cuna_program *program;
    const cuna_program_text *text;
    const cuna_variant *variant;
    bool lanes; /* blocks have many of them */
    int level;  /* of the values that are known where the printer is */
    int fold;   /* the step that a stage begins with */
} cuna_printer;

static inline const char *cuna__type_of(uint8_t dtype)
{
    return cuna_dtype_kernel_type(dtype);
}

/* A value in a dtype; one that has it is not converted, since compilers cannot see that rounding twice is once. */
void cuna__print_as(const cuna_printer *p, uint8_t dtype, int value);

/* One function per instruction. */
void cuna__print_operations(const cuna_printer *p);

/* The slot of input k among the scalars. */
int cuna__scalar_of(const cuna_printer *p, int k);

/* Reads the inputs of an element and runs the instructions on them. */
void cuna__print_values(const cuna_printer *p);

/* What inputs are where the walk is; one instruction, when its arguments are there. */
void cuna__print_inputs(const cuna_printer *p);
void cuna__print_call(const cuna_printer *p, int k); /* up to the end of the line */
void cuna__print_instruction(const cuna_printer *p, int k);

/* The variables that a statement computes its outputs in, and its call; whether they begin with the old values; what is
 * stored to output k, up to the end of the line. */
void cuna__print_element_statement(const cuna_printer *p);
bool cuna__reads_outputs(const cuna_printer *p);
void cuna__print_output_value(const cuna_printer *p, int k);

/* codegen_lanes.c: what an access of a lane loads, and what it computes and stores. */
void cuna__print_fetch(const cuna_printer *p);
void cuna__print_finish(const cuna_printer *p);
void cuna__print_tally(const cuna_printer *p);

/* The number of an instruction's value. */
static inline int cuna__step_value(const cuna_printer *p, int step)
{
    return p->text->ninputs + (p->text->uses_index != 0) + step;
}

/* The operand number of input k, which is an array. */
static inline int cuna__operand_of(const cuna_printer *p, int k)
{
    int operand = p->text->noutputs;
    for (int i = 0; i < k; i++)
        operand += p->text->input_scalar[i] == 0;
    return operand;
}

/* codegen_tiles.c: squares, and how an operand finds its row there. */
void cuna__print_tiles(const cuna_printer *p);

/* The members that compute and store elements. */
void cuna__print_elements(const cuna_printer *p);

/* codegen_stages.c: what is folded for a row in each stage, and what becomes of it. */
void cuna__print_rows(const cuna_printer *p);   /* before struct Program */
void cuna__print_stages(const cuna_printer *p); /* after it */
void cuna__print_stage_values(const cuna_printer *p);

/* codegen_fold.c: how elements are folded, and what becomes of a state. */
void cuna__print_fold(const cuna_printer *p);

/* codegen_scan.c: how scans store elements. */
void cuna__print_scan(const cuna_printer *p);

/* How templates write past the caches, where blocks have one lane. */
void cuna__print_output(const cuna_printer *p);

/* codegen_statement.c: a statement's types and the functions that it is the body of; the members that it adds to the
 * argument block; and the calls of its functions. `position` is an expression for `i`. Values are called v, the variables of
 * outputs w. */
void cuna__print_statement(const cuna_printer *p);
void cuna__print_statement_args(const cuna_printer *p);
void cuna__print_compute(const cuna_printer *p, const char *position); /* the element */
void cuna__print_map(const cuna_printer *p, const char *position);     /* the state of an element */
void cuna__print_output_position(const cuna_printer *p, bool of_element);
void cuna__print_post(const cuna_printer *p, const char *position); /* outputs of state a */

#endif
