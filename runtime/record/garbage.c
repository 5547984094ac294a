/* garbage.c: when Lua's collector shall look for garbage among results that were recorded and not computed yet. */
#include "record/queue.h"

enum { UNREAD = 8 }; /* results of the newest one's size that may be garbage before the collector looks */

/* Garbage would cost what computing it takes. Twice as much is worth a collection of twice the time. */
cuna_garbage cuna_record_judge_garbage(cuna_context *context, double collection_s)
{
    cuna_queue *queue = context->queue;
    if (queue == NULL || queue->count == 0)
        return CUNA_GARBAGE_LITTLE;
    queue->marked_nbytes = cuna__min(queue->marked_nbytes, queue->due_nbytes);
    int64_t growth = queue->due_nbytes - queue->marked_nbytes;
    const cuna_driver_facts *facts = &queue->device->driver->facts;
    if (growth > facts->garbage_nbytes && growth > UNREAD * queue->nodes[queue->count - 1]->due_nbytes)
        return collection_s * (double)facts->garbage_nbytes <= facts->garbage_s * (double)growth ? CUNA_GARBAGE_COSTLY
                                                                                                 : CUNA_GARBAGE_MUCH;
    return queue->count == CUNA_QUEUE_NODES ? CUNA_GARBAGE_MUCH : CUNA_GARBAGE_LITTLE;
}

int64_t cuna_record_unread_nbytes(const cuna_context *context)
{
    return context->queue != NULL ? context->queue->due_nbytes : 0;
}

void cuna_record_mark_garbage(cuna_context *context)
{
    if (context->queue != NULL)
        context->queue->marked_nbytes = context->queue->due_nbytes;
}
