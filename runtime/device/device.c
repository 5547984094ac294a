/* device.c: the devices of this machine, found once per process and never destroyed.
 *
 * A device is opened at its first use: its driver's primary context is retained and its pool made. CUDA's libraries are
 * loaded at the first request for a CUDA device, or whether there is one; a driver that does not survive a fork
 * leaves its devices to the parent. */
#include "device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

#define DEFAULT_INDEX_LIMIT (INT32_MAX - (1 << 20)) /* kernels step past the end by less than that */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_device *devices[CUNA_MAX_DEVICES];
static int ndevices;
static bool started; /* a driver that does not survive a fork was initialised here, */
static bool forked;  /* and this process was forked off since */

/* Runs in the child of a fork, whose one thread is this one: locks of the others have no owner. */
static void abandon_devices(void)
{
    pthread_mutex_init(&lock, NULL);
    forked = forked || started;
    for (int i = 0; i < ndevices; i++)
        if (!devices[i]->driver->facts.forks)
            cuna__device_abandon(devices[i]);
}

static void register_abandon(void)
{
    pthread_atfork(NULL, NULL, abandon_devices);
}

static void watch_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_abandon);
}

/* A small limit makes specs meet the 64-bit kernels without gigabytes. */
static int64_t read_index_limit(void)
{
    return cuna__min(cuna__environment_number("CUNA_INDEX_LIMIT", DEFAULT_INDEX_LIMIT), DEFAULT_INDEX_LIMIT);
}

static cuna_status refuse_old(const cuna_driver *driver, cu_device handle, int capability)
{
    char model[128] = "";
    int oldest = driver->facts.oldest_capability;
    driver->device_get_name(model, sizeof model, handle);
    return cuna_fail(CUNA_DEVICE, "%s has compute capability %d.%d, and kernels need %d.%d or newer",
                     *model != '\0' ? model : "it", capability / 10, capability % 10, oldest / 10, oldest % 10);
}

/* DEVICE, in words that end a line, for a device that is too old for the kernels. */
static cuna_status check_age(const cuna_driver *driver, cu_device handle)
{
    char words[256];
    int major = 0, minor = 0;
    if (driver->facts.oldest_capability == 0)
        return CUNA_OK;
    cu_result result = cuna__device_capability(&major, &minor, driver, handle);
    if (result == CU_SUCCESS && 10 * major + minor >= driver->facts.oldest_capability)
        return CUNA_OK;
    if (result == CU_SUCCESS)
        return refuse_old(driver, handle, 10 * major + minor);
    cuna__device_describe_result(words, sizeof words, driver, result);
    return cuna_fail(CUNA_DEVICE, "the question for its compute capability failed with %s", words);
}

/* A device that cannot be used gets no context, which takes memory of it. */
static cuna_status retain(cuna_device *device)
{
    const cuna_driver *driver = device->driver;
    CUNA_TRY(cuna__device_check(device, driver->init(0), "cuInit"));
    CUNA_TRY(cuna__device_check(device, driver->device_get(&device->handle, device->ordinal), "cuDeviceGet"));
    cuna_status status = check_age(driver, device->handle);
    if (status != CUNA_OK)
        return cuna_fail(status, "device '%s' cannot be used: %s", device->name, cuna_message());
    return cuna__device_check(device, driver->device_primary_ctx_retain(&device->primary, device->handle),
                              "cuDevicePrimaryCtxRetain");
}

static cuna_status open_device(cuna_device *device)
{
    CUNA_TRY(retain(device));
    CUNA_TRY(cuna__device_check(device,
                                device->driver->device_get_name(device->model, sizeof device->model, device->handle),
                                "cuDeviceGetName"));
    device->index_limit = read_index_limit();
    device->record_limit = cuna__environment_number("CUNA_RECORD_LIMIT", device->driver->facts.record_limit);
    device->always_waits = cuna__environment_number("CUNA_SYNC", 0) != 0;
    return cuna__device_make_pool(&device->pool, device, CUNA_POOL_DEVICE);
}

/* Gives up a device that could not be opened; only this thread has seen it. */
static void discard(cuna_device *device)
{
    if (device->pool != NULL)
        cuna__pool_release(device->pool);
    if (device->primary != NULL)
        device->driver->device_primary_ctx_release(device->handle);
    free(device);
}

static cuna_status make_device(cuna_device **out, const cuna_driver *driver, const char *name, int ordinal)
{
    if (ndevices == CUNA_MAX_DEVICES)
        return cuna_fail(CUNA_VALUE, "device '%s': more than %d devices in one process", name, CUNA_MAX_DEVICES);
    cuna_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a device");
    device->driver = driver;
    device->ordinal = ordinal;
    device->number = ndevices;
    device->streams.base.device = device;
    device->streams.live = 1;
    snprintf(device->name, sizeof device->name, "%s", name);
    cuna_status status = open_device(device);
    if (status != CUNA_OK) {
        discard(device);
        return status;
    }
    devices[ndevices] = *out = device;
    __atomic_store_n(&ndevices, ndevices + 1, __ATOMIC_RELEASE); /* read without the lock */
    return CUNA_OK;
}

/* Loads and initialises CUDA's driver and counts its devices. DEVICE, in words that end a line, when there are none. */
static cuna_status start_cuda(const cuna_driver **out, int *count)
{
    char words[256];
    if (forked)
        return cuna_fail(CUNA_DEVICE, "CUDA was in use before this process was forked; it cannot be used in the child: "
                                      "start a new process (exec), or fork before the first use of the device");
    CUNA_TRY(cuna__driver_cuda(out));
    /* Before cuInit, and whatever it returns: a child that is forked from now on cannot use CUDA. */
    started = true;
    watch_forks();
    cu_result result = (*out)->init(0);
    if (result == CU_SUCCESS)
        result = (*out)->device_get_count(count);
    if (result == CU_SUCCESS && *count == 0)
        result = CU_ERROR_NO_DEVICE;
    if (result == CU_SUCCESS)
        return CUNA_OK;
    cuna__device_describe_result(words, sizeof words, *out, result);
    return cuna_fail(CUNA_DEVICE,
                     "the CUDA driver finds no device, it says %s; see what nvidia-smi lists, and CUDA_VISIBLE_DEVICES",
                     words);
}

/* "cpu", "cuda:0 and cuda:1": the names there are. */
static void list_names(char *text, size_t nbytes, bool host, int count)
{
    size_t length = (size_t)snprintf(text, nbytes, "%s", host ? "cpu" : "");
    for (int i = 0; i < count && length < nbytes; i++) {
        const char *join = length == 0 ? "" : i + 1 == count ? " and " : ", ";
        length += (size_t)snprintf(text + length, nbytes - length, "%scuda:%d", join, i);
    }
}

static cuna_status refuse_name(const char *name)
{
    const cuna_driver *driver;
    char names[16 * CUNA_MAX_DEVICES];
    int count = 0;
    bool any = start_cuda(&driver, &count) == CUNA_OK;
    list_names(names, sizeof names, true, any ? count : 0);
    return cuna_fail(CUNA_VALUE, "there is no device '%s'; this machine has %s%s", name, names,
                     any ? "" : " and no usable CUDA device");
}

static cuna_status find_cuda(cuna_device **out, const char *name, int ordinal)
{
    const cuna_driver *driver;
    char names[16 * CUNA_MAX_DEVICES];
    int count = 0;
    cuna_status status = start_cuda(&driver, &count);
    if (status != CUNA_OK)
        return cuna_fail(status, "device '%s' cannot be used: %s", name, cuna_message());
    if (ordinal < count)
        return make_device(out, driver, name, ordinal);
    list_names(names, sizeof names, false, count);
    return cuna_fail(CUNA_VALUE, "there is no device '%s'; this machine has %d CUDA device%s, %s", name, count,
                     count == 1 ? "" : "s", names);
}

/* The number in "cuda:3"; -1 for any other name. */
static int parse_cuda(const char *name)
{
    char again[24];
    int ordinal;
    if (sscanf(name, "cuda:%d", &ordinal) != 1 || ordinal < 0)
        return -1;
    snprintf(again, sizeof again, "cuda:%d", ordinal);
    return strcmp(name, again) == 0 ? ordinal : -1;
}

/* A device that only compiles. CUDA's driver, where there is one, determines the right NVRTC. */
static cuna_status find_pack(cuna_device **out, const char *name, int capability)
{
    const cuna_driver *driver;
    int count;
    if (!forked)
        start_cuda(&driver, &count);
    cuna_status status = cuna__driver_pack(&driver, capability);
    if (status != CUNA_OK)
        return cuna_fail(status, "device '%s' cannot be used: %s", name, cuna_message());
    return make_device(out, driver, name, capability);
}

/* The 90 in "cuda:sm_90"; -1 for any other name. */
static int parse_pack(const char *name)
{
    char again[24];
    int capability;
    if (sscanf(name, "cuda:sm_%d", &capability) != 1 || capability < 0)
        return -1;
    snprintf(again, sizeof again, "cuda:sm_%d", capability);
    return strcmp(name, again) == 0 ? capability : -1;
}

static cuna_status find_locked(cuna_device **out, const char *name)
{
    if (strcmp(name, "cuda") == 0)
        name = "cuda:0";
    for (int i = 0; i < ndevices; i++) {
        if (strcmp(devices[i]->name, name) == 0) {
            *out = devices[i];
            return CUNA_OK;
        }
    }
    if (strcmp(name, "cpu") == 0)
        return make_device(out, cuna__driver_cpu(), name, 0);
    int ordinal = parse_cuda(name), capability = parse_pack(name);
    if (capability >= 0)
        return find_pack(out, name, capability);
    return ordinal >= 0 ? find_cuda(out, name, ordinal) : refuse_name(name);
}

cuna_device *cuna__device_by_number(int number)
{
    return number < __atomic_load_n(&ndevices, __ATOMIC_ACQUIRE) ? devices[number] : NULL;
}

int cuna_device_count(const char *kind)
{
    const cuna_driver *driver;
    int count = 0;
    if (strcmp(kind, "cpu") == 0)
        return 1;
    pthread_mutex_lock(&lock);
    bool any = strcmp(kind, "cuda") == 0 && start_cuda(&driver, &count) == CUNA_OK;
    pthread_mutex_unlock(&lock);
    return any ? count : 0;
}

/* A device of a driver that was started: whether it can be had, and a compiler for its kernels. */
static cuna_status probe(const cuna_driver *driver)
{
    cu_device handle;
    char words[256];
    cuna_target *target = malloc(sizeof *target);
    if (target == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a device");
    cu_result result = driver->device_get(&handle, 0);
    /* A device that is too old is reported as such, not as one without a compiler. */
    cuna_status status = result == CU_SUCCESS ? check_age(driver, handle) : CUNA_OK;
    if (result == CU_SUCCESS && status == CUNA_OK)
        result = driver->facts.target(target, handle);
    free(target);
    if (status != CUNA_OK)
        return cuna_fail(status, "the first CUDA device cannot be used: %s", cuna_message());
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_COMPILE, "no compiler for its kernels: %s", driver->facts.remedy);
    if (result == CU_SUCCESS)
        return CUNA_OK;
    cuna__device_describe_result(words, sizeof words, driver, result);
    return cuna_fail(CUNA_DEVICE, "the first CUDA device returned %s", words);
}

cuna_status cuna_device_check_cuda(void)
{
    const cuna_driver *driver;
    int count = 0;
    pthread_mutex_lock(&lock);
    cuna_status status = start_cuda(&driver, &count);
    if (status == CUNA_OK)
        status = probe(driver);
    pthread_mutex_unlock(&lock);
    return status;
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

int cuna_device_lanes(const cuna_device *device)
{
    return device->driver->facts.lanes;
}

int cuna_device_id(const cuna_device *device)
{
    return device->ordinal;
}

const char *cuna_device_model(const cuna_device *device)
{
    return device->model;
}

bool cuna_device_is_asynchronous(const cuna_device *device)
{
    return device->driver->facts.asynchronous;
}

bool cuna_device_is_host(const cuna_device *device)
{
    return device->driver->facts.host_memory;
}

cuna_status cuna__device_target(const cuna_target **out, cuna_device *device)
{
    pthread_mutex_lock(&lock);
    cu_result result = CU_SUCCESS;
    if (device->target.text[0] == '\0')
        result = device->driver->facts.target(&device->target, device->handle);
    pthread_mutex_unlock(&lock);
    *out = &device->target;
    if (result == CU_ERROR_NOT_FOUND)
        return cuna_fail(CUNA_COMPILE, "no compiler for device %s: %s", device->name, device->driver->facts.remedy);
    return cuna__device_check(device, result, "asking for the compiler");
}

void cuna_device_describe_driver(void (*emit)(void *data, const char *name, const char *value), void *data,
                                 const char *kind)
{
    if (strcmp(kind, "cpu") == 0) {
        cuna__driver_cpu_describe(emit, data);
    } else {
        cuna_device_check_cuda(); /* what describing loads is noted as in use, should this process fork */
        cuna__driver_cuda_describe(emit, data);
    }
}
