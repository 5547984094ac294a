/* fetch.c: the front of x[key] where the key is one array: of positions along the first axis, or a mask of x's shape.
 *
 * Lua defines the program (lua/cuna/gather.lua), once for each dtype of the array and of the key, and has all other keys
 * and all errors but that of a position out of range. */
#include <string.h>

#include "state.h"

enum { MOST_NBYTES = 1 << 16 }; /* of rows: what is longer Lua copies in wide elements */

/* The inputs of the program, in the order of `displacement` in lua/cuna/gather.lua. */
enum { SOURCE, POSITIONS, STEP, LENGTH, MARK, NOPERANDS };

static cuna_operand integer(int64_t value)
{
    return (cuna_operand){.number = {.kind = CUNA_NUMBER_INT, .i = value}};
}

/* The program that reads elements of one dtype by a key of another; asks Lua for it the first time. */
static const cuna_program *find_program(lua_State *L, cuna_lua_state *S, cuna_dtype dtype, cuna_dtype key)
{
    const cuna_program **kept = &S->fetches[dtype][key];
    if (__builtin_expect(*kept != NULL, 1))
        return *kept;
    cuna_lua_push_slot(L, CUNA_SLOT_FETCH);
    lua_pushstring(L, cuna_dtype_name(dtype));
    lua_pushstring(L, cuna_dtype_name(key));
    lua_call(L, 2, 1);
    *kept = cuna_lua_to_program(L, -1);
    lua_pop(L, 1);
    return *kept;
}

/* The shape of x[positions]: that of the positions, then x's other axes, which have strides in the array and are
 * broadcast in the positions. */
static void lay_out(cuna_geometry *base, cuna_geometry *at, const cuna_array *x, const cuna_array *positions)
{
    cuna_geometry whole;
    cuna_array_geometry(&whole, x);
    cuna_array_geometry(at, positions);
    base->ndim = at->ndim;
    base->offset = at->offset = 0;
    for (int i = 0; i < at->ndim; i++) {
        base->shape[i] = at->shape[i];
        base->strides[i] = 0;
    }
    for (int axis = 1; axis < whole.ndim; axis++) {
        base->shape[base->ndim] = whole.shape[axis];
        base->strides[base->ndim++] = whole.strides[axis];
        at->shape[at->ndim] = 1;
        at->strides[at->ndim++] = 0;
    }
}

static bool is_long(const cuna_array *x, const cuna_geometry *base)
{
    int64_t size;
    return x->ndim > 1 && (cuna__shape_size(&size, base->ndim, base->shape) != CUNA_OK ||
                           size >= MOST_NBYTES / cuna_dtype_size(x->dtype));
}

static bool is_position(const cuna_array *x, const cuna_array *key)
{
    return key->dtype != CUNA_BOOL && cuna_dtype_kind(key->dtype) != 'c' && x->ndim + key->ndim - 1 <= CUNA_MAX_NDIM;
}

/* Whether the key is a mask of x's shape, and both are row-major. */
static bool is_mask(const cuna_array *x, const cuna_array *key)
{
    return key->dtype == CUNA_BOOL && key->ndim == x->ndim && (x->flags & key->flags & CUNA_ARRAY_CONTIGUOUS) &&
           memcmp(cuna_array_shape(x), cuna_array_shape(key), (size_t)x->ndim * sizeof(int64_t)) == 0;
}

/* Reads into `out` through views, which the call of the engine needs only while it runs. */
static cuna_status fetch(cuna_context *context, const cuna_program *program, const cuna_array *x,
                         const cuna_array *positions, const cuna_geometry *base, const cuna_geometry *at,
                         cuna_operand *operands, cuna_array *out)
{
    cuna_array source = {0}, places = {0};
    bool as_given = at->ndim == positions->ndim; /* x has no other axes */
    cuna_status status = cuna_array_view(&source, x, x->dtype, base);
    if (status == CUNA_OK && !as_given)
        status = cuna_array_view(&places, positions, positions->dtype, at);
    operands[SOURCE].array = &source;
    operands[POSITIONS].array = as_given ? positions : &places;
    if (status == CUNA_OK)
        status = cuna_record(context, "index", program, operands, &out, base->ndim, base->shape);
    cuna_array_release(&places);
    cuna_array_release(&source);
    return status;
}

/* Pushes x[positions]; false for rows that are long. */
static bool push_at(lua_State *L, cuna_lua_state *S, const cuna_array *x, const cuna_array *positions)
{
    cuna_geometry base, at;
    lay_out(&base, &at, x, positions);
    if (is_long(x, &base))
        return false;
    const cuna_program *program = find_program(L, S, x->dtype, positions->dtype);
    cuna_operand operands[NOPERANDS] = {
        [STEP] = integer(cuna_array_strides(x)[0] * cuna_dtype_size(x->dtype)),
        [LENGTH] = integer(cuna_array_shape(x)[0]),
        [MARK] = integer((int64_t)cuna_lua_report_mark(L, cuna_array_device(x), "index")),
    };
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, fetch(S->context, program, x, positions, &base, &at, operands, out));
    return true;
}

/* Pushes x[mask]. */
static bool push_selected(lua_State *L, cuna_lua_state *S, const cuna_array *x, const cuna_array *mask)
{
    cuna_lua_check_waiting(L, "index");
    const cuna_program *program = find_program(L, S, x->dtype, CUNA_BOOL);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_compact(S->context, "index", program, mask, x, out));
    return true;
}

bool cuna_lua_fetch(lua_State *L, cuna_lua_state *S)
{
    const cuna_array *x = lua_touserdata(L, 1), *key = cuna_lua_peek_array(S, L, 2);
    if (key == NULL || key->buffer == NULL || x->ndim == 0 || x->size == 0 ||
        cuna_array_device(x) != cuna_array_device(key))
        return false;
    if (is_position(x, key))
        return push_at(L, S, x, key);
    return is_mask(x, key) && push_selected(L, S, x, key);
}
