/* output.c: what an array must be that a result is written to; the one wording for all engines and for Lua. */
#include <stdio.h>

#include "array/array.h"

/* What the user calls the array: an output of several is an element of the table `out`. */
static const char *name_output(char *text, size_t nbytes, const cuna_result *result)
{
    if (result->number == 0)
        return "out";
    snprintf(text, nbytes, "out[%d]", result->number);
    return text;
}

cuna_status cuna_result_check_shape(const cuna_result *result, int ndim, const int64_t *shape)
{
    char theirs[256], ours[256], name[16];
    if (ndim == result->ndim && cuna__same_lengths(shape, result->shape, ndim))
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "%s: %s has shape %s, but the result has shape %s", result->name,
                     name_output(name, sizeof name, result), cuna__shape_text(theirs, sizeof theirs, ndim, shape),
                     cuna__shape_text(ours, sizeof ours, result->ndim, result->shape));
}

cuna_status cuna_result_check_dtype(const cuna_result *result, cuna_dtype dtype)
{
    char name[16];
    const char *ours = cuna_dtype_name(result->dtype);
    if (result->casts ? cuna_dtype_casts(result->dtype, dtype, true) : result->dtype == dtype)
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "%s: %s %s result cannot be written to %s%s%s; cast it with astype", result->name,
                     ours[0] == 'i' ? "an" : "a", ours, result->number ? name_output(name, sizeof name, result) : "",
                     result->number ? " of " : "", cuna_dtype_name(dtype));
}

cuna_status cuna_result_check(const cuna_result *result, const cuna_array *out)
{
    CUNA_TRY(cuna__array_use(out, result->name));
    if (result->device != NULL && result->device != out->buffer->device)
        return cuna__array_refuse_device(result->device, out, result->name);
    CUNA_TRY(cuna__array_check_writable(out, result->name));
    if (result->shape != NULL)
        CUNA_TRY(cuna_result_check_shape(result, out->ndim, cuna_array_shape(out)));
    return result->dtype != CUNA_DTYPES ? cuna_result_check_dtype(result, out->dtype) : CUNA_OK;
}
