/* stack.h: switches stacks in one thread.
 *
 * The sanitizers must be notified of every switch: leave, switch, arrive. In other builds the first and the last are
 * empty. */
#ifndef CUNA_CPU_EXECUTE_STACK_H
#define CUNA_CPU_EXECUTE_STACK_H

#include <stddef.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "kernels/raw_launch_cpu.h"

#if defined(__SANITIZE_ADDRESS__)
#define CUNA_STACK_ANNOUNCED 1 /* a switch must be */
#else
#define CUNA_STACK_ANNOUNCED 0
#endif

typedef struct Place cuna_stack; /* elsewhere than on x86-64 the owner provides the context, as `top` */

#if defined(__x86_64__)
/* The registers that a place holds are those that raw_block_cpu.h saves. */
void cuna__cpu_stack_switch(cuna_stack *from, const cuna_stack *to) __attribute__((visibility("hidden")));
#endif

/* Makes a place at the beginning of a function, which never returns, on the stack between bottom and top (which is
 * aligned to 64 bytes). */
void cuna__cpu_stack_prepare(cuna_stack *place, void *bottom, void *top, void (*function)(void));

/* Continues at another place; returns when a switch leads back here. */
static inline void cuna__stack_change(cuna_stack *from, const cuna_stack *to)
{
#if defined(__x86_64__)
    cuna__cpu_stack_switch(from, to);
#else
    swapcontext(from->top, to->top);
#endif
}

/* Before a switch: its target stack. `fake_stack` is NULL for a stack that is left for good. */
static inline void cuna__stack_leave(void **fake_stack, const void *bottom, size_t nbytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(fake_stack, bottom, nbytes);
#else
    (void)fake_stack, (void)bottom, (void)nbytes;
#endif
}

/* After a switch: stores in bottom and nbytes, unless NULL, the stack that it came from. */
static inline void cuna__stack_arrive(void *fake_stack, const void **bottom, size_t *nbytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, bottom, nbytes);
#else
    (void)fake_stack, (void)bottom, (void)nbytes;
#endif
}

/* A stack whose frames were left without a return. */
static inline void cuna__stack_forget(void *bottom, size_t nbytes)
{
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(bottom, nbytes);
#else
    (void)bottom, (void)nbytes;
#endif
}

#endif
