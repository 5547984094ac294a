/* columns.c: CSV for Lua: core.csv_head, core.csv_read and core.csv_write.
 *
 * lua/cuna/io/csv.lua has checked the options. A text is that of a spooled file, which stays on the stack. A userdata
 * with a finalizer owns the memory of columns, so any Lua function may raise at any point. */
#include "text/columns.h"

#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "text/text.h"

#define HOLDER "cuna.columns"

/* What columns own, however a binding returns. */
struct holder {
    char *names;
    cuna_columns table;
};

static void free_columns(struct holder *holder)
{
    for (int64_t k = 0; k < holder->table.ncolumns; k++)
        free(holder->table.columns[k].memory);
    free(holder->table.columns);
    free(holder->names);
    *holder = (struct holder){0};
}

static int free_holder(lua_State *L)
{
    struct holder *holder = cuna_lua_to_userdata(L, 1, HOLDER);
    if (holder != NULL)
        free_columns(holder);
    return 0;
}

static cuna_column *new_columns(lua_State *L, struct holder *holder, int64_t ncolumns)
{
    holder->table.columns = calloc((size_t)ncolumns + 1, sizeof *holder->table.columns);
    if (holder->table.columns == NULL)
        cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "no memory for %lld columns", (long long)ncolumns));
    holder->table.ncolumns = ncolumns;
    return holder->table.columns;
}

/* Pushes pointers to a list of strings, which the list keeps alive. */
static const char *const *push_strings(lua_State *L, int index, const char *name, int64_t *n)
{
    lua_getfield(L, index, name);
    *n = (int64_t)lua_objlen(L, -1);
    const char **values = lua_newuserdata(L, (size_t)*n * sizeof *values + 1);
    for (int64_t i = 0; i < *n; i++) {
        lua_rawgeti(L, -2, (int)i + 1);
        values[i] = luaL_checkstring(L, -1);
        lua_pop(L, 1);
    }
    return values;
}

static char first_of(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    char c = luaL_checkstring(L, -1)[0];
    lua_pop(L, 1);
    return c;
}

/* Reads the options that fields.c needs; pushes the memory they point to. */
static cuna_fields_syntax read_syntax(lua_State *L, int index)
{
    cuna_fields_syntax syntax = {.keeps_blanks = true};
    lua_getfield(L, index, "label");
    syntax.source = luaL_checkstring(L, -1);
    syntax.delimiter = first_of(L, index, "delimiter");
    syntax.quote = first_of(L, index, "quotechar");
    syntax.comments = push_strings(L, index, "comments", &syntax.ncomments);
    return syntax;
}

/* csv_head(file, options) -> names of the first line, place and line of it, place and line of the next one */
static int csv_head(lua_State *L)
{
    size_t nbytes;
    const char *text = cuna_lua_check_spooled(L, 1, &nbytes);
    struct holder *holder = cuna_lua_push_holder(L, sizeof *holder, HOLDER, free_holder);
    const cuna_fields_syntax syntax = read_syntax(L, 2);
    cuna_columns_head head;
    cuna_status status = cuna_columns_read_head(&head, text, nbytes, cuna_lua_field_integer(L, 2, "skiprows"), &syntax);
    holder->names = head.names;
    cuna_lua_check(L, status);
    const char *name = head.names;
    lua_createtable(L, (int)head.count, 0);
    for (int64_t k = 0; k < head.count; k++, name += strlen(name) + 1) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (int)k + 1);
    }
    lua_pushnumber(L, (lua_Number)head.first);
    lua_pushnumber(L, (lua_Number)head.first_line);
    lua_pushnumber(L, (lua_Number)head.next);
    lua_pushnumber(L, (lua_Number)head.next_line);
    return 5;
}

/* Reads the option `kinds`, a list of "skip", "any", "number" and "text", one for each column. */
static void read_kinds(lua_State *L, int index, struct holder *holder)
{
    static const char *const names[] = {"skip", "any", "number", "text", NULL};
    static const cuna_column_kind kinds[] = {CUNA_COLUMN_SKIP, CUNA_COLUMN_ANY, CUNA_COLUMN_ANY, CUNA_COLUMN_TEXT};
    lua_getfield(L, index, "kinds");
    cuna_column *columns = new_columns(L, holder, (int64_t)lua_objlen(L, -1));
    for (int64_t k = 0; k < holder->table.ncolumns; k++) {
        lua_rawgeti(L, -1, (int)k + 1);
        int kind = luaL_checkoption(L, -1, NULL, names);
        columns[k].kind = kinds[kind];
        columns[k].is_number = kind == 2;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void push_cells(lua_State *L, const cuna_column *column, int64_t rows, char quote)
{
    luaL_Buffer buffer;
    lua_createtable(L, (int)rows, 0);
    for (int64_t row = 0; row < rows; row++) {
        const cuna_cell *cell = &column->cells[row];
        if (!cell->doubled) {
            lua_pushlstring(L, cell->text, cell->nbytes);
        } else if (cell->nbytes <= LUAL_BUFFERSIZE) {
            luaL_buffinit(L, &buffer);
            luaL_addsize(&buffer, cuna_cell_copy(luaL_prepbuffer(&buffer), cell, quote));
            luaL_pushresult(&buffer);
        } else {
            char *copy = lua_newuserdata(L, cell->nbytes);
            lua_pushlstring(L, copy, cuna_cell_copy(copy, cell, quote));
            lua_replace(L, -2);
        }
        lua_rawseti(L, -2, (int)row + 1);
    }
}

/* The values of a column in the place of the wider ones that were read. */
static cuna_dtype narrow(cuna_column *column, int64_t rows)
{
    switch (column->kind) {
    case CUNA_COLUMN_BOOL:
        for (int64_t row = 0; row < rows; row++)
            ((uint8_t *)column->memory)[row] = column->ints[row] != 0;
        return CUNA_BOOL;
    case CUNA_COLUMN_INT:
        return CUNA_INT64;
    case CUNA_COLUMN_UINT:
        return CUNA_UINT64;
    default:
        return CUNA_FLOAT64;
    }
}

static void push_column(lua_State *L, cuna_column *column, int64_t rows, char quote)
{
    if (column->kind == CUNA_COLUMN_SKIP) {
        lua_pushboolean(L, false);
    } else if (column->kind == CUNA_COLUMN_TEXT) {
        push_cells(L, column, rows, quote);
    } else {
        cuna_dtype dtype = narrow(column, rows);
        cuna_array *array = cuna_lua_new_array(L, dtype, 1, &rows);
        if (rows > 0)
            CUNA_LUA_TRY(L, cuna_array_set(cuna_lua_context(L), array, column->memory));
    }
    free(column->memory);
    column->memory = NULL;
}

/* csv_read(file, options) -> list of columns: arrays, tables of strings, or false for those that are skipped */
static int csv_read(lua_State *L)
{
    size_t nbytes;
    const char *text = cuna_lua_check_spooled(L, 1, &nbytes);
    struct holder *holder = cuna_lua_push_holder(L, sizeof *holder, HOLDER, free_holder);
    cuna_columns_options options = {
        .syntax = read_syntax(L, 2),
        .place = (size_t)cuna_lua_field_integer(L, 2, "place"),
        .line = cuna_lua_field_integer(L, 2, "line"),
        .most = cuna_lua_field_integer(L, 2, "max_rows"),
    };
    options.missing = push_strings(L, 2, "missing", &options.nmissing);
    read_kinds(L, 2, holder);
    cuna_lua_check(L, cuna_columns_read(&holder->table, text, nbytes, &options));
    lua_createtable(L, (int)holder->table.ncolumns, 0);
    for (int64_t k = 0; k < holder->table.ncolumns; k++) {
        push_column(L, &holder->table.columns[k], holder->table.rows, options.syntax.quote);
        lua_rawseti(L, -2, (int)k + 1);
    }
    free_columns(holder);
    return 1;
}

/* ---- writing ---- */

/* A column to write: a list of strings on the stack, or a copy of an array's elements. */
struct source {
    int index; /* of the list */
    const char *values;
    cuna_dtype dtype;
    bool is_float;
};

/* Pushes what each column of the list at an index is read from. */
static struct source *push_sources(lua_State *L, int index, struct holder *holder)
{
    int64_t ncolumns = (int64_t)lua_objlen(L, index);
    cuna_column *columns = new_columns(L, holder, ncolumns);
    struct source *sources = lua_newuserdata(L, (size_t)ncolumns * sizeof *sources + 1);
    luaL_checkstack(L, (int)ncolumns + 8, "write_csv");
    for (int64_t k = 0; k < ncolumns; k++) {
        lua_rawgeti(L, index, (int)k + 1);
        sources[k] = (struct source){.index = lua_gettop(L)};
        if (lua_istable(L, -1))
            continue;
        const cuna_array *array = cuna_lua_check_array(L, -1, "write_csv");
        columns[k].memory = malloc((size_t)(array->size * cuna_dtype_size(array->dtype)) + 1);
        if (columns[k].memory == NULL)
            cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "write_csv: no memory for a copy on the host"));
        if (array->size > 0)
            CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, columns[k].memory));
        sources[k].values = columns[k].memory;
        sources[k].dtype = array->dtype;
        sources[k].is_float = cuna_dtype_kind(array->dtype) == 'f';
    }
    return sources;
}

/* Writes the element or string of a row; a line that would be blank gets quotes, because readers skip blank lines. */
static void write_field(lua_State *L, FILE *stream, const struct source *source, int64_t row, char delimiter,
                        bool is_alone)
{
    char number[CUNA__SHORTEST_ROOM];
    size_t nbytes;
    if (source->values != NULL) {
        nbytes = cuna_text_element(number, source->values + row * cuna_dtype_size(source->dtype), source->dtype);
        if (source->is_float && strcmp(number, "nan") == 0)
            nbytes = 0;
        fwrite(nbytes == 0 && is_alone ? "\"\"" : number, 1, nbytes == 0 && is_alone ? 2 : nbytes, stream);
        return;
    }
    lua_rawgeti(L, source->index, (int)row + 1);
    const char *text = luaL_checklstring(L, -1, &nbytes);
    if (nbytes == 0 && is_alone)
        fputs("\"\"", stream);
    else
        cuna_cell_write(stream, text, nbytes, delimiter);
    lua_pop(L, 1);
}

/* csv_write(file, list of columns, number of rows, delimiter): arrays and lists of strings, all of these lengths */
static int csv_write(lua_State *L)
{
    FILE *stream = cuna_lua_check_file(L, 1);
    int64_t rows = cuna_lua_check_integer(L, 3, "write_csv");
    char delimiter = luaL_checkstring(L, 4)[0];
    struct holder *holder = cuna_lua_push_holder(L, sizeof *holder, HOLDER, free_holder);
    const struct source *sources = push_sources(L, 2, holder);
    int64_t ncolumns = holder->table.ncolumns;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t k = 0; k < ncolumns; k++) {
            write_field(L, stream, &sources[k], row, delimiter, ncolumns == 1);
            putc(k + 1 < ncolumns ? delimiter : '\n', stream);
        }
    free_columns(holder);
    return 0;
}

void cuna_lua_open_columns(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"csv_head", csv_head}, {"csv_read", csv_read}, {"csv_write", csv_write}, {NULL, NULL}};
    cuna_lua_register(L, functions);
}
