/* comm.h: what the files of communicators share. */
#ifndef CUNA_BINDINGS_COMM_H
#define CUNA_BINDINGS_COMM_H

#include "state.h"

/* The names of transfers and operations, for luaL_checkoption; the last operation is "", for none. */
extern const char *const cuna_lua_comm_kinds[], *const cuna_lua_comm_ops[];

/* The communicator of argument 1; an error when it was freed. */
cuna_comm *cuna_lua_check_comm(lua_State *L);

/* A table of counts at an index, as numbers of C on the stack; NULL for nil. */
const int64_t *cuna_lua_read_counts(lua_State *L, int index);

#endif
