/* cuna_random.h: the door's part for cuRAND's generators; cuna.h includes it. Random numbers of cuna's own are programs. */
#ifndef CUNA_RANDOM_DOOR_H
#define CUNA_RANDOM_DOOR_H

/* ---- random.c ------------------------------------------------------------------------------------------------- */

typedef struct cuna_generator cuna_generator; /* a sequence of cuRAND's on one device; counted by nobody */

/* What a generator can make: words of 32 bits or, of sequences that have such, 64; numbers of (0, 1]; normal numbers. The array's
 * dtype says how many bits: uint32, uint64; float32, float64; the same. */
typedef enum cuna_draw { CUNA_DRAW_BITS, CUNA_DRAW_UNIFORM, CUNA_DRAW_NORMAL } cuna_draw;

/* Makes a generator on a device by the method's name in cuRAND, such as "XORWOW". `dimensions` is for quasi-random sequences,
 * others take 0. VALUE for an unknown name, MEMORY, DEVICE without cuRAND. */
cuna_status cuna_generator_create(cuna_generator **out, cuna_device *device, const char *method, int dimensions);
void cuna_generator_destroy(cuna_generator *generator);

/* Begins anew, with a seed (which quasi-random sequences have not) and past `offset` numbers. MEMORY, DEVICE. */
cuna_status cuna_generator_seed(cuna_generator *generator, uint64_t seed, uint64_t offset);

/* Fills a contiguous array of the generator's device. Normal numbers have mean 0 and deviation 1, and an even count but of
 * quasi-random sequences. VALUE, MEMORY, DEVICE. */
cuna_status cuna_generator_fill(cuna_context *context, cuna_generator *generator, cuna_draw draw,
                                const cuna_array *out);

#endif
