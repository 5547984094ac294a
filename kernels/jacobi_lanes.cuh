// jacobi_lanes.cuh: eigenvalues of symmetric matrices and singular values by Jacobi's method, by teams of lanes that
// have a column each (factor_lanes.cuh).
//
// A sweep has SIDE - 1 rounds. In round r the lanes of columns p and p ^ r rotate these; so all pairs meet once, SIDE /
// 2 of them at a time. Lanes of a warp go on until no team among them has rotated. NaN never ends: it is noted as not
// converged.
namespace cuna {

enum { JACOBI_SWEEPS = 30 };

// Half of the distance from 1 to the next number. Matrices are scaled so that the greatest element is about 2^SCALE:
// squares of what rounding makes of zeros are far from the least numbers then.
template <class T> struct JacobiLimits;
template <> struct JacobiLimits<float> {
    enum { SCALE = 30 };
    static CUNA_INLINE float epsilon() { return 5.9604645e-8f; }
};
template <> struct JacobiLimits<double> {
    enum { SCALE = 0 };
    static CUNA_INLINE double epsilon() { return 1.1102230246251565e-16; }
};

// Sine and cosine of the angle that makes the product of columns p and q zero, whose squares differ by `apart`, and the
// tangent; no rotation if the product is small.
template <class T>
struct Rotation {
    T c, s, tangent;
    CUNA_INLINE Rotation(T product, T apart, bool turns)
    {
        const T slope = apart / (product + product), size = fabs(slope);
        const T positive = T(1) / (size + sqrt(fma(size, size, T(1))));
        tangent = turns ? copysign(positive, slope) : T(0);
        c = turns ? T(1) / sqrt(fma(tangent, tangent, T(1))) : T(1);
        s = tangent * c;
    }
};

// What teams do in both methods.
template <class P>
struct Jacobi {
    typedef typename P::T T;
    typedef JacobiLimits<T> Limits;
    enum { SIDE = P::SIDE };

    // Rotates the lane's column with that of the lane of the other one; `s` is negative in the first of both.
    static CUNA_INLINE void turn(const MatrixTeam<P> &t, T (&a)[SIDE], int bits, T c, T s)
    {
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            a[i] = fma(c, a[i], s * t.swap(a[i], bits));
    }

    // The row of the other column in place of each; r is not known to the compiler, since code for all rounds would be
    // compiled for seconds.
    static CUNA_INLINE void exchange_rows(T (&to)[SIDE], const T (&a)[SIDE], int r)
    {
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            to[i] = a[i];
        CUNA_UNROLL
        for (int bit = 1; bit < SIDE; bit *= 2)
            CUNA_UNROLL
            for (int i = 0; i < SIDE; ++i) {
                const int j = i | bit;
                const T upper = to[i], below = to[j];
                if (i != j) {
                    to[i] = r & bit ? below : upper;
                    to[j] = r & bit ? upper : below;
                }
            }
    }

    static CUNA_INLINE T add_up(const MatrixTeam<P> &t, T value)
    {
        CUNA_UNROLL
        for (int bits = 1; bits < SIDE; bits *= 2)
            value += t.swap(value, bits);
        return value;
    }

    static CUNA_INLINE T find_most(const MatrixTeam<P> &t, T value)
    {
        CUNA_UNROLL
        for (int bits = 1; bits < SIDE; bits *= 2) {
            const T other = t.swap(value, bits);
            value = other > value ? other : value;
        }
        return value;
    }

    // Scales the matrix, and returns the exponent by which it was.
    static CUNA_INLINE int scale(const MatrixTeam<P> &t, T (&a)[SIDE])
    {
        T most = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            most = fabs(a[i]) > most ? fabs(a[i]) : most;
        most = find_most(t, most);
        const int by = most > 0 ? int(Limits::SCALE) - exponent(most) : 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            a[i] = ldexp(a[i], by);
        return by;
    }

    static CUNA_INLINE void make_identity(const MatrixTeam<P> &t, T (&v)[SIDE])
    {
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            v[i] = T(i == t.column);
    }

    // How many keys come before the lane's own.
    static CUNA_INLINE int rank(const MatrixTeam<P> &t, T key)
    {
        int before = 0;
        CUNA_UNROLL
        for (int j = 0; j < SIDE; ++j) {
            const T other = t.tell(key, j);
            before += other < key || (!(key < other) && j < t.column);
        }
        return before;
    }

    // Whether sweeps go on: `turned` is true where a lane's team turned columns. `info` is 1 where they should have.
    static CUNA_INLINE bool goes_on(const MatrixTeam<P> &t, int sweep, bool turned, int &info)
    {
        const uint32 all = ballot(turned), team = (SIDE == 32 ? ~0u : (1u << SIDE) - 1) << t.first;
        info = (all & team) != 0;
        return all != 0 && sweep < JACOBI_SWEEPS;
    }
};

// Eigenvalues, ascending, and, where k is not 0, vectors in the place of the matrix. Of it one triangle is read.
template <class P>
struct Eigen : Jacobi<P> {
    typedef Jacobi<P> J;
    typedef typename P::T T;
    enum { SIDE = P::SIDE };
    typedef T Column[SIDE];

    static CUNA_INLINE void load(const MatrixTeam<P> &t, Column &a, const T *at)
    {
        const int n = int(t.args.n);
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            const bool is_there = (i >= t.column) == (t.args.lower != 0);
            const int row = is_there ? i : t.column, column = is_there ? t.column : i;
            a[i] = t.has && i < n && t.column < n ? at[row + column * n] : T(0);
        }
    }

    // One round; `own` is the lane's element of the diagonal. Elements of the diagonal in `a` are not used.
    static CUNA_INLINE bool round(const MatrixTeam<P> &t, Column &a, Column &v, T &own, int r)
    {
        const bool is_first = t.column < (t.column ^ r);
        T off = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            off = i == (t.column ^ r) ? a[i] : off;
        const T theirs = t.swap(own, r), crossed = t.swap(off, r), product = is_first ? off : crossed;
        const bool turns = !(fabs(product) <= ldexp(J::Limits::epsilon(), J::Limits::SCALE - 4));
        const Rotation<T> by(product, is_first ? theirs - own : own - theirs, turns);
        const T s = is_first ? -by.s : by.s;
        own = turns ? fma(is_first ? -by.tangent : by.tangent, product, own) : own;
        J::turn(t, a, r, by.c, s);
        J::turn(t, v, r, by.c, s);
        Column others;
        J::exchange_rows(others, a, r);
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            a[i] = fma(t.tell(by.c, i), a[i], t.tell(s, i) * others[i]);
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            a[i] = turns && i == (t.column ^ r) ? T(0) : a[i];
        return turns;
    }

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const int n = int(t.args.n);
        Column a, v;
        load(t, a, t.of(0, n * n));
        const int by = J::scale(t, a);
        J::make_identity(t, v);
        T own = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            own = i == t.column ? a[i] : own;
        int info;
        bool turned;
        int sweep = 0;
        do {
            turned = own != own;
            CUNA_REPEAT
            for (int r = 1; r < SIDE; ++r)
                turned |= round(t, a, v, own, r);
        } while (J::goes_on(t, ++sweep, turned, info));
        const int place = J::rank(t, t.column < n ? own : limits<T>::infinity());
        if (t.has && t.column < n && place < n)
            t.of(1, n)[place] = ldexp(own, -by);
        if (t.args.k > 0) {
            CUNA_UNROLL
            for (int i = 0; i < SIDE; ++i)
                if (t.has && t.column < n && place < n && i < n)
                    t.of(0, n * n)[i + place * n] = v[i];
        }
        t.note(info);
    }
};

// Singular values, descending, and vectors, of m x n matrices with m >= n: the columns are rotated until they are
// orthogonal (Hestenes, Inversion of matrices by biorthogonalization and related results, 1958). Columns that are not
// longer than what rounding makes of zeros are left as they are; the directions of their left vectors complete those of
// the others.
template <class P>
struct Singular : Jacobi<P> {
    typedef Jacobi<P> J;
    typedef typename P::T T;
    enum { SIDE = P::SIDE };
    typedef T Column[SIDE];

    static CUNA_INLINE T square(const Column &a)
    {
        T sum = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            sum = fma(a[i], a[i], sum);
        return sum;
    }

    // The square of a length that rounding may give to a zero column.
    static CUNA_INLINE T find_noise(const MatrixTeam<P> &t, const Column &a)
    {
        const T relative = SIDE * J::Limits::epsilon();
        return J::find_most(t, square(a)) * (relative * relative);
    }

    static CUNA_INLINE bool round(const MatrixTeam<P> &t, Column &a, Column &v, T noise, int r)
    {
        const bool is_first = t.column < (t.column ^ r);
        T own = 0, product = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            product = fma(a[i], t.swap(a[i], r), product);
            own = fma(a[i], a[i], own);
        }
        const T theirs = t.swap(own, r), bound = SIDE * J::Limits::epsilon() * (sqrt(own) * sqrt(theirs));
        const bool turns = !(fabs(product) <= bound || own <= noise || theirs <= noise);
        const Rotation<T> by(product, is_first ? theirs - own : own - theirs, turns);
        const T s = is_first ? -by.s : by.s;
        J::turn(t, a, r, by.c, s);
        J::turn(t, v, r, by.c, s);
        return turns;
    }

    // A unit vector that is orthogonal to all columns of u, of which those that are not known yet are 0: what is left
    // of the axis that has least of them.
    static CUNA_INLINE void complete(const MatrixTeam<P> &t, const Column &u, Column &made)
    {
        T least = limits<T>::max();
        int axis = 0;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            const T sum = J::add_up(t, u[i] * u[i]);
            const bool is_less = i < t.args.m && sum < least;
            least = is_less ? sum : least;
            axis = is_less ? i : axis;
        }
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            made[i] = T(i == axis);
        CUNA_REPEAT
        for (int time = 0; time < 2; ++time) {
            T part = 0;
            CUNA_UNROLL
            for (int i = 0; i < SIDE; ++i)
                part = fma(u[i], made[i], part);
            CUNA_UNROLL
            for (int i = 0; i < SIDE; ++i)
                made[i] -= J::add_up(t, u[i] * part);
        }
        const T length = sqrt(square(made));
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            made[i] /= length;
    }

    // The columns' directions; `wanted` lanes whose columns are 0 get what completes those of the team.
    static CUNA_INLINE void make_left(const MatrixTeam<P> &t, Column &a, T length, bool wanted)
    {
        const bool is_known = square(a) > find_noise(t, a);
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            a[i] = is_known ? a[i] / length : T(0);
        uint32 lacking = ballot(wanted && !is_known);
        CUNA_REPEAT
        for (int j = 0; j < SIDE && lacking != 0; ++j) {
            Column made;
            complete(t, a, made);
            const bool takes = j == t.column && wanted && !is_known;
            CUNA_UNROLL
            for (int i = 0; i < SIDE; ++i)
                a[i] = takes ? made[i] : a[i];
        }
    }

    static CUNA_INLINE void store(const MatrixTeam<P> &t, const Column &u, const Column &v, int place)
    {
        const word m = t.args.m, n = t.args.n, k = t.args.k;
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            if (t.has && place < k && i < m)
                t.of(2, m * k)[i + place * m] = u[i];
            if (t.has && t.column < n && place < n && i < n)
                t.of(3, n * n)[place + i * n] = v[i];
        }
    }

    static CUNA_INLINE void run(const MatrixTeam<P> &t)
    {
        const word m = t.args.m, n = t.args.n;
        Column a, v;
        t.load(a, t.of(0, m * n), m, n, 1, m, T(0));
        const int by = J::scale(t, a);
        J::make_identity(t, v);
        int info;
        bool turned;
        int sweep = 0;
        do {
            const T noise = find_noise(t, a);
            turned = false;
            CUNA_REPEAT
            for (int r = 1; r < SIDE; ++r)
                turned |= round(t, a, v, noise, r);
        } while (J::goes_on(t, ++sweep, turned, info));
        const T length = sqrt(square(a));
        const int place = J::rank(t, t.column < n ? -length : T(1));
        if (t.has && t.column < n && place < n)
            t.of(1, n)[place] = ldexp(length, -by);
        if (t.args.k > 0) {
            make_left(t, a, length, place < t.args.k);
            store(t, a, v, place);
        }
        t.note(info | (length != length));
    }
};

}  // namespace cuna
