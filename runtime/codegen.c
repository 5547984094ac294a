/* codegen.c: prints the struct Program of a kernel and assembles translation units.
 *
 * Only declarations are printed here: types, one pointer per operand, one line per instruction. How elements are visited
 * is the templates' business (kernels/walk.cuh lists what they expect of a Program). Nothing is substituted inside a
 * template. Operands are numbered outputs first, then array inputs; values inputs first, then the index, then one per
 * instruction. */
#include "codegen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern const char cuna__text_scalar[], cuna__text_complex[], cuna__text_walk[], cuna__text_elementwise[],
    cuna__text_reduce[];

/* What the printing functions share while one kernel is printed. */
typedef struct printer {
    cuna_strbuf *out;
    const cuna_program *program;
    const cuna_program_text *text;
    const cuna_variant *variant;
} printer;

static const char *type_of(uint8_t dtype)
{
    return cuna_dtype_kernel_type(dtype);
}

static bool folds(const printer *p)
{
    return p->text->reduces != 0;
}

/* The operand number of input k, which is an array. */
static int operand_of(const printer *p, int k)
{
    int operand = p->text->noutputs;
    for (int i = 0; i < k; i++)
        operand += p->text->input_scalar[i] == 0;
    return operand;
}

/* The slot of input k among the scalars. */
static int scalar_of(const printer *p, int k)
{
    int slot = 0;
    for (int i = 0; i < k; i++)
        slot += p->text->input_scalar[i] != 0;
    return slot;
}

static int index_value(const printer *p)
{
    return p->text->uses_index ? p->text->ninputs : -1;
}

static int step_value(const printer *p, int step)
{
    return p->text->ninputs + (p->text->uses_index != 0) + step;
}

/* One function per instruction: E and T are dtype and value type of the arguments' first, D and R of the result. */
static void print_operations(const printer *p)
{
    static const char letters[] = "abcd";
    for (int k = 0; k < p->text->ninstructions; k++) {
        const cuna_instruction *step = &p->text->instruction[k];
        const cuna_operation *operation = cuna__operation_get(step->operation);
        cuna__strbuf_printf(p->out, "CUNA_INLINE value_of<%s>::type step%d(", type_of(step->dtype), k);
        for (int i = 0; i < step->nargs; i++)
            cuna__strbuf_printf(p->out, "%svalue_of<%s>::type %c", i ? ", " : "", type_of(step->arg_dtype[i]),
                                letters[i]);
        cuna__strbuf_printf(
            p->out, ")\n{\n    typedef %s E; typedef value_of<E>::type T; typedef %s D; typedef value_of<D>::type R;\n",
            type_of(step->nargs ? step->arg_dtype[0] : step->dtype), type_of(step->dtype));
        cuna__strbuf_printf(p->out, "    return convert<D>(%s);\n}\n", operation->expression);
    }
}

static void print_members(const printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "    %s *p%d;\n", type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "    value_of<%s>::type v%d;\n", type, k);
        else
            cuna__strbuf_printf(p->out, "    const %s *p%d; value_of<%s>::type u%d;\n", type, operand_of(p, k), type,
                                k);
    }
    for (int k = 0; k < p->program->noperands; k++)
        if (p->variant->stride_class[k] == CUNA_STRIDE_ANY || p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out, "    index s%d;\n", k);
    if (p->text->uses_index && !folds(p))
        cuna__strbuf_add(p->out, "    int64 position;\n");
}

/* The array of strides whose last axis is the run, and that axis. */
static void print_run_stride(const printer *p, int operand)
{
    bool reduced = p->variant->form == CUNA_FORM_FOLD_ROWS;
    cuna__strbuf_printf(p->out, "args.%s[%d][%s - 1]", reduced ? "reduced_stride" : "stride", operand,
                        !folds(p) ? "RANK"
                        : reduced ? "REDUCED"
                                  : "KEPT");
}

static void print_constructor(const printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE explicit Program(const Args &args)\n    {\n");
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, "        p%d = (%s *)args.pointer[%d];\n", k, type_of(p->text->output_dtype[k]), k);
    for (int k = 0; k < p->text->ninputs; k++) {
        const char *type = type_of(p->text->input_dtype[k]);
        if (p->text->input_scalar[k])
            cuna__strbuf_printf(p->out, "        v%d = load(read_scalar<%s>(args.scalar[%d]));\n", k, type,
                                scalar_of(p, k));
        else
            cuna__strbuf_printf(p->out, "        p%d = (const %s *)args.pointer[%d];\n", operand_of(p, k), type,
                                operand_of(p, k));
    }
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
static void print_begin(const printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void begin()\n    {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (!p->text->input_scalar[k] && p->variant->stride_class[operand_of(p, k)] == CUNA_STRIDE_UNIFORM)
            cuna__strbuf_printf(p->out, "        u%d = load(*p%d);\n", k, operand_of(p, k));
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_advance(const printer *p)
{
    cuna__strbuf_add(p->out, "    CUNA_INLINE void advance(index n)\n    {\n");
    for (int k = 0; k < p->program->noperands; k++) {
        if (p->variant->stride_class[k] == CUNA_STRIDE_UNIT)
            cuna__strbuf_printf(p->out, "        p%d += n;\n", k);
        else if (p->variant->stride_class[k] == CUNA_STRIDE_TWO)
            cuna__strbuf_printf(p->out, "        p%d += 2 * n;\n", k);
        else if (p->variant->stride_class[k] != CUNA_STRIDE_UNIFORM)
            cuna__strbuf_printf(p->out, "        p%d += n * s%d;\n", k, k);
    }
    cuna__strbuf_add(p->out, "    }\n");
}

static void print_step(const printer *p, const char *name, const char *strides)
{
    cuna__strbuf_printf(p->out, "    CUNA_INLINE void %s(const Args &args, int axis, index n)\n    {\n", name);
    for (int k = 0; k < p->program->noperands; k++)
        cuna__strbuf_printf(p->out, "        p%d += index(args.%s[%d][axis]) * n;\n", k, strides, k);
    cuna__strbuf_add(p->out, "    }\n");
}

static uint8_t dtype_of_value(const printer *p, int value)
{
    if (value < p->text->ninputs)
        return p->text->input_dtype[value];
    return value == index_value(p) ? CUNA_INT64 : p->text->instruction[value - step_value(p, 0)].dtype;
}

/* A value in a dtype; one that has it is not converted, since compilers cannot see that rounding twice is once. */
static void print_as(const printer *p, uint8_t dtype, int value)
{
    if (dtype_of_value(p, value) == dtype)
        cuna__strbuf_printf(p->out, "v%d", value);
    else
        cuna__strbuf_printf(p->out, "convert<%s>(v%d)", type_of(dtype), value);
}

/* Reads the inputs of element j and runs the instructions on them. */
static void print_values(const printer *p)
{
    for (int k = 0; k < p->text->ninputs; k++) {
        if (p->text->input_scalar[k])
            continue;
        int operand = operand_of(p, k), class = p->variant->stride_class[operand];
        cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = ", type_of(p->text->input_dtype[k]), k);
        if (class == CUNA_STRIDE_UNIFORM)
            cuna__strbuf_printf(p->out, "u%d;\n", k);
        else if (class == CUNA_STRIDE_ANY)
            cuna__strbuf_printf(p->out, "load(p%d[j * s%d]);\n", operand, operand);
        else if (class == CUNA_STRIDE_TWO)
            cuna__strbuf_printf(p->out, "load(p%d[2 * j]);\n", operand);
        else
            cuna__strbuf_printf(p->out, "load(p%d[j]);\n", operand);
    }
    if (p->text->uses_index)
        cuna__strbuf_printf(p->out, "        const int64 v%d = %s;\n", index_value(p), folds(p) ? "i" : "position + j");
    for (int k = 0; k < p->text->ninstructions; k++) {
        const cuna_instruction *step = &p->text->instruction[k];
        cuna__strbuf_printf(p->out, "        const value_of<%s>::type v%d = step%d(", type_of(step->dtype),
                            step_value(p, k), k);
        for (int i = 0; i < step->nargs; i++) {
            cuna__strbuf_add(p->out, i ? ", " : "");
            print_as(p, step->arg_dtype[i], step->arg[i]);
        }
        cuna__strbuf_add(p->out, ");\n");
    }
}

static void print_element(const printer *p)
{
    cuna__strbuf_printf(p->out, "    CUNA_INLINE void at(int64 %s)\n    {\n%s    }\n",
                        p->text->uses_index ? "first" : "", p->text->uses_index ? "        position = first;\n" : "");
    cuna__strbuf_printf(p->out, "    CUNA_INLINE void at_next(index n) { %s }\n",
                        p->text->uses_index ? "position += n;" : "");
    cuna__strbuf_add(p->out, "    CUNA_INLINE void element(index j) const\n    {\n");
    print_values(p);
    for (int k = 0; k < p->text->noutputs; k++) {
        const char *type = type_of(p->text->output_dtype[k]);
        static const char *const places[] = {"[j]", "[0]", "[j * s%d]", "[2 * j]", "[j]"};
        char place[24];
        snprintf(place, sizeof place, places[p->variant->stride_class[k]], k);
        cuna__strbuf_printf(p->out, "        p%d%s = store<%s>(", k, place, type);
        print_as(p, p->text->output_dtype[k], p->text->output_value[k]);
        cuna__strbuf_add(p->out, ");\n");
    }
    cuna__strbuf_add(p->out, "    }\n");
}

/* Programs with one contiguous output can write past the caches. */
static void print_output(const printer *p)
{
    bool streams = p->text->noutputs == 1 && p->variant->stride_class[0] == CUNA_STRIDE_UNIT;
    cuna__strbuf_printf(p->out, "    enum { STREAMS = %d };\n    typedef %s Out;\n", streams,
                        type_of(p->text->output_dtype[0]));
    cuna__strbuf_add(
        p->out,
        "    CUNA_INLINE void redirect(Out *to) { p0 = to; }\n    CUNA_INLINE Out *out() const { return p0; }\n");
}

static void print_tiles(const printer *p)
{
    cuna__strbuf_add(p->out, "    struct Tiles {\n");
    for (int k = 0; k < p->text->ninputs; k++)
        if (!p->text->input_scalar[k] && p->variant->stride_class[operand_of(p, k)] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out, "        alignas(64) %s t%d[TILE_SIDE][TILE_PITCH];\n",
                                type_of(p->text->input_dtype[k]), operand_of(p, k));
    cuna__strbuf_add(p->out, "    };\n    CUNA_INLINE static void pack(Tiles &tiles, const Program &p, const Args "
                             "&args, int height, int width)\n    {\n");
    for (int k = p->text->noutputs; k < p->program->noperands; k++)
        if (p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out, "        pack_tile(tiles.t%d, p.p%d, p.s%d, height, width);\n", k, k, k);
    cuna__strbuf_add(p->out, "    }\n    CUNA_INLINE void use(const Tiles &tiles, int row)\n    {\n");
    for (int k = p->text->noutputs; k < p->program->noperands; k++)
        if (p->variant->stride_class[k] == CUNA_STRIDE_TILED)
            cuna__strbuf_printf(p->out, "        p%d = tiles.t%d[row];\n", k, k);
    cuna__strbuf_add(p->out, "    }\n");
}

/* A: the dtype a reduction accumulates in, T its value type; D, R the result's. */
static void print_fold(const printer *p)
{
    const cuna_reducer *reducer = cuna__reducer_get(p->text->reducer);
    cuna__strbuf_printf(p->out,
                        "    typedef %s A; typedef value_of<A>::type T; typedef %s D; typedef value_of<D>::type R;\n",
                        type_of(p->text->accumulator), type_of(p->text->output_dtype[0]));
    cuna__strbuf_printf(p->out, "    typedef %s State;\n", reducer->state);
    cuna__strbuf_printf(p->out, "    CUNA_INLINE static State identity() { return %s; }\n", reducer->identity);
    cuna__strbuf_printf(p->out, "    CUNA_INLINE static State combine(State a, State b) { return %s; }\n",
                        reducer->combine);
    cuna__strbuf_add(p->out, "    CUNA_INLINE State lift(index j, int64 i) const\n    {\n");
    print_values(p);
    cuna__strbuf_add(p->out, "        const T a = ");
    print_as(p, p->text->accumulator, p->text->output_value[0]);
    cuna__strbuf_printf(p->out, ";\n        return %s;\n    }\n", reducer->lift);
    cuna__strbuf_add(p->out, "    CUNA_INLINE void write(State a, int64 n, double extra) const\n    {\n");
    cuna__strbuf_printf(p->out, "        *p0 = store<D>(convert<D>(%s));\n    }\n", reducer->finish);
}

static void print_shape(const printer *p)
{
    int operands = p->program->noperands, scalars = p->program->nscalars;
    cuna__strbuf_printf(p->out, "    typedef %s index;\n", p->variant->wide ? "int64" : "int32");
    if (folds(p))
        cuna__strbuf_printf(p->out,
                            "    enum { KEPT = %d, REDUCED = %d };\n    typedef Fold<%d, %d, KEPT, REDUCED> Args;\n",
                            p->variant->rank, p->variant->reduced_rank, operands, scalars);
    else
        cuna__strbuf_printf(p->out, "    enum { RANK = %d };\n    typedef Walk<%d, %d, RANK> Args;\n", p->variant->rank,
                            operands, scalars);
}

static void print_program(const printer *p)
{
    cuna__strbuf_add(p->out, "struct Program {\n");
    print_shape(p);
    print_members(p);
    print_constructor(p);
    print_begin(p);
    print_advance(p);
    print_step(p, "step", "stride");
    if (folds(p)) {
        print_step(p, "step_reduced", "reduced_stride");
        print_fold(p);
    } else {
        print_element(p);
        print_output(p);
    }
    if (p->variant->form == CUNA_FORM_TILES || p->variant->form == CUNA_FORM_FOLD_TILES)
        print_tiles(p);
    cuna__strbuf_add(p->out, "};\n");
}

static void print_item(cuna_strbuf *out, int number, const cuna_codegen_item *item)
{
    static const char *const templates[] = {"flat", "rows", "tiles", "fold_rows", "fold_columns", "fold_tiles"};
    printer p = {out, item->program, &item->program->text, item->variant};
    cuna__strbuf_printf(out, "namespace cuna {\nnamespace k%d {\n", number);
    print_operations(&p);
    print_program(&p);
    cuna__strbuf_printf(out, "CUNA_ENTRY(%s, Program::Args, %s<Program>)\n", item->entry,
                        templates[item->variant->form]);
    if (folds(&p))
        cuna__strbuf_printf(out, "CUNA_ENTRY(%s_merge, Program::Args, merge<Program>)\n", item->entry);
    cuna__strbuf_add(out, "}\n}\n");
}

static bool is_complex(uint8_t dtype)
{
    return cuna_dtype_kind(dtype) == 'c';
}

static bool uses_complex(const cuna_program_text *text)
{
    bool found = text->reduces && is_complex(text->accumulator);
    for (int i = 0; i < text->ninputs; i++)
        found = found || is_complex(text->input_dtype[i]);
    for (int i = 0; i < text->noutputs; i++)
        found = found || is_complex(text->output_dtype[i]);
    for (int k = 0; k < text->ninstructions; k++) {
        found = found || is_complex(text->instruction[k].dtype);
        for (int i = 0; i < text->instruction[k].nargs; i++)
            found = found || is_complex(text->instruction[k].arg_dtype[i]);
    }
    return found;
}

/* What host and templates must agree on, decided in program.h alone. */
static void print_constants(cuna_strbuf *out)
{
    cuna__strbuf_printf(out,
                        "namespace cuna {\nenum { TILE_SIDE = %d, TILE_STRIP = %d, FOLD_COLUMNS = %d, FOLD_PASS = %d, "
                        "STATE_NBYTES = %d };\n}\n",
                        CUNA_TILE_SIDE, CUNA_TILE_STRIP, CUNA_FOLD_COLUMNS, CUNA_FOLD_PASS, CUNA_STATE_NBYTES);
}

cuna_status cuna__codegen_unit(cuna_strbuf *out, int nitems, const cuna_codegen_item *items)
{
    bool complex = false, elementwise = false, reduce = false;
    for (int i = 0; i < nitems; i++) {
        complex = complex || uses_complex(&items[i].program->text);
        elementwise = elementwise || !items[i].program->text.reduces;
        reduce = reduce || items[i].program->text.reduces;
    }
    cuna__strbuf_add(out, cuna__text_scalar);
    if (complex)
        cuna__strbuf_add(out, cuna__text_complex);
    print_constants(out);
    cuna__strbuf_add(out, cuna__text_walk);
    if (elementwise)
        cuna__strbuf_add(out, cuna__text_elementwise);
    if (reduce)
        cuna__strbuf_add(out, cuna__text_reduce);
    for (int i = 0; i < nitems; i++)
        print_item(out, i, &items[i]);
    return cuna__strbuf_status(out);
}

/* Appends a word, letters and digits only. */
static void append(char *name, size_t nbytes, const char *word)
{
    size_t length = strlen(name);
    for (; *word != '\0' && length + 1 < nbytes; word++)
        if (isalnum((unsigned char)*word) || *word == '_')
            name[length++] = *word;
    name[length] = '\0';
}

void cuna__codegen_name(cuna_codegen_item *item, int number)
{
    static const char *const forms[] = {"flat", "rows", "tiles", "fold_rows", "fold_columns", "fold_tiles"};
    const cuna_program_text *text = &item->program->text;
    size_t room = sizeof item->entry - 12;
    snprintf(item->entry, sizeof item->entry, "cuna");
    for (int k = 0; k < text->ninstructions; k++) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__operation_get(text->instruction[k].operation)->name);
    }
    if (text->reduces) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__reducer_get(text->reducer)->name);
    }
    for (int i = 0; i < text->ninputs; i++) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna_dtype_name(text->input_dtype[i]));
    }
    append(item->entry, room, "_");
    append(item->entry, room, forms[item->variant->form]);
    size_t length = strlen(item->entry);
    snprintf(item->entry + length, sizeof item->entry - length, "_%d", number);
}
