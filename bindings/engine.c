/* engine.c: calls the engines with the programs that program.c created and arguments that Lua checked. */
#include "state.h"

/* What all engines take: a program with its inputs and outputs. */
typedef struct call {
    const cuna_program *program;
    const cuna_program_text *text;
    const char *name;
    cuna_operand operands[CUNA_MAX_OPERANDS + CUNA_MAX_RAWS];
    cuna_array *outputs[CUNA_MAX_OPERANDS];
} call;

/* Inputs, then raw arrays, are on the stack from `first` on. */
static void read_operands(lua_State *L, call *c, int first)
{
    const cuna_program_text *text = c->text;
    for (int k = 0; k < text->ninputs; k++) {
        c->operands[k].array = NULL;
        if (!text->input_scalar[k])
            c->operands[k].array = cuna_lua_check_array(L, first + k, c->name);
        else if (!cuna_lua_to_number(L, first + k, &c->operands[k].number))
            cuna_lua_fail(L, "%s: expected a number, got %s", c->name, luaL_typename(L, first + k));
    }
    for (int r = 0; r < text->nraws; r++)
        c->operands[text->ninputs + r].array = cuna_lua_check_array(L, first + text->ninputs + r, c->name);
}

/* Pushes the array that stands at the top of the stack for an output, or a new one where that is nil or false. */
static cuna_array *push_output(lua_State *L, cuna_lua_state *S, const char *name)
{
    if (lua_toboolean(L, -1))
        return cuna_lua_check_array(L, -1, name);
    lua_pop(L, 1);
    return cuna_lua_push_empty(L, S);
}

/* Pushes the outputs: `outs` is nil, the only output, or a table of arrays, with false for those that are to be made. */
static void push_outputs(lua_State *L, call *c, int outs)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    bool is_list = lua_istable(L, outs);
    cuna_lua_pace(L, S);
    if (c->text->noutputs > 1)
        luaL_checkstack(L, CUNA_MAX_OPERANDS + 2, c->name);
    for (int k = 0; k < c->text->noutputs; k++) {
        if (is_list)
            lua_rawgeti(L, outs, k + 1);
        else if (k == 0)
            lua_pushvalue(L, outs);
        else
            lua_pushnil(L);
        c->outputs[k] = push_output(L, S, c->name);
    }
}

/* Reads program and name, the operands behind `outs`, and pushes the outputs; answers how many there are. */
static int begin(lua_State *L, call *c, int outs)
{
    c->program = cuna_lua_to_program(L, 1);
    c->text = cuna_program_get_text(c->program);
    c->name = luaL_checkstring(L, 2);
    read_operands(L, c, outs + 1);
    push_outputs(L, c, outs);
    return c->text->noutputs;
}

/* map(program, name, shape or nil, outs, operands...) -> outputs */
static int core_map(lua_State *L)
{
    call c;
    int64_t shape[CUNA_MAX_NDIM];
    int ndim = lua_isnil(L, 3) ? -1 : cuna_lua_check_shape(L, 3, shape, luaL_checkstring(L, 2));
    int count = begin(L, &c, 4);
    CUNA_LUA_TRY(L, cuna_record(cuna_lua_context(L), c.name, c.program, c.operands, c.outputs, ndim, shape));
    return count;
}

/* make(program, name, shape, device, an array on it or nil, operands...) -> a new array, whose elements depend on positions and numbers,
 * and on arrays if there are any */
static int core_make(lua_State *L)
{
    call c;
    cuna_lua_state *S = cuna_lua_get_state(L);
    int64_t shape[CUNA_MAX_NDIM];
    int ndim = cuna_lua_check_shape(L, 3, shape, luaL_checkstring(L, 2));
    c.program = cuna_lua_to_program(L, 1);
    c.text = cuna_program_get_text(c.program);
    c.name = luaL_checkstring(L, 2);
    cuna_device *device = lua_isnoneornil(L, 4) ? cuna_context_device(S->context) : cuna_lua_place_at(L, 4, c.name);
    read_operands(L, &c, 5);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_record_new(out, S->context, c.name, c.program, c.operands, device, ndim, shape));
    return 1;
}

/* reduce(program, name, axes (bit mask), keepdims, extra, outs, operands...) -> outputs, or nothing if the inputs lie
 * across the order in which the stored values would be folded. */
static int core_reduce(lua_State *L)
{
    call c;
    bool ran = false;
    uint32_t axes = (uint32_t)luaL_checknumber(L, 3);
    int count = begin(L, &c, 6);
    CUNA_LUA_TRY(L, cuna_record_fold(&ran, cuna_lua_context(L), c.name, c.program, c.operands, c.outputs, axes,
                                     lua_toboolean(L, 4), lua_tonumber(L, 5)));
    return ran ? count : 0;
}

/* stages(program, name, axes (bit mask), keepdims (bit mask by output), outs, operands...) -> outputs, or nothing if
 * separate reductions are faster. */
static int core_stages(lua_State *L)
{
    call c;
    cuna_staged how;
    uint32_t axes = (uint32_t)luaL_checknumber(L, 3), keepdims = (uint32_t)luaL_checknumber(L, 4);
    int count = begin(L, &c, 5);
    CUNA_LUA_TRY(L, cuna_stages(&how, cuna_lua_context(L), c.name, c.program, c.operands, c.outputs, axes, keepdims));
    return how == CUNA_STAGED ? count : 0;
}

/* scan(program, name, axis (from 1; 0: all elements as one axis), outs, operands...) -> outputs */
static int core_scan(lua_State *L)
{
    call c;
    int axis = (int)luaL_checknumber(L, 3) - 1;
    int count = begin(L, &c, 4);
    CUNA_LUA_TRY(L, cuna_record_scan(cuna_lua_context(L), c.name, c.program, c.operands, c.outputs, axis));
    return count;
}

/* sort(program, name, descending, out or nil, x) -> array */
static int core_sort(lua_State *L)
{
    call c;
    int count = begin(L, &c, 4);
    CUNA_LUA_TRY(
        L, cuna_sort(cuna_lua_context(L), c.name, c.program, c.operands[0].array, c.outputs[0], lua_toboolean(L, 3)));
    return count;
}

/* compact(program, name, mask[, x]) -> array */
static int core_compact(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    const cuna_array *mask = cuna_lua_check_array(L, 3, name);
    const cuna_array *source = lua_isnoneornil(L, 4) ? NULL : cuna_lua_check_array(L, 4, name);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    cuna_array *out = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    CUNA_LUA_TRY(L, cuna_compact(cuna_lua_context(L), name, program, mask, source, out));
    return 1;
}

/* convolve(program, name, out, short, long, shift) */
static int core_convolve(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const char *name = luaL_checkstring(L, 2);
    cuna_array *out = cuna_lua_check_array(L, 3, name);
    const cuna_array *small = cuna_lua_check_array(L, 4, name), *large = cuna_lua_check_array(L, 5, name);
    int64_t shift = (int64_t)luaL_checknumber(L, 6);
    CUNA_LUA_TRY(L, cuna_convolve(cuna_lua_context(L), name, program, out, small, large, shift));
    return 0;
}

/* select(program, name, descending, limit, x, places) -> array */
static int core_select(lua_State *L)
{
    call c;
    c.program = cuna_lua_to_program(L, 1);
    c.text = cuna_program_get_text(c.program);
    c.name = luaL_checkstring(L, 2);
    read_operands(L, &c, 5);
    const cuna_array *places = cuna_lua_check_array(L, 6, c.name);
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_select(cuna_lua_context(L), c.name, c.program, c.operands[0].array, places, out,
                                lua_toboolean(L, 3), (int64_t)lua_tonumber(L, 4)));
    return 1;
}

/* prepare_begin(); prepare_end(compile) -> number of recorded kernels; prepare_text() -> the kernels' text;
 * prepare_part(part, parts) keeps one of so many parts; is_preparing() */
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

static int core_prepare_part(lua_State *L)
{
    cuna_lua_check(L, cuna_prepare_part(cuna_lua_context(L), (int)luaL_checknumber(L, 1), (int)luaL_checknumber(L, 2)));
    return 0;
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

/* prepare_loops() -> the names of the loops that the recorded kernels need, as keys; prepare_texts() -> the text that
 * loops are compiled with */
static void push_name(void *data, const char *name)
{
    lua_State *L = data;
    lua_pushboolean(L, true);
    lua_setfield(L, -2, name);
}

static int core_prepare_loops(lua_State *L)
{
    lua_newtable(L);
    cuna_lua_check(L, cuna_prepare_show_loops(cuna_lua_context(L), push_name, L));
    return 1;
}

static int core_prepare_texts(lua_State *L)
{
    cuna_lua_check(L, cuna_prepare_show_texts(push_text, L));
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
    cuna_compile_stats stats;
    cuna_compile_get_stats(&stats);
    lua_pushnumber(L, (lua_Number)stats.compiled);
    lua_pushnumber(L, (lua_Number)stats.loaded);
    return 2;
}

/* compile_stats() -> a table: counts and seconds of compilers in this process (cn.cuda.compile_stats) */
static int core_compile_stats(lua_State *L)
{
    cuna_compile_stats stats;
    cuna_compile_get_stats(&stats);
    const struct field {
        const char *name;
        double value;
    } fields[] = {
        {"compiled", (double)stats.compiled}, {"background", (double)stats.background},
        {"failed", (double)stats.failed},     {"loaded", (double)stats.loaded},
        {"kernels", (double)stats.kernels},   {"compile_time", stats.compile_s},
        {"wait_time", stats.wait_s},
    };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
    return 1;
}

/* set_spare_modules(count) -> the number before: modules that nothing refers to and that stay loaded on each device */
static int core_set_spare_modules(lua_State *L)
{
    lua_pushnumber(L, cuna_set_spare_modules((int)luaL_checknumber(L, 1)));
    return 1;
}

/* background_count() -> kernels that are being compiled in the background, or wait for it */
static int core_background_count(lua_State *L)
{
    lua_pushnumber(L, cuna_background_count());
    return 1;
}

void cuna_lua_open_engine(lua_State *L)
{
    static const luaL_Reg functions[] = {{"map", core_map},
                                         {"make", core_make},
                                         {"reduce", core_reduce},
                                         {"stages", core_stages},
                                         {"scan", core_scan},
                                         {"sort", core_sort},
                                         {"compact", core_compact},
                                         {"convolve", core_convolve},
                                         {"select", core_select},
                                         {"prepare_begin", core_prepare_begin},
                                         {"prepare_end", core_prepare_end},
                                         {"prepare_part", core_prepare_part},
                                         {"prepare_text", core_prepare_text},
                                         {"background_count", core_background_count},
                                         {"prepare_loops", core_prepare_loops},
                                         {"prepare_texts", core_prepare_texts},
                                         {"is_preparing", core_is_preparing},
                                         {"module_stats", core_module_stats},
                                         {"set_spare_modules", core_set_spare_modules},
                                         {"compile_stats", core_compile_stats},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}
