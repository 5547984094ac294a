/* lua_cuna.h: shared by the binding files: the Lua objects of runtime objects, and how errors are raised.
 *
 * Every binding function is a lua_CFunction, so the collector may run inside it; runtime calls never run Lua. A
 * userdata is created empty and then filled by the runtime, so that an error cannot leak memory. */
#ifndef LUA_CUNA_H
#define LUA_CUNA_H

#include <lauxlib.h>
#include <lua.h>

#include "cuna.h"

#if defined(LUA_VERSION_NUM) && LUA_VERSION_NUM != 501
#error "cuna needs LuaJIT (the Lua 5.1 C API)"
#endif

/* ---- state.c: what belongs to one lua_State ---- */
cuna_context *cuna_lua_context(lua_State *L);

/* ---- fail.c: the one road from a status to a Lua error ---- */

/* Raises the message of a failed runtime call as "script.lua:12: cuna: word: message" at the user's line, that is, at the
 * first Lua function up the stack that is not part of cuna. Returns for `return cuna_lua_raise(...)`, but never does. */
int cuna_lua_raise(lua_State *L, cuna_status status);

/* The same with the given message. */
int cuna_lua_fail(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Pushes the user's place as in messages, "script.lua:12"; if there is none, pushes nothing and returns false. */
bool cuna_lua_push_place(lua_State *L);

/* ---- what a call looks at besides its work ---- */

/* The number of states with memory hooks, and a bit that is set after Ctrl-C until the interruption is raised. */
extern int cuna_lua_attention;
#define CUNA_LUA_INTERRUPTED (1 << 30)

/* Calls memory hooks (trace.c), and interrupts the user's call after Ctrl-C (interrupt.c). */
void cuna_lua_attend(lua_State *L);

/* Raises "interrupted!" after Ctrl-C; to be called before anything was done. */
void cuna_lua_pause(lua_State *L);

/* Passes the events of runtime calls so far to the state's memory hook, and raises an error of the hook. The quiet one
 * keeps the error for the next call; it serves finalizers and calls that raise another error. Any Lua may run. */
void cuna_lua_tell(lua_State *L);
void cuna_lua_tell_quietly(lua_State *L);

/* Raises unless status is CUNA_OK. Called after runtime calls: memory hooks run here, and the user's code is
 * interrupted here. */
static inline void cuna_lua_check(lua_State *L, cuna_status status)
{
    if (__builtin_expect(status != CUNA_OK, 0))
        cuna_lua_raise(L, status);
    if (__builtin_expect(cuna_lua_attention != 0, 0))
        cuna_lua_attend(L);
}

/* ---- what waits for a device ---- */

/* Raises "name: waits for the device, and ... forbids that" when waiting is forbidden (cn.no_sync, captures); `name` is
 * the user's function. A capture whose stream is garbage ends here. */
void cuna_lua_check_waiting(lua_State *L, const char *name);

/* Runs the collector if captures are open: this ends captures whose streams became garbage through an error. */
void cuna_lua_end_lost_captures(lua_State *L);

/* ---- memory.c: pacing the collector by bytes ---- */

/* After a runtime call returned CUNA_MEMORY: collects garbage, so that a second call may succeed. */
void cuna_lua_collect(lua_State *L);

/* Before all recorded values are computed: collects garbage, whose values nobody needs. */
void cuna_lua_collect_recorded(lua_State *L);

/* Evaluates `call` (a cuna_status expression), again after a collection if memory ran out, and raises on failure. It
 * may fail without an effect, so cuna's Lua code is interrupted here. */
#define CUNA_LUA_TRY(L, call)                              \
    do {                                                   \
        if (__builtin_expect(cuna_lua_attention != 0, 0))  \
            cuna_lua_pause(L);                             \
        cuna_status status_ = (call);                      \
        if (__builtin_expect(status_ == CUNA_MEMORY, 0)) { \
            cuna_lua_collect(L);                           \
            status_ = (call);                              \
        }                                                  \
        cuna_lua_check(L, status_);                        \
    } while (0)

/* ---- array.c: arrays as userdata ---- */

/* The array at a stack index; raises "what: expected an array, got ..." otherwise, and for a freed one. */
cuna_array *cuna_lua_check_array(lua_State *L, int index, const char *what);

/* Pushes an empty array userdata, to be filled by the runtime. */
cuna_array *cuna_lua_push_array(lua_State *L);

/* Pushes a new array of unspecified values on the current device. */
cuna_array *cuna_lua_new_array(lua_State *L, cuna_dtype dtype, int ndim, const int64_t *shape);

/* ---- field.c: fields of option tables ---- */

/* Whether the field `name` of the table at an index is true; its whole number, 0 for a missing one. */
bool cuna_lua_field_flag(lua_State *L, int index, const char *name);
int64_t cuna_lua_field_integer(lua_State *L, int index, const char *name);
double cuna_lua_field_number(lua_State *L, int index, const char *name);

/* ---- number.c: host numbers ---- */

/* The program at an index: a light userdata, or a userdata with a reference, which stays on the stack during use; NULL
 * for nil. */
const cuna_program *cuna_lua_to_program(lua_State *L, int index);

/* Reads a Lua number, boolean, int64_t/uint64_t or complex cdata; false for other values. */
bool cuna_lua_to_number(lua_State *L, int index, cuna_number *out);

/* Converts a Lua number to a cuna_number; and back, false when a Lua number cannot hold the value. */
void cuna_lua_from_double(cuna_number *out, double value);
bool cuna_lua_is_double(double *out, const cuna_number *number);

/* Pushes a number as Lua sees elements: booleans, numbers, and boxed int64_t, uint64_t or complex where a Lua number
 * cannot hold the value. */
void cuna_lua_push_number(lua_State *L, const cuna_number *number);

/* Whether an array of the dtype can hold a number written to it: a whole number must fit an integer dtype, a complex one
 * needs a complex dtype (or bool). Otherwise writes the problem, "300 does not fit int8". */
bool cuna_lua_number_suits(const cuna_number *number, cuna_dtype dtype, char *problem, size_t nbytes);

/* Reads a dtype name; raises for unknown ones. `what` names the argument. */
cuna_dtype cuna_lua_check_dtype(lua_State *L, int index, const char *what);

/* Reads a shape: a number or a table of numbers. Raises with the bad entry. Returns ndim. */
int cuna_lua_check_shape(lua_State *L, int index, int64_t *shape, const char *what);

/* The number of entries of the table at a stack index, whose keys must be 1..n; raises with the extra or missing key,
 * "what: list has ...". */
int cuna_lua_check_list(lua_State *L, int index, const char *what, const char *list);

/* Describes a value that is not the expected number, with the conversion that helps if there is one. The text is
 * pushed, for an error to be raised. */
const char *cuna_lua_describe(lua_State *L, int index);

/* An integral Lua number or int64 cdata; raises with `what` otherwise. */
int64_t cuna_lua_check_integer(lua_State *L, int index, const char *what);

#endif
