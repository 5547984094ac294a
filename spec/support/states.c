/* Runs one Lua script in several threads at once, each with a lua_State of its own: states <script> <threads>. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *script;
static int failures;

static void *run(void *number)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushinteger(L, (lua_Integer)(size_t)number);
    lua_setglobal(L, "NUMBER");
    if (luaL_dofile(L, script) != 0) {
        fprintf(stderr, "thread %zu: %s\n", (size_t)number, lua_tostring(L, -1));
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    }
    lua_close(L);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[16];
    size_t count = argc > 2 ? (size_t)atoi(argv[2]) : 2;
    script = argv[1];
    for (size_t i = 0; i < count && i < 16; i++)
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
    for (size_t i = 0; i < count && i < 16; i++)
        pthread_join(threads[i], NULL);
    return failures;
}
