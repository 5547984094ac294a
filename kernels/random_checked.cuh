/* random_checked.cuh: draws whose parameters are in arrays and may be invalid: these are reported, and the element is
 * 0. */
namespace cuna {
namespace random {

CUNA_INLINE bool fits(int64 value, int64 least, uint64 most) { return value >= least && (value < 0 || uint64(value) <= most); }
CUNA_INLINE bool fits(uint64 value, int64, uint64 most) { return value <= most; }

/* A bound that is a float. */
CUNA_INLINE int64 whole_bound(int64 value, int64) { return value; }
CUNA_INLINE uint64 whole_bound(uint64 value, int64) { return value; }
CUNA_INLINE int64 whole_bound(double value, int64 slot)
{
    if (value != floor(value) || fabs(value) >= 9223372036854775808.0)
        report(slot, REPORT_FRACTION, bits_of(value), 1);
    return convert<int64>(value);
}

/* A whole number from low up to high, or where `beyond` is 1, up to but without it; B holds the bounds. */
template <class D, class B>
CUNA_INLINE typename value_of<D>::type between(int64 element, uint64 key, uint64 call, B low, B high, bool beyond,
                                               int64 slot)
{
    typedef typename value_of<D>::type T;
    typedef Integers<D, typename arith<T>::type> sampler;
    const uint64 most = uint64(high) - uint64(low) - beyond;
    const bool rises = beyond ? low < high : low <= high;
    if (rises && fits(low, int64(limits<T>::min()), uint64(limits<T>::max())) &&
        fits(B(uint64(low) + most), int64(limits<T>::min()), uint64(limits<T>::max())))
        return drawn(sampler(uint64(low), most), element, key, call);
    report(slot, REPORT_BOUNDS, uint64(low), int64(high));
    return T(0);
}

/* A weight: not negative, and finite. */
CUNA_INLINE double weight(double value, int64 slot)
{
    if (value >= 0 && value < limits<double>::infinity())
        return value;
    report(slot, REPORT_WEIGHT, bits_of(value), 0);
    return 0;
}

/* A number of [0, total): with so few digits that a product is never rounded up to total. */
CUNA_INLINE double below(Source source, double total, int64 slot)
{
    if (!(total > 0 && total < limits<double>::infinity()))
        report(slot, REPORT_WEIGHT, bits_of(total), 1);
    return total * (double(int64(source.bits64() >> 12)) * 2.220446049250313e-16);
}

/* When something of this rate happens for the first time: of several the first are a choice without replacement by their
 * weights (Efraimidis and Spirakis, Weighted random sampling with a reservoir, 2006). Never, of rate 0. */
CUNA_INLINE double arrival(Source source, double rate, int64 slot)
{
    return source.exponential<double>() / weight(rate, slot);
}

/* A position whose time never comes was chosen since there were no others. */
CUNA_INLINE int64 arrived(int64 position, double time, int64 slot)
{
    if (time == limits<double>::infinity())
        report(slot, REPORT_WEIGHT, 0, 2);
    return position;
}

}  // namespace random
}  // namespace cuna
