/* create.c: new arrays of a shape: unspecified, or filled with a number. */
#include <string.h>

#include "state.h"

/* What is created, and for whom. */
typedef struct call {
    const char *name;
    cuna_device *device;
    cuna_dtype dtype;
    int ndim;
    int64_t shape[CUNA_MAX_NDIM];
} call;

/* Fills an empty array with a number, or leaves its values unspecified. */
static cuna_status create(cuna_array *out, cuna_context *context, const call *c, const cuna_number *value)
{
    return value != NULL ? cuna_record_full(out, context, c->name, c->dtype, c->device, c->ndim, c->shape, value)
                         : cuna_array_create_on(out, context, c->device, c->dtype, c->ndim, c->shape);
}

/* Pushes a new array; a bad shape is an error of the caller. */
static void push_new(lua_State *L, cuna_lua_state *S, const call *c, const cuna_number *value)
{
    cuna_lua_pace(L, S);
    cuna_array *array = cuna_lua_push_empty(L, S);
    cuna_status status = create(array, S->context, c, value);
    if (status == CUNA_VALUE) /* CUNA_LUA_TRY, but a bad shape names the caller */
        cuna_lua_fail(L, "%s: %s", c->name, cuna_message());
    if (status == CUNA_MEMORY) {
        cuna_lua_collect(L);
        status = create(array, S->context, c, value);
    }
    cuna_lua_check(L, status);
}

/* Reads shape, dtype or nil, device or nil and the caller's name, the first arguments. */
static void read_call(lua_State *L, cuna_lua_state *S, call *c)
{
    c->name = luaL_optstring(L, 4, "empty");
    c->ndim = cuna_lua_check_shape(L, 1, c->shape, c->name);
    c->dtype = lua_isnoneornil(L, 2) ? S->default_dtype : cuna_lua_check_dtype(L, 2, c->name);
    c->device = lua_isnoneornil(L, 3) ? cuna_context_device(S->context) : cuna_lua_place_at(L, 3, c->name);
}

/* empty(shape, dtype or nil, device, an array on it or nil, what) */
static int core_empty(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    call c;
    read_call(L, S, &c);
    push_new(L, S, &c, NULL);
    return 1;
}

/* full(shape, dtype or nil, device, an array on it or nil, what, value) */
static int core_full(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    call c;
    cuna_number value;
    char problem[128];
    read_call(L, S, &c);
    if (!cuna_lua_to_number(L, 5, &value))
        return cuna_lua_fail(L, "%s: the value is a number or boolean, got %s", c.name, cuna_lua_describe(L, 5));
    if (!cuna_lua_number_suits(&value, c.dtype, problem, sizeof problem))
        return cuna_lua_fail(L, "%s: %s", c.name, problem);
    push_new(L, S, &c, &value);
    return 1;
}

static void set_shape(call *c, const cuna_array *x)
{
    c->ndim = x->ndim;
    memcpy(c->shape, cuna_array_shape(x), (size_t)x->ndim * sizeof *c->shape);
}

/* empty_like(x, dtype or nil, what) -> a new array of x's shape, on its device */
static int core_empty_like(lua_State *L)
{
    call c = {.name = luaL_checkstring(L, 3)};
    const cuna_array *x = cuna_lua_check_array(L, 1, c.name);
    c.dtype = lua_isnil(L, 2) ? (cuna_dtype)x->dtype : cuna_lua_check_dtype(L, 2, c.name);
    c.device = cuna_array_device(x);
    set_shape(&c, x);
    push_new(L, cuna_lua_get_state(L), &c, NULL);
    return 1;
}

/* The functions that have a front: name(shape, dtype), or name(x, dtype) for an array like x. */
static const struct cuna_lua_creation {
    const char *name;
    bool is_like, is_filled;
    int64_t value;
} creations[] = {{"empty", .is_filled = false},
                 {"zeros", .is_filled = true},
                 {"ones", .is_filled = true, .value = 1},
                 {"empty_like", .is_like = true},
                 {"zeros_like", .is_like = true, .is_filled = true},
                 {"ones_like", .is_like = true, .is_filled = true, .value = 1}};

/* A copy of the shape: a finalizer may free the array meanwhile. */
static bool read_like(lua_State *L, const cuna_lua_state *S, call *c)
{
    const cuna_array *x = cuna_lua_peek_array(S, L, 1);
    if (x == NULL || x->buffer == NULL)
        return false;
    c->device = cuna_array_device(x);
    c->dtype = x->dtype;
    set_shape(c, x);
    return true;
}

static bool read_shape(lua_State *L, const cuna_lua_state *S, call *c)
{
    c->device = cuna_context_device(S->context);
    c->dtype = S->default_dtype;
    c->ndim = cuna_lua_peek_list(L, 1, 1, c->shape);
    return c->ndim >= 0;
}

/* The dtype, argument 2, if there is one. */
static bool read_dtype(lua_State *L, call *c)
{
    if (lua_isnoneornil(L, 2))
        return true;
    return lua_type(L, 2) == LUA_TSTRING && cuna_dtype_find(&c->dtype, lua_tostring(L, 2)) == CUNA_OK;
}

int cuna_lua_front_create(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_lua_creation *creation = lua_touserdata(L, lua_upvalueindex(3));
    call c = {.name = creation->name};
    if (lua_gettop(L) > 2 || !(creation->is_like ? read_like : read_shape)(L, S, &c) || !read_dtype(L, &c))
        return cuna_lua_pass_on(L);
    cuna_number value = {.kind = CUNA_NUMBER_INT, .i = creation->value};
    push_new(L, S, &c, creation->is_filled ? &value : NULL);
    return 1;
}

/* ---- whole numbers that are evenly spaced ---- */

static const struct cuna_lua_progression {
    const char *name;
    bool has_last; /* the second number is one of them */
} progressions[] = {{"arange", false}, {"range", true}};

#define MOST_ELEMENTS ((int64_t)1 << 52) /* Lua refuses more */

/* Reads the first number, the step and how many there are; false for arguments that are not one to three whole numbers,
 * and where there are none. */
static bool read_progression(lua_State *L, const cuna_lua_progression *what, int64_t *first, int64_t *step,
                             int64_t *count)
{
    int64_t given[3] = {0, 0, 1};
    int ngiven = lua_gettop(L);
    if (ngiven < 1 + what->has_last || ngiven > 3)
        return false;
    for (int i = 0; i < ngiven; i++)
        if (!cuna_lua_peek_whole(L, i + 1, &given[i]))
            return false;
    int64_t end = given[ngiven > 1];
    *first = ngiven > 1 ? given[0] : 0;
    *step = given[2];
    if (*step == 0 || (end - *first) / *step < 0)
        return false;
    bool is_beyond = what->has_last || (end - *first) % *step != 0;
    *count = (end - *first) / *step + is_beyond;
    return *count > 0 && *count <= MOST_ELEMENTS && (end - *first >= 0) == (*step > 0);
}

/* The program of whole numbers, which Lua names once. */
static const cuna_program *find_progression(lua_State *L, cuna_lua_state *S)
{
    if (S->progression != NULL)
        return S->progression;
    cuna_lua_push_slot(L, CUNA_SLOT_PROGRESSION);
    lua_call(L, 0, 1);
    S->progression = cuna_lua_to_program(L, -1);
    lua_pop(L, 1);
    return S->progression;
}

int cuna_lua_front_progression(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_lua_progression *what = lua_touserdata(L, lua_upvalueindex(3));
    int64_t first, step, count;
    if (!read_progression(L, what, &first, &step, &count))
        return cuna_lua_pass_on(L);
    const cuna_operand numbers[] = {{.number = {.kind = CUNA_NUMBER_INT, .i = first}},
                                    {.number = {.kind = CUNA_NUMBER_INT, .i = step}}};
    const cuna_program *program = find_progression(L, S);
    cuna_device *device = cuna_context_device(S->context);
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, cuna_record_new(out, S->context, what->name, program, numbers, device, 1, &count));
    return 1;
}

const cuna_lua_progression *cuna_lua_find_progression(const char *name)
{
    for (size_t i = 0; i < sizeof progressions / sizeof *progressions; i++)
        if (strcmp(progressions[i].name, name) == 0)
            return &progressions[i];
    return NULL;
}

const cuna_lua_creation *cuna_lua_find_creation(const char *name)
{
    for (size_t i = 0; i < sizeof creations / sizeof *creations; i++)
        if (strcmp(creations[i].name, name) == 0)
            return &creations[i];
    return NULL;
}

void cuna_lua_open_create(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"empty", core_empty}, {"full", core_full}, {"empty_like", core_empty_like}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}
