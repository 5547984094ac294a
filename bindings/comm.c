/* comm.c: communicators and requests for lua/cuna/distributed: calls with arrays of the host, numbers and bytes.
 *
 * Communicators live as long as the process, or until they are freed by all ranks; a userdata holds one, never more. A
 * request's userdata is its owner: garbage leaves it, and the transfer goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"

#define COMM_TYPE    "cuna.comm"
#define REQUEST_TYPE "cuna.comm_request"

typedef struct comm_box {
    cuna_comm *comm; /* NULL: freed */
} comm_box;

typedef struct request_box {
    cuna_comm_request *request;
} request_box;

const char *const cuna_lua_comm_kinds[] = {
#define ROW(kind, name) name,
    CUNA_COMM_KINDS(ROW)
#undef ROW
        NULL};
const char *const cuna_lua_comm_ops[] = {
#define ROW(op, name) name,
    CUNA_COMM_OPS(ROW)
#undef ROW
        "",
    NULL};

cuna_comm *cuna_lua_check_comm(lua_State *L)
{
    comm_box *box = luaL_checkudata(L, 1, COMM_TYPE);
    if (box->comm == NULL)
        cuna_lua_fail(L, "the communicator was freed");
    return box->comm;
}

static int push_comm(lua_State *L, cuna_comm *comm)
{
    comm_box *box = lua_newuserdata(L, sizeof *box);
    box->comm = comm;
    luaL_getmetatable(L, COMM_TYPE);
    lua_setmetatable(L, -2);
    return 1;
}

/* ---- the job ---- */

/* comm_init(timeout in seconds or nil) -> communicator of all ranks */
static int core_comm_init(lua_State *L)
{
    const cuna_comm_options options = {.timeout_s = (int64_t)luaL_optnumber(L, 1, 0)};
    cuna_comm *comm;
    cuna_lua_check(L, cuna_comm_init(&comm, &options));
    return push_comm(L, comm);
}

/* comm_facts(comm) -> rank, size, local_rank, local_size, engine, whether calls are compared */
static int core_comm_facts(lua_State *L)
{
    cuna_comm_facts facts;
    cuna_comm_get_facts(&facts, cuna_lua_check_comm(L));
    const int numbers[] = {facts.rank, facts.size, facts.local_rank, facts.local_size};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        lua_pushinteger(L, numbers[i]);
    lua_pushstring(L, facts.engine);
    lua_pushboolean(L, facts.checks);
    return 6;
}

static int core_comm_version(lua_State *L)
{
    char text[1024];
    cuna_comm_get_version(text, sizeof text);
    lua_pushstring(L, text);
    return 1;
}

/* comm_library() -> the MPI library, or nil and what is missing */
static int core_comm_library(lua_State *L)
{
    char text[1024];
    bool found = cuna_comm_find_library(text, sizeof text) == CUNA_OK;
    if (!found)
        lua_pushnil(L);
    lua_pushstring(L, found ? text : cuna_message());
    return found ? 1 : 2;
}

/* ---- signatures ---- */

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    return hash;
}

/* What fails for an array of the host fails before other ranks know of the call. */
static void check_ready(lua_State *L, const cuna_array *array)
{
    void *memory;
    if (cuna_device_is_host(cuna_array_device(array)))
        cuna_lua_check(L, cuna_array_host(&memory, cuna_lua_context(L), array));
}

/* Axes beyond those of a signature count as a detail. */
static void sign_array(cuna_comm_signature *s, const cuna_array *array)
{
    const int room = (int)(sizeof s->shape / sizeof *s->shape);
    const int64_t *shape = cuna_array_shape(array);
    s->dtype = array->dtype;
    s->ndim = array->ndim;
    cuna__copy_lengths(s->shape, shape, array->ndim < room ? array->ndim : room);
    if (s->uneven && s->ndim > 0)
        s->shape[0] = 0;
    if (array->ndim > room)
        s->detail = hash_text((const char *)(shape + room), (size_t)(array->ndim - room) * sizeof *shape);
}

/* The user's line. Every call pays for it: no text is interned. */
static void sign_place(lua_State *L, cuna_comm_signature *s)
{
    lua_Debug frame;
    if (!cuna_lua_find_place(L, cuna_lua_get_state(L), &frame))
        return;
    char digits[12], *at = digits + sizeof digits;
    size_t length = strlen(frame.short_src);
    for (int line = frame.currentline; line > 0 || at == digits + sizeof digits; line /= 10)
        *--at = (char)('0' + line % 10);
    size_t ndigits = (size_t)(digits + sizeof digits - at);
    memcpy(s->place, frame.short_src, length);
    s->place[length] = ':';
    memcpy(s->place + length + 1, at, ndigits);
}

/* The signature of arguments from `first` on: name, op, array or nil, peer or nil, uneven, detail or nil, whether the
 * array stays on its device. */
static void read_signature(lua_State *L, int first, cuna_comm_signature *s)
{
    size_t length;
    memset(s, 0, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", luaL_checkstring(L, first));
    snprintf(s->op, sizeof s->op, "%s", luaL_optstring(L, first + 1, ""));
    s->dtype = CUNA_DTYPES;
    s->ndim = -1;
    s->peer = (int32_t)luaL_optnumber(L, first + 3, -1);
    s->uneven = (int16_t)lua_toboolean(L, first + 4);
    s->is_message = strncmp(s->name, "send", 4) == 0 || strncmp(s->name, "recv", 4) == 0;
    if (!lua_isnoneornil(L, first + 2)) {
        const cuna_array *array = cuna_lua_check_array(L, first + 2, s->name);
        check_ready(L, array);
        sign_array(s, array);
    }
    s->on_device = (int8_t)lua_toboolean(L, first + 6);
    const char *detail = lua_tolstring(L, first + 5, &length);
    if (detail != NULL) {
        s->detail ^= hash_text(detail, length);
        snprintf(s->note, sizeof s->note, "%s", detail);
    }
    sign_place(L, s);
}

/* comm_begin(comm, name, op, array, peer, uneven, detail, on_device) */
static int core_comm_begin(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_signature signature;
    read_signature(L, 2, &signature);
    cuna_lua_check(L, cuna_comm_begin(comm, &signature));
    return 0;
}

/* Whether an array is reduced where it is, without another form on the way. */
static bool is_carried(const cuna_comm *comm, const cuna_array *x, cuna_comm_op op)
{
    const cuna_device *device = cuna_array_device(x);
    return cuna_device_is_host(device) ||
           cuna_comm_carries(comm, device, CUNA_COMM_ALL_REDUCE, op, (cuna_dtype)x->dtype);
}

/* comm_plain(the Lua object of a communicator, x, op or nil) -> whether x was reduced over all ranks in place. Declines
 * what is not a contiguous array and an operation of the engine. */
static int core_comm_plain(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    const cuna_array *x = cuna_lua_peek_array(S, L, 2);
    const char *op = lua_isnoneornil(L, 3) ? "sum" : lua_tostring(L, 3);
    cuna_comm_call call = {.kind = CUNA_COMM_ALL_REDUCE, .out = x};
    cuna_comm_signature signature = {.name = "all_reduce_", .peer = -1};
    while (op != NULL && call.op < CUNA_COMM_NO_OP && strcmp(cuna_lua_comm_ops[call.op], op) != 0)
        call.op++;
    if (op == NULL || call.op == CUNA_COMM_NO_OP || x == NULL || x->buffer == NULL || !lua_istable(L, 1) ||
        (x->flags & (CUNA_ARRAY_CONTIGUOUS | CUNA_ARRAY_READONLY)) != CUNA_ARRAY_CONTIGUOUS ||
        cuna_prepare_is_open(S->context))
        return 0;
    lua_pushliteral(L, "raw");
    lua_rawget(L, 1);
    if (!lua_isuserdata(L, -1))
        return 0;
    lua_replace(L, 1);
    cuna_comm *comm = cuna_lua_check_comm(L);
    if (!is_carried(comm, x, call.op))
        return 0;
    check_ready(L, x);
    signature.on_device = !cuna_device_is_host(cuna_array_device(x));
    strcpy(signature.op, op);
    sign_array(&signature, x);
    sign_place(L, &signature);
    cuna_lua_check(L, cuna_comm_begin(comm, &signature));
    cuna_lua_check(L, cuna_comm_run(comm, S->context, &call));
    lua_pushboolean(L, true);
    return 1;
}

/* comm_end(comm) */
static int core_comm_end(lua_State *L)
{
    cuna_comm_end(cuna_lua_check_comm(L));
    return 0;
}

/* ---- transfers ---- */

/* A table of counts at an index, as numbers of C on the stack; NULL for nil. */
const int64_t *cuna_lua_read_counts(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index))
        return NULL;
    size_t count = lua_objlen(L, index);
    int64_t *counts = lua_newuserdata(L, (count + 1) * sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, (int)i + 1);
        counts[i] = (int64_t)lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return counts;
}

/* Arguments 2 to 8: kind, op or nil, in or nil, out or nil, peer or nil, counts to ranks or nil, counts from ranks or nil;
 * 9: apart. */
static cuna_comm_call read_call(lua_State *L)
{
    cuna_comm_call call = {.kind = (cuna_comm_kind)luaL_checkoption(L, 2, NULL, cuna_lua_comm_kinds),
                           .op = (cuna_comm_op)luaL_checkoption(L, 3, "", cuna_lua_comm_ops),
                           .peer = (int)luaL_optnumber(L, 6, 0),
                           .apart = lua_toboolean(L, 9)};
    call.in = lua_isnil(L, 4) ? NULL : cuna_lua_check_array(L, 4, cuna_lua_comm_kinds[call.kind]);
    call.out = lua_isnoneornil(L, 5) ? NULL : cuna_lua_check_array(L, 5, cuna_lua_comm_kinds[call.kind]);
    call.in_counts = cuna_lua_read_counts(L, 7);
    call.out_counts = cuna_lua_read_counts(L, 8);
    return call;
}

/* comm_run(comm, kind, op, in, out, peer, in_counts, out_counts, apart) */
static int core_comm_run(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    lua_settop(L, 9);
    const cuna_comm_call call = read_call(L);
    cuna_lua_check(L, cuna_comm_run(comm, cuna_lua_context(L), &call));
    return 0;
}

/* comm_numbers(comm, list) -> the lists of all ranks, one after the other */
static int core_comm_numbers(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_facts facts;
    cuna_comm_get_facts(&facts, comm);
    const int count = (int)lua_objlen(L, 2);
    const int64_t *in = cuna_lua_read_counts(L, 2);
    int64_t *out = lua_newuserdata(L, ((size_t)facts.size * (size_t)count + 1) * sizeof *out);
    cuna_lua_check(L, cuna_comm_numbers(comm, out, in, count));
    lua_createtable(L, facts.size * count, 0);
    for (int i = 0; i < facts.size * count; i++) {
        lua_pushnumber(L, (lua_Number)out[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int push_header(lua_State *L, const cuna_comm_header *header)
{
    lua_pushstring(L, cuna_dtype_name((cuna_dtype)header->dtype));
    lua_createtable(L, (int)header->ndim, 0);
    for (int i = 0; i < (int)header->ndim; i++) {
        lua_pushnumber(L, (lua_Number)header->shape[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushboolean(L, header->on_device != 0);
    return 3;
}

/* comm_header(comm, array or nil, root) -> dtype and shape of the root's array, whether it is on a device */
static int core_comm_header(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_header header = {.ndim = 0};
    if (!lua_isnil(L, 2)) {
        const cuna_array *array = cuna_lua_check_array(L, 2, "broadcast");
        header.on_device = !cuna_device_is_host(cuna_array_device(array));
        header.dtype = array->dtype;
        header.ndim = array->ndim;
        cuna__copy_lengths(header.shape, cuna_array_shape(array), array->ndim);
    }
    cuna_lua_check(L, cuna_comm_share_header(comm, &header, (int)luaL_checknumber(L, 3)));
    return push_header(L, &header);
}

/* comm_hear(comm, from, expected or nil) -> dtype and shape of the next message, which are those of the array */
static int core_comm_hear(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_header header = {.ndim = 0};
    const cuna_array *expected = lua_isnil(L, 3) ? NULL : cuna_lua_check_array(L, 3, "recv");
    cuna_lua_check(L, cuna_comm_receive_header(comm, &header, expected, (int)luaL_checknumber(L, 2)));
    return push_header(L, &header);
}

/* comm_share(comm, text, root) -> the root's text. Its length comes first. */
static int core_comm_share(lua_State *L)
{
    size_t length = 0;
    cuna_comm *comm = cuna_lua_check_comm(L);
    const char *text = luaL_optlstring(L, 2, "", &length);
    const cuna_comm_call call = {.kind = CUNA_COMM_BROADCAST, .peer = (int)luaL_checknumber(L, 3)};
    cuna_comm_header header = {.ndim = 1, .shape = {(int64_t)length}};
    cuna_comm_facts facts;
    cuna_comm_get_facts(&facts, comm);
    cuna_lua_check(L, cuna_comm_share_header(comm, &header, call.peer));
    char *bytes = lua_newuserdata(L, (size_t)header.shape[0] + 1);
    if (facts.rank == call.peer)
        memcpy(bytes, text, length);
    cuna_lua_check(L, cuna_comm_run_bytes(comm, &call, bytes, bytes, header.shape[0]));
    lua_pushlstring(L, bytes, (size_t)header.shape[0]);
    return 1;
}

/* comm_collect(comm, text) -> the texts of all ranks */
static int core_comm_collect(lua_State *L)
{
    size_t length;
    cuna_comm *comm = cuna_lua_check_comm(L);
    const char *text = luaL_checklstring(L, 2, &length);
    cuna_comm_facts facts;
    cuna_comm_get_facts(&facts, comm);
    int64_t own = (int64_t)length, total = 0;
    int64_t *counts = lua_newuserdata(L, (size_t)facts.size * sizeof *counts);
    cuna_lua_check(L, cuna_comm_numbers(comm, counts, &own, 1));
    for (int r = 0; r < facts.size; r++)
        total += counts[r];
    char *bytes = lua_newuserdata(L, (size_t)total + 1);
    const cuna_comm_call call = {.kind = CUNA_COMM_ALL_GATHER, .out_counts = counts};
    cuna_lua_check(L, cuna_comm_run_bytes(comm, &call, bytes, text, own));
    lua_createtable(L, facts.size, 0);
    for (int r = 0; r < facts.size; bytes += counts[r++]) {
        lua_pushlstring(L, bytes, (size_t)counts[r]);
        lua_rawseti(L, -2, r + 1);
    }
    return 1;
}

/* ---- requests ---- */

static request_box *push_request(lua_State *L)
{
    request_box *box = lua_newuserdata(L, sizeof *box);
    box->request = NULL;
    luaL_getmetatable(L, REQUEST_TYPE);
    lua_setmetatable(L, -2);
    return box;
}

/* comm_start(comm, the arguments of comm_run, those of comm_begin) -> request */
static int core_comm_start(lua_State *L)
{
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_comm_signature signature;
    lua_settop(L, 16);
    read_signature(L, 10, &signature);
    const cuna_comm_call call = read_call(L);
    request_box *box = push_request(L);
    cuna_lua_check(L, cuna_comm_start(&box->request, comm, cuna_lua_context(L), &signature, &call));
    return 1;
}

/* comm_wait(request); comm_is_done(request) -> boolean; comm_poll(comm) */
static int core_comm_wait(lua_State *L)
{
    request_box *box = luaL_checkudata(L, 1, REQUEST_TYPE);
    cuna_lua_check(L, cuna_comm_wait(box->request));
    return 0;
}

static int core_comm_is_done(lua_State *L)
{
    request_box *box = luaL_checkudata(L, 1, REQUEST_TYPE);
    lua_pushboolean(L, cuna_comm_is_done(box->request));
    return 1;
}

static int core_comm_poll(lua_State *L)
{
    cuna_comm_poll(cuna_lua_check_comm(L));
    return 0;
}

static int request_gc(lua_State *L)
{
    request_box *box = luaL_checkudata(L, 1, REQUEST_TYPE);
    if (box->request != NULL)
        cuna_comm_leave(box->request);
    box->request = NULL;
    return 0;
}

/* ---- parts ---- */

static int push_part(lua_State *L, cuna_comm *part)
{
    if (part == NULL)
        return 0;
    return push_comm(L, part);
}

/* comm_split(comm, color, key) -> communicator, or nothing with a negative color; comm_node(comm) */
static int core_comm_split(lua_State *L)
{
    cuna_comm *part;
    cuna_comm *comm = cuna_lua_check_comm(L);
    cuna_lua_check(L, cuna_comm_split(&part, comm, (int)luaL_checknumber(L, 2), (int)luaL_checknumber(L, 3)));
    return push_part(L, part);
}

static int core_comm_node(lua_State *L)
{
    cuna_comm *part;
    cuna_lua_check(L, cuna_comm_split_node(&part, cuna_lua_check_comm(L)));
    return push_part(L, part);
}

static int core_comm_free(lua_State *L)
{
    comm_box *box = luaL_checkudata(L, 1, COMM_TYPE);
    cuna_comm *comm = cuna_lua_check_comm(L);
    box->comm = NULL;
    cuna_lua_check(L, cuna_comm_free(comm));
    return 0;
}

void cuna_lua_open_comm(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"comm_init", core_comm_init},       {"comm_facts", core_comm_facts}, {"comm_version", core_comm_version},
        {"comm_library", core_comm_library}, {"comm_begin", core_comm_begin}, {"comm_plain", core_comm_plain},
        {"comm_end", core_comm_end},         {"comm_run", core_comm_run},     {"comm_numbers", core_comm_numbers},
        {"comm_header", core_comm_header},   {"comm_hear", core_comm_hear},   {"comm_share", core_comm_share},
        {"comm_collect", core_comm_collect}, {"comm_start", core_comm_start}, {"comm_wait", core_comm_wait},
        {"comm_is_done", core_comm_is_done}, {"comm_poll", core_comm_poll},   {"comm_split", core_comm_split},
        {"comm_node", core_comm_node},       {"comm_free", core_comm_free},   {NULL, NULL}};
    luaL_newmetatable(L, COMM_TYPE);
    lua_pop(L, 1);
    luaL_newmetatable(L, REQUEST_TYPE);
    lua_pushcfunction(L, request_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    cuna_lua_register(L, functions);
}
