/* line.c: which way a line is transformed.
 *
 * FFTW transforms every line that stays in a cache and has small prime factors. Others are put together from such lines,
 * because FFTW's estimated plans for them take longer, and measuring plans takes 0.1 to 0.7 s for each length:
 *
 * - Lines with a large prime factor are a convolution (chirp.c).
 * - Long lines are split into two axes (split.c): memory is read and written twice, and by all threads.
 * - Long real lines of even length are complex lines of half that length (real.c), which are split. Real lines with a
 *   large prime factor are complex ones likewise.
 *
 * One thread on an EPYC, microseconds, FFTW's plan of the whole line / as here:
 *
 *                        complex64          complex128     float32 (rfft)     float64 (rfft)
 *   10007                 230 / 142          484 / 226          327 / 148          337 / 231
 *   1000 x 1021         7700 / 7500      14600 / 12800       20400 / 8200      20100 / 12700
 *   2^20              17500 / 12300      14100 / 11700        3700 / 5600      10100 / 6700
 *   2^24            345000 / 180000    526000 / 296000    179000 / 100000    245000 / 127000
 *
 * Of complex64 FFTW's plans are ahead up to 2^17 (536 / 703) where only one thread may work. */
#include "cpu/fft/line.h"

#include <stdlib.h>

#define LONG_LONE    8192  /* from here on a line alone is split, for all threads */
#define LONG_MANY    65536 /* and one of many */
#define MOST_FACTOR  31    /* a prime that FFTW's plans take */
#define LEAST_SIDE   16    /* of a split */
#define BLOCK_NBYTES 32768 /* of the lines of a block, unless they are fewer than 16 */

void *cuna__dft_line_allocate(size_t nbytes, const cuna_dft_want *want)
{
    cuna_dft_line *line = calloc(1, nbytes);
    if (line == NULL)
        return NULL;
    int64_t own = want->n * 2 * cuna__dft_real_nbytes(want);
    line->want = *want;
    line->lines = cuna__max(cuna__min(BLOCK_NBYTES / own, 1024) / 16 * 16, 16);
    line->alignment = 1;
    return line;
}

void cuna__dft_line_release(cuna_dft_line *line)
{
    if (line != NULL)
        line->release(line);
}

static bool has_small_factors(int64_t n)
{
    for (int factor = 2; factor <= MOST_FACTOR; factor++)
        while (n % factor == 0)
            n /= factor;
    return n == 1;
}

/* The largest divisor of n up to its square root. */
static int64_t side_of(int64_t n)
{
    int64_t best = 1;
    for (int64_t side = 1; side * side <= n; side++)
        if (n % side == 0)
            best = side;
    return best;
}

static cuna_dft_line *create_whole(const cuna_dft_want *want);

static cuna_dft_line *create_split(const cuna_dft_want *want, int64_t side)
{
    cuna_dft_want columns = *want, rows = *want;
    columns.lone = rows.lone = false;
    columns.n = side;
    rows.n = want->n / side;
    return cuna__dft_split_create(want, create_whole(&columns), create_whole(&rows));
}

/* The least product of a power of two and 1, 3, 5, 9 or 15 that is not below n. */
static int64_t round_up(int64_t n)
{
    static const int odds[] = {3, 5, 9, 15};
    int64_t best = (int64_t)1 << cuna__ceil_log2(n);
    for (int i = 0; i < 4; i++)
        best = cuna__min(best, (int64_t)odds[i] << cuna__ceil_log2(cuna__ceil_div(n, odds[i])));
    return best;
}

/* A line that a convolution replaces. */
static cuna_dft_line *create_chirp(const cuna_dft_want *want)
{
    cuna_dft_want inner = *want;
    inner.sign = -1;
    inner.n = round_up(2 * want->n - 1);
    return cuna__dft_chirp_create(want,
                                  inner.n > LONG_MANY ? create_split(&inner, side_of(inner.n)) : create_whole(&inner));
}

/* A complex line that is not split. */
static cuna_dft_line *create_whole(const cuna_dft_want *want)
{
    return has_small_factors(want->n) ? cuna__dft_fftw_create(want) : create_chirp(want);
}

static int64_t longest(const cuna_dft_want *want)
{
    return want->lone ? LONG_LONE : LONG_MANY;
}

static cuna_dft_line *create_complex(const cuna_dft_want *want)
{
    int64_t side = want->n > longest(want) ? side_of(want->n) : 1;
    return side >= LEAST_SIDE ? create_split(want, side) : create_whole(want);
}

static cuna_dft_line *create_real(const cuna_dft_want *want)
{
    cuna_dft_want inner = *want;
    bool whole = has_small_factors(want->n) && (want->n <= longest(want) || want->n % 2 != 0);
    cuna_dft_line *line = whole ? cuna__dft_fftw_create(want) : NULL;
    if (line != NULL)
        return line;
    bool halves = want->n % 2 == 0;
    inner.type = CUNA_DFT_COMPLEX;
    inner.sign = want->type == CUNA_DFT_TO_COMPLEX ? -1 : 1;
    inner.n = halves ? want->n / 2 : want->n;
    line = create_complex(&inner);
    return halves ? cuna__dft_halved_create(want, line) : cuna__dft_widened_create(want, line);
}

cuna_dft_line *cuna__dft_line_create(const cuna_dft_want *want)
{
    return want->type == CUNA_DFT_COMPLEX ? create_complex(want) : create_real(want);
}
