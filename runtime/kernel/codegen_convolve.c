/* codegen_convolve.c: prints the struct Program of a convolution: its types, and how two elements are multiplied. */
#include "kernel/codegen_print.h"

void cuna__codegen_convolve(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    const char *result = cuna__type_of(text->output_dtype[0]), *loop = cuna__type_of(text->instruction[0].dtype);
    (void)lanes; /* many: others fold a matrix of windows */
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef %s Short;\n    typedef %s Long;\n    typedef %s Out;\n"
                        "    typedef value_of<%s>::type T;\n    typedef Convolve Args;\n",
                        cuna__type_of(text->input_dtype[0]), cuna__type_of(text->input_dtype[1]), result, loop);
    cuna__strbuf_printf(out,
                        "    static CUNA_INLINE T short_of(Short x) { return convert<%s>(load(x)); }\n"
                        "    static CUNA_INLINE T long_of(Long x) { return convert<%s>(load(x)); }\n"
                        "    static CUNA_INLINE Out out_of(T sum) { return store<%s>(convert<%s>(sum)); }\n"
                        "    static CUNA_INLINE T product(T a, T b) { return %s; }\n};\n",
                        loop, loop, result, result, cuna__operation_get(text->instruction[0].operation)->expression);
}
