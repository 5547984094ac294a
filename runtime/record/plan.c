/* plan.c: which kernels compute recorded operations.
 *
 * A group of nodes (group.c) is one program if there is one that computes it, or else several. */
#include <stdlib.h>
#include <string.h>

#include "record/group.h"

enum { RECOMPUTED = 12 }; /* instructions that several kernels may repeat before a value is stored for them */

typedef struct planner {
    cuna_plan *plan;
    cuna_grouping group;
} planner;

/* ---- steps ---- */

/* Some nodes of the plan, in order. */
typedef struct list {
    int count;
    cuna_node *nodes[CUNA_QUEUE_NODES];
    cuna_role role[CUNA_QUEUE_NODES];
} list;

static void add_to_list(list *to, const planner *p, cuna_node *node)
{
    to->role[to->count] = p->group.role[node->index];
    to->nodes[to->count++] = node;
}

static cuna_status fail_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a plan");
}

static cuna_status make_room(cuna_plan *plan)
{
    if (plan->nsteps < plan->room)
        return CUNA_OK;
    int room = plan->room > 0 ? 2 * plan->room : 4;
    cuna_step *steps = realloc(plan->steps, (size_t)room * sizeof *steps);
    if (steps == NULL)
        return fail_memory();
    plan->steps = steps;
    plan->room = room;
    return CUNA_OK;
}

/* Adds a step, and takes the reference to its program. */
static cuna_status add_step(planner *p, const cuna_step *step, int count, cuna_node *const *nodes)
{
    cuna_status status = make_room(p->plan);
    uint8_t *computed = status == CUNA_OK ? malloc((size_t)count) : NULL;
    if (computed == NULL) {
        cuna_program_release(step->program);
        return status != CUNA_OK ? status : fail_memory();
    }
    cuna_step *out = &p->plan->steps[p->plan->nsteps++];
    *out = *step;
    out->ncomputed = count;
    out->computed = computed;
    for (int i = 0; i < count; i++)
        computed[i] = (uint8_t)nodes[i]->index;
    return CUNA_OK;
}

/* Most of the arrays stay unused, and are not set. */
void cuna__step_alone(cuna_step *out, const cuna_node *node)
{
    out->program = node->program;
    out->node = node->index;
    out->ninputs = node->ninputs;
    out->noutputs = 1;
    out->axes = node->axes;
    out->keepdims = 0;
    for (int k = 0; k < node->ninputs; k++)
        out->input[k] = (cuna_leaf){(int16_t)node->index, (int16_t)k};
    out->output[0] = (uint8_t)node->index;
    out->ncomputed = out->nlast = 0;
    out->computed = out->last = NULL;
    out->otherwise = NULL;
    out->declined = 0;
}

static cuna_status add_single(planner *p, cuna_node *node)
{
    cuna_step step;
    cuna__step_alone(&step, node);
    cuna_program_retain(node->program);
    return add_step(p, &step, 1, &node);
}

/* Adds the step of a program; *fits is false if the nodes are too much for one. */
static cuna_status add_composed(bool *fits, planner *p, cuna_program_kind kind, const list *l, int count)
{
    cuna_program_text text;
    cuna_step step;
    *fits = cuna__compose(&text, &step, kind, count, l->nodes, l->role);
    if (!*fits)
        return CUNA_OK;
    CUNA_TRY(cuna_program_intern(&step.program, &text));
    return add_step(p, &step, count, l->nodes);
}

/* ---- steps of groups whose nodes are elementwise ---- */

/* Which of the first nodes are stored when these are one program: besides those that are stored anyway, those that the
 * rest of the list reads (`last[i]`: the last node of it that reads nodes[i]). Returns how many. */
static int choose_stored(list *l, const planner *p, const int *last, int most)
{
    int found = 0;
    for (int i = 0; i < most; i++) {
        l->role[i].stored = p->group.role[l->nodes[i]->index].stored || last[i] >= most;
        found += l->role[i].stored;
    }
    return found;
}

static void find_last_readers(int *last, const planner *p, const list *l)
{
    int place[CUNA_QUEUE_NODES];
    for (int i = 0; i < p->group.count; i++)
        place[i] = -1;
    for (int i = 0; i < l->count; i++) {
        last[i] = 0;
        place[l->nodes[i]->index] = i;
        for (int k = 0; k < l->nodes[i]->ninputs; k++) {
            const cuna_node *from = cuna__source_of(&p->group, l->nodes[i], k);
            if (from != NULL && place[from->index] >= 0)
                last[place[from->index]] = i;
        }
    }
}

/* How many of the first nodes have no more instructions than a program. */
static int count_short(const list *l)
{
    int ninstructions = 0, n = 0;
    while (n < l->count && (ninstructions += cuna__node_text(l->nodes[n])->ninstructions) <= CUNA_MAX_INSTRUCTIONS)
        n++;
    return n;
}

/* The kind of a program of the first nodes. */
static cuna_program_kind kind_of_maps(const list *l, int count)
{
    bool multiplies = false;
    for (int i = 0; i < count; i++)
        multiplies |= cuna__node_multiplies(l->nodes[i]);
    return multiplies ? CUNA_PROGRAM_PRODUCTS : CUNA_PROGRAM_MAP;
}

/* Adds the next program of a list; *cut is how many nodes it has. Of the cuts in the second half of what there is room
 * for it takes the one across which fewest values are read. */
static cuna_status add_next(int *cut, planner *p, list *l)
{
    int last[CUNA_QUEUE_NODES], most = count_short(l), least = CUNA_QUEUE_NODES;
    bool fits = false;
    *cut = most;
    find_last_readers(last, p, l);
    for (int at = most; most < l->count && at > most / 2; at--) {
        int found = choose_stored(l, p, last, at);
        if (found < least) {
            least = found;
            *cut = at;
        }
    }
    for (; *cut > 1; --*cut) {
        choose_stored(l, p, last, *cut);
        CUNA_TRY(add_composed(&fits, p, kind_of_maps(l, *cut), l, *cut));
        if (fits)
            return CUNA_OK;
    }
    *cut = 1;
    return add_single(p, l->nodes[0]);
}

static cuna_status add_maps(planner *p, list *l)
{
    for (int cut; l->count > 0; l->count -= cut) {
        CUNA_TRY(add_next(&cut, p, l));
        memmove(l->nodes, l->nodes + cut, (size_t)(l->count - cut) * sizeof *l->nodes);
        memmove(l->role, l->role + cut, (size_t)(l->count - cut) * sizeof *l->role);
    }
    return CUNA_OK;
}

/* ---- steps of groups with folds ---- */

/* The nodes of a group that are found, and what these need of it; with `reads_stored`, only as far as that is not stored. */
static void collect(list *out, const planner *p, const list *group, bool *found, bool reads_stored)
{
    for (int i = group->count - 1; i >= 0; i--)
        for (int k = 0; found[group->nodes[i]->index] && k < group->nodes[i]->ninputs; k++)
            if (cuna__is_joined(&p->group, group->nodes[i], k)) {
                int from = cuna__source_of(&p->group, group->nodes[i], k)->index;
                found[from] |= !reads_stored || !p->group.role[from].stored;
            }
    out->count = 0;
    for (int i = 0; i < group->count; i++)
        if (found[group->nodes[i]->index])
            add_to_list(out, p, group->nodes[i]);
}

/* A fold, and what it needs of its group that is not stored. */
static void collect_cone(list *cone, const planner *p, const list *group, const cuna_node *fold)
{
    bool found[CUNA_QUEUE_NODES] = {false};
    found[fold->index] = true;
    collect(cone, p, group, found, true);
}

/* False if all are stored already. */
static bool store_sources(planner *p, const cuna_node *fold)
{
    bool changed = false;
    for (int k = 0; k < fold->ninputs; k++) {
        if (!cuna__is_joined(&p->group, fold, k))
            continue;
        cuna_role *role = &p->group.role[cuna__source_of(&p->group, fold, k)->index];
        changed |= !role->stored;
        role->stored = true;
    }
    return changed;
}

static cuna_program_kind kind_of(const cuna_node *node)
{
    return (cuna_program_kind)cuna__node_text(node)->kind;
}

static bool is_read_again(const planner *p, const list *group, const cuna_node *fold)
{
    for (int i = 0; i < group->count; i++)
        for (int k = 0; group->nodes[i] != fold && k < group->nodes[i]->ninputs; k++)
            for (int m = 0; m < fold->ninputs; m++) {
                const cuna_node *from = cuna__source_of(&p->group, fold, m);
                if (from != NULL && from == cuna__source_of(&p->group, group->nodes[i], k))
                    return true;
            }
    return false;
}

/* Whether a fold, or scan, computes what it combines. A long way to a value that others read is not gone twice. */
static bool computes(const planner *p, const list *group, const cuna_node *fold)
{
    list cone;
    cuna_program_text text;
    cuna_step step;
    int ninstructions = 0;
    collect_cone(&cone, p, group, fold);
    for (int i = 0; i < cone.count; i++)
        ninstructions += cuna__node_text(cone.nodes[i])->ninstructions;
    return (ninstructions <= RECOMPUTED || !is_read_again(p, group, fold)) &&
           cuna__compose(&text, &step, kind_of(fold), cone.count, cone.nodes, cone.role);
}

static cuna_status add_fold(planner *p, const list *group, cuna_node *fold)
{
    list cone;
    bool fits;
    collect_cone(&cone, p, group, fold);
    return cone.count == 1 ? add_single(p, fold) : add_composed(&fits, p, kind_of(fold), &cone, cone.count);
}

typedef bool predicate(const cuna_node *node);

/* Stores what folds, or scans, cannot compute. What one needs stored may be more to read than another has room for. */
static void store_for(planner *p, const list *group, predicate *combines)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < group->count; i++)
            if (combines(group->nodes[i]) && !computes(p, group, group->nodes[i]))
                changed |= store_sources(p, group->nodes[i]);
    }
}

/* What is stored of a group but by folds, or scans, and what that needs. */
static void collect_others(list *others, const planner *p, const list *group, predicate *combines)
{
    bool found[CUNA_QUEUE_NODES] = {false};
    for (int i = 0; i < group->count; i++) {
        const cuna_node *node = group->nodes[i];
        found[node->index] = p->group.role[node->index].stored && !combines(node);
    }
    collect(others, p, group, found, false);
}

/* A program for each fold, after those for what is stored. */
static cuna_status add_folds(planner *p, const list *group)
{
    list maps;
    store_for(p, group, cuna__node_folds);
    collect_others(&maps, p, group, cuna__node_folds);
    CUNA_TRY(add_maps(p, &maps));
    for (int i = 0; i < group->count; i++)
        if (cuna__node_folds(group->nodes[i]))
            CUNA_TRY(add_fold(p, group, group->nodes[i]));
    return CUNA_OK;
}

/* ---- steps of groups that fold rows in stages ---- */

/* Whether one kernel that folds rows in stages is better than several: it folds more than once, or reads the rows again
 * after a fold. All folds are along the same axes. */
static bool has_stages(const planner *p, const list *group)
{
    int nfolds = 0;
    bool reads_again = false;
    uint32_t axes = 0;
    for (int i = 0; i < group->count; i++) {
        const cuna_node *node = group->nodes[i];
        bool folds = cuna__node_folds(node);
        if (folds && (!cuna__folds_rows(&p->group, node) || (axes != 0 && axes != node->axes)))
            return false;
        axes = folds ? node->axes : axes;
        nfolds += folds;
        reads_again |=
            !p->group.role[node->index].is_row && p->group.role[node->index].stored && p->group.axes[node->index] != 0;
    }
    return nfolds > 1 || (nfolds > 0 && reads_again);
}

static cuna_status add_simpler(const planner *p, const list *group, cuna_reach reach)
{
    bool inside[CUNA_QUEUE_NODES] = {false}, wanted[CUNA_QUEUE_NODES] = {false};
    for (int i = 0; i < group->count; i++) {
        inside[group->nodes[i]->index] = true;
        wanted[group->nodes[i]->index] = group->role[i].stored;
    }
    return cuna__plan_make(p->plan, p->group.count, p->group.nodes, inside, wanted, reach);
}

static bool lacks_rows(const list *group)
{
    for (int i = 0; i < group->count; i++)
        if (cuna__lacks_rows(group->nodes[i]))
            return true;
    return false;
}

static cuna_status add_rows(planner *p, list *group)
{
    bool fits = false, has_rows = has_stages(p, group);
    if (has_rows && lacks_rows(group) && p->group.reach == CUNA_REACH_ROWS)
        return add_simpler(p, group, CUNA_REACH_STORED_ROWS);
    if (has_rows)
        CUNA_TRY(add_composed(&fits, p, CUNA_PROGRAM_STAGES, group, group->count));
    return fits ? CUNA_OK : add_simpler(p, group, CUNA_REACH_PRODUCERS);
}

/* ---- plans ---- */

static bool has_any(const list *group, predicate *is_such)
{
    for (int i = 0; i < group->count; i++)
        if (is_such(group->nodes[i]))
            return true;
    return false;
}

/* Adds a group without scans. */
static cuna_status add_others(planner *p, list *group)
{
    if (group->count == 1)
        return add_single(p, group->nodes[0]);
    if (!has_any(group, cuna__node_folds))
        return add_maps(p, group);
    return p->group.reach >= CUNA_REACH_STORED_ROWS ? add_rows(p, group) : add_folds(p, group);
}

/* A program for each scan, after those for all else that is stored. */
static cuna_status add_scans(planner *p, const list *group)
{
    list others;
    store_for(p, group, cuna__node_scans);
    collect_others(&others, p, group, cuna__node_scans);
    if (others.count > 0)
        CUNA_TRY(add_others(p, &others));
    for (int i = 0; i < group->count; i++)
        if (cuna__node_scans(group->nodes[i]))
            CUNA_TRY(add_fold(p, group, group->nodes[i]));
    return CUNA_OK;
}

/* Adds a group. What combines values has no program with products. */
static cuna_status add_group(planner *p, list *group)
{
    if (has_any(group, cuna__node_multiplies))
        return has_any(group, cuna__node_combines) ? add_simpler(p, group, CUNA_REACH_PRODUCERS) : add_maps(p, group);
    return has_any(group, cuna__node_scans) ? add_scans(p, group) : add_others(p, group);
}

/* A group comes after those at levels below, whose values it reads otherwise. */
static cuna_status add_level(planner *p, int level)
{
    for (int first = 0; first < p->group.count; first++) {
        list group = {.count = 0};
        bool is_here = p->group.needed[first] && p->group.level[first] == level && p->group.group[first] == first;
        for (int i = 0; i < p->group.count && is_here; i++)
            if (p->group.needed[i] && (p->group.group[i] == first || p->group.again[i] == first))
                add_to_list(&group, p, p->group.nodes[i]);
        if (group.count > 0)
            CUNA_TRY(add_group(p, &group));
    }
    return CUNA_OK;
}

cuna_status cuna__plan_make(cuna_plan *out, int count, cuna_node *const *nodes, const bool *inside, const bool *wanted,
                            cuna_reach reach)
{
    planner p = {.plan = out,
                 .group = {.reach = reach, .count = count, .nodes = nodes, .inside = inside, .wanted = wanted}};
    cuna__find_groups(&p.group);
    int highest = 0;
    for (int i = 0; i < count; i++)
        highest = p.group.needed[i] && p.group.level[i] > highest ? p.group.level[i] : highest;
    for (int level = 0; level <= highest; level++)
        CUNA_TRY(add_level(&p, level));
    return CUNA_OK;
}

void cuna__plan_free(cuna_plan *plan)
{
    if (plan == NULL)
        return;
    for (int i = 0; i < plan->nsteps; i++) {
        cuna_step *step = &plan->steps[i];
        cuna_program_release(step->program);
        free(step->computed);
        cuna__plan_free(step->otherwise);
    }
    for (int i = 0; i < plan->nprograms; i++)
        cuna_program_release(plan->programs[i]);
    cuna__plan_free(plan->apart);
    free(plan->steps);
    free(plan->words);
    free(plan->programs);
    free(plan->last);
    free(plan);
}
