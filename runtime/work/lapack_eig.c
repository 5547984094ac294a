/* lapack_eig.c: eigenvectors of real matrices, which LAPACK packs into real numbers.
 *
 * Eigenvalues that are not real come in pairs, that with the positive imaginary part first, and so do their vectors: the
 * first column of a pair is the real part of both, the second the imaginary part of the first. So each element of the
 * result is made of those of three columns: the one before, its own, and the one after. Which of them lie outside of
 * the matrix is never looked at. */
#include "work/lapack.h"

cuna_status cuna__lapack_make_packed(cuna_array *packed, cuna_context *context, const cuna_array *v)
{
    int64_t size = v->size + 2 * cuna_array_shape(v)[v->ndim - 1];
    cuna_dtype real = v->dtype == CUNA_COMPLEX64 ? CUNA_FLOAT32 : CUNA_FLOAT64;
    return cuna_array_create_on(packed, context, cuna_array_device(v), real, 1, &size);
}

/* Its inputs are eigenvalues and the three columns. */
static cuna_status unpack_program(const cuna_program **out, cuna_dtype dtype, cuna_dtype real)
{
    static const cuna_program *cached[CUNA_DTYPES];
    const uint8_t dtypes[] = {(uint8_t)dtype, (uint8_t)real, (uint8_t)real, (uint8_t)real};
    const cuna__lapack_step step = {
        "unpacked", "T(imag(a) < 0 ? b : c, imag(a) > 0 ? d : imag(a) < 0 ? -c : 0)", 4, dtypes, false, dtype};
    return cuna__lapack_program(out, &cached[dtype], &step);
}

/* Views: eigenvalues along columns, and the packed columns from one on. */
static cuna_status view_inputs(cuna_array *views, const cuna_array *packed, const cuna_array *w, const cuna_array *v)
{
    cuna_geometry g;
    int64_t n = cuna_array_shape(v)[v->ndim - 1];
    cuna_array_geometry(&g, w);
    g.shape[g.ndim] = 1;
    g.strides[g.ndim++] = 1;
    CUNA_TRY(cuna_array_view(&views[0], w, w->dtype, &g));
    cuna_array_geometry(&g, v); /* of packed columns too */
    for (int k = 1; k <= 3; k++) {
        g.offset = (k - 1) * n;
        CUNA_TRY(cuna_array_view(&views[k], packed, packed->dtype, &g));
    }
    return CUNA_OK;
}

cuna_status cuna__lapack_unpack(cuna_context *context, const char *name, const cuna_array *packed, const cuna_array *w,
                                cuna_array *v)
{
    const cuna_program *program;
    cuna_array views[4] = {0};
    cuna_status status = unpack_program(&program, v->dtype, packed->dtype);
    if (status == CUNA_OK)
        status = view_inputs(views, packed, w, v);
    cuna_operand inputs[4];
    for (int k = 0; k < 4; k++)
        inputs[k] = (cuna_operand){.array = &views[k]};
    if (status == CUNA_OK)
        status = cuna_elementwise(context, name, program, inputs, &v, -1, NULL);
    for (int k = 0; k < 4; k++)
        cuna_array_release(&views[k]);
    return status;
}
