/* codegen_program.c: prints the struct Program of a kernel.
 *
 * Only declarations are printed here: types, one pointer per operand, one line per instruction. How elements are visited
 * is the templates' business (kernels/walk.cuh lists what they expect of a Program). Nothing is substituted inside a
 * template. Operands are numbered outputs first, then array inputs; values inputs first, then the index, then one per
 * instruction. */
#include <stdio.h>
#include <string.h>

#include "kernel/codegen_print.h"

int cuna__scalar_of(const cuna_printer *p, int k)
{
    int slot = 0;
    for (int i = 0; i < k; i++)
        slot += p->text->input_scalar[i] != 0;
    return slot;
}

static int index_value(const cuna_printer *p)
{
    return p->text->uses_index ? p->text->ninputs : -1;
}

static uint8_t dtype_of_value(const cuna_printer *p, int value)
{
    if (value < p->text->ninputs)
        return p->text->input_address[value] ? CUNA_INT64 : p->text->input_dtype[value];
    return value == index_value(p) ? CUNA_INT64 : p->text->instruction[value - cuna__step_value(p, 0)].dtype;
}

/* The parameters of an instruction's function, and the types that its text may name. */
static void print_parameters(const cuna_printer *p, const cuna_instruction *step, int k)
{
    static const char letters[] = "abcdefghijklmnop";
    cuna__strbuf_printf(p->out, " step%d(", k);
    for (int i = 0; i < step->nargs; i++)
        cuna__strbuf_printf(p->out, "%svalue_of<%s>::type %c", i ? ", " : "", cuna__type_of(step->arg_dtype[i]),
                            letters[i]);
    cuna__strbuf_printf(
        p->out, ")\n{\n    typedef %s E; typedef value_of<E>::type T; typedef %s D; typedef value_of<D>::type R;\n",
        cuna__type_of(step->nargs ? step->arg_dtype[0] : step->dtype), cuna__type_of(step->dtype));
}

/* Whether a lane computes an instruction of real numbers for many elements with one second argument. */
static bool shares_divisor(const cuna_printer *p, const cuna_instruction *step)
{
    return p->lanes && p->text->kind == CUNA_PROGRAM_STAGES && step->nargs == 2 &&
           cuna_dtype_kind((cuna_dtype)step->arg_dtype[0]) != 'c' && p->program->levels.row[step->arg[1]];
}

/* E and T are dtype and value type of the arguments' first, D and R of the result. The last one of a tally returns what it
 * would add: it finds the functions of kernels/tally_lanes.cuh before those that add. */
void cuna__print_operations(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninstructions; k++) {
        const cuna_instruction *step = &p->text->instruction[k];
        if (step->folds || step->multiplies)
            continue;
        const char *expression = cuna__operation_get(step->operation)->expression;
        if (p->variant->form == CUNA_FORM_TALLY && k + 1 == p->text->ninstructions) {
            cuna__strbuf_add(p->out, "CUNA_INLINE auto");
            print_parameters(p, step, k);
            cuna__strbuf_printf(p->out,
                                "    using tallying::added; using tallying::tallied; using tallying::raised; "
                                "using tallying::weighed;\n    return %s;\n}\n",
                                expression);
        } else {
            cuna__strbuf_printf(p->out, "CUNA_INLINE value_of<%s>::type", cuna__type_of(step->dtype));
            print_parameters(p, step, k);
            cuna__strbuf_printf(p->out, "%s    return convert<D>(%s);\n}\n",
                                shares_divisor(p, step) ? "    using shared::divide;\n" : "", expression);
        }
    }
}

/* Whether a lane adds up how far its operands are from where the walk begins, in elements, before it has their addresses:
 * of positions of 32 bits that is half of the work. */
static bool has_offsets(const cuna_printer *p)
{
    uint8_t form = p->variant->form;
    return p->lanes && (form == CUNA_FORM_ROWS || form == CUNA_FORM_SHORT_ROWS || form == CUNA_FORM_TILES);
}

/* What moves operands: their offsets, or their addresses. */
static char moved(const cuna_printer *p)
{
    return has_offsets(p) ? 'o' : 'p';
}

static void print_members(const cuna_printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "    %s *p%d;\n", cuna__type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = cuna__type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "    value_of<%s>::type v%d;\n", type, k);
        else if (p->lanes)
            cuna__strbuf_printf(p->out, "    const %s *p%d;\n", type, cuna__operand_of(p, k));
        else
            cuna__strbuf_printf(p->out, "    const %s *p%d; value_of<%s>::type u%d;\n", type, cuna__operand_of(p, k),
                                cuna__type_of(dtype_of_value(p, k)), k);
    }
    for (int k = 0; k < p->program->noperands; k++)
        /* The other classes have a stride that the text knows. */
        if (p->variant->stride_class[k] == CUNA_STRIDE_ANY || p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out, "    index s%d;\n", k);
    for (int k = 0; has_offsets(p) && k < p->program->noperands; k++)
        cuna__strbuf_printf(p->out, "    index o%d;\n", k);
    if (p->text->uses_index && !cuna__program_folds(p->text))
        cuna__strbuf_add(p->out, "    int64 position;\n");
    if (p->text->statement)
        cuna__strbuf_add(p->out, "    const Args *words;\n");
}

/* The array of strides whose last axis is the run, and that axis. */
static void print_run_stride(const cuna_printer *p, int operand)
{
    static const char *const strides[] = {"stride", "stride", "reduced_stride"}, *const axes[] = {"RANK", "KEPT",
                                                                                                  "REDUCED"};
    int run = cuna__forms[p->variant->form].run;
    cuna__strbuf_printf(p->out, "args.%s[%d][%s - 1]", strides[run], operand, axes[run]);
}

static void print_constructor(const cuna_printer *p)
{
    if (p->lanes)
        cuna__strbuf_add(p->out, "    CUNA_INLINE Program() {}\n");
    cuna__strbuf_add(p->out, "    CUNA_INLINE explicit Program(const Args &args)\n    {\n");
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "        p%d = (%s *)args.pointer[%d];\n", k,
                            cuna__type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = cuna__type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k] == CUNA_SCALAR_TABLE)
            cuna__strbuf_printf(p->out, "        v%d = int64(args.table);\n", k);
        else if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "        v%d = load(read_scalar<%s>(args.scalar[%d]));\n", k, type,
                                cuna__scalar_of(p, k));
        else
            cuna__strbuf_printf(p->out, "        p%d = (const %s *)args.pointer[%d];\n", cuna__operand_of(p, k), type,
                                cuna__operand_of(p, k));
    }
    if (p->text->statement)
        cuna__strbuf_add(p->out, "        words = &args;\n");
    for (int k = 0; has_offsets(p) && k < p->program->noperands; k++)
        cuna__strbuf_printf(p->out, "        o%d = 0;\n", k);
    /* Of the other classes the stride is a constant of the text, which lets the compiler use vector loads. */
    for (int k = 0; k < p->program->noperands; k++) {
        if (p->variant->stride_class[k] != CUNA_STRIDE_ANY && p->variant->stride_class[k] != CUNA_STRIDE_TILED)
            continue;
        cuna__strbuf_printf(p->out, "        s%d = index(", k);
        print_run_stride(p, k);
        cuna__strbuf_add(p->out, ");\n");
    }
    cuna__strbuf_add(p->out, "    }\n");
}

/* Reads operands that do not move along the run, once per run. */
static void print_begin(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void begin()\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (!p->text->input_scalar[k] && p->variant->stride_class[cuna__operand_of(p, k)] == CUNA_STRIDE_UNIFORM)
            cuna__strbuf_printf(
                p->out, p->text->input_address[k] ? "        u%d = int64(p%d);\n" : "        u%d = load(*p%d);\n", k,
                cuna__operand_of(p, k));
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_advance(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void advance(index n)\n    {\n");
    for (int k = 0; k < p->program->noperands; k++) {
        if (p->variant->stride_class[k] == CUNA_STRIDE_UNIT)
            cuna__strbuf_printf(p->out, "        %c%d += n;\n", moved(p), k);
        else if (p->variant->stride_class[k] == CUNA_STRIDE_TWO)
            cuna__strbuf_printf(p->out, "        %c%d += 2 * n;\n", moved(p), k);
        else if (p->variant->stride_class[k] != CUNA_STRIDE_UNIFORM)
            cuna__strbuf_printf(p->out, "        %c%d += n * s%d;\n", moved(p), k, k);
    }
    cuna__strbuf_add(p->out, "    }\n");
    if (!has_offsets(p))
        return;
    cuna__strbuf_add(p->out, "    CUNA_INLINE void arrive()\n    {\n");
    for (int k = 0; k < p->program->noperands; k++)
        cuna__strbuf_printf(p->out, "        p%d += o%d;\n", k, k);
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_step(const cuna_printer *p, const char *name, const char *strides)
{
    cuna__strbuf_printf(p->out, "    CUNA_INLINE void %s(const Args &args, int axis, index n)\n    {\n", name);
    for (int k = 0; k < p->program->noperands; k++)
        cuna__strbuf_printf(p->out, "        %c%d += index(args.%s[%d][axis]) * n;\n", moved(p), k, strides, k);
    cuna__strbuf_add(p->out, "    }\n");
}

void cuna__print_as(const cuna_printer *p, uint8_t dtype, int value)
{
    if (dtype_of_value(p, value) == dtype)
        cuna__strbuf_printf(p->out, "v%d", value);
    else
        cuna__strbuf_printf(p->out, "convert<%s>(v%d)", cuna__type_of(dtype), value);
}

/* The address of element j (of a lane's access: element k) of an operand. */
static void print_address(const cuna_printer *p, int operand)
{
    static const char *const runs[] = {"int64(p%d + j)", "int64(p%d)", "int64(p%d + j * s%d)", "int64(p%d + 2 * j)"};
    static const char *const lanes[] = {"int64(p%d + j + k)", "int64(p%d)", "int64(p%d + (j + k) * s%d)",
                                        "int64(p%d + 2 * (j + k))"};
    cuna__strbuf_printf(p->out, (p->lanes ? lanes : runs)[p->variant->stride_class[operand]], operand, operand);
}

/* Where element j (of a lane's access: element k) of an input is. */
static void print_place(const cuna_printer *p, int k)
{
    static const char *const places[] = {"p%d[j]", NULL, "p%d[j * s%d]", "p%d[2 * j]", "p%d[j]"};
    int operand = cuna__operand_of(p, k), class = p->variant->stride_class[operand];
    char place[32];
    if (p->text->input_address[k]) {
        print_address(p, operand);
        return;
    }
    /* Lanes have loaded their access already; a block of one lane has loaded what is uniform, once per run. */
    if (p->lanes)
        snprintf(place, sizeof place, class != CUNA_STRIDE_UNIFORM ? "load(in.l%d.at[k])" : "load(in.l%d)", operand);
    else if (class == CUNA_STRIDE_UNIFORM)
        snprintf(place, sizeof place, "u%d", k);
    else {
        size_t length = (size_t)snprintf(place, sizeof place, "load(");
        snprintf(place + length, sizeof place - length, places[class], operand, operand);
        strcat(place, ")");
    }
    cuna__strbuf_add(p->out, place);
}

void cuna__print_inputs(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninputs; k++) {
        if (p->text->input_scalar[k])
            continue;
        cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = ", cuna__type_of(dtype_of_value(p, k)), k);
        print_place(p, k);
        cuna__strbuf_add(p->out, ";\n");
    }
    if (p->text->uses_index)
        cuna__strbuf_printf(p->out, "        const int64 v%d = %s;\n", index_value(p),
                            cuna__program_folds(p->text) ? "i"
                            : p->lanes                   ? "position + j + k"
                                                         : "position + j");
}

void cuna__print_call(const cuna_printer *p, int k)
{
    const cuna_instruction *step = &p->text->instruction[k];
    cuna__strbuf_printf(p->out, "step%d(", k);
    for (int i = 0; i < step->nargs; i++) {
        cuna__strbuf_add(p->out, i ? ", " : "");
        cuna__print_as(p, step->arg_dtype[i], step->arg[i]);
    }
    cuna__strbuf_add(p->out, ");\n");
}

void cuna__print_instruction(const cuna_printer *p, int k)
{
    cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = ", cuna__type_of(p->text->instruction[k].dtype),
                        cuna__step_value(p, k));
    cuna__print_call(p, k);
}

void cuna__print_values(const cuna_printer *p)
{
    if (p->text->kind == CUNA_PROGRAM_STAGES) {
        cuna__print_stage_values(p);
        return;
    }
    cuna__print_inputs(p);
    for (int k = 0; k < p->text->ninstructions; k++)
        cuna__print_instruction(p, k);
}

static void print_at(const cuna_printer *p)
{
    cuna__strbuf_printf(p->out, "    CUNA_INLINE void at(int64 %s)\n    {\n%s    }\n",
                        p->text->uses_index ? "first" : "", p->text->uses_index ? "        position = first;\n" : "");
    if (!p->lanes)
        cuna__strbuf_printf(p->out, "    CUNA_INLINE void at_next(index n) { %s }\n",
                            p->text->uses_index ? "position += n;" : "");
}

bool cuna__reads_outputs(const cuna_printer *p)
{
    return p->text->statement && p->text->reads_outputs;
}

/* Where element j of output k is. */
static void print_output_place(const cuna_printer *p, int k)
{
    static const char *const places[] = {"p%d[j]", "p%d[0]", "p%d[j * s%d]", "p%d[2 * j]", "p%d[j]"};
    cuna__strbuf_printf(p->out, places[p->variant->stride_class[k]], k, k);
}

/* The variables that a statement computes its outputs in, and its call. */
void cuna__print_element_statement(const cuna_printer *p)
{
    char position[16] = "0";
    for (int k = 0; k < p->text->noutputs; k++) {
        cuna__strbuf_printf(p->out, "        value_of<%s>::type w%d", cuna__type_of(p->text->output_dtype[k]), k);
        /* The text may leave an output unset: it is then 0, not what a register happened to hold. */
        if (!cuna__reads_outputs(p)) {
            cuna__strbuf_printf(p->out, " = value_of<%s>::type();\n", cuna__type_of(p->text->output_dtype[k]));
        } else if (p->lanes) {
            cuna__strbuf_printf(p->out,
                                p->variant->stride_class[k] != CUNA_STRIDE_UNIFORM ? " = load(in.q%d.at[k]);\n"
                                                                                   : " = load(in.q%d);\n",
                                k);
        } else {
            cuna__strbuf_add(p->out, " = load(");
            print_output_place(p, k);
            cuna__strbuf_add(p->out, ");\n");
        }
    }
    if (p->text->uses_index)
        snprintf(position, sizeof position, "v%d", index_value(p));
    cuna__print_compute(p, position);
}

void cuna__print_output_value(const cuna_printer *p, int k)
{
    if (p->text->statement) {
        cuna__strbuf_printf(p->out, "store<%s>(w%d);\n", cuna__type_of(p->text->output_dtype[k]), k);
        return;
    }
    cuna__strbuf_printf(p->out, "store<%s>(", cuna__type_of(p->text->output_dtype[k]));
    cuna__print_as(p, p->text->output_dtype[k], p->text->output_value[k]);
    cuna__strbuf_add(p->out, ");\n");
}

static void print_element(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void element(index j) const\n    {\n");
    cuna__print_values(p);
    if (p->text->statement)
        cuna__print_element_statement(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        if (p->text->output_row[k])
            continue;
        cuna__strbuf_add(p->out, "        ");
        print_output_place(p, k);
        cuna__strbuf_add(p->out, " = ");
        cuna__print_output_value(p, k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

/* Programs with one contiguous output can write past the caches. */
void cuna__print_output(const cuna_printer *p)
{
    bool streams = p->text->noutputs == 1 && p->variant->stride_class[0] == CUNA_STRIDE_UNIT && !cuna__reads_outputs(p);
    if (p->text->noutputs == 0) {
        cuna__strbuf_add(p->out,
                         "    enum { STREAMS = 0 };\n    typedef uint8 Out;\n    CUNA_INLINE void redirect(Out *) "
                         "{}\n    CUNA_INLINE Out *out() const { return 0; }\n");
        return;
    }
    cuna__strbuf_printf(p->out, "    enum { STREAMS = %d };\n    typedef %s Out;\n", streams,
                        cuna__type_of(p->text->output_dtype[0]));
    cuna__strbuf_add(
        p->out,
        "    CUNA_INLINE void redirect(Out *to) { p0 = to; }\n    CUNA_INLINE Out *out() const { return p0; }\n");
}

/* Axes, which walks of one lane also ask of an interpreter, where they are known at run time only. */
static void print_ranks(const cuna_printer *p)
{
    if (p->lanes)
        return;
    if (cuna__program_folds(p->text))
        cuna__strbuf_add(p->out, "    enum { MAX_KEPT = KEPT > 0 ? KEPT : 1, MAX_REDUCED = REDUCED };\n"
                                 "    static CUNA_INLINE int kept(const Args &) { return KEPT; }\n"
                                 "    static CUNA_INLINE int reduced(const Args &) { return REDUCED; }\n");
    else
        cuna__strbuf_add(p->out, "    enum { MAX_RANK = RANK };\n"
                                 "    static CUNA_INLINE int rank(const Args &) { return RANK; }\n");
}

static void print_shape(const cuna_printer *p)
{
    int operands = p->program->noperands, scalars = p->program->nscalars;
    cuna__strbuf_printf(p->out, "    typedef %s index;\n", p->variant->wide ? "int64" : "int32");
    /* Members are in the order in which the host adds words (launch.h). */
    if (cuna__program_folds(p->text))
        cuna__strbuf_printf(p->out,
                            "    enum { KEPT = %d, REDUCED = %d };\n    struct Args : %s<%d, %d, KEPT, REDUCED> {\n",
                            p->variant->rank, p->variant->reduced_rank, cuna__program_scans(p->text) ? "Scan" : "Fold",
                            operands, scalars);
    else
        cuna__strbuf_printf(p->out, "    enum { RANK = %d };\n    struct Args : Walk<%d, %d, RANK> {\n",
                            p->variant->rank, operands, scalars);
    if (p->text->kind == CUNA_PROGRAM_STAGES)
        cuna__strbuf_add(p->out, "        word streaming;\n");
    if (p->text->table > 0)
        cuna__strbuf_printf(p->out, "        word table[%d];\n", p->text->table);
    cuna__print_statement_args(p);
    cuna__strbuf_add(p->out, "    };\n");
    print_ranks(p);
    if (p->lanes)
        cuna__strbuf_printf(p->out, "    enum { VECTOR = %d, ITEMS = %d, SIDE = %d, TOGETHER = %d };\n",
                            1 << p->variant->vector_log2, cuna__variant_items(p->program, p->variant),
                            cuna__variant_side(p->program, p->variant), p->text->together > 0);
}

void cuna__print_elements(const cuna_printer *p)
{
    print_at(p);
    if (p->lanes) {
        cuna__print_finish(p);
    } else {
        print_element(p);
        cuna__print_output(p);
    }
}

static void print_struct(const cuna_printer *p)
{
    cuna__strbuf_add(p->out, "struct Program {\n");
    print_shape(p);
    print_members(p);
    print_constructor(p);
    print_advance(p);
    print_step(p, "step", "stride");
    /* Many lanes hide waits by loading ahead (fetch); one lane loads what stays the same along a run once (begin). */
    if (p->lanes)
        cuna__print_fetch(p);
    else
        print_begin(p);
    if (cuna__program_folds(p->text))
        print_step(p, "step_reduced", "reduced_stride");
    if (p->variant->form == CUNA_FORM_TALLY) {
        print_at(p);
        cuna__print_tally(p);
    } else if (p->text->kind == CUNA_PROGRAM_MAP) {
        cuna__print_elements(p);
    }
    if (cuna__program_combines(p->text))
        cuna__print_fold(p);
    if (cuna__program_scans(p->text))
        cuna__print_scan(p);
    if (p->variant->form == CUNA_FORM_TILES || p->variant->form == CUNA_FORM_FOLD_TILES)
        cuna__print_tiles(p);
    cuna__strbuf_add(p->out, "};\n");
}

void cuna__codegen_program(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    cuna_printer p = {out, item->program, &item->program->text, item->variant, lanes, 0, 0};
    if (p.text->statement)
        cuna__print_statement(&p);
    cuna__print_operations(&p);
    if (p.text->kind == CUNA_PROGRAM_STAGES)
        cuna__print_rows(&p);
    print_struct(&p);
    if (p.text->kind == CUNA_PROGRAM_STAGES)
        cuna__print_stages(&p);
}
