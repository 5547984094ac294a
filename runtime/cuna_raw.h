/* cuna_raw.h: the door's part for kernels that users write whole; cuna.h includes it. */
#ifndef CUNA_RAW_DOOR_H
#define CUNA_RAW_DOOR_H

/* ---- raw.c ---------------------------------------------------------------------------------------------------- */

/* Kernels that users write whole, in CUDA C++. Modules are counted, functions are their owner's. */
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
 * that it includes are the same. The caller releases it. COMPILE with the compiler's first error at its line of the text; VALUE for options that
 * are the device's business. */
cuna_status cuna_raw_compile(const cuna_raw_module **out, cuna_device *device, const cuna_raw_source *source);

/* Loads an image that was made elsewhere (cubin, fatbin, or PTX text with a NUL behind it, which `nbytes` does not
 * count); equal bytes give the same module. The caller releases it. VALUE when it does not suit the device. */
cuna_status cuna_raw_load(const cuna_raw_module **out, cuna_device *device, const char *name, const void *image,
                          size_t nbytes);

/* Shares of a module; functions and arrays over variables have their own. One that nobody has may be unloaded: the next
 * of its content begins with variables as the source has them. */
void cuna_raw_module_retain(const cuna_raw_module *module);
void cuna_raw_module_release(const cuna_raw_module *module);

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

#endif
