/* inline_name.h: what stands for the words of a device function that is written into a kernel. */
#ifndef CUNA_CPU_COMPILE_INLINE_NAME_H
#define CUNA_CPU_COMPILE_INLINE_NAME_H

#include "cpu/compile/inline.h"

#define MAX_WORDS 96
#define MAX_LIST  16

/* What stands for a word of the function: its name of this call; that of a variable of the function; itself, where a
 * macro names it; tokens of the caller; a constant of these, as a parameter's type; what an address leads to. */
enum kind { OF_CALL, OF_FUNCTION, ITSELF, TOKENS, CONSTANT, ADDRESS };

struct word {
    enum kind kind;
    int name, from, to;
    int type, type_end;
    int scope_end; /* 0: the function's */
    int hides;     /* how many words of the same name are before it */
};

/* Tokens of an argument or a parameter: [from, to). Of a parameter: its type, its name (0: none), whether brackets
 * follow it, and its default. */
struct part {
    int from, to, type_end, name, value;
    bool is_list, is_ref, is_const;
};

struct printer {
    FILE *out;
    const cuna_plan *plan;
    const cuna_code *code;
    const cuna_callee *callee;
    const cuna_call *call;
    int number;
    struct word words[MAX_WORDS];
    int nwords;
    bool failed, leaves;
};

void cuna__cpu_inline_add_word(struct printer *o, struct word word);

/* How a name that is declared is written: one that a macro has stays, if the kernel has no such word. */
enum kind cuna__cpu_inline_kind_of(struct printer *o, int name, enum kind kind);

/* Adds the names that the body declares. */
void cuna__cpu_inline_find_locals(struct printer *o);

/* Whether a declaration has `__shared__`, possibly after other words; whether a statement may begin at a token. */
bool cuna__cpu_inline_is_shared(const struct printer *o, int first);
bool cuna__cpu_inline_may_begin(const struct printer *o, int i);

#endif
