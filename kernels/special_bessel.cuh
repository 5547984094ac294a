/* special_bessel.cuh: Bessel functions of the orders 0 and 1.
 *
 * Polynomials are Chebyshev interpolants written as powers. J and Y up to 5 are entire functions of x^2, those of J
 * without their first zeros; beyond, Hankel's form: amplitude and phase as series in 1 / x^2 (DLMF 10.17). */
namespace cuna {
namespace special {

/* J0(x) / (x^2 - z^2) of the first zero z; here and below x^2 = 12.5 (1 + t). */
CUNA_INLINE double j0_rest(double t)
{
    return horner(t, -0.05728080421634534, 0.07436630462755323, -0.03277786210789048, 0.0073758943041960226,
                   -0.0010134053469850017, 9.414473580694953e-05, -6.31931861832307e-06, 3.2115623534330415e-07,
                   -1.2795360167965494e-08, 4.105688303742839e-10, -1.0840781824695533e-11, 2.3996022403365534e-13,
                   -4.5083190128242885e-15);
}

/* J1(x) / (x (x^2 - z^2)). */
CUNA_INLINE double j1_rest(double t)
{
    return horner(t, -0.01587595431164548, 0.013090777521810029, -0.004240225993395723, 0.0007552540432951285,
                   -8.592956232067133e-05, 6.814683895177347e-06, -3.991381172349697e-07, 1.799515992374399e-08,
                   -6.443125533715618e-10, 1.877381214599579e-11, -4.5448929602915886e-13, 9.268080204743411e-15);
}

/* Y0(x) - 2 / pi log(x) J0(x). */
CUNA_INLINE double y0_rest(double t)
{
    return horner(t, 0.4837248578102995, -0.4326558222855125, -0.47057636552972876, 0.38851639956570944,
                   -0.11151682184328655, 0.017635345389338752, -0.0018028096665503853, 0.00012994629092083859,
                   -6.985504374076987e-06, 2.9142206886821627e-07, -9.72095520811079e-09, 2.6539977501003325e-10,
                   -6.049936925443629e-12, 1.1665346489650883e-13);
}

/* (Y1(x) - 2 / pi (log(x) J1(x) - 1 / x)) / x. */
CUNA_INLINE double y1_rest(double t)
{
    return horner(t, 0.13974939033568806, 0.09108650838448443, -0.16312020358118715, 0.06634695354779145,
                   -0.01343343374081816, 0.001668803132860553, -0.00014141835794487096, 8.733098315276023e-06,
                   -4.113778078975399e-07, 1.528888444688957e-08, -4.6013015686338337e-10, 1.1462846982460235e-11,
                   -2.3976176456816346e-13);
}

/* P and Q of x >= 5, Q times x, with 25 / x^2 = (1 + t) / 2: order 0. */
CUNA_INLINE double p0_of(double t)
{
    return horner(t, 0.9986347659091991, -0.0013274931272003446, 3.4917305810915766e-05, -2.4599633242216923e-06,
                   2.975900989096833e-07, -5.086428409883204e-08, 1.105832711236427e-08, -2.870792244429867e-09,
                   8.561284476621563e-10, -2.843404232046865e-10, 9.74682627637317e-11, -3.6990044251542916e-11,
                   2.4563632799612557e-11, -1.189461787537485e-11, -3.5821210474962445e-12, 2.411441866647587e-12,
                   3.5736949521760605e-12, -1.9975016566739445e-12);
}

/* Q of order 0. */
CUNA_INLINE double q0_of(double t)
{
    return horner(t, -0.12361496352611864, 0.001314213972910718, -6.338715442570719e-05, 6.239113141935349e-06,
                   -9.409875025757304e-07, 1.887034505194863e-07, -4.6398295102107785e-08, 1.3292985676535e-08,
                   -4.291854003116158e-09, 1.542575204364545e-09, -5.969821444753257e-10, 2.0249811441709766e-10,
                   -8.111328054313481e-11, 1.0208647777768692e-10, -5.589254466073372e-11, -3.130149228873468e-11,
                   2.011820464502252e-11, 1.85869065512807e-11, -1.100006927000901e-11);
}

/* P of order 1. */
CUNA_INLINE double p1_of(double t)
{
    return horner(t, 1.0022906462560661, 0.0022414632139171322, -4.5782806529543783e-05, 2.97862110803436e-06,
                   -3.4667191185744856e-07, 5.791663725419715e-08, -1.2402728629933329e-08, 3.1852202992251782e-09,
                   -9.42108465131188e-10, 3.1088775918767203e-10, -1.0618042040803036e-10, 4.0144908940086184e-11,
                   -2.6348219236772803e-11, 1.2711568738317182e-11, 3.749133511692303e-12, -2.530760445033384e-12,
                   -3.7946206140880125e-12, 2.1173575182340737e-12);
}

/* Q of order 1. */
CUNA_INLINE double q1_of(double t)
{
    return horner(t, 0.3730474331740802, -0.0018648496218418088, 7.898094178007923e-05, -7.369927918557262e-06,
                   1.0798853625826433e-06, -2.126679076480073e-07, 5.164194152345208e-08, -1.4660442774020817e-08,
                   4.7001232348716684e-09, -1.6792603140027183e-09, 6.468049960710546e-10, -2.196036309995082e-10,
                   8.782434427216027e-11, -1.0859506993277121e-10, 5.929267394923431e-11, 3.290937177790792e-11,
                   -2.1148957220138363e-11, -1.9660021286047175e-11, 1.1618795104468154e-11);
}

/* x^2 less the square of a zero high + low. */
CUNA_INLINE double beyond_zero(double x, double high, double low) { return ((x - high) - low) * (x + high); }

CUNA_INLINE double j0_near(double x)
{
    return beyond_zero(x, 2.404825557695773, -1.176691651530894e-16) * j0_rest(fma(x, x * 0.08, -1.0));
}
CUNA_INLINE double j1_near(double x)
{
    return x * beyond_zero(x, 3.8317059702075125, -1.5269184090088067e-16) * j1_rest(fma(x, x * 0.08, -1.0));
}

/* J and Y of x >= 5: the wave of phase x - pi/4, or x - 3 pi/4, whose sine and cosine are sums of those of x. */
struct Wave { double j, y; };

CUNA_INLINE Wave hankel_wave(double x, int order)
{
    const double inverse = 5 / x, t = fma(2 * inverse, inverse, -1.0);
    const double p = order ? p1_of(t) : p0_of(t), q = (order ? q1_of(t) : q0_of(t)) / x;
    double sine, cosine;
    sincos(x, sine, cosine);
    const double sum = cosine + sine, gap = sine - cosine, size = sqrt(0.3183098861837907 / x);
    const double c = order ? gap : sum, s = order ? -sum : gap;
    return Wave{size * fma(p, c, -rounded(q * s)), size * fma(p, s, rounded(q * c))};
}

CUNA_INLINE double j0(double x)
{
    const double size = fabs(x), near = j0_near(size > 5 ? 5.0 : size);
    const double far = hankel_wave(size < 5 ? 5.0 : size, 0).j;
    return size < 5 ? near : size < 1e15 ? far : size == size ? 0.0 : x;
}
CUNA_INLINE double j1(double x)
{
    const double size = fabs(x), near = j1_near(size > 5 ? 5.0 : size);
    const double far = hankel_wave(size < 5 ? 5.0 : size, 1).j;
    const double value = size < 5 ? near : size < 1e15 ? far : size == size ? 0.0 : x;
    return signbit(x) ? -value : value;
}
CUNA_INLINE double y0(double x)
{
    const double low = x > 5 ? 5.0 : x, t = fma(low, low * 0.08, -1.0);
    const double near = fma(0.6366197723675814 * own::log(low), j0_near(low), y0_rest(t));
    const double far = hankel_wave(x < 5 ? 5.0 : x, 0).y;
    const double value = x < 5 ? near : x < 1e15 ? far : 0.0;
    return x > 0 ? value : x == 0 ? -limits<double>::infinity() : limits<double>::nan();
}
CUNA_INLINE double y1(double x)
{
    const double low = x > 5 ? 5.0 : x, t = fma(low, low * 0.08, -1.0);
    const double poles = fma(own::log(low), j1_near(low), -1 / low);
    const double near = fma(0.6366197723675814, poles, rounded(low * y1_rest(t)));
    const double far = hankel_wave(x < 5 ? 5.0 : x, 1).y;
    const double value = x < 5 ? near : x < 1e15 ? far : 0.0;
    return x > 0 ? value : x == 0 ? -limits<double>::infinity() : limits<double>::nan();
}
CUNA_INLINE float j0(float x) { return float(j0(double(x))); }
CUNA_INLINE float j1(float x) { return float(j1(double(x))); }
CUNA_INLINE float y0(float x) { return float(y0(double(x))); }
CUNA_INLINE float y1(float x) { return float(y1(double(x))); }

}
}
