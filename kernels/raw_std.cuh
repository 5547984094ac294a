/* raw_std.cuh: what C's headers have in namespace std under their C++ names, <cmath> and others, for all devices.
 *
 * The functions are CUDA's, which all are global. */
#ifndef CUNA_RAW_STD
#define CUNA_RAW_STD

namespace std {
#define CUNA_TYPES(prefix)                                                                                             \
    using ::int##prefix##8_t;                                                                                          \
    using ::int##prefix##16_t;                                                                                         \
    using ::int##prefix##32_t;                                                                                         \
    using ::int##prefix##64_t;                                                                                         \
    using ::uint##prefix##8_t;                                                                                         \
    using ::uint##prefix##16_t;                                                                                        \
    using ::uint##prefix##32_t;                                                                                        \
    using ::uint##prefix##64_t;
CUNA_TYPES() CUNA_TYPES(_least) CUNA_TYPES(_fast)
#undef CUNA_TYPES
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t; using ::size_t; using ::ptrdiff_t;
using ::clock_t;
typedef decltype(nullptr) nullptr_t;

using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh; using ::cbrt;
using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp; using ::exp2;
using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin; using ::fmod;
using ::frexp; using ::hypot; using ::ilogb; using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log;
using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf; using ::nan;
using ::nanf; using ::nearbyint; using ::nextafter; using ::pow; using ::remainder; using ::remquo; using ::rint;
using ::round; using ::scalbln; using ::scalbn; using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh;
using ::tgamma; using ::trunc;
using ::isfinite; using ::isinf; using ::isnan; using ::isnormal; using ::signbit;

using ::abs; using ::labs; using ::llabs; using ::malloc; using ::free; using ::memcpy; using ::memset; using ::printf;
using ::clock;
} // namespace std

#endif
