/* compose.c: one program of several nodes.
 *
 * Inputs come first in a program, so leaves are gathered before instructions are added. An array or a number that several
 * nodes read is one input. Positions are the same for all nodes. */
#include <string.h>

#include "kernel/program.h"
#include "record/plan.h"

enum { OUTSIDE = -2, NO_VALUE = -1, LEAF_VALUES = 1 << 16, LEAF_EXTRAS = 1 << 17 };

#define MAX_VALUES (CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS)

typedef struct composer {
    cuna_program_text *text;
    cuna_step *step;
    int count;
    cuna_node *const *nodes;
    int value[CUNA_QUEUE_NODES]; /* of a node among them */
    int leaf[CUNA_MAX_OPERANDS]; /* which one an input is */
    int first;                   /* value of an instruction */
    uint8_t dtype[MAX_VALUES];   /* of values */
    uint8_t level[MAX_VALUES];   /* how many folds lead to a value, one after another */
} composer;

/* ---- leaves ---- */

static bool is_inside(const composer *c, const cuna_node *node)
{
    return node != NULL && c->value[node->index] != OUTSIDE;
}

/* Inputs that are the same have the same number; so do all readers of a node's value. */
static int identify(const cuna_node_input *in)
{
    const cuna_node *from = cuna__input_node(in);
    return from != NULL ? LEAF_VALUES + from->index : in->leaf;
}

/* The input that has a leaf, or the number of inputs if none has. */
static int find_leaf(const composer *c, int leaf, uint8_t dtype, uint8_t address)
{
    int k = 0;
    while (k < c->text->ninputs &&
           (c->leaf[k] != leaf || c->text->input_dtype[k] != dtype || c->text->input_address[k] != address))
        k++;
    return k;
}

static bool add_leaf(composer *c, int leaf, uint8_t dtype, bool is_scalar, uint8_t address, cuna_leaf source)
{
    int k = find_leaf(c, leaf, dtype, address);
    if (k < c->text->ninputs)
        return true;
    if (k == CUNA_MAX_OPERANDS)
        return false;
    c->leaf[k] = leaf;
    c->dtype[k] = address ? CUNA_INT64 : dtype;
    c->step->input[k] = source;
    c->text->input_dtype[k] = dtype;
    c->text->input_address[k] = address;
    c->text->input_scalar[k] = is_scalar ? CUNA_SCALAR_NUMBER : 0;
    c->text->ninputs++;
    return true;
}

static bool add_input(composer *c, const cuna_node *node, int k)
{
    const cuna_node *from = cuna__input_node(&node->input[k]);
    const cuna_program_text *text = cuna__node_text(node);
    cuna_leaf source = {(int16_t)node->index, (int16_t)k};
    if (is_inside(c, from))
        return true;
    if (from != NULL)
        source = (cuna_leaf){(int16_t)from->index, CUNA_LEAF_VALUE};
    return add_leaf(c, identify(&node->input[k]), text->input_dtype[k], text->input_scalar[k] != 0,
                    text->input_address[k], source);
}

/* Whether the result of a fold depends on the number that its call has besides. */
static bool takes_extra(const cuna_node *node)
{
    const cuna_reducer *reducer = cuna__reducer_get(cuna__node_text(node)->reducer);
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", *at = reducer->finish;
    for (; (at = strstr(at, "extra")) != NULL; at += strlen("extra"))
        if ((at == reducer->finish || strchr(letters, at[-1]) == NULL) && strchr(letters, at[5]) == NULL)
            return true;
    return at != NULL;
}

static bool folds_in_stages(const composer *c, const cuna_node *node)
{
    return c->text->kind == CUNA_PROGRAM_STAGES && cuna__node_folds(node);
}

static bool add_leaves(composer *c)
{
    for (int i = 0; i < c->count; i++) {
        const cuna_node *node = c->nodes[i];
        for (int k = 0; k < node->ninputs; k++)
            if (!add_input(c, node, k))
                return false;
        cuna_leaf extra = {(int16_t)node->index, CUNA_LEAF_EXTRA};
        if (folds_in_stages(c, node) && takes_extra(node) &&
            !add_leaf(c, LEAF_EXTRAS + node->index, CUNA_FLOAT64, true, 0, extra))
            return false;
    }
    return true;
}

/* ---- instructions ---- */

static int value_of(const composer *c, const cuna_node *node, int k)
{
    const cuna_node *from = cuna__input_node(&node->input[k]);
    const cuna_program_text *text = cuna__node_text(node);
    return is_inside(c, from) ? c->value[from->index]
                              : find_leaf(c, identify(&node->input[k]), text->input_dtype[k], text->input_address[k]);
}

/* The value of an instruction that does the same; -1: there is none. What is stored or folded has a place of its own. */
static int find_equal(const composer *c, const cuna_instruction *step)
{
    if (step->folds || step->stored != CUNA_STORED_NOT)
        return -1;
    for (int i = 0; i < c->text->ninstructions; i++)
        if (memcmp(&c->text->instruction[i], step, sizeof *step) == 0)
            return c->first + i;
    return -1;
}

/* The value of an instruction, a new one if none does the same; -1 if the program is full. */
static int add_instruction(composer *c, const cuna_instruction *step)
{
    int value = find_equal(c, step);
    if (value >= 0)
        return value;
    value = c->first + c->text->ninstructions;
    if (c->text->ninstructions == CUNA_MAX_INSTRUCTIONS)
        return -1;
    c->text->instruction[c->text->ninstructions++] = *step;
    c->dtype[value] = step->dtype;
    c->level[value] = 0;
    for (int a = 0; a < step->nargs; a++)
        c->level[value] = c->level[step->arg[a]] > c->level[value] ? c->level[step->arg[a]] : c->level[value];
    c->level[value] += step->folds;
    if (step->folds && c->level[value] > c->text->stages)
        c->text->stages = c->level[value];
    return value;
}

/* A value as an array of a dtype would store it. */
static int add_cast(composer *c, int value, uint8_t dtype)
{
    cuna_instruction step;
    memset(&step, 0, sizeof step);
    if (cuna_operation_define(&step.operation, "cast", 1, "a") != CUNA_OK)
        return -1;
    step.nargs = 1;
    step.dtype = step.arg_dtype[0] = dtype;
    step.arg[0] = (uint8_t)value;
    return add_instruction(c, &step);
}

/* What a node computes before it stores or folds it. */
static int add_steps(composer *c, const cuna_node *node)
{
    const cuna_program_text *text = cuna__node_text(node);
    int values[MAX_VALUES], first = text->ninputs + text->uses_index;
    for (int k = 0; k < text->ninputs; k++)
        values[k] = value_of(c, node, k);
    if (text->uses_index)
        values[text->ninputs] = c->text->ninputs;
    for (int i = 0; i < text->ninstructions; i++) {
        cuna_instruction step = text->instruction[i];
        for (int a = 0; a < step.nargs; a++)
            step.arg[a] = (uint8_t)values[step.arg[a]];
        int value = values[first + i] = add_instruction(c, &step);
        if (value < 0)
            return -1;
    }
    return values[text->output_value[0]];
}

/* A fold of the value would find it stored, and adds in the order in which it lies there. */
static int add_map(composer *c, const cuna_node *node)
{
    uint8_t dtype = cuna__node_text(node)->output_dtype[0];
    int before = c->text->ninstructions, value = add_steps(c, node);
    bool is_new = value >= c->first + before, is_folded = cuna__program_folds(c->text);
    if (value >= 0 && (c->dtype[value] != dtype || (!is_new && is_folded)))
        value = add_cast(c, value, dtype);
    if (value >= 0 && is_folded)
        c->text->instruction[value - c->first].stored = CUNA_STORED_WHOLE;
    return value;
}

static int add_fold_step(composer *c, const cuna_node *node)
{
    const cuna_program_text *text = cuna__node_text(node);
    cuna_instruction step;
    int value = add_steps(c, node);
    if (value < 0)
        return -1;
    memset(&step, 0, sizeof step);
    step.operation = text->reducer;
    step.nargs = 1;
    step.folds = 1;
    step.dtype = text->output_dtype[0];
    step.arg[0] = (uint8_t)value;
    step.arg_dtype[0] = text->accumulator;
    if (takes_extra(node)) {
        step.arg[step.nargs] = (uint8_t)find_leaf(c, LEAF_EXTRAS + node->index, CUNA_FLOAT64, 0);
        step.arg_dtype[step.nargs++] = CUNA_FLOAT64;
    }
    return add_instruction(c, &step);
}

/* The value of a node, whose instructions are added; -1 if the program is full. */
static int add_node(composer *c, const cuna_node *node)
{
    if (!cuna__node_combines(node))
        return add_map(c, node);
    c->step->axes = node->axes;
    if (c->text->kind == CUNA_PROGRAM_STAGES)
        return add_fold_step(c, node);
    c->text->reducer = cuna__node_text(node)->reducer;
    c->text->accumulator = cuna__node_text(node)->accumulator;
    return add_steps(c, node);
}

static bool add_output(composer *c, const cuna_node *node, int value, const cuna_role *role)
{
    cuna_program_text *text = c->text;
    int k = text->noutputs;
    if (text->ninputs + k == CUNA_MAX_OPERANDS)
        return false;
    text->output_value[k] = (uint8_t)value;
    text->output_dtype[k] = cuna__node_text(node)->output_dtype[0];
    text->output_row[k] = text->kind == CUNA_PROGRAM_STAGES && role->is_row;
    c->step->keepdims |= (uint32_t)role->keepdims << k;
    c->step->output[k] = (uint8_t)node->index;
    text->noutputs++;
    return true;
}

/* Whether a program combines all of its walk as one axis. */
static bool combines_all(const cuna_program_text *text, const cuna_node *last)
{
    return cuna__program_combines(text) &&
           (last->axes == CUNA_SCANS_ALL || last->axes + 1ull == 1ull << last->walk.ndim);
}

/* A fold's positions are those of the folded space, which is the walk where it folds all axes; a scan's those of the
 * scanned axis. Elementwise programs alone read at addresses. */
static bool add_positions(composer *c)
{
    const cuna_node *last = c->nodes[c->count - 1];
    for (int i = 0; i < c->count; i++) {
        c->text->uses_index |= cuna__node_text(c->nodes[i])->uses_index;
        c->text->gathers |= cuna__node_text(c->nodes[i])->gathers;
    }
    if (c->text->gathers && c->text->kind != CUNA_PROGRAM_MAP)
        return false;
    c->first = c->text->ninputs + c->text->uses_index;
    c->dtype[c->text->ninputs] = CUNA_INT64; /* or that of the first instruction, later */
    return !c->text->uses_index || c->text->kind == CUNA_PROGRAM_MAP || combines_all(c->text, last);
}

bool cuna__compose(cuna_program_text *text, cuna_step *step, cuna_program_kind kind, int count, cuna_node *const *nodes,
                   const cuna_role *roles)
{
    composer c = {.text = text, .step = step, .count = count, .nodes = nodes};
    memset(text, 0, sizeof *text);
    text->kind = kind;
    *step = (cuna_step){.node = nodes[count - 1]->index};
    for (int i = 0; i < CUNA_QUEUE_NODES; i++)
        c.value[i] = OUTSIDE;
    for (int i = 0; i < count; i++)
        c.value[nodes[i]->index] = NO_VALUE;
    if (!add_leaves(&c) || !add_positions(&c))
        return false;
    for (int i = 0; i < count; i++) {
        int value = add_node(&c, nodes[i]);
        if (value < 0 || (roles[i].stored && !add_output(&c, nodes[i], value, &roles[i])))
            return false;
        c.value[nodes[i]->index] = value;
    }
    step->ninputs = text->ninputs;
    step->noutputs = text->noutputs;
    return kind != CUNA_PROGRAM_PRODUCTS || cuna__program_multiplies(text);
}
