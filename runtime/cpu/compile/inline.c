/* inline.c: writes device functions that wait at barriers into the kernels that call them, where regions find the
 * barriers.
 *
 * A call becomes statements before the one that it is in, which is right if nothing in that statement is computed
 * before the call. Calls are replaced one by one, in their order, each in a text that is read again. A kernel in which
 * something else waits, or which regions do not understand afterwards, stays as it is. */
#define _GNU_SOURCE 1
#include "cpu/compile/inline.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/compile/edit.h"
#include "cpu/compile/kernel.h"
#include "cpu/compile/token.h"

#define MAX_CALLS 24
#define MAX_NAMES 32

static char mark_at(const cuna_code *code, int i)
{
    return code->tokens[i].mark;
}

static int match_of(const cuna_code *code, int i)
{
    return code->tokens[i].match;
}

static bool is(const cuna_code *code, int i, const char *word)
{
    return cuna__cpu_code_is(&code->tokens[i], word);
}

/* ---- definitions ---- */

static bool is_at_file_scope(const cuna_code *code, int i)
{
    int parent = code->tokens[i].parent;
    return parent == -1 || (mark_at(code, parent - 1) == '"' && code->tokens[parent].parent == -1);
}

/* The token after `template <...>`. */
static int skip_template(const cuna_code *code, int i)
{
    int depth = 0;
    do {
        i++;
        depth += (mark_at(code, i) == '<') - (mark_at(code, i) == '>');
    } while (depth > 0 && mark_at(code, i) != 0);
    return i + 1;
}

/* Reads the definition whose name is token i; false: it is not a device function's. */
static bool read_callee(cuna_callee *out, const cuna_code *code, int i)
{
    int head = i, close = mark_at(code, i + 1) == '(' ? match_of(code, i + 1) : -1;
    bool is_device = false;
    if (close < 0 || mark_at(code, close + 1) != '{' || match_of(code, close + 1) < 0 || !is_at_file_scope(code, i))
        return false;
    while (mark_at(code, head - 1) != 0 && strchr(";{}", mark_at(code, head - 1)) == NULL)
        head--;
    *out = (cuna_callee){.type = head, .name = i, .paren = i + 1, .brace = close + 1, .end = match_of(code, close + 1)};
    if (is(code, head, "template") && mark_at(code, head + 1) == '<') {
        out->angle = head + 1;
        out->type = skip_template(code, head);
    }
    for (int at = out->type; at < i; at++) {
        is_device |= is(code, at, "__device__");
        if (is(code, at, "__global__") || mark_at(code, at) == '(')
            return false;
    }
    return is_device && out->type < i && mark_at(code, i - 1) != ':' && !is(code, i - 1, "operator");
}

/* The only definition of a word. */
static bool find_callee(cuna_callee *out, const cuna_plan *p, int word)
{
    int count = 0;
    for (int i = 1; i < p->code->nplain; i++) {
        cuna_callee callee;
        if (cuna__cpu_region_same(p, i, word) && read_callee(&callee, p->code, i)) {
            *out = callee;
            count++;
        }
    }
    return count == 1 && !cuna__cpu_region_has_conditions(p->code, out->brace);
}

/* ---- calls ---- */

static bool read_call(cuna_call *out, const cuna_code *code, int i)
{
    *out = (cuna_call){.name = i, .paren = i + 1};
    if (mark_at(code, i + 1) == '<') {
        out->angle = i + 1;
        out->paren = skip_template(code, i);
        out->angle_end = out->paren - 1;
    }
    out->close = mark_at(code, out->paren) == '(' ? match_of(code, out->paren) : -1;
    return out->close > 0 && strchr(".:>", mark_at(code, i - 1)) == NULL;
}

/* The statement of a list with token `at` in it. */
static int find_child(const cuna_code *code, int brace, int at)
{
    int i = brace + 1;
    for (int end; i < match_of(code, brace); i = end + 1) {
        end = cuna__cpu_code_end(code, i);
        if (end < i)
            return 0;
        if (at <= end)
            return i;
    }
    return 0;
}

/* From `if (` or a loop to what has token `at` in it: a body, or (the same token) the head of `if`; 0: a loop's. */
static int find_part(const cuna_code *code, int first, int at)
{
    bool chooses = is(code, first, "if") || is(code, first, "switch");
    int close = mark_at(code, first + 1) == '(' ? match_of(code, first + 1) : 0;
    if (close <= 0)
        return 0;
    if (at < close)
        return chooses ? first : 0;
    int end = cuna__cpu_code_end(code, close + 1);
    return at <= end ? close + 1 : is(code, end + 1, "else") ? end + 2 : 0;
}

/* The statement in `first` with token `at` in it; `first` itself, if it may be computed after what `at` begins; 0: it
 * may not. */
static int find_inner(const cuna_code *code, int first, int at)
{
    static const char *const heads[] = {"if", "switch", "for", "while", NULL};
    static const char *const others[] = {"case", "default", "return", "static", "typedef", "using", "constexpr", NULL};
    if (mark_at(code, first) == '{')
        return find_child(code, first, at);
    if (is(code, first, "do"))
        return at <= cuna__cpu_code_end(code, first + 1) ? first + 1 : 0;
    if (cuna__cpu_code_is_in(&code->tokens[first], heads))
        return find_part(code, first, at);
    return cuna__cpu_code_is_in(&code->tokens[first], others) || mark_at(code, cuna__cpu_code_end(code, first)) != ';'
               ? 0
               : first;
}

/* The innermost statement around a call in a kernel's body. */
static bool find_statement(cuna_call *call, const cuna_code *code, int brace)
{
    int next = brace;
    do {
        call->first = next;
        next = find_inner(code, call->first, call->name);
    } while (next > 0 && next != call->first);
    call->last = cuna__cpu_code_end(code, call->first);
    return next > 0 && call->last > call->close;
}

/* Whether what an assignment's left side has is computed after the right one, or is a variable's name. */
static bool is_target(const cuna_code *code, int first, int equals)
{
    int operators = 0;
    for (int i = first; i < equals; i++) {
        char mark = mark_at(code, i);
        bool is_last = i + 1 == equals || (i + 2 == equals && mark == mark_at(code, i + 1));
        if (mark == '[' && match_of(code, i) > i && match_of(code, i) < equals)
            i = match_of(code, i);
        else if (strchr("+-/%&|^<>", mark) != NULL && mark != 0)
            operators += !is_last && !(mark == '-' && mark_at(code, i + 1) == '>') &&
                         !(mark == '>' && mark_at(code, i - 1) == '-');
        else
            operators += mark == 0 || strchr("=,?!~({:", mark) != NULL;
    }
    return operators == 0;
}

/* Whether nothing that a statement computes comes before the call: only functions, casts, and results of calls do. */
static bool is_first(const cuna_plan *p, const cuna_call *call)
{
    static const char *const types[] = {"unsigned", "signed", "long", "short", "int",    "char",
                                        "float",    "double", "bool", "if",    "switch", NULL};
    const cuna_code *code = p->code;
    int i = call->name - 1;
    for (; i >= call->first; i--) {
        char mark = mark_at(code, i);
        bool is_function =
            mark == 'a' && mark_at(code, i + 1) == '(' && !cuna__cpu_region_is_macro(p, i) && !is(code, i, "assert");
        bool is_result = mark == 'a' && strncmp(code->tokens[i].at, "cuna_r", strlen("cuna_r")) == 0;
        if (mark == '=' && strchr("=!<>", mark_at(code, i - 1)) == NULL)
            return is_target(code, call->first, i);
        if (!(is_function || is_result || cuna__cpu_code_is_in(&code->tokens[i], types)) &&
            (mark == 0 || strchr("()+-*/0", mark) == NULL))
            return false;
    }
    return true;
}

/* Whether the call may be computed before its statement. */
static bool may_precede(cuna_call *call, const cuna_plan *p)
{
    cuna_item items[MAX_ITEMS];
    int count = mark_at(p->code, call->last) == ';'
                    ? cuna__cpu_region_split(p->code, call->first, call->last, items, MAX_ITEMS)
                    : 0;
    call->is_alone = call->first == call->name && call->close + 1 == call->last;
    call->is_declared = count > 0;
    if (count > 0)
        return items[0].value > 0 && items[0].value < call->name && call->close < items[0].value_end &&
               mark_at(p->code, items[0].value) == '=' && is_target(p->code, items[0].name, items[0].value) &&
               is_first(p, &(cuna_call){.name = call->name, .first = items[0].value + 1});
    return count == 0 && (call->is_alone || is_first(p, call));
}

/* ---- kernels ---- */

/* The source with statements in place of a call; NULL: it stays. */
static char *print_call(const cuna_plan *p, const char *source, const cuna_callee *callee, const cuna_call *call,
                        int number)
{
    char *text = NULL;
    size_t nbytes = 0;
    cuna_edits edits = {NULL};
    bool has_value = false;
    FILE *out = open_memstream(&text, &nbytes);
    if (out == NULL)
        return NULL;
    bool good = cuna__cpu_inline_print(out, p, callee, call, number, &has_value);
    good = fclose(out) == 0 && good && (has_value || call->is_alone);
    if (good) {
        const cuna_code_token *name = &p->code->tokens[call->name], *close = &p->code->tokens[call->close];
        const cuna_code_token *last = &p->code->tokens[call->last];
        size_t length = (size_t)(close->at + close->length - name->at);
        cuna__cpu_edit(&edits, p->code->tokens[call->first].at, 0, "%s%s", call->is_declared ? "" : "{ ", text);
        if (call->is_alone)
            cuna__cpu_edit(&edits, name->at, length, "%s", "");
        else
            cuna__cpu_edit(&edits, name->at, length, "cuna_r%d", number);
        cuna__cpu_edit(&edits, last->at + last->length, 0, "%s", call->is_declared ? "" : " }");
    }
    free(text);
    return good ? cuna__cpu_edit_finish(&edits, source) : NULL;
}

/* Finds the kernel of a name in the text that `plan->code` has. */
static bool find_kernel(cuna_plan *plan, const char *name, size_t length)
{
    const cuna_code *code = plan->code;
    for (int i = 1; i < code->nplain; i++) {
        int paren = is(code, i, "__global__") ? cuna__cpu_kernel_params(code, i) : 0;
        if (paren > 0 && cuna__cpu_kernel_is(&code->tokens[paren - 1], name, length)) {
            cuna__cpu_region_begin(plan, i, paren);
            return plan->end > 0 && cuna__cpu_kernel_count(code, &code->tokens[plan->name]) == 1;
        }
    }
    return false;
}

/* One call less; NULL: the kernel's plan failed, or (`is_ready`) succeeded. */
static char *expand_once(cuna_plan *plan, const char *source, int number, bool *is_ready)
{
    cuna_callee callee;
    cuna_call call;
    int other = cuna__cpu_region_find_other(plan);
    if (other > 0)
        return find_callee(&callee, plan, other) && read_call(&call, plan->code, other) &&
                       find_statement(&call, plan->code, plan->brace) && may_precede(&call, plan)
                   ? print_call(plan, source, &callee, &call, number)
                   : NULL;
    if (number > 0)
        cuna__cpu_region_plan(plan);
    *is_ready = number > 0 && !plan->failed;
    return NULL;
}

/* The source with one kernel rewritten; NULL: it stays. */
static char *expand(cuna_plan *plan, const char *source, const char *name, size_t length)
{
    const cuna_code *before = plan->code;
    char *text = strdup(source);
    bool is_ready = false;
    for (int number = 0; text != NULL && !is_ready && number < MAX_CALLS; number++) {
        cuna_code code = {NULL};
        cuna__cpu_code_read(&code, text);
        plan->code = &code;
        char *next =
            !code.failed && find_kernel(plan, name, length) ? expand_once(plan, text, number, &is_ready) : NULL;
        cuna__cpu_code_free(&code);
        if (!is_ready) {
            free(text);
            text = next;
        }
    }
    plan->code = before;
    if (is_ready)
        return text;
    free(text);
    return NULL;
}

/* Names of the kernels that are wanted, in `source`. */
static int list_kernels(const cuna_code_token **names, const cuna_code *code, int nexpressions,
                        char *const *expressions)
{
    int count = 0;
    for (int i = 1; i < code->nplain && count < MAX_NAMES; i++) {
        int paren = is(code, i, "__global__") ? cuna__cpu_kernel_params(code, i) : 0;
        if (paren > 0 && cuna__cpu_kernel_is_wanted(&code->tokens[paren - 1], nexpressions, expressions))
            names[count++] = &code->tokens[paren - 1];
    }
    return count;
}

char *cuna__cpu_inline_rewrite(cuna_plan *plan, const char *source, int nexpressions, char *const *expressions)
{
    const cuna_code_token *names[MAX_NAMES];
    cuna_code code = {NULL};
    char *text = NULL;
    if (strstr(source, "undef") != NULL) /* a macro may mean something else elsewhere */
        return NULL;
    cuna__cpu_code_read(&code, source);
    int count = code.failed ? 0 : list_kernels(names, &code, nexpressions, expressions);
    for (int k = 0; k < count; k++) {
        char *next = expand(plan, text != NULL ? text : source, names[k]->at, names[k]->length);
        if (next == NULL)
            continue;
        free(text);
        text = next;
    }
    cuna__cpu_code_free(&code);
    return text;
}
