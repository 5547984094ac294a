/* graph.h: recorded work of a stream, as what is recorded sees it. */
#ifndef CUNA_GRAPH_H
#define CUNA_GRAPH_H

#include "array.h"
#include "cuna.h"
#include "loaded.h"

/* Keeps memory that recorded work uses for as long as the graph. `kept` is false for what is of the graph's own allocator,
 * where it stays in any case. MEMORY. */
cuna_status cuna__graph_keep(bool *kept, cuna_graph *graph, cuna_buffer *buffer);

/* Keeps a workspace, which no buffer has. *kept: it is not the caller's any more, also when this fails. One of the graph's
 * own allocator stays the caller's: only recorded work behind this gets that memory again. MEMORY. */
cuna_status cuna__graph_keep_block(bool *kept, cuna_graph *graph, cuna_block *block);

/* Keeps the module of recorded launches. MEMORY. */
cuna_status cuna__graph_keep_module(cuna_graph *graph, cuna_loaded *module);

/* Whether a block that recorded work uses is kept, or would be. */
bool cuna__graph_keeps_block(const cuna_graph *graph, const cuna_block *block);

#endif
