/* stack.c: switches stacks in one thread: the registers that a call preserves are saved on the old stack, its top and
 * frame are recorded. */
#include "cpu/execute/stack.h"

#include <stdint.h>

#if defined(__x86_64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden cuna__cpu_stack_switch\n"
        ".globl cuna__cpu_stack_switch\n"
        ".type cuna__cpu_stack_switch, @function\n"
        "cuna__cpu_stack_switch:\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    leaq 1f(%rip), %rax\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rbp, 8(%rdi)\n"
        "    movq %rax, 16(%rdi)\n"
        "    movq (%rsi), %rsp\n"
        "    movq 8(%rsi), %rbp\n"
        "    jmpq *16(%rsi)\n"
        "1:  popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rcx\n" /* processors predict a jump, but not a return to another stack */
        "    jmpq *%rcx\n"
        ".size cuna__cpu_stack_switch, .-cuna__cpu_stack_switch\n");

/* As if the function had been called. */
void cuna__cpu_stack_prepare(cuna_stack *place, void *bottom, void *top, void (*function)(void))
{
    void **frame = (void **)top - 1;
    (void)bottom;
    *frame = NULL; /* the function never returns; the stack is aligned as after a call */
    place->top = frame;
    place->frame = NULL;
    place->code = (void *)(uintptr_t)function;
}
#else
void cuna__cpu_stack_prepare(cuna_stack *place, void *bottom, void *top, void (*function)(void))
{
    ucontext_t *context = place->top;
    getcontext(context);
    context->uc_stack.ss_sp = bottom;
    context->uc_stack.ss_size = (size_t)((unsigned char *)top - (unsigned char *)bottom);
    context->uc_link = NULL;
    makecontext(context, function, 0);
}
#endif
