/* small.c: fronts of functions of short vectors, which the host computes itself where it may: a launch takes several
 * times as long.
 *
 * A front serves vectors of a few elements that cuna_array_touch lets it read, and results that are those of the programs
 * of its Lua function, bit for bit: sums add in the same order. It reads all elements before it makes an array: a
 * finalizer may free others meanwhile. Every other call it passes on, as all fronts do (front.c). */
#include "small.h"

#include <math.h>
#include <string.h>

enum { MOST = CUNA_LUA_SHORT };

typedef cuna_lua_vector vector;

bool cuna_lua_read_vector(lua_State *L, const cuna_lua_state *S, vector *v, int index, int64_t most)
{
    const cuna_array *x = cuna_lua_peek_array(S, L, index);
    if (x == NULL || x->buffer == NULL || x->ndim != 1 || x->size < 1 || x->size > most)
        return false;
    v->first = cuna_array_touch(S->context, x, 0);
    v->device = cuna_array_device(x);
    v->dtype = (cuna_dtype)x->dtype;
    v->size = x->size;
    v->stride = cuna_array_strides(x)[0] * cuna_dtype_size(v->dtype);
    return v->first != NULL;
}

static bool is_real(const vector *v)
{
    return cuna_dtype_kind(v->dtype) != 'c';
}

/* ---- results ---- */

static cuna_status create(cuna_array *out, cuna_context *context, const vector *from)
{
    CUNA_TRY(cuna_array_create_on(out, context, from->device, from->dtype, 1, &from->size));
    void *memory = cuna_array_touch_to_write(context, out, 0);
    if (memory == NULL)
        return cuna_array_set(context, out, from->first);
    memcpy(memory, from->first, (size_t)(from->size * from->stride));
    return CUNA_OK;
}

void cuna_lua_push_values(lua_State *L, cuna_lua_state *S, cuna_device *device, cuna_dtype dtype, const void *values,
                          int64_t size)
{
    vector from = {values, device, dtype, size, cuna_dtype_size(dtype)};
    cuna_lua_pace(L, S);
    cuna_array *out = cuna_lua_push_empty(L, S);
    CUNA_LUA_TRY(L, create(out, S->context, &from));
}

/* ---- bincount ---- */

enum { MOST_SLOTS = 1024 };

typedef struct counting {
    vector x, weights;
    bool is_weighted;
    int64_t slots;
} counting;

/* The number of a slot; 0 for numbers that are none, or too large. */
static int64_t slot_of(const cuna_number *number)
{
    int64_t slot = 0;
    if (number->kind == CUNA_NUMBER_INT)
        slot = number->i;
    else if (number->kind == CUNA_NUMBER_BOOL)
        slot = number->b;
    else if (number->kind == CUNA_NUMBER_FLOAT && number->f <= MOST_SLOTS && number->f == floor(number->f))
        slot = (int64_t)fmax(number->f, 0);
    return slot > 0 && slot <= MOST_SLOTS ? slot : 0;
}

static double weight_of(const cuna_number *number)
{
    double slots[2]; /* as many bytes as any number takes */
    cuna_number_store(slots, CUNA_FLOAT64, number);
    return slots[0];
}

/* The least number of slots: an argument, or the only option. */
static bool read_slots(lua_State *L, counting *c, int index)
{
    c->slots = 0;
    if (lua_isnoneornil(L, index))
        return true;
    if (!lua_istable(L, index))
        return cuna_lua_peek_whole(L, index, &c->slots) && c->slots >= 0 && c->slots <= MOST_SLOTS;
    lua_pushnil(L);
    bool is_option = lua_next(L, index) != 0;
    if (!is_option)
        return false;
    is_option = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "minlength") == 0 &&
                !lua_istable(L, -1) && read_slots(L, c, lua_gettop(L));
    lua_pop(L, 1);
    if (is_option && lua_next(L, index) == 0)
        return true;
    lua_settop(L, index);
    return false;
}

static bool read_counting(lua_State *L, const cuna_lua_state *S, counting *c)
{
    int last = lua_gettop(L), place = lua_istable(L, 2) ? 2 : 3;
    if (last > place || !cuna_lua_read_vector(L, S, &c->x, 1, MOST) || !is_real(&c->x) || !read_slots(L, c, place))
        return false;
    c->is_weighted = place == 3 && !lua_isnoneornil(L, 2);
    return !c->is_weighted || (cuna_lua_read_vector(L, S, &c->weights, 2, MOST) && is_real(&c->weights) &&
                               c->weights.size == c->x.size && c->weights.device == c->x.device);
}

/* Finds the slots of all elements; false where one has none. */
static bool find_slots(int64_t *slots, counting *c)
{
    for (int64_t i = 0; i < c->x.size; i++) {
        cuna_number number = cuna_lua_element_of(&c->x, i);
        slots[i] = slot_of(&number);
        if (slots[i] == 0)
            return false;
        c->slots = slots[i] > c->slots ? slots[i] : c->slots;
    }
    return true;
}

static void push_counts(lua_State *L, cuna_lua_state *S, const counting *c, const int64_t *slots)
{
    int64_t counts[MOST_SLOTS];
    memset(counts, 0, (size_t)c->slots * sizeof *counts);
    for (int64_t i = 0; i < c->x.size; i++)
        counts[slots[i] - 1]++;
    cuna_lua_push_values(L, S, c->x.device, CUNA_INT64, counts, c->slots);
}

static void push_sums(lua_State *L, cuna_lua_state *S, const counting *c, const int64_t *slots)
{
    double sums[MOST_SLOTS];
    for (int64_t k = 0; k < c->slots; k++)
        sums[k] = 0;
    for (int64_t i = 0; i < c->x.size; i++) {
        cuna_number weight = cuna_lua_element_of(&c->weights, i);
        sums[slots[i] - 1] += weight_of(&weight);
    }
    cuna_lua_push_values(L, S, c->x.device, CUNA_FLOAT64, sums, c->slots);
}

static bool serve_bincount(lua_State *L, cuna_lua_state *S)
{
    int64_t slots[MOST];
    counting c;
    if (!read_counting(L, S, &c) || !find_slots(slots, &c))
        return false;
    (c.is_weighted ? push_sums : push_counts)(L, S, &c, slots);
    return true;
}

/* ---- convolve, correlate ---- */

enum { MOST_PRODUCTS = 4096, FEWEST_WHOLE = 8 };

/* What moves along what: results first..first + count - 1 of all where the vectors overlap, from 0, are sums of products
 * of `shorter`, from its start on, and the part of `longer` under it. */
typedef struct sliding {
    vector shorter, longer;
    int64_t first, count;
} sliding;

static void reverse(vector *v)
{
    v->first += (v->size - 1) * v->stride;
    v->stride = -v->stride;
}

/* The mode at a stack index, `usual` where there is none: which results there are. */
static bool read_mode(lua_State *L, sliding *s, int index, const char *usual)
{
    int64_t n = s->longer.size, k = s->shorter.size;
    if (!lua_isnoneornil(L, index) && lua_type(L, index) != LUA_TSTRING)
        return false;
    const char *mode = lua_isnoneornil(L, index) ? usual : lua_tostring(L, index);
    if (strcmp(mode, "full") == 0)
        s->first = 0, s->count = n + k - 1;
    else if (strcmp(mode, "same") == 0)
        s->first = k - k / 2 - 1, s->count = n;
    else if (strcmp(mode, "valid") == 0)
        s->first = k - 1, s->count = n - k + 1;
    else
        return false;
    return true;
}

/* Whether the program adds the products of a result one after the other: not where a few results are whole rows. */
static bool is_in_order(const sliding *s)
{
    bool is_whole = s->first >= s->shorter.size - 1 && s->first + s->count <= s->longer.size;
    return !is_whole || s->shorter.size == 1 || s->count >= FEWEST_WHOLE;
}

/* A sum of zeros is -0 where all of them are: beside the ends programs add 0 for what is missing. */
#define SLIDE(name, type)                                                                                    \
    static void name(const sliding *s, char *out, int64_t step)                                              \
    {                                                                                                        \
        const vector *shorter = &s->shorter, *longer = &s->longer;                                           \
        for (int64_t i = s->first; i < s->first + s->count; i++, out += step) {                              \
            int64_t origin = i - (shorter->size - 1), from = origin < 0 ? -origin : 0;                       \
            int64_t to = longer->size - origin < shorter->size ? longer->size - origin : shorter->size;      \
            type sum = to - from == shorter->size ? (type)-0.0 : 0;                                          \
            for (int64_t j = from; j < to; j++)                                                              \
                sum += (type)(*(const type *)(const void *)(shorter->first + j * shorter->stride) *          \
                              *(const type *)(const void *)(longer->first + (origin + j) * longer->stride)); \
            *(type *)(void *)out = sum;                                                                      \
        }                                                                                                    \
    }

SLIDE(slide_float32, float)
SLIDE(slide_float64, double)
SLIDE(slide_whole32, uint32_t)
SLIDE(slide_whole64, uint64_t)

static void (*find_slide(cuna_dtype dtype))(const sliding *, char *, int64_t)
{
    switch (dtype) {
    case CUNA_FLOAT32:
        return slide_float32;
    case CUNA_FLOAT64:
        return slide_float64;
    case CUNA_INT32:
    case CUNA_UINT32:
        return slide_whole32;
    case CUNA_INT64:
    case CUNA_UINT64:
        return slide_whole64;
    default:
        return NULL;
    }
}

/* Serves (a, v, mode). `is_turned`: v is turned around; else the results are where v is longer than a. */
static bool slide(lua_State *L, cuna_lua_state *S, const char *usual, bool is_turned)
{
    uint64_t results[2 * MOST];
    sliding s;
    if (lua_gettop(L) > 3 || !cuna_lua_read_vector(L, S, &s.longer, 1, MOST) ||
        !cuna_lua_read_vector(L, S, &s.shorter, 2, MOST) || s.longer.dtype != s.shorter.dtype ||
        s.longer.device != s.shorter.device || s.longer.size * s.shorter.size > MOST_PRODUCTS)
        return false;
    bool is_moved = s.shorter.size > s.longer.size;
    if (is_moved) {
        vector longer = s.shorter;
        s.shorter = s.longer;
        s.longer = longer;
    }
    void (*run)(const sliding *, char *, int64_t) = find_slide(s.longer.dtype);
    if (run == NULL || !read_mode(L, &s, 3, usual) || !is_in_order(&s))
        return false;
    if (is_turned)
        reverse(&s.shorter);
    int64_t size = cuna_dtype_size(s.longer.dtype), is_back = is_moved && !is_turned;
    run(&s, (char *)results + (is_back ? (s.count - 1) * size : 0), is_back ? -size : size);
    cuna_lua_push_values(L, S, s.longer.device, s.longer.dtype, results, s.count);
    return true;
}

static bool serve_convolve(lua_State *L, cuna_lua_state *S)
{
    return slide(L, S, "full", true);
}

static bool serve_correlate(lua_State *L, cuna_lua_state *S)
{
    return slide(L, S, "valid", false);
}

/* ---- lexsort, argsort ---- */

enum { MOST_SORTED = 64, MOST_KEYS = 4 };

/* Keys as words in the order of their elements. */
typedef struct sorting {
    cuna_device *device;
    int64_t size;
    int count;
    uint64_t words[MOST_KEYS][MOST_SORTED];
} sorting;

/* The word of a number of a dtype's kind. NaN is last, and zeros are equal. */
static uint64_t word_of(const cuna_number *number, char kind)
{
    uint64_t word, sign = (uint64_t)1 << 63;
    double value = number->f == 0 ? 0 : number->f;
    if (kind == 'b')
        return number->b;
    if (kind != 'f')
        return number->u ^ (kind == 'i' ? sign : 0);
    if (isnan(value))
        return UINT64_MAX;
    memcpy(&word, &value, sizeof word);
    return word & sign ? ~word : word | sign;
}

/* Adds the key at a stack index. */
static bool add_key(lua_State *L, const cuna_lua_state *S, sorting *s, int place, int index)
{
    vector v;
    if (place >= MOST_KEYS || !cuna_lua_read_vector(L, S, &v, index, MOST_SORTED) || !is_real(&v) ||
        (s->count > 0 && (v.size != s->size || v.device != s->device)))
        return false;
    s->size = v.size;
    s->device = v.device;
    s->count++;
    for (int64_t i = 0; i < v.size; i++) {
        cuna_number number = cuna_lua_element_of(&v, i);
        s->words[place][i] = word_of(&number, cuna_dtype_kind(v.dtype));
    }
    return true;
}

/* The keys in the table at index 1, whose keys are 1..n. */
static bool read_keys(lua_State *L, const cuna_lua_state *S, sorting *s)
{
    int64_t place = 0, last = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        bool is_place = cuna_lua_peek_whole(L, -2, &place) && place >= 1 && place <= MOST_KEYS;
        if (!is_place || !add_key(L, S, s, (int)place - 1, lua_gettop(L))) {
            lua_pop(L, 2);
            return false;
        }
        last = place > last ? place : last;
    }
    return last > 0 && last == s->count;
}

static bool is_plain_table(lua_State *L, int index)
{
    bool has_metatable = lua_getmetatable(L, index) != 0;
    if (has_metatable)
        lua_pop(L, 1);
    return !has_metatable && lua_istable(L, index);
}

/* Whether element a comes before b by the last key in which they differ. */
static bool is_before(const sorting *s, int64_t a, int64_t b)
{
    for (int k = s->count - 1; k >= 0; k--)
        if (s->words[k][a] != s->words[k][b])
            return s->words[k][a] < s->words[k][b];
    return false;
}

/* Pushes the positions that sort: each is inserted behind those that it does not come before. */
static void push_order(lua_State *L, cuna_lua_state *S, const sorting *s)
{
    int64_t order[MOST_SORTED];
    for (int64_t i = 0; i < s->size; i++) {
        int64_t low = 0, high = i;
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (is_before(s, i, order[middle] - 1))
                high = middle;
            else
                low = middle + 1;
        }
        memmove(&order[low + 1], &order[low], (size_t)(i - low) * sizeof *order);
        order[low] = i + 1;
    }
    cuna_lua_push_values(L, S, s->device, CUNA_INT64, order, s->size);
}

static bool serve_lexsort(lua_State *L, cuna_lua_state *S)
{
    sorting s;
    s.count = 0;
    if (lua_gettop(L) != 1 || !is_plain_table(L, 1) || !read_keys(L, S, &s))
        return false;
    push_order(L, S, &s);
    return true;
}

static bool serve_argsort(lua_State *L, cuna_lua_state *S)
{
    sorting s;
    s.count = 0;
    if (lua_gettop(L) != 1 || !add_key(L, S, &s, 0, 1))
        return false;
    push_order(L, S, &s);
    return true;
}

/* ---- fronts ---- */

/* As small.h says of those that stand in other files. */
static const struct cuna_lua_small {
    const char *name;
    bool (*serve)(lua_State *L, cuna_lua_state *S);
} smalls[] = {{"argsort", serve_argsort},
              {"bincount", serve_bincount},
              {"convolve", serve_convolve},
              {"correlate", serve_correlate},
              {"lexsort", serve_lexsort},
              {"linalg.inv", cuna_lua_serve_inv},
              {"linalg.solve", cuna_lua_serve_solve},
              {"signal.lfilter", cuna_lua_serve_lfilter}};

int cuna_lua_front_small(lua_State *L)
{
    cuna_lua_state *S = lua_touserdata(L, lua_upvalueindex(1));
    const cuna_lua_small *small = lua_touserdata(L, lua_upvalueindex(3));
    return small->serve(L, S) ? 1 : cuna_lua_pass_on(L);
}

const cuna_lua_small *cuna_lua_find_small(const char *name)
{
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++)
        if (strcmp(smalls[i].name, name) == 0)
            return &smalls[i];
    return NULL;
}
