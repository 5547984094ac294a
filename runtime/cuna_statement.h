/* cuna_statement.h: the door's part for users' texts in programs; cuna.h includes it. */
#ifndef CUNA_STATEMENT_DOOR_H
#define CUNA_STATEMENT_DOOR_H

/* ---- kernel/program_statement.c -------------------------------------------------------------------------------------- */

/* Declares a statement: a user's text that computes an element in place of instructions. `names` are those of inputs, then
 * outputs, then raw arrays, separated by spaces. The text knows them, `i` (the element's row-major position), `n` (how many
 * there are), `_ind` (the positions along axes) and what `types` and `preamble` declare; `before` and `after` stand around
 * it. kernels/statement.cuh says what raw arrays can do.
 *
 * A statement with a `state` (a type's text, else "") folds or scans instead: `text` is an expression that makes a state
 * of an element, `identity` one for a state, `combine` one of states `a` and `b`, and `finish` statements that compute the
 * outputs of a state `a`. `i` is then the position in the folded space, or along the scanned axis, and `n` its size. */
typedef struct cuna_statement {
    const char *name, *text, *before, *after, *types, *preamble, *names;
    const char *state, *identity, *combine, *finish;
} cuna_statement;
cuna_status cuna_statement_define(uint16_t *id, const cuna_statement *statement);

/* Gives back the share of a statement that its definition gave; programs have shares of their own. The id of one that
 * nobody needs is given out again. */
void cuna_statement_release(uint16_t id);

#endif
