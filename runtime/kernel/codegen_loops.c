/* codegen_loops.c: writes programs as images that name loops.
 *
 * A loop's name says what it computes: a kind, dtypes and, for steps of programs, the expression, all separated by tabs.
 * Names are the only agreement between this file and tools/loops.lua, which compiles loops from them: an image with a
 * name that was not compiled cannot be loaded, and its program is compiled as a kernel. */
#include "kernel/codegen_loops.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/codegen_loops_whole.h"

#define MAX_LINES 512

/* What the functions share while they write one image. */
typedef struct writer {
    const cuna_program *program;
    const cuna_program_text *text;
    const cuna_variant *variant;
    cuna_loop_image head;
    cuna_loop_line line[MAX_LINES];
    int nlines, nvalues;
    bool full;
    cuna_strbuf names;
    uint16_t value[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS]; /* of inputs, the index, instructions */
    uint8_t dtype[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS];
    bool wide[CUNA_MAX_OPERANDS + 1 + CUNA_MAX_INSTRUCTIONS]; /* float32 as computed, not yet rounded to the dtype */
} writer;

/* The dtype whose values a dtype's elements become: value_of in the preludes. */
static uint8_t value_dtype(uint8_t dtype)
{
    return dtype == CUNA_FLOAT16 || dtype == CUNA_BFLOAT16 ? CUNA_FLOAT32 : dtype;
}

static uint8_t value_size(uint8_t dtype)
{
    return (uint8_t)cuna_dtype_size(value_dtype(dtype));
}

/* Whether elements in memory are values as they are. */
static bool is_plain(uint8_t dtype)
{
    return value_dtype(dtype) == dtype;
}

/* The type by which elements are moved: of most only the size matters. A bool's byte may be any but 0 for true, and is
 * stored as 1. */
static const char *moved_type(uint8_t dtype)
{
    switch (is_plain(dtype) && dtype != CUNA_BOOL ? cuna_dtype_size(dtype) : 0) {
    case 0:
        return cuna_dtype_kernel_type(dtype);
    case 1:
        return "uint8";
    case 2:
        return "uint16";
    case 4:
        return "uint32";
    case 8:
        return "uint64";
    default:
        return "complex128";
    }
}

/* Adds a line whose name was printed last, from `name` on; its value is new where `value` is -1. */
static cuna_loop_line *add_line(writer *w, size_t name, int value, uint8_t itemsize, int when)
{
    cuna_loop_line *line = &w->line[w->nlines];
    if (w->nlines + 1 < MAX_LINES)
        w->nlines++;
    else
        w->full = true;
    *line = (cuna_loop_line){.name = (uint32_t)name,
                             .value = (uint16_t)(value < 0 ? w->nvalues++ : value),
                             .when = (uint8_t)when,
                             .itemsize = itemsize};
    return line;
}

static void add_argument(cuna_loop_line *line, int value)
{
    line->arg[line->nargs++] = (uint16_t)value;
}

/* A loop of one argument, named by a kind and one or two words. */
static int add_simple(writer *w, int value, uint8_t itemsize, int when, const char *kind, const char *first,
                      const char *second, int argument)
{
    size_t name = w->names.length;
    cuna__strbuf_printf(&w->names,
                        second  ? "%s\t%s\t%s" CUNA_NAME_END
                        : first ? "%s\t%s" CUNA_NAME_END
                                : "%s" CUNA_NAME_END,
                        kind, first, second);
    cuna_loop_line *line = add_line(w, name, value, itemsize, when);
    if (argument >= 0)
        add_argument(line, argument);
    return line->value;
}

static const char *class_name(int class)
{
    static const char *const names[] = {"unit", "uniform", "any", "two", "unit"};
    return names[class];
}

static int add_scalar(writer *w, int k, int slot)
{
    if (w->text->input_scalar[k] == CUNA_SCALAR_TABLE)
        return add_simple(w, -1, sizeof(int64_t), LOOP_LAUNCH, "table", NULL, NULL,
                          w->head.noperands + w->head.nscalars);
    const char *type = cuna_dtype_kernel_type(w->text->input_dtype[k]);
    return add_simple(w, -1, value_size(w->text->input_dtype[k]), LOOP_LAUNCH, "splat", type, NULL,
                      w->head.noperands + slot);
}

static int add_load(writer *w, int k, int operand)
{
    uint8_t dtype = w->text->input_dtype[k];
    int class = w->variant->stride_class[operand], when = class == CUNA_STRIDE_UNIFORM ? LOOP_RUN : LOOP_BLOCK;
    w->head.addresses |= w->text->input_address[k];
    if (w->text->input_address[k])
        return add_simple(w, -1, sizeof(int64_t), when, "address", NULL, NULL, operand);
    if (is_plain(dtype) && (class == CUNA_STRIDE_UNIT || class == CUNA_STRIDE_TILED))
        return operand;
    return add_simple(w, -1, value_size(dtype), when, "load", moved_type(dtype), class_name(class), operand);
}

static void add_inputs(writer *w)
{
    int operand = w->text->noutputs, slot = 0, count = w->text->ninputs;
    for (int k = 0; k < count; k++) {
        w->dtype[k] = w->text->input_address[k] ? CUNA_INT64 : w->text->input_dtype[k];
        w->value[k] = (uint16_t)(w->text->input_scalar[k] ? add_scalar(w, k, slot++) : add_load(w, k, operand++));
    }
    if (!w->text->uses_index)
        return;
    w->dtype[count] = CUNA_INT64;
    bool same = w->variant->form == CUNA_FORM_FOLD_COLUMNS || w->variant->form == CUNA_FORM_FOLD_TILES;
    w->value[count] = (uint16_t)add_simple(w, -1, sizeof(int64_t), same ? LOOP_RUN : LOOP_BLOCK,
                                           same ? "row" : "position", NULL, NULL, -1);
}

static int convert(writer *w, int value, uint8_t from, uint8_t to, int when)
{
    if (from == to || value_dtype(from) == to)
        return value;
    return add_simple(w, -1, value_size(to), when, "convert", cuna_dtype_kernel_type(to),
                      cuna_dtype_kernel_type(value_dtype(from)), value);
}

/* A value of the program in a dtype. */
static int in_dtype(writer *w, int value, uint8_t dtype)
{
    if (w->wide[value])
        w->value[value] = (uint16_t)convert(w, w->value[value], CUNA_FLOAT32, w->dtype[value], LOOP_BLOCK);
    w->wide[value] = false;
    return convert(w, w->value[value], w->dtype[value], dtype, LOOP_BLOCK);
}

/* Whether a step only converts its argument. */
static bool is_cast(const cuna_instruction *step)
{
    return step->nargs == 1 && strcmp(cuna__operation_get(step->operation)->expression, "a") == 0;
}

static bool is_half(uint8_t dtype)
{
    return value_dtype(dtype) != dtype;
}

/* Whether a text has one of two letters as a word. */
static bool names(const char *text, char first, char second)
{
    bool inside = false;
    for (const char *at = text; *at != 0; at++) {
        bool starts = !inside;
        inside = isalnum((unsigned char)*at) || *at == '_';
        if (starts && (*at == first || *at == second) && !isalnum((unsigned char)at[1]) && at[1] != '_')
            return true;
    }
    return false;
}

/* Whether the loop of a step is that of float32, which half floats are computed in: the text does not name their dtypes,
 * and a result in them is rounded once. */
static bool is_widened(const cuna_instruction *step, const char *text)
{
    bool good = !names(text, 'D', 'E');
    for (int i = 0; i < step->nargs && is_half(step->dtype); i++)
        good = good && step->arg_dtype[i] != CUNA_FLOAT64 && step->arg_dtype[i] < CUNA_COMPLEX64;
    return good && step->nargs > 0;
}

/* How many arguments the loop of a step has: its own text may do without the last ones. */
static int count_arguments(const cuna_instruction *step)
{
    const char *text = cuna__operation_on_loops(step->operation);
    int count = step->nargs;
    if (text == cuna__operation_get(step->operation)->expression)
        return count;
    while (count > 0 && !names(text, (char)('a' + count - 1), 0))
        count--;
    return count;
}

/* Prints the name of a step's loop; returns the dtype of its result. */
static uint8_t print_step(writer *w, const cuna_instruction *step, int nargs)
{
    const char *text = cuna__operation_on_loops(step->operation);
    bool wide = is_widened(step, text);
    uint8_t dtype = wide ? value_dtype(step->dtype) : step->dtype;
    cuna__strbuf_printf(&w->names, "step\t%s\t", cuna_dtype_kernel_type(dtype));
    for (int i = 0; i < nargs; i++)
        cuna__strbuf_printf(&w->names, "%s%s", i ? "," : "",
                            cuna_dtype_kernel_type(wide ? value_dtype(step->arg_dtype[i]) : step->arg_dtype[i]));
    cuna__strbuf_printf(&w->names, "\t%s" CUNA_NAME_END, text);
    return dtype;
}

static void add_instruction(writer *w, int k)
{
    const cuna_instruction *step = &w->text->instruction[k];
    int number = w->text->ninputs + (w->text->uses_index != 0) + k, args[CUNA_MAX_ARGUMENTS];
    int nargs = count_arguments(step);
    for (int i = 0; i < nargs; i++)
        args[i] = in_dtype(w, step->arg[i], step->arg_dtype[i]);
    w->dtype[number] = step->dtype;
    if (is_cast(step)) {
        w->value[number] = convert(w, args[0], step->arg_dtype[0], step->dtype, LOOP_BLOCK);
        return;
    }
    size_t name = w->names.length;
    w->wide[number] = print_step(w, step, nargs) != step->dtype;
    cuna_loop_line *line = add_line(w, name, -1, value_size(step->dtype), LOOP_BLOCK);
    for (int i = 0; i < nargs; i++)
        add_argument(line, args[i]);
    w->value[number] = line->value;
}

static void add_store_line(writer *w, int k, int value, int when)
{
    int class = w->variant->stride_class[k] == CUNA_STRIDE_UNIFORM ? CUNA_STRIDE_ANY : w->variant->stride_class[k];
    add_simple(w, k, 0, when, "store", moved_type(w->text->output_dtype[k]), class_name(class), value);
}

/* What an output is stored from. Of several outputs one may be the memory of an input that another one is. */
static int output_value(writer *w, int k)
{
    uint8_t dtype = w->text->output_dtype[k];
    int from = w->text->output_value[k];
    if (w->wide[from] && w->dtype[from] == dtype) /* the store rounds */
        return w->value[from];
    int value = in_dtype(w, from, dtype);
    if (w->text->noutputs == 1 || value >= w->head.noperands)
        return value;
    return add_simple(w, -1, value_size(dtype), LOOP_BLOCK, "load", moved_type(dtype), class_name(CUNA_STRIDE_UNIT),
                      value);
}

/* Only the last step of a single output may write to memory itself. */
static void add_store(writer *w, int k, int value)
{
    uint8_t dtype = w->text->output_dtype[k];
    int class = w->variant->stride_class[k];
    cuna_loop_line *last = w->nlines > 0 ? &w->line[w->nlines - 1] : NULL;
    if (w->text->noutputs == 1 && is_plain(dtype) && class == CUNA_STRIDE_UNIT && last != NULL &&
        last->value == value && last->when == LOOP_BLOCK)
        last->value = (uint16_t)k;
    else
        add_store_line(w, k, value, LOOP_BLOCK);
}

static int lift(writer *w, int value, uint8_t dtype)
{
    const char *text = cuna__reducer_get(w->text->reducer)->lift, *type = cuna_dtype_kernel_type(dtype);
    if (strcmp(text, "a") == 0)
        return value;
    size_t name = w->names.length;
    cuna__strbuf_printf(&w->names, "step\t%s\t%s\t%s" CUNA_NAME_END, type, type, text);
    cuna_loop_line *line = add_line(w, name, -1, value_size(dtype), LOOP_BLOCK);
    add_argument(line, value);
    return line->value;
}

/* The line of a scan's reducer is followed by those that convert and store its results, where these are not elements as
 * they are. */
static void add_scan(writer *w)
{
    uint8_t own = w->text->accumulator, from = cuna__codegen_loops_scanned(w->text), to = w->text->output_dtype[0];
    bool in_place = from == to && is_plain(to) && w->variant->stride_class[0] == CUNA_STRIDE_UNIT;
    int value = convert(w, lift(w, in_dtype(w, w->text->output_value[0], own), own), own, from, LOOP_BLOCK);
    size_t name = w->names.length;
    cuna__codegen_loops_scan(&w->names, w->text);
    cuna_loop_line *line = add_line(w, name, in_place ? 0 : -1, value_size(from), LOOP_AFTER);
    add_argument(line, value);
    value = convert(w, convert(w, line->value, from, value_dtype(own), LOOP_AFTER), own, to, LOOP_AFTER);
    if (!in_place)
        add_store_line(w, 0, value, LOOP_AFTER);
}

/* Stores come after all else: an output may be the memory of an input that a later step reads. */
static void add_stores(writer *w)
{
    int value[CUNA_MAX_OPERANDS];
    for (int k = 0; k < w->text->noutputs; k++)
        value[k] = output_value(w, k);
    for (int k = 0; k < w->text->noutputs; k++)
        add_store(w, k, value[k]);
}

/* Whether the last line multiplies two values of a type. */
static bool ends_with_product(const writer *w, const char *type)
{
    char name[80];
    const cuna_loop_line *last = w->nlines > 0 ? &w->line[w->nlines - 1] : NULL;
    int length = snprintf(name, sizeof name, "step\t%s\t%s,%s\twrap_mul(a, b)" CUNA_NAME_END, type, type, type);
    return last != NULL && last->value == w->head.folded && last->when == LOOP_BLOCK &&
           w->names.length == last->name + (size_t)length &&
           memcmp(w->names.text + last->name, name, (size_t)length) == 0;
}

/* Names the loops that multiply and add at once, where what is folded are products. */
static void add_pairs(writer *w, const char *type)
{
    const cuna_reducer *reducer = cuna__reducer_get(w->text->reducer);
    if (strcmp(reducer->combine, "wrap_add(a, b)") != 0 || strcmp(reducer->lift, "a") != 0 ||
        strcmp(reducer->state, "T") != 0 || !ends_with_product(w, type))
        return;
    w->head.pairs = (uint32_t)w->names.length;
    cuna__strbuf_printf(&w->names, "pairs\t%s\t%s\t%s\twrap_mul(x, y)" CUNA_NAME_END, type, reducer->identity,
                        reducer->combine);
}

static void add_fold(writer *w)
{
    uint8_t dtype = w->text->accumulator;
    w->head.folded = (uint16_t)in_dtype(w, w->text->output_value[0], dtype);
    add_pairs(w, cuna_dtype_kernel_type(value_dtype(dtype)));
    cuna__codegen_loops_fold(&w->head, &w->names, w->text, cuna_dtype_kernel_type(value_dtype(dtype)),
                             moved_type(w->text->output_dtype[0]));
}

/* The interpreter's number of a form, and 1; 0: it has no such walk. */
#define WALK(form) [CUNA_FORM_##form] = LOOP_##form + 1
static const uint8_t walks[CUNA_FORMS] = {WALK(FLAT),      WALK(ROWS),         WALK(TILES),
                                          WALK(FOLD_ROWS), WALK(FOLD_COLUMNS), WALK(FOLD_TILES),
                                          WALK(SCAN_ROWS), WALK(SCAN_TILES),   WALK(SCAN_COLUMNS)};
#undef WALK

static bool is_loop_form(const writer *w)
{
    return w->text->statement == 0 && walks[w->variant->form] != 0 &&
           (w->text->kind == CUNA_PROGRAM_MAP || cuna__codegen_loops_folds(w->text) ||
            cuna__codegen_loops_scans(w->text, w->variant));
}

static void write_head(writer *w)
{
    const cuna_program_text *text = w->text;
    cuna_loop_image *head = &w->head;
    memcpy(head->magic, CUNA_LOOP_MAGIC, sizeof head->magic);
    head->form = (uint8_t)(walks[w->variant->form] - 1);
    head->noperands = (uint8_t)w->program->noperands;
    head->noutputs = text->noutputs;
    head->nscalars = (uint8_t)w->program->nscalars;
    head->rank = w->variant->rank;
    head->reduced_rank = w->variant->reduced_rank;
    head->table = text->table;
    head->streams =
        text->kind == CUNA_PROGRAM_MAP && text->noutputs == 1 && w->variant->stride_class[0] == CUNA_STRIDE_UNIT;
    for (int k = 0; k < text->noutputs; k++)
        head->itemsize[k] = (uint8_t)cuna_dtype_size(text->output_dtype[k]);
    for (int k = 0, operand = text->noutputs; k < text->ninputs; k++)
        if (!text->input_scalar[k])
            head->itemsize[operand++] = (uint8_t)cuna_dtype_size(text->input_dtype[k]);
    memcpy(head->stride_class, w->variant->stride_class, (size_t)w->program->noperands);
}

/* Joins head, lines and names; names end with a zero then. */
static cuna_status join(cuna_loop_image **out, writer *w)
{
    size_t lines = sizeof w->head + (size_t)w->nlines * sizeof *w->line, nbytes = lines + w->names.length;
    CUNA_TRY(cuna__strbuf_status(&w->names));
    cuna_loop_image *image = malloc(nbytes);
    if (image == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel image");
    w->head.nbytes = (uint32_t)nbytes;
    w->head.nlines = (uint16_t)w->nlines;
    for (int i = 0; i < w->nlines; i++)
        w->line[i].name += (uint32_t)lines;
    w->head.pairs += w->head.pairs != 0 ? (uint32_t)lines : 0;
    uint32_t *fold[] = {&w->head.fold, &w->head.finish, &w->head.convert, &w->head.store};
    for (size_t i = 0; i < sizeof fold / sizeof *fold && w->text->kind == CUNA_PROGRAM_FOLD; i++)
        *fold[i] += (uint32_t)lines;
    memcpy(image, &w->head, sizeof w->head);
    memcpy((char *)image + sizeof w->head, w->line, lines - sizeof w->head);
    for (size_t i = 0; i < w->names.length; i++)
        ((char *)image)[lines + i] = (char)(w->names.text[i] == *CUNA_NAME_END ? 0 : w->names.text[i]);
    *out = image;
    return CUNA_OK;
}

cuna_status cuna__codegen_loops(cuna_loop_image **out, const cuna_program *program, const cuna_variant *variant)
{
    *out = NULL;
    if (cuna__codegen_is_whole(&program->text))
        return cuna__codegen_loops_whole(out, program, variant);
    writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel image");
    *w = (writer){.program = program, .text = &program->text, .variant = variant};
    cuna_status status = CUNA_OK;
    if (is_loop_form(w)) {
        write_head(w);
        w->nvalues = w->head.noperands + w->head.nscalars + 1;
        add_inputs(w);
        for (int k = 0; k < w->text->ninstructions; k++)
            add_instruction(w, k);
        if (w->text->kind == CUNA_PROGRAM_FOLD)
            add_fold(w);
        else if (cuna__program_scans(w->text))
            add_scan(w);
        else
            add_stores(w);
        status = w->full ? CUNA_OK : join(out, w);
    }
    cuna__strbuf_free(&w->names);
    free(w);
    return status;
}
