// ndimage_label.cuh: connected elements, by union and find, and distances to the nearest element of the background.
namespace cuna {
namespace ndimage {

// Sets are trees in an array: an element's entry is its parent, which comes before it; a root's entry is its own number.
template <class W>
CUNA_INLINE W root_of(W *parents, W i)
{
    for (W parent = parents[i]; parent != i; parent = parents[i]) {
        const W above = parents[parent];
        if (above != parent)
            parents[i] = above; /* others may do the same: every entry only moves towards its root */
        i = above;
    }
    return i;
}

// Makes the sets of two elements one, whose root is the first of all its elements.
template <class W>
CUNA_INLINE bool unite(int64 list, int64 at, int64 other)
{
    W *parents = (W *)list;
    W a = root_of(parents, W((at - list) / sizeof(W))), b = root_of(parents, W((other - list) / sizeof(W)));
    while (a != b) {
        const W first = a < b ? a : b, last = a < b ? b : a;
        const W found = compare_and_swap(parents + last, last, first);
        if (found == last)
            return true;
        a = root_of(parents, found);
        b = root_of(parents, first);
    }
    return true;
}

CUNA_INLINE bool is_set(int64 at) { return *(const uint8 *)at != 0; }

// The number of an element's set, from the numbers at its root.
template <class W, class N>
CUNA_INLINE int64 number_of(int64 list, int64 position, int64 numbers)
{
    return int64(((const N *)numbers)[root_of((W *)list, W(position))]);
}

// ---- distances along lines, after Meijster, Roerdink and Hesselink (2000) ----

enum { EUCLIDEAN, TAXICAB, CHESSBOARD };

static const double FAR_AWAY = 1e300; // of elements without a background on the way

// What an element at a distance d, whose own distance is g, makes of it. Euclidean ones are squares.
template <int METRIC>
CUNA_INLINE double reached(double d, double g, double weight)
{
    return METRIC == EUCLIDEAN ? d * d * weight + g : METRIC == TAXICAB ? fabs(d) + g : fabs(d) > g ? fabs(d) : g;
}

// The last place where element i is not farther than element u > i.
template <int METRIC>
CUNA_INLINE double separation(double i, double u, double g_i, double g_u, double weight)
{
    if (METRIC == EUCLIDEAN)
        return floor((u * u - i * i + (g_u - g_i) / weight) / (2 * (u - i)));
    if (METRIC == TAXICAB)
        return g_u >= g_i + u - i ? FAR_AWAY : g_i > g_u + u - i ? -FAR_AWAY : floor((g_u - g_i + u + i) / 2);
    const double middle = floor((i + u) / 2);
    return g_i <= g_u ? (i + g_u > middle ? i + g_u : middle) : u - g_i < middle ? u - g_i : middle;
}

// Distances of the elements of a line to the background from those along other axes, and the places in the line of the
// elements that they come from; nearest and begins are room for the same number of entries.
template <int METRIC>
CUNA_INLINE bool distances_of(int64 from, int64 to, int64 origins, int64 work, int64 stride, int64 n, double weight)
{
    const double *g = (const double *)from;
    double *out = (double *)to;
    int32 *origin = (int32 *)origins;
    int32(*part)[2] = (int32(*)[2])work; /* element, and the first place that is nearest to it */
    int64 q = 0;
    part[0][0] = part[0][1] = 0;
    for (int64 u = 1; u < n; ++u) {
        const double g_u = g[u * stride];
        while (q >= 0) {
            const double i = part[q * stride][0], t = part[q * stride][1];
            if (!(reached<METRIC>(t - i, g[int64(i) * stride], weight) > reached<METRIC>(t - double(u), g_u, weight)))
                break;
            --q;
        }
        if (q < 0) {
            q = 0;
            part[0][0] = int32(u);
            part[0][1] = 0;
            continue;
        }
        const int64 i = part[q * stride][0];
        const double next = 1 + separation<METRIC>(double(i), double(u), g[i * stride], g_u, weight);
        if (next < double(n)) {
            ++q;
            part[q * stride][0] = int32(u);
            part[q * stride][1] = int32(next);
        }
    }
    for (int64 u = n - 1; u >= 0; --u) {
        const int64 i = part[q * stride][0];
        out[u * stride] = reached<METRIC>(double(u - i), g[i * stride], weight);
        origin[u * stride] = int32(i);
        if (u == part[q * stride][1])
            --q;
    }
    return true;
}

}  // namespace ndimage
}  // namespace cuna
