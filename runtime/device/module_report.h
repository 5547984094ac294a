/* module_report.h: the error message of a failed compilation. */
#ifndef CUNA_DEVICE_MODULE_REPORT_H
#define CUNA_DEVICE_MODULE_REPORT_H

#include "base/status.h"

/* Writes COMPILE's message: in its first line the unit's name, the compiler's first error and the file that keeps the
 * whole source and log; below, the lines around the error. A log without a known form is shown from its beginning. The
 * source is the text that was compiled, as `name`; it may carry #line directives. */
cuna_status cuna__module_report(const char *name, const char *source, const char *log);

#endif
