/* rename.c: recorded operations that write to an array: it gets another content, and what was recorded before reads the old
 * one. So nothing is computed for the sake of a write. */
#include "record/record.h"

static void move_share(cuna_array *array, cuna_buffer *from, cuna_buffer *to)
{
    if (array->buffer != from)
        return;
    cuna__array_move(array, to);
    from->readers--;
    to->readers++;
}

static void move_node(cuna_node *node, cuna_buffer *from, cuna_buffer *to)
{
    for (int k = 0; k < node->ninputs; k++) {
        cuna_node_input *in = &node->input[k];
        move_share(&in->array, from, to);
        if (in->from != NULL && in->from->state == CUNA_NODE_DONE)
            move_share(&in->from->result, from, to);
    }
}

/* Moves the shares that the nodes of a queue, and a new one, have in a buffer. */
static void move_shares(cuna_queue *queue, cuna_node *writer, cuna_buffer *from, cuna_buffer *to)
{
    move_node(writer, from, to);
    for (int i = 0; i < queue->count && from->readers > 0; i++)
        move_node(queue->nodes[i], from, to);
    for (cuna_node *node = queue->passed; node != NULL && from->readers > 0; node = node->after)
        move_node(node, from, to);
}

cuna_status cuna__rename(bool *renamed, cuna_queue *queue, cuna_node *writer, const cuna_array *array)
{
    cuna_buffer *buffer = array->buffer, *old = cuna__buffer_create_empty(array);
    if (old == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left to record an operation");
    move_shares(queue, writer, buffer, old);
    *renamed = buffer->readers == 0; /* else other states have recorded what reads the array */
    if (*renamed) {
        cuna_node *node = cuna__node_of(cuna__buffer_recipe(buffer));
        cuna__buffer_hand_over(old, buffer);
        if (node != NULL) {
            node->buffer = old;
            node->is_write = false; /* the array has another state now */
        }
        cuna__buffer_set_recipe(buffer, &writer->recipe);
    } else {
        move_shares(queue, writer, old, buffer);
    }
    cuna__buffer_release(old);
    return CUNA_OK;
}
