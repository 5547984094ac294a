/* inline_text.c: the statements that do what a call of a device function does.
 *
 * Parameters and what the body declares get names of the call, in front of which stands cuna_<number>_; `__shared__`
 * variables, of which a function has one, names of the function. A reference is the argument's name, or an address. */
#define _GNU_SOURCE 1
#include "cpu/compile/inline_name.h"

#include <string.h>

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

/* The innermost declaration of a word that is in scope. */
static const struct word *find_word(const struct printer *o, int i)
{
    for (int k = o->nwords - 1; k >= 0; k--) {
        const struct word *word = &o->words[k];
        if (cuna__cpu_region_is_use(o->plan, i, word->name) &&
            (word->scope_end == 0 || (word->name <= i && i <= word->scope_end)))
            return word;
    }
    return NULL;
}

/* ---- printing ---- */

static void print_tokens(struct printer *o, int from, int to);

static void print_plain(struct printer *o, int i)
{
    const cuna_code_token *token = &o->code->tokens[i];
    fprintf(o->out, "%.*s", (int)token->length, token->at);
}

static void print_name(struct printer *o, const struct word *word)
{
    if (word->kind == OF_FUNCTION) {
        fputs("cuna_h_", o->out);
        print_plain(o, o->callee->name);
        fputc('_', o->out);
    } else if (word->kind != ITSELF) {
        fprintf(o->out, "cuna_%d_", o->number);
    }
    print_plain(o, word->name);
    if (word->hides > 0)
        fprintf(o->out, "_%d", word->hides);
}

static void print_raw(struct printer *o, int from, int to)
{
    for (int i = from; i < to; i++) {
        const cuna_code_token *token = &o->code->tokens[i];
        print_plain(o, i);
        fputs(token->at + token->length == o->code->tokens[i + 1].at && i + 1 < to ? "" : " ", o->out);
    }
}

static void print_word(struct printer *o, const struct word *word)
{
    fputs(word->kind == CONSTANT ? "((" : word->kind == ADDRESS ? "(*" : "", o->out);
    if (word->kind == CONSTANT) {
        print_tokens(o, word->type, word->type_end);
        fputs(")(", o->out);
    }
    if (word->kind == TOKENS || word->kind == CONSTANT)
        print_raw(o, word->from, word->to);
    else
        print_name(o, word);
    fputs(word->kind == CONSTANT ? ")) " : word->kind == ADDRESS ? ")" : "", o->out);
}

/* Of the function. */
static void print_tokens(struct printer *o, int from, int to)
{
    for (int i = from; i < to; i++) {
        const cuna_code_token *token = &o->code->tokens[i];
        const struct word *word = mark_at(o, i) == 'a' ? find_word(o, i) : NULL;
        bool touches = i + 1 < to && token->at + token->length == o->code->tokens[i + 1].at;
        if (word != NULL)
            print_word(o, word);
        else
            print_plain(o, i);
        fputs(touches ? "" : " ", o->out);
    }
}

/* ---- lists ---- */

/* Splits [from, to) at commas outside of brackets, and of angles if `angles`. */
static int split(const struct printer *o, int from, int to, bool angles, struct part *out)
{
    int count = 0, depth = 0;
    for (int i = from, first = from; i <= to && from < to; i++) {
        depth += angles && mark_at(o, i) == '<';
        depth -= angles && mark_at(o, i) == '>' && i < to;
        if (i == to || (mark_at(o, i) == ',' && depth == 0)) {
            if (count == MAX_LIST)
                return -1;
            out[count++] = (struct part){.from = first, .to = i};
            first = i + 1;
        } else if (strchr("([{", mark_at(o, i)) != NULL && o->code->tokens[i].match > i) {
            i = o->code->tokens[i].match;
        }
    }
    return count;
}

/* Finds the parts of a parameter; false: the rules do not understand it. */
static bool read_param(const struct printer *o, struct part *param)
{
    int end = param->from, words = 0;
    for (int i = param->from, depth = 0; i < param->to; i++) {
        char mark = mark_at(o, i);
        depth += (mark == '<') - (mark == '>');
        if (mark == '=' && param->value == 0)
            param->value = i + 1;
        if (param->value > 0 || depth > 0)
            continue;
        if (strchr("(.", mark) != NULL || (mark == '&' && param->is_ref) || (mark == '[' && param->is_list))
            return false;
        param->is_ref |= mark == '&';
        param->is_const |= is(o, i, "const");
        if (mark == '[') {
            param->is_list = true;
            i = o->code->tokens[i].match;
        } else if (mark == 'a') {
            param->name = i;
            words++;
        }
        end = i + 1;
    }
    param->type_end = param->name;
    return words > 1 || (words == 1 && end > param->name + 1 && !param->is_list) || param->type_end > param->from;
}

/* The only word of a type besides these; `nstars`: of `*`. 0: there are more. */
static int find_type(const struct printer *o, const struct part *param, int *nstars)
{
    static const char *const others[] = {"const", "volatile", "__restrict__", "__restrict", NULL};
    int word = 0;
    *nstars = param->is_list;
    for (int i = param->from; i < param->type_end; i++) {
        *nstars += mark_at(o, i) == '*';
        if (mark_at(o, i) == '*' || mark_at(o, i) == '&' || is_in(o, i, others))
            continue;
        if (word > 0 || mark_at(o, i) != 'a')
            return 0;
        word = i;
    }
    return word;
}

/* ---- template parameters ---- */

/* A type that follows from an argument. */
static void print_deduced(struct printer *o, int name, const struct part *params, const struct part *args, int nargs)
{
    for (int k = 0; k < nargs; k++) {
        int nstars, word = find_type(o, &params[k], &nstars);
        if (word == 0 || !cuna__cpu_region_same(o->plan, word, name) || nstars > 1)
            continue;
        fprintf(o->out, "typedef CUNA_%s_OF(", nstars > 0 ? "ELEMENT" : "TYPE");
        print_raw(o, args[k].from, args[k].to);
        fputs(") ", o->out);
        print_name(o, &(struct word){.kind = OF_CALL, .name = name});
        fputs("; ", o->out);
        cuna__cpu_inline_add_word(o, (struct word){.kind = OF_CALL, .name = name});
        return;
    }
    o->failed = true;
}

static void bind_type(struct printer *o, int name, int from, int to)
{
    if (to == from + 1) {
        cuna__cpu_inline_add_word(o, (struct word){.kind = TOKENS, .name = name, .from = from, .to = to});
        return;
    }
    fputs("typedef ", o->out);
    print_raw(o, from, to);
    print_name(o, &(struct word){.kind = OF_CALL, .name = name});
    fputs("; ", o->out);
    cuna__cpu_inline_add_word(o, (struct word){.kind = OF_CALL, .name = name});
}

/* `given`: the template argument; NULL: none. */
static void bind_template(struct printer *o, const struct part *param, const struct part *given,
                          const struct part *params, const struct part *args, int nargs)
{
    int equals = param->from, name;
    while (equals < param->to && mark_at(o, equals) != '=')
        equals++;
    name = equals - 1;
    bool is_type = name == param->from + 1 && (is(o, param->from, "typename") || is(o, param->from, "class"));
    int from = given != NULL ? given->from : equals + 1, to = given != NULL ? given->to : param->to;
    o->failed |= name <= param->from || mark_at(o, name) != 'a' || is(o, param->from, "template");
    if (o->failed)
        return;
    if (is_type && from >= to)
        print_deduced(o, name, params, args, nargs);
    else if (is_type)
        bind_type(o, name, from, to);
    else if (from < to && !is(o, param->from, "auto"))
        cuna__cpu_inline_add_word(
            o, (struct word){
                   .kind = CONSTANT, .name = name, .from = from, .to = to, .type = param->from, .type_end = name});
    else
        o->failed = true;
}

static void bind_templates(struct printer *o, const struct part *params, const struct part *args, int nargs)
{
    struct part all[MAX_LIST], given[MAX_LIST];
    const cuna_callee *c = o->callee;
    int end = c->type - 1, ngiven = 0, count = 0;
    if (c->angle > 0) {
        count = split(o, c->angle + 1, end, true, all);
        ngiven = o->call->angle > 0 ? split(o, o->call->angle + 1, o->call->angle_end, true, given) : 0;
    }
    o->failed |= count < 0 || ngiven < 0 || ngiven > count || (c->angle == 0 && o->call->angle > 0);
    for (int k = 0; k < count && !o->failed; k++)
        bind_template(o, &all[k], k < ngiven ? &given[k] : NULL, params, args, nargs);
}

/* ---- parameters ---- */

static bool is_block_type(const struct printer *o, const struct part *param)
{
    int last = param->type_end - 1;
    return is(o, mark_at(o, last) == '&' ? last - 1 : last, "thread_block");
}

/* `x`, `x.y[i]`, `*x`: what has an address. */
static bool is_place(const struct printer *o, const struct part *arg)
{
    int i = arg->from;
    if (mark_at(o, i) == '*')
        return true;
    if (mark_at(o, i++) != 'a')
        return false;
    while (i < arg->to && (mark_at(o, i) == '[' || mark_at(o, i) == '.'))
        i = mark_at(o, i) == '[' ? o->code->tokens[i].match + 1 : i + 2;
    return i == arg->to;
}

/* Whether the argument's own name can stand for the parameter. */
static bool may_share(const struct printer *o, const struct part *param, const struct part *arg)
{
    int nstars;
    bool is_type = o->callee->angle > 0 && find_type(o, param, &nstars) > 0;
    if (arg->to != arg->from + 1 || mark_at(o, arg->from) != 'a')
        return false;
    return is_block_type(o, param) || (param->is_ref && (!param->is_const || is_type));
}

static void check_capture(struct printer *o, int arg)
{
    for (int i = o->callee->brace + 1; i < o->callee->end; i++)
        o->failed |= cuna__cpu_region_is_use(o->plan, i, arg) && find_word(o, i) == NULL;
}

static void print_param(struct printer *o, const struct part *param, const struct part *arg)
{
    bool is_address = param->is_ref && (!param->is_const || is_place(o, arg));
    struct word word = *find_word(o, param->name);
    int end = param->type_end;
    o->failed |= is_address && !is_place(o, arg);
    end -= param->is_ref && mark_at(o, end - 1) == '&';
    print_tokens(o, param->from, end);
    fputs(is_address || param->is_list ? "*" : "", o->out);
    print_name(o, &word);
    bool bare = is_block_type(o, param) || mark_at(o, arg->from) == '{';
    fputs(is_address ? " = &(" : bare ? " = " : " = (", o->out);
    print_raw(o, arg->from, arg->to);
    fputs(bare && !is_address ? "; " : "); ", o->out);
}

/* How the parameters are named in the body; before that is printed. */
static void name_params(struct printer *o, const struct part *params, const struct part *args, int count)
{
    for (int k = 0; k < count && !o->failed; k++) {
        const struct part *param = &params[k], *arg = &args[k];
        bool is_address = param->is_ref && (!param->is_const || is_place(o, arg));
        if (may_share(o, param, arg))
            cuna__cpu_inline_add_word(
                o, (struct word){.kind = TOKENS, .name = param->name, .from = arg->from, .to = arg->to});
        else
            cuna__cpu_inline_add_word(
                o, (struct word){.kind = cuna__cpu_inline_kind_of(o, param->name, is_address ? ADDRESS : OF_CALL),
                                 .name = param->name});
        o->failed |= cuna__cpu_region_is_global(o->plan, param->name);
    }
}

/* ---- the body ---- */

static void print_return(struct printer *o, int i, bool has_value)
{
    int end = cuna__cpu_code_end(o->code, i);
    bool is_last = end + 1 == o->callee->end && strchr("{};", mark_at(o, i - 1)) != NULL;
    bool lists = mark_at(o, i + 1) == '{';
    o->leaves |= !is_last;
    fputs("{ ", o->out);
    if (end > i + 1) {
        if (has_value && !o->call->is_alone)
            fprintf(o->out, lists ? "cuna_r%d = " : "cuna_r%d = (", o->number);
        print_tokens(o, i + 1, end);
        fputs(has_value && !o->call->is_alone && !lists ? "); " : "; ", o->out);
    }
    if (!is_last)
        fprintf(o->out, "CUNA_LEAVE cuna_end_%d; ", o->number);
    fputs("} ", o->out);
}

/* Whether the kernel has the function's `__shared__` variable already. */
static bool is_declared(const struct printer *o, int name)
{
    char word[256];
    const cuna_code_token *function = &o->code->tokens[o->callee->name], *token = &o->code->tokens[name];
    snprintf(word, sizeof word, "cuna_h_%.*s_%.*s", (int)function->length, function->at, (int)token->length, token->at);
    for (int i = o->plan->brace; i < o->plan->end; i++)
        if (is(o, i, word))
            return true;
    return false;
}

/* A `__shared__` declaration up to its end. */
static int print_shared(struct printer *o, int i)
{
    int last = cuna__cpu_code_end(o->code, i), count = 0, found = 0;
    for (int at = i; at < last; at++) {
        const struct word *word = mark_at(o, at) == 'a' ? find_word(o, at) : NULL;
        bool is_variable = word != NULL && (word->kind == OF_FUNCTION || word->kind == ITSELF);
        count += is_variable;
        found += is_variable && is_declared(o, word->name);
    }
    o->failed |= (found > 0 && found < count) || (found > 0 && o->callee->angle > 0);
    if (found == 0) {
        print_tokens(o, is(o, i, "static") ? i + 1 : i, last);
        fputs("; ", o->out);
    }
    return last;
}

static void print_body(struct printer *o, bool has_value)
{
    const cuna_callee *c = o->callee;
    int from = c->brace + 1;
    for (int i = from; i < c->end && !o->failed; i++) {
        bool shared = cuna__cpu_inline_may_begin(o, i) && cuna__cpu_inline_is_shared(o, i), leaves = is(o, i, "return");
        if (!shared && !leaves)
            continue;
        print_tokens(o, from, i);
        if (leaves)
            print_return(o, i, has_value);
        i = leaves ? cuna__cpu_code_end(o->code, i) : print_shared(o, i);
        from = i + 1;
    }
    print_tokens(o, from, c->end);
    if (o->leaves)
        fprintf(o->out, "cuna_end_%d: ; ", o->number);
}

/* Declares the place of the value that the function returns. */
static bool print_result(struct printer *o)
{
    static const char *const qualifiers[] = {
        "static",       "inline", "__inline__", "__device__", "__host__", "__forceinline__",
        "__noinline__", "extern", "constexpr",  "const",      NULL};
    const cuna_callee *c = o->callee;
    bool is_void = false;
    int words = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = c->type; i < c->name; i++) {
            if (is_in(o, i, qualifiers) || mark_at(o, i) == '"')
                continue;
            words += pass == 0;
            is_void |= pass == 0 && is(o, i, "void") && mark_at(o, i + 1) != '*';
            o->failed |= mark_at(o, i) == '&' || is(o, i, "auto") || mark_at(o, i) == '[';
            if (pass == 1 && !is_void && !o->call->is_alone)
                print_tokens(o, i, i + 1);
        }
    if (!is_void && !o->call->is_alone)
        fprintf(o->out, "cuna_r%d; ", o->number);
    return !is_void && words > 0;
}

static int read_params(struct printer *o, struct part *params, struct part *args)
{
    const cuna_callee *c = o->callee;
    int close = o->code->tokens[c->paren].match;
    int count = split(o, c->paren + 1, close, true, params);
    int nargs = split(o, o->call->paren + 1, o->call->close, false, args);
    if (count == 1 && params[0].to == params[0].from + 1 && is(o, params[0].from, "void"))
        count = 0;
    o->failed |= count < 0 || nargs < 0 || nargs > count;
    for (int k = 0; k < count && !o->failed; k++) {
        o->failed |= !read_param(o, &params[k]);
        if (k >= nargs) {
            o->failed |= params[k].value == 0;
            args[k] = (struct part){.from = params[k].value, .to = params[k].to};
        }
    }
    return count;
}

bool cuna__cpu_inline_print(FILE *out, const cuna_plan *plan, const cuna_callee *callee, const cuna_call *call,
                            int number, bool *has_value)
{
    struct printer o = {.out = out, .plan = plan, .code = plan->code, .callee = callee, .call = call, .number = number};
    struct part params[MAX_LIST], args[MAX_LIST];
    int count = read_params(&o, params, args);
    if (o.failed)
        return false;
    bind_templates(&o, params, args, count);
    *has_value = !o.failed && print_result(&o);
    name_params(&o, params, args, o.failed ? 0 : count);
    if (!o.failed)
        cuna__cpu_inline_find_locals(&o);
    fputs("{ ", out);
    for (int k = 0; k < count && !o.failed; k++) {
        if (may_share(&o, &params[k], &args[k]))
            check_capture(&o, args[k].from);
        else
            print_param(&o, &params[k], &args[k]);
    }
    print_body(&o, *has_value);
    fputs("} ", out);
    return !o.failed;
}
