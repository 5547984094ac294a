/* lapack_program.c: the small programs that stand around calls of LAPACK. */
#include "work/lapack.h"

cuna_status cuna__lapack_program(const cuna_program **out, const cuna_program **cached, const cuna__lapack_step *step)
{
    *out = __atomic_load_n(cached, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.ninputs = (uint8_t)step->ninputs, .ninstructions = 1, .uses_index = step->uses_index};
    cuna_instruction *made = &text.instruction[0];
    bool silent = step->result == CUNA_DTYPES;
    made->nargs = (uint8_t)(step->ninputs + step->uses_index);
    made->dtype = (uint8_t)(silent ? CUNA_BOOL : step->result);
    for (int k = 0; k < made->nargs; k++) {
        bool is_input = k < step->ninputs;
        made->arg[k] = (uint8_t)k;
        made->arg_dtype[k] = is_input ? step->dtypes[k] : CUNA_INT64;
        if (is_input) {
            text.input_dtype[k] = step->dtypes[k];
            text.input_scalar[k] = step->dtypes[k] == CUNA_INT64 ? CUNA_SCALAR_NUMBER : 0;
        }
    }
    /* A step without a result writes by addresses; its value is a bool that nothing stores. */
    text.gathers = silent;
    text.noutputs = !silent;
    text.output_dtype[0] = silent ? 0 : made->dtype;
    text.output_value[0] = (uint8_t)(silent ? 0 : made->nargs);
    CUNA_TRY(cuna_operation_define(&made->operation, step->name, made->nargs, step->expression));
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(cached, *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}
