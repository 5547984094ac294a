/* late.c: values that a flush used on the way to others and did not store; they are computed when somebody asks for them, or
 * before what they read is written to. */
#include "record/queue.h"
#include "record/record.h"

void cuna__node_link(cuna_node *node)
{
    cuna_queue *queue = node->queue;
    node->before = NULL;
    node->after = queue->passed;
    if (node->after != NULL)
        node->after->before = node;
    queue->passed = node;
}

void cuna__node_unlink(cuna_node *node)
{
    if (node->after != NULL)
        node->after->before = node->before;
    if (node->before != NULL)
        node->before->after = node->after;
    else
        node->queue->passed = node->after;
}

enum { UNKNOWN = -1, READS_NOT, READS };

static void forget_indices(cuna_queue *queue)
{
    for (cuna_node *node = queue->passed; node != NULL; node = node->after)
        node->index = UNKNOWN;
}

/* Nodes that a passed one needs come before it. */
static void collect(cuna_node **nodes, int *count, cuna_node *node)
{
    if (node->state == CUNA_NODE_DONE || node->index != UNKNOWN)
        return;
    for (int k = 0; k < node->ninputs; k++)
        if (node->input[k].from != NULL)
            collect(nodes, count, node->input[k].from);
    node->index = *count;
    nodes[(*count)++] = node;
}

/* What is on the way stays passed. */
static cuna_status evaluate_passed(cuna_node *node)
{
    cuna_queue *queue = node->queue;
    cuna_node *nodes[CUNA_QUEUE_NODES];
    bool wanted[CUNA_QUEUE_NODES] = {false};
    int count = 0;
    forget_indices(queue);
    collect(nodes, &count, node);
    wanted[count - 1] = true;
    for (int i = 0; i < count; i++) {
        cuna__node_unlink(nodes[i]);
        nodes[i]->references++;
    }
    queue->wanted[node->path % CUNA_QUEUE_WANTED] = node->path;
    cuna_status status = cuna__queue_run(queue, count, nodes, wanted, true);
    for (int i = 0; i < count; i++) {
        if (status != CUNA_OK)
            cuna__node_link(nodes[i]);
        cuna__node_release(nodes[i]);
    }
    return status;
}

cuna_status cuna__node_evaluate(cuna_recipe *recipe)
{
    cuna_node *node = cuna__node_of(recipe);
    cuna_buffer *buffer = node->buffer;
    CUNA_TRY(cuna__queue_flush(node->queue));
    return cuna__buffer_recipe(buffer) != NULL ? evaluate_passed(node) : CUNA_OK;
}

void cuna__node_drop(cuna_recipe *recipe)
{
    cuna_node *node = cuna__node_of(recipe);
    node->buffer = NULL;
    cuna__node_forgive(node);
    cuna__node_release(node);
}

/* Whether a passed node reads a buffer, by itself or by nodes before it; their `index` says what is known. */
static bool reads(cuna_node *node, const cuna_buffer *buffer)
{
    if (node->state == CUNA_NODE_DONE)
        return node->result.buffer == buffer;
    if (node->index != UNKNOWN)
        return node->index == READS;
    node->index = READS_NOT;
    for (int k = 0; k < node->ninputs && node->index == READS_NOT; k++) {
        const cuna_node_input *in = &node->input[k];
        if (in->array.buffer == buffer || (in->from != NULL && reads(in->from, buffer)))
            node->index = READS;
    }
    return node->index == READS;
}

/* A passed node whose value can be asked for, and that reads a buffer; of any that is NULL. */
static cuna_node *find_passed(cuna_queue *queue, const cuna_buffer *buffer)
{
    cuna_node *node = queue->passed;
    forget_indices(queue);
    while (node != NULL && (node->buffer == NULL || (buffer != NULL && !reads(node, buffer))))
        node = node->after;
    return node;
}

cuna_status cuna__queue_evaluate_readers(cuna_queue *queue, const cuna_buffer *buffer)
{
    CUNA_TRY(cuna__queue_flush(queue));
    for (cuna_node *node; (node = find_passed(queue, buffer)) != NULL;)
        CUNA_TRY(evaluate_passed(node));
    return CUNA_OK;
}
