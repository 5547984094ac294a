/* codegen_compact.c: prints the struct Program of what selects by a mask: the type of its elements. */
#include "kernel/codegen.h"

void cuna__codegen_compact(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    int bits = 8 * (int)cuna_dtype_size(text->output_dtype[0]);
    cuna__strbuf_add(out, "struct Program {\n");
    if (bits <= 64)
        cuna__strbuf_printf(out, "    typedef uint%d Element;\n", bits);
    else
        cuna__strbuf_add(out,
                         lanes ? "    typedef Pack<uint64, 2> Element;\n" : "    struct Element { uint64 at[2]; };\n");
    cuna__strbuf_printf(out, "    typedef Compact Args;\n    enum { POSITIONS = %d };\n};\n", text->ninputs == 1);
}
