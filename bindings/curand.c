/* curand.c: cuRAND generators in Lua: objects without fields, for random/random_state.lua. */
#include "state.h"

typedef struct curand_box {
    cuna_curand *generator;
} curand_box;

static cuna_curand *check_generator(lua_State *L)
{
    const curand_box *box = cuna_lua_to_object(L, 1, CUNA_SLOT_CURAND_META);
    if (box == NULL || box->generator == NULL)
        cuna_lua_fail(L, "RandomState: expected a generator of cuRAND's, got %s", luaL_typename(L, 1));
    return box->generator;
}

static int curand_gc(lua_State *L)
{
    curand_box *box = cuna_lua_to_object(L, 1, CUNA_SLOT_CURAND_META);
    if (box != NULL && box->generator != NULL)
        cuna_curand_destroy(box->generator);
    if (box != NULL)
        box->generator = NULL;
    return 0;
}

/* curand_create(device, method, dimensions) -> generator */
static int curand_create(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "RandomState");
    const char *method = luaL_checkstring(L, 2);
    curand_box *box = lua_newuserdata(L, sizeof *box);
    box->generator = NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_CURAND_META);
    lua_setmetatable(L, -2);
    CUNA_LUA_TRY(L, cuna_curand_create(&box->generator, device, method, (int)lua_tointeger(L, 3)));
    return 1;
}

static uint64_t check_word(lua_State *L, int index, const char *what)
{
    cuna_number number;
    if (!cuna_lua_to_number(L, index, &number))
        cuna_lua_fail(L, "RandomState: the %s is a whole number, got %s", what, luaL_typename(L, index));
    return number.kind == CUNA_NUMBER_FLOAT ? (uint64_t)number.f : (uint64_t)number.i;
}

/* curand_seed(generator, seed, offset) */
static int curand_seed(lua_State *L)
{
    cuna_curand *generator = check_generator(L);
    CUNA_LUA_TRY(L, cuna_curand_seed(generator, check_word(L, 2, "seed"), check_word(L, 3, "offset")));
    return 0;
}

/* curand_fill(generator, "bits", "uniform" or "normal", array) -> array */
static int curand_fill(lua_State *L)
{
    static const char *const draws[] = {"bits", "uniform", "normal", NULL};
    cuna_curand *generator = check_generator(L);
    cuna_curand_draw draw = (cuna_curand_draw)luaL_checkoption(L, 2, NULL, draws);
    const cuna_array *out = cuna_lua_check_array(L, 3, "RandomState");
    CUNA_LUA_TRY(L, cuna_curand_fill(cuna_lua_context(L), generator, draw, out));
    lua_settop(L, 3);
    return 1;
}

void cuna_lua_open_curand(lua_State *L)
{
    static const luaL_Reg metamethods[] = {{"__gc", curand_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"curand_create", curand_create}, {"curand_seed", curand_seed}, {"curand_fill", curand_fill}, {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_CURAND_META);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        cuna_lua_register(L, metamethods);
        cuna_lua_set_slot(L, CUNA_SLOT_CURAND_META);
    }
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}
