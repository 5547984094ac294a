/* index.c: x[key] and x[key] = value: the one normaliser of indices, and fields and methods by name.
 *
 * A number, a table or a text becomes a list of cuna_index entries with the contract's positions (from 1, both ends
 * included), which cuna__shape_index applies; axes without an entry at the end are whole. Keys of numbers that select
 * one element or a row need no list (element.c). Index arrays and masks also come here and are passed to the Lua
 * hook. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define MAX_ENTRIES (2 * CUNA_MAX_NDIM)
#define ENTRIES     "k, first:last:step, newaxis or ..."

static const char newaxis_tag, ellipsis_tag;

/* A parsed key. */
typedef struct key {
    int nentries;
    int nselects; /* entries that select a position */
    bool ellipsis;
    cuna_index entries[MAX_ENTRIES];
} key;

static bool is_tag(lua_State *L, int index, const char *tag)
{
    return lua_type(L, index) == LUA_TLIGHTUSERDATA && lua_touserdata(L, index) == (void *)tag;
}

static cuna_index *add_entry(lua_State *L, key *k, cuna_index_kind kind)
{
    if (k->nentries == MAX_ENTRIES)
        cuna_lua_fail(L, "index: more than %d entries", MAX_ENTRIES);
    cuna_index *entry = &k->entries[k->nentries++];
    *entry = (cuna_index){.kind = kind, .step = 1};
    k->nselects += kind == CUNA_INDEX_SELECT;
    k->ellipsis = k->ellipsis || kind == CUNA_INDEX_ELLIPSIS;
    return entry;
}

static void add_select(lua_State *L, key *k, int64_t position)
{
    add_entry(L, k, CUNA_INDEX_SELECT)->first = position;
}

/* Raises for a table at index whose keys are not 1..n. */
static int refuse_holes(lua_State *L, int index, const char *problem)
{
    lua_rawgeti(L, index, 0);
    if (!lua_isnil(L, -1))
        return cuna_lua_fail(L, "index: a table has the key 0; positions count from 1 in Lua");
    return cuna_lua_fail(L, "%s", problem);
}

/* {}, {k}, {first, last}, {first, last, step} at the top of the stack. */
static void add_range(lua_State *L, key *k)
{
    int count = (int)lua_objlen(L, -1), keys = 0, top = lua_gettop(L);
    int64_t values[3] = {0, 0, 1};
    for (lua_pushnil(L); lua_next(L, top) != 0; lua_pop(L, 1))
        keys++;
    if (count > 3)
        cuna_lua_fail(L,
                      "index: a range is {first, last, step}, got %d numbers; for a list of positions write "
                      "cn.array(list)",
                      count);
    /* The length of a table with holes is any of its borders: only the number of keys shows the holes. */
    if (keys != count)
        refuse_holes(L, top, "index: a range is {first, last, step}; this table has a nil or other keys");
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, top, i + 1);
        values[i] = cuna_lua_check_integer(L, -1, i == 2 ? "index: the step of a range" : "index: an end of a range");
        lua_pop(L, 1);
    }
    cuna_index *entry = add_entry(L, k, CUNA_INDEX_RANGE);
    entry->has_first = entry->has_last = count > 0;
    entry->first = values[0];
    entry->last = count == 1 ? values[0] : values[1];
    entry->step = values[2];
}

static int bad_entry(lua_State *L, int index)
{
    if (lua_isnil(L, index))
        return cuna_lua_fail(L, "index: nil is not an index; write {} for a whole axis");
    if (lua_type(L, index) == LUA_TBOOLEAN)
        return cuna_lua_fail(L, "index: got a Lua boolean; write x:eq(y) or x:logical_not() for a mask");
    if (lua_type(L, index) == LUA_TSTRING)
        return cuna_lua_fail(L, "index: \"%s\" in a table; text is a whole key, x[\"2:, 1\"], or x[{{2, -1}, 1}]",
                             lua_tostring(L, index));
    return cuna_lua_fail(L, "index: expected a number, a range, an array, cn.newaxis or cn.ellipsis, got %s",
                         luaL_typename(L, index));
}

/* Whether the value at index is an array, as an entry of a key or as the key. */
static bool is_index_array(lua_State *L, const cuna_lua_state *S, int index)
{
    const cuna_array *array = cuna_lua_peek_array(S, L, index);
    if (array != NULL && array->buffer == NULL)
        cuna_lua_fail_freed(L, index, "index");
    return array != NULL;
}

/* The entry on top of the stack. False for an array, which is not a basic index. */
static bool add_value(lua_State *L, const cuna_lua_state *S, key *k)
{
    cuna_number number;
    if (is_index_array(L, S, lua_gettop(L)))
        return false;
    if (lua_type(L, -1) == LUA_TTABLE)
        add_range(L, k);
    else if (is_tag(L, -1, &newaxis_tag))
        add_entry(L, k, CUNA_INDEX_NEWAXIS);
    else if (is_tag(L, -1, &ellipsis_tag))
        add_entry(L, k, CUNA_INDEX_ELLIPSIS);
    else if (lua_type(L, -1) != LUA_TBOOLEAN && cuna_lua_to_number(L, -1, &number))
        add_select(L, k, cuna_lua_check_integer(L, -1, "index: a position"));
    else
        bad_entry(L, lua_gettop(L));
    return true;
}

/* One entry per axis, in their order. False when an entry is an array. */
static bool parse_table(lua_State *L, const cuna_lua_state *S, int index, key *k)
{
    int count = (int)lua_objlen(L, index), keys = 0;
    bool basic = true;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TNUMBER)
            cuna_lua_fail(L, "index: an index table has one entry per axis; it has the key '%s'",
                          lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2));
        keys++;
    }
    if (keys != count)
        refuse_holes(L, index, "index: the index table has a nil entry; write {} for a whole axis");
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        basic = add_value(L, S, k) && basic;
        lua_pop(L, 1);
    }
    return basic;
}

/* Reads an integer from the text at *at; false when there is none. Numbers of few digits avoid the locale. */
static bool parse_integer(const char **at, int64_t *value)
{
    const char *digit = *at + (**at == '-');
    int64_t number = 0;
    int count = 0;
    for (; count < 18 && digit[count] >= '0' && digit[count] <= '9'; count++)
        number = 10 * number + (digit[count] - '0');
    char *end = (char *)digit + count;
    if (count == 0 || count == 18)
        number = strtoll(*at, &end, 10);
    else if (digit != *at)
        number = -number;
    if (end == *at)
        return false;
    *at = end;
    *value = number;
    return true;
}

/* isspace of the C locale. */
static void skip_blanks(const char **at)
{
    while (**at == ' ' || (**at >= '\t' && **at <= '\r'))
        ++*at;
}

static int bad_text(lua_State *L, const char *text, const char *at)
{
    if (*at == '\0')
        return cuna_lua_fail(L, "index \"%s\": an entry is missing at the end; entries are " ENTRIES, text);
    return cuna_lua_fail(L, "index \"%s\": unexpected '%.8s' in column %d; entries are " ENTRIES, text, at,
                         (int)(at - text) + 1);
}

/* first:last:step with each part optional, or a single position. */
static void parse_slice(lua_State *L, key *k, const char *text, const char **at)
{
    cuna_index range = {.kind = CUNA_INDEX_RANGE, .step = 1};
    range.has_first = parse_integer(at, &range.first);
    skip_blanks(at);
    if (**at != ':') {
        if (!range.has_first)
            bad_text(L, text, *at);
        add_select(L, k, range.first);
        return;
    }
    ++*at;
    skip_blanks(at);
    range.has_last = parse_integer(at, &range.last);
    skip_blanks(at);
    if (**at == ':') {
        ++*at;
        skip_blanks(at);
        if (!parse_integer(at, &range.step))
            range.step = 1;
    }
    *add_entry(L, k, CUNA_INDEX_RANGE) = range;
}

static bool parse_word(const char **at, const char *word)
{
    const char *rest = *at;
    for (; *word != '\0'; word++, rest++)
        if (*rest != *word)
            return false;
    *at = rest;
    return true;
}

/* "2:5, :, ::-1" */
static void parse_text(lua_State *L, const char *text, key *k)
{
    const char *at = text;
    for (;;) {
        skip_blanks(&at);
        if (parse_word(&at, "..."))
            add_entry(L, k, CUNA_INDEX_ELLIPSIS);
        else if (parse_word(&at, "newaxis"))
            add_entry(L, k, CUNA_INDEX_NEWAXIS);
        else
            parse_slice(L, k, text, &at);
        skip_blanks(&at);
        if (*at == '\0')
            break;
        if (*at != ',')
            bad_text(L, text, at);
        at++;
    }
}

/* Whether a string is an index rather than a name: names begin with a letter, and so does "newaxis, 2:3" alone. */
static bool is_index_text(const char *text)
{
    return (!isalpha((unsigned char)text[0]) && text[0] != '_') || strncmp(text, "newaxis", 7) == 0;
}

/* Parses the key at stack index 2. False when it holds arrays (or a boolean, which has been refused). */
static bool parse_key(lua_State *L, const cuna_lua_state *S, key *k)
{
    k->nentries = k->nselects = 0; /* entries beyond nentries are never read */
    k->ellipsis = false;
    switch (lua_type(L, 2)) {
    case LUA_TTABLE:
        return parse_table(L, S, 2, k);
    case LUA_TSTRING:
        parse_text(L, lua_tostring(L, 2), k);
        return true;
    case LUA_TUSERDATA:
        if (is_index_array(L, S, 2))
            return false;
        break;
    default:
        break;
    }
    lua_pushvalue(L, 2);
    add_value(L, S, k);
    lua_pop(L, 1);
    return true;
}

/* Whether the key names one element, to be read as a Lua value. */
static bool names_element(const key *k, const cuna_array *array)
{
    if (k->ellipsis || k->nselects != array->ndim || k->nselects == 0)
        return false;
    for (int i = 0; i < k->nentries; i++)
        if (k->entries[i].kind == CUNA_INDEX_NEWAXIS)
            return false;
    return true;
}

static void apply(lua_State *L, const cuna_array *array, const key *k, cuna_geometry *geometry)
{
    cuna_geometry whole;
    cuna_array_geometry(&whole, array);
    cuna_status status = cuna__shape_index(geometry, &whole, k->nentries, k->entries);
    if (status != CUNA_OK)
        cuna_lua_raise(L, status);
}

/* A method, a field's value, or the hook's error. */
static int read_name(lua_State *L)
{
    /* Methods come first, and a freed array has them too: each checks its arguments itself. */
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    if (!lua_isnil(L, -1))
        return 1;
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(3));
    if (lua_islightuserdata(L, -1)) {
        const cuna_array *array = lua_touserdata(L, 1);
        const cuna_lua_getter *getter = lua_touserdata(L, -1);
        if (array->buffer == NULL)
            return cuna_lua_fail_freed(L, 1, getter->name);
        if (getter->number != NULL)
            lua_pushnumber(L, getter->number(array));
        else
            getter->get(L, array);
        return 1;
    }
    if (!lua_isnil(L, -1)) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    cuna_lua_push_slot(L, CUNA_SLOT_MISSING);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

static int hand_over(lua_State *L, int nvalues)
{
    cuna_lua_push_slot(L, CUNA_SLOT_ASSIGN);
    lua_insert(L, 1);
    lua_call(L, nvalues, 1);
    return 1;
}

int cuna_lua_array_index(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    int type = lua_type(L, 2);
    if (type == LUA_TSTRING && !is_index_text(lua_tostring(L, 2)))
        return read_name(L); /* before the check of freed arrays, which have methods */
    const cuna_array *array = lua_touserdata(L, 1);
    if (array->buffer == NULL)
        return cuna_lua_fail_freed(L, 1, "index");
    if (type == LUA_TNUMBER && cuna_lua_push_at(L, S, array, lua_tonumber(L, 2))) /* frequent keys, not parsed */
        return 1;
    cuna_geometry geometry;
    if (type == LUA_TTABLE && cuna_lua_find_element(L, array, &geometry.offset)) {
        cuna_lua_read_element(L, S, array, geometry.offset);
        return 1;
    }
    if (type == LUA_TUSERDATA && cuna_lua_fetch(L, S))
        return 1;
    key k;
    if (!parse_key(L, S, &k))
        return hand_over(L, 2);
    apply(L, array, &k, &geometry);
    if (!names_element(&k, array)) {
        cuna_lua_push_view(L, 1, array->dtype, &geometry);
        return 1;
    }
    cuna_lua_read_element(L, S, array, geometry.offset);
    return 1;
}

/* Rejects numbers that the dtype cannot hold. */
static void check_suits(lua_State *L, const cuna_number *number, const cuna_array *array, const char *what)
{
    char problem[128];
    if (!cuna_lua_number_suits(number, array->dtype, problem, sizeof problem))
        cuna_lua_fail(L, "%s: %s", what, problem);
}

static void check_writable(lua_State *L, const cuna_array *array, const char *what)
{
    if (array->flags & CUNA_ARRAY_READONLY)
        cuna_lua_check(L, cuna_result_check(&(cuna_result){.name = what, .dtype = CUNA_DTYPES}, array));
}

/* Replaces an array on top of the stack by a view without the leading axes of length 1 that the target lacks. */
static const cuna_array *drop_leading(lua_State *L, const cuna_array *value, int ndim)
{
    cuna_geometry old, new = {.ndim = ndim};
    int extra = value->ndim - ndim;
    cuna_array_geometry(&old, value);
    for (int i = 0; i < extra; i++)
        if (old.shape[i] != 1)
            return value;
    for (int i = 0; i < ndim; i++) {
        new.shape[i] = old.shape[extra + i];
        new.strides[i] = old.strides[extra + i];
    }
    return cuna_lua_push_view(L, -1, value->dtype, &new);
}

static void check_broadcasts(lua_State *L, const cuna_array *view, const cuna_array *value)
{
    int64_t strides[CUNA_MAX_NDIM];
    char from[256], to[256];
    if (cuna__shape_expand(strides, view->ndim, cuna_array_shape(view), value->ndim, cuna_array_shape(value),
                           cuna_array_strides(value)))
        return;
    cuna_lua_fail(L, "assignment: a value of shape %s does not broadcast to shape %s",
                  cuna__shape_text(from, sizeof from, value->ndim, cuna_array_shape(value)),
                  cuna__shape_text(to, sizeof to, view->ndim, cuna_array_shape(view)));
}

/* Pushes the value at stack index 3 as an array on the view's device: a table in the view's dtype, an array
 * unchanged. */
static const cuna_array *push_value(lua_State *L, const cuna_array *view)
{
    cuna_device *device = cuna_array_device(view);
    const cuna_array *value = cuna_lua_peek_array(cuna_lua_get_state(L), L, 3);
    if (value == NULL)
        return cuna_lua_as_array(L, 3, view->dtype, device, "assignment");
    if (value->buffer == NULL)
        cuna_lua_fail_freed(L, 3, "assignment");
    if (cuna_array_device(value) != device)
        cuna_lua_fail(L, "assignment: the array is on %s and the value on %s; move it with value:to(\"%s\")",
                      cuna_device_name(device), cuna_device_name(cuna_array_device(value)), cuna_device_name(device));
    lua_pushvalue(L, 3);
    return value;
}

/* Stores the value at stack index 3 into the view at the top of the stack. */
static void store_into(lua_State *L, const cuna_array *view)
{
    cuna_context *context = cuna_lua_context(L);
    cuna_number number;
    check_writable(L, view, "assignment");
    if (cuna_lua_to_number(L, 3, &number)) {
        check_suits(L, &number, view, "assignment");
        CUNA_LUA_TRY(L, cuna_record_fill(context, view, &number));
        return;
    }
    const cuna_array *value = push_value(L, view);
    if (value->ndim > view->ndim)
        value = drop_leading(L, value, view->ndim);
    check_broadcasts(L, view, value);
    CUNA_LUA_TRY(L, cuna_record_copy(context, view, value));
}

static int refuse_name(lua_State *L, const char *name)
{
    if (strcmp(name, "shape") == 0)
        return cuna_lua_fail(L, "an array has no field 'shape' that can be assigned; write x = x:reshape(...)");
    if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0)
        return cuna_lua_fail(L, "an array has no field '%s' that can be assigned; write x.%s[\"...\"] = value", name,
                             name);
    return cuna_lua_fail(L, "an array has no field '%s' that can be assigned", name);
}

static void write_element(lua_State *L, const cuna_lua_state *S, const cuna_array *array, int64_t offset,
                          const cuna_number *number)
{
    check_suits(L, number, array, "assignment");
    CUNA_LUA_TRY(L, cuna_array_write(S->context, array, offset, number));
}

int cuna_lua_array_newindex(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_array *array = lua_touserdata(L, 1);
    cuna_number number;
    cuna_geometry geometry;
    key k;
    if (lua_type(L, 2) == LUA_TSTRING && !is_index_text(lua_tostring(L, 2)))
        return refuse_name(L, lua_tostring(L, 2));
    if (array->buffer == NULL)
        return cuna_lua_fail_freed(L, 1, "index");
    /* Frequent keys, not parsed; the parsed ones below include positions from the end. */
    if (cuna_lua_find_element(L, array, &geometry.offset) && cuna_lua_to_number(L, 3, &number)) {
        write_element(L, S, array, geometry.offset, &number);
        return 0;
    }
    if (!parse_key(L, S, &k))
        return cuna_lua_store(L, S) ? 0 : hand_over(L, 3);
    apply(L, array, &k, &geometry);
    if (names_element(&k, array) && cuna_lua_to_number(L, 3, &number)) {
        write_element(L, S, array, geometry.offset, &number);
        return 0;
    }
    store_into(L, cuna_lua_push_view(L, 1, array->dtype, &geometry));
    return 0;
}

/* fill(x, value, what) -> x */
static int array_fill(lua_State *L)
{
    const char *what = luaL_optstring(L, 3, "fill");
    const cuna_array *array = cuna_lua_check_array(L, 1, what);
    cuna_number number;
    if (!cuna_lua_to_number(L, 2, &number))
        return cuna_lua_fail(L, "%s: the value is a number or boolean, got %s", what, cuna_lua_describe(L, 2));
    check_suits(L, &number, array, what);
    check_writable(L, array, what);
    CUNA_LUA_TRY(L, cuna_record_fill(cuna_lua_context(L), array, &number));
    lua_settop(L, 1);
    return 1;
}

void cuna_lua_open_index(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&newaxis_tag);
    lua_setfield(L, -2, "newaxis");
    lua_pushlightuserdata(L, (void *)&ellipsis_tag);
    lua_setfield(L, -2, "ellipsis");
    cuna_lua_register(L, (const luaL_Reg[]){{"fill", array_fill}, {NULL, NULL}});
}
