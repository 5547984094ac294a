/* stacks.c: memory for stacks of one size, each aligned to it, with a guard at its end.
 *
 * Stacks beyond the process's limit of guards, or the system's limit of mappings, have no guard. */
#define _GNU_SOURCE 1
#include "cpu/execute/stacks.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/execute/stack.h"

#define MAX_GUARDS 16384 /* of the process: each takes two mappings, of which Linux allows 65530 */

static atomic_uint guards;

void cuna__cpu_stacks_forget(const cuna_stacks *stacks, unsigned count)
{
    for (unsigned number = 0; number < count; number++)
        cuna__stack_forget(cuna__stacks_at(stacks, number) + stacks->guard_nbytes,
                           CUNA_STACK_NBYTES - stacks->guard_nbytes);
}

/* Since Linux 6.13 a guard takes no mapping. */
static bool guard_freely(void *bottom, size_t nbytes)
{
#if !defined(MADV_GUARD_INSTALL)
    enum { MADV_GUARD_INSTALL = 102 };
#endif
    return madvise(bottom, nbytes, MADV_GUARD_INSTALL) == 0;
}

static void guard(cuna_stacks *stacks)
{
    unsigned first = 0;
    while (first < stacks->count && guard_freely(cuna__stacks_at(stacks, first), stacks->guard_nbytes))
        first++;
    for (unsigned number = first; number < stacks->count; number++) {
        bool allowed = atomic_fetch_add(&guards, 1) < MAX_GUARDS;
        if (!allowed || mprotect(cuna__stacks_at(stacks, number), stacks->guard_nbytes, PROT_NONE) != 0) {
            atomic_fetch_sub(&guards, 1);
            return;
        }
        stacks->mapped_guards++;
    }
}

void cuna__cpu_stacks_free(cuna_stacks *stacks)
{
    if (stacks->memory != NULL) {
        cuna__cpu_stacks_forget(stacks, stacks->count);
        munmap(stacks->memory, stacks->memory_nbytes);
    }
    atomic_fetch_sub(&guards, stacks->mapped_guards);
    *stacks = (cuna_stacks){NULL};
}

bool cuna__cpu_stacks_create(cuna_stacks *stacks, unsigned least)
{
    unsigned count = 64;
    while (count < least)
        count *= 2;
    size_t nbytes = (count + 1) * CUNA_STACK_NBYTES;
    void *memory = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    madvise(memory, nbytes, MADV_NOHUGEPAGE); /* a page is enough for most stacks */
    uintptr_t first = ((uintptr_t)memory + CUNA_STACK_NBYTES - 1) & ~(CUNA_STACK_NBYTES - 1);
    *stacks = (cuna_stacks){memory, nbytes, (size_t)sysconf(_SC_PAGESIZE), (unsigned char *)first, count, 0};
    guard(stacks);
    return true;
}
