/* cuna_record.h: the public functions for operations that are recorded; cuna.h includes it. */
#ifndef CUNA_RECORD_DOOR_H
#define CUNA_RECORD_DOOR_H

/* ---- work/copy.c --------------------------------------------------------------------------------------------------- */

/* The program that copies a strided array in another dtype (cuna_array_cast), and the one that writes one number to all
 * elements (cuna_array_fill). They live as long as the process. */
cuna_status cuna_cast_program(const cuna_program **out, cuna_dtype to, cuna_dtype from);
cuna_status cuna_fill_program(const cuna_program **out, cuna_dtype dtype);

/* ---- record/record.c ----------------------------------------------------------------------------------------------- */

/* Runs a program as cuna_elementwise does, or, in a context that records, only records it: then the output gets its memory
 * when it is asked for, by a kernel that computes other recorded operations too. Values are the same. */
cuna_status cuna_record(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape);

/* The same for a new array of a device, whose shape is given: its program may compute it from positions and numbers. */
cuna_status cuna_record_new(cuna_array *out, cuna_context *context, const char *name, const cuna_program *program,
                            const cuna_operand *inputs, cuna_device *device, int ndim, const int64_t *shape);

/* The same beside cuna_array_fill. */
cuna_status cuna_record_full(cuna_array *out, cuna_context *context, const char *name, cuna_dtype dtype,
                             cuna_device *device, int ndim, const int64_t *shape, const cuna_number *number);

/* The same beside cuna_reduce. */
cuna_status cuna_record_fold(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                             double extra);

/* The same beside cuna_scan, by a program that stores no steps. */
cuna_status cuna_record_scan(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int axis);

/* Arrays, at least one, of a device, that are joined along an axis of a new array, or `stacked` along an axis that it
 * has and they have not. What the result is like is known. */
typedef struct cuna_joint {
    const char *name;
    int narrays, axis, ndim;
    bool stacked;
    cuna_dtype dtype;
    cuna_device *device;
    int64_t shape[CUNA_MAX_NDIM];
    const cuna_array **arrays;
} cuna_joint;

/* The same beside cuna_array_join, to a new array (record/join.c). */
cuna_status cuna_record_join(cuna_array *out, cuna_context *context, const cuna_joint *joint);

/* The same beside cuna_matmul, to a new array of a product of few tiles. Others run at once, but let what is recorded wait
 * where they neither read nor write any of it (record/product.c). */
cuna_status cuna_record_matmul(cuna_context *context, const char *name, const cuna_program *program,
                               const cuna_array *a, const cuna_array *b, cuna_array *out);

/* The same beside cuna_array_copy and cuna_array_fill, which write to all or most of an array; others run at once. */
cuna_status cuna_record_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src);
cuna_status cuna_record_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number);

/* The same beside cuna_array_cast. A copy in the array's own dtype runs at once, unless it is watched. */
cuna_status cuna_record_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype);

/* Whether a context records; what was recorded runs before it ends. At first CUNA_EAGER says it. MEMORY, DEVICE,
 * COMPILE. */
bool cuna_records_at_first(void);
cuna_status cuna_context_set_recording(cuna_context *context, bool on);
bool cuna_context_is_recording(const cuna_context *context);

/* Whether what a context records is compiled together when it runs for the first time, which is right if it will run
 * again; returns what was set before. CUNA_COMPILE=wait says it for all. */
bool cuna_context_set_composing(cuna_context *context, bool on);

/* Runs what a context has recorded so far. MEMORY, DEVICE, COMPILE. */
cuna_status cuna_record_flush(cuna_context *context);

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

/* Bytes of recorded results that no operation has read. */
int64_t cuna_record_unread_nbytes(const cuna_context *context);

/* Whether a context has recorded operations whose values have no memory. */
bool cuna_context_has_recorded(const cuna_context *context);

/* ---- record/watch.c, record/replay.c --------------------------------------------------------------------------------- */

/* The operations that a function recorded, which run again for other arrays without a record. */
typedef struct cuna_replay cuna_replay;

/* Begins to watch what the context records, for a function that reads and writes these arrays. Work that is not recorded
 * ends the watch, as cuna_replay_unwatch does. MEMORY, DEVICE, COMPILE: the replay, or NULL, is only to be freed. */
cuna_status cuna_replay_watch(cuna_replay **out, cuna_context *context, int narrays, const cuna_array *const *arrays);
bool cuna_replay_is_watching(const cuna_context *context);
cuna_status cuna_replay_unwatch(cuna_context *context);

/* Ends the watch, and runs what was recorded. *made is false if something was not recorded, or an array comes from
 * elsewhere: the function has done its work, and the replay is only to be freed. MEMORY, DEVICE, COMPILE. */
cuna_status cuna_replay_make(bool *made, cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                             int nresults, const cuna_array *const *results);
void cuna_replay_free(cuna_replay *replay); /* or NULL */

/* Whether a replay does for other arrays what the function would do: they have the same dtypes, shapes, strides and
 * device, and share memory alike, and the current device is the same. */
bool cuna_replay_serves(const cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays);

/* Runs a replay for arrays that it serves; fills the results. MEMORY, DEVICE, COMPILE: nothing was done then. */
cuna_status cuna_replay_run(cuna_replay *replay, cuna_context *context, const cuna_array *const *arrays,
                            cuna_array *const *results);

/* ---- record/log.c -------------------------------------------------------------------------------------------------- */

/* How many recorded operations a context ran, and as how many kernels; an operation that several kernels compute counts
 * for each. */
void cuna_record_get_stats(int64_t *operations, int64_t *kernels, const cuna_context *context);

/* Gives an array its memory, if that is only recorded. VALUE for a freed array; MEMORY, DEVICE, COMPILE. */
cuna_status cuna_array_evaluate(const cuna_array *array);

#endif
