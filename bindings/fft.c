/* fft.c: Fourier transforms for lua/cuna/fft/init.lua. */
#include "state.h"

static const char *const kinds[] = {"complex", "to_complex", "to_real", NULL};

static void read_axes(lua_State *L, int index, cuna_fft_request *request, int ndim)
{
    luaL_checktype(L, index, LUA_TTABLE);
    request->naxes = (int)lua_objlen(L, index);
    for (int i = 0; i < request->naxes && i < CUNA_MAX_NDIM; i++) {
        lua_rawgeti(L, index, i + 1);
        request->axes[i] = cuna_lua_check_axis(L, -1, ndim, request->name);
        lua_pop(L, 1);
    }
}

/* fft(x, kind, inverse, axes, length, scale, out or nil, name, whether x is temporary) -> array, whether it was scaled;
 * nothing if the layout must be copied first */
static int core_fft(lua_State *L)
{
    const char *name = luaL_checkstring(L, 8);
    const cuna_array *x = cuna_lua_check_array(L, 1, name);
    cuna_fft_request request = {.name = name, .kind = (cuna_fft_kind)luaL_checkoption(L, 2, NULL, kinds)};
    bool done, scaled;
    request.inverse = lua_toboolean(L, 3);
    read_axes(L, 4, &request, x->ndim);
    request.length = (int64_t)luaL_checknumber(L, 5);
    request.scale = luaL_checknumber(L, 6);
    request.is_temporary = lua_toboolean(L, 9);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    cuna_array *out;
    if (lua_isnil(L, 7)) {
        out = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    } else {
        out = cuna_lua_check_array(L, 7, name);
        lua_pushvalue(L, 7);
    }
    CUNA_LUA_TRY(L, cuna_fft(&done, &scaled, cuna_lua_context(L), &request, x, out));
    lua_pushboolean(L, scaled);
    /* Nothing when not done: Lua then calls again with a copy of x. */
    return done ? 2 : 0;
}

/* fft_plans(clear) -> the number of plans, after destroying all if `clear` */
static int core_fft_plans(lua_State *L)
{
    cuna_context *context = cuna_lua_context(L);
    if (lua_toboolean(L, 1))
        cuna_fft_clear_plans(context);
    lua_pushnumber(L, cuna_fft_plan_count(context));
    return 1;
}

void cuna_lua_open_fft(lua_State *L)
{
    static const luaL_Reg functions[] = {{"fft", core_fft}, {"fft_plans", core_fft_plans}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}
