/* handle.c: handles of the libraries that have tables beside the driver's, one of each per device.
 *
 * They are made by the first question and never destroyed, as devices are. */
#include <pthread.h>

#include "device/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int cuna__device_make_handle(void **out, cuna_device *device, cuna_handle which, int (*create)(void **handle))
{
    void *made = NULL;
    int result = 0;
    pthread_mutex_lock(&lock);
    if (device->handles[which] == NULL)
        result = create(&made);
    if (made != NULL)
        __atomic_store_n(&device->handles[which], made, __ATOMIC_RELEASE);
    *out = device->handles[which];
    pthread_mutex_unlock(&lock);
    return result;
}
