/* driver_cpu_graph.h: the graph of a source's words, and which of them lead to a word that waits for other threads. */
#ifndef CUNA_DRIVER_CPU_GRAPH_H
#define CUNA_DRIVER_CPU_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

/* The first vertices: leads to what anything may call; stands for all functions that pointers may point to. */
enum { CUNA_GRAPH_ALWAYS, CUNA_GRAPH_POINTERS, CUNA_GRAPH_FIRST_WORD };

typedef struct cuna_vertex {
    const char *word; /* NULL: no word */
    size_t length;
    bool waits, is_reserved;
    bool is_macro, defines; /* defines: a macro that may say what a piece is named */
    bool is_puzzle;         /* a macro in whose body any word may be a name, in brackets too */
    bool in_header;         /* a macro that stands where a piece may be named */
} cuna_vertex;

typedef struct cuna_edge {
    int from, to;
    bool is_body, is_deep; /* from a macro to a word of its body; in brackets there */
} cuna_edge;

typedef struct cuna_graph {
    cuna_vertex *vertices;
    cuna_edge *edges;
    int *table; /* of vertices, by the hash of their words; 0: free */
    int nvertices, nedges, ntable, max_vertices, max_edges;
    bool failed;                 /* there is no memory: the graph says nothing */
    bool any_waits, any_virtual; /* words that wait; the word itself */
} cuna_graph;

/* Of a graph of zeros. */
void cuna__graph_begin(cuna_graph *graph);
void cuna__graph_free(cuna_graph *graph);

/* Room for one more in a list; false, and the graph has failed, when there is no memory. */
bool cuna__graph_grow(cuna_graph *graph, void **list, int count, int *max, size_t nbytes);

/* A new vertex; the vertex of a word, made or (0: none) only found; whether a vertex is a certain word's. */
int cuna__graph_add(cuna_graph *graph, cuna_vertex vertex);
int cuna__graph_word(cuna_graph *graph, const char *word, size_t length);
int cuna__graph_find(const cuna_graph *graph, const char *word, size_t length);
bool cuna__graph_is(const cuna_graph *graph, int vertex, const char *text);

/* Whether a word is a function's that waits. */
bool cuna__graph_waits(const char *word, size_t length);

void cuna__graph_lead(cuna_graph *graph, int from, int to, bool is_body);

/* Words in macros that may name pieces lead to the macros. All that leads to what waits, waits. */
void cuna__graph_turn(cuna_graph *graph);
void cuna__graph_follow(cuna_graph *graph);

#endif
