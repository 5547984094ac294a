/* program.c: programs described by Lua: reductions, elementwise programs over an index, user kernels, fused functions.
 *
 * Their public functions are in Lua (lua/cuna/reduce.lua, lua/cuna/create.lua, ...), which describes a program once and
 * keeps it. A program in cuna's vocabulary lives as long as the process and is a light userdata; a program that is
 * `counted`, or has a statement, is a userdata with a reference, released with the user's kernel. engine.c takes both. */
#include <string.h>

#include "state.h"

#define PROGRAM_META "cuna program"

static uint8_t field_dtype(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    cuna_dtype dtype = cuna_lua_check_dtype(L, -1, name);
    lua_pop(L, 1);
    return (uint8_t)dtype;
}

static const char *field_text(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    const char *text = luaL_checkstring(L, -1);
    lua_pop(L, 1); /* the table keeps the string */
    return text;
}

/* A field that is false, true or "head". */
static uint8_t read_address(lua_State *L)
{
    lua_getfield(L, -1, "address");
    bool is_head = lua_type(L, -1) == LUA_TSTRING, is_address = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_head ? CUNA_ADDRESS_HEAD : is_address ? CUNA_ADDRESS_ELEMENT : 0;
}

/* inputs = {{dtype =, scalar =, address =}, ...} */
static void read_inputs(lua_State *L, cuna_program_text *text)
{
    lua_getfield(L, 1, "inputs");
    size_t count = lua_objlen(L, -1);
    if (count >= CUNA_MAX_OPERANDS)
        cuna_lua_fail(L, "program: at most %d inputs", CUNA_MAX_OPERANDS - 1);
    text->ninputs = (uint8_t)count;
    for (int k = 0; k < text->ninputs; k++) {
        lua_rawgeti(L, -1, k + 1);
        text->input_dtype[k] = field_dtype(L, lua_gettop(L), "dtype");
        lua_getfield(L, -1, "scalar");
        text->input_scalar[k] = (uint8_t)lua_toboolean(L, -1);
        lua_pop(L, 1);
        text->input_address[k] = read_address(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* A reducer at a stack index: {name =, state =, identity =, lift =, combine =, finish =} */
static void read_reducer(lua_State *L, int table, uint16_t *id)
{
    cuna_reducer reducer = {field_text(L, table, "name"),     field_text(L, table, "state"),
                            field_text(L, table, "identity"), field_text(L, table, "lift"),
                            field_text(L, table, "combine"),  field_text(L, table, "finish")};
    cuna_lua_check(L, cuna_reducer_define(id, &reducer));
}

/* steps = {{name =, expr =, dtype =, args = {value, ...}, arg_dtypes = {...}, on_loops =}, ...}; values count from 1:
 * inputs, index, steps. A step that folds has a reducer in place of name and expr. `stored`: a cuna_stored. */
static void read_step(lua_State *L, cuna_instruction *step)
{
    int table = lua_gettop(L);
    lua_getfield(L, table, "args");
    lua_getfield(L, table, "arg_dtypes");
    size_t count = lua_objlen(L, -2);
    if (count > CUNA_MAX_ARGUMENTS)
        cuna_lua_fail(L, "program: a step has at most %d arguments", CUNA_MAX_ARGUMENTS);
    step->nargs = (uint8_t)count;
    /* cuna_program_intern checks that the values exist. */
    for (int i = 0; i < step->nargs; i++) {
        lua_rawgeti(L, -2, i + 1);
        step->arg[i] = (uint8_t)(lua_tointeger(L, -1) - 1);
        lua_pop(L, 1);
        lua_rawgeti(L, -1, i + 1);
        step->arg_dtype[i] = (uint8_t)cuna_lua_check_dtype(L, -1, "program");
        lua_pop(L, 1);
    }
    lua_settop(L, table);
    step->dtype = field_dtype(L, table, "dtype");
    lua_getfield(L, table, "stored");
    step->stored = (uint8_t)lua_tointeger(L, -1);
    lua_getfield(L, table, "reducer");
    step->folds = (uint8_t)lua_istable(L, -1);
    if (step->folds)
        read_reducer(L, lua_gettop(L), &step->operation);
    lua_settop(L, table);
    if (step->folds)
        return;
    cuna_lua_check(L, cuna_operation_define(&step->operation, field_text(L, table, "name"), step->nargs,
                                            field_text(L, table, "expr")));
    lua_getfield(L, table, "on_loops");
    if (!lua_isnil(L, -1))
        cuna_lua_check(L, cuna_operation_on_loops(step->operation, luaL_checkstring(L, -1)));
    lua_settop(L, table);
}

static void read_steps(lua_State *L, cuna_program_text *text)
{
    lua_getfield(L, 1, "steps");
    int count = lua_isnil(L, -1) ? 0 : (int)lua_objlen(L, -1);
    if (count > CUNA_MAX_INSTRUCTIONS)
        cuna_lua_fail(L, "program: at most %d steps", CUNA_MAX_INSTRUCTIONS);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, -1, k + 1);
        read_step(L, &text->instruction[k]);
        lua_pop(L, 1);
    }
    text->ninstructions = (uint8_t)count;
    lua_pop(L, 1);
}

/* reducer = {...}, accumulator = dtype; answers whether there is one. */
static bool read_fold(lua_State *L, cuna_program_text *text)
{
    lua_getfield(L, 1, "reducer");
    bool found = !lua_isnil(L, -1);
    if (found) {
        read_reducer(L, lua_gettop(L), &text->reducer);
        text->accumulator = field_dtype(L, 1, "accumulator");
    }
    lua_pop(L, 1);
    return found;
}

static uint8_t field_value(lua_State *L, int table, const cuna_program_text *text)
{
    lua_getfield(L, table, "value");
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (value < 1 || value > text->ninputs + text->uses_index + text->ninstructions)
        cuna_lua_fail(L, "program: an output names value %g, which there is not", value);
    return (uint8_t)(value - 1);
}

/* outputs = {{dtype =, value =, row = boolean}, ...}; those of a statement have no value; `row`: one value per row, in
 * stages. */
static void read_outputs(lua_State *L, cuna_program_text *text)
{
    lua_getfield(L, 1, "outputs");
    size_t count = lua_objlen(L, -1);
    if (text->ninputs + count > CUNA_MAX_OPERANDS)
        cuna_lua_fail(L, "program: at most %d inputs and outputs", CUNA_MAX_OPERANDS);
    text->noutputs = (uint8_t)count;
    for (int k = 0; k < text->noutputs; k++) {
        lua_rawgeti(L, -1, k + 1);
        text->output_dtype[k] = field_dtype(L, lua_gettop(L), "dtype");
        if (text->statement == 0)
            text->output_value[k] = field_value(L, lua_gettop(L), text);
        lua_getfield(L, -1, "row");
        text->output_row[k] = (uint8_t)lua_toboolean(L, -1);
        lua_pop(L, 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The only output of a program that gives just a dtype: its last value. */
static void read_output(lua_State *L, cuna_program_text *text)
{
    text->noutputs = 1;
    text->output_dtype[0] = field_dtype(L, 1, "output");
    text->output_value[0] = (uint8_t)(text->ninputs + text->uses_index + text->ninstructions - 1);
}

/* raws = {{dtype =, ndim =, writable =}, ...} */
static void read_raws(lua_State *L, cuna_program_text *text)
{
    lua_getfield(L, 1, "raws");
    size_t count = lua_isnil(L, -1) ? 0 : lua_objlen(L, -1);
    if (count > CUNA_MAX_RAWS)
        cuna_lua_fail(L, "program: at most %d raw arrays", CUNA_MAX_RAWS);
    text->nraws = (uint8_t)count;
    for (int k = 0; k < text->nraws; k++) {
        lua_rawgeti(L, -1, k + 1);
        int table = lua_gettop(L);
        text->raw_dtype[k] = field_dtype(L, table, "dtype");
        lua_getfield(L, table, "ndim");
        text->raw_ndim[k] = (uint8_t)lua_tointeger(L, -1);
        lua_getfield(L, table, "writable");
        text->raw_writable[k] = (uint8_t)lua_toboolean(L, -1);
        lua_settop(L, table - 1);
    }
    lua_pop(L, 1);
}

/* Pushes the names of a list, separated by spaces. */
static const char *push_names(lua_State *L, int table)
{
    luaL_Buffer buffer;
    lua_getfield(L, table, "names");
    int names = lua_gettop(L);
    luaL_buffinit(L, &buffer);
    for (int k = 1, count = (int)lua_objlen(L, names); k <= count; k++) {
        lua_rawgeti(L, names, k);
        luaL_addvalue(&buffer);
        luaL_addchar(&buffer, ' ');
    }
    luaL_pushresult(&buffer);
    return lua_tostring(L, -1);
}

/* An optional text. */
static const char *field_text_or_none(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    const char *text = luaL_optstring(L, -1, "");
    lua_pop(L, 1);
    return text;
}

/* A field that is nil or one of two words; answers 0, or which it is. */
static int field_choice(lua_State *L, const char *name, const char *first, const char *second)
{
    const char *word = field_text_or_none(L, 1, name);
    if (*word == '\0')
        return 0;
    if (strcmp(word, first) != 0 && strcmp(word, second) != 0)
        cuna_lua_fail(L, "program: %s is \"%s\" or \"%s\", got \"%s\"", name, first, second, word);
    return strcmp(word, first) == 0 ? 1 : 2;
}

/* order = nil, "walk" or "row" */
static void read_order(lua_State *L, cuna_program_text *text)
{
    static const uint8_t orders[] = {CUNA_ORDER_ANY, CUNA_ORDER_WALK, CUNA_ORDER_ROW};
    text->in_order = orders[field_choice(L, "order", "walk", "row")];
}

/* multiplies, selects, compacts or convolves = true, sorts or parts = "elements" or "positions", stages = a count, scan =
 * "inclusive" or "exclusive" beside texts that fold (`folds`); a program without these folds or maps. */
static void read_kind(lua_State *L, cuna_program_text *text, bool folds)
{
    static const uint8_t sorts[] = {0, CUNA_PROGRAM_SORT, CUNA_PROGRAM_ARGSORT};
    static const uint8_t parts[] = {0, CUNA_PROGRAM_PART, CUNA_PROGRAM_ARGPART};
    static const uint8_t scans[] = {CUNA_PROGRAM_FOLD, CUNA_PROGRAM_SCAN, CUNA_PROGRAM_SCAN_BEFORE};
    int sort = field_choice(L, "sorts", "elements", "positions"),
        part = field_choice(L, "parts", "elements", "positions"),
        scan = field_choice(L, "scan", "inclusive", "exclusive");
    bool multiplies = cuna_lua_field_flag(L, 1, "multiplies"), selects = cuna_lua_field_flag(L, 1, "selects"),
         compacts = cuna_lua_field_flag(L, 1, "compacts"), convolves = cuna_lua_field_flag(L, 1, "convolves");
    text->stages = (uint8_t)cuna_lua_field_integer(L, 1, "stages");
    text->sorts_above = (uint8_t)cuna_lua_field_integer(L, 1, "sorts_above");
    if (scan != 0 && !folds)
        cuna_lua_fail(L, "program: a scan has nothing to combine");
    if ((sort != 0) + (part != 0) + selects + multiplies + compacts + convolves + (text->stages != 0) + folds > 1)
        cuna_lua_fail(L, "program: it sorts, parts, selects, multiplies, folds or has stages, and not two of these");
    text->kind = sort != 0           ? sorts[sort]
                 : part != 0         ? parts[part]
                 : selects           ? CUNA_PROGRAM_SELECT
                 : multiplies        ? CUNA_PROGRAM_PRODUCT
                 : compacts          ? CUNA_PROGRAM_COMPACT
                 : convolves         ? CUNA_PROGRAM_CONVOLVE
                 : text->stages != 0 ? CUNA_PROGRAM_STAGES
                 : folds             ? scans[scan]
                                     : CUNA_PROGRAM_MAP;
}

/* statement = {name =, text =, before =, after =, types =, includes = or nil, preamble =, names = {inputs, outputs,
 * raws}}, with outputs, raws, indexer = axes or nil, reads_outputs = boolean; one that folds also has state, identity,
 * combine and finish. */
static void read_statement(lua_State *L, cuna_program_text *text)
{
    int table = lua_gettop(L);
    cuna_statement statement = {field_text(L, table, "name"),
                                field_text(L, table, "text"),
                                field_text(L, table, "before"),
                                field_text(L, table, "after"),
                                field_text(L, table, "types"),
                                field_text_or_none(L, table, "includes"),
                                field_text(L, table, "preamble"),
                                push_names(L, table),
                                field_text_or_none(L, table, "state"),
                                field_text_or_none(L, table, "identity"),
                                field_text_or_none(L, table, "combine"),
                                field_text_or_none(L, table, "finish")};
    read_kind(L, text, statement.state[0] != '\0');
    /* Before the outputs, which name values only in programs without a statement. intern() releases the reference. */
    cuna_lua_check(L, cuna_statement_define(&text->statement, &statement));
    read_outputs(L, text);
    read_raws(L, text);
    text->reads_outputs = cuna_lua_field_flag(L, 1, "reads_outputs");
    lua_getfield(L, 1, "indexer");
    if (!lua_isnil(L, -1))
        text->indexer = (uint8_t)(1 + lua_tointeger(L, -1));
    lua_settop(L, table);
}

/* has_header(name) -> boolean: of those that every device has */
static int core_has_header(lua_State *L)
{
    lua_pushboolean(L, cuna_statement_has_header(luaL_checkstring(L, 1)));
    return 1;
}

/* kept(table, key...) -> what nested tables hold at these keys, of which nil counts as false; nil if there is nothing */
static int core_kept(lua_State *L)
{
    for (int index = 2, last = lua_gettop(L); index <= last && lua_istable(L, 1); index++) {
        if (lua_isnil(L, index))
            lua_pushboolean(L, false);
        else
            lua_pushvalue(L, index);
        lua_rawget(L, 1);
        lua_replace(L, 1);
    }
    lua_settop(L, 1);
    return 1;
}

static int program_gc(lua_State *L)
{
    const cuna_program **program = cuna_lua_to_userdata(L, 1, PROGRAM_META);
    if (program == NULL || *program == NULL)
        return 0;
    cuna_program_release(*program);
    *program = NULL;
    return 0;
}

const cuna_program *cuna_lua_to_program(lua_State *L, int index)
{
    const cuna_program **program = lua_touserdata(L, index);
    if (program == NULL || lua_islightuserdata(L, index))
        return (const cuna_program *)program;
    if (*program == NULL)
        cuna_lua_fail(L, "a kernel was finalized while it was in use: the Lua state closes");
    return *program;
}

/* Interns a text and pushes the program. The userdata is created first, so that a Lua error cannot leak a reference. */
static void intern(lua_State *L, const cuna_program_text *text, bool counted)
{
    const cuna_program *program = NULL, **owner = NULL;
    if (counted) {
        owner = lua_newuserdata(L, sizeof *owner);
        *owner = NULL;
        luaL_getmetatable(L, PROGRAM_META);
        lua_setmetatable(L, -2);
    }
    cuna_status status = cuna_program_intern(&program, text);
    if (text->statement != 0)
        cuna_statement_release(text->statement);
    cuna_lua_check(L, status);
    if (counted)
        *owner = program;
    else
        lua_pushlightuserdata(L, (void *)program);
}

/* program{inputs =, index = boolean, gathers = boolean, fetches = boolean, sure = boolean, span_log2 =, tally_nbytes =,
 * together =, order =, what read_kind reads} with steps, and reducer and accumulator, or stages, and output = dtype (the
 * last value) or outputs; or with a statement. */
static int core_program(lua_State *L)
{
    cuna_program_text text;
    memset(&text, 0, sizeof text);
    luaL_checktype(L, 1, LUA_TTABLE);
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L)); /* a new program is compiled next */
    read_inputs(L, &text);
    text.uses_index = cuna_lua_field_flag(L, 1, "index");
    text.gathers = cuna_lua_field_flag(L, 1, "fetches") ? CUNA_GATHERS_READING : cuna_lua_field_flag(L, 1, "gathers");
    text.is_sure = cuna_lua_field_flag(L, 1, "sure");
    text.span_log2 = (uint8_t)cuna_lua_field_integer(L, 1, "span_log2");
    text.tally_nbytes = (uint8_t)cuna_lua_field_integer(L, 1, "tally_nbytes");
    text.together = (uint8_t)cuna_lua_field_integer(L, 1, "together");
    read_order(L, &text);
    lua_getfield(L, 1, "statement");
    if (lua_istable(L, -1)) {
        read_statement(L, &text);
    } else {
        read_steps(L, &text);
        read_kind(L, &text, read_fold(L, &text));
        lua_getfield(L, 1, "outputs");
        (lua_istable(L, -1) ? read_outputs : read_output)(L, &text);
    }
    lua_getfield(L, 1, "counted");
    intern(L, &text, text.statement != 0 || lua_toboolean(L, -1));
    return 1;
}

/* set_filler(program, many lanes, filler, elements, positions): what cuna_program_set_filler says */
static int core_set_filler(lua_State *L)
{
    cuna_program_set_filler(cuna_lua_to_program(L, 1), lua_toboolean(L, 2), cuna_lua_to_program(L, 3),
                            cuna_lua_check_integer(L, 4, "set_filler"), cuna_lua_check_integer(L, 5, "set_filler"));
    return 0;
}

/* limits = {operands =, raws =, steps =, ndim =}: the most that a program has of each, and axes of an array. */
static void set_limits(lua_State *L)
{
    lua_newtable(L);
    lua_pushinteger(L, CUNA_MAX_OPERANDS);
    lua_setfield(L, -2, "operands");
    lua_pushinteger(L, CUNA_MAX_RAWS);
    lua_setfield(L, -2, "raws");
    lua_pushinteger(L, CUNA_MAX_INSTRUCTIONS);
    lua_setfield(L, -2, "steps");
    lua_pushinteger(L, CUNA_MAX_NDIM);
    lua_setfield(L, -2, "ndim");
    lua_setfield(L, -2, "limits");
}

/* cut(name): what cuna_program_cut says */
static int core_cut(lua_State *L)
{
    lua_pushinteger(L, cuna_program_cut(luaL_checkstring(L, 1)));
    return 1;
}

void cuna_lua_open_program(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"program", core_program},       {"kept", core_kept}, {"set_filler", core_set_filler},
        {"has_header", core_has_header}, {"cut", core_cut},   {NULL, NULL}};
    luaL_newmetatable(L, PROGRAM_META);
    lua_pushcfunction(L, program_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    set_limits(L);
    cuna_lua_register(L, functions);
}
