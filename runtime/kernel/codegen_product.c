/* codegen_product.c: prints the struct Program of a product of matrices: what its elements are computed in. */
#include "kernel/codegen.h"

/* Integers of one size have one kernel: the low bits of sums and products do not depend on signs. */
static void print_types(cuna_strbuf *out, char kind, int bits, bool lanes)
{
    int word = lanes ? (bits < 32 ? 32 : bits) : kind == 'b' ? 8 : bits < 16 ? 16 : bits;
    if (kind == 'f')
        cuna__strbuf_printf(out, "    typedef float%d Element;\n    typedef float%d Word;\n", bits, bits);
    else
        cuna__strbuf_printf(out, "    typedef uint%d Element;\n    typedef uint%d Word;\n", bits, word);
}

void cuna__codegen_product(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    uint8_t dtype = item->program->text.input_dtype[0];
    char kind = cuna_dtype_kind(dtype);
    cuna__strbuf_add(out, "struct Program {\n");
    print_types(out, kind, 8 * (int)cuna_dtype_size(dtype), lanes);
    int side = item->variant->resident; /* of teams its logarithm */
    cuna__strbuf_printf(out, "    typedef Product Args;\n    enum { IS_BOOL = %d, SIDE = %d };\n};\n", kind == 'b',
                        item->variant->form == CUNA_FORM_PRODUCT_TEAMS ? 1 << side : side);
}
