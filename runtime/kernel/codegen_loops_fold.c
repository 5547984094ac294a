/* codegen_loops_fold.c: names the loops of a reducer: those that fold values of its accumulator's dtype, and those that
 * finish its states.
 *
 * Half floats are folded as the float32 that they become. */
#include <ctype.h>
#include <string.h>

#include "kernel/codegen_loops.h"

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a text has an identifier. */
static bool mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

/* Whether the texts depend on more than the value type of the accumulator. */
static bool names_dtypes(const cuna_reducer *reducer)
{
    const char *texts[] = {reducer->state, reducer->identity, reducer->lift, reducer->combine, reducer->finish};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (mentions(texts[i], "A") || mentions(texts[i], "D") || mentions(texts[i], "R"))
            return true;
    return false;
}

bool cuna__codegen_loops_folds(const cuna_program_text *text)
{
    return text->kind == CUNA_PROGRAM_FOLD && text->noutputs == 1 && !names_dtypes(cuna__reducer_get(text->reducer));
}

static uint32_t start_name(const cuna_strbuf *names)
{
    return (uint32_t)names->length;
}

void cuna__codegen_loops_fold(cuna_loop_image *head, cuna_strbuf *names, const cuna_program_text *text,
                              const char *value, const char *stored)
{
    const cuna_reducer *reducer = cuna__reducer_get(text->reducer);
    bool folds = mentions(reducer->finish, "combine") || mentions(reducer->finish, "identity");
    head->fold = start_name(names);
    cuna__strbuf_printf(names, "fold\t%s\t%s\t%s\t%s\t%s" CUNA_NAME_END, value, reducer->state, reducer->identity,
                        reducer->lift, reducer->combine);
    head->finish = start_name(names);
    cuna__strbuf_printf(names, "finish\t%s\t%s\t%s\t%s\t%s" CUNA_NAME_END, value, reducer->state,
                        folds ? reducer->identity : "", folds ? reducer->combine : "", reducer->finish);
    head->convert = start_name(names);
    cuna__strbuf_printf(names, "convert\t%s\t" CUNA_NAME_END, cuna_dtype_kernel_type(text->output_dtype[0]));
    head->store = start_name(names);
    cuna__strbuf_printf(names, "store\t%s\tany" CUNA_NAME_END, stored);
}
