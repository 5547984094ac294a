/* front.c: fronts: C functions before functions of Lua, for the calls that scripts make most.
 *
 * A front serves the plain forms of a call: arrays that are alive, whole numbers, no options. Every other call it passes
 * to its Lua function as it came, before anything was done. So the Lua function reads all forms and raises all errors
 * about arguments, and a front has neither. Upvalues of a front: the state, the Lua function, its fold or what it
 * creates. */
#include "state.h"

#include <math.h>
#include <string.h>

#define MOST_EXACT 9007199254740992.0 /* 2^53 */

int cuna_lua_pass_on(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

bool cuna_lua_peek_whole(lua_State *L, int index, int64_t *value)
{
    double number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
    if (!(fabs(number) <= MOST_EXACT))
        return false;
    *value = (int64_t)number;
    return (double)*value == number;
}

/* One traversal checks that the table has the keys 1..n and reads its values. */
static int peek_table(lua_State *L, int index, int64_t *values)
{
    int64_t key = 0, last = 0, found = 0;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        bool is_place = cuna_lua_peek_whole(L, -2, &key) && key >= 1 && key <= CUNA_MAX_NDIM;
        if (!is_place || !cuna_lua_peek_whole(L, -1, &values[key - 1])) {
            lua_pop(L, 2);
            return -1;
        }
        last = key > last ? key : last;
        found++;
    }
    return last == found ? (int)found : -1;
}

int cuna_lua_peek_list(lua_State *L, int first, int last, int64_t *values)
{
    int count = last - first + 1;
    if (count == 1 && lua_type(L, first) == LUA_TTABLE)
        return peek_table(L, first, values);
    if (count > CUNA_MAX_NDIM)
        return -1;
    for (int i = 0; i < count; i++)
        if (!cuna_lua_peek_whole(L, first + i, &values[i]))
            return -1;
    return count;
}

/* The front of a name, and what it serves: a fold, a creation, a progression, or a function of short vectors. */
static lua_CFunction find_front(cuna_lua_state *S, const char *name, const void **served)
{
    if ((*served = cuna_lua_find_fold(S, name)) != NULL)
        return cuna_lua_front_fold;
    if ((*served = cuna_lua_find_creation(name)) != NULL)
        return cuna_lua_front_create;
    if ((*served = cuna_lua_find_progression(name)) != NULL)
        return cuna_lua_front_progression;
    if ((*served = cuna_lua_find_small(name)) != NULL)
        return cuna_lua_front_small;
    if (strcmp(name, "reshape") == 0)
        return cuna_lua_front_reshape;
    return strcmp(name, "transpose") == 0 ? cuna_lua_front_transpose : NULL;
}

/* front(name, function) -> the front of that name before the function; the function itself if there is none */
static int core_front(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const void *served;
    lua_CFunction front = find_front(S, luaL_checkstring(L, 1), &served);
    lua_settop(L, 2);
    if (front == NULL)
        return 1;
    lua_pushlightuserdata(L, S);
    lua_insert(L, 2);
    lua_pushlightuserdata(L, (void *)served);
    lua_pushcclosure(L, front, 3);
    return 1;
}

void cuna_lua_open_front(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"front", core_front}, {NULL, NULL}});
}
