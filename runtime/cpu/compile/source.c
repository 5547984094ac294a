/* source.c: translates a raw kernel's CUDA C++ source for a C++ compiler.
 *
 * The source is read once, token by token, and copied except for a few tokens; strings, comments and the number of
 * lines are unchanged. Unsupported code becomes a macro that is an error where it is compiled, so that parts that
 * preprocessing removes may contain anything. `extern __shared__ T name[];` becomes a pointer to the block's memory: a
 * constant inside of functions, an object that converts to pointers outside. An instantiation (`template __global__
 * void f<int>(int *);`) loses its `__global__`, which means `inline` here and is not allowed there in C++. */
#define _GNU_SOURCE 1
#include "cpu/compile/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/dynamic.h"
#include "cpu/compile/include.h"
#include "cpu/compile/ptx.h"
#include "cpu/compile/reach.h"
#include "cpu/compile/region.h"
#include "cpu/compile/step.h"
#include "cpu/compile/token.h"
#include "cpu/execute/raw.h"
#include "seam/driver.h"

extern const char cuna__text_raw_texture_cpu[]; /* of kernels/, embedded by the build */

#define MAX_DEPTH 256
#define MAX_NAMES 16

struct scan {
    FILE *out;
    const char *start, *at;
    char before;              /* the last character outside of spaces and comments; 0 at a line's beginning */
    bool in_directive;        /* in a line that begins with '#' */
    bool includes;            /* a file that was not read */
    bool opens_scope;         /* the next brace is a namespace's or a linkage's */
    bool instantiates;        /* in an instantiation of a template */
    int depth, inside;        /* open braces; those of them that do not open a scope */
    bool is_scope[MAX_DEPTH]; /* of an open brace */
    int nnames;               /* of shared memory, declared outside of functions */
    char names[MAX_NAMES][CUNA_DYNAMIC_NAME];
};

static void copy(struct scan *s, size_t length)
{
    fwrite(s->at, 1, length, s->out);
    s->at += length;
}

/* ---- shared memory of a size that the launch says ---- */

static void keep_name(struct scan *s, const cuna_dynamic *shared)
{
    if (s->nnames < MAX_NAMES)
        snprintf(s->names[s->nnames++], CUNA_DYNAMIC_NAME, "%.*s", (int)shared->name_length, shared->name);
}

/* `at`: the word `extern`, here or after `__shared__`. */
static bool take_shared(struct scan *s, const char *at)
{
    cuna_dynamic shared;
    if (!cuna__cpu_dynamic_parse(&shared, at + strlen("extern"), at != s->at))
        return false;
    int length = (int)shared.name_length;
    if (s->inside > 0)
        fprintf(s->out, "auto *const %.*s = ::cuna_raw::dynamic_shared_of<", length, shared.name);
    else
        fputs("static const ::cuna_raw::DynamicShared<", s->out);
    cuna__cpu_dynamic_print_type(s->out, &shared);
    if (s->inside > 0) {
        fputs(">();", s->out);
    } else {
        fprintf(s->out, "> %.*s{};", length, shared.name);
        keep_name(s, &shared);
    }
    /* Line numbers stay the same, for the compiler's messages. */
    for (; s->at < shared.end; s->at++)
        if (*s->at == '\n')
            fputc('\n', s->out);
    s->before = ';';
    return true;
}

/* An argument that is such an object: `+` makes a pointer of it, where types are deduced or cast. */
static bool is_shared_argument(const struct scan *s, const char *word, size_t length)
{
    char next = *cuna__cpu_token_skip_blank(word + length);
    bool argument = (s->before == '(' && (next == ')' || next == ',')) || (s->before == ',' && next == ')');
    for (int i = 0; argument && i < s->nnames; i++)
        if (cuna__cpu_token_is(word, length, s->names[i]))
            return true;
    return false;
}

/* `__shared__ alignas(16) T x`: C++ has the alignment first. `next`: the word after `__shared__`. */
static bool take_alignment(struct scan *s, const char *next)
{
    size_t length = cuna__cpu_token_word(next);
    const char *end =
        cuna__cpu_token_is(next, length, "alignas") ? cuna__cpu_dynamic_skip_attribute(next, length) : NULL;
    if (end == NULL)
        return false;
    s->at += strlen("__shared__");
    copy(s, (size_t)(end - s->at));
    fputs(" __shared__", s->out);
    s->before = 'a';
    return true;
}

/* Whether a declaration gives its variable a value. */
static bool has_value(const char *at)
{
    int brackets = 0, angles = 0;
    for (; *at != 0 && (*at != ';' || brackets > 0); at++) {
        brackets += strchr("([{", *at) != NULL;
        brackets -= strchr(")]}", *at) != NULL;
        if (brackets == 0)
            angles += (*at == '<') - (*at == '>');
        if (*at == '=' && brackets == 0 && angles == 0)
            return true;
    }
    return false;
}

/* ---- words ---- */

static const char *const cluster_words[] = {
    "this_multi_grid", "multi_grid_group", "this_cluster", "cluster_group", NULL,
};
static const char *const cubemap_words[] = {"texCubemap*", "surfCubemap*", NULL};
static const char *const condition_words[] = {"cudaGraphConditionalHandle", "cudaGraphSetConditional", NULL};

/* The replacement of a word, or NULL. */
static const char *find_replacement(const char *word, size_t length)
{
    if (cuna__cpu_token_is(word, length, "__noinline__"))
        return "CUNA_RAW_NOINLINE";
    if (cuna__cpu_token_is_in(word, length, cluster_words))
        return "CUNA_RAW_NO_CLUSTER";
    if (cuna__cpu_token_is_in(word, length, condition_words))
        return "CUNA_RAW_NO_CONDITION";
    return cuna__cpu_token_is_in(word, length, cubemap_words) ? "CUNA_RAW_NO_CUBEMAP" : NULL;
}

static bool is_raw_prefix(const char *word, size_t length)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    return word[length] == '"' && cuna__cpu_token_is_in(word, length, prefixes);
}

/* Handles words that begin declarations; returns whether it did. */
static bool take_declaration(struct scan *s, size_t length)
{
    const char *next = cuna__cpu_token_skip_blank(s->at + length);
    s->opens_scope |= cuna__cpu_token_is(s->at, length, "namespace");
    s->instantiates |= cuna__cpu_token_is(s->at, length, "template") && *next != '<';
    if (s->in_directive)
        return false;
    if (cuna__cpu_token_is(s->at, length, "__shared__")) {
        /* C++ accepts the two words in either order. */
        if (cuna__cpu_token_is(next, cuna__cpu_token_word(next), "extern"))
            return take_shared(s, next);
        if (has_value(next))
            fputs("CUNA_RAW_NO_VALUE ", s->out);
        if (take_alignment(s, next))
            return true;
    }
    if (cuna__cpu_token_is(s->at, length, "extern")) {
        if (take_shared(s, s->at))
            return true;
        /* extern "C" {: declarations inside are still outside of functions. */
        s->opens_scope = *next == '"' && *cuna__cpu_token_skip_blank(next + cuna__cpu_token_quoted(next)) == '{';
    }
    return false;
}

static void take_word(struct scan *s)
{
    size_t length = cuna__cpu_token_word(s->at);
    const char *replacement = find_replacement(s->at, length);
    /* Nothing is replaced inside a raw string. */
    if (is_raw_prefix(s->at, length)) {
        copy(s, length + cuna__cpu_token_raw_string(s->at + length));
        return;
    }
    if (cuna__cpu_ptx_take(s->out, &s->at)) {
        s->before = 'a';
        return;
    }
    if (take_declaration(s, length))
        return;
    if (s->instantiates && cuna__cpu_token_is(s->at, length, "__global__"))
        replacement = "";
    if (is_shared_argument(s, s->at, length))
        fputc('+', s->out);
    if (replacement != NULL) {
        fputs(replacement, s->out);
        s->at += length;
    } else {
        copy(s, length);
    }
    s->before = 'a';
}

/* ---- lines and braces ---- */

/* `#include` of a known header becomes nothing, or an error; a comment may begin after it. */
static void take_directive(struct scan *s)
{
    char words[256];
    s->in_directive = true;
    s->before = '#';
    switch (cuna__cpu_include_judge(words, sizeof words, s->at)) {
    case CUNA_INCLUDE_NONE:
    case CUNA_INCLUDE_STANDARD:
        copy(s, 1);
        return;
    case CUNA_INCLUDE_USER:
        s->includes = true;
        copy(s, 1);
        return;
    case CUNA_INCLUDE_REFUSED:
        fprintf(s->out, "#pragma GCC error \"%s\"", words);
        break;
    case CUNA_INCLUDE_KNOWN:
        break;
    }
    /* Removes the directive; the rest of the line, such as a comment, is read as usual. */
    s->at += strcspn(s->at, "<\"");
    s->at += 1 + strcspn(s->at + 1, *s->at == '<' ? ">\n" : "\"\n");
    s->at += *s->at != 0 && *s->at != '\n';
}

static void open_brace(struct scan *s)
{
    if (s->depth < MAX_DEPTH)
        s->is_scope[s->depth] = s->opens_scope;
    s->inside += s->depth >= MAX_DEPTH || !s->opens_scope;
    s->depth++;
    s->opens_scope = false;
}

static void close_brace(struct scan *s)
{
    if (s->depth == 0)
        return;
    s->depth--;
    s->inside -= s->depth >= MAX_DEPTH || !s->is_scope[s->depth];
}

static void take_mark(struct scan *s)
{
    if (strncmp(s->at, "<<<", 3) == 0) {
        fputs(" CUNA_RAW_NO_LAUNCH ", s->out);
        s->at += 3;
        return;
    }
    if (!s->in_directive && *s->at == '{')
        open_brace(s);
    if (!s->in_directive && *s->at == '}')
        close_brace(s);
    if (*s->at == ';')
        s->opens_scope = s->instantiates = false;
    s->before = *s->at;
    copy(s, 1);
}

static void take_space(struct scan *s)
{
    if (*s->at == '\n' && (s->at == s->start || s->at[-1] != '\\')) {
        s->instantiates = s->instantiates && !s->in_directive;
        s->in_directive = false;
        s->before = s->before == '#' ? 0 : s->before;
    }
    copy(s, 1);
}

/* Whether only blanks precede the place in its line. */
static bool begins_line(const struct scan *s)
{
    const char *at = s->at;
    while (at > s->start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == s->start || at[-1] == '\n';
}

static void take_token(struct scan *s)
{
    /* The order matters: comments hide everything, and numbers such as 0xffu or 1'000 contain letters and quotes. */
    size_t length = cuna__cpu_token_comment(s->at);
    if (length > 0) {
        copy(s, length);
    } else if (isspace((unsigned char)*s->at)) {
        take_space(s);
    } else if (*s->at == '#' && begins_line(s)) {
        take_directive(s);
    } else if (*s->at == '"' || *s->at == '\'') {
        s->before = *s->at;
        copy(s, cuna__cpu_token_quoted(s->at));
    } else if (isdigit((unsigned char)*s->at) || (*s->at == '.' && isdigit((unsigned char)s->at[1]))) {
        s->before = '0';
        copy(s, cuna__cpu_token_number(s->at));
    } else if (cuna__cpu_token_is_letter(*s->at)) {
        take_word(s);
    } else {
        take_mark(s);
    }
}

/* ---- the whole ---- */

static const char *skip_preludes(const char *source)
{
    const char *at = source;
    for (const char *const *prelude = cuna__driver_cpu()->facts.raw_preludes; *prelude != NULL; prelude++) {
        size_t length = strlen(*prelude);
        if (strncmp(at, *prelude, length) != 0)
            return source;
        at += length;
    }
    return at;
}

/* Whether an expression is an address already: a cast, which chooses an overload. */
static bool is_cast(const char *expression)
{
    return *expression == '(' || strncmp(expression, "static_cast", strlen("static_cast")) == 0;
}

/* `points`: of a kernel that regions rewrite. An invalid expression is an error in a file named after it. */
static void print_export(FILE *out, int number, const char *expression, bool team, int points)
{
    expression = cuna__cpu_token_skip_blank(expression);
    expression = cuna__cpu_token_skip_blank(expression + (*expression == '&'));
    fputs("\n#line 1 \"name expression ", out);
    for (const char *at = expression; *at != 0; at++)
        fputc(*at == '"' || *at == '\\' || iscntrl((unsigned char)*at) ? '_' : *at, out);
    fprintf(out, "\"\nCUNA_RAW_ENTRY(" CUNA_RAW_PREFIX "%d, ::cuna_raw::%s + %d, %s%s)", number, team ? "TEAM" : "LOOP",
            points, is_cast(expression) ? "" : "&", expression);
}

/* This header enables lists such as {1, 2, 3}, which CUDA always has; it declares little else. */
static const char list_header[] = "#if __has_include(<initializer_list>)\n#include <initializer_list>\n#endif\n";

/* And this one has the two functions of C++ that CUDA always has. */
static const char move_header[] = "#include <utility>\n";

static bool names_move(const char *text)
{
    return strstr(text, "std::move") != NULL || strstr(text, "std::forward") != NULL;
}

/* Preludes, up to `start`, followed by the lines of the options; line numbers of the source stay the same. */
static void print_beginning(struct scan *s, const char *source, const char *start, const cuna_options *options)
{
    int line = 1;
    fwrite(source, 1, (size_t)(start - source), s->out);
    fputs(list_header, s->out);
    fputs(names_move(s->at) ? move_header : "", s->out);
    for (int i = 0; i < options->nlines; i++) {
        fprintf(s->out, "%s\n", options->lines[i]);
        s->includes |= strncmp(options->lines[i], "#include", strlen("#include")) == 0;
    }
    for (const char *at = source; at < start; at++)
        line += *at == '\n';
    fprintf(s->out, "#line %d\n", line);
}

/* The source in which lanes go in step, if any kernel shares volatile memory; NULL: they need not. */
static char *find_steps(const cuna_reach *reach, const char *start, int nexpressions, char *const *expressions)
{
    for (int i = 0; i < nexpressions; i++)
        if (cuna__cpu_reach_shares(reach, expressions[i]))
            return cuna__cpu_step_rewrite(start);
    return NULL;
}

/* A source in translation: how its lanes wait for each other. */
struct waits {
    cuna_reach *reach;
    char *stepped;         /* the text in which lanes go in step; NULL: they need not */
    cuna_regions *regions; /* NULL: none are wanted */
};

static int points_of(const struct waits *w, const char *expression)
{
    return w->regions != NULL ? cuna__cpu_regions_points(w->regions, expression) : 0;
}

/* Whether the threads of a kernel need separate stacks. */
static bool needs_team(const struct scan *s, const struct waits *w, const char *expression)
{
    if (points_of(w, expression) > 0)
        return false;
    return s->includes || cuna__cpu_reach_waits(w->reach, expression) ||
           (w->stepped != NULL && cuna__cpu_reach_shares(w->reach, expression));
}

/* Macros that the preludes have to know. */
static void print_modes(struct scan *s, const struct waits *w, bool has_regions, int nexpressions,
                        char *const *expressions)
{
    bool only_teams = true;
    for (int i = 0; i < nexpressions; i++)
        only_teams = only_teams && needs_team(s, w, expressions[i]);
    fprintf(s->out, "%s%s%s%s", w->stepped != NULL ? "#define CUNA_WITH_STEPS 1\n" : "",
            has_regions ? "#define CUNA_WITH_REGIONS 1\n" : "", only_teams ? "#define CUNA_ONLY_TEAMS 1\n" : "",
            strstr(s->start, "asm") != NULL ? "#define CUNA_WITH_PTX 1\n" : "");
}

/* A file that is not read here may have anything. */
static bool may_have_regions(const cuna_options *options, const char *start)
{
    bool includes = cuna__cpu_include_reads(start);
    for (int i = 0; i < options->nlines; i++)
        includes |= strncmp(options->lines[i], "#include", strlen("#include")) == 0;
    return !includes;
}

char *cuna__cpu_source_translate(bool *has_regions, const char *source, const cuna_options *options, int nexpressions,
                                 char *const *expressions)
{
    char *text = NULL;
    size_t nbytes = 0;
    const char *start = skip_preludes(source);
    struct scan s = {.out = open_memstream(&text, &nbytes), .start = start, .at = start};
    struct waits w = {.reach = cuna__cpu_reach_create(options->nlines, options->lines, start)};
    if (s.out != NULL && w.reach != NULL) {
        w.stepped = find_steps(w.reach, start, nexpressions, expressions);
        s.start = s.at = w.stepped != NULL ? w.stepped : start;
        if (*has_regions && may_have_regions(options, start))
            w.regions = cuna__cpu_regions_create(w.reach, s.start, w.stepped != NULL, options->nlines, options->lines,
                                                 nexpressions, expressions);
        *has_regions = w.regions != NULL && cuna__cpu_regions_text(w.regions) != NULL;
        print_modes(&s, &w, *has_regions, nexpressions, expressions);
        print_beginning(&s, source, start, options);
        if (*has_regions)
            s.start = s.at = cuna__cpu_regions_text(w.regions);
        while (*s.at != 0)
            take_token(&s);
        for (int i = 0; i < nexpressions; i++)
            print_export(s.out, i, expressions[i], needs_team(&s, &w, expressions[i]), points_of(&w, expressions[i]));
        fputc('\n', s.out);
    }
    bool good = s.out != NULL && fclose(s.out) == 0 && w.reach != NULL;
    cuna__cpu_reach_free(w.reach);
    cuna__cpu_regions_free(w.regions);
    free(w.stepped);
    if (good)
        return text;
    free(text);
    return NULL;
}

bool cuna__cpu_source_names_textures(const char *source)
{
    static const char *const names[] = {"cudaTexture",
                                        "cudaSurface",
                                        "cudaArray",
                                        "cudaExtent",
                                        "cudaPos",
                                        "cudaPitchedPtr",
                                        "cudaReadMode",
                                        "cudaResourceType",
                                        "cudaChannelFormat",
                                        "tex1D",
                                        "tex2D",
                                        "tex3D",
                                        "surf1D",
                                        "surf2D",
                                        "surf3D"};
    const char *at = strstr(source, cuna__text_raw_texture_cpu);
    if (at == NULL)
        return false;
    at += strlen(cuna__text_raw_texture_cpu);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(at, names[i]) != NULL)
            return true;
    return cuna__cpu_include_reads(at);
}
