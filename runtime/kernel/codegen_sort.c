/* codegen_sort.c: prints the struct Program of a sort, or of a selection, which has its keys.
 *
 * Dtypes of one size have one kernel if they differ in data alone (struct Sort in kernels/sort.cuh). */
#include "kernel/codegen.h"

/* What a kernel knows of its elements. Loops of blocks of one lane over short rows take as long for either. */
static const char *kind_of(const cuna_codegen_item *item, bool lanes)
{
    uint8_t dtype = item->program->text.input_dtype[0];
    bool short_rows = item->variant->form == CUNA_FORM_SORT_ROWS && !lanes;
    if ((short_rows || item->is_shared) && cuna_dtype_size(dtype) > 1)
        return "SORT_EITHER";
    return cuna_dtype_kind(dtype) == 'f' ? "SORT_FLOATS" : "SORT_WHOLE";
}

/* Positions matter to counts only where elements that differ have one key. */
static bool has_positions(const cuna_program_text *text, int form)
{
    bool counts = form == CUNA_FORM_SORT_COUNT || form == CUNA_FORM_SELECT_COUNT;
    return (text->kind == CUNA_PROGRAM_ARGSORT || text->kind == CUNA_PROGRAM_ARGPART) &&
           (!counts || cuna_dtype_kind(text->input_dtype[0]) == 'f');
}

static const char *arguments_of(const cuna_program_text *text)
{
    return cuna__program_selects(text) ? "Select" : "Sort";
}

void cuna__codegen_sort(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    int nbytes = (int)cuna_dtype_size(text->input_dtype[0]);
    cuna__strbuf_printf(out,
                        "struct Program {\n    typedef uint%d Key;\n    typedef uint%d Position;\n"
                        "    typedef %s Args;\n    enum { KIND = %s, PASSES = %d, POSITIONS = %d };\n};\n",
                        8 * nbytes, item->variant->wide ? 64 : 32, arguments_of(text), kind_of(item, lanes), nbytes,
                        has_positions(text, item->variant->form));
}
