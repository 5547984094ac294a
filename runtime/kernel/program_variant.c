/* program_variant.c: variants as numbers: their keys, and how blocks of many lanes cut work for them.
 *
 * A lane moves up to 16 bytes in one access, so that 32 lanes move whole lines, and has LANE_NBYTES under way at once:
 * with 2048 lanes per multiprocessor that is more than the 48 KB which keep an H200's memory busy. */
#include "kernel/program.h"

#define LANE_NBYTES       32
#define ROW_LANE_NBYTES   96 /* of rows, where finding a place costs as much as several elements */
#define MORE_LANE_NBYTES  64 /* of scans, whose blocks wait for others, and tallies and stages, which have fewer lanes */
#define RESIDENT_NBYTES   256 /* of a row, in the registers of one lane */
#define MAX_ITEMS         8
#define MAX_SHORT_ITEMS   4  /* of short rows: each has addresses of its own */
#define MAX_FOLD_ELEMENTS 32 /* states that one round combines, so that its code stays small */

_Static_assert(CUNA_FORMS <= 32, "a variant's key has 5 bits for the form");

uint64_t cuna__variant_key(const cuna_variant *variant, int noperands)
{
    uint64_t key = 0;
    for (int i = 0; i < noperands; i++)
        key = 5 * key + variant->stride_class[i]; /* 16 classes of 5 take 38 bits */
    return (uint64_t)variant->segmented << 63 | key << 25 | (uint64_t)variant->resident << 21 |
           (uint64_t)variant->vector_log2 << 18 | (uint64_t)variant->form << 13 | (uint64_t)variant->wide << 12 |
           (uint64_t)variant->rank << 6 | variant->reduced_rank;
}

/* The dtype of operand k: outputs, then array inputs. */
/* The input that an operand behind the outputs is. */
static int input_of(const cuna_program_text *text, int operand)
{
    int left = operand - text->noutputs, k = 0;
    for (; text->input_scalar[k] || left > 0; k++)
        left -= text->input_scalar[k] == 0;
    return k;
}

static uint8_t dtype_of(const cuna_program_text *text, int operand)
{
    return operand < text->noutputs ? text->output_dtype[operand] : text->input_dtype[input_of(text, operand)];
}

bool cuna__program_is_early(const cuna_program *program, int operand)
{
    return program->levels.early[input_of(&program->text, operand)];
}

static int log2_of(int64_t value)
{
    int log2 = 0;
    while (value >= 2 << log2)
        log2++;
    return log2;
}

int cuna__variant_fit_vector(const cuna_program *program, int form, int64_t widest, int vector_nbytes)
{
    int limit = program->text.statement ? 2 : cuna__forms[form].vector_log2; /* a user's text is repeated so often */
    if (program->calls)
        limit = 0;
    return (int)cuna__min(log2_of(cuna__max(vector_nbytes / widest, 1)), limit);
}

int cuna__variant_vector_log2(const cuna_program *program, const cuna_variant *variant, int vector_nbytes)
{
    const cuna_program_text *text = &program->text;
    int64_t widest = 1;
    for (int k = text->kind == CUNA_PROGRAM_FOLD ? text->noutputs : 0; k < program->noperands; k++) {
        if (variant->stride_class[k] > CUNA_STRIDE_UNIFORM)
            return 0;
        if (variant->stride_class[k] == CUNA_STRIDE_UNIT)
            widest = cuna__max(widest, cuna_dtype_size(dtype_of(text, k)));
    }
    return cuna__variant_fit_vector(program, variant->form, widest, vector_nbytes);
}

/* Accesses that move `lane_nbytes` of a lane at once. */
static int fit_items(const cuna_program *program, int64_t lane_nbytes, int64_t nbytes, int vector_log2)
{
    const cuna_program_text *text = &program->text;
    if (nbytes == 0 && text->noutputs > 0)
        nbytes = cuna_dtype_size(text->output_dtype[0]);
    if (nbytes == 0)
        return 1;
    int items = 1 << log2_of(cuna__max(lane_nbytes / (nbytes << vector_log2), 1));
    int most = cuna__program_folds(text) ? MAX_FOLD_ELEMENTS >> vector_log2 : MAX_ITEMS;
    return (int)cuna__min(items, cuna__min(most, MAX_ITEMS));
}

int cuna__variant_fit_items(const cuna_program *program, int64_t nbytes, int vector_log2)
{
    int64_t lane_nbytes = cuna__program_scans(&program->text) ? MORE_LANE_NBYTES : LANE_NBYTES;
    return fit_items(program, lane_nbytes, nbytes, vector_log2);
}

static int64_t lane_nbytes_of(const cuna_program *program, const cuna_variant *variant)
{
    uint8_t form = variant->form;
    if ((form == CUNA_FORM_ROWS || form == CUNA_FORM_SHORT_ROWS) && !program->is_long)
        return ROW_LANE_NBYTES;
    bool more = cuna__program_scans(&program->text) || program->text.tally_nbytes > 0 || form == CUNA_FORM_STAGES;
    return more ? MORE_LANE_NBYTES : LANE_NBYTES;
}

int cuna__variant_items(const cuna_program *program, const cuna_variant *variant)
{
    const cuna_program_text *text = &program->text;
    int64_t nbytes = 0, widest = 0;
    if (cuna__program_scans(text) && variant->resident > 0)
        return variant->resident;
    if (program->calls)
        return 1;
    for (int k = text->noutputs; k < program->noperands; k++)
        if (variant->stride_class[k] != CUNA_STRIDE_UNIFORM) {
            nbytes += cuna_dtype_size(dtype_of(text, k));
            widest = cuna__max(widest, cuna_dtype_size(dtype_of(text, k)));
        }
    /* A fold has no results in registers; what several rows share, such as a vector, comes from a cache. */
    if (text->kind == CUNA_PROGRAM_FOLD)
        nbytes = cuna__max(widest, nbytes / 2);
    int items = fit_items(program, lane_nbytes_of(program, variant), nbytes, variant->vector_log2);
    return variant->form == CUNA_FORM_SHORT_ROWS ? (int)cuna__min(items, MAX_SHORT_ITEMS) : items;
}

int cuna__variant_resident(const cuna_program *program, const cuna_variant *variant, int64_t accesses)
{
    int64_t nbytes = 0;
    for (int k = program->text.noutputs; k < program->noperands; k++)
        if (variant->stride_class[k] != CUNA_STRIDE_UNIFORM && cuna__program_is_early(program, k))
            nbytes += (int64_t)cuna_dtype_size(dtype_of(&program->text, k)) << variant->vector_log2;
    return accesses <= CUNA_MAX_RESIDENT && accesses * nbytes <= RESIDENT_NBYTES ? (int)accesses : 0;
}

int cuna__variant_side(const cuna_program *program, const cuna_variant *variant)
{
    int64_t widest = 0;
    for (int k = program->text.noutputs; k < program->noperands; k++)
        if (variant->stride_class[k] == CUNA_STRIDE_TILED)
            widest = cuna__max(widest, cuna_dtype_size(dtype_of(&program->text, k)));
    return widest <= 4 ? 64 : 32;
}
