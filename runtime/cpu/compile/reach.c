/* reach.c: finds the kernels of a source that may call a function that waits for other threads, or that may access
 * volatile shared memory.
 *
 * Words are vertices of a web, and so are the source's pieces: the text between two ends of declarations outside of
 * functions and classes. A word that a piece may define leads to the piece, a piece leads to each word in it, and a
 * macro leads to the words of its body; a word that is only mentioned counts as called. Every rule errs to more edges:
 * equal names are one vertex, a class leads to all of its members, and operators, which are called without a word, are
 * reached from everywhere, as are calls through pointers if a word waits. A text that the rules do not understand is
 * `vague`: then all kernels wait if any word does. */
#include "cpu/compile/reach.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/token.h"
#include "cpu/compile/web.h"

#define MAX_CONDITIONS 64
#define MAX_ALIASES    16

struct token {
    int vertex; /* -1: a mark */
    char mark;
    int braces, parens; /* open ones around it */
    bool in_angles;     /* of template <...> */
};

struct cuna_reach {
    const char *at;
    bool begins_line, vague, in_macros;
    cuna_web web;
    struct token *tokens; /* of the piece */
    int ntokens, max_tokens;
    int braces, parens, angles, scopes;
    bool has_body, has_class, has_value, has_parens, has_namespace; /* of the piece */
    int nconditions, conditions[MAX_CONDITIONS];
};

static const char *const class_words[] = {"class", "struct", "union", "enum", NULL};

/* ---- pieces ---- */

static char mark_at(const cuna_reach *r, int i)
{
    return i >= 0 && i < r->ntokens && r->tokens[i].vertex < 0 ? r->tokens[i].mark : 0;
}

/* Whether the parenthesis that ends before token i holds a pointer: (*p), (&f), (*const p[2]), (C::*p). */
static bool ends_pointer(const cuna_reach *r, int i)
{
    for (i--; i >= 0 && (r->tokens[i].vertex >= 0 || strchr("[]0", r->tokens[i].mark) != NULL); i--)
        ;
    if (mark_at(r, i) != '*' && mark_at(r, i) != '&')
        return false;
    while (mark_at(r, i) == '*' || mark_at(r, i) == '&')
        i--;
    return mark_at(r, i) == '(' || mark_at(r, i) == ':';
}

/* Whether a function may be called through a pointer, or such a pointer's type is named. */
static bool has_pointers(const cuna_reach *r)
{
    int named = -1; /* braces around a type's name that is being given */
    for (int i = 0; i < r->ntokens; i++) {
        const struct token *token = &r->tokens[i];
        if (cuna__cpu_web_is(&r->web, token->vertex, "typedef") ||
            (cuna__cpu_web_is(&r->web, token->vertex, "using") && token->braces == 0))
            named = token->braces;
        else if (mark_at(r, i) == ';' && token->braces == named)
            named = -1;
        if (mark_at(r, i) == ')' && mark_at(r, i + 1) == '(' && ends_pointer(r, i))
            return true;
        if (named >= 0 && mark_at(r, i) == '(')
            return true;
    }
    return false;
}

/* Whether a macro is another word for one word. */
static bool is_alias(const cuna_reach *r, int vertex)
{
    for (int depth = 0; depth < MAX_ALIASES && !r->web.vertices[vertex].is_long; depth++) {
        vertex = r->web.vertices[vertex].alias;
        if (!r->web.vertices[vertex].defines)
            return true;
    }
    return false;
}

/* Whether any word outside of the piece's braces may be its name: a macro may make it. */
static bool may_be_any(cuna_reach *r)
{
    bool any = false;
    for (int i = 0; i < r->ntokens; i++) {
        const struct token *token = &r->tokens[i];
        if (token->braces > 0 || token->parens > 0)
            continue;
        if (token->vertex >= 0 && r->web.vertices[token->vertex].defines) {
            r->web.vertices[token->vertex].in_header = true;
            any |= !is_alias(r, token->vertex);
        }
    }
    return any;
}

/* Whether token i is in parentheses that others follow: (f)(int), (*f(int))(float). */
static bool is_wrapped(const cuna_reach *r, int i)
{
    while (i < r->ntokens && (mark_at(r, i) != ')' || r->tokens[i].parens > 0))
        i++;
    return mark_at(r, i + 1) == '(';
}

/* Whether token i is in a class's list of bases, which lead to the class only if it may override what they have. */
static bool is_base(const cuna_reach *r, int i)
{
    if (!r->has_class || r->web.any_virtual)
        return false;
    for (i--; i >= 0 && mark_at(r, i) != '{'; i--)
        if (mark_at(r, i) == ':' && mark_at(r, i - 1) != ':' && mark_at(r, i + 1) != ':')
            return true;
    return false;
}

/* A function's name precedes parentheses or template arguments, and its class precedes `::`; all else may be named by
 * any word outside of parentheses, or by one that follows only marks in them. */
static bool is_name(const cuna_reach *r, int i, bool is_function)
{
    const struct token *token = &r->tokens[i];
    char next = mark_at(r, i + 1), before = mark_at(r, i - 1);
    if (is_function)
        return token->parens > 0 ? is_wrapped(r, i) : next != 0 && strchr("(<:", next) != NULL;
    if (is_base(r, i))
        return false;
    return token->parens == 0 || before == ':' || ends_pointer(r, i + 1) || (before == '(' && next == ')');
}

/* Whether a word neither names anything nor matters to what leads to it. */
static bool is_plain(const cuna_vertex *v)
{
    return v->is_reserved && v->leads == 0;
}

static void end_piece(cuna_reach *r, bool is_function)
{
    bool any = may_be_any(r), named = false;
    int piece = cuna__cpu_web_add(&r->web, (cuna_vertex){.word = NULL});
    /* The piece leads to each word in it. A word that the piece declares leads to the piece: a reference to the name
     * reaches the whole piece. */
    for (int i = 0; i < r->ntokens && !r->web.failed; i++) {
        const struct token *token = &r->tokens[i];
        /* An operator is called without its name. */
        if (cuna__cpu_web_is(&r->web, token->vertex, "operator") && token->braces == 0) {
            named = true;
            cuna__cpu_web_lead(&r->web, CUNA_WEB_ALWAYS, piece, false);
        }
        if (token->vertex < 0 || is_plain(&r->web.vertices[token->vertex]))
            continue;
        cuna__cpu_web_lead(&r->web, piece, token->vertex, false);
        if (r->web.vertices[token->vertex].is_reserved)
            continue;
        if (token->braces == 0 && !token->in_angles && (any || is_name(r, i, is_function))) {
            named = true;
            cuna__cpu_web_lead(&r->web, token->vertex, piece, false);
        }
    }
    /* A call through a pointer may reach every function whose address was taken. */
    if (has_pointers(r))
        cuna__cpu_web_lead(&r->web, piece, CUNA_WEB_POINTERS, false);
    r->vague |= is_function && !named;
    r->ntokens = r->angles = 0;
    r->has_body = r->has_class = r->has_value = r->has_parens = r->has_namespace = false;
}

/* Of `template <...>`, whose contents do not classify the piece. */
static void count_angles(cuna_reach *r, char mark)
{
    if (r->braces > 0 || r->parens > 0)
        return;
    if (mark == '<' && (r->angles > 0 ||
                        cuna__cpu_web_is(&r->web, r->ntokens > 0 ? r->tokens[r->ntokens - 1].vertex : -1, "template")))
        r->angles++;
    else if (mark == '>' && r->angles > 0)
        r->angles--;
}

static void add_token(cuna_reach *r, int vertex, char mark)
{
    if (cuna__cpu_web_grow(&r->web, (void **)&r->tokens, r->ntokens, &r->max_tokens, sizeof *r->tokens))
        r->tokens[r->ntokens++] = (struct token){vertex, mark, r->braces, r->parens, r->angles > 0};
}

static bool opens_scope(const cuna_reach *r)
{
    int n = r->ntokens;
    return r->has_namespace ||
           (n >= 2 && mark_at(r, n - 1) == '"' && cuna__cpu_web_is(&r->web, r->tokens[n - 2].vertex, "extern"));
}

static void open_brace(cuna_reach *r)
{
    bool outside = r->braces == 0 && r->parens == 0;
    if (outside && opens_scope(r)) {
        end_piece(r, false);
        r->scopes++;
        return;
    }
    r->has_body |= outside;
    if (outside)
        add_token(r, -1, '{');
    r->braces++;
}

/* A function's body ends the piece; an initialiser in a constructor's list does not. */
static void close_brace(cuna_reach *r)
{
    if (r->braces == 0) {
        end_piece(r, false);
        r->vague |= --r->scopes < 0 || r->parens > 0;
        return;
    }
    if (--r->braces > 0 || r->parens > 0)
        return;
    bool is_function = r->has_parens && !r->has_class && !r->has_value && r->angles == 0;
    const char *next = cuna__cpu_token_skip_blank(r->at);
    if (is_function && *next != ',' && *next != '{')
        end_piece(r, true);
}

static void take_mark(cuna_reach *r, char mark)
{
    bool outside = r->braces == 0 && r->parens == 0;
    count_angles(r, mark);
    r->parens -= mark == ')' || mark == ']';
    r->vague |= r->parens < 0 || mark == '\\';
    if (mark == '{' || mark == '}') {
        mark == '{' ? open_brace(r) : close_brace(r);
        return;
    }
    r->vague |= (mark == '<' || mark == '%') && (*r->at == (mark == '<' ? '%' : '>'));
    add_token(r, -1, mark);
    r->has_parens |= outside && mark == '(' && r->angles == 0 && !r->has_body;
    r->has_value |= outside && mark == '=' && r->angles == 0 && !r->has_body;
    r->parens += mark == '(' || mark == '[';
    if (mark == ';' && outside)
        end_piece(r, false);
}

static void take_word(cuna_reach *r, int vertex)
{
    const cuna_vertex *v = &r->web.vertices[vertex];
    if (r->braces == 0 && r->parens == 0 && r->angles == 0 && !r->has_body) {
        r->has_class |= cuna__cpu_token_is_in(v->word, v->length, class_words);
        r->has_namespace |= cuna__cpu_web_is(&r->web, vertex, "namespace");
    }
    add_token(r, vertex, 0);
}

/* ---- lines that begin with '#' ---- */

/* A macro is understood if its brackets balance, it does not build words, and it is at most one declaration. */
static void take_macro_token(cuna_reach *r, int macro, int vertex, char mark, int *brackets)
{
    static const char *const puzzling[] = {"class", "struct",    "union",    "enum",    "operator",
                                           "using", "namespace", "template", "typedef", NULL};
    *brackets += mark != 0 && strchr("([{", mark) != NULL;
    *brackets -= mark != 0 && strchr(")]}", mark) != NULL;
    r->vague |= *brackets < 0 || (mark == '#' && *r->at == '#');
    r->web.vertices[macro].is_puzzle |= mark == ')' && *cuna__cpu_token_skip_blank(r->at) == '(';
    if (vertex < 0)
        return;
    const cuna_vertex *v = &r->web.vertices[vertex];
    r->vague |= cuna__cpu_token_is_in(v->word, v->length, puzzling);
    if (is_plain(v))
        return;
    if (v->is_reserved) {
        cuna__cpu_web_lead(&r->web, macro, vertex, false);
        return;
    }
    r->web.vertices[macro].defines = true;
    cuna__cpu_web_lead(&r->web, macro, vertex, true);
    if (r->web.nedges > 0)
        r->web.edges[r->web.nedges - 1].is_deep = *brackets > 0;
}

/* The next token of a text; 0 at its end. Strings are '"', numbers '0'; `in_line`: a line's end is '\n'. */
static char next_token(cuna_reach *r, int *vertex, bool in_line)
{
    *vertex = -1;
    for (size_t length; *r->at != 0;) {
        if ((length = cuna__cpu_token_comment(r->at)) > 0) {
            r->at += length;
        } else if (in_line && r->at[0] == '\\' && isspace((unsigned char)r->at[1])) {
            r->at += r->at[1] == '\r' && r->at[2] == '\n' ? 3 : 2;
        } else if (isspace((unsigned char)*r->at)) {
            r->begins_line |= *r->at == '\n';
            if (*r->at++ == '\n' && in_line)
                return '\n';
        } else {
            break;
        }
    }
    const char *at = r->at;
    if (*at == 0)
        return 0;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        r->at += cuna__cpu_token_number(at);
        return '0';
    }
    /* R"(...)", with a prefix such as u8: quotes and backslashes inside of it mean nothing. */
    size_t length = cuna__cpu_token_word(at);
    if (length > 0 && at[length] == '"' && at[length - 1] == 'R' && length <= 3) {
        r->at += length + cuna__cpu_token_raw_string(at + length);
        return '"';
    }
    if (length > 0)
        *vertex = cuna__cpu_web_word(&r->web, at, length);
    bool quoted = *at == '"' || *at == '\'';
    r->at += length > 0 ? length : quoted ? cuna__cpu_token_quoted(at) : 1;
    return length > 0 ? 'a' : quoted ? '"' : *at;
}

static void take_define(cuna_reach *r)
{
    int macro, vertex, brackets = 0;
    if (next_token(r, &macro, true) != 'a' || r->web.failed) {
        r->vague = true;
        return;
    }
    r->vague |= r->web.vertices[macro].is_reserved;
    r->web.vertices[macro].is_macro = true;
    r->web.vertices[macro].defines |= *r->at == '(';
    int count = 0;
    for (char c; (c = next_token(r, &vertex, true)) != 0 && c != '\n' && !r->web.failed; count++) {
        cuna_vertex *v = &r->web.vertices[macro];
        v->is_long |= count > 0 || vertex < 0 || (v->alias != 0 && v->alias != vertex);
        v->alias = vertex;
        take_macro_token(r, macro, vertex, vertex < 0 ? c : 0, &brackets);
    }
    r->vague |= brackets != 0;
}

/* All branches of a condition count; this requires that each closes the brackets it opens. */
static void take_condition(cuna_reach *r, const char *word, size_t length)
{
    static const char *const begins[] = {"if*", NULL}, *const goes_on[] = {"el*", "endif", NULL};
    int depth = 1000 * r->scopes + 30 * r->braces + r->parens;
    if (cuna__cpu_token_is_in(word, length, begins)) {
        r->vague |= r->nconditions >= MAX_CONDITIONS;
        if (r->nconditions < MAX_CONDITIONS)
            r->conditions[r->nconditions] = depth;
        r->nconditions++;
    } else if (cuna__cpu_token_is_in(word, length, goes_on)) {
        r->vague |= r->nconditions == 0 || r->nconditions > MAX_CONDITIONS;
        if (r->nconditions > 0 && r->nconditions <= MAX_CONDITIONS)
            r->vague |= r->conditions[r->nconditions - 1] != depth;
        r->nconditions -= r->nconditions > 0 && *word == 'e' && word[1] == 'n';
    }
}

static void take_directive(cuna_reach *r)
{
    int vertex;
    const char *word = cuna__cpu_token_skip_blank(r->at);
    size_t length = cuna__cpu_token_word(word);
    r->begins_line = false;
    if (r->in_macros && cuna__cpu_token_is(word, length, "define")) {
        r->at = word + length;
        take_define(r);
    } else {
        if (!r->in_macros)
            take_condition(r, word, length);
        for (char c = ' '; c != 0 && c != '\n';)
            c = next_token(r, &vertex, true);
    }
    r->begins_line = true;
}

/* ---- the whole ---- */

static void read_text(cuna_reach *r, const char *text, bool in_macros)
{
    int vertex;
    r->at = text;
    r->in_macros = in_macros;
    r->begins_line = true;
    for (char c; !r->web.failed && (c = next_token(r, &vertex, false)) != 0;) {
        bool begins_line = r->begins_line;
        r->begins_line = false;
        if (c == '#' && begins_line)
            take_directive(r);
        else if (!in_macros && vertex >= 0)
            take_word(r, vertex);
        else if (!in_macros)
            take_mark(r, c);
    }
}

/* Loops over ranges and structured bindings call these without their names. */
static void add_hidden_calls(cuna_reach *r)
{
    static const char *const words[] = {"begin", "end", "get"};
    for (int i = 0; i < 3; i++)
        cuna__cpu_web_lead(&r->web, CUNA_WEB_ALWAYS, cuna__cpu_web_word(&r->web, words[i], strlen(words[i])), false);
}

cuna_reach *cuna__cpu_reach_create(int nlines, char *const *lines, const char *source)
{
    cuna_reach *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    cuna__cpu_web_begin(&r->web);
    /* All macros come first: one that is defined below a piece may still be used in it. */
    for (int i = 0; i < nlines; i++)
        read_text(r, lines[i], true);
    read_text(r, source, true);
    read_text(r, source, false);
    /* Brackets that stay open mean that pieces were cut at the wrong places. */
    r->vague |= r->braces > 0 || r->parens > 0 || r->scopes > 0;
    end_piece(r, false);
    add_hidden_calls(r);
    cuna__cpu_web_turn(&r->web);
    if (!r->web.failed) {
        r->web.vertices[CUNA_WEB_POINTERS].leads = r->web.any_leads;
        cuna__cpu_web_follow(&r->web);
        return r;
    }
    cuna__cpu_reach_free(r);
    return NULL;
}

void cuna__cpu_reach_free(cuna_reach *r)
{
    if (r == NULL)
        return;
    cuna__cpu_web_free(&r->web);
    free(r->tokens);
    free(r);
}

static unsigned find_leads(const cuna_reach *r, const char *expression)
{
    if (r->vague || strstr(expression, "*)") != NULL)
        return r->web.any_leads;
    unsigned leads = r->web.vertices[CUNA_WEB_ALWAYS].leads;
    for (const char *at = expression; *at != 0;) {
        size_t length = cuna__cpu_token_word(at);
        int vertex = length > 0 ? cuna__cpu_web_find(&r->web, at, length) : 0;
        leads |= vertex != 0 ? r->web.vertices[vertex].leads : cuna__cpu_web_marks(at, length);
        at += length > 0 ? length : 1;
    }
    return leads;
}

bool cuna__cpu_reach_waits(const cuna_reach *r, const char *expression)
{
    return (find_leads(r, expression) & CUNA_WEB_WAITS) != 0;
}

bool cuna__cpu_reach_shares(const cuna_reach *r, const char *expression)
{
    const unsigned both = CUNA_WEB_VOLATILE | CUNA_WEB_SHARED;
    return (find_leads(r, expression) & both) == both;
}
