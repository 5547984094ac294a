/* driver.c: the driver table of CUDA devices.
 *
 * The table is filled by dlsym from the list of rows, once, at its first use. A row whose symbol is missing is a
 * function that fails, never NULL. Without libcuda there is no table. Without NVRTC the table exists but no kernel can
 * be run, not even from the disk cache: the cache's keys begin with NVRTC's version. */
#define _GNU_SOURCE 1
#include "seam/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cpu/execute/threads.h"
#include "cuda/header.h"
#include "cuda/library.h"
#include "cuda/target.h"
#include "seam/blas.h"
#include "seam/dft.h"
#include "seam/driver_header.h"
#include "seam/lapack.h"

/* Threads wait for each other inside of NVRTC: 14 kernels take 597 ms on one, 353 on two, 252 on four, 551 on sixteen. */
#define COMPILE_THREADS 4

#define LANES          256
#define VECTOR_NBYTES  16
#define GARBAGE_NBYTES ((int64_t)1 << 30)
#define GARBAGE_S      0.5e-3 /* the fastest GPUs compute 1 GiB from as much in this time; the host does not wait */
#define OLDEST_GPU     70     /* the first that lets a lane sleep: prelude_cuda.h */
#define OLDEST_DRIVER  12000  /* as from cuDriverGetVersion */
#define NEWEST_NVRTC   13000  /* searched for first without a driver */

/* Of kernels/, embedded by the build. */
extern const char cuna__text_prelude_cuda[], cuna__text_raw_names[], cuna__text_raw_cuda[];

static const char *const preludes[] = {cuna__text_prelude_cuda, NULL};
static const char *const text_preludes[] = {cuna__text_prelude_cuda, cuna__text_raw_cuda, cuna__text_raw_names, NULL};
static const char *const raw_preludes[] = {cuna__text_raw_cuda, cuna__text_raw_names, NULL};

/* Rows as they are before, or without, their library. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ROW(symbol, field, parameters)          \
    static cu_result missing_##field parameters \
    {                                           \
        return CU_ERROR_NOT_FOUND;              \
    }
CUNA_DRIVER_ROWS(ROW)
#undef ROW
#pragma GCC diagnostic pop

static cu_result target(cuna_target *out, cu_device device);

static char remedy[1400];

static cuna_driver driver = {.facts =
                                 {
                                     .kind = "cuda",
                                     .preludes = preludes,
                                     .text_preludes = text_preludes,
                                     .raw_preludes = raw_preludes,
                                     .headers = cuna__header_lists_gpu,
                                     .header_folders = cuna__header_folders,
                                     .lanes = LANES,
                                     .vector_nbytes = VECTOR_NBYTES,
                                     .parameter_nbytes = 4096, /* 32764 from CUDA 12.1 on, for newer GPUs */
                                     .garbage_nbytes = GARBAGE_NBYTES,
                                     .garbage_s = GARBAGE_S,
                                     .oldest_capability = OLDEST_GPU,
                                     .asynchronous = true,
                                     .compile_threads = COMPILE_THREADS,
                                     .share_work = cuna__cpu_threads_run,
                                     .remedy = remedy,
                                     .target = target,
                                     .blas = &cuna__blas_cuda,
                                     .lapack = &cuna__lapack_cuda,
                                     .dft = cuna__dft_cuda,
                                 },
#define ROW(symbol, field, parameters) .field = missing_##field,
                             CUNA_DRIVER_ROWS(ROW)
#undef ROW
};

static cu_result target(cuna_target *out, cu_device device)
{
    return cuna__cuda_target(out, &driver, device);
}

/* Newer than the oldest driver and NVRTC; callers do without if the row fails. */
static bool is_optional(const char *symbol)
{
    return strcmp(symbol, "cuFuncGetParamInfo") == 0 || /* CUDA 12.4 */
           strcmp(symbol, "nvrtcSetFlowCallback") == 0;
}

/* Fills the rows whose symbols begin with `prefix`; the first symbol that the library lacks, or NULL. */
static const char *fill(const char *prefix, void *library)
{
    const char *lacking = NULL;
#define ROW(symbol, field, parameters)                         \
    if (strncmp(symbol, prefix, strlen(prefix)) == 0) {        \
        void *function = dlsym(library, symbol);               \
        if (function != NULL)                                  \
            driver.field = (__typeof__(driver.field))function; \
        else if (!is_optional(symbol))                         \
            lacking = lacking != NULL ? lacking : symbol;      \
    }
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
    return lacking;
}

/* Failures that users meet when CUDA does not start. */
static const struct advice {
    cu_result result;
    const char *name, *words;
} advices[] = {
    {34, "CUDA_ERROR_STUB_LIBRARY",
     "this is the toolkit's library to link with, no driver: take its folder from LD_LIBRARY_PATH"},
    {CU_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE",
     "no GPU is visible: see nvidia-smi, CUDA_VISIBLE_DEVICES and, in a container, whether it was given one"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "the kernel module and libcuda are of different versions: restart the machine, or reload the module"},
    {CU_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "see whether nvidia-smi works and /dev/nvidia-uvm may be opened"},
    {0, NULL, "see whether nvidia-smi works"},
};

static cuna_status fail_init(const char *library, cu_result result)
{
    const struct advice *advice = advices;
    const char *name = NULL;
    char number[16];
    while (advice->result != 0 && advice->result != result)
        advice++;
    snprintf(number, sizeof number, "%d", result);
    if (driver.get_error_name(result, &name) != CU_SUCCESS || name == NULL)
        name = advice->name != NULL ? advice->name : number;
    return cuna_fail(CUNA_DEVICE, "CUDA does not start: cuInit of %s answers %s; %s", library, name, advice->words);
}

static cuna_status start_driver(int *version)
{
    cuna_library library;
    cuna__library_driver(&library);
    if (library.handle == NULL)
        return cuna_fail(CUNA_DEVICE, "no CUDA driver: %s; install NVIDIA's driver", library.words);
    const char *lacking = fill("cu", library.handle);
    bool known = driver.driver_get_version(version) == CU_SUCCESS;
    if (known && *version < OLDEST_DRIVER)
        return cuna_fail(
            CUNA_DEVICE,
            "the CUDA driver is too old: %s is of CUDA %d.%d, and cuna needs 12.0 or newer; install a newer driver",
            library.name, *version / 1000, *version % 1000 / 10);
    if (lacking != NULL)
        return cuna_fail(CUNA_DEVICE, "no CUDA driver: %s has no %s; reinstall NVIDIA's driver", library.name, lacking);
    cu_result result = driver.init(0);
    return result == CU_SUCCESS ? CUNA_OK : fail_init(library.name, result);
}

/* `version` is the driver's. The remedy is written here, for devices found later: a device that a working NVRTC does
 * not support is older than all it supports. */
static void start_nvrtc(int version)
{
    cuna_library library;
    int major = 0, minor = 0;
    cuna__library_nvrtc(&library, version / 1000);
    const char *lacking = library.handle != NULL ? fill("nvrtc", library.handle) : NULL;
    if (library.handle == NULL) {
        snprintf(remedy, sizeof remedy,
                 "%s; install the CUDA toolkit or its package cuda-nvrtc-%d-%d, or name the library in CUNA_NVRTC",
                 library.words, version / 1000, version % 1000 / 10);
    } else if (lacking != NULL) {
        snprintf(remedy, sizeof remedy, "%s has no %s; install NVRTC 12 or newer", library.name, lacking);
        driver.nvrtc_version = missing_nvrtc_version; /* the first call of every program */
        driver.nvrtc_get_num_supported_archs = missing_nvrtc_get_num_supported_archs;
    } else {
        int oldest = cuna__cuda_target_oldest(&driver);
        cuna__header_find(&library);
        driver.nvrtc_version(&major, &minor);
        snprintf(remedy, sizeof remedy,
                 "%s (NVRTC %d.%d) compiles for compute capability %d.%d and newer only; install the NVRTC of an older "
                 "CUDA toolkit and name the library in CUNA_NVRTC",
                 library.name, major, minor, oldest / 10, oldest % 10);
    }
}

static cuna_status start(void)
{
    int version = 0;
    CUNA_TRY(start_driver(&version));
    start_nvrtc(version);
    return CUNA_OK;
}

cuna_status cuna__driver_cuda(const cuna_driver **out)
{
    static cuna_opening opening = CUNA_OPENING;
    CUNA_TRY(cuna__library_once(&opening, start));
    *out = &driver;
    return CUNA_OK;
}

static void start_nvrtc_alone(void)
{
    start_nvrtc(NEWEST_NVRTC);
}

void cuna__driver_cuda_compiler(cuna_driver *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const cuna_driver *whole;
    if (cuna__driver_cuda(&whole) != CUNA_OK)
        pthread_once(&once, start_nvrtc_alone);
    out->facts = driver.facts;
#define ROW(symbol, field, parameters)                  \
    if (strncmp(symbol, "nvrtc", strlen("nvrtc")) == 0) \
        out->field = driver.field;
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
}
