/* install.h: files that lie beside this library, one for each instruction set. */
#ifndef CUNA_CPU_EXECUTE_INSTALL_H
#define CUNA_CPU_EXECUTE_INSTALL_H

#include "base/folder.h"

/* The path of libcuna_<noun>_<instruction set><extension> for the widest set of this processor, or with `narrower` for the
 * widest that is there. False if there is none to read. */
bool cuna__cpu_install_find(char path[CUNA_FOLDER_NBYTES], const char *noun, const char *extension, bool narrower);

#endif
