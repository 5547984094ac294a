/* cuna_memory.h: the public functions for memory in use and the pacing of garbage collection; cuna.h includes it. */
#ifndef CUNA_MEMORY_DOOR_H
#define CUNA_MEMORY_DOOR_H

/* ---- device/memory.c ------------------------------------------------------------------------------------------ */

/* Memory statistics of the device's default pool and of the device. */
void cuna_device_memory(cuna_memory_stats *out, cuna_device *device);

/* Bytes that arrays use on all devices together. */
int64_t cuna_device_in_use(void);

/* How much garbage there is, for pacing a collector. */
typedef enum cuna_garbage {
    CUNA_GARBAGE_LITTLE,
    CUNA_GARBAGE_MUCH,    /* a collection is due if the last one was long ago */
    CUNA_GARBAGE_TOO_MUCH /* it costs more than the collection, or is too big for the device's memory: one is due now */
} cuna_garbage;

/* Judges the device with the most garbage, when a collection takes its thread collection_s seconds. `marks` has
 * CUNA_MAX_DEVICES numbers, initially 0: for each device the least bytes in use since cuna_device_mark_garbage set
 * them. Memory allocated since then counts as garbage until a collection shows that it is alive. It is too big when it
 * exceeds live memory by 1 GiB, on GPUs by `patience` GiB, but at most an eighth of their memory; as much more may it
 * cost. */
cuna_garbage cuna_device_judge_garbage(int64_t *marks, double collection_s, double patience);
void cuna_device_mark_garbage(int64_t *marks);

#endif
