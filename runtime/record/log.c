/* log.c: how many recorded operations ran, as how many kernels, and what CUNA_LOG=fuse says of each. */
#include <stdio.h>

#include "base/environment.h"
#include "base/strbuf.h"
#include "record/join.h"
#include "record/plan.h"

enum { SHOWN_NAMES = 12 };

void cuna_record_get_stats(int64_t *operations, int64_t *kernels, const cuna_context *context)
{
    const cuna_queue *queue = context->queue;
    *operations = queue != NULL ? queue->noperations : 0;
    *kernels = queue != NULL ? queue->nkernels : 0;
}

static void add_shape(cuna_strbuf *line, const cuna_space *space)
{
    cuna__strbuf_add(line, "(");
    for (int axis = 0; axis < space->ndim; axis++)
        cuna__strbuf_printf(line, "%s%lld", axis > 0 ? ", " : "", (long long)space->shape[axis]);
    cuna__strbuf_add(line, space->ndim == 1 ? ",)" : ")");
}

static int count_operations(const cuna_step *step)
{
    return step->computed != NULL ? step->ncomputed : 1;
}

static void add_names(cuna_strbuf *line, const cuna_step *step, cuna_node *const *nodes)
{
    int count = count_operations(step), shown = cuna__min(count, SHOWN_NAMES);
    for (int i = 0; i < shown; i++)
        cuna__strbuf_printf(line, "%s%s", i > 0 ? " " : "",
                            nodes[step->computed != NULL ? step->computed[i] : step->node]->name);
    if (count > shown)
        cuna__strbuf_printf(line, " and %d more", count - shown);
}

static void write_line(const cuna_step *step, cuna_node *const *nodes)
{
    cuna_strbuf line = {0};
    int narrays = 0;
    const cuna_program_text *text = cuna_program_get_text(step->program);
    for (int k = 0; k < step->ninputs; k++)
        narrays += !text->input_scalar[k];
    cuna__strbuf_printf(&line, "cuna: fuse: %s: ", nodes[step->node]->device->name);
    add_names(&line, step, nodes);
    cuna__strbuf_add(&line, ", ");
    add_shape(&line, &nodes[step->node]->walk);
    cuna__strbuf_printf(&line, ", %d array%s read, %d written\n", narrays, narrays == 1 ? "" : "s", step->noutputs);
    if (!line.failed)
        fputs(line.text, stderr);
    cuna__strbuf_free(&line);
}

void cuna__record_log(cuna_queue *queue, const cuna_step *step, cuna_node *const *nodes)
{
    queue->noperations += count_operations(step);
    if (cuna__join_is_placed(nodes[step->node]))
        return;
    queue->nkernels++;
    if (queue->logs)
        write_line(step, nodes);
}
