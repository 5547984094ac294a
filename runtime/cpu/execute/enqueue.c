/* enqueue.c: submits work of other tables to streams of the cpu device. */
#include "cpu/execute/enqueue.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/execute/graph.h"
#include "cpu/execute/stream.h"

struct recorded {
    cuna_work base;
    cuna_cpu_work work;
    _Alignas(16) unsigned char arguments[];
};

static cu_result run_recorded(const cuna_work *base)
{
    const struct recorded *recorded = (const struct recorded *)base;
    return recorded->work(recorded->arguments);
}

cu_result cuna__cpu_enqueue(cu_stream stream, cuna_cpu_work work, const void *arguments, size_t nbytes)
{
    if (!cuna__stream_is_held(stream))
        return work(arguments);
    struct recorded *recorded = aligned_alloc(16, sizeof *recorded + (nbytes + 15) / 16 * 16);
    if (recorded != NULL) {
        recorded->base.run = run_recorded;
        recorded->work = work;
        memcpy(recorded->arguments, arguments, nbytes);
    }
    return cuna__cpu_graph_add(stream, recorded != NULL ? &recorded->base : NULL);
}
