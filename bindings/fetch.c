/* fetch.c: the front of x[key] where the key is one array, of positions along the first axis, or a mask of x's shape; and
 * of x[key] = value for positions.
 *
 * Lua defines the programs (lua/cuna/gather.lua), once for each dtype of the array and of the key, and has all other keys
 * and all errors but that of a position out of range. */
#include "state.h"

enum { MOST_NBYTES = 1 << 16 }; /* of rows: what is longer Lua copies in wide elements */

/* The inputs of the programs, in the order of `displacement` in lua/cuna/gather.lua; one that stores has a value, too. */
enum { SOURCE, POSITIONS, STEP, LENGTH, MARK, VALUE, NOPERANDS };

static cuna_operand integer(int64_t value)
{
    return (cuna_operand){.number = {.kind = CUNA_NUMBER_INT, .i = value}};
}

/* A program that accesses elements of one dtype by a key of another; asks Lua for it the first time. */
static const cuna_program *find_program(lua_State *L, const cuna_program **kept, const char *access, cuna_dtype dtype,
                                        cuna_dtype key)
{
    if (__builtin_expect(*kept != NULL, 1))
        return *kept;
    cuna_lua_push_slot(L, CUNA_SLOT_ACCESS);
    lua_pushstring(L, access);
    lua_pushstring(L, cuna_dtype_name(dtype));
    lua_pushstring(L, cuna_dtype_name(key));
    lua_call(L, 3, 1);
    *kept = cuna_lua_to_program(L, -1);
    lua_pop(L, 1);
    return *kept;
}

static const cuna_program *find_fetch(lua_State *L, cuna_lua_state *S, cuna_dtype dtype, cuna_dtype key)
{
    return find_program(L, &S->fetches[dtype][key], "fetch", dtype, key);
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
           cuna__same_lengths(cuna_array_shape(x), cuna_array_shape(key), x->ndim);
}

/* Reads into `out`, or stores, through views, which the call of the engine needs only while it runs. */
static cuna_status run(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *x,
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
        status = cuna_record(context, name, program, operands, &out, base->ndim, base->shape);
    cuna_array_release(&places);
    cuna_array_release(&source);
    return status;
}

static void read_moves(lua_State *L, cuna_operand *operands, const cuna_array *x, const char *name)
{
    operands[STEP] = integer(cuna_array_strides(x)[0] * cuna_dtype_size(x->dtype));
    operands[LENGTH] = integer(cuna_array_shape(x)[0]);
    operands[MARK] = integer((int64_t)cuna_lua_report_mark(L, cuna_array_device(x), name));
}

/* Pushes x[positions], for a function of this name; false for rows that are long. */
static bool push_at(lua_State *L, cuna_lua_state *S, const cuna_array *x, const cuna_array *positions, const char *name)
{
    cuna_geometry base, at;
    cuna_operand operands[NOPERANDS] = {{.array = NULL}};
    lay_out(&base, &at, x, positions);
    if (is_long(x, &base))
        return false;
    const cuna_program *program = find_fetch(L, S, x->dtype, positions->dtype);
    read_moves(L, operands, x, name);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, run(S->context, name, program, x, positions, &base, &at, operands, out));
    return true;
}

/* Pushes x[mask]. */
static bool push_selected(lua_State *L, cuna_lua_state *S, const cuna_array *x, const cuna_array *mask)
{
    cuna_lua_check_waiting(L, "index");
    const cuna_program *program = find_fetch(L, S, x->dtype, CUNA_BOOL);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_compact(S->context, "index", program, mask, x, out));
    return true;
}

/* Whether a key, or NULL, may index an array. */
static bool is_key(const cuna_array *x, const cuna_array *key)
{
    return key != NULL && key->buffer != NULL && x->ndim > 0 && x->size > 0 &&
           cuna_array_device(x) == cuna_array_device(key);
}

bool cuna_lua_fetch(lua_State *L, cuna_lua_state *S)
{
    const cuna_array *x = lua_touserdata(L, 1), *key = cuna_lua_peek_array(S, L, 2);
    if (!is_key(x, key))
        return false;
    if (is_position(x, key))
        return push_at(L, S, x, key, "index");
    return is_mask(x, key) && push_selected(L, S, x, key);
}

/* fetch(x, positions, what) -> x[positions] for a function that says so in errors; nil for what this file passes on */
static int core_fetch(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *x = cuna_lua_check_array(L, 1, what), *positions = cuna_lua_check_array(L, 2, what);
    if (!is_key(x, positions) || !is_position(x, positions) || !push_at(L, S, x, positions, what))
        lua_pushnil(L);
    return 1;
}

/* ---- x[positions] = value ---- */

enum { MOST_CHECKED = 1 << 14 }; /* positions that one thread checks sooner than a kernel does */

/* Whether all positions, of int64, are in range, as far as the host knows. On a device that is asynchronous the program
 * reports those that are not. */
static bool are_in_range(const cuna_context *context, const cuna_array *positions, int64_t length)
{
    if (cuna_device_is_asynchronous(cuna_array_device(positions)))
        return true;
    const int64_t *at = positions->size <= MOST_CHECKED && (positions->flags & CUNA_ARRAY_CONTIGUOUS)
                            ? cuna_array_touch(context, positions, 0)
                            : NULL;
    bool all = at != NULL;
    for (int64_t i = 0; all && i < positions->size; i++)
        all = (at[i] >= 1 && at[i] <= length) || (at[i] < 0 && at[i] >= -length);
    return all;
}

/* Whether a value broadcasts to what is indexed, has x's dtype and lies elsewhere. */
static bool is_value(const cuna_array *x, const cuna_array *value, const cuna_geometry *base)
{
    cuna_geometry to = {.ndim = base->ndim};
    if (value == NULL || value->buffer == NULL || value->dtype != x->dtype || value->ndim > base->ndim ||
        cuna_array_device(value) != cuna_array_device(x) || cuna_array_overlaps(x, value))
        return false;
    cuna__copy_lengths(to.shape, base->shape, base->ndim);
    return cuna__shape_broadcast(&to.ndim, to.shape, value->ndim, cuna_array_shape(value)) &&
           cuna__same_lengths(to.shape, base->shape, base->ndim);
}

/* The value at stack index 3. */
static bool read_value(lua_State *L, cuna_lua_state *S, cuna_operand *out, const cuna_array *x,
                       const cuna_geometry *base)
{
    char problem[128];
    *out = (cuna_operand){.array = NULL};
    if (cuna_lua_to_number(L, 3, &out->number))
        return cuna_lua_number_suits(&out->number, x->dtype, problem, sizeof problem);
    out->array = cuna_lua_peek_array(S, L, 3);
    return is_value(x, out->array, base);
}

/* are_in_range(positions, length) -> whether the host finds at once that all are positions on an axis of this length */
static int core_are_in_range(lua_State *L)
{
    const cuna_array *positions = cuna_lua_check_array(L, 1, "index");
    bool is_known = positions->dtype == CUNA_INT64 && !cuna_device_is_asynchronous(cuna_array_device(positions));
    lua_pushboolean(L, is_known && are_in_range(cuna_lua_context(L), positions, (int64_t)luaL_checknumber(L, 2)));
    return 1;
}

/* x[positions] = value, of what is on the stack, for a function of this name. */
static bool store(lua_State *L, cuna_lua_state *S, const char *name)
{
    cuna_geometry base, at;
    cuna_operand operands[NOPERANDS] = {{.array = NULL}};
    const cuna_array *x = lua_touserdata(L, 1), *positions = cuna_lua_peek_array(S, L, 2);
    if (!is_key(x, positions) || positions->dtype != CUNA_INT64 || !is_position(x, positions) ||
        (x->flags & CUNA_ARRAY_READONLY) || cuna_array_overlaps(x, positions))
        return false;
    lay_out(&base, &at, x, positions);
    if (is_long(x, &base) || !read_value(L, S, &operands[VALUE], x, &base) ||
        !are_in_range(S->context, positions, cuna_array_shape(x)[0]))
        return false;
    bool is_array = operands[VALUE].array != NULL;
    const cuna_program *program = find_program(L, &S->stores[is_array][x->dtype],
                                               is_array ? "store array" : "store number", x->dtype, positions->dtype);
    read_moves(L, operands, x, name);
    cuna_lua_pace(L, S);
    CUNA_LUA_TRY(L, run(S->context, name, program, x, positions, &base, &at, operands, NULL));
    return true;
}

bool cuna_lua_store(lua_State *L, cuna_lua_state *S)
{
    return store(L, S, "assignment");
}

/* store(x, positions, value, what) -> whether x[positions] = value was done, for a function that says so in errors; false
 * for what this file passes on */
static int core_store(lua_State *L)
{
    const char *what = luaL_checkstring(L, 4);
    cuna_lua_check_array(L, 1, what);
    lua_pushboolean(L, store(L, cuna_lua_get_state(L), what));
    return 1;
}

void cuna_lua_open_fetch(lua_State *L)
{
    cuna_lua_register(
        L, (const luaL_Reg[]){
               {"fetch", core_fetch}, {"store", core_store}, {"are_in_range", core_are_in_range}, {NULL, NULL}});
}
