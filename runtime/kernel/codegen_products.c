/* codegen_products.c: prints programs some of whose steps multiply matrices: struct Program has what a lane knows of the
 * element that it computes (kernels/product_parts_lanes.cuh). */
#include "kernel/codegen_print.h"

static int count_products(const cuna_printer *p)
{
    int count = 0;
    for (int k = 0; k < p->text->ninstructions; k++)
        count += p->text->instruction[k].multiplies;
    return count;
}

/* Whether an input is an array of which elements are read. */
static bool is_element(const cuna_printer *p, int k)
{
    return !p->text->input_scalar[k] && cuna__program_reads(p->text, k);
}

static void print_types(const cuna_printer *p, int nproducts)
{
    int first = 0;
    while (!p->text->instruction[first].multiplies)
        first++;
    const char *type = cuna__type_of(p->text->instruction[first].dtype);
    cuna__strbuf_printf(
        p->out,
        "    typedef %s Element; typedef %s Word; typedef %s index;\n    enum { PRODUCTS = %d, TILE = PART_ROWS * "
        "PART_COLUMNS };\n    typedef Products<PRODUCTS, %d, %d> Args;\n",
        type, type, p->variant->wide ? "int64" : "int32", nproducts, p->program->noperands, p->program->nscalars);
}

static void print_members(const cuna_printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "    %s *p%d;\n", cuna__type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = cuna__type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "    value_of<%s>::type v%d;\n", type, k);
        else if (is_element(p, k))
            cuna__strbuf_printf(p->out, "    %s l%d;\n", type, k);
    }
    cuna__strbuf_add(p->out, "    CUNA_INLINE explicit Program(const Args &args)\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "        v%d = load(read_scalar<%s>(args.scalar[%d]));\n", k,
                                cuna__type_of(p->text->input_dtype[k]), cuna__scalar_of(p, k));
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_address(const cuna_printer *p, const char *type, int operand)
{
    cuna__strbuf_printf(p->out,
                        "((%s *)args.pointer[%d] + which * args.step[%d] + i * args.row[%d] + j * args.column[%d]);\n",
                        type, operand, operand, operand, operand);
}

static void print_fetch(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void fetch(const Args &args, word which, word i, word j)\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++) {
        if (!is_element(p, k))
            continue;
        cuna__strbuf_printf(p->out, "        l%d = *", k);
        print_address(p, cuna__type_of(p->text->input_dtype[k]), cuna__operand_of(p, k));
    }
    for (int k = 0; k < p->text->noutputs; k++) {
        cuna__strbuf_printf(p->out, "        p%d = ", k);
        print_address(p, cuna__type_of(p->text->output_dtype[k]), k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_finish(const cuna_printer *p)
{
    int product = 0;
    cuna__strbuf_add(p->out, "    CUNA_INLINE void finish(const Word *sums) const\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (is_element(p, k))
            cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = load(l%d);\n",
                                cuna__type_of(p->text->input_dtype[k]), k, k);
    for (int k = 0; k < p->text->ninstructions; k++)
        if (p->text->instruction[k].multiplies)
            cuna__strbuf_printf(p->out, "        const Word v%d = sums[%d * TILE];\n", cuna__step_value(p, k),
                                product++);
        else
            cuna__print_instruction(p, k);
    for (int k = 0; k < p->text->noutputs; k++) {
        cuna__strbuf_printf(p->out, "        *p%d = ", k);
        cuna__print_output_value(p, k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

void cuna__codegen_products(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    cuna_printer p = {out, item->program, &item->program->text, item->variant, lanes, 0, 0};
    cuna__print_operations(&p);
    cuna__strbuf_add(out, "struct Program {\n");
    print_types(&p, count_products(&p));
    print_members(&p);
    print_fetch(&p);
    print_finish(&p);
    cuna__strbuf_add(out, "};\n");
}
