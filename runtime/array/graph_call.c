/* graph_call.c: functions of the host in captured work: every launch of the graph calls them.
 *
 * The driver knows a call by its address, and launches under way go on when their graph is destroyed. So a call is
 * counted: by its graph, and by each launch until it was made. */
#include "array/graph_call.h"

#include <stdlib.h>

struct cuna_graph_call {
    cuna_graph_call *next; /* of the graph */
    int32_t references;
    void (*fn)(void *data);
    void (*release)(void *data);
    void *data;
};

static void drop(cuna_graph_call *call)
{
    if (__atomic_sub_fetch(&call->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    call->release(call->data);
    free(call);
}

/* Called by the driver. */
static void make_call(void *data)
{
    cuna_graph_call *call = data;
    call->fn(call->data);
    drop(call);
}

cuna_status cuna__graph_call_add(cuna_graph_call **list, cuna_stream *stream, void (*fn)(void *data),
                                 void (*release)(void *data), void *data)
{
    cuna_graph_call *call = malloc(sizeof *call);
    if (call == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a graph");
    *call = (cuna_graph_call){*list, 1, fn, release, data};
    cuna_status status = cuna_stream_call(stream, make_call, call);
    if (status == CUNA_OK)
        *list = call;
    else
        free(call);
    return status;
}

void cuna__graph_calls_begin(cuna_graph_call *list)
{
    for (; list != NULL; list = list->next)
        __atomic_add_fetch(&list->references, 1, __ATOMIC_RELAXED);
}

/* Which calls a launch has made that failed halfway is not known, but after its end there are none. The graph's references
 * remain. */
void cuna__graph_calls_fail(cuna_graph_call *list, bool ended)
{
    for (; list != NULL; list = list->next) {
        if (ended)
            __atomic_store_n(&list->references, 1, __ATOMIC_RELAXED);
        else
            __atomic_sub_fetch(&list->references, 1, __ATOMIC_RELAXED);
    }
}

void cuna__graph_calls_free(cuna_graph_call *list)
{
    for (cuna_graph_call *next; list != NULL; list = next) {
        next = list->next;
        drop(list);
    }
}
