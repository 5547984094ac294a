/* small.h: short vectors that the host may read, and the functions that fronts serve with them. */
#ifndef CUNA_BINDINGS_SMALL_H
#define CUNA_BINDINGS_SMALL_H

#include "state.h"

enum { CUNA_LUA_SHORT = 256 }; /* elements of a short vector */

typedef struct cuna_lua_vector {
    const char *first;
    cuna_device *device;
    cuna_dtype dtype;
    int64_t size, stride; /* elements, and bytes between them */
} cuna_lua_vector;

/* Reads the array at a stack index; false unless it is a vector of at most `most` elements that the host may read. */
bool cuna_lua_read_vector(lua_State *L, const cuna_lua_state *S, cuna_lua_vector *v, int index, int64_t most);

static inline cuna_number cuna_lua_element_of(const cuna_lua_vector *v, int64_t i)
{
    cuna_number number;
    cuna_number_load(&number, v->dtype, v->first + i * v->stride);
    return number;
}

/* Each pushes the result and returns true, or returns false and leaves the stack as it was. */
bool cuna_lua_serve_lfilter(lua_State *L, cuna_lua_state *S); /* small_filter.c */
bool cuna_lua_serve_solve(lua_State *L, cuna_lua_state *S);   /* small_linalg.c */
bool cuna_lua_serve_inv(lua_State *L, cuna_lua_state *S);

#endif
