/* cuna_reduce.h: the public functions for folds, scans, sorts and selections; cuna.h includes it. */
#ifndef CUNA_REDUCE_DOOR_H
#define CUNA_REDUCE_DOOR_H

/* ---- work/reduce.c ------------------------------------------------------------------------------------------------- */

/* Runs a reducing program over the axes in `axes` (bit k: axis k of the broadcast inputs, from 0). Outputs with a
 * buffer are written and must have the result's shape; empty ones are created. `keepdims` keeps reduced axes with
 * length 1. `extra` is a number for the reducer's finish. Elements are added in the order in which a fold by itself adds
 * them, of the arrays that the program's steps would store (cuna_stored). *ran is false, and nothing was done, when the
 * inputs lie across that order; a program without stored steps always runs. Inputs broadcast to `shape`, unless ndim
 * is below 0; a program that uses the index folds all axes, and may have no array. VALUE, MEMORY, COMPILE as
 * cuna_elementwise. */
cuna_status cuna_reduce(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra, int ndim, const int64_t *shape);

/* ---- work/reduce_scan.c -------------------------------------------------------------------------------------------- */

/* Runs a scanning program along an axis (from 0) of its inputs, broadcast together. With axis -1 it scans all their
 * elements in row-major order, as one axis. Outputs have the shape of the broadcast inputs, or one axis. Outputs with a
 * buffer are written (inputs that overlap them other than element for element are copied first); empty ones are
 * created. Results do not depend on the number of threads. A program that stores steps combines in the order in which a
 * scan by itself combines what they would store; *ran is false, and nothing was done, when the inputs lie across that
 * order. Inputs broadcast to `shape`, unless ndim is below 0. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_scan(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                      const cuna_operand *inputs, cuna_array *const *outputs, int axis, int ndim, const int64_t *shape);

/* ---- work/convolve.c ----------------------------------------------------------------------------------------------- */

/* Writes to `out`, a vector that does not share memory with the others, sums of the products of a short vector and the
 * elements of a long one that it lies over: at the first result its first element over that number `shift` (from 0, may
 * be negative), at the next one over the next. Elements beyond the long vector's ends are left out. The program's kind
 * is CONVOLVE, its inputs are both vectors. For devices whose blocks have many lanes. VALUE, MEMORY, COMPILE, DEVICE. */
cuna_status cuna_convolve(cuna_context *context, const char *name, const cuna_program *program, cuna_array *out,
                          const cuna_array *small, const cuna_array *large, int64_t shift);

/* ---- work/compact.c ------------------------------------------------------------------------------------------------ */

/* Fills the empty `out` with the elements of `source` where a mask is true, in row-major order, or without `source` with
 * their positions (int64, from 1). The program's kind is COMPACT, its inputs are the arrays: row-major, of one size, above
 * 0. For devices whose blocks have many lanes. Waits for the count. VALUE, MEMORY, COMPILE as cuna_elementwise, DEVICE. */
cuna_status cuna_compact(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *mask,
                         const cuna_array *source, cuna_array *out);

/* ---- work/sort.c --------------------------------------------------------------------------------------------------- */

/* Sorts the rows (along the last axis) of a row-major array, or finds the positions (int64, from 1) that would sort
 * them. The program's kind says which; it has one input, one output and no instructions. The sort is stable; NaN comes last, also in
 * descending order; -0 sorts before 0 in elements and equals it in positions. An output with a buffer is row-major, has
 * the input's shape and may be the input; an empty one is created. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_sort(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *in,
                      cuna_array *out, bool descending);

/* ---- work/sort_select.c -------------------------------------------------------------------------------------------- */

/* Finds the elements at places (int64, from 0) of the sorted rows of a row-major array, with `limit` 1 followed by one more
 * value, NaN if the row has NaN and else 0; or parts the rows around the element
 * at one place: the elements before it, its equals, and the others, each in the order of the row, of which the first
 * `limit` are stored; or their positions (int64, from 1). The program's kind says which; it has one input, one output
 * and no instructions. Order is cuna_sort's. `places` is row-major, of shape (p), which all rows have, or of the input's
 * shape with p places, at most 32, in place of the elements; every place must be in its row. `out` is empty, and gets
 * p, or `limit`, elements in place of each row's. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_select(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *in,
                        const cuna_array *places, cuna_array *out, bool descending, int64_t limit);

/* ---- work/reduce_stages.c ------------------------------------------------------------------------------------------ */

/* Runs a program in stages. A row consists of the elements that one position of the axes outside `axes` folds; all
 * stages of a row run while it stays in a cache. Outputs have the shape of the broadcast inputs, or, with one value per
 * row, the shape of cuna_reduce's outputs (bit k of `keepdims`: output k). *how is CUNA_STAGED_NEVER, and nothing was done,
 * when separate reductions are faster or would add in another order: rows are few or very long, or do not lie along
 * memory; CUNA_STAGED_LATER, when the device interprets and has no kernel of the program yet. VALUE, MEMORY, COMPILE as
 * cuna_elementwise. */
typedef enum cuna_staged { CUNA_STAGED_NEVER, CUNA_STAGED_LATER, CUNA_STAGED } cuna_staged;
cuna_status cuna_stages(cuna_staged *how, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, uint32_t keepdims);

#endif
