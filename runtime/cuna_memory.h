/* cuna_memory.h: the door's part for how much memory is in use, and when that calls for a collector; cuna.h includes
 * it. */
#ifndef CUNA_MEMORY_DOOR_H
#define CUNA_MEMORY_DOOR_H

/* ---- device/memory.c ------------------------------------------------------------------------------------------ */

/* What the device's default pool and the device itself hold. */
void cuna_device_memory(cuna_memory_stats *out, cuna_device *device);

/* Bytes of arrays on all devices together. */
int64_t cuna_device_in_use(void);

/* Pacing of collectors: what they may leave lying. */
typedef enum cuna_garbage {
    CUNA_GARBAGE_LITTLE,
    CUNA_GARBAGE_MUCH,  /* a collection is due when there was none for long */
    CUNA_GARBAGE_COSTLY /* it costs more than the collection, or the device's memory: a collection is due now */
} cuna_garbage;

/* What the device with most garbage calls for, when a collection costs its thread collection_s seconds. `marks` has room
 * for CUNA_MAX_DEVICES numbers, 0 at first: the least bytes that were in use on each device since mark set them. What has
 * come to be in use since then counts as garbage, until a collection shows that it is alive. */
cuna_garbage cuna_device_judge_garbage(int64_t *marks, double collection_s);
void cuna_device_mark_garbage(int64_t *marks);

#endif
