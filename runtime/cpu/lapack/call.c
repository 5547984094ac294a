/* call.c: calls of OpenBLAS' LAPACK, one function for each operation.
 *
 * LAPACK is Fortran: everything is passed by address, and the lengths of strings follow behind (gfortran's way). What it
 * would answer for matrices with NaN or infinity is not worth waiting for, where iterations look for what is not there:
 * such a matrix has not converged. */
#include "cpu/lapack/lapack.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cpu/lapack/openblas.h"

typedef const int32_t *in;
typedef const char *letter;

/* X(field, name of the real one, name of the complex one, parameters) */
#define BOTH_ROWS(X)                                                                                               \
    X(getrf, "getrf", "getrf", (in m, in n, void *a, in lda, int32_t *pivots, int32_t *info))                      \
    X(getrs, "getrs", "getrs",                                                                                     \
      (letter trans, in n, in k, const void *a, in lda, in pivots, void *b, in ldb, int32_t *info, size_t))        \
    X(getri, "getri", "getri", (in n, void *a, in lda, in pivots, void *work, in lwork, int32_t *info))            \
    X(potrf, "potrf", "potrf", (letter uplo, in n, void *a, in lda, int32_t *info, size_t))                        \
    X(potrs, "potrs", "potrs",                                                                                     \
      (letter uplo, in n, in k, const void *a, in lda, void *b, in ldb, int32_t *info, size_t))                    \
    X(trtri, "trtri", "trtri", (letter uplo, letter diag, in n, void *a, in lda, int32_t *info, size_t, size_t))   \
    X(trsm, "trsm", "trsm",                                                                                        \
      (letter side, letter uplo, letter trans, letter diag, in m, in n, const void *alpha, const void *a, in lda,  \
       void *b, in ldb, size_t, size_t, size_t, size_t))                                                           \
    X(gehrd, "gehrd", "gehrd",                                                                                     \
      (in n, in first, in last, void *a, in lda, void *tau, void *work, in lwork, int32_t *info))                  \
    X(trsyl, "trsyl", "trsyl",                                                                                     \
      (letter trans_a, letter trans_b, in sign, in m, in n, const void *a, in lda, const void *b, in ldb, void *c, \
       in ldc, void *scale, int32_t *info, size_t, size_t))                                                        \
    X(geqrf, "geqrf", "geqrf", (in m, in n, void *a, in lda, void *tau, void *work, in lwork, int32_t *info))      \
    X(orgqr, "orgqr", "ungqr",                                                                                     \
      (in m, in n, in k, void *a, in lda, const void *tau, void *work, in lwork, int32_t *info))                   \
    X(ormqr, "ormqr", "unmqr",                                                                                     \
      (letter side, letter trans, in m, in n, in k, const void *a, in lda, const void *tau, void *c, in ldc,       \
       void *work, in lwork, int32_t *info, size_t, size_t))

#define REAL_ROWS(X)                                                                                                \
    X(gesdd, "gesdd",                                                                                               \
      (letter job, in m, in n, void *a, in lda, void *s, void *u, in ldu, void *vt, in ldvt, void *work, in lwork,  \
       int32_t *iwork, int32_t *info, size_t))                                                                      \
    X(syevd, "syevd",                                                                                               \
      (letter job, letter uplo, in n, void *a, in lda, void *w, void *work, in lwork, int32_t *iwork, in liwork,    \
       int32_t *info, size_t, size_t))                                                                              \
    X(geev, "geev",                                                                                                 \
      (letter left, letter right, in n, void *a, in lda, void *wr, void *wi, void *vl, in ldvl, void *vr, in ldvr,  \
       void *work, in lwork, int32_t *info, size_t, size_t))                                                        \
    X(gees, "gees",                                                                                                 \
      (letter job, letter sort, int32_t(*select)(const void *, const void *), in n, void *a, in lda,                \
       int32_t *selected, void *wr, void *wi, void *z, in ldz, void *work, in lwork, int32_t *bwork, int32_t *info, \
       size_t, size_t))

#define COMPLEX_ROWS(X)                                                                                             \
    X(gesdd_c, "gesdd",                                                                                             \
      (letter job, in m, in n, void *a, in lda, void *s, void *u, in ldu, void *vt, in ldvt, void *work, in lwork,  \
       void *rwork, int32_t *iwork, int32_t *info, size_t))                                                         \
    X(heevd, "heevd",                                                                                               \
      (letter job, letter uplo, in n, void *a, in lda, void *w, void *work, in lwork, void *rwork, in lrwork,       \
       int32_t *iwork, in liwork, int32_t *info, size_t, size_t))                                                   \
    X(geev_c, "geev",                                                                                               \
      (letter left, letter right, in n, void *a, in lda, void *w, void *vl, in ldvl, void *vr, in ldvr, void *work, \
       in lwork, void *rwork, int32_t *info, size_t, size_t))                                                       \
    X(gees_c, "gees",                                                                                               \
      (letter job, letter sort, int32_t(*select)(const void *), in n, void *a, in lda, int32_t *selected, void *w,  \
       void *z, in ldz, void *work, in lwork, void *rwork, int32_t *bwork, int32_t *info, size_t, size_t))

/* By type: s, d, c, z. */
static struct {
#define ROW(field, real, complex, parameters) void(*field[4]) parameters;
    BOTH_ROWS(ROW)
#undef ROW
#define ROW(field, name, parameters) void(*field[4]) parameters;
    REAL_ROWS(ROW) COMPLEX_ROWS(ROW)
#undef ROW
} lapack;

static cuna_status outcome;
static char words[1400];

static void open_lapack(void)
{
    /* Each row of lapack.h's table is four symbols, or two where the operation is of reals or of complex numbers only. */
    const cuna_symbol symbols[] = {
#define ROW(field, real, complex, parameters)                                                                \
    {"s" real "_", &lapack.field[0]}, {"d" real "_", &lapack.field[1]}, {"c" complex "_", &lapack.field[2]}, \
        {"z" complex "_", &lapack.field[3]},
        BOTH_ROWS(ROW)
#undef ROW
#define ROW(field, name, parameters) {"s" name "_", &lapack.field[0]}, {"d" name "_", &lapack.field[1]},
            REAL_ROWS(ROW)
#undef ROW
#define ROW(field, name, parameters) {"c" name "_", &lapack.field[2]}, {"z" name "_", &lapack.field[3]},
                COMPLEX_ROWS(ROW)
#undef ROW
    };
    const cuna_library *library;
    outcome = cuna__openblas(&library);
    const char *lacking =
        outcome == CUNA_OK ? cuna__library_bind(library, symbols, sizeof symbols / sizeof *symbols) : NULL;
    if (lacking != NULL)
        outcome = cuna_fail(CUNA_DEVICE,
                            "%s has no %s: it was built without LAPACK; install another (apt-get install "
                            "libopenblas0), or name it in CUNA_OPENBLAS",
                            library->name, lacking);
    if (outcome != CUNA_OK)
        snprintf(words, sizeof words, "%s", cuna_message());
}

cuna_status cuna__lapack_cpu_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    CUNA_TRY(cuna__openblas_make_room());
    pthread_once(&once, open_lapack);
    return outcome == CUNA_OK ? CUNA_OK : cuna_fail(outcome, "%s", words);
}

/* ---- operations of linear systems ---- */

/* Pivots have 64 bits in the public header and 32 here, in the first half of their memory. */
static void widen_pivots(void *pivots, int32_t count)
{
    for (int64_t i = count - 1; i >= 0; i--) {
        int32_t narrow;
        memcpy(&narrow, (char *)pivots + 4 * i, sizeof narrow);
        ((int64_t *)pivots)[i] = narrow;
    }
}

static void narrow_pivots(int32_t *out, const void *pivots, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = (int32_t)((const int64_t *)pivots)[i];
}

static void do_getrf(cuna_lapack_job *j)
{
    lapack.getrf[j->type](&j->m, &j->n, j->at[0], &j->m, j->at[1], &j->info);
    widen_pivots(j->at[1], j->m < j->n ? j->m : j->n);
}

static void do_getrs(cuna_lapack_job *j)
{
    narrow_pivots(j->iwork, j->at[1], j->n);
    lapack.getrs[j->type](j->call->options, &j->n, &j->k, j->at[0], &j->n, j->iwork, j->at[2], &j->n, &j->info, 1);
}

static void do_getri(cuna_lapack_job *j)
{
    if (!j->asks) {
        narrow_pivots(j->iwork, j->at[1], j->n);
        memcpy(j->at[2], j->at[0], (size_t)j->n * (size_t)j->n * cuna__lapack_item(j));
    }
    lapack.getri[j->type](&j->n, j->at[2], &j->n, j->iwork, j->work, &j->lwork, &j->info);
}

static void do_potrf(cuna_lapack_job *j)
{
    lapack.potrf[j->type](j->call->options, &j->n, j->at[0], &j->n, &j->info, 1);
}

static void do_potrs(cuna_lapack_job *j)
{
    lapack.potrs[j->type](j->call->options, &j->n, &j->k, j->at[0], &j->n, j->at[1], &j->n, &j->info, 1);
}

static void do_trtri(cuna_lapack_job *j)
{
    const char *options = j->call->options;
    lapack.trtri[j->type](options, options + 1, &j->n, j->at[0], &j->n, &j->info, 1, 1);
}

static void do_trsm(cuna_lapack_job *j)
{
    static const float one[] = {1, 0};
    static const double one_double[] = {1, 0};
    const char *options = j->call->options;
    const void *alpha = j->type % 2 == 0 ? (const void *)one : one_double;
    lapack.trsm[j->type]("L", options, options + 1, options + 2, &j->n, &j->k, alpha, j->at[0], &j->n, j->at[1], &j->n,
                         1, 1, 1, 1);
}

/* ---- orthogonal matrices ---- */

static void do_geqrf(cuna_lapack_job *j)
{
    lapack.geqrf[j->type](&j->m, &j->n, j->at[0], &j->m, j->at[1], j->work, &j->lwork, &j->info);
}

static void do_orgqr(cuna_lapack_job *j)
{
    lapack.orgqr[j->type](&j->m, &j->n, &j->k, j->at[0], &j->m, j->at[1], j->work, &j->lwork, &j->info);
}

static void do_ormqr(cuna_lapack_job *j)
{
    char trans = j->call->options[0];
    if (trans != 'N')
        trans = j->type < 2 ? 'T' : 'C'; /* there is no other */
    lapack.ormqr[j->type]("L", &trans, &j->m, &j->n, &j->k, j->at[0], &j->m, j->at[1], j->at[2], &j->m, j->work,
                          &j->lwork, &j->info, 1, 1);
}

/* ---- eigenvalues and singular values ---- */

static void do_gesvd(cuna_lapack_job *j)
{
    const char *job = j->k == 0 ? "N" : j->k == j->m ? "A" : "S";
    if (j->type < 2)
        lapack.gesdd[j->type](job, &j->m, &j->n, j->at[0], &j->m, j->at[1], j->at[2], &j->m, j->at[3], &j->n, j->work,
                              &j->lwork, j->iwork, &j->info, 1);
    else
        lapack.gesdd_c[j->type](job, &j->m, &j->n, j->at[0], &j->m, j->at[1], j->at[2], &j->m, j->at[3], &j->n, j->work,
                                &j->lwork, j->rwork, j->iwork, &j->info, 1);
}

static void do_syevd(cuna_lapack_job *j)
{
    const char *options = j->call->options;
    if (j->type < 2)
        lapack.syevd[j->type](options, options + 1, &j->n, j->at[0], &j->n, j->at[1], j->work, &j->lwork, j->iwork,
                              &j->liwork, &j->info, 1, 1);
    else
        lapack.heevd[j->type](options, options + 1, &j->n, j->at[0], &j->n, j->at[1], j->work, &j->lwork, j->rwork,
                              &j->lrwork, j->iwork, &j->liwork, &j->info, 1, 1);
}

/* Real and imaginary parts, which LAPACK has apart, as complex numbers. */
static void join_parts(void *out, const void *parts, int32_t count, size_t nbytes)
{
    for (size_t i = 0; i < (size_t)count; i++) {
        memcpy((char *)out + 2 * i * nbytes, (const char *)parts + i * nbytes, nbytes);
        memcpy((char *)out + (2 * i + 1) * nbytes, (const char *)parts + ((size_t)count + i) * nbytes, nbytes);
    }
}

static void do_geev(cuna_lapack_job *j)
{
    const char *vectors = j->k > 0 ? "V" : "N";
    size_t nbytes = cuna__lapack_real(j);
    void *imaginary = j->asks ? j->rwork : (char *)j->rwork + (size_t)j->n * nbytes;
    if (j->type >= 2) {
        lapack.geev_c[j->type]("N", vectors, &j->n, j->at[0], &j->n, j->at[1], NULL, &j->n, j->at[2], &j->n, j->work,
                               &j->lwork, j->rwork, &j->info, 1, 1);
        return;
    }
    lapack.geev[j->type]("N", vectors, &j->n, j->at[0], &j->n, j->rwork, imaginary, NULL, &j->n, j->at[2], &j->n,
                         j->work, &j->lwork, &j->info, 1, 1);
    if (!j->asks)
        join_parts(j->at[1], j->rwork, j->n, nbytes);
}

/* ---- Schur's form ---- */

/* Which eigenvalues come first: of double and of single precision. */
static bool is_first(char option, double re, double im)
{
    double size = hypot(re, im);
    return option == 'L' ? re < 0 : option == 'R' ? re >= 0 : option == 'I' ? size <= 1 : size > 1;
}

#define SELECT(name, option, type)                                     \
    static int32_t name##_##type(const void *re, const void *im)       \
    {                                                                  \
        return is_first(option, *(const type *)re, *(const type *)im); \
    }                                                                  \
    static int32_t name##_c_##type(const void *value)                  \
    {                                                                  \
        const type *parts = value;                                     \
        return is_first(option, parts[0], parts[1]);                   \
    }
SELECT(left, 'L', float)
SELECT(left, 'L', double)
SELECT(right, 'R', float)
SELECT(right, 'R', double)
SELECT(inside, 'I', float)
SELECT(inside, 'I', double)
SELECT(outside, 'O', float)
SELECT(outside, 'O', double)
#undef SELECT

static int find_select(char option)
{
    static const char options[] = "LRIO";
    const char *found = strchr(options, option);
    return found != NULL ? (int)(found - options) : 0;
}

static void do_gees_real(cuna_lapack_job *j, const char *sort)
{
    static int32_t (*const selects[2][4])(const void *,
                                          const void *) = {{left_float, right_float, inside_float, outside_float},
                                                           {left_double, right_double, inside_double, outside_double}};
    size_t nbytes = cuna__lapack_real(j);
    int32_t selected;
    void *imaginary = j->asks ? j->rwork : (char *)j->rwork + (size_t)j->n * nbytes;
    lapack.gees[j->type]("V", sort, selects[j->type][find_select(j->call->options[0])], &j->n, j->at[0], &j->n,
                         &selected, j->rwork, imaginary, j->at[2], &j->n, j->work, &j->lwork, j->iwork, &j->info, 1, 1);
    if (!j->asks)
        join_parts(j->at[1], j->rwork, j->n, nbytes);
}

static void do_gees(cuna_lapack_job *j)
{
    static int32_t (*const selects[2][4])(const void *) = {
        {left_c_float, right_c_float, inside_c_float, outside_c_float},
        {left_c_double, right_c_double, inside_c_double, outside_c_double}};
    const char *sort = j->call->options[0] == 'N' ? "N" : "S";
    int32_t selected;
    if (j->type < 2)
        do_gees_real(j, sort);
    else
        lapack.gees_c[j->type]("V", sort, selects[j->type - 2][find_select(j->call->options[0])], &j->n, j->at[0],
                               &j->n, &selected, j->at[1], j->at[2], &j->n, j->work, &j->lwork, j->rwork, j->iwork,
                               &j->info, 1, 1);
    if (j->info > j->n + 1) /* rounding changed which eigenvalues come first; the form is right */
        j->info = 0;
}

static void do_gehrd(cuna_lapack_job *j)
{
    static const int32_t first = 1;
    lapack.gehrd[j->type](&j->n, &first, &j->n, j->at[0], &j->n, j->at[1], j->work, &j->lwork, &j->info);
}

/* LAPACK solves for c times a scale, which is below 1 where the solution would overflow. */
static void do_trsyl(cuna_lapack_job *j)
{
    static const int32_t sign = 1;
    double scale = 1;
    float narrow = 1;
    bool single = j->type % 2 == 0;
    void *at = single ? (void *)&narrow : (void *)&scale;
    lapack.trsyl[j->type]("N", "N", &sign, &j->m, &j->n, j->at[0], &j->m, j->at[1], &j->n, j->at[2], &j->m, at,
                          &j->info, 1, 1);
    int64_t count = (int64_t)j->m * j->n * (j->type < 2 ? 1 : 2);
    for (int64_t i = 0; (single ? narrow != 1 : scale != 1) && i < count; i++)
        if (single)
            ((float *)j->at[2])[i] /= narrow;
        else
            ((double *)j->at[2])[i] /= scale;
}

/* ---- matrices that nothing converges for ---- */

static bool all_finite(const void *values, int64_t count, size_t nbytes)
{
    double sum = 0; /* of products with 0: NaN as soon as one is */
    float narrow = 0;
    if (nbytes == 4)
        for (int64_t i = 0; i < count; i++)
            narrow += ((const float *)values)[i] * 0;
    else
        for (int64_t i = 0; i < count; i++)
            sum += ((const double *)values)[i] * 0;
    return sum == 0 && narrow == 0;
}

/* Of a symmetric matrix the triangle that counts. */
static bool is_finite(const cuna_lapack_job *j)
{
    bool symmetric = j->call->op == CUNA_LAPACK_syevd, lower = j->call->options[1] == 'L';
    int64_t rows = j->call->op == CUNA_LAPACK_gesvd ? j->m : j->n;
    size_t nbytes = cuna__lapack_real(j), item = cuna__lapack_item(j);
    bool finite = true;
    for (int64_t column = 0; finite && column < j->n; column++) {
        int64_t first = symmetric && lower ? column : 0, last = symmetric && !lower ? column + 1 : rows;
        const char *at = (const char *)j->at[0] + (size_t)(column * rows + first) * item;
        finite = all_finite(at, (last - first) * (int64_t)(item / nbytes), nbytes);
    }
    return finite;
}

static void fill_nan(const cuna_lapack_job *j)
{
    size_t nbytes = cuna__lapack_real(j);
    for (int i = 0; i < CUNA_LAPACK_OPERANDS; i++) {
        size_t count = j->at[i] != NULL ? (size_t)j->call->nbytes[i] / nbytes : 0;
        for (size_t k = 0; k < count; k++)
            if (nbytes == 4)
                ((float *)j->at[i])[k] = NAN;
            else
                ((double *)j->at[i])[k] = NAN;
    }
}

/* ---- rows ---- */

static const struct {
    void (*call)(cuna_lapack_job *job);
    bool asks;      /* LAPACK says how much `work` it takes, and of syevd all */
    bool converges; /* or does not */
} rows[CUNA_LAPACK_OPS] = {
    [CUNA_LAPACK_getrf] = {do_getrf, false, false}, [CUNA_LAPACK_getrs] = {do_getrs, false, false},
    [CUNA_LAPACK_getri] = {do_getri, true, false},  [CUNA_LAPACK_potrf] = {do_potrf, false, false},
    [CUNA_LAPACK_potrs] = {do_potrs, false, false}, [CUNA_LAPACK_trtri] = {do_trtri, false, false},
    [CUNA_LAPACK_trsm] = {do_trsm, false, false},   [CUNA_LAPACK_geqrf] = {do_geqrf, true, false},
    [CUNA_LAPACK_orgqr] = {do_orgqr, true, false},  [CUNA_LAPACK_ormqr] = {do_ormqr, true, false},
    [CUNA_LAPACK_gesvd] = {do_gesvd, true, true},   [CUNA_LAPACK_syevd] = {do_syevd, true, true},
    [CUNA_LAPACK_geev] = {do_geev, true, true},     [CUNA_LAPACK_gees] = {do_gees, true, true},
    [CUNA_LAPACK_gehrd] = {do_gehrd, true, false},  [CUNA_LAPACK_trsyl] = {do_trsyl, false, false},
};

/* What LAPACK is not asked for. The numbers are those that its documentation gives. */
static void set_fixed(cuna_lapack_job *j)
{
    int64_t m = j->m, n = j->n, rwork = 0;
    cuna_lapack_op op = j->call->op;
    if (op == CUNA_LAPACK_getrs || op == CUNA_LAPACK_getri)
        j->liwork = j->n;
    if (op == CUNA_LAPACK_geev || op == CUNA_LAPACK_gees)
        rwork = 2 * n;
    if (op == CUNA_LAPACK_gees)
        j->liwork = j->n;
    if (op == CUNA_LAPACK_gesvd) {
        j->liwork = (int32_t)(8 * n);
        rwork = j->k == 0 ? 7 * n : cuna__max(5 * n * n + 5 * n, 2 * m * n + 2 * n * n + n);
    }
    if (op != CUNA_LAPACK_syevd)
        j->lrwork = (int32_t)cuna__min(rwork, INT32_MAX);
}

/* A number in a workspace's first element; of float32 it may have been rounded down. */
static int32_t read_size(const void *at, size_t nbytes)
{
    double size = 0;
    float narrow;
    if (nbytes == 8) {
        memcpy(&size, at, sizeof size);
    } else {
        memcpy(&narrow, at, sizeof narrow);
        size = (double)narrow * (1 + 1e-6);
    }
    return size < INT32_MAX ? (int32_t)size + 1 : INT32_MAX;
}

void cuna__lapack_cpu_measure(cuna_lapack_job *job)
{
    double work[2] = {0}, rwork[2] = {0};
    int32_t iwork = 0;
    job->lwork = job->lrwork = job->liwork = 0;
    if (rows[job->call->op].asks) {
        cuna_lapack_job question = *job;
        question.asks = true;
        question.lwork = question.lrwork = question.liwork = -1;
        question.work = work;
        question.rwork = rwork;
        question.iwork = &iwork;
        rows[job->call->op].call(&question);
        job->lwork = read_size(work, cuna__lapack_real(job));
        job->lrwork = read_size(rwork, cuna__lapack_real(job));
        job->liwork = iwork;
    }
    set_fixed(job);
}

void cuna__lapack_cpu_do(cuna_lapack_job *job)
{
    bool converges = rows[job->call->op].converges;
    job->info = 0;
    if (cuna__lapack_small_does(job))
        cuna__lapack_small_do(job);
    else if (!converges || is_finite(job))
        rows[job->call->op].call(job);
    else
        job->info = 1;
    if (converges && job->info != 0)
        fill_nan(job);
}
