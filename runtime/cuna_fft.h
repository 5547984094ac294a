/* cuna_fft.h: the public functions for Fourier transforms; cuna.h includes it. */
#ifndef CUNA_FFT_DOOR_H
#define CUNA_FFT_DOOR_H

/* ---- fft.c ---------------------------------------------------------------------------------------------------- */

#define CUNA_FFT_PLANS 16 /* kept by a context */

typedef enum cuna_fft_kind { CUNA_FFT_COMPLEX, CUNA_FFT_TO_COMPLEX, CUNA_FFT_TO_REAL } cuna_fft_kind;

/* A discrete Fourier transform along some axes (from 0), all of length 2 or more. Real transforms convert between
 * `length` real numbers and the first half of their spectrum, along the last of these axes. */
typedef struct cuna_fft_request {
    const char *name; /* for messages */
    cuna_fft_kind kind;
    bool inverse;
    int naxes, axes[CUNA_MAX_NDIM];
    int64_t length;
    double scale;
    bool is_temporary; /* the input may be overwritten */
} cuna_fft_request;

/* Transforms an array of float32, float64, complex64 or complex128, as the kind requires, into `out`: an empty one is
 * created, row-major; one with a buffer has the result's shape and dtype, and is `in` or shares no memory with it.
 * *done is false, and nothing happened, for a layout that must be copied first (a single axis must advance along the
 * array, forwards, in few parts). *scaled is false when the caller must multiply the result by the factor. DEVICE where
 * there is no library for it, MEMORY. */
cuna_status cuna_fft(bool *done, bool *scaled, cuna_context *context, const cuna_fft_request *request,
                     const cuna_array *in, cuna_array *out);

/* The number of plans that the context caches; destroys them. */
int cuna_fft_plan_count(const cuna_context *context);
void cuna_fft_clear_plans(cuna_context *context);

#endif
