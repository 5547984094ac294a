// weigh.cuh: sums of floats by bins, with the same bits in any order of lanes; builds on gather.cuh.
//
// Integer sums do not depend on the order. So the greatest exponent e of a bin's values is found first; then each
// value is rounded to a whole number of steps of 2^(e + 1 - 2B), held in two words of B bits each, which are added
// separately. B leaves room for the carries of as many values as there are.
namespace cuna {

enum { NOT_FINITE = 2047 }; // as an exponent

CUNA_INLINE uint32 exponent_of(double value) { return uint32(bits_of(value) >> 52) & 0x7ff; }

// What a bin's exponent is at least, where a value is in it.
CUNA_INLINE uint32 least_exponent_of(double value) { return exponent_of(value) > 0 ? exponent_of(value) : 1; }

// Raises a bin's exponent to that of a value. Answers whether there is such a bin, from 0.
CUNA_INLINE bool raised(int64 exponents, int64 bin, double value)
{
    if (bin >= 0)
        raise_atomically((uint32 *)exponents + bin, least_exponent_of(value));
    return bin >= 0;
}

// The two words of a value beside others, whose exponents are at most `most`.
CUNA_INLINE void in_steps(double value, uint32 most, int bits, int64 &high, int64 &low)
{
    const uint64 fraction = bits_of(value) & ((uint64(1) << 52) - 1);
    const uint64 size = exponent_of(value) > 0 ? fraction | uint64(1) << 52 : fraction;
    const int drop = 53 + int(most) - int(exponent_of(value) > 0 ? exponent_of(value) : 1) - bits; // bits below the high word
    const int lost = drop - bits;
    const uint64 above = drop < 64 ? size >> drop : 0, rest = drop < 64 ? size - (above << drop) : size;
    const uint64 below = lost <= 0 ? rest << -lost : lost < 64 ? (rest + (uint64(1) << (lost - 1))) >> lost : 0;
    high = value < 0 ? -int64(above) : int64(above);
    low = value < 0 ? -int64(below) : int64(below);
}

// Where not all are finite, the words count what is infinite upwards and downwards; NaN is both.
CUNA_INLINE void in_infinities(double value, int64 &high, int64 &low)
{
    high = !(value < limits<double>::infinity());
    low = !(value > -limits<double>::infinity());
}

CUNA_INLINE void in_words(double value, uint32 most, int bits, int64 &high, int64 &low)
{
    if (most == NOT_FINITE)
        in_infinities(value, high, low);
    else
        in_steps(value, most, bits, high, low);
}

// Adds a value to a bin's words; returns whether there is such a bin.
CUNA_INLINE bool weighed(int64 sums, int64 bin, double value, int64 exponents, int64 bits)
{
    if (bin < 0)
        return false;
    const int64 words = sums + 16 * bin;
    int64 high, low;
    in_words(value, ((const uint32 *)exponents)[bin], int(bits), high, low);
    if (high != 0)
        added<int64>(words, high);
    if (low != 0)
        added<int64>(words + 8, low);
    return true;
}

// The sum of a bin from its words. It is exact where a double holds it.
CUNA_INLINE double total_weight(int64 high, int64 low, uint32 most, int64 bits)
{
    if (most == NOT_FINITE)
        return high == 0 ? -limits<double>::infinity() : low == 0 ? limits<double>::infinity() : limits<double>::nan();
    const int64 carried = low >> bits;
    const double step = from_bits(uint64(1023 - bits) << 52); // of the high word
    const double sum = double(high + carried) + rounded(double(low - int64(uint64(carried) << bits)) * step);
    return sum * (2 * step) * from_bits(uint64(most) << 52);
}

}  // namespace cuna
