/* comm_device.c: transfers of arrays that stay on GPUs, and groups of GPUs of this process, for lua/cuna/distributed. */
#include "comm.h"

/* ---- communicators ---- */

/* The arrays of a table at an index, or NULL where it has false; `count` of them. */
static void read_arrays(lua_State *L, int index, const cuna_array **out, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        out[i] = NULL;
        if (lua_istable(L, index)) {
            lua_rawgeti(L, index, i + 1);
            if (lua_isuserdata(L, -1))
                out[i] = cuna_lua_check_array(L, -1, name);
            lua_pop(L, 1);
        }
    }
}

/* comm_run_list(comm, kind, op, ins, outs, peer): transfers of arrays of the device, which begin together. The tables hold
 * arrays, or false. */
static int core_comm_run_list(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    lua_settop(L, 6);
    const cuna_comm_kind kind = (cuna_comm_kind)luaL_checkoption(L, 2, NULL, cuna_lua_comm_kinds);
    const cuna_comm_op op = (cuna_comm_op)luaL_checkoption(L, 3, "", cuna_lua_comm_ops);
    const int count = (int)lua_objlen(L, 5);
    cuna_comm_call *calls = lua_newuserdata(L, (size_t)(count + 1) * sizeof *calls);
    const cuna_array **arrays = lua_newuserdata(L, 2 * (size_t)(count + 1) * sizeof *arrays);
    read_arrays(L, 4, arrays, count, cuna_lua_comm_kinds[kind]);
    read_arrays(L, 5, arrays + count, count, cuna_lua_comm_kinds[kind]);
    for (int i = 0; i < count; i++)
        calls[i] = (cuna_comm_call){
            .kind = kind, .op = op, .peer = (int)luaL_optnumber(L, 6, 0), .in = arrays[i], .out = arrays[count + i]};
    cuna_lua_check(L, cuna_comm_run_together(comm, cuna_lua_context(L), calls, count));
    return 0;
}

/* comm_exchange(comm, in or nil, to or nil, out or nil, from or nil): arrays of the device. */
static int core_comm_exchange(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_call calls[2];
    int count = 0;
    if (!lua_isnil(L, 3))
        calls[count++] = (cuna_comm_call){
            .kind = CUNA_COMM_SEND, .peer = (int)luaL_checknumber(L, 3), .in = cuna_lua_check_array(L, 2, "halo")};
    if (!lua_isnil(L, 5))
        calls[count++] = (cuna_comm_call){
            .kind = CUNA_COMM_RECV, .peer = (int)luaL_checknumber(L, 5), .out = cuna_lua_check_array(L, 4, "halo")};
    cuna_lua_check(L, cuna_comm_run_together(comm, cuna_lua_context(L), calls, count));
    return 0;
}

/* comm_carries(comm, device, kind, op or nil, dtype) -> whether such arrays are moved where they are */
static int core_comm_carries(lua_State *L)
{
    const cuna_comm *comm = cuna_lua_check_comm(L);
    const cuna_device *device = cuna_lua_check_device(L, 2, "distributed");
    const cuna_comm_kind kind = (cuna_comm_kind)luaL_checkoption(L, 3, NULL, cuna_lua_comm_kinds);
    const cuna_comm_op op = (cuna_comm_op)luaL_checkoption(L, 4, "", cuna_lua_comm_ops);
    lua_pushboolean(L, cuna_comm_carries(comm, device, kind, op, cuna_lua_check_dtype(L, 5, "distributed")));
    return 1;
}

/* comm_window(comm, bytes) -> the addresses of all ranks' windows, by ranks; nil where there are none */
static int core_comm_window(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    const int64_t nbytes = cuna_lua_check_integer(L, 2, "distributed: bytes");
    const uint64_t *addresses;
    cuna_comm_facts facts;
    cuna_comm_get_facts(&facts, comm);
    cuna_lua_check(L, cuna_comm_window(&addresses, comm, nbytes));
    if (addresses == NULL)
        return 0;
    lua_createtable(L, facts.size, 0);
    for (int r = 0; r < facts.size; r++) {
        lua_pushnumber(L, (lua_Number)addresses[r]);
        lua_rawseti(L, -2, r + 1);
    }
    return 1;
}

/* comm_has_windows(comm) -> whether comm_window may find some */
static int core_comm_has_windows(lua_State *L)
{
    lua_pushboolean(L, cuna_comm_has_windows(cuna_lua_check_comm(L)));
    return 1;
}

/* comm_put(to, from): a copy to an array over a window */
static int core_comm_put(lua_State *L)
{
    const cuna_array *to = cuna_lua_check_array(L, 1, "distributed");
    cuna_lua_check(L, cuna_comm_put(cuna_lua_context(L), to, cuna_lua_check_array(L, 2, "distributed")));
    return 0;
}

/* comm_nccl() -> NCCL's version, or 0, and in words; comm_use_nccl(device) */
static int core_comm_nccl(lua_State *L)
{
    char text[1024];
    lua_pushinteger(L, cuna_comm_find_nccl(text, sizeof text));
    lua_pushstring(L, text);
    return 2;
}

static int core_comm_use_nccl(lua_State *L)
{
    cuna_comm_use_nccl(cuna_lua_check_device(L, 1, "distributed"));
    return 0;
}

/* ---- groups ---- */

#define GROUP_TYPE "cuna.comm_group"

typedef struct group_box {
    cuna_comm_group *group; /* NULL: not made */
    int size;
} group_box;

static int group_gc(lua_State *L)
{
    group_box *box = luaL_checkudata(L, 1, GROUP_TYPE);
    if (box->group != NULL)
        cuna_comm_group_destroy(box->group);
    box->group = NULL;
    return 0;
}

/* group_create(list of devices) -> group */
static int core_group_create(lua_State *L)
{
    cuna_device *devices[CUNA_MAX_DEVICES];
    const int size = (int)lua_objlen(L, 1);
    luaL_argcheck(L, size > 0 && size <= CUNA_MAX_DEVICES, 1, "too many devices");
    for (int i = 0; i < size; i++) {
        lua_rawgeti(L, 1, i + 1);
        devices[i] = cuna_lua_check_device(L, -1, "distributed.group");
        lua_pop(L, 1);
    }
    group_box *box = lua_newuserdata(L, sizeof *box);
    *box = (group_box){NULL, size};
    luaL_getmetatable(L, GROUP_TYPE);
    lua_setmetatable(L, -2);
    cuna_lua_check(L, cuna_comm_group_create(&box->group, devices, size));
    return 1;
}

/* group_carries(kind, op or nil, dtype) -> whether NCCL has the transfer */
static int core_group_carries(lua_State *L)
{
    const cuna_comm_kind kind = (cuna_comm_kind)luaL_checkoption(L, 1, NULL, cuna_lua_comm_kinds);
    const cuna_comm_op op = (cuna_comm_op)luaL_checkoption(L, 2, "", cuna_lua_comm_ops);
    lua_pushboolean(L, cuna_comm_group_carries(kind, op, cuna_lua_check_dtype(L, 3, "distributed.group")));
    return 1;
}

/* group_run(group, kind, op, ins, outs, root, counts or nil): a transfer of each device; counts are those of its members */
static int core_group_run(lua_State *L)
{
    const group_box *box = luaL_checkudata(L, 1, GROUP_TYPE);
    cuna_comm_call calls[CUNA_MAX_DEVICES];
    const cuna_array *ins[CUNA_MAX_DEVICES], *outs[CUNA_MAX_DEVICES];
    lua_settop(L, 7);
    const cuna_comm_kind kind = (cuna_comm_kind)luaL_checkoption(L, 2, NULL, cuna_lua_comm_kinds);
    const cuna_comm_op op = (cuna_comm_op)luaL_checkoption(L, 3, "", cuna_lua_comm_ops);
    read_arrays(L, 4, ins, box->size, cuna_lua_comm_kinds[kind]);
    read_arrays(L, 5, outs, box->size, cuna_lua_comm_kinds[kind]);
    const int64_t *counts = cuna_lua_read_counts(L, 7);
    for (int i = 0; i < box->size; i++)
        calls[i] = (cuna_comm_call){.kind = kind,
                                    .op = op,
                                    .peer = (int)luaL_optnumber(L, 6, 0),
                                    .in = ins[i],
                                    .out = outs[i],
                                    .in_counts = counts,
                                    .out_counts = counts};
    cuna_lua_check(L, cuna_comm_group_run(box->group, cuna_lua_context(L), cuna_lua_comm_kinds[kind], calls));
    return 0;
}

void cuna_lua_open_comm_device(lua_State *L)
{
    static const luaL_Reg functions[] = {{"comm_run_list", core_comm_run_list},
                                         {"comm_exchange", core_comm_exchange},
                                         {"comm_carries", core_comm_carries},
                                         {"comm_window", core_comm_window},
                                         {"comm_has_windows", core_comm_has_windows},
                                         {"comm_put", core_comm_put},
                                         {"comm_nccl", core_comm_nccl},
                                         {"comm_use_nccl", core_comm_use_nccl},
                                         {"group_create", core_group_create},
                                         {"group_carries", core_group_carries},
                                         {"group_run", core_group_run},
                                         {NULL, NULL}};
    luaL_newmetatable(L, GROUP_TYPE);
    lua_pushcfunction(L, group_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}
