/* flight.c: calls that were given to a GPU, and are not known to be done: what the watcher looks at.
 *
 * An event follows each call in its stream. The oldest calls are kept; when there is no room, the last one's event moves
 * behind the new call, so that the end of the list is always the end of all. Captured calls are not noted: they are given
 * to the GPU when their graph is launched. */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "comm/board.h"
#include "comm/nccl.h"

#define MOST_FLIGHTS 64
#define MOST_COMMS   256

typedef struct flight {
    cu_event event; /* made at the first use */
    cuna_flight seen;
} flight;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static flight flights[MOST_FLIGHTS]; /* a ring: `count` of them from `first` on */
static int first, count;
static void *comms[MOST_COMMS]; /* NULL: free */

/* ---- calls ---- */

static cuna_status mark(flight *f, cuna_stream *stream)
{
    cuna_device *device = stream->device;
    if (f->event == NULL)
        CUNA_TRY(cuna__device_check(device, device->driver->event_create(&f->event, CU_EVENT_DISABLE_TIMING),
                                    "cuEventCreate"));
    return cuna__device_check(device, device->driver->event_record(f->event, stream->handle), "cuEventRecord");
}

cuna_status cuna__flight_add(cuna_stream *stream, const cuna_comm_signature *signature)
{
    if (stream->capture != NULL)
        return CUNA_OK;
    pthread_mutex_lock(&lock);
    bool has_room = count < MOST_FLIGHTS;
    flight *f = &flights[(first + count - !has_room) % MOST_FLIGHTS];
    cuna_status status = mark(f, stream);
    f->seen = (cuna_flight){*signature, cuna__board_now()};
    count += has_room && status == CUNA_OK;
    pthread_mutex_unlock(&lock);
    return status;
}

/* Forgets those that are done, or of a device that is dead: the calls that follow say so. Called with the lock. */
static void forget_done(void)
{
    cuna_device *device = cuna__job.device;
    while (count > 0) {
        bool lives = cuna__device_make_current(device) == CUNA_OK;
        if (lives && device->driver->event_query(flights[first].event) == CU_ERROR_NOT_READY)
            return;
        first = (first + 1) % MOST_FLIGHTS;
        count--;
        int64_t now = cuna__board_now();
        if (count > 0 && flights[first].seen.since_ns < now)
            flights[first].seen.since_ns = now;
    }
}

bool cuna__flight_oldest(cuna_flight *out)
{
    pthread_mutex_lock(&lock);
    forget_done();
    bool found = count > 0;
    if (found)
        *out = flights[first].seen;
    pthread_mutex_unlock(&lock);
    return found;
}

void cuna__flight_finish(void)
{
    cuna_flight oldest;
    const struct timespec pause = {0, 200000};
    while (cuna__flight_oldest(&oldest))
        nanosleep(&pause, NULL);
}

/* ---- communicators ---- */

static void replace(void *from, void *to)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_COMMS; i++)
        if (comms[i] == from) {
            comms[i] = to;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void cuna__flight_watch(void *comm)
{
    replace(NULL, comm);
}

void cuna__flight_unwatch(void *comm)
{
    replace(comm, NULL);
}

int cuna__flight_error(void)
{
    int error = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_COMMS && error == 0; i++)
        if (comms[i] != NULL)
            cuna__job.nccl->nccl_comm_get_async_error(comms[i], &error);
    pthread_mutex_unlock(&lock);
    return error;
}
