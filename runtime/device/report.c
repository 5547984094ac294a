/* report.c: what kernels report that go on all the same: a position out of range, edges out of order.
 *
 * A kernel that may report gets the address of a mark in the device's memory. The first lane that reports takes the mark,
 * which leads it to a slot in pinned memory, where the host reads without asking the device; the others see the mark and
 * go on, since millions of looks at the host's memory would take long. The first word of the block of slots is set
 * after any report, so that looking costs one load after each wait. A context has a block of its own on each device, so
 * its waits find the reports of its own launches, even if others wait for the device too. Slots are handed out in turn;
 * one that is handed out again before its launch is done may give the place of a later launch, never a report that
 * there was not. kernels/gather.cuh writes reports, kernels/report_codes.h lists them. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/context.h"
#include "kernels/report_codes.h"

#define SLOT_NBYTES  32
#define SLOTS        (REPORTS_NBYTES / SLOT_NBYTES) /* the first is the block's front */
#define LABEL_NBYTES 160

typedef struct slot {
    uint64_t code, value, length, unused;
} slot;

typedef struct mark {
    uint64_t taken, slot;
} mark;

struct cuna_reports {
    struct cuna_reports *next; /* the next idle one of its device */
    slot *slots;
    cu_deviceptr marks;
    unsigned last;
    char names[SLOTS][LABEL_NBYTES], places[SLOTS][LABEL_NBYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* what devices have idle */

/* ---- blocks ---- */

/* Lets slots be taken, beside whatever the device does: a stream that captures must not notice. */
static cuna_status write_marks(cuna_device *device, const struct cuna_reports *reports, unsigned first, unsigned count)
{
    const cuna_driver *driver = device->driver;
    mark marks[SLOTS];
    cu_stream stream;
    for (unsigned i = 0; i < count; i++)
        marks[i] = (mark){0, (uint64_t)(uintptr_t)&reports->slots[first + i]};
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__device_check(device, driver->stream_create_with_priority(&stream, CU_STREAM_NON_BLOCKING, 0),
                                "cuStreamCreateWithPriority"));
    cu_result result =
        driver->memcpy_htod_async(reports->marks + first * sizeof *marks, marks, count * sizeof *marks, stream);
    if (result == CU_SUCCESS)
        result = driver->stream_synchronize(stream);
    driver->stream_destroy(stream);
    return cuna__device_check(device, result, "cuMemcpyHtoDAsync");
}

static cuna_status make_block(struct cuna_reports **out, cuna_device *device)
{
    void *memory = NULL;
    struct cuna_reports *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for reports");
    /* Twice the size, for the alignment by which a kernel finds the block's front. Blocks become idle but are never
     * freed, so the address of the allocation is not kept. */
    cuna_status status = cuna__device_check(
        device, device->driver->mem_host_alloc(&memory, 2 * REPORTS_NBYTES, CU_MEMHOSTALLOC_PORTABLE),
        "cuMemHostAlloc");
    if (status == CUNA_OK)
        status =
            cuna__device_check(device, device->driver->mem_alloc(&made->marks, SLOTS * sizeof(mark)), "cuMemAlloc");
    if (status != CUNA_OK) {
        if (memory != NULL)
            device->driver->mem_free_host(memory);
        free(made);
        return status;
    }
    made->slots = (slot *)(((uintptr_t)memory + REPORTS_NBYTES - 1) & ~(uintptr_t)(REPORTS_NBYTES - 1));
    *out = made;
    return CUNA_OK;
}

static struct cuna_reports *take_idle(cuna_device *device)
{
    pthread_mutex_lock(&lock);
    struct cuna_reports *taken = device->reports;
    if (taken != NULL)
        device->reports = taken->next;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void add_idle(cuna_device *device, struct cuna_reports *reports)
{
    pthread_mutex_lock(&lock);
    reports->next = device->reports;
    device->reports = reports;
    pthread_mutex_unlock(&lock);
}

/* Launches of the context that had the block before may still report: they are waited for. */
static cuna_status open_reports(cuna_context *context, cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    struct cuna_reports *opened = take_idle(device);
    cuna_status status = opened != NULL ? cuna__streams_wait(device) : make_block(&opened, device);
    if (status == CUNA_OK)
        status = write_marks(device, opened, 0, SLOTS);
    if (status == CUNA_OK) {
        memset(opened->slots, 0, REPORTS_NBYTES);
        context->reports[device->number] = opened;
    } else if (opened != NULL) {
        add_idle(device, opened);
    }
    return status;
}

void cuna__device_leave_reports(cuna_context *context)
{
    for (int number = 0; number < CUNA_MAX_DEVICES; number++)
        if (context->reports[number] != NULL)
            add_idle(cuna__device_by_number(number), context->reports[number]);
}

/* ---- words ---- */

/* What factorising found. `value` is which matrix of a stack, 0 when there is but one, `length` what LAPACK calls info. */
static cuna_status tell_matrix(const slot *s, const char *name, const char *at, const char *place)
{
    char which[48] = "the matrix";
    long long info = (long long)s->length;
    if (s->value != 0)
        snprintf(which, sizeof which, "matrix %lld of the stack", (long long)s->value);
    if (s->code == REPORT_SINGULAR)
        return cuna_fail(CUNA_LINALG, "%s: %s is singular: pivot %lld is 0%s%s", name, which, info, at, place);
    if (s->code == REPORT_INDEFINITE)
        return cuna_fail(CUNA_LINALG, "%s: %s is not positive definite: its leading minor of order %lld is not%s%s",
                         name, which, info, at, place);
    if (s->code == REPORT_ELEMENT)
        return cuna_fail(CUNA_LINALG, "%s: %s has an element that is infinite or NaN%s%s", name, which, at, place);
    return cuna_fail(CUNA_LINALG, "%s: the iteration for %s did not converge (LAPACK's info is %lld)%s%s", name, which,
                     info, at, place);
}

/* Of the weights of a choice; `length` encodes what is wrong. */
static cuna_status tell_weight(const char *name, const slot *s, double weight, const char *at, const char *place)
{
    if (s->length == 2)
        return cuna_fail(CUNA_VALUE, "%s: more are requested than have a weight above 0%s%s", name, at, place);
    if (s->length == 1)
        return cuna_fail(CUNA_VALUE, "%s: the weights' sum is above 0 and finite, and here it is %.17g%s%s", name,
                         weight, at, place);
    return cuna_fail(CUNA_VALUE, "%s: a weight is not negative and finite, and there is %.17g%s%s", name, weight, at,
                     place);
}

static cuna_status tell(const struct cuna_reports *reports, unsigned number, const slot *s)
{
    const char *name = reports->names[number], *place = reports->places[number];
    const char *at = *place != '\0' ? ", called at " : "";
    double fraction;
    memcpy(&fraction, &s->value, sizeof fraction);
    fraction = isnan(fraction) ? (double)NAN : fraction; /* without a sign */
    if (s->code >= REPORT_SINGULAR && s->code <= REPORT_ELEMENT)
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
    if (s->code == REPORT_DEMAND)
        return cuna_fail(CUNA_VALUE, "%s, got %.14g%s%s", name, fraction, at, place);
    if (s->code == REPORT_WEIGHT)
        return tell_weight(name, s, fraction, at, place);
    if (s->value == 0)
        return cuna_fail(CUNA_VALUE, "%s: positions count from 1, and there is a 0%s%s", name, at, place);
    int64_t position = (int64_t)s->value;
    const char *beyond = position == CUNA_FAR_POSITION || position == -CUNA_FAR_POSITION ? "beyond " : "";
    return cuna_fail(CUNA_VALUE, "%s: position %s%lld is out of range for an axis of length %lld%s%s", name, beyond,
                     (long long)position, (long long)s->length, at, place);
}

/* ---- reading and handing out ---- */

/* The front is cleared first: what is reported from now on sets it once more, and is not lost where the slot was passed. */
cuna_status cuna__device_read_reports(const cuna_context *context, cuna_device *device)
{
    struct cuna_reports *reports = context->reports[device->number];
    cuna_status status = CUNA_OK;
    if (__atomic_load_n(&reports->slots[0].code, __ATOMIC_ACQUIRE) == 0)
        return CUNA_OK;
    __atomic_exchange_n(&reports->slots[0].code, 0, __ATOMIC_ACQ_REL);
    for (unsigned i = 1; i <= SLOTS; i++) {
        unsigned number = (reports->last + i) % SLOTS; /* the oldest first */
        slot *s = &reports->slots[number];
        if (number == 0 || __atomic_load_n(&s->code, __ATOMIC_ACQUIRE) == 0)
            continue;
        slot note = *s;
        __atomic_store_n(&s->code, 0, __ATOMIC_RELEASE);
        if (status == CUNA_OK)
            status = tell(reports, number, &note);
        cuna_status cleared = write_marks(device, reports, number, 1);
        status = cleared != CUNA_OK ? cleared : status;
    }
    return status;
}

/* As much of a text as a label holds. */
static void label(char *out, const char *text)
{
    size_t length = strnlen(text, LABEL_NBYTES - 1);
    memcpy(out, text, length);
    out[length] = '\0';
}

cuna_status cuna_device_report_slot(uint64_t *address, cuna_context *context, cuna_device *device, const char *name,
                                    const char *place)
{
    if (context->reports[device->number] == NULL)
        CUNA_TRY(open_reports(context, device));
    struct cuna_reports *reports = context->reports[device->number];
    unsigned number = reports->last = reports->last % (SLOTS - 1) + 1;
    label(reports->names[number], name);
    label(reports->places[number], place);
    *address = reports->marks + number * sizeof(mark);
    return CUNA_OK;
}
