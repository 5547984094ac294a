/* region_item.c: the declarations of a kernel: their parts, and what becomes of them.
 *
 * A variable whose value is computed of positions, parameters and constants alone, and never changes, has the same
 * value at any time: it is computed again in each region, so that the compiler knows how it depends on the thread. It
 * becomes `const`, so C++ checks that nothing changes it. All others are kept. */
#define _GNU_SOURCE 1
#include "cpu/compile/region_plan.h"

#include <string.h>

#include "cpu/compile/token.h"

#define MAX_DEPTH 4 /* of macros in macros */

static const char *const number_words[] = {"unsigned", "signed", "long", "short", "int",  "char",
                                           "float",    "double", "bool", "auto",  "void", NULL};
static const char *const plain_words[] = {"const", "typename", "volatile", "__restrict__", "__restrict", NULL};

static char mark_at(const cuna_code *code, int i)
{
    return code->tokens[i].mark;
}

static bool is(const cuna_code *code, int i, const char *word)
{
    return cuna__cpu_code_is(&code->tokens[i], word);
}

static bool is_in(const cuna_code *code, int i, const char *const *words)
{
    return cuna__cpu_code_is_in(&code->tokens[i], words);
}

static bool touches(const cuna_code *code, int i, const char *marks)
{
    return cuna__cpu_code_touches(&code->tokens[i], marks);
}

/* ---- the parts of a declaration ---- */

static bool is_name(const cuna_code *code, int i)
{
    static const char *const others[] = {
        "return", "break",    "continue", "goto",   "else", "case",   "default", "delete",     "new",
        "throw",  "using",    "typedef",  "static", "this", "sizeof", "extern",  "register",   "struct",
        "class",  "union",    "enum",     "if",     "for",  "while",  "do",      "switch",     "template",
        "inline", "operator", "friend",   "asm",    "true", "false",  "alignas", "__shared__", NULL};
    return mark_at(code, i) == 'a' && !is_in(code, i, others) && !is_in(code, i, number_words) &&
           !is_in(code, i, plain_words);
}

/* The token after `a::b<c>::d`; 0: they are not closed. */
static int skip_type(const cuna_code *code, int i)
{
    for (i += touches(code, i, "::") ? 2 : 0;; i += 2) {
        int depth = 0;
        i++;
        do {
            depth += (mark_at(code, i) == '<') - (mark_at(code, i) == '>');
            if (depth > 0 && (mark_at(code, i) == 0 || mark_at(code, i) == ';' || mark_at(code, i) == '{'))
                return 0;
            i = depth > 0 && code->tokens[i].match > i ? code->tokens[i].match : i;
            i += depth > 0 || mark_at(code, i) == '>';
        } while (depth > 0);
        if (!touches(code, i, "::"))
            return i;
    }
}

/* The end of the words before the first declarator; 0: there is no type. */
static int skip_specs(const cuna_code *code, int i)
{
    bool typed = false;
    for (;;) {
        if (is_in(code, i, number_words) || is_in(code, i, plain_words)) {
            typed |= is_in(code, i, number_words);
            i++;
        } else if (!typed && (is_name(code, i) || touches(code, i, "::"))) {
            typed = true;
            i = skip_type(code, i);
            if (i == 0)
                return 0;
        } else {
            return typed ? i : 0;
        }
    }
}

static int skip_value(const cuna_code *code, int i)
{
    if (mark_at(code, i) != '=')
        return code->tokens[i].match + 1;
    while (mark_at(code, i) != 0 && mark_at(code, i) != ',' && mark_at(code, i) != ';')
        i = code->tokens[i].match > i ? code->tokens[i].match + 1 : i + 1;
    return i;
}

/* Reads a declarator and its value; false: it is none. */
static bool read_declarator(cuna_item *out, const cuna_code *code, int i)
{
    out->from = i;
    while (mark_at(code, i) == '*' || is_in(code, i, plain_words))
        i++;
    out->name = i;
    if (!is_name(code, i))
        return false;
    for (i++; mark_at(code, i) == '['; i = code->tokens[i].match + 1)
        if (code->tokens[i].match <= i + 1)
            return false;
    out->to = i;
    out->value_end = i;
    if (mark_at(code, i) == '=' || mark_at(code, i) == '(' || mark_at(code, i) == '{') {
        out->value = i;
        out->value_end = skip_value(code, i);
    }
    return out->value_end > 0;
}

int cuna__cpu_region_split(const cuna_code *code, int first, int last, cuna_item *out, int max)
{
    int specs_end = skip_specs(code, first), count = 0;
    if (specs_end <= first || specs_end >= last)
        return 0;
    for (int i = specs_end; count < max; i++) {
        out[count] = (cuna_item){.first = first, .last = last, .specs_end = specs_end, .twin = -1};
        if (!read_declarator(&out[count], code, i))
            return count > 0 || mark_at(code, i) == '&' ? -1 : 0;
        i = out[count++].value_end;
        if (mark_at(code, i) == ';')
            return i == last ? count : -1;
        if (mark_at(code, i) != ',')
            return count > 1 ? -1 : 0;
    }
    return -1;
}

/* ---- what changes ---- */

static bool is_operand(const cuna_code *code, int i)
{
    return mark_at(code, i) != 0 && (strchr("0\")]", mark_at(code, i)) != NULL ||
                                     (mark_at(code, i) == 'a' && !is(code, i, "return") && !is(code, i, "else")));
}

/* The token after x, x[i].y */
static int skip_members(const cuna_code *code, int i)
{
    for (i++;;)
        if (mark_at(code, i) == '.' && mark_at(code, i + 1) == 'a')
            i += 2;
        else if (mark_at(code, i) == '[' && code->tokens[i].match > i)
            i = code->tokens[i].match + 1;
        else
            return i;
}

static bool has_address(const cuna_code *code, int i)
{
    return mark_at(code, i - 1) == '&' && mark_at(code, i - 2) != '&' && !is_operand(code, i - 2);
}

/* Whether an operator changes the operand that begins at token i. `whole`: not an element of what it points to. */
static bool is_changed(const cuna_code *code, int i)
{
    static const char *const changes[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
    int next = mark_at(code, i + 1) == '.' ? skip_members(code, i) : i + 1;
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        if (touches(code, next, changes[k]))
            return true;
    if ((touches(code, i - 2, "++") || touches(code, i - 2, "--")) && !is_operand(code, i - 3))
        return true;
    return has_address(code, i) || (mark_at(code, next) == '=' && !touches(code, next, "=="));
}

static bool changes(const cuna_plan *p, const cuna_item *item)
{
    int from = item->is_param ? p->brace : item->value_end;
    for (int i = from; i <= item->scope_end; i++)
        if (cuna__cpu_region_is_use(p, i, item->name) && is_changed(p->code, i))
            return true;
    return false;
}

/* How many brackets follow a token. */
static int count_brackets(const cuna_code *code, int i)
{
    int count = 0;
    for (i++; mark_at(code, i) == '[' && code->tokens[i].match > i; i = code->tokens[i].match + 1)
        count++;
    return count;
}

/* How many dimensions a variable has; a parameter has none. */
static int count_lengths(const cuna_plan *p, const cuna_item *item)
{
    return item->is_param ? 0 : count_brackets(p->code, item->name);
}

/* Whether a pointer to the variable may be kept: its address is taken, or not only elements of an array are used. */
static bool is_pointed(const cuna_plan *p, const cuna_item *item)
{
    int from = item->is_param ? p->brace : item->value_end, lengths = count_lengths(p, item);
    for (int i = from; i <= item->scope_end; i++)
        if (cuna__cpu_region_is_use(p, i, item->name) &&
            (has_address(p->code, i) || count_brackets(p->code, i) < lengths))
            return true;
    return false;
}

/* ---- what is the same at any time ---- */

static bool is_steady(const cuna_plan *p, int from, int to, int depth);

/* In `template <int N>` before the kernel. */
static bool is_template_param(const cuna_plan *p, int i)
{
    int at = p->begin - 1;
    while (mark_at(p->code, at) != 0 && strchr(";}", mark_at(p->code, at)) == NULL)
        if (cuna__cpu_region_same(p, at--, i))
            return true;
    return false;
}

/* A macro of the source without parameters. */
static bool is_constant_macro(const cuna_plan *p, int i, int depth)
{
    for (int at = p->code->nplain; at < p->code->count && depth < MAX_DEPTH; at++) {
        int end = at + 1;
        if (mark_at(p->code, at - 1) != 0 || !cuna__cpu_region_same(p, at, i))
            continue;
        while (mark_at(p->code, end) != 0)
            end++;
        return p->code->tokens[at].at[p->code->tokens[at].length] != '(' && end > at + 1 &&
               is_steady(p, at + 1, end, depth + 1);
    }
    return false;
}

/* A macro that an option defines as a number. */
static bool is_option(const cuna_plan *p, int i)
{
    static const char define[] = "#define ";
    const cuna_code_token *token = &p->code->tokens[i];
    for (int k = 0; k < p->nlines; k++) {
        const char *name = p->lines[k] + sizeof define - 1;
        if (strncmp(p->lines[k], define, sizeof define - 1) == 0 && strncmp(name, token->at, token->length) == 0 &&
            name[token->length] == ' ' && strspn(name + token->length, " 0123456789uU") == strlen(name + token->length))
            return true;
    }
    return false;
}

/* A constant outside of functions. */
static bool is_global_constant(const cuna_plan *p, int i)
{
    for (int at = 1; at < p->begin; at++) {
        if (p->code->tokens[at].parent != -1 || mark_at(p->code, at + 1) != '=' || !cuna__cpu_region_same(p, at, i))
            continue;
        for (int k = at - 1; mark_at(p->code, k) == 'a'; k--)
            if (is(p->code, k, "const") || is(p->code, k, "constexpr"))
                return true;
    }
    return false;
}

/* Whether token i is the name of a list in `__shared__` memory, which is its address. */
static bool is_shared_list(const cuna_plan *p, int i)
{
    if (mark_at(p->code, i + 1) == '[')
        return false;
    for (int k = 0; k < p->nitems; k++) {
        const cuna_item *item = &p->items[k];
        bool is_open = item->kind == CUNA_ITEM_WHOLE && is(p->code, item->first, "extern");
        if ((is_open && cuna__cpu_region_same(p, i, item->last - 3)) ||
            (item->kind == CUNA_ITEM_SHARED && item->to > item->name + 1 && cuna__cpu_region_same(p, i, item->name)))
            return true;
    }
    return false;
}

/* The end of what a word begins that is the same at any time; 0: it may change. */
static int skip_steady_word(const cuna_plan *p, int i, int depth)
{
    static const char *const positions[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    static const char *const others[] = {"static_cast", "sizeof", "true",     "false",    "warpSize",
                                         "__mul24",     "size_t", "__umul24", "unsigned", NULL};
    char next = mark_at(p->code, i + 1);
    if (is_in(p->code, i, positions))
        return next == '.' ? i + 3 : 0;
    if (is_in(p->code, i, number_words) || is_in(p->code, i, others))
        return i + 1;
    for (int k = 0; k < p->nblocks; k++)
        if (cuna__cpu_region_same(p, i, p->blocks[k]))
            return next == '.' && mark_at(p->code, i + 3) == '(' && mark_at(p->code, i + 4) == ')' ? i + 5 : 0;
    if (is_shared_list(p, i))
        return i + 1;
    for (int k = 0; k < p->nitems; k++)
        if (cuna__cpu_region_same(p, i, p->items[k].name) && p->items[k].kind != CUNA_ITEM_WHOLE)
            return p->items[k].kind < CUNA_ITEM_VARIABLE && strchr("[.(", next) == NULL &&
                           !touches(p->code, i + 1, "->")
                       ? i + 1
                       : 0;
    return is_template_param(p, i) || is_constant_macro(p, i, depth) || is_option(p, i) || is_global_constant(p, i)
               ? i + 1
               : 0;
}

/* Whether a mark belongs to arithmetic that stores nothing, reads no memory, and cannot fail. */
static bool is_steady_mark(const cuna_plan *p, int i)
{
    const cuna_code *code = p->code;
    char mark = mark_at(code, i);
    if (mark == 0 || strchr("+-*/%()<>&|^~!?:=", mark) == NULL || touches(code, i, "++") || touches(code, i, "--"))
        return false;
    if (mark == '*' || mark == '&')
        return is_operand(code, i - 1) || mark_at(code, i - 1) == '>' || mark_at(code, i - 1) == mark;
    if (mark == '/' || mark == '%')
        return mark_at(code, i + 1) == '0' || is(code, i + 1, "warpSize") || is(code, i + 1, "blockDim");
    return mark != '=' || touches(code, i, "==") || strchr("=!<>", mark_at(code, i - 1)) != NULL;
}

static bool is_steady(const cuna_plan *p, int from, int to, int depth)
{
    while (from < to) {
        if (mark_at(p->code, from) == 'a')
            from = skip_steady_word(p, from, depth);
        else
            from = mark_at(p->code, from) == '0' || is_steady_mark(p, from) ? from + 1 : 0;
        if (from == 0)
            return false;
    }
    return true;
}

/* ---- kinds ---- */

static bool is_named(const cuna_item *item)
{
    return item->kind != CUNA_ITEM_WHOLE;
}

static bool same_text(const cuna_plan *p, int a, int a_end, int b, int b_end)
{
    if (a_end - a != b_end - b)
        return false;
    for (; a < a_end; a++, b++) {
        const cuna_code_token *x = &p->code->tokens[a], *y = &p->code->tokens[b];
        if (x->length != y->length || memcmp(x->at, y->at, x->length) != 0)
            return false;
    }
    return true;
}

/* Two variables of one name share their storage, if they are of one type and not in scope together. */
static void find_twin(cuna_plan *p, int k)
{
    cuna_item *item = &p->items[k];
    for (int other = 0; other < p->nitems; other++) {
        cuna_item *before = &p->items[other];
        if (other == k || !is_named(before) || !cuna__cpu_region_same(p, item->name, before->name))
            continue;
        p->failed |= is(p->code, item->first, "auto") || item->kind != CUNA_ITEM_VARIABLE ||
                     before->kind != CUNA_ITEM_VARIABLE || before->is_param || item->is_param ||
                     !same_text(p, item->first, item->specs_end, before->first, before->specs_end) ||
                     !same_text(p, item->from, item->to, before->from, before->to) ||
                     (other < k && item->first <= before->scope_end);
        if (item->twin < 0 && other < k)
            item->twin = other;
    }
}

/* The token after what a bracket encloses, unless declarations outside of functions go on in it. */
static int skip_inner(const cuna_plan *p, int i)
{
    bool scope =
        mark_at(p->code, i - 1) == '"' || is(p->code, i - 1, "namespace") || (i > 1 && is(p->code, i - 2, "namespace"));
    char mark = mark_at(p->code, i);
    return (mark == '(' || (mark == '{' && !scope)) && p->code->tokens[i].match > i ? p->code->tokens[i].match : i;
}

bool cuna__cpu_region_is_global(const cuna_plan *p, int name)
{
    for (int i = 1; i < p->code->nplain; i = skip_inner(p, i) + 1)
        if (cuna__cpu_region_same(p, i, name))
            return true;
    return false;
}

static bool has_namesake(const cuna_plan *p, int k)
{
    for (int other = 0; other < p->nitems; other++)
        if (other != k && is_named(&p->items[other]) &&
            cuna__cpu_region_same(p, p->items[k].name, p->items[other].name))
            return true;
    return false;
}

void cuna__cpu_region_sort(cuna_plan *p)
{
    for (int k = 0; k < p->nitems && !p->failed; k++) {
        cuna_item *item = &p->items[k];
        if (item->kind == CUNA_ITEM_PARAM)
            item->kind = changes(p, item) ? CUNA_ITEM_VARIABLE : CUNA_ITEM_PARAM;
        else if (item->kind == CUNA_ITEM_VARIABLE && item->value > 0 && mark_at(p->code, item->value) == '=' &&
                 item->to == item->name + 1 && !has_namesake(p, k) && !changes(p, item) &&
                 is_steady(p, item->value + 1, item->value_end, 0))
            item->kind = CUNA_ITEM_FIXED;
        p->failed |= is_named(item) && !item->is_param && cuna__cpu_region_is_global(p, item->name);
    }
    for (int k = 0; k < p->nitems && !p->failed; k++)
        if (is_named(&p->items[k])) {
            bool moves = p->items[k].kind == CUNA_ITEM_VARIABLE && !is_pointed(p, &p->items[k]);
            p->items[k].rank = moves ? 1 + count_lengths(p, &p->items[k]) : 0;
            find_twin(p, k);
        }
    for (int k = 0; k < p->nitems; k++) /* an address of one is an address of both */
        if (p->items[k].twin >= 0 && p->items[k].rank == 0)
            p->items[p->items[k].twin].rank = 0;
}
