/* device.h: a device as the runtime sees it: a driver's table, an ordinal in it, a memory pool and a few facts. */
#ifndef CUNA_DEVICE_DEVICE_H
#define CUNA_DEVICE_DEVICE_H

#include "cuna.h"
#include "device/stream.h"
#include "pool/pool.h"
#include "seam/driver.h"

#define CUNA_DEVICE_POOLS 64 /* remembered, besides its own, to be counted and abandoned */

#define CUNA_RING_LAUNCHES 16
#define CUNA_LAUNCH_NAME   32

typedef struct cuna_launch {
    bool beside;
    char name[CUNA_LAUNCH_NAME];
} cuna_launch;

/* The last launches, so that a failure that shows up later can be traced to its kernel. */
typedef struct cuna_ring {
    uint64_t count;         /* launches so far; entry (count - 1) % CUNA_RING_LAUNCHES is the last */
    uint64_t good;          /* of these, how many are known to have ended well; */
    uint64_t good_blocking; /* and of those on streams that the default stream waits for */
    uint64_t beside;        /* how many there were with the last one on another stream */
    cuna_launch at[CUNA_RING_LAUNCHES];
} cuna_ring;

struct cuna_queue;

/* What records work (runtime/record), as the floors below it see that. */
typedef struct cuna_recorder {
    cuna_status (*flush)(cuna_device *device); /* runs what this thread has recorded for the device */
    cuna_status (*evaluate_readers)(struct cuna_buffer *buffer);
    cuna_status (*flush_queue)(struct cuna_queue *queue);
    cuna_status (*evaluate_queue)(struct cuna_queue *queue); /* what could still be asked for, too */
    void (*leave_queue)(struct cuna_queue *queue);           /* its context ends */
} cuna_recorder;

/* Handles of libraries that a device has. */
typedef enum cuna_handle { CUNA_HANDLE_BLAS, CUNA_HANDLE_LAPACK, CUNA_HANDLES } cuna_handle;

struct cuna_device {
    const cuna_driver *driver;
    cuna_pool *pool;                      /* the default one */
    cuna_pool *others[CUNA_DEVICE_POOLS]; /* pools of allocators, NULL where none is */
    int64_t total_nbytes;                 /* of memory that it has */
    int64_t taken_nbytes;                 /* ever taken from these; changes atomically */
    cuna_streams streams;
    cu_context primary;
    int ordinal;                   /* which of its kind, from 0: the number in its name */
    cu_device handle;              /* the driver's own name for it */
    int number;                    /* process-wide, an index for per-device tables */
    int64_t index_limit;           /* reach from which kernels count elements with 64 bits */
    int64_t record_limit;          /* bytes of a result from which an operation is worth recording */
    bool barred;                   /* dead or lost: it cannot be entered. Changes atomically */
    int32_t nqueues;               /* that have recorded work for it. Changes atomically */
    const cuna_recorder *recorder; /* NULL: nothing was ever recorded for it */
    bool always_waits;             /* CUNA_SYNC: after every launch, so that failures come at their line */
    bool lost;          /* opened before this process was forked off, by a driver that does not survive that */
    char name[24];      /* "cpu", "cuda:0" */
    char model[128];    /* the maker's name */
    cuna_target target; /* text is empty until its first use */
    char dead[768];     /* why no call can succeed any more; empty while the device lives */
    cuna_ring ring;
    struct cuna_reports *reports; /* report.c's: blocks whose contexts are gone */
    void *handles[CUNA_HANDLES];  /* NULL: not made yet; change atomically */
};

/* A library's handle for the device, if there is one; and the same, made by `create`, which has the answer, at the first
 * question. The device is current. */
static inline bool cuna__device_has_handle(void **out, const cuna_device *device, cuna_handle which)
{
    *out = __atomic_load_n(&device->handles[which], __ATOMIC_ACQUIRE);
    return *out != NULL;
}
int cuna__device_make_handle(void **out, cuna_device *device, cuna_handle which, int (*create)(void **handle));

/* Runs what this thread has recorded for the device. MEMORY, DEVICE, COMPILE: it is still recorded then. */
static inline cuna_status cuna__device_flush(cuna_device *device)
{
    bool waits = __atomic_load_n(&device->nqueues, __ATOMIC_RELAXED) > 0 && !device->lost;
    return __builtin_expect(waits, 0) ? device->recorder->flush(device) : CUNA_OK;
}

/* Makes the device's context current in this thread, if it is not. DEVICE when the device is dead or lost. Enough for who
 * gives an object back: a flush may fail, and the object would be lost. */
cuna_status cuna__device_enter_slowly(cuna_device *device);
static inline cuna_status cuna__device_make_current(cuna_device *device)
{
    cu_context current;
    bool entered = !__atomic_load_n(&device->barred, __ATOMIC_RELAXED) &&
                   device->driver->ctx_get_current(&current) == CU_SUCCESS && current == device->primary;
    return __builtin_expect(entered, 1) ? CUNA_OK : cuna__device_enter_slowly(device);
}

/* The same after a flush, which launches kernels: the caller holds no lock. */
static inline cuna_status cuna__device_enter(cuna_device *device)
{
    CUNA_TRY(cuna__device_flush(device));
    return cuna__device_make_current(device);
}

/* Makes every later use of a device an error, and every release of its memory a matter of bookkeeping. */
void cuna__device_abandon(cuna_device *device);

/* ---- garbage ---- */

#define CUNA_GARBAGE_MOST_NBYTES ((int64_t)1 << 30) /* beside as much as is alive */

/* Whether so much garbage costs the device more than a collection costs its thread, by far if that can wait for more. */
bool cuna__device_garbage_pays(const cuna_device *device, int64_t nbytes, double collection_s, bool can_wait);

/* ---- calls that may need memory ---- */

/* Gives back to the driver what the device's pools cache. Leaves the device current. False when it has no pools. */
bool cuna__device_make_room(cuna_device *device);

/* Whether a library failed for want of memory: it says so (`is_memory`), or says something else, as libraries that cannot
 * start do, while the device has next to none left. */
bool cuna__device_is_short(cuna_device *device, bool (*is_memory)(int answer), int answer);

/* The answer of a call, an expression that is 0 on success and may be done again: once more, in room that was made, when
 * `is_short`, which may look at `answer`, says that memory was missing. What is still missing then is CUNA_MEMORY, at
 * which callers collect their garbage and try the whole operation once more. (The memory of arrays: context.c.) */
#define CUNA_WITH_ROOM(device, answer, is_short, call)                                        \
    __extension__({                                                                           \
        int answer = (call);                                                                  \
        if (__builtin_expect(answer != 0, 0) && (is_short) && cuna__device_make_room(device)) \
            answer = (call);                                                                  \
        answer;                                                                               \
    })

/* A row of the driver's; one of a library's that prepares, which does no harm when it is done twice; and one that may work
 * in place, which has not begun only when it says that memory was missing. */
#define CUNA_DEVICE_CALL(device, call) CUNA_WITH_ROOM(device, answer_, answer_ == CU_ERROR_OUT_OF_MEMORY, call)
#define CUNA_LIBRARY_CALL(device, is_memory, call) \
    CUNA_WITH_ROOM(device, answer_, cuna__device_is_short(device, is_memory, answer_), call)
#define CUNA_IN_PLACE_CALL(device, is_memory, call) CUNA_WITH_ROOM(device, answer_, (is_memory)(answer_), call)

/* Turns a driver's result into a status; `name` names the row that was called. A result that means that the device is
 * lost marks it dead, and names the launches since it was last known to live. */
cuna_status cuna__device_fail(cuna_device *device, cu_result result, const char *name);

/* The same of a call, or of its result. A macro, as it may do the call again: CUNA_DEVICE_CALL. */
#define cuna__device_check(device, call, name)                                                           \
    __extension__({                                                                                      \
        cu_result result_ = CUNA_DEVICE_CALL(device, call);                                              \
        __builtin_expect(result_ == CU_SUCCESS, 1) ? CUNA_OK : cuna__device_fail(device, result_, name); \
    })

/* A driver's result in words: "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)". */
void cuna__device_describe_result(char *text, size_t nbytes, const cuna_driver *driver, cu_result result);

/* Waits for a stream of the device, which is current. */
cuna_status cuna__device_wait(cuna_device *device, cu_stream stream, const char *call);

/* Waits for all work that the device was given. */
cuna_status cuna__device_synchronize(cuna_device *device);

/* Notes a launch in the ring; with CUNA_SYNC waits for it too, and raises what it reported to the context. Nothing where
 * launches end before their row returns. */
cuna_status cuna__device_keep_launch(const cuna_context *context, const cuna_stream *stream, const char *name);
static inline cuna_status cuna__device_note_launch(const cuna_context *context, const cuna_stream *stream,
                                                   const char *name)
{
    return stream->device->driver->facts.asynchronous ? cuna__device_keep_launch(context, stream, name) : CUNA_OK;
}

/* The compute capability of a driver's device, opened or not. */
cu_result cuna__device_capability(int *major, int *minor, const cuna_driver *driver, cu_device handle);

/* How the device's kernels are compiled; queried from the driver once. */
cuna_status cuna__device_target(const cuna_target **out, cuna_device *device);

/* A device by its number, which must be there. */
cuna_device *cuna__device_by_number(int number);

/* Makes a pool of the device's memory, with the limit that the environment sets. MEMORY. */
cuna_status cuna__device_make_pool(cuna_pool **out, cuna_device *device, cuna_pool_kind kind);

/* Gives what the pools of the device cache back to the driver, of all but one (or NULL); whether there was any. */
bool cuna__device_trim(cuna_device *device, const cuna_pool *but);
void cuna__device_abandon_pools(cuna_device *device);

/* Remembers and forgets pools that allocators have on the device. MEMORY when there are too many. */
cuna_status cuna__device_add_pool(cuna_device *device, cuna_pool *pool);
void cuna__device_drop_pool(cuna_device *device, cuna_pool *pool);

#endif
