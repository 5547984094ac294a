/* special_hankel.cuh: Hankel functions J + i Y and J - i Y of real order and argument, complex (DLMF 10.4). */
namespace cuna {
namespace bessel {

template <class T> CUNA_INLINE complex<T> hankel1(T v, T x) { return complex<T>(jv(v, x), yv(v, x)); }
template <class T> CUNA_INLINE complex<T> hankel2(T v, T x) { return complex<T>(jv(v, x), -yv(v, x)); }

/* hankel1 times exp(-i x). */
template <class T> CUNA_APART inline complex<T> hankel1e(T v, T x)
{
    typedef typename work<T>::type R;
    const double j = jv(double(v), double(x)), y = yv(double(v), double(x));
    if (!(x > 0) || x >= 1e15)
        return complex<T>(T(j), T(y));
    const Angle<R> a = angle_of(R(x));
    const double c = a.cosine.high, s = a.sine.high;
    return complex<T>(T(fma(j, c, rounded(y * s))), T(fma(y, c, -rounded(j * s))));
}
template <class T> CUNA_INLINE complex<T> hankel2e(T v, T x)
{
    const complex<T> h = hankel1e(v, x);
    return complex<T>(h.re, -h.im);
}

}
}
