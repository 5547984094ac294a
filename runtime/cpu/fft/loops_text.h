/* loops_text.h: the text of loops.c, for one REAL and one TARGET: no guard, it is included for each.
 *
 * The transform is Stockham's: pass after pass reads one array and writes another, so that the order of numbers comes
 * right by itself. What is a number there is a vector: the same number of several lines. */
#include <string.h>

enum { OF(LANES) = VECTOR_BYTES / sizeof(REAL), OF(CHUNK) = 32, OF(TILE) = 8 };

typedef REAL OF(vector) __attribute__((vector_size(VECTOR_BYTES)));
typedef struct OF(pair) {
    OF(vector) re, im;
} OF(pair);

/* ---- one line ---- */

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

/* ---- several lines ---- */

static inline __attribute__((always_inline)) OF(pair) OF(plus)(OF(pair) a, OF(pair) b)
{
    return (OF(pair)){a.re + b.re, a.im + b.im};
}

static inline __attribute__((always_inline)) OF(pair) OF(minus)(OF(pair) a, OF(pair) b)
{
    return (OF(pair)){a.re - b.re, a.im - b.im};
}

static inline __attribute__((always_inline)) OF(pair) OF(times)(OF(pair) a, const REAL *w)
{
    return (OF(pair)){a.re * w[0] - a.im * w[1], a.re * w[1] + a.im * w[0]};
}

/* -i times `a`, times a real number */
static inline __attribute__((always_inline)) OF(pair) OF(quarter)(OF(pair) a, REAL by)
{
    return (OF(pair)){a.im * by, -a.re * by};
}

/* In all of these: y[q + s (r p + k)] is the turn of p k times the k-th sum over x[q + s (p + m j)], for p < m, q < s. */
static void OF(pass2)(const OF(pair) * x, OF(pair) * y, int64_t m, int64_t s, const REAL *w)
{
    for (int64_t p = 0; p < m; p++, w += 2)
        for (int64_t q = 0; q < s; q++) {
            OF(pair) a = x[q + s * p], b = x[q + s * (p + m)];
            y[q + s * (2 * p)] = OF(plus)(a, b);
            y[q + s * (2 * p + 1)] = OF(times)(OF(minus)(a, b), w);
        }
}

static void OF(pass3)(const OF(pair) * x, OF(pair) * y, int64_t m, int64_t s, const REAL *w)
{
    const REAL sine = (REAL)0.86602540378443864676;
    for (int64_t p = 0; p < m; p++, w += 4)
        for (int64_t q = 0; q < s; q++) {
            OF(pair) a = x[q + s * p], b = x[q + s * (p + m)], c = x[q + s * (p + 2 * m)];
            OF(pair) sum = OF(plus)(b, c), turned = OF(quarter)(OF(minus)(b, c), sine);
            OF(pair) rest = {a.re - sum.re * (REAL)0.5, a.im - sum.im * (REAL)0.5};
            y[q + s * (3 * p)] = OF(plus)(a, sum);
            y[q + s * (3 * p + 1)] = OF(times)(OF(plus)(rest, turned), w);
            y[q + s * (3 * p + 2)] = OF(times)(OF(minus)(rest, turned), w + 2);
        }
}

static void OF(pass4)(const OF(pair) * x, OF(pair) * y, int64_t m, int64_t s, const REAL *w)
{
    for (int64_t p = 0; p < m; p++, w += 6)
        for (int64_t q = 0; q < s; q++) {
            OF(pair) a = x[q + s * p], b = x[q + s * (p + m)], c = x[q + s * (p + 2 * m)], d = x[q + s * (p + 3 * m)];
            OF(pair) t0 = OF(plus)(a, c), t1 = OF(minus)(a, c), t2 = OF(plus)(b, d);
            OF(pair) t3 = OF(quarter)(OF(minus)(b, d), 1);
            y[q + s * (4 * p)] = OF(plus)(t0, t2);
            y[q + s * (4 * p + 1)] = OF(times)(OF(plus)(t1, t3), w);
            y[q + s * (4 * p + 2)] = OF(times)(OF(minus)(t0, t2), w + 2);
            y[q + s * (4 * p + 3)] = OF(times)(OF(minus)(t1, t3), w + 4);
        }
}

static void OF(pass5)(const OF(pair) * x, OF(pair) * y, int64_t m, int64_t s, const REAL *w)
{
    const REAL c1 = (REAL)0.30901699437494742410, c2 = (REAL)-0.80901699437494742410;
    const REAL s1 = (REAL)0.95105651629515357212, s2 = (REAL)0.58778525229247312917;
    for (int64_t p = 0; p < m; p++, w += 8)
        for (int64_t q = 0; q < s; q++) {
            OF(pair) a = x[q + s * p], b = x[q + s * (p + m)], c = x[q + s * (p + 2 * m)];
            OF(pair) d = x[q + s * (p + 3 * m)], e = x[q + s * (p + 4 * m)];
            OF(pair) be = OF(plus)(b, e), cd = OF(plus)(c, d), b_e = OF(minus)(b, e), c_d = OF(minus)(c, d);
            OF(pair) u = {a.re + be.re * c1 + cd.re * c2, a.im + be.im * c1 + cd.im * c2};
            OF(pair) v = {a.re + be.re * c2 + cd.re * c1, a.im + be.im * c2 + cd.im * c1};
            OF(pair) f = {b_e.im * s1 + c_d.im * s2, -(b_e.re * s1 + c_d.re * s2)};
            OF(pair) g = {b_e.im * s2 - c_d.im * s1, -(b_e.re * s2 - c_d.re * s1)};
            y[q + s * (5 * p)] = OF(plus)(a, OF(plus)(be, cd));
            y[q + s * (5 * p + 1)] = OF(times)(OF(plus)(u, f), w);
            y[q + s * (5 * p + 2)] = OF(times)(OF(plus)(v, g), w + 2);
            y[q + s * (5 * p + 3)] = OF(times)(OF(minus)(v, g), w + 4);
            y[q + s * (5 * p + 4)] = OF(times)(OF(minus)(u, f), w + 6);
        }
}

/* Any odd radix; its own roots stand in front of the turns. */
static void OF(pass_any)(const OF(pair) * x, OF(pair) * y, int64_t m, int64_t s, const REAL *w, int r)
{
    const REAL *own = w, *turn = w + 2 * r;
    for (int64_t p = 0; p < m; p++, turn += 2 * (r - 1))
        for (int64_t q = 0; q < s; q++) {
            const OF(pair) *in = x + q + s * p;
            OF(pair) *to = y + q + s * r * p;
            for (int k = 0; k < r; k++) {
                OF(pair) sum = in[0];
                for (int j = 1, at = k; j < r; j++, at = at + k >= r ? at + k - r : at + k)
                    sum = OF(plus)(sum, OF(times)(in[s * m * j], own + 2 * at));
                to[s * k] = k == 0 ? sum : OF(times)(sum, turn + 2 * (k - 1));
            }
        }
}

/* In tiles, so that a piece of memory is read once however far apart the lines lie. */
static void OF(load)(OF(pair) * x, const REAL *in, int64_t dist, int count, int64_t n, bool swapped)
{
    if (count < OF(LANES))
        memset(x, 0, (size_t)n * sizeof *x);
    for (int64_t first = 0; first < n; first += OF(TILE)) {
        int64_t last = first + OF(TILE) < n ? first + OF(TILE) : n;
        for (int lane = 0; lane < count; lane++) {
            const REAL *from = in + 2 * dist * lane;
            REAL *re = (REAL *)x + lane, *im = re + OF(LANES);
            for (int64_t i = first; i < last; i++) {
                re[2 * OF(LANES) * i] = from[2 * i + swapped];
                im[2 * OF(LANES) * i] = from[2 * i + !swapped];
            }
        }
    }
}

static void OF(store)(REAL *out, int64_t dist, const OF(pair) * x, int count, int64_t n, bool swapped, REAL by)
{
    for (int64_t first = 0; first < n; first += OF(TILE)) {
        int64_t last = first + OF(TILE) < n ? first + OF(TILE) : n;
        for (int lane = 0; lane < count; lane++) {
            REAL *to = out + 2 * dist * lane;
            const REAL *re = (const REAL *)x + lane, *im = re + OF(LANES);
            for (int64_t i = first; i < last; i++) {
                to[2 * i + swapped] = re[2 * OF(LANES) * i] * by;
                to[2 * i + !swapped] = im[2 * OF(LANES) * i] * by;
            }
        }
    }
}

static void OF(transform)(const void *in, int64_t in_dist, void *out, int64_t out_dist, int count, int64_t n,
                          const int *radices, const void *turns, bool swapped, double factor, void *work)
{
    OF(pair) *x = work, *y = x + n, *other;
    const REAL *w = turns;
    int64_t m = n, s = 1;
    OF(load)(x, in, in_dist, count, n, swapped);
    /* Stockham's order: each pass reads one array and writes the other in the order that the next one reads, so no
     * pass permutes. m: what is left of n, s: what is done. */
    for (; *radices != 0; radices++) {
        int r = *radices;
        m /= r;
        switch (r) {
        case 2:
            OF(pass2)(x, y, m, s, w);
            break;
        case 3:
            OF(pass3)(x, y, m, s, w);
            break;
        case 4:
            OF(pass4)(x, y, m, s, w);
            break;
        case 5:
            OF(pass5)(x, y, m, s, w);
            break;
        default:
            OF(pass_any)(x, y, m, s, w, r);
            w += 2 * r;
        }
        w += 2 * m * (r - 1);
        s *= r;
        other = x, x = y, y = other;
    }
    OF(store)(out, out_dist, x, count, n, swapped, (REAL)factor);
}

static const cuna_dft_loops OF(loops) = {OF(LANES), OF(scale),  OF(turn),   OF(multiply), OF(untangle), OF(tangle),
                                         OF(widen), OF(narrow), OF(mirror), OF(put),      OF(transform)};
