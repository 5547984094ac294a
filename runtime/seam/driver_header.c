/* driver_header.c: headers that users' texts may include on every device.
 *
 * NVRTC has no headers, and the cpu device's compiler has different ones under these names, or none. Most of their
 * declarations are always available: CUDA's names, and those of C in the devices' raw_preludes; such a header is empty.
 * The others have texts, which follow raw_preludes and may be included twice. */
#include "seam/driver_header.h"

#include <stddef.h>
#include <string.h>

/* Of kernels/, embedded by the build. */
extern const char cuna__text_raw_half[], cuna__text_raw_cucomplex[], cuna__text_raw_complex[], cuna__text_raw_groups[],
    cuna__text_raw_curand[], cuna__text_raw_pipeline[], cuna__text_raw_std[];
extern const char cuna__text_prelude_cuda[], cuna__text_scalar[], cuna__text_complex[];

const char *const cuna__header_half[] = {cuna__text_raw_half, NULL};
const char *const cuna__header_cucomplex[] = {cuna__text_raw_cucomplex, NULL};
const char *const cuna__header_groups[] = {cuna__text_raw_groups, NULL};
const char *const cuna__header_curand[] = {cuna__text_raw_curand, NULL};
const char *const cuna__header_std[] = {cuna__text_raw_std, NULL};
const char *const cuna__header_pipeline[] = {cuna__text_raw_pipeline, NULL};
const char *const cuna__header_complex[] = {
    "#ifndef CUNA_RAW_COMPLEX\n#ifndef CUNA_CPU\n",
    cuna__text_prelude_cuda, /* the cpu device has it in raw_preludes */
    "#endif\n",
    cuna__text_scalar,
    cuna__text_complex,
    cuna__text_raw_complex,
    "#endif\n",
    NULL,
};

const cuna_header cuna__headers[] = {
    {"cuda_fp16.h", cuna__header_half, CUNA_HEADER_REPLACED},
    {"cuda_fp16.hpp", cuna__header_half, CUNA_HEADER_REPLACED},
    {"cuda_bf16.h", cuna__header_half, CUNA_HEADER_REPLACED},
    {"cuda_bf16.hpp", cuna__header_half, CUNA_HEADER_REPLACED},
    {"cuComplex.h", cuna__header_cucomplex, CUNA_HEADER_REPLACED},
    {"cupy/complex.cuh", cuna__header_complex, CUNA_HEADER_REPLACED},
    {"cooperative_groups.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/reduce.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/scan.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/memcpy_async.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"curand_kernel.h", cuna__header_curand, CUNA_HEADER_REPLACED},
    {"cuda_pipeline.h", cuna__header_pipeline, CUNA_HEADER_REPLACED},
    {"cuda_pipeline_primitives.h", cuna__header_pipeline, CUNA_HEADER_REPLACED},
    {"cuda.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda_runtime.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda_runtime_api.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda_device_runtime_api.h", NULL, CUNA_HEADER_REPLACED},
    {"device_launch_parameters.h", NULL, CUNA_HEADER_REPLACED},
    {"device_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"device_atomic_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"device_types.h", NULL, CUNA_HEADER_REPLACED},
    {"math_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"math_constants.h", NULL, CUNA_HEADER_REPLACED},
    {"vector_types.h", NULL, CUNA_HEADER_REPLACED},
    {"vector_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"builtin_types.h", NULL, CUNA_HEADER_REPLACED},
    {"host_defines.h", NULL, CUNA_HEADER_REPLACED},
    {"driver_types.h", NULL, CUNA_HEADER_REPLACED},
    {"texture_types.h", NULL, CUNA_HEADER_REPLACED},
    {"texture_indirect_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda_texture_types.h", NULL, CUNA_HEADER_REPLACED},
    {"texture_fetch_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"surface_types.h", NULL, CUNA_HEADER_REPLACED},
    {"surface_indirect_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda_surface_types.h", NULL, CUNA_HEADER_REPLACED},
    {"surface_functions.h", NULL, CUNA_HEADER_REPLACED},
    {"cuda/std/cassert", NULL, CUNA_HEADER_REPLACED},
    {"stdint.h", NULL, CUNA_HEADER_OF_C},
    {"cstdint", cuna__header_std, CUNA_HEADER_OF_C},
    {"inttypes.h", NULL, CUNA_HEADER_OF_C},
    {"cinttypes", cuna__header_std, CUNA_HEADER_OF_C},
    {"new", NULL, CUNA_HEADER_OF_C},
    {"stddef.h", NULL, CUNA_HEADER_OF_C},
    {"cstddef", cuna__header_std, CUNA_HEADER_OF_C},
    {"stdbool.h", NULL, CUNA_HEADER_OF_C},
    {"limits.h", NULL, CUNA_HEADER_OF_C},
    {"climits", NULL, CUNA_HEADER_OF_C},
    {"float.h", NULL, CUNA_HEADER_OF_C},
    {"cfloat", NULL, CUNA_HEADER_OF_C},
    {"math.h", NULL, CUNA_HEADER_OF_C},
    {"cmath", cuna__header_std, CUNA_HEADER_OF_C},
    {"stdio.h", NULL, CUNA_HEADER_OF_C},
    {"cstdio", cuna__header_std, CUNA_HEADER_OF_C},
    {"stdlib.h", NULL, CUNA_HEADER_OF_C},
    {"cstdlib", cuna__header_std, CUNA_HEADER_OF_C},
    {"string.h", NULL, CUNA_HEADER_OF_C},
    {"cstring", cuna__header_std, CUNA_HEADER_OF_C},
    {"assert.h", NULL, CUNA_HEADER_OF_C},
    {"cassert", NULL, CUNA_HEADER_OF_C},
    {"time.h", NULL, CUNA_HEADER_OF_C},
    {"ctime", cuna__header_std, CUNA_HEADER_OF_C},
    {NULL, NULL, CUNA_HEADER_REPLACED},
};

const cuna_header *cuna__header_get(const char *name)
{
    const cuna_header *header = cuna__headers;
    while (header->name != NULL && strcmp(header->name, name) != 0)
        header++;
    return header->name != NULL ? header : NULL;
}
