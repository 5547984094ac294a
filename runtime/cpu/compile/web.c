/* web.c: the web of a source's words, and what they lead to: words that wait for other threads, volatile and shared memory.
 *
 * Words are looked up in a hash table whose size is a power of two; marks propagate against the edges until nothing
 * changes. */
#include "cpu/compile/web.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/compile/token.h"

/* clang-format off */
static const char *const wait_words[] = {
    "__sync*", "__shfl*", "__ballot*", "__any*", "__all*", "__match*", "__reduce*", "__activemask", "__nanosleep",
    "__barrier_sync*", "cooperative_groups*", "this_thread_block", "this_thread", "this_grid", "thread_block*",
    "thread_group", "grid_group", "coalesced_threads", "coalesced_group", "tiled_partition", "cub", "BlockReduce",
    "BlockScan", "BlockExchange", "BlockRadixSort", "BlockHistogram", "BlockShuffle", "BlockDiscontinuity",
    "BlockAdjacentDifference", "BlockMergeSort", "BlockRunLengthDecode", "WarpReduce", "WarpScan", "WarpExchange",
    "WarpMergeSort", "atomic", "atomic_flag", "atomic_ref",
    "barrier", "latch", "counting_semaphore", "binary_semaphore", "make_pipeline", "pipeline",
    "nvcuda", "wmma", "load_matrix_sync", "store_matrix_sync", "mma_sync", NULL,
};
static const char *const reserved_words[] = {
    "alignas", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr", "continue",
    "decltype", "default", "delete", "do", "double", "else", "enum", "explicit", "extern", "false", "final", "float",
    "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "nullptr",
    "operator", "override", "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
    "static", "static_assert", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while", "static_cast",
    "__global__", "__device__", "__host__", "__constant__", "__shared__", "__managed__", "__forceinline__",
    "__noinline__", "__restrict__", "__restrict", "__inline__", "__launch_bounds__", "__maxnreg__", "__align__",
    "__attribute__", "__builtin_align__", "__grid_constant__", NULL,
};
/* clang-format on */
/* Makes room for one more; false, and the web has failed, when out of memory. */
bool cuna__cpu_web_grow(cuna_web *g, void **list, int count, int *max, size_t nbytes)
{
    if (count < *max)
        return true;
    int more = *max > 0 ? *max * 2 : 256;
    void *bigger = realloc(*list, (size_t)more * nbytes);
    g->failed |= bigger == NULL;
    if (bigger == NULL)
        return false;
    *list = bigger;
    *max = more;
    return true;
}

int cuna__cpu_web_add(cuna_web *g, cuna_vertex vertex)
{
    if (!cuna__cpu_web_grow(g, (void **)&g->vertices, g->nvertices, &g->max_vertices, sizeof vertex))
        return CUNA_WEB_POINTERS;
    g->vertices[g->nvertices] = vertex;
    return g->nvertices++;
}

void cuna__cpu_web_lead(cuna_web *g, int from, int to, bool is_body)
{
    if (cuna__cpu_web_grow(g, (void **)&g->edges, g->nedges, &g->max_edges, sizeof *g->edges))
        g->edges[g->nedges++] = (cuna_edge){from, to, is_body, false};
}

/* The slot of a word in the table, or a free one for it. */
static int find_place(const cuna_web *g, const char *word, size_t length)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    int place = (int)(hash & (unsigned)(g->ntable - 1));
    for (; g->table[place] != 0; place = (place + 1) & (g->ntable - 1)) {
        const cuna_vertex *v = &g->vertices[g->table[place]];
        if (v->length == length && memcmp(v->word, word, length) == 0)
            break;
    }
    return place;
}

static bool grow_table(cuna_web *g)
{
    if (2 * g->nvertices < g->ntable)
        return true;
    int *table = calloc((size_t)(g->ntable > 0 ? 2 * g->ntable : 1024), sizeof *table);
    g->failed |= table == NULL;
    if (table == NULL)
        return false;
    free(g->table);
    g->table = table;
    g->ntable = g->ntable > 0 ? 2 * g->ntable : 1024;
    for (int i = CUNA_WEB_FIRST_WORD; i < g->nvertices; i++)
        if (g->vertices[i].word != NULL)
            g->table[find_place(g, g->vertices[i].word, g->vertices[i].length)] = i;
    return true;
}

int cuna__cpu_web_word(cuna_web *g, const char *word, size_t length)
{
    if (!grow_table(g))
        return CUNA_WEB_POINTERS;
    int place = find_place(g, word, length);
    if (g->table[place] == 0) {
        unsigned marks = cuna__cpu_web_marks(word, length);
        bool reserved = cuna__cpu_token_is_in(word, length, reserved_words);
        int vertex = cuna__cpu_web_add(g, (cuna_vertex){word, length, .leads = marks, .is_reserved = reserved});
        g->any_leads |= marks;
        g->any_virtual |= cuna__cpu_token_is(word, length, "virtual");
        if (g->failed)
            return CUNA_WEB_POINTERS;
        g->table[place] = vertex;
    }
    return g->table[place];
}

bool cuna__cpu_web_is(const cuna_web *g, int vertex, const char *text)
{
    return vertex >= CUNA_WEB_FIRST_WORD &&
           cuna__cpu_token_is(g->vertices[vertex].word, g->vertices[vertex].length, text);
}

/* Where macros may name pieces, the words of their bodies lead to what the macros lead to. */
void cuna__cpu_web_turn(cuna_web *g)
{
    for (int i = 0; i < g->nedges; i++)
        g->vertices[g->edges[i].from].is_puzzle |= g->edges[i].is_body && g->vertices[g->edges[i].to].is_macro;
    for (bool more = true; more && !g->failed;) {
        more = false;
        for (int i = 0, n = g->nedges; i < n && !g->failed; i++) {
            cuna_edge edge = g->edges[i];
            if (!edge.is_body || !g->vertices[edge.from].in_header ||
                (edge.is_deep && !g->vertices[edge.from].is_puzzle))
                continue;
            more |= g->vertices[edge.to].is_macro && !g->vertices[edge.to].in_header;
            g->vertices[edge.to].in_header = true;
            g->edges[i].is_body = false;
            cuna__cpu_web_lead(g, edge.to, edge.from, false);
        }
    }
}

void cuna__cpu_web_follow(cuna_web *g)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = g->nedges - 1; i >= 0; i--) {
            cuna_vertex *from = &g->vertices[g->edges[i].from];
            unsigned leads = from->leads | g->vertices[g->edges[i].to].leads;
            more |= leads != from->leads;
            from->leads = leads;
        }
    }
}

unsigned cuna__cpu_web_marks(const char *word, size_t length)
{
    return cuna__cpu_token_is_in(word, length, wait_words)  ? CUNA_WEB_WAITS
           : cuna__cpu_token_is(word, length, "volatile")   ? CUNA_WEB_VOLATILE
           : cuna__cpu_token_is(word, length, "__shared__") ? CUNA_WEB_SHARED
                                                            : 0;
}

void cuna__cpu_web_begin(cuna_web *g)
{
    for (int i = 0; i < CUNA_WEB_FIRST_WORD; i++)
        cuna__cpu_web_add(g, (cuna_vertex){.word = NULL});
}

int cuna__cpu_web_find(const cuna_web *g, const char *word, size_t length)
{
    return g->ntable > 0 ? g->table[find_place(g, word, length)] : 0;
}

void cuna__cpu_web_free(cuna_web *g)
{
    free(g->vertices);
    free(g->edges);
    free(g->table);
}
