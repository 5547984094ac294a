/* pool.c: managed memory, and the stream-ordered pool.
 *
 * Managed memory is an arena that is open to the host at all times, as it is on devices with concurrent managed access.
 *
 * Memory of the pool is poisoned when its stream comes to the allocation, and again when it comes to the free: who uses
 * it too early or too late has NaN, in some schedules at least. A block is handed out again at once in the stream that
 * freed it, in others when the free has run. Which of several blocks, or a new one, is left to chance. */
#include <stdlib.h>

#include "simgpu.h"
#include "stream.h"

#define UNIT        ((size_t)512)
#define HOST_DEVICE (-1) /* CU_DEVICE_CPU */
#define MAX_ADVICE  6

cu_result simgpu__row_mem_alloc_managed(cu_deviceptr *ptr, size_t nbytes, unsigned flags)
{
    SIMGPU_ENTER(mem_alloc_managed, SIMGPU_NEED_CONTEXT);
    cu_result result = cuna__cpu_capture_check_thread();
    if (result != CU_SUCCESS)
        return result;
    if (ptr == NULL || nbytes == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CU_ERROR_INVALID_VALUE;
    return simgpu__memory_take(&call.context->managed, ptr, nbytes);
}

static cu_result check_managed(cu_deviceptr ptr, size_t nbytes, cu_device device)
{
    const struct simgpu_context *owner = simgpu__device_of(ptr);
    if (owner == NULL || nbytes == 0 || !simgpu__memory_holds(&owner->managed, ptr, nbytes))
        return CU_ERROR_INVALID_VALUE;
    return device == HOST_DEVICE || (device >= 0 && device < simgpu__device_count()) ? CU_SUCCESS
                                                                                     : CU_ERROR_INVALID_DEVICE;
}

/* Memory stays where it is. */
cu_result simgpu__row_mem_prefetch_async(cu_deviceptr ptr, size_t nbytes, cu_device device, cu_stream handle)
{
    SIMGPU_ENTER(mem_prefetch_async, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (stream == NULL)
        return CU_ERROR_INVALID_HANDLE;
    return simgpu__queue_is_captured(stream) ? cuna__cpu_capture_refuse(&stream->capture)
                                             : check_managed(ptr, nbytes, device);
}

cu_result simgpu__row_mem_advise(cu_deviceptr ptr, size_t nbytes, int advice, cu_device device)
{
    SIMGPU_ENTER(mem_advise, SIMGPU_NEED_CONTEXT);
    return advice >= 1 && advice <= MAX_ADVICE ? check_managed(ptr, nbytes, device) : CU_ERROR_INVALID_VALUE;
}

/* ---- blocks of the pool ---- */

static void note_most(struct simgpu_pool *pool)
{
    pool->most_used = pool->used > pool->most_used ? pool->used : pool->most_used;
    pool->most_reserved = pool->reserved > pool->most_reserved ? pool->reserved : pool->most_reserved;
}

static struct simgpu_block *find_block(const struct simgpu_pool *pool, cu_deviceptr ptr)
{
    struct simgpu_block *block = pool->blocks;
    while (block != NULL && block->ptr != ptr)
        block = block->next;
    return block;
}

static bool is_candidate(const struct simgpu_block *block, size_t nbytes, const struct simgpu_stream *stream)
{
    return block->nbytes >= nbytes && block->nbytes / 2 <= nbytes &&
           (block->state == SIMGPU_FREE || (block->state == SIMGPU_LEAVING && block->stream == stream));
}

static struct simgpu_block *choose_block(const struct simgpu_pool *pool, size_t nbytes,
                                         const struct simgpu_stream *stream)
{
    struct simgpu_block *chosen = NULL;
    unsigned count = 0;
    for (struct simgpu_block *block = pool->blocks; block != NULL; block = block->next)
        if (is_candidate(block, nbytes, stream) && simgpu__random() % ++count == 0)
            chosen = block;
    return chosen != NULL && simgpu__random() % 8 != 0 ? chosen : NULL;
}

/* Gives what nobody uses back until so many bytes are left, or nothing that may go. */
static void shrink(struct simgpu_context *context, uint64_t keep_nbytes)
{
    for (struct simgpu_block **link = &context->pool.blocks; *link != NULL;) {
        struct simgpu_block *block = *link;
        if (block->state != SIMGPU_FREE || context->pool.reserved <= keep_nbytes) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        context->pool.reserved -= block->nbytes;
        simgpu__memory_give(&context->arena, block->ptr);
        free(block);
    }
}

static struct simgpu_block *create_block(struct simgpu_context *context, size_t nbytes)
{
    struct simgpu_block *block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    block->nbytes = nbytes;
    cu_result result = simgpu__memory_take(&context->arena, &block->ptr, nbytes);
    if (result != CU_SUCCESS) { /* frees that are under way are worth waiting for */
        simgpu__queue_force_context(context);
        shrink(context, 0);
        result = simgpu__memory_take(&context->arena, &block->ptr, nbytes);
    }
    if (result != CU_SUCCESS) {
        free(block);
        return NULL;
    }
    block->next = context->pool.blocks;
    context->pool.blocks = block;
    context->pool.reserved += nbytes;
    return block;
}

static cu_result add_poison(struct simgpu_stream *stream, struct simgpu_block *block, bool frees)
{
    struct simgpu_op *op = simgpu__queue_op(SIMGPU_POISON, 0);
    if (op == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    op->dst = (void *)(uintptr_t)block->ptr;
    op->nbytes = block->nbytes;
    op->frees = frees;
    op->opens = 1u << simgpu__device_of(block->ptr)->ordinal;
    block->state = frees ? SIMGPU_LEAVING : SIMGPU_USED;
    block->stream = stream;
    block->freed = simgpu__queue_next();
    return simgpu__queue_add(stream, op);
}

/* Memory of a graph has its address from now on, and until its context goes. */
static cu_result record_alloc(cu_deviceptr *ptr, struct simgpu_stream *stream, size_t nbytes)
{
    struct simgpu_block *block = create_block(stream->handle.context, nbytes);
    if (block == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    *ptr = block->ptr;
    block->of_graph = true;
    cu_result result = add_poison(stream, block, false);
    block->state = SIMGPU_IDLE;
    return result;
}

/* Only memory of a graph is given back by one. */
static cu_result record_free(struct simgpu_stream *stream, struct simgpu_block *block)
{
    if (block == NULL || !block->of_graph)
        return cuna__cpu_capture_refuse(&stream->capture);
    cu_result result = add_poison(stream, block, true);
    block->state = SIMGPU_IDLE;
    return result;
}

/* Notes what a step does to a block of the graph's. */
static cu_result launch_step(const struct simgpu_op *op)
{
    cu_deviceptr ptr = (cu_deviceptr)(uintptr_t)op->dst;
    struct simgpu_block *block = find_block(&simgpu__device_of(ptr)->pool, ptr);
    if (!op->frees && block->state != SIMGPU_IDLE)
        return CU_ERROR_INVALID_VALUE;
    block->state = op->frees ? SIMGPU_IDLE : SIMGPU_USED;
    return CU_SUCCESS;
}

cu_result simgpu__pool_launch(const cuna_tape *tape)
{
    cu_result result = CU_SUCCESS;
    for (int i = 0; i < tape->count && result == CU_SUCCESS; i++) {
        const struct simgpu_op *op = tape->steps[i].work;
        if (op != NULL && op->kind == SIMGPU_POISON)
            result = launch_step(op);
    }
    return result;
}

cu_result simgpu__row_mem_alloc_async(cu_deviceptr *ptr, size_t nbytes, cu_stream handle)
{
    SIMGPU_ENTER(mem_alloc_async, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    if (stream == NULL || ptr == NULL || nbytes == 0 || nbytes > call.context->arena.total)
        return stream == NULL               ? CU_ERROR_INVALID_HANDLE
               : ptr == NULL || nbytes == 0 ? CU_ERROR_INVALID_VALUE
                                            : CU_ERROR_OUT_OF_MEMORY;
    struct simgpu_context *context = stream->handle.context;
    size_t rounded = (nbytes + UNIT - 1) / UNIT * UNIT;
    if (simgpu__queue_is_captured(stream))
        return record_alloc(ptr, stream, rounded);
    struct simgpu_block *block = choose_block(&context->pool, rounded, stream);
    if (block == NULL)
        block = create_block(context, rounded);
    if (block == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    *ptr = block->ptr;
    context->pool.used += block->nbytes;
    note_most(&context->pool);
    /* On the stream, where the memory belongs to its new owner only after earlier work. */
    return add_poison(stream, block, false);
}

cu_result simgpu__row_mem_free_async(cu_deviceptr ptr, cu_stream handle)
{
    SIMGPU_ENTER(mem_free_async, SIMGPU_NEED_CONTEXT);
    struct simgpu_stream *stream = simgpu__stream_find(call.context, handle);
    struct simgpu_context *owner = simgpu__device_of(ptr);
    if (stream == NULL || owner == NULL)
        return stream == NULL ? CU_ERROR_INVALID_HANDLE : CU_ERROR_INVALID_VALUE;
    struct simgpu_block *block = find_block(&owner->pool, ptr);
    if (simgpu__queue_is_captured(stream))
        return record_free(stream, block);
    if (block == NULL) { /* of no pool: at once, which is legal too */
        simgpu__queue_force_context(owner);
        return owner->dead != CU_SUCCESS ? owner->dead : simgpu__pool_give(owner, ptr);
    }
    if (block->state != SIMGPU_USED)
        return CU_ERROR_INVALID_VALUE;
    owner->pool.used -= block->of_graph ? 0 : block->nbytes;
    cu_result result = add_poison(stream, block, true);
    block->state = block->of_graph ? SIMGPU_IDLE : block->state;
    return result;
}

cu_result simgpu__pool_give(struct simgpu_context *context, cu_deviceptr ptr)
{
    struct simgpu_block *block = find_block(&context->pool, ptr);
    if (block == NULL)
        return simgpu__memory_give(simgpu__arena_of(ptr), ptr);
    if (block->state != SIMGPU_USED)
        return CU_ERROR_INVALID_VALUE;
    context->pool.used -= block->of_graph ? 0 : block->nbytes;
    block->state = block->of_graph ? SIMGPU_IDLE : SIMGPU_FREE;
    return CU_SUCCESS;
}

/* The block may have been handed out again in the meantime, in the same stream. */
void simgpu__pool_freed(cu_deviceptr ptr, uint64_t sequence)
{
    struct simgpu_block *block = find_block(&simgpu__device_of(ptr)->pool, ptr);
    if (block != NULL && block->state == SIMGPU_LEAVING && block->freed == sequence)
        block->state = SIMGPU_FREE;
}

void simgpu__pool_settle(struct simgpu_context *context)
{
    shrink(context, context->pool.threshold);
}

void simgpu__pool_forget(struct simgpu_context *context)
{
    while (context->pool.blocks != NULL) {
        struct simgpu_block *next = context->pool.blocks->next;
        free(context->pool.blocks);
        context->pool.blocks = next;
    }
    context->pool = (struct simgpu_pool){0};
}

int simgpu__pool_cached(const struct simgpu_context *context)
{
    int count = 0;
    for (const struct simgpu_block *block = context->pool.blocks; block != NULL; block = block->next)
        count += block->state != SIMGPU_USED;
    return count;
}

/* ---- the pool's own rows; its handle is the place where it is ---- */

static struct simgpu_context *find_pool(cu_mem_pool handle)
{
    for (int i = 0; i < simgpu__device_count(); i++)
        if ((cu_mem_pool)&simgpu__contexts[i].pool == handle)
            return &simgpu__contexts[i];
    return NULL;
}

cu_result simgpu__row_device_get_default_mem_pool(cu_mem_pool *pool, cu_device device)
{
    SIMGPU_ENTER(device_get_default_mem_pool, SIMGPU_NEED_INIT);
    if (pool == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (device < 0 || device >= simgpu__device_count())
        return CU_ERROR_INVALID_DEVICE;
    *pool = (cu_mem_pool)&simgpu__contexts[device].pool;
    return CU_SUCCESS;
}

static uint64_t *find_number(struct simgpu_pool *pool, int attribute)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        return &pool->threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        return &pool->reserved;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return &pool->most_reserved;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        return &pool->used;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return &pool->most_used;
    default:
        return NULL;
    }
}

cu_result simgpu__row_mem_pool_get_attribute(cu_mem_pool handle, int attribute, void *value)
{
    SIMGPU_ENTER(mem_pool_get_attribute, SIMGPU_NEED_INIT);
    struct simgpu_context *context = find_pool(handle);
    const uint64_t *number = context != NULL ? find_number(&context->pool, attribute) : NULL;
    if (number == NULL || value == NULL)
        return CU_ERROR_INVALID_VALUE;
    *(uint64_t *)value = *number;
    return CU_SUCCESS;
}

/* The highest marks can be reset, to nothing but 0: then they begin again at what there is. */
cu_result simgpu__row_mem_pool_set_attribute(cu_mem_pool handle, int attribute, void *value)
{
    SIMGPU_ENTER(mem_pool_set_attribute, SIMGPU_NEED_INIT);
    struct simgpu_context *context = find_pool(handle);
    uint64_t *number = context != NULL ? find_number(&context->pool, attribute) : NULL;
    bool is_mark = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    if (number == NULL || value == NULL || (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && !is_mark) ||
        (is_mark && *(uint64_t *)value != 0))
        return CU_ERROR_INVALID_VALUE;
    *number = *(uint64_t *)value;
    note_most(&context->pool);
    return CU_SUCCESS;
}

cu_result simgpu__row_mem_pool_trim_to(cu_mem_pool handle, size_t keep_nbytes)
{
    SIMGPU_ENTER(mem_pool_trim_to, SIMGPU_NEED_INIT);
    struct simgpu_context *context = find_pool(handle);
    if (context == NULL)
        return CU_ERROR_INVALID_VALUE;
    shrink(context, keep_nbytes);
    return CU_SUCCESS;
}
