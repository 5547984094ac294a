/* options.c: translates NVRTC's options to the C++ compiler's.
 *
 * cuna's kernels use few, in one form. For raw kernels an option has one or two dashes; its value follows '=', or is
 * the next word, or directly follows the letters D, I and U. */
#define _GNU_SOURCE 1
#include "cpu/compile/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A supported option, or its prefix when it ends in '*', and the compiler's option for it; "" passes it unchanged, NULL
 * drops an option without meaning here. */
static const struct option {
    const char *nvrtc, *compiler;
} known_options[] = {
    {"-D*", ""},
    {"-O0", ""},
    {"-O1", ""},
    {"-O2", ""},
    {"-O3", ""},
    {"-g", ""},
    {"-G", "-g"},
    {"--device-debug", "-g"},
    {"-lineinfo", NULL},
    {"--generate-line-info", NULL},
    {"-arch=*", NULL},
    {"--gpu-architecture=*", NULL},
    {"-std=c++14", NULL},
    {"--std=c++14", NULL},
    {"-fmad=false", NULL},
    {"--fmad=false", NULL},
    {"-fmad=true", "-ffp-contract=fast"},
    {"--fmad=true", "-ffp-contract=fast"},
    {"-default-device", NULL},
    {"--device-as-default-execution-space", NULL},
};

bool cuna__cpu_options_find(const char **word, const char *text)
{
    for (size_t i = 0; i < sizeof known_options / sizeof *known_options; i++) {
        const struct option *option = &known_options[i];
        size_t length = strcspn(option->nvrtc, "*");
        if (option->nvrtc[length] == '*' ? strncmp(text, option->nvrtc, length) != 0 : strcmp(text, option->nvrtc) != 0)
            continue;
        *word = option->compiler != NULL && *option->compiler == 0 ? text : option->compiler;
        return true;
    }
    return false;
}

enum kind {
    DROPPED,       /* without a value, or with one after '=' */
    DROPPED_VALUE, /* with a value */
    WORD,          /* the compiler's option */
    VALUE,         /* the compiler's option with the value */
    FOLDER,        /* the same, and the value is a folder */
    DEFINE,        /* lines of the source, because macros must not change cuna's text before it */
    UNDEFINE,
    INCLUDE,
    PRODUCTS /* "true" or "false" */
};

static const struct row {
    const char *name;
    enum kind kind;
    const char *word;
} rows[] = {
    {"D", DEFINE, NULL},
    {"define-macro", DEFINE, NULL},
    {"U", UNDEFINE, NULL},
    {"undefine-macro", UNDEFINE, NULL},
    {"I", FOLDER, "-I"},
    {"include-path", FOLDER, "-I"},
    {"include", INCLUDE, NULL},
    {"pre-include", INCLUDE, NULL},
    {"std", VALUE, "-std="},
    {"fmad", PRODUCTS, NULL},
    {"g", WORD, "-g"},
    {"G", WORD, "-g"},
    {"device-debug", WORD, "-g"},
    {"O0", WORD, "-O0"},
    {"O1", WORD, "-O1"},
    {"O2", WORD, "-O2"},
    {"O3", WORD, "-O3"},
    {"arch", DROPPED_VALUE, NULL},
    {"gpu-architecture", DROPPED_VALUE, NULL},
    {"maxrregcount", DROPPED_VALUE, NULL},
    {"Xptxas", DROPPED_VALUE, NULL},
    {"ptxas-options", DROPPED_VALUE, NULL},
    {"diag-error", DROPPED_VALUE, NULL},
    {"diag-suppress", DROPPED_VALUE, NULL},
    {"diag-warn", DROPPED_VALUE, NULL},
    {"split-compile", DROPPED_VALUE, NULL},
    {"jump-table-density", DROPPED_VALUE, NULL},
    {"dopt", DROPPED_VALUE, NULL},
    {"lineinfo", DROPPED, NULL},
    {"generate-line-info", DROPPED, NULL},
    {"use_fast_math", DROPPED, NULL},
    {"ftz", DROPPED, NULL},
    {"prec-sqrt", DROPPED, NULL},
    {"prec-div", DROPPED, NULL},
    {"extra-device-vectorization", DROPPED, NULL},
    {"rdc", DROPPED, NULL},
    {"relocatable-device-code", DROPPED, NULL},
    {"dc", DROPPED, NULL},
    {"device-c", DROPPED, NULL},
    {"dw", DROPPED, NULL},
    {"device-w", DROPPED, NULL},
    {"ewp", DROPPED, NULL},
    {"extensible-whole-program", DROPPED, NULL},
    {"dlto", DROPPED, NULL},
    {"dlink-time-opt", DROPPED, NULL},
    {"modify-stack-limit", DROPPED, NULL},
    {"builtin-move-forward", DROPPED, NULL},
    {"builtin-initializer-list", DROPPED, NULL},
    {"w", DROPPED, NULL},
    {"disable-warnings", DROPPED, NULL},
    {"restrict", DROPPED, NULL},
    {"default-device", DROPPED, NULL},
    {"device-as-default-execution-space", DROPPED, NULL},
    {"device-int128", DROPPED, NULL},
    {"display-error-number", DROPPED, NULL},
    {"no-display-error-number", DROPPED, NULL},
    {"err-no", DROPPED, NULL},
    {"no-err-no", DROPPED, NULL},
    {"brief-diagnostics", DROPPED, NULL},
    {"optimization-info", DROPPED, NULL},
    {"version-ident", DROPPED, NULL},
};

/* *value: what follows the name, or NULL. */
static const struct row *find_row(const char **value, const char *option)
{
    const char *name = option + (option[0] == '-') + (option[0] == '-' && option[1] == '-');
    size_t length = strcspn(name, "=");
    if (*option != '-')
        return NULL;
    *value = name[length] == '=' ? name + length + 1 : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0 &&
            (*value == NULL || rows[i].kind != WORD))
            return &rows[i];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strchr("DIU", *rows[i].name) != NULL && rows[i].name[1] == 0 && *name == *rows[i].name) {
            *value = name + 1 + strspn(name + 1, " ");
            return &rows[i];
        }
    return NULL;
}

static bool add_text(char **list, int *count, char *text)
{
    if (*count == CUNA_OPTIONS_WORDS) {
        free(text);
        return false;
    }
    list[(*count)++] = text;
    return true;
}

static bool add(cuna_options *out, const char *word, const char *value)
{
    char *whole = NULL;
    return asprintf(&whole, "%s%s", word, value) >= 0 && add_text(out->words, &out->count, whole);
}

/* "X" is defined as 1, "X=2" and "F(x)=x" as given. */
static bool add_define(cuna_options *out, const char *text)
{
    char *line = NULL;
    int length = (int)strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : "1";
    return asprintf(&line, "#define %.*s %s", length, text, value) >= 0 && add_text(out->lines, &out->nlines, line);
}

static bool add_line(cuna_options *out, const char *begin, const char *text, const char *end)
{
    char *line = NULL;
    return asprintf(&line, "%s%s%s", begin, text, end) >= 0 && add_text(out->lines, &out->nlines, line);
}

/* The compiler runs in another directory. It reports missing files itself. */
static const char *absolute(char whole[PATH_MAX], const char *path)
{
    return realpath(path, whole) != NULL ? whole : path;
}

static bool add_row(cuna_options *out, const struct row *row, const char *value)
{
    char path[PATH_MAX];
    bool yes = value != NULL && strcmp(value, "true") == 0;
    switch (row->kind) {
    case WORD:
        return add(out, row->word, "");
    case VALUE:
        return add(out, row->word, value);
    case FOLDER:
        return add(out, row->word, absolute(path, value));
    /* Definitions become lines before the source: they must not affect the texts that precede the user's. */
    case DEFINE:
        return add_define(out, value);
    case UNDEFINE:
        return add_line(out, "#undef ", value, "");
    case INCLUDE:
        return add_line(out, "#include \"", absolute(path, value), "\"");
    case PRODUCTS:
        return (yes || strcmp(value, "false") == 0) && add(out, "-ffp-contract=", yes ? "fast" : "off");
    default:
        return true;
    }
}

static bool has_value(enum kind kind)
{
    return kind != DROPPED && kind != WORD;
}

const char *cuna__cpu_options_translate(cuna_options *out, int noptions, const char *const *options)
{
    char here[PATH_MAX];
    if (realpath(".", here) != NULL)
        add(out, "-iquote", here); /* where NVRTC looks first */
    for (int i = 0; i < noptions; i++) {
        const char *value, *option = options[i];
        const struct row *row = find_row(&value, option);
        if (row != NULL && has_value(row->kind) && value == NULL)
            value = ++i < noptions ? options[i] : NULL;
        if (row == NULL || (has_value(row->kind) && value == NULL) || !add_row(out, row, value))
            return option;
    }
    return NULL;
}

void cuna__cpu_options_free(cuna_options *options)
{
    while (options->count > 0)
        free(options->words[--options->count]);
    while (options->nlines > 0)
        free(options->lines[--options->nlines]);
}
