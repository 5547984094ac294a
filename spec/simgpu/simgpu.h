/* simgpu.h: a GPU made of the cpu device, behind libraries named as CUDA's; for specs only.
 *
 * It behaves as the real driver does and is hostile on purpose: device memory is closed to the host, work waits in
 * queues until something forces it, and any row can be made to fail. One lock guards everything; it is held while work
 * runs and let go only while a host function runs. */
#ifndef SIMGPU_H
#define SIMGPU_H

#include <setjmp.h>

#include "cpu/execute/capture.h"
#include "cpu/execute/enqueue.h"
#include "cpu/execute/module.h"
#include "cuda/blas_lt.h"
#include "cuda/lapack.h"
#include "cuda/rand.h"
#include "seam/blas.h"
#include "seam/dft.h"
#include "seam/driver.h"
#include "seam/nccl.h"
#include "services_sim.h"

#define SIMGPU_MAX_DEVICES 8
#define SIMGPU_LANES       256
#define SIMGPU_MAX_PARAMS  256 /* of a raw kernel */
#define SIMGPU_MAGIC       "SIMGPU\1\n"

#define SIMGPU_PUBLIC __attribute__((visibility("default")))

/* All rows: the driver's, and those of the libraries beside it. */
#define SIMGPU_ROWS(X)        \
    CUNA_DRIVER_ROWS(X)       \
    CUNA_CUBLAS_ROWS(X)       \
    CUNA_CUBLAS_STACK_ROWS(X) \
    CUNA_CUBLASLT_ROWS(X)     \
    CUNA_CUSOLVER_ROWS(X)     \
    CUNA_CURAND_ROWS(X)       \
    CUNA_DFT_ROWS(X)          \
    CUNA_NCCL_ROWS(X)

#define ROW(symbol, field, parameters) SIMGPU_PUBLIC cu_result simgpu__row_##field parameters __asm__(symbol);
SIMGPU_ROWS(ROW)
#undef ROW

enum simgpu_row {
#define ROW(symbol, field, parameters) SIMGPU_ROW_##field,
    SIMGPU_ROWS(ROW)
#undef ROW
        SIMGPU_NROWS
};

/* Values that the runtime does not test, and seam/driver.h therefore does not define; the numbers are cuda.h's and
 * nvrtc.h's. */
enum {
    SIMGPU_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    SIMGPU_ERROR_NOT_PERMITTED = 800,
    NVRTC_SUCCESS = 0,
    NVRTC_OUT_OF_MEMORY = 1,
    NVRTC_INVALID_INPUT = 3,
    NVRTC_INVALID_PROGRAM = 4,
    NVRTC_INVALID_OPTION = 5,
    NVRTC_COMPILATION = 6,
    NVRTC_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_CANCELLED = 16,
};

/* ---- handles.c: which handles there are; their memory is kept for ever, so that stale ones are known as such ---- */

enum simgpu_kind {
    SIMGPU_ALLOCATIONS, /* counted by memory.c, as are the next */
    SIMGPU_PINNED,
    SIMGPU_STREAMS,
    SIMGPU_EVENTS,
    SIMGPU_MODULES,
    SIMGPU_GRAPHS,
    SIMGPU_INSTANCES, /* of graphs */
    SIMGPU_ARRAYS,    /* of texels */
    SIMGPU_TEXTURES,
    SIMGPU_SURFACES,
    SIMGPU_FUNCTIONS,
    SIMGPU_PROGRAMS,
    SIMGPU_CUBLAS, /* handles, as are the next */
    SIMGPU_CUBLASLT_OPERATION,
    SIMGPU_CUBLASLT_LAYOUT,
    SIMGPU_CUBLASLT_PREFERENCE,
    SIMGPU_CUSOLVER,
    SIMGPU_CUSOLVER_PARAMS,
    SIMGPU_CUSOLVER_JACOBI,
    SIMGPU_CUSOLVER_EIGEN_JACOBI,
    SIMGPU_GENERATORS, /* of random numbers */
    SIMGPU_COMMS,      /* of NCCL */
    SIMGPU_NKINDS
};

struct simgpu_context;

/* The first member of everything that has a handle. */
struct simgpu_handle {
    enum simgpu_kind kind;
    bool live;
    struct simgpu_context *context;
};

void *simgpu__handle_create(enum simgpu_kind kind, struct simgpu_context *context, size_t nbytes);
void *simgpu__handle_find(enum simgpu_kind kind, const void *handle); /* NULL: unknown, of another kind, or destroyed */
void *simgpu__handle_here(enum simgpu_kind kind, const void *handle,
                          const struct simgpu_context *context); /* of that one */
void simgpu__handle_destroy(void *handle);
int simgpu__handle_count(enum simgpu_kind kind);
void simgpu__handle_each(void (*visit)(struct simgpu_handle *handle, void *data), void *data);

/* ---- memory.c: device memory, closed to the host, and pinned memory ---- */

struct simgpu_allocation {
    unsigned char *at;
    size_t nbytes, span; /* requested; used, including the gap after it */
    uint64_t number;     /* of this allocation among all that ever were */
};

struct simgpu_arena {
    unsigned char *base;
    size_t nbytes, top, used; /* of addresses; of them ever used; of memory that is taken */
    size_t total;
    int opened;
    struct simgpu_allocation *allocations; /* by address */
    size_t count, capacity;
};

/* With `open` the host may touch it at any time. */
bool simgpu__memory_map(struct simgpu_arena *arena, size_t total, bool open);
uint64_t simgpu__memory_number(void); /* of the last allocation */
cu_result simgpu__memory_take(struct simgpu_arena *arena, cu_deviceptr *ptr, size_t nbytes);
cu_result simgpu__memory_give(struct simgpu_arena *arena, cu_deviceptr ptr);
void simgpu__memory_give_all(struct simgpu_arena *arena);
bool simgpu__memory_reserve(struct simgpu_arena *arena, size_t nbytes); /* for the driver itself, without an address */
void simgpu__memory_unreserve(struct simgpu_arena *arena, size_t nbytes);
void simgpu__memory_open(struct simgpu_arena *arena);
void simgpu__memory_close(struct simgpu_arena *arena);
/* Up to so many bytes, with what is NaN in all float formats; the arena is open. */
void simgpu__memory_poison(void *at, size_t nbytes);
/* The allocation that holds an address or has it in the gap after it. */
const struct simgpu_allocation *simgpu__memory_find(const struct simgpu_arena *arena, cu_deviceptr ptr);
bool simgpu__memory_holds(const struct simgpu_arena *arena, cu_deviceptr ptr, size_t nbytes);
/* The allocation whose gap was written to, among those that `words` point to and their neighbours; NULL: none. */
const struct simgpu_allocation *simgpu__memory_spoilt(const struct simgpu_arena *arena, const uint64_t *words,
                                                      size_t count);
cu_result simgpu__pinned_take(void **ptr, size_t nbytes);
cu_result simgpu__pinned_give(void *ptr);
bool simgpu__pinned_holds(const void *ptr, size_t nbytes);
void *simgpu__pinned_find(const void *ptr);
size_t simgpu__pinned_nbytes(const void *ptr);
int simgpu__pinned_count(void);

/* ---- pool.c: managed and stream-ordered memory ---- */

/* LEAVING: until its stream comes to the free. A graph's block is never FREE: it is IDLE but between a launch and a free. */
enum simgpu_block_state { SIMGPU_USED, SIMGPU_LEAVING, SIMGPU_FREE, SIMGPU_IDLE };

struct simgpu_block {
    struct simgpu_block *next;
    cu_deviceptr ptr;
    size_t nbytes;
    enum simgpu_block_state state;
    bool of_graph;                /* whose launches take it and give it back */
    struct simgpu_stream *stream; /* of the last free */
    uint64_t freed;               /* which operation that is */
};

/* The stream-ordered pool of a device, in units of its arena. */
struct simgpu_pool {
    struct simgpu_block *blocks;
    uint64_t threshold, used, reserved, most_used, most_reserved;
};

/* Whether a graph's recorded operations may be launched: memory that they take is given back since the last time. */
cu_result simgpu__pool_launch(const cuna_tape *tape);

/* Frees an allocation of any source; its work is done. */
cu_result simgpu__pool_give(struct simgpu_context *context, cu_deviceptr ptr);
void simgpu__pool_freed(cu_deviceptr ptr, uint64_t sequence); /* a free has run */
void simgpu__pool_settle(struct simgpu_context *context); /* somebody has waited: above the threshold nothing is kept */
void simgpu__pool_forget(struct simgpu_context *context);
int simgpu__pool_cached(const struct simgpu_context *context); /* blocks that nobody uses */

/* ---- contexts and devices (device.c) ---- */

struct simgpu_context {
    int ordinal, retained;
    unsigned peers;                     /* devices whose memory kernels of this one may touch */
    cu_result dead;                     /* result of every call since a sticky error */
    struct simgpu_arena arena, managed; /* managed memory: see pool.c */
    struct simgpu_pool pool;
    struct simgpu_stream *null_stream, *thread_stream; /* the latter when it was asked for */
};

extern struct simgpu_context simgpu__contexts[SIMGPU_MAX_DEVICES];

int simgpu__device_count(void);
struct simgpu_context *simgpu__device_of(cu_deviceptr ptr);    /* whose arenas have this address; NULL: none */
struct simgpu_arena *simgpu__arena_of(cu_deviceptr ptr);       /* which; NULL: none */
uint64_t simgpu__setting(const char *name, uint64_t fallback); /* a number from the environment; K, M, G are powers */
void simgpu__kill(struct simgpu_context *context, cu_result code, const char *why);
uint64_t simgpu__random(void);

/* ---- call.c: how a row begins and ends ---- */

enum simgpu_need { SIMGPU_NEED_NOTHING, SIMGPU_NEED_INIT, SIMGPU_NEED_CONTEXT };

struct simgpu_call {
    cu_result result; /* the result to return immediately, unless success */
    cu_result fault;  /* what the queued work of this call is to end with */
    struct simgpu_context *context;
    int locked;
    int injected; /* whether the result is one that a spec asked for. No padding: graphs look for addresses in copies */
};

struct simgpu_call simgpu__call_enter(enum simgpu_row row, enum simgpu_need need);
void simgpu__call_leave(struct simgpu_call *call);
void simgpu__call_pause(void); /* around a host function: lets other threads in */
void simgpu__call_resume(void);
void simgpu__call_wait(void); /* until another thread's host function may have ended, or for a moment */
void simgpu__call_lock(void); /* around work of a thread that is not in a row */
void simgpu__call_unlock(void);
bool simgpu__call_in_child(void);

/* The first line of a row. */
#define SIMGPU_ENTER(field, need)                                          \
    struct simgpu_call call __attribute__((cleanup(simgpu__call_leave))) = \
        simgpu__call_enter(SIMGPU_ROW_##field, need);                      \
    if (call.result != CU_SUCCESS)                                         \
    return call.result

/* The first line of a row of another library, whose status `failed` says that the driver did. */
#define SIMGPU_ENTER_LIBRARY(field, failed)                                \
    struct simgpu_call call __attribute__((cleanup(simgpu__call_leave))) = \
        simgpu__call_enter(SIMGPU_ROW_##field, SIMGPU_NEED_CONTEXT);       \
    if (call.result != CU_SUCCESS)                                         \
    return call.injected ? call.result : (failed)

/* ---- queue.c: streams are queues ---- */

/* A program's image: what follows is the cpu device's. No other driver takes it for one of its own. */
struct simgpu_image {
    char magic[8];
    uint64_t stamp; /* of everything that decided its meaning and is not in the source */
    uint64_t nbytes;
    uint64_t is_ptx;
    uint64_t is_raw;  /* of a user's whole source: its blocks are the cpu device's business */
    uint64_t is_fast; /* compiled by the compiler for programs, and not by the cpu device's */
    unsigned char pad[16];
};

uint64_t simgpu__image_stamp(bool is_fast);

struct simgpu_event {
    struct simgpu_handle handle;
    cuna_capture_event capture;
    unsigned flags;
    uint64_t recorded; /* the sequence number of the last record; 0: never */
    int64_t time_ns;
    struct simgpu_stream *stream; /* of the last record */
};

/* POISON: what allocating and freeing do to memory; `frees` distinguishes them. WORK: the work of a call of a library
 * beside the driver. */
enum simgpu_op_kind {
    SIMGPU_LAUNCH,
    SIMGPU_COPY,
    SIMGPU_SET,
    SIMGPU_CALL,
    SIMGPU_RECORD,
    SIMGPU_WAIT,
    SIMGPU_POISON,
    SIMGPU_WORK,
};

struct simgpu_function {
    struct simgpu_handle handle;
    struct simgpu_module *module;
    cuna__module_entry entry;
    unsigned nbytes; /* of the argument block */
    bool is_team;    /* lanes of a block work together */
    char name[64];
    cu_function raw; /* the cpu device's, of a raw kernel; NULL for built-in kernels */
    unsigned nparams, sizes[SIMGPU_MAX_PARAMS];
    int dynamic_nbytes; /* of shared memory that a launch may ask for */
};

struct simgpu_module {
    struct simgpu_handle handle;
    cu_module library; /* of the cpu device */
    bool is_raw;
};

struct simgpu_op {
    struct simgpu_op *next;
    enum simgpu_op_kind kind;
    struct simgpu_context *context;
    uint64_t sequence;
    uint64_t recorded; /* of a graph: the number of the next allocation then; 0: of no graph */
    size_t arguments_nbytes;
    cu_result fault;
    void *dst;
    const void *src;
    void *staged;       /* freed with the operation */
    const void *pinned; /* which of the two is pinned memory; NULL: none */
    size_t nbytes;
    unsigned char value;
    bool frees;
    unsigned blocks;
    unsigned grid[3], block[3], shared_nbytes; /* of a raw kernel */
    bool cooperative;                          /* the same */
    unsigned opens;                            /* devices whose memory the operation touches */
    struct simgpu_function *function;
    struct simgpu_event *event;
    struct simgpu_stream *event_stream;
    uint64_t event_sequence;
    cu_host_fn fn;
    void *data;
    cuna_cpu_work work;
    bool (*ready)(const void *arguments); /* whether its turn may come; NULL: always */
    _Alignas(16) unsigned char arguments[];
};

struct simgpu_stream {
    struct simgpu_handle handle;
    cuna_capture_stream capture;
    unsigned flags;
    struct simgpu_op *head, *tail;
    uint64_t forced; /* operations up to this one have been asked for */
    unsigned length;
    bool busy; /* its head is a host function that runs */
    struct simgpu_stream *next;
};

struct simgpu_stream *simgpu__queue_create(struct simgpu_context *context, unsigned flags);
struct simgpu_op *simgpu__queue_op(enum simgpu_op_kind kind, size_t arguments_nbytes);
uint64_t simgpu__queue_next(void); /* the sequence number that the next operation gets */
void simgpu__queue_drop(void *op);
/* Takes the operation over in any case: a captured stream records it, or refuses it. */
cu_result simgpu__queue_add(struct simgpu_stream *stream, struct simgpu_op *op);
/* The same, past captures. */
void simgpu__queue_push(struct simgpu_stream *stream, struct simgpu_op *op);
bool simgpu__queue_is_captured(struct simgpu_stream *stream);
/* Whether operation `sequence` of the stream is done. */
bool simgpu__queue_has_done(const struct simgpu_stream *stream, uint64_t sequence);
/* Runs what has to run before operation `sequence` of the stream is done. */
void simgpu__queue_force(struct simgpu_stream *stream, uint64_t sequence);
void simgpu__queue_force_stream(struct simgpu_stream *stream);
void simgpu__queue_force_context(struct simgpu_context *context);
void simgpu__queue_poll(void); /* runs one operation of any stream, sometimes */
void simgpu__queue_pump(void); /* from outside of a row: runs what others may wait for, as far as it goes */
void simgpu__queue_discard(struct simgpu_context *context);
bool simgpu__queue_uses(const void *pinned, size_t nbytes);
/* Whether a kernel of the module is still to run. */
bool simgpu__queue_launches(const struct simgpu_module *module);

/* ---- operation.c: what an operation does; device memory stays open until operation_close ---- */

cu_result simgpu__operation_run(struct simgpu_op *op);
void simgpu__operation_close(void);

/* ---- block.c: lanes ---- */

extern const struct simgpu_services simgpu__services;

bool simgpu__team_is_lane(void); /* whether this thread is in a lane of its own stack */
void simgpu__team_reset(void);   /* after a jump that left the lanes */

/* Runs a launch; what went wrong in it, and its words. */
cu_result simgpu__block_launch(const struct simgpu_op *op, char *why, size_t nbytes);
/* Ends the kernel that runs in this thread with an error; returns when none does. */
void simgpu__block_fault(cu_result code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- library.c: libraries beside the driver ---- */

/* Gives the work of a library's call to a stream; device memory is open while it runs. */
cu_result simgpu__library_work(const struct simgpu_call *call, cu_stream stream, cuna_cpu_work work,
                               const void *arguments, size_t nbytes);
/* Whether [ptr, ptr + nbytes) is memory that work of the call's device may touch; none always is. */
bool simgpu__library_holds(const struct simgpu_call *call, const void *ptr, size_t nbytes);

/* Reads a factor for matrices of a type, in memory of the host. False for one that is missing, or lies where a vector of its
 * size may not: the libraries load it as one, and some of their kernels end the process. */
bool simgpu__library_factor(double out[2], cuda_data_type type, const void *factor);

/* The stream of a handle of cuBLAS, and its workspace; false: there is no such handle of the call's device. */
bool simgpu__cublas_find(const struct simgpu_call *call, cublas_handle handle, cu_stream *stream, void **workspace,
                         size_t *nbytes);

/* A product and the workspace that it may overwrite. */
struct simgpu_product {
    cuna_blas_gemm gemm; /* first: what the work gets */
    void *workspace;
    size_t nbytes;
};

/* Checks and queues a product, without a dtype and factors yet. */
cublas_status simgpu__cublas_multiply(const struct simgpu_call *call, cu_stream stream, struct simgpu_product *product,
                                      cuda_data_type type, cublas_compute compute, const cuda_factor *alpha,
                                      const cuda_factor *beta);

/* ---- module.c, raw.c: launches ---- */

bool simgpu__launch_is_legal(const unsigned grid[3], const unsigned block[3]);
/* The launch of a built-in kernel, with its arguments as they are now; for no stream yet. */
cu_result simgpu__launch_make(struct simgpu_op **out, const struct simgpu_call *call,
                              const cu_kernel_node_params *launch);
/* Fills in the fields of a raw kernel's function. */
cu_result simgpu__raw_describe(struct simgpu_function *function);
cu_result simgpu__raw_launch(const struct simgpu_call *call, struct simgpu_function *function,
                             struct simgpu_stream *stream, const unsigned grid[3], const unsigned block[3],
                             unsigned shared_nbytes, bool cooperative, void **params);
/* The context of a module whose variable has these bytes; NULL: none. */
struct simgpu_context *simgpu__raw_variable(cu_deviceptr ptr, size_t nbytes);

/* ---- text.c, compile.c ---- */

/* A program's text, as nvrtcCreateProgram and nvrtcAddNameExpression got it. */
struct simgpu_text {
    char *source, *name;
    int nheaders, nexpressions;
    char **headers, **include_names, **expressions;
};

/* The text for the cpu device's compiler; NULL with a log when the source has another beginning. */
char *simgpu__text_translate(char **log, const struct simgpu_text *text);
/* Whether a text that begins with the text of prelude_cuda.h has no text of a user's in it. */
bool simgpu__text_is_own(const struct simgpu_text *text);

/* What a compiler made; the caller frees both. */
struct simgpu_compiled {
    char *image, *log;
    size_t nbytes;
};

/* Whether SIMGPU_CXX names a compiler, for programs. */
bool simgpu__compile_is_set(void);
cu_result simgpu__compile(struct simgpu_compiled *out, const char *text, const char *const *words);

/* ---- fault.c, trap.c, check.c ---- */

/* Counts a call; what it is to fail with, or CU_SUCCESS. */
cu_result simgpu__fault_count(enum simgpu_row row);
bool simgpu__fault_is_sticky(cu_result code);
void simgpu__trap_install(void);
/* Compiles CUDA text by the library that SIMGPU_NVRTC names, in a thread of its own; NULL when there is none, or the
 * text is not chosen. */
struct simgpu_check;
struct simgpu_check *simgpu__check_start(const struct simgpu_text *text, int noptions, const char *const *options);
/* Waits; the log of a failure (the caller frees it), or NULL. */
char *simgpu__check_finish(struct simgpu_check *check);

/* For specs: see fault.c, report.c and, of the last launch, module.c. */
SIMGPU_PUBLIC unsigned simgpu_blocks(void);
SIMGPU_PUBLIC int simgpu_fail(const char *symbol, unsigned n, int code, int forever);
SIMGPU_PUBLIC unsigned simgpu_calls(const char *symbol);
SIMGPU_PUBLIC void simgpu_reset(void);
SIMGPU_PUBLIC int simgpu_live(const char *kind);
SIMGPU_PUBLIC const char *simgpu_symbol(unsigned row);

#endif
