/* state.h: data of one lua_State; private to bindings/. */
#ifndef CUNA_BINDINGS_STATE_H
#define CUNA_BINDINGS_STATE_H

#include <stdio.h>

#include "lua_cuna.h"

#define CUNA_MAX_ROW_ARGUMENTS 4
#define CUNA_MAX_ROW_RESULTS   4
#define CUNA_LUA_MAX_POSITIONS 4 /* indexed axes of one program (MOST, lua/cuna/gather.lua) */

/* How the operands of a call map to a program; looked up by the key of make_key (operation.c). */
typedef struct cuna_lua_plan {
    uint64_t key;
    const cuna_program *program;
    uint8_t arg_dtype[CUNA_MAX_ROW_ARGUMENTS];
    uint8_t result_dtype[CUNA_MAX_ROW_RESULTS];
    uint8_t nresults;
} cuna_lua_plan;

/* An elementwise operation as Lua declared it. */
typedef struct cuna_lua_row {
    struct cuna_lua_state *S;
    char name[48];
    uint16_t id;
    uint8_t nargs, nresults;
    bool compares;                 /* a weak integer outside the other operand's dtype is compared exactly */
    uint8_t booleans;              /* bit k: argument k may be a Lua boolean */
    double shortcut_number;        /* if the second operand is this number, */
    struct cuna_lua_row *shortcut; /* this row of one operand is used (NULL: none) */
    struct cuna_lua_row *next;
} cuna_lua_row;

/* A reduction as its front sees it (fold.c). */
typedef struct cuna_lua_fold {
    char name[32], title[32];                 /* title: in messages; an alias has that of its row */
    uint32_t known;                           /* bit: Lua was asked about the dtype */
    const cuna_program *program[CUNA_DTYPES]; /* NULL: the front does not serve the dtype */
    int keepdims;                             /* the place of this argument, which is the last one */
    bool decides;                             /* without axis and keepdims the result is a Lua boolean */
    struct cuna_lua_fold *next;
} cuna_lua_fold;

typedef struct cuna_lua_state {
    cuna_context *context;
    lua_State *caller;      /* of the function that makes an array */
    const void *array_meta; /* the address of the arrays' metatable */
    int array_meta_ref;     /* and its reference in the registry: one call to push it */
    uint32_t array_mark;    /* of arrays until they are finalized: to find it costs half of what the metatable costs */
    cuna_lua_row *rows;
    uint16_t nrows;
    cuna_lua_fold *folds;
    const cuna_program **accesses;   /* of keys with arrays; NULL: there was none yet (fetch.c) */
    const cuna_program *progression; /* of whole numbers; NULL: Lua was not asked yet (create.c) */
    cuna_lua_plan *plans;            /* open addressing, a power of two of slots */
    uint32_t nplans, plan_slots;
    int64_t garbage_marks[CUNA_MAX_DEVICES];             /* pacing: cuna_device_judge_garbage */
    double collected_at_s, collect_cost_s, collecting_s; /* end of the last one, its cost, the cost of all */
    double next_cost_s, next_heap_s; /* expected of the next one, and its part that is not freeing garbage */
    double garbage_patience;         /* GiB of garbage on a GPU that are not too big, from 1 on */
    int64_t collections, needed_collections, collected_nbytes, alive_nbytes; /* alive at the end of the last one */
    int patience; /* calls of cuna_lua_pace before it looks at the clock again */
    bool collecting;
    cuna_dtype default_dtype;             /* of floats that no operand forces */
    bool scoped;                          /* a scope is open; new arrays are listed in it */
    struct cuna_lua_callbacks *callbacks; /* callbacks of streams; NULL: none was requested (waiting.c) */
    struct cuna_lua_listening *listening; /* pending events for the memory hook; NULL: no hook yet (trace.c) */
    char home[512];                       /* folder of cuna's Lua files, which error places skip */
} cuna_lua_state;

/* Values kept in the state's table in the registry. */
typedef enum cuna_lua_slot {
    CUNA_SLOT_STATE = 1,
    CUNA_SLOT_ARRAY_META,
    CUNA_SLOT_DEVICE_META,
    CUNA_SLOT_SHAPE_META,
    CUNA_SLOT_METHODS,
    CUNA_SLOT_GETTERS,
    CUNA_SLOT_FREED,       /* weak: freed array -> where */
    CUNA_SLOT_SCOPE,       /* the open scope */
    CUNA_SLOT_RESOLVE,     /* function(row name, dtype, types...) */
    CUNA_SLOT_FOLD,        /* function(row name, dtype) -> what resolve of fold.c reads */
    CUNA_SLOT_ACCESS,      /* function(access, dtype, dtype of the arrays, their number) -> program (fetch.c) */
    CUNA_SLOT_PROGRESSION, /* function() -> the program of whole numbers (create.c) */
    CUNA_SLOT_CDATA_READ,  /* function(cdata) -> kind, halves or parts */
    CUNA_SLOT_CDATA_MAKE,  /* function(kind, bytes or parts) -> cdata */
    CUNA_SLOT_MISSING,     /* function(array, name): raises for an unknown field */
    CUNA_SLOT_SELF,        /* function(name, ...): raises for a method that got no array before its arguments */
    CUNA_SLOT_DEVICES,     /* address of a device -> its object */
    CUNA_SLOT_ASSIGN,      /* function(array, key, value) for advanced indices */
    CUNA_SLOT_STREAM_META,
    CUNA_SLOT_STREAMS, /* weak: address of a stream -> its object */
    CUNA_SLOT_EVENT_META,
    CUNA_SLOT_CURAND_META, /* of cuRAND's generators */
    CUNA_SLOT_GRAPH_META,
    CUNA_SLOT_ALLOCATOR_META,
    CUNA_SLOT_ALLOCATORS,   /* kind + 1 -> the shared pool */
    CUNA_SLOT_ALLOCATOR,    /* the pool that new arrays get their memory from; nil: the default one */
    CUNA_SLOT_MEMORY_HOOK,  /* function(event), called for memory; nil: none */
    CUNA_SLOT_CAPSULE_META, /* of tensors being exported */
    CUNA_SLOT_MEMORY_ERROR, /* the hook's error, when it could not be raised */
    CUNA_SLOT_INTERRUPT,    /* a Lua thread for setting hooks in a signal handler */
} cuna_lua_slot;

/* The state. cuna's C functions have it as their first upvalue, a light userdata, for fast access. The first upvalue of
 * other functions must not be a light userdata. */
cuna_lua_state *cuna_lua_get_state(lua_State *L);

/* Adds functions, with the state as their upvalue, to the table on top of the stack. */
void cuna_lua_register(lua_State *L, const luaL_Reg *functions);

/* An array field implemented in C: pushes one value, or returns a number, -1 for a freed array. A light userdata in the
 * getters' table points to it. */
typedef struct cuna_lua_getter {
    const char *name;
    void (*get)(lua_State *L, const cuna_array *array);
    double (*number)(const cuna_array *array);
} cuna_lua_getter;

/* Clears the cache of plans, and the programs of folds, because the default dtype changed (operation.c, fold.c). */
void cuna_lua_forget_plans(cuna_lua_state *S);
void cuna_lua_forget_folds(cuna_lua_state *S);

/* ---- output.c ---- */

/* Rejects a table of outputs, on top of the stack, that has none, too many, or keys other than 1..n. */
void cuna_lua_check_outs(lua_State *L, int nresults, const char *name);

/* ---- object.c ---- */

/* Whether the value at a stack index has a function `__cuna_function` in its metatable: it computes operations itself. */
bool cuna_lua_is_object(lua_State *L, int index);

/* Raises for an object at a stack index beside an array that the method name_ is to write to. */
int cuna_lua_refuse_object(lua_State *L, int index, const char *name);

/* For a call of an operation (an upvalue is its row) with a table at a stack index: if that has a function of the name
 * `handler` in its metatable, calls it with the operation's name and all arguments, which are all that is on the stack,
 * and returns the number of its results; else -1. */
int cuna_lua_call_object(lua_State *L, int index, const char *handler);

/* ---- front.c ---- */

/* Calls the Lua function of a front with the arguments of the front, which are all that is on the stack; returns the
 * number of its results. */
int cuna_lua_pass_on(lua_State *L);

/* A whole Lua number at a stack index, of at most 2^53; false for other values. */
bool cuna_lua_peek_whole(lua_State *L, int index, int64_t *value);

/* Whole numbers at stack indices `first` to `last`, or in the only table there. Returns their count, at most
 * CUNA_MAX_NDIM; -1 for other values. */
int cuna_lua_peek_list(lua_State *L, int first, int last, int64_t *values);

/* The fold of a name; NULL if there is none (fold.c). */
cuna_lua_fold *cuna_lua_find_fold(cuna_lua_state *S, const char *name);

/* What the creating function of a name makes; NULL if it has no front (create.c). */
typedef struct cuna_lua_creation cuna_lua_creation;
const cuna_lua_creation *cuna_lua_find_creation(const char *name);

/* The function of a name that makes whole numbers which are evenly spaced; NULL if it has no front (create.c). */
typedef struct cuna_lua_progression cuna_lua_progression;
const cuna_lua_progression *cuna_lua_find_progression(const char *name);

/* The function of a name that short vectors have a front of; NULL if there is none (small.c). */
typedef struct cuna_lua_small cuna_lua_small;
const cuna_lua_small *cuna_lua_find_small(const char *name);

int cuna_lua_front_fold(lua_State *L);
int cuna_lua_front_create(lua_State *L);
int cuna_lua_front_progression(lua_State *L);
int cuna_lua_front_small(lua_State *L);
int cuna_lua_front_reshape(lua_State *L);
int cuna_lua_front_transpose(lua_State *L);

/* Pushes a slot of the state's table. */
void cuna_lua_push_slot(lua_State *L, cuna_lua_slot slot);

/* Moves the value on top of the stack into a slot. */
void cuna_lua_set_slot(lua_State *L, cuna_lua_slot slot);

/* The userdata at an index whose metatable is in a slot; NULL for other values. */
void *cuna_lua_to_object(lua_State *L, int index, cuna_lua_slot metatable);

/* The same for a metatable made by luaL_newmetatable. Metamethods check self with one of these two: scripts can get
 * them with getmetatable and call them with any value. */
void *cuna_lua_to_userdata(lua_State *L, int index, const char *type);

/* Pushes a userdata of zeros, whose metatable has only a finalizer: what a call has meanwhile. */
void *cuna_lua_push_holder(lua_State *L, size_t nbytes, const char *type, lua_CFunction finalize);

/* Pushes a copy of the elements 1..n of the table at an index and returns n. It anchors values that C points to: a
 * finalizer or memory hook that runs meanwhile may empty the caller's list. */
int cuna_lua_push_list(lua_State *L, int index);

/* Fills a slot with a table whose keys ("k") or values ("v") are weak. */
void cuna_lua_make_weak_table(lua_State *L, cuna_lua_slot slot, const char *mode);

bool cuna_lua_has_array_meta(const cuna_lua_state *S, lua_State *L, int index);

/* The array at an index, or NULL; does not raise for freed ones. */
static inline cuna_array *cuna_lua_peek_array(const cuna_lua_state *S, lua_State *L, int index)
{
    cuna_array *array = lua_touserdata(L, index);
    if (array == NULL)
        return NULL;
    bool is_marked = lua_objlen(L, index) == sizeof *array && array->mark == S->array_mark;
    if (!is_marked && !cuna_lua_has_array_meta(S, L, index))
        return NULL;
    if (CUNA_HIDES_CONTENT)
        cuna_array_hide(array);
    return array;
}

/* Runs a collection when enough memory was allocated since the last one. Called when L makes an array, which is noted. */
void cuna_lua_pace(lua_State *L, cuna_lua_state *S);

/* Adds the array on top of the stack to the open scope; one must be open. */
void cuna_lua_enlist(lua_State *L);

/* The number of arrays that this thread's collector has freed. */
extern _Thread_local int64_t cuna_lua_collected;

/* Pushes the text that follows "was freed" in messages: " at ", the user's line, and the cause. */
void cuna_lua_push_freeing(lua_State *L, const char *cause);

/* Frees the array at `index`; the text at `place` (of cuna_lua_push_freeing) is kept for errors of later uses. */
void cuna_lua_free_array(lua_State *L, int index, int place);

/* Pushes an empty array userdata of a state. */
cuna_array *cuna_lua_push_empty(lua_State *L, cuna_lua_state *S);

/* Pushes a vector of these values, which lie side by side on the host (small.c). */
void cuna_lua_push_values(lua_State *L, cuna_lua_state *S, cuna_device *device, cuna_dtype dtype, const void *values,
                          int64_t size);

/* The offset, in elements, of the element that the key at stack index 2 selects; false for keys that index.c must
 * parse. */
bool cuna_lua_find_element(lua_State *L, const cuna_array *array, int64_t *offset);

/* Pushes x[position] of the array at stack index 1, an element or a row; false for keys that index.c must parse. */
bool cuna_lua_push_at(lua_State *L, cuna_lua_state *S, const cuna_array *array, double position);

/* Pushes the element `offset` elements from the array's first. */
void cuna_lua_read_element(lua_State *L, const cuna_lua_state *S, const cuna_array *array, int64_t offset);

/* Raises the error that the array at index, an argument of `what`, was freed, and where. */
int cuna_lua_fail_freed(lua_State *L, int index, const char *what);

/* Pushes an array made of the value at index (a number, boolean, nested table or array) on `device` (NULL: current) in
 * `dtype` (CUNA_DTYPES: inferred); `what` names it in errors. An array on the device in the dtype is pushed
 * unchanged. */
cuna_array *cuna_lua_as_array(lua_State *L, int index, cuna_dtype dtype, cuna_device *device, const char *what);

/* Whether the table at index holds options: only string keys, at least one. A mixture raises. */
bool cuna_lua_is_options(lua_State *L, int index, const char *what);

/* Pushes a view of the array at `index` over the geometry. */
cuna_array *cuna_lua_push_view(lua_State *L, int index, cuna_dtype dtype, const cuna_geometry *geometry);

/* Pushes the row of `src`, the array at `index` (positive), at a position of its first axis, from 0 and in range. */
void cuna_lua_push_row(lua_State *L, cuna_lua_state *S, int index, const cuna_array *src, int64_t place);

/* Reads an axis (from 1, negative from the end) and returns it counted from 0; raises with `what` otherwise. */
int cuna_lua_check_axis(lua_State *L, int index, int ndim, const char *what);

/* Pushes the device object of a device. */
void cuna_lua_push_device(lua_State *L, cuna_device *device);

/* Reads a device object or name; raises otherwise. */
cuna_device *cuna_lua_check_device(lua_State *L, int index, const char *what);

/* The same, or the device of an array; for values that Lua code of cuna passes. */
cuna_device *cuna_lua_place_at(lua_State *L, int index, const char *what);

/* The address of the mark for reports of one launch of the operation `what`; on an asynchronous device with the user's
 * line. */
uint64_t cuna_lua_report_mark(lua_State *L, cuna_device *device, const char *what);

/* The stream, or event, of an object at a stack index; raises "what: ..." for other values and for a freed one. */
cuna_stream *cuna_lua_check_stream(lua_State *L, int index, const char *what);
cuna_event *cuna_lua_check_event(lua_State *L, int index, const char *what);

/* The texture or surface object of a userdata at a stack index, NULL for other values; raises "what: ..." for a freed
 * one. */
const cuna_texture *cuna_lua_to_texture(lua_State *L, int index, const char *what);

/* The allocator of a pool object; raises for other values. */
cuna_allocator *cuna_lua_check_pool(lua_State *L, int index, const char *what);

/* Runs the queued Lua callbacks of streams after a wait, when they can no longer affect values held in C: they may do
 * anything. Their errors propagate. Returns the number of callbacks. */
int cuna_lua_run_callbacks(lua_State *L);

/* Releases the state's reference to its queue of callbacks. */
void cuna_lua_leave_callbacks(cuna_lua_state *S);

/* Removes the state's memory hook. */
void cuna_lua_leave_listening(cuna_lua_state *S);

/* Pushes a table of the memory statistics of a pool and its device. */
void cuna_lua_push_memory(lua_State *L, const cuna_memory_stats *stats);

/* Reads the source and line of a frame, and returns whether it is a Lua function outside cuna's files. */
bool cuna_lua_is_users(lua_State *L, const cuna_lua_state *S, lua_Debug *frame);

/* The frame of the user's place, with short_src and currentline; false if there is none. */
bool cuna_lua_find_place(lua_State *L, const cuna_lua_state *S, lua_Debug *frame);

/* cuna_lua_push_place for a hook, which has no upvalues from which to get the state. */
bool cuna_lua_push_place_of(lua_State *L, const cuna_lua_state *S);

/* Installs a SIGINT handler that wraps the program's, if there is one and it is not ours; removes it before the state
 * is closed. */
void cuna_lua_watch_interrupts(lua_State *L, const cuna_lua_state *S);
void cuna_lua_leave_interrupts(const cuna_lua_state *S);

/* Raises "script.lua:12: interrupted!", which completes the interruption. */
int cuna_lua_interrupt(lua_State *L, const cuna_lua_state *S);

/* The stream of a file that is open (file.c). */
FILE *cuna_lua_check_file(lua_State *L, int index);

/* The bytes of a spooled file, followed by a NUL, which the file keeps alive (file.c). */
const char *cuna_lua_check_spooled(lua_State *L, int index, size_t *nbytes);

/* The parts of cuna.core, in open.c's order. Each adds its functions to the table on top of the stack. */
#define CUNA_LUA_PARTS(X)                                                                                             \
    X(state) X(fetch) X(number) X(memory) X(device) X(stream) X(event) X(curand) X(dlpack) X(file) X(waiting)         \
        X(gather) X(graph) X(allocator) X(element) X(index) X(key) X(interrupt) X(array) X(convert) X(create) X(draw) \
            X(fold) X(front) X(operation) X(pointer) X(program) X(raw) X(engine) X(record) X(replay) X(shapes)        \
                X(output) X(join) X(lapack) X(matmul) X(fft) X(comm) X(comm_device) X(columns) X(text) X(texture)     \
                    X(trace) X(view)

#define DECLARE_OPEN(part) void cuna_lua_open_##part(lua_State *L);
CUNA_LUA_PARTS(DECLARE_OPEN)
#undef DECLARE_OPEN

/* The field T: pushes the view with the axes in reverse order (view.c). */
void cuna_lua_push_reversed(lua_State *L, const cuna_array *array);

/* __index and __newindex of arrays (index.c). */
int cuna_lua_array_index(lua_State *L);
int cuna_lua_array_newindex(lua_State *L);

#endif
