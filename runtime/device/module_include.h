/* module_include.h: finds the files that users' sources include. */
#ifndef CUNA_DEVICE_MODULE_INCLUDE_H
#define CUNA_DEVICE_MODULE_INCLUDE_H

#include "base/strbuf.h"
#include "device/device.h"

/* What is searched for names: a text, and options that name folders and files. */
typedef struct cuna_module_text {
    const char *name, *text; /* the name may have a folder */
    int noptions;
    const char *const *options;
} cuna_module_text;

/* What a compilation may read besides the source. */
typedef struct cuna_module_include {
    cuna_strbuf text;   /* another one whenever it may read anything else; empty where it reads nothing */
    bool is_unknown;    /* it may read more, which cannot be determined */
    int nheaders;       /* the device's, for nvrtcCreateProgram */
    const char **names; /* in static memory */
    char **headers;
    int nfolders; /* the toolkit's, if it may read any file there */
    const char *const *folders;
} cuna_module_include;

/* Fills it in; the caller frees it, after a failure too. */
cuna_status cuna__module_include_read(cuna_module_include *out, const cuna_device *device,
                                      const cuna_module_text *source);

/* Appends the options for its folders, two for each; returns how many there are then. */
int cuna__module_include_options(const char **options, int noptions, const cuna_module_include *include);

void cuna__module_include_free(cuna_module_include *include);

#endif
