/* module_alias.h: entries of the disk cache that stand for functions in another unit's image. */
#ifndef CUNA_DEVICE_MODULE_ALIAS_H
#define CUNA_DEVICE_MODULE_ALIAS_H

#include "device/module.h"

/* Whether what was found under a unit's key is an alias and no image. */
bool cuna__alias_is(const void *image, size_t nbytes);

/* Fills module and functions in from an alias, whose text is cut up; `call` is the one that failed. NOT_FOUND when the
 * other unit is not on disk any more, or does not have the functions. */
cu_result cuna__alias_load(const char **call, cuna_unit *unit, char *text);

#endif
