/* text.c: numbers as text, for Lua: tables of them, by core.text_load and core.text_save, and core.shortest_digits.
 *
 * lua/cuna/io/text.lua has checked the options. A userdata with a finalizer owns runtime memory from the start, so any
 * Lua function may raise at any point. The runtime calls back into Lua only for converters: they run under lua_pcall,
 * while the scan holds only its own memory. */
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "text/shortest.h"

#define HOLDER "cuna.text"

/* Memory to free, however a binding returns. */
struct holder {
    char *memory;
    cuna_text_table table;
};

static int free_holder(lua_State *L)
{
    struct holder *holder = cuna_lua_to_userdata(L, 1, HOLDER);
    if (holder == NULL)
        return 0;
    free(holder->memory);
    holder->memory = NULL;
    cuna_text_free(&holder->table);
    return 0;
}

/* Each of these reads one field of the options table at `index`; the result is anchored there or pushed. */
static const char *string_of(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    const char *value = luaL_checkstring(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Pushes memory for the entries of a list of numbers; without a list returns NULL and pushes nil. */
static const int64_t *push_integers(lua_State *L, int index, const char *name, int64_t *n)
{
    *n = 0;
    lua_getfield(L, index, name);
    if (lua_isnil(L, -1))
        return NULL;
    *n = (int64_t)lua_objlen(L, -1);
    int64_t *values = lua_newuserdata(L, (size_t)*n * sizeof *values + 1);
    for (int64_t i = 0; i < *n; i++) {
        lua_rawgeti(L, -2, (int)i + 1);
        values[i] = (int64_t)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_replace(L, -2);
    return values;
}

/* Pushes memory for pointers to a list of strings, after a list that anchors them. */
static const char *const *push_strings(lua_State *L, int index, const char *name, int64_t *n)
{
    lua_getfield(L, index, name);
    *n = cuna_lua_push_list(L, -1);
    lua_replace(L, -2);
    const char **values = lua_newuserdata(L, (size_t)*n * sizeof *values + 1);
    for (int64_t i = 0; i < *n; i++) {
        lua_rawgeti(L, -2, (int)i + 1);
        if (lua_type(L, -1) != LUA_TSTRING) /* a number would become a string that is not anchored */
            cuna_lua_fail(L, "loadtxt: %s are strings, got %s", name, luaL_typename(L, -1));
        values[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return values;
}

/* One conversion on its way through lua_pcall. */
struct conversion {
    lua_State *L;
    int closure; /* stack index of run_converter with its upvalues */
    int64_t index;
    const char *text;
    size_t nbytes;
    cuna_number number;
    bool found;
};

/* Runs protected. Upvalues: the conversion, the list of converters (functions, or tables from text to number). */
static int run_converter(lua_State *L)
{
    struct conversion *conversion = lua_touserdata(L, lua_upvalueindex(2));
    lua_rawgeti(L, lua_upvalueindex(1), (int)conversion->index + 1);
    bool is_table = lua_istable(L, -1);
    lua_pushlstring(L, conversion->text, conversion->nbytes);
    if (is_table)
        lua_rawget(L, -2);
    else
        lua_call(L, 1, 1);
    conversion->found = !is_table || !lua_isnil(L, -1);
    if (!conversion->found || cuna_lua_to_number(L, -1, &conversion->number))
        return 0;
    lua_pushlstring(L, conversion->text, conversion->nbytes);
    lua_pushfstring(L, "the converter returned a %s for '%s', expected a number", luaL_typename(L, -2),
                    lua_tostring(L, -1));
    return lua_error(L);
}

static cuna_status convert(cuna_number *out, bool *found, void *state, int64_t index, const char *text, size_t nbytes)
{
    struct conversion *conversion = state;
    lua_State *L = conversion->L;
    conversion->index = index;
    conversion->text = text;
    conversion->nbytes = nbytes;
    lua_pushvalue(L, conversion->closure);
    if (lua_pcall(L, 0, 0, 0) != 0) {
        bool has_text = lua_type(L, -1) == LUA_TSTRING;
        cuna_fail(CUNA_VALUE, "%s",
                  has_text ? lua_tostring(L, -1) : "the converter raised an error that is not a string");
        lua_pop(L, 1);
        return CUNA_VALUE;
    }
    *out = conversion->number;
    *found = conversion->found;
    return CUNA_OK;
}

/* Pushes the values that conversion needs. */
static void push_converters(lua_State *L, int index, cuna_text_options *o, struct conversion *conversion)
{
    o->converted = push_integers(L, index, "converted", &o->nconverted);
    o->convert = convert;
    o->convert_state = conversion;
    lua_getfield(L, index, "converters");
    lua_pushlightuserdata(L, conversion);
    lua_pushcclosure(L, run_converter, 2);
    *conversion = (struct conversion){.L = L, .closure = lua_gettop(L)};
}

/* Reads the value for missing fields, which the dtype must hold. */
static void read_missing(lua_State *L, int index, cuna_text_options *o)
{
    char kind = cuna_dtype_kind(o->dtype);
    lua_getfield(L, index, "missing");
    o->has_missing = !lua_isnil(L, -1);
    if (o->has_missing && !cuna_lua_to_number(L, -1, &o->missing))
        cuna_lua_fail(L, "loadtxt: missing: expected a number, got a %s", luaL_typename(L, -1));
    bool holds = kind == 'c' || (kind == 'f' && o->missing.kind != CUNA_NUMBER_COMPLEX) ||
                 (kind != 'f' && cuna_number_fits(&o->missing, o->dtype));
    if (o->has_missing && !holds)
        cuna_lua_fail(L, "loadtxt: missing: this number does not fit %s", cuna_dtype_name(o->dtype));
    lua_pop(L, 1);
}

/* Reads the options at `index`; pushes the memory they point to. */
static void read_options(lua_State *L, int index, cuna_text_options *o, struct conversion *conversion)
{
    *o = (cuna_text_options){
        .syntax = {.source = string_of(L, index, "label"),
                   .delimiter = string_of(L, index, "delimiter")[0],
                   .quote = string_of(L, index, "quotechar")[0]},
        .skiprows = cuna_lua_field_integer(L, index, "skiprows"),
        .max_rows = cuna_lua_field_integer(L, index, "max_rows"),
        .names = cuna_lua_field_flag(L, index, "names"),
    };
    lua_getfield(L, index, "dtype");
    o->dtype = cuna_lua_check_dtype(L, -1, "loadtxt: dtype");
    lua_pop(L, 1);
    read_missing(L, index, o);
    o->syntax.comments = push_strings(L, index, "comments", &o->syntax.ncomments);
    o->usecols = push_integers(L, index, "usecols", &o->nusecols);
    push_converters(L, index, o, conversion);
}

/* Scans the text at stack index 1, or the file of that path. */
static void scan(lua_State *L, struct holder *holder, const cuna_text_options *o)
{
    size_t nbytes;
    const char *text = lua_tolstring(L, 1, &nbytes);
    if (!cuna_lua_field_flag(L, 2, "is_text")) {
        cuna_lua_check(L, cuna_text_load(&holder->memory, &nbytes, text));
        text = holder->memory;
    }
    cuna_status status = cuna_text_scan(&holder->table, text, nbytes, o);
    free(holder->memory);
    holder->memory = NULL;
    cuna_lua_check(L, status);
}

/* NumPy's shape: axes of length 1 are dropped as far as ndmin allows. Returns ndim. */
static int choose_shape(int64_t *shape, const cuna_text_table *table, int ndmin)
{
    int64_t rows = table->rows, columns = table->columns;
    if (rows == 0) { /* nothing to drop; one column at least, as in NumPy */
        shape[0] = 0;
        shape[1] = columns > 0 ? columns : 1;
        return ndmin == 2 ? 2 : 1;
    }
    if (ndmin == 2 || (rows > 1 && columns > 1)) {
        shape[0] = rows;
        shape[1] = columns;
        return 2;
    }
    shape[0] = rows * columns;
    return shape[0] > 1 || ndmin == 1 ? 1 : 0;
}

static void push_table(lua_State *L, const struct holder *holder, cuna_dtype dtype, int ndmin)
{
    int64_t shape[2];
    int ndim = choose_shape(shape, &holder->table, ndmin);
    cuna_array *array = cuna_lua_new_array(L, dtype, ndim, shape);
    if (holder->table.rows > 0)
        CUNA_LUA_TRY(L, cuna_array_set(cuna_lua_context(L), array, holder->table.values));
}

/* Pushes every column as a separate array; returns their number. */
static int push_columns(lua_State *L, struct holder *holder, cuna_dtype dtype)
{
    const cuna_text_table *table = &holder->table;
    int64_t columns = table->columns > 0 ? table->columns : 1, itemsize = cuna_dtype_size(dtype);
    if (columns > 4096)
        cuna_lua_fail(L, "loadtxt: unpack: %d columns are too many results; take x[{{}, k}]", (int)columns);
    luaL_checkstack(L, (int)columns + 8, "loadtxt: unpack");
    holder->memory = malloc((size_t)(table->rows * itemsize) + 1);
    if (!holder->memory)
        cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "loadtxt: no memory for a column"));
    for (int64_t column = 0; column < columns; column++) {
        cuna_array *array = cuna_lua_new_array(L, dtype, 1, &table->rows);
        if (table->rows == 0)
            continue;
        cuna_text_column(holder->memory, table, column, itemsize);
        CUNA_LUA_TRY(L, cuna_array_set(cuna_lua_context(L), array, holder->memory));
    }
    return (int)columns;
}

static void push_names(lua_State *L, const cuna_text_table *table)
{
    const char *name = table->names;
    lua_createtable(L, (int)table->columns, 0);
    for (int64_t column = 0; column < table->columns; column++, name += strlen(name) + 1) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (int)column + 1);
    }
}

/* text_load(path or text, options): the array, or with unpack its columns; then the names if requested. */
static int text_load(lua_State *L)
{
    cuna_text_options options;
    struct conversion conversion;
    luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    struct holder *holder = cuna_lua_push_holder(L, sizeof *holder, HOLDER, free_holder);
    luaL_checkstack(L, 16, "loadtxt");
    read_options(L, 2, &options, &conversion);
    scan(L, holder, &options);
    int nresults = 1;
    if (cuna_lua_field_flag(L, 2, "unpack"))
        nresults = push_columns(L, holder, options.dtype);
    else
        push_table(L, holder, options.dtype, (int)cuna_lua_field_integer(L, 2, "ndmin"));
    if (options.names) {
        push_names(L, &holder->table);
        nresults++;
    }
    /* The holder is garbage only at the next collection: its memory, often large, is freed here. */
    free(holder->memory);
    holder->memory = NULL;
    cuna_text_free(&holder->table);
    return nresults;
}

/* text_save(file, path, array, options) */
static int text_save(lua_State *L)
{
    FILE *stream = cuna_lua_check_file(L, 1);
    const char *path = luaL_checkstring(L, 2);
    cuna_array *array = cuna_lua_check_array(L, 3, "savetxt");
    const int64_t *shape = cuna_array_shape(array);
    char text[128];
    cuna_lua_check_waiting(L, "savetxt");
    if (array->ndim != 1 && array->ndim != 2)
        cuna_lua_fail(L, "savetxt: expected a 1-d or 2-d array, got shape %s",
                      cuna__shape_text(text, sizeof text, array->ndim, shape));
    cuna_text_layout layout = {
        .delimiter = string_of(L, 4, "delimiter"),
        .newline = string_of(L, 4, "newline"),
        .header = string_of(L, 4, "header"),
        .footer = string_of(L, 4, "footer"),
    };
    layout.formats = push_strings(L, 4, "formats", &layout.nformats);
    /* A holder owns the copy, because the calls before it is written may raise errors. */
    struct holder *holder = cuna_lua_push_holder(L, sizeof *holder, HOLDER, free_holder);
    holder->memory = malloc((size_t)(array->size * cuna_dtype_size(array->dtype)) + 1);
    if (!holder->memory)
        cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "savetxt: no memory for a copy on the host"));
    if (array->size > 0)
        CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, holder->memory));
    cuna_status status =
        cuna_text_save(stream, path, holder->memory, shape[0], array->ndim == 2 ? shape[1] : 1, array->dtype, &layout);
    free(holder->memory);
    holder->memory = NULL;
    if (status == CUNA_VALUE)
        return cuna_lua_fail(L, "savetxt: %s", cuna_message());
    cuna_lua_check(L, status);
    return 0;
}

/* shortest_digits(x, dtype) -> the least digits of a finite x from 0 on that read back, exponent of the first */
static int shortest_digits(lua_State *L)
{
    char digits[CUNA__SHORTEST_DIGITS];
    int exponent, count = cuna__shortest_digits(digits, &exponent, luaL_checknumber(L, 1),
                                                cuna_lua_check_dtype(L, 2, "shortest_digits"));
    lua_pushlstring(L, digits, (size_t)count);
    lua_pushnumber(L, exponent);
    return 2;
}

void cuna_lua_open_text(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"text_load", text_load}, {"text_save", text_save}, {"shortest_digits", shortest_digits}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}
