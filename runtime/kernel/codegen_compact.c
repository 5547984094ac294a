/* codegen_compact.c: prints the struct Program of what selects by a mask: the type of its elements. */
#include "kernel/codegen.h"

void cuna__codegen_compact(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    int bits = 8 * (int)cuna_dtype_size(text->output_dtype[0]);
    (void)lanes; /* many: others select by programs of steps */
    cuna__strbuf_printf(out,
                        bits > 64 ? "struct Program {\n    typedef Pack<uint64, %d> Element;\n"
                                  : "struct Program {\n    typedef uint%d Element;\n",
                        bits > 64 ? bits / 64 : bits);
    cuna__strbuf_printf(out, "    typedef Compact Args;\n    enum { POSITIONS = %d };\n};\n", text->ninputs == 1);
}
