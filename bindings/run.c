/* run.c: runs the programs that program.c created; Lua calls it with checked arguments. */
#include "state.h"

/* Reads the operands of a program from the stack, beginning at `first`. */
static void read_operands(lua_State *L, const cuna_program *program, int first, const char *name,
                          cuna_operand *operands)
{
    const cuna_program_text *text = cuna_program_get_text(program);
    for (int k = 0; k < text->ninputs; k++) {
        operands[k].array = NULL;
        if (!text->input_scalar[k])
            operands[k].array = cuna_lua_check_array(L, first + k, name);
        else if (!cuna_lua_to_number(L, first + k, &operands[k].number))
            cuna_lua_fail(L, "%s: expected a number, got %s", name, luaL_typename(L, first + k));
    }
    for (int r = 0; r < text->nraws; r++)
        operands[text->ninputs + r].array = cuna_lua_check_array(L, first + text->ninputs + r, name);
}

/* The output given at a stack index, or a new empty array; either is pushed. */
static cuna_array *push_output(lua_State *L, int index, const char *name)
{
    if (lua_isnoneornil(L, index))
        return cuna_lua_push_array(L);
    cuna_array *out = cuna_lua_check_array(L, index, name);
    lua_pushvalue(L, index);
    return out;
}

/* Pushes the outputs of a table: outs[k] is an array, or false for a new one. */
static void push_outputs(lua_State *L, int table, const cuna_program *program, const char *name, cuna_array **outputs)
{
    luaL_checkstack(L, CUNA_MAX_OPERANDS + 2, name);
    for (int k = 0; k < cuna_program_get_text(program)->noutputs; k++) {
        lua_rawgeti(L, table, k + 1);
        if (lua_toboolean(L, -1)) {
            outputs[k] = cuna_lua_check_array(L, -1, name);
            continue;
        }
        lua_pop(L, 1);
        outputs[k] = cuna_lua_push_array(L);
    }
}

/* reduce(program, name, axes (bit mask), keepdims, extra, out or nil, operands...) -> array */
static int core_reduce(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    uint32_t axes = (uint32_t)luaL_checknumber(L, 3);
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    read_operands(L, program, 7, name, operands);
    cuna_array *out = push_output(L, 6, name);
    CUNA_LUA_TRY(L, cuna_reduce(cuna_lua_context(L), name, program, operands, &out, axes, lua_toboolean(L, 4),
                                lua_tonumber(L, 5)));
    return 1;
}

/* fold(program, name, axes (bit mask), keepdims, outs, operands...) -> outputs; raw arrays follow the operands. */
static int core_fold(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    uint32_t axes = (uint32_t)luaL_checknumber(L, 3);
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    read_operands(L, program, 6, name, operands);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    push_outputs(L, 5, program, name, outputs);
    CUNA_LUA_TRY(L, cuna_reduce(cuna_lua_context(L), name, program, operands, outputs, axes, lua_toboolean(L, 4), 0));
    return cuna_program_get_text(program)->noutputs;
}

/* stages(program, name, axes (bit mask), keepdims (bit mask by output), outs, operands...) -> outputs, or nothing if
 * separate reductions are faster. */
static int core_stages(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    uint32_t axes = (uint32_t)luaL_checknumber(L, 3), keepdims = (uint32_t)luaL_checknumber(L, 4);
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    bool ran = false;
    read_operands(L, program, 6, name, operands);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    push_outputs(L, 5, program, name, outputs);
    CUNA_LUA_TRY(L, cuna_stages(&ran, cuna_lua_context(L), name, program, operands, outputs, axes, keepdims));
    return ran ? cuna_program_get_text(program)->noutputs : 0;
}

/* scan(program, name, axis (from 1; 0: all elements as one axis), outs, operands...) -> outputs */
static int core_scan(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    int axis = (int)luaL_checknumber(L, 3) - 1;
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    read_operands(L, program, 5, name, operands);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    push_outputs(L, 4, program, name, outputs);
    CUNA_LUA_TRY(L, cuna_scan(cuna_lua_context(L), name, program, operands, outputs, axis));
    return cuna_program_get_text(program)->noutputs;
}

/* sort(program, name, descending, out or nil, x) -> array */
static int core_sort(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    const cuna_array *x = cuna_lua_check_array(L, 5, name);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    cuna_array *out = push_output(L, 4, name);
    CUNA_LUA_TRY(L, cuna_sort(cuna_lua_context(L), name, program, x, out, lua_toboolean(L, 3)));
    return 1;
}

/* map(program, name, shape or nil, out or nil, operands...) -> array */
static int core_map(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    int64_t shape[CUNA_MAX_NDIM];
    int ndim = lua_isnil(L, 3) ? -1 : cuna_lua_check_shape(L, 3, shape, name);
    cuna_operand operands[CUNA_MAX_OPERANDS];
    read_operands(L, program, 5, name, operands);
    cuna_array *out = push_output(L, 4, name);
    CUNA_LUA_TRY(L, cuna_elementwise(cuna_lua_context(L), name, program, operands, &out, ndim, shape));
    return 1;
}

/* run(program, name, shape or nil, outs, operands...) -> outputs: outs[k] is an array, or false for a new one; raw arrays
 * follow the operands. */
static int core_run(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    int64_t shape[CUNA_MAX_NDIM];
    int ndim = lua_isnil(L, 3) ? -1 : cuna_lua_check_shape(L, 3, shape, name);
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
    read_operands(L, program, 5, name, operands);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    push_outputs(L, 4, program, name, outputs);
    CUNA_LUA_TRY(L, cuna_elementwise(cuna_lua_context(L), name, program, operands, outputs, ndim, shape));
    return cuna_program_get_text(program)->noutputs;
}

/* prepare_begin(); prepare_end(compile) -> number of recorded kernels; prepare_text() -> the kernels' text;
 * is_preparing() */
static int core_prepare_begin(lua_State *L)
{
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    cuna_lua_check(L, cuna_prepare_begin(cuna_lua_context(L)));
    return 0;
}

static int core_prepare_end(lua_State *L)
{
    int nkernels = 0;
    cuna_lua_check(L, cuna_prepare_end(&nkernels, cuna_lua_context(L), lua_toboolean(L, 1)));
    lua_pushnumber(L, nkernels);
    return 1;
}

static void push_text(void *L, const char *text)
{
    lua_pushstring(L, text);
}

static int core_prepare_text(lua_State *L)
{
    cuna_lua_check(L, cuna_prepare_show(cuna_lua_context(L), push_text, L));
    return 1;
}

static int core_is_preparing(lua_State *L)
{
    lua_pushboolean(L, cuna_prepare_is_open(cuna_lua_context(L)));
    return 1;
}

/* module_stats() -> kernel units compiled, and loaded from disk, by this process */
static int core_module_stats(lua_State *L)
{
    cuna_module_stats stats;
    cuna_module_get_stats(&stats);
    lua_pushnumber(L, (lua_Number)stats.compiled);
    lua_pushnumber(L, (lua_Number)stats.loaded);
    return 2;
}

void cuna_lua_open_run(lua_State *L)
{
    static const luaL_Reg functions[] = {{"reduce", core_reduce},
                                         {"fold", core_fold},
                                         {"stages", core_stages},
                                         {"scan", core_scan},
                                         {"sort", core_sort},
                                         {"map", core_map},
                                         {"run", core_run},
                                         {"prepare_begin", core_prepare_begin},
                                         {"prepare_end", core_prepare_end},
                                         {"prepare_text", core_prepare_text},
                                         {"is_preparing", core_is_preparing},
                                         {"module_stats", core_module_stats},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}
