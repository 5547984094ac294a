/* texture.c: arrays of texels, textures and surfaces.
 *
 * Texels lie in device memory, which is closed to the host. Objects are the records that the cpu device's kernels read;
 * they stay in memory, so that a kernel that still has an object which was destroyed finds that. Nothing waits when an
 * array or object is destroyed: work that still needs it fails. */
#include "cpu/execute/texture.h"
#include "simgpu.h"

struct simgpu_texels {
    struct simgpu_handle handle;
    cuna_cpu_texels texels;
    cu_deviceptr memory;
};

struct simgpu_texture {
    struct simgpu_handle handle;
    struct simgpu_texels *texels; /* NULL: of linear or pitch memory */
    cuna_cpu_texture texture;
};

static struct simgpu_texels *find_array(cu_array array, const struct simgpu_context *context)
{
    return simgpu__handle_here(SIMGPU_ARRAYS, array, context);
}

cu_result simgpu__row_array_create(cu_array *array, const cu_array_desc *desc)
{
    SIMGPU_ENTER(array_create, SIMGPU_NEED_CONTEXT);
    cuna_cpu_texels texels;
    cu_result result = cuna__cpu_capture_check_thread();
    if (result == CU_SUCCESS)
        result = array == NULL || desc == NULL ? CU_ERROR_INVALID_VALUE : cuna__cpu_texels_describe(&texels, desc);
    if (result != CU_SUCCESS)
        return result;
    struct simgpu_texels *made = simgpu__handle_create(SIMGPU_ARRAYS, call.context, sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    result = simgpu__memory_take(&call.context->arena, &made->memory, texels.nbytes);
    if (result != CU_SUCCESS) {
        simgpu__handle_destroy(made);
        return result;
    }
    made->texels = texels;
    made->texels.texels.data = (unsigned char *)(uintptr_t)made->memory;
    *array = (cu_array)made;
    return CU_SUCCESS;
}

static void end_object(struct simgpu_handle *handle, void *data)
{
    struct simgpu_texture *texture = (struct simgpu_texture *)handle;
    if ((handle->kind == SIMGPU_TEXTURES || handle->kind == SIMGPU_SURFACES) && texture->texels == data)
        texture->texture.mark = 0;
}

/* Objects over it end too. */
cu_result simgpu__row_array_destroy(cu_array array)
{
    SIMGPU_ENTER(array_destroy, SIMGPU_NEED_CONTEXT);
    struct simgpu_texels *texels = find_array(array, call.context);
    cu_result result = cuna__cpu_capture_check_thread();
    if (texels == NULL || result != CU_SUCCESS)
        return result != CU_SUCCESS ? result : CU_ERROR_INVALID_HANDLE;
    simgpu__handle_each(end_object, texels);
    simgpu__memory_give(&call.context->arena, texels->memory);
    simgpu__handle_destroy(texels);
    return CU_SUCCESS;
}

/* ---- objects ---- */

/* cudaTextureObject_t is what kernels get: the record's address. */
static struct simgpu_texture *texture_of(cu_tex_object object)
{
    return (struct simgpu_texture *)(uintptr_t)(object - offsetof(struct simgpu_texture, texture));
}

static cu_result create(const struct simgpu_call *call, cu_tex_object *object, const cu_resource_desc *resource,
                        const cu_texture_desc *texture)
{
    size_t nbytes = 0;
    bool is_array = resource->type == CU_RESOURCE_TYPE_ARRAY;
    struct simgpu_texels *texels = is_array ? find_array(resource->of.array, call->context) : NULL;
    cuna_cpu_texture described;
    if (is_array && texels == NULL)
        return CU_ERROR_INVALID_HANDLE;
    cu_result result =
        cuna__cpu_texture_describe(&described, &nbytes, resource, texture, texels != NULL ? &texels->texels : NULL);
    if (result != CU_SUCCESS || !simgpu__library_holds(call, described.texels.data, nbytes))
        return CU_ERROR_INVALID_VALUE;
    struct simgpu_texture *made =
        simgpu__handle_create(texture != NULL ? SIMGPU_TEXTURES : SIMGPU_SURFACES, call->context, sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    made->texels = texels;
    made->texture = described;
    *object = (uintptr_t)&made->texture;
    return CU_SUCCESS;
}

static cu_result destroy(const struct simgpu_call *call, cu_tex_object object, enum simgpu_kind kind)
{
    struct simgpu_texture *texture = simgpu__handle_here(kind, texture_of(object), call->context);
    if (texture == NULL)
        return CU_ERROR_INVALID_VALUE;
    texture->texture.mark = 0;
    simgpu__handle_destroy(texture);
    return CU_SUCCESS;
}

cu_result simgpu__row_tex_object_create(cu_tex_object *object, const cu_resource_desc *resource,
                                        const cu_texture_desc *texture, const void *view)
{
    SIMGPU_ENTER(tex_object_create, SIMGPU_NEED_CONTEXT);
    if (object == NULL || resource == NULL || texture == NULL || view != NULL)
        return CU_ERROR_INVALID_VALUE;
    return create(&call, object, resource, texture);
}

cu_result simgpu__row_tex_object_destroy(cu_tex_object object)
{
    SIMGPU_ENTER(tex_object_destroy, SIMGPU_NEED_CONTEXT);
    return destroy(&call, object, SIMGPU_TEXTURES);
}

cu_result simgpu__row_surf_object_create(cu_tex_object *object, const cu_resource_desc *resource)
{
    SIMGPU_ENTER(surf_object_create, SIMGPU_NEED_CONTEXT);
    return object != NULL && resource != NULL ? create(&call, object, resource, NULL) : CU_ERROR_INVALID_VALUE;
}

cu_result simgpu__row_surf_object_destroy(cu_tex_object object)
{
    SIMGPU_ENTER(surf_object_destroy, SIMGPU_NEED_CONTEXT);
    return destroy(&call, object, SIMGPU_SURFACES);
}

/* ---- copies ---- */

/* A copy and the arrays that it needs when its turn comes. */
struct queued {
    cuna_cpu_copy copy; /* first */
    const struct simgpu_texels *dst, *src;
};

static bool is_gone(const struct simgpu_texels *texels)
{
    return texels != NULL && !texels->handle.live;
}

static cu_result run_copy(const void *arguments)
{
    const struct queued *queued = arguments;
    return is_gone(queued->dst) || is_gone(queued->src) ? CU_ERROR_ILLEGAL_ADDRESS : cuna__cpu_copy_run(arguments);
}

/* The host's memory is not copied: cuna copies between memory of one device. */
static cu_result find_side(cuna_cpu_side *out, const struct simgpu_texels **found, const struct simgpu_call *call,
                           const cu_copy *copy, const cu_copy_side *side)
{
    bool is_array = side->memory == CU_MEMORYTYPE_ARRAY;
    struct simgpu_texels *texels = is_array ? find_array(side->array, call->context) : NULL;
    *found = texels;
    if (side->memory == CU_MEMORYTYPE_HOST)
        return CU_ERROR_NOT_SUPPORTED;
    if (is_array && texels == NULL)
        return CU_ERROR_INVALID_HANDLE;
    cu_result result = cuna__cpu_copy_side(out, copy, side, texels != NULL ? &texels->texels : NULL);
    bool holds = result == CU_SUCCESS && (is_array || simgpu__library_holds(call, (void *)side->ptr, out->nbytes));
    return result == CU_SUCCESS && !holds ? CU_ERROR_INVALID_VALUE : result;
}

cu_result simgpu__row_memcpy_3d_async(const cu_copy *copy, cu_stream stream)
{
    SIMGPU_ENTER(memcpy_3d_async, SIMGPU_NEED_CONTEXT);
    cuna_cpu_side dst, src;
    struct queued queued;
    if (copy == NULL)
        return CU_ERROR_INVALID_VALUE;
    cu_result result = find_side(&dst, &queued.dst, &call, copy, &copy->dst);
    if (result == CU_SUCCESS)
        result = find_side(&src, &queued.src, &call, copy, &copy->src);
    if (result != CU_SUCCESS)
        return result;
    queued.copy = cuna__cpu_copy_between(copy, &dst, &src);
    return simgpu__library_work(&call, stream, run_copy, &queued, sizeof queued);
}
