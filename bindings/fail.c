/* fail.c: converts a status to a Lua error, raised at the user's line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

#define BUILTIN "[builtin:" /* some library functions of LuaJIT are Lua code */

bool cuna_lua_is_users(lua_State *L, const cuna_lua_state *S, lua_Debug *frame)
{
    lua_getinfo(L, "Sl", frame);
    if (frame->what[0] == 'C' || strncmp(frame->short_src, BUILTIN, strlen(BUILTIN)) == 0)
        return false;
    size_t length = strlen(S->home);
    return length == 0 || frame->source[0] != '@' || strncmp(frame->source + 1, S->home, length) != 0;
}

bool cuna_lua_find_place(lua_State *L, const cuna_lua_state *S, lua_Debug *frame)
{
    for (int level = 0; lua_getstack(L, level, frame); level++)
        if (cuna_lua_is_users(L, S, frame) && frame->currentline >= 0)
            return true;
    return false;
}

bool cuna_lua_push_place_of(lua_State *L, const cuna_lua_state *S)
{
    lua_Debug frame;
    bool found = cuna_lua_find_place(L, S, &frame);
    if (found)
        lua_pushfstring(L, "%s:%d", frame.short_src, frame.currentline);
    return found;
}

bool cuna_lua_push_place(lua_State *L)
{
    return cuna_lua_push_place_of(L, cuna_lua_get_state(L));
}

/* Pushes a text with control characters escaped as in Lua literals: names, options and file headers must not send
 * commands to the terminal. A compiler's log keeps its lines. */
static void push_visible(lua_State *L, const char *text, bool keeps_lines)
{
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if ((c >= ' ' && c != 127) || (keeps_lines && (c == '\n' || c == '\t'))) {
            luaL_addchar(&buffer, (char)c);
        } else {
            snprintf(escape, sizeof escape, c == '\n' ? "\\n" : "\\%d", c);
            luaL_addstring(&buffer, escape);
        }
    }
    luaL_pushresult(&buffer);
}

/* Raises with the word ("" or an error kind) and the message held in C. */
static int raise_text(lua_State *L, const char *word, const char *message)
{
    int before = lua_gettop(L);
    if (cuna_lua_push_place(L))
        lua_pushliteral(L, ": ");
    lua_pushfstring(L, "cuna: %s%s", word, *word ? ": " : "");
    push_visible(L, message, *word != '\0');
    lua_concat(L, lua_gettop(L) - before);
    if (__builtin_expect(cuna_lua_attention != 0, 0))
        cuna_lua_tell_quietly(L);
    return lua_error(L);
}

/* The message is copied: finalizers may fail too. */
int cuna_lua_raise(lua_State *L, cuna_status status)
{
    if (status == CUNA_INTERRUPTED)
        return cuna_lua_interrupt(L, cuna_lua_get_state(L));
    lua_pushstring(L, cuna_message());
    cuna_lua_end_lost_captures(L);
    return raise_text(L, cuna_status_word(status), lua_tostring(L, -1));
}

int cuna_lua_fail(lua_State *L, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return raise_text(L, "", message);
}
