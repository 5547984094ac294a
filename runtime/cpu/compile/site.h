/* site.h: accesses to volatile memory in a C++ source. */
#ifndef CUNA_CPU_COMPILE_SITE_H
#define CUNA_CPU_COMPILE_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu/compile/code.h"

typedef enum cuna_site_kind { CUNA_SITE_LOAD, CUNA_SITE_STORE, CUNA_SITE_CHANGE } cuna_site_kind;

/* An expression that may be volatile: its tokens, and that which ends the value stored in it. */
typedef struct cuna_site {
    cuna_site_kind kind;
    int first, last, end;
} cuna_site;

/* A function outside of others: its name, and the brace of its body. */
typedef struct cuna_site_body {
    const cuna_code_token *name;
    int brace;
    bool is_kernel, steps; /* steps: the reader's */
} cuna_site_body;

/* A word that is volatile inside of a brace, or (-1) everywhere. */
typedef struct cuna_site_name {
    const cuna_code_token *word;
    int brace;
} cuna_site_name;

typedef struct cuna_sites {
    cuna_code code;
    cuna_site *sites; /* in the order of their first tokens */
    cuna_site_body *bodies;
    cuna_site_name *names;
    int nsites, nbodies, nnames;
    bool failed; /* out of memory */
} cuna_sites;

/* Of zeros. */
void cuna__cpu_sites_find(cuna_sites *sites, const char *source);
void cuna__cpu_sites_free(cuna_sites *sites);

bool cuna__cpu_sites_same_word(const cuna_code_token *a, const cuna_code_token *b);

/* Room for one more in a list that grows by doubling; the list itself, and `failed`, when out of memory. */
void *cuna__cpu_sites_grow(bool *failed, void *list, int count, size_t nbytes);

#endif
