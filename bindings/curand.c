/* curand.c: cuRAND generators in Lua: objects without fields, for random/random_state.lua. */
#include "state.h"

typedef struct rand_box {
    cuna_generator *generator;
} rand_box;

static cuna_generator *check_generator(lua_State *L)
{
    const rand_box *box = cuna_lua_to_object(L, 1, CUNA_SLOT_RAND_META);
    if (box == NULL || box->generator == NULL)
        cuna_lua_fail(L, "RandomState: expected a generator of cuRAND's, got %s", luaL_typename(L, 1));
    return box->generator;
}

static int rand_gc(lua_State *L)
{
    rand_box *box = cuna_lua_to_object(L, 1, CUNA_SLOT_RAND_META);
    if (box != NULL && box->generator != NULL)
        cuna_generator_destroy(box->generator);
    if (box != NULL)
        box->generator = NULL;
    return 0;
}

/* rand_create(device, method, dimensions) -> generator */
static int rand_create(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "RandomState");
    const char *method = luaL_checkstring(L, 2);
    rand_box *box = lua_newuserdata(L, sizeof *box);
    box->generator = NULL;
    cuna_lua_push_slot(L, CUNA_SLOT_RAND_META);
    lua_setmetatable(L, -2);
    CUNA_LUA_TRY(L, cuna_generator_create(&box->generator, device, method, (int)lua_tointeger(L, 3)));
    return 1;
}

static uint64_t check_word(lua_State *L, int index, const char *what)
{
    cuna_number number;
    if (!cuna_lua_to_number(L, index, &number))
        cuna_lua_fail(L, "RandomState: the %s is a whole number, got %s", what, luaL_typename(L, index));
    return number.kind == CUNA_NUMBER_FLOAT ? (uint64_t)number.f : (uint64_t)number.i;
}

/* rand_seed(generator, seed, offset) */
static int rand_seed(lua_State *L)
{
    cuna_generator *generator = check_generator(L);
    CUNA_LUA_TRY(L, cuna_generator_seed(generator, check_word(L, 2, "seed"), check_word(L, 3, "offset")));
    return 0;
}

/* rand_fill(generator, "bits", "uniform" or "normal", array) -> array */
static int rand_fill(lua_State *L)
{
    static const char *const draws[] = {"bits", "uniform", "normal", NULL};
    cuna_generator *generator = check_generator(L);
    cuna_draw draw = (cuna_draw)luaL_checkoption(L, 2, NULL, draws);
    const cuna_array *out = cuna_lua_check_array(L, 3, "RandomState");
    CUNA_LUA_TRY(L, cuna_generator_fill(cuna_lua_context(L), generator, draw, out));
    lua_settop(L, 3);
    return 1;
}

void cuna_lua_open_curand(lua_State *L)
{
    static const luaL_Reg metamethods[] = {{"__gc", rand_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"rand_create", rand_create}, {"rand_seed", rand_seed}, {"rand_fill", rand_fill}, {NULL, NULL}};
    cuna_lua_push_slot(L, CUNA_SLOT_RAND_META);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        cuna_lua_register(L, metamethods);
        cuna_lua_set_slot(L, CUNA_SLOT_RAND_META);
    }
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}
