/* nccl.c: NCCL's library, found at run time. */
#include "seam/nccl.h"

#include <stdio.h>

#include "cuda/library.h"

static cuna_nccl table;

static const cuna_symbol symbols[] = {
#define ROW(symbol, field, parameters) {symbol, &table.field},
    CUNA_NCCL_ROWS(ROW)
#undef ROW
};

static cuna_status fail(const char *what, const char *detail)
{
    return cuna_fail(CUNA_DEVICE, "no NCCL: %s%s; install NVIDIA's libnccl2, or name the library in CUNA_NCCL", what,
                     detail);
}

static cuna_status open_library(void)
{
    cuna_library library;
    char version[64];
    cuna__library_nccl(&library);
    if (library.handle == NULL)
        return fail(library.words, "");
    const char *lacking = cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    const cuna_symbol words = {"ncclGetLastError", &table.get_last_error};
    snprintf(table.file, sizeof table.file, "%s", library.name);
    if (lacking != NULL || table.nccl_get_version(&table.version) != 0) {
        snprintf(version, sizeof version, " lacks %s", lacking != NULL ? lacking : "a version");
        return fail(table.file, version);
    }
    cuna__library_bind(&library, &words, 1);
    snprintf(version, sizeof version, " is of version %d, and %d is the oldest", table.version, CUNA_NCCL_OLDEST);
    return table.version >= CUNA_NCCL_OLDEST ? CUNA_OK : fail(table.file, version);
}

cuna_status cuna__nccl_open(const cuna_nccl **out)
{
    static cuna_opening opening = CUNA_OPENING;
    *out = &table;
    return cuna__library_once(&opening, open_library);
}

const char *cuna__nccl_describe(int status)
{
    static const char *const names[] = {"ncclSuccess",       "ncclUnhandledCudaError", "ncclSystemError",
                                        "ncclInternalError", "ncclInvalidArgument",    "ncclInvalidUsage",
                                        "ncclRemoteError",   "ncclInProgress"};
    return status >= 0 && status < (int)(sizeof names / sizeof *names) ? names[status] : "an unknown status of NCCL";
}
