/* environment.h: environment variables, which only environment.c reads. */
#ifndef CUNA_BASE_ENVIRONMENT_H
#define CUNA_BASE_ENVIRONMENT_H

#include "base/base.h"
#include "base/status.h"

/* Checks cuna's variables. VALUE with the first wrong one: its name, its value and the legal values. */
cuna_status cuna__environment_check(void);

/* A variable's value; NULL when it is not set, or empty. */
const char *cuna__environment_text(const char *name);

/* Whether a cuna folder is turned off, by "off". */
bool cuna__environment_is_off(const char *name);

/* Whether CUNA_LOG asks for lines on a subject. */
bool cuna__environment_logs(const char *subject);

/* A whole number that cuna__environment_check has a row for; `otherwise` when it is not set, or was set to something
 * wrong since the check. */
int64_t cuna__environment_number(const char *name, int64_t otherwise);

/* Bytes, or a share of `total` with "%"; `otherwise` as above. */
int64_t cuna__environment_nbytes(const char *name, int64_t total, int64_t otherwise);

#endif
