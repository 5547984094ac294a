/* driver_cpu_include.c: which headers users' kernels may include on the cpu device.
 *
 * Names of CUDA's and C's common headers are there in any case, as with NVRTC. Headers of C++ are the compiler's own;
 * any other is the user's, found by -I, but for those of CUDA's libraries, which are for GPUs. */
#include "driver_cpu_include.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* An entry that ends in '*' is the beginning of names. */
static const char *const known[] = {
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_device_runtime_api.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "device_atomic_functions.h",
    "device_types.h",
    "math_functions.h",
    "math_constants.h",
    "vector_types.h",
    "vector_functions.h",
    "builtin_types.h",
    "host_defines.h",
    "driver_types.h",
    "cuda_fp16.h",
    "cuda_fp16.hpp",
    "cuda_bf16.h",
    "cuda_bf16.hpp",
    "cuComplex.h",
    "cupy/complex.cuh",
    "stdint.h",
    "cstdint",
    "inttypes.h",
    "stddef.h",
    "cstddef",
    "stdbool.h",
    "limits.h",
    "climits",
    "float.h",
    "cfloat",
    "math.h",
    "cmath",
    "stdio.h",
    "cstdio",
    "stdlib.h",
    "cstdlib",
    "string.h",
    "cstring",
    "assert.h",
    "cassert",
    "time.h",
    "ctime",
    NULL,
};

static const char *const standard[] = {
    "algorithm",        "array",    "bit",    "bitset", "cfenv",   "cinttypes", "concepts", "functional", "complex",
    "initializer_list", "iterator", "limits", "new",    "numeric", "optional",  "ratio",    "tuple",      "type_traits",
    "utility",          "variant",  NULL,
};

static const char *const refused[] = {
    "cooperative_groups*",
    "cuda/*",
    "cub/*",
    "thrust/*",
    "cutlass/*",
    "cute/*",
    "cupy/*",
    "curand*",
    "cublas*",
    "cufft*",
    "cusparse*",
    "cusolver*",
    "nvrtc*",
    "nvshmem*",
    "nccl*",
    "nvToolsExt*",
    "mma.h",
    "crt/*",
    "sm_*",
    "cuda_fp8*",
    "cuda_pipeline*",
    "cuda_awbarrier*",
    "cuda_texture_types.h",
    "cuda_surface_types.h",
    "texture_*",
    "surface_*",
    NULL,
};

static bool is_in(const char *name, const char *const *list)
{
    for (; *list != NULL; list++) {
        size_t length = strcspn(*list, "*");
        if ((*list)[length] == '*' ? strncmp(name, *list, length) == 0 : strcmp(name, *list) == 0)
            return true;
    }
    return false;
}

/* The name in `#include <name>` or `#include "name"`. */
static bool read_name(char *name, size_t nbytes, const char *line)
{
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", strlen("include")) != 0)
        return false;
    line += strlen("include");
    line += strspn(line, " \t");
    if (*line != '<' && *line != '"')
        return false;
    size_t length = strcspn(line + 1, *line == '<' ? ">\n" : "\"\n");
    snprintf(name, nbytes, "%.*s", (int)length, line + 1);
    return length > 0 && length < nbytes;
}

/* Headers whose names are there only with them, and what makes them be there. */
static const char *const features[][2] = {
    {"cuda_fp16.h", "-DCUNA_WITH_HALF"},      {"cuda_fp16.hpp", "-DCUNA_WITH_HALF"},
    {"cuda_bf16.h", "-DCUNA_WITH_HALF"},      {"cuda_bf16.hpp", "-DCUNA_WITH_HALF"},
    {"cuComplex.h", "-DCUNA_WITH_CUCOMPLEX"}, {"cupy/complex.cuh", "-DCUNA_WITH_COMPLEX"},
};

static const char *option_of(const char *line)
{
    char name[200];
    for (size_t i = 0; i < sizeof features / sizeof *features && read_name(name, sizeof name, line); i++)
        if (strcmp(name, features[i][0]) == 0)
            return features[i][1];
    return NULL;
}

const char *cuna__include_option(const char **source)
{
    const char *option = NULL;
    for (const char *at = *source; at != NULL && option == NULL; at = *source) {
        at += strspn(at, " \t");
        option = *at == '#' ? option_of(at) : NULL;
        const char *end = strchr(at, '\n');
        *source = end != NULL ? end + 1 : NULL;
    }
    return option;
}

cuna_include cuna__include_judge(char *words, size_t nbytes, const char *line)
{
    char name[200];
    if (!read_name(name, sizeof name, line))
        return CUNA_INCLUDE_NONE;
    if (is_in(name, known))
        return CUNA_INCLUDE_KNOWN;
    if (is_in(name, standard))
        return CUNA_INCLUDE_STANDARD;
    if (!is_in(name, refused) || strpbrk(name, "\"\\") != NULL)
        return CUNA_INCLUDE_USER;
    snprintf(words, nbytes, "<%s> is for GPUs, and the cpu device does not have it", name);
    return CUNA_INCLUDE_REFUSED;
}
