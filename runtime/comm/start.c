/* start.c: how a process joins its job: which engine serves it, and what the ranks of a machine share. */
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "comm/board.h"
#include "comm/comm.h"
#include "device/device.h"
#include "seam/library.h"

#define NAME      "distributed.init"
#define TIMEOUT_S 300
#define LIMIT     ((int64_t)1 << 30) /* elements of a call of MPI, whose counts are ints */

/* A launcher of one MPI and the library of another make jobs of one process each. */
static cuna_status check_launcher(const cuna_comm *comm)
{
    const char *launcher;
    char version[700];
    int launched = cuna__comm_launched(&launcher);
    if (launched <= 0 || launched == comm->size)
        return CUNA_OK;
    cuna_comm_get_version(version, sizeof version);
    return cuna_fail(
        CUNA_DEVICE,
        "distributed.init: %s started %d processes, and the library sees %d: %s; launcher and library are of "
        "different MPIs: name the launcher's library in CUNA_MPI (of srun, the plugin in --mpi)",
        launcher, launched, comm->size, version);
}

static cuna_status share_board(const cuna_comm *comm)
{
    void *node = NULL;
    CUNA_TRY(cuna__comm_judge(cuna__job.engine->split_node(&node, comm->talk), NAME));
    cuna_status status = cuna__board_share(node, comm->rank, comm->local_rank, comm->local_size);
    cuna__job.engine->free(node);
    return status;
}

/* The cpu device of each rank gets its part of the processors. A quota below their number is divided evenly. */
static void share_threads(const cuna_comm *comm)
{
    cuna_device *host;
    int all;
    if (cuna__environment_text("CUNA_NUM_THREADS") != NULL || cuna_device_find(&host, "cpu") != CUNA_OK ||
        host->driver->device_get_attribute(&all, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, host->handle) != CU_SUCCESS)
        return;
    int64_t own = cuna__board_cpus();
    if (own == 0 || all < cuna__board_all_cpus())
        own = all / comm->local_size;
    host->driver->facts.set_threads((int)cuna__max(own, 1));
}

static cuna_status start_ranks(void **world)
{
    cuna_comm_signature signature = {.name = NAME, .dtype = CUNA_DTYPES, .ndim = -1, .peer = -1};
    CUNA_TRY(cuna__watch_start());
    cuna__board_enter(&signature, -1);
    CUNA_TRY(cuna__comm_mpi_open(&cuna__job.engine, world));
    return cuna__watch_end();
}

static cuna_status join(cuna_comm **out)
{
    const char *launcher;
    void *raw = NULL, *copy = NULL;
    bool is_alone = cuna__comm_launched(&launcher) == 0;
    cuna__job.engine = &cuna__comm_alone;
    if (!is_alone)
        CUNA_TRY(start_ranks(&raw));
    CUNA_TRY(cuna__comm_judge(cuna__job.engine->copy(&copy, raw), NAME));
    CUNA_TRY(cuna__comm_create(out, copy));
    return is_alone ? CUNA_OK : check_launcher(*out);
}

/* ---- settings ---- */

static void read_settings(const cuna_comm_options *options)
{
    const char *checks = cuna__environment_text("CUNA_DISTRIBUTED_CHECK");
    int64_t timeout_s = cuna__environment_number("CUNA_DISTRIBUTED_TIMEOUT", TIMEOUT_S);
    cuna__job.timeout_s = options->timeout_s > 0 ? options->timeout_s : timeout_s;
    cuna__job.checks = checks == NULL || strcmp(checks, "auto") == 0 ? CUNA_CHECKS_AUTO
                       : strcmp(checks, "off") == 0                  ? CUNA_CHECKS_OFF
                                                                     : CUNA_CHECKS_ALL;
    cuna__job.limit = LIMIT;
}

/* Those of rank 0: launchers need not pass the environment to other machines, and ranks that do not agree would wait for
 * each other. */
static cuna_status share_settings(const cuna_comm *comm)
{
    int64_t settings[] = {cuna__job.timeout_s, cuna__job.checks,
                          cuna__environment_number("CUNA_DISTRIBUTED_LIMIT", LIMIT)};
    const cuna_comm_work work = {.kind = CUNA_COMM_BROADCAST, .dtype = CUNA_INT64, .out = settings, .count = 3};
    CUNA_TRY(cuna__comm_judge(cuna__job.engine->run(comm->talk, &work), NAME));
    cuna__job.timeout_s = settings[0];
    cuna__job.checks = (cuna_job_checks)settings[1];
    cuna__job.limit = settings[2];
    return CUNA_OK;
}

static const cuna_comm_options *asked; /* by the first call */

static cuna_status start(void)
{
    cuna_comm *comm = NULL;
    read_settings(asked);
    cuna_status status = join(&comm);
    if (status == CUNA_OK && comm->size > 1) {
        status = share_settings(comm);
        if (status == CUNA_OK)
            status = share_board(comm);
        share_threads(comm);
        setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed is seen when the job is ended */
    }
    cuna__board_leave();
    if (status == CUNA_OK)
        cuna__job.world = comm;
    return status;
}

cuna_status cuna_comm_init(cuna_comm **out, const cuna_comm_options *options)
{
    static cuna_opening opening = CUNA_OPENING;
    asked = options;
    cuna_status status = cuna__library_once(&opening, start);
    *out = cuna__job.world;
    return status;
}
