/* special_bessel_ik.cuh: modified Bessel functions of the orders 0 and 1, plain and scaled by exp(-|x|) and exp(x).
 *
 * Polynomials are Chebyshev interpolants written as powers: I up to 8 and K up to 2 by entire functions of x^2 (DLMF
 * 10.25, 10.31), beyond by multiples of exp(x) / sqrt(x) and exp(-x) / sqrt(x). */
namespace cuna {
namespace special {

/* I0(x) of z = x^2 / 64. */
CUNA_INLINE double i0_near(double z)
{
    return horner(z, 1.0, 16.0, 64.0, 113.77777777777779, 113.77777777777744, 72.81777777778234, 32.36345679008222,
                   10.567659360300816, 2.641914838819161, 0.521859725517979, 0.08349754515975688,
                   0.01104101889347772, 0.0012267487092378652, 0.00011617641582340664, 9.455472844015629e-06,
                   6.89053863857937e-07, 3.6413317902147967e-08, 3.628717841894065e-09);
}

/* I1(x) / x of z = x^2 / 64. */
CUNA_INLINE double i1_near(double z)
{
    return horner(z, 0.5, 4.0, 10.666666666666666, 14.222222222222223, 11.37777777777777, 6.068148148148266,
                   2.311675485007754, 0.660478710009244, 0.14677304663648147, 0.0260929861783456,
                   0.003795343163549102, 0.0004600421399286258, 4.718300823966779e-05, 4.1488442302671226e-06,
                   3.153744572446919e-07, 2.1453444823283473e-08, 1.090896367875074e-09, 9.851700926959022e-11);
}

/* sqrt(2 pi x) exp(-x) I0(x) of x >= 8, 8 / x = (1 + t) / 2. */
CUNA_INLINE double i0_far(double t)
{
    return horner(t, 1.0081070099672589, 0.008423654620629233, 0.0003414430635239971, 2.7931443559301777e-05,
                   3.7194545451516294e-06, 7.453707853363177e-07, 2.2238842613357895e-07, 9.857346574498856e-08,
                   5.406247424929312e-08, 1.8948515787945273e-08, -1.7186658027479956e-08, -3.365777993846522e-08,
                   -1.2577243077509246e-08, 1.9051012790085347e-08, 1.634889351780235e-08, -8.989479399249335e-09,
                   -1.1356457561488009e-08, 4.0318830432303324e-09, 5.423544669761971e-09, -1.5861717929795797e-09,
                   -1.6279525719525102e-09, 4.436252162003979e-10, 2.2847315527305339e-10, -6.121680726233731e-11);
}

/* sqrt(2 pi x) exp(-x) I1(x). */
CUNA_INLINE double i1_far(double t)
{
    return horner(t, 0.9760771874919927, -0.024438565858262318, -0.000549542564430056, -3.769604761643547e-05,
                   -4.5994379125537985e-06, -8.732732822702345e-07, -2.5068977487621657e-07,
                   -1.081071126068889e-07, -5.8640370067625813e-08, -2.1136313164018638e-08,
                   1.7164333377698186e-08, 3.5222506159527835e-08, 1.3966978863424138e-08, -1.9269081484746998e-08,
                   -1.7407076098827175e-08, 8.777623644619846e-09, 1.1941025837689443e-08, -3.814640565388938e-09,
                   -5.6710963516924836e-09, 1.4715573923536442e-09, 1.6976761246341635e-09,
                   -4.0816090754372614e-10, -2.3792640838772227e-10, 5.620303913209126e-11);
}

/* K0(x) + log(x / 2) I0(x), x^2 = 2 (1 + t). */
CUNA_INLINE double k0_near(double t)
{
    return horner(t, -0.30362077291575545, 0.3404973210133806, 0.07177701034240509, 0.005053392643196092,
                   0.0001828055582791554, 4.0545066199495615e-06, 6.093361894172149e-08, 6.623013277190278e-10,
                   5.4525646625978115e-12, 3.518611978846953e-14);
}

/* (K1(x) - 1 / x - log(x / 2) I1(x)) / x. */
CUNA_INLINE double k1_near(double t)
{
    return horner(t, -0.057455856135205326, -0.10866462148495122, -0.013254642948920608, -0.0006724746609653153,
                   -1.910976234234459e-05, -3.495829795100053e-07, -4.473708980740458e-09, -4.235477489434306e-11,
                   -3.089218079034393e-13, -1.7896554238196692e-15);
}

/* sqrt(2 x / pi) exp(x) K0(x) of x >= 2, (x - 4) / (x + 4) = (1 + 2 t) / 3. */
CUNA_INLINE double k0_far(double t)
{
    return horner(t, 0.9853526361287724, 0.020659206939786574, -0.00856073869398717, 0.0036533788626121185,
                   -0.001590907845977551, 0.0007033817128779503, -0.00031471983178410533, 0.00014218948512989687,
                   -6.476019195421783e-05, 2.9696515127992527e-05, -1.369701091512782e-05, 6.3498455811537016e-06,
                   -2.9588460255573468e-06, 1.3832885635061033e-06, -6.432234927286093e-07, 3.0265199405974405e-07,
                   -1.543153856425098e-07, 7.311995523016756e-08, -1.8937628478439613e-08, 8.900607820356227e-09,
                   -1.881851264296898e-08, 9.044256486574363e-09, 4.384785664497868e-09, -2.123215234615699e-09,
                   -2.0100877498938634e-09, 9.68915314026236e-10);
}

/* sqrt(2 x / pi) exp(x) K1(x). */
CUNA_INLINE double k1_far(double t)
{
    return horner(t, 1.0452155753085053, -0.06555641132458612, 0.029667294446935274, -0.013657735961000339,
                   0.006361746901254658, -0.002989251431926055, 0.0014141329553280168, -0.0006726287125626266,
                   0.0003213620134288088, -0.0001541098997012563, 7.41382682974473e-05, -3.576270247007478e-05,
                   1.728866779829777e-05, -8.37668137039047e-06, 4.077531517691502e-06, -1.982567351428025e-06,
                   9.373459374875392e-07, -4.568669250782046e-07, 2.712976530768245e-07, -1.32755181092597e-07,
                   6.493500183025653e-09, -3.0171169029770738e-09, 5.00496006747449e-08, -2.4637292386196743e-08,
                   -1.4304228872432713e-08, 7.055953366720846e-09, 4.978403679276023e-09, -2.4524012383092917e-09);
}

/* exp(-|x|) I(x) and I(x); exp(x) is infinite before I. */
CUNA_INLINE double i_scaled(double x, bool is_first, bool is_scaled)
{
    const double size = fabs(x), low = size > 8 ? 8.0 : size, high = size < 8 ? 8.0 : size, z = low * low * 0.015625;
    double near = x, far = x;
    if (is_needed(size < 8)) {
        near = is_first ? size * i1_near(z) : i0_near(z);
        near = is_scaled ? near * own::exp_of_normal(-low, 0.0) : near;
    }
    if (is_needed(!(size < 8))) {
        const double at = is_scaled || high < 716 ? high : 716.0;
        const double inverse = is_scaled ? 1 / at : quotient_of_middle(1.0, at), t = fma(16, inverse, -1.0);
        const double root = is_scaled ? sqrt(inverse) : sqrt_of_middle(inverse);
        const double scaled = (is_first ? i1_far(t) : i0_far(t)) * 0.3989422804014327 * root;
        const double plain = scaled * own::exp_of_normal(at, 0.0, 12) * 4096;
        far = is_scaled ? scaled : size < 716 ? plain : size * limits<double>::infinity();
    }
    const double value = size < 8 ? near : far;
    return is_first && x < 0 ? -value : value;
}

CUNA_INLINE double i0(double x) { return i_scaled(x, false, false); }
CUNA_INLINE double i0e(double x) { return i_scaled(x, false, true); }
CUNA_INLINE double i1(double x) { return i_scaled(x, true, false); }
CUNA_INLINE double i1e(double x) { return i_scaled(x, true, true); }

/* K(x) and exp(x) K(x). */
CUNA_INLINE double k_scaled(double x, bool is_first, bool is_scaled)
{
    const double low = x > 2 ? 2.0 : x, high = x < 2 ? 2.0 : x, z = low * low * 0.015625, t = fma(low, 0.5 * low, -1.0);
    const double log = own::log(0.5 * low);
    const double zeroth = fma(-log, i0_near(z), k0_near(t)), middle = fma(log, i1_near(z), k1_near(t));
    const double near = is_first ? fma(low, middle, 1 / low) : zeroth;
    const double s = fma(1.5, (high - 4) / (high + 4), -0.5);
    const double series = is_first ? k1_far(s) : k0_far(s), far = series * 1.2533141373155003 / sqrt(high);
    const double plain = x < 2 ? near : far * own::exp(-high), scaled = x < 2 ? near * own::exp(low) : far;
    const double value = is_scaled ? scaled : plain, inf = limits<double>::infinity();
    return x > 0 ? x == inf ? 0.0 : value : x == 0 ? inf : limits<double>::nan();
}

CUNA_INLINE double k0(double x) { return k_scaled(x, false, false); }
CUNA_INLINE double k0e(double x) { return k_scaled(x, false, true); }
CUNA_INLINE double k1(double x) { return k_scaled(x, true, false); }
CUNA_INLINE double k1e(double x) { return k_scaled(x, true, true); }

CUNA_INLINE float i0(float x) { return float(i0(double(x))); }
CUNA_INLINE float i0e(float x) { return float(i0e(double(x))); }
CUNA_INLINE float i1(float x) { return float(i1(double(x))); }
CUNA_INLINE float i1e(float x) { return float(i1e(double(x))); }
CUNA_INLINE float k0(float x) { return float(k0(double(x))); }
CUNA_INLINE float k0e(float x) { return float(k0e(double(x))); }
CUNA_INLINE float k1(float x) { return float(k1(double(x))); }
CUNA_INLINE float k1e(float x) { return float(k1e(double(x))); }

}
}
