/* raw_argument.c: converts values to the parameters of raw kernels.
 *
 * A kernel cannot check the bytes that it gets. So every known property of a value is checked here, before the launch,
 * and errors name the kernel and the parameter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "work/raw.h"

#define VECTOR_ALIGN 16 /* of the largest vector types */

/* "float32"; "4 x float32" for float4. */
static const char *type_text(char *text, size_t nbytes, const cuna_raw_slot *slot)
{
    if (slot->lanes > 1)
        snprintf(text, nbytes, "%d x %s", slot->lanes, cuna_dtype_name(slot->dtype));
    else
        snprintf(text, nbytes, "%s", cuna_dtype_name(slot->dtype));
    return text;
}

static bool is_object(const cuna_raw_slot *slot)
{
    return slot->kind == CUNA_RAW_TEXTURE || slot->kind == CUNA_RAW_SURFACE;
}

const char *cuna__raw_slot_text(char *text, size_t nbytes, const cuna_raw_slot *slot)
{
    char type[48];
    if (slot->kind == CUNA_RAW_OPAQUE)
        snprintf(text, nbytes, "%d bytes", slot->nbytes);
    else if (is_object(slot))
        snprintf(text, nbytes, slot->kind == CUNA_RAW_TEXTURE ? "a texture object" : "a surface object");
    else if (slot->kind == CUNA_RAW_NUMBER)
        type_text(text, nbytes, slot);
    else if (slot->kind == CUNA_RAW_CARRAY)
        snprintf(text, nbytes, "a CArray of %s with %d ax%cs", cuna_dtype_name(slot->dtype), slot->axes,
                 slot->axes == 1 ? 'i' : 'e');
    else if (slot->dtype == CUNA_DTYPES)
        snprintf(text, nbytes, "a pointer");
    else
        snprintf(text, nbytes, "a pointer to %s", type_text(type, sizeof type, slot));
    return text;
}

/* Whether a slot is of pairs (float2) that are what complex numbers of a dtype are in memory. */
static bool is_pair_of(const cuna_raw_slot *slot, cuna_dtype dtype)
{
    return slot->lanes == 2 && ((slot->dtype == CUNA_FLOAT32 && dtype == CUNA_COMPLEX64) ||
                                (slot->dtype == CUNA_FLOAT64 && dtype == CUNA_COMPLEX128));
}

/* The parameter is a texture or surface object, and the value is something else. */
static cuna_status refuse_other(const cuna_raw_function *f, const cuna_raw_slot *slot, const char *words)
{
    bool is_surface = slot->kind == CUNA_RAW_SURFACE;
    return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is a %s object; pass a cn.cuda.texture.%s, got %s", f->name,
                     slot->name, is_surface ? "surface" : "texture", is_surface ? "SurfaceObject" : "TextureObject",
                     words);
}

/* ---- numbers ---- */

static cuna_status refuse_number(const cuna_raw_function *f, const cuna_raw_slot *slot, const cuna_number *number)
{
    char text[80];
    const char *problem = "does not fit";
    if (number->kind == CUNA_NUMBER_COMPLEX)
        problem = "is complex";
    else if (number->kind == CUNA_NUMBER_FLOAT && isfinite(number->f) && number->f != floor(number->f))
        problem = "is not whole";
    return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, and %s %s", f->name, slot->name,
                     cuna_dtype_name(slot->dtype), cuna_number_text(text, sizeof text, number), problem);
}

static bool number_suits(const cuna_number *number, cuna_dtype dtype)
{
    char kind = cuna_dtype_kind(dtype);
    if (number->kind == CUNA_NUMBER_COMPLEX)
        return kind == 'c';
    if (kind == 'f' || kind == 'c' || number->kind == CUNA_NUMBER_BOOL)
        return true;
    if (number->kind == CUNA_NUMBER_FLOAT)
        return number->f == 0; /* -0 */
    return cuna_number_fits(number, dtype);
}

static cuna_status put_number(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot,
                              const cuna_number *number)
{
    unsigned char element[16];
    char text[64];
    cuna_dtype complex = slot->dtype == CUNA_FLOAT32 ? CUNA_COMPLEX64 : CUNA_COMPLEX128;
    if (number->kind == CUNA_NUMBER_COMPLEX && is_pair_of(slot, complex)) {
        cuna_number_store(element, complex, number);
        memcpy(bytes, element, (size_t)slot->nbytes);
        return CUNA_OK;
    }
    if (slot->lanes > 1)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got one number; pass a string of its %d bytes", f->name,
                         slot->name, type_text(text, sizeof text, slot), slot->nbytes);
    if (__builtin_expect(!number_suits(number, slot->dtype), 0))
        return refuse_number(f, slot, number);
    cuna_number_store(element, slot->dtype, number);
    memcpy(bytes, element, (size_t)slot->nbytes);
    return CUNA_OK;
}

static bool is_null(const cuna_raw_slot *slot, const cuna_number *number)
{
    return slot->kind == CUNA_RAW_POINTER && number->kind == CUNA_NUMBER_INT && number->i == 0;
}

static cuna_status refuse_number_for(const cuna_raw_function *f, const cuna_raw_slot *slot)
{
    char text[64];
    cuna__raw_slot_text(text, sizeof text, slot);
    if (is_object(slot))
        return refuse_other(f, slot, "a number");
    if (slot->kind == CUNA_RAW_POINTER)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got a number; pass an array, or 0 for a null pointer",
                         f->name, slot->name, text);
    if (slot->kind == CUNA_RAW_CARRAY)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got a number; pass an array", f->name, slot->name,
                         text);
    return cuna_fail(CUNA_VALUE,
                     "%s: parameter '%s' has %s and its type is not known, so a number may mean several things; pass "
                     "cn.scalar(v, dtype) or a string of its bytes",
                     f->name, slot->name, text);
}

/* ---- arrays ---- */

static cuna_status refuse_dtype(const cuna_raw_function *f, const cuna_raw_slot *slot, const cuna_array *array)
{
    char type[64];
    cuna__raw_slot_text(type, sizeof type, slot);
    if (cuna_dtype_kind(array->dtype) == 'c' && cuna_dtype_kind(slot->dtype) == 'f')
        return cuna_fail(CUNA_VALUE,
                         "%s: parameter '%s' is %s, got an array of %s; declare a pointer to %s2, or pass one part: "
                         "x.real:copy(), or both in turn: x:view(\"%s\")",
                         f->name, slot->name, type, cuna_dtype_name(array->dtype),
                         array->dtype == CUNA_COMPLEX64 ? "float" : "double", cuna_dtype_name(slot->dtype));
    return cuna_fail(
        CUNA_VALUE,
        "%s: parameter '%s' is %s, got an array of %s; convert it with x:astype(\"%s\"), or pass its bytes "
        "as they are: x:view(\"%s\")",
        f->name, slot->name, type, cuna_dtype_name(array->dtype), cuna_dtype_name(slot->dtype),
        cuna_dtype_name(slot->dtype));
}

/* A pointer to vectors promises whole vectors that begin where a vector may. */
static cuna_status check_vectors(const cuna_raw_function *f, const cuna_raw_slot *slot, const cuna_array *array)
{
    int64_t lanes = slot->lanes, nbytes = lanes * cuna_dtype_size(slot->dtype);
    int64_t align = (lanes & (lanes - 1)) == 0 ? cuna__min(nbytes, VECTOR_ALIGN) : 1;
    char type[64];
    type_text(type, sizeof type, slot);
    if (array->size % lanes != 0)
        return cuna_fail(CUNA_VALUE,
                         "%s: parameter '%s' points to %s, and the array's %lld elements are not a multiple", f->name,
                         slot->name, type, (long long)array->size);
    if (cuna__array_data(array) % (uint64_t)align != 0)
        return cuna_fail(CUNA_VALUE,
                         "%s: parameter '%s' points to %s, and the view does not begin at a multiple of %lld bytes; "
                         "copy it with x:copy()",
                         f->name, slot->name, type, (long long)align);
    return CUNA_OK;
}

static cuna_status refuse_strides(const cuna_raw_function *f, const cuna_raw_slot *slot)
{
    return cuna_fail(
        CUNA_VALUE, "%s: parameter '%s' is an array that is not C-contiguous, and %s; copy it with x:copy()", f->name,
        slot->name,
        slot->kind == CUNA_RAW_CARRAY ? "the CArray is declared to be" : "a kernel gets its first address only");
}

/* What every array must be whose address a kernel gets. */
static cuna_status check_array(const cuna_raw_function *f, const cuna_raw_slot *slot, const cuna_array *array)
{
    const cuna_device *device = array->buffer->device;
    if (device != f->device)
        return cuna_fail(CUNA_VALUE,
                         "%s: parameter '%s' is an array on %s, and the kernel is for %s; move it with "
                         "x:to(\"%s\")",
                         f->name, slot->name, device->name, f->device->name, f->device->name);
    bool is_strided = slot->kind == CUNA_RAW_CARRAY && !slot->is_contiguous;
    if ((array->flags & CUNA_ARRAY_CONTIGUOUS) == 0 && !is_strided)
        return refuse_strides(f, slot);
    if ((array->flags & CUNA_ARRAY_READONLY) != 0 && !slot->is_const)
        return cuna_fail(
            CUNA_VALUE,
            "%s: parameter '%s' may be written, and the array is %s; pass a copy (x:copy()), or declare it "
            "const",
            f->name, slot->name, cuna_array_why_readonly(array));
    return CUNA_OK;
}

static cuna_status put_pointer(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot,
                               const cuna_array *array)
{
    CUNA_TRY(check_array(f, slot, array));
    if (slot->dtype != CUNA_DTYPES) {
        bool is_pair = is_pair_of(slot, array->dtype);
        if (__builtin_expect(array->dtype != slot->dtype && !is_pair, 0))
            return refuse_dtype(f, slot, array);
        if (slot->lanes > 1 && !is_pair)
            CUNA_TRY(check_vectors(f, slot, array));
    }
    cu_deviceptr address;
    CUNA_TRY(cuna__array_expose(&address, array));
    memcpy(bytes, &address, sizeof address);
    return CUNA_OK;
}

static cuna_status put_carray(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot,
                              const cuna_array *array)
{
    int64_t words[2 + 2 * CUNA_MAX_NDIM];
    char text[64];
    CUNA_TRY(check_array(f, slot, array));
    if (array->dtype != slot->dtype)
        return refuse_dtype(f, slot, array);
    if (array->ndim != slot->axes)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got an array with %d", f->name, slot->name,
                         cuna__raw_slot_text(text, sizeof text, slot), array->ndim);
    cu_deviceptr address;
    CUNA_TRY(cuna__array_expose(&address, array));
    words[0] = (int64_t)address;
    words[1] = array->size;
    for (int axis = 0; axis < array->ndim; axis++) {
        words[2 + axis] = cuna_array_shape(array)[axis];
        words[2 + array->ndim + axis] = cuna_array_strides(array)[axis] * cuna_dtype_size(array->dtype);
    }
    memcpy(bytes, words, (size_t)slot->nbytes);
    return CUNA_OK;
}

/* The element of a 0-d array is a value; in a rehearsal it is not there yet, and not needed. */
static cuna_status put_element(void *bytes, cuna_context *context, const cuna_raw_slot *slot, const cuna_array *array)
{
    memset(bytes, 0, (size_t)slot->nbytes);
    return context->rehearsal != NULL ? CUNA_OK : cuna_array_get(context, array, bytes);
}

/* A 0-d array for a number: its element, converted as a number of Lua would be. */
static cuna_status put_scalar(void *bytes, cuna_context *context, const cuna_raw_function *f, const cuna_raw_slot *slot,
                              const cuna_array *array)
{
    unsigned char element[16] = {0};
    cuna_number number;
    if (context->rehearsal == NULL)
        CUNA_TRY(cuna_array_get(context, array, element));
    cuna_number_load(&number, array->dtype, element);
    char kind = cuna_dtype_kind(slot->dtype);
    if (number.kind == CUNA_NUMBER_FLOAT && kind != 'f' && kind != 'c' && fabs(number.f) < 0x1p63 &&
        number.f == floor(number.f)) /* whole, as Lua's numbers may be */
        number = (cuna_number){.kind = CUNA_NUMBER_INT, .i = (int64_t)number.f};
    return put_number(bytes, f, slot, &number);
}

static cuna_status put_array(void *bytes, cuna_context *context, const cuna_raw_function *f, const cuna_raw_slot *slot,
                             const cuna_array *array)
{
    char text[64];
    CUNA_TRY(cuna__array_use(array, f->name));
    if (is_object(slot))
        return refuse_other(f, slot, "an array");
    if (slot->kind == CUNA_RAW_POINTER)
        return put_pointer(bytes, f, slot, array);
    if (slot->kind == CUNA_RAW_CARRAY)
        return put_carray(bytes, f, slot, array);
    if (slot->kind == CUNA_RAW_NUMBER && array->ndim == 0)
        return put_scalar(bytes, context, f, slot, array);
    if (slot->kind == CUNA_RAW_NUMBER)
        return cuna_fail(CUNA_VALUE,
                         "%s: parameter '%s' is %s, got an array; pass a number (x:item()), or declare a "
                         "pointer",
                         f->name, slot->name, cuna__raw_slot_text(text, sizeof text, slot));
    if (array->ndim == 0 && cuna_dtype_size(array->dtype) == slot->nbytes)
        return put_element(bytes, context, slot, array);
    if (slot->nbytes == sizeof(cu_deviceptr) && array->ndim > 0)
        return put_pointer(bytes, f, slot, array);
    if (array->ndim == 0)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' has %d bytes, and an element of %s has %d", f->name,
                         slot->name, slot->nbytes, cuna_dtype_name(array->dtype), (int)cuna_dtype_size(array->dtype));
    return cuna_fail(CUNA_VALUE, "%s: parameter '%s' has %d bytes, which is not a pointer's size, got an array",
                     f->name, slot->name, slot->nbytes);
}

/* ---- textures and surfaces ---- */

/* A handle has the type `unsigned long long`, by which a parameter may be declared too. */
static bool takes_object(const cuna_raw_slot *slot, const cuna_texture *object)
{
    return slot->kind == (cuna_texture_is_surface(object) ? CUNA_RAW_SURFACE : CUNA_RAW_TEXTURE) ||
           (slot->kind == CUNA_RAW_NUMBER && slot->dtype == CUNA_UINT64 && slot->lanes == 1) ||
           (slot->kind == CUNA_RAW_OPAQUE && slot->nbytes == sizeof(uint64_t));
}

static cuna_status put_object(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot,
                              const cuna_texture *object)
{
    char text[64];
    const cuna_device *device = cuna_texture_device(object);
    const char *words = cuna_texture_is_surface(object) ? "a surface object" : "a texture object";
    uint64_t handle = cuna_texture_handle(object);
    if (!takes_object(slot, object))
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got %s", f->name, slot->name,
                         cuna__raw_slot_text(text, sizeof text, slot), words);
    if (device != f->device)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s on %s, and the kernel is for %s", f->name, slot->name,
                         words, device->name, f->device->name);
    memcpy(bytes, &handle, sizeof handle);
    return CUNA_OK;
}

/* ---- everything else ---- */

static cuna_status put_bytes(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot,
                             const cuna_raw_argument *argument)
{
    char text[64];
    if (is_object(slot))
        return refuse_other(f, slot, "a string");
    if (slot->kind == CUNA_RAW_POINTER || (slot->kind == CUNA_RAW_NUMBER && slot->lanes == 1))
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got a string", f->name, slot->name,
                         cuna__raw_slot_text(text, sizeof text, slot));
    if (argument->nbytes != (size_t)slot->nbytes)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' has %d bytes, got a string of %zu", f->name, slot->name,
                         slot->nbytes, argument->nbytes);
    memcpy(bytes, argument->bytes, argument->nbytes);
    return CUNA_OK;
}

static cuna_status put_address(void *bytes, const cuna_raw_function *f, const cuna_raw_slot *slot, uint64_t address)
{
    char text[64];
    if (is_object(slot))
        return refuse_other(f, slot, "an address");
    if (slot->kind == CUNA_RAW_NUMBER || slot->nbytes != sizeof address)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s, got an address", f->name, slot->name,
                         cuna__raw_slot_text(text, sizeof text, slot));
    memcpy(bytes, &address, sizeof address);
    return CUNA_OK;
}

static cuna_status refuse_words(const cuna_raw_function *f, const cuna_raw_slot *slot, const char *words)
{
    static const char *const wanted[] = {"an array",
                                         "a number",
                                         "an array, cn.scalar(v, dtype) or a string of its bytes",
                                         "a cn.cuda.texture.TextureObject",
                                         "a cn.cuda.texture.SurfaceObject",
                                         "an array"};
    char text[64];
    cuna__raw_slot_text(text, sizeof text, slot);
    if (strcmp(words, "nil") == 0)
        return cuna_fail(CUNA_VALUE, "%s: parameter '%s' (%s) is missing", f->name, slot->name, text);
    return cuna_fail(CUNA_VALUE, "%s: parameter '%s' is %s; pass %s, got %s", f->name, slot->name, text,
                     wanted[slot->kind], words);
}

cuna_status cuna__raw_argument_put(void *bytes, cuna_context *context, const cuna_raw_function *function, int index,
                                   const cuna_raw_argument *argument)
{
    const cuna_raw_slot *slot = &function->slots[index];
    switch (argument->kind) {
    case CUNA_RAW_ARRAY:
        return put_array(bytes, context, function, slot, argument->array);
    case CUNA_RAW_SCALAR:
        if (is_null(slot, &argument->number))
            return put_address(bytes, function, slot, 0);
        return slot->kind == CUNA_RAW_NUMBER ? put_number(bytes, function, slot, &argument->number)
                                             : refuse_number_for(function, slot);
    case CUNA_RAW_OBJECT:
        return put_object(bytes, function, slot, argument->object);
    case CUNA_RAW_ADDRESS:
        return put_address(bytes, function, slot, argument->address);
    case CUNA_RAW_BYTES:
        return put_bytes(bytes, function, slot, argument);
    case CUNA_RAW_WORDS:
        break;
    }
    return refuse_words(function, slot, argument->words);
}
