/* codegen_stages.c: prints programs in stages: what a row's values are, what each stage folds, and the elements.
 *
 * Behind struct Program stand: struct Row, the values that are the same for a whole row; one struct per stage, a Program
 * with what folds take of one (State, identity, combine, lift) and `finish`, which adds to the row's values; struct
 * Elements, a Program that computes and stores elements; and struct Stages, which names them all. */
#include "kernel/codegen_print.h"

static bool is_row(const cuna_printer *p, int step)
{
    return p->program->levels.row[cuna__step_value(p, step)];
}

static int level_of(const cuna_printer *p, int step)
{
    return p->program->levels.level[cuna__step_value(p, step)];
}

/* A fold's texts over its own types; kernels/reduce.cuh lists what they may use. */
static void print_fold(const cuna_printer *p, int k)
{
    const cuna_instruction *step = &p->text->instruction[k];
    const cuna_reducer *reducer = cuna__reducer_get(step->operation);
    cuna__strbuf_printf(p->out,
                        "struct Fold%d {\n    typedef %s A; typedef value_of<A>::type T; typedef %s D; typedef "
                        "value_of<D>::type R;\n    typedef %s State;\n",
                        k, cuna__type_of(step->arg_dtype[0]), cuna__type_of(step->dtype), reducer->state);
    cuna__strbuf_printf(p->out, "    static CUNA_INLINE State identity() { return %s; }\n", reducer->identity);
    cuna__strbuf_printf(p->out, "    static CUNA_INLINE State combine(State a, State b) { return %s; }\n",
                        reducer->combine);
    cuna__strbuf_printf(p->out, "    static CUNA_INLINE State lift(T a, int64 i) { return %s; }\n", reducer->lift);
    cuna__strbuf_printf(p->out,
                        "    static CUNA_INLINE R finish(State a, int64 n, double extra) { return convert<D>(%s); }\n"
                        "};\n",
                        reducer->finish);
}

void cuna__print_rows(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninstructions; k++)
        if (p->text->instruction[k].folds)
            print_fold(p, k);
    cuna__strbuf_add(p->out, "struct Row {\n");
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_row(p, k))
            cuna__strbuf_printf(p->out, "    value_of<%s>::type v%d;\n", cuna__type_of(p->text->instruction[k].dtype),
                                cuna__step_value(p, k));
    cuna__strbuf_add(p->out, "};\n");
}

static void print_row_value(const cuna_printer *p, int step)
{
    cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = row.v%d;\n",
                        cuna__type_of(p->text->instruction[step].dtype), cuna__step_value(p, step),
                        cuna__step_value(p, step));
}

/* The row's values that are known, under the names that instructions use. */
static void print_known(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_row(p, k) && level_of(p, k) <= p->level)
            print_row_value(p, k);
}

void cuna__print_stage_values(const cuna_printer *p)
{
    print_known(p);
    cuna__print_inputs(p);
    for (int k = 0; k < p->text->ninstructions; k++)
        if (!is_row(p, k) && level_of(p, k) <= p->level)
            cuna__print_instruction(p, k);
}

/* Computes what a row knows now: instructions of this level that say the same for all its elements. */
static void print_row_steps(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninstructions; k++) {
        if (!is_row(p, k) || level_of(p, k) != p->level || p->text->instruction[k].folds)
            continue;
        cuna__print_instruction(p, k);
        cuna__strbuf_printf(p->out, "        row.v%d = v%d;\n", cuna__step_value(p, k), cuna__step_value(p, k));
    }
}

/* Whether a step is folded in one of the stages that make values of the printer's level. */
static bool is_in_level(const cuna_printer *p, int step)
{
    return p->text->instruction[step].folds && level_of(p, step) == p->level;
}

/* Whether the stage folds a step. Where a block is one lane each fold of a level is a stage of its own: the size of the
 * state decides how many states a run has side by side, and so in which order elements are added. */
static bool is_folded(const cuna_printer *p, int step)
{
    return is_in_level(p, step) && (p->lanes || step == p->fold);
}

/* The first step from `from` on that a stage of the level begins with, or the count of steps. */
static int next_stage(const cuna_printer *p, int from)
{
    while (from < p->text->ninstructions && !is_in_level(p, from))
        from++;
    return from;
}

/* The first fold of the stage after this one, or the count of steps. */
static int stage_after(const cuna_printer *p)
{
    return p->lanes ? p->text->ninstructions : next_stage(p, p->fold + 1);
}

/* The state of a stage that is one fold. */
static void print_lone_state(const cuna_printer *p)
{
    cuna__strbuf_printf(p->out,
                        "    typedef Fold%d::State State;\n"
                        "    static CUNA_INLINE State identity() { return Fold%d::identity(); }\n"
                        "    static CUNA_INLINE State combine(State a, State b) { return Fold%d::combine(a, b); }\n",
                        p->fold, p->fold, p->fold);
}

static void print_state(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    struct State {\n");
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_folded(p, k))
            cuna__strbuf_printf(p->out, "        Fold%d::State f%d;\n", k, k);
    cuna__strbuf_add(p->out, "    };\n    static CUNA_INLINE State identity()\n    {\n        State made;\n");
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_folded(p, k))
            cuna__strbuf_printf(p->out, "        made.f%d = Fold%d::identity();\n", k, k);
    cuna__strbuf_add(p->out, "        return made;\n    }\n"
                             "    static CUNA_INLINE State combine(State a, State b)\n    {\n");
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_folded(p, k))
            cuna__strbuf_printf(p->out, "        a.f%d = Fold%d::combine(a.f%d, b.f%d);\n", k, k, k, k);
    cuna__strbuf_add(p->out, "        return a;\n    }\n"
                             "    static CUNA_INLINE void add(State *part, int k, const State &element)\n    {\n");
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_folded(p, k))
            cuna__strbuf_printf(p->out,
                                "        part[side(k, element.f%d)].f%d = fold_in<Fold%d>(part[side(k, "
                                "element.f%d)].f%d, element.f%d);\n",
                                k, k, k, k, k, k);
    cuna__strbuf_add(p->out, "    }\n");
}

/* A fold's part of the stage's state. */
static const char *state_of(const cuna_printer *p, const char *state, int fold, char name[24])
{
    snprintf(name, 24, p->lanes ? "%s.f%d" : "%s", state, fold);
    return name;
}

/* The states of an element, of the values that are known before the stage. */
static void print_lift(const cuna_printer *p)
{
    char name[24];
    cuna_printer before = *p;
    before.level--;
    cuna__strbuf_add(p->out, p->lanes ? "    template <class L> CUNA_INLINE State lift(const L &in, int k, int64 i) "
                                        "const\n    {\n"
                                      : "    CUNA_INLINE State lift(index j, int64 i) const\n    {\n");
    cuna__print_stage_values(&before);
    cuna__strbuf_add(p->out, "        State made;\n");
    for (int k = 0; k < p->text->ninstructions; k++) {
        const cuna_instruction *step = &p->text->instruction[k];
        if (!is_folded(p, k))
            continue;
        cuna__strbuf_printf(p->out, "        %s = Fold%d::lift(", state_of(p, "made", k, name), k);
        cuna__print_as(p, step->arg_dtype[0], step->arg[0]);
        cuna__strbuf_add(p->out, ", i);\n");
    }
    cuna__strbuf_add(p->out, "        return made;\n    }\n");
}

/* What stages before this one made of the level's folds. */
static void print_folds_before(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninstructions; k++)
        if (is_in_level(p, k) && !is_folded(p, k))
            print_row_value(p, k);
}

static void print_stage_finish(const cuna_printer *p)
{
    char name[24];
    cuna_printer before = *p;
    before.level--;
    cuna__strbuf_add(p->out, "    CUNA_INLINE void finish(Row &row, State a, int64 n) const\n    {\n");
    /* An argument of a fold beside its elements is known before the stage. */
    print_known(&before);
    for (int k = 0; k < p->text->ninstructions; k++) {
        const cuna_instruction *step = &p->text->instruction[k];
        if (!is_folded(p, k))
            continue;
        cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = Fold%d::finish(%s, n, ",
                            cuna__type_of(step->dtype), cuna__step_value(p, k), k, state_of(p, "a", k, name));
        if (step->nargs > 1)
            cuna__print_as(p, CUNA_FLOAT64, step->arg[1]);
        else
            cuna__strbuf_add(p->out, "0");
        cuna__strbuf_printf(p->out, ");\n        row.v%d = v%d;\n", cuna__step_value(p, k), cuna__step_value(p, k));
    }
    if (stage_after(p) == p->text->ninstructions) {
        print_folds_before(p);
        print_row_steps(p);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_head(const cuna_printer *p, const char *name)
{
    cuna__strbuf_printf(p->out,
                        "struct %s : Program {\n    Row row;\n    CUNA_INLINE %s(const Program &p, const Row &r) : "
                        "Program(p), row(r) {}\n",
                        name, name);
    if (p->lanes)
        cuna__strbuf_printf(p->out, "    CUNA_INLINE %s() {}\n", name);
}

static bool has_elements(const cuna_printer *p)
{
    bool found = false;
    for (int k = 0; k < p->text->noutputs; k++)
        found = found || !p->text->output_row[k];
    return found;
}

static void print_write(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    static CUNA_INLINE void write(const Row &row, const Program &p)\n    {\n");
    print_known(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        if (!p->text->output_row[k])
            continue;
        int value = p->text->output_value[k];
        cuna__strbuf_printf(p->out, "        *p.p%d = store<%s>(", k, cuna__type_of(p->text->output_dtype[k]));
        if (value < p->text->ninputs)
            cuna__strbuf_printf(p->out, "convert<%s>(p.v%d)", cuna__type_of(p->text->output_dtype[k]), value);
        else
            cuna__print_as(p, p->text->output_dtype[k], value);
        cuna__strbuf_add(p->out, ");\n");
    }
    cuna__strbuf_add(p->out, "    }\n");
}

/* A stage has the number of its first fold. */
static void print_stage(const cuna_printer *p)
{
    char name[24];
    snprintf(name, sizeof name, "Stage%d", p->fold);
    print_head(p, name);
    if (p->lanes)
        print_state(p);
    else
        print_lone_state(p);
    print_lift(p);
    print_stage_finish(p);
    cuna__strbuf_add(p->out, "};\n");
}

void cuna__print_stages(const cuna_printer *printer)
{
    cuna_printer p = *printer;
    for (p.level = 1; p.level <= p.text->stages; p.level++)
        for (p.fold = next_stage(&p, 0); p.fold < p.text->ninstructions; p.fold = stage_after(&p))
            print_stage(&p);
    p.level = p.text->stages; /* elements know what all stages made */
    print_head(&p, "Elements");
    if (has_elements(&p))
        cuna__print_elements(&p);
    cuna__strbuf_add(p.out, "};\n");
    p.level = 0; /* before the first stage a row knows what follows from numbers alone */
    print_head(&p, "Start");
    cuna__strbuf_add(p.out, "    CUNA_INLINE void finish(Row &row) const\n    {\n");
    print_row_steps(&p);
    cuna__strbuf_add(p.out, "    }\n};\n");
    p.level = p.text->stages;
    cuna__strbuf_printf(
        p.out,
        "struct Stages {\n    typedef Program::Args Args; typedef Program Walker; typedef Row Known; "
        "typedef Start First; typedef Elements Last;\n    enum { ELEMENTS = %d, RESIDENT = %d, SEGMENTED = %d };\n",
        has_elements(&p), p.variant->resident, p.variant->segmented);
    cuna__strbuf_add(p.out, "    template <class Visit> static CUNA_INLINE void each(Visit &visit)\n    {\n");
    for (p.level = 1; p.level <= p.text->stages; p.level++)
        for (p.fold = next_stage(&p, 0); p.fold < p.text->ninstructions; p.fold = stage_after(&p))
            cuna__strbuf_printf(p.out, "        visit.template fold<Stage%d>();\n", p.fold);
    p.level = p.text->stages;
    cuna__strbuf_add(p.out, "    }\n");
    print_write(&p);
    cuna__strbuf_add(p.out, "};\n");
}
