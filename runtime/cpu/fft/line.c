/* line.c: which way a line is transformed.
 *
 * FFTW does what stays in a cache, where it is installed; else lines side by side in vectors do (lanes.c). What has
 * large prime factors is a convolution (chirp.c). What is longer is split into two axes (split.c), so that
 * memory is passed over twice, by all threads. A real line of even length is a complex one of half of it. */
#include "cpu/fft/line.h"

#include <stdlib.h>

#define LONG_LONE   8192  /* from here on a line alone is split, for all threads */
#define LONG_MANY   65536 /* and one of many */
#define SHORT_LANES 512   /* a line alone is split so that lanes have company */
#define LEAST_SIDE  16    /* of a split */
#define RUN_NBYTES  32768 /* of the lines of a run, unless they are fewer than 16 */

void *cuna__dft_line_allocate(size_t nbytes, const cuna_dft_want *want)
{
    cuna_dft_line *line = calloc(1, nbytes);
    if (line == NULL)
        return NULL;
    int64_t own = want->n * 2 * cuna__dft_real_nbytes(want);
    line->want = *want;
    line->lines = cuna__max(cuna__min(RUN_NBYTES / own, 1024) / 16 * 16, 16);
    line->alignment = 1;
    return line;
}

void cuna__dft_line_release(cuna_dft_line *line)
{
    if (line != NULL)
        line->release(line);
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
    if (!cuna__dft_lanes_take(want->n))
        return create_chirp(want);
    cuna_dft_line *line = cuna__dft_fftw_create(want);
    return line != NULL ? line : cuna__dft_lanes_create(want);
}

static int64_t longest(const cuna_dft_want *want)
{
    bool has_fftw;
    cuna__dft_fftw_describe(&has_fftw);
    return !want->lone ? LONG_MANY : has_fftw ? LONG_LONE : SHORT_LANES;
}

static cuna_dft_line *create_complex(const cuna_dft_want *want)
{
    int64_t side = want->n > longest(want) ? side_of(want->n) : 1;
    return side >= LEAST_SIDE ? create_split(want, side) : create_whole(want);
}

static cuna_dft_line *create_real(const cuna_dft_want *want)
{
    cuna_dft_want inner = *want;
    bool whole = cuna__dft_lanes_take(want->n) && (want->n <= longest(want) || want->n % 2 != 0);
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
