/* mpi_reduce.c: how MPI reduces each dtype: by its own operations, or by one of these.
 *
 * MPI has no half floats, and its max and min drop NaN, or keep it by the order of ranks. Here NaN wins, as everywhere in
 * cuna. Half floats are combined in float32 and rounded each time. Elements of complex dtypes are MPI's elements as
 * well, so that no library cuts one in two. */
#include <math.h>
#include <string.h>

#include "comm/mpi.h"

/* ---- half floats ---- */

static float bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_bfloat16(uint16_t half)
{
    return bits_float((uint32_t)half << 16);
}

static uint16_t to_bfloat16(float value)
{
    uint32_t bits = float_bits(value);
    if (value != value)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float from_float16(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    float value = rest >= 0x7c00 ? bits_float(0x7f800000 | rest << 13) : bits_float(rest << 13) * 0x1p112f;
    return bits_float(sign | float_bits(value));
}

/* Adding a power of two rounds a float16's subnormals at their last bit. */
static uint16_t to_float16(float value)
{
    uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return (uint16_t)(sign | 0x7e00);
    if (rest >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000)
        return (uint16_t)(sign | (float_bits(bits_float(rest) + 0.5f) - float_bits(0.5f)));
    return (uint16_t)(sign | ((rest + 0xfff + (rest >> 13 & 1) - 0x38000000) >> 13));
}

static float same_float(float value)
{
    return value;
}

static double same_double(double value)
{
    return value;
}

/* ---- folds ---- */

#define ADD(T, a, b)      ((a) + (b))
#define MULTIPLY(T, a, b) ((a) * (b))
/* Where they are not comparable, and a is not NaN, b is. Which of 0 and -0 is the result must not depend on the order of
 * operands, which is not the same on all ranks. */
#define MAXIMUM(T, a, b)  ((a) != (a) || (a) > (b) || ((a) == (b) && !signbit(a)) ? (a) : (b))
#define MINIMUM(T, a, b)  ((a) != (a) || (a) < (b) || ((a) == (b) && signbit(a)) ? (a) : (b))

#define FOLD(name, storage, T, load, store, combine)                \
    static void name(void *in, void *inout, int *count, void *type) \
    {                                                               \
        const storage *a = in;                                      \
        storage *b = inout;                                         \
        (void)type;                                                 \
        for (int i = 0; i < *count; i++) {                          \
            T x = load(a[i]), y = load(b[i]);                       \
            b[i] = store(combine(T, x, y));                         \
        }                                                           \
    }

FOLD(add_float16, uint16_t, float, from_float16, to_float16, ADD)
FOLD(multiply_float16, uint16_t, float, from_float16, to_float16, MULTIPLY)
FOLD(maximum_float16, uint16_t, float, from_float16, to_float16, MAXIMUM)
FOLD(minimum_float16, uint16_t, float, from_float16, to_float16, MINIMUM)
FOLD(add_bfloat16, uint16_t, float, from_bfloat16, to_bfloat16, ADD)
FOLD(multiply_bfloat16, uint16_t, float, from_bfloat16, to_bfloat16, MULTIPLY)
FOLD(maximum_bfloat16, uint16_t, float, from_bfloat16, to_bfloat16, MAXIMUM)
FOLD(minimum_bfloat16, uint16_t, float, from_bfloat16, to_bfloat16, MINIMUM)
FOLD(maximum_float32, float, float, same_float, same_float, MAXIMUM)
FOLD(minimum_float32, float, float, same_float, same_float, MINIMUM)
FOLD(maximum_float64, double, double, same_double, same_double, MAXIMUM)
FOLD(minimum_float64, double, double, same_double, same_double, MINIMUM)

/* Complex numbers are pairs; the first NaN wins, then the greater real part, then the greater imaginary one. */
#define COMPLEX(T, suffix)                                                             \
    static void add_##suffix(void *in, void *inout, int *count, void *type)            \
    {                                                                                  \
        const T *a = in;                                                               \
        T *b = inout;                                                                  \
        (void)type;                                                                    \
        for (int64_t i = 0; i < 2 * (int64_t)*count; i++)                              \
            b[i] = a[i] + b[i];                                                        \
    }                                                                                  \
    static void multiply_##suffix(void *in, void *inout, int *count, void *type)       \
    {                                                                                  \
        const T *a = in;                                                               \
        T *b = inout;                                                                  \
        (void)type;                                                                    \
        for (int64_t i = 0; i < 2 * (int64_t)*count; i += 2) {                         \
            T re = a[i] * b[i] - a[i + 1] * b[i + 1];                                  \
            b[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];                              \
            b[i] = re;                                                                 \
        }                                                                              \
    }                                                                                  \
    static bool is_nan_##suffix(const T *a)                                            \
    {                                                                                  \
        return a[0] != a[0] || a[1] != a[1];                                           \
    }                                                                                  \
    static bool is_less_##suffix(const T *a, const T *b)                               \
    {                                                                                  \
        return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);                           \
    }                                                                                  \
    static void maximum_##suffix(void *in, void *inout, int *count, void *type)        \
    {                                                                                  \
        const T *a = in;                                                               \
        T *b = inout;                                                                  \
        (void)type;                                                                    \
        for (int i = 0; i < *count; i++, a += 2, b += 2)                               \
            if (is_nan_##suffix(a) || (!is_nan_##suffix(b) && is_less_##suffix(b, a))) \
                memcpy(b, a, 2 * sizeof(T));                                           \
    }                                                                                  \
    static void minimum_##suffix(void *in, void *inout, int *count, void *type)        \
    {                                                                                  \
        const T *a = in;                                                               \
        T *b = inout;                                                                  \
        (void)type;                                                                    \
        for (int i = 0; i < *count; i++, a += 2, b += 2)                               \
            if (is_nan_##suffix(a) || (!is_nan_##suffix(b) && is_less_##suffix(a, b))) \
                memcpy(b, a, 2 * sizeof(T));                                           \
    }

COMPLEX(float, complex64)
COMPLEX(double, complex128)

/* Sum, prod, max, min; NULL: MPI's own. */
static cuna_mpi_fold *const folds[CUNA_DTYPES][CUNA_COMM_NO_OP] = {
    [CUNA_FLOAT16] = {add_float16, multiply_float16, maximum_float16, minimum_float16},
    [CUNA_BFLOAT16] = {add_bfloat16, multiply_bfloat16, maximum_bfloat16, minimum_bfloat16},
    [CUNA_FLOAT32] = {NULL, NULL, maximum_float32, minimum_float32},
    [CUNA_FLOAT64] = {NULL, NULL, maximum_float64, minimum_float64},
    [CUNA_COMPLEX64] = {add_complex64, multiply_complex64, maximum_complex64, minimum_complex64},
    [CUNA_COMPLEX128] = {add_complex128, multiply_complex128, maximum_complex128, minimum_complex128},
};

/* ---- types ---- */

cuna_mpi_handle cuna__mpi_unit(cuna_dtype dtype)
{
    switch (cuna_dtype_size(dtype)) {
    case 1:
        return cuna__mpi.type_uint8;
    case 2:
        return cuna__mpi.type_uint16;
    case 4:
        return cuna__mpi.type_uint32;
    case 8:
        return cuna__mpi.type_uint64;
    default:
        return cuna__mpi.type_double_complex;
    }
}

static cuna_mpi_handle native_type(cuna_dtype dtype)
{
    const cuna_mpi_handle types[CUNA_DTYPES] = {
        [CUNA_BOOL] = cuna__mpi.type_uint8,     [CUNA_INT8] = cuna__mpi.type_int8,
        [CUNA_INT16] = cuna__mpi.type_int16,    [CUNA_INT32] = cuna__mpi.type_int32,
        [CUNA_INT64] = cuna__mpi.type_int64,    [CUNA_UINT8] = cuna__mpi.type_uint8,
        [CUNA_UINT16] = cuna__mpi.type_uint16,  [CUNA_UINT32] = cuna__mpi.type_uint32,
        [CUNA_UINT64] = cuna__mpi.type_uint64,  [CUNA_FLOAT32] = cuna__mpi.type_float,
        [CUNA_FLOAT64] = cuna__mpi.type_double,
    };
    return types[dtype];
}

static cuna_mpi_handle native_op(cuna_dtype dtype, cuna_comm_op what)
{
    const cuna_mpi_handle ops[] = {cuna__mpi.op_sum, cuna__mpi.op_prod, cuna__mpi.op_max, cuna__mpi.op_min};
    bool is_or = what == CUNA_COMM_SUM, is_and = what == CUNA_COMM_PROD;
    if (dtype == CUNA_BOOL && (is_or || is_and))
        return is_or ? cuna__mpi.op_max : cuna__mpi.op_min;
    return ops[what];
}

int cuna__mpi_reduction(cuna_mpi_handle *type, cuna_mpi_handle *op, cuna_dtype dtype, cuna_comm_op what)
{
    static cuna_mpi_handle made[CUNA_DTYPES][CUNA_COMM_NO_OP];
    cuna_mpi_fold *fold = folds[dtype][what];
    *type = fold == NULL || cuna_dtype_kind(dtype) == 'f' ? native_type(dtype) : cuna__mpi_unit(dtype);
    if (*type == 0)
        *type = cuna__mpi_unit(dtype);
    *op = fold == NULL ? native_op(dtype, what) : made[dtype][what];
    int code = 0;
    if (fold != NULL && *op == 0) {
        code = cuna__mpi.Op_create(fold, 1, op);
        made[dtype][what] = *op;
    }
    return code;
}
