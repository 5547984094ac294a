/* key.c: the one normaliser of indices: a number, a table or a text becomes a list of cuna_index entries with the
 * contract's positions (from 1, both ends included), which cuna__shape_index applies; axes without an entry at the end
 * are whole. */
#include "key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES "k, first:last:step, newaxis or ..."

static const char newaxis_tag, ellipsis_tag;

static bool is_tag(lua_State *L, int index, const char *tag)
{
    return lua_type(L, index) == LUA_TLIGHTUSERDATA && lua_touserdata(L, index) == (void *)tag;
}

static cuna_index *add_entry(lua_State *L, cuna_lua_key *k, cuna_index_kind kind)
{
    if (k->nentries == CUNA_LUA_MAX_ENTRIES)
        cuna_lua_fail(L, "index: more than %d entries", CUNA_LUA_MAX_ENTRIES);
    cuna_index *entry = &k->entries[k->nentries++];
    *entry = (cuna_index){.kind = kind, .step = 1};
    k->nselects += kind == CUNA_INDEX_SELECT;
    k->ellipsis = k->ellipsis || kind == CUNA_INDEX_ELLIPSIS;
    return entry;
}

static void add_select(lua_State *L, cuna_lua_key *k, int64_t position)
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
static void add_range(lua_State *L, cuna_lua_key *k)
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

static void add_array(lua_State *L, cuna_lua_key *k)
{
    if (k->narrays < CUNA_LUA_MAX_POSITIONS)
        k->places[k->narrays] = k->nentries;
    k->narrays++;
    add_entry(L, k, CUNA_INDEX_RANGE);
}

/* The entry on top of the stack. */
static void add_value(lua_State *L, const cuna_lua_state *S, cuna_lua_key *k)
{
    cuna_number number;
    if (is_index_array(L, S, lua_gettop(L)))
        add_array(L, k);
    else if (lua_type(L, -1) == LUA_TTABLE)
        add_range(L, k);
    else if (is_tag(L, -1, &newaxis_tag))
        add_entry(L, k, CUNA_INDEX_NEWAXIS);
    else if (is_tag(L, -1, &ellipsis_tag))
        add_entry(L, k, CUNA_INDEX_ELLIPSIS);
    else if (lua_type(L, -1) != LUA_TBOOLEAN && cuna_lua_to_number(L, -1, &number))
        add_select(L, k, cuna_lua_check_integer(L, -1, "index: a position"));
    else
        bad_entry(L, lua_gettop(L));
}

/* One entry per axis, in their order. */
static void parse_table(lua_State *L, const cuna_lua_state *S, int index, cuna_lua_key *k)
{
    int count = (int)lua_objlen(L, index), keys = 0;
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
        add_value(L, S, k);
        lua_pop(L, 1);
    }
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
static void parse_slice(lua_State *L, cuna_lua_key *k, const char *text, const char **at)
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
static void parse_text(lua_State *L, const char *text, cuna_lua_key *k)
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

bool cuna_lua_is_index_text(const char *text)
{
    return (!isalpha((unsigned char)text[0]) && text[0] != '_') || strncmp(text, "newaxis", 7) == 0;
}

void cuna_lua_parse_key(lua_State *L, const cuna_lua_state *S, cuna_lua_key *k)
{
    k->nentries = k->nselects = k->narrays = 0; /* entries beyond nentries are never read */
    k->ellipsis = false;
    if (lua_type(L, 2) == LUA_TTABLE) {
        parse_table(L, S, 2, k);
    } else if (lua_type(L, 2) == LUA_TSTRING) {
        parse_text(L, lua_tostring(L, 2), k);
    } else {
        lua_pushvalue(L, 2);
        add_value(L, S, k);
        lua_pop(L, 1);
    }
}

void cuna_lua_open_key(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)&newaxis_tag);
    lua_setfield(L, -2, "newaxis");
    lua_pushlightuserdata(L, (void *)&ellipsis_tag);
    lua_setfield(L, -2, "ellipsis");
}
