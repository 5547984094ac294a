/* processor.h: what the system says of its processors. */
#ifndef CUNA_CPU_PROCESSOR_H
#define CUNA_CPU_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

/* The maker's name of the first one; false where the system has none. */
bool cuna__cpu_read_model(char *name, size_t nbytes);

#endif
