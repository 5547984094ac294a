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
    cuna__text_raw_curand[], cuna__text_raw_curand_more[], cuna__text_raw_pipeline[], cuna__text_raw_std[],
    cuna__text_raw_thrust_value[], cuna__text_raw_thrust[], cuna__text_raw_thrust_order[], cuna__text_raw_float16[],
    cuna__text_raw_carray[];
extern const char cuna__text_prelude_cuda[], cuna__text_scalar[], cuna__text_complex[];

const char *const cuna__header_half[] = {cuna__text_raw_half, NULL};
const char *const cuna__header_float16[] = {"#include <cuda_fp16.h>\n", cuna__text_raw_float16, NULL};
const char *const cuna__header_carray[] = {"#include <cupy/float16.cuh>\n", cuna__text_raw_carray, NULL};
const char *const cuna__header_cucomplex[] = {cuna__text_raw_cucomplex, NULL};
const char *const cuna__header_groups[] = {cuna__text_raw_groups, NULL};
const char *const cuna__header_curand[] = {cuna__text_raw_curand, cuna__text_raw_curand_more, NULL};
const char *const cuna__header_std[] = {cuna__text_raw_std, NULL};
const char *const cuna__header_pipeline[] = {cuna__text_raw_pipeline, NULL};
const char *const cuna__header_thrust_value[] = {cuna__text_raw_thrust_value, NULL};
/* Pairs may be the toolkit's. */
const char *const cuna__header_thrust[] = {
    "#ifndef CUNA_RAW_THRUST_VALUE\n#include <thrust/functional.h>\n#include <thrust/pair.h>\n#endif\n",
    cuna__text_raw_thrust,
    cuna__text_raw_thrust_order,
    NULL,
};
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
    {"cufft.h", cuna__header_cucomplex, CUNA_HEADER_REPLACED},
    {"cufftXt.h", cuna__header_cucomplex, CUNA_HEADER_REPLACED},
    {"cupy/carray.cuh", cuna__header_carray, CUNA_HEADER_REPLACED},
    {"cupy/complex.cuh", cuna__header_complex, CUNA_HEADER_REPLACED},
    {"cupy/float16.cuh", cuna__header_float16, CUNA_HEADER_REPLACED},
    {"cupy/math_constants.h", NULL, CUNA_HEADER_REPLACED},
    {"cooperative_groups.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/reduce.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/scan.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"cooperative_groups/memcpy_async.h", cuna__header_groups, CUNA_HEADER_REPLACED},
    {"curand_kernel.h", cuna__header_curand, CUNA_HEADER_REPLACED},
    {"cuda_pipeline.h", cuna__header_pipeline, CUNA_HEADER_REPLACED},
    {"cuda_pipeline_primitives.h", cuna__header_pipeline, CUNA_HEADER_REPLACED},
    {"thrust/complex.h", cuna__header_complex, CUNA_HEADER_OURS},
    {"thrust/functional.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/pair.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/tuple.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/distance.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/advance.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/counting_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/constant_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/permutation_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/reverse_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/transform_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/iterator/zip_iterator.h", cuna__header_thrust_value, CUNA_HEADER_REPLACED},
    {"thrust/adjacent_difference.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/binary_search.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/copy.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/count.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/equal.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/execution_policy.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/extrema.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/fill.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/find.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/for_each.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/gather.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/generate.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/inner_product.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/logical.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/merge.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/mismatch.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/partition.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/reduce.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/remove.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/replace.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/reverse.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/scan.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/scatter.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/sequence.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/set_operations.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/sort.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/swap.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/tabulate.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/transform.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/transform_reduce.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/transform_scan.h", cuna__header_thrust, CUNA_HEADER_OURS},
    {"thrust/unique.h", cuna__header_thrust, CUNA_HEADER_OURS},
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
