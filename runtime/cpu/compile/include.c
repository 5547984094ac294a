/* include.c: the headers that raw kernels may include on the cpu device.
 *
 * The preludes contain the declarations of the headers of all devices (seam/driver_header.c); these exist as files only
 * for other files that include them. C++ headers are the compiler's, and so are those of libcu++ (<cuda/std/array>),
 * under its names; all others are the user's, found with -I, except those of CUDA's libraries, which are for GPUs. */
#define _GNU_SOURCE 1
#include "cpu/compile/include.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "seam/driver_header.h"

#define CUDA_STD_FOLDER "cuda/std/"

/* Of kernels/, embedded by the build. */
extern const char cuna__text_raw_cub_cpu[], cuna__text_raw_cub_block_cpu[], cuna__text_raw_cub_warp_cpu[];
extern const char cuna__text_raw_libcu_cpu[], cuna__text_raw_stage_cpu[], cuna__text_raw_mma_cpu[];

#define ROW(name) name,
static const char *const standard[] = {CUNA_HEADERS_OF_CPP(ROW) NULL};
static const char *const of_hosts[] = {CUNA_HEADERS_OF_HOSTS(ROW) NULL};
#undef ROW

/* Those of C that libcu++ has in its namespace as well. C's assert would end the process: the preludes' stays. */
static const char *const standard_of_c[] = {
    "cfloat", "climits", "cmath", "cstddef", "cstdint", "cstdlib", "cstring", "ctime", NULL,
};

/* An entry that ends in '*' is a prefix of names. Some have a reason. */
static const struct refused {
    const char *name, *why;
} refused[] = {
    {"cutlass/*", ": it is made of instructions of GPUs"},
    {"cute/*", ": it is made of instructions of GPUs"},
    {"cuda/ptx", ": its functions are instructions of GPUs"},
    {"crt/*", ": nvcc's own"},
    {"nvshmem*", ": it needs a library of GPUs"},
    {"nccl*", ": it needs a library of GPUs"},
    {"cublas*", ": it needs a library of GPUs"},
    {"cufft*", ": it needs a library of GPUs"},
    {"cusparse*", ": it needs a library of GPUs"},
    {"cusolver*", ": it needs a library of GPUs"},
    {"nvrtc*", ": it needs a library of GPUs"},
    {"nvToolsExt*", ": it needs a library of GPUs"},
    {"cooperative_groups*", ""},
    {"cuda/*", ""},
    {"cub/*", ""},
    {"thrust/*", ""},
    {"cupy/*", ""},
    {"curand*", ""},
    {"sm_*", ""},
    {"cuda_fp8*", ""},
    {"cuda_fp6*", ""},
    {"cuda_fp4*", ""},
    {"cuda_pipeline*", ""},
    {"cuda_awbarrier*", ""},
};

static bool is_like(const char *name, const char *pattern)
{
    size_t length = strcspn(pattern, "*");
    return pattern[length] == '*' ? strncmp(name, pattern, length) == 0 : strcmp(name, pattern) == 0;
}

/* Why a header is refused; NULL: it is not. */
static const char *find_refusal(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_like(name, refused[i].name))
            return refused[i].why;
    return NULL;
}

static bool is_in(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* Whether a header of libcu++ is one of the compiler's under another name. */
static bool is_of_libcu(const char *name)
{
    size_t length = strlen(CUDA_STD_FOLDER);
    return strncmp(name, CUDA_STD_FOLDER, length) == 0 &&
           (is_in(name + length, standard) || is_in(name + length, standard_of_c));
}

/* What stands behind `#include`; NULL for another line. */
static const char *skip_word(const char *line)
{
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", strlen("include")) != 0)
        return NULL;
    line += strlen("include");
    return line + strspn(line, " \t");
}

/* The name in `#include <name>` or `#include "name"`. */
static bool read_name(char *name, size_t nbytes, const char *line)
{
    line = skip_word(line);
    if (line == NULL || (*line != '<' && *line != '"'))
        return false;
    size_t length = strcspn(line + 1, *line == '<' ? ">\n" : "\"\n");
    snprintf(name, nbytes, "%.*s", (int)length, line + 1);
    return length > 0 && length < nbytes;
}

/* Those of this device alone: GPUs have the toolkit's. */
static const char *const cub[] = {
    cuna__text_raw_cub_cpu,
    cuna__text_raw_cub_block_cpu,
    cuna__text_raw_cub_warp_cpu,
    NULL,
};
static const char *const libcu[] = {cuna__text_raw_libcu_cpu, cuna__text_raw_stage_cpu, NULL};
static const char *const mma[] = {"#include <cuda_fp16.h>\n", cuna__text_raw_mma_cpu, NULL};
static const cuna_header own_headers[] = {
    {"mma.h", mma, CUNA_HEADER_REPLACED},
    {"cub/cub.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_adjacent_difference.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_discontinuity.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_exchange.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_histogram.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_load.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_merge_sort.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_radix_sort.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_reduce.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_run_length_decode.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_scan.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_shuffle.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/block/block_store.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/thread/thread_load.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/thread/thread_operators.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/thread/thread_reduce.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/thread/thread_store.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/util_ptx.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/util_type.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_exchange.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_load.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_merge_sort.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_reduce.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_scan.cuh", cub, CUNA_HEADER_REPLACED},
    {"cub/warp/warp_store.cuh", cub, CUNA_HEADER_REPLACED},
    {"cuda/functional", cub, CUNA_HEADER_REPLACED},
    {"cuda/atomic", libcu, CUNA_HEADER_REPLACED},
    {"cuda/barrier", libcu, CUNA_HEADER_REPLACED},
    {"cuda/latch", libcu, CUNA_HEADER_REPLACED},
    {"cuda/pipeline", libcu, CUNA_HEADER_REPLACED},
    {"cuda/semaphore", libcu, CUNA_HEADER_REPLACED},
    {"cuda/std/atomic", libcu, CUNA_HEADER_REPLACED},
    {"cuda/std/barrier", libcu, CUNA_HEADER_REPLACED},
    {"cuda/std/latch", libcu, CUNA_HEADER_REPLACED},
    {"cuda/std/semaphore", libcu, CUNA_HEADER_REPLACED},
    {NULL, NULL, CUNA_HEADER_REPLACED},
};
static const cuna_header *const header_lists[] = {cuna__headers, own_headers};
enum { HEADER_LISTS = sizeof header_lists / sizeof *header_lists };

static const cuna_header *find_header(const char *name)
{
    for (int i = 0; i < HEADER_LISTS; i++)
        for (const cuna_header *header = header_lists[i]; header->name != NULL; header++)
            if (strcmp(header->name, name) == 0)
                return header;
    return NULL;
}

/* The macro that enables a header's text in the preludes. */
static const struct feature {
    const char *const *texts;
    const char *option;
} features[] = {
    {cuna__header_std, "-DCUNA_WITH_STD"},
    {cuna__header_half, "-DCUNA_WITH_HALF"},
    {cuna__header_float16, "-DCUNA_WITH_FLOAT16"},
    {cuna__header_carray, "-DCUNA_WITH_CARRAY"},
    {cuna__header_cucomplex, "-DCUNA_WITH_CUCOMPLEX"},
    {cuna__header_complex, "-DCUNA_WITH_COMPLEX"},
    {cuna__header_groups, "-DCUNA_WITH_GROUPS"},
    {cuna__header_curand, "-DCUNA_WITH_CURAND"},
    {cuna__header_pipeline, "-DCUNA_WITH_PIPELINE"},
    {cuna__header_thrust_value, "-DCUNA_WITH_THRUST"},
    {cuna__header_thrust, "-DCUNA_WITH_THRUST"},
    {cub, "-DCUNA_WITH_CUB"},
    {libcu, "-DCUNA_WITH_LIBCU"},
    {mma, "-DCUNA_WITH_MMA"},
};

static const char *option_of(const char *line)
{
    char name[200];
    const cuna_header *header = read_name(name, sizeof name, line) ? find_header(name) : NULL;
    for (size_t i = 0; header != NULL && i < sizeof features / sizeof *features; i++)
        if (header->texts == features[i].texts)
            return features[i].option;
    return NULL;
}

/* The next line that begins with '#'; *source moves past it. */
static const char *next_directive(const char **source)
{
    const char *line = NULL;
    for (const char *at = *source; at != NULL && line == NULL; at = *source) {
        at += strspn(at, " \t");
        line = *at == '#' ? at : NULL;
        const char *end = strchr(at, '\n');
        *source = end != NULL ? end + 1 : NULL;
    }
    return line;
}

const char *cuna__cpu_include_option(const char **source)
{
    const char *option = NULL, *line;
    while (option == NULL && (line = next_directive(source)) != NULL)
        option = option_of(line);
    return option;
}

bool cuna__cpu_include_reads(const char *source)
{
    char name[200];
    for (const char *line; (line = next_directive(&source)) != NULL;)
        if (skip_word(line) != NULL && !(read_name(name, sizeof name, line) && find_header(name) != NULL))
            return true;
    return false;
}

/* ---- files ---- */

static bool write_header(const char *folder, const cuna_header *header)
{
    char *text = NULL, path[64];
    size_t nbytes = 0;
    FILE *out = open_memstream(&text, &nbytes);
    for (const char *const *part = header->texts; out != NULL && part != NULL && *part != NULL; part++)
        fputs(*part, out);
    snprintf(path, sizeof path, CUNA_INCLUDE_FOLDER "/%s", header->name);
    bool done = out != NULL && fclose(out) == 0 && cuna__folder_write(folder, path, text, nbytes);
    free(text);
    return done;
}

static bool write_standard(const char *folder, const char *const *names)
{
    char path[64], text[160];
    bool done = true;
    for (; done && *names != NULL; names++) {
        snprintf(path, sizeof path, CUDA_STD_FOLDER "%s", *names);
        if (find_header(path) != NULL)
            continue;
        snprintf(path, sizeof path, CUNA_INCLUDE_FOLDER "/" CUDA_STD_FOLDER "%s", *names);
        int length = snprintf(text, sizeof text,
                              "#include <%s>\nnamespace cuda { namespace std { using namespace ::std; } }\n", *names);
        done = cuna__folder_write(folder, path, text, (size_t)length);
    }
    return done;
}

bool cuna__cpu_include_write(const char *folder)
{
    static const char *const folders[] = {
        "",           "/cupy",       "/cooperative_groups", "/cuda",   "/cuda/std",        "/cub",
        "/cub/block", "/cub/thread", "/cub/warp",           "/thrust", "/thrust/iterator",
    };
    char path[64];
    bool done = true;
    for (size_t i = 0; done && i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, CUNA_INCLUDE_FOLDER "%s", folders[i]);
        done = cuna__folder_make(folder, path);
    }
    for (int i = 0; i < HEADER_LISTS; i++)
        for (const cuna_header *header = header_lists[i]; done && header->name != NULL; header++)
            done = header->kind == CUNA_HEADER_OF_C || write_header(folder, header);
    return done && write_standard(folder, standard) && write_standard(folder, standard_of_c);
}

cuna_include cuna__cpu_include_judge(char *words, size_t nbytes, const char *line)
{
    char name[200];
    if (!read_name(name, sizeof name, line))
        return CUNA_INCLUDE_NONE;
    if (find_header(name) != NULL)
        return CUNA_INCLUDE_KNOWN;
    if (is_in(name, standard) || is_of_libcu(name))
        return CUNA_INCLUDE_STANDARD;
    bool of_host = strchr(line, '<') != NULL && is_in(name, of_hosts);
    const char *why = of_host ? "" : find_refusal(name);
    if (why == NULL || strpbrk(name, "\"\\") != NULL)
        return CUNA_INCLUDE_USER;
    snprintf(words, nbytes,
             of_host ? CUNA_HEADER_OF_HOSTS("%s") "%s" : "<%s> is for GPUs, and the cpu device does not have it%s",
             name, why);
    return CUNA_INCLUDE_REFUSED;
}

static bool is_for_blocks(const char *line)
{
    char name[200];
    const cuna_header *header = read_name(name, sizeof name, line) ? find_header(name) : NULL;
    return header >= own_headers && header < own_headers + sizeof own_headers / sizeof *own_headers;
}

bool cuna__cpu_include_refuses(char *words, size_t nbytes, const char *source)
{
    char name[200];
    for (const char *line; (line = next_directive(&source)) != NULL;) {
        if (cuna__cpu_include_judge(words, nbytes, line) == CUNA_INCLUDE_REFUSED)
            return true;
        if (is_for_blocks(line) && read_name(name, sizeof name, line)) {
            snprintf(words, nbytes, "<%s> is for threads of a block, which only raw kernels have (cn.RawKernel)", name);
            return true;
        }
    }
    return false;
}

bool cuna__cpu_include_has_any(const char *source)
{
    const char *line;
    while ((line = next_directive(&source)) != NULL && skip_word(line) == NULL)
        ;
    return line != NULL;
}
