/* raw_pipeline.cuh: the functions of <cuda_pipeline.h>, for all devices: copies are done when they are asked for.
 *
 * What a thread waits for are its own copies; the others' need a barrier, as in CUDA. */
#ifndef CUNA_RAW_PIPELINE
#define CUNA_RAW_PIPELINE

/* The last `zeros` bytes of `nbytes` become 0. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *to, const void *from, size_t nbytes,
                                                               size_t zeros = 0)
{
    for (size_t i = 0; i < nbytes; ++i)
        ((char *)to)[i] = i < nbytes - zeros ? ((const char *)from)[i] : 0;
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}

#endif
