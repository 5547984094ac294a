/* dtype.c: facts of the element types, promotion, and host numbers as elements.
 *
 * Promotion: with a float or complex type every type requires a float of some size, and the result is the widest
 * required. Integers alone need only a type that holds both ranges. Elements are little-endian, as on every device and
 * host that cuna runs on. */
#include "base/dtype.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t size;
    char kind;
    const char *kernel_type;
} rows[CUNA_DTYPES] = {
#define ROW(name, text, nbytes, kind, type) {text, nbytes, kind, type},
    CUNA_DTYPE_ROWS(ROW)
#undef ROW
};

const char *cuna_dtype_name(cuna_dtype dtype)
{
    return rows[dtype].name;
}

int64_t cuna_dtype_size(cuna_dtype dtype)
{
    return rows[dtype].size;
}

char cuna_dtype_kind(cuna_dtype dtype)
{
    return rows[dtype].kind;
}

const char *cuna_dtype_kernel_type(cuna_dtype dtype)
{
    return rows[dtype].kernel_type;
}

/* Names that other libraries and languages use; a letter and bytes is NumPy's notation ("i8" is int64). Each name
 * stands between two blanks. */
static const char *const aliases[CUNA_DTYPES] = {
    [CUNA_BOOL] = " boolean logical bool_ b1 ? ",
    [CUNA_INT8] = " byte char i1 ",
    [CUNA_INT16] = " short i2 i16 ",
    [CUNA_INT32] = " intc i4 i32 ",
    [CUNA_INT64] = " int integer long longlong i8 i64 ",
    [CUNA_UINT8] = " ubyte uchar u1 ",
    [CUNA_UINT16] = " ushort u2 u16 ",
    [CUNA_UINT32] = " uintc u4 u32 ",
    [CUNA_UINT64] = " uint ulong u8 u64 ",
    [CUNA_FLOAT16] = " half f2 f16 fp16 e ",
    [CUNA_BFLOAT16] = " bf16 ",
    [CUNA_FLOAT32] = " single f4 f32 fp32 f ",
    [CUNA_FLOAT64] = " float double number f8 f64 fp64 d ",
    [CUNA_COMPLEX64] = " csingle cfloat c8 c64 F ",
    [CUNA_COMPLEX128] = " complex cdouble c16 c128 D ",
};

enum { LONGEST_GUESS = 24 }; /* longer names are not similar to any dtype */

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap neighbours; case ignored) between two names of at most LONGEST_GUESS letters:
 * the optimal string alignment distance. d[i][j] is the distance of the first i letters of a and the first j of b. */
static int count_edits(const char *a, const char *b)
{
    int d[LONGEST_GUESS + 1][LONGEST_GUESS + 1];
    int length_a = (int)strlen(a), length_b = (int)strlen(b);

    for (int i = 0; i <= length_a; i++)
        d[i][0] = i;
    for (int j = 0; j <= length_b; j++)
        d[0][j] = j;
    for (int i = 1; i <= length_a; i++) {
        for (int j = 1; j <= length_b; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[length_a][length_b];
}

/* The dtype that is most similar to an unknown name, or NULL. */
static const char *guess_name(const char *name)
{
    char blanked[LONGEST_GUESS + 3];
    const char *nearest = NULL;
    int fewest = 4; /* edits beyond a typing error */

    if (strlen(name) > LONGEST_GUESS)
        return NULL;
    snprintf(blanked, sizeof blanked, " %s ", name);
    for (int k = 0; k < CUNA_DTYPES; k++)
        if (strstr(aliases[k], blanked) != NULL)
            return rows[k].name;
    for (int k = 0; k < CUNA_DTYPES; k++) {
        int edits = count_edits(name, rows[k].name);
        if (edits < fewest && edits <= (int)strlen(rows[k].name) / 2) {
            fewest = edits;
            nearest = rows[k].name;
        }
    }
    return nearest;
}

cuna_status cuna_dtype_find(cuna_dtype *out, const char *name)
{
    for (int k = 0; k < CUNA_DTYPES; k++) {
        if (strcmp(name, rows[k].name) == 0) {
            *out = (cuna_dtype)k;
            return CUNA_OK;
        }
    }
    const char *guess = guess_name(name);
    if (guess != NULL)
        return cuna_fail(CUNA_VALUE, "unknown dtype '%s'; did you mean '%s'?", name, guess);
#define ROW(enum_name, text, nbytes, kind, type) " " text
    return cuna_fail(CUNA_VALUE, "unknown dtype '%.60s'; the dtypes are" CUNA_DTYPE_ROWS(ROW), name);
#undef ROW
}

static bool is_inexact(cuna_dtype dtype)
{
    return rows[dtype].kind == 'f' || rows[dtype].kind == 'c';
}

/* The smallest integer type that holds both ranges; float64 for uint64 and a signed type, because no integer type holds
 * both. */
static cuna_dtype promote_integers(cuna_dtype a, cuna_dtype b)
{
    if (rows[a].kind == rows[b].kind)
        return rows[a].size > rows[b].size ? a : b;
    cuna_dtype i = rows[a].kind == 'i' ? a : b;
    cuna_dtype u = rows[a].kind == 'i' ? b : a;
    if (rows[i].size > rows[u].size)
        return i;
    return u == CUNA_UINT64 ? CUNA_FLOAT64 : (cuna_dtype)(CUNA_INT16 + (u - CUNA_UINT8)); /* signed, twice the bytes */
}

/* Bytes of the float that a type requires: its own, or twice an integer's, enough to hold every value of it (the 64-bit
 * integers settle for 8). */
static int precision_of(cuna_dtype dtype)
{
    int size = rows[dtype].size;
    if (rows[dtype].kind == 'f')
        return size;
    if (rows[dtype].kind == 'c')
        return size / 2;
    return least(2 * size, 8);
}

static cuna_dtype promote_inexact(cuna_dtype a, cuna_dtype b)
{
    bool is_double = precision_of(a) == 8 || precision_of(b) == 8;
    bool is_half = precision_of(a) == 2 && precision_of(b) == 2;
    if (rows[a].kind == 'c' || rows[b].kind == 'c')
        return is_double ? CUNA_COMPLEX128 : CUNA_COMPLEX64;
    if (is_double)
        return CUNA_FLOAT64;
    if (!is_half || rows[a].kind == rows[b].kind) /* float16 and bfloat16: each has values that the other lacks */
        return CUNA_FLOAT32;
    return rows[a].kind == 'f' ? a : b;
}

cuna_dtype cuna_dtype_promote(cuna_dtype a, cuna_dtype b)
{
    if (a == b || b == CUNA_BOOL)
        return a;
    if (a == CUNA_BOOL)
        return b;
    if (is_inexact(a) || is_inexact(b))
        return promote_inexact(a, b);
    return promote_integers(a, b);
}

/* Order of the kinds: same_kind casts do not go down. */
static int rank_of(cuna_dtype dtype)
{
    return (int)(strchr("buifc", rows[dtype].kind) - "buifc");
}

bool cuna_dtype_casts(cuna_dtype from, cuna_dtype to, bool same_kind)
{
    return cuna_dtype_promote(from, to) == to || (same_kind && rank_of(from) <= rank_of(to));
}

/* The range of an integer dtype or bool. */
typedef struct limits {
    int64_t least;
    uint64_t greatest;
} limits;

static limits limits_of(cuna_dtype dtype)
{
    int nbits = 8 * rows[dtype].size;
    switch (rows[dtype].kind) {
    case 'b':
        return (limits){0, 1};
    case 'u':
        return (limits){0, UINT64_MAX >> (64 - nbits)};
    default:
        return (limits){INT64_MIN >> (64 - nbits), UINT64_MAX >> (65 - nbits)};
    }
}

/* Whether a double is a whole number within the limits. NaN fails the first comparison. */
static bool double_fits(double value, limits range)
{
    if (!(value >= (double)range.least && value < 0x1p64))
        return false;
    if (value < 0)
        return (double)(int64_t)value == value;
    return (double)(uint64_t)value == value && (uint64_t)value <= range.greatest;
}

bool cuna_number_fits(const cuna_number *number, cuna_dtype dtype)
{
    if (is_inexact(dtype))
        return true;
    limits range = limits_of(dtype);
    switch (number->kind) {
    case CUNA_NUMBER_BOOL:
        return true;
    case CUNA_NUMBER_INT:
        return number->i < 0 ? number->i >= range.least : (uint64_t)number->i <= range.greatest;
    case CUNA_NUMBER_UINT:
        return number->u <= range.greatest;
    case CUNA_NUMBER_FLOAT:
        return double_fits(number->f, range);
    case CUNA_NUMBER_COMPLEX:
        return number->imag == 0 && double_fits(number->f, range);
    }
    return false;
}

const char *cuna_number_text(char *text, size_t nbytes, const cuna_number *number)
{
    switch (number->kind) {
    case CUNA_NUMBER_BOOL:
        snprintf(text, nbytes, "%s", number->b ? "true" : "false");
        break;
    case CUNA_NUMBER_INT:
        snprintf(text, nbytes, "%lld", (long long)number->i);
        break;
    case CUNA_NUMBER_UINT:
        snprintf(text, nbytes, "%llu", (unsigned long long)number->u);
        break;
    case CUNA_NUMBER_FLOAT:
        /* printf may print a sign of NaN, which depends on the machine. */
        snprintf(text, nbytes, number->f != number->f ? "nan" : "%.14g", number->f);
        break;
    case CUNA_NUMBER_COMPLEX:
        snprintf(text, nbytes, "%.14g%+.14gi", number->f, number->imag);
        break;
    }
    return text;
}

/* Truncates towards zero. The double of a 64-bit limit is the next power of two, which is already out of range. */
static uint64_t saturate(double value, limits range)
{
    if (value != value)
        return 0;
    if (value < 0)
        return (uint64_t)(value <= (double)range.least ? range.least : (int64_t)value);
    return value >= (double)range.greatest ? range.greatest : (uint64_t)value;
}

/* The number's integer, of which the dtype's low bytes are kept: integers wrap, floats saturate. */
static uint64_t to_integer(const cuna_number *number, cuna_dtype dtype)
{
    switch (number->kind) {
    case CUNA_NUMBER_BOOL:
        return number->b;
    case CUNA_NUMBER_INT:
        return (uint64_t)number->i;
    case CUNA_NUMBER_UINT:
        return number->u;
    default:
        return saturate(number->f, limits_of(dtype));
    }
}

static double to_double(const cuna_number *number)
{
    switch (number->kind) {
    case CUNA_NUMBER_BOOL:
        return number->b;
    case CUNA_NUMBER_INT:
        return (double)number->i;
    case CUNA_NUMBER_UINT:
        return (double)number->u;
    default:
        return number->f;
    }
}

/* Integers go straight to float: through double they would round twice. */
static float to_float(const cuna_number *number)
{
    if (number->kind == CUNA_NUMBER_INT)
        return (float)number->i;
    if (number->kind == CUNA_NUMBER_UINT)
        return (float)number->u;
    return (float)to_double(number);
}

static bool is_nonzero(const cuna_number *number)
{
    return to_double(number) != 0 || (number->kind == CUNA_NUMBER_COMPLEX && number->imag != 0);
}

/* A double that rounds to any 16-bit float as the integer itself would: lost bits set the double's last bit (round to
 * odd), far below the bit where the narrow format rounds. */
static double to_odd_double(const cuna_number *number)
{
    if (number->kind != CUNA_NUMBER_INT && number->kind != CUNA_NUMBER_UINT)
        return to_double(number);
    bool negative = number->kind == CUNA_NUMBER_INT && number->i < 0;
    uint64_t magnitude = negative ? -number->u : number->u;
    const uint64_t beyond = 0x7ff; /* 64 - 53 bits */
    if (magnitude >> 53 != 0 && (magnitude & beyond) != 0)
        magnitude = (magnitude & ~beyond) | (beyond + 1);
    return negative ? -(double)magnitude : (double)magnitude;
}

/* A 16-bit float format: sign, exponent, fraction. */
typedef struct narrow_format {
    int fraction_bits, bias;
} narrow_format;

static const narrow_format float16 = {10, 15}, bfloat16 = {7, 127};

/* The bits of infinity, the least that are not a finite number: all exponent bits set. */
static uint32_t infinity_of(narrow_format format)
{
    return 0x8000u - (1u << format.fraction_bits);
}

/* Rounds to nearest even in one step. The significand's leading one is added into the exponent field, so that a carry
 * moves on to the next exponent, from subnormal to normal and from the greatest number to infinity. */
static uint16_t narrow(double value, narrow_format format)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = (uint32_t)(bits >> 63) << 15, infinity = infinity_of(format);
    if (value != value)
        return (uint16_t)(sign | infinity | 1u << (format.fraction_bits - 1));

    int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + format.bias; /* of the narrow format; normal from 1 on */
    uint64_t significand = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    int shift = 52 - format.fraction_bits + (exponent < 1 ? 1 - exponent : 0);
    if (shift > 53) /* below half of the least subnormal; a double's own subnormals are as well */
        return (uint16_t)sign;

    uint64_t half = (uint64_t)1 << (shift - 1), rest = significand & (2 * half - 1);
    uint64_t rounded = significand >> shift;
    rounded += rest > half || (rest == half && (rounded & 1) != 0);
    uint64_t magnitude = ((uint64_t)(exponent < 1 ? 0 : exponent - 1) << format.fraction_bits) + rounded;
    return (uint16_t)(sign | (magnitude < infinity ? (uint32_t)magnitude : infinity));
}

/* Exact: a float's steps all exist in double. */
static double widen(uint16_t narrow_bits, narrow_format format)
{
    uint64_t sign = (uint64_t)(narrow_bits >> 15) << 63;
    uint64_t exponent = (narrow_bits & 0x7fffu) >> format.fraction_bits;
    uint64_t fraction = narrow_bits & ((1u << format.fraction_bits) - 1);
    bool special = (narrow_bits & infinity_of(format)) == infinity_of(format);
    uint64_t rebias = (uint64_t)(1023 - format.bias);

    /* A subnormal counts steps from zero: it is what the same fraction with exponent 1 is above that power of two. */
    uint64_t shown = special ? 0x7ff : rebias + (exponent == 0 ? 1 : exponent);
    uint64_t base_bits = sign | shown << 52, bits = base_bits | fraction << (52 - format.fraction_bits);
    double value, base;
    memcpy(&value, &bits, sizeof value);
    memcpy(&base, &base_bits, sizeof base);
    if (exponent != 0)
        return value;
    return fraction != 0 ? value - base : sign != 0 ? -0.0 : 0.0;
}

static void pack_complex(void *out, cuna_dtype dtype, const cuna_number *number)
{
    double imag = number->kind == CUNA_NUMBER_COMPLEX ? number->imag : 0;
    if (dtype == CUNA_COMPLEX128) {
        memcpy(out, (double[2]){to_double(number), imag}, 16);
    } else {
        memcpy(out, (float[2]){to_float(number), (float)imag}, 8);
    }
}

void cuna_number_pack(void *out, cuna_dtype dtype, const cuna_number *number)
{
    memset(out, 0, 16);
    switch (dtype) {
    case CUNA_BOOL:
        memcpy(out, &(uint8_t){is_nonzero(number)}, 1);
        break;
    /* Narrowing a double that was rounded to odd rounds once, as a direct conversion of the number would. */
    case CUNA_FLOAT16:
        memcpy(out, &(uint16_t){narrow(to_odd_double(number), float16)}, 2);
        break;
    case CUNA_BFLOAT16:
        memcpy(out, &(uint16_t){narrow(to_odd_double(number), bfloat16)}, 2);
        break;
    case CUNA_FLOAT32:
        memcpy(out, &(float){to_float(number)}, 4);
        break;
    case CUNA_FLOAT64:
        memcpy(out, &(double){to_double(number)}, 8);
        break;
    case CUNA_COMPLEX64:
    case CUNA_COMPLEX128:
        pack_complex(out, dtype, number);
        break;
    default:
        memcpy(out, &(uint64_t){to_integer(number, dtype)}, rows[dtype].size);
        break;
    }
}

/* A signed or unsigned integer of any width. */
static cuna_number read_integer(cuna_dtype dtype, const void *bytes)
{
    uint64_t value = 0;
    memcpy(&value, bytes, rows[dtype].size);
    if (value > INT64_MAX && rows[dtype].kind == 'u')
        return (cuna_number){.kind = CUNA_NUMBER_UINT, .u = value};
    int unused = rows[dtype].kind == 'i' ? 64 - 8 * rows[dtype].size : 0;
    return (cuna_number){.kind = CUNA_NUMBER_INT, .i = (int64_t)(value << unused) >> unused};
}

static cuna_number read_float(cuna_dtype dtype, const void *bytes)
{
    cuna_number number = {.kind = CUNA_NUMBER_FLOAT};
    uint16_t narrow_bits;
    float value;
    memcpy(&narrow_bits, bytes, sizeof narrow_bits);
    switch (dtype) {
    case CUNA_FLOAT16:
        number.f = widen(narrow_bits, float16);
        break;
    case CUNA_BFLOAT16:
        number.f = widen(narrow_bits, bfloat16);
        break;
    case CUNA_FLOAT32:
        memcpy(&value, bytes, sizeof value);
        number.f = value;
        break;
    default:
        memcpy(&number.f, bytes, sizeof number.f);
        break;
    }
    return number;
}

static cuna_number read_complex(cuna_dtype dtype, const void *bytes)
{
    cuna_dtype part = dtype == CUNA_COMPLEX64 ? CUNA_FLOAT32 : CUNA_FLOAT64;
    cuna_number real = read_float(part, bytes);
    cuna_number imag = read_float(part, (const char *)bytes + rows[part].size);
    return (cuna_number){.kind = CUNA_NUMBER_COMPLEX, .f = real.f, .imag = imag.f};
}

void cuna_number_unpack(cuna_number *out, cuna_dtype dtype, const void *bytes)
{
    switch (rows[dtype].kind) {
    case 'b':
        *out = (cuna_number){.kind = CUNA_NUMBER_BOOL, .b = *(const uint8_t *)bytes != 0};
        break;
    case 'f':
        *out = read_float(dtype, bytes);
        break;
    case 'c':
        *out = read_complex(dtype, bytes);
        break;
    default:
        *out = read_integer(dtype, bytes);
        break;
    }
}
