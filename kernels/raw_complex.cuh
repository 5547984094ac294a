/* raw_complex.cuh: complex<float> and complex<double> with the names of <cupy/complex.cuh>, for all devices.
 *
 * Follows the device's vocabulary of CUDA C++, the prelude, scalar.cuh and complex.cuh, whose functions it calls, so
 * that kernels compute the same values as cuna's operations. */
#ifndef CUNA_RAW_COMPLEX
#define CUNA_RAW_COMPLEX

namespace thrust {

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T re, im;
    complex() = default;
    CUNA_INLINE complex(T real, T imag = T(0)) : re(real), im(imag) {}
    template <class U> CUNA_INLINE complex(const complex<U> &z) : re(T(z.re)), im(T(z.im)) {}
    CUNA_INLINE complex(const cuna::complex<T> &z) : re(z.re), im(z.im) {}
    CUNA_INLINE operator cuna::complex<T>() const { return cuna::complex<T>(re, im); }
    CUNA_INLINE T real() const { return re; }
    CUNA_INLINE T imag() const { return im; }
    CUNA_INLINE void real(T x) { re = x; }
    CUNA_INLINE void imag(T x) { im = x; }
    CUNA_INLINE complex &operator+=(complex b) { return *this = *this + b; }
    CUNA_INLINE complex &operator-=(complex b) { return *this = *this - b; }
    CUNA_INLINE complex &operator*=(complex b) { return *this = *this * b; }
    CUNA_INLINE complex &operator/=(complex b) { return *this = *this / b; }
};

/* The number that a real number is: a parameter that does not decide what T is. */
template <class T> struct same { typedef T type; };
template <class T> using scalar = typename same<T>::type;
template <class T> CUNA_INLINE cuna::complex<T> plain(complex<T> z) { return cuna::complex<T>(z.re, z.im); }

#define CUNA_COMPLEX template <class T> CUNA_INLINE complex<T>
#define CUNA_COMPLEX_OPERATOR(op)                                                                                      \
    CUNA_COMPLEX operator op(complex<T> a, complex<T> b) { return plain(a) op plain(b); }                              \
    CUNA_COMPLEX operator op(complex<T> a, scalar<T> b) { return plain(a) op cuna::complex<T>(b); }                    \
    CUNA_COMPLEX operator op(scalar<T> a, complex<T> b) { return cuna::complex<T>(a) op plain(b); }
CUNA_COMPLEX_OPERATOR(+) CUNA_COMPLEX_OPERATOR(-) CUNA_COMPLEX_OPERATOR(*) CUNA_COMPLEX_OPERATOR(/)
#undef CUNA_COMPLEX_OPERATOR
CUNA_COMPLEX operator+(complex<T> a) { return a; }
CUNA_COMPLEX operator-(complex<T> a) { return complex<T>(-a.re, -a.im); }

#define CUNA_COMPLEX_TEST(op)                                                                                          \
    template <class T> CUNA_INLINE bool operator op(complex<T> a, complex<T> b) { return plain(a) op plain(b); }       \
    template <class T> CUNA_INLINE bool operator op(complex<T> a, scalar<T> b) { return a op complex<T>(b); }          \
    template <class T> CUNA_INLINE bool operator op(scalar<T> a, complex<T> b) { return complex<T>(a) op b; }
CUNA_COMPLEX_TEST(==) CUNA_COMPLEX_TEST(!=) CUNA_COMPLEX_TEST(<) CUNA_COMPLEX_TEST(<=) CUNA_COMPLEX_TEST(>)
CUNA_COMPLEX_TEST(>=)
#undef CUNA_COMPLEX_TEST

template <class T> CUNA_INLINE T real(complex<T> z) { return z.re; }
template <class T> CUNA_INLINE T imag(complex<T> z) { return z.im; }
template <class T> CUNA_INLINE T abs(complex<T> z) { return cuna::abs(plain(z)); }
template <class T> CUNA_INLINE T arg(complex<T> z) { return cuna::angle(plain(z)); }
template <class T> CUNA_INLINE T norm(complex<T> z) { return cuna::square_length(plain(z)); }
template <class T> CUNA_INLINE bool isnan(complex<T> z) { return cuna::isnan(plain(z)); }
template <class T> CUNA_INLINE bool isinf(complex<T> z) { return cuna::isinf(plain(z)); }
template <class T> CUNA_INLINE bool isfinite(complex<T> z) { return cuna::isfinite(plain(z)); }
CUNA_COMPLEX conj(complex<T> z) { return complex<T>(z.re, -z.im); }
CUNA_COMPLEX polar(T length, scalar<T> angle = 0)
{
    return complex<T>(length * cuna::cos(angle), length * cuna::sin(angle));
}
CUNA_COMPLEX proj(complex<T> z)
{
    return isinf(z) ? complex<T>(cuna::limits<T>::infinity(), cuna::copysign(T(0), z.im)) : z;
}

#define CUNA_COMPLEX_FUNCTION(name)                                                                                    \
    CUNA_COMPLEX name(complex<T> z) { return cuna::name(plain(z)); }
CUNA_COMPLEX_FUNCTION(exp) CUNA_COMPLEX_FUNCTION(log) CUNA_COMPLEX_FUNCTION(log10) CUNA_COMPLEX_FUNCTION(sqrt)
CUNA_COMPLEX_FUNCTION(sin) CUNA_COMPLEX_FUNCTION(cos) CUNA_COMPLEX_FUNCTION(tan) CUNA_COMPLEX_FUNCTION(sinh)
CUNA_COMPLEX_FUNCTION(cosh) CUNA_COMPLEX_FUNCTION(tanh) CUNA_COMPLEX_FUNCTION(asin) CUNA_COMPLEX_FUNCTION(acos)
CUNA_COMPLEX_FUNCTION(atan) CUNA_COMPLEX_FUNCTION(asinh) CUNA_COMPLEX_FUNCTION(acosh) CUNA_COMPLEX_FUNCTION(atanh)
CUNA_COMPLEX_FUNCTION(exp2) CUNA_COMPLEX_FUNCTION(expm1) CUNA_COMPLEX_FUNCTION(log1p) CUNA_COMPLEX_FUNCTION(log2)
#undef CUNA_COMPLEX_FUNCTION
CUNA_COMPLEX pow(complex<T> a, complex<T> b) { return cuna::pow(plain(a), plain(b)); }
CUNA_COMPLEX pow(complex<T> a, scalar<T> b) { return cuna::pow(plain(a), cuna::complex<T>(b)); }
CUNA_COMPLEX pow(scalar<T> a, complex<T> b) { return cuna::pow(cuna::complex<T>(a), plain(b)); }
#undef CUNA_COMPLEX

}

using thrust::complex;
using thrust::arg;
using thrust::conj;
using thrust::imag;
using thrust::norm;
using thrust::polar;
using thrust::proj;
using thrust::real;
#endif
