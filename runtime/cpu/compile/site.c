/* site.c: finds accesses to volatile memory in a C++ source.
 *
 * An access is an element of a name that some declaration around it makes volatile: s[i], p->s[i][j], *(s + i). Only
 * the compiler knows whether it is volatile indeed; a site may be any other expression, but not part of a declaration.
 */
#define _GNU_SOURCE 1
#include "cpu/compile/site.h"

#include <stdlib.h>
#include <string.h>

void *cuna__cpu_sites_grow(bool *failed, void *list, int count, size_t nbytes)
{
    void *grown = list;
    if ((count & (count - 1)) == 0)
        grown = realloc(list, (size_t)(count > 0 ? 2 * count : 1) * nbytes);
    *failed |= grown == NULL;
    return grown != NULL ? grown : list;
}

static const cuna_code_token *token_at(const cuna_sites *p, int i)
{
    return &p->code.tokens[i];
}

static char mark_at(const cuna_sites *p, int i)
{
    return p->code.tokens[i].mark;
}

static bool is_arrow(const cuna_sites *p, int i)
{
    return cuna__cpu_code_touches(token_at(p, i), "->");
}

static bool is_colons(const cuna_sites *p, int i)
{
    return cuna__cpu_code_touches(token_at(p, i), "::");
}

/* ---- functions ---- */

bool cuna__cpu_sites_same_word(const cuna_code_token *a, const cuna_code_token *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* The name of the function whose body a brace opens; 0: it opens something else. */
static int find_function(const cuna_sites *p, int brace)
{
    static const char *const heads[] = {"if", "for", "while", "switch", "catch", "constexpr", NULL};
    int at = brace - 1;
    while (mark_at(p, at) == 'a')
        at--;
    if (mark_at(p, at) != ')' || token_at(p, at)->match < 0)
        return 0;
    at = token_at(p, at)->match - 1;
    return mark_at(p, at) == 'a' && !cuna__cpu_code_is_in(token_at(p, at), heads) ? at : 0;
}

/* The outermost body around a token; -1: none. */
static int find_body(const cuna_sites *p, int i)
{
    int body = -1;
    for (int brace = token_at(p, i)->parent; brace >= 0; brace = token_at(p, brace)->parent)
        body = find_function(p, brace) > 0 ? brace : body;
    return body;
}

static bool is_kernel(const cuna_sites *p, int name)
{
    bool found = false;
    for (int at = name; mark_at(p, at) != 0 && strchr(";{}", mark_at(p, at)) == NULL; at--)
        found |= cuna__cpu_code_is(token_at(p, at), "__global__");
    return found;
}

static void find_bodies(cuna_sites *p)
{
    for (int i = 0; i < p->code.nplain && !p->failed; i++) {
        int name = mark_at(p, i) == '{' && find_body(p, i) < 0 ? find_function(p, i) : 0;
        if (name == 0 || token_at(p, i)->match < 0)
            continue;
        p->bodies = cuna__cpu_sites_grow(&p->failed, p->bodies, p->nbodies, sizeof *p->bodies);
        if (!p->failed)
            p->bodies[p->nbodies++] = (cuna_site_body){token_at(p, name), i, is_kernel(p, name), false};
    }
}

/* ---- names ---- */

/* The body whose parameter, or local variable, a token declares; -1: it is declared outside of functions. */
static int find_owner(const cuna_sites *p, int i)
{
    for (int b = 0; b < p->nbodies; b++) {
        int name = (int)(p->bodies[b].name - p->code.tokens);
        if (i > name && i < token_at(p, p->bodies[b].brace)->match)
            return p->bodies[b].brace;
    }
    return -1;
}

static bool is_attribute(const cuna_sites *p, int i)
{
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", "__builtin_align__", NULL};
    return cuna__cpu_code_is_in(token_at(p, i), attributes);
}

static void add_name(cuna_sites *p, int word)
{
    if (word == 0)
        return;
    p->names = cuna__cpu_sites_grow(&p->failed, p->names, p->nnames, sizeof *p->names);
    if (!p->failed)
        p->names[p->nnames++] = (cuna_site_name){token_at(p, word), find_owner(p, word)};
}

/* The names that a declaration gives after the word at `from`, up to its end or its first value. */
static void read_declaration(cuna_sites *p, int from)
{
    int last = 0, at = from + 1;
    for (; mark_at(p, at) != 0 && strchr(";)={", mark_at(p, at)) == NULL; at++) {
        if (mark_at(p, at) == ',') {
            add_name(p, last);
            last = 0;
        } else if (mark_at(p, at) == 'a' && !is_attribute(p, at)) {
            last = at;
        } else if (mark_at(p, at) == '[' || (mark_at(p, at) == '(' && is_attribute(p, at - 1))) {
            if (token_at(p, at)->match < 0)
                return;
            at = token_at(p, at)->match;
        }
    }
    add_name(p, last);
}

static bool is_alias(const cuna_sites *p, int i)
{
    while (mark_at(p, i - 1) == 'a')
        i--;
    return cuna__cpu_code_is(token_at(p, i), "typedef");
}

/* Also of words that a typedef makes volatile. */
static void find_names(cuna_sites *p)
{
    for (int i = 0; i < p->code.nplain; i++)
        if (cuna__cpu_code_is(token_at(p, i), "volatile"))
            read_declaration(p, i);
    for (int n = 0, count = p->nnames; n < count; n++) {
        if (!is_alias(p, (int)(p->names[n].word - p->code.tokens)))
            continue;
        for (int i = 0; i < p->code.nplain && !p->failed; i++)
            if (mark_at(p, i) == 'a' && cuna__cpu_sites_same_word(token_at(p, i), p->names[n].word) &&
                mark_at(p, i + 1) != ';')
                read_declaration(p, i);
    }
}

/* In a macro's body any name counts. */
static bool is_named(const cuna_sites *p, int i)
{
    int owner = i < p->code.nplain ? find_owner(p, i) : -1;
    for (int n = 0; n < p->nnames; n++)
        if (cuna__cpu_sites_same_word(p->names[n].word, token_at(p, i)) &&
            (p->names[n].brace < 0 || i >= p->code.nplain || p->names[n].brace == owner))
            return true;
    return false;
}

/* ---- sites ---- */

/* Whether token i ends an operand: the next one is not a prefix. */
static bool is_operand(const cuna_sites *p, int i)
{
    static const char *const words[] = {"return", "else", "do", "case", "throw", "and", "or", "not", NULL};
    if (mark_at(p, i) == 'a')
        return !cuna__cpu_code_is_in(token_at(p, i), words);
    return mark_at(p, i) != 0 && strchr("0\")]", mark_at(p, i)) != NULL;
}

/* Whether the statement around token i begins with two words, as declarations do, and the token is in no value. */
static bool is_declared(const cuna_sites *p, int i)
{
    bool after_comma = false;
    int at = i - 1;
    for (; mark_at(p, at) != 0 && strchr(";{([", mark_at(p, at)) == NULL; at--) {
        int open = strchr(")]}", mark_at(p, at)) != NULL ? token_at(p, at)->match : 0;
        if ((mark_at(p, at) == '=' && !after_comma) || open < 0)
            return false;
        if (mark_at(p, at) == '}' && mark_at(p, open - 1) != '=') /* a block, not a value */
            break;
        after_comma |= mark_at(p, at) == ',';
        at = open > 0 ? open : at;
    }
    return mark_at(p, at + 1) == 'a' && is_operand(p, at + 1) &&
           (mark_at(p, at + 2) == 'a' || mark_at(p, at + 2) == '<' || is_colons(p, at + 2));
}

/* The last token of s[i], p->s[i][j], s[i].x from its first word on; 0: it is something else. */
static int find_element(const cuna_sites *p, int i)
{
    bool found = false;
    for (int last = i;;) {
        int next = last + 1;
        if (is_colons(p, next) || is_arrow(p, next) || mark_at(p, next) == '.') {
            last = next + (mark_at(p, next) == '.' ? 1 : 2);
            if (mark_at(p, last) != 'a')
                return 0;
        } else if (mark_at(p, next) == '[' && token_at(p, next)->match > 0) {
            found |= mark_at(p, last) == 'a' && is_named(p, last);
            last = token_at(p, next)->match;
        } else {
            return found && mark_at(p, next) != '(' ? last : 0;
        }
    }
}

static bool has_volatile(const cuna_sites *p, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (cuna__cpu_code_is(token_at(p, i), "volatile"))
            return true;
    return false;
}

/* The same of ((volatile T *)s)[i], *s, *(s + i). */
static int find_other(const cuna_sites *p, int i)
{
    int group = mark_at(p, i) == '*' && !is_operand(p, i - 1) && mark_at(p, i - 1) != '>' ? i + 1 : i;
    if (group > i && mark_at(p, group) == 'a')
        return is_named(p, group) && strchr("[(.-+:", mark_at(p, group + 1)) == NULL ? group : 0;
    int last = token_at(p, group)->match;
    if (mark_at(p, group) != '(' || last < 0)
        return 0;
    bool subscripted = mark_at(p, last + 1) == '[' && token_at(p, last + 1)->match > 0;
    if (group > i)
        return mark_at(p, group + 1) == 'a' && is_named(p, group + 1) && !subscripted ? last : 0;
    return subscripted && has_volatile(p, group, last) ? token_at(p, last + 1)->match : 0;
}

/* An address, a name in a declaration, and what belongs to the expression before it are not accesses. */
static bool is_access(const cuna_sites *p, int first)
{
    int before = first - 1;
    char mark = mark_at(p, before);
    if ((mark == 'a' && is_operand(p, before)) || mark == '.' || (mark == '>' && is_arrow(p, before - 1)) ||
        (mark == ':' && is_colons(p, before - 1)))
        return false;
    if (mark == '&' && !is_operand(p, before - 1) && mark_at(p, before - 1) != '&')
        return false;
    return mark == 0 || strchr(",*&>", mark) == NULL || !is_declared(p, first);
}

/* The end of the expression whose value is stored. */
static int find_end(const cuna_sites *p, int from)
{
    int at = from;
    while (mark_at(p, at) != 0 && strchr(";,)]}", mark_at(p, at)) == NULL)
        at = token_at(p, at)->match > at ? token_at(p, at)->match + 1 : at + 1;
    return at;
}

static cuna_site_kind find_kind(const cuna_sites *p, int first, int last)
{
    static const char *const changes[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
    const cuna_code_token *next = token_at(p, last + 1), *before = token_at(p, first - 1);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (cuna__cpu_code_touches(next, changes[i]))
            return CUNA_SITE_CHANGE;
    if ((before->mark == '+' || before->mark == '-') && mark_at(p, first - 2) == before->mark &&
        cuna__cpu_code_touches(before - 1, before->mark == '+' ? "++" : "--") && !is_operand(p, first - 3))
        return CUNA_SITE_CHANGE;
    return next->mark == '=' && !cuna__cpu_code_touches(next, "==") ? CUNA_SITE_STORE : CUNA_SITE_LOAD;
}

static void find_sites(cuna_sites *p)
{
    for (int i = 1; i < p->code.count && !p->failed; i++) {
        char mark = mark_at(p, i);
        if ((mark != 'a' && mark != '(' && mark != '*') || !is_access(p, i))
            continue;
        int last = mark == 'a' ? find_element(p, i) : find_other(p, i);
        if (last == 0)
            continue;
        p->sites = cuna__cpu_sites_grow(&p->failed, p->sites, p->nsites, sizeof *p->sites);
        if (!p->failed)
            p->sites[p->nsites++] = (cuna_site){find_kind(p, i, last), i, last, find_end(p, last + 1)};
    }
}

void cuna__cpu_sites_find(cuna_sites *p, const char *source)
{
    cuna__cpu_code_read(&p->code, source);
    p->failed = p->code.failed;
    if (p->failed)
        return;
    find_bodies(p);
    find_names(p);
    find_sites(p);
}

void cuna__cpu_sites_free(cuna_sites *p)
{
    cuna__cpu_code_free(&p->code);
    free(p->sites);
    free(p->names);
    free(p->bodies);
}
