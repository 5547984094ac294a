/* codegen_statement.c: prints what a user's statement needs around it: its types, and one function that it is the body of.
 *
 * The function's parameters are all that the text can see besides what it declares itself, so that no name of ours is in
 * its way; #line makes the compiler count the user's lines. */
#include <stdio.h>
#include <string.h>

#include "codegen.h"

/* Prints the next name of a list and returns what follows it. */
static const char *print_name(cuna_strbuf *out, const char *names)
{
    names += strspn(names, " ");
    int length = (int)strcspn(names, " ");
    cuna__strbuf_printf(out, "%.*s", length, names);
    return names + length;
}

static const char *type_of(uint8_t dtype)
{
    return cuna_dtype_kernel_type(dtype);
}

static void print_parameters(cuna_strbuf *out, const cuna_program_text *text, const char *names)
{
    cuna__strbuf_add(out, "const int64 i, const int64 n");
    if (text->indexer != 0)
        cuna__strbuf_printf(out, ", const Indexer<%d> &_ind", text->indexer - 1);
    for (int k = 0; k < text->ninputs; k++) {
        cuna__strbuf_printf(out, ", const ::cuna::value_of<%s>::type ", type_of(text->input_dtype[k]));
        names = print_name(out, names);
    }
    for (int k = 0; k < text->noutputs; k++) {
        cuna__strbuf_printf(out, ", ::cuna::value_of<%s>::type &", type_of(text->output_dtype[k]));
        names = print_name(out, names);
    }
    for (int k = 0; k < text->nraws; k++) {
        cuna__strbuf_printf(out, ", const ::cuna::Raw<%s, %d, %s> &", type_of(text->raw_dtype[k]), text->raw_ndim[k],
                            text->raw_writable[k] ? "true" : "false");
        names = print_name(out, names);
    }
}

void cuna__codegen_statement(cuna_strbuf *out, const cuna_program_text *text)
{
    const cuna_statement *statement = cuna__statement_get(text->statement);
    cuna__strbuf_printf(out, "%s\n", statement->types);
    if (statement->preamble[0] != '\0')
        cuna__strbuf_printf(out, "#line 1 \"preamble of %s\"\n%s\n", statement->name, statement->preamble);
    cuna__strbuf_add(out, "CUNA_INLINE void compute(");
    print_parameters(out, text, statement->names);
    cuna__strbuf_printf(out, ")\n{\n%s\n#line 1 \"%s\"\n%s\n;%s\n}\n#line 1 \"the text that cuna made\"\n",
                        statement->before, statement->name, statement->text, statement->after);
}

void cuna__codegen_statement_args(cuna_strbuf *out, const cuna_program_text *text)
{
    for (int k = 0; k < text->nraws; k++)
        cuna__strbuf_printf(out, "        RawWords<%d> raw%d;\n", text->raw_ndim[k], k);
    if (text->indexer > 0)
        cuna__strbuf_printf(out, "        word loop[%d];\n", text->indexer > 1 ? text->indexer - 1 : 1);
}

void cuna__codegen_statement_call(cuna_strbuf *out, const cuna_program_text *text, const char *position)
{
    cuna__strbuf_printf(out, "        compute(%s, extra->size", position);
    if (text->indexer > 0)
        cuna__strbuf_printf(out, ", Indexer<%d>(%s, extra->size, extra->loop)", text->indexer - 1, position);
    for (int k = 0; k < text->ninputs; k++)
        cuna__strbuf_printf(out, ", v%d", k);
    for (int k = 0; k < text->noutputs; k++)
        cuna__strbuf_printf(out, ", w%d", k);
    for (int k = 0; k < text->nraws; k++)
        cuna__strbuf_printf(out, ", Raw<%s, %d, %s>(extra->raw%d)", type_of(text->raw_dtype[k]), text->raw_ndim[k],
                            text->raw_writable[k] ? "true" : "false", k);
    cuna__strbuf_add(out, ");\n");
}
