/* mpi.c: the engine over an MPI library: communicators, and the start and end of MPI. */
#define _GNU_SOURCE 1
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "comm/mpi.h"

static bool initialised_here; /* not by another library of this process */

static cuna_mpi_handle handle_of(void *comm)
{
    return (cuna_mpi_handle)comm;
}

static int size(void *comm, int *rank, int *nranks)
{
    int code = cuna__mpi.Comm_rank(handle_of(comm), rank);
    return code != 0 ? code : cuna__mpi.Comm_size(handle_of(comm), nranks);
}

/* Where MPI made one, its errors are returned. */
static int give(void **out, int code, cuna_mpi_handle made)
{
    bool is_null = made == cuna__mpi.comm_null;
    *out = code == 0 && !is_null ? (void *)made : NULL;
    return code == 0 && !is_null ? cuna__mpi.Comm_set_errhandler(made, cuna__mpi.errors_return) : code;
}

static int split(void **out, void *comm, int color, int key)
{
    cuna_mpi_handle made = 0;
    int code = cuna__mpi.Comm_split(handle_of(comm), color < 0 ? (int)cuna__mpi.undefined : color, key, &made);
    return give(out, code, made);
}

static int split_node(void **out, void *comm)
{
    cuna_mpi_handle made = 0;
    int code = cuna__mpi.Comm_split_type(handle_of(comm), (int)cuna__mpi.type_shared, 0, cuna__mpi.info_null, &made);
    return give(out, code, made);
}

static int copy(void **out, void *comm)
{
    cuna_mpi_handle made = 0;
    int code = cuna__mpi.Comm_dup(handle_of(comm), &made);
    return give(out, code, made);
}

static int release(void *comm)
{
    cuna_mpi_handle handle = handle_of(comm);
    return cuna__mpi.Comm_free(&handle);
}

static int run(void *comm, const cuna_comm_work *work)
{
    return cuna__mpi_transfer(handle_of(comm), work, NULL);
}

static int start(void *comm, const cuna_comm_work *work, cuna_comm_pending *pending)
{
    return cuna__mpi_transfer(handle_of(comm), work, pending);
}

/* By asking for a message that never comes, the rank's own. */
static int progress(void *comm)
{
    int rank, flag;
    int code = cuna__mpi.Comm_rank(handle_of(comm), &rank);
    return code != 0 ? code : cuna__mpi.Iprobe(rank, 0, handle_of(comm), &flag, (void *)cuna__mpi.status_ignore);
}

static int finish(void)
{
    return initialised_here ? cuna__mpi.Finalize() : 0;
}

static void end(int status)
{
    cuna__mpi.Abort(cuna__mpi.comm_world, status);
}

static void describe(char *text, size_t nbytes, int code)
{
    char words[1024] = "";
    int length;
    if (code == CUNA_COMM_NO_MEMORY || cuna__mpi.Error_string(code, words, &length) != 0)
        snprintf(words, sizeof words, code == CUNA_COMM_NO_MEMORY ? "no memory" : "MPI's error %d", code);
    words[strcspn(words, "\n")] = '\0';
    snprintf(text, nbytes, "%s", words);
}

/* "Open MPI v4.1.4, package: ..." up to the first comma; MPICH has lines of facts. */
static void version(char *text, size_t nbytes)
{
    char words[8192] = "";
    int length;
    cuna__mpi.Get_library_version(words, &length);
    words[strcspn(words, ",\n")] = '\0';
    for (char *c = words; *c != '\0'; c++)
        if (*c == '\t')
            *c = ' ';
    snprintf(text, nbytes, "%s (ABI of %s, %s)", words, cuna__mpi.abi, cuna__mpi.file);
}

static const cuna_comm_engine engine = {
    .name = "mpi",
    .describe = describe,
    .version = version,
    .abort = end,
    .size = size,
    .split = split,
    .split_node = split_node,
    .copy = copy,
    .free = release,
    .run = run,
    .start = start,
    .test = cuna__mpi_test,
    .progress = progress,
    .finish = finish,
};

/* ---- handlers of faults ---- */

/* The libraries below MPI install some when they are loaded (UCX does). They must not replace those that are there: the
 * cpu device's turns faults of kernels into errors. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
#define FAULTS (sizeof faults / sizeof *faults)

static void keep_handlers(struct sigaction *handlers)
{
    for (size_t i = 0; i < FAULTS; i++)
        sigaction(faults[i], NULL, &handlers[i]);
}

static void restore_handlers(const struct sigaction *handlers)
{
    for (size_t i = 0; i < FAULTS; i++)
        if ((handlers[i].sa_flags & SA_SIGINFO) != 0 || handlers[i].sa_handler != SIG_DFL)
            sigaction(faults[i], &handlers[i], NULL);
}

/* ---- start ---- */

cuna_status cuna__comm_mpi_describe(char *text, size_t nbytes)
{
    struct sigaction handlers[FAULTS];
    keep_handlers(handlers);
    cuna_status status = cuna__mpi_open();
    restore_handlers(handlers);
    if (status == CUNA_OK)
        version(text, nbytes);
    return status;
}

/* A code of MPI's. */
static int initialise(void)
{
    int provided, flag = 0, code = cuna__mpi.Initialized(&flag);
    if (code == 0 && !flag) {
        code = cuna__mpi.Init_thread(NULL, NULL, (int)cuna__mpi.thread_multiple, &provided);
        initialised_here = code == 0;
    }
    return code == 0 ? cuna__mpi.Comm_set_errhandler(cuna__mpi.comm_world, cuna__mpi.errors_return) : code;
}

cuna_status cuna__comm_mpi_open(const cuna_comm_engine **out, void **world)
{
    char words[512];
    struct sigaction handlers[FAULTS];
    keep_handlers(handlers);
    cuna_status status = cuna__mpi_open();
    int code = status == CUNA_OK ? initialise() : 0;
    restore_handlers(handlers);
    CUNA_TRY(status);
    if (code != 0) {
        describe(words, sizeof words, code);
        return cuna_fail(CUNA_DEVICE, "distributed.init: %s cannot be initialised: %s", cuna__mpi.file, words);
    }
    *out = &engine;
    *world = (void *)cuna__mpi.comm_world;
    return CUNA_OK;
}
