/* cuna_raw.h: the public functions for raw kernels; cuna.h includes it. */
#ifndef CUNA_RAW_DOOR_H
#define CUNA_RAW_DOOR_H

/* ---- raw.c ---------------------------------------------------------------------------------------------------- */

/* Raw kernels: the user's CUDA C++ source. Modules are counted; a function has one owner. */
typedef struct cuna_raw_module cuna_raw_module;
typedef struct cuna_raw_function cuna_raw_function;

/* A user's source. `expressions` name the kernels to compile, and variables by their address: "f", "f<float>",
 * "&ns::limit". The options follow the device's options and override them where they conflict. */
typedef struct cuna_raw_source {
    const char *name, *text; /* its name in messages; the source */
    int noptions, nexpressions;
    const char *const *options;
    const char *const *expressions;
} cuna_raw_source;

/* Compiles a source for a device. An equal source returns the same module, from memory or from disk, while the files
 * that it includes are unchanged. The caller releases it. COMPILE with the compiler's first error at its line of the
 * text; VALUE for options that only the device may set. */
cuna_status cuna_raw_compile(const cuna_raw_module **out, cuna_device *device, const cuna_raw_source *source);

/* Loads an image that was compiled elsewhere: cubin, fatbin, or PTX text followed by a NUL that `nbytes` does not
 * count. Equal bytes return the same module. The caller releases it. VALUE when it does not match the device. */
cuna_status cuna_raw_load(const cuna_raw_module **out, cuna_device *device, const char *name, const void *image,
                          size_t nbytes);

/* References to a module; functions and arrays over variables hold separate ones. A module without references may be
 * unloaded; when it is loaded again, its variables have their initial values. */
void cuna_raw_module_retain(const cuna_raw_module *module);
void cuna_raw_module_release(const cuna_raw_module *module);

#define CUNA_RAW_MAX_PARAMS 256

/* How a kernel parameter was declared. TEXTURE, SURFACE: the object's handle. OPAQUE: its type is unknown; it is passed as
 * bytes. CARRAY: a CArray of <cupy/carray.cuh>, by value. */
typedef enum cuna_raw_kind {
    CUNA_RAW_POINTER,
    CUNA_RAW_NUMBER,
    CUNA_RAW_OPAQUE,
    CUNA_RAW_TEXTURE,
    CUNA_RAW_SURFACE,
    CUNA_RAW_CARRAY,
} cuna_raw_kind;

typedef struct cuna_raw_param {
    const char *name;
    cuna_raw_kind kind;
    cuna_dtype dtype;   /* CUNA_DTYPES for a pointer to anything */
    int lanes;          /* 4 for float4, else 1 */
    int axes;           /* of a CArray */
    bool is_const;      /* it points to read-only data */
    bool is_contiguous; /* a CArray that is only for contiguous arrays */
} cuna_raw_param;

/* Creates the function that `expression` names in a module: one of its source's expressions, or a symbol. `name` is its
 * name in messages. With params NULL all parameters are opaque, and the device must report their sizes; if the device
 * reports sizes, those of given params are checked. VALUE, DEVICE. The caller destroys it. */
cuna_status cuna_raw_function_create(cuna_raw_function **out, const cuna_raw_module *module, const char *expression,
                                     const char *name, int nparams, const cuna_raw_param *params);
void cuna_raw_function_destroy(cuna_raw_function *function);

/* The name of a function, and of its parameter `index`, for messages; borrowed. */
const char *cuna_raw_function_name(const cuna_raw_function *function);
const char *cuna_raw_param_name(const cuna_raw_function *function, int index);

/* The number of parameters of a function. */
int cuna_raw_nparams(const cuna_raw_function *function);

/* A value for a parameter. WORDS marks an invalid value: `words` describes what was passed, "nil" for nothing. */
typedef struct cuna_raw_argument {
    enum { CUNA_RAW_ARRAY, CUNA_RAW_OBJECT, CUNA_RAW_ADDRESS, CUNA_RAW_SCALAR, CUNA_RAW_BYTES, CUNA_RAW_WORDS } kind;
    union {
        const cuna_array *array;
        const struct cuna_texture *object;
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
    bool cooperative; /* all blocks are resident at once (grid synchronisation) */
} cuna_raw_launch_shape;

/* Launches a function on the context's stream. Arguments are checked first: an array for a pointer must be
 * C-contiguous, on the function's device, of its dtype and, unless the pointer is const, writable; for a CArray it must
 * have its axes, and any strides unless the class says that it is contiguous; a number must be in
 * range; an opaque parameter takes exactly its bytes, the element of a 0-d array of its size, or the address of another
 * array. The call copies values. VALUE for a failed check and for sizes that exceed the device's limits; DEVICE. */
cuna_status cuna_raw_launch(cuna_context *context, cuna_raw_function *function, const cuna_raw_launch_shape *shape,
                            int narguments, const cuna_raw_argument *arguments);

/* Reads and sets an attribute of a function, by its number in CUfunction_attribute. VALUE when the device does not
 * support the attribute or the value. */
cuna_status cuna_raw_attribute(int *value, const cuna_raw_function *function, int attribute);
cuna_status cuna_raw_set_attribute(cuna_raw_function *function, int attribute, int value);

/* Fills `out` with a 1-d array over a module's variable, named by an expression of its source or a symbol; `size` in
 * elements, -1 for the whole variable. VALUE when the variable does not exist or is smaller. */
cuna_status cuna_raw_global(cuna_array *out, const cuna_raw_module *module, const char *variable, cuna_dtype dtype,
                            int64_t size);

#endif
