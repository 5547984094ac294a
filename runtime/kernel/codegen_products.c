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

static int count_elements(const cuna_printer *p)
{
    int count = p->text->noutputs;
    for (int k = 0; k < p->text->ninputs; k++)
        count += cuna__program_reads_elements(p->text, k);
    return count;
}

static void print_types(const cuna_printer *p, int nproducts)
{
    int first = 0;
    while (!p->text->instruction[first].multiplies)
        first++;
    const char *type = cuna__type_of(p->text->instruction[first].dtype);
    cuna__strbuf_printf(p->out, "    typedef %s Element; typedef %s Word; typedef %s index;\n", type, type,
                        p->variant->wide ? "int64" : "int32");
    cuna__strbuf_printf(
        p->out,
        "    enum { PRODUCTS = %d, TILE = PART_ROWS * PART_COLUMNS, A_BESIDE = %d, B_BESIDE = %d, PACK = "
        "%d };\n    typedef Products<PRODUCTS, %d, %d> Args;\n",
        nproducts, (p->variant->resident & CUNA_PARTS_A) != 0, (p->variant->resident & CUNA_PARTS_B) != 0,
        1 << p->variant->vector_log2, count_elements(p), p->program->nscalars);
}

static void print_members(const cuna_printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "    %s *p%d;\n", cuna__type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = cuna__type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "    value_of<%s>::type v%d;\n", type, k);
        else if (cuna__program_reads_elements(p->text, k))
            cuna__strbuf_printf(p->out, "    %s l%d;\n", type, k);
    }
    cuna__strbuf_add(p->out, "    CUNA_INLINE explicit Program(const Args &args)\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "        v%d = load(read_scalar<%s>(args.scalar[%d]));\n", k,
                                cuna__type_of(p->text->input_dtype[k]), cuna__scalar_of(p, k));
    cuna__strbuf_add(p->out, "    }\n");
}

/* The address of an element of an output or an input, `number` among these. */
static void print_address(const cuna_printer *p, const char *type, int number)
{
    cuna__strbuf_printf(p->out, "at_place<%s>(args.elements[%d], which, i, j);\n", type, number);
}

static void print_fetch(const cuna_printer *p)
{
    int number = p->text->noutputs;
    cuna__strbuf_add(p->out, "    CUNA_INLINE void fetch(const Args &args, word which, word i, word j)\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++) {
        if (!cuna__program_reads_elements(p->text, k))
            continue;
        cuna__strbuf_printf(p->out, "        l%d = *", k);
        print_address(p, cuna__type_of(p->text->input_dtype[k]), number++);
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
        if (cuna__program_reads_elements(p->text, k))
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
