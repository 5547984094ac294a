/* codegen.c: assembles translation units: the common texts, and one struct Program per kernel. */
#include "kernel/codegen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Why a unit has a text: what some program of it is or does. */
enum {
    MAPS = 1 << 0,
    FOLDS = 1 << 1,
    SCANS = 1 << 2,
    HAS_STAGES = 1 << 3,
    SORTS = 1 << 4,
    MULTIPLIES = 1 << 5,
    IS_COMPLEX = 1 << 6,
    HAS_STATEMENT = 1 << 7,
    GATHERS = 1 << 8,
    DRAWS = 1 << 9,
    OWN = 1 << 10,
    SPECIAL = 1 << 11,
    TALLIES = 1 << 12,
    COMPACTS = 1 << 13,
    SELECTS = 1 << 14,
    IMAGES = 1 << 15,
    FACTORS = 1 << 16,
    CONVOLVES = 1 << 17,
    SPARSE = 1 << 18,
    TWOFOLD = 1 << 19,
    BESSEL = 1 << 20,
    MODIFIED = 1 << 21,
    ELLIPTIC = 1 << 22,
    LAMBERT = 1 << 23,
    LEGENDRE = 1 << 24,
    HARMONICS = 1 << 25,
    SIGNALS = 1 << 26,
    INTERPOLATES = 1 << 27,
    PARAMETER = 1 << 28,
    RARE = 1 << 29,  /* of special functions, what few programs have */
    LINES = 1 << 30, /* parts of the lines of sparse matrices */
    ALWAYS = 0
};

/* The texts that kernels of a unit share, in their order: all that a unit must need to have one; the texts where blocks
 * have one lane and many. */
#define TEXT_TABLE(ROW)                                                     \
    ROW(ALWAYS, scalar, scalar)                                             \
    ROW(IS_COMPLEX, complex, complex)                                       \
    ROW(ALWAYS, constants, constants)                                       \
    ROW(ALWAYS, walk, walk)                                                 \
    ROW(ALWAYS, walk_runs, walk_lanes)                                      \
    ROW(MAPS, elementwise_runs, elementwise_lanes)                          \
    ROW(FOLDS, reduce, reduce)                                              \
    ROW(FOLDS, reduce_states_runs, none)                                    \
    ROW(FOLDS, reduce_runs, reduce_lanes)                                   \
    ROW(SCANS, scan, scan)                                                  \
    ROW(SCANS, scan_runs, scan_lanes)                                       \
    ROW(SCANS, scan_columns_runs, scan_columns_lanes)                       \
    ROW(HAS_STAGES, stages_runs, stages_lanes)                              \
    ROW(HAS_STATEMENT, statement, statement)                                \
    ROW(GATHERS, report, report)                                            \
    ROW(GATHERS, gather, gather)                                            \
    ROW(GATHERS, segment, segment)                                          \
    ROW(GATHERS, search, search)                                            \
    ROW(GATHERS, weigh, weigh)                                              \
    ROW(GATHERS, factor, factor)                                            \
    ROW(TALLIES | GATHERS, none, tally_lanes)                               \
    ROW(OWN, own, own)                                                      \
    ROW(SPECIAL, special_error, special_error)                              \
    ROW(SPECIAL, special_logistic, special_logistic)                        \
    ROW(SPECIAL, special_whole_gamma, special_whole_gamma)                  \
    ROW(SPECIAL, special_gamma, special_gamma)                              \
    ROW(SPECIAL, special_beta, special_beta)                                \
    ROW(SPECIAL, special_density, special_density)                          \
    ROW(SPECIAL, special_quadrature, special_quadrature)                    \
    ROW(SPECIAL, special_incomplete, special_incomplete)                    \
    ROW(SPECIAL, special_betainc, special_betainc)                          \
    ROW(SPECIAL, special_degrees, special_degrees)                          \
    ROW(SPECIAL, special_normal, special_normal)                            \
    ROW(PARAMETER, special_parameter, special_parameter)                    \
    ROW(PARAMETER, special_noncentral, special_noncentral)                  \
    ROW(PARAMETER, special_noncentral_ratio, special_noncentral_ratio)      \
    ROW(PARAMETER, special_wright, special_wright)                          \
    ROW(PARAMETER, special_kolmogorov, special_kolmogorov)                  \
    ROW(SPECIAL, special_integral, special_integral)                        \
    ROW(SPECIAL, special_bessel, special_bessel)                            \
    ROW(SPECIAL, special_bessel_ik, special_bessel_ik)                      \
    ROW(SPECIAL, special_elliptic, special_elliptic)                        \
    ROW(TWOFOLD, special_twofold, special_twofold)                          \
    ROW(TWOFOLD | SPECIAL | IS_COMPLEX, special_complex, special_complex)   \
    ROW(BESSEL, special_order, special_order)                               \
    ROW(MODIFIED, special_cosh_steps, special_cosh_steps)                   \
    ROW(MODIFIED, special_order_ik, special_order_ik)                       \
    ROW(BESSEL | IS_COMPLEX, special_hankel, special_hankel)                \
    ROW(BESSEL | MODIFIED, special_spherical, special_spherical)            \
    ROW(BESSEL | MODIFIED, special_airy, special_airy)                      \
    ROW(RARE, special_orthogonal, special_orthogonal)                       \
    ROW(RARE, special_faddeeva, special_faddeeva)                           \
    ROW(RARE | IS_COMPLEX, special_wofz, special_wofz)                      \
    ROW(RARE, special_powers, special_powers)                               \
    ROW(RARE | BESSEL, special_hypergeometric, special_hypergeometric)      \
    ROW(ELLIPTIC, special_incomplete_elliptic, special_incomplete_elliptic) \
    ROW(ELLIPTIC, special_carlson, special_carlson)                         \
    ROW(LAMBERT, special_lambert, special_lambert)                          \
    ROW(LEGENDRE, special_legendre, special_legendre)                       \
    ROW(HARMONICS, special_harmonics, special_harmonics)                    \
    ROW(IMAGES, ndimage_window, ndimage_window)                             \
    ROW(IMAGES, ndimage_spline, ndimage_spline)                             \
    ROW(IMAGES, ndimage_label, ndimage_label)                               \
    ROW(LINES, sparse_order, sparse_order)                                  \
    ROW(LINES, sparse_lines, sparse_lines)                                  \
    ROW(LINES, sparse_near, sparse_near)                                    \
    ROW(LINES, sparse_parts, sparse_parts)                                  \
    ROW(SPARSE, sparse, sparse)                                             \
    ROW(SPARSE, sparse_rows, sparse_rows)                                   \
    ROW(SPARSE, sparse_incomplete, none)                                    \
    ROW(SPARSE, none, sparse_merge)                                         \
    ROW(SPARSE, none, sparse_lanes)                                         \
    ROW(SIGNALS, signal, signal)                                            \
    ROW(INTERPOLATES, interpolate, interpolate)                             \
    ROW(DRAWS, random, random)                                              \
    ROW(DRAWS, random_shapes, random_shapes)                                \
    ROW(DRAWS, random_counts, random_counts)                                \
    ROW(DRAWS, random_orders, random_orders)                                \
    ROW(DRAWS, random_legacy, random_legacy)                                \
    ROW(DRAWS | GATHERS, random_checked, random_checked)                    \
    ROW(SORTS, sort, sort)                                                  \
    ROW(SORTS, sort_runs, sort_lanes)                                       \
    ROW(COMPACTS, compact, compact)                                         \
    ROW(COMPACTS, compact_runs, compact_lanes)                              \
    ROW(SELECTS, select, select)                                            \
    ROW(SELECTS, select_runs, select_lanes)                                 \
    ROW(SELECTS, select_rows_runs, select_rows_lanes)                       \
    ROW(MULTIPLIES, product, product)                                       \
    ROW(MULTIPLIES, product_runs, product_lanes)                            \
    ROW(MULTIPLIES, none, product_teams_lanes)                              \
    ROW(MULTIPLIES, none, product_parts_lanes)                              \
    ROW(CONVOLVES, none, convolve_lanes)                                    \
    ROW(FACTORS, none, factor_lanes)                                        \
    ROW(FACTORS, none, jacobi_lanes)

/* What host and templates must agree on. */
static const char cuna__text_constants[] = "namespace cuna {\nenum { "
#define ROW(and, name, value) and#name " = " #value
    CUNA_CUT_TABLE(ROW, ", ")
#undef ROW
        " };\n}\n";

int cuna_program_cut(const char *name)
{
#define ROW(and, known, value) {#known, value},
    static const struct {
        const char *name;
        int value;
    } cuts[] = {CUNA_CUT_TABLE(ROW, )};
#undef ROW
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        if (strcmp(cuts[i].name, name) == 0)
            return cuts[i].value;
    return 0;
}

const char cuna__text_none[] = ""; /* where blocks of one lane, or others, need no text of their own */

#define ROW(needs, runs, lanes) extern const char cuna__text_##runs[], cuna__text_##lanes[];
TEXT_TABLE(ROW)
#undef ROW

static const struct {
    unsigned needs;
    const char *runs, *lanes;
} texts[] = {
#define ROW(needs, runs, lanes) {needs, cuna__text_##runs, cuna__text_##lanes},
    TEXT_TABLE(ROW)
#undef ROW
};

const cuna_form_facts cuna__forms[CUNA_FORMS] = {
#define ROW(name, template, together, run, vector_log2) {#template, together, CUNA_RUN_##run, vector_log2},
    CUNA_FORM_TABLE(ROW)
#undef ROW
};

/* What kernels of a kind of program are: the struct that their template takes, what prints it, and what they need. */
#define KIND_TABLE(ROW)                                     \
    ROW(MAP, Program, program, MAPS)                        \
    ROW(FOLD, Program, program, FOLDS)                      \
    ROW(SCAN, Program, program, FOLDS | SCANS)              \
    ROW(SCAN_BEFORE, Program, program, FOLDS | SCANS)       \
    ROW(STAGES, Stages, program, MAPS | FOLDS | HAS_STAGES) \
    ROW(SORT, Program, sort, SORTS)                         \
    ROW(ARGSORT, Program, sort, SORTS)                      \
    ROW(SELECT, Program, sort, SORTS | SELECTS)             \
    ROW(PART, Program, sort, SORTS | SELECTS)               \
    ROW(ARGPART, Program, sort, SORTS | SELECTS)            \
    ROW(PRODUCT, Program, product, MULTIPLIES)              \
    ROW(PRODUCTS, Program, products, MULTIPLIES)            \
    ROW(COMPACT, Program, compact, SORTS | COMPACTS)        \
    ROW(CONVOLVE, Program, convolve, FOLDS | CONVOLVES)     \
    ROW(FACTOR, Program, factor, FACTORS)

static const struct kind {
    const char *type;
    void (*print)(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);
    unsigned needs;
} kinds[CUNA_PROGRAM_KINDS] = {
#define ROW(name, type, noun, needs) [CUNA_PROGRAM_##name] = {#type, cuna__codegen_##noun, needs},
    KIND_TABLE(ROW)
#undef ROW
};

/* Elements that stages keep in the registers of a lane and leave room for four blocks; of one input and no more, for four
 * and for three. */
#define FEW_STAGED 16
#define FEW_LEAN   32
#define MANY_LEAN  40

/* Folds of numbers of more than 4 bytes, or with a number beside their elements, have states that need the registers. */
static int stages_team(const cuna_codegen_item *item)
{
    const cuna_program_text *text = &item->program->text;
    for (int k = 0; k < text->ninstructions; k++) {
        const cuna_instruction *step = &text->instruction[k];
        if (step->folds && (step->nargs > 1 || cuna_dtype_size(step->arg_dtype[0]) > 4))
            return cuna__forms[CUNA_FORM_STAGES].together;
    }
    int elements = item->variant->resident << item->variant->vector_log2;
    bool is_lean = item->program->noperands - text->noutputs == 1;
    if (elements <= (is_lean ? FEW_LEAN : FEW_STAGED))
        return 4;
    return is_lean && elements <= MANY_LEAN ? 3 : cuna__forms[CUNA_FORM_STAGES].together;
}

/* Whether lanes of a block work together; above 1, how many blocks a multiprocessor shall have room for. */
static int team_of(const cuna_codegen_item *item)
{
    bool wide = cuna_dtype_size(item->program->text.input_dtype[0]) > 4;
    switch (item->variant->form) {
    case CUNA_FORM_SORT_PLACE:
        return wide ? 2 : 3;
    case CUNA_FORM_SELECT_COUNT:
        return 4;
    case CUNA_FORM_SELECT_PART:
        return wide ? 3 : 4;
    case CUNA_FORM_SELECT_ROWS:
        return 2;
    case CUNA_FORM_TALLY:
        return 4;
    case CUNA_FORM_STAGES:
        return stages_team(item);
    case CUNA_FORM_FOLD_COLUMNS:
        return 4;
    case CUNA_FORM_FLAT:
        return item->program->text.together;
    default:
        return cuna__forms[item->variant->form].together;
    }
}

void cuna__codegen_kernel(cuna_strbuf *out, int number, const cuna_codegen_item *item, bool lanes)
{
    const struct kind *kind = &kinds[item->program->text.kind];
    cuna__codegen_includes(out, &item->program->text, lanes);
    cuna__strbuf_printf(out, "namespace cuna {\nnamespace k%d {\n", number);
    kind->print(out, item, lanes);
    cuna__strbuf_printf(out, "CUNA_ENTRY(%s, Program::Args, %s<%s>, %d)\n", item->entry,
                        cuna__forms[item->variant->form].template, kind->type, team_of(item));
    if (item->program->text.kind == CUNA_PROGRAM_FOLD)
        cuna__strbuf_printf(out, "CUNA_ENTRY(%s_merge, Program::Args, merge<Program>, 1)\n", item->entry);
    cuna__strbuf_add(out, "}\n}\n");
}

static bool is_complex(uint8_t dtype)
{
    return cuna_dtype_kind(dtype) == 'c';
}

static bool uses_complex(const cuna_program_text *text)
{
    bool found = (cuna__program_combines(text) && is_complex(text->accumulator)) || text->statement;
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

/* What the namespaces need that steps of programs name: the texts random*.cuh and special*.cuh stand on own.cuh; of
 * the latter, those of functions in twice the digits come only with them, and call others. */
#define CALLS      (1u << 31) /* no text: functions that call others (cuna__codegen_calls) */
#define ON_TWOFOLD (TWOFOLD | SPECIAL | OWN | CALLS)
static const struct {
    const char *word;
    unsigned needs;
} namespaces[] = {
    {"random::", DRAWS | OWN},
    {"special::", SPECIAL | OWN},
    {"calling::", SPECIAL | OWN | CALLS},
    {"parameter::", PARAMETER | SPECIAL | OWN | CALLS},
    {"bessel::", BESSEL | ON_TWOFOLD},
    {"modified::", MODIFIED | ON_TWOFOLD},
    {"spherical::", BESSEL | MODIFIED | ON_TWOFOLD},
    {"airy::", BESSEL | MODIFIED | ON_TWOFOLD},
    {"orthogonal::", RARE | ON_TWOFOLD},
    {"faddeeva::", RARE | ON_TWOFOLD},
    {"powers::", RARE | ON_TWOFOLD},
    {"hypergeometric::", RARE | BESSEL | ON_TWOFOLD},
    {"elliptic::", ELLIPTIC | ON_TWOFOLD},
    {"carlson::", ELLIPTIC | ON_TWOFOLD},
    {"lambert::", LAMBERT | ON_TWOFOLD},
    {"legendre::", LEGENDRE | ON_TWOFOLD},
    {"harmonics::", HARMONICS | ON_TWOFOLD},
    {"ndimage::", IMAGES},
    {"sparse::", SPARSE | LINES},
    {"lines::", LINES},
    {"signal::", SIGNALS},
    {"interpolate::", INTERPOLATES},
};

static unsigned named_by(const cuna_program_text *text)
{
    unsigned needs = 0;
    for (int k = 0; k < text->ninstructions; k++) {
        if (text->instruction[k].folds)
            continue;
        const char *expression = cuna__operation_get(text->instruction[k].operation)->expression;
        for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
            needs |= strstr(expression, namespaces[i].word) != NULL ? namespaces[i].needs : 0;
    }
    return needs;
}

/* Of complex numbers, special functions are computed in twice the digits. */
static unsigned needs_of(const cuna_program_text *text)
{
    unsigned named = named_by(text), complex = uses_complex(text) ? IS_COMPLEX : 0;
    named |= complex && (named & SPECIAL) ? ON_TWOFOLD : 0;
    return kinds[text->kind].needs | complex | (text->statement ? HAS_STATEMENT : 0) | (text->gathers ? GATHERS : 0) |
           (text->tally_nbytes > 0 ? TALLIES : 0) | named;
}

bool cuna__codegen_calls(const cuna_program_text *text)
{
    return (needs_of(text) & CALLS) != 0;
}

void cuna__codegen_texts(cuna_strbuf *out, unsigned needs, bool lanes)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if ((texts[i].needs & ~needs) == 0)
            cuna__strbuf_add(out, lanes ? texts[i].lanes : texts[i].runs);
}

cuna_status cuna__codegen_unit(cuna_strbuf *out, int nitems, const cuna_codegen_item *items, bool lanes)
{
    unsigned needs = 0;
    for (int i = 0; i < nitems; i++)
        needs |= needs_of(&items[i].program->text);
    cuna__codegen_texts(out, needs, lanes);
    for (int i = 0; i < nitems; i++)
        cuna__codegen_kernel(out, i, &items[i], lanes);
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
    const cuna_program_text *text = &item->program->text;
    size_t room = sizeof item->entry - 12; /* words may be cut, the number after them may not */
    snprintf(item->entry, sizeof item->entry, "cuna");
    for (int k = 0; k < text->ninstructions; k++) {
        append(item->entry, room, "_");
        uint16_t id = text->instruction[k].operation;
        append(item->entry, room,
               text->instruction[k].folds ? cuna__reducer_get(id)->name : cuna__operation_get(id)->name);
    }
    if (text->kind == CUNA_PROGRAM_ARGSORT || text->kind == CUNA_PROGRAM_ARGPART)
        append(item->entry, room, "_arg");
    if (text->statement) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__statement_get(text->statement)->name);
    }
    if (cuna__program_combines(text) && !text->statement) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__reducer_get(text->reducer)->name);
    }
    for (int i = 0; i < text->ninputs; i++) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna_dtype_name(text->input_dtype[i]));
    }
    append(item->entry, room, "_");
    append(item->entry, room, cuna__forms[item->variant->form].template);
    size_t length = strlen(item->entry);
    snprintf(item->entry + length, sizeof item->entry - length, "_%d", number);
}
