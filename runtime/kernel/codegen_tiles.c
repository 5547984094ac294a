/* codegen_tiles.c: prints the squares of a struct Program that operands which are contiguous the other way pass through. */
#include "kernel/codegen_print.h"

static bool is_tiled(const cuna_printer *p, int k)
{
    return !p->text->input_scalar[k] && p->variant->stride_class[cuna__operand_of(p, k)] == CUNA_STRIDE_TILED;
}

/* Squares of the operands that are contiguous the other way. */
void cuna__print_tiles(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    struct Tiles {\n");
    for (int k = 0; k < p->text->ninputs; k++) {
        if (!is_tiled(p, k))
            continue;
        const char *type = cuna__type_of(p->text->input_dtype[k]);
        /* Rows are padded: lanes that go down a column meet different banks of shared memory, or sets of the cache. */
        if (p->lanes)
            cuna__strbuf_printf(p->out, "        %s t%d[SIDE][SIDE + (sizeof(%s) < 4 ? 4 / sizeof(%s) : 1)];\n", type,
                                cuna__operand_of(p, k), type, type);
        else
            cuna__strbuf_printf(p->out, "        alignas(64) %s t%d[TILE_SIDE][TILE_PITCH];\n", type,
                                cuna__operand_of(p, k));
    }
    cuna__strbuf_printf(p->out,
                        "    };\n    CUNA_INLINE static void pack(Tiles &tiles, const Program &p, %sint height, "
                        "int width)\n    {\n",
                        p->lanes ? "" : "const Args &args, ");
    for (int k = p->text->noutputs; k < p->program->noperands; k++)
        if (p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out,
                                p->lanes ? "        pack_tile<SIDE>(tiles.t%d, p.p%d, p.o%d, p.s%d, height, width);\n"
                                         : "        pack_tile(tiles.t%d, p.p%d, p.s%d, height, width);\n",
                                k, k, k, k);
    cuna__strbuf_add(p->out, p->lanes ? "    }\n    CUNA_INLINE void use(const Tiles &tiles, int row, int x)\n    {\n"
                                      : "    }\n    CUNA_INLINE void use(const Tiles &tiles, int row)\n    {\n");
    for (int k = p->text->noutputs; k < p->program->noperands; k++)
        if (p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(
                p->out, p->lanes ? "        p%d = tiles.t%d[row] + x;\n" : "        p%d = tiles.t%d[row];\n", k, k);
    cuna__strbuf_add(p->out, "    }\n");
}
