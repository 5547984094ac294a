/* period.c: where the operations of a full queue begin again, as those of a loop do.
 *
 * Flushes that end there are alike, and need the same kernels. A loop that begins with given arrays ends
 * where others do that, not with one of the rounds inside of it; one that goes on with its own results, after a number of
 * rounds, whatever was before the first one. */
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

/* Operations at an end of a queue that repeat after a period. */
typedef struct stretch {
    int length, period;
} stretch;

/* Of the first `count` nodes, or of the last ones in reverse, the longest that have at least two periods; `all`: all of
 * them, whatever the period, with their inputs. */
static stretch find_stretch(const cuna_queue *queue, bool reverse, bool all)
{
    int border[CUNA_QUEUE_NODES] = {0}, count = queue->count, step = reverse ? -1 : 1;
    cuna_node *const *first = queue->nodes + (reverse ? count - 1 : 0);
    stretch found = {0, 1};
    for (int i = 1, k = 0; i < count; i++) {
        while (k > 0 && !are_alike(first[step * i], first[step * k], all))
            k = border[k - 1];
        k += are_alike(first[step * i], first[step * k], all);
        border[i] = k;
        if (all || i + 1 - k <= (i + 1) / 2)
            found = (stretch){i + 1, i + 1 - k};
    }
    return found;
}

int cuna__queue_end(int *period, const cuna_queue *queue)
{
    int count = queue->count;
    stretch outer = find_stretch(queue, false, true), last = find_stretch(queue, true, false);
    stretch first = find_stretch(queue, false, false);
    if (count - outer.period >= LEAST_ALIKE) {
        *period = outer.period;
        return count / outer.period * outer.period;
    }
    if (last.length >= LEAST_ALIKE) {
        *period = last.period;
        return count - last.length % last.period;
    }
    bool repeats = first.length >= LEAST_ALIKE;
    *period = repeats ? first.period : 0;
    return repeats ? first.length / first.period * first.period : count;
}

void cuna__queue_expect(bool *is_read_later, const cuna_queue *queue, int count, int period)
{
    for (int i = queue->count - period; period > 0 && i < queue->count; i++)
        for (int k = 0; k < queue->nodes[i]->ninputs; k++) {
            const cuna_node *from = queue->nodes[i]->input[k].from;
            int next = cuna__is_queued(from) ? from->index + period : count;
            if (next < count && are_alike(from, queue->nodes[next], false))
                is_read_later[next] = true;
        }
}
