/* gather.c: arrays indexed by arrays of positions: their layout, and the passes that read or write there.
 *
 * lua/cuna/gather.lua defines the operations at the addresses; there an indexed array is a table (cuna.Indexed). `base`
 * has indexed axes at their first element, and the programs move along them. */
#include "indexed.h"

/* What Lua asks for. */
typedef struct request {
    const char *name;
    const cuna_array *view;
    cuna_lua_indexed to;
} request;

/* The positions at a stack index, for a view. */
static const cuna_array *check_positions(lua_State *L, int index, const cuna_array *view, const char *name)
{
    const cuna_array *positions = cuna_lua_check_array(L, index, name);
    if (cuna_dtype_kind(positions->dtype) == 'c')
        cuna_lua_fail(L, "%s: positions are whole numbers, got an array of %s", name,
                      cuna_dtype_name(positions->dtype));
    cuna_device *device = cuna_array_device(view), *other = cuna_array_device(positions);
    if (other != device)
        cuna_lua_fail(L, "%s: the array is on %s and an index array on %s; move it with x:to(\"%s\")", name,
                      cuna_device_name(device), cuna_device_name(other), cuna_device_name(device));
    return positions;
}

/* check_positions(positions, view, name) */
static int core_check_positions(lua_State *L)
{
    const char *name = luaL_checkstring(L, 3);
    check_positions(L, 1, cuna_lua_check_array(L, 2, name), name);
    return 0;
}

static int refuse_broadcast(lua_State *L, const char *name, int list, const cuna_array *positions)
{
    char first[256], other[256];
    lua_rawgeti(L, list, 1);
    const cuna_array *one = cuna_lua_check_array(L, -1, name);
    return cuna_lua_fail(L, "%s: index arrays of shapes %s and %s do not broadcast", name,
                         cuna__shape_text(first, sizeof first, one->ndim, cuna_array_shape(one)),
                         cuna__shape_text(other, sizeof other, positions->ndim, cuna_array_shape(positions)));
}

/* Reads the axes and positions of two lists. */
static void read_positions(lua_State *L, request *x, int axes, int list)
{
    cuna_lua_indexed *to = &x->to;
    to->count = (int)lua_objlen(L, axes);
    to->ndim = 0;
    for (int k = 0; k < to->count; k++) {
        lua_rawgeti(L, axes, k + 1);
        lua_rawgeti(L, list, k + 1);
        to->axes[k] = (int)lua_tointeger(L, -2) - 1;
        const cuna_array *positions = check_positions(L, lua_gettop(L), x->view, x->name);
        if (!cuna__shape_broadcast(&to->ndim, to->shape, positions->ndim, cuna_array_shape(positions)))
            refuse_broadcast(L, x->name, list, positions);
        lua_pop(L, 2);
    }
}

static void lay_out(lua_State *L, request *x, int place)
{
    if (!cuna_lua_lay_out_indexed(&x->to, place))
        cuna_lua_fail(L, "%s: a shape has at most %d axes, got %d", x->name, CUNA_MAX_NDIM, x->to.base.ndim);
}

/* Appends axes of length 1 to each array of a list, one for each result axis that follows the array's. */
static void widen_positions(lua_State *L, const cuna_lua_indexed *x, int list)
{
    cuna_geometry geometry;
    for (int k = 0; k < x->count; k++) {
        lua_rawgeti(L, list, k + 1);
        const cuna_array *positions = lua_touserdata(L, -1);
        cuna_lua_widen_positions(&geometry, x, positions);
        cuna_lua_push_view(L, -1, positions->dtype, &geometry);
        lua_rawseti(L, list, k + 1);
        lua_pop(L, 1);
    }
}

static void push_lengths(lua_State *L, int ndim, const int64_t *shape)
{
    lua_createtable(L, ndim, 0);
    for (int i = 0; i < ndim; i++) {
        lua_pushnumber(L, (lua_Number)shape[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The step in bytes and the length of each indexed axis, alternately. */
static void push_moves(lua_State *L, const request *x)
{
    lua_createtable(L, 2 * x->to.count, 0);
    for (int k = 0; k < x->to.count; k++) {
        lua_pushnumber(L, (lua_Number)x->to.whole.strides[x->to.axes[k]] * (lua_Number)cuna_dtype_size(x->view->dtype));
        lua_rawseti(L, -2, 2 * k + 1);
        lua_pushnumber(L, (lua_Number)x->to.whole.shape[x->to.axes[k]]);
        lua_rawseti(L, -2, 2 * k + 2);
    }
}

/* Pushes the view of the array whose memory holds the elements. `memory` is another array if the view is empty: no
 * position is then used, and any memory serves. */
static void push_base(lua_State *L, cuna_geometry *base, const cuna_array *view, int memory)
{
    for (int i = 0; view->size == 0 && i < base->ndim; i++)
        base->strides[i] = 0;
    cuna_lua_push_view(L, memory, view->dtype, base);
}

/* indexed(view, memory, axes, positions, place, name) -> cuna.Indexed; widens the positions of the list */
static int core_indexed(lua_State *L)
{
    request x;
    x.name = luaL_checkstring(L, 6);
    x.view = cuna_lua_check_array(L, 1, x.name);
    cuna_lua_check_array(L, 2, x.name);
    cuna_array_geometry(&x.to.whole, x.view);
    read_positions(L, &x, 3, 4);
    lay_out(L, &x, (int)lua_tointeger(L, 5));
    /* Positions broadcast from the right: axes that follow theirs must be in their shape too. */
    if (x.to.after > 0)
        widen_positions(L, &x.to, 4);
    lua_createtable(L, 0, 7);
    push_base(L, &x.to.base, x.view, 2);
    lua_setfield(L, -2, "base");
    lua_pushvalue(L, 4);
    lua_setfield(L, -2, "positions");
    push_moves(L, &x);
    lua_setfield(L, -2, "moves");
    push_lengths(L, x.to.base.ndim, x.to.base.shape);
    lua_setfield(L, -2, "shape");
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "view");
    lua_pushboolean(L, x.view->size > 0 && cuna_lua_has_rows(&x.to, x.view->dtype));
    lua_setfield(L, -2, "has_rows");
    return 1;
}

/* spread(view, memory, positions, name) -> a view over the shape that positions broadcast to, which touches one element
 * of the memory; that shape */
static int core_spread(lua_State *L)
{
    const char *name = luaL_checkstring(L, 4);
    const cuna_array *view = cuna_lua_check_array(L, 1, name);
    cuna_geometry base = {.ndim = 0};
    cuna_lua_check_array(L, 2, name);
    for (int k = 1, count = (int)lua_objlen(L, 3); k <= count; k++) {
        lua_rawgeti(L, 3, k);
        const cuna_array *positions = cuna_lua_check_array(L, -1, name);
        cuna__shape_broadcast(&base.ndim, base.shape, positions->ndim, cuna_array_shape(positions));
        lua_pop(L, 1);
    }
    cuna_lua_push_view(L, 2, view->dtype, &base);
    push_lengths(L, base.ndim, base.shape);
    return 2;
}

/* ---- rows as fewer, wider elements: what is copied is bytes ---- */

/* The dtypes of elements of 2, 4, 8 and 16 bytes, by the log2 of that. */
static const cuna_dtype wide_dtypes[] = {CUNA_INT8, CUNA_INT16, CUNA_INT32, CUNA_INT64, CUNA_COMPLEX128};

/* Whether rows along the last axis are made of whole elements of that many bytes. */
static bool has_wide_rows(const cuna_array *x, int64_t nbytes)
{
    const int64_t *shape = cuna_array_shape(x), *strides = cuna_array_strides(x);
    int64_t itemsize = cuna_dtype_size(x->dtype);
    int last = x->ndim - 1;
    if (last < 0 || strides[last] != 1 || shape[last] * itemsize % nbytes != 0 || !cuna_array_is_aligned(x, nbytes))
        return false;
    for (int axis = 0; axis < last; axis++)
        if (shape[axis] > 1 && strides[axis] * itemsize % nbytes != 0)
            return false;
    return true;
}

/* Whether the indexed array of a table moves by multiples of that many bytes, and each row as a whole. */
static bool moves_rows(lua_State *L, int table, int64_t nbytes, const char *name)
{
    bool moves = true;
    lua_getfield(L, table, "moves");
    lua_getfield(L, table, "positions");
    for (int k = 1, count = (int)lua_objlen(L, -1); k <= count; k++) {
        lua_rawgeti(L, -1, k);
        lua_rawgeti(L, -3, 2 * k - 1);
        const cuna_array *positions = cuna_lua_check_array(L, lua_gettop(L) - 1, name);
        moves = moves && (int64_t)lua_tonumber(L, -1) % nbytes == 0 &&
                (positions->ndim == 0 || cuna_array_shape(positions)[positions->ndim - 1] == 1);
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
    return moves;
}

/* Pushes a view of an array whose last axis is contiguous, as elements of another size. */
static cuna_array *push_resized(lua_State *L, int index, cuna_dtype dtype)
{
    cuna_geometry geometry;
    const cuna_array *x = lua_touserdata(L, index);
    int64_t itemsize = cuna_dtype_size(x->dtype), nbytes = cuna_dtype_size(dtype);
    cuna_array_geometry(&geometry, x);
    geometry.shape[geometry.ndim - 1] = geometry.shape[geometry.ndim - 1] * itemsize / nbytes;
    for (int axis = 0; axis < geometry.ndim - 1; axis++)
        geometry.strides[axis] = geometry.strides[axis] * itemsize / nbytes;
    return cuna_lua_push_view(L, index, dtype, &geometry);
}

/* resized(x, dtype) -> x, whose last axis is contiguous, as elements of another size */
static int core_resized(lua_State *L)
{
    cuna_lua_check_array(L, 1, "view");
    push_resized(L, 1, cuna_lua_check_dtype(L, 2, "view"));
    return 1;
}

/* wide_rows(indexed, name, other or nil) -> the same rows in the widest elements that they, and those of an array which
 * they are copied to or from, are made of: a cuna.Indexed and that array; or nothing where there are none */
static int core_wide_rows(lua_State *L)
{
    const char *name = luaL_checkstring(L, 2);
    lua_settop(L, 3);
    lua_getfield(L, 1, "base");
    const cuna_array *base = cuna_lua_check_array(L, 4, name);
    const cuna_array *other = lua_isnil(L, 3) ? base : cuna_lua_check_array(L, 3, name);
    int log2 = (int)(sizeof wide_dtypes / sizeof *wide_dtypes) - 1;
    int64_t itemsize = cuna_dtype_size(base->dtype),
            length = base->ndim > 0 ? cuna_array_shape(base)[base->ndim - 1] : 0;
    if (length < 2 || other->dtype != base->dtype || other->ndim == 0 ||
        cuna_array_shape(other)[other->ndim - 1] != length)
        return 0;
    while (1 << log2 > itemsize &&
           !(has_wide_rows(base, 1 << log2) && has_wide_rows(other, 1 << log2) && moves_rows(L, 1, 1 << log2, name)))
        log2--;
    if (1 << log2 <= itemsize)
        return 0;
    lua_createtable(L, 0, 6);
    const cuna_array *wide = push_resized(L, 4, wide_dtypes[log2]);
    push_lengths(L, wide->ndim, cuna_array_shape(wide));
    lua_setfield(L, 5, "shape");
    lua_pushvalue(L, 6);
    lua_setfield(L, 5, "base");
    lua_setfield(L, 5, "view");
    lua_getfield(L, 1, "positions");
    lua_setfield(L, 5, "positions");
    lua_getfield(L, 1, "moves");
    lua_setfield(L, 5, "moves");
    lua_getfield(L, 1, "mode");
    lua_setfield(L, 5, "mode");
    if (lua_isnil(L, 3))
        return 1;
    push_resized(L, 3, wide_dtypes[log2]);
    return 2;
}

static cuna_operand integer_operand(int64_t value)
{
    return (cuna_operand){.number = {.kind = CUNA_NUMBER_INT, .i = value}};
}

/* How many elements of memory an array spans from its first one on; 0: some lie before that. */
static int64_t span_of(const cuna_array *view)
{
    int64_t span = 1;
    const int64_t *shape = cuna_array_shape(view), *strides = cuna_array_strides(view);
    for (int axis = 0; axis < view->ndim; axis++) {
        if (strides[axis] < 0)
            return 0;
        span += (shape[axis] - 1) * strides[axis];
    }
    return view->size > 0 ? span : 0;
}

/* The operands of a pass from the stack: base, positions, steps, lengths, the mark, and the value if any. The positions
 * stay on the stack. */
static void read_operands(lua_State *L, cuna_operand *operands, int table, int first, int count, const char *name)
{
    const cuna_array *base = operands[0].array = cuna_lua_check_array(L, 4, name);
    lua_getfield(L, table, "moves");
    lua_getfield(L, table, "positions");
    int positions = lua_gettop(L), moves = positions - 1;
    /* The positions stay on the stack: a finalizer may change the list before the launch. */
    luaL_checkstack(L, count + 4, name);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, positions, first + k);
        operands[1 + k].array = cuna_lua_check_array(L, -1, name);
        lua_rawgeti(L, moves, 2 * (first + k) - 1);
        lua_rawgeti(L, moves, 2 * (first + k));
        operands[1 + count + k] = integer_operand((int64_t)lua_tonumber(L, -2));
        operands[1 + 2 * count + k] = integer_operand((int64_t)lua_tonumber(L, -1));
        lua_pop(L, 2);
    }
    operands[1 + 3 * count] = integer_operand((int64_t)cuna_lua_report_mark(L, cuna_array_device(base), name));
    if (!lua_isnoneornil(L, 8))
        operands[2 + 3 * count].array = cuna_lua_check_array(L, 8, name);
}

/* What is behind these operands in a tally. */
static cuna_operand read_span(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, "view");
    return integer_operand(span_of(cuna_lua_check_array(L, -1, name)));
}

/* gather(program, name, indexed, base, first, last, out or nil, value or nil) -> array, of a program that has one:
 * moves `base` along the indexed axes from `first` to `last`, and runs the program there. */
static int core_gather(lua_State *L)
{
    const cuna_program *program = cuna_lua_to_program(L, 1);
    const cuna_program_text *text = cuna_program_get_text(program);
    const char *name = luaL_checkstring(L, 2);
    int64_t shape[CUNA_MAX_NDIM];
    cuna_operand operands[CUNA_MAX_OPERANDS];
    cuna_array *out = NULL;
    int first = (int)lua_tointeger(L, 5), count = (int)lua_tointeger(L, 6) - first + 1;
    lua_settop(L, 8);
    lua_getfield(L, 3, "shape");
    int ndim = cuna_lua_check_shape(L, 9, shape, name);
    /* The program reads as many operands as it was made for, whatever the range of axes is. */
    if (text->ninputs != 2 + 3 * count + !lua_isnil(L, 8) + (text->tally_nbytes > 0))
        return cuna_lua_fail(L, "%s: a program of %d inputs for %d axes", name, text->ninputs, count);
    read_operands(L, operands, 3, first, count, name);
    if (text->tally_nbytes > 0)
        operands[text->ninputs - 1] = read_span(L, 3, name);
    cuna_lua_pace(L, cuna_lua_get_state(L));
    if (text->noutputs > 0 && lua_isnil(L, 7)) {
        out = cuna_lua_push_empty(L, cuna_lua_get_state(L));
    } else if (text->noutputs > 0) {
        out = cuna_lua_check_array(L, 7, name);
        lua_pushvalue(L, 7);
    }
    CUNA_LUA_TRY(L, cuna_record(cuna_lua_context(L), name, program, operands, &out, ndim, shape));
    return text->noutputs;
}

void cuna_lua_open_gather(lua_State *L)
{
    static const luaL_Reg functions[] = {{"check_positions", core_check_positions},
                                         {"indexed", core_indexed},
                                         {"spread", core_spread},
                                         {"wide_rows", core_wide_rows},
                                         {"resized", core_resized},
                                         {"gather", core_gather},
                                         {NULL, NULL}};
    cuna_lua_register(L, functions);
}
