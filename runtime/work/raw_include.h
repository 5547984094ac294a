/* raw_include.h: finds the files that the sources of raw kernels include. */
#ifndef CUNA_WORK_RAW_INCLUDE_H
#define CUNA_WORK_RAW_INCLUDE_H

#include "base/strbuf.h"
#include "device/device.h"

/* What a compilation may read besides the source. */
typedef struct cuna_raw_include {
    cuna_strbuf text;   /* another one whenever it may read anything else; empty where it reads nothing */
    bool is_unknown;    /* it may read more, which cannot be determined */
    int nheaders;       /* the device's, for nvrtcCreateProgram */
    const char **names; /* in static memory */
    char **headers;
    int nfolders; /* the toolkit's, if it may read any file there */
    const char *const *folders;
} cuna_raw_include;

/* Fills it in; the caller frees it, after a failure too. */
cuna_status cuna__raw_include_read(cuna_raw_include *out, const cuna_device *device, const cuna_raw_source *source);
void cuna__raw_include_free(cuna_raw_include *include);

#endif
