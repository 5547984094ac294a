/* compiled.c: NVRTC's rows that return the results of a compilation on the cpu device. */
#include "cpu/compile/compiled.h"

#include <string.h>

const char *cuna__cpu_compiled_log(nvrtc_program program)
{
    return program->log != NULL ? program->log : "";
}

cu_result cuna__cpu_compile_lowered_name(nvrtc_program program, const char *expression, const char **name)
{
    if (program == NULL || expression == NULL || name == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->image == NULL)
        return NVRTC_NOT_COMPILED;
    for (int i = 0; i < program->nexpressions; i++) {
        if (strcmp(program->expressions[i], expression) != 0)
            continue;
        *name = program->expressions[i] + strlen(expression) + 1;
        return NVRTC_SUCCESS;
    }
    return NVRTC_INVALID_EXPRESSION;
}

cu_result cuna__cpu_compile_log_size(nvrtc_program program, size_t *nbytes)
{
    if (program == NULL || nbytes == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    *nbytes = strlen(cuna__cpu_compiled_log(program)) + 1;
    return NVRTC_SUCCESS;
}

cu_result cuna__cpu_compile_log(nvrtc_program program, char *log)
{
    if (program == NULL || log == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    strcpy(log, cuna__cpu_compiled_log(program));
    return NVRTC_SUCCESS;
}

cu_result cuna__cpu_compile_image_size(nvrtc_program program, size_t *nbytes)
{
    if (program == NULL || nbytes == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->image == NULL)
        return NVRTC_INVALID_PROGRAM;
    *nbytes = program->image_nbytes;
    return NVRTC_SUCCESS;
}

cu_result cuna__cpu_compile_image(nvrtc_program program, char *image)
{
    if (program == NULL || image == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->image == NULL)
        return NVRTC_INVALID_PROGRAM;
    memcpy(image, program->image, program->image_nbytes);
    return NVRTC_SUCCESS;
}

/* The cpu device has no PTX; its architecture is part of the target. */
cu_result cuna__cpu_compile_ptx_size(nvrtc_program program, size_t *nbytes)
{
    (void)nbytes;
    return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
}

cu_result cuna__cpu_compile_ptx(nvrtc_program program, char *image)
{
    (void)image;
    return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
}

cu_result cuna__cpu_compile_archs_count(int *count)
{
    if (count == NULL)
        return NVRTC_INVALID_INPUT;
    *count = 0;
    return NVRTC_SUCCESS;
}

cu_result cuna__cpu_compile_archs(int *archs)
{
    return archs != NULL ? NVRTC_SUCCESS : NVRTC_INVALID_INPUT;
}
