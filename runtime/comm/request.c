/* request.c: calls that do not wait: they move on whenever this process is inside a function of the communicator.
 *
 * A collective first waits for the comparison of signatures, and only then is its transfer started, in the order of the
 * calls, which is the same on all ranks. A message that is received first brings its header; the data of messages from
 * one rank are asked for in the order of their headers. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/interrupt.h"
#include "comm/board.h"
#include "comm/comm.h"

static bool is_message(const cuna_comm_request *request)
{
    return request->signature.is_message;
}

static void destroy(cuna_comm_request *request)
{
    cuna_array_release(&request->in);
    cuna_array_release(&request->out);
    free(request->counts);
    free(request->message);
    free(request);
}

static cuna_status start_transfer(cuna_comm_request *request)
{
    const char *name = request->signature.name;
    request->stage = CUNA_COMM_MOVES;
    return cuna__comm_judge(cuna__job.engine->start(request->comm->data, &request->work, &request->pending), name);
}

/* ---- moving on ---- */

static void finish(cuna_comm_request *request, cuna_status status)
{
    request->status = status;
    request->stage = CUNA_COMM_DONE;
    if (status != CUNA_OK) {
        request->message = strdup(cuna_message());
        cuna__comm_fail(status);
    }
}

/* Whether an earlier request has to reach its transfer first. */
static bool has_turn(const cuna_comm_request *request)
{
    for (const cuna_comm_request *r = request->comm->first; r != request; r = r->next)
        if (r->stage == request->stage && (!is_message(r) || r->signature.peer == request->signature.peer))
            return false;
    return true;
}

static cuna_status judge_start(cuna_comm_request *request)
{
    if (request->stage == CUNA_COMM_COMPARES && !request->check.agrees)
        return cuna__check_explain(request->comm, &request->signature);
    if (request->stage == CUNA_COMM_LISTENS)
        CUNA_TRY(cuna__comm_check_header(request->comm, request->signature.name, &request->header, &request->out,
                                         request->work.peer));
    return start_transfer(request);
}

static int test(bool *done, cuna_comm_request *request)
{
    return request->stage == CUNA_COMM_COMPARES ? cuna__check_test(request->comm, done, &request->check)
                                                : cuna__job.engine->test(done, &request->pending);
}

static void advance(cuna_comm_request *request)
{
    bool done = false, moves = request->stage == CUNA_COMM_MOVES;
    if (request->stage == CUNA_COMM_DONE || (!moves && !has_turn(request)))
        return;
    cuna_status status = cuna__comm_judge(test(&done, request), request->signature.name);
    if (status != CUNA_OK || (done && moves))
        finish(request, status);
    else if (done && (status = judge_start(request)) != CUNA_OK)
        finish(request, status);
}

void cuna_comm_poll(cuna_comm *comm)
{
    cuna_comm_request **at = &comm->first;
    comm->last = NULL;
    while (*at != NULL) {
        cuna_comm_request *request = *at;
        if (!cuna__job.failed)
            advance(request);
        if (cuna__job.failed && request->stage != CUNA_COMM_DONE)
            finish(request, cuna__comm_check_alive());
        if (request->stage == CUNA_COMM_DONE) {
            *at = request->next;
            if (request->is_left)
                destroy(request);
        } else {
            comm->last = request;
            at = &request->next;
        }
    }
}

/* Waits until no request is in a stage, of messages none from the rank. */
static cuna_status wait_for_stage(cuna_comm *comm, cuna_comm_stage stage, int from)
{
    for (bool waits = comm->first != NULL; waits; sched_yield()) {
        cuna_comm_poll(comm);
        CUNA_TRY(cuna__comm_check_alive());
        if (cuna_is_interrupted())
            return cuna_interrupt_fail();
        waits = false;
        for (const cuna_comm_request *r = comm->first; r != NULL; r = r->next)
            waits |= r->stage == stage && (!is_message(r) || r->work.peer == from);
    }
    return CUNA_OK;
}

cuna_status cuna__request_begin_all(cuna_comm *comm)
{
    return wait_for_stage(comm, CUNA_COMM_COMPARES, -1);
}

cuna_status cuna__request_hear(cuna_comm *comm, int from)
{
    return wait_for_stage(comm, CUNA_COMM_LISTENS, from);
}

void cuna__request_finish_all(cuna_comm *comm)
{
    if (comm->first != NULL)
        cuna__board_enter(&comm->first->signature, -1);
    for (; comm->first != NULL; sched_yield())
        cuna_comm_poll(comm);
}

/* ---- from outside ---- */

static cuna_status share(cuna_array *out, const cuna_array *src)
{
    return src != NULL ? cuna__array_share(out, src) : CUNA_OK;
}

/* The request keeps what the call only shows. */
static cuna_status keep(cuna_comm_request *request, cuna_context *context, const cuna_comm_call *call)
{
    size_t nbytes = (size_t)request->comm->size * sizeof(int64_t);
    CUNA_TRY(share(&request->in, call->in));
    CUNA_TRY(share(&request->out, call->out));
    CUNA_TRY(cuna__comm_prepare(&request->work, context, call));
    request->counts = malloc(2 * nbytes);
    if (request->counts == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    if (call->in_counts != NULL)
        request->work.in_counts = memcpy(request->counts, call->in_counts, nbytes);
    if (call->out_counts != NULL)
        request->work.out_counts = memcpy(request->counts + request->comm->size, call->out_counts, nbytes);
    return CUNA_OK;
}

static cuna_status begin(cuna_comm_request *request)
{
    cuna_comm *comm = request->comm;
    cuna_comm_work header = cuna__comm_header_work(request->work.kind, &request->header, request->work.peer);
    int code = 0;
    if (is_message(request)) {
        if (request->work.kind == CUNA_COMM_SEND)
            cuna__comm_describe(&request->header, &request->in);
        request->stage = CUNA_COMM_LISTENS;
        code = cuna__job.engine->start(comm->data, &header, &request->pending);
    } else if (cuna__comm_compares(comm)) {
        request->stage = CUNA_COMM_COMPARES;
        code = cuna__check_start(comm, &request->signature, &request->check);
    }
    CUNA_TRY(cuna__comm_judge(code, request->signature.name));
    bool waits = request->work.kind == CUNA_COMM_RECV || (!is_message(request) && cuna__comm_compares(comm));
    return waits ? CUNA_OK : start_transfer(request);
}

static void append(cuna_comm *comm, cuna_comm_request *request)
{
    if (comm->last != NULL)
        comm->last->next = request;
    else
        comm->first = request;
    comm->last = request;
}

cuna_status cuna_comm_start(cuna_comm_request **out, cuna_comm *comm, cuna_context *context,
                            const cuna_comm_signature *signature, const cuna_comm_call *call)
{
    CUNA_TRY(cuna__comm_check_alive());
    cuna_comm_request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left");
    request->comm = comm;
    request->signature = *signature;
    cuna_status status = keep(request, context, call);
    if (status != CUNA_OK) {
        destroy(request);
        return status;
    }
    request->signature.number = ++comm->calls;
    status = begin(request);
    if (status != CUNA_OK)
        finish(request, status);
    else
        append(comm, request);
    cuna_comm_poll(comm);
    *out = request;
    return CUNA_OK;
}

bool cuna_comm_is_done(cuna_comm_request *request)
{
    if (request->stage != CUNA_COMM_DONE)
        cuna_comm_poll(request->comm);
    return request->stage == CUNA_COMM_DONE;
}

cuna_status cuna_comm_wait(cuna_comm_request *request)
{
    if (!cuna_comm_is_done(request)) {
        int peer = is_message(request) ? request->comm->ranks[request->signature.peer] : -1;
        cuna__board_enter(&request->signature, peer);
        while (!cuna_comm_is_done(request)) {
            if (cuna_is_interrupted())
                return cuna__comm_fail(cuna_interrupt_fail());
            sched_yield();
        }
        cuna__board_leave();
    }
    return request->status == CUNA_OK ? CUNA_OK : cuna_fail(request->status, "%s", request->message);
}

void cuna_comm_leave(cuna_comm_request *request)
{
    if (request->stage == CUNA_COMM_DONE)
        destroy(request);
    else
        request->is_left = true;
}
