/* shortest.c: the least decimal digits of a number that read back as the same number.
 *
 * A value is mantissa * 2^exponent. Between 1e-11 and 1e17 its product with a power of ten that leaves 17 digits before
 * the point is a whole number of 116 bits over a power of two, so rounding it to fewer digits, and comparing what comes
 * out with the half way to the neighbours, is exact arithmetic. Values beyond go to printf and strtod, as do those next
 * to a half way where the text would be rounded twice, to double and then to the dtype. The neighbour below a power of
 * two is half as far as the one above, so that the text above the nearest one may be the shortest.
 *
 * No library does this for float16 and bfloat16, whose digits are fewer than those of the same value as a float. For float
 * and double C++ has it (std::to_chars, Ryu; Dragonbox and double-conversion are C++, too), and the runtime is C without
 * libstdc++. C alone has printf with more and more digits. Nanoseconds for a double, here / to_chars / printf: uniform
 * numbers 86 / 33 / 588, amounts with two decimals 67 / 49 / 295, any bits 1834 / 42 / 1586. */
#include "text/shortest.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define MOST_DIGITS CUNA__SHORTEST_DIGITS

typedef unsigned __int128 wide;

/* value = d1.d2d3... * 10^exponent. Where rounding made 10^count of the digits they are laid right at the end. */
struct decimal {
    uint64_t digits;
    int count, exponent;
};

/* Of a dtype: bits of the mantissa, exponent of the least normal number, decimal digits that it surely keeps. */
struct format {
    int bits, least_exponent, kept_digits;
};

static struct format format_of(cuna_dtype dtype)
{
    switch (dtype) {
    case CUNA_BFLOAT16:
        return (struct format){8, -126, 2};
    case CUNA_FLOAT16:
        return (struct format){11, -14, 3};
    case CUNA_FLOAT32:
    case CUNA_COMPLEX64:
        return (struct format){24, -126, 6};
    default:
        return (struct format){53, -1022, 15};
    }
}

static uint64_t power_of(int base, int exponent)
{
    uint64_t power = 1;
    for (; exponent > 0; exponent--)
        power *= (uint64_t)base;
    return power;
}

/* ---- by whole numbers ---- */

/* scaled / 2^shift = value * 10^(16 - exponent), with 17 digits before the point; gap is the distance to the next value,
 * scaled alike. */
struct scaled {
    wide scaled, gap;
    int shift, exponent;
    bool is_even, is_power; /* the mantissa; of two */
};

static bool scale_by(struct scaled *out, uint64_t mantissa, int exponent, int decimal_exponent)
{
    int power = MOST_DIGITS - 1 - decimal_exponent, shift = -(exponent + power);
    if (power < 0 || power > 27 || shift > 64)
        return false;
    uint64_t five = power_of(5, power);
    out->scaled = (wide)mantissa * five;
    out->gap = five;
    out->shift = shift > 0 ? shift : 0;
    out->exponent = decimal_exponent;
    if (shift < 0) {
        out->scaled <<= -shift;
        out->gap <<= -shift;
    }
    return true;
}

static bool scale(struct scaled *out, double value, struct format format)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    uint64_t mantissa = (uint64_t)ldexp(fraction, format.bits);
    int decimal_exponent = (int)floor((exponent - 1) * 0.30102999566398119521); /* the right one, or one less */
    if (exponent - 1 <= format.least_exponent || value >= 1e17 || value < 1e-11)
        return false;
    out->is_even = mantissa % 2 == 0;
    out->is_power = mantissa == (uint64_t)1 << (format.bits - 1);
    for (int k = 0; k < 2; k++)
        if (!scale_by(out, mantissa, exponent - format.bits, decimal_exponent + k))
            return false;
        else if ((uint64_t)(out->scaled >> out->shift) < power_of(10, MOST_DIGITS))
            return true;
    return false;
}

/* The nearest number of `count` digits; of two the even one. */
static uint64_t round_to(const struct scaled *s, int count)
{
    uint64_t whole = (uint64_t)(s->scaled >> s->shift), unit = power_of(10, MOST_DIGITS - count);
    wide rest = (s->scaled - ((wide)whole << s->shift)) + ((wide)(whole % unit) << s->shift);
    wide twice = 2 * rest, one = (wide)unit << s->shift;
    uint64_t digits = whole / unit;
    return digits + (twice > one || (twice == one && digits % 2 == 1));
}

/* Whether a number of `count` digits is nearer to the value than to its neighbours. `*sure` is left false where reading
 * it by way of a double could end at a neighbour. */
static bool reads_back_whole(bool *sure, const struct scaled *s, uint64_t digits, int count, bool is_narrow)
{
    wide number = (wide)(digits * power_of(10, MOST_DIGITS - count)) << s->shift;
    bool is_below = number < s->scaled;
    wide distance = is_below ? s->scaled - number : number - s->scaled;
    wide reach = is_below && s->is_power ? 4 * distance : 2 * distance, doubt = is_narrow ? s->scaled >> 50 : 0;
    *sure = doubt == 0 || reach + doubt < s->gap || reach > s->gap + doubt;
    return reach < s->gap || (reach == s->gap && s->is_even);
}

static bool shorten_whole(struct decimal *out, double value, struct format format)
{
    struct scaled s;
    bool sure = true;
    if (!scale(&s, value, format))
        return false;
    for (int count = format.kept_digits; count <= MOST_DIGITS; count++) {
        *out = (struct decimal){round_to(&s, count), count, s.exponent};
        bool found = reads_back_whole(&sure, &s, out->digits, count, format.bits < 53);
        if (sure && !found && s.is_power)
            found = reads_back_whole(&sure, &s, ++out->digits, count, format.bits < 53);
        if (!sure || found)
            break;
    }
    return sure;
}

/* ---- by text ---- */

/* Whether digits * 10^exponent gives `value` back when it is rounded to the dtype. */
static bool reads_back(uint64_t digits, int exponent, double value, cuna_dtype dtype)
{
    cuna_number number = {.kind = CUNA_NUMBER_FLOAT, .f = value}, again = number;
    char text[CUNA__SHORTEST_ROOM], bytes[16], bytes_again[16];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, exponent);
    again.f = strtod(text, NULL);
    cuna_number_store(bytes, dtype, &number);
    cuna_number_store(bytes_again, dtype, &again);
    return memcmp(bytes, bytes_again, sizeof bytes) == 0;
}

static struct decimal round_text(double value, int count)
{
    char text[CUNA__SHORTEST_ROOM];
    struct decimal d = {.count = count};
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    for (const char *p = text; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9') /* the point is the locale's */
            d.digits = 10 * d.digits + (uint64_t)(*p - '0');
    d.exponent = atoi(strchr(text, 'e') + 1);
    return d;
}

/* Numbers below the normal ones keep fewer digits. */
static void shorten_text(struct decimal *out, double value, cuna_dtype dtype, struct format format)
{
    int exponent, count = value < ldexp(1, format.least_exponent) ? 1 : format.kept_digits;
    bool is_power = frexp(value, &exponent) == 0.5, found = false;
    for (; count <= MOST_DIGITS && !found; count++) {
        *out = round_text(value, count);
        found = reads_back(out->digits, out->exponent - count + 1, value, dtype);
        if (!found && is_power)
            found = reads_back(++out->digits, out->exponent - count + 1, value, dtype);
    }
}

static void strip_zeros(struct decimal *d)
{
    while (d->count > 1 && d->digits % 10 == 0) {
        d->digits /= 10;
        d->count--;
    }
}

/* Of a finite value from 0 on. */
static struct decimal shorten(double value, cuna_dtype dtype)
{
    struct decimal d = {0, 1, 0};
    struct format format = format_of(dtype);
    if (value != 0 && !shorten_whole(&d, value, format))
        shorten_text(&d, value, dtype, format);
    if (d.digits == power_of(10, d.count)) {
        d.digits /= 10;
        d.exponent++;
    }
    strip_zeros(&d);
    return d;
}

/* ---- layout ---- */

static void put_digits(char *out, const struct decimal *d)
{
    uint64_t left = d->digits;
    for (int k = d->count; k > 0; left /= 10)
        out[--k] = (char)('0' + left % 10);
}

static char *put_zeros(char *out, int count)
{
    for (; count > 0; count--)
        *out++ = '0';
    return out;
}

/* "d.ddde+XX", or "de+XX". */
static char *put_scientific(char *out, const char *digits, const struct decimal *d)
{
    *out++ = *digits;
    if (d->count > 1) {
        *out++ = '.';
        out = (char *)memcpy(out, digits + 1, (size_t)d->count - 1) + d->count - 1;
    }
    return out + sprintf(out, "e%+03d", d->exponent);
}

/* "0.00ddd", "dd.ddd" or "ddd00.0". */
static char *put_fixed(char *out, const char *digits, const struct decimal *d)
{
    int before = d->exponent + 1, own = before < 0 ? 0 : before < d->count ? before : d->count;
    if (before <= 0)
        *out++ = '0';
    out = (char *)memcpy(out, digits, (size_t)own) + own;
    out = put_zeros(out, before - own);
    *out++ = '.';
    out = put_zeros(out, -before);
    out = (char *)memcpy(out, digits + own, (size_t)(d->count - own)) + (d->count - own);
    return own == d->count ? put_zeros(out, 1) : out;
}

static char *put_decimal(char *out, const struct decimal *d)
{
    char digits[MOST_DIGITS];
    put_digits(digits, d);
    return (d->exponent < -4 || d->exponent >= 16 ? put_scientific : put_fixed)(out, digits, d);
}

size_t cuna__shortest_print(char out[static CUNA__SHORTEST_ROOM], double value, cuna_dtype dtype)
{
    char *at = out;
    if (!isfinite(value))
        return (size_t)snprintf(out, CUNA__SHORTEST_ROOM, "%e", value);
    if (signbit(value))
        *at++ = '-';
    struct decimal d = shorten(fabs(value), dtype);
    at = put_decimal(at, &d);
    *at = '\0';
    return (size_t)(at - out);
}

int cuna__shortest_digits(char out[static CUNA__SHORTEST_DIGITS], int *exponent, double value, cuna_dtype dtype)
{
    struct decimal d = shorten(value, dtype);
    put_digits(out, &d);
    *exponent = d.exponent;
    return d.count;
}
