/* draw.c: the counters of generators of random numbers, fronts of draws, and orders of few elements.
 *
 * A generator's table has, under counter_key, its counter: the key of its numbers and how many draws there were, 8 bytes
 * each, which Lua reads and writes as well (lua/cuna/random/generator.lua). Fronts serve draws whose parameters are
 * numbers, generator:random(), :normal(loc, scale, shape), and whole numbers between few bounds, :integers(high),
 * :integers(low, high, shape).
 * Upvalues of a front: the state, the Lua function, the draw, the function that finds its programs. */
#include "state.h"

#include <math.h>
#include <string.h>

typedef struct counter {
    uint64_t key, calls;
} counter;

static const char counter_key; /* whose address is the key */

/* The counter of the generator at a stack index; NULL for other values. */
static counter *peek_counter(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return NULL;
    lua_pushlightuserdata(L, (void *)(uintptr_t)&counter_key);
    lua_rawget(L, index);
    counter *found = lua_type(L, -1) == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
    lua_pop(L, 1);
    return found;
}

/* counter() -> a userdata of two uint64_t */
static int core_counter(lua_State *L)
{
    memset(lua_newuserdata(L, sizeof(counter)), 0, sizeof(counter));
    return 1;
}

/* Sets the first inputs of a draw's program: key and number. */
static void begin(const counter *from, cuna_operand *operands)
{
    const uint64_t values[] = {from->key, from->calls};
    for (int k = 0; k < 2; k++) {
        bool is_large = values[k] > INT64_MAX;
        operands[k] = (cuna_operand){.number = {.kind = is_large ? CUNA_NUMBER_UINT : CUNA_NUMBER_INT, .u = values[k]}};
    }
}

/* Counts a draw; a rehearsal does not count. */
static void count_draw(counter *from, const cuna_context *context)
{
    from->calls += !cuna_prepare_is_open(context);
}

/* ---- the front ---- */

enum { MOST_NUMBERS = 4 };

/* A parameter: what it is by default, and the numbers that need no further test. */
typedef struct parameter {
    bool has_default, is_whole;
    double fallback, least, most;
} parameter;

/* A kind of draw: its parameters, the dtype of its results (CUNA_DTYPES: the default float), and its programs by that. */
typedef struct drawing {
    char name[32];
    int count;
    cuna_dtype dtype;
    parameter parameters[MOST_NUMBERS];
    const cuna_program *programs[CUNA_DTYPES];
} drawing;

/* The program for a dtype; asks `find`, an upvalue, the first time. */
static const cuna_program *find_program(lua_State *L, drawing *d, cuna_dtype dtype)
{
    if (__builtin_expect(d->programs[dtype] != NULL, 1))
        return d->programs[dtype];
    lua_pushvalue(L, lua_upvalueindex(4));
    lua_pushstring(L, cuna_dtype_name(dtype));
    lua_call(L, 1, 1);
    d->programs[dtype] = cuna_lua_to_program(L, -1);
    lua_pop(L, 1);
    return d->programs[dtype];
}

/* What a draw is asked for. */
typedef struct asked {
    counter *from;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
    cuna_number numbers[MOST_NUMBERS];
} asked;

/* The shape, the last argument, `at`; without it a number is drawn. */
static bool read_shape(lua_State *L, asked *a, int at)
{
    a->ndim = lua_gettop(L) < at ? 0 : lua_gettop(L) == at ? cuna_lua_peek_list(L, at, at, a->shape) : -1;
    for (int axis = 0; axis < a->ndim; axis++)
        if (a->shape[axis] < 0)
            return false;
    return a->ndim >= 0;
}

static int draw(lua_State *L, const drawing *d, const asked *a, const cuna_program *program)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    cuna_operand operands[2 + MOST_NUMBERS];
    CUNA_LUA_TRY(L, cuna_replay_unwatch(S->context));
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    begin(a->from, operands);
    for (int k = 0; k < d->count; k++)
        operands[2 + k] = (cuna_operand){.number = a->numbers[k]};
    count_draw(a->from, S->context);
    cuna_device *device = cuna_context_device(S->context);
    CUNA_LUA_TRY(L, cuna_record_new(out, S->context, d->name, program, operands, device, a->ndim, a->shape));
    return 1;
}

/* Reads a parameter; false for what has to be tested, and zeros below 0. */
static bool read_parameter(lua_State *L, const parameter *p, int index, cuna_number *out)
{
    bool is_left_out = lua_isnoneornil(L, index);
    if (is_left_out ? !p->has_default : lua_type(L, index) != LUA_TNUMBER)
        return false;
    double value = is_left_out ? p->fallback : lua_tonumber(L, index);
    cuna_lua_from_double(out, value);
    return value >= p->least && value <= p->most && (!p->is_whole || out->kind == CUNA_NUMBER_INT) &&
           !(value == 0 && signbit(value));
}

static bool read_parameters(lua_State *L, const drawing *d, asked *a)
{
    bool all = true;
    for (int k = 0; all && k < d->count; k++)
        all = read_parameter(L, &d->parameters[k], 2 + k, &a->numbers[k]);
    return all;
}

static int front_draw(lua_State *L)
{
    const cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    drawing *d = lua_touserdata(L, lua_upvalueindex(3));
    asked a;
    a.from = peek_counter(L, 1);
    if (a.from == NULL || !read_parameters(L, d, &a) || !read_shape(L, &a, 2 + d->count))
        return cuna_lua_pass_on(L);
    return draw(L, d, &a, find_program(L, d, d->dtype == CUNA_DTYPES ? S->default_dtype : d->dtype));
}

/* low and high, or high alone; numbers are the least one and how many others there are. */
static bool read_bounds(lua_State *L, asked *a)
{
    int64_t low = 0, high;
    bool has_both = !lua_isnoneornil(L, 3);
    if ((has_both && !cuna_lua_peek_whole(L, 2, &low)) || !cuna_lua_peek_whole(L, has_both ? 3 : 2, &high))
        return false;
    a->numbers[0] = (cuna_number){.kind = low < 0 ? CUNA_NUMBER_UINT : CUNA_NUMBER_INT, .u = (uint64_t)low};
    a->numbers[1] = (cuna_number){.kind = CUNA_NUMBER_INT, .i = high - 1 - low};
    return low < high;
}

static int front_integers(lua_State *L)
{
    drawing *d = lua_touserdata(L, lua_upvalueindex(3));
    asked a;
    a.from = peek_counter(L, 1);
    if (a.from == NULL || !read_bounds(L, &a) || !read_shape(L, &a, 4))
        return cuna_lua_pass_on(L);
    return draw(L, d, &a, find_program(L, d, a.numbers[1].i <= UINT32_MAX ? CUNA_UINT32 : CUNA_UINT64));
}

/* Pushes the upvalues of a front: of arguments name, function, find. */
static drawing *push_drawing(lua_State *L, int count)
{
    const char *name = luaL_checkstring(L, 1);
    lua_pushlightuserdata(L, cuna_lua_get_state(L));
    lua_pushvalue(L, 2);
    drawing *d = memset(lua_newuserdata(L, sizeof *d), 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%s", name);
    d->count = count;
    lua_pushvalue(L, 3);
    return d;
}

/* draw_front(name, function, find, dtype or nil, parameters) -> a front before a generator's method, which draws by the
 * program that find(dtype) names. A parameter is {default =, least =, most =, is_whole =}. */
static int core_draw_front(lua_State *L)
{
    int count = (int)lua_objlen(L, 5);
    luaL_argcheck(L, count <= MOST_NUMBERS, 5, "too many parameters");
    drawing *d = push_drawing(L, count);
    d->dtype = CUNA_DTYPES;
    if (!lua_isnil(L, 4))
        CUNA_LUA_TRY(L, cuna_dtype_find(&d->dtype, lua_tostring(L, 4)));
    for (int k = 0; k < count; k++) {
        parameter *p = &d->parameters[k];
        lua_rawgeti(L, 5, k + 1);
        lua_getfield(L, -1, "default");
        p->has_default = !lua_isnil(L, -1);
        lua_pop(L, 1);
        p->fallback = cuna_lua_field_number(L, -1, "default");
        p->least = cuna_lua_field_number(L, -1, "least");
        p->most = cuna_lua_field_number(L, -1, "most");
        p->is_whole = cuna_lua_field_flag(L, -1, "is_whole");
        lua_pop(L, 1);
    }
    lua_pushcclosure(L, front_draw, 4);
    return 1;
}

/* integers_front(name, function, find) -> a front before a generator's method of low, high and a shape, which draws by the
 * program of the least number and of how many others there are, which find("uint32" or "uint64") names, the dtype of that */
static int core_integers_front(lua_State *L)
{
    push_drawing(L, 2);
    lua_pushcclosure(L, front_integers, 4);
    return 1;
}

/* ---- orders of few elements ---- */

enum { FEW = 64 };

/* Draws 32 random bits for each of few elements; *known is false, and nothing was done, where the host may not read
 * them at once. */
static cuna_status draw_bits(uint32_t *bits, bool *known, cuna_context *context, const char *name,
                             const cuna_program *program, const counter *from, cuna_device *device, int64_t count)
{
    cuna_array array = {0}, *out = &array;
    cuna_operand operands[4] = {[3].number = {.kind = CUNA_NUMBER_INT, .i = UINT32_MAX}};
    operands[2].number.kind = CUNA_NUMBER_INT;
    begin(from, operands);
    CUNA_TRY(cuna_array_create_on(&array, context, device, CUNA_UINT32, 1, &count));
    *known = cuna_array_touch(context, &array, 0) != NULL;
    cuna_status status = *known ? cuna_record(context, name, program, operands, &out, 1, &count) : CUNA_OK;
    const void *memory = *known && status == CUNA_OK ? cuna_array_touch(context, &array, 0) : NULL;
    *known = memory != NULL;
    if (*known)
        memcpy(bits, memory, (size_t)count * sizeof *bits);
    cuna_array_release(&array);
    return status;
}

/* Sorts the positions from 1 on by their bits; false where some are alike. */
static bool sort_bits(int64_t *order, const uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t place = i;
        for (; place > 0 && bits[order[place - 1] - 1] >= bits[i]; place--) {
            if (bits[order[place - 1] - 1] == bits[i])
                return false;
            order[place] = order[place - 1];
        }
        order[place] = i + 1;
    }
    return true;
}

/* order_few(generator, program, name, count, device) -> the positions 1..count in an order at random, for which the
 * program draws bits; nil, and nothing was drawn, where a device has to sort them */
static int core_order_few(lua_State *L)
{
    uint32_t bits[FEW];
    int64_t order[FEW], count = (int64_t)luaL_checknumber(L, 4);
    bool known = false;
    cuna_lua_state *S = cuna_lua_get_state(L);
    cuna_context *context = S->context;
    counter *from = peek_counter(L, 1);
    const char *name = luaL_checkstring(L, 3);
    cuna_device *device = cuna_lua_place_at(L, 5, name);
    if (from == NULL || count < 1 || count > FEW || cuna_device_is_asynchronous(device))
        return 0;
    CUNA_LUA_TRY(L, cuna_replay_unwatch(context));
    CUNA_LUA_TRY(L, draw_bits(bits, &known, context, name, cuna_lua_to_program(L, 2), from, device, count));
    if (!known || !sort_bits(order, bits, count))
        return 0;
    count_draw(from, context);
    cuna_lua_push_values(L, S, device, CUNA_INT64, order, count);
    return 1;
}

void cuna_lua_open_draw(lua_State *L)
{
    cuna_lua_register(L, (const luaL_Reg[]){{"counter", core_counter},
                                            {"draw_front", core_draw_front},
                                            {"integers_front", core_integers_front},
                                            {"order_few", core_order_few},
                                            {NULL, NULL}});
    lua_pushlightuserdata(L, (void *)(uintptr_t)&counter_key);
    lua_setfield(L, -2, "counter_key");
}
