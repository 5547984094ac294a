/* cuna.h: the public C header: every function that a C program or the Lua bindings may call, in sections named after
 * the .c files. It includes the other public headers at its end: cuna_comm.h, cuna_raw.h, cuna_streams.h, cuna_exchange.h,
 * cuna_curand.h, cuna_fft.h, cuna_lapack.h, cuna_matmul.h, cuna_memory.h, cuna_record.h, cuna_reduce.h,
 * cuna_result.h, cuna_statement.h, cuna_texture.h.
 *
 * Functions return cuna_status (0 is success; cuna_message() has the error's line) and their results through the first
 * parameters. The caller owns what `out` receives. Returned pointers are borrowed; so are parameters: a function that
 * keeps one retains it. Releasing is always legal: on zeroed structs, twice, and after shutdown. */
#ifndef CUNA_H
#define CUNA_H

#include "base/base.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"
#pragma GCC visibility push(default) /* core.so exports what the public headers declare */

typedef struct cuna_context cuna_context;     /* current device, streams, allocator; one per lua_State or thread */
typedef struct cuna_device cuna_device;       /* one per device and process, never destroyed */
typedef struct cuna_stream cuna_stream;       /* a queue of one device's work; counted */
typedef struct cuna_graph cuna_graph;         /* work recorded from a stream; of one owner */
typedef struct cuna_event cuna_event;         /* a point in a stream; of one owner */
typedef struct cuna_allocator cuna_allocator; /* a memory pool on each device; counted */
typedef struct cuna_buffer cuna_buffer;       /* refcounted device memory shared by an array and its views */
typedef struct cuna_program cuna_program;     /* an interned typed list of instructions, never destroyed */

typedef struct cuna_memory_stats {
    int64_t used_nbytes, free_nbytes, total_nbytes; /* of a pool: used + free = total */
    int64_t free_blocks, limit_nbytes;
    int64_t device_free_nbytes, device_total_nbytes;
} cuna_memory_stats;

#define CUNA_MAX_DEVICES 32 /* in one process */

/* ---- allocator.c ---------------------------------------------------------------------------------------------- */

/* Where memory comes from: pooled device memory; pooled managed memory; pooled pinned host memory, grouped by the
 * device whose transfers it serves; device memory without a pool; the driver's stream-ordered pool. */
typedef enum cuna_allocator_kind {
    CUNA_ALLOCATE_DEVICE,
    CUNA_ALLOCATE_MANAGED,
    CUNA_ALLOCATE_PINNED,
    CUNA_ALLOCATE_DIRECT,
    CUNA_ALLOCATE_ASYNC,
} cuna_allocator_kind;

/* Creates an allocator with separate pools, one for each device, created at first use. Blocks still in use when the
 * allocator is released stay valid. */
cuna_status cuna_allocator_create(cuna_allocator **out, cuna_allocator_kind kind);
void cuna_allocator_retain(cuna_allocator *allocator);
void cuna_allocator_release(cuna_allocator *allocator);
cuna_allocator_kind cuna_allocator_get_kind(const cuna_allocator *allocator);

/* The process-wide default allocators: device memory (DEVICE) and pinned memory (PINNED); borrowed. */
cuna_allocator *cuna_allocator_default(cuna_allocator_kind kind);

/* Statistics of its pool on a device. The default pinned allocator counts memory that transfers keep as free. */
cuna_status cuna_allocator_memory(cuna_memory_stats *out, cuna_allocator *allocator, cuna_device *device);

/* Returns cached blocks of a device to the driver: all of them, or only those cached for `stream`. */
cuna_status cuna_allocator_trim(cuna_allocator *allocator, cuna_device *device, const cuna_stream *stream);

/* Limits the size of the pool on a device, in bytes; 0 removes the limit. */
cuna_status cuna_allocator_set_limit(cuna_allocator *allocator, cuna_device *device, int64_t nbytes);

/* ---- array.c -------------------------------------------------------------------------------------------------- */

/* An array or view. The caller provides the struct, zeroed; a function fills it; cuna_array_release empties it. It must
 * not move in memory while filled (dims may point into it). */
typedef struct cuna_array {
    cuna_buffer *buffer;    /* NULL: empty: never filled, freed or released */
    int64_t offset;         /* of the first element from the beginning of the buffer's memory, in bytes */
    int64_t *dims;          /* shape[ndim], then strides[ndim] in elements; NULL: never filled, or released */
    int64_t size;           /* elements */
    int64_t inline_dims[4]; /* where dims points for ndim <= 2 */
    uint8_t dtype;          /* cuna_dtype */
    uint8_t ndim;
    uint8_t flags; /* CUNA_ARRAY_* */
    uint32_t mark; /* the caller's; copies may have it, too */
} cuna_array;

enum {
    CUNA_ARRAY_CONTIGUOUS = 1, /* row-major without gaps */
    CUNA_ARRAY_VIEW = 2,       /* shares the buffer of an array made before it */
    CUNA_ARRAY_READONLY = 4,   /* a broadcast view, whose elements share memory, or read-only foreign memory */
    CUNA_ARRAY_FOREIGN = 8,    /* over memory that cuna did not allocate (cuna_array_wrap) */
};

/* Builds with AddressSanitizer hide the address of an array's elements whenever the array comes from outside, unless
 * others know it. What touches elements without having made them ready then ends the process, in any spec. */
#if !defined(CUNA_HIDES_CONTENT) && defined(__SANITIZE_ADDRESS__)
#define CUNA_HIDES_CONTENT 1
#elif !defined(CUNA_HIDES_CONTENT)
#define CUNA_HIDES_CONTENT 0
#endif
void cuna_array_hide(const cuna_array *array);

/* Fills `out` with a new array of unspecified values on the context's device. MEMORY, VALUE for a bad shape. */
cuna_status cuna_array_create(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim, const int64_t *shape);

/* The same on a given device. The memory comes from the context's allocator, for use on the context's current stream of
 * that device. */
cuna_status cuna_array_create_on(cuna_array *out, cuna_context *context, cuna_device *device, cuna_dtype dtype,
                                 int ndim, const int64_t *shape);

/* Fills `out` with a new array of the cpu device in pinned memory. The context's CUDA device (the current one, else the
 * first) can copy to and from it asynchronously. Without a CUDA device the memory is ordinary. */
cuna_status cuna_array_create_pinned(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim,
                                     const int64_t *shape);

/* Waits until asynchronous copies that use the memory of an array on the cpu device are done. Call it before the host
 * accesses the array by address. */
cuna_status cuna_array_settle(const cuna_context *context, const cuna_array *array);

/* Fills `out` with an array over foreign memory of the cpu device (row-major). `release(owner)` is called once when the
 * last array over it is released; it may be NULL. */
cuna_status cuna_array_wrap(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                            void *memory, void (*release)(void *owner), void *owner);

/* The same over memory of any device, by its device address. The device must be able to copy to and from it. */
cuna_status cuna_array_adopt(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                             uint64_t memory, void (*release)(void *owner), void *owner);

/* Records that the next work on a stream of the array's device uses the array by its address: if the array is freed,
 * its memory is not reused before that work is done. DEVICE. */
cuna_status cuna_array_claim(cuna_context *context, cuna_stream *stream, const cuna_array *array);

/* Fills `out` with a view of `src`: the same buffer, the first element at `geometry->offset`, geometry's shape and
 * strides. The dtype may differ (offset and strides then count elements of it). VALUE when the view would exceed src's
 * buffer. */
cuna_status cuna_array_view(cuna_array *out, const cuna_array *src, cuna_dtype dtype, const cuna_geometry *geometry);

/* The same for the row at position `place` of the first axis, counted from 0; `place` must be in range. */
cuna_status cuna_array_row(cuna_array *out, const cuna_array *src, int64_t place);

/* Releases the array's reference to the buffer; shape and strides stay readable until the array is released. */
void cuna_array_free(cuna_array *array);

/* Empties an array and releases its reference to the buffer. */
void cuna_array_release(cuna_array *array);

/* Shape and strides (elements) of a filled array; borrowed. */
const int64_t *cuna_array_shape(const cuna_array *array);
const int64_t *cuna_array_strides(const cuna_array *array);

/* Copies shape and strides out; offset is 0. */
void cuna_array_geometry(cuna_geometry *out, const cuna_array *array);

/* Whether the first element begins at a multiple of that many bytes. */
bool cuna_array_is_aligned(const cuna_array *array, int64_t nbytes);

/* The device an array lives on. */
cuna_device *cuna_array_device(const cuna_array *array);

/* The reason why an array is read-only, as text; NULL when it is writable. */
const char *cuna_array_why_readonly(const cuna_array *array);

/* The device address of the first element, for use outside of cuna. From now on others may read and write the array's
 * memory at any time. VALUE ("name: ...") for a freed array. */
cuna_status cuna_array_expose(uint64_t *address, const cuna_array *array, const char *name);

/* Whether others may know the address of the array's memory: it was exposed, shared (DLPack), or made outside. */
bool cuna_array_is_exposed(const cuna_array *array);

/* Whether two arrays may touch the same bytes. */
bool cuna_array_overlaps(const cuna_array *a, const cuna_array *b);

/* Fills `out` with a view over the whole array whose buffer `view` shares (NumPy's `base`); the geometry counts
 * elements of its dtype. VALUE for an array that is not a view. */
cuna_status cuna_array_base(cuna_array *out, const cuna_array *view);

/* ---- copy.c --------------------------------------------------------------------------------------------------- */

/* Copies src into dst (broadcasting, converting dtypes, overlapping or not, from any device to any). VALUE: shapes,
 * read-only dst. */
cuna_status cuna_array_copy(cuna_context *context, const cuna_array *dst, const cuna_array *src);

/* Fills every element of dst with one number. */
cuna_status cuna_array_fill(cuna_context *context, const cuna_array *dst, const cuna_number *number);

/* Concatenates arrays into `out` along an axis (from 0). Each array has out's lengths on the other axes; the lengths
 * along the axis add up to out's. With `stacked` the arrays lack the axis and take one position each. No array may
 * share memory with out, unless it is its part of that. VALUE: read-only out. */
cuna_status cuna_array_join(cuna_context *context, const cuna_array *out, int axis, bool stacked, int narrays,
                            const cuna_array *const *arrays);

/* Fills `out` with a contiguous copy of `src` in another dtype (or the same). */
cuna_status cuna_array_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype);

/* Fills `out` with a contiguous copy of `src` on any device. */
cuna_status cuna_array_to(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_device *device);

/* Copies src into dst asynchronously. Both are contiguous and have the same dtype and size; exactly one is on the cpu
 * device. Before the array on the cpu device is used again, cuna_array_settle waits for the copy. With memory that is
 * not pinned, the copy is complete when the call returns. VALUE for other arrays. */
cuna_status cuna_array_copy_async(cuna_context *context, const cuna_array *dst, const cuna_array *src);

/* Copies row-major host memory of size * itemsize bytes in or out. `set` returns once the host memory was read,
 * possibly before the device is done; `get` returns when all bytes have arrived. */
cuna_status cuna_array_set(cuna_context *context, const cuna_array *array, const void *host);
cuna_status cuna_array_get(cuna_context *context, const cuna_array *array, void *host);

/* The same for some bytes of a contiguous array, from a byte on. */
cuna_status cuna_array_set_bytes(cuna_context *context, const cuna_array *array, int64_t offset, const void *host,
                                 int64_t nbytes);
cuna_status cuna_array_get_bytes(cuna_context *context, const cuna_array *array, int64_t offset, void *host,
                                 int64_t nbytes);

/* The address at which the host may read and write a contiguous array now; NULL when it has no access and bytes must be
 * copied with set and get. VALUE while a graph records. */
cuna_status cuna_array_host(void **out, cuna_context *context, const cuna_array *array);

/* The address of the element at `offset` from the array's first, if the host may read it immediately, or write it, after
 * recorded operations that read it. NULL for freed (read-only) arrays, and when access needs a wait or a copy. */
const void *cuna_array_touch(const cuna_context *context, const cuna_array *array, int64_t offset);
void *cuna_array_touch_to_write(const cuna_context *context, const cuna_array *array, int64_t offset);

/* Reads or writes the element at `offset` from the array's first. Reading waits for the device. */
cuna_status cuna_array_read(cuna_number *out, cuna_context *context, const cuna_array *array, int64_t offset);
cuna_status cuna_array_write(cuna_context *context, const cuna_array *array, int64_t offset, const cuna_number *number);

/* ---- device/context.c ------------------------------------------------------------------------------------------------ */

/* Creates a context whose current device is the default one: the device that CUNA_DEVICE names, which must exist; else
 * the first CUDA device if it is usable (cuna_device_check_cuda), else the cpu device. The last two are chosen when the
 * device is first needed, so creating a context does not load CUDA. The caller destroys the context. VALUE, DEVICE:
 * CUNA_DEVICE is wrong. */
cuna_status cuna_context_create(cuna_context **out);
void cuna_context_destroy(cuna_context *context);

/* The current device, chosen at the first call. */
cuna_device *cuna_context_device(cuna_context *context);

/* The current device, or NULL before it was chosen or set. */
cuna_device *cuna_context_peek_device(const cuna_context *context);

/* Makes a device current; NULL restores the default. */
void cuna_context_set_device(cuna_context *context, cuna_device *device);

/* The reason why the default device was chosen, as text; "" before the choice. */
const char *cuna_context_reason(const cuna_context *context);

/* Waits for all work submitted to a device (NULL: the current one), and raises errors that kernels of the context
 * reported. DEVICE, VALUE, LINALG. */
cuna_status cuna_context_synchronize(cuna_context *context, cuna_device *device);

/* After a collection for want of memory: waits until what this thread gave up goes back to its owners, memory of other
 * libraries and that of textures. Their functions are called. */
void cuna_context_settle(void);

/* The context's current stream on a device; initially the device's default stream. Borrowed. Setting a stream retains
 * it; NULL is the default stream. */
cuna_stream *cuna_context_stream(cuna_context *context, cuna_device *device);
void cuna_context_set_stream(cuna_context *context, cuna_device *device, cuna_stream *stream);

/* The allocator of the context's arrays; NULL is the default. Setting an allocator retains it. */
cuna_allocator *cuna_context_allocator(const cuna_context *context);
void cuna_context_set_allocator(cuna_context *context, cuna_allocator *allocator);

/* Forbids waiting. While `reason` is set ("cn.no_sync", "a graph's capture"), or while a capture that this context
 * began is open, every call that would wait for any device fails with VALUE, which names the call. "" always allows
 * waiting; NULL allows it unless a capture is open. Returns the previous reason. */
const char *cuna_context_forbid_waiting(cuna_context *context, const char *reason);

/* While a device is set, work for others fails with VALUE: a graph records one device. Returns the previous one. */
cuna_device *cuna_context_confine(cuna_context *context, cuna_device *device);

/* OK, or VALUE with "<name>: waits for the device, and <reason> forbids that". */
cuna_status cuna_context_check_waiting(const cuna_context *context, const char *name);

/* ---- device.c ------------------------------------------------------------------------------------------------- */

/* Finds a device by its public name ("cpu", "cuda:1"; "cuda" is "cuda:0") and opens it at its first use. VALUE with the
 * existing devices; DEVICE when CUDA cannot be used. */
cuna_status cuna_device_find(cuna_device **out, const char *name);

/* The number of devices of a kind ("cpu", "cuda"); 0 when they cannot be used. Does not open them. */
int cuna_device_count(const char *kind);

/* Checks that CUDA devices are usable: OK when the driver loads and finds at least one device, and NVRTC can compile
 * for it; otherwise DEVICE or COMPILE with a line that names what is missing. Does not open a device. */
cuna_status cuna_device_check_cuda(void);

/* Describes the libraries and tools that a kind of device uses, as names and values: "library" (of the driver),
 * "version", "compiler", "compiler_version", "threads", "instructions", "place" (of the compiler's files),
 * "image_place"; "missing" is a line about what was not found, "remedy" how to install a missing compiler. */
void cuna_device_describe_driver(void (*emit)(void *data, const char *name, const char *value), void *data,
                                 const char *kind);

/* Public name, kind ("cpu"), number within its kind, and the vendor's model name. */
const char *cuna_device_name(const cuna_device *device);
const char *cuna_device_kind(const cuna_device *device);
int cuna_device_id(const cuna_device *device);
const char *cuna_device_model(const cuna_device *device);

/* Lanes of a block in cuna's built-in kernels: a single lane walks runs of elements; several take neighbouring
 * elements. */
int cuna_device_lanes(const cuna_device *device);

/* Whether the host may read and write the device's memory directly. */
bool cuna_device_is_host(const cuna_device *device);

/* Whether the device works asynchronously to the host. */
bool cuna_device_is_asynchronous(const cuna_device *device);

/* The range of stream priorities: 0 is the lowest; the highest is negative, or 0. DEVICE. */
cuna_status cuna_device_stream_priorities(int *least, int *greatest, cuna_device *device);

/* ---- device/attributes.c -------------------------------------------------------------------------------------- */

/* Compute capability, such as 9 and 0. VALUE on a device without one. */
cuna_status cuna_device_compute_capability(int *major, int *minor, cuna_device *device);

/* The device's memory in bytes: its total, and the currently free and total bytes available to this process. DEVICE. */
cuna_status cuna_device_total_memory(int64_t *nbytes, cuna_device *device);
cuna_status cuna_device_memory_info(int64_t *free_nbytes, int64_t *total_nbytes, cuna_device *device);

/* "0000:65:00.0". VALUE on a device without a PCI bus ID. */
cuna_status cuna_device_pci_bus_id(char *text, size_t nbytes, cuna_device *device);

/* The name of attribute `index` (from 0), such as "MultiProcessorCount"; NULL after the last. */
const char *cuna_device_attribute_name(int index);

/* An attribute's value. VALUE when the name is unknown, or the device does not know it. */
cuna_status cuna_device_attribute(int *value, cuna_device *device, const char *name);

/* The compiler options of the device's kernels, separated by spaces. COMPILE without a compiler. */
cuna_status cuna_device_options(char *text, size_t nbytes, cuna_device *device);

/* ---- compile_log.c -------------------------------------------------------------------------------------------- */

/* What this process compiled and loaded, in units. */
typedef struct cuna_compile_stats {
    int64_t compiled, background, failed; /* the others are among the compiled ones */
    int64_t loaded;                       /* from disk */
    int64_t kernels;                      /* that were compiled */
    double compile_s, wait_s;             /* of compilers; that threads waited, those in the background excepted */
} cuna_compile_stats;

/* Reads the counts. */
void cuna_compile_get_stats(cuna_compile_stats *out);

/* ---- loaded.c ------------------------------------------------------------------------------------------------- */

/* How many modules that nothing refers to stay loaded on each device, 32 at first; returns the number before. */
int cuna_set_spare_modules(int count);

/* ---- program.c ------------------------------------------------------------------------------------------------ */

#define CUNA_MAX_INSTRUCTIONS 128
#define CUNA_MAX_TABLE        480 /* words of a program's table: with all else within 4 KiB of arguments */
#define CUNA_MAX_ARGUMENTS    16

/* Declares an operation: a name for messages and kernel names, the number of arguments of its expression (called a, b,
 * c, d) and the expression, in the vocabulary of kernels/scalar.cuh. The id is stable for the process; the same name
 * and expression have the same id. */
cuna_status cuna_operation_define(uint16_t *id, const char *name, int nargs, const char *expression);

/* Declares how a reduction folds, as texts in the vocabulary of kernels/reduce.cuh. `state` is the accumulator's type
 * (A: the dtype tag it accumulates in, T: its value type), `identity` the initial state, `lift` a state from a value
 * `a` at position `i` (from 0), `combine` a state from states `a`, `b` (a earlier), `finish` a value from a state `a`
 * and the count `n`. */
typedef struct cuna_reducer {
    const char *name, *state, *identity, *lift, *combine, *finish;
} cuna_reducer;
cuna_status cuna_reducer_define(uint16_t *id, const cuna_reducer *reducer);

/* What a step's value is to a fold that would run by itself, after all steps before it: the fold's own, one of those
 * that it computes itself; a new array; a view of every second element of its argument (a part of complex numbers). */
typedef enum cuna_stored { CUNA_STORED_NOT, CUNA_STORED_WHOLE, CUNA_STORED_PART } cuna_stored;

/* One step: value = operation(args converted to arg_dtype), rounded to dtype. Values are numbered: inputs from 0, then
 * the index (if used), then one per instruction. A program in stages may have steps that fold: the value is the
 * reduction of argument 0 over all elements of a row, accumulated in arg_dtype[0]; argument 1, if present, is the
 * reducer's `extra`. */
typedef struct cuna_instruction {
    uint16_t operation; /* or reducer */
    uint8_t nargs;
    uint8_t dtype;
    uint8_t arg[CUNA_MAX_ARGUMENTS];
    uint8_t arg_dtype[CUNA_MAX_ARGUMENTS];
    uint8_t folds;
    uint8_t stored;     /* cuna_stored */
    uint8_t multiplies; /* the value is an element of the product of two matrices, which are inputs */
} cuna_instruction;

/* The order in which a walk visits elements when a block is one lane; it decides which of several writes to one element
 * wins: any order; row-major in one block; row-major within each row along the innermost axis, each row in a separate
 * block. */
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
    CUNA_PROGRAM_SELECT,      /* the elements at places of sorted rows */
    CUNA_PROGRAM_PART,        /* rows parted around the element at a place: what is before, its equals, the others */
    CUNA_PROGRAM_ARGPART,     /* the positions (int64, from 1) that part the rows */
    CUNA_PROGRAM_PRODUCT,     /* the product of two matrices */
    CUNA_PROGRAM_PRODUCTS,    /* each element, by steps of which some multiply matrices that have few tiles */
    CUNA_PROGRAM_COMPACT,     /* what a mask, the first input, selects: elements of the second one, or positions */
    CUNA_PROGRAM_CONVOLVE,    /* sums of products of a short vector and parts of a long one; its only step multiplies */
    CUNA_PROGRAM_FACTOR,      /* an operation of LAPACK over small real matrices: its only step names it */
    CUNA_PROGRAM_KINDS        /* how many there are */
} cuna_program_kind;

/* Whether steps of a program use addresses: they may read and write there; they only read, with outputs for what they read. */
enum { CUNA_GATHERS_NOT, CUNA_GATHERS, CUNA_GATHERS_READING };

/* Inputs that are not elements: a number; a table of words (at most one, in elementwise programs), whose value is its
 * address (int64); the address of the walk's element in an array, or, with CUNA_GATHERS, of the array's first one. */
enum { CUNA_SCALAR_NUMBER = 1, CUNA_SCALAR_TABLE = 2, CUNA_ADDRESS_ELEMENT = 1, CUNA_ADDRESS_HEAD = 2 };

/* What a program computes per element. Zeroed before filling: its bytes are its identity. */
typedef struct cuna_program_text {
    uint8_t kind; /* cuna_program_kind */
    uint8_t ninputs, noutputs, ninstructions;
    uint8_t uses_index; /* value `ninputs` is the element's row-major position (int64) */
    uint8_t input_dtype[CUNA_MAX_OPERANDS];
    uint8_t input_scalar[CUNA_MAX_OPERANDS];  /* CUNA_SCALAR_*: what is given by value; 0: an array */
    uint8_t input_address[CUNA_MAX_OPERANDS]; /* CUNA_ADDRESS_*; 0: the value is the element; kernels/gather.cuh */
    uint8_t output_value[CUNA_MAX_OPERANDS];  /* which value each output stores */
    uint8_t output_dtype[CUNA_MAX_OPERANDS];
    uint8_t accumulator; /* cuna_dtype, of folds and scans by `reducer` */
    uint8_t stages;      /* of programs in stages: how often a row is read, at least, for the steps that fold; else 0 */
    uint8_t output_row[CUNA_MAX_OPERANDS]; /* of programs in stages: 1: an output has one value for each row */
    uint16_t reducer, statement;           /* the latter is 0, or the id of what computes all outputs from all inputs */
    uint8_t sorts_above; /* low bytes of elements that the order need not regard: what differs there may stay equal */
    uint8_t gathers;     /* CUNA_GATHERS_*: steps read or write at addresses; such a program needs no outputs */
    uint8_t is_sure; /* of programs that gather: all addresses are those of elements, or 0; none is reported as bad */
    /* 0, or the bytes that a block of many lanes needs for its share of an element: the last step adds to an element of a
     * table, whose address is the first input, and whose length the last one, a number. */
    uint8_t tally_nbytes;
    uint8_t together;  /* 0, or how many blocks, whose lanes do the last step together, a multiprocessor has room for */
    uint8_t span_log2; /* of elements that one step makes: a block does so many fewer steps */
    uint8_t in_order;  /* cuna_order, of programs without outputs */
    uint8_t reads_outputs; /* the statement finds the old values in its outputs */
    uint8_t indexer;       /* 0, or 1 + the axes that `_ind`, or the `_in_ind` of a fold, has */
    uint8_t nraws;         /* arrays that only the statement indexes; the walk does not know them */
    uint16_t table;        /* words of the input that is a table; 0: none is */
    uint8_t raw_dtype[CUNA_MAX_RAWS], raw_ndim[CUNA_MAX_RAWS], raw_writable[CUNA_MAX_RAWS];
    cuna_instruction instruction[CUNA_MAX_INSTRUCTIONS];
} cuna_program_text;

/* Interns a program: equal texts give the same pointer, with a new reference each time. VALUE for an invalid text. */
cuna_status cuna_program_intern(const cuna_program **out, const cuna_program_text *text);
const cuna_program_text *cuna_program_get_text(const cuna_program *program);

/* References to a program. The last release frees it with its kernels; no call with it may be in progress. A caller
 * that never releases its reference keeps the program for the life of the process. */
void cuna_program_retain(const cuna_program *program);
void cuna_program_release(const cuna_program *program);

/* Says how a program of numbers and positions is faster to run where its output is new or contiguous, on devices whose
 * blocks have one lane or many: `filler` makes it in one piece, over so many positions for so many elements, from the
 * output's address, its size and the program's inputs. Neither is ever freed. */
void cuna_program_set_filler(const cuna_program *program, bool many_lanes, const cuna_program *filler,
                             int64_t nelements, int64_t npositions);

/* ---- work/elementwise.c -------------------------------------------------------------------------------------------- */

/* An input of a program: an array, or (array NULL) the number of a scalar input, or the words of its table, which the
 * call copies. */
typedef struct cuna_operand {
    const cuna_array *array;
    union {
        cuna_number number;
        const int64_t *table;
    };
} cuna_operand;

/* Runs a program over its inputs, broadcast together. Outputs with a buffer are written: they have the result's shape
 * and a dtype that same-kind casting allows; inputs that overlap them are copied first. Empty outputs are created on
 * the inputs' device with `shape` (or, with ndim < 0, the broadcast shape). `name` is the operation's for messages.
 * VALUE: shapes that do not broadcast, mixed devices; MEMORY: nothing happened; COMPILE. */
cuna_status cuna_elementwise(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape);

#include "cuna_comm.h"
#include "cuna_curand.h"
#include "cuna_exchange.h"
#include "cuna_fft.h"
#include "cuna_lapack.h"
#include "cuna_matmul.h"
#include "cuna_memory.h"
#include "cuna_prepare.h"
#include "cuna_raw.h"
#include "cuna_record.h"
#include "cuna_reduce.h"
#include "cuna_result.h"
#include "cuna_statement.h"
#include "cuna_streams.h"
#include "cuna_texture.h"
#pragma GCC visibility pop
#endif
