/* graph_call.h: functions of the host that a graph calls. */
#ifndef CUNA_ARRAY_GRAPH_CALL_H
#define CUNA_ARRAY_GRAPH_CALL_H

#include "device/stream.h"

/* One of them, in a list. */
typedef struct cuna_graph_call cuna_graph_call;

/* Adds what a stream that captures calls (cuna_stream_capture_call). MEMORY, DEVICE. */
cuna_status cuna__graph_call_add(cuna_graph_call **list, cuna_stream *stream, void (*fn)(void *data),
                                 void (*release)(void *data), void *data);

/* A launch comes next, which will make all calls; or it has failed. `ended`: its work is over, whatever was done of it. */
void cuna__graph_calls_begin(cuna_graph_call *list);
void cuna__graph_calls_fail(cuna_graph_call *list, bool ended);

/* The graph goes: only launches under way call. */
void cuna__graph_calls_free(cuna_graph_call *list);

#endif
