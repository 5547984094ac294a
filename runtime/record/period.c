/* period.c: where the operations of a full queue begin again, as those of a loop do.
 *
 * Flushes that end there are alike, and need the same kernels. A loop that begins with given arrays ends
 * where others do that, not with one of the rounds inside of it; one that goes on with its own results, after a number of
 * rounds. */
#include "record/queue.h"

enum { LEAST_ALIKE = 16 }; /* operations that show where a loop begins again */

/* Whether operations of the queue are alike: by program and, if asked, in which inputs others of the queue compute. */
static bool are_alike(const cuna_node *a, const cuna_node *b, bool by_inputs)
{
    if (a->program != b->program || a->ninputs != b->ninputs)
        return false;
    for (int k = 0; k < a->ninputs && by_inputs; k++)
        if (cuna__is_queued(a->input[k].from) != cuna__is_queued(b->input[k].from))
            return false;
    return true;
}

/* The smallest number of operations after which those of the queue repeat. */
static int find_period(const cuna_queue *queue, bool by_inputs)
{
    int border[CUNA_QUEUE_NODES] = {0}, count = queue->count;
    for (int i = 1, k = 0; i < count; i++) {
        while (k > 0 && !are_alike(queue->nodes[i], queue->nodes[k], by_inputs))
            k = border[k - 1];
        k += are_alike(queue->nodes[i], queue->nodes[k], by_inputs);
        border[i] = k;
    }
    return count - border[count - 1];
}

int cuna__queue_end(const cuna_queue *queue)
{
    int count = queue->count, outer = find_period(queue, true);
    if (count - outer >= LEAST_ALIKE)
        return count / outer * outer;
    int period = find_period(queue, false);
    return period <= count / 2 ? count / period * period : count;
}
