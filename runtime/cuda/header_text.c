/* header_text.c: headers that users' texts have on GPUs besides those of every device.
 *
 * C++ headers are libcu++'s, in the toolkit, where `__name_` is one that is not final. Its names are in cuda::std, and
 * std looks there for what it does not have itself. A header that kernels cannot have is an error that says so. */
#include "cuda/header.h"
#include "seam/driver_header.h"

#include <stddef.h>

#define TEXTS(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

#define USE(header)                                                                            \
    "_has_include(<" header ">)\n#include <" header ">\nnamespace cuda { namespace std {} }\n" \
    "namespace std { using namespace cuda::std; }\n"
#define OF_CPP(name)                                                                           \
    {name,                                                                                     \
     TEXTS("#if _" USE("cuda/std/" name) "#elif _" USE(                                        \
         "cuda/std/__" name "_") "#else\n"                                                     \
                                 "#error <" name "> on a GPU is <cuda/std/" name               \
                                 "> of a toolkit, which was not found: install the toolkit's " \
                                 "headers or set CUDA_HOME\n#endif\n"),                        \
     CUNA_HEADER_OURS},
#define OF_HOSTS(name) {name, TEXTS("#error " CUNA_HEADER_OF_HOSTS(name) "\n"), CUNA_HEADER_OURS},

/* The toolkit's includes all of CUB, whose calls of hosts cannot be compiled at run time. */
#define CUB(name) "#include <cub/" name ".cuh>\n"
#define CUB_OF_KERNELS                     \
    CUB("block/block_adjacent_difference") \
    CUB("block/block_discontinuity")       \
    CUB("block/block_exchange")            \
    CUB("block/block_histogram")           \
    CUB("block/block_load")                \
    CUB("block/block_merge_sort")          \
    CUB("block/block_radix_sort")          \
    CUB("block/block_reduce")              \
    CUB("block/block_run_length_decode")   \
    CUB("block/block_scan")                \
    CUB("block/block_shuffle")             \
    CUB("block/block_store")               \
    CUB("warp/warp_exchange")              \
    CUB("warp/warp_load")                  \
    CUB("warp/warp_merge_sort")            \
    CUB("warp/warp_reduce")                \
    CUB("warp/warp_scan")                  \
    CUB("warp/warp_store")

static const cuna_header headers[] = {
    {"cub/cub.cuh", TEXTS(CUB_OF_KERNELS), CUNA_HEADER_OURS},
    CUNA_HEADERS_OF_CPP(OF_CPP) CUNA_HEADERS_OF_HOSTS(OF_HOSTS){NULL, NULL, CUNA_HEADER_REPLACED},
};

const cuna_header *const cuna__header_lists_gpu[] = {cuna__headers, headers, NULL};
