/* graph.h: recorded work of a stream, as what is recorded sees it. */
#ifndef CUNA_ARRAY_GRAPH_H
#define CUNA_ARRAY_GRAPH_H

#include "array/graph_slot.h"
#include "device/loaded.h"

/* Keeps memory that recorded work uses for as long as the graph. `kept` is false for what is of the graph's own allocator,
 * where it stays in any case. MEMORY. */
cuna_status cuna__graph_keep(bool *kept, cuna_graph *graph, cuna_value *value, cuna_use use);

/* Notes a built-in kernel's launch that the stream has just recorded, and where its arguments are addresses. MEMORY. */
cuna_status cuna__graph_note_launch(cuna_graph *graph, cuna_stream *stream, cu_function function, unsigned blocks,
                                    int nwords, const int64_t *words, int naddresses,
                                    const cuna_graph_address *addresses);

/* A workspace of at least so many bytes that the graph keeps, and that the work of the stream so far is done with; NULL:
 * there is none. Recorded work of one stream is done in order, so what comes next may have it. */
cuna_block *cuna__graph_lend(cuna_graph *graph, const cuna_stream *stream, int64_t nbytes);

/* Keeps a new workspace, which no array has, and lends it to the stream. *kept: it is not the caller's any more, also when
 * this fails. One of the graph's own allocator stays the caller's: only work recorded after this gets that memory
 * again. MEMORY. */
cuna_status cuna__graph_keep_block(bool *kept, cuna_graph *graph, const cuna_stream *stream, cuna_block *block);

/* The stream has recorded all work with a workspace. Whether the graph keeps it, or it is the caller's. */
bool cuna__graph_take_back(cuna_graph *graph, const cuna_block *block);

/* Keeps the module of recorded launches. MEMORY. */
cuna_status cuna__graph_keep_module(cuna_graph *graph, cuna_loaded *module);

#endif
