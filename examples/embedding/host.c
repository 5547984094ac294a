/* host.c: a program in C that embeds LuaJIT, and lets a script compute with cuna in its own memory.
 *
 *     cc examples/embedding/host.c $(pkg-config --cflags --libs luajit) -o host
 *     LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="build/lib/?.so;;" ./host
 *
 * After `make install` no LUA_PATH is needed. cuna's module finds LuaJIT's functions in the process: a program that links
 * LuaJIT statically must export them (-Wl,-E). */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

static const char script[] = "local ffi, cn = require 'ffi', require 'cuna'\n"
                             "local address, count = ...\n"
                             "local x = cn.frombuffer(ffi.cast('double *', address), 'float64', count, 0, false)\n"
                             "x:sort_():mul_(2)\n"
                             "cn.synchronize()\n" /* cuna's work on this memory is done */
                             "return x:sum():item()\n";

int main(void)
{
    double values[] = {3, 1, 2};
    lua_State *L = luaL_newstate();
    if (L == NULL)
        return EXIT_FAILURE;
    luaL_openlibs(L);
    int status = luaL_loadstring(L, script);
    lua_pushlightuserdata(L, values);
    lua_pushinteger(L, 3);
    if (status != 0 || lua_pcall(L, 2, 1, 0) != 0) {
        fprintf(stderr, "host: %s\n", lua_tostring(L, -1));
        return EXIT_FAILURE;
    }
    printf("%g %g %g, sum %g\n", values[0], values[1], values[2], lua_tonumber(L, -1));
    lua_close(L);
    return EXIT_SUCCESS;
}
