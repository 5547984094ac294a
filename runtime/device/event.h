/* event.h: marks in streams. An event gets a device with its first record. */
#ifndef CUNA_DEVICE_EVENT_H
#define CUNA_DEVICE_EVENT_H

#include "cuna.h"
#include "seam/driver.h"

struct cuna_event {
    unsigned flags;      /* CUNA_EVENT_* */
    cuna_device *device; /* NULL: never recorded */
    cu_event handle;
    struct cuna_graph *capture; /* whose recording the last mark is in; only compared, with a stream's. NULL: none */
};

#endif
