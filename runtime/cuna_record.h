/* cuna_record.h: the public functions for operations that are recorded; cuna.h includes it. */
#ifndef CUNA_RECORD_DOOR_H
#define CUNA_RECORD_DOOR_H

/* ---- record/record.c ----------------------------------------------------------------------------------------------- */

/* Runs a program as cuna_elementwise does, or, in a context that records, only records it: then the output gets its memory
 * when it is asked for, by a kernel that computes other recorded operations too. Values are the same. */
cuna_status cuna_record(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs);

/* The same beside cuna_reduce. */
cuna_status cuna_record_fold(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                             double extra);

/* The same beside cuna_array_cast. A copy in the array's own dtype runs at once. */
cuna_status cuna_record_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype);

/* Whether a context records; what was recorded runs before it ends. At first CUNA_EAGER says it. MEMORY, DEVICE,
 * COMPILE. */
bool cuna_records_at_first(void);
cuna_status cuna_context_set_recording(cuna_context *context, bool on);
bool cuna_context_is_recording(const cuna_context *context);

/* Gives an array its memory, if that is only recorded. VALUE for a freed array; MEMORY, DEVICE, COMPILE. */
cuna_status cuna_array_evaluate(const cuna_array *array);

#endif
