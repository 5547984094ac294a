// factor_lanes.cuh: LAPACK's operations over stacks of small real matrices by blocks of many lanes. A team of SIDE
// lanes, a part of 32, has a matrix: each lane keeps a column in registers, and other lanes' elements come by shuffles.
//
// Matrices with fewer than SIDE rows or columns are completed by those of an identity, or by zeros, which no result
// depends on. Teams beyond the last matrix do the same steps as the others, over such completions alone.
//
// Codegen prints a struct Program with T (float or double), SIDE and Operation, one of the structs below and of
// jacobi_lanes.cuh.
namespace cuna {

struct Factor {
    word at[4];  // operands of the first matrix, in the order of the operation's row; 0: omitted
    word info;   // an int32 for each matrix
    word batch, m, n;
    word k;                        // right sides, or vectors that are asked for
    word lower, transposed, unit;  // what the operation's options say
};

// Where a lane is: which matrix is its team's, and which column of it is the lane's.
template <class P>
struct MatrixTeam {
    typedef typename P::T T;
    enum { SIDE = P::SIDE };
    const Factor &args;
    word matrix;
    unsigned first;  // lane of the team, of 32
    int column;
    bool has;        // a matrix

    CUNA_INLINE MatrixTeam(const Factor &arguments, unsigned block)
        : args(arguments), matrix(word(block) * (LANES / SIDE) + lane() / SIDE),
          first(lane() % 32 & ~unsigned(SIDE - 1)), column(int(lane() % SIDE)), has(matrix < arguments.batch)
    {
    }

    // What the lane of a column has; what the one has whose column's bits differ so.
    template <class V> CUNA_INLINE V tell(V value, int from) const { return shuffle(value, first + unsigned(from)); }
    template <class V> CUNA_INLINE V swap(V value, int bits) const { return tell(value, column ^ bits); }

    // Of column j, whose rows from j on come first, the element in the row of the lane's number: each lane divides one
    // of them, which takes a fraction of the time of one lane's dividing all.
    CUNA_INLINE T pick(const T (&a)[SIDE], int j) const
    {
        T found = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            const T element = tell(a[i], j);
            found = i + j == column ? element : found;
        }
        return found;
    }

    CUNA_INLINE T *of(int operand, word size) const { return (T *)args.at[operand] + (has ? matrix : 0) * size; }

    // The lane's column of an array of rows x columns, of which `down` and `along` are the steps.
    CUNA_INLINE void load(T (&to)[SIDE], const T *from, word rows, word columns, word down, word along,
                          T diagonal) const
    {
        const bool is_there = has && column < columns;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            to[i] = is_there && i < rows ? from[i * down + column * along] : i == column ? diagonal : T(0);
    }

    CUNA_INLINE void store(T *to, const T (&from)[SIDE], word rows, word columns) const
    {
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            if (has && i < rows && column < columns)
                to[i + column * rows] = from[i];
    }

    CUNA_INLINE void note(int info) const
    {
        if (has && column == 0)
            ((int32 *)args.info)[matrix] = info;
    }
};

// Exchanges the first element with another one, whose place the compiler does not know.
template <int SIDE, class T>
CUNA_INLINE void exchange(T (&x)[SIDE], int other)
{
    const T top = x[0];
    T chosen = top;
    CUNA_UNROLL
    for (int i = 0; i < SIDE; ++i) {
        chosen = i == other ? x[i] : chosen;
        x[i] = i == other ? top : x[i];
    }
    x[0] = chosen;
}

// Moves each element to the place before, or behind, its own, so that a loop over rows has its row in the same register
// each time: unrolled loops would be compiled for seconds.
template <int SIDE, class T>
CUNA_INLINE void move_up(T (&x)[SIDE])
{
    const T top = x[0];
    CUNA_UNROLL
    for (int i = 1; i < SIDE; ++i)
        x[i - 1] = x[i];
    x[SIDE - 1] = top;
}

template <int SIDE, class T>
CUNA_INLINE void move_down(T (&x)[SIDE])
{
    const T last = x[SIDE - 1];
    CUNA_UNROLL
    for (int i = SIDE - 1; i > 0; --i)
        x[i] = x[i - 1];
    x[0] = last;
}

// LU factors with row exchanges. A zero pivot is noted, and the next column follows, as LAPACK does.
template <class P>
struct Lu {
    typedef typename P::T T;
    enum { SIDE = P::SIDE };

    static CUNA_INLINE int find_pivot(const T (&a)[SIDE], int count)
    {
        T greatest = 0;
        int found = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            const bool is_greater = i < count && fabs(a[i]) > greatest;
            found = is_greater ? i : found;
            greatest = is_greater ? fabs(a[i]) : greatest;
        }
        return found;
    }

    // Subtracts multiples of column j from later ones. Rows that are done, the last registers now, stay.
    static CUNA_INLINE void eliminate(const MatrixTeam<P> &t, T (&a)[SIDE], int j, T head)
    {
        const T own = t.pick(a, j) / head;
        CUNA_UNROLL
        for (int i = 1; i < SIDE; ++i) {
            const T factor = t.tell(own, (i + j) % SIDE);
            const T rest = t.column > j ? a[i] - factor * a[0] : t.column == j ? factor : a[i];
            a[i] = i < SIDE - j && head != T(0) ? rest : a[i];
        }
    }

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const word n = t.args.n;
        T a[SIDE];
        int info = 0, mine = 0;
        t.load(a, t.of(0, n * n), n, n, 1, n, T(1));
        CUNA_UNROLL_4
        for (int j = 0; j < SIDE; ++j) {
            const int pivot = t.tell(find_pivot(a, SIDE - j), j);
            mine = t.column == j ? pivot + j + 1 : mine;
            exchange(a, pivot);
            const T head = t.tell(a[0], j);
            info = info == 0 && head == T(0) ? j + 1 : info;
            eliminate(t, a, j, head);
            move_up(a);
        }
        t.store(t.of(0, n * n), a, n, n);
        if (t.has && t.column < n)
            ((int64 *)t.args.at[1])[t.matrix * n + t.column] = mine;
        t.note(info);
    }
};

// Solves for x in place, for a lower triangle from its first row on, for an upper one from its last.
template <class P>
CUNA_INLINE void solve_lower(const MatrixTeam<P> &t, const typename P::T (&of)[P::SIDE], typename P::T (&x)[P::SIDE],
                             bool unit)
{
    enum { SIDE = P::SIDE };
    typename P::T a[SIDE];
    CUNA_UNROLL
    for (int i = 0; i < SIDE; ++i)
        a[i] = of[i];
    CUNA_UNROLL_4
    for (int j = 0; j < SIDE; ++j) {
        const typename P::T head = t.tell(a[0], j);
        x[0] = unit ? x[0] : x[0] / head;
        CUNA_UNROLL
        for (int i = 1; i < SIDE; ++i) {
            const typename P::T rest = x[i] - t.tell(a[i], j) * x[0];
            x[i] = i < SIDE - j ? rest : x[i];
        }
        move_up(a);
        move_up(x);
    }
}

template <class P>
CUNA_INLINE void solve_upper(const MatrixTeam<P> &t, const typename P::T (&of)[P::SIDE], typename P::T (&x)[P::SIDE],
                             bool unit)
{
    enum { SIDE = P::SIDE, LAST = SIDE - 1 };
    typename P::T a[SIDE];
    CUNA_UNROLL
    for (int i = 0; i < SIDE; ++i)
        a[i] = of[i];
    CUNA_UNROLL_4
    for (int j = LAST; j >= 0; --j) {
        const typename P::T head = t.tell(a[LAST], j);
        x[LAST] = unit ? x[LAST] : x[LAST] / head;
        CUNA_UNROLL
        for (int i = 0; i < LAST; ++i) {
            const typename P::T rest = x[i] - t.tell(a[i], j) * x[LAST];
            x[i] = i >= LAST - j ? rest : x[i];
        }
        move_down(a);
        move_down(x);
    }
}

// Solutions by LU factors: each lane has a right side. Those of an identity are the inverse.
template <class P, bool INVERTS>
struct LuSolve {
    typedef typename P::T T;
    enum { SIDE = P::SIDE };

    static CUNA_INLINE void solve(const MatrixTeam<P> &t, const T (&a)[SIDE], T (&x)[SIDE], int pivot)
    {
        const bool turned = t.args.transposed != 0;
        CUNA_UNROLL_4
        for (int j = 0; j < SIDE && !turned; ++j) {
            exchange(x, t.tell(pivot, j) - j);
            move_up(x);
        }
        solve_lower(t, a, x, !turned);
        solve_upper(t, a, x, turned);
        CUNA_UNROLL_4
        for (int j = SIDE - 1; j >= 0 && turned; --j) {
            move_down(x);
            exchange(x, t.tell(pivot, j) - j);
        }
    }

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const word n = t.args.n, k = INVERTS ? n : t.args.k;
        const bool turned = t.args.transposed != 0, has_pivot = t.has && t.column < n;
        T a[SIDE], x[SIDE];
        t.load(a, t.of(0, n * n), n, n, turned ? n : 1, turned ? 1 : n, T(1));
        const int pivot = has_pivot ? int(((const int64 *)t.args.at[1])[t.matrix * n + t.column]) - 1 : t.column;
        T *sides = t.of(2, n * k);
        for (word from = 0; from < k; from += SIDE, sides += SIDE * n) {
            t.load(x, sides, INVERTS ? 0 : n, k - from, 1, n, T(INVERTS));
            solve(t, a, x, pivot);
            t.store(sides, x, n, k - from);
        }
    }
};

// A Cholesky factor in the lower triangle; the factor in an upper one is the transpose of that of the transpose.
template <class P>
struct Cholesky {
    typedef typename P::T T;
    enum { SIDE = P::SIDE };

    // The last registers have rows that are done, and none of theirs changes.
    static CUNA_INLINE void eliminate(const MatrixTeam<P> &t, T (&a)[SIDE], int j, T root)
    {
        const T own = t.pick(a, j) / root;
        a[0] = t.column == j ? root : a[0];
        CUNA_UNROLL
        for (int i = 1; i < SIDE; ++i) {
            const T factor = t.tell(own, (i + j) % SIDE);
            const T rest = t.column > j ? a[i] - factor * own : t.column == j ? factor : a[i];
            a[i] = i < SIDE - j ? rest : a[i];
        }
    }

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const word n = t.args.n, down = t.args.lower ? 1 : n, along = t.args.lower ? n : 1;
        T a[SIDE], *at = t.of(0, n * n);
        int info = 0;
        t.load(a, at, n, n, down, along, T(1));
        CUNA_UNROLL_4
        for (int j = 0; j < SIDE; ++j) {
            const T head = t.tell(a[0], j), root = sqrt(head);
            info = info == 0 && head <= T(0) ? j + 1 : info;  // false for NaN, which propagates
            eliminate(t, a, j, root);
            move_up(a);
        }
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            if (t.has && i < n && i >= t.column)
                at[i * down + t.column * along] = a[i];
        t.note(info);
    }
};

// Solutions by a triangle.
template <class P>
struct Triangle {
    typedef typename P::T T;
    enum { SIDE = P::SIDE };

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const word n = t.args.n, k = t.args.k;
        const bool turned = t.args.transposed != 0, is_lower = (t.args.lower != 0) != turned, unit = t.args.unit != 0;
        T a[SIDE], x[SIDE];
        t.load(a, t.of(0, n * n), n, n, turned ? n : 1, turned ? 1 : n, T(1));
        T *sides = t.of(1, n * k);
        for (word from = 0; from < k; from += SIDE, sides += SIDE * n) {
            t.load(x, sides, n, k - from, 1, n, T(0));
            if (is_lower)
                solve_lower(t, a, x, unit);
            else
                solve_upper(t, a, x, unit);
            t.store(sides, x, n, k - from);
        }
    }
};

template <class P>
CUNA_INLINE void factor(const Factor &args, unsigned block)
{
    P::Operation::run(MatrixTeam<P>(args, block));
}

}  // namespace cuna
