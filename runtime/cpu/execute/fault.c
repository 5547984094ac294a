/* fault.c: a kernel that faults ends without ending the process.
 *
 * Handlers of processor exceptions stay installed from the first launch on. A thread that runs a kernel is armed: a
 * signal that the kernel raises is stored in the thread's record, and the thread continues where the kernel was
 * started. All other signals go to the previous handlers. A handler has a separate stack, so that a kernel whose stack
 * is full can be left; it stores numbers only, and the message is built later, outside of the handler. Resources that a
 * kernel held when it was left stay held, including the C library's locks. */
#define _GNU_SOURCE 1
#include "cpu/execute/fault.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "cpu/execute/error.h"

#define STACK_NBYTES (64 << 10)
#define REACH_NBYTES (64 << 10) /* below the stack pointer, where a new frame is first touched */

static const int signals[] = {
    SIGSEGV, SIGBUS, SIGILL, SIGFPE,
#if !defined(__x86_64__)
    SIGTRAP, /* of __builtin_trap */
#endif
};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static _Thread_local cuna_fault *armed __attribute__((tls_model("initial-exec")));
static _Thread_local bool ready __attribute__((tls_model("initial-exec"))); /* it has a stack for handlers */

/* ---- the handler ---- */

static void read_machine(cuna_fault *fault, const ucontext_t *state)
{
#if defined(__x86_64__)
    fault->instruction = (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
    fault->stack_pointer = (uintptr_t)state->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    fault->instruction = state->uc_mcontext.pc;
    fault->stack_pointer = state->uc_mcontext.sp;
#else
    (void)state;
    fault->instruction = fault->stack_pointer = 0;
#endif
}

/* A signal whose code is not positive was sent by a process. */
void cuna__cpu_fault_take(int number, const siginfo_t *info, const void *state)
{
    cuna_fault *fault = armed;
    if (fault == NULL || info->si_code <= 0)
        return;
    fault->number = number;
    fault->code = info->si_code;
    fault->address = (uintptr_t)info->si_addr;
    read_machine(fault, state);
    _longjmp(fault->place, 1);
}

static void call_handler(const struct sigaction *action, int number, siginfo_t *info, void *state)
{
    sigset_t blocked = action->sa_mask, mask;
    if (!(action->sa_flags & SA_NODEFER))
        sigaddset(&blocked, number);
    pthread_sigmask(SIG_BLOCK, &blocked, &mask);
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, state);
    else
        action->sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Without a previous handler the instruction is retried and ends the process; a sent signal is sent again. */
void cuna__cpu_fault_pass_on(const struct sigaction *action, int number, siginfo_t *info, void *state)
{
    bool has_handler =
        (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    if (has_handler) {
        call_handler(action, number, info, state);
    } else if (info->si_code > 0 || action->sa_handler == SIG_DFL) {
        signal(number, SIG_DFL);
        if (info->si_code <= 0)
            raise(number);
    }
}

static void handle(int number, siginfo_t *info, void *state)
{
    int which = 0;
    cuna__cpu_fault_take(number, info, state);
    while (signals[which] != number)
        which++;
    cuna__cpu_fault_pass_on(&before[which], number, info, state);
}

/* ---- threads ---- */

static pthread_key_t key;

static void free_stack(void *stack)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    ready = false;
    sigaltstack(&none, NULL);
    munmap(stack, STACK_NBYTES);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    pthread_key_create(&key, free_stack);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
}

/* A thread that has a stack for handlers keeps it. Without any, the overflow of its stack ends the process. */
static __attribute__((noinline, cold)) void get_ready(void)
{
    static pthread_once_t installed = PTHREAD_ONCE_INIT;
    stack_t stack;
    pthread_once(&installed, install);
    ready = true;
    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    void *memory = mmap(NULL, STACK_NBYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack = (stack_t){.ss_sp = memory, .ss_size = STACK_NBYTES};
    if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(key, memory) != 0)
        free_stack(memory);
}

/* ---- words ---- */

/* An access to a frame beyond the stack's end: just below the stack pointer, or in its page. */
static bool is_overflow(const cuna_fault *fault)
{
    uintptr_t page_nbytes = (uintptr_t)sysconf(_SC_PAGESIZE), top = fault->stack_pointer | (page_nbytes - 1);
    return fault->stack_pointer != 0 && fault->address <= top && top - fault->address < REACH_NBYTES + page_nbytes;
}

static cu_result say(cuna_fault *fault, cu_result result, const char *format, uintptr_t at)
{
    snprintf(fault->words, sizeof fault->words, format, (unsigned long long)at);
    return result;
}

static cu_result describe(cuna_fault *fault)
{
    if (fault->number == SIGILL || fault->number == SIGTRAP)
        return say(fault, CU_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction at 0x%llx, as __builtin_trap is",
                   fault->instruction);
    if (fault->number == SIGFPE)
        return say(fault, CU_ERROR_LAUNCH_FAILED,
                   "an integer was divided by 0, or the least one by -1, in the instruction at 0x%llx",
                   fault->instruction);
    /* Before the other signals of memory: a guard page is memory without access too. */
    if (is_overflow(fault))
        return say(fault, CU_ERROR_HARDWARE_STACK_ERROR,
                   "the stack overflowed at address 0x%llx: a recursion that does not end, or more than 512 KiB of "
                   "local memory",
                   fault->address);
    if (fault->number == SIGBUS && fault->code == BUS_ADRALN)
        return say(fault, CU_ERROR_MISALIGNED_ADDRESS, "touched address 0x%llx, which is not aligned for the access",
                   fault->address);
    if (fault->number == SIGBUS)
        return say(fault, CU_ERROR_ILLEGAL_ADDRESS, "touched address 0x%llx, which lies beyond the end of its file",
                   fault->address);
    /* Addresses that are not canonical have no code and no address in the report. */
    if (fault->code != SEGV_MAPERR && fault->code != SEGV_ACCERR)
        return say(fault, CU_ERROR_ILLEGAL_ADDRESS, "touched an address beyond all memory", 0);
    return say(fault, CU_ERROR_ILLEGAL_ADDRESS, "touched address 0x%llx, where it has no memory", fault->address);
}

/* ---- kernels ---- */

/* After a jump only `armed` has a defined value. */
static __attribute__((noinline, cold)) void land(void)
{
    cuna_fault *fault = armed;
    armed = fault->outer;
    if (fault->number != 0)
        fault->result = describe(fault);
}

bool cuna__cpu_fault_guard(cuna_fault *fault, void (*body)(void *data), void *data)
{
    if (__builtin_expect(!ready, 0))
        get_ready();
    fault->outer = armed;
    if (__builtin_expect(_setjmp(fault->place) != 0, 0)) {
        land();
        return false;
    }
    armed = fault;
    body(data);
    armed = armed->outer;
    return true;
}

void cuna__cpu_fault_leave(cu_result result, const char *words)
{
    cuna_fault *fault = armed;
    if (fault == NULL)
        return;
    fault->number = 0;
    fault->address = fault->instruction = fault->stack_pointer = 0;
    fault->result = result;
    snprintf(fault->words, sizeof fault->words, "%s", words);
    _longjmp(fault->place, 1);
}

void cuna__cpu_outcome_fail(cuna_outcome *outcome, cu_result result, const char *words)
{
    atomic_store(&outcome->failed, true);
    if (atomic_flag_test_and_set(&outcome->said))
        return;
    outcome->result = result;
    snprintf(outcome->words, sizeof outcome->words, "%s", words);
}

cu_result cuna__cpu_outcome_result(const cuna_outcome *outcome)
{
    return atomic_load(&outcome->failed) ? cuna__cpu_error_keep(outcome->result, outcome->words) : CU_SUCCESS;
}
