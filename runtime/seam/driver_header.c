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
    cuna__text_raw_curand[], cuna__text_raw_pipeline[];
extern const char cuna__text_prelude_cuda[], cuna__text_scalar[], cuna__text_complex[];

const char *const cuna__header_half[] = {cuna__text_raw_half, NULL};
const char *const cuna__header_cucomplex[] = {cuna__text_raw_cucomplex, NULL};
const char *const cuna__header_groups[] = {cuna__text_raw_groups, NULL};
const char *const cuna__header_curand[] = {cuna__text_raw_curand, NULL};
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
    {"cuda_fp16.h", cuna__header_half, false},
    {"cuda_fp16.hpp", cuna__header_half, false},
    {"cuda_bf16.h", cuna__header_half, false},
    {"cuda_bf16.hpp", cuna__header_half, false},
    {"cuComplex.h", cuna__header_cucomplex, false},
    {"cupy/complex.cuh", cuna__header_complex, false},
    {"cooperative_groups.h", cuna__header_groups, false},
    {"cooperative_groups/reduce.h", cuna__header_groups, false},
    {"cooperative_groups/scan.h", cuna__header_groups, false},
    {"cooperative_groups/memcpy_async.h", cuna__header_groups, false},
    {"curand_kernel.h", cuna__header_curand, false},
    {"cuda_pipeline.h", cuna__header_pipeline, false},
    {"cuda_pipeline_primitives.h", cuna__header_pipeline, false},
    {"cuda.h", NULL, false},
    {"cuda_runtime.h", NULL, false},
    {"cuda_runtime_api.h", NULL, false},
    {"cuda_device_runtime_api.h", NULL, false},
    {"device_launch_parameters.h", NULL, false},
    {"device_functions.h", NULL, false},
    {"device_atomic_functions.h", NULL, false},
    {"device_types.h", NULL, false},
    {"math_functions.h", NULL, false},
    {"math_constants.h", NULL, false},
    {"vector_types.h", NULL, false},
    {"vector_functions.h", NULL, false},
    {"builtin_types.h", NULL, false},
    {"host_defines.h", NULL, false},
    {"driver_types.h", NULL, false},
    {"texture_types.h", NULL, false},
    {"texture_indirect_functions.h", NULL, false},
    {"cuda_texture_types.h", NULL, false},
    {"texture_fetch_functions.h", NULL, false},
    {"surface_types.h", NULL, false},
    {"surface_indirect_functions.h", NULL, false},
    {"cuda_surface_types.h", NULL, false},
    {"surface_functions.h", NULL, false},
    {"cuda/std/cassert", NULL, false},
    {"stdint.h", NULL, true},
    {"cstdint", NULL, true},
    {"inttypes.h", NULL, true},
    {"stddef.h", NULL, true},
    {"cstddef", NULL, true},
    {"stdbool.h", NULL, true},
    {"limits.h", NULL, true},
    {"climits", NULL, true},
    {"float.h", NULL, true},
    {"cfloat", NULL, true},
    {"math.h", NULL, true},
    {"cmath", NULL, true},
    {"stdio.h", NULL, true},
    {"cstdio", NULL, true},
    {"stdlib.h", NULL, true},
    {"cstdlib", NULL, true},
    {"string.h", NULL, true},
    {"cstring", NULL, true},
    {"assert.h", NULL, true},
    {"cassert", NULL, true},
    {"time.h", NULL, true},
    {"ctime", NULL, true},
    {NULL, NULL, false},
};

const cuna_header *cuna__header_get(const char *name)
{
    const cuna_header *header = cuna__headers;
    while (header->name != NULL && strcmp(header->name, name) != 0)
        header++;
    return header->name != NULL ? header : NULL;
}
