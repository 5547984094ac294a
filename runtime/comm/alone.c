/* alone.c: the engine of a script that no launcher started: one rank, whose transfers are copies. */
#include <string.h>

#include "comm/engine.h"

static int size(void *comm, int *rank, int *nranks)
{
    (void)comm;
    *rank = 0;
    *nranks = 1;
    return CUNA_COMM_OK;
}

/* All communicators are the same one. */
static char only;

static int split(void **out, void *comm, int color, int key)
{
    (void)comm, (void)key;
    *out = color < 0 ? NULL : &only;
    return CUNA_COMM_OK;
}

static int copy(void **out, void *comm)
{
    return split(out, comm, 0, 0);
}

static int nothing(void *comm)
{
    (void)comm;
    return CUNA_COMM_OK;
}

/* An exclusive scan gives the first rank nothing; the other results are the rank's own elements. */
static int run(void *comm, const cuna_comm_work *work)
{
    (void)comm;
    size_t nbytes = (size_t)(work->count * cuna_dtype_size(work->dtype));
    bool copies = work->in != NULL && work->out != NULL && work->in != work->out && nbytes > 0;
    if (copies && work->kind != CUNA_COMM_EXSCAN)
        memcpy(work->out, work->in, nbytes);
    return CUNA_COMM_OK;
}

static int start(void *comm, const cuna_comm_work *work, cuna_comm_pending *pending)
{
    (void)pending;
    return run(comm, work);
}

static int test(bool *done, cuna_comm_pending *pending)
{
    (void)pending;
    *done = true;
    return CUNA_COMM_OK;
}

static int finish(void)
{
    return CUNA_COMM_OK;
}

static void describe(char *text, size_t nbytes, int code)
{
    (void)code;
    strncpy(text, "", nbytes);
}

static void version(char *text, size_t nbytes)
{
    strncpy(text, "none", nbytes);
}

static void end(int status)
{
    (void)status;
}

const cuna_comm_engine cuna__comm_alone = {
    .name = "alone",
    .describe = describe,
    .version = version,
    .abort = end,
    .size = size,
    .split = split,
    .split_node = copy,
    .copy = copy,
    .free = nothing,
    .run = run,
    .start = start,
    .test = test,
    .progress = nothing,
    .finish = finish,
};
