/* raw_thrust.cuh: Thrust's algorithms in kernels, for all devices: the thread that calls one does all of it.
 *
 * An algorithm takes an execution policy first, as Thrust's do in kernels. Those of the toolkit cannot be compiled at
 * run time, so that these replace them; they work on the toolkit's pairs and iterators, or on those of
 * raw_thrust_value.cuh, which precede this. */
#ifndef CUNA_RAW_THRUST
#define CUNA_RAW_THRUST
#define CUNA_THRUST __device__ inline
#define CUNA_ALGORITHM(...) template <__VA_ARGS__> CUNA_THRUST

namespace thrust {

typedef ::ptrdiff_t cuna_distance; /* other headers have names for it here */

namespace cuna_thrust {

struct Policy {
    CUNA_THRUST Policy operator()() const { return *this; }
};
template <class I> struct at { typedef decltype(*(*(I *)nullptr)) place; };
template <class T> struct bare { typedef T type; };
template <class T> struct bare<T &> { typedef T type; };
template <class T> struct bare<const T> { typedef T type; };
template <class T> struct bare<const T &> { typedef T type; };
template <class...> struct nothing { typedef void type; };
template <class I, class = void> struct value { typedef typename bare<typename at<I>::place>::type type; };
template <class I> struct value<I, typename nothing<typename I::value_type>::type> {
    typedef typename I::value_type type;
};
template <class I> using value_of = typename value<I>::type;

struct Less {
    template <class T, class U> CUNA_THRUST bool operator()(const T &a, const U &b) const { return a < b; }
};
struct Equal {
    template <class T, class U> CUNA_THRUST bool operator()(const T &a, const U &b) const { return a == b; }
};
struct Plus {
    template <class T, class U> CUNA_THRUST auto operator()(const T &a, const U &b) const { return a + b; }
};
struct Minus {
    template <class T, class U> CUNA_THRUST auto operator()(const T &a, const U &b) const { return a - b; }
};
struct Same {
    template <class T> CUNA_THRUST const T &operator()(const T &a) const { return a; }
};
template <class T> struct Is {
    T value;
    template <class U> CUNA_THRUST bool operator()(const U &a) const { return a == value; }
};
template <class F> struct Not {
    F f;
    template <class... A> CUNA_THRUST bool operator()(const A &...a) const { return !f(a...); }
};

} // namespace cuna_thrust

typedef cuna_thrust::Policy cuna_policy;
static const __device__ cuna_policy seq{}, device{};

/* ---- each element ---- */

CUNA_ALGORITHM(class I, class F) I for_each(const cuna_policy &, I first, I last, F f)
{
    for (; first != last; ++first)
        f(*first);
    return last;
}
CUNA_ALGORITHM(class I, class N, class F) I for_each_n(const cuna_policy &p, I first, N n, F f)
{
    return for_each(p, first, first + n, f);
}
CUNA_ALGORITHM(class I, class O, class F) O transform(const cuna_policy &, I first, I last, O to, F f)
{
    for (; first != last; ++first, ++to)
        *to = f(*first);
    return to;
}
CUNA_ALGORITHM(class I, class J, class O, class F) O transform(const cuna_policy &, I first, I last, J y, O to, F f)
{
    for (; first != last; ++first, ++y, ++to)
        *to = f(*first, *y);
    return to;
}
CUNA_ALGORITHM(class I, class O, class F, class P) O transform_if(const cuna_policy &, I first, I last, O to, F f, P p)
{
    for (; first != last; ++first, ++to)
        if (p(*first))
            *to = f(*first);
    return to;
}
CUNA_ALGORITHM(class I, class T) void fill(const cuna_policy &, I first, I last, const T &value)
{
    for (; first != last; ++first)
        *first = value;
}
CUNA_ALGORITHM(class I, class N, class T) I fill_n(const cuna_policy &p, I first, N n, const T &value)
{
    fill(p, first, first + n, value);
    return first + n;
}
CUNA_ALGORITHM(class I, class F) void generate(const cuna_policy &, I first, I last, F f)
{
    for (; first != last; ++first)
        *first = f();
}
CUNA_ALGORITHM(class I, class F) void tabulate(const cuna_policy &, I first, I last, F f)
{
    for (cuna_distance i = 0; first != last; ++first, ++i)
        *first = f(i);
}
CUNA_ALGORITHM(class I, class T) void sequence(const cuna_policy &, I first, I last, T start, T step)
{
    for (cuna_distance i = 0; first != last; ++first, ++i)
        *first = start + T(i) * step;
}
CUNA_ALGORITHM(class I, class T) void sequence(const cuna_policy &p, I first, I last, T start)
{
    sequence(p, first, last, start, T(1));
}
CUNA_ALGORITHM(class I) void sequence(const cuna_policy &p, I first, I last)
{
    sequence(p, first, last, cuna_thrust::value_of<I>(0));
}
CUNA_ALGORITHM(class I, class O) O copy(const cuna_policy &p, I first, I last, O to)
{
    return transform(p, first, last, to, cuna_thrust::Same());
}
CUNA_ALGORITHM(class I, class N, class O) O copy_n(const cuna_policy &p, I first, N n, O to)
{
    return copy(p, first, first + n, to);
}
CUNA_ALGORITHM(class I, class J) J swap_ranges(const cuna_policy &, I first, I last, J y)
{
    for (; first != last; ++first, ++y) {
        cuna_thrust::value_of<I> value = *first;
        *first = *y;
        *y = value;
    }
    return y;
}
CUNA_ALGORITHM(class I, class F, class T) void replace_if(const cuna_policy &, I first, I last, F f, const T &value)
{
    for (; first != last; ++first)
        if (f(*first))
            *first = value;
}
CUNA_ALGORITHM(class I, class T) void replace(const cuna_policy &p, I first, I last, const T &old, const T &value)
{
    replace_if(p, first, last, cuna_thrust::Is<T>{old}, value);
}
CUNA_ALGORITHM(class I, class O, class T)
O replace_copy(const cuna_policy &p, I first, I last, O to, const T &old, const T &value)
{
    O end = copy(p, first, last, to);
    replace(p, to, end, old, value);
    return end;
}
CUNA_ALGORITHM(class M, class I, class O) O gather(const cuna_policy &, M map, M last, I x, O to)
{
    for (; map != last; ++map, ++to)
        *to = x[*map];
    return to;
}
CUNA_ALGORITHM(class I, class M, class O) void scatter(const cuna_policy &, I first, I last, M map, O to)
{
    for (; first != last; ++first, ++map)
        to[*map] = *first;
}
CUNA_ALGORITHM(class I) void reverse(const cuna_policy &, I first, I last)
{
    for (cuna_distance i = 0, j = last - first - 1; i < j; ++i, --j) {
        cuna_thrust::value_of<I> value = first[i];
        first[i] = first[j];
        first[j] = value;
    }
}
CUNA_ALGORITHM(class I, class O) O reverse_copy(const cuna_policy &p, I first, I last, O to)
{
    O end = copy(p, first, last, to);
    reverse(p, to, end);
    return end;
}

/* ---- one value of all ---- */

CUNA_ALGORITHM(class I, class U, class T, class F)
T transform_reduce(const cuna_policy &, I first, I last, U map, T sum, F f)
{
    for (; first != last; ++first)
        sum = f(sum, map(*first));
    return sum;
}
CUNA_ALGORITHM(class I, class T, class F) T reduce(const cuna_policy &p, I first, I last, T sum, F f)
{
    return transform_reduce(p, first, last, cuna_thrust::Same(), sum, f);
}
CUNA_ALGORITHM(class I, class T) T reduce(const cuna_policy &p, I first, I last, T sum)
{
    return reduce(p, first, last, sum, cuna_thrust::Plus());
}
CUNA_ALGORITHM(class I) auto reduce(const cuna_policy &p, I first, I last)
{
    return reduce(p, first, last, cuna_thrust::value_of<I>(0));
}
CUNA_ALGORITHM(class I, class J, class T, class F, class G)
T inner_product(const cuna_policy &, I first, I last, J y, T sum, F f, G g)
{
    for (; first != last; ++first, ++y)
        sum = f(sum, g(*first, *y));
    return sum;
}
CUNA_ALGORITHM(class I, class J, class T) T inner_product(const cuna_policy &, I first, I last, J y, T sum)
{
    for (; first != last; ++first, ++y)
        sum = sum + *first * *y;
    return sum;
}
CUNA_ALGORITHM(class I, class F) cuna_distance count_if(const cuna_policy &, I first, I last, F f)
{
    cuna_distance n = 0;
    for (; first != last; ++first)
        n += bool(f(*first));
    return n;
}
CUNA_ALGORITHM(class I, class T) cuna_distance count(const cuna_policy &p, I first, I last, const T &value)
{
    return count_if(p, first, last, cuna_thrust::Is<T>{value});
}
CUNA_ALGORITHM(class I, class F) I find_if(const cuna_policy &, I first, I last, F f)
{
    while (first != last && !f(*first))
        ++first;
    return first;
}
CUNA_ALGORITHM(class I, class F) I find_if_not(const cuna_policy &p, I first, I last, F f)
{
    return find_if(p, first, last, cuna_thrust::Not<F>{f});
}
CUNA_ALGORITHM(class I, class T) I find(const cuna_policy &p, I first, I last, const T &value)
{
    return find_if(p, first, last, cuna_thrust::Is<T>{value});
}
CUNA_ALGORITHM(class I, class F) bool any_of(const cuna_policy &p, I first, I last, F f)
{
    return find_if(p, first, last, f) != last;
}
CUNA_ALGORITHM(class I, class F) bool none_of(const cuna_policy &p, I first, I last, F f)
{
    return !any_of(p, first, last, f);
}
CUNA_ALGORITHM(class I, class F) bool all_of(const cuna_policy &p, I first, I last, F f)
{
    return find_if_not(p, first, last, f) == last;
}
CUNA_ALGORITHM(class I, class F) I min_element(const cuna_policy &, I first, I last, F f)
{
    I least = first;
    for (; first != last; ++first)
        if (f(*first, *least))
            least = first;
    return least;
}
CUNA_ALGORITHM(class I, class F) I max_element(const cuna_policy &, I first, I last, F f)
{
    I most = first;
    for (; first != last; ++first)
        if (f(*most, *first))
            most = first;
    return most;
}
CUNA_ALGORITHM(class I, class F) pair<I, I> minmax_element(const cuna_policy &p, I first, I last, F f)
{
    return pair<I, I>(min_element(p, first, last, f), max_element(p, first, last, f));
}
CUNA_ALGORITHM(class I, class J, class F) pair<I, J> mismatch(const cuna_policy &, I first, I last, J y, F f)
{
    for (; first != last && f(*first, *y); ++first)
        ++y;
    return pair<I, J>(first, y);
}
CUNA_ALGORITHM(class I, class J, class F) bool equal(const cuna_policy &p, I first, I last, J y, F f)
{
    return mismatch(p, first, last, y, f).first == last;
}

/* ---- the forms without an order or an equality ---- */

#define CUNA_OF_ONE(name, F, result)                                                                                   \
    CUNA_ALGORITHM(class I) result name(const cuna_policy &p, I first, I last)                                         \
    {                                                                                                                  \
        return name(p, first, last, cuna_thrust::F());                                                                 \
    }
#define CUNA_OF_TWO(name, F, Second, result)                                                                           \
    CUNA_ALGORITHM(class I, class J) result name(const cuna_policy &p, I first, I last, Second second)                 \
    {                                                                                                                  \
        return name(p, first, last, second, cuna_thrust::F());                                                         \
    }
CUNA_OF_ONE(min_element, Less, I)
CUNA_OF_ONE(max_element, Less, I)
CUNA_OF_ONE(minmax_element, Less, auto)
CUNA_OF_TWO(mismatch, Equal, J, auto)
CUNA_OF_TWO(equal, Equal, J, bool)

CUNA_ALGORITHM(class T) void swap(T &a, T &b)
{
    T value = a;
    a = b;
    b = value;
}
CUNA_ALGORITHM(class T) T min(const T &a, const T &b) { return b < a ? b : a; }
CUNA_ALGORITHM(class T) T max(const T &a, const T &b) { return a < b ? b : a; }

} // namespace thrust

#endif
