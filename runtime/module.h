/* module.h: kernel text in, launchable functions out; compiled once per content. */
#ifndef CUNA_MODULE_H
#define CUNA_MODULE_H

#include "device.h"

/* Finds the functions `entries` of a translation unit, given without the device's prelude: from the disk cache, else by
 * the device's compiler. The module and its functions live as long as the process; whoever keeps a function keeps the
 * module too, so that it stays reachable. `name` is what messages call the unit. COMPILE with the compiler's first error,
 * the lines around it and the file that holds the whole source. Thread-safe; compiles outside any lock. */
cuna_status cuna__module_functions(cu_module *module, cu_function *out, cuna_device *device, const char *name,
                                   const char *source, int nentries, const char *const *entries);

#endif
