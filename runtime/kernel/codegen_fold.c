/* codegen_fold.c: prints how elements are folded: the state, what starts it, how two combine, and what becomes of it.
 *
 * The texts are a reducer's, or those of a statement, which stand in functions of their own. */
#include "kernel/codegen_print.h"

static void print_lift_head(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, p->lanes ? "    template <class L> CUNA_INLINE State lift(const L &in, int k, int64 i) "
                                        "const\n    {\n"
                                      : "    CUNA_INLINE State lift(index j, int64 i) const\n    {\n");
    cuna__print_values(p);
}

static void print_write_head(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void write(State a, int64 n, double extra) const\n    {\n");
}

/* A: the dtype a reduction accumulates in, T its value type; D, R the result's. */
static void print_reducer(const cuna_printer *p)
{
    const cuna_reducer *reducer = cuna__reducer_get(p->text->reducer);
    cuna__strbuf_printf(p->out,
                        "    typedef %s A; typedef value_of<A>::type T; typedef %s D; typedef value_of<D>::type R;\n",
                        cuna__type_of(p->text->accumulator), cuna__type_of(p->text->output_dtype[0]));
    cuna__strbuf_printf(p->out, "    typedef %s State;\n", reducer->state);
    cuna__strbuf_printf(p->out, "    CUNA_INLINE static State identity() { return %s; }\n", reducer->identity);
    cuna__strbuf_printf(p->out, "    CUNA_INLINE static State combine(State a, State b) { return %s; }\n",
                        reducer->combine);
    print_lift_head(p);
    cuna__strbuf_add(p->out, "        const T a = ");
    cuna__print_as(p, p->text->accumulator, p->text->output_value[0]);
    cuna__strbuf_printf(p->out, ";\n        return %s;\n    }\n", reducer->lift);
    if (cuna__program_scans(p->text))
        return;
    print_write_head(p);
    cuna__strbuf_printf(p->out, "        *p0 = store<D>(convert<D>(%s));\n    }\n", reducer->finish);
}

static void print_statement(const cuna_printer *p)
{
    cuna__strbuf_add(p->out,
                     "    typedef text::_state State;\n"
                     "    CUNA_INLINE static State identity() { return text::_identity(); }\n"
                     "    CUNA_INLINE static State combine(State a, State b) { return text::_combine(a, b); }\n");
    print_lift_head(p);
    cuna__print_output_position(p, true);
    cuna__strbuf_add(p->out, "        return ");
    cuna__print_map(p, "i");
    cuna__strbuf_add(p->out, "    }\n");
    if (cuna__program_scans(p->text))
        return;
    /* The user's text assigns to variables, not to memory: one that it leaves out must have a value all the same. */
    print_write_head(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        const char *type = cuna__type_of(p->text->output_dtype[k]);
        cuna__strbuf_printf(p->out, "        value_of<%s>::type w%d = ", type, k);
        if (p->text->reads_outputs)
            cuna__strbuf_printf(p->out, "load(*p%d);\n", k);
        else
            cuna__strbuf_printf(p->out, "value_of<%s>::type();\n", type);
    }
    cuna__print_output_position(p, false);
    cuna__print_post(p, "0");
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "        *p%d = store<%s>(w%d);\n", k, cuna__type_of(p->text->output_dtype[k]), k);
    cuna__strbuf_add(p->out, "    }\n");
}

void cuna__print_fold(const cuna_printer *p)
{
    if (p->text->statement)
        print_statement(p);
    else
        print_reducer(p);
    if (p->lanes)
        cuna__strbuf_add(p->out, "    CUNA_INLINE static void add(State *part, int k, State element)\n    {\n"
                                 "        part[side(k, element)] = fold_in<Program>(part[side(k, element)], element);\n"
                                 "    }\n");
}
