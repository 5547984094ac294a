/* lapack.c: LAPACK's operations over stacks of matrices, for the Lua files of linear algebra.
 *
 *   core.lapack(name, operation, arrays, info or nil, options or nil)
 *
 * does an operation on each matrix of a stack. `name` is the user's function ("linalg.solve"). Arrays are row-major and lie
 * column by column: a stack of m x n matrices has shape (batch..., n, m), of vectors (batch..., n); all have the same batch
 * (none: one matrix). So the transpose of what users see: x as it is, made row-major, is its own transpose here, and
 * core's copy of x's transpose is x itself. Outputs, and info (int32, shape (batch...)), are made by the caller; info is 0
 * where all went well. Which operations have info, and what they take (* is written, [] may be left out together):
 *
 *   operation  arrays                               info  options
 *   getrf      a* (n, m), pivots* (min(m, n))       yes         lu in place; a = p l u; pivots count from 1, int64
 *   getrs      lu (n, n), pivots (n), b* (k, n)           N T C  solves op(a) x = b in place
 *   getri      lu* (n, n), pivots (n), inverse* (n, n)          lu is spoilt
 *   potrf      a* (n, n)                            yes   L U    the other triangle keeps what it had
 *   potrs      a (n, n), b* (k, n)                        L U
 *   trtri      a* (n, n)                            yes   L U, N U        the inverse of a triangle ("LN")
 *   trsm       a (n, n), b* (k, n)                        L U, N T C, N U solves op(triangle) x = b ("LNU")
 *   geqrf      a* (n, m), tau* (min(m, n))                      r above, reflectors below
 *   orgqr      a* (n, m), tau (k)                               n columns of q, k <= n <= m
 *   ormqr      v (k, m), tau (k), c* (n, m)               N T C  c = op(q) c
 *   gesvd      a* (n, m), s* (n), [u* (k, m), vt* (n, n)] yes   m >= n; k is n or m; a is spoilt; s and all are of a's real
 *                                                               dtype and dtype
 *   syevd      a* (n, n), w* (n)                    yes   N V, L U  w is real and ascends; V: a becomes the vectors
 *   geev       a* (n, n), w* (n), [v* (n, n)]       yes         w and v are complex, a is spoilt
 *   gees       a* (n, n), w* (n), z* (n, n)         yes   N L R I O   w is complex; a becomes t with a = z t z^H
 *   gehrd      a* (n, n), tau* (n)                              h above, reflectors below its subdiagonal
 *   trsyl      a (m, m), b (n, n), c* (n, m)        yes         solves a x + x b = c in place; a and b are upper triangles
 *
 * A shape here is the array's: (n, m) is an m x n matrix, so a row of the array is a column of the matrix. Wide matrices go
 * to gesvd transposed, that is, row-major as users see them: then u and vt, read as rows, are vh's and u's... of x: the
 * row-major vt array is u, and the row-major u array is vh.
 * dtypes: float32, float64, complex64, complex128, all the same but for real s and w, complex w and v of geev, and pivots.
 * Arrays without elements are left alone (info becomes 0). In a rehearsal nothing is done.
 *
 *   core.lapack_check(name, verdict, info)
 *
 * raises LinAlgError for the first matrix whose info is not 0 (on a GPU at the next wait); the verdict is "singular",
 * "indefinite" or "unconverged".
 *
 *   core.lapack_lacks(device, operation)
 *
 * says whether the device's library does not have the operation; the cpu device has all of them.
 *
 *   core.lapack_loses_nan(a, operation)
 *
 * says whether the operation may take NaN in `a` for numbers, as cuSOLVER does. */
#include <string.h>

#include "state.h"

enum { MAX_ARRAYS = 4 };

/* lapack(name, operation, arrays, info or nil, options or nil) */
static int core_lapack(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *operation = luaL_checkstring(L, 2);
    cuna_array *arrays[MAX_ARRAYS], *info = NULL;
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 5);
    int count = (int)lua_objlen(L, 3);
    if (count > MAX_ARRAYS)
        return cuna_lua_fail(L, "%s: %d arrays are more than %s takes", name, count, operation);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, 3, i + 1); /* keeps it on the stack: a finalizer may empty the list */
        arrays[i] = cuna_lua_check_array(L, -1, name);
    }
    if (!lua_isnil(L, 4))
        info = cuna_lua_check_array(L, 4, name);
    const char *options = lua_isnil(L, 5) ? "" : luaL_checkstring(L, 5);
    CUNA_LUA_TRY(L, cuna_lapack_call_stack(cuna_lua_context(L), name, operation, count, arrays, info, options));
    return 0;
}

/* lapack_check(name, verdict, info) */
static int core_lapack_check(lua_State *L)
{
    static const char *const verdicts[] = {"singular", "indefinite", "unconverged", NULL};
    const char *name = luaL_checkstring(L, 1), *place = "";
    int verdict = luaL_checkoption(L, 2, NULL, verdicts);
    const cuna_array *info = cuna_lua_check_array(L, 3, name);
    lua_settop(L, 3);
    if (cuna_device_is_asynchronous(cuna_array_device(info)) && cuna_lua_push_place(L))
        place = lua_tostring(L, -1);
    CUNA_LUA_TRY(L, cuna_lapack_check(cuna_lua_context(L), name, (cuna_lapack_verdict)verdict, info, place));
    return 0;
}

/* lapack_loses_nan(a, operation) -> boolean */
static int core_lapack_loses_nan(lua_State *L)
{
    lua_pushboolean(L, cuna_lapack_loses_nan(cuna_lua_check_array(L, 1, "lapack"), luaL_checkstring(L, 2)));
    return 1;
}

/* lapack_lacks(device, operation) -> boolean */
static int core_lapack_lacks(lua_State *L)
{
    lua_pushboolean(L, cuna_lapack_lacks(cuna_lua_check_device(L, 1, "lapack_lacks"), luaL_checkstring(L, 2)));
    return 1;
}

/* lapack_triangle(device) -> "L" or "U", the triangle that potrf factors faster; nil: equally fast */
static int core_lapack_triangle(lua_State *L)
{
    char letter = cuna_lapack_triangle(cuna_lua_check_device(L, 1, "lapack_triangle"));
    lua_pushlstring(L, &letter, 1);
    return letter != '\0';
}

/* lapack_library(device) -> name of the library, its location (false: not found), or what was searched for */
static int core_lapack_library(lua_State *L)
{
    const char *library, *where;
    cuna_status status = cuna_lapack_open(&library, &where, cuna_lua_check_device(L, 1, "lapack_library"));
    lua_pushstring(L, library);
    if (status == CUNA_OK)
        lua_pushstring(L, where);
    else
        lua_pushboolean(L, 0);
    lua_pushstring(L, status == CUNA_OK ? "" : cuna_message());
    return 3;
}

void cuna_lua_open_lapack(lua_State *L)
{
    static const luaL_Reg functions[] = {{"lapack", core_lapack},
                                         {"lapack_check", core_lapack_check},
                                         {"lapack_loses_nan", core_lapack_loses_nan},
                                         {"lapack_lacks", core_lapack_lacks},
                                         {"lapack_triangle", core_lapack_triangle},
                                         {"lapack_library", core_lapack_library},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}
