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

/* What finds the place of the script's code that calls: writes a short text, or nothing. Errors name the places of large
 * results, whose memory may be missing when they are computed. */
typedef void cuna_locator(void *data, char *out, size_t nbytes);
void cuna_context_set_locator(cuna_context *context, cuna_locator *locate, void *data);

/* Bytes of a result from which its operation is recorded: smaller ones run at once, unless others wait already. At first
 * CUNA_RECORD_LIMIT, or what suits the device. */
int64_t cuna_device_record_limit(const cuna_device *device);
void cuna_device_set_record_limit(cuna_device *device, int64_t nbytes);

/* Judges the recorded results that nobody has read yet: garbage among them is computed for nothing when they run, which
 * they do soon if there are many. A collection takes the thread collection_s seconds; what was unread when
 * cuna_record_mark_garbage was called does not count. */
cuna_garbage cuna_record_judge_garbage(cuna_context *context, double collection_s);
void cuna_record_mark_garbage(cuna_context *context);

/* How many recorded operations a context ran, and as how many kernels; an operation that several kernels compute counts
 * for each. */
void cuna_record_get_stats(int64_t *operations, int64_t *kernels, const cuna_context *context);

/* Gives an array its memory, if that is only recorded. VALUE for a freed array; MEMORY, DEVICE, COMPILE. */
cuna_status cuna_array_evaluate(const cuna_array *array);

#endif
