/* codegen_loops_scan.c: names the loops of a reducer that scan values of its accumulator's dtype and finish its states:
 * one table of them (kernels/interpret_scan.hh). States are values of that dtype; a step lifts elements to them. */
#include <string.h>

#include "kernel/codegen_loops.h"

/* A program that uses the index counts along the scanned axis, where steps over columns do not go. */
bool cuna__codegen_loops_scans(const cuna_program_text *text, const cuna_variant *variant)
{
    return text->kind == CUNA_PROGRAM_SCAN && text->noutputs == 1 &&
           strcmp(cuna__reducer_get(text->reducer)->state, "T") == 0 &&
           !(text->uses_index && variant->form == CUNA_FORM_SCAN_COLUMNS);
}

void cuna__codegen_loops_scan(cuna_strbuf *names, const cuna_program_text *text)
{
    const cuna_reducer *reducer = cuna__reducer_get(text->reducer);
    cuna__strbuf_printf(names, "scan\t%s\t%s\t%s\t%s" CUNA_NAME_END, cuna_dtype_kernel_type(text->accumulator),
                        reducer->identity, reducer->combine, reducer->finish);
}
