/* code.c: reads the tokens of a C++ source, and pairs their brackets. */
#define _GNU_SOURCE 1
#include "cpu/compile/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/token.h"

struct reader {
    cuna_code *code;
    const char *at, *line_start;
    int line;
    bool in_macro; /* reads a macro's body, up to its line's end */
};

static cuna_code_token *add(struct reader *r, char mark, size_t length)
{
    cuna_code *code = r->code;
    if (code->count == code->max) {
        int more = code->max > 0 ? 2 * code->max : 1024;
        cuna_code_token *bigger = realloc(code->tokens, (size_t)more * sizeof *bigger);
        code->failed |= bigger == NULL;
        if (bigger == NULL)
            return NULL;
        code->tokens = bigger;
        code->max = more;
    }
    cuna_code_token *token = &code->tokens[code->count++];
    *token = (cuna_code_token){r->at, length, mark, -1, -1, r->line, (int)(r->at - r->line_start)};
    r->at += length;
    return token;
}

/* Moves over characters that may hold ends of lines; a macro's count as one. */
static void skip(struct reader *r, size_t length)
{
    for (const char *end = r->at + length; r->at < end; r->at++)
        if (*r->at == '\n' && !r->in_macro) {
            r->line++;
            r->line_start = r->at + 1;
        }
}

static size_t count_continuation(const char *at)
{
    return at[0] != '\\' ? 0 : at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static void skip_line(struct reader *r)
{
    while (*r->at != 0 && *r->at != '\n') {
        size_t length = cuna__cpu_token_comment(r->at);
        length = length > 0 ? length : count_continuation(r->at);
        skip(r, length > 0 ? length : 1);
    }
}

static void read_token(struct reader *r)
{
    size_t length = cuna__cpu_token_word(r->at);
    const char *at = r->at;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
        add(r, '0', cuna__cpu_token_number(at));
    else if (length > 0 && at[length] == '"' && at[length - 1] == 'R' && length <= 3)
        skip(r, length + cuna__cpu_token_raw_string(at + length));
    else if (length > 0)
        add(r, 'a', length);
    else if (*at == '"' || *at == '\'')
        add(r, '"', cuna__cpu_token_quoted(at));
    else
        add(r, *at, 1);
}

/* Up to the text's end; a macro's is the line's. */
static void read_text(struct reader *r)
{
    bool begins_line = !r->in_macro;
    while (*r->at != 0 && !r->code->failed && !(r->in_macro && *r->at == '\n')) {
        size_t comment = cuna__cpu_token_comment(r->at);
        comment = comment > 0 ? comment : count_continuation(r->at);
        bool directive = begins_line && *r->at == '#';
        begins_line = *r->at == '\n' || (begins_line && (isspace((unsigned char)*r->at) || comment > 0));
        if (comment > 0 || isspace((unsigned char)*r->at))
            skip(r, comment > 0 ? comment : 1);
        else if (directive)
            skip_line(r);
        else
            read_token(r);
    }
    add(r, 0, 0);
}

/* Reads the body of the macro whose directive begins here; the name stays, as its first token. */
static void read_macro(struct reader *r)
{
    const char *word = cuna__cpu_token_skip_blank(r->at + 1);
    size_t length = cuna__cpu_token_word(word);
    if (cuna__cpu_token_is(word, length, "define")) {
        r->in_macro = true;
        r->line_start = r->at;
        r->at = cuna__cpu_token_skip_blank(word + length);
        add(r, 'a', cuna__cpu_token_word(r->at));
        r->at += *r->at == '(' ? strcspn(r->at, ")\n") : 0;
        r->at += *r->at == ')';
        read_text(r);
        r->in_macro = false;
    }
    skip_line(r);
}

static void read_macros(struct reader *r)
{
    bool begins_line = true;
    while (*r->at != 0 && !r->code->failed) {
        size_t comment = cuna__cpu_token_comment(r->at);
        if (begins_line && *r->at == '#') {
            read_macro(r);
            continue;
        }
        bool quoted = *r->at == '"' || *r->at == '\'';
        begins_line = *r->at == '\n' || (begins_line && (isspace((unsigned char)*r->at) || comment > 0));
        skip(r, comment > 0 ? comment : quoted ? cuna__cpu_token_quoted(r->at) : 1);
    }
}

static char opening_of(char closing)
{
    return closing == ')' ? '(' : closing == ']' ? '[' : closing == '}' ? '{' : 0;
}

/* The depth of the innermost open bracket of this kind, counted from 1; 0: none. */
static int find_open(const cuna_code *code, const int *open, int depth, char mark)
{
    while (depth > 0 && code->tokens[open[depth - 1]].mark != mark)
        depth--;
    return depth;
}

static void pair_brackets(cuna_code *code)
{
    int *open = malloc((size_t)code->count * sizeof *open), depth = 0, brace = -1;
    code->failed |= open == NULL;
    for (int i = 0; i < code->count && open != NULL; i++) {
        cuna_code_token *token = &code->tokens[i];
        char mark = opening_of(token->mark);
        int found = mark != 0 ? find_open(code, open, depth, mark) : 0;
        if (token->mark == 0) {
            depth = 0;
            brace = -1;
        } else if (found > 0) {
            depth = found - 1;
            token->match = open[depth];
            code->tokens[open[depth]].match = i;
            brace = code->tokens[open[depth]].parent;
        }
        token->parent = brace;
        if (token->mark != 0 && strchr("([{", token->mark) != NULL)
            open[depth++] = i;
        brace = token->mark == '{' ? i : brace;
    }
    free(open);
}

void cuna__cpu_code_read(cuna_code *code, const char *text)
{
    struct reader r = {.code = code, .at = text, .line_start = text};
    add(&r, 0, 0);
    read_text(&r);
    code->nplain = code->count;
    r = (struct reader){.code = code, .at = text, .line_start = text};
    read_macros(&r);
    if (!code->failed)
        pair_brackets(code);
}

void cuna__cpu_code_free(cuna_code *code)
{
    free(code->tokens);
    *code = (cuna_code){0};
}

bool cuna__cpu_code_is(const cuna_code_token *token, const char *word)
{
    return token->mark == 'a' && cuna__cpu_token_is(token->at, token->length, word);
}

bool cuna__cpu_code_is_in(const cuna_code_token *token, const char *const *words)
{
    return token->mark == 'a' && cuna__cpu_token_is_in(token->at, token->length, words);
}

bool cuna__cpu_code_touches(const cuna_code_token *token, const char *marks)
{
    return token->mark != 0 && strncmp(token->at, marks, strlen(marks)) == 0;
}

int cuna__cpu_code_end(const cuna_code *code, int first)
{
    const cuna_code_token *tokens = code->tokens;
    static const char *const heads[] = {"if", "for", "while", "switch", NULL};
    if (tokens[first].mark == '{')
        return tokens[first].match > 0 ? tokens[first].match : first;
    if (cuna__cpu_code_is(&tokens[first], "do")) {
        int body = cuna__cpu_code_end(code, first + 1);
        return cuna__cpu_code_is(&tokens[body + 1], "while") ? cuna__cpu_code_end(code, body + 2) : body;
    }
    if (cuna__cpu_code_is_in(&tokens[first], heads)) {
        int head = first + 1 + cuna__cpu_code_is(&tokens[first + 1], "constexpr");
        if (tokens[head].match < 0)
            return first;
        int body = cuna__cpu_code_end(code, tokens[head].match + 1);
        return cuna__cpu_code_is(&tokens[body + 1], "else") ? cuna__cpu_code_end(code, body + 2) : body;
    }
    int at = first;
    while (tokens[at].mark != 0 && tokens[at].mark != ';' && opening_of(tokens[at].mark) == 0)
        at = tokens[at].match > at ? tokens[at].match + 1 : at + 1;
    return at;
}
