/* device_report.c: what kernels report that go on all the same: a position out of range, edges out of order.
 *
 * A kernel that may report gets the address of a slot, in pinned memory that the host reads without asking the device. The
 * first word of the block is set with any report, so that looking costs one load after each wait. Slots are handed out in
 * turn; one that is handed out again before its launch is done may tell the place of a later launch, never a report that
 * there was not. kernels/gather.cuh has the same numbers. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define REPORTS_NBYTES 32768
#define SLOT_NBYTES    32
#define SLOTS          (REPORTS_NBYTES / SLOT_NBYTES) /* the first is the block's front */
#define LABEL_NBYTES   160
#define FAR_POSITION   9200000000000000000 /* stands for all beyond it */

enum {
    REPORT_RANGE = 1,
    REPORT_FRACTION = 2,
    REPORT_UNSORTED = 3,
    REPORT_NOT_FINITE = 4,
    REPORT_PROBABILITY = 5,
    /* 6 to 9: cuna_report_matrix */
    REPORT_BOUNDS = 10,
    REPORT_WEIGHT = 11
};

typedef struct slot {
    uint64_t code, value, length, unused;
} slot;

struct cuna_reports {
    slot *slots;
    unsigned last;
    char names[SLOTS][LABEL_NBYTES], places[SLOTS][LABEL_NBYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* making, handing out and reading */
static _Thread_local unsigned own; /* the slot that this thread got last, of a device that its host waits for */

/* Called with the lock. The memory stays for ever, as devices do. */
static cuna_status open_reports(cuna_device *device)
{
    void *memory = NULL;
    if (device->reports != NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__device_enter(device));
    struct cuna_reports *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for reports");
    cuna_status status = cuna__device_check(
        device, device->driver->mem_host_alloc(&memory, 2 * REPORTS_NBYTES, CU_MEMHOSTALLOC_PORTABLE),
        "cuMemHostAlloc");
    if (status != CUNA_OK) {
        free(made);
        return status;
    }
    made->slots = (slot *)(((uintptr_t)memory + REPORTS_NBYTES - 1) & ~(uintptr_t)(REPORTS_NBYTES - 1));
    memset(made->slots, 0, REPORTS_NBYTES);
    __atomic_store_n(&device->reports, made, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* Called with the lock. */
static unsigned find_report(const struct cuna_reports *reports)
{
    for (unsigned i = 1; i <= SLOTS; i++) {
        unsigned number = (reports->last + i) % SLOTS; /* the oldest first */
        if (number != 0 && __atomic_load_n(&reports->slots[number].code, __ATOMIC_ACQUIRE) != 0)
            return number;
    }
    return 0;
}

/* What factorising found. `value` is which matrix of a stack, 0 when there is but one, `length` what LAPACK calls info. */
static cuna_status tell_matrix(const slot *s, const char *name, const char *at, const char *place)
{
    char which[48] = "the matrix";
    long long info = (long long)s->length;
    if (s->value != 0)
        snprintf(which, sizeof which, "matrix %lld of the stack", (long long)s->value);
    if (s->code == CUNA_REPORT_SINGULAR)
        return cuna_fail(CUNA_LINALG, "%s: %s is singular: pivot %lld is 0%s%s", name, which, info, at, place);
    if (s->code == CUNA_REPORT_INDEFINITE)
        return cuna_fail(CUNA_LINALG, "%s: %s is not positive definite: its leading minor of order %lld is not%s%s",
                         name, which, info, at, place);
    if (s->code == CUNA_REPORT_ELEMENT)
        return cuna_fail(CUNA_LINALG, "%s: %s has an element that is infinite or NaN%s%s", name, which, at, place);
    return cuna_fail(CUNA_LINALG, "%s: the iteration for %s did not converge (LAPACK's info is %lld)%s%s", name, which,
                     info, at, place);
}

/* Of weights that things are chosen by; `length` says what is wrong. */
static cuna_status tell_weight(const char *name, const slot *s, double weight, const char *at, const char *place)
{
    if (s->length == 2)
        return cuna_fail(CUNA_VALUE, "%s: more are asked for than have a weight above 0%s%s", name, at, place);
    if (s->length == 1)
        return cuna_fail(CUNA_VALUE, "%s: the weights' sum is above 0 and finite, and here it is %.17g%s%s", name,
                         weight, at, place);
    return cuna_fail(CUNA_VALUE, "%s: a weight is not negative and finite, and there is %.17g%s%s", name, weight, at,
                     place);
}

static cuna_status tell(const struct cuna_reports *reports, unsigned number)
{
    const slot *s = &reports->slots[number];
    const char *name = reports->names[number], *place = reports->places[number];
    const char *at = *place != '\0' ? ", called at " : "";
    double fraction;
    memcpy(&fraction, &s->value, sizeof fraction);
    fraction = isnan(fraction) ? (double)NAN : fraction; /* without a sign */
    if (s->code >= CUNA_REPORT_SINGULAR && s->code <= CUNA_REPORT_ELEMENT)
        return tell_matrix(s, name, at, place);
    if (s->code == REPORT_FRACTION)
        return cuna_fail(CUNA_VALUE, "%s: a %s is a whole number, and there is %.17g%s%s", name,
                         s->length == 1 ? "bound" : "position", fraction, at, place);
    if (s->code == REPORT_UNSORTED)
        return cuna_fail(CUNA_VALUE, "%s: the edges are not sorted: that at position %lld is out of order%s%s", name,
                         (long long)s->value, at, place);
    if (s->code == REPORT_PROBABILITY)
        return cuna_fail(CUNA_VALUE, "%s: q is from 0 to %lld, and there is %.17g%s%s", name, (long long)s->length,
                         fraction, at, place);
    if (s->code == REPORT_NOT_FINITE)
        return cuna_fail(CUNA_VALUE, "%s: the elements' range is not finite; give range = {least, greatest}%s%s", name,
                         at, place);
    if (s->code == REPORT_BOUNDS)
        return cuna_fail(CUNA_VALUE, "%s: low %lld and high %lld have no numbers of the dtype between them%s%s", name,
                         (long long)s->value, (long long)s->length, at, place);
    if (s->code == REPORT_WEIGHT)
        return tell_weight(name, s, fraction, at, place);
    if (s->value == 0)
        return cuna_fail(CUNA_VALUE, "%s: positions count from 1, and there is a 0%s%s", name, at, place);
    int64_t position = (int64_t)s->value;
    const char *beyond = position == FAR_POSITION || position == -FAR_POSITION ? "beyond " : "";
    return cuna_fail(CUNA_VALUE, "%s: position %s%lld is out of range for an axis of length %lld%s%s", name, beyond,
                     (long long)position, (long long)s->length, at, place);
}

static cuna_status take_report(struct cuna_reports *reports)
{
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    unsigned number = find_report(reports);
    if (number != 0) {
        status = tell(reports, number);
        memset(reports->slots, 0, REPORTS_NBYTES);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

cuna_status cuna__device_read_reports(cuna_device *device)
{
    return __atomic_load_n(&device->reports->slots[0].code, __ATOMIC_ACQUIRE) != 0 ? take_report(device->reports)
                                                                                   : CUNA_OK;
}

cuna_status cuna__device_read_own_report(cuna_device *device)
{
    cuna_status status = CUNA_OK;
    slot *s = &device->reports->slots[own];
    if (own == 0 || __atomic_load_n(&s->code, __ATOMIC_ACQUIRE) == 0)
        return CUNA_OK;
    pthread_mutex_lock(&lock);
    status = tell(device->reports, own);
    memset(s, 0, sizeof *s);
    pthread_mutex_unlock(&lock);
    return status;
}

/* As much of a text as a label holds. */
static void label(char *out, const char *text)
{
    size_t length = strnlen(text, LABEL_NBYTES - 1);
    memcpy(out, text, length);
    out[length] = '\0';
}

cuna_status cuna_device_report_slot(uint64_t *address, cuna_device *device, const char *name, const char *place)
{
    pthread_mutex_lock(&lock);
    cuna_status status = open_reports(device);
    if (status == CUNA_OK) {
        struct cuna_reports *reports = device->reports;
        unsigned number = reports->last = reports->last % (SLOTS - 1) + 1;
        label(reports->names[number], name);
        label(reports->places[number], place);
        *address = (uint64_t)(uintptr_t)&reports->slots[number];
        if (!device->driver->facts.asynchronous)
            own = number;
    }
    pthread_mutex_unlock(&lock);
    return status;
}
