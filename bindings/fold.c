/* fold.c: the front of reductions: x:sum(), x:max(2), x:mean(1, {keepdims = true}).
 *
 * A fold has a program for each dtype. Only a call for a dtype that it has not seen asks Lua (lua/cuna/reduce.lua) which
 * one folds such arrays when neither dtype nor out is given, or whether the Lua function has more to do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* A plain call. */
typedef struct call {
    const cuna_array *x;
    const cuna_program *program;
    int last; /* stack index of the last argument before options */
    uint32_t axes;
    bool keepdims;
} call;

/* Asks the hook about a dtype: a program, the place of keepdims among the arguments, and whether a call for all axes
 * decides; or nothing. */
static void resolve(lua_State *L, cuna_lua_fold *fold, cuna_dtype dtype)
{
    cuna_lua_push_slot(L, CUNA_SLOT_FOLD);
    lua_pushstring(L, fold->title);
    lua_pushstring(L, cuna_dtype_name(dtype));
    lua_call(L, 2, 3);
    fold->program[dtype] = cuna_lua_to_program(L, -3);
    fold->keepdims = (int)lua_tointeger(L, -2);
    fold->decides = lua_toboolean(L, -1);
    fold->known |= 1u << dtype;
    lua_pop(L, 3);
}

/* The array at stack index 1 and the program for it. Without elements it may have no result: Lua's function knows. */
static bool read_array(lua_State *L, const cuna_lua_state *S, cuna_lua_fold *fold, call *c)
{
    c->x = cuna_lua_peek_array(S, L, 1);
    if (c->x == NULL || c->x->buffer == NULL || c->x->size == 0)
        return false;
    cuna_dtype dtype = c->x->dtype;
    if (__builtin_expect((fold->known >> dtype & 1) == 0, 0))
        resolve(L, fold, dtype);
    c->program = fold->program[dtype];
    return c->program != NULL;
}

/* The table {keepdims = boolean} at a stack index. */
static bool read_option(lua_State *L, call *c, int index)
{
    lua_pushnil(L);
    if (lua_next(L, index) == 0)
        return false;
    bool is_keepdims =
        lua_type(L, -2) == LUA_TSTRING && lua_isboolean(L, -1) && strcmp(lua_tostring(L, -2), "keepdims") == 0;
    c->keepdims = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (lua_next(L, index) == 0)
        return is_keepdims;
    lua_pop(L, 2);
    return false;
}

/* The arguments after the axis: keepdims in its place or as the only option, and nil in all other places. */
static bool read_rest(lua_State *L, const cuna_lua_fold *fold, call *c)
{
    c->last = lua_gettop(L);
    c->keepdims = false;
    bool has_option = c->last > 1 && lua_istable(L, c->last);
    if (has_option && !read_option(L, c, c->last--))
        return false;
    for (int index = 3; index <= c->last; index++) {
        bool is_keepdims = index == fold->keepdims && !has_option && lua_isboolean(L, index);
        if (!is_keepdims && !lua_isnil(L, index))
            return false;
        c->keepdims = c->keepdims || (is_keepdims && lua_toboolean(L, index));
    }
    return c->last <= fold->keepdims;
}

/* The axis, argument 2; without it, or where it is nil, all of them. */
static bool read_axes(lua_State *L, const cuna_lua_fold *fold, call *c)
{
    int64_t value;
    int axis;
    if (c->last < 2 || lua_isnil(L, 2)) {
        c->axes = (uint32_t)(((uint64_t)1 << c->x->ndim) - 1);
        return !fold->decides;
    }
    if (!cuna_lua_peek_whole(L, 2, &value) || cuna__shape_axis(&axis, value, c->x->ndim) != CUNA_OK)
        return false;
    c->axes = 1u << axis;
    return true;
}

int cuna_lua_front_fold(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    cuna_lua_fold *fold = lua_touserdata(L, lua_upvalueindex(3));
    call c;
    if (!read_array(L, S, fold, &c) || !read_rest(L, fold, &c) || !read_axes(L, fold, &c))
        return cuna_lua_pass_on(L);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    cuna_operand operand = {.array = c.x};
    CUNA_LUA_TRY(L, cuna_reduce(S->context, fold->title, c.program, &operand, &out, c.axes, c.keepdims, 0));
    return 1;
}

cuna_lua_fold *cuna_lua_find_fold(cuna_lua_state *S, const char *name)
{
    cuna_lua_fold *fold = S->folds;
    while (fold != NULL && strcmp(fold->name, name) != 0)
        fold = fold->next;
    return fold;
}

void cuna_lua_forget_folds(cuna_lua_state *S)
{
    for (cuna_lua_fold *fold = S->folds; fold != NULL; fold = fold->next)
        fold->known = 0;
}

/* fold(name, title): declares a fold, which is called `title` in messages. Loaded again, it stays as it is: fronts
 * point to it. */
static int core_fold(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const char *name = luaL_checkstring(L, 1), *title = luaL_checkstring(L, 2);
    if (cuna_lua_find_fold(S, name) != NULL)
        return 0;
    cuna_lua_fold *fold = calloc(1, sizeof *fold);
    if (fold == NULL)
        return cuna_lua_fail(L, "the host has no memory left for reductions");
    snprintf(fold->name, sizeof fold->name, "%s", name);
    snprintf(fold->title, sizeof fold->title, "%s", title);
    fold->next = S->folds;
    S->folds = fold;
    return 0;
}

void cuna_lua_open_fold(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"fold", core_fold}, {NULL, NULL}});
}
