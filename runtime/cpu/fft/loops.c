/* loops.c: loops over the numbers of a line, compiled for float and for double.
 *
 * What every processor has is enough: compiled for AVX-512 they save 1 to 9 % of the transforms that use them most (large
 * primes), and others have rounded differently. */
#include "cpu/fft/loops.h"

#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)
#define OF(name)     PASTE(name, REAL)

#define REAL float
#include "cpu/fft/loops_text.h"
#undef REAL
#define REAL double
#include "cpu/fft/loops_text.h"
#undef REAL

const cuna_dft_loops *cuna__dft_loops(bool is_double)
{
    return is_double ? &loops_double : &loops_float;
}
