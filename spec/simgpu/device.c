/* device.c: the devices and their primary contexts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"

#define MAX_ATTRIBUTE 150

struct simgpu_context simgpu__contexts[SIMGPU_MAX_DEVICES];

uint64_t simgpu__setting(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    char *end;
    if (text == NULL || *text == '\0')
        return fallback;
    uint64_t value = strtoull(text, &end, 0);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    return value << shift;
}

int simgpu__device_count(void)
{
    static int count = -1;
    if (count < 0) {
        uint64_t asked = simgpu__setting("SIMGPU_DEVICES", 2);
        count = asked < SIMGPU_MAX_DEVICES ? (int)asked : SIMGPU_MAX_DEVICES;
    }
    return count;
}

uint64_t simgpu__random(void)
{
    static uint64_t state;
    if (state == 0)
        state = simgpu__setting("SIMGPU_SEED", 1) * 0x9e3779b97f4a7c15u + 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du >> 16;
}

static bool is_in(const struct simgpu_arena *arena, cu_deviceptr ptr)
{
    return arena->base != NULL && ptr - (uintptr_t)arena->base < arena->nbytes;
}

struct simgpu_context *simgpu__device_of(cu_deviceptr ptr)
{
    for (int i = 0; i < simgpu__device_count(); i++) {
        const struct simgpu_context *context = &simgpu__contexts[i];
        if (is_in(&context->arena, ptr) || is_in(&context->managed, ptr))
            return &simgpu__contexts[i];
    }
    return NULL;
}

struct simgpu_arena *simgpu__arena_of(cu_deviceptr ptr)
{
    struct simgpu_context *context = simgpu__device_of(ptr);
    if (context == NULL)
        return NULL;
    return is_in(&context->arena, ptr) ? &context->arena : &context->managed;
}

void simgpu__kill(struct simgpu_context *context, cu_result code, const char *why)
{
    if (why != NULL)
        fprintf(stderr, "simgpu: cuda:%d is dead (%d): %s\n", context->ordinal, code, why);
    if (context->dead == CU_SUCCESS)
        context->dead = code;
    simgpu__queue_discard(context);
}

static size_t total_nbytes(void)
{
    return (size_t)simgpu__setting("SIMGPU_MEMORY", (uint64_t)8 << 30);
}

static int capability(void)
{
    return (int)simgpu__setting("SIMGPU_CAPABILITY", 90);
}

cu_result simgpu__row_init(unsigned flags)
{
    SIMGPU_ENTER(init, SIMGPU_NEED_NOTHING);
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    if (simgpu__call_in_child())
        return CU_ERROR_NOT_INITIALIZED;
    simgpu__trap_install();
    return simgpu__device_count() > 0 ? CU_SUCCESS : CU_ERROR_NO_DEVICE;
}

cu_result simgpu__row_driver_get_version(int *version)
{
    SIMGPU_ENTER(driver_get_version, SIMGPU_NEED_NOTHING);
    if (version == NULL)
        return CU_ERROR_INVALID_VALUE;
    *version = (int)simgpu__setting("SIMGPU_DRIVER_VERSION", 13000);
    return CU_SUCCESS;
}

cu_result simgpu__row_device_get_count(int *count)
{
    SIMGPU_ENTER(device_get_count, SIMGPU_NEED_INIT);
    if (count == NULL)
        return CU_ERROR_INVALID_VALUE;
    *count = simgpu__device_count();
    return CU_SUCCESS;
}

static cu_result check_device(const void *out, cu_device device)
{
    if (out == NULL)
        return CU_ERROR_INVALID_VALUE;
    return device >= 0 && device < simgpu__device_count() ? CU_SUCCESS : CU_ERROR_INVALID_DEVICE;
}

cu_result simgpu__row_device_get(cu_device *device, int ordinal)
{
    SIMGPU_ENTER(device_get, SIMGPU_NEED_INIT);
    cu_result result = check_device(device, ordinal);
    if (result == CU_SUCCESS)
        *device = ordinal;
    return result;
}

static cu_result print(char *out, int nbytes, cu_device device, const char *text)
{
    cu_result result = check_device(out, device);
    if (result != CU_SUCCESS || nbytes <= 0)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    snprintf(out, (size_t)nbytes, "%s", text);
    return CU_SUCCESS;
}

cu_result simgpu__row_device_get_name(char *name, int nbytes, cu_device device)
{
    SIMGPU_ENTER(device_get_name, SIMGPU_NEED_INIT);
    return print(name, nbytes, device, "Simulated GPU");
}

cu_result simgpu__row_device_get_pci_bus_id(char *id, int nbytes, cu_device device)
{
    SIMGPU_ENTER(device_get_pci_bus_id, SIMGPU_NEED_INIT);
    char text[16];
    snprintf(text, sizeof text, "0000:%02x:00.0", (unsigned)device + 1);
    return nbytes >= 13 ? print(id, nbytes, device, text) : CU_ERROR_INVALID_VALUE;
}

/* CUdevice_attribute, value */
static const int attributes[][2] = {
    {1, 1024},  {2, 1024},     {3, 1024},       {4, 64},        {5, INT32_MAX}, {6, 65535}, {7, 65535}, {8, 49152},
    {9, 65536}, {10, 32},      {11, INT32_MAX}, {12, 65536},    {13, 1755000},  {14, 512},  {15, 1},    {19, 1},
    {31, 1},    {36, 2619000}, {37, 5120},      {38, 50 << 20}, {39, 2048},     {40, 3},    {41, 1},    {51, 32},
    {78, 1},    {79, 1},       {80, 1},         {81, 233472},   {82, 65536},    {83, 1},    {86, 1},    {89, 1},
    {95, 1},    {97, 232448},  {106, 32},       {115, 1},
};

cu_result simgpu__row_device_get_attribute(int *value, int attribute, cu_device device)
{
    SIMGPU_ENTER(device_get_attribute, SIMGPU_NEED_INIT);
    cu_result result = check_device(value, device);
    if (result != CU_SUCCESS || attribute < 1 || attribute >= MAX_ATTRIBUTE)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_VALUE;
    *value = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i][0] == attribute)
            *value = attributes[i][1];
    if (attribute == CU_ATTRIBUTE_MULTIPROCESSOR_COUNT)
        *value = (int)simgpu__setting("SIMGPU_MULTIPROCESSORS", 4);
    if (attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        *value = capability() / 10;
    if (attribute == CU_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        *value = capability() % 10;
    if (attribute == 33) /* the PCI bus */
        *value = device + 1;
    return CU_SUCCESS;
}

cu_result simgpu__row_device_total_mem(size_t *nbytes, cu_device device)
{
    SIMGPU_ENTER(device_total_mem, SIMGPU_NEED_INIT);
    cu_result result = check_device(nbytes, device);
    if (result == CU_SUCCESS)
        *nbytes = total_nbytes();
    return result;
}

static cu_result open_context(struct simgpu_context *context)
{
    if ((context->arena.base == NULL && !simgpu__memory_map(&context->arena, total_nbytes(), false)) ||
        (context->managed.base == NULL && !simgpu__memory_map(&context->managed, total_nbytes(), true)))
        return CU_ERROR_OUT_OF_MEMORY;
    context->null_stream = simgpu__queue_create(context, CU_STREAM_DEFAULT);
    if (context->null_stream == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    context->dead = CU_SUCCESS;
    context->peers = 0;
    return CU_SUCCESS;
}

cu_result simgpu__row_device_primary_ctx_retain(cu_context *context, cu_device device)
{
    SIMGPU_ENTER(device_primary_ctx_retain, SIMGPU_NEED_INIT);
    cu_result result = check_device(context, device);
    if (result != CU_SUCCESS)
        return result;
    struct simgpu_context *found = &simgpu__contexts[device];
    found->ordinal = device;
    if (found->retained == 0)
        result = open_context(found);
    if (result == CU_SUCCESS) {
        found->retained++;
        *context = (cu_context)found;
    }
    return result;
}

static void destroy_of_context(struct simgpu_handle *handle, void *context)
{
    if (handle->context == context)
        simgpu__handle_destroy(handle);
}

/* The last release ends everything that belongs to the context. */
cu_result simgpu__row_device_primary_ctx_release(cu_device device)
{
    SIMGPU_ENTER(device_primary_ctx_release, SIMGPU_NEED_INIT);
    cu_result result = check_device(&device, device);
    if (result != CU_SUCCESS)
        return result;
    struct simgpu_context *context = &simgpu__contexts[device];
    if (context->retained == 0)
        return CU_ERROR_INVALID_CONTEXT;
    if (--context->retained > 0)
        return CU_SUCCESS;
    cuna__cpu_capture_forget(&context->null_stream->capture);
    /* Queued work runs first: it uses the handles and the memory that go after it. */
    simgpu__queue_force_context(context);
    simgpu__handle_each(destroy_of_context, context);
    simgpu__pool_forget(context);
    simgpu__memory_give_all(&context->arena);
    simgpu__memory_give_all(&context->managed);
    context->null_stream = context->thread_stream = NULL;
    return CU_SUCCESS;
}

static bool can_access(cu_device device, cu_device peer)
{
    return device != peer && simgpu__setting("SIMGPU_PEERS", 1) != 0;
}

cu_result simgpu__row_device_can_access_peer(int *answer, cu_device device, cu_device peer)
{
    SIMGPU_ENTER(device_can_access_peer, SIMGPU_NEED_INIT);
    cu_result result = check_device(answer, device);
    if (result == CU_SUCCESS)
        result = check_device(answer, peer);
    if (result == CU_SUCCESS)
        *answer = can_access(device, peer);
    return result;
}

cu_result simgpu__row_ctx_enable_peer_access(cu_context peer, unsigned flags)
{
    SIMGPU_ENTER(ctx_enable_peer_access, SIMGPU_NEED_CONTEXT);
    if (flags != 0)
        return CU_ERROR_INVALID_VALUE;
    for (int i = 0; i < simgpu__device_count(); i++) {
        if ((cu_context)&simgpu__contexts[i] != peer || simgpu__contexts[i].retained == 0)
            continue;
        if (i == call.context->ordinal)
            return CU_ERROR_INVALID_DEVICE;
        if (!can_access(call.context->ordinal, i))
            return SIMGPU_ERROR_PEER_ACCESS_UNSUPPORTED;
        if (call.context->peers >> i & 1)
            return CU_ERROR_PEER_ACCESS_ALREADY_ENABLED;
        call.context->peers |= 1u << i;
        return CU_SUCCESS;
    }
    return CU_ERROR_INVALID_CONTEXT;
}

cu_result simgpu__row_ctx_synchronize(void)
{
    SIMGPU_ENTER(ctx_synchronize, SIMGPU_NEED_CONTEXT);
    cu_result result = cuna__cpu_capture_check_context(&call.context->null_stream->capture);
    if (result != CU_SUCCESS)
        return result;
    simgpu__queue_force_context(call.context);
    simgpu__pool_settle(call.context);
    return call.context->dead;
}
