/* ptx.c: translates inline PTX: `asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(y))` becomes ((x) = ptx_bfind_u32(y)).
 *
 * One instruction is translated whose first operand is the only output, or which has none, and whose others are inputs,
 * numbers or special registers. kernels/raw_ptx_cpu.h is the list of instructions: its text is searched for their
 * names. */
#define _GNU_SOURCE 1
#include "cpu/compile/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/token.h"

extern const char cuna__text_raw_ptx_cpu[]; /* of kernels/, embedded by the build */

#define USERS_TEXT   "namespace names {" /* from here on, as kernel/codegen_statement.c prints it */
#define MAX_OPERANDS 8
#define MAX_NBYTES   160

struct statement {
    char text[MAX_NBYTES]; /* the instruction, without quotes */
    int noutputs, noperands;
    const char *operands[MAX_OPERANDS]; /* C++ expressions */
    int lengths[MAX_OPERANDS];
};

static const char *skip(const char *at, char mark)
{
    at = cuna__cpu_token_skip_blank(at);
    return *at == mark ? cuna__cpu_token_skip_blank(at + 1) : NULL;
}

/* String literals that follow each other; an escaped character counts as a blank. */
static const char *read_text(struct statement *s, const char *at)
{
    size_t length = 0;
    for (; *at == '"'; at = cuna__cpu_token_skip_blank(at + 1))
        for (at++; *at != '"'; at++) {
            if (*at == 0 || length + 2 > sizeof s->text)
                return NULL;
            bool is_escape = *at == '\\';
            at += is_escape && at[1] != 0;
            s->text[length++] = is_escape ? ' ' : *at;
        }
    s->text[length] = 0;
    return at;
}

/* "=r"(x), "r"(y) up to the next mark. */
static const char *read_operands(struct statement *s, const char *at)
{
    while (*at == '"') {
        at = cuna__cpu_token_skip_blank(at + cuna__cpu_token_quoted(at));
        if (*at != '(' || s->noperands == MAX_OPERANDS)
            return NULL;
        const char *start = ++at;
        for (int depth = 1; *at != 0 && (depth += (*at == '(') - (*at == ')')) > 0; at++)
            ;
        if (*at == 0)
            return NULL;
        s->operands[s->noperands] = start;
        s->lengths[s->noperands++] = (int)(at - start);
        const char *next = skip(at + 1, ',');
        at = next != NULL ? next : cuna__cpu_token_skip_blank(at + 1);
    }
    return at;
}

/* What is between the parentheses; NULL: another form. */
static const char *read_parts(struct statement *s, const char *at)
{
    at = read_text(s, at);
    for (int part = 0; at != NULL && *at == ':'; part++) {
        at = cuna__cpu_token_skip_blank(at + 1);
        if (part < 2)
            at = read_operands(s, at);
        else
            at += strcspn(at, ":)"); /* what is changed besides the outputs */
        if (part == 0)
            s->noutputs = s->noperands;
    }
    return at != NULL && *at == ')' ? at + 1 : NULL;
}

static const char *read_statement(struct statement *s, const char *at)
{
    static const char *const words[] = {"volatile", "__volatile__", "__volatile", NULL};
    at = cuna__cpu_token_skip_blank(at + cuna__cpu_token_word(at));
    size_t length = cuna__cpu_token_word(at);
    if (length > 0 && !cuna__cpu_token_is_in(at, length, words))
        return NULL;
    at = skip(at + length, '(');
    return at != NULL ? read_parts(s, at) : NULL;
}

/* ptx_bfind_u32 of bfind.u32. */
static void name_function(char *name, size_t nbytes, const char *word)
{
    snprintf(name, nbytes, "ptx_%s", word);
    for (; *name != 0; name++)
        *name = *name == '.' ? '_' : *name;
}

static bool is_known(const char *name)
{
    size_t length = strlen(name);
    const char *at = cuna__text_raw_ptx_cpu;
    while ((at = strstr(at, name)) != NULL && (at[length] == '_' || isalnum((unsigned char)at[length])))
        at += length;
    return at != NULL;
}

/* An operand behind the first: the C++ of an input, of a register, or a number. */
static bool print_operand(FILE *out, const struct statement *s, const char *word)
{
    char name[64];
    if (*word != '%') {
        fputs(word, out);
        return isdigit((unsigned char)*word);
    }
    if (isdigit((unsigned char)word[1])) {
        int number = atoi(word + 1);
        if (number >= s->noperands || number < s->noutputs)
            return false;
        fprintf(out, "(%.*s)", s->lengths[number], s->operands[number]);
        return true;
    }
    name_function(name, sizeof name, word + strspn(word, "%"));
    fprintf(out, "::cuna_raw::%s()", name);
    return is_known(name);
}

/* Whether a text has one instruction. */
static bool is_single(const char *text)
{
    const char *end = text + strcspn(text, ";");
    return end[strspn(end, "; \t")] == 0;
}

/* The call; false: it cannot be one. */
static bool print_call(FILE *out, const struct statement *s, char *word, size_t nbytes)
{
    char text[MAX_NBYTES], name[80], *rest = text, *operand;
    snprintf(text, sizeof text, "%s", s->text + strspn(s->text, " \t"));
    text[strcspn(text, ";")] = 0;
    const char *instruction = strsep(&rest, " \t");
    snprintf(word, nbytes, "%s", instruction);
    name_function(name, sizeof name, instruction);
    bool good = s->noutputs <= 1 && is_single(s->text) && is_known(name);
    if (good && s->noutputs == 1)
        fprintf(out, "((%.*s) = ::cuna_raw::%s(", s->lengths[0], s->operands[0], name);
    else if (good)
        fprintf(out, "(::cuna_raw::%s(", name);
    for (int i = 1 - s->noutputs; good && (operand = strsep(&rest, ",")) != NULL; i++) {
        operand += strspn(operand, " \t");
        operand[strcspn(operand, " \t")] = 0;
        fputs(i > 1 ? ", " : "", out);
        good = i == 0 ? strcmp(operand, "%0") == 0 : print_operand(out, s, operand);
    }
    fputs("))", out);
    return good;
}

static bool translate(FILE *out, const char **at, char *word, size_t nbytes)
{
    struct statement s = {.noutputs = 0};
    char *call = NULL;
    size_t length = 0;
    const char *end = read_statement(&s, *at);
    FILE *stream = end != NULL ? open_memstream(&call, &length) : NULL;
    bool good = stream != NULL && print_call(stream, &s, word, nbytes);
    if (stream != NULL && fclose(stream) != 0)
        good = false;
    if (good)
        fputs(call, out);
    free(call);
    for (; good && *at < end; ++*at)
        if (**at == '\n')
            fputc('\n', out);
    return good;
}

bool cuna__cpu_ptx_take(FILE *out, const char **at)
{
    static const char *const words[] = {"asm", "__asm", "__asm__", NULL};
    char instruction[64] = "";
    size_t length = cuna__cpu_token_word(*at);
    if (!cuna__cpu_token_is_in(*at, length, words))
        return false;
    if (translate(out, at, instruction, sizeof instruction))
        return true;
    if (strpbrk(instruction, "\"\\") != NULL)
        *instruction = 0;
    fprintf(out, "_Pragma(\"GCC error \\\"asm (inline PTX) cannot run on the cpu device%s%s\\\"\") asm",
            *instruction != 0 ? ": " : "", instruction);
    *at += length;
    return true;
}

/* How many characters are copied unchanged; 0: a word begins here. */
static size_t skip_token(const char *at)
{
    size_t length = cuna__cpu_token_comment(at);
    if (length == 0 && (*at == '"' || *at == '\''))
        length = cuna__cpu_token_quoted(at);
    if (length == 0 && isdigit((unsigned char)*at))
        length = cuna__cpu_token_number(at);
    return length > 0 || cuna__cpu_token_word(at) > 0 ? length : 1;
}

char *cuna__cpu_ptx_translate(const char *source)
{
    char *text = NULL;
    size_t nbytes = 0;
    const char *at = strstr(source, USERS_TEXT);
    FILE *out = at != NULL && strstr(at, "asm") != NULL ? open_memstream(&text, &nbytes) : NULL;
    if (out == NULL)
        return NULL;
    fwrite(source, 1, (size_t)(at - source), out);
    while (*at != 0) {
        size_t length = skip_token(at);
        if (length == 0 && cuna__cpu_ptx_take(out, &at))
            continue;
        length = length > 0 ? length : cuna__cpu_token_word(at);
        fwrite(at, 1, length, out);
        at += length;
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
