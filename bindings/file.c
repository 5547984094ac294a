/* file.c: files for Lua: core.file_open and similar functions make objects that the modules of lua/cuna/io read and
 * write.
 *
 * A userdata with a finalizer owns the file from the start; its environment keeps the source alive. Messages begin with
 * the user's function for which the file was opened. */
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "text/text.h"

#define FILE_TYPE "cuna.file"

typedef struct file_box {
    cuna_file *file; /* NULL: closed */
    char what[256];  /* the user's function, and the file */
} file_box;

/* Raises with the user's function as prefix. */
static void check(lua_State *L, cuna_status status, const char *what)
{
    if (status == CUNA_VALUE)
        cuna_lua_fail(L, "%s: %s", what, cuna_message());
    cuna_lua_check(L, status);
}

static file_box *push_box(lua_State *L, const char *what)
{
    file_box *box = lua_newuserdata(L, sizeof *box);
    box->file = NULL;
    snprintf(box->what, sizeof box->what, "%s", what);
    luaL_getmetatable(L, FILE_TYPE);
    lua_setmetatable(L, -2);
    return box;
}

static file_box *check_box(lua_State *L, int index)
{
    file_box *box = luaL_checkudata(L, index, FILE_TYPE);
    if (box->file == NULL)
        cuna_lua_fail(L, "%s: the file is closed", box->what);
    return box;
}

FILE *cuna_lua_check_file(lua_State *L, int index)
{
    return cuna_file_stream(check_box(L, index)->file);
}

const char *cuna_lua_check_spooled(lua_State *L, int index, size_t *nbytes)
{
    cuna_file *file = check_box(L, index)->file;
    *nbytes = (size_t)cuna_file_size(file);
    return cuna_file_spooled(file);
}

/* From here on messages name the file, too. */
static void name_file(file_box *box, const char *path)
{
    size_t length = strlen(box->what);
    snprintf(box->what + length, sizeof box->what - length, ": '%s'", path);
    for (char *c = box->what; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = '?'; /* a message is one line */
}

/* An object keeps its source alive. */
static void anchor(lua_State *L, int index)
{
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, 1);
    lua_setfenv(L, -2);
}

/* file_open(path, what, update) -> file for reading */
static int file_open(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    file_box *box = push_box(L, luaL_checkstring(L, 2));
    check(L, cuna_file_open(&box->file, path, lua_toboolean(L, 3)), box->what);
    name_file(box, path);
    return 1;
}

/* file_create(path, what) -> file for writing, which appears when it is committed */
static int file_create(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    file_box *box = push_box(L, luaL_checkstring(L, 2));
    check(L, cuna_file_create(&box->file, path), box->what);
    name_file(box, path);
    return 1;
}

/* file_open_text(string, what) -> file for reading */
static int file_open_text(lua_State *L)
{
    size_t nbytes;
    const char *text = luaL_checklstring(L, 1, &nbytes);
    file_box *box = push_box(L, luaL_checkstring(L, 2));
    anchor(L, 1);
    check(L, cuna_file_open_memory(&box->file, text, nbytes), box->what);
    name_file(box, "text");
    return 1;
}

/* file_create_text(what) -> file for writing, whose file:text() is what was written */
static int file_create_text(lua_State *L)
{
    file_box *box = push_box(L, luaL_checkstring(L, 1));
    check(L, cuna_file_create_memory(&box->file), box->what);
    return 1;
}

/* file:text() -> string */
static int get_text(lua_State *L)
{
    const char *text;
    int64_t nbytes;
    file_box *box = check_box(L, 1);
    check(L, cuna_file_written(&text, &nbytes, box->file), box->what);
    lua_pushlstring(L, text, (size_t)nbytes);
    return 1;
}

/* file_open_handle(a file of Lua's io library, what) -> file; nil for other values. LuaJIT's handles begin with the
 * FILE *, NULL when closed, as in PUC Lua. */
static int file_open_handle(lua_State *L)
{
    const char *what = luaL_checkstring(L, 2);
    if (lua_type(L, 1) != LUA_TUSERDATA || !lua_getmetatable(L, 1))
        return 0;
    luaL_getmetatable(L, LUA_FILEHANDLE);
    if (!lua_rawequal(L, -1, -2))
        return 0;
    FILE *stream = *(FILE **)lua_touserdata(L, 1);
    if (stream == NULL)
        return cuna_lua_fail(L, "%s: the file is closed", what);
    file_box *box = push_box(L, what);
    anchor(L, 1);
    check(L, cuna_file_open_stream(&box->file, stream), what);
    name_file(box, "handle");
    return 1;
}

/* file_is_special(path) -> whether it leads to a device, a pipe or a folder */
static int file_is_special(lua_State *L)
{
    lua_pushboolean(L, cuna_file_is_special(luaL_checkstring(L, 1)));
    return 1;
}

/* file:spool(nbytes or nil) -> file over the rest of this one, read into memory */
static int spool(lua_State *L)
{
    file_box *box = check_box(L, 1);
    int64_t nbytes = lua_isnoneornil(L, 2) ? -1 : cuna_lua_check_integer(L, 2, box->what);
    file_box *made = push_box(L, box->what);
    check(L, cuna_file_spool(&made->file, box->file, nbytes), box->what);
    return 1;
}

/* file:temporary() -> the name of a created file until it is committed, or nil */
static int get_temporary(lua_State *L)
{
    lua_pushstring(L, cuna_file_temporary(check_box(L, 1)->file));
    return 1;
}

/* file:label() -> the prefix of messages */
static int get_label(lua_State *L)
{
    lua_pushstring(L, ((file_box *)luaL_checkudata(L, 1, FILE_TYPE))->what);
    return 1;
}

static int close_box(lua_State *L)
{
    file_box *box = cuna_lua_to_userdata(L, 1, FILE_TYPE);
    if (box == NULL)
        return 0;
    cuna_file_close(box->file);
    box->file = NULL;
    return 0;
}

/* file:commit(): makes what was written appear. */
static int commit(lua_State *L)
{
    file_box *box = check_box(L, 1);
    check(L, cuna_file_commit(box->file), box->what);
    return close_box(L);
}

/* file:read(nbytes) -> string, shorter where the file ends */
static int read_string(lua_State *L)
{
    file_box *box = check_box(L, 1);
    int64_t got, nbytes = cuna_lua_check_integer(L, 2, box->what);
    char *bytes = lua_newuserdata(L, (size_t)nbytes + 1);
    check(L, cuna_file_read(&got, box->file, bytes, nbytes), box->what);
    lua_pushlstring(L, bytes, (size_t)got);
    return 1;
}

/* file:write(string) */
static int write_string(lua_State *L)
{
    file_box *box = check_box(L, 1);
    size_t nbytes;
    const char *bytes = luaL_checklstring(L, 2, &nbytes);
    check(L, cuna_file_write(box->file, bytes, (int64_t)nbytes), box->what);
    return 0;
}

/* file:read_array(x, size of the numbers whose bytes are swapped) */
static int read_array(lua_State *L)
{
    file_box *box = check_box(L, 1);
    const cuna_array *array = cuna_lua_check_array(L, 2, box->what);
    check(L, cuna_file_read_array(cuna_lua_context(L), box->file, array, (int)luaL_optinteger(L, 3, 0)), box->what);
    return 0;
}

/* file:write_array(x) */
static int write_array(lua_State *L)
{
    file_box *box = check_box(L, 1);
    const cuna_array *array = cuna_lua_check_array(L, 2, box->what);
    check(L, cuna_file_write_array(cuna_lua_context(L), box->file, array), box->what);
    return 0;
}

/* A userdata that owns memory of the runtime, so that any Lua function may raise. */
static int free_holder(lua_State *L)
{
    free(*(void **)lua_touserdata(L, 1));
    *(void **)lua_touserdata(L, 1) = NULL;
    return 0;
}

static void **push_holder(lua_State *L)
{
    void **holder = lua_newuserdata(L, sizeof *holder);
    *holder = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, free_holder);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return holder;
}

/* file:read_numbers(dtype, separator, limit) -> array of the numbers in a spooled file's text */
static int read_numbers(lua_State *L)
{
    file_box *box = check_box(L, 1);
    cuna_dtype dtype = cuna_lua_check_dtype(L, 2, box->what);
    int64_t count, limit = cuna_lua_check_integer(L, 4, box->what);
    void **values = push_holder(L);
    check(L,
          cuna_text_numbers(values, &count, cuna_file_spooled(box->file), (size_t)cuna_file_size(box->file),
                            luaL_checkstring(L, 3), limit, dtype),
          box->what);
    cuna_array *array = cuna_lua_new_array(L, dtype, 1, &count);
    if (count > 0)
        CUNA_LUA_TRY(L, cuna_array_set(cuna_lua_context(L), array, *values));
    return 1;
}

/* file:write_numbers(x, format, separator): as text */
static int write_numbers(lua_State *L)
{
    file_box *box = check_box(L, 1);
    const cuna_array *array = cuna_lua_check_array(L, 2, box->what);
    const char *format = luaL_checkstring(L, 3), *separator = luaL_checkstring(L, 4);
    void **values = push_holder(L);
    *values = malloc((size_t)(array->size * cuna_dtype_size(array->dtype)) + 1);
    if (*values == NULL)
        return cuna_lua_raise(L, cuna_fail(CUNA_MEMORY, "%s: no memory for a copy on the host", box->what));
    CUNA_LUA_TRY(L, cuna_array_get(cuna_lua_context(L), array, *values));
    check(L, cuna_text_print(cuna_file_stream(box->file), *values, array->size, array->dtype, format, separator),
          box->what);
    return 0;
}

/* file:size() -> bytes, nil when unknown (a pipe) */
static int get_size(lua_State *L)
{
    int64_t size = cuna_file_size(check_box(L, 1)->file);
    if (size < 0)
        return 0;
    lua_pushnumber(L, (lua_Number)size);
    return 1;
}

/* file:place() -> the position of the next byte */
static int get_place(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)cuna_file_place(check_box(L, 1)->file));
    return 1;
}

/* file:seek(place) */
static int seek(lua_State *L)
{
    file_box *box = check_box(L, 1);
    check(L, cuna_file_seek(box->file, cuna_lua_check_integer(L, 2, box->what)), box->what);
    return 0;
}

/* file:begin_part(writes, deflated, bytes in the file) */
static int begin_part(lua_State *L)
{
    file_box *box = check_box(L, 1);
    int64_t packed = lua_isnoneornil(L, 4) ? 0 : cuna_lua_check_integer(L, 4, box->what);
    check(L, cuna_file_begin_part(box->file, lua_toboolean(L, 2), lua_toboolean(L, 3), packed), box->what);
    return 0;
}

/* file:end_part() -> CRC-32, bytes, bytes in the file, whether all was read */
static int end_part(lua_State *L)
{
    cuna_file_part part;
    file_box *box = check_box(L, 1);
    check(L, cuna_file_end_part(&part, box->file), box->what);
    lua_pushnumber(L, part.crc);
    lua_pushnumber(L, (lua_Number)part.nbytes);
    lua_pushnumber(L, (lua_Number)part.packed);
    lua_pushboolean(L, part.whole);
    return 4;
}

/* file:map("read", "copy" or "write", offset, dtype, shape) -> array of the cpu device over the file's memory */
static int map(lua_State *L)
{
    static const char *const names[] = {"read", "copy", "write", NULL};
    int64_t shape[CUNA_MAX_NDIM];
    file_box *box = check_box(L, 1);
    cuna_file_mapping how = (cuna_file_mapping)luaL_checkoption(L, 2, NULL, names);
    int64_t offset = cuna_lua_check_integer(L, 3, box->what);
    cuna_dtype dtype = cuna_lua_check_dtype(L, 4, box->what);
    int ndim = cuna_lua_check_shape(L, 5, shape, box->what);
    cuna_array *array = cuna_lua_push_array(L);
    check(L, cuna_file_map(array, box->file, how, offset, dtype, ndim, shape), box->what);
    return 1;
}

static void make_metatable(lua_State *L)
{
    static const luaL_Reg methods[] = {{"close", close_box},
                                       {"commit", commit},
                                       {"read", read_string},
                                       {"write", write_string},
                                       {"read_array", read_array},
                                       {"write_array", write_array},
                                       {"size", get_size},
                                       {"place", get_place},
                                       {"seek", seek},
                                       {"label", get_label},
                                       {"temporary", get_temporary},
                                       {"spool", spool},
                                       {"text", get_text},
                                       {"read_numbers", read_numbers},
                                       {"write_numbers", write_numbers},
                                       {"begin_part", begin_part},
                                       {"end_part", end_part},
                                       {"map", map},
                                       {NULL, NULL}};
    if (luaL_newmetatable(L, FILE_TYPE)) {
        cuna_lua_register(L, methods);
        cuna_lua_register(L, (const luaL_Reg[]){{"__gc", close_box}, {NULL, NULL}});
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, "__index");
    }
    lua_pop(L, 1);
}

void cuna_lua_open_file(lua_State *L)
{
    static const luaL_Reg functions[] = {{"file_open", file_open},
                                         {"file_create", file_create},
                                         {"file_open_text", file_open_text},
                                         {"file_create_text", file_create_text},
                                         {"file_open_handle", file_open_handle},
                                         {"file_is_special", file_is_special},
                                         {NULL, NULL}};
    make_metatable(L);
    cuna_lua_register(L, functions);
}
