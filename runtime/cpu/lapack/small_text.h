/* small_text.h: LAPACK's unblocked algorithms for small real matrices, column by column, for one type REAL;
 * NAME(x) is x with the type's letter. Included by small.c once for each. */

/* Solves op(a) x = b for a triangle, in place: column by column of a where op(a) is a, else row by row. */
static void NAME(solve)(const cuna_small_triangle *t, const REAL *a, REAL *b)
{
    int n = t->n;
    bool down = t->lower != t->transposed; /* x[0] is known first */
    for (int at = 0; at < n; at++) {
        int i = down ? at : n - 1 - at;
        const REAL *column = a + (int64_t)i * n;
        int first = t->lower ? i + 1 : 0, last = t->lower ? n : i;
        for (int c = 0; c < t->k; c++) {
            REAL *x = b + (int64_t)c * n;
            if (t->transposed)
                for (int j = first; j < last; j++)
                    x[i] -= column[j] * x[j];
            if (!t->unit)
                x[i] /= column[i];
            if (!t->transposed)
                for (int j = first; j < last; j++)
                    x[j] -= column[j] * x[i];
        }
    }
}

static void NAME(swap_rows)(REAL *a, int rows, int columns, int one, int other)
{
    for (int c = 0; c < columns && one != other; c++) {
        REAL *column = a + (int64_t)c * rows, kept = column[one];
        column[one] = column[other];
        column[other] = kept;
    }
}

static int NAME(getrf)(int m, int n, REAL *a, int64_t *pivots)
{
    int info = 0;
    for (int j = 0; j < m && j < n; j++) {
        /* The pivot is the greatest at or below the diagonal; NaN never is greater, and stays where it is. */
        REAL *column = a + (int64_t)j * m, greatest = 0;
        int p = j;
        for (int i = j; i < m; i++) {
            REAL size = column[i] < 0 ? -column[i] : column[i];
            p = size > greatest ? i : p;
            greatest = size > greatest ? size : greatest;
        }
        pivots[j] = p + 1;
        NAME(swap_rows)(a, m, n, j, p);
        /* As LAPACK: a zero pivot is reported, and the factorization goes on with the next column. */
        if (column[j] == 0) {
            info = info == 0 ? j + 1 : info;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            column[i] /= column[j];
        /* Right-looking: what is behind the pivot is up to date before the next pivot is chosen. */
        for (int c = j + 1; c < n; c++) {
            REAL *next = a + (int64_t)c * m, factor = next[j];
            for (int i = j + 1; i < m; i++)
                next[i] -= column[i] * factor;
        }
    }
    return info;
}

static void NAME(getrs)(bool transposed, int n, int k, const REAL *lu, const int64_t *pivots, REAL *b)
{
    cuna_small_triangle l = {n, k, true, transposed, true}, u = {n, k, false, transposed, false};
    for (int i = 0; i < n && !transposed; i++)
        NAME(swap_rows)(b, n, k, i, (int)pivots[i] - 1);
    NAME(solve)(transposed ? &u : &l, lu, b);
    NAME(solve)(transposed ? &l : &u, lu, b);
    for (int i = n - 1; i >= 0 && transposed; i--)
        NAME(swap_rows)(b, n, k, i, (int)pivots[i] - 1);
}

static void NAME(getri)(int n, const REAL *lu, const int64_t *pivots, REAL *inverse)
{
    for (int i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0;
    NAME(getrs)(false, n, n, lu, pivots, inverse);
}

/* Of the lower triangle rows of l are kept one behind the other, of the upper one columns of u: `down` and `along` are the
 * steps from an element of a row to the next row's and to the next one. */
static int NAME(potrf)(bool lower, int n, REAL *a)
{
    int64_t down = lower ? 1 : n, along = lower ? n : 1;
    for (int j = 0; j < n; j++) {
        const REAL *row = a + j * down;
        REAL rest = row[j * along];
        for (int k = 0; k < j; k++)
            rest -= row[k * along] * row[k * along];
        if (rest <= 0) /* false for NaN, which propagates */
            return j + 1;
        REAL root = NAME(root)(rest);
        a[j * down + j * along] = root;
        for (int i = j + 1; i < n; i++) {
            REAL *other = a + i * down, sum = other[j * along];
            for (int k = 0; k < j; k++)
                sum -= other[k * along] * row[k * along];
            other[j * along] = sum / root;
        }
    }
    return 0;
}

static void NAME(job)(cuna_lapack_job *j)
{
    const char *options = j->call->options;
    cuna_small_triangle whole = {j->n, j->k, options[0] == 'L', options[1] != 'N', options[2] == 'U'};
    cuna_small_triangle half = {j->n, j->k, options[0] == 'L', options[0] == 'U', false}, other = half;
    other.transposed = !half.transposed;
    switch (j->call->op) {
    case CUNA_LAPACK_getrf:
        j->info = NAME(getrf)(j->m, j->n, j->at[0], j->at[1]);
        break;
    case CUNA_LAPACK_getrs:
        NAME(getrs)(options[0] != 'N', j->n, j->k, j->at[0], j->at[1], j->at[2]);
        break;
    case CUNA_LAPACK_getri:
        NAME(getri)(j->n, j->at[0], j->at[1], j->at[2]);
        break;
    case CUNA_LAPACK_potrf:
        j->info = NAME(potrf)(options[0] == 'L', j->n, j->at[0]);
        break;
    case CUNA_LAPACK_potrs: /* l l^T x = b, or u^T u x = b */
        NAME(solve)(&half, j->at[0], j->at[1]);
        NAME(solve)(&other, j->at[0], j->at[1]);
        break;
    default: /* trsm */
        NAME(solve)(&whole, j->at[0], j->at[1]);
    }
}
