/* special_degrees.cuh: functions of angles in degrees: multiples of 90 are taken away exactly, and the rest is turned to
 * half turns in twice the digits. */
namespace cuna {
namespace special {

/* Sine and cosine, |x| <= 1e14. */
CUNA_INLINE void sincos_degrees(double x, double &sine, double &cosine)
{
    const double k = rint(x / 90), rest = fma(-90, k, x), half_turns = rest / 180;
    const double low = 0.017453292519943295 * fma(-180, half_turns, rest);
    double s, c;
    own::sincospi(half_turns, s, c);
    const double sin_of_rest = fma(c, low, s), cos_of_rest = fma(-s, low, c);
    const double turn = k - 4 * rint(k * 0.25);
    const bool is_odd_turn = turn == 1 || turn == -1;
    const double a = is_odd_turn ? cos_of_rest : sin_of_rest, b = is_odd_turn ? sin_of_rest : cos_of_rest;
    sine = 0.0 + (turn == 1 || turn == 0 ? a : -a);
    cosine = 0.0 + (turn == -1 || turn == 0 ? b : -b);
}

/* NaN gives NaN; beyond 1e14 all is 0. */
CUNA_INLINE double of_degrees(double x, double value) { return fabs(x) <= 1e14 ? value : x == x ? 0.0 : x; }
CUNA_INLINE double degrees_in_range(double x) { return fabs(x) <= 1e14 ? x : 0.0; }

CUNA_INLINE double sindg(double x)
{
    double sine, cosine;
    sincos_degrees(degrees_in_range(x), sine, cosine);
    return of_degrees(x, sine);
}
CUNA_INLINE double cosdg(double x)
{
    double sine, cosine;
    sincos_degrees(degrees_in_range(x), sine, cosine);
    return of_degrees(x, cosine);
}
CUNA_INLINE double tandg(double x)
{
    double sine, cosine;
    sincos_degrees(degrees_in_range(x), sine, cosine);
    return of_degrees(x, cosine == 0 ? limits<double>::infinity() : 0.0 + sine / cosine);
}
CUNA_INLINE double cotdg(double x)
{
    double sine, cosine;
    sincos_degrees(degrees_in_range(x), sine, cosine);
    return of_degrees(x, sine == 0 ? limits<double>::infinity() : 0.0 + cosine / sine);
}
CUNA_INLINE float sindg(float x) { return float(sindg(double(x))); }
CUNA_INLINE float cosdg(float x) { return float(cosdg(double(x))); }
CUNA_INLINE float tandg(float x) { return float(tandg(double(x))); }
CUNA_INLINE float cotdg(float x) { return float(cotdg(double(x))); }

/* Degrees, minutes and seconds in radians. */
template <class T> CUNA_INLINE T radian(T d, T m, T s)
{
    return T(4.84813681109536e-06 * fma(3600, double(d), fma(60, double(m), double(s))));
}

}
}
