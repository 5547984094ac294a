/* small_filter.c: signal.lfilter(b, a, x) of a short signal, on the host.
 *
 * It does what lua/cuna/signal/filters.lua does with the coefficients, and the steps of kernels/signal.cuh in their order.
 * Coefficients are vectors, or lists of numbers. */
#include "small.h"

#include <math.h>
#include <string.h>

enum { MOST_ORDER = 16, MOST_FILTERED = 1024 };

typedef struct filter {
    cuna_lua_vector x;
    int order;
    double b[MOST_ORDER + 1], a[MOST_ORDER + 1];
} filter;

/* The numbers 1..n of the table at a stack index, rounded to float32 if an array of them is; their number, 0 for tables of
 * anything else. */
static int read_table(lua_State *L, double *values, int index, bool is_narrow)
{
    int count = (int)lua_objlen(L, index), found = 0;
    if (count > MOST_ORDER + 1 || lua_getmetatable(L, index) != 0) {
        lua_settop(L, 3);
        return 0;
    }
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, index, k + 1);
        found += lua_type(L, -1) == LUA_TNUMBER;
        values[k] = is_narrow ? (float)lua_tonumber(L, -1) : lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        found--;
    return found == 0 ? count : 0;
}

/* The coefficients at a stack index, of the signal's dtype, then zeros; their number, 0 where there is something else. */
static int read_coefficients(lua_State *L, const cuna_lua_state *S, const filter *f, double *values, int index)
{
    cuna_lua_vector v;
    int count = 0;
    memset(values, 0, (MOST_ORDER + 1) * sizeof *values);
    if (lua_istable(L, index))
        return S->default_dtype == f->x.dtype ? read_table(L, values, index, f->x.dtype == CUNA_FLOAT32) : 0;
    if (!cuna_lua_read_vector(L, S, &v, index, MOST_ORDER + 1) || v.dtype != f->x.dtype)
        return 0;
    for (; count < v.size; count++)
        values[count] = cuna_lua_element_of(&v, count).f;
    return count;
}

/* Divides coefficients by the first one of a as complex numbers are divided (Smith): a zero may change its sign. */
static bool divide(double *values, int count, double first)
{
    double rest = 0.0 * (0.0 / first), scale = 1 / (first + rest);
    for (int k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            return false;
        values[k] = (values[k] + rest) * scale;
    }
    return true;
}

static bool read_filter(lua_State *L, const cuna_lua_state *S, filter *f)
{
    if (lua_gettop(L) != 3 || !cuna_lua_read_vector(L, S, &f->x, 3, MOST_FILTERED) ||
        (f->x.dtype != CUNA_FLOAT64 && f->x.dtype != CUNA_FLOAT32))
        return false;
    int nb = read_coefficients(L, S, f, f->b, 1), na = read_coefficients(L, S, f, f->a, 2);
    double first = f->a[0];
    f->order = (nb > na ? nb : na) - 1;
    return nb > 0 && na > 1 && isfinite(first) && isfinite(1 / first) && divide(f->b, nb, first) &&
           divide(f->a, na, first);
}

/* Filters by sections of an order, which is a constant where filters of it are usual: then states are in registers. */
static inline __attribute__((always_inline)) void run(const filter *f, const int order, double *out)
{
    double state[MOST_ORDER] = {0};
    const char *from = f->x.first;
    for (int64_t i = 0; i < f->x.size; i++, from += f->x.stride) {
        const void *at = from;
        double value = f->x.dtype == CUNA_FLOAT64 ? *(const double *)at : *(const float *)at;
        double next = state[0] + f->b[0] * value;
        for (int k = 1; k < order; k++)
            state[k - 1] = state[k] + f->b[k] * value - f->a[k] * next;
        state[order - 1] = f->b[order] * value - f->a[order] * next;
        out[i] = next;
    }
}

static void run_any(const filter *f, double *out)
{
    switch (f->order) {
    case 1:
        run(f, 1, out);
        break;
    case 2:
        run(f, 2, out);
        break;
    case 4:
        run(f, 4, out);
        break;
    default:
        run(f, f->order, out);
        break;
    }
}

bool cuna_lua_serve_lfilter(lua_State *L, cuna_lua_state *S)
{
    filter f;
    double out[MOST_FILTERED];
    float narrow[MOST_FILTERED];
    if (!read_filter(L, S, &f))
        return false;
    run_any(&f, out);
    bool is_narrow = f.x.dtype == CUNA_FLOAT32;
    for (int64_t i = 0; is_narrow && i < f.x.size; i++)
        narrow[i] = (float)out[i];
    cuna_lua_push_values(L, S, f.x.device, f.x.dtype, is_narrow ? (const void *)narrow : out, f.x.size);
    return true;
}
