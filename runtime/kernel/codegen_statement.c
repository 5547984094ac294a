/* codegen_statement.c: prints what a user's statement needs around it: its types, and functions that it is the body of.
 *
 * A function's parameters are all that the text can see besides what it declares itself, so that no name of ours is in
 * its way; what it declares stands in a namespace, so that none of its names is in ours. #line makes the compiler count
 * the user's lines. */
#include <stdio.h>
#include <string.h>

#include "kernel/codegen_print.h"
#include "seam/driver_header.h"

#define DONE      "\n} while (0);\n" /* a text may leave its element by `continue`, as in the loop that CUDA programs have */
#define LAST_LINE "\n#line 1 \"the text that cuna made\"\n"

/* Prints the next name of a list and returns what follows it. */
static const char *print_name(cuna_strbuf *out, const char *names)
{
    names += strspn(names, " ");
    int length = (int)strcspn(names, " ");
    cuna__strbuf_printf(out, "%.*s", length, names);
    return names + length;
}

/* The rest of a list of names after its first `count`. */
static const char *skip_names(const char *names, int count)
{
    for (; count > 0; count--) {
        names += strspn(names, " ");
        names += strcspn(names, " ");
    }
    return names;
}

static const char *print_inputs(const cuna_printer *p, const char *names)
{
    for (int k = 0; k < p->text->ninputs; k++) {
        cuna__strbuf_printf(p->out, ", const ::cuna::value_of<::cuna::%s>::type ",
                            cuna__type_of(p->text->input_dtype[k]));
        names = print_name(p->out, names);
    }
    return names;
}

static const char *print_outputs(const cuna_printer *p, const char *names)
{
    for (int k = 0; k < p->text->noutputs; k++) {
        cuna__strbuf_printf(p->out, ", ::cuna::value_of<::cuna::%s>::type &", cuna__type_of(p->text->output_dtype[k]));
        names = print_name(p->out, names);
    }
    return names;
}

static const char *raw_writable(const cuna_printer *p, int k)
{
    return p->text->raw_writable[k] ? "true" : "false";
}

static void print_raws(const cuna_printer *p, const char *names)
{
    for (int k = 0; k < p->text->nraws; k++) {
        cuna__strbuf_printf(p->out, ", const ::cuna::Raw<::cuna::%s, %d, %s> &", cuna__type_of(p->text->raw_dtype[k]),
                            p->text->raw_ndim[k], raw_writable(p, k));
        names = print_name(p->out, names);
    }
}

/* The element: statements between those around them. */
static void print_compute(const cuna_printer *p, const cuna_statement *statement)
{
    cuna__strbuf_add(p->out, "CUNA_INLINE void compute(const int64 i, const int64 n");
    if (p->text->indexer != 0)
        cuna__strbuf_printf(p->out, ", const Indexer<%d> &_ind", p->text->indexer - 1);
    print_raws(p, print_outputs(p, print_inputs(p, statement->names)));
    cuna__strbuf_printf(p->out, ")\n{\n%s\ndo {\n#line 1 \"%s\"\n%s\n;" DONE "%s\n}" LAST_LINE, statement->before,
                        statement->name, statement->text, statement->after);
}

/* Where a fold is: CuPy's names of the output's position, and of the element's and the output's positions along axes. */
static void print_fold_places(const cuna_printer *p)
{
    int ndim = p->text->indexer - 1;
    if (ndim >= 0)
        cuna__strbuf_printf(p->out, ", const int64 _i, const Indexer<%d> &_in_ind, const Indexer<%d> &_out_ind", ndim,
                            ndim);
}

/* A function that returns a state: its head was printed. */
static void print_expression(const cuna_printer *p, const char *what, const char *name, const char *text)
{
    cuna__strbuf_printf(p->out, ")\n{\nreturn _state(\n#line 1 \"%s of %s\"\n%s\n);\n}" LAST_LINE, what, name, text);
}

static void print_fold(const cuna_printer *p, const cuna_statement *statement)
{
    const char *name = statement->name, *operation = cuna__program_scans(p->text) ? "scan_expr" : "reduce_expr";
    const char *outputs = skip_names(statement->names, p->text->ninputs);
    cuna__strbuf_printf(p->out, "typedef %s _state;\ntypedef _state _type_reduce;\n", statement->state);
    cuna__strbuf_add(p->out, "CUNA_INLINE _state _identity(");
    print_expression(p, "identity", name, statement->identity);
    cuna__strbuf_add(p->out, "CUNA_INLINE _state _combine(const _state a, const _state b");
    print_expression(p, operation, name, statement->combine);
    cuna__strbuf_add(p->out, "CUNA_INLINE _state _map(const int64 i, const int64 n");
    if (!cuna__program_scans(p->text))
        cuna__strbuf_add(p->out, ", const int64 _J, const int64 _j");
    print_fold_places(p);
    /* The map sees inputs and raw arrays. What follows the fold sees outputs, and inputs only in a scan, which has a
     * result for each element. */
    print_inputs(p, statement->names);
    print_raws(p, skip_names(outputs, p->text->noutputs));
    print_expression(p, "map_expr", name, statement->text);
    cuna__strbuf_printf(p->out, "CUNA_INLINE void _post(const _state a, %sconst int64 n",
                        cuna__program_scans(p->text) ? "const int64 i, " : "");
    print_fold_places(p);
    if (cuna__program_scans(p->text))
        print_inputs(p, statement->names);
    print_raws(p, print_outputs(p, outputs));
    cuna__strbuf_printf(p->out, ")\n{\ndo {\n#line 1 \"post_map_expr of %s\"\n%s\n;" DONE "%s\n}" LAST_LINE, name,
                        statement->finish, statement->after);
}

bool cuna_statement_has_header(const char *name)
{
    return cuna__header_get(name) != NULL;
}

/* The next name in a list with spaces between; false after the last. */
static bool next_include(char *name, size_t nbytes, const char **at)
{
    *at += strspn(*at, " ");
    int length = (int)strcspn(*at, " ");
    snprintf(name, nbytes, "%.*s", length, *at);
    *at += length;
    return length > 0;
}

/* Whether every device has all of them. */
static bool all_have(const char *includes)
{
    char name[256];
    while (next_include(name, sizeof name, &includes))
        if (cuna__header_get(name) == NULL)
            return false;
    return true;
}

/* A header that all devices have is a text of ours; another one is the compiler's business. On GPUs that may be the
 * toolkit's, which includes headers that have such texts too: then all are the compiler's. */
void cuna__codegen_includes(cuna_strbuf *out, const cuna_program_text *text, bool lanes)
{
    char name[256];
    if (text->statement == 0)
        return;
    const char *includes = cuna__statement_get(text->statement)->includes;
    bool by_name = lanes && !all_have(includes);
    while (next_include(name, sizeof name, &includes)) {
        const cuna_header *header = cuna__header_get(name);
        if (by_name || header == NULL)
            cuna__strbuf_printf(out, "#include <%s>\n", name);
        for (int i = 0; !by_name && header != NULL && header->texts != NULL && header->texts[i] != NULL; i++)
            cuna__strbuf_add(out, header->texts[i]);
    }
}

void cuna__print_statement(const cuna_printer *p)
{
    const cuna_statement *statement = cuna__statement_get(p->text->statement);
    cuna__strbuf_printf(p->out, "namespace names {\nCUNA_TEXT_NAMES\nnamespace text {\n%s\n", statement->types);
    if (statement->preamble[0] != '\0')
        cuna__strbuf_printf(p->out, "#line 1 \"preamble of %s\"\n%s\n", statement->name, statement->preamble);
    if (cuna__program_combines(p->text))
        print_fold(p, statement);
    else
        print_compute(p, statement);
    cuna__strbuf_add(p->out, "}\n}\nnamespace text = names::text;\n");
}

void cuna__print_statement_args(const cuna_printer *p)
{
    int indexer = p->text->indexer;
    bool folds = cuna__program_combines(p->text);
    for (int k = 0; k < p->text->nraws; k++)
        cuna__strbuf_printf(p->out, "        RawWords<%d> raw%d;\n", p->text->raw_ndim[k], k);
    if (indexer > 0 && folds)
        cuna__strbuf_add(p->out, "        word reduced_axes;\n");
    if (indexer > 0)
        cuna__strbuf_printf(p->out, "        word loop[%d];\n", indexer > 1 ? indexer - 1 : 1);
}

static void print_values(const cuna_printer *p)
{
    for (int k = 0; k < p->text->ninputs; k++)
        cuna__strbuf_printf(p->out, ", v%d", k);
}

static void print_variables(const cuna_printer *p)
{
    for (int k = 0; k < p->text->noutputs; k++)
        cuna__strbuf_printf(p->out, ", w%d", k);
}

static void print_raw_values(const cuna_printer *p)
{
    for (int k = 0; k < p->text->nraws; k++)
        cuna__strbuf_printf(p->out, ", Raw<%s, %d, %s>(words->raw%d)", cuna__type_of(p->text->raw_dtype[k]),
                            p->text->raw_ndim[k], raw_writable(p, k), k);
    cuna__strbuf_add(p->out, ");\n");
}

void cuna__print_compute(const cuna_printer *p, const char *position)
{
    cuna__strbuf_printf(p->out, "        text::compute(%s, words->size", position);
    if (p->text->indexer > 0)
        cuna__strbuf_printf(p->out, ", Indexer<%d>(%s, words->size, words->loop)", p->text->indexer - 1, position);
    print_values(p);
    print_variables(p);
    print_raw_values(p);
}

/* Declares `o`, the row-major position of the output, which is contiguous: what stands before it. A run of columns has one output for
 * each of its elements, a run of rows one for all. */
void cuna__print_output_position(const cuna_printer *p, bool of_element)
{
    static const char *const beyond[] = {" + %s", "", " + %s * s0", " + 2 * %s", " + %s"};
    bool columns = p->variant->form == CUNA_FORM_FOLD_COLUMNS || p->variant->form == CUNA_FORM_FOLD_TILES;
    if (p->text->indexer == 0)
        return;
    cuna__strbuf_add(p->out, "        const int64 o = p0");
    if (of_element && columns)
        cuna__strbuf_printf(p->out, beyond[p->variant->stride_class[0]], p->lanes ? "k" : "j");
    cuna__strbuf_printf(p->out, " - (%s *)words->pointer[0];\n", cuna__type_of(p->text->output_dtype[0]));
}

/* The arguments of print_fold_places, for the element of the output at `o` whose position among those folded is `at`. */
static void print_fold_arguments(const cuna_printer *p, const char *at)
{
    int ndim = p->text->indexer - 1;
    if (ndim >= 0)
        cuna__strbuf_printf(p->out,
                            ", o, Indexer<%d>(o + %s * words->outputs, words->count * words->outputs, words->loop), "
                            "Indexer<%d>(o, words->outputs, words->loop, int(words->reduced_axes))",
                            ndim, at, ndim);
}

void cuna__print_map(const cuna_printer *p, const char *position)
{
    cuna__strbuf_printf(p->out, "text::_map(%s, words->count", position);
    if (!cuna__program_scans(p->text))
        cuna__strbuf_printf(p->out, p->text->indexer > 0 ? ", %s, o + %s * words->outputs" : ", %s, %s", position,
                            position);
    print_fold_arguments(p, position);
    print_values(p);
    print_raw_values(p);
}

void cuna__print_post(const cuna_printer *p, const char *position)
{
    cuna__strbuf_add(p->out, "        text::_post(a");
    if (cuna__program_scans(p->text))
        cuna__strbuf_printf(p->out, ", %s", position);
    cuna__strbuf_add(p->out, ", words->count");
    print_fold_arguments(p, "0");
    if (cuna__program_scans(p->text))
        print_values(p);
    print_variables(p);
    print_raw_values(p);
}
