/* module.h: kernel text in, launchable functions out; compiled once per content. */
#ifndef CUNA_MODULE_H
#define CUNA_MODULE_H

#include "device.h"

/* Finds the functions `entries` of a translation unit, given without the device's prelude: from the disk cache, else by
 * the device's compiler. The functions live as long as the process. `name` is what messages call the unit. COMPILE with
 * the compiler's first lines and the file that holds the whole source. Thread-safe; compiles outside any lock. */
cuna_status cuna__module_functions(cu_function *out, cuna_device *device, const char *name, const char *source,
                                   int nentries, const char *const *entries);

/* How often units were compiled, and found on disk, in this process. */
typedef struct cuna_module_stats {
    int64_t compiled, loaded;
} cuna_module_stats;
void cuna__module_stats(cuna_module_stats *out);

#endif
