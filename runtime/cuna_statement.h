/* cuna_statement.h: the public functions for user code in programs; cuna.h includes it. */
#ifndef CUNA_STATEMENT_DOOR_H
#define CUNA_STATEMENT_DOOR_H

/* ---- kernel/program_statement.c -------------------------------------------------------------------------------------- */

/* Declares a statement: user code that computes an element in place of instructions. `names` are the names of inputs,
 * then outputs, then raw arrays, separated by spaces. The code may use them, `i` (the element's row-major position),
 * `n` (the number of elements), `_ind` (the positions along axes) and the declarations of `types` and `preamble`;
 * `before` and `after` enclose it; `continue` in it ends it. `includes` are names of headers, separated by spaces. The
 * device's vocabulary of CUDA C++ is there as well; kernels/statement.cuh documents raw arrays.
 *
 * A statement with a `state` (a type's text, else "") folds or scans instead: `text` is an expression that makes a
 * state of an element, `identity` one for a state, `combine` one of states `a` and `b`, and `finish` statements that
 * compute the outputs of a state `a`. `i` is then the position in the folded space, or along the scanned axis, and `n`
 * its size. */
typedef struct cuna_statement {
    const char *name, *text, *before, *after, *types, *includes, *preamble, *names;
    const char *state, *identity, *combine, *finish;
} cuna_statement;
cuna_status cuna_statement_define(uint16_t *id, const cuna_statement *statement);

/* Whether every device has a header of this name, such as cuComplex.h. */
bool cuna_statement_has_header(const char *name);

/* Releases the reference to a statement that its definition returned; programs hold separate references. The id of a
 * statement without references is reused. */
void cuna_statement_release(uint16_t id);

/* ---- kernel/codegen.c ----------------------------------------------------------------------------------------------- */

/* A number by which templates cut work, by its name in CUNA_CUT_TABLE; 0 if there is none. */
int cuna_program_cut(const char *name);

#endif
