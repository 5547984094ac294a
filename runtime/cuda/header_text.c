/* header_text.c: headers that users' texts have on GPUs besides those of every device.
 *
 * C++ headers are libcu++'s, in the toolkit, where `__name_` is one that is not final. Its names are in cuda::std, and
 * std looks there for what it does not have itself. A header that kernels cannot have is an error that says so. */
#include "cuda/header.h"
#include "seam/driver_header.h"

#include <stddef.h>

#define TEXTS(...) (const char *const[]){__VA_ARGS__, NULL}

#define USE(header)                                                                                                    \
    "_has_include(<" header ">)\n#include <" header ">\nnamespace cuda { namespace std {} }\n"                          \
    "namespace std { using namespace cuda::std; }\n"
#define OF_CPP(name)                                                                                                   \
    {name,                                                                                                             \
     TEXTS("#if _" USE("cuda/std/" name) "#elif _" USE("cuda/std/__" name "_") "#else\n"                               \
           "#error <" name "> on a GPU is <cuda/std/" name "> of a toolkit, which was not found: install the toolkit's " \
           "headers or set CUDA_HOME\n#endif\n"),                                                                      \
     CUNA_HEADER_OURS},
#define OF_HOSTS(name) {name, TEXTS("#error " CUNA_HEADER_OF_HOSTS(name) "\n"), CUNA_HEADER_OURS},

static const cuna_header headers[] = {
    CUNA_HEADERS_OF_CPP(OF_CPP) CUNA_HEADERS_OF_HOSTS(OF_HOSTS){NULL, NULL, CUNA_HEADER_REPLACED},
};

const cuna_header *const cuna__header_lists_gpu[] = {cuna__headers, headers, NULL};
