/* cuna_curand.h: the public functions for cuRAND's generators; cuna.h includes it. cuna's built-in random numbers are
 * programs. */
#ifndef CUNA_CURAND_DOOR_H
#define CUNA_CURAND_DOOR_H

/* ---- curand.c ------------------------------------------------------------------------------------------------- */

typedef struct cuna_curand cuna_curand; /* a cuRAND sequence on one device; not counted */

/* What a generator draws: words of 32 bits or, in sequences that have them, 64; uniform numbers in (0, 1]; normal
 * numbers. The array's dtype selects the width: uint32 or uint64; float32 or float64; float32 or float64. */
typedef enum cuna_curand_draw { CUNA_CURAND_BITS, CUNA_CURAND_UNIFORM, CUNA_CURAND_NORMAL } cuna_curand_draw;

/* Creates a generator on a device by cuRAND's name of the method, such as "XORWOW". `dimensions` is for quasi-random
 * sequences and 0 for others. VALUE for an unknown name, MEMORY, DEVICE without cuRAND. */
cuna_status cuna_curand_create(cuna_curand **out, cuna_device *device, const char *method, int dimensions);
void cuna_curand_destroy(cuna_curand *generator);

/* Restarts the sequence with a seed (ignored by quasi-random sequences) after its first `offset` numbers. MEMORY,
 * DEVICE. */
cuna_status cuna_curand_seed(cuna_curand *generator, uint64_t seed, uint64_t offset);

/* Fills a contiguous array of the generator's device. Normal numbers have mean 0 and standard deviation 1; their count
 * is even, except in quasi-random sequences. VALUE, MEMORY, DEVICE. */
cuna_status cuna_curand_fill(cuna_context *context, cuna_curand *generator, cuna_curand_draw draw,
                             const cuna_array *out);

#endif
