/* codegen_product.c: prints the struct Program of a product of matrices: what its elements are computed in. */
#include "codegen.h"

void cuna__codegen_product(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    uint8_t dtype = item->program->text.input_dtype[0];
    char kind = cuna_dtype_kind(dtype);
    int bits = 8 * (int)cuna_dtype_size(dtype);
    int word = lanes ? (bits < 32 ? 32 : bits) : kind == 'b' ? 8 : bits < 16 ? 16 : bits;
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef %sint%d Element;\n    typedef uint%d Word;\n"
                        "    typedef Product Args;\n    enum { IS_BOOL = %d, SIDE = %d };\n};\n",
                        kind == 'i' ? "" : "u", bits, word, kind == 'b', item->variant->resident);
}
