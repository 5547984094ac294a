/* ipc.c: device memory that other processes map, by the driver's handles.
 *
 * The pages of an allocation are moved to a file without a name, which the other process opens by this one's number. It
 * maps them into an allocation of its own, so that kernels and copies reach them as they reach that. Pages hold
 * neighbours too: a process that writes to memory after its owner has freed it destroys those, as on a GPU. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "simgpu.h"

#define PAGE  ((size_t)4096)
#define MAGIC 0x73696d697063u

/* What is in a handle; the rest is 0. */
struct content {
    uint64_t magic;
    int64_t pid;
    int file;
    uint64_t offset, nbytes; /* of the allocation in the file, and its pages there */
};

/* An allocation that was given away, until it is freed. */
struct export
{
    struct export *next;
    uint64_t number; /* of the allocation */
    struct content content;
};

/* Another process's, in an allocation of this one. */
struct import {
    struct import *next;
    struct simgpu_context *context;
    cu_deviceptr room, ptr; /* the allocation; where the other's begins */
    unsigned char *pages;
    size_t nbytes;
};

static struct export *exports;
static struct import *imports;

static int rights(const struct simgpu_arena *arena)
{
    return arena->opened > 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
}

/* Moves pages to a file of their own; it, or -1. The gaps between allocations move, too, which AddressSanitizer would
 * mind in a function that it knows. */
static int move_pages(const struct simgpu_arena *arena, unsigned char *pages, size_t nbytes)
{
    int file = memfd_create("simgpu", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)nbytes) == 0 &&
        syscall(SYS_pwrite64, file, pages, nbytes, (off_t)0) == (long)nbytes &&
        mmap(pages, nbytes, rights(arena), MAP_SHARED | MAP_FIXED, file, 0) == pages &&
        madvise(pages, nbytes, MADV_DONTFORK) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static struct export *find_export(uint64_t number)
{
    struct export *found = exports;
    while (found != NULL && found->number != number)
        found = found->next;
    return found;
}

static struct export *make_export(struct simgpu_arena *arena, const struct simgpu_allocation *allocation)
{
    uintptr_t begin = (uintptr_t)allocation->at / PAGE * PAGE;
    size_t nbytes = ((uintptr_t)allocation->at + allocation->span - begin + PAGE - 1) / PAGE * PAGE;
    struct export *made = calloc(1, sizeof *made);
    simgpu__memory_open(arena);
    int file = made != NULL ? move_pages(arena, (unsigned char *)begin, nbytes) : -1;
    simgpu__memory_close(arena);
    if (file < 0) {
        free(made);
        return NULL;
    }
    made->number = allocation->number;
    made->content = (struct content){MAGIC, getpid(), file, (uintptr_t)allocation->at - begin, nbytes};
    made->next = exports;
    exports = made;
    return made;
}

cu_result simgpu__row_ipc_get_mem_handle(cu_ipc_handle *handle, cu_deviceptr ptr)
{
    SIMGPU_ENTER(ipc_get_mem_handle, SIMGPU_NEED_CONTEXT);
    struct simgpu_arena *arena = &call.context->arena;
    const struct simgpu_allocation *allocation = simgpu__memory_find(arena, ptr);
    if (handle == NULL || allocation == NULL || simgpu__device_of(ptr) != call.context)
        return CU_ERROR_INVALID_VALUE;
    simgpu__queue_force_context(call.context);
    struct export *found = find_export(allocation->number);
    if (found == NULL)
        found = make_export(arena, allocation);
    if (found == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &found->content, sizeof found->content);
    return CU_SUCCESS;
}

/* Maps the pages of a file over an allocation. */
static bool map_pages(struct import *made, const struct content *content)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%lld/fd/%d", (long long)content->pid, content->file);
    int file = open(name, O_RDWR | O_CLOEXEC);
    struct simgpu_arena *arena = &made->context->arena;
    made->pages = (unsigned char *)(((uintptr_t)made->room + PAGE - 1) / PAGE * PAGE);
    made->nbytes = content->nbytes;
    made->ptr = (cu_deviceptr)(uintptr_t)made->pages + content->offset;
    bool mapped =
        file >= 0 && mmap(made->pages, made->nbytes, rights(arena), MAP_SHARED | MAP_FIXED, file, 0) == made->pages;
    if (file >= 0)
        close(file);
    return mapped;
}

cu_result simgpu__row_ipc_open_mem_handle(cu_deviceptr *ptr, cu_ipc_handle handle, unsigned flags)
{
    SIMGPU_ENTER(ipc_open_mem_handle, SIMGPU_NEED_CONTEXT);
    struct content content;
    memcpy(&content, &handle, sizeof content);
    if (ptr == NULL || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || content.magic != MAGIC)
        return CU_ERROR_INVALID_VALUE;
    if (content.pid == getpid())
        return CU_ERROR_INVALID_CONTEXT;
    struct import *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    made->context = call.context;
    cu_result result = simgpu__memory_take(&call.context->arena, &made->room, content.nbytes + PAGE);
    if (result == CU_SUCCESS && !map_pages(made, &content)) {
        simgpu__memory_give(&call.context->arena, made->room);
        result = CU_ERROR_INVALID_VALUE;
    }
    if (result != CU_SUCCESS) {
        free(made);
        return result;
    }
    made->next = imports;
    imports = made;
    *ptr = made->ptr;
    return CU_SUCCESS;
}

cu_result simgpu__row_ipc_close_mem_handle(cu_deviceptr ptr)
{
    SIMGPU_ENTER(ipc_close_mem_handle, SIMGPU_NEED_CONTEXT);
    struct import **at = &imports, *gone;
    while (*at != NULL && (*at)->ptr != ptr)
        at = &(*at)->next;
    gone = *at;
    if (gone == NULL || gone->context != call.context)
        return CU_ERROR_INVALID_VALUE;
    simgpu__queue_force_context(call.context);
    *at = gone->next;
    mmap(gone->pages, gone->nbytes, rights(&call.context->arena), MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    madvise(gone->pages, gone->nbytes, MADV_DONTFORK);
    cu_result result = simgpu__memory_give(&call.context->arena, gone->room);
    free(gone);
    return result;
}
