/* rand.h: the symbols of cuRAND, with prototypes of ours: a status or a kind is an int, a generator a pointer. */
#ifndef CUNA_CUDA_RAND_H
#define CUNA_CUDA_RAND_H

#include "seam/driver.h"

/* The status that the runtime tests; the number is curand.h's. */
enum {
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
};

/* X(exported symbol, field, parameters); every row returns int. */
#define CUNA_CURAND_ROWS(X)                                                                                          \
    X("curandCreateGenerator", curand_create, (void **generator, int method))                                        \
    X("curandCreateGeneratorHost", curand_create_host, (void **generator, int method))                               \
    X("curandDestroyGenerator", curand_destroy, (void *generator))                                                   \
    X("curandSetStream", curand_set_stream, (void *generator, cu_stream stream))                                     \
    X("curandSetPseudoRandomGeneratorSeed", curand_set_seed, (void *generator, unsigned long long seed))             \
    X("curandSetGeneratorOffset", curand_set_offset, (void *generator, unsigned long long offset))                   \
    X("curandSetQuasiRandomGeneratorDimensions", curand_set_dimensions, (void *generator, unsigned dimensions))      \
    X("curandGenerateSeeds", curand_generate_seeds, (void *generator))                                               \
    X("curandGenerate", curand_generate, (void *generator, unsigned *out, size_t count))                             \
    X("curandGenerateLongLong", curand_generate_long_long, (void *generator, unsigned long long *out, size_t count)) \
    X("curandGenerateUniform", curand_generate_uniform, (void *generator, float *out, size_t count))                 \
    X("curandGenerateUniformDouble", curand_generate_uniform_double, (void *generator, double *out, size_t count))   \
    X("curandGenerateNormal", curand_generate_normal,                                                                \
      (void *generator, float *out, size_t count, float mean, float deviation))                                      \
    X("curandGenerateNormalDouble", curand_generate_normal_double,                                                   \
      (void *generator, double *out, size_t count, double mean, double deviation))

#endif
