/* compile_wait.h: how long scripts wait for compilers, and a line about it on a terminal. */
#ifndef CUNA_DEVICE_COMPILE_WAIT_H
#define CUNA_DEVICE_COMPILE_WAIT_H

#include "device/device.h"

/* Around the making of kernels that the calling thread needs, by a compiler of this process or of another one. Threads
 * that work in the background do not wait. */
void cuna__compile_wait_begin(const cuna_device *device, int nkernels);
void cuna__compile_wait_end(int nkernels);

/* How long threads have waited; several at the same time count once. */
int64_t cuna__compile_wait_ns(void);

/* Writes lines on stderr, which replace the line about the wait. */
void cuna__compile_wait_write(const char *lines);

/* The time of a clock that only moves on. */
int64_t cuna__compile_now_ns(void);

/* For how long no script has waited; 0: one waits. */
int64_t cuna__compile_idle_ns(void);

#endif
