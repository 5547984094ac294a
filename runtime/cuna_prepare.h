/* cuna_prepare.h: the public functions for kernels that are compiled ahead; cuna.h includes it. */
#ifndef CUNA_PREPARE_H
#define CUNA_PREPARE_H

/* ---- kernel/prepare.c ------------------------------------------------------------------------------------------------ */

/* Begins a rehearsal: until it ends, calls of the context record their kernels without launching them, so outputs have
 * unspecified values; those of up to 16 MiB are zeros. VALUE when one is open. */
cuna_status cuna_prepare_begin(cuna_context *context);

/* Whether a rehearsal is open. */
bool cuna_prepare_is_open(const cuna_context *context);

/* Keeps part `part`, from 0, of `parts` of the kernels recorded so far, which this thread alone compiles: the same work
 * in as many processes compiles everything once. VALUE when none is open, or there is no such part. */
cuna_status cuna_prepare_part(cuna_context *context, int part, int parts);

/* Passes the text of the kernels recorded so far to emit(data, text), without the common texts that precede it in a
 * translation unit. VALUE when none is open; MEMORY. */
cuna_status cuna_prepare_show(cuna_context *context, void (*emit)(void *data, const char *text), void *data);

/* Passes the names of the loops that the kernels recorded so far need on devices that interpret to emit(data, name).
 * VALUE when none is open; MEMORY. */
cuna_status cuna_prepare_show_loops(cuna_context *context, void (*emit)(void *data, const char *name), void *data);

/* Ends the rehearsal and, with `compile`, compiles the recorded kernels that are missing, in few translation units.
 * COMPILE, MEMORY. */
cuna_status cuna_prepare_end(int *nkernels, cuna_context *context, bool compile);

/* Passes the text that kernels of blocks of one lane share to emit(data, text). MEMORY. */
cuna_status cuna_prepare_show_texts(void (*emit)(void *data, const char *text), void *data);

/* Gives an operation that was declared another expression for loops, with the same arguments and values: one that is the
 * same for many operations, where kernels have numbers in their text that loops read from an argument. */
cuna_status cuna_operation_on_loops(uint16_t id, const char *expression);

/* ---- kernel/background.c --------------------------------------------------------------------------------------------- */

/* How many kernels are asked for in the background and not compiled. */
int cuna_background_count(void);

#endif
