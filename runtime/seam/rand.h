/* rand.h: one table for cuRAND's generators: those that work on a device, and those that work on the host.
 *
 * Rows are shaped like cuRAND's host API and return its status, 0 for success. Numbers are generated on a stream. */
#ifndef CUNA_SEAM_RAND_H
#define CUNA_SEAM_RAND_H

#include "seam/driver.h"

/* X(name, cuRAND's number, whether a sequence is quasi-random) */
#define CUNA_RAND_METHODS(X)          \
    X("XORWOW", 101, false)           \
    X("MRG32K3A", 121, false)         \
    X("MTGP32", 141, false)           \
    X("MT19937", 142, false)          \
    X("PHILOX", 161, false)           \
    X("SOBOL32", 201, true)           \
    X("SCRAMBLED_SOBOL32", 202, true) \
    X("SOBOL64", 203, true)           \
    X("SCRAMBLED_SOBOL64", 204, true)

typedef enum cuna_rand_kind {
    CUNA_RAND_BITS32,
    CUNA_RAND_BITS64, /* of sequences whose words have as many */
    CUNA_RAND_UNIFORM32,
    CUNA_RAND_UNIFORM64, /* in (0, 1] */
    CUNA_RAND_NORMAL32,
    CUNA_RAND_NORMAL64, /* mean 0, standard deviation 1; an even count, except in quasi-random sequences */
} cuna_rand_kind;

/* A request for `count` numbers at `out`. */
typedef struct cuna_rand_fill {
    void *generator;
    cuna_rand_kind kind;
    void *out;
    size_t count;
} cuna_rand_fill;

typedef struct cuna_rand {
    int (*create)(void **generator, int method); /* the device is current */
    int (*destroy)(void *generator);
    int (*set_stream)(void *generator, cu_stream stream);
    int (*set_seed)(void *generator, unsigned long long seed);
    int (*set_offset)(void *generator, unsigned long long offset);
    int (*set_dimensions)(void *generator, unsigned dimensions);
    int (*seed)(void *generator); /* prepares the state, otherwise done by the first request */
    int (*fill)(cu_stream stream, const cuna_rand_fill *fill);
} cuna_rand;

/* The table of devices whose memory the host shares, or of CUDA devices; the first call loads the library. DEVICE with
 * the names that were searched for. */
cuna_status cuna__rand_cuda(const cuna_rand **out, bool host_memory);

/* Whether a status means out of memory. */
bool cuna__rand_is_memory(int status);

/* Whether a status reports the failure of an earlier call, which cuRAND found when this one began. */
bool cuna__rand_is_preexisting(int status);

/* The name of a status: "CURAND_STATUS_TYPE_ERROR". */
const char *cuna__rand_describe(int status);

#endif
