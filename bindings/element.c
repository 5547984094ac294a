/* element.c: x[key] for keys without parsing: one element, by a number for each axis, or a row. Positions count from 1.
 * All other keys, such as positions from the end or out of range, go to index.c, which has the rules and raises the
 * errors.
 *
 * LuaJIT's compiled code cannot call functions that take a lua_State, so lua/cuna/element.lua calls the functions at
 * the end of this file through the FFI. They handle the most frequent case, arrays that the host can access directly,
 * and never raise: index.c handles what they decline. */
#include "state.h"

#include <math.h>
#include <string.h>

/* A position from 1 to length, counted from 0; else -1. */
static inline int64_t place_of(double position, int64_t length)
{
    return position >= 1 && position <= (double)length && position == (double)(int64_t)position ? (int64_t)position - 1
                                                                                                : -1;
}

/* The same of the value at a stack index. */
static inline int64_t find_place(lua_State *L, int index, int64_t length)
{
    return lua_type(L, index) == LUA_TNUMBER ? place_of(lua_tonumber(L, index), length) : -1;
}

/* One traversal checks each entry and that there are no others. */
static bool find_in_table(lua_State *L, const cuna_array *array, int64_t *offset)
{
    const int64_t *shape = cuna_array_shape(array), *strides = cuna_array_strides(array);
    int found = 0;
    *offset = 0;
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        int64_t axis = find_place(L, -2, array->ndim), place = axis < 0 ? -1 : find_place(L, -1, shape[axis]);
        if (place < 0) {
            lua_pop(L, 2);
            return false;
        }
        *offset += place * strides[axis];
        found++;
    }
    return found == array->ndim && found > 0;
}

bool cuna_lua_find_element(lua_State *L, const cuna_array *array, int64_t *offset)
{
    if (lua_type(L, 2) == LUA_TTABLE)
        return find_in_table(L, array, offset);
    int64_t place = array->ndim == 1 ? find_place(L, 2, cuna_array_shape(array)[0]) : -1;
    *offset = place < 0 ? 0 : place * cuna_array_strides(array)[0];
    return place >= 0;
}

void cuna_lua_read_element(lua_State *L, const cuna_lua_state *S, const cuna_array *array, int64_t offset)
{
    cuna_number number;
    cuna_lua_check(L, cuna_context_check_waiting(S->context, "index"));
    CUNA_LUA_TRY(L, cuna_array_read(&number, S->context, array, offset));
    cuna_lua_push_number(L, &number);
}

bool cuna_lua_push_at(lua_State *L, cuna_lua_state *S, const cuna_array *array, double position)
{
    int64_t place = array->ndim > 0 ? place_of(position, array->dims[0]) : -1;
    if (place < 0)
        return false;
    if (array->ndim > 1)
        cuna_lua_push_row(L, S, 1, array, place);
    else
        cuna_lua_read_element(L, S, array, place * array->dims[1]);
    return true;
}

/* item(x, what) -> the element of an array that has one */
static int core_item(lua_State *L)
{
    const char *what = luaL_checkstring(L, 2);
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    if (array->size != 1)
        return cuna_lua_fail(L, "%s: the array has %lld elements", what, (long long)array->size);
    cuna_lua_check_waiting(L, what);
    cuna_lua_read_element(L, cuna_lua_get_state(L), array, 0);
    cuna_lua_run_callbacks(L);
    return 1;
}

/* ---- what the FFI calls ---- */

/* Adds the offset of a position on an axis. */
static inline bool add_place(int64_t *offset, const cuna_array *array, int axis, double position)
{
    int64_t place = place_of(position, array->dims[axis]);
    *offset += place * array->dims[array->ndim + axis];
    return place >= 0;
}

/* Finds the offset of the element at `count` positions. */
static inline bool find(int64_t *offset, const cuna_array *array, int count, double first, double second, double third)
{
    *offset = 0;
    bool found = (array->buffer != NULL) & (array->ndim == count) & (count > 0) & (cuna_lua_attention == 0);
    found = found && add_place(offset, array, 0, first);
    if (count > 1)
        found = found && add_place(offset, array, 1, second);
    if (count > 2)
        found = found && add_place(offset, array, 2, third);
    return found;
}

/* Every NaN passed to Lua is this one: LuaJIT uses the other bit patterns for its other types. */
static double plain_nan(void)
{
    static const uint64_t bits = (uint64_t)0xfff8 << 48;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What is at the positions where read_touched returns NaN. */
typedef enum { DECLINED, NOT_A_NUMBER, IS_FALSE, IS_TRUE } other_kind;

static other_kind load_other(double *value, const cuna_array *array, const void *memory)
{
    cuna_number number;
    cuna_number_load(&number, array->dtype, memory);
    if (number.kind == CUNA_NUMBER_BOOL)
        return number.b ? IS_TRUE : IS_FALSE;
    return cuna_lua_is_double(value, &number) ? NOT_A_NUMBER : DECLINED;
}

/* The number at the positions; for all else NaN, and `kind` is set. LuaJIT puts a load from memory off until the value
 * is used, past a call that changes the memory: so numbers are returned, and `kind` is compared at once. */
static double read_touched(const cuna_lua_state *S, const cuna_array *array, int count, double first, double second,
                           double third, int *kind)
{
    double value = 0;
    int64_t offset;
    bool is_element = find(&offset, array, count, first, second, third);
    const void *memory = is_element ? cuna_array_touch(S->context, array, offset) : NULL;
    other_kind found = NOT_A_NUMBER;
    if (memory == NULL)
        found = DECLINED;
    else if (array->dtype == CUNA_FLOAT64)
        memcpy(&value, memory, sizeof value);
    else
        found = load_other(&value, array, memory);
    if (found == NOT_A_NUMBER && !isnan(value))
        return value;
    *kind = (int)found;
    return plain_nan();
}

/* Whether it was written. */
static int write_touched(const cuna_lua_state *S, const cuna_array *array, int count, double first, double second,
                         double third, double value)
{
    cuna_number number;
    uint64_t bytes[2];
    int64_t offset;
    bool is_element = find(&offset, array, count, first, second, third);
    void *memory = is_element ? cuna_array_touch_to_write(S->context, array, offset) : NULL;
    if (memory == NULL)
        return 0;
    if (array->dtype == CUNA_FLOAT64) { /* which Lua's numbers are */
        memcpy(memory, &value, sizeof value);
        return 1;
    }
    cuna_lua_from_double(&number, value);
    if (!cuna_lua_number_suits(&number, array->dtype, NULL, 0))
        return 0;
    cuna_number_store(bytes, array->dtype, &number);
    memcpy(memory, bytes, (size_t)cuna_dtype_size(array->dtype));
    return 1;
}

/* touching() -> the state, and the addresses of the functions above */
static int core_touching(lua_State *L)
{
    lua_pushlightuserdata(L, cuna_lua_get_state(L));
    lua_pushlightuserdata(L, (void *)(uintptr_t)read_touched);
    lua_pushlightuserdata(L, (void *)(uintptr_t)write_touched);
    return 3;
}

void cuna_lua_open_element(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"touching", core_touching}, {"item", core_item}, {NULL, NULL}});
}
