/* dft.h: the interface for Fourier transforms: one table of functions, shaped like cuFFT, from one list of rows.
 *
 * A row is (exported symbol, field, parameters); names, argument order, meanings and results are cuFFT's. cuda/dft.c
 * fills the table by dlsym; cpu/fft/dft.c implements it with FFTW. Sums are not scaled. */
#ifndef CUNA_SEAM_DFT_H
#define CUNA_SEAM_DFT_H

#include "seam/driver.h"
#include "seam/library_cuda_type.h"

typedef int cufft_handle;

/* cufftResult values that the runtime tests or the cpu device returns; the numbers are cufft.h's. */
enum {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_SUPPORTED = 16,
};

/* Directions; the numbers are cufft.h's. */
enum {
    CUFFT_FORWARD = -1,
    CUFFT_INVERSE = 1,
};

/* X(exported symbol, field, parameters); every row returns cufftResult. */
#define CUNA_DFT_ROWS(X)                                                                                           \
    X("cufftGetVersion", dft_get_version, (int *version))                                                          \
    X("cufftCreate", dft_create, (cufft_handle * plan))                                                            \
    X("cufftSetAutoAllocation", dft_set_auto_allocation, (cufft_handle plan, int automatic))                       \
    X("cufftXtMakePlanMany", dft_make_plan_many,                                                                   \
      (cufft_handle plan, int rank, long long *n, long long *in_embed, long long in_stride, long long in_dist,     \
       int in_type, long long *out_embed, long long out_stride, long long out_dist, int out_type, long long batch, \
       size_t *work_nbytes, int execution_type))                                                                   \
    X("cufftSetWorkArea", dft_set_work_area, (cufft_handle plan, void *work))                                      \
    X("cufftSetStream", dft_set_stream, (cufft_handle plan, cu_stream stream))                                     \
    X("cufftXtExec", dft_exec, (cufft_handle plan, void *in, void *out, int direction))                            \
    X("cufftDestroy", dft_destroy, (cufft_handle plan))

struct cuna_dft {
#define ROW(symbol, field, parameters) int(*field) parameters;
    CUNA_DFT_ROWS(ROW)
#undef ROW
    /* Extensions to cuFFT, for devices with the fact dft_is_own, whose transforms to real numbers also preserve their
     * input; NULL elsewhere. One scales all later results of a plan; the other, called before a plan of one axis is
     * made, repeats its batch several times, so many numbers apart. */
    int (*set_scale)(cufft_handle plan, double scale);
    int (*set_repeats)(cufft_handle plan, int64_t repeats, int64_t in_repeat, int64_t out_repeat);
};

/* The table of the cpu device; the first call loads FFTW. DEVICE with what was searched for. */
cuna_status cuna__dft_cpu(const cuna_dft **out);

/* The table of CUDA devices; the first call loads cuFFT, which stays loaded. DEVICE with the names that were searched
 * for. */
cuna_status cuna__dft_cuda(const cuna_dft **out);

/* The libraries of FFTW, or the reason for their absence; whether they were found. */
const char *cuna__dft_fftw_describe(bool *found);

/* Whether a cufftResult means out of memory; its name: "CUFFT_INVALID_PLAN". */
bool cuna__dft_is_memory(int result);
const char *cuna__dft_describe(int result);

#endif
