/* codegen_factor.c: prints the struct Program of an operation over small matrices: its type, teams and template. */
#include "kernel/codegen.h"

void cuna__codegen_factor(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    (void)lanes; /* many: others have no such programs */
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef float%d T;\n    typedef Factor Args;\n"
                        "    enum { SIDE = %d };\n    typedef %s Operation;\n};\n",
                        8 * (int)cuna_dtype_size(text->input_dtype[0]), 1 << item->variant->resident,
                        cuna__operation_get(text->instruction[0].operation)->expression);
}
