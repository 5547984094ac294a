/* key.h: keys of x[key], as entries. */
#ifndef CUNA_BINDINGS_KEY_H
#define CUNA_BINDINGS_KEY_H

#include "state.h"

enum { CUNA_LUA_MAX_ENTRIES = 2 * CUNA_MAX_NDIM };

/* A parsed key. Arrays are among the entries as whole axes, one each, whatever they mean. */
typedef struct cuna_lua_key {
    int nentries;
    int nselects; /* entries that select a position */
    bool ellipsis;
    int narrays;                        /* entries that are arrays */
    int places[CUNA_LUA_MAX_POSITIONS]; /* and the first of these, from 0 */
    cuna_index entries[CUNA_LUA_MAX_ENTRIES];
} cuna_lua_key;

/* Parses the key at stack index 2; raises for all that is not a key. */
void cuna_lua_parse_key(lua_State *L, const cuna_lua_state *S, cuna_lua_key *k);

/* Whether a string is an index rather than a name: names begin with a letter, and so does "newaxis, 2:3" alone. */
bool cuna_lua_is_index_text(const char *text);

/* Pushes x[key] of the array at stack index 1 and a key that has arrays (fetch.c); false for what Lua must serve. */
bool cuna_lua_fetch(lua_State *L, cuna_lua_state *S, const cuna_lua_key *k);

/* x[key] = value, for the value at stack index 3; the same. */
bool cuna_lua_store(lua_State *L, cuna_lua_state *S, const cuna_lua_key *k);

#endif
