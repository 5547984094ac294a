/* garbage.c: when Lua's collector shall look for garbage among results that were recorded and not computed yet. */
#include "record/queue.h"

enum { UNREAD = 8 }; /* results of the newest one's size that may be garbage before the collector looks */

/* Whether so many bytes may be garbage that computing them would matter. */
static bool is_much(const cuna_queue *queue, int64_t growth)
{
    int64_t newest = queue->nodes[queue->count - 1]->due_nbytes;
    return growth > queue->device->driver->facts.garbage_nbytes &&
           growth > cuna__min(UNREAD * newest, CUNA_GARBAGE_MOST_NBYTES);
}

/* Results without memory cost nothing while they wait, so collections wait as well, until the queue is full. */
cuna_garbage cuna_record_judge_garbage(cuna_context *context, double collection_s)
{
    cuna_queue *queue = context->queue;
    if (queue == NULL || queue->count == 0)
        return CUNA_GARBAGE_LITTLE;
    queue->marked_nbytes = cuna__min(queue->marked_nbytes, queue->due_nbytes);
    int64_t growth = queue->due_nbytes - queue->marked_nbytes;
    bool is_full = queue->count == CUNA_QUEUE_NODES;
    if (!is_much(queue, growth))
        return is_full ? CUNA_GARBAGE_MUCH : CUNA_GARBAGE_LITTLE;
    return cuna__device_garbage_pays(queue->device, growth, collection_s, !is_full) ? CUNA_GARBAGE_TOO_MUCH
                                                                                    : CUNA_GARBAGE_MUCH;
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
