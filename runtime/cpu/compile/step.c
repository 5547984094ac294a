/* step.c: sources that rely on the lanes of a warp running in lock step.
 *
 * Before Volta, CUDA programs folded the last 64 elements of a block by volatile accesses to shared memory without a
 * barrier. In such a source each access to an element of volatile memory becomes a call of raw_step_cpu.h, by which
 * lanes wait for each other. An access is found by its name, which some declaration makes volatile; C++ decides by its
 * type whether it really is. The place of an access, a number from its line and column, says which lanes are behind: a
 * value is stored where its statement ends, and lanes that leave a body of a loop or function early wait at its end. A
 * source whose volatile loads and stores have barriers between them stays unchanged. */
#define _GNU_SOURCE 1
#include "cpu/compile/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/site.h"

#define COLUMNS      4096 /* of a line, in places */
#define PLACE_NBYTES 64
#define TEXT_NBYTES  192

/* Text that is put before a character; of several at one place the lower order comes first. */
struct addition {
    const char *at;
    int order;
    char text[TEXT_NBYTES];
};

struct text {
    struct addition *additions;
    int nadditions;
    bool failed;
};

static const cuna_code_token *token_at(const cuna_sites *p, int i)
{
    return &p->code.tokens[i];
}

static char mark_at(const cuna_sites *p, int i)
{
    return p->code.tokens[i].mark;
}

/* ---- is there a load that no barrier separates from a store? ---- */

static bool is_barrier(const cuna_sites *p, int i)
{
    static const char *const words[] = {"__sync*", "__barrier_sync*", "__shfl*",   "__ballot*", "__any*",
                                        "__all*",  "__match*",        "__reduce*", "sync",      NULL};
    return cuna__cpu_code_is_in(token_at(p, i), words);
}

/* In tokens from..to, `rounds` times. */
static bool is_racy(const cuna_sites *p, int from, int to, int rounds)
{
    bool loads = false, stores = false;
    for (int site = 0; rounds > 0; rounds--, site = 0)
        for (int i = from; i <= to; i++) {
            if (is_barrier(p, i))
                loads = stores = false;
            while (site < p->nsites && p->sites[site].first < i)
                site++;
            if (site == p->nsites || p->sites[site].first != i)
                continue;
            bool is_store = p->sites[site].kind != CUNA_SITE_LOAD;
            if ((p->sites[site].kind != CUNA_SITE_STORE && stores) || (is_store && loads))
                return true;
            loads |= !is_store;
            stores |= is_store;
        }
    return false;
}

static bool has_race(const cuna_sites *p)
{
    static const char *const loops[] = {"for", "while", "do", NULL};
    for (int b = 0; b < p->nbodies; b++)
        if (is_racy(p, p->bodies[b].brace, token_at(p, p->bodies[b].brace)->match, p->bodies[b].is_kernel ? 1 : 2))
            return true;
    for (int i = 1; i < p->code.nplain; i++)
        if (cuna__cpu_code_is_in(token_at(p, i), loops) && is_racy(p, i, cuna__cpu_code_end(&p->code, i), 2))
            return true;
    return is_racy(p, p->code.nplain, p->code.count - 1, 1);
}

/* ---- additions ---- */

static void add(struct text *t, const char *at, int order, const char *text)
{
    t->additions = cuna__cpu_sites_grow(&t->failed, t->additions, t->nadditions, sizeof *t->additions);
    if (t->failed)
        return;
    struct addition *addition = &t->additions[t->nadditions++];
    *addition = (struct addition){at, order, ""};
    snprintf(addition->text, sizeof addition->text, "%s", text);
}

/* The place of token `to`, in a text that stands at token `from`. */
static void print_place(char out[PLACE_NBYTES], const cuna_sites *p, int from, int to)
{
    int column = token_at(p, to)->column;
    snprintf(out, PLACE_NBYTES, "(__LINE__ + %d) * %d + %d", token_at(p, to)->line - token_at(p, from)->line, COLUMNS,
             column < COLUMNS ? column : COLUMNS - 1);
}

static void add_access(struct text *t, const cuna_sites *p, const cuna_site *site)
{
    char place[PLACE_NBYTES], end[PLACE_NBYTES], text[TEXT_NBYTES];
    const cuna_code_token *last = token_at(p, site->last);
    print_place(place, p, site->first, site->first);
    print_place(end, p, site->first, site->end);
    if (site->kind == CUNA_SITE_LOAD)
        snprintf(text, sizeof text, "::cuna_raw::step_load<%s>(", place);
    else
        snprintf(text, sizeof text, "::cuna_raw::step_store<%s, %s>(", place, end);
    add(t, token_at(p, site->first)->at, 1, text);
    add(t, last->at + last->length, 0, ")");
}

/* `body`: the first token of a loop's body, or the brace of a function's. */
static void add_end(struct text *t, const cuna_sites *p, int body)
{
    char place[PLACE_NBYTES], text[TEXT_NBYTES];
    bool braced = mark_at(p, body) == '{';
    print_place(place, p, body, cuna__cpu_code_end(&p->code, body));
    snprintf(text, sizeof text,
             braced ? " ::cuna_raw::AtEnd<%s> cuna_raw_end;" : "if (::cuna_raw::AtEnd<%s> cuna_raw_end{}) ; else ",
             place);
    add(t, token_at(p, body)->at + braced, 0, text);
}

/* Whether tokens have a site, or the name of a function or macro that has. */
static bool steps(const cuna_sites *p, int from, int to)
{
    for (int s = 0; s < p->nsites; s++)
        if (p->sites[s].first >= from && p->sites[s].first <= to)
            return true;
    for (int i = from; i <= to; i++) {
        if (mark_at(p, i) != 'a')
            continue;
        for (int b = 0; b < p->nbodies; b++)
            if (p->bodies[b].steps && cuna__cpu_sites_same_word(token_at(p, i), p->bodies[b].name))
                return true;
        for (int s = p->nsites - 1; s >= 0 && p->sites[s].first >= p->code.nplain; s--) {
            int macro = p->sites[s].first;
            while (mark_at(p, macro - 1) != 0)
                macro--;
            if (cuna__cpu_sites_same_word(token_at(p, i), token_at(p, macro)))
                return true;
        }
    }
    return false;
}

static void add_ends(struct text *t, cuna_sites *p)
{
    for (bool more = true; more;) {
        more = false;
        for (int b = 0; b < p->nbodies; b++)
            if (!p->bodies[b].steps && steps(p, p->bodies[b].brace, token_at(p, p->bodies[b].brace)->match))
                more = p->bodies[b].steps = true;
    }
    for (int b = 0; b < p->nbodies; b++)
        if (p->bodies[b].steps && !p->bodies[b].is_kernel)
            add_end(t, p, p->bodies[b].brace);
    for (int i = 1; i < p->code.nplain; i++) {
        bool is_do = cuna__cpu_code_is(token_at(p, i), "do");
        bool has_head = cuna__cpu_code_is(token_at(p, i), "for") || cuna__cpu_code_is(token_at(p, i), "while");
        int head = is_do ? i : token_at(p, i + 1)->match;
        if ((!is_do && !has_head) || head < 0 || (has_head && mark_at(p, head + 1) == ';'))
            continue;
        if (steps(p, i, cuna__cpu_code_end(&p->code, head + 1)))
            add_end(t, p, head + 1);
    }
}

static int compare(const void *a, const void *b)
{
    const struct addition *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : x->order - y->order;
}

static char *print(struct text *t, const char *source)
{
    char *text = NULL;
    size_t nbytes = 0;
    FILE *out = open_memstream(&text, &nbytes);
    const char *at = source;
    if (out == NULL)
        return NULL;
    qsort(t->additions, (size_t)t->nadditions, sizeof *t->additions, compare);
    for (int i = 0; i < t->nadditions; i++) {
        fwrite(at, 1, (size_t)(t->additions[i].at - at), out);
        fputs(t->additions[i].text, out);
        at = t->additions[i].at;
    }
    fputs(at, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *cuna__cpu_step_rewrite(const char *source)
{
    cuna_sites sites = {.failed = false};
    struct text t = {.failed = false};
    char *text = NULL;
    cuna__cpu_sites_find(&sites, source);
    if (!sites.failed && has_race(&sites)) {
        for (int s = 0; s < sites.nsites; s++)
            add_access(&t, &sites, &sites.sites[s]);
        add_ends(&t, &sites);
        text = t.failed ? NULL : print(&t, source);
    }
    cuna__cpu_sites_free(&sites);
    free(t.additions);
    return text;
}
