/* raw_thrust_value.cuh: Thrust's pairs, tuples, function objects and iterators, for devices without a toolkit.
 *
 * Follows the device's vocabulary of CUDA C++. */
#ifndef CUNA_RAW_THRUST_VALUE
#define CUNA_RAW_THRUST_VALUE
#define CUNA_THRUST __device__ inline

namespace thrust {

typedef ::ptrdiff_t cuna_distance;

/* ---- pairs and tuples ---- */

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() = default;
    CUNA_THRUST pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D> CUNA_THRUST pair(const pair<C, D> &p) : first(p.first), second(p.second) {}
};
template <class A, class B> CUNA_THRUST pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <class A, class B> CUNA_THRUST bool operator==(const pair<A, B> &p, const pair<A, B> &q)
{
    return p.first == q.first && p.second == q.second;
}
template <class A, class B> CUNA_THRUST bool operator<(const pair<A, B> &p, const pair<A, B> &q)
{
    return p.first < q.first || (!(q.first < p.first) && p.second < q.second);
}
template <class A, class B> CUNA_THRUST bool operator!=(const pair<A, B> &p, const pair<A, B> &q) { return !(p == q); }
template <class A, class B> CUNA_THRUST bool operator>(const pair<A, B> &p, const pair<A, B> &q) { return q < p; }

template <class... T> class tuple;
template <> class tuple<> {
public:
    CUNA_THRUST bool cuna_equals(const tuple &) const { return true; }
    CUNA_THRUST bool cuna_precedes(const tuple &) const { return false; }
};
template <class T, class... More> class tuple<T, More...> {
public:
    T cuna_head;
    tuple<More...> cuna_tail;

    tuple() = default;
    template <class U, class... Others>
    CUNA_THRUST tuple(const U &head, const Others &...tail) : cuna_head(head), cuna_tail(tail...)
    {
    }
    CUNA_THRUST tuple(T head, More... tail) : cuna_head(head), cuna_tail(tail...) {}
    tuple(const tuple &) = default;
    tuple(tuple &) = default;
    template <class U, class... Others>
    CUNA_THRUST tuple(const tuple<U, Others...> &other) : cuna_head(other.cuna_head), cuna_tail(other.cuna_tail)
    {
    }
    CUNA_THRUST tuple &operator=(const tuple &other)
    {
        cuna_head = other.cuna_head; /* references are assigned through */
        cuna_tail = other.cuna_tail;
        return *this;
    }
    template <class U, class... Others> CUNA_THRUST tuple &operator=(const tuple<U, Others...> &other)
    {
        cuna_head = other.cuna_head;
        cuna_tail = other.cuna_tail;
        return *this;
    }
    template <class U, class V> CUNA_THRUST tuple &operator=(const pair<U, V> &other)
    {
        return *this = tuple<U, V>(other.first, other.second);
    }
    CUNA_THRUST bool cuna_equals(const tuple &other) const
    {
        return cuna_head == other.cuna_head && cuna_tail.cuna_equals(other.cuna_tail);
    }
    CUNA_THRUST bool cuna_precedes(const tuple &other) const
    {
        return cuna_head < other.cuna_head ||
               (!(other.cuna_head < cuna_head) && cuna_tail.cuna_precedes(other.cuna_tail));
    }
};

template <size_t I, class T> struct tuple_element;
template <class T, class... More> struct tuple_element<0, tuple<T, More...>> { typedef T type; };
template <size_t I, class T, class... More> struct tuple_element<I, tuple<T, More...>> {
    typedef typename tuple_element<I - 1, tuple<More...>>::type type;
};
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> { static constexpr size_t value = sizeof...(T); };
template <class A, class B> struct tuple_size<pair<A, B>> { static constexpr size_t value = 2; };

namespace cuna_thrust {
template <size_t I> struct Part {
    template <class T> static CUNA_THRUST auto &of(T &t) { return Part<I - 1>::of(t.cuna_tail); }
};
template <> struct Part<0> {
    template <class T> static CUNA_THRUST auto &of(T &t) { return t.cuna_head; }
};
} // namespace cuna_thrust
template <size_t I, class... T> CUNA_THRUST auto &get(tuple<T...> &t) { return cuna_thrust::Part<I>::of(t); }
template <size_t I, class... T> CUNA_THRUST auto &get(const tuple<T...> &t) { return cuna_thrust::Part<I>::of(t); }
template <size_t I, class A, class B> CUNA_THRUST auto &get(pair<A, B> &p)
{
    if constexpr (I == 0)
        return p.first;
    else
        return p.second;
}
template <size_t I, class A, class B> CUNA_THRUST auto &get(const pair<A, B> &p)
{
    if constexpr (I == 0)
        return p.first;
    else
        return p.second;
}
template <class... T> CUNA_THRUST tuple<T...> make_tuple(T... t) { return tuple<T...>(t...); }
template <class... T> CUNA_THRUST tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }
template <class... T> CUNA_THRUST bool operator==(const tuple<T...> &t, const tuple<T...> &u) { return t.cuna_equals(u); }
template <class... T> CUNA_THRUST bool operator!=(const tuple<T...> &t, const tuple<T...> &u) { return !(t == u); }
template <class... T> CUNA_THRUST bool operator<(const tuple<T...> &t, const tuple<T...> &u) { return t.cuna_precedes(u); }
template <class... T> CUNA_THRUST bool operator>(const tuple<T...> &t, const tuple<T...> &u) { return u < t; }

/* ---- function objects ---- */

#define CUNA_FUNCTION(name, result, expression)                                                                        \
    template <class T = void> struct name {                                                                            \
        CUNA_THRUST result operator()(const T &a, const T &b) const { return expression; }                             \
    };                                                                                                                 \
    template <> struct name<void> {                                                                                    \
        template <class T, class U> CUNA_THRUST auto operator()(const T &a, const U &b) const { return expression; }   \
    };
CUNA_FUNCTION(plus, T, a + b)
CUNA_FUNCTION(minus, T, a - b)
CUNA_FUNCTION(multiplies, T, a *b)
CUNA_FUNCTION(divides, T, a / b)
CUNA_FUNCTION(modulus, T, a % b)
CUNA_FUNCTION(bit_and, T, a &b)
CUNA_FUNCTION(bit_or, T, a | b)
CUNA_FUNCTION(bit_xor, T, a ^ b)
CUNA_FUNCTION(maximum, T, a < b ? b : a)
CUNA_FUNCTION(minimum, T, b < a ? b : a)
CUNA_FUNCTION(equal_to, bool, a == b)
CUNA_FUNCTION(not_equal_to, bool, a != b)
CUNA_FUNCTION(greater, bool, a > b)
CUNA_FUNCTION(less, bool, a < b)
CUNA_FUNCTION(greater_equal, bool, a >= b)
CUNA_FUNCTION(less_equal, bool, a <= b)
CUNA_FUNCTION(logical_and, bool, a &&b)
CUNA_FUNCTION(logical_or, bool, a || b)
#undef CUNA_FUNCTION
#define CUNA_FUNCTION(name, result, expression)                                                                        \
    template <class T = void> struct name {                                                                            \
        CUNA_THRUST result operator()(const T &a) const { return expression; }                                         \
    };                                                                                                                 \
    template <> struct name<void> {                                                                                    \
        template <class T> CUNA_THRUST auto operator()(const T &a) const { return expression; }                        \
    };
CUNA_FUNCTION(negate, T, -a)
CUNA_FUNCTION(square, T, a *a)
CUNA_FUNCTION(identity, T, a)
CUNA_FUNCTION(logical_not, bool, !a)
#undef CUNA_FUNCTION

/* ---- iterators ---- */

namespace cuna_thrust {

template <class T> struct plain { typedef T type; };
template <class T> struct plain<T &> { typedef T type; };
template <class T> struct plain<const T> { typedef T type; };
template <class T> struct plain<const T &> { typedef T type; };
template <class T> T any();

/* What iterators over computed values have in common. Self adds a distance, and knows the value at its place. */
template <class Self> struct Computed {
    CUNA_THRUST Self &self() { return *static_cast<Self *>(this); }
    CUNA_THRUST const Self &self() const { return *static_cast<const Self *>(this); }
    CUNA_THRUST Self &operator+=(cuna_distance n)
    {
        self().at += n;
        return self();
    }
    CUNA_THRUST Self &operator-=(cuna_distance n) { return self() += -n; }
    CUNA_THRUST Self &operator++() { return self() += 1; }
    CUNA_THRUST Self &operator--() { return self() += -1; }
    CUNA_THRUST Self operator++(int)
    {
        Self before = self();
        self() += 1;
        return before;
    }
    CUNA_THRUST Self operator+(cuna_distance n) const
    {
        Self moved = self();
        return moved += n;
    }
    CUNA_THRUST Self operator-(cuna_distance n) const { return self() + -n; }
    CUNA_THRUST decltype(auto) operator[](cuna_distance n) const { return *(self() + n); }
    CUNA_THRUST cuna_distance operator-(const Self &other) const { return self().at - other.at; }
    CUNA_THRUST bool operator==(const Self &other) const { return self().at == other.at; }
    CUNA_THRUST bool operator!=(const Self &other) const { return !(self() == other); }
    CUNA_THRUST bool operator<(const Self &other) const { return self().at < other.at; }
};

} // namespace cuna_thrust

template <class T> struct counting_iterator : cuna_thrust::Computed<counting_iterator<T>> {
    typedef T value_type;
    T at;
    CUNA_THRUST explicit counting_iterator(T first = T()) : at(first) {}
    CUNA_THRUST T operator*() const { return at; }
};
template <class T> CUNA_THRUST counting_iterator<T> make_counting_iterator(T first)
{
    return counting_iterator<T>(first);
}

template <class T> struct constant_iterator : cuna_thrust::Computed<constant_iterator<T>> {
    typedef T value_type;
    T value;
    cuna_distance at;
    CUNA_THRUST explicit constant_iterator(T value, cuna_distance at = 0) : value(value), at(at) {}
    CUNA_THRUST T operator*() const { return value; }
};
template <class T> CUNA_THRUST constant_iterator<T> make_constant_iterator(T value)
{
    return constant_iterator<T>(value);
}

template <class F, class I> struct transform_iterator : cuna_thrust::Computed<transform_iterator<F, I>> {
    typedef typename cuna_thrust::plain<decltype(cuna_thrust::any<F>()(*cuna_thrust::any<I>()))>::type value_type;
    I at;
    F f;
    CUNA_THRUST transform_iterator(I first, F f) : at(first), f(f) {}
    CUNA_THRUST value_type operator*() const { return f(*at); }
};
template <class F, class I> CUNA_THRUST transform_iterator<F, I> make_transform_iterator(I first, F f)
{
    return transform_iterator<F, I>(first, f);
}

template <class I> struct reverse_iterator : cuna_thrust::Computed<reverse_iterator<I>> {
    I at;
    CUNA_THRUST explicit reverse_iterator(I end) : at(end) {}
    CUNA_THRUST reverse_iterator &operator+=(cuna_distance n)
    {
        at += -n;
        return *this;
    }
    CUNA_THRUST decltype(auto) operator*() const { return *(at - 1); }
    CUNA_THRUST cuna_distance operator-(const reverse_iterator &other) const { return other.at - at; }
    using cuna_thrust::Computed<reverse_iterator<I>>::operator-;
};
template <class I> CUNA_THRUST reverse_iterator<I> make_reverse_iterator(I end) { return reverse_iterator<I>(end); }

template <class E, class M> struct permutation_iterator : cuna_thrust::Computed<permutation_iterator<E, M>> {
    E elements;
    M at;
    CUNA_THRUST permutation_iterator(E elements, M map) : elements(elements), at(map) {}
    CUNA_THRUST decltype(auto) operator*() const { return elements[*at]; }
};
template <class E, class M> CUNA_THRUST permutation_iterator<E, M> make_permutation_iterator(E elements, M map)
{
    return permutation_iterator<E, M>(elements, map);
}

/* Places in several ranges: a tuple of references. */
template <class T> struct zip_iterator;
template <class I, class... More> struct zip_iterator<tuple<I, More...>>
    : cuna_thrust::Computed<zip_iterator<tuple<I, More...>>> {
    typedef tuple<I, More...> iterator_tuple;
    typedef tuple<typename cuna_thrust::plain<decltype(*cuna_thrust::any<I>())>::type,
                  typename cuna_thrust::plain<decltype(*cuna_thrust::any<More>())>::type...>
        value_type;
    typedef tuple<decltype(*cuna_thrust::any<I>()), decltype(*cuna_thrust::any<More>())...> reference;
    I at;
    tuple<More...> others;
    cuna_distance moved;
    CUNA_THRUST zip_iterator(const iterator_tuple &t) : at(t.cuna_head), others(t.cuna_tail), moved(0) {}
    CUNA_THRUST zip_iterator &operator+=(cuna_distance n)
    {
        at += n;
        moved += n;
        return *this;
    }
    template <class... T> CUNA_THRUST reference dereference(const tuple<> &, T &...places) const
    {
        return reference(at[0], places[moved]...);
    }
    template <class T, class... U, class... V>
    CUNA_THRUST reference dereference(const tuple<T, U...> &rest, V &...places) const
    {
        return dereference(rest.cuna_tail, places..., rest.cuna_head);
    }
    CUNA_THRUST reference operator*() const { return dereference(others); }
};
template <class... I> CUNA_THRUST zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...> &t)
{
    return zip_iterator<tuple<I...>>(t);
}
template <class I, class J, class... More> CUNA_THRUST zip_iterator<tuple<I, J, More...>> make_zip_iterator(I i, J j, More... more)
{
    return zip_iterator<tuple<I, J, More...>>(tuple<I, J, More...>(i, j, more...));
}

template <class I> CUNA_THRUST cuna_distance distance(I first, I last) { return last - first; }
template <class I> CUNA_THRUST void advance(I &place, cuna_distance n) { place += n; }

} // namespace thrust

#endif
