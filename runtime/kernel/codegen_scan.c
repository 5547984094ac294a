/* codegen_scan.c: prints how scans store elements: member put, which computes all outputs of an element from its state.
 *
 * The texts are a reducer's finish, with the count of elements in the state as `n`, or a statement's last part, which
 * sees the inputs of its element too. */
#include "kernel/codegen_print.h"

static const char *const places[] = {"p%d[j]", "p%d[0]", "p%d[j * s%d]", "p%d[2 * j]"};

static bool reads_outputs(const cuna_printer *p)
{
    return p->text->statement && p->text->reads_outputs;
}

static void print_old_value(const cuna_printer *p, int k)
{
    int class = p->variant->stride_class[k];
    cuna__strbuf_add(p->out, "load(");
    if (p->lanes)
        cuna__strbuf_printf(p->out, class != CUNA_STRIDE_UNIFORM ? "in.q%d.at[k]" : "in.q%d", k);
    else
        cuna__strbuf_printf(p->out, places[class], k, k);
    cuna__strbuf_add(p->out, ");\n");
}

/* Values w of all outputs, from state a at position i. */
static void print_results(const cuna_printer *p)
{
    if (p->text->statement)
        cuna__print_inputs(p);
    else
        cuna__strbuf_add(p->out, "        const int64 n = i + (EXCLUSIVE ? 0 : 1); const double extra = 0;\n");
    for (int k = 0; k < p->text->noutputs; k++) {
        const char *type = cuna__type_of(p->text->output_dtype[k]);
        cuna__strbuf_printf(p->out, "        value_of<%s>::type w%d = ", type, k);
        if (!p->text->statement)
            cuna__strbuf_printf(p->out, "convert<D>(%s);\n", cuna__reducer_get(p->text->reducer)->finish);
        else if (reads_outputs(p))
            print_old_value(p, k);
        else
            cuna__strbuf_printf(p->out, "value_of<%s>::type();\n", type);
    }
    if (p->text->statement)
        cuna__print_post(p, "i");
}

static void print_put(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void put(index j, int64 i, State a) const\n    {\n");
    print_results(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        cuna__strbuf_add(p->out, "        ");
        cuna__strbuf_printf(p->out, places[p->variant->stride_class[k]], k, k);
        cuna__strbuf_printf(p->out, " = store<%s>(w%d);\n", cuna__type_of(p->text->output_dtype[k]), k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

/* What an access holds lies along the axis in rows, across it in columns. */
static void print_put_access(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    template <int V> CUNA_INLINE void put(index j, int64 first, const State *states, "
                             "const Loaded<V> &in) const\n    {\n");
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "        Pack<%s, V> o%d;\n", cuna__type_of(p->text->output_dtype[k]), k);
    cuna__strbuf_printf(p->out,
                        "        CUNA_UNROLL\n        for (int k = 0; k < V; ++k) {\n"
                        "        const State a = states[k]; const int64 i = first%s;\n",
                        p->variant->form == CUNA_FORM_SCAN_COLUMNS ? "" : " + k");
    print_results(p);
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "        o%d.at[k] = store<%s>(w%d);\n", k, cuna__type_of(p->text->output_dtype[k]),
                            k);
    cuna__strbuf_add(p->out, "        }\n");
    /* Where an output is not contiguous an access has one element, o.at[0]. */
    for (int k = 0; k < p->text->noutputs; k++) {
        int class = p->variant->stride_class[k];
        cuna__strbuf_add(p->out, "        ");
        cuna__strbuf_printf(p->out, class == CUNA_STRIDE_UNIT ? "store_run(p%d + j, " : places[class], k, k);
        cuna__strbuf_printf(p->out, class == CUNA_STRIDE_UNIT ? "o%d);\n" : " = o%d.at[0];\n", k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

void cuna__print_scan(const cuna_printer *p)
{
    cuna__strbuf_printf(p->out, "    enum { EXCLUSIVE = %d };\n", p->text->kind == CUNA_PROGRAM_SCAN_BEFORE);
    if (p->lanes) {
        print_put_access(p);
    } else {
        print_put(p);
        cuna__print_output(p);
    }
}
