/* mpi_library.c: finds an MPI library, and the constants of its ABI.
 *
 * There are three: Open MPI's, whose handles are addresses of the library's variables; MPICH's, which Intel MPI, Cray
 * MPI and MVAPICH share; and that of MPI 5, which libraries of any maker can have. A rank needs the library of the
 * launcher that started it: another one would be initialised as a job of one process. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "comm/mpi.h"
#include "seam/library.h"

cuna_mpi cuna__mpi;
static cuna_library library;

typedef enum column { OPEN_MPI, MPICH, STANDARD, UNKNOWN } column;

/* ---- the launcher ---- */

static const struct launcher {
    const char *variable; /* that it sets: the number of processes */
    const char *name;
    const char *names[4]; /* of its libraries, the likeliest first */
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", {"libmpi.so.40"}},
    {"PMI_SIZE", "MPICH's mpiexec", {"libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_cray.so.12"}},
    {"SLURM_STEP_NUM_TASKS", "srun", {NULL}},
};

#define LAUNCHERS (sizeof launchers / sizeof *launchers)

/* The launcher of this process; srun alone starts one process as it starts a shell. */
static const struct launcher *find_launcher(void)
{
    for (size_t i = 0; i < LAUNCHERS; i++) {
        const char *text = cuna__environment_text(launchers[i].variable);
        if (text != NULL && (launchers[i].names[0] != NULL || atoi(text) > 1))
            return &launchers[i];
    }
    return NULL;
}

int cuna__comm_launched(const char **launcher)
{
    const struct launcher *found = find_launcher();
    *launcher = found != NULL ? found->name : "a launcher with PMIx";
    if (found != NULL)
        return atoi(cuna__environment_text(found->variable));
    return cuna__environment_text("PMIX_RANK") != NULL ? -1 : 0;
}

/* The folder of libraries beside that of the launcher's program, which is this process's parent. */
static void find_folder(char *folder, size_t nbytes)
{
    char link[64], path[PATH_MAX - 32];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getppid());
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(folder, nbytes, "%s/../lib", path);
}

/* ---- the library ---- */

#define MOST_NAMES  16
#define NAME_NBYTES (PATH_MAX + 64)

static void add_name(char (*names)[NAME_NBYTES], int *count, const char *folder, const char *name)
{
    snprintf(names[*count], NAME_NBYTES, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
    bool is_there = *folder == '\0' || access(names[*count], R_OK) == 0;
    for (int i = 0; i < *count && is_there; i++)
        is_there = strcmp(names[i], names[*count]) != 0;
    *count += is_there;
}

/* The launcher's library beside it, then on the loader's path, then every other. */
static void open_library(void)
{
    static char names[MOST_NAMES][NAME_NBYTES];
    static const char *const others[] = {"libmpi.so.40", "libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12",
                                         "libmpi_cray.so.12"};
    const char *list[MOST_NAMES + 1] = {NULL};
    const struct launcher *launcher = find_launcher();
    char folder[PATH_MAX];
    int count = 0;
    find_folder(folder, sizeof folder);
    for (int i = 0; launcher != NULL && i < 4 && launcher->names[i] != NULL; i++)
        add_name(names, &count, folder, launcher->names[i]);
    for (int i = 0; launcher != NULL && i < 4 && launcher->names[i] != NULL; i++)
        add_name(names, &count, "", launcher->names[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add_name(names, &count, "", others[i]);
    for (int i = 0; i < count; i++)
        list[i] = names[i];
    cuna__library_search(&library, "CUNA_MPI", list);
}

/* ---- its ABI ---- */

static column find_column(void)
{
    char text[8192] = "";
    int length, major = -1, minor = -1;
    int (*abi_version)(int *, int *) = NULL;
    const cuna_symbol symbol = {"MPI_Abi_get_version", &abi_version};
    if (cuna__library_bind(&library, &symbol, 1) == NULL && abi_version(&major, &minor) == 0 && major > 0)
        return STANDARD;
    if (dlsym(library.handle, "ompi_mpi_comm_world") != NULL)
        return OPEN_MPI;
    cuna__mpi.Get_library_version(text, &length);
    const char *const family[] = {"MPICH", "Intel", "CRAY", "MVAPICH"};
    for (size_t i = 0; i < sizeof family / sizeof *family; i++)
        if (strstr(text, family[i]) != NULL)
            return MPICH;
    return UNKNOWN;
}

static const char *bind_functions(void)
{
    const cuna_symbol symbols[] = {
#define FUNCTION(name, ...) {"MPI_" #name, &cuna__mpi.name},
        CUNA_MPI_FUNCTIONS(FUNCTION)
#undef FUNCTION
#define COLLECTIVE(name, started, ...) {"MPI_" #name, &cuna__mpi.name}, {"MPI_" #started, &cuna__mpi.started},
            CUNA_MPI_COLLECTIVES(COLLECTIVE)
#undef COLLECTIVE
    };
    return cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
}

/* Returns the first symbol that Open MPI lacks, or NULL. */
static const char *set_constants(column which)
{
    const char *lacking = NULL;
#define HANDLE(field, open, mpich, standard)                                           \
    cuna__mpi.field = which == OPEN_MPI ? (cuna_mpi_handle)dlsym(library.handle, open) \
                      : which == MPICH  ? (cuna_mpi_handle)(mpich)                     \
                                        : (cuna_mpi_handle)(standard);                  \
    if (cuna__mpi.field == 0)                                                          \
        lacking = open;
    CUNA_MPI_HANDLES(HANDLE)
#undef HANDLE
#define NUMBER(field, open, mpich, standard) \
    cuna__mpi.field = which == OPEN_MPI ? (open) : which == MPICH ? (mpich) : (standard);
    CUNA_MPI_NUMBERS(NUMBER)
#undef NUMBER
    cuna__mpi.abi = which == OPEN_MPI ? "Open MPI" : which == MPICH ? "MPICH" : "MPI 5";
    return lacking;
}

static cuna_status open_once(void)
{
    open_library();
    if (library.handle == NULL)
        return cuna_fail(CUNA_DEVICE,
                         "distributed.init: no MPI library: %s; install openmpi-bin or mpich, the one whose "
                         "mpirun starts the script",
                         library.words);
    const char *lacking = bind_functions();
    column which = lacking == NULL ? find_column() : UNKNOWN;
    if (lacking == NULL && which != UNKNOWN)
        lacking = set_constants(which);
    if (lacking != NULL)
        return cuna_fail(CUNA_DEVICE, "distributed.init: %s lacks %s", library.name, lacking);
    if (which == UNKNOWN)
        return cuna_fail(CUNA_DEVICE,
                         "distributed.init: %s is neither Open MPI, nor of MPICH's family, nor has MPI 5's ABI",
                         library.name);
    snprintf(cuna__mpi.file, sizeof cuna__mpi.file, "%s", library.name);
    return CUNA_OK;
}

cuna_status cuna__mpi_open(void)
{
    static cuna_opening opening = CUNA_OPENING;
    return cuna__library_once(&opening, open_once);
}
