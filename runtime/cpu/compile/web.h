/* web.h: the web of a source's words, and which of them lead to a word that waits for other threads. */
#ifndef CUNA_CPU_COMPILE_WEB_H
#define CUNA_CPU_COMPILE_WEB_H

#include <stdbool.h>
#include <stddef.h>

/* What a word may be, and what it leads to: a function that waits; the words `volatile`, `__shared__`. */
enum { CUNA_WEB_WAITS = 1, CUNA_WEB_VOLATILE = 2, CUNA_WEB_SHARED = 4 };

/* The first vertices: leads to everything that any code may call; represents all functions that pointers may point
 * to. */
enum { CUNA_WEB_ALWAYS, CUNA_WEB_POINTERS, CUNA_WEB_FIRST_WORD };

typedef struct cuna_vertex {
    const char *word; /* NULL: not a word */
    size_t length;
    unsigned leads; /* to what of the above */
    bool is_reserved;
    bool is_macro, defines; /* defines: a macro that may say what a piece is named */
    bool is_long;           /* a macro that may be more than one word */
    int alias;              /* that word */
    bool is_puzzle;         /* a macro in whose body any word may be a name, in brackets too */
    bool in_header;         /* a macro that stands where a piece may be named */
} cuna_vertex;

typedef struct cuna_edge {
    int from, to;
    bool is_body, is_deep; /* from a macro to a word of its body; in brackets there */
} cuna_edge;

typedef struct cuna_web {
    cuna_vertex *vertices;
    cuna_edge *edges;
    int *table; /* of vertices, by the hash of their words; 0: free */
    int nvertices, nedges, ntable, max_vertices, max_edges;
    bool failed;        /* out of memory: the web is unusable */
    unsigned any_leads; /* of all words */
    bool any_virtual;   /* the word itself */
} cuna_web;

/* Of a web of zeros. */
void cuna__cpu_web_begin(cuna_web *web);
void cuna__cpu_web_free(cuna_web *web);

/* Makes room for one more in a list; false, and the web has failed, when out of memory. */
bool cuna__cpu_web_grow(cuna_web *web, void **list, int count, int *max, size_t nbytes);

/* A new vertex; the vertex of a word, made or (0: none) only found; whether a vertex is a certain word's. */
int cuna__cpu_web_add(cuna_web *web, cuna_vertex vertex);
int cuna__cpu_web_word(cuna_web *web, const char *word, size_t length);
int cuna__cpu_web_find(const cuna_web *web, const char *word, size_t length);
bool cuna__cpu_web_is(const cuna_web *web, int vertex, const char *text);

/* What a word itself is, of the above. */
unsigned cuna__cpu_web_marks(const char *word, size_t length);

void cuna__cpu_web_lead(cuna_web *web, int from, int to, bool is_body);

/* Words in macros that may name pieces lead to the macros. A vertex leads to all that those lead to to which it leads.
 */
void cuna__cpu_web_turn(cuna_web *web);
void cuna__cpu_web_follow(cuna_web *web);

#endif
