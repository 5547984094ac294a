/* codegen_sort.c: prints the struct Program of a sort.
 *
 * Dtypes of one size have one kernel if they differ in data alone (struct Sort in kernels/sort.cuh). */
#include "kernel/codegen.h"

/* What a kernel knows of its elements. Loops of blocks of one lane over short rows take as long for either. */
static const char *kind_of(const cuna_codegen_item *item, bool lanes)
{
    uint8_t dtype = item->program->text.input_dtype[0];
    if (item->variant->form == CUNA_FORM_SORT_ROWS && !lanes && cuna_dtype_size(dtype) > 1)
        return "SORT_EITHER";
    return cuna_dtype_kind(dtype) == 'f' ? "SORT_FLOATS" : "SORT_WHOLE";
}

/* Positions matter to counts only where elements that differ have one key. */
static bool has_positions(const cuna_program_text *text, int form)
{
    return text->kind == CUNA_PROGRAM_ARGSORT &&
           (form != CUNA_FORM_SORT_COUNT || cuna_dtype_kind(text->input_dtype[0]) == 'f');
}

void cuna__codegen_sort(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    int nbytes = (int)cuna_dtype_size(text->input_dtype[0]);
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef uint%d Key;\n    typedef uint%d Position;\n"
                        "    typedef Sort Args;\n    enum { KIND = %s, PASSES = %d, POSITIONS = %d };\n};\n",
                        8 * nbytes, item->variant->wide ? 64 : 32, kind_of(item, lanes), nbytes,
                        has_positions(text, item->variant->form));
}
