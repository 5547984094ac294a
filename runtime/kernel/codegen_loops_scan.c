/* codegen_loops_scan.c: names the loops of a reducer that scan values of its accumulator's dtype: one table of them
 * (kernels/interpret_scan.hh). States are values of that dtype, to which a step lifts elements, and results are states. */
#include <string.h>

#include "kernel/codegen_loops.h"

#define LEAST_NBYTES 4 /* of a state, for which there are walks */

/* Whether results are states. No element has a state of no elements. */
static bool keeps_states(const cuna_reducer *reducer)
{
    return strcmp(reducer->state, "T") == 0 &&
           (strcmp(reducer->finish, "a") == 0 || strcmp(reducer->finish, "n ? a : T(0)") == 0);
}

static bool is_among(const char *text, const char *const list[])
{
    while (*list != NULL && strcmp(text, *list) != 0)
        list++;
    return *list != NULL;
}

/* Where wider dtypes do what others do, fewer loops are needed: where two values combine to one that is not above both,
 * and where the low bits of integers combine by themselves. */
uint8_t cuna__codegen_loops_scanned(const cuna_program_text *text)
{
    static const char *const chooses[] = {"maximum(a, b)", "minimum(a, b)", "fmax(a, b)",
                                          "fmin(a, b)",    "gcd(a, b)",     NULL};
    static const char *const of_bits[] = {"wrap_add(a, b)", "wrap_mul(a, b)", "a & b", "a | b", "a ^ b", NULL};
    static const uint8_t wider[CUNA_DTYPES] = {
        [CUNA_BOOL] = CUNA_INT32,      [CUNA_INT8] = CUNA_INT32,       [CUNA_INT16] = CUNA_INT32,
        [CUNA_UINT8] = CUNA_INT32,     [CUNA_UINT16] = CUNA_INT32,     [CUNA_UINT32] = CUNA_INT64,
        [CUNA_FLOAT16] = CUNA_FLOAT32, [CUNA_BFLOAT16] = CUNA_FLOAT32,
    };
    static const uint8_t widest[CUNA_DTYPES] = {
        [CUNA_BOOL] = CUNA_INT64,  [CUNA_INT8] = CUNA_INT64,   [CUNA_INT16] = CUNA_INT64,  [CUNA_INT32] = CUNA_INT64,
        [CUNA_UINT8] = CUNA_INT64, [CUNA_UINT16] = CUNA_INT64, [CUNA_UINT32] = CUNA_INT64,
    };
    const char *combine = cuna__reducer_get(text->reducer)->combine;
    uint8_t dtype = is_among(combine, chooses)   ? wider[text->accumulator]
                    : is_among(combine, of_bits) ? widest[text->accumulator]
                                                 : 0;
    return dtype != 0 ? dtype : text->accumulator;
}

/* A program that uses the index counts along the scanned axis, where steps over columns do not go. */
bool cuna__codegen_loops_scans(const cuna_program_text *text, const cuna_variant *variant)
{
    return text->kind == CUNA_PROGRAM_SCAN && text->noutputs == 1 &&
           cuna_dtype_size(cuna__codegen_loops_scanned(text)) >= LEAST_NBYTES &&
           keeps_states(cuna__reducer_get(text->reducer)) &&
           !(text->uses_index && variant->form == CUNA_FORM_SCAN_COLUMNS);
}

void cuna__codegen_loops_scan(cuna_strbuf *names, const cuna_program_text *text)
{
    cuna__strbuf_printf(names, "scan\t%s\t%s" CUNA_NAME_END, cuna_dtype_kernel_type(cuna__codegen_loops_scanned(text)),
                        cuna__reducer_get(text->reducer)->combine);
}
