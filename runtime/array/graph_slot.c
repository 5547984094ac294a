/* graph_slot.c: addresses in a graph's launches, which each replay may set.
 *
 * A graph whose memory is its own knows of each launch of a built-in kernel which words of its arguments are addresses,
 * and in which values. For an array in such a value a replay may use another one: the words are written again, and the
 * node gets them. That is exact, not a search for numbers that look like addresses. Where work uses a value in another
 * way (a library, a copy), it has no slot.
 *
 * Values come and go during a capture, and a new one may have the address of an old one, as may its memory. So what is
 * noted belongs to a life: the first use of a value after it was made begins one (`is_noted`). A value with a slot is in
 * use at the capture's end, and its life is the last one of its address. */
#include "array/graph_slot.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"

/* A node costs the host about a microsecond to set, a copy several, and the device 1 MiB as long again. */
#define FEW_PATCHES  4
#define PATCH_NBYTES ((int64_t)1 << 20)
#define ALIGN        64 /* at least what kernels were chosen for: memory of pools has it */

struct cuna_graph_known {
    const cuna_value *value;
    bool changes, hides;
};

/* An address: where it is, and in which life. */
typedef struct place {
    int word, known;
} place;

struct cuna_graph_launch {
    cu_graph_node node;
    cu_function function;
    unsigned blocks;
    bool stale; /* the words are not those that the node has */
    int nplaces;
    int64_t *words; /* the places follow them */
    place *places;
};

/* A word that follows a slot, so far behind the array's address. */
typedef struct patch {
    int launch, word;
    int64_t offset;
} patch;

struct cuna_graph_slot {
    cu_deviceptr own, set, last; /* the graph's memory; what the words have; what was asked for last */
    int64_t nbytes;
    int npatches;
    patch *patches;
};

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a graph");
}

/* Makes room for one more item. */
static cuna_status grow(void **items, int *capacity, int count, size_t nbytes)
{
    if (count < *capacity)
        return CUNA_OK;
    int wanted = *capacity * 2 + 16;
    void *grown = realloc(*items, (size_t)wanted * nbytes);
    if (grown == NULL)
        return no_memory();
    *items = grown;
    *capacity = wanted;
    return CUNA_OK;
}

/* ---- what is recorded ---- */

/* The life that a value is in; -1: nothing has used it. */
static int find_known(const cuna_graph_slots *s, const cuna_value *value)
{
    int i = value->is_noted ? s->nknown - 1 : -1;
    while (i >= 0 && s->known[i].value != value)
        i--;
    return i;
}

cuna_status cuna__graph_slots_use(cuna_graph_slots *s, cuna_value *value, cuna_use use)
{
    int i = find_known(s, value);
    if (i < 0) {
        CUNA_TRY(grow((void **)&s->known, &s->known_capacity, s->nknown, sizeof *s->known));
        i = s->nknown++;
        s->known[i] = (struct cuna_graph_known){.value = value};
        value->is_noted = true;
    }
    s->known[i].changes |= use == CUNA_USE_CHANGES;
    s->known[i].hides |= use == CUNA_USE_HIDES;
    return CUNA_OK;
}

/* The node of what the stream was given last; NULL where the driver does not tell. */
static cu_graph_node find_node(cuna_stream *stream)
{
    int state = CU_STREAM_CAPTURE_STATUS_NONE;
    const cu_graph_node *last = NULL;
    size_t count = 0;
    cu_result result =
        stream->device->driver->stream_get_capture_info(stream->handle, &state, NULL, NULL, &last, &count);
    return result == CU_SUCCESS && state == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1 ? last[0] : NULL;
}

static cuna_status copy_words(struct cuna_graph_launch *launch, const cuna_graph_slots *s, int nwords,
                              const int64_t *words, int naddresses, const cuna_graph_address *addresses)
{
    size_t nbytes = (size_t)nwords * sizeof *words;
    launch->words = malloc(nbytes + (size_t)naddresses * sizeof *launch->places);
    if (launch->words == NULL)
        return no_memory();
    memcpy(launch->words, words, nbytes);
    launch->places = (place *)(launch->words + nwords);
    for (int i = 0; i < naddresses; i++) {
        int known = find_known(s, addresses[i].array->buffer->value);
        if (known >= 0)
            launch->places[launch->nplaces++] = (place){addresses[i].word, known};
    }
    return CUNA_OK;
}

cuna_status cuna__graph_slots_note(cuna_graph_slots *s, cuna_stream *stream, cu_function function, unsigned blocks,
                                   int nwords, const int64_t *words, int naddresses,
                                   const cuna_graph_address *addresses)
{
    CUNA_TRY(grow((void **)&s->launches, &s->launches_capacity, s->nlaunches, sizeof *s->launches));
    struct cuna_graph_launch *launch = &s->launches[s->nlaunches];
    *launch = (struct cuna_graph_launch){.node = find_node(stream), .function = function, .blocks = blocks};
    CUNA_TRY(copy_words(launch, s, nwords, words, naddresses, addresses));
    s->nlaunches++;
    for (int i = 0; i < launch->nplaces; i++)
        s->known[launch->places[i].known].hides |= launch->node == NULL;
    return CUNA_OK;
}

/* ---- slots ---- */

static int count_patches(const cuna_graph_slots *s, int known)
{
    int count = 0;
    for (int i = 0; i < s->nlaunches; i++)
        for (int k = 0; k < s->launches[i].nplaces; k++)
            count += s->launches[i].places[k].known == known;
    return count;
}

static void fill_patches(struct cuna_graph_slot *slot, const cuna_graph_slots *s, int known)
{
    for (int i = 0; i < s->nlaunches; i++) {
        const struct cuna_graph_launch *launch = &s->launches[i];
        for (int k = 0; k < launch->nplaces; k++) {
            int word = launch->places[k].word;
            if (launch->places[k].known == known)
                slot->patches[slot->npatches++] = (patch){i, word, launch->words[word] - (int64_t)slot->own};
        }
    }
}

static bool is_cheap(int64_t nbytes, int npatches)
{
    return npatches <= FEW_PATCHES || nbytes / npatches >= PATCH_NBYTES;
}

static cuna_status add(int *number, cuna_graph_slots *s, const cuna_array *array, int known, int npatches)
{
    const cuna_value *value = array->buffer->value;
    struct cuna_graph_slot *grown = realloc(s->slots, (size_t)(s->nslots + 1) * sizeof *grown);
    patch *patches = malloc((size_t)(npatches + 1) * sizeof *patches);
    if (grown != NULL)
        s->slots = grown;
    if (grown == NULL || patches == NULL) {
        free(patches);
        return no_memory();
    }
    struct cuna_graph_slot *slot = &s->slots[s->nslots];
    *slot = (struct cuna_graph_slot){
        .own = value->ptr, .set = value->ptr, .last = value->ptr, .nbytes = value->nbytes, .patches = patches};
    fill_patches(slot, s, known);
    *number = s->nslots++;
    return CUNA_OK;
}

/* Whether an array has all elements of its memory in row-major order. */
static bool is_whole(const cuna_array *array)
{
    return (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0 && array->size > 0 && array->offset == 0 &&
           array->size * cuna_dtype_size(array->dtype) == array->buffer->value->nbytes;
}

cuna_status cuna__graph_slots_add(int *slot, cuna_graph_slots *s, const cuna_array *array, bool is_result)
{
    *slot = -1;
    int known = is_whole(array) ? find_known(s, array->buffer->value) : -1;
    if (!is_whole(array) || (is_result && known < 0))
        return CUNA_OK;
    if (known >= 0 && (s->known[known].hides || (s->known[known].changes && !is_result)))
        return CUNA_OK;
    int npatches = count_patches(s, known);
    return is_result && !is_cheap(array->buffer->value->nbytes, npatches) ? CUNA_OK
                                                                          : add(slot, s, array, known, npatches);
}

/* An array that was the last one, too, may stay: then nothing is set. */
bool cuna__graph_slots_suit(cuna_graph_slots *s, int number, const cuna_array *array)
{
    struct cuna_graph_slot *slot = &s->slots[number];
    cu_deviceptr at = cuna__array_data(array);
    bool again = at == slot->last;
    slot->last = at;
    return (array->flags & CUNA_ARRAY_CONTIGUOUS) != 0 && at % ALIGN == 0 &&
           array->size * cuna_dtype_size(array->dtype) == slot->nbytes &&
           (again || is_cheap(slot->nbytes, slot->npatches));
}

/* ---- launching ---- */

static void move(cuna_graph_slots *s, struct cuna_graph_slot *slot, cu_deviceptr to)
{
    for (int i = 0; i < slot->npatches && slot->set != to; i++) {
        const patch *p = &slot->patches[i];
        s->launches[p->launch].words[p->word] = (int64_t)to + p->offset;
        s->launches[p->launch].stale = true;
    }
    slot->set = to;
}

static cuna_status renew(struct cuna_graph_launch *launch, cuna_device *device, cu_graph_exec exec)
{
    void *params[] = {launch->words};
    const cu_kernel_node_params set = {.function = launch->function,
                                       .grid_x = launch->blocks,
                                       .grid_y = 1,
                                       .grid_z = 1,
                                       .block_x = (unsigned)device->driver->facts.lanes,
                                       .block_y = 1,
                                       .block_z = 1,
                                       .params = params};
    CUNA_TRY(cuna__device_check(device, device->driver->graph_exec_kernel_node_set_params(exec, launch->node, &set),
                                "cuGraphExecKernelNodeSetParams"));
    launch->stale = false;
    return CUNA_OK;
}

/* A node that could not be set stays stale, and the next launch sets it. */
cuna_status cuna__graph_slots_set(cuna_graph_slots *s, cuna_device *device, cu_graph_exec exec, int count,
                                  const cuna_array *const *arrays)
{
    for (int i = 0; i < s->nslots; i++) {
        bool is_given = i < count && arrays[i] != NULL;
        move(s, &s->slots[i], is_given ? cuna__array_data(arrays[i]) : s->slots[i].own);
    }
    for (int i = 0; i < s->nlaunches && s->nslots > 0; i++)
        if (s->launches[i].stale)
            CUNA_TRY(renew(&s->launches[i], device, exec));
    return CUNA_OK;
}

void cuna__graph_slots_free(cuna_graph_slots *s)
{
    for (int i = 0; i < s->nlaunches; i++)
        free(s->launches[i].words);
    for (int i = 0; i < s->nslots; i++)
        free(s->slots[i].patches);
    free(s->launches);
    free(s->known);
    free(s->slots);
}
