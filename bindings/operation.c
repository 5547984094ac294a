/* operation.c: calls of elementwise operations: add(a, b), a + b, a:add_(b), add(a, b, {out = c, dtype = "float64"}).
 *
 * The dtypes of the operands (and of out) make a 64-bit key; the plan found under it holds the program and the dtype that
 * each number is converted to. Only a miss asks Lua (lua/cuna/base/dtype_rules.lua) how the row treats these dtypes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { WEAK = 16, STRONG_NUMBER = 24 }; /* operand codes: dtype, WEAK + kind, STRONG_NUMBER + (u)int64 */

/* One call while it is checked. */
typedef struct call {
    cuna_lua_state *S;
    const cuna_lua_row *row;
    cuna_operand operands[CUNA_MAX_ROW_ARGUMENTS];
    uint8_t codes[CUNA_MAX_ROW_ARGUMENTS];
    cuna_dtype dtype; /* requested, or CUNA_DTYPES */
    cuna_array *out[CUNA_MAX_ROW_RESULTS];
    int out_index[CUNA_MAX_ROW_RESULTS]; /* stack indices */
    int object;                          /* that of an operand which computes the operation itself; 0: there is none */
} call;

static const char *code_name(uint8_t code)
{
    static const char *const weak[] = {"weak_bool", "weak_int", "weak_int", "weak_float", "weak_complex"};
    if (code < CUNA_DTYPES)
        return cuna_dtype_name(code);
    if (code >= STRONG_NUMBER)
        return code == STRONG_NUMBER ? "int64" : "uint64";
    return weak[code - WEAK];
}

/* The row's number has bits of its own: rows with other numbers of operands and results have shorter fields below. */
static uint64_t make_key(const call *c)
{
    enum { BELOW_ID = 4 + 6 * CUNA_MAX_ROW_ARGUMENTS + 4 * CUNA_MAX_ROW_RESULTS };
    _Static_assert(BELOW_ID + 8 * sizeof c->row->id <= 63, "every row has keys of its own");
    uint64_t key = c->dtype;
    for (int k = 0; k < c->row->nargs; k++)
        key = key << 6 | c->codes[k];
    for (int k = 0; k < c->row->nresults; k++)
        key = key << 4 | (c->out[k] != NULL ? c->out[k]->dtype : CUNA_DTYPES);
    return ((uint64_t)c->row->id << BELOW_ID | key) + 1; /* 0 marks a free slot */
}

static uint32_t slot_of(const cuna_lua_state *S, uint64_t key)
{
    uint32_t mask = S->plan_slots - 1, at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) & mask;
    while (S->plans[at].key != 0 && S->plans[at].key != key)
        at = (at + 1) & mask;
    return at;
}

void cuna_lua_forget_plans(cuna_lua_state *S)
{
    if (S->plans != NULL)
        memset(S->plans, 0, S->plan_slots * sizeof *S->plans);
    S->nplans = 0;
}

static void grow_plans(lua_State *L, cuna_lua_state *S)
{
    uint32_t count = S->plan_slots, slots = count ? 2 * count : 256;
    cuna_lua_plan *old = S->plans, *grown = calloc(slots, sizeof *grown);
    if (grown == NULL)
        cuna_lua_fail(L, "the host has no memory left for plans");
    S->plans = grown;
    S->plan_slots = slots;
    for (uint32_t i = 0; i < count; i++)
        if (old[i].key != 0)
            S->plans[slot_of(S, old[i].key)] = old[i];
    free(old);
}

/* Reads field `name` of the table at the top as a dtype. */
static uint8_t dtype_field(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    cuna_dtype dtype = cuna_lua_check_dtype(L, -1, name);
    lua_pop(L, 1);
    return (uint8_t)dtype;
}

/* The resolver's result is on top: args = {dtypes}, results = {{expr, dtype}}. */
static void read_args(lua_State *L, const call *c, cuna_lua_plan *plan)
{
    lua_getfield(L, -1, "args");
    for (int k = 0; k < c->row->nargs; k++) {
        lua_rawgeti(L, -1, k + 1);
        plan->arg_dtype[k] = (uint8_t)cuna_lua_check_dtype(L, -1, c->row->name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void add_instruction(lua_State *L, const call *c, const cuna_lua_plan *plan, cuna_program_text *text)
{
    cuna_instruction *step = &text->instruction[text->ninstructions];
    lua_getfield(L, -1, "expr");
    cuna_lua_check(L, cuna_operation_define(&step->operation, c->row->name, c->row->nargs, luaL_checkstring(L, -1)));
    lua_pop(L, 1);
    step->nargs = c->row->nargs;
    step->dtype = dtype_field(L, "dtype");
    for (int k = 0; k < c->row->nargs; k++) {
        step->arg[k] = (uint8_t)k;
        step->arg_dtype[k] = plan->arg_dtype[k];
    }
    text->ninstructions++;
}

static void check_out_dtype(lua_State *L, const call *c, int k, uint8_t dtype)
{
    int number = c->row->nresults > 1 ? k + 1 : 0;
    cuna_result result = {.name = c->row->name, .number = number, .dtype = dtype, .casts = true};
    cuna_lua_check(L, c->out[k] == NULL ? CUNA_OK : cuna_result_check_dtype(&result, c->out[k]->dtype));
}

static void make_program(lua_State *L, const call *c, cuna_lua_plan *plan)
{
    cuna_program_text text;
    memset(&text, 0, sizeof text);
    text.ninputs = c->row->nargs;
    text.noutputs = plan->nresults = c->row->nresults;
    for (int k = 0; k < c->row->nargs; k++) {
        text.input_scalar[k] = c->codes[k] >= CUNA_DTYPES;
        text.input_dtype[k] = text.input_scalar[k] ? plan->arg_dtype[k] : c->codes[k];
    }
    lua_getfield(L, -1, "results");
    for (int k = 0; k < c->row->nresults; k++) {
        lua_rawgeti(L, -1, k + 1);
        add_instruction(L, c, plan, &text);
        plan->result_dtype[k] = text.instruction[k].dtype;
        check_out_dtype(L, c, k, plan->result_dtype[k]);
        text.output_value[k] = (uint8_t)(text.ninputs + k);
        text.output_dtype[k] = c->out[k] ? c->out[k]->dtype : plan->result_dtype[k]; /* kernels cast as they store */
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    cuna_lua_check(L, cuna_program_intern(&plan->program, &text));
}

/* Calls the Lua resolver for the row's treatment of these dtypes; raises its error if they are not supported. */
static void resolve(lua_State *L, const call *c, cuna_lua_plan *plan)
{
    cuna_lua_watch_interrupts(L, c->S); /* a new program is compiled next */
    cuna_lua_push_slot(L, CUNA_SLOT_RESOLVE);
    lua_pushstring(L, c->row->name);
    if (c->dtype == CUNA_DTYPES)
        lua_pushnil(L);
    else
        lua_pushstring(L, cuna_dtype_name(c->dtype));
    for (int k = 0; k < c->row->nargs; k++)
        lua_pushstring(L, code_name(c->codes[k]));
    lua_call(L, 2 + c->row->nargs, 2);
    if (lua_isnil(L, -2))
        cuna_lua_fail(L, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    read_args(L, c, plan);
    make_program(L, c, plan);
    lua_pop(L, 1);
}

static const cuna_lua_plan *find_plan(lua_State *L, const call *c)
{
    cuna_lua_state *S = c->S;
    uint64_t key = make_key(c);
    if (__builtin_expect(S->plan_slots > 0, 1)) {
        const cuna_lua_plan *plan = &S->plans[slot_of(S, key)];
        if (__builtin_expect(plan->key == key, 1))
            return plan;
    }
    cuna_lua_plan made = {.key = key};
    resolve(L, c, &made);
    if (2 * S->nplans >= S->plan_slots)
        grow_plans(L, S);
    S->nplans++;
    cuna_lua_plan *slot = &S->plans[slot_of(S, key)];
    *slot = made;
    return slot;
}

static int bad_operand(lua_State *L, const call *c, int index, int k)
{
    if (lua_type(L, index) == LUA_TBOOLEAN)
        return cuna_lua_fail(
            L,
            "%s: argument %d is a Lua boolean; write x:eq(y) or x:logical_not() for a mask, or cn.scalar(%s, \"bool\")",
            c->row->name, k + 1, lua_toboolean(L, index) ? "true" : "false");
    return cuna_lua_fail(L, "%s: argument %d: expected an array or a number, got %s", c->row->name, k + 1,
                         index > lua_gettop(L) ? "nothing" : luaL_typename(L, index));
}

/* The device of the first array among the operands, which begin at stack index `first`; NULL if there is none. */
static cuna_device *device_of_operands(lua_State *L, const call *c, int first)
{
    for (int k = 0; k < c->row->nargs; k++) {
        cuna_array *array = cuna_lua_peek_array(c->S, L, first + k);
        if (array != NULL && array->buffer != NULL)
            return cuna_array_device(array);
    }
    return NULL;
}

/* Reads operand k at a stack index; a nested table is replaced there by an array on the device of the other
 * operands. */
static void read_operand(lua_State *L, call *c, int index, int k)
{
    cuna_number *number = &c->operands[k].number;
    cuna_array *array = cuna_lua_peek_array(c->S, L, index);
    bool is_number = array == NULL && cuna_lua_to_number(L, index, number);
    if (array == NULL && !is_number && lua_type(L, index) == LUA_TTABLE) {
        if (cuna_lua_is_object(L, index)) {
            c->object = index;
            return;
        }
        array = cuna_lua_as_array(L, index, CUNA_DTYPES, device_of_operands(L, c, index - k), c->row->name);
        lua_replace(L, index);
    }
    c->operands[k].array = array;
    if (array != NULL) {
        if (array->buffer == NULL)
            cuna_lua_fail_freed(L, index, c->row->name);
        c->codes[k] = array->dtype;
        return;
    }
    if (!is_number || (number->kind == CUNA_NUMBER_BOOL && !(c->row->booleans >> k & 1)))
        bad_operand(L, c, index, k);
    /* One plan for both signs of integers: check_numbers has the range. */
    c->codes[k] = (uint8_t)(WEAK + (number->kind == CUNA_NUMBER_UINT ? CUNA_NUMBER_INT : number->kind));
}

/* A comparison with an integer outside the other operand's dtype is exact, in 64 bits. */
static void widen_comparison(call *c)
{
    for (int k = 0; k < 2; k++) {
        uint8_t other = c->codes[1 - k];
        const cuna_number *number = &c->operands[k].number;
        bool integers =
            c->codes[k] == WEAK + CUNA_NUMBER_INT && other < CUNA_DTYPES && strchr("iu", cuna_dtype_kind(other));
        if (integers && !cuna_number_fits(number, other))
            c->codes[k] = STRONG_NUMBER + (number->kind == CUNA_NUMBER_UINT);
    }
}

static int no_fit(lua_State *L, const call *c, int index, cuna_dtype dtype)
{
    return cuna_lua_fail(L, "%s: %s does not fit %s; cn.scalar(%s, \"int64\") makes the other operand wider",
                         c->row->name, lua_isnumber(L, index) ? lua_tostring(L, index) : "the integer",
                         cuna_dtype_name(dtype), lua_isnumber(L, index) ? lua_tostring(L, index) : "v");
}

static void check_numbers(lua_State *L, const call *c, const cuna_lua_plan *plan, int first)
{
    for (int k = 0; k < c->row->nargs; k++) {
        const cuna_number *number = &c->operands[k].number;
        if (c->operands[k].array != NULL || (number->kind != CUNA_NUMBER_INT && number->kind != CUNA_NUMBER_UINT))
            continue;
        if (plan->arg_dtype[k] != CUNA_BOOL && !cuna_number_fits(number, plan->arg_dtype[k]))
            no_fit(L, c, first + k, plan->arg_dtype[k]);
    }
}

static void read_out(lua_State *L, call *c, int index, int k)
{
    cuna_array *out = cuna_lua_peek_array(c->S, L, index);
    if (out == NULL)
        cuna_lua_fail(L, "%s: out: expected an array, got %s", c->row->name, luaL_typename(L, index));
    else if (out->buffer == NULL)
        cuna_lua_fail_freed(L, index, c->row->name);
    c->out[k] = out;
    c->out_index[k] = index;
}

/* out = array, or {array, array} for two results, of which one may be nil. The value is on top and stays there. */
static void read_out_option(lua_State *L, call *c)
{
    if (lua_type(L, -1) != LUA_TTABLE) {
        read_out(L, c, lua_gettop(L), 0);
        return;
    }
    cuna_lua_check_outs(L, c->row->nresults, c->row->name);
    int table = lua_gettop(L);
    for (int k = 0; k < c->row->nresults; k++) {
        lua_rawgeti(L, table, k + 1);
        if (!lua_isnil(L, -1))
            read_out(L, c, lua_gettop(L), k);
    }
}

/* Reads the table of options at a stack index, which may be empty; false for other values. */
static bool read_options(lua_State *L, call *c, int index)
{
    bool has_out = false;
    if (lua_type(L, index) != LUA_TTABLE)
        return false;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strcmp(name, "dtype") == 0) {
            c->dtype = cuna_lua_check_dtype(L, -1, c->row->name);
        } else if (strcmp(name, "out") == 0) {
            has_out = true;
        } else if (cuna_lua_is_options(L, index, c->row->name)) { /* raises for a mixture */
            cuna_lua_fail(L, "%s: unknown option '%s'; known are out and dtype", c->row->name, name);
        } else {
            lua_pop(L, 2);
            return false;
        }
    }
    if (!has_out)
        return true;
    if (c->out[0] != NULL)
        cuna_lua_fail(L, "%s: out is given by position and by option", c->row->name);
    lua_getfield(L, index, "out");
    read_out_option(L, c);
    return true;
}

/* The arguments after the operands: an array is out, a table holds options. */
static void read_rest(lua_State *L, call *c, int index)
{
    if (cuna_lua_peek_array(c->S, L, index) != NULL)
        read_out(L, c, index++, 0);
    else if (lua_isnil(L, index))
        index++;
    if (lua_gettop(L) > index || !(lua_isnoneornil(L, index) || read_options(L, c, index)))
        cuna_lua_fail(L, "%s: takes %d operand%s, then out and a table of options; got %s as argument %d", c->row->name,
                      c->row->nargs, c->row->nargs == 1 ? "" : "s", luaL_typename(L, lua_gettop(L)), lua_gettop(L));
}

/* x ^ 2 is square(x), except for bool, where the 2 makes it int64. */
static void take_shortcut(call *c)
{
    const cuna_number *number = &c->operands[1].number;
    if (c->operands[0].array != NULL && c->operands[0].array->dtype != CUNA_BOOL && c->operands[1].array == NULL &&
        number->kind == CUNA_NUMBER_INT && (double)number->i == c->row->shortcut_number)
        c->row = c->row->shortcut;
}

/* Runs a call whose operands begin at stack index `first`; pushes the results. */
static int execute(lua_State *L, call *c, int first)
{
    if (c->row->shortcut != NULL)
        take_shortcut(c);
    const cuna_lua_row *row = c->row;
    if (row->compares)
        widen_comparison(c);
    const cuna_lua_plan plan = *find_plan(L, c); /* a copy: finalizers may grow the table */
    check_numbers(L, c, &plan, first);
    cuna_lua_pace(L, c->S);
    cuna_array *outputs[CUNA_MAX_ROW_RESULTS];
    for (int k = 0; k < row->nresults; k++) {
        outputs[k] = c->out[k];
        if (outputs[k] != NULL)
            lua_pushvalue(L, c->out_index[k]);
        else
            outputs[k] = cuna_lua_push_empty(L, c->S);
    }
    CUNA_LUA_TRY(L, cuna_record(c->S->context, row->name, plan.program, c->operands, outputs, -1, NULL));
    return row->nresults;
}

static void begin(lua_State *L, call *c)
{
    c->row = lua_touserdata(L, lua_upvalueindex(2));
    c->S = c->row->S;
    c->dtype = CUNA_DTYPES;
    c->object = 0;
    for (int k = 0; k < CUNA_MAX_ROW_RESULTS; k++)
        c->out[k] = NULL;
    for (int k = 0; k < c->row->nargs; k++)
        read_operand(L, c, k + 1, k);
}

/* add(a, b, out or nil, options or nil) */
static int call_function(lua_State *L)
{
    call c;
    begin(L, &c);
    if (__builtin_expect(c.object != 0, 0))
        return cuna_lua_call_object(L, c.object, "__cuna_function");
    if (lua_gettop(L) > c.row->nargs)
        read_rest(L, &c, c.row->nargs + 1);
    return execute(L, &c, 1);
}

/* The metamethods: nothing follows the operands (Lua passes -x as x, x). */
static int call_operator(lua_State *L)
{
    call c;
    if (__builtin_expect(lua_type(L, 2) == LUA_TTABLE, 0)) {
        int nresults = cuna_lua_call_object(L, 2, "__cuna_operator");
        if (nresults >= 0)
            return nresults;
    }
    begin(L, &c);
    if (__builtin_expect(c.object != 0, 0))
        return cuna_lua_call_object(L, c.object, "__cuna_function");
    return execute(L, &c, 1);
}

/* Raises for a method whose first argument is not an array; `mark` is the suffix of its name after the row's. */
static int refuse_self(lua_State *L, const char *mark)
{
    cuna_lua_push_slot(L, CUNA_SLOT_SELF);
    lua_pushfstring(L, "%s%s", ((const cuna_lua_row *)lua_touserdata(L, lua_upvalueindex(2)))->name, mark);
    lua_insert(L, 1);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

/* x:add(b, ...). Reading operands rejects userdata that is not an array. */
static int call_method(lua_State *L)
{
    if (__builtin_expect(lua_type(L, 1) != LUA_TUSERDATA, 0))
        return refuse_self(L, "");
    return call_function(L);
}

/* x:add_(b): the first operand is also the output. */
static int call_in_place(lua_State *L)
{
    if (__builtin_expect(lua_type(L, 1) != LUA_TUSERDATA, 0))
        return refuse_self(L, "_");
    call c;
    begin(L, &c);
    if (c.object != 0)
        return cuna_lua_refuse_object(L, c.object, c.row->name);
    read_out(L, &c, 1, 0);
    if (!lua_isnone(L, c.row->nargs + 1))
        cuna_lua_fail(L, "%s_: takes %d argument%s", c.row->name, c.row->nargs - 1, c.row->nargs == 2 ? "" : "s");
    return execute(L, &c, 1);
}

static cuna_lua_row *find_row(cuna_lua_state *S, const char *name)
{
    cuna_lua_row *row = S->rows;
    while (row != NULL && strcmp(row->name, name) != 0)
        row = row->next;
    return row;
}

/* operation(name, nargs, nresults, compares, booleans) -> function, operator, method, in-place method */
static int core_operation(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const char *name = luaL_checkstring(L, 1);
    cuna_lua_row *row = find_row(S, name);
    if (row == NULL) { /* else loaded again: closures point to the row, plans have its id */
        row = calloc(1, sizeof *row);
        if (row == NULL)
            return cuna_lua_fail(L, "the host has no memory left for operations");
        row->S = S;
        row->id = S->nrows++;
        row->next = S->rows;
        S->rows = row;
        snprintf(row->name, sizeof row->name, "%s", name);
    }
    row->nargs = (uint8_t)luaL_checkinteger(L, 2);
    row->nresults = (uint8_t)luaL_checkinteger(L, 3);
    row->compares = lua_toboolean(L, 4);
    row->booleans = (uint8_t)luaL_optinteger(L, 5, 0);
    if (row->nargs > CUNA_MAX_ROW_ARGUMENTS || row->nresults > CUNA_MAX_ROW_RESULTS)
        return cuna_lua_fail(L, "%s: too many arguments or results", name);
    static const lua_CFunction forms[] = {call_function, call_operator, call_method, call_in_place};
    for (int i = 0; i < 4; i++) {
        lua_pushlightuserdata(L, S);
        lua_pushlightuserdata(L, row);
        lua_pushcclosure(L, forms[i], 2);
    }
    return 4;
}

/* shortcut(name, number, other): name(x, number) is other(x); both rows are declared. */
static int core_shortcut(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_lua_row *row = find_row(S, luaL_checkstring(L, 1)), *other = find_row(S, luaL_checkstring(L, 3));
    if (row == NULL || other == NULL || row->nargs != 2 || other->nargs != 1)
        return cuna_lua_fail(L, "shortcut: expected a row of two operands, a number and a row of one");
    row->shortcut_number = luaL_checknumber(L, 2);
    row->shortcut = other;
    return 0;
}

void cuna_lua_open_operation(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"operation", core_operation}, {"shortcut", core_shortcut}, {NULL, NULL}});
}
