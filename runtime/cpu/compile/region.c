/* region.c: rewrites kernels whose threads wait at barriers, so that a call runs a thread from one point to the next.
 *
 * Before the kernel's body stand its constants, its `__shared__` memory and all variables that threads have at points,
 * followed by jumps to the points. A declaration among the statements becomes an assignment. A barrier becomes a text
 * that keeps what lives, stores the number of the point and returns, followed by the point's label.
 * kernels/raw_region_cpu.h calls kernels and moves variables. cuna_f<k> and cuna_e<k> are the first and the last place
 * of item k. */
#define _GNU_SOURCE 1
#include "cpu/compile/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/edit.h"
#include "cpu/compile/inline.h"
#include "cpu/compile/kernel.h"
#include "cpu/compile/region_plan.h"
#include "cpu/compile/token.h"

#define MAX_KERNELS 32

struct kernel {
    const cuna_code_token *name;
    int npoints;
};

struct cuna_regions {
    cuna_code code;
    cuna_edits edits;
    struct kernel kernels[MAX_KERNELS];
    int nkernels, ntexts; /* ntexts: of kernels that were rewritten */
    char *source;         /* with functions written into kernels; NULL: as it was */
    char *text;
};

/* ---- the text of a kernel ---- */

struct printer {
    const cuna_plan *plan;
    cuna_edits *edits;
    FILE *out;
};

static const cuna_code_token *token_at(const cuna_plan *p, int i)
{
    return &p->code->tokens[i];
}

/* In one line. */
static void print_tokens(struct printer *o, int from, int to, const char *without)
{
    for (int i = from; i < to; i++) {
        const cuna_code_token *token = token_at(o->plan, i);
        if (without != NULL && cuna__cpu_code_is(token, without))
            continue;
        bool touches = i + 1 < to && token->at + token->length == token_at(o->plan, i + 1)->at;
        fprintf(o->out, "%.*s%s", (int)token->length, token->at, touches ? "" : " ");
    }
}

static void print_word(struct printer *o, int i)
{
    fprintf(o->out, "%.*s", (int)token_at(o->plan, i)->length, token_at(o->plan, i)->at);
}

static int root_of(const cuna_plan *p, int k)
{
    return p->items[k].twin >= 0 ? root_of(p, p->items[k].twin) : k;
}

static void print_fixed(struct printer *o, const cuna_item *item)
{
    bool points = item->name > item->from;
    bool is_const = cuna__cpu_code_is(token_at(o->plan, item->name - 1), "const");
    for (int i = item->first; i < item->specs_end && !points; i++)
        is_const |= cuna__cpu_code_is(token_at(o->plan, i), "const");
    print_tokens(o, item->first, item->specs_end, NULL);
    print_tokens(o, item->from, item->name, NULL);
    fputs(is_const ? " " : " const ", o->out);
    print_tokens(o, item->name, item->value_end, NULL);
    fputs("; ", o->out);
}

/* The type of a variable, as cuna_p<k>. */
static void print_type(struct printer *o, int k)
{
    const cuna_item *item = &o->plan->items[k];
    bool deduced = false;
    for (int i = item->first; i < item->specs_end && !item->is_param; i++)
        deduced |= cuna__cpu_code_is(token_at(o->plan, i), "auto");
    if (item->is_param) {
        fprintf(o->out, "typedef typename ::cuna_raw::Plain<decltype(cuna_given_");
        print_word(o, item->name);
        fputs(")>", o->out);
    } else if (deduced) {
        fputs("typedef typename ::cuna_raw::Plain<decltype(::cuna_raw::decayed(", o->out);
        print_tokens(o, item->value + 1, item->value_end, NULL);
        fputs("))>", o->out);
    } else {
        fprintf(o->out, "struct cuna_t%d { ", k);
        print_tokens(o, item->first, item->specs_end, NULL);
        print_tokens(o, item->from, item->to, NULL);
        fprintf(o->out, "; }; typedef typename ::cuna_raw::Plain<decltype(cuna_t%d::", k);
        print_word(o, item->name);
        fputs(")>", o->out);
    }
    fprintf(o->out, "::type cuna_p%d; ", k);
}

/* `before`: the number of the variable before it, or -1. */
static void print_variable(struct printer *o, int k, int before)
{
    const cuna_item *item = &o->plan->items[k];
    print_type(o, k);
    fprintf(o->out, "enum : unsigned { cuna_f%d = ::cuna_raw::slot_place<cuna_p%d>(", k, k);
    fprintf(o->out, before >= 0 ? "cuna_e%d" : "0", before);
    fprintf(o->out, "), cuna_e%d = ::cuna_raw::slot_end<cuna_p%d>(cuna_f%d) }; ", k, k, k);
    fprintf(o->out, "::cuna_raw::Local<cuna_p%d, cuna_f%d, %d> cuna_l%d; auto &", k, k, item->rank, k);
    print_word(o, item->name);
    fprintf(o->out, " = cuna_l%d.home(); ", k);
}

/* One structure for all names of a declaration, at the first of them. */
static void print_shared(struct printer *o, int k, int *last)
{
    const cuna_item *item = &o->plan->items[k];
    bool is_first = k == 0 || o->plan->items[k - 1].first != item->first;
    if (is_first) {
        fprintf(o->out, "struct cuna_s%d { ", k);
        print_tokens(o, item->first, item->last, "__shared__");
        fprintf(o->out, "; }; enum : unsigned { cuna_f%d = ::cuna_raw::place<cuna_s%d>(", k, k);
        fprintf(o->out, *last >= 0 ? "cuna_e%d" : "0", *last);
        fprintf(o->out, "), cuna_e%d = cuna_f%d + sizeof(cuna_s%d) }; ", k, k, k);
        *last = k;
    }
    fputs("auto &", o->out);
    print_word(o, item->name);
    fprintf(o->out, " = ::cuna_raw::shared_at<cuna_s%d, cuna_f%d>().", *last, *last);
    print_word(o, item->name);
    fputs("; ", o->out);
}

static void print_given(struct printer *o)
{
    for (int k = 0; k < o->plan->nitems; k++)
        if (o->plan->items[k].is_param) {
            fputs(" const auto &cuna_given_", o->out);
            print_word(o, o->plan->items[k].name);
            fputs(" = ", o->out);
            print_word(o, o->plan->items[k].name);
            fputs(";", o->out);
        }
    fputs(" { ", o->out);
}

/* Keeps or takes (`verb`) what lives at a point. */
static void print_moves(struct printer *o, const cuna_point *point, const char *verb)
{
    bool done[MAX_ITEMS] = {false};
    for (int k = 0; k < o->plan->nitems; k++) {
        const cuna_item *item = &o->plan->items[k];
        int root = root_of(o->plan, k);
        if (item->kind != CUNA_ITEM_VARIABLE || done[root] || !cuna__cpu_region_lives(o->plan, item, point))
            continue;
        done[root] = true;
        fprintf(o->out, "cuna_l%d.%s(); ", root, verb);
    }
}

static void print_jumps(struct printer *o, int kernel, int last_shared, int last)
{
    fputs("switch (::cuna_raw::point) { case ::cuna_raw::SET_UP: ::cuna_raw::set_up<", o->out);
    fprintf(o->out, last_shared >= 0 ? "cuna_e%d, " : "0, ", last_shared);
    fprintf(o->out, last >= 0 ? "cuna_e%d, " : "0, ", last);
    fprintf(o->out, "%d>(); return; ", kernel);
    for (int i = 0; i < o->plan->npoints; i++) {
        fprintf(o->out, "case %d: ", i + 1);
        print_moves(o, &o->plan->points[i], "take");
        fprintf(o->out, "goto cuna_%d; ", i + 1);
    }
    fputs("} ", o->out);
}

/* What stands before the kernel's statements. */
static void print_head(struct printer *o, int kernel)
{
    int last = -1, last_shared = -1;
    print_given(o);
    for (int k = 0; k < o->plan->nitems; k++) {
        const cuna_item *item = &o->plan->items[k];
        if (item->kind == CUNA_ITEM_PARAM) {
            fputs("auto &", o->out);
            print_word(o, item->name);
            fputs(" = cuna_given_", o->out);
            print_word(o, item->name);
            fputs("; ", o->out);
        } else if (item->kind == CUNA_ITEM_FIXED) {
            print_fixed(o, item);
        } else if (item->kind == CUNA_ITEM_WHOLE) {
            print_tokens(o, item->first, item->last + 1, NULL);
        } else if (item->kind == CUNA_ITEM_SHARED) {
            print_shared(o, k, &last_shared);
        } else if (item->twin < 0) {
            print_variable(o, k, last);
            last = k;
        }
    }
    print_jumps(o, kernel, last_shared, last);
    for (int k = 0; k < o->plan->nitems; k++)
        if (o->plan->items[k].is_param && o->plan->items[k].kind == CUNA_ITEM_VARIABLE) {
            print_word(o, o->plan->items[k].name);
            fputs(" = cuna_given_", o->out);
            print_word(o, o->plan->items[k].name);
            fputs("; ", o->out);
        }
}

static void print_point(struct printer *o, int i)
{
    const cuna_point *point = &o->plan->points[i];
    fputs(" { ", o->out);
    print_moves(o, point, "keep");
    fprintf(o->out, "::cuna_raw::next_point = %d%s; return; cuna_%d:; }", i + 1,
            point->joins ? " | ::cuna_raw::JOIN" : "", i + 1);
}

/* ---- edits ---- */

static size_t length_of(const cuna_plan *p, int from, int to)
{
    return (size_t)(token_at(p, to - 1)->at + token_at(p, to - 1)->length - token_at(p, from)->at);
}

static void cut(struct printer *o, int from, int to, const char *instead)
{
    if (from < to)
        cuna__cpu_edit(o->edits, token_at(o->plan, from)->at, length_of(o->plan, from, to), "%s", instead);
}

/* A declarator becomes an assignment. */
static void edit_declarator(struct printer *o, int k)
{
    const cuna_plan *p = o->plan;
    const cuna_item *item = &p->items[k];
    int length = (int)token_at(p, item->name)->length, root = root_of(p, k);
    const char *name = token_at(p, item->name)->at;
    bool is_array = item->to > item->name + 1;
    if (item->kind == CUNA_ITEM_FIXED) {
        cut(o, item->from, item->value_end, "0");
    } else if (item->value == 0) {
        cuna__cpu_edit(o->edits, token_at(p, item->from)->at, length_of(p, item->from, item->to),
                       "::cuna_raw::begin(%.*s)", length, name);
    } else if (is_array) {
        const cuna_code_token *last = token_at(p, item->value_end - 1);
        bool has_mark = token_at(p, item->value)->mark == '=';
        cuna__cpu_edit(o->edits, token_at(p, item->from)->at, length_of(p, item->from, item->value + has_mark),
                       "::cuna_raw::fill(%.*s, ", length, name);
        cuna__cpu_edit(o->edits, last->at + last->length, 0, ")");
    } else {
        cut(o, item->from, item->name, "");
        if (token_at(p, item->value)->mark != '=')
            cuna__cpu_edit(o->edits, token_at(p, item->value)->at, 0, " = cuna_p%d", root);
    }
}

static void edit_items(struct printer *o)
{
    for (int k = 0; k < o->plan->nitems; k++) {
        const cuna_item *item = &o->plan->items[k];
        bool is_first = k == 0 || o->plan->items[k - 1].first != item->first;
        if (item->is_param)
            continue;
        if (item->kind == CUNA_ITEM_WHOLE || item->kind == CUNA_ITEM_SHARED) {
            if (is_first)
                cut(o, item->first, item->last, "");
            continue;
        }
        if (is_first)
            cut(o, item->first, item->specs_end, "");
        edit_declarator(o, k);
    }
}

static char *print(const cuna_plan *plan, cuna_edits *edits, int kernel, int point)
{
    char *text = NULL;
    size_t nbytes = 0;
    struct printer o = {plan, edits, open_memstream(&text, &nbytes)};
    edits->failed |= o.out == NULL;
    if (o.out == NULL)
        return NULL;
    if (point < 0)
        print_head(&o, kernel);
    else
        print_point(&o, point);
    edits->failed |= fclose(o.out) != 0;
    return text;
}

static void edit_kernel(cuna_regions *r, const cuna_plan *plan)
{
    struct printer o = {plan, &r->edits, NULL};
    char *head = print(plan, &r->edits, r->ntexts++, -1);
    cuna__cpu_edit(&r->edits, token_at(plan, plan->brace)->at + 1, 0, "%s", head != NULL ? head : "");
    free(head);
    for (int i = 0; i < plan->npoints; i++) {
        const cuna_point *point = &plan->points[i];
        char *text = print(plan, &r->edits, 0, i);
        const cuna_code_token *last = token_at(plan, point->last);
        if (point->joins)
            cuna__cpu_edit(&r->edits, last->at + last->length, 0, "%s", text != NULL ? text : "");
        else
            cut(&o, point->first, point->last + 1, text != NULL ? text : "");
        free(text);
    }
    edit_items(&o);
    cuna__cpu_edit(&r->edits, token_at(plan, plan->end)->at, 0, "}");
}

/* ---- the kernels of a source ---- */

static void take_kernel(cuna_regions *r, cuna_plan *plan, int begin, int paren)
{
    const cuna_code *code = &r->code;
    cuna__cpu_region_begin(plan, begin, paren);
    plan->failed |= r->nkernels == MAX_KERNELS || cuna__cpu_kernel_count(code, &code->tokens[plan->name]) != 1;
    if (!plan->failed)
        cuna__cpu_region_plan(plan);
    if (plan->failed)
        return;
    r->kernels[r->nkernels++] = (struct kernel){&code->tokens[plan->name], plan->npoints};
    edit_kernel(r, plan);
}

cuna_regions *cuna__cpu_regions_create(const cuna_reach *reach, const char *source, bool steps, int nlines,
                                       char *const *lines, int nexpressions, char *const *expressions)
{
    cuna_regions *r = calloc(1, sizeof *r);
    cuna_plan *plan = calloc(1, sizeof *plan);
    if (r != NULL && plan != NULL) {
        *plan = (cuna_plan){.code = &r->code, .reach = reach, .steps = steps, .nlines = nlines, .lines = lines};
        r->source = cuna__cpu_inline_rewrite(plan, source, nexpressions, expressions);
        source = r->source != NULL ? r->source : source;
        cuna__cpu_code_read(&r->code, source);
        for (int i = 1; i < r->code.nplain && !r->code.failed; i++) {
            int paren = cuna__cpu_code_is(&r->code.tokens[i], "__global__") ? cuna__cpu_kernel_params(&r->code, i) : 0;
            if (paren > 0 && cuna__cpu_kernel_is_wanted(&r->code.tokens[paren - 1], nexpressions, expressions))
                take_kernel(r, plan, i, paren);
        }
        r->text = cuna__cpu_edit_finish(&r->edits, source);
    }
    free(plan);
    if (r != NULL && r->text != NULL && !r->code.failed)
        return r;
    cuna__cpu_regions_free(r);
    return NULL;
}

void cuna__cpu_regions_free(cuna_regions *r)
{
    if (r == NULL)
        return;
    cuna__cpu_code_free(&r->code);
    free(r->source);
    free(r->text);
    free(r);
}

const char *cuna__cpu_regions_text(const cuna_regions *r)
{
    return r->nkernels > 0 ? r->text : NULL;
}

int cuna__cpu_regions_points(const cuna_regions *r, const char *expression)
{
    const char *word = NULL;
    size_t length = cuna__cpu_kernel_word(&word, expression);
    for (int k = 0; k < r->nkernels && length > 0; k++)
        if (cuna__cpu_kernel_is(r->kernels[k].name, word, length))
            return r->kernels[k].npoints;
    return 0;
}
