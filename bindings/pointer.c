/* pointer.c: memory as bytes: pinned arrays, foreign memory, asynchronous copies. The public interface is
 * lua/cuna/device/memory.lua and device/transfer.lua. */
#include "state.h"

/* Pushes an empty array that, with its views, keeps the value at an index alive. */
static cuna_array *push_anchored(lua_State *L, int anchor)
{
    cuna_array *array = cuna_lua_push_array(L);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, anchor);
    lua_rawseti(L, -2, 1);
    lua_setfenv(L, -2);
    return array;
}

/* adopt(device, address, bytes, owner) -> array of bytes over memory of the device */
static int core_adopt(lua_State *L)
{
    cuna_device *device = cuna_lua_check_device(L, 1, "adopt");
    int64_t address = cuna_lua_check_integer(L, 2, "adopt: the address");
    int64_t nbytes = cuna_lua_check_integer(L, 3, "adopt: the number of bytes");
    cuna_array *array = push_anchored(L, 4);
    cuna_lua_check(L, cuna_array_adopt(array, device, CUNA_UINT8, 1, &nbytes, (uint64_t)address, NULL, NULL));
    return 1;
}

/* wrap(address, count, dtype, owner, is_const) -> 1-d array over host memory, on the current device */
static int core_wrap(lua_State *L)
{
    void *memory = (void *)(uintptr_t)lua_tonumber(L, 1);
    int64_t count = cuna_lua_check_integer(L, 2, "frombuffer: count");
    cuna_dtype dtype = cuna_lua_check_dtype(L, 3, "frombuffer");
    cuna_device *device = cuna_context_device(cuna_lua_context(L));
    lua_settop(L, 5);
    cuna_array *array = push_anchored(L, 4);
    if (cuna_array_wrap(array, device, dtype, 1, &count, memory, NULL, NULL) != CUNA_OK)
        return cuna_lua_fail(L, "frombuffer: %s", cuna_message());
    if (lua_toboolean(L, 5))
        array->flags |= CUNA_ARRAY_READONLY;
    return 1;
}

/* The alignment of a dtype's elements in an array of bytes, and how many fit. */
static void check_room(lua_State *L, const cuna_array *bytes, const cuna_geometry *g, int64_t offset, cuna_dtype dtype,
                       const char *what)
{
    int64_t size, nbytes, itemsize = cuna_dtype_size(dtype), room = bytes->size - offset;
    uint64_t address = 0;
    if (cuna__shape_size(&size, g->ndim, g->shape) != CUNA_OK)
        cuna_lua_fail(L, "%s: %s", what, cuna_message());
    CUNA_LUA_TRY(L, cuna_array_expose(&address, bytes, what));
    if (offset % itemsize != 0 || address % (uint64_t)itemsize != 0)
        cuna_lua_fail(L, "%s: %s begins at multiples of %d bytes, not at 0x%llx", what, cuna_dtype_name(dtype),
                      (int)itemsize, (unsigned long long)address + (unsigned long long)offset);
    if (!cuna__mul(size, itemsize, &nbytes) || nbytes > room)
        cuna_lua_fail(L, "%s: %lld elements of %s do not fit: there are %lld bytes", what, (long long)size,
                      cuna_dtype_name(dtype), (long long)room);
}

/* array_at(bytes, offset, shape or nil, dtype or nil, what) -> array over an array of bytes, from its byte `offset` on */
static int core_array_at(lua_State *L)
{
    const char *what = luaL_checkstring(L, 5);
    const cuna_array *bytes = cuna_lua_check_array(L, 1, what);
    int64_t offset = cuna_lua_check_integer(L, 2, what), room = bytes->size - offset;
    cuna_dtype dtype = lua_isnoneornil(L, 4) ? CUNA_UINT8 : cuna_lua_check_dtype(L, 4, what);
    int64_t itemsize = cuna_dtype_size(dtype);
    cuna_geometry geometry = {.ndim = 1, .offset = offset / itemsize};
    geometry.shape[0] = room / itemsize;
    if (!lua_isnoneornil(L, 3))
        geometry.ndim = cuna_lua_check_shape(L, 3, geometry.shape, what);
    else if (room % itemsize != 0)
        return cuna_lua_fail(L, "%s: %lld bytes are not a whole number of %s elements; give the shape", what,
                             (long long)room, cuna_dtype_name(dtype));
    check_room(L, bytes, &geometry, offset, dtype, what);
    cuna__shape_strides(geometry.strides, geometry.ndim, geometry.shape);
    cuna_lua_push_view(L, 1, dtype, &geometry);
    return 1;
}

/* freed_at(x) -> nil for an array with memory, else the text after "was freed" in messages: the line and the cause */
static int core_freed_at(lua_State *L)
{
    const cuna_array *array = cuna_lua_peek_array(cuna_lua_get_state(L), L, 1);
    if (array == NULL)
        return cuna_lua_fail(L, "freed_at: expected an array, got %s", luaL_typename(L, 1));
    if (array->buffer != NULL)
        return 0;
    cuna_lua_push_slot(L, CUNA_SLOT_FREED);
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1))
        lua_pushliteral(L, "");
    return 1;
}

/* check_alive(x, what) -> x; raises for a value that is not an array, or was freed */
static int core_check_alive(lua_State *L)
{
    cuna_lua_check_array(L, 1, luaL_checkstring(L, 2));
    lua_settop(L, 1);
    return 1;
}

/* same_device(a, b, what) -> whether two arrays are on one device; raises for a value that is not an array, or was
 * freed */
static int core_same_device(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *a = cuna_lua_check_array(L, 1, what), *b = cuna_lua_check_array(L, 2, what);
    lua_pushboolean(L, cuna_array_device(a) == cuna_array_device(b));
    return 1;
}

/* claim(x, stream or nil, what): records that the next launch on the stream (nil: the current one) uses x's memory by
 * its address. The launch rejects a stream of another device. */
static int core_claim(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    cuna_context *context = cuna_lua_context(L);
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_device *device = cuna_array_device(array);
    cuna_stream *stream =
        lua_isnoneornil(L, 2) ? cuna_context_stream(context, device) : cuna_lua_check_stream(L, 2, what);
    if (cuna_stream_device(stream) == device)
        CUNA_LUA_TRY(L, cuna_array_claim(context, stream, array));
    return 0;
}

/* empty_pinned(shape, dtype or nil, what) -> array on the cpu device */
static int core_empty_pinned(lua_State *L)
{
    cuna_lua_state *S = cuna_lua_get_state(L);
    int64_t shape[CUNA_MAX_NDIM];
    const char *what = luaL_checkstring(L, 3);
    int ndim = cuna_lua_check_shape(L, 1, shape, what);
    cuna_dtype dtype = lua_isnoneornil(L, 2) ? S->default_dtype : cuna_lua_check_dtype(L, 2, what);
    cuna_array *array = cuna_lua_push_array(L);
    cuna_status status = cuna_array_create_pinned(array, S->context, dtype, ndim, shape);
    if (status == CUNA_VALUE)
        return cuna_lua_fail(L, "%s: %s", what, cuna_message());
    if (status == CUNA_MEMORY) {
        cuna_lua_collect(L);
        status = cuna_array_create_pinned(array, S->context, dtype, ndim, shape);
    }
    cuna_lua_check(L, status);
    return 1;
}

/* copy_async(dst, src, what): copies between the cpu device and another, asynchronously. */
static int core_copy_async(lua_State *L)
{
    const char *what = luaL_checkstring(L, 3);
    const cuna_array *dst = cuna_lua_check_array(L, 1, what), *src = cuna_lua_check_array(L, 2, what);
    CUNA_LUA_TRY(L, cuna_array_copy_async(cuna_lua_context(L), dst, src));
    return 0;
}

/* ---- spans: some bytes of a contiguous array, from its byte `offset` on ---- */

typedef struct span {
    const cuna_array *array;
    int64_t offset, nbytes;
} span;

static span check_span(lua_State *L, int index, int64_t nbytes, const char *what)
{
    span s = {.array = cuna_lua_check_array(L, index, what), .nbytes = nbytes};
    s.offset = cuna_lua_check_integer(L, index + 1, what);
    return s;
}

/* A view released without the collector, so that freed memory is reusable immediately. */
static cuna_status view_span(cuna_array *out, const span *s)
{
    cuna_geometry geometry = {.ndim = 1, .offset = s->offset};
    geometry.shape[0] = s->nbytes;
    geometry.strides[0] = 1;
    return cuna_array_view(out, s->array, CUNA_UINT8, &geometry);
}

/* Asynchronous if exactly one of them is on the cpu device. */
static cuna_status copy_views(cuna_context *context, const cuna_array *dst, const cuna_array *src, bool async)
{
    if (async && cuna_device_is_host(cuna_array_device(dst)) != cuna_device_is_host(cuna_array_device(src)))
        return cuna_array_copy_async(context, dst, src);
    return cuna_array_copy(context, dst, src);
}

static cuna_status copy_span(cuna_context *context, const span *dst, const span *src, bool async)
{
    cuna_array to = {.buffer = NULL}, from = {.buffer = NULL};
    cuna_status status = view_span(&to, dst);
    if (status == CUNA_OK)
        status = view_span(&from, src);
    if (status == CUNA_OK)
        status = copy_views(context, &to, &from, async);
    cuna_array_release(&from);
    cuna_array_release(&to);
    return status;
}

/* copy_bytes(dst, offset, src, offset, bytes, async, what) */
static int core_copy_bytes(lua_State *L)
{
    const char *what = luaL_checkstring(L, 7);
    int64_t nbytes = cuna_lua_check_integer(L, 5, what);
    span dst = check_span(L, 1, nbytes, what), src = check_span(L, 3, nbytes, what);
    CUNA_LUA_TRY(L, copy_span(cuna_lua_context(L), &dst, &src, lua_toboolean(L, 6)));
    return 0;
}

static cuna_status fill_span(cuna_context *context, const span *dst, const cuna_number *value)
{
    cuna_array to = {.buffer = NULL};
    cuna_status status = view_span(&to, dst);
    if (status == CUNA_OK)
        status = cuna_array_fill(context, &to, value);
    cuna_array_release(&to);
    return status;
}

/* fill_bytes(dst, offset, bytes, value, what) */
static int core_fill_bytes(lua_State *L)
{
    const char *what = luaL_checkstring(L, 5);
    span dst = check_span(L, 1, cuna_lua_check_integer(L, 3, what), what);
    cuna_number value;
    if (!cuna_lua_to_number(L, 4, &value))
        return cuna_lua_fail(L, "%s: the value is a number, got %s", what, luaL_typename(L, 4));
    CUNA_LUA_TRY(L, fill_span(cuna_lua_context(L), &dst, &value));
    return 0;
}

void cuna_lua_open_pointer(lua_State *L)
{
    static const luaL_Reg functions[] = {{"adopt", core_adopt},
                                         {"wrap", core_wrap},
                                         {"array_at", core_array_at},
                                         {"freed_at", core_freed_at},
                                         {"claim", core_claim},
                                         {"check_alive", core_check_alive},
                                         {"same_device", core_same_device},
                                         {"empty_pinned", core_empty_pinned},
                                         {"copy_async", core_copy_async},
                                         {"copy_bytes", core_copy_bytes},
                                         {"fill_bytes", core_fill_bytes},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}
