/* loops_text.h: the text of loops.c, for one REAL: no guard, it is included for each. */

enum { OF(CHUNK) = 32 };

static void OF(scale)(void *values, int64_t count, double factor)
{
    REAL *at = values, by = (REAL)factor;
    for (int64_t i = 0; i < count; i++)
        at[i] *= by;
}

/* The turns of a chunk are those of its first number times those of the first chunk. */
static void OF(turn)(void *line, int64_t n, const cuna_dft_roots *roots, int64_t step, int sign)
{
    REAL *at = line, first[2 * OF(CHUNK)];
    double root[2];
    for (int64_t k = 0; k < OF(CHUNK) && k < n; k++) {
        cuna__dft_root(root, roots, step * k % roots->n);
        first[2 * k] = (REAL)root[0];
        first[2 * k + 1] = (REAL)(-sign * root[1]);
    }
    for (int64_t k = 0; k < n; k += OF(CHUNK)) {
        /* An exact root for each chunk: rounding errors do not accumulate along the line. */
        cuna__dft_root(root, roots, step * k % roots->n);
        REAL c = (REAL)root[0], s = (REAL)(-sign * root[1]), *x = at + 2 * k;
        int count = (int)(n - k < OF(CHUNK) ? n - k : OF(CHUNK));
        for (int i = 0; i < count; i++) {
            REAL wr = c * first[2 * i] - s * first[2 * i + 1], wi = c * first[2 * i + 1] + s * first[2 * i];
            REAL re = x[2 * i], im = x[2 * i + 1];
            x[2 * i] = re * wr - im * wi;
            x[2 * i + 1] = re * wi + im * wr;
        }
    }
}

static void OF(multiply)(void *out, const void *a, const void *b, int64_t n, bool conjugate, double factor)
{
    REAL *to = out, by = (REAL)factor, flip = conjugate ? -(REAL)factor : (REAL)factor;
    const REAL *x = a, *y = b;
    for (int64_t k = 0; k < n; k++) {
        REAL xr = x[2 * k] * by, xi = x[2 * k + 1] * flip, yr = y[2 * k], yi = y[2 * k + 1];
        to[2 * k] = xr * yr - xi * yi;
        to[2 * k + 1] = xr * yi + xi * yr;
    }
}

/* Of the sums e = a + conj(b) and o = a - conj(b): (e - i w o) / 2 for k and conj(e + i w o) / 2 for h - k. */
static void OF(untangle)(void *line, int64_t h, const cuna_dft_roots *roots, int64_t first, int64_t last)
{
    REAL *x = line, half = (REAL)0.5;
    double root[2];
    for (int64_t k = first; k < last; k++) {
        REAL *a = x + 2 * k, *b = x + 2 * (k == 0 ? 0 : h - k), *to = x + 2 * (h - k);
        cuna__dft_root(root, roots, k);
        REAL c = (REAL)root[0] * half, s = (REAL)root[1] * half, br = b[0], bi = b[1];
        REAL er = (a[0] + br) * half, ei = (a[1] - bi) * half, or = a[0] - br, oi = a[1] + bi;
        REAL tr = s * or +c * oi, ti = s * oi - c * or ;
        to[0] = er - tr;
        to[1] = ti - ei;
        a[0] = er + tr;
        a[1] = ei + ti;
    }
}

static void OF(tangle)(void *out, const void *in, int64_t h, const cuna_dft_roots *roots, int64_t first, int64_t last)
{
    REAL *to = out;
    const REAL *x = in;
    double root[2];
    for (int64_t k = first; k < last; k++) {
        const REAL *a = x + 2 * k, *b = x + 2 * (h - k);
        REAL ai = k == 0 ? 0 : a[1], bi = k == 0 ? 0 : b[1]; /* the first and the middle one are real */
        cuna__dft_root(root, roots, k);
        REAL c = (REAL)root[0], s = -(REAL)root[1];
        REAL er = a[0] + b[0], ei = ai - bi, or = a[0] - b[0], oi = ai + bi;
        REAL tr = -(s * or +c * oi), ti = c * or -s * oi;
        if (k > 0) {
            to[2 * (h - k)] = er - tr;
            to[2 * (h - k) + 1] = ti - ei;
        }
        to[2 * k] = er + tr;
        to[2 * k + 1] = ei + ti;
    }
}

static void OF(widen)(void *out, const void *real, int64_t n)
{
    REAL *to = out;
    const REAL *x = real;
    for (int64_t k = 0; k < n; k++) {
        to[2 * k] = x[k];
        to[2 * k + 1] = 0;
    }
}

static void OF(narrow)(void *real, const void *in, int64_t n, double factor)
{
    REAL *to = real, by = (REAL)factor;
    const REAL *x = in;
    for (int64_t k = 0; k < n; k++)
        to[k] = x[2 * k] * by;
}

static void OF(mirror)(void *out, const void *half, int64_t n)
{
    REAL *to = out;
    const REAL *x = half;
    for (int64_t k = 0; k <= n / 2; k++) {
        bool is_real = k == 0 || 2 * k == n;
        REAL im = is_real ? 0 : x[2 * k + 1];
        if (!is_real) {
            to[2 * (n - k)] = x[2 * k];
            to[2 * (n - k) + 1] = -im;
        }
        to[2 * k] = x[2 * k];
        to[2 * k + 1] = im;
    }
}

static void OF(put)(void *line, int64_t k, double re, double im)
{
    ((REAL *)line)[2 * k] = (REAL)re;
    ((REAL *)line)[2 * k + 1] = (REAL)im;
}

static const cuna_dft_loops OF(loops) = {OF(scale), OF(turn),   OF(multiply), OF(untangle), OF(tangle),
                                         OF(widen), OF(narrow), OF(mirror),   OF(put)};
