/* codegen_sort.c: prints the struct Program of a sort: how keys are made of an element's bits. */
#include "kernel/codegen.h"

/* The bits of infinity, above which those of NaN are; 0 where there is none. */
static const char *infinity_of(uint8_t dtype)
{
    switch (dtype) {
    case CUNA_FLOAT16:
        return "0x7c00";
    case CUNA_BFLOAT16:
        return "0x7f80";
    case CUNA_FLOAT32:
        return "0x7f800000";
    case CUNA_FLOAT64:
        return "0x7ff0000000000000";
    default:
        return "0";
    }
}

void cuna__codegen_sort(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    uint8_t dtype = text->input_dtype[0];
    char kind = cuna_dtype_kind(dtype);
    int nbytes = (int)cuna_dtype_size(dtype);
    (void)lanes; /* the templates know */
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef uint%d Key;\n    typedef uint%d Position;\n"
                        "    typedef Sort Args;\n    static constexpr Key INF = %s;\n"
                        "    enum { KIND = '%c', PASSES = %d, POSITIONS = %d };\n};\n",
                        8 * nbytes, item->variant->wide ? 64 : 32, infinity_of(dtype), kind == 'b' ? 'u' : kind, nbytes,
                        text->kind == CUNA_PROGRAM_ARGSORT);
}
