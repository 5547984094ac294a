/* compose.c: one program of several nodes.
 *
 * Inputs come first in a program, so leaves are gathered before instructions are added. An array or a number that several
 * nodes read is one input. */
#include <string.h>

#include "record/queue.h"

enum { OUTSIDE = -2, NO_VALUE = -1 };

typedef struct composer {
    cuna_composed *out;
    int count;
    cuna_node *const *nodes;
    int value[CUNA_QUEUE_NODES];                              /* of a node among them */
    uint8_t dtype[CUNA_MAX_OPERANDS + CUNA_MAX_INSTRUCTIONS]; /* of values */
} composer;

static bool is_inside(const composer *c, const cuna_node *node)
{
    return node != NULL && node->state != CUNA_NODE_DONE && c->value[node->index] != OUTSIDE;
}

/* ---- leaves ---- */

static bool same_array(const cuna_array *a, const cuna_array *b)
{
    return a->buffer == b->buffer && a->offset == b->offset && a->dtype == b->dtype && a->ndim == b->ndim &&
           memcmp(a->dims, b->dims, 2 * a->ndim * sizeof *a->dims) == 0;
}

static bool same_number(const cuna_number *a, const cuna_number *b)
{
    return a->kind == b->kind && memcmp(a, b, sizeof *a) == 0;
}

/* The array that a leaf is, or NULL for a number. */
static const cuna_array *array_of(const cuna_node_input *in)
{
    if (in->from != NULL)
        return &in->from->result;
    return in->array.buffer != NULL ? &in->array : NULL;
}

/* The input that has a leaf, or the number of inputs where none has. */
static int find_leaf(const composer *c, const cuna_node_input *in, uint8_t dtype)
{
    const cuna_program_text *text = &c->out->text;
    const cuna_array *array = array_of(in);
    int k = 0;
    for (; k < text->ninputs; k++) {
        const cuna_operand *leaf = &c->out->inputs[k];
        bool same = array != NULL ? leaf->array != NULL && same_array(leaf->array, array)
                                  : leaf->array == NULL && same_number(&leaf->number, &in->number);
        if (same && text->input_dtype[k] == dtype)
            break;
    }
    return k;
}

static bool add_leaf(composer *c, const cuna_node_input *in, uint8_t dtype)
{
    cuna_program_text *text = &c->out->text;
    int k = find_leaf(c, in, dtype);
    if (k < text->ninputs)
        return true;
    if (k == CUNA_MAX_OPERANDS)
        return false;
    cuna__node_operand(&c->out->inputs[k], in);
    text->input_dtype[k] = dtype;
    text->input_scalar[k] = c->out->inputs[k].array == NULL ? CUNA_SCALAR_NUMBER : 0;
    c->dtype[k] = dtype;
    text->ninputs++;
    return true;
}

void cuna__node_operand(cuna_operand *out, const cuna_node_input *in)
{
    out->array = array_of(in);
    if (out->array == NULL)
        out->number = in->number;
}

static bool add_leaves(composer *c)
{
    for (int i = 0; i < c->count; i++) {
        const cuna_node *node = c->nodes[i];
        for (int k = 0; k < node->ninputs; k++)
            if (!is_inside(c, node->input[k].from) &&
                !add_leaf(c, &node->input[k], cuna__node_text(node)->input_dtype[k]))
                return false;
    }
    return true;
}

/* ---- instructions ---- */

static int value_of(const composer *c, const cuna_node *node, int k)
{
    const cuna_node_input *in = &node->input[k];
    return is_inside(c, in->from) ? c->value[in->from->index] : find_leaf(c, in, cuna__node_text(node)->input_dtype[k]);
}

static int add_instruction(composer *c, const cuna_instruction *step)
{
    cuna_program_text *text = &c->out->text;
    int value = text->ninputs + text->ninstructions;
    if (text->ninstructions == CUNA_MAX_INSTRUCTIONS)
        return -1;
    text->instruction[text->ninstructions++] = *step;
    c->dtype[value] = step->dtype;
    return value;
}

/* A value as an output of a dtype would store it. */
static int add_cast(composer *c, int value, uint8_t dtype)
{
    cuna_instruction step;
    if (value < 0 || c->dtype[value] == dtype)
        return value;
    memset(&step, 0, sizeof step);
    if (cuna_operation_define(&step.operation, "cast", 1, "a") != CUNA_OK)
        return -1;
    step.nargs = 1;
    step.dtype = step.arg_dtype[0] = dtype;
    step.arg[0] = (uint8_t)value;
    return add_instruction(c, &step);
}

/* The value of a node, whose instructions are added; -1 if the program is full. */
static int add_node(composer *c, const cuna_node *node)
{
    const cuna_program_text *text = cuna__node_text(node);
    int values[CUNA_MAX_OPERANDS + CUNA_MAX_INSTRUCTIONS];
    for (int k = 0; k < text->ninputs; k++)
        values[k] = value_of(c, node, k);
    for (int i = 0; i < text->ninstructions; i++) {
        cuna_instruction step = text->instruction[i];
        for (int a = 0; a < step.nargs; a++)
            step.arg[a] = (uint8_t)values[step.arg[a]];
        int value = values[text->ninputs + i] = add_instruction(c, &step);
        if (value < 0)
            return -1;
    }
    return add_cast(c, values[text->output_value[0]], text->output_dtype[0]);
}

static bool add_output(composer *c, int value, uint8_t dtype)
{
    cuna_program_text *text = &c->out->text;
    if (text->ninputs + text->noutputs == CUNA_MAX_OPERANDS)
        return false;
    text->output_value[text->noutputs] = (uint8_t)value;
    text->output_dtype[text->noutputs++] = dtype;
    return true;
}

bool cuna__compose(cuna_composed *out, int count, cuna_node *const *nodes, const bool *stored)
{
    composer c = {.out = out, .count = count, .nodes = nodes};
    memset(&out->text, 0, sizeof out->text);
    out->text.kind = CUNA_PROGRAM_MAP;
    for (int i = 0; i < CUNA_QUEUE_NODES; i++)
        c.value[i] = OUTSIDE;
    for (int i = 0; i < count; i++)
        c.value[nodes[i]->index] = NO_VALUE;
    if (!add_leaves(&c))
        return false;
    for (int i = 0; i < count; i++) {
        int value = add_node(&c, nodes[i]);
        if (value < 0 || (stored[i] && !add_output(&c, value, cuna__node_text(nodes[i])->output_dtype[0])))
            return false;
        c.value[nodes[i]->index] = (int16_t)value;
    }
    return true;
}
