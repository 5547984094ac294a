/* driver_header.h: headers that users' texts may include on every device. */
#ifndef CUNA_SEAM_DRIVER_HEADER_H
#define CUNA_SEAM_DRIVER_HEADER_H

#include "seam/driver.h"

/* C++ headers that kernels may include: the compiler's on the cpu device, libcu++'s on GPUs, where `cuda/std/` precedes
 * the name. */
#define CUNA_HEADERS_OF_CPP(ROW) \
    ROW("algorithm")             \
    ROW("array")                 \
    ROW("atomic")                \
    ROW("bit")                   \
    ROW("bitset")                \
    ROW("charconv")              \
    ROW("complex")               \
    ROW("concepts")              \
    ROW("expected")              \
    ROW("functional")            \
    ROW("initializer_list")      \
    ROW("iterator")              \
    ROW("limits")                \
    ROW("numbers")               \
    ROW("numeric")               \
    ROW("optional")              \
    ROW("ranges")                \
    ROW("ratio")                 \
    ROW("span")                  \
    ROW("string_view")           \
    ROW("tuple")                 \
    ROW("type_traits")           \
    ROW("utility")               \
    ROW("variant")               \
    ROW("version")

/* Those that kernels cannot use: they need a library of C++ or of CUDA for hosts. */
#define CUNA_HEADERS_OF_HOSTS(ROW)                 \
    ROW("cfenv")                                   \
    ROW("chrono")                                  \
    ROW("condition_variable")                      \
    ROW("cub/device/device_histogram.cuh")         \
    ROW("cub/device/device_merge_sort.cuh")        \
    ROW("cub/device/device_radix_sort.cuh")        \
    ROW("cub/device/device_reduce.cuh")            \
    ROW("cub/device/device_run_length_encode.cuh") \
    ROW("cub/device/device_scan.cuh")              \
    ROW("cub/device/device_select.cuh")            \
    ROW("cuda_profiler_api.h")                     \
    ROW("deque")                                   \
    ROW("exception")                               \
    ROW("execution")                               \
    ROW("filesystem")                              \
    ROW("forward_list")                            \
    ROW("fstream")                                 \
    ROW("future")                                  \
    ROW("iomanip")                                 \
    ROW("ios")                                     \
    ROW("iostream")                                \
    ROW("istream")                                 \
    ROW("list")                                    \
    ROW("locale")                                  \
    ROW("map")                                     \
    ROW("memory")                                  \
    ROW("mutex")                                   \
    ROW("ostream")                                 \
    ROW("queue")                                   \
    ROW("random")                                  \
    ROW("regex")                                   \
    ROW("set")                                     \
    ROW("sstream")                                 \
    ROW("stack")                                   \
    ROW("stdexcept")                               \
    ROW("streambuf")                               \
    ROW("string")                                  \
    ROW("thread")                                  \
    ROW("thrust/device_vector.h")                  \
    ROW("thrust/host_vector.h")                    \
    ROW("thrust/universal_vector.h")               \
    ROW("typeinfo")                                \
    ROW("unordered_map")                           \
    ROW("unordered_set")                           \
    ROW("vector")
#define CUNA_HEADER_OF_HOSTS(name) "<" name "> is for hosts, and kernels do not have it"

/* Ended by a row without a name. */
extern const cuna_header cuna__headers[];

/* The header with a name; NULL: another one. */
const cuna_header *cuna__header_get(const char *name);

/* Texts that several of them share. */
extern const char *const cuna__header_std[],
    *const cuna__header_half[], *const cuna__header_cucomplex[],
                                    *const cuna__header_complex[], *const cuna__header_groups[],
                                                                       *const cuna__header_curand[],
                                                                           *const cuna__header_pipeline[],
                                                                               *const cuna__header_thrust_value[],
                                                                                   *const cuna__header_thrust[],
                                                                                       *const cuna__header_float16[],
                                                                                           *const cuna__header_carray[];

#endif
