/* region_plan.c: finds the points of a kernel, and the declarations that threads pass on their way between them.
 *
 * A statement with a point in it is read, others are not. Where the rules do not understand a kernel they give it up;
 * where they misread one, C++ does not compile what becomes of it, and the source is compiled as it was. */
#define _GNU_SOURCE 1
#include "cpu/compile/region_plan.h"

#include <string.h>

#include "cpu/compile/token.h"

static char mark_at(const cuna_plan *p, int i)
{
    return p->code->tokens[i].mark;
}

static int match_of(const cuna_plan *p, int i)
{
    return p->code->tokens[i].match;
}

static bool is(const cuna_plan *p, int i, const char *word)
{
    return cuna__cpu_code_is(&p->code->tokens[i], word);
}

static bool is_in(const cuna_plan *p, int i, const char *const *words)
{
    return cuna__cpu_code_is_in(&p->code->tokens[i], words);
}

bool cuna__cpu_region_same(const cuna_plan *p, int a, int b)
{
    const cuna_code_token *x = &p->code->tokens[a], *y = &p->code->tokens[b];
    return x->mark == 'a' && x->length == y->length && memcmp(x->at, y->at, x->length) == 0;
}

bool cuna__cpu_region_is_use(const cuna_plan *p, int i, int name)
{
    char before = mark_at(p, i - 1);
    return cuna__cpu_region_same(p, i, name) && before != '.' && !(before == ':' && mark_at(p, i - 2) == ':') &&
           !(before == '>' && cuna__cpu_code_touches(&p->code->tokens[i - 2], "->"));
}

/* ---- barriers ---- */

/* Whether a token names a thread block. */
static bool is_block(const cuna_plan *p, int i)
{
    for (int k = 0; k < p->nblocks; k++)
        if (cuna__cpu_region_same(p, i, p->blocks[k]))
            return true;
    return false;
}

/* The last token of those that a pattern names, separated by blanks, with '@' for the thread block; 0: others are
 * here. */
static int match(const cuna_plan *p, int i, const char *pattern)
{
    for (const char *at = pattern; *at != 0; at += *at == ' ', i++) {
        size_t length = strcspn(at, " ");
        const cuna_code_token *token = &p->code->tokens[i];
        bool same = *at == '@' ? is_block(p, i) : token->length == length && strncmp(token->at, at, length) == 0;
        if (!same || token->mark == 0)
            return 0;
        at += length;
    }
    return i - 1;
}

/* The token after `a::b::`. */
static int skip_scopes(const cuna_plan *p, int i)
{
    while (mark_at(p, i) == 'a' && mark_at(p, i + 1) == ':' && mark_at(p, i + 2) == ':')
        i += 3;
    return i;
}

/* The last token of the barrier that begins here; 0: none does. */
static int barrier_end(const cuna_plan *p, int i)
{
    static const char *const patterns[] = {"__syncthreads ( ) ;", "@ . sync ( ) ;", NULL};
    static const char *const scoped[] = {"sync ( @ ) ;", "this_thread_block ( ) . sync ( ) ;", NULL};
    int end = 0;
    for (int k = 0; end == 0 && patterns[k] != NULL; k++)
        end = match(p, i, patterns[k]);
    for (int k = 0; end == 0 && scoped[k] != NULL; k++)
        end = match(p, skip_scopes(p, i), scoped[k]);
    return end;
}

/* `thread_block block = this_thread_block();` */
static void find_blocks(cuna_plan *p)
{
    p->nblocks = 0;
    for (int i = p->brace; i < p->end && p->nblocks < MAX_BLOCKS; i++) {
        int value = mark_at(p, i) == '=' ? skip_scopes(p, i + 1) : 0;
        if (value > 0 && match(p, value, "this_thread_block ( ) ;") > 0 && mark_at(p, i - 1) == 'a')
            p->blocks[p->nblocks++] = i - 1;
    }
}

static bool has_barrier(const cuna_plan *p, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (barrier_end(p, i) > 0)
            return true;
    return false;
}

/* ---- may a kernel be rewritten? ---- */

/* Whether a word leads to one that waits; the name of a kernel, to memory by which lanes go in step. */
static bool leads(const cuna_plan *p, int i, bool (*reaches)(const cuna_reach *reach, const char *expression))
{
    char word[128];
    const cuna_code_token *token = &p->code->tokens[i];
    if (token->length >= sizeof word)
        return true;
    memcpy(word, token->at, token->length);
    word[token->length] = 0;
    return reaches(p->reach, word);
}

/* Whether token i is a parameter of the kernel, which hides a function of its name. */
static bool is_param(const cuna_plan *p, int i)
{
    for (int at = p->paren + 1; at < match_of(p, p->paren); at++)
        if (cuna__cpu_region_same(p, at, i) && strchr(",)[", mark_at(p, at + 1)) != NULL)
            return true;
    return false;
}

/* The end of what may name a thread block without waiting at token i: its declaration, or a fact that it states. */
static int block_end(const cuna_plan *p, int i)
{
    static const char *const facts[] = {"thread_rank",  "size",      "num_threads", "group_index",
                                        "thread_index", "group_dim", "dim_threads", NULL};
    int type = skip_scopes(p, i), declared = type + 1;
    if (is_block(p, declared) && (is(p, type, "thread_block") || is(p, type, "auto")))
        return match(p, skip_scopes(p, declared + 2), "this_thread_block ( ) ;");
    return cuna__cpu_region_is_use(p, i, i) && is_block(p, i) && mark_at(p, i + 1) == '.' && is_in(p, i + 2, facts)
               ? i + 2
               : 0;
}

int cuna__cpu_region_find_other(cuna_plan *p)
{
    static const char *const unknown[] = {"goto",     "asm",    "__asm__",    "__asm", "try",
                                          "decltype", "typeof", "__typeof__", NULL};
    find_blocks(p);
    for (int i = p->brace + 1; i < p->end; i++) {
        int end = barrier_end(p, i), known = end > 0 ? end : block_end(p, i);
        if (known == 0 && mark_at(p, i) == 'a' &&
            (is_in(p, i, unknown) || (leads(p, i, cuna__cpu_reach_waits) && !is_param(p, i))))
            return i;
        i = known > 0 ? known : i;
    }
    return 0;
}

bool cuna__cpu_region_has_conditions(const cuna_code *code, int brace)
{
    const char *end = code->tokens[code->tokens[brace].match].at;
    for (const char *at = code->tokens[brace].at; at < end; at++) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (*at == '\n' && *word == '#') {
            word = cuna__cpu_token_skip_blank(word + 1);
            size_t length = cuna__cpu_token_word(word);
            static const char *const harmless[] = {"pragma", "define", "undef", NULL};
            if (!cuna__cpu_token_is_in(word, length, harmless))
                return true;
        }
    }
    return false;
}

/* ---- statements ---- */

static void walk(cuna_plan *p, int first, int last);

static void add_point(cuna_plan *p, int first, int last, bool joins)
{
    p->failed |= p->npoints == MAX_POINTS;
    if (!p->failed)
        p->points[p->npoints++] = (cuna_point){first, last, joins};
}

static void add_item(cuna_plan *p, cuna_item item)
{
    p->failed |= p->nitems == MAX_ITEMS;
    if (!p->failed)
        p->items[p->nitems++] = item;
}

/* Types and constants, or `__shared__` memory. */
static void add_whole(cuna_plan *p, int first, int last, int scope_end, cuna_item_kind kind)
{
    cuna_item items[MAX_ITEMS];
    int at = first, words = 0;
    if (kind == CUNA_ITEM_WHOLE) {
        add_item(p, (cuna_item){.kind = kind, .first = first, .last = last, .scope_end = scope_end, .twin = -1});
        return;
    }
    while (is(p, at, "__shared__") || is(p, at, "__align__") || is(p, at, "alignas") || is(p, at, "__attribute__")) {
        words += is(p, at, "__shared__");
        at = mark_at(p, at + 1) == '(' ? match_of(p, at + 1) + 1 : at + 1;
    }
    int count = words == 1 ? cuna__cpu_region_split(p->code, at, last, items, MAX_ITEMS) : 0;
    p->failed |= count <= 0;
    for (int k = 0; k < count && !p->failed; k++) {
        p->failed |= items[k].value > 0;
        items[k].kind = kind;
        items[k].first = first;
        items[k].scope_end = scope_end;
        add_item(p, items[k]);
    }
}

bool cuna__cpu_region_is_macro(const cuna_plan *p, int i)
{
    for (int at = p->code->nplain; at < p->code->count; at++)
        if (mark_at(p, at - 1) == 0 && cuna__cpu_region_same(p, at, i))
            return true;
    return false;
}

/* Whether a statement that these rules do not know as a declaration is none, as `Real (*f)(int);` is. */
static bool is_expression(const cuna_plan *p, int first, int last)
{
    static const char *const declaring[] = {
        "struct",    "class",         "union",    "enum",   "register", "thread_local", "alignas",  "unsigned",
        "__align__", "__attribute__", "volatile", "signed", "const",    "extern",       "long",     "int",
        "float",     "double",        "bool",     "char",   "short",    "auto",         "typename", NULL};
    int next = skip_scopes(p, first) + 1, close = mark_at(p, next) == '(' ? match_of(p, next) : 0;
    if (mark_at(p, first) != 'a')
        return mark_at(p, first) != '[' && mark_at(p, first) != ':';
    if (is_in(p, first, declaring))
        return false;
    return close <= 0 ||
           (!(close + 1 == last && cuna__cpu_region_is_macro(p, next - 1)) && mark_at(p, next + 1) != '*');
}

static void take_declaration(cuna_plan *p, int first, int last, int scope_end)
{
    static const char *const whole[] = {"typedef", "using", "constexpr", NULL};
    static const char *const shared[] = {"__shared__", "__align__", "alignas", "volatile", NULL};
    cuna_item items[MAX_ITEMS];
    bool is_shared = false;
    for (int i = first; i < last && mark_at(p, i) != '=' && is_in(p, first, shared); i++)
        is_shared |= is(p, i, "__shared__");
    if (is_in(p, first, whole) || (is(p, first, "extern") && is(p, first + 1, "__shared__"))) {
        add_whole(p, first, last, scope_end, CUNA_ITEM_WHOLE);
        return;
    }
    if (is_shared) {
        add_whole(p, first, last, scope_end, CUNA_ITEM_SHARED);
        return;
    }
    int count = cuna__cpu_region_split(p->code, first, last, items, MAX_ITEMS);
    p->failed |= count < 0 || (count == 0 && !is_expression(p, first, last));
    for (int k = 0; k < count && !p->failed; k++) {
        items[k].kind = CUNA_ITEM_VARIABLE;
        items[k].scope_end = scope_end;
        add_item(p, items[k]);
    }
}

static void walk_list(cuna_plan *p, int brace)
{
    static const char *const controls[] = {"if",     "for",   "while",    "do",     "switch",
                                           "return", "break", "continue", "static", NULL};
    int close = match_of(p, brace);
    for (int i = brace + 1, end; i < close && !p->failed; i = end + 1) {
        int barrier = barrier_end(p, i);
        end = barrier > 0 ? barrier : cuna__cpu_code_end(p->code, i);
        if (end < i || end >= close) {
            p->failed = true;
        } else if (has_barrier(p, i, end)) {
            int nloops = p->nloops;
            walk(p, i, end);
            if (p->nloops > nloops && end + 1 < p->end && barrier_end(p, end + 1) == 0)
                add_point(p, end, end, true);
        } else if (mark_at(p, i) != '{' && mark_at(p, i) != ';' && !is_in(p, i, controls)) {
            take_declaration(p, i, end, close);
        }
    }
}

static void walk_loop(cuna_plan *p, int first, int body, int last)
{
    p->failed |= p->nloops == MAX_LOOPS;
    if (p->failed)
        return;
    p->loops[p->nloops++] = (cuna_loop){first, last, body};
    walk(p, body, cuna__cpu_code_end(p->code, body));
}

/* A loop `for`: what it declares lives as long as it. */
static void walk_for(cuna_plan *p, int first, int last)
{
    int head = first + 1, end = head + 1;
    if (mark_at(p, head) != '(' || match_of(p, head) < 0) {
        p->failed = true;
        return;
    }
    while (mark_at(p, end) != 0 && mark_at(p, end) != ';' && end < match_of(p, head))
        end = match_of(p, end) > end ? match_of(p, end) + 1 : end + 1;
    p->failed |= mark_at(p, end) != ';';
    if (mark_at(p, head + 1) == 'a' && !p->failed)
        take_declaration(p, head + 1, end, last);
    walk_loop(p, first, match_of(p, head) + 1, last);
}

static void walk_if(cuna_plan *p, int first, int last)
{
    int body = match_of(p, first + 1) + 1, end;
    if (mark_at(p, first + 1) != '(' || body <= 0) {
        p->failed = true;
        return;
    }
    end = barrier_end(p, body) > 0 ? barrier_end(p, body) : cuna__cpu_code_end(p->code, body);
    if (has_barrier(p, body, end))
        walk(p, body, end);
    if (end < last && is(p, end + 1, "else") && has_barrier(p, end + 2, last))
        walk(p, end + 2, last);
}

/* A statement with a barrier in it. */
static void walk(cuna_plan *p, int first, int last)
{
    int barrier = barrier_end(p, first);
    if (p->failed)
        return;
    if (barrier > 0)
        add_point(p, first, barrier, false);
    else if (mark_at(p, first) == '{')
        walk_list(p, first);
    else if (is(p, first, "for"))
        walk_for(p, first, last);
    else if (is(p, first, "while") && mark_at(p, first + 1) == '(')
        walk_loop(p, first, match_of(p, first + 1) + 1, last);
    else if (is(p, first, "do"))
        walk_loop(p, first, first + 1, last);
    else if (is(p, first, "if"))
        walk_if(p, first, last);
    else
        p->failed = true;
}

/* ---- parameters ---- */

/* A parameter's name is its last word outside of brackets, before a default. */
static void take_params(cuna_plan *p)
{
    int close = match_of(p, p->paren), name = 0, words = 0;
    for (int i = p->paren + 1, angles = 0; i <= close && !p->failed; i++) {
        char mark = mark_at(p, i);
        angles += (mark == '<') - (mark == '>');
        if ((mark == ',' && angles == 0) || i == close) {
            if (words > 1)
                add_item(p,
                         (cuna_item){
                             .kind = CUNA_ITEM_PARAM, .name = name, .scope_end = p->end, .is_param = true, .twin = -1});
            p->failed |= words == 1 && !is(p, name, "void");
            words = 0;
        } else if (mark == 'a' && angles == 0) {
            name = i;
            words++;
        } else if (mark == '[') {
            i = match_of(p, i);
        }
        words += mark == '*' || mark == '>';
        p->failed |= mark == '(' || mark == '=' || (mark == '&' && angles == 0);
    }
}

bool cuna__cpu_region_lives(const cuna_plan *p, const cuna_item *item, const cuna_point *point)
{
    int start = item->is_param ? p->brace : item->first, at = point->joins ? point->last + 1 : point->first;
    if (at < start || at > item->scope_end)
        return false;
    int from = point->last + 1, to = item->scope_end;
    for (int k = 0; k < p->nloops; k++) /* the loops around the point that the item outlives run again */
        if (p->loops[k].first <= at && at <= p->loops[k].last && start < p->loops[k].body)
            from = p->loops[k].first < from ? p->loops[k].first : from;
    for (int i = from; i <= to; i++)
        if (cuna__cpu_region_is_use(p, i, item->name))
            return true;
    for (int i = p->code->nplain; i < p->code->count; i++) /* a macro may name it */
        if (cuna__cpu_region_same(p, i, item->name))
            return true;
    return false;
}

void cuna__cpu_region_begin(cuna_plan *p, int begin, int paren)
{
    p->begin = begin;
    p->paren = paren;
    p->name = paren - 1;
    p->brace = p->code->tokens[paren].match + 1;
    p->end = p->code->tokens[p->brace].match;
    p->nblocks = p->nitems = p->npoints = p->nloops = 0;
    p->failed = p->end < 0;
}

void cuna__cpu_region_plan(cuna_plan *p)
{
    p->failed = cuna__cpu_region_has_conditions(p->code, p->brace) || cuna__cpu_region_find_other(p) > 0 ||
                (p->steps && leads(p, p->name, cuna__cpu_reach_shares));
    if (p->failed)
        return;
    take_params(p);
    if (!p->failed)
        walk_list(p, p->brace);
    p->failed |= p->npoints == 0;
    if (!p->failed)
        cuna__cpu_region_sort(p);
}
