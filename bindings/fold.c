/* fold.c: the front of reductions: x:sum(), x:max(2), x:mean {axis = 1, keepdims = true}.
 *
 * A fold has a program for each dtype. Only a call for a dtype that it has not seen asks Lua (lua/cuna/reduce.lua) which
 * one folds such arrays when neither dtype nor out is given, or whether the Lua function has more to do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* A plain call. Without an axis it folds over all. */
typedef struct call {
    const cuna_array *x;
    const cuna_program *program;
    int64_t axis;
    bool has_axis, has_keepdims, keepdims;
} call;

/* Asks the hook about a dtype: a program, the place of keepdims among the arguments, and whether a call without axis and
 * keepdims decides; or nothing. */
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

/* The value at a stack index as the axis, or keepdims, which was not given before. */
static bool read_axis(lua_State *L, call *c, int index)
{
    bool is_first = !c->has_axis;
    c->has_axis = true;
    return is_first && cuna_lua_peek_whole(L, index, &c->axis);
}

static bool read_keepdims(lua_State *L, call *c, int index)
{
    bool is_first = !c->has_keepdims;
    c->has_keepdims = true;
    c->keepdims = lua_toboolean(L, index);
    return is_first && lua_isboolean(L, index);
}

static bool read_option(lua_State *L, call *c)
{
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(name, "axis") == 0)
        return read_axis(L, c, -1);
    return strcmp(name, "keepdims") == 0 && read_keepdims(L, c, -1);
}

/* The table of options at a stack index; {} may be a list of axes. */
static bool read_options(lua_State *L, call *c, int index)
{
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (read_option(L, c))
            continue;
        lua_pop(L, 2);
        return false;
    }
    return c->has_axis || c->has_keepdims;
}

static bool read_place(lua_State *L, const cuna_lua_fold *fold, call *c, int index)
{
    if (lua_isnil(L, index))
        return true;
    return index == 2 ? read_axis(L, c, index) : index == fold->keepdims && read_keepdims(L, c, index);
}

/* What stands after the array: the axis first, keepdims in its place, nil in all others, and then options. */
static bool read_arguments(lua_State *L, const cuna_lua_fold *fold, call *c)
{
    int last = lua_gettop(L);
    c->has_axis = c->has_keepdims = c->keepdims = false;
    if (last > 1 && lua_istable(L, last) && !read_options(L, c, last--))
        return false;
    for (int index = 2; index <= last; index++)
        if (!read_place(L, fold, c, index))
            return false;
    return last <= fold->keepdims;
}

/* The folded axes as a bit mask; false if the array has no such axis. */
static bool find_axes(const call *c, uint32_t *axes)
{
    int axis;
    *axes = (uint32_t)(((uint64_t)1 << c->x->ndim) - 1);
    if (!c->has_axis)
        return true;
    if (cuna__shape_axis(&axis, c->axis, c->x->ndim) != CUNA_OK)
        return false;
    *axes = 1u << axis;
    return true;
}

int cuna_lua_front_fold(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    cuna_lua_fold *fold = lua_touserdata(L, lua_upvalueindex(3));
    uint32_t axes;
    call c;
    if (!read_array(L, S, fold, &c) || !read_arguments(L, fold, &c) || !find_axes(&c, &axes))
        return cuna_lua_pass_on(L);
    bool decides = fold->decides && !c.has_axis && !c.has_keepdims;
    if (decides)
        cuna_lua_check_waiting(L, fold->title);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    cuna_operand operand = {.array = c.x};
    bool ran; /* always: no step is stored */
    CUNA_LUA_TRY(L, cuna_record_fold(&ran, S->context, fold->title, c.program, &operand, &out, axes, c.keepdims, 0));
    if (decides) {
        cuna_lua_read_element(L, S, out, 0);
        cuna_lua_run_callbacks(L);
    }
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
