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

// An element of a line, its own distance, and the first place that is nearest to it.
struct Part {
    int32 element, begin;
    double distance;
};

// The parts of a line: a stack of which all but the last are in memory, distances in the array of the results.
struct Parts {
    double *distances;
    int32 (*places)[2];
    int64 stride, last;
    CUNA_INLINE void push(Part part)
    {
        ++last;
        places[last * stride][0] = part.element;
        places[last * stride][1] = part.begin;
        distances[last * stride] = part.distance;
    }
    CUNA_INLINE Part pop()
    {
        const Part part = {places[last * stride][0], places[last * stride][1], distances[last * stride]};
        --last;
        return part;
    }
};

// Takes element u, whose own distance is g, into the parts of a line; returns the part at their end.
template <int METRIC>
CUNA_INLINE Part include(Parts &parts, Part end, int64 u, double g, int64 n, double weight)
{
    while (reached<METRIC>(double(end.begin - end.element), end.distance, weight) >
           reached<METRIC>(double(end.begin) - double(u), g, weight)) {
        if (parts.last < 0) {
            const Part all = {int32(u), 0, g};
            return all;
        }
        end = parts.pop();
    }
    const double next = 1 + separation<METRIC>(double(end.element), double(u), end.distance, g, weight);
    if (!(next < double(n)))
        return end;
    parts.push(end);
    const Part part = {int32(u), int32(next), g};
    return part;
}

// Distances of the elements of a line to the background from those along other axes, and the places in the line of the
// elements that they come from; `work` is room for the same number of entries. Part q begins at element q or later: its
// distance in the array of the results is read before that element's result is written there.
template <int METRIC>
CUNA_INLINE bool distances_of(int64 from, int64 to, int64 origins, int64 work, int64 stride, int64 n, double weight)
{
    enum { BATCH = 8 };
    const double *g = (const double *)from;
    double *out = (double *)to;
    int32 *origin = (int32 *)origins;
    Parts parts = {out, (int32(*)[2])work, stride, -1};
    Part end = {0, 0, g[0]};
    for (int64 first = 1; first < n; first += BATCH) {
        double batch[BATCH]; /* read before parts are written: a compiler must take each for what is read next */
        CUNA_UNROLL
        for (int64 k = 0; k < BATCH; ++k)
            if (first + k < n)
                batch[k] = g[(first + k) * stride];
        CUNA_UNROLL
        for (int64 k = 0; k < BATCH; ++k)
            if (first + k < n)
                end = include<METRIC>(parts, end, first + k, batch[k], n, weight);
    }
    for (int64 u = n - 1; u >= 0; --u) {
        const Part part = end;
        if (u == part.begin && u > 0)
            end = parts.pop();
        out[u * stride] = reached<METRIC>(double(u - part.element), part.distance, weight);
        origin[u * stride] = part.element;
    }
    return true;
}

// ---- the same where many lanes share a line ----
//
// The element that a place is nearest to moves along the line as the place does. So those of every 256th place are found
// among all elements, those of every 16th between the ones of its neighbours among these, then those of all places.

// The first element, of `low` to `high`, that place i is nearest to.
template <int METRIC>
CUNA_INLINE int64 first_nearest(const double *g, int64 stride, int64 low, int64 high, int64 i, double weight)
{
    int64 found = low;
    double least = reached<METRIC>(double(i - low), g[low * stride], weight);
    CUNA_UNROLL_4
    for (int64 u = low + 1; u <= high; ++u) {
        const double one = reached<METRIC>(double(i - u), g[u * stride], weight);
        found = one < least ? u : found;
        least = one < least ? one : least;
    }
    return found;
}

// For the first `count` places, `step` apart, a line is searched in parts of `size` elements: number j is part j / count
// for place j % count, so that lanes side by side read the same elements.
template <int METRIC>
CUNA_INLINE int64 nearest_in_part(int64 from, int64 j, int64 stride, int64 n, int64 step, int64 count, int64 size,
                                  double weight)
{
    const int64 low = j / count * size, high = low + size < n ? low + size - 1 : n - 1;
    return first_nearest<METRIC>((const double *)from, stride, low, high, j % count * step, weight);
}

// The nearest to place j of those that were found in parts.
template <int METRIC>
CUNA_INLINE int64 nearest_of_parts(int64 from, int64 found, int64 j, int64 stride, int64 found_stride, int64 step,
                                   int64 count, int64 parts, double weight)
{
    const int32 *each = (const int32 *)found + j * found_stride;
    const int64 i = j * step;
    int64 best = each[0];
    double least = reached<METRIC>(double(i - best), ((const double *)from)[best * stride], weight);
    for (int64 k = 1; k < parts; ++k) {
        const int64 u = each[k * count * found_stride];
        const double one = reached<METRIC>(double(i - u), ((const double *)from)[u * stride], weight);
        best = one < least ? u : best;
        least = one < least ? one : least;
    }
    return best;
}

// The element that place i of a line of n is nearest to, from those of `count` places, each `step` from the one before.
template <int METRIC>
CUNA_INLINE int64 nearest_of(int64 from, int64 coarse, int64 i, int64 stride, int64 n, int64 coarse_stride, int64 step,
                             int64 count, double weight)
{
    const int32 *known = (const int32 *)coarse;
    const int64 before = i / step, low = known[before * coarse_stride];
    if (before * step == i)
        return low;
    const int64 high = before + 1 < count ? int64(known[(before + 1) * coarse_stride]) : n - 1;
    return first_nearest<METRIC>((const double *)from, stride, low, high, i, weight);
}

// The distance of a place; writes where the element is.
template <int METRIC>
CUNA_INLINE double distance_at(int64 from, int64 coarse, int64 origin, int64 i, int64 stride, int64 n,
                               int64 coarse_stride, int64 step, int64 count, double weight)
{
    const int64 u = nearest_of<METRIC>(from, coarse, i, stride, n, coarse_stride, step, count, weight);
    *(int32 *)origin = int32(u);
    return reached<METRIC>(double(i - u), ((const double *)from)[u * stride], weight);
}

}  // namespace ndimage
}  // namespace cuna
