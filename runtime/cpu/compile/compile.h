/* compile.h: NVRTC's rows on the cpu device; parameters as in seam/driver.h. */
#ifndef CUNA_CPU_COMPILE_COMPILE_H
#define CUNA_CPU_COMPILE_COMPILE_H

#include <stdio.h>

#include "seam/driver.h"

cu_result cuna__cpu_compile_version(int *major, int *minor);
cu_result cuna__cpu_compile_archs_count(int *count);
cu_result cuna__cpu_compile_archs(int *archs);
cu_result cuna__cpu_compile_create(nvrtc_program *program, const char *source, const char *name, int nheaders,
                                   const char *const *headers, const char *const *include_names);
cu_result cuna__cpu_compile_destroy(nvrtc_program *program);
cu_result cuna__cpu_compile_set_callback(nvrtc_program program, int (*is_ended)(void *, void *), void *payload);
cu_result cuna__cpu_compile_add_expression(nvrtc_program program, const char *expression);
cu_result cuna__cpu_compile_lowered_name(nvrtc_program program, const char *expression, const char **name);
cu_result cuna__cpu_compile_run(nvrtc_program program, int noptions, const char *const *options);
cu_result cuna__cpu_compile_log_size(nvrtc_program program, size_t *nbytes);
cu_result cuna__cpu_compile_log(nvrtc_program program, char *log);
cu_result cuna__cpu_compile_image_size(nvrtc_program program, size_t *nbytes);
cu_result cuna__cpu_compile_image(nvrtc_program program, char *image);
cu_result cuna__cpu_compile_ptx_size(nvrtc_program program, size_t *nbytes);
cu_result cuna__cpu_compile_ptx(nvrtc_program program, char *image);

/* Appends the flags of every compilation, including those in CUNA_CPU_FLAGS, each after a space. */
void cuna__cpu_compile_print_flags(FILE *out);

#endif
