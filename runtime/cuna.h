/* cuna.h: the door. Everything a program in C, or the Lua bindings, may call; in sections named after the .c files.
 *
 * Functions return cuna_status (0 is success; cuna_message() has the line) and give results through their first
 * parameters. What leaves through `out` is owned by the caller; a returned pointer is borrowed; parameters are borrowed,
 * and who keeps one retains it. Release is always legal: on zeroed structs, twice, and after shutdown. */
#ifndef CUNA_H
#define CUNA_H

#include "base.h"
#include "dtype.h"
#include "shape.h"
#include "status.h"

typedef struct cuna_context cuna_context; /* what is current: device; one per lua_State or thread of control */
typedef struct cuna_device cuna_device;   /* one per device and process, never destroyed */
typedef struct cuna_buffer cuna_buffer;   /* refcounted device memory shared by an array and its views */
typedef struct cuna_program cuna_program; /* an interned typed list of instructions, never destroyed */

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
    CUNA_ARRAY_READONLY = 4,   /* a broadcast view: elements share memory */
    CUNA_ARRAY_FOREIGN = 8,    /* over memory that is not cuna's (cuna_array_wrap) */
};

/* Fills `out` with a new array of unspecified values on the context's device. MEMORY, VALUE for a bad shape. */
cuna_status cuna_array_create(cuna_array *out, cuna_context *context, cuna_dtype dtype, int ndim, const int64_t *shape);

/* The same on a given device. */
cuna_status cuna_array_create_on(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim,
                                 const int64_t *shape);

/* Fills `out` with an array over foreign memory of the cpu device (row-major). `release(owner)` is called once when the
 * last array over it is released; NULL when nothing is to be done. */
cuna_status cuna_array_wrap(cuna_array *out, cuna_device *device, cuna_dtype dtype, int ndim, const int64_t *shape,
                            void *memory, void (*release)(void *owner), void *owner);

/* Fills `out` with a view of `src`: same buffer, first element `geometry->offset` elements on, its shape and strides. The
 * dtype may be another one (then offset and strides count its elements). VALUE when it would leave src's buffer. */
cuna_status cuna_array_view(cuna_array *out, const cuna_array *src, cuna_dtype dtype, const cuna_geometry *geometry);

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

/* Fills `out` with a contiguous copy of `src` in another dtype (or the same). */
cuna_status cuna_array_cast(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_dtype dtype);

/* Fills `out` with a contiguous copy of `src` on a device, another or the same. */
cuna_status cuna_array_to(cuna_array *out, cuna_context *context, const cuna_array *src, cuna_device *device);

/* Copies row-major host memory of size * itemsize bytes in or out. `set` returns when the memory was read, while the
 * device may still be at work; `get` waits until all is there. */
cuna_status cuna_array_set(cuna_context *context, const cuna_array *array, const void *host);
cuna_status cuna_array_get(cuna_context *context, const cuna_array *array, void *host);

/* Reads or writes the one element `offset` elements from the array's first. Reading waits for the device. */
cuna_status cuna_array_read(cuna_number *out, cuna_context *context, const cuna_array *array, int64_t offset);
cuna_status cuna_array_write(cuna_context *context, const cuna_array *array, int64_t offset, const cuna_number *number);

/* ---- cache.c -------------------------------------------------------------------------------------------------- */

/* The folder of compiled kernels, or NULL and a reason when the disk cache is off. */
const char *cuna_cache_folder(const char **reason);

/* ---- context.c ------------------------------------------------------------------------------------------------ */

/* A context whose current device is the default one: the one that CUNA_DEVICE names, which must be there; else the first
 * CUDA device when it is usable (cuna_device_check_cuda), else the cpu device. These two are looked for at the first
 * question, so that creating a context loads nothing of CUDA. The caller destroys it. VALUE, DEVICE: CUNA_DEVICE. */
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

/* Waits for all work given to the current device. */
cuna_status cuna_context_synchronize(cuna_context *context);

/* ---- device.c ------------------------------------------------------------------------------------------------- */

typedef struct cuna_memory_stats {
    int64_t used_nbytes, free_nbytes, total_nbytes; /* of the pool: used + free = total */
    int64_t free_blocks, limit_nbytes;
    int64_t device_free_nbytes, device_total_nbytes;
} cuna_memory_stats;

#define CUNA_MAX_DEVICES 32 /* opened in one process */

/* Finds a device by its public name ("cpu", "cuda:1"; "cuda" is "cuda:0") and opens it at its first use. VALUE with what
 * there is; DEVICE when CUDA cannot be used. */
cuna_status cuna_device_find(cuna_device **out, const char *name);

/* How many devices of a kind ("cpu", "cuda") this machine has; 0 when they cannot be used. Opens none of them. */
int cuna_device_count(const char *kind);

/* Whether CUDA devices can be used: OK when the driver loads and finds at least one, and NVRTC is there to compile for
 * it; DEVICE or COMPILE and a line with what is missing otherwise. Opens none of them. */
cuna_status cuna_device_check_cuda(void);

/* Tells what was found of the libraries and tools behind a kind of device, as names and values: "library" (of the
 * driver), "version", "compiler", "compiler_version", "threads", "instructions"; "missing" is a line about what is not
 * there, "remedy" what to do about a missing compiler. */
void cuna_device_describe_driver(void (*emit)(void *data, const char *name, const char *value), void *data,
                                 const char *kind);

/* Public name, kind ("cpu"), number within its kind, and the maker's name for it. */
const char *cuna_device_name(const cuna_device *device);
const char *cuna_device_kind(const cuna_device *device);
int cuna_device_id(const cuna_device *device);
const char *cuna_device_model(const cuna_device *device);

/* Whether the host may read and write the device's memory directly. */
bool cuna_device_is_host(const cuna_device *device);

/* Waits for all work given to the device. */
cuna_status cuna_device_synchronize(cuna_device *device);

/* What the device's pool and the device itself hold. */
void cuna_device_memory(cuna_memory_stats *out, cuna_device *device);

/* Gives cached blocks back to the driver. */
void cuna_device_trim(cuna_device *device);

/* Limits what the pool holds, in bytes; 0 removes the limit. */
void cuna_device_set_limit(cuna_device *device, int64_t nbytes);

/* Pacing of collectors. `marks` has room for CUNA_MAX_DEVICES numbers, 0 at first: due says whether more was taken from
 * some device since the marks were set than its collector should leave lying, mark sets them. */
bool cuna_device_garbage_due(const int64_t *marks);
void cuna_device_mark_garbage(int64_t *marks);

/* ---- device_attributes.c -------------------------------------------------------------------------------------- */

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
#define CUNA_MAX_ARGUMENTS    4

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

/* Declares a statement: a user's text that computes an element in place of instructions. `names` are those of inputs, then
 * outputs, then raw arrays, separated by spaces. The text knows them, `i` (the element's row-major position), `n` (how many
 * there are), `_ind` (the positions along axes) and what `types` and `preamble` declare; `before` and `after` stand around
 * it. kernels/statement.cuh says what raw arrays can do.
 *
 * A statement with a `state` (a type's text, else "") folds or scans instead: `text` is an expression that makes a state
 * of an element, `identity` one for a state, `combine` one of states `a` and `b`, and `finish` statements that compute the
 * outputs of a state `a`. `i` is then the position in the folded space, or along the scanned axis, and `n` its size. */
typedef struct cuna_statement {
    const char *name, *text, *before, *after, *types, *preamble, *names;
    const char *state, *identity, *combine, *finish;
} cuna_statement;
cuna_status cuna_statement_define(uint16_t *id, const cuna_statement *statement);

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

/* What a program computes per element. Zeroed before filling: its bytes are its identity. */
typedef struct cuna_program_text {
    uint8_t ninputs, noutputs, ninstructions;
    uint8_t uses_index; /* value `ninputs` is the element's row-major position (int64) */
    uint8_t input_dtype[CUNA_MAX_OPERANDS];
    uint8_t input_scalar[CUNA_MAX_OPERANDS]; /* 1: a number given by value */
    uint8_t output_value[CUNA_MAX_OPERANDS]; /* which value each output stores */
    uint8_t output_dtype[CUNA_MAX_OPERANDS];
    uint8_t reduces;     /* 1: values are folded, by `reducer` in `accumulator`, or by the statement */
    uint8_t scans;       /* of folds: 0, or 1 when every element gets its fold with all before it, 2 without itself */
    uint8_t accumulator; /* cuna_dtype */
    uint8_t stages;      /* how often a row is read, at least, for the steps that fold; 0: none does */
    uint8_t output_row[CUNA_MAX_OPERANDS]; /* of programs in stages: 1: an output has one value for each row */
    uint16_t reducer;
    uint16_t statement;    /* 0, or the id of the statement that computes all outputs from all inputs */
    uint8_t reads_outputs; /* the statement finds the old values in its outputs */
    uint8_t indexer;       /* 0, or 1 + the axes that `_ind` has */
    uint8_t nraws;         /* arrays that only the statement indexes; the walk does not know them */
    uint8_t raw_dtype[CUNA_MAX_RAWS], raw_ndim[CUNA_MAX_RAWS], raw_writable[CUNA_MAX_RAWS];
    cuna_instruction instruction[CUNA_MAX_INSTRUCTIONS];
} cuna_program_text;

/* Interns a program: equal texts give the same pointer. VALUE for a text that makes no sense. */
cuna_status cuna_program_intern(const cuna_program **out, const cuna_program_text *text);

/* The text a program was interned from; borrowed. */
const cuna_program_text *cuna_program_get_text(const cuna_program *program);

/* ---- elementwise.c -------------------------------------------------------------------------------------------- */

/* An input of a program: an array, or (array NULL) a number for a scalar input. */
typedef struct cuna_operand {
    const cuna_array *array;
    cuna_number number;
} cuna_operand;

/* Runs a program over its inputs, broadcast together. Outputs with a buffer are written (shape must be the result's,
 * dtype any that same-kind casting reaches; inputs that overlap them are copied first); empty ones are made on the
 * inputs' device with `shape` (or, with ndim < 0, the broadcast shape). `name` is the operation's for messages.
 * VALUE: shapes that do not broadcast, mixed devices; MEMORY: nothing happened; COMPILE. */
cuna_status cuna_elementwise(cuna_context *context, const char *name, const cuna_program *program,
                             const cuna_operand *inputs, cuna_array *const *outputs, int ndim, const int64_t *shape);

/* ---- reduce.c ------------------------------------------------------------------------------------------------- */

/* Runs a reducing program over the axes in `axes` (bit k: axis k of the broadcast inputs, from 0). Outputs with a buffer
 * are written (their shape must be the result's), empty ones are made; `keepdims` leaves axes of length 1 where axes were
 * reduced. `extra` is a number that the reducer's finish may use. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_reduce(cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, bool keepdims,
                        double extra);

/* ---- reduce_scan.c -------------------------------------------------------------------------------------------- */

/* Runs a scanning program along an axis (from 0) of its inputs, broadcast together, or, with axis -1, over all their
 * elements in row-major order, as one axis. Outputs have the shape of the broadcast inputs, or one axis; those with a
 * buffer are written (inputs that overlap them other than element for element are copied first), empty ones are made.
 * Results are the same for any number of threads. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_scan(cuna_context *context, const char *name, const cuna_program *program, const cuna_operand *inputs,
                      cuna_array *const *outputs, int axis);

/* ---- raw.c ---------------------------------------------------------------------------------------------------- */

/* Kernels that users write whole, in CUDA C++. Modules live as long as the process, functions are their owner's. */
typedef struct cuna_raw_module cuna_raw_module;
typedef struct cuna_raw_function cuna_raw_function;

/* A user's source. `expressions` name the kernels that are wanted of it, and variables by their address: "f", "f<float>",
 * "&ns::limit". The options come behind the device's own, and replace those of them that they contradict. */
typedef struct cuna_raw_source {
    const char *name, *text; /* what messages call it; the source */
    int noptions, nexpressions;
    const char *const *options;
    const char *const *expressions;
} cuna_raw_source;

/* Compiles a source for a device; an equal one gives the same module, found in memory or on disk, as long as the files
 * that it includes are the same. COMPILE with the compiler's first error at its line of the text; VALUE for options that
 * are the device's business. */
cuna_status cuna_raw_compile(const cuna_raw_module **out, cuna_device *device, const cuna_raw_source *source);

/* Loads an image that was made elsewhere (cubin, fatbin, or PTX text with a NUL behind it, which `nbytes` does not
 * count); equal bytes give the same module. VALUE when it does not suit the device. */
cuna_status cuna_raw_load(const cuna_raw_module **out, cuna_device *device, const char *name, const void *image,
                          size_t nbytes);

#define CUNA_RAW_MAX_PARAMS 256

/* How a parameter of a kernel was declared. OPAQUE: of a type that is not known here, passed as bytes. */
typedef enum cuna_raw_kind {
    CUNA_RAW_POINTER,
    CUNA_RAW_NUMBER,
    CUNA_RAW_OPAQUE,
} cuna_raw_kind;

typedef struct cuna_raw_param {
    const char *name;
    cuna_raw_kind kind;
    cuna_dtype dtype; /* CUNA_DTYPES for a pointer to anything */
    int lanes;        /* 4 for float4, else 1 */
    bool is_const;    /* what it points to is only read */
} cuna_raw_param;

/* Makes the function that `expression` names in a module: one of its source's expressions, or a symbol. `name` is what
 * messages call it. With params NULL all are opaque, and the device must tell their sizes; where it can tell, the sizes of
 * given params are checked. VALUE, DEVICE. The caller destroys it. */
cuna_status cuna_raw_function_create(cuna_raw_function **out, const cuna_raw_module *module, const char *expression,
                                     const char *name, int nparams, const cuna_raw_param *params);
void cuna_raw_function_destroy(cuna_raw_function *function);

/* The name of a function, and of its parameter `index`, for messages; borrowed. */
const char *cuna_raw_function_name(const cuna_raw_function *function);
const char *cuna_raw_param_name(const cuna_raw_function *function, int index);

/* How many parameters a function has. */
int cuna_raw_nparams(const cuna_raw_function *function);

/* A value for a parameter. WORDS is no value: it says in `words` what was given in its place, "nil" for nothing. */
typedef struct cuna_raw_argument {
    enum { CUNA_RAW_ARRAY, CUNA_RAW_ADDRESS, CUNA_RAW_SCALAR, CUNA_RAW_BYTES, CUNA_RAW_WORDS } kind;
    union {
        const cuna_array *array;
        uint64_t address; /* of device memory, unchecked */
        cuna_number number;
        const char *words;
        struct {
            const void *bytes;
            size_t nbytes;
        };
    };
} cuna_raw_argument;

/* Blocks and threads along x, y and z; bytes of `extern __shared__` memory of a block. */
typedef struct cuna_raw_launch_shape {
    int64_t grid[3], block[3], shared_nbytes;
    bool cooperative; /* all blocks are on the device at once (grid synchronisation) */
} cuna_raw_launch_shape;

/* Launches a function on the context's stream. Arguments are checked first: an array for a pointer must be C-contiguous,
 * on the function's device, of its dtype and, unless the pointer is const, writable; a number must be in range; an opaque
 * parameter takes exactly its bytes, the element of a 0-d array of its size, or the address of another array. Values are
 * copied by the call. VALUE for any of these and for sizes that the device does not have; DEVICE. */
cuna_status cuna_raw_launch(cuna_context *context, cuna_raw_function *function, const cuna_raw_launch_shape *shape,
                            int narguments, const cuna_raw_argument *arguments);

/* Reads and sets an attribute of a function, by its number in CUfunction_attribute. VALUE when the device does not know
 * it, or does not take the value. */
cuna_status cuna_raw_attribute(int *value, const cuna_raw_function *function, int attribute);
cuna_status cuna_raw_set_attribute(cuna_raw_function *function, int attribute, int value);

/* Fills `out` with an array of one axis over a module's variable, named by an expression of its source or a symbol; `size`
 * in elements, -1 for as many as it has. VALUE when there is none, or when it is smaller. */
cuna_status cuna_raw_global(cuna_array *out, const cuna_raw_module *module, const char *variable, cuna_dtype dtype,
                            int64_t size);

/* ---- reduce_stages.c ------------------------------------------------------------------------------------------ */

/* Runs a program in stages: a row is what one position of the axes that are not in `axes` folds, and all its stages are
 * done while it stays in a cache. Outputs have the shape of the broadcast inputs, or, with one value per row, the shape
 * that cuna_reduce gives them (bit k of `keepdims`: output k). *ran says whether it did: where rows are few, or do not lie
 * along memory, reductions one by one are faster, and nothing was done. VALUE, MEMORY, COMPILE as cuna_elementwise. */
cuna_status cuna_stages(bool *ran, cuna_context *context, const char *name, const cuna_program *program,
                        const cuna_operand *inputs, cuna_array *const *outputs, uint32_t axes, uint32_t keepdims);

/* ---- prepare.c ------------------------------------------------------------------------------------------------ */

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

#endif
