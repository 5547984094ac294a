/* device.c: the devices of this machine, found once per process and never destroyed.
 *
 * A device is opened at its first use: its driver's primary context is retained and its pool made. */
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_INDEX_LIMIT INT32_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_device *devices[CUNA_MAX_DEVICES];
static int ndevices;

cuna_status cuna__device_check(const cuna_device *device, cu_result result, const char *call)
{
    if (__builtin_expect(result == CU_SUCCESS, 1))
        return CUNA_OK;
    const char *name = NULL, *text = NULL;
    device->driver->get_error_name(result, &name);
    device->driver->get_error_string(result, &text);
    cuna_status status = result == CU_ERROR_OUT_OF_MEMORY ? CUNA_MEMORY : CUNA_DEVICE;
    return cuna_fail(status, "%s: %s failed with %s (%s)", device->name, call, name ? name : "an unknown error",
                     text ? text : "no description");
}

cuna_status cuna__device_enter(cuna_device *device)
{
    static _Thread_local cuna_device *current __attribute__((tls_model("initial-exec")));
    if (__builtin_expect(current == device, 1))
        return CUNA_OK;
    CUNA_TRY(cuna__device_check(device, device->driver->ctx_set_current(device->primary), "cuCtxSetCurrent"));
    current = device;
    return CUNA_OK;
}

/* A small limit makes specs meet the 64-bit kernels without gigabytes. */
static int64_t read_index_limit(void)
{
    const char *text = getenv("CUNA_INDEX_LIMIT");
    long long limit = text ? atoll(text) : 0;
    return limit > 0 && limit < DEFAULT_INDEX_LIMIT ? limit : DEFAULT_INDEX_LIMIT;
}

/* Bytes, or a share of `total` with "%"; -1 for anything else. */
static int64_t parse_limit(const char *text, int64_t total)
{
    char *end;
    double value = strtod(text, &end);
    bool percent = *end == '%';
    if (end == text || !(value >= 0) || end[percent] != '\0' || (percent && value > 100) || value > 9e18)
        return -1;
    return percent ? (int64_t)((double)total * value / 100) : (int64_t)value;
}

static cuna_status set_first_limit(cuna_device *device)
{
    size_t free_nbytes = 0, total_nbytes = 0;
    device->driver->mem_get_info(&free_nbytes, &total_nbytes);
    const char *text = getenv("CUNA_MEMORY_LIMIT");
    int64_t limit = device->driver->facts.default_memory_limit ? (int64_t)(free_nbytes / 5 * 4) : 0;
    if (text != NULL && *text != '\0')
        limit = parse_limit(text, (int64_t)total_nbytes);
    if (limit < 0)
        return cuna_fail(CUNA_VALUE, "CUNA_MEMORY_LIMIT is '%s'; give bytes or a percentage such as 50%%", text);
    cuna__pool_set_limit(device->pool, limit);
    return CUNA_OK;
}

static cuna_status open_device(cuna_device *device)
{
    const cuna_driver *driver = device->driver;
    CUNA_TRY(cuna__device_check(device, driver->init(0), "cuInit"));
    CUNA_TRY(cuna__device_check(device, driver->device_primary_ctx_retain(&device->primary, device->ordinal),
                                "cuDevicePrimaryCtxRetain"));
    CUNA_TRY(cuna__device_check(device, driver->device_get_name(device->model, sizeof device->model, device->ordinal),
                                "cuDeviceGetName"));
    device->index_limit = read_index_limit();
    CUNA_TRY(cuna__device_enter(device));
    CUNA_TRY(cuna__pool_create(&device->pool, driver));
    return set_first_limit(device);
}

static cuna_status make_device(cuna_device **out, const cuna_driver *driver, const char *name, int ordinal)
{
    cuna_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a device");
    device->driver = driver;
    device->ordinal = ordinal;
    device->number = ndevices;
    snprintf(device->name, sizeof device->name, "%s", name);
    cuna_status status = open_device(device);
    if (status != CUNA_OK) {
        cuna__pool_destroy(device->pool);
        free(device);
        return status;
    }
    devices[ndevices++] = *out = device;
    return CUNA_OK;
}

static cuna_status find_locked(cuna_device **out, const char *name)
{
    for (int i = 0; i < ndevices; i++) {
        if (strcmp(devices[i]->name, name) == 0) {
            *out = devices[i];
            return CUNA_OK;
        }
    }
    const cuna_driver *cpu = cuna__driver_cpu();
    if (strcmp(name, cpu->facts.kind) == 0)
        return make_device(out, cpu, name, 0);
    return cuna_fail(CUNA_VALUE, "there is no device '%s'; this build knows 'cpu'", name);
}

cuna_status cuna_device_find(cuna_device **out, const char *name)
{
    pthread_mutex_lock(&lock);
    cuna_status status = find_locked(out, name);
    pthread_mutex_unlock(&lock);
    return status;
}

const char *cuna_device_name(const cuna_device *device)
{
    return device->name;
}

const char *cuna_device_kind(const cuna_device *device)
{
    return device->driver->facts.kind;
}

int cuna_device_id(const cuna_device *device)
{
    return device->ordinal;
}

const char *cuna_device_model(const cuna_device *device)
{
    return device->model;
}

bool cuna_device_is_host(const cuna_device *device)
{
    return device->driver->facts.host_memory;
}

cuna_status cuna_device_synchronize(cuna_device *device)
{
    CUNA_TRY(cuna__device_enter(device));
    return cuna__device_check(device, device->driver->ctx_synchronize(), "cuCtxSynchronize");
}

cuna_status cuna__device_target(const char **text, cuna_device *device)
{
    pthread_mutex_lock(&lock);
    cu_result result = CU_SUCCESS;
    if (device->target[0] == '\0')
        result = device->driver->facts.target(device->target, sizeof device->target, device->ordinal);
    pthread_mutex_unlock(&lock);
    *text = device->target;
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_COMPILE, "no compiler for device %s: %s", device->name, device->driver->facts.remedy);
    return cuna__device_check(device, result, "asking for the compiler");
}

cuna_status cuna__device_alloc(cuna_block **out, cuna_device *device, int64_t nbytes)
{
    CUNA_TRY(cuna__device_enter(device));
    return cuna__pool_alloc(out, device->pool, nbytes);
}

int64_t cuna_device_taken_nbytes(const cuna_device *device)
{
    return cuna__pool_taken_nbytes(device->pool);
}

void cuna_device_memory(cuna_memory_stats *out, cuna_device *device)
{
    cuna_pool_stats stats;
    size_t free_nbytes = 0, total_nbytes = 0;
    cuna__pool_stats(&stats, device->pool);
    device->driver->mem_get_info(&free_nbytes, &total_nbytes);
    *out = (cuna_memory_stats){stats.used_nbytes,  stats.free_nbytes,    stats.total_nbytes,   stats.free_blocks,
                               stats.limit_nbytes, (int64_t)free_nbytes, (int64_t)total_nbytes};
}

void cuna_device_trim(cuna_device *device)
{
    if (cuna__device_enter(device) == CUNA_OK)
        cuna__pool_trim(device->pool);
}

void cuna_device_set_limit(cuna_device *device, int64_t nbytes)
{
    cuna__pool_set_limit(device->pool, nbytes);
}
