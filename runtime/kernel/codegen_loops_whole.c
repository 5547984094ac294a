/* codegen_loops_whole.c: writes images that name a kernel.
 *
 * Sorts, selections, also by masks, and products of matrices do not run as steps over blocks. They are few, so the kernels themselves are compiled
 * with cuna. The name is the text that a compiler would get beyond the common texts, with a fixed entry and number. */
#include "kernel/codegen_loops_whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/codegen.h"

bool cuna__codegen_is_whole(const cuna_program_text *text)
{
    return cuna__program_sorts(text) || cuna__program_selects(text) || text->kind == CUNA_PROGRAM_PRODUCT ||
           text->kind == CUNA_PROGRAM_COMPACT;
}

cuna_status cuna__codegen_loops_whole(cuna_loop_image **out, const cuna_program *program, const cuna_variant *variant)
{
    const cuna_codegen_item item = {.program = program, .variant = variant, .entry = "whole", .is_shared = true};
    size_t start = sizeof **out + sizeof *(*out)->line;
    cuna_strbuf name = {0};
    cuna__strbuf_add(&name, "kernel\t");
    cuna__codegen_kernel(&name, 0, &item, false);
    cuna_status status = cuna__strbuf_status(&name);
    cuna_loop_image *image = status == CUNA_OK ? calloc(1, start + name.length + 1) : NULL;
    if (status == CUNA_OK && image == NULL)
        status = cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel image");
    if (image != NULL) {
        memcpy(image->magic, CUNA_LOOP_MAGIC, sizeof image->magic);
        image->nbytes = (uint32_t)(start + name.length + 1);
        image->form = LOOP_WHOLE;
        image->nlines = 1;
        image->line[0].name = (uint32_t)start;
        memcpy((char *)image + start, name.text, name.length);
    }
    cuna__strbuf_free(&name);
    *out = image;
    return status;
}
