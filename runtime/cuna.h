/* cuna.h: the door. Everything a program in C, or the Lua bindings, may call; in sections named after the .c files. Its
 * end includes more parts: cuna_raw.h, cuna_streams.h, cuna_exchange.h, cuna_fft.h, cuna_lapack.h, cuna_linalg.h,
 * cuna_memory.h, cuna_random.h, cuna_result.h, cuna_statement.h.
 *
 * Functions return cuna_status (0 is success; cuna_message() has the line) and give results through their first
 * parameters. What leaves through `out` is owned by the caller; a returned pointer is borrowed; parameters are borrowed,
 * and who keeps one retains it. Release is always legal: on zeroed structs, twice, and after shutdown. */
#ifndef CUNA_H
#define CUNA_H

#include "base/base.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

typedef struct cuna_context cuna_context;     /* what is current: device; one per lua_State or thread of control */
typedef struct cuna_device cuna_device;       /* one per device and process, never destroyed */
typedef struct cuna_stream cuna_stream;       /* a queue of one device's work; counted */
typedef struct cuna_graph cuna_graph;         /* recorded work of a stream; counted */
typedef struct cuna_event cuna_event;         /* a mark in a stream; counted */
typedef struct cuna_allocator cuna_allocator; /* a memory pool on each device; counted */
typedef struct cuna_buffer cuna_buffer;       /* refcounted device memory shared by an array and its views */
typedef struct cuna_program cuna_program;     /* an interned typed list of instructions, never destroyed */

typedef struct cuna_memory_stats {
    int64_t used_nbytes, free_nbytes, total_nbytes; /* of a pool: used + free = total */
    int64_t free_blocks, limit_nbytes;
    int64_t device_free_nbytes, device_total_nbytes;
} cuna_memory_stats;

#define CUNA_MAX_DEVICES 32 /* opened in one process */

/* ---- allocator.c ---------------------------------------------------------------------------------------------- */

/* Where memory comes from: the device's, pooled; managed memory, pooled; pinned memory of the host, pooled, by the
 * device whose transfers it serves; the device's without a pool; the driver's own stream-ordered pool. */
typedef enum cuna_allocator_kind {
    CUNA_ALLOCATE_DEVICE,
    CUNA_ALLOCATE_MANAGED,
    CUNA_ALLOCATE_PINNED,
    CUNA_ALLOCATE_DIRECT,
    CUNA_ALLOCATE_ASYNC,
} cuna_allocator_kind;

/* A new allocator with pools of its own, which are made on devices when they are first used. Blocks that are still in
 * use when it is released live on. */
cuna_status cuna_allocator_create(cuna_allocator **out, cuna_allocator_kind kind);
void cuna_allocator_retain(cuna_allocator *allocator);
void cuna_allocator_release(cuna_allocator *allocator);
cuna_allocator_kind cuna_allocator_get_kind(const cuna_allocator *allocator);

/* The process' own ones: of devices' memory (DEVICE) and of pinned memory (PINNED); borrowed. */
cuna_allocator *cuna_allocator_default(cuna_allocator_kind kind);

/* What its pool on a device holds. The default pinned one counts the memory that transfers keep as free. */
cuna_status cuna_allocator_memory(cuna_memory_stats *out, cuna_allocator *allocator, cuna_device *device);

/* Gives cached blocks of a device back to the driver: all of them, or only those cached for a stream. */
cuna_status cuna_allocator_trim(cuna_allocator *allocator, cuna_device *device, const cuna_stream *stream);

/* Limits what the pool on a device holds, in bytes; 0 removes the limit. */
cuna_status cuna_allocator_set_limit(cuna_allocator *allocator, cuna_device *device, int64_t nbytes);

/* ---- array.c -------------------------------------------------------------------------------------------------- */

/* An array or view. The caller provides the struct, zeroed; a function fills it; cuna_array_release empties it. It must
 * not move in memory while filled (dims may point into it). */
typedef struct cuna_array {
    cuna_buffer *buffer;    /* NULL: empty: never filled, freed or released */
    uint64_t data;          /* device address of the first element */
    int64_t *dims;          /* shape[ndim], then strides[ndim] in elements; NULL: never filled, or released */
    int64_t size;           /* elements */
    int64_t inline_dims[2]; /* where dims points for ndim < 2 */
    uint8_t dtype;          /* cuna_dtype */
    uint8_t ndim;
    uint8_t flags; /* CUNA_ARRAY_* */
    uint8_t spare[5];
} cuna_array;

enum {
    CUNA_ARRAY_CONTIGUOUS = 1, /* row-major without gaps */
    CUNA_ARRAY_VIEW = 2,       /* shares the buffer of an array made before it */
    CUNA_ARRAY_READONLY = 4,   /* a broadcast view, whose elements share memory, or foreign memory that is read only */
    CUNA_ARRAY_FOREIGN = 8,    /* over memory that is not cuna's (cuna_array_wrap) */
};

/* Fills `out` with a new array of unspecified values on the context's device. MEMORY, VALUE for a bad shape. */
cuna_status cuna_array_create(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim, const int64_t *shape);

/* The same on a given device. The memory is the context's allocator's, for work on its current stream there. */
cuna_status cuna_array_create_on(cuna_array *out, cuna_context *context, cuna_device *device, cuna_dtype dtype,
                                 int ndim, const int64_t *shape);

/* Fills `out` with a new array of the cpu device in pinned memory, which the context's CUDA device (the current one, else
 * the first there is) copies from and to while the host goes on. Without a CUDA device it is memory as all other. */
cuna_status cuna_array_create_pinned(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim,
                                     const int64_t *shape);

/* Waits until copies that use the memory of an array on the cpu device beside the host are done: before the host's own
 * access by address. */
cuna_status cuna_array_settle(const cuna_context *context, const cuna_array *array);

/* Fills `out` with an array over foreign memory of the cpu device (row-major). `release(owner)` is called once when the
 * last array over it is released; NULL when nothing is to be done. */
cuna_status cuna_array_wrap(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                            void *memory, void (*release)(void *owner), void *owner);

/* The same over memory of any device, by its address there; the device must be able to copy from and to it. */
cuna_status cuna_array_adopt(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                             uint64_t memory, void (*release)(void *owner), void *owner);

/* Notes that work which comes next on a stream of the array's device uses the array by its address: memory that is given
 * back is not used for something else before that work is done. DEVICE. */
cuna_status cuna_array_claim(cuna_context *context, cuna_stream *stream, const cuna_array *array);

/* Fills `out` with a view of `src`: same buffer, first element `geometry->offset` elements on, its shape and strides. The
 * dtype may be another one (then offset and strides count its elements). VALUE when it would leave src's buffer. */
cuna_status cuna_array_view(cuna_array *out, const cuna_array *src, cuna_dtype dtype, const cuna_geometry *geometry);

/* The same of the row at a place of the first axis, from 0 and inside of it. */
cuna_status cuna_array_row(cuna_array *out, const cuna_array *src, int64_t place);

/* Gives an array's share of the buffer back; shape and strides can be read until the array is released. */
void cuna_array_free(cuna_array *array);

/* Empties an array and gives its share of the buffer back. */
void cuna_array_release(cuna_array *array);

/* Shape and strides (elements) of a filled array; borrowed. */
const int64_t *cuna_array_shape(const cuna_array *array);
const int64_t *cuna_array_strides(const cuna_array *array);

/* Copies shape and strides out; offset is 0. */
void cuna_array_geometry(cuna_geometry *out, const cuna_array *array);

/* The device an array lives on. */
cuna_device *cuna_array_device(const cuna_array *array);

/* Why an array must not be written to, in words; NULL when it may. */
const char *cuna_array_why_readonly(const cuna_array *array);

/* Whether two arrays may touch the same bytes. */
bool cuna_array_overlaps(const cuna_array *a, const cuna_array *b);

/* The geometry (in elements of its dtype) of the array whose buffer a view shares: what NumPy calls base. False for an
 * array that is no view. `out` is filled as a view over the whole base. */
cuna_status cuna_array_base(cuna_array *out, const cuna_array *view);

/* ---- copy.c --------------------------------------------------------------------------------------------------- */

/* Copies src into dst (broadcasting, converting dtypes, overlapping or not, from any device to any). VALUE: shapes,
 * read-only dst. */
cuna_status cuna_array_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src);

/* Fills every element of dst with one number. */
cuna_status cuna_array_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number);

/* Copies arrays one behind the other into `out` along an axis (from 0): each has out's other lengths, and the lengths along
 * the axis add up to out's; `stacked` ones lack the axis and take one position each. None shares memory with out.
 * VALUE: read-only out. */
cuna_status cuna_array_join(cuna_context *context, const cuna_array *out, int axis, bool stacked, int narrays,
                            const cuna_array *const *arrays);

/* Fills `out` with a contiguous copy of `src` in another dtype (or the same). */
cuna_status cuna_array_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype);

/* Fills `out` with a contiguous copy of `src` on a device, another or the same. */
cuna_status cuna_array_to(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_device *device);

/* Copies src into dst, of one dtype and size and both contiguous, one on the cpu device and the other not, while the host
 * goes on: whoever uses the array on the cpu device next waits for the copy (cuna_array_settle). In memory that is not
 * pinned it is there already when the call returns. VALUE for arrays that are not so. */
cuna_status cuna_array_copy_async(cuna_context *context, const cuna_array *dst, const cuna_array *src);

/* Copies row-major host memory of size * itemsize bytes in or out. `set` returns when the memory was read, while the
 * device may still be at work; `get` waits until all is there. */
cuna_status cuna_array_set(cuna_context *context, const cuna_array *array, const void *host);
cuna_status cuna_array_get(cuna_context *context, const cuna_array *array, void *host);

/* The same for some bytes of a contiguous array, from its byte `offset` on. */
cuna_status cuna_array_set_bytes(cuna_context *context, const cuna_array *array, int64_t offset, const void *host,
                                 int64_t nbytes);
cuna_status cuna_array_get_bytes(cuna_context *context, const cuna_array *array, int64_t offset, void *host,
                                 int64_t nbytes);

/* Where the host itself may read and write a contiguous array, whose memory is ready for it; NULL when it may not, and
 * bytes have to be set and got. VALUE while a graph records. */
cuna_status cuna_array_host(void **out, cuna_context *context, const cuna_array *array);

/* The address of the one element `offset` elements from the array's first, where the host may read it and, of an array
 * that may be written to, write it at once. NULL for freed arrays, and where reading and writing take more. */
void *cuna_array_touch(const cuna_context *context, const cuna_array *array, int64_t offset);

/* Reads or writes the one element `offset` elements from the array's first. Reading waits for the device. */
cuna_status cuna_array_read(cuna_number *out, cuna_context *context, const cuna_array *array, int64_t offset);
cuna_status cuna_array_write(cuna_context *context, const cuna_array *array, int64_t offset, const cuna_number *number);

/* ---- device/context.c ------------------------------------------------------------------------------------------------ */

/* A context whose current device is the default one: the one that CUNA_DEVICE names, which must be there; else the first
 * CUDA device when it is usable (cuna_device_check_cuda), else the cpu device. These two are looked for at the first
 * question, so that creating a context loads nothing of CUDA. The caller destroys it. VALUE, DEVICE: a wrong variable. */
cuna_status cuna_context_create(cuna_context **out);
void cuna_context_destroy(cuna_context *context);

/* The current device; the context keeps what it chooses. */
cuna_device *cuna_context_device(cuna_context *context);

/* The current device, or NULL while nobody has asked for it or set it. */
cuna_device *cuna_context_peek_device(const cuna_context *context);

/* Makes a device current; NULL is as at first. */
void cuna_context_set_device(cuna_context *context, cuna_device *device);

/* Why the default device is the one it is, in words; "" while it was not looked for. */
const char *cuna_context_reason(const cuna_context *context);

/* Waits for all work given to a device (NULL: the current one), and raises what kernels of the context have reported.
 * DEVICE, VALUE, LINALG. */
cuna_status cuna_context_synchronize(cuna_context *context, cuna_device *device);

/* The stream that the context's work on a device goes to: the device's default stream at first. Borrowed. Setting one
 * retains it; NULL is the default stream. */
cuna_stream *cuna_context_stream(cuna_context *context, cuna_device *device);
void cuna_context_set_stream(cuna_context *context, cuna_device *device, cuna_stream *stream);

/* Where the context's arrays get their memory; NULL is the default. Setting one retains it. */
cuna_allocator *cuna_context_allocator(const cuna_context *context);
void cuna_context_set_allocator(cuna_context *context, cuna_allocator *allocator);

/* Forbids waiting: while `reason` is set ("cn.no_sync", "a graph's capture"), or a capture is open that this context
 * began, whatever would wait for a device fails with VALUE, which names it, on every device. "" allows it in any case, NULL
 * where no capture is open. Answers the reason before. */
const char *cuna_context_forbid_waiting(cuna_context *context, const char *reason);

/* While a device is set, work for any other one fails with VALUE: a recording is of one device. Answers the one before. */
cuna_device *cuna_context_confine(cuna_context *context, cuna_device *device);

/* OK, or VALUE with "<name>: waits for the device, and <reason> forbids that". */
cuna_status cuna_context_check_waiting(const cuna_context *context, const char *name);

/* ---- device.c ------------------------------------------------------------------------------------------------- */

/* Finds a device by its public name ("cpu", "cuda:1"; "cuda" is "cuda:0") and opens it at its first use. VALUE with what
 * there is; DEVICE when CUDA cannot be used. */
cuna_status cuna_device_find(cuna_device **out, const char *name);

/* How many devices of a kind ("cpu", "cuda") this machine has; 0 when they cannot be used. Opens none of them. */
int cuna_device_count(const char *kind);

/* Whether CUDA devices can be used: OK when the driver loads and finds at least one, and NVRTC is there to compile for
 * it; DEVICE or COMPILE and a line with what is missing otherwise. Opens none of them. */
cuna_status cuna_device_check_cuda(void);

/* Tells what was found of the libraries and tools behind a kind of device, as names and values: "library" (of the
 * driver), "version", "compiler", "compiler_version", "threads", "instructions", "place" (of the compiler's files),
 * "image_place"; "missing" is a line about what is not there, "remedy" what to do about a missing compiler. */
void cuna_device_describe_driver(void (*emit)(void *data, const char *name, const char *value), void *data,
                                 const char *kind);

/* Public name, kind ("cpu"), number within its kind, and the maker's name for it. */
const char *cuna_device_name(const cuna_device *device);
const char *cuna_device_kind(const cuna_device *device);
int cuna_device_id(const cuna_device *device);
const char *cuna_device_model(const cuna_device *device);

/* Lanes of a block in cuna's own kernels: one walks runs of elements, more lie side by side. */
int cuna_device_lanes(const cuna_device *device);

/* Whether the host may read and write the device's memory directly. */
bool cuna_device_is_host(const cuna_device *device);

/* The address of a slot for what a kernel may report, to be given to one launch of the context (kernels/gather.cuh). A
 * report is raised, as VALUE or LINALG, where the context waits for the device next, and nowhere else; on a device that
 * works while its host does not go on, by the launch itself. `name` is the operation's, `place` where it was called, ""
 * for nowhere. MEMORY, DEVICE. */
cuna_status cuna_device_report_slot(uint64_t *address, cuna_context *context, cuna_device *device, const char *name,
                                    const char *place);

/* Whether work goes on while the host does. */
bool cuna_device_is_asynchronous(const cuna_device *device);

/* The range of priorities of streams: 0 for the least, and a number below for the greatest. DEVICE. */
cuna_status cuna_device_stream_priorities(int *least, int *greatest, cuna_device *device);

/* ---- device/attributes.c -------------------------------------------------------------------------------------- */

/* Compute capability, as 9 and 0. VALUE on a device that has none. */
cuna_status cuna_device_compute_capability(int *major, int *minor, cuna_device *device);

/* The device's memory in bytes: all of it, and what is free now of what there is for this process. DEVICE. */
cuna_status cuna_device_total_memory(int64_t *nbytes, cuna_device *device);
cuna_status cuna_device_memory_info(int64_t *free_nbytes, int64_t *total_nbytes, cuna_device *device);

/* "0000:65:00.0". VALUE on a device that is on no bus. */
cuna_status cuna_device_pci_bus_id(char *text, size_t nbytes, cuna_device *device);

/* The name of attribute `index` (from 0), such as "MultiProcessorCount"; NULL behind the last. */
const char *cuna_device_attribute_name(int index);

/* An attribute's value. VALUE when the name is unknown, or the device does not know it. */
cuna_status cuna_device_attribute(int *value, cuna_device *device, const char *name);

/* The options that the device's kernels are compiled with, with spaces between. COMPILE without a compiler. */
cuna_status cuna_device_options(char *text, size_t nbytes, cuna_device *device);

/* ---- module.c ------------------------------------------------------------------------------------------------- */

/* How often units of kernels were compiled, and found on disk, in this process. */
typedef struct cuna_module_stats {
    int64_t compiled, loaded;
} cuna_module_stats;

/* Reads the counts. */
void cuna_module_get_stats(cuna_module_stats *out);

/* ---- program.c ------------------------------------------------------------------------------------------------ */

#define CUNA_MAX_INSTRUCTIONS 64
#define CUNA_MAX_TABLE        480 /* words of a program's table: with all else within 4 KiB of arguments */
#define CUNA_MAX_ARGUMENTS    8

/* Declares an operation: a name for messages and kernel names, how many arguments its expression has (called a, b, c, d)
 * and the expression itself (the vocabulary of kernels/scalar.cuh). The id is stable for the process; the same name
 * and expression give the same id. */
cuna_status cuna_operation_define(uint16_t *id, const char *name, int nargs, const char *expression);

/* Declares how a reduction folds: texts over the vocabulary of kernels/reduce.cuh. `state` is the accumulator's type
 * (A: the dtype tag it accumulates in, T: its value type), `identity` a state, `lift` a state from a value `a` at
 * position `i` (from 0), `combine` a state from states `a`, `b` (a earlier), `finish` a value from a state `a` and the
 * count `n`. */
typedef struct cuna_reducer {
    const char *name, *state, *identity, *lift, *combine, *finish;
} cuna_reducer;
cuna_status cuna_reducer_define(uint16_t *id, const cuna_reducer *reducer);

/* One step: value = operation(args converted to arg_dtype), rounded to dtype. Values are numbered: inputs from 0, then
 * the index (if used), then one per instruction. Steps of a program in stages may fold: the value is what a reducer makes
 * of argument 0 over all elements of a row, accumulated in arg_dtype[0]; argument 1, when there is one, is its `extra`. */
typedef struct cuna_instruction {
    uint16_t operation; /* or reducer */
    uint8_t nargs;
    uint8_t dtype;
    uint8_t arg[CUNA_MAX_ARGUMENTS];
    uint8_t arg_dtype[CUNA_MAX_ARGUMENTS];
    uint8_t folds;
    uint8_t unused;
} cuna_instruction;

/* In which order the elements of a walk come, where a block is one lane, so that what is written more than once is right:
 * any; row-major, in one block; so within each row along the innermost axis, and rows in blocks of their own. */
typedef enum cuna_order { CUNA_ORDER_ANY, CUNA_ORDER_WALK, CUNA_ORDER_ROW } cuna_order;

/* What a program makes of its inputs. A statement maps, folds or scans. */
typedef enum cuna_program_kind {
    CUNA_PROGRAM_MAP,         /* each element of the outputs, of elements of the inputs */
    CUNA_PROGRAM_FOLD,        /* one value for all elements along the axes of the call, by a reducer or a statement */
    CUNA_PROGRAM_SCAN,        /* for every element what it and all before it fold to */
    CUNA_PROGRAM_SCAN_BEFORE, /* the same without the element itself */
    CUNA_PROGRAM_STAGES,      /* each element, by steps of which some fold the elements of its row */
    CUNA_PROGRAM_SORT,        /* sorted rows */
    CUNA_PROGRAM_ARGSORT,     /* the positions (int64, from 1) that sort the rows */
    CUNA_PROGRAM_PRODUCT,     /* the product of two matrices */
    CUNA_PROGRAM_KINDS        /* how many there are */
} cuna_program_kind;

/* What an input of a program is that is no array: a number, or (of elementwise programs, one at most) a table of words,
 * whose value is the address where the kernel finds them (int64). */
enum { CUNA_SCALAR_NUMBER = 1, CUNA_SCALAR_TABLE = 2 };

/* What a program computes per element. Zeroed before filling: its bytes are its identity. */
typedef struct cuna_program_text {
    uint8_t kind; /* cuna_program_kind */
    uint8_t ninputs, noutputs, ninstructions;
    uint8_t uses_index; /* value `ninputs` is the element's row-major position (int64) */
    uint8_t input_dtype[CUNA_MAX_OPERANDS];
    uint8_t input_scalar[CUNA_MAX_OPERANDS];  /* CUNA_SCALAR_*: what is given by value; 0: an array */
    uint8_t input_address[CUNA_MAX_OPERANDS]; /* 1: the value is where the element is (int64); kernels/gather.cuh */
    uint8_t output_value[CUNA_MAX_OPERANDS];  /* which value each output stores */
    uint8_t output_dtype[CUNA_MAX_OPERANDS];
    uint8_t accumulator; /* cuna_dtype, of folds and scans by `reducer` */
    uint8_t stages;      /* of programs in stages: how often a row is read, at least, for the steps that fold; else 0 */
    uint8_t output_row[CUNA_MAX_OPERANDS]; /* of programs in stages: 1: an output has one value for each row */
    uint16_t reducer;
    uint16_t statement; /* 0, or the id of the statement that computes all outputs from all inputs */
    uint8_t
        sorts_above;   /* low bytes of elements that the order need not regard: it may keep equal what differs there */
    uint8_t gathers;   /* steps read or write at addresses; such a program needs no outputs */
    uint8_t span_log2; /* of elements that one step makes: a block does so many fewer steps */
    uint8_t in_order;  /* cuna_order, of programs without outputs */
    uint8_t reads_outputs; /* the statement finds the old values in its outputs */
    uint8_t indexer;       /* 0, or 1 + the axes that `_ind` has */
    uint8_t nraws;         /* arrays that only the statement indexes; the walk does not know them */
    uint16_t table;        /* words of the input that is a table; 0: none is */
    uint8_t raw_dtype[CUNA_MAX_RAWS], raw_ndim[CUNA_MAX_RAWS], raw_writable[CUNA_MAX_RAWS];
    cuna_instruction instruction[CUNA_MAX_INSTRUCTIONS];
} cuna_program_text;

/* Interns a program: equal texts give the same pointer, and each time a share of it. VALUE for a text that makes no sense. */
cuna_status cuna_program_intern(const cuna_program **out, const cuna_program_text *text);

/* Shares of a program. One that nobody has is forgotten, with its kernels, and no call with it may be under way; whoever
 * never gives a share back has the program for the life of the process. */
void cuna_program_retain(const cuna_program *program);
void cuna_program_release(const cuna_program *program);

/* The text a program was interned from; borrowed. */
const cuna_program_text *cuna_program_get_text(const cuna_program *program);

/* ---- work/elementwise.c -------------------------------------------------------------------------------------------- */

/* An input of a program: an array, or (array NULL) a number for a scalar input, or the words of its table, which a call
 * copies. */
typedef struct cuna_operand {
    const cuna_array *array;
    union {
        cuna_number number;
        const int64_t *table;
    };
} cuna_operand;

/* Runs a program over its inputs, broadcast together. Outputs with a buffer are written (shape must be the result's,
 * dtype any that same-kind casting reaches; inputs that overlap them are copied first); empty ones are made on the
 * inputs' device with `shape` (or, with ndim < 0, the broadcast shape). `name` is the operation's for messages.
 * VALUE: shapes that do not broadcast, mixed devices; MEMORY: nothing happened; COMPILE. */
cuna_status cuna_elementwise(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape);

/* ---- work/reduce.c ------------------------------------------------------------------------------------------------- */

/* Runs a reducing program over the axes in `axes` (bit k: axis k of the broadcast inputs, from 0). Outputs with a buffer
 * are written (their shape must be the result's), empty ones are made; `keepdims` leaves axes of length 1 where axes were
 * reduced. `extra` is a number that the reducer's finish may use. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_reduce(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra);

/* ---- work/reduce_scan.c -------------------------------------------------------------------------------------------- */

/* Runs a scanning program along an axis (from 0) of its inputs, broadcast together, or, with axis -1, over all their
 * elements in row-major order, as one axis. Outputs have the shape of the broadcast inputs, or one axis; those with a
 * buffer are written (inputs that overlap them other than element for element are copied first), empty ones are made.
 * Results are the same for any number of threads. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_scan(cuna_context *context, const char *name, const cuna_program *program, const cuna_operand *inputs,
                      cuna_array *const *outputs, int axis);

/* ---- work/sort.c --------------------------------------------------------------------------------------------------- */

/* Sorts the rows of a row-major array, which lie along its last axis, or finds the positions (int64, from 1) that would
 * sort them, as the program's kind says (of one input, one output and no instructions). Equal elements keep their
 * order; NaN comes last, also when the others descend; -0 is before 0 in sorted elements, and equal to it for positions.
 * An output with a buffer is row-major and of the input's shape, and may be the input; an empty one is made. VALUE,
 * MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_sort(cuna_context *context, const char *name, const cuna_program *program, const cuna_array *in,
                      cuna_array *out, bool descending);

/* ---- work/reduce_stages.c ------------------------------------------------------------------------------------------ */

/* Runs a program in stages: a row is what one position of the axes that are not in `axes` folds, and all its stages are
 * done while it stays in a cache. Outputs have the shape of the broadcast inputs, or, with one value per row, the shape
 * that cuna_reduce gives them (bit k of `keepdims`: output k). *ran says whether it did: where rows are few, or do not lie
 * along memory, reductions one by one are faster, and nothing was done. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_stages(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, uint32_t keepdims);

/* ---- kernel/prepare.c ------------------------------------------------------------------------------------------------ */

/* Opens a rehearsal: until it ends, kernels that the context's calls would launch are noted and not launched, so
 * outputs keep unspecified values. VALUE when one is open. */
cuna_status cuna_prepare_begin(cuna_context *context);

/* Whether a rehearsal is open. */
bool cuna_prepare_is_open(const cuna_context *context);

/* Hands the text of the kernels noted so far to emit(data, text), without the common texts that stand before it in a
 * translation unit. VALUE when none is open; MEMORY. */
cuna_status cuna_prepare_show(cuna_context *context, void (*emit)(void *data, const char *text), void *data);

/* Ends it and, with `compile`, makes the kernels noted that are missing, in few translation units. COMPILE, MEMORY. */
cuna_status cuna_prepare_end(int *nkernels, cuna_context *context, bool compile);

#include "cuna_exchange.h"
#include "cuna_fft.h"
#include "cuna_lapack.h"
#include "cuna_linalg.h"
#include "cuna_memory.h"
#include "cuna_raw.h"
#include "cuna_result.h"
#include "cuna_statement.h"
#include "cuna_streams.h"

#include "cuna_random.h"

#endif
