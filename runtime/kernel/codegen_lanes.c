/* codegen_lanes.c: how a lane of a block loads, computes and stores its accesses: fetch, and finish or tally, of a struct
 * Program.
 *
 * Loads of all accesses come before the first store, so that a lane waits for memory once. */
#include "kernel/codegen_print.h"

/* Programs that read at positions load all of these, then read, then store: else a lane would wait for its reads one by
 * one. */
static bool computes_early(const cuna_printer *p)
{
    return p->text->gathers && p->text->noutputs > 0;
}

/* The inputs that folds need may stay in registers from stage to stage; others are loaded for the elements. */
static void print_take_early(const cuna_printer *p)
{
    cuna__strbuf_add(p->out,
                     "    template <class L> static CUNA_INLINE void take_early(L &to, const L &from)\n    {\n");
    for (int k = p->text->noutputs; k < p->program->noperands; k++)
        if (cuna__program_is_early(p->program, k))
            cuna__strbuf_printf(p->out, "        to.l%d = from.l%d;\n", k, k);
    cuna__strbuf_add(p->out, "    }\n");
}

/* Whether an input is loaded: scalars are members of the Program, and of addresses nothing is. */
static bool is_loaded(const cuna_program_text *text, int input)
{
    return !text->input_scalar[input] && !text->input_address[input];
}

/* What one access of a lane loads: V elements, at once where an operand is contiguous; one that does not move has one. */
void cuna__print_fetch(const cuna_printer *p)
{
    static const char *const places[] = {"load_run<V>(p%d + j)", "*p%d", "load_steps<V>(p%d + j * s%d, s%d)",
                                         "load_steps<V>(p%d + 2 * j, 2)", "load_run<V>(p%d + j)"};
    cuna__strbuf_add(p->out, "    template <int V> struct Loaded {\n");
    for (int i = 0; i < p->text->ninputs; i++) {
        int k = is_loaded(p->text, i) ? cuna__operand_of(p, i) : -1;
        bool moves = k >= 0 && p->variant->stride_class[k] != CUNA_STRIDE_UNIFORM;
        if (k >= 0)
            cuna__strbuf_printf(p->out, moves ? "        Pack<%s, V> l%d;\n" : "        %s l%d;\n",
                                cuna__type_of(p->text->input_dtype[i]), k);
    }
    /* Old values of outputs are loaded with the inputs: after the first store a lane would wait for them. */
    for (int k = 0; cuna__reads_outputs(p) && k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out,
                            p->variant->stride_class[k] != CUNA_STRIDE_UNIFORM ? "        Pack<%s, V> q%d;\n"
                                                                               : "        %s q%d;\n",
                            cuna__type_of(p->text->output_dtype[k]), k);
    cuna__strbuf_add(p->out, "    };\n    template <int V> CUNA_INLINE Loaded<V> fetch(index j) const\n    {\n"
                             "        Loaded<V> in;\n");
    for (int k = 0; cuna__reads_outputs(p) && k < p->text->noutputs; k++) {
        cuna__strbuf_printf(p->out, "        in.q%d = ", k);
        cuna__strbuf_printf(p->out, places[p->variant->stride_class[k]], k, k, k);
        cuna__strbuf_add(p->out, ";\n");
    }
    for (int i = 0; i < p->text->ninputs; i++) {
        if (!is_loaded(p->text, i))
            continue;
        int k = cuna__operand_of(p, i);
        cuna__strbuf_printf(p->out, "        in.l%d = ", k);
        cuna__strbuf_printf(p->out, places[p->variant->stride_class[k]], k, k, k);
        cuna__strbuf_add(p->out, ";\n");
    }
    cuna__strbuf_add(p->out, "        return in;\n    }\n");
    if (p->text->kind == CUNA_PROGRAM_STAGES)
        print_take_early(p);
}

static void print_packs(const cuna_printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        if (!p->text->output_row[k])
            cuna__strbuf_printf(p->out, "        Pack<%s, V> o%d;\n", cuna__type_of(p->text->output_dtype[k]), k);
}

/* Fills the packs of V elements, which `whose` has. */
static void print_computing(const cuna_printer *p, const char *whose)
{
    cuna__strbuf_add(p->out, "        CUNA_UNROLL\n        for (int k = 0; k < V; ++k) {\n");
    cuna__print_values(p);
    if (p->text->statement)
        cuna__print_element_statement(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        if (p->text->output_row[k])
            continue;
        cuna__strbuf_printf(p->out, "        %so%d.at[k] = ", whose, k);
        cuna__print_output_value(p, k);
    }
    cuna__strbuf_add(p->out, "        }\n");
}

/* What elements know before the first of them is stored: what they loaded, or of programs that read at positions, the
 * results. */
static void print_read(const cuna_printer *p)
{
    if (!computes_early(p)) {
        cuna__strbuf_add(p->out, "    enum { READS = 0 };\n    template <int V> using Read = Loaded<V>;\n"
                                 "    template <int V> CUNA_INLINE Read<V> read(index, const Loaded<V> &in) const "
                                 "{ return in; }\n");
        return;
    }
    cuna__strbuf_add(p->out, "    enum { READS = 1 };\n    template <int V> struct Read {\n");
    print_packs(p);
    cuna__strbuf_add(p->out,
                     "    };\n    template <int V> CUNA_INLINE Read<V> read(index j, const Loaded<V> &in) const\n"
                     "    {\n        Read<V> out;\n");
    print_computing(p, "out.");
    cuna__strbuf_add(p->out, "        return out;\n    }\n");
}

void cuna__print_finish(const cuna_printer *p)
{
    static const char *const places[] = {"store_run(p%d + j, %so%d)", "p%d[0] = %so%d.at[0]",
                                         "store_steps(p%d + j * s%d, s%d, %so%d)", "store_steps(p%d + 2 * j, 2, %so%d)",
                                         "store_run(p%d + j, %so%d)"};
    /* Values computed early come in the packs of Read, which is `in`; others are computed between load and store. */
    bool early = computes_early(p);
    const char *whose = early ? "in." : "";
    cuna__strbuf_printf(p->out, "    enum { APART = %d };\n", !p->program->is_long);
    print_read(p);
    cuna__strbuf_add(p->out, "    template <int V> CUNA_INLINE void finish(index j, const Read<V> &in) const\n    {\n");
    if (!early) {
        print_packs(p);
        print_computing(p, "");
    }
    for (int k = 0; k < p->text->noutputs; k++) {
        int class = p->variant->stride_class[k];
        if (p->text->output_row[k])
            continue;
        cuna__strbuf_add(p->out, "        ");
        if (class == CUNA_STRIDE_ANY)
            cuna__strbuf_printf(p->out, places[class], k, k, k, whose, k);
        else
            cuna__strbuf_printf(p->out, places[class], k, whose, k);
        cuna__strbuf_add(p->out, ";\n");
    }
    cuna__strbuf_add(p->out,
                     "    }\n    CUNA_INLINE void element(index j) const { finish<1>(j, read<1>(j, fetch<1>(j))); }\n");
}

/* What an access adds, as values of the last instruction's type. All are computed before the first is added: else each
 * element would load again what the instructions read. */
void cuna__print_tally(const cuna_printer *p)
{
    int last = p->text->ninstructions - 1;
    const cuna_instruction *step = &p->text->instruction[last];
    cuna__strbuf_printf(p->out, "    enum { SHARES = %d };\n    typedef decltype(step%d(", p->variant->resident, last);
    for (int i = 0; i < step->nargs; i++)
        cuna__strbuf_printf(p->out, "%svalue_of<%s>::type()", i ? ", " : "", cuna__type_of(step->arg_dtype[i]));
    cuna__strbuf_add(p->out, ")) Tally;\n"
                             "    template <int V> CUNA_INLINE void tally(index j, const Loaded<V> &in, Tally *made) "
                             "const\n    {\n        CUNA_UNROLL\n"
                             "        for (int k = 0; k < V; ++k) {\n");
    cuna__print_inputs(p);
    for (int k = 0; k < last; k++)
        cuna__print_instruction(p, k);
    cuna__strbuf_add(p->out, "        made[k] = ");
    cuna__print_call(p, last);
    cuna__strbuf_add(p->out, "        }\n    }\n");
}
