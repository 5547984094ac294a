/* trap.c: handles accesses to closed memory. In a kernel the access is the kernel's error. Anywhere else host code has
 * accessed device memory: the process ends with a line that names the place. Other faults go to the previous
 * handler. */
#define _GNU_SOURCE 1
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cpu/execute/fault.h"
#include "simgpu.h"

#define STATUS 139 /* what a shell says of a process that SIGSEGV ended */

static struct sigaction before[2];

static void describe(char *line, size_t nbytes, const struct simgpu_context *context, cu_deviceptr at)
{
    const struct simgpu_allocation *found = simgpu__memory_find(simgpu__arena_of(at), at);
    int length = snprintf(line, nbytes, "simgpu: host code touched device memory: address 0x%llx of cuda:%d, ",
                          (unsigned long long)at, context->ordinal);
    if (found == NULL)
        snprintf(line + length, nbytes - (size_t)length, "in no allocation\n");
    else
        snprintf(line + length, nbytes - (size_t)length, "byte %llu of the allocation of %zu bytes at %p\n",
                 (unsigned long long)(at - (uintptr_t)found->at), found->nbytes, (void *)found->at);
}

static void handle(int number, siginfo_t *info, void *state)
{
    char line[256];
    cu_deviceptr at = (uintptr_t)info->si_addr;
    const struct simgpu_context *context = simgpu__device_of(at);
    cuna__cpu_fault_take(number, info, state);
    if (context != NULL) {
        describe(line, sizeof line, context, at);
        _exit(write(STDERR_FILENO, line, strlen(line)) >= 0 ? STATUS : STATUS + 1);
    }
    cuna__cpu_fault_pass_on(&before[number == SIGBUS], number, info, state);
}

void simgpu__trap_install(void)
{
    static bool done;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    if (done)
        return;
    done = true;
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
}
