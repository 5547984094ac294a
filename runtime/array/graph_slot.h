/* graph_slot.h: arrays of a graph in whose place a launch may use others, and the recorded launches that have their
 * addresses. */
#ifndef CUNA_ARRAY_GRAPH_SLOT_H
#define CUNA_ARRAY_GRAPH_SLOT_H

#include "array/value.h"
#include "cuna.h"

/* A word of a launch's arguments that is an address in an array. */
typedef struct cuna_graph_address {
    int word;
    const cuna_array *array;
} cuna_graph_address;

struct cuna_graph_launch;
struct cuna_graph_known;
struct cuna_graph_slot;

/* Zeros at first. */
typedef struct cuna_graph_slots {
    struct cuna_graph_known *known; /* lives of values that work uses, in the order of their first uses */
    struct cuna_graph_launch *launches;
    struct cuna_graph_slot *slots;
    int nknown, known_capacity, nlaunches, launches_capacity, nslots;
} cuna_graph_slots;

/* Notes that recorded work, which comes next, uses a value of the graph's own memory. MEMORY. */
cuna_status cuna__graph_slots_use(cuna_graph_slots *s, cuna_value *value, cuna_use use);

/* Notes a launch that was just recorded. MEMORY. */
cuna_status cuna__graph_slots_note(cuna_graph_slots *s, cuna_stream *stream, cu_function function, unsigned blocks,
                                   int nwords, const int64_t *words, int naddresses,
                                   const cuna_graph_address *addresses);

/* cuna_graph_expose, of an array of the graph's own memory. */
cuna_status cuna__graph_slots_add(int *slot, cuna_graph_slots *s, const cuna_array *array, bool is_result);

/* Whether setting the launches of a slot to an array, which fits otherwise, costs less than a copy. */
bool cuna__graph_slots_suit(cuna_graph_slots *s, int slot, const cuna_array *array);

/* Lets launches of `exec` use arrays from now on: the graph's own where arrays[i] is NULL, or i >= count. DEVICE. */
cuna_status cuna__graph_slots_set(cuna_graph_slots *s, cuna_device *device, cu_graph_exec exec, int count,
                                  const cuna_array *const *arrays);

void cuna__graph_slots_free(cuna_graph_slots *s);

#endif
