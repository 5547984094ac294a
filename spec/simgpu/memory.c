/* memory.c: device memory, which only work inside a driver call may touch.
 *
 * Each device has an arena: a range of addresses without access rights. Allocations lie in it by first fit, each
 * followed by a gap of known bytes. Opening the arena grants access to the part that was ever used; the rest stays
 * closed even to kernels. What is fresh or freed holds a pattern that is NaN in all float formats. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#include "simgpu.h"

#define HUGE         ((size_t)2 << 20)
#define UNIT         ((size_t)512)
#define GAP_BYTE     0xc7
#define POISON       0x7ff5a5a5
#define POISON_EDGES ((size_t)4 << 20) /* of a large allocation only so much at both ends, for the sake of time */

void __asan_poison_memory_region(void const volatile *addr, size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(void const volatile *addr, size_t size) __attribute__((weak));

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static uint64_t last_number;

uint64_t simgpu__memory_number(void)
{
    return last_number;
}

bool simgpu__memory_map(struct simgpu_arena *arena, size_t total, bool open)
{
    size_t room = round_up(total, HUGE) * 2;
    int rights = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    void *at = mmap(NULL, room + HUGE, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    *arena = (struct simgpu_arena){
        .base = (void *)round_up((uintptr_t)at, HUGE), .nbytes = room, .total = total, .opened = open};
    madvise(arena->base, room, MADV_HUGEPAGE);
    madvise(arena->base, room, MADV_DONTFORK);
    return true;
}

void simgpu__memory_open(struct simgpu_arena *arena)
{
    if (arena->opened++ == 0 && arena->top > 0)
        mprotect(arena->base, arena->top, PROT_READ | PROT_WRITE);
}

void simgpu__memory_close(struct simgpu_arena *arena)
{
    if (--arena->opened == 0 && arena->top > 0)
        mprotect(arena->base, arena->top, PROT_NONE);
}

/* The last allocation at or below an address, as an index; count when there is none. */
static size_t find_index(const struct simgpu_arena *arena, const unsigned char *at)
{
    size_t low = 0, high = arena->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (arena->allocations[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : arena->count;
}

const struct simgpu_allocation *simgpu__memory_find(const struct simgpu_arena *arena, cu_deviceptr ptr)
{
    const unsigned char *at = (const unsigned char *)(uintptr_t)ptr;
    size_t i = find_index(arena, at);
    return i < arena->count && at < arena->allocations[i].at + arena->allocations[i].span ? &arena->allocations[i]
                                                                                          : NULL;
}

bool simgpu__memory_holds(const struct simgpu_arena *arena, cu_deviceptr ptr, size_t nbytes)
{
    const struct simgpu_allocation *found = simgpu__memory_find(arena, ptr);
    if (found == NULL)
        return false;
    size_t offset = (size_t)((const unsigned char *)(uintptr_t)ptr - found->at);
    return offset <= found->nbytes && nbytes <= found->nbytes - offset;
}

void simgpu__memory_poison(void *memory, size_t nbytes)
{
    unsigned char *at = memory;
    size_t edge = nbytes < 2 * POISON_EDGES ? nbytes : POISON_EDGES;
    wmemset((wchar_t *)at, POISON, edge / sizeof(wchar_t));
    memset(at + edge / sizeof(wchar_t) * sizeof(wchar_t), 0xff, edge % sizeof(wchar_t));
    if (edge < nbytes) /* from the end, at an address that wchar_t may have */
        wmemset((wchar_t *)(at + (nbytes - edge) / UNIT * UNIT), POISON, edge / sizeof(wchar_t));
}

static bool reserve_entry(struct simgpu_arena *arena)
{
    if (arena->count < arena->capacity)
        return true;
    size_t capacity = arena->capacity > 0 ? arena->capacity * 2 : 64;
    struct simgpu_allocation *grown = realloc(arena->allocations, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    arena->allocations = grown;
    arena->capacity = capacity;
    return true;
}

/* The lowest hole that is large enough, and the place of its entry. The first unit is a gap too. */
static unsigned char *find_hole(const struct simgpu_arena *arena, size_t span, size_t *index)
{
    unsigned char *at = arena->base + UNIT;
    for (*index = 0; *index < arena->count; ++*index) {
        const struct simgpu_allocation *next = &arena->allocations[*index];
        if ((size_t)(next->at - at) >= span)
            return at;
        at = next->at + next->span;
    }
    return (size_t)(arena->base + arena->nbytes - at) >= span ? at : NULL;
}

cu_result simgpu__memory_take(struct simgpu_arena *arena, cu_deviceptr *ptr, size_t nbytes)
{
    if (nbytes > arena->total || arena->used + round_up(nbytes, UNIT) > arena->total || !reserve_entry(arena))
        return CU_ERROR_OUT_OF_MEMORY;
    size_t index, span = round_up(nbytes, UNIT) + UNIT;
    unsigned char *at = find_hole(arena, span, &index);
    if (at == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    if ((size_t)(at + span - arena->base) > arena->top)
        arena->top = round_up((size_t)(at + span - arena->base), HUGE);
    memmove(&arena->allocations[index + 1], &arena->allocations[index],
            (arena->count - index) * sizeof *arena->allocations);
    arena->allocations[index] = (struct simgpu_allocation){at, nbytes, span, ++last_number};
    arena->count++;
    arena->used += round_up(nbytes, UNIT);
    /* The gap has known bytes, which show after an operation whether it wrote past the block (simgpu__memory_spoilt). */
    simgpu__memory_open(arena);
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(at, span);
    simgpu__memory_poison(at, nbytes);
    memset(at + nbytes, GAP_BYTE, span - nbytes);
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(at + nbytes, span - nbytes);
    simgpu__memory_close(arena);
    *ptr = (cu_deviceptr)(uintptr_t)at;
    return CU_SUCCESS;
}

static void drop(struct simgpu_arena *arena, size_t index)
{
    struct simgpu_allocation gone = arena->allocations[index];
    unsigned char *middle = (unsigned char *)round_up((uintptr_t)gone.at + POISON_EDGES, HUGE);
    unsigned char *end = (unsigned char *)((uintptr_t)(gone.at + gone.nbytes) / HUGE * HUGE);
    simgpu__memory_open(arena);
    if (end > middle) /* back to the system */
        madvise(middle, (size_t)(end - middle), MADV_DONTNEED);
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(gone.at, gone.span);
    simgpu__memory_poison(gone.at, gone.span < gone.nbytes ? gone.span : gone.nbytes);
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(gone.at, gone.span);
    simgpu__memory_close(arena);
    arena->used -= round_up(gone.nbytes, UNIT);
    arena->count--;
    memmove(&arena->allocations[index], &arena->allocations[index + 1],
            (arena->count - index) * sizeof *arena->allocations);
}

cu_result simgpu__memory_give(struct simgpu_arena *arena, cu_deviceptr ptr)
{
    unsigned char *at = (unsigned char *)(uintptr_t)ptr;
    size_t index = find_index(arena, at);
    if (index == arena->count || arena->allocations[index].at != at)
        return CU_ERROR_INVALID_VALUE;
    drop(arena, index);
    return CU_SUCCESS;
}

void simgpu__memory_give_all(struct simgpu_arena *arena)
{
    while (arena->count > 0)
        drop(arena, arena->count - 1);
}

bool simgpu__memory_reserve(struct simgpu_arena *arena, size_t nbytes)
{
    bool fits = nbytes <= arena->total - arena->used;
    arena->used += fits ? nbytes : 0;
    return fits;
}

void simgpu__memory_unreserve(struct simgpu_arena *arena, size_t nbytes)
{
    arena->used -= nbytes;
}

/* The sanitizer knows the gap as poisoned: it is read where it does not look. */
__attribute__((no_sanitize("address"))) static bool is_spoilt(const struct simgpu_allocation *allocation)
{
    for (const unsigned char *p = allocation->at + allocation->nbytes; p < allocation->at + allocation->span; p++)
        if (*(const volatile unsigned char *)p != GAP_BYTE)
            return true;
    return false;
}

const struct simgpu_allocation *simgpu__memory_spoilt(const struct simgpu_arena *arena, const uint64_t *words,
                                                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i] - (uintptr_t)arena->base >= arena->top)
            continue;
        size_t index = find_index(arena, (const unsigned char *)(uintptr_t)words[i]);
        if (index == arena->count)
            continue;
        if (is_spoilt(&arena->allocations[index]))
            return &arena->allocations[index];
        if (index > 0 && is_spoilt(&arena->allocations[index - 1]))
            return &arena->allocations[index - 1];
    }
    return NULL;
}

/* Pinned memory: a list, for there are few. */
static struct pinned {
    struct pinned *next;
    unsigned char *at;
    size_t nbytes;
} * pinned;

cu_result simgpu__pinned_take(void **ptr, size_t nbytes)
{
    struct pinned *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cu_result result = cuna__driver_cpu()->mem_host_alloc(ptr, nbytes, 0);
    if (result != CU_SUCCESS) {
        free(entry);
        return result;
    }
    *entry = (struct pinned){pinned, *ptr, nbytes};
    pinned = entry;
    simgpu__memory_poison(entry->at, nbytes);
    return CU_SUCCESS;
}

static struct pinned **find_pinned(const void *ptr)
{
    struct pinned **link = &pinned;
    while (*link != NULL && (uintptr_t)ptr - (uintptr_t)(*link)->at >= (*link)->nbytes)
        link = &(*link)->next;
    return link;
}

cu_result simgpu__pinned_give(void *ptr)
{
    struct pinned **link = find_pinned(ptr), *entry = *link;
    if (entry == NULL || entry->at != ptr)
        return CU_ERROR_INVALID_VALUE;
    *link = entry->next;
    simgpu__memory_poison(entry->at, entry->nbytes);
    free(entry);
    return cuna__driver_cpu()->mem_free_host(ptr);
}

bool simgpu__pinned_holds(const void *ptr, size_t nbytes)
{
    struct pinned *entry = *find_pinned(ptr);
    return entry != NULL && nbytes <= entry->nbytes - ((uintptr_t)ptr - (uintptr_t)entry->at);
}

void *simgpu__pinned_find(const void *ptr)
{
    struct pinned *entry = *find_pinned(ptr);
    return entry != NULL ? entry->at : NULL;
}

size_t simgpu__pinned_nbytes(const void *ptr)
{
    struct pinned *entry = *find_pinned(ptr);
    return entry != NULL ? entry->nbytes : 0;
}

int simgpu__pinned_count(void)
{
    int count = 0;
    for (struct pinned *entry = pinned; entry != NULL; entry = entry->next)
        count++;
    return count;
}
