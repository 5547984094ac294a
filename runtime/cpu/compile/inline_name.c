/* inline_name.c: the names that a device function declares, and those that macros have. */
#define _GNU_SOURCE 1
#include "cpu/compile/inline_name.h"

#include <string.h>

#include "cpu/compile/token.h"

static char mark_at(const struct printer *o, int i)
{
    return o->code->tokens[i].mark;
}

static bool is(const struct printer *o, int i, const char *word)
{
    return cuna__cpu_code_is(&o->code->tokens[i], word);
}

static bool is_in(const struct printer *o, int i, const char *const *words)
{
    return cuna__cpu_code_is_in(&o->code->tokens[i], words);
}

void cuna__cpu_inline_add_word(struct printer *o, struct word word)
{
    o->failed |= o->nwords == MAX_WORDS;
    if (!o->failed)
        o->words[o->nwords++] = word;
}

/* ---- macros ---- */

/* Whether a macro's list of parameters has a word. */
static bool has_param(const struct printer *o, int macro, int word)
{
    const cuna_code_token *name = &o->code->tokens[macro], *token = &o->code->tokens[word];
    const char *at = name->at + name->length, *end = *at == '(' ? strchr(at, ')') : NULL;
    for (at++; end != NULL && at < end;) {
        size_t length = cuna__cpu_token_word(at);
        if (length == token->length && memcmp(at, token->at, length) == 0)
            return true;
        at += length > 0 ? length : 1;
    }
    return false;
}

/* Whether a macro uses a word. */
static bool is_in_macro(const struct printer *o, int word)
{
    for (int i = o->code->nplain, macro = i; i < o->code->count; i++) {
        macro = mark_at(o, i - 1) == 0 ? i : macro;
        if (i > macro && cuna__cpu_region_same(o->plan, i, word) && !has_param(o, macro, i))
            return true;
    }
    return false;
}

/* How a name that is declared is written: one that a macro has stays, if the kernel has no such word. */
enum kind cuna__cpu_inline_kind_of(struct printer *o, int name, enum kind kind)
{
    if (!is_in_macro(o, name))
        return kind;
    o->failed |= kind == ADDRESS;
    for (int i = o->plan->paren; i < o->plan->end; i++)
        o->failed |= cuna__cpu_region_same(o->plan, i, name);
    return ITSELF;
}

/* ---- the names that the body declares ---- */

static void add_local(struct printer *o, int name, enum kind kind, int scope_end)
{
    struct word word = {.kind = cuna__cpu_inline_kind_of(o, name, kind), .name = name, .scope_end = scope_end};
    for (int k = 0; k < o->nwords; k++)
        word.hides += cuna__cpu_region_same(o->plan, name, o->words[k].name);
    o->failed |= cuna__cpu_region_is_global(o->plan, name) || (word.hides > 0 && word.kind != OF_CALL);
    cuna__cpu_inline_add_word(o, word);
}

/* `__shared__`, possibly after other words: the first token of a declaration. */
bool cuna__cpu_inline_is_shared(const struct printer *o, int first)
{
    static const char *const before[] = {"static", "extern", "const", "volatile", NULL};
    while (is_in(o, first, before))
        first++;
    return is(o, first, "__shared__");
}

/* The first token of the type of a declaration. */
static int skip_storage(const struct printer *o, int i)
{
    static const char *const storage[] = {"static",    "extern",  "__shared__",    "__align__",
                                          "constexpr", "alignas", "__attribute__", NULL};
    while (is_in(o, i, storage))
        i = mark_at(o, i + 1) == '(' ? o->code->tokens[i + 1].match + 1 : i + 1;
    return i;
}

/* `extern __shared__ T x[]` has a length that is not there. */
static int find_open_list(const struct printer *o, int first, int last)
{
    return mark_at(o, last - 1) == ']' && mark_at(o, last - 2) == '[' && cuna__cpu_inline_is_shared(o, first) ? last - 3
                                                                                                              : 0;
}

static void take_declaration(struct printer *o, int first, int last)
{
    cuna_item items[MAX_ITEMS];
    enum kind kind = cuna__cpu_inline_is_shared(o, first) ? OF_FUNCTION : OF_CALL;
    int open = find_open_list(o, first, last), scope_end = o->code->tokens[o->code->tokens[first].parent].match;
    if (mark_at(o, first - 1) == '(') /* of `for` */
        scope_end = cuna__cpu_code_end(o->code, first - 2);
    if (is(o, first, "typedef") || open > 0) {
        add_local(o, open > 0 ? open : last - 1, kind, scope_end);
        return;
    }
    if (is(o, first, "using")) {
        add_local(o, first + 1, kind, scope_end);
        return;
    }
    int count = cuna__cpu_region_split(o->code, skip_storage(o, first), last, items, MAX_ITEMS);
    o->failed |= kind == OF_FUNCTION && count <= 0;
    for (int k = 0; k < count; k++)
        add_local(o, items[k].name, kind, scope_end);
}

/* Whether a statement may begin after a token. */
bool cuna__cpu_inline_may_begin(const struct printer *o, int i)
{
    char before = mark_at(o, i - 1);
    return mark_at(o, i) == 'a' && (strchr("{};", before) != NULL || (before == '(' && is(o, i - 2, "for")));
}

void cuna__cpu_inline_find_locals(struct printer *o)
{
    static const char *const puzzling[] = {"goto",
                                           "asm",
                                           "__asm__",
                                           "struct",
                                           "class",
                                           "union",
                                           "enum",
                                           "template",
                                           "assert",
                                           "__LINE__",
                                           "__FILE__",
                                           "__func__",
                                           "__FUNCTION__",
                                           "decltype",
                                           "try",
                                           "operator",
                                           "this",
                                           "__asm",
                                           "__PRETTY_FUNCTION__",
                                           NULL};
    const cuna_callee *c = o->callee;
    for (int i = c->brace + 1; i < c->end && !o->failed; i++) {
        bool is_lambda = mark_at(o, i) == '[' && (mark_at(o, i - 1) == 0 || strchr("a])", mark_at(o, i - 1)) == NULL);
        int last = i;
        o->failed |= is_lambda || is_in(o, i, puzzling) || (is(o, i, "static") && !cuna__cpu_inline_is_shared(o, i)) ||
                     cuna__cpu_region_same(o->plan, i, c->name);
        if (!cuna__cpu_inline_may_begin(o, i))
            continue;
        while (last < c->end && mark_at(o, last) != ';')
            last = strchr("([{", mark_at(o, last)) != NULL && o->code->tokens[last].match > last
                       ? o->code->tokens[last].match + 1
                       : last + 1;
        if (last < c->end)
            take_declaration(o, i, last);
    }
}
