/* first.c: the first runs of a plan, on devices where programs wait for kernels.
 *
 * Many plans run once. So the first time the kernels of single operations serve, which other plans share, unless they
 * take longer to compile; then the thread that compiles in the background (kernel/background.c) is asked for the composed
 * ones. The second time waits a moment for these, since a short loop is better off with them, and as long as they are
 * not there the operations run one by one. They are compiled while the script waits, all of a plan together, if there
 * is no memory for the values between operations, no such thread, or if that could not compile them: then the script gets
 * the error. */
#include "kernel/background.h"
#include "kernel/launch_loops.h"
#include "kernel/prepare.h"
#include "record/run.h"

typedef cuna_runner runner;

/* ---- rehearsals ---- */

/* Notes the kernels that a plan needs, in a rehearsal that stays open, and counts those that are not there. */
static cuna_status rehearse(int *nmissing, runner *r, const cuna_plan *plan)
{
    cuna_context *context = r->queue->context;
    CUNA_TRY(cuna__rehearsal_open(context));
    r->rehearses = true;
    cuna_status status = cuna__run_steps(r, plan);
    r->rehearses = false;
    cuna__run_unmake(r);
    return status == CUNA_OK ? cuna__rehearsal_keep_missing(nmissing, context->rehearsal) : status;
}

/* Ends the rehearsal that a call opened, whatever became of it. */
static cuna_status end_rehearsal(const runner *r, cuna_status status, bool compile)
{
    int nkernels;
    cuna_context *context = r->queue->context;
    if (context->rehearsal == NULL)
        return status;
    cuna_status ended = cuna_prepare_end(&nkernels, context, compile && status == CUNA_OK);
    return status == CUNA_OK ? ended : status;
}

static cuna_status count_missing(int *nmissing, runner *r, cuna_plan *plan)
{
    cuna_status status = end_rehearsal(r, rehearse(nmissing, r, plan), false);
    plan->is_compiled = status == CUNA_OK && *nmissing == 0;
    return status;
}

static cuna_status compile_kernels(runner *r, cuna_plan *plan)
{
    int nmissing;
    cuna_status status = end_rehearsal(r, rehearse(&nmissing, r, plan), true);
    plan->is_compiled = status == CUNA_OK;
    return status;
}

/* ---- one operation at a time ---- */

static void drop_apart(cuna_plan *plan)
{
    cuna__plan_free(plan->apart);
    plan->apart = NULL;
}

/* A composed kernel takes the compiler about as long as this many kernels of single operations, in one unit. */
#define COMPOSED_COST 2

/* Makes the plan of single operations, and its kernels, if that waits no longer for the compiler. */
static cuna_status prepare_apart(runner *r, cuna_plan *plan, const bool *wanted, int nmissing)
{
    const cuna_device *device = r->nodes[0]->device;
    int nothers;
    CUNA_TRY(cuna__plan_create(&plan->apart, r->count, r->nodes, wanted, CUNA_REACH_ALONE));
    cuna_status status = rehearse(&nothers, r, plan->apart);
    bool pays = status == CUNA_OK &&
                cuna__rehearsal_rounds(device, nothers) <= COMPOSED_COST * cuna__rehearsal_rounds(device, nmissing);
    status = end_rehearsal(r, status, pays);
    if (!pays)
        drop_apart(plan);
    return status == CUNA_MEMORY && !pays ? CUNA_OK : status;
}

static cuna_status ask(runner *r, cuna_plan *plan)
{
    int nmissing;
    plan->seen = cuna__background_done();
    cuna_status status = rehearse(&nmissing, r, plan);
    bool is_asked = status == CUNA_OK && cuna__rehearsal_request(r->queue->context->rehearsal);
    if (!is_asked)
        drop_apart(plan);
    return end_rehearsal(r, status, false);
}

static cuna_status begin(runner *r, cuna_plan *plan, const bool *wanted)
{
    int nmissing;
    plan->is_known = true;
    CUNA_TRY(count_missing(&nmissing, r, plan));
    if (nmissing > 0)
        CUNA_TRY(prepare_apart(r, plan, wanted, nmissing));
    return plan->apart != NULL ? ask(r, plan) : CUNA_OK;
}

#define PATIENCE_S 1

/* Looks whether the kernels are there, whenever threads have finished something. */
static cuna_status look(runner *r, cuna_plan *plan)
{
    int nmissing = 1;
    double left_s = plan->has_waited ? 0 : PATIENCE_S;
    plan->has_waited = true;
    do {
        left_s = cuna__background_wait(plan->seen, left_s);
        bool is_idle = cuna_background_count() == 0;
        uint64_t done = cuna__background_done();
        if (plan->seen != done || is_idle)
            CUNA_TRY(count_missing(&nmissing, r, plan));
        plan->seen = done;
        if (nmissing == 0 || is_idle)
            drop_apart(plan);
    } while (left_s > 0 && plan->apart != NULL);
    return CUNA_OK;
}

/* Whether what is composed can wait. */
static bool may_run_apart(const runner *r)
{
    const cuna_context *context = r->queue->context;
    return !context->composes && context->capturing == NULL && !cuna__always_compiles();
}

static cuna_status prepare(runner *r, cuna_plan *plan, const bool *wanted)
{
    if (!plan->is_known)
        return begin(r, plan, wanted);
    return plan->apart != NULL ? look(r, plan) : CUNA_OK;
}

/* Whether the first operation will be computed together with others: until then it does not count as alone. */
static bool joins_first(const cuna_plan *plan)
{
    for (int i = 0; i < plan->nsteps; i++)
        if (cuna__step_joins_first(&plan->steps[i]))
            return true;
    return false;
}

/* Without memory for single values nothing has run: steps of several operations need less. */
static cuna_status run_apart(bool *ran, runner *r, cuna_plan *plan)
{
    cuna_status status = cuna__run_steps(r, plan->apart);
    r->queue->first_joined = joins_first(plan);
    *ran = status != CUNA_MEMORY;
    if (*ran)
        return status;
    cuna__run_unmake(r);
    drop_apart(plan);
    return CUNA_OK;
}

cuna_status cuna__run_new(cuna_runner *r, cuna_plan *plan, const bool *wanted)
{
    bool ran = false;
    if (may_run_apart(r)) {
        CUNA_TRY(prepare(r, plan, wanted));
        if (plan->apart != NULL)
            CUNA_TRY(run_apart(&ran, r, plan));
    }
    if (ran)
        return CUNA_OK;
    plan->is_known = true;
    if (!plan->is_compiled)
        CUNA_TRY(compile_kernels(r, plan));
    return cuna__run_steps(r, plan);
}
