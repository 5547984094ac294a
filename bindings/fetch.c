/* fetch.c: x[key] and x[key] = value, where the key has arrays of positions besides basic entries; and x[mask] and
 * x[mask] = number, where the mask is all of the key and has x's shape.
 *
 * Lua defines the programs (lua/cuna/gather.lua), once for each number of arrays, their dtype and that of x. It has all
 * other keys, and all errors but that of a position out of range. Few elements few.c moves. */
#include "indexed.h"
#include "key.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = CUNA_LUA_MAX_POSITIONS };

typedef cuna_lua_access access;

typedef enum manner { FETCH, STORE_NUMBER, STORE_ARRAY, MANNERS } manner;

/* The place of the program that accesses elements of one dtype by so many arrays of another. */
static const cuna_program **place_of_program(cuna_lua_state *S, manner how, const access *a)
{
    size_t row = (size_t)((int)how * MOST + a->to.count - 1), x = a->x->dtype, key = a->positions[0]->dtype;
    if (S->accesses == NULL)
        S->accesses = calloc(MANNERS * MOST * CUNA_DTYPES * CUNA_DTYPES, sizeof *S->accesses);
    return S->accesses == NULL ? NULL : &S->accesses[(row * CUNA_DTYPES + x) * CUNA_DTYPES + key];
}

/* That program; asks Lua for it the first time. */
static const cuna_program *find_program(lua_State *L, cuna_lua_state *S, manner how, const access *a)
{
    static const char *const names[] = {"fetch", "store number", "store array"};
    const cuna_program **kept = place_of_program(S, how, a);
    if (__builtin_expect(kept != NULL && *kept != NULL, 1))
        return *kept;
    if (kept == NULL)
        cuna_lua_check(L, cuna_fail(CUNA_MEMORY, "the host has no memory left for the programs of %s", a->name));
    cuna_lua_push_slot(L, CUNA_SLOT_ACCESS);
    lua_pushstring(L, names[how]);
    lua_pushstring(L, cuna_dtype_name(a->x->dtype));
    lua_pushstring(L, cuna_dtype_name(a->positions[0]->dtype));
    lua_pushinteger(L, a->to.count);
    lua_call(L, 4, 1);
    *kept = cuna_lua_to_program(L, -1);
    lua_pop(L, 1);
    return *kept;
}

/* ---- what is accessed ---- */

/* Whether an array may index x. */
static bool is_key(const cuna_array *x, const cuna_array *key)
{
    return key != NULL && key->buffer != NULL && x->ndim > 0 && x->size > 0 &&
           cuna_array_device(x) == cuna_array_device(key);
}

static bool is_position(const cuna_array *key)
{
    return key->dtype != CUNA_BOOL && cuna_dtype_kind(key->dtype) != 'c';
}

/* Whether the key is a mask of x's shape. */
static bool is_mask(const cuna_array *x, const cuna_array *key)
{
    return is_key(x, key) && key->dtype == CUNA_BOOL && key->ndim == x->ndim &&
           cuna__same_lengths(cuna_array_shape(x), cuna_array_shape(key), x->ndim);
}

/* Adds an axis of a->to.whole, from 0, and the array that indexes it. */
static bool add_positions(access *a, int axis, const cuna_array *positions)
{
    cuna_lua_indexed *to = &a->to;
    if (!is_key(a->x, positions) || !is_position(positions) ||
        (to->count > 0 && positions->dtype != a->positions[0]->dtype))
        return false;
    a->positions[to->count] = positions;
    to->axes[to->count++] = axis;
    return cuna__shape_broadcast(&to->ndim, to->shape, positions->ndim, cuna_array_shape(positions));
}

/* The k-th array of the key at stack index 2, which stays on the stack: a finalizer may change a table meanwhile. */
static const cuna_array *push_array(lua_State *L, const cuna_lua_state *S, const cuna_lua_key *key, int k)
{
    if (lua_istable(L, 2))
        lua_rawgeti(L, 2, key->places[k] + 1);
    else
        lua_pushvalue(L, 2);
    return cuna_lua_peek_array(S, L, -1);
}

/* The axes that an entry takes of x, and those that it has in a view, as long as no array replaces these. */
static int taken_by(const cuna_index *entry, int hidden)
{
    return entry->kind == CUNA_INDEX_ELLIPSIS ? hidden : entry->kind == CUNA_INDEX_NEWAXIS ? 0 : 1;
}

static int given_by(const cuna_index *entry, int hidden)
{
    return entry->kind == CUNA_INDEX_ELLIPSIS ? hidden : entry->kind == CUNA_INDEX_SELECT ? 0 : 1;
}

/* Reads the arrays of a key, and the place of their axes: that of the first array or number if these are side by side,
 * else the first. */
static bool read_arrays(lua_State *L, const cuna_lua_state *S, access *a, const cuna_lua_key *key, int *place)
{
    int hidden = a->x->ndim, axis = 0, last = -1;
    for (int e = 0; e < key->nentries; e++)
        hidden -= taken_by(&key->entries[e], 0);
    for (int e = 0; e < key->nentries; e++) {
        bool is_array = a->to.count < key->narrays && key->places[a->to.count] == e;
        if (is_array || key->entries[e].kind == CUNA_INDEX_SELECT) {
            *place = last < 0 ? axis + 1 : last < e - 1 ? 1 : *place;
            last = e;
        }
        if (is_array && !add_positions(a, axis, push_array(L, S, key, a->to.count)))
            return false;
        axis += given_by(&key->entries[e], hidden);
    }
    return hidden >= 0;
}

/* x indexed by a key that has arrays. */
static bool read_access(lua_State *L, const cuna_lua_state *S, access *a, const cuna_lua_key *key)
{
    int place = 1;
    cuna_geometry own;
    a->x = lua_touserdata(L, 1);
    a->to.count = a->to.ndim = 0;
    luaL_checkstack(L, MOST + 8, a->name);
    if (key->narrays > MOST || !read_arrays(L, S, a, key, &place))
        return false;
    cuna_array_geometry(&own, a->x);
    return cuna__shape_index(&a->to.whole, &own, key->nentries, key->entries) == CUNA_OK &&
           cuna_lua_lay_out_indexed(&a->to, place) && !cuna_lua_has_rows(&a->to, a->x->dtype);
}

/* The array at stack index 1, indexed along an axis, from 1, by the one at 2. */
static bool read_along(access *a, const cuna_array *x, const cuna_array *positions, int64_t axis)
{
    a->x = x;
    a->to.count = a->to.ndim = 0;
    if (axis < 1 || axis > x->ndim || !add_positions(a, (int)axis - 1, positions))
        return false;
    cuna_array_geometry(&a->to.whole, x);
    return cuna_lua_lay_out_indexed(&a->to, (int)axis) && !cuna_lua_has_rows(&a->to, x->dtype);
}

/* ---- programs ---- */

static cuna_operand integer(int64_t value)
{
    return (cuna_operand){.number = {.kind = CUNA_NUMBER_INT, .i = value}};
}

/* The operands in the order of `displacement` in lua/cuna/gather.lua: an array over the result, positions, steps, lengths
 * and the mark. Programs that store have a value, too. */
static cuna_operand *place_of_value(const access *a, cuna_operand *operands)
{
    return &operands[2 + 3 * a->to.count];
}

static void read_moves(lua_State *L, const access *a, cuna_operand *operands)
{
    const cuna_lua_indexed *to = &a->to;
    int64_t itemsize = cuna_dtype_size(a->x->dtype);
    for (int k = 0; k < to->count; k++) {
        operands[1 + to->count + k] = integer(to->whole.strides[to->axes[k]] * itemsize);
        operands[1 + 2 * to->count + k] = integer(to->whole.shape[to->axes[k]]);
    }
    operands[1 + 3 * to->count] = integer((int64_t)cuna_lua_report_mark(L, cuna_array_device(a->x), a->name));
}

static cuna_status widen(cuna_array *out, const access *a, const cuna_array *positions)
{
    cuna_geometry geometry;
    cuna_lua_widen_positions(&geometry, &a->to, positions);
    return cuna_array_view(out, positions, positions->dtype, &geometry);
}

/* Reads into `out`, or stores, through views, which the call of the engine needs only while it runs. */
static cuna_status run(cuna_context *context, const access *a, const cuna_program *program, cuna_operand *operands,
                       cuna_array *out)
{
    cuna_array source = {0}, wide[MOST];
    const cuna_geometry *base = &a->to.base;
    int nwide = 0;
    cuna_status status = cuna_array_view(&source, a->x, a->x->dtype, base);
    operands[0].array = &source;
    for (int k = 0; status == CUNA_OK && k < a->to.count; k++) {
        operands[1 + k].array = a->to.after == 0 ? a->positions[k] : &wide[nwide];
        if (a->to.after > 0) {
            wide[nwide] = (cuna_array){0};
            status = widen(&wide[nwide++], a, a->positions[k]);
        }
    }
    if (status == CUNA_OK)
        status = cuna_record(context, a->name, program, operands, &out, base->ndim, base->shape);
    while (nwide > 0)
        cuna_array_release(&wide[--nwide]);
    cuna_array_release(&source);
    return status;
}

/* ---- x[key] ---- */

/* Fetches into an array, which is made where it is empty. */
static void fetch_into(lua_State *L, cuna_lua_state *S, const access *a, cuna_array *out)
{
    bool done;
    cuna_operand operands[3 + 3 * MOST];
    CUNA_LUA_TRY(L, cuna_lua_fetch_few(S->context, a, out, &done));
    if (done)
        return;
    const cuna_program *program = find_program(L, S, FETCH, a);
    read_moves(L, a, operands);
    CUNA_LUA_TRY(L, run(S->context, a, program, operands, out));
}

static void push_fetched(lua_State *L, cuna_lua_state *S, const access *a)
{
    cuna_lua_pace(L, S);
    fetch_into(L, S, a, cuna_lua_push_empty(L, S));
}

/* Pushes x[mask]. */
static void push_selected(lua_State *L, cuna_lua_state *S, const cuna_array *x, const cuna_array *mask)
{
    access a = {.x = x, .positions = {mask}, .to = {.count = 1}};
    cuna_lua_check_waiting(L, "index");
    const cuna_program *program = find_program(L, S, FETCH, &a);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_compact(S->context, "index", program, mask, x, out));
}

bool cuna_lua_fetch(lua_State *L, cuna_lua_state *S, const cuna_lua_key *k)
{
    access a;
    const cuna_array *x = lua_touserdata(L, 1), *mask = cuna_lua_peek_array(S, L, 2);
    a.name = "index";
    if (is_mask(x, mask) && (x->flags & mask->flags & CUNA_ARRAY_CONTIGUOUS)) {
        push_selected(L, S, x, mask);
        return true;
    }
    if (!read_access(L, S, &a, k))
        return false;
    push_fetched(L, S, &a);
    return true;
}

/* ---- x[key] = value ---- */

enum { MOST_CHECKED = 1 << 14 }; /* positions that one thread checks sooner than a kernel does */

/* Whether all positions are in range, as far as the host knows. On a device that is asynchronous the program
 * reports those that are not. */
static bool are_in_range(const cuna_context *context, const cuna_array *positions, int64_t length)
{
    if (cuna_device_is_asynchronous(cuna_array_device(positions)))
        return true;
    const char *at = positions->size <= MOST_CHECKED && (positions->flags & CUNA_ARRAY_CONTIGUOUS)
                         ? cuna_array_touch(context, positions, 0)
                         : NULL;
    int64_t place, nbytes = cuna_dtype_size(positions->dtype);
    bool all = at != NULL;
    for (int64_t i = 0; all && i < positions->size; i++)
        all = cuna_lua_read_place(&place, positions->dtype, at + i * nbytes, length);
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
    bool is_known = is_position(positions) && !cuna_device_is_asynchronous(cuna_array_device(positions));
    lua_pushboolean(L, is_known && are_in_range(cuna_lua_context(L), positions, (int64_t)luaL_checknumber(L, 2)));
    return 1;
}

/* Whether positions lie elsewhere than an array. */
static bool are_apart(const access *a, const cuna_array *array)
{
    bool apart = true;
    for (int k = 0; apart && k < a->to.count; k++)
        apart = !cuna_array_overlaps(array, a->positions[k]);
    return apart;
}

static bool all_in_range(const cuna_context *context, const access *a)
{
    bool all = true;
    for (int k = 0; all && k < a->to.count; k++)
        all = are_in_range(context, a->positions[k], a->to.whole.shape[a->to.axes[k]]);
    return all;
}

/* Stores the value at stack index 3. */
static bool store(lua_State *L, cuna_lua_state *S, const access *a)
{
    cuna_operand operands[3 + 3 * MOST], *value = place_of_value(a, operands);
    if ((a->x->flags & CUNA_ARRAY_READONLY) || !are_apart(a, a->x) || !read_value(L, S, value, a->x, &a->to.base))
        return false;
    if (cuna_lua_store_few(S->context, a, value))
        return true;
    if (!all_in_range(S->context, a))
        return false;
    bool is_array = value->array != NULL;
    const cuna_program *program = find_program(L, S, is_array ? STORE_ARRAY : STORE_NUMBER, a);
    read_moves(L, a, operands);
    cuna_lua_pace(L, S);
    CUNA_LUA_TRY(L, run(S->context, a, program, operands, NULL));
    return true;
}

/* Stores the number at stack index 3 where a mask is true; false for other values. */
static bool store_masked(lua_State *L, cuna_lua_state *S, access *a)
{
    const cuna_array *mask = a->positions[0];
    cuna_array *x = lua_touserdata(L, 1);
    cuna_operand operands[3] = {{.array = mask}, {.array = NULL}, {.array = x}};
    if (!cuna_lua_to_number(L, 3, &operands[1].number) || (x->flags & CUNA_ARRAY_READONLY) ||
        !cuna_lua_number_suits(&operands[1].number, x->dtype, NULL, 0) || cuna_array_overlaps(x, mask))
        return false;
    a->to.count = 1;
    const cuna_program *program = find_program(L, S, STORE_NUMBER, a);
    cuna_lua_pace(L, S);
    CUNA_LUA_TRY(L, cuna_record(S->context, a->name, program, operands, &x, x->ndim, cuna_array_shape(x)));
    return true;
}

bool cuna_lua_store(lua_State *L, cuna_lua_state *S, const cuna_lua_key *k)
{
    access a = {.name = "assignment", .x = lua_touserdata(L, 1), .positions = {cuna_lua_peek_array(S, L, 2)}};
    if (is_mask(a.x, a.positions[0]))
        return store_masked(L, S, &a);
    return read_access(L, S, &a, k) && store(L, S, &a);
}

/* store(x, positions, value, what) -> whether x[positions] = value was done, for a function that says so in errors; false
 * for what this file passes on */
static int core_store(lua_State *L)
{
    access a;
    a.name = luaL_checkstring(L, 4);
    cuna_lua_state *S = cuna_lua_get_state(L);
    const cuna_array *x = cuna_lua_check_array(L, 1, a.name);
    lua_pushboolean(L, read_along(&a, x, cuna_lua_peek_array(S, L, 2), 1) && store(L, S, &a));
    return 1;
}

/* ---- for functions ---- */

/* Whether the result goes into an array as it is, and only if all of it does. */
static bool fits(const cuna_context *context, const access *a, const cuna_array *out)
{
    const cuna_geometry *base = &a->to.base;
    return out != NULL && out->buffer != NULL && !(out->flags & CUNA_ARRAY_READONLY) && out->dtype == a->x->dtype &&
           cuna_array_device(out) == cuna_array_device(a->x) && out->ndim == base->ndim &&
           cuna__same_lengths(cuna_array_shape(out), base->shape, base->ndim) && !cuna_array_overlaps(out, a->x) &&
           are_apart(a, out) && all_in_range(context, a);
}

/* fetch(x, positions, what, axis, out or nil) -> x with an axis (nil: the only one) replaced by those of the positions,
 * which it is indexed by, for a function that says so in errors; nil for what this file passes on, whatever it is */
static int core_fetch(lua_State *L)
{
    access a;
    cuna_lua_state *S = cuna_lua_get_state(L);
    a.name = luaL_checkstring(L, 3);
    lua_settop(L, 5);
    const cuna_array *x = cuna_lua_peek_array(S, L, 1), *positions = cuna_lua_peek_array(S, L, 2);
    int64_t axis = 1;
    bool is_known = x != NULL && x->buffer != NULL &&
                    (lua_isnil(L, 4) ? x->ndim == 1 : cuna_lua_peek_whole(L, 4, &axis)) &&
                    read_along(&a, x, positions, axis);
    if (is_known && lua_isnil(L, 5))
        push_fetched(L, S, &a);
    else if (is_known && fits(S->context, &a, cuna_lua_peek_array(S, L, 5)))
        fetch_into(L, S, &a, lua_touserdata(L, 5));
    else
        lua_pushnil(L);
    return 1;
}

void cuna_lua_open_fetch(lua_State *L)
{
    cuna_lua_register(
        L, (const luaL_Reg[]){
               {"fetch", core_fetch}, {"store", core_store}, {"are_in_range", core_are_in_range}, {NULL, NULL}});
}
