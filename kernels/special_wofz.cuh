/* special_wofz.cuh: Faddeeva's function of complex numbers. */
namespace cuna {
namespace faddeeva {

template <class T> CUNA_INLINE complex<T> wofz(complex<T> z)
{
    const Plane w = of_point(z.re, z.im);
    return complex<T>(T(w.re), T(w.im));
}

}
}
